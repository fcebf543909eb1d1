"""Values of a run as JSON and blocks of bytes, and back; nothing that is read can name code.

Arrays become numbers in a table; the table says of each its dtype, its shape and its blocks. Blocks that snapshots
share are written once. Everything that is read is checked, for it may have been altered by the sender of the file.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, convert

from streamlab._checks import checked_count, shown
from streamlab.lab.recipe import Count
from streamlab.lab.snapshots import Blocks, PackedBlock, unpacked

ARRAY, TUPLE, PAIRS, FLOAT, TEXTS, FIELDS = "!array", "!tuple", "!pairs", "!float", "!texts", "!fields"
PART = 16 * 2**20
"""Bytes of a file of blocks, about."""
SLACK = 2**20
DTYPES = r"\|b1|[|<][iu][1248]|<f[248]"
Shape = Annotated[tuple[Annotated[int, Meta(le=2**40, ge=0)], ...], Meta(max_length=8)]
ArrayTold = tuple[Annotated[str, Meta(pattern=rf"^({DTYPES})\Z")], Shape, list[Count]]
"""The dtype of an array, its shape, and the numbers of its blocks."""


class Packer:
    """Collects the arrays of what it packs."""

    def __init__(self) -> None:
        self._blocks: list[bytes | PackedBlock] = []
        self._places: dict[int, int] = {}
        self._arrays: list[list[Any]] = []
        self._known: dict[tuple[Any, ...], int] = {}
        self._equal: dict[tuple[Any, ...], Blocks] = {}

    def pack(self, value: Any) -> Any:
        """Return what JSON can hold of a value: plain ones, arrays, lists, tuples, mappings, fields of dataclasses.

        Raises
        ------
        ValueError
            For anything else.
        """
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {FLOAT: str(float(value))}
        if isinstance(value, np.generic):
            return self.pack(value.item())
        if isinstance(value, (np.ndarray, Blocks)):
            return self._packed_array(value)
        if isinstance(value, tuple):
            return {TUPLE: [self.pack(each) for each in value]}
        if isinstance(value, list):
            return [self.pack(each) for each in value]
        if isinstance(value, Mapping):
            if all(isinstance(key, str) and not key.startswith("!") for key in value):
                return {key: self.pack(each) for key, each in value.items()}
            for key in value:
                # what comes back must be a key again
                if not _is_plain_key(key):
                    raise ValueError(f"{shown(key)} as a key cannot be written to an archive")
            return {PAIRS: [[self.pack(key), self.pack(each)] for key, each in value.items()]}
        if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
            return {FIELDS: {name: self.pack(getattr(value, name)) for name in value.__dataclass_fields__}}
        raise ValueError(f"{shown(value)} cannot be written to an archive")

    def _packed_array(self, array: np.ndarray | Blocks) -> dict[str, Any]:
        if isinstance(array, np.ndarray):
            if array.dtype.kind in "OU":
                values = array.reshape(-1).tolist()
                if not all(each is None or isinstance(each, (bool, int, float, str)) for each in values):
                    raise ValueError("an array of objects that are not plain values cannot be written to an archive")
                texts = [self.pack(each) for each in values]
                return {TEXTS: [list(array.shape), array.dtype.kind, texts]}
            # equal ones are one: columns of a picture that did not change
            array = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            digest = hashlib.sha256(array.tobytes()).digest()
            array = self._equal.setdefault((array.dtype.str, array.shape, digest), Blocks(array))
        places = tuple(self._place(block) for block in array.blocks)
        key = (array.dtype.str, array.shape, places)
        if key not in self._known:
            if not re.fullmatch(DTYPES, array.dtype.str):
                raise ValueError(f"an array of {array.dtype} cannot be written to an archive")
            self._known[key] = len(self._arrays)
            self._arrays.append([array.dtype.str, list(array.shape), list(places)])
        return {ARRAY: self._known[key]}

    def _place(self, block: bytes | PackedBlock) -> int:
        # those that snapshots share are the same objects
        place = self._places.get(id(block))
        if place is None:
            place = self._places[id(block)] = len(self._blocks)
            self._blocks.append(block)  # kept, so that its identity stays its own
        return place

    def arrays(self) -> list[list[Any]]:
        """Return the table of the arrays so far."""
        return self._arrays

    def parts(self) -> Iterator[bytes]:
        """Yield the blocks as safetensors files."""
        from safetensors.numpy import save

        part: list[bytes] = []
        size = 0
        for place, block in enumerate(map(unpacked, self._blocks)):
            part.append(block)
            size += len(block)
            if size >= PART or place == len(self._blocks) - 1:
                sizes = np.array([len(each) for each in part], np.int64)
                yield save({"bytes": np.frombuffer(b"".join(part), np.uint8), "sizes": sizes})
                part, size = [], 0


class Unpacker:
    """Gives back what a ``Packer`` packed, checked.

    Parameters
    ----------
    arrays
        The table of arrays.
    parts
        The files of blocks.

    Raises
    ------
    ValueError
        If they contradict each other.
    """

    def __init__(self, arrays: Any, parts: Iterator[bytes]) -> None:
        self._blocks: list[bytes] = []
        for part in parts:
            self._blocks.extend(_blocks_of(part))
        self.n_bytes = sum(map(len, self._blocks))
        self._table = convert(arrays, list[ArrayTold])
        self._arrays: dict[int, np.ndarray] = {}
        self._unpacked = 0
        self._kept: dict[int, Blocks] = {}

    def unpack(self, value: Any) -> Any:
        """Return what was packed; arrays are shared between all that had the same, and are not to be written to."""
        if isinstance(value, list):
            return [self.unpack(each) for each in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((kind, inside),) = value.items()
            if kind.startswith("!"):
                return self._tagged(kind, inside)
        return {key: self.unpack(each) for key, each in value.items()}

    def _tagged(self, kind: str, inside: Any) -> Any:
        if kind == ARRAY:
            if inside not in self._arrays:
                blocks = self.blocks(inside)
                self._unpacked += sum(map(len, blocks.blocks))
                if self._unpacked > self.n_bytes + SLACK:
                    raise ValueError("its arrays have more bytes than the archive; expected each array once")
                array = blocks.array()
                array.flags.writeable = False
                self._arrays[inside] = array
            return self._arrays[inside]
        if kind == TUPLE:
            return tuple(self.unpack(each) for each in convert(inside, list[Any]))
        if kind == FIELDS:
            return {key: self.unpack(each) for key, each in convert(inside, dict[str, Any]).items()}
        if kind == FLOAT:
            return float(convert(inside, Literal["inf", "-inf", "nan"]))
        if kind == PAIRS:
            return {self.unpack(key): self.unpack(each) for key, each in convert(inside, list[tuple[Any, Any]])}
        if kind == TEXTS:
            shape, letter, values = convert(inside, tuple[Shape, Literal["O", "U"], list[Any]])
            values = [self.unpack(each) for each in values]
            plain = all(each is None or isinstance(each, (bool, int, float, str)) for each in values)
            if not plain or math.prod(shape) != len(values):
                raise ValueError("texts contradict themselves; expected plain values, and as many as their shape says")
            array = np.empty(len(values), object)
            array[:] = values
            return (array if letter == "O" else np.array(values, np.str_)).reshape(shape)
        raise ValueError(f"{shown(kind)} is an unknown kind of value; expected one of this version of streamlab")

    def blocks(self, place: int) -> Blocks:
        """Return an array of the table as blocks."""
        if place not in self._kept:
            dtype, shape, numbers = self._table[checked_count("an array's number", place)]
            made = Blocks.__new__(Blocks)
            made.dtype, made.shape = np.dtype(dtype), shape
            made.blocks = tuple(self._blocks[each] for each in numbers)
            if len(set(numbers)) < len(numbers):
                raise ValueError("an array has a block twice; expected each once")
            if math.prod(made.shape) * made.dtype.itemsize != sum(map(len, made.blocks)):
                raise ValueError(f"an array of {dtype} {made.shape} has other bytes than that")
            self._kept[place] = made
        return self._kept[place]

    def entries(self, names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
        """Return the entries of a snapshot: arrays as blocks, of no more bytes than the archive has in all."""
        entries: dict[str, Any] = {}
        total = 0
        for name, value in zip(names, values, strict=True):
            if isinstance(value, dict) and list(value) == [ARRAY]:
                blocks = self.blocks(value[ARRAY])
                total += sum(map(len, blocks.blocks))
                entries[name] = blocks
            else:
                entries[name] = self.unpack(value)
        if total > self.n_bytes + SLACK:
            raise ValueError("a snapshot has more bytes than the archive; expected each of its arrays once")
        return entries


def _blocks_of(part: bytes) -> list[bytes]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        found = load(part)
    except (SafetensorError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"blocks that cannot be read ({type(error).__name__}); expected a safetensors file") from None
    whole, sizes = (found.get(name, np.zeros(0)) for name in ("bytes", "sizes"))
    fits = whole.dtype == np.uint8 and sizes.dtype == np.int64 and whole.ndim == sizes.ndim == 1
    if not fits or bool(((sizes < 0) | (sizes > len(whole))).any()):
        raise ValueError("a file of blocks has other arrays; expected their bytes and their sizes")
    if len(sizes) > len(whole) or int(sizes.sum()) != len(whole):
        raise ValueError("a file of blocks has other sizes than bytes")
    ends = np.cumsum(sizes).tolist()
    return [whole[end - size : end].tobytes() for end, size in zip(ends, sizes.tolist(), strict=True)]


def _is_plain_key(key: Any) -> bool:
    if isinstance(key, tuple):
        return all(map(_is_plain_key, key))
    return key is None or isinstance(key, (bool, int, float, str, np.generic))


def plain_text(value: Any) -> bytes:
    """Return a packed value as JSON, in UTF-8; what that has not, as in a file's name in another code, is escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")
