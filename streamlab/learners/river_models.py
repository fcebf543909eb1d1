"""River's models: the steps and models that they are made of, what they say of themselves, who reads one, pickling."""

from __future__ import annotations

import copy
import dis
import gc
import io
import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar

from river.base import Wrapper
from river.compose import Pipeline

if TYPE_CHECKING:
    import pandas as pd

INDENT = "    "
WAYS = ("summary", "debug_one")


def last_step(model: Any) -> Any:
    """Return the last step of a River pipeline, or the model itself."""
    while isinstance(model, Pipeline) and model.steps:
        model = list(model.steps.values())[-1]
    return model


def first_step(model: Any) -> Any:
    """Return the first step of a River pipeline, which is given the row as it is, or the model itself."""
    while isinstance(model, Pipeline) and model.steps:
        model = next(iter(model.steps.values()))
    return model


def is_of(model: Any, module: str, *kinds: str) -> bool:
    """Whether a model, or the last step of a pipeline, is of one of these classes of a module of River's."""
    # who has one has imported its module, which takes a second
    known = sys.modules.get(f"river.{module}")
    return known is not None and isinstance(last_step(model), tuple(getattr(known, kind) for kind in kinds))


def transformed(model: Any, x: dict[Any, Any]) -> dict[Any, Any]:
    """Return what the last step of a pipeline gets of a row; the row itself where there is no pipeline."""
    while isinstance(model, Pipeline):
        *before, model = model.steps.values()
        for step in before:
            x = step.transform_one(x)
    return x


def lines_of(models: Mapping[str, Any], row: dict[Any, Any] | None, deep: bool = True) -> Iterator[str]:
    """Yield what models by name (``""``: none is needed) say of themselves and of a row, line by line.

    That is their ``summary``, and their ``debug_one`` of the row, where there is one; of a model around others what
    these say; else how River writes it.
    """
    for name, whole in models.items():
        model, inside = last_step(whole), members(whole) if deep else {}
        if name:
            yield f"{name}: {type(model).__name__}"
        for line in _own_lines(model, None if row is None else transformed(whole, row), bool(inside)):
            yield f"{INDENT}{line}" if name else line
        for line in lines_of(inside, row, deep=False):
            yield f"{INDENT}{line}"


def _own_lines(model: Any, row: dict[Any, Any] | None, has_inside: bool) -> Iterable[str]:
    summary = getattr(model, "summary", None)
    found = [f"{name}: {value}" for name, value in summary.items()] if isinstance(summary, Mapping) else []
    if hasattr(model, "debug_one"):
        try:
            # a factorisation machine makes weights of features that it has not met: a copy does; a tree only reads
            asked = model if row is None or hasattr(model, "_root") else copy.deepcopy(model)
            return found + ([] if row is None else str(asked.debug_one(row) or "").splitlines())
        except Exception as error:  # a model of somebody else may raise anything
            return [*found, f"debug_one failed: {type(error).__name__}: {error}"]
    return found or ([type(model).__name__] if has_inside else repr(model).splitlines())


def source_of(model: Any) -> tuple[str, bool]:
    """Return what of a model says so, in words, and whether it is of a row."""
    for each in (model, *list(members(model).values())[:1]):
        last = last_step(each)
        if ways := [way for way in WAYS if hasattr(last, way)]:
            return f"{type(last).__name__}'s {' and '.join(ways)}", "debug_one" in ways
    return f"{type(last_step(model)).__name__} as River writes it: it says nothing of a row", False


def members(model: Any) -> Mapping[str, Any]:
    """Return the models inside one, or its pipeline's last step, by what they are called; none of most."""
    last = last_step(model)
    inside = getattr(last, "classifiers", last)
    if isinstance(inside, Mapping):
        return {str(name): each for name, each in inside.items()}
    if isinstance(last, Sequence):
        return {str(number): getattr(each, "model", each) for number, each in enumerate(last)}
    return {"inside": last._wrapped_model} if isinstance(last, Wrapper) else {}


# ---------------------------------------------------------------------- pictures


class Reader:
    """Reads nothing: a model that has no picture.

    A subclass reads one kind of River's models. It has ``node_columns``, ``describe_node`` and whatever else its
    picture asks of a learner, which passes it on. The learner sets itself with each access: what was copied, or went
    back, reads its own.

    Parameters
    ----------
    learner
        The ``RiverClassifier`` around the model, which knows its columns.
    lacks
        What another reader missed in the model, as this version of River keeps it otherwise; ``""``: nothing.
    """

    picture: ClassVar[str] = ""
    """The name of the picture."""

    def __init__(self, learner: Any = None, lacks: str = "") -> None:
        self._learner = learner
        self.lacks = lacks

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_learner": None}

    @staticmethod
    def reads(model: Any) -> bool:
        """Whether a model, or the last step of a pipeline, is one that it reads."""
        return False

    def events(self, model: Any, position: int) -> list[dict[str, Any]]:
        """Return what has changed since the last call, after a row was learned; ``position``: rows learned."""
        return []

    def table(self) -> pd.DataFrame:
        """Return what the learner's ``nodes`` returns."""
        import pandas as pd

        return pd.DataFrame(getattr(self, "node_columns", dict)())

    def take_mark(self, other: Reader) -> None:
        """Keep what another reader of the model noted at the last mark."""
        vars(self).update({name: value for name, value in vars(other).items() if name.startswith("_marked")})

    def mark(self) -> None:
        """Note what the model holds, if the picture shows how much of it remains later. Default: nothing is noted."""


# ---------------------------------------------------------------------- pickling

# River's objects are pickled so that they, and what is loaded, stay as quick as what River made. CPython 3.11 and 3.12
# keep an object's attributes beside it, without a dictionary, until somebody asks for its ``__dict__``, as ``pickle``
# and ``copy`` do: a Hoeffding tree was slower by a third from then on. Here they are read and set one by one, by the
# names that the methods of its class give them.
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
