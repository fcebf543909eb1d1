"""What a source gives: a message with its place in the source."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Message", "Offset"]

Offset = int | str
"""A place in a partition of a source: a number for Kafka and files, an id for Redis."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it came, before anything of it is believed.

    Parameters
    ----------
    partition
        The part of the source that it came from: a topic and its partition, the name of a file.
    offset
        Its place there. Reading goes on after it with ``Source.seek``.
    when
        When it was written, in seconds since 1970, as the source says; for a source without times, when it was read.
    value
        Its bytes.
    key
        What it is about, to join rows with their labels; None where there is none.

    Examples
    --------
    >>> Message("topic-0", 17, 1.7e9, b'{"x": 1}').offset
    17
    """

    partition: str
    offset: Offset
    when: float
    value: bytes
    key: str | None = None
