"""The ARFF reader: both dialects, every writing, exact numbers, exact errors, bounded memory."""

from __future__ import annotations

import gzip
import math
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from streamlab.schema import Hierarchy
from streamlab.streams.labelling import NEVER
from streamlab.streams.readers.arff import ArffStream
from streamlab.streams.tables import source
from tests.streams.read import read, written

HEADER = """% a comment
@RELATION 'films: -C 2'

@Attribute drama {0,1}
@attribute comedy numeric
@ATTRIBUTE runtime NUMERIC
@attribute 'the colour' {red, "dark blue", 'it\\'s'}
@attribute "share" real
@attribute year integer % a comment
@data
"""


def write(folder: Path, text: str | bytes, name: str = "films.arff") -> Path:
    return written(folder, text, name)


def test_meka_header_and_dense_rows(tmp_path):
    rows = "1,0,90.5,red,-1e3,1999\n\n % no row\n0, 1 ,?,'dark blue',\t+.5,2000 \r\n1,1,'7',\"it's\",0.1,nan % note\n"
    stream = ArffStream(write(tmp_path, HEADER + rows))
    assert stream.name == "films"
    assert stream.schema.labels == ("drama", "comedy")
    assert stream.schema.feature_names == ("runtime", "the colour", "share", "year")
    assert stream.schema.features[1].categories == ("red", "dark blue", "it's")
    assert stream.n_rows == 3
    X, Y = read(stream)
    np.testing.assert_array_equal(X, [[90.5, 0, -1000, 1999], [np.nan, 1, 0.5, 2000], [7, 2, 0.1, np.nan]])
    np.testing.assert_array_equal(Y, [[1, 0], [0, 1], [1, 1]])
    assert X.dtype == np.float64
    assert Y.dtype == np.uint8


def test_last_line_without_newline_and_byte_order_mark(tmp_path):
    stream = ArffStream(write(tmp_path, b"\xef\xbb\xbf" + (HEADER + "1,0,1,red,2,3").encode()))
    assert read(stream)[0].tolist() == [[1, 0, 2, 3]]


def test_sparse_rows_leave_out_zeros_and_first_categories(tmp_path):
    header = "@relation 'x: -C -2'\n@attribute a numeric\n@attribute b {u,v}\n"
    header += "@attribute l {1,0}\n@attribute m {0,1}\n@data\n"
    rows = "{}\n{0 2.5,1 v,2 0,3 1}\n{ 3 1 , 0 7 }\n{1 ?, 2 0}\n{ 0\t1 }\n"
    X, Y = read(ArffStream(write(tmp_path, header + rows)))
    np.testing.assert_array_equal(X, [[0, 0], [2.5, 1], [7, 0], [0, np.nan], [1, 0]])
    # The first category of l is 1, so a row that leaves it out says 1.
    np.testing.assert_array_equal(Y, [[1, 0], [0, 1], [1, 1], [0, 0], [1, 0]])


def test_mulan_xml_beside_the_file(tmp_path):
    body = "@relation 'r: -C 1'\n@attribute f numeric\n@attribute 'l 1' {0,1}\n@attribute l2 {0,1}\n@data\n1,0,1\n"
    xml = '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="l2"/><label name="l 1"/></labels>'
    (tmp_path / "set.xml").write_text(xml)
    for name in ("set.arff", "set-train.arff.gz", "set_test.arff", "set_training.arff"):
        stream = ArffStream(write(tmp_path, body, name))
        assert stream.schema.labels == ("l 1", "l2"), "in the order of the columns"
        assert stream.schema.hierarchy is None
    elsewhere = write(tmp_path, body, "other.arff")
    assert ArffStream(elsewhere).schema.labels == ("f",)
    assert ArffStream(elsewhere, labels=str(tmp_path / "set.xml")).schema.labels == ("l 1", "l2")


def test_nested_xml_is_a_hierarchy(tmp_path):
    body = (
        "@relation r\n@attribute f numeric\n" + "".join(f"@attribute {n} {{0,1}}\n" for n in "cab") + "@data\n5,0,1,0\n"
    )
    (tmp_path / "films.xml").write_text(
        '<labels><label name="a"><label name="b"><label name="c"/></label></label></labels>'
    )
    schema = ArffStream(write(tmp_path, body)).schema
    assert schema.labels == ("c", "a", "b")
    assert schema.hierarchy == Hierarchy((2, -1, 1))


