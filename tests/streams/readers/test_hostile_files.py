"""Small files that ask for much, damaged files, and invalid names: each is refused at once, by its name."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamlab as sl
from streamlab.streams import LoadCancelled, LoadLimits, load
from streamlab.streams.readers.arff import ArffStream
from streamlab.streams.readers.arff_header import find_label_xml, read_label_xml
from streamlab.streams.readers.libsvm import LibsvmStream
from tests.fuzz.changed_bytes import changed

DIGITS = "9" * 4301
LONGEST_MESSAGE = 500
CPU_SECONDS, MEGABYTES = 20.0, 200  # of a processor: a busy machine takes no test; what is not bounded takes minutes

ARFF = "@relation '{relation}'\n@attribute l0 {{0,1}}\n@attribute {name} {kind}\n@data\n{rows}\n"
XML = '<?xml version="1.0" encoding="{encoding}"?>\n<labels><label name="{name}"/></labels>\n'


def arff(relation="r: -C 1", name="x0", kind="real", rows="1,0.5\n{1 2}"):
    return ARFF.format(relation=relation, name=name, kind=kind, rows=rows)


def written(folder, content, name):
    path = folder / name
    content = content() if callable(content) else content  # what is long is made when it is read, not when it is named
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def parquet(columns, **options):
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink, **options)
    return sink.getvalue()


def refusal(path, **options):
    """What ``load`` says of a file that it refuses: short, and with the file's name."""
    begun = time.process_time()
    with pytest.raises(ValueError, match=re.escape(path.name)) as caught:
        for _ in load(path, **options).blocks():
            pass
    assert time.process_time() - begun < CPU_SECONDS
    said = str(caught.value)
    assert len(said) < LONGEST_MESSAGE + len(str(path))
    assert DIGITS[:100] not in said
    return said


# ---------------------------------------------------------------------- much from little


@pytest.mark.parametrize(
    ("ending", "content", "place", "option"),
    [
        ("svm", "1 1000000000:1\n", "line 1", "features"),
        ("svm", "1 1:1\n1000000000 1:1\n", "line 2", "labels"),
        ("svm", f"{DIGITS[:99]} 1:1\n", "line 1", "labels"),
        ("svm", "1 1000000000 3\n0 0:1\n", "line 1, column 2", "features"),
        ("svm", "1 3 1000000000\n0 0:1\n", "line 1, column 3", "labels"),
        ("svm", f"{DIGITS} 3 3\n0 0:1\n", "line 1, column 1", "rows"),
        ("svm", lambda: "1 " + " ".join(f"{i}:1" for i in range(1, 120_000)), "line 1", "features"),
        ("svm", lambda: ",".join(["1"] * 20_000) + " 1:1", "line 1", "labels"),
        ("svm", lambda: "1 1:1\n" + "1" * (9 << 20), "line 2, column 1", "line_bytes"),
        ("arff", lambda: arff(kind="{" + ",".join(f"c{i}" for i in range(1_000_000)) + "}"), "line 3", "categories"),
        (
            "arff",
            lambda: (
                "@relation 'r: -C 1'\n" + "".join(f"@attribute a{i} real\n" for i in range(200_000)) + "@data\n{0 1}\n"
            ),
            "line 110002",
            "features",
        ),
        ("arff", lambda: arff(rows="1" * (9 << 20)), "line 5, column 1", "line_bytes"),
        ("arff", lambda: arff(kind=" " * (9 << 20)), "line 3, column 1", "line_bytes"),
        (
            "arff",
            lambda: arff(
                kind="\n@attribute b ".join(["{" + ",".join(f"{i}{'c' * 5000}" for i in range(999)) + "}"] * 4)
            ),
            "line 6",
            "names_bytes",
        ),
        (
            "csv",
            lambda: ",".join(f"c{i}" for i in range(300_000)) + "\n" + ",".join("1" * 300_000) + "\n",
            "line 1",
            "features",
        ),
        ("csv", lambda: "a,b\n" + "1" * (9 << 20) + ",1\n", "line 2, column 1", "line_bytes"),
        ("csv", lambda: 'a,b\n1,1\n"' + '","\n' * (3 << 20), "line", "line_bytes"),
        ("csv", lambda: "a,b\n" + "".join(f"w{i},1\n" for i in range(1001)), "line 1002, column 1 ('a')", "categories"),
        (
            "csv",
            lambda: "a,b\n" + "".join(f"{i}{'w' * 100_000},1\n" for i in range(200)),
            "column 1 ('a')",
            "names_bytes",
        ),
        ("jsonl", lambda: '{"u": 1}\n' * 3 + f'{{"u": {"[" * 20_000}1{"]" * 20_000}}}\n', "line 4", "depth"),
        ("jsonl", lambda: '{"u": 1}\n' + '{"u":' * 5_000 + "1" + "}" * 5_000, "line 2", "depth"),
        ("jsonl", lambda: '{"t": "\\"]]", "u": ' + "[{" * 40 + "}", "line 1", "depth"),
    ],
)
def test_the_place_and_the_option_are_named(tmp_path, ending, content, place, option):
    said = refusal(written(tmp_path, content, f"m.{ending}"), **({"labels": -1} if ending == "csv" else {}))
    assert place in said
    assert f"LoadLimits({option}=...)" in said


