"""Rows of streams: the difference of two learners on each, sorted; a box for each, with where one learner lies; and all
scores as a table of colours, learners by rank from left to right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from streamlab._checks import checked_choice
from streamlab.study.pictures.drawing import Box, Dot, Drawing, Line, Scale, Text, Theme, number, text_width

ROW, MARGIN = 18, 8


def draw_pairs(found: Any, theme: Theme, width: int, *, one: str, other: str, title: str | None = None) -> Drawing:
    """Lay out a bar for each stream that both finished; to the right where ``one`` is better."""
    for key, name in (("one", one), ("other", other)):
        checked_choice(key, name, found.scores)
    if one == other:
        raise ValueError(f"one and other are both {one!r}: expected two learners")
    sign = 1.0 if found.higher_is_better else -1.0
    both = found.scores[[one, other]].dropna()
    differences = (sign * (both[one] - both[other])).sort_values(ascending=False, kind="stable")
    if differences.empty:
        raise ValueError(f"{one!r} and {other!r} finished no stream in common")
    drawing = Drawing(width, theme)
    heading = f"{found.title}: {one} and {other}" if title is None else title
    y = drawing.write(heading, MARGIN, size=14, bold=True) if heading else MARGIN
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    ties = len(differences) - wins - losses
    text = f"{one} is better on {wins} streams (blue), {other} on {losses} (orange)"
    text += f"; equal on {ties}." if ties else "."
    if len(both) < len(found.scores):
        text += f" {len(found.scores) - len(both)} left out: one of them did not finish."
    y = drawing.write(text, y, colour=theme.muted) + 6
    left = MARGIN + max(text_width(str(name), 11) for name in differences.index) + 10
    scale = Scale([*differences, 0.0], left + 4, width - 62)
    top, high = y, float(both.to_numpy().max())
    for name, value in differences.items():
        middle = y + ROW / 2
        colour = theme.mark if value > 0 else theme.worse
        a, b = sorted((scale(0.0), scale(value)))
        drawing.boxes.append(Box(a, middle - 6, b, middle + 6, colour))
        drawing.texts.append(Text(left - 8, middle, str(name), theme.ink, "right", 11))
        drawing.texts.append(Text(width - MARGIN, middle, _signed(value, high), theme.muted, "right", 11))
        y += ROW
    rope = found.rope
    if scale.low < rope < scale.high or scale.low < -rope < scale.high:
        ends = scale(max(-rope, scale.low)), scale(min(rope, scale.high))
        drawing.boxes.insert(0, Box(ends[0], top, ends[1], y, theme.grid))
    drawing.lines.append(Line(scale(0.0), top, scale(0.0), y, theme.ink))
    name = f"{found.title}, {one} − {other}" if found.higher_is_better else f"{found.title}, {other} − {one}"
    drawing.height = scale.along(drawing, top, y, name)
    return drawing


def _signed(value: float, high: float) -> str:
    text = f"{abs(value):.3f}" if high <= 1 else number(abs(value))
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{text}"


BOX_ROW = 20


def draw_spread(
    found: Any, theme: Theme, width: int, *, mark: str | None = None, by: str = "stream", title: str | None = None
) -> Drawing:
    """Lay out a row for each stream or learner, the highest median first; a diamond marks a learner or stream."""
    checked_choice("by", by, ("stream", "learner"))
    table = found.scores if by == "stream" else found.scores.T
    other = "learner" if by == "stream" else "stream"
    checked_choice("mark", mark, table, optional=True)
    table = table.loc[table.median(axis=1).sort_values(ascending=False, kind="stable").index]
    drawing = Drawing(width, theme)
    heading = f"{found.title}, a box for each {by}" if title is None else title
    y = drawing.write(heading, MARGIN, size=14, bold=True) if heading else MARGIN
    about = f"Box: the middle half of the {other}s, with the median. Lines: the rest, except for single ones far out."
    y = drawing.write(about + (f" Diamond: {mark}." if mark is not None else ""), y, colour=theme.muted) + 6
    left = MARGIN + max(text_width(str(name), 11) for name in table.index) + 8
    is_cost = found.measure in ("seconds", "bytes")
    scale = Scale(table.to_numpy().ravel(), left, width - 16, logarithmic=is_cost)
    top = y
    for name, row in table.iterrows():
        middle = y + BOX_ROW / 2
        drawing.texts.append(Text(left - 8, middle, str(name), theme.ink, "right", 11))
        values = row.dropna().to_numpy(dtype=float)
        if len(values):
            _box(drawing, scale, values, middle)
        if mark is not None and np.isfinite(row[mark]):
            drawing.dots.append(Dot(scale(row[mark]), middle, theme.mark, 10, "diamond"))
        y += BOX_ROW
    drawing.height = scale.along(drawing, top, y, found.title)
    return drawing


def _box(drawing: Drawing, scale: Scale, values: np.ndarray, y: float) -> None:
    theme = drawing.theme
    low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
    reach = 1.5 * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    for a, b in ((inside.min(), low), (high, inside.max())):
        drawing.lines.append(Line(scale(a), y, scale(b), y, theme.muted))
    for end in (inside.min(), inside.max()):
        drawing.lines.append(Line(scale(end), y - 4, scale(end), y + 4, theme.muted))
    drawing.boxes.append(Box(scale(low), y - 6, scale(high), y + 6, theme.band, theme.muted))
    drawing.lines.append(Line(scale(median), y - 6, scale(median), y + 6, theme.ink, 2))
    drawing.dots += [Dot(scale(each), y, theme.muted, 4) for each in values if each not in inside]


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
