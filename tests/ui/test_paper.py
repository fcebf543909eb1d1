"""From the page to paper: pictures and curves as SVG and PNG, tables, the run as Python."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import panel as pn
import pytest

import streamlab as sl
from streamlab.lab.seeds import with_seeds
from streamlab.views.page.keep import Keep
from streamlab.views.page.run_view import RunView
from tests.ui.screen import PATIENCE_S
from tests.ui.test_kit_js import MADE, Shown

SVG = "{http://www.w3.org/2000/svg}"
SURFACES = {False: "#fbfaf8", True: "#14171a"}


def saved(page: Any, name: str, folder: Path) -> Path:
    """Click a button that gives a file, and return where it is."""
    with page.expect_download() as waited:
        page.get_by_role("button", name=name).click()
    path = folder / waited.value.suggested_filename
    waited.value.save_as(path)
    return path


@pytest.mark.parametrize("dark", [False, True])
def test_every_picture_is_had_as_svg_and_png_with_its_title(page: Any, tmp_path: Path, dark: bool) -> None:
    opened = page("about:blank", width=1000)
    for name in MADE:
        opened.evaluate("document.body.replaceChildren()")
        shown = Shown(opened, name, dark=dark)
        title = opened.evaluate("view.about.title")

        path = saved(opened, "Save the picture as SVG", tmp_path)
        root = ElementTree.parse(path).getroot()
        said = "".join(root.itertext())
        width, height = (float(each) for each in root.attrib["viewBox"].split()[2:])
        assert root.tag == f"{SVG}svg", name
        assert all(word in said for word in title.split()), name
        assert SURFACES[dark] in path.read_text("utf-8"), name
        drawn = next(root.iter(f"{SVG}svg"))
        assert len(list(drawn.iter())) > 10, name
        assert not any("NaN" in value for each in root.iter() for value in each.attrib.values()), name

        image = saved(opened, "Save the picture as PNG", tmp_path).read_bytes()
        assert struct.unpack(">II", image[16:24]) == (2 * width, 2 * height), name
        assert opened.evaluate("view.stats().zoom.fitted"), name
        opened.evaluate("view.destroy()")
        assert shown.name


class Page:
    """What a session holds: a run that has gone on, and the section with which it is kept."""

    def app(self) -> Any:
        learners = with_seeds({"SMART": sl.SMART(seed=1, n_trees=2)}, 3) | {"no-change": sl.NoChange()}
        run = sl.Run(sl.rotate_labels(sl.load("yeast"), at=600), learners)
        self.view = RunView(run, page=True)
        self.view.player.step(1000).result(timeout=PATIENCE_S)
        self.keep = Keep(lambda: self.view, lambda line: None)
        self.keep.begin(run)
        return pn.Column(self.keep.pane, width=340)


def test_curves_tables_and_the_script_are_kept(serve: Any, page: Any, tmp_path: Path) -> None:
    made = Page()
    opened = page(serve(made.app), width=420, permissions=["clipboard-read", "clipboard-write"])
    path = saved(opened, "Save the curves as SVG", tmp_path)
    assert path.name == "streamlab-yeast-labels-rotated-curves.svg"
    said = "".join(ElementTree.parse(path).getroot().itertext())
    assert all(words in said for words in ("SMART (3 seeds)", "no-change", "①", "F1 (micro), per chunk"))
    image = saved(opened, "Save the curves as PNG", tmp_path).read_bytes()
    assert image.startswith(b"\x89PNG")
    assert saved(opened, "Events, CSV", tmp_path).read_text("utf-8").startswith("position,learner,kind")

    opened.get_by_role("button", name="Copy the run as Python").click()
    opened.get_by_role("status").get_by_text("Copied").wait_for()
    script = opened.get_by_role("region", name="The run as Python").inner_text()
    assert "sl.rotate_labels(stream" in script
    assert opened.evaluate("navigator.clipboard.readText()") == script
    made.view.close()
