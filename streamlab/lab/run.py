"""A run: several learners in lock-step on one stream, advanced by hand, each tuning an event.

A run is a face over its parts: where it stands (``Course``), its learners (``Learners``) in lock-step with the log
(``Lockstep``), the time machine that sets these back and on (``TimeMachine``), what people change (``Changes``), its
tables (``Tables``) and its archive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from streamlab._checks import checked_count
from streamlab._files import write_whole
from streamlab._lock import serialised
from streamlab.lab.archive import MOST_BYTES, Archive, Collected, Progress, collected, naming, written
from streamlab.lab.asking import Asking
from streamlab.lab.changes import Changes
from streamlab.lab.course import Course, Mark
from streamlab.lab.drift_watch import named_detectors
from streamlab.lab.events import EventLog
from streamlab.lab.fingerprint import Fingerprint
from streamlab.lab.label_stats import LabelStatistics
from streamlab.lab.learner_run import LearnerRun
from streamlab.lab.learners import Learners, Settings, named_learners
from streamlab.lab.lockstep import Lockstep
from streamlab.lab.ownership import Owned, offered, offered_in_slices, owned
from streamlab.lab.recipe import made_detectors
from streamlab.lab.script import script_of
from streamlab.lab.seeds import with_seeds
from streamlab.lab.snapshots import DEFAULT_BUDGET
from streamlab.lab.tables import Tables
from streamlab.lab.time_machine import TimeMachine
from streamlab.lab.view_log import ViewLog
from streamlab.learners import Learner
from streamlab.measures import measure_names
from streamlab.plugins import HOOKS
from streamlab.streams import Stream, load

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Run"]


class Run(Owned):
    """Learners on a stream, chunk by chunk: all are tested on the same instances, then trained on them.

    Parameters
    ----------
    stream
        A ``Stream``, or whatever ``load`` takes.
    learners
        A learner or a dictionary of learners by name. A River classifier is taken as it is where the stream has
        classes (``RiverClassifier``), else one per label (``OnePerLabel``), one of several labels or targets as it is
        (``RiverMultiLabel``, ``TargetsAsLabels``). They are the run's own from now on.
    chunk
        Instances that are predicted before any of them is learned, 1 or more.
    measures
        Names of ``MEASURES``, measures, or River's metrics, for the tables; default: all that the counts hold.
    fading
        Weight of an instance relative to the next in the faded measures, the MLHAT paper's 0.995.
    zero_division
        What a measure says for 0/0: 0.0, as River has it, or 1.0.
    history
        Points kept of every curve (an even number); reaching them, neighbours are added together.
    alarms
        ``"learner"`` (default): an ADWIN watches the Hamming loss of each learner, and when it rises there is an event
        of the kind ``"alarm"``; ``"label"``: each label's errors too, kind ``"label alarm"``; None: no alarms.
    alarm_delta
        ADWIN's confidence, above 0 and below 1. Default 0.002.
    snapshots
        Bytes of the snapshots with which the run goes back in time (``seek``), 256 MiB by default; 0: none but that of
        the beginning, from which it then goes on.
    seeds
        How many seeds each learner that takes one runs with, its own and those that follow (None: from 1 on):
        ``"SMART · seed 1"``, ``"SMART · seed 2"`` and so on are ordinary learners of the run. Charts draw them as one
        line, their mean, with a band from the least to the greatest. Default 1.
    detectors
        River's drift detectors by name, on each learner's Hamming loss row by row (of classes whether it is wrong) or
        on the measure that is named with it: ``{"mine": (drift.PageHinkley(), "example_f1")}``; see ``drift_watch``.
    importance
        Whether each learner is asked which features matter to it (``what_matters``, ``ask_importance``), at a tenth of
        its own time more; or options of ``Importance``. Default False. No answer changes by it.
    jobs
        How many learners may work at a time, each in a thread, where that saves time. Default: as many as this process
        may use cores. The results are equal to the bit.

    Raises
    ------
    ValueError
        For an unknown stream, no learner, a name that is empty or what is not a learner; for a sparse stream too wide
        for a learner that takes arrays.

    Examples
    --------
    >>> import streamlab as sl
    >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
    >>> run.advance(250)
    250
    >>> run.tune("SMART", half_life=50).message
    'half_life: 200 → 50'

    Notes
    -----
    Threads take turns. While a ``Player`` has the run, its thread carries out what others call, and answers within two
    seconds or raises a ValueError. An interrupt (Ctrl-C) takes effect between two chunks, and the run can go on.
    """

    def __init__(
        self, stream: Stream | Any, learners: Learner | Mapping[str, Learner], *, chunk: int = 100,
        measures: Iterable[object] | None = None, fading: float = 0.995, zero_division: float = 0.0,
        history: int = 2000, alarms: str | None = "learner", alarm_delta: float = 0.002,
        snapshots: int = DEFAULT_BUDGET, seeds: int = 1, detectors: Mapping[str, Any] | None = None,
        importance: bool | Mapping[str, Any] | Asking = False, jobs: int | None = None,
    ) -> None:  # fmt: skip
        stream = stream if isinstance(stream, Stream) else load(stream)
        counted = None if measures is None else measure_names(measures)
        last = snapshots, named_detectors(detectors, stream.schema.classes is not None), Asking.of(importance)
        settings = Settings(chunk, counted, fading, zero_division, history, alarms, alarm_delta, *last)
        checked_count("jobs", jobs, 1, optional=True)
        super().__init__()
        self._course = Course(stream, int(chunk))
        self._learners = Learners(self._course, settings)
        for name, learner in with_seeds(named_learners(learners, stream.schema), seeds).items():
            self._learners.take_in(name, self._learners.new(name, learner))
        self._lockstep = Lockstep(self._course, self._learners, jobs)
        self._machine = TimeMachine(self._lockstep, int(settings.snapshots))
        self._changes, self._tables = Changes(self._machine), Tables(self._lockstep)
        self._fingerprint: Fingerprint | None = None

    # ------------------------------------------------------------------ where it stands

    @property
    def stream(self) -> Stream:
        """The stream as it is now, with the drifts that were put in."""
        return self._course.stream

    @property
    def chunk(self) -> int:
        """Instances that are predicted before any of them is learned, unless ``set_step`` said fewer."""
        return self._course.chunk

    @property
    def zero_division(self) -> float:
        """What a measure says for 0/0."""
        return self._learners.settings.zero_division

    @property
    def position(self) -> int:
        """Instances that have passed."""
        return self._course.position

    @property
    def finished(self) -> bool:
        """Whether the stream has ended."""
        return self._course.finished

    @property
    def n_rows(self) -> int | None:
        """Length of the stream; None while it is not known."""
        return self._course.position if self._course.finished else self._course.n_rows

    @property
    def last(self) -> tuple[Any, np.ndarray] | None:
        """X of the latest row, an array or CSR of one row, and its labels; None at first."""
        return self._course.last

    @property
    def learner_runs(self) -> dict[str, LearnerRun]:
        """The learners with their counts and histories, by name; a new dictionary whenever one comes or goes."""
        return self._learners.runs

    @property
    def labels(self) -> LabelStatistics:
        """How often each label comes."""
        return self._lockstep.labels

    @property
    def log(self) -> EventLog:
        """The events."""
        return self._lockstep.log

    @property
    def step(self) -> int:
        """Rows that are answered together, and then learned: ``chunk``, or what ``set_step`` said."""
        return self._course.step

    @property
    def marked(self) -> Mark | None:
        """The latest instant marked: by a drift of the stream or by ``mark``; None: there was none."""
        return self._course.marked

    @property
    def _broken(self) -> str | None:
        return self._lockstep.broken

    @property
    def is_waiting(self) -> bool:
        """Whether the next chunk of a live stream is not there yet; then ``advance`` returns 0, and goes on later.

        Chunks stay whole and at their places, so that a replay of the same rows gives the same numbers. The last one
        may be short, where the stream has ended.

        Raises
        ------
        ValueError
            If it will never come: the source is wrong for good.
        """
        return self._course.is_waiting

    @property
    def why_waiting(self) -> str:
        """The text while the run waits: ``"waiting for rows"``, and the problem of their source, if any."""
        return self._course.why_waiting

    @property
    def end(self) -> int:
        """Instances up to which the present branch has gone: what ``seek`` reaches at most."""
        return self._machine.current.end

    @property
    def is_live(self) -> bool:
        """Whether the run stands at the end of its branch; else it stands in its own past."""
        return self._machine.is_live

    @property
    def is_as_made(self) -> bool:
        """Whether nobody has changed anything in it: no tuning, no drift put in, no learner that came or went."""
        return not self._machine.path

    @property
    def branch(self) -> int:
        """The number of the present branch."""
        return self._machine.current.number

    @property
    def views(self) -> ViewLog:
        """What pictures showed along the present branch, if somebody recorded it."""
        return self._machine.current.views

    # ------------------------------------------------------------------ going on

    def advance(self, n: int | None = None, *, interrupted: Callable[[], bool] | None = None) -> int:
        """Go on by ``n`` instances (default: to the end of the stream).

        Chunks keep their places in the stream, and the answers do not depend on how the way is cut into calls.

        Parameters
        ----------
        n
            How many instances; fewer pass if the stream ends, or if a live stream has no whole chunk yet: then
            ``finished`` stays False, ``is_waiting`` is True, and a later call goes on.
        interrupted
            Asked between chunks; a true answer ends the call early. Of a run that a player has: asked now and then.

        Returns
        -------
        How many instances passed.

        Raises
        ------
        ValueError
            What the reader or a learner says of bad rows. Some learners have learned then what others have not: each
            later call raises too.
        """
        checked_count("n", n, optional=True)
        passed, rows = 0, -1
        while (n is None or passed < n) and rows != 0:
            left = None if n is None else n - passed
            rows = self._in_slices(self.advance, left) if self._is_elsewhere else self._advance_whole(left)
            passed += rows
            if rows and interrupted is not None and interrupted():
                break
        return passed

    @serialised
    def _advance_whole(self, n: int | None) -> int:
        """Go on by ``n`` instances or to the end of the chunk, which nothing interrupts; 0 at the end of the stream."""
        return self._machine.advance(n)

    @property
    @owned
    def branches(self) -> pd.DataFrame:
        """The branches of the run, one row each, in the order in which they were made.

        Columns: ``branch``, its number; ``parent``, the branch that it left (-1: none), and ``left_at``, where;
        ``end``, instances up to which it went; ``actions``, how many things were done on its way; ``current``.
        """
        return self._machine.table()

    # ------------------------------------------------------------------ what its parts offer

    tune, put_drift = offered("_changes", Changes.tune), offered("_changes", Changes.put_drift)
    mark, set_step = offered("_changes", Changes.mark), offered("_changes", Changes.set_step)
    complete_curves, fork = offered("_changes", Changes.complete_curves), offered("_changes", Changes.fork)
    ask_importance = offered("_changes", Changes.ask_importance)
    join, join_seconds = offered("_changes", Changes.join), offered("_changes", Changes.join_seconds)
    remove, put_back = offered("_changes", Changes.remove), offered("_changes", Changes.put_back)
    __getitem__ = offered("_learners", Learners.learner)

    seek = offered_in_slices("_machine", TimeMachine.seek)
    actions = offered("_machine", TimeMachine.actions)
    switch_branch = offered("_machine", TimeMachine.switch_branch)

    curves, level_curves = offered("_tables", Tables.curves), offered("_tables", Tables.level_curves)
    confusion, what_matters = offered("_tables", Tables.confusion), offered("_tables", Tables.what_matters)
    compare, detection = offered("_tables", Tables.compare), offered("_tables", Tables.detection)
    write_curves, write_events = offered("_tables", Tables.write_curves), offered("_tables", Tables.write_events)

    @property
    @owned
    def removed(self) -> tuple[str, ...]:
        """The learners that were removed on this branch and can be put back, the newest last."""
        return self._changes.removed()

    @property
    @owned
    def summary(self) -> pd.DataFrame:
        """By learner: the cumulative measures, ``instances``, CPU ``seconds``, ``instances_per_second``, ``bytes``."""
        return self._tables.summary()

    @property
    @owned
    def tenths(self) -> pd.DataFrame:
        """The measures over each tenth of the stream (SMART's way of reporting), one row per tenth and learner."""
        return self._tables.tenths()

    @property
    @owned
    def events(self) -> pd.DataFrame:
        """Every tuning, drift and structural event, in order."""
        return self.log.table()

    # ------------------------------------------------------------------ kept and shown

    def save(self, path: str | Path) -> None:
        """Write the run to an archive: its recipe, what was done, its events and curves; ``open`` does it again.

        The file is a zip of JSON and safetensors, never pickle. The data are not in it, but how the stream is made
        (``Stream.recipe``) and a fingerprint of the rows that have passed, for which they are read once more. It is
        written beside ``path`` and takes its place when the disk has it. If a player has the run, the player only
        collects what is to be written, and goes on.
        A learner that had learned before the run began is in it as a model.

        Only names are kept of learners made of functions or unknown classes, and of drifts that are Python functions.

        Parameters
        ----------
        path
            The file, by custom ``….slab``; replaced if it exists.

        Raises
        ------
        ValueError
            If the run takes more than 512 MiB, or 4,000,000 values of JSON (actions, events), its beginning could not
            be kept, or another class is registered under the name of a learner's. The file is that
            of before then.
        OSError
            If the file cannot be written.
        """
        self._fingerprint = written(Path(path), self._collected(), self._fingerprint)

    @owned
    def _collected(self) -> Collected:
        return collected(self._machine)

    @classmethod
    def open(
        cls,
        path: str | Path,
        stream: Stream | Any = None,
        *,
        learners: Mapping[str, Any] | None = None,
        detectors: Mapping[str, Any] | None = None,
        models: bool = True,
        progress: Progress | None = None,
        most_bytes: int = MOST_BYTES,
        snapshots: int | None = None,
    ) -> Self:
        """Open an archive: the run is done again from its first row, to where it stood when it was saved, to the bit.

        It needs the data. Without them ``streamlab.lab.earlier.earlier_run`` shows the curves and the events.

        Parameters
        ----------
        path
            What ``save`` wrote.
        stream
            That with which the run began, what ``load`` makes it of, or a function of its ``recipe``. None: as the
            archive says, if it is one of the catalogue that need not be fetched.
        learners
            Fresh ones by name for those of which the archive does not say how they are made.
        detectors
            Detectors by name for those that the archive does not hold: classes that are not River's.
        models
            Whether learners that had learned before the run began are read from the file. False for a file of somebody
            else's: such a one is refused then.
        progress
            Called between two chunks with the rows so far and those in all; what it raises ends the replay.
        most_bytes
            Bytes that it may have unpacked, 512 MiB by default.
        snapshots
            Bytes that its snapshots may take from now on; None: as much as when it was saved.

        Raises
        ------
        ValueError
            In one line that names the file: if it is no archive, cut short, altered, too large or of another format; if
            the rows are not there, or not the run's; if a learner or a drift is not held and not given.

        Examples
        --------
        >>> import tempfile, streamlab as sl
        >>> folder = tempfile.TemporaryDirectory()
        >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
        >>> run.advance(500)
        500
        >>> run.save(f"{folder.name}/run.slab")
        >>> again = sl.Run.open(f"{folder.name}/run.slab")
        >>> again.seek(250), again.advance(500)
        (250, 500)
        >>> folder.cleanup()
        """
        with naming(path):
            archive, heard = Archive(Path(path), most_bytes, models=models), progress or (lambda rows, of: None)
            found, fingerprint = archive.stream(stream, heard)
            settings = archive.settings if snapshots is None else archive.settings | {"snapshots": snapshots}
            watched = made_detectors(archive.detectors, detectors)
            run = cls(found, archive.learners(learners, found), **settings, detectors=watched)
            archive.replay(run._machine, heard)
        run._fingerprint = fingerprint
        return run

    @owned
    def to_script(self, path: str | Path) -> None:
        """Write a Python script that makes this run again, bit for bit: its present branch, up to where it stands.

        Raises
        ------
        ValueError
            If it cannot be written down: the stream has no ``recipe``; a learner had learned before the run began, has
            no seed, or is made of functions or of classes that are not registered; a drift put in is a Python function.
            Nothing is written then.
        OSError
            If the file cannot be written.
        """
        self._learners.check_namesakes()
        write_whole(path, script_of(self))

    def view(self, **options: Any) -> Any:
        """The monitor on this run, for a notebook cell.

        Raises
        ------
        ImportError
            If Panel is not installed (the ``notebook`` extra has it).
        """
        return HOOKS.load("view_run")(self, **options)

    @owned
    def export_html(self, path: str | Path, **options: Any) -> Path:
        """Write the run as one HTML file that replays it, without a server; return its path.

        ``path`` is replaced if it exists. Options, such as ``title``, and errors are those of
        ``views.hosting.replay_page.export_html``; also an ImportError if Panel is not installed.
        """
        return HOOKS.load("export_run")(self, path, **options)

    def __repr__(self) -> str:
        of = "" if self.n_rows is None else f" of {self.n_rows:,}"
        return f"<Run of {', '.join(self.learner_runs)} on {self.stream.name!r}: {self.position:,}{of} instances>"
