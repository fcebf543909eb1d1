"""What Council is put beside: references made of its experts' scores, which look at no row before they answer it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import streamlab as sl
from benchmarks.never_below import in_bursts, with_rule
from benchmarks.references import answered, f1_by_row, fixed_mean, heard, refitted, values_of
from streamlab.streams.readers.arrays import ArrayStream


@pytest.fixture(scope="module")
def found():
    chunk = next(sl.load("yeast").chunks(600))
    return chunk, heard(ArrayStream(chunk.X, chunk.Y))


def test_what_was_heard_is_what_the_experts_say_and_the_council_answers(found):
    chunk, told = found
    _, labels = sl.Council(seed=1).test_then_train(chunk.X, chunk.Y)
    np.testing.assert_array_equal(told.labels, labels)
    scores, _ = sl.RankedKNN().test_then_train(chunk.X, chunk.Y)
    np.testing.assert_array_equal(told.scores[told.names.index("RankedKNN")], scores)
    np.testing.assert_array_equal(told.scores[told.names.index("NoChange")][1:], chunk.Y[:-1])


def test_the_fixed_mean_is_that_of_three_experts_and_learns_nothing(found):
    _, told = found
    with np.errstate(divide="ignore"):
        three = [told.scores[told.names.index(name)] for name in ("OnlineLogistic", "RankedKNN", "HedgedMLHAT")]
        odds = [np.clip(np.log(score / (1.0 - score)), -4, 4) for score in three]
    np.testing.assert_allclose(fixed_mean(told), 1 / (1 + np.exp(-np.mean(odds, axis=0))), rtol=1e-12)
    values = values_of(told)
    best = max(f1_by_row(told.Y, answered(scores)).mean() for scores in told.scores)
    assert values["best"] == best == f1_by_row(told.Y, answered(told.scores[told.names.index(values["expert"])])).mean()


def test_the_stack_is_fitted_to_rows_before_alone(found):
    _, told = found
    whole = refitted(told)
    other = replace(told, Y=np.concatenate([told.Y[:400], 1 - told.Y[400:]]))
    np.testing.assert_array_equal(refitted(other)[:401], whole[:401])
    # it knows the rows before 500 from there on
    assert np.abs(refitted(other)[500:] - whole[500:]).max() > 0.01
    # it learns: ahead of where it begins, the mean of all
    begun = refitted(told, every=len(told.Y))
    f1 = [f1_by_row(told.Y[250:], answered(each[250:])).mean() for each in (whole, begun)]
    assert f1[0] > f1[1]


def test_a_row_is_answered_as_the_baseline_where_that_was_ahead_before_it():
    own, baseline = np.array([1.0, 0.0, 0.5, 0.25, 1.0]), np.array([0.0, 1.0, 1.0, 0.75, 0.0])
    # leads before each row, by hand: 0, -1, .01, .5099, 1.004801
    assert with_rule(own, baseline, 0.99).tolist() == [1.0, 0.0, 1.0, 0.75, 0.0]
    assert with_rule(own, own - 0.1).tolist() == own.tolist()


def test_bursts_hold_every_row_once_in_runs_of_one_label_set():
    sets = np.repeat([0, 1, 2], [50, 30, 20])
    order = in_bursts(sets, 1)
    assert sorted(order) == list(range(100))
    runs = np.diff(np.flatnonzero(np.diff(sets[order], prepend=-1, append=-1)))
    assert 5 <= len(runs) < 50
    assert in_bursts(sets, 2).tolist() != order.tolist()
