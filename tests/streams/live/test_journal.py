"""The journal: whole records, offsets beside rows, torn ends cut off, damage told, one writer."""

from __future__ import annotations

import itertools
import json
import os
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.schema import Feature, Schema
from streamlab.streams import csr_rows
from streamlab.streams.live import journal as journals
from streamlab.streams.live.followed import FollowedJournal
from streamlab.streams.live.journal import Journal
from streamlab.streams.live.record import MAGIC, Record, written
from tests.streams.live.made import made_rows

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


def the_segment(folder):
    return sorted(folder.glob("*.rows"))[-1]


@settings(max_examples=40, deadline=None)
@given(
    cuts=st.lists(st.integers(0, 60), max_size=12),
    small=st.booleans(),
    start=st.integers(0, 60),
    torn=st.integers(0, 10**6),
)
def test_any_cutting_gives_the_same_rows(tmp_path_factory, cuts, small, start, torn):
    folder = tmp_path_factory.mktemp("journal")
    X, Y = made_rows(60)
    places = sorted({0, 60, *cuts})
    with pytest.MonkeyPatch.context() as patch:
        if small:
            patch.setattr(journals, "SEGMENT_RECORDS", 3)
        journal = Journal.create(folder, SCHEMA)
        for a, b in itertools.pairwise(places):
            journal.append(X[a:b], Y[a:b], np.arange(a, b), {"p": b})
        for got, wanted in zip(rows_of(journal, start), (X[start:], Y[start:]), strict=True):
            np.testing.assert_array_equal(got, wanted)
        journal.close()
        # the end is torn off at any byte; what is gone comes again from the offset on
        last = the_segment(folder)
        size = last.stat().st_size
        os.truncate(last, size - torn % size)
        journal = Journal.open(folder, write=True)
        at = journal.offsets.get("p", 0)
        assert at == journal.n_rows, "rows and offsets are one record"
        journal.append(X[at:], Y[at:], np.arange(at, 60), {"p": 60})
        for got, wanted in zip(rows_of(journal), (X, Y), strict=True):
            np.testing.assert_array_equal(got, wanted)
        journal.close()
        for got, wanted in zip(rows_of(Journal.open(folder), start), (X[start:], Y[start:]), strict=True):
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


def test_sparse_rows_come_back(tmp_path):
    X = csr_rows([0, 2, 2, 3], [0, 5, 1], [1.0, -2.0, np.nan], 6)
    journal = Journal.create(tmp_path, Schema.anonymous(6, 1), is_sparse=True)
    journal.append(X, np.ones((3, 1), np.uint8), [0, 1, 2], {"p": 1})
    (record,) = journal.read(1)
    np.testing.assert_array_equal(record.X.toarray(), X[1:].toarray())


def test_bytes_behind_the_end_are_cut_off(tmp_path):
    journal, X, _ = filled(tmp_path)
    journal.close()
    size = the_segment(tmp_path).stat().st_size
    with open(the_segment(tmp_path), "ab") as file:
        file.write(MAGIC + b"\0" * 300)
    assert Journal.open(tmp_path).n_rows == 100, "a reader passes them over"
    Journal.open(tmp_path, write=True).close()
    assert the_segment(tmp_path).stat().st_size == size
    np.testing.assert_array_equal(rows_of(Journal.open(tmp_path))[0], X)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_damage_in_the_middle_is_refused(tmp_path, share):
    filled(tmp_path)[0].close()
    path = the_segment(tmp_path)
    raw = bytearray(path.read_bytes())
    raw[int(len(raw) * share)] ^= 0x40
    path.write_bytes(raw)
    for write in (False, True):
        with pytest.raises(ValueError, match=rf"{path.name}: damaged at byte .* sound again"):
            Journal.open(tmp_path, write=write)
    assert path.read_bytes() == bytes(raw), "nothing is cut off"


