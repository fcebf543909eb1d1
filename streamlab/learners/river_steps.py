"""What River's models are made of, steps and models inside, and what they say of themselves: read, never changed."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from river.base import Wrapper
from river.compose import Pipeline

INDENT = "    "
WAYS = ("summary", "debug_one")


def last_step(model: Any) -> Any:
    """Return the last step of a River pipeline, or the model itself."""
    while isinstance(model, Pipeline) and model.steps:
        model = list(model.steps.values())[-1]
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
