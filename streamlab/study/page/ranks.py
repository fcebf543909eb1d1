"""How learners rank over streams, the diagram of their average ranks, and the curves of one stream."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from streamlab.study import Comparison, compare, rank_streams
from streamlab.study.comparison import listed_names, say
from streamlab.study.page.figures import higher_is_better
from streamlab.study.pictures.drawing import Drawing, Theme, text_width
from streamlab.study.pictures.ranks import draw_ranks
from streamlab.views.kit.text import shown


def average_ranks(
    values: Mapping[str, Sequence[float]], ended: Sequence[bool], *, higher_is_better: bool
) -> tuple[dict[str, float], int]:
    """Return the average rank of each learner, 1 the best, and over how many streams.

    A stream counts once every learner has ended on it, and one at least with a figure. Who ended without a figure ranks
    last there; equals share the mean of their ranks.

    Parameters
    ----------
    values
        By learner its figures, one for each stream; NaN: none.
    ended
        For each stream whether all learners have ended.

    Examples
    --------
    >>> nan = float("nan")
    >>> average_ranks({"A": [0.9, 0.5, 0.1], "B": [0.8, nan, 0.2]}, [True, True, False], higher_is_better=True)
    ({'A': 1.0, 'B': 2.0}, 2)
    """
    table = pd.DataFrame(dict(values), dtype=float)
    table = table[np.asarray(ended, dtype=bool)].dropna(how="all")
    if table.empty:
        return dict.fromkeys(values, math.nan), 0
    ranks = rank_streams(table, higher_is_better=higher_is_better).mean()
    return {name: float(ranks[name]) for name in values}, len(table)


def widest_lead(values: Mapping[str, Sequence[float]], ranks: Mapping[str, float], *, higher_is_better: bool) -> int:
    """Return the place of the stream on which who ranks best leads all others by most.

    Examples
    --------
    >>> widest_lead({"A": [0.5, 0.9], "B": [0.6, 0.2]}, {"A": 1.4, "B": 1.6}, higher_is_better=True)
    1
    """
    table = pd.DataFrame(dict(values), dtype=float) * (1 if higher_is_better else -1)
    first = min(ranks, key=lambda who: ranks[who])
    return int((table[first] - table.drop(columns=first).max(axis=1)).fillna(-math.inf).argmax())


def bands_of(curves: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the curve of each learner: the mean over its seeds, and from the least to the greatest.

    Parameters
    ----------
    curves
        What ``Study.curves`` gives for one stream.

    Returns
    -------
    dict
        By learner ``positions``, ``values``, ``low`` and ``high`` (None with one seed), lists of equal length, and
        ``seeds``, how many. Only rows that all its seeds have come to.
    """
    found = {}
    for learner, part in curves.groupby("learner", sort=False):
        seeds = int(part.seed.nunique(dropna=False))
        by_row = part.groupby("position").value.agg(["mean", "min", "max", "size"])
        by_row = by_row[by_row["size"] == seeds]
        found[str(learner)] = {
            "positions": by_row.index.astype(int).tolist(), "values": by_row["mean"].astype(float).tolist(),
            "low": by_row["min"].astype(float).tolist() if seeds > 1 else None,
            "high": by_row["max"].astype(float).tolist() if seeds > 1 else None,
            "seeds": seeds,
        }  # fmt: skip
    return found


WIDTHS = (280, 340, 460, 580, 700, 820, 940, 1060, 1300)
"""Pixels of the diagrams that the browser chooses among: those on which the names have room."""
COLOURS = Theme(
    paper="var(--sl-surface)", ink="var(--sl-text)", muted="var(--sl-muted)", grid="var(--sl-line)",
    band="var(--sl-track)", bar="var(--sl-text)", mark="var(--sl-accent)", worse="var(--sl-down)",
    low="var(--sl-track)", high="var(--sl-bar)",
)  # fmt: skip
"""The page's own, which follow its theme."""
TOO_FEW = "When at least two learners have finished on the same two streams, their average ranks are drawn here."
HOW = "On each stream the learners get ranks, 1 for the best; a dot is the average of a learner's ranks."


