"""The table of how well drifts were detected: the events of a run against the truth of its stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._checks import checked_choice, is_count
from streamlab.lab.events import ALARM, DETECTION, LABEL_ALARM, RUN_EVENTS, Event
from streamlab.lab.learner_run import LearnerRun
from streamlab.lab.lockstep import Lockstep
from streamlab.lab.verdict import verdict_of
from streamlab.learners.base.registry import EventKind
from streamlab.measures import MEASURES, match_alarms
from streamlab.measures.detection import drifts_behind
from streamlab.streams import Drift

if TYPE_CHECKING:
    import pandas as pd


def detection_table(
    lockstep: Lockstep, by: str, *, within: int | None, measure: str, since: int, twin: Any
) -> pd.DataFrame:
    """Return the table of ``Run.detection``, which says what is in it; ``twin`` may be None."""
    import pandas as pd

    checked_choice("by", by, ("learner", "label", "node"))
    course, learner_runs = lockstep.course, lockstep.learners.runs
    stream, position = course.stream, course.position
    twins = {} if twin is None else twin.learner_runs
    drifts = [drift for drift in stream.drifts if since <= drift.start < position]
    before = max((drift.start for drift in stream.drifts if drift.start < since), default=None)
    started = sorted({drift.start for drift in stream.drifts if drift.start < position})
    alarms = _alarms(lockstep, by)
    own = drifts if twin is None else [drift for drift in drifts if drift not in twin.stream.drifts]
    recoveries = {
        name: {
            **_recovery(each, drifts, before, measure, course.chunk),
            **({} if twin is None else {"behind": _behind(each, twins.get(name), own, measure, course.chunk)}),
        }
        for name, each in learner_runs.items()
        if by == "learner"
    }
    rows: list[dict[str, Any]] = []
    for (learner, key), positions in alarms.items():
        # an alarm whose evidence reaches back to a drift before these is of that one
        seen = [(at, evidence) for at, evidence in positions if at >= since and _row_of(started, at, evidence) >= since]
        found = match_alarms(
            drifts, [at for at, _ in seen], position, within=within, since=[evidence for _, evidence in seen]
        )
        second = "source" if by == "learner" else by
        rows.append({"learner": learner, second: key, **found.as_dict(), **recoveries.get(learner, {})})
    # who does best after the drifts stands first; equal ones, and a learner's own rows, are in the order of the run
    order = list(learner_runs)
    if by == "learner":
        rows.sort(key=lambda row: (row.pop("place"), order.index(row["learner"])))
    return pd.DataFrame(rows)


def _alarms(lockstep: Lockstep, by: str) -> dict[tuple[str, Hashable], list[tuple[int, int | None]]]:
    """Alarms by learner and source, label or node; those that were silent too, where they are known.

    Of each its position, and where its evidence begins, if that is known.
    """
    labels, learner_runs = lockstep.course.schema.labels, lockstep.learners.runs
    alarms: dict[tuple[str, Hashable], list[tuple[int, int | None]]] = defaultdict(list)
    for name, learner_run in learner_runs.items():
        if by == "learner" and learner_run.watched:
            alarms[name, RUN_EVENTS[ALARM].source] = []
        if by == "learner":
            alarms.update({(name, detector): [] for detector in learner_run.detectors})
        if by == "label" and learner_run.watched == "label":
            alarms.update({(name, label): [] for label in labels})
    kinds = {name: each.learner.events for name, each in learner_runs.items()}
    for event in lockstep.log:
        if event.learner not in kinds:
            continue
        alarm = event.position, evidence_of(event)
        if by == "label":
            if event.kind == LABEL_ALARM and event.detail.get("label") in labels:
                alarms[event.learner, event.detail["label"]].append(alarm)
            continue
        if (source := source_of_alarm(event, kinds[event.learner])) is None:
            continue
        if event.detail.get("rising") is False:
            # an error that fell is a learner that learns; the source is listed all the same
            if by == "learner":
                alarms.setdefault((event.learner, source), [])
        elif by == "learner":
            alarms[event.learner, source].append(alarm)
        elif "node" in event.detail and isinstance(event.detail["node"], Hashable):
            alarms[event.learner, event.detail["node"]].append(alarm)
    return dict(alarms)


def source_of_alarm(event: Event, kinds: Mapping[str, EventKind]) -> str | None:
    """Return what raised an event that says "the concept has changed"; None: it does not. ``kinds``: the learner's."""
    kind = {**kinds, **RUN_EVENTS}.get(event.kind)
    if kind is None or not kind.is_detection:
        return None
    detector = event.detail.get("detector") if event.kind == DETECTION else None
    return detector if isinstance(detector, str) else kind.source


