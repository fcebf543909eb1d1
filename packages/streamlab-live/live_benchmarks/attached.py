"""What a page that looks at a service costs the service, and how smoothly it shows it.

``python -m live_benchmarks.attached [--rate 1000] [--seconds 20] [--repeats 3]``

``streamlab watch`` learns from a file that grows, with 30 features and 10 labels, by two forests; ``streamlab attach``
serves the page, and a Chromium looks at it. Spells without and with the page take turns. First ``--rate`` rows a second
come, then as many as the service takes (flat out: rows come faster than it learns them).
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from benchmarks.browser import MONITOR, chromium, free_port, served, tab
from benchmarks.harness import ROOT, Sheet, asked

from streamlab_live.service.service import listed

__all__ = ["main"]

N_FEATURES, N_LABELS = 30, 10
MAIN = MONITOR[:2]
DEFINITION = """
stream = "tail:rows.csv?labels={labels}&most_ahead=20000"
chunk = 100
[learners]
fading = {{ use = "SMART", half_life = 200, seed = 1 }}
"never forgets" = {{ use = "SMART", half_life = inf, seed = 1 }}
[snapshots]
every_seconds = 10
keep = 2
[metrics]
port = {port}
"""
STATS = "() => ({...window.__streamlab_transport.stats(), now: performance.now() / 1000})"


class Writer(threading.Thread):
    """Appends rows to a file: so many a second, or, with ``rate`` None, always some more than have been learned."""

    def __init__(self, path: Path, learned: Any) -> None:
        super().__init__(daemon=True)
        draws = np.random.default_rng(1)
        X = draws.random((20_000, N_FEATURES))
        Y = X[:, :N_LABELS] + X[:, N_LABELS : 2 * N_LABELS] > 1.3
        self._lines = [
            ",".join([*(f"{v:.4f}" for v in x), *("1" if v else "0" for v in y)]) + "\n"
            for x, y in zip(X, Y, strict=True)
        ]
        names = [*(f"f{j}" for j in range(N_FEATURES)), *(f"l{j}" for j in range(N_LABELS))]
        self._file = path.open("w")
        self._file.write(",".join(names) + "\n")
        self._learned, self.written = learned, 0
        self.rate: float | None = 500.0
        self.stopped = threading.Event()

    def run(self) -> None:
        last = time.monotonic()
        owed = 0.0
        while not self.stopped.wait(0.02):
            now = time.monotonic()
            owed += (now - last) * self.rate if self.rate is not None else 0.0
            last = now
            n = int(owed) if self.rate is not None else min(2000, self._learned() + 30_000 - self.written)
            owed -= int(owed)
            for _ in range(max(0, n)):
                self._file.write(self._lines[self.written % len(self._lines)])
                self.written += 1
            self._file.flush()


def main(options: list[str] | None = None) -> int:
    given = asked("attached", options, rate=1000.0, seconds=20.0, repeats=3)
    sheet = Sheet("a page that looks at a service", ("rows that come", "", "without a page", "with one", "ratio"))
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        labels = ",".join(f"l{j}" for j in range(N_LABELS))
        (folder / "run.toml").write_text(DEFINITION.format(labels=labels, port=port))
        learned = _Learned(port)
        writer = Writer(folder / "rows.csv", lambda: learned.last)
        writer.start()
        service = subprocess.Popen(
            [sys.executable, *MAIN, "watch", str(folder / "run.toml")], cwd=ROOT, stdout=subprocess.DEVNULL
        )
        try:
            learned.wait_for(1000)
            while not listed(folder / "run"):  # a page begins with a snapshot
                time.sleep(0.2)
            for rate in (given.rate, None):
                writer.rate = rate
                _measured(sheet, folder, learned, rate, given, service)
        finally:
            writer.stopped.set()
            service.terminate()
            service.wait()
    sheet.show()
    return 0


class _Learned:
    """Rows that the service has learned, as its metrics say."""

    def __init__(self, port: int) -> None:
        self.address, self.last = f"http://127.0.0.1:{port}/metrics", 0

    def __call__(self) -> int:
        text = urllib.request.urlopen(self.address, timeout=30).read().decode()
        found = re.search(r"^streamlab_rows_total (\S+)", text, re.MULTILINE)
        self.last = int(float(found[1])) if found else 0
        return self.last

    def wait_for(self, rows: int, seconds: float = 240.0) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self() >= rows:
                    return
            except OSError:
                pass
            time.sleep(0.2)
        raise TimeoutError(f"the service has not learned {rows:,} rows in {seconds:.0f} s")


def _measured(sheet: Sheet, folder: Path, learned: _Learned, rate: float | None, given: Any, service: Any) -> None:
    without, with_page, frames = [], [], []
    process = psutil.Process(service.pid)
    for _ in range(given.repeats):
        without.append(_spell(learned, given.seconds, process))
        attach = (*MAIN, "attach", str(folder / "run.toml"), "--port", "{port}", "--address", "127.0.0.1")
        with (
            served(*attach) as address,
            chromium() as browser,
            tab(browser, f"{address}/service", timeout_s=120, ready="") as page,
        ):
            page.wait_for_function("window.__streamlab_transport?.stats().position > 0", timeout=120_000)
            page.wait_for_timeout(5000)
            with_page.append(_spell(learned, given.seconds, process))
            frames.append(page.evaluate(STATS)["frames_per_second"])
    what = "flat out" if rate is None else f"{rate:,.0f} a second"
    for place, per in enumerate(("second", "CPU second of the service")):
        a, b = (statistics.median(each[place] for each in some) for some in (without, with_page))
        sheet.add(what, f"rows a {per} (asked: .9)", f"{a:,.0f}", f"{b:,.0f}", f"{b / a:.2f}")
    sheet.add(what, "frames a second (asked: 10)", "", f"{statistics.median(frames):.1f}", "")


def _spell(learned: _Learned, seconds: float, process: psutil.Process) -> tuple[float, float]:
    """Rows that were learned in a spell, a second by the clock and a CPU second of the service."""
    rows, spent, began = learned(), sum(process.cpu_times()[:2]), time.monotonic()
    while time.monotonic() - began < seconds:
        time.sleep(0.5)
        learned()
    rows = learned() - rows
    return rows / (time.monotonic() - began), rows / max(sum(process.cpu_times()[:2]) - spent, 1e-9)
