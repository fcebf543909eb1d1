"""The pictures of the docs: screenshots of the real pages at given rows, and a short animation of the monitor.

Pages are opened by links, so that each picture shows the same rows every time. ``--out`` is the folder, ``docs`` by
default.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.browser import MONITOR, PLAYABLE, chromium, served, tab
from benchmarks.harness import ROOT, asked, console

__all__ = ["main"]

TIMEOUT_S = 180.0
MOST_ANIMATION = 1_000_000


@dataclass(frozen=True)
class Shot:
    """A picture: its file, the page's link, and the window's size."""

    name: str
    link: str
    height: int = 900
    width: int = 1400


SHOTS = (
    Shot("stream_monitor", "stream_monitor?at=1600"),
    Shot("drift_lab", "drift_lab?at=2800"),
    Shot("mlhat_tree", "mlhat_tree?at=26000&speed=inf"),
    Shot("label_hierarchy", "label_hierarchy?at=2800"),
    Shot("council", "council?at=1600"),
    Shot("projection", "balanced_neighbours?at=1500"),
    Shot("start_page", "", 1060),
)


@contextmanager
def opened(browser: Any, address: str, shot: Shot) -> Iterator[Any]:
    """Open a page, and yield it when its run has come to the link's row."""
    size = {"width": shot.width, "height": shot.height}
    ready = PLAYABLE if shot.link else ""
    with tab(browser, f"{address}/{shot.link}", **size, timeout_s=TIMEOUT_S, ready=ready, color_scheme="light") as page:
        if shot.link:
            at = next(int(part[3:]) for part in shot.link.partition("?")[2].split("&") if part.startswith("at="))
            page.wait_for_function(f"window.__streamlab_transport.stats().position >= {at}")
        page.wait_for_timeout(2500)
        yield page


def study_pictures(browser: Any, folder: Path, finish_s: float = 600.0) -> None:
    """Take the page of the demonstration of a study, once all its runs are done, light and dark."""
    with served("-m", "panel", "serve", "apps/study.py", "--port", "{port}", "--address", "127.0.0.1") as address:
        for scheme, ending in (("light", ""), ("dark", "-dark")):
            link = f"{address}/study"
            with tab(browser, link, height=900, timeout_s=finish_s, ready="", color_scheme=scheme) as page:
                page.locator(".sl-ranks:not(.sl-so-far) .sl-lane").first.wait_for()
                page.wait_for_timeout(2500)
                page.screenshot(path=str(folder / f"study{ending}.png"))


def animation(browser: Any, address: str, path: Path, *, frames: int, scale: float) -> int:
    """Play the demonstration over its drift, and write what is seen as an animated WebP; returns its bytes."""
    from PIL import Image

    images = []
    with opened(browser, address, Shot("animation", "stream_monitor?at=800&speed=100", 720, 1280)) as page:
        page.click(".sl-play")
        for _ in range(frames):
            image = Image.open(io.BytesIO(page.screenshot()))
            size = round(image.width * scale), round(image.height * scale)
            images.append(image.resize(size, Image.Resampling.LANCZOS))
            page.wait_for_timeout(200)
    images[0].save(path, save_all=True, append_images=images[1:], duration=300, loop=0, quality=45, method=4)
    return path.stat().st_size


def main(options: list[str] | None = None) -> int:
    """Take the pictures."""
    every = [*(shot.name for shot in SHOTS), "study", "animation"]
    given = asked("docs.figures pictures", options, out=None, only=every, frames=24)
    out, wanted = given.out or ROOT / "docs", given.only
    with chromium() as browser, served(*MONITOR) as address:
        for shot in SHOTS:
            if shot.name in wanted:
                with opened(browser, address, shot) as page:
                    page.screenshot(path=str(out / f"{shot.name}.png"))
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
