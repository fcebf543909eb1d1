"""Runs on live streams: they wait without blocking, and are the same, to the bit, as runs on the rows afterwards."""

from __future__ import annotations

import pandas as pd
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.replay import replay
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.views.page.transport import pace_of
from tests.lab.made import wait_until
from tests.learners.states import assert_same
from tests.live.made import csv_lines, made_rows

N = 1250


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "rows.csv"
    made.write_text("a,b,c,u,v\n")
    grow(made, 0, 340)
    return made


@pytest.fixture
def stream(path, tmp_path):
    with sl.load(f"tail:{path}", labels=["u", "v"], journal=str(tmp_path / "journal")) as made:
        wait_until(lambda: made.available == 340, "the first rows")
        yield made


def grow(path, start, stop):
    with open(path, "a") as file:
        file.write("".join(csv_lines(*made_rows(N))[start:stop]))


def learners():
    return {"majority": sl.MajorityLabels(), "SMART": sl.SMART(seed=1)}


def test_a_run_stops_at_the_last_whole_chunk_and_goes_on_later(stream, path):
    run = Run(stream, learners())
    assert (run.advance(), run.position, run.finished, run.is_waiting) == (300, 300, False, True)
    assert run.advance(50) == 0
    assert run.why_waiting == "waiting for rows"
    assert run.n_rows is None
    grow(path, 340, 520)
    wait_until(lambda: stream.available == 520)
    assert (run.advance(120), run.advance(), run.position) == (120, 80, 500)
    stream.end()
    assert not run.is_waiting
    assert (run.advance(), run.position, run.finished) == (20, 520, True)


def test_it_is_the_run_on_the_same_rows(stream, path):
    run = Run(stream, learners(), alarms="label")
    for stop in range(400, N + 1, 170):
        run.advance()
        grow(path, stop - 170 if stop > 400 else 340, stop)
    grow(path, stop, N)
    wait_until(lambda: stream.available == N)
    stream.end()
    run.advance()
    ordinary = Run(ArrayStream(*made_rows(N), schema=stream.schema), learners(), alarms="label")
    ordinary.advance()
    assert run.position == ordinary.position == N
    for name, learner_run in run.learner_runs.items():
        assert_same(learner_run.learner.state(), ordinary.learner_runs[name].learner.state())
    pd.testing.assert_frame_equal(run.curves(), ordinary.curves())
    assert [(e.position, e.kind, e.message) for e in run.log] == [(e.position, e.kind, e.message) for e in ordinary.log]


def test_its_archive_replays_to_the_bit_without_the_source(stream, path, tmp_path):
    run = Run(stream, learners())
    run.advance()
    run.tune("SMART", half_life=50)
    grow(path, 340, 700)
    wait_until(lambda: stream.available == 700)
    run.advance(330)
    run.save(tmp_path / "run.slab")
    stream.close()
    path.unlink()
    told = replay(tmp_path / "run.slab", str(tmp_path / "journal"))
    assert told.is_identical, told
    assert told.position == 630
    again = Run.open(tmp_path / "run.slab", str(tmp_path / "journal"))
    assert (again.position, again.seek(100), again.seek(630)) == (630, 100, 630)
    assert_same(again.learner_runs["SMART"].learner.state(), run.learner_runs["SMART"].learner.state())
    assert again.advance() == 70
    with pytest.raises(ValueError, match="rows of the run are needed"):  # no path that stands in it is opened by itself
        Run.open(tmp_path / "run.slab")


def test_an_archive_with_more_rows_than_the_journal_is_refused(stream, tmp_path, path):
    run = Run(stream, sl.MajorityLabels())
    run.advance()
    run.save(tmp_path / "run.slab")
    with sl.load(f"tail:{path}", columns=["a", "b", "c"], labels=["u", "v"], journal=str(tmp_path / "other")) as new:
        wait_until(lambda: new.available == 340)
        Run.open(tmp_path / "run.slab", new)  # the same rows
    short = tmp_path / "short.csv"
    short.write_text("a,b,c,u,v\n" + "".join(csv_lines(*made_rows(100))))
    with (
        sl.load(f"tail:{short}", columns=["a", "b", "c"], labels=["u", "v"]) as new,
        pytest.raises(ValueError, match="not come to its 300 rows"),
    ):
        Run.open(tmp_path / "run.slab", new)


@pytest.mark.parametrize("rate", [None, 50_000.0])
def test_a_player_waits_and_obeys(stream, path, player_of, rate):
    run = Run(stream, learners())
    player = player_of(run, rate=rate)
    player.play().result(60)

    def shown(state, message, position):
        def polled():
            frame = player.poll()
            told = None if frame is None else (frame.state, frame.message, frame.position)
            return frame if told == (state, message, position) else None

        return wait_until(polled, f"{state}, {message!r} at {position}")

    frame = shown("playing", "waiting for rows", 300)
    assert pace_of(frame) == "waiting for rows"
    player.tune("SMART", half_life=60).result(60)
    assert player.seek(150).result(60) == 150
    assert player.state == "paused"
    player.play().result(60)
    grow(path, 340, 1000)
    wait_until(lambda: player.ask(lambda run: run.position).result(60) == 1000, "the new rows")
    shown("playing", "waiting for rows", 1000)
    player.pause().result(60)
    shown("paused", "", 1000)
    player.step(10).result(60)
    shown("paused", "waiting for rows", 1000)
    player.play().result(60)
    stream.end()
    wait_until(lambda: player.state == "finished", "the end")


def test_a_waiting_player_takes_no_time_and_closes_at_once(stream, player_of):
    run = Run(stream, sl.MajorityLabels())
    player = player_of(run, frames_per_second=1000)
    player.play().result(60)
    wait_until(lambda: (frame := player.poll()) is not None and frame.message, "that it waits")
    first = player.ask(lambda _: player._maker._number).result(60)
    looked = []
    has_rows = stream.has_rows
    stream.has_rows = lambda start, n: looked.append(start) or has_rows(start, n)
    wait_until(lambda: len(looked) >= 5, "that it looks for rows")
    assert player.ask(lambda _: player._maker._number).result(60) - first <= 3, "nothing changes: no frames"
    player.close()
    assert not player._thread.is_alive()


def test_the_page_says_what_is_wrong_with_the_source(stream, path, player_of):
    run = Run(stream, sl.MajorityLabels())
    player = player_of(run)
    player.play().result(60)
    path.write_text("")
    wait_until(lambda: player.state == "failed", "the failure")
    wait_until(lambda: (frame := player.poll()) is not None and "cut short" in frame.message, "the frame")
    assert run._broken is None, "what was learned is whole"
    assert player.seek(100).result(60) == 100
