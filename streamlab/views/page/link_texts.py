"""What a link says as texts, and back: drifts, and streams of the drift laboratory."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from streamlab._checks import checked_count
from streamlab.streams import DriftRecipe, LabelChoice, Stream
from streamlab.streams.stream_spec import DELAYS, HIDDEN, HOW, LENGTHS, SOURCES, StreamSpec
from streamlab.views.kit.text import shown
from streamlab.views.page.drift_panel import offered_drifts

MOST_DRIFTS = 20
MOST_TEXT, MOST_SPEC = 600, 4_000
MOST_ROW = 10_000_000

Found = tuple[str, int, dict[str, Any]]
"""Name of ``streams.DRIFTS``, the row where it begins, and its parameters."""


def parse_drift(text: str) -> Found:
    """Return the drift of a text such as ``["swap_labels", 1200, {"a": "Class1", "b": "Class3", "width": 1}]``.

    Raises a ValueError if it is not such a text, or its parameters are not those that a page offers.
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
            with suppress(ValueError):  # a page does not offer it
                parse_drift(text)
                found.append(text)
        recipe = recipe["stream"]
    if not isinstance(recipe, Mapping) or not recipe.keys() & {"source", "file"}:
        return ()
    return tuple(reversed(found))[:MOST_DRIFTS]


def asked_of(change: Any) -> dict[str, Any]:
    """Return the parameters that people chose of a drift; raises a ValueError if it is not one that a page offers."""
    entry = offered_drifts().get(change.name) if isinstance(change, DriftRecipe) else None
    asked = {} if entry is None else {name: change.parameters.get(name) for name in entry.controls}
    if entry is None or dict(change.parameters) != {**entry.fixed, **asked}:
        raise ValueError("a drift is not one that a page offers")
    return asked


def recipe_of(name: str, asked: Mapping[str, Any]) -> DriftRecipe:
    """Return the drift of a name with the parameters that people chose, which ``parse_drift`` has checked."""
    return DriftRecipe(name, **offered_drifts()[name].fixed, **asked)


def write_spec(spec: StreamSpec) -> str:
    """Return the text of a stream that the drift laboratory makes; raises a ValueError where it is not one of its own.

    Examples
    --------
    >>> write_spec(StreamSpec("yeast", seed=3))
    '["yeast","recurrent",10000,3,[],0,[0.0,"instance"]]'
    """
    changes = []
    for share, change in spec.changes:
        asked = asked_of(change)
        changes.append([round(100 * share), getattr(change, "name", ""), asked])
    fields = [spec.source, spec.how, spec.n_rows, spec.seed, changes, spec.delay, spec.hidden]
    text = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
    if parse_spec(text) != spec:
        raise ValueError("the stream is not one that the drift laboratory makes")
    return text


def parse_spec(text: str) -> StreamSpec:
    """Return the stream that a link's text describes; raises a ValueError if the drift laboratory does not offer it."""
    expected = "expected [source, how, rows, seed, [[percent, drift, parameters], …], delay, hidden]"
    if len(text) > MOST_SPEC:
        raise ValueError(expected)
    try:
        source, how, n_rows, seed, changes, delay, hidden = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise ValueError(expected) from None
    delay, hidden = (tuple(each) if isinstance(each, list) else each for each in (delay, hidden))
    for name, value, offered in (
        ("source", source, SOURCES), ("how", how, HOW), ("rows", n_rows, LENGTHS), ("delay", delay, DELAYS),
        ("hidden", hidden, HIDDEN),
    ):  # fmt: skip
        if not any(type(value) is type(each) and value == each for each in offered.values()):
            raise ValueError(f"{name}={shown(value, 40)}: not offered here")
    checked_count("seed", seed, 0, 2**31 - 1)
    if not isinstance(changes, list) or len(changes) > MOST_DRIFTS:
        raise ValueError(expected)
    found = []
    for each in changes:
        match each:
            case [int(percent), str(name), dict(asked)]:
                checked_count("percent", percent, 0, 99)
                parse_drift(json.dumps([name, 0, asked]))
                found.append((percent / 100, recipe_of(name, asked)))
            case _:
                raise ValueError(expected)
    return StreamSpec(source, how, n_rows, seed, tuple(found), delay, hidden)


def put_in(stream: Stream, texts: Sequence[str]) -> tuple[Stream, list[str]]:
    """Return the stream with these drifts, and a line for each that it cannot have."""
    refused = []
    for text in texts[:MOST_DRIFTS]:
        try:
            name, at, parameters = parse_drift(text)
            changed = recipe_of(name, parameters)(stream, at)
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
