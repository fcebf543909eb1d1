"""BalancedKNN and ML-KNN: equal to the sheets in loops, far away, on windows and chunks, cut anyhow."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.learners.points import _neighbours as kernels
from streamlab.schema import Feature, Schema
from tests.learners.balanced import by_hand
from tests.learners.states import assert_same


def made(n=150, p=4, K=4, seed=0, asked=40):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n + asked, p))
    Y = (X @ rng.normal(size=(p, K)) + rng.normal(size=(n + asked, K)) > 0.8).astype(np.uint8)
    return X[:n], Y[:n], X[n:], Y[n:]


# ---------------------------------------------------------------------- BKNN


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("b", "alpha", "sigma"), [(5, 0.5, 1.3), (1, 0.9, 0.2), (3, 0.0, 4.0), (200, 1.0, 1.0)])
def test_equals_the_naive_transcription(seed, b, alpha, sigma):
    X, Y, asked, _ = made(seed=seed)
    model = sl.BalancedKNN(n_neighbors=b, alpha=alpha, sigma=sigma).fit(X, Y)
    thresholds, scores, labels = by_hand.balanced_knn(X, Y, asked, b, alpha, sigma)
    np.testing.assert_allclose(model.decision_function(asked), scores, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(model.thresholds_, thresholds, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(model.predict(asked), labels)


def test_an_offset_of_the_data_changes_nothing():
    X, Y, asked, _ = made()
    near, far = (sl.BalancedKNN(sigma=1.0).fit(X + c, Y).decision_function(asked + c) for c in (0.0, 2.0**20))
    np.testing.assert_allclose(near, far, rtol=1e-8, atol=1e-8)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), alpha=st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_thresholds_maximise_equation_6(data, alpha):
    n = data.draw(st.integers(1, 25))
    f = np.array(data.draw(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.7, 3.0]), min_size=n, max_size=n)))
    relevant = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.uint8)
    found = np.empty(1)
    order = np.argsort(-f[:, None], axis=0, kind="stable")
    kernels.best_thresholds(f[:, None], order, relevant[:, None], alpha, found)
    if not relevant.any():
        assert found[0] == math.inf
        return
    value = by_hand.objective(f, relevant, found[0], alpha)
    # brute force over thresholds everywhere, not only at the scores
    grid = np.concatenate([f, f - 1e-9, f + 1e-9, [-9.0, 9.0]])
    assert value == pytest.approx(max(by_hand.objective(f, relevant, h, alpha) for h in grid), rel=1e-12)
    assert found[0] == by_hand.threshold(f, relevant, alpha)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), b=st.integers(1, 16), n=st.integers(1, 40))
def test_the_nearest_of_each_class_are_found_side_by_side_in_any_number(seed, b, n):
    rng = np.random.default_rng(seed)
    X, asked = rng.normal(size=(60, 2)).round(1), rng.normal(size=(n, 2)).round(1)
    Y = (rng.random((60, 6)) < [0.0, 0.02, 0.1, 0.5, 0.9, 0.3]).astype(np.uint8)
    model = sl.BalancedKNN(n_neighbors=b, sigma=2.0).fit(X, Y)
    squares = ((asked[:, None] - X) ** 2).sum(axis=2)
    sums = np.array([[np.exp(-np.sort(d[y > 0])[:b] / 4.0).sum() for y in Y.T] for d in squares])
    expected = 6 * sums / sums.sum(axis=1, keepdims=True) - 1
    np.testing.assert_allclose(model.decision_function(asked), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("scale", [1e3, 1e6, 1e50, 1e98])
def test_far_away_points_have_finite_scores(scale):
    X, Y, asked, _ = made()
    Y[:, 3] = 0
    model = sl.BalancedKNN().fit(X, Y)
    f = model.decision_function(asked * scale)
    assert np.isfinite(f).all()
    assert np.isfinite(model.predict_proba(asked * scale)).all()
    assert (f[:, 3] == -1.0).all()
    assert not model.predict(asked * scale)[:, 3].any()


def test_far_away_scores_are_those_of_the_exact_exponentials():
    from fractions import Fraction

    X = np.array([[0.0], [1.0], [3.0]])
    model = sl.BalancedKNN(n_neighbors=1, sigma=0.5).fit(X, np.eye(3, dtype=np.uint8))
    x = 40.0
    # s_k underflow (exp(-1369) at the most); their ratios do not
    logs = [-Fraction((x - c) ** 2) for c in (0.0, 1.0, 3.0)]
    ratios = np.array([math.exp(float(v - max(logs))) for v in logs])
    np.testing.assert_allclose(model.decision_function([[x]])[0], 3 * ratios / ratios.sum() - 1, rtol=1e-10, atol=1e-14)


def test_few_points_none_and_twins():
    X = np.array([[0.0], [0.0], [1.0], [5.0]])
    Y = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]], np.uint8)
    model = sl.BalancedKNN(n_neighbors=9, sigma=1.0).fit(X, Y)
    thresholds, scores, _ = by_hand.balanced_knn(X, Y, X, 9, 0.5, 1.0)
    np.testing.assert_allclose(model.thresholds_, thresholds, rtol=1e-12)
    np.testing.assert_allclose(model.decision_function(X), scores, rtol=1e-12, atol=1e-12)
    assert model.thresholds_[2] == math.inf
    assert not model.predict(X)[:, 2].any()
    single = sl.BalancedKNN().fit([[1.0]], [[1, 0]])
    assert single.predict([[2.0]]).tolist() == [[1, 0]]
    silent = sl.BalancedKNN().fit([[1.0], [2.0]], [[0, 0], [0, 0]])
    assert silent.predict([[2.0]]).tolist() == [[0, 0]]
    assert sl.BalancedKNN().fit(np.zeros((4, 2)), np.eye(4)).sigma_ == 1.0


def test_sigma_is_half_the_median_squared_distance():
    X, Y, *_ = made(n=30)
    squares = [((X[i] - X[j]) ** 2).sum() for i in range(30) for j in range(i)]
    assert sl.BalancedKNN().fit(X, Y).sigma_ == pytest.approx(np.median(squares) / 2, rel=1e-12)
    X, Y, *_ = made(n=400)
    sampled = [sl.BalancedKNN(seed=s).fit(X, Y).sigma_ for s in (0, 0, 1)]
    assert sampled[0] == sampled[1] != sampled[2]
    assert sampled[0] == pytest.approx(4.0, rel=0.25)


def test_categories_are_at_distance_one_and_missing_values_at_the_mean():
    schema = Schema((Feature("size"), Feature("on", ("no", "yes")), Feature("hue", ("r", "g", "b"))), ("a", "b"))
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=50), rng.integers(2, size=50), rng.integers(3, size=50)]).astype(float)
    Y = np.column_stack([X[:, 0] > 0, X[:, 2] == 1]).astype(np.uint8)
    model = sl.BalancedKNN(sigma=1.0).bind(schema).fit(X, Y)
    hues = np.array([X[:, 2] == c for c in range(3)]).T * math.sqrt(0.5)
    coded = np.column_stack([X[:, :2], hues])
    _, scores, _ = by_hand.balanced_knn(coded, Y, coded[:5], 5, 0.5, 1.0)
    np.testing.assert_allclose(model.decision_function(X[:5]), scores, atol=1e-10)
    blank = by_hand.scores(coded.mean(axis=0), coded, Y, 5, 1.0)
    np.testing.assert_allclose(model.decision_function([[np.nan] * 3])[0], blank, atol=1e-10)


# ---------------------------------------------------------------------- streams


def newest(Y, window):
    """The rows of each class's window, and of that of the rows without a label, rising."""
    groups = [*Y.T.astype(bool), ~Y.any(axis=1)]
    return [np.flatnonzero(group)[-window:] for group in groups]


