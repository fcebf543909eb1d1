"""Compile all kernels ahead of time, part by part, so that nobody waits for them in front of a class."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from typing import NamedTuple

from streamlab.compiling import prepare_of
from streamlab.lab.preparing import Part, part_of, part_of_arff, part_of_run, part_of_stream
from streamlab.learners import LEARNERS

logger = logging.getLogger("streamlab")
OWN = "streamlab"
GENERATED = ("syn-regions", "syn-branches", "syn-tree-sudden", "syn-rbf-gradual", "syn-hp-incremental", "instruments")
"""Streams whose rows are made by kernels, one of each kind."""


class Warmed(NamedTuple):
    """A part that is ready."""

    part: str
    processor_seconds: float
    seconds: float
    """By the clock."""


def warm_parts(names: Sequence[str] = ()) -> list[Part]:
    """Return what can be compiled on its own, what takes longest first.

    Parameters
    ----------
    names
        Learners; empty: all of them, and what measures, watches, generates and reads. Then a learner of another
        package that cannot be imported is left out, with a warning.

    Raises
    ------
    ValueError
        If a learner is unknown; near names are suggested.
    """
    kinds = [(name, LEARNERS.load(name)) for name in names] or LEARNERS.items()
    # a pipeline prepares its own steps
    parts = [part_of(kind, name) for name, kind in kinds if prepare_of(kind) is not None]
    if not names:
        parts += [part_of_run(), part_of_run(nested=True), part_of_arff(), *map(part_of_stream, GENERATED)]
    return sorted(parts, key=lambda each: -each.seconds)


def warm(names: Sequence[str] = ()) -> Iterator[Warmed]:
    """Compile part by part, or load from the cache on disk what was compiled before.

    Parameters
    ----------
    names
        As in ``warm_parts``.

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
    parts = warm_parts(names)
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
