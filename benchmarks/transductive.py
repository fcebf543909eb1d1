"""SMSE, MLLS and MCGF beside balanced neighbours on the same folds of emotions, with BLDA in front and without."""

from __future__ import annotations

import argparse
import sys

import pandas as pd
from rich.console import Console
from rich.table import Table
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import streamlab as sl
from benchmarks.balanced import PAPER, published

MEASURES = ("macro_precision", "macro_f1", "average_precision")
RIVALS = {
    "BKNN": sl.BalancedKNN(),
    "SMSE, version 1": sl.SMSE(),
    "SMSE, version 2": sl.SMSE(version=2),
    "MLLS": sl.MLLS(),
    "MCGF": sl.MCGF(),
}

console = Console()


def measured(repeats: int) -> tuple[pd.DataFrame, float] | None:
    """The summary of five folds, ``repeats`` times, and the macro precision of answering every label; None: no data."""
    data = published("emotions")
    if data is None:
        return None
    learners = {f"BLDA, {name}": make_pipeline(StandardScaler(), sl.BalancedLDA(), it) for name, it in RIVALS.items()}
    learners |= {name: make_pipeline(StandardScaler(), it) for name, it in RIVALS.items()}
    summary = sl.cross_validate(data, learners, measures=MEASURES, repeats=repeats).summary
    return summary, float(data[1].mean(axis=0).mean())


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transductive", description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="of the five folds")
    options = parser.parse_args([] if arguments is None else arguments)
    found = measured(options.repeats)
    if found is None:
        console.print("emotions: the shared data folder is absent")
        return
    summary, every = found
    console.width = max(console.width, 110)
    table = Table("", *MEASURES, "fit, s", "predict, s", title=f"emotions, 5 folds x {options.repeats}")
    for name, row in summary.iterrows():
        told = (f"{row[m]:.3f} ± {row[f'{m}_spread']:.3f}" for m in MEASURES)
        table.add_row(str(name), *told, f"{row.fit_seconds:.3f}", f"{row.predict_seconds:.3f}")
    console.print(table)
    console.print(f"every label, always: macro precision {every:.3f}; the paper, in %: {PAPER}")


if __name__ == "__main__":
    main(sys.argv[1:])
