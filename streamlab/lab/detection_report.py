"""The table of how well drifts were detected: the events of a run against the truth of its stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._checks import checked_choice, is_count
from streamlab.lab.events import ALARM, LABEL_ALARM, RUN_EVENTS, Event
from streamlab.lab.learner_run import LearnerRun
from streamlab.measures import MEASURES, harm_of, match_alarms
from streamlab.streams import Drift, Stream

if TYPE_CHECKING:
    import pandas as pd


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

    checked_choice("by", by, ("learner", "label", "node"))
    drifts = [drift for drift in stream.drifts if drift.start < position]
    alarms = _alarms(stream.schema.labels, learner_runs, events, by)
    harms = {name: _harm(each, drifts, measure) for name, each in learner_runs.items() if by == "learner"}
    rows: list[dict[str, Any]] = []
    for (learner, key), positions in alarms.items():
        found = match_alarms(
            drifts, [at for at, _ in positions], position, within=within, since=[since for _, since in positions]
        )
        second = "source" if by == "learner" else by
        rows.append({"learner": learner, second: key, **found.as_dict(), **harms.get(learner, {})})
    # who lost least stands first; a learner's own rows stay together, and equal ones in the order of the run
    order = list(learner_runs)
    if by == "learner":
        rows.sort(key=lambda row: (row["lost"], order.index(row["learner"])))
    return pd.DataFrame(rows)


def verdict(table: pd.DataFrame, measure: str) -> str:
    """Return a sentence about a table of ``Run.detection("learner")``: which learners lost, lost least, and recovered.

    It is empty before the first drift.
    """
    if table.empty or "lost" not in table or not table["drifts"].any():
        return ""
    rows = list(table.drop_duplicates("learner").itertuples())
    title = MEASURES[measure].title
    harmed = [row for row in rows if row.harmed]
    spared = [row.learner for row in rows if not row.harmed]
    if not harmed:
        return f"No learner's {title} has fallen by more than its usual variation so far."
    best, worst = harmed[0], harmed[-1]
    if len(harmed) == 1:
        text = f"{best.learner} lost {best.lost:,.0f} (its {title} below its level before, summed over rows)"
    else:
        text = (
            f"Of those affected {best.learner} lost least, {best.lost:,.0f} ({title} below its level before, summed "
            f"over rows), and {worst.learner} most, {worst.lost:,.0f}"
        )
    back = f"; it was back after {best.recovery_time:,.0f} rows" if best.recovered == best.harmed == 1 else ""
    if best.recovered == 0:
        back = "; it is not back at its level yet"
    elif not back:
        back = f"; it came back after {best.recovered} of {best.harmed} drifts"
    if len(harmed) > 1:
        back = back.replace("; it", f"; {best.learner}")
    also = f". Not affected: {', '.join(spared)}" if spared else ""
    return f"{text}{back}{also}."


def _alarms(
    labels: Sequence[str], learner_runs: Mapping[str, LearnerRun], events: Iterable[Event], by: str
) -> dict[tuple[str, Hashable], list[tuple[int, int | None]]]:
    """Alarms by learner and source, label or node; those that were silent too, where they are known.

    Of each its position, and where its evidence begins, if that is known.
    """
    alarms: dict[tuple[str, Hashable], list[tuple[int, int | None]]] = defaultdict(list)
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
        alarm = event.position, evidence_of(event)
        if by == "label":
            if event.kind == LABEL_ALARM and event.detail.get("label") in labels:
                alarms[event.learner, event.detail["label"]].append(alarm)
        elif kind is None or not kind.is_detection:
            continue
        elif event.detail.get("rising") is False:
            # an error that fell is a learner that learns; the source is listed all the same
            if by == "learner":
                alarms.setdefault((event.learner, kind.source), [])
        elif by == "learner":
            alarms[event.learner, kind.source].append(alarm)
        elif "node" in event.detail and isinstance(event.detail["node"], Hashable):
            alarms[event.learner, event.detail["node"]].append(alarm)
    return dict(alarms)


def evidence_of(event: Event) -> int | None:
    """Return the row where the evidence of an alarm begins; None where the event does not say it."""
    since = event.detail.get("since")
    return since if is_count(since) else None


def _harm(learner_run: LearnerRun, drifts: Sequence[Drift], measure: str) -> dict[str, float]:
    """How many drifts harmed a learner, what it lost, and how often and how soon it recovered its level."""
    history = learner_run.history
    curve = history.curve(measure, "chunk")
    starts = sorted({drift.start for drift in drifts})
    higher = MEASURES[measure].higher_is_better
    harms = [
        harm_of(history.positions, curve, start, until=until, higher_is_better=higher)
        for start, until in zip_longest(starts, starts[1:])
    ]
    times = np.array([harm.recovery_time for harm in harms if harm.is_harmed])
    back = times[np.isfinite(times)]
    return {
        "harmed": len(times),
        "lost": float(sum(harm.lost for harm in harms)),
        "recovered": len(back),
        "recovery_time": float(back.mean()) if len(back) else np.nan,
    }
