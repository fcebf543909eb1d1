"""Saved learners gone wrong: the bytes and the header of a file, and the entries of a state."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tests.fuzz.changed_bytes import changed

__all__ = ["changed_file", "changed_json", "changed_state", "without_checksum"]

WHOLE = (0, 1, -1, -2, 2, 7, 255, 256, 2**15, 2**31 - 1, 2**31, -(2**31), 2**32, 2**40, 2**62, 2**63 - 1, -(2**63))
REAL = (0.0, -0.0, 1.0, -1.0, 0.5, np.nan, np.inf, -np.inf, 1e308, -1e308, 1e155, 5e-324, 1e-300, 2.0**53)
DTYPES = ("u1", "i1", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "?")
PLAIN: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 3, 10**6, 2**31, 2**63 - 1, 2**63, 10**30, 0.5, -0.5, float("nan"), float("inf"),
    1e308, 5e-324, "", "x", "0", "nan", "SMART", "Tracker", "__class__", "é\u202e\0", [], [1], [[]], {}, {"a": 1},
    "9" * 5000,
)  # fmt: skip
DEEP = 100_000
State = dict[str, Any]


def changed_state(state: State, rng: np.random.Generator) -> tuple[State, str]:
    """A copy of a state after one to three changes, and what these were."""
    state = {key: value.copy() if isinstance(value, np.ndarray) else value for key, value in state.items()}
    done = []
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        key = _chosen(sorted(state), rng)
        value = state[key]
        roll = rng.random()
        if roll < 0.02:
            del state[key]
            what = "left out"
        elif roll < 0.04:
            other = _chosen(sorted(state), rng)
            state[key], state[other] = state[other], state[key]
            what = f"changed places with {other}"
        elif isinstance(value, np.ndarray):
            state[key], what = _changed_array(value, state, rng)
        elif isinstance(value, str) and value[:1] in "[{":
            state[key], what = changed_json(value, rng)
        else:
            state[key] = _chosen(PLAIN, rng)
            what = f"is {state[key]!r:.40}"
        done.append(f"{key} {what}")
    return state, "; ".join(done)


def _chosen(of: Any, rng: np.random.Generator) -> Any:
    return of[int(rng.integers(len(of)))]


def _changed_array(value: np.ndarray, state: State, rng: np.random.Generator) -> tuple[np.ndarray, str]:
    what = _chosen(
        ("one", "one", "one", "near", "near", "swap", "all", "some", "dtype", "shape", "longer", "shorter"), rng
    )
    if not value.size:
        what = _chosen(("dtype", "shape", "longer"), rng)
    flat = value.reshape(-1)
    at = int(rng.integers(value.size)) if value.size else 0
    if what == "one":
        flat[at], shown = _extreme(value.dtype, rng)
        return value, f"[{at}] is {shown}"
    if what == "near":
        # an index into this array or another one, or just beyond
        other = _chosen([v for v in state.values() if isinstance(v, np.ndarray) and v.ndim] or [value], rng)
        number = int(rng.integers(-1, len(other) + 2))
        flat[at] = np.array([number]).astype(value.dtype)[0]
        return value, f"[{at}] is {number}"
    if what == "swap":
        to = int(rng.integers(value.size))
        flat[at], flat[to] = flat[to], flat[at]
        return value, f"[{at}] and [{to}] changed places"
    if what == "all":
        flat[:], shown = _extreme(value.dtype, rng)
        return value, f"is {shown} throughout"
    if what == "some":
        there = rng.random(value.size) < 0.1
        flat[there] = [_extreme(value.dtype, rng)[0] for _ in range(int(there.sum()))]
        return value, f"has {int(there.sum())} extreme values"
    if what == "dtype":
        dtype = np.dtype(_chosen(DTYPES, rng))
        with np.errstate(all="ignore"):
            return value.astype(dtype), f"is {dtype}"
    if what == "shape":
        shapes = [(-1,), (1, *value.shape), (*value.shape, 1), value.shape[::-1]]
        shaped = value.reshape(_chosen(shapes, rng))
        return shaped, f"has the shape {shaped.shape}"
    axis = int(rng.integers(max(1, value.ndim)))
    whole = np.atleast_1d(value)
    if what == "longer":
        more = int(_chosen((1, 2, 100, 10_000), rng))
        width = [(0, more if a == axis else 0) for a in range(whole.ndim)]
        return np.pad(whole, width), f"is longer by {more}"
    length = int(rng.integers(whole.shape[axis]))
    return whole.take(np.arange(length), axis=axis), f"is cut to {length}"


def _extreme(dtype: np.dtype, rng: np.random.Generator) -> tuple[Any, str]:
    if dtype.kind == "f":
        number = _chosen(REAL, rng)
    elif dtype.kind == "b":
        number = bool(rng.integers(2))
    else:
        info = np.iinfo(dtype)
        number = min(max(_chosen(WHOLE, rng), info.min), info.max)
    return number, f"{number!r}"


def changed_json(text: str, rng: np.random.Generator) -> tuple[str, str]:
    """A JSON text with a value changed or left out, cut short or nested, and what was done."""
    roll = rng.random()
    if roll < 0.05:
        return text[: int(rng.integers(len(text))) if text else 0], "is cut short"
    if roll < 0.1:
        return "[" * DEEP + "]" * DEEP, "is nested"
    places: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            places.append((value, key))
            if isinstance(inner, (dict, list)):
                walk(inner)

    try:
        tree = json.loads(text)
        walk(tree)
    except (ValueError, RecursionError):  # changed before
        return text[:-1], "is cut short"
    if not places:
        return json.dumps(_chosen(PLAIN, rng)), "is something else"
    inside, key = _chosen(places, rng)
    value = _chosen(PLAIN, rng)
    if roll < 0.2:
        del inside[key]
        return json.dumps(tree), f"lacks {key!r}"
    inside[key] = value
    return json.dumps(tree), f"has {value!r:.40} at {key!r}"


def without_checksum(content: bytes) -> bytes:
    """A safetensors file as it was before files had a checksum."""
    length = int.from_bytes(content[:8], "little")
    tree = json.loads(content[8 : 8 + length])
    values = json.loads(tree["__metadata__"]["streamlab"])
    del values["checksum"]
    tree["__metadata__"]["streamlab"] = json.dumps(values)
    return _with_head(json.dumps(tree).encode(), "", content[8 + length :])[0]


def changed_file(content: bytes, rng: np.random.Generator) -> tuple[bytes, str]:
    """A safetensors file after a change of its bytes, of its length or of its header, and what it was."""
    roll = rng.random()
    length = int.from_bytes(content[:8], "little")
    head, body = content[8 : 8 + length], content[8 + length :]
    if roll < 0.35:
        body, story = changed(body, rng)
        return content[: 8 + length] + body, f"values: {story}"
    if roll < 0.5:
        # one value alone, so that the file's size agrees
        body = bytearray(body)
        if body:
            at = int(rng.integers(len(body)))
            body[at] = int(rng.integers(256))
        return content[: 8 + length] + bytes(body), "values: one byte"
    if roll < 0.65:
        return _with_head(*_flipped(head, rng), body)
    if roll < 0.7:
        length = int(_chosen((0, 1, length - 1, length + 1, 10**8, 2**40, 2**63, 2**64 - 1), rng)) % 2**64
        return length.to_bytes(8, "little") + content[8:], f"header of {length} bytes"
    if roll < 0.8:
        return changed(content, rng)
    head, story = _changed_head(head, rng)
    return _with_head(head, story, body)


def _flipped(head: bytes, rng: np.random.Generator) -> tuple[bytes, str]:
    data = bytearray(head)
    places = [int(rng.integers(len(data))) for _ in range(int(rng.integers(1, 4)))]
    for at in places:
        data[at] = int(rng.choice(list(b'0123456789[]{}:",eFINUStruefalsnx\\ ')))
    return bytes(data), f"header: characters at {places}"


def _with_head(head: bytes, story: str, body: bytes) -> tuple[bytes, str]:
    return len(head).to_bytes(8, "little") + head + body, story


def _changed_head(head: bytes, rng: np.random.Generator) -> tuple[bytes, str]:
    tree = json.loads(head)
    names = sorted(set(tree) - {"__metadata__"})
    name = _chosen(names, rng) if names else ""
    what = _chosen(("shape", "offsets", "dtype", "huge", "nested", "nested header", "plain", "left out", "again"), rng)
    if what == "nested":
        tree["__metadata__"]["streamlab"] = '{"learner":' + "[" * DEEP + "]" * DEEP + "}"
    elif what == "nested header":
        return b'{"a":' * DEEP + b"1" + b"}" * DEEP, "header: nested"
    elif what == "plain":
        state = tree["__metadata__"]
        key = _chosen(sorted(state), rng)
        state[key], story = changed_json(state[key], rng) if state[key][:1] in "[{" else (str(_chosen(PLAIN, rng)), "")
        return json.dumps(tree).encode(), f"plain values: {key} {story}"
    elif name:
        entry = tree[name]
        if what == "shape":
            entry["shape"] = _chosen(
                ([], [0], [2**40], [2**62, 4], [-1], [1, *entry["shape"]], entry["shape"][:-1]), rng
            )
        elif what == "offsets":
            entry["data_offsets"] = _chosen(([0, 0], [0, 2**40], [2**63, 2**64 - 1], [8, 0], [-8, 8], [0, 8]), rng)
        elif what == "dtype":
            entry["dtype"] = _chosen(
                ("F64", "F32", "F16", "BF16", "F8_E5M2", "I64", "I8", "U8", "U64", "BOOL", "X"), rng
            )
        elif what == "huge":
            # hundreds of GB that agree with themselves, of which the file holds nothing
            entry |= {"dtype": "F64", "shape": [10**11], "data_offsets": [0, 8 * 10**11]}
            tree = {"__metadata__": tree["__metadata__"], name: entry}
        elif what == "left out":
            del tree[name]
        else:
            tree[name + "2"] = entry
    return json.dumps(tree).encode(), f"header: {what} of {name}"
