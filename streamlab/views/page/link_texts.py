"""What a link says as texts, and back: drifts, streams of the drift laboratory, and what people did at which row.

What was done is JSON, deflated and in base 64: ``[[row, kind, …], …]`` with what a kind of ``FORMS`` needs.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from streamlab._checks import checked_count
from streamlab.lab.events import COMPLETE, DRIFT, FORK, JOIN, MARK, REMOVE, STEP, TUNE, Action
from streamlab.learners import Learner
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
    return f"{drift_in_words(name, parameters)} at row {at:,}"


def drift_in_words(name: str, parameters: Mapping[str, Any]) -> str:
    """Return a description of a drift."""
    entry = offered_drifts()[name]
    labels = [
        shown(parameters[each], 40) for each, control in entry.controls.items() if isinstance(control, LabelChoice)
    ]
    of = f" ({', '.join(labels)})" if labels else ""
    return f"{entry.title}{of}"


MOST_ENTRIES, MOST_NEWCOMERS = 1_000, 30
"""Things done that a link may have, and how many of them may bring a learner."""
MOST_JSON = 100_000
"""Characters of a log that are unpacked."""
MOST_NAME, MOST_VALUES = 200, 20
"""Characters of a learner's name and of a text, and values of one tuning or of a list."""
LARGEST = 2**53
FORMS: dict[str, tuple[type, ...]] = {
    TUNE: (str, dict), DRIFT: (str, int, dict), FORK: (str, str, dict), JOIN: (str, dict), REMOVE: (str,), MARK: (),
    STEP: (int,), COMPLETE: (),
}  # fmt: skip
"""What follows the row and the kind: learner and parameters; drift, its first row and parameters; of whom, name and
parameters; name and parameters; name; nothing; rows; nothing."""
EXPECTED = "expected what “Copy link” writes"
Entry = tuple[int, str, list[Any]]
"""A row, a kind of ``FORMS``, and what follows."""


def write_log(actions: Sequence[Action], fresh: Callable[[str], Learner]) -> str:
    """Return the text of what was done, as ``Run.actions`` gives it; "" for nothing.

    ``fresh`` returns the learner of a name as the page makes it. Raises a ValueError if a link cannot say it.
    """
    if not actions:
        return ""
    entries = [[each.position + each.is_after_end, each.kind, *_entry_fields(each, fresh)] for each in actions]
    packed = zlib.compressobj(9, wbits=-15)
    text = json.dumps(entries, separators=(",", ":"), ensure_ascii=False).encode()
    written = base64.urlsafe_b64encode(packed.compress(text) + packed.flush()).decode().rstrip("=")
    parse_log(written)
    return written


def _entry_fields(action: Action, fresh: Callable[[str], Learner]) -> list[Any]:
    detail = action.detail
    if action.kind == TUNE:
        return [detail["learner"], _plain(detail["parameters"])]
    if action.kind == DRIFT:
        asked = asked_of(detail["change"])
        return [detail["change"].name, detail["at"], asked]
    if action.kind == FORK:
        if detail["train_on"] is not None:
            raise ValueError(f"{shown(detail['name'], 40)} was trained again from the start")
        return [detail["learner"], detail["name"], _plain(detail["parameters"])]
    if action.kind == JOIN:
        learner, made = detail["learner"], fresh(detail["name"])
        parameters = {each.name: getattr(learner, each.name) for each in learner.tunables}
        other = {name: value for name, value in parameters.items() if getattr(made, name, None) != value}
        if type(made) is not type(learner) or detail["train_on"]:
            raise ValueError(f"{shown(detail['name'], 40)} is not a learner that the page makes")
        return [detail["name"], _plain(other)]
    names = {REMOVE: "name", STEP: "rows"}
    return [detail[names[action.kind]]] if action.kind in names else []


def _plain(parameters: Any) -> dict[str, Any]:
    """Return parameters as JSON has them: numbers of NumPy as Python's."""
    return {name: value.item() if hasattr(value, "item") else value for name, value in parameters.items()}


