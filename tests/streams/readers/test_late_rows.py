"""Reading from a late row begins at its block, and gives the same rows in every writing of the file."""

from __future__ import annotations

import gzip
import os

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams.readers import _text

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
