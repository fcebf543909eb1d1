"""Refusals of states that were altered, and the plain values of a state, read with care."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from streamlab._checks import one_line, shown, with_type

NAMES: dict[type, str] = {dict: "a JSON dictionary", list: "a JSON list"}

T = TypeVar("T")


def contradiction(owner: str, what: str) -> ValueError:
    """Return the error for a state that its learner cannot have written.

    Parameters
    ----------
    owner
        Name of the learner.
    what
        The entry, what it holds and what was expected.
    """
    return ValueError(f"the state of {owner} contradicts itself: {what}")


def entry_of(owner: str, state: Mapping[str, Any], key: str) -> Any:
    """Return an entry of a state.

    Raises
    ------
    ValueError
        If there is none, naming it.
    """
    if key not in state:
        raise contradiction(owner, f"it lacks {key!r}; expected what was written")
    return state[key]


def json_entry(owner: str, state: Mapping[str, Any], key: str, kind: type[T]) -> T:
    """Return an entry that is a JSON text, read.

    Parameters
    ----------
    owner
        Name of the learner.
    state
        The state.
    key
        The entry.
    kind
        What it must be: ``dict`` or ``list``.

    Raises
    ------
    ValueError
        If it is missing, no text, no JSON, nested too deeply, or of another kind.
    """
    text = entry_of(owner, state, key)
    if not isinstance(text, str):
        raise contradiction(owner, f"{key} is {shown(text)}; expected a JSON text")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise contradiction(owner, f"{key} is not readable JSON ({one_line(error)}); expected {NAMES[kind]}") from None
    if not isinstance(value, kind):
        raise contradiction(owner, f"{key} is {shown(value)}; expected {NAMES[kind]}")
    return value


@contextmanager
def refusing(owner: str) -> Iterator[None]:
    """Turn whatever error a state leads to into a ValueError that names the learner.

    Errors that a check expects name the entry, too; this is for all others, such as those of another package's learner.
    """
    try:
        yield
    except ValueError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as error:
        raise contradiction(owner, f"it cannot be read ({with_type(error)})") from error
