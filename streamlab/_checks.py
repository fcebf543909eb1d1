"""Check arguments and word messages, alike everywhere."""

from __future__ import annotations

import difflib
import inspect
import ipaddress
import math
import os
import stat
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeGuard

import numpy as np
from numpy.typing import DTypeLike

__all__ = [
    "LONGEST_INDEX",
    "array_part",
    "call",
    "caller",
    "cannot_be_led_away",
    "check_known",
    "check_only",
    "check_unique",
    "checked_choice",
    "checked_count",
    "checked_flag",
    "checked_number",
    "checked_text",
    "few",
    "in_ascii",
    "in_unicode",
    "index_in",
    "is_count",
    "is_number",
    "near",
    "number_in",
    "one_line",
    "open_regular",
    "shown",
    "unmasked",
    "with_type",
    "within",
]

LONGEST_NEAR, MOST_NEAR = 100, 5000
"""Letters of a name, and names, that ``near`` compares; its time grows with their product."""
LONGEST_ERROR = 300
"""Characters of another package's message that are passed on."""
LONGEST_INDEX = 18
"""Digits that an index may have; Python converts longer ones in quadratic time, or refuses to."""


def few(names: Sequence[object]) -> str:
    """Return the first eight names, quoted, and how many there are in all."""
    first = ", ".join(map(shown, names[:8]))
    return first if len(names) <= 8 else f"{first}, … ({len(names):,} in all)"


def shown(value: object) -> str:
    """Return ``repr``, cut after 60 characters: a message stays one short line whatever is in a file."""
    try:
        text = repr(value[:61]) if isinstance(value, str) else " ".join(repr(value).split())
    except (RecursionError, ValueError):  # nested too deeply, or a number of too many digits
        return f"a value of the type {type(value).__name__} that is too long to show"
    return text if len(text) <= 60 else f"{text[:57]}…{text[0] if isinstance(value, str) else ''}"


def counted(n: int, thing: str) -> str:
    """Return a number with its thing in the singular or the plural: ``"1 label"``, ``"7 classes"``."""
    return f"{n:,} {thing if n == 1 else plural(thing)}"


def percent(share: float) -> str:
    """Return a share in whole per cents, as everything on the page says it: ``"12 %"``, ``"under 1 %"``."""
    whole = round(100 * share)
    if whole == 0 and share > 0:
        return "under 1 %"
    return "over 99 %" if whole == 100 and share < 1 else f"{whole} %"


def plural(thing: str) -> str:
    """Return a noun in the plural: ``"labels"``, ``"classes"``."""
    return f"{thing}{'es' if thing.endswith('s') else 's'}"


def one_line(error: object, most: int = LONGEST_ERROR) -> str:
    """Return the message of another package's error in one line, cut after ``most`` characters; else its type."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= most else f"{text[:most]}…"


def with_type(error: BaseException) -> str:
    """Return ``one_line`` of an error after its type, as for one that nobody foresaw."""
    return f"{type(error).__name__}: {one_line(error)}"


def caller() -> int:
    """Return how many frames up the line stands that called the package: the ``stacklevel`` of a warning."""
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "streamlab":
        depth, frame = depth + 1, frame.f_back
    return depth


def near(name: str, names: Sequence[str]) -> str:
    """Return ``"; did you mean 'yeast'?"``, or an empty text if no name is near."""
    if len(name) > LONGEST_NEAR:
        return ""
    some = [each for each in names[:MOST_NEAR] if len(each) <= LONGEST_NEAR]
    close = difflib.get_close_matches(name, some, n=3)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


def is_count(value: object) -> TypeGuard[int]:
    """Return whether ``value`` is an integer and no bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Return whether ``value`` is a real number and no bool."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def cannot_be_led_away(host: str) -> bool:
    """Return whether a ``Host`` without its port is localhost or an address in numbers.

    A page of another site can have its own name lead to this machine (DNS rebinding) and would then count as the
    server's own. An address in numbers cannot be led anywhere.
    """
    if host == "localhost":
        return True
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def number_in(text: str) -> float | None:
    """Return the number that a text writes in ASCII, or None: what readers take for a number, all of them alike.

    ``1_000`` and ``٣``, which Python accepts, are not numbers.
    """
    if not text.isascii() or "_" in text:
        return None
    try:
        return float(text)
    except ValueError:
        return None


def in_ascii(text: str) -> str:
    """Return a number in digits of another script, such as ``٣``, in those of ASCII; any other text as it is.

    No reader takes it for a number: this is to know what was meant.
    """
    if text.isascii() or not any(letter.isdecimal() and not letter.isascii() for letter in text):
        return text
    plain = "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in text)
    return text if number_in(plain) is None else plain


def in_unicode(text: str) -> str:
    """Return a text with a replacement character for each that UTF-8 has not, as of a file's name in another code."""
    return "".join("\N{REPLACEMENT CHARACTER}" if "\ud800" <= c <= "\udfff" else c for c in text)


def index_in(digits: str) -> int:
    """Return the number that decimal digits write; 10**18, above every limit, where they are more than 18."""
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= LONGEST_INDEX else 10**LONGEST_INDEX


def checked_choice(name: str, value: Any, known: Collection[Any], *, optional: bool = False) -> Any:
    """Return ``value``, or None where it is ``optional``.

    Raises
    ------
    ValueError
        If it is not one of ``known``; the message begins with ``name``, and says which is near.
    """
    if value is None and optional:
        return None
    is_plain = isinstance(value, (str, int, float, np.generic))
    # True is equal to 1, and nobody meant it
    if not is_plain or not any(value == each and isinstance(value, bool) == isinstance(each, bool) for each in known):
        words = [*map(repr, known), *(["None"] if optional else [])]
        listed = " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
        hint = near(value, list(map(str, known))) if isinstance(value, str) else ""
        raise ValueError(f"{name}={shown(value)}: expected {listed}{hint}")
    return value


