"""One browser tab goes through all seven pages by the header's links, in any order, with whole and half caches.

``python -m benchmarks visits [--seconds 10] [--orders 5] [--seeds 10] [--cache FOLDER] [--tabs 30]``

The server is ``streamlab monitor`` in a process of its own. With the cache as it is the tab goes forward, backward and
in ``--orders`` random orders, and plays each page for so many seconds. Then, for each of ``--seeds`` seeds, it goes
forward (and in ``--half-orders`` random orders) with a copy of the cache from which a random half of the files was
removed. A visit is at fault if the page plays no rows or not its own learners, or if the browser's console or the
server's log has an error. Of the study, which plays nothing itself, the finished runs count as rows.

At last ``--tabs`` tabs of the monitor are opened and closed, and the server's memory is read before, after, and a
minute later. The exit code is 1 if a visit was at fault.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil

from benchmarks.browser import MONITOR, chromium, served, tab
from benchmarks.browser import PLAYABLE as READY
from benchmarks.harness import Sheet, asked, console

__all__ = ["main"]

STUDY = "study"
READY_S = 300.0
"""A learner whose kernels are gone takes minutes to compile on a busy machine."""
JOINS_MS = 2_000
POSITION = "window.__streamlab_transport.stats().position"
FAULT = re.compile(r"Traceback|ERROR|CRITICAL|Warning|WARNING|^[\w.]*(Error|Exception)\b")
"""Lines of a server's log, with what a traceback ends in."""


class Tab:
    """A browser's tab on a server, and what went wrong in it.

    Parameters
    ----------
    page
        Playwright's.
    errors
        What its console has of errors; they are taken out of it.
    address
        Of the server.
    log
        What the server writes.
    """

    def __init__(self, page: Any, errors: list[str], address: str, log: Path) -> None:
        self._page, self._errors = page, errors
        self._address, self._log, self._read = address, log, 0

    def visit(self, name: str, seconds: float) -> tuple[int, list[str]]:
        """Go to a page by the header, let it play, and return the rows that it played, and its faults."""
        page, faults, rows = self._page, list[str](), 0
        try:
            if page.url == "about:blank":
                page.goto(f"{self._address}/{name}")
            else:
                page.get_by_role("button", name="Pages", exact=True).click()
                page.get_by_role("navigation", name="Pages").locator(f'a[href="{name}"]').click()
                page.wait_for_url(re.compile(f"/{name}(\\?|$)"))
            rows, wrong = self._studied(seconds) if name == STUDY else self._played(name, seconds)
            faults += wrong
        except Exception as error:
            faults.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
        written = self._log.read_text(encoding="utf-8", errors="replace")
        faults += [line.strip() for line in written[self._read :].splitlines() if FAULT.search(line)]
        self._read = len(written)
        faults += self._errors
        self._errors.clear()
        return rows, faults if rows > 0 else [*faults, "nothing was played"]

    def _played(self, name: str, seconds: float) -> tuple[int, list[str]]:
        from streamlab.views.page.presets import PRESETS

        self._page.wait_for_selector(READY)
        begun = int(self._page.evaluate(POSITION))
        self._page.click(READY)
        self._page.wait_for_timeout(1000 * seconds)
        rows = int(self._page.evaluate(POSITION)) - begun
        preset = PRESETS[name]
        self._page.wait_for_function("window.__streamlab_timeline.stats().learners.length", timeout=JOINS_MS)
        shown = self._page.evaluate("window.__streamlab_timeline.stats().learners")
        wrong = (
            [] if set(shown) in (set(preset.learners), set(preset.nested_learners)) else [f"plays {', '.join(shown)}"]
        )
        return rows, wrong if begun <= preset.played else [*wrong, f"began at row {begun}"]

    def _studied(self, seconds: float) -> tuple[int, list[str]]:
        self._page.wait_for_selector("table")
        self._page.wait_for_timeout(1000 * seconds)
        found = re.search(r"(\d+) of \d+ runs", self._page.locator("body").inner_text())
        cells = self._page.locator("table td").all_inner_texts()
        return (int(found[1]) if found else sum(any(c.isdigit() for c in each) for each in cells)), []


