"""Prequential evaluation without a screen: a stream and learners in, tables out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from streamlab._checks import checked_choice, checked_count
from streamlab._tables import result_html
from streamlab.lab.run import Run
from streamlab.lab.tables import event_table
from streamlab.learners import Learner
from streamlab.plugins import HOOKS
from streamlab.streams import Stream

if TYPE_CHECKING:
    import narwhals as nw
    import pandas as pd
    import polars as pl

__all__ = ["PrequentialResult", "prequential"]

MAIN = ("accuracy", "micro_f1")
MOST_MEASURES = 5
"""So many are shown in a notebook."""
LEAST_ANSWERED = 0.99
"""Where less than this share of the rows was answered, a notebook shows the accuracy of these beside that of all."""
WAIT_SECONDS = 0.05
"""Between two looks at a live stream whose next rows have not come."""


def prequential(
    stream: Stream | Any, learners: Learner | Mapping[str, Learner], *, chunk: int = 100, n: int | None = None,
    measures: Iterable[object] | None = None, fading: float = 0.995, zero_division: float = 0.0,
    history: int = 20_000, progress: bool = False, alarms: str | None = "learner",
    detectors: Mapping[str, Any] | None = None, importance: bool | Mapping[str, Any] = False, jobs: int | None = None,
) -> PrequentialResult:  # fmt: skip
    """Test, then train, every learner on every chunk of a stream, in lock-step.

    Parameters
    ----------
    stream, learners, chunk, measures, fading, zero_division, history, alarms, detectors, importance, jobs
        As in ``Run``.
    n
        Stop after this many instances; default: the whole stream. On a live stream these are waited for.
    progress
        Whether to show a progress bar on standard error.

    Returns
    -------
    PrequentialResult

    Raises
    ------
    ValueError
        As ``Run`` and its ``advance``; or if the stream is live and ``n`` is not given: it has no end.

    Examples
    --------
    >>> import streamlab as sl
    >>> result = sl.prequential("yeast", {"SMART": sl.SMART(seed=1), "no-change": sl.NoChange()})
    >>> bool(result.summary.micro_f1["SMART"] > result.summary.micro_f1["no-change"])
    True
    """
    checked_count("n", n, optional=True)
    run = Run(
        stream, learners, chunk=chunk, measures=measures, fading=fading, zero_division=zero_division, history=history,
        alarms=alarms, snapshots=0, detectors=detectors, importance=importance, jobs=jobs,
    )  # fmt: skip
    if run.stream.is_live and n is None and not getattr(run.stream, "ended", False):
        raise ValueError(
            f"n: {run.stream.name} is live and has no end; expected how many instances, or use `streamlab watch`"
        )
    if progress:
        _advance_with_bar(run, n)
    else:
        _advance(run, n)
    run.complete_curves()
    return PrequentialResult(run)


def _advance(run: Run, n: int | None, interrupted: Callable[[], bool] | None = None) -> None:
    """Advance by ``n`` rows, waiting for those of a live stream that have not come yet."""
    left = n
    while True:
        passed = run.advance(left, interrupted=interrupted)
        left = None if left is None else left - passed
        if run.finished or left == 0 or not run.stream.is_live:
            return
        if not passed:
            time.sleep(WAIT_SECONDS)


def _advance_with_bar(run: Run, n: int | None) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    total = run.stream.n_rows if n is None else n if run.stream.n_rows is None else min(n, run.stream.n_rows)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(run.stream.name, total=total)

        def drawn() -> bool:
            bar.update(task, completed=run.position)
            return False

        _advance(run, n, drawn)


class PrequentialResult:
    """The tables of an evaluation.

    Attributes
    ----------
    curves
        DataFrame of the measures per chunk: ``position``, ``learner``, one column per measure.
    summary
        DataFrame by learner: cumulative measures, of classes ``answered``, the share of the rows with an answer (the
        others count as wrong), and ``accuracy_of_answered``, which is River's; ``instances``, CPU ``seconds`` of the
        learner alone, ``instances_per_second``, ``bytes``.
    tenths
        DataFrame of the measures over each tenth of the stream.
    events
        DataFrame of drifts, alarms, tunings and structural events.
    detection
        DataFrame of how well the stream's drifts were detected, by learner (``Run.detection``).

    Examples
    --------
    >>> import streamlab as sl
    >>> result = sl.prequential("yeast", {"no-change": sl.NoChange()}, n=300, measures=["micro_f1"])
    >>> result.curves.position.tolist(), result.summary.index.tolist()
    ([100, 200, 300], ['no-change'])
    """

    curves: pd.DataFrame
    summary: pd.DataFrame
    tenths: pd.DataFrame
    events: pd.DataFrame
    detection: pd.DataFrame

    def __init__(self, run: Run) -> None:
        self.run = run
        self.summary = run.summary
        self.tenths = run.tenths
        self.events = run.events
        self.curves = run.curves("chunk")
        self.detection = run.detection()

    def curves_over(self, over: str) -> pd.DataFrame:
        """The curves averaged otherwise: ``"chunk"``, ``"cumulative"`` or ``"faded"``."""
        return self.run.curves(over)

    def to_arrow(self, table: str = "curves") -> Any:
        """Return one of the tables, ``"curves"``, ``"summary"`` …, as a pyarrow Table.

        The learner of ``summary`` is a column; what is old and new in ``events`` is JSON.
        """
        return _table(self, table).to_arrow()

    def to_polars(self, table: str = "curves") -> pl.DataFrame:
        """Return one of the tables as a polars DataFrame, as ``to_arrow`` does.

        Raises
        ------
        ModuleNotFoundError
            If polars is not installed.
        """
        return _table(self, table).to_polars()

    def plot(
        self,
        measure: str | Sequence[str] | None = None,
        over: str = "chunk",
        **options: Any,
    ) -> Any:
        """Return measures' curves of each learner, named at their ends, with dated drifts and tunings (Matplotlib).

        Parameters
        ----------
        measure
            Of the run's measures, or several of them: a panel for each. Default: the accuracy or ``"micro_f1"`` if it
            is among them, else the first.
        over
            ``"chunk"``, ``"cumulative"``, ``"faded"`` or ``"tenth"``.
        options
            ``theme``, ``"light"`` or ``"dark"``; ``width`` and ``height`` of the figure in pixels; ``title``; and what
            Matplotlib's ``Axes.set`` takes, for each panel: ``ylim``, ``yscale`` …

        Raises
        ------
        ValueError
            For a measure, average, theme or option that there is not.
        ImportError
            If Matplotlib is not installed (the ``notebook`` extra has it).
        """
        return HOOKS.load("plot_result")(self, measure, over, **options)

    def _repr_html_(self) -> str:
        """Return the summary, as a notebook shows it; ``plot`` draws the curves."""
        measures = [name for name in self.summary.columns if name in self.curves.columns]
        shown = main_first(measures)[:MOST_MEASURES]
        rows = self.run.position
        kinds = [f"{kind} ({n:,})" for kind, n in self.events.kind.value_counts(sort=False).items()]
        notes = [f"Events: {', '.join(kinds)}."] if kinds else []
        left = len(measures) - len(shown)
        notes += [f"{left} measures more are in summary and curves."] if left else []
        unanswered = "answered" in self.summary and (self.summary["answered"] < LEAST_ANSWERED).any()
        answered = ["answered", "accuracy_of_answered"] * bool(unanswered)
        table = self.summary[[*shown, *answered, "seconds", "bytes"]]
        return result_html(f"{self.run.stream.name}, {rows:,} rows, tested then trained", table, notes)

    def __repr__(self) -> str:
        return f"PrequentialResult of {self.run!r}\n{self.summary}"


def main_first(measures: Sequence[str]) -> list[str]:
    """Return measures with the one first that is shown where none is asked for: accuracy or micro F1, if among them."""
    return sorted(measures, key=lambda name: name not in MAIN)


def _table(result: PrequentialResult, name: str) -> nw.DataFrame[Any]:
    import narwhals as nw

    table = getattr(result, checked_choice("table", name, ("curves", "summary", "tenths", "events", "detection")))
    if name == "events":
        table = event_table(result.run.log)
    return nw.from_native(table.reset_index() if table.index.name else table, eager_only=True)
