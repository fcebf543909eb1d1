"""The measured bars of a page: paints, answers, shifts, widths and keys; writes docs/bars.md."""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks._bars import (
    OBSERVE,
    cumulative_shift,
    interaction_ms,
    is_wider_than_window,
    stops_to_play,
    unseen_focus,
)
from benchmarks._browser import chromium
from benchmarks._server import ROOT, served

PAGES = ("", "stream_monitor", "drift_lab", "mlhat_tree", "hedged_tree", "label_hierarchy", "balanced_neighbours")
COMMAND = ("-c", "from streamlab.cli import main; main()", "monitor", "--port", "{port}", "--address", "127.0.0.1")
TIMEOUT_MS = 120_000
REPEATS = 5
DOC = Path(ROOT) / "docs" / "bars.md"

console = Console()


class Bars:
    """What was measured, each figure beside its bar."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, str]] = []

    def add(self, what: str, measured: str, bar: str, fine: bool) -> None:
        self.rows.append((what, measured, bar, "yes" if fine else "**no**"))
        console.print(f"{what}: {measured} (bar: {bar}){'' if fine else '  MISSED'}")


def main(quick: bool = False) -> None:
    bars, load = Bars(), os.getloadavg()[0]
    with chromium() as browser, served(*COMMAND) as address:

        def opened(name: str = "stream_monitor", **options: Any) -> Any:
            context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
            page = context.new_page()
            page.set_default_timeout(TIMEOUT_MS)
            page.add_init_script(f"({OBSERVE})()")
            page.goto(f"{address}/{name}")
            if name:
                page.wait_for_selector(".sl-play:not([disabled])")
            return page

        opened().context.close()  # imports and kernels: once
        paints(bars, opened, 1 if quick else REPEATS)
        playing(bars, opened)
        widths(bars, opened, PAGES[:2] if quick else PAGES)
        keys(bars, opened)
    table = Table("", "measured", "bar", "met", title=f"the page (load {load:.1f} before, {os.cpu_count()} cores)")
    for row in bars.rows:
        table.add_row(*row)
    console.print(table)
    if not quick:
        write(bars, load)


def paints(bars: Bars, opened: Any, repeats: int) -> None:
    """Open the start page and the monitor, each in a browser context without a cache."""
    for name, title in (("", "start page"), ("stream_monitor", "stream monitor")):
        first, usable = [], []
        for _ in range(repeats):
            began = time.perf_counter()
            page = opened(name)
            if name:
                page.wait_for_function("window.__streamlab_transport.stats().position === 300")
                usable.append(time.perf_counter() - began)
            # the start page's policy forbids what Playwright's own wait would evaluate there
            while (paint := page.evaluate("() => window.bars.paint['first-contentful-paint'] ?? null")) is None:
                page.wait_for_timeout(20)
            first.append(paint / 1000)
            page.context.close()
        middle = statistics.median(first)
        bars.add(f"first contentful paint, {title}, s (median of {repeats})", f"{middle:.2f}", "1.5", middle <= 1.5)
        if usable:
            middle = statistics.median(usable)
            what = f"usable, 300 rows played and drawn, {title}, s (median of {repeats})"
            bars.add(what, f"{middle:.2f}", "3", middle <= 3)


def playing(bars: Bars, opened: Any) -> None:
    """Play to the end, and then act on all that is there."""
    page = opened()
    page.wait_for_timeout(1000)
    page.evaluate("bars.shifts.length = 0")
    page.click(".sl-play")
    page.wait_for_function("window.__streamlab_transport.stats().state === 'finished'")
    page.wait_for_timeout(500)
    shift = cumulative_shift(page)
    bars.add("cumulative layout shift while 2,117 rows play, to the verdict", f"{shift:.4f}", "0.02", shift < 0.02)
    page.context.close()

    page = opened()
    page.click(".sl-play")
    tabs = page.get_by_role("tab")
    for _ in range(2):
        for i in range(tabs.count()):
            tabs.nth(i).click()
            page.wait_for_timeout(300)
    page.get_by_role("slider", name="Half-life").first.focus()
    for key in ("ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
        page.wait_for_timeout(300)
    page.get_by_role("button", name="Pause").or_(page.locator(".sl-play")).first.click()
    page.wait_for_timeout(500)
    longest = interaction_ms(page)
    said = "below 16" if longest is None else f"{longest:.0f}"
    bars.add("interaction to next paint, the longest of 14 while it plays, ms", said, "200", (longest or 0) < 200)
    page.context.close()


def widths(bars: Bars, opened: Any, pages: tuple[str, ...]) -> None:
    """Open each page as narrow as a small phone, and at twice its size."""
    for title, options in (
        ("320 px wide", {"viewport": {"width": 320, "height": 640}}),
        ("200 % of 1,400 px", {"viewport": {"width": 700, "height": 450}, "device_scale_factor": 2}),
    ):
        wide = []
        for name in pages:
            page = opened(name, **options)
            page.wait_for_timeout(500)
            if is_wider_than_window(page):
                wide.append(name or "start")
            page.context.close()
        bars.add(
            f"pages that scroll sideways, {title} ({len(pages)} pages)", ", ".join(wide) or "none", "none", not wide
        )


def keys(bars: Bars, opened: Any) -> None:
    """Go through the monitor with the Tab key."""
    page = opened()
    page.wait_for_timeout(500)
    stops = stops_to_play(page)
    bars.add("Tab stops to Play", "none" if stops is None else str(stops), "5", (stops or 99) <= 5)
    page.context.close()
    page = opened()
    page.wait_for_timeout(500)
    controls, unseen = unseen_focus(page)
    bars.add(f"controls of {controls} whose focus is not seen", ", ".join(unseen) or "none", "none", not unseen)
    page.context.close()


def write(bars: Bars, load: float) -> None:
    """Write the table as Markdown."""
    lines = [
        "# The measured bars of a page",
        "",
        "`python -m benchmarks bars` opens the pages in a headless Chromium and writes this file. Paints, shifts",
        "and the time from an input to the next paint are the browser's own performance entries.",
        f"The machine has {os.cpu_count()} cores, which others used too: its load before was {load:.1f}.",
        "`tests/ui/test_bars.py` holds what does not depend on the clock.",
        "",
        "| | measured | bar | met |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in bars.rows),
        "",
        "The focus counts as seen if the pixels around a control differ with it. Axe-core runs on every page in",
        "`tests/ui/test_accessibility.py`.",
    ]
    DOC.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(quick="--quick" in sys.argv)