@contextmanager
def _server(cache: Path | None) -> Iterator[tuple[str, Path, psutil.Process]]:
    """Serve the monitor with a cache of kernels; yields its address, its log and its process."""
    with ExitStack() as stack:
        log = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="streamlab-visits-"))) / "log.txt"
        before = {child.pid for child in psutil.Process().children()}
        with stack.enter_context(log.open("w")) as output:
            environment = {} if cache is None else {"NUMBA_CACHE_DIR": str(cache)}
            address = stack.enter_context(served(*MONITOR, output=output, environment=environment))
            process = next(child for child in psutil.Process().children() if child.pid not in before)
            yield address, log, process


def _half(cache: Path, seed: int, into: Path) -> Path:
    """Return a copy of a cache without a random half of its files."""
    shutil.copytree(cache, into)
    files = sorted(path for path in into.rglob("*") if path.is_file())
    for path in random.Random(seed).sample(files, len(files) // 2):
        path.unlink()
    return into


def _orders(pages: Sequence[str], n_random: int, *, backward: bool = True) -> dict[str, list[str]]:
    orders = {"forward": list(pages)} | ({"backward": list(reversed(pages))} if backward else {})
    return orders | {f"random {seed}": random.Random(seed).sample(pages, len(pages)) for seed in range(1, n_random + 1)}


def _walk(browser: Any, cache: Path | None, orders: dict[str, list[str]], seconds: float, what: str, to: Sheet) -> int:
    faulty = 0
    errors: list[str] = []
    with _server(cache) as (address, log, _), tab(browser, timeout_s=READY_S, errors=errors) as page:
        visitor = Tab(page, errors, address, log)
        for order, names in orders.items():
            for name in names:
                rows, faults = visitor.visit(name, seconds)
                faulty += bool(faults)
                to.add(what, order, name, f"{rows:,}", "; ".join(faults)[:300] or "none")
                console.print(f"{what}, {order}, {name}: {rows:,} rows; {'; '.join(faults)[:300] or 'no fault'}")
    return faulty


def _memory(browser: Any, tabs: int) -> list[tuple[str, float]]:
    """Open and close tabs of the monitor; returns the server's MB before, after, and a minute later."""
    found = []
    with _server(None) as (address, _, process):
        for number in range(tabs + 1):
            if number == 1:
                # the first tab's is what one process needs once; half a minute later its session is gone
                time.sleep(60)
                found.append(("before", process.memory_info().rss / 1e6))
            with tab(browser, f"{address}/stream_monitor", timeout_s=READY_S) as page:
                page.click(READY)
        found.append((f"after {tabs} tabs", process.memory_info().rss / 1e6))
        time.sleep(60)
        found.append(("a minute later", process.memory_info().rss / 1e6))
    return found


def main(options: Sequence[str] = ()) -> int:
    from streamlab.views.page.header import PAGES

    given = asked(
        "visits", options, seconds=10.0, orders=5, seeds=10, half_orders=0, cache=None, tabs=30
    )  # fmt: skip
    cache = given.cache or (Path(known) if (known := os.environ.get("NUMBA_CACHE_DIR")) else None)
    if given.seeds and cache is None:
        console.print("--seeds takes a cache that can be copied: expected --cache, or NUMBA_CACHE_DIR")
        return 2
    pages, faulty = list(PAGES), 0
    sheet = Sheet(f"{given.seconds:g} s on each page", ("cache", "order", "page", "rows played", "faults"))
    memory: list[tuple[str, float]] = []
    with chromium() as browser:
        if given.orders >= 0:
            faulty += _walk(browser, None, _orders(pages, given.orders), given.seconds, "whole", sheet)
        for seed in range(1, given.seeds + 1):
            with tempfile.TemporaryDirectory(prefix="streamlab-half-") as folder:
                half = _half(cache, seed, Path(folder) / "cache")
                orders = _orders(pages, given.half_orders, backward=False)
                faulty += _walk(browser, half, orders, given.seconds, f"half, seed {seed}", sheet)
        if given.tabs:
            memory = _memory(browser, given.tabs)
    sheet.show()
    for what, megabytes in memory:
        console.print(f"memory {what}: {megabytes:,.0f} MB")
    console.print(f"{faulty} visits of {len(sheet.rows)} were at fault")
    return int(faulty > 0)
