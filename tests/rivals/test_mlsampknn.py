"""MLSAMPkNN equals its plain twin, which judges all parts from the beginning; whatever the cutting; saved and tuned."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from tests.learners.generated import generated, schema_of
from tests.learners.states import assert_altered_is_refused, set_entry
from tests.rivals.by_hand.mlsampknn import ByHand
from tests.rivals.remembered import sparse_stream


def nominal_of(schema):
    return [f.is_nominal and len(f.categories) > 2 for f in schema.features]


def twin_of(schema, given):
    named = {"k" if name == "n_neighbors" else name: value for name, value in given.items() if name != "measure"}
    return ByHand(nominal_of(schema), **named, hamming=given.get("measure") == "hamming")


def assert_same(model, by_hand, X, Y):
    scores, labels = model.test_then_train(X, Y)
    expected = by_hand.test_then_train(X, Y)
    np.testing.assert_allclose(scores, expected[0], atol=1e-12)
    np.testing.assert_array_equal(labels, expected[1])
    assert model.nodes()["id"].tolist() == [row["id"] for row in by_hand.rows]
    assert model.nodes()["standing"].tolist() == [row["errors"] for row in by_hand.rows]
    cuts = [(event["position"], event["before"], event["after"]) for event in model.take_events()]
    assert cuts == by_hand.cuts
    by_hand.cuts.clear()


@pytest.mark.parametrize(
    ("n_nominal", "missing", "given"),
    [
        (0, 0.0, {}),
        (2, 0.0, {"n_neighbors": 4, "penalty": 2.0}),
        (1, 0.1, {"measure": "hamming", "reduction": 0.8}),
        (0, 0.05, {"penalty": float("inf"), "window": 25}),
        (0, 0.0, {"min_window": 1, "penalty": 0.4}),
        (0, 0.0, {"min_window": 2, "n_neighbors": 1, "reduction": 0.3}),
    ],
)
def test_it_equals_its_plain_twin(n_nominal, missing, given):
    schema = schema_of(4, n_nominal, n_labels=3)
    X, Y = generated(schema, 140, missing=missing, seed=3)
    X[:, 0] -= 0.5
    given = {"window": 60, "min_window": 8} | given
    assert_same(sl.MLSAMPkNN(**given).bind(schema), twin_of(schema, given), X, Y)


def test_it_equals_its_twin_on_sparse_rows_and_rows_of_zeros():
    schema, X, Y = sparse_stream(140)
    given = {"window": 60, "min_window": 8}
    model, by_hand = sl.MLSAMPkNN(**given).bind(schema), twin_of(schema, given)
    # of 0 and 1: of counts, equal distances are told apart by their last digits
    assert_same(model, by_hand, np.minimum(X, 1.0), Y)


def test_a_cut_is_reported_with_its_numbers():
    schema = schema_of(3, n_labels=2)
    X, Y = generated(schema, 300, seed=1)
    model = sl.MLSAMPkNN(window=200, min_window=10, penalty=float("inf")).bind(schema)
    model.learn_many(X, Y)
    events = model.take_events()
    assert events
    assert set(events[0]) >= set(sl.MLSAMPkNN.events["cut"].numbers)
    for event in events:
        assert event["after"] < event["before"]
        assert event["kept"] > event["whole"]
        assert f"from {event['before']} to {event['after']} rows" in event["message"]
    assert model.take_events() == []


def test_tuning_takes_effect_with_the_next_row():
    schema = schema_of(4)
    X, Y = generated(schema, 160)
    given = {"window": 100, "min_window": 60}
    model, by_hand = sl.MLSAMPkNN(**given).bind(schema), twin_of(schema, given)
    assert_same(model, by_hand, X[:70], Y[:70])
    before = model.nodes()["id"].tolist()
    model.tune(window=21, n_neighbors=5, min_window=6, penalty=2.0, reduction=0.7)
    assert model.nodes()["id"].tolist() == before[-20:]
    by_hand.rows = by_hand.rows[-20:]
    by_hand.window, by_hand.k, by_hand.min_window, by_hand.penalty, by_hand.reduction = 21, 5, 6, 2.0, 0.7
    assert_same(model, by_hand, X[70:], Y[70:])
    model.tune(window=100)
    by_hand.window = 100
    assert_same(model, by_hand, X, Y)


def test_an_altered_state_is_refused():
    schema = schema_of(3)
    model = sl.MLSAMPkNN(window=20).bind(schema)
    model.learn_many(*generated(schema, 60))
    state = model.state()
    for key, change in {
        "born": lambda values: np.zeros_like(values),
        "cursor": lambda values: values + 1,
    }.items():
        altered = set_entry(key, slice(None), change(state[key]))
        assert_altered_is_refused(sl.MLSAMPkNN, state, altered, key)


def test_a_parameter_out_of_range_is_named():
    for given in ({"window": 1}, {"reduction": 1.0}, {"measure": "f1"}, {"penalty": -1.0}, {"min_window": 0}):
        with pytest.raises(ValueError, match=next(iter(given))):
            sl.MLSAMPkNN(**given)
