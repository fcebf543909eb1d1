"""Entries of a table: arrays with their dimensions, the rules of their values, numbers; what a declaration must say."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from streamlab._checks import shown
from streamlab.learners.base.state import contradiction, entry_of

__all__ = ["Array", "Number", "between", "index_into"]


def length(dimension: int | str, sizes: Mapping[str, int]) -> int:
    """Return the length of a dimension: a whole number, a name, or sums and products of these."""
    if not isinstance(dimension, str):
        return int(dimension)
    if dimension in sizes:
        return int(sizes[dimension])
    terms = _terms(dimension)
    return sum([math.prod([factor if isinstance(factor, int) else int(sizes[factor]) for factor in t]) for t in terms])


@cache
def names_in(dimension: int | str) -> tuple[str, ...]:
    """Return the names in a dimension."""
    if not isinstance(dimension, str):
        return ()
    return tuple(factor for term in _terms(dimension) for factor in term if isinstance(factor, str))


@cache
def _terms(dimension: str) -> tuple[tuple[int | str, ...], ...]:
    """Return the terms of a dimension, each as its factors: numbers and names."""
    return tuple(
        tuple(int(factor) if factor.isdigit() else factor for factor in map(str.strip, term.split("*")))
        for term in dimension.split("+")
    )


Sizes = Mapping[str, int]
Arrays = Mapping[str, Any]


@dataclass(frozen=True)
class Rule:
    """A range that values of an array lie in; made by ``index_into`` and ``between``.

    Parameters
    ----------
    low, high
        The least and the largest value allowed: numbers, or dimensions; None: no bound.
    below
        A dimension that values lie below, as indices do. Used instead of ``high``.
    columns
        The column (last axis) that the rule is about, or several. None: all.
    where
        A function of all arrays of the state by name that returns the rows it is about, bool (rows,). None: all.
    none
        A value that is allowed as well, such as -1 for "nowhere".
    missing
        Whether NaN is allowed as well.
    once
        Whether no two of these values may be equal, but for ``none``.
    """

    low: float | str | None = None
    high: float | str | None = None
    below: str | None = None
    columns: Any = None
    where: Callable[[Arrays], np.ndarray] | None = None
    none: int | None = None
    missing: bool = False
    once: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.columns, int):
            object.__setattr__(self, "columns", (self.columns,))

    def bounds(self, counts: Sizes) -> tuple[float | None, float | None]:
        """Return the least and the largest value allowed, both included, besides ``none``."""
        low = self.low if self.low is None or not isinstance(self.low, str) else length(self.low, counts)
        if self.below is not None:
            return low, length(self.below, counts) - 1
        high = self.high if self.high is None or not isinstance(self.high, str) else length(self.high, counts)
        return low, high

    def expected(self, counts: Sizes) -> str:
        """Return what is expected, in words."""
        low, high = self.bounds(counts)
        if self.below is not None:
            text = f"an index into the {length(self.below, counts)} {self.below} in use"
        elif low is not None and high is not None:
            text = f"{low:g} to {high:g}"
        else:
            text = f"at least {low:g}" if low is not None else f"at most {high:g}"
        text += ", or NaN" * self.missing + ", each once" * self.once
        return text if self.none is None else f"{text}, or {self.none}"

    def first_bad(self, values: np.ndarray, arrays: Arrays, counts: Sizes) -> tuple[int, ...] | None:
        """Return the index of the first value outside the range, or None."""
        low, high = self.bounds(counts)
        rows = None if self.where is None else np.flatnonzero(self.where(arrays))
        chosen = values if rows is None else values[rows]
        if self.columns is not None:
            chosen = chosen[..., list(self.columns)]
        bad = np.zeros(chosen.shape, np.bool_)
        if low is not None:
            bad |= ~(chosen >= low)
        if high is not None:
            bad |= ~(chosen <= high)
        if self.none is not None:
            bad &= chosen != self.none
        if self.missing:
            bad &= chosen == chosen
        if self.once and not bad.any():
            bad = repeated(chosen, chosen != self.none)
        if not bad.any():
            return None
        place = [int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape)]
        if self.columns is not None:
            place[-1] = self.columns[place[-1]]
        if rows is not None:
            place[0] = int(rows[place[0]])
        return tuple(place)


def repeated(values: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Return which of the chosen values an earlier chosen one equals, in their order: bool, as the values."""
    flat, places = values.ravel(), np.flatnonzero(chosen)
    bad, first = np.zeros(values.shape, np.bool_), np.unique(flat[places], return_index=True)[1]
    bad.ravel()[np.delete(places, first)] = True
    return bad


