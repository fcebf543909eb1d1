"""Drifts that people have put into a stream: as texts of a link, and back into a stream that is loaded again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from streamlab._checks import checked_count
from streamlab.streams import DriftRecipe, LabelChoice, Stream
from streamlab.views.kit.text import shown
from streamlab.views.page.drift_panel import offered_drifts

MOST_DRIFTS = 20
MOST_TEXT = 600
MOST_ROW = 10_000_000

Found = tuple[str, int, dict[str, Any]]
"""Name of ``streams.DRIFTS``, the row where it begins, and its parameters."""


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
    entries = offered_drifts()
    expected = f"expected [name, row, parameters] with a name of {', '.join(entries)}"
    if len(text) > MOST_TEXT:
        raise ValueError(expected)
    try:
        found = json.loads(text)
    except ValueError:
        raise ValueError(expected) from None
    match found:
        case [str(name), int(at), dict(parameters)] if name in entries and not isinstance(at, bool):
            pass
        case _:
            raise ValueError(expected)
    checked_count("row", at, 0, MOST_ROW)
    controls = entries[name].controls
    for parameter, value in parameters.items():
        if parameter not in controls or not controls[parameter].offers(value):
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
    recipe, entries = stream.recipe, offered_drifts()
    while isinstance(recipe, Mapping) and "change" in recipe:
        entry = entries.get(recipe["change"])
        parameters = dict(recipe["parameters"])
        at = parameters.pop("at", None)
        if entry is not None:
            asked = {name: parameters[name] for name in entry.controls if name in parameters}
            text = json.dumps([entry.name, at, asked], separators=(",", ":"), ensure_ascii=False)
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
            changed = DriftRecipe(name, **offered_drifts()[name].fixed, **parameters)(stream, at)
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
    entry = offered_drifts()[name]
    labels = [
        shown(parameters[each], 40) for each, control in entry.controls.items() if isinstance(control, LabelChoice)
    ]
    of = f" ({', '.join(labels)})" if labels else ""
    return f"{entry.title}{of} at row {at:,}"
