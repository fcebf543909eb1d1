"""What comes in: columns by name, and the rows of arrays, data frames and River's dictionaries, checked."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._cells import written
from streamlab._checks import is_number, one_line, shown
from streamlab._frames import WrongCell, values_in
from streamlab.learners.base._kernels import ALL_WITHIN, SMALL, SMALL_AND_BEYOND, are_flags, examine
from streamlab.learners.base.outlier_guard import OutlierGuard
from streamlab.learners.base.parameters import plain
from streamlab.learners.base.rows import (
    LARGEST,
    LARGEST_BITS,
    SMALLEST,
    SMALLEST_BITS,
    Rows,
    bad_value,
    is_sparse,
    refuse_lacking,
    sparse_flags,
    wrong_shape,
)
from streamlab.learners.base.sklearn_adapter import restored_classes
from streamlab.learners.base.state import Part, State, contradiction, entry_of, json_entry
from streamlab.learners.base.storage import Array, Number, Storage
from streamlab.schema import ClassValue, Feature, Hierarchy, NumberedFeatures, NumberedNames, NumberedPlaces, Schema

if TYPE_CHECKING:
    import pandas as pd

NUMBERS, FLAGS = np.dtype(np.float64), np.dtype(np.uint8)
# types of which an array makes the same float64 as ``float`` does, and NaN of None
PLAIN = frozenset({float, int, bool, type(None), np.float64})


CLASS_COUNTS = Storage(Array("class_counts", ("labels",), np.int64))
"""How often each class was learned."""


class OneClass(Part):
    """Chooses the class of the highest score; of equal ones the one that was learned more often, then the first.

    Before anything was learned there is no class to answer. A row whose class is not known has none.

    Parameters
    ----------
    classes
        The classes, in the order of the labels.
    """

    def __init__(self, classes: Sequence[ClassValue]) -> None:
        self.classes: tuple[ClassValue, ...] = ()
        self.counts = np.zeros(0, np.int64)
        self.add(classes)

    def add(self, names: Sequence[Any]) -> None:
        """Take labels as classes, also those that come later."""
        self.classes += tuple(name if isinstance(name, (bool, int, str)) else str(name) for name in names)
        self.place = {each: j for j, each in enumerate(self.classes)}
        self.counts = np.pad(self.counts, (0, len(names)))

    def check(self, Y: np.ndarray) -> None:
        """Raise a ValueError if a row has several classes."""
        n = Y.sum(axis=1)
        if (n > 1).any():
            row = int(np.argmax(n > 1))
            found = [self.classes[j] for j in np.flatnonzero(Y[row])[:3]]
            raise ValueError(f"Y row {row} has {n[row]} classes, such as {found}; expected one")

    def learn(self, Y: np.ndarray) -> None:
        """Count the classes of rows that are learned: uint8 (n, n_labels)."""
        # another array: who has the one before goes on with it
        self.counts = self.counts + Y.sum(axis=0, dtype=np.int64)

    def state(self) -> State:
        """Return the counts as an entry of a learner's state."""
        return CLASS_COUNTS.state({"class_counts": self.counts}, {"labels": len(self.counts)})

    def restore(self, owner: str, state: State) -> None:
        """Take the counts of a state, or raise a ValueError where it contradicts itself."""
        self.counts = CLASS_COUNTS.restore(owner, state, {"labels": len(self.classes)})["class_counts"]


def chosen(scores: np.ndarray, counts: np.ndarray, Y: np.ndarray | None = None) -> np.ndarray:
    """Return one class for each row, uint8 as the scores (n, n_labels).

    Parameters
    ----------
    scores
        float64 (n, n_labels).
    counts
        How often each class was learned before the first row.
    Y
        The rows' classes, where each row was learned before the next was answered; else None.
    """
    labels = np.zeros(scores.shape, np.uint8)
    if not scores.size:
        return labels
    often = counts[None] if Y is None else counts + np.cumsum(Y, axis=0, dtype=np.int64) - Y
    best = scores == scores.max(axis=1, keepdims=True)
    labels[np.arange(len(scores)), np.where(best, often, -1).argmax(axis=1)] = 1
    labels[np.broadcast_to(often.sum(axis=1) == 0, len(scores))] = 0
    return labels


