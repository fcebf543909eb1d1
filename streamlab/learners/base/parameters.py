"""Parameters: those that may change mid-stream, seeds, and parameters as JSON knows them."""

from __future__ import annotations

import inspect
import math
import numbers
import secrets
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab._checks import checked_count, shown

# what a whole number may be at most where nothing else is said: kernels count in 64 bits, files in 53
LARGEST_WHOLE = 10**15

__all__ = ["Tunable"]


@dataclass(frozen=True)
class Tunable:
    """A parameter that may change mid-stream, as a control of a screen needs to know it.

    Parameters
    ----------
    name
        The parameter's name.
    low, high
        The allowed range, both ends included and finite; ``high`` is what a control offers, ``limit`` what is accepted.
        A whole number may be 10¹⁵ at most.
    integer
        Whether only whole numbers are allowed.
    logarithmic
        Whether a control should step by factors.
    infinite
        Whether infinity is allowed (and means "never").
    unit, title, help
        For people; without a title they read the name.
    optional
        Whether None is allowed.
    none
        What None means, in words. Default "no bound".
    choices
        The values allowed, where they are few and need not be numbers; ``low`` and ``high`` mean nothing then. Where
        they are tuples, the parameter's default is one too.
    says, says_never
        What the learner does with this value, as a clause about it with ``{value}`` in it, and with infinity or None:
        ``"half of its evidence fades in {value} rows"``. The first parameter that says something is the one that a
        page shows at once.

    Raises
    ------
    ValueError
        For what no control can show: a range that is not finite or ends before it begins, a logarithmic one that ends
        at 0 or below, ``says`` with other fields than ``{value}``.

    Examples
    --------
    >>> import streamlab as sl
    >>> [tunable.name for tunable in sl.SMART.tunables]
    ['half_life', 'n_trees', 'height', 'decision']
    """

    name: str
    low: float
    high: float
    integer: bool = False
    logarithmic: bool = False
    infinite: bool = False
    limit: float = math.inf
    unit: str = ""
    title: str = ""
    help: str = ""
    optional: bool = False
    none: str = "no bound"
    choices: tuple[Any, ...] = ()
    says: str = ""
    says_never: str = ""

    def __post_init__(self) -> None:
        _check_control(self)

    def told(self, value: Any) -> str:
        """Return what the learner does with this value, in words; "" where the parameter says nothing."""
        if value is None or (isinstance(value, float) and math.isinf(value)):
            return self.says_never
        if isinstance(value, (bool, str)):
            return self.says.format(value=value)
        return self.says.format(value=f"{value:,.4g}" if isinstance(value, float) else f"{value:,}")

    def checked(self, value: Any) -> Any:
        """``value`` as a plain number, or a ValueError that names the parameter, the value and what is allowed."""
        if self.choices:
            for choice in self.choices:
                # files know no tuples
                is_read = isinstance(value, list) and isinstance(choice, tuple) and value == plain(choice)
                if is_read or (type(value) is type(choice) and value == choice):
                    return choice
            raise ValueError(f"{self.name}={value!r}: expected {' or '.join(map(repr, self.choices))}")
        if value is None and self.optional:
            return None
        allowed = f"{self.low:g} to {self.limit:g}" if self.limit < math.inf else f"at least {self.low:g}"
        kind = "a whole number" if self.integer else "a number"
        expected = f"expected {kind}, {allowed}" + (", or inf" if self.infinite else "")
        expected += ", or None" if self.optional else ""
        try:
            number = math.nan if isinstance(value, (bool, str)) or value is None else float(value)
        except (TypeError, ValueError):
            number = math.nan
        if self.infinite and number == math.inf:
            return math.inf
        fits = math.isfinite(number) and self.low <= number <= self.limit
        if not fits or (self.integer and number % 1):
            raise ValueError(f"{self.name}={value!r}: {expected}")
        if self.integer and number > LARGEST_WHOLE:
            raise ValueError(f"{self.name}={value!r}: {expected}, and at most {LARGEST_WHOLE:g}")
        return int(number) if self.integer else number


def _check_control(tunable: Tunable) -> None:
    """Raise a ValueError for what no control can show."""
    what = f"Tunable({shown(tunable.name)})"
    for field in ("name", "unit", "title", "help", "none", "says", "says_never"):
        if not isinstance(getattr(tunable, field), str):
            raise ValueError(f"{what}: {field} is {shown(getattr(tunable, field))}; expected a text")
    if not tunable.name:
        raise ValueError(f"{what}: expected the name of a parameter")
    try:
        tunable.says.format(value="1")
    except (LookupError, ValueError, AttributeError):
        raise ValueError(f"{what}: says is {tunable.says!r}; expected a text with {{value}} in it") from None
    if not isinstance(tunable.choices, (tuple, list)):
        raise ValueError(f"{what}: choices is {shown(tunable.choices)}; expected a tuple of values")
    if tunable.choices:
        return
    for end in ("low", "high"):
        value = getattr(tunable, end)
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
            raise ValueError(
                f"{what}: {end} is {value!r}; expected a finite number, an end of the control's range (limit= is "
                "the largest accepted value, infinite=True allows inf)"
            )
    if tunable.low > tunable.high:
        raise ValueError(f"{what}: low is {tunable.low:g}, high {tunable.high:g}; expected low first")
    if tunable.logarithmic and tunable.high <= 0:
        raise ValueError(f"{what}: high is {tunable.high:g}; a logarithmic control needs one above 0")


def checked_seed(seed: Any, *, optional: bool = True) -> None:
    """Raise a ValueError unless ``seed`` is a whole number, at least 0, or, where it is ``optional``, None."""
    checked_count("seed", seed, optional=optional)


def random_key(seed: int | None) -> np.int64:
    """Return the key of counter-based draws that belongs to a seed; a random one for None."""
    return np.int64((secrets.randbits(63) if seed is None else int(seed)) & (2**63 - 1))


def plain(value: Any) -> Any:
    """Return a parameter as JSON knows it."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    return value


def check_plain(owner: str, name: str, value: Any) -> None:
    """Raise a ValueError that names learner and parameter unless JSON can hold a value that ``plain`` returned."""
    if not _is_json(value):
        raise ValueError(
            f"{owner}: the parameter {name} is {shown(value)}, which a state cannot hold; expected numbers, texts, "
            "True, False, None, and lists, tuples and dictionaries (with texts as keys) of these"
        )


def _is_json(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and all(map(_is_json, value.values()))
    return value is None or isinstance(value, (bool, int, float, str))


def as_declared(kind: type, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters read from JSON, which knows no tuples: lists are tuples where the default is one."""
    if not any(isinstance(value, list) for value in parameters.values()):
        return parameters
    declared = inspect.signature(kind).parameters
    return {
        name: _tupled(value) if name in declared and isinstance(declared[name].default, tuple) else value
        for name, value in parameters.items()
    }


def _tupled(value: Any) -> Any:
    return tuple(map(_tupled, value)) if isinstance(value, list) else value
