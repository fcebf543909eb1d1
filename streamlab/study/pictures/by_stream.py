"""Rows of streams: the difference of two learners on each, sorted; a box for each, with where one learner lies; and all
scores as a table of colours, learners by rank from left to right."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab._checks import checked_choice
from streamlab.study.pictures.drawing import figures_on, name_ticks, number, sheet, text_width
from streamlab.views.kit.themes import Theme

ROW, BELOW = 19, 50
"""Pixels of a row, and of what stands below the last."""


def draw_pairs(found: Any, theme: Theme, width: int, *, one: str, other: str, title: str | None = None) -> Any:
    """Draw a bar for each stream that both finished; to the right where ``one`` is better."""
    for key, name in (("one", one), ("other", other)):
        checked_choice(key, name, found.scores)
    if one == other:
        raise ValueError(f"one and other are both {one!r}: expected two learners")
    sign = 1.0 if found.higher_is_better else -1.0
    both = found.scores[[one, other]].dropna()
    differences = (sign * (both[one] - both[other])).sort_values(kind="stable")
    if differences.empty:
        raise ValueError(f"{one!r} and {other!r} finished no stream in common")
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    ties = len(differences) - wins - losses
    text = f"{one} is better on {wins} streams (blue), {other} on {losses} (orange)"
    text += f"; equal on {ties}." if ties else "."
    if len(both) < len(found.scores):
        text += f" {len(found.scores) - len(both)} left out: one of them did not finish."
    heading = f"{found.title}: {one} and {other}" if title is None else title
    figure, axes = sheet(theme, width, ROW * len(differences) + BELOW, heading, text)
    axes.barh(range(len(differences)), differences, 0.66, color=np.where(differences > 0, theme.mark, theme.worse))
    axes.axvline(0.0, color=theme.ink, linewidth=0.8)
    ends, high = axes.get_xlim(), float(both.to_numpy().max())
    axes.axvspan(-found.rope, found.rope, color=theme.grid, zorder=0.4)
    axes.set(xlim=ends, ylim=(-0.5, len(differences) - 0.5))
    for i, value in enumerate(differences):
        beside = axes.get_yaxis_transform()
        axes.text(1.01, i, _signed(value, high), transform=beside, va="center", size=8, color=theme.muted)
    name = f"{found.title}, {one} − {other}" if found.higher_is_better else f"{found.title}, {other} − {one}"
    _along(axes, differences.index, theme, name)
    return figure


def _along(axes: Any, names: Any, theme: Theme, title: str) -> None:
    """Name the rows, and write figures and their name below."""
    name_ticks(axes.yaxis, names, theme)
    axes.set_xlabel(title, size=9, color=theme.ink, parse_math=False)
    axes.grid(axis="x", color=theme.grid)
    figures_on(axes.xaxis)


def _signed(value: float, high: float) -> str:
    text = f"{abs(value):.3f}" if high <= 1 else number(abs(value))
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{text}"


def draw_spread(
    found: Any, theme: Theme, width: int, *, mark: str | None = None, by: str = "stream", title: str | None = None
) -> Any:
    """Draw a row for each stream or learner, the highest median first; a diamond marks a learner or stream."""
    checked_choice("by", by, ("stream", "learner"))
    table = found.scores if by == "stream" else found.scores.T
    other = "learner" if by == "stream" else "stream"
    checked_choice("mark", mark, table, optional=True)
    table = table.loc[table.median(axis=1).sort_values(ascending=False, kind="stable").index[::-1]]
    about = f"Box: the middle half of the {other}s, with the median. Lines: the rest, except for single ones far out."
    about += f" Diamond: {mark}." if mark is not None else ""
    heading = f"{found.title}, a box for each {by}" if title is None else title
    figure, axes = sheet(theme, width, ROW * len(table) + BELOW, heading, about)
    fine = {"color": theme.muted, "linewidth": 0.8}
    axes.boxplot(
        [row.dropna() for _, row in table.iterrows()], positions=range(len(table)), orientation="horizontal",
        widths=0.6, patch_artist=True, manage_ticks=False, whiskerprops=fine, capprops=fine,
        boxprops={"facecolor": theme.band, "edgecolor": theme.muted, "linewidth": 0.8},
        medianprops={"color": theme.ink, "linewidth": 1.5},
        flierprops={"marker": "o", "markersize": 3, "markerfacecolor": theme.muted, "markeredgecolor": "none"},
    )  # fmt: skip
    if mark is not None:
        diamond: dict[str, Any] = {"color": theme.mark, "markersize": 7, "markeredgecolor": theme.paper, "zorder": 4}
        axes.plot(table[mark], range(len(table)), "D", **diamond)
    if found.measure in ("seconds", "bytes"):
        axes.set_xscale("log")
    axes.set_ylim(-0.5, len(table) - 0.5)
    _along(axes, table.index, theme, found.title)
    return figure


def _is_light(colour: Any) -> bool:
    """Whether black is easier to read on it than white (WCAG 2, relative luminance)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.18


def draw_heat(found: Any, theme: Theme, width: int, *, title: str | None = None) -> Any:
    """Draw the table; a figure stands in each cell where there is room for it, a dash where it did not finish."""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize

    table = found.scores[list(found.ranks.index)]
    values = table.to_numpy(dtype=float)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    is_log = found.measure in ("seconds", "bytes") and low > 0
    about = f"{'More' if found.higher_is_better else 'Less'} is better. Dash: did not finish."
    longest = max(text_width(str(name), 11) for name in table)
    cell = (width - 24 - max(text_width(str(name), 11) for name in table.index)) / table.shape[1]
    turned = longest > cell - 4
    heading = f"{found.title}, learners by average rank" if title is None else title
    figure, axes = sheet(theme, width, ROW * len(table) + (longest if turned else 14) + BELOW, heading, about)
    colours, scale = LinearSegmentedColormap.from_list("", [theme.low, theme.high]), LogNorm if is_log else Normalize
    n, k = values.shape
    edges: dict[str, Any] = {"shading": "nearest", "edgecolors": theme.paper, "linewidth": 0.7}
    cells = axes.pcolormesh(range(k), range(n), values, cmap=colours, norm=scale(low, high), **edges)
    axes.invert_yaxis()
    for (i, j), value in np.ndenumerate(values):
        if np.isnan(value):
            axes.text(j, i, "–", ha="center", va="center", size=8, color=theme.muted)
        elif cell > text_width("0.000", 10) + 4:
            text = f"{value:.3f}" if high <= 1 else number(value)
            ink = "#000000" if _is_light(colours(cells.norm(value))) else "#FFFFFF"
            axes.text(j, i, text, ha="center", va="center", size=7.2, color=ink)
    axes.spines["bottom"].set_visible(False)
    axes.xaxis.tick_top()
    name_ticks(axes.xaxis, table, theme, rotation=90 if turned else 0)
    name_ticks(axes.yaxis, table.index, theme)
    key = figure.colorbar(cells, location="bottom", aspect=30, shrink=0.5, anchor=(0.0, 0.0))
    key.outline.set_visible(False)
    key.ax.tick_params(colors=theme.muted, labelsize=8)
    figures_on(key.ax.xaxis, 6)
    return figure
