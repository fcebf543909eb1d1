"""The tables of a run: curves, summary, tenths, detections, events."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from streamlab.lab.detection_report import detection_table
from streamlab.lab.events import EventLog
from streamlab.lab.history import with_curves
from streamlab.lab.learner_run import LearnerRun
from streamlab.lab.ownership import Owned, owned
from streamlab.lab.table_files import event_table, write_table
from streamlab.measures import DEFAULT_WITHIN, MEASURES
from streamlab.streams import Stream

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RunTables"]


class RunTables(Owned):
    """What can be read of a run as DataFrames."""

    stream: Stream
    learner_runs: dict[str, LearnerRun]
    log: EventLog
    position: int

    @owned
    def curves(self, over: str = "chunk", measures: Iterable[str] | None = None) -> pd.DataFrame:
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
            measures = with_curves(measures, self.stream.schema.hierarchy is not None)
        tables = []
        for name, learner_run in self.learner_runs.items():
            kept = learner_run.tracker.measures
            wanted = [m for m in kept if MEASURES[m].has_curve] if measures is None else measures
            columns = {m: learner_run.history.curve(m, over) for m in wanted}
            tables.append(pd.DataFrame({"position": learner_run.history.positions.copy(), "learner": name, **columns}))
        return pd.concat(tables, ignore_index=True)

    @owned
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
        for name, learner_run in self.learner_runs.items():
            values = learner_run.history.level_curves(over)
            points, levels = values["f1"].shape
            columns = {
                "position": np.repeat(learner_run.history.positions, levels),
                "learner": name,
                "level": np.tile(np.arange(levels), points),
            }
            tables.append(pd.DataFrame(columns | {key: array.ravel() for key, array in values.items()}))
        return pd.concat(tables, ignore_index=True)

    @property
    @owned
    def summary(self) -> pd.DataFrame:
        """By learner: the cumulative measures, ``instances``, CPU ``seconds``, ``instances_per_second``, ``bytes``."""
        import pandas as pd

        return pd.DataFrame(
            {
                name: {
                    **learner_run.tracker.values("cumulative"),
                    "instances": learner_run.n_rows,
                    "seconds": learner_run.seconds,
                    "instances_per_second": learner_run.instances_per_second,
                    "bytes": learner_run.learner.n_bytes,
                }
                for name, learner_run in self.learner_runs.items()
            }
        ).T.rename_axis("learner")

    @property
    @owned
    def tenths(self) -> pd.DataFrame:
        """The measures over each tenth of the stream (SMART's way of reporting), one row per tenth and learner."""
        import pandas as pd

        rows = [
            {"learner": name, **tenth}
            for name, learner_run in self.learner_runs.items()
            for tenth in learner_run.tracker.tenths()
        ]
        return pd.DataFrame(rows)

    @owned
    def detection(
        self, by: str = "learner", *, within: int | None = DEFAULT_WITHIN, measure: str = "micro_f1"
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
            On whose curve (per chunk) harm and recovery are measured, by learner.

        Returns
        -------
        DataFrame
            Columns ``learner``, ``source`` (``"errors"``: the run's own watch; else the learner's word for its event)
            or ``label`` or ``node``; ``drifts``, ``detected``, ``missed``, ``mean_time_to_detection``,
            ``false_alarms``, ``mean_time_between_false_alarms`` in instances. An alarm on an error that fell is none.
            By learner also ``harmed`` (drifts after which the curve fell by more than it varied before),
            ``lost`` (the area between the level before these drifts and the curve, until it was back: the measure times
            instances), ``recovered`` (those of them after which it came back) and ``recovery_time``, their mean in
            instances; see ``measures.harm_of``. Who lost least stands first.

        Raises
        ------
        ValueError
            For an unknown ``by`` or measure.
        """
        return detection_table(
            self.stream, self.learner_runs, self.log, self.position, by=by, within=within, measure=measure
        )

    @property
    @owned
    def events(self) -> pd.DataFrame:
        """Every tuning, drift and structural event, in order."""
        return self.log.table()

    @owned
    def write_curves(self, path: str | Path, over: str = "chunk", measures: Iterable[str] | None = None) -> Path:
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

    @owned
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
        return write_table(event_table(self.log), path)