def test_declared_range(tmp_path):
    body = "@relation 'r: -C -1'\n@attribute f real [-1, 2.5]\n@attribute l {0,1}\n@data\n5,0\n"
    feature = ArffStream(write(tmp_path, body)).schema.features[0]
    assert (feature.low, feature.high) == (-1, 2.5)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,0,1,red,2", r"line 12, column 6 \('year'\): expected 6 values in the row, found 5"),
        ("1,0,1,red,2,3,4", r"line 12, column 6 .*expected 6 values in the row, found 7"),
        ("1,0,1,green,2,3", r"line 12, column 4 \('the colour'\): unknown value 'green'; expected one of 'red', 'dark"),
        ("1,0,one,red,2,3", r"line 12, column 3 \('runtime'\): expected a number or '\?', found 'one'"),
        ("1,0,1_0,red,2,3", r"line 12, column 3 .*found '1_0'"),
        ("1,0,,red,2,3", r"line 12, column 3 .*found ''"),
        ("1,0,1,red,2,3\x0b", r"line 12: expected cells parted by commas and spaces alone, found .*x0b"),
        ("1,0,1,red,inf,3", r"line 12, column 5 \('share'\): expected a finite number, found inf"),
        ("1,0,1,red,-1e999,3", r"line 12, column 5 .*expected a finite number, found -inf"),
        ("{4 inf}", r"line 12, column 5 \('share'\): expected a finite number, found 'inf'"),
        ("1,2,1,red,2,3", r"line 12, column 2 \('comedy'\): expected the label to be 0 or 1, found '2'"),
        ("2,0,1,red,2,3", r"line 12, column 1 \('drama'\): unknown value '2'"),
        ("{6 1}", r"line 12: expected an index from 0 to 5, once, and a value in each pair, found '{6 1}'"),
        ("{-1 1}", r"line 12: expected an index from 0 to 5"),
        ("{2 1,2 1}", r"line 12: expected an index from 0 to 5, once"),
        ("{2 1 3 1}", r"line 12: expected .* found '{2 1 3 1}'"),
        ("{x 1}", r"line 12: expected .* found '{x 1}'"),
        ("{2 1", r"line 12: expected .* found '{2 1'"),
        ("{2 1}, {0.5}", r"line 12: expected .* found '{2 1},{0.5}'"),
    ],
)
def test_wrong_rows_are_named_exactly(tmp_path, row, message):
    path = write(tmp_path, HEADER + "1,0,1,red,2,3\n" + row + "\n1,0,1,red,2,3\n")
    with pytest.raises(ValueError, match=message) as caught:
        read(ArffStream(path))
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("% only\n", "line 1: the file ends without @data"),
        (HEADER, "no rows after @data"),
        (HEADER + "\n% nothing\n\n", "no rows after @data"),
        ("@relation x\n@data\n1\n", "line 2: @data before any @attribute"),
        ("@relation x\n1,2\n", "line 2, column 1: expected @relation, @attribute, @data or a comment, found '1,2'"),
        ("@relation x\n@attribute a relational\n@data\n", "the attribute 'a' has the unknown type 'relational'"),
        ("@relation x\n@attribute a foo\n@data\n", "line 2: the attribute 'a' has the unknown type 'foo'"),
        ("@relation x\n@attribute a\n@data\n", "line 2: expected '@attribute name type', found 'a'"),
        ("@relation x\n@attribute a {p,q\n@data\n", "line 2: the categories of 'a' do not end"),
        ("@relation x\n@attribute a {p,p}\n@data\n", "line 2: the attribute 'a': the category 'p' occurs twice"),
        ("@relation x\n@attribute a {p,,q}\n@data\n", "line 2: an empty category of 'a'"),
        ("@relation x\n@attribute a {}\n@data\n", "line 2: 'a' has no categories"),
        ("@relation x\n@attribute a numeric\n@attribute b numeric\n@data\n1,1\n", "which attributes are labels?"),
        ("@relation '-C 2'\n@attribute a numeric\n@attribute b numeric\n@data\n1,1\n", "-C 2: expected 1 to 1 labels"),
        ("@relation '-C 0'\n@attribute a numeric\n@attribute b numeric\n@data\n1,1\n", "-C 0: expected 1 to 1 labels"),
        ("@relation '-C 1'\n@attribute a string\n@attribute b real\n@data\nx,1\n", "column 'a': expected labels"),
        ("@relation '-C 1'\n@attribute a {0,1}\n@attribute b date\n@data\n1,x\n", "at least one column a feature"),
        (
            "@relation '-C 1'\n@attribute a numeric\n@attribute b numeric\n@attribute b numeric\n@data\n1,1,1\n",
            "'b' occurs twice",
        ),
    ],
)
def test_wrong_headers_are_named_exactly(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        ArffStream(path)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["nope"], "labels= names 'nope', which is not a column"),
        ([], "expected at least one column"),
        (["drama", "drama"], "'drama' occurs twice"),
        (6, "labels=6: expected 1 to 5"),
        ("dramatic", "expected an .xml file, an attribute, a number or a list"),
        ("gone.xml", "gone.xml does not exist"),
        (["drama", "comedy", "runtime", "the colour", "share", "year"], "Make at least one column a feature"),
    ],
)
def test_labels_that_do_not_exist_are_refused(tmp_path, labels, message):
    path = write(tmp_path, HEADER + "1,0,1,red,2,3\n")
    with pytest.raises(ValueError, match=message):
        ArffStream(path, labels=labels)


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<labels>", "no valid XML .*line 1"),
        ("<labels/>", "no <label name=...>"),
        ("<labels><label/></labels>", "label 1 has no name"),
        ('<labels><label name="a"/><label name="a"/></labels>', "'a' occurs twice"),
        ('<labels><label name="a"/></labels>', "names 'a', which is not a column"),
    ],
)
def test_wrong_xml(tmp_path, xml, message):
    (tmp_path / "films.xml").write_text(xml)
    with pytest.raises(ValueError, match=message) as caught:
        ArffStream(write(tmp_path, HEADER + "1,0,1,red,2,3\n"))
    assert str(tmp_path / "films.xml") in str(caught.value)


