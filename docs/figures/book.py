"""The figures, the replays and the pictures of them that the docs' ideas, learners and gallery show, from seeded runs.

``python -m docs.figures book`` makes all of it; ``--only figures``, ``replays``, ``lessons`` or ``pictures`` a part.
Pictures are taken in Chromium of the replays that are there. ``--out`` is the folder, ``docs`` by default.
"""

from __future__ import annotations

from typing import Any

from benchmarks.harness import ROOT, asked, console
from docs.figures.ideas import FIGURES, draw
from docs.figures.replays import LESSONS, REPLAYS, SHOTS, record_all, take

__all__ = ["FOLDERS", "main"]

FOLDERS = {"figures": "ideas/img", "replays": "gallery/replays", "lessons": "replays", "pictures": "learners/img"}
"""Where each kind of file stands below ``--out``."""
MOST_BYTES = 1_000_000


def main(options: list[str] | None = None) -> int:
    """Make the files; returns 1 if one is larger than a page may load."""
    every = sorted({*FIGURES, *REPLAYS, *LESSONS, *SHOTS})
    given = asked("docs.figures book", options, out=None, only=list(FOLDERS), names=every)
    out = given.out or ROOT / "docs"
    folders = {kind: out / place for kind, place in FOLDERS.items()}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)

    def named(known: dict[str, Any]) -> dict[str, Any]:
        return {name: each for name, each in known.items() if name in given.names}

    sizes: dict[str, int] = {}
    if "figures" in given.only:
        sizes |= draw(folders["figures"], list(named(FIGURES)))
    if "replays" in given.only:
        sizes |= record_all(folders["replays"], named(REPLAYS))
    if "lessons" in given.only:
        sizes |= record_all(folders["lessons"], named(LESSONS))
    if "pictures" in given.only:
        sizes |= take(folders["replays"], folders["pictures"], list(named(SHOTS)))
    for name, size in sizes.items():
        console.print(f"{name}: {size:,} bytes")
    return int(max(sizes.values(), default=0) > MOST_BYTES)
