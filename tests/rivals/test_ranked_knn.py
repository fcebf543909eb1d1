"""RankedKNN equals its formulas on dense, sparse and nominal rows, with gaps; and grows with its columns."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners.base.rows import SparseRows
from tests.learners.linear.test_online_logistic import ROWS, rows
from tests.rivals.by_hand import ranked_knn as by_hand

KINDS = ("dense", "sparse", "nominal", "half sparse")


@pytest.mark.whole
@pytest.mark.parametrize("window", [40, 1000])
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_it_equals_its_formulas(kind, seed, window):
    schema, X, Y = rows(kind, seed)
    scores, voters = by_hand.run(schema, X, Y, 7, window)
    model = sl.RankedKNN(n_neighbors=7, window=window).bind(schema)
    found, _ = model.test_then_train(X, Y)
    np.testing.assert_allclose(found, scores, 0, 1e-12)
    nodes = model.nodes()
    assert nodes[nodes["rank"] > 0].sort_values("rank")["id"].tolist() == [i for i in voters[-1] if i >= ROWS - window]
    asked = np.bincount([i for row in voters for i in row], minlength=ROWS)[-len(nodes) :]
    assert nodes["asked"].tolist() == asked.tolist()


@pytest.mark.parametrize("what", ["jumps", "units", "copies"])
def test_neighbours_are_exact_where_float32_tells_rows_hardly_apart(what):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 5))
    if what == "jumps":
        X += 1e4 * (np.arange(400) // 90)[:, None]
    elif what == "units":
        # float32 holds neither the first two nor what is small in the third
        X = X * [1e60, 1e-60, 1e-3, 1.0, 1.0] + [0.0, 0.0, 1e5, 0.0, 0.0]
    else:
        X = X[rng.integers(0, 30, 400)]
    Y = (X[:, :1] > np.median(X[:, 0])) | (rng.random((400, 4)) < 0.2)
    schema = sl.Schema(tuple(sl.Feature(f"x{j}") for j in range(5)), tuple("abcd"))
    scores, _ = by_hand.run(schema, X, Y.astype(np.uint8), 5, 250)
    found, _ = sl.RankedKNN(n_neighbors=5, window=250).bind(schema).test_then_train(X, Y.astype(np.uint8))
    np.testing.assert_allclose(found, scores, 0, 1e-12)


@pytest.mark.parametrize("late", [30, 180])
@pytest.mark.parametrize("kind", ["numbers", "words"])
def test_columns_and_categories_that_come_later_were_zero_or_missing(kind, late):
    rng = np.random.default_rng(0)
    x, words = rng.normal(size=240).round(3), rng.choice(list("abcd"), 240)
    model, rows_, flags = sl.RankedKNN(n_neighbors=5, window=200), [], []
    for i in range(240):
        row = {"x": x[i], "colour": words[i] if i > late or words[i] in "ab" else "b"}
        if i > late:
            row["new"] = float(x[i] > 0) + 1 if kind == "numbers" else "yes" if x[i] > 0 else "no"
        rows_.append(row)
        flags.append({"big": bool(x[i] > 0), "c": row["colour"] == "c"})
        model.learn_one(row, flags[-1])
    features = {feature.name: feature for feature in model.schema.features}
    gap = 0.0 if kind == "numbers" else np.nan
    X = np.array([[_number(features[name], row.get(name), gap) for name in features] for row in rows_])
    Y = np.array([[flag[label] for label in model.schema.labels] for flag in flags], np.uint8)
    points = by_hand.coordinates(model.schema, X)
    probe = {"x": 0.1, "colour": "c", "new": rows_[-1]["new"]}
    row = by_hand.coordinates(model.schema, np.array([[_number(features[n], probe[n], gap) for n in features]]))[0]
    near = by_hand.closeness(points, row, 40, sparse=False)
    order = 40 + np.lexsort([-np.arange(200), -near.round(9)])[:5]
    votes = 1 / np.arange(1, 6)
    expected = votes @ Y[order] / (votes.sum() + 0.3)
    found = model.predict_proba_one(probe)
    np.testing.assert_allclose([found[label][True] for label in model.schema.labels], expected, 0, 1e-12)


def _number(feature: sl.Feature, value: object, gap: float) -> float:
    if value is None:
        return gap
    return float(value) if feature.categories is None else float(feature.categories.index(value))


def test_a_window_that_is_tuned_keeps_the_latest_rows():
    schema, X, Y = rows("dense", 0)
    model, fresh = (sl.RankedKNN(window=window).bind(schema) for window in (120, 50))
    for part in (slice(0, 200), slice(200, 230), slice(230, ROWS)):
        model.learn_many(X[part], Y[part])
        fresh.learn_many(X[part], Y[part])
        if part.start == 0:
            model.tune(window=50, n_neighbors=9)
            fresh.tune(n_neighbors=9)
        assert model.nodes()["id"].tolist() == fresh.nodes()["id"].tolist()
        np.testing.assert_array_equal(model.answer_many(X)[0], fresh.answer_many(X)[0])
    model.tune(window=70)
    # fewer rows than its window, and more learned
    model = sl.RankedKNN.from_state(model.state())
    model.learn_many(X[:30], Y[:30])
    assert model.nodes()["id"].tolist() == list(range(ROWS - 40, ROWS + 30))
    assert model.sizes_before()[-31:].tolist() == [50, *range(51, 71), *[70] * 10]


def test_wide_rows_take_room_for_the_values_that_they_have():
    rng, n_features = np.random.default_rng(0), 1 << 18
    X = np.zeros((60, n_features))
    X[np.arange(60), rng.choice(n_features, 60)] = 1.0
    X[:, :3] = rng.random((60, 3)) < 0.5
    model = sl.RankedKNN().bind(sl.Schema.anonymous(n_features, 2))
    model.learn_many(SparseRows.of(X), X[:, :2].astype(np.uint8))
    assert model.n_bytes < 4e7
    twin = sl.RankedKNN.from_state(model.state())
    np.testing.assert_array_equal(twin.answer_many(SparseRows.of(X))[0], model.answer_many(SparseRows.of(X))[0])


CONTRADICTIONS = {
    "more rows than norms": ("counts", lambda a: np.add(a, [0, 0, 0, 1, 0])),
    "an oldest row that is none": ("counts", lambda a: np.add(a, [0, 0, 0, 0, 10**6])),
    "rows learned that are not held": ("counts", lambda a: np.multiply(a, [0, 1, 1, 1, 1])),
    "a column of no coordinate": ("list_columns", lambda a: a + 1000),
    "longer than its room": ("list_lengths", lambda a: a + 1000),
}


@pytest.mark.whole
@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_a_state_that_contradicts_itself_is_refused(what):
    schema, X, Y = rows("sparse", 0)
    model = sl.RankedKNN(window=100).bind(schema)
    model.learn_many(X, Y)
    key, change = CONTRADICTIONS[what]
    state = model.state()
    with pytest.raises(ValueError, match=f"RankedKNN contradicts itself: .*{key}"):
        sl.RankedKNN.from_state(state | {key: change(state[key]).astype(state[key].dtype)})


def test_points_of_rows_that_are_not_known_to_be_dense_are_refused():
    schema, X, Y = rows("dense", 0)
    model = sl.RankedKNN(window=100).bind(schema)
    model.learn_many(X, Y)
    state = model.state()
    sparse = state["counts"].copy()
    sparse[2] = sparse[1]
    with pytest.raises(ValueError, match="points has 100 rows; expected lists"):
        sl.RankedKNN.from_state(state | {"counts": sparse})
