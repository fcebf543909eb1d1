"""A file of 100 MB brought to a learner by clicks: until its rows are shown, it is read, and it is learned from."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks._browser import chromium
from benchmarks._server import served

MEGABYTES = 100
N_FEATURES, N_LABELS = 90, 10
PIECE_ROWS = 2_000
TIMEOUT_S = 300

console = Console()


def write_table(path: Path, megabytes: float) -> int:
    """Write a CSV file of numbers and labels of 0 and 1; returns how many rows it has."""
    rng = np.random.default_rng(1)
    names = [*(f"f{j}" for j in range(N_FEATURES)), *(f"label_{j}" for j in range(N_LABELS))]
    rows = done = 0
    with path.open("w", encoding="utf-8") as file:
        done += file.write(",".join(names) + "\n")
        while done < megabytes * 1e6:
            X = rng.normal(size=(PIECE_ROWS, N_FEATURES))
            Y = (X[:, :N_LABELS] > 0.5).astype(int)
            for x, y in zip(X.tolist(), Y.tolist(), strict=True):
                done += file.write(",".join([*(f"{value:.6f}" for value in x), *map(str, y)]) + "\n")
            rows += PIECE_ROWS
    return rows


def main(quick: bool = False) -> None:
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        path = Path(folder) / "large.csv"
        rows = write_table(path, 5 if quick else MEGABYTES)
        with served("-m", "benchmarks._served_monitor", "{port}", "1000") as address:

            def cost() -> dict[str, float]:
                with urllib.request.urlopen(f"{address}/cost") as answer:
                    return json.loads(answer.read())

            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.set_default_timeout(1000 * TIMEOUT_S)
            page.goto(f"{address}/stream_monitor")
            page.wait_for_selector(".sl-play:not([disabled])")
            opener = page.get_by_role("button", name="A stream of your own", exact=True)
            if opener.get_attribute("aria-expanded") != "true":
                opener.click()
            before, began = cost(), time.perf_counter()
            table = Table("", "seconds", "processor's, server", "server's memory, MB")

            def show(what: str) -> None:
                now = cost()
                spent, grown = now["cpu"] - before["cpu"], (now["rss"] - before["rss"]) / 1e6
                table.add_row(what, f"{time.perf_counter() - began:.1f}", f"{spent:.1f}", f"{grown:+.0f}")

            page.get_by_label("Upload a stream").set_input_files(path)
            page.locator(".sl-upload .sl-going").wait_for()
            show("progress is shown")
            talk = page.locator("dialog.sl-own")
            talk.get_by_role("heading", name=path.name).wait_for()
            show("it is there, and its first rows are shown")
            page.evaluate("window.__streamlab_transport.left = true")
            talk.get_by_role("button", name="Start").click()
            page.wait_for_function("!window.__streamlab_transport.left")
            page.wait_for_selector(".sl-play:not([disabled])")
            show("it is read and a run begins")
            page.get_by_role("button", name="Step one chunk", exact=True).click()
            page.wait_for_function("window.__streamlab_transport.stats().position === 100")
            show("a chunk of it is learned")
        size = path.stat().st_size / 1e6
    table.title = f"{size:,.0f} MB, {rows:,} rows, by clicks (load before {load:.1f} on {os.cpu_count()} cores)"
    console.print(table)


if __name__ == "__main__":
    main(quick="--quick" in sys.argv)