def test_brackets_in_texts_do_not_nest(tmp_path):
    texts = [{"t": "[{" * 99, "x": [k], "u": k % 2} for k in range(20)] + [{"t": '"' + "[" * 99, "x": [1], "u": 0}]
    path = written(tmp_path, "".join(json.dumps(row) + "\n" for row in texts), "m.jsonl")
    assert len(next(sl.load(path, labels=["u"], text="t").blocks())[1]) == 21


def test_an_xml_file_of_many_labels(tmp_path):
    many = "<labels>" + "".join(f'<label name="{i}"/>' for i in range(500_000)) + "</labels>"
    written(tmp_path, many, "m.xml")
    path = written(tmp_path, arff(), "m.arff")
    begun = time.process_time()
    with pytest.raises(ValueError, match=r"m\.xml: 10,001 labels; expected at most 10,000.*labels=\.\.\."):
        load(path)
    assert time.process_time() - begun < CPU_SECONDS
    written(tmp_path, XML.format(encoding="utf-8", name="l" * (17 << 20)), "m.xml")
    with pytest.raises(ValueError, match=r"m\.xml: 16,777,217 bytes and more.*names_bytes=\.\.\."):
        load(path)


MEASURED = """
import json, sys, threading, time
import psutil
import numpy as np
import streamlab as sl
import pyarrow.parquet
from streamlab.streams.readers import arff, libsvm
from streamlab.streams.tables import opening
process = psutil.Process()
before, most, over = process.memory_info().rss, 0, False
def watch():
    global most
    while not over:
        most = max(most, process.memory_info().rss - before)
        time.sleep(.002)
thread = threading.Thread(target=watch)
thread.start()
begun, said = time.process_time(), ""
try:
    stream = sl.load(sys.argv[1], **json.loads(sys.argv[2]))
    for _, (X, Y) in zip(range(20), stream.blocks()):
        pass
except ValueError as error:
    said = str(error)
seconds = time.process_time() - begun
over = True
thread.join()
print(json.dumps([said, seconds, most / 1e6]))
"""


