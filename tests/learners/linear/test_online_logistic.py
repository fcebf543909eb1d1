"""OnlineLogistic equals its formulas on dense, sparse and nominal rows, with gaps; and grows with its columns."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.linear import _kernels as kernels
from tests.learners.linear import by_hand

ROWS = 260


def rows(kind: str, seed: int) -> tuple[sl.Schema, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(5, [0.1, 1, 10, 1e4, 1, 1], (ROWS, 6))
    features = [sl.Feature(f"x{j}") for j in range(6)]
    if kind == "sparse":
        X = np.where(rng.random((ROWS, 40)) < 0.1, rng.normal(0, 3, (ROWS, 40)), 0.0)
        X[:5] = 0.0
        features = [sl.Feature(f"x{j}") for j in range(40)]
    if kind == "nominal":
        for j, k in ((1, 2), (3, 4)):
            X[:, j] = rng.integers(0, k, ROWS)
            features[j] = sl.Feature(f"x{j}", tuple("abcd"[:k]))
    if kind == "wide":
        # nearly a category for each row; the first ones are 0, and count once
        X[:, 1] = rng.integers(0, 150, ROWS)
        X[:20, 1] = 0.0
        features[1] = sl.Feature("x1", tuple(f"c{k}" for k in range(150)))
    if kind == "half sparse":
        # sparse at first, dense by row 100
        X[:, :4] *= (rng.random((ROWS, 4)) < np.linspace(0, 1, ROWS)[:, None] * 3) & (np.arange(ROWS) > 9)[:, None]
        X[:, 4] = 0.0
        X[:50, 5] = 7.0
    Y = (rng.random((ROWS, 9)) < 0.1) | (X[:, :1] > np.median(X[:, 0]))
    Y[:, 7] = False
    Y[:150, 8] = False
    Y = Y.astype(np.uint8)
    if kind != "sparse" or seed % 2:
        X[rng.random(X.shape) < 0.1] = np.nan
    return sl.Schema(tuple(features), tuple(f"l{j}" for j in range(9))), X, Y


@pytest.mark.whole
@pytest.mark.parametrize("fading", [1.0, 0.97])
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("kind", ["dense", "sparse", "nominal", "wide", "half sparse"])
def test_it_equals_its_formulas(kind, seed, fading):
    schema, X, Y = rows(kind, seed)
    scores, w, b = by_hand.run(schema, X, Y, 0.5, fading, 0.4)
    model = sl.OnlineLogistic(step=0.5, fading=fading, intercept_step=0.4).bind(schema)
    found, _ = model.test_then_train(X, Y)
    np.testing.assert_allclose(found, scores, 0, 1e-12)
    np.testing.assert_allclose(model.weights_, w, 1e-10, 1e-11)
    np.testing.assert_allclose(model.intercepts_, b, 0, 1e-11)
    assert by_hand.is_sparse(by_hand.counted(schema, X)) == (kind == "sparse")


def test_labels_that_come_later_have_learned_that_they_were_false():
    schema, X, Y = rows("dense", 0)
    known, grown = sl.OnlineLogistic().bind(schema), sl.OnlineLogistic()
    known.learn_many(X, Y)
    for i, (x, y) in enumerate(zip(X, Y, strict=True)):
        row = {f"x{j}": None if np.isnan(value) else value for j, value in enumerate(x)}
        grown.learn_one(row, {f"l{j}": bool(y[j]) for j in range(9) if i >= 150 or j < 7})
    assert grown.schema.labels == known.schema.labels
    np.testing.assert_array_equal(grown.weights_, known.weights_)
    np.testing.assert_array_equal(grown.intercepts_, known.intercepts_)


def test_new_features_and_categories_find_their_weights():
    model, rng = sl.OnlineLogistic(decision="half"), np.random.default_rng(0)
    x, said = rng.normal(size=400), rng.choice(list("abcd"), 400)
    for i in range(400):
        row = {"x": x[i], "colour": said[i] if i > 200 or said[i] in "ab" else "b"}
        if i > 100:
            row |= {"late": x[i] * 2 + 5, "word": "yes" if x[i] > 0 else "no"}
        model.learn_one(row, {"big": x[i] > 0, "c": row["colour"] == "c"})
    words = {f.name: f.categories for f in model.schema.features}
    weights = model.nodes().set_index(["label", "feature", "category"])["weight"]
    assert weights["c"].idxmax() == ("colour", "c")
    assert set(weights["big"].head(3).index.get_level_values("feature")) == {"x", "late", "word"}
    assert set(weights.index.get_level_values("category").dropna()) == {*words["colour"][1:], words["word"][1]}
    # coordinates: colour (3), x, late, word
    np.testing.assert_array_equal(model._starts, [0, 3, 4, 5])
    seen = model._seen[model._place_of]
    assert seen[:, kernels.GAPS].tolist() == [0, 0, 0, 0, 0, 101]
    assert seen[:, kernels.COUNT].tolist()[4:] == [299, np.sum(np.where(x[101:] > 0, "yes", "no") == words["word"][1])]


def test_a_label_that_was_never_true_takes_no_column():
    X, Y = np.random.default_rng(0).normal(size=(300, 5)), np.zeros((300, 1000), np.uint8)
    Y[:, ::100] = X[:, :1] > 0
    model = sl.OnlineLogistic()
    model.learn_many(X, Y)
    assert model._top[kernels.COLUMNS] == 11
    assert model._weights.shape == (5, 16)
    assert len(model.nodes()) == 50
    assert (model.weights_[:, 1:100] == model.weights_[:, 1:2]).all()


def test_wide_rows_keep_the_coordinates_that_were_seen():
    rng, n_features = np.random.default_rng(0), 1 << 18
    X = np.zeros((60, n_features))
    columns = rng.choice(n_features, 90, replace=False)
    X[np.arange(60), rng.choice(columns, 60)] = 1.0
    X[:2, columns] = 1.0
    model = sl.OnlineLogistic().bind(sl.Schema.anonymous(n_features, 2))
    model.learn_many(SparseRows.of(X), (X[:, columns[:2]] > 0).astype(np.uint8))
    assert model._top[kernels.PLACES] == 90
    assert model.n_bytes < 2e7
    twin = sl.OnlineLogistic.from_state(model.state())
    np.testing.assert_array_equal(twin.answer_many(SparseRows.of(X))[0], model.answer_many(SparseRows.of(X))[0])


def test_no_value_is_too_large_and_none_too_small():
    X = np.array([[1e100, -1e100, 1e-100], [-1e100, 0.0, 0.0], [0.0, 1e-100, 0.0]] * 60)
    for kept in (X, np.hstack([X, np.zeros((180, 20))])):
        scores, _ = sl.OnlineLogistic(step=1000, intercept_step=1000).test_then_train(
            kept, (X[:, :2] > 0).astype(np.uint8)
        )
        assert np.isfinite(scores).all()
        assert ((scores > 0.5) == (X[:, :2] > 0))[90:].all()


CONTRADICTIONS = {
    "a place twice": ("place_of", lambda a: np.where(a == 1, 0, a).astype(np.int32)),
    "a column twice": ("column_of", lambda a: np.where(a == 1, 2, a).astype(np.int32)),
}


@pytest.mark.whole
@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_a_state_that_contradicts_itself_is_refused(what):
    schema, X, Y = rows("nominal", 0)
    model = sl.OnlineLogistic().bind(schema)
    model.learn_many(X, Y)
    key, change = CONTRADICTIONS[what]
    with pytest.raises(ValueError, match=f"OnlineLogistic contradicts itself: .*{key}"):
        sl.OnlineLogistic.from_state(model.state() | {key: change(model.state()[key])})


def test_a_state_without_whole_blocks_of_columns_is_refused():
    state = sl.OnlineLogistic().state()
    cut = {key: state[key][..., :4].copy() for key in ("weights", "squares", "intercepts", "intercept_squares")}
    with pytest.raises(ValueError, match="weights has 4 columns; expected a multiple of 8"):
        sl.OnlineLogistic.from_state(state | cut)
