"""Quality against cost: a dot for each learner, and the line of those that none beats in both."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from streamlab.study.pictures.drawing import figures_on, sheet, text_width
from streamlab.views.kit.themes import Theme

CLOSE = 22
Area = tuple[float, float, float, float]
PLACES = ((12, 0, "left"), (-12, 0, "right"), (0, -15, "center"), (0, 15, "center"), (12, -13, "left"), (12, 13,
"left"),
          (-12, -13, "right"), (-12, 13, "right"), (26, -26, "left"), (26, 26, "left"), (-26, -26, "right"),
          (-26, 26, "right"), (0, -32, "center"), (0, 32, "center"), (40, -42, "left"), (-40, 42, "right"),
          (40, 42, "left"), (-40, -42, "right"), (0, -52, "center"), (0, 52, "center"))  # fmt: skip
"""Where a name may stand beside its dot, the best place first."""


def not_beaten(table: pd.DataFrame, *, higher_is_better: bool) -> list[str]:
    """The learners that no other is at least as good and as cheap as, and better in one, the cheapest first."""
    sign = 1.0 if higher_is_better else -1.0
    order = table.assign(good=sign * table.quality).sort_values(
        ["cost", "good"], ascending=[True, False], kind="stable"
    )
    kept, best = [], float("-inf")
    for name, row in order.iterrows():
        if row.good > best:
            kept.append(str(name))
            best = row.good
    return kept


def draw_tradeoff(
    table: pd.DataFrame,
    theme: Theme,
    width: int,
    titles: tuple[str, str],
    higher_is_better: bool,
    about: str,
    *,
    mark: str | None = None,
    title: str | None = None,
) -> Any:
    """Draw ``table``: a row for each learner, ``quality`` and ``cost``; ``titles`` of both."""
    heading = f"{titles[0]} against {titles[1].lower()}" if title is None else title
    words = f"{about} On the line: who is beaten by none in both."
    figure, axes = sheet(theme, width, max(260.0, 0.42 * width) + 60, heading, words)
    front = not_beaten(table, higher_is_better=higher_is_better)
    line, is_log = table.loc[front], bool((table.cost > 0).all())
    axes.set_xscale("log" if is_log else "linear")
    axes.plot(line.cost, line.quality, color=theme.mark, linewidth=1.1, zorder=1)
    axes.margins(0.05)
    axes.set_xlabel(titles[1] + (", logarithmic" if is_log else ""), size=9, color=theme.ink)
    axes.grid(color=theme.grid)
    colours = dict.fromkeys(table.index, theme.muted) | dict.fromkeys(front, theme.ink)
    if mark is not None:
        colours[mark] = theme.mark
    for name, row in table.iterrows():
        sign = "D" if name == mark else "o"
        axes.plot(row.cost, row.quality, sign, color=colours[name], markersize=7, markeredgecolor=theme.paper)
    figures_on(axes.xaxis)
    figures_on(axes.yaxis)
    figure.draw_without_rendering()
    places = dict(zip(table.index, axes.transData.transform(table[["cost", "quality"]]), strict=True))
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in places.values()]
    for one, other in pairwise(front):
        steps = max(1, int(np.abs(places[other] - places[one]).max() / 4))
        along = np.linspace(places[one], places[other], steps + 1)
        taken += [(x - 1, y - 1, x + 1, y + 1) for x, y in along]
    for name, (x, y) in sorted(places.items(), key=lambda item: (item[0] not in front, -item[1][1])):
        _name(axes, str(name), x, y, theme, colours[name], taken, name in front or name == mark)
    return figure


def _name(axes: Any, name: str, x: float, y: float, theme: Theme, colour: str, taken: list[Area], bold: bool) -> None:
    """Write a name at the first place beside its dot that is free, with a line to it where that is not close."""
    wide, frame = text_width(name, 11) * (1.08 if bold else 1.0), axes.bbox.extents
    spots = []
    for dx, dy, align in PLACES:
        start = x + dx - {"left": 0, "right": wide, "center": wide / 2}[align]
        area = (start - 1, y + dy - 7, start + wide + 1, y + dy + 7)
        outside = area[0] < frame[0] or area[2] > frame[2] or area[1] < frame[1] or area[3] > frame[3]
        shared = sum(_overlap(area, other) for other in taken)
        if abs(dx) + abs(dy) > CLOSE:  # its line may not run through another's dot
            way = [(x + dx * share, y + dy * share) for share in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)]
            shared += sum(_overlap((a - 2, b - 2, a + 2, b + 2), other) for a, b in way for other in taken)
        spots.append((outside, shared, dx, dy, align, area))
        if not outside and not shared:
            break
    _, _, dx, dy, align, area = min(spots, key=lambda spot: spot[:2])
    line = None
    if abs(dx) + abs(dy) > CLOSE:
        line = {"arrowstyle": "-", "color": theme.muted, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 0}
        # nor may another's line cross it: names would seem to change places
        taken += [
            (x + dx * i / 10 - 1, y + dy * i / 10 - 1, x + dx * i / 10 + 1, y + dy * i / 10 + 1) for i in range(2, 9)
        ]
    axes.annotate(
        name, axes.transData.inverted().transform((x, y)), (0.72 * dx, 0.72 * dy), textcoords="offset points",
        ha=align, va="center", size=8, color=colour, weight="bold" if bold else "normal", parse_math=False,
        arrowprops=line, in_layout=False,
    )  # fmt: skip
    taken.append(area)


def _overlap(one: Area, other: Area) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)
