"""Quality against cost: a dot for each learner, and the line of those that none beats in both."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd

from streamlab.study.pictures.drawing import Dot, Drawing, Line, Scale, Text, Theme, number, text_width

MARGIN, CLOSE = 8, 22
Area = tuple[float, float, float, float]
PLACES = ((12, 0, "left"), (-12, 0, "right"), (0, -15, "center"), (0, 15, "center"), (12, -13, "left"), (12, 13,
"left"),
          (-12, -13, "right"), (-12, 13, "right"), (26, -26, "left"), (26, 26, "left"), (-26, -26, "right"),
          (-26, 26, "right"), (0, -32, "center"), (0, 32, "center"), (40, -42, "left"), (-40, 42, "right"),
          (40, 42, "left"), (-40, -42, "right"), (0, -52, "center"), (0, 52, "center"))  # fmt: skip
"""Where a name may stand beside its dot, the best place first."""


def not_beaten(table: pd.DataFrame, *, higher_is_better: bool) -> list[str]:
    """The learners that no other is at least as good and as cheap as, and better in one, the cheapest first."""
    sign = 1.0 if higher_is_better else -1.0
    order = table.assign(good=sign * table.quality).sort_values(
        ["cost", "good"], ascending=[True, False], kind="stable"
    )
    kept, best = [], float("-inf")
    for name, row in order.iterrows():
        if row.good > best:
            kept.append(str(name))
            best = row.good
    return kept


def draw_tradeoff(
    table: pd.DataFrame,
    theme: Theme,
    width: int,
    *,
    titles: tuple[str, str],
    higher_is_better: bool,
    about: str,
    mark: str | None = None,
    title: str | None = None,
) -> Drawing:
    """Lay out ``table``: a row for each learner, ``quality`` and ``cost``; ``titles`` of both."""
    drawing = Drawing(width, theme)
    heading = f"{titles[0]} against {titles[1].lower()}" if title is None else title
    y = drawing.write(heading, MARGIN, size=14, bold=True) if heading else MARGIN
    y = drawing.write(f"{about} On the line: who is beaten by none in both.", y, colour=theme.muted) + 10
    height = max(260.0, 0.42 * width)
    top, bottom, left, right = y, y + height, 52.0, width - 16.0
    across = Scale(table.cost, left + 14, right - 14, logarithmic=bool((table.cost > 0).all()))
    up = Scale(table.quality, bottom - 14, top + 14)
    for value in up.ticks(34):
        drawing.grid.append(Line(left, up(value), right, up(value), theme.grid))
        drawing.texts.append(Text(left - 6, up(value), number(value), theme.muted, "right", 11))
    front = not_beaten(table, higher_is_better=higher_is_better)
    places = {name: (across(row.cost), up(row.quality)) for name, row in table.iterrows()}
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in places.values()]
    for (x0, y0), (x1, y1) in pairwise(places[name] for name in front):
        drawing.lines.append(Line(x0, y0, x1, y1, theme.mark, 1.5))
        steps = max(1, int(max(abs(x1 - x0), abs(y1 - y0)) / 4))
        along = [(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps) for i in range(steps + 1)]
        taken += [(x - 1, y - 1, x + 1, y + 1) for x, y in along]
    for name, (x, y) in sorted(places.items(), key=lambda item: (item[0] not in front, item[1][1])):
        colour = theme.mark if name == mark else theme.ink if name in front else theme.muted
        drawing.dots.append(Dot(x, y, colour, 10, "diamond" if name == mark else "circle"))
        _name(drawing, str(name), x, y, colour, taken, (left, top, right, bottom), name in front or name == mark)
    drawing.height = across.along(drawing, top, bottom, titles[1] + (", logarithmic" if across.logarithmic else ""))
    return drawing


def _name(
    drawing: Drawing, name: str, x: float, y: float, colour: str, taken: list[Area], frame: Area, bold: bool
) -> None:
    """Write a name at the first place beside its dot that is free, with a line to it where that is not close."""
    wide = text_width(name, 11) * (1.08 if bold else 1.0)
    spots = []
    for dx, dy, align in PLACES:
        start = x + dx - {"left": 0, "right": wide, "center": wide / 2}[align]
        area = (start - 1, y + dy - 7, start + wide + 1, y + dy + 7)
        outside = area[0] < frame[0] or area[2] > frame[2] + 12 or area[1] < frame[1] or area[3] > frame[3]
        shared = sum(_overlap(area, other) for other in taken)
        if abs(dx) + abs(dy) > CLOSE:  # its line may not run through another's dot
            way = [(x + dx * share, y + dy * share) for share in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)]
            shared += sum(_overlap((a - 2, b - 2, a + 2, b + 2), other) for a, b in way for other in taken)
        spots.append((outside, shared, dx, dy, align, area))
        if not outside and not shared:
            break
    _, _, dx, dy, align, area = min(spots, key=lambda spot: spot[:2])
    if abs(dx) + abs(dy) > CLOSE:
        drawing.lines.append(Line(x, y, x + dx * 0.85, y + dy * 0.8, drawing.theme.muted, 0.7))
        # nor may another's line cross it: names would seem to change places
        taken += [
            (x + dx * i / 10 - 1, y + dy * i / 10 - 1, x + dx * i / 10 + 1, y + dy * i / 10 + 1) for i in range(2, 9)
        ]
    drawing.texts.append(Text(x + dx, y + dy, name, colour, align, 11, bold))
    taken.append(area)


def _overlap(one: Area, other: Area) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)
