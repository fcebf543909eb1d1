"""Pictures of the docs as SVG, light and dark: saved with the same bytes each time, and panels of curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from streamlab.lab.seeds import Band
from streamlab.views.kit.themes import THEMES, Theme
from streamlab.views.timeline.bands import Line, style_of

__all__ = ["WIDTH", "draw_dots", "draw_panels", "save", "save_panels", "save_ranks"]

WIDTH = 440
"""Pixels: as wide as a phone shows without making it smaller, and readable on a page."""
WIDE = 820
"""Of a diagram of ranks: names of 28 letters stand on both sides of it."""


def save(draw: Callable[[str], Any], path: Path) -> None:
    """Write what ``draw`` returns for ``"light"`` and ``"dark"`` as ``x.svg`` and ``x-dark.svg``, without a date."""
    import matplotlib

    path.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": "streamlab"}):
        for theme, ending in (("light", ""), ("dark", "-dark")):
            figure = draw(theme)
            place = path.with_stem(f"{path.stem}{ending}")
            figure.savefig(place, metadata={"Date": None}, facecolor=figure.get_facecolor())


def save_ranks(found: Any, path: Path) -> None:
    """Save the diagram of ranks of a comparison, light and dark: Nemenyi's bars, or with a control the usual ones."""
    bars = "nemenyi" if found.control is None else None
    save(lambda theme: found.plot_ranks(bars, theme=theme, width=WIDE), path)


def save_panels(path: Path, table: pd.DataFrame, **options: Any) -> None:
    """Save ``draw_panels(table, …)``, light and dark."""
    save(lambda theme: draw_panels(table, theme=theme, **options), path)


