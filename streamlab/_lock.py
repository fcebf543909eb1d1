"""One thread at a time: a lock for an object's methods, which keeps an interrupt until the method has ended.

Kernels run without Python's global lock and check no index: a thread that predicts while another learns would read
arrays that are being replaced. So every public method and property of a learner takes the learner's own lock, and those
of a run the run's. In the main thread it also keeps SIGINT (Ctrl-C, a notebook's "interrupt"), which Python would raise
between any two bytecodes: ``KeyboardInterrupt`` comes when the outermost call has ended, and finds a whole state.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # without the enumerations of signal: half the time of a call
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from threading import _RLock as RLock
else:
    # the type itself, which ``threading.RLock`` returns one of
    from _thread import RLock
Given = ParamSpec("Given")
Returned = TypeVar("Returned")
SIGINT, getsignal, signal = _signal.SIGINT, _signal.getsignal, _signal.signal
# a call that lasts so long after a first interrupt is broken off by the next, whatever it leaves
PATIENCE_SECONDS = 5.0
# how often a thread that waits for a lock looks whether it was interrupted
LOOK_SECONDS = 0.1
_kept: list[tuple[int, Any, float]] = []
"""The interrupt that waits, if there is one: what its handler is called with, and when it came."""
_before: Callable[[int, Any], Any] = _signal.default_int_handler
"""The handler that it waits for."""


def _keep(number: int, frame: Any) -> None:
    if not _kept:
        _kept.append((number, frame, time.monotonic()))
    elif time.monotonic() - _kept[0][2] > PATIENCE_SECONDS:
        _deliver()


def _deliver() -> None:
    if _kept:
        _before(*_kept.pop()[:2])


def _hold() -> Any:
    """Keep interrupts from now on, and return the handler that waits; None in other threads, and in a call's calls."""
    global _before
    before = getsignal(SIGINT)
    if before is _keep or not callable(before):
        return None
    try:
        signal(SIGINT, _keep)
    except ValueError:
        # not the main thread
        return None
    _before = before
    return before


def _release(before: Any) -> None:
    try:
        if getsignal(SIGINT) is _keep:
            signal(SIGINT, before)
    finally:
        # also if the next interrupt comes here
        if _kept:
            _deliver()


class Lock(RLock):  # type: ignore[misc]  # final in the stubs alone
    """A re-entrant lock that copies and pickles as a new one.

    Threads get it in the order in which they came: one that learns without a pause would else take it again and again
    before those that ask are awake.

    Attributes
    ----------
    line
        The threads that wait, the longest first, by what wakes each when it is the first.
    patience
        Seconds that a thread waits before it is refused; infinite by default.
    patient
        The thread that waits for ever all the same, by its number; 0: none.
    lent
        Threads, by their numbers, that work for the one that has it: they have it too.
    """

    __slots__ = ("lent", "line", "patience", "patient")

    def __init__(self) -> None:
        self.line: deque[threading.Event] = deque()
        self.patience, self.patient = math.inf, 0
        self.lent: set[int] = set()

    def __deepcopy__(self, memo: dict) -> Lock:
        return Lock()

    def __reduce__(self) -> tuple:
        return Lock, ()

    def wait(self, name: str) -> None:
        """Acquire it when others have released it.

        Raises
        ------
        ValueError
            If that takes longer than ``patience``; ``name`` says of what.
        """
        until = time.monotonic() + (math.inf if threading.get_ident() == self.patient else self.patience)
        first = threading.Event()
        self.line.append(first)
        try:
            while self.line[0] is not first or not self.acquire(True, LOOK_SECONDS):
                if self.line[0] is not first:
                    first.wait(LOOK_SECONDS)
                if time.monotonic() > until:
                    waited = f"{self.patience:g} s"
                    raise ValueError(f"{name} is at work in another thread for {waited} now: ask again later")
                if threading.current_thread() is threading.main_thread():
                    _deliver()
        finally:
            self.line.remove(first)
            for other in tuple(self.line)[:1]:
                other.set()


def serialised(method: Callable[Concatenate[Any, Given], Returned]) -> Callable[Concatenate[Any, Given], Returned]:
    """Return a method that runs under the ``_lock`` of its object, and keeps an interrupt to its end."""

    @wraps(method)
    def call(self: Any, *args: Given.args, **kwargs: Given.kwargs) -> Returned:
        lock = self._lock
        if lock._is_owned() or threading.get_ident() in lock.lent:
            return method(self, *args, **kwargs)
        # within another call interrupts are kept already
        before = None if getsignal(SIGINT) is _keep else _hold()
        try:
            if lock.line or not lock.acquire(False):
                lock.wait(type(self).__name__)
            try:
                return method(self, *args, **kwargs)
            finally:
                # a method may have taken over the attributes of another
                self.__dict__["_lock"] = lock
                lock.release()
        finally:
            if before is not None:
                _release(before)

    call.__serialised__ = True  # type: ignore[attr-defined]
    return call


def serialise(kind: type) -> None:
    """Serialise the public methods and properties that a class itself defines."""
    for name, value in list(vars(kind).items()):
        if name.startswith("_"):
            continue
        if isinstance(value, property) and value.fget is not None:
            if not hasattr(value.fget, "__serialised__"):
                setattr(kind, name, property(serialised(value.fget), value.fset, value.fdel, value.__doc__))
        elif callable(value) and hasattr(value, "__code__") and not hasattr(value, "__serialised__"):
            setattr(kind, name, serialised(value))
