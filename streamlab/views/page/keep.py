"""A run as files: saved, with its tables, curves and script."""

from __future__ import annotations

import io
import re
import tempfile
import unicodedata
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab.lab import Run
from streamlab.views.page.header import QUIET, header_button
from streamlab.views.page.window import WIDE

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


class Keep:
    """What people save of what they see: the run itself, and ``pane`` with all else; made when they ask for it.

    ``view`` returns the ``RunView`` that is shown, or None; ``say`` gets a line when a file cannot be had.
    """

    def __init__(self, view: Callable[[], Any], say: Callable[[str], None]) -> None:
        self._view, self._say = view, say

    @cached_property
    def _downloads(self) -> dict[tuple[str, str], pmui.FileDownload]:
        made = {
            (what, ending): pmui.FileDownload(
                label=label, callback=partial(self._kept, what, ending), size="small", margin=0, **WIDE
            )
            for what, ending, label in (
                ("run", "slab", "Save run"), ("replay", "html", "Save a replay (HTML)"),
                ("run", "py", "This run as Python"), ("curves", "svg", "Curves, SVG"), ("curves", "png", "Curves, PNG"),
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
            pn.Column(self._downloads["replay", "html"], self._downloads["run", "py"], margin=(6, 18), **WIDE),
            pn.Column(*tables, margin=(6, 18), stylesheets=[PAIRS], **WIDE),
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
                if ending in PICTURES:
                    self._draw(path)
                else:
                    self._asked(partial(_write, what, path))
                return io.BytesIO(path.read_bytes())
        except (ValueError, OSError, ImportError, TimeoutError) as error:
            self._say(str(error) or "the run is busy; try again")
            return io.BytesIO()

    def _draw(self, path: Path) -> None:
        """Draw the curves as they are chosen on the page."""
        # Matplotlib takes half a second to be imported
        from streamlab.views.on_paper import panel_of, save_curves

        def panels(run: Run, look: dict[str, Any]) -> list[Any]:
            table = run.curves(look["over"]) if run.position else None
            return [panel_of(run, table, measure, look["over"]) for measure in look["measures"]]

        save_curves(self._asked(panels), path)

    def _asked(self, question: Callable[[Run, dict[str, Any]], Any]) -> Any:
        """Return what a question has of the run that is shown, asked on the thread that owns it."""
        view = self._view()
        if view is None:
            raise ValueError("there is no run yet")
        look = view.look
        return view.player.ask(lambda run: question(run, look)).result(timeout=WAIT_SECONDS)


def _write(what: str, path: Path, run: Run, look: dict[str, Any]) -> None:
    if path.suffix == ".py":
        run.to_script(path)
    elif what == "run":
        run.save(path)
    elif what == "replay":
        run.export_html(path)
    elif what == "curves":
        run.write_curves(path, look["over"])
    else:
        run.write_events(path)
