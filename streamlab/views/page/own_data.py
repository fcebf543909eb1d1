"""A stream of one's own: drop a file, look at its first rows, say what its columns are, start."""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import panel as pn
import panel_material_ui as pmui

from streamlab.streams import READERS
from streamlab.streams.limits import LoadCancelled, hear_reading
from streamlab.streams.readers.arff import guess_arff
from streamlab.streams.tables.csv_source import Layout
from streamlab.streams.tables.guess import Guess, guess_table
from streamlab.streams.tables.kinds import LABELS, ROLES, ColumnGuess, why_of
from streamlab.streams.tables.opening import is_libsvm
from streamlab.views.hosting.limits import LIMITS, LOADING, new_folder
from streamlab.views.kit.component import CommandComponent, bundled, is_nothing, is_whole
from streamlab.views.kit.text import MOST_MESSAGE, shown
from streamlab.views.page.upload import UploadInput

HINT = (
    "A table (CSV, TSV, Parquet, JSON lines): its columns are shown, and you say which are labels. Or ARFF (for MULAN "
    "with its XML), LibSVM, or a run that was saved (.slab), which is done again from its first row; choose the file "
    "of its rows with it, if it was on one."
)
SAVED = ".slab"
BESIDE = (".gz", ".xml", SAVED)
"""Endings that are taken beside those of readers: compressed files, labels of ARFF files, saved runs."""
TITLES = {
    "feature": "feature",
    "label": "label (yes or no)",
    "class": "class (a label each)",
    "tags": "tags (labels)",
    "path": "path (labels in a hierarchy)",
    "vector": "vector of 0 and 1 (labels)",
    "text": "text (its words)",
    "time": "time",
    "title": "title (the row's name)",
    "ignore": "left out",
}
LOOKING, READING = "Looking at the first rows …", "Reading the file …"
FIRST_COLUMNS, LAST_COLUMNS = 200, 50
"""Columns that are shown of a wide table: labels stand first or last."""
ENCODINGS = (
    *("utf-8", "cp1252", "iso8859-15", "cp1250", "cp1251", "utf-16", "utf-16-le", "utf-16-be"),
    *("shift_jis", "gb18030"),
)
LAYOUTS: dict[str, tuple[Any, ...]] = {
    "separator": (",", ";", "\t", "|", " "),
    "decimal": (".", ","),
    "encoding": ENCODINGS,
    "header": (True, False),
}
"""Options of a file's format that a user can choose."""


def _is_role(value: Any) -> bool:
    """Whether these are a column's position and a role."""
    return isinstance(value, (list, tuple)) and len(value) == 2 and is_whole(value[0]) and value[1] in tuple(ROLES)


def _is_layout(value: Any) -> bool:
    """Whether these are one of ``LAYOUTS`` and a value that it may have."""
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not isinstance(value[0], str):
        return False
    return any(type(value[1]) is type(each) and value[1] == each for each in LAYOUTS.get(value[0], ()))


class Conversation(CommandComponent):
    """The dialog: it draws what it is told, and says what the user chose.

    Parameters
    ----------
    on_command
        Called as ``on_command(name, value)``: ``"role"`` with a column's position and its role, ``"layout"`` with one
        of ``LAYOUTS`` and its value, ``"start"`` and ``"close"`` with None.
    """

    commands: ClassVar = {"role": _is_role, "layout": _is_layout, "start": is_nothing, "close": is_nothing}

    _bundle = bundled("own_data")

    def __init__(self, on_command: Callable[[str, Any], None], **params: Any) -> None:
        super().__init__(on_command, **{"height": 0, "margin": 0, **params})

    def show(self, header: dict[str, Any]) -> None:
        """Draw this state."""
        self._show(header)


