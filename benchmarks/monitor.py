"""What the monitor costs: the learner's speed beside a page, pause, frames, first paint, memory, pages gone."""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks._browser import chromium

ROOT = Path(__file__).resolve().parents[1]
CHUNK = 100
START_TIMEOUT_S = 60
TIMEOUT_MS = 60_000
POLL_S = 0.05

console = Console()

PAINT = """() => {
    window.paint = {};
    new PerformanceObserver(list => list.getEntries().forEach(each => { window.paint[each.name] = each.startTime; }))
        .observe({type: "paint", buffered: true});
    new PerformanceObserver(list => list.getEntries().forEach(each => { window.paint.largest = each.startTime; }))
        .observe({type: "largest-contentful-paint", buffered: true});
}"""
# from the browser's own time of the click to the first frame in which the button says Play again
LISTEN = """node => {
    window.latencies = [];
    let clicked;
    node.addEventListener("click", (event) => { clicked = event.timeStamp; }, {capture: true});
    new MutationObserver(() => requestAnimationFrame(() => {
        if (node.ariaLabel === "Play") window.latencies.push(performance.now() - clicked);
    })).observe(node, {attributes: true, attributeFilter: ["aria-label"]});
}"""
FADING = """() => {
    const find = (root) => {
        for (const node of root.querySelectorAll("*")) {
            const found = node.__fading_stats ?? (node.shadowRoot && find(node.shadowRoot));
            if (found) return found;
        }
    };
    return {...find(document)(), ...window.__streamlab_transport.stats(), now: performance.now() / 1000};
}"""


class Bounds:
    """The table of what was measured, each figure beside what is allowed."""

    def __init__(self) -> None:
        self.table = Table(
            "",
            "measured",
            "allowed",
            "",
            title=f"the monitor, one headless Chromium (load before {os.getloadavg()[0]:.1f})",
        )

    def add(self, what: str, measured: str, allowed: str = "", fine: bool | None = None) -> None:
        self.table.add_row(what, measured, allowed, "" if fine is None else "ok" if fine else "MISSED")
        console.print(f"{what}: {measured}")


