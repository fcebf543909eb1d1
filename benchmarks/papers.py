"""Figures of papers from their published results, and the diagram of the guide on comparing, light and dark.

``--folder`` is where the authors' files are (default: the shared folder if it is there, else they are fetched),
``--out`` the folder of the docs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._server import ROOT

__all__ = ["MEASURES", "main"]

MEASURES = ("subset_accuracy", "hamming_loss", "example_f1", "micro_f1", "macro_f1", "seconds")
"""What MLHAT's figures 5a to 5f are of."""
WIDTH = 440
"""Pixels: as wide as a phone shows without making it smaller, and readable on a page."""


def main(options: list[str] | None = None) -> int:
    """Draw the figures; returns 1 if the published results cannot be had."""
    parser = argparse.ArgumentParser("python -m benchmarks papers", description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    asked = parser.parse_args(options or [])
    console = Console()
    folder = asked.folder
    if folder is None and (known := SHARED.parent / "reference" / "mlhat-published").is_dir():
        folder = known
    printed = sl.compare(sl.published("mlhat-paper"), "example_f1", control="MLHAT", alpha=0.01)
    save(printed, asked.out / "howto" / "img" / "ranks.svg")
    try:
        figures = sl.published("mlhat", folder=folder)
    except (ConnectionError, ValueError) as error:
        console.print(f"figure 5 of MLHAT was not drawn: {error}")
        return 1
    for letter, measure in zip("abcdef", MEASURES, strict=True):
        found = sl.compare(figures, measure, alpha=0.01)
        save(found, asked.out / "papers" / f"mlhat_5{letter}.svg")
        test = found.friedman
        console.print(f"5{letter} {measure}: χ² {test.chi2:.2f} (without ties {test.chi2_plain:.2f}), F {test.F:.3f}")
    return 0


def save(found: Any, path: Path) -> None:
    """Write the ranks of a comparison as SVG, light and dark, the same bytes each time."""
    import matplotlib

    path.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": "streamlab"}):
        for theme, ending in (("light", ""), ("dark", "-dark")):
            figure = found.plot_ranks(backend="matplotlib", theme=theme, width=WIDTH)
            place = path.with_stem(f"{path.stem}{ending}")
            figure.savefig(place, metadata={"Date": None}, facecolor=figure.get_facecolor())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
