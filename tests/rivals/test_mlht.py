"""MLHT against its plain transcription, and the contract of a learner."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from streamlab.rivals import MLHT
from tests.learners.generated import generated, schema_of
from tests.learners.mlhat.streams import learn_in_chunks, lists, stump_stream
from tests.learners.sparse_streams import chunkings, csr, wide
from tests.learners.states import assert_altered_is_refused, assert_same, set_entry
from tests.rivals.by_hand.mlht import ByHand

QUICK = {"grace_period": 60, "delta": 0.1, "tau": 0.15, "n_split_points": 5, "max_share_to_split": 1.0}


@pytest.fixture(scope="module")
def learned():
    """A learner that the tests share; whoever changes it takes a copy."""
    schema, X, Y = stump_stream(1500, missing=0.05, flips=(900,))
    model = MLHT(**QUICK).bind(schema)
    answers = learn_in_chunks(model, X, Y)
    return schema, X, Y, model, answers, model.copy().take_events()


@pytest.mark.parametrize(
    "how", [{}, {"missing": 0.15, "seed": 3}, {"flips": (300, 600), "seed": 4}], ids=["plain", "missing", "flips"]
)
@pytest.mark.parametrize("parameters", [{}, {"max_depth": 2, "min_branch_fraction": 0.2, "max_share_to_split": 0.7}])
def test_it_is_its_plain_transcription(how, parameters):
    schema, X, Y = stump_stream(900, **how)
    model = MLHT(**QUICK | parameters).bind(schema)
    twin = ByHand(model, schema)
    scores, labels = model.test_then_train(X, Y)
    for i, (x, y) in enumerate(lists(X, Y)):
        expected_scores, expected_labels = twin.test_then_train(x, y)
        assert labels[i].tolist() == expected_labels, i
        np.testing.assert_allclose(scores[i], expected_scores, atol=1e-9)
    splits = [event for event in model.take_events() if event["kind"] == "split"]
    assert len(splits) == len(twin.splits) > 0
    for event, (node, now, f, point, *numbers) in zip(splits, twin.splits, strict=True):
        assert (event["node"], event["position"], event["feature"]) == (node, now, schema.features[f].name)
        if event["threshold"] is not None:
            assert event["threshold"] == pytest.approx(point)
        assert [event[name] for name in ("gain", "second_gain", "epsilon")] == pytest.approx(numbers, abs=1e-9)


def test_a_single_leaf_answers_with_the_most_frequent_set_of_equals_the_first_seen():
    schema = schema_of(2, n_labels=2)
    X, Y = generated(schema, 300, seed=3)
    labels = MLHT(max_depth=0).bind(schema).test_then_train(X, Y)[1]
    seen: Counter = Counter()
    for i, y in enumerate(Y.tolist()):
        # most_common keeps the order in which equals came
        assert labels[i].tolist() == list(seen.most_common(1)[0][0] if seen else (0, 0)), i
        seen[tuple(y)] += 1


@pytest.mark.parametrize("value", [10**6, -2])
def test_an_altered_state_is_refused(learned, value):
    assert_altered_is_refused(MLHT, learned[3].state(), set_entry("best_set", 0, value), "best_set")


def test_a_compact_tree_answers_as_one_that_knows_all_columns(monkeypatch):
    X, Y = wide(900, 70)
    S = csr(X)
    plain = MLHT(**QUICK)
    monkeypatch.setattr(MLHT, "COMPACT_FROM", 50)
    compact = MLHT(**QUICK)
    for part in chunkings(len(X), 3):
        for mine, its in zip(
            compact.test_then_train(S[part], Y[part]), plain.test_then_train(X[part], Y[part]), strict=True
        ):
            np.testing.assert_array_equal(mine, its)
    again = MLHT.from_state(compact.state())
    assert_same(again.state(), compact.state())
    assert "place_cursor" in compact.state()


def test_a_bound_of_memory_stops_leaves():
    schema, X, Y = stump_stream(1500, flips=(700,), seed=2)
    free = MLHT(**QUICK).bind(schema)
    free.learn_many(X, Y)
    bounded = MLHT(**QUICK, max_bytes=int(0.7 * free.used_bytes)).bind(schema)
    bounded.learn_many(X, Y)
    assert bounded.used_bytes <= 0.7 * free.used_bytes < free.used_bytes
    assert "memory_limit" in {event["kind"] for event in bounded.take_events()}
    assert len(bounded.nodes()) < len(free.nodes())


def test_one_leaf_answers_a_row_the_same_for_all_that_end_there():
    rng = np.random.default_rng(0)
    X = rng.random((6000, 3))
    model = MLHT()
    model.test_then_train(X, (X[:, :2] > 0.5).astype(np.uint8))
    answers: dict[int, set[bytes]] = {}
    for x in rng.random((300, 3)):
        ((leaf, share),) = model.answer_parts(x)
        assert share == 1
        answers.setdefault(leaf, set()).add(model.predict(x[None])[0].tobytes())
    nodes = model.nodes()
    assert answers.keys() <= set(nodes.index[nodes.is_leaf])
    assert len(answers) >= 4
    assert all(len(each) == 1 for each in answers.values())
