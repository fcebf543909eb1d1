"""A run as a picture that stands still: its curves, and what its first learner has built, at one moment."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from streamlab.lab import Player, Run
from streamlab.lab.ownership import answered

if TYPE_CHECKING:
    import pandas as pd

WIDTH, HEIGHT, DPI = 9.0, 3.2, 100
WIDE = 500
"""Pixels of the curves beside what is built."""
MOST_DEPTH, MOST_NODES = 9, 3000
WAIT_SECONDS = 2.0
LETTERS = 90
"""How many letters of a node's name fit into the whole width."""
SHADES = ("#0072B2", "#3D93C4", "#7DB8DA", "#A9D0E6", "#CBE3F0")


def still_by(player: Player, run: Run, look: Mapping[str, Any]) -> bytes | None:
    """Draw the present moment of a run that a player has; None where that is busy or closed, or Matplotlib is missing.

    ``look`` is what a view shows: its ``measures``, and what they are averaged ``over``.
    """
    with suppress(ValueError, RuntimeError, ImportError):
        asked = player.do(lambda: moment_of(run, look["measures"][0], look["over"]), changes=False)
        return still_of(answered(asked, WAIT_SECONDS))
    return None


def moment_of(run: Run, measure: str, over: str) -> dict[str, Any]:
    """Return what a picture of the run's present moment is drawn from; call it where the run may be read."""
    built = None
    for name, each in run.learner_runs.items():
        try:
            nodes = each.learner.nodes()
        except Exception:  # another package's learner may raise anything
            continue
        if len(nodes) and (set(nodes) >= {"parent", "depth"} or set(nodes) >= {"x", "y"}):
            built = name, nodes
            break
    return {
        "learners": list(run.learner_runs),
        "curves": run.curves(over) if run.position else None,
        "dated": [(event.position, event.message) for event in run.log if event.is_dated],
        "measure": measure,
        "over": over,
        "built": built,
    }


def still_of(moment: dict[str, Any]) -> bytes:
    """Draw a moment, as PNG.

    Raises
    ------
    ImportError
        If Matplotlib is not installed (the ``notebook`` extra has it).
    """
    import matplotlib
    from matplotlib.figure import Figure

    from streamlab.views.on_paper import draw_curves

    # names come from anywhere, and are not formulas
    with matplotlib.rc_context({"text.parse_math": False, "font.size": 9}):
        figure = Figure((WIDTH, HEIGHT), dpi=DPI, layout="constrained")
        drawn = None if moment["built"] is None else _parts(moment["built"][1])
        if drawn is None:
            left = figure.subplots()
        else:
            left, right = figure.subplots(1, 2, width_ratios=(3, 2))
            (_draw_branches if "parent" in drawn else _draw_points)(right, drawn)
            right.set_title(f"{moment['built'][0][:40]}: what it has built", fontsize=10)
        learners, curves = moment["learners"], moment["curves"]
        lines = draw_curves(left, curves, moment["measure"], moment["over"], learners, moment["dated"], WIDE)
        names = [name[:40] for name in learners]
        figure.legend(lines, names, loc="outside lower left", ncols=4, frameon=False, handlelength=3)
        content = io.BytesIO()
        figure.savefig(content, format="png")
    return content.getvalue()


def _parts(nodes: pd.DataFrame) -> pd.DataFrame | None:
    """Return what is drawn of a learner's nodes: a forest's first tree; None where there is too much or nothing."""
    if "parent" not in nodes:
        return nodes
    if "tree" in nodes:
        nodes = nodes[nodes.tree == nodes.tree.iloc[0]]
    elif "label" in nodes and nodes.parent.dtype.kind not in "iuf":
        nodes = nodes.set_index("label", drop=False)
    nodes = nodes[nodes.depth <= MOST_DEPTH]
    return nodes if 0 < len(nodes) <= MOST_NODES else None


def _draw_points(axes: Any, nodes: pd.DataFrame) -> None:
    axes.scatter(nodes.x, nodes.y, color=SHADES[0])
    for name, x, y in zip(nodes.get("label", nodes.index), nodes.x, nodes.y, strict=True):
        axes.annotate(str(name)[:12], (x, y), (3, 3), textcoords="offset points", fontsize=7)
    axes.set(xticks=[], yticks=[])


def _draw_branches(axes: Any, nodes: pd.DataFrame) -> None:
    """Draw a tree as an icicle: the root above, each node as wide as it has leaves."""
    below: dict[Any, list[Any]] = {node: [] for node in nodes.index}
    roots: list[Any] = []
    for node, parent in zip(nodes.index, nodes.parent, strict=True):
        (below[parent] if parent in below and parent != node else roots).append(node)
    named = nodes.index if "label" in nodes else nodes.get("feature", nodes.index)
    names = {node: name for node, name in zip(nodes.index, named, strict=True) if isinstance(name, str)}

    def width_of(node: Any) -> int:
        return sum(width_of(child) for child in below[node]) or 1

    def draw(node: Any, left: float, depth: int) -> None:
        width = width_of(node)
        shade = SHADES[min(depth, len(SHADES) - 1)]
        axes.barh(-depth, width, 0.92, left, color=shade, edgecolor="white", linewidth=0.5)
        name = names.get(node, "")
        if len(name) <= LETTERS * width / total / 2:
            ink = "white" if depth < 2 else "black"
            axes.text(left + width / 2, -depth, name, ha="center", va="center", fontsize=7, color=ink)
        for child in below[node]:
            draw(child, left, depth + 1)
            left += width_of(child)

    total = sum(width_of(root) for root in roots) or 1
    at = 0
    for root in roots:
        draw(root, at, 0)
        at += width_of(root)
    axes.set_axis_off()
    axes.set_xlim(0, total)
