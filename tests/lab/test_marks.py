"""Marks of a run: where a drift began or people set one, and what the learners' evidence is from before it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab.course import Mark
from streamlab.streams import rotate_labels
from tests.lab.made import made_stream


def shares(run: sl.Run) -> dict[str, float]:
    held = {name: each.learner.evidence() for name, each in run.learner_runs.items()}
    return {name: before / all_of_it for name, (all_of_it, before) in held.items()}


def smart(**parameters) -> sl.SMART:
    return sl.SMART(**({"n_trees": 3, "height": 6, "seed": 1, "bounds": (0.0, 1.0)} | parameters))


def theory(since: int, until: int, half_life: float) -> float:
    """The share of evidence that is older than ``since`` rows after ``until`` rows."""
    weights = 2.0 ** (-np.arange(until) / half_life)
    return float(weights[since:].sum() / weights.sum())


def test_learners_within_learners_are_marked() -> None:
    council = sl.Council(learners={"S": smart(half_life=70.0), "M": sl.MajorityLabels()})
    chain = sl.StandardScaler() | smart(half_life=70.0)
    run = sl.Run(rotate_labels(made_stream(600), at=200), {"council": council, "chain": chain})
    while run.advance():
        pass
    for forest in (council.members["S"], chain.parts[-1]):
        all_of_it, before = forest.evidence()
        assert before / all_of_it == pytest.approx(theory(400, 600, 70.0), rel=1e-9)


@pytest.mark.parametrize("at", [100, 130, 199, 200])
@pytest.mark.parametrize("step", [7, 100])
def test_a_drift_is_marked_at_its_row_however_the_run_is_cut(at: int, step: int) -> None:
    run = sl.Run(rotate_labels(made_stream(600), at=at), {"S": smart(half_life=70.0)})
    while run.advance(step):
        pass
    assert run.marked == Mark(at, 1)
    assert shares(run)["S"] == pytest.approx(theory(600 - at, 600, 70.0), rel=1e-9)
    whole = sl.Run(run.stream, {"S": smart(half_life=70.0)})
    whole.advance()
    # to the bit, as all that a run tells
    assert shares(run) == shares(whole)
    assert run.curves().equals(whole.curves())


def test_the_latest_of_several_drifts_counts() -> None:
    run = sl.Run(rotate_labels(made_stream(600), at=[150, 320]), {"S": smart(half_life=math.inf)})
    run.advance(300)
    assert (run.marked, shares(run)["S"]) == (Mark(150, 1), pytest.approx(150 / 300))
    run.advance()
    assert (run.marked, shares(run)["S"]) == (Mark(320, 2), pytest.approx(320 / 600))


def test_a_drift_that_is_put_in_and_a_half_life_that_is_tuned() -> None:
    run = sl.Run(made_stream(700), {"S": smart(half_life=100.0)})
    run.advance(300)
    run.put_drift(lambda stream, at: rotate_labels(stream, at=at))
    run.advance(200)
    assert run.marked == Mark(300, 1)
    run.tune("S", half_life=25)
    run.advance(50)
    old = sum(2.0 ** -((499 - i) / 100 + 50 / 25) for i in range(300))
    new = sum(2.0 ** -((499 - i) / 100 + 50 / 25) for i in range(300, 500)) + sum(2.0 ** (-k / 25) for k in range(50))
    assert shares(run)["S"] == pytest.approx(old / (old + new), rel=1e-9)


def test_people_mark_an_instant_and_the_run_does_it_again() -> None:
    run = sl.Run(rotate_labels(made_stream(600), at=100), {"S": smart(half_life=math.inf)})
    run.advance(250)
    event = run.mark()
    assert (event.kind, event.position, run.marked) == ("marked", 250, Mark(250, 0))
    run.advance(150)
    assert shares(run)["S"] == pytest.approx(250 / 400)
    run.seek(200)
    assert (run.marked, shares(run)["S"]) == (Mark(100, 1), pytest.approx(100 / 200))
    run.advance(300)
    assert (run.marked, shares(run)["S"]) == (Mark(250, 0), pytest.approx(250 / 500))


def test_a_newcomer_marks_the_drift_among_the_rows_that_it_is_trained_on() -> None:
    run = sl.Run(rotate_labels(made_stream(600), at=230), {"S": smart(half_life=math.inf)})
    run.advance(400)
    run.join("N", smart(half_life=math.inf), train_on=300)
    run.join("late", smart(half_life=math.inf), train_on=100)
    assert shares(run)["N"] == pytest.approx(130 / 300)
    assert shares(run)["late"] == 0.0


@pytest.mark.parametrize("step", [7, 100])
@pytest.mark.parametrize("half_life", [70.0, math.inf])
def test_rows_whose_labels_come_after_the_drift_began_are_from_before_it(half_life: float, step: int) -> None:
    stream = sl.streams.delay_labels(rotate_labels(made_stream(600), at=230), 40)
    run = sl.Run(stream, {"S": smart(half_life=half_life)})
    run.advance(260)
    assert shares(run)["S"] == pytest.approx(1.0, rel=1e-12)
    run.seek(100)
    while run.advance(step):
        pass
    # of the 560 rows that are learned, the 230 before the drift; the last 40 of them after it had begun
    assert shares(run)["S"] == pytest.approx(theory(330, 560, half_life), rel=1e-9)


def test_a_mark_that_people_set_while_labels_are_late_stays() -> None:
    run = sl.Run(sl.streams.delay_labels(rotate_labels(made_stream(600), at=230), 40), {"S": smart(half_life=math.inf)})
    run.advance(250)
    run.mark()
    run.advance()
    assert run.marked == Mark(250, 0)
    assert shares(run)["S"] == pytest.approx(210 / 560)


@pytest.mark.parametrize("delay", [0, 40, (10, 40)])
@pytest.mark.parametrize("row", [0, 5, 230])
def test_when_all_labels_of_the_rows_before_one_are_known(delay: int | tuple[int, int], row: int) -> None:
    labelling = sl.streams.hide_labels(sl.streams.delay_labels(made_stream(600), delay, seed=3), 0.3).labelling
    arrives = labelling.arrives(np.arange(row))
    assert labelling.all_known(row) == max([row, *(arrives[arrives < 10_000] + 1)])
