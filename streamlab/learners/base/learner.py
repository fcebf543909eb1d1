"""The contract of a learner: two faces (River's dictionaries, arrays), a flat state, parameters that may change."""

from __future__ import annotations

import copy
import json
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from river.base import Estimator, MultiLabelClassifier

from streamlab.learners.base._kernels import scan
from streamlab.schema import Feature, Schema

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

__all__ = ["Component", "Learner", "Tunable", "load_model"]

State = dict[str, Any]


@dataclass(frozen=True)
class Tunable:
    """A parameter that may change mid-stream, as a control of a screen needs to know it.

    Parameters
    ----------
    name
        The parameter's name.
    low, high
        The allowed range, both ends included; ``high`` is what a control offers, ``limit`` what is accepted.
    integer
        Whether only whole numbers are allowed.
    logarithmic
        Whether a control should step by factors.
    infinite
        Whether infinity is allowed (and means "never").
    unit, title, help
        For people; without a title they read the name.
    optional
        Whether None is allowed.
    none
        What None means, in words. Default "no bound".
    choices
        The values allowed, where they are few and need not be numbers; ``low`` and ``high`` mean nothing then.
    """

    name: str
    low: float
    high: float
    integer: bool = False
    logarithmic: bool = False
    infinite: bool = False
    limit: float = math.inf
    unit: str = ""
    title: str = ""
    help: str = ""
    optional: bool = False
    none: str = "no bound"
    choices: tuple[Any, ...] = ()

    def checked(self, value: Any) -> Any:
        """``value`` as a plain number, or a ValueError that names the parameter, the value and what is allowed."""
        if self.choices:
            for choice in self.choices:
                if type(value) is type(choice) and value == choice:
                    return choice
            raise ValueError(f"{self.name}={value!r}: expected {' or '.join(map(repr, self.choices))}")
        if value is None and self.optional:
            return None
        allowed = f"{self.low:g} to {self.limit:g}" if self.limit < math.inf else f"at least {self.low:g}"
        kind = "a whole number" if self.integer else "a number"
        expected = f"expected {kind}, {allowed}" + (", or inf" if self.infinite else "")
        expected += ", or None" if self.optional else ""
        if isinstance(value, (bool, str)) or value is None:
            raise ValueError(f"{self.name}={value!r}: {expected}")
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name}={value!r}: {expected}") from None
        if math.isinf(number) and self.infinite and number > 0:
            return math.inf
        if not math.isfinite(number) or not self.low <= number <= self.limit:
            raise ValueError(f"{self.name}={value!r}: {expected}")
        if self.integer:
            if number != int(number):
                raise ValueError(f"{self.name}={value!r}: {expected}")
            return int(number)
        return number


