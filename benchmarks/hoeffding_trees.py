"""HoeffdingTrees beside River's trees, one per label: example F1, splits, rows a second of CPU, in the same run."""

from __future__ import annotations

import time

import numpy as np

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._results import MISSING, figure, figures, print_table
from benchmarks.mlhat_table import CHUNK, read
from streamlab.learners import Learner

# example F1 of River's trees (delta 1e-5) and WEKA's (1e-7), one per label, as measured without this package
EXPECTED: dict[str, tuple[float | None, float | None]] = {
    "emotions": (0.546, 0.544),
    "yeast": (0.584, 0.593),
    "water quality": (0.397, None),
    "scene": (None, None),
}
# River's trees are asked and learned on so many first rows of the larger sets
MOST_OF_RIVER = 600


def run(model: Learner, X: np.ndarray, Y: np.ndarray) -> tuple[dict[str, float], float]:
    """The measures of a run in chunks, and rows a second of CPU."""
    begun = time.thread_time()
    answers = [model.test_then_train(X[i : i + CHUNK], Y[i : i + CHUNK]) for i in range(0, len(X), CHUNK)]
    rate = len(X) / (time.thread_time() - begun)
    scores, labels = (np.concatenate(part) for part in zip(*answers, strict=True))
    return figures(Y, labels, scores, decides=False), rate


def main() -> None:
    sl.HoeffdingTrees.prepare()
    lines = []
    for name, (river, weka) in EXPECTED.items() if SHARED.is_dir() else ():
        schema, X, Y = read(name)
        theirs = sl.make_learner("HT one per label").bind(schema)
        _, slow = run(theirs, X[:MOST_OF_RIVER], Y[:MOST_OF_RIVER])
        cells = []
        for delta, expected in ((1e-5, river), (1e-7, weka)):
            model = sl.HoeffdingTrees(delta=delta).bind(schema)
            found, rate = run(model, X, Y)
            cells += [
                figure(found["f1"]),
                MISSING if expected is None else figure(expected),
                str(len(model.take_events())),
            ]
        lines.append(
            [name, *cells, f"{rate:,.0f}", f"{slow:,.0f}", f"{rate / slow:,.0f}", f"{model.n_bytes / 1000:,.0f}"]
        )
    header = (
        "",
        "delta=1e-5",
        "River",
        "splits",
        "delta=1e-7",
        "WEKA",
        "splits",
        "rows/s (CPU)",
        "River",
        "times",
        "kB",
    )
    print_table("HoeffdingTrees: example F1 of the whole stream, 0/0 = 0", header, lines)


if __name__ == "__main__":
    main()
