"""Pictures of results: a table of cells in, a figure out, by Matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from streamlab._checks import checked_choice
from streamlab.study.comparison import compare
from streamlab.study.pictures import plot_study
from streamlab.study.scores import axis_title, tradeoff_of
from streamlab.views.timeline.bands import AVERAGES

__all__ = ["plot_evolution", "plot_heat", "plot_pairs", "plot_spread", "plot_tradeoff"]


def plot_spread(
    results: pd.DataFrame, measure: str, mark: str | None = None, *, by: str = "stream", **options: Any
) -> Any:
    """Draw a box of scores for each stream, with one learner marked; or for each learner, with one stream marked.

    Parameters
    ----------
    results, measure
        As in ``compare``; streams that some did not finish are kept.
    mark
        The learner (or, by learner, the stream) that a diamond stands for.
    by
        ``"stream"`` or ``"learner"``: what has a box each.
    options
        As in ``plot_pairs``.

    Raises
    ------
    ValueError
        As ``compare``, or if ``mark`` or ``by`` is not one of those.
    ImportError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import streamlab as sl
    >>> from streamlab.study import plot_spread
    >>> table = sl.published("mlhat-paper")
    >>> figure = plot_spread(table, "example_f1", "MLHAT", width=420)
    >>> figure.get_size_inches()[0].item()
    4.2
    """
    return _draw("spread", results, measure, mark=mark, by=by, **options)


def plot_pairs(results: pd.DataFrame, one: str, other: str, measure: str, **options: Any) -> Any:
    """Draw the difference of two learners on each stream that both finished, sorted.

    Parameters
    ----------
    results, measure
        As in ``compare``.
    one, other
        The learners; bars to the right are streams on which ``one`` is better.
    options
        ``theme``: ``"light"`` (default) or ``"dark"``; ``width`` in pixels, 800 by default, 320 at least: it is laid
        out for it; ``title``: another one, ``""`` for none.

    Raises
    ------
    ValueError
        As ``compare``, or if one is not a learner or they finished no stream in common.
    ImportError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import streamlab as sl
    >>> from streamlab.study import plot_pairs
    >>> figure = plot_pairs(sl.published("mlhat-paper"), "MLHAT", "KNN", "example_f1")
    """
    return _draw("pairs", results, measure, one=one, other=other, **options)


def plot_heat(results: pd.DataFrame, measure: str, **options: Any) -> Any:
    """Draw all scores as a table of colours: learners by average rank from left to right, a row for each stream.

    Parameters
    ----------
    results, measure
        As in ``compare``.
    options
        As in ``plot_pairs``.

    Raises
    ------
    ValueError
        As ``compare``.
    ImportError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import streamlab as sl
    >>> from streamlab.study import plot_heat
    >>> figure = plot_heat(sl.published("mlhat-paper"), "example_f1", theme="dark")
    """
    return _draw("heat", results, measure, **options)


def plot_tradeoff(
    results: pd.DataFrame, measure: str, cost: str = "seconds", *, mark: str | None = None, **options: Any
) -> Any:
    """Draw each learner's mean score against its cost, over the streams that all finished.

    Parameters
    ----------
    results, measure
        As in ``compare``, in the long form.
    cost
        Another column; the geometric mean is shown where all are positive, for seconds of streams differ by powers of
        ten.
    mark
        A learner whose dot is a diamond.
    options
        As in ``plot_pairs``.

    Raises
    ------
    ValueError
        As ``compare``, or if there is no stream that all finished, or ``mark`` is not a learner.
    ImportError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> from streamlab.study import plot_tradeoff
    >>> cells = [("A", "s", 0.5, 1), ("A", "t", 0.6, 2), ("B", "s", 0.7, 20), ("B", "t", 0.8, 10)]
    >>> table = pd.DataFrame(cells, columns=["learner", "stream", "micro_f1", "seconds"])
    >>> figure = plot_tradeoff(table, "micro_f1")
    """
    asked = tradeoff_of(results, measure, cost, mark)
    return plot_study("tradeoff", asked.pop("table"), **asked, **options)


def plot_evolution(
    curves: pd.DataFrame,
    measure: str,
    streams: Sequence[str] | None = None,
    *,
    over: str = "chunk",
    drifts: Mapping[str, Sequence[float]] | None = None,
    **options: Any,
) -> Any:
    """Draw curves over the rows of the stream, a panel for each: the mean over seeds, and their range as a band.

    Parameters
    ----------
    curves
        What ``Study.curves`` gives: a row for each point, columns ``learner``, ``stream``, ``seed``, ``position`` (rows
        so far), and ``value`` or the measure's name; where there is a column ``over``, the points are those of that
        average.
    measure
        What the points are of; ``"seconds"`` and ``"bytes"`` are drawn logarithmically.
    streams
        Which, in which order; default: all.
    over
        What a point averages: ``"chunk"``, ``"cumulative"`` or ``"faded"``, as the curves were made; ``"tenth"``: the
        mean of the points of each tenth of the stream.
    drifts
        Rows at which a dashed line is drawn, by stream.
    options
        As in ``plot_pairs``.

    Raises
    ------
    ValueError
        If a column or stream is missing, or for another ``over``.
    ImportError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> from streamlab.study import plot_evolution
    >>> points = [("A", "s", seed, row, 0.5 + row / 1e4 + seed / 100) for seed in (1, 2) for row in range(0, 1000, 50)]
    >>> curves = pd.DataFrame(points, columns=["learner", "stream", "seed", "position", "micro_f1"])
    >>> figure = plot_evolution(curves, "micro_f1", drifts={"s": [500]})
    """
    if measure not in curves and "value" in curves:  # as Study.curves gives them
        curves = curves.rename(columns={"value": measure})
    for column in ("learner", "stream", "position", measure):
        if column not in curves:
            raise ValueError(
                f"the curves have no column {column!r}: expected learner, stream, seed, position, {measure}"
            )
    checked_choice("over", over, AVERAGES)
    points = curves
    if "over" in curves:
        points = curves[curves["over"] == ("chunk" if over == "tenth" else over)]
        if points.empty:
            raise ValueError(f"over={over!r}: the curves have {', '.join(map(repr, curves['over'].unique()))}")
    known = list(points.stream.unique())
    chosen = known if streams is None else list(streams)
    for stream in chosen:
        checked_choice("stream", stream, known)
    points = points[points.stream.isin(chosen)]
    if over == "tenth":
        points = _tenths(points, measure)
    axis = axis_title(measure) if measure in ("seconds", "bytes") else f"{axis_title(measure)}, {AVERAGES[over]}"
    return plot_study(
        "evolution", points, measure=measure, axis=axis, streams=chosen, drifts=dict(drifts or {}), **options
    )


def _tenths(points: pd.DataFrame, measure: str) -> pd.DataFrame:
    """The mean of each tenth of each stream, at its end."""
    length = points.groupby("stream").position.transform("max")
    tenth = np.ceil(10 * points.position / length).clip(1, 10)
    keys = [each for each in ("learner", "stream", "seed") if each in points]
    ends = points.assign(position=(tenth * length / 10).round())
    return ends.groupby([*keys, "position"], sort=False, dropna=False)[measure].mean().reset_index()


def _draw(kind: str, results: pd.DataFrame, measure: str, **options: Any) -> Any:
    return plot_study(kind, compare(results, measure), **options)
