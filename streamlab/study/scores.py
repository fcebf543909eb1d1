"""From a table of results to one score for each stream and learner: means over seeds, and what did not finish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from streamlab._checks import check_unique, checked_choice
from streamlab.measures import MEASURES

CELL = ("learner", "stream", "seed", "status", "message", "rows", "ended", "key")
"""Columns of a cell that are not figures to compare by."""
UNFINISHED = ("last", "drop")
COSTS = {
    "seconds": "Time",
    "bytes": "Memory",
    "cpu_seconds": "CPU seconds of the cell",
    "wall_seconds": "Seconds by the clock",
}
"""Figures of a cell that do not measure the answers: less is better."""
UNITS = {"seconds": "s", "bytes": "bytes"}


@dataclass(frozen=True)
class Scores:
    """One score for each stream and learner.

    Attributes
    ----------
    table
        A row for each stream, a column for each learner, in the order of the results; NaN did not finish.
    spread
        The standard deviation over seeds, likewise; NaN with one seed.
    unfinished
        How many cells did not finish: (learner, stream, seed).
    """

    table: pd.DataFrame
    spread: pd.DataFrame
    unfinished: int


def is_higher_better(measure: str) -> bool:
    """Whether more of a measure is better, as it is registered; less of seconds and bytes is.

    Raises
    ------
    ValueError
        If nothing is known of the measure.
    """
    if measure in COSTS:
        return False
    if measure in MEASURES:
        return MEASURES[measure].higher_is_better
    raise ValueError(
        f"measure={measure!r} is not registered in streamlab.MEASURES: say whether more is better, "
        "higher_is_better=True or False"
    )


def measure_title(measure: str) -> str:
    """How people read a measure."""
    return MEASURES[measure].title if measure in MEASURES else COSTS.get(measure, measure)


def axis_title(measure: str) -> str:
    """How people read a measure on an axis: with its unit."""
    return f"{measure_title(measure)} ({UNITS[measure]})" if measure in UNITS else measure_title(measure)


def scores_of(results: pd.DataFrame, measure: str, unfinished: str = "last") -> Scores:
    """Return the scores of a table of results, long or wide.

    Raises
    ------
    ValueError
        If a column is missing, a cell is there twice, a figure is missing or no number, a learner was not run on a
        stream, nobody finished one, or fewer than two learners or streams are left.
    """
    if not isinstance(results, pd.DataFrame):
        raise ValueError(f"results is a {type(results).__name__}: expected a DataFrame, a row for each cell")
    checked_choice("unfinished", unfinished, UNFINISHED)
    is_long = "learner" in results or "stream" in results
    found = _long(results, measure, unfinished) if is_long else _wide(results)
    table = found.table
    if unfinished == "drop":
        table = table.dropna()
    hopeless = table.index[table.isna().all(axis=1)]
    if len(hopeless):
        raise ValueError(f"stream {hopeless[0]!r}: no learner finished, so nothing can be ranked; leave it out")
    for what, names in (("learners", table.columns), ("streams", table.index)):
        if len(names) < 2:
            raise ValueError(f"{len(names)} {what} in the results: expected at least 2")
    return Scores(table, found.spread.loc[table.index], found.unfinished)


def _wide(results: pd.DataFrame) -> Scores:
    for what, names in (("stream", results.index), ("learner", results.columns)):
        check_unique(what, names)
    table = pd.DataFrame({learner: _numbers(results[learner], str(learner)) for learner in results})
    endless = np.argwhere(np.isinf(table.to_numpy(dtype=float)))
    if len(endless):
        stream, learner = table.index[endless[0, 0]], table.columns[endless[0, 1]]
        raise ValueError(f"stream {stream!r}, learner {learner!r}: infinite; expected a number, or NaN for unfinished")
    return Scores(table, table * np.nan, int(table.isna().to_numpy().sum()))


def _long(results: pd.DataFrame, measure: str, unfinished: str) -> Scores:
    for column in ("learner", "stream", measure):
        if column not in results:
            others = [each for each in results if each not in CELL]
            known = f"; there are {', '.join(map(str, others))}" if column == measure else ""
            raise ValueError(f"the results have no column {column!r}{known}")
    cells = results[[each for each in CELL if each in results]].assign(figure=_numbers(results[measure], measure))
    for column in ("learner", "stream"):
        if cells[column].isna().any():
            raise ValueError(f"column {column!r}: row {int(cells[column].isna().to_numpy().argmax())} has no name")
    keys = [each for each in ("learner", "stream", "seed") if each in cells]
    twice = cells[cells.duplicated(keys)]
    if len(twice):
        one = twice.iloc[0]
        raise ValueError(f"{', '.join(f'{key} {one[key]!s}' for key in keys)} occurs twice; expected each cell once")
    done = cells.status == "done" if "status" in cells else cells.figure.notna()
    without = cells[done & ~np.isfinite(cells.figure)]
    if len(without):
        one = without.iloc[0]
        raise ValueError(f"learner {one.learner!r}, stream {one.stream!r}: done, but {measure!r} is {one.figure}")
    pairs = cells.groupby(["stream", "learner"], sort=False)
    kept = cells.assign(figure=cells.figure.where(done)).groupby(["stream", "learner"], sort=False).figure

    def square(column: pd.Series) -> pd.DataFrame:
        return column.unstack().reindex(index=cells.stream.unique(), columns=cells.learner.unique())

    if unfinished != "drop":
        never = np.argwhere(square(pairs.size()).isna().to_numpy())
        if len(never):
            stream, learner = cells.stream.unique()[never[0, 0]], cells.learner.unique()[never[0, 1]]
            raise ValueError(
                f"learner {learner!r} has no row for stream {stream!r}: expected each learner on each stream; "
                'unfinished="drop" leaves such streams out'
            )
    return Scores(square(kept.mean()), square(kept.std()), int((~done).sum()))


def _numbers(column: pd.Series, name: str) -> pd.Series:
    try:
        return pd.to_numeric(column).astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"column {name!r}: expected numbers ({error})") from None


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
    checked_choice("mark", mark, quality, optional=True)
    complete = quality.notna().all(axis=1) & costs.notna().all(axis=1)
    if not complete.any():
        raise ValueError("there is no stream that all learners finished: nothing can be compared on the same streams")
    spent = costs[complete]
    is_geometric = bool((spent.to_numpy() > 0).all())
    means = np.exp(np.log(spent).mean()) if is_geometric else spent.mean()
    kind = "geometric mean" if is_geometric else "mean"
    streams = int(complete.sum())
    which = f"the {streams} streams that all finished" if streams < len(quality) else f"{streams} streams"
    titles = (measure_title(measure), axis_title(cost))
    return {
        "table": pd.DataFrame({"quality": quality[complete].mean(), "cost": means}),
        "titles": titles,
        "higher_is_better": is_higher_better(measure) if higher_is_better is None else higher_is_better,
        "about": f"Over {which}: mean {titles[0]}, {kind} of {titles[1].lower()}.",
        "mark": mark,
    }
