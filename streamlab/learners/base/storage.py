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
from types import MappingProxyType
from typing import Any

import numpy as np

from streamlab.detectors._adwin import LEVELS, MAX_BUCKETS, WIDTH
from streamlab.learners.base._kernels import copy_written
from streamlab.learners.base.parameters import Kept
from streamlab.learners.base.rows import SparseRows, restored_rows, sparse_state
from streamlab.learners.base.state import contradiction, entry_of
from streamlab.learners.base.storage_rules import Array, Number, between, consistent, index_into, length, names_in
from streamlab.learners.base.storage_rules import Rule as Rule

__all__ = ["Array", "Number", "Storage", "between", "index_into"]

Sizes = Mapping[str, int]
Arrays = Mapping[str, Any]

# what a restored learner may hold in reserve, relative to what the state holds, and bytes that are always allowed
MOST_RESERVE = 64
ALWAYS_ALLOWED = 2**26
KINDS_BY_NAME = {"int": int, "float": float, "bool": bool}
# bytes from which on an array may have whole pages of zeros
LARGE = 2**20


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
        # of each dimension that is a name the first array that has it, and which of its axes it is
        self.place_of = {
            dimension: (array.name, axis)
            for array in reversed(self.arrays.values())
            for axis, dimension in enumerate(array.shape)
            if isinstance(dimension, str) and dimension.isidentifier()
        }

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

    def of(self, *groups: Any) -> dict[str, Any]:
        """Return the arrays of the table that named tuples have, by name."""
        return {name: getattr(group, name) for group in groups for name in group._fields if name in self.arrays}

    def sizes_of(self, arrays: Arrays) -> dict[str, int]:
        """Return the lengths of the dimensions as the arrays have them."""
        return {dimension: arrays[name].shape[axis] for dimension, (name, axis) in self.place_of.items()}

    def resize(
        self, arrays: Arrays, sizes: Sizes, moved: Mapping[Any, np.ndarray] = MappingProxyType({})
    ) -> dict[str, Any]:
        """Return those arrays whose shape is another for these sizes, in it: the old part kept, the rest filled.

        ``moved`` says by dimension where the old entries are now, int64; without it they stay where they were.
        """
        changed: dict[str, Any] = {}
        for name, array in self.arrays.items():
            old = arrays[name]
            if old is None:
                continue
            shape = array.full_shape(sizes, old.shape)
            if isinstance(old, SparseRows):
                changed[name] = old.widened(shape[1])
            elif old.size and not moved.keys().isdisjoint(array.shape):
                places = [moved.get(dimension, np.arange(n)) for dimension, n in zip(array.shape, shape, strict=True)]
                part = tuple(slice(0, min(len(at), n)) for at, n in zip(places, old.shape, strict=True))
                changed[name] = new = _filled(shape, array)
                new[np.ix_(*(at[: old[part].shape[axis]] for axis, at in enumerate(places)))] = old[part]
            elif old.shape != shape:
                if (longer := lengthened(old, shape)) is not None:
                    changed[name] = longer
                    continue
                changed[name] = new = _filled(shape, array)
                _copy(old, new, array.fill == 0)
        return changed

    def n_bytes(self, arrays: Arrays) -> int:
        """Return the bytes of the arrays, reserve included."""
        return sum(arrays[name].nbytes for name in self.arrays if arrays[name] is not None)

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
                first = entry.shape[0] if entry.used is None else entry.used
                rows = length(first, {**(sizes or {}), **(used or {})}) if partly else len(value)
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
        restored: dict[str, Any] = {name: None for name, array in self.arrays.items() if array.optional}
        for entry in self.entries:
            key = self.key_of(entry)
            if isinstance(entry, Number):
                restored[entry.name] = entry.read(owner, state, key)
            elif entry.sparse and f"{key}.indptr" in state:
                restored[entry.name] = restored_rows(owner, state, key, entry, known, counts)
            elif entry.saved and (key in state or not entry.optional):
                restored[entry.name] = self._checked_shape(owner, entry, entry_of(owner, state, key), known, counts)
        for name, values in restored.items():
            if isinstance(values, np.ndarray):
                self._check_values(owner, self.arrays[name], values, restored, counts)
        self._check_reserve(owner, restored, known)
        for name, array in self.arrays.items():
            part = restored.get(name)
            if isinstance(part, SparseRows) or (part is None and array.optional):
                continue
            restored[name] = whole = _filled(array.full_shape(known), array)
            if part is not None:
                if len(part) > len(whole):
                    raise contradiction(owner, f"{name} has {len(part)} rows; expected at most {len(whole)}")
                whole[: len(part)] = part
        return restored

    def _checked_shape(
        self, owner: str, array: Array, values: Any, known: dict[str, int], counts: dict[str, int]
    ) -> np.ndarray:
        key = self.key_of(array)
        if not isinstance(values, np.ndarray) or values.dtype != np.dtype(array.dtype):
            found = values.dtype if isinstance(values, np.ndarray) else f"a {type(values).__name__}"
            raise contradiction(owner, f"{key} is {found}; expected {np.dtype(array.dtype)}")
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


