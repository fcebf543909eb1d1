"""A run on a live stream: it waits, without blocking, where the next chunk has not come whole yet."""

from __future__ import annotations

from streamlab.lab.ownership import Owned
from streamlab.streams import Chunk, Stream

__all__ = ["Waiting"]


class Waiting(Owned):
    """A run whose stream may have no rows yet."""

    stream: Stream
    chunk: int
    position: int
    finished: bool
    _current: Chunk | None
    _used: int

    @property
    def is_waiting(self) -> bool:
        """Whether the next chunk of a live stream is not there yet; then ``advance`` returns 0, and goes on later.

        Chunks stay whole and at their places, so that a replay of the same rows gives the same numbers. The last one
        may be short, where the stream has ended.

        Raises
        ------
        ValueError
            If it will never come: the source is wrong for good.
        """
        if not self.stream.is_live or self.finished:
            return False
        is_between = self._current is None or self._used == len(self._current)
        return is_between and not self.stream.has_rows(self.position, self.chunk)

    @property
    def why_waiting(self) -> str:
        """The text while the run waits: ``"waiting for rows"``, and the problem of their source, if any."""
        why = self.stream.why_waiting()
        return f"waiting for rows: {why}" if why else "waiting for rows"
