"""The critical distance diagram: average ranks on a line, with what the tests do not tell apart (Demšar, 2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from streamlab._checks import checked_choice
from streamlab.study.pictures.drawing import Box, Dot, Drawing, Line, Text, text_width
from streamlab.views.kit.themes import Theme

ROW, LANE, MARGIN = 20, 9, 8
OF_CONTROL = ("control", "rivals")
BARS = (*OF_CONTROL, "nemenyi", "wilcoxon")


def lanes(intervals: Sequence[tuple[float, float]]) -> list[int]:
    """Return a line for each interval, from 0 on, so that no two on one line overlap or touch."""
    ends: list[float] = []
    found = [0] * len(intervals)
    for i in sorted(range(len(intervals)), key=lambda i: intervals[i]):
        low, high = intervals[i]
        lane = next((k for k, end in enumerate(ends) if end < low), len(ends))
        ends[lane : lane + 1] = [high]
        found[i] = lane
    return found


def draw_ranks(found: Any, theme: Theme, width: int, *, bars: str | None = None, title: str | None = None) -> Drawing:
    """Lay out the ranks of a ``Comparison``: the better half named on the left, the others on the right.

    Where names on both sides would not leave the line its room, it stands upright and all names are on its right.
    """
    usual = {"wilcoxon": "rivals", "bonferroni_dunn": "control"} if found.control is not None else {}
    bars = bars or usual.get(found.pair_test, found.pair_test)
    checked_choice("bars", bars, BARS)
    if bars in OF_CONTROL and found.control is None:
        raise ValueError(f"bars={bars!r}: expected a comparison with a control, compare(…, control=NAME)")
    drawing = Drawing(width, theme)
    ranks, k = found.ranks, len(found.ranks)
    heading = f"{found.title}: average rank on {len(found.scores)} streams" if title is None else title
    y = drawing.write(heading, MARGIN, size=14, bold=True) if heading else MARGIN
    y = drawing.write(_legend(found, bars), y, colour=theme.muted)
    room = MARGIN + 1.1 * max(text_width(str(name), 12) for name in ranks.index) + text_width("00.00", 12) + 22
    distance = found.critical_distance
    groups = [] if bars in OF_CONTROL else found.groups(bars)
    within = _alike(found, bars, distance)
    if 2 * room >= 0.7 * width:
        return _upright(drawing, found, bars, groups, within, y)
    left, right = room, width - room

    def at(rank: float) -> float:
        return left + (right - left) * (rank - 1) / (k - 1)

    axis = y + 26
    spans = [(at(ranks[group[0]]), at(ranks[group[-1]])) for group in groups]
    rows = lanes([(low - 6, high + 6) for low, high in spans])
    top = axis + 12 + LANE * (max(rows, default=-1) + 1) + 8
    half = (k + 1) // 2
    bottom = top + ROW * half
    if bars == "control":
        centre = ranks[found.control]
        ends = at(max(1.0, centre - distance)), at(min(float(k), centre + distance))
        drawing.boxes.append(Box(ends[0], axis - 5, ends[1], bottom - ROW / 2 + 4, theme.band))
    _axis(drawing, at, k, axis)
    for (low, high), row in zip(spans, rows, strict=True):
        height = axis + 12 + LANE * row
        drawing.lines.append(Line(low - 4, height, high + 4, height, theme.ink, 4))
    for i, rank in enumerate(ranks):
        is_left = i < half
        height = top + ROW * (i if is_left else k - 1 - i) + ROW / 2 - 4
        edge = left - 14 if is_left else right + 14
        x = at(rank)
        colour = _name(drawing, found, bars, within, i, edge, height, sign=-1 if is_left else 1)
        drawing.lines += [Line(x, axis, x, height, colour), Line(x, height, edge, height, colour)]
        drawing.dots.append(Dot(x, axis, colour, 8))
    drawing.height = bottom + MARGIN
    return drawing


def _upright(drawing: Drawing, found: Any, bars: str, groups: Sequence[Any], within: set[Any], y: float) -> Drawing:
    """Lay out the line from the top down, with the learners' names in its order on its right."""
    theme, ranks, k = drawing.theme, found.ranks, len(found.ranks)
    top, axis = y + 14, MARGIN + 20.0

    def at(rank: float) -> float:
        return top + 1.3 * ROW * (rank - 1)

    rows = lanes([(ranks[group[0]] - 0.1, ranks[group[-1]] + 0.1) for group in groups])
    edge = axis + 12 + LANE * (max(rows, default=-1) + 1) + 18
    if bars == "control":
        low, high = (ranks[found.control] + sign * found.critical_distance for sign in (-1, 1))
        drawing.boxes.append(Box(axis - 5, at(max(1.0, low)), edge, at(min(float(k), high)), theme.band))
    drawing.lines.append(Line(axis, at(1), axis, at(k), theme.ink, 1.5))
    for rank in range(1, k + 1):
        drawing.lines.append(Line(axis - 5, at(rank), axis, at(rank), theme.ink))
        drawing.texts.append(Text(axis - 9, at(rank), str(rank), theme.ink, "right", 11))
    for group, row in zip(groups, rows, strict=True):
        x = axis + 12 + LANE * row
        drawing.lines.append(Line(x, at(ranks[group[0]]) - 4, x, at(ranks[group[-1]]) + 4, theme.ink, 4))
    height = -math.inf
    for i, rank in enumerate(ranks):
        height = max(at(rank), height + 0.9 * ROW)
        colour = _name(drawing, found, bars, within, i, edge, height, sign=1)
        drawing.lines.append(Line(axis, at(rank), edge, height, colour))
        drawing.dots.append(Dot(axis, at(rank), colour, 8))
    drawing.height = max(height, at(k)) + ROW / 2 + MARGIN
    return drawing


