"""River's data sets, and any other iterable of ``(x, y)`` dictionaries, as streams."""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from streamlab._checks import checked_count, checked_number, few, is_count, shown
from streamlab.schema import Feature, Schema
from streamlab.streams.limits import MAX_CATEGORIES
from streamlab.streams.stream import Stream

__all__ = ["RiverStream"]

BLOCK_ROWS = 512
SCAN_ROWS = 1000


class RiverStream(Stream):
    """A River data set, or any iterable that gives the same ``(x, y)`` pairs each time it is iterated over.

    Parameters
    ----------
    dataset
        Its ``x`` are dictionaries of numbers, bools (numeric) and strings (nominal). Its ``y`` are dictionaries of
        bools (one label each), or a class, a string or integer or bool: then the classes become the labels.
    n_rows
        How many rows to take; default all. An endless data set (River's synthetic ones) may stay without: then its
        first 1,000 rows decide about features, categories and classes.
    name
        What the stream is called; default the class of the data set.
    above
        Of outcomes that are numbers by label: a label is set where its number exceeds this. None: they are bools.

    Attributes
    ----------
    schema : Schema
        Features and labels in the order in which they first occur; categories and classes sorted.

    Raises
    ------
    ValueError
        On opening and while reading, naming row (counted from 0) and feature: no rows, a data set that would have to be
        downloaded, a value that is not a number or string, infinite, or both in turn, more than 1,000 categories, an
        outcome that is neither (a regression; numbers by label without ``above``), a feature, category or label that
        the first pass did not see.

    Notes
    -----
    Opening passes over the data set once. A key that is missing in ``x`` is NaN, in ``y`` 0.

    Examples
    --------
    >>> from river import datasets
    >>> RiverStream(datasets.ImageSegments()).schema.n_labels
    7
    """

    def __init__(
        self,
        dataset: Iterable[tuple[dict, Any]],
        *,
        n_rows: int | None = None,
        name: str | None = None,
        above: float | None = None,
    ) -> None:
        self.dataset = dataset
        self.name = type(dataset).__name__ if name is None else name
        if getattr(dataset, "is_downloaded", True) is False:
            how = f"river.datasets.{type(dataset).__name__}().download()"
            raise ValueError(f"{self.name}: River has not downloaded this data set; call its download() first: {how}")
        if iter(dataset) is dataset:
            raise ValueError(f"{self.name}: it can be iterated over only once; expected a data set, not an iterator")
        checked_count("n_rows", n_rows, 1, optional=True)
        self._limit = n_rows
        self._endless = n_rows is None and _is_endless(dataset)
        self._above = checked_number("above", above, optional=True)
        scan = _Scan(self.name, self._above)
        for row, (x, y) in enumerate(itertools.islice(dataset, SCAN_ROWS if self._endless else n_rows)):
            scan.add(row, x, y)
        if scan.n_rows == 0:
            raise ValueError(f"{self.name}: no rows; expected at least one")
        self.n_rows = None if self._endless else scan.n_rows
        self.schema, self._classes = scan.schema()
        self._features = {feature.name: j for j, feature in enumerate(self.schema.features)}
        self._places = [
            None if f.categories is None else {c: float(i) for i, c in enumerate(f.categories)}
            for f in self.schema.features
        ]
        self._labels = {label: j for j, label in enumerate(self.schema.labels)}

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        pairs = itertools.islice(enumerate(itertools.islice(self.dataset, self._limit)), start, None)
        while batch := list(itertools.islice(pairs, BLOCK_ROWS)):
            X = np.full((len(batch), self.schema.n_features), math.nan)
            Y = np.zeros((len(batch), self.schema.n_labels), np.uint8)
            for i, (row, (x, y)) in enumerate(batch):
                for key, value in x.items():
                    if value is not None:
                        j = self._features.get(str(key))
                        if j is None:
                            raise ValueError(
                                f"{self.name}, row {row}: the feature {key!r} is new; "
                                f"expected {few(list(self._features))}"
                            )
                        X[i, j] = self._number(row, j, value)
                if isinstance(y, dict):
                    for key, value in y.items():
                        if _flag(value, self._above, self.name, row, key):
                            Y[i, self._label(row, str(key))] = 1
                else:
                    Y[i, self._label(row, _class_name(y))] = 1
            yield X, Y

    def _number(self, row: int, j: int, value: Any) -> float:
        places = self._places[j]
        if places is None:
            return _checked(value, self.name, row, self.schema.features[j].name)
        place = places.get(str(value))
        if place is None:
            raise ValueError(
                f"{self.name}, row {row}, feature {self.schema.features[j].name!r}: unknown value {shown(value)}; "
                f"expected one of {few(list(places))}"
            )
        return place

    def _label(self, row: int, label: str) -> int:
        try:
            return self._labels[label]
        except KeyError:
            raise ValueError(
                f"{self.name}, row {row}: the label {label!r} is new; expected one of {few(list(self._labels))}"
            ) from None


