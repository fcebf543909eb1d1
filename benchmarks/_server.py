"""A server in a process of its own, for as long as a benchmark looks at it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["ROOT", "served"]

ROOT = Path(__file__).resolve().parents[1]
START_TIMEOUT_S = 60.0


@contextmanager
def served(
    *command: str, cwd: Path = ROOT, output: IO[str] | None = None, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Start Python with a command, in which ``{port}`` stands for a free port; yields the address once it answers.

    Parameters
    ----------
    cwd
        The folder that it begins in.
    output
        Where it writes; None: where this process does.
    environment
        Variables that it has beside those of this process.

    Raises
    ------
    TimeoutError
        If it does not answer in a minute.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, *(word.format(port=port) for word in command)], cwd=cwd, stdout=output, stderr=output,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                urllib.request.urlopen(f"{address}/favicon.ico").close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                if time.monotonic() > deadline or process.poll() is not None:
                    raise TimeoutError(f"{' '.join(command)} does not answer") from None
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait()
