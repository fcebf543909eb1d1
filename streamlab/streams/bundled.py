"""Streams whose rows come with this package, River, scikit-learn and bokeh_sampledata."""

from __future__ import annotations

import math
import re
import sqlite3
import zlib
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams.catalogue import described
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream import Drift, Stream

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from scipy.sparse import csr_matrix


SHIPPED = Path(__file__).parents[1] / "data"
WORSE_MICROPHONE = "the microphone got worse: notes sound duller and noisier now"
RENAMED_AT = 900
ROTATED_AT = 1200
BARS = {
    "top": "02356789",
    "upper left": "045689",
    "upper right": "01234789",
    "middle": "2345689",
    "lower left": "0268",
    "lower right": "013456789",
    "bottom": "0235689",
}
"""The bars of a display of seven, each with the digits that light it."""


def _yeast() -> Stream:
    # Read from where River keeps it: importing River's data sets takes several times as long as reading the file.
    river = find_spec("river")
    if river and river.origin and (path := Path(river.origin).parent / "datasets" / "yeast.csv.gz").is_file():
        return _guess(path).stream()
    from river import datasets

    from streamlab.streams.readers.river import RiverStream

    return RiverStream(datasets.Yeast(), name="yeast")


@cache
def _guess(path: Path) -> Any:
    """Return what its columns are, which takes two thirds of opening it, and stays the same."""
    from streamlab.streams.tables.guess import guess_table

    return guess_table(path, labels=[f"Class{i}" for i in range(1, 15)])


def _yeast_rotated() -> Stream:
    from streamlab.streams.changes.labels import rotate_labels

    stream = rotate_labels(_yeast(), at=ROTATED_AT)
    stream.name = "yeast-rotated"
    return stream


def _segments() -> Stream:
    from streamlab.streams.wrapped import nest_labels

    nature, built = ("foliage", "grass", "sky"), ("brickface", "cement", "path", "window")
    stream = nest_labels(_image_segments(), {**dict.fromkeys(nature, "nature"), **dict.fromkeys(built, "built")})
    stream.name = "segments"
    return stream


def _image_segments() -> Stream:
    from river import datasets

    from streamlab.streams.readers.river import RiverStream

    return RiverStream(datasets.ImageSegments(), name="image-segments")


def _digits() -> Stream:
    import numpy as np
    from sklearn.datasets import load_digits

    from streamlab.schema import Feature, Schema
    from streamlab.streams.readers.arrays import ArrayStream

    read = load_digits()
    lit = np.array([[str(digit) in digits for digits in BARS.values()] for digit in range(10)], np.uint8)
    schema = Schema(tuple(Feature(name) for name in read.feature_names), tuple(BARS))
    stream = ArrayStream(read.data, lit[read.target], schema=schema, name="digits", titles=tuple(map(str, read.target)))
    stream._pixels = (8, 8, 16.0)
    return stream


def _digits_renamed() -> Stream:
    from streamlab.streams.changes.labels import rotate_labels

    stream = rotate_labels(_digits(), at=RENAMED_AT)
    stream.name = "digits-renamed"
    return stream


def _instruments() -> ArrayStream:
    X, Y, schema, titles = _notes()
    return ArrayStream(X, Y, schema=schema, name="instruments", titles=titles)


def _instruments_microphone() -> ArrayStream:
    X, Y, schema, titles = _notes()
    worse = _columns(_shipped("instruments_microphone"), schema)
    drifts = (Drift(len(X) - len(worse), 1, "worse microphone", WORSE_MICROPHONE),)
    X = np.concatenate([X[: -len(worse)], worse])
    return ArrayStream(X, Y, schema=schema, name="instruments-microphone", drifts=drifts, titles=titles)


