"""A journal that another writes, followed: the same rows, whenever the follower looks."""

from __future__ import annotations

import numpy as np
import pytest
import streamlab as sl
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlab.lab import Run

from live_tests.made import altered, told
from streamlab_live import Journal

SCHEMA = sl.Schema.anonymous(2, 1)


def append(journal: Journal, first: int, n: int) -> None:
    X = np.arange(2 * first, 2 * (first + n), dtype=float).reshape(n, 2)
    journal.append(X, (X[:, :1] % 4 == 0).astype(np.uint8), np.zeros(n), {"part": first + n})


@settings(max_examples=40, deadline=None)
@given(parts=st.lists(st.integers(1, 40), max_size=12), looks=st.integers(0, 5))
def test_the_rows_are_the_writers_after_each_look(tmp_path_factory, parts, looks):
    folder = tmp_path_factory.mktemp("journal")
    writer = Journal.create(folder, SCHEMA)
    stream, there = sl.load(folder, follow=True), 0
    for place, n in enumerate(parts):
        append(writer, there, n)
        there += n
        if place % (looks + 1) == 0:  # now and then several records have come since the last look
            assert stream.has_rows(0, there)
            assert not stream.has_rows(0, there + 1)
            assert stream.available == there
    writer.end()
    writer.close()
    rows = np.vstack([np.empty((0, 2)), *(chunk.X for chunk in stream.chunks(7))])
    np.testing.assert_array_equal(rows, np.arange(2.0 * there).reshape(there, 2))
    assert stream.has_rows(there, 10)  # nothing will come any more


def test_a_run_on_a_followed_journal_waits_and_goes_on(tmp_path):
    writer = Journal.create(tmp_path / "journal", SCHEMA)
    append(writer, 0, 30)
    run = Run(sl.load(tmp_path / "journal", follow=True), sl.NoChange(), chunk=20)
    assert run.advance(100) == 20
    assert run.is_waiting
    append(writer, 30, 15)
    assert run.advance(100) == 20
    writer.end()
    assert run.advance(100) == 5
    assert run.advance(100) == 0
    assert run.finished
    run.save(tmp_path / "run.slab")
    again = Run.open(tmp_path / "run.slab", sl.load(tmp_path / "journal"))
    assert (again.position, again.finished) == (45, True)
    again.seek(20)
    assert again.advance(25) == 25
    writer.close()


def test_an_archive_is_refused_on_other_rows_and_on_a_journal_that_is_shorter(tmp_path):
    for name, start in (("one", 0), ("same", 0), ("other", 1)):
        writer = Journal.create(tmp_path / name, SCHEMA)
        append(writer, start, 30)
        writer.close()
    run = Run(sl.load(tmp_path / "one"), sl.NoChange(), chunk=10)
    run.advance(30)
    run.save(tmp_path / "run.slab")
    for name in ("one", "same"):
        assert Run.open(tmp_path / "run.slab", sl.load(tmp_path / name)).position == 30
    with pytest.raises(ValueError, match="the run was on another stream"):
        Run.open(tmp_path / "run.slab", sl.load(tmp_path / "other"))
    altered(tmp_path / "one", {**told(tmp_path / "one", "state"), "n_rows": 20}, "state")
    with pytest.raises(ValueError, match="the run was on another stream"):
        Run.open(tmp_path / "run.slab", sl.load(tmp_path / "one"))


def test_rows_that_were_given_up_before_they_were_seen_are_refused(tmp_path):
    journal = Journal.create(tmp_path / "j", sl.Schema.anonymous(2, 1))
    append(journal, 0, 2)
    stream = sl.load(tmp_path / "j", follow=True)
    assert stream.has_rows(0, 2)
    for i in range(30):
        append(journal, 2 + i, 1)
    journal.give_up(28)
    assert stream.has_rows(2, 30)
    assert stream.available == 32
    with pytest.raises(ValueError, match="given up"):
        next(stream.blocks(2))
    assert len(next(stream.blocks(30))[0]) == 1
    append(journal, 32, 3)
    assert stream.has_rows(32, 3)
    journal.close()
