"""MLHAT against its description by hand, and what every learner here keeps: chunks, files, tuning, ids, growth."""

from __future__ import annotations

import inspect
import json
import math
from collections import Counter
from unittest import mock

import numpy as np
import pytest
import river.checks

import streamlab as sl
from streamlab.learners import MLHAT, load_model
from streamlab.learners.mlhat import _tree as arena
from streamlab.schema import Feature, Schema
from tests.learners.generated import generated, rows, schema_of
from tests.learners.mlhat.by_hand import ByHand, Gains, Instance, h


def lists(X: np.ndarray, Y: np.ndarray):
    """The rows as the transcription takes them."""
    for x, y in zip(X.tolist(), Y.tolist(), strict=True):
        yield [None if v != v else v for v in x], y


def learn_in_chunks(model: MLHAT, X, Y, size: int = 100):
    answers = [model.test_then_train(X[i : i + size], Y[i : i + size]) for i in range(0, len(X), size)]
    return np.concatenate([scores for scores, _ in answers]), np.concatenate([labels for _, labels in answers])


def same_states(a: dict, b: dict) -> bool:
    return a.keys() == b.keys() and all(
        np.array_equal(a[k], b[k], equal_nan=a[k].dtype.kind == "f") and a[k].dtype == b[k].dtype
        if isinstance(a[k], np.ndarray)
        else a[k] == b[k]
        for k in a
    )


def stump_stream(n: int, *, seed: int = 0, missing: float = 0.0, flips: tuple[int, ...] = ()) -> tuple:
    """Labels that follow x0, x1 and a category in a way that a tree can split, and turn round at ``flips``."""
    rng = np.random.default_rng(seed)
    schema = schema_of(3, 1, n_labels=3)
    X = rng.random((n, 4))
    X[:, 3] = np.floor(X[:, 3] * 4)
    X[:, 2] = np.round(X[:, 2] * 5) / 5
    first = X[:, 0] > 0.4
    Y = np.column_stack([first, np.where(first, X[:, 1] > 0.6, X[:, 3] == 2), (X[:, 3] == 2) | (X[:, 2] > 0.7)])
    Y ^= rng.random(Y.shape) < 0.02
    for at in flips:
        Y[at:] = ~Y[at:]
    X[rng.random(X.shape) < missing] = np.nan
    return schema, X, Y.astype(np.uint8)


# quick to split and to switch, so that a short stream has it all
QUICK = {
    "grace_period": 60, "delta": 0.1, "tau": 0.3, "alternate_grace_period": 50, "switch_significance": 0.2,
    "cardinality_threshold": 120, "window": 40, "n_models": 3, "n_split_points": 5, "max_share_to_split": 1.0,
    "leaf_start": "fresh", "seed": 5,
}  # fmt: skip

# ---------------------------------------------------------------------- the description


