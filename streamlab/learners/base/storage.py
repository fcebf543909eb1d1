"""Storage tables: a learner lists its arrays once; allocation, growth, state, checks and memory follow from the list.

A table names every array with its dimensions, its dtype, what fills it, and the rules its values obey::

    storage = Storage(
        Array("links", ("nodes", 3), np.int64, fill=-1, rules=(
            index_into("nodes", none=-1, columns=(LEFT, RIGHT), where=is_branch),
            index_into("leaves", columns=LEAF, where=is_leaf),
        )),
        Array("totals", ("2*nodes", 5), finite=True),
        Array("weights", ("leaves", "labels*models"), finite=True),
        Array("events", ("events", 10), saved=False),
        Number("key", int, low=0),
    )

A dimension is a whole number, a name, or sums and products of these (``"2*nodes"``, ``"1+labels"``). The length of a
name comes with each call: ``sizes`` are the arrays' lengths, and ``used`` the part of the first dimension that is in
use, which alone is saved and checked. An index may point into the used part only. A dimension that ``sizes`` does not
name is one that data fill: it starts at 0, stays when others are resized, and is as long as a state says. New columns
come at an axis's end, so ``features`` and ``labels`` stand in its last term.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from streamlab._checks import shown
from streamlab.learners.base._kernels import copy_written
from streamlab.learners.base.rows import SparseRows, restored_rows, sparse_state
from streamlab.learners.base.state import contradiction, entry_of
from streamlab.learners.base.storage_rules import Rule, between, check_array, check_number, index_into, length, names_in

__all__ = ["Array", "Number", "Storage", "between", "index_into"]

Sizes = Mapping[str, int]
Arrays = Mapping[str, Any]

# what a restored learner may hold in reserve, relative to what the state holds, and bytes that are always allowed
MOST_RESERVE = 64
# what a count may be at most, as in ``parameters``: floating point adds to it exactly
LARGEST_COUNT = 10**15
ALWAYS_ALLOWED = 2**26
# bytes from which on an array may have whole pages of zeros
LARGE = 2**20


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
        check_array(self.name, self.shape, self.dtype)

    def full_shape(self, sizes: Sizes, otherwise: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Return the shape for these sizes; a dimension without a size is taken from ``otherwise``, or is 0."""
        return tuple(
            length(dimension, sizes)
            if dimension in sizes or all(name in sizes for name in names_in(dimension))
            else 0
            if otherwise is None
            else otherwise[axis]
            for axis, dimension in enumerate(self.shape)
        )

    def used_rows(self, sizes: Sizes, used: Sizes) -> int:
        """Return how much of the first dimension is in use."""
        return length(self.shape[0] if self.used is None else self.used, {**sizes, **used})


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

    def __post_init__(self) -> None:
        check_number(self.name, self.kind)

    def checked(self, owner: str, key: str, value: Any) -> Any:
        """Return the value as its kind, or raise a ValueError that names its key in the state."""
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


