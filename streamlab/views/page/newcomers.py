"""Learners that come to a run that is there already: those of the list that are not in it, once they are ready."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import panel_material_ui as pmui

from streamlab.lab import Player
from streamlab.lab.seeds import groups_of
from streamlab.learners import Learner
from streamlab.views.page.preparing import Preparing


class Newcomers:
    """A button that lets learners join the run; their kernels are compiled beside it, and the others go on.

    Parameters
    ----------
    preparing
        What compiles, and says so.
    player
        Called for the player of the run on the screen, or None.
    chosen
        Called for new learners by name, as people chose them; those that are in the run are left out.
    later
        Called, from any thread, with a function for the document's thread.
    say
        Called with a sentence when one cannot join.
    """

    def __init__(
        self,
        preparing: Preparing,
        player: Callable[[], Player | None],
        chosen: Callable[[], dict[str, Learner]],
        later: Callable[[Callable[[], None]], None],
        say: Callable[[str], None],
    ) -> None:
        self._preparing, self._player, self._chosen, self._later, self._say = preparing, player, chosen, later, say
        self.button = pmui.Button(label="Add to this run", variant="outlined", sizing_mode="stretch_width", margin=0)
        self.button.on_click(lambda _: self.add())

    def add(self) -> None:
        """Let those that are chosen and not in the run join it."""
        player = self._player()
        if player is None:
            return
        new = self._missing(player)
        self._say("" if new else "choose a learner that is not in this run yet")
        if new:
            self._preparing.add(new, self.join)

    def join(self, names: list[str]) -> None:
        """Let some of those that are chosen join the run where it stands; on the document's thread."""
        player = self._player()
        if player is None:
            return
        for name, learner in self._missing(player).items():
            if name in names:
                joined = player.do(partial(player.run.join, name, learner))
                joined.add_done_callback(self._heard)

    def join_instead(self, names: list[str], position: int) -> bool:
        """Add learners to a run that people have begun to use; if they have not, do nothing and return False.

        Parameters
        ----------
        names
            Of the learners.
        position
            Where the run stood when it was shown.
        """
        player = self._player()
        if player is None or is_as_it_opened(player, position):
            return False
        self.join(names)
        return True

    def _missing(self, player: Player) -> dict[str, Learner]:
        there = {*player.run.learner_runs, *groups_of(player.run.learner_runs)}
        return {name: each for name, each in self._chosen().items() if name not in there}

    def _heard(self, joined: Any) -> None:
        error = None if joined.cancelled() else joined.exception()
        if error is not None:
            self._later(lambda: self._say(str(error)))


def is_as_it_opened(player: Player, position: int) -> bool:
    """Whether a run stands where it was put at first, and nobody has done anything to it."""
    return player.state == "paused" and player.run.position == position and player.run.is_as_made
