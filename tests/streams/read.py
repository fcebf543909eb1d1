"""Write small files, and read the rows of a stream, for tests."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np


def written(folder: Path, content: bytes | str, name: str) -> Path:
    """Return the path of a file with this content; packed if its name ends in ``.gz``."""
    path = folder / name
    raw = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return path


def read(stream, start=0):
    """Return X and Y of all blocks, as they are given."""
    parts = list(stream.blocks(start))
    return np.concatenate([X for X, _ in parts]), np.concatenate([Y for _, Y in parts])


def rows(stream, start=0, stop=None, size=1000):
    """Return X and Y of the rows from one to another, read in chunks; sparse ones as arrays."""
    chunks = list(stream.chunks(size, start=start, stop=stop))
    X = [c.X.toarray() if stream.is_sparse else c.X for c in chunks]
    return np.concatenate(X), np.concatenate([c.Y for c in chunks])
