"""River's data sets, and any other iterable of ``(x, y)`` dictionaries, as streams."""

from __future__ import annotations

import datetime
import itertools
import math
import numbers
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from streamlab._checks import checked_count, checked_number, few, is_count, shown
from streamlab.schema import Feature, Schema
from streamlab.streams.limits import MAX_CATEGORIES
from streamlab.streams.moments import checked_moments, times_of
from streamlab.streams.stream import Drift, Stream

__all__ = ["RiverStream"]

BLOCK_ROWS = 512
SCAN_ROWS = 1000
MOST_TEXTS = 1_000_000
"""Different strings of a feature: where they are texts, each row may have one of its own."""


class RiverStream(Stream):
    """A River data set, or any iterable that gives the same ``(x, y)`` pairs each time it is iterated over.

    Parameters
    ----------
    dataset
        Its ``x`` are dictionaries of numbers, bools (numeric) and strings (nominal). Its ``y`` are dictionaries of
        bools (one label each), or a class, a string or integer or bool: a stream of classes (``Schema.classes``).
    n_rows
        How many rows to take; default all. An endless data set (River's synthetic ones) may stay without: then its
        first 1,000 rows decide about features, categories and classes.
    name
        What the stream is called; default the class of the data set.
    above
        Of outcomes that are numbers by label: a label is set where its number exceeds this. None: they are bools.
    moment
        The key of ``x`` that holds when a row was made, a datetime or date, which never fall: as River's ``moment``.
        It is no feature; labels may come so much time later (``delay_labels``). None: none.

    Attributes
    ----------
    schema : Schema
        Features and labels in the order in which they first occur; categories and classes sorted.
    drifts
        That of a ``ConceptDriftStream`` of River's, over its width around its position; else none are known.

    Raises
    ------
    ValueError
        On opening and while reading, naming row (counted from 0) and feature: no rows, a data set that would have to be
        downloaded, a value that is not a number or string, infinite, or both in turn, more than 1,000,000 texts, an
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
        moment: str | None = None,
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
        # River's synthetic data sets go on for ever
        self._endless = n_rows is None and getattr(dataset, "n_samples", 0) in (None, math.inf)
        self._above = checked_number("above", above, optional=True)
        if not isinstance(moment, (str, type(None))):
            raise ValueError(f"{self.name}: moment={shown(moment)}: expected the name of a feature")
        if moment is not None and self._endless:
            raise ValueError(f"{self.name}: moment={shown(moment)}, and it has no end; expected n_rows=, how many rows")
        self._moment = moment
        self.n_rows, self.schema = self._scan(SCAN_ROWS if self._endless else n_rows)
        self._features: dict[str, tuple[int, dict[Any, int] | None]] = {
            f.name: (j, None if f.categories is None else {c: i for i, c in enumerate(f.categories)})
            for j, f in enumerate(self.schema.features)
        }
        # a class is what equals it, as in Python and River: 1 and True are one
        self._labels = {each: j for j, each in enumerate(self.schema.classes or self.schema.labels)}
        self.drifts = _drifts_of(dataset)

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        pairs: Iterator[tuple[int, tuple[dict, Any]]] = itertools.islice(
            enumerate(itertools.islice(self.dataset, self._limit)), start, None
        )
        if self._moment is not None:
            pairs = ((row, ({key: x[key] for key in x if key != self._moment}, y)) for row, (x, y) in pairs)
        while batch := list(itertools.islice(pairs, BLOCK_ROWS)):
            yield self._arrays(batch)

    def _arrays(self, batch: list[tuple[int, tuple[dict, Any]]]) -> tuple[np.ndarray, np.ndarray]:
        """Return X and Y of numbered rows."""
        plain = self._plain(batch)
        X = np.full((len(batch), self.schema.n_features), math.nan) if plain is None else plain
        Y = np.zeros((len(batch), self.schema.n_labels), np.uint8)
        for i, (row, (x, y)) in enumerate(batch):
            for key, value in self._inputs(row, x) if plain is None else ():
                if key not in self._features:
                    what = f"the feature {key!r} is new; expected {few(list(self._features))}"
                    raise ValueError(f"{self.name}, row {row}: {what}")
                j, places = self._features[key]
                number = _checked(value, self.name, row, key) if places is None else places.get(value)
                if number is None:
                    what = f"unknown value {shown(value)}; expected one of {few(list(places or ()))}"
                    raise ValueError(f"{self.name}, row {row}, feature {key!r}: {what}")
                X[i, j] = number
            for label in (each for each, flag in self._outputs(row, y) if flag):
                if label not in self._labels:
                    what = f"the label {shown(str(label))} is new; expected one of {few(self.schema.labels)}"
                    raise ValueError(f"{self.name}, row {row}: {what}")
                Y[i, self._labels[label]] = 1
        return X, Y

    def _plain(self, batch: list[tuple[int, tuple[dict, Any]]]) -> np.ndarray | None:
        """Return X at once where each row has finite numbers of all features in the schema's order; else None."""
        names = list(self._features)
        if any(list(x) != names for _, (x, _) in batch):
            return None
        found = np.asarray([list(x.values()) for _, (x, _) in batch])
        is_plain = found.ndim == 2 and found.dtype.kind in "fiub" and np.isfinite(found).all()
        return found.astype(np.float64) if is_plain else None

    def _inputs(self, row: int, x: dict) -> Iterator[tuple[str, Any]]:
        """Yield the name and the value of each feature that is there, a text or a number."""
        if not hasattr(x, "items"):
            what = "expected a dictionary of features, such as {'body': text} and a model that reads it by on='body'"
            raise ValueError(f"{self.name}, row {row}: {what}, found {shown(x)}")
        for key, value in x.items():
            if value is not None and key != self._moment:
                yield str(key), value if isinstance(value, str) else _checked(value, self.name, row, key)

    def _outputs(self, row: int, y: Any) -> Iterator[tuple[Any, bool]]:
        """Yield each label of a dictionary, and whether it is set; or the class."""
        if isinstance(y, dict):
            yield from ((str(key), _flag(value, self._above, self.name, row, key)) for key, value in y.items())
        elif isinstance(y, (str, bool, np.bool_)) or is_count(y):
            yield y.item() if isinstance(y, np.generic) else y, True
        else:
            raise ValueError(
                f"{self.name}, row {row}: the outcome {shown(y)} is not a class; expected a class or bools by label"
            )

    def _scan(self, n_rows: int | None) -> tuple[int | None, Schema]:
        """Pass over the first rows: find how many there are, which features of which kind, and which labels."""
        words: dict[str, set[str] | None] = {}
        labels: dict[bool, dict[Any, None]] = {True: {}, False: {}}  # those of dictionaries, and classes
        times: list[Any] = []
        row = -1
        for row, (x, y) in enumerate(itertools.islice(self.dataset, n_rows)):
            for key, value in self._inputs(row, x):
                where, is_word = f"{self.name}, row {row}, feature {key!r}", isinstance(value, str)
                found = words.setdefault(key, set() if is_word else None)
                if is_word != (found is not None):
                    wanted = "a number" if found is None else "a string"
                    raise ValueError(f"{where}: expected {wanted} as before, found {shown(x.get(key, value))}")
                if found is not None:
                    found.add(value)
                    if len(found) > MOST_TEXTS:
                        what = f"more than {MOST_TEXTS:,} different strings; expected few: drop or encode it"
                        raise ValueError(f"{where}: {what}")
            if self._moment is not None:
                times.append(x.get(self._moment))
            known = labels[isinstance(y, dict)]
            known.update(dict.fromkeys(each for each, _ in self._outputs(row, y)))
            if known is labels[False] and len(known) > MAX_CATEGORIES:
                raise ValueError(f"{self.name}, row {row}: more than {MAX_CATEGORIES:,} classes; expected few")
        if row < 0:
            raise ValueError(f"{self.name}: no rows; expected at least one")
        if labels[True] and labels[False]:
            raise ValueError(f"{self.name}: outcomes are dictionaries in some rows and classes in others")
        if self._moment is not None:
            where = f"feature {self._moment!r}"
            self.moments = checked_moments(times_of(times), None, lambda i: f"{self.name}, row {i}, {where}", times)
        features = tuple(Feature(key, None if own is None else tuple(sorted(own))) for key, own in words.items())
        same_kind = len({type(each) for each in labels[False]}) == 1
        classes = sorted(labels[False]) if same_kind else sorted(labels[False], key=str)
        schema = Schema(features, tuple(labels[True]) or tuple(map(str, classes)), classes=tuple(classes) or None)
        return None if self._endless else row + 1, schema


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
        hint = f"; moment={key!r} says that it is the row's time" if isinstance(value, datetime.date) else ""
        raise ValueError(f"{name}, row {row}, feature {key!r}: expected a number, found {shown(value)}{hint}")
    value = float(value)
    if math.isinf(value):
        raise ValueError(f"{name}, row {row}, feature {key!r}: expected a finite number, found {value}")
    return value


def _drifts_of(dataset: Any) -> tuple[Drift, ...]:
    """Return what River says of a data set's drift: a row comes from the new concept by a logistic curve."""
    # who has such a stream has imported its module, which takes seconds
    synth = sys.modules.get("river.datasets.synth")
    if synth is None or not isinstance(dataset, synth.ConceptDriftStream):
        return ()
    width = max(int(dataset.width), 1)
    new = type(dataset.drift_stream).__name__
    about = f"rows come from another concept ({new}), more and more of them"
    return (Drift(max(int(dataset.position) - width // 2, 0), width, "concept drift", about),)
