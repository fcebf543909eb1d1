"""Compile all kernels ahead of time, part by part, so that nobody waits for them in front of a class."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from typing import NamedTuple

from streamlab.lab.preparing import Part, all_parts
from streamlab.learners import LEARNERS

logger = logging.getLogger("streamlab")
OWN = "streamlab"


class Warmed(NamedTuple):
    """A part that is ready."""

    part: str
    processor_seconds: float
    seconds: float
    """By the clock."""


def warm(names: Sequence[str] = ()) -> Iterator[Warmed]:
    """Compile part by part, or load from the cache on disk what was compiled before.

    Parameters
    ----------
    names
        As in ``all_parts``.

    Yields
    ------
    part : str
        What is ready.
    processor_seconds, seconds : float
        How long it took, beside others: seconds of a processor, and by the clock.

    Raises
    ------
    Exception
        Whatever a learner raises that is named, or is of this package. One of another package that cannot be prepared
        is passed over, with a warning.

    Examples
    --------
    >>> [each.part for each in warm(["NoChange"])]
    ['NoChange']
    """
    parts = all_parts(names)
    orders = [(part, part.order()) for part in parts]
    for part, ordered in orders:
        if ordered is None:
            yield _here(part)
    by_future = {ordered.future: (part, ordered) for part, ordered in orders if ordered is not None}
    for done in as_completed(by_future):
        part, ordered = by_future[done]
        if done.result() is None:
            yield Warmed(part.title, ordered.spent, time.monotonic() - (ordered.began or 0.0))
            continue
        try:
            yield _here(part)
        except Exception as error:
            package = LEARNERS.package(part.title) if part.title in LEARNERS else OWN
            if names or package == OWN:
                raise
            whose = f"the package {package}" if package else "this session"
            logger.warning(
                "the learner %r of %s cannot be prepared: %s: %s", part.title, whose, type(error).__name__, error
            )
            yield Warmed(part.title, 0.0, 0.0)


def _here(part: Part) -> Warmed:
    """Compile a part in this process: no other finds it, or the other failed."""
    processor, clock = time.thread_time(), time.monotonic()
    part.prepare()
    return Warmed(part.title, time.thread_time() - processor, time.monotonic() - clock)
