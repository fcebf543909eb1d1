"""A learner's state: its columns in it, and copies of what it keeps."""

from __future__ import annotations

import copy
import json
from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from streamlab._checks import one_line, shown
from streamlab.bundle import Bundle
from streamlab.learners.base.outlier_guard import OutlierGuard
from streamlab.learners.base.parameters import plain
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.base.saving import State, contradiction, entry_of, json_entry
from streamlab.learners.base.sklearn_adapter import restore_classes
from streamlab.learners.base.storage import Number
from streamlab.schema import NumberedNames, Schema


def columns_state(model: Any) -> State:
    """Return the entries of a state that say a learner's columns."""
    # numbered columns have the names of the schema
    names = None if isinstance(model._names, NumberedNames) else model._names
    return {
        "schema": Schema(model._features, tuple(model._labels), model._hierarchy).to_json(),
        "names": json.dumps([names, model._label_names], default=plain),
        "bound": model._bound,
        **({} if model._classes is None else {"one_class": True}),
    }


def restore_columns(model: Any, owner: str, state: State) -> None:
    """Take the columns of a state, or raise a ValueError where it contradicts itself."""
    try:
        schema = Schema.from_json(entry_of(owner, state, "schema"))
    except ValueError as error:
        raise contradiction(owner, f"schema: {one_line(error)}") from None
    model._take_features(schema.features)
    model._labels, model._hierarchy = list(schema.labels), schema.hierarchy
    names = json_entry(owner, state, "names", list)
    numbered = model._names if names[:1] == [None] and isinstance(model._names, NumberedNames) else None
    sides: list[Any] = names if numbered is None else [numbered, *names[1:]]
    if [len(side) if isinstance(side, (list, NumberedNames)) else -1 for side in sides] != [
        schema.n_features,
        schema.n_labels,
    ]:
        raise contradiction(
            owner,
            f"names are not its schema's; expected a list of {schema.n_features} features' names and one of "
            f"{schema.n_labels} labels'",
        )
    model._names = [_hashable(owner, name) for name in sides[0]] if numbered is None else numbered
    model._label_names = [_hashable(owner, name) for name in sides[1]]
    for what, side in (("feature", model._names), ("label", model._label_names)):
        if side is not numbered and len(set(side)) < len(side):
            raise contradiction(owner, f"names have a {what} twice; expected each once")
    model._index_schema()
    model._bound = Number("bound", bool).checked(owner, "bound", entry_of(owner, state, "bound"))
    restore_classes(model, owner, state)


def _hashable(owner: str, name: Any) -> Any:
    """Return a column's name from JSON, which has no tuples; raise a ValueError if it is not a valid name."""
    if isinstance(name, dict):
        raise contradiction(owner, f"names have {shown(name)}; expected names of columns")
    return tuple(_hashable(owner, part) for part in name) if isinstance(name, list) else name


def tuned_on(owner: str, state: State) -> dict[str, Any]:
    """Return on which rows, by a state, the parameters were chosen."""
    told = json_entry(owner, state, "tuned_on", dict)
    first = told.get("first rows")
    rows = (told.get("rows"), first.get("rows") if isinstance(first, dict) else None)
    if not isinstance(told.get("stream"), str) or not all(type(n) is int and n >= 0 for n in rows):
        raise contradiction(owner, f"tuned_on is {shown(told)}; expected a stream and its rows")
    return told


def detached(value: Any) -> Any:
    """Return a copy of an array, of a tuple or bundle of arrays, or of a container; anything else as it is."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(detached, value))
    if isinstance(value, OutlierGuard):
        return copy.deepcopy(value)
    if isinstance(value, Bundle):
        return type(value)(**{name: array.copy() for name, array in value.asdict().items()})
    return copy.copy(value) if isinstance(value, (np.ndarray, list, dict, set, deque)) else value


def bytes_of(values: Iterable[Any]) -> int:
    """Return the bytes of arrays, and of those in tuples and bundles of arrays."""
    # that module imports this one
    from streamlab.learners.base.point_learner import InvertedIndex

    kept, n_bytes = (np.ndarray, SparseRows, InvertedIndex, OutlierGuard), 0
    for value in values:
        is_group = isinstance(value, Bundle) or (isinstance(value, tuple) and hasattr(value, "_fields"))
        n_bytes += sum(each.nbytes for each in (value if is_group else [value]) if isinstance(each, kept))
    return n_bytes
