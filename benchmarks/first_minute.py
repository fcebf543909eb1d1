"""The first minute: each page without kernels, until rows are played; and what the kernels of each part cost."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from benchmarks.browser import chromium, served, tab
from benchmarks.harness import ROOT, Sheet, asked, console

PAGES = (
    "stream_monitor", "drift_lab", "mlhat_tree", "hedged_tree", "label_hierarchy", "balanced_neighbours", "study",
)  # fmt: skip
PATIENCE_S = 180.0
POLL_S = 0.1
ROWS = 300
FIGURE = re.compile(r"^\s*0\.\d")
ROWS_NOW = "() => window.__streamlab_transport?.stats().position ?? 0"


class Opened(NamedTuple):
    """What was seen of a page."""

    first_row: float | None
    rows: float | None
    processor: float | None
    """Seconds of a processor that the server and what it started had taken by then, starting included."""
    ready: float | None
    """Until nothing is prepared any longer that the page shows."""
    console_errors: int
    tracebacks: int


def main(options: Sequence[str] | None = None) -> None:
    """Open the pages, or some, one after the other, and compile each part on its own."""
    given = asked("first_minute", options, pages=list(PAGES), runs=2, shots=None, only="")
    if given.only not in ("", "pages", "kernels"):
        raise SystemExit(f"--only {given.only}: expected pages or kernels")
    if given.only != "kernels":
        seconds = (f"{what}, s" for what in ("first row", f"{ROWS} rows", "processor", "all learners"))
        sheet = Sheet("the first minute", ("page", *seconds, "console errors", "tracebacks"))
        for page in given.pages:
            for _ in range(given.runs):
                seen = opened(page, given.shots)
                sheet.add(page, *(shown(each) for each in seen))
        sheet.show()
    if given.only != "pages":
        with clean() as (folder, environment):
            command = [sys.executable, "-m", "streamlab.cli", "warm"]
            console.print(subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stdout)


def shown(figure: float | None) -> str:
    """Return a figure as the table has it."""
    if figure is None:
        return f"not in {PATIENCE_S:.0f}"
    return str(figure) if isinstance(figure, int) else f"{figure:.1f}"


@contextmanager
def clean() -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield a copy of the product without kernels, and variables with which it keeps its own."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name in ("streamlab", "apps"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kernels"), "PYTHONPATH": str(folder)}
        yield folder, environment


def opened(page: str, shots: Path | None = None) -> Opened:
    """Open a page of a new server whose kernels are not compiled, and look at it until it has all its learners."""
    errors: list[str] = []
    with clean() as (folder, environment), chromium() as browser:
        log = folder / "log"
        command = ("-m", "panel", "serve", f"apps/{page}.py", "--port", "{port}")
        with (
            log.open("w", encoding="utf-8") as output,
            served(*command, cwd=folder, environment=environment, output=output) as address,
        ):
            begun = time.monotonic()
            with tab(browser, f"{address}/{page}", ready="", errors=errors) as seen:
                found, noticed = watched(seen, begun, page, shots), len(errors)
            said = log.read_text(encoding="utf-8", errors="replace")
    for each in (*errors[:noticed], *said.split("Traceback")[1:]):
        console.print(f"{page}: {each}")
    return Opened(*found, noticed, said.count("Traceback"))


def watched(seen: Any, begun: float, page: str, shots: Path | None) -> tuple[float | None, ...]:
    """Return what ``Opened`` begins with."""
    first = rows = processor = ready = None
    due = [5, 15, 25] if shots is not None else []
    while (passed := time.monotonic() - begun) < PATIENCE_S and (ready is None or due):
        if shots is not None and due and passed >= due[0]:
            shots.mkdir(parents=True, exist_ok=True)
            seen.screenshot(path=shots / f"{page}-{due.pop(0)}.png")
        position = seen.evaluate(ROWS_NOW) if page != "study" else ROWS * seen.locator("td", has_text=FIGURE).count()
        first = passed if first is None and position > 0 else first
        if rows is None and position >= ROWS:
            rows, processor = passed, taken()
        note = seen.locator(".sl-preparing:visible").count()
        ready = passed if ready is None and rows is not None and not note else ready
        time.sleep(POLL_S)
    return first, rows, processor, ready


def taken() -> float:
    """Return the seconds of a processor that this process's children have taken, and theirs; browsers do not count."""
    total = 0.0
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "python" in each.name():
                times = each.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
    return total
