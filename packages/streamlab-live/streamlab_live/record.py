"""What a journal keeps, as bytes: records of rows with a checksum; and beside it the messages that are not rows."""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from streamlab.schema import Schema

from streamlab_live.source import Message

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
    arrives
        Of rows whose labels came by another way: the row after which they came, int64; else None.
    """

    X: np.ndarray
    Y: np.ndarray
    when: np.ndarray
    keys: Sequence[str] | None = None
    arrives: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.when)

    def cut(self, gone: int) -> Record:
        """Return the rows behind the first ones."""
        keys = None if self.keys is None else self.keys[gone:]
        arrives = None if self.arrives is None else self.arrives[gone:]
        return Record(self.X[gone:], self.Y[gone:], self.when[gone:], keys, arrives)


def written(record: Record, schema: Schema) -> bytes:
    """Return the bytes of a record.

    Raises
    ------
    ValueError
        If its arrays are not rows of the schema, or it takes more than ``MOST_BYTES``.
    """
    n = len(record)
    if record.X.shape != (n, schema.n_features) or record.Y.shape != (n, schema.n_labels):
        raise ValueError(
            f"rows of shape {record.X.shape} with labels {record.Y.shape}; expected {n} of {schema.n_features} "
            f"features and {schema.n_labels} labels"
        )
    if record.keys is not None and len(record.keys) != n:
        raise ValueError(f"{len(record.keys)} keys of {n} rows")
    keys_json = json.dumps(None if record.keys is None else list(record.keys), separators=(",", ":")).encode()
    arrays = [(record.when, "<f8"), (record.X, "<f8"), (record.Y, "u1")]
    arrays += [] if record.arrives is None else [(record.arrives, "<i8")]
    parts = [np.ascontiguousarray(values, kind).tobytes() for values, kind in arrays]
    payload = b"".join([struct.pack("<II", n, len(keys_json)), keys_json, *parts])
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


def read_record(payload: bytes, schema: Schema) -> Record:
    """Return the record that these bytes are, all of it checked: it may have been altered.

    Raises
    ------
    Damaged
        If they are no rows of the schema.
    """
    try:
        return _record(payload, schema)
    except Damaged:
        raise
    except (ValueError, OverflowError, struct.error, RecursionError) as error:
        raise Damaged(f"it is not a record ({type(error).__name__})") from None


def _record(payload: bytes, schema: Schema) -> Record:
    n, length = struct.unpack_from("<II", payload)
    at = 8 + length
    keys = json.loads(payload[8:at])

    def take(kind: str, count: int) -> np.ndarray:
        nonlocal at
        found = np.frombuffer(payload, kind, count, at)
        at += found.nbytes
        return found

    when = take("<f8", n).astype(np.float64)
    X = take("<f8", n * schema.n_features).reshape(n, schema.n_features).astype(np.float64)
    Y = take("u1", n * schema.n_labels).reshape(n, schema.n_labels).copy()
    arrives = take("<i8", n).astype(np.int64) if at < len(payload) else None
    if at != len(payload):
        raise Damaged("it has more bytes than its rows")
    if (Y > 1).any() or np.isinf(X).any() or not np.isfinite(when).all():
        raise Damaged("invalid value in a row")
    _check_categories(X, schema)
    if keys is not None and not (
        isinstance(keys, list) and len(keys) == n and all(isinstance(key, str) for key in keys)
    ):
        raise Damaged("its keys are not those of its rows")
    return Record(X, Y, when, keys, arrives)


def _check_categories(X: np.ndarray, schema: Schema) -> None:
    for j, feature in enumerate(schema.features):
        if feature.categories is None:
            continue
        column = X[:, j]
        known = column[~np.isnan(column)]
        if ((known < 0) | (known >= len(feature.categories)) | (known != np.floor(known))).any():
            raise Damaged(f"the column {feature.name!r} has a category that is not there")


# ---------------------------------------------------------------------- messages that are not rows

LETTERS = "dead_letters.jsonl"
KEPT_BYTES = 2048
LETTERS_BYTES = 256 << 20
"""Bytes of the file; what comes behind is counted, and not kept."""


class DeadLetters:
    """A file of JSON lines to which refused messages are appended: partition, offset, when, kind, reason, bytes, text.

    The text is the first 2 kB of the message; bytes that are not UTF-8 are written ``\\xff``. After 256 MiB messages
    are only counted.

    Parameters
    ----------
    folder
        Where the file is; it is made with the first message.
    n_bytes
        Up to where it counts, as the journal says: what a crash left behind it is cut off.
    counts
        Messages refused so far, by reason.
    """

    def __init__(self, folder: Path, n_bytes: int = 0, counts: Mapping[str, int] | None = None) -> None:
        self.path = folder / LETTERS
        self.counts: Counter[str] = Counter(counts or {})
        self.n_bytes = 0
        if self.path.exists():
            self.n_bytes = min(n_bytes, self.path.stat().st_size)
            os.truncate(self.path, self.n_bytes)

    def add(self, messages: list[tuple[Message, str, str]]) -> None:
        """Append messages, each with the kind and the reason of its refusal.

        Raises
        ------
        OSError
            If the disk does not take them; nothing is counted then.
        """
        if not messages:
            return
        raw = b""
        for message, kind, why in messages:
            entry = {
                "partition": message.partition,
                "offset": message.offset,
                "when": message.when,
                "kind": kind,
                "reason": why,
                "bytes": len(message.value),
                "text": message.value[:KEPT_BYTES].decode("utf-8", "backslashreplace"),
            }
            raw += json.dumps(entry).encode() + b"\n"
        if self.n_bytes + len(raw) <= LETTERS_BYTES:
            with open(self.path, "ab") as file:
                file.write(raw)
            self.n_bytes += len(raw)
        self.counts.update(kind for _, kind, _ in messages)

    def take_back(self, n_bytes: int, counts: Mapping[str, int]) -> None:
        """Forget what came behind a place: the journal did not take the messages around it."""
        self.counts = Counter(counts)
        if self.path.exists():
            os.truncate(self.path, n_bytes)
        self.n_bytes = n_bytes
