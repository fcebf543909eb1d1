"""A live stream on the page: a form that makes its address, and a line with its status."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import panel as pn
import panel_material_ui as pmui
from streamlab._checks import counted
from streamlab.streams import Stream, load
from streamlab.views.hosting.limits import LIMITS
from streamlab.views.kit.text import MOST_MESSAGE, shown
from streamlab.views.page.page_part import PagePart
from streamlab.views.page.served import Polling, guard
from streamlab.views.page.window import Explanation, Notice, Part

from streamlab_live.addresses import SOURCES, parse_address

__all__ = ["LiveForm"]

HINT = (
    "Rows that come as time goes by. Columns are learnt from the first messages. Passwords are never typed here: the "
    "server's environment holds them."
)
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (6, 18)}
LOOK_SECONDS = 1.0
TAIL_BYTES = 8192
"""Of the file of refused messages, for the last one of them."""


@dataclass(frozen=True)
class LiveAddress:
    """The address of a live stream that somebody gave in the form.

    Parameters
    ----------
    text
        As ``load`` takes it.
    """

    text: str

    def open(self, cancel: Callable[[], object]) -> Stream:
        """Return the stream; ``cancel`` stops waiting for the first messages.

        Raises
        ------
        ValueError, ConnectionError, ImportError, OSError
            As ``load``.
        """
        return load(self.text, cancel=cancel)


class LiveFields(Part):
    """The fields that make the address of a live stream; ``begin`` is called with it."""

    def __init__(self, begin: Callable[[LiveAddress], None]) -> None:
        super().__init__()
        self._begin = begin
        kinds: dict[str, str] = {}
        for scheme, made in SOURCES.items():
            if made.title:
                kinds.setdefault(made.title, scheme)  # redis: stands for rediss:, too
        self.kind = pmui.Select(label="Source", options=kinds, value="tail", **WIDE)
        label, example = SOURCES.load("tail").where
        self.where = pmui.TextInput(label=label, placeholder=example, **WIDE)
        self.labels = pmui.TextInput(label="Label columns", placeholder="slow,lost", **WIDE)
        self.apart = pmui.Checkbox(label="Labels come later, from elsewhere", **WIDE)
        self.label_topic = pmui.TextInput(label="Where the labels come from", placeholder="labels", **WIDE)
        self.key = pmui.TextInput(label="Column that joins labels to rows", placeholder="id", **WIDE)
        self.within = pmui.TextInput(label="Seconds to wait for labels", placeholder="60", **WIDE)
        self.more = pmui.TextInput(label="Further options", placeholder="time=at&nominal=colour", **WIDE)
        self.journal = pmui.TextInput(
            label="Folder that keeps the rows", placeholder="none: deleted at the end", **WIDE
        )
        self.button = pmui.Button(
            label="Listen", color="primary", variant="outlined", margin=(8, 18), sizing_mode="stretch_width"
        )
        self.note = Notice(severity="error", visible=False, margin=(6, 18))
        self.python = Explanation("", variant="caption", visible=False, margin=(0, 18))
        self._labels_apart = pn.Column(
            self.label_topic, self.key, self.within, visible=False, sizing_mode="stretch_width"
        )
        self.apart.param.watch(lambda event: self._labels_apart.param.update(visible=event.new), "value")
        self.kind.param.watch(self._kind_chosen, "value")
        self.button.on_click(lambda _: self._clicked())
        content = (
            self.kind, self.where, self.labels, self.apart, self._labels_apart, self.more, self.journal, self.button,
            self.note, self.python,
        )  # fmt: skip
        self._layout = pmui.Accordion(
            ("A live stream", pn.Column(
                pmui.Typography(HINT, variant="caption", margin=(0, 18)), *content, sizing_mode="stretch_width"
            )),
            title_variant="subtitle1", sizing_mode="stretch_width", margin=(6, 8, 0, 8),
        )  # fmt: skip

    def _kind_chosen(self, event: Any) -> None:
        label, example = SOURCES.load(event.new).where
        self.where.param.update(label=label, placeholder=example)

    def address(self) -> LiveAddress:
        """Return the address that the fields make.

        Raises
        ------
        ValueError
            If one that is needed is empty, or they make no address; what was typed as a credential is not repeated.
        """
        kind, where = str(self.kind.value), _typed(self.where)
        source = SOURCES.load(kind)
        if not where:
            raise ValueError(f"{source.where[0]}: expected one such as {source.where[1]}")
        labels = [part.strip() for part in _typed(self.labels).split(",") if part.strip()]
        # columns may be said to be labels by further options: classes=, tags=
        options = {"labels": ",".join(quote(each, safe="") for each in labels)} if labels else {}
        if self.apart.value:
            topic, key = _typed(self.label_topic), _typed(self.key)
            if not topic or not key:
                raise ValueError("labels from elsewhere: expected where they come from, and the column that joins them")
            options |= {"label_topic": quote(topic, safe="/"), "key": quote(key, safe="")}
            if _typed(self.within):
                options["within_seconds"] = quote(_typed(self.within), safe="")
        if _typed(self.journal):
            options["journal"] = quote(_typed(self.journal), safe="/")
        options["own_process"] = "yes"
        further = _typed(self.more).strip("&")
        query = "&".join([f"{name}={value}" for name, value in options.items()] + ([further] if further else []))
        place = quote(where, safe="/\\:,[]~ .-_@") if source.of_files else f"//{where}"
        text = f"{kind}:{place}?{query}"
        parse_address(text)
        return LiveAddress(text)

    def _clicked(self) -> None:
        try:
            address = self.address()
            # load would wait half a minute for it to come, and so would who mistyped it
            # os.path takes names of any length, of other users' homes and below folders that may not be entered
            source = SOURCES.load(self.kind.value)
            if source.of_files and not os.path.exists(os.path.expanduser(_typed(self.where))):
                raise ValueError(f"{source.where[0]}: {_typed(self.where)} is not there")
        except ValueError as error:
            self.note.say(shown(str(error), MOST_MESSAGE))
            return
        self.note.say("")
        self.python.param.update(object=f"sl.load({shown(repr(address.text), MOST_MESSAGE)})", visible=True)
        self.button.param.update(label="Waiting for the first messages …", disabled=True)
        self._begin(address)

    def refuse(self, message: str) -> None:
        """Say why a stream cannot be opened."""
        self._layout.active = [0]
        self.note.say(shown(message, MOST_MESSAGE))

    def settle(self) -> None:
        """Nothing is waited for."""
        self.button.param.update(label="Listen", disabled=False)


class LiveForm(PagePart):
    """The form, and how the stream on the screen stands if it is a live one.

    Parameters
    ----------
    begin
        Called with the address that is to be opened.
    later
        Called with a function for the document's thread.
    opened
        Called when a live stream is on the screen.

    Attributes
    ----------
    standing
        For the top of a run: a line that is there while a live stream is on the screen.
    """

    @classmethod
    def of(cls, monitor: Any) -> LiveForm:
        """Return the form of a page."""
        made = cls(monitor.begin_with, monitor._later, monitor._make_room)
        guard(made.standing, monitor._say)
        return made

    def __init__(
        self,
        begin: Callable[[LiveAddress], None],
        later: Callable[[Callable[[], None]], None],
        opened: Callable[[], None],
    ) -> None:
        self._begin, self._later, self._opened = begin, later, opened
        self._stream: Any = None
        self._address: Any = None
        self._looked_at, self._bad, self._last_refused = 0.0, 0, ""
        self._polling = Polling(self._look, nullcontext())
        self.standing = Explanation("", variant="body2", visible=False, margin=(10, 20, 0, 20))
        self.above = [self.standing]

    @cached_property
    def fields(self) -> LiveFields:
        """The form, made when the drawer opens."""
        return LiveFields(self._begin)

    @property
    def sidebar(self) -> list[Any]:
        """What stands in a page's drawer: the form, where the server offers it."""
        return [self.fields] if LIMITS.live else []

    def started(self, source: Any, stream: Any) -> None:
        """A run is on the screen now; one on a live stream is told of from now on."""
        self._settle()
        if self._stream is not None and self._stream is not stream:
            self._stream.close()
        self._stream = stream if isinstance(source, LiveAddress) else None
        self._address = source
        self._looked_at, self._bad, self._last_refused = 0.0, 0, ""
        self.standing.visible = self._stream is not None
        if self._stream is not None:
            self._look()
            self._polling.start()
            self._opened()

    def open(self, source: Any, cancelled: Callable[[], bool]) -> Any:
        """Return the stream of an address: one that is open there, to run on it from its beginning, or another.

        The port or the lock of the journal of one that is open are this page's own.
        """
        if not isinstance(source, LiveAddress):
            return None
        stream = self._stream
        if stream is None or source != self._address or stream.status().failed or stream.journal.first_row:
            return source.open(cancelled)
        return stream

    def refused(self, source: Any, message: str) -> bool:
        """Say in the form why a stream cannot be opened; return whether it is one of it."""
        self._settle()
        if not isinstance(source, LiveAddress):
            return False
        self.fields.refuse(message)
        return True

    def _settle(self) -> None:
        if "fields" in vars(self):
            self.fields.settle()

    def _look(self) -> None:
        stream = self._stream
        if stream is None or time.monotonic() - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = time.monotonic()
        status = stream.status()
        bad = sum(status.bad.values())
        if bad != self._bad:
            self._bad, self._last_refused = bad, _last_refused(stream.journal.folder)
        text = status_line(status, self._last_refused)
        if text != self.standing.object:
            self._later(lambda: self._show_status(text))

    def _show_status(self, text: str) -> None:
        self.standing.object = text

    def forget(self) -> None:
        """Another page takes the stream over."""
        self._stream = None

    def close(self) -> None:
        """Close the stream that is on the screen; may be called more than once."""
        self._polling.end()
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def status_line(status: Any, last_refused: str = "") -> str:
    """Return how a live stream stands, in a line: source, rows, what waits, what was refused, and what is wrong."""
    parts = [f"Live from {shown(status.source, 200)}: {counted(status.rows, 'row')}, {status.rate:,.0f} a second"]
    if status.lag:
        parts.append(f"{status.lag:,} {'bytes' if status.source.startswith('tail') else 'messages'} wait at the source")
    if status.waiting:
        parts.append(f"{counted(status.waiting, 'row')} {'waits' if status.waiting == 1 else 'wait'} to be learned")
    if status.unlabelled:
        parts.append(f"{status.unlabelled:,} never got labels")
    if bad := sum(status.bad.values()):
        parts.append(f"{bad:,} refused, set aside{f' (the last {last_refused})' if last_refused else ''}")
    if status.ended:
        parts.append("it has ended")
    elif status.trouble:
        parts.append(shown(status.trouble, 200))
    return " · ".join(parts)


def _last_refused(journal: Path) -> str:
    """Return partition, offset and reason of the message that was refused last; "" where that cannot be read."""
    from streamlab_live.record import LETTERS

    files = [path for folder in (journal, journal / "rows", journal / "labels") if (path := folder / LETTERS).is_file()]
    try:
        newest = max(files, key=lambda path: path.stat().st_mtime)
        with newest.open("rb") as file:
            file.seek(max(0, newest.stat().st_size - TAIL_BYTES))
            line = file.read().rstrip(b"\n").rpartition(b"\n")[2]
        entry = json.loads(line)
        return shown(f"at {entry['partition']} {entry['offset']}: {entry['reason']}", 160)
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _typed(field: Any) -> str:
    return str(field.value or "").strip()
