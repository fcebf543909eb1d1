"""Open what an address names, here or in a process of its own, which reads beside the one that learns."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

from streamlab._checks import with_type
from streamlab.workers import WorkerProcess, orders, reporter

from streamlab_live.addresses import Address
from streamlab_live.join import KeyedStream, open_joined
from streamlab_live.journal import Journal, Locked
from streamlab_live.opening import bounds_of, open_live, reading
from streamlab_live.reader import MOST_AHEAD, About, Status, Waiting
from streamlab_live.stream import LiveStream

ERRORS = {kind.__name__: kind for kind in (ValueError, ConnectionError, ImportError, OSError)}
"""What opening a stream may raise, by name."""
SAY_ROWS, SAY_SECONDS = 1000, 0.1
"""Rows at most, and seconds, after which the reading process hears how far was read."""
END_SECONDS = 10.0
LIVED_SECONDS = 60.0
"""A process that ran for this long was healthy: the next one starts at once."""
LOCKED_SECONDS = 10.0
"""How long a process that was killed, or that ends just now, may still hold the journal."""
ROWS_SECONDS, STATUS_SECONDS = 0.02, 0.25
"""After which the reading process tells of rows, and of all else."""

logger = logging.getLogger("streamlab")


class OwnProcess(Waiting):
    """A reader in a process of its own; for ``LiveStream`` it is a reader.

    The other process writes the journal, as a reader in a thread would; this one follows it. A reading process that
    ends by itself, or is killed, is started again, each time after a longer wait; rows are neither lost nor read twice
    by that, as after any crash. When this process ends, however it does, the other one ends, too.

    Parameters
    ----------
    address
        What is read. Credentials come from the environment, which the process inherits.
    folder
        Of the journal.
    cancel
        Asked while the first messages are waited for; a true answer stops it.

    Raises
    ------
    ValueError, ConnectionError, ImportError, OSError
        What opening the stream there raises.
    """

    def __init__(self, address: Address, folder: Path, cancel: Callable[[], object] | None = None) -> None:
        options = {**address.options, "journal": quote(str(folder))}
        self._address, self._place = replace(address, options=options), os.getcwd()
        self._wakeup, self._random = threading.Condition(), Random()
        self._closed = self._asked_end = False
        self._read_to = self._reported_read = self._wanted = 0
        self._reported_at = 0.0
        self._say_rows = max(1, min(SAY_ROWS, address.count("most_ahead", MOST_AHEAD) // 10))
        self._failure = self._trouble = ""
        self._since = time.time()
        self._worker, opened = self._start_worker(cancel)
        try:
            self.journal = Journal.open(folder)
        except BaseException:
            self._worker.end()
            raise
        self.source = About(opened["name"], opened["guarantee"])
        self._status = Status(self.source.name, self._since)
        self._thread = threading.Thread(target=self._loop, name="streamlab reading process", daemon=True)

    def _start_worker(self, cancel: Callable[[], object] | None = None) -> tuple[WorkerProcess, dict[str, Any]]:
        """Begin the process; return it and what it said when the stream was open.

        Raises
        ------
        ValueError, ConnectionError, ImportError, OSError
            What opening the stream there raises.
        """
        worker = WorkerProcess("streamlab_live.own_process:main", folder=self._place)
        over = threading.Event()
        if cancel is not None:
            threading.Thread(target=_kill_if, args=(worker, cancel, over), daemon=True).start()
        try:
            worker.order(address=asdict(self._address))
            report = worker.report() or {}
        except BaseException:
            worker.end()
            raise
        finally:
            over.set()
        if "open" in report:
            return worker, report["open"]
        worker.end()
        if "error" in report:
            raise ERRORS[report["error"]](report["text"])
        if cancel is not None and cancel():
            raise ValueError(f"{self._address.shown}: opening was stopped before a message came")
        raise OSError(f"{self._address.shown}: the reading process ended before the stream was open")

    # ------------------------------------------------------------------ from any thread

    def start(self) -> None:
        """Begin to follow its reports."""
        self._thread.start()

    def has_read(self, to: int) -> None:
        """Somebody has read the journal up to this row."""
        if to <= self._read_to:
            return
        self._read_to = to
        now = time.monotonic()
        if to - self._reported_read >= self._say_rows or now - self._reported_at >= SAY_SECONDS:
            self._reported_read, self._reported_at = to, now
            self._worker.order(read=to)

    def want(self, to: int) -> None:
        """Somebody waits for the rows up to this one, however far ahead the journal is."""
        if to > self._wanted:
            self._wanted = to
            self._worker.order(want=to)

    def end(self) -> None:
        """Read no more, and write down that nothing will come ever again."""
        self._asked_end = True
        self._worker.order(end=True)
        if self._thread.is_alive():
            self._thread.join()

    def close(self, wait: float = 10.0) -> None:
        """Stop the process; calling it again does nothing."""
        self._notify(_closed=True)
        self._worker.end_orders()
        if self._thread.is_alive():
            self._thread.join(wait)
            if self._thread.is_alive() and wait:
                self._worker.end()

    def status(self) -> Status:
        """Return the status."""
        rows, ended = self.journal.n_rows, self.journal.ended
        standing = replace(
            self._status, rows=rows, waiting=max(0, rows - self._read_to), ended=ended, failed=bool(self._failure)
        )
        trouble = self._failure or self._trouble
        if trouble:
            return replace(standing, connected=False, since=self._since, trouble=trouble)
        return standing

    # ------------------------------------------------------------------ on the thread

    def _loop(self) -> None:
        failures = 0
        try:
            while True:
                began = time.monotonic()
                self._follow()
                if self._closed or self.journal.ended or self._failure:
                    return
                failures = 1 if time.monotonic() - began > LIVED_SECONDS else failures + 1
                self._begin_again(failures)
        except Exception as error:  # nothing may end the thread while the page says that it reads
            self._fail(str(error) if isinstance(error, ValueError) else with_type(error))
            logger.warning("reading %s stopped", self.source.name, exc_info=True)
        finally:
            self._worker.end()
            self._notify(_closed=True)

    def _follow(self) -> None:
        """Read the process's reports until it ends."""
        while (report := self._worker.report()) is not None:
            if "status" in report:
                self._status = Status(**report["status"])
                if self._status.failed:
                    self._fail(self._status.trouble)
            if "rows" in report:
                self.journal.look()
                self._notify()
        try:
            self._worker.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:  # it tells what cannot be understood
            self._worker.end()
        self.journal.look()

    def _begin_again(self, failures: int) -> None:
        code = self._worker.process.returncode
        self._worker.end()
        self._trouble = f"the reading process ended ({f'signal {-code}' if code < 0 else f'code {code}'})"
        self._since = time.time()
        logger.warning("%s: %s; it is started again", self.source.name, self._trouble)
        while True:
            self._rest(failures)
            if self._closed:
                return
            try:
                worker, _ = self._start_worker(lambda: self._closed)
            except OSError as error:
                if not self._closed:
                    logger.warning("%s: %s; it is started again", self.source.name, error)
                failures += 1
                continue
            self._worker = worker
            break
        self._trouble, self._since = "", time.time()
        worker.order(read=self._read_to, want=self._wanted)
        if self._asked_end:
            worker.order(end=True)
        if self._closed:
            worker.end_orders()

    def _fail(self, why: str) -> None:
        self._notify(_failure=why, _since=time.time())


