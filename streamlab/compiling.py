"""Compile kernels in processes beside this one, as many as there are cores, each part by one of them.

A compiler in this process would hold its lock, and with it every kernel that is about to be loaded, for seconds. This
module imports nothing that takes time, so that such a process is soon at work.
"""

from __future__ import annotations

import gc
import inspect
import os
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from importlib import import_module
from typing import Any

from streamlab._side_by_side import cores
from streamlab.workers import WorkerProcess, orders, reporter

REPORT_SECONDS = 0.25
"""How often a process that compiles says how far it has come."""


def compile_part(part: str) -> None:
    """Compile the kernels of a part: ``module:class`` of a learner or transformer, or ``module:function argument``.

    A function may be a method of a class, ``module:class.method``.
    """
    path, _, argument = part.partition(" ")
    module, _, name = path.partition(":")
    found: Any = import_module(module)
    for attribute in name.split("."):
        found = getattr(found, attribute)
    if inspect.isroutine(found):
        found(*[argument] * bool(argument))
    else:
        (prepare_of(found) or found.prepare)()


def prepare_of(kind: Any) -> Callable[[], None] | None:
    """Return what prepares a class; of one whose objects prepare their parts, what it has of its own, or None."""
    prepare = getattr(kind, "prepare", None)
    return prepare if inspect.ismethod(prepare) else getattr(kind, "prepare_own", None)


def answer() -> None:
    """Compile the parts that are ordered, one after another.

    Until one is done, and then once more, a report says the seconds of a processor that it has taken; the last one also
    has ``"done"``: None, or why it failed.
    """
    yields, say = False, reporter()

    def report(started: float, ended: threading.Event) -> None:
        while not ended.wait(REPORT_SECONDS):
            if not say(spent=time.process_time() - started):
                # whoever asked has ended: nobody needs the rest
                os._exit(1)

    from streamlab.inner_kernels import take_fewer_steps

    take_fewer_steps()
    # a compiler still needs nearly all that it has made: to look for the rest takes a tenth of the time
    gc.disable()
    started = 0.0  # the first part has taken the start of the process, too
    for asked in orders():
        ended, why = threading.Event(), None
        reports = threading.Thread(target=report, args=(started, ended), daemon=True)
        reports.start()
        try:
            if not (asked["urgent"] or yields) and hasattr(os, "nice"):
                yields = True
                os.nice(5)  # what plays goes first
            compile_part(asked["part"])
        except Exception as error:  # user code may raise anything
            why = f"{type(error).__name__}: {error}"
        ended.set()
        reports.join()
        say(spent=time.process_time() - started, done=why)
        started = time.process_time()
        gc.collect()


class Compiler:
    """Another process that compiles one part after the other, and writes them to the cache."""

    def __init__(self) -> None:
        self._worker: WorkerProcess | None = None
        self._yields = False

    def compile(self, part: str, urgent: bool, report: Callable[[float], None]) -> str | None:
        """Compile a part there; return why it failed, or None.

        Parameters
        ----------
        part
            What ``compile_part`` takes.
        urgent
            Whether somebody waits for it; else the process yields to others from now on.
        report
            Called now and then with the seconds of a processor that it has taken.
        """
        if urgent and self._yields:
            # it cannot take that back
            self.close()
        with suppress(OSError):  # the system grants no more processes
            worker = self._worker = self._worker or WorkerProcess(f"{__name__}:answer", errors=subprocess.DEVNULL)
            self._yields = not urgent
            worker.order(part=part, urgent=urgent)
            while (message := worker.report()) is not None:
                report(message["spent"])
                if "done" in message:
                    return message["done"]
            worker.end()
        self.close()
        return "the process that compiled it has ended"

    def stop(self) -> None:
        """End the process at once, from any thread."""
        # what is compiled next has a new one
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.process.kill()

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None


class Order:
    """A part that is compiled by another process, when its turn has come.

    Attributes
    ----------
    part
        What ``compile_part`` takes.
    files
        Those with its kernels: what shares some with one under way is compiled after it rather than beside it.
    seconds
        About how long it takes: what takes longest comes first.
    urgent
        Whether somebody waits for it.
    likely
        Whether somebody probably will, very soon: it gives way as others do, but its process yields to none.
    began
        When it began, as ``time.monotonic`` says; None while it waits for its turn.
    spent
        Seconds of a processor that it has taken.
    future
        Done when it is compiled; its result says why it failed, or is None.
    """

    def __init__(self, part: str, files: frozenset[str], seconds: float, urgent: bool, likely: bool = False) -> None:
        self.part, self.files, self.seconds, self.urgent, self.likely = part, files, seconds, urgent, likely
        self.began: float | None = None
        self.spent = 0.0
        self.future: Future[str | None] = Future()
        self._compiler: Compiler | None = None
        self._is_put_off = False

    def carry_out(self, compiler: Compiler) -> bool:
        """Do it, with a process of its own; return whether it is done, rather than put off."""
        self.began, self._compiler = time.monotonic(), compiler
        why = compiler.compile(self.part, self.urgent or self.likely, self._report)
        if self._is_put_off:
            self.began, self.spent, self._is_put_off = None, 0.0, False
            return False
        self.future.set_result(why)
        return True

    def put_off(self) -> None:
        """Stop it; it begins again when its turn comes, and finds the kernels that were done."""
        if self._compiler is not None:
            self._is_put_off = True
            self._compiler.stop()

    def _report(self, spent: float) -> None:
        self.spent = spent


_orders: dict[str, Order] = {}
_queue: list[Order] = []
_under_way: list[Order] = []
_lock = threading.Lock()


def order(
    part: str, files: frozenset[str] = frozenset(), seconds: float = 0.0, urgent: bool = True, likely: bool = False
) -> Order:
    """Return the order of a part: the one that is there already, or a new one.

    As many are under way as there are cores. What nobody waits for does not keep one for which somebody waits from
    beginning, and does not begin beside it. Those that share no kernels with one under way come first, and of them
    what takes longest.
    """
    with _lock:
        known = _orders.get(part)
        if known is not None and not known.future.done():
            known.urgent |= urgent
        else:
            known = _orders[part] = Order(part, files, seconds, urgent, likely)
            _queue.append(known)
        begins = _is_due()
    if begins:
        threading.Thread(target=_work, name="streamlab kernels", daemon=True).start()
    return known


def give_way() -> None:
    """Put off what nobody waits for, where it takes a core that somebody waits for."""
    with _lock:
        others = [each for each in _under_way if not each.urgent]
        wanted = sum(each.urgent for each in [*_under_way, *_queue])
        free = cores() - len(others)
        for each in others[: max(0, wanted - max(free, 0))]:
            each.put_off()


def _is_due() -> bool:
    """Whether another order can begin now; with the lock."""
    urgent = sum(each.urgent for each in _under_way)
    if any(each.urgent for each in _queue):
        return urgent < cores()
    return bool(_queue) and not urgent and len(_under_way) < cores()


def _work() -> None:
    compiler = Compiler()
    while True:
        with _lock:
            if not _is_due():
                break
            busy = frozenset[str]().union(*(each.files for each in _under_way))
            due = min(_queue, key=lambda each: (not each.urgent, bool(each.files & busy), -each.seconds))
            _queue.remove(due)
            _under_way.append(due)
        is_done = True
        try:
            is_done = due.carry_out(compiler)
        finally:
            with _lock:
                _under_way.remove(due)
                if not is_done:
                    _queue.append(due)
    compiler.close()