def test_damage_in_an_older_segment_is_refused_when_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "SEGMENT_RECORDS", 4)
    filled(tmp_path)[0].close()
    first, second, *_ = sorted(tmp_path.glob("*.rows"))
    raw = bytearray(second.read_bytes())
    raw[-10] ^= 1
    second.write_bytes(raw)
    journal = Journal.open(tmp_path)
    with pytest.raises(ValueError, match=second.name):
        rows_of(journal)
    os.truncate(first, first.stat().st_size - 150)
    with pytest.raises(ValueError, match=first.name):
        rows_of(Journal.open(tmp_path))
    first.unlink()
    with pytest.raises(ValueError, match="given up"):
        rows_of(Journal.open(tmp_path))


def test_a_missing_segment_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "SEGMENT_RECORDS", 4)
    filled(tmp_path)[0].close()
    sorted(tmp_path.glob("*.rows"))[1].unlink()
    with pytest.raises(ValueError, match="rows are missing"):
        rows_of(Journal.open(tmp_path))


def test_a_segment_of_another_journal_is_refused(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    filled(one)[0].close()
    filled(other)[0].close()
    the_segment(one).write_bytes(the_segment(other).read_bytes())
    with pytest.raises(ValueError, match="no segment of this journal"):
        Journal.open(one)


def altered(record, schema=SCHEMA):
    """A record as somebody might forge it: with sound checksums."""
    return written(record, schema, False)


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
    with open(the_segment(tmp_path), "ab") as file:
        file.write(altered(Record(X, Y, np.zeros(1)), schema))
        file.write(altered(Record(np.zeros((1, 3)), np.zeros((1, 2), np.uint8), np.zeros(1)), schema))
    with pytest.raises(ValueError, match="damaged"):
        rows_of(Journal.open(tmp_path))


@pytest.mark.parametrize(
    "about",
    [
        "",
        "[]",
        '{"format": 99}',
        '{"format": 1, "id": 3}',
        '{"format": 1, "id": "x", "schema": "{}", "is_sparse": false, "source": "", "decoding": {}}',
    ],
)
def test_an_altered_description_is_refused(tmp_path, about):
    filled(tmp_path)[0].close()
    (tmp_path / "journal.json").write_text(about)
    with pytest.raises(ValueError, match=r"journal\.json"):
        Journal.open(tmp_path)


def test_one_writes_at_a_time_and_any_number_read(tmp_path):
    journal, _, _ = filled(tmp_path)
    with pytest.raises(ValueError, match="somebody writes"):
        Journal.open(tmp_path, write=True)
    assert Journal.open(tmp_path).n_rows == 100
    journal.close()
    Journal.open(tmp_path, write=True).close()


def test_reading_goes_on_while_somebody_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "SEGMENT_RECORDS", 5)
    X, Y = made_rows(3000)
    journal = Journal.create(tmp_path, SCHEMA)
    wrong = []

    def read():
        while (n := journal.n_rows) < 3000:
            got = rows_of(journal)[0]
            if len(got) < n or not np.array_equal(got, X[: len(got)]):
                wrong.append(n)

    thread = threading.Thread(target=read)
    thread.start()
    for a in range(0, 3000, 10):
        journal.append(X[a : a + 10], Y[a : a + 10], np.zeros(10), {"p": a})
    thread.join(60)
    assert not thread.is_alive()
    assert not wrong


def test_old_rows_are_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "SEGMENT_RECORDS", 4)
    journal, X, _ = filled(tmp_path)
    journal.give_up(50)
    assert 0 < journal.first_row <= 50
    np.testing.assert_array_equal(rows_of(journal, 50)[0], X[50:])
    with pytest.raises(ValueError, match="given up"):
        next(journal.read(0))
    journal.give_up(10**9)
    assert journal.offsets == {"p": 100}
    journal.close()
    assert Journal.open(tmp_path, write=True).offsets == {"p": 100}, "the last segment says them all"


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


