"""Trials that answer, die, hang, grow or raise, for the tests of the harness."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any


def warm_up(options: dict[str, Any]) -> None:
    if options.get("fail"):
        raise RuntimeError("failed on purpose")


def trial(spec: dict[str, Any], go: Callable[[], None]) -> tuple[str, str, dict[str, Any]]:
    go()
    what = spec["what"]
    if what == "dies":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "hangs":
        time.sleep(60)
    elif what == "grows":
        held = bytearray(300_000_000)
        for at in range(0, len(held), 4096):
            held[at] = 1
        time.sleep(60)
    elif what == "raises":
        return "unclean", "KeyError", {}
    return "ok", "", {}