def declared_storage(kind: Any, own: Mapping[str, Kept]) -> Storage:
    """Return the table of a class: its body's, or else those of its base classes, and what it declares by ``kept``."""
    table = kind.storage
    bases = () if "storage" in vars(kind) else reversed(kind.__bases__)
    entries = {entry.name: entry for base in bases for entry in getattr(base, "storage", ())} or {
        entry.name: entry for entry in table
    }
    for attribute, (shape, words) in own.items():
        name, kind_of = attribute.removeprefix("_"), KINDS_BY_NAME.get(str(kind.__annotations__.get(attribute)), int)
        if shape:
            entries[name] = Array(name, shape, **words)
        elif words:
            entries[name] = Number(name, kind_of, **words)
    return Storage(*entries.values(), prefix=table.prefix, reserve=table.reserve)


def moved_places(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Return where the entries of features are now, int64, from their numbers: others came at the end of a feature."""
    first = np.cumsum(now) - now
    return np.repeat(first[: len(before)] - (np.cumsum(before) - before), before) + np.arange(int(before.sum()))


def detector_arrays(detectors: str, window: str) -> tuple[Array, ...]:
    """Return the table of so many ADWIN windows (see ``detectors._adwin``); ``window`` is the name of their sums."""

    def wrong_width(arrays: Arrays) -> np.ndarray:
        return arrays[window][:, WIDTH] != arrays["filled"] @ 2.0 ** np.arange(LEVELS)

    return (
        Array("totals", (detectors, LEVELS, MAX_BUCKETS + 1), finite=True),
        Array("spreads", (detectors, LEVELS, MAX_BUCKETS + 1), finite=True),
        Array("filled", (detectors, LEVELS), np.int32, rules=(
            between(0, MAX_BUCKETS),
            between(0, 0, columns=LEVELS - 1),
        )),
        Array(window, (detectors, 4), finite=True, rules=(
            consistent(wrong_width, "the numbers in its buckets", WIDTH),
        )),
        Array("changed", (detectors,), np.uint8, rules=(between(0, 1),)),
    )  # fmt: skip


def _filled(shape: tuple[int, ...], array: Array) -> np.ndarray:
    """Return a new array; of zeros the system gives memory when they are written to, and a reserve takes none."""
    if array.fill != 0:
        return np.full(shape, array.fill, array.dtype)
    dtype = np.dtype(array.dtype)
    large = shape[0] > 0 and math.prod(shape) * dtype.itemsize >= LARGE
    return zeros_with_spare_rows(shape, dtype) if large else np.zeros(shape, dtype)


def _copy(old: np.ndarray, new: np.ndarray, of_zeros: bool) -> None:
    """Copy what both have: where a large array only gets longer along one of its first two axes, but its zeros."""
    rows, longer = (old[None], new[None]) if old.shape[1:] == new.shape[1:] else (old, new)
    if (
        of_zeros and old.nbytes >= LARGE and old.itemsize == 8 and old.flags.c_contiguous and rows.ndim > 1
        and rows.shape[2:] == longer.shape[2:] and rows.shape[1] < longer.shape[1] and len(rows) <= len(longer)
    ):  # fmt: skip
        for row, more in zip(rows, longer, strict=False):
            copy_written(row.reshape(-1).view(np.int64), more.reshape(-1)[: row.size].view(np.int64))
    else:
        part = tuple(map(slice, map(min, old.shape, new.shape)))
        new[part] = old[part]


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
    if known() is not long or not old.flags.c_contiguous or old.ctypes.data != _first(long):
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
    first = _first(long) - long.ctypes.data
    return long[first : first + math.prod(shape) * dtype.itemsize].view(dtype).reshape(shape)


def _first(long: np.ndarray) -> int:
    return -(-long.ctypes.data // PAGE) * PAGE
