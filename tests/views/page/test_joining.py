"""Learners that people add by hand: they pass over the rows so far, or begin here where people want that."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

import streamlab as sl
from streamlab.lab import Player
from streamlab.views.page import wait as module
from streamlab.views.page.wait import Joining


@pytest.fixture
def player() -> Iterator[Player]:
    run = sl.Run("yeast", {"no-change": sl.NoChange()})
    run.advance(250)
    with_run = Player(run)
    yield with_run
    with_run.close()


@pytest.fixture
def said() -> list[Any]:
    return []


@pytest.fixture
def joining(player: Player, said: list[Any]) -> Joining:
    chosen = lambda: {"no-change": sl.NoChange(), "it": sl.MajorityLabels()}  # noqa: E731
    return Joining(lambda: player, chosen, lambda act: act(), lambda *words: said.append(words))


def until(condition: Any) -> None:
    deadline = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_learner_passes_over_the_rows_so_far_and_has_a_whole_curve(player, joining, said):
    joining.add()
    until(lambda: "it" in player.run.learner_runs)
    curves = player.run.curves()
    assert player.run.position == 250
    assert curves.groupby("learner").position.min().to_dict() == {"no-change": 100, "it": 100}
    joining.add()
    assert said[-1] == ("choose a learner that is not in this run yet",)


@pytest.mark.parametrize("from_here", [False, True])
def test_what_takes_long_is_asked_first(player, joining, monkeypatch, from_here):
    monkeypatch.setattr(module, "AT_ONCE_S", -1.0)
    joining.add()
    until(lambda: len(joining.choice))
    assert "250 rows" in joining._question.object
    assert "it" not in player.run.learner_runs
    (joining._from_here if from_here else joining._over_all).clicks += 1
    until(lambda: "it" in player.run.learner_runs)
    assert player.run.learner_runs["it"].joined_at == (250 if from_here else 0)
    assert not len(joining.choice)


def test_a_stream_whose_first_rows_are_gone_lets_it_begin_where_the_run_stands(player, joining, said, monkeypatch):
    stream = player.run.stream
    monkeypatch.setattr(type(stream), "is_live", True)
    chunks = type(stream).chunks
    monkeypatch.setattr(
        type(stream), "chunks",
        lambda self, size, start=0, stop=None: iter(()) if stop == 1 else chunks(self, size, start=start, stop=stop),
    )  # fmt: skip
    joining.add()
    until(lambda: "it" in player.run.learner_runs and len(said) > 1)
    assert player.run.learner_runs["it"].joined_at == 250
    assert "row 250" in said[-1][0]
