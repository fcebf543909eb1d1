"""The curves and events of an earlier run, read from its archive: to be laid under those of the present one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import convert

from streamlab._checks import shown
from streamlab.lab.archive import MOST_BYTES, Members, naming
from streamlab.lab.events import EventLog, log_of
from streamlab.lab.history import POSITIONS, read_curves
from streamlab.lab.recipe import RunRecipe
from streamlab.measures import MEASURES
from streamlab.schema import Schema

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["earlier_run"]


@dataclass(frozen=True)
class EarlierRun:
    """What is left of a run when its rows are not there: curves and events, no learner, picture or instant.

    Parameters
    ----------
    stream
        The name of its stream.
    rows
        How many instances it had passed.
    learners
        Their names.
    positions
        int64 [points], instances up to each point of the curves.
    values
        The curves, float64 [points], by over, measure and learner.
    log
        Its events in order.
    """

    stream: str
    rows: int
    learners: tuple[str, ...]
    positions: np.ndarray
    values: Mapping[tuple[str, str, str], np.ndarray]
    log: EventLog

    @property
    def events(self) -> pd.DataFrame:
        """As ``Run.events``; of a file of an earlier format none."""
        return self.log.table()

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
        if measure not in MEASURES:
            raise ValueError(f"unknown measure {shown(measure)}")
        found = {name: self.values.get((over, measure, name)) for name in self.learners}
        return self.positions.copy(), {name: values for name, values in found.items() if values is not None}


def earlier_run(path: str | Path, schema: Schema | None = None, *, most_bytes: int = MOST_BYTES) -> EarlierRun:
    """Return the curves and events that an archive holds, as they were seen; the rows are not needed.

    Parameters
    ----------
    path
        What ``Run.save`` wrote.
    schema
        That of a stream whose labels the earlier run must have answered; None: it may be any.
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
    with naming(path), Members(path, most_bytes) as members:
        recipe = convert(members.json("run.json"), RunRecipe)
        name = recipe.stream.name
        if schema is not None:
            _check_labels(name, Schema.from_json(recipe.stream.schema).labels, schema.labels)
        curves = read_curves(members.read("curves.safetensors"))
        log = log_of(members.json("events.json"))
    positions = curves.pop(POSITIONS, np.zeros(0, np.int64))
    if not len(positions):
        raise ValueError(f"{path}: the run has no curves yet: it passed {recipe.position:,} rows")
    first = [*recipe.learners]
    learners = {each for _, _, each in curves}
    ordered = [*(each for each in first if each in learners), *sorted(learners.difference(first))]
    return EarlierRun(name, recipe.position, tuple(ordered), positions, curves, log)


def _check_labels(name: str, theirs: Sequence[str], ours: Sequence[str]) -> None:
    if set(theirs) != set(ours):
        common = len(set(theirs) & set(ours))
        shared = f"{common} of its {len(theirs)} labels are" if common else "none of its labels is"
        raise ValueError(
            f"the run was on {name!r}, and {shared} among those of the present stream; expected a run on "
            "the same labels"
        )
