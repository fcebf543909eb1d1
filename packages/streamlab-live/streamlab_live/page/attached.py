"""The page that looks at a service: the same run, learned along from the journal, in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
from streamlab.lab import Run
from streamlab.streams import load
from streamlab.views.hosting.limits import LIMITS, SEATS
from streamlab.views.kit.text import shown
from streamlab.views.page.pages import FullPage, LoadedPage, run_window
from streamlab.views.page.window import WIDE

from streamlab_live.service.definition import read_definition
from streamlab_live.service.service import FOLDER, newest_run

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


class AttachedPage(LoadedPage):
    """The page of a service.

    Parameters
    ----------
    folder
        The service's.
    """

    refusal = "The service cannot be seen"

    def __init__(self, folder: Path, **params: Any) -> None:
        super().__init__(**params)
        self._folder = folder
        self._lay_out(pmui.Typography(ABOUT, margin=(14, 20, 0, 20), **WIDE), "Opening the newest snapshot …")
        main = pn.Column(self.note, self._main, **WIDE)
        self.page = run_window(self, f"streamlab · {shown(folder.name, 60)}", [main], self._sections)
        self._begin()

    def _made(self) -> Callable[[], None]:
        stream = load(self._folder / "journal", follow=True)
        run = newest_run(self._folder, stream, lambda line: None, snapshots=LIMITS.snapshot_bytes)
        if run is None:
            raise ValueError(f"{self._folder / FOLDER}: the service has not saved a snapshot yet; reload later")
        return lambda: self._play(run)

    def _play(self, run: Run) -> None:
        self._show(run, over="faded", rate=None).player.play()


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
