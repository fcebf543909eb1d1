"""The service of the trial ``siege``: it tells how far it is, and how long it has been learning."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from live_tests.siege.child import tell
from streamlab_live.service.definition import read_definition
from streamlab_live.service.service import Service

TELL_SECONDS = 0.2


def seconds() -> float:
    """Return the time without that in which this thread waited for a processor."""
    waited = int(Path("/proc/thread-self/schedstat").read_text().split()[1])
    return time.perf_counter() - waited / 1e9


def main(file: str) -> None:
    """Serve until SIGTERM."""
    service = Service(read_definition(file), lambda _: None)
    signal.signal(signal.SIGTERM, lambda *_: service.stop())
    busy = 0.0
    advance = service.run.advance

    def timed(*given: Any, **options: Any) -> int:
        nonlocal busy
        begun = seconds()
        passed = advance(*given, **options)
        if passed:
            busy += seconds() - begun
        return passed

    service.run.advance = timed  # type: ignore[method-assign]
    over = threading.Event()

    def telling() -> None:
        while not over.wait(TELL_SECONDS):
            tell(position=service.run.position, busy=busy)

    thread = threading.Thread(target=telling, daemon=True)
    thread.start()
    tell(open=True, position=service.run.position, busy=busy)
    service.serve()
    over.set()
    thread.join()
    tell(position=service.run.position, busy=busy, over=True)


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
