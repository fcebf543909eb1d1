"""Parquet files that come into a folder: by name and row, each row once."""

from __future__ import annotations

import datetime
import json
import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import streamlab as sl
from pyarrow import parquet
from tests.lab.made import wait_until

from streamlab_live.parquet_source import ParquetSource


def put(folder, name, first, n):
    rows = np.arange(first, first + n)
    frame = pd.DataFrame({"a": rows + 0.5, "w": [("x", "y")[i % 2] for i in rows], "u": rows % 2})
    beside = folder / f".{name}"
    frame.to_parquet(beside, row_group_size=700)
    beside.rename(folder / name)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "parts"
    made.mkdir()
    put(made, "2026-01-01.parquet", 0, 2300)
    return made


@pytest.fixture
def watch(folder, tmp_path):
    made = []

    def make():
        made.append(sl.load(f"parts:{folder}?labels=u", journal=str(tmp_path / "journal")))
        return made[-1]

    yield make
    for stream in made:
        stream.close()


def values(stream):
    return np.concatenate([record.X[:, 0] for record in stream.journal.read()])


def test_files_are_read_in_the_order_of_their_names(folder, watch):
    stream = watch()
    assert stream.schema.features[1].categories == ("x", "y")
    wait_until(lambda: stream.available == 2300, "the first file")
    put(folder, "2026-01-02.parquet", 2300, 10)
    (folder / "2026-01-03.parquet.part").write_bytes(b"other")
    (folder / "_hidden.parquet").write_bytes(b"other")
    wait_until(lambda: stream.available == 2310, "the second file")
    np.testing.assert_array_equal(values(stream), np.arange(2310) + 0.5)


@pytest.mark.parametrize("tidied", [False, True])
def test_reading_goes_on_after_a_restart(folder, watch, tidied):
    stream = watch()
    wait_until(lambda: stream.available == 2300, "the first file")
    put(folder, "2026-01-02.parquet", 2300, 100)
    wait_until(lambda: stream.available == 2400, "the second file")
    stream.close()
    if tidied:
        (folder / "2026-01-01.parquet").unlink()
    put(folder, "2026-01-03.parquet", 2400, 100)
    stream = watch()
    wait_until(lambda: stream.available == 2500, "the third file")
    np.testing.assert_array_equal(values(stream), np.arange(2500) + 0.5)
    assert not stream.reader.failure


def test_reading_goes_on_within_a_file(folder):
    source = ParquetSource(folder)
    source.seek({})
    first = source.poll(1000, 0.0)
    again = ParquetSource(folder)
    again.remember(source.notes())
    again.seek({"parts": first[-1].offset})
    rest = [*again.poll(1000, 0.0), *again.poll(1000, 0.0)]
    whole = ParquetSource(folder)
    whole.seek({})
    assert [m.value for m in (*first, *rest)] == [m.value for _ in range(3) for m in whole.poll(1000, 0.0)]
    assert rest[-1].offset == "2026-01-01.parquet:2300"


@pytest.mark.parametrize("restarted", [False, True])
def test_a_file_under_an_earlier_name_is_told(folder, watch, restarted):
    put(folder, "2026-01-05.parquet", 2300, 10)
    stream = watch()
    wait_until(lambda: stream.available == 2310, "the rows")
    if restarted:
        stream.close()
    put(folder, "2026-01-03.parquet", 0, 10)
    if restarted:
        stream = watch()
        put(folder, "2026-01-06.parquet", 0, 10)
    wait_until(lambda: "2026-01-03.parquet came after" in stream.reader.failure, "the error")
    assert stream.available == 2310


