"""Curves and figures by Matplotlib: pictures wherever they are shown, and in a paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib import pyplot
from matplotlib.artist import ArtistInspector
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from scipy.optimize import isotonic_regression

from streamlab._checks import check_only, checked_choice
from streamlab.evaluate import main_first
from streamlab.measures import MEASURES
from streamlab.views.kit.text import all_shown
from streamlab.views.kit.themes import THEMES, Theme
from streamlab.views.timeline.bands import AVERAGES, Line, lines_of

if TYPE_CHECKING:
    from streamlab.evaluate import PrequentialResult
    from streamlab.lab import Run

# Matplotlib's own default is Type 3, which publishers refuse
TRUE_TYPE: Any = {"pdf.fonttype": 42, "ps.fonttype": 42}
# names come from anywhere, and are not formulas
PLAIN: Any = {"text.parse_math": False, "font.size": 9}
LINESTYLES: Any = {"solid": "-", "dashed": "--", "dotted": ":", "dotdash": "-.", "dashdot": (0, (6, 2, 1, 2))}
"""What Matplotlib calls the dashes of the page."""
MOST_NAME = 40
"""Letters of a learner's name at the end of its curve."""


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


class Panel(NamedTuple):
    """What one axes shows: the title of its values, lines with their positions, and rows with what happened there."""

    title: str
    lines: Sequence[tuple[np.ndarray, Line]]
    dated: Sequence[tuple[float, str]] = ()
    heading: str = ""


def plot_curves(
    result: PrequentialResult,
    measure: str | Sequence[str] | None = None,
    over: str = "chunk",
    *,
    theme: str = "light",
    width: float = 800,
    height: float | None = None,
    title: str = "",
    **own: Any,
) -> PaperFigure:
    """Return measures' curves of each learner, named at their ends, with drifts and tunings as dated lines.

    Colours and dashes are the page's. A dated line's name is left out where it would run into the one before.

    Parameters
    ----------
    result
        What ``prequential`` returned.
    measure
        Of the run's measures, or several of them: a panel for each. Default: the accuracy or ``"micro_f1"`` if it is
        among them, else the first.
    over
        ``"chunk"``, ``"cumulative"``, ``"faded"``, or ``"tenth"`` for the mean of each tenth of the stream.
    theme
        ``"light"`` or ``"dark"``.
    width, height
        Of the figure, in pixels; 320 high for each panel by default.
    title
        Above the panels.
    own
        What Matplotlib's ``Axes.set`` takes, for each panel: ``ylim``, ``yscale`` …

    Raises
    ------
    ValueError
        If the result has no such measure, or for another average, theme or option.
    """
    check_only("plot", own, ("theme", "width", "height", "title", *ArtistInspector(Axes).get_setters()))
    checked_choice("theme", theme, THEMES)
    checked_choice("over", over, AVERAGES)
    table = result.tenths.rename(columns={"stop": "position"}) if over == "tenth" else result.curves_over(over)
    known = [name for name in result.summary.columns if name in MEASURES]
    measures = [measure] if isinstance(measure, str) else main_first(known)[:1] if measure is None else list(measure)
    if not measures:
        raise ValueError("measure: expected at least one")
    for each in measures:
        checked_choice("measure", each, known)
    panels = [panel_of(result.run, table, each, over) for each in measures]
    size = width, 320 * len(panels) if height is None else height
    return figure_of_curves(panels, THEMES[theme], size, title=title, **own)


def panel_of(run: Run, table: pd.DataFrame | None, measure: str, over: str) -> Panel:
    """Return what is drawn of a table of a run's curves (None: no row has passed yet): seeds of a learner as a band."""
    if table is None or measure not in table:
        table = pd.DataFrame(columns=["position", "learner", measure], dtype=float)
    values = table.pivot(index="position", columns="learner", values=measure).reindex(columns=list(run.learner_runs))
    lines = lines_of({name: curve.to_numpy() for name, curve in values.items()})
    dated = [(event.position, event.message) for event in run.log if event.is_dated]
    return Panel(f"{MEASURES[measure].title}, {AVERAGES[over]}", [(values.index, line) for line in lines], dated)


def figure_of_curves(
    panels: Sequence[Panel], theme: Theme, size: tuple[float, float], across: int = 1, *, same_y: bool = False,
    title: str = "", **own: Any,
) -> PaperFigure:  # fmt: skip
    """Return a figure with an axes for each panel, ``across`` beside each other: of the same rows, or values."""
    with matplotlib.rc_context(PLAIN):
        figure = paper_figure(*size, layout="constrained", facecolor=theme.paper)
        figure.suptitle(title, size=11, color=theme.ink, weight="bold")
        down = math.ceil(len(panels) / across)
        axes = figure.subplots(down, across, squeeze=False, sharex=not same_y, sharey=same_y).ravel().tolist()
        for each in axes[len(panels) :]:
            each.remove()
        draw_curves(axes[: len(panels)], panels, theme, across, **own)
    return figure


