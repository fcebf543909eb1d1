"""How learners rank over streams, and the curves of one stream."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from streamlab.study import rank_streams

__all__ = ["average_ranks", "bands_of"]


def average_ranks(
    values: Mapping[str, Sequence[float]], ended: Sequence[bool], *, higher_is_better: bool
) -> tuple[dict[str, float], int]:
    """Return the average rank of each learner, 1 the best, and over how many streams.

    A stream counts once every learner has ended on it, and one at least with a figure. Who ended without a figure ranks
    last there; equals share the mean of their ranks.

    Parameters
    ----------
    values
        By learner its figures, one for each stream; NaN: none.
    ended
        For each stream whether all learners have ended.

    Examples
    --------
    >>> nan = float("nan")
    >>> average_ranks({"A": [0.9, 0.5, 0.1], "B": [0.8, nan, 0.2]}, [True, True, False], higher_is_better=True)
    ({'A': 1.0, 'B': 2.0}, 2)
    """
    table = pd.DataFrame(dict(values), dtype=float)
    table = table[np.asarray(ended, dtype=bool)].dropna(how="all")
    if table.empty:
        return dict.fromkeys(values, math.nan), 0
    ranks = rank_streams(table, higher_is_better=higher_is_better).mean()
    return {name: float(ranks[name]) for name in values}, len(table)


def bands_of(curves: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the curve of each learner: the mean over its seeds, and from the least to the greatest.

    Parameters
    ----------
    curves
        What ``Study.curves`` gives for one stream.

    Returns
    -------
    dict
        By learner ``positions``, ``values``, ``low`` and ``high`` (None with one seed), lists of equal length, and
        ``seeds``, how many. Only rows that all its seeds have come to.
    """
    found = {}
    for learner, part in curves.groupby("learner", sort=False):
        seeds = int(part.seed.nunique(dropna=False))
        by_row = part.groupby("position").value.agg(["mean", "min", "max", "size"])
        by_row = by_row[by_row["size"] == seeds]
        found[str(learner)] = {
            "positions": by_row.index.astype(int).tolist(), "values": by_row["mean"].astype(float).tolist(),
            "low": by_row["min"].astype(float).tolist() if seeds > 1 else None,
            "high": by_row["max"].astype(float).tolist() if seeds > 1 else None,
            "seeds": seeds,
        }  # fmt: skip
    return found
