"""Replays in one HTML file: their size, and how long recording, writing and opening them takes.

``python -m benchmarks replay`` measures; with ``--keep FOLDER`` the files stay there, with ``--lessons FOLDER`` the two
that the docs link to are written, and nothing is measured.
"""

from __future__ import annotations

import argparse
import math
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import streamlab as sl
from streamlab.streams import ArrayStream, rotate_labels
from streamlab.views.hosting.replay_page import export_html
from streamlab.views.recording import record

ROWS, ROTATED = 10_000, [2000, 4000, 6000, 8000]
JUMPS = 200
JUMP = """async (jumps) => {
    const { playhead } = window.__streamlab_replay, times = [];
    document.querySelector(".sl-pictures").scrollIntoView();
    for (let i = 0; i < jumps; i++) {
        await new Promise(requestAnimationFrame);
        const begun = performance.now();
        playhead.seek(Math.floor(Math.random() * playhead.end));
        times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b);
}"""
"""Milliseconds of jumps to places by chance, in order: the page's own work, before the pictures draw."""


def demonstration() -> dict[str, Any]:
    return {
        "SMART": sl.SMART(seed=1),
        "SMART without fading": sl.SMART(half_life=math.inf, seed=1),
        "no-change": sl.NoChange(),
    }


def rotated() -> sl.Run:
    """The default demonstration on 10,000 rows of yeast genes, their labels rotated four times."""
    (chunk,) = sl.load("yeast").chunks(ROWS)
    X, Y = np.concatenate([chunk.X] * 5)[:ROWS], np.concatenate([chunk.Y] * 5)[:ROWS]
    return sl.Run(rotate_labels(ArrayStream(X, Y, name="yeast"), at=ROTATED), demonstration(), alarms="label")


def default() -> sl.Run:
    return sl.Run("yeast-rotated", demonstration(), alarms="label")


def trees() -> sl.Run:
    return sl.Run("syn-branches", {"MLHAT": sl.MLHAT(seed=1), "HedgedMLHAT": sl.HedgedMLHAT(seed=1)})


def instruments() -> sl.Run:
    return sl.Run("instruments", {"HierarchicalKNN": sl.HierarchicalKNN(), "FlatKNN": sl.FlatKNN()})


def neighbours() -> sl.Run:
    balanced = sl.StandardScaler() | sl.BalancedLDA(half_life=400) | sl.BalancedKNN(seed=1)
    return sl.Run("yeast-rotated", {"Balanced neighbours": balanced, "ML-KNN": sl.MLKNN()})


CASES: dict[str, tuple[Callable[[], sl.Run], int | None]] = {
    "the default demonstration, made longer": (rotated, None),
    "the default demonstration": (default, None),
    "MLHAT and HedgedMLHAT, regions": (trees, ROWS),
    "HierarchicalKNN and FlatKNN, instruments": (instruments, None),
    "balanced neighbours and ML-KNN": (neighbours, None),
}
"""What is recorded: a function that makes a run, and rows (None: all)."""

console = Console()


def main(options: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m benchmarks replay", description=__doc__)
    parser.add_argument("--keep", type=Path, help="a folder for the files that are measured")
    parser.add_argument("--lessons", type=Path, help="write the two files that the docs link to, and end")
    chosen = parser.parse_args(options)
    if chosen.lessons is not None:
        lessons(chosen.lessons)
        return 0
    titles = ("", "rows", "entries", "MB", "recorded, s", "written, s", "opened, s", "a jump, ms")
    table = Table(*titles, title="replays")
    with tempfile.TemporaryDirectory() as spare:
        folder = chosen.keep or Path(spare)
        folder.mkdir(parents=True, exist_ok=True)
        for number, (what, (make, rows)) in enumerate(CASES.items(), 1):
            run = make()
            begun = time.process_time()
            views = record(run, rows)
            noted = time.process_time()
            path = export_html(run, folder / f"replay-{number}.html", views=views)
            written = time.process_time()
            size = f"{path.stat().st_size / 1e6:.2f}"
            spent = (f"{noted - begun:.1f}", f"{written - noted:.1f}")
            table.add_row(what, f"{run.position:,}", f"{len(views)}", size, *spent, *in_a_browser(path))
    console.print(table)
    return 0


def lessons(folder: Path) -> None:
    """Write the docs' two replays, small enough for a repository."""
    folder.mkdir(parents=True, exist_ok=True)
    forgetting = default()
    views = record(forgetting, entries=15)
    export_html(forgetting, folder / "forgetting.html", views=views, title="SMART forgets, and recovers")
    hedged = trees()
    views = record(hedged, 16_000, entries=160)
    export_html(hedged, folder / "hedged_tree.html", views=views, title="A branch of two trees is replaced")


def in_a_browser(path: Path) -> tuple[str, str]:
    """Return the seconds until a file is open, and the median and the 99th of 100 jumps; dashes without a browser."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return "–", "–"
    chromium = shutil.which("chromium")
    if chromium is None:
        return "–", "–"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        opened, times = [], []
        for _ in range(5):
            page = browser.new_context(viewport={"width": 1400, "height": 900}, offline=True).new_page()
            begun = time.perf_counter()
            page.goto(path.as_uri())
            page.wait_for_selector(".sl-slot canvas")
            opened.append(time.perf_counter() - begun)
            times += page.evaluate(JUMP, JUMPS)
            page.close()
        browser.close()
    times.sort()
    return f"{statistics.median(opened):.1f}", f"{statistics.median(times):.1f}, {times[len(times) * 99 // 100]:.0f}"


if __name__ == "__main__":
    raise SystemExit(main([]))
