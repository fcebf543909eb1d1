"""One colour and one line style for each learner, the same in every view."""

from __future__ import annotations

__all__ = ["LINESTYLES", "style_of"]

# Okabe and Ito's colours that hold 3:1 on white and on Material UI's dark paper; yellow is not a line on white
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B07800", "#3D93C4", "#7F7F7F", "#A0522D")
DASHES = ("solid", "dashed", "dotted", "dotdash", "dashdot")
LINESTYLES = {"solid": "-", "dashed": "--", "dotted": ":", "dotdash": "-.", "dashdot": (0, (6, 2, 1, 2))}
"""What Matplotlib calls them."""


def style_of(index: int) -> tuple[str, str]:
    """Colour (hex) and Bokeh dash of the learner at ``index``: no two of the first forty share both."""
    return COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]
