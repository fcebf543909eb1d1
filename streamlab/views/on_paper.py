"""Curves, figures and a learner's nodes by Matplotlib: pictures wherever they are shown, and in a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib import pyplot
from matplotlib.figure import Figure

from streamlab.measures import MEASURES
from streamlab.views.timeline.bands import LINESTYLES, PER, dated_names, style_of

if TYPE_CHECKING:
    import pandas as pd

# Matplotlib's own default is Type 3, which publishers refuse
TRUE_TYPE: Any = {"pdf.fonttype": 42, "ps.fonttype": 42}
MARK, NAME = "#7F7F7F", "#595959"
MOST_DEPTH, MOST_NODES = 9, 3000
LETTERS = 90
"""How many letters of a node's name fit into the whole width."""
SHADES = ("#0072B2", "#3D93C4", "#7DB8DA", "#A9D0E6", "#CBE3F0")


class PaperFigure(Figure):
    """A figure whose letters are TrueType (Type 42) in the PDF and PostScript that ``savefig`` writes."""

    def savefig(self, *args: Any, **options: Any) -> None:
        """Save it as Matplotlib's ``Figure`` does."""
        with matplotlib.rc_context(TRUE_TYPE):
            super().savefig(*args, **options)


def paper_figure(width: float, height: float, **options: Any) -> PaperFigure:
    """Return a figure of so many pixels, 100 an inch, which a notebook shows as the value of a cell.

    Parameters
    ----------
    width, height
        In pixels.
    options
        Of Matplotlib's ``Figure``.
    """
    figure: Any = pyplot.figure(FigureClass=PaperFigure, figsize=(width / 100, height / 100), dpi=100, **options)
    pyplot.close(figure)  # it is returned, and not kept by pyplot
    return figure


def figure_of_curves(
    table: pd.DataFrame,
    measures: Sequence[str],
    over: str,
    learners: Sequence[str],
    dated: Sequence[tuple[int, str]],
    options: Mapping[str, Any],
) -> PaperFigure:
    """Return a figure with an axes for each measure, above one another, and the learners' names below.

    ``options``: ``width`` and ``height`` in pixels, ``title``, and what Matplotlib's ``Axes.set`` takes.
    """
    own: dict[str, Any] = {"width": 800, "height": 320 * len(measures), "title": ""} | dict(options)
    width, height, title = own.pop("width"), own.pop("height"), own.pop("title")
    # names come from anywhere, and are not formulas
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 9}):
        figure = paper_figure(width, height, layout="constrained")
        panels = figure.subplots(len(measures), 1, squeeze=False, sharex=True)[:, 0]
        for measure, axes in zip(measures, panels, strict=True):
            lines = draw_curves(axes, table, measure, over, learners, dated, width)
            axes.label_outer()
            axes.set(**own)
        panels[0].set_title(title, fontsize=12, pad=18 if dated else 6)
        place: dict[str, Any] = {"loc": "outside lower center", "ncols": 4, "frameon": False, "handlelength": 3}
        figure.legend(lines, learners, **place)
    return figure


def draw_curves(
    axes: Any,
    table: pd.DataFrame | None,
    measure: str,
    over: str,
    learners: Sequence[str],
    dated: Sequence[tuple[int, str]],
    width: float,
) -> list[Any]:
    """Draw a measure's curve of each learner with dated lines, and return the curves' lines; no table: none is yet."""
    lines = []
    for i, name in enumerate(learners):
        colour, dash = style_of(i)
        own = None if table is None or measure not in table else table[table.learner == name]
        at, values = ([], []) if own is None else (own.position, own[measure])
        lines += axes.plot(at, values, color=colour, linestyle=LINESTYLES[dash], linewidth=2)
    last = 1 if table is None or not len(table) else max(1, int(table.position.max()))
    for at, _ in dated:
        axes.axvline(at, color=MARK, linestyle="--", linewidth=1)
    for at, name in dated_names(dated, last, width):
        axes.annotate(name, (at, 1), (0, 3), xycoords=("data", "axes fraction"), textcoords="offset points",
                      ha="center", fontsize=8, color=NAME)  # fmt: skip
    axes.set_xlim(0, 1.01 * last)
    axes.set_xlabel("instances" if table is not None else "no instance has passed yet")
    axes.set_ylabel(f"{MEASURES[measure].title}, {PER.get(over, over)}")
    axes.xaxis.set_major_formatter(lambda at, _: f"{at:,.0f}")
    axes.grid(alpha=0.3)
    return lines


def nodes_to_draw(nodes: pd.DataFrame) -> pd.DataFrame | None:
    """Return what is drawn of a learner's nodes: a forest's first tree; None where there is too much or nothing."""
    if "parent" not in nodes:
        return nodes
    if "tree" in nodes:
        nodes = nodes[nodes.tree == nodes.tree.iloc[0]]
    elif "label" in nodes and nodes.parent.dtype.kind not in "iuf":
        nodes = nodes.set_index("label", drop=False)
    nodes = nodes[nodes.depth <= MOST_DEPTH]
    return nodes if 0 < len(nodes) <= MOST_NODES else None


def draw_nodes(axes: Any, nodes: pd.DataFrame) -> None:
    """Draw what ``nodes_to_draw`` has left: branches, or points where a learner has no tree."""
    (_draw_branches if "parent" in nodes else _draw_points)(axes, nodes)


def _draw_points(axes: Any, nodes: pd.DataFrame) -> None:
    axes.scatter(nodes.x, nodes.y, color=SHADES[0])
    for name, x, y in zip(nodes.get("label", nodes.index), nodes.x, nodes.y, strict=True):
        axes.annotate(str(name)[:12], (x, y), (3, 3), textcoords="offset points", fontsize=7)
    axes.set(xticks=[], yticks=[])


def _draw_branches(axes: Any, nodes: pd.DataFrame) -> None:
    """Draw a tree as an icicle: the root above, each node as wide as it has leaves."""
    below: dict[Any, list[Any]] = {node: [] for node in nodes.index}
    roots: list[Any] = []
    for node, parent in zip(nodes.index, nodes.parent, strict=True):
        (below[parent] if parent in below and parent != node else roots).append(node)
    named = nodes.index if "label" in nodes else nodes.get("feature", nodes.index)
    names = {node: name for node, name in zip(nodes.index, named, strict=True) if isinstance(name, str)}

    def width_of(node: Any) -> int:
        return sum(width_of(child) for child in below[node]) or 1

    def draw(node: Any, left: float, depth: int) -> None:
        width = width_of(node)
        shade = SHADES[min(depth, len(SHADES) - 1)]
        axes.barh(-depth, width, 0.92, left, color=shade, edgecolor="white", linewidth=0.5)
        name = names.get(node, "")
        if len(name) <= LETTERS * width / total / 2:
            ink = "white" if depth < 2 else "black"
            axes.text(left + width / 2, -depth, name, ha="center", va="center", fontsize=7, color=ink)
        for child in below[node]:
            draw(child, left, depth + 1)
            left += width_of(child)

    total = sum(width_of(root) for root in roots) or 1
    at = 0
    for root in roots:
        draw(root, at, 0)
        at += width_of(root)
    axes.set_axis_off()
    axes.set_xlim(0, total)
