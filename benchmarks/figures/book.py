"""The figures, the replays and the pictures of them that the docs' ideas, learners and gallery show, from seeded runs.

``python -m benchmarks book`` makes all of it; ``--only figures``, ``replays`` or ``pictures`` a part. Pictures are
taken in Chromium of the replays that are there. ``--out`` is the folder, ``docs`` by default.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console

from benchmarks.browser import ROOT
from benchmarks.figures.ideas import FIGURES, draw
from benchmarks.figures.replays import REPLAYS, SHOTS, record_all, take

__all__ = ["FOLDERS", "main"]

FOLDERS = {"figures": "ideas/img", "replays": "gallery/replays", "pictures": "learners/img"}
"""Where each kind of file stands below ``--out``."""
MOST_BYTES = 1_000_000


def main(options: list[str] | None = None) -> int:
    """Make the files; returns 1 if one is larger than a page may load."""
    parser = argparse.ArgumentParser("python -m benchmarks book", description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    parser.add_argument("--only", nargs="+", choices=list(FOLDERS), default=list(FOLDERS))
    parser.add_argument("--names", nargs="+", choices=sorted({*FIGURES, *REPLAYS, *SHOTS}), help="these files alone")
    asked = parser.parse_args([] if options is None else options)
    folders = {kind: asked.out / place for kind, place in FOLDERS.items()}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)

    def named(known: dict) -> list[str]:
        return [name for name in known if asked.names is None or name in asked.names]

    sizes: dict[str, int] = {}
    if "figures" in asked.only:
        sizes |= draw(folders["figures"], named(FIGURES))
    if "replays" in asked.only:
        sizes |= record_all(folders["replays"], named(REPLAYS))
    if "pictures" in asked.only:
        sizes |= take(folders["replays"], folders["pictures"], named(SHOTS))
    for name, size in sizes.items():
        Console().print(f"{name}: {size:,} bytes")
    return int(max(sizes.values(), default=0) > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
