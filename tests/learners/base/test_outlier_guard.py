"""What is let in: numbers that can be reckoned with; of what is far from all before, one reading is lost."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.learners.base.rows import LARGEST, Rows
from tests.learners.states import assert_same

TRANSFORMERS = {"StandardScaler": sl.StandardScaler, "BalancedLDA": sl.BalancedLDA}
SOME = {
    "SMART": lambda: sl.SMART(seed=1),
    "BalancedKNN": sl.BalancedKNN,
    "scaled BalancedKNN": lambda: sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(),
    **TRANSFORMERS,
}
"""Each kind: of rows, of chunks, a pipeline, transformers. Each learner is asked in ``tests/test_testing.py``."""


def stream(n: int = 400, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.random((n, 4))
    return X, (X[:, :3] > 0.5).astype(np.uint8)


# ---------------------------------------------------------------------- numbers


@pytest.mark.parametrize("value", [1e155, -1e300, 1.01 * LARGEST])
@pytest.mark.parametrize("made", SOME.values(), ids=SOME)
def test_what_is_too_large_is_refused_with_its_place(made, value):
    model = made()
    X, Y = stream(40)
    learn = (lambda X: model.learn_many(X, Y)) if not isinstance(model, sl.StandardScaler) else model.learn_many
    learn(X)
    before = model.state()
    X[7, 2] = value
    with pytest.raises(ValueError, match=r"X row 7, feature 'x?2': .*1e\+100 in magnitude"):
        learn(X)
    frame = pd.DataFrame(X, columns=[f.name for f in model.schema.features])
    with pytest.raises(ValueError, match=r"X row 7, feature"):
        learn(frame)
    row = dict(zip(frame.columns, X[7].tolist(), strict=True))
    names = model.schema.labels
    with pytest.raises(ValueError, match=r"feature .*1e\+100 in magnitude"):
        model.learn_one(row, dict.fromkeys(names, True)) if names else model.learn_one(row)
    assert_same(before, model.state())


@pytest.mark.parametrize("X", [np.array([[1j]]), np.array([[1 + 0j]], np.complex64), pd.DataFrame({"a": [1j]})])
def test_complex_numbers_are_refused(X):
    with pytest.raises(ValueError, match=r"expected real numbers|expected a number"):
        sl.MLKNN().learn_many(X, np.array([[1]]))
    with pytest.raises(ValueError, match="expected a number"):
        sl.MLKNN().learn_one({"a": np.complex128(1j)}, {"l": True})


# ---------------------------------------------------------------------- outliers


@pytest.mark.parametrize("cut", [1, 7, 100])
def test_chunks_may_be_cut_anyhow(cut):
    X, Y = stream(120)
    X[60, 3], X[70:95, 1] = -1e7, 1e5 + X[70:95, 1]
    whole, cuts = sl.SMART(seed=1), sl.SMART(seed=1)
    whole.learn_many(X, Y)
    for start in range(0, 120, cut):
        cuts.learn_many(X[start : start + cut], Y[start : start + cut])
    np.testing.assert_array_equal(whole._intake.outliers.ranges, cuts._intake.outliers.ranges)
    assert whole._intake.outliers.n_rows == cuts._intake.outliers.n_rows == 120


def test_a_change_of_scale_is_learned_within_some_tens_of_rows():
    X, _ = stream(400)
    X[100:, 0] *= 1e6
    model = sl.StandardScaler(half_life=20)
    model.learn_many(X[:130])
    assert model.mean_[0] > 1e5
    assert model._intake.outliers.ranges[1, 0] > 9e5


def test_readings_that_go_wrong_now_and_then_stay_outliers():
    X, _ = stream(4000)
    clean = X[:, 0].mean()
    X[200::50, 0] = 1e6
    model = sl.StandardScaler()
    model.learn_many(X)
    assert abs(model.mean_[0] - clean) < 0.05


def test_fit_takes_the_table_as_it_is():
    X, Y = stream(100)
    X[60, 0] = 1e6
    for made in TRANSFORMERS.values():
        model = made().fit(X, Y)
        assert model._intake.outliers.ranges[1, 0] == 1e6
    assert sl.StandardScaler().fit(X).mean_[0] > 9e3
    learner = sl.MLKNN().fit(X[:60], Y[:60])
    assert learner._intake.outliers.ask(Rows(X, np.zeros(100, np.bool_))).values is X
    learner.learn_many(X[70:], Y[70:])
    assert np.isnan(learner._intake.outliers.ask(Rows(X, np.zeros(100, np.bool_))).values[60, 0])


def test_the_first_values_of_a_sparse_feature_are_no_outliers():
    X, Y = np.zeros((300, 2)), np.ones((300, 1))
    X[:, 0] = np.arange(300)
    X[10::10, 1] = 10.0 ** np.arange(-2, 3.8, 0.2)[:29]
    X[50, 1] = 1e-3
    model = sl.MLKNN()
    model.learn_many(X, Y)
    assert model._intake.outliers.ranges[0:2, 1].tolist() == [0.0, X[:, 1].max()]


def test_new_features_have_ranges_of_their_own():
    model = sl.MLKNN()
    for i in range(60):
        model.learn_one({"a": i % 7, "c": "red" if i % 2 else "blue"}, {"l": bool(i % 2)})
    for i in range(40):
        model.learn_one({"a": i % 7, "c": "green", "b": 1e6 + i}, {"l": True})
    model.learn_one({"a": 1e8, "c": "green", "b": 1e6}, {"l": True})
    assert model._intake.outliers.ranges[:2].tolist() == [[0.0, -np.inf, 1e6], [6.0, np.inf, 1e6 + 39]]
