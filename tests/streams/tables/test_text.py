"""Posts with tags: texts are hashed as scikit-learn hashes them, tags become labels, errors name the place."""

from __future__ import annotations

import csv

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.feature_extraction.text import HashingVectorizer

import streamlab as sl
from streamlab.streams import LoadLimits

POSTS = [
    ("How do I sort a list?", "python|list"),
    ("Sorting, \n in two lines", "list"),
    ("", ""),
    ("Segmentation fault in a loop", "c|pointers | c"),
]


@pytest.fixture(params=["csv", "parquet"])
def write(request, tmp_path):
    def written(rows, columns=("body", "tags"), **kinds):
        path = tmp_path / f"posts.{request.param}"
        if request.param == "csv":
            with path.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([columns, *rows])
        else:
            cells = {name: [row[j] for row in rows] for j, name in enumerate(columns)}
            pq.write_table(pa.table({n: pa.array(c, kinds.get(n)) for n, c in cells.items()}), path)
        return path

    return written


def test_texts_are_hashed_and_tags_split(write):
    stream = sl.load(write(POSTS), text="body", labels="tags")
    assert stream.is_sparse
    assert stream.n_rows == 4
    assert stream.schema.labels == ("list", "c", "pointers", "python")
    assert stream.schema.n_features == 1 << 18
    assert stream.schema.feature_names[7] == "h7"
    (chunk,) = stream.chunks(10)
    expected = HashingVectorizer(n_features=1 << 18).transform([body for body, _ in POSTS])
    np.testing.assert_array_equal(chunk.X.indptr, expected.indptr)
    np.testing.assert_array_equal(chunk.X.indices, expected.indices)
    np.testing.assert_array_equal(chunk.X.data, expected.data)
    assert chunk.Y.tolist() == [[1, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]]
    assert stream.preview(2)["label"].shape == (2, 4)


def test_chunks_begin_anywhere(write):
    rows = [(f"word{i} and word{i % 7}", f"t{i % 5}") for i in range(2500)]
    stream = sl.load(write(rows), text="body", labels="tags", n_features=1 << 12)
    whole = np.vstack([c.X.toarray() for c in stream.chunks(100)])
    assert whole.shape == (2500, 4096)
    for start in (1, 255, 256, 1024, 2499):
        chunk = next(stream.chunks(50, start=start))
        np.testing.assert_array_equal(chunk.X.toarray(), whole[start : start + 50])


@pytest.mark.parametrize(
    ("cells", "options", "labels"),
    [
        (["<a><b c>", "<b c>"], {}, ("b c", "a")),
        (["a; b", "b"], {}, ("b", "a")),
        (["a,b", "b"], {}, ("b", "a")),
        (["a b", "b"], {}, ("a b", "b")),
        (["a b", "b"], {"tag_separator": " "}, ("b", "a")),
        (["a|b", "b|c", "b|c"], {"n_labels": 2}, ("b", "c")),
    ],
)
def test_separators_of_tags(write, cells, options, labels):
    stream = sl.load(write([("text", cell) for cell in cells]), text="body", labels="tags", **options)
    assert stream.schema.labels == labels
    assert next(stream.chunks(9)).Y[:, 0].sum() == sum(labels[0] in cell for cell in cells)


def test_lists_of_tags_and_missing_cells(tmp_path):
    path = tmp_path / "posts.parquet"
    pq.write_table(pa.table({"body": ["a text", None, "more"], "tags": [["x", "y"], None, ["y"]]}), path)
    stream = sl.load(path, text="body", labels="tags")
    chunk = next(stream.chunks(5))
    assert stream.schema.labels == ("y", "x")
    assert chunk.Y.tolist() == [[1, 1], [0, 0], [1, 0]]
    assert chunk.X[1:2].nnz == 0


def test_several_texts_and_columns_of_flags(write):
    path = write([("one", "two", "0", "true"), ("three", "", "1", "false")], ("title", "body", "a", "b"))
    stream = sl.load(path, text=["title", "body"], labels=["a", "b"], n_features=64)
    chunk = next(stream.chunks(5))
    expected = HashingVectorizer(n_features=64).transform(["one\ntwo", "three\n"])
    np.testing.assert_array_equal(chunk.X.toarray(), expected.toarray())
    assert chunk.Y.tolist() == [[0, 1], [1, 0]]


def test_a_vectorizer_of_ones_own(write):
    vectorizer = HashingVectorizer(n_features=128, alternate_sign=False, norm=None, ngram_range=(1, 2))
    chunk = next(sl.load(write(POSTS), text="body", labels="tags", vectorizer=vectorizer).chunks(9))
    np.testing.assert_array_equal(chunk.X.toarray(), vectorizer.transform([body for body, _ in POSTS]).toarray())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": "bodi", "labels": "tags"}, r"text= names 'bodi', which is not a column; did you mean 'body'"),
        ({"text": "body", "labels": "body"}, "named in text= and in labels="),
        ({"text": "body", "labels": "tags", "classes": ["body"]}, "in classes= and in text="),
        (
            {"text": "body", "labels": "tags", "n_features": 0},
            "n_features=0: expected a whole number from 1 to 4,194,304",
        ),
        ({"text": "body", "labels": "tags", "vectorizer": "tf"}, "expected scikit-learn's HashingVectorizer"),
        ({"text": "body", "labels": "tags", "tag_separator": 7}, "tag_separator=7: expected a text"),
        ({"text": "body", "labels": "tags", "n_labels": 0}, "n_labels=0: expected a whole number, at least 1"),
        ({"text": "body", "labels": "tags", "limits": LoadLimits(labels=2)}, "labels"),
        ({"text": "body", "labels": "tags", "limits": LoadLimits(rows=2)}, "rows"),
        ({"text": "body", "labels": "tags", "limits": LoadLimits(names_bytes=64)}, "names"),
        ({"text": "body", "labels": "tags", "cancel": lambda: True}, "cancelled"),
    ],
)
def test_what_is_wrong_is_said(write, options, message):
    path = write(POSTS)
    with pytest.raises(ValueError, match=message):
        next(sl.load(path, **options).chunks(9))


def test_a_file_without_tags_is_refused(write):
    with pytest.raises(ValueError, match="column 'tags': expected labels"):
        sl.load(write([("text", ""), ("more", " ")]), text="body", labels="tags")
