"""A source of another package, here for the session."""

from __future__ import annotations

from typing import ClassVar

import pytest
import streamlab as sl

from streamlab_live import Message, Source
from streamlab_live.addresses import SOURCES


class Counting(Source):
    """Rows 1, 2, 3 …, of an address such as ``counting:?to=5``."""

    name = "counting"
    options: ClassVar = {"to": "the last number"}
    title = "Numbers"

    def __init__(self, to: int) -> None:
        self.at, self.to = 0, to

    @classmethod
    def from_address(cls, address):
        return cls(int(address.number("to", 3) or 3))

    def seek(self, offsets):
        self.at = offsets.get("all", 0)

    def poll(self, most, timeout):
        if self.ended:
            return []
        self.at += 1
        return [Message("all", self.at, float(self.at), b'{"x": %d, "odd": %d}' % (self.at, self.at % 2))]

    def lag(self):
        return self.to - self.at

    @property
    def ended(self):
        return self.at >= self.to

    def close(self):
        pass


def test_a_live_source_is_an_address():
    with pytest.raises(ValueError, match="the scheme 'counting' of the address is unknown"):
        sl.load("counting://here?labels=odd&columns=x,odd")
    with pytest.raises(ValueError, match="without 'from_address'"):
        SOURCES.add("counting", Learnt)
    remove = SOURCES.add("counting", Counting)
    try:
        stream = sl.load("counting:?to=5", labels=["odd"], columns=["x", "odd"])
        assert [int(x) for chunk in stream.chunks(5) for x in chunk.X[:, 0]] == [1, 2, 3, 4, 5]
        stream.close()
        with pytest.raises(ValueError, match="there is no option too="):
            sl.load("counting:?too=5&labels=odd&columns=x,odd")
    finally:
        remove()


class Learnt:
    seek = poll = lag = close = print
