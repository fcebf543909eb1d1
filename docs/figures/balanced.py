"""Table 1 of the paper on balanced neighbours: its music column, beside what answering every label gives."""

from __future__ import annotations

import pandas as pd

from benchmarks.neighbours import MEASURES, PAPER, RIVALS, on_emotions
from docs.figures.pages import Missing, Pages, dot
from docs.figures.svg import draw_dots, save

__all__ = ["REPEATS", "table_1"]

REPEATS = 3


def table_1(pages: Pages) -> None:
    """Draw the macro precision of the four methods on emotions, printed and ours; write all three measures."""
    found = on_emotions(REPEATS)
    if found is None:
        raise Missing("emotions is not in the shared data folder")
    summary, every = found
    points, lines = [], []
    for name in RIVALS:
        printed = PAPER[name.partition(",")[0]] / 100
        with_blda, without = summary.loc[f"BLDA, {name}"], summary.loc[name]
        ours = {"printed": printed, "ours": with_blda.macro_precision, "ours, without BLDA": without.macro_precision}
        points += [(name, kind, value) for kind, value in ours.items()]
        lines.append([name, dot(printed), *(dot(row[measure]) for row in (with_blda, without) for measure in MEASURES)])
    table = pd.DataFrame(points, columns=["row", "curve", "x"])
    told = {"every label": every}
    save(
        lambda theme: draw_dots(table, theme=theme, x="macro precision, emotions", lines=told),
        pages.picture("balanced_1"),
    )
    words = ("macro precision", "macro F1", "ranking average precision")
    header = ("", "printed", *(f"{how}{word}" for how in ("", "no BLDA: ") for word in words))
    pages.put("balanced", "1", header, [*lines, ["every label, always", "–", dot(every), *["–"] * 5]])