def test_wrong_encoding_is_named_by_line_and_byte(tmp_path):
    text = HEADER.replace("red", "rött") + "1,0,1,rött,2,3\n"
    path = write(tmp_path, text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"line 7, byte column 27: the byte 0xf6 is not utf-8; expected"):
        ArffStream(path)
    stream = ArffStream(path, encoding="latin-1")
    assert stream.schema.features[1].categories[0] == "rött"
    assert read(stream)[0].tolist() == [[1, 0, 2, 3]]
    late = write(tmp_path, (HEADER + "1,0,1,red,2,3\n" * 90_000).encode() + b"\xff\n")
    with pytest.raises(ValueError, match=r"line 90011, byte column 1: the byte 0xff"):
        ArffStream(late)


def test_utf16(tmp_path):
    text = HEADER.replace("red", "r\u00f6tt") + "1,0,1,r\u00f6tt,2,3\n"
    path = write(tmp_path, text.encode("utf-16"))
    with pytest.raises(ValueError, match=r"line 1, byte column 1: .*looks like UTF-16"):
        ArffStream(path)
    assert read(ArffStream(path, encoding="utf-16"))[0].tolist() == [[1, 0, 2, 3]]
    broken = write(tmp_path, text.encode("utf-16-le") + b"\x00\xd8\x00\x00")
    with pytest.raises(ValueError, match=r"line 12, byte column 1: the byte 0x00 is not utf-16-le"):
        read(ArffStream(broken, encoding="utf-16-le"))


def test_missing_file_unknown_encoding_damaged_gzip(tmp_path):
    with pytest.raises(ValueError, match=r"gone.arff does not exist"):
        ArffStream(tmp_path / "gone.arff")
    with pytest.raises(ValueError, match="is a folder"):
        ArffStream(tmp_path)
    path = write(tmp_path, HEADER + "1,0,1,red,2,3\n" * 50_000, "films.arff.gz")
    with pytest.raises(ValueError, match="encoding='utf-99' is not known"):
        ArffStream(path, encoding="utf-99")
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match="damaged or cut short"):
        read(ArffStream(path))
    path.write_bytes(b"no gzip")
    with pytest.raises(ValueError, match="damaged or cut short"):
        ArffStream(path)


