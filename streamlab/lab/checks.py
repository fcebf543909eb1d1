"""Checks of what may have been altered: parts of a flat state, and plain values of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamlab._checks import checked_count, shown


def number_part(owner: str, state: Mapping[str, Any], name: str, low: int = 0, high: int = 10**15) -> int:
    """Return the whole number of this name, or raise a ValueError unless it lies from ``low`` to ``high``."""
    return number(f"{owner}: {name}", state.get(name), low, high)


def under(state: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return the entries whose names begin with the prefix, under the rest of their names."""
    return {name.removeprefix(prefix): value for name, value in state.items() if name.startswith(prefix)}


def number(what: str, value: Any, low: int = 0, high: int = 10**15) -> int:
    """Return a whole number, or raise a ValueError unless it lies from ``low`` to ``high``."""
    return checked_count(what, value, low, high)


def items(what: str, value: Any, n: int | None = None) -> list[Any]:
    """Return a list, or raise a ValueError unless it is one (of ``n`` values)."""
    if not isinstance(value, list) or (n is not None and len(value) != n):
        raise ValueError(f"{what}: found {shown(value)}; expected a list{'' if n is None else f' of {n}'}")
    return value


def dictionary(what: str, value: Any, *needed: str) -> dict[str, Any]:
    """Return a dictionary that has certain entries, or raise a ValueError."""
    if not isinstance(value, dict):
        raise ValueError(f"{what} is {shown(value)}; expected a dictionary")
    for name in needed:
        if name not in value:
            raise ValueError(f"{what} lacks {name!r}")
    return value
