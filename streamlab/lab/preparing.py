"""Prepare learners beside what is running: other processes compile their kernels, which are then only loaded here."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlab.kernels import NotCompiled, only_cached
from streamlab.lab.compiling import NESTED_RUN, RUN, STREAM, Compiler, compile_parts, files_of, run_kernels, submit
from streamlab.learners import LEARNERS, Learner

logger = logging.getLogger("streamlab")

SECONDS = {RUN: 6.0, NESTED_RUN: 7.0}
"""About how long these parts take to be compiled, s of a processor, as ``streamlab warm`` says."""
OTHERS_SECONDS = 10.0
"""Seconds for a part that is not a registered learner; learners give their own, ``compile_seconds``."""
START_SECONDS = 3.0
"""Until a process that compiles has begun to."""


class Preparation:
    """What has to be compiled before a learner, or a run at all, can go on without a wait.

    Parameters
    ----------
    title
        What is prepared, for people.
    parts
        What ``compile_parts`` takes; empty: it cannot be done in another process.
    prepare
        Loads the kernels, or compiles them.
    files
        Those with the kernels: what shares some with another is compiled after it rather than beside it.
    loads
        Whether they are also loaded here.

    Attributes
    ----------
    urgent
        Whether somebody waits for it.
    began
        When it began, as ``time.monotonic`` says; None while it waits for others.
    took
        How long it took when it is done, s: of a processor and by the clock.
    error
        Why it failed, or None.
    """

    def __init__(
        self,
        title: str,
        parts: tuple[str, ...],
        prepare: Callable[[], None],
        files: frozenset[str] = frozenset(),
        loads: bool = True,
    ) -> None:
        self.title, self.parts, self.files, self._prepare, self._loads = title, parts, files, prepare, loads
        self._expected = sum(map(_seconds, parts)) or OTHERS_SECONDS
        self.urgent = True
        self.began: float | None = None
        self.took = (0.0, 0.0)
        self.error: Exception | None = None
        self._done = threading.Event()
        self._hearers: list[Callable[[Preparation], None]] = []
        self._begin_hearers: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    @property
    def seconds(self) -> float:
        """About how many seconds it takes by the clock, estimated from what this process has prepared before."""
        return (START_SECONDS + self._expected) * _pace.factor

    @property
    def left(self) -> float:
        """About how long it still takes by the clock; more than 0 until it is done."""
        passed = 0.0 if self.began is None else time.monotonic() - self.began
        return max(self.seconds - passed, 0.1 * passed)

    @property
    def done(self) -> bool:
        """Whether nothing is left to be compiled."""
        return self._done.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is done; returns whether it is."""
        return self._done.wait(seconds)

    def when_begun(self, hear: Callable[[], None]) -> None:
        """Call ``hear()`` when it begins, on the thread that does it, unless it has begun already."""
        with self._lock:
            if self.began is None:
                self._begin_hearers.append(hear)

    def when_done(self, hear: Callable[[Preparation], None]) -> None:
        """Call ``hear(self)`` when it is done, on the thread that did it; at once if it is."""
        with self._lock:
            if not self.done:
                self._hearers.append(hear)
                return
        hear(self)

    def carry_out(self, compiler: Compiler) -> None:
        """Compile the kernels by another process, and load them."""
        with self._lock:
            self.began = time.monotonic()
            begin_hearers, self._begin_hearers = self._begin_hearers, []
        for begun in begin_hearers:
            begun()
        logger.info("preparing %s: its kernels are compiled for this machine, once", self.title)
        begun_here = time.thread_time()
        elsewhere = None
        try:
            if self.parts:
                elsewhere = compiler.compile(self.parts, self.urgent)
            if self._loads or elsewhere is None:
                try:
                    with only_cached():
                        self._prepare()
                except NotCompiled:
                    # there is no folder to keep kernels in, or the learner is of this process alone
                    self._prepare()
        except Exception as error:
            # who uses the learner hears what is wrong with it
            self.error = error
            logger.log(
                logging.ERROR if self._loads else logging.DEBUG, "%s cannot be prepared", self.title, exc_info=True
            )
        clock = time.monotonic() - self.began
        self.took = ((elsewhere or 0.0) + time.thread_time() - begun_here, clock)
        if self.error is None and elsewhere is not None:
            _pace.note(clock, START_SECONDS + self._expected)
        with self._lock:
            self._done.set()
            hearers, self._hearers = self._hearers, []
        for hear in hearers:
            hear(self)


