"""Turns of players that play flat out: more threads than cores only keep the interpreter from whoever serves pages."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

# a step of a slow learner may take long: nobody waits longer than this for it
PATIENCE_SECONDS = 1.0


class Turns:
    """So many threads at a time, in the order in which they came; who has waited too long goes on without a turn."""

    def __init__(self, n: int) -> None:
        self._free = n
        self._line: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @contextmanager
    def one(self, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
        """Have a turn, after at most ``patience`` seconds."""
        has_turn = self._wait(patience)
        try:
            yield
        finally:
            if has_turn:
                self._pass_on()

    def _wait(self, patience: float) -> bool:
        own = threading.Event()
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            self._line.append(own)
        own.wait(patience)
        with self._lock:
            if own.is_set():
                return True
            self._line.remove(own)
            return False

    def _pass_on(self) -> None:
        with self._lock:
            if self._line:
                self._line.popleft().set()
            else:
                self._free += 1


TURNS = Turns(max(2, os.cpu_count() or 1))
"""Of all players of this process."""
