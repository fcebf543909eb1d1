"""Learners of other packages: arrays that they are handed are others' too, and arrays that they return may be."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from streamlab._foreign import is_foreign, read_only
from streamlab.learners.base.sparse_rows import SparseRows

BASE = __name__.rpartition(".")[0]
TAKE_ROWS = ("_learn", "_transform", "_learn_rescaled", "learn_many", "predict_many", "predict_proba_many")
ANSWER = ("_predict", "_test_then_train", "answer_many", "test_then_train")


def guard(kind: type) -> None:
    """Let the methods that a foreign class itself defines have rows that cannot be written to, and copy its answers.

    A class made of one of this package's learners hands its rows on to kernels, which would be compiled once more for
    arrays that are read-only: it gets copies.
    """
    if not is_foreign(kind):
        return
    hands_on = any(not is_foreign(each) and not each.__module__.startswith(BASE) for each in kind.__mro__)
    handed = _copied if hands_on else _shown
    for name in (*TAKE_ROWS, *ANSWER):
        method = vars(kind).get(name)
        if hasattr(method, "__code__"):
            setattr(kind, name, _guarded(method, handed, name in ANSWER))


def _guarded(method: Any, handed: Callable[[Any], Any], answers: bool) -> Any:
    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        found = method(self, *map(handed, args), **{name: handed(value) for name, value in kwargs.items()})
        if answers and isinstance(found, tuple):
            # it may write its next answers to the same arrays
            return tuple(each.copy() if isinstance(each, np.ndarray) else each for each in found)
        return found

    return call


def _shown(value: Any) -> Any:
    if isinstance(value, SparseRows):
        indptr, indices, data = map(read_only, value.arrays)
        return SparseRows(indptr, indices, data, value.n_features)
    return read_only(value)


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (np.ndarray, SparseRows)) else read_only(value)
