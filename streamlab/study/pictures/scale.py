"""A scale along the bottom of a picture: from figures to pixels, linear or logarithmic, with its ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable

from streamlab.study.pictures.drawing import Drawing, Line, Text, text_width

__all__ = ["Scale", "number"]


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
