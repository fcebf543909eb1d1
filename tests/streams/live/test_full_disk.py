"""A disk that is full, or fails now and then: nothing is lost, nothing is there twice, and reading goes on."""

from __future__ import annotations

import errno
import json
import os
import threading
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.schema import Schema
from streamlab.streams.live import journal as journals
from streamlab.streams.live.followed import FollowedJournal
from streamlab.streams.live.journal import Journal
from tests.lab.made import wait_until
from tests.streams.live.made import ListSource, reader_of
from tests.streams.live.test_http_source import send
from tests.streams.live.test_reader import messages, rows

SCHEMA = Schema.anonymous(1, 1)


class Disk:
    """Lets calls of the system fail: the next ``fails`` of those that a test chooses."""

    def __init__(self, monkeypatch, thread=None):
        self.fails = {"open": 0, "write": 0, "fsync": 0, "ftruncate": 0}
        self.failed = 0
        self._thread = thread
        for name in self.fails:
            monkeypatch.setattr(os, name, self._failing(name, getattr(os, name)))

    def _failing(self, name, real):
        def call(*args, **kwargs):
            here = self._thread is None or threading.current_thread().name == self._thread
            if here and self.fails[name] > 0:
                self.fails[name] -= 1
                self.failed += 1
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(*args, **kwargs)

        return call


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
    st.tuples(st.just("fail"), st.sampled_from(["open", "write", "fsync", "ftruncate"])),
    st.tuples(st.just("sync"), st.just(0)),
    st.tuples(st.just("give up"), st.integers(0, 30)),
    st.tuples(st.just("look"), st.just(0)),
    st.tuples(st.just("reopen"), st.just(0)),
)


@settings(max_examples=150, deadline=None)
@given(steps=st.lists(STEPS, max_size=60), per_segment=st.integers(2, 6))
def test_whatever_fails_the_journal_has_what_was_appended(tmp_path_factory, steps, per_segment):
    folder = tmp_path_factory.mktemp("journal")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(journals, "SEGMENT_RECORDS", per_segment)
        disk = Disk(monkeypatch)
        journal, follower = Journal.create(folder, SCHEMA), None
        n, offset, kept = 0, 0, 0
        for what, value in [*steps, ("reopen", 0), ("look", 0)]:
            if what == "fail":
                disk.fails[value] += 1
            elif what == "append":
                try:
                    numbered(journal, value, offset + 1)
                except OSError:
                    pass
                else:
                    n, offset = n + value, offset + 1
            elif what == "give up":
                journal.give_up(min(value, n))
            elif what == "sync":
                with suppress(OSError):
                    journal.sync()
            else:
                disk.fails = dict.fromkeys(disk.fails, 0)
                if what == "look":
                    follower = follower or FollowedJournal.open(folder)
                    follower.look()
                    assert follower.n_rows == n
                    first = follower.first_row
                    assert numbers(follower, first) == list(range(first, n))
                else:
                    journal.close()
                    journal = Journal.open(folder, write=True)
            assert (journal.n_rows, journal.offsets) == (n, {"p": offset} if offset else {})
            assert journal.first_row >= kept
            kept = journal.first_row
            assert numbers(journal, kept) == list(range(kept, n))
        journal.close()


@pytest.mark.parametrize("what", ["open", "write", "fsync"])
def test_a_disk_that_is_full_as_a_segment_begins_changes_nothing(tmp_path, monkeypatch, what):
    monkeypatch.setattr(journals, "SEGMENT_RECORDS", 5)
    disk = Disk(monkeypatch)
    journal = Journal.create(tmp_path / "j", SCHEMA)
    for i in range(4):
        numbered(journal, 2, i)
    disk.fails[what] = 3
    with pytest.raises(OSError, match="No space"):
        numbered(journal, 2, 4)
    assert disk.failed
    disk.fails[what] = 0
    numbered(journal, 2, 4)
    assert numbers(journal) == list(range(10))
    journal.close()
    again = Journal.open(tmp_path / "j", write=True)
    assert (again.n_rows, again.offsets) == (10, {"p": 4})
    again.close()