def measured(path, megabytes=MEGABYTES, **options):
    """What ``load`` says of the file in a process of its own, the seconds it takes and the megabytes it grows by."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path), json.dumps(options)], capture_output=True, text=True, check=True
    )
    said, seconds, grown = json.loads(done.stdout)
    assert seconds < CPU_SECONDS
    assert grown < megabytes
    return said


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["m.arff.gz", "m.csv.gz", "m.svm.gz"])
def test_a_packed_line_of_a_gibibyte(tmp_path, name):
    member = gzip.compress(b"1" * (16 << 20), 9)
    head = gzip.compress({"m.arff.gz": arff(), "m.csv.gz": "a,b\n1,1\n", "m.svm.gz": "1 1:1\n"}[name].encode())
    said = measured(
        written(tmp_path, head + member * 64 + gzip.compress(b"\n"), name), **({"labels": 1} if "csv" in name else {})
    )
    assert "the line has more than 8,388,608 bytes" in said
    assert "LoadLimits(line_bytes=...)" in said


def test_a_header_of_libsvm_that_claims_much_takes_no_memory(tmp_path):
    assert "LoadLimits(features=...)" in measured(written(tmp_path, "1 1000000000:1\n", "m.svm"))


@pytest.mark.nightly
@pytest.mark.parametrize("ending", ["arff", "jsonl"])
def test_wide_files_take_time_by_their_cells(tmp_path, ending):
    n = 60_000 if ending == "arff" else 15_000
    if ending == "arff":
        names = "".join(f"@attribute a{i} real\n" for i in range(n - 1))
        text = f"@relation r\n{names}@attribute u {{0,1}}\n@data\n" + ("0.5," * (n - 1) + "1\n") * 5
    else:
        text = (json.dumps({f"a{i}": 0.5 for i in range(n - 1)} | {"u": 1}) + "\n") * 5
    path = written(tmp_path, text, f"m.{ending}")
    begun = time.process_time()
    assert sum(X.sum() for X, _ in load(path, labels=["u"]).blocks()) == 2.5 * (n - 1)
    assert time.process_time() - begun < CPU_SECONDS


@pytest.mark.nightly
def test_the_cells_of_wide_rows_are_not_kept_by_the_thousand(tmp_path):
    wide = ",".join(f"c{i}" for i in range(20_000)) + "\n" + (",".join(["12.5"] * 19_999 + ["1"]) + "\n") * 60
    # pyarrow's pool keeps room for each of 20,000 columns, however few or many rows there are
    assert measured(written(tmp_path, wide, "m.csv"), megabytes=400, labels=-1) == ""


@pytest.mark.nightly
def test_one_long_text_in_a_small_parquet_file(tmp_path):
    columns = {"word": pa.array(["a" * (256 << 20)]), "l0": [True]}
    said = measured(written(tmp_path, parquet(columns, compression="zstd"), "m.parquet"), labels=-1)
    assert "row group 1: its 1 rows take 268," in said
    assert "LoadLimits(line_bytes=...)" in said


def test_a_text_that_a_parquet_file_repeats_is_kept_once(tmp_path):
    columns = {"word": pa.array(["a" * (1 << 20)] * 256), "l0": [True] * 256}
    assert measured(written(tmp_path, parquet(columns, compression="zstd"), "m.parquet"), labels=-1) == ""


def test_many_rows_in_a_group_of_a_small_parquet_file(tmp_path):
    zeros = pa.array(np.zeros(10_000_000))
    content = parquet({"x": zeros, "l0": zeros}, row_group_size=10_000_000, compression="zstd")
    assert len(content) < 1e6
    assert measured(written(tmp_path, content, "m.parquet"), labels=-1) == ""


def test_columns_and_rows_of_a_parquet_file(tmp_path):
    path = written(tmp_path, parquet({f"c{i}": [0.0, 1.0] for i in range(30)}), "m.parquet")
    assert "features" in refusal(path, labels=-1, limits=LoadLimits(features=20))
    assert "labels" in refusal(path, labels=-10, limits=LoadLimits(labels=9))
    assert "LoadLimits(rows=...)" in refusal(path, labels=-1, limits=LoadLimits(rows=1))
    assert load(path, labels=-1, limits=LoadLimits(features=29, rows=2)).n_rows == 2


# ---------------------------------------------------------------------- limits are options


def test_a_limit_can_be_raised_and_lowered(tmp_path):
    path = written(tmp_path, "1 200000:1\n", "m.svm")
    refusal(path)
    assert load(path, limits=LoadLimits(features=200_000)).schema.n_features == 200_000
    small = written(tmp_path, "1 1:1\n2 1:1\n", "s.svm")
    assert "rows=..." in refusal(small, limits=LoadLimits(rows=1))
    assert "labels=..." in refusal(small, limits=LoadLimits(labels=1))
    assert "(bytes=..." in refusal(small, limits=LoadLimits(bytes=11))
    assert "line 2, column 1" in refusal(written(tmp_path, "1\n2 1:1\n", "s.svm"), limits=LoadLimits(line_bytes=4))
    assert load(small, limits=LoadLimits(bytes=12, line_bytes=5)).n_rows == 2
    coloured = written(tmp_path, arff(kind="{red,green}", rows="1,red"), "m.arff")
    assert load(coloured, limits=LoadLimits(categories=2)).n_rows == 1
    assert "(categories=..." in refusal(coloured, limits=LoadLimits(categories=1))
    assert "(names_bytes=..." in refusal(coloured, limits=LoadLimits(names_bytes=50))


@pytest.mark.parametrize("wrong", [{"features": 0}, {"rows": 1.5}, {"seconds": -1}, {"bytes": None}])
def test_wrong_limits_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        LoadLimits(**wrong)


def test_limits_of_another_kind_are_refused(tmp_path):
    path = written(tmp_path, "1 1:1\n", "m.svm")
    with pytest.raises(ValueError, match=r"m\.svm: limits=dict"):
        load(path, limits={"rows": 1})
    with pytest.raises(ValueError, match=r"m\.svm: cancel=int"):
        load(path, cancel=1)


def many_rows(folder, kind):
    """A file of some blocks, as ``load`` opens it."""
    n = 200_000
    if kind == "csv":
        return load, written(folder, "a,b\n" + "0.123456,1\n" * n, "m.csv"), {"labels": -1}
    if kind == "svm":
        return LibsvmStream, written(folder, "1 1:0.123456\n" * n, "m.svm"), {}
    if kind == "arff":
        return ArffStream, written(folder, "%" + "\n" * (4 << 20) + arff(), "m.arff"), {}
    words = {"word": ["red", "green"] * (n // 2), "l0": [True, False] * (n // 2)}
    return load, written(folder, parquet(words), "m.parquet"), {"labels": -1}


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["csv", "svm", "arff", "parquet"])
def test_opening_can_be_cancelled_between_blocks(tmp_path, kind):
    reader, path, options = many_rows(tmp_path, kind)
    asked = []

    def cancel():
        asked.append(None)
        return len(asked) == 3

    with pytest.raises(LoadCancelled, match=path.name):
        load(path, cancel=cancel, **options)
    assert len(asked) == 3
    stream = reader(path, cancel=lambda: len(asked) > 3, **options)
    asked.append(None)
    assert next(stream.blocks())[0].shape[1] == 1, "rows of an open file are read whatever cancel says"


@pytest.mark.parametrize("kind", ["csv", "svm", "arff", "parquet"])
def test_the_time_to_open_a_file_is_limited(tmp_path, kind):
    _, path, options = many_rows(tmp_path, kind)
    assert "LoadLimits(seconds=...)" in refusal(path, limits=LoadLimits(seconds=1e-6), **options)


def test_empty_lines_are_passed_over_and_counted(tmp_path):
    gap = "\r\n" * 300_000
    assert "line 600003, column 1" in refusal(written(tmp_path, f"a,b\n{gap}1,1\n{gap}inf,1\n", "m.csv"), labels=-1)
    assert "line 600002: expected" in refusal(written(tmp_path, f"1 1:1\n{gap}{gap}1 1:x\n", "m.svm"))
    assert "line 300002, column 1" in refusal(written(tmp_path, f"% a\n{gap}nothing\n", "m.arff"))
    stream = load(written(tmp_path, 'a,b\n"red' + "\n" * 100_000 + 'x",1\nblue,0\n', "q.csv"), labels=-1)
    assert stream.schema.features[0].categories == ("blue", "red" + "\n" * 100_000 + "x")


# ---------------------------------------------------------------------- damaged and strange files


def said_of(path, **options):
    """The ValueError's message, or None if the file is read."""
    try:
        for _ in load(path, **options).blocks():
            pass
    except ValueError as error:
        return str(error)
    return None


