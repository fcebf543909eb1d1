"""A run as files: saved with its tables, curves and script; and an earlier one laid under the present one."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab._checks import counted
from streamlab.lab import Run
from streamlab.lab.earlier import EarlierRun, earlier_run
from streamlab.lab.script import script_of
from streamlab.measures import MEASURES
from streamlab.schema import Schema
from streamlab.views.hosting.limits import new_folder
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.kit.text import numbered, shown
from streamlab.views.page.header import QUIET, header_button
from streamlab.views.page.upload import UploadInput
from streamlab.views.page.window import WIDE, Explanation, Notice
from streamlab.views.timeline.bands import OVER, Line, earlier_lines, lines_of

HINT = (
    "“Save run” gives the run as a file: choose it under “A stream of your own”, or open it in Python (sl.Run.open), "
    "and it goes on where it stood. The replay is one page that plays what has been seen, without a server."
)
WAIT_SECONDS = 60.0
MOST_NAME = 80
PICTURES = ("svg", "png")
PAIRS = """
:host{display:grid!important;grid-template-columns:minmax(0,.8fr) minmax(0,1.2fr);gap:6px 8px}
.scroll-button{display:none!important}
"""
ONE_LINE = ".MuiButtonBase-root{white-space:nowrap;padding:3px 4px!important}"


def file_name(*parts: str, ending: str) -> str:
    """Return a file's name of texts from outside: letters without accents, digits and hyphens alone, not too long.

    Examples
    --------
    >>> file_name("streamlab", "../Étude 1: a/b", "curves", ending="csv")
    'streamlab-Etude-1-a-b-curves.csv'
    """
    *first, last = [re.sub(r"[^A-Za-z0-9]+", "-", _unaccented(part)).strip("-") for part in parts]
    room = MOST_NAME - len(last) - 1
    stem = "-".join(filter(None, first))[:room].strip("-")
    return f"{'-'.join(filter(None, [stem, last])) or 'run'}.{ending}"


def _unaccented(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


def charts_of(run: Run, measures: tuple[str, ...], over: str, earlier: EarlierRun | None = None) -> dict[str, Any]:
    """Return what the browser draws the curves of a run from; called on the thread that owns the run."""
    charts = []
    for measure in measures:
        about = MEASURES[measure]
        curves = {name: each.history.curve(measure, over) for name, each in run.learner_runs.items()}
        positions = next(iter(run.learner_runs.values())).history.positions.tolist()
        series = [_series(line, positions) for line in lines_of(curves)]
        if earlier is not None:
            before, lines = earlier_lines(earlier, measure, over, run.learner_runs)
            # first, so that they lie below
            series = [*(_series(line, before.tolist(), faint=True) for line in lines), *series]
        better = "" if about.higher_is_better else " (lower is better)"
        charts.append({"title": f"{about.title}, {OVER[over]}{better}", "range": list(about.range), "series": series})
    drifts = [event.position for event in run.log if event.kind == "drift" and not event.learner]
    of = "" if run.n_rows is None else f" of {run.n_rows:,}"
    return {
        "title": f"{shown(run.stream.name)}: {' and '.join(MEASURES[m].title for m in measures)}",
        "words": [f"{run.position:,}{of} rows; every row is answered before its labels are learned."],
        "charts": charts,
        "end": max(run.position, 1 if earlier is None else earlier.rows),
        "drifts": [[at, numbered(i)] for i, at in enumerate(drifts, 1)],
    }


def _series(line: Line, positions: list[int], *, faint: bool = False) -> dict[str, Any]:
    """Return one line as the browser draws it."""
    banded = line.is_group and not faint
    return {
        "name": shown(line.title), "colour": line.colour, "dash": line.dash, "faint": faint, "positions": positions,
        "values": _plain(line.band.middle), "low": _plain(line.band.low) if banded else None,
        "high": _plain(line.band.high) if banded else None,
    }  # fmt: skip


def _plain(values: Any) -> list[float | None]:
    """Return numbers for JSON: None where there is none, six digits of the others."""
    return [None if value != value else float(f"{value:.6g}") for value in values.tolist()]


class KeepFigures(FrameComponent):
    """Buttons for the curves as SVG and PNG, and for the run as Python; the browser draws and copies.

    ``asked(what, format)`` returns what the browser gets, on a page on a thread of its own, or raises what is said.
    """

    _bundle = bundled("keep")

    def __init__(self, asked: Callable[[str, str], dict[str, Any]], **params: Any) -> None:
        super().__init__(**params)
        self._asked = asked

    def _handle_msg(self, data: Any) -> None:
        kind, form = data.get("kind"), data.get("format", "")
        if (kind == "curves" and form in PICTURES) or (kind == "python" and form == ""):
            self._answer(lambda: self._asked(kind, form))
        else:
            self._refusals.report("a wish for a file", data)


class Keep:
    """What people save of what they see: the run itself, and ``pane`` with all else; made when they ask for it.

    ``view`` returns the ``RunView`` that is shown, or None; ``say`` gets a line when a file cannot be had.
    """

    def __init__(self, view: Callable[[], Any], say: Callable[[str], None]) -> None:
        self._view, self._say = view, say

    @cached_property
    def figures(self) -> KeepFigures:
        """What the browser draws and copies."""
        return KeepFigures(self._figure, margin=(4, 18))

    @cached_property
    def _downloads(self) -> dict[tuple[str, str], pmui.FileDownload]:
        made = {
            (what, ending): pmui.FileDownload(
                label=label, callback=partial(self._kept, what, ending), size="small", margin=0, **WIDE
            )
            for what, ending, label in (
                ("run", "slab", "Save run"), ("replay", "html", "Save a replay (HTML)"),
                ("curves", "csv", "Curves, CSV"), ("curves", "parquet", "Curves, Parquet"),
                ("events", "csv", "Events, CSV"), ("events", "parquet", "Events, Parquet"),
            )
        }  # fmt: skip
        for (what, _), each in made.items():
            # not in the constructor, where Panel warns of its own default
            each.param.update(variant="outlined", stylesheets=[ONE_LINE] if what in ("curves", "events") else [])
        made["run", "slab"].param.update(variant="text", sizing_mode=None, stylesheets=[QUIET])
        return made

    @cached_property
    def pane(self) -> pn.Column:
        """All but the run itself."""
        tables = [each for (what, _), each in self._downloads.items() if what in ("curves", "events")]
        return pn.Column(
            pmui.Typography(HINT, variant="caption", margin=(0, 18)),
            pn.Column(self._downloads["replay", "html"], margin=(6, 18), **WIDE),
            pn.Column(*tables, margin=(6, 18), stylesheets=[PAIRS], **WIDE),
            self.figures,
            **WIDE,
        )

    def buttons(self, *first: Any) -> list[pmui.Button]:
        """Return buttons of a header: what docks the figures, and what opens all that a run is given away as.

        ``first`` stands before the files.
        """

        def on_view(act: Callable[[Any], object]) -> Callable[[], object]:
            return lambda: None if (view := self._view()) is None else act(view)

        return [
            header_button("Figures", on_view(lambda view: view.show_figures())),
            header_button("Share", on_view(lambda view: view.why.open([*first, *self.files(view.run)], self))),
        ]

    def files(self, run: Run) -> list[Any]:
        """Return what gives a run away, the files named after its stream."""
        for (what, ending), each in self._downloads.items():
            each.filename = file_name("streamlab", run.stream.name, what, ending=ending)
        return [self._downloads["run", "slab"], self.pane]

    def _kept(self, what: str, ending: str) -> io.BytesIO:
        """Return a file of the run; what prevents it is said in a line, and the file is empty."""
        # the browser takes a file when it is another one: the same run saved again would not come
        self._downloads[what, ending].param.update(data=None)
        try:
            with tempfile.TemporaryDirectory(prefix="streamlab-") as folder:
                path = Path(folder) / f"{what}.{ending}"
                self._asked(partial(_write, what, path))
                return io.BytesIO(path.read_bytes())
        except (ValueError, OSError, TimeoutError) as error:
            self._say(str(error) or "the run is busy; try again")
            return io.BytesIO()

    def _figure(self, what: str, form: str) -> dict[str, Any]:
        if what == "python":
            return {"kind": "python", "text": self._asked(lambda run, _: script_of(run))}
        earlier = getattr(self._view(), "earlier", None)
        charts, name = self._asked(
            lambda run, look: (charts_of(run, look["measures"], look["over"], earlier), run.stream.name)
        )
        return {"kind": "curves", "format": form, "name": file_name("streamlab", name, "curves", ending=form), **charts}

    def _asked(self, question: Callable[[Run, dict[str, Any]], Any]) -> Any:
        """Return what a question has of the run that is shown, asked on the thread that owns it."""
        view = self._view()
        if view is None:
            raise ValueError("there is no run yet")
        look = view.look
        return view.player.ask(lambda run: question(run, look)).result(timeout=WAIT_SECONDS)


def _write(what: str, path: Path, run: Run, look: dict[str, Any]) -> None:
    if what == "run":
        run.save(path)
    elif what == "replay":
        run.export_html(path)
    elif what == "curves":
        run.write_curves(path, look["over"])
    else:
        run.write_events(path)


EARLIER_HINT = (
    "A run that was saved (.slab) on the same labels: its curves are drawn thin and faded under those of this run, "
    "for as long as this page is open."
)
APART: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (6, 18)}


class EarlierPanel:
    """The choice of an earlier run, which ``lay_under`` gets, or None, on the document's thread."""

    def __init__(
        self,
        lay_under: Callable[[EarlierRun | None], None],
        background: Callable[[Callable[[], None]], None],
        later: Callable[[Callable[[], None]], None],
    ) -> None:
        self._lay_under, self._background, self._later = lay_under, background, later
        self._schema: Schema | None = None
        self._asked = 0
        self.earlier: EarlierRun | None = None
        self.note = Notice(severity="error", visible=False, margin=(6, 18))
        self.upload = UploadInput(
            new_folder, self._uploaded, self.note.say, ".slab", label="Choose an earlier run", margin=(6, 18)
        )
        self.summary = Explanation("", variant="body2", visible=False, margin=(6, 18))
        self.away = pmui.Button(label="Take it away", variant="outlined", visible=False, **APART)
        self.away.on_click(lambda _: self._show(None))
        hint = pmui.Typography(EARLIER_HINT, variant="caption", margin=(0, 18))
        self.pane = pn.Column(hint, self.upload, self.note, self.summary, self.away, sizing_mode="stretch_width")

    def begin(self, schema: Schema) -> EarlierRun | None:
        """Take the labels of the run that is shown from now on; return what lies under it: nothing of other labels."""
        if self._schema is not None and set(schema.labels) != set(self._schema.labels):
            self._tell(None)
        self._schema = schema
        self._asked += 1
        return self.earlier

    def _uploaded(self, paths: list[Path]) -> None:
        schema, path = self._schema, paths[0]
        if schema is None:
            shutil.rmtree(path.parent, ignore_errors=True)
            return
        self._asked += 1
        asked = self._asked
        self.note.say("Reading the earlier run …", "info")

        def read() -> None:
            found, message = None, ""
            try:
                found = earlier_run(path, schema)
            except ValueError as error:
                message = str(error).replace(f"{path}", shown(path.name))
            except OSError as error:
                message = f"the upload cannot be read: {error.strerror}"
            # read once, and gone
            shutil.rmtree(path.parent, ignore_errors=True)
            # of two files the one that was chosen last, and none for a run that has gone
            self._later(lambda: self._read(found, message) if asked == self._asked else None)

        self._background(read)

    def _read(self, found: EarlierRun | None, message: str) -> None:
        self.note.say(message)
        if found is not None:
            self._show(found)

    def _show(self, found: EarlierRun | None) -> None:
        self._tell(found)
        self._lay_under(found)

    def _tell(self, found: EarlierRun | None) -> None:
        self.earlier = found
        self.away.visible = self.summary.visible = found is not None
        if found is not None:
            names = ", ".join(map(shown, found.learners))
            self.summary.object = f"Under the curves: {names} on {shown(found.stream)}, {counted(found.rows, 'row')}."
