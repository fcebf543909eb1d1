"""Messages that are not rows: set aside in a file, a line for each with its place and the reason."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from streamlab.live.source import Message

FILE = "dead_letters.jsonl"
KEPT_BYTES = 2048
MOST_BYTES = 256 << 20
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
        self.path = folder / FILE
        self.counts: Counter[str] = Counter(counts or {})
        self.n_bytes = 0
        if self.path.exists():
            self.n_bytes = min(n_bytes, self.path.stat().st_size)
            os.truncate(self.path, self.n_bytes)

    @property
    def total(self) -> int:
        """Messages refused so far."""
        return sum(self.counts.values())

    def lines(self, messages: list[tuple[Message, str, str]]) -> bytes:
        """Return the lines to write about messages, each with the kind and the reason of its refusal."""
        found = []
        for message, kind, why in messages:
            told = {
                "partition": message.partition,
                "offset": message.offset,
                "when": message.when,
                "kind": kind,
                "reason": why,
                "bytes": len(message.value),
                "text": message.value[:KEPT_BYTES].decode("utf-8", "backslashreplace"),
            }
            found.append(json.dumps(told).encode() + b"\n")
        return b"".join(found)

    def add(self, messages: list[tuple[Message, str, str]]) -> None:
        """Append messages, each with the kind and the reason of its refusal.

        Raises
        ------
        OSError
            If the disk does not take them; nothing is counted then.
        """
        if not messages:
            return
        raw = self.lines(messages)
        if self.n_bytes + len(raw) <= MOST_BYTES:
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
