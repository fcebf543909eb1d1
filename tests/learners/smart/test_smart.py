"""SMART against the transcription of its paper, and all that the paper does not have: merging, files, tuning, ids."""

from __future__ import annotations

import inspect
import json
import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open

from streamlab.learners import SMART, load_model
from streamlab.learners.smart import _kernels
from streamlab.schema import Feature, Schema
from tests.lab.made import made_arrays
from tests.learners.generated import generated, rows, schema_of
from tests.learners.smart.transcription import Transcription
from tests.learners.states import assert_altered_is_refused, assert_goes_on, assert_same


def columns_by_place(model: SMART) -> dict[tuple[int, int], np.ndarray]:
    """For each non-empty node (tree, heap index): weight, sizes and label sums, all faded to now."""
    columns = model.node_columns()
    sums = model._sums[columns["slot"]]
    faded = np.delete(sums, [_kernels.SEEN, _kernels.LAST], axis=1)
    faded *= (columns["weight"] / sums[:, _kernels.WEIGHT])[:, None]
    return dict(zip(zip(columns["tree"].tolist(), columns["node"].tolist(), strict=True), faded, strict=True))


def learn_in_chunks(model: SMART, X, Y, size: int = 100) -> SMART:
    for start in range(0, len(X), size):
        model.test_then_train(X[start : start + size], Y[start : start + size])
    return model


def bound(schema: Schema, **parameters) -> SMART:
    return SMART(**({"n_trees": 4, "height": 7, "seed": 3} | parameters)).bind(schema)


# ---------------------------------------------------------------------- the paper


def compare(model: SMART, paper: Transcription, X, Y, tunings: dict[int, dict], size: int = 100) -> None:
    """Run both over the stream with the tunings at their instants; every score and every label must agree."""
    for start in range(0, len(X), size):
        if start in tunings:
            model.tune(**tunings[start])
            paper.tune(**tunings[start])
        piece = slice(start, start + size)
        scores, labels = model.test_then_train(X[piece], Y[piece])
        expected_scores, expected_labels = paper.test_then_train(X[piece], Y[piece])
        np.testing.assert_allclose(scores, expected_scores, rtol=1e-9, atol=1e-250, err_msg=f"rows from {start}")
        np.testing.assert_array_equal(labels, expected_labels, err_msg=f"rows from {start}")


def compare_nodes(model: SMART, paper: Transcription) -> None:
    mine = columns_by_place(model)
    for node in (node for tree in paper.trees for node in tree.values()):
        node.fade(paper.now, paper.half_life)
    theirs = {
        (t, i): np.array([node.n, node.theta, *node.c])
        for t, tree in enumerate(paper.trees)
        for i, node in tree.items()
        if node.n >= 1e-12
    }
    assert mine.keys() == theirs.keys()
    places = list(mine)
    np.testing.assert_allclose(
        np.array([mine[p] for p in places]), np.array([theirs[p] for p in places]), rtol=1e-9, atol=1e-250
    )


@pytest.mark.nightly
def test_100_000_instances_with_the_half_life_changed_three_times_equal_the_paper():
    schema = schema_of(5, 1, n_labels=5)
    X, Y = generated(schema, 100_000, seed=1)
    model = bound(schema, n_trees=3, height=6, half_life=200)
    paper = Transcription(schema, 3, 6, 200, seed=3)
    half_lives = {20_000: 37.5, 45_000: math.inf, 70_000: 400}
    compare(model, paper, X, Y, {start: {"half_life": half_life} for start, half_life in half_lives.items()})
    compare_nodes(model, paper)


@pytest.mark.parametrize("half_life", [200.0, 15.0, math.inf])
def test_full_size_with_nominal_and_missing_values_equals_the_paper(half_life):
    schema = schema_of(6, 6, n_labels=22)
    X, Y = generated(schema, 400, missing=0.1, seed=2)
    model = bound(schema, n_trees=20, height=15, half_life=half_life)
    paper = Transcription(schema, 20, 15, half_life, seed=3)
    compare(model, paper, X, Y, {})
    compare_nodes(model, paper)


