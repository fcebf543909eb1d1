"""The first minute: each page without compiled kernels, Play pressed as soon as it can be, and what is seen then."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.browser import chromium, served, tab
from benchmarks.harness import ROOT, Sheet, asked, console
from streamlab.views.page.presets import PRESETS

PATIENCE_S = 180.0
POLL_S = 0.1
ROWS = 300
PLAY = ".sl-later:visible, .sl-play:not([disabled]):visible"
ROWS_NOW = "() => window.__streamlab_transport?.stats().position ?? -1"
TIMELINE = "() => window.__streamlab_timeline?.stats() ?? null"
OPENED = "[data-area=stage] [role=tab][aria-selected=true]"
MONITOR = "from streamlab.cli import main; main()"


class Opened(NamedTuple):
    """What was seen of a page."""

    seconds: float | None
    """From the start of the command until 300 rows have passed and are drawn."""
    learners: str
    """Those without a point from the first chunk on; "all": none."""
    picture: str
    """The title of the picture that is open."""
    console_errors: int
    tracebacks: int
    story: str
    """What the page says after the time."""


def main(options: Sequence[str] | None = None) -> None:
    """Open the pages, or some, one after the other."""
    given = asked(
        "first_minute", options, pages=list(PRESETS), runs=2, after=0.0, shots=None, cache="empty", command="monitor",
        busy=False, wait=False,
    )  # fmt: skip
    if given.cache not in ("empty", "half", "whole") or given.command not in ("monitor", "panel"):
        raise SystemExit("expected --cache empty, half or whole, and --command monitor or panel")
    columns = (f"picture with {ROWS} rows, s", "learners", "picture", "console errors", "tracebacks", "story")
    sheet = Sheet(f"the first minute, {given.cache} cache", ("page", *columns))
    with clean() as (folder, environment), others() if given.busy else nullcontext():
        kernels = Path(environment["NUMBA_CACHE_DIR"])
        whole = kernels.with_name("whole")
        if given.cache != "empty":
            warm = [sys.executable, "-c", MONITOR, "warm"]
            subprocess.run(warm, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
            kernels.rename(whole)
        for page in given.pages:
            for run in range(given.runs):
                fill(kernels, whole, run if given.cache == "half" else None)
                sheet.add(page, *(shown(each) for each in opened(page, folder, environment, given)))
    sheet.show()


def shown(figure: Any) -> str:
    """Return a figure as the table has it."""
    if figure is None:
        return f"not in {PATIENCE_S:.0f}"
    return f"{figure:.1f}" if isinstance(figure, float) else str(figure)


@contextmanager
def clean() -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield a copy of the product without kernels, and variables with which it keeps its own."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name in ("streamlab", "apps"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kernels"), "PYTHONPATH": str(folder)}
        yield folder, environment


def fill(kernels: Path, whole: Path, seed: int | None) -> None:
    """Have the kernels of another folder, if it is there, or a random half of their files."""
    shutil.rmtree(kernels, ignore_errors=True)
    kernels.mkdir()
    if whole.is_dir():
        files = sorted(path for path in whole.rglob("*") if path.is_file())
        for path in files if seed is None else random.Random(seed).sample(files, len(files) // 2):
            target = kernels / path.relative_to(whole)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)


@contextmanager
def others() -> Iterator[None]:
    """Keep every core busy with a loop of its own."""
    loops = [multiprocessing.Process(target=_loop, daemon=True) for _ in range(os.cpu_count() or 1)]
    for each in loops:
        each.start()
    try:
        yield
    finally:
        for each in loops:
            each.terminate()


def _loop() -> None:
    while True:
        pass


def opened(page: str, folder: Path, environment: dict[str, str], given: Any) -> Opened:
    """Start the server, open a page as soon as it answers, press Play as soon as that can be, and look at it."""
    errors: list[str] = []
    log = folder / "log"
    command = ("-m", "panel", "serve", f"apps/{page}.py", "--port", "{port}")
    if given.command == "monitor":
        command = ("-c", MONITOR, "monitor", "--port", "{port}", "--address", "127.0.0.1")
    with chromium() as browser, log.open("w", encoding="utf-8") as output:
        begun = time.monotonic()
        with served(*command, cwd=folder, environment=environment, output=output) as address:
            with tab(browser, f"{address}/{page}", ready="", errors=errors) as seen:
                found = watched(seen, begun, page, given)
            noticed = len(errors)
    said = log.read_text(encoding="utf-8", errors="replace")
    for each in (*errors, *said.split("Traceback")[1:]):
        console.print(f"{page}: {each}")
    seconds, learners, picture, story = found
    return Opened(seconds, learners, picture, noticed, said.count("Traceback"), story)


def watched(seen: Any, begun: float, page: str, given: Any) -> tuple[float | None, str, str, str]:
    """Return the seconds, and what is seen at the end: learners, picture and story."""
    seconds, pressed, due = None, given.wait, [1.0, 4.0] if given.shots is not None else []
    opened_at = time.monotonic()
    while (passed := time.monotonic() - begun) < PATIENCE_S and (seconds is None or passed < given.after or due):
        if due and time.monotonic() - opened_at >= due[0]:
            given.shots.mkdir(parents=True, exist_ok=True)
            seen.screenshot(path=given.shots / f"{page}-{due.pop(0):.0f}.png")
        play = seen.locator(PLAY)
        if not pressed and play.count():
            play.first.click()
            pressed = True
        if seconds is None and seen.evaluate(ROWS_NOW) >= ROWS:
            seconds = passed
        time.sleep(POLL_S)
    drawn = seen.evaluate(TIMELINE) or {"columns": {}}
    first = {name: points[0] if points else None for name, points in drawn["columns"].items()}
    late = [name for name, point in first.items() if point is None or math.isnan(point)]
    names = drawn.get("learners", [])
    preset = PRESETS[page]
    missing = {*preset.learners} - {*names} if {*names} <= {*preset.learners} else {*preset.nested_learners} - {*names}
    story = seen.locator("[data-area=story]").first
    words = story.evaluate(TEXT) if story.count() else ""
    picture = seen.locator(OPENED)
    return seconds, ", ".join([*late, *missing]) or "all", picture.first.inner_text() if picture.count() else "", words


TEXT = """node => {
    const words = (each) => each.shadowRoot ? [...each.shadowRoot.childNodes].map(words).join(" ")
        : each.nodeType === Node.TEXT_NODE ? each.textContent
        : ["STYLE", "SCRIPT", "LINK"].includes(each.tagName) ? "" : [...each.childNodes].map(words).join(" ");
    return words(node).replace(/\\s+/g, " ").trim();
}"""
"""The text of an element and of the shadow roots in it."""