def save_curves(panels: Sequence[Panel], file: Any, **options: Any) -> None:
    """Write panels, one below the other, into a file; ``options`` are those of Matplotlib's ``savefig``."""
    with matplotlib.rc_context(PLAIN):
        figure = Figure((9, 3.2 * len(panels)), dpi=100, layout="constrained")
        draw_curves(figure.subplots(len(panels), squeeze=False).ravel().tolist(), panels)
        figure.savefig(file, **options)


def draw_curves(
    axes: Sequence[Any], panels: Sequence[Panel], theme: Theme = THEMES["light"], across: int = 1, **own: Any
) -> None:
    """Draw panels, each on an axes, and name the curves where they end; ``own``: what ``Axes.set`` takes."""
    for i, (each, panel) in enumerate(zip(axes, panels, strict=True)):
        for positions, line in panel.lines:
            draw_line(each, positions, line)
        last = max((int(positions[-1]) for positions, _ in panel.lines if len(positions)), default=1)
        for at, _ in panel.dated:
            each.axvline(at, color=theme.muted, linestyle="--", linewidth=1)
        for at, name in _dated_names(panel.dated, last, each.bbox.width):
            each.annotate(name, (at, 1), (0, 3), xycoords=("data", "axes fraction"), textcoords="offset points",
                          ha="center", size=8, color=theme.muted)  # fmt: skip
        each.set_title(panel.heading, size=9, color=theme.ink, loc="left")
        dress(each, theme)
        each.set_xlim(0, last)
        each.xaxis.set_major_locator(MaxNLocator(max(2, each.bbox.width // 70), integer=True))
        each.xaxis.set_major_formatter(lambda at, _: f"{at:,.0f}")
        if i % across == 0:
            each.set_ylabel(panel.title, color=theme.ink)
        if i >= len(axes) - across:
            empty = not any(len(positions) for positions, _ in panel.lines)
            each.set_xlabel("no row has passed yet" if empty else "rows", color=theme.ink)
        each.set(**own)
    for each, panel in zip(axes, panels, strict=True):
        _name_ends(each, panel)


def dress(axes: Any, theme: Theme) -> None:
    """Give axes the colours of a theme, a grid, and no frame."""
    axes.set(facecolor=theme.paper, axisbelow=True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(theme.muted)
    axes.tick_params(colors=theme.muted, labelsize=8)
    axes.grid(color=theme.grid)


def draw_line(axes: Any, positions: Any, line: Line, **style: Any) -> Any:
    """Draw a curve, and its band where it stands for several, in its colour and dash."""
    if line.is_group:
        axes.fill_between(positions, line.band.low, line.band.high, color=line.colour, alpha=0.2, linewidth=0)
    style = {"color": line.colour, "linestyle": LINESTYLES[line.dash], "linewidth": 1.8} | style
    return axes.plot(positions, line.band.middle, **style)[0]


def _name_ends(axes: Any, panel: Panel) -> None:
    """Write the lines' names beside their last points: apart, and joined to a point that is not near."""
    names = all_shown((line.title for _, line in panel.lines), MOST_NAME)
    ends = []
    for (positions, line), name in zip(panel.lines, names, strict=True):
        seen = np.flatnonzero(np.isfinite(line.band.middle))
        if len(seen):
            end = float(positions[seen[-1]]), float(line.band.middle[seen[-1]])
            ends.append((axes.transAxes.inverted().transform(axes.transData.transform(end)), end, name, line.colour))
    ends.sort(key=lambda each: each[0][1])
    high = axes.bbox.height
    heights = apart([at[1] * high for at, *_ in ends], 13, high) / high
    for (at, end, name, colour), y in zip(ends, heights, strict=True):
        way = {"arrowstyle": "-", "color": colour, "linewidth": 0.6, "shrinkA": 1, "shrinkB": 0}
        near = at[0] > 0.99 and abs(at[1] - y) * high < 5
        axes.annotate(name, end, (1.03, y), textcoords="axes fraction", va="center", size=8,
                      color=colour, arrowprops=None if near else way, annotation_clip=False)  # fmt: skip


def apart(wanted: Sequence[float], gap: float, high: float) -> np.ndarray:
    """Return ascending heights from 0 to ``high`` that are a gap apart, and together nearest to the wanted ones.

    Where there is no room for all, they stand closer.

    >>> apart([50, 50, 90], 10, 100).tolist()
    [45.0, 55.0, 90.0]
    """
    steps = min(gap, high / max(1, len(wanted) - 1)) * np.arange(len(wanted))
    placed = isotonic_regression(np.asarray(wanted) - steps).x if len(wanted) else steps
    return np.clip(placed, 0, high - steps[-1:].sum()) + steps


def _dated_names(marks: Sequence[tuple[float, str]], span: int, width: float) -> list[tuple[float, str]]:
    """Return the dated lines whose names fit beside the name before them, at 6 pixels a letter."""
    named: list[tuple[float, str]] = []
    free = float("-inf")
    for at, name in marks:
        half = 3 * len(name) * span / width
        if name and at - half >= free:
            named.append((at, name))
            free = at + half
    return named