def test_nodes_that_fade_away_and_come_back_equal_the_paper():
    schema = schema_of(4, 2)
    X, Y = generated(schema, 4000, missing=0.1, seed=3)
    model, paper = bound(schema, half_life=3), Transcription(schema, 4, 7, 3, seed=3)
    compare(model, paper, X, Y, {})
    compare_nodes(model, paper)


@pytest.mark.parametrize(("half_life", "n"), [(1.0, 5000), (1e-3, 300)])
def test_weights_do_not_overflow(half_life, n):
    schema = schema_of(4)
    X, Y = generated(schema, n, seed=4)
    model, paper = bound(schema, half_life=half_life, height=5), Transcription(schema, 4, 5, half_life, seed=3)
    compare(model, paper, X, Y, {})
    assert np.isfinite(model._sums).all()
    assert model._clock[0] > 0


def test_trees_and_levels_that_come_and_go_equal_the_paper():
    schema = schema_of(4, 1)
    X, Y = generated(schema, 3000, missing=0.05, seed=5)
    tunings = {
        500: {"n_trees": 7},
        1000: {"height": 3},
        1500: {"height": 10, "half_life": 20},
        2000: {"n_trees": 2},
        2500: {"n_trees": 5, "height": 6, "half_life": math.inf},
    }
    model, paper = bound(schema), Transcription(schema, 4, 7, 200, seed=3)
    compare(model, paper, X, Y, tunings)
    compare_nodes(model, paper)
    assert (model.n_trees, model.height, model.half_life) == (5, 6, math.inf)


def test_equal_scores_are_decided_by_the_lower_label():
    model = SMART(n_trees=3, height=2, bounds=(0.0, 1.0), seed=0)
    model.learn_many(np.zeros((2, 1)), np.array([[0, 1, 1, 0], [0, 1, 1, 0]]))
    model.learn_many(np.zeros((2, 1)), np.array([[0, 0, 0, 0], [0, 0, 0, 0]]))
    # θ = 1 of the labels 1 and 2, whose counts are equal
    assert model.predict_many(np.zeros((1, 1))).tolist() == [[0, 1, 0, 0]]


def test_the_defaults_are_the_papers():
    parameters = inspect.signature(SMART).parameters
    assert [parameters[name].default for name in ("n_trees", "height", "half_life", "seed")] == [20, 15, 200, None]


# ---------------------------------------------------------------------- chunks


@pytest.fixture(scope="module", params=[True, False], ids=["ranges declared", "warm-up"])
def row_by_row(request):
    """A stream and the learner that learned it by ``learn_one``."""
    schema = schema_of(4, 2, ranges=request.param)
    X, Y = generated(schema, 260, missing=0.1, seed=8)
    model = bound(schema, half_life=9)
    for x, y in rows(schema, X, Y):
        model.learn_one(x, y)
    return schema, X, Y, model


@settings(max_examples=40, deadline=None, derandomize=True)
@given(cuts=st.sets(st.integers(1, 259)))
def test_any_chunking_equals_row_by_row_bit_for_bit(row_by_row, cuts):
    schema, X, Y, expected = row_by_row
    model = bound(schema, half_life=9)
    for start, stop in zip([0, *sorted(cuts)], [*sorted(cuts), 260], strict=True):
        model.learn_many(X[start:stop], Y[start:stop])
    np.testing.assert_array_equal(model.predict_proba_many(X), expected.predict_proba_many(X))
    mine, theirs = columns_by_place(model), columns_by_place(expected)
    assert mine.keys() == theirs.keys()
    assert all(np.array_equal(mine[place], theirs[place]) for place in mine)


