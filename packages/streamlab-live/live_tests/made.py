"""Sources and rows made up for the tests of live streams."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from streamlab_live.columns import LiveColumn
from streamlab_live.decoding import Decoding
from streamlab_live.journal import Journal, is_journal
from streamlab_live.reader import Reader
from streamlab_live.record import DeadLetters, sealed, unsealed
from streamlab_live.source import Message, Source

__all__ = ["COLUMNS", "FullDisk", "ListSource", "altered", "csv_lines", "made_rows", "reader_of", "told"]

COLUMNS = (
    LiveColumn("a", "number"),
    LiveColumn("b", "number"),
    LiveColumn("c", "number"),
    LiveColumn("u", "label"),
    LiveColumn("v", "label"),
)


def made_rows(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows of three features and two labels that follow from them."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.random((n, 3)), 6)
    return X, (X[:, :2] > 0.5).astype(np.uint8)


def csv_lines(X: np.ndarray, Y: np.ndarray) -> list[str]:
    """The rows as lines of CSV, with their ends."""
    return [",".join([*map(repr, x.tolist()), *map(str, y.tolist())]) + "\n" for x, y in zip(X, Y, strict=True)]


class ListSource(Source):
    """Messages from a list, which can grow; fails when it is told to."""

    guarantee = "none"

    def __init__(self, values: list[bytes] | None = None, name: str = "list") -> None:
        self.values = list(values or [])
        self.name = name
        self.at = 0
        self.troubles: deque[BaseException] = deque()
        self.has_ended = self.closed = False
        self.n_polls = self.n_seeks = 0
        self.settlements: list[dict[int, str]] = []

    def seek(self, offsets: Mapping[str, Any]) -> None:
        self.n_seeks += 1
        self.at = offsets.get("p", 0)

    def poll(self, most: int, timeout: float) -> list[Message]:
        self.n_polls += 1
        if self.troubles:
            raise self.troubles.popleft()
        found = [
            Message("p", self.at + i + 1, float(self.at + i), v) for i, v in enumerate(self.values[self.at :][:most])
        ]
        self.at += len(found)
        if not found:
            time.sleep(min(timeout, 0.01))
        return found

    def settled(self, refused: Mapping[int, str]) -> None:
        self.settlements.append(dict(refused))

    def lag(self) -> int | None:
        return len(self.values) - self.at

    @property
    def ended(self) -> bool:
        return self.has_ended

    def close(self) -> None:
        self.closed = True


class FullDisk:
    """Stands before the file of a journal: behind ``passes`` statements and commits, ``fails`` fail."""

    def __init__(self, journal: Journal, fails: int = 0) -> None:
        self.passes, self.fails, self.failed = 0, fails, 0
        with journal._alone:
            self.file, journal._file = journal._file, self

    def _fail(self) -> None:
        if self.passes:
            self.passes -= 1
        elif self.fails:
            self.fails -= 1
            self.failed += 1
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    def execute(self, *args: Any) -> sqlite3.Cursor:
        self._fail()
        return self.file.execute(*args)

    def executemany(self, *args: Any) -> sqlite3.Cursor:
        self._fail()
        return self.file.executemany(*args)

    def __enter__(self) -> None:
        self.file.__enter__()

    def __exit__(self, kind: Any, *error: Any) -> None:
        if kind is None:
            try:
                self._fail()
            except sqlite3.Error:
                self.file.rollback()
                raise
        self.file.__exit__(kind, *error)

    def close(self) -> None:
        self.file.close()


def told(folder: Path, name: str = "about") -> dict[str, Any]:
    """What a journal tells of itself."""
    with sqlite3.connect(folder / "journal.db") as file:
        ((raw,),) = file.execute("SELECT raw FROM told WHERE name = ?", (name,))
    file.close()
    return json.loads(unsealed(raw))


def altered(folder: Path, told: Any, name: str = "about") -> None:
    """Let a journal that nobody has open tell something else, with a sound checksum."""
    with sqlite3.connect(folder / "journal.db") as file:
        file.execute("UPDATE told SET raw = ? WHERE name = ?", (sealed(json.dumps(told).encode()), name))
    file.close()


def reader_of(source: Source, folder: Path, **options: Any) -> Reader:
    """A reader of JSON messages of ``COLUMNS`` into a journal in a folder, which may be there."""
    decoding = Decoding(COLUMNS)
    if is_journal(folder):
        journal = Journal.open(folder, write=True)
    else:
        journal = Journal.create(folder, decoding.schema, source=source.name, decoding=decoding.to_json())
    return Reader(source, journal, decoding, DeadLetters(folder, journal.dead_bytes, journal.bad), **options)


HEAD = "heat,load,alarm,late\n"
"""Columns of ``lines``."""


def lines(n: int, seed: int = 1) -> str:
    draw = random.Random(seed)
    pairs = ((draw.random(), draw.random()) for _ in range(n))
    return "".join(f"{a:.4f},{b:.4f},{int(a > 0.6)},{int(a + b > 1)}\n" for a, b in pairs)
