"""What a table of storage may name: refused where a class is defined, not where its first file is opened."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from streamlab._checks import shown
from streamlab.learners.base.dimensions import names_in

KINDS = (int, float, bool)
OWN_SIZES = ("features", "labels")
RESERVED_KEYS = frozenset(
    ("bound", "door_ranges", "door_rows", "door_strays", "format", "learner", "names", "object", "parameters", "schema",
     "steps")
)  # fmt: skip
"""Entries that every state has, or means something by."""


def check_array(name: str, shape: Any, dtype: DTypeLike) -> None:
    """Raise a ValueError unless the shape is a tuple of dimensions, and the dtype one of numbers or flags."""
    if isinstance(shape, str):
        raise ValueError(
            f"Array({name!r}): its shape is the text {shape!r}; expected a tuple, such as ({shape!r},) with a comma"
        )
    if not isinstance(shape, (tuple, list)) or not shape:
        raise ValueError(f"Array({name!r}): its shape is {shown(shape)}; expected a tuple of dimensions, at least one")
    for dimension in shape:
        if isinstance(dimension, (int, np.integer)) and not isinstance(dimension, bool) and dimension >= 0:
            continue
        if isinstance(dimension, str) and dimension.strip() and all(map(str.isidentifier, names_in(dimension))):
            continue
        raise ValueError(
            f"Array({name!r}): a dimension is {shown(dimension)}; expected a whole number, 0 or more, a name, or sums "
            "and products of these, such as '1+labels'"
        )
    try:
        kind: str = np.dtype(dtype).kind
    except TypeError:
        kind = ""
    if kind not in {*"biuf"}:
        raise ValueError(f"Array({name!r}): its dtype is {dtype!r}; expected one of numbers or flags")


def check_number(name: str, kind: Any) -> None:
    """Raise a ValueError unless the kind is one of a plain number or flag."""
    if kind not in KINDS:
        called = getattr(kind, "__name__", shown(kind))
        raise ValueError(f"Number({name!r}): its kind is {called}; expected int, float or bool")


def check_names(kind: Any, base: type, taken: Iterable[str]) -> None:
    """Raise a ValueError if a table of a class's ``storage`` names what has another meaning.

    Parameters
    ----------
    kind
        The class, whose entries are the attributes ``_name``, unless it says otherwise by a ``_take`` of its own.
    base
        The base class, whose methods and columns these may not be.
    taken
        Further attributes of every instance.

    Raises
    ------
    ValueError
        If an entry's attribute or key is taken, a dimension has nearly the name of a known one, or part of one has no
        length, or new columns would not be at its end.
    """
    storage, taken = kind.storage, frozenset(taken)
    are_attributes = all(getattr(kind, verb) is getattr(base, verb) for verb in ("_take", "_kept"))
    for entry in storage:
        what = f"{kind.__name__}.storage: {type(entry).__name__}({entry.name!r})"
        attribute, key = f"_{entry.name}", storage.key_of(entry)
        is_method = callable(getattr(kind, attribute, None)) or hasattr(base, attribute)
        if are_attributes and (attribute in taken or is_method):
            raise ValueError(f"{what} would be the attribute {attribute}, which every learner has: choose another name")
        if key in RESERVED_KEYS:
            raise ValueError(f"{what} would be the entry {key!r}, which every state has: choose another name")
    for array in storage.arrays.values():
        for axis, dimension in enumerate(array.shape):
            what = f"{kind.__name__}.storage: Array({array.name!r}), axis {axis}, is {dimension!r}"
            if kind._grown is base._grown:  # type: ignore[attr-defined]
                _check_growth(what, dimension)
            if kind._sizes is base._sizes and kind._stored_sizes is base._stored_sizes:  # type: ignore[attr-defined]
                _check_sized(what, dimension)


def _check_growth(what: str, dimension: int | str) -> None:
    """Raise a ValueError if new columns would move what the axis already holds: it only grows at its end."""
    *earlier, last = (names_in(term) for term in str(dimension).split("+"))
    grow = [name for term in (*earlier, last) for name in term if name in OWN_SIZES]
    if len(grow) > 1 or (grow and grow[0] not in last):
        raise ValueError(
            f"{what}, which does not grow at its end when {' or '.join(grow)} are added; expected one of "
            f"{' and '.join(OWN_SIZES)}, in the last term, such as '1+{grow[0]}'"
        )


def _check_sized(what: str, dimension: int | str) -> None:
    """Raise a ValueError if the axis has a name that looks like a known one, or is part of a sum or product."""
    for name in names_in(dimension):
        near = difflib.get_close_matches(name, OWN_SIZES, n=1, cutoff=0.8)
        if name not in OWN_SIZES and (near or name != str(dimension).strip()):
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise ValueError(
                f"{what}, and nothing says how long {name!r} is: {meant}Other names than {' and '.join(OWN_SIZES)} "
                "come from _sizes"
            )
