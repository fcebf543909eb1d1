"""What people did to a run, as a text of a link and back: tunings, drifts, forks and the rest, each at its row.

The text is JSON, deflated and in base 64: ``[[row, kind, …], …]`` with what a kind of ``FORMS`` needs.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from streamlab._checks import checked_count
from streamlab.lab.actions import COMPLETE, DRIFT, FORK, JOIN, MARK, REMOVE, STEP, TUNE, Action
from streamlab.learners import Learner
from streamlab.views.kit.text import shown
from streamlab.views.page.drift_links import MOST_ROW, asked_of, parse_drift, recipe_of

MOST_DEEDS, MOST_NEWCOMERS = 1_000, 30
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
Deed = tuple[int, str, list[Any]]
"""A row, a kind of ``FORMS``, and what follows."""


def write_log(actions: Sequence[Action], fresh: Callable[[str], Learner]) -> str:
    """Return the text of what was done; "" for nothing.

    Parameters
    ----------
    actions
        Of a run, as ``Run.actions`` gives them.
    fresh
        Returns the learner of a name as the page makes it.

    Raises
    ------
    ValueError
        If a link cannot say it, or it is too much for one.
    """
    if not actions:
        return ""
    deeds = [[each.position + each.is_after_end, each.kind, *_said(each, fresh)] for each in actions]
    packed = zlib.compressobj(9, wbits=-15)
    text = json.dumps(deeds, separators=(",", ":"), ensure_ascii=False).encode()
    written = base64.urlsafe_b64encode(packed.compress(text) + packed.flush()).decode().rstrip("=")
    parse_log(written)
    return written


def _said(action: Action, fresh: Callable[[str], Learner]) -> list[Any]:
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


def parse_log(text: str) -> list[Deed]:
    """Return what a link's text says was done; learners and parameters are not looked up.

    Raises
    ------
    ValueError
        If it is not such a text, or more than a link may have.

    Examples
    --------
    >>> from streamlab.lab.actions import Action
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
    if not unpacking.eof or unpacking.unused_data or not isinstance(found, list) or len(found) > MOST_DEEDS:
        raise ValueError(f"{EXPECTED}, at most {MOST_DEEDS:,} things done")
    deeds = [_deed(each) for each in found]
    rows = [row for row, *_ in deeds]
    if rows != sorted(rows):
        raise ValueError(f"{EXPECTED}, in order of the rows")
    if sum(kind in (FORK, JOIN) for _, kind, _ in deeds) > MOST_NEWCOMERS:
        raise ValueError(f"{EXPECTED}, at most {MOST_NEWCOMERS} learners that come")
    return deeds


def _deed(told: Any) -> Deed:
    """Return one thing done, if it has the form of its kind."""
    match told:
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


def newcomers(deeds: Sequence[Deed]) -> list[str]:
    """Return the names of the learners that join."""
    return [rest[0] for _, kind, rest in deeds if kind == JOIN]


def actions_of(
    deeds: Sequence[Deed], *, n_rows: int | None, chunk: int, fresh: Callable[[str], Learner]
) -> tuple[list[Action], list[str]]:
    """Return what is to be done, for ``Run.retrace``, and a line for each thing that cannot be.

    Parameters
    ----------
    deeds
        As ``parse_log`` gives them. A row behind the stream's last says: after its end.
    n_rows, chunk
        Of the stream (None: endless), and of the run.
    fresh
        Returns the learner of a name as the page makes it, or raises a ValueError.
    """
    actions, refused = [], []
    for row, kind, rest in deeds:
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
