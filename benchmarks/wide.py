"""Tables of as many columns as a file may have, of few rows: CPU seconds to open and to read them, by kind of file.

``python -m benchmarks wide [--columns 20000 90000] [--rows 20] [--repeats 3]``
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

import streamlab as sl
from benchmarks.harness import Sheet, alternated, asked
from streamlab.streams import Stream

__all__ = ["wide", "written"]


def wide(options: Sequence[str]) -> None:
    """Opening, and opening and reading, tables of 20,000 and 90,000 columns, in CPU seconds."""
    given = asked("wide", options, columns=(20_000, 90_000), rows=20, repeats=3)
    sheet = Sheet(f"tables of {given.rows} rows, CPU s", ("file", "columns", "opened", "and read"))
    with tempfile.TemporaryDirectory() as folder:
        for n_columns in given.columns:
            for kind in ("csv", "jsonl", "arff"):
                path = written(Path(folder) / f"wide.{kind}", n_columns, given.rows)
                seconds = alternated({"opened": partial(opened, path), "read": partial(read, path)}, given.repeats)
                sheet.add(kind, n_columns, seconds["opened"], seconds["read"])
    sheet.show()


def opened(path: Path) -> Stream:
    return sl.load(path, labels=["y"])


def read(path: Path) -> None:
    for _ in opened(path).blocks():
        pass


def written(path: Path, n_columns: int, n_rows: int) -> Path:
    """Write numbers of four digits and a label of 0 and 1 as CSV, JSON lines or ARFF; return the path."""
    names = [*(f"x{j}" for j in range(n_columns)), "y"]
    numbers = np.random.default_rng(0).normal(size=(n_rows, n_columns)).round(4).tolist()
    rows = [[*row, i % 2] for i, row in enumerate(numbers)]
    if path.suffix == ".jsonl":
        lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
    else:
        lines = [",".join(map(str, row)) for row in rows]
        attributes = [f"@attribute {name} {'{0,1}' if name == 'y' else 'numeric'}" for name in names]
        head = [",".join(names)] if path.suffix == ".csv" else ["@relation wide", *attributes, "@data"]
        lines = [*head, *lines]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