def test_blocks_start_anywhere_and_chunks_count_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MOST_BLOCK_ROWS", 7)
    lines = [f"1,0,{i},red,0.{i},{i}\n" + ("% between\n" if i % 5 == 0 else "") for i in range(100)]
    stream = ArffStream(write(tmp_path, HEADER + "".join(lines)))
    whole, _ = read(stream)
    for start in (0, 1, 50, 99, 100, 120):
        parts = [X for X, _ in stream.blocks(start)]
        got = np.concatenate(parts) if parts else whole[:0]
        np.testing.assert_array_equal(got, whole[start:])
    chunks = list(stream.chunks(9, start=5, stop=40))
    assert [c.start for c in chunks] == [5, 14, 23, 32]
    np.testing.assert_array_equal(np.concatenate([c.X for c in chunks]), whole[5:40])


def test_good_rows_come_before_the_error(tmp_path):
    stream = ArffStream(write(tmp_path, HEADER + "1,0,1,red,2,3\n" * 37 + "1,0,x,red,2,3\n"))
    seen = []
    with pytest.raises(ValueError, match="line 48"):
        seen.extend(chunk.stop for chunk in stream.chunks(10))
    assert seen == [10, 20, 30], "whole chunks only"
    assert [len(c) for c in stream.chunks(10, stop=37)] == [10, 10, 10, 7]


FORM = "@relation 'r: -C 1'\n@attribute l {labels}\n@attribute a numeric\n@attribute b {{u,v}}\n@data\n{rows}\n"


@pytest.mark.parametrize(
    ("labels", "cells"),
    [
        ("{TRUE,FALSE}", "TRUE FALSE"),
        ("{no,yes}", "yes no"),
        ("{nein, ja}", "ja nein"),
        ("{-1,1}", "1 -1"),
        ("{0.0,1.0}", "1.0 0.0"),
        ("{f,t}", "'t' f"),
    ],
)
def test_labels_in_words_are_those_of_a_csv(tmp_path, labels, cells):
    rows = "\n".join(f"{cell},0.5,u" for cell in cells.split())
    stream = ArffStream(write(tmp_path, FORM.format(labels=labels, rows=rows)))
    assert stream.schema.labels == ("l",)
    assert read(stream)[1].tolist() == [[1], [0]]
    sparse = FORM.format(labels=labels, rows="\n".join(f"{{0 {cell},1 0.5}}" for cell in cells.split()))
    assert read(ArffStream(write(tmp_path, sparse)))[1].tolist() == [[1], [0]]


def test_a_label_of_several_classes_has_one_for_each(tmp_path):
    header = "@relation r\n@attribute l {0,1}\n@attribute 'kind' {red,'dark blue',3}\n@attribute a real\n@data\n"
    rows = "1,red,0.5\n0,'dark blue',1\n1,3,?\n{1 3,2 7}\n"
    stream = ArffStream(write(tmp_path, header + rows), labels=["l", "kind"])
    assert stream.schema.labels == ("l", "red", "dark blue", "kind=3")
    X, Y = read(stream)
    np.testing.assert_array_equal(X, [[0.5], [1], [np.nan], [7]])
    assert Y.tolist() == [[1, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1], [0, 0, 0, 1]]
    assert len(stream.preview(2)) == 2


def test_texts_and_dates_are_left_out_and_said(tmp_path):
    header = "@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute s string\n@attribute d date \"yyyy-MM-dd\"\n"
    header += "@attribute a real\n@data\n"
    rows = "1,'it\\'s, one',\"2024-01-02\",0.5\n0,two words,2024-01-02,1\n1,?,?,2\n{0 1,1 'x',3 3}\n"
    path = write(tmp_path, header + rows)
    with pytest.warns(UserWarning, match=r"left out: .*'s'.*ignore=\['s', 'd'\]"):
        stream = ArffStream(path)
    assert stream.schema.feature_names == ("a",)
    X, Y = read(stream)
    assert (X.ravel().tolist(), Y.ravel().tolist()) == ([0.5, 1, 2, 3], [1, 0, 1, 1])
    with warnings.catch_warnings(action="error"):
        assert ArffStream(path, ignore=["s", "d"]).schema.feature_names == ("a",)
    more = write(tmp_path, header + rows.replace("0.5", "x").replace("one", "two"))
    with pytest.raises(ValueError, match=r"line 7, column 4 \('a'\)"):
        read(ArffStream(more, ignore=["s", "d"]))
    with pytest.raises(ValueError, match="ignore= names 'z'"):
        ArffStream(path, ignore="z")


