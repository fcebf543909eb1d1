"""Questions to the thread that owns a run, whose answers the page does not wait for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from streamlab.lab import Player, Run

__all__ = ["Asked"]


class Asked:
    """One kind of question: the latest one counts.

    Parameters
    ----------
    player
        The player whose thread answers.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._answer: Future | None = None

    def ask(self, question: Callable[[Run], Any]) -> None:
        """Ask; an older question that was not answered yet is dropped."""
        self._answer = self._player.ask(question)

    def take(self) -> Any:
        """Return the answer, once; None while there is none, and where it could not be had."""
        if self._answer is None or not self._answer.done():
            return None
        answer, self._answer = self._answer, None
        return None if answer.cancelled() or answer.exception() is not None else answer.result()
