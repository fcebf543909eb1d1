"""Run trials that may crash, hang or eat the memory, in worker processes that are watched and started again.

A module whose trials are run this way has two functions: ``warm_up(options)`` loads what all trials need, and
``trial(spec, go)`` prepares one, calls ``go(story)`` and does what is on trial; it returns the outcome's kind and, for
a finding, what there is to say. ``python -m tests.fuzz.trials MODULE OPTIONS`` is the worker's side: it reads
a spec per line of standard input, as JSON.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import psutil

from benchmarks.harness import ROOT

__all__ = ["Outcome", "Watched", "describe", "place_of"]

START_SECONDS = 600.0
"""Time that a worker has to start: kernels may have to be compiled."""
PREPARE_SECONDS = 120.0
COMPILE_SECONDS = 120.0
PATIENCE = 12.0
"""How many times its seconds a trial that is judged by processor time may last: it may wait for what never comes."""
POLL_SECONDS = 0.01
AHEAD = 50
"""Trials that a worker is handed before it has answered, so that it need not wait for the watcher."""
ADDRESS_SPACE = 6 << 30
"""Bytes of address space beyond those at the start of a trial: a safety net for the machine above the memory limit."""


@dataclass(frozen=True)
class Outcome:
    """What became of a trial.

    Parameters
    ----------
    kind
        What ``trial`` returned, or ``"crash"``, ``"hang"`` or ``"memory"``.
    what
        A line that says what happened.
    detail
        Further plain values of the trial.
    seconds, megabytes
        How long it took, and by how much the process grew at most.
    """

    kind: str
    what: str = ""
    detail: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    megabytes: float = 0.0


class Watched:
    """A worker process, started on first use and again whenever a trial has ended it.

    Parameters
    ----------
    module
        The module with ``warm_up`` and ``trial``.
    options
        Plain values for ``warm_up``.
    seconds, megabytes
        What a trial may take, from ``go(story)`` on. Kernels that are compiled meanwhile get time of their own.
    of_processor
        Whether the seconds are the worker's processor time, which other work on the machine does not lengthen, rather
        than the clock's; a trial that waits is then ended after ``PATIENCE`` times the seconds.
    environment
        Variables of the worker, beside those of this process.
    """

    def __init__(
        self,
        module: str,
        options: dict[str, Any],
        *,
        seconds: float = 5.0,
        megabytes: float = 1000.0,
        of_processor: bool = False,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.module, self.options = module, options
        self.seconds, self.megabytes, self.of_processor = seconds, megabytes, of_processor
        # one thread for linear algebra: the workers share the cores, and their memory is compared
        quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONFAULTHANDLER": ""}
        self._environment = {**os.environ, **quiet, **(environment or {})}
        self._process: subprocess.Popen | None = None
        self._unread = b""
        self._story = ""
        # what the workers write of errors, faults of the interpreter included
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by __exit__)

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        self._errors.close()

    def stop(self) -> None:
        """End the worker, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.stdout.close()

    def run(self, spec: dict[str, Any]) -> Outcome:
        """Carry out one trial."""
        (outcome,) = self.run_all([spec])
        return outcome

    def run_all(self, specs: Iterable[dict[str, Any]]) -> Iterator[Outcome]:
        """Carry out trials, one after the other; the worker has the next ones before it has answered."""
        left, sent = iter(specs), deque[dict[str, Any]]()
        try:
            while True:
                if self._process is None:
                    self._start()
                    self._send(sent)
                new = list(islice(left, AHEAD - len(sent)))
                sent.extend(new)
                self._send(new)
                if not sent:
                    return
                outcome = self._outcome()
                sent.popleft()
                yield outcome
        finally:
            if sent:
                self.stop()

    def _send(self, specs: Iterable[dict[str, Any]]) -> None:
        # a worker that has died is met when its answer is read
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(b"".join(json.dumps(spec).encode() + b"\n" for spec in specs))
            self._process.stdin.flush()

    def _outcome(self) -> Outcome:
        answer, seconds, grown = self._answer()
        if answer is None:
            code = self._process.wait()
            self.stop()
            name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            return Outcome("crash", name, {"story": self._story}, seconds, grown)
        if isinstance(answer, str):
            self.stop()
            return Outcome(answer, "", {"story": self._story}, seconds, grown)
        return Outcome(answer["kind"], answer["what"], answer["detail"], seconds, grown)

    def _start(self) -> None:
        command = [sys.executable, "-m", "tests.fuzz.trials", self.module, json.dumps(self.options)]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._unread = b""
        try:
            line = self._line(time.monotonic() + START_SECONDS)
        except EOFError:
            line = None
        if line is None:
            self.stop()
            self._errors.seek(0)
            said = self._errors.read().decode(errors="replace")
            raise RuntimeError(f"a worker for {self.module} did not start:\n{said[-3000:]}")

    def _answer(self) -> tuple[dict[str, Any] | str | None, float, float]:
        """The trial's last word, or "hang" or "memory", or None if the worker has died; with seconds and MB."""
        process = psutil.Process(self._process.pid)
        start = time.monotonic()
        deadline = start + PREPARE_SECONDS
        before, most, looked, self._story = None, 0.0, 0.0, ""
        worked, allowed = 0.0, math.inf
        while True:
            try:
                line = self._line(time.monotonic() + POLL_SECONDS)
            except EOFError:
                return None, time.monotonic() - start, most
            now = time.monotonic()
            if before is not None and now - looked >= POLL_SECONDS:
                looked = now
                with contextlib.suppress(psutil.Error):
                    most = max(most, (process.memory_info().rss - before) / 1e6)
                    worked = _worked(process)
            if line is None:
                if most > self.megabytes:
                    return "memory", now - start, most
                if now > deadline or worked > allowed:
                    return "hang", now - start, most
            elif "go" in line:
                before, start, self._story = line["go"], now, line["story"]
                deadline = now + self.seconds * (PATIENCE if self.of_processor else 1.0)
                if self.of_processor:
                    worked = _worked(process)
                    allowed = worked + self.seconds
            elif "compiling" in line:
                deadline += COMPILE_SECONDS
                allowed += COMPILE_SECONDS
            elif "compiled" in line:
                # a moment of the clock is at least that of the processor
                deadline += line["compiled"] - COMPILE_SECONDS
                allowed += line["compiled"] - COMPILE_SECONDS
            else:
                most = max(most, (line["peak"] - before) / 1e6)
                kind = "memory" if most > self.megabytes or line["kind"] == "memory" else None
                return kind or line, now - start, most

    def _line(self, until: float) -> dict[str, Any] | None:
        """The worker's next line, or None if none came in time; EOFError if it is gone."""
        while b"\n" not in self._unread:
            left = until - time.monotonic()
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, left))
            if not ready:
                return None
            piece = os.read(self._process.stdout.fileno(), 1 << 16)
            if not piece:
                raise EOFError
            self._unread += piece
        line, _, self._unread = self._unread.partition(b"\n")
        return json.loads(line)


