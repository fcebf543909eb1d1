"""Calls side by side in threads, where that pays; else one after another. Results are the same.

Kernels run without Python's lock, so learners of a run and experts of a council can use several cores. What is Python
alone gains nothing, and to wake a thread takes as long as a few rows: so it is measured which way is quicker.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from streamlab._lock import Lock

Returned = TypeVar("Returned")
CONTROL_GROUPS = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")
IDLE_SECONDS = 0.3
"""A thread that has nothing to do for so long ends."""
LOOK_AGAIN, MOST_BETWEEN = 32, 512
"""After so many calls the way that took longer is tried again, then after twice as many, and so on to the most."""
SAMPLES = 3
"""The median of the latest so many measurements counts."""
LEAST_SECONDS = 0.0005
"""What takes less in all is not worth a thread: to wake one and to wait for it takes up to a fifth of that."""
CLEARLY = 0.97
"""Threads must take at most this share of the time of one after another."""


def cores() -> int:
    """Return how many cores this process may use, by its affinity and its control groups' quota; at least 1."""
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(min([mine, *_quotas()])))


def _quotas() -> list[float]:
    """Return how many cores' time the control groups above this process grant, of version 2 or 1."""
    found = []
    with suppress(OSError):
        for line in OWN_GROUPS.read_text(encoding="utf-8").splitlines():
            _, kinds, place = line.split(":", 2)
            files = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if kinds else ("cpu.max",)
            own = CONTROL_GROUPS / kinds / place.strip("/")
            for folder in (own, *own.parents) if not kinds or "cpu" in kinds.split(",") else ():
                # a group without a limit says "max" or -1, and one that a container does not see is not there
                with suppress(OSError, ValueError):
                    quota, period = (float(part) for file in files for part in (folder / file).read_text().split())
                    found.append(quota / period if quota > 0 else math.inf)
    return found


_of_thread = threading.local()


def cpu_seconds() -> float:
    """Return the seconds of a processor that this thread has taken, and others that worked for it."""
    return time.thread_time() + getattr(_of_thread, "helped", 0.0)


_all = threading.Semaphore(cores() - 1)
"""Helpers that are free in this process, for what works without a number of its own."""
_around: ContextVar[threading.Semaphore | None] = ContextVar("helpers", default=None)
"""Those of the calls around this one: a council in a run takes only what its run leaves."""
Order = tuple[Callable[[], float], Callable[[float], None]]
"""What a thread does, and what it calls with the answer when it is free again."""
_idle: list[SimpleQueue[Order]] = []
"""Threads that wait for work, by where they look for it."""
if hasattr(os, "register_at_fork"):
    # a child has none of its parent's threads
    os.register_at_fork(after_in_child=lambda: (_all.__init__(cores() - 1), _idle.clear()))  # type: ignore[func-returns-value, misc]


def _help(orders: SimpleQueue[Order]) -> None:
    """Work in a thread of its own, until there has been nothing to do for a while."""
    while True:
        try:
            work, ended = orders.get(timeout=IDLE_SECONDS)
        except Empty:
            # unless somebody has just taken it
            with suppress(ValueError):
                _idle.remove(orders)
                return
            continue
        answer = work()
        _idle.append(orders)
        ended(answer)
        # nobody's run is kept by a thread that waits
        del work, ended


def _begin(order: Order) -> None:
    """Begin work in a thread that waits for some, or in a new one."""
    try:
        orders = _idle.pop()
    except IndexError:
        orders = SimpleQueue()
        threading.Thread(target=_help, args=(orders,), name="streamlab side by side", daemon=True).start()
    orders.put(order)


def side_by_side(
    calls: Sequence[Callable[[], Returned]], order: Iterable[int], helpers: int, spent: list[float],
    lock: Lock | None = None,
) -> list[Returned]:  # fmt: skip
    """Do calls in this thread and in helping ones; return what they return.

    Parameters
    ----------
    calls
        What is done.
    order
        The places of those that any thread may do, in the order in which they begin; this thread does the others first.
    helpers
        How many threads help.
    spent
        Gets the seconds of a processor of each call, at its place.
    lock
        A lock that the calls need and this thread holds.

    Raises
    ------
    BaseException
        What the first of the calls raised that raised something, when all have ended; or an interrupt of this thread
        between or after its calls, when those have ended that were at work.
    """
    answers: list[Any] = [None] * len(calls)
    errors: dict[int, BaseException] = {}
    todo = deque(order)
    own = deque(place for place in range(len(calls)) if place not in todo)
    bell: SimpleQueue[None] = SimpleQueue()
    helped: list[float] = []

    def do_all(places: deque[int]) -> None:
        with suppress(IndexError):
            while True:
                place, began = places.popleft(), cpu_seconds()
                try:
                    answers[place] = calls[place]()
                except BaseException as error:  # it is raised below
                    errors[place] = error
                spent[place] = cpu_seconds() - began

    def help_out(context: Context) -> float:
        began, ident = cpu_seconds(), threading.get_ident()
        if lock is not None:
            lock.lent.add(ident)
        context.run(do_all, todo)
        if lock is not None:
            lock.lent.discard(ident)
        return cpu_seconds() - began

    def ended(seconds: float) -> None:
        helped.append(seconds)
        bell.put(None)

    begun = 0
    try:
        for _ in range(helpers):
            # numpy's ways with errors, among others, are the context's
            _begin((partial(help_out, copy_context()), ended))
            begun += 1
        do_all(own)
        do_all(todo)
    except BaseException as error:
        todo.clear()
        errors[-1] = error
    while len(helped) < begun:
        try:
            bell.get()
        except KeyboardInterrupt as error:
            todo.clear()
            errors[-1] = error
    _of_thread.helped = getattr(_of_thread, "helped", 0.0) + sum(helped)
    if errors:
        try:
            raise errors[min(errors)]
        finally:
            # their tracebacks have this frame, which would keep them
            errors.clear()
    return answers


