"""The components that draw in the browser: how frames reach it, what every picture has in common, what is refused."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import param
from bokeh.embed.bundle import extension_dirs
from panel.custom import JSComponent
from panel.io.state import set_curdoc, state

from streamlab.views.kit.columns import ColumnTable, pack
from streamlab.views.kit.picture import Drawn
from streamlab.views.kit.text import all_shown, shown, shown_within

__all__ = ["PictureView", "with_kit"]

logger = logging.getLogger("streamlab")

DIST = Path(__file__).parents[1] / "dist"
# the server serves the files of this folder, and no others, at static/extensions/streamlab
extension_dirs["streamlab"] = DIST

MOST_WHOLE = 2**53
"""A browser's numbers are whole and exact up to here."""


class Refusals:
    """Counts what one component refused, and logs the 1st, the 10th, the 100th …: a flood does not fill the log."""

    def __init__(self) -> None:
        self.count = 0

    def report(self, what: str, value: Any) -> bool:
        """Take one refusal; return whether it was worth a line.

        Parameters
        ----------
        what
            What was refused, in words.
        value
            What came; it is shown in one short line.
        """
        self.count += 1
        if str(self.count).strip("0") != "1":
            return False
        times = f" ({self.count:,} times by now)" if self.count > 1 else ""
        logger.warning("the browser sent what the page does not: %s: %s%s", what, shown(repr(value), 120), times)
        return True


def is_whole(value: Any, most: int = MOST_WHOLE) -> bool:
    """Whether a value that a browser sent is a whole number from 0 to ``most``."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def is_sound(parameter: Any, value: Any) -> bool:
    """Whether a parameter of ``param`` takes a value that a browser sent."""
    if isinstance(value, int) and abs(value) > MOST_WHOLE:
        return False
    try:
        parameter._validate(value)
    except (ValueError, TypeError):
        return False
    return True


ANSWER_TIMEOUT_S = 2.0
"""Seconds after which an unconfirmed frame counts as lost (the page closed or the connection broke)."""


def bundled(name: str) -> Path:
    """Return the file of a part of the page, one ES module that needs no other, which ``npm run build`` made.

    As a component's ``_bundle`` it is a file of the server that the browser loads, and keeps, by its address. As text
    in ``_esm`` it would come with every session, and the browser would compile it each time.

    Parameters
    ----------
    name
        A picture (``"forest"``, ``"tree"``, ``"ensemble"``, ``"hierarchy"``, ``"labels"``, ``"projection"``: it exports
        ``render``, which Panel calls, with its ``View``, which works without Panel), ``"transport"``, or ``"kit"`` (see
        :func:`with_kit`).
    """
    return DIST / f"{name}.js"


@cache
def javascript(name: str) -> str:
    """Return the text of a part of the page (see :func:`bundled`)."""
    return bundled(name).read_text(encoding="utf-8")


@cache
def _version(path: Path) -> str:
    """Return what changes when a file does: a browser keeps the file of an address with a version for years."""
    return sha256(path.read_bytes()).hexdigest()[:16]


def with_kit(module: str) -> str:
    """Return an ES module with the kit in front of it: all that a picture of another package needs, and no Node.

    Parameters
    ----------
    module
        An ES module. It finds all that ``kit/js/index.js`` exports in the constant ``kit``: a class that extends
        ``kit.CanvasView``, and ``export const render = kit.renderPicture(TheClass)``.
    """
    return f"{javascript('kit')}\n{module}"


class FrameComponent(JSComponent):
    """A component to which whole pictures are sent as binary messages, the newest only.

    A frame is sent when the browser has confirmed the one before; frames that come in the meantime replace each other.
    So a slow connection shows fewer frames, never old ones. The last frame is kept for pages that render late or
    reconnect.
    """

    dark = param.Boolean(default=False, doc="Colours for a dark surface.")

    takes: ClassVar[Collection[str] | None] = ()
    """Parameters that the browser may set; None: all."""

    __abstract = True

    def __init__(self, **params: Any) -> None:
        params.setdefault("sizing_mode", "stretch_width")
        super().__init__(**params)
        self._frame: dict[str, Any] | None = None
        self._number = 0
        self._sent = 0
        self._waiting = False
        self._sent_at = 0.0
        self._refusals = Refusals()
        self.rendered = False
        """Whether a browser has drawn it."""

    @classmethod
    def _render_esm(cls, compiled: Any = True, server: bool = False) -> str:
        """Return what Panel tells the browser: its file's address with the version of its content, or its text."""
        esm = super()._render_esm(compiled, server)
        path = cls._bundle_path if server else None
        return esm if path is None or "\n" in esm else f"{esm}?v={_version(path)}"

    def _show(self, header: Mapping[str, Any], *parts: tuple[ColumnTable, Mapping[str, Any]]) -> None:
        """Keep the frame and send it, or let it wait for the browser."""
        spec, buffer = pack(*parts)
        # an empty binary message never arrives, and everything sent after it is misread
        buffer = buffer or b"\0"
        self._number += 1
        self._frame = {"kind": "frame", "number": self._number, **shown_within(header), "spec": spec, "buffer": buffer}
        self._send_when_free()

    def _send_when_free(self) -> None:
        """Send the frame unless the browser still has to confirm the one before: then it follows."""
        if self._models and not self.is_behind:
            self._send_frame()

    @property
    def is_behind(self) -> bool:
        """Whether the browser has still to confirm a frame."""
        return bool(self._models) and self._waiting and time.monotonic() - self._sent_at < ANSWER_TIMEOUT_S

    @property
    def packed(self) -> dict[str, Any] | None:
        """The last frame as it travels: the header, ``spec`` and ``buffer``; None before the first."""
        return self._frame

    @property
    def set_in_browser(self) -> dict[str, Any]:
        """The parameters that the browser knows, by name: those of the picture, without those of every component."""
        mine = [name for name in self.param if name not in JSComponent.param and self._rename.get(name, name)]
        return {name: getattr(self, name) for name in mine}

    def _send_frame(self) -> None:
        self._waiting, self._sent, self._sent_at = True, self._number, time.monotonic()
        self._send_msg(self._frame)

    def _answer(self, make: Callable[[], dict[str, Any]]) -> None:
        """Send the browser what ``make`` returns; on a page it is made in a thread of its own, which nobody waits for.

        Where it raises the browser, which waits for an answer, gets ``"refused"`` and why. Called while a message of
        the browser is handled.
        """

        def made() -> dict[str, Any]:
            try:
                return make()
            except Exception as error:  # a stream or a learner of another package may raise anything
                return {"kind": "refused", "text": shown(str(error) or "The run is busy; try again.", 300)}

        doc = state.curdoc
        if doc is None or doc.session_context is None:
            self._send_msg(made())
            return

        def later() -> None:
            message = made()
            if doc.session_context is not None:  # the page was not left meanwhile
                doc.add_next_tick_callback(lambda: self._send_msg(message))

        threading.Thread(target=later, name="streamlab answer", daemon=True).start()

    def _process_bokeh_event(self, doc: Any, event: Any) -> None:
        """Take an event without Panel's record of who is busy, which costs 0.8 ms for each of thirty a second."""
        with set_curdoc(doc):
            data = getattr(event, "data", None)
            if isinstance(data, dict) or data is None:
                self._process_event(event)
            else:
                self._refusals.report("a message", data)

    def _process_events(self, events: dict[str, Any]) -> None:
        """Take what the browser may set, as far as the parameters take it."""
        takes = self.param if self.takes is None else self.takes
        sound = {name: value for name, value in events.items() if name in takes}
        for name, value in events.items():
            if name not in sound or not is_sound(self.param[name], value):
                self._refusals.report(f"{type(self).__name__}, {shown(name)}", value)
                sound.pop(name, None)
        if sound:
            super()._process_events(sound)

    def _handle_msg(self, data: Any) -> None:
        """What the browser says: that it is there, or that it received the frame of a number."""
        self.rendered = True
        if self._frame is None:
            if data.get("kind") == "ready":
                # else the browser would say it again and again
                self._send_msg({"kind": "heard"})
            return
        if data.get("kind") == "received" and data.get("number") == self._sent:
            self._waiting = False
            if self._sent != self._number:
                self._send_frame()
        elif data.get("kind") == "ready":
            self._send_frame()


