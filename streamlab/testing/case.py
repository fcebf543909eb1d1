"""What promises are checked on: a learner, rows that it can learn, and comparisons that say what is not the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from streamlab.learners.base.learner import ROUNDING
from streamlab.schema import Feature, Schema

N_ROWS, N_LEARNED = 120, 80
DEFAULT_SCHEMA = Schema(
    (*(Feature(f"x{i}") for i in range(3)), Feature("colour", ("red", "green", "blue"))), ("a", "b", "c")
)


@dataclass(frozen=True)
class Case:
    """A way to make the learner, and rows that it can learn: the labels depend on the features, and change half-way."""

    make: Callable[[], Any]
    schema: Schema
    n: int = N_ROWS

    @cached_property
    def X(self) -> np.ndarray:
        rng = np.random.default_rng(0)
        widths = [len(feature.categories or ()) for feature in self.schema.features]
        X = rng.random((self.n, len(widths)))
        for column, width in enumerate(widths):
            X[:, column] = np.floor(X[:, column] * width) if width else X[:, column]
        return X

    @cached_property
    def Y(self) -> np.ndarray:
        rng = np.random.default_rng(1)
        Z = (self.X - self.X.mean(axis=0)) @ rng.normal(size=(self.X.shape[1], self.schema.n_labels))
        Z[self.n // 2 :] = np.roll(Z[self.n // 2 :], 1, axis=1)
        return (Z > 0).astype(np.uint8)

    @property
    def rows(self) -> list[tuple[dict, dict]]:
        """The rows as River's dictionaries."""
        return [(self.row(x), self.flags(y)) for x, y in zip(self.X, self.Y, strict=True)]

    def row(self, x: np.ndarray) -> dict[str, Any]:
        return {
            f.name: None if math.isnan(v) else f.categories[int(v)] if f.categories else v
            for f, v in zip(self.schema.features, x.tolist(), strict=True)
        }

    def flags(self, y: np.ndarray) -> dict[Any, bool]:
        return dict(zip(self.schema.labels, map(bool, y.tolist()), strict=True))

    def frames(self, X: np.ndarray, Y: np.ndarray) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Rows as tables, whose columns are in another order, with one too many."""
        table = pd.DataFrame([self.row(x) for x in X], columns=[f.name for f in self.schema.features])
        return table[table.columns[::-1]].assign(unknown=1), pd.DataFrame(Y, columns=list(self.schema.labels))

    def bound(self) -> Any:
        return self.make().bind(self.schema)

    def learned(self) -> Any:
        """One that has learned the first rows."""
        model = self.bound()
        model.learn_many(self.X[:N_LEARNED], self.Y[:N_LEARNED])
        return model

    def go_on(self, model: Any) -> None:
        model.learn_many(self.X[N_LEARNED:], self.Y[N_LEARNED:])


def state_of(model: Any) -> dict[str, Any]:
    """Return the state; {} for one that has none, which breaks the promise of states alone."""
    try:
        return model.state()
    except ValueError:
        return {}


def same(one: Any, other: Any, what: str) -> None:
    """Raise an AssertionError unless two arrays, states or pairs of arrays are equal to the bit."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), f"{what}: the state has other entries: {sorted(one.keys() ^ other.keys())}"
        for key, value in one.items():
            same(value, other[key], f"{what}, {key}")
    elif isinstance(one, tuple):
        for value, its, name in zip(one, other, ("scores", "labels"), strict=True):
            same(value, its, f"{what}, {name}")
    elif not np.array_equal(one, other, equal_nan=isinstance(one, np.ndarray) and one.dtype.kind == "f"):
        raise AssertionError(f"{what}: expected the same, to the bit")


def same_models(case: Case, one: Any, other: Any, what: str) -> None:
    """Raise an AssertionError unless two learners answer the same, now and after they have learned more."""
    for moment in ("", ", after more rows"):
        same(one.answer_many(case.X), other.answer_many(case.X), what + moment)
        case.go_on(one)
        case.go_on(other)


def clean(answer: tuple[np.ndarray, np.ndarray], shape: tuple[int, int]) -> None:
    """Raise an AssertionError unless an answer is scores in [0, 1] and labels of 0 and 1, of this shape."""
    scores, labels = answer
    for values, dtype, name in ((scores, np.float64, "scores"), (labels, np.uint8, "labels")):
        assert values.shape == shape, f"{name} have the shape {values.shape}; expected {shape}"
        assert values.dtype == dtype, f"{name} are {values.dtype}; expected {np.dtype(dtype)}"
    assert np.isfinite(scores).all(), "a score is NaN or infinite; expected a number in [0, 1]"
    assert scores.min(initial=0) >= -ROUNDING, f"a score is {scores.min()}; expected a number in [0, 1]"
    assert scores.max(initial=0) <= 1 + ROUNDING, f"a score is {scores.max()}; expected a number in [0, 1]"
    assert labels.max(initial=0) <= 1, "a label is neither 0 nor 1"


def failure(call: Callable[..., object], *given: Any, **named: Any) -> Exception | None:
    """Return what the call raises, or None."""
    try:
        call(*given, **named)
    except Exception as error:
        return error
    return None


def refused(what: str, call: Callable[..., object], *given: Any, **named: Any) -> None:
    """Raise an AssertionError unless the call raises a ValueError that says something."""
    error = failure(call, *given, **named)
    if error is None:
        raise AssertionError(f"{what}: taken; expected a ValueError")
    assert isinstance(error, ValueError), f"{what}: {type(error).__name__}: {error}; expected a ValueError"
    assert str(error), f"{what}: a ValueError without a word; expected what is wrong, and what was expected"
