"""What one bad reading costs: the final micro F1 of every learner after one cell of an irrelevant feature went wrong.

``python -m benchmarks outliers [--early] [--learners ...] [--rows 20000] [--seeds 1]``

The stream has six features, uniform in [0, 1]; five labels hang on the first five, with a little noise, and the sixth
is irrelevant. In row 500 its cell becomes 1e6, 1e155, 1e300 or the smallest denormal number; all later rows are clean.
With ``--early`` the outlier, 1e6, 1e99, 1e150 or 1e300, is in row 1, 2, 10 or 30 instead, before the feature's range is
known: 1e6 and 1e99 are let in. The figure is then the lowest of the four rows'.
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
from benchmarks.robust.learners import NAMES, made

__all__ = ["EARLY", "EARLY_ROWS", "OUTLIERS", "composed", "final_f1", "main", "stream"]

OUTLIERS: dict[str, float | None] = {"none": None, "1e6": 1e6, "1e155": 1e155, "1e300": 1e300, "denormal": 5e-324}
EARLY: dict[str, float | None] = {"none": None, "1e6": 1e6, "1e99": 1e99, "1e150": 1e150, "1e300": 1e300}
AT, CHUNK = 500, 100
# before a range is trusted; counted from 0
EARLY_ROWS = (0, 1, 9, 29)
ALLOWED = 0.01
NO_CLASSIFIERS = ("BalancedLDA", "StandardScaler", "Pipeline", "RiverMultiLabel")

console = Console()


def stream(n: int, seed: int, outlier: float | None, at: int = AT) -> tuple[np.ndarray, np.ndarray]:
    """X float64 (n, 6) with the outlier in the last column of row ``at``, and Y uint8 (n, 5)."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 6))
    Y = (X[:, :5] + 0.02 * rng.normal(size=(n, 5)) > 0.5).astype(np.uint8)
    if outlier is not None:
        X[at, 5] = outlier
    return X, Y


def final_f1(model: Any, X: np.ndarray, Y: np.ndarray, at: int = AT) -> tuple[float, int]:
    """Micro F1 over the last tenth, and how many chunks were refused and repeated without the bad row ``at``."""
    model.bind(sl.Schema.anonymous(X.shape[1], Y.shape[1]))
    answers, refused = np.zeros_like(Y), 0
    for start in range(0, len(X), CHUNK):
        piece = slice(start, start + CHUNK)
        rows = np.arange(len(X))[piece]
        try:
            answers[rows] = model.test_then_train(X[rows], Y[rows])[1]
        except ValueError:
            if at not in rows:
                raise
            refused += 1
            rows = rows[rows != at]
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
    parser.add_argument("--early", action="store_true", help="the outlier is among the first 30 rows")
    asked = parser.parse_args(options)
    outliers, places = (EARLY, EARLY_ROWS) if asked.early else (OUTLIERS, (AT,))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    names = asked.learners or [name for name in NAMES if name not in NO_CLASSIFIERS]
    title = f"micro F1 over the last tenth of {asked.rows:,} rows, after one outlier"
    title += ", the lowest of rows " + ", ".join(str(at + 1) for at in places) if asked.early else ""
    table = Table("", *outliers, "", title=title)
    worst, all_missed = 0.0, False
    for name in names:
        hows = ["", "StandardScaler | "] + (["StandardScaler | BalancedLDA | "] if name == "BalancedKNN" else [])
        for how in hows:
            cells, clean, missed = [], 0.0, False
            for what, outlier in outliers.items():
                figures, refused, failed = [], 0, ""
                for seed in range(1, asked.seeds + 1):
                    lowest = 1.0
                    for at in places if outlier is not None else places[:1]:
                        try:
                            figure, n = final_f1(composed(name, how), *stream(asked.rows, seed, outlier, at), at)
                        except Exception as error:
                            failed = type(error).__name__
                        else:
                            lowest = min(lowest, figure)
                            refused += n
                    figures.append(lowest)
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
