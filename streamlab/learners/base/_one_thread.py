"""Small matrix products in one thread: handing them to several costs more than the product itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

__all__ = ["one_thread"]

_lock = threading.Lock()
_inside = 0
_limit: Any = None


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep the linear algebra library to the calling thread; the last to leave restores its number of threads.

    The limit is the process's: two threads that each set and restored it would leave it at one.
    """
    global _inside, _limit
    with _lock:
        if _inside == 0:
            _limit = _controller().limit(limits=1, user_api="blas")
            _limit.__enter__()
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limit.__exit__(None, None, None)
                _limit = None
