"""Records of a journal: rows that were written together, as bytes with a checksum."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab.schema import Schema
from streamlab.streams.blocks import checked_csr, is_csr

MOST_BYTES = 900_000_000
"""Bytes of one record: SQLite takes a billion."""


class Damaged(ValueError):
    """Raised where bytes are no record, or not the one that was written."""


@dataclass(frozen=True, slots=True)
class Record:
    """Rows that were written together.

    Parameters
    ----------
    X, Y, when
        As a block of a stream has them; float64 seconds of each row.
    keys
        What each row is about; None where the journal has no keys.
    """

    X: Any
    Y: np.ndarray
    when: np.ndarray
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
    if record.keys is not None and len(record.keys) != n:
        raise ValueError(f"{len(record.keys)} keys of {n} rows")
    told = json.dumps(None if record.keys is None else list(record.keys), separators=(",", ":")).encode()
    parts = [struct.pack("<II", n, len(told)), told, np.ascontiguousarray(record.when, "<f8").tobytes()]
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
    return payload


def sealed(payload: bytes, place: int = 0) -> bytes:
    """Return bytes behind their checksum, which is another one in another place."""
    return struct.pack("<I", zlib.crc32(payload, place & 0xFFFFFFFF)) + payload


def unsealed(raw: Any, place: int = 0) -> bytes:
    """Return the bytes behind a checksum.

    Raises
    ------
    Damaged
        If they are not those that were written in this place.
    """
    if not isinstance(raw, bytes) or raw[:4] != sealed(raw[4:], place)[:4]:
        raise Damaged("its bytes are not those that were written")
    return raw[4:]


def read_record(payload: bytes, schema: Schema, is_sparse: bool) -> Record:
    """Return the record that these bytes are, all of it checked: it may have been altered.

    Raises
    ------
    Damaged
        If they are no rows of the schema.
    """
    try:
        return _record(payload, schema, is_sparse)
    except Damaged:
        raise
    except (ValueError, OverflowError, struct.error, RecursionError) as error:
        raise Damaged(f"it is not a record ({type(error).__name__})") from None


def _record(payload: bytes, schema: Schema, is_sparse: bool) -> Record:
    n, length = struct.unpack_from("<II", payload)
    at = 8 + length
    keys = json.loads(payload[8:at])

    def take(kind: str, count: int) -> np.ndarray:
        nonlocal at
        found = np.frombuffer(payload, kind, count, at)
        at += found.nbytes
        return found

    when = take("<f8", n).astype(np.float64)
    X: Any
    if is_sparse:
        lengths = take("<i4", n).astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        indices, values = take("<i4", int(starts[-1])), take("<f8", int(starts[-1])).astype(np.float64)
        X = checked_csr(starts, indices, values, (n, schema.n_features))
        if not X.has_canonical_format:
            raise Damaged("a row names columns that are not in order")
    else:
        X = values = take("<f8", n * schema.n_features).reshape(n, schema.n_features).astype(np.float64)
    Y = take("u1", n * schema.n_labels).reshape(n, schema.n_labels).copy()
    if at != len(payload):
        raise Damaged("it has more bytes than its rows")
    if (Y > 1).any() or np.isinf(values).any() or not np.isfinite(when).all():
        raise Damaged("invalid value in a row")
    if not is_sparse:
        _check_categories(X, schema)
    if keys is not None and not (
        isinstance(keys, list) and len(keys) == n and all(isinstance(key, str) for key in keys)
    ):
        raise Damaged("its keys are not those of its rows")
    return Record(X, Y, when, keys)


def _check_categories(X: np.ndarray, schema: Schema) -> None:
    for j, feature in enumerate(schema.features):
        if feature.categories is None:
            continue
        column = X[:, j]
        known = column[~np.isnan(column)]
        if ((known < 0) | (known >= len(feature.categories)) | (known != np.floor(known))).any():
            raise Damaged(f"the column {feature.name!r} has a category that is not there")