def _kill_if(worker: WorkerProcess, cancel: Callable[[], object], over: threading.Event) -> None:
    while not over.wait(0.1):
        if cancel():
            worker.process.kill()
            return


def open_address(address: Address, cancel: Callable[[], object] | None = None) -> LiveStream:
    """Open the live stream of an address, as ``open_live``; with ``label_topic`` as ``open_joined``.

    Raises
    ------
    ValueError, ConnectionError, ImportError
        As these do.
    """
    if address.choice("own_process", ("yes", "no"), "no") == "no":
        return open_here(address.without(["own_process"]), cancel)
    bounds_of(address)
    apart = address.without(["own_process"])
    reader, clean_up = reading(apart, lambda folder, _: OwnProcess(apart, folder.absolute(), cancel))
    return (KeyedStream if reader.journal.is_joined else LiveStream)(reader, clean_up)


def open_here(address: Address, cancel: Callable[[], object] | None = None) -> LiveStream:
    """Open the live stream of an address; it is read in this process."""
    return open_joined(address, cancel) if "label_topic" in address.options else open_live(address, cancel)


# ---------------------------------------------------------------------- in the reading process


def main() -> None:
    """Read the stream of the address that the first order has, until orders end."""
    # Ctrl-C in a terminal is for the process that asked for this one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    say, asked_for = reporter(), orders()
    first = next(asked_for, None)
    if first is None:  # whoever wanted the stream has ended
        return
    try:
        stream = _opened(Address(**first["address"]))
    except tuple(ERRORS.values()) as error:
        kind = next(name for name, each in ERRORS.items() if isinstance(error, each))
        say(error=kind, text=str(error))
        return
    say(open={"name": stream.name, "guarantee": stream.guarantee})
    stop = threading.Event()
    threading.Thread(target=_listen, args=(stream, asked_for, stop), name="streamlab asked", daemon=True).start()
    try:
        _tell(stream, stop, say)
    finally:
        stream.close()
        say(status=asdict(stream.status()))


def _opened(address: Address) -> LiveStream:
    until = time.monotonic() + LOCKED_SECONDS
    while True:
        try:
            return open_here(address)
        except Locked:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def _listen(stream: LiveStream, asked_for: Iterator[dict[str, Any]], stop: threading.Event) -> None:
    """Do what the other process says; when it says no more, stop."""
    for asked in asked_for:
        if "read" in asked:
            stream.reader.has_read(asked["read"])
        if "want" in asked:
            stream.reader.want(asked["want"])
        if "end" in asked:
            stream.end()
    stop.set()


def _tell(stream: LiveStream, stop: threading.Event, say: Callable[..., bool]) -> None:
    """Tell of rows soon after they came, and of all else now and then, until reading stops."""
    rows, stood_at = -1, -STATUS_SECONDS
    while not stop.is_set():
        stopped = stream.reader.has_stopped  # first: what is there then is all
        if stream.available != rows:
            rows = stream.available
            say(rows=rows)
        if stopped:
            return
        if time.monotonic() - stood_at >= STATUS_SECONDS:
            stood_at = time.monotonic()
            say(status=asdict(stream.status()))
        if stream.reader.wait(rows, ROWS_SECONDS):
            stop.wait(ROWS_SECONDS)  # more may come at once
