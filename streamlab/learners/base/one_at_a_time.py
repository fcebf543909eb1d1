"""One verb of a learner at a time: calls from several threads wait for each other, interrupts for the call's end.

Kernels run without Python's global lock and check no index: a thread that predicts while another learns reads arrays
that are being replaced. So every public method and property of a learner takes the learner's own lock. In the main
thread it also holds back SIGINT (Ctrl-C, a notebook's "interrupt"), which Python would raise between any two bytecodes:
``KeyboardInterrupt`` comes when the outermost call has ended, and finds a whole state. What only asks a learner
(``READS``) leaves no state half changed, and may be interrupted.

Learning row by row pays this for each row, so what is cheap is done first: a call within a call only asks whose lock
it is, a reading one takes the lock in C.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # without the enumerations of signal: half the time of a call
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import get_ident
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threading import _RLock as RLock
else:
    # the type itself, which ``threading.RLock`` returns one of
    from _thread import RLock

__all__ = ["READS", "Lock", "holding_interrupts", "serialise", "serialised"]

READS = frozenset({"answer_many", "predict_many", "predict_one", "predict_proba_many", "predict_proba_one"})
"""Names of methods that change nothing that is learned."""

SIGINT = _signal.SIGINT
getsignal, signal = _signal.getsignal, _signal.signal
# a call that lasts so long after a first interrupt is broken off by the next, whatever it leaves
PATIENCE_SECONDS = 5.0
# how often a thread that waits for a lock looks whether it was interrupted
LOOK_SECONDS = 0.1


class _Handler:
    """The handler of SIGINT while a call in the main thread is under way: it keeps the signal for the call's end."""

    __slots__ = ("before", "inside", "kept", "since")

    def __init__(self) -> None:
        self.before: Any = None
        self.inside = False
        self.kept: tuple[int, Any] | None = None
        self.since = 0.0

    def __call__(self, number: int, frame: Any) -> None:
        if self.kept is None:
            self.kept, self.since = (number, frame), time.monotonic()
        elif time.monotonic() - self.since > PATIENCE_SECONDS:
            self.deliver()

    def deliver(self) -> None:
        """Pass on the signal that was kept, if there is one, to the handler that was there before."""
        kept, self.kept = self.kept, None
        if kept is not None:
            self.before(*kept)

    def enter(self) -> None:
        """Take the place of the present handler, unless that is not Python's or ignores the signal."""
        before = getsignal(SIGINT)
        self.before = None
        if callable(before):
            self.before = before
            try:
                signal(SIGINT, self)
            except ValueError:
                # the main thread of an interpreter that gets no signals
                self.before = None
        self.inside = True

    def leave(self) -> None:
        """Give the place back, and pass on what was kept."""
        self.inside = False
        if self.before is not None:
            if getsignal(SIGINT) is self:
                signal(SIGINT, self.before)
            if self.kept is not None:
                self.deliver()


_handler = _Handler()
_main: int | None = 0


def _note_main_thread() -> None:
    global _main
    _main = threading.main_thread().ident


_note_main_thread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_main_thread)


class Lock(RLock):  # type: ignore[misc]  # final in the stubs alone
    """A re-entrant lock that copies and pickles as a new one.

    Attributes
    ----------
    patience
        Seconds that a thread waits before it is refused; negative: for ever.
    patient
        The thread that waits for ever all the same, by its number; 0: none.
    """

    __slots__ = ("patience", "patient")

    def __init__(self) -> None:
        self.patience, self.patient = -1.0, 0

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
        until = None
        if self.patience >= 0 and get_ident() != self.patient:
            until = time.monotonic() + self.patience
        main = get_ident() == _main
        while not self.acquire(True, LOOK_SECONDS):
            if until is not None and time.monotonic() > until:
                raise ValueError(f"{name} is at work in another thread for {self.patience:g} s now: ask again later")
            if main and _handler.kept is not None:
                _handler.deliver()


def serialised(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that runs under the ``_lock`` of its object, and holds interrupts back to its end."""

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        lock = self._lock
        if lock._is_owned():
            try:
                return method(self, *args, **kwargs)
            finally:
                if self._lock is not lock:
                    # ``fit`` may have taken over the attributes of another
                    self.__dict__["_lock"] = lock
        if get_ident() != _main or _handler.inside:
            if not lock.acquire(False):
                lock.wait(type(self).__name__)
            try:
                return method(self, *args, **kwargs)
            finally:
                if self._lock is not lock:
                    self.__dict__["_lock"] = lock
                lock.release()
        _handler.enter()
        try:
            if not lock.acquire(False):
                lock.wait(type(self).__name__)
            try:
                return method(self, *args, **kwargs)
            finally:
                if self._lock is not lock:
                    self.__dict__["_lock"] = lock
                lock.release()
        finally:
            _handler.leave()

    call.__serialised__ = True  # type: ignore[attr-defined]
    return call


def _reading(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that runs under the ``_lock`` of its object, and may be interrupted."""
    careful = serialised(method)

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        lock = self._lock
        if lock._is_owned():
            return method(self, *args, **kwargs)
        if lock.patience >= 0 or _handler.inside:
            return careful(self, *args, **kwargs)
        # entering and leaving in C: no interrupt can come between, and leave it locked
        with lock:
            return method(self, *args, **kwargs)

    call.__serialised__ = True  # type: ignore[attr-defined]
    return call


@contextmanager
def holding_interrupts() -> Iterator[None]:
    """Hold interrupts back to the end of a block; nothing in other threads than the main one, or inside another."""
    if get_ident() != _main or _handler.inside:
        yield
        return
    _handler.enter()
    try:
        yield
    finally:
        _handler.leave()


def serialise(kind: type) -> None:
    """Serialise the public methods and properties that a class itself defines."""
    for name, value in list(vars(kind).items()):
        if name.startswith("_"):
            continue
        if isinstance(value, property) and value.fget is not None:
            if not hasattr(value.fget, "__serialised__"):
                setattr(kind, name, property(serialised(value.fget), value.fset, value.fdel, value.__doc__))
        elif callable(value) and hasattr(value, "__code__") and not hasattr(value, "__serialised__"):
            setattr(kind, name, (_reading if name in READS else serialised)(value))