def sound(name):
    """A small file of the format, as bytes."""
    rng = np.random.default_rng(0)
    X, words = rng.random((60, 2)).round(3), [("red", "green", "light blue")[i] for i in rng.integers(3, size=60)]
    Y = (X > 0.5).astype(int)
    if name == "m.parquet":
        return parquet({"a": X[:, 0], "word": words, "l0": Y[:, 0] == 1})
    if name == "m.xml":
        return XML.format(encoding="utf-8", name="l0").encode()
    row = {
        "m.csv": "{0},{2},{3}".format,
        "m.arff": "{3},{0}".format,
        "m.svm": "{4} 1:{0} 2:{1}".format,
    }[name]
    lines = [row(*x, f'"{word}"', *y) for x, word, y in zip(X.tolist(), words, Y.tolist(), strict=True)]
    return {"m.csv": "a,word,l0\n", "m.arff": arff(rows="")[:-1], "m.svm": ""}[name].encode() + "\n".join(
        lines
    ).encode()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "packed"),
    [("m.arff", False), ("m.csv", False), ("m.svm", False), ("m.parquet", False), ("m.xml", False), ("m.csv", True)],
)
@pytest.mark.parametrize("n", [20, pytest.param(200, marks=pytest.mark.nightly)])
def test_files_with_changed_bytes_are_read_or_refused_by_name(tmp_path, name, packed, n):
    rng, refused = np.random.default_rng(1), 0
    for _ in range(n):
        content, story = changed(sound(name), rng)
        if packed and rng.random() < 0.5:
            content, story = changed(gzip.compress(sound(name), mtime=0), rng)
        elif packed:
            content = gzip.compress(content, 1)
        path = written(tmp_path, content, name + ".gz" * packed)
        if name == "m.xml":
            path = written(tmp_path, arff(relation="r"), "m.arff")
        begun = time.process_time()
        said = said_of(path, **({"labels": ["l0"]} if name in ("m.csv", "m.parquet") else {}))
        assert time.process_time() - begun < CPU_SECONDS, story
        refused += said is not None
        assert said is None or (name in said or path.name in said), story
    assert refused > n / 5