@pytest.mark.parametrize(
    ("stream", "parameters", "expected"),
    [
        ({"n": 1500, "flips": (900,)}, {}, {"split", "alternate_started", "alternate_promoted"}),
        ({"n": 1200, "missing": 0.1, "flips": (600,)}, {"bootstrap": False}, {"split", "alternate_started"}),
        ({"n": 1200, "missing": 0.05, "flips": (500, 800)}, {"bootstrap": "strict", "poisson_rate": 1.5}, {"split"}),
        ({"n": 1200, "flips": (700,)}, {"leaf_start": "inherit", "entropy_threshold": 1.5}, {"split"}),
        ({"n": 1000, "missing": 0.05}, {"leaf_start": "inherit", "cardinality_threshold": 40}, {"split"}),
        ({"n": 1000, "flips": (600,)}, {"combine_alternates": False, "drift_measure": "subset"}, {"split"}),
        ({"n": 1000, "flips": (600,)}, {"alternate_on": "drift", "drift_measure": "micro_f1"}, {"split"}),
        ({"n": 900, "missing": 0.2}, {"drift_measure": "macro_f1", "max_depth": 1, "n_neighbors": 7}, {"split"}),
    ],
    ids=["bootstrap", "no bootstrap", "strict", "inherit", "inherit bags", "alone", "on drift", "shallow"],
)
def test_generated_streams_equal_the_description(stream, parameters, expected):
    schema, X, Y = stump_stream(**stream, seed=3)
    model = MLHAT(**QUICK | parameters).bind(schema)
    by_hand = ByHand(model, schema)
    scores, labels = learn_in_chunks(model, X, Y, 173)
    wanted = np.array([by_hand.test_then_train(x, y) for x, y in lists(X, Y)])
    np.testing.assert_allclose(scores, wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(labels, wanted > 0.5)
    events = model.take_events()
    mine = [(e["kind"], e["node"], e["position"]) for e in events]
    assert sorted(mine) == sorted(e[:3] for e in by_hand.events)
    assert expected <= {kind for kind, *_ in mine}
    splits = sorted(
        (e["position"], e["node"], e["gain"], e["second_gain"], e["epsilon"]) for e in events if e["kind"] == "split"
    )
    wanted_splits = sorted((e[2], e[1], *e[5:]) for e in by_hand.events if e[0] == "split")
    np.testing.assert_allclose(splits, wanted_splits, rtol=1e-8, atol=1e-10)
    columns = model.node_columns()
    order = np.argsort(columns["id"])
    names = ("id", "depth", "background", "is_leaf", "feature", "weight")
    assert list(zip(*(columns[n][order].tolist() for n in names), strict=True)) == by_hand.structure()


@pytest.mark.parametrize(("missing", "seed"), [(0.0, 1), (0.15, 2)])
def test_another_stream_equals_the_description(missing, seed):
    schema = schema_of(5, 2, n_labels=4)
    X, Y = generated(schema, 900, missing=missing, seed=seed)
    model = MLHAT(**QUICK | {"bootstrap": seed == 1}).bind(schema)
    by_hand = ByHand(model, schema)
    scores, _ = learn_in_chunks(model, X, Y)
    np.testing.assert_allclose(scores, [by_hand.test_then_train(x, y) for x, y in lists(X, Y)], rtol=1e-9, atol=1e-9)
    assert Counter(e["kind"] for e in model.take_events()) == by_hand.kinds()
    assert by_hand.kinds()["split"]


def test_sparse_rows_equal_the_description():
    rng = np.random.default_rng(4)
    n, width = 700, 30
    X = np.where(rng.random((n, width)) < 0.1, rng.normal(size=(n, width)) + 2.0, 0.0)
    X[:, :5] = np.round(X[:, :5], 1)
    X[:, 20:] = X[:, 20:] != 0
    X[:, 5] = np.where(rng.random(n) < 0.5, rng.random(n), 0.0)
    X[:, 19] = rng.random(n)  # no two rows equally far
    Y = np.column_stack([X[:, 5] > 0, X[:, 21] + X[:, 22] > 0, rng.random(n) < 0.3]).astype(np.uint8)
    categories = [None] * 20 + [("no", "yes")] * 5 + [("a", "b", "c")] * 5
    schema = Schema(tuple(Feature(f"f{i}", c) for i, c in enumerate(categories)), ("a", "b", "c"))
    model = MLHAT(**QUICK).bind(schema)
    by_hand = ByHand(model, schema)
    scores, _ = learn_in_chunks(model, X, Y)
    np.testing.assert_allclose(scores, [by_hand.test_then_train(x, y) for x, y in lists(X, Y)], rtol=1e-9, atol=1e-9)
    assert Counter(e["kind"] for e in model.take_events()) == by_hand.kinds()
    assert by_hand.kinds()["split"]


def test_the_defaults_are_the_descriptions():
    defaults = {
        "grace_period": 200, "delta": 1e-7, "tau": 0.05, "alternate_grace_period": 200, "switch_significance": 0.05,
        "cardinality_threshold": 750, "entropy_threshold": 0.3, "poisson_rate": 1.0, "bootstrap": True,
        "n_neighbors": 4, "window": 170, "n_models": 10, "learning_rate": 0.3, "intercept_learning_rate": 0.01,
        "drift_measure": "hamming", "alternate_on": "warning", "warning_delta": 0.01, "drift_delta": 0.002,
        "combine_alternates": True, "n_split_points": 10, "min_branch_fraction": 0.01, "max_share_to_split": 0.99,
        "max_depth": None, "max_bytes": None, "seed": None,
    }  # fmt: skip
    parameters = inspect.signature(MLHAT).parameters
    assert {name: parameters[name].default for name in defaults} == defaults
    assert set(parameters) - set(defaults) == {"leaf_start"}
    tunable = {t.name for t in MLHAT.tunables}
    assert set(defaults) - tunable == {
        *("n_models", "drift_measure", "warning_delta", "drift_delta", "n_split_points", "min_branch_fraction"),
        *("max_share_to_split", "seed"),
    }


def test_three_splits_worked_by_hand():
    """A tree whose every gain, R and ε follow from counts on paper: two switches, without chance."""
    schema = Schema((Feature("a", ("off", "on")), Feature("b", ("off", "on")), Feature("c", None)), ("p", "q"))
    # a decides p; where a is on, b decides q; where it is off, c <= 1 does
    pattern = [(a, b, c, a, b if a else int(c <= 1)) for a in (0, 1) for b in (0, 1) for c in (0.0, 1.0, 2.0, 3.0)]
    order = np.random.default_rng(0).permutation(16)
    data = np.array([pattern[i] for _ in range(60) for i in order])
    X, Y = data[:, :3], data[:, 3:].astype(np.uint8)
    quick = {"grace_period": 160, "delta": 1e-2, "tau": 0.0, "bootstrap": False, "leaf_start": "fresh", "seed": 0}
    model = MLHAT(**quick, max_share_to_split=1.0).bind(schema)
    learn_in_chunks(model, X, Y)
    splits = [e for e in model.take_events() if e["kind"] == "split"]
    assert sorted((e["node"], e["feature"]) for e in splits) == [(0, "a"), (1, "c"), (2, "b")]
    by_node = {e["node"]: e for e in splits}
    # the root after k attempts of 160: p is 1/2, q is 1/2 -> H0 = 2 bits; a leaves h(1/2) on both sides for q
    root = by_node[0]
    assert root["gain"] == pytest.approx(1.0, abs=1e-12)
    # b: q is 3/4 where b is on, 1/4 where it is off; c the same, cut at 1.5
    assert root["second_gain"] == pytest.approx(1.0 - h(0.75), abs=1e-12)
    assert root["epsilon"] == pytest.approx(math.sqrt(2.0**2 * math.log(100) / (2 * root["weight"])), rel=1e-12)
    assert root["gain"] - root["second_gain"] > root["epsilon"]
    earlier = math.sqrt(2.0**2 * math.log(100) / (2 * (root["weight"] - 160))) if root["weight"] > 160 else math.inf
    assert root["gain"] - root["second_gain"] <= earlier
    # two label sets on either side: R is 1; the other features say nothing
    for node in (1, 2):
        event = by_node[node]
        assert event["gain"] == pytest.approx(1.0, abs=1e-12)
        assert event["second_gain"] == pytest.approx(0.0, abs=1e-12)
        assert event["epsilon"] == pytest.approx(math.sqrt(math.log(100) / (2 * event["weight"])), rel=1e-12)
    assert by_node[1]["threshold"] == 1.5
    # leaves are pure and stay
    columns = model.node_columns()
    assert (columns["n_labelsets"][columns["is_leaf"]] == 1).all()
    assert (columns["regime"][columns["is_leaf"]] == 1).all()
    assert not columns["entropy"][columns["is_leaf"]].any()
    np.testing.assert_array_equal(model.predict_many(X), Y)
    # as it is by default, the leaf where p is certain would not have tried
    careful = MLHAT(**quick).bind(schema)
    learn_in_chunks(careful, X, Y)
    assert [e["node"] for e in careful.take_events() if e["kind"] == "split"] == [0, 1]


# ---------------------------------------------------------------------- the contract


def offline_datasets(model, scale: int = 1):
    schema = schema_of(8, n_labels=4, ranges=False)
    X, Y = generated(schema, 50 * scale)
    yield rows(schema, X, Y)


def river_checks():
    with mock.patch("river.checks._yield_datasets", offline_datasets):
        model = MLHAT(seed=1)
        for check in river.checks.yield_checks(model):
            if check.__name__ not in model._unit_test_skips():
                yield pytest.param(check, id=check.__name__)


@pytest.mark.parametrize("check", list(river_checks()))
def test_river_checks(check):
    check(MLHAT(grace_period=20, cardinality_threshold=30, seed=1).clone())


def test_the_package_knows_it():
    assert sl.MLHAT is MLHAT


@pytest.fixture(scope="module")
def learned():
    schema, X, Y = stump_stream(1500, missing=0.05, flips=(900,))
    model = MLHAT(**QUICK).bind(schema)
    answers = learn_in_chunks(model, X, Y)
    return schema, X, Y, model, answers, model.copy().take_events()


@pytest.mark.parametrize("size", [1, 7, 1500])
def test_cutting_has_no_effect(learned, size):
    schema, X, Y, model, (scores, labels), events = learned
    other = MLHAT(**QUICK).bind(schema)
    other_scores, other_labels = learn_in_chunks(other, X, Y, size)
    np.testing.assert_array_equal(scores, other_scores)
    np.testing.assert_array_equal(labels, other_labels)
    assert same_states(model.state(), other.state())
    assert other.take_events() == events


def test_learning_alone_and_dictionaries_learn_the_same(learned):
    schema, X, Y, *_ = learned
    many, one = MLHAT(**QUICK).bind(schema), MLHAT(**QUICK).bind(schema)
    many.learn_many(X[:400], Y[:400])
    for x, y in rows(schema, X[:400], Y[:400]):
        one.learn_one(x, y)
    assert same_states(many.state(), one.state())
    scores, labels = many.answer_many(X[400:450])
    for i, (x, _) in enumerate(rows(schema, X[400:450], Y[400:450])):
        assert [p[True] for p in one.predict_proba_one(x).values()] == scores[i].tolist()
        assert list(one.predict_one(x).values()) == labels[i].astype(bool).tolist()


def test_predicting_changes_nothing_and_is_what_testing_says(learned):
    schema, X, Y, *_ = learned
    model = MLHAT(**QUICK).bind(schema)
    for i in range(0, 1500, 50):
        before = model.state()
        expected = model.answer_many(X[i : i + 1])
        model.nodes()
        assert same_states(before, model.state())
        scores, labels = model.test_then_train(X[i : i + 50], Y[i : i + 50])
        np.testing.assert_array_equal(expected[0][0], scores[0])
        np.testing.assert_array_equal(expected[1][0], labels[0])


TUNED = {
    "grace_period": 90, "delta": 0.05, "tau": 0.1, "alternate_grace_period": 80, "switch_significance": 0.1,
    "cardinality_threshold": 60, "entropy_threshold": 0.6, "poisson_rate": 2.0, "bootstrap": "strict",
    "n_neighbors": 2, "window": 25, "learning_rate": 0.1, "intercept_learning_rate": 0.1, "alternate_on": "drift",
    "combine_alternates": False, "max_depth": 3, "max_bytes": 10**9,
}  # fmt: skip


@pytest.mark.parametrize("way", ["state", "file", "copy"])
@pytest.mark.parametrize("learned_rows", [0, 30, 1000])
def test_a_restored_learner_goes_on_bit_for_bit(learned, learned_rows, way, tmp_path):
    schema, X, Y, *_ = learned
    model = MLHAT(**QUICK).bind(schema)
    model.learn_many(X[:learned_rows], Y[:learned_rows])
    model.tune(window=30, cardinality_threshold=100)
    model.take_events()
    if way == "state":
        twin = MLHAT.from_state(model.state())
    elif way == "file":
        model.save(tmp_path / "m.safetensors")
        twin = load_model(tmp_path / "m.safetensors")
    else:
        twin = model.copy()
    assert same_states(model.state(), twin.state())
    for i in range(learned_rows, 1500, 100):
        if i == learned_rows + 200:
            model.tune(**TUNED)
            twin.tune(**TUNED)
        for a, b in zip(
            model.test_then_train(X[i : i + 100], Y[i : i + 100]),
            twin.test_then_train(X[i : i + 100], Y[i : i + 100]),
            strict=True,
        ):
            np.testing.assert_array_equal(a, b)
    assert same_states(model.state(), twin.state())
    assert model.take_events() == twin.take_events()
    assert model.nodes().equals(twin.nodes())


def test_a_state_is_flat_and_independent(learned):
    schema, X, Y, *_ = learned
    model = MLHAT(**QUICK).bind(schema)
    model.learn_many(X[:500], Y[:500])
    state, twin = model.state(), model.copy()
    assert all(isinstance(v, (np.ndarray, str, int, float, bool)) for v in state.values())
    json.dumps({k: v for k, v in state.items() if not isinstance(v, np.ndarray)})
    model.learn_many(X[500:], Y[500:])
    assert same_states(state, twin.state())


@pytest.mark.parametrize("part", ["links", "cursor", "heads", "window_sets", "pool_next"])
def test_a_state_that_points_outside_its_arenas_is_refused(learned, part):
    state = learned[3].state()
    state[part] = state[part].copy()
    state[part].flat[:] = 4_000_000
    with pytest.raises(ValueError, match="contradicts itself"):
        MLHAT.from_state(state)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("grace_period", v) for v in (0, 1.5, "x", None, math.inf)), ("delta", 0), ("delta", 1), ("tau", -1),
        ("bootstrap", "sometimes"), ("bootstrap", 1), ("alternate_on", "error"), ("combine_alternates", 0),
        ("max_depth", -1), ("max_depth", 1.5), ("max_bytes", -5), ("window", 0), ("n_neighbors", 0),
        ("learning_rate", -0.1), ("entropy_threshold", math.nan), ("switch_significance", 1.0),
    ],
)  # fmt: skip
def test_bad_values_are_refused_by_name_and_change_nothing(learned, name, value):
    with pytest.raises(ValueError, match=name):
        MLHAT(**{name: value})
    model = learned[3]
    before = model.state()
    with pytest.raises(ValueError, match=name):
        model.tune(window=33, **{name: value}) if name != "window" else model.tune(window=value)
    assert same_states(before, model.state())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("n_models", v) for v in (0, 2.5)), ("leaf_start", "warm"), ("drift_measure", "accuracy"), ("seed", -1),
        ("seed", 0.5), ("n_split_points", 0), ("min_branch_fraction", 0.6), ("max_share_to_split", 1.1),
        ("warning_delta", 0), ("drift_delta", 2),
    ],
)  # fmt: skip
def test_what_cannot_be_tuned_is_checked_too(name, value):
    with pytest.raises(ValueError, match=name):
        MLHAT(**{name: value})
    with pytest.raises(ValueError, match="no tunable parameter"):
        MLHAT().tune(**{name: value})


