"""The table of how well drifts were detected: the events of a run against the truth of its stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._checks import checked_choice, counted, is_count
from streamlab.lab.events import ALARM, DETECTION, LABEL_ALARM, RUN_EVENTS, Event
from streamlab.lab.learner_run import LearnerRun
from streamlab.lab.lockstep import Lockstep
from streamlab.measures import MEASURES, match_alarms, recovery_of
from streamlab.measures.detection import drifts_behind
from streamlab.streams import Drift

if TYPE_CHECKING:
    import pandas as pd

NOT_AFFECTED = "no clear fall"


def detection_table(
    lockstep: Lockstep, by: str, *, within: int | None, measure: str, since: int, twin: Any
) -> pd.DataFrame:
    """Return the table of ``Run.detection``, which says what is in it; ``twin`` may be None."""
    import pandas as pd

    checked_choice("by", by, ("learner", "label", "node"))
    course, learner_runs = lockstep.course, lockstep.learners.runs
    stream, position = course.stream, course.position
    twins, shared = ({}, ()) if twin is None else (twin.learner_runs, twin.stream.drifts)
    drifts = [drift for drift in stream.drifts if since <= drift.start < position]
    before = max((drift.start for drift in stream.drifts if drift.start < since), default=None)
    started = sorted({drift.start for drift in stream.drifts if drift.start < position})
    alarms = _alarms(lockstep, by)
    starts = {drift.start for drift in shared}
    recoveries = {
        name: _recovery(each, drifts, before, measure, course.chunk, twins.get(name), starts)
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


def verdict(table: pd.DataFrame, measure: str) -> str:
    """Return a sentence about a table of ``Run.detection("learner")``: who fell, who is back, and what that cost.

    It is empty before the first drift.
    """
    if table.empty or "lost" not in table or not table["drifts"].any():
        return ""
    rows = list(table.drop_duplicates("learner").itertuples())
    title = MEASURES[measure].title
    affected = [row for row in rows if row.affected]
    others = [row.learner for row in rows if not row.affected and spared(row._asdict()) == NOT_AFFECTED]
    if not affected and any(row.unjudged for row in rows):
        return ""
    if not affected:
        return f"No learner's {title} has fallen by more than its usual variation so far."
    sentences = [_came(row) for row in (affected[:1] if len(affected) == 1 else (affected[0], affected[-1]))]
    if len(affected) > 1:
        sentences[0] = f"of those affected {sentences[0]}"
    also = f". {NOT_AFFECTED.capitalize()}: {', '.join(others)}" if others else ""
    return f"By {title} {'; '.join(sentences)}{also}."


def spared(row: Mapping[str, Any]) -> str:
    """Return in words that no drift made the learner of a row of ``Run.detection`` fall; "" where it met none."""
    if row["unclear"]:
        return "fell; not clear how far"
    if row["unjudged"]:
        return "too early to say"
    if row["brief"] or row["usual"]:
        return "fell briefly" if row["brief"] else "may be chance"
    return NOT_AFFECTED if row["judged"] else ""


def _came(row: Any) -> str:
    """Tell whether a learner came back after the drifts that made it fall, to what it came, and what was lost."""
    mean = "on average " if row.affected > 1 else ""
    levels = f"{mean or 'median '}{row.level:.2f} before, {row.plateau:.2f} {'since' if row.drifts == 1 else 'after'}"
    if not row.recovered:
        until = "so far"
        if row.drifts > 1:
            until = f"after {counted(row.affected, 'drift')}, counted to the next one or to now"
        return f"{row.learner} has not recovered ({levels}) and has lost {row.lost:,.0f} {until}"
    often = "" if row.recovered == row.affected else f" from {row.recovered} of {row.affected} drifts"
    when = f"{mean if row.recovered > 1 else ''}after {counted(round(row.recovery_time), 'row')}"
    return f"{row.learner} recovered{often} {when} ({levels}) and lost {row.lost:,.0f}"


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
    kinds = {name: {**each.learner.events, **RUN_EVENTS} for name, each in learner_runs.items()}
    for event in lockstep.log:
        if event.learner not in kinds:
            continue
        kind = kinds[event.learner].get(event.kind)
        alarm = event.position, evidence_of(event)
        if by == "label":
            if event.kind == LABEL_ALARM and event.detail.get("label") in labels:
                alarms[event.learner, event.detail["label"]].append(alarm)
            continue
        if kind is None or not kind.is_detection:
            continue
        source = kind.source
        if event.kind == DETECTION and isinstance(event.detail.get("detector"), str):
            source = event.detail["detector"]
        if event.detail.get("rising") is False:
            # an error that fell is a learner that learns; the source is listed all the same
            if by == "learner":
                alarms.setdefault((event.learner, source), [])
        elif by == "learner":
            alarms[event.learner, source].append(alarm)
        elif "node" in event.detail and isinstance(event.detail["node"], Hashable):
            alarms[event.learner, event.detail["node"]].append(alarm)
    return dict(alarms)


def _row_of(starts: Sequence[int], at: int, evidence: int | None) -> int:
    """Return where the drift began that an alarm is of; the alarm's own row where there is none."""
    place, _ = drifts_behind(starts, at, evidence)
    return at if place < 0 else starts[place]


def evidence_of(event: Event) -> int | None:
    """Return the row where the evidence of an alarm begins; None where the event does not say it."""
    since = event.detail.get("since")
    return since if is_count(since) else None


def _recovery(
    learner_run: LearnerRun,
    drifts: Sequence[Drift],
    before: int | None,
    measure: str,
    chunk: int,
    twin: LearnerRun | None,
    shared: Container[int],
) -> dict[str, float]:
    """How many drifts made a learner fall, from where to where, what it lost, and how often and how soon it recovered.

    A drift from before it joined or was forked did nothing to it. One that its ``twin`` did not have is measured
    against that; one that starts at one of the rows ``shared``, against the level before.

    ``before`` is where the drift before these began. ``place`` is for the order of the table: the mean of what it came
    to after each drift, less is better.
    """
    positions, curve = learner_run.history.concluded(measure, chunk)
    starts = sorted({drift.start for drift in drifts})
    began = max(learner_run.joined_at, learner_run.forked_at)
    expected = None
    if twin is not None:
        there, values = twin.history.concluded(measure, chunk)
        expected = values if np.array_equal(there, positions) else None
    higher = MEASURES[measure].higher_is_better
    found = [
        recovery_of(
            positions, curve, start, since=earlier, until=until, higher_is_better=higher,
            reference=None if start in shared else expected,
        )
        for earlier, start, until in zip([before, *starts], starts, [*starts[1:], None], strict=False)
        if start >= began
    ]  # fmt: skip
    fell = [each for each in found if each.is_affected]
    back = [each.time for each in fell if np.isfinite(each.time)]
    settled = [each.settling_time for each in fell if np.isfinite(each.settling_time)]
    after = _mean([each.plateau for each in found if not np.isnan(each.plateau)])
    return {
        "affected": len(fell),
        "judged": sum(each.is_judged for each in found),
        "unjudged": sum(not each.is_judged for each in found),
        "unclear": sum(each.is_unclear for each in found),
        "brief": sum(each.is_brief for each in found),
        "usual": sum(each.is_usual for each in found),
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


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if len(values) else np.nan
