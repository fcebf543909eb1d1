"""Curves over the stream, a panel for each stream: the mean over seeds as a line, their range as a band."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from streamlab.lab.seeds import Band
from streamlab.views.kit.themes import Theme
from streamlab.views.timeline.bands import Line, style_of

PANEL, HEIGHT = 340, 220
"""Pixels that a panel is wide at least, and high."""


def bands_of(curves: pd.DataFrame, measure: str = "value") -> dict[str, tuple[pd.Index, Band, int]]:
    """Return the curve of each learner: the mean over its seeds, and from the least to the greatest.

    Parameters
    ----------
    curves
        What ``Study.curves`` gives for one stream.
    measure
        The column of values.

    Returns
    -------
    dict
        By learner the positions that all its seeds have come to, the band there, and how many seeds there are.
    """
    found = {}
    for learner, part in curves.groupby("learner", sort=False):
        by_row = part.groupby("position")[measure].agg(["mean", "min", "max", "size"])
        seeds = int(by_row["size"].max())
        whole = by_row[by_row["size"] == seeds]
        band = Band(*(whole[name].to_numpy(float) for name in ("mean", "min", "max")))
        found[str(learner)] = whole.index, band, seeds
    return found


def draw_evolution(
    curves: pd.DataFrame,
    theme: Theme,
    width: int,
    measure: str,
    axis: str,
    streams: Sequence[str],
    drifts: Mapping[str, Sequence[float]],
    *,
    title: str = "",
) -> Any:
    """Draw the panels, as many beside each other as there is room for."""
    from streamlab.views.on_paper import Panel, figure_of_curves

    styles = {learner: style_of(i) for i, learner in enumerate(dict.fromkeys(curves.learner))}
    panels = []
    for stream in streams:
        found = bands_of(curves[curves.stream == stream], measure)
        lines = [
            (positions, Line(learner, (learner,) * seeds, learner, *styles[learner], band))
            for learner, (positions, band, seeds) in found.items()
        ]
        panels.append(Panel(axis, lines, [(at, "") for at in drifts.get(stream, ())], stream))
    across = max(1, min(len(streams), width // PANEL))
    is_log = measure in ("seconds", "bytes") and bool((curves[measure] > 0).all())
    height = max(HEIGHT, 60 + 14 * len(styles)) * math.ceil(len(streams) / across) + (26 if title else 0)
    scale = "log" if is_log else "linear"
    return figure_of_curves(panels, theme, (width, height), across, same_y=True, title=title, yscale=scale)