@pytest.mark.parametrize("row", ["?,0.5,u", "{0 ?,1 0.5}"])
@pytest.mark.parametrize(("labels", "n"), [("{0,1}", 1), ("{red,blue,1}", 3)])
def test_a_label_that_is_missing_is_hidden(tmp_path, row, labels, n):
    path = write(tmp_path, FORM.format(labels=labels, rows=f"1,0.5,u\n1,?,?\n{row}"))
    stream = ArffStream(path)
    (chunk,) = stream.chunks()
    assert (chunk.Y.sum(axis=1).tolist(), chunk.X[2].tolist()) == ([1, 1, 0], [0.5, 0])
    assert stream.schema.n_labels == n
    assert stream.labelling.arrives([0, 1, 2]).tolist() == [0, 1, NEVER]


CLUS = "@relation r\n@attribute id key\n@attribute a numeric\n@attribute class hierarchical {nodes}\n@data\n{rows}\n"


def test_clus_hierarchies(tmp_path):
    rows = "k1,0.5,01/03@02\nk2,1,02\nk3,2,?"
    tree = ArffStream(write(tmp_path, CLUS.format(nodes="01,01/03,02,04/01", rows=rows)), ignore="id")
    assert tree.schema.labels == ("01", "01/03", "02", "04", "04/01")
    assert tree.schema.hierarchy.parents == (-1, 0, -1, -1, 3)
    (chunk,) = tree.chunks()
    assert chunk.Y.tolist() == [[1, 1, 1, 0, 0], [0, 0, 1, 0, 0], [0] * 5]
    assert tree.labelling.arrives([1, 2]).tolist() == [1, NEVER]
    nodes, rows = "root/A,root/B,A/C,B/C,C/D", "k1,1,D\nk2,2,A@B"
    graph = ArffStream(write(tmp_path, CLUS.format(nodes=nodes, rows=rows)), ignore="id")
    assert graph.schema.labels == ("A", "B", "C", "D")
    assert graph.schema.hierarchy.parents == (-1, -1, (0, 1), 2)
    assert next(graph.chunks()).Y.tolist() == [[1, 1, 1, 1], [1, 1, 0, 0]]
    with pytest.raises(ValueError, match=r"line 7, column 3 \('class'\): there is no 'E'.*expected one of 'A', 'B'"):
        ArffStream(write(tmp_path, CLUS.format(nodes=nodes, rows="k1,1,D\nk2,1,A@E")), ignore="id")


@pytest.mark.parametrize("relation", ["generators.RandomTreeGenerator -c 2", "weka.Remove -C 1", "x -f C:/m.arff -c 1"])
def test_options_of_other_programs_name_no_labels(tmp_path, relation):
    text = FORM.format(labels="{0,1}", rows="1,0.5,u\n0,0.5,v").replace("r: -C 1", relation)
    with pytest.raises(ValueError, match="which attributes are labels"):
        ArffStream(write(tmp_path, text))
    assert ArffStream(write(tmp_path, text), labels="b").schema.labels == ("u", "v")


doubles = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.one_of(
    doubles.map(repr),
    doubles.map(lambda v: f"{v:.18e}"),
    doubles.map(lambda v: f"{v:.12g}"),
    st.decimals(allow_nan=False, allow_infinity=False, places=6).map(str),
    st.integers().map(str),
    st.from_regex(r"[+-]?(\d{1,25}\.?\d{0,25}|\.\d{1,25})([eE][+-]?\d{1,3})?", fullmatch=True).filter(str.isascii),
)
text_values = st.text(st.characters(codec="utf-8", exclude_characters="\x00\ufeff"), min_size=1, max_size=6)


