"""Columns by name, and the checks of all that comes in: arrays, data frames, River's dictionaries."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from streamlab._cells import written
from streamlab._checks import is_number, unmasked
from streamlab._frames import WrongCell, framed_as, is_frame, pandas_of, values_in
from streamlab.learners.base._kernels import ALL_WITHIN, BEYOND, SMALL, SMALL_AND_BEYOND, are_flags, examine
from streamlab.learners.base.outlier_guard import OutlierGuard
from streamlab.learners.base.rows import (
    LARGEST,
    LARGEST_BITS,
    SMALLEST,
    SMALLEST_BITS,
    Rows,
    bad_value,
    check_dense,
    dense_of,
    examined_rows,
    flags_of,
    is_sparse,
    wrong_shape,
)
from streamlab.schema import Feature, Hierarchy, NumberedFeatures, NumberedNames, NumberedPlaces, Schema

if TYPE_CHECKING:
    import pandas as pd

NUMBERS, FLAGS = np.dtype(np.float64), np.dtype(np.uint8)
# types of which an array makes the same float64 as ``float`` does, and NaN of None
PLAIN = frozenset({float, int, bool, type(None), np.float64})


class Columns:
    """The columns of a learner or transformer, and the checks of its input.

    Columns are those of the schema: given by ``bind``, taken from the first DataFrame or array, or added as
    dictionaries bring new names. In a dictionary, a feature of a *bound* schema that is absent is missing; without a
    bound schema it is zero, as in River's sparse models (where it is nominal: missing). None and NaN are always
    missing; a string makes its feature nominal. The features that one dictionary brings are sorted by name, so that
    its order has no effect. A label that is absent is False.

    A number above 1e100 in magnitude, an infinity and a complex number are refused; under 1e-100 it counts as 0. What
    is an outlier, far from all of its feature before, counts as missing: see ``OutlierGuard``.
    """

    takes_sparse: ClassVar[bool] = False
    """Whether ``_learn``, ``_predict`` and ``_test_then_train`` take ``SparseRows`` too; else they get an array."""

    # numbered ones stay as they are, until others come
    _features: Any
    _labels: list[str]
    _hierarchy: Hierarchy | None
    _schema: Schema | None
    _column: Mapping[Any, int]
    _label_column: dict[Any, int]
    # as the user wrote them: River's names need not be strings
    _names: Any
    _label_names: list[Any]
    _bound: bool
    _outliers: OutlierGuard
    _n_categories: np.ndarray
    # of a class for each row: the classes, rising
    _classes: np.ndarray | None
    # scikit-learn answers in the type that it was asked in
    _answer_dtype: np.dtype
    # the names in the last dictionary, if it had all columns, numeric ones, and their order in the columns' order
    _last_row_names: tuple[list[Any], np.ndarray | None] | None = None
    # the labels in the last dictionary, if it had all and none other, and their order in the columns' order
    _last_row_labels: tuple[list[Any], np.ndarray | None] | None = None

    # ------------------------------------------------------------------ schema

    @property
    def schema(self) -> Schema:
        """The columns known so far."""
        if self._schema is None:
            self._schema = Schema(self._features, tuple(self._labels), self._hierarchy)
        return self._schema

    def bind(self, schema: Schema) -> Self:
        """Declare the columns before the first instance: names, kinds, categories, ranges and the labels' hierarchy.

        Raises
        ------
        ValueError
            If instances have been learned under a different schema, or ``__init__`` did not call ``_start``.
        """
        self._check_started()
        if self._bound or self._features or self._labels:
            difference = self.schema.difference(schema)
            if difference is not None:
                raise ValueError(f"{type(self).__name__} already has another schema: {difference}")
            return self
        self._start_schema(schema)
        self._bound = True
        return self

    def _check_started(self) -> None:
        """Raise a ValueError unless ``__init__`` has called ``_start``, without which nothing works."""
        if "_bound" not in vars(self):
            raise ValueError(f"{type(self).__name__}.__init__ did not call self._start(); expected that at its end")

    def _no_columns(self) -> None:
        """Forget the columns."""
        self._features, self._labels, self._names, self._label_names = [], [], [], []
        self._hierarchy, self._schema = None, None
        self._column, self._label_column = {}, {}
        self._n_categories = np.zeros(0)
        self._last_row_names, self._last_row_labels = None, None
        self._bound = False
        self._outliers = OutlierGuard()
        self._classes, self._answer_dtype = None, np.dtype(np.uint8)

    def _start_schema(self, schema: Schema) -> None:
        self._check_growth(schema.n_features, schema.n_labels)
        self._take_features(schema.features)
        self._labels = list(schema.labels)
        self._hierarchy = schema.hierarchy
        self._label_names = list(schema.labels)
        self._index_schema()
        self._grown(0, 0)

    def _take_features(self, features: Any) -> None:
        """Take features, and their names; those that are known by their numbers stay so."""
        if isinstance(features, NumberedFeatures):
            self._features, self._names = features, features.names
        else:
            self._features = list(features)
            self._names = [feature.name for feature in self._features]

    def _list_features(self) -> None:
        """Make lists of features and names that can grow."""
        self._features, self._names = list(self._features), list(self._names)

    def _index_schema(self) -> None:
        self._schema = None
        if isinstance(self._names, NumberedNames):
            self._column = NumberedPlaces(self._names)
        else:
            self._column = {name: i for i, name in enumerate(self._names)}
        self._label_column = {name: i for i, name in enumerate(self._label_names)}
        if isinstance(self._features, NumberedFeatures):
            self._n_categories = np.zeros(len(self._features))
        else:
            self._n_categories = np.array(
                [0 if f.categories is None else len(f.categories) for f in self._features], dtype=np.float64
            )
        self._last_row_names, self._last_row_labels = None, None
        self._outliers.widen(self._n_categories)

    def _widen(self, features: Any, labels: list, label_names: list, hierarchy: Hierarchy | None, bound: bool) -> None:
        """Take the columns of the step before it in a pipeline: those it had, and perhaps more."""
        n_features, n_labels = len(self._features), len(self._labels)
        if n_labels == len(labels) and _own_kind(self._features) == features and self._hierarchy == hierarchy:
            return
        self._check_growth(len(features), len(labels))
        self._take_features(features)
        self._labels, self._label_names = list(labels), list(label_names)
        self._hierarchy, self._bound = hierarchy, bound
        self._index_schema()
        self._first_values = np.zeros(len(features))
        self._grown(n_features, n_labels)

    def _check_growth(self, n_features: int, n_labels: int) -> None:
        """Raise a ValueError if there cannot be this many columns; called before any are added or arrays made."""

    def _grown(self, n_features: int, n_labels: int) -> None:
        """Make room for columns that were added; ``n_features`` and ``n_labels`` are the numbers before."""

    # ------------------------------------------------------------------ arrays

    def _framed(self, X, values: np.ndarray, dtype):
        if not is_frame(X):
            return values
        return framed_as(X, values.astype(dtype, copy=False), self._label_names)

    def _checked(self, X, Y, timestamps=None) -> tuple[Rows, np.ndarray, np.ndarray | None]:
        """Return X, Y and the timestamps, checked. The first chunk gives the schema."""
        X, Y = pandas_of(X), pandas_of(Y)
        is_first = not self._features and not self._labels
        with self._as_before_if_refused(is_first):
            if is_first:
                self._adopt(X, Y)
            else:
                self._refuse_new_columns(X, Y)
            rows = self._checked_X(X)
            n = len(rows.values)
            return rows, self._checked_Y(Y, n), self._checked_timestamps(unmasked(timestamps), n)

    def _refuse_new_columns(self, X, Y) -> None:
        """Raise a ValueError if a later table has a column that is not known: it is never left out in silence."""
        for what, kind, table, known in (("X", "feature", X, self._column), ("Y", "label", Y, self._label_column)):
            if what == "X" and self._bound:
                continue  # which features count was declared
            new = [name for name in getattr(table, "columns", ()) if str(name) not in known and name not in known]
            if new:
                raise ValueError(
                    f"{what} has the {kind} {str(new[0])!r}, which {type(self).__name__} does not know; expected the "
                    f"columns of its first table, {list(map(str, known))[:8]}, or dictionaries, which may bring more"
                )

    def _checked_timestamps(self, timestamps, n: int) -> np.ndarray | None:
        return None

    @contextmanager
    def _as_before_if_refused(self, brings_columns: bool) -> Iterator[None]:
        """Take back what a chunk has changed, such as its columns, where it is refused after that."""
        before: dict[str, Any] = {}
        if brings_columns:
            # all but the parameters and the lock
            hidden = {name: value for name, value in vars(self).items() if name.startswith("_") and name != "_lock"}
            before = copy.deepcopy(hidden)
        try:
            yield
        except ValueError:
            vars(self).update(before)
            raise

    def _adopt(self, X, Y) -> None:
        """Take the schema of the first arrays."""
        if getattr(X, "ndim", 0) != 2 or getattr(Y, "ndim", 0) != 2:
            raise ValueError("expected X of shape (n, n_features) and Y of shape (n, n_labels)")
        schema = Schema.anonymous(X.shape[1], Y.shape[1])
        if hasattr(X, "columns"):
            features = tuple(
                Feature(str(c), None if not hasattr(X[c], "cat") else tuple(map(written, X[c].cat.categories)))
                for c in X.columns
            )
            schema = replace(schema, features=features)
        if hasattr(Y, "columns"):
            schema = replace(schema, labels=tuple(map(str, Y.columns)))
        self._start_schema(schema)

    def _checked_X(self, X) -> Rows:
        """Return an array, a table or sparse rows, checked, with their outliers."""
        X = pandas_of(X)
        if is_sparse(X):
            if self.takes_sparse:
                return examined_rows(X, self._features, self._n_categories)
            X = dense_of(X, self._features, self._n_categories, self.check_dense)
        if hasattr(X, "columns"):
            X = self._from_frame(X)
        # what kernels are compiled for: another layout, or a read-only array, would compile them again
        if type(X) is not np.ndarray or X.dtype is not NUMBERS or not X.flags.carray:
            kind = np.asarray(X).dtype.kind
            if kind in "cmM":
                raise ValueError(f"X is {'complex' if kind == 'c' else 'of times'}; expected real numbers")
            try:
                X = np.require(X, np.float64, ("C", "A", "W", "E"))
            except (TypeError, ValueError):
                raise ValueError("X: expected numbers; a nominal value goes in as its category's index") from None
        if X.ndim != 2 or X.shape[1] != len(self._features):
            raise wrong_shape(X.shape, len(self._features))
        missing = np.empty(len(X), np.bool_)
        found = examine(X, self._n_categories, missing, SMALLEST_BITS, LARGEST_BITS, self._outliers.ranges)
        if found >= 0:
            row, column = divmod(found, X.shape[1])
            raise bad_value(self._features, row, column, X[row, column].item())
        if found in (SMALL, SMALL_AND_BEYOND):
            X = np.where(np.abs(X) < SMALLEST, 0.0, X)
        return Rows(X, missing, found == ALL_WITHIN)

    def check_dense(self, n_rows: int, n_features: int) -> None:
        """Raise a ValueError if this many sparse rows of this many columns are too large for a learner of dense ones.

        Nothing is refused to a learner that takes sparse rows. A learner of dense rows is refused what would take more
        than ``DENSE_BYTES`` as an array, or more than ``KEPT_BYTES`` in what it keeps.
        """
        if not self.takes_sparse:
            check_dense(type(self).__name__, n_rows, self._rows_kept(), n_features)

    def _rows_kept(self) -> int:
        """Return how many rows a learner of dense rows keeps at most: its parameter ``chunk`` or ``window``."""
        return max(int(getattr(self, name, 0) or 0) for name in ("chunk", "window"))

    def _has_nominal(self) -> bool:
        return not isinstance(self._features, NumberedFeatures) and bool(self._n_categories.any())

    def _from_frame(self, X: pd.DataFrame) -> np.ndarray:
        table = X.rename(columns=str)
        names = [f.name for f in self._features]
        lacking = [name for name in names if name not in table.columns]
        if lacking:
            raise ValueError(f"X lacks the feature {lacking[0]!r}; it has {list(table.columns)[:8]}")
        values = np.empty((len(table), len(names)))
        for j, feature in enumerate(self._features):
            column = table[feature.name]
            is_plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiu"
            try:
                values[:, j] = column.to_numpy() if is_plain else values_in(column, feature.categories)
            except WrongCell as error:
                at = "X" if error.row is None else f"X row {error.row}"
                raise ValueError(f"{at}, feature {feature.name!r}: {error}") from None
        return values

    def _checked_Y(self, Y, n: int) -> np.ndarray:
        plain = type(Y) is np.ndarray and Y.dtype is FLAGS and Y.shape == (n, len(self._labels)) and Y.flags.carray
        if plain and are_flags(Y):
            return Y
        if hasattr(Y, "columns"):
            table = Y.rename(columns=str)
            lacking = [name for name in self._labels if name not in table.columns]
            if lacking:
                raise ValueError(f"Y lacks the label {lacking[0]!r}; it has {list(table.columns)[:8]}")
            try:
                Y = table[list(self._labels)].to_numpy()
            except NotImplementedError as error:
                raise ValueError(f"Y: values that are no numbers ({error}); expected 0 or 1") from None
        Y = flags_of(Y) if is_sparse(Y) else np.asarray(Y)
        if Y.shape != (n, len(self._labels)):
            raise ValueError(f"Y has the shape {Y.shape}; expected ({n}, {len(self._labels)})")
        if Y.dtype == np.uint8:
            flags, bad = Y, Y > 1 if Y.size and Y.max() > 1 else None
        elif Y.dtype == np.bool_:
            flags, bad = Y.astype(np.uint8), None
        elif Y.dtype.kind in "iuf":
            flags = (Y == 1).astype(np.uint8)
            bad = (Y != 0) & (Y != 1)
        else:
            values = np.array([[v if is_flag(v) else -1 for v in row] for row in Y.tolist()], np.int8).reshape(Y.shape)
            flags, bad = values.view(np.uint8), values < 0
        if bad is not None and bad.any():
            row, column = np.argwhere(bad)[0]
            value = Y[row, column]
            value = value.item() if isinstance(value, np.generic) else value
            raise ValueError(f"Y row {row}, label {self._labels[column]!r}: {value!r}; expected 0 or 1")
        return np.require(flags, np.uint8, ("C", "A", "W", "E"))

    # ------------------------------------------------------------------ River

    def _checked_one(self, x: dict[Any, Any], y: dict[Any, Any]) -> tuple[Rows, np.ndarray]:
        """Return one instance as ``_learn`` takes it; new names become columns, once everything is checked."""
        if not isinstance(y, Mapping):
            raise ValueError(f"y is {y!r}; expected a dictionary {{label: True or False}}")
        for label, value in y.items():
            if value is not True and value is not False and not is_flag(value):
                raise ValueError(f"label {label!r}: {value!r}; expected True or False")
        row = self._row(x, grow=True)
        return row, self._flags(y)

    def _row(self, x: dict[Any, Any], *, grow: bool) -> Rows:
        """Return one instance, checked; with ``grow`` its new names become columns."""
        last = self._last_row_names
        if last is not None and len(x) == len(last[0]) and list(x) == last[0]:
            plain = self._plain_row(x, last[1])
            if plain is not None:
                return plain
        row = self._read_row(x, grow=grow)
        if len(x) == len(self._features) and x.keys() == self._column.keys() and not self._n_categories.any():
            names = list(x)
            order = None if names == self._names else np.argsort([self._column[name] for name in names])
            self._last_row_names = names, order
        return self._examined_row(row)[1]

    def _examined_row(self, row: np.ndarray) -> tuple[int, Rows]:
        """Return what the kernel found in one row, and the row."""
        missing = np.empty(1, np.bool_)
        found = examine(row, self._n_categories, missing, SMALLEST_BITS, LARGEST_BITS, self._outliers.ranges)
        return found, Rows(row, missing, found == ALL_WITHIN)

    def _plain_row(self, x: dict[Any, Any], order: np.ndarray | None) -> Rows | None:
        """Return a row of plain numbers, in one go; None if there is something in it to be looked at one by one."""
        if not PLAIN.issuperset(map(type, x.values())):
            return None
        try:
            values = np.array([*x.values()], np.float64)
        except OverflowError:
            return None
        found, rows = self._examined_row((values if order is None else values[order])[None])
        return rows if found in (ALL_WITHIN, BEYOND) else None

    def _read_row(self, x: dict[Any, Any], *, grow: bool) -> np.ndarray:
        n_features = len(self._features)
        added: dict[Any, float] = {}
        row = np.zeros((1, n_features))
        cells = row[0]
        if self._bound:
            cells[:] = math.nan
        else:
            cells[self._n_categories > 0] = math.nan
        new_categories: dict[int, Feature] = {}
        for name, value in x.items():
            column = self._column.get(name)
            if column is None:
                if grow:
                    added[name] = value
                continue
            feature = self._features[column]
            if value is None or value != value:
                cells[column] = math.nan
            elif feature.categories is None:
                cells[column] = self._number(name, value)
            elif not isinstance(value, str):
                cells[column] = self._category(feature, value)
            elif value in feature.categories:
                cells[column] = feature.categories.index(value)
            elif grow:
                new_categories[column] = Feature(feature.name, (*feature.categories, value))
                cells[column] = len(feature.categories)
            else:
                cells[column] = math.nan
        added = dict(sorted(added.items(), key=lambda item: str(item[0])))
        values = [
            0.0 if isinstance(v, str) else math.nan if v is None else self._number(n, v) for n, v in added.items()
        ]
        self._check_growth(n_features + len(added), len(self._labels))
        # all is checked: only now does anything change
        if new_categories:
            for column, feature in new_categories.items():
                self._features[column] = feature
        if added:
            self._list_features()
        for name, value in added.items():
            self._features.append(Feature(str(name), (value,) if isinstance(value, str) else None))
            self._names.append(name)
        if added or new_categories:
            self._index_schema()
            row = np.append(row, [values], axis=1) if values else row
            self._first_values = row[0]
            self._grown(n_features, len(self._labels))
        return row

    @staticmethod
    def _category(feature: Feature, value) -> float:
        """Return a nominal value that is given as its category's index."""
        n_categories = len(feature.categories or ())
        if not is_number(value) or value not in range(n_categories):
            raise ValueError(
                f"feature {feature.name!r}: {value!r}; "
                f"expected a category, or the index of one, 0 to {n_categories - 1}"
            )
        return float(value)

    @staticmethod
    def _number(name, value) -> float:
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

    def _flags(self, y: dict[Any, Any]) -> np.ndarray:
        last = self._last_row_labels
        if last is not None and len(y) == len(last[0]) and list(y) == last[0]:
            values = np.array([*map(bool, y.values())], np.uint8)
            return (values if last[1] is None else values[last[1]])[None]
        n_labels = len(self._labels)
        new = [label for label in y if label not in self._label_column]
        if new:
            self._labels.extend(map(str, new))
            self._label_names.extend(new)
            if self._hierarchy is not None:
                # nothing says where a label that comes alone belongs: at the top
                self._hierarchy = self._hierarchy.grown((-1,) * len(new))
            self._index_schema()
            self._grown(len(self._features), n_labels)
        flags = np.zeros((1, len(self._labels)), np.uint8)
        for label, value in y.items():
            flags[0, self._label_column[label]] = bool(value)
        if len(y) == len(self._labels):
            names = list(y)
            order = None if names == self._label_names else np.argsort([self._label_column[name] for name in names])
            self._last_row_labels = names, order
        return flags


def _own_kind(features: Any) -> Any:
    """Return features as they are compared: numbered ones as they are, others as a tuple."""
    return features if isinstance(features, NumberedFeatures) else tuple(features)


def is_flag(value: Any) -> bool:
    """Whether a label's value is True or False, or 1 or 0."""
    return isinstance(value, (bool, int, float, np.number, np.bool_)) and value in (0, 1)
