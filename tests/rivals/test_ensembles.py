"""GOOWE and OnlineBagging equal their plain transcriptions and keep the contract of a learner."""

from __future__ import annotations

from operator import methodcaller

import numpy as np
import pytest
from river import linear_model

import streamlab as sl
from streamlab.measures import Counts, evaluate
from streamlab.rivals import GOOWE, HoeffdingTrees, OnlineBagging, committee
from streamlab.rivals.committee import BASES
from streamlab.schema import Feature, Schema
from tests.learners.generated import generated, rows, schema_of
from tests.learners.states import assert_altered_is_refused, assert_same, set_entry
from tests.rivals.by_hand.ensembles import BaggingByHand, GooweByHand

TREES = {"grace_period": 30, "delta": 0.1, "tau": 0.2, "seed": 1}
MAKERS = {
    "GOOWE": lambda **given: GOOWE(**{"n_models": 3, "chunk": 20} | TREES | given),
    "OnlineBagging": lambda **given: OnlineBagging(**{"n_models": 3, "detector": "adwin"} | TREES | given),
}
HANDS = {"GOOWE": GooweByHand, "OnlineBagging": BaggingByHand}


def stream(
    n: int = 260, n_features: int = 4, nominal: int = 1, n_labels: int = 4, seed: int = 0, missing: float = 0.05
):
    schema = schema_of(n_features, nominal, n_labels)
    X, Y = generated(schema, n, missing=missing, seed=seed)
    Y[n // 3 : n // 3 + 10] = 0
    return schema, X, Y


# ---------------------------------------------------------------------- against the transcriptions


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("more", [{}, {"n_models": 1}, {"chunk": 7}, {"poisson_rate": 2.5}, {"detector": None}])
def test_it_equals_its_transcription(name, base, more):
    wrong = "poisson_rate" in more or "detector" in more if name == "GOOWE" else "chunk" in more
    if wrong:
        pytest.skip("a parameter of the other one")
    n = 260 if name == "GOOWE" else 420
    schema, X, Y = stream(n)
    if name == "OnlineBagging":
        # a change that the detectors notice: easy rows, then labels turned
        Y = (X[:, :4] > 0.5).astype(np.uint8)
        Y[n // 2 :] = 1 - Y[n // 2 :]
    model = MAKERS[name](base=base, **more).bind(schema)
    hand = HANDS[name](model, [0, 0, 0, 0, 4], 4)
    expected = [np.zeros((n, 4)), np.zeros((n, 4), np.uint8)]
    for i in range(n):
        expected[0][i], expected[1][i] = hand.answer(X[i])
        hand.learn(X[i], Y[i])
    found = model.test_then_train(X, Y)
    # this transcription adds its squares up in another way, so that a tie may fall to the other side
    is_other = base == "pruned_sets"
    atol = 1e-7 if is_other else 1e-12
    np.testing.assert_allclose(found[0], expected[0], rtol=0, atol=atol)
    clear = np.abs(found[0] - 0.5) > (atol if is_other else -1)
    assert clear.mean() > 0.95
    np.testing.assert_array_equal(found[1][clear], expected[1][clear])
    replaced = [event["position"] for event in model.take_events() if event["kind"] == "replaced"]
    assert replaced == [position for position, _ in hand.replaced]
    has_trees = base in ("relevance", "chain")
    if name == "GOOWE" or (has_trees and model.detector and model.poisson_rate == 1 and model.n_models > 1):
        assert replaced
    if has_trees and not more:
        assert any(len(member.arrays["roots"]) < member.used()["nodes"] for member in model._members), "no split"


def test_one_member_per_label_is_hoeffding_trees():
    schema, X, Y = stream()
    model = GOOWE("relevance", n_models=1, chunk=10**6, **TREES).bind(schema)
    trees = HoeffdingTrees(grace_period=30, delta=0.1, tau=0.2).bind(schema)
    for each in (model, trees):
        each.learn_many(X[:256], Y[:256])
    np.testing.assert_array_equal(model._members[0].answer(X)[0], trees.answer_many(X)[0])


def test_a_logistic_chain_of_one_label_is_rivers_regression():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    Y = (X[:, :1] + X[:, 1:2] > 0).astype(np.uint8)
    model = GOOWE("logistic", chunk=10**6, seed=0).bind(schema_of(3, 0, 1, ranges=False))
    river = linear_model.LogisticRegression()
    model.learn_many(X[:256], Y[:256])
    for x, y in zip(X[:256], Y[:256, 0], strict=True):
        river.learn_one(dict(enumerate(x)), bool(y))
    expected = [river.predict_proba_one(dict(enumerate(x)))[True] for x in X]
    np.testing.assert_allclose(model._members[0].answer(X)[0][:, 0], expected, atol=1e-12)
    # of a single label the answer is the mean of the votes
    np.testing.assert_array_equal(model.predict_many(X)[:, 0], np.array(expected) > 0.5)


def test_equal_votes_answer_nothing():
    schema, X, Y = stream(missing=0.0)
    Y[:] = 1
    model = GOOWE(n_models=2, chunk=10, seed=0).bind(schema)
    model.learn_many(X[:40], Y[:40])
    scores, labels = model.answer_many(X)
    np.testing.assert_array_equal(scores, 0.5)
    assert not labels.any()
    # the votes of the members were the same: weights do not follow from them
    assert model._weights.tolist() == [1.0, 1.0]


# ---------------------------------------------------------------------- the contract


def test_without_a_seed_two_differ_and_a_restored_one_goes_on():
    schema, X, Y = stream()
    for make in MAKERS.values():
        model, other = make(seed=None).bind(schema), make(seed=None).bind(schema)
        for each in (model, other):
            each.learn_many(X[:150], Y[:150])
        twin = type(model).from_state(model.state())
        for each in (model, twin):
            each.learn_many(X[150:], Y[150:])
        assert_same(model.state(), twin.state())
        assert model.state()["entropy"] != other.state()["entropy"]
        assert not np.array_equal(model.predict_proba_many(X), other.predict_proba_many(X))


def test_a_nominal_feature_that_comes_later_was_missing_in_the_rows_of_the_chunk():
    model, told = (MAKERS["GOOWE"](base="relevance", chunk=40) for _ in range(2))
    told.bind(Schema((Feature("b"), Feature("late", ("no", "yes"))), ("l",)))
    rng = np.random.default_rng(0)
    for i in range(100):
        x = {"b": float(rng.random())} | ({"late": "no" if rng.random() < 0.6 else "yes"} if i >= 31 else {})
        y = {"l": bool((x["b"] > 0.5) ^ (rng.random() < 0.3))}
        model.learn_one(x, y)
        told.learn_one({"late": None} | x, y)
    asked = {"b": 0.5, "late": "no"}
    assert model.predict_proba_one(asked) == told.predict_proba_one(asked)


@pytest.mark.parametrize("base", ["relevance", "chain", "logistic"])
def test_a_new_column_leaves_what_was_known_as_it_was(base):
    schema, X, Y = stream(missing=0.0)
    model = GOOWE(base, n_models=2, chunk=30, **TREES)
    names = [feature.name for feature in schema.features]
    for x, y in rows(schema, X[:120], Y[:120]):
        model.learn_one({k: v for k, v in x.items() if k != names[1]}, y)
    votes = [
        member.answer(model._row(dict(zip(names[:1], X[0, :1], strict=True)), grow=False).values)
        for member in model._members
    ]
    # columns of all kinds, a category and a label come in; nothing is learned
    for member in model._members:
        features = [*member.features, sl.Feature("more"), sl.Feature("kind", ("a", "b", "c"))]
        colour = next(i for i, feature in enumerate(features) if feature.name == "c0")
        features[colour] = sl.Feature("c0", (*features[colour].categories, "pink"))
        member.widen(features, 5)
    row = model._row(dict(zip(names[:1], X[0, :1], strict=True)), grow=False).values
    row = np.column_stack([row, np.full((1, 2), np.nan)])
    for member, (before, _) in zip(model._members, votes, strict=True):
        np.testing.assert_array_equal(member.answer(row)[0][:, :4], before)


@pytest.mark.parametrize("name", MAKERS)
def test_the_number_of_members_may_change(name):
    schema, X, Y = stream(400)
    model = MAKERS[name](n_models=5).bind(schema)
    model.learn_many(X[:200], Y[:200])
    assert len(model._members) == 5

    def goodness():
        return np.sort(model._weights if name == "GOOWE" else model._history[model._rows_there(), -1])

    kept = goodness()[3:]
    model.tune(n_models=2)
    np.testing.assert_array_equal(goodness(), kept)
    twin = type(model).from_state(model.state())
    for each in (model, twin):
        each.learn_many(X[200:230], Y[200:230])
        each.tune(n_models=4)
        each.learn_many(X[230:], Y[230:])
    assert_same(model.state(), twin.state())
    assert len(model._members) == 4
    assert len(set(model._seats[model._rows_there()].tolist())) == 4


def test_another_chunk_counts_from_the_next_one_on():
    schema, X, Y = stream(100)
    model = GOOWE(n_models=10, chunk=20, seed=0).bind(schema)
    model.learn_many(X[:50], Y[:50])
    model.tune(chunk=5)
    twin = GOOWE.from_state(model.state())
    model.learn_many(X[50:72], Y[50:72])
    for i in range(50, 72):
        twin.learn_many(X[i : i + 1], Y[i : i + 1])
    assert_same(model.state(), twin.state())
    positions = [event["position"] for event in model.take_events()]
    assert positions == [20, 40, 60, 65, 70]
    history = model.node_history()
    assert (history["step"], history["end"], history["values"].shape[1]) == (5, 70, 2)


def test_what_cannot_fit_is_refused_with_a_number():
    for make in MAKERS.values():
        model = make(n_models=10)
        with pytest.raises(ValueError, match=r"would take 5\.1 GB for 10 members of 2,600 labels and 1,000 features"):
            model.bind(schema_of(1000, 0, 2600))
        assert model.schema.n_labels == 0
        model.bind(schema_of(3, 0, 2))
        small = make()
        small.learn_one({"a": 1.0}, {f"l{i}": True for i in range(30)})
        before = small.state()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(committee, "MOST_BYTES", 1_000_000)
            with pytest.raises(ValueError, match="take fewer members, features or labels, or base='logistic'"):
                small.learn_one({f"x{i}": 1.0 for i in range(200)}, {"l0": True})
        assert_same(before, small.state())


# ---------------------------------------------------------------------- states from outside


@pytest.mark.parametrize("name", MAKERS)
def test_an_altered_state_is_refused(name):
    schema, X, Y = stream()
    model = MAKERS[name]().bind(schema)
    model.learn_many(X, Y)
    state = model.state()
    wrong = [
        ("member1.order", 0, 9), ("member1.order", slice(0, 2), 1), ("member0.links", (0, 1), 10**6),
        ("member2.tallies", (0, 0, 0), np.nan), ("member2.n_categories", 0, 7), ("seats", slice(None), 0),
        ("ids", 0, 10**6),
    ]  # fmt: skip
    wrong += [("weights", 0, np.nan)] if name == "GOOWE" else [("filled", (0, 0), 6), ("window", (0, 0), 10**6)]
    empty = "weights" if name == "GOOWE" else "right"
    for alter in (
        *(set_entry(*each) for each in wrong),
        *(methodcaller("pop", key) for key in ("member1.links", "member2.order", "entropy")),
        *(methodcaller("update", {key: value}) for key, value in (("entropy", "-1"), (empty, state["ids"][:0]))),
    ):
        assert_altered_is_refused(type(model), state, alter, "")


# ---------------------------------------------------------------------- what is told of it


@pytest.mark.parametrize("name", MAKERS)
def test_what_pictures_are_told(name):
    schema, X, Y = stream(900)
    model = MAKERS[name]().bind(schema)
    model.learn_many(X, Y)
    columns, history = model.node_columns(), model.node_history()
    assert len(set(columns["id"].tolist())) == len(columns["id"]) == len(history["values"])
    assert history["end"] == 900
    assert (columns["group"] == -1).all()
    there = columns["left"] < 0
    assert sorted(columns["seat"][there].tolist()) == [0, 1, 2]
    assert (columns["rows"][there] > 0).all()
    story = model.describe_node(int(columns["id"][-1]))
    assert story is not None
    assert story["others"] == 2
    assert model.describe_node(10**6) is None
    if name == "GOOWE":
        # each has a cell for each chunk from its second on, until it left
        for row in range(len(columns["id"])):
            known = np.flatnonzero(~np.isnan(history["values"][row]))
            born, left = columns["born"][row] // 20, columns["left"][row] // 20 if columns["left"][row] > 0 else 45
            assert known.tolist() == list(range(max(born, 1), left))
        assert np.nanmax(history["values"][:, 1:], axis=0).tolist() == [1.0] * 44


# the program of GOOWE-ML answers nothing in its first chunk
FIGURES = [
    ("GOOWE", {"base": "chain", "chunk": 50}, "yeast", 50, 0.614),
    ("GOOWE", {"base": "relevance", "chunk": 50}, "yeast", 50, 0.612),
    ("GOOWE", {"base": "chain", "chunk": 100}, "yeast", 100, 0.599),
    ("OnlineBagging", {"base": "relevance"}, "yeast", 0, 0.606),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "parameters", "data", "unanswered", "f1"), FIGURES)
def test_the_figures_of_the_programs(name, parameters, data, unanswered, f1, shared_data):
    stream = sl.load(shared_data / f"{data}.arff.gz")
    chunks = list(stream.chunks(500))
    X, Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")
    found = []
    for seed in (0, 1, 2):
        labels = getattr(sl, name)(seed=seed, **parameters).bind(stream.schema).test_then_train(X, Y)[1]
        labels[:unanswered] = 0
        counts = Counts.zeros(stream.schema.n_labels).count(Y, labels)
        found.append(evaluate(counts, ["example_f1"])["example_f1"])
    assert np.mean(found) == pytest.approx(f1, abs=0.01)
