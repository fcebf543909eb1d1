"""The pictures of the docs: screenshots of the real pages at given rows, and a short animation of the monitor.

Pages are opened by links, so that each picture shows the same rows every time. ``--out`` is the folder, ``docs`` by
default.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.browser import MONITOR, PLAYABLE, chromium, served
from benchmarks.harness import ROOT, asked, console

__all__ = ["main"]

TIMEOUT_MS = 180_000
MOST_ANIMATION = 3_000_000


@dataclass(frozen=True)
class Shot:
    """A picture: its file, the page's link, the window's size, and whether the sidebar is open."""

    name: str
    link: str
    height: int = 1150
    width: int = 1400
    sidebar: bool = False


SHOTS = (
    Shot("stream_monitor", "stream_monitor?at=1600"),
    Shot("drift_lab", "drift_lab?at=8600", sidebar=True),
    Shot("mlhat_tree", "mlhat_tree?at=26000&speed=inf", 900),
    Shot("label_hierarchy", "label_hierarchy?at=1500", 1000),
    Shot("projection", "balanced_neighbours?at=1500", 900),
    Shot("start_page", "", 1060),
)


def opened(browser: Any, address: str, shot: Shot) -> Any:
    """Open a page and wait until its run has come to the link's row."""
    context = browser.new_context(viewport={"width": shot.width, "height": shot.height}, color_scheme="light")
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"{address}/{shot.link}")
    if shot.link:
        page.wait_for_selector(PLAYABLE)
        at = next(int(part[3:]) for part in shot.link.partition("?")[2].split("&") if part.startswith("at="))
        page.wait_for_function(f"window.__streamlab_transport.stats().position >= {at}")
        if not shot.sidebar:
            page.get_by_label("Close drawer").click()
            page.mouse.move(shot.width // 2, shot.height - 5)
    page.wait_for_timeout(2500)
    return page


def study_pictures(browser: Any, folder: Path, finish_ms: int = 600_000) -> None:
    """Take the page of the demonstration of a study, once all its runs are done, light and dark."""
    with served("-m", "panel", "serve", "apps/study.py", "--port", "{port}", "--address", "127.0.0.1") as address:
        for scheme, ending in (("light", ""), ("dark", "-dark")):
            context = browser.new_context(viewport={"width": 1400, "height": 1480}, color_scheme=scheme)
            page = context.new_page()
            page.set_default_timeout(finish_ms)
            page.goto(f"{address}/study?curves=yeast%2C%20labels%20renamed")
            page.get_by_text("runs are done.").wait_for()
            page.wait_for_timeout(2500)
            page.screenshot(path=str(folder / f"study{ending}.png"))
            context.close()


def animation(browser: Any, address: str, path: Path, *, frames: int, scale: float) -> int:
    """Play the demonstration over its drift, and write what is seen as an animated WebP; returns its bytes."""
    from PIL import Image

    page = opened(browser, address, Shot("animation", "stream_monitor?at=1100&speed=100", 1330, 1280))
    page.click(".sl-play")
    images = []
    for _ in range(frames):
        image = Image.open(io.BytesIO(page.screenshot()))
        images.append(image.resize((round(image.width * scale), round(image.height * scale)), Image.Resampling.LANCZOS))
        page.wait_for_timeout(60)
    page.context.close()
    images[0].save(path, save_all=True, append_images=images[1:], duration=150, loop=0, quality=55, method=4)
    return path.stat().st_size


def main(options: list[str] | None = None) -> int:
    """Take the pictures."""
    every = [*(shot.name for shot in SHOTS), "study", "animation"]
    given = asked("docs.figures pictures", options, out=None, only=every, frames=48)
    out, wanted = given.out or ROOT / "docs", given.only
    with chromium() as browser, served(*MONITOR) as address:
        for shot in SHOTS:
            if shot.name in wanted:
                page = opened(browser, address, shot)
                page.screenshot(path=str(out / f"{shot.name}.png"))
                page.context.close()
        if "study" in wanted:
            images = out / "howto" / "img"
            images.mkdir(parents=True, exist_ok=True)
            study_pictures(browser, images)
        if "animation" in wanted:
            size = animation(browser, address, out / "forgetting.webp", frames=given.frames, scale=0.65)
            console.print(f"forgetting.webp: {size:,} bytes")
            if size > MOST_ANIMATION:
                return 1
    return 0
