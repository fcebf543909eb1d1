"""Quality and cost of each learner, over the streams that all of them finished."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from streamlab.study.scores import is_higher_better, measure_title, scores_of

__all__ = ["tradeoff_of"]


def tradeoff_of(
    results: pd.DataFrame, measure: str, cost: str, mark: str | None, higher_is_better: bool | None = None
) -> dict[str, Any]:
    """Return the table of means and what a picture says of it; costs by the geometric mean where all are positive.

    ``higher_is_better`` of the measure: None as it is registered.

    Raises
    ------
    ValueError
        As ``scores_of``, or if nothing is known of the measure, there is no stream that all finished, or ``mark`` is no
        learner.
    """
    quality, costs = (scores_of(results, each).table for each in (measure, cost))
    if mark is not None and mark not in quality:
        raise ValueError(f"mark={mark!r} is not among the learners: {', '.join(map(str, quality))}")
    complete = quality.notna().all(axis=1) & costs.notna().all(axis=1)
    if not complete.any():
        raise ValueError("there is no stream that all learners finished: nothing can be compared on the same streams")
    spent = costs[complete]
    is_geometric = bool((spent.to_numpy() > 0).all())
    means = np.exp(np.log(spent).mean()) if is_geometric else spent.mean()
    kind = "geometric mean" if is_geometric else "mean"
    streams = int(complete.sum())
    which = f"the {streams} streams that all finished" if streams < len(quality) else f"{streams} streams"
    titles = (measure_title(measure), measure_title(cost))
    return {
        "table": pd.DataFrame({"quality": quality[complete].mean(), "cost": means}),
        "titles": titles,
        "higher_is_better": is_higher_better(measure) if higher_is_better is None else higher_is_better,
        "about": f"Over {which}: mean {titles[0]}, {kind} of {titles[1].lower()}.",
        "mark": mark,
    }
