"""The measured bars of a page: paints, answers, shifts, widths and keys; writes docs/bars.md."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from benchmarks.browser import MONITOR, PLAYABLE, chromium, served, tab
from benchmarks.harness import ROOT, Sheet, asked, markdown
from tests.ui.probes import OBSERVE, cumulative_shift, interaction_ms, is_wider_than_window, stops_to_play, unseen_focus

PAGES = ("", "stream_monitor", "drift_lab", "mlhat_tree", "hedged_tree", "label_hierarchy", "balanced_neighbours")
REPEATS = 5
DOC = ROOT / "docs" / "bars.md"

Open = Callable[..., AbstractContextManager[Any]]
TEXT = """# The measured bars of a page

`python -m benchmarks bars` opens the pages in a headless Chromium and writes this file. Paints, shifts
and the time from an input to the next paint are the browser's own performance entries.
The machine has {cores} cores, which others used too: its load before was {load:.1f}.
`tests/ui/test_bars.py` holds what does not depend on the clock.

{table}

The focus counts as seen if the pixels around a control differ with it. Axe-core runs on every page in
`tests/ui/test_accessibility.py`.
"""


def main(options: Sequence[str]) -> None:
    quick = asked("bars", options, quick=False).quick
    load = os.getloadavg()[0]
    sheet = Sheet(f"the page (load {load:.1f} before, {os.cpu_count()} cores)", ("", "measured", "bar", "met"))
    with chromium() as browser, served(*MONITOR) as address:

        def opened(name: str = "stream_monitor", **options: Any) -> AbstractContextManager[Any]:
            options = {"timeout_s": 120, "script": f"({OBSERVE})()", "ready": PLAYABLE if name else "", **options}
            return tab(browser, f"{address}/{name}", **options)

        with opened():
            pass  # imports and kernels: once
        paints(sheet, opened, 1 if quick else REPEATS)
        playing(sheet, opened)
        widths(sheet, opened, PAGES[:2] if quick else PAGES)
        keys(sheet, opened)
    sheet.show()
    if not quick:
        table = markdown(sheet.header, sheet.rows)
        DOC.write_text(TEXT.format(cores=os.cpu_count(), load=load, table=table), encoding="utf-8")


def add(sheet: Sheet, what: str, measured: str, bar: str, fine: bool) -> None:
    """Add a figure beside its bar."""
    sheet.add(what, measured, bar, "yes" if fine else "**no**")


def add_seconds(sheet: Sheet, what: str, seconds: Sequence[float], bar: float) -> None:
    """Add the median of some seconds beside its bar."""
    middle = statistics.median(seconds)
    add(sheet, f"{what}, s (median of {len(seconds)})", f"{middle:.2f}", f"{bar:g}", middle <= bar)


def paints(sheet: Sheet, opened: Open, repeats: int) -> None:
    """Open the start page and the monitor, each in a browser context without a cache."""
    for name, title in (("", "start page"), ("stream_monitor", "stream monitor")):
        first, usable = [], []
        for _ in range(repeats):
            began = time.perf_counter()
            with opened(name) as page:
                if name:
                    page.wait_for_function("window.__streamlab_transport.stats().position === 300")
                    usable.append(time.perf_counter() - began)
                # the start page's policy forbids what Playwright's own wait would evaluate there
                while (paint := page.evaluate("() => window.bars.paint['first-contentful-paint'] ?? null")) is None:
                    page.wait_for_timeout(20)
                first.append(paint / 1000)
        add_seconds(sheet, f"first contentful paint, {title}", first, 1.5)
        if usable:
            add_seconds(sheet, f"usable, 300 rows played and drawn, {title}", usable, 3)


def playing(sheet: Sheet, opened: Open) -> None:
    """Play to the end, and then act on all that is there."""
    with opened() as page:
        page.wait_for_timeout(1000)
        page.evaluate("bars.shifts.length = 0")
        page.click(".sl-play")
        page.wait_for_function("window.__streamlab_transport.stats().state === 'finished'")
        page.wait_for_timeout(500)
        shift = cumulative_shift(page)
    add(sheet, "cumulative layout shift while 2,117 rows play, to the verdict", f"{shift:.4f}", "0.02", shift < 0.02)
    with opened() as page:
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
    add(sheet, "interaction to next paint, the longest of 14 while it plays, ms", said, "200", (longest or 0) < 200)


def widths(sheet: Sheet, opened: Open, pages: tuple[str, ...]) -> None:
    """Open each page as narrow as a small phone, and at twice its size."""
    for title, options in (
        ("320 px wide", {"width": 320, "height": 640}),
        ("200 % of 1,400 px", {"width": 700, "height": 450, "device_scale_factor": 2}),
    ):
        wide = []
        for name in pages:
            with opened(name, **options) as page:
                page.wait_for_timeout(500)
                wide += [name or "start"] if is_wider_than_window(page) else []
        what = f"pages that scroll sideways, {title} ({len(pages)} pages)"
        add(sheet, what, ", ".join(wide) or "none", "none", not wide)


def keys(sheet: Sheet, opened: Open) -> None:
    """Go through the monitor with the Tab key."""
    with opened() as page:
        page.wait_for_timeout(500)
        stops = stops_to_play(page)
    add(sheet, "Tab stops to Play", "none" if stops is None else str(stops), "5", (stops or 99) <= 5)
    with opened() as page:
        page.wait_for_timeout(500)
        controls, unseen = unseen_focus(page)
    add(sheet, f"controls of {controls} whose focus is not seen", ", ".join(unseen) or "none", "none", not unseen)