def index_into(dimension: str, **words: Any) -> Rule:
    """Return the rule that values are indices into the used part of a dimension.

    Parameters
    ----------
    dimension
        Name of the dimension that the values point into.
    words
        ``none``, ``columns``, ``where`` and ``once`` as in ``Rule``.

    Returns
    -------
    Rule

    Examples
    --------
    >>> from streamlab.learners import Array
    >>> parents = Array("parents", ("nodes",), "int64", rules=(index_into("nodes", none=-1),))
    """
    return Rule(low=0, below=dimension, **words)


def between(low: float | str | None, high: float | str | None = None, **words: Any) -> Rule:
    """Return the rule that values lie from ``low`` to ``high``, both included.

    Parameters
    ----------
    low, high
        A number, or a dimension as in ``Rule``; None: no bound.
    words
        ``none``, ``columns``, ``where``, ``missing`` and ``once`` as in ``Rule``.

    Returns
    -------
    Rule

    Examples
    --------
    >>> from streamlab.learners import Array
    >>> share = Array("chosen", ("labels",), "int64", rules=(between(0, 2),))
    """
    return Rule(low, high, **words)


@dataclass(frozen=True)
class Consistent(Rule):
    """A rule about several arrays at once.

    Parameters
    ----------
    finds_bad
        Called with all arrays by name; returns a flag for each row, true where the row breaks the rule.
    wanted
        What is expected, in words.
    """

    finds_bad: Callable[[Arrays], Any] = np.zeros
    wanted: str = ""

    def expected(self, counts: Sizes) -> str:
        return self.wanted

    def first_bad(self, values: np.ndarray, arrays: Arrays, counts: Sizes) -> tuple[int, ...] | None:
        bad = np.atleast_1d(self.finds_bad(arrays))
        return (int(np.argmax(bad)), *(self.columns or ())) if bad.any() else None


def consistent(finds_bad: Callable[[Arrays], Any], wanted: str, column: int | None = None) -> Rule:
    """Return the rule that ``finds_bad`` flags no row, or, of numbers, nothing; ``wanted`` says what is expected."""
    return Consistent(columns=column, finds_bad=finds_bad, wanted=wanted)


OWN_SIZES = ("features", "labels")
RESERVED_KEYS = frozenset(
    ("bound", "door_ranges", "door_rows", "door_strays", "format", "learner", "names", "object", "parameters", "schema",
     "steps")
)  # fmt: skip
"""Entries that every state has, or means something by."""


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
        attribute, key = f"_{entry.name}", storage.key_of(entry)
        is_taken = attribute in taken or callable(getattr(kind, attribute, None)) or hasattr(base, attribute)
        meant = f"the entry {key!r}, which every state has" if key in RESERVED_KEYS else ""
        if are_attributes and is_taken:
            meant = f"the attribute {attribute}, which every learner has"
        if meant:
            what = f"{kind.__name__}.storage: {type(entry).__name__}({entry.name!r})"
            raise ValueError(f"{what} would be {meant}: choose another name")
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
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(
                f"{what}, and nothing says how long {name!r} is{meant} Other names than these come from _sizes"
            )


# what a count may be at most, as in ``parameters``: floating point adds to it exactly
LARGEST_COUNT = 10**15


