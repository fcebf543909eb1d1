"""ISOUPT and GOOWE of iSOUP trees beside River's tree, GOOWE-ML's program and published figures: F1, splits, speed."""

from __future__ import annotations

import statistics
from typing import Any

import streamlab as sl
from benchmarks import ensembles
from benchmarks._data import SHARED
from benchmarks._results import MISSING, figure, print_table
from benchmarks.hoeffding_trees import run
from benchmarks.mlhat_table import read
from streamlab.learners import Learner

# rows of the larger sets that are taken, and those on which River's tree is asked
FIRST = {"20ng": 3000, "tmc": 3000}
WHOLE = ", whole"
MOST_OF_RIVER = 300
# example F1 of River's tree as measured without this package, and published (table 6 of MLHAT's paper, whole sets)
MODEL: dict[str, tuple[float | None, float]] = {
    "emotions": (0.292, 0.291),
    "yeast": (0.478, 0.476),
    "water quality": (0.524, 0.522),
    "scene": (None, 0.876),
    "medical": (None, 0.217),
    "enron": (None, 0.476),
    "20ng": (None, 0.162),
    "tmc": (None, 0.580),
    "20ng, whole": (None, 0.162),
    "tmc, whole": (None, 0.580),
}
# the same with River's own leaves
ADAPTIVE: dict[str, float] = {"yeast": 0.552, "scene": 0.952, "tmc": 0.551}
# GOOWE-ML's program with MOA's trees and chunks of 50, whose first chunk has no answer
GORT: dict[str, float] = {"emotions": 0.481, "yeast": 0.572, "scene": 0.591, "water quality": 0.474}


def measured(name: str, model: Learner) -> dict[str, Any]:
    """Example F1, splits, bytes and rows a second of CPU."""
    schema, X, Y = read(name.removesuffix(WHOLE))
    n = FIRST.get(name, len(X))
    model.bind(schema)
    found, rate = run(model, X[:n], Y[:n])
    return found | {"splits": len(model.take_events()), "bytes": model.n_bytes, "rate": rate}


def rivers(name: str, recipe: str) -> float:
    """Rows a second of CPU of River's tree, on the first rows; its regressions take numbers alone."""
    schema, X, Y = read(name.removesuffix(WHOLE))
    numbers = sl.Schema(tuple(sl.Feature(feature.name) for feature in schema.features), schema.labels)
    return run(sl.make_learner(recipe).bind(numbers), X[:MOST_OF_RIVER], Y[:MOST_OF_RIVER])[1]


def main() -> None:
    if not SHARED.is_dir():
        return
    sl.ISOUPT.prepare()
    leaves()
    others()
    gort()


def leaves() -> None:
    lines = []
    for name, (alone, published) in MODEL.items():
        own, slow = measured(name, sl.ISOUPT()), rivers(name, "iSOUPT")
        lines.append([
            name, figure(own["f1"]), MISSING if alone is None else figure(alone), figure(published),
            figure(own["micro_f1"]), str(own["splits"]), f"{own['rate']:,.0f}", f"{slow:,.0f}",
            f"{own['rate'] / slow:,.0f}", f"{own['bytes'] / 1000:,.0f}",
        ])  # fmt: skip
    header = ("", 'ISOUPT, leaf="model"', "River", "published", "micro F1", "splits", "rows/s (CPU)", "River", "times",
              "kB")  # fmt: skip
    print_table("ISOUPT: example F1 of the whole stream, 0/0 = 0", header, lines)


def others() -> None:
    lines = []
    for name in MODEL:
        found = [measured(name, sl.ISOUPT(leaf)) for leaf in ("adaptive", "perceptron")]
        scaled = measured(name, sl.StandardScaler() | sl.ISOUPT())
        river = ADAPTIVE.get(name)
        lines.append([
            name, figure(found[0]["f1"]), MISSING if river is None else figure(river), str(found[0]["splits"]),
            f"{found[0]['rate']:,.0f}", figure(found[1]["f1"]), str(found[1]["splits"]), f"{found[1]['rate']:,.0f}",
            figure(scaled["f1"]),
        ])  # fmt: skip
    header = ("", 'leaf="adaptive"', "River", "splits", "rows/s (CPU)", 'leaf="perceptron"', "splits", "rows/s (CPU)",
              'scaled, leaf="model"')  # fmt: skip
    print_table("ISOUPT with other leaves: example F1 of the whole stream, 0/0 = 0", header, lines)


def gort() -> None:
    lines = []
    for name in (*ensembles.SETS, "medical", "enron"):
        for chunk in (50, 100):
            # no drawn order: every seed gives the same
            f1, rate, held, _ = ensembles.measured(sl.GOOWE("isoup", chunk=chunk, seed=0), name)
            program = GORT.get(name) if chunk == 50 else None
            lines.append([
                name, str(chunk), figure(float(f1.mean())), figure(float(f1[chunk:].sum() / len(f1))),
                MISSING if program is None else figure(program), figure(statistics.fmean(f1[chunk:].tolist())),
                f"{rate:,.0f}", f"{held / 1e6:.1f}",
            ])  # fmt: skip
    header = ("", "chunk", "F1, all rows", "first chunk unanswered", "program", "without the first chunk",
              "rows/s (CPU)", "MB")  # fmt: skip
    print_table('GOOWE("isoup"): example F1, 0/0 = 0', header, lines)


if __name__ == "__main__":
    main()
