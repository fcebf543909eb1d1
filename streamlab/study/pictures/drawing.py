"""What the pictures of a study share: a sheet with a heading, the width of words, figures along an axis."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from streamlab.views.kit.themes import Theme

FONT = 12
"""Height of the letters, in pixels, where nothing else is said."""


def text_width(text: str, size: float = FONT) -> float:
    """About how wide a text is, in pixels: rather too wide than too narrow."""
    return size * sum(_share(letter) for letter in text)


def _share(letter: str) -> float:
    if letter in "ilj.,:;'|! ()fIt":
        return 0.4
    if letter in "mwMW@—%":
        return 0.95
    return 0.72 if letter.isupper() else 0.62


def wrapped(text: str, width: float, size: float = FONT) -> list[str]:
    """The text in lines that fit a width, broken between words."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def sheet(theme: Theme, width: int, height: float, heading: str, about: str) -> tuple[Any, Any]:
    """Return a figure with a heading and some words above, and its axes, which have so many pixels in height."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    from streamlab.views.on_paper import paper_figure

    above = [(line, 14, theme.ink, "bold") for line in wrapped(heading, width - 16, 14)]
    above += [(line, FONT, theme.muted, "normal") for line in wrapped(about, width - 16)]
    whole = height + sum(1.4 * size for _, size, *_ in above) + 12
    room: Any = ConstrainedLayoutEngine(rect=(0, 0, 1, height / whole))
    figure = paper_figure(width, whole, layout=room, facecolor=theme.paper)
    y = 8.0
    for text, size, colour, weight in above:
        style: dict[str, Any] = {"size": 0.72 * size, "color": colour, "weight": weight, "parse_math": False}
        figure.text(8 / width, 1 - (y + 0.7 * size) / whole, text, va="center", **style)
        y += 1.4 * size
    axes = figure.add_subplot(facecolor=theme.paper)
    axes.spines[:].set_visible(False)
    axes.spines["bottom"].set(visible=True, color=theme.muted)
    axes.tick_params(colors=theme.muted, which="both", labelsize=8, length=0)
    axes.set_axisbelow(True)
    return figure, axes


def name_ticks(axis: Any, names: Iterable[Any], theme: Theme, **style: Any) -> None:
    """Write a name at each whole number along an axis."""
    names = [str(name) for name in names]
    for label in axis.set_ticks(range(len(names)), names) and axis.get_ticklabels():
        label.set(color=theme.ink, parse_math=False, **style)


def number(value: float) -> str:
    """A figure in few letters."""
    if value == 0:
        return "0"
    if abs(value) >= 1e6:
        return f"{value / 1e6:g}M" if abs(value) < 1e9 else f"{value / 1e9:g}G"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def figures_on(axis: Any, n: int = 7) -> None:
    """Write the figures along an axis in few letters."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_formatter(lambda value, _: number(value))
    low, high = axis.get_view_interval()
    if axis.get_scale() == "linear":
        axis.set_major_locator(MaxNLocator(n, steps=[1, 2, 5, 10]))
    else:  # between 40 and 90 there is no power of ten
        axis.set_minor_formatter(lambda value, _: number(value) if high < 10 * low else "")