def test_a_bad_chunk_changes_nothing(learned):
    _, X, Y, model, *_ = learned
    before = model.state()
    for bad_X, bad_Y in ((np.full((5, 4), math.inf), Y[:5]), (X[:5, :3], Y[:5]), (X[:5], Y[:5] + 2)):
        with pytest.raises(ValueError, match=r"row|shape"):
            model.learn_many(bad_X, bad_Y)
    assert same_states(before, model.state())


def test_seeds_matter_and_no_seed_is_kept(learned):
    schema, X, Y, *_ = learned
    a, b = MLHAT(**QUICK | {"seed": None}).bind(schema), MLHAT(**QUICK | {"seed": None}).bind(schema)
    scores, _ = learn_in_chunks(a, X[:600], Y[:600])
    assert not np.array_equal(scores, learn_in_chunks(b, X[:600], Y[:600])[0])
    twin = MLHAT.from_state(a.state())
    np.testing.assert_array_equal(a.test_then_train(X[600:], Y[600:])[0], twin.test_then_train(X[600:], Y[600:])[0])


# ---------------------------------------------------------------------- growth


def test_features_labels_and_categories_may_come_later():
    model = MLHAT(grace_period=30, cardinality_threshold=60, seed=1)
    rng = np.random.default_rng(0)
    model.learn_one({}, {})
    assert model.predict_one({}) == {}
    for _ in range(1000):
        a = rng.random()
        model.learn_one({"a": a}, {"l0": a > 0.5})
    assert "feature_new" not in {e["kind"] for e in model.take_events() if e["position"] > 1}
    for i in range(400):
        a, b = rng.random(2)
        colour = ("red", "green", "blue", "grey")[int(4 * rng.random()) if i > 100 else i % 2]
        model.learn_one({"a": a, "b": b, "colour": colour}, {"l0": a > 0.5, "l1": (b > 0.5) ^ (colour == "red")})
    events = [e for e in model.take_events() if e["kind"].endswith("_new")]
    assert {(e["kind"], e.get("feature", e.get("label")), e["position"]) for e in events} == {
        ("feature_new", "b", 1001), ("feature_new", "colour", 1001), ("label_new", "l1", 1001),
    }  # fmt: skip
    assert model.schema.features[2].categories == ("red", "green", "blue", "grey") or set(
        model.schema.features[2].categories
    ) == {"red", "green", "blue", "grey"}
    assert model.now == 1401
    twin = MLHAT.from_state(model.state())
    assert same_states(model.state(), twin.state())
    right = 0
    for _ in range(200):
        a, b = rng.random(2)
        x, y = {"a": a, "b": b, "colour": "red"}, {"l0": a > 0.5, "l1": b <= 0.5}
        right += model.predict_one(x)["l0"] == y["l0"]
        for learner in (model, twin):
            learner.learn_one(x, y)
    assert right > 150
    assert same_states(model.state(), twin.state())