def parse_log(text: str) -> list[Entry]:
    """Return what a link's text says was done; learners and parameters are not looked up.

    Raises a ValueError if it is not such a text, or more than a link may have.

    Examples
    --------
    >>> from streamlab.lab.events import Action
    >>> tuned = Action(1429, "tune", {"learner": "SMART", "parameters": {"half_life": 50}})
    >>> parse_log(write_log([tuned], lambda name: None))
    [(1429, 'tune', ['SMART', {'half_life': 50}])]
    """
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj(wbits=-15)
        plain = unpacking.decompress(packed, MOST_JSON)
        found = json.loads(plain)
    except (ValueError, zlib.error, RecursionError):
        raise ValueError(EXPECTED) from None
    if not unpacking.eof or unpacking.unused_data or not isinstance(found, list) or len(found) > MOST_ENTRIES:
        raise ValueError(f"{EXPECTED}, at most {MOST_ENTRIES:,} things done")
    entries = [_checked(each) for each in found]
    rows = [row for row, *_ in entries]
    if rows != sorted(rows):
        raise ValueError(f"{EXPECTED}, in order of the rows")
    if sum(kind in (FORK, JOIN) for _, kind, _ in entries) > MOST_NEWCOMERS:
        raise ValueError(f"{EXPECTED}, at most {MOST_NEWCOMERS} learners that come")
    return entries


def _checked(entry: Any) -> Entry:
    """Return one thing done, if it has the form of its kind."""
    match entry:
        case [int(row), str(kind), *rest] if kind in FORMS and len(rest) == len(FORMS[kind]):
            pass
        case _:
            raise ValueError(EXPECTED)
    checked_count("row", row, 0, MOST_ROW)
    for each, form in zip(rest, FORMS[kind], strict=True):
        if type(each) is not form or not _is_sound(each):
            raise ValueError(f"{EXPECTED}; {kind} at row {row:,}: {shown(each, 40)}")
    if kind == DRIFT:
        parse_drift(json.dumps(rest))
    return row, kind, rest


def _is_sound(value: Any, depth: int = 2) -> bool:
    """Whether a value of JSON is small, and a number of it is one."""
    if isinstance(value, str):
        return len(value) <= MOST_NAME
    if isinstance(value, (dict, list)):
        inside = [*value, *value.values()] if isinstance(value, dict) else value
        return depth > 0 and len(value) <= MOST_VALUES and all(_is_sound(each, depth - 1) for each in inside)
    if isinstance(value, (int, float)):
        return value in (float("inf"), float("-inf")) or abs(value) <= LARGEST
    return value is None


def actions_of(
    entries: Sequence[Entry], *, n_rows: int | None, chunk: int, fresh: Callable[[str], Learner]
) -> tuple[list[Action], list[str]]:
    """Return what is to be done, for ``Run.retrace``, and a line for each thing that cannot be.

    An entry at a row behind the stream's last was done after its end. ``fresh`` as ``write_log`` has it.
    """
    actions, refused = [], []
    for row, kind, rest in entries:
        is_after_end = n_rows is not None and row > n_rows
        at = -(-row // chunk) * chunk
        try:
            detail = _detail(kind, rest, at if n_rows is None else min(at, n_rows), chunk, fresh)
        except ValueError as error:
            refused.append(f"row {row:,}: {shown(error, 160)}")
        else:
            actions.append(Action(n_rows if is_after_end and n_rows is not None else row, kind, detail, is_after_end))
    return actions, refused


def _detail(kind: str, rest: list[Any], at: int, chunk: int, fresh: Callable[[str], Learner]) -> dict[str, Any]:
    """Return what a run needs to do it, as ``Changes`` notes it; ``at``: where the next chunk begins."""
    if kind == TUNE:
        return {"learner": rest[0], "parameters": rest[1]}
    if kind == DRIFT:
        return {"change": recipe_of(rest[0], rest[2]), "at": checked_count("drift: row", rest[1], at)}
    if kind == FORK:
        return {"learner": rest[0], "name": rest[1], "train_on": None, "parameters": rest[2]}
    if kind == JOIN:
        learner = fresh(rest[0])
        unknown = rest[1].keys() - {each.name for each in learner.tunables}
        if unknown:
            raise ValueError(f"{rest[0]} has no parameter {min(unknown)}")
        learner.tune(**rest[1])
        return {"name": rest[0], "learner": learner, "train_on": 0}
    if kind == STEP:
        return {"rows": checked_count("step", rest[0], 1, chunk)}
    return {"name": rest[0]} if kind == REMOVE else {}