def test_a_journal_that_cannot_be_begun_is_let_go(tmp_path, monkeypatch):
    disk = Disk(monkeypatch)
    for what in ("fsync", "open", "write"):
        disk.fails[what] = 1
        with pytest.raises(OSError, match="No space"):
            Journal.create(tmp_path / what, SCHEMA)
        disk.fails[what] = 0
        with Writing(tmp_path / what) as journal:
            numbered(journal, 3, 1)
            assert numbers(journal) == [0, 1, 2]


class Writing:
    """The journal of a folder, begun or not, open to be written."""

    def __init__(self, folder):
        begun = (folder / "journal.json").exists()
        self.journal = Journal.open(folder, write=True) if begun else Journal.create(folder, SCHEMA)

    def __enter__(self):
        return self.journal

    def __exit__(self, *_):
        self.journal.close()


@pytest.mark.parametrize("needs_sync", [True, False])
def test_rows_whose_sync_fails_are_not_read_a_second_time(tmp_path, monkeypatch, needs_sync):
    disk = Disk(monkeypatch, "streamlab live reader")
    source = ListSource(messages(300)[:100])
    source.needs_sync = needs_sync
    reader = reader_of(source, tmp_path / "journal")
    reader.journal._sync_seconds = 0.0
    disk.fails["fsync"] = 3
    reader.start()
    try:
        wait_until(lambda: disk.fails["fsync"] == 0 and len(source.settlements) == 1, "the source was told")
        source.values += messages(300)[100:]
        wait_until(lambda: reader.journal.n_rows >= 300, "all rows")
    finally:
        reader.close()
    assert len(np.unique(rows(reader), axis=0)) == len(rows(reader)) == 300
    assert source.n_seeks == 1


def test_a_request_whose_sync_fails_is_answered_when_the_disk_has_it(tmp_path, monkeypatch):
    disk = Disk(monkeypatch, "streamlab live reader")
    with sl.load(f"http://localhost:0/rows?columns=x&labels=hot&journal={tmp_path / 'j'}") as stream:
        body, key = b'{"x": 7, "hot": 1}', {"Idempotency-Key": "batch-17"}
        wait_until(lambda: stream.status().connected, "the reader")
        disk.fails["fsync"] = 2
        first = send(stream, body, **key)
        again = send(stream, body, **key)
        assert disk.failed == 2
        assert first[0] in (202, 503)
        assert again[0] in (202, 409)
        wait_until(lambda: send(stream, body, **key)[0] == 202, "the answer")
        assert stream.available == 1


def test_a_join_whose_disk_fails_writes_no_row_twice(tmp_path, monkeypatch):
    n = 2000
    with open(tmp_path / "rows.jsonl", "w") as rows, open(tmp_path / "labels.jsonl", "w") as labels:
        for i in range(n):
            rows.write(json.dumps({"id": i, "at": 1000 + i, "heat": i}) + "\n")
            labels.write(json.dumps({"id": i, "at": 1000 + i + 2.5, "hot": i % 2}) + "\n")
    made = Journal.create.__func__
    monkeypatch.setattr(
        Journal, "create", classmethod(lambda cls, *args, **options: made(cls, *args, **{**options, "sync_seconds": 0}))
    )
    disk = Disk(monkeypatch, "streamlab live join")
    disk.fails["fsync"] = 2
    stream = sl.load(
        f"tail:{tmp_path / 'rows.jsonl'}",
        label_topic=str(tmp_path / "labels.jsonl"),
        **{"key": "id", "time": "at", "label_time": "at", "labels": "hot", "columns": "heat"},
        within_seconds=10,
        journal=tmp_path / "joined",
    )
    with stream:
        wait_until(lambda: stream.available >= n - 10, "the rows with labels")
    assert disk.failed == 2
    heat = np.concatenate([record.X[:, 0] for record in stream.journal.read(0)])
    np.testing.assert_array_equal(heat, np.arange(len(heat)))
