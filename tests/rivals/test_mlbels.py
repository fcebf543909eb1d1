"""MLBELS equals its plain transcription and keeps the contract of a learner."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.rivals import MLBELS
from streamlab.schema import Schema
from tests.learners.generated import generated, rows, schema_of
from tests.learners.states import assert_altered_is_refused, set_entry
from tests.rivals.by_hand.mlbels import ByHand

QUICK = {"chunk": 10, "n_windows": 3, "window_nodes": 2, "ridge": 1e-2, "seed": 1}


def stream(n: int = 200, n_features: int = 6, n_labels: int = 4, missing: float = 0.05, seed: int = 0):
    schema = schema_of(n_features, 0, n_labels)
    return schema, *generated(schema, n, missing=missing, seed=seed)


# ---------------------------------------------------------------------- against the transcription


@pytest.mark.parametrize(
    "parameters",
    [{}, {"max_learners": 1}, {"max_learners": 5, "chunk": 8}, {"tau": 0.0}, {"tau": 10.0, "max_learners": 2},
     {"enhancement_nodes": 3, "shrink": 0.3}, {"enhancement_nodes": 9}],
)  # fmt: skip
def test_it_equals_its_transcription(parameters):
    schema, X, Y = stream(240)
    model = MLBELS(**QUICK | parameters).bind(schema)
    hand = ByHand(model, 6, 4)
    events = []
    for start in range(0, len(X), 7):
        part = slice(start, start + 7)
        expected = hand.answer(X[part])
        found = model.test_then_train(X[part], Y[part])
        np.testing.assert_allclose(found[0], expected[0], atol=1e-7)
        np.testing.assert_array_equal(found[1], expected[1])
        hand.learn(X[part], Y[part])
        events += [(event["kind"], event["position"], event["learners"]) for event in model.take_events()]
    assert events == hand.events
    assert {kind for kind, *_ in events} >= (
        {"started"} if parameters.get("max_learners", 3) < 3 else {"started", "set_aside"}
    )
    table = model.nodes()
    for label, name in enumerate(schema.labels):
        own = table[(table["label"] == name) & (table["left"] == -1)]
        assert own["born"].tolist() == [member.born for member in hand.labels[label].members]
        assert own["rows"].tolist() == [member.learned for member in hand.labels[label].members]


def test_rows_that_say_nothing_and_features_that_say_nothing():
    schema, X, Y = stream(120)
    X[:, 2] = 0.0
    X[5:25] = 0.0
    X[30:33] = np.nan
    X[60:70] = 7.0
    Y[40:80, 1] = 0
    model = MLBELS(**QUICK).bind(schema)
    hand = ByHand(model, 6, 4)
    for start in range(0, 120, 10):
        part = slice(start, start + 10)
        expected, found = hand.answer(X[part]), model.test_then_train(X[part], Y[part])
        np.testing.assert_allclose(found[0], expected[0], atol=1e-7)
        np.testing.assert_array_equal(found[1], expected[1])
        hand.learn(X[part], Y[part])


def test_a_singular_regression_is_solved_with_more_ridge():
    # one feature: the features lie on a line, and rounding leaves their products indefinite
    rng = np.random.default_rng(0)
    X = np.hstack([rng.random((400, 1)), np.zeros((400, 1))])
    Y = (X[:, :1] > 0.5).astype(np.uint8)
    model = MLBELS(chunk=100, ridge=1e-12, seed=0)
    scores, _ = model.test_then_train(X, Y)
    model.learn_many(X, Y)
    scores, _ = model.answer_many(X)
    assert np.isfinite(scores).all()
    assert all(np.isfinite(value).all() for value in (model._weights, model._all_weights))


# ---------------------------------------------------------------------- what comes later


def test_a_label_that_comes_later_has_a_learner_of_its_own():
    schema, X, Y = stream(100, missing=0.0)
    early = Schema(schema.features, schema.labels[:3])
    model = MLBELS(**QUICK)
    known = MLBELS(**QUICK).bind(schema)
    for i, (x, y) in enumerate(rows(schema, X, Y)):
        few = {label: flag for label, flag in y.items() if i >= 55 or label in early.labels}
        model.learn_one(x, few)
        if i == 54:
            assert model.schema.labels == early.labels
            before = model.answer_many(X[:20])
        if i == 55:
            # until it has learned, nothing is answered of it, and of the others what was before
            after = model.answer_many(X[:20])
            np.testing.assert_array_equal(after[0][:, 3], 0)
            assert not after[1][:, 3].any()
            assert before[0].shape[1] + 1 == after[0].shape[1]
    table = model.nodes()
    assert table[table["label"] == "l3"]["born"].min() == 55
    # rows before it came count as without it for all that is common: the same features as if it had been known
    known.learn_many(X, Y)
    np.testing.assert_array_equal(model._mapping, known._mapping)
    np.testing.assert_array_equal(model._gram, known._gram)


def test_a_feature_that_comes_later_begins_without_a_history():
    rng = np.random.default_rng(3)
    model = MLBELS(**QUICK)
    X = rng.random((60, 4))
    Y = (X[:, :2] > 0.5).astype(np.uint8)
    for i, (x, y) in enumerate(zip(X, Y, strict=True)):
        given = {f"x{j}": float(v) for j, v in enumerate(x) if j < 3 or i >= 45}
        model.learn_one(given, {f"l{k}": bool(flag) for k, flag in enumerate(y)})
        if i == 44:
            drawn = model._random.copy()
        if i == 45:
            np.testing.assert_array_equal(model._random[:3], drawn[:3])
            np.testing.assert_array_equal(model._random[4], drawn[3])
            np.testing.assert_array_equal(model._mapping[3], 0)
            np.testing.assert_allclose(model._cross[3] + model._cross[5], 0)
    assert model.schema.n_features == 4
    assert np.abs(model._mapping[3]).max() > 0
    twin = MLBELS.from_state(model.state())
    np.testing.assert_array_equal(twin.answer_many(X)[0], model.answer_many(X)[0])


# ---------------------------------------------------------------------- tuning


def test_fewer_learners_are_kept_at_once():
    schema, X, Y = stream(300)
    model = MLBELS(**QUICK | {"max_learners": 6}).bind(schema)
    model.learn_many(X, Y)
    firsts = model._label_of[model._status == 0]
    assert max(np.bincount(firsts)) > 2
    before = {label: model._ids[(model._label_of == label) & (model._status == 0)][0] for label in range(4)}
    model.tune(max_learners=2)
    inside = model._status == 0
    assert np.bincount(model._label_of[inside]).tolist() == [2] * 4
    for label, first in before.items():
        assert first in model._ids[inside & (model._label_of == label)]
    assert (model._answering <= 2).all()
    model.learn_many(X, Y)
    assert max(np.bincount(model._label_of[model._status == 0])) <= 2


# ---------------------------------------------------------------------- what is told of it


def test_what_pictures_are_told():
    schema, X, Y = stream(300)
    model = MLBELS(**QUICK).bind(schema)
    model.learn_many(X, Y)
    columns, history = model.node_columns(), model.node_history()
    assert len(set(columns["id"].tolist())) == len(columns["id"]) == len(history["values"])
    assert history["end"] == 300
    assert history["step"] == 10
    assert history["values"].shape[1] == 30
    for row in range(len(columns["id"])):
        known = np.flatnonzero(~np.isnan(history["values"][row]))
        if len(known):
            # it answered from the chunk after the first it learned until it left
            last = 300 if columns["left"][row] < 0 else columns["left"][row]
            assert known[-1] == last // 10 - 1
            assert (np.diff(known) == 1).all()
    # two at a time are never on the same line
    there = columns["left"] < 0
    places = list(zip(columns["group"][there].tolist(), columns["seat"][there].tolist(), strict=True))
    assert len(set(places)) == len(places)
    story = model.describe_node(int(columns["id"][-1]))
    assert story is not None
    assert story["label"] in schema.labels
    assert 0 <= story["usual"] <= 1
    assert model.describe_node(10**6) is None


def test_an_altered_state_is_refused():
    schema, X, Y = stream()
    model = MLBELS(**QUICK).bind(schema)
    model.learn_many(X, Y)
    state = model.state()
    wrong = [
        ("slots", 0, 10**6), ("slots", 0, -1), ("label_of", 0, 4), ("status", 0, 3), ("weights", (0, 0, 0), np.nan),
        ("mapping", (0, 0), np.inf), ("low", 0, np.nan),
    ]  # fmt: skip
    for key, place, value in wrong:
        assert_altered_is_refused(MLBELS, state, set_entry(key, place, value), key)
