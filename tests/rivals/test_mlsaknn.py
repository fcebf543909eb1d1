"""MLSAkNN equals its plain twin; whatever the cutting; saved and tuned; and its figures are those that are told."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from benchmarks.programs import f1_of
from tests.learners.generated import generated, schema_of
from tests.learners.states import assert_altered_is_refused, set_entry
from tests.rivals.by_hand.mlsaknn import ByHand
from tests.rivals.remembered import sparse_stream

# the program has .368, .489, .526 and .895: two of its rows may share who may vote
FIGURES = {"emotions": 0.2903, "yeast": 0.4700, "water quality": 0.5400, "scene": 0.9041}


def twin_of(schema, given):
    named = {name: value for name, value in given.items() if name != "measure"}
    nominal = [f.is_nominal and len(f.categories) > 2 for f in schema.features]
    return ByHand(nominal, **named, hamming=given.get("measure") == "hamming")


def assert_same(model, by_hand, X, Y):
    scores, labels = model.test_then_train(X, Y)
    expected = by_hand.test_then_train(X, Y)
    np.testing.assert_allclose(scores, expected[0], atol=1e-12)
    np.testing.assert_array_equal(labels, expected[1])
    assert model.nodes()["id"].tolist() == [row["id"] for row in by_hand.rows]
    assert model.nodes()["standing"].tolist() == [row["errors"] for row in by_hand.rows]
    assert list(model.votes().values()) == by_hand.k
    cuts = [(event["position"], event["before"], event["after"]) for event in model.take_events()]
    assert cuts == by_hand.cuts
    by_hand.cuts.clear()


@pytest.mark.parametrize(
    ("n_nominal", "missing", "given"),
    [
        (0, 0.0, {}),
        (2, 0.0, {"penalty": 2.0, "history": 7}),
        (1, 0.1, {"measure": "hamming", "reduction": 0.8, "penalty": 3.0}),
        (0, 0.05, {"penalty": float("inf"), "window": 25}),
        (0, 0.0, {"min_window": 1, "penalty": 0.4}),
        (0, 0.0, {"min_window": 2, "reduction": 0.3, "penalty": 5.0}),
    ],
)
def test_it_equals_its_plain_twin(n_nominal, missing, given):
    schema = schema_of(4, n_nominal, n_labels=3)
    X, Y = generated(schema, 200, missing=missing, seed=3)
    X[:, 0] -= 0.5
    given = {"window": 60, "min_window": 8} | given
    assert_same(sl.MLSAkNN(**given).bind(schema), twin_of(schema, given), X, Y)


def test_it_equals_its_twin_on_sparse_rows_where_many_are_equally_near():
    schema, X, Y = sparse_stream(200)
    given = {"window": 60, "min_window": 8, "penalty": 4.0}
    assert_same(sl.MLSAkNN(**given).bind(schema), twin_of(schema, given), np.minimum(X, 1.0), Y)


def test_a_label_that_joins_may_be_voted_for_by_all_rows():
    model = sl.MLSAkNN(window=10)
    model.learn_one({"a": 1.0}, {"p": True})
    model.learn_one({"a": 1.0}, {"p": True})
    assert model.predict_one({"a": 1.0}) == {"p": True}
    model.learn_one({"a": 1.0}, {"p": True, "q": True})
    # two rows that have not q may not vote for it any more: they were wrong
    assert model.predict_one({"a": 1.0}) == {"p": True, "q": True}
    assert model.nodes()["standing"].tolist() == [1, 1, 0]


def test_tuning_takes_effect_with_the_next_row():
    schema = schema_of(4)
    X, Y = generated(schema, 200)
    given = {"window": 100, "min_window": 60, "penalty": 5.0}
    model, by_hand = sl.MLSAkNN(**given).bind(schema), twin_of(schema, given)
    assert_same(model, by_hand, X[:90], Y[:90])
    before = model.nodes()["id"].tolist()
    model.tune(window=21, min_window=6, penalty=2.0, reduction=0.7)
    assert model.nodes()["id"].tolist() == before[-20:]
    by_hand.rows, by_hand.levels = by_hand.rows[-20:], []
    by_hand.window, by_hand.min_window, by_hand.penalty, by_hand.reduction = 21, 6, 2.0, 0.7
    assert_same(model, by_hand, X[90:], Y[90:])
    model.tune(window=100)
    by_hand.window, by_hand.levels = 100, []
    assert_same(model, by_hand, X, Y)


def test_an_altered_state_is_refused():
    model = sl.MLSAkNN(window=20).bind(schema_of(3))
    model.learn_many(*generated(schema_of(3), 60))
    state = model.state()
    for key, change in {
        "older": lambda values: values + 10**6,
        "k": lambda values: values * 0 + 8,
    }.items():
        altered = set_entry(key, slice(None), change(state[key]))
        assert_altered_is_refused(sl.MLSAkNN, state, altered, key)


@pytest.mark.parametrize("name", FIGURES)
def test_its_figure_is_the_one_told(name, shared_data):
    assert f1_of("MLSAkNN", name) == pytest.approx(FIGURES[name], abs=0.0005)