def test_a_full_disk_leaves_whole_records(tmp_path, monkeypatch):
    journal, X, Y = filled(tmp_path)
    write = os.write

    def half(file, raw):
        write(file, bytes(raw)[: len(raw) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="No space"):
        journal.append(X, Y, np.zeros(100), {"p": 200})
    monkeypatch.undo()
    assert journal.n_rows == 100
    journal.append(X, Y, np.zeros(100), {"p": 200})
    np.testing.assert_array_equal(rows_of(journal)[0], np.concatenate([X, X]))


def test_a_folder_of_other_files_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ValueError, match="other files"):
        Journal.create(tmp_path, SCHEMA)
    with pytest.raises(ValueError, match="no journal"):
        Journal.open(tmp_path)
    filled(tmp_path / "new")[0].close()
    with pytest.raises(ValueError, match="already"):
        Journal.create(tmp_path / "new", SCHEMA)
    assert json.loads((tmp_path / "new" / "journal.json").read_text())["format"] == 1


def test_a_crash_while_a_segment_is_begun(tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "SEGMENT_RECORDS", 4)
    journal, X, _ = filled(tmp_path)
    journal.close()
    (tmp_path / f"{100:018d}.rows").write_bytes(b"SLR1")
    assert Journal.open(tmp_path).n_rows == 100
    journal = Journal.open(tmp_path, write=True)
    assert (journal.n_rows, journal.offsets) == (100, {"p": 100})
    np.testing.assert_array_equal(rows_of(journal)[0], X)


def test_of_older_segments_nothing_stays_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "SEGMENT_RECORDS", 4)
    journal, X, _ = filled(tmp_path)
    assert len(journal._segments) > 3
    assert sum(len(segment.rows) for segment in journal._segments) <= 4
    for start in (0, 1, 6, 7, 50, 99):
        np.testing.assert_array_equal(rows_of(journal, start)[0], X[start:])


def test_refused_messages_alone_never_end_a_segment(tmp_path, monkeypatch):
    monkeypatch.setattr(journals, "SEGMENT_RECORDS", 10)
    journal, X, _ = filled(tmp_path / "j", 50, 5)
    nothing = np.empty((0, 3)), np.empty((0, 2), np.uint8), np.empty(0)
    for i in range(45):
        journal.append(*nothing, {"p": 100 + i}, bad={"not JSON": i + 1})
    journal.give_up(50)
    names = sorted(each.name for each in journal.folder.glob("*.rows"))
    assert len(names) == 1 == len(set(names))
    journal.close()
    again = Journal.open(tmp_path / "j", write=True)
    assert (again.n_rows, again.offsets, again.bad) == (50, {"p": 144}, {"not JSON": 45})
    again.append(X[:1], np.zeros((1, 2), np.uint8), [0.0], {"p": 200})
    again.append(X[:1], np.zeros((1, 2), np.uint8), [0.0], {"p": 201})
    np.testing.assert_array_equal(rows_of(again, 50)[0], X[[0, 0]])
    again.close()


def test_a_journal_that_was_closed_can_still_be_ended(tmp_path):
    journal, _, _ = filled(tmp_path / "j", 20)
    journal.close()
    journal.end()
    assert journal.ended
    assert Journal.open(tmp_path / "j").ended


@pytest.mark.parametrize("follows", [False, True])
def test_a_row_is_seen_when_its_place_is_known(tmp_path, follows):
    journal, X, Y = filled(tmp_path / "j", 20)
    seen = FollowedJournal.open(tmp_path / "j") if follows else journal
    segment = seen._segments[-1]

    class Rows(list):
        def append(self, row):
            # another thread may read between two statements of the writer
            assert len(segment.places) > len(self)
            super().append(row)

    segment.rows = Rows(segment.rows)
    journal.append(X, Y, np.arange(20.0), {"p": 40})
    if follows:
        seen.look()
    assert isinstance(segment.rows, Rows)
    assert segment.rows[-1] == 20
    np.testing.assert_array_equal(rows_of(seen, 20)[0], X)
    journal.close()