class Intake(Part):
    """The columns of a learner or transformer, and what reads rows of them; it adds no column by itself.

    A number above 1e100 in magnitude, an infinity and a complex number are refused; under 1e-100 it counts as 0. What
    is an outlier, far from all of its feature before, counts as missing: see ``OutlierGuard``.

    Attributes
    ----------
    features, names
        Features, and their names as the user wrote them: River's need not be strings. Numbered ones stay as they are,
        until others come.
    labels, label_names
        Likewise.
    hierarchy
        Of the labels, or None.
    bound
        Whether the columns were declared: an absent feature is missing then, else 0.
    column, label_column
        The places of names.
    n_categories
        float64 (n_features,): categories of each feature, 0 for a numeric one.
    outliers
        The guard against outliers.
    one_class
        What chooses the class that is answered, where the schema has classes; else None.
    classes, answer_dtype
        Of a class for each row: the classes, rising, else None; the type in which scikit-learn is answered.
    first_values
        float64 (n_features,): the row that brought the newest features.
    """

    column: Mapping[Any, int]
    _schema: Schema | None

    def __init__(self) -> None:
        self.features: Any = []
        self.names: Any = []
        self.labels: list[str] = []
        self.label_names: list[Any] = []
        self.hierarchy: Hierarchy | None = None
        self.bound = False
        self.classes: np.ndarray | None = None
        self.answer_dtype: np.dtype = FLAGS
        self.outliers = OutlierGuard()
        self.one_class: OneClass | None = None
        self.first_values = np.zeros(0)
        self.index()

    def __getstate__(self) -> dict[str, Any]:
        # whether somebody has asked for the schema is no part of a state
        return {**vars(self), "_schema": None}

    # ------------------------------------------------------------------ columns

    @property
    def schema(self) -> Schema:
        if self._schema is None:
            classes = None if self.one_class is None else self.one_class.classes
            self._schema = Schema(self.features, tuple(self.labels), self.hierarchy, classes)
        return self._schema

    def take(
        self, features: Any, labels: Iterable[str], label_names: Iterable[Any], hierarchy: Hierarchy | None, bound: bool
    ) -> None:
        """Take columns; features that are known by their numbers stay so."""
        is_numbered = isinstance(features, NumberedFeatures)
        self.features = features if is_numbered else list(features)
        self.names = features.names if is_numbered else [feature.name for feature in self.features]
        self.labels, self.label_names = list(labels), list(label_names)
        self.hierarchy, self.bound = hierarchy, bound
        self.first_values = np.zeros(len(self.features))
        self.index()

    def add_features(self, features: Iterable[Feature], names: Iterable[Any]) -> None:
        """Take features that come later, with their names as they were written."""
        self.features, self.names = [*self.features, *features], [*self.names, *names]

    def add_labels(self, names: list[Any], hierarchy: Hierarchy | None = None) -> None:
        """Take labels that come later; without a hierarchy that says where they belong, they are at the top."""
        self.labels.extend(map(str, names))
        self.label_names.extend(names)
        if self.one_class is not None:
            self.one_class.add(names)
        if hierarchy is not None:
            self.hierarchy = hierarchy
        elif self.hierarchy is not None:
            self.hierarchy = self.hierarchy.grown((-1,) * len(names))
        self.index()

    def take_classes(self, classes: tuple[ClassValue, ...] | None) -> None:
        """Take what a schema says of its labels: the classes of which each row has one; None: label sets."""
        self.one_class = None if classes is None else OneClass(classes)
        self._schema = None

    def index(self) -> None:
        """Find the places of columns, after any have come."""
        is_numbered = isinstance(self.names, NumberedNames)
        self.column = NumberedPlaces(self.names) if is_numbered else {name: i for i, name in enumerate(self.names)}
        self.label_column = {name: i for i, name in enumerate(self.label_names)}
        if isinstance(self.features, NumberedFeatures):
            self.n_categories = np.zeros(len(self.features))
        else:
            self.n_categories = np.array([len(f.categories or ()) for f in self.features], np.float64)
        self._schema = None
        # names in the last dictionary that had all columns, numeric ones, and their order in that of the columns
        self._last_names: tuple[tuple[Any, ...], np.ndarray | None] | None = None
        # likewise the labels, where it had all and none other
        self._last_labels: tuple[tuple[Any, ...], np.ndarray | None] | None = None
        self.outliers.widen(self.n_categories)

    def has_nominal(self) -> bool:
        return not isinstance(self.features, NumberedFeatures) and bool(self.n_categories.any())

    def learn(self, rows: Rows, Y: np.ndarray) -> Rows:
        """Return rows as they are to be learned, without their outliers, having counted their classes."""
        if self.one_class is not None:
            self.one_class.learn(Y)
        return self.outliers.learn(rows)

    def merge(self, other: Intake) -> None:
        """Let what it knows of values and classes include another's; both have the same columns."""
        self.outliers.merge(other.outliers)
        if self.one_class is not None and other.one_class is not None:
            self.one_class.counts = self.one_class.counts + other.one_class.counts

    # ------------------------------------------------------------------ state

    def state(self) -> State:
        """Return the entries of a state that say the columns."""
        # numbered columns have the names of the schema
        names = None if isinstance(self.names, NumberedNames) else self.names
        return {
            "schema": self.schema.to_json(),
            "names": json.dumps([names, self.label_names], default=plain),
            "bound": self.bound,
            **({} if self.classes is None else {"one_class": True}),
            **({} if self.one_class is None else self.one_class.state()),
        }

    def restore(self, owner: str, state: State) -> None:
        """Take the columns of a state, or raise a ValueError where it contradicts itself."""
        try:
            schema = Schema.from_json(entry_of(owner, state, "schema"))
        except ValueError as error:
            raise contradiction(owner, f"schema: {one_line(error)}") from None
        self.take(schema.features, schema.labels, schema.labels, schema.hierarchy, self.bound)
        self.take_classes(schema.classes)
        if self.one_class is not None:
            self.one_class.restore(owner, state)
        names = json_entry(owner, state, "names", list)
        numbered = self.names if names[:1] == [None] and isinstance(self.names, NumberedNames) else None
        sides: list[Any] = names if numbered is None else [numbered, *names[1:]]
        lengths = [len(side) if isinstance(side, (list, NumberedNames)) else -1 for side in sides]
        if lengths != [schema.n_features, schema.n_labels]:
            raise contradiction(
                owner,
                f"names are not its schema's; expected a list of {schema.n_features} features' names and one of "
                f"{schema.n_labels} labels'",
            )
        self.names = _hashable(owner, sides[0]) if numbered is None else numbered
        self.label_names = _hashable(owner, sides[1])
        for what, side in (("feature", self.names), ("label", self.label_names)):
            if side is not numbered and len(set(side)) < len(side):
                raise contradiction(owner, f"names have a {what} twice; expected each once")
        self.index()
        self.bound = Number("bound", bool).read(owner, state)
        self.classes = restored_classes(self.label_names, owner, state)

    # ------------------------------------------------------------------ arrays and tables

    def rows_of(self, X: Any) -> Rows:
        """Return an array of rows, checked: float64 (n, n_features)."""
        # what kernels are compiled for: another layout, or a read-only array, would compile them again
        if type(X) is not np.ndarray or X.dtype is not NUMBERS or not X.flags.carray:
            try:
                if np.asarray(X).dtype.kind in "cmM":
                    raise TypeError
                X = np.require(X, np.float64, ("C", "A", "W", "E"))
            except (TypeError, ValueError):
                raise ValueError("X: expected real numbers; a nominal value goes in as its category's index") from None
        if X.ndim != 2 or X.shape[1] != len(self.features):
            raise wrong_shape(X.shape, len(self.features))
        return self._examined(X)

    def _examined(self, X: np.ndarray) -> Rows:
        """Return rows of the right shape and layout, float64 (n, n_features), when their values have been checked."""
        missing = np.empty(len(X), np.bool_)
        found = examine(X, self.n_categories, missing, SMALLEST_BITS, LARGEST_BITS, self.outliers.ranges)
        if found >= 0:
            row, column = divmod(found, X.shape[1])
            raise bad_value(self.features, row, column, X[row, column].item())
        if found in (SMALL, SMALL_AND_BEYOND):
            X = np.where(np.abs(X) < SMALLEST, 0.0, X)
        return Rows(X, missing, found == ALL_WITHIN)

    def table_values(self, X: pd.DataFrame) -> np.ndarray:
        """Return the rows of a table as an array, by the names of its columns."""
        table = X.rename(columns=str)
        refuse_lacking("X", "feature", [feature.name for feature in self.features], table.columns)
        values = np.empty((len(table), len(self.features)))
        for j, feature in enumerate(self.features):
            column = table[feature.name]
            is_plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiu"
            try:
                values[:, j] = column.to_numpy() if is_plain else values_in(column, feature.categories)
            except WrongCell as error:
                at = "X" if error.row is None else f"X row {error.row}"
                raise ValueError(f"{at}, feature {feature.name!r}: {error}") from None
        return values

    def flags_of(self, Y: Any, n: int) -> np.ndarray:
        """Return the labels of ``n`` rows, checked: uint8 (n, n_labels)."""
        shape = n, len(self.labels)
        are_kernels = type(Y) is np.ndarray and Y.dtype is FLAGS and Y.shape == shape and Y.flags.carray
        flags = Y if are_kernels and are_flags(Y) else self._as_flags(Y, shape)
        if self.one_class is not None:
            self.one_class.check(flags)
        return flags

    def _as_flags(self, Y: Any, shape: tuple[int, int]) -> np.ndarray:
        if hasattr(Y, "columns"):
            table = Y.rename(columns=str)
            refuse_lacking("Y", "label", self.labels, table.columns)
            try:
                Y = table[list(self.labels)].to_numpy()
            except NotImplementedError as error:
                raise ValueError(f"Y: values that are no numbers ({error}); expected 0 or 1") from None
        Y = sparse_flags(Y) if is_sparse(Y) else np.asarray(Y)
        if Y.shape != shape:
            raise ValueError(f"Y has the shape {Y.shape}; expected {shape}")
        if Y.dtype.kind in "biuf":
            flags, bad = (Y == 1).astype(np.uint8), (Y != 0) & (Y != 1)
        else:
            values = np.array([[v if is_flag(v) else -1 for v in row] for row in Y.tolist()], np.int8).reshape(Y.shape)
            flags, bad = values.view(np.uint8), values < 0
        if bad.any():
            row, column = np.argwhere(bad)[0]
            value = Y[row, column]
            value = value.item() if isinstance(value, np.generic) else value
            raise ValueError(f"Y row {row}, label {self.labels[column]!r}: {value!r}; expected 0 or 1")
        return np.require(flags, np.uint8, ("C", "A", "W", "E"))

    # ------------------------------------------------------------------ dictionaries

    def plain_row(self, x: Mapping[Any, Any]) -> Rows | None:
        """Return the row of a dictionary of plain numbers, in one go; None if there is something to be looked at."""
        last = self._last_names
        if last is None or tuple(x) != last[0] or not PLAIN.issuperset(map(type, x.values())):
            return None
        try:
            values = np.fromiter(x.values(), np.float64, len(x))
            return self._examined((values if last[1] is None else values[last[1]])[None])
        except (OverflowError, ValueError):
            # it is told by the name in the dictionary
            return None

    def read(self, x: Mapping[Any, Any], *, grow: bool) -> tuple[np.ndarray, dict[Any, Any], dict[int, Feature]]:
        """Return the row of a dictionary; what is new in it, sorted by name; and features with new categories.

        Nothing changes. Without ``grow`` what is new is left out, and a new category is missing.
        """
        row = np.zeros((1, len(self.features)))
        cells = row[0]
        if self.bound:
            cells[:] = math.nan
        else:
            cells[self.n_categories > 0] = math.nan
        added: dict[Any, Any] = {}
        wider: dict[int, Feature] = {}
        for name, value in x.items():
            column = self.column.get(name)
            if column is None:
                if grow:
                    added[name] = value
                continue
            feature = self.features[column]
            if value is None or value != value:
                cells[column] = math.nan
            elif feature.categories is None:
                cells[column] = as_number(name, value)
            elif not isinstance(value, str):
                cells[column] = _as_category(feature, value)
            elif value in feature.categories:
                cells[column] = feature.categories.index(value)
            elif grow:
                wider[column] = Feature(feature.name, (*feature.categories, value))
                cells[column] = len(feature.categories)
            else:
                cells[column] = math.nan
        return row, dict(sorted(added.items(), key=lambda item: str(item[0]))), wider

    def examined_row(self, x: Mapping[Any, Any], row: np.ndarray) -> Rows:
        """Return a dictionary's row, checked; if it has all columns and all are numeric, its names are remembered."""
        if len(x) == len(self.features) and x.keys() == self.column.keys() and not self.n_categories.any():
            self._last_names = _ordered(tuple(x), self.names, self.column)
        return self.rows_of(row)

    def plain_flags(self, y: Mapping[Any, Any]) -> np.ndarray | None:
        """Return the flags of a dictionary that has the labels of the one before; None for any other."""
        last = self._last_labels
        if last is None or tuple(y) != last[0]:
            return None
        values = np.fromiter(map(bool, y.values()), np.uint8, len(y))
        return (values if last[1] is None else values[last[1]])[None]

    def read_flags(self, y: Mapping[Any, Any]) -> np.ndarray:
        """Return the flags of a dictionary of known labels, uint8 (1, n_labels)."""
        flags = np.zeros((1, len(self.labels)), np.uint8)
        for label, value in y.items():
            flags[0, self.label_column[label]] = bool(value)
        if len(y) == len(self.labels):
            self._last_labels = _ordered(tuple(y), self.label_names, self.label_column)
        return flags


