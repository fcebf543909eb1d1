"""Waiting for what the player was asked: a page says that the run is busy, and does not stand still for long."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

__all__ = ["WAIT_SECONDS", "waited"]

WAIT_SECONDS = 5.0


def waited(answer: Future) -> Any:
    """Return what the player's thread answers within five seconds.

    Raises
    ------
    ValueError
        If it does not: then the command is taken back, unless it has begun. Or what the command raises.
    """
    try:
        return answer.result(WAIT_SECONDS)
    except TimeoutError:
        if answer.done():
            raise
        if answer.cancel():
            raise ValueError("the run is busy with a long step: nothing was done; pause it, or try again") from None
        raise ValueError(f"the run has not finished this within {WAIT_SECONDS:g} s, and goes on with it") from None
