"""River's objects, pickled so that they, and what is loaded, stay as quick as what River made.

CPython 3.11 and 3.12 keep an object's attributes beside it, without a dictionary, until somebody asks for its
``__dict__``, as ``pickle`` and ``copy`` do: a Hoeffding tree was slower by a third from then on. Here they are read and
set one by one, by the names that the methods of its class give them.
"""

from __future__ import annotations

import dis
import gc
import io
import pickle
from collections.abc import Iterator
from functools import cache
from types import CodeType
from typing import Any

AS_ANY = (object.__reduce_ex__, object.__reduce__, object.__setattr__, False)


class _Pickler(pickle.Pickler):
    def reducer_override(self, thing: Any) -> Any:
        kind = thing.__class__
        if not _is_plain(kind):
            return NotImplemented
        attributes = _attributes(thing)
        if attributes is not None:
            return object.__new__, (kind,), attributes, None, None, _set_attributes
        found = thing.__reduce_ex__(4)
        return (
            (*found[:2], dict(sorted(found[2].items())), *found[3:], _set_attributes)
            if type(found[2]) is dict
            else found
        )


def pickled(thing: Any) -> bytes:
    """Return it pickled, for this process alone; attributes of River's objects are sorted by name."""
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(thing)
    return file.getvalue()


@cache
def _is_plain(kind: type) -> bool:
    """Whether it is a class of River's that pickles as any other, and nothing happens where an attribute is set."""
    own = kind.__reduce_ex__, kind.__reduce__, kind.__setattr__, hasattr(kind, "__setstate__")
    return kind.__module__.startswith("river.") and own == AS_ANY


@cache
def _names(kind: type) -> list[str]:
    """Return the names that methods of a class give attributes, sorted; without those that the class itself has."""
    functions = [getattr(each, "fset", each) for base in kind.__mro__ for each in vars(base).values()]
    codes = [code for each in functions if isinstance(code := getattr(each, "__code__", None), CodeType)]
    return sorted({name for code in codes for name in _set_in(code) if not hasattr(kind, name)})


def _set_in(code: CodeType) -> Iterator[str]:
    yield from (each.argval for each in dis.get_instructions(code) if each.opname == "STORE_ATTR")
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _set_in(inner)


def _attributes(thing: Any) -> dict[str, Any] | None:
    """Return an object's attributes; None where it refers to more than those known by name, such as a dictionary."""
    found = {}
    for name in _names(thing.__class__):
        try:
            found[name] = object.__getattribute__(thing, name)
        except AttributeError:
            continue
    # an object refers to its attributes and its class
    others = list(map(id, gc.get_referents(thing)))
    is_all = len(others) == len(found) + 1 and set(others) == {*map(id, found.values()), id(thing.__class__)}
    return found if is_all else None


def _set_attributes(thing: Any, attributes: dict[str, Any]) -> None:
    for name, value in attributes.items():
        setattr(thing, name, value)
