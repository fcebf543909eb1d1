"""Values as JSON and back: numbers that JSON has not, tuples, keys that are no texts, arrays; nothing names code."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, convert

from streamlab._checks import shown

TUPLE, PAIRS, FLOAT, ARRAY = "!tuple", "!pairs", "!float", "!array"
PackedArray = tuple[
    Annotated[str, Meta(pattern=r"^(\|b1|[|<][iu][1248]|<f[248])\Z")], list[Annotated[int, Meta(ge=0)]], list[Any]
]


def packed(value: Any) -> Any:
    """Return what JSON can hold of a value: plain ones, arrays of numbers, lists, tuples, mappings.

    Raises
    ------
    ValueError
        For anything else.
    """
    if isinstance(value, np.generic):
        return packed(value.item())
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {FLOAT: str(float(value))}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        array = value.astype(value.dtype.newbyteorder("<"))
        return {ARRAY: [array.dtype.str, list(array.shape), packed(array.reshape(-1).tolist())]}
    if isinstance(value, tuple):
        return {TUPLE: [packed(each) for each in value]}
    if isinstance(value, list):
        return [packed(each) for each in value]
    if isinstance(value, Mapping):
        if all(isinstance(key, str) and not key.startswith("!") for key in value):
            return {key: packed(each) for key, each in value.items()}
        return {PAIRS: [[packed(key), packed(each)] for key, each in value.items()]}
    raise ValueError(f"{shown(value)} cannot be written to an archive")


def unpacked(value: Any) -> Any:
    """Return what was packed; a ValueError if it contradicts itself."""
    if isinstance(value, list):
        return [unpacked(each) for each in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1 or not next(iter(value)).startswith("!"):
        return {key: unpacked(each) for key, each in value.items()}
    ((kind, inside),) = value.items()
    if kind == TUPLE:
        return tuple(unpacked(each) for each in convert(inside, list[Any]))
    if kind == FLOAT:
        return float(convert(inside, Literal["inf", "-inf", "nan"]))
    if kind == PAIRS:
        return {unpacked(key): unpacked(each) for key, each in convert(inside, list[tuple[Any, Any]])}
    if kind == ARRAY:
        dtype, shape, values = convert(inside, PackedArray)
        return np.array(unpacked(values), dtype).reshape(shape)
    raise ValueError(f"{shown(kind)} is an unknown kind of value; expected one of this version of streamlab")


def plain_text(value: Any) -> bytes:
    """Return a packed value as JSON, in UTF-8; what that has not, as in a file's name in another code, is escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")
