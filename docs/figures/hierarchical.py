"""Figures 6 and 7 of the paper on neighbours in a tree of labels: its instruments, and hF over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks.neighbours import LEARNERS, PRINTED, SEEDS, answered
from docs.figures.pages import Pages, dot
from docs.figures.svg import WIDTH, save, save_panels
from streamlab.hierarchy import Hierarchy
from streamlab.measures import hierarchical_scores
from streamlab.views.kit.themes import THEMES

__all__ = ["STREAMS", "courses", "draw_hierarchy", "figure_6", "figure_7", "placed"]

STREAMS = {"instruments": "instruments, synthesised", "segments": "image segments, in place of fish and insects"}
SHOWN = ("HierarchicalKNN", "FlatKNN")
WINDOWS = 20
"""Points of a curve: hF of each twentieth of the rows."""


def courses(stream: str, seed: int | None) -> list[dict[str, Any]]:
    """hF in each twentieth of a stream and over all of it, of the walk and the flat vote.

    Parameters
    ----------
    stream
        Of ``STREAMS``.
    seed
        Of the order of the rows; None: that of the stream.
    """
    loaded = sl.load(stream)
    chunks = list(loaded.chunks(1000))
    X, Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")
    order = np.arange(len(X)) if seed is None else np.random.default_rng(seed).permutation(len(X))
    found = []
    for learner in SHOWN:
        truth, answers = answered(LEARNERS[learner](), loaded.schema, X[order], Y[order])
        ends = np.linspace(0, len(truth), WINDOWS + 1).astype(int)
        parts = [(ends[i], ends[i + 1]) for i in range(WINDOWS)]
        for start, stop in [*parts, (0, len(truth))]:
            scores = hierarchical_scores(truth[start:stop], answers[start:stop], loaded.schema.hierarchy)
            found.append({
                "stream": stream, "learner": learner, "seed": seed, "row": stop, "whole": stop - start == len(truth),
                "hf": 100 * scores["hierarchical_f"],
            })  # fmt: skip
    return found


def figure_7(pages: Pages) -> None:
    """Draw hF over time, five orders of the rows, and write the means beside the printed ones."""
    sl.HierarchicalKNN.prepare()
    sl.FlatKNN.prepare()
    found = pd.DataFrame([row for stream in STREAMS for seed in (None, *SEEDS) for row in courses(stream, seed)])
    drawn = found[~found.whole & found.seed.notna()]
    points = pd.DataFrame(
        {"panel": drawn.stream.map(STREAMS), "curve": drawn.learner, "x": drawn.row, "y": drawn.hf}
    )  # fmt: skip
    save_panels(pages.picture("hierarchical_7"), points, y="hF in %")
    whole = found[found.whole].assign(order=lambda table: np.where(table.seed.isna(), "file", "random"))
    means = whole.groupby(["stream", "order", "learner"]).hf.mean()
    lines = []
    for stream, words in STREAMS.items():
        for order, told in (("file", "as in the file"), ("random", f"{len(SEEDS)} random orders")):
            walk, flat = (means[stream, order, learner] for learner in SHOWN)
            lines.append([f"{words}, {told}", *(dot(value, 2) for value in (walk, flat, walk - flat))])
        if stream in PRINTED:
            walk, flat = PRINTED[stream]
            lines.append([f"{stream}, recorded: printed", *(dot(value, 2) for value in (walk, flat, walk - flat))])
    pages.put("hierarchical", "7", ("hF in %", "HierarchicalKNN", "FlatKNN", "difference"), lines)


def figure_6(pages: Pages) -> None:
    """Draw the tree of classes of ``instruments``."""
    schema = sl.load("instruments").schema
    assert schema.hierarchy is not None, "the stream has a hierarchy"
    hierarchy, names = schema.hierarchy, schema.labels
    save(lambda theme: draw_hierarchy(names, hierarchy, theme), pages.picture("hierarchical_6"))


def placed(hierarchy: Hierarchy) -> dict[int, tuple[int, float]]:
    """The depth of each class, and its row: leaves one below the other, others amid their children."""
    places: dict[int, tuple[int, float]] = {}
    rows = iter(range(len(hierarchy)))

    def place(node: int, depth: int) -> float:
        children = hierarchy.children(node)
        below = [place(child, depth + 1) for child in children]
        row = (below[0] + below[-1]) / 2 if below else float(next(rows))
        if node >= 0:
            places[node] = (depth, row)
        return row

    place(-1, -1)
    return places


def draw_hierarchy(names: tuple[str, ...], hierarchy: Hierarchy, theme: str) -> Any:
    """Draw a tree of classes from left to right; returns a Matplotlib figure."""
    from matplotlib import pyplot

    colours, levels = THEMES[theme], placed(hierarchy)
    deepest = max(depth for depth, _ in levels.values())
    n_leaves = len(hierarchy.leaves)
    figure = pyplot.figure(figsize=(WIDTH / 100, (15 * n_leaves + 16) / 100), dpi=100, facecolor=colours.paper)
    pyplot.close(figure)
    first = 0.25  # names of the first level are long
    axes = figure.add_axes((0.01, 0, 0.98, 1), xlim=(0, deepest + 1 + first), ylim=(n_leaves - 0.3, -0.7))
    axes.set_axis_off()
    places = {node: (depth + (first if depth else 0.0), row) for node, (depth, row) in levels.items()}
    for parent, child in _edges(hierarchy, places):
        (x0, y0), (x1, y1) = places[parent], places[child]
        turn = x1 - 0.06
        axes.plot([x0 + 0.02, turn, turn, x1], [y0, y0, y1, y1], color=colours.muted, linewidth=0.7, zorder=1)
    for node, (x, row) in places.items():
        is_leaf = not hierarchy.children(node)
        box = {"facecolor": colours.paper, "edgecolor": "none", "pad": 1.2}
        axes.text(
            x + 0.02, row, names[node].replace("_", " "), size=8, va="center", bbox=box, zorder=2,
            color=colours.ink if is_leaf else colours.mark, weight="normal" if is_leaf else "bold",
        )  # fmt: skip
    return figure


def _edges(hierarchy: Hierarchy, places: Mapping[int, Any]) -> Iterator[tuple[int, int]]:
    for parent in places:
        for child in hierarchy.children(parent):
            yield parent, child
