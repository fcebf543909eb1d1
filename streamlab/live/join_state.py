"""What a join knew at one moment, in a file beside its journal, so that it goes on after a crash."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from streamlab.live.joiner import Joiner

__all__ = ["FILE", "read_joiner", "write_joiner"]

FILE = "join.state"
MAGIC = b"SLJOIN1\n"


def write_joiner(folder: Path, joiner: Joiner, n_labels: int) -> None:
    """Write the state of a join, whole or not at all.

    Raises
    ------
    OSError
        If the disk does not take it; what was written before is still there.
    """
    told = io.BytesIO()
    arrays: dict[str, Any] = dict(joiner.state(n_labels))
    np.savez(told, **arrays)
    raw = told.getvalue()
    part = folder / f"{FILE}.part"
    with open(part, "wb") as file:
        file.write(MAGIC + zlib.crc32(raw).to_bytes(4, "little") + raw)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, folder / FILE)


def read_joiner(folder: Path, n_labels: int) -> Joiner | None:
    """Return the join that was written last; None if there is none.

    Raises
    ------
    ValueError
        If the file is damaged.
    """
    path = folder / FILE
    if not path.exists():
        return None
    raw = path.read_bytes()
    at = len(MAGIC) + 4
    if not raw.startswith(MAGIC) or zlib.crc32(raw[at:]).to_bytes(4, "little") != raw[len(MAGIC) : at]:
        raise ValueError(f"{path}: it is damaged; expected what was written")
    try:
        with np.load(io.BytesIO(raw[at:]), allow_pickle=False) as file:
            return Joiner.from_state({name: file[name] for name in file.files}, n_labels)
    except (ValueError, OSError, zipfile.BadZipFile, EOFError) as error:
        raise ValueError(f"{path}: {error}") from None
