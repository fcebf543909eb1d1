"""A box for each stream (or learner): where all learners lie, and where one of them does."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.study.pictures.drawing import Box, Dot, Drawing, Line, Text, text_width
from streamlab.study.pictures.scale import Scale, number
from streamlab.study.pictures.theme import Theme

__all__ = ["draw_spread"]

ROW, MARGIN = 20, 8


def draw_spread(
    found: Any, theme: Theme, width: int, *, mark: str | None = None, by: str = "stream", title: str | None = None
) -> Drawing:
    """Lay out a row for each stream or learner, the highest median first; a diamond marks a learner or stream."""
    if by not in ("stream", "learner"):
        raise ValueError(f"by={by!r}: expected 'stream' or 'learner'")
    table = found.scores if by == "stream" else found.scores.T
    other = "learner" if by == "stream" else "stream"
    if mark is not None and mark not in table:
        raise ValueError(f"mark={mark!r} is not among the {other}s: {', '.join(map(str, table))}")
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
        middle = y + ROW / 2
        drawing.texts.append(Text(left - 8, middle, str(name), theme.ink, "right", 11))
        values = row.dropna().to_numpy(dtype=float)
        if len(values):
            _box(drawing, scale, values, middle, str(name))
        if mark is not None and np.isfinite(row[mark]):
            says = f"{mark} on {name}: {number(row[mark])}"
            drawing.dots.append(Dot(scale(row[mark]), middle, theme.mark, 10, "diamond", says))
        y += ROW
    drawing.height = scale.along(drawing, top, y, found.title)
    return drawing


def _box(drawing: Drawing, scale: Scale, values: np.ndarray, y: float, name: str) -> None:
    theme = drawing.theme
    low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
    reach = 1.5 * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    for a, b in ((inside.min(), low), (high, inside.max())):
        drawing.lines.append(Line(scale(a), y, scale(b), y, theme.muted))
    for end in (inside.min(), inside.max()):
        drawing.lines.append(Line(scale(end), y - 4, scale(end), y + 4, theme.muted))
    says = f"{name}: median {number(median)}, half of them {number(low)} to {number(high)}"
    drawing.boxes.append(Box(scale(low), y - 6, scale(high), y + 6, theme.band, theme.muted, says))
    drawing.lines.append(Line(scale(median), y - 6, scale(median), y + 6, theme.ink, 2))
    drawing.dots += [Dot(scale(each), y, theme.muted, 4) for each in values if each not in inside]
