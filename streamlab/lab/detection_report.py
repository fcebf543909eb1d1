"""The table of how well drifts were noticed: the events of a run against the truth of its stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.measures import MEASURES, match_alarms, recovery_time

if TYPE_CHECKING:
    import pandas as pd

    from streamlab.lab.run import Run

__all__ = ["NOTICED", "detection_table"]

NOTICED = {"drift": "own detectors", "alternate_promoted": "promotions"}
"""Events of learners themselves that say "the concept has changed", and what the table calls their source."""
ERRORS = "errors"


def detection_table(run: Run, by: str, *, within: int | None, measure: str) -> pd.DataFrame:
    """As ``Run.detection``, which says what is in it."""
    import pandas as pd

    if by not in ("learner", "label", "node"):
        raise ValueError(f"by={by!r}: expected 'learner', 'label' or 'node'")
    drifts = [drift for drift in run.stream.drifts if drift.start < run.position]
    alarms = _alarms(run, by)
    recoveries = {name: _recovery(run, name, drifts, measure) for name in run.learner_runs} if by == "learner" else {}
    rows: list[dict[str, Any]] = []
    for (learner, key), positions in alarms.items():
        found = match_alarms(drifts, positions, run.position, within=within)
        second = "source" if by == "learner" else by
        rows.append({"learner": learner, second: key, **found.as_dict(), **recoveries.get(learner, {})})
    return pd.DataFrame(rows)


def _alarms(run: Run, by: str) -> dict[tuple[str, Hashable], list[int]]:
    """Positions of alarms by learner and source, label or node; those that were silent too, where they are known."""
    alarms: dict[tuple[str, Hashable], list[int]] = defaultdict(list)
    for name, learner_run in run.learner_runs.items():
        if by == "learner" and learner_run.watched:
            alarms[name, ERRORS] = []
        if by == "label" and learner_run.watched == "label":
            alarms.update({(name, label): [] for label in run.stream.schema.labels})
    for event in run.log:
        if event.learner not in run.learner_runs:
            continue
        if by == "label":
            if event.kind == "label alarm":
                alarms[event.learner, event.detail["label"]].append(event.position)
        elif by == "node":
            if event.kind in NOTICED and "node" in event.detail:
                alarms[event.learner, event.detail["node"]].append(event.position)
        elif event.kind == "alarm":
            alarms[event.learner, ERRORS].append(event.position)
        elif event.kind in NOTICED:
            alarms[event.learner, NOTICED[event.kind]].append(event.position)
    return dict(alarms)


def _recovery(run: Run, name: str, drifts: list, measure: str) -> dict[str, float]:
    """How often and how soon a learner's curve came back to its level before a drift."""
    history = run.learner_runs[name].history
    curve = history.curve(measure, "chunk")
    starts = sorted({drift.start for drift in drifts})
    times = np.array(
        [
            recovery_time(
                history.positions,
                curve,
                start,
                until=until,
                higher_is_better=MEASURES[measure].higher_is_better,
            )
            for start, until in pairwise([*starts, None])
        ]
    )
    back = times[np.isfinite(times)]
    return {"recovered": len(back), "recovery_time": float(back.mean()) if len(back) else np.nan}