def test_train_on_the_latest_chunk_equals_a_fit_of_it():
    X, Y, asked, _ = made(n=150)
    stream, batch = sl.BalancedKNN(train_on="chunk", chunk=60, sigma=1.0), sl.BalancedKNN(sigma=1.0)
    stream.learn_many(X, Y)
    batch.fit(X[60:120], Y[60:120])
    np.testing.assert_allclose(stream.decision_function(asked), batch.decision_function(asked), atol=1e-12)
    np.testing.assert_allclose(stream.thresholds_, batch.thresholds_, atol=1e-12)


@pytest.mark.parametrize("train_on", ["window", "chunk"])
def test_of_the_estimates_due_in_one_call_the_last_is_made(train_on, monkeypatch):
    X, Y, asked, _ = made(n=90)
    at_once, one_by_one = (sl.BalancedKNN(window=6, chunk=7, train_on=train_on) for _ in range(2))
    for row in range(90):
        one_by_one.learn_many(X[row : row + 1], Y[row : row + 1])
    estimates = []
    estimate = sl.BalancedKNN._estimate
    monkeypatch.setattr(sl.BalancedKNN, "_estimate", lambda self, *given: estimates.append(1) or estimate(self, *given))
    at_once.learn_many(X, Y)
    assert len(estimates) == 1
    assert_same(at_once.state(), one_by_one.state())
    np.testing.assert_array_equal(at_once.decision_function(asked), one_by_one.decision_function(asked))