@pytest.mark.parametrize("encoding", ["klingon", "euc-jp", "zip"])
def test_xml_of_an_encoding_that_cannot_be_read(tmp_path, encoding):
    written(tmp_path, XML.format(encoding=encoding, name="l0"), "m.xml")
    with pytest.raises(ValueError, match=r"m\.xml: .*encoding"):
        load(written(tmp_path, arff(), "m.arff"))


def test_xml_that_declares_entities(tmp_path):
    path = written(tmp_path, '<!DOCTYPE l [<!ENTITY a "lol">]><labels><label name="&a;"/></labels>', "m.xml")
    with pytest.raises(ValueError, match=r"m\.xml: it declares an entity"):
        read_label_xml(path)


def test_labels_within_other_elements_do_not_count(tmp_path):
    path = written(
        tmp_path,
        '<l><label name="a"><x><label name="no"/></x><label name="b"/></label><y><label/></y><label name="c"/></l>',
        "m.xml",
    )
    assert read_label_xml(path) == (("a", "b", "c"), (-1, 0, -1))


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (arff(relation=f"r: -C {DIGITS}"), "-C 1000"),
        (arff(relation=f"r: -C -{DIGITS}"), "-C -1000"),
        (arff(relation="r" * 5000), "which attributes"),
        (arff(rows=f"{{{DIGITS} 1}}"), "line 5: expected"),
        (arff(rows=f"1,{DIGITS}"), "line 5, column 2"),
        (arff(rows=f"{DIGITS},1"), "line 5, column 1"),
        (arff(name="n" * 5000, rows="1,x"), "line 5, column 2"),
        (arff(name="n" * 5000, kind="k" * 5000), "line 3"),
        (arff(name="n" * 5000, kind="{a,a}"), "line 3"),
        (arff(name="n" * 5000, kind=f"real\n@attribute {'n' * 5000} real"), "occurs twice"),
        (arff(kind="real [5,1]"), "line 3"),
        (arff(kind=r"{'\uD800',b}"), "line 3"),
        (arff(name=r"'\uD800'"), "line 3"),
        (arff(kind="{a,b}", rows=r"1,'\uD800'"), "line 5, column 2"),
        (arff(rows="1\0000.5"), "line 5"),
    ],
)
def test_messages_of_arff_files_are_short_and_name_the_place(tmp_path, content, place):
    assert place in refusal(written(tmp_path, content, "m.arff"))


