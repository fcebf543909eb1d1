"""The lines of a run's curves: one for each learner, or for each group of seeds with its band; with their styles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from streamlab.lab.seeds import Band, banded, groups_of

# Okabe and Ito's colours that hold 3:1 on white and on Material UI's dark paper; yellow is not a line on white
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B07800", "#3D93C4", "#7F7F7F", "#A0522D")
OVER = {"chunk": "per chunk", "faded": "faded", "cumulative": "cumulative"}
"""What the page averages points over, as an axis says it."""
AVERAGES = OVER | {"tenth": "per tenth"}
"""The same, on paper."""
DASHES = ("solid", "dashed", "dashdot", "dotdash", "dotted")


def style_of(index: int) -> tuple[str, str]:
    """Colour (hex) and Bokeh dash of the learner at ``index``: no two of the first forty share both."""
    return COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]


@dataclass(frozen=True)
class Line:
    """One line of a chart.

    Parameters
    ----------
    group
        The group's name: that of the learner where it stands alone.
    members
        Names of the learners.
    title
        What people read: of a group the number of seeds too.
    colour, dash
        As ``style_of`` has them.
    band
        Mean, least and greatest.
    """

    group: str
    members: tuple[str, ...]
    title: str
    colour: str
    dash: str
    band: Band

    @property
    def is_group(self) -> bool:
        """Whether it represents several learners, and has a band."""
        return len(self.members) > 1


def title_of(group: str, members: tuple[str, ...]) -> str:
    """Return what people read of a group."""
    return group if len(members) == 1 else f"{group} ({len(members)} seeds)"


def styles_of(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the colour and the dash of each learner: members of a group share theirs."""
    groups = groups_of(names)
    return {name: style_of(i) for i, members in enumerate(groups.values()) for name in members}


def hue_of(names: Iterable[str], name: str) -> int:
    """Return the place of a learner's colour among ``COLOURS``; 0 for one that is not among the names."""
    return COLOURS.index(styles_of(names).get(name, COLOURS)[0])


def lines_of(curves: Mapping[str, np.ndarray]) -> list[Line]:
    """Return the lines of a measure's curves, in the order of the learners.

    Parameters
    ----------
    curves
        By learner its curve, float64 [points].
    """
    styles, groups = styles_of(curves), groups_of(curves)
    return [
        Line(group, groups[group], title_of(group, groups[group]), *styles[groups[group][0]], band)
        for group, band in banded(curves).items()
    ]