def _row_of(starts: Sequence[int], at: int, evidence: int | None) -> int:
    """Return where the drift began that an alarm is of; the alarm's own row where there is none."""
    place, _ = drifts_behind(starts, at, evidence)
    return at if place < 0 else starts[place]


def evidence_of(event: Event) -> int | None:
    """Return the row where the evidence of an alarm begins; None where the event does not say it."""
    since = event.detail.get("since")
    return since if is_count(since) else None


def _recovery(
    learner_run: LearnerRun, drifts: Sequence[Drift], before: int | None, measure: str, chunk: int
) -> dict[str, float]:
    """How many drifts made a learner fall, from where to where, what it lost, and how often and how soon it recovered.

    A drift from before it joined or was forked did nothing to it.

    ``before`` is where the drift before these began. ``place`` is for the order of the table: the mean of what it came
    to after each drift, less is better.
    """
    positions, curve = learner_run.history.concluded(measure, chunk)
    starts = sorted({drift.start for drift in drifts})
    higher = MEASURES[measure].higher_is_better
    verdicts = [
        verdict_of(positions, curve, start, since=earlier, until=until, higher_is_better=higher)
        for earlier, start, until in zip([before, *starts], starts, [*starts[1:], None], strict=False)
        if start >= _began(learner_run)
    ]
    found = [each.recovery for each in verdicts]
    fell = [each.recovery for each in verdicts if each.fell]
    back = [each.recovery.time for each in verdicts if each.back]
    settled = [each.settling_time for each in fell if np.isfinite(each.settling_time)]
    after = _mean([each.plateau for each in found if not np.isnan(each.plateau)])
    return {
        "affected": len(fell),
        "judged": sum(each.fell is not None for each in verdicts),
        "unjudged": sum(each.fell is None for each in verdicts),
        "level": _mean([each.level for each in fell]),
        "plateau": _mean([each.plateau for each in fell]),
        "lost": float(sum(each.lost for each in fell)),
        "recovered": len(back),
        "recovery_time": _mean(back),
        "settled": len(settled),
        "settling_time": _mean(settled),
        "settling_loss": float(sum(each.settling_loss for each in fell)),
        "place": np.inf if np.isnan(after) else -after if higher else after,
    }


def _behind(
    learner_run: LearnerRun, twin: LearnerRun | None, drifts: Sequence[Drift], measure: str, chunk: int
) -> float:
    """Return the area by which a learner's curve is below its twin's since the first drift that the twin did not have.

    NaN where there is no twin, or none of these drifts.
    """
    row = min((drift.start for drift in drifts), default=None)
    if twin is None or row is None or row < _began(learner_run):
        return np.nan
    positions, curve = learner_run.history.concluded(measure, chunk)
    there, values = twin.history.concluded(measure, chunk)
    if not np.array_equal(there, positions):
        return np.nan
    gaps = (values - curve) * (1.0 if MEASURES[measure].higher_is_better else -1.0)
    widths = np.diff(np.maximum(positions, row), prepend=row)
    return float(np.nansum(gaps * widths))


def _began(learner_run: LearnerRun) -> int:
    return max(learner_run.joined_at, learner_run.forked_at)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if len(values) else np.nan