def test_a_schema_that_grows_equals_one_that_was_whole():
    rng = np.random.default_rng(2)
    X = rng.random((600, 3))
    X[:250, 2] = 0.0
    Y = (X > 0.6).astype(np.uint8)
    whole = MLHAT(**QUICK)
    grown = MLHAT(**QUICK)
    for i in range(600):
        names = ("a", "b", "c") if i >= 250 else ("a", "b")
        x = {n: float(X[i, j]) for j, n in enumerate(names)}
        y = {n: bool(Y[i, j]) for j, n in enumerate(names)}
        # a loss is a share of the labels known, so before the third comes the scores are compared, not the errors
        grown.learn_one(x, y)
        whole.learn_one(
            {n: float(X[i, j]) for j, n in enumerate("abc")}, {n: bool(Y[i, j]) for j, n in enumerate("abc")}
        )
    mine, theirs = grown.node_columns(), whole.node_columns()
    for name in ("id", "feature", "threshold", "weight", "depth"):
        np.testing.assert_array_equal(mine[name], theirs[name], err_msg=name)


def test_more_than_64_labels():
    rng = np.random.default_rng(0)
    X = rng.random((300, 4))
    Y = (rng.random((300, 130)) < 0.05).astype(np.uint8)
    Y[:, 129] = X[:, 0] > 0.5
    model = MLHAT(grace_period=50, seed=1)
    learn_in_chunks(model, X, Y)
    sets = {tuple(y) for y in Y.tolist()}
    assert model.node_columns()["n_labelsets"][0] == len(sets) or (~model.node_columns()["is_leaf"]).any()
    assert int(model._tree.cursor[arena.SETS_USED]) == len(sets)


