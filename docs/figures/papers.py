"""Figures and tables of the four papers, drawn again: pictures light and dark, tables put into the docs' pages.

``python -m docs.figures papers [--only FIGURE …] [--folder FOLDER] [--out FOLDER]``

``--only`` takes names of figures or of papers (without it, all of them, some seven minutes of CPU time; ``--list``
names them), ``--folder`` where MLHAT's published files are (default: the shared folder if it is there, else they are
fetched), ``--out`` the folder of the docs.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlab as sl
from benchmarks.data import SHARED
from benchmarks.harness import ROOT, asked, console
from docs.figures import balanced, hierarchical, mlhat, mlhat_runs, smart
from docs.figures.pages import Missing, Pages
from docs.figures.svg import save_ranks

__all__ = ["FIGURES", "main"]


def guide(pages: Pages) -> None:
    """Draw the diagram of ranks of the guide on comparing."""
    printed = sl.compare(sl.published("mlhat-paper"), "example_f1", control="MLHAT", alpha=0.01)
    save_ranks(printed, pages.docs / "howto" / "img" / "ranks.svg")


FIGURES: dict[str, Callable[[Pages], None]] = {
    "smart-5": smart.figure_5,
    "smart-tables": smart.sweeps,
    "hierarchical-6": hierarchical.figure_6,
    "hierarchical-7": hierarchical.figure_7,
    "balanced-1": balanced.table_1,
    "mlhat-3-table": mlhat.table_3,
    "mlhat-4-table": mlhat.table_4,
    "mlhat-6-table": mlhat.table_6,
    "mlhat-7-table": mlhat.tables_7_and_8,
    "mlhat-3": mlhat_runs.figure_3,
    "mlhat-4": mlhat_runs.figure_4,
    "mlhat-5": mlhat.figure_5,
    "mlhat-6": mlhat_runs.figure_6,
    "mlhat-7": mlhat_runs.figure_7,
    "guide": guide,
}
"""What can be drawn, by paper and number."""


def main(options: list[str] | None = None) -> int:
    """Draw what is asked for; returns 1 if the data of some figure cannot be had."""
    names = [*FIGURES, *dict.fromkeys(name.partition("-")[0] for name in FIGURES)]
    given = asked("docs.figures papers", options, only=names, list=False, folder=None, out=None)
    if given.list:
        for name, draw in FIGURES.items():
            console.print(f"{name}: {(draw.__doc__ or '').partition(chr(10))[0]}")
        return 0
    chosen = [name for name in FIGURES if name in given.only or name.partition("-")[0] in given.only]
    folder = given.folder
    if folder is None and (known := SHARED.parent / "reference" / "mlhat-published").is_dir():
        folder = known
    pages, missing = Pages(given.out or ROOT / "docs", folder, console), 0
    for name in chosen:
        begun = time.process_time()
        try:
            FIGURES[name](pages)
        except Missing as reason:
            console.print(f"{name} was not drawn: {reason}")
            missing = 1
        else:
            console.print(f"{name}: {time.process_time() - begun:.1f} s of CPU time")
    return missing
