"""Drifts that people have put into a stream: as texts of a link, and back into a stream that is loaded again."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from streamlab.streams import DriftRecipe, Stream
from streamlab.views.kit.text import shown
from streamlab.views.page.drift_panel import FACTORS, KINDS, STRENGTHS, WIDTHS

__all__ = ["MOST_DRIFTS", "MOST_ROW", "drifts_of", "in_words", "parse_drift", "put_in"]

MOST_DRIFTS = 20
MOST_TEXT, MOST_NAME = 600, 200
MOST_ROW = 10_000_000

Found = tuple[str, int, dict[str, Any]]
"""Name of ``streams.DRIFTS``, the row where it begins, and its parameters."""

_KINDS = {kind.drift: kind for kind in KINDS}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_label(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MOST_NAME


# by the control of the drift panel that a parameter's value comes from
_OFFERED: Mapping[str, Callable[[Any], bool]] = {
    "label": _is_label,
    "other": _is_label,
    "factor": lambda value: _is_number(value) and value in FACTORS.values(),
    "strength": lambda value: _is_number(value) and STRENGTHS[0] <= value <= STRENGTHS[1],
    "width": lambda value: _is_number(value) and value in WIDTHS.values(),
}


def parse_drift(text: str) -> Found:
    """Return the drift that a link's text names.

    Parameters
    ----------
    text
        ``["swap_labels", 1200, {"a": "Class1", "b": "Class3", "width": 1}]``.

    Raises
    ------
    ValueError
        If it is not such a text, or its parameters are not those that a page offers.
    """
    expected = f"expected [name, row, parameters] with a name of {', '.join(_KINDS)}"
    if len(text) > MOST_TEXT:
        raise ValueError(expected)
    try:
        found = json.loads(text)
    except ValueError:
        raise ValueError(expected) from None
    match found:
        case [str(name), int(at), dict(parameters)] if name in _KINDS and not isinstance(at, bool):
            pass
        case _:
            raise ValueError(expected)
    kind = _KINDS[name]
    if not 0 <= at <= MOST_ROW:
        raise ValueError(f"row {at}: expected 0 to {MOST_ROW:,}")
    controls = {parameter: control for control, parameter in kind.asks.items()}
    for parameter, value in parameters.items():
        if parameter not in controls or not _OFFERED[controls[parameter]](value):
            raise ValueError(f"{shown(parameter, 40)}={shown(value, 40)}: a page does not offer it for {name}")
    missing = [parameter for parameter in controls if parameter not in parameters]
    if missing:
        raise ValueError(f"{name} needs {', '.join(missing)}")
    return name, at, parameters


def drifts_of(stream: Stream) -> tuple[str, ...]:
    """Return the texts of the drifts that were added to a loaded stream, in the order in which they were added.

    Drifts that the loaded stream itself has, and streams that were not loaded, give none.
    """
    found: list[str] = []
    recipe = stream.recipe
    while isinstance(recipe, Mapping) and "change" in recipe:
        kind = _KINDS.get(recipe["change"])
        parameters = dict(recipe["parameters"])
        at = parameters.pop("at", None)
        if kind is not None:
            asked = {name: parameters[name] for name in kind.asks.values() if name in parameters}
            text = json.dumps([kind.drift, at, asked], separators=(",", ":"), ensure_ascii=False)
            if _is_offered(text):
                found.append(text)
        recipe = recipe["stream"]
    if not isinstance(recipe, Mapping) or not recipe.keys() & {"source", "file"}:
        return ()
    return tuple(reversed(found))[:MOST_DRIFTS]


def _is_offered(text: str) -> bool:
    try:
        parse_drift(text)
    except ValueError:
        return False
    return True


def put_in(stream: Stream, texts: Sequence[str]) -> tuple[Stream, list[str]]:
    """Return the stream with these drifts, and a line for each that it cannot have."""
    refused = []
    for text in texts[:MOST_DRIFTS]:
        try:
            name, at, parameters = parse_drift(text)
            changed = DriftRecipe(name, **_KINDS[name].fixed, **parameters)(stream, at)
            difference = stream.schema.difference(changed.schema, ranges=False)
            if difference is not None:
                raise ValueError(difference)
            stream = changed
        except ValueError as error:
            refused.append(f"drifts={shown(text, 60)}: {shown(error, 200)}")
    return stream, refused


def in_words(text: str) -> str:
    """Return a description of a drift and its place."""
    name, at, parameters = parse_drift(text)
    kind = _KINDS[name]
    labels = [shown(parameters[kind.asks[control]], 40) for control in ("label", "other") if control in kind.asks]
    of = f" ({', '.join(labels)})" if labels else ""
    return f"{kind.title}{of} at row {at:,}"