class _Scan:
    """The first pass over a data set: which features, of which kind, and which labels there are."""

    def __init__(self, name: str, above: float | None) -> None:
        self.name, self.above = name, above
        self.n_rows = 0
        self.words: dict[str, set[str] | None] = {}
        self.labels: dict[str, None] = {}
        self.classes: dict[Any, None] = {}

    def add(self, row: int, x: dict, y: Any) -> None:
        self.n_rows += 1
        for key, value in x.items():
            if value is None:
                continue
            key = str(key)
            is_word = isinstance(value, str)
            words = self.words.setdefault(key, set() if is_word else None)
            if is_word != (words is not None):
                wanted = "a number" if words is None else "a string"
                raise ValueError(
                    f"{self.name}, row {row}, feature {key!r}: expected {wanted} as before, found {shown(value)}"
                )
            if words is None:
                _checked(value, self.name, row, key)
            elif value not in words:
                words.add(value)
                if len(words) > MAX_CATEGORIES:
                    raise ValueError(
                        f"{self.name}, row {row}, feature {key!r}: more than {MAX_CATEGORIES:,} different strings; "
                        "expected few: drop or encode it"
                    )
        if isinstance(y, dict):
            for key, value in y.items():
                _flag(value, self.above, self.name, row, key)
                self.labels.setdefault(str(key))
        elif isinstance(y, (str, bool, np.bool_)) or is_count(y):
            self.classes.setdefault(y)
            if len(self.classes) > MAX_CATEGORIES:
                raise ValueError(f"{self.name}, row {row}: more than {MAX_CATEGORIES:,} classes; expected few")
        else:
            raise ValueError(
                f"{self.name}, row {row}: the outcome {shown(y)} is not a class; expected a class or bools by label"
            )

    def schema(self) -> tuple[Schema, bool]:
        if self.labels and self.classes:
            raise ValueError(f"{self.name}: outcomes are dictionaries in some rows and classes in others")
        features = tuple(
            Feature(key, None if words is None else tuple(sorted(words))) for key, words in self.words.items()
        )
        same_kind = len({type(c) for c in self.classes}) == 1
        classes = sorted(self.classes) if same_kind else sorted(self.classes, key=str)
        return Schema(features, tuple(self.labels) or tuple(map(_class_name, classes))), bool(self.classes)


def _is_endless(dataset: Any) -> bool:
    """River's synthetic data sets go on for ever; their ``n_samples`` is None or infinite."""
    try:
        n = dataset.n_samples
    except AttributeError:
        return False
    return n is None or n == math.inf


def _class_name(value: Any) -> str:
    return str(value.item() if isinstance(value, np.generic) else value)


def _flag(value: Any, above: float | None, name: str, row: int, key: Any) -> bool:
    if above is not None:
        return _checked(value, name, row, key) > above
    if value in (0, 1):
        return bool(value)
    raise ValueError(
        f"{name}, row {row}, label {key!r}: expected True or False, found {shown(value)}; above= makes flags of numbers"
    )


def _checked(value: Any, name: str, row: int, key: str) -> float:
    if not isinstance(value, (numbers.Real, np.bool_)):
        raise ValueError(f"{name}, row {row}, feature {key!r}: expected a number, found {shown(value)}")
    value = float(value)
    if math.isinf(value):
        raise ValueError(f"{name}, row {row}, feature {key!r}: expected a finite number, found {value}")
    return value
