"""Parquet files that come into a folder: by name and row, each row once."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.streams.live.parquet_source import ParquetSource
from tests.lab.made import wait_until


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
    monkeypatch.setattr("streamlab.streams.live.reader.FIRST_WAIT", 0.01)
    stream = watch()
    wait_until(lambda: stream.available == 2300, "the first file")
    (folder / "2026-01-02.parquet").write_bytes(b"PAR1 and no more")
    wait_until(lambda: "2026-01-02.parquet" in stream.status().trouble, "the trouble")
    put(folder, "2026-01-02.parquet", 2300, 10)
    wait_until(lambda: stream.available == 2310, "the file")
    np.testing.assert_array_equal(values(stream), np.arange(2310) + 0.5)


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
        {"t": [datetime.datetime(2026, 1, 2)], "l": [["p", "q"]], "b": [b"\xff"], "n": [np.nan], "f": [True], "i": [7]}
    ).to_parquet(tmp_path / "x.parquet")
    source = ParquetSource(tmp_path)
    source.seek({})
    (message,) = source.poll(10, 0.0)
    assert message.value == (
        b'{"t": "2026-01-02T00:00:00", "l": ["p", "q"], "b": "\\\\xff", "n": null, "f": true, "i": 7}'
    )
