"""The monitor for hours, pages coming and going: memory, threads, handles, click latency; and how many it serves.

``python -m benchmarks soak [--minutes 60] [--pages 3] [--rows 0] [--csv soak.csv] [--most 12] [--page long]``

The monitor is served in a process of its own (``_served_soak.py``) and played flat out on a stream without an end by
``--pages`` pages in one headless Chromium. Each page stays for 10 to 60 seconds and is then replaced by another one.
Every two seconds a row is written to the CSV: seconds, the rows passed on all pages so far, the server's memory,
threads and open handles, the sessions and players it holds, and the last click's latency (from the browser's time of a
click on pause to the first frame in which the button says Play). It ends after ``--minutes``, or after ``--rows`` rows
if that is given. The summary gives each column's begin, end and slope (least squares, without the first fifth);
``--plot soak.svg`` draws the columns over time.

Then pages are opened one after another, all playing flat out, until the median page shows fewer than five frames a
second: how many pages this machine serves. The browser draws them on the same cores.

The exit code is 1 if the memory grows by more than 5 % of its begin in an hour and 20 MB in all, or threads, handles,
sessions or players are left when all pages are gone. To repeat: the same ``--seed`` gives the same lengths of visits.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from rich.console import Console
from rich.table import Table

from benchmarks._soak_curves import draw
from benchmarks.monitor import LISTEN, ROOT, Server, opened

__all__ = ["main", "slope"]

SAMPLE_SECONDS = 2.0
SHORTEST, LONGEST = 10.0, 60.0
"""Seconds that a page stays."""
FRAMES_PER_SECOND = 5.0
COLUMNS = ("seconds", "rows", "megabytes", "threads", "handles", "sessions", "players", "pages", "click_ms")
HOURLY, LEAST_MB = 0.05, 20.0
POSITION = "window.__streamlab_transport?.stats().position ?? 0"
RATE = "window.__streamlab_transport?.stats().frames_per_second ?? 0"

console = Console()


class SoakServer(Server):
    """The endless page in a process of its own, looked at from outside."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks._served_soak", str(port)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.process = psutil.Process(self._process.pid)
        deadline = time.monotonic() + 120
        while True:
            try:
                self.cost()
                return
            except OSError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    self.stop()
                    raise
                time.sleep(0.1)

    def look(self) -> dict[str, float]:
        cost = self.cost()
        return {
            "megabytes": self.process.memory_info().rss / 1e6,
            "threads": self.process.num_threads(),
            "handles": self.process.num_fds() if hasattr(self.process, "num_fds") else self.process.num_handles(),
            "sessions": cost["sessions"],
            "players": cost["players"],
        }


class Visit:
    """A page that plays flat out until its time is over."""

    def __init__(self, browser: Any, address: str, seconds: float, path: str) -> None:
        self._context = opened(browser, f"{address}/{path}")
        self.page = self._context.__enter__()
        self.page.locator(".sl-play").evaluate(LISTEN)
        self.page.get_by_label("Speed").select_option(label="flat out")
        self.page.click(".sl-play")
        self.over = time.monotonic() + seconds
        self.rows = 0

    def look(self) -> int:
        """How many rows have passed."""
        self.rows = int(self.page.evaluate(POSITION))
        return self.rows

    def click(self) -> float:
        """Pause and go on: milliseconds until the pause showed; nan if it did not within the page's patience."""
        with suppress(Exception):
            n = self.page.evaluate("window.latencies.length")
            self.page.click(".sl-play")
            self.page.wait_for_function(f"window.latencies.length > {n}")
            latency = float(self.page.evaluate("window.latencies.at(-1)"))
            self.page.click(".sl-play")
            return latency
        return float("nan")

    def close(self) -> None:
        with suppress(Exception):
            self.look()
        self._context.__exit__(None, None, None)


@contextmanager
def chromium() -> Any:
    """A headless Chromium: the one that CHROMIUM names, or the system's."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        raise SystemExit("this benchmark takes a Chromium on PATH, or one that CHROMIUM names")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


def slope(seconds: np.ndarray, values: np.ndarray) -> float:
    """Least squares' slope in an hour, without the first fifth and without nan."""
    there = np.isfinite(values) & (seconds >= 0.2 * seconds[-1]) if len(seconds) else np.zeros(0, bool)
    if there.sum() < 3:
        return float("nan")
    return float(np.polyfit(seconds[there], values[there], 1)[0] * 3600)


def soak(browser: Any, server: SoakServer, asked: argparse.Namespace) -> list[dict[str, float]]:
    """Play until the time is over; the samples, which are also written to the CSV as they come."""
    rng = np.random.default_rng(asked.seed)
    start, gone, came = time.monotonic(), 0, 0
    visits: list[Visit] = []
    samples: list[dict[str, float]] = []
    with Path(asked.csv).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        while time.monotonic() - start < 60 * asked.minutes:
            for visit in [each for each in visits if time.monotonic() > each.over]:
                visit.close()
                gone += visit.rows
                visits.remove(visit)
            if len(visits) < asked.pages:
                visits.append(Visit(browser, server.address, float(rng.uniform(SHORTEST, LONGEST)), asked.page))
                came += 1
            latency = visits[int(rng.integers(len(visits)))].click()
            rows = gone + sum(visit.look() for visit in visits)
            sample = {
                "seconds": time.monotonic() - start,
                "rows": rows,
                **server.look(),
                "pages": came,
                "click_ms": latency,
            }
            samples.append(sample)
            writer.writerow({key: round(value, 2) for key, value in sample.items()})
            file.flush()
            if asked.rows and rows >= asked.rows:
                break
            visits[0].page.wait_for_timeout(1000 * SAMPLE_SECONDS)
        for visit in visits:
            visit.close()
    return samples