def test_constant_feature_and_one_label_and_no_label():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(800, 3.0), rng.random(800)])
    for Y in (
        np.ones((800, 1), np.uint8), np.zeros((800, 1), np.uint8), np.zeros((800, 3), np.uint8),
        np.zeros((800, 0), np.uint8), (X[:, 1:] > 0.5).astype(np.uint8),
        np.column_stack([X[:, 1] > 0.5, np.zeros(800)]).astype(np.uint8),
    ):  # fmt: skip
        model = MLHAT(grace_period=50, delta=0.01, seed=1)
        scores, labels = learn_in_chunks(model, X, Y)
        assert scores.shape == Y.shape
        assert np.isfinite(scores).all()
        splits = [e for e in model.take_events() if e["kind"] == "split"]
        if len({tuple(y) for y in Y.tolist()}) < 2:
            assert not splits
            np.testing.assert_array_equal(labels[1:], Y[1:])
        else:
            assert splits[0]["feature"] == "x1"
            assert (labels[400:] == Y[400:]).mean() > 0.9


def test_no_features():
    model = MLHAT(seed=1)
    Y = (np.random.default_rng(0).random((300, 2)) < 0.5).astype(np.uint8)
    scores, _ = learn_in_chunks(model, np.zeros((300, 0)), Y)
    assert np.isfinite(scores).all()


