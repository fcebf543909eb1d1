"""A disk that is full, or fails now and then: nothing is lost, nothing is there twice, and reading goes on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlab.schema import Schema
from tests.lab.made import wait_until

from live_tests.made import FullDisk, ListSource, reader_of
from live_tests.test_reader import messages
from streamlab_live.journal import Journal

SCHEMA = Schema.anonymous(1, 1)


def numbered(journal, n, offset):
    """Append n rows that hold their own numbers."""
    first = journal.n_rows
    X = np.arange(first, first + n, dtype=float)[:, None]
    journal.append(X, np.zeros((n, 1), np.uint8), np.arange(float(n)), {"p": offset}, bad={"not JSON": offset})


def numbers(journal, start=0):
    return [x for record in journal.read(start) for x in record.X[:, 0].tolist()]


STEPS = st.one_of(
    st.tuples(st.just("append"), st.integers(0, 4)),
    st.tuples(st.just("append"), st.just(0)),
    st.tuples(st.just("fail"), st.integers(0, 3)),
    st.tuples(st.just("give up"), st.integers(0, 30)),
    st.tuples(st.just("look"), st.just(0)),
    st.tuples(st.just("reopen"), st.just(0)),
)


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(STEPS, max_size=40))
def test_whatever_fails_the_journal_has_what_was_appended(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("journal")
    journal, follower = Journal.create(folder, SCHEMA), Journal.open(folder)
    disk = FullDisk(journal)
    n, offset, kept = 0, 0, 0
    for what, value in [*steps, ("reopen", 0), ("look", 0)]:
        if what == "fail":
            disk.passes, disk.fails = value, 1
        elif what == "append":
            try:
                numbered(journal, value, offset + 1)
            except OSError:
                pass
            else:
                n, offset = n + value, offset + 1
        elif what == "give up":
            try:
                journal.give_up(min(value, n))
            except OSError:
                assert journal.first_row == kept
        elif what == "look":
            follower.look()
            assert (follower.n_rows, follower.first_row) == (n, kept)
            assert numbers(follower, kept) == list(range(kept, n))
        else:
            journal.close()
            journal = Journal.open(folder, write=True)
            disk = FullDisk(journal)
        assert (journal.n_rows, journal.offsets) == (n, {"p": offset} if offset else {})
        assert journal.first_row >= kept
        kept = journal.first_row
        assert numbers(journal, kept) == list(range(kept, n))
    journal.close()


def test_a_file_that_may_not_grow_keeps_whole_records(tmp_path):
    resource = pytest.importorskip("resource")
    journal = Journal.create(tmp_path, SCHEMA)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    n, failed = 0, []
    for most in (40_000, 90_000, 91_000, 150_000):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
        try:
            for _ in range(100):
                numbered(journal, 300, n)
                n += 300
        except OSError as error:
            failed.append(error.strerror)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert journal.n_rows == Journal.open(tmp_path).n_rows == n
        numbered(journal, 300, n)
        n += 300
        assert numbers(journal) == list(range(n))
    journal.close()
    assert numbers(Journal.open(tmp_path)) == list(range(n))
    assert len(failed) == 4


def test_a_journal_that_cannot_be_begun_is_let_go(tmp_path):
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, hard))
    try:
        with pytest.raises(OSError, match=r"disk|full"):
            Journal.create(tmp_path, SCHEMA)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    journal = Journal.create(tmp_path, SCHEMA)
    numbered(journal, 3, 1)
    assert numbers(journal) == [0, 1, 2]
    journal.close()


def test_a_full_disk_is_logged_once_and_told_until_a_row_is_accepted(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("streamlab_live.reader.FIRST_WAIT", 0.01)
    monkeypatch.setattr("streamlab_live.reader.LONGEST_WAIT", 0.02)
    reader = reader_of(ListSource(messages(100)), tmp_path / "journal")
    disk = FullDisk(reader.journal, 10**6)
    reader.start()
    try:
        wait_until(lambda: disk.failed >= 5, "some tries")
        told = {reader.status().trouble for _ in range(2000)}
        assert told == {"the journal cannot be written, so no row is accepted: database or disk is full"}
        assert [each.message for each in caplog.records if "no row is accepted" in each.message] == [
            f"{tmp_path / 'journal'}: {told.pop()}"
        ]
        disk.fails = 0
        wait_until(lambda: reader.journal.n_rows == 100, "the rows")
        assert reader.status().trouble == ""
    finally:
        reader.close()
