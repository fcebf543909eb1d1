"""What one bad reading costs: the final micro F1 of every learner after one cell of an irrelevant feature went wrong.

``python -m tests.fuzz outliers [--early] [--learners ...] [--rows 20000] [--seeds 1]``

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

import statistics
import warnings
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

import streamlab as sl
from benchmarks.harness import Sheet, asked
from tests.fuzz.learners import NAMES, made

__all__ = ["EARLY", "EARLY_ROWS", "OUTLIERS", "composed", "final_f1", "main", "stream"]

OUTLIERS: dict[str, float | None] = {"none": None, "1e6": 1e6, "1e155": 1e155, "1e300": 1e300, "denormal": 5e-324}
EARLY: dict[str, float | None] = {"none": None, "1e6": 1e6, "1e99": 1e99, "1e150": 1e150, "1e300": 1e300}
AT, CHUNK = 500, 100
# before a range is trusted; counted from 0
EARLY_ROWS = (0, 1, 9, 29)
ALLOWED = 0.01
NO_CLASSIFIERS = ("BalancedLDA", "StandardScaler", "Pipeline", "RiverClassifier", "RiverMultiLabel")


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


def lowest_f1(name: str, how: str, n_rows: int, seed: int, outlier: float | None, places: tuple[int, ...]) -> Any:
    """The lowest figure of the places of the outlier, or an exception's name; and whether it was refused."""
    found, refused = [], 0
    for at in places if outlier is not None else places[:1]:
        try:
            figure, n = final_f1(composed(name, how), *stream(n_rows, seed, outlier, at), at)
        except Exception as error:
            return type(error).__name__, False
        found.append(figure)
        refused += n
    return min(found), bool(refused)


def main(options: list[str] | None = None) -> int:
    names = [name for name in NAMES if name not in NO_CLASSIFIERS]
    given = asked("tests.fuzz outliers", options, learners=names, rows=20_000, seeds=1, early=False)
    outliers, places = (EARLY, EARLY_ROWS) if given.early else (OUTLIERS, (AT,))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    title = f"micro F1 over the last tenth of {given.rows:,} rows, after one outlier"
    sheet = Sheet(title, ("", *outliers, f"loses at most {ALLOWED}"))
    all_fine = True
    for name in given.learners:
        for how in ["", "StandardScaler | "] + (["StandardScaler | BalancedLDA | "] if name == "BalancedKNN" else []):
            cells, clean, fine = [], 0.0, True
            for what, outlier in outliers.items():
                seeds = range(1, given.seeds + 1)
                found = [lowest_f1(name, how, given.rows, seed, outlier, places) for seed in seeds]
                failed = next((figure for figure, _ in found if isinstance(figure, str)), "")
                middle = 0.0 if failed else statistics.median(figure for figure, _ in found)
                clean = middle if what == "none" else clean
                fine &= not failed and clean - middle <= ALLOWED
                cells.append(failed or f"{middle:.3f}" + " refused" * any(refused for _, refused in found))
            all_fine &= fine
            sheet.add(how + name, *cells, "yes" if fine else "**no**")
    sheet.show()
    return int(not all_fine)
