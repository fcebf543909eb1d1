"""PrunedSets against its plain transcription, and the contract of a learner."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.rivals import PrunedSets
from streamlab.rivals import _hoeffding as base
from streamlab.rivals import _pruned_sets as kernels
from streamlab.rivals import pruned_sets_growth as growth
from tests.learners.generated import schema_of
from tests.learners.mlhat.streams import learn_in_chunks, lists, stump_stream
from tests.learners.states import assert_altered_is_refused, set_entry
from tests.rivals.by_hand.pruned_sets import ByHand

QUICK = {"buffer": 40, "support": 5, "grace_period": 60, "delta": 0.1, "tau": 0.2}


def categories_of(schema) -> list[int]:
    return [len(feature.categories or ()) for feature in schema.features]


@pytest.fixture(scope="module")
def learned():
    """A learner that the tests share; whoever changes it takes a copy."""
    schema, X, Y = stump_stream(1500, missing=0.05, flips=(900,))
    model = PrunedSets(**QUICK, reintroduce=2).bind(schema)
    answers = learn_in_chunks(model, X, Y)
    return schema, X, Y, model, answers, model.copy().take_events()


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"base": "bayes"},
        {"reintroduce": 2, "support": 3},
        {"support": 2, "max_depth": 1},
        {"buffer": 300, "support": 4, "reintroduce": 1},
    ],
    ids=["tree", "bayes", "reintroduced", "two sets", "long buffer"],
)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_it_is_its_plain_transcription(parameters, missing):
    schema, X, Y = stump_stream(600, missing=missing, seed=3)
    model = PrunedSets(**QUICK | parameters).bind(schema)
    twin = ByHand(model, schema.n_labels, categories_of(schema))
    scores, labels = model.test_then_train(X, Y)
    for i, (x, y) in enumerate(lists(X, Y)):
        expected_scores, expected_labels = twin.answer(x)
        np.testing.assert_allclose(scores[i], expected_scores, atol=1e-7, err_msg=str(i))
        assert labels[i].tolist() == expected_labels, i
        twin.learn(x, y)
    events = model.take_events()
    chosen = [event for event in events if event["kind"] == "sets_chosen"]
    assert [(e["position"], e["kept"], e["level"]) for e in chosen] == [(model.buffer, len(twin.classes), twin.level)]
    splits = [event for event in events if event["kind"] == "split"]
    assert [schema.features[f].name for f, *_ in twin.tree.splits] == [e["feature"] for e in splits]
    np.testing.assert_allclose([e["gain"] for e in splits], [s[2] for s in twin.tree.splits], atol=1e-7)
    assert splits or parameters.get("base") == "bayes" or parameters.get("buffer") == 300 or len(twin.classes) == 2


def test_weights_are_those_of_the_transcription():
    schema, X, Y = stump_stream(400, seed=5)
    weights = np.random.default_rng(2).poisson(1.0, len(X)).astype(float)
    model = PrunedSets(**QUICK, reintroduce=1).bind(schema)
    twin = ByHand(model, schema.n_labels, categories_of(schema))
    scores, labels, row = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8), 0
    while True:
        own, settings = (model._sets, model._forest, 0), model._settings()
        row = kernels.test_then_train(*own, X, Y, weights, row, settings, model._scratch, scores, labels)
        model._describe()
        if row == len(X):
            break
        model._make_room(X[row:])
    for i, (x, y) in enumerate(lists(X, Y)):
        expected, chosen = twin.answer(x)
        np.testing.assert_allclose(scores[i], expected, atol=1e-7)
        assert labels[i].tolist() == chosen
        if weights[i]:
            twin.learn(x, y, weights[i])


@pytest.mark.parametrize(
    ("weights", "support", "level"),
    [([5, 3, 1], 3, 0), ([5, 3, 1], 2, 1), ([5, 3, 3], 2, 2), ([4, 4, 4], 2, 3), ([1] * 12, 10, 0), ([9], 2, 0)],
)
def test_the_pruning_level(weights, support, level):
    weights = np.array(weights, float)
    p = 0
    while (weights > p).sum() > support:
        p += 1
    if p and (weights > p).sum() < 2:
        p -= 1
    assert kernels.pruning_level(weights, len(weights), float(support)) == p == level


def test_tuning_the_support_counts_when_the_buffer_is_full():
    Y = np.array([[1, 0]] * 6 + [[0, 1]] * 5 + [[1, 1]] * 4, np.uint8)
    X = np.linspace(0, 1, len(Y))[:, None]
    kept = {}
    for at in (0, 10, 15):
        model = PrunedSets(buffer=15, support=5)
        model.learn_many(X[:at], Y[:at])
        model.tune(support=2)
        model.learn_many(X[at:], Y[at:])
        kept[at] = model.nodes().labels.tolist()
    assert kept[0] == kept[10] == [["y0"], ["y1"]]
    assert kept[15] == [["y0"], ["y1"], ["y0", "y1"]]


def test_a_feature_that_is_new_is_missing_in_the_buffer():
    model, other = PrunedSets(buffer=40), PrunedSets(buffer=40)
    rng = np.random.default_rng(1)
    for i in range(120):
        x, y = {"a": float(rng.random()), "b": float(rng.random())}, {"l": bool(rng.random() < 0.5)}
        model.learn_one(x if i >= 25 else {"a": x["a"]}, y)
        other.learn_one(x if i >= 25 else {"a": x["a"], "b": None}, y)
    np.testing.assert_array_equal(model._forest.moments, other._forest.moments)


def test_the_empty_set_is_a_class_but_no_subset():
    schema = schema_of(1, n_labels=3)
    model = PrunedSets(buffer=10, support=2, reintroduce=3).bind(schema)
    Y = np.array([[0, 0, 0]] * 5 + [[1, 0, 0]] * 4 + [[0, 1, 0]], np.uint8)
    X = np.linspace(0, 1, 10)[:, None]
    model.learn_many(X, Y)
    assert model.nodes().labels.tolist() == [[], ["l0"]]
    assert model.nodes().weight.tolist() == [5, 4]
    model.learn_many(X[:2], np.array([[1, 1, 0], [0, 1, 1]], np.uint8))
    assert model.nodes().weight.tolist() == [5, 5]


def learn_row(pair, p, x, y, settings):
    """Answer and learn a row by component ``p``; returns the arrays as they then are, the answer, and what grew."""
    (sets, forest), n_splits = pair, 0
    scores, labels = np.zeros(len(y)), np.zeros(len(y), np.uint8)
    while True:
        scratch = growth.scratch_for(sets)
        kernels.pack(y, scratch.words)
        if not kernels.lacks_room(sets, forest, p, 1.0, settings, scratch):
            break
        n_splits += int(forest.cursor[base.N_EVENTS])
        sets.cursor[kernels.N_NOTED] = forest.cursor[base.N_EVENTS] = 0
        sets, forest = growth.with_room(sets, forest)
    leaf = kernels.answer(sets, forest, p, x, settings, scratch, scores, labels)
    kernels.learn(sets, forest, p, p, leaf, x, 1.0, settings, scratch)
    return (sets, forest), (scores.tolist(), labels.tolist()), n_splits


@pytest.mark.nightly
# ---------------------------------------------------------------------- states that were altered


@pytest.mark.parametrize(
    ("key", "place", "value", "words"),
    [
        ("marks", (0, kernels.BUFFER), 1, "a buffer that no other|0 to 0"),
        ("marks", (0, kernels.N_CLASSES), 0, "roots row 0"),
        ("roots", (0,), -1, "its own root"),
        ("links", (0, base.LEFT), 0, "two later nodes"),
        ("links", (-1, base.SLOT), 0, "each once"),
        ("links", (0, base.FEATURE), 99, "an index into"),
        ("links", (0, base.TREE), 1, "its own root"),
        ("links", (-1, base.TREE), -1, "an index into"),
    ],
)
def test_an_altered_state_is_refused(learned, key, place, value, words):
    assert_altered_is_refused(PrunedSets, learned[3].state(), set_entry(key, place, value), f"({words})")


def test_values_of_a_buffer_that_are_no_categories_are_refused(learned):
    schema, X, Y, *_ = learned
    model = PrunedSets(**QUICK).bind(schema)
    model.learn_many(X[:20], Y[:20])
    f = next(f for f, n in enumerate(categories_of(schema)) if n)
    for value in (99.0, -1.0, 0.5, 1e300):
        alter = set_entry("buffer_X", (0, 3, f), value)
        assert_altered_is_refused(PrunedSets, model.state(), alter, "buffer_X row 0")
    for n_sets in (0, 21):
        alter = set_entry("marks", (0, kernels.N_SETS), n_sets)
        assert_altered_is_refused(PrunedSets, model.state(), alter, "marks row 0")


def test_a_test_on_no_category_is_refused():
    rng = np.random.default_rng(3)
    schema = schema_of(0, 1, n_labels=1)
    X = rng.integers(0, 4, 300).astype(float)[:, None]
    Y = (X == 2).astype(np.uint8)
    model = PrunedSets(buffer=20, grace_period=50).bind(schema)
    model.learn_many(X, Y)
    assert len(model.state()["values"]) > 1
    words = "values row 0 is 7.0; expected the index of a category"
    assert_altered_is_refused(PrunedSets, model.state(), set_entry("values", (0, base.POINT), 7.0), words)