class OwnData:
    """The files that people bring to a page, and what they say of them.

    Parameters
    ----------
    say
        Called with a sentence when an upload is refused.
    begin
        Called with the path of a file that is to be loaded.
    background
        Called with a function that takes its time.
    later
        Called from there with a function for the document's thread.
    opened
        Called when the conversation opens.

    Attributes
    ----------
    upload
        The choice of a file, which takes what is dropped anywhere on the page: it stands where the page always has it.
    section
        For a drawer: what is taken, and the way back to the columns of the last file. It hears of a dropped file.
    dialog
        The conversation; it takes no room until it opens.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        begin: Callable[[Path], None],
        background: Callable[[Callable[[], None]], None],
        later: Callable[[Callable[[], None]], None],
        opened: Callable[[], None],
    ) -> None:
        self._say, self._begin, self._background, self._later = say, begin, background, later
        self._opened = opened
        self._folder: Path | None = None
        self._options: dict[Path, dict[str, Any]] = {}
        self._guess: Guess | None = None
        self._layout: dict[str, Any] = {}
        self._n_files = 0
        self._cancel = threading.Event()
        self._open = False
        self._busy = self._error = ""
        self._share = 0.0
        self._path: Path | None = None
        accepted = dict.fromkeys([*(each for _, reader in READERS.items() for each in reader.endings), *BESIDE])
        self.upload = UploadInput(self._room, self._uploaded, say, ",".join(accepted))
        self.again = pmui.Button(
            label="Choose the columns again",
            variant="outlined",
            visible=False,
            sizing_mode="stretch_width",
            margin=(6, 18),
        )
        self.again.on_click(lambda _: self._reopen())
        hint = pmui.Typography(f"{HINT} At most {LIMITS.upload_megabytes:,} MB.", variant="caption", margin=(0, 18))
        self.section = pmui.Accordion(
            ("A stream of your own", pn.Column(hint, self.again, sizing_mode="stretch_width")),
            title_variant="subtitle1",
            sizing_mode="stretch_width",
            margin=(6, 8, 0, 8),
        )
        self.dialog = Conversation(self._commanded)

    def options(self, source: Any) -> dict[str, Any]:
        """Return the options of ``load`` for a source: what was said of its columns; of a saved run its ``rows``."""
        return dict(self._options.get(source, {})) if isinstance(source, Path) else {}

    def give_folder(self) -> Path | None:
        """Give the folder of uploads away: the new owner removes it."""
        folder, self._folder = self._folder, None
        return folder

    def take_folder(self, folder: Path | None) -> None:
        """Keep the uploads of a page that this one takes the place of."""
        self._folder = folder if self._folder is None else self._folder

    @property
    def folder(self) -> Path | None:
        """Where the uploads of this page are; None before the first."""
        return self._folder

    def without_places(self, message: str) -> str:
        """Return a message without the folders of uploads: people know a file by its name."""
        if self._folder is None:
            return message
        return re.sub(rf"{re.escape(str(self._folder))}[/\\\\]+(?:tmp\w+[/\\\\]+)?", "", message)

    def reading(self, source: Any) -> AbstractContextManager[None]:
        """Show how much of a source has been read by what this thread does in this context."""
        return hear_reading(self._heard) if source == self._path else nullcontext()

    def _heard(self, path: Path, done: int, size: int) -> None:
        share = done / max(size, 1)
        # a look at the first block begins from the start again; some steps are enough for the eye
        if path == self._path and share >= self._share + 0.02:
            self._share = share
            self._later(lambda: self._progress(share))

    def _progress(self, share: float) -> None:
        if self._busy:
            self._busy_with(self._busy, share)
            if self._guess is not None and self._open:
                self._draw()

    def _busy_with(self, what: str, share: float | None = None) -> None:
        """Say in the conversation and at the upload what is being done, and how much of it; "": nothing."""
        if what != self._busy or share is None:
            self._share = 0.0
        self._busy = what
        self.upload.busy(what, share)

    def started(self, source: Any) -> None:
        """A stream is on the screen: the conversation about it is over, and can be taken up again."""
        if source == self._path:
            self._busy_with("")
            self._open = False
            self.again.visible = self._guess is not None
            self._draw()
        elif self._busy == READING:
            # another stream was chosen while the file was read
            self._busy_with("")
            self._draw()

    def refused(self, source: Any, message: str) -> bool:
        """Say in the conversation why a file was refused; return whether there is one about it."""
        if source != self._path or self._path is None:
            return False
        self._busy_with("")
        if self._guess is None and self._is(".arff") and "which attributes are labels" in message:
            self._look(lambda: guess_arff(self._path or "", limits=LOADING, cancel=self._cancel.is_set))
            return True
        if self._guess is None or not self._open:
            return False
        self._error = message
        self._draw()
        return True

    def close(self) -> None:
        """Stop reading the file that is looked at."""
        self._cancel.set()
        self.upload.stop()

    # ------------------------------------------------------------------ files

    def _room(self) -> Path:
        """Return a folder for an upload: the stream on the screen may still be read from a file of the same name."""
        # where what arrives is counted
        self.section.active = [0]
        if self._folder is None:
            self._folder = new_folder()
        return Path(tempfile.mkdtemp(dir=self._folder))

    def _uploaded(self, paths: list[Path]) -> None:
        data = [path for path in paths if path.suffix != ".xml"]
        # a saved run comes before the file of its rows
        data.sort(key=lambda path: path.suffix != SAVED)
        if not data:
            self._say("the upload holds no data file, only XML; choose both together")
            return
        self._say("")
        self._cancel.set()
        self._cancel = threading.Event()
        self._path, self._guess, self._layout = data[0], None, {}
        self._error = ""
        self._busy_with("")
        self._n_files += 1
        if self._is(".csv", ".tsv", ".tab", ".txt", ".parquet", ".jsonl", ".ndjson"):
            self._look(self._guessed)
            return
        # whatever it is called: MULAN's yeast-train.arff has its labels in yeast.xml
        described = [path for path in paths if path.suffix == ".xml"]
        self._options[data[0]] = {"labels": described[0]} if len(described) == 1 else {}
        if self._is(SAVED):
            self._options[data[0]] = {"rows": data[1]} if data[1:] else {}
        self._read(data[0])

    def _is(self, *endings: str) -> bool:
        name = self._path.name.removesuffix(".gz") if self._path else ""
        return name.endswith(endings)

    def _guessed(self) -> Guess | None:
        path, cancel = self._path, self._cancel.is_set
        assert path is not None, "a file was uploaded"
        if self._is(".txt") and not self._layout and is_libsvm(path, LOADING, cancel):
            return None
        return guess_table(path, **self._layout, limits=LOADING, cancel=cancel)

    def _look(self, made: Callable[[], Guess | None]) -> None:
        """Guess in the background and show the result; None: load the file without a guess."""
        path, cancel = self._path, self._cancel
        self._busy_with(LOOKING)
        if self._guess is not None:
            self._draw()

        def look() -> None:
            guess, message = None, ""
            try:
                with hear_reading(self._heard):
                    guess = made()
            except LoadCancelled:
                return
            except (ValueError, OSError, ImportError) as error:
                message = str(error).replace(f"{path}", path.name if path else "")
            self._later(lambda: None if cancel.is_set() else self._looked(guess, message))

        self._background(look)

    def _looked(self, guess: Guess | None, message: str) -> None:
        self._busy_with("")
        if guess is not None:
            self._guess, self._error, self._open = guess, message, True
            self._opened()
        elif self._guess is not None:
            # another separator or encoding that does not fit: the rows as they were stay
            self._error, self._open = message, True
            self._layout = _layout_of(self._guess.layout) if self._guess.layout else {}
            self._n_files += 1
        elif message:
            self._say(message)
            return
        elif self._path is not None:
            self._read(self._path)
            return
        self._draw()

    def _read(self, path: Path) -> None:
        self._busy_with(READING)
        self._begin(path)

    # ------------------------------------------------------------------ the conversation

    def _commanded(self, name: str, value: Any) -> None:
        guess = self._guess
        if guess is None or (self._busy and name != "close"):
            return
        if name == "close":
            self._open = False
            self.again.visible = True
        elif name == "role":
            at, role = value
            if at >= len(guess.columns) or role not in guess.columns[at].roles:
                return
            self._guess, self._error = guess.with_roles({guess.columns[at].name: role}), ""
        elif name == "layout" and guess.layout is not None:
            each, chosen = value
            self._layout = {**_layout_of(guess.layout), each: chosen}
            if each in ("separator", "encoding"):
                # what follows from it is guessed again
                self._layout = {key: self._layout[key] for key in ("separator", "encoding")}
            self._error = ""
            self._look(self._guessed)
            return
        elif name == "start" and guess.is_ready and self._path is not None:
            self._options[self._path] = guess.options()
            self._error = ""
            self._busy_with(READING)
            self._draw()
            self._begin(self._path)
            return
        self._draw()

    def _reopen(self) -> None:
        self._open, self._error = True, ""
        self._opened()
        self._draw()

    def _draw(self) -> None:
        guess = self._guess
        if guess is None:
            return
        shown_columns = _positions(len(guess.columns))
        columns = [
            [j, shown(c.name), c.role, shown(c.holds, 120), list(c.roles), _why(c)]
            for j, c in ((j, guess.columns[j]) for j in shown_columns)
        ]
        n_hidden = len(guess.columns) - len(shown_columns)
        labels = [c for c in guess.columns if c.role in LABELS]
        self.dialog.show(
            {
                "open": self._open,
                # what the page learns of the theme while it is being put together does not reach a part without a frame
                "dark": self.dialog.dark,
                "busy": self._busy,
                "share": round(self._share, 2) or None,
                "error": shown(self._error, MOST_MESSAGE),
                "name": shown(guess.path.name),
                "number_of_file": self._n_files,
                "layout": _layout_of(guess.layout) if guess.layout else None,
                "columns": columns,
                "titles": {role: [TITLES[role], why] for role, why in ROLES.items()},
                "rows": [[shown(row[j]) for j in shown_columns] for row in guess.preview],
                "more": f"{n_hidden:,} columns in the middle are not shown; name them in Python." if n_hidden else "",
                "questions": [[shown(each.text, MOST_MESSAGE), each.stops] for each in guess.questions],
                "python": shown(guess.python(), MOST_MESSAGE) if labels else "",
                "ready": guess.is_ready,
                "waits": "“Start with these” waits for an answer above." if not guess.is_ready else "",
            }
        )


def _why(column: ColumnGuess) -> str:
    """Return why a column has its role; "" for a feature that nobody named: the table's heading says why those are."""
    return "" if column.role == "feature" and not column.why else shown(why_of(column), 120)


def _positions(n_columns: int) -> list[int]:
    if n_columns <= FIRST_COLUMNS + LAST_COLUMNS:
        return list(range(n_columns))
    return [*range(FIRST_COLUMNS), *range(n_columns - LAST_COLUMNS, n_columns)]


def _layout_of(layout: Layout) -> dict[str, Any]:
    plain = replace(layout, unsure=())
    return {name: getattr(plain, name) for name in LAYOUTS}
