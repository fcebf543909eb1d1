"""CSV: kinds and categories, chunks, exact errors."""

from __future__ import annotations

import re
import tracemalloc
from csv import reader, writer

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.streams.limits import LoadWatch
from streamlab.streams.tables import csv_source as csv
from streamlab.streams.tables.csv_source import Layout
from tests.streams.read import read, written

TEXT = """runtime,colour, ok ,drama,comedy,note
90.5,red,true,1,0,a

,"dark, blue",FALSE,0,true,b
1e3,?,NA,1.0,0,c
"""


def write(folder, text, name="films.csv"):
    return written(folder, text, name)


@pytest.mark.parametrize("name", ["films.csv", "films.csv.gz"])
def test_csv(tmp_path, name):
    text = TEXT.replace("0,true,b", "0,1,b")
    stream = sl.load(write(tmp_path, text, name), labels=["comedy", "drama"], ignore=["note"])
    assert stream.name == "films"
    assert stream.schema.labels == ("drama", "comedy")
    assert stream.schema.feature_names == ("runtime", "colour", "ok")
    assert [f.categories for f in stream.schema.features] == [None, ("dark, blue", "red"), None]
    assert stream.n_rows == 3
    X, Y = read(stream)
    np.testing.assert_array_equal(X, [[90.5, 1, 1], [np.nan, 0, 0], [1000, np.nan, np.nan]])
    assert Y.tolist() == [[1, 0], [0, 1], [1, 0]]
    assert stream.preview(5)["feature", "colour"].fillna("missing").tolist() == ["red", "dark, blue", "missing"]


def test_labels_by_number_and_as_words(tmp_path):
    path = write(tmp_path, "a,b,l\n1,2,true\n3,4,False\n")
    stream = sl.load(path, labels=-1)
    assert stream.schema.labels == ("l",)
    assert read(stream)[1].tolist() == [[1], [0]]
    assert sl.load(path, labels=1).schema.labels == ("a=1", "a=3")


def test_nominal_numbers_separator_and_quoted_newlines(tmp_path):
    path = write(tmp_path, 'zone;text;l\n10;"two\nlines";1\n9;x;0\n')
    stream = sl.load(path, labels=["l"], nominal=["zone"], separator=";")
    assert stream.schema.features[0].categories == ("10", "9")
    assert stream.schema.features[1].categories == ("two\nlines", "x")
    bad = write(tmp_path, 'text,l\n"two\nlines",1\nx,1,1\n')
    with pytest.raises(ValueError, match="line 4, column 3: expected 2 cells as in the header, found 3"):
        sl.load(bad, labels=["l"])


