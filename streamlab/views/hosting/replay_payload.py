"""The data of a replay as compact bytes: curves, events, and the packed frames of each picture, for the browser.

All arrays stand in one buffer, pictures' columns byte plane by byte plane over all frames: neighbouring values are
alike, which deflate makes use of. The browser puts each frame together again as ``PictureView`` would have sent it.
"""

from __future__ import annotations

import json
import math
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALIGNMENT = 8
LEVEL = 9
"""Of deflate: files are written once and read often."""
OWN_OF_FRAME = ("kind", "number", "spec", "buffer", "playing")
"""What a frame says that is not its header, or that the replay knows itself."""


class Buffers:
    """Arrays one after another, each at a multiple of eight bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, data: bytes) -> int:
        """Append bytes; returns where they begin."""
        start = self._length
        padding = -len(data) % ALIGNMENT
        self._parts += [data, bytes(padding)]
        self._length += len(data) + padding
        return start

    def array(self, values: Any, kind: str = "f4") -> list[Any]:
        """Append an array; return ``[kind, offset, length]``, with which the browser reads it."""
        array = np.asarray(values).astype(f"<{kind}")
        return [kind, self.add(array.tobytes()), int(array.size)]

    def copy(self) -> Buffers:
        """Return buffers that begin with these."""
        other = Buffers()
        other._parts, other._length = list(self._parts), self._length
        return other

    def join(self) -> bytes:
        """Return all of them."""
        return b"".join(self._parts)


@dataclass
class Recorded:
    """What one picture drew of one learner, at each of its positions.

    Parameters
    ----------
    learner
        The learner's place in the run, -1 where the picture is the same for all.
    details
        What is told of the node that was selected at the last position, as HTML; "" where none was.
    """

    learner: int
    details: str = ""
    _at: list[int] = field(default_factory=list)
    _frames: list[Mapping[str, Any]] = field(default_factory=list)
    _parameters: list[dict[str, Any]] = field(default_factory=list)
    _given: dict[str, Any] = field(default_factory=dict)

    def add(self, position: int, frame: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
        """Append a packed frame and the parameters of the component that goes with it."""
        before = self._parameters[-1] if self._parameters else {}
        # names of a quarter of a million features are kept once, not once an entry
        kept = {
            name: before[name] if name in before and _same(self._given[name], value) else plain(value)
            for name, value in parameters.items()
        }
        self._at.append(position)
        self._frames.append(frame)
        self._parameters.append(kept)
        self._given = dict(parameters)

    def __len__(self) -> int:
        return len(self._at)

    @property
    def positions(self) -> list[int]:
        """Where there is a frame, ascending."""
        return list(self._at)

    @property
    def names(self) -> set[str]:
        """The names of the parameters that the browser knows."""
        return {name for parameters in self._parameters[-1:] for name in parameters}

    def write(self, kept: set[int], buffers: Buffers) -> dict[str, Any]:
        """Put the frames at the positions ``kept`` into buffers; returns what the browser needs to read them.

        ``columns`` has ``[name, item type, scale, offset, rows]`` of each column over all frames; a frame of
        ``frames`` has its position, its header, the parameters that differ from those of the frame before (``["set",
        value]``, or ``["append", values]`` for a list that grew), and pairs of a column and its rows, in the order of
        the frame's buffer.
        """
        places: dict[tuple[str, str, str], int] = {}
        columns: list[tuple[str, str, Any]] = []
        parts: list[list[NDArray[np.uint8]]] = []
        frames: list[list[Any]] = []
        before: dict[str, Any] = {}
        for at, frame, parameters in zip(self._at, self._frames, self._parameters, strict=True):
            if at not in kept:
                continue
            offset, used = 0, []
            for name, kind, length, scale in frame["spec"]:
                key = (name, kind, json.dumps(scale))
                if key not in places:
                    places[key] = len(columns)
                    columns.append((name, kind, scale))
                    parts.append([])
                width = int(kind[1:])
                size = length * width
                rows = np.frombuffer(frame["buffer"], np.uint8, size, offset).reshape(length, width)
                parts[places[key]].append(rows)
                offset += size
                used.append([places[key], length])
            header = plain({name: value for name, value in frame.items() if name not in OWN_OF_FRAME})
            changed = {
                name: _change(before, name, value)
                for name, value in parameters.items()
                if name not in before or not _same(before[name], value)
            }
            before = parameters
            frames.append([at, header, changed, used])
        written = []
        for (name, kind, scale), part in zip(columns, parts, strict=True):
            whole = np.concatenate(part)
            written.append([name, kind, scale, buffers.add(whole.T.tobytes()), len(whole)])
        return {"learner": self.learner, "columns": written, "frames": frames, "details": self.details}


def _same(one: Any, other: Any) -> bool:
    return one is other or bool(one == other)


def _change(before: Mapping[str, Any], name: str, value: Any) -> list[Any]:
    old = before.get(name)
    if isinstance(old, list) and isinstance(value, list) and 0 < len(old) < len(value) and value[: len(old)] == old:
        return ["append", value[len(old) :]]
    return ["set", value]


def encoded(head: Mapping[str, Any], buffers: Buffers) -> bytes:
    """Return head and buffers as base64 of a deflated stream: the length of the head, the head as JSON, the buffers."""
    text = json.dumps(head, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    text += b" " * (-(4 + len(text)) % ALIGNMENT)
    return b64encode(zlib.compress(len(text).to_bytes(4, "little") + text + buffers.join(), LEVEL))


def plain(value: Any) -> Any:
    """Return a value as JSON has it: NumPy's numbers as Python's, infinite ones and NaN as None."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)
