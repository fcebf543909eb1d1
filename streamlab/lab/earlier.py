"""The curves of an earlier run, read from its archive: to be laid under those of the present one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from streamlab.lab.archive_file import MOST_BYTES
from streamlab.lab.history import History
from streamlab.lab.run import Run
from streamlab.measures import MEASURES
from streamlab.schema import Schema

__all__ = ["earlier_run"]


@dataclass(frozen=True)
class EarlierRun:
    """What is left of a run when only its curves are of interest.

    Parameters
    ----------
    stream
        The name of its stream.
    rows
        How many instances it had passed.
    histories
        By learner its past.
    """

    stream: str
    rows: int
    histories: Mapping[str, History]

    def curves(self, measure: str, over: str = "chunk") -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return the curves of a measure.

        Parameters
        ----------
        measure
            A name of ``MEASURES``.
        over
            ``"chunk"``, ``"faded"`` or ``"cumulative"``.

        Returns
        -------
        positions
            int64 [points], instances up to each point.
        values
            float64 [points] by learner; no learner where the run did not count what the measure needs.
        """
        first = next(iter(self.histories.values()))
        try:
            values = {name: history.curve(measure, over) for name, history in self.histories.items()}
        except (KeyError, ValueError):
            if measure not in MEASURES:
                raise
            values = {}
        return first.positions.copy(), values


def earlier_run(path: str | Path, schema: Schema, *, most_bytes: int = MOST_BYTES) -> EarlierRun:
    """Return the curves that an archive holds.

    Parameters
    ----------
    path
        What ``Run.save`` wrote.
    schema
        That of the present run's stream: the earlier run must have answered the same labels.
    most_bytes
        As in ``Run.open``.

    Raises
    ------
    ValueError
        In one line that names the file: if it is not an archive or damaged, has no curves yet, or has other labels.

    Examples
    --------
    >>> import tempfile
    >>> import streamlab as sl
    >>> run = sl.Run("yeast", {"no-change": sl.NoChange()})
    >>> run.advance(200)
    200
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = run.save(Path(folder) / "before.slab")
    ...     before = earlier_run(Path(folder) / "before.slab", run.stream.schema)
    >>> before.rows, before.curves("micro_f1")[0].tolist()
    (200, [100, 200])
    """
    path = Path(path)
    run = Run.open(path, look_back=True, most_bytes=most_bytes)
    theirs, ours = run.stream.schema.labels, schema.labels
    if set(theirs) != set(ours):
        common = len(set(theirs) & set(ours))
        told = f"{common} of its {len(theirs)} labels are" if common else "none of its labels is"
        raise ValueError(
            f"{path}: the run was on {run.stream.name!r}, and {told} among those of the present stream; expected a run "
            "on the same labels"
        )
    histories = {name: each.history for name, each in run.learner_runs.items()}
    if not any(len(history) for history in histories.values()):
        raise ValueError(f"{path}: the run has no curves yet: it passed {run.position:,} rows")
    return EarlierRun(run.stream.name, run.position, histories)
