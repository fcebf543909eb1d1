"""Learners that people add to a run by hand: they pass over all its rows so far, so that their curves are whole."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab.lab import Player, Run
from streamlab.lab.preparing import parts_of, prepare
from streamlab.lab.seeds import groups_of
from streamlab.learners import Learner
from streamlab.views.kit.text import shown
from streamlab.views.page.window import SIDE_BY_SIDE, WIDE, Notice

AT_ONCE_S = 4.0
"""What takes longer to pass over the rows so far is asked first."""


class Joining:
    """A button that adds the chosen learners to the run on the screen.

    Parameters
    ----------
    player
        Called for the player of the run on the screen, or None.
    chosen
        Called for new learners by name, as people chose them; those that are in the run are left out.
    later
        Called, from any thread, with a function for the document's thread.
    say
        Called with a sentence, and its kind: ``"error"`` or ``"info"``.

    Attributes
    ----------
    button
        Adds them.
    choice
        Whether to let the rows pass once more, where that takes long, or to begin where the run stands.
    """

    def __init__(
        self,
        player: Callable[[], Player | None],
        chosen: Callable[[], dict[str, Learner]],
        later: Callable[[Callable[[], None]], None],
        say: Callable[..., None],
    ) -> None:
        self._player, self._chosen, self._later, self._say = player, chosen, later, say
        self._asked: dict[str, Learner] = {}
        self.button = pmui.Button(label="Add to this run", variant="outlined", sizing_mode="stretch_width", margin=0)
        self.button.on_click(lambda _: self.add())
        self._question = Notice(severity="info", margin=(6, 0))
        self._over_all = pmui.Button(label="From the first row", variant="contained", margin=0, **WIDE)
        self._from_here = pmui.Button(label="From here on", variant="outlined", margin=0, **WIDE)
        self._over_all.on_click(lambda _: self._join(from_the_beginning=True))
        self._from_here.on_click(lambda _: self._join(from_the_beginning=False))
        self.choice = pn.Column(margin=(0, 18), **WIDE)

    def add(self) -> None:
        """Add those that are chosen and not in the run; what is not compiled yet is compiled beside it."""
        player = self._player()
        if player is None:
            return
        there = {*player.run.learner_runs, *groups_of(player.run.learner_runs)}
        self._asked = {name: each for name, each in self._chosen().items() if name not in there}
        self.choice.clear()
        if not self._asked:
            self._say("choose a learner that is not in this run yet")
            return
        threading.Thread(target=self._prepare, args=(player,), name="streamlab learners", daemon=True).start()

    def _prepare(self, player: Player) -> None:
        asked, names = self._asked, ", ".join(map(shown, self._asked))
        parts = [part for each in asked.values() for part in parts_of(each)]
        under_way = [found for part in parts if (found := prepare(part)) is not None]
        if under_way:
            seconds = sum(each.seconds for each in under_way)
            self._tell(f"{names}: made ready for this machine, once, about {seconds:.0f} s; the run goes on", "info")
        for each in under_way:
            each.future.result()
        try:
            seconds = sum(player.ask(partial(_seconds, each)).result() for each in asked.values())
        except Exception as error:
            self._tell(str(error))
            return
        self._later(lambda: self._found(player, asked, seconds))

    def _found(self, player: Player, asked: dict[str, Learner], seconds: float) -> None:
        if player is not self._player() or asked is not self._asked:
            return
        if seconds > AT_ONCE_S:
            names = ", ".join(map(shown, asked))
            self._question.object = (
                f"The {player.run.position:,} rows so far take about {seconds:,.0f} s to pass once more with {names}, "
                "and its curve is whole. From here on, it has no curve before."
            )
            buttons = pn.Row(self._over_all, self._from_here, stylesheets=[SIDE_BY_SIDE], margin=0, **WIDE)
            self.choice[:] = [self._question, buttons]
        else:
            self._join(from_the_beginning=True)

    def _join(self, *, from_the_beginning: bool) -> None:
        player, asked, self._asked = self._player(), self._asked, {}
        self.choice.clear()
        if player is None:
            return
        self._say("")
        for name, learner in asked.items():
            joined = player.do(partial(_joined, player.run, name, learner, from_the_beginning))
            joined.add_done_callback(self._heard)

    def _heard(self, joined: Any) -> None:
        error = None if joined.cancelled() else joined.exception()
        if error is not None:
            self._tell(str(error))
        elif not joined.cancelled() and joined.result():
            self._tell(joined.result(), "info")

    def _tell(self, message: str, kind: str = "error") -> None:
        self._later(lambda: self._say(message, kind))


def _seconds(learner: Learner, run: Run) -> float:
    return run.join_seconds(learner)


def _joined(run: Run, name: str, learner: Learner, from_the_beginning: bool) -> str:
    """Let a learner join; return what people are to know of it, or ""; on the player's thread."""
    try:
        run.join(name, learner, from_the_beginning=from_the_beginning)
    except ValueError:
        if not (from_the_beginning and run.stream.is_live) or name in run.learner_runs:
            raise
        # a topic does not keep its rows for ever
        run.join(name, learner)
        return f"{shown(name)} begins at row {run.position:,}: the stream no longer has its first rows"
    return ""
