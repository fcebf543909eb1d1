"""Columns that come and go: what a learner or transformer does when its first rows, or new names, are handed over."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from streamlab._checks import shown, unmasked
from streamlab._frames import framed_as, is_frame, pandas_of
from streamlab.learners.base.intake import Intake, anonymous_or_named, as_number, is_flag
from streamlab.learners.base.rows import DENSE_BYTES, KEPT_BYTES, Rows, examined_rows, is_sparse
from streamlab.schema import Feature, Hierarchy, NumberedFeatures, Schema

if TYPE_CHECKING:
    import pandas as pd


def _of_intake(name: str) -> Any:
    return property(attrgetter(f"_intake.{name}"))


def checked_timestamps(timestamps: Any, n: int, now: int) -> np.ndarray:
    """Return timestamps as int64 (n,).

    Raises
    ------
    ValueError
        Unless they are whole numbers that rise and come after ``now``, naming the row.
    """
    timestamps = np.asarray(timestamps)
    if timestamps.shape != (n,) or (n and timestamps.dtype.kind not in "iu"):
        raise ValueError(
            f"timestamps: {timestamps.dtype} of shape {timestamps.shape}; expected whole numbers of shape ({n},)"
        )
    timestamps = timestamps.astype(np.int64)
    before = np.append(now, timestamps)[:n]
    if (timestamps <= before).any():
        row = int(np.argmax(timestamps <= before))
        raise ValueError(f"timestamps row {row}: {timestamps[row]} does not come after {before[row]}")
    return timestamps


class Columns:
    """A learner or transformer with columns, which its ``Intake`` knows: it reads rows, and makes room for new columns.

    Columns are those of the schema: given by ``bind``, taken from the first DataFrame or array, or added as
    dictionaries bring new names. In a dictionary, a feature of a *bound* schema that is absent is missing; without a
    bound schema it is zero, as in River's sparse models (where it is nominal: missing). None and NaN are always
    missing; a string makes its feature nominal. The features that one dictionary brings are sorted by name, so that
    its order has no effect. A label that is absent is False.
    """

    takes_sparse: ClassVar[bool] = False
    """Whether ``_learn``, ``_predict`` and ``_test_then_train`` take ``SparseRows`` too; else they get an array."""

    now: Any
    _learn: Callable[..., None]
    _intake: Intake
    _features: Any = _of_intake("features")
    _names: Any = _of_intake("names")
    _labels: list[str] = _of_intake("labels")
    _label_names: list[Any] = _of_intake("label_names")
    _label_column: dict[Any, int] = _of_intake("label_column")
    _hierarchy: Hierarchy | None = _of_intake("hierarchy")
    _bound: bool = _of_intake("bound")
    _n_categories: np.ndarray = _of_intake("n_categories")
    _classes: np.ndarray | None = _of_intake("classes")

    # ------------------------------------------------------------------ schema

    @property
    def schema(self) -> Schema:
        """The columns known so far."""
        return self._intake.schema

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
        self._intake.bound = True
        return self

    def _check_started(self) -> None:
        """Raise a ValueError unless ``__init__`` has called ``_start``, without which nothing works."""
        if "_intake" not in vars(self):
            raise ValueError(f"{type(self).__name__}.__init__ did not call self._start(); expected that at its end")

    def _start_schema(self, schema: Schema) -> None:
        self._take_columns(schema.features, schema.labels, schema.labels, schema.hierarchy, self._bound)
        self._intake.take_classes(schema.classes)

    def _widen(self, features: Any, labels: list, label_names: list, hierarchy: Hierarchy | None, bound: bool) -> None:
        """Take the columns of the step before it in a pipeline: those it had, and perhaps more."""
        mine = self._features if isinstance(self._features, NumberedFeatures) else tuple(self._features)
        if len(self._labels) != len(labels) or mine != features or self._hierarchy != hierarchy:
            self._take_columns(features, labels, label_names, hierarchy, bound)

    def _take_columns(self, features: Any, labels: Any, names: Any, hierarchy: Hierarchy | None, bound: bool) -> None:
        self._check_columns(features, labels, hierarchy)
        n_features, n_labels = len(self._features), len(self._labels)
        self._intake.take(features, labels, names, hierarchy, bound)
        self._grown(n_features, n_labels)

    def _check_columns(self, features: Any, labels: Any, hierarchy: Hierarchy | None) -> None:
        """Raise a ValueError if there cannot be these columns; called before they are taken or arrays made."""
        self._check_size(features, len(labels))

    def _check_size(self, features: Sequence[Feature], n_labels: int) -> None:
        """Raise a ValueError if there cannot be so many columns; also called before a dictionary's are added."""

    def _grown(self, n_features: int, n_labels: int) -> None:
        """Make room for columns that were added; ``n_features`` and ``n_labels`` are the numbers before."""

    # ------------------------------------------------------------------ arrays

    def _framed(self, X, values: np.ndarray, dtype):
        return framed_as(X, values.astype(dtype, copy=False), self._label_names) if is_frame(X) else values

    def _checked(self, X, Y, timestamps=None) -> tuple[Rows, np.ndarray, np.ndarray | None]:
        """Return X, Y and the timestamps, checked. The first chunk gives the schema."""
        if type(X) is not np.ndarray or type(Y) is not np.ndarray:
            X, Y = pandas_of(X), pandas_of(Y)
            if self._features or self._labels:
                self._refuse_new_columns(X, Y)
        if not self._features and not self._labels:
            with self._as_before_if_refused():
                self._start_schema(anonymous_or_named(X, Y))
                return self._checked(X, Y, timestamps)
        rows = self._checked_X(X) if type(X) is not np.ndarray else self._intake.rows_of(X)
        n = len(rows.missing)
        flags = self._intake.flags_of(Y, n)
        return rows, flags, None if timestamps is None else checked_timestamps(unmasked(timestamps), n, self.now)

    def _learn_chunk_of(self, X: Any, Y: Any, *timestamps: Any) -> None:
        """Learn rows that come from outside, once all are checked."""
        rows, flags, *times = self._checked(X, Y, *timestamps)
        rows = self._intake.learn(rows, flags)
        self._learn(rows.values, flags, rows.missing, *times[: len(timestamps)])

    def _refuse_new_columns(self, X, Y) -> None:
        """Raise a ValueError if a later table has a column that is not known: it is never left out in silence."""
        intake = self._intake
        for what, kind, table, known in (("X", "feature", X, intake.column), ("Y", "label", Y, intake.label_column)):
            if what == "X" and intake.bound:
                continue  # which features count was declared
            new = [name for name in getattr(table, "columns", ()) if str(name) not in known and name not in known]
            if new:
                raise ValueError(
                    f"{what} has the {kind} {str(new[0])!r}, which {type(self).__name__} does not know; expected the "
                    f"columns of its first table, {list(map(str, known))[:8]}, or dictionaries, which may bring more"
                )

    @contextmanager
    def _as_before_if_refused(self) -> Iterator[None]:
        """Take back what a chunk has changed, such as its columns, where it is refused after that."""
        # all but the parameters and the lock
        hidden = {name: value for name, value in vars(self).items() if name.startswith("_") and name != "_lock"}
        before = copy.deepcopy(hidden)
        try:
            yield
        except ValueError:
            vars(self).update(before)
            raise

    def _checked_X(self, X) -> Rows:
        """Return an array, a table or sparse rows, checked, with their outliers."""
        if type(X) is not np.ndarray:
            X = pandas_of(X)
            if is_sparse(X):
                if self.takes_sparse:
                    return examined_rows(X, self._features, self._n_categories)
                self.check_dense(X.shape[0], len(self._features))
                X = examined_rows(X, self._features, self._n_categories).values.dense()
            elif hasattr(X, "columns"):
                X = self._from_frame(X)
        return self._intake.rows_of(X)

    def _one_row(self, x: Any) -> Rows:
        """Return one row that people ask about, checked: a dictionary, an array (n_features,), or a sparse matrix."""
        if isinstance(x, dict):
            return self._row(x, grow=False)
        return self._checked_X(x if is_sparse(x) else np.asarray(x, np.float64)[None])

    def check_dense(self, n_rows: int, n_features: int) -> None:
        """Raise a ValueError if this many sparse rows of this many columns are too large for a learner of dense ones.

        Nothing is refused to a learner that takes sparse rows. A learner of dense rows is refused what would take more
        than ``DENSE_BYTES`` as an array, or more than ``KEPT_BYTES`` in what it keeps.
        """
        if self.takes_sparse:
            return
        kept = max(n_rows, *(int(getattr(self, name, 0) or 0) for name in ("chunk", "window")))
        for what, rows, most in (("of the chunk", n_rows, DENSE_BYTES), ("it keeps", kept, KEPT_BYTES)):
            size = 8 * rows * n_features
            if size > most:
                raise ValueError(
                    f"{type(self).__name__} keeps every column of a row: {n_features:,} columns x {rows:,} rows {what} "
                    f"= {size / 1e9:.2g} GB, at most {most / 1e9:.2g}; choose a learner that takes sparse rows (SMART, "
                    "MLKNN, OnlineLogistic, RankedKNN, NoChange, MajorityLabels, OnePerLabel), or fewer columns"
                )

    def _from_frame(self, X: pd.DataFrame) -> np.ndarray:
        return self._intake.table_values(X)

    # ------------------------------------------------------------------ River

    def _checked_one(self, x: dict[Any, Any], y: dict[Any, Any]) -> tuple[Rows, np.ndarray]:
        """Return one instance as ``_learn`` takes it; new names become columns, once everything is checked."""
        if not isinstance(y, Mapping):
            raise ValueError(f"y is {y!r}; expected a dictionary {{label: True or False}}")
        for label, value in y.items():
            if value is not True and value is not False and not is_flag(value):
                raise ValueError(f"label {label!r}: {value!r}; expected True or False")
        if self._intake.one_class is not None and sum(map(bool, y.values())) > 1:
            raise ValueError(f"y has several classes, {shown([each for each in y if y[each]])}; expected one")
        return self._row(x, grow=True), self._flags(y)

    def _row(self, x: dict[Any, Any], *, grow: bool) -> Rows:
        """Return one instance, checked; with ``grow`` its new names become columns."""
        intake = self._intake
        known = intake.plain_row(x)
        if known is not None:
            return known
        row, added, wider = intake.read(x, grow=grow)
        values = [0.0 if isinstance(v, str) else math.nan if v is None else as_number(n, v) for n, v in added.items()]
        n_features = len(self._features)
        new = [Feature(str(name), (value,) if isinstance(value, str) else None) for name, value in added.items()]
        if new:
            self._check_size([*self._features, *new], len(self._labels))
        # all is checked: only now does anything change
        for column, feature in wider.items():
            intake.features[column] = feature
        if new:
            intake.add_features(new, added)
            row = np.append(row, [values], axis=1)
        if new or wider:
            intake.first_values = row[0]
            intake.index()
            self._grown(n_features, len(self._labels))
        return intake.examined_row(x, row)

    def _flags(self, y: dict[Any, Any]) -> np.ndarray:
        known = self._intake.plain_flags(y)
        if known is not None:
            return known
        new, n_labels = [label for label in y if label not in self._label_column], len(self._labels)
        if new:
            self._intake.add_labels(new)
            self._grown(len(self._features), n_labels)
        return self._intake.read_flags(y)