def test_escapes_of_two_surrogates_are_one_character(tmp_path):
    stream = load(written(tmp_path, arff(kind=r"{'\uD83D\uDE00',b}", rows="1,'\U0001f600'"), "m.arff"))
    assert stream.schema.features[0].categories == ("\U0001f600", "b")
    assert next(stream.blocks())[0].tolist() == [[0.0]]


@pytest.mark.parametrize("given", [-1, ["x" * 5000]])
def test_messages_of_csv_files_are_short(tmp_path, given):
    refusal(written(tmp_path, "n" * 5000 + f",b\n{DIGITS},1\n", "m.csv"), labels=given)


@pytest.mark.parametrize("suffix", [".XML", ".Xml"])
def test_the_xml_file_may_be_in_capitals(tmp_path, suffix):
    written(tmp_path, XML.format(encoding="utf-8", name="l0"), f"m{suffix}")
    path = written(tmp_path, arff(relation="r"), "m.arff")
    assert find_label_xml(path).suffix == suffix
    assert load(path).schema.labels == ("l0",)
    assert load(path, labels=tmp_path / f"m{suffix}").schema.labels == ("l0",)


@pytest.mark.parametrize("source", ["a" * 300, "a" * 5000 + ".arff", "a\0b.csv", "~nobody-of-this-name/x.svm"])
def test_names_that_no_file_can_have_are_refused(source):
    with pytest.raises(ValueError, match=r"expected a file|neither a file"):
        load(source, **({"labels": 1} if source.endswith(".csv") else {}))


def test_a_name_so_long_that_no_xml_file_fits_beside_it(tmp_path):
    # a.arff of 255 bytes; the XML file beside it would have 254, its published part more than none
    name = "a" * 250 + ".arff"
    assert load(written(tmp_path, arff(), name)).schema.labels == ("l0",)


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "m.arff").mkdir()
    with pytest.raises(ValueError, match=r"m\.arff is a folder"):
        load(tmp_path / "m.arff")
    (tmp_path / "m.xml").mkdir()
    assert find_label_xml(tmp_path / "m.arff") is None


def test_a_folder_of_columns_is_searched_once(tmp_path):
    n = 20_000
    path = written(tmp_path, ",".join(f"c{i}" for i in range(n)) + "\n" + ",".join("1" * n) + "\n", "m.csv")
    begun = time.process_time()
    stream = load(path, labels=[f"c{i}" for i in range(9_000)])
    assert time.process_time() - begun < CPU_SECONDS
    assert stream.schema.n_features == n - 9_000


# ---------------------------------------------------------------------- digits, names and files of another kind

THREE = "\u0663"  # Arabic-Indic
ROWS = [f"{i % 7}.5,{i % 2}" for i in range(30)]


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("m.csv", "x,l\n" + "\n".join([*ROWS, f"{THREE},1"]), r"line 32, column 1 \('x'\).*a number"),
        ("m.csv", "x,l\n" + "\n".join(f"{THREE}.{i % 7},{i % 2}" for i in range(30)),
         r"line 2, column 1 \('x'\).*a number"),
        ("m.csv", f"x,l\n{THREE},1\n" + "\n".join(ROWS), r"line 2, column 1 \('x'\).*a number"),
        ("guessed.csv", "x;l\n" + "\n".join(row.replace(",", ";") for row in [*ROWS, f"{THREE},1"]),
         r"line 32, column 1 \('x'\).*a number"),
        ("m.arff", arff(rows="\n".join(["1,0.5", f"1,{THREE}"])), r"line 6, column 2 \('x0'\).*a number"),
        ("m.arff", arff(rows=f"{{{THREE} 1}}"), "line 5: expected an index from 0 to 1"),
        ("m.svm", f"1 1:0.5\n1 1:{THREE}", "line 2: expected labels"),
        ("m.svm", f"1 {THREE}:1", "line 1: expected labels"),
        ("m.svm", f"{THREE} 1:1", "line 1: expected labels"),
    ],
)  # fmt: skip
def test_digits_of_another_script_are_refused_with_their_place(tmp_path, name, content, place):
    options = {} if name.endswith((".svm", ".arff")) else {"labels": ["l"]}
    said = refusal(written(tmp_path, content, name), **options)
    assert re.search(place, said), said
    assert THREE in said


