"""The difference of two learners on each stream, sorted: on how many streams it is better, and by how much."""

from __future__ import annotations

from typing import Any

from streamlab.study.pictures.drawing import Box, Drawing, Line, Text, text_width
from streamlab.study.pictures.scale import Scale, number
from streamlab.study.pictures.theme import Theme

__all__ = ["draw_pairs"]

ROW, MARGIN = 18, 8


def draw_pairs(found: Any, theme: Theme, width: int, *, one: str, other: str, title: str | None = None) -> Drawing:
    """Lay out a bar for each stream that both finished; to the right where ``one`` is better."""
    for key, name in (("one", one), ("other", other)):
        if name not in found.scores:
            raise ValueError(f"{key}={name!r} is not among the learners: {', '.join(map(str, found.scores))}")
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
        says = f"{name}: {one} {number(both[one][name])}, {other} {number(both[other][name])}"
        drawing.boxes.append(Box(a, middle - 6, b, middle + 6, colour, "", says))
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
