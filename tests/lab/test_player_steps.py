"""Slow speeds and single steps: few rows are answered together, and the run can be had again."""

from __future__ import annotations

import pytest

import streamlab as sl
from streamlab.lab.player import Player
from streamlab.lab.replay import replay
from tests.lab.made import wait_until


@pytest.fixture
def run() -> sl.Run:
    return sl.Run(sl.load("syn-tree-sudden", seed=3, n_rows=400), {"it": sl.MLKNN()}, chunk=20)


def steps(run: sl.Run) -> list[tuple[int, int]]:
    return [(event.position, event.detail["rows"]) for event in run.log if event.kind == "step"]


def test_single_steps_teach_and_longer_ones_go_by_chunks(run, tmp_path):
    player = Player(run, rate=250.0, short_steps=True)
    try:
        player.step(30).result(timeout=60)
        for _ in range(3):
            player.step(1).result(timeout=60)
        player.step().result(timeout=60)
        assert steps(run) == [(30, 1), (33, 20)]
        assert run.position == 40
        # the frame that lies ready may be of the step before
        wait_until(
            lambda: (frame := player.poll()) is not None and (frame.position, frame.step, frame.chunk) == (40, 20, 20)
        )
        run.save(tmp_path / "x.slab")
    finally:
        player.close()
    assert replay(tmp_path / "x.slab").is_identical


def test_the_speed_decides_and_the_past_goes_as_it_went(run):
    player = Player(run, rate=25.0, short_steps=True)
    try:
        player.play()
        wait_until(lambda: run.position > 0)
        player.pause().result(timeout=60)
        assert steps(run) == [(0, 5)]
        at = run.position
        player.play(None)
        wait_until(lambda: player.state == "finished")
        assert steps(run) == [(0, 5), (at, 20)]
        player.seek(at + 50).result(timeout=60)
        player.step(1).result(timeout=60)
        assert steps(run) == [(0, 5), (at, 20)]
        assert run.branch == 0, "to look at the past slowly makes no other past"
    finally:
        player.close()


def test_without_it_no_speed_changes_what_is_learned(run):
    player = Player(run, rate=5.0)
    try:
        player.step(1).result(timeout=60)
        assert steps(run) == []
    finally:
        player.close()
