"""Curves and figures by Matplotlib: pictures wherever they are shown, and in a paper."""

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
