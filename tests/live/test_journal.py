"""The journal: whole records, offsets beside rows, damage told, one writer, readers beside it."""

from __future__ import annotations

import itertools
import os
import sqlite3
import threading

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from streamlab.live.journal import Journal
from streamlab.live.record import Record, sealed, written
from streamlab.schema import Feature, Schema
from tests.live.made import altered, made_rows, told

SCHEMA = Schema.anonymous(3, 2)


def filled(folder, n=100, step=7, **options):
    X, Y = made_rows(n)
    journal = Journal.create(folder, SCHEMA, **options)
    for a in range(0, n, step):
        b = min(a + step, n)
        journal.append(X[a:b], Y[a:b], np.arange(a, b), {"p": b})
    return journal, X, Y


def rows_of(journal, start=0):
    parts = list(journal.read(start))
    if not parts:
        return np.empty((0, 3)), np.empty((0, 2), np.uint8)
    return np.concatenate([part.X for part in parts]), np.concatenate([part.Y for part in parts])


@settings(max_examples=40, deadline=None)
@given(cuts=st.lists(st.integers(0, 60), max_size=12), start=st.integers(0, 60))
def test_any_cutting_gives_the_same_rows(tmp_path_factory, cuts, start):
    folder = tmp_path_factory.mktemp("journal")
    X, Y = made_rows(60)
    journal = Journal.create(folder, SCHEMA)
    for a, b in itertools.pairwise(sorted({0, 60, *cuts})):
        journal.append(X[a:b], Y[a:b], np.arange(a, b), {"p": b})
        for got, wanted in zip(rows_of(journal, start), (X[start:b], Y[start:b]), strict=True):
            np.testing.assert_array_equal(got, wanted)
    journal.close()
    journal = Journal.open(folder)
    assert (journal.n_rows, journal.offsets) == (60, {"p": 60})
    for got, wanted in zip(rows_of(journal, start), (X[start:], Y[start:]), strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_times_keys_and_what_was_known_come_back(tmp_path):
    journal = Journal.create(tmp_path, SCHEMA, source="here", decoding={"format": "json"})
    X, Y = made_rows(2)
    journal.append(
        X, Y, [5.0, 6.5], {"p": 2, "q": "7-0"}, keys=["k", "ü"], bad={"not JSON": 3}, dead_bytes=9, notes=["n"]
    )
    journal.close()
    journal = Journal.open(tmp_path)
    (record,) = journal.read()
    assert record.when.tolist() == [5.0, 6.5]
    assert record.keys == ["k", "ü"]
    assert (journal.offsets, journal.bad, journal.dead_bytes, list(journal.notes)) == (
        {"p": 2, "q": "7-0"}, {"not JSON": 3}, 9, ["n"])  # fmt: skip
    assert (journal.source, journal.decoding) == ("here", {"format": "json"})


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A journal's file, its bytes, and its rows."""
    folder = tmp_path_factory.mktemp("sound")
    journal, X, Y = filled(folder, 600)
    journal.close()
    return folder / "journal.db", (folder / "journal.db").read_bytes(), X, Y


@settings(max_examples=200, deadline=None)
@example(share=16371 / 45056, bit=7)  # of a page that says where records are: some would be passed over
@given(share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_of_a_damaged_file_no_wrong_row_is_read(sound, share, bit):
    path, raw, X, Y = sound
    damaged = bytearray(raw)
    damaged[int(len(raw) * share)] ^= 1 << bit
    path.write_bytes(damaged)
    try:
        journal = Journal.open(path.parent)
        got = rows_of(journal)
    except ValueError as error:
        assert str(path) in str(error)  # noqa: PT017  # some bytes of the file say nothing
    else:
        assert journal.offsets == {"p": 600}
        np.testing.assert_array_equal(got[0], X)
        np.testing.assert_array_equal(got[1], Y)


@pytest.mark.parametrize("size", [0, 1, 100, 4096, 9000])
def test_a_file_that_was_cut_short_is_refused(tmp_path, size):
    filled(tmp_path)[0].close()
    os.truncate(tmp_path / "journal.db", size)
    for write in (False, True):
        with pytest.raises(ValueError, match=r"journal\.db: it is damaged"):
            rows_of(Journal.open(tmp_path, write=write))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE records SET first = first + 100 WHERE first = 49", "row 49 is missing"),
        ("UPDATE records SET raw = (SELECT raw FROM records WHERE first = 7) WHERE first = 49", "row 49: its bytes"),
        ("DELETE FROM records WHERE first = 49", "row 49 is missing"),
        ("DELETE FROM records WHERE first = 0", "row 0 is missing"),
        ("UPDATE told SET raw = 'x'", "damaged"),
        ("DROP TABLE told", "damaged"),
    ],
)
def test_records_that_are_not_those_that_were_written_are_refused(tmp_path, change, what):
    filled(tmp_path)[0].close()
    with sqlite3.connect(tmp_path / "journal.db") as file:
        file.execute(change)
    file.close()
    with pytest.raises(ValueError, match=rf"journal\.db: .*{what}"):
        rows_of(Journal.open(tmp_path))


