"""What other packages raise is told in one line, wherever it is met; what is refused is named, not printed whole."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners import Learner, Storage
from streamlab.measures import MEASURES

SAID = "first\nsecond\n\n" + "third " * 1000


class Raising(Learner):
    storage = Storage()

    def __init__(self, kind: type[Exception] = RuntimeError) -> None:
        self.kind = kind
        self._start()

    def _predict(self, X, missing):
        raise self.kind(SAID)

    def _learn(self, X, Y, missing) -> None:
        """Never comes to it."""


def in_a_run(learner: Learner) -> None:
    sl.Run("movies", {"it": learner}).advance(10)


def by_a_measure(function) -> None:
    made = sl.measure(function)
    try:
        sl.prequential("movies", sl.NoChange(), n=50, measures=[made]).summary.to_dict()
    finally:
        MEASURES.remove(made)


def raising(Y, Z):
    raise LookupError(SAID)


def of_counts(counts):
    raise LookupError(SAID)


@pytest.mark.whole
@pytest.mark.parametrize(
    "fails",
    [
        lambda: in_a_run(Raising()),
        lambda: in_a_run(Raising(ValueError)),
        lambda: in_a_run(sl.Council({"one": Raising(), "two": sl.NoChange()})),
        lambda: by_a_measure(raising),
        lambda: by_a_measure(of_counts),
    ],
)
def test_what_foreign_code_raises_is_told_in_one_line(fails):
    with pytest.raises((ValueError, RuntimeError), match="first second third") as caught:
        fails()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 2100


def test_complex_figures_are_refused():
    def imaginary(Y, Z):
        return np.full(len(Y), 1 + 2j)

    with pytest.raises(ValueError, match=r"imaginary.*complex"):
        by_a_measure(imaginary)


@pytest.mark.parametrize("given", [(1, 0), (0, 0), (0,), "ab", (0, np.nan), 5])
def test_a_wrong_range_is_refused(given):
    with pytest.raises(ValueError, match="'backwards': range="):
        sl.measure(range=given, name="backwards")(lambda counts: 0.5)
    assert "backwards" not in MEASURES


@pytest.mark.parametrize("kept", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_run_says_that_it_is_saved_and_not_pickled(kept):
    with pytest.raises(TypeError, match=r"a Run is not pickled or copied: save\(\)"):
        kept(sl.Run("movies", sl.NoChange()))


@pytest.mark.parametrize(
    "around",
    [
        lambda model: sl.Council({"m": model, "n": sl.NoChange()}),
        lambda model: sl.Oversampling(model, seed=1),
        lambda model: sl.Council({"m": sl.Oversampling(model, seed=1), "n": sl.NoChange()}),
    ],
)
def test_what_is_too_large_alone_is_too_large_inside_of_others(around):
    of = sl.Schema.anonymous(5000, 3993)
    for model in (sl.MLHAT(seed=1), sl.OnlineBagging(seed=1)):
        with pytest.raises(ValueError, match="GB") as alone:
            type(model)().bind(of)
        with pytest.raises(ValueError, match="GB") as inside:
            around(model).bind(of)
        assert str(alone.value) == str(inside.value)
