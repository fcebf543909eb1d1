"""What one bad reading costs: the final micro F1 of every learner after one cell of an irrelevant feature went wrong.

``python -m benchmarks outliers [--learners ...] [--rows 20000] [--seeds 1]``

The stream has six features, uniform in [0, 1]; five labels hang on the first five, with a little noise, and the sixth
is irrelevant. In row 500 its cell becomes 1e6, 1e155, 1e300 or the smallest denormal number; all later rows are clean.
Each learner stands alone and behind a ``StandardScaler``. The figure is the micro F1 over the last tenth of the rows,
tested before trained in chunks of 100; "none" is the stream without the outlier. A chunk that is refused (ValueError)
is repeated without the bad row, as one would who reads the message: then one bad reading costs one reading; "refused"
says so beside the figure. Any other exception stands in the table by its name.

The exit code is 1 if a figure lies more than 0.01 below that without the outlier, or there is none. To repeat a figure:
the same seed.
"""

from __future__ import annotations

import argparse
import statistics
import warnings
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.metrics import f1_score

import streamlab as sl
from benchmarks._learners import NAMES, made

__all__ = ["OUTLIERS", "final_f1", "main", "stream"]

OUTLIERS: dict[str, float | None] = {"none": None, "1e6": 1e6, "1e155": 1e155, "1e300": 1e300, "denormal": 5e-324}
AT, CHUNK = 500, 100
ALLOWED = 0.01
NO_CLASSIFIERS = ("BalancedLDA", "StandardScaler", "Pipeline")

console = Console()


def stream(n: int, seed: int, outlier: float | None) -> tuple[np.ndarray, np.ndarray]:
    """X float64 (n, 6) with the outlier in the last column, and Y uint8 (n, 5)."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 6))
    Y = (X[:, :5] + 0.02 * rng.normal(size=(n, 5)) > 0.5).astype(np.uint8)
    if outlier is not None:
        X[AT, 5] = outlier
    return X, Y


def final_f1(model: Any, X: np.ndarray, Y: np.ndarray) -> tuple[float, int]:
    """Micro F1 over the last tenth, and how many chunks were refused and repeated without the bad row."""
    model.bind(sl.Schema.anonymous(X.shape[1], Y.shape[1]))
    answers, refused = np.zeros_like(Y), 0
    for start in range(0, len(X), CHUNK):
        piece = slice(start, start + CHUNK)
        rows = np.arange(len(X))[piece]
        try:
            answers[rows] = model.test_then_train(X[rows], Y[rows])[1]
        except ValueError:
            if AT not in rows:
                raise
            refused += 1
            rows = rows[rows != AT]
            answers[rows] = model.test_then_train(X[rows], Y[rows])[1]
    last = slice(len(X) - len(X) // 10, None)
    return float(f1_score(Y[last], answers[last], average="micro", zero_division=0.0)), refused


def composed(name: str, how: str) -> Any:
    """The learner alone, with its defaults, or behind transformers."""
    before = {"": [], "StandardScaler | ": ["StandardScaler"]}.get(how, ["StandardScaler", "BalancedLDA"])
    model = made(before[0], small=False) if before else made(name, small=False)
    for each in [*before[1:], name] if before else []:
        model = model | made(each, small=False)
    return model


def main(options: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks outliers", description=__doc__.partition("\n")[0])
    parser.add_argument("--learners", nargs="*", help="default all that predict")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=1, help="the figures are medians over so many streams")
    asked = parser.parse_args(options)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    names = asked.learners or [name for name in NAMES if name not in NO_CLASSIFIERS]
    title = f"micro F1 over the last tenth of {asked.rows:,} rows, after one outlier"
    table = Table("", *OUTLIERS, "", title=title)
    worst, all_missed = 0.0, False
    for name in names:
        hows = ["", "StandardScaler | "] + (["StandardScaler | BalancedLDA | "] if name == "BalancedKNN" else [])
        for how in hows:
            cells, clean, missed = [], 0.0, False
            for what, outlier in OUTLIERS.items():
                figures, refused, failed = [], 0, ""
                for seed in range(1, asked.seeds + 1):
                    try:
                        figure, n = final_f1(composed(name, how), *stream(asked.rows, seed, outlier))
                    except Exception as error:
                        failed = type(error).__name__
                    else:
                        figures.append(figure)
                        refused += n
                middle = statistics.median(figures) if figures and not failed else 0.0
                clean = middle if what == "none" else clean
                cost = clean - middle
                worst = max(worst, cost)
                missed |= cost > ALLOWED or bool(failed)
                cells.append(
                    failed or f"{middle:.3f}" + " refused" * bool(refused) + f" ({-cost:+.3f})" * (cost > ALLOWED)
                )
            all_missed |= missed
            table.add_row(how + name, *cells, "MISSED" if missed else "ok")
            console.print(f"{how}{name}: {'  '.join(cells)}", highlight=False)
    console.print(table)
    console.print(f"largest loss {worst:.3f}, allowed {ALLOWED}")
    return int(all_missed)


if __name__ == "__main__":
    raise SystemExit(main())
