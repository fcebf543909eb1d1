"""MLHAT's figures 3, 4, 6 and 7, run again with the learners of this package on the streams that can be had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks.data import SHARED, opened
from docs.figures.mlhat import SYNTHETIC, TABLE_3
from docs.figures.pages import Missing, Pages, dot
from docs.figures.svg import draw_dots, save, save_panels
from streamlab.lab.run import Run
from streamlab.learners import Learner

__all__ = ["GRID", "course", "figure_3", "figure_4", "figure_6", "figure_7", "shares", "stream_of"]

GRID: dict[str, tuple[Any, ...]] = {
    "cardinality_threshold": (100, 500, 1000),
    "poisson_rate": (1.0, 3.0, 6.0),
    "drift_measure": ("hamming", "subset", "micro_f1", "macro_f1"),
    "alternate_grace_period": (100, 500),
    "switch_significance": (0.01, 0.1),
}
"""The numbers of table 5 that this MLHAT has, over the printed ranges: all combinations."""
SYMBOLS = {"cardinality_threshold": "η", "poisson_rate": "λ", "drift_measure": "e", "alternate_grace_period": "κ_alt",
           "switch_significance": "δ_alt"}  # fmt: skip
SEARCHED = ("flags", "emotions", "birds", "yeast", "scene", "SynHPSud", "SynHPGrad")
"""What the paper's search ran on, but for VirusGO."""
SEARCHED_ROWS = 10_000
"""Of each generated stream in the grid, so that it takes minutes; its drifts come at the quarters all the same."""
OWN = ("syn-regions", "syn-branches")
"""Streams of this package on which MLHAT grows and replaces branches."""
SEEDS = (1, 2, 3)
TEMPORAL = ("medical", "slashdot", "20ng", "tmc")
"""Of the sets at hand, those whose rows are in the order of time (table 3)."""
CONSUMING = {"20ng": "D20ng", "SynRBFSud": "SynRBFSud", "SynHPGrad": "SynHPGrad"}
"""Figure 7's streams, but for Yelp."""
STEP = 250
"""Rows between two points of a curve."""
COURSE_ROWS = 20_000
"""Of each generated stream of figures 6 and 7, so that they take a minute; its drifts come at the quarters."""


def learners() -> dict[str, Learner]:
    """Those of figure 6 that take minutes here, and three that the paper has not."""
    return {
        "MLHAT": sl.MLHAT(seed=1),
        "MLHT": sl.MLHT(),
        "HedgedMLHAT": sl.HedgedMLHAT(seed=1),
        "SMART": sl.SMART(warm_up=10, seed=1),
        "no-change": sl.NoChange(),
    }


def stream_of(name: str, n_rows: int | None = None) -> sl.Stream:
    """A stream by the name that the tables give it; ``n_rows`` of a generated one."""
    if name in TABLE_3:
        if not SHARED.is_dir():
            raise Missing("the shared data folder is absent")
        parts = opened(name)
        return parts[0] if len(parts) == 1 else sl.join(parts)
    options = {} if n_rows is None else {"n_rows": n_rows}
    return sl.load(SYNTHETIC.get(name, name), seed=1, **options)


# ---------------------------------------------------------------------- figure 3


