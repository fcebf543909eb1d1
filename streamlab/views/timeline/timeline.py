"""The timeline of a run: its curves with what happened on them, and the playhead, over one axis of rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import panel as pn
import param

from streamlab.lab.events import Event
from streamlab.lab.frame import CurveUpdate, Frame
from streamlab.lab.seeds import groups_of
from streamlab.learners.base.registry import EventKind
from streamlab.measures import MEASURES
from streamlab.views.kit.columns import Column, ColumnTable, pack
from streamlab.views.kit.component import CommandComponent, bundled, is_nothing, is_whole
from streamlab.views.kit.details import STYLE as DETAILS_STYLE
from streamlab.views.kit.text import MOST_MESSAGE, all_shown, shown
from streamlab.views.timeline.bands import OVER, Line, lines_of
from streamlab.views.timeline.event_rows import EventRows, events_html

POSITION = Column("position", "f8", "rows up to the point")
NOTE = """
:host{border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:6px 10px!important;font-size:13px}
*+h3{margin-top:8px}
"""


@dataclass(frozen=True)
class Known:
    """What the browser knows: which choice of curves, and how many points, events and drifts of which edition."""

    choice: int = -1
    points: int = 0
    edition: int = -1
    events: int = 0
    drifts: int = 0


NOTHING = Known()


def _is_choice(value: Any) -> bool:
    """Whether these are a measure and what it is averaged over."""
    are_names = isinstance(value, list) and len(value) == 2 and all(isinstance(each, str) for each in value)
    return are_names and value[0] in MEASURES and value[1] in OVER


def _is_mark(value: Any) -> bool:
    """Whether these are a learner's place, or -1, and two rows."""
    are_three = isinstance(value, list) and len(value) == 3
    return are_three and (value[0] == -1 or is_whole(value[0])) and all(map(is_whole, value[1:]))