def is_nothing(value: Any) -> bool:
    """Whether a command came without a value."""
    return value is None


class CommandComponent(FrameComponent):
    """A component whose controls send commands; any that they do not send is refused.

    ``on_command`` is called as ``on_command(name, value)`` on the document's thread.
    """

    commands: ClassVar[Mapping[str, Callable[[Any], bool]]]
    """By name the commands that its JavaScript sends, and whether it sends one with such a value."""

    __abstract = True

    def __init__(self, on_command: Callable[[str, Any], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_command = on_command

    def _handle_msg(self, data: Any) -> None:
        name, value = data.get("name"), data.get("value")
        if data.get("kind") != "command":
            super()._handle_msg(data)
        elif isinstance(name, str) and name in self.commands and self.commands[name](value):
            self._commanded(name, value)
        else:
            self._refusals.report("a command", data)

    def _commanded(self, name: str, value: Any) -> None:
        self._on_command(name, value)


class PictureView(FrameComponent):
    """The component of a picture: what the page sets and asks of each, whatever it draws.

    A subclass names its JavaScript (``_esm``), its ``table`` and further ``parts``. :meth:`show` sends their columns,
    and the other extras as they are; a picture that places its rows in Python overrides it.

    Call :meth:`show` from the Bokeh document's thread.
    """

    labels = param.List(default=[], item_type=str, doc="Label names, by index, for the descriptions.")

    selected = param.Integer(default=None, allow_None=True, doc="id of the selected row, or None; set by the user.")

    empty_text = param.String(default="Nothing yet: press play", doc="Shown while there is nothing to draw.")

    picture_height = param.Integer(default=440, bounds=(200, None), doc="Height of the picture, px; less where narrow.")

    takes = None

    table: ClassVar[ColumnTable]
    """The columns of a row of this picture."""

    parts: ClassVar[Mapping[str, ColumnTable]] = {}
    """Further tables that travel, by the name that ``drawn.extra`` has their columns by."""

    __abstract = True

    def __init__(self, **params: Any) -> None:
        super().__init__(**{**params, "labels": all_shown(params.get("labels", ()))})

    @property
    def selection(self) -> Any:
        """What the picture's ``columns`` are to be made for: the selected id, or None."""
        return self.selected

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state.

        Parameters
        ----------
        drawn
            What the picture's ``columns`` made of the learner. It is copied.
        playing
            Whether more will come soon.

        Raises
        ------
        ValueError
            If a column is missing or columns differ in length.
        """
        self.table.check(drawn.columns)
        for name, table in self.parts.items():
            table.check(drawn.extra[name], what=f"extra: {name}")
        more = [(table, drawn.extra[name]) for name, table in self.parts.items()]
        plain = {name: value for name, value in drawn.extra.items() if name not in self.parts}
        self._show({**self._header(drawn, playing), **plain}, (self.table, drawn.columns), *more)

    @staticmethod
    def _header(drawn: Drawn, playing: bool) -> dict[str, Any]:
        """What every frame says beside its columns."""
        return {"subject": shown(drawn.subject), "now": int(drawn.now), "playing": bool(playing)}
