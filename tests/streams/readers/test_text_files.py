"""Text files: names that are not UTF-8, and reading from a late row on."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams.readers import _text

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of files are bytes on Linux alone")

ROWS = {
    ".csv": "a,l\n" + "".join(f"{i / 200},{i % 2}\n" for i in range(200)),
    ".svm": "".join(f"{i % 2} 1:{i / 200}\n" for i in range(200)),
    ".arff": "@relation 'x: -C 1'\n@attribute l {0,1}\n@attribute a numeric\n@data\n"
    + "".join(f"{i % 2},{i / 200}\n" for i in range(200)),
}


def named(folder: Path, ending: str) -> Path:
    path = folder / (os.fsdecode(b"caf\xe9") + ending)
    path.write_text(ROWS.get(ending, ""))
    return path


def load(path: Path) -> sl.Stream:
    return sl.load(path, labels="l") if path.suffix == ".csv" else sl.load(path)


@on_linux
@pytest.mark.whole
@pytest.mark.parametrize("ending", ROWS)
def test_a_run_is_saved_and_opened_and_written(tmp_path, ending):
    stream = load(named(tmp_path, ending))
    assert stream.name == "caf\N{REPLACEMENT CHARACTER}"
    run = sl.Run(stream, {"SMART": sl.SMART(seed=1)})
    run.advance(100)
    run.save(tmp_path / "run.slab")
    assert sl.Run.open(tmp_path / "run.slab", stream).advance(50) == 50
    for face in (run.save, run.to_script, run.export_html):
        face(tmp_path / os.fsdecode(b"\xe9.out"))
    sl.prequential(stream, sl.NoChange(), n=100)._repr_html_().encode()
    space: dict[str, sl.Run] = {}
    run.to_script(tmp_path / "run.py")
    exec((tmp_path / "run.py").read_text(), space)
    assert space["run"].curves().equals(run.curves())


@on_linux
def test_pyarrow_and_studies_take_no_such_name_and_say_so(tmp_path):
    (path := named(tmp_path, ".parquet")).write_bytes(b"PAR1")
    with pytest.raises(ValueError, match="no Parquet file that can be read"):
        sl.load(path, labels=["l"])
    with pytest.raises(ValueError, match=r"caf.\.csv: the name of the file is not UTF-8"):
        sl.Study({"x": load(named(tmp_path, ".csv"))}, ["NoChange"], results=tmp_path / "results")


N = 60_000


def csv(quote=""):
    rows = (f"{i},{quote}{('red', 'blue')[i % 2]}{quote},{i % 3 and 1}\n" for i in range(N))
    return "number,colour,l\n" + "".join(rows)


def svm():
    return "".join(f"{i % 3 + 1} 1:{i} 3:0.5\n" for i in range(N))


def arff():
    head = "@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute number numeric\n@data\n"
    return head + "".join(f"{i % 3 and 1},{i}\n" for i in range(3 * N))


FILES = {
    "plain.csv": (csv(), {"labels": ["l"], "features": ["number"]}),
    "quoted.csv": (csv('"'), {"labels": ["l"], "features": ["number"]}),
    "rows.svm": (svm(), {}),
    "rows.arff": (arff(), {}),
}


@pytest.fixture
def read(monkeypatch):
    """The bytes that are read from files."""
    n_bytes = []
    raw_blocks = _text.raw_blocks

    def counted(*given):
        for offset, data in raw_blocks(*given):
            n_bytes.append(len(data))
            yield offset, data

    monkeypatch.setattr(_text, "raw_blocks", counted)
    return n_bytes


def written(folder, name, encoding="utf-8", packed=False):
    text, options = FILES[name]
    path = folder / (f"{name}.gz" if packed else name)
    raw = text.encode(encoding)
    path.write_bytes(gzip.compress(raw) if packed else raw)
    return path, options if encoding == "utf-8" else {**options, "encoding": encoding}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("encoding", "packed"),
    [("utf-8", False), ("utf-8", True), ("utf-8-sig", False), ("latin-1", False), ("utf-16", False)],
)
def test_late_rows_are_those_of_a_whole_reading(tmp_path, read, name, encoding, packed):
    path, options = written(tmp_path, name, encoding, packed)
    stream = sl.load(path, **options)
    chunks = list(stream.chunks(1000))
    X, Y = np.concatenate([chunk.X for chunk in chunks]), np.concatenate([chunk.Y for chunk in chunks])
    assert len(X) == stream.n_rows
    for start in (0, 1, 17_471, stream.n_rows * 2 // 3, stream.n_rows - 1):
        read.clear()
        chunk = next(stream.chunks(100, start=start))
        np.testing.assert_array_equal(chunk.X, X[start : start + 100])
        np.testing.assert_array_equal(chunk.Y, Y[start : start + 100])
        if encoding != "utf-16":
            assert sum(read) <= 1 << 20, "one block"
    assert next(stream.chunks(5, start=stream.n_rows), None) is None


@pytest.mark.parametrize("name", FILES)
def test_a_fault_behind_a_mark_is_named_by_its_line(tmp_path, name):
    path, options = written(tmp_path, name)
    stream = sl.load(path, **options)
    text = path.read_bytes()
    at = text.index(b"\n", len(text) - 40) + 1
    stamp = os.stat(path)
    path.write_bytes(text[:at] + b"!" + text[at + 1 :])
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    line = text.count(b"\n", 0, at) + 1
    with pytest.raises(ValueError, match=f"line {line}, column 1"):
        list(stream.chunks(100, start=stream.n_rows - 50))


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_has_grown_is_read_from_its_beginning(tmp_path, name):
    path, options = written(tmp_path, name)
    stream = sl.load(path, **options)
    late = next(stream.chunks(10, start=stream.n_rows - 20))
    text = path.read_bytes()
    last = text[:-1].rindex(b"\n") + 1
    begin = text.index(b"@data\n") + 6 if name.endswith("arff") else text.index(b"\n") + 1
    path.write_bytes(text[:begin] + text[last:] + text[begin:])
    again = next(stream.chunks(10, start=stream.n_rows - 19))
    np.testing.assert_array_equal(again.X, late.X)
