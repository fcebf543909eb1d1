"""A choice of files that are brought to the server piece by piece, with what has arrived shown as they come."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from streamlab.views.hosting.limits import LIMITS, path_for
from streamlab.views.kit.component import FrameComponent, bundled, is_whole
from streamlab.views.kit.text import MOST_MESSAGE, shown

MOST_FILES = 20
UNCLEAR = "the browser sent an upload that cannot be understood"


class UploadInput(FrameComponent):
    """A button for files, which can be dropped anywhere on the page, too; each piece goes to the disk as it arrives.

    All files together may have as many bytes as the server allows, also from a browser that does not keep to it.
    Panel's FileDropper holds a file in memory until the last piece is there.

    ``folder`` returns a new folder for each upload, ``arrived`` gets the paths when all files are there, ``refused`` a
    sentence.
    """

    _bundle = bundled("upload")

    def __init__(
        self,
        folder: Callable[[], Path],
        arrived: Callable[[list[Path]], None],
        refused: Callable[[str], None],
        accept: str = "",
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._new_folder, self._arrived, self._on_refused, self._accept = folder, arrived, refused, accept
        self._upload = 0
        self._state = "idle"
        self._busy: tuple[str, float | None] = ("", None)
        self._folder: Path | None = None
        self._paths: list[Path] = []
        self._left: list[int] = []
        self._file: BinaryIO | None = None
        self._received = 0
        self.param.watch(lambda _: self._draw(), "dark")
        self._draw()

    def busy(self, what: str, share: float | None = None) -> None:
        """Say what is being done with the files that arrived, and how much of it is done, 0 to 1; "": nothing."""
        now = (what, None if share is None else round(share, 2))
        if now != self._busy:
            self._busy = now
            self._draw()

    def stop(self) -> None:
        """Forget an upload that is under way."""
        self._close()
        if self._folder is not None and self._state != "done":
            shutil.rmtree(self._folder, ignore_errors=True)
        self._state, self._folder, self._paths, self._left, self._received = "idle", None, [], [], 0

    def _draw(self) -> None:
        what, share = self._busy
        self._show(
            {
                "dark": self.dark, "accept": self._accept,
                "upload": self._upload, "state": self._state,
                "received": self._received, "busy": shown(what, MOST_MESSAGE), "share": share,
            }
        )  # fmt: skip

    def _handle_msg(self, data: Any) -> None:
        kind = data.get("kind") if isinstance(data, dict) else None
        if kind == "files":
            self._begin(data.get("upload"), data.get("files"))
        elif kind == "piece":
            self._take(data.get("upload"), data.get("data"))
        elif kind == "cancel":
            self.stop()
            self._draw()
        elif kind in ("ready", "received"):
            super()._handle_msg(data)
        else:
            self._refuse(UNCLEAR)

    def _begin(self, number: Any, files: Any) -> None:
        self.stop()
        if not is_whole(number) or not _are_files(files):
            self._refuse(UNCLEAR)
            return
        self._upload = number
        if sum(size for _, size in files) > LIMITS.upload_bytes:
            self._refuse(f"the upload is larger than {LIMITS.upload_megabytes:,} MB, which this server allows")
            return
        try:
            self._folder = self._new_folder()
            self._paths = [path_for(self._folder, name) for name, _ in files]
            self._left = [size for _, size in files]
            self._state = "going"
            self._open()
        except OSError as error:
            self._refuse(f"the upload cannot be kept: {error.strerror}")
            return
        self._go_on()

    def _take(self, number: Any, data: Any) -> None:
        if self._state != "going" or number != self._upload:
            return  # pieces of an upload that was refused or stopped are still on their way
        if not isinstance(data, (bytes, bytearray, memoryview)) or not 0 < len(data) <= self._left[0]:
            self._refuse(UNCLEAR)
            return
        assert self._file is not None, "the upload is going on"
        try:
            self._file.write(data)
            self._received += len(data)
            self._left[0] -= len(data)
            if not self._left[0]:
                self._open()
        except OSError as error:
            self._refuse(f"the upload cannot be kept: {error.strerror}")
            return
        self._go_on()

    def _open(self) -> None:
        """Open the next file that has bytes to come."""
        if self._file is not None:
            self._close()
            self._left.pop(0)
        while self._left:
            path = self._paths[len(self._paths) - len(self._left)]
            # a name that comes twice, as endings are in small letters, is refused
            self._file = path.open("xb")
            if self._left[0]:
                return
            self._close()
            self._left.pop(0)

    def _go_on(self) -> None:
        paths = self._paths
        if not self._left:
            self._state = "done"
        self._draw()
        if self._state == "done":
            self._arrived(paths)

    def _close(self) -> None:
        if self._file is not None:
            # a full disk may show when the last bytes leave the buffer
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _refuse(self, message: str) -> None:
        self.stop()
        self._state = "refused"
        self._draw()
        self._on_refused(message)


def _are_files(files: Any) -> bool:
    """Whether these are names and sizes of some files."""
    return (
        isinstance(files, (list, tuple))
        and 0 < len(files) <= MOST_FILES
        and all(isinstance(each, (list, tuple)) and len(each) == 2 for each in files)
        and all(isinstance(name, str) and is_whole(size) for name, size in files)
    )
