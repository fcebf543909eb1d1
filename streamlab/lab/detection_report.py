"""The table of how well drifts were detected: the events of a run against the truth of its stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.lab.events import ALARM, LABEL_ALARM, RUN_EVENTS, Event
from streamlab.lab.learner_run import LearnerRun
from streamlab.measures import MEASURES, match_alarms, recovery_time
from streamlab.streams import Drift, Stream

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["detection_table"]


def detection_table(
    stream: Stream,
    learner_runs: Mapping[str, LearnerRun],
    events: Iterable[Event],
    position: int,
    *,
    by: str,
    within: int | None,
    measure: str,
) -> pd.DataFrame:
    """Return the table of ``Run.detection``, which says what is in it, after ``position`` instances."""
    import pandas as pd

    if by not in ("learner", "label", "node"):
        raise ValueError(f"by={by!r}: expected 'learner', 'label' or 'node'")
    drifts = [drift for drift in stream.drifts if drift.start < position]
    alarms = _alarms(stream.schema.labels, learner_runs, events, by)
    recoveries = {name: _recovery(each, drifts, measure) for name, each in learner_runs.items() if by == "learner"}
    rows: list[dict[str, Any]] = []
    for (learner, key), positions in alarms.items():
        found = match_alarms(drifts, positions, position, within=within)
        second = "source" if by == "learner" else by
        rows.append({"learner": learner, second: key, **found.as_dict(), **recoveries.get(learner, {})})
    return pd.DataFrame(rows)


def _alarms(
    labels: Sequence[str], learner_runs: Mapping[str, LearnerRun], events: Iterable[Event], by: str
) -> dict[tuple[str, Hashable], list[int]]:
    """Positions of alarms by learner and source, label or node; those that were silent too, where they are known."""
    alarms: dict[tuple[str, Hashable], list[int]] = defaultdict(list)
    for name, learner_run in learner_runs.items():
        if by == "learner" and learner_run.watched:
            alarms[name, RUN_EVENTS[ALARM].source] = []
        if by == "label" and learner_run.watched == "label":
            alarms.update({(name, label): [] for label in labels})
    kinds = {name: {**each.learner.events, **RUN_EVENTS} for name, each in learner_runs.items()}
    for event in events:
        if event.learner not in kinds:
            continue
        kind = kinds[event.learner].get(event.kind)
        if by == "label":
            if event.kind == LABEL_ALARM:
                alarms[event.learner, event.detail["label"]].append(event.position)
        elif kind is None or not kind.is_detection:
            continue
        elif by == "learner":
            alarms[event.learner, kind.source].append(event.position)
        elif "node" in event.detail:
            alarms[event.learner, event.detail["node"]].append(event.position)
    return dict(alarms)


def _recovery(learner_run: LearnerRun, drifts: Sequence[Drift], measure: str) -> dict[str, float]:
    """How often and how soon a learner's curve came back to its level before a drift."""
    history = learner_run.history
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
            for start, until in zip_longest(starts, starts[1:])
        ]
    )
    back = times[np.isfinite(times)]
    return {"recovered": len(back), "recovery_time": float(back.mean()) if len(back) else np.nan}
