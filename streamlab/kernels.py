"""The one decorator of every compiled kernel, and a word to the user while numba compiles."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import numba
from numba.core import event

__all__ = ["kernel", "on_compile"]

logger = logging.getLogger("streamlab")

# nogil: a kernel in a thread must not stop the page; cache: compiled once for this machine, not once per process.
kernel = numba.njit(cache=True, nogil=True)

_listeners: list[Callable[[str], None]] = []


def on_compile(listener: Callable[[str], None]) -> Callable[[], None]:
    """Call ``listener(message)`` whenever a kernel has to be compiled rather than read from the cache on disk.

    Returns a function that ends the subscription.
    """
    _listeners.append(listener)
    return lambda: _listeners.remove(listener) if listener in _listeners else None


class _Announcer(event.Listener):
    """Turns numba's compile events into one message a process: the first kernel compiled announces the rest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said = False

    def on_start(self, event: event.Event) -> None:
        module = getattr(getattr(event.data.get("dispatcher"), "py_func", None), "__module__", "") or ""
        if not module.startswith("streamlab"):
            return
        with self._lock:
            first, self._said = not self._said, True
        if first:
            message = "compiling kernels for this machine (once; later starts read them from a cache) …"
            logger.warning(message)
            for listener in tuple(_listeners):
                listener(message)

    def on_end(self, event: event.Event) -> None:
        pass


event.register("numba:compile", _Announcer())