def quoted(text: str) -> str:
    for raw, escape in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(raw, escape)
    return f"'{text}'"


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(numbers, st.integers(0, 1)), min_size=1, max_size=20), sparse=st.booleans())
def test_numbers_are_what_float_says(tmp_path, rows, sparse):
    rows = [(text, label) for text, label in rows if not math.isinf(float(text))] or [("0", 0)]
    form = "{{0 {},1 {}}}\n" if sparse else "{},{}\n"
    text = "@relation '-C -1'\n@attribute f numeric\n@attribute l {0,1}\n@data\n" + "".join(
        form.format(*r) for r in rows
    )
    X, Y = read(ArffStream(write(tmp_path, text)))
    expected = np.array([float(text) for text, _ in rows])
    assert X[:, 0].tobytes() == expected.tobytes(), "bit for bit, the sign of zero included"
    assert Y[:, 0].tolist() == [label for _, label in rows]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.data(),
    categories=st.lists(text_values, min_size=1, max_size=5, unique=True),
    size=st.integers(1, 9),
    sparse=st.booleans(),
)
def test_round_trip_and_chunk_size_has_no_influence(tmp_path, data, categories, size, sparse):
    row = st.tuples(st.one_of(st.none(), doubles), st.one_of(st.none(), st.sampled_from(categories)), st.integers(0, 1))
    rows = data.draw(st.lists(row, min_size=1, max_size=30))
    name = data.draw(text_values.filter(lambda t: t != "l"))
    lines = ["@relation '-C -1'", "@attribute f numeric" if name != "f" else "@attribute g numeric"]
    lines += [f"@attribute {quoted(name)} {{{','.join(map(quoted, categories))}}}", "@attribute l {0,1}", "@data"]
    for number, category, label in rows:
        cells = ["?" if number is None else repr(number), "?" if category is None else quoted(category), str(label)]
        lines.append("{" + ", ".join(f"{i} {c}" for i, c in enumerate(cells)) + "}" if sparse else ",".join(cells))
    stream = ArffStream(write(tmp_path, "\n".join(lines) + "\n"))
    assert stream.schema.features[1].name == name
    assert stream.schema.features[1].categories == tuple(categories)
    X, Y = read(stream)
    expected = [[math.nan if n is None else n, math.nan if c is None else categories.index(c)] for n, c, _ in rows]
    np.testing.assert_array_equal(X, expected)
    assert Y[:, 0].tolist() == [label for *_, label in rows]
    chunks = list(stream.chunks(size))
    np.testing.assert_array_equal(np.concatenate([c.X for c in chunks]), X)
    np.testing.assert_array_equal(np.concatenate([c.Y for c in chunks]), Y)
    assert all(len(c) == size for c in chunks[:-1])


@pytest.mark.parametrize(
    ("name", "labels", "n_labels", "is_sparse"),
    [
        ("flags", None, 7, False),
        ("Water-quality", 14, 14, False),
        ("emotions", None, 6, False),
        ("medical", None, 45, True),
        ("enron", None, 53, True),
        ("birds-train", None, 19, False),
    ],
)
def test_real_files_equal_liac(shared_data, name, labels, n_labels, is_sparse):
    arff = pytest.importorskip("arff")
    path = shared_data / f"{name}.arff.gz"
    stream = ArffStream(path, labels=labels)
    X, Y = read(stream)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        peer = arff.load(file, encode_nominal=True, return_type=arff.LOD if is_sparse else arff.DENSE)
    names = [n.replace("\\'", "'") for n, _ in peer["attributes"]]
    assert len(stream.schema.labels) == n_labels
    table = np.zeros((len(peer["data"]), len(names)))
    for i, row in enumerate(peer["data"]):
        if is_sparse:
            table[i, list(row)] = list(row.values())
        else:
            table[i] = [math.nan if v is None else v for v in row]
    position = {n: j for j, n in enumerate(names)}
    np.testing.assert_array_equal(X, table[:, [position[n] for n in stream.schema.feature_names]])
    np.testing.assert_array_equal(Y, table[:, [position[n] for n in stream.schema.labels]])
    assert stream.n_rows == len(table)


@pytest.mark.parametrize("labels", ["kind", ["kind"], -1])
def test_the_values_of_one_nominal_attribute_are_classes(labels, tmp_path):
    path = tmp_path / "f.arff"
    path.write_text("@relation r\n@attribute x numeric\n@attribute kind {up,level,down}\n@data\n1,down\n2,up\n")
    stream = ArffStream(path, labels=labels)
    assert stream.schema.classes == stream.schema.labels == ("up", "level", "down")
    assert next(stream.chunks(5)).Y.tolist() == [[0, 0, 1], [1, 0, 0]]
    with pytest.raises(ValueError, match="labels='kind'"):
        ArffStream(path)
    with pytest.raises(ValueError, match="labels='kin'"):
        ArffStream(path, labels="kin")
