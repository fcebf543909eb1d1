"""SMART's figure 5 and tables III to VI, drawn again on streams that can be had."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

import streamlab as sl
from benchmarks.data import rotated
from benchmarks.neighbours import rotating
from docs.figures.pages import Missing, Pages, dot
from docs.figures.svg import save_panels
from streamlab.streams.fetch import is_cached

__all__ = ["FIGURE_5", "SWEEPS", "figure_5", "sweeps", "swept"]

STREAMS = ("tmc2007-500", "yeast")
FIGURE_5 = ("SMART", "SMART(static)", "ML-KNN(w=100)", "ML-KNN(w=200)", "ML-KNN(w=400)", "no-change")
"""The learners of figure 5, and the baseline that the paper has not."""
MEASURES = {"micro_f1": "micro F1", "ranking_loss": "ranking loss"}
RATES = {"SMART": 14_973, "ML-KNN(w=100)": 221, "ML-KNN(w=200)": 174, "ML-KNN(w=400)": 137}
"""Table III, TMC2007: instances a second."""
SWEEPS: dict[str, tuple[str, str, dict[float, tuple[float, float]]]] = {
    "n_trees": ("IV", "trees", {5: (0.457, 0.094), 10: (0.463, 0.087), 15: (0.465, 0.087), 20: (0.463, 0.086),
                                25: (0.466, 0.085), 30: (0.465, 0.084)}),
    "height": ("V", "height", {5: (0.451, 0.092), 10: (0.461, 0.088), 15: (0.463, 0.087), 20: (0.468, 0.085)}),
    "half_life": ("VI", "λ", {100: (0.464, 0.089), 200: (0.463, 0.086), 400: (0.463, 0.082), 800: (0.467, 0.083),
                              1600: (0.465, 0.084)}),
}  # fmt: skip
"""Tables IV to VI: the parameter, the table's number, its name, and micro F1 and ranking loss at each value."""
SEEDS = (1, 2, 3)
PRINTED = "MediaMill, printed"


def streams() -> list[str]:
    """The streams of the figures: MediaMill too, the paper's own, once it has been fetched."""
    return [*STREAMS, *(["mediamill"] if is_cached("mediamill.arff") and is_cached("mediamill.xml") else [])]


def figure_5(pages: Pages) -> None:
    """Draw micro F1 and ranking loss by tenth of the stream, and write Table III beside its printed rates."""
    sl.SMART.prepare()
    sl.MLKNN.prepare()
    points: list[tuple[str, str, int, float]] = []
    rates: dict[str, dict[str, float]] = {}
    for name in streams():
        result = rotating(name)
        if result is None:
            continue
        rates[name] = result.summary.instances_per_second.to_dict()
        for measure, title in MEASURES.items():
            for row in result.tenths.itertuples():
                # who repeats a label set does not rank labels: its loss would press the others together
                if row.learner in FIGURE_5 and (measure, row.learner) != ("ranking_loss", "no-change"):
                    points.append((f"{name}: {title}", row.learner, row.tenth, getattr(row, measure)))
    if not rates:
        raise Missing("neither tmc2007-500 nor MediaMill is there")
    table = pd.DataFrame(points, columns=["panel", "curve", "x", "y"])
    save_panels(pages.picture("smart_5"), table, x="tenth of the stream", y="", height=170)
    last = table[table.x >= 8].groupby(["panel", "curve"]).y.mean()
    panels = list(dict.fromkeys(table.panel))
    lines = [[learner, *(dot(last.get((panel, learner), math.nan)) for panel in panels)] for learner in FIGURE_5]
    pages.put("smart", "5", ("last three tenths", *panels), lines)
    lines = [
        [learner, f"{printed:,}", *(f"{found[learner]:,.0f}" for found in rates.values())]
        for learner, printed in RATES.items()
    ]
    pages.put("smart", "III", ("instances/s", "TMC2007, printed", *rates), lines)


def swept(name: str, seed: int) -> list[dict[str, Any]]:
    """SMART at each value of each parameter of tables IV to VI, the others at their defaults, on a rotating stream."""
    stream = rotated(name)
    if stream is None:
        return []
    asked = [(parameter, value) for parameter, (_, _, printed) in SWEEPS.items() for value in printed]
    learners = {f"{parameter}={value}": sl.SMART(**{parameter: value}, seed=seed) for parameter, value in asked}
    result = sl.prequential(stream, learners, measures=list(MEASURES), alarms=None)
    return [
        {"stream": name, "parameter": parameter, "value": value, "seed": seed,
         **result.summary.loc[f"{parameter}={value}", [*MEASURES, "seconds"]].to_dict()}
        for parameter, value in asked
    ]  # fmt: skip


def sweeps(pages: Pages) -> None:
    """Draw what trees, height and fading factor do to micro F1 and ranking loss; write tables IV to VI."""
    sl.SMART.prepare()
    found = pd.DataFrame([row for name in streams() for seed in SEEDS for row in swept(name, seed)])
    names = list(dict.fromkeys(found.stream))
    for i, (measure, title) in enumerate(MEASURES.items()):
        points = [
            (SWEEPS[row.parameter][1], row.stream, row.value, getattr(row, measure)) for row in found.itertuples()
        ] + [
            (words, PRINTED, value, figures[i])
            for _, words, printed in SWEEPS.values()
            for value, figures in printed.items()
        ]
        table = pd.DataFrame(points, columns=["panel", "curve", "x", "y"])
        options: dict[str, Any] = {"across": 3, "height": 200, "same_y": True, "log2": True}
        save_panels(pages.picture(f"smart_4_{measure}"), table, x=[*table.panel.unique()], y=title, **options)
    means = found.groupby(["stream", "parameter", "value"])[[*MEASURES, "seconds"]].mean()
    for parameter, (number, words, printed) in SWEEPS.items():
        lines = []
        for value, figures in printed.items():
            line = [f"{value:g}", *map(dot, figures)]
            for name in names:
                row = means.loc[name, parameter, value]
                line += [dot(row.micro_f1), dot(row.ranking_loss), f"{row.seconds:.2f}"]
            lines.append(line)
        header = [words, "micro F1, printed", "ranking loss, printed"]
        header += [f"{name}: {what}" for name in names for what in ("micro F1", "ranking loss", "s")]
        pages.put("smart", number, header, lines)
