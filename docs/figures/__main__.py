"""``python -m docs.figures NAME [OPTIONS]`` makes what the docs show: pictures, replays, tables; no name lists all."""

from __future__ import annotations

import sys

from benchmarks.harness import Command

FIGURES = Command("docs.figures", {name: (name,) for name in ("papers", "book", "pictures")})

if __name__ == "__main__":
    sys.exit(FIGURES(sys.argv[1:]))