def _name(drawing: Drawing, found: Any, bars: str, within: set[Any], i: int, x: float, y: float, *, sign: int) -> str:
    """Write rank and name of the learner in place ``i``, outwards from ``x``; returns their colour."""
    theme, name = drawing.theme, found.ranks.index[i]
    colour = theme.mark if name == found.control else theme.ink if name in within else theme.muted
    align, number = "left" if sign > 0 else "right", text_width("00.00", 12) + 8
    is_bold = name in within if bars in OF_CONTROL else i == 0
    drawing.texts.append(Text(x + sign * 4, y, f"{found.ranks.iloc[i]:.2f}", colour, align))
    drawing.texts.append(Text(x + sign * (4 + number), y, str(name), colour, align, bold=is_bold))
    return colour


def _axis(drawing: Drawing, at: Any, k: int, y: float) -> None:
    drawing.lines.append(Line(at(1), y, at(k), y, drawing.theme.ink, 1.5))
    step = next(each for each in (1, 2, 5, 10, 20, 50) if (at(1 + each) - at(1)) > 24 or each == 50)
    ticks = [1, *(rank for rank in range(step, k + 1, step) if rank > 1 and at(rank) - at(1) > 16)]
    for rank in ticks:
        drawing.lines.append(Line(at(rank), y - 5, at(rank), y, drawing.theme.ink))
        drawing.texts.append(Text(at(rank), y - 14, str(rank), drawing.theme.ink, "center", 11))


def _legend(found: Any, bars: str) -> str:
    level = f"α = {found.alpha:g}"
    if bars == "control":
        return (
            f"1 is best. Shaded: within {found.critical_distance:.2f} ranks of {found.control}, "
            f"not told apart from it (Bonferroni–Dunn, {level})."
        )
    if bars == "rivals":
        return f"1 is best. Bold: not told apart from {found.control} (Wilcoxon, adjusted by Holm, {level})."
    if bars == "nemenyi":
        from streamlab.study.rank_tests import nemenyi_distance

        distance = nemenyi_distance(len(found.ranks), len(found.scores), found.alpha)
        return f"1 is best. A bar joins learners within {distance:.2f} ranks: not told apart (Nemenyi, {level})."
    return f"1 is best. A bar joins learners of which no two are told apart (Wilcoxon, adjusted by Holm, {level})."


def _alike(found: Any, bars: str, distance: float) -> set[Any]:
    """Who is not told apart from the control, or from the best."""
    if bars == "rivals":
        return {found.control, *found.pairs.rival[~found.pairs.differs]}
    if bars != "control":
        return {name for group in found.groups(bars) if found.ranks.index[0] in group for name in group}
    return {name for name, rank in found.ranks.items() if abs(rank - found.ranks[found.control]) < distance}