def test_a_file_that_cannot_be_read_yet_is_tried_again(folder, watch, monkeypatch):
    monkeypatch.setattr("streamlab_live.reader.FIRST_WAIT", 0.01)
    stream = watch()
    wait_until(lambda: stream.available == 2300, "the first file")
    (folder / "2026-01-02.parquet").write_bytes(b"PAR1 and no more")
    wait_until(lambda: "2026-01-02.parquet" in stream.status().trouble, "the trouble")
    put(folder, "2026-01-02.parquet", 2300, 10)
    wait_until(lambda: stream.available == 2310, "the file")
    np.testing.assert_array_equal(values(stream), np.arange(2310) + 0.5)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_among_the_files_is_told(tmp_path):
    os.mkfifo(tmp_path / "a.parquet")
    writer = os.open(tmp_path / "a.parquet", os.O_RDWR)  # whoever opens it need not wait, and the test fails
    try:
        source = ParquetSource(tmp_path)
        source.seek({})
        with pytest.raises(ConnectionError, match=r"a\.parquet is not a regular file"):
            source.poll(10, 0.0)
    finally:
        os.close(writer)


def test_another_file_in_its_place_is_told(folder):
    put(folder, "2026-01-01.parquet", 0, 5)
    source = ParquetSource(folder)
    source.seek({"parts": "2026-01-01.parquet:2300"})
    with pytest.raises(ValueError, match="another file"):
        source.poll(10, 0.0)


def test_what_is_no_folder_is_refused(folder, tmp_path):
    with pytest.raises(ValueError, match="is a file"):
        ParquetSource(folder / "2026-01-01.parquet")
    for offset in ("x", "../x.parquet:3", "x.parquet:y", ":3"):
        with pytest.raises(ValueError, match="offset"):
            ParquetSource(folder).seek({"parts": offset})
    source = ParquetSource(tmp_path / "later")
    source.seek({})
    with pytest.raises(ConnectionError, match="not there"):
        source.poll(10, 0.0)


def test_values_of_every_kind_become_json(tmp_path):
    pd.DataFrame(
        {
            "t": [datetime.datetime(2026, 1, 2)],
            "l": [["p", "q"]],
            "b": [b"\xff"],
            "n": [np.nan],
            "f": [True],
            "i": [7],
            "m": [{"q": np.nan, "r": [np.nan]}],
        }
    ).to_parquet(tmp_path / "x.parquet")
    source = ParquetSource(tmp_path)
    source.seek({})
    (message,) = source.poll(10, 0.0)
    assert message.value == (
        b'{"t": "2026-01-02T00:00:00", "l": ["p", "q"], "b": "\\\\xff", "n": null, "f": true, "i": 7, '
        b'"m": {"q": null, "r": [null]}}'
    )


def polled(source):
    """Poll until nothing more comes; what was polled is settled, as after it was written."""
    found, notes = [], []
    while messages := source.poll(1000, 0.0):
        found += messages
        notes += source.notes()
        source.settled({})
    return found, notes


def test_after_many_files_a_restart_takes_no_old_file_for_a_late_one(tmp_path, monkeypatch):
    monkeypatch.setattr("streamlab_live.parquet_source.MOST_NOTES", 20)
    for i in range(15):
        put(tmp_path, f"{i:03d}.parquet", i, 1)
    source = ParquetSource(tmp_path)
    source.seek({})
    messages, notes = polled(source)
    assert (len(messages), len(notes)) == (15, 30)
    again = ParquetSource(tmp_path)
    again.remember(notes[-20:])  # of all notes a journal keeps the latest
    again.seek({"parts": messages[-1].offset})
    put(tmp_path, "015.parquet", 15, 1)
    assert [message.offset for message in polled(again)[0]] == ["015.parquet:1"]
    put(tmp_path, "008a.parquet", 15, 1)
    with pytest.raises(ValueError, match=r"008a\.parquet came after 015\.parquet"):
        again.poll(10, 0.0)


@pytest.mark.parametrize("rows", [50, 1000])
@pytest.mark.parametrize("restarted", [False, True])
def test_a_file_that_was_read_whole_may_go_while_the_next_one_comes(tmp_path, rows, restarted):
    put(tmp_path, "a.parquet", 0, rows)
    put(tmp_path, "b.parquet", rows, 7)
    whole = (tmp_path / "b.parquet").read_bytes()
    (tmp_path / "b.parquet").unlink()
    source = ParquetSource(tmp_path)
    source.seek({})
    first = source.poll(1000, 0.0)
    notes = list(source.notes())
    source.settled({})
    (tmp_path / "a.parquet").unlink()
    (tmp_path / "b.parquet").write_bytes(whole[:200])
    if restarted:
        source = ParquetSource(tmp_path)
        source.remember(notes)
        source.seek({"parts": first[-1].offset})
    for _ in range(3):
        with pytest.raises(ConnectionError, match=r"b\.parquet"):
            source.poll(1000, 0.0)
        assert len(source.notes()) == len(set(source.notes()))
        source.seek({"parts": first[-1].offset})
    (tmp_path / "b.parquet").write_bytes(whole)
    rest, told = polled(source)
    assert [json.loads(message.value)["a"] for message in first + rest] == [i + 0.5 for i in range(rows + 7)]
    assert sorted(notes + told) == ["part a.parquet", "part b.parquet", "whole a.parquet", "whole b.parquet"]