class Component(Estimator, ABC):
    """What learners and transformers share: columns, the door where input is checked, parameters, a flat state.

    A subclass keeps its parameters unchanged under their own names, names in ``tunables`` those that may change
    mid-stream, and implements ``_reset``, and for its state ``_get_state`` and ``_set_state``.

    Columns are those of the schema: given by ``bind``, taken from the first DataFrame or array, or grown one by one as
    dictionaries bring new names. In a dictionary, a feature of a *bound* schema that is absent is missing; without a
    bound schema it is zero, as in River's sparse models (where it is nominal: missing). None and NaN are always
    missing; a string makes its feature nominal. The features that one dictionary brings are sorted by name, so that
    its order has no effect. A label that is absent is False.
    """

    tunables: ClassVar[tuple[Tunable, ...]] = ()

    # ------------------------------------------------------------------ schema

    @property
    def schema(self) -> Schema:
        """The columns known so far."""
        if self._schema is None:
            self._schema = Schema(tuple(self._features), tuple(self._labels), self._hierarchy)
        return self._schema

    def bind(self, schema: Schema) -> Self:
        """Declare the columns before the first instance: names, kinds, categories, ranges and the labels' hierarchy.

        Raises
        ------
        ValueError
            If instances have been learned under a different schema.
        """
        if self._bound or self._features or self._labels:
            difference = self.schema.difference(schema)
            if difference is not None:
                raise ValueError(f"{type(self).__name__} already has another schema: {difference}")
            return self
        self._start_schema(schema)
        self._bound = True
        return self

    def _start(self) -> None:
        """Forget everything; called by ``__init__`` once the parameters are set."""
        self._features: list[Feature] = []
        self._labels: list[str] = []
        self._hierarchy = None
        self._schema: Schema | None = None
        self._column: dict[Any, int] = {}
        self._label_column: dict[Any, int] = {}
        self._names: list[Any] = []
        self._label_names: list[Any] = []
        self._n_categories = np.zeros(0)
        self._bound = False
        for tunable in self.tunables:
            tunable.checked(getattr(self, tunable.name))
        self._reset()

    def _start_schema(self, schema: Schema) -> None:
        self._check_growth(schema.n_features)
        self._features = list(schema.features)
        self._labels = list(schema.labels)
        self._hierarchy = schema.hierarchy
        self._names, self._label_names = list(schema.feature_names), list(schema.labels)
        self._index_schema()
        self._grown(0, 0)

    def _index_schema(self) -> None:
        self._schema = None
        self._column = {name: i for i, name in enumerate(self._names)}
        self._label_column = {name: i for i, name in enumerate(self._label_names)}
        self._n_categories = np.array(
            [0 if f.categories is None else len(f.categories) for f in self._features], dtype=np.float64
        )

    def _widen(self, features: tuple[Feature, ...], labels: list, label_names: list, bound: bool) -> None:
        """Take the columns of what stands before it in a pipeline: those it had, and perhaps more."""
        n_features, n_labels = len(self._features), len(self._labels)
        if tuple(self._features) == features and n_labels == len(labels):
            return
        self._check_growth(len(features))
        self._features, self._labels = list(features), list(labels)
        self._names, self._label_names = [feature.name for feature in features], list(label_names)
        self._bound = bound
        self._index_schema()
        self._first_values = np.zeros(len(features))
        self._grown(n_features, n_labels)

    def _check_growth(self, n_features: int) -> None:
        """Called before columns are added, with their number then; raises ValueError where that cannot be."""

    def _grown(self, n_features: int, n_labels: int) -> None:
        """Called after columns were added; ``n_features`` and ``n_labels`` are the numbers there were before."""

    # ------------------------------------------------------------------ arrays

    def _framed(self, X, values: np.ndarray, dtype):
        if not hasattr(X, "columns"):
            return values
        import pandas as pd

        return pd.DataFrame(values.astype(dtype, copy=False), index=X.index, columns=self._label_names)

    def _checked(self, X, Y, ticks=None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
        """X, Y, the rows with missing values and the ticks, all as ``_learn`` wants them; the first give the schema."""
        before = None if self._features or self._labels else copy.deepcopy(self._hidden())
        try:
            if before is not None:
                self._adopt(X, Y)
            X, missing = self._checked_X(X)
            return X, self._checked_Y(Y, len(X)), missing, self._checked_ticks(ticks, len(X))
        except ValueError:
            if before is not None:
                # a bad first chunk must not leave its schema behind
                vars(self).update(before)
            raise

    def _checked_ticks(self, ticks, n: int) -> np.ndarray | None:
        return None

    def _hidden(self) -> dict[str, Any]:
        """All attributes but the parameters."""
        return {name: value for name, value in vars(self).items() if name.startswith("_")}

    def _adopt(self, X, Y) -> None:
        """Take the schema of the first arrays."""
        if getattr(X, "ndim", 0) != 2 or getattr(Y, "ndim", 0) != 2:
            raise ValueError("expected X of shape (n, n_features) and Y of shape (n, n_labels)")
        anonymous = Schema.anonymous(X.shape[1], Y.shape[1])
        features, labels = anonymous.features, anonymous.labels
        if hasattr(X, "columns"):
            features = tuple(
                Feature(str(c), None if not hasattr(X[c], "cat") else tuple(map(str, X[c].cat.categories)))
                for c in X.columns
            )
        if hasattr(Y, "columns"):
            labels = tuple(map(str, Y.columns))
        self._start_schema(Schema(features, labels))

    def _checked_X(self, X) -> tuple[np.ndarray, np.ndarray]:
        """``X`` as float64 in C order with, for each row, whether something in it is missing."""
        if hasattr(X, "columns"):
            X = self._from_frame(X)
        try:
            # all that a kernel is compiled for: another layout, or an array that cannot be written, compiles anew
            X = np.require(X, np.float64, ("C", "A", "W", "E"))
        except (TypeError, ValueError):
            raise ValueError("X: expected numbers; a nominal value goes in as its category's index") from None
        if X.ndim != 2 or X.shape[1] != len(self._features):
            raise ValueError(f"X has the shape {X.shape}; expected (n, {len(self._features)})")
        missing = np.empty(len(X), np.bool_)
        bad = scan(X, self._n_categories, missing)
        if bad >= 0:
            row, column = divmod(bad, X.shape[1])
            feature = self._features[column]
            expected = (
                "a finite number or NaN"
                if feature.categories is None
                else f"the index of a category, 0 to {len(feature.categories) - 1}, or NaN"
            )
            raise ValueError(f"X row {row}, feature {feature.name!r}: {X[row, column].item()!r}; expected {expected}")
        return X, missing

    def _from_frame(self, X: pd.DataFrame) -> np.ndarray:
        table = X.rename(columns=str)
        names = [f.name for f in self._features]
        lacking = [name for name in names if name not in table.columns]
        if lacking:
            raise ValueError(f"X lacks the feature {lacking[0]!r}; it has {list(table.columns)[:8]}")
        values = np.empty((len(table), len(names)))
        for j, feature in enumerate(self._features):
            column = table[feature.name]
            if feature.categories is not None and not np.issubdtype(getattr(column.dtype, "type", object), np.number):
                index = {c: float(i) for i, c in enumerate(feature.categories)}
                index[None] = math.nan
                for row, value in enumerate(column):
                    key = None if value is None or value != value else str(value)
                    if key not in index:
                        raise ValueError(
                            f"X row {row}, feature {feature.name!r}: unknown category {value!r}; "
                            f"expected one of {list(feature.categories)[:8]}"
                        )
                    values[row, j] = index[key]
                continue
            try:
                values[:, j] = column.to_numpy(np.float64, na_value=math.nan)
            except (TypeError, ValueError):
                row, value = next((r, v) for r, v in enumerate(column) if not _is_number(v))
                raise ValueError(f"X row {row}, feature {feature.name!r}: {value!r}; expected a number") from None
        return values

    def _checked_Y(self, Y, n: int) -> np.ndarray:
        if hasattr(Y, "columns"):
            table = Y.rename(columns=str)
            lacking = [name for name in self._labels if name not in table.columns]
            if lacking:
                raise ValueError(f"Y lacks the label {lacking[0]!r}; it has {list(table.columns)[:8]}")
            Y = table[list(self._labels)].to_numpy()
        Y = np.asarray(Y)
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
            values = np.array([[v if _is_flag(v) else -1 for v in row] for row in Y.tolist()], np.int8).reshape(Y.shape)
            flags, bad = values.view(np.uint8), values < 0
        if bad is not None and bad.any():
            row, column = np.argwhere(bad)[0]
            value = Y[row, column]
            value = value.item() if isinstance(value, np.generic) else value
            raise ValueError(f"Y row {row}, label {self._labels[column]!r}: {value!r}; expected 0 or 1")
        return np.require(flags, np.uint8, ("C", "A", "W", "E"))

    # ------------------------------------------------------------------ River

    def _checked_one(self, x: dict, y: dict) -> tuple[np.ndarray, np.ndarray]:
        """One instance as ``_learn`` wants it; names that are new become columns, once all is checked."""
        for label, value in y.items():
            if not _is_flag(value):
                raise ValueError(f"label {label!r}: {value!r}; expected True or False")
        row = self._row(x, grow=True)
        return row, self._flags(y)

    def _row(self, x: dict, *, grow: bool) -> np.ndarray:
        n_features = len(self._features)
        added: dict[Any, float] = {}
        row = np.zeros((1, n_features))
        if self._bound:
            row[:] = math.nan
        else:
            row[0, self._n_categories > 0] = math.nan
        new_categories: dict[int, Feature] = {}
        for name, value in x.items():
            column = self._column.get(name)
            if column is None:
                if grow:
                    added[name] = value
                continue
            feature = self._features[column]
            if value is None or value != value:
                row[0, column] = math.nan
            elif feature.categories is None:
                row[0, column] = self._number(name, value)
            elif not isinstance(value, str):
                row[0, column] = self._category(feature, value)
            elif value in feature.categories:
                row[0, column] = feature.categories.index(value)
            elif grow:
                new_categories[column] = Feature(feature.name, (*feature.categories, value))
                row[0, column] = len(feature.categories)
            else:
                row[0, column] = math.nan
        added = dict(sorted(added.items(), key=lambda item: str(item[0])))
        values = [
            0.0 if isinstance(v, str) else math.nan if v is None else self._number(n, v) for n, v in added.items()
        ]
        self._check_growth(n_features + len(added))
        # all is checked: only now does anything change
        if new_categories:
            for column, feature in new_categories.items():
                self._features[column] = feature
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
        """A nominal value given as its category's index."""
        if not _is_number(value) or value not in range(len(feature.categories)):
            raise ValueError(
                f"feature {feature.name!r}: {value!r}; expected a category, "
                f"or the index of one, 0 to {len(feature.categories) - 1}"
            )
        return float(value)

    @staticmethod
    def _number(name, value) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"feature {name!r}: {value!r}; expected a number") from None
        if math.isinf(number):
            raise ValueError(f"feature {name!r}: {value!r}; expected a finite number, or None where it is missing")
        return number

    def _flags(self, y: dict) -> np.ndarray:
        n_labels = len(self._labels)
        new = [label for label in y if label not in self._label_column]
        if new:
            self._labels.extend(map(str, new))
            self._label_names.extend(new)
            if self._hierarchy is not None:
                # of a label that comes alone nobody has said where it stands: at the top
                self._hierarchy = self._hierarchy.grown((-1,) * len(new))
            self._index_schema()
            self._grown(len(self._features), n_labels)
        flags = np.zeros((1, len(self._labels)), np.uint8)
        for label, value in y.items():
            flags[0, self._label_column[label]] = bool(value)
        return flags

    # ------------------------------------------------------------------ parameters

    def tune(self, **parameters: float) -> None:
        """Change tunable parameters; takes effect with the next instance.

        Raises
        ------
        ValueError
            If a name is not tunable or a value not allowed; nothing is changed then.
        """
        known = {tunable.name: tunable for tunable in self.tunables}
        for name in parameters:
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no tunable parameter {name!r}; "
                    f"tunable are: {', '.join(known) or 'none'}"
                )
        values = {name: known[name].checked(value) for name, value in parameters.items()}
        self._tune(values)
        for name, value in values.items():
            setattr(self, name, value)

    def _tune(self, values: dict[str, int | float]) -> None:
        """Prepare the state for the new values; the attributes still hold the old ones."""

    @property
    def _mutable_attributes(self) -> set[str]:
        return {tunable.name for tunable in self.tunables}

    def mutate(self, new_attrs: dict[str, Any]) -> None:
        """River's name for ``tune``."""
        self.tune(**new_attrs)

    # ------------------------------------------------------------------ state

    def state(self) -> State:
        """Everything the learner is, as a flat dictionary of arrays (copies) and plain values."""
        return {
            "learner": type(self).__name__,
            "parameters": json.dumps(self._stored_parameters()),
            "schema": Schema(tuple(self._features), tuple(self._labels), self._hierarchy).to_json(),
            "names": json.dumps([self._names, self._label_names], default=_plain),
            "bound": self._bound,
            **self._get_state(),
        }

    def _stored_parameters(self) -> dict[str, Any]:
        """What ``from_state`` makes it with, as JSON knows it."""
        return {name: _plain(value) for name, value in self._get_params().items()}

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The learner whose ``state()`` this is: it goes on bit for bit as the other would have.

        Raises
        ------
        ValueError
            If the state belongs to another kind of learner.
        """
        if state.get("learner") != cls.__name__:
            raise ValueError(f"this is the state of {state.get('learner')!r}, not of {cls.__name__!r}")
        self = cls(**json.loads(state["parameters"]))
        self._restore(state)
        return self

    def _restore(self, state: State) -> None:
        """Columns and state, of what has just been made with the state's parameters."""
        schema = Schema.from_json(state["schema"])
        self._features, self._labels = list(schema.features), list(schema.labels)
        self._hierarchy = schema.hierarchy
        self._names, self._label_names = ([_hashable(n) for n in names] for names in json.loads(state["names"]))
        self._index_schema()
        self._bound = bool(state["bound"])
        self._set_state(state)

    def copy(self) -> Self:
        """An independent learner in the same state."""
        return copy.deepcopy(self)

    def save(self, path: str | Path) -> None:
        """Write the state to a safetensors file: arrays as tensors, plain values as JSON in its header. No pickle."""
        from safetensors.numpy import save_file

        state = self.state()
        arrays = {k: np.ascontiguousarray(v) for k, v in state.items() if isinstance(v, np.ndarray)}
        plain = {k: v for k, v in state.items() if k not in arrays}
        save_file(arrays, str(path), metadata={"streamlab": json.dumps(plain)})

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays the learner holds, reserve included."""
        return sum(v.nbytes for v in vars(self).values() if isinstance(v, np.ndarray))

    # ------------------------------------------------------------------ composition

    def __or__(self, other: Any) -> Any:
        """``scaler | projection | learner``: a ``Pipeline`` of streamlab's where all are; with River's, River's."""
        if not isinstance(other, Component):
            return super().__or__(other)
        from streamlab.learners.base.pipeline import Pipeline

        return Pipeline(self, other)

    # ------------------------------------------------------------------ structure

    def nodes(self) -> pd.DataFrame:
        """The structure, one row per node; no row for a learner without one."""
        import pandas as pd

        return pd.DataFrame()

    def take_events(self) -> list[dict[str, Any]]:
        """What happened to the structure since the last call, oldest first; each with ``kind`` and ``message``."""
        return []

    # ------------------------------------------------------------------ for subclasses

    @classmethod
    def prepare(cls) -> None:
        """Load the kernels, or compile them, so that the first chunk is as quick as the next."""
        scan(np.zeros((1, 1)), np.zeros(1), np.zeros(1, np.bool_))

    @abstractmethod
    def _reset(self) -> None:
        """Create the state of a learner that has seen nothing."""

    def _get_state(self) -> State:
        return {}

    def _set_state(self, state: State) -> None:
        pass


