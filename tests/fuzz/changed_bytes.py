"""Bytes gone wrong: those of a saved learner, of an archive, of a data file."""

from __future__ import annotations

import json

import numpy as np

__all__ = ["changed"]

TOKENS = (
    b"nan", b"inf", b"-inf", b"1e400", b"1e-400", b"5e-324", b"-0", b"1000000000", b"-1", b"2", b"?", b"", b"\0",
    b"\xff\xfe", b"\xef\xbb\xbf", b"'", b'"', b"\\", b"{", b"}", b",", b";", b":", b" ", b"\t", b"\r", b"\n", b"%",
    b"@data\n", b"@attribute y {0,1}\n", b"@relation", b"-C 5", b"<label>", b"</label>", b"&lt;", b"&x;", b"<!--",
    "é".encode(), "\u202e".encode(), b"\xed\xa0\x80", b"9" * 400, b"9" * 4300, b"0x10", b"1_000", "１".encode(),
)  # fmt: skip


def changed(content: bytes, rng: np.random.Generator) -> tuple[bytes, str]:
    """Bytes after one to eight random changes, and what these were."""
    data = bytearray(content)
    done = []
    for _ in range(int(rng.choice((1, 1, 1, 2, 4, 8)))):
        if not data:
            break
        at = int(rng.integers(len(data)))
        size = int(min(len(data) - at, 2 ** rng.uniform(0, 8)))
        to = int(rng.integers(len(data)))
        what = str(rng.choice(["flip", "set", "token", "over", "delete", "repeat", "move", "line", "cut"]))
        piece = bytes(data[at : at + size])
        if what == "flip":
            data[at] ^= 1 << int(rng.integers(8))
        elif what == "set":
            data[at] = int(rng.integers(256))
        elif what == "token":
            data[at:at] = TOKENS[int(rng.integers(len(TOKENS)))]
        elif what == "over":
            token = TOKENS[int(rng.integers(len(TOKENS)))]
            data[at : at + len(token)] = token
        elif what == "delete":
            del data[at : at + size]
        elif what == "repeat":
            data[at:at] = piece * int(2 ** rng.uniform(0, 10))
        elif what == "move":
            data[to:to] = piece
        elif what == "line":
            begin, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
            data[begin : end if end >= 0 else len(data)] = TOKENS[int(rng.integers(len(TOKENS)))]
        elif rng.random() < 0.3:
            del data[at:]
        done.append(f"{what} at {at}")
    return bytes(data), json.dumps(done)[1:-1].replace('"', "")
