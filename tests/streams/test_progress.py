"""How far a file has been read is said block by block, on the reader's own thread alone."""

from __future__ import annotations

import gzip
import threading

import pytest

import streamlab as sl
from streamlab.streams.limits import hear_reading


@pytest.mark.parametrize("name", ["m.csv", "m.csv.gz"])
def test_the_last_that_is_heard_is_the_whole_file(tmp_path, name):
    path = tmp_path / name
    text = "a,l\n" + "".join(f"{i}.{i % 7},{i % 2}\n" for i in range(200_000))
    data = text.encode()
    path.write_bytes(gzip.compress(data, 1) if name.endswith(".gz") else data)
    heard = []
    with hear_reading(lambda *said: heard.append(said)):
        stream = sl.load(path, labels=["l"])
    assert stream.n_rows == 200_000
    size = path.stat().st_size
    assert {(of, whole) for of, _, whole in heard} == {(path, size)}
    assert max(done for _, done, _ in heard) == size
    assert len({done for _, done, _ in heard}) > 2
    n = len(heard)
    next(stream.chunks(10))
    assert len(heard) == n, "outside of the context nobody listens"


def test_another_thread_is_not_heard(tmp_path):
    path = tmp_path / "m.csv"
    path.write_text("a,l\n1,0\n2,1\n")
    heard = []
    with hear_reading(lambda *said: heard.append(said)):
        thread = threading.Thread(target=lambda: sl.load(path, labels=["l"]))
        thread.start()
        thread.join()
    assert heard == []
