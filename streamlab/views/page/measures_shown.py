"""What is shown of a run's measures: the choice of those that are drawn, and the table of each learner's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel_material_ui as pmui
import psutil

from streamlab.lab import Run
from streamlab.lab.events import Event
from streamlab.lab.frame import Frame
from streamlab.measures import MEASURES
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.kit.text import MOST_MESSAGE, all_shown, shown
from streamlab.views.page.window import Explanation, Notice
from streamlab.views.timeline.bands import styles_of
from streamlab.views.timeline.side_curves import LEVEL_TITLES
from streamlab.views.timeline.timeline import Timeline

MOST_FIGURES = 4
IN_A_NEW_RUN = "in a new run: this one does not count it"
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (4, 18)}


def meaning(measures: Sequence[str]) -> str:
    """Return what these measures are, in words: a line each."""
    return "\n".join(f"{MEASURES[name].title}: {MEASURES[name].formula}" for name in measures)


def drawable_measures(run: Run) -> list[str]:
    """Return the names of the measures that have a curve in this run, in the order of ``MEASURES``."""
    nested = run.stream.schema.hierarchy is not None
    kept = {count for each in run.learner_runs.values() for count in each.tracker.kept}
    drawable = [name for name, measure in MEASURES.items() if measure.has_curve and kept.issuperset(measure.counts)]
    return [name for name in drawable if nested or not MEASURES[name].needs_hierarchy]


def measures_not_counted(run: Run) -> list[str]:
    """Return the names of the measures that were added after the run began and need what it does not count."""
    drawable = drawable_measures(run)
    added = [name for name, measure in MEASURES.items() if measure.has_curve and not MEASURES.registry.package(name)]
    return [name for name in added if name not in drawable]


class RunSettings:
    """The widgets of a run's settings, for a sidebar or a section of the view.

    Parameters
    ----------
    run
        The run.
    measures
        What is drawn at first.
    """

    def __init__(self, run: Run, measures: Sequence[str]) -> None:
        nested = run.stream.schema.hierarchy is not None
        self._run, self._edition = run, MEASURES.registry.edition
        self.measures = pmui.MultiChoice(
            label="Measures drawn",
            **_offered(run),
            value=list(measures),
            max_items=MOST_FIGURES,
            **WIDE,
        )
        # below it, not in its label: that is the control's name
        self.explanation = Explanation(meaning(measures), variant="caption", margin=(0, 18, 12, 18))
        self.measures.param.watch(self._explain, "value")
        self.level_measure = pmui.Select(
            label="Curve of each level",
            options={title: key for key, title in LEVEL_TITLES.items()},
            value=next(iter(LEVEL_TITLES)),
            visible=nested,
            **WIDE,
        )
        self.note = Notice(
            severity="warning", visible=False, closeable=True, sizing_mode="stretch_width", margin=(0, 0, 6, 0)
        )

    def offer_new(self, timeline: Timeline) -> None:
        """Offer the measures that there are now, if some were added or taken away in this process since."""
        if self._edition == MEASURES.registry.edition:
            return
        self._edition = MEASURES.registry.edition
        timeline.offered = drawable_measures(self._run)
        drawn = [name for name in self.measures.value or () if name in MEASURES]
        self.measures.param.update(value=drawn or timeline.offered[:1], **_offered(self._run))
        # also where the same are drawn: the timeline offers others
        self.measures.param.trigger("value")

    def _explain(self, _event: Any) -> None:
        self.explanation.object = meaning(self.measures.value or ())

    @property
    def widgets(self) -> list[Any]:
        """All of them in order."""
        return [self.measures, self.explanation, self.level_measure]


def _offered(run: Run) -> dict[str, Any]:
    """Return the options of the choice, and those that are grey."""
    later = {f"{MEASURES[name].title} ({IN_A_NEW_RUN})": name for name in measures_not_counted(run)}
    return {
        "options": {MEASURES[name].title: name for name in drawable_measures(run)} | later,
        "disabled_options": list(later.values()),
    }


MOST_EVENTS = 300


FOOT = (
    "Measures over all {:,} rows so far (0/0 counts as 0); cards and curves show those of a window. "
    "This page's server uses {:,.0f} MB."
)


class StatusTable(FrameComponent):
    """Table of the learners, the latest instance's labels, and the events; new events are sent once."""

    _bundle = bundled("status_table")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._events: list[Event] = []
        self._unsent = 0

    def add(self, events: Sequence[Event]) -> None:
        """Take in new events: they are drawn with the next state."""
        self._events = [*self._events, *events][-MOST_EVENTS:]
        self._unsent = min(self._unsent + len(events), len(self._events))

    def show(self, frame: Frame, measures: Sequence[str]) -> None:
        """Draw this state.

        Parameters
        ----------
        frame
            The newest frame; its events have been added.
        measures
            Columns of the table: names of ``MEASURES``.
        """
        styles = styles_of(frame.learners)
        learners = [
            {
                "name": shown_name,
                "colour": styles[name][0],
                "line": {"dotdash": "dashed", "dashdot": "dashed"}.get(styles[name][1], styles[name][1]),
                "values": [numbers["values"].get(m) for m in measures],
                "rate": numbers["instances_per_second"],
                "bytes": numbers["bytes"],
                "predicted": _named(frame.last.get("predicted", {}).get(name)),
            }
            for shown_name, (name, numbers) in zip(all_shown(frame.learners), frame.learners.items(), strict=True)
        ]
        self._show(
            {
                "measures": [f"{MEASURES[m].title}, all rows" for m in measures],
                "learners": learners,
                "truth": _named(frame.last.get("truth")),
                "foot": FOOT.format(frame.position, psutil.Process().memory_info().rss / 1e6),
                "events": [],
                "restarted": False,
            }
        )

    def _send_frame(self) -> None:
        """Put into the frame the events that the browser does not have: the confirmed ones are not sent again."""
        events = self._events[len(self._events) - self._unsent :] if self._unsent else []
        frame = self._frame
        assert frame is not None, "a frame is kept before it is sent"
        frame["events"] = [
            [e.position, shown(e.learner), shown(e.kind), shown(e.message, MOST_MESSAGE)] for e in events
        ]
        self._unsent = 0
        super()._send_frame()
        frame["restarted"] = False

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") == "ready" and self._frame is not None:
            # a page that renders again starts its log from nothing
            self._unsent = len(self._events)
            self._frame["restarted"] = True
        super()._handle_msg(data)


def _named(labels: Sequence[str] | None) -> list[str] | None:
    """Return labels as they are displayed; None stays None."""
    return None if labels is None else [shown(label) for label in labels]