def _worked(process: psutil.Process) -> float:
    """Seconds of the processor that a process has used; 0 if it is gone."""
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return times.user + times.system


# ---------------------------------------------------------------------- the worker's side


def describe(error: BaseException) -> str:
    """An exception's kind and the begin of its message, in one line."""
    try:
        text = " ".join(str(error)[:400].split())
    except Exception as worse:  # a message that cannot be made is part of the finding
        text = f"(its message raises {type(worse).__name__})"
    return f"{type(error).__name__}: {text[:160]}" if text else type(error).__name__


def place_of(error: BaseException) -> str:
    """The innermost function of streamlab that the exception came through, as ``file:function``."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f"{os.sep}streamlab{os.sep}" in f.filename]
    return f"{Path(frames[-1].filename).stem}:{frames[-1].name}" if frames else ""


def _watch_compiler(say: Callable[[dict[str, Any]], None]) -> None:
    from numba.core import event

    class Listener(event.Listener):
        depth, since = 0, 0.0

        def on_start(self, event: Any) -> None:
            self.depth += 1
            if self.depth == 1:
                self.since = time.monotonic()
                say({"compiling": True})

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            if self.depth == 0:
                say({"compiled": time.monotonic() - self.since})

    event.register("numba:compile", Listener())


def _limit(beyond: int) -> None:
    import resource

    used = psutil.Process().memory_info().vms
    resource.setrlimit(resource.RLIMIT_AS, (used + beyond, resource.RLIM_INFINITY))


def most_memory() -> int:
    """The most bytes that this process ever had."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _serve(name: str, options: dict[str, Any]) -> None:
    # what the code under trial prints must not mix with the answers
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)

    def say(line: dict[str, Any]) -> None:
        answers.write(json.dumps(line).encode() + b"\n")

    module = import_module(name)
    module.warm_up(options)
    say({"ready": True})
    _watch_compiler(say)
    process = psutil.Process()

    peaks = [0]

    def go(story: str = "") -> None:
        _limit(ADDRESS_SPACE)
        peaks[0] = most_memory()
        say({"go": process.memory_info().rss, "story": story[:1000]})

    for line in sys.stdin:
        kind, what, detail = module.trial(json.loads(line), go)
        # of this trial, unless what was before it took more
        peak = most_memory()
        say({"kind": kind, "what": what, "detail": detail, "peak": peak if peak > peaks[0] else 0})


if __name__ == "__main__":
    _serve(sys.argv[1], json.loads(sys.argv[2]))