def test_rows_that_were_polled_but_not_written_do_not_count(tmp_path):
    put(tmp_path, "a.parquet", 0, 50)
    put(tmp_path, "b.parquet", 50, 50)
    source = ParquetSource(tmp_path)
    source.seek({})
    first = source.poll(20, 0.0)
    source.settled({})
    source.poll(1000, 0.0)  # the disk is full
    source.seek({"parts": first[-1].offset})
    assert [message.offset for message in polled(source)[0]][::79] == ["a.parquet:21", "b.parquet:50"]
    source.seek({"parts": first[-1].offset})
    (tmp_path / "a.parquet").unlink()
    with pytest.raises(ValueError, match="is gone after 20 of its rows were read; it may have had more"):
        source.poll(1000, 0.0)


def test_an_empty_file_between_is_no_matter(tmp_path):
    put(tmp_path, "a.parquet", 0, 5)
    put(tmp_path, "b.parquet", 5, 0)
    source = ParquetSource(tmp_path)
    source.seek({})
    first, told = polled(source)
    (tmp_path / "a.parquet").unlink()
    (tmp_path / "c.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ConnectionError):
        source.poll(10, 0.0)
    source.seek({"parts": first[-1].offset})
    put(tmp_path, "c.parquet", 5, 5)
    assert source.poll(10, 0.0) == []  # the empty one
    rest, more = polled(source)
    assert [message.offset for message in rest][::4] == ["c.parquet:1", "c.parquet:5"]
    assert sorted(told + more) == [f"{what} {name}.parquet" for what in ("part", "whole") for name in "abc"]


BAD = {
    "made": pa.array([1, 2**40, 2], pa.timestamp("s")),
    "note": pa.array([b"a", b"\xff\xfe", b"b"], pa.binary()).view(pa.string()),
    "list": pa.array([[1], [2**40], []], pa.list_(pa.timestamp("s"))),
}


@pytest.mark.parametrize(("column", "counts"), [*((name, False) for name in BAD), ("made", True), ("note", True)])
def test_a_value_that_python_cannot_hold_costs_at_most_its_row(tmp_path, column, counts):
    folder = tmp_path / "in"
    folder.mkdir()
    parquet.write_table(pa.table({"a": [0.5, 1.5, 2.5], "u": [0, 1, 0], column: BAD[column]}), folder / "x.parquet")
    words = f"&words={column}:a|b&new_words=missing" if counts else "&extra=ignore"
    with sl.load(f"parts:{folder}?columns=a&labels=u{words}", journal=str(tmp_path / "journal")) as stream:
        kept = [0.5, 2.5] if counts else [0.5, 1.5, 2.5]
        wait_until(lambda: stream.available == len(kept), "the rows")
        wait_until(lambda: stream.status().bad == ({"wrong type": 1} if counts else {}), "the refused one")
        assert not stream.reader.failure
        if counts:
            assert "value that cannot be read" in stream.dead_letters.read_text()
    assert values(stream).tolist() == kept


def test_columns_are_learnt_beside_a_value_that_python_cannot_hold(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    rows = {"a": [0.5, 1.5, 2.5], "u": [0, 1, 0], "made": BAD["made"]}
    parquet.write_table(pa.table(rows), folder / "x.parquet")
    with sl.load(f"parts:{folder}?labels=u&ignore=made&learn_seconds=0.2") as stream:
        wait_until(lambda: stream.available == 3, "the rows")
