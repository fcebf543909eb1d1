"""What tests of runs and players share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from streamlab.lab import Player, Run, time_machine


@pytest.fixture
def player_of() -> Iterator[Callable[..., Player]]:
    """Makes players, and closes them at the end."""
    players: list[Player] = []

    def make(run: Run, **options) -> Player:
        players.append(Player(run, **options))
        return players[-1]

    yield make
    for player in players:
        player.close()


@pytest.fixture
def a_snapshot_of_every_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it costs, a run keeps a snapshot at the end of each chunk."""
    monkeypatch.setattr(time_machine, "SPACING_SECONDS", 0.0)
    monkeypatch.setattr(time_machine, "COST_SHARE", 1e12)