def test_5000_features():
    rng = np.random.default_rng(0)
    X = np.where(rng.random((500, 5000)) < 0.01, 1.0, 0.0)
    X[:, 7] = rng.random(500) < 0.5
    Y = np.column_stack([X[:, 7], rng.random(500) < 0.2]).astype(np.uint8)
    model = MLHAT(grace_period=100, delta=1e-3, seed=1)
    scores, _ = learn_in_chunks(model, X, Y)
    assert np.isfinite(scores).all()
    splits = [e for e in model.take_events() if e["kind"] == "split"]
    assert [e["feature"] for e in splits[:1]] == ["x7"]


def test_the_search_may_be_spread_over_instances(learned):
    schema, X, Y, *_ = learned
    at_once, spread = (MLHAT(**QUICK | {"bootstrap": False}).bind(schema) for _ in range(2))
    spread._search_units = 1
    learn_in_chunks(at_once, X[:60], Y[:60])
    learn_in_chunks(spread, X[:60], Y[:60])
    assert spread._tree.links[0, arena.SEARCH] == 1
    assert at_once._tree.links[0, arena.SEARCH] == -1
    learn_in_chunks(spread, X[60:63], Y[60:63])
    assert spread._tree.links[0, arena.SEARCH] == -1
    learn_in_chunks(spread, X[63:], Y[63:])
    learn_in_chunks(at_once, X[60:], Y[60:])
    first = [next(e for e in m.take_events() if e["kind"] == "split") for m in (at_once, spread)]
    assert first[0]["feature"] == first[1]["feature"]
    assert 0 <= first[1]["position"] - first[0]["position"] <= 63


def test_the_depth_is_bounded_and_the_bound_can_change(learned):
    schema, X, Y, *_ = learned
    for depth in (0, 1, 2):
        model = MLHAT(**QUICK | {"max_depth": depth}).bind(schema)
        learn_in_chunks(model, X[:900], Y[:900])
        columns = model.node_columns()
        assert columns["depth"].max() == depth
        assert not columns["active"][columns["depth"] >= depth].any()
        model.tune(max_depth=None)
        assert model.node_columns()["active"][model.node_columns()["is_leaf"]].all()
        learn_in_chunks(model, X[:900], Y[:900])
        assert model.node_columns()["depth"].max() > depth
        model.tune(max_depth=1)
        assert not model.node_columns()["active"][model.node_columns()["depth"] >= 1].any()


