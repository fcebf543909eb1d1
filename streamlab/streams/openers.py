"""What opens a source that is neither a name of the catalogue nor a file: an address, a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from streamlab.plugins import Registry
from streamlab.streams.stream import Stream

__all__ = ["OPENERS", "Opener"]


@dataclass(frozen=True)
class Opener:
    """Opens what ``load`` is given, where it is one of its own.

    A package adds one by a line of its ``pyproject.toml``, with a name on the left and the opener on the right::

        [project.entry-points."streamlab.openers"]
        archives = "my_package.archives:ARCHIVES"

    Parameters
    ----------
    claims
        Called with a text or a path that is not a name of the catalogue: whether it is one of its own. It is asked for
        every file that is opened, so it should be quick, and import what it needs to open only when it opens.
    open
        Called with the text or path, and with all of ``load``'s options by name: ``labels``, ``limits`` and ``cancel``
        (each None where it is not given) among them. Returns the stream, or raises ValueError for an option that it
        does not know.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> def count(source, *, labels, limits, cancel):
    ...     rows = [[float(n)] for n in range(int(source.partition(":")[2]))]
    ...     return ArrayStream(rows, [[int(x) % 2] for x, in rows], name="numbers")
    >>> remove = OPENERS.add("numbers", Opener(lambda source: str(source).startswith("numbers:"), count))
    >>> import streamlab as sl
    >>> sl.load("numbers:10")
    <ArrayStream 'numbers': 10 rows, 1 features, 1 labels>
    >>> remove()
    """

    claims: Callable[[str | os.PathLike[str]], bool]
    open: Callable[..., Stream]


def _check(name: str, opener: Opener) -> None:
    if not callable(opener.claims) or not callable(opener.open):
        raise ValueError(f"the opener {name!r}: expected functions that say what it opens, and open it")


OPENERS: Registry[Opener] = Registry("streamlab.openers", "opener", _check, of=Opener)
"""Openers by name: those of the entry points ``streamlab.openers`` and those added in this session."""


def opener_of(source: Any) -> Opener | None:
    """Return the first opener that claims a text or path; None: there is none, or it is something else.

    Parameters
    ----------
    source
        What ``load`` was given, if it is not a name of the catalogue.
    """
    if not isinstance(source, (str, os.PathLike)):
        return None
    return next((opener for _, opener in OPENERS.items() if opener.claims(source)), None)
