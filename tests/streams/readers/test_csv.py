"""CSV: kinds and categories, chunks, exact errors; and Parquet gives the same."""

from __future__ import annotations

import gzip
import math
import re
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from streamlab.streams.readers import _csv_records as csv
from streamlab.streams.readers.csv import CsvStream
from streamlab.streams.readers.parquet import ParquetStream

TEXT = """runtime,colour, ok ,drama,comedy,note
90.5,red,true,1,0,a

,"dark, blue",FALSE,0,true,b
1e3,?,NA,1.0,0,c
"""


def write(folder, text, name="films.csv"):
    path = folder / name
    raw = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return path


def read(stream):
    parts = list(stream.blocks())
    return np.concatenate([X for X, _ in parts]), np.concatenate([Y for _, Y in parts])


@pytest.mark.parametrize("name", ["films.csv", "films.csv.gz"])
def test_csv(tmp_path, name):
    text = TEXT.replace("0,true,b", "0,1,b")
    stream = CsvStream(write(tmp_path, text, name), labels=["comedy", "drama"], ignore=["note"])
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
    stream = CsvStream(path, labels=-1)
    assert stream.schema.labels == ("l",)
    assert read(stream)[1].tolist() == [[1], [0]]
    with pytest.raises(
        ValueError, match=r"line 2, column 1 \('a'\): expected the label to be 0 or 1, found '1|found '3'"
    ):
        CsvStream(path, labels=1)


def test_nominal_numbers_separator_and_quoted_newlines(tmp_path):
    path = write(tmp_path, 'zone;text;l\n10;"two\nlines";1\n9;x;0\n')
    stream = CsvStream(path, labels=["l"], nominal=["zone"], separator=";")
    assert stream.schema.features[0].categories == ("10", "9")
    assert stream.schema.features[1].categories == ("two\nlines", "x")
    bad = write(tmp_path, 'text,l\n"two\nlines",1\nx,1,1\n')
    with pytest.raises(ValueError, match="line 4, column 3: expected 2 cells as in the header, found 3"):
        CsvStream(bad, labels=["l"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("a,l\n", "no rows after the header"),
        ("a,a,l\n1,1,1\n", "line 1: in the header the column 'a' occurs twice"),
        ("a,l\n1,1\n1\n", "line 3, column 2: expected 2 cells as in the header, found 1"),
        ("a,l\n1,1\nx,1\n", "line 3, column 1 ('a'): expected a number as in line 2, found 'x'"),
        ("a,l\nx,1\n?,0\n7,1\n", "line 2, column 1 ('a'): expected a number as in line 4, found 'x'"),
        ("a,l\n1,1\n1_0,1\n", "line 3, column 1 ('a'): expected a number as in line 2, found '1_0'"),
        ("a,l\n1,1\ninf,1\n", "line 3, column 1 ('a'): expected a finite number, found 'inf'"),
        ("a,l\n1,1\n1e999,1\n", "line 3, column 1 ('a'): expected a finite number, found '1e999'"),
        ("a,l\n1,1\n1,\n", "line 3, column 2 ('l'): the label is missing"),
        ("a,l\n1,1\n1,2\n", "line 3, column 2 ('l'): expected the label to be 0 or 1, found '2'"),
        ("a,l\n1,1\n1,yes\n", "line 3, column 2 ('l'): expected the label to be 0 or 1, found 'yes'"),
        ('a,l\n1,1\n"1,1\n', "line 3: no valid CSV"),
        ('a,l\n1,1\n"1"2,1\n', "line 3: no valid CSV"),
        ("a,l\n" + "".join(f"w{i},1\n" for i in range(1001)), "line 1002, column 1 ('a'): more than 1,000 different"),
    ],
)
def test_wrong_cells_are_named_exactly(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        CsvStream(path, labels=["l"])
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": None}, "which columns are labels?"),
        ({"labels": ["drma"]}, "labels= names 'drma', which is not a column; did you mean 'drama'?"),
        ({"labels": []}, "labels=[] is empty"),
        ({"labels": ["drama", "drama"]}, "'drama' occurs twice"),
        ({"labels": 6}, "labels=6: expected 1 to 5"),
        ({"labels": "drama", "ignore": ["x"]}, "ignore= names 'x'"),
        ({"labels": "drama", "nominal": ["drama"]}, "which is a label"),
        ({"labels": "drama", "separator": ",,"}, "separator=',,'"),
        ({"labels": "drama", "encoding": "utf-99"}, "encoding='utf-99'"),
    ],
)
def test_wrong_options(tmp_path, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        CsvStream(write(tmp_path, TEXT), **options)


def test_wrong_encoding(tmp_path):
    path = write(tmp_path, "a,l\nr\u00f6t,1\n".encode("latin-1"))
    with pytest.raises(ValueError, match="line 2, byte column 2: the byte 0xf6 is not utf-8"):
        CsvStream(path, labels=["l"])
    assert CsvStream(path, labels=["l"], encoding="latin-1").schema.features[0].categories == ("r\u00f6t",)


def test_a_file_that_changes_after_opening(tmp_path):
    path = write(tmp_path, "a,b,l\n1,x,1\n")
    stream = CsvStream(path, labels=["l"])
    write(tmp_path, "a,b,l\n1,y,1\n")
    with pytest.raises(ValueError, match=r"line 2, column 2 \('b'\): expected one of 'x', found 'y'"):
        read(stream)
    write(tmp_path, "a,b,l\nq,x,1\n")
    with pytest.raises(ValueError, match=r"line 2, column 1 \('a'\): expected a number, found 'q'"):
        read(stream)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.tuples(st.floats(allow_infinity=False), st.sampled_from(["", "red", 'a"b', "c,d"]), st.booleans()),
        min_size=1,
        max_size=30,
    ),
    size=st.integers(1, 7),
    start=st.integers(0, 30),
)
def test_csv_and_parquet_give_what_pandas_wrote(tmp_path, rows, size, start):
    frame = pd.DataFrame(rows, columns=["x", "c", "l"]).replace({"c": {"": None}})
    frame.to_csv(tmp_path / "f.csv", index=False)
    frame.to_parquet(tmp_path / "f.parquet", row_group_size=4)
    words = sorted({c for _, c, _ in rows if c})
    expected = [[x, words.index(c) if c else math.nan] for x, c, _ in rows]
    for stream in (CsvStream(tmp_path / "f.csv", labels="l"), ParquetStream(tmp_path / "f.parquet", labels="l")):
        chunks = list(stream.chunks(size))
        np.testing.assert_array_equal(np.concatenate([c.X for c in chunks])[:, 0], [e[0] for e in expected])
        if words:
            np.testing.assert_array_equal(np.concatenate([c.X for c in chunks])[:, 1], [e[1] for e in expected])
        assert np.concatenate([c.Y for c in chunks])[:, 0].tolist() == [int(flag) for *_, flag in rows]
        later = [X for X, _ in stream.blocks(start)]
        assert sum(map(len, later)) == max(0, len(rows) - start)
        if later:
            np.testing.assert_array_equal(np.concatenate(later)[:, 0], [e[0] for e in expected[start:]])


