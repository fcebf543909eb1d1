"""The data of a replay: what is packed comes back to the byte, and nothing that JSON lacks gets into it."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.views.hosting.replay_source import Buffers, Recorded, encoded, plain
from streamlab.views.kit.columns import Column, ColumnTable, pack

TABLE = ColumnTable(
    "dot",
    Column("id", "id", ""),
    Column("x", "f4", ""),
    Column("place", "f8", "", optional=True),
    Column("kind", "u1", ""),
    Column("share", "u2", "", scale=65535),
    Column("big", "flag", ""),
)


def decoded(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Head and buffers, read as the browser reads them."""
    raw = zlib.decompress(b64decode(data))
    length = int.from_bytes(raw[:4], "little")
    assert (4 + length) % 8 == 0
    return json.loads(raw[4 : 4 + length]), raw[4 + length :]


def frame_of(slot: dict[str, Any], place: int, data: bytes) -> tuple[list[Any], bytes]:
    """Spec and buffer of a frame, put together again out of the planes of its columns."""
    spec, buffer = [], b""
    for column, length in slot["frames"][place][3]:
        name, kind, scale, offset, rows = slot["columns"][column]
        begin = sum(n for frame in slot["frames"][:place] for c, n in frame[3] if c == column)
        planes = np.frombuffer(data, np.uint8, int(kind[1:]) * rows, offset).reshape(int(kind[1:]), rows)
        buffer += planes[:, begin : begin + length].T.tobytes()
        spec.append([name, kind, length, scale])
    return spec, buffer


def columns(rng: np.random.Generator, n: int, wide: bool, placed: bool) -> dict[str, Any]:
    made = {
        "id": rng.integers(0, 2**40 if wide else 2**20, n),
        "x": rng.normal(size=n),
        "kind": rng.integers(0, 5, n),
        "share": rng.random(n),
        "big": rng.random(n) < 0.5,
    }
    return made | ({"place": rng.normal(size=n)} if placed else {})


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.booleans()), max_size=6))
def test_every_frame_comes_back_to_the_byte(seed: int, frames: list[tuple[int, bool, bool]]):
    rng = np.random.default_rng(seed)
    slot, packed = Recorded(3), []
    for at, (n, wide, placed) in enumerate(frames):
        spec, buffer = pack((TABLE, columns(rng, n, wide, placed)))
        packed.append((spec, buffer))
        # an empty frame travels as one byte, which is not one of its columns'
        frame = {"kind": "frame", "number": at, "playing": False, "now": at, "spec": spec, "buffer": buffer or b"\0"}
        slot.add(at, frame, {"labels": ["a"]})
    buffers = Buffers()
    buffers.array([1.5, 2.5, 3.5])
    head, data = decoded(encoded(slot.write(set(range(len(frames))), buffers), buffers))
    assert head["learner"] == 3
    assert np.frombuffer(data, "<f4", 3).tolist() == [1.5, 2.5, 3.5]
    assert [frame[1] for frame in head["frames"]] == [{"now": at} for at in range(len(frames))]
    for place, (spec, buffer) in enumerate(packed):
        assert frame_of(head, place, data) == (spec, buffer)


def test_only_the_positions_kept_are_written_and_parameters_where_they_change():
    slot = Recorded(-1)
    for at, names in enumerate((["a"], ["a"], ["a", "b"], ["c"])):
        spec, buffer = pack((TABLE, columns(np.random.default_rng(at), 4, False, False)))
        slot.add(
            10 * at, {"kind": "frame", "now": at, "spec": spec, "buffer": buffer}, {"features": names, "shape": {}}
        )
    buffers = Buffers()
    written = slot.write({0, 20, 30}, buffers)
    assert [frame[0] for frame in written["frames"]] == [0, 20, 30]
    changed = [frame[2] for frame in written["frames"]]
    assert changed == [
        {"features": ["set", ["a"]], "shape": ["set", {}]},
        {"features": ["append", ["b"]]},
        {"features": ["set", ["c"]]},
    ]
    assert all(rows == 12 for *_, rows in written["columns"])
    assert len(slot) == 4


def test_a_copy_of_buffers_goes_its_own_way():
    buffers = Buffers()
    assert buffers.array([1, 2, 3], "u4") == ["u4", 0, 3]
    other = buffers.copy()
    assert other.add(b"abc") == 16
    assert (len(buffers.join()), len(other.join())) == (16, 24)


def test_what_json_lacks_becomes_plain():
    given = {"a": np.float32(0.5), 1: np.array([1.0, np.nan, np.inf]), "b": (np.int64(3), True, None), "c": "text"}
    assert plain(given) == {"a": 0.5, "1": [1.0, None, None], "b": [3, True, None], "c": "text"}
    json.dumps(plain({"x": object()}), allow_nan=False)
