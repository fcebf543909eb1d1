"""The page of a study: how its learners rank, or curves in their place, and its table; new results show as they come.

Whoever starts the server chooses the study; a demonstration is served where none is named.
"""

from __future__ import annotations

import atexit
import shlex
import shutil
import tempfile
import threading
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import panel as pn
import panel_material_ui as pmui

from streamlab._checks import with_type
from streamlab.study import Study
from streamlab.study.page.board import StudyBoard, board_of, complete
from streamlab.study.page.choice import OVER, Choice, parse_choice
from streamlab.study.page.reader import Reader, Seen
from streamlab.study.page.run_page import RunPage
from streamlab.views.hosting.limits import LIMITS, SEATS
from streamlab.views.kit.text import shown
from streamlab.views.page.header import Projector, brand, header_bar
from streamlab.views.page.pages import FullPage
from streamlab.views.page.screen import AT_ONCE, HEADER, SENTENCE, SIDE, WHOLE_SHEET
from streamlab.views.page.served import ServedPage, Ticking
from streamlab.views.page.window import Notice, PageNotice, make_window, refused_text

__all__ = ["make_study_page"]

LOOK_MS = 1500
PART = ".sl-study .sl-areas>.sl-area"
FITTED = f"{PART}{{min-height:0}} {PART}-stage{{display:flex;flex-direction:column}} {PART}-table{{overflow:auto}}"
"""Everything is seen at once: the picture takes what the table leaves."""
FRAME = f"""
:host{{padding:0 16px;box-sizing:border-box}}
@media {AT_ONCE}{{{FITTED}
:host{{--sl-fill:1;padding:0 {SIDE}px}}
.sl-study .sl-areas{{height:calc(100vh - {HEADER}px);
  grid-template-rows:minmax({SENTENCE}px,auto) minmax(260px,1fr) fit-content(36vh)}}}}
@container style(--streamlab-projected:1){{{FITTED}
:host{{--sl-fill:1;--sl-projected:1;padding:8px 17px 4px}}
.sl-study .sl-areas{{height:calc({WHOLE_SHEET} - 12px);gap:4px;
  grid-template-rows:auto minmax(0,1fr) fit-content(45%)}}}}
"""
"""The areas of ``streamlab.views.page.screen``, within the one component that draws a study."""


class StudyPage(ServedPage):
    """The page of a study.

    Parameters
    ----------
    reader
        Of the study.
    choice
        What the link asks for.
    refused
        What it asked for and cannot be had.
    """

    def __init__(self, reader: Reader, choice: Choice, refused: list[str], **params: Any) -> None:
        # what the address asks for, from the first picture on
        super().__init__(**{"dark": pn.config.theme == "dark", **params})
        self._reader = reader
        self._usual, self.choice = complete(Choice(), reader), complete(choice, reader)
        self._busy = threading.Lock()
        self._drawn: tuple[Seen, Choice] | None = None
        self.note = PageNotice()
        self.note.say(refused_text(refused), "warning")
        self.board = StudyBoard(self._choose, margin=0, dark=self.dark, stylesheets=[FRAME])
        self.projector = Projector(lambda on: None, dark=self.dark)
        self.page = make_window(
            f"streamlab · {reader.title}", [pn.Column(self.note, self.board, sizing_mode="stretch_width")],
            lambda line: self.note.say(line, "warning"), dark=self.dark, brand=True,
            header=[header_bar(brand(reader.title), buttons=[self.projector])],
        )  # fmt: skip
        self.page.param.watch(self._toggled, "dark_theme")
        self.board.param.watch(self._followed, "dark")
        self._polled: Any = None
        if self._browser.is_served:
            self._browser.do(self._begin)
        else:
            self._look()

    def _begin(self) -> None:
        self._polled = Ticking(self._doc, self._look_beside, LOOK_MS)
        self._look_beside()

    def _look_beside(self) -> None:
        """Look in a thread of its own: a folder on a slow disk holds nobody up."""
        if self._busy.acquire(blocking=False):
            threading.Thread(target=self._look_and_leave, name="streamlab study", daemon=True).start()

    def _look_and_leave(self) -> None:
        before = self.choice
        try:
            self._look()
        finally:
            self._busy.release()
        if self.choice != before:  # what was chosen meanwhile is not left until the next look
            self._look_beside()

    def _look(self) -> None:
        """Draw the study's present state and choice, unless that is drawn already."""
        choice = self.choice
        try:
            seen = self._reader.look()
            if self._drawn is not None and self._drawn[0] is seen and self._drawn[1] == choice:
                return
            board = board_of(self._reader, seen, choice)
        except (ValueError, OSError) as error:
            message = str(error)
            self._soon(lambda: self.note.say(message, "error"))
            return
        except Exception as error:
            traceback.print_exc()
            unexpected = with_type(error)
            self._soon(lambda: self.note.say(unexpected, "error"))
            return
        self._drawn = seen, choice
        self._soon(lambda: self.board.show(board, self.query))

    @property
    def query(self) -> str:
        """What the page's address says: what is not as the page opens by itself."""
        now, usual = self.choice, self._usual
        same: dict[str, Any] = {
            name: () if name in ("learners", "streams") else ""
            for name in ("measure", "over", "learners", "streams", "curves")
            if getattr(now, name) == getattr(usual, name)
        }
        return replace(now, **same).query()

    def _choose(self, what: str, indices: list[int]) -> None:
        offered = self._reader.offered
        own = {"measure": offered.measures, "over": list(OVER), "learners": offered.learners}
        names = own.get(what, offered.streams)
        chosen = tuple(names[i] for i in indices)
        changed: dict[str, Any] = {what: chosen if what in ("learners", "streams") else "".join(chosen)}
        self.choice = complete(replace(self.choice, **changed), self._reader)
        self.note.visible = False
        if self._browser.is_served:
            self._look_beside()
        else:
            self._look()

    def _toggled(self, event: Any) -> None:
        self.dark = self.board.dark = self.projector.dark = self.note.dark_theme = event.new

    def close(self) -> None:
        """Look no more; may be called more than once."""
        super().close()
        if self._polled is not None:
            self._polled.stop()


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
    "digits, bars renamed": {
        "use": "digits", "rows": 1_000, "changes": [{"put": "rotate_labels", "at": 500}],
    },
    "invented songs": {"use": "songs-branches", "n_rows": 1_000, "seed": 7},
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
    "in 100 rows (200 on other pages), its twin without fading nothing. To forget should help where bars are renamed "
    "half-way. The other two are simple rules that see no feature."
)
WORKERS = 2


def demonstration() -> Reader:
    """Return the demonstration, whose runs are under way; its results go when the process ends."""
    folder = tempfile.mkdtemp(prefix="streamlab-study-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    study = Study(STREAMS, LEARNERS, seeds=1, measures=MEASURES, results=folder, name="a small demonstration")
    threading.Thread(target=study.run, args=(WORKERS,), name="streamlab demonstration", daemon=True).start()
    return Reader(study, "study: a small demonstration", ABOUT)