GOOD = "".join(f"{i % 7}.5,{i % 2}\n" for i in range(1200))
"""More rows than the guess looks at."""


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "the file is empty"),
        ("a,l\n", "no rows"),
        ("a,l\n1,1\n1\n", "line 3, column 2: expected 2 cells"),
        (f"a,l\n{GOOD}1\n", "line 1202, column 2: expected 2 cells"),
        (f"a,l\n{GOOD}x,1\n", "line 1202, column 1 ('a'): expected a number"),
        (f"a,l\n{GOOD}1_0,1\n", "line 1202, column 1 ('a'): expected a number"),
        (f"a,l\n{GOOD}inf,1\n", "line 1202, column 1 ('a'): expected a finite number"),
        ("a,l\n1,1\n1e999,1\n", "line 3, column 1 ('a'): expected a finite number"),
        (f"a,l\n{GOOD}1,2\n", "line 1202, column 2 ('l'): expected the label to be 0 or 1"),
        (f"a,l\n{GOOD}1,yes\n", "line 1202, column 2 ('l'): expected the label to be 0 or 1"),
        ('a,l\n1,1\n"1,1\n', "line 3: no valid CSV"),
        ('a,l\n1,1\n2,"1"2"\n3,0\n', "line 3, column 2: expected a separator behind the quote"),
        (f'a,l\n{GOOD}"1"2",1\n', "line 1202, column 1: expected a separator behind the quote"),
        (f'a,l\n{GOOD}"1\n\n",0\n\n\n"1\n",x\n', "line 1207, column 2 ('l'): expected the label to be 0 or 1"),
        ("a,l\n" + "".join(f"w{i},1\n" for i in range(1001)), "line 1002, column 1 ('a'): more than 1,000 different"),
    ],
)
def test_wrong_cells_are_named_exactly(tmp_path, text, place):
    path = write(tmp_path, text)
    with pytest.raises(ValueError, match=re.escape(place)) as caught:
        sl.load(path, labels=["l"], features=["a"] if "w1" in text else ())
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": ["drma"]}, "labels= names 'drma', which is not a column; did you mean 'drama'?"),
        ({"labels": []}, "labels=[] is empty"),
        ({"labels": ["drama", "drama"]}, "'drama' occurs twice"),
        ({"labels": 6}, "labels=6: expected 1 to 5"),
        ({"labels": "drama", "ignore": ["x"]}, "ignore= names 'x'"),
        ({"labels": "drama", "nominal": ["drama"]}, "which is a label"),
        ({"labels": "drama", "features": ["note"], "ignore": ["note"]}, "in features= and in ignore="),
        ({"labels": "drama", "missing": "abc", "classes": 3}, "classes=3: expected a list"),
        ({"labels": "drama", "separator": ",,"}, "separator=',,'"),
        ({"labels": "drama", "encoding": "utf-99"}, "encoding='utf-99'"),
        ({"labels": "drama", "vectorizer": 1}, "go with text="),
    ],
)
def test_wrong_options(tmp_path, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        sl.load(write(tmp_path, TEXT), **options)


def test_wrong_encoding(tmp_path):
    path = write(tmp_path, "a,l\nr\u00f6t,1\n".encode("latin-1"))
    with pytest.raises(ValueError, match="line 2, byte column 2: the byte 0xf6 is not utf-8"):
        sl.load(path, labels=["l"], encoding="utf-8")
    assert sl.load(path, labels=["l"]).schema.features[0].categories == ("r\u00f6t",)


def test_a_file_that_changes_after_opening(tmp_path):
    path = write(tmp_path, "a,b,l\n1,x,1\n")
    stream = sl.load(path, labels=["l"])
    for text, column in (("1,y,1", "2 ('b')"), ("q,x,1", "1 ('a')"), ("1,x,2", "3 ('l')")):
        write(tmp_path, f"a,b,l\n{text}\n")
        with pytest.raises(ValueError, match=re.escape(f"line 2, column {column}")):
            read(stream)


NUMBERS = (
    *("1", "0.5", "-2.25", "1e3", "1e-400", "4.9e-324", "+3", " 7 ", "\t8", "1.", ".5", "0.1234567890123456789"),
    *("nan", "NaN", "-nan", "", "?", " NA ", "NA", "null", "None", "true", "FALSE"),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=20), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_numbers_are_what_python_reads(tmp_path, cells, end, quoted):
    written = [f'"{cell}"' if quoted else cell for cell in cells]
    path = write(tmp_path, end.join(["a,b,l", *(f"{cell},{i * 0.5},{i % 2}" for i, cell in enumerate(written))]) + end)
    plain = {"true": "1", "FALSE": "0", "": "nan", "?": "nan", "NA": "nan", "null": "nan", "None": "nan"}
    expected = [float(plain.get(cell.strip(), cell)) for cell in cells]
    stream = sl.load(path, labels=["l"], features=["a", "b"], missing=["MISSING"])
    if stream.schema.features[0].categories is None:  # a few words among fewer numbers are words
        np.testing.assert_array_equal(read(stream)[0][:, 0], expected)


RECORDS = st.lists(
    st.lists(st.text(st.sampled_from('a",;\n1 '), max_size=6), min_size=3, max_size=3), min_size=1, max_size=12
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RECORDS, st.integers(1, 40))
def test_cells_are_what_pythons_csv_wrote_whatever_the_blocks(tmp_path, rows, size):
    path = tmp_path / "f.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer(file).writerows([["x", "y", "z"], *rows])
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(csv, "BLOCK_BYTES", size)
    monkeypatch.setattr(csv, "COLUMN_BYTES", 0)
    source = csv.CsvSource(path, Layout(), LoadWatch(path))
    for start in (0, len(rows) // 2):
        batches = list(source.batches(start, [0, 2]))
        found = [cells for batch in batches for cells in zip(*(c.to_pylist() for c in batch.cells), strict=True)]
        assert [(a or "", b or "") for a, b in found] == [(row[0], row[2]) for row in rows[start:]]
    monkeypatch.undo()
    with path.open(newline="", encoding="utf-8") as file:
        records = reader(file)
        next(records)
        lines = [records.line_num + 1, *(records.line_num + 1 for _ in records)]
    places = [
        int(source.place(batch, i, 0).split("line ")[1].split(",")[0])
        for batch in source.batches(0, [0])
        for i in range(len(batch.cells[0]))
    ]
    assert places == lines[:-1]


def test_memory_is_bounded(tmp_path):
    def peak(n_rows):
        path = tmp_path / f"{n_rows}.csv"
        with path.open("w") as file:
            file.write(",".join(f"a{i}" for i in range(20)) + ",l\n")
            file.writelines(row for _ in range(n_rows))
        tracemalloc.start()
        assert sum(len(X) for X, _ in sl.load(path, labels=-1).blocks()) == n_rows
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    row = "0.123456,12.5," * 10 + "1\n"
    short = 2 * csv.BLOCK_BYTES // len(row)
    peak(short)  # what is imported on the way
    assert peak(4 * short) < 1.2 * peak(short)


def test_a_message_stays_short_whatever_stands_in_the_file(tmp_path):
    path = write(tmp_path, "PK\x03" * 500 + "\n1\n")
    with pytest.raises(ValueError, match="labels= names 'x'") as caught:
        sl.load(path, labels="x")
    assert len(str(caught.value)) < len(str(path)) + 200
    with pytest.raises(ValueError, match="there is only one column"):
        sl.load(path, labels=1)


def test_what_is_no_text_is_called_so(tmp_path):
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    with pytest.raises(ValueError, match=r"picture\.csv: this is not a text file: .* the first of them 0x00"):
        sl.load(path, labels=-1)
