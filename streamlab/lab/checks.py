"""Checks of what may have been altered: parts of a flat state, and plain values of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamlab._checks import checked_count


def number_part(owner: str, state: Mapping[str, Any], name: str, low: int = 0, high: int = 10**15) -> int:
    """Return the whole number of this name, or raise a ValueError unless it lies from ``low`` to ``high``."""
    return checked_count(f"{owner}: {name}", state.get(name), low, high)


def under(state: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return the entries whose names begin with the prefix, under the rest of their names."""
    return {name.removeprefix(prefix): value for name, value in state.items() if name.startswith(prefix)}
