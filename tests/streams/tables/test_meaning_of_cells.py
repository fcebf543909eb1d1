"""What a cell means is the same in every source: files, tables in memory, lines of JSON."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import streamlab as sl
from streamlab._arrays import NoNumber, numbers_in
from streamlab._cells import MISSING, value_of

FORMS = ("csv", "tsv", "parquet", "jsonl", "pandas", "polars")


def loaded(folder: Path, form: str, columns: dict[str, list], **options):
    """The stream of a table from one kind of source, and the sentences that it is said to need."""
    frame = pd.DataFrame(columns)
    source: object = folder / f"table.{form}"
    if form in ("csv", "tsv"):
        frame.to_csv(source, index=False, sep="," if form == "csv" else "\t")
    elif form == "parquet":
        frame.to_parquet(source, index=False)
    elif form == "jsonl":
        rows = zip(*columns.values(), strict=True)
        Path(str(source)).write_text("".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows))
    else:
        source = frame if form == "pandas" else pl.from_pandas(frame)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        stream = sl.load(source, **options)
    return stream, [str(each.message) for each in caught]


def labels_of(stream) -> list[set[str]]:
    Y = np.concatenate([chunk.Y for chunk in stream.chunks(7)])
    return [{name for name, flag in zip(stream.schema.labels, row, strict=True) if flag} for row in Y]


X = [i * 0.5 + 0.25 for i in range(12)]
PAIRS = [{"a", "b"}, {"a"}, {"b", "c d"}] * 4


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("cells", "separator"),
    [
        (["['a', 'b']", "['a']", "['b', 'c d']"], None),
        (['["a", "b"]', '["a"]', '["b", "c d"]'], None),
        (["{a,b}", "{a}", '{b,"c d"}'], None),
        (["['a' 'b']", "['a']", "['b' 'c d']"], None),
        (["{'b', 'a'}", "{'a'}", "{'b', 'c d'}"], None),
        (["a/b", "a", "b/c d"], "/"),
        (["a;b", "a", "b; c d"], None),
        (["<a><b>", "<a>", "<b><c d>"], None),
    ],
)
@pytest.mark.parametrize("is_text", [False, True])
def test_tags_however_they_are_written(tmp_path, form, cells, separator, is_text):
    words = {"body": [f"some words of row {i}" for i in range(12)]} if is_text else {"x": X}
    options = {"text": "body"} if is_text and form != "x" else {}
    options |= {"tag_separator": separator} if separator else {}
    stream, _ = loaded(tmp_path, form, {**words, "tags": cells * 4}, labels="tags", **options)
    assert labels_of(stream) == PAIRS
    assert stream.is_sparse == is_text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("labels", ["disorder", None])
def test_a_class_called_none(tmp_path, form, labels):
    columns = {"x": X, "disorder": ["None", "Insomnia", "Apnea"] * 4}
    stream, _ = loaded(tmp_path, form, columns, labels=labels or ["disorder"])
    assert stream.schema.labels == ("Apnea", "Insomnia", "None")
    assert labels_of(stream) == [{"None"}, {"Insomnia"}, {"Apnea"}] * 4
    stream, _ = loaded(tmp_path, form, {"x": X, "t": ["None;a", "a", "None;b;a"] * 4}, labels="t")
    assert labels_of(stream) == [{"None", "a"}, {"a"}, {"None", "b", "a"}] * 4


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("word", ["NA", "N/A", "null", "nan"])
def test_a_word_that_stands_for_no_label_is_said_and_kept_on_request(tmp_path, form, word):
    columns = {"x": X, "region": [word, "EU", "US"] * 4}
    stream, said = loaded(tmp_path, form, columns, labels="region")
    assert labels_of(stream) == [set(), {"EU"}, {"US"}] * 4
    assert ["4 of 'region'" in each and "missing=[]" in each for each in said] == [True]
    stream, said = loaded(tmp_path, form, columns, labels="region", missing=[])
    assert labels_of(stream) == [{word}, {"EU"}, {"US"}] * 4
    assert said == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cells", [["1", "0", None] * 4, ["yes", "no", None] * 4, ["red", "blue", None] * 4])
def test_a_label_that_is_missing_is_hidden_and_said(tmp_path, form, cells):
    stream, said = loaded(tmp_path, form, {"x": X, "l": cells, "m": [0, 1] * 6}, labels=["l", "m"])
    names = stream.schema.labels
    (chunk,) = stream.chunks()
    own = [j for j, name in enumerate(names) if name != "m"]
    hidden = stream.labelling.labels_known(np.ones_like(chunk.Y), np.arange(12)) == 0
    assert hidden[:, own].all(axis=1).tolist() == [cell is None for cell in cells]
    assert not hidden[:, names.index("m")].any()
    assert chunk.Y[hidden].sum() == 0
    assert ["4 of 'l'" in each for each in said] == [True]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("at", "word"), [(5, "yes"), (5, "2"), (5, "0.5"), (1300, "0x1"), (1300, "-1")])
def test_a_label_of_0_and_1_with_a_damaged_cell_is_refused_wherever_it_is(tmp_path, form, at, word):
    columns = {"x": [k * 0.37 % 1 for k in range(1500)], "u": [str(k % 2) for k in range(1500)]}
    columns["u"][at] = word
    place = f"line {at + 2}, column 2" if form in ("csv", "tsv") else f"row {at + 1}, column 'u'"
    with pytest.raises(ValueError, match=f"{place}.*expected the label to be 0 or 1, found '{word}'"):
        loaded(tmp_path, form, columns, labels=["u"])
    stream, _ = loaded(tmp_path, form, columns, labels=["u"], classes=["u"])
    assert stream.schema.n_labels == 3


def test_a_class_that_is_rare_but_not_a_few_cells_is_one(tmp_path):
    columns = {"x": [k * 0.37 % 1 for k in range(500)], "u": [2 if k % 30 == 7 else k % 2 for k in range(500)]}
    assert loaded(tmp_path, "csv", columns, labels="u")[0].schema.classes == (0, 1, 2)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["", "Unnamed: 0", "index", "__index_level_0__"])
@pytest.mark.parametrize("labels", [None, ["l1", "l2"]])
def test_numbers_of_rows_are_left_out_and_said(tmp_path, form, name, labels):
    columns = {name: list(range(12)), "a": X, "l1": [0, 1] * 6, "l2": [1, 0, 1] * 4}
    if form in ("pandas", "polars"):
        labels = labels or ["l1", "l2"]
    stream, said = loaded(tmp_path, form, columns, labels=labels)
    assert stream.schema.feature_names == ("a",)
    assert stream.schema.labels == ("l1", "l2")
    own = name or ("column 1" if form in ("csv", "tsv") else "")
    assert ["left out" in each and repr(own) in each for each in said] == [True]
    why = dict(zip(stream.columns["name"], stream.columns["why"], strict=True))
    assert why[own].endswith(": the numbers of the rows")
    stream, said = loaded(tmp_path, form, columns, labels=labels, features=[own])
    assert stream.schema.feature_names == (own, "a")
    assert said == []
    stream, said = loaded(tmp_path, form, columns, labels=labels, ignore=own)
    assert stream.schema.feature_names == ("a",)
    assert said == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "write",
    [
        "Sat, {:02} Mar 2024 23:30:00 -0000",
        "Mar {}, 2024",
        "Saturday, March {}, 2024, 11:30 PM",
        "{:02}-Mar-24",
        "Sat Mar {:02} 23:30:00 +0000 2024",
    ],
)
def test_dates_with_commas_are_times(tmp_path, form, write):
    dates = [write.format(i % 28 + 1) for i in range(12)]
    columns = {"date": dates, "a": X, "l1": [0, 1] * 6, "l2": [1, 0, 1] * 4}
    options = {"labels": ["l1", "l2"]} if form in ("pandas", "polars") else {}
    stream, _ = loaded(tmp_path, form, columns, **options)
    assert stream.schema.labels == ("l1", "l2")
    assert stream.schema.feature_names == ("a",)
    assert dict(zip(stream.columns["name"], stream.columns["role"], strict=True))["date"] == "time"


@pytest.mark.parametrize("form", [*FORMS, "lists"])
@pytest.mark.parametrize("write", ["[{}, {}, {}]", "[{} {} {}]", "[{}., {}., {}.]", "{},{},{}", "{} {} {}"])
def test_vectors_in_a_cell_are_labels_by_position(tmp_path, form, write):
    bits = [(0, 1, 0), (1, 1, 0), (0, 0, 0)] * 4
    cells = [list(each) for each in bits] if form == "lists" else [write.format(*each) for each in bits]
    stream, _ = loaded(tmp_path, "pandas" if form == "lists" else form, {"x": X, "y": cells}, labels="y")
    assert stream.schema.labels == ("y[0]", "y[1]", "y[2]")
    assert labels_of(stream) == [{f"y[{j}]" for j, bit in enumerate(each) if bit} for each in bits]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_named_settles_that_and_nothing_else(tmp_path, form):
    columns = {
        "id": list(range(12)),
        "note": [f"a note of some words about the row {i}" for i in range(12)],
        "x": [*map(str, X[:10]), "unknown", "broken"],
        "kind": ["red", "blue", "red"] * 4,
        "tags": ["a|b", "b", "b|a"] * 4,
    }
    stream, _ = loaded(tmp_path, form, columns, labels="tags", missing=["broken"], ignore=["kind"])
    assert stream.schema.feature_names == ("x",)
    assert np.isnan(np.concatenate([chunk.X for chunk in stream.chunks(5)])[-2:, 0]).all()
    stream, _ = loaded(tmp_path, form, columns, labels="tags", tag_separator="")
    assert stream.schema.labels == ("a|b", "b", "b|a")
    assert stream.schema.feature_names == ("x", "kind")
    stream, _ = loaded(tmp_path, form, columns, labels="tags", text="note")
    assert stream.is_sparse
    assert set(stream.schema.labels) == {"a", "b"}


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("missing", [MISSING, MISSING | {"x"}, frozenset({""})])
@pytest.mark.parametrize("flags", [False, True])
def test_a_cell_of_numbers_means_the_same_alone_and_in_a_column(decimal, missing, flags):
    numbers = ["1", " 2.5 ", "-3e2", "1,5", "1.234,5", "nan", "1_0", "0x1", "+.5", "inf"]
    for cell in [*numbers, "", "?", "NA", "None", "x", "true", "FALSE"]:
        column = pa.array(["1", cell])
        alone = value_of(cell, missing, decimal, flags=flags)
        if alone is not None:
            np.testing.assert_array_equal(numbers_in(column, decimal, missing, flags=flags)[1], alone, cell)
            continue
        with pytest.raises(NoNumber) as caught:
            numbers_in(column, decimal, missing, flags=flags)
        assert (caught.value.place, caught.value.cell) == (1, cell.strip())


CLASSES = [["u", "v", "u", "w"], np.array(["u", "v", "u", "w"]), np.array(["u", "v", "u", "w"], object), (2, 0, 2, 5)]


@pytest.mark.parametrize("Y", CLASSES, ids=lambda Y: type(Y).__name__)
def test_classes_as_an_array(Y):
    stream = sl.load((np.zeros((4, 2)), Y))
    first = "u" if Y[0] == "u" else "Y=2"
    assert len(stream.schema.labels) == 3
    assert [len(each) for each in labels_of(stream)] == [1] * 4
    assert [each == {first} for each in labels_of(stream)] == [True, False, True, False]


def test_labels_of_an_array_that_are_yes_and_no_are_one_label():
    for Y in (["yes", "no", "no"], [1, -1, -1]):
        stream = sl.load((np.eye(3), Y))
        assert len(stream.schema.labels) == 1
        assert [len(each) for each in labels_of(stream)] == [1, 0, 0]
    assert len(sl.load((np.eye(3), [1.0, 2.0, 3.0])).schema.labels) == 3


def test_names_of_labels_as_an_array():
    Y = [["u"], ["u", "v"], [], ["v"]]
    for given in (Y, np.array(Y, object)):
        stream = sl.load((np.eye(4), given))
        assert labels_of(stream) == [set(each) for each in Y]
        assert next(stream.chunks()).X.tolist() == np.eye(4).tolist()
    with pytest.raises(ValueError, match=r"row 2.*expected"):
        sl.load((np.eye(2), [["u"], [["v"]]]))


def test_an_array_of_texts_means_what_a_file_of_them_means():
    cells = [["1.5", "red", 1], ["NA", "blue", 2], ["2", "red", None]]
    for X in (cells, np.array(cells, object)):
        stream = sl.load((X, ["u", "v", "u"]))
        assert [feature.categories for feature in stream.schema.features] == [None, ("blue", "red"), None]
        np.testing.assert_array_equal(next(stream.chunks()).X, [[1.5, 1, 1], [np.nan, 0, 2], [2, 1, np.nan]])
        assert labels_of(stream) == [{"u"}, {"v"}, {"u"}]
    stream = sl.load((np.array([["1", "2"], ["3", "4"]]), np.eye(2, dtype=int)))
    assert next(stream.chunks()).X.tolist() == [[1, 2], [3, 4]]
    stream = sl.load((["some words", "other words", "words"], [["a"], ["a", "b"], []]), n_features=64)
    assert (stream.is_sparse, stream.schema.n_features) == (True, 64)
    assert labels_of(stream) == [{"a"}, {"a", "b"}, set()]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("odd", "label"),
    [
        ("['a', 'b'", "['a', 'b'"),
        ("[['a'], 'b']", "[['a'], 'b']"),
        ('{{a,b},{"c}",d}}', '{{a,b},{"c}",d}}'),
        ('{"a": 1, "b": 0}', '{"a": 1, "b": 0}'),
    ],
)
def test_cells_like_lists_that_are_none_stay_whole_and_are_told(tmp_path, form, odd, label):
    cells = ["['b']", "['b', 'c']"] * 5 + ["['c']", odd]
    stream, said = loaded(tmp_path, form, {"x": X, "tags": cells}, labels="tags")
    assert labels_of(stream)[-2:] == [{"c"}, {label}]
    assert len(said) == 1
    assert "1 of 'tags'" in said[0]
    place = {"csv": "line 13, column 2", "tsv": "line 13, column 2"}.get(form, "row 12")
    assert place in said[0]