def test_an_arena_that_grows_and_is_swept_in_mid_chunk_changes_nothing():
    schema = schema_of(8)
    X, Y = generated(schema, 4000, missing=0.02, seed=9)
    whole = bound(schema, height=12, half_life=4)
    whole.learn_many(X, Y)
    pieces = learn_in_chunks(bound(schema, height=12, half_life=4), X, Y, 17)
    assert len(whole._nodes) > 1024
    assert whole._cursor[_kernels.FREE] != 0
    np.testing.assert_array_equal(whole.predict_proba_many(X), pieces.predict_proba_many(X))


# ---------------------------------------------------------------------- ranges


def test_ranges_come_from_the_first_hundred_instances():
    schema = schema_of(3, 1, ranges=False)
    X, Y = generated(schema, 300, missing=0.1, seed=1)
    X[100:, :3] *= 50
    model = bound(schema)
    model.learn_many(X[:60], Y[:60])
    assert model._ranges.low is None
    assert model.now == 60
    model.learn_many(X[60:200], Y[60:200])
    np.testing.assert_array_equal(model._ranges.low, [*np.nanmin(X[:100, :3], axis=0), 0])
    np.testing.assert_array_equal(model._ranges.high, [*np.nanmax(X[:100, :3], axis=0), 0])
    assert model.now == 200
    assert (model.node_columns(0)["seen"] == 200).all()


def test_during_the_warm_up_the_roots_answer():
    schema = schema_of(3, ranges=False)
    X, Y = generated(schema, 80, seed=1)
    model, paper = bound(schema, half_life=10), Transcription(schema_of(3), 1, 1, 10, seed=3)
    model.learn_many(X[:50], Y[:50])
    paper.test_then_train(X[:50], Y[:50])
    model.tune(half_life=40)
    paper.tune(half_life=40)
    model.learn_many(X[50:], Y[50:])
    paper.test_then_train(X[50:], Y[50:])
    expected_scores, expected_labels = zip(*(paper.classify(x) for x in X[:3].tolist()), strict=True)
    np.testing.assert_allclose(model.predict_proba_many(X[:3]), expected_scores, rtol=1e-9)
    np.testing.assert_array_equal(model.predict_many(X[:3]), expected_labels)


def test_declared_bounds_come_before_the_schemas_before_the_datas():
    schema = schema_of(2, 1)
    X, Y = generated(schema, 5)
    model = bound(schema)
    model.learn_many(X, Y)
    assert (model._ranges.low.tolist(), model._ranges.high.tolist()) == ([0, 0, 0], [1, 1, 0])
    model = bound(schema, bounds=(-1.0, np.array([2.0, 3.0, 4.0])))
    model.learn_many(X, Y)
    assert (model._ranges.low.tolist(), model._ranges.high.tolist()) == ([-1, -1, -1], [2, 3, 4])


def test_a_half_declared_or_infinite_range_is_completed_from_the_data():
    schema = Schema((Feature("a", None, 0.0, math.inf), Feature("b", None, None, 9.0)), ("l",))
    X = np.random.default_rng(0).uniform(1, 2, (100, 2))
    model = bound(schema)
    model.learn_many(X, np.ones((100, 1)))
    assert (model._ranges.low.tolist(), model._ranges.high.tolist()) == ([0, X[:, 1].min()], [X[:, 0].max(), 9])


@pytest.mark.parametrize(
    "bounds", [5, (0, 1, 2), (1, 0), (0, math.inf), ("a", "b"), ([0, 0], [1, 1, 1]), (np.zeros((2, 2)), 1)]
)
def test_bad_bounds_are_refused(bounds):
    with pytest.raises(ValueError, match="bounds"):
        SMART(bounds=bounds)