@dataclass(frozen=True)
class Array:
    """One array of a table.

    Parameters
    ----------
    name
        Its name: the key in the state, and the attribute ``_name`` or the field of a NamedTuple.
    shape
        Its dimensions, each a whole number, a name, or sums and products of these.
    dtype
        Its dtype, which a state must have exactly.
    fill
        What new entries hold.
    rules
        Ranges of its values, made by ``index_into`` and ``between``.
    finite
        Whether NaN and infinity are refused.
    rising
        Whether the values rise along the first axis, none equal to the one before.
    used
        How much of the first dimension is in use, as a dimension. Default: the first of ``shape``, with the names in
        ``used`` of the call.
    saved
        Whether it is part of the state. If not, it is filled when a state is restored.
    optional
        Whether it may be None, and is then not part of the state.
    sparse
        Whether it may be ``SparseRows`` instead, whose arrays then are in the state: ``key.indptr`` and so on.
    key
        Its key in the state, where that is not its name.

    Examples
    --------
    >>> from streamlab.learners.base.storage import Storage
    >>> Storage(Array("sums", ("labels", "features"))).allocate({"labels": 2, "features": 3})["sums"].shape
    (2, 3)
    """

    name: str
    shape: tuple[int | str, ...]
    dtype: DTypeLike = np.float64
    fill: float = 0
    rules: tuple[Rule, ...] = ()
    finite: bool = False
    rising: bool = False
    used: str | None = None
    saved: bool = True
    optional: bool = False
    sparse: bool = False
    key: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.shape, tuple) or not self.shape or np.dtype(self.dtype).kind not in "biuf":
            raise ValueError(
                f"Array({self.name!r}): shape {shown(self.shape)}, dtype {self.dtype!r}; expected a tuple of "
                "dimensions, such as ('labels', 2), and numbers or flags"
            )

    def full_shape(self, sizes: Sizes, otherwise: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Return the shape for these sizes; a dimension without a size is taken from ``otherwise``, or is 0."""
        shape = [0] * len(self.shape) if otherwise is None else list(otherwise)
        for axis, dimension in enumerate(self.shape):
            if dimension in sizes:
                shape[axis] = int(sizes[dimension])  # type: ignore[index]
            elif sizes.keys() >= set(names_in(dimension)):
                shape[axis] = length(dimension, sizes)
        return tuple(shape)


@dataclass(frozen=True)
class Number:
    """A plain value of the state, kept in the attribute ``_name``.

    Parameters
    ----------
    name
        Its name.
    kind
        ``int``, ``float`` or ``bool``.
    low, high
        The least and the largest value allowed; None: no bound, but 10¹⁵ in magnitude for a whole number.
    start
        Its value where nothing has been learned.
    key
        Its key in the state, where that is not its name.

    Examples
    --------
    >>> Number("n_seen", int, low=0)
    Number(name='n_seen', kind=<class 'int'>, low=0, high=None, start=0, key='')
    """

    name: str
    kind: type = int
    low: float | None = None
    high: float | None = None
    start: Any = 0
    key: str = ""

    def read(self, owner: str, state: Mapping[str, Any], key: str = "") -> Any:
        """Return the value in a state as its kind, or raise a ValueError that names its key there."""
        key = key or self.key or self.name
        value = entry_of(owner, state, key)
        allowed = {int: (int, np.integer), float: (int, float, np.integer, np.floating), bool: (bool, np.bool_)}
        fits = isinstance(value, allowed[self.kind]) and (self.kind is bool) == isinstance(value, (bool, np.bool_))
        low, high = self.low, self.high
        if self.kind is int:
            low, high = -LARGEST_COUNT if low is None else low, LARGEST_COUNT if high is None else high
        if fits and low is not None:
            fits = value >= low
        if fits and high is not None:
            fits = value <= high
        if not fits:
            names = {int: "a whole number", float: "a number", bool: "True or False"}
            limits = "" if low is None else f", at least {low:g}"
            limits += "" if high is None else f", at most {high:g}"
            raise contradiction(owner, f"{key} is {shown(value)}; expected {names[self.kind]}{limits}")
        return self.kind(value)
