"""Blocks of numbers that took long to make, kept in the cache folder."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from streamlab.streams.fetch import cache_folder

__all__ = ["kept_block"]


def kept_block(name: str, shape: tuple[int, ...], make: Callable[[], np.ndarray]) -> np.ndarray:
    """Return the float32 array of that name from the cache folder; made, and kept there, if it is not there or damaged.

    Parameters
    ----------
    name
        Name of its file, which must tell all that the numbers depend on.
    shape
        That the array has.
    make
        Called without arguments where the array has to be made.

    Notes
    -----
    A file appears under its name only when it is whole, so that processes may share the folder. Where nothing can be
    written the array is made each time.
    """
    path = cache_folder() / name
    found = _read(path, shape)
    if found is None:
        found = make()
        with contextlib.suppress(OSError):
            _write(path, found)
    return found


def _read(path: Path, shape: tuple[int, ...]) -> np.ndarray | None:
    try:
        found = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    good = isinstance(found, np.ndarray) and found.shape == shape and found.dtype == np.float32
    return found if good and np.isfinite(found).all() else None


def _write(path: Path, values: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.save(file, values)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
