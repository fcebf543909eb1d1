"""The notebooks as they are stored, and the live view in a kernel's cell, without a JupyterLab around it."""

from __future__ import annotations

import base64
import gc
import json
import re
import threading
import time
from pathlib import Path
from typing import ClassVar

import nbformat
import pytest
from nbclient import NotebookClient

import streamlab as sl

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MOST_BYTES = 1_000_000


def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def outputs(path: Path) -> list[dict]:
    return [output for cell in cells(path) for output in cell.get("outputs", [])]


# ---------------------------------------------------------------------- what is stored


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_every_cell_was_executed_in_order_and_without_noise(path):
    counts = [cell["execution_count"] for cell in cells(path) if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert not [output for output in outputs(path) if output["output_type"] in ("stream", "error")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_what_is_stored_is_small_and_can_be_seen_anywhere(path):
    assert path.stat().st_size < MOST_BYTES
    text = path.read_text(encoding="utf-8")
    assert "<script" not in text
    kinds = {kind for output in outputs(path) for kind in output.get("data", {})}
    assert kinds == {"text/plain", "text/html", "image/png"}
    assert str(Path.home()) not in text
    assert str(ROOT) not in text


def test_pictures_that_the_text_shows_are_there():
    for path in NOTEBOOKS:
        for cell in cells(path):
            for part in "".join(cell["source"]).split("](")[1:] if cell["cell_type"] == "markdown" else ():
                target = part.partition(")")[0]
                assert target.startswith("http") or (path.parent / target).is_file(), target


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_it_runs_from_its_first_cell_to_its_last(path):
    # not as a plugin of pytest, which each process of each run would import for seconds
    notebook = nbformat.read(path, 4)
    NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": str(path.parent)}}).execute()


# ---------------------------------------------------------------------- the live view in a cell


class FakeShell:
    """As much of a kernel's IPython as a view looks at."""

    class kernel:
        request: ClassVar[dict] = {}

        class comm_manager:
            targets: ClassVar[dict] = {}

            @classmethod
            def register_target(cls, name, opened) -> None:
                cls.targets[name] = opened

        @classmethod
        def get_parent(cls) -> dict:
            return cls.request


@pytest.fixture
def kernel(monkeypatch):
    """A kernel-like setting: IPython says that there is a kernel."""
    import IPython
    import panel as pn
    import pyviz_comms

    from streamlab.views.hosting import notebook

    monkeypatch.setattr(IPython, "get_ipython", FakeShell)
    monkeypatch.setattr(FakeShell.kernel.comm_manager, "targets", {})
    monkeypatch.setattr(notebook, "load_javascript", lambda: {"head": "<style></style>", "javascript": ["its code"]})
    monkeypatch.setattr(pn.extension, "_loaded", True)
    monkeypatch.setattr(pn.config, "inline", True)
    monkeypatch.setattr(pn.state, "_comm_manager", pyviz_comms.CommManager)
    monkeypatch.setattr(pn.viewable, "JupyterCommManager", pyviz_comms.CommManager)
    assert notebook.in_kernel()


def players() -> int:
    return sum(thread.name == "streamlab player" for thread in threading.enumerate())


def wait_for(condition, seconds: float = 5.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not come about"
        time.sleep(0.01)


@pytest.fixture
def run():
    return sl.Run("yeast", {"SMART": sl.SMART(seed=1), "static": sl.SMART(half_life=float("inf"), seed=1)})


class Page:
    """A browser page that shows the cell of a view, as its script would: it asks, and keeps what it is told."""

    def __init__(self, bundle: dict, *, has_javascript: bool = False) -> None:
        (name,) = set(re.findall(r"streamlab-p\d+", bundle["text/html"]))
        self.told: list[dict] = []
        FakeShell.kernel.comm_manager.targets[name](self, {})
        self._ask({"content": {"data": {"javascript": not has_javascript}}})

    def on_msg(self, ask) -> None:
        self._ask = ask

    def send(self, data: dict) -> None:
        self.told.append(data)


def test_the_kernel_tells_a_page_the_view_and_once_its_javascript(kernel, run):
    view = run.view()
    bundle, about = view._repr_mimebundle_()
    assert bundle["text/plain"] == f"<RunView of {run!r}>"
    assert "application/vnd.holoviews_exec.v0+json" in about
    (told,) = Page(bundle).told
    assert told["javascript"] == ["its code"]
    html = told["view"]
    for part in ("sl-transport", "Evidence in the trees", "Half-life", "Measures drawn"):
        assert part in html, part
    assert "cdn." not in html
    assert len(html) < 4_000_000
    assert html.count("const streamlab_code_0 = ") == 1
    assert html.count('"esm":streamlab_code_0') > 5
    assert Page(bundle, has_javascript=True).told == [{"view": html}]
    view.close()


def test_a_view_that_has_ended_leaves_a_picture_on_every_page(kernel, run):
    first = run.view()
    bundle, _ = first._repr_mimebundle_()
    before = Page(bundle)
    first.player.step(300).result(20)
    second = run.view()
    for page in (before, Page(bundle)):  # that which showed it, and that which comes late, after Run All Cells
        still = page.told[-1]["still"]
        assert "This view is closed: run.view() opens another" in still
        assert 'src="data:image/png;base64,' in still
    assert before.told[-1]["still"].partition("<p>")[0] not in bundle["text/html"]  # of the row where it ended
    second.close()


def test_parts_that_change_bring_their_styles_along(kernel, run, monkeypatch):
    """Panel names a content network for them, which JupyterLab would ask."""
    from bokeh.models import ImportedStyleSheet
    from panel.io import notebook

    view, sent = run.view(), []
    monkeypatch.setattr(notebook, "diff", lambda doc, **_: sent.extend(doc.callbacks._held_events))
    view._repr_mimebundle_()
    view.story_bar._layout.object = "<p>Something else</p>"
    sheets = [sheet for event in sent if getattr(event, "attr", "") == "stylesheets" for sheet in event.new]
    assert sheets
    assert not [sheet for sheet in sheets if isinstance(sheet, ImportedStyleSheet)]
    view.close()


TWO_VIEWS = (
    "import streamlab as sl\nrun = sl.Run('yeast', {'SMART': sl.SMART(seed=1)})\nrun.advance(600)",
    "run.view()",
    "run.view()",
)


def test_an_executed_notebook_has_a_small_picture_of_each_view_and_asks_no_address():
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in TWO_VIEWS])
    NotebookClient(book, timeout=300, kernel_name="python3").execute()
    for cell in book.cells[1:]:
        (html,) = [output.data["text/html"] for output in cell.outputs if "text/html" in output.data]
        assert len(base64.b64decode(re.search(r'src="data:image/png;base64,([^"]+)"', html)[1])) > 10_000
        assert "yeast after 600 rows" in html
        whole = json.dumps(cell.outputs)
        assert len(whole) < 300_000
        assert not re.findall(r"https?:|//cdn|wss?:", whole)


def test_the_view_ends_when_its_output_leaves_the_notebook(kernel, run):
    before = players()
    view = run.view()
    _, about = view._repr_mimebundle_()
    (kind,) = about
    assert players() == before + 1
    view._command("ready", None)
    wait_for(lambda: view.timeline._frame is not None)
    _delete(about[kind]["id"])
    wait_for(lambda: players() == before)
    wait_for(lambda: not any(thread.name == "streamlab cell" for thread in threading.enumerate()))
    assert "run.view() opens another" in view._repr_mimebundle_()[0]["text/plain"]


def _delete(output: str) -> None:
    """What the front end says when an output is removed."""
    from panel.config import panel_extension

    panel_extension._process_comm_msg({"event_type": "delete", "id": output})


def test_a_cell_that_is_run_again_ends_what_it_showed_before(kernel, run, monkeypatch):
    def execute(cell: str, number: str) -> None:
        request = {"metadata": {"cellId": cell}, "header": {"msg_id": number}}
        monkeypatch.setattr(FakeShell.kernel, "request", request)

    def shown():
        view = sl.Run("yeast", {"SMART": sl.SMART(seed=1)}).view()
        view._repr_mimebundle_()
        return view

    execute("a", "1")
    first, second = shown(), shown()
    execute("b", "2")
    other = shown()
    assert not first.player.closed
    assert not second.player.closed
    execute("a", "3")
    third = shown()
    assert [view.player.closed for view in (first, second, other, third)] == [True, True, False, False]
    other.close()
    third.close()


def test_a_view_that_nobody_holds_any_longer_ends_its_thread(run):
    before = players()
    view = run.view()
    assert players() == before + 1
    del view
    gc.collect()
    wait_for(lambda: players() == before)


# ---------------------------------------------------------------------- pictures


RESULT = (
    "import streamlab as sl\nresult = sl.prequential('yeast-rotated', {'<i>SMART': sl.SMART(seed=1)}, n=1500)\nresult",
    "result.plot(['micro_f1', 'hamming_loss'])",
    "sl.cross_validate('yeast', sl.BalancedKNN(), folds=2)",
)


def test_in_an_executed_notebook_a_result_has_a_face_and_its_plot_is_a_picture():
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in RESULT])
    NotebookClient(book, timeout=300, kernel_name="python3").execute()
    outputs = [[output.data for output in cell.outputs if output.output_type != "stream"] for cell in book.cells]
    face = outputs[0][-1]["text/html"]
    assert "&lt;i&gt;SMART" in face
    assert "<polyline" in face
    assert set(outputs[1][-1]) == {"image/png", "text/plain"}
    assert "Cross-validation, 2 folds" in outputs[2][-1]["text/html"]
    for output in [each for of in outputs for each in of]:
        assert not re.findall(r"https?:|//cdn|wss?:", json.dumps(output))
