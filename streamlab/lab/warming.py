"""Compile all kernels ahead of time, part by part, so that nobody waits for them in front of a class."""

from __future__ import annotations

import logging
import queue
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from streamlab.lab.compiling import (
    ARFF,
    GENERATED,
    NESTED_RUN,
    RUN,
    STREAM,
    compile_parts,
    files_of,
    prepare_of,
    submit,
)
from streamlab.lab.preparing import Preparation, part_of
from streamlab.learners import LEARNERS

logger = logging.getLogger("streamlab")
OWN = "streamlab"


class Warmed(NamedTuple):
    """A part that is ready."""

    part: str
    processor_seconds: float
    seconds: float
    """By the clock."""


def warm_parts(names: Sequence[str] = ()) -> list[Preparation]:
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
    parts = []
    for name, kind in [(name, LEARNERS.load(name)) for name in names] or LEARNERS.items():
        # a pipeline prepares its own steps
        prepare = prepare_of(kind)
        if prepare is not None:
            part = part_of(kind)
            parts.append(Preparation(name, (part,) if part else (), prepare, files_of([kind]), loads=False))
    if not names:
        others = {RUN: "measures and alarms", NESTED_RUN: "measures of hierarchies", ARFF: ARFF}
        others |= {(part := STREAM + name): part for name in GENERATED}
        parts += [
            Preparation(title, (part,), partial(compile_parts, [part]), loads=False) for part, title in others.items()
        ]
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
    ready: queue.SimpleQueue[Preparation] = queue.SimpleQueue()
    parts = warm_parts(names)
    for each in parts:
        each.when_done(ready.put)
    submit(*parts)
    for _ in parts:
        done = ready.get()
        if done.error is not None:
            package = LEARNERS.package(done.title) if done.title in LEARNERS else OWN
            if names or package == OWN:
                raise done.error
            whose = f"the package {package}" if package else "this session"
            logger.warning(
                "the learner %r of %s cannot be prepared: %s: %s",
                done.title,
                whose,
                type(done.error).__name__,
                done.error,
            )
        yield Warmed(done.title, *done.took)
