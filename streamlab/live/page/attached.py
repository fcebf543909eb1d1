"""The page that looks at a service: the same run, learned along from the journal, in a process of its own."""

from __future__ import annotations

import threading
import traceback
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab._checks import with_type
from streamlab.lab import Run
from streamlab.live.service.definition import read_definition
from streamlab.live.service.snapshots import FOLDER, newest_run
from streamlab.streams import load
from streamlab.views.hosting.limits import LIMITS, SEATS, full_message
from streamlab.views.kit.text import shown
from streamlab.views.page.header import Projector, header_bar
from streamlab.views.page.keep import Keep
from streamlab.views.page.pages import FullPage
from streamlab.views.page.run_view import RunView
from streamlab.views.page.served import ServedPage
from streamlab.views.page.window import WIDE, Notice, PageNotice, drawer, make_window

ABOUT = (
    "This page learns along with a service, from the rows that the service writes down: what you see here is what the "
    "service knows. Go back, fork, tune: the service does not notice."
)


def folder_of(file: str | Path) -> Path:
    """Return the folder of a service: of its TOML file, or the folder itself.

    Raises
    ------
    ValueError
        If the file is wrong, or the service has not kept anything yet.
    """
    path = Path(file)
    folder = path if path.is_dir() else read_definition(path).folder
    if not (folder / "journal").is_dir():
        raise ValueError(f"{folder}: there is no journal of a service; expected the folder of a service that has begun")
    return folder


class AttachedPage(ServedPage):
    """The page of a service.

    Parameters
    ----------
    folder
        The service's.
    """

    def __init__(self, folder: Path, **params: Any) -> None:
        super().__init__(**params)
        self._folder = folder
        self.view: RunView | None = None
        self.note = PageNotice()
        self.projector = Projector(lambda on: None, dark=self.dark)
        self.keep = Keep(lambda: self.view, lambda line: self.note.say(line))
        self._settings = pn.Column(sizing_mode="stretch_width")
        self._waits = pmui.Typography("Opening the newest snapshot …", margin=(30, 20, 0, 20))
        self._about = pmui.Typography(ABOUT, margin=(14, 20, 0, 20), **WIDE)
        bar = pmui.LinearProgress(sizing_mode="stretch_width", margin=20)
        self._main = pn.Column(self._about, self._waits, bar, **WIDE)
        sections = drawer(("What is drawn", self._settings), ("Keep this run", self.keep.pane), active=[0])
        main = pn.Column(self.note, self._main, **WIDE)
        self.page = make_window(
            f"streamlab · {shown(folder.name, 60)}", [main], lambda line: self.note.say(line, "warning"),
            dark=self.dark, header=[header_bar(buttons=[self.keep.save, self.projector])], sidebar=[sections],
        )  # fmt: skip
        self.page.param.watch(self._toggled, "dark_theme")
        if self._browser.is_served:
            threading.Thread(target=self._load, name="streamlab attached", daemon=True).start()
        else:
            self._load()

    def _load(self) -> None:
        """Open the run; not on the document's thread."""
        try:
            if self._browser.is_served and not SEATS.take(self, LIMITS.pages):
                raise ValueError(full_message())
            stream = load(self._folder / "journal", follow=True)
            run = newest_run(self._folder, stream, lambda line: None, snapshots=LIMITS.snapshot_bytes)
            if run is None:
                raise ValueError(f"{self._folder / FOLDER}: the service has not saved a snapshot yet; reload later")
        except (ValueError, OSError) as error:
            message = str(error)
            self._soon(lambda: self._refuse(message))
        except Exception as error:
            traceback.print_exc()
            unexpected = with_type(error)
            self._soon(lambda: self._refuse(unexpected))
        else:
            self._soon(lambda: self._show(run))

    def _refuse(self, message: str) -> None:
        self._main[:] = [Notice(title="The service cannot be seen", object=message, severity="error", margin=20)]

    def _show(self, run: Run) -> None:
        self._about.margin = 0
        self.view = RunView(run, page=True, dark=self.dark, over="faded", rate=None, more=[self._about])
        self.view.transport.param.watch(self._followed, "dark")
        self.keep.begin(run)
        self._settings[:] = self.view.settings
        self._main[:] = [self.view]
        self.view.player.play()

    def close(self) -> None:
        """Free the run and its thread; may be called more than once."""
        super().close()
        if self.view is not None:
            self.view.close()
        SEATS.leave(self)


def serve_attached(file: str | Path, *, port: int, address: str, show: bool, allow_origin: list[str] | None) -> None:
    """Serve pages of a service until the process is told to end.

    Raises
    ------
    ValueError
        If there is no service.
    """
    from streamlab.views.hosting.serving import serve_pages

    folder = folder_of(file)

    def page() -> Any:
        made = FullPage() if SEATS.full(LIMITS.pages) else AttachedPage(folder)
        return made.served()

    title = f"streamlab · {shown(folder.name, 60)}"
    serve_pages({"service": page}, title, port=port, address=address, show=show, allow_origin=allow_origin)
