"""Run cells in processes of this machine, each in one thread, watched from outside; and what such a process does."""

from __future__ import annotations

import os
import queue
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import IO, Any

from msgspec import structs

from streamlab.study.cell import FAILED, MEMORY, SECONDS, Cell, Limits, failure, run_cell
from streamlab.study.progress import Expected
from streamlab.study.store import Store, psutil
from streamlab.workers import WorkerProcess, orders, reporter

LOOK_S = 0.25
"""Seconds between two looks at the processes from outside."""
GRACE = 1.2
GRACE_S = 30.0
"""How far past its limit of seconds a cell is stopped from outside: between two points of its curve it looks itself."""
WALL = 10.0
"""Wall seconds per CPU second of the limit, after which a cell that only waits is stopped."""
COMPILE_S = 3600.0
"""Wall seconds after which a cell is stopped that has not begun to learn: it compiles, or fetches its stream."""
TRIES = 2
"""How often a cell is begun whose process ends without a word, such as one that was killed."""
LAST_WORDS = 600


class Worker(WorkerProcess):
    """A process that runs cells, and its reports."""

    def __init__(self, reports: queue.Queue[tuple[Worker, dict[str, Any]]]) -> None:
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process
        super().__init__("streamlab.study.local:main", one_thread=True, errors=self.errors, apart=True)
        self.watched = psutil().Process(self.process.pid)
        self.cell: Cell | None = None
        self._reports = reports
        self._is_learning = False
        self._started = self._cpu = 0.0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while (report := self.report()) is not None:
            self._reports.put((self, report))
        self._reports.put((self, {"ended": self.process.wait()}))

    def begin(self, cell: Cell, store: Store, limits: Limits) -> None:
        """Let it run a cell."""
        self.cell = cell
        self._is_learning, self._started = False, time.monotonic()
        self.order(cell=cell.plain(), limits=structs.asdict(limits), folder=str(store.folder))

    def learns(self) -> None:
        """Count its seconds from now on: what was to be compiled is."""
        self._is_learning, self._started, self._cpu = True, time.monotonic(), self._cpu_seconds()

    @property
    def seconds(self) -> float:
        """Wall seconds since its cell began to learn, or before that, since it was given."""
        return time.monotonic() - self._started

    def past(self, limits: Limits) -> tuple[str, str] | None:
        """Return how its cell ends if it is past a limit that it did not see itself."""
        held = self.bytes_held
        if limits.seconds is not None and not self._is_learning:
            if self.seconds > max(COMPILE_S, WALL * limits.seconds):
                return SECONDS, f"it did not begin to learn in {self.seconds:,.0f} seconds, and was stopped"
        elif limits.seconds is not None:
            if self._cpu_seconds() - self._cpu > limits.seconds * GRACE + GRACE_S:
                return SECONDS, f"it took more than {limits.seconds:,g} CPU seconds, and was stopped"
            if self.seconds > WALL * (limits.seconds + GRACE_S):
                return SECONDS, f"it gave no result in {self.seconds:,.0f} seconds, and was stopped"
        if limits.gigabytes is not None and held > limits.gigabytes * GRACE * 1e9:
            return MEMORY, f"its process held {held / 1e9:.2f} GB; the study allows {limits.gigabytes:g}"
        return None

    @property
    def bytes_held(self) -> int:
        """Memory of the process."""
        try:
            return int(self.watched.memory_info().rss)
        except psutil().Error:
            return 0

    def _cpu_seconds(self) -> float:
        try:
            times = self.watched.cpu_times()
        except psutil().Error:
            return 0.0
        return float(times.user + times.system)

    def last_words(self, code: int) -> str:
        """Return why the process ended, as far as is known."""
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - LAST_WORDS))
        words = self.errors.read().decode("utf-8", "replace").strip()
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return f"its process {how}" + (f": … {words}" if words else "")

    def end(self) -> None:
        """End the process, and wait until it is gone."""
        super().end()
        self.errors.close()


