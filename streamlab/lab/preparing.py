"""Prepare learners beside what is running: their kernels are compiled in a process of its own, and then only loaded.

A compiler in this process would hold its lock, and with it every kernel that is about to be loaded, for seconds.
"""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from streamlab.kernels import NotCompiled, only_cached
from streamlab.learners import LEARNERS, Learner
from streamlab.streams import load

__all__ = ["NESTED_RUN", "RUN", "Preparation", "compile_parts", "preparation", "prepare_run"]

logger = logging.getLogger("streamlab")

RUN, NESTED_RUN = "run", "nested run"
"""The parts of a run itself, what counts, watches and keeps: labels side by side, or in a hierarchy."""
SECONDS = {RUN: 10.0, NESTED_RUN: 5.0}
"""About how long these parts take to be compiled, s of a processor, as ``streamlab warm`` says."""
OTHERS_SECONDS = 10.0
"""Of a part that is no learner of the register; learners say it themselves, by ``compile_seconds``."""
ROWS = 240
CHILD = "import sys; from streamlab.lab.preparing import compile_parts; compile_parts(sys.argv[1:])"


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

    Attributes
    ----------
    seconds
        About how long it takes.
    began
        When it began, as ``time.monotonic`` says; None while it waits for others.
    """

    def __init__(self, title: str, parts: tuple[str, ...], prepare: Callable[[], None]) -> None:
        self.title, self.parts, self._prepare = title, parts, prepare
        self.seconds = sum(map(_seconds, parts)) or OTHERS_SECONDS
        self.began: float | None = None
        self._done = threading.Event()
        self._hearers: list[Callable[[Preparation], None]] = []
        self._begin_hearers: list[Callable[[], None]] = []
        self._lock = threading.Lock()

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

    def _carry_out(self) -> None:
        with self._lock:
            self.began = time.monotonic()
            begin_hearers, self._begin_hearers = self._begin_hearers, []
        for begun in begin_hearers:
            begun()
        logger.info("preparing %s: its kernels are compiled for this machine, once", self.title)
        try:
            if self.parts:
                _in_a_process(self.parts)
            try:
                with only_cached():
                    self._prepare()
            except NotCompiled:
                # there is no folder to keep kernels in, or the learner is of this process alone
                self._prepare()
        except Exception:
            # who uses the learner hears what is wrong with it
            logger.exception("%s cannot be prepared", self.title)
        with self._lock:
            self._done.set()
            hearers, self._hearers = self._hearers, []
        for hear in hearers:
            hear(self)


def preparation(title: str, learner: Learner) -> Preparation | None:
    """Return what has to be compiled for a learner, which begins in the background; None if it is ready.

    Calls for learners of the same kinds, from any page, share one preparation.
    """
    kinds = [type(step) for step in getattr(learner, "parts", ())] or [type(learner)]
    # the words of a class that is not where it says are not to be compared
    key = tuple(kinds)
    return _asked(key, title, kinds, learner.prepare)


def prepare_run(nested: bool = False) -> Preparation | None:
    """Return what has to be compiled for any run, which begins in the background; None if it is ready.

    Parameters
    ----------
    nested
        Whether its labels have a hierarchy.
    """
    part = NESTED_RUN if nested else RUN
    return _asked((part,), "what counts and watches", [], partial(_run_kernels, nested))


def compile_parts(parts: Iterable[str]) -> None:
    """Compile parts: ``RUN``, or ``module:class`` of a learner or transformer."""
    if hasattr(os, "nice"):
        os.nice(5)  # what plays goes first
    for part in parts:
        if part in (RUN, NESTED_RUN):
            _run_kernels(part == NESTED_RUN)
            continue
        module, _, name = part.partition(":")
        kind: Any = import_module(module)
        for attribute in name.split("."):
            kind = getattr(kind, attribute)
        kind.prepare()


def _run_kernels(nested: bool) -> None:
    """Use all kernels of a run, its measures, alarms and marks, on some rows."""
    from streamlab.lab.run import Run
    from streamlab.learners import NoChange

    rng = np.random.default_rng(1)
    rows = (rng.random((ROWS, 2)), (rng.random((ROWS, 3)) > 0.5).astype(np.uint8))
    run = Run(load("segments" if nested else rows), {"no-change": NoChange()}, alarms="label", snapshots=0)
    run.advance(ROWS)
    run.detection()


_ready: set[tuple[Any, ...]] = set()
_under_way: dict[tuple[Any, ...], Preparation] = {}
_queue: deque[Preparation] = deque()
_lock = threading.Lock()
_working = False


def _asked(key: tuple[Any, ...], title: str, kinds: list[type], prepare: Callable[[], None]) -> Preparation | None:
    global _working
    with _lock:
        if key in _ready:
            return None
        known = _under_way.get(key)
    if known is not None:
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
    parts = tuple(map(str, key)) if not kinds else tuple(f"{kind.__module__}:{kind.__qualname__}" for kind in kinds)
    made = Preparation(title, parts if all(map(_can_be_imported, kinds)) else (), prepare)
    with _lock:
        known = _under_way.setdefault(key, made)
        if known is not made:
            return known
        _queue.append(made)
        begins, _working = not _working, True
    made.when_done(lambda _: _finished(key))
    if begins:
        threading.Thread(target=_work, name="streamlab kernels", daemon=True).start()
    return made


def _finished(key: tuple[Any, ...]) -> None:
    with _lock:
        _ready.add(key)
        _under_way.pop(key, None)


def _work() -> None:
    """Carry out what waits, one after the other: each takes a core."""
    global _working
    while True:
        with _lock:
            if not _queue:
                _working = False
                return
            next_one = _queue.popleft()
        next_one._carry_out()


def _can_be_imported(kind: type) -> bool:
    """Whether another process finds the class: not one that was typed at a prompt, or made in a function."""
    return kind.__module__ != "__main__" and "<" not in kind.__qualname__


_processes: set[subprocess.Popen[bytes]] = set()


def _in_a_process(parts: tuple[str, ...]) -> None:
    """Compile parts in another process, which writes them to the cache; what fails there is done here afterwards."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with suppress(OSError):
        process = subprocess.Popen(
            [sys.executable, "-c", CHILD, *parts],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _processes.add(process)
        try:
            process.wait()
        finally:
            _processes.discard(process)


@atexit.register
def _stop() -> None:
    for process in tuple(_processes):
        process.terminate()


def _seconds(part: str) -> float:
    name = part.rpartition(":")[2]
    if name in SECONDS or name not in LEARNERS:
        return SECONDS.get(name, OTHERS_SECONDS)
    return float(getattr(LEARNERS.load(name), "compile_seconds", OTHERS_SECONDS))
