"""Learners that come and go while a run is under way: forks, newcomers, and what sets two apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.lab.actions import FORK, JOIN, REMOVE, Action
from streamlab.lab.events import Event, EventLog
from streamlab.lab.history import with_curves
from streamlab.lab.learner_run import LearnerRun
from streamlab.lab.named_learners import named_learners
from streamlab.lab.ownership import Owned, owned
from streamlab.lab.time_machine import TimeMachine
from streamlab.learners import Learner
from streamlab.streams import Chunk, Stream

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Forks"]

# a band that holds the mean difference in 95 of 100 cases, by the normal distribution
BAND = 1.959963984540054


class Forks(Owned):
    """A run whose learners come and go."""

    stream: Stream
    chunk: int
    learner_runs: dict[str, LearnerRun]
    log: EventLog
    position: int
    _machine: TimeMachine
    _current: Chunk | None
    _used: int
    _part: tuple[int, int]

    @owned
    def fork(self, learner: str, name: str, *, train_on: int | None = None, **parameters: Any) -> Event:
        """Let a copy of a learner go on under another name, with other parameters, over the same rows.

        With parameters that may change mid-stream the copy has learned what its origin has, and its curves have the
        same past. Other parameters need a new learner, which is trained on the newest rows (``train_on``).

        Parameters
        ----------
        learner
            Whose copy.
        name
            What the copy is called; no learner of the run may be called so.
        train_on
            How many of the newest rows a new learner learns first, 0 or more; None: no new one but a copy, with
            parameters that are tunable.
        **parameters
            The copy's parameters that differ; none: a copy that stays the same to the bit.

        Returns
        -------
        Event
            Of the kind ``"forked"``.

        Raises
        ------
        ValueError
            For an unknown learner or parameter, a value that is not allowed, a name that is taken, or parameters that
            are not tunable without ``train_on``; nothing is changed then.
        """
        self._machine.begin()
        event = self._fork(learner, name, train_on, parameters)
        self._machine.record(FORK, learner=learner, name=name, train_on=train_on, parameters=dict(parameters))
        return event

    @owned
    def join(self, name: str, learner: Learner | Any, *, train_on: int = 0) -> Event:
        """Let another learner join the run, from here on.

        Parameters
        ----------
        name
            What it is called; no learner of the run may be called so.
        learner
            As in ``Run``; it is the run's own from now on.
        train_on
            How many of the newest rows it learns first.

        Returns
        -------
        Event
            Of the kind ``"joined"``.

        Raises
        ------
        ValueError
            For what is not a learner, a name that is taken, or as ``Learner.learn_many``; nothing is changed then.
        """
        ((_, own),) = named_learners({name: learner}).items()
        self._machine.begin()
        pristine = own.copy()
        event = self._join(name, own, train_on)
        self._machine.record(JOIN, name=name, learner=pristine, train_on=train_on)
        return event

    @owned
    def remove(self, name: str) -> Event:
        """Take a learner out of the run; ``put_back`` undoes it. The last one stays.

        Raises
        ------
        ValueError
            If there is no such learner, or no other.
        """
        self._machine.begin()
        event = self._remove(name)
        self._machine.record(REMOVE, name=name)
        return event

    @owned
    def put_back(self, name: str) -> None:
        """Undo the newest removal of a learner: it is as if it had never been removed, over the rows since, too.

        Raises
        ------
        ValueError
            If no learner of that name was removed on this branch before where the run stands, or another has its name.
        """
        machine, position = self._machine, self.position
        removals = [a for a in machine.path[: machine.done] if a.kind == REMOVE and a.detail["name"] == name]
        if not removals:
            raise ValueError(f"no learner {name!r} was removed here")
        self._check_free(name)
        machine.keep_end()
        removal, before = removals[-1], machine.current.number
        machine.branch(left_out=removal)
        try:
            machine.redo_from(removal.position, position)
        except ValueError:
            # what was done since does not go with it, such as another learner of its name
            machine.switch(before)
            raise

    @property
    @owned
    def removed(self) -> tuple[str, ...]:
        """The learners that were removed on this branch and can be put back, the newest last."""
        machine = self._machine
        gone = [each.detail["name"] for each in machine.path[: machine.done] if each.kind == REMOVE]
        return tuple(name for name in dict.fromkeys(gone) if name not in self.learner_runs)

    @owned
    def compare(self, first: str, second: str, measure: str = "micro_f1") -> pd.DataFrame:
        """Return how two learners differ since the later of them came, chunk by chunk.

        Parameters
        ----------
        first, second
            Names of learners.
        measure
            One that has a curve.

        Returns
        -------
        DataFrame
            A row for each point of the curves since then: ``position``; ``first`` and ``second``, the measure of each
            over the point's own rows; ``difference``, second less first; ``mean``, that of the differences so far, and
            ``low`` and ``high``, a band that holds their mean in 95 of 100 cases if points are independent: the mean
            less and plus 1.96 standard errors, paired, a point as the unit; NaN for a single point.

        Raises
        ------
        ValueError
            For an unknown learner or measure.
        """
        import pandas as pd

        (measure,) = with_curves((measure,), self.stream.schema.hierarchy is not None)
        pair = [self._learner_run(name) for name in (first, second)]
        since = max(max(each.joined_at, each.forked_at) for each in pair)
        positions = pair[0].history.positions
        kept = positions > since
        values = [each.history.curve(measure)[kept] for each in pair]
        difference = values[1] - values[0]
        n = np.arange(1, len(difference) + 1)
        mean = np.cumsum(difference) / n
        squares = np.maximum(np.cumsum(difference**2) - n * mean**2, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            error = np.where(n > 1, np.sqrt(squares / (n - 1) / n), np.nan)
        return pd.DataFrame(
            {
                "position": positions[kept],
                "first": values[0],
                "second": values[1],
                "difference": difference,
                "mean": mean,
                "low": mean - BAND * error,
                "high": mean + BAND * error,
            }
        )

    # ------------------------------------------------------------------ also done again, when the run goes back

    def _do_learners(self, action: Action) -> None:
        detail = action.detail
        if action.kind == FORK:
            self._fork(detail["learner"], detail["name"], detail["train_on"], detail["parameters"])
        elif action.kind == JOIN:
            self._join(detail["name"], detail["learner"].copy(), detail["train_on"])
        else:
            self._remove(detail["name"])

    def _fork(self, learner: str, name: str, train_on: int | None, parameters: dict[str, Any]) -> Event:
        origin = self._learner_run(learner)
        self._check_free(name)
        tunable = {each.name for each in origin.learner.tunables}
        structural = sorted(set(parameters) - tunable)
        said = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
        if train_on is None and structural:
            raise ValueError(
                f"{', '.join(structural)} cannot change mid-stream: give train_on=, the newest rows on which a new "
                "learner is trained (0: none)"
            )
        if train_on is None:
            copy = origin.learner.copy()
            if parameters:
                copy.tune(**parameters)
            forked = self._new_learner_run(name, copy)
            forked.take_past(origin)
        else:
            known = origin.learner._get_params()
            for parameter in structural:
                if parameter.partition("__")[0] not in known and not hasattr(origin.learner, "steps"):
                    raise ValueError(f"{learner} has no parameter {parameter!r}; it has: {', '.join(known)}")
            forked = self._newcomer(name, origin.learner.clone(parameters), train_on)
        forked.forked_at = self.position
        self.learner_runs = {**self.learner_runs, name: forked}
        return self.log.add(
            self.position, name, "forked", f"{name} left {learner}" + (f" with {said}" if said else ""),
            {"from": learner, "parameters": dict(parameters)},
        )  # fmt: skip

    def _join(self, name: str, learner: Learner, train_on: int) -> Event:
        self._check_free(name)
        joined = self._newcomer(name, learner, train_on)
        self.learner_runs = {**self.learner_runs, name: joined}
        trained = f", trained on the {min(train_on, self.position):,} rows before" if train_on else ""
        return self.log.add(self.position, name, "joined", f"{name} joined{trained}")

    def _remove(self, name: str) -> Event:
        self._learner_run(name)
        if len(self.learner_runs) == 1:
            raise ValueError(f"{name} is the run's only learner")
        self.learner_runs = {other: each for other, each in self.learner_runs.items() if other != name}
        return self.log.add(self.position, name, "removed", f"{name} was removed")

    def _newcomer(self, name: str, learner: Learner, train_on: int) -> LearnerRun:
        """Return a learner that begins here, trained on the newest rows whose labels are known."""
        if isinstance(train_on, bool) or not isinstance(train_on, int) or train_on < 0:
            raise ValueError(f"train_on={train_on!r}: expected a number of rows, 0 or more")
        newcomer = self._new_learner_run(name, learner)
        labelling = self.stream.labelling
        for part in self.stream.chunks(self.chunk, start=max(0, self.position - train_on), stop=self.position):
            X, Y, rows = part.X, part.Y, np.arange(part.start, part.stop)
            if labelling is not None:
                known = labelling.arrives(rows) < self.position
                X, Y, rows = X[known], labelling.told(Y, rows)[known], rows[known]
            if len(Y):
                self._train(learner, rows, X, Y)
        learner.take_events()
        first, last = self._part
        amid = self._current is not None and first < self._used < last
        asked = self._current.X[first:last] if amid and self._current is not None else None
        newcomer.begin_at(self.position, next(iter(self.learner_runs.values())).history, asked)
        return newcomer

    def _check_free(self, name: Any) -> None:
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"the name {name!r}; expected a text that is not empty")
        if name in self.learner_runs:
            raise ValueError(f"there is a learner {name!r} in this run already; expected another name")

    def _learner_run(self, learner: str) -> LearnerRun:
        if learner not in self.learner_runs:
            raise ValueError(f"no learner {learner!r} in this run; there are: {', '.join(self.learner_runs)}")
        return self.learner_runs[learner]

    def _train(self, learner: Learner, rows: np.ndarray, X: Any, Y: np.ndarray) -> None:
        """Let a newcomer learn rows of before."""
        raise AssertionError("a run marks instants among them")

    def _new_learner_run(self, name: str, learner: Learner) -> LearnerRun:
        """Return a learner with its counts and history, bound to the stream's columns."""
        raise AssertionError("a run makes them")
