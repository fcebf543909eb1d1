"""One protocol for all processes that work beside this one: begin, order, report, end.

A worker begins with a function of the package. Orders go to its standard input and reports come from its standard
output, a line of JSON each. Orders end when nobody can give them any more, however that came; a worker that has ended,
however it did, reports None. This module imports nothing that takes time, so that a worker is soon at work.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, Any

LIBRARIES = ("NUMBA", "OPENBLAS", "OMP", "MKL")
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in LIBRARIES}


class WorkerProcess:
    """A process that carries out orders, as seen from the one that gives them.

    Parameters
    ----------
    place
        The function that it begins with, ``"module:function"``, without arguments; it uses ``orders`` and ``reporter``.
    one_thread
        Whether the numerical libraries there use one thread each. Default False.
    errors
        Where its standard error goes, as in ``subprocess.Popen``. Default: where that of this process goes.
    folder
        In which it works. Default: that of this process.
    apart
        Whether a Ctrl-C at the terminal is not for it. Default False.

    Attributes
    ----------
    process
        The process itself.
    """

    def __init__(
        self,
        place: str,
        *,
        one_thread: bool = False,
        errors: IO[bytes] | int | None = None,
        folder: str | None = None,
        apart: bool = False,
    ) -> None:
        module, _, function = place.partition(":")
        # it imports what this process does, also what a session has added to the path, and nothing else of its folder
        path = {"PYTHONPATH": os.pathsep.join([each or os.getcwd() for each in sys.path])}
        self._pipe = threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {module} import {function}; {function}()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, bufsize=1, cwd=folder,
            env={**os.environ, **path, **(ONE_THREAD if one_thread else {})}, start_new_session=apart,
        )  # fmt: skip

    def order(self, **what: Any) -> None:
        """Give it an order, from any thread; if it has ended, its reports say so."""
        with self._pipe, suppress(OSError, ValueError):
            assert self.process.stdin is not None, "it is a pipe"
            self.process.stdin.write(json.dumps(what) + "\n")

    def report(self) -> dict[str, Any] | None:
        """Return its next report, when it has come; None when it has ended."""
        assert self.process.stdout is not None, "it is a pipe"
        try:
            return json.loads(self.process.stdout.readline())
        except ValueError:  # there are no more, it was killed within a line, or the pipe was closed here
            return None

    def end_orders(self) -> None:
        """Tell it, from any thread, that no more orders come."""
        with self._pipe, suppress(OSError, ValueError):
            self.process.stdin.close()  # type: ignore[union-attr]

    def end(self) -> None:
        """End it at once if it has not ended, wait until it is gone, and close its pipes."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError, ValueError):  # what was not sent yet cannot be sent any more
                pipe.close()  # type: ignore[union-attr]


def orders() -> Iterator[dict[str, Any]]:
    """Yield the orders to this process, until nobody can give any more."""
    for line in sys.stdin:
        yield json.loads(line)


def reporter() -> Callable[..., bool]:
    """Return what reports from this process, from any thread, and returns whether anybody listens; call it once.

    From then on whatever prints, such as a learner or a source, goes to standard error and not between the reports.
    """
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    one_at_a_time = threading.Lock()

    def report(**what: Any) -> bool:
        with one_at_a_time, suppress(OSError, ValueError):
            out.write(json.dumps(what) + "\n")
            return True
        return False

    return report