@pytest.mark.parametrize(
    ("X", "Y"),
    [
        (np.array([[0.0, 1.0, np.inf]]), np.zeros((1, 2), np.uint8)),
        (np.zeros((1, 3)), np.full((1, 2), 7, np.uint8)),
        (np.array([[5.0, 0.0, 0.0]]), np.zeros((1, 2), np.uint8)),
        (np.array([[0.5, 0.0, 0.0]]), np.zeros((1, 2), np.uint8)),
    ],
)
def test_values_that_no_row_has_are_refused(tmp_path, X, Y):
    schema = Schema((Feature("w", ("x", "y")), Feature("a"), Feature("b")), ("u", "v"))
    journal = Journal.create(tmp_path, schema)
    journal.append(np.zeros((1, 3)), np.zeros((1, 2), np.uint8), [0.0], {"p": 1})
    journal.close()
    with sqlite3.connect(tmp_path / "journal.db") as file:  # as somebody might forge it: with a sound checksum
        file.execute("UPDATE records SET raw = ?", (sealed(written(Record(X, Y, np.zeros(1)), schema)),))
    file.close()
    with pytest.raises(ValueError, match="damaged: row 0"):
        rows_of(Journal.open(tmp_path))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("about", []),
        ("about", {"format": 99}),
        ("about", {"id": 3}),
        ("about", {"schema": "{}"}),
        ("state", []),
        ("state", {"n_rows": "7"}),
        ("state", {"offsets": {"p": []}}),
        ("state", {"bad": {"not JSON": "x"}}),
    ],
)
def test_an_altered_description_is_refused(tmp_path, name, change):
    filled(tmp_path)[0].close()
    altered(tmp_path, change and {**told(tmp_path, name), **change}, name)
    with pytest.raises(ValueError, match=r"journal\.db: it is damaged"):
        Journal.open(tmp_path)


def test_one_writes_at_a_time_and_any_number_read(tmp_path):
    journal, _, _ = filled(tmp_path)
    with pytest.raises(ValueError, match="another process writes"):
        Journal.open(tmp_path, write=True)
    assert Journal.open(tmp_path).n_rows == 100
    journal.close()
    Journal.open(tmp_path, write=True).close()


def test_reading_goes_on_while_somebody_writes(tmp_path):
    X, Y = made_rows(3000)
    journal = Journal.create(tmp_path, SCHEMA)
    follower, wrong = Journal.open(tmp_path), []

    def read():
        while (n := journal.n_rows) < 3000:
            follower.look()
            for each in (journal, follower):
                got = rows_of(each)[0]
                if len(got) < n or not np.array_equal(got, X[: len(got)]):
                    wrong.append(n)

    thread = threading.Thread(target=read)
    thread.start()
    for a in range(0, 3000, 10):
        journal.append(X[a : a + 10], Y[a : a + 10], np.zeros(10), {"p": a})
    thread.join(60)
    assert not thread.is_alive()
    assert not wrong


def test_a_reader_that_stands_still_does_not_let_the_log_grow(tmp_path):
    journal, X, Y = filled(tmp_path)
    reading = journal.read()
    next(reading)
    for _ in range(700):
        journal.append(X, Y, np.zeros(100), {"p": 100})
    assert (tmp_path / "journal.db-wal").stat().st_size < 6e6
    np.testing.assert_array_equal(next(reading).X, X[7:14])


def test_old_rows_are_given_up(tmp_path):
    journal, X, Y = filled(tmp_path)
    reading = journal.read(0)
    next(reading)
    journal.give_up(50)
    assert journal.first_row == 49
    np.testing.assert_array_equal(rows_of(journal, 50)[0], X[50:])
    for each in (reading, journal.read(0)):
        with pytest.raises(ValueError, match="the rows before 49 were given up"):
            next(each)
    journal.give_up(10)
    assert journal.first_row == 49
    journal.give_up(10**9)
    assert (journal.first_row, journal.offsets) == (98, {"p": 100})
    journal.close()
    size = journal.path.stat().st_size
    with pytest.raises(ValueError, match="given up"):
        rows_of(Journal.open(tmp_path))
    journal = Journal.open(tmp_path, write=True)
    assert (journal.first_row, journal.offsets) == (98, {"p": 100})
    for a in range(0, 90, 7):
        journal.append(X[a : a + 7], Y[a : a + 7], np.zeros(7), {"p": a})
    journal.close()
    assert journal.path.stat().st_size == size, "their place in the file is used again"


def test_an_end_is_for_good(tmp_path):
    journal, X, Y = filled(tmp_path)
    journal.end()
    journal.end()
    with pytest.raises(ValueError, match="ended"):
        journal.append(X[:1], Y[:1], [0.0], {})
    journal.close()
    assert Journal.open(tmp_path).ended


def test_rows_that_do_not_fit_change_nothing(tmp_path):
    journal, X, Y = filled(tmp_path)
    for bad in ((X[:1, :2], Y[:1], [0.0]), (X[:2], Y[:1], [0.0]), (X[:1], Y[:1, :1], [0.0])):
        with pytest.raises(ValueError, match="expected"):
            journal.append(*bad, {"p": 1})
    assert (journal.n_rows, journal.offsets) == (100, {"p": 100})


def test_a_folder_of_other_files_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ValueError, match="other files"):
        Journal.create(tmp_path, SCHEMA)
    with pytest.raises(ValueError, match="no journal"):
        Journal.open(tmp_path)
    filled(tmp_path / "new")[0].close()
    with pytest.raises(ValueError, match="already"):
        Journal.create(tmp_path / "new", SCHEMA)
    assert told(tmp_path / "new")["format"] == 2


def test_a_crash_while_it_is_made(tmp_path):
    for name in ("journal.db.part", "journal.db.part-wal", "lock"):
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / "lock").write_bytes(b"")
    with pytest.raises(ValueError, match="no journal"):
        Journal.open(tmp_path)
    filled(tmp_path)[0].close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["journal.db", "lock"]


def test_a_folder_that_is_gone_is_told(tmp_path):
    journal, _, _ = filled(tmp_path)
    journal.close()
    journal.path.unlink()
    for what in (journal.look, lambda: next(journal.read())):
        with pytest.raises(ValueError, match=r"journal\.db: it is not there any more"):
            what()
