"""Curves over the stream, a panel for each stream: the mean over seeds as a line, their range as a band."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from streamlab.study.pictures.drawing import Theme
from streamlab.views.timeline.bands import LINESTYLES, style_of

PANEL, HEIGHT = 340, 220
"""Pixels that a panel is wide at least, and its height."""


def banded(curves: pd.DataFrame, measure: str) -> pd.DataFrame:
    """The mean, the lowest and the highest over the seeds, by stream, learner and position."""
    keys = ["stream", "learner", "position"]
    return curves.groupby(keys, sort=False)[measure].agg(["mean", "min", "max"]).reset_index()


def draw_evolution(
    curves: pd.DataFrame,
    theme: Theme,
    width: int,
    *,
    measure: str,
    axis: str,
    streams: Sequence[str],
    drifts: Mapping[str, Sequence[float]],
    title: str = "",
) -> Any:
    """Draw the panels, as many beside each other as there is room for."""
    from matplotlib.ticker import MaxNLocator

    from streamlab.views.on_paper import paper_figure

    table = banded(curves, measure)
    learners = list(dict.fromkeys(table.learner))
    across = max(1, min(len(streams), width // PANEL))
    is_log = measure in ("seconds", "bytes") and bool((table["min"] > 0).all())
    down = math.ceil(len(streams) / across)
    rows_of_names = math.ceil(len(learners) / max(1, width // 130))
    height = HEIGHT * down + 22 * rows_of_names + 26 + (26 if title else 0)
    figure = paper_figure(width, height, layout="constrained", facecolor=theme.paper)
    axes = figure.subplots(down, across, squeeze=False, sharey=True)
    lines = {}
    for i, each in enumerate(axes.flat):
        if i >= len(streams):
            each.set_visible(False)
            continue
        for at in drifts.get(streams[i], ()):
            each.axvline(at, color=theme.muted, linestyle="--", linewidth=0.8)
        part = table[table.stream == streams[i]]
        for j, learner in enumerate(learners):
            curve = part[part.learner == learner].sort_values("position")
            colour, dash = style_of(j)
            each.fill_between(curve.position, curve["min"], curve["max"], color=colour, alpha=0.2, linewidth=0)
            style = {"color": colour, "linestyle": LINESTYLES[dash], "linewidth": 1.6}
            (lines[learner],) = each.plot(curve.position, curve["mean"], **style)
        each.set_title(streams[i], size=9, color=theme.ink, loc="left")
        each.set_facecolor(theme.paper)
        each.grid(color=theme.grid)
        each.set_axisbelow(True)
        if is_log:
            each.set_yscale("log")
        each.spines[["top", "right"]].set_visible(False)
        each.spines[["left", "bottom"]].set_color(theme.muted)
        each.tick_params(colors=theme.muted, labelsize=8)
        each.xaxis.set_major_locator(MaxNLocator(4))
        each.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        each.margins(x=0)
    for each in axes.flat[max(0, len(streams) - across) : len(streams)]:
        each.set_xlabel("rows", size=9, color=theme.ink)
    figure.supylabel(axis, size=9, color=theme.ink)
    if title:
        figure.suptitle(title, size=10.5, color=theme.ink, weight="bold")
    figure.legend(
        list(lines.values()), list(lines), loc="outside lower center", ncols=max(1, min(len(learners), width // 130)),
        frameon=False, fontsize=8.5, labelcolor=theme.ink, handlelength=3,
    )  # fmt: skip
    return figure
