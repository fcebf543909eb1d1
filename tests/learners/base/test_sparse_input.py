"""Sparse rows: what a learner gets of them is what it would have got of the same rows as an array."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import streamlab as sl
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.rows import SparseRows
from streamlab.schema import Feature, NumberedFeatures, Schema
from tests.learners.sparse_streams import csr, wide


class Witness(Learner):
    """Keeps what it was told to learn and to answer."""

    takes_sparse = True

    def __init__(self) -> None:
        self._start()
        self.learned, self.asked, self.kinds = [], [], set()

    def _predict(self, X, missing):
        self.asked.append((self._seen(X), missing.copy()))
        return np.zeros((len(X), len(self._labels))), np.zeros((len(X), len(self._labels)), np.uint8)

    def _learn(self, X, Y, missing):
        self.learned.append((self._seen(X), missing.copy()))

    def _seen(self, X):
        self.kinds.add(type(X))
        return X.dense() if isinstance(X, SparseRows) else X.copy()


class DenseWitness(Witness):
    takes_sparse = False


def test_outliers_among_the_zeros_are_told_in_the_rows():
    X, Y = wide(400, offset=2, seed=3)
    model = Witness()
    model.learn_many(csr(X), Y)
    ((learned, missing),) = model.learned
    assert np.isnan(learned[:, :2]).any()
    np.testing.assert_array_equal(np.isnan(learned).any(axis=1), missing)


def test_nominal_columns_are_checked_and_absent_ones_are_the_first_category():
    schema = Schema((Feature("a", ("red", "green")), Feature("b")), ("l",))
    model = Witness().bind(schema)
    model.learn_many(scipy.sparse.csr_array([[1.0, 0.0], [0.0, 2.0]]), np.array([[1], [0]]))
    assert model.learned[0][0].tolist() == [[1.0, 0.0], [0.0, 2.0]]
    with pytest.raises(ValueError, match=r"X row 1, feature 'a': 2\.0; expected the index of a category, 0 to 1"):
        model.learn_many(scipy.sparse.csr_array([[1.0, 0.0], [2.0, 0.0]]), np.array([[1], [0]]))


def broken(indptr, indices, data, shape=(2, 3)):
    """Return a CSR array that scipy has not checked."""
    matrix = scipy.sparse.csr_array(shape)
    matrix.indptr, matrix.indices, matrix.data = np.array(indptr), np.array(indices), np.array(data, float)
    return matrix


BAD = {
    "infinite": (
        lambda: csr(np.array([[0, 1.0, 0], [0, 0, np.inf]])),
        r"X row 1, feature 'x2': inf; .*finite",
    ),
    "too large": (lambda: csr(np.array([[0, 1e101, 0], [0, 0, 1]])), r"X row 0, feature 'x1': 1e\+101; .*1e\+100"),
    "complex": (lambda: scipy.sparse.csr_array(np.eye(2, 3) * 1j), "X is of type complex128; expected real numbers"),
    "columns": (lambda: scipy.sparse.csr_array((2, 4)), r"X has the shape \(2, 4\); expected \(n, 3\)"),
    "out of range": (lambda: broken([0, 1, 2], [0, 3], [1, 1]), r"X row 1: an index is out of range; expected 0 to 2"),
    "far out": (lambda: broken([0, 1, 2], [0, 2**32 + 1], [1, 1]), "X row 1: an index is out of range"),
    "negative": (lambda: broken([0, 1, 2], [0, -1], [1, 1]), "X row 1: an index is out of range"),
    "twice": (lambda: broken([0, 2, 2], [1, 1], [1, 1]), "X row 0: a column, 'x1', is stored twice"),
    "twice, unsorted": (lambda: broken([0, 3, 3], [1, 0, 1], [1, 1, 1]), "X row 0: a column, 'x1', is stored twice"),
    "pointers fall": (lambda: broken([0, 2, 1], [0, 1], [1, 1]), "X row 1: indptr is not an ascending range"),
    "pointers too far": (lambda: broken([0, 1, 9], [0, 1], [1, 1]), "X row 1: indptr is not an ascending range"),
    "pointers negative": (lambda: broken([-2, 1, 2], [0, 1], [1, 1]), "X row 0: indptr is not an ascending range"),
    "too few pointers": (lambda: broken([0, 1], [0], [1]), "is not a valid CSR"),
    "values lack": (lambda: broken([0, 1, 2], [0, 1], [1]), "is not a valid CSR"),
}


@pytest.mark.parametrize("made", [Witness, DenseWitness, sl.NoChange, sl.MajorityLabels])
@pytest.mark.parametrize(("bad", "message"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_refused_and_nothing_is_learned(made, bad, message):
    model = made()
    model.learn_many(csr(np.eye(3)), np.eye(3, 2, dtype=np.uint8))
    ranges = model._intake.outliers.ranges.copy()
    for verb in (lambda X: model.learn_many(X, [[1, 0], [0, 1]]), lambda X: model.test_then_train(X, [[1, 0], [0, 1]])):
        with pytest.raises(ValueError, match=message):
            verb(bad())
    with pytest.raises(ValueError, match=message):
        model.predict_many(bad())
    np.testing.assert_array_equal(model._intake.outliers.ranges, ranges)


def test_a_bad_first_chunk_leaves_no_schema():
    model = Witness()
    with pytest.raises(ValueError, match="expected a finite number"):
        model.learn_many(csr(np.array([[np.inf]])), np.array([[1]]))
    assert model.schema.n_features == 0


def test_rows_that_are_not_sorted_count_as_they_say_and_are_not_touched():
    X = broken([0, 2, 3], [2, 0, 1], [3, 1, 2])
    model = Witness()
    model.learn_many(X, np.array([[1], [0]]))
    assert model.learned[0][0].tolist() == [[1, 0, 3], [0, 2, 0]]
    assert X.indices.tolist() == [2, 0, 1]


def test_labels_may_be_sparse_too():
    model = Witness()
    model.learn_many(csr(np.eye(2)), scipy.sparse.csr_array(np.eye(2)))
    assert model.schema.n_labels == 2
    with pytest.raises(ValueError, match=r"Y row 1, label 'y0': 2\.0; expected 0 or 1"):
        model.learn_many(csr(np.eye(2)), scipy.sparse.csr_array([[0.0, 0.0], [2.0, 0.0]]))


def test_a_learner_of_arrays_gets_small_ones_and_refuses_large_ones_with_their_size():
    model = DenseWitness()
    model.learn_many(csr(np.eye(4)), np.eye(4, 2, dtype=np.uint8))
    assert model.kinds == {np.ndarray}
    wide_rows = scipy.sparse.csr_array((100, 1 << 18))
    with pytest.raises(ValueError, match=r"DenseWitness keeps every column .*262,144 columns x 100 rows .*0\.21 GB"):
        DenseWitness().learn_many(wide_rows, np.zeros((100, 2)))
    with pytest.raises(ValueError, match=r"BalancedKNN keeps every column of a row: 262,144 columns x 1,000 rows"):
        sl.BalancedKNN(chunk=1000).learn_many(wide_rows[:1], np.zeros((1, 2)))


def test_wide_schemas_are_cheap_and_equal_to_those_written_out():
    names = NumberedFeatures(5000, "h")
    schema = Schema(names, ("l",))
    same = Schema(tuple(Feature(f"h{i}") for i in range(5000)), ("l",))
    assert schema == same
    assert hash(schema) == hash(same)
    assert schema.difference(same) is None
    assert Schema.from_json(schema.to_json()) == schema
    assert len(schema.to_json()) < 200
    model = sl.NoChange().bind(schema)
    model.learn_many(scipy.sparse.csr_array((2, 5000)), np.array([[1], [0]]))
    assert model.predict_one({"h17": 1.0}) == {"l": False}
    again = sl.NoChange.from_state(model.state())
    assert again.schema == schema
    assert isinstance(again.schema.features, NumberedFeatures)


def test_new_features_of_dictionaries_join_numbered_ones():
    model = sl.NoChange()
    model.learn_many(scipy.sparse.csr_array((2, 5000)), np.array([[1], [0]]))
    model.learn_one({"x17": 1.0, "word": 2.0}, {"y0": True})
    assert model.schema.n_features == 5001
    assert model.schema.feature_names[4999:] == ("x4999", "word")