@cache
def _notes() -> tuple[np.ndarray, np.ndarray, Schema, tuple[str, ...]]:
    """Return the notes that ``data/make_instruments.py`` of the repository makes; labels are the paths' parts."""
    table = _shipped("instruments")
    paths = [path.split("/") for path in table.schema.metadata[b"paths"].decode().split("\n")]
    parents = {label: above for path in paths for label, above in zip(path, [None, *path[:-1]], strict=True)}
    labels = tuple(parents)
    hierarchy = Hierarchy(tuple(-1 if above is None else labels.index(above) for above in parents.values()))
    schema = Schema(tuple(Feature(f"mfcc_{i}") for i in range(1, 31)), labels, hierarchy)
    Y = schema.rows([path] for path in table["instrument"].to_pylist())
    return _columns(table, schema), Y, schema, tuple(table["title"].to_pylist())


def _shipped(name: str) -> pa.Table:
    import pyarrow.parquet as pq

    return pq.read_table(SHIPPED / f"{name}.parquet")


def _columns(table: pa.Table, schema: Schema) -> np.ndarray:
    return np.column_stack([table[name].to_numpy().astype(np.float64) for name in schema.feature_names])


# River states no licence for the data, which it takes from elsewhere.
YEAST = described("yeast", _yeast)
YEAST_ROTATED = described("yeast-rotated", _yeast_rotated)
SEGMENTS = described("segments", _segments)
IMAGE_SEGMENTS = described("image-segments", _image_segments)
DIGITS = described("digits", _digits)
DIGITS_RENAMED = described("digits-renamed", _digits_renamed)
INSTRUMENTS = described("instruments", _instruments)
INSTRUMENTS_MICROPHONE = described("instruments-microphone", _instruments_microphone)


MINUTES = 5
"""Between two readings of the sensor."""
BACK, AHEAD = 12, 6
"""Readings that a row looks back over, and that its labels are of: an hour, and half an hour."""
LOW, HIGH, MOVED = 70, 180, 20
"""Bounds of the range that is aimed at, and how far a level has to move to rise or fall; mg/dl."""
CHANGES = (1, 3, 6, 12)
ZONES = ("low", "in range", "high", "rising", "falling")
EARTH = 6371.0
"""Mean radius in kilometres."""


def data_file(stream: str, name: str) -> Path:
    """Return the path of a file of ``bokeh_sampledata``.

    Raises
    ------
    ValueError
        If the package is not installed, or has no such file; names the stream.
    """
    found = find_spec("bokeh_sampledata")
    if found is None or found.origin is None:
        raise ValueError(
            f"{stream}: its data are in the package bokeh_sampledata, which is not installed: "
            'pip install "streamlab[movies]"'
        )
    path = Path(found.origin).parent / "_data" / name
    if not path.is_file():
        raise ValueError(f"{stream}: {path} does not exist; expected the file of bokeh_sampledata")
    return path


def _table(stream: str, name: str) -> pd.DataFrame:
    import pandas as pd

    return pd.read_csv(data_file(stream, name), keep_default_na=False, na_values=[""])


def glucose() -> ArrayStream:
    """Return a person's blood glucose, half an hour at a time, and where it goes next.

    A sensor reads every five minutes, from March 2010 on. A row is made every half hour where the hour before and the
    half hour ahead are complete, so that the labels of a row are all known when the next one is answered.

    Returns
    -------
    ArrayStream
        Features: the level (mg/dl), its changes over the last 5, 15, 30 and 60 minutes, mean and standard deviation of
        the hour, and the time of day on a circle. Labels, of the six readings ahead: one below 70; one from 70 to 180;
        one above 180; the last is more than 20 above the level, or below it.

    Raises
    ------
    ValueError
        If ``bokeh_sampledata`` is not installed.
    """
    X, Y, titles = _readings()
    names = ("level", *(f"change_{MINUTES * n}" for n in CHANGES), "mean_60", "sd_60", "day_sin", "day_cos")
    schema = Schema(tuple(map(Feature, names)), ZONES)
    return ArrayStream(X, Y, schema=schema, name="glucose", titles=titles)


