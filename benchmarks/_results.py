"""Results of long benchmarks, kept row by row in a CSV file, so that a run goes on where it was stopped."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

__all__ = ["Results"]


class Results:
    """Rows of measured values, told apart by some of their fields.

    Parameters
    ----------
    path
        The file, or None to keep nothing.
    key
        The fields by which a row is known, in words; ``seed`` is a whole number.
    values
        The other fields, numbers.
    """

    def __init__(self, path: Path | None, key: tuple[str, ...], values: tuple[str, ...]) -> None:
        self.path, self.key, self.fields = path, key, (*key, *values)
        self.rows: list[dict[str, Any]] = []
        if path is not None and path.exists():
            with path.open(newline="", encoding="utf-8") as file:
                self.rows = [{k: self._read(k, v) for k, v in row.items()} for row in csv.DictReader(file)]

    def _read(self, field: str, text: str) -> Any:
        if field == "seed":
            return int(text)
        return text if field in self.key else float(text)

    def holds(self, *key: Any) -> bool:
        """Whether the row of this key has been measured."""
        return any(tuple(row[k] for k in self.key) == key for row in self.rows)

    def add(self, row: dict[str, Any]) -> None:
        """Keep a row; further values of it are left out."""
        row = {field: row[field] for field in self.fields}
        self.rows.append(row)
        if self.path is None:
            return
        new = not self.path.exists()
        with self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self.fields)
            if new:
                writer.writeheader()
            writer.writerow(row)
