"""What a stranger's stream gives is checked before it is cast: nothing turns into 0, and no row is dropped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_array, csr_array

import streamlab as sl
from streamlab.schema import Feature, Schema
from streamlab.streams import Drift, Stream, StreamEntry, WrappedStream, compose, join

SCHEMA = Schema((Feature("depth"), Feature("sky", ("clear", "grey"))), ("flood", "storm"))
ROWS, BLOCK, BAD = 300, 50, 100


class Sea(Stream):
    """Rows in blocks of 50; ``change`` makes something else of the blocks from row 100 on."""

    def __init__(self, change: Any = None, **attributes: Any) -> None:
        self.name, self.schema, self.n_rows, self.change = "sea", SCHEMA, ROWS, change
        vars(self).update(attributes)

    def blocks(self, start: int = 0) -> Any:
        for first in range(start - start % BLOCK, ROWS, BLOCK):
            row = np.arange(max(first, start), first + BLOCK)
            X = np.column_stack([row % 7, row % 2]).astype(np.float64)
            Y = np.column_stack([row % 2, row % 3 == 0]).astype(np.uint8)
            yield (X, Y) if self.change is None or first < BAD else self.change(X, Y)


def with_value(array: np.ndarray, at: tuple[int, int], value: Any) -> np.ndarray:
    array = array.astype(object if isinstance(value, (str, type(None))) else np.float64)
    array[at] = value
    return array


def values_of(stream: Stream, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    chunks = list(stream.chunks(70, **options))
    assert all(chunk.X.dtype == np.float64 and chunk.Y.dtype == np.uint8 for chunk in chunks)
    assert all(chunk.X.flags.c_contiguous and chunk.Y.flags.c_contiguous for chunk in chunks)
    return np.concatenate([chunk.X for chunk in chunks]), np.concatenate([chunk.Y for chunk in chunks])


@pytest.mark.parametrize(
    "change",
    [
        lambda X, Y: (X.astype(np.float32), Y.astype(bool)),
        lambda X, Y: (X.astype(int), Y.astype(float)),
        lambda X, Y: (X.tolist(), Y.tolist()),
        lambda X, Y: [X.astype(">f8"), Y.astype(np.int64)],
        lambda X, Y: (pd.DataFrame(X), pd.DataFrame(Y)),
        lambda X, Y: (X.astype(object), Y.astype(object)),
        lambda X, Y: (np.asfortranarray(X), np.asfortranarray(Y)),
    ],
)
def test_what_has_the_same_values_is_taken(change):
    expected, found = values_of(Sea()), values_of(Sea(change))
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(values_of(Sea(change), start=120)[0], expected[0][120:])


def test_none_among_numbers_is_missing():
    X, _ = values_of(Sea(lambda X, Y: (with_value(X, (3, 0), None), Y)))
    assert np.flatnonzero(np.isnan(X[:, 0])).tolist() == [103, 153, 203, 253]


BAD_BLOCKS = {
    "0.7": (lambda X, Y: (X, with_value(Y, (4, 1), 0.7)), "sea, row 104, label 'storm': 0.7; expected 0 or 1"),
    "nan": (lambda X, Y: (X, with_value(Y, (3, 0), np.nan)), "sea, row 103, label 'flood': nan; expected 0 or 1"),
    "-1": (lambda X, Y: (X, Y.astype(int) * 2 - 1), "sea, row 100, label 'flood': -1; expected 0 or 1"),
    "256": (lambda X, Y: (X, Y.astype(int) * 256), "sea, row 101, label 'flood': 256; expected 0 or 1"),
    "2": (lambda X, Y: (X, Y * 2), "sea, row 101, label 'flood': 2; expected 0 or 1"),
    "yes": (lambda X, Y: (X, with_value(Y, (2, 1), "yes")), "sea, row 102, label 'storm': 'yes'; expected 0 or 1"),
    "no flag": (lambda X, Y: (X, with_value(Y, (2, 1), None)), "sea, row 102, label 'storm': None; expected 0 or 1"),
    "words": (lambda X, Y: (X, Y.astype(str)), "sea, row 100, label 'flood': '0'; expected 0 or 1"),
    "text": (
        lambda X, Y: (with_value(X, (7, 1), "green"), Y),
        "sea, row 107, feature 'sky': 'green'; expected the index of a category, 0 to 1, or NaN",
    ),
    "text of a number": (
        lambda X, Y: (X.astype(str), Y), "sea, row 100, feature 'depth': '2.0'; expected a number, NaN where it is miss"
    ),
    "complex": (lambda X, Y: (X * 1j, Y), "sea, row 100, feature 'depth': 2j; expected a number"),
    "less Y": (lambda X, Y: (X, Y[:-1]), "sea, row 100: X has 50 rows and Y 49; expected equally many"),
    "less X": (lambda X, Y: (X[:-1], Y), "sea, row 100: X has 49 rows and Y 50; expected equally many"),
    "wide X": (
        lambda X, Y: (np.c_[X, X], Y),
        r"sea, row 100: X has the shape \(50, 4\); expected \(n, 2\): the schema has 2 features",
    ),
    "wide Y": (
        lambda X, Y: (X, np.c_[Y, Y]),
        r"sea, row 100: Y has the shape \(50, 4\); expected \(n, 2\): the schema has 2 labels",
    ),
    "one dimension": (lambda X, Y: (X, Y[:, 0]), r"sea, row 100: Y has the shape \(50,\); expected \(n, 2\)"),
    "ragged": (lambda X, Y: ([[1.0], [1.0, 2.0]], Y), "sea, row 100: X is a list; expected an array"),
    "none": (lambda X, Y: None, r"sea, row 100: blocks gave a NoneType; expected a pair \(X, Y\)"),
    "X alone": (lambda X, Y: X[:2], r"sea, row 100: blocks gave a ndarray; expected a pair \(X, Y\)"),
    "sparse": (lambda X, Y: (csr_array(X), Y), "sea, row 100: X is a csr_array; expected an array"),
}  # fmt: skip


@pytest.mark.parametrize("which", BAD_BLOCKS)
def test_what_would_be_changed_or_cut_off_is_refused(which):
    change, message = BAD_BLOCKS[which]
    stream = Sea(change)
    with pytest.raises(ValueError, match=message):
        values_of(stream)
    assert len(values_of(stream, stop=100)[0]) == 100, "what comes before it can be read"
    run = sl.Run(stream, {"it": sl.NoChange()}, chunk=30)
    with pytest.raises(ValueError, match=message):
        run.advance()
    assert run.position == 90


def test_the_row_is_that_of_the_stream_wherever_reading_begins():
    with pytest.raises(ValueError, match="sea, row 156, label 'storm'"):
        values_of(Sea(lambda X, Y: (X, with_value(Y, (4, 1), 0.7))), start=152)


@pytest.mark.parametrize("which", ["0.7", "less Y", "less X", "text"])
def test_streams_made_of_it_look_as_well(which):
    change, message = BAD_BLOCKS[which]
    plain = Sea()
    for stream in (
        WrappedStream(Sea(change), "twice"),
        join([Sea(change), plain]),
        compose([Sea(change), plain], at=200),
    ):
        with pytest.raises(ValueError, match=message):
            values_of(stream)


def test_sparse_rows_of_other_kinds():
    class Sparse(Sea):
        is_sparse = True
        made: Any

        def blocks(self, start: int = 0) -> Any:
            for X, Y in super().blocks(start):
                yield self.made(X), Y

    expected = values_of(Sea())[0]
    for kind in (np.float64, np.int64):
        stream = Sparse()
        stream.made = lambda X, kind=kind: csr_array(X.astype(kind))
        chunks = list(stream.chunks(70))
        assert all(chunk.X.dtype == np.float64 for chunk in chunks)
        np.testing.assert_array_equal(np.concatenate([chunk.X.toarray() for chunk in chunks]), expected)
    for change, message in (
        (lambda X: X, "row 0: X is a ndarray; expected CSR, as the stream is_sparse"),
        (csc_array, "row 0: X is a csc_array; expected CSR"),
        (lambda X: csr_array(X * 1j), "row 0: X is CSR of complex128; expected numbers"),
    ):
        stream = Sparse()
        stream.made = change
        with pytest.raises(ValueError, match=f"sea, {message}"):
            list(stream.chunks(70))


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"drifts": None}, r"sea: drifts is None; expected a tuple of Drift, empty if none is known"),
        ({"drifts": (100,)}, r"sea: drifts is \(100,\); expected a tuple of Drift"),
        ({"drifts": Drift(100)}, r"sea: drifts is Drift\(start=100, .*; expected a tuple of Drift"),
        ({"schema": ("x", "y")}, r"sea: schema is a tuple; expected a streamlab\.schema\.Schema"),
        ({"n_rows": "300"}, "sea: n_rows='300': expected a whole number, at least 0, or None"),
        ({"n_rows": -1}, "sea: n_rows=-1: expected a whole number"),
        ({"name": None}, "Sea: name=None: expected a text"),
    ],
)
def test_what_a_stream_says_of_itself_is_looked_at(attributes, message):
    stream = Sea(**attributes)
    with pytest.raises(ValueError, match=message):
        stream.chunks(10)
    with pytest.raises(ValueError, match=message):
        sl.load(stream)
    with pytest.raises(ValueError, match=message):
        StreamEntry("sea", "water", lambda: stream).load()
