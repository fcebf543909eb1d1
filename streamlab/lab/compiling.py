"""Compile kernels in processes beside this one, as many as there are cores, each part by one of them.

A compiler in this process would hold its lock, and with it every kernel that is about to be loaded, for seconds.
"""

from __future__ import annotations

import atexit
import inspect
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from streamlab._checks import with_type
from streamlab.kernels import kernel_files
from streamlab.streams import load

RUN, NESTED_RUN = "run", "nested run"
"""The parts of a run itself, what counts, watches and keeps: labels side by side, or in a hierarchy."""
ARFF = "ARFF files"
STREAM = "stream "
"""What comes before a catalogue's name: the part is what makes that stream's rows."""
GENERATED = ("syn-regions", "syn-branches", "syn-tree-sudden", "syn-rbf-gradual", "syn-hp-incremental", "instruments")
"""Streams whose rows are made by kernels, one of each kind."""
ROWS = 240
CHILD = "from streamlab.lab.compiling import answer; answer()"
_ARFF_TEXT = "@relation 'warm: -C 1'\n@attribute l {0,1}\n@attribute x numeric\n@data\n0,0.5\n1,1.5\n"


def compile_parts(parts: Iterable[str]) -> None:
    """Compile parts: ``RUN`` and its kind, ``STREAM`` and a name, or ``module:class`` of a learner or transformer."""
    for part in parts:
        if part in (RUN, NESTED_RUN):
            run_kernels(part == NESTED_RUN)
        elif part == ARFF:
            _arff()
        elif part.startswith(STREAM):
            for _ in load(part.removeprefix(STREAM)).chunks(ROWS, stop=ROWS):
                pass
        else:
            (prepare_of(_kind(part)) or _kind(part).prepare)()


def prepare_of(kind: Any) -> Callable[[], None] | None:
    """Return what prepares a class; of one whose objects prepare their parts, what it has of its own, or None."""
    prepare = getattr(kind, "prepare", None)
    return prepare if inspect.ismethod(prepare) else getattr(kind, "prepare_own", None)


def files_of(kinds: Iterable[type]) -> frozenset[str]:
    """Return the files with the kernels of some learners, without those of the base, which all have."""
    files: set[str] = set()
    for kind in kinds:
        with suppress(TypeError, OSError):  # it was typed at a prompt
            files |= kernel_files(inspect.getfile(kind))
    return frozenset(path for path in files if Path(path).parent.name not in ("base", "detectors"))


def run_kernels(nested: bool) -> None:
    """Use all kernels of a run, its measures, alarms and marks, on some rows."""
    from streamlab.lab.run import Run
    from streamlab.learners import NoChange

    rng = np.random.default_rng(1)
    rows = (rng.random((ROWS, 2)), (rng.random((ROWS, 3)) > 0.5).astype(np.uint8))
    run = Run(load("segments" if nested else rows), {"no-change": NoChange()}, alarms="label", snapshots=0)
    run.advance(ROWS)
    run.detection()


def _arff() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "warm.arff"
        path.write_text(_ARFF_TEXT, encoding="utf-8")
        for _ in load(path).chunks(ROWS):
            pass


def _kind(part: str) -> Any:
    module, _, name = part.partition(":")
    kind: Any = import_module(module)
    for attribute in name.split("."):
        kind = getattr(kind, attribute)
    return kind


def answer() -> None:
    """Compile what standard input names: a line is a list of parts, and whether anybody waits for them.

    Each is answered with the seconds of a processor that it took, or with why it failed.
    """
    yields = False
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        begun = time.process_time()
        try:
            parts, urgent = json.loads(line)
            if not (urgent or yields) and hasattr(os, "nice"):
                yields = True
                os.nice(5)  # what plays goes first
            compile_parts(parts)
        except Exception as error:  # a stranger's class may raise anything
            said: dict[str, Any] = {"failed": with_type(error)}
        else:
            said = {"seconds": time.process_time() - begun}
        print(json.dumps(said), file=answers, flush=True)


class Compiler:
    """Another process that compiles one part after the other, and writes them to the cache."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def compile(self, parts: tuple[str, ...], urgent: bool = True) -> float | None:
        """Compile parts; return the seconds of a processor that it took, or None if it failed there."""
        with suppress(OSError, ValueError):
            process = self._process = self._process or _started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps([parts, urgent]).encode() + b"\n")
            process.stdin.flush()
            seconds = json.loads(process.stdout.readline()).get("seconds")
            return None if seconds is None else float(seconds)
        self.close()
        return None

    def close(self) -> None:
        """Let the process end."""
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]
            self._process.wait()
            _processes.discard(self._process)
            self._process = None


_processes: set[subprocess.Popen[bytes]] = set()


def _started() -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _processes.add(process)
    return process


@atexit.register
def _stop() -> None:
    for process in tuple(_processes):
        process.terminate()


class Task(Protocol):
    """What ``submit`` takes."""

    files: frozenset[str]
    """Those whose kernels it compiles."""
    urgent: bool
    """Whether somebody waits for it; may change."""

    def carry_out(self, compiler: Compiler) -> None:
        """Do it, with a compiler of its own."""


_queue: list[Task] = []
_under_way: list[Task] = []
_workers = 0
_lock = threading.Lock()


def submit(*tasks: Task) -> None:
    """Carry out tasks, each on a thread when its turn has come.

    As many are under way as there are cores. Urgent ones come first; those that share kernels with one under way are
    left for later, as long as there are others.
    """
    global _workers
    with _lock:
        _queue.extend(tasks)
        begins = max(0, min(len(tasks), (os.cpu_count() or 1) - _workers))
        _workers += begins
    for _ in range(begins):
        threading.Thread(target=_work, name="streamlab kernels", daemon=True).start()


def _work() -> None:
    global _workers
    compiler = Compiler()
    while True:
        with _lock:
            if not _queue:
                _workers -= 1
                break
            busy = frozenset[str]().union(*(each.files for each in _under_way))
            task = min(_queue, key=lambda each: (not each.urgent, bool(each.files & busy)))
            _queue.remove(task)
            _under_way.append(task)
        try:
            task.carry_out(compiler)
        finally:
            with _lock:
                _under_way.remove(task)
    compiler.close()
