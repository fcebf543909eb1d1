"""What travels to a picture in the browser, read back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def unpack(spec: list[list[Any]], buffer: bytes) -> dict[str, NDArray[Any]]:
    """Read what :func:`pack` wrote, as the browser does: scaled columns as floats, each flag as a column of its own."""
    columns: dict[str, NDArray[Any]] = {}
    offset = 0
    for name, kind, length, scale in spec:
        item = np.dtype(f"<{kind}")
        if offset % item.itemsize:
            raise ValueError(f"spec: {name} begins at {offset}, which is not a multiple of its {item.itemsize} bytes")
        values = np.frombuffer(buffer, item, length, offset)
        offset += values.nbytes
        if isinstance(scale, list):
            columns |= {flag: (values >> i & 1).astype(bool) for i, flag in enumerate(scale)}
        else:
            columns[name] = values if scale == 1 else values / scale
    return columns
