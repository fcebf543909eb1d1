"""Multi-label LibSVM files."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.streams.readers.libsvm import LibsvmStream
from tests.streams.read import read, written


def write(folder, text, name="set.svm"):
    return written(folder, text, name)


@pytest.mark.parametrize("name", ["set.svm", "set.libsvm.gz"])
def test_rows(tmp_path, name):
    stream = LibsvmStream(write(tmp_path, "1,3 1:1 4:0.5 # note\n# only a note\n\n 2:7\n2\n", name))
    assert stream.schema.labels == ("1", "2", "3")
    assert stream.schema.feature_names == ("x1", "x2", "x3", "x4")
    assert stream.n_rows == 3
    X, Y = read(stream)
    assert X.tolist() == [[1, 0, 0, 0.5], [0, 7, 0, 0], [0, 0, 0, 0]]
    assert Y.tolist() == [[1, 0, 1], [0, 0, 0], [0, 1, 0]]
    assert [len(X) for X, _ in stream.blocks(2)] == [1]
    assert len(stream.preview(5)) == 3


def test_counting_from_zero_and_sizes(tmp_path):
    path = write(tmp_path, "0,2 0:1 3:2\n")
    assert LibsvmStream(path).schema.labels == ("0", "1", "2")
    wide = LibsvmStream(path, n_features=6, n_labels=5)
    assert (wide.schema.n_features, wide.schema.n_labels) == (6, 5)
    shifted = LibsvmStream(write(tmp_path, "1 1:1\n"), first_label=0, first_feature=0)
    assert read(shifted)[0].tolist() == [[0, 1]]


def test_header_of_three_numbers(tmp_path):
    stream = LibsvmStream(write(tmp_path, "2 4 3\n1 1:5\n2 3:1\n"))
    assert (stream.n_rows, stream.schema.n_features, stream.schema.n_labels) == (2, 4, 3)
    assert read(stream)[0].tolist() == [[0, 5, 0, 0], [0, 0, 0, 1]]
    with pytest.raises(ValueError, match="line 1, column 1: the header says 3 rows, the file has 2"):
        LibsvmStream(write(tmp_path, "3 4 3\n1 1:5\n2 3:1\n"))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "no rows"),
        ("a 1:1\n", {}, "line 1: expected labels and ascending indices, such as '1,3 4:0.5 7:1', found 'a 1:1'"),
        ("-1 1:1\n", {}, "line 1: expected labels"),
        ("1.5 1:1\n", {}, "line 1: expected labels"),
        ("1 1:1\n1, 1:1\n", {}, "line 2: expected labels"),
        ("1 1:1\n1" + ",1" * 10_000 + " 1:1\n", {}, "line 2: 10,001 labels of a row"),
        ("1 1:1\n1 1:1 x\n", {}, "line 2: expected labels and ascending indices"),
        ("1 1:a\n", {}, "line 1: expected labels and ascending indices"),
        ("1 1:inf\n", {}, "line 1: expected labels and ascending indices"),
        ("1 1:1 1:2\n", {}, "line 1: expected labels and ascending indices"),
        ("1 1:1\n1 9:1\n", {"n_features": 3}, "line 2: the feature 9 is out of range; expected 1 to 3"),
        ("1 1:1\n7 1:1\n", {"n_labels": 3}, "line 2: the label 7 is out of range; expected 1 to 3"),
        ("0 1:1\n", {"first_label": 1}, "line 1: the label 0 lies below first_label=1"),
        (" 1:1\n", {}, "no label in any row; expected n_labels="),
        ("1 1:1\n", {"n_labels": 0}, "n_labels=0: expected"),
        ("1 1:1\n", {"first_label": 2}, "first_label=2: expected 0, 1 or None"),
    ],
)
def test_wrong_files_are_named_exactly(tmp_path, text, options, message):
    path = write(tmp_path, text)
    with pytest.raises(ValueError, match=re.escape(message)):
        LibsvmStream(path, **options)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.tuples(
            st.sets(st.integers(0, 4)),
            st.dictionaries(st.integers(1, 9), st.floats(allow_infinity=False, allow_nan=False)),
        ),
        min_size=1,
        max_size=20,
    ),
    size=st.integers(1, 7),
)
def test_round_trip_and_chunk_size_has_no_influence(tmp_path, rows, size):
    rows.append((set(), {1: 1.0}))
    lines = [
        ",".join(map(str, labels)) + " " + " ".join(f"{i}:{v!r}" for i, v in sorted(pairs.items()))
        for labels, pairs in rows
    ]
    kept = [row for row, line in zip(rows, lines, strict=True) if line.strip()]
    stream = LibsvmStream(write(tmp_path, "\n".join(lines)), n_features=9, n_labels=5, first_label=0, first_feature=1)
    chunks = list(stream.chunks(size))
    X, Y = np.concatenate([c.X for c in chunks]), np.concatenate([c.Y for c in chunks])
    for i, (labels, pairs) in enumerate(kept):
        assert set(np.flatnonzero(Y[i]).tolist()) == labels
        assert X[i].tolist() == [pairs.get(j, 0.0) for j in range(1, 10)]
    assert len(X) == len(kept) == stream.n_rows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 3 2\n0,1 0:1 2:.5\n\n", [[1, 0, 0.5], [0, 0, 0]]),
        ("3 3 2\n\n0,1 0:1 2:.5\n\n", [[0, 0, 0], [1, 0, 0.5], [0, 0, 0]]),
        ("2 3 2\n0,1 0:1 2:.5\n\n\n\n", [[1, 0, 0.5], [0, 0, 0]]),
        ("2 3 2\n0,1 0:1 2:.5\n\n1 1:1\n\n", [[1, 0, 0.5], [0, 1, 0]]),
        ("3 3 2\n0,1\n 0:1\n\n", [[0, 0, 0], [1, 0, 0], [0, 0, 0]]),
        ("0,1 0:1 2:.5\n\n1 1:1\n", [[1, 0, 0.5], [0, 1, 0]]),
    ],
)
def test_a_row_without_labels_or_features_is_a_row_where_a_header_counts_rows(tmp_path, text, expected):
    path = tmp_path / "m.txt"
    path.write_text(text)
    stream = sl.load(path)
    assert stream.n_rows == len(expected)
    for start in range(len(expected)):
        X = np.concatenate([chunk.X for chunk in stream.chunks(1, start=start)])
        assert X.tolist() == expected[start:]
