"""MLSAMPkNN and MLSAkNN equal their plain twins, which judge all parts from the beginning; cut, saved and tuned."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from tests.learners.generated import generated, schema_of
from tests.learners.states import assert_altered_is_refused, set_entry
from tests.rivals.by_hand import mlsaknn, mlsampknn
from tests.rivals.remembered import nominal_of, sparse_stream

TWINS = {"MLSAMPkNN": mlsampknn.ByHand, "MLSAkNN": mlsaknn.ByHand}
SMALL = {"window": 60, "min_window": 8}


def both(name, schema, given):
    """The learner and its twin."""
    named = {"k" if key == "n_neighbors" else key: value for key, value in given.items() if key != "measure"}
    twin = TWINS[name](nominal_of(schema), **named, hamming=given.get("measure") == "hamming")
    return getattr(sl, name)(**given).bind(schema), twin


def assert_same(model, by_hand, X, Y):
    scores, labels = model.test_then_train(X, Y)
    expected = by_hand.test_then_train(X, Y)
    np.testing.assert_allclose(scores, expected[0], atol=1e-12)
    np.testing.assert_array_equal(labels, expected[1])
    assert model.nodes()["id"].tolist() == [row["id"] for row in by_hand.rows]
    assert model.nodes()["standing"].tolist() == [row["errors"] for row in by_hand.rows]
    if isinstance(model, sl.MLSAkNN):
        assert list(model.votes().values()) == by_hand.k
    cuts = [(event["position"], event["before"], event["after"]) for event in model.take_events()]
    assert cuts == by_hand.cuts
    by_hand.cuts.clear()


@pytest.mark.parametrize(
    ("name", "n_nominal", "missing", "given"),
    [
        ("MLSAMPkNN", 0, 0.0, {}),
        ("MLSAMPkNN", 2, 0.0, {"n_neighbors": 4, "penalty": 2.0}),
        ("MLSAMPkNN", 1, 0.1, {"measure": "hamming", "reduction": 0.8}),
        ("MLSAMPkNN", 0, 0.05, {"penalty": float("inf"), "window": 25}),
        ("MLSAMPkNN", 0, 0.0, {"min_window": 1, "penalty": 0.4}),
        ("MLSAMPkNN", 0, 0.0, {"min_window": 2, "n_neighbors": 1, "reduction": 0.3}),
        ("MLSAkNN", 0, 0.0, {}),
        ("MLSAkNN", 2, 0.0, {"penalty": 2.0, "history": 7}),
        ("MLSAkNN", 1, 0.1, {"measure": "hamming", "reduction": 0.8, "penalty": 3.0}),
        ("MLSAkNN", 0, 0.05, {"penalty": float("inf"), "window": 25}),
        ("MLSAkNN", 0, 0.0, {"min_window": 1, "penalty": 0.4}),
        ("MLSAkNN", 0, 0.0, {"min_window": 2, "reduction": 0.3, "penalty": 5.0}),
    ],
)
def test_it_equals_its_plain_twin(name, n_nominal, missing, given):
    schema = schema_of(4, n_nominal, n_labels=3)
    X, Y = generated(schema, 200, missing=missing, seed=3)
    X[:, 0] -= 0.5
    assert_same(*both(name, schema, SMALL | given), X, Y)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "given"), [("MLSAMPkNN", {}), ("MLSAkNN", {"penalty": 4.0})])
def test_it_equals_its_twin_on_sparse_rows_where_many_are_equally_near(name, given):
    schema, X, Y = sparse_stream(200)
    # of 0 and 1: of counts, equal distances are told apart by their last digits
    assert_same(*both(name, schema, SMALL | given), np.minimum(X, 1.0), Y)


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


def test_a_label_that_joins_may_be_voted_for_by_all_rows():
    model = sl.MLSAkNN(window=10)
    model.learn_one({"a": 1.0}, {"p": True})
    model.learn_one({"a": 1.0}, {"p": True})
    assert model.predict_one({"a": 1.0}) == {"p": True}
    model.learn_one({"a": 1.0}, {"p": True, "q": True})
    # two rows that have not q may not vote for it any more: they were wrong
    assert model.predict_one({"a": 1.0}) == {"p": True, "q": True}
    assert model.nodes()["standing"].tolist() == [1, 1, 0]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "key", "change"),
    [
        ("MLSAMPkNN", "born", np.zeros_like),
        ("MLSAMPkNN", "cursor", lambda values: values + 1),
        ("MLSAkNN", "older", lambda values: values + 10**6),
        ("MLSAkNN", "k", lambda values: values * 0 + 8),
    ],
)
def test_an_altered_state_is_refused(name, key, change):
    schema = schema_of(3)
    model = getattr(sl, name)(window=20).bind(schema)
    model.learn_many(*generated(schema, 60))
    state = model.state()
    assert_altered_is_refused(type(model), state, set_entry(key, slice(None), change(state[key])), key)
