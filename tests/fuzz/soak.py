"""The monitor for hours, pages coming and going: memory, threads, handles, click latency; and how many it serves.

``python -m benchmarks soak [--minutes 60] [--pages 3] [--rows 0] [--csv soak.csv] [--most 12] [--page long]``

The monitor is served in a process of its own (``benchmarks.served``) and played flat out on a stream without an end by
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

import csv
import os
import statistics
import time
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.browser import LISTEN, Server, chromium, flat_out, monitor_on, tab
from benchmarks.harness import Sheet, asked, console, figure

__all__ = ["COLUMNS", "LINES", "draw", "main", "slope", "summarise"]

STREAM, N_ROWS = "syn-branches", 1_000_000_000
SAMPLE_SECONDS = 2.0
SHORTEST, LONGEST = 10.0, 60.0
"""Seconds that a page stays."""
FRAMES_PER_SECOND = 5.0
COLUMNS = ("seconds", "rows", "megabytes", "threads", "handles", "sessions", "players", "pages", "click_ms")
HOURLY, LEAST_MB = 0.05, 20.0
POSITION = "window.__streamlab_transport?.stats().position ?? 0"
RATE = "window.__streamlab_transport?.stats().frames_per_second ?? 0"
LINES = {
    "rows": "rows passed, millions",
    "megabytes": "memory of the server, MB",
    "threads": "threads",
    "handles": "open files and sockets",
    "click_ms": "click on pause to pause shown, ms",
}
"""The columns drawn, from top to bottom, with their headings."""


def look(server: Server) -> dict[str, float]:
    """What the server holds."""
    cost = server.cost()
    held = {key: cost[key] for key in ("threads", "handles", "sessions", "players")}
    return {"megabytes": cost["rss"] / 1e6, **held}


class Visit:
    """A page that plays flat out until its time is over."""

    def __init__(self, browser: Any, address: str, seconds: float, path: str) -> None:
        self._context = tab(browser, f"{address}/{path}", height=1700, timeout_s=300)
        self.page = self._context.__enter__()
        self.page.locator(".sl-play").evaluate(LISTEN)
        flat_out(self.page)
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


def slope(seconds: np.ndarray, values: np.ndarray) -> float:
    """Least squares' slope in an hour, without the first fifth and without nan."""
    there = np.isfinite(values) & (seconds >= 0.2 * seconds[-1]) if len(seconds) else np.zeros(0, bool)
    if there.sum() < 3:
        return float("nan")
    return float(np.polyfit(seconds[there], values[there], 1)[0] * 3600)


def soak(browser: Any, server: Server, asked: Namespace) -> list[dict[str, float]]:
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
                **look(server),
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
    """Show begin, end and slopes; whether anything grew that must not."""
    seconds = np.array([sample["seconds"] for sample in samples])
    sheet = Sheet("soak", ("", "before", "first", "median", "last", "slope in an hour", "all pages gone"))
    for key in COLUMNS[1:]:
        values = np.array([sample[key] for sample in samples], float)
        ends = (f"{each[key]:,.0f}" if key in each else "" for each in (before, after))
        middle = float(np.nanmedian(values)) if np.isfinite(values).any() else np.nan
        left, right = ends
        told = (figure(float(value), 0) for value in (values[0], middle, values[-1]))
        sheet.add(key, left, *told, figure(slope(seconds, values), 1, sign=True), right)
    sheet.show()
    clicks = [sample["click_ms"] for sample in samples if np.isfinite(sample["click_ms"])]
    if clicks:
        ninth = statistics.quantiles([*clicks, clicks[-1]], n=10)[-1]
        console.print(
            f"click latency, ms: median {statistics.median(clicks):.0f}, 9 of 10 {ninth:.0f}, worst {max(clicks):.0f}"
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


def capacity(browser: Any, server: Server, path: str, most: int, seconds: float = 8.0) -> int:
    """How many pages show five frames a second, all playing flat out."""
    sheet = Sheet("all playing flat out", ("pages", "frames a second: median page", "slowest", "rows a second, all"))
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
            sheet.add(f"{len(visits)}", f"{statistics.median(rates):.1f}", f"{min(rates):.1f}", f"{speed:,.0f}")
            if statistics.median(rates) < FRAMES_PER_SECOND:
                break
            served = len(visits)
    finally:
        for visit in visits:
            visit.close()
    sheet.show()
    console.print(
        f"{served} pages at {FRAMES_PER_SECOND:g} frames a second on {os.cpu_count()} cores, browser included"
    )
    return served


def _first(browser: Any, server: Server, path: str, attempts: int = 4) -> None:
    """Open a page and close it: the server may have to compile for minutes first."""
    for left in reversed(range(attempts)):
        try:
            Visit(browser, server.address, 0.0, path).close()
            return
        except Exception:
            if not left:
                raise


def main(options: list[str] | None = None) -> int:
    given = asked(
        "soak", options, minutes=60.0, pages=3, rows=0, csv="soak.csv", plot=None, most=12, page="long", seed=1
    )  # fmt: skip

    def quiet() -> dict[str, float]:
        with suppress(TimeoutError):
            server.until(lambda cost: cost["sessions"] == cost["players"] == 0, timeout_s=60)
        server.cost(collect=True)
        return look(server)

    with chromium() as browser, monitor_on(STREAM, N_ROWS) as server:
        # imports and kernels, which are not part of what is measured
        _first(browser, server, given.page)
        before = quiet()
        samples = soak(browser, server, given)
        failed = summarise(samples, before, quiet())
        if given.plot:
            last = samples[-1]
            title = f"{last['rows'] / 1e6:,.1f} million rows; {last['pages']:.0f} pages came and went"
            draw(samples, given.plot, title)
        if given.most:
            capacity(browser, server, given.page, given.most)
    return int(failed)


def draw(samples: list[dict[str, float]], path: str | Path, title: str = "") -> None:
    """Draw one panel a column over minutes; gaps where a click had no answer.

    Parameters
    ----------
    samples
        Rows of ``soak``, with ``seconds`` and the columns of ``LINES``.
    path
        The file to write; its suffix is the format.
    title
        One line above the panels.
    """
    from matplotlib.figure import Figure

    minutes = np.array([sample["seconds"] for sample in samples]) / 60
    figure = Figure(figsize=(8, 1.5 * len(LINES)), layout="constrained")
    panels = figure.subplots(len(LINES), sharex=True)
    for k, (panel, (column, heading)) in enumerate(zip(panels, LINES.items(), strict=True)):
        values = np.array([sample[column] for sample in samples], float) / (1e6 if column == "rows" else 1)
        panel.plot(minutes, values, lw=1, color=f"C{k}")
        panel.set_title(heading, loc="left", fontsize=9)
        panel.set_ylim(bottom=0)
        panel.spines[["top", "right"]].set_visible(False)
    panel.set_xlabel("minutes")
    if title:
        figure.suptitle(title, fontsize=10)
    figure.savefig(path, metadata={"Date": None} if str(path).endswith("svg") else None)
