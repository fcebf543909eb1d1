"""Records of a journal: rows with what was known when they were written, as bytes with a length and checksums."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from streamlab.schema import Schema
from streamlab.streams._sparse import csr_rows, is_csr

__all__ = [
    "HEADER_BYTES",
    "MOST_BYTES",
    "Damaged",
    "Head",
    "Record",
    "read_head",
    "read_payload",
    "sound_from",
    "written",
]

MAGIC = b"SLR1"
_HEADER = struct.Struct("<4sIIII")
HEADER_BYTES = _HEADER.size
MOST_BYTES = 1 << 30
"""Bytes of one record."""


class Damaged(ValueError):
    """Raised where bytes are no record, or not the one that was written."""


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before each record: how many rows it has, how many bytes follow, and their checksum."""

    n_rows: int
    n_bytes: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Record:
    """Rows that were written together.

    Parameters
    ----------
    X, Y, when
        As a block of a stream has them; float64 seconds of each row.
    meta
        What was known then, as JSON has it.
    keys
        What each row is about; None where the journal has no keys.
    """

    X: Any
    Y: np.ndarray
    when: np.ndarray
    meta: Mapping[str, Any] = field(default_factory=dict)
    keys: Sequence[str] | None = None

    def __len__(self) -> int:
        return len(self.when)


def written(record: Record, schema: Schema, is_sparse: bool) -> bytes:
    """Return the bytes of a record.

    Raises
    ------
    ValueError
        If its arrays are not rows of the schema, or it takes more than ``MOST_BYTES``.
    """
    n, X = len(record), record.X
    if X.shape != (n, schema.n_features) or record.Y.shape != (n, schema.n_labels) or is_csr(X) != is_sparse:
        raise ValueError(
            f"rows of shape {X.shape} with labels {record.Y.shape}; expected {n} of {schema.n_features} features and "
            f"{schema.n_labels} labels"
        )
    meta = dict(record.meta)
    if record.keys is not None:
        if len(record.keys) != n:
            raise ValueError(f"{len(record.keys)} keys of {n} rows")
        meta["keys"] = list(record.keys)
    told = json.dumps(meta, separators=(",", ":")).encode()
    parts = [struct.pack("<I", len(told)), told, np.ascontiguousarray(record.when, "<f8").tobytes()]
    if is_sparse:
        parts += [
            np.diff(X.indptr).astype("<i4").tobytes(),
            np.asarray(X.indices).astype("<i4").tobytes(),
            np.asarray(X.data).astype("<f8").tobytes(),
        ]
    else:
        parts.append(np.ascontiguousarray(X, "<f8").tobytes())
    parts.append(np.ascontiguousarray(record.Y, np.uint8).tobytes())
    payload = b"".join(parts)
    if len(payload) > MOST_BYTES:
        raise ValueError(f"a record of {n:,} rows takes {len(payload):,} bytes; expected at most {MOST_BYTES:,}")
    begun = _HEADER.pack(MAGIC, n, len(payload), zlib.crc32(payload), 0)[:16]
    return begun + struct.pack("<I", zlib.crc32(begun)) + payload


def read_head(raw: bytes) -> Head | None:
    """Return the head that these bytes are; None if they are none."""
    if len(raw) < HEADER_BYTES:
        return None
    magic, n_rows, n_bytes, checksum, own = _HEADER.unpack(raw[:HEADER_BYTES])
    if magic != MAGIC or own != zlib.crc32(raw[:16]) or n_bytes > MOST_BYTES or n_rows > n_bytes:
        return None
    return Head(n_rows, n_bytes, checksum)


def read_payload(head: Head, payload: bytes, schema: Schema, is_sparse: bool) -> Record:
    """Return the record that these bytes are, all of it checked: it may have been altered.

    Raises
    ------
    Damaged
        If they are not those that were written, or no rows of the schema.
    """
    if len(payload) != head.n_bytes or zlib.crc32(payload) != head.checksum:
        raise Damaged("its bytes are not those that were written")
    try:
        return _record(head.n_rows, payload, schema, is_sparse)
    except Damaged:
        raise
    except (ValueError, struct.error, RecursionError) as error:
        raise Damaged(f"it is no record ({type(error).__name__})") from None


def _record(n: int, payload: bytes, schema: Schema, is_sparse: bool) -> Record:
    (length,) = struct.unpack_from("<I", payload)
    meta = json.loads(payload[4 : 4 + length])
    if not isinstance(meta, dict):
        raise Damaged("what it tells is no dictionary")
    at = 4 + length

    def take(kind: str, count: int) -> np.ndarray:
        nonlocal at
        found = np.frombuffer(payload, kind, count, at)
        at += found.nbytes
        return found

    when = take("<f8", n).astype(np.float64)
    X: Any
    if is_sparse:
        lengths = take("<i4", n).astype(np.int64)
        if (lengths < 0).any():
            raise Damaged("a row has a negative length")
        total = int(lengths.sum())
        indices, data = take("<i4", total), take("<f8", total).astype(np.float64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        rising = np.diff(indices.astype(np.int64)) > 0
        borders = starts[(starts > 0) & (starts < total)] - 1
        rising[borders] = True
        if total and (indices.min() < 0 or indices.max() >= schema.n_features or not rising.all()):
            raise Damaged("a row names columns that are not there, or not in order")
        X = csr_rows(starts, indices.astype(np.int32), data, schema.n_features)
        values = data
    else:
        X = values = take("<f8", n * schema.n_features).reshape(n, schema.n_features).astype(np.float64)
    Y = take("u1", n * schema.n_labels).reshape(n, schema.n_labels).copy()
    if at != len(payload):
        raise Damaged("it has more bytes than its rows")
    if (Y > 1).any() or np.isinf(values).any() or not np.isfinite(when).all():
        raise Damaged("a value is none that a row can have")
    if not is_sparse:
        _check_categories(X, schema)
    keys = meta.pop("keys", None)
    if keys is not None and not (
        isinstance(keys, list) and len(keys) == n and all(isinstance(key, str) for key in keys)
    ):
        raise Damaged("its keys are not those of its rows")
    return Record(X, Y, when, meta, keys)


def _check_categories(X: np.ndarray, schema: Schema) -> None:
    for j, feature in enumerate(schema.features):
        if feature.categories is None:
            continue
        column = X[:, j]
        known = column[~np.isnan(column)]
        if ((known < 0) | (known >= len(feature.categories)) | (known != np.floor(known))).any():
            raise Damaged(f"the column {feature.name!r} has a category that is not there")


def sound_from(file: BinaryIO, begin: int, end: int) -> int | None:
    """Return where the next whole record from a byte on begins, before ``end``; None if there is none."""
    block, overlap = 1 << 20, HEADER_BYTES - 1
    at = begin
    while at < end:
        file.seek(at)
        raw = file.read(min(block + overlap, end - at))
        place = raw.find(MAGIC)
        while 0 <= place < block:
            head = read_head(raw[place : place + HEADER_BYTES])
            if head is not None and at + place + HEADER_BYTES + head.n_bytes <= end:
                file.seek(at + place + HEADER_BYTES)
                if zlib.crc32(file.read(head.n_bytes)) == head.checksum:
                    return at + place
            place = raw.find(MAGIC, place + 1)
        at += block
    return None
