"""Small studies for the tests."""

from __future__ import annotations

import numpy as np
import pandas as pd

import streamlab as sl

MEASURES = ("example_f1", "micro_f1", "hamming_loss")
FIGURES = ["learner", "stream", "seed", "status", "rows", "key", *MEASURES]
"""Columns of the results in which no time stands: the same to the bit, however a study was run."""


def csv(path, n=300, seed=0):
    """Write a small stream of two labels, and return its path as a text."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["label_p"], frame["label_q"] = (X[:, 0] > 0).astype(int), (X[:, 1] > 0.5).astype(int)
    frame.to_csv(path, index=False)
    return str(path)


def streams(folder):
    return {
        f"s{i}": {"use": csv(folder / f"s{i}.csv", 200 + 50 * i, i), "labels": ["label_p", "label_q"]} for i in (1, 2)
    }


LEARNERS = {"NoChange": {}, "SMART": {"half_life": [50, 400]}, "HT": "HT one per label"}


def study(folder, **options):
    """Two streams, four learners (two of them with seeds), two seeds: twelve cells."""
    given = {"seeds": 2, "measures": MEASURES, "results": folder / "results"} | options
    return sl.Study(given.pop("streams", None) or streams(folder), given.pop("learners", LEARNERS), **given)