class Learner(Component, MultiLabelClassifier):
    """A multi-label stream learner over arrays, which River's dictionaries enter by the columns' names.

    A subclass implements, besides what a ``Component`` asks for, ``_predict`` and ``_learn``.
    """

    predicts_whole_chunks: ClassVar[bool] = True
    """Whether ``test_then_train`` predicts all of its rows before it learns any; False: row by row."""
    structure: ClassVar[str] = ""
    """``"forest"``, ``"tree"`` or ``"hierarchy"``: it has ``node_columns`` and ``describe_node`` for that picture;
    ``"projection"``: ``node_columns`` with a row per class; "": no nodes."""

    # ------------------------------------------------------------------ arrays

    def learn_many(self, X: np.ndarray | pd.DataFrame, Y: np.ndarray | pd.DataFrame) -> None:
        """Learn a chunk; the same result as row by row.

        Parameters
        ----------
        X
            Array of shape (n, n_features) or a DataFrame with the schema's columns; NaN is missing, a nominal value
            its category's index (in a DataFrame also its name).
        Y
            Array of shape (n, n_labels) or a DataFrame, of 0 and 1.

        Raises
        ------
        ValueError
            For a wrong shape, an infinite or non-numeric value, an unknown category or a label other than 0 and 1,
            naming row and column. Nothing of the chunk is learned then.
        """
        X, Y, missing, _ = self._checked(X, Y)
        self._learn(X, Y, missing)

    def predict_many(self, X: np.ndarray | pd.DataFrame) -> np.ndarray | pd.DataFrame:
        """Predict label sets: uint8 of shape (n, n_labels); a DataFrame of bool if ``X`` is one."""
        return self._framed(X, self.answer_many(X)[1], bool)

    def predict_proba_many(self, X: np.ndarray | pd.DataFrame) -> np.ndarray | pd.DataFrame:
        """Score every label: float64 in [0, 1] of shape (n, n_labels); a DataFrame if ``X`` is one."""
        return self._framed(X, self.answer_many(X)[0], np.float64)

    def test_then_train(self, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Predict a chunk, then learn it.

        Parameters are those of ``learn_many``.

        Returns
        -------
        scores : float64 of shape (n, n_labels)
        labels : uint8 of shape (n, n_labels)
        """
        X, Y, missing, _ = self._checked(X, Y)
        return self._test_then_train(X, Y, missing)

    def _test_then_train(self, X, Y, missing):
        answer = self._predict(X, missing)
        self._learn(X, Y, missing)
        return answer

    def answer_many(self, X: np.ndarray | pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        """Scores and labels at once, as ``test_then_train`` returns them, without learning."""
        if not self._features and not self._labels:
            return np.zeros((len(X), 0)), np.zeros((len(X), 0), np.uint8)
        return self._predict(*self._checked_X(X))

    # ------------------------------------------------------------------ River

    def learn_one(self, x: dict, y: dict) -> None:
        """Learn one instance: features ``{name: number | string | None}``, labels ``{label: bool}``."""
        row, flags = self._checked_one(x, y)
        self._learn(row, flags, np.isnan(row).any(axis=1))

    def predict_proba_one(self, x: dict, **kwargs) -> dict[Any, dict[bool, float]]:
        """``{label: {False: 1 - p, True: p}}`` for every label known; ``{}`` before any is."""
        return {
            label: {False: 1.0 - p, True: p}
            for label, p in zip(self._label_names, self._answer_one(x)[0].tolist(), strict=True)
        }

    def predict_one(self, x: dict, **kwargs) -> dict[Any, bool]:
        """``{label: bool}`` for every label known; ``{}`` before any is."""
        return {
            label: bool(flag) for label, flag in zip(self._label_names, self._answer_one(x)[1].tolist(), strict=True)
        }

    def _answer_one(self, x: dict) -> tuple[np.ndarray, np.ndarray]:
        if not self._labels:
            return np.zeros(0), np.zeros(0, np.uint8)
        row = self._row(x, grow=False)
        scores, labels = self._predict(row, np.isnan(row).any(axis=1))
        return scores[0], labels[0]

    # ------------------------------------------------------------------ for subclasses

    @abstractmethod
    def _predict(self, X: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scores (float64) and labels (uint8) of a checked chunk, both (n, n_labels); changes nothing."""

    @abstractmethod
    def _learn(self, X: np.ndarray, Y: np.ndarray, missing: np.ndarray) -> None:
        """Learn a checked chunk, as if row by row."""


def load_model(path: str | Path) -> Component:
    """Read a learner or transformer that ``save`` wrote.

    Raises
    ------
    ValueError
        If the file is not one of streamlab's, naming it.
    """
    from safetensors import SafetensorError, safe_open

    import streamlab

    try:
        with safe_open(str(path), framework="numpy") as file:
            header = (file.metadata() or {}).get("streamlab")
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dictionary)
    except (OSError, SafetensorError) as error:
        raise ValueError(f"{path}: not a model that can be read ({error})") from None
    if header is None:
        raise ValueError(f"{path}: a safetensors file, but not one that a streamlab learner wrote")
    try:
        state = json.loads(header) | arrays
        learner = getattr(streamlab, state["learner"], None)
        if not (isinstance(learner, type) and issubclass(learner, Component)):
            raise ValueError(f"unknown learner {state['learner']!r}")
        return learner.from_state(state)
    except KeyError as error:
        raise ValueError(f"{path}: the model lacks {error}") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def _plain(value: Any) -> Any:
    """A parameter as JSON knows it."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    return value


def _hashable(name: Any) -> Any:
    """A column's name from JSON, which knows no tuples."""
    return tuple(map(_hashable, name)) if isinstance(name, list) else name


def _is_flag(value: Any) -> bool:
    return isinstance(value, (bool, int, float, np.number, np.bool_)) and value in (0, 1)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