def summarise(samples: list[dict[str, float]], before: dict[str, float], after: dict[str, float]) -> bool:
    """Print begin, end and slopes; whether anything grew that must not."""
    seconds = np.array([sample["seconds"] for sample in samples])
    table = Table("", "without a page, before", "first", "median", "last", "slope in an hour", "all pages gone")
    for key in COLUMNS[1:]:
        values = np.array([sample[key] for sample in samples], float)
        ends = (f"{each[key]:,.0f}" if key in each else "" for each in (before, after))
        middle = (
            f"{v:,.0f}" for v in (values[0], np.nanmedian(values) if np.isfinite(values).any() else np.nan, values[-1])
        )
        left, right = ends
        table.add_row(key, left, *middle, f"{slope(seconds, values):+,.1f}", right)
    console.print(table)
    slowest = [sample["click_ms"] for sample in samples if np.isfinite(sample["click_ms"])]
    if slowest:
        ninth = statistics.quantiles([*slowest, slowest[-1]], n=10)[-1]
        console.print(
            f"click latency, ms: median {statistics.median(slowest):.0f}, 9 of 10 {ninth:.0f}, worst {max(slowest):.0f}"
        )
    megabytes = np.array([sample["megabytes"] for sample in samples])
    kept = slope(seconds, megabytes) * seconds[-1] / 3600
    grown = slope(seconds, megabytes) > HOURLY * megabytes[0] and kept > LEAST_MB
    left = [key for key in ("sessions", "players") if after[key] > 0]
    left += [key for key in ("threads", "handles") if after[key] > before[key] + 2]
    console.print(
        f"left when all pages are gone: {', '.join(left) or 'nothing'}; memory {'GROWS' if grown else 'level'}"
    )
    return bool(left or grown)


def capacity(browser: Any, server: SoakServer, path: str, most: int, seconds: float = 8.0) -> int:
    """How many pages show five frames a second, all playing flat out."""
    table = Table("pages", "frames a second: median page", "slowest", "rows a second, all")
    visits: list[Visit] = []
    served = 0
    try:
        while len(visits) < most:
            visits.append(Visit(browser, server.address, float("inf"), path))
            visits[-1].page.wait_for_timeout(3000)
            begin, clock = sum(visit.look() for visit in visits), time.monotonic()
            visits[-1].page.wait_for_timeout(1000 * seconds)
            passed = sum(visit.look() for visit in visits) - begin
            rates = [float(visit.page.evaluate(RATE)) for visit in visits]
            speed = passed / (time.monotonic() - clock)
            table.add_row(f"{len(visits)}", f"{statistics.median(rates):.1f}", f"{min(rates):.1f}", f"{speed:,.0f}")
            if statistics.median(rates) < FRAMES_PER_SECOND:
                break
            served = len(visits)
    finally:
        for visit in visits:
            visit.close()
    console.print(table)
    console.print(
        f"{served} pages at {FRAMES_PER_SECOND:g} frames a second on {os.cpu_count()} cores, browser included"
    )
    return served


def _first(browser: Any, server: SoakServer, path: str, attempts: int = 4) -> None:
    """Open a page and close it: the server may have to compile for minutes first."""
    for left in reversed(range(attempts)):
        try:
            Visit(browser, server.address, 0.0, path).close()
            return
        except Exception:
            if not left:
                raise


def main(options: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks soak", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--pages", type=int, default=3, help="pages at a time")
    parser.add_argument("--rows", type=int, default=0, help="end after so many rows")
    parser.add_argument("--csv", default="soak.csv")
    parser.add_argument("--plot", help="draw the curves into this file")
    parser.add_argument("--most", type=int, default=12, help="pages tried at most for the capacity; 0 leaves it out")
    parser.add_argument("--page", choices=("long", "endless"), default="long", help="10^9 rows, or no length at all")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(options)
    try:
        import playwright  # noqa: F401
    except ImportError:
        console.print("this benchmark takes playwright: the extra test has it")
        return 2

    def quiet(server: SoakServer) -> dict[str, float]:
        with suppress(TimeoutError):
            server.until(lambda cost: cost["sessions"] == cost["players"] == 0, timeout_s=60)
        server.cost(collect=True)
        return server.look()

    with chromium() as browser:
        server = SoakServer()
        try:
            # imports and kernels, which are not part of what is measured
            _first(browser, server, asked.page)
            before = quiet(server)
            samples = soak(browser, server, asked)
            failed = summarise(samples, before, quiet(server))
            if asked.plot:
                last = samples[-1]
                title = f"{last['rows'] / 1e6:,.1f} million rows; {last['pages']:.0f} pages came and went"
                draw(samples, asked.plot, title)
            if asked.most:
                capacity(browser, server, asked.page, asked.most)
        finally:
            server.stop()
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
