"""Arrays, sparse matrices and DataFrames as streams."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import streamlab as sl
from streamlab.schema import Feature, Schema
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream import Drift
from tests.streams.read import read


@pytest.mark.parametrize(
    "form", [np.asarray, sparse.csr_matrix, sparse.coo_array, np.asfortranarray, np.ndarray.tolist]
)
def test_any_form_of_matrix(form):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((3000, 5)) < 0.5, 0, rng.normal(size=(3000, 5)))
    Y = rng.integers(0, 2, (3000, 3))
    stream = ArrayStream(form(X), form(Y), drifts=[Drift(9)])
    assert stream.n_rows == 3000
    assert stream.drifts == (Drift(9),)
    for start in (0, 1500, 2999):
        got = read(stream, start)
        np.testing.assert_array_equal(got[0], X[start:])
        np.testing.assert_array_equal(got[1], Y[start:])
        assert got[1].dtype == np.uint8
    for size in (1, 7, 1024):
        np.testing.assert_array_equal(np.concatenate([c.X for c in stream.chunks(size, stop=200)]), X[:200])
    assert stream.preview(5).shape == (5, 8)


def test_what_is_yielded_is_a_copy():
    X = np.zeros((3, 1))
    next(ArrayStream(X, [1, 0, 1]).blocks())[0][:] = 5
    assert not X.any()


def test_one_label_bool_and_missing_values():
    stream = ArrayStream([[np.nan], [1]], np.array([True, False]))
    X, Y = read(stream)
    assert np.isnan(X[0, 0])
    assert Y.tolist() == [[1], [0]]


@pytest.mark.parametrize(
    ("X", "Y", "message"),
    [
        ([[1.0]], [[1], [0]], "X has 1 rows, Y 2"),
        (np.empty((0, 1)), np.empty((0, 1)), "no rows"),
        ([1.0, 2.0], [1, 0], "X has the shape (2,); expected two dimensions"),
        ([[1.0], [np.inf]], [1, 0], "X[1, 0] ('x0') is inf; expected a finite number or NaN"),
        ([[1.0], [2.0]], [[1], [2]], "row 1, label 'y0': 2.0; expected 0 or 1"),
        ([[1.0], [2.0]], [[1], [np.nan]], "row 1, label 'y0': nan; expected 0 or 1"),
        ([["a"]], [[1]], "X is not a matrix of numbers"),
        ([[1, 2], [3]], [[1], [1]], "X is not a matrix of numbers"),
        ([[1j]], [[1]], "X is not a matrix of numbers"),
    ],
)
def test_wrong_arrays(X, Y, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        ArrayStream(X, Y)


def test_schema_is_kept_to():
    schema = Schema((Feature("c", ("u", "v")),), ("l",))
    assert ArrayStream([[0], [1], [np.nan]], [1, 0, 1], schema=schema).preview()["feature", "c"].tolist()[:2] == [
        "u",
        "v",
    ]
    for value in (2, -1, 0.5):
        with pytest.raises(ValueError, match=r"X\[0, 0\] \('c'\) is .*expected the index of a category, 0 to 1"):
            ArrayStream([[value]], [1], schema=schema)
    with pytest.raises(ValueError, match="X has 2 columns, its schema 1"):
        ArrayStream([[0, 1]], [1], schema=schema)


FRAME = pd.DataFrame(
    {
        "x": [1, 2, 3],
        "word": ["b", None, "a"],
        "cat": pd.Categorical(["v", "u", None], categories=["v", "u"]),
        "flag": [True, False, True],
        "maybe": pd.array([1, None, 3], "Int64"),
        "l": [True, False, True],
        "m": [0, 1, 1],
    }
)


def test_frame():
    stream = sl.load(FRAME, labels=["m", "l"], ignore=["flag"])
    assert stream.schema.labels == ("l", "m")
    assert [f.categories for f in stream.schema.features] == [None, ("a", "b"), ("v", "u"), None]
    X, Y = read(stream)
    np.testing.assert_array_equal(X, [[1, 1, 0, 1], [2, np.nan, 1, np.nan], [3, 0, np.nan, 3]])
    assert Y.tolist() == [[1, 0], [0, 1], [1, 1]]
    pair = sl.load((FRAME[["x", "word", "cat", "maybe"]], FRAME[["l", "m"]]))
    np.testing.assert_array_equal(read(pair)[0], X)
    assert pair.schema == stream.schema


def test_frame_column_as_nominal_and_of_mixed_objects():
    frame = pd.DataFrame({"zone": [10, 9, 10], "o": pd.Series([True, None, 2.5], dtype=object), "l": [1, 0, 1]})
    stream = sl.load(frame, labels="l", nominal=["zone"])
    assert stream.schema.features[0].categories == ("10", "9")
    np.testing.assert_array_equal(read(stream)[0], [[0, 1], [1, np.nan], [0, 2.5]])


@pytest.mark.parametrize(
    ("frame", "labels", "message"),
    [
        (FRAME, ["nope"], "labels= names 'nope', which is not a column"),
        (FRAME, ["x", "m"], "column 'x': expected the label to be 0 or 1 as in the others, found '2'"),
        (FRAME.assign(t=[(1,), "a", 2]), ["l"], "the column 't' holds values of several kinds"),
        (pd.DataFrame({"w": [f"w{i}" for i in range(1001)], "l": 1}), ["l"], "row 1001, column 'w': more than 1,000"),
    ],
)
def test_wrong_frames(frame, labels, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        sl.load(frame, labels=labels, features=["w"] if "w" in frame else ())