class Timeline(CommandComponent):
    """Curves that grow, what happened on them, and a playhead that goes back in time.

    The page keeps what it was sent: a frame holds the points and events that the browser has not confirmed yet, so none
    is lost where frames replace each other, and none is sent twice. A learner with several seeds is one line, their
    mean, with a band from the least to the greatest.

    Parameters
    ----------
    learners
        By name the kinds of events that each reports, in the order that decides colours.
    measures
        Names of ``MEASURES``, a figure each, the first one large.
    over
        ``"chunk"``, ``"faded"`` or ``"cumulative"``.
    offered
        Names of the measures that people can choose for the large figure; default: those drawn.
    words
        What learners do, by name: it stands behind their names where it has room.
    on_command
        Called as ``on_command(name, value)`` on the document's thread: ``"drag"`` and ``"seek"`` (a row, while the
        playhead moves and when it rests), ``"curves"`` (a measure's name and over what), ``"fork"`` and ``"drift"``
        (the row where one is to begin), ``"name"`` (the place of a learner, or of a group of seeds, whose name was
        clicked; ``lines`` has its title) and ``"add"`` (another learner is wanted).
    """

    axis = param.List(
        default=[], item_type=(int, float),
        doc="Rows seen, from and to, px left and right of the curves, and the width of it all; set by the page.",
    )  # fmt: skip

    beside = param.Number(default=0, bounds=(0, 4000), doc="Px that the curves leave free at their right.")

    takes = ("axis",)

    commands: ClassVar = {
        "curves": _is_choice, "mark": _is_mark, "drag": is_whole, "seek": is_whole, "fork": is_whole, "drift": is_whole,
        "name": is_whole, "add": is_nothing,
    }  # fmt: skip

    _bundle = bundled("timeline")

    def __init__(
        self,
        learners: Mapping[str, Mapping[str, EventKind]],
        measures: Sequence[str],
        over: str = "chunk",
        *,
        offered: Sequence[str] = (),
        noun: str = "label",
        words: Mapping[str, str] = MappingProxyType({}),
        on_command: Callable[[str, Any], None] = lambda name, value: None,
        **params: Any,
    ) -> None:
        super().__init__(on_command, **params)
        self._learners = list(learners)
        self.offered = list(offered)
        self._words = words
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (0, 0, 8, 0)}
        self.note = pn.pane.HTML("", visible=False, stylesheets=[DETAILS_STYLE, NOTE], **wide)
        """What a mark that was clicked says: when, on what evidence, against what threshold."""
        self._offers = {"fork": "", "drift": ""}
        self.events = EventRows(learners, groups=groups_of(self._learners), noun=noun)
        """The events that it draws."""
        self._run: dict[str, Any] = {}
        self._figures_at = self._choice = 0
        # what the browser has confirmed, and what is on its way to it
        self._has = self._on_way = NOTHING
        self.choose(measures, over)

    def choose(self, measures: Sequence[str], over: str) -> None:
        """Draw other measures: empty figures; the next update is expected to hold all points."""
        self._measures, self._over = tuple(measures), over
        self._lines = lines_of({name: np.empty(0) for name in self._learners})
        # of each measure and line the mean, and of several seeds the least and the greatest too
        self._keys = [
            (measure, i, part)
            for measure in self._measures
            for i, line in enumerate(self._lines)
            for part in range(3 if line.is_group else 1)
        ]
        self._columns = [f"v{k}" for k in range(len(self._keys))]
        values = (Column(name, "f8", "a measure's value") for name in self._columns)
        self._table = ColumnTable("point", POSITION, *values)
        self._begin()

    def _begin(self) -> None:
        self._choice += 1
        self._ready = 0
        self._end_whole: list[list[float | None]] | None = None
        self._positions = np.empty(0)
        self._values = np.empty((len(self._keys), 0))

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines, by the places that commands have: ``group`` is a learner's name, or that of its seeds."""
        return tuple(self._lines)

    def show(
        self,
        frame: Frame,
        is_read: bool = True,
        levels: Mapping[str, tuple[int, float]] = MappingProxyType({}),
        *,
        headed: Collection[str] = (),
        losses: Sequence[Sequence[Any]] = (),
    ) -> None:
        """Draw this state.

        Parameters
        ----------
        frame
            The newest frame.
        is_read
            Whether the figures that people read change too, at this frame, as they do everywhere else on the page;
            else the playhead moves on and the curves wait.
        levels
            By learner, or group of seeds, the row of a drift and the first measure's level before it: a dotted line.
        headed
            Learners, or groups of seeds, whose value stands at their heads: their names here have none.
        losses
            The row of a drift, the place of a learner or group of seeds, the first measure's level before it, and
            what was lost in words, such as ``"lost 253 answers"``: the area between the level and the curve, up to
            where it is back or the next drift.
        """
        if frame.state == "playing":
            self.note.visible = False
        self._take(frame.curves, is_read)
        self.mark(frame.events)
        if is_read:
            self._figures_at = frame.position
        places = {line.group: i for i, line in enumerate(self._lines)}
        self._run = {
            "position": frame.position, "figures": self._figures_at, "whole": self._end_whole,
            "end": max(frame.end, frame.position), "rows": frame.n_rows,
            "state": frame.state,
            "levels": [[levels[name][0], i, levels[name][1]] for name, i in places.items() if name in levels],
            "losses": [[row, place, level, shown(text)] for row, place, level, text in losses],
            "headed": [i for name, i in places.items() if name in headed],
            "speed": frame.speed if frame.rate is None else frame.rate, "chunk": frame.chunk, **self._offers,
        }  # fmt: skip
        self.send()

    def _whole_ends(self, new: CurveUpdate) -> list[list[float | None]] | None:
        """Return by measure and line what the curves' ends say where their last point is of few rows, else None."""
        if not {(measure, name) for measure in self._measures for name in self._learners} <= set(new.end_whole):
            return None
        ends = [
            lines_of({name: np.array([new.end_whole[measure, name]]) for name in self._learners})
            for measure in self._measures
        ]
        values = [[float(line.band.middle[0]) for line in lines] for lines in ends]
        return [[value if np.isfinite(value) else None for value in each] for each in values]

    def offer(self, **sources: Any) -> None:
        """Offer at each row what these widgets say: a ``fork`` of that name, a ``drift`` of that kind."""
        for name, widget in sources.items():
            widget.param.watch(lambda event, name=name: self._offer(name, event.new), "value")
            self._offer(name, widget.value)

    def _offer(self, name: str, words: Any) -> None:
        self._offers[name] = shown(words or "")
        if self._run:
            self._run |= self._offers
            self.send()

    def _take(self, new: CurveUpdate, is_read: bool = True) -> None:
        """Append points, to be sent when they are read; after a reset all of them are new."""
        if not {(measure, name) for measure in self._measures for name in self._learners} <= set(new.values):
            return  # of a choice that has been changed since; the frame after it holds all
        if new.reset:
            self._begin()
        if new.reset or len(new.positions):
            lines = {
                measure: lines_of({name: new.values[measure, name] for name in self._learners})
                for measure in self._measures
            }
            points = np.array([lines[measure][i].band[part] for measure, i, part in self._keys], dtype=float)
            self._positions = np.concatenate([self._positions, new.positions])
            self._values = np.concatenate([self._values, points.reshape(len(self._keys), -1)], axis=1)
        if is_read:
            self._ready, self._end_whole = len(self._positions), self._whole_ends(new)

    def mark(self, events: Sequence[Event]) -> None:
        """Take in new events, in the order in which they were logged."""
        self.events.add(events)

    def send(self) -> None:
        """Send what is new, as soon as the browser has confirmed what it was sent before."""
        self._number += 1
        self._frame = self._frame or {}
        self._send_when_free()

    def _send_frame(self) -> None:
        self._frame = self._made()
        super()._send_frame()

    def _made(self) -> dict[str, Any]:
        """Return the frame: all that the browser has not confirmed."""
        has, events, ready = self._has, self.events, self._ready
        start = has.points if has.choice == self._choice else 0
        columns = {
            "position": self._positions[start:ready],
            **dict(zip(self._columns, self._values[:, start:ready], strict=True)),
        }
        spec, buffer = pack((self._table, columns))
        frame: dict[str, Any] = {
            "kind": "frame", "number": self._number, "choice": self._choice, "start": start, "run": self._run,
            # an empty binary message never arrives, and everything sent after it is misread
            "spec": spec, "buffer": buffer or b"\0",
        }  # fmt: skip
        if has.choice != self._choice:
            frame["head"] = self._head()
        since = has.events if has.edition == events.edition else 0
        if since < len(events.rows) or has.drifts < len(events.drifts) or has == NOTHING:
            frame["happened"] = {
                "start": since, "events": events.rows[since:], "drifts": events.drifts, "kinds": events.kinds,
                "left": events.left_out,
            }  # fmt: skip
        self._on_way = Known(self._choice, ready, events.edition, len(events.rows), len(events.drifts))
        return frame

    def _head(self) -> dict[str, Any]:
        offered = dict.fromkeys([*self._measures[:1], *self.offered, *self._measures])
        return {
            "learners": _styled(self._lines, self._words),
            "measures": [_described(measure) for measure in self._measures],
            "columns": self._columns,
            "parts": [[self._measures.index(measure), i, part] for measure, i, part in self._keys],
            "offered": [[name, MEASURES[name].title] for name in offered],
            "over": self._over,
            "overs": [[over, words.capitalize()] for over, words in OVER.items()],
        }

    def _tell(self, who: int, first: int, last: int) -> None:
        """Write into the note what the marks of a learner between two rows say."""
        names = [line.title for line in self._lines]
        self.note.object = events_html(self.events, names, who, first, last)
        self.note.visible = bool(self.note.object)

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") == "ready":
            self._has = NOTHING
        elif data.get("kind") == "received" and data.get("number") == self._sent:
            self._has = self._on_way
        super()._handle_msg(data)

    def _commanded(self, name: str, value: Any) -> None:
        if name == "mark":
            self._tell(*value)
        else:
            super()._commanded(name, value)


def _styled(lines: Sequence[Line], words: Mapping[str, str]) -> list[dict[str, str]]:
    named = zip(all_shown(line.title for line in lines), lines, strict=True)
    return [{"name": name, "colour": x.colour, "dash": x.dash, "words": words.get(x.group, "")} for name, x in named]


def _described(name: str) -> dict[str, Any]:
    measure = MEASURES[name]
    return {
        "name": name,
        "title": shown(measure.title),
        "range": [float(end) for end in measure.range],
        "better": measure.higher_is_better,
        "words": shown(measure.formula, MOST_MESSAGE),
    }