def checked_count(name: str, value: Any, low: int = 0, high: int | None = None, *, optional: bool = False) -> Any:
    """Return ``value`` as an int, or None where it is ``optional``.

    Raises
    ------
    ValueError
        If it is not a whole number from ``low`` to ``high`` (None: without bound); the message begins with ``name``.
    """
    if value is None and optional:
        return None
    if not is_count(value) or value < low or (high is not None and value > high):
        span = f", at least {low:,}" if high is None else f" from {low:,} to {high:,}"
        raise ValueError(f"{name}={shown(value)}: expected a whole number{span}{', or None' if optional else ''}")
    return int(value)


def checked_number(
    name: str,
    value: Any,
    low: float = 0.0,
    high: float = math.inf,
    *,
    above: bool = False,
    below: bool = False,
    optional: bool = False,
) -> Any:
    """Return ``value`` as a float, or None where it is ``optional``.

    Parameters
    ----------
    name
        With which the message begins.
    value
        What was given.
    low, high
        The finite numbers allowed.
    above, below
        Whether ``low`` itself, or ``high``, is not allowed.
    optional
        Whether None is.

    Raises
    ------
    ValueError
        If it is another value.
    """
    if value is None and optional:
        return None
    fits = is_number(value) and math.isfinite(value) and low <= value <= high
    if not fits or (above and value == low) or (below and value == high):
        start = f" above {low:g}" if above else f", at least {low:g}"
        end = "" if high == math.inf else f" and {'below' if below else 'at most'} {high:g}"
        span = start + end if above or below or not end else f" from {low:g} to {high:g}"
        raise ValueError(f"{name}={shown(value)}: expected a number{span}{', or None' if optional else ''}")
    return float(value)


def checked_flag(name: str, value: Any, *, optional: bool = False) -> Any:
    """Return ``value`` as a bool, or None where it is ``optional``; raise a ValueError if it is not True or False."""
    if value is None and optional:
        return None
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}={shown(value)}: expected True{', False or None' if optional else ' or False'}")
    return bool(value)


def checked_text(name: str, value: Any, *, optional: bool = False) -> Any:
    """Return ``value``, or None where it is ``optional``; raise a ValueError if it is not a text with a letter."""
    if value is None and optional:
        return None
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name}={shown(value)}: expected a text that is not empty{', or None' if optional else ''}")
    return value


def check_unique(what: str, names: Iterable[Any]) -> None:
    """Raise a ValueError, which begins with ``what``, if a name occurs a second time."""
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{what} {shown(name)} occurs twice; expected each once")
        seen.add(name)


@contextmanager
def within(what: str, *others: type[Exception]) -> Iterator[None]:
    """Begin what a ValueError says, or one of other kinds, with ``what``: a file, an entry, an option."""
    kinds: tuple[type[Exception], ...] = (ValueError, *others)
    try:
        yield
    except kinds as error:
        raise ValueError(f"{what}: {error}") from None


def array_part(
    owner: str, state: Mapping[str, Any], name: str, shape: tuple[int, ...], dtype: DTypeLike = np.float64
) -> np.ndarray:
    """Return the array of this name, or raise a ValueError unless it has the shape and dtype."""
    array = state.get(name)
    if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != np.dtype(dtype):
        found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ValueError(f"{owner}: {name} is {found}; expected {np.dtype(dtype)} {shape}")
    return array


def unmasked(values: Any) -> Any:
    """Return a masked array as numbers, NaN where it is masked; anything else as it is.

    Raises
    ------
    ValueError
        If something is masked in an array that holds no numbers.
    """
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if not np.ma.is_masked(values):
        return values.data
    try:
        return np.ma.filled(values.astype(np.float64), np.nan)
    except (TypeError, ValueError):
        raise ValueError(f"a masked array of {values.dtype}: expected numbers") from None


def call(function: Callable[..., Any], name: str, /, *args: Any, **options: Any) -> Any:
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


def open_regular(path: str | Path) -> BinaryIO:
    """Open a file for reading, as bytes, if it is a regular one; a pipe that takes its place meanwhile never blocks.

    Raises
    ------
    ValueError
        As ``existing_file``.
    OSError
        If it cannot be read.
    """
    path = existing_file(path)
    flags = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    file = os.fdopen(os.open(path, os.O_RDONLY | flags), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError(f"{path} is a pipe, a socket or a device; expected a file")
    return file


def existing_file(path: str | Path) -> Path:
    """Return the path if there is a regular file: readers, archives and models open no other.

    Raises
    ------
    ValueError
        If it does not exist or is a folder, a pipe, from which reading could wait for ever, or a device.
    """
    given = str(path)
    if "\0" in given:
        raise ValueError(f"{shown(given)}: a path cannot hold the character NUL; expected a file")
    try:
        path = Path(path).expanduser()
    except RuntimeError:
        raise ValueError(f"{shown(given)}: this home folder does not exist; expected a file") from None
    # os.path answers False for a name that is too long, where Path's methods raise an OSError
    if os.path.isdir(path):
        raise ValueError(f"{path} is a folder; expected a file")
    if not os.path.isfile(path):
        found = "is a pipe, a socket or a device" if os.path.exists(path) else "does not exist"
        raise ValueError(f"{path} {found}; expected a file")
    return path


def under(state: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return the entries whose names begin with the prefix, under the rest of their names."""
    return {name.removeprefix(prefix): value for name, value in state.items() if name.startswith(prefix)}
