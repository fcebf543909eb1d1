"""The diagram of average ranks, with what is not told apart: drawn by scikit-posthocs, in the page's colours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from streamlab._checks import checked_choice
from streamlab.study.pictures.drawing import sheet, text_width
from streamlab.views.kit.themes import Theme

ROW = 21
"""Pixels of a name, and of a line of bars."""
OF_CONTROL = ("control", "rivals")
BARS = (*OF_CONTROL, "nemenyi", "wilcoxon")


def draw_ranks(found: Any, theme: Theme, width: int, *, bars: str | None = None, title: str | None = None) -> Any:
    """Draw the ranks of a ``Comparison``: the better half named on the left, the others on the right.

    In a picture too narrow for that all are named on the left.
    """
    usual = {"wilcoxon": "rivals", "bonferroni_dunn": "control"} if found.control is not None else {}
    bars = bars or usual.get(found.pair_test, found.pair_test)
    checked_choice("bars", bars, BARS)
    if bars in OF_CONTROL and found.control is None:
        raise ValueError(f"bars={bars!r}: expected a comparison with a control, compare(…, control=NAME)")
    from scikit_posthocs import critical_difference_diagram

    ranks, k = found.ranks, len(found.ranks)
    groups = [] if bars in OF_CONTROL else found.groups(bars)
    deepest = max((sum(name in group for group in groups) for name in ranks.index), default=0)
    longest = 1.2 * max(text_width(f"{name} 00.00") for name in ranks.index)
    is_narrow = 2 * longest > 0.7 * width
    step = max(1, round(24 * k / max(width - longest * (1 if is_narrow else 2), 48)))
    n_rows = deepest + (k if is_narrow else (k + 1) // 2)
    heading = f"{found.title}: average rank on {len(found.scores)} streams" if title is None else title
    figure, axes = sheet(theme, width, ROW * (n_rows + 2), heading, _legend(found, bars))
    within = _alike(found, bars, found.critical_distance)
    differ = pd.DataFrame(0.01, ranks.index, ranks.index)  # as if it were p
    for group in groups:
        differ.loc[list(group), list(group)] = 1.0
    drawn = critical_difference_diagram(
        ranks, differ, ax=axes, left_only=is_narrow, label_fmt_left="{label}  {rank:.2f} ",
        label_fmt_right=" {rank:.2f}  {label}", text_h_margin=0.02 * k,
        color_palette={
            name: theme.mark if name == found.control else theme.ink if name in within else theme.muted
            for name in ranks.index
        },
        label_props={"size": 8.6, "parse_math": False}, marker_props={"s": 24}, elbow_props={"linewidth": 0.8},
        crossbar_props={"color": theme.ink, "linewidth": 3, "solid_capstyle": "butt"},
    )  # fmt: skip
    for label in drawn["labels"]:
        label.set_weight("bold" if label.get_color() != theme.muted else "normal")
    if bars == "control":
        centre, distance = ranks[found.control], found.critical_distance
        axes.axvspan(max(1.0, centre - distance), min(float(k), centre + distance), color=theme.band, zorder=0)
    axes.spines["top"].set(visible=True, color=theme.ink)
    axes.set(xlim=(1, k), ylim=(-n_rows - 0.8, 0.5), xticks=np.arange(1, k + 1, step))
    return figure


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
