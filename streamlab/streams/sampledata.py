"""Streams made of tables of the package ``bokeh_sampledata``: blood glucose, and who flies which route."""

from __future__ import annotations

import math
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from streamlab.schema import Feature, Schema
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream_entry import described

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GLUCOSE", "ROUTES"]

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