class Storage:
    """The table of what a learner keeps.

    Arrays are handed over and returned by name, so that they may be attributes (``_name``) or the fields of a
    NamedTuple: ``Tree(**table.allocate(sizes))``, ``tree._replace(**table.resize(tree._asdict(), sizes))``.

    Parameters
    ----------
    *entries
        ``Array`` and ``Number``, in the order of the state.
    prefix
        Put before every name in the state, such as ``"records."``.
    reserve
        The entry that says how long the arrays are with their reserve, for messages.

    Examples
    --------
    >>> table = Storage(Array("weights", ("labels", 2)), Number("n_seen", int, low=0))
    >>> {name: value.shape for name, value in table.allocate({"labels": 3}).items() if name == "weights"}
    {'weights': (3, 2)}
    """

    def __init__(self, *entries: Array | Number, prefix: str = "", reserve: str = "reserve") -> None:
        self.entries = entries
        self.prefix = prefix
        self.reserve = reserve
        self.arrays: dict[str, Array] = {entry.name: entry for entry in entries if isinstance(entry, Array)}
        self.numbers: dict[str, Number] = {entry.name: entry for entry in entries if isinstance(entry, Number)}
        if len(self.arrays) + len(self.numbers) < len(entries):
            raise ValueError("a storage table has two entries of the same name")

    def __add__(self, other: Storage) -> Storage:
        """Return a table of the entries of both, with this one's prefix."""
        return Storage(*self.entries, *other.entries, prefix=self.prefix, reserve=self.reserve)

    def __iter__(self) -> Iterator[Array | Number]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def key_of(self, entry: Array | Number) -> str:
        """Return the key of an entry in the state."""
        return self.prefix + (entry.key or entry.name)

    def names_of(self, *dimensions: str) -> tuple[str, ...]:
        """Return the names of the arrays whose first dimension contains one of these names."""
        wanted = set(dimensions)
        return tuple(a.name for a in self.arrays.values() if wanted & set(names_in(a.shape[0])))

    # ------------------------------------------------------------------ arrays

    def allocate(self, sizes: Sizes) -> dict[str, Any]:
        """Return new arrays, filled, for these sizes; optional ones are None."""
        return {
            name: None if array.optional else _filled(array.full_shape(sizes), array)
            for name, array in self.arrays.items()
        }

    def resize(self, arrays: Arrays, sizes: Sizes) -> dict[str, Any]:
        """Return those arrays whose shape is another for these sizes, in it: the old part kept, the rest filled."""
        changed: dict[str, Any] = {}
        for name, array in self.arrays.items():
            old = arrays[name]
            if old is None:
                continue
            shape = array.full_shape(sizes, old.shape)
            if isinstance(old, SparseRows):
                changed[name] = old.widened(shape[1])
            elif old.shape != shape:
                if (longer := lengthened(old, shape)) is not None:
                    changed[name] = longer
                    continue
                new = _filled(shape, array)
                if old.nbytes >= LARGE and array.fill == 0 and _is_lengthened(old, shape):
                    copy_written(old.reshape(-1).view(np.int64), new.reshape(-1)[: old.size].view(np.int64))
                elif old.nbytes >= LARGE and array.fill == 0 and _is_widened(old, shape):
                    for slot, wider in zip(old, new, strict=False):
                        copy_written(slot.reshape(-1).view(np.int64), wider.reshape(-1)[: slot.size].view(np.int64))
                else:
                    part = tuple(slice(0, min(a, b)) for a, b in zip(old.shape, shape, strict=True))
                    new[part] = old[part]
                changed[name] = new
        return changed

    def n_bytes(self, arrays: Arrays, names: tuple[str, ...] | None = None) -> int:
        """Return the bytes of the arrays (of those named), reserve included."""
        wanted = tuple(self.arrays) if names is None else names
        return sum(arrays[name].nbytes for name in wanted if arrays[name] is not None)

    # ------------------------------------------------------------------ state

    def state(self, values: Arrays, sizes: Sizes | None = None, used: Sizes | None = None) -> dict[str, Any]:
        """Return the state: copies of the used parts of the arrays that are saved, and the numbers.

        Parameters
        ----------
        values
            Arrays and numbers by name.
        sizes, used
            Needed for arrays that are in use in part: ``used`` overrides ``sizes`` in their first dimension. Without
            ``used`` every array is saved whole.
        """
        state: dict[str, Any] = {}
        for entry in self.entries:
            value = values[entry.name]
            if isinstance(entry, Number):
                state[self.key_of(entry)] = entry.kind(value)
            elif isinstance(value, SparseRows):
                state |= sparse_state(self.key_of(entry), value)
            elif entry.saved and value is not None:
                partly = used and (entry.used is not None or set(names_in(entry.shape[0])) & set(used))
                rows = entry.used_rows(sizes or {}, used or {}) if partly else len(value)
                state[self.key_of(entry)] = value[:rows].copy()
        return state

    def restore(self, owner: str, state: Mapping[str, Any], sizes: Sizes, used: Sizes | None = None) -> dict[str, Any]:
        """Check a state and return its arrays, with their reserve, and its numbers; the state is not kept.

        Parameters
        ----------
        owner
            Name of the learner, for messages.
        state
            What ``state`` returned, perhaps altered.
        sizes
            Lengths of the dimensions, reserve included. A dimension that is named neither here nor in ``used`` is as
            long as the first array with it says, and all others must agree.
        used
            How much of them is in use; may also hold other names that rules refer to.

        Raises
        ------
        ValueError
            Naming the learner, the array, the row and what was expected.
        """
        counts, known = {**sizes, **(used or {})}, dict(sizes)
        for name, count in counts.items():
            if count < 0 or count > known.get(name, count):
                raise contradiction(owner, f"{count} {name} in use; expected 0 to {known.get(name, 'any number')}")
        restored: dict[str, Any] = {}
        for entry in self.entries:
            if isinstance(entry, Array) and not entry.saved:
                continue
            key = self.key_of(entry)
            if isinstance(entry, Array) and entry.sparse and f"{key}.indptr" in state:
                restored[entry.name] = restored_rows(owner, state, key, entry, known, counts)
                continue
            if key not in state:
                if isinstance(entry, Array) and entry.optional:
                    restored[entry.name] = None
                    continue
                entry_of(owner, state, key)
            if isinstance(entry, Number):
                restored[entry.name] = entry.checked(owner, key, state[key])
            else:
                restored[entry.name] = self._checked_shape(owner, entry, state[key], known, counts)
        for name, values in restored.items():
            if values is not None and name in self.arrays and not isinstance(values, SparseRows):
                self._check_values(owner, self.arrays[name], values, restored, counts)
        self._check_reserve(owner, restored, known)
        for name, array in self.arrays.items():
            part = restored.get(name)
            if array.optional and part is None:
                restored[name] = None
                continue
            shape = array.full_shape(known)
            if isinstance(part, SparseRows):
                continue
            if part is None:
                restored[name] = _filled(shape, array)
                continue
            if len(part) > shape[0]:
                raise contradiction(owner, f"{name} has {len(part)} rows; expected at most {shape[0]}")
            restored[name] = _filled(shape, array)
            restored[name][: len(part)] = part
        return restored

    def _checked_shape(
        self, owner: str, array: Array, values: Any, known: dict[str, int], counts: dict[str, int]
    ) -> np.ndarray:
        key = self.key_of(array)
        if not isinstance(values, np.ndarray):
            raise contradiction(owner, f"{key} is a {type(values).__name__}; expected an array")
        if values.dtype != np.dtype(array.dtype):
            raise contradiction(owner, f"{key} is {values.dtype}; expected {np.dtype(array.dtype)}")
        fits = values.ndim == len(array.shape)
        for axis, dimension in enumerate(array.shape if fits else ()):
            if axis == 0 and array.used is not None:
                dimension = array.used
            if isinstance(dimension, str) and dimension.isidentifier() and dimension not in counts:
                # the file alone says how long it is
                known[dimension] = counts[dimension] = values.shape[axis]
            fits = fits and values.shape[axis] == length(dimension, counts if axis == 0 else known)
        if not fits:
            expected = ", ".join(
                f"{d}={length(d, counts if axis == 0 else known)}" if isinstance(d, str) else str(d)
                for axis, d in enumerate(array.shape)
                if not isinstance(d, str) or all(name in counts for name in names_in(d))
            )
            raise contradiction(owner, f"{key} has the shape {values.shape}; expected ({expected})")
        return values

    def _check_values(self, owner: str, array: Array, values: np.ndarray, restored: Arrays, counts: Sizes) -> None:
        if array.finite and not np.isfinite(values).all():
            place = tuple(int(i) for i in np.unravel_index(int(np.argmin(np.isfinite(values))), values.shape))
            raise self._misfit(owner, array, values, place, "a finite number")
        if array.rising and len(values) > 1 and (values[1:] <= values[:-1]).any():
            row = int(np.argmax(values[1:] <= values[:-1])) + 1
            raise self._misfit(owner, array, values, (row,), "more than the one before")
        for rule in array.rules:
            bad = rule.first_bad(values, restored, counts)
            if bad is not None:
                raise self._misfit(owner, array, values, bad, rule.expected(counts))

    def _misfit(
        self, owner: str, array: Array, values: np.ndarray, place: tuple[int, ...], expected: str
    ) -> ValueError:
        where = f" row {place[0]}" + "".join(f", column {i}" for i in place[1:])
        return contradiction(owner, f"{self.key_of(array)}{where} is {values[place].item()}; expected {expected}")

    def _check_reserve(self, owner: str, restored: Arrays, known: Sizes) -> None:
        """Refuse a state that asks for much more memory than it holds."""
        held = sum(value.nbytes for value in restored.values() if isinstance(value, (np.ndarray, SparseRows)))
        there = {name: restored.get(name) for name in self.arrays}
        asked = sum(
            math.prod(array.full_shape(known)) * np.dtype(array.dtype).itemsize
            for name, array in self.arrays.items()
            if not (array.optional and there[name] is None) and not isinstance(there[name], SparseRows)
        )
        most = MOST_RESERVE * held + ALWAYS_ALLOWED
        if asked > most:
            lengths = ", ".join(f"{name}={size}" for name, size in known.items())
            raise contradiction(
                owner, f"{self.reserve}: {lengths} would take {asked:,} bytes; expected at most {most:,} for its arrays"
            )