def test_tuning_the_window_forgets_at_once():
    X, Y, *_ = made()
    model = sl.BalancedKNN(window=30)
    model.learn_many(X, Y)
    model.tune(window=4)
    np.testing.assert_array_equal(model.recent(999)["row"], np.unique(np.concatenate(newest(Y, 4))))
    model.tune(window=None)
    model.learn_many(X[:20], Y[:20])
    assert model.node_columns()["window"].sum() > 4 * 4


# ---------------------------------------------------------------------- what a view needs


def test_nodes_and_neighbourhood():
    X, Y, asked, _ = made()
    model = sl.BalancedKNN(window=20)
    model.learn_many(X, Y)
    nodes = model.nodes()
    assert list(nodes.columns) == ["label", "threshold", "window"]
    rows = newest(Y, 20)
    np.testing.assert_allclose(model.placed(X[:9]), X[:9, :2], atol=1e-12)
    assert model.describe_node(2)["label"] == nodes.label[2]
    assert model.describe_node(9) is None
    around = model.neighbourhood(asked[0])
    np.testing.assert_allclose(around["point"], asked[0, :2])
    np.testing.assert_array_equal(np.bincount(around["label"]), [5] * 4)
    np.testing.assert_allclose(around["points"], X[around["row"], :2], atol=1e-12)
    np.testing.assert_allclose(around["distance"], np.linalg.norm(X[around["row"]] - asked[0], axis=1))
    np.testing.assert_array_equal(around["predicted"], model.predict(asked[:1])[0])
    for k in range(4):
        expected = rows[k][np.argsort(np.linalg.norm(X[rows[k]] - asked[0], axis=1))[:5]]
        np.testing.assert_array_equal(around["row"][around["label"] == k], expected)
    by_name = model.neighbourhood({f.name: v for f, v in zip(model.schema.features, asked[0].tolist(), strict=True)})
    np.testing.assert_array_equal(by_name["row"], around["row"])
    assert model.recent(7)["points"].shape == (7, 2)


# ---------------------------------------------------------------------- ML-KNN


@pytest.mark.parametrize("count_self", [False, True])
@pytest.mark.parametrize(("k", "s"), [(10, 1.0), (1, 0.5), (3, 2.0)])
def test_ml_knn_equals_the_naive_transcription(k, s, count_self):
    X, Y, asked, _ = made(n=90)
    model = sl.MLKNN(n_neighbors=k, smoothing=s, count_self=count_self).fit(X, Y)
    expected = by_hand.ml_knn(X, Y, asked, k, s, count_self)
    np.testing.assert_allclose(model.predict_proba(asked), expected, rtol=1e-9)
    np.testing.assert_array_equal(model.predict(asked), expected >= 0.5)


def test_ml_knn_breaks_ties_by_age_and_takes_what_there_is():
    rng = np.random.default_rng(0)
    X, Y = rng.integers(0, 3, size=(60, 3)).astype(float), rng.integers(0, 2, size=(60, 3)).astype(np.uint8)
    for n, k in ((60, 5), (4, 10), (1, 10)):
        expected = by_hand.ml_knn(X[:n], Y[:n], X + 1e5, k, 1.0)
        ours = sl.MLKNN(n_neighbors=k).fit(X[:n], Y[:n])
        np.testing.assert_allclose(ours.predict_proba(X + 1e5), expected, rtol=1e-9)


