"""The drift ruler: known drifts as bands, detections as ticks by learner, the delay written between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bokeh.models import ColumnDataSource, HoverTool

from streamlab.lab.events import LABEL_ALARM, RUN_EVENTS, Event
from streamlab.lab.seeds import groups_of
from streamlab.learners.base.events import EventKind
from streamlab.measures import DEFAULT_WITHIN
from streamlab.views.kit.text import shown
from streamlab.views.timeline.bands import styles_of
from streamlab.views.timeline.noticed import Noticed

__all__ = ["DriftRuler", "Kinds"]

DRIFT = "#D55E00"
SIZE, LABEL_SIZE = 11, 4
"""Of a detection's marker, and of the alarm of one label, which alone is no detection; px."""
Kinds = Mapping[str, Mapping[str, EventKind]]
"""By learner the kinds of events that it reports."""
# lanes from the bottom of the figure, as shares of its height
FIRST_LANE, LANE, MOST_HEIGHT = 0.05, 0.075, 0.45
MOST_TICKS = 600
MOST_TIP = 200
"""Characters of a message in a tooltip."""
# a delay is written behind its tick, and before the drift where the axis ends
ROOM_FOR_TEXT = 0.1
DELAY_COLUMNS = ("left", "right", "lane", "colour", "text", "at", "align", "offset")


class DriftRuler:
    """What every figure of a run draws along its bottom, over shared sources.

    Parameters
    ----------
    learners
        Their names: each has a lane, the first at the top; seeds of one learner share theirs.
    n_rows
        The stream's length, where the axis ends; None: it grows.
    within
        Instances after a drift is complete in which a tick is its detection; as in ``measures.match_alarms``.
    kinds
        By learner the kinds of events that it reports: its detections are ticks, with their marker and their title.
    """

    def __init__(
        self,
        learners: Sequence[str],
        n_rows: int | None = None,
        within: int = DEFAULT_WITHIN,
        kinds: Kinds | None = None,
    ) -> None:
        self._kinds = {name: {**(kinds or {}).get(name, {}), **RUN_EVENTS} for name in learners}
        self._group = {name: group for group, members in groups_of(learners).items() for name in members}
        groups = list(dict.fromkeys(self._group.values()))
        step = min(LANE, MOST_HEIGHT / max(1, len(groups)))
        lanes = [FIRST_LANE + step * (len(groups) - 1 - j) for j in range(len(groups))]
        self._lane = {name: lanes[groups.index(group)] for name, group in self._group.items()}
        self._colour = {name: colour for name, (colour, _) in styles_of(learners).items()}
        self._noticed = Noticed(within)
        self._turn = None if n_rows is None else (1 - ROOM_FOR_TEXT) * n_rows
        self.bands = ColumnDataSource({"left": [], "right": []})
        self.ticks = ColumnDataSource(
            {name: [] for name in ("position", "lane", "colour", "shape", "size", "learner", "what", "message")}
        )
        self.delays = ColumnDataSource({name: [] for name in DELAY_COLUMNS})

    def add(self, events: Sequence[Event]) -> None:
        """Take in new events, in the order in which they were logged."""
        bands = [e for e in events if e.kind == "drift" and not e.learner and e.detail.get("width", 1) > 1]
        if bands:
            self._stream(
                self.bands,
                {
                    "left": [e.position for e in bands],
                    "right": [e.position + e.detail["width"] for e in bands],
                },
            )
        ticks, delays = [], []
        for event in events:
            if event.kind == "drift" and not event.learner:
                self._noticed.begin(event.position, event.detail.get("width", 1))
            elif self._is_tick(event):
                ticks.append(event)
                delay = self._delay(event)
                if delay is not None:
                    delays.append((event, delay))
        if ticks:
            self._stream(
                self.ticks,
                {
                    "position": [e.position for e in ticks],
                    "lane": [self._lane[e.learner] for e in ticks],
                    "colour": [self._colour[e.learner] for e in ticks],
                    "shape": [self._kind(e).shape for e in ticks],
                    "size": [LABEL_SIZE if e.kind == LABEL_ALARM else SIZE for e in ticks],
                    "learner": [shown(e.learner) for e in ticks],
                    "what": [shown(self._kind(e).title) for e in ticks],
                    "message": [shown(e.message, MOST_TIP) for e in ticks],
                },
            )
        if delays:
            ends = [self._turn is not None and e.position > self._turn for e, _ in delays]
            self._stream(
                self.delays,
                {
                    "left": [e.position - delay for e, delay in delays],
                    "right": [e.position for e, _ in delays],
                    "lane": [self._lane[e.learner] for e, _ in delays],
                    "colour": [self._colour[e.learner] for e, _ in delays],
                    "text": [f"+{delay:,}" for _, delay in delays],
                    "at": [
                        e.position - delay if end else e.position for (e, delay), end in zip(delays, ends, strict=True)
                    ],
                    "align": ["right" if end else "left" for end in ends],
                    "offset": [-6 if end else 8 for end in ends],
                },
            )

    def _kind(self, event: Event) -> EventKind:
        return self._kinds[event.learner][event.kind]

    def _is_tick(self, event: Event) -> bool:
        """Whether it is a learner's own detection, or an alarm of the run."""
        kind = self._kinds.get(event.learner, {}).get(event.kind)
        return kind is not None and (kind.is_detection or event.kind in RUN_EVENTS)

    def _delay(self, event: Event) -> int | None:
        """Instances since the drift that this event detects; None if it detects none, or one that was detected.

        Of several seeds the first that detects it counts.
        """
        group = self._group[event.learner]
        return self._noticed.delay(group, event.position) if self._kind(event).is_detection else None

    @staticmethod
    def _stream(source: ColumnDataSource, columns: dict[str, Any]) -> None:
        source.stream(columns, rollover=MOST_TICKS)

    def draw(self, fig) -> None:
        """Draw the ruler into a figure whose extra range ``share`` goes from 0 at the bottom to 1 at the top."""
        on = {"y_range_name": "share"}
        fig.quad(left="left", right="right", bottom=0, top=1, source=self.bands, color=DRIFT, alpha=0.13, line_width=0,
                 level="underlay", **on)  # fmt: skip
        fig.segment(x0="left", x1="right", y0="lane", y1="lane", source=self.delays, color="colour", line_width=2, **on)
        fig.text(x="at", y="lane", text="text", source=self.delays, text_color="colour", text_font_size="11px",
                 text_baseline="middle", text_align="align", x_offset="offset", **on)  # fmt: skip
        marks = fig.scatter("position", "lane", source=self.ticks, marker="shape", size="size", color="colour",
                            line_color="colour", **on)  # fmt: skip
        fig.add_tools(
            HoverTool(
                renderers=[marks],
                tooltips="<div style='max-width:340px'><b>@learner</b>: @what at row @position{0,0}<br>@message</div>",
                description="what the ticks are",
            )
        )
