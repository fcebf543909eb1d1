"""Hand a kernel many arrays as one argument: a ``Bundle`` is to numba the address of a table of its arrays.

Numba passes a tuple of arrays by value: some ten numbers for each array, spelled out in every function that takes it
and at every call, which for fifty arrays is most of what has to be compiled. A bundle is one pointer. What the table
says is constant while a kernel runs, and the compiler is told so: a loop keeps it in registers, as it does arguments.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import NativeValue, register_model, unbox
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.np.numpy_support import from_dtype


class Bundle:
    """Arrays by name, which kernels read as attributes; a subclass declares them, each as ``name: np.ndarray``.

    Or it names them, as where a table lists them: ``class Windows(Bundle, names=TABLE.arrays)``, or
    ``names="seen at"``.

    Kernels write to the arrays, but replace none.

    Raises
    ------
    TypeError
        If an array is missing, is not declared, is not an array, or cannot be written to.

    Examples
    --------
    >>> from streamlab.kernels import kernel
    >>> class Counts(Bundle):
    ...     seen: np.ndarray
    ...     missing: np.ndarray
    >>> @kernel
    ... def count(counts, i):
    ...     counts.seen[i] += 1
    >>> counts = Counts(seen=np.zeros(3), missing=np.zeros(3))
    >>> count(counts, 1)
    >>> counts.seen
    array([0., 1., 0.])
    """

    names: ClassVar[tuple[str, ...]] = ()
    """The declared arrays, in order."""
    _entries: dict[str, _Entry]
    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __init_subclass__(cls, names: str | Iterable[str] = ()) -> None:
        super().__init_subclass__()
        cls.names = (*(names.split() if isinstance(names, str) else names), *inspect.get_annotations(cls))

    def __init__(self, **arrays: np.ndarray) -> None:
        wrong = arrays.keys() ^ set(self.names)
        if wrong:
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.names)}; missing or unknown: {sorted(wrong)}")
        self._enter({name: self._entry(name, arrays[name]) for name in self.names})

    def _entry(self, name: str, array: np.ndarray) -> _Entry:
        if name not in self.names or not isinstance(array, np.ndarray) or not array.flags.writeable:
            raise TypeError(f"{type(self).__name__}: {name} is not a declared array that can be written to")
        return _Entry(array)

    def _enter(self, entries: dict[str, _Entry]) -> None:
        table = np.array([number for entry in entries.values() for number in entry.numbers], np.int64)
        self.__dict__.update(
            {name: entry.array for name, entry in entries.items()},
            _entries=entries,
            _table=table,
            _address=_address_of(table),
            _numba_type_=_type_of(type(self).__name__, self.names, tuple(e.kind for e in entries.values())),
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set: the table holds addresses; use replaced()")

    def __reduce__(self) -> Any:
        # a copy has arrays of its own, at other addresses
        return _made, (type(self), self.asdict())

    def __iter__(self) -> Iterator[np.ndarray]:
        return (getattr(self, name) for name in self.names)

    def asdict(self) -> dict[str, np.ndarray]:
        """Return the arrays by name."""
        return {name: getattr(self, name) for name in self.names}

    def replaced(self, **arrays: np.ndarray) -> Any:
        """Return a bundle with other arrays under these names; it shares the rest."""
        other = object.__new__(type(self))
        other._enter(self._entries | {name: self._entry(name, array) for name, array in arrays.items()})
        return other


def _made(kind: type[Bundle], arrays: dict[str, np.ndarray]) -> Bundle:
    return kind(**{name: owned(array) for name, array in arrays.items()})


def owned(array: np.ndarray) -> np.ndarray:
    """Return an array that can be written to: itself, or a copy of a read-only buffer or of a map of a file.

    dask hands arrays over as the former, joblib as the latter.
    """
    return array if array.flags.writeable and not isinstance(array, np.memmap) else np.array(array)


def _address_of(array: np.ndarray) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


class _Entry:
    """What the table says of an array, and its type."""

    __slots__ = ("array", "kind", "numbers")

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        flags = array.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        self.kind = _type_of_array(array.dtype, array.ndim, layout)
        self.numbers = (0, 0, array.size, array.itemsize, _address_of(array), *array.shape, *array.strides)


@functools.cache
def _type_of_array(dtype: np.dtype, ndim: int, layout: str) -> types.Array:
    kind: types.Array = types.Array(from_dtype(dtype), ndim, layout)  # type: ignore[call-overload]
    return kind


# of its own, to tell such an argument from a pointer to an array's numbers
_TABLE = ir.global_context.get_identified_type("streamlab.bundle").as_pointer()


class _BundleType(types.Type):
    """What numba knows of a bundle: the types of its arrays."""

    def __init__(self, title: str, arrays: tuple[tuple[str, types.Array], ...]) -> None:
        self.arrays = dict(arrays)
        self.offsets, at = {}, 0
        for name, array in arrays:
            self.offsets[name] = at
            at += 5 + 2 * array.ndim
        self.length = at
        # a short name, as it becomes part of every function's
        super().__init__(f"{title}-{hashlib.sha256(repr(arrays).encode()).hexdigest()[:12]}")


_types: dict[tuple[Any, ...], _BundleType] = {}


def _type_of(title: str, names: tuple[str, ...], arrays: tuple[types.Array, ...]) -> _BundleType:
    # by which types they are, as ``_type_of_array`` keeps one of each: numba's own hash is of all that a type says
    key = (title, names, *map(id, arrays))
    if key not in _types:
        _types[key] = _BundleType(title, tuple(zip(names, arrays, strict=True)))
    return _types[key]


@register_model(_BundleType)
class _Model(models.PrimitiveModel):
    """One pointer to 64-bit numbers."""

    def __init__(self, manager: Any, kind: _BundleType) -> None:
        super().__init__(manager, kind, _TABLE)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = _BundleType

    def generic_resolve(self, kind: Any, name: str) -> Any:  # type: ignore[override]
        return kind.arrays.get(name)


@lower_getattr_generic(_BundleType)
def _load(context: Any, builder: Any, kind: _BundleType, table: Any, name: str) -> Any:
    kind_of_array = kind.arrays[name]
    for argument in builder.function.args:
        if argument.type == _TABLE:
            argument.attributes.dereferenceable = 8 * kind.length
    word = ir.IntType(64)
    at = builder.gep(builder.bitcast(table, word.as_pointer()), [word(kind.offsets[name])])
    loaded = builder.load(builder.bitcast(at, context.get_value_type(kind_of_array).as_pointer()))
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


@unbox(_BundleType)
def _take(kind: _BundleType, bundle: Any, c: Any) -> NativeValue:
    attribute = c.pyapi.object_getattr_string(bundle, "_address")
    address = c.pyapi.long_as_longlong(attribute)
    c.pyapi.decref(attribute)
    table = c.builder.inttoptr(address, _TABLE)
    return NativeValue(table, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))
