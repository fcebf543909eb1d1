"""Films in the order of their release, 1940 to 2014, with their genres as labels."""

from __future__ import annotations

import math
import re
import sqlite3
import zlib
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from streamlab.schema import Feature, Schema
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.sampledata import data_file
from streamlab.streams.stream_entry import described

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["MOVIES"]

HASHED_COLUMNS = 256
RATINGS = ("G", "NC-17", "PG", "PG-13", "R")
_NUMBERS = ("runtime", "critics_meter", "critics_rating", "critics_reviews")
_WORD = re.compile(r"\w+")
_QUERY = """
    SELECT o.Runtime, t.Meter, t.Rating, t.Reviews, o.Rating, o.Genre,
           o.Country, o.Language, o.Director, o.Writer, o."Cast", o.Title, o.Released
    FROM omdb AS o JOIN tomatoes AS t ON o.ID = t.ID
    WHERE o.Genre IS NOT NULL AND o.Genre <> ''
    ORDER BY o.Released, o.ID
"""


def movies() -> ArrayStream:
    """Return the films that have a genre, from the database of the package ``bokeh_sampledata``.

    The numbers are those of its version 2026.1, whose films come from Wikidata (CC0-1.0); version 2025.0 had 12,548
    others, from OMDb.

    Returns
    -------
    ArrayStream
        17,029 rows in the order of release, ties by number. Features: runtime (minutes), the critics' meter (percent),
        rating (0 to 10) and number of reviews, the age rating (nominal; others than ``RATINGS`` count as not given),
        NaN where not given; then 256 columns of 0 and 1 into which countries, languages, director, writers, cast and
        the words of the title are hashed by CRC-32. Labels: 21 genres. ``title_of(row)`` is the film's title and year.

    Raises
    ------
    ValueError
        If the package is not installed.

    Notes
    -----
    The database's votes and ratings of the public are empty, so they are left out.
    """
    X, Y, schema, titles = _arrays()
    return ArrayStream(X, Y, schema=schema, name="movies", titles=titles)


@cache
def _arrays() -> tuple[csr_matrix, np.ndarray, Schema, tuple[str, ...]]:
    from scipy import sparse

    rows = _read()
    genres = sorted({genre for row in rows for genre in _parts(row[5])})
    place = {genre: j for j, genre in enumerate(genres)}
    numbers = np.array([[math.nan if v is None else float(v) for v in row[:4]] for row in rows])
    rating = np.array([[RATINGS.index(row[4]) if row[4] in RATINGS else math.nan] for row in rows])
    Y = np.zeros((len(rows), len(genres)), np.uint8)
    i: list[int] = []
    j: list[int] = []
    for number, row in enumerate(rows):
        Y[number, [place[genre] for genre in _parts(row[5])]] = 1
        columns = {zlib.crc32(token.encode()) % HASHED_COLUMNS for token in _tokens(row[6:12])}
        i.extend([number] * len(columns))
        j.extend(columns)
    hashed = sparse.csr_matrix((np.ones(len(i)), (i, j)), shape=(len(rows), HASHED_COLUMNS))
    X = sparse.hstack([sparse.csr_matrix(np.hstack([numbers, rating])), hashed], format="csr")
    features = (
        *(Feature(name) for name in _NUMBERS),
        Feature("age_rating", RATINGS),
        *(Feature(f"hash_{k:03d}") for k in range(HASHED_COLUMNS)),
    )
    titles = tuple(f"{row[11]} ({str(row[12])[:4]})" for row in rows)
    return X, Y, Schema(features, tuple(genres)), titles


def _read() -> list[tuple]:
    path = data_file("movies", "movies.db")
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        connection.execute("PRAGMA temp_store = MEMORY")  # a container may have no folder to sort in
        return connection.execute(_QUERY).fetchall()
    finally:
        connection.close()


def _tokens(row: Iterable[str | None]) -> Iterable[str]:
    *lists, title = row
    for kind, text in zip(("country", "language", "director", "writer", "cast"), lists, strict=True):
        for name in _parts(text):
            yield f"{kind}:{name.lower()}"
    for word in _WORD.findall((title or "").lower()):
        yield f"title:{word}"


def _parts(text: str | None) -> list[str]:
    return [part for part in (p.strip() for p in (text or "").split(",")) if part]


MOVIES = described("movies", movies)