def shares(values: np.ndarray, names: list[str]) -> dict[tuple[str, ...], float]:
    """Split the variance of a full grid among its axes and pairs of them (functional analysis of variance).

    Parameters
    ----------
    values
        A figure for each combination, an axis for each parameter.
    names
        Of the parameters.

    Returns
    -------
    The share of the variance by parameter, or by two of them beyond what each does alone; the largest first. What is
    left to 1 is of three and more, and chance.
    """
    total = values.var()
    if total == 0:
        return {}
    found: dict[tuple[str, ...], float] = {}
    axes = range(values.ndim)
    for i in axes:
        found[names[i],] = values.mean(axis=tuple(j for j in axes if j != i)).var() / total
    for i, j in combinations(axes, 2):
        both = values.mean(axis=tuple(k for k in axes if k not in (i, j))).var() / total
        found[names[i], names[j]] = both - found[names[i],] - found[names[j],]
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def figure_3(pages: Pages) -> None:
    """Run MLHAT with every combination of the grid; draw whose doing the differences in subset accuracy are."""
    sl.MLHAT.prepare()
    values = np.zeros([len(each) for each in GRID.values()])
    for name in SEARCHED:
        stream = stream_of(name, SEARCHED_ROWS)
        models = {str(i): sl.MLHAT(**asked, seed=1) for i, asked in enumerate(_combinations())}
        result = sl.prequential(stream, models, measures=["subset_accuracy"], alarms=None)
        values += result.summary.subset_accuracy.to_numpy().reshape(values.shape) / len(SEARCHED)
    found = shares(values, [SYMBOLS[name] for name in GRID])
    table = pd.DataFrame(
        [(" with ".join(names), "", 100 * share) for names, share in found.items() if len(names) == 1 or share > 0.005],
        columns=["row", "curve", "x"],
    )
    save(lambda theme: draw_dots(table, theme=theme, x="% of the variance"), pages.picture("mlhat_3b"))
    lines = []
    for i, (name, tried) in enumerate(GRID.items()):
        means = values.mean(axis=tuple(j for j in range(values.ndim) if j != i))
        told = ", ".join(f"{value}: {dot(mean, 4)}" for value, mean in zip(tried, means, strict=True))
        lines.append([SYMBOLS[name], f"`{name}`", told, f"{100 * found[SYMBOLS[name],]:.0f} %"])
    pages.put("mlhat", "3 and 5", ("", "here", "mean subset accuracy", "of the variance"), lines)
    best = list(_combinations())[int(values.argmax())]
    pages.console.print(
        f"best {values.max():.4f}, worst {values.min():.4f}, mean {values.mean():.4f}; the best: {best}"
    )


def _combinations() -> Iterator[dict[str, Any]]:
    for values in product(*GRID.values()):
        yield dict(zip(GRID, values, strict=True))


# ---------------------------------------------------------------------- figure 4, and MLHAT's column of table 6


def figure_4(pages: Pages) -> None:
    """Run MLHAT with and without the votes of alternates; draw what they are worth, write example F1 beside table 6."""
    sl.MLHAT.prepare()
    table = pd.DataFrame([row for name in (*TABLE_3, *SYNTHETIC, *OWN) for row in votes(name)])
    gains = table.pivot(index=["stream", "grown", "seed"], columns="how", values="micro_f1")
    gains = (gains.combined - gains.alone).groupby(["stream", "grown"]).mean()
    points = pd.DataFrame(
        [(name, grown, gains[name, grown]) for name in dict.fromkeys(table.stream) for grown in GROWN],
        columns=["row", "curve", "x"],
    )
    words = "what alternates' votes add to micro F1"
    save(lambda theme: draw_dots(points, theme=theme, x=words), pages.picture("mlhat_4"))
    means = table.groupby(["grown", "how", "stream"]).mean(numeric_only=True)
    lines = []
    for grown in GROWN:
        for kind, names in (("real", TABLE_3), ("generated, the paper's", SYNTHETIC), ("generated, ours", OWN)):
            one, other = (means.loc[grown, how].loc[list(names)].mean() for how in ("combined", "alone"))
            lines.append([
                f"{grown}, {len(names)} {kind}", dot(one.micro_f1, 4), dot(other.micro_f1, 4),
                f"{one.micro_f1 - other.micro_f1:+.4f}", f"{one.split:.1f}", f"{one.alternate_promoted:.1f}",
            ])  # fmt: skip
    header = ("micro F1, means", "main and alternates", "main alone", "difference", "splits", "promoted")
    pages.put("mlhat", "4 of figures", header, lines)


GROWN: dict[str, dict[str, float]] = {"defaults": {}, "τ = .3": {"tau": 0.3}}
"""MLHAT as it comes, and with a looser tie-break, so that it grows on streams where it else stays a leaf."""


