"""Check what people write in files: a msgspec struct says what is expected, one function words what is wrong."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from streamlab._checks import near, shown

Kind = TypeVar("Kind")
MOST_SHOWN = 60
PARTS = re.compile(r"\[(\d+|\.\.\.)\]|\.([^.\[]+)")
AT = re.compile(r" - at `(?:key` in `)?\$(.*)`$")
OF_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`$")
SINGLE = re.compile(r"^a ((?:whole )?(?:number|table|text|list))")
PLAIN: dict[type, str] = {
    inspect.BoolType: "true or false",
    inspect.DictType: "a table",
    inspect.StructType: "a table",
    inspect.NoneType: "nothing",
}


def validated(given: Any, kind: type[Kind], within: str = "") -> Kind:
    """Return plain values (of JSON, TOML or YAML) as a struct, all of them checked.

    Parameters
    ----------
    given
        A mapping as the file has it.
    kind
        A ``msgspec.Struct``, whose annotations say types, ranges (``msgspec.Meta``) and defaults.
    within
        How the mapping is called in an error; "": by nothing.

    Raises
    ------
    ValueError
        In one line: the entry by its path within the file, its value, and what was expected.

    Examples
    --------
    >>> from typing import Annotated
    >>> Snapshots = msgspec.defstruct("Snapshots", [("keep", Annotated[int, msgspec.Meta(ge=1)], 3)])
    >>> validated({"keep": 5}, Snapshots)
    Snapshots(keep=5)
    >>> validated({"keep": 0}, Snapshots, "snapshots")
    Traceback (most recent call last):
    ValueError: snapshots.keep=0: expected a whole number, at least 1
    """
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise ValueError(_worded(str(error), given, kind, within)) from None


def read_toml(path: Path, kind: type[Kind]) -> Kind:
    """Return a TOML file as a struct.

    Raises
    ------
    ValueError
        If it cannot be read, is not valid TOML, or has an entry that is unknown, missing or impossible; it names the
        file.
    """
    try:
        return validated(tomllib.loads(path.read_text("utf-8")), kind)
    except OSError as error:
        raise ValueError(f"{path}: it cannot be read ({error.strerror or error})") from None
    except RecursionError:
        raise ValueError(f"{path}: it is nested too deep") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: it is not valid TOML ({error})") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _worded(message: str, given: Any, kind: Any, within: str) -> str:
    """Return msgspec's message in our words."""
    at = AT.search(message)
    message, path = (message[: at.start()], at[1]) if at else (message, "")
    value, expected = given, inspect.type_info(kind)
    for number, name in PARTS.findall(path):
        expected = _part(expected, number, name)
        value = _value(value, number, name)
    where = f"{within}{path}" if within else path.removeprefix(".")
    struct = next((each for each in _options(expected) if isinstance(each, inspect.StructType)), None)
    if (field := OF_FIELD.match(message)) and struct is not None:
        name = f"{where}.{field[2]}" if where else field[2]
        known = {each.encode_name: each.type for each in struct.fields}
        if field[1].startswith("missing"):
            return f"{name} is missing: expected {_described(known[field[2]])}"
        return f"{_cut(name)} is unknown: expected {', '.join(known)}{near(field[2], list(known))}"
    if not message.startswith(("Expected ", "Invalid ")):
        # what a struct's own check says
        return f"{where}: {message}" if where else message
    if not where:
        return f"expected {_described(expected)}, got {shown(value)}"
    # of a table with names of its own msgspec does not say which entry it was
    found = "" if "[...]" in where else f"={shown(value)}"
    return f"{where}{found}: expected {_described(expected)}"


def _part(expected: Any, number: str, name: str) -> Any:
    """Return the type of an entry of a struct, a table or a list."""
    for each in _options(expected):
        if isinstance(each, inspect.StructType) and name:
            return next((field.type for field in each.fields if field.encode_name == name), inspect.AnyType())
        if isinstance(each, inspect.DictType):
            return each.value_type
        if isinstance(each, inspect.TupleType) and number.isdigit():
            return each.item_types[int(number)]
        if number and (item := getattr(each, "item_type", None)):
            return item
    return inspect.AnyType()


def _value(value: Any, number: str, name: str) -> Any:
    if isinstance(value, dict) and name:
        return value.get(name)
    return value[int(number)] if isinstance(value, (list, tuple)) and number.isdigit() else value


def _options(expected: Any) -> list[Any]:
    """Return the types that a value may have, without what is said of them."""
    bare = expected.type if isinstance(expected, inspect.Metadata) else expected
    return [_options(each)[0] for each in bare.types] if isinstance(bare, inspect.UnionType) else [bare]


def _described(expected: Any) -> str:
    """Return what a type takes, in words."""
    if isinstance(expected, inspect.Metadata):
        return (expected.extra_json_schema or {}).get("description") or _described(expected.type)
    if isinstance(expected, inspect.UnionType):
        return " or ".join(_described(each) for each in expected.types if not isinstance(each, inspect.NoneType))
    if isinstance(expected, (inspect.IntType, inspect.FloatType)):
        return f"a {'whole ' if isinstance(expected, inspect.IntType) else ''}number{_range(expected)}"
    if isinstance(expected, inspect.StrType):
        most = "" if expected.max_length is None else f" of at most {expected.max_length} characters"
        return f"a text{most}"
    if isinstance(expected, inspect.LiteralType):
        return f"one of {', '.join(map(str, expected.values))}"
    if isinstance(expected, inspect.TupleType):
        return f"a list of {len(expected.item_types)} values"
    if item := getattr(expected, "item_type", None):
        low, high = expected.min_length or 0, expected.max_length
        least = f"{low} to {high} " if low and high is not None else f"at least {low} "
        many = least if low else "" if high is None else f"at most {high:,} "
        return f"a list of {many}{SINGLE.sub(lambda found: f'{found[1]}s', _described(item))}"
    return PLAIN.get(type(expected), "another value")


def _range(expected: Any) -> str:
    low, high = expected.ge, expected.le
    if low is not None and high is not None:
        return f" from {low:,} to {high:,}"
    limits = {"at least": low, "above": expected.gt, "at most": high, "below": expected.lt}
    limits_text = " and ".join(f"{word} {limit:,}" for word, limit in limits.items() if limit is not None)
    return f", {limits_text}" if limits_text else ""


def _cut(text: str) -> str:
    text = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text[: MOST_SHOWN + 1])
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"
