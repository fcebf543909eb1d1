"""The player and time: it seeks, plays a range again and again, and writes down what pictures show."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.frame import FrameMaker
from tests.lab.made import made_stream, wait_until

SOON = 20.0


def run_of(n: int = 400, **options) -> Run:
    return Run(made_stream(n), {"SMART": sl.SMART(seed=1)}, chunk=20, **options)


def test_it_seeks_and_goes_on(player_of):
    run = run_of()
    player = player_of(run)
    player.step(300).result(SOON)
    assert player.seek(130).result(SOON) == 130
    assert (run.position, run.end, run.is_live, player.state) == (130, 300, False, "paused")
    player.step(20).result(SOON)
    assert run.position == 150
    with pytest.raises(ValueError, match="position=301: expected one that the run has passed, from 0 to 300"):
        player.seek(301).result(SOON)
    assert run.position == 150


def test_a_finished_run_goes_back_and_plays_again(player_of):
    run = run_of(200)
    player = player_of(run)
    player.play()
    wait_until(lambda: player.state == "finished", "the end")
    before = run.events
    player.seek(50).result(SOON)
    assert player.state == "paused"
    player.play()
    wait_until(lambda: player.state == "finished", "the end again")
    assert run.events.equals(before)


def test_of_several_seeks_the_newest_counts(player_of):
    run = run_of()
    player = player_of(run)
    player.step(400).result(SOON)
    player.ask(lambda run: None).result(SOON)
    futures = [player.seek(position) for position in (300, 200, 100, 60)]
    assert futures[-1].result(SOON) == 60
    assert run.position == 60


def test_what_pictures_show_is_written_down(player_of):
    run = run_of()
    player = player_of(run)
    player.record(lambda run: {"weight": lambda run: run.position}).result(SOON)
    player._record_at = 0.0
    player.step(100).result(SOON)
    entry = run.views.at(100)
    assert entry is not None
    assert entry.readings == {"weight": entry.position}
    count = len(run.views)
    player.seek(20).result(SOON)
    player._record_at = 0.0
    player.step(20).result(SOON)
    assert len(run.views) == count, "what has been seen is not written again"


def test_a_screen_keeps_what_is_ahead_and_hears_of_another_branch():
    run = run_of(snapshots=2**20)
    maker = FrameMaker(run)
    run.advance(200)
    first = maker.make(maker.cursor(), "paused", "", None, 0.0)
    maker.taken(first)
    assert (first.fresh, first.live, first.end) == (True, True, 200)
    assert len(first.curves.positions) == 10
    run.seek(60)
    back = maker.make(maker.cursor(), "paused", "", None, 0.0)
    maker.taken(back)
    assert (back.fresh, back.live, back.position, back.end) == (False, False, 60, 200)
    assert not back.curves.reset
    assert len(back.curves.positions) == 0
    assert back.events == []
    run.advance(200)
    on = maker.make(maker.cursor(), "paused", "", None, 0.0)
    maker.taken(on)
    assert not on.curves.reset
    np.testing.assert_array_equal(on.curves.positions, [220, 240, 260])
    run.seek(100)
    run.tune("SMART", half_life=10)
    other = maker.make(maker.cursor(), "paused", "", None, 0.0)
    assert (other.fresh, other.branch, other.live) == (True, 1, True)
    assert other.curves.reset
    assert len(other.curves.positions) == 5
    assert [event.kind for event in other.events] == ["tuned"]
