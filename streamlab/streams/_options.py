"""Options of ``load``: those that a function does not take are refused by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from streamlab.streams._checks import few, near

__all__ = ["call", "check_known", "check_only"]


def call(function: Callable[..., Any], name: str, *args: Any, **options: Any) -> Any:
    """Call a function with options, of which it takes all; ``name`` says whose they are.

    Raises
    ------
    ValueError
        If it has no such keyword parameter; or as the function does.
    """
    check_known(function, name, options)
    return function(*args, **options)


def check_known(function: Callable[..., Any], name: str, options: Iterable[str]) -> None:
    """Raise a ValueError if a function has no keyword parameter of an option's name; one with ``**`` takes any."""
    parameters = inspect.signature(function).parameters.values()
    if not any(each.kind is each.VAR_KEYWORD for each in parameters):
        check_only(name, options, [each.name for each in parameters if each.kind is each.KEYWORD_ONLY])


def check_only(name: str, options: Iterable[str], known: Iterable[str]) -> None:
    """Raise a ValueError, which names near ones, if an option is not known."""
    names = list(known)
    for option in options:
        if option not in names:
            hint = near(option, names)
            expected = f"expected {few(names)}" if names else "it takes none"
            raise ValueError(f"{name}: there is no option {option}={hint}; {expected}")