@cache
def _readings() -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    import pandas as pd

    table = _table("glucose", "CGM.csv.gz")
    times = pd.to_datetime(table["datetime"])
    minutes = (times.to_numpy("datetime64[s]").astype(np.int64) / 60).round().astype(np.int64)
    levels = table["glucose"].to_numpy(np.float64)
    rows, answers, titles = [], [], []
    after = -math.inf
    for i in range(BACK, len(levels) - AHEAD):
        span = minutes[i + AHEAD] - minutes[i - BACK]
        if minutes[i] < after or span != MINUTES * (BACK + AHEAD):
            continue
        after = minutes[i + AHEAD]
        hour, now, ahead = levels[i - BACK : i + 1], levels[i], levels[i + 1 : i + 1 + AHEAD]
        angle = 2 * math.pi * (minutes[i] % 1440) / 1440
        changes = (now - levels[i - n] for n in CHANGES)
        rows.append((now, *changes, hour.mean(), hour.std(), math.sin(angle), math.cos(angle)))
        moved = ahead[-1] - now
        within = (ahead >= LOW) & (ahead <= HIGH)
        answers.append(((ahead < LOW).any(), within.any(), (ahead > HIGH).any(), moved > MOVED, moved < -MOVED))
        titles.append(str(times[i])[:16])
    return np.array(rows), np.array(answers, np.uint8), tuple(titles)


def routes() -> ArrayStream:
    """Return the routes between airports of the United States in July 2026, and the airlines that fly them.

    Returns
    -------
    ArrayStream
        A row for each pair of airports with flights from one to the other, by their codes. Features: latitude and
        longitude (degrees), altitude (feet) and the number of destinations of both, and their distance (km). Labels:
        the airlines, by the code that flies. ``title_of(row)`` is the two codes.

    Raises
    ------
    ValueError
        If ``bokeh_sampledata`` is not installed.
    """
    X, Y, airlines, titles = _flights()
    sides = ("latitude", "longitude", "altitude", "destinations")
    names = (*(f"from_{each}" for each in sides), *(f"to_{each}" for each in sides), "distance")
    schema = Schema(tuple(map(Feature, names)), airlines)
    return ArrayStream(X, Y, schema=schema, name="routes", titles=titles)


@cache
def _flights() -> tuple[np.ndarray, np.ndarray, tuple[str, ...], tuple[str, ...]]:
    ports = _table("routes", "airports.csv").set_index("AirportID")
    flights = _table("routes", "routes.csv.gz")
    ends = flights[["SourceID", "DestinationID"]]
    flights = flights[ends.isin(ports.index).all(axis=1)]
    flown = flights.assign(flies=1).pivot_table(
        index=["Source", "Destination", "SourceID", "DestinationID"], columns="Airline", values="flies", aggfunc="max",
        fill_value=0,
    )  # fmt: skip
    ids = [flown.index.get_level_values(name) for name in ("SourceID", "DestinationID")]
    n_destinations = flown.index.to_frame(index=False).groupby("SourceID").size()
    places = [ports.loc[each, ["Latitude", "Longitude", "Altitude"]].to_numpy(np.float64) for each in ids]
    degrees = [n_destinations.reindex(each, fill_value=0).to_numpy(np.float64) for each in ids]
    X = np.column_stack([places[0], degrees[0], places[1], degrees[1], _distance(*places)])
    codes = zip(*(flown.index.get_level_values(name) for name in ("Source", "Destination")), strict=True)
    return X, flown.to_numpy(np.uint8), tuple(map(str, flown.columns)), tuple(f"{a} to {b}" for a, b in codes)


def _distance(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the distance of places on the globe, by the haversine formula."""
    (a, b), (c, d) = np.radians(one[:, :2]).T, np.radians(other[:, :2]).T
    half = np.sin((c - a) / 2) ** 2 + np.cos(a) * np.cos(c) * np.sin((d - b) / 2) ** 2
    return 2 * EARTH * np.arcsin(np.sqrt(half))


GLUCOSE = described("glucose", glucose)
ROUTES = described("routes", routes)


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
