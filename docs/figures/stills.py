"""The pictures that pages show, faded, while people wait: each page's own, at one row, in both themes."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from benchmarks.browser import chromium, served, tab
from benchmarks.harness import ROOT, asked, console
from streamlab.views.page.presets import PRESETS

FOLDER = ROOT / "streamlab" / "views" / "page" / "stills"
QUALITY = 25
STANDS = "row => (window.__streamlab_transport?.stats().position ?? 0) >= row"


def main(options: Sequence[str] | None = None) -> None:
    """Write ``PAGE-light.webp`` and ``PAGE-dark.webp`` for all pages, or some."""
    given = asked("docs.figures stills", options, pages=list(PRESETS))
    FOLDER.mkdir(exist_ok=True)
    for page in given.pages:
        command = ("-m", "panel", "serve", f"apps/{page}.py", "--port", "{port}")
        with chromium() as browser, served(*command, cwd=ROOT) as address:
            for theme in ("light", "dark"):
                path = FOLDER / f"{page}-{theme}.webp"
                query = f"?at={PRESETS[page].still}"
                with tab(browser, f"{address}/{page}{query}", ready="", color_scheme=theme) as seen:
                    write(seen, PRESETS[page].still, path)
                console.print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def write(seen: Any, row: int, path: Path) -> None:
    """Write the picture of the open page once its run stands at the row."""
    seen.wait_for_function(STANDS, arg=row, timeout=180_000)
    seen.wait_for_timeout(2_000)
    taken = seen.locator("[data-part=picture]:visible").first.screenshot()
    Image.open(io.BytesIO(taken)).convert("RGB").save(path, quality=QUALITY, method=6)


if __name__ == "__main__":
    main(sys.argv[1:])
