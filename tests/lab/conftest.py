"""What tests of runs and players share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from streamlab.lab import Player, Run


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
