"""Real streams whose data come with River and scikit-learn, which are installed anyway."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from streamlab.streams.stream import Stream
from streamlab.streams.stream_entry import described

__all__ = ["DIGITS", "SEGMENTS", "YEAST", "YEAST_ROTATED"]

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
    from streamlab.streams.changes.label_rotation import rotate_labels

    stream = rotate_labels(_yeast(), at=ROTATED_AT)
    stream.name = "yeast-rotated"
    return stream


def _segments() -> Stream:
    from streamlab.streams.nested import nest_labels

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
    return ArrayStream(read.data, lit[read.target], schema=schema, name="digits", titles=tuple(map(str, read.target)))


# River states no licence for the data, which it takes from elsewhere.
YEAST = described("yeast", _yeast)
YEAST_ROTATED = described("yeast-rotated", _yeast_rotated)
SEGMENTS = described("segments", _segments)
IMAGE_SEGMENTS = described("image-segments", _image_segments)
DIGITS = described("digits", _digits)
