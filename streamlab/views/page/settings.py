"""What is drawn of a run: which measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel_material_ui as pmui

from streamlab.lab import Run
from streamlab.measures import MEASURES
from streamlab.views.page.notices import Explanation, Notice
from streamlab.views.timeline.level_curves import LEVEL_TITLES

__all__ = ["RunSettings", "drawable_measures"]

MOST_FIGURES = 4
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
        self.measures = pmui.MultiChoice(
            label="Measures drawn",
            options={MEASURES[m].title: m for m in drawable_measures(run)},
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
        self.note = Notice(severity="warning", visible=False, margin=(4, 18))

    def _explain(self, _event: Any) -> None:
        self.explanation.object = meaning(self.measures.value or ())

    @property
    def widgets(self) -> list[Any]:
        """All of them in order."""
        return [self.note, self.measures, self.explanation, self.level_measure]
