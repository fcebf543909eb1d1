"""The two topics of the trial ``live``: films as rows, again and again, and their labels some seconds later."""

from __future__ import annotations

import heapq
import json
import math
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

__all__ = ["LONGEST", "SHORTEST", "Topics", "film_arrays", "options", "tell"]

SHORTEST, LONGEST = 1.0, 30.0
"""Seconds after which labels come."""
MISSING, TWICE, NOBODY = 0.01, 0.002, 0.001
"""Shares of rows whose labels never come, come twice, and beside which there are labels of a row that never was."""


@cache
def film_arrays() -> tuple[np.ndarray, np.ndarray, tuple[str, ...], tuple[str, ...]]:
    """Return X and Y of the stream ``movies``, the words of its one column of words, and the labels."""
    import streamlab as sl

    stream = sl.load("movies")
    chunk = next(stream.chunks(10**6))
    (words,) = (feature.categories for feature in stream.schema.features if feature.categories is not None)
    return np.asarray(chunk.X, np.float64), chunk.Y, words, stream.schema.labels


@cache
def _written() -> tuple[list[bytes], list[bytes]]:
    """Return what stands behind the key in the messages of each film and of its labels."""
    X, Y, words, _ = film_arrays()
    rows, labels = [], []
    for x, y in zip(X.tolist(), Y.tolist(), strict=True):
        cells: dict[str, Any] = {
            f"f{j}": None if math.isnan(v) else int(v) if v == int(v) else v for j, v in enumerate(x)
        }
        place = x[WORDS_AT]
        cells[f"f{WORDS_AT}"] = None if math.isnan(place) else words[int(place)]
        rows.append(json.dumps(cells, separators=(",", ":")).encode()[1:])
        labels.append(json.dumps({f"l{j}": v for j, v in enumerate(y)}, separators=(",", ":")).encode()[1:])
    return rows, labels


WORDS_AT = 4
"""The column of words, the age rating."""


def options() -> str:
    """Return the options of the address that say what the messages look like."""
    X, Y, words, _ = film_arrays()
    columns = ",".join(f"f{j}" for j in range(X.shape[1]))
    labels = ",".join(f"l{j}" for j in range(Y.shape[1]))
    return f"columns={columns}&words=f{WORDS_AT}:{'|'.join(words)}&labels={labels}&key=id"


class Topics:
    """Both topics, the same for the same arguments.

    Parameters
    ----------
    n
        Rows.
    rate
        Rows a second.
    begin
        When the first one is written, in milliseconds since 1970.
    seed
        Of the draws: how late labels are, and which never come or come twice.
    """

    def __init__(self, n: int, rate: int, begin: int, seed: int) -> None:
        self.n, self.rate, self.begin = n, rate, begin
        draws = np.random.default_rng(seed)
        self._late = (draws.uniform(SHORTEST, LONGEST, n) * 1000).astype(np.int64)
        self._lot = draws.random(n)

    def when(self, row: int) -> int:
        """Return when a row is written, in milliseconds."""
        return self.begin + row * 1000 // self.rate

    def rows(self) -> Iterator[tuple[int, str, int]]:
        """Yield the milliseconds, key and film of each row."""
        n_films = len(film_arrays()[0])
        for row in range(self.n):
            yield self.when(row), str(row), row % n_films

    def labels(self) -> Iterator[tuple[int, str, int]]:
        """Yield the milliseconds, key and film of all labels, in the order of time; one more ends them."""
        n_films = len(film_arrays()[0])
        late: list[tuple[int, int, str, int]] = []
        number = 0
        for row in range(self.n):
            when, lot = self.when(row), self._lot[row]
            while late and late[0][0] < when:
                at, _, key, film = heapq.heappop(late)
                yield at, key, film
            told = [(when + int(self._late[row]), str(row))] if lot >= MISSING else []
            if lot >= 1 - TWICE:
                told.append((told[0][0] + 500, str(row)))
            elif lot >= 1 - TWICE - NOBODY:
                told.append((when, f"nobody-{row}"))
            for at, key in told:
                heapq.heappush(late, (at, number, key, row % n_films))
                number += 1
        while late:
            at, _, key, film = heapq.heappop(late)
            yield at, key, film

    @staticmethod
    def message(topic: str, key: str, film: int) -> bytes:
        """Return the message of a row or of its labels."""
        return b'{"id":"%s",%s' % (key.encode(), _written()[0 if topic == "rows" else 1][film])


def tell(**what: Any) -> None:
    """Tell the parent process a line of JSON."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()