WRITINGS = (
    *(
        "1",
        "0.5",
        "-2.25",
        "1e3",
        "nan",
        "NaN",
        "-nan",
        "NAN",
        "inf",
        "1e999",
        "1e-400",
        "4.9e-324",
        "1_0",
        "+3",
        " 7 ",
    ),
    *("\t8", "", "?", " NA ", "NA", "null", "1.", ".5", "1e", "0x10", "0.1234567890123456789", "9" * 320),
    *("red", " blue ", "true", "FALSE", "a b", '"a"', '"1"', '"two\nlines"', '"1"2', 'a"b', "\u00e9"),
)


def said_of(path):
    try:
        stream = CsvStream(path, labels=["l"])
        return stream.schema, *(part.tobytes() for part in read(stream))
    except ValueError as error:
        return str(error)


def test_pyarrow_reads_what_python_reads(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    n_read = 0
    for _ in range(200):
        few = [rng.choice(WRITINGS, size=rng.integers(1, 4)) for _ in range(2)]
        rows = [[*(rng.choice(each) for each in few), str(rng.integers(2))] for _ in range(rng.integers(1, 8))]
        end = rng.choice(["\n", "\n", "\r\n"])
        path = write(tmp_path, end.join(["a,b,l", *map(",".join, rows)]) + end)
        monkeypatch.setattr(csv, "COLUMN_BYTES", 1 << 30)
        expected = said_of(path)
        monkeypatch.setattr(csv, "COLUMN_BYTES", 0)
        assert said_of(path) == expected, rows
        n_read += not isinstance(expected, str)
    assert 40 < n_read < 180


def test_memory_is_bounded(tmp_path):
    def peak(n_rows):
        path = tmp_path / f"{n_rows}.csv"
        with path.open("w") as file:
            file.write(",".join(f"a{i}" for i in range(20)) + ",l\n")
            file.writelines(row for _ in range(n_rows))
        tracemalloc.start()
        assert sum(len(X) for X, _ in CsvStream(path, labels=-1).blocks()) == n_rows
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    row = "0.123456,12.5," * 10 + "1\n"
    short = 2 * csv.BLOCK_BYTES // len(row)
    assert peak(4 * short) < 1.2 * peak(short)


def test_a_message_stays_short_whatever_stands_in_the_file(tmp_path):
    path = write(tmp_path, "PK\x03" * 500 + "\n1\n")
    with pytest.raises(ValueError, match="labels= names 'x'") as caught:
        CsvStream(path, labels="x")
    assert len(str(caught.value)) < len(str(path)) + 200
    with pytest.raises(ValueError, match="there is only one column"):
        CsvStream(path, labels=1)