def draw_panels(
    table: pd.DataFrame,
    *,
    theme: str = "light",
    x: str | Sequence[str] = "rows",
    y: str | Sequence[str] = "",
    across: int = 1,
    height: int = 190,
    log2: bool = False,
    log_y: bool = False,
    same_y: bool = False,
    marks: Mapping[str, Sequence[float]] | None = None,
    width: int = WIDTH,
) -> Any:
    """Draw curves, a panel for each value of ``panel``, and return a Matplotlib figure.

    Parameters
    ----------
    table
        Columns ``panel``, ``curve``, ``x``, ``y``; where a point has several values (seeds), their mean is drawn, and a
        band from the lowest to the highest.
    theme
        ``"light"`` or ``"dark"``.
    x, y
        Names of the axes: one for all panels, or one for each.
    across
        Panels beside each other.
    height
        Of a panel, in pixels.
    log2
        Whether x doubles from tick to tick; else it is linear.
    log_y
        Whether y is logarithmic.
    same_y
        Whether all panels have the same range of y.
    marks
        By panel, values of x at which a dashed line is drawn.
    width
        Of the figure, in pixels.
    """
    from matplotlib import pyplot

    from streamlab.views.on_paper import draw_line

    colours = THEMES[theme]
    names, curves = list(dict.fromkeys(table.panel)), list(dict.fromkeys(table.curve))
    down = math.ceil(len(names) / across)
    per_line = max(1, int(width // (44 + 5.2 * max(len(curve) for curve in curves))))
    legend = 18 * math.ceil(len(curves) / per_line) + 12
    figure, axes = pyplot.subplots(
        down, across, figsize=(width / 100, (height * down + legend) / 100), dpi=100, squeeze=False,
        layout="constrained", facecolor=colours.paper, sharey=same_y,
    )  # fmt: skip
    pyplot.close(figure)  # it is returned, and not kept by pyplot
    lines: dict[str, Any] = {}
    for i, each in enumerate(axes.flat):
        if i >= len(names):
            each.set_visible(False)
            continue
        part = table[table.panel == names[i]]
        for at in (marks or {}).get(names[i], ()):
            each.axvline(at, color=colours.muted, linestyle="--", linewidth=0.8)
        for j, curve in enumerate(curves):
            points = part[part.curve == curve].groupby("x").y.agg(["mean", "min", "max"])
            if points.empty:
                continue
            line = Line(curve, (curve, curve), curve, *style_of(j), Band(points["mean"], points["min"], points["max"]))
            marker = {"marker": "o", "markersize": 3} if len(points) <= 12 else {}
            lines[curve] = draw_line(each, points.index, line, linewidth=1.6, **marker)
        each.set_title(names[i], size=9, color=colours.ink, loc="left")
        _finish(each, colours, _apart(sorted(set(part.x)), 0.085 * across, log2=log2), log2=log2, log_y=log_y)
        for which, name in ((each.set_xlabel, x), (each.set_ylabel, y)):
            text = name if isinstance(name, str) else name[i]
            if which == each.set_ylabel and i % across and isinstance(name, str):
                continue  # said once for a row of panels
            which(text, size=8.5, color=colours.ink)
    figure.legend(
        list(lines.values()), list(lines), loc="outside lower center", ncols=min(len(curves), per_line), frameon=False,
        fontsize=8, labelcolor=colours.ink, handlelength=2.6, columnspacing=1.2,
    )  # fmt: skip
    return figure


def _apart(xs: Sequence[float], gap: float, *, log2: bool) -> list[float]:
    """The values that can be written below an axis: none nearer to the one before than a share of its length."""
    at = [math.log2(x) if log2 else x for x in xs]
    span = (at[-1] - at[0]) or 1.0
    kept: list[int] = []
    for i, place in enumerate(at):
        if not kept or (place - at[kept[-1]]) / span >= gap:
            kept.append(i)
    return [xs[i] for i in kept]


def _finish(axes: Any, colours: Theme, xs: Sequence[float], *, log2: bool, log_y: bool) -> None:
    """Set colours, grid and ticks of a panel."""
    from matplotlib.ticker import MaxNLocator, NullLocator

    from streamlab.views.on_paper import dress

    dress(axes, colours)
    axes.margins(x=0.02)
    if log_y:
        axes.set_yscale("log")
    if log2:
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(xs))
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def draw_dots(
    table: pd.DataFrame, *, theme: str = "light", x: str = "", lines: Mapping[str, float] | None = None,
    width: int = WIDTH,
) -> Any:  # fmt: skip
    """Draw a row of dots for each value of ``row``, joined by a line, and return a Matplotlib figure.

    Parameters
    ----------
    table
        Columns ``row``, ``curve``, ``x``; rows from the top in their order, a colour and a sign for each curve; of
        several values the mean is drawn.
    theme, width
        As in ``draw_panels``.
    x
        Name of the axis.
    lines
        Values at which a dashed line is drawn, by what is written above it.
    """
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    colours = THEMES[theme]
    means = table.groupby(["row", "curve"], sort=False).x.mean().unstack(sort=False)
    rows, curves = list(dict.fromkeys(table.row)), list(dict.fromkeys(table.curve))
    means = means.loc[rows, curves]
    legend = 34 if len(curves) > 1 else 12
    figure = pyplot.figure(
        figsize=(width / 100, (17 * len(rows) + 62 + legend) / 100), dpi=100, layout="constrained",
        facecolor=colours.paper,
    )  # fmt: skip
    pyplot.close(figure)
    axes = figure.add_subplot()
    at = list(range(len(rows)))
    axes.hlines(at, means.min(axis=1), means.max(axis=1), color=colours.muted, linewidth=0.8)
    for j, curve in enumerate(curves):
        style: dict[str, Any] = {"color": style_of(j)[0], "markersize": 5.5, "markeredgewidth": 0.7}
        axes.plot(means[curve], at, SIGNS[j % len(SIGNS)], markeredgecolor=colours.paper, label=curve, **style)
    for name, value in (lines or {}).items():
        axes.axvline(value, color=colours.muted, linestyle="--", linewidth=0.8)
        axes.annotate(
            name, (value, 1), (0, 2), xycoords=("data", "axes fraction"), textcoords="offset points", ha="center",
            size=8, color=colours.muted,
        )  # fmt: skip
    _finish(axes, colours, [], log2=False, log_y=False)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.set_yticks(at, rows)
    axes.tick_params(axis="y", length=0, labelcolor=colours.ink)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel(x, size=8.5, color=colours.ink)
    if len(curves) > 1:
        figure.legend(
            loc="outside lower center", ncols=len(curves), frameon=False, fontsize=8, labelcolor=colours.ink
        )  # fmt: skip
    return figure


SIGNS = ("o", "D", "s", "^", "v")
