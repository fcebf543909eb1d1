"""All scores as a table of colours: learners by rank from left to right, a row for each stream."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from streamlab.study.pictures.drawing import Box, Drawing, Text, Theme, number, text_width

ROW, MARGIN = 18, 8


def mixed(low: str, high: str, share: float) -> str:
    """The colour between two, both #rrggbb, at a share from 0 to 1."""
    pairs = [(int(low[i : i + 2], 16), int(high[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in pairs)


def _is_light(colour: str) -> bool:
    """Whether black is easier to read on it than white (WCAG 2, relative luminance)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.18


def draw_heat(found: Any, theme: Theme, width: int, *, title: str | None = None) -> Drawing:
    """Lay out the table; a figure stands in each cell where there is room for it, a dash where it did not finish."""
    table = found.scores[list(found.ranks.index)]
    drawing = Drawing(width, theme)
    heading = f"{found.title}, learners by average rank" if title is None else title
    y = drawing.write(heading, MARGIN, size=14, bold=True) if heading else MARGIN
    values = table.to_numpy(dtype=float)
    values = values[~np.isnan(values)]
    is_log = found.measure in ("seconds", "bytes") and values.min() > 0
    low, high = float(values.min()), float(values.max())
    text = f"{'More' if found.higher_is_better else 'Less'} is better. Dash: did not finish."
    y = drawing.write(text, y, colour=theme.muted) + 4
    y = _key(drawing, y, number(low), f"{number(high)}{', logarithmic' if is_log else ''}")
    names = MARGIN + max(text_width(str(name), 11) for name in table.index) + 8
    cell = (width - MARGIN - names) / table.shape[1]
    longest = max(text_width(str(name), 11) for name in table)
    turned = longest > cell - 4
    y += (longest if turned else 14) + 6
    for j, name in enumerate(table):
        x = names + cell * (j + 0.5)
        align = "left" if turned else "center"
        drawing.texts.append(Text(x, y - 4 - (0 if turned else 6), str(name), theme.ink, align, 11, turned=turned))
    is_written = cell > text_width("0.000", 10) + 4

    def share(value: float) -> float:
        if low == high:
            return 0.5
        if is_log:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)

    for stream, row in table.iterrows():
        middle = y + ROW / 2
        drawing.texts.append(Text(names - 6, middle, str(stream), theme.ink, "right", 11))
        for j, value in enumerate(row):
            x = names + cell * j
            if math.isnan(value):
                drawing.texts.append(Text(x + cell / 2, middle, "–", theme.muted, "center", 11))
                continue
            colour = mixed(theme.low, theme.high, share(value))
            drawing.boxes.append(Box(x + 0.5, y + 0.5, x + cell - 0.5, y + ROW - 0.5, colour))
            if is_written:
                ink = "#000000" if _is_light(colour) else "#FFFFFF"
                text = f"{value:.3f}" if high <= 1 else number(value)
                drawing.texts.append(Text(x + cell / 2, middle, text, ink, "center", 10))
        y += ROW
    drawing.height = y + MARGIN
    return drawing


def _key(drawing: Drawing, y: float, low: str, high: str) -> float:
    """Draw the colours from the lowest figure to the highest; returns where they end."""
    theme, x = drawing.theme, MARGIN + text_width(low, 11) + 6
    drawing.texts.append(Text(MARGIN, y + 6, low, theme.ink, size=11))
    drawing.boxes += [Box(x + 4 * i, y, x + 4 * i + 4, y + 12, mixed(theme.low, theme.high, i / 29)) for i in range(30)]
    drawing.texts.append(Text(x + 126, y + 6, high, theme.ink, size=11))
    return y + 22