def diagram_of(
    values: Mapping[str, Sequence[float]], ended: Sequence[bool], measure: str, places: Mapping[str, int]
) -> dict[str, Any]:
    """Return the diagram as the browser draws it: what it says, and drawings for several widths.

    Parameters
    ----------
    values
        By learner its figures, one for each stream; NaN: none.
    ended
        For each stream whether all learners have ended: others do not count yet.
    measure
        What the figures are of.
    places
        By learner its place in the study, from which it has its colour.
    """
    table = pd.DataFrame(dict(values), dtype=float)[list(ended)].dropna(how="all")
    if table.shape[0] < 2 or table.shape[1] < 2:
        return {"title": "Average ranks", "how": TOO_FEW, "lead": "", "words": [], "drawings": []}
    found = compare(table, measure, higher_is_better=higher_is_better(measure))
    order = [places[name] for name in found.ranks.index]
    laid_out = [draw_ranks(found, COLOURS, width, title="") for width in WIDTHS]
    drawings = [_plain(each, order) for each in laid_out if _has_room(each) or each is laid_out[-1]]
    title = f"Average ranks on {len(found.scores)} streams, by {found.title}"
    # the conclusion first; what was compared and who is first stand above
    return {"title": title, "how": HOW, "lead": lead_of(found), "words": say(found)[:1:-1], "drawings": drawings}


def lead_of(found: Comparison) -> str:
    """Return who ranks best, and which of the others the diagram tells apart from it, without a term of statistics."""
    names, best = list(found.ranks.index), found.ranks.index[0]
    alike = {name for group in found.groups(found.pair_test) if best in group for name in group} | {best}
    others, apart = [name for name in names if name in alike - {best}], [name for name in names if name not in alike]
    told = [f"it is better than {listed_names(apart)}"] if apart else []
    told += [f"its lead over {listed_names(others)} may be chance"] if others else []
    text = "; ".join(told)
    return f"{best} ranks best on average: {found.ranks.iloc[0]:.2f}. {text[0].upper()}{text[1:]}."


def dependence_of(recipes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a caveat for each set of streams that are the same rows but for changes, by name and ``Source.recipe``.

    Examples
    --------
    >>> plain = {"source": "yeast", "options": {}}
    >>> changed = {"change": "rotate_labels", "parameters": {"at": 500}, "stream": plain}
    >>> dependence_of({"a": plain, "b": changed, "c": {"source": "films", "options": {}}})[0].partition(":")[0]
    '“a” and “b” have the same rows, but for changes'
    """
    alike: dict[str, list[str]] = {}
    for name, recipe in recipes.items():
        while "change" in recipe:
            recipe = recipe["stream"]
        alike.setdefault(repr(recipe), []).append(name)
    groups = [[f"“{shown(name)}”" for name in names] for names in alike.values() if len(names) > 1]
    return [
        f"{listed_names(names)} have the same rows, but for changes: the tests take streams for independent, so that "
        f"with these {len(names)} their p is smaller than it should be."
        for names in groups
    ]


def _has_room(drawing: Drawing) -> bool:
    """Return whether every text lies within the picture."""
    share = {"left": 0.0, "center": 0.5, "right": 1.0}
    starts = [(each.x - share[each.align] * (wide := text_width(each.text, each.size)), wide) for each in drawing.texts]
    return all(start >= 0 and start + wide <= drawing.width for start, wide in starts)


def _plain(drawing: Drawing, order: Sequence[int]) -> dict[str, Any]:
    """Return a drawing as lists; a dot has its learner's place, as the browser knows the colours."""
    return {
        "width": drawing.width,
        "height": round(drawing.height, 1),
        "boxes": [[*map(_round, (box.x0, box.y0, box.x1, box.y1)), box.colour] for box in drawing.boxes],
        "lines": [[*map(_round, line[:4]), line.colour, line.width] for line in drawing.lines],
        "dots": [
            [_round(dot.x), _round(dot.y), place, dot.size] for dot, place in zip(drawing.dots, order, strict=True)
        ],
        "texts": [
            [_round(each.x), _round(each.y), each.text, each.colour, each.align, each.size, each.bold]
            for each in drawing.texts
        ],
    }


def _round(value: float) -> float:
    return round(float(value), 1)
