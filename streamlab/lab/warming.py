"""Compile all kernels ahead of time, part by part, so that nobody waits for them in front of a class."""

from __future__ import annotations

import inspect
import logging
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from streamlab.learners import LEARNERS
from streamlab.streams import load

__all__ = ["warm", "warm_parts"]

logger = logging.getLogger("streamlab")
OWN = "streamlab"
ROWS = 120
GENERATED = ("syn-regions", "syn-branches", "syn-tree-sudden", "syn-rbf-gradual", "syn-hp-incremental", "instruments")
"""Streams whose rows are made by kernels, one of each kind."""
ARFF = "@relation 'warm: -C 1'\n@attribute l {0,1}\n@attribute x numeric\n@data\n0,0.5\n1,1.5\n"


def warm_parts(names: Sequence[str] = ()) -> list[tuple[str, Callable[[], None]]]:
    """Return what can be compiled on its own: a title, and the function that does it.

    Parameters
    ----------
    names
        Learners; empty: all of them, and what measures, watches, generates and reads. Then a learner of another
        package that cannot be imported or prepared is left out, with a warning.

    Raises
    ------
    ValueError
        If a learner is unknown; near names are suggested.
    """
    parts: list[tuple[str, Callable[[], None]]] = []
    for name, kind in [(name, LEARNERS.load(name)) for name in names] or LEARNERS.items():
        # a pipeline prepares its own steps
        if inspect.ismethod(getattr(kind, "prepare", None)):
            is_own = names or LEARNERS.package(name) == OWN
            parts.append((name, kind.prepare if is_own else partial(_prepare, name, kind.prepare)))
    if not names:
        parts.append(("measures and alarms", _measures))
        parts += [(f"stream {name}", partial(_rows, name)) for name in GENERATED]
        parts.append(("ARFF files", _arff))
    return parts


def warm(names: Sequence[str] = ()) -> Iterator[tuple[str, float]]:
    """Compile part by part, or load from the cache on disk what was compiled before.

    Parameters
    ----------
    names
        As in ``warm_parts``.

    Yields
    ------
    part : str
        What is ready.
    seconds : float
        How long it took.

    Examples
    --------
    >>> [part for part, seconds in warm(["NoChange"])]
    ['NoChange']
    """
    for title, act in warm_parts(names):
        began = time.perf_counter()
        act()
        yield title, time.perf_counter() - began


def _prepare(name: str, prepare: Callable[[], None]) -> None:
    """Prepare a learner of another package, which must not keep the others from being prepared."""
    try:
        prepare()
    except Exception as error:  # a stranger's class may raise anything
        package = LEARNERS.package(name)
        whose = f"the package {package}" if package else "this session"
        logger.warning("the learner %r of %s cannot be prepared: %s: %s", name, whose, type(error).__name__, error)


def _measures() -> None:
    from streamlab.lab.run import Run

    run = Run("yeast", {"NoChange": LEARNERS.load("NoChange")()}, alarms="label")
    run.advance(ROWS)
    run.detection()
    nested = Run("segments", {"NoChange": LEARNERS.load("NoChange")()})
    nested.advance(ROWS)


def _rows(name: str) -> None:
    for _ in load(name).chunks(ROWS, stop=ROWS):
        pass


def _arff() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "warm.arff"
        path.write_text(ARFF, encoding="utf-8")
        for _ in load(path).chunks(ROWS):
            pass
