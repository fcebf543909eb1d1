"""A drawing in pixels, as lists of lines, boxes, dots and texts, which Matplotlib paints.

The pictures of a study are mostly labels, and labels must not run into each other. So a picture is laid out in pixels,
for the width it will have; the page of a study paints the diagram of ranks from the same lists.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Theme:
    """Colours by their use: text and fine lines on a paper, what is marked, what is better and what is worse."""

    paper: str
    ink: str
    muted: str
    grid: str
    band: str
    bar: str
    mark: str
    worse: str
    low: str
    high: str


THEMES = {
    "light": Theme(
        "#FFFFFF", "#1F2933", "#5F6B76", "#E3E7EB", "#DCEBF7", "#1F2933", "#0072B2", "#D55E00", "#F4F8FC", "#08519C"
    ),
    "dark": Theme(
        "#14181D", "#E8EBEE", "#9AA5B1", "#333B44", "#1D3347", "#E8EBEE", "#56B4E9", "#E88A4A", "#1B222A", "#A9D4F5"
    ),
}
"""The themes by name, as ``theme=`` takes them."""


FONT = 12
"""Height of the letters, in pixels, where nothing else is said."""


class Line(NamedTuple):
    x0: float
    y0: float
    x1: float
    y1: float
    colour: str
    width: float = 1.0


class Text(NamedTuple):
    """Centred on ``y``; ``x`` is its left, middle or right by ``align``; ``turned`` reads upwards from ``y``."""

    x: float
    y: float
    text: str
    colour: str
    align: str = "left"
    size: int = FONT
    bold: bool = False
    turned: bool = False


class Dot(NamedTuple):
    x: float
    y: float
    colour: str
    size: float = 6.0
    marker: str = "circle"


class Box(NamedTuple):
    x0: float
    y0: float
    x1: float
    y1: float
    colour: str
    edge: str = ""


@dataclass
class Drawing:
    """Width and height in pixels, y from the top, and what is drawn: the grid lowest, boxes, lines, dots and texts."""

    width: int
    theme: Theme
    height: float = 0.0
    grid: list[Line] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def write(
        self, text: str, y: float, *, x: float = 8, colour: str = "", size: int = FONT, bold: bool = False
    ) -> float:
        """Write lines of text from ``y`` downwards, as wide as the drawing; returns where they end."""
        for line in wrapped(text, self.width - 8 - x, size):
            self.texts.append(Text(x, y + 0.7 * size, line, colour or self.theme.ink, size=size, bold=bold))
            y += 1.4 * size
        return y


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


def paint(drawing: Drawing) -> Any:
    """Return the drawing as a Matplotlib figure."""
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Rectangle

    from streamlab.views.on_paper import paper_figure

    width, height = drawing.width, drawing.height
    figure = paper_figure(width, height, facecolor=drawing.theme.paper)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    for lines, order in ((drawing.grid, 0.5), (drawing.lines, 2)):
        ends = [[(line.x0, line.y0), (line.x1, line.y1)] for line in lines]
        style = {"colors": [line.colour for line in lines], "linewidths": [0.72 * line.width for line in lines]}
        axes.add_collection(LineCollection(ends, capstyle="butt", zorder=order, **style))
    for box in drawing.boxes:
        patch = Rectangle((box.x0, box.y0), box.x1 - box.x0, box.y1 - box.y0, facecolor=box.colour, zorder=1)
        patch.set_edgecolor(box.edge or "none")
        axes.add_patch(patch)
    for dot in drawing.dots:
        sign = {"circle": "o", "diamond": "D"}[dot.marker]
        edge: dict[str, Any] = {"markeredgecolor": drawing.theme.paper, "markeredgewidth": 0.7}
        axes.plot([dot.x], [dot.y], sign, color=dot.colour, markersize=0.72 * dot.size, zorder=3, **edge)
    for each in drawing.texts:
        place: dict[str, Any] = {"ha": each.align, "va": "center"}
        if each.turned:
            place = {"ha": "center", "va": "bottom", "rotation": 90}
        weight = "bold" if each.bold else "normal"
        axes.text(
            each.x, each.y, each.text, color=each.colour, size=0.72 * each.size, weight=weight, zorder=4,
            parse_math=False, **place,
        )  # fmt: skip
    return figure


def number(value: float) -> str:
    """A figure in few letters."""
    if value == 0:
        return "0"
    if abs(value) >= 1e6:
        return f"{value / 1e6:g}M" if abs(value) < 1e9 else f"{value / 1e9:g}G"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


class Scale:
    """Figures between ``low`` and ``high`` on pixels from ``start`` to ``stop``."""

    def __init__(self, values: Iterable[float], start: float, stop: float, *, logarithmic: bool = False) -> None:
        known = [value for value in values if math.isfinite(value) and (value > 0 or not logarithmic)]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        self.logarithmic = logarithmic
        if low == high:
            low, high = (low / 2, high * 2) if logarithmic else (low - 0.5, high + 0.5)
        pad = 0.03
        if logarithmic:
            ratio = (high / low) ** pad
            self.low, self.high = low / ratio, high * ratio
        else:
            self.low, self.high = low - pad * (high - low), high + pad * (high - low)
        self.start, self.stop = start, stop

    def __call__(self, value: float) -> float:
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = math.log(low), math.log(high), math.log(max(value, low))
        return self.start + (self.stop - self.start) * (value - low) / (high - low)

    def ticks(self, room: float) -> list[float]:
        """Round figures, no two nearer than ``room`` pixels."""
        if self.logarithmic:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            found = [10.0**power for power in range(first, last + 1)]
        else:
            step = 10.0 ** math.floor(math.log10(self.high - self.low))
            most = max(2, int(abs(self.stop - self.start) / room))
            sizes = (step * share for share in (0.1, 0.2, 0.5, 1, 2, 5))
            step = next((size for size in sizes if (self.high - self.low) / size <= most), 5 * step)
            first = math.ceil(self.low / step)
            found = [step * i for i in range(first, int(self.high / step) + 1)]
        kept: list[float] = []
        for value in found:
            if self.low <= value <= self.high and (not kept or abs(self(value) - self(kept[-1])) >= room):
                kept.append(round(value, 12))
        return kept

    def along(self, drawing: Drawing, top: float, bottom: float, name: str) -> float:
        """Draw the grid from ``top`` to ``bottom``, the figures and the name below; returns where they end."""
        theme = drawing.theme
        for value in self.ticks(52):
            x = self(value)
            drawing.grid.append(Line(x, top, x, bottom, theme.grid))
            drawing.texts.append(Text(x, bottom + 11, number(value), theme.muted, "center", 11))
        drawing.lines.append(Line(self.start, bottom, self.stop, bottom, theme.muted))
        x = (self.start + self.stop) / 2
        x = min(x, drawing.width - 8 - text_width(name) / 2)
        drawing.texts.append(Text(x, bottom + 29, name, theme.ink, "center"))
        return bottom + 44
