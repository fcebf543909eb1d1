"""Curves over the stream, a panel for each stream: the mean over seeds as a line, their range as a band."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from streamlab.study.pictures.drawing import Theme
from streamlab.views.timeline.bands import style_of

PANEL, HEIGHT = 340, 220
"""Pixels that a panel is wide at least, and its height."""
DASHES = {"solid": "-", "dashed": "--", "dotted": ":", "dotdash": "-.", "dashdot": (0, (6, 2, 1, 2))}


def banded(curves: pd.DataFrame, measure: str) -> pd.DataFrame:
    """The mean, the lowest and the highest over the seeds, by stream, learner and position."""
    keys = ["stream", "learner", "position"]
    return curves.groupby(keys, sort=False)[measure].agg(["mean", "min", "max"]).reset_index()


def draw_evolution(
    curves: pd.DataFrame,
    measure: str,
    theme: Theme,
    width: int,
    backend: str,
    *,
    axis: str,
    streams: Sequence[str],
    drifts: Mapping[str, Sequence[float]],
    title: str | None = None,
) -> Any:
    """Draw the panels, as many beside each other as there is room for."""
    table = banded(curves, measure)
    learners = list(dict.fromkeys(table.learner))
    across = max(1, min(len(streams), width // PANEL))
    draw = _on_matplotlib if backend == "matplotlib" else _on_bokeh
    title = "" if title is None else title
    is_log = measure in ("seconds", "bytes") and bool((table["min"] > 0).all())
    return draw(table, learners, list(streams), across, theme, width, axis, drifts, title, is_log)


def _on_matplotlib(
    table: pd.DataFrame, learners: list[str], streams: list[str], across: int, theme: Theme, width: int, axis: str,
    drifts: Mapping[str, Sequence[float]], title: str, is_log: bool,
) -> Any:  # fmt: skip
    from matplotlib.ticker import MaxNLocator

    from streamlab.views.on_paper import paper_figure

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
            style = {"color": colour, "linestyle": DASHES[dash], "linewidth": 1.6}
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


def _on_bokeh(
    table: pd.DataFrame, learners: list[str], streams: list[str], across: int, theme: Theme, width: int, axis: str,
    drifts: Mapping[str, Sequence[float]], title: str, is_log: bool,
) -> Any:  # fmt: skip
    import holoviews as hv

    value = hv.Dimension("mean", label=axis)
    position = hv.Dimension("position", label="rows")
    panels = []
    columns = max(1, width // across // 150)
    legend = 26 * math.ceil(len(learners) / columns) + 34
    for i, stream in enumerate(streams):
        part = table[table.stream == stream]
        drawn: list[Any] = []
        for j, learner in enumerate(learners):
            curve = part[part.learner == learner].sort_values("position")
            colour, dash = style_of(j)
            band = hv.Area(curve, position, [hv.Dimension("min", label=axis), "max"])
            drawn.append(band.opts(color=colour, alpha=0.2, line_width=0, backend="bokeh"))
            line = hv.Curve(curve, position, value, label=learner)
            style = {"color": colour, "line_dash": dash, "line_width": 2, "tools": ["hover"]}
            drawn.append(line.opts(**style, backend="bokeh"))
        mark = {"color": theme.muted, "line_dash": "dashed", "line_width": 1}
        drawn += [hv.VLine(at).opts(**mark, backend="bokeh") for at in drifts.get(stream, ())]
        names = title if title and len(streams) == 1 else stream
        is_last = i == len(streams) - 1
        shape: dict[str, Any] = {"width": width // across, "height": HEIGHT + (legend if is_last else 0)}
        shape |= {"title": names, "show_grid": True, "padding": (0, 0.1), "logy": is_log, "show_legend": is_last}
        shape |= {"bgcolor": theme.paper, "fontsize": {"title": "12px"}, "hooks": [_coloured(theme)]}
        if is_last:
            shape |= {"legend_position": "bottom", "legend_cols": columns}
        panels.append(hv.Overlay(drawn).opts(**shape, backend="bokeh"))
    if len(panels) == 1:
        return panels[0]
    return hv.Layout(panels).cols(across).opts(title=title, backend="bokeh")


def _coloured(theme: Theme) -> Any:
    def hook(plot: Any, _: Any) -> None:
        figure = plot.state
        figure.border_fill_color = theme.paper
        figure.title.text_color = theme.ink
        for axis in (*figure.xaxis, *figure.yaxis):
            axis.update(
                major_label_text_color=theme.muted, axis_label_text_color=theme.ink, axis_line_color=theme.muted,
                major_tick_line_color=theme.muted, minor_tick_line_color=None,
            )  # fmt: skip
        for axis in figure.xaxis:
            axis.formatter.use_scientific = False
        figure.grid.grid_line_color = theme.grid
        for legend in figure.legend:
            legend.update(background_fill_color=theme.paper, label_text_color=theme.ink, border_line_color=None)

    return hook