def test_bounds_for_another_number_of_features_are_refused_and_nothing_changes():
    model = SMART(bounds=(np.zeros(2), np.ones(2)), seed=1)
    before = model.state()
    with pytest.raises(ValueError, match="bounds: low has 2 values; expected 3"):
        model.learn_many(np.zeros((4, 3)), np.zeros((4, 1)))
    assert_same(before, model.state())
    model.learn_one({"a": 0.5, "b": 0.5}, {"l": True})
    before = model.state()
    with pytest.raises(ValueError, match="bounds"):
        model.learn_one({"a": 0.5, "b": 0.5, "c": 0.5}, {"l": True})
    assert_same(before, model.state())


@pytest.mark.parametrize(
    "parameters",
    [
        *({"n_trees": 0}, {"n_trees": 1.5}, {"height": 0}, {"height": 41}, {"half_life": 0}, {"half_life": math.nan}),
        *({"warm_up": 0}, {"warm_up": 2.5}, {"warm_up": True}, {"seed": -1}, {"seed": 0.5}, {"seed": "x"}),
    ],
)
def test_bad_parameters_are_refused_by_name(parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        SMART(**parameters)


# ---------------------------------------------------------------------- tuning


def test_mutate_is_rivers_name_for_tune():
    model = SMART()
    assert model._mutable_attributes == {"half_life", "n_trees", "height", "decision"}
    model.mutate({"half_life": math.inf, "n_trees": 3})
    assert (model.half_life, model.n_trees, len(model._roots)) == (math.inf, 3, 3)


# ---------------------------------------------------------------------- merging


def split(X, Y, parts: list[np.ndarray], **parameters) -> list[SMART]:
    """A learner for each part of the rows, every instance with its global time stamp."""
    models = []
    for part in parts:
        models.append(bound(schema_of(4, 1), **parameters))
        for piece in np.array_split(part, max(1, len(part) // 100)):
            models[-1].learn_many(X[piece], Y[piece], timestamps=piece + 1)
    return models


def assert_equal_to(merged: SMART, whole: SMART, X) -> None:
    """To 1e-9 relative, except for what weighs less than an empty node: a part drops that at another instant."""
    assert merged.now == whole.now
    np.testing.assert_allclose(merged.predict_proba_many(X), whole.predict_proba_many(X), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(merged.predict_many(X), whole.predict_many(X))
    mine, theirs = columns_by_place(merged), columns_by_place(whole)
    assert mine.keys() == theirs.keys()
    for place, sums in mine.items():
        np.testing.assert_allclose(sums, theirs[place], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("half_life", [math.inf, 200.0, 20.0, 3.0])
def test_four_shards_merged_equal_one_learner(half_life):
    X, Y = generated(schema_of(4, 1), 4000, seed=11)
    whole, *_ = split(X, Y, [np.arange(4000)], half_life=half_life)
    first, *others = split(X, Y, [np.arange(k, 4000, 4) for k in range(4)], half_life=half_life)
    states = [other.state() for other in others]
    for other in others:
        assert first.merge(other) is first
    for state, other in zip(states, others, strict=True):
        assert_same(state, other.state())
    assert_equal_to(first, whole, X[:1000])
    # and both go on alike
    more_X, more_Y = generated(schema_of(4, 1), 600, seed=12)
    assert_equal_to(learn_in_chunks(first, more_X, more_Y), learn_in_chunks(whole, more_X, more_Y), X[:500])


@pytest.mark.parametrize("half_life", [math.inf, 200.0, 20.0])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_shards_of_unequal_recency_merge_in_any_order(half_life, order):
    X, Y = generated(schema_of(4, 1), 3000, seed=13)
    parts = np.split(np.arange(3000), [50, 1400, 2900])
    whole, *_ = split(X, Y, [np.arange(3000)], half_life=half_life)
    shards = split(X, Y, parts, half_life=half_life)
    merged = shards[order[0]]
    for k in order[1:]:
        merged.merge(shards[k])
    assert_equal_to(merged, whole, X[:1000])


def test_merging_into_a_fresh_learner_gives_a_copy():
    X, Y = generated(schema_of(4, 1), 500, seed=14)
    whole, *_ = split(X, Y, [np.arange(500)])
    assert_equal_to(bound(schema_of(4, 1)).merge(whole), whole, X)
    assert_equal_to(SMART(n_trees=4, height=7, seed=3).merge(whole), whole, X)
    before = whole.state()
    whole.merge(bound(schema_of(4, 1)))
    assert_same(before, whole.state())


def test_seen_instances_and_the_last_tick_are_merged_too():
    X, Y = generated(schema_of(4, 1), 1000, seed=15)
    whole, *_ = split(X, Y, [np.arange(1000)], half_life=math.inf)
    a, b = split(X, Y, [np.arange(0, 1000, 2), np.arange(1, 1000, 2)], half_life=math.inf)
    mine, theirs = a.merge(b).node_columns(), whole.node_columns()
    for name in ("tree", "node", "seen", "age", "depth", "top"):
        np.testing.assert_array_equal(mine[name], theirs[name], err_msg=name)


def other_bounds(**parameters) -> SMART:
    return SMART(n_trees=4, height=7, seed=3, bounds=(0.0, 2.0)).bind(schema_of(4, 1))


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (lambda: bound(schema_of(4, 1), seed=4), "seed is 3 here and 4 there"),
        (lambda: bound(schema_of(4, 1), half_life=100), "half_life is 200.0 here and 100 there"),
        (lambda: bound(schema_of(4, 1), height=6), "height is 7 here and 6 there"),
        (lambda: bound(schema_of(4, 1), n_trees=3), "n_trees is 4 here and 3 there"),
        (lambda: bound(schema_of(5)), r"features\[4\]"),
        (lambda: bound(schema_of(4, 1, n_labels=6)), "5 labels against 6"),
        (other_bounds, r"bounds of 'x0' are \[0, 1\] here and \[0, 2\] there"),
        (lambda: bound(schema_of(4, 1), warm_up=50), None),
    ],
)
def test_merging_what_differs_is_refused_by_name(other, what):
    schema = schema_of(4, 1)
    model = learn_in_chunks(bound(schema), *generated(schema, 200))
    other = other()
    learn_in_chunks(other, *generated(other.schema, 200))
    if what is None:
        model.merge(other)
        return
    before = model.state()
    with pytest.raises(ValueError, match=what):
        model.merge(other)
    assert_same(before, model.state())


def test_merging_needs_a_seed_ranges_and_another_smart():
    schema = schema_of(4, 1)
    X, Y = generated(schema, 20)
    seedless = [learn_in_chunks(bound(schema, seed=None), X, Y) for _ in range(2)]
    with pytest.raises(ValueError, match="seed=None"):
        seedless[0].merge(seedless[1])
    warming = [learn_in_chunks(bound(schema_of(4, 1, ranges=False)), X, Y) for _ in range(2)]
    with pytest.raises(ValueError, match="warm-up"):
        warming[0].merge(warming[1])
    with pytest.raises(ValueError, match="itself"):
        warming[0].merge(warming[0])
    with pytest.raises(ValueError, match="dict"):
        warming[0].merge({})


@pytest.mark.parametrize("timestamps", [[1, 2], [1, 1, 2], [3, 2, 4], [0, 1, 2], [1.0, 2.0, 3.0], [-3, -2, -1]])
def test_timestamps_that_do_not_rise_are_refused(timestamps):
    model = SMART(seed=1)
    before = model.state()
    with pytest.raises(ValueError, match="timestamps"):
        model.learn_many(np.zeros((3, 2)), np.zeros((3, 1)), timestamps=timestamps)
    assert_same(before, model.state())


def test_timestamps_are_the_times_of_the_instances():
    schema = schema_of(4, 1)
    X, Y = generated(schema, 50)
    model, paper = bound(schema, half_life=10), Transcription(schema, 4, 7, 10, seed=3)
    timestamps = np.cumsum(np.random.default_rng(0).integers(1, 9, 50))
    model.learn_many(X, Y, timestamps=timestamps)
    for x, y, timestamp in zip(X.tolist(), Y.tolist(), timestamps.tolist(), strict=True):
        paper.learn(x, y, timestamp)
    compare_nodes(model, paper)
    assert model.now == timestamps[-1]


# ---------------------------------------------------------------------- state


def fresh() -> SMART:
    return SMART(n_trees=4, height=9, half_life=30, seed=3)


def stage(name: str) -> tuple[SMART, np.ndarray, np.ndarray]:
    """A learner at some point of its life, and the stream that it goes on with."""
    schema = schema_of(5, 1, ranges=name != "in the warm-up")
    X, Y = generated(schema, 3000, missing=0.05, seed=16)
    if name == "unbound":
        return fresh(), X, Y
    model = fresh().bind(schema)
    if name == "in the warm-up":
        learn_in_chunks(model, X[:30], Y[:30])
        model.tune(half_life=7, n_trees=3)
        return learn_in_chunks(model, X[30:60], Y[30:60]), X[60:], Y[60:]
    if name == "learned":
        return learn_in_chunks(model, X[:700], Y[:700]), X[700:], Y[700:]
    if name == "tuned":
        learn_in_chunks(model, X[:700], Y[:700]).tune(height=4, n_trees=6, half_life=math.inf)
        return model, X[700:], Y[700:]
    if name == "swept":
        model.tune(half_life=2, height=12)
        learn_in_chunks(model, X[:2500], Y[:2500])
        assert model._cursor[_kernels.FREE] != 0
        return model, X[2500:], Y[2500:]
    return model, X, Y


STAGES = ["unbound", "bound", "in the warm-up", "learned", "tuned", "swept"]


@pytest.mark.parametrize("name", STAGES)
def test_a_restored_learner_goes_on_bit_for_bit(name):
    assert_goes_on(*stage(name), tune={"half_life": 11, "height": 6, "n_trees": 5})


def test_a_file_holds_tensors_and_json_only(tmp_path):
    model, *_ = stage("learned")
    with mock.patch("pickle.dumps", side_effect=AssertionError), mock.patch("pickle.dump", side_effect=AssertionError):
        model.save(tmp_path / "m.safetensors")
    with mock.patch("pickle.loads", side_effect=AssertionError), mock.patch("pickle.load", side_effect=AssertionError):
        load_model(tmp_path / "m.safetensors")
    with safe_open(tmp_path / "m.safetensors", framework="numpy") as file:
        header = json.loads(file.metadata()["streamlab"])
        assert header["learner"] == "SMART"
        assert {"nodes", "sums", "place"} <= set(file.keys())


def test_a_seedless_learner_keeps_its_trees():
    schema = schema_of(3)
    X, Y = generated(schema, 200)
    model = learn_in_chunks(bound(schema, seed=None), X, Y)
    twin = SMART.from_state(model.state())
    other = learn_in_chunks(bound(schema, seed=None), X, Y)
    np.testing.assert_array_equal(twin.predict_proba_many(X), model.predict_proba_many(X))
    assert not np.array_equal(other.predict_proba_many(X), model.predict_proba_many(X))


def test_array_bounds_and_unusual_names_survive_a_file(tmp_path):
    model = SMART(n_trees=2, height=3, bounds=(np.zeros(2), np.array([1.0, 2.0])), seed=1)
    model.learn_one({("a", 1): 0.5, 7: 1.5}, {3: True, ("b", 2): False})
    model.save(tmp_path / "m.safetensors")
    twin = load_model(tmp_path / "m.safetensors")
    assert twin.predict_one({("a", 1): 0.5, 7: 1.5}) == model.predict_one({("a", 1): 0.5, 7: 1.5})
    assert_same(model.state(), twin.state())


@pytest.mark.parametrize("part", ["nodes", "roots", "cursor"])
def test_a_state_that_points_outside_the_arena_is_refused(part):
    def alter(state):
        state[part].flat[5 if part == "nodes" else 0] = 4_000_000

    assert_altered_is_refused(SMART, stage("learned")[0].state(), alter, "")


# ---------------------------------------------------------------------- dictionaries


def test_without_features_the_latest_instances_answer():
    model = SMART(half_life=10, warm_up=20, seed=1)
    for i in range(100):
        model.learn_one({}, {"a": i < 50, "b": i >= 50})
    assert model.predict_one({}) == {"a": False, "b": True}
    assert len(model._warm_up_rows.X) == 20


def test_a_nominal_value_may_be_its_index_but_no_other_number():
    schema = schema_of(1, 1)
    by_name, by_index = bound(schema), bound(schema)
    by_name.learn_one({"x0": 0.5, "c0": "blue"}, {"l0": True})
    by_index.learn_one({"x0": 0.5, "c0": 2}, {"l0": True})
    assert_same(by_name.state(), by_index.state())
    for value in (4, -1, 0.5, True, ("blue",)):
        with pytest.raises(ValueError, match="c0"):
            by_name.learn_one({"x0": 0.5, "c0": value}, {"l0": True})
    assert_same(by_name.state(), by_index.state())


# ---------------------------------------------------------------------- the structure


def test_the_structure_is_consistent():
    schema = schema_of(4, 2)
    X, Y = generated(schema, 3000, missing=0.05, seed=18)
    model = bound(schema, half_life=10, height=9)
    for start in range(0, 3000, 100):
        model.test_then_train(X[start : start + 100], Y[start : start + 100])
        columns = model.node_columns()
        n = len(columns["id"])
        assert len(set(columns["id"].tolist())) == n
        row = {node: i for i, node in enumerate(columns["id"].tolist())}
        inner = columns["parent"] >= 0
        assert (columns["depth"][~inner] == 0).all()
        assert (columns["node"][~inner] == 0).all()
        assert (~inner).sum() == 4
        # every parent is there, and before its children
        at = np.array([row[p] for p in columns["parent"][inner].tolist()])
        assert (at < np.flatnonzero(inner)).all()
        assert (columns["node"][at] == (columns["node"][inner] - 1) // 2).all()
        assert (columns["tree"][at] == columns["tree"][inner]).all()
        # what the children hold is part of what their parent holds
        children = np.zeros(n)
        np.add.at(children, at, columns["share"][inner])
        assert (children <= columns["share"] * (1 + 1e-9)).all()
        np.testing.assert_allclose(columns["share"][~inner], 1.0)
        assert (columns["weight"] >= 1e-12).all()
        assert (columns["age"] >= 0).all()
        np.testing.assert_allclose(columns["retained"], columns["weight"] / columns["seen"])


def test_ids_are_never_used_again():
    schema = schema_of(4)
    X, Y = generated(schema, 6000, seed=19)
    model = bound(schema, half_life=1, height=8)
    place_of: dict[int, tuple[int, int]] = {}
    gone: set[int] = set()
    last: set[int] = set()
    for start in range(0, 6000, 20):
        model.test_then_train(X[start : start + 20], Y[start : start + 20])
        columns = model.node_columns()
        alive = set(columns["id"].tolist())
        for node, *place in zip(*(columns[c].tolist() for c in ("id", "tree", "node")), strict=True):
            assert place_of.setdefault(node, tuple(place)) == tuple(place)
        gone |= last - alive
        assert not alive & gone
        last = alive
    assert len(gone) > 1000


def test_memory_is_bounded_where_nodes_fade_away():
    schema = schema_of(8)
    X, Y = generated(schema, 30_000, seed=20)
    model = bound(schema, half_life=3, height=12)
    learn_in_chunks(model, X[:5000], Y[:5000])
    capacity = len(model._nodes)
    learn_in_chunks(model, X[5000:], Y[5000:])
    assert len(model._nodes) == capacity
    # swept many times over: far more nodes have been made than there is room for
    assert model._cursor[_kernels.NEXT_ID] > 20 * capacity
    in_use = model._sweep()
    assert in_use == len(model.node_columns()["id"])
    assert model._cursor[_kernels.N_FREE] + in_use + 1 == model._cursor[_kernels.TOP]


def test_the_table_of_nodes_has_names():
    schema = schema_of(3, 3)
    X, Y = generated(schema, 600, seed=21)
    model = learn_in_chunks(bound(schema), X, Y)
    table, columns = model.nodes(), model.node_columns()
    assert table.index.name == "id"
    assert list(table.columns) == [
        *("tree", "node", "parent", "depth", "feature", "category", "threshold", "weight", "share", "age", "seen"),
        *("retained", "cardinality", "top_labels"),
    ]
    nominal = table["feature"].str.startswith("c")
    assert nominal.any()
    assert table.loc[nominal, "category"].isin(schema.features[3].categories).all()
    assert table.loc[nominal, "threshold"].isna().all()
    assert table.loc[~nominal, "category"].isna().all()
    assert table.loc[~nominal, "threshold"].between(0, 1).all()
    first = [schema.labels[j] for j in columns["top"] if j >= 0]
    assert [labels[0] for labels in table["top_labels"] if labels] == first


def test_what_is_said_of_a_node_can_be_checked_against_the_data():
    schema = schema_of(2, 1)
    X, Y = generated(schema, 500, seed=22)
    model = bound(schema, half_life=math.inf)
    model.learn_many(X, Y)
    columns = model.node_columns()
    at = int(np.flatnonzero((columns["depth"] == 3) & (columns["seen"] > 20))[0])
    said = model.describe_node(int(columns["id"][at]))
    inside = np.ones(500, bool)
    for test in said["rule"]:
        if " > " in test or " ≤ " in test:
            name, sign, threshold = test.split(" ")
            passed = X[:, int(name[1])] > float(threshold)
            inside &= passed if sign == ">" else ~passed
        else:
            category = schema.features[2].categories.index(test.split(" ")[-1])
            inside &= (X[:, 2] == category) != (" is not " in test)
    # thresholds are printed to four digits
    assert abs(int(inside.sum()) - said["seen"]) <= 1
    assert said["depth"] == len(said["rule"]) == 3
    assert said["weight"] == said["seen"] == columns["seen"][at]
    assert model.describe_node(10**9) is None
    assert model.describe_node(-1) is None


@pytest.mark.parametrize("max_depth", [None, 0, 3])
@pytest.mark.parametrize("min_share", [0.0, 0.01])
def test_the_columns_have_every_node_that_is_not_left_out_in_the_order_of_its_place(max_depth, min_share):
    X, Y = made_arrays(900)
    X[::17, 1] = np.nan
    model = SMART(n_trees=4, height=7, half_life=12.0, seed=2, bounds=(0.0, 1.0))
    for start in range(0, 900, 150):
        model.learn_many(X[start : start + 150], Y[start : start + 150])
        top = int(model._cursor[0])
        tree, heap = model._place[:top, 0], model._place[:top, 1]
        weight = model._sums[:top, 0]
        kept = (heap >= 0) & (weight >= model._empty)
        kept &= weight >= min_share * model._sums[model._roots, 0][np.maximum(tree, 0)]
        depth = np.floor(np.log2(np.maximum(heap, 0) + 1)).astype(int)
        if max_depth is not None:
            kept &= depth <= max_depth
        slots = np.flatnonzero(kept)
        slots = slots[np.lexsort((heap[slots], depth[slots], tree[slots]))]
        assert len(slots)
        np.testing.assert_array_equal(model.node_columns(max_depth, min_share)["slot"], slots)
