"""Tables of a run as files: CSV for people and spreadsheets, Parquet for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.lab.events import EventLog

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FORMATS", "event_table", "write_table"]

FORMATS = (".csv", ".parquet")


def write_table(table: pd.DataFrame, path: str | Path) -> Path:
    """Write a table without its index; the path's ending says how.

    Parameters
    ----------
    table
        Columns of one kind each.
    path
        The file, ``.csv`` or ``.parquet``; replaced if it exists.

    Raises
    ------
    ValueError
        For another ending.
    OSError
        If the file cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{path}: the name ends with {path.suffix!r}; expected {' or '.join(FORMATS)}")
    if path.suffix.lower() == ".csv":
        table.to_csv(path, index=False)
    else:
        table.to_parquet(path, index=False)
    return path


def event_table(log: EventLog) -> pd.DataFrame:
    """Return ``EventLog.table`` with one kind of value per column, as Parquet needs it.

    ``old`` and ``new`` are JSON, for parameters are numbers, words or None; ``detail`` has all that an event says
    beside its sentence, as a JSON object.
    """
    table = log.table()
    for name in ("old", "new"):
        table[name] = [
            _json(event.detail[name]) if event.kind == "tuned" and name in event.detail else None for event in log
        ]
    table["detail"] = [_json(event.detail) for event in log]
    texts = [name for name in table.columns if name != "position"]
    return table.astype({"position": "int64", **dict.fromkeys(texts, "string")})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return value.tolist() if isinstance(value, np.ndarray) else str(value)
