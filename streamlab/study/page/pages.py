"""Which page of which study is served: whoever starts the server chooses it; a demonstration where none is named."""

from __future__ import annotations

import atexit
import shlex
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import panel as pn
import panel_material_ui as pmui

from streamlab.study import Study
from streamlab.study.page.choice import parse_choice
from streamlab.study.page.page import StudyPage
from streamlab.study.page.reader import Reader
from streamlab.study.page.run_page import RunPage
from streamlab.views.hosting.limits import LIMITS, SEATS
from streamlab.views.kit.text import shown
from streamlab.views.page.pages import FullPage
from streamlab.views.page.window import Notice

__all__ = ["make_study_page"]

_lock = threading.Lock()
_readers: dict[tuple[str, str], Reader] = {}


class UnreadPage:
    """What is served where the study cannot be read: the reason."""

    def __init__(self, message: str) -> None:
        self._message = message

    def served(self) -> pmui.Page:
        """Return the page for the session under way."""
        notice = Notice(title="This study cannot be read", object=self._message, severity="error", margin=20)
        return pmui.Page(title="streamlab · study", main=[notice], busy_indicator=None)


def reader_of(file: str | Path | None, results: str | Path | None = None) -> Reader:
    """Return the reader of a study, one for all pages of this process; without a file the demonstration's.

    Parameters
    ----------
    file
        The study: a TOML file.
    results
        The folder of results; default: beside the file.

    Raises
    ------
    ValueError
        If it cannot be read.
    """
    known = str(file or ""), str(results or "")
    with _lock:
        if known not in _readers:
            _readers[known] = demonstration() if file is None else _of_file(Path(file), results)
        return _readers[known]


def _of_file(path: Path, results: str | Path | None) -> Reader:
    study = Study.read(path, results=results)
    name = shown(study.name or path.stem, 60)
    command = f"streamlab study run {shlex.quote(path.name)}"
    return Reader(study, f"study: {name}", command=command)


def make_study_page(file: str | Path | None = None, results: str | Path | None = None) -> Any:
    """Return the page that this session's address asks for: the study's table, or one of its runs in the monitor."""
    try:
        reader = reader_of(file, results)
        offered = reader.offered
    except (ValueError, OSError) as error:
        return UnreadPage(str(error))
    arguments = {name: [each.decode(errors="replace") for each in v] for name, v in pn.state.session_args.items()}
    choice, refused = parse_choice(urlencode(arguments, doseq=True), offered)
    if not choice.run:
        return StudyPage(reader, choice, refused)
    is_served = pn.state.curdoc is not None and pn.state.curdoc.session_context is not None
    return FullPage() if is_served and SEATS.full(LIMITS.pages) else RunPage(reader, choice, refused)


def serve_study(
    file: str | Path | None,
    results: str | Path | None,
    *,
    port: int,
    address: str,
    show: bool,
    allow_origin: list[str] | None,
) -> None:
    """Serve the pages of a study until the process is told to end.

    Raises
    ------
    ValueError
        If the study cannot be read.
    """
    from streamlab.views.hosting.serving import serve_pages

    # what is wrong with the file is said before a browser opens
    title = f"streamlab · {reader_of(file, results).title}"
    pages = {"study": lambda: make_study_page(file, results).served()}
    serve_pages(pages, title, port=port, address=address, show=show, allow_origin=allow_origin)


STREAMS = {
    "yeast genes": {"use": "yeast", "rows": 1_000},
    "yeast, labels renamed": {
        "use": "yeast", "rows": 1_000, "changes": [{"put": "rotate_labels", "at": 500}],
    },
    "changing regions": {"use": "syn-regions", "n_rows": 1_000, "seed": 7},
    "films": {"use": "movies", "rows": 1_000},
}  # fmt: skip
LEARNERS = {
    "SMART": {"use": "SMART", "half_life": 100},
    "SMART without fading": {"use": "SMART", "half_life": float("inf")},
    "majority labels": "MajorityLabels",
    "no-change": "NoChange",
}
MEASURES = ("example_f1", "micro_f1", "hamming_loss")
ABOUT = (
    "Made while you look: four learners on the first 1,000 rows of four streams. SMART forgets what is old, half of it "
    "in 100 rows (200 on other pages), its twin without fading nothing. To forget should help where labels are renamed "
    "half-way. The other two are simple rules that see no feature."
)
WORKERS = 2


def demonstration() -> Reader:
    """Return the demonstration, whose runs are under way; its results go when the process ends."""
    folder = tempfile.mkdtemp(prefix="streamlab-study-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    study = Study(STREAMS, LEARNERS, seeds=2, measures=MEASURES, results=folder, name="a small demonstration")
    threading.Thread(target=study.run, args=(WORKERS,), name="streamlab demonstration", daemon=True).start()
    return Reader(study, "study: a small demonstration", ABOUT)
