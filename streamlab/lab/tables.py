"""The tables of a run, and their files: CSV for people and spreadsheets, Parquet for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._checks import checked_choice
from streamlab._files import replacing
from streamlab.lab.detection_report import detection_table
from streamlab.lab.events import EventLog
from streamlab.lab.history import with_curves
from streamlab.lab.lockstep import Lockstep
from streamlab.measures import DEFAULT_WITHIN, MEASURES, Measure, Tracker
from streamlab.measures.classes import ANSWERS, MOST_CLASSES
from streamlab.measures.lead import quantile
from streamlab.measures.measure import ratio

if TYPE_CHECKING:
    import pandas as pd

FORMATS = (".csv", ".parquet")


class Tables:
    """What can be read of a run as DataFrames.

    Parameters
    ----------
    lockstep
        The learners and the log.
    """

    def __init__(self, lockstep: Lockstep) -> None:
        self._lockstep = lockstep
        self._course, self._learners, self._log = lockstep.course, lockstep.learners, lockstep.log

    @property
    def _main(self) -> str:
        # a run that was asked for other measures does not count accuracy; of one answer a row micro F1 is as high
        counted = self._learners.measures
        has_accuracy = self._course.schema.classes is not None and (counted is None or "accuracy" in counted)
        return "accuracy" if has_accuracy else "micro_f1"

    def curves(self, over: str = "chunk", measures: Iterable[str | Measure] | None = None) -> pd.DataFrame:
        """The measures' curves so far, one row per point and learner.

        Parameters
        ----------
        over
            ``"chunk"``, ``"cumulative"`` or ``"faded"``.
        measures
            Default: those of the run, except for ``macro_average_precision``, which is not a sum of counts.

        Returns
        -------
        DataFrame
            Columns ``position`` (instances up to the point), ``learner``, and one per measure.

        Raises
        ------
        ValueError
            For an unknown measure or average, or a measure that has no curve.
        """
        import pandas as pd

        if measures is not None:
            measures = with_curves(measures, self._course.schema)
        tables = []
        for name, learner_run in self._learners.runs.items():
            kept = learner_run.tracker.measures
            wanted = [m for m in kept if MEASURES[m].has_curve] if measures is None else measures
            columns = {m: learner_run.history.curve(m, over) for m in wanted}
            tables.append(pd.DataFrame({"position": learner_run.history.positions.copy(), "learner": name, **columns}))
        return pd.concat(tables, ignore_index=True)

    def level_curves(self, over: str = "chunk") -> pd.DataFrame:
        """How each level of the labels' hierarchy has done, one row per point, learner and level.

        Parameters
        ----------
        over
            As in ``curves``.

        Returns
        -------
        DataFrame
            Columns ``position``, ``learner``, ``level`` (0 at the top), ``precision``, ``recall``, ``f1`` and
            ``first_wrong``, the share of the instances that are right above the level and wrong at it.

        Raises
        ------
        ValueError
            If the stream's labels have no hierarchy, or for an unknown average.
        """
        import pandas as pd

        tables = []
        for name, learner_run in self._learners.runs.items():
            values = learner_run.history.level_curves(over)
            points, levels = values["f1"].shape
            columns = {
                "position": np.repeat(learner_run.history.positions, levels),
                "learner": name,
                "level": np.tile(np.arange(levels), points),
            }
            tables.append(pd.DataFrame(columns | {key: array.ravel() for key, array in values.items()}))
        return pd.concat(tables, ignore_index=True)

    def summary(self) -> pd.DataFrame:
        """Return the table of ``Run.summary``; of classes also ``answered``, a share, and ``accuracy_of_answered``."""
        import pandas as pd

        return pd.DataFrame(
            {
                name: {
                    **learner_run.tracker.values("cumulative"),
                    **_of_answered(learner_run.tracker),
                    "instances": learner_run.n_rows,
                    "seconds": learner_run.seconds,
                    "instances_per_second": learner_run.instances_per_second,
                    "bytes": learner_run.learner.n_bytes,
                }
                for name, learner_run in self._learners.runs.items()
            }
        ).T.rename_axis("learner")

    def confusion(self, learner: str, over: str = "cumulative") -> pd.DataFrame:
        """Which class a learner answered as which, on a stream of up to thirty classes.

        Parameters
        ----------
        learner
            Its name.
        over
            ``"cumulative"``, or ``"faded"``: recent rows, as in the curves.

        Returns
        -------
        DataFrame
            Counted rows that were answered: a row for each class, a column for each answer. Its ``attrs`` have
            ``rows``, all of them (faded as the counts), ``answered``, the share that was answered,
            ``accuracy``, in which the others are wrong, and ``accuracy_of_answered``, which is River's; and
            ``strange_answers``, classes of a River model's own that the stream does not have: rows answered so are
            among those without an answer.

        Raises
        ------
        ValueError
            If there is no such learner, the rows of the stream have no classes or more than thirty, or ``over`` is
            another average.

        Examples
        --------
        >>> from river import datasets
        >>> import streamlab as sl
        >>> run = sl.Run(datasets.Phishing(), {"SMART": sl.SMART(seed=1)})
        >>> run.advance(), run.confusion("SMART").to_numpy(int).tolist()
        (1250, [[600, 51], [43, 456]])
        """
        import pandas as pd

        own = self._learners.called(learner)
        tracker = own.tracker
        checked_choice("over", over, ("cumulative", "faded"))
        if ANSWERS not in tracker.kept:
            has = "label sets" if tracker.past is None else f"{tracker.n_labels} classes"
            raise ValueError(f"this stream has {has}; expected up to {MOST_CLASSES} classes for a confusion matrix")
        names = list(tracker.labels)
        counted = tracker.counts(over).extra[ANSWERS.name].copy()
        table = pd.DataFrame(counted, index=pd.Index(names, name="class"), columns=pd.Index(names, name="answer"))
        rows, right = float(tracker.counts(over).n), float(np.trace(counted))
        strange = list(getattr(own.learner, "strange_answers", ()))
        table.attrs = {"rows": rows, "accuracy": ratio(right, rows, 0.0), **_of_answered(tracker, over)}
        table.attrs |= {"strange_answers": strange} if strange else {}
        return table

    def what_matters(self, learner: str) -> pd.DataFrame:
        """Return which features a learner answers by, and since when, where the run asks (``Run(importance=True)``).

        Parameters
        ----------
        learner
            Its name.

        Returns
        -------
        DataFrame
            A row for each point and feature asked: ``position``, rows passed; ``feature``; ``value``, by how much the
            squared error of the scores grows without it; ``error``, its standard error. What is within two errors of 0
            does not matter. Up to 500 points; of more each is of several chunks.

        Raises
        ------
        ValueError
            If there is no such learner, or the run does not ask.
        """
        asked = self._learners.called(learner).importance
        if asked is None:
            raise ValueError("this run does not ask what matters; expected one made with importance=True")
        return asked.table()

    def tenths(self) -> pd.DataFrame:
        """Return the table of ``Run.tenths``."""
        import pandas as pd

        rows = [
            {"learner": name, **tenth}
            for name, learner_run in self._learners.runs.items()
            for tenth in learner_run.tracker.tenths()
        ]
        return pd.DataFrame(rows)

    def compare(self, first: str, second: str, measure: str | None = None) -> pd.DataFrame:
        """Return how two learners differ since the later of them came, chunk by chunk.

        Parameters
        ----------
        first, second
            Names of learners.
        measure
            One that has a curve; default: accuracy of classes, else micro F1.

        Returns
        -------
        DataFrame
            A row for each point of the curves since then: ``position``; ``first`` and ``second``, the measure of each
            over the point's own rows; ``difference``, second less first; ``mean``, that of the differences so far, and
            ``low`` and ``high``, a band that holds their mean in 95 of 100 cases if points are independent: that of
            ``measures.difference_of``, a point as the block; NaN for a single point.

        Raises
        ------
        ValueError
            For an unknown learner or measure.
        """
        import pandas as pd

        (measure,) = with_curves((measure or self._main,), self._course.schema)
        pair = [self._learners.called(name) for name in (first, second)]
        since = max(max(each.joined_at, each.forked_at) for each in pair)
        positions = pair[0].history.positions
        kept = positions > since
        values = [each.history.curve(measure)[kept] for each in pair]
        difference = values[1] - values[0]
        n = np.arange(1, len(difference) + 1)
        mean = np.cumsum(difference) / n
        squares = np.maximum(np.cumsum(difference**2) - n * mean**2, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            reach = np.where(n > 1, quantile(n) * np.sqrt(squares / (n - 1) / n), np.nan)
        return pd.DataFrame(
            {
                "position": positions[kept],
                "first": values[0],
                "second": values[1],
                "difference": difference,
                "mean": mean,
                "low": mean - reach,
                "high": mean + reach,
            }
        )

    def detection(
        self,
        by: str = "learner",
        *,
        within: int | None = DEFAULT_WITHIN,
        measure: str | None = None,
        twin: Any = None,
        since: int = 0,
    ) -> pd.DataFrame:
        """How well the stream's drifts were detected so far.

        Parameters
        ----------
        by
            ``"learner"``; ``"label"``: the alarms on each label's errors (a run with ``alarms="label"`` has them); or
            ``"node"``: the alarms of each node of a learner that tells them.
        within
            As in ``measures.match_alarms``, 2,000 instances by default.
        measure
            On whose curve (per chunk) falls and recovery are measured, by learner; default: accuracy of classes, else
            micro F1.
        twin
            The run without the drifts that were put in (``lab.without_drifts``): the column ``behind`` measures what
            these cost against it, whatever the level before was.
        since
            Only drifts and alarms from this row on count; default: all.

        Returns
        -------
        DataFrame
            Columns ``learner``, ``source`` (``"errors"``: the run's own watch; else the learner's word for its event)
            or ``label`` or ``node``; ``drifts``, ``detected``, ``missed``, ``mean_time_to_detection``,
            ``by_chance`` (how often as many alarms at random places would have been as soon), ``false_alarms``,
            ``mean_time_between_false_alarms`` in instances. An alarm does not count where the error fell.
            By learner also ``affected`` (drifts after which the curve fell), ``judged`` and ``unjudged`` (those of
            which it may be said whether it fell, and those with too few points after them), and of those affected:
            ``level`` and ``plateau`` (the means of the measure before them, and of what the learner came to on the new
            concepts), ``lost`` (the area between level and curve until it was back: the measure times instances),
            ``recovered`` (how many it came back after to its level) and ``recovery_time``, their mean in instances;
            ``settled``, ``settling_time`` and ``settling_loss``, the same by its own plateau, whatever that is worth;
            see ``measures.recovery_of``. With a twin ``behind``: the area between its curve and the learner's since the
            first drift that it did not have. A drift from before a learner joined or was forked is not among its own.
            Who does best after the drifts stands first.

        Raises
        ------
        ValueError
            For an unknown ``by`` or measure.
        """
        return detection_table(self._lockstep, by, within=within, measure=measure or self._main, since=since, twin=twin)

    def write_curves(
        self, path: str | Path, over: str = "chunk", measures: Iterable[str | Measure] | None = None
    ) -> Path:
        """Write the table of ``curves`` as a file and return its path.

        Parameters
        ----------
        path
            The file, ``.csv`` or ``.parquet``; replaced if it exists.
        over, measures
            As in ``curves``.

        Raises
        ------
        ValueError
            For another ending, or as ``curves``; nothing is written then.
        OSError
            If the file cannot be written.
        """
        return write_table(self.curves(over, measures), path)

    def write_events(self, path: str | Path) -> Path:
        """Write the table of ``events`` as a file, ``.csv`` or ``.parquet``, and return its path.

        ``old`` and ``new`` are JSON there, and a column ``detail`` more has all numbers of an event as a JSON object.

        Raises
        ------
        ValueError
            For another ending; nothing is written then.
        OSError
            If the file cannot be written.
        """
        return write_table(event_table(self._log), path)


def _of_answered(tracker: Tracker, over: str = "cumulative") -> dict[str, float]:
    """Return the share of the rows of classes that were answered, and their accuracy; nothing of label sets."""
    if tracker.past is None:
        return {}
    counts = tracker.counts(over)
    answered = float((counts.tp + counts.fp).sum())
    right = float(counts.tp.sum())
    return {"answered": ratio(answered, counts.n, 0.0), "accuracy_of_answered": ratio(right, answered, 0.0)}


def write_table(table: pd.DataFrame, path: str | Path) -> Path:
    """Write a table without its index; the path's ending says how.

    Parameters
    ----------
    table
        Columns of one kind each.
    path
        The file, ``.csv`` or ``.parquet``; replaced if it exists.

    Raises
    ------
    ValueError
        For another ending.
    OSError
        If the file cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{path}: the name ends with {path.suffix!r}; expected {' or '.join(FORMATS)}")
    with replacing(path) as file:
        if path.suffix.lower() == ".csv":
            table.to_csv(file, index=False)
        else:
            table.to_parquet(file, index=False)
    return path


def event_table(log: EventLog) -> pd.DataFrame:
    """Return ``EventLog.table`` with one kind of value per column, as Parquet needs it.

    ``old`` and ``new`` are JSON, for parameters are numbers, words or None; ``detail`` has all that an event says
    beside its sentence, as a JSON object.
    """
    table = log.table()
    for name in ("old", "new"):
        table[name] = [
            _json(event.detail[name]) if event.kind == "tuned" and name in event.detail else None for event in log
        ]
    table["detail"] = [_json(event.detail) for event in log]
    texts = [name for name in table.columns if name != "position"]
    return table.astype({"position": "int64", **dict.fromkeys(texts, "string")})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return value.tolist() if isinstance(value, np.ndarray) else str(value)
