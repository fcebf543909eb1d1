"""A process that tells this one lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

__all__ = ["Child", "tell"]

PACKAGE = Path(__file__).parents[2]


def tell(**what: Any) -> None:
    """Tell the parent process a line of JSON."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


class Child:
    """A process that tells lines of JSON."""

    def __init__(self, module: str, **options: Any) -> None:
        self.told: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, json.dumps(options)],
            cwd=PACKAGE,
            env={**os.environ, "PYTHONPATH": str(PACKAGE.parents[1])},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None, "it was asked for"
        for line in self.process.stdout:
            self.told.append(json.loads(line))

    @property
    def last(self) -> dict[str, Any]:
        """What it told last; {} before that."""
        return self.told[-1] if self.told else {}

    def wait_for(self, what: str, seconds: float) -> dict[str, Any]:
        """Return the first thing told that has this; raises OSError if it does not come."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if (found := next((each for each in self.told if what in each), None)) is not None:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise OSError(f"a process did not tell {what!r}; it ended with {self.process.poll()}")

    def kill(self) -> None:
        """End it with SIGKILL."""
        self.process.kill()
        self.process.wait()