class Server:
    """The monitor in a process of its own."""

    def __init__(self, n_rows: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks._served_monitor", str(port), str(n_rows)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                self.cost()
                return
            except OSError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    self.stop()
                    raise
                time.sleep(POLL_S)

    def ask(self, path: str) -> bytes:
        with urllib.request.urlopen(self.address + path, timeout=START_TIMEOUT_S) as answer:
            return answer.read()

    def cost(self, collect: bool = False) -> dict[str, float]:
        return json.loads(self.ask("/cost?collect=1" if collect else "/cost"))

    def until(self, condition: Callable[[dict[str, float]], bool], timeout_s: float = 300) -> dict[str, float]:
        deadline = time.monotonic() + timeout_s
        while not condition(cost := self.cost()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"not reached in {timeout_s} s: {cost}")
            time.sleep(POLL_S)
        return cost

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


@contextmanager
def served(n_rows: int) -> Iterator[Server]:
    server = Server(n_rows)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def opened(browser: Any, url: str) -> Iterator[Any]:
    """A page in a context of its own, ready to be played; so tall that its pictures are on the screen, and drawn."""
    context = browser.new_context(viewport={"width": 1400, "height": 1700})
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(url)
    page.wait_for_selector(".sl-play:not([disabled])")
    try:
        yield page
    finally:
        context.close()


def flat_out(page: Any) -> None:
    page.get_by_label("Speed").select_option(label="flat out")
    page.click(".sl-play")
    page.wait_for_function("window.__streamlab_transport.stats().position > 0")


def main(quick: bool = False) -> None:
    bounds = Bounds()
    with chromium() as browser:
        with served(30_000 if quick else 600_000) as server:
            # imports, kernels and the browser's code: once, and not part of what is measured
            with opened(browser, f"{server.address}/long"):
                pass
            if not quick:
                speed(bounds, browser, server, repeats=5, seconds=5.0)
            pause_and_frames(bounds, browser, server, clicks=3 if quick else 15, seconds=0.3 if quick else 10.0)
            memory(bounds, browser, server, warm=20 if quick else 500, chunks=100 if quick else 5000)
        with served(30_000) as server:
            with opened(browser, f"{server.address}/stream_monitor"):
                pass
            paint(bounds, browser, server, repeats=1 if quick else 5)
            visits(bounds, browser, server, pages=2 if quick else 20)
    console.print(bounds.table)


def speed(bounds: Bounds, browser: Any, server: Server, repeats: int, seconds: float) -> None:
    """The same run flat out, by turns without a page and with one."""

    def rates() -> tuple[dict[str, float], dict[str, float]]:
        server.until(lambda cost: cost.get("position", 0) > 20_000)
        before, start = server.cost(), time.perf_counter()
        time.sleep(seconds)
        after, stop = server.cost(), time.perf_counter()
        rows = after["position"] - before["position"]
        return {
            "CPU second of the learners": rows / (after["learning"] - before["learning"]),
            "CPU second of the player's thread": rows / (after["thread"] - before["thread"]),
            "second by the clock": rows / (stop - start),
        }, {
            "the player's thread": (after["thread"] - before["thread"]) / (stop - start),
            "serving": (after["cpu"] - before["cpu"] - after["thread"] + before["thread"]) / (stop - start),
            "idle, all cores": (after["idle"] - before["idle"]) / (stop - start),
        }

    without, with_page, shares = [], [], []
    for _ in range(repeats):
        server.ask("/alone?on=1")
        without.append(rates()[0])
        server.ask("/alone?on=0")
        with opened(browser, f"{server.address}/long") as page:
            flat_out(page)
            rate, share = rates()
            with_page.append(rate)
            shares.append(share)
        server.until(lambda cost: cost["players"] == 0)
    for per in without[0]:
        a, b = (statistics.median(each[per] for each in runs) for runs in (without, with_page))
        bound = per == "CPU second of the learners"
        bounds.add(
            f"instances per {per}: without a page, with one, ratio (medians of {repeats})",
            f"{a:,.0f}  {b:,.0f}  {b / a:.2f}",
            ">= 0.85" if bound else "",
            b / a >= 0.85 if bound else None,
        )
    middle = [f"{statistics.median(share[part] for share in shares):.2f}" for part in shares[0]]
    bounds.add(f"with a page, cores used: {'; '.join(shares[0])} (of {os.cpu_count()})", "  ".join(middle))


def pause_and_frames(bounds: Bounds, browser: Any, server: Server, clicks: int, seconds: float) -> None:
    with opened(browser, f"{server.address}/long") as page:
        page.locator(".sl-play").evaluate(LISTEN)
        page.get_by_label("Speed").select_option(label="flat out")
        for number in range(clicks):
            before = page.evaluate("window.__streamlab_transport.stats().position")
            page.click(".sl-play")
            page.wait_for_function(f"window.__streamlab_transport.stats().position > {before}")
            page.click(".sl-play")
            page.wait_for_function(f"window.latencies.length > {number}")
        latencies = sorted(page.evaluate("window.latencies"))
        median, ninth = statistics.median(latencies), latencies[int(0.9 * (len(latencies) - 1))]
        what = f"click on pause until it shows, ms: median, 9 of 10 (of {clicks})"
        bounds.add(what, f"{median:.0f}  {ninth:.0f}", "<= 200", median <= 200)

        page.click(".sl-play")
        page.wait_for_function("window.__streamlab_transport.stats().state === 'playing'")
        start = page.evaluate(FADING)
        page.wait_for_timeout(1000 * seconds)
        end = page.evaluate(FADING)
        spell = end["now"] - start["now"]
        came, drawn = ((end[key] - start[key]) / spell for key in ("frames_received", "frames_drawn"))
        bounds.add("frames a second flat out: those of the bar", f"{end['frames_per_second']:.1f}", ">= 10",
                   end["frames_per_second"] >= 10)  # fmt: skip
        bounds.add("… pictures of the trees: come, drawn (with their transitions)", f"{came:.1f}  {drawn:.1f}", ">= 10",
                   came >= 10 and drawn >= 10)  # fmt: skip


def memory(bounds: Bounds, browser: Any, server: Server, warm: int, chunks: int) -> None:
    server.until(lambda cost: cost["players"] == 0)
    with opened(browser, f"{server.address}/long") as page:
        flat_out(page)
        server.until(lambda cost: cost.get("position", 0) >= warm * CHUNK)
        before = server.cost(collect=True)
        server.until(lambda cost: cost["position"] >= (warm + chunks) * CHUNK)
        after = server.cost(collect=True)
    grown = (after["rss"] - before["rss"]) / 1e6
    bounds.add(
        f"server's memory, MB: after {warm} chunks, after {chunks:,} more, growth",
        f"{before['rss'] / 1e6:,.0f}  {after['rss'] / 1e6:,.0f}  {grown:+,.1f}",
        "< 50",
        grown < 50,
    )


def paint(bounds: Bounds, browser: Any, server: Server, repeats: int) -> None:
    first, largest, ready, received = [], [], [], []
    for _ in range(repeats):
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        page = context.new_page()
        page.add_init_script(f"({PAINT})()")
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        sizes: list[int] = []
        session.on("Network.loadingFinished", lambda event, sizes=sizes: sizes.append(event["encodedDataLength"]))
        start = time.perf_counter()
        page.goto(f"{server.address}/stream_monitor")
        page.wait_for_selector(".sl-play:not([disabled])")
        ready.append(time.perf_counter() - start)
        page.wait_for_timeout(500)
        seen = page.evaluate("window.paint")
        first.append(seen["first-contentful-paint"] / 1000)
        largest.append(seen["largest"] / 1000)
        received.append(sum(sizes) / 1e6)
        context.close()
    middle = statistics.median
    bounds.add(f"first contentful paint, s (median of {repeats}, empty cache)", f"{middle(first):.2f}", "<= 2.5",
               middle(first) <= 2.5)  # fmt: skip
    bounds.add("largest contentful paint, s; ready to play, s", f"{middle(largest):.2f}  {middle(ready):.2f}")
    bounds.add("received, MB", f"{middle(received):.2f}")


def visits(bounds: Bounds, browser: Any, server: Server, pages: int) -> None:
    """Rounds of pages that come, play and go.

    Threads and live objects return to what one page left. Memory comes to a level in the first round, since the
    allocator cannot give back what is broken up, and further rounds must not raise it.
    """

    def visit() -> None:
        with opened(browser, f"{server.address}/stream_monitor") as page:
            page.click(".sl-play")
            # a page opens with 300 rows played
            page.wait_for_function("window.__streamlab_transport.stats().position > 300")

    def gone() -> dict[str, float]:
        server.until(lambda cost: cost["sessions"] == cost["players"] == 0)
        return server.cost(collect=True)

    visit()
    looks = [gone()]
    for _ in range(3):
        for _ in range(pages):
            visit()
        looks.append(gone())
    threads, rss, objects = ([look[key] for look in looks] for key in ("threads", "rss", "objects"))
    where = f"before, after {pages}, {2 * pages}, {3 * pages} pages"
    bounds.add(f"threads: {where}", "  ".join(f"{n:.0f}" for n in threads), "no more", threads[-1] <= threads[0])
    # one page may still be held: Panel remembers the document it worked on last
    bounds.add(f"live Python objects, thousands: {where}", "  ".join(f"{n / 1e3:.0f}" for n in objects), "+ 10 %",
               objects[-1] < 1.1 * objects[0])  # fmt: skip
    bounds.add(f"server's memory, MB: {where}", "  ".join(f"{n / 1e6:,.0f}" for n in rss),
               "+ 5 % since the first 20", rss[-1] < 1.05 * rss[1])  # fmt: skip


if __name__ == "__main__":
    main(quick="--quick" in sys.argv)