class _Pace:
    """How many seconds pass by the clock while one is expected: on another machine, or while others use this one."""

    def __init__(self) -> None:
        self._clock = self._expected = 0.0

    @property
    def factor(self) -> float:
        return min(max(self._clock / self._expected, 0.5), 10.0) if self._expected else 1.0

    def note(self, clock: float, expected: float) -> None:
        # the newest counts for half
        self._clock, self._expected = self._clock / 2 + clock / expected, self._expected / 2 + 1.0


_pace = _Pace()


def preparation(title: str, learner: Learner, urgent: bool = True) -> Preparation | None:
    """Return what has to be compiled for a learner, which begins in the background; None if it is ready.

    Calls for learners of the same kinds, from any page, share one preparation. Those that are urgent to anybody come
    before the others.
    """
    own = [type(learner)] if hasattr(type(learner), "prepare_own") else []
    kinds = list(dict.fromkeys([*own, *map(type, getattr(learner, "parts", ()))])) or [type(learner)]
    # the words of a class that is not where it says are not to be compared
    key = tuple(kinds)
    return _asked(key, title, kinds, learner.prepare, urgent)


def prepare_run(nested: bool = False) -> Preparation | None:
    """Return what has to be compiled for any run, which begins in the background; None if it is ready.

    Parameters
    ----------
    nested
        Whether its labels have a hierarchy.
    """
    part = NESTED_RUN if nested else RUN
    return _asked((part,), "what counts and watches", [], partial(run_kernels, nested))


def prepare_stream(name: str) -> Preparation | None:
    """Return what has to be compiled for the rows of a stream of the catalogue, which begins; None if it is ready."""
    part = STREAM + name
    return _asked((part,), "the stream", [], partial(compile_parts, [part]))


_ready: set[tuple[Any, ...]] = set()
_under_way: dict[tuple[Any, ...], Preparation] = {}
_lock = threading.Lock()


def _asked(
    key: tuple[Any, ...], title: str, kinds: list[type], prepare: Callable[[], None], urgent: bool = True
) -> Preparation | None:
    with _lock:
        if key in _ready:
            return None
        known = _under_way.get(key)
    if known is not None:
        known.urgent |= urgent
        return known
    try:
        with only_cached():
            prepare()
    except NotCompiled:
        pass
    else:
        with _lock:
            _ready.add(key)
        return None
    parts = tuple(map(part_of, kinds)) if kinds else tuple(map(str, key))
    made = Preparation(title, parts if all(parts) else (), prepare, files_of(kinds))
    with _lock:
        known = _under_way.setdefault(key, made)
        if known is not made:
            return known
    made.urgent = urgent
    made.when_done(lambda _: _finished(key))
    submit(made)
    return made


def _finished(key: tuple[Any, ...]) -> None:
    with _lock:
        _ready.add(key)
        _under_way.pop(key, None)


def part_of(kind: type) -> str:
    """Return what ``compile_parts`` takes for a class; "" if another process does not find it.

    Such a class was typed at a prompt, or made in a function.
    """
    is_found = kind.__module__ != "__main__" and "<" not in kind.__qualname__
    return f"{kind.__module__}:{kind.__qualname__}" if is_found else ""


def _seconds(part: str) -> float:
    name = part.rpartition(":")[2]
    if name in SECONDS or name not in LEARNERS:
        return SECONDS.get(name, 4.0 if part.startswith(STREAM) else OTHERS_SECONDS)
    return float(getattr(LEARNERS.load(name), "compile_seconds", OTHERS_SECONDS))
