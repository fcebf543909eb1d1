"""What is left of the evidence from before a mark: against a count of every row, and against what fading says."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from streamlab.learners import SMART
from tests.lab.made import made_arrays
from tests.learners.states import assert_same

PLAIN = {"n_trees": 3, "height": 6, "seed": 5, "bounds": (0.0, 1.0)}


def paths(model: SMART, X: np.ndarray) -> np.ndarray:
    """The (tree, heap index) that each row passes, -1 where a node is not there, as one number a node."""
    slots = model._find_paths(X, np.isnan(X).any(axis=1), model._empty).copy()
    place = model._place[slots]
    return np.where(slots > 0, place[..., 0] * 2**20 + place[..., 1], -1)


def counted(model: SMART, X: np.ndarray, weights: np.ndarray) -> dict[int, float]:
    """Weight of every node by its place, row by row from the weights that the rows have now."""
    held: dict[int, float] = {}
    for row, weight in zip(paths(model, X), weights, strict=True):
        for place in row.ravel().tolist():
            held[place] = held.get(place, 0.0) + weight
    held.pop(-1, None)
    return held


def before_by_place(model: SMART) -> dict[int, float]:
    columns = model.node_columns()
    places = columns["tree"] * 2**20 + columns["node"]
    return dict(zip(places.tolist(), columns["before"].tolist(), strict=True))


def learn(model: SMART, X: np.ndarray, Y: np.ndarray, size: int = 50) -> None:
    for start in range(0, len(X), size):
        model.test_then_train(X[start : start + size], Y[start : start + size])


def check(model: SMART, X: np.ndarray, old: np.ndarray) -> None:
    """``old``: the weight that each row has now, 0 for those after the mark."""
    wanted, found = counted(model, X, old), before_by_place(model)
    assert found
    for place, weight in found.items():
        assert weight == pytest.approx(wanted[place], rel=1e-9, abs=1e-12)
    held, before = model.evidence()
    assert before == pytest.approx(old.sum() * len(model._roots), rel=1e-9)
    assert 0 < before <= held


@pytest.mark.parametrize("half_life", [30.0, 200.0, math.inf])
@pytest.mark.parametrize("at", [1, 363, 400])
def test_before_is_what_the_rows_until_the_mark_still_weigh(half_life: float, at: int) -> None:
    X, Y = made_arrays(700)
    model = SMART(**PLAIN, half_life=half_life)
    learn(model, X[:at], Y[:at])
    model.mark()
    learn(model, X[at:], Y[at:])
    weights = 2.0 ** (-np.arange(699, -1, -1) / half_life)
    weights[at:] = 0.0
    check(model, X, weights)


def test_a_half_life_tuned_on_the_way_fades_each_stretch_at_its_own_rate() -> None:
    X, Y = made_arrays(900)
    model = SMART(**PLAIN, half_life=100.0)
    cuts = [(0, 300, 100.0), (300, 450, 100.0), (450, 600, 400.0), (600, 700, math.inf), (700, 900, 50.0)]
    faded = np.zeros(900)
    for start, stop, half_life in cuts:
        model.tune(half_life=half_life)
        learn(model, X[start:stop], Y[start:stop])
        # every row of before fades by this stretch, those of the stretch by what is left of it
        faded[:start] += (stop - start) / half_life
        faded[start:stop] += np.arange(stop - start - 1, -1, -1) / half_life
        if stop == 300:
            model.mark()
    weights = 2.0**-faded
    weights[300:] = 0.0
    check(model, X, weights)


def test_a_place_that_is_used_again_inherits_nothing() -> None:
    X, Y = made_arrays(600)
    model = SMART(**PLAIN, half_life=1.0)
    left = X.copy()
    left[:, :] = 0.05
    learn(model, X[:200], Y[:200])
    model.mark()
    marked = set(model._mark.ids.tolist())
    learn(model, left[:400], Y[:400])
    learn(model, X[200:], Y[200:])
    columns = model.node_columns()
    again = ~np.isin(columns["id"], list(marked))
    assert again.any()
    assert (columns["before"][again] == 0).all()


def test_a_mark_within_the_warm_up_parts_the_rows_that_it_keeps() -> None:
    X, Y = made_arrays(300)
    model = SMART(**{**PLAIN, "bounds": None}, half_life=60.0)
    model.learn_many(X[:40], Y[:40])
    model.mark()
    assert model.evidence() == (0.0, 0.0)
    learn(model, X[40:], Y[40:])
    weights = 2.0 ** (-np.arange(299, -1, -1) / 60.0)
    weights[40:] = 0.0
    check(model, X, weights)


def test_a_mark_changes_no_answer_and_nothing_that_is_learned() -> None:
    X, Y = made_arrays(800)
    plain, marked = SMART(**PLAIN, half_life=40.0), SMART(**PLAIN, half_life=40.0)
    for start, stop in pairwise(range(0, 801, 100)):
        first = plain.test_then_train(X[start:stop], Y[start:stop])
        second = marked.test_then_train(X[start:stop], Y[start:stop])
        for one, other in zip(first, second, strict=True):
            np.testing.assert_array_equal(one, other)
        if start in (200, 500):
            marked.mark()
    own = {name: value for name, value in marked.state().items() if not name.startswith("mark_")}
    assert_same(plain.state(), own)
    assert marked.node_columns()["before"].any()


def test_a_mark_is_kept_by_copies_and_states_and_lost_by_a_merge() -> None:
    X, Y = made_arrays(600)
    model = SMART(**PLAIN, half_life=90.0)
    learn(model, X[:300], Y[:300])
    model.mark()
    for other in (model.copy(), SMART.from_state(model.state())):
        learn(other, X[300:], Y[300:])
        assert_same(other.state(), before_learned(model, X[300:], Y[300:]).state())
        np.testing.assert_array_equal(
            other.node_columns()["before"], before_learned(model, X[300:], Y[300:]).node_columns()["before"]
        )
    part = SMART(**PLAIN, half_life=90.0)
    part.learn_many(X[300:400], Y[300:400], timestamps=np.arange(301, 401))
    model.merge(part)
    assert not model.node_columns()["before"].any()


def before_learned(model: SMART, X: np.ndarray, Y: np.ndarray) -> SMART:
    other = model.copy()
    learn(other, X, Y)
    return other


def test_a_state_with_half_a_mark_is_refused() -> None:
    X, Y = made_arrays(200)
    model = SMART(**PLAIN)
    learn(model, X, Y)
    model.mark()
    for gone in ("mark_ids", "mark_weights", "mark_times"):
        state = {name: value for name, value in model.state().items() if name != gone}
        with pytest.raises(ValueError, match="mark_"):
            SMART.from_state(state)


def test_path_of_is_the_way_of_a_row() -> None:
    X, Y = made_arrays(300)
    model = SMART(**PLAIN)
    assert len(model.path_of(X[:1])) == 0
    learn(model, X, Y)
    columns = model.node_columns()
    lit = np.isin(columns["id"], model.path_of(X[-1:]))
    assert lit.sum() == 3 * 6
    assert (columns["age"][lit] == 0).all()