def test_memory_is_bounded_with_events(learned):
    schema, X, Y, *_ = learned
    free = MLHAT(**QUICK).bind(schema)
    learn_in_chunks(free, X[:900], Y[:900])
    root_only = MLHAT(**QUICK | {"max_depth": 0}).bind(schema)
    learn_in_chunks(root_only, X[:1], Y[:1])
    bound = (root_only.used_bytes + free.used_bytes) // 2
    model = MLHAT(**QUICK | {"max_bytes": bound}).bind(schema)
    for i in range(0, 1500, 10):
        model.test_then_train(X[i : i + 10], Y[i : i + 10])
        assert model.used_bytes <= bound
    events = model.take_events()
    assert Counter(e["kind"] for e in events)["memory_limit"] == 1
    assert any(e["kind"] == "split" for e in events)
    off = [e for e in events if e["kind"] == "deactivated"]
    inactive = model.node_columns()
    assert off
    assert len(model.node_columns()["id"]) < len(free.node_columns()["id"]) or not inactive["active"].all()
    # with the bound gone all grow again
    model.tune(max_bytes=None)
    assert model.node_columns()["active"][model.node_columns()["is_leaf"]].all()
    # and with a bound under what there is, none does
    model.tune(max_bytes=1)
    model.learn_many(X[:1], Y[:1])
    assert not model.node_columns()["active"].any()
    assert {"memory_limit", "deactivated"} <= {e["kind"] for e in model.take_events()}


def test_memory_of_a_long_stream_stays_level():
    schema, X, Y = stump_stream(12_000, flips=tuple(range(600, 12_000, 600)), seed=9)
    model = MLHAT(**QUICK).bind(schema)
    learn_in_chunks(model, X[:6000], Y[:6000])
    held = model.n_bytes
    learn_in_chunks(model, X[6000:], Y[6000:])
    kinds = Counter(e["kind"] for e in model.take_events())
    assert kinds["alternate_promoted"] > 3
    assert model.n_bytes < 3 * held
    tree, cursor = model._tree, model._tree.cursor
    # every free list and its count agree
    for head, used, top, links in (
        (arena.NODE_FREE, arena.NODES_USED, arena.NODE_TOP, tree.links[:, arena.LEFT]),
        (arena.LEAF_FREE, arena.LEAVES_USED, arena.LEAF_TOP, tree.leaf_next),
        (arena.OBSERVER_FREE, arena.OBSERVERS_USED, arena.OBSERVER_TOP, tree.observer_next),
        (arena.POOL_FREE, arena.POOL_USED, arena.POOL_TOP, tree.pool_next),
    ):
        free, at = 0, int(cursor[head])
        while at >= 0:
            free, at = free + 1, int(links[at])
        assert free == cursor[top] - cursor[used]
    assert len(model.node_columns()["id"]) == cursor[arena.NODES_USED]


# ---------------------------------------------------------------------- the structure


def test_events_say_what_happened(learned):
    events = learned[5]
    kinds = {e["kind"] for e in events}
    assert {"split", "warning", "drift", "alternate_started", "alternate_promoted"} <= kinds
    positions = [e["position"] for e in events]
    assert positions == sorted(positions)
    for event in events:
        assert isinstance(event["message"], str)
        assert len(event["message"]) > 20
        json.dumps(event)
    split = next(e for e in events if e["kind"] == "split")
    assert split["gain"] - split["second_gain"] > split["epsilon"] or split["epsilon"] < QUICK["tau"]
    promoted = next(e for e in events if e["kind"] == "alternate_promoted")
    assert promoted["e"] - promoted["e_alternate"] > promoted["epsilon_alt"]
    assert promoted["nodes_lost"] >= 1
    assert promoted["nodes_gained"] >= 1


def test_the_structure_is_consistent_and_ids_are_never_used_again():
    schema, X, Y = stump_stream(4000, flips=(1000, 2000, 3000), seed=4)
    model = MLHAT(**QUICK).bind(schema)
    gone: set[int] = set()
    last: set[int] = set()
    for i in range(0, 4000, 50):
        model.test_then_train(X[i : i + 50], Y[i : i + 50])
        columns = model.node_columns()
        ids = columns["id"].tolist()
        at = {node: k for k, node in enumerate(ids)}
        assert len(at) == len(ids)
        assert not set(ids) & gone
        gone |= last - set(ids)
        last = set(ids)
        for k in range(len(ids)):
            parent, rival = int(columns["parent"][k]), int(columns["competes_with"][k])
            if parent >= 0:
                assert at[parent] < k
                assert columns["depth"][k] == columns["depth"][at[parent]] + 1
            if rival >= 0:
                assert columns["background"][k]
                assert columns["branch"][k] == columns["branch"][at[rival]]
            elif parent >= 0:
                assert columns["background"][k] == columns["background"][at[parent]]
        inner = ~columns["is_leaf"]
        assert (columns["feature"][inner] >= 0).all()
        own = columns["competes_with"] < 0
        for k in np.flatnonzero(inner):
            below = np.flatnonzero(own & (columns["parent"] == ids[k]))
            assert sorted(columns["branch"][below]) == [0, 1]
        assert all(len(v) == len(ids) for v in columns.values())
    assert gone
    assert len(MLHAT().node_columns()["id"]) == 0
    assert not len(MLHAT().nodes())


