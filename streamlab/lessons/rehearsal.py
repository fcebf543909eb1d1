"""Go through a lesson without a page, and check the numbers that its texts say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab.lab import Run
from streamlab.lessons.arrival import Arrival, arrive, leave, opened, perform
from streamlab.lessons.lesson import Claim, Lesson, Step


@dataclass(frozen=True)
class Passed:
    """A step that has been gone through.

    Parameters
    ----------
    number, step
        Which, from 1.
    run
        The run as it is at the step's end.
    start
        Where the step began.
    """

    number: int
    step: Step
    run: Run
    start: Arrival


def rehearse(lesson: Lesson) -> Iterator[Passed]:
    """Go through a lesson from the first to the last step as its page would, at full speed; yields after each step.

    Raises
    ------
    ValueError
        If a step cannot be done; it names the file and the step, and says why.
    """
    before: Arrival | None = None
    run: Run | None = None
    for i, step in enumerate(lesson.steps):
        start = arrive(lesson, i)
        ended = leave(step, start)
        try:
            if run is None or before is None or not start.same_run(before):
                run, done = opened(start), 0
            else:
                done = len(before.actions)
            perform(run, ended.actions[done:])
        except (ValueError, OSError) as error:
            where = f"{lesson.path.name}, step {i + 1} ({step.title})"
            raise ValueError(f"{where}: {error}") from None
        before = ended
        yield Passed(i + 1, step, run, start)


def wrong_claims(lesson: Lesson) -> list[str]:
    """Go through a lesson, and return a line for each number in its texts that is not what the run gives.

    Raises
    ------
    ValueError
        As :func:`rehearse`, and for a claim of what the run does not have.
    """
    wrong = []
    for passed in rehearse(lesson):
        for claim in passed.step.claims:
            where = f"{lesson.path.name}, step {passed.number} ({passed.step.title})"
            try:
                value = value_of_claim(passed.run, claim)
            except (ValueError, KeyError) as error:
                raise ValueError(f"{where}: {claim.kind} {claim.what} of {claim.learner}: {error}") from None
            found = _as_written(value, claim.is_)
            if found != claim.is_:
                rows = f" in rows {claim.rows[0]:,} to {claim.rows[1]:,}" if claim.rows[1] else ""
                wrong.append(
                    f"{where}: {claim.kind} {claim.what} of {claim.learner}{rows} is {found}, the text says {claim.is_}"
                )
    return wrong


def value_of_claim(run: Run, claim: Claim) -> float:
    """Return a claim's number as the run has it where it stands.

    Raises
    ------
    ValueError
        If the run has no such thing.
    """
    return _OF_KIND[claim.kind](run, claim)


def mean_curve(run: Run, learner: str, measure: str, rows: tuple[int, int]) -> float:
    """Return the mean of a curve's chunks that end behind the first of two rows and not behind the second.

    Raises
    ------
    ValueError
        If there is no point between these rows.
    """
    history = run.learner_runs[learner].history
    positions, values = np.asarray(history.positions), np.asarray(history.curve(measure, "chunk"))
    chosen = values[(positions > rows[0]) & (positions <= rows[1])]
    if not np.isfinite(chosen).any():
        raise ValueError(f"the curve has no point in rows {rows[0]:,} to {rows[1]:,}")
    return float(np.nanmean(chosen))


def _counts_of_label(run: Run, claim: Claim) -> tuple[float, float, float]:
    """Return the rows for which a label was answered rightly, answered wrongly, and missed, over all rows so far."""
    labels = run.stream.schema.labels
    if claim.what not in labels:
        raise ValueError(f"no such label; there are: {', '.join(labels[:8])} …")
    counts = run.learner_runs[claim.learner].tracker.counts("cumulative")
    hits, false, missed = counts.per_label[:, labels.index(claim.what)]
    return float(hits), float(false), float(missed)


def _of_label(run: Run, claim: Claim) -> float:
    hits, false, missed = _counts_of_label(run, claim)
    if claim.kind == "label":
        return 2 * hits / (2 * hits + false + missed) if hits + false + missed else 0.0
    return {"answered": hits + false, "right": hits, "carried": hits + missed}[claim.kind]


def _of_level(run: Run, claim: Claim) -> float:
    part = "f1" if claim.kind == "level" else "first_wrong"
    levels = run.learner_runs[claim.learner].history.level_curves("cumulative")[part][-1]
    if not claim.what.isdigit() or not 1 <= int(claim.what) <= len(levels):
        raise ValueError(f"expected a level from 1 to {len(levels)}")
    return float(levels[int(claim.what) - 1])


def _of_event(run: Run, claim: Claim) -> float:
    low, high = claim.rows
    wanted = (claim.learner, claim.what)
    rows = [e.position for e in run.log if (e.learner, e.kind) == wanted and low < e.position <= high]
    if not rows:
        raise ValueError(f"it does not happen in rows {low:,} to {high:,}")
    return float(rows[0])


def _of_evidence(run: Run, claim: Claim) -> float:
    learner = run.learner_runs[claim.learner].learner
    if not hasattr(learner, "evidence") or run.marked is None:
        raise ValueError("expected a learner that keeps evidence, and a drift before")
    held, before = learner.evidence()
    return before / held


def _of_trust(run: Run, claim: Claim) -> float:
    learner: Any = run.learner_runs[claim.learner].learner
    if claim.what not in learner.members:
        raise ValueError(f"no such expert; there are: {', '.join(learner.members) or 'none'}")
    return float(learner.nodes().set_index("expert").trust[claim.what])


_OF_KIND: dict[str, Callable[[Run, Claim], float]] = {
    "measure": lambda run, claim: mean_curve(run, claim.learner, claim.what, claim.rows),
    "overall": lambda run, claim: run.learner_runs[claim.learner].tracker.value(claim.what),
    "label": _of_label,
    "answered": _of_label,
    "right": _of_label,
    "carried": _of_label,
    "level": _of_level,
    "wrong at": _of_level,
    "event": _of_event,
    "evidence": _of_evidence,
    "trust": _of_trust,
}


def _as_written(value: float, like: str) -> str:
    """Return a number as the text has it: this many decimals, with commas, as a percentage."""
    number, percent, _ = like.partition("%")
    if percent:
        value *= 100
    number = number.strip()
    decimals = len(number.partition(".")[2])
    text = f"{value:,.{decimals}f}"
    if number.startswith("."):
        text = text.removeprefix("0")
    return like.replace(number, text)