def _filled(shape: tuple[int, ...], array: Array) -> np.ndarray:
    """Return a new array; of zeros the system gives memory when they are written to, and a reserve takes none."""
    if array.fill != 0:
        return np.full(shape, array.fill, array.dtype)
    dtype = np.dtype(array.dtype)
    large = shape[0] > 0 and math.prod(shape) * dtype.itemsize >= LARGE
    return zeros_with_spare_rows(shape, dtype) if large else np.zeros(shape, dtype)


def _is_lengthened(old: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Return whether an array of numbers of 8 bytes only gets more rows."""
    return bool(old.itemsize == 8 and old.flags.c_contiguous and old.shape[1:] == shape[1:] and len(old) < shape[0])


def _is_widened(old: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Return whether an array of numbers of 8 bytes gets more entries along its second axis, and loses no row."""
    is_plain = old.itemsize == 8 and old.flags.c_contiguous and len(shape) > 1
    return bool(is_plain and old.shape[2:] == shape[2:] and old.shape[1] < shape[1] and len(old) <= shape[0])


# Large arrays have room for more rows behind them, which takes no memory until it is written to. To lengthen such an
# array copies nothing: it is a view of the first rows of a longer one of zeros, which begin with a large page: the
# system grants one in a tenth of the time that its small ones take.
# Rows of the long array for each row asked for, and the least bytes: beyond them the C library asks the system for
# memory, and writes no zeros itself
SPARE, LEAST = 4, 1 << 25
# bytes of a large page
PAGE = 1 << 21

# by the id of the bytes of a long array: these, weakly, and how many of them were ever given out
_given: dict[int, tuple[Any, int]] = {}


def zeros_with_spare_rows(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    """Return new zeros; where the system grants it, with spare rows behind them."""
    n_bytes = math.prod(shape) * dtype.itemsize
    try:
        long = np.zeros(max(SPARE * n_bytes, LEAST) + PAGE, np.uint8)
    except MemoryError:
        return np.zeros(shape, dtype)
    key = id(long)
    _given[key] = weakref.ref(long, lambda _: _given.pop(key, None)), n_bytes
    return _rows(long, shape, dtype)


def lengthened(old: np.ndarray, shape: tuple[int, ...]) -> np.ndarray | None:
    """Return ``old`` with more rows of zeros, in this shape and sharing its memory, or None if it has no room for them.

    What an array of one row has along its second axis counts as rows too, and so on. Memory that was given out before
    is not given out again, as it may hold something.
    """
    long: Any = old.base
    if long is None or id(long) not in _given:
        return None
    known, given = _given[id(long)]
    if known() is not long or not old.flags.c_contiguous or _start(old) != _first(long):
        return None
    n_bytes = math.prod(shape) * old.itemsize
    if not (old.nbytes == given <= n_bytes <= len(long) - PAGE and _has_more_rows(old.shape, shape)):
        return None
    _given[id(long)] = known, n_bytes
    return _rows(long, shape, old.dtype)


def _has_more_rows(old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Return whether what an array of one shape holds is, in order, the first that one of the other shape holds."""
    axis = next((i for i, n in enumerate(new) if n != 1), 0)
    return old[:axis] == new[:axis] and old[axis + 1 :] == new[axis + 1 :]


def _rows(long: np.ndarray, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    """Return the first rows of what lies in these bytes, from the first large page on."""
    first = _first(long) - _start(long)
    return long[first : first + math.prod(shape) * dtype.itemsize].view(dtype).reshape(shape)


def _first(long: np.ndarray) -> int:
    return -(-_start(long) // PAGE) * PAGE


def _start(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])