@pytest.mark.parametrize("bad", ["\0", "\ufeff"])
def test_names_with_nul_or_a_mark_of_byte_order_are_refused_in_every_format(tmp_path, bad):
    called = "the character NUL" if bad == "\0" else "a byte-order mark"
    rows = "\n".join(ROWS)
    marked = "\ufeff\ufeffx,l\n" if bad == "\ufeff" else "x\0,l\n"
    name = "\ufeffx" if bad == "\ufeff" else "x\0"
    for path, options in (
        (written(tmp_path, marked + rows, "m.csv"), {"labels": ["l"]}),
        (written(tmp_path, (marked + rows).replace(",", ";"), "guessed.csv"), {"labels": ["l"]}),
        (written(tmp_path, arff(name=name), "m.arff"), {}),
        (written(tmp_path, parquet({name: [1.0, 2.0], "l": [0, 1]}), "m.parquet"), {"labels": ["l"]}),
    ):
        assert f"the feature {name!r} holds {called}; expected a name without it" in refusal(path, **options)
    with pytest.raises(ValueError, match=f"the label .* holds {called}"):
        sl.Schema((), (name,))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.csv", "x,l\r1,0\r2,1\r"),
        ("last.csv", "x,l\r1,0\r2,1\n"),
        ("m.arff", arff().replace("\n", "\r")),
        ("m.svm", "1 1:1\r1 1:2\r"),
        ("wide.csv", "x,l\n1,0\n2\r,1\n"),
    ],
)
def test_lines_that_end_with_a_carriage_return_alone_are_told(tmp_path, name, content):
    options = {"labels": ["l"]} if name.endswith(".csv") else {}
    assert "a carriage return (CR) stands where a line ends" in refusal(written(tmp_path, content, name), **options)


@pytest.mark.parametrize("name", ["m.csv", "m.arff", "m.svm"])
def test_a_gzip_file_in_a_gzip_file_is_told_and_one_that_is_not_named_so(tmp_path, name):
    content = {"m.csv": "x,l\n1,0\n2,1\n", "m.arff": arff(), "m.svm": "1 1:1\n"}[name].encode()
    options = {"labels": ["l"]} if name == "m.csv" else {}
    twice = written(tmp_path, gzip.compress(gzip.compress(content)), f"{name}.gz")
    assert "unpacked, it is a gzip file once more: unpack it by gunzip" in refusal(twice, **options)
    assert "let its name end in .gz" in refusal(written(tmp_path, gzip.compress(content), name), **options)
    assert load(written(tmp_path, gzip.compress(content), f"sound-{name}.gz"), **options).schema.n_labels


@pytest.mark.costly
@pytest.mark.parametrize(
    ("name", "head", "row"),
    [("m.csv.gz", "x,l\n", "1,0\n"), ("m.svm.gz", "", "1 1:1\n"), ("m.arff.gz", arff(rows=""), "1,0.5\n")],
)
def test_a_bomb_of_valid_rows_is_noticed_early(tmp_path, name, head, row):
    path = tmp_path / name
    block = (row * (1 << 20)).encode()
    with gzip.open(path, "wb", 9) as file:
        file.write(head.encode())
        for _ in range(4):
            file.write(block)
    said = refusal(path, **({"labels": ["l"]} if "csv" in name else {}))
    assert "bytes and more were packed into" in said
    assert "limits=LoadLimits(expansion=...)" in said
    small = tmp_path / "small.csv.gz"
    small.write_bytes(gzip.compress(b"x,l\n" + b"1,0\n2,1\n" * 100_000))
    assert load(small, labels=["l"]).n_rows == 200_000


def test_no_reader_waits_for_a_pipe_that_takes_the_place_of_a_file(tmp_path, monkeypatch):
    from streamlab import _checks

    pipe = tmp_path / "m.csv"
    os.mkfifo(pipe)
    monkeypatch.setattr(_checks, "existing_file", lambda path: path)  # it was a file a moment ago
    with pytest.raises(ValueError, match="is a pipe, a socket or a device"):
        _checks.open_regular(pipe)