def test_ml_knn_on_chunks_is_a_fit_of_the_latest_full_one():
    X, Y, asked, _ = made(n=150)
    stream = sl.MLKNN(chunk=60)
    stream.learn_many(X[:59], Y[:59])
    early = sl.MLKNN().fit(X[:32], Y[:32])
    np.testing.assert_array_equal(stream.predict_proba(asked), early.predict_proba(asked))
    stream.learn_many(X[59:], Y[59:])
    batch = sl.MLKNN().fit(X[60:120], Y[60:120])
    np.testing.assert_array_equal(stream.predict_proba(asked), batch.predict_proba(asked))


@pytest.mark.parametrize("name", ["yeast", "emotions"])
def test_ml_knn_equals_scikit_multilearn_s(name, shared_data, monkeypatch):
    adapt = pytest.importorskip("skmultilearn.adapt", reason="scikit-multilearn is not installed")
    from sklearn.neighbors import NearestNeighbors

    # a fault of theirs: the number of neighbours by position, which scikit-learn refuses since 1.0
    monkeypatch.setattr(adapt.mlknn, "NearestNeighbors", lambda k: NearestNeighbors(n_neighbors=k))
    chunk = next(iter(sl.load(shared_data / f"{name}.arff.gz", labels=str(shared_data / f"{name}.xml")).chunks(590)))
    (X, Y), (asked,) = (chunk.X[:400], chunk.Y[:400]), (chunk.X[400:],)
    # as it comes it counts a training point among its own neighbours
    theirs = adapt.MLkNN(k=10, s=1.0)
    theirs.fit(X, Y)
    ours = sl.MLKNN(count_self=True).fit(X, Y)
    np.testing.assert_allclose(ours.likelihoods_, theirs._cond_prob_true.toarray(), rtol=1e-9)
    np.testing.assert_allclose(ours.likelihoods_without_, theirs._cond_prob_false.toarray(), rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(asked), theirs.predict(asked).toarray())
    # told to leave the nearest out in training, but not in prediction, it does as the paper says
    theirs = adapt.MLkNN(k=10, s=1.0, ignore_first_neighbours=1)
    theirs.fit(X, Y)
    theirs.ignore_first_neighbours = 0
    ours = sl.MLKNN().fit(X, Y)
    joint = theirs.predict_proba(asked).toarray()
    np.testing.assert_allclose(ours.likelihoods_, theirs._cond_prob_true.toarray(), rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(asked), theirs.predict(asked).toarray())
    # their probabilities are not divided by that of the evidence
    prior_false, cond_false = theirs._prior_prob_false, theirs._cond_prob_false
    theirs._prior_prob_true, theirs._cond_prob_true = prior_false, cond_false
    np.testing.assert_allclose(
        ours.predict_proba(asked), joint / (joint + theirs.predict_proba(asked).toarray()), rtol=1e-9
    )


# ---------------------------------------------------------------------- faces


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sl.BalancedKNN(n_neighbors=0), "n_neighbors=0"),
        (lambda: sl.BalancedKNN(alpha=1.5), "alpha=1.5"),
        (lambda: sl.BalancedKNN(sigma=0.0), "sigma=0.0"),
        (lambda: sl.BalancedKNN(window=0), "window=0"),
        (lambda: sl.BalancedKNN(train_on="week"), "train_on='week': expected 'window' or 'chunk'"),
        (lambda: sl.BalancedKNN(seed=-1), "seed=-1"),
        (lambda: sl.MLKNN(smoothing=0), "smoothing=0"),
        (lambda: sl.MLKNN(chunk=0.5), "chunk=0.5"),
        (lambda: sl.MLKNN(count_self=2), "count_self=2"),
        (lambda: sl.MLKNN().fit(np.zeros((0, 2)), np.zeros((0, 1))), "no row"),
        (lambda: sl.BalancedKNN().fit([[math.inf]], [[1]]), "X row 0, feature 'x0': inf"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()