def votes(name: str) -> list[dict[str, Any]]:
    """MLHAT with and without its alternates' votes, as it comes and with a looser tie-break, three seeds each."""
    asked = [
        (grown, how, seed) for grown in GROWN for how in ("combined", "alone") for seed in SEEDS
    ]  # fmt: skip
    models = {
        str(i): sl.MLHAT(**GROWN[grown], combine_alternates=how == "combined", seed=seed)
        for i, (grown, how, seed) in enumerate(asked)
    }
    stream = stream_of(name, 50_000 if name in OWN else None)
    result = sl.prequential(stream, models, measures=["micro_f1", "example_f1"], alarms=None)
    kinds = result.events.groupby("learner").kind.value_counts().to_dict() if len(result.events) else {}
    return [
        {"stream": name, "grown": grown, "how": how, "seed": seed,
         **result.summary.loc[str(i), ["micro_f1", "example_f1"]].to_dict(),
         **{kind: kinds.get((str(i), kind), 0) for kind in ("split", "alternate_promoted")}}
        for i, (grown, how, seed) in enumerate(asked)
    ]  # fmt: skip


PAPER_NAMES = {"flags": "Flags", "water quality": "WQ", "emotions": "Emo", "birds": "Birds", "yeast": "Yeast",
               "scene": "Scene", "medical": "Med", "slashdot": "Slashdot", "tmc": "Tmc", "20ng": "D20ng"}  # fmt: skip
"""What table 6 calls the sets."""


# ---------------------------------------------------------------------- figures 6 and 7


def course(stream: sl.Stream, models: Mapping[str, Learner], every: int = STEP) -> pd.DataFrame:
    """Run learners over a stream, and look at them after each ``every`` rows.

    Returns
    -------
    pandas.DataFrame
        ``position``, ``learner``, ``example_f1`` faded by .995 a row, ``seconds`` of CPU so far, ``bytes`` held.
    """
    measures = ["example_f1"]
    run = Run(stream, dict(models), chunk=50, fading=0.995, measures=measures, alarms=None, snapshots=0, history=100)
    found = []
    while run.advance(every):
        for name, each in run.learner_runs.items():
            f1 = each.tracker.values("faded", measures)["example_f1"]
            found.append((run.position, name, f1, each.seconds, float(each.n_bytes)))
    return pd.DataFrame(found, columns=["position", "learner", "example_f1", "seconds", "bytes"])


@lru_cache(maxsize=1)
def courses() -> pd.DataFrame:
    """The runs of figures 6 and 7, with the stream's name in ``stream``."""
    for each in learners().values():
        each.prepare()
    return pd.concat(
        [course(stream_of(name, COURSE_ROWS), learners()).assign(stream=name) for name in (*TEMPORAL, *SYNTHETIC)],
        ignore_index=True,
    )


def figure_6(pages: Pages) -> None:
    """Draw example F1 over the stream."""
    found = courses()
    points = found.rename(columns={"stream": "panel", "learner": "curve", "position": "x", "example_f1": "y"})
    marks = {name: [drift.start for drift in stream_of(name, COURSE_ROWS).drifts] for name in SYNTHETIC}
    for ending, names in (("real", TEMPORAL), ("synthetic", tuple(SYNTHETIC))):
        part = points[points.panel.isin(names)]
        options: dict[str, Any] = {"across": 2, "height": 150, "y": "example F1", "x": "", "marks": marks}
        save_panels(pages.picture(f"mlhat_6_{ending}"), part, **options)


def figure_7(pages: Pages) -> None:
    """Draw seconds and bytes over the stream, both logarithmic; write what they are at its end."""
    found = courses()
    found = found[found.stream.isin(list(CONSUMING))]
    points = pd.concat([
        found.assign(panel=found.stream.map(CONSUMING) + ", " + words, y=found[column] * factor)
        for column, words, factor in (("seconds", "CPU seconds", 1.0), ("bytes", "megabytes", 1e-6))
    ]).rename(columns={"learner": "curve", "position": "x"})  # fmt: skip
    order = [f"{name}, {words}" for name in CONSUMING.values() for words in ("CPU seconds", "megabytes")]
    points = points.sort_values("panel", key=lambda panel: panel.map(order.index), kind="stable")
    save_panels(pages.picture("mlhat_7"), points, across=2, height=170, log_y=True, x="")
    ends = found[found.position == found.groupby("stream").position.transform("max")].set_index(["stream", "learner"])
    lines = [
        [name, *(f"{ends.seconds[key, name]:.1f} s, {ends.bytes[key, name] / 1e6:,.2f} MB" for key in CONSUMING)]
        for name in learners()
    ]
    pages.put("mlhat", "7 of figures", ("at the end", *CONSUMING.values()), lines)