def anonymous_or_named(X: Any, Y: Any) -> Schema:
    """Return the schema of the first rows: by the columns of tables, else by numbers."""
    if getattr(X, "ndim", 0) != 2 or getattr(Y, "ndim", 0) != 2:
        raise ValueError("expected X of shape (n, n_features) and Y of shape (n, n_labels)")
    schema = Schema.anonymous(X.shape[1], Y.shape[1])
    if hasattr(X, "columns"):
        kinds = [getattr(X[c], "cat", None) for c in X.columns]
        features = tuple(
            Feature(str(c), None if kind is None else tuple(map(written, kind.categories)))
            for c, kind in zip(X.columns, kinds, strict=True)
        )
        schema = replace(schema, features=features)
    if hasattr(Y, "columns"):
        schema = replace(schema, labels=tuple(map(str, Y.columns)))
    return schema


def _ordered(names: tuple[Any, ...], known: Any, place: Mapping[Any, int]) -> tuple[tuple[Any, ...], np.ndarray | None]:
    """Return names, and their order in that of the columns; None where it is the same."""
    return names, None if names == tuple(known) else np.argsort([place[name] for name in names])


def _hashable(owner: str, names: list[Any]) -> list[Any]:
    """Return columns' names from JSON, which has no tuples; raise a ValueError if one is not a valid name."""
    for name in names:
        if isinstance(name, dict):
            raise contradiction(owner, f"names have {shown(name)}; expected names of columns")
    return [tuple(_hashable(owner, name)) if isinstance(name, list) else name for name in names]


def _as_category(feature: Feature, value: Any) -> float:
    """Return a nominal value that is given as its category's index."""
    n_categories = len(feature.categories or ())
    if not is_number(value) or value not in range(n_categories):
        raise ValueError(
            f"feature {feature.name!r}: {value!r}; expected a category, or the index of one, 0 to {n_categories - 1}"
        )
    return float(value)


def as_number(name: Any, value: Any) -> float:
    """Return a numeric value; a tiny one is 0."""
    try:
        if isinstance(value, np.complexfloating):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"feature {name!r}: {value!r}; expected a number") from None
    if abs(number) > LARGEST:
        expected = "a finite number" if math.isinf(number) else f"at most {LARGEST:g} in magnitude"
        raise ValueError(f"feature {name!r}: {value!r}; expected {expected}, or None where it is missing")
    return 0.0 if abs(number) < SMALLEST else number


def is_flag(value: Any) -> bool:
    """Whether a label's value is True or False, or 1 or 0."""
    return isinstance(value, (bool, int, float, np.number, np.bool_)) and value in (0, 1)