@contextmanager
def _taken(free: threading.Semaphore, most: int) -> Iterator[int]:
    """Take helpers that are free, and let others have them at the end; yields how many."""
    helpers = sum(free.acquire(blocking=False) for _ in range(most))
    before = _around.set(free)
    try:
        yield helpers
    finally:
        _around.reset(before)
        for _ in range(helpers):
            free.release()


def shared_out(calls: Sequence[Callable[[], Returned]], jobs: int | None = None) -> list[Returned]:
    """Do calls of some length, ``jobs`` at a time, as ``Team`` has it; return what they return, in order.

    Errors are those of ``side_by_side``.
    """
    with _taken((_around.get() or _all) if jobs is None else threading.Semaphore(jobs - 1), len(calls[1:])) as helpers:
        return side_by_side(calls, range(len(calls)), helpers, [0.0] * len(calls))


class Team:
    """Calls that come again and again, such as one for each learner of a run with each chunk.

    It measures which way takes less time by the clock, one after another or side by side.

    Parameters
    ----------
    jobs
        How many may work at a time; None: as many as this process has cores, or as those around it leave.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self._free = None if jobs is None else threading.Semaphore(jobs - 1)
        self._begin_again(())

    def _begin_again(self, members: Sequence[Hashable]) -> None:
        self._members, self._count = list(members), 0
        # the call that tries the other way, and after how many the next will
        self._look_at = self._between = LOOK_AGAIN
        # seconds a row by the clock, side by side or not and by the binary digits of rows; seconds of each call
        self._clocks: defaultdict[tuple[bool, int], deque[float]] = defaultdict(partial(deque, maxlen=SAMPLES))
        self._spent = [0.0] * len(members)

    def work(
        self, members: Sequence[Hashable], calls: Sequence[Callable[[], Returned]], rows: int,
        here: Collection[Hashable] = (), lock: Lock | None = None,
    ) -> list[Returned]:  # fmt: skip
        """Do a call for each member; return what they return, in order.

        Parameters
        ----------
        members, calls
            Who works, and what each does.
        rows
            How many rows they work on, at least 1: twice as many take twice as long.
        here
            Members that work in the calling thread alone: what is Python gains nothing by another one.
        lock
            As in ``side_by_side``.

        Raises
        ------
        Exception
            As ``side_by_side``, or at once where one works after the other.
        """
        if members != self._members:
            self._begin_again(members)
        self._count += 1
        wanted, looks = self._are_quicker(rows), self._count >= self._look_at
        way = wanted != looks
        most = min(len(calls) - 1, len(calls) - len(here)) if way else 0
        with _taken(self._free or _around.get() or _all, most) as helpers:
            began = time.perf_counter()
            if helpers:
                free = [place for place, member in enumerate(members) if member not in here]
                # what takes longest begins first
                free.sort(key=lambda place: -self._spent[place])
                answers = side_by_side(calls, free, helpers, self._spent, lock)
            else:
                answers = [call() for call in calls]
        # the first call may load kernels
        if way == bool(helpers) and self._count > 1:
            self._clocks[way, rows.bit_length()].append((time.perf_counter() - began) / rows)
            if looks:
                is_same = self._are_quicker(rows) == wanted
                self._between = min(2 * self._between, MOST_BETWEEN) if is_same else LOOK_AGAIN
                self._look_at = self._count + self._between
        return answers

    def _are_quicker(self, rows: int) -> bool:
        """Return whether threads take less time by the clock; at first each way is tried some times."""
        apart, together = (self._clocks[way, rows.bit_length()] for way in (False, True))
        if len(together) < SAMPLES or len(apart) < SAMPLES:
            return len(together) < len(apart) and min(apart) * rows >= LEAST_SECONDS
        return sorted(together)[SAMPLES // 2] < CLEARLY * sorted(apart)[SAMPLES // 2]
