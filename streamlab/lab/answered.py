"""Waiting for what the player's thread was asked: who asks hears that the run is busy, and does not stand still."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

__all__ = ["answered"]


def answered(answer: Future, seconds: float) -> Any:
    """Return what the player's thread answers within this many seconds.

    Raises
    ------
    ValueError
        If it does not: then the command is taken back, unless it has begun. Or what the command raises.
    """
    try:
        return answer.result(seconds)
    except TimeoutError:
        if answer.done():
            raise
        if answer.cancel():
            raise ValueError(
                f"the player of this run is busy with a chunk for {seconds:g} s now: nothing was done, try again later"
            ) from None
        raise ValueError(
            f"the player of this run has not finished this in {seconds:g} s, and goes on with it"
        ) from None