def test_the_table_of_nodes_has_the_columns_of_the_description(learned):
    table = learned[3].nodes()
    wanted = {
        *("parent", "competes_with", "is_leaf", "background", "depth", "feature", "operator", "threshold", "category"),
        *("weight", "weight_recent", "label_entropy", "n_labelsets", "top_labels", "error", "error_of_alternate"),
        *("epsilon_alt", "regime", "best", "second_best", "gain", "gap", "epsilon_spl", "next_attempt_in", "active"),
        *("born_at", "last_seen_at", "bytes"),
    }
    assert table.index.name == "id"
    assert wanted <= set(table.columns)
    leaves = table[table["is_leaf"]]
    assert leaves["regime"].isin(["none yet", "majority", "knn", "bagging"]).all()
    assert table.loc[~table["is_leaf"], "feature"].notna().all()


def test_the_story_of_a_node_can_be_checked_against_the_data():
    schema, X, Y = stump_stream(800)
    model = MLHAT(**QUICK | {"bootstrap": False}).bind(schema)
    learn_in_chunks(model, X, Y)
    columns = model.node_columns()
    assert columns["depth"].max() >= 2
    for node in columns["id"].tolist():
        story = model.describe_node(node)
        json.dumps(story)
        inside = np.ones(800, bool)
        for test in story["rule"]:
            words = test.split(" ")
            column = schema.feature_names.index(words[0])
            if words[1] in ("≤", ">"):
                passed = X[:, column] <= float(words[2])
                inside &= passed if words[1] == "≤" else ~passed
            else:
                category = schema.features[column].categories.index(words[-1])
                inside &= (X[:, column] == category) != (" is not " in test)
        came = np.flatnonzero(inside & (np.arange(800) >= story["born_at"]))
        if story["depth"] and all("x2" in t or "c0" in t for t in story["rule"]):
            assert story["weight"] == len(came)
        if not any("≤" in t or ">" in t for t in story["rule"]):
            assert story["last_rows"] == came[-20:].tolist()
        assert story["labels"] == sorted(story["labels"], key=lambda pair: -pair[1])
        assert len(story["last_rows"]) == min(20, story["weight"])
        assert len(story["error_history"]) == min(64, story["weight"] // 50)
    root = model.describe_node(0)
    assert root["weight"] == 800
    assert np.mean(root["error_history"]) == pytest.approx(np.mean(root["error_history"]), abs=1)
    leaf = model.describe_node(int(columns["id"][columns["is_leaf"] & (columns["weight"] > 20)][0]))
    assert leaf["race"]["instances_until_attempt"] > 0
    assert sum(w for _, w in leaf["labelsets"]) <= leaf["weight"]
    assert model.describe_node(10**9) is None
    assert model.describe_node(-1) is None
    assert MLHAT().describe_node(0) is None


def test_a_duel_is_told_from_both_sides():
    schema, X, Y = stump_stream(3000, flips=(800,), seed=1)
    model = MLHAT(**QUICK | {"alternate_grace_period": 1500, "combine_alternates": False}).bind(schema)
    learn_in_chunks(model, X, Y)
    columns = model.node_columns()
    at = int(np.flatnonzero(columns["competes_with"] >= 0)[0])
    alternate, node = int(columns["id"][at]), int(columns["competes_with"][at])
    mine, theirs = model.describe_node(alternate)["duel"], model.describe_node(node)["duel"]
    assert mine == theirs
    assert (mine["node"], mine["alternate"]) == (node, alternate)
    e, other, w, w2 = (mine[k] for k in ("e", "e_alternate", "weight", "weight_alternate"))
    bound = math.sqrt(2 * e * (1 - other) * (w + w2) * math.log(2 / 0.2) / (w * w2))
    assert mine["epsilon"] == pytest.approx(bound)
    table = model.nodes()
    assert table.loc[node, "epsilon_alt"] == pytest.approx(bound)


def test_gains_of_the_transcription_are_never_negative():
    schema, X, Y = stump_stream(200)
    gains = Gains([Instance(x, y, 1.0) for x, y in lists(X, Y)], [f.is_nominal for f in schema.features], 10, 0.0)
    for f in range(4):
        for candidate in gains.candidates(f):
            assert gains.gain(f, candidate) >= -1e-12