def run_locally(
    cells: Iterable[Cell],
    store: Store,
    limits: Limits,
    workers: int,
    expected: Expected,
    ended: Callable[[Cell, dict[str, Any]], object],
) -> None:
    """Run cells until the result of each is there; those that another process has are waited for.

    Parameters
    ----------
    cells
        The one that is expected to take longest is begun first.
    store
        Where results are kept.
    limits
        Of each cell.
    workers
        Processes.
    expected
        How long they will take.
    ended
        Called with each cell whose result has come, and what the result says of it.

    Raises
    ------
    KeyboardInterrupt
        When it comes; what had ended is kept, what was under way is not.
    OSError
        If a result cannot be written or read; the cells under way are left, so that they run the next time.
    """
    waiting, elsewhere = {cell.key: cell for cell in cells}, dict[str, Cell]()
    reports: queue.Queue[tuple[Worker, dict[str, Any]]] = queue.Queue()
    team: list[Worker] = []
    tries: dict[str, int] = {}
    taken: set[str] = set()

    def leave(cell: Cell) -> None:
        store.leave(cell.key)
        taken.discard(cell.key)

    def finish(cell: Cell) -> None:
        leave(cell)
        about = store.about(cell.key)
        assert about is not None, "the result was written"
        ended(cell, about)

    def give(worker: Worker) -> None:
        while waiting:
            cell = waiting.pop(max(waiting, key=lambda key: expected.seconds(waiting[key])))
            if store.take(cell.key):
                taken.add(cell.key)
                worker.begin(cell, store, limits)
                return
            if store.has(cell.key):
                finish(cell)
            else:
                elsewhere[cell.key] = cell

    def lose(worker: Worker, status: str, message: str) -> None:
        """Let go of a process; its cell is started again, or ends so."""
        cell, worker.cell = worker.cell, None
        seconds = worker.seconds
        team.remove(worker)
        worker.end()
        if cell is None:
            return
        tries[cell.key] = tries.get(cell.key, 0) + 1
        if store.has(cell.key):
            finish(cell)
        elif status == FAILED and tries[cell.key] < TRIES:
            leave(cell)
            waiting[cell.key] = cell
        else:
            store.write(cell.key, failure(cell, status, message, seconds))
            finish(cell)

    looked = 0.0
    try:
        while waiting or elsewhere or any(worker.cell is not None for worker in team):
            while len(team) < min(workers, len(waiting) + sum(worker.cell is not None for worker in team)):
                team.append(Worker(reports))
                give(team[-1])
            try:
                worker, what = reports.get(timeout=LOOK_S)
            except queue.Empty:
                pass
            else:
                if worker not in team:
                    continue
                if "begun" in what:
                    if worker.cell is not None and worker.cell.key == what["begun"]:
                        worker.learns()
                elif "done" in what and worker.cell is not None:
                    cell, worker.cell = worker.cell, None
                    finish(cell)
                    if limits.gigabytes is not None and worker.bytes_held > limits.gigabytes * 1e9 / 2:
                        lose(worker, FAILED, "")  # memory that Python keeps is not the next cell's fault
                    else:
                        give(worker)
                elif "ended" in what:
                    lose(worker, FAILED, worker.last_words(what["ended"]))
            if time.monotonic() - looked < LOOK_S:
                continue
            looked = time.monotonic()
            store.show_life()
            for worker in [each for each in team if each.cell is not None]:
                past = worker.past(limits)
                if past is not None:
                    lose(worker, *past)
            for key in list(elsewhere):
                if store.has(key):
                    finish(elsewhere.pop(key))
                elif not store.is_taken(key):
                    waiting[key] = elsewhere.pop(key)
            for worker in [each for each in team if each.cell is None]:
                give(worker)
    finally:
        for worker in team:
            worker.end()
        for key in taken:
            with suppress(OSError):
                store.leave(key)


def main() -> None:
    """Run the cells that are ordered until orders end: at once, also amid a cell: then nobody waits for it."""
    say = reporter()
    jobs: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    while True:
        job = jobs.get()
        cell = Cell.from_plain(job["cell"])
        content = run_cell(cell, Limits(**job["limits"]), partial(say, begun=cell.key))
        Store(job["folder"]).write(cell.key, content)
        say(done=cell.key)


def _listen(jobs: queue.Queue[dict[str, Any]]) -> None:
    for job in orders():
        jobs.put(job)
    os._exit(0)
