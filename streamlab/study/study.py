"""A study: learners on streams with several seeds, as cells whose results stay in a folder."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlab._checks import checked_choice, checked_count, within
from streamlab._side_by_side import cores
from streamlab._tables import result_html
from streamlab.lab.described import imports_of, is_seeded, learners_of
from streamlab.lab.drift_watch import named_detectors
from streamlab.lab.fingerprint import warn_if_tuned_on
from streamlab.lab.recipe import describe_detectors, made_detectors
from streamlab.streams import from_recipe
from streamlab.study.cell import DONE, STATUS, Cell, Limits, Settings, new_run
from streamlab.study.definition import File, Source, measures_of, seeds_of, sources_of
from streamlab.study.local import run_locally
from streamlab.study.manifest import write_manifest
from streamlab.study.paper import Citations, citations_of
from streamlab.study.progress import Expected, shown_progress
from streamlab.study.store import Store
from streamlab.validation import read_toml, validated

if TYPE_CHECKING:
    import pandas as pd

    from streamlab.lab.run import Run

__all__ = ["Study"]

RUNNING, OPEN = "running", "open"
MOST_WORKERS = 1000
COLUMNS = ("rows", "seconds", "bytes", "cpu_seconds", "wall_seconds", "ended", "key")


class Study:
    """Learners times streams times seeds; each cell is run once, and its result kept in a folder.

    Parameters
    ----------
    streams
        Names of the catalogue, paths and streams from ``load``, as a list or by name; or tables by name with ``use`` or
        ``files``, ``rows``, ``papers`` and options of ``load`` (see ``definition.sources_of``).
    learners
        By name, or as a list: learners that have learned nothing, River's classifiers, texts such as
        ``"SMART(half_life=50)"`` or a recipe's name; or tables with ``use`` and parameters, where a list of values
        gives a learner for each (see ``lab.described.learners_of``).
    seeds
        How many, from 1 on, or a list of them. A learner that takes none runs once, and its row counts for all.
    chunk
        Instances predicted before any of them is learned, by learners that answer whole chunks; others go row by row
        anyway. Default 1, row by row for all.
    measures
        Names of ``MEASURES``, measures, or River's metrics. Default: those that are given where none is named, without
        those that were added in this session.
    curves_every
        Rows between two points of the curves. Default 50.
    fading
        Weight of an instance relative to the next in the faded measures, the MLHAT paper's 0.995.
    zero_division
        What a measure says for 0/0: 0.0 or 1.0.
    detectors
        River's drift detectors by name, as ``Run`` takes them; one without a measure watches on each stream what it
        does in a ``Run``. See ``detections``.
    limits
        ``{"seconds": …, "gigabytes": …}`` of CPU and memory for a cell; one that takes more is a result that says so.
    results
        The folder of results. Default ``"results"``. Several studies, processes and machines may share it.
    name
        What it is called.
    folder
        Where relative paths of streams begin; default the present folder.

    Raises
    ------
    ValueError
        For what is not a stream, learner, measure, seed or limit, by its name.

    Examples
    --------
    >>> import tempfile
    >>> import streamlab as sl
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     study = sl.Study(["yeast"], ["NoChange", "MajorityLabels"], measures=["micro_f1"], results=folder)
    ...     print(study.cells()[["learner", "stream", "status"]].to_string(index=False))
           learner stream status
          NoChange  yeast   open
    MajorityLabels  yeast   open

    Notes
    -----
    A cell is known by its key: the learner with all its parameters and the version of its answers, the stream by
    checksums, the seed, and how it is run. Change one of them, and it is another cell; the order in which parameters
    are given changes nothing, and neither does what a learner or a stream is called.
    """

    name: str
    seeds: tuple[int, ...]
    limits: Limits
    settings: Settings
    learners: dict[str, dict[str, Any]]
    sources: dict[str, Source]

    def __init__(
        self,
        streams: Any,
        learners: Any,
        *,
        seeds: int | Iterable[int] = 1,
        chunk: int = 1,
        measures: Iterable[object] | None = None,
        curves_every: int = 50,
        fading: float = 0.995,
        zero_division: float = 0.0,
        detectors: Mapping[str, Any] | None = None,
        limits: Mapping[str, float] | None = None,
        results: str | Path = "results",
        name: str = "",
        folder: str | Path | None = None,
    ) -> None:
        self.name = str(name)
        self.seeds = seeds_of(seeds)
        self.limits = validated(limits or {}, Limits, "limits")
        wanted, places = measures_of(measures)
        settings = {"chunk": chunk, "curves_every": curves_every, "fading": fading, "zero_division": zero_division}
        described = describe_detectors(named_detectors(detectors))
        self.settings = validated({"measures": wanted, **settings, "detectors": described}, Settings)
        made_detectors(described)
        self.learners = learners_of(learners)
        self._imports = {name: imports_of(each) | places for name, each in self.learners.items()}
        self.sources = sources_of(streams, None if folder is None else Path(folder))
        for name, given in learners.items() if isinstance(learners, Mapping) else ():
            if getattr(given, "tuned_on", None) is not None:
                for source in self.sources.values():
                    warn_if_tuned_on(name, given, from_recipe(source.recipe, files=True, fetch=True))
        self._results = Path(results)

    @classmethod
    def read(cls, path: str | Path, *, results: str | Path | None = None) -> Study:
        """Return the study of a TOML file; the keys are this class's parameters.

        Parameters
        ----------
        path
            The file. Relative paths of streams begin at its folder.
        results
            The folder of results; default ``"<the file's name>-results"`` beside the file.

        Raises
        ------
        ValueError
            If it cannot be read or says what is wrong; it names the file and the entry.
        """
        given = read_toml(Path(path), File)
        if results is None:
            results = Path(path).parent / f"{Path(path).with_suffix('').name}-results"
        with within(str(path), TypeError):
            made = cls(**given.arguments(), folder=Path(path).resolve().parent, results=results)
        return made

    @cached_property
    def citations(self) -> Citations:
        """What a paper cites of it: keys by learner, stream and measure, and ``bibtex``, the file of all entries."""
        return citations_of(self.learners, self.sources, self.settings.measures)

    # ------------------------------------------------------------------ cells

    @cached_property
    def store(self) -> Store:
        """The folder of results, which is made when it is first needed."""
        return Store(self._results)

    @cached_property
    def _cells(self) -> tuple[Cell, ...]:
        seeded = {name: is_seeded(description) for name, description in self.learners.items()}
        return tuple(
            Cell(
                learner, stream, seed, description, source.recipe, source.identity, source.size, self.settings,
                self._imports[learner],
            )
            for stream, source in self.sources.items()
            for learner, description in self.learners.items()
            for seed in (self.seeds if seeded[learner] else (None,))
        )  # fmt: skip

    def cells(self) -> pd.DataFrame:
        """Return every cell: ``learner``, ``stream``, ``seed``, ``status``, ``expected_seconds``, ``key``.

        ``status``: ``"done"``, ``"failed"``, ``"seconds"`` or ``"memory"`` (past a limit), ``"running"`` (some process
        is at work on it) or ``"open"``. ``expected_seconds``: CPU, from cells that are done; missing before one is.
        """
        import pandas as pd

        found = dict(self._ended())
        expected = Expected((cell, found[cell.key]) for cell in self._cells if cell.key in found)
        rows = [
            {
                "learner": cell.learner,
                "stream": cell.stream,
                "seed": cell.seed,
                "status": self._status(cell, found.get(cell.key)),
                "expected_seconds": expected.known(cell),
                "key": cell.key,
            }
            for cell in self._cells
        ]
        return pd.DataFrame(rows).astype({"seed": "Int64", "expected_seconds": float})

    def _status(self, cell: Cell, about: Mapping[str, Any] | None) -> str:
        if about is not None:
            return str(about["status"])
        return RUNNING if self.store.is_taken(cell.key) else OPEN

    def _ended(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for key in dict.fromkeys(cell.key for cell in self._cells):
            about = self.store.about(key)
            if about is not None:
                yield key, about

    def status(self) -> pd.DataFrame:
        """Return how far the study is: a row for each learner, a column for each stream, as ``"2/3"`` or in words."""
        table = self.cells()
        return table.pivot_table(
            index="learner", columns="stream", values="status", aggfunc=_grid_word, sort=False
        )  # fmt: skip

    # ------------------------------------------------------------------ run

    def run(self, workers: int | None = None, *, progress: bool = False, retry: str | Iterable[str] = ()) -> None:
        """Run every cell whose result is not there, the longest first; returns when all are, or on Ctrl-C.

        Before and after, ``manifest-….json`` is written into the folder of results: what is run on which data, with
        which seeds and versions, where, and what came out; ``study.verify`` runs it again.

        Parameters
        ----------
        workers
            Processes of this machine, each in one thread. Default: as many as there are processors.
        progress
            Whether to show a bar with the time left on standard error; a line a minute where that is no terminal.
        retry
            Ends (``"failed"``, ``"seconds"``, ``"memory"``) of which cells are to run again. Their former results are
            set aside, in the folder ``set_aside``.

        Raises
        ------
        ValueError
            For an invalid number of workers or an unknown word in ``retry``.
        """
        again = (retry,) if isinstance(retry, str) else tuple(retry)
        for word in again:
            checked_choice("retry", word, STATUS[1:])
        if workers is None:
            workers = cores()
        workers = checked_count("workers", workers, 1, MOST_WORKERS)
        self.store.sweep()
        found = dict(self._ended())
        for key, about in list(found.items()):
            if about["status"] in again:
                self.store.set_aside(key)
                del found[key]
        expected = Expected((cell, found[cell.key]) for cell in self._cells if cell.key in found)
        left = list({cell.key: cell for cell in self._cells if cell.key not in found}.values())
        if not left:
            # the folder of a study that has ended may be one that nobody may write to
            with suppress(OSError):
                write_manifest(self, self._cells)
            return
        write_manifest(self, self._cells)
        try:
            with shown_progress(progress, self.name, left, expected, workers) as ended:
                run_locally(left, self.store, self.limits, workers, expected, ended)
        finally:
            write_manifest(self, self._cells)

    # ------------------------------------------------------------------ results

    def results(self) -> pd.DataFrame:
        """Return one row for each cell that has ended.

        Returns
        -------
        DataFrame
            ``learner``, ``stream``, ``seed`` (missing: it takes none), ``status``, ``message``; the measures of all
            rows, missing unless the status is ``"done"``; ``rows`` that passed; the learner's CPU ``seconds`` and
            ``bytes``; ``cpu_seconds`` and ``wall_seconds`` of the whole cell; ``ended``; ``key``.

        Raises
        ------
        ValueError
            If a file of the folder is not a result.
        """
        import pandas as pd

        found = dict(self._ended())
        rows = []
        for cell in self._cells:
            about = found.get(cell.key)
            if about is None:
                continue
            measured = about.get("measures", {}) if about["status"] == DONE else {}
            rows.append(
                {"learner": cell.learner, "stream": cell.stream, "seed": cell.seed}
                | {name: about[name] for name in ("status", "message")}
                | {name: measured.get(name, math.nan) for name in self.settings.measures}
                | {name: about.get(name) for name in COLUMNS}
            )
        columns = ["learner", "stream", "seed", "status", "message", *self.settings.measures, *COLUMNS]
        return pd.DataFrame(rows, columns=columns).astype({"seed": "Int64"})

    def failures(self) -> pd.DataFrame:
        """Return the rows of ``results()`` whose cells did not come to their end, with the reason."""
        table = self.results()
        return table.loc[table.status != DONE, ["learner", "stream", "seed", "status", "message", "rows", "key"]]

    def curves(self, measure: str, over: str = "faded", stream: str | None = None) -> pd.DataFrame:
        """Return the curves of all cells that have ended: ``learner``, ``stream``, ``seed``, ``position``, ``value``.

        Parameters
        ----------
        measure
            A measure of the study, or ``"seconds"`` or ``"bytes"`` of the learner.
        over
            ``"cumulative"``, ``"faded"``, or ``"tenth"``: of each tenth of the stream by itself.
        stream
            Only those of this stream; default: of all.

        Raises
        ------
        ValueError
            For another measure, average or stream.
        """
        import pandas as pd

        plain = ("seconds", "bytes")
        checked_choice("measure", measure, (*self.settings.measures, *plain))
        checked_choice("over", over, ("cumulative", "faded", *(() if measure in plain else ("tenth",))))
        checked_choice("stream", stream, self.sources, optional=True)
        wanted = [cell for cell in self._cells if stream in (None, cell.stream)]
        parts = []
        for key in dict.fromkeys(cell.key for cell in wanted):
            about = self.store.about(key)
            if about is None:
                continue
            if over == "tenth":
                tenths = about.get("tenths", [])
                curve = pd.DataFrame({
                    "position": [tenth["stop"] for tenth in tenths], "value": [tenth.get(measure) for tenth in tenths]
                })  # fmt: skip
            else:
                table = self.store.curve(key)
                column = measure if measure in plain else f"{over}.{measure}"
                if column not in table:
                    continue
                curve = table[["position", column]].rename(columns={column: "value"})
            for cell in wanted:
                if cell.key == key:
                    parts.append(curve.assign(learner=cell.learner, stream=cell.stream, seed=cell.seed))
        columns = ["learner", "stream", "seed", "position", "value"]
        if not parts:
            return pd.DataFrame(columns=columns)
        return pd.concat(parts, ignore_index=True)[columns].astype({"seed": "Int64"})

    def detections(self) -> pd.DataFrame:
        """Return what the detectors noticed in all cells that have ended, a row for each.

        Columns: ``learner``, ``stream``, ``seed``, ``detector``, ``position``, ``measure``, the mean errors ``before``
        and ``after``, and whether they were ``rising``. ``measures.match_alarms`` sets positions against known drifts.
        """
        import pandas as pd

        columns = ["learner", "stream", "seed", "detector", "position", "measure", "before", "after", "rising"]
        found = dict(self._ended())
        rows = [
            {"learner": cell.learner, "stream": cell.stream, "seed": cell.seed} | each
            for cell in self._cells
            for each in found.get(cell.key, {}).get("detections", ())
        ]
        return pd.DataFrame(rows, columns=columns).astype({"seed": "Int64"})

    def table(self, measure: str) -> pd.DataFrame:
        """Return the mean over the seeds: a row for each learner, a column for each stream; missing: not done.

        Raises
        ------
        ValueError
            For a measure that the study has not.
        """
        known = (*self.settings.measures, *COLUMNS[:5])
        checked_choice("measure", measure, known)
        done = self.results()
        done = done[done.status == DONE].astype({measure: float})
        found = done.groupby(["learner", "stream"], sort=False)[measure].mean().unstack("stream")
        return found.reindex(index=list(self.learners), columns=list(self.sources))

    def run_of(self, key: str, **options: Any) -> Run:
        """Return a new run of a cell at row 0, to look at what the study ran: its figures come out the same.

        Parameters
        ----------
        key
            The cell's, as ``cells()`` gives it.
        options
            Of ``Run``, beside those that the study sets: stream, learner, chunk, fading and 0/0.

        Raises
        ------
        ValueError
            If the study has no such cell, or its stream or learner cannot be made.

        Examples
        --------
        >>> import tempfile
        >>> import streamlab as sl
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     study = sl.Study(["yeast"], ["NoChange"], results=folder)
        ...     run = study.run_of(study.cells().key[0])
        >>> run.advance(100), list(run.learner_runs)
        (100, ['NoChange'])
        """
        for cell in self._cells:
            if cell.key == key:
                return new_run(cell, **options)
        raise ValueError(f"key={key!r}: the study has no such cell; its keys are in cells().key")

    def _repr_html_(self) -> str:
        """Return the mean of its first measure over the seeds, as a notebook shows it."""
        import pandas as pd

        if not self._results.is_dir():  # a look at it makes no folder
            table = pd.DataFrame("not run yet", index=list(self.learners), columns=list(self.sources))
            return result_html(repr(self)[1:-1], table)
        measure = self.settings.measures[0]
        table, status = self.table(measure), self.status()
        words = table.astype(object).where(table.notna(), status.reindex_like(table))
        return result_html(f"{repr(self)[1:-1]}: {measure}, mean over the seeds", words)

    def __repr__(self) -> str:
        seeds = f"{len(self.seeds)} seed{'s' if len(self.seeds) > 1 else ''}"
        name = f" {self.name!r}" if self.name else ""
        sides = f"{len(self.learners)} learners, {len(self.sources)} streams"
        return f"<Study{name}: {sides}, {seeds}, {len(self._cells)} cells>"


def _grid_word(words: pd.Series) -> str:
    """Return how the cells of a learner on a stream stand, in a word."""
    counts = words.value_counts()
    done = int(counts.get(DONE, 0))
    if done == len(words):
        return DONE
    others = [f"{n} {word}" if len(words) > 1 else word for word, n in counts.items() if word != DONE]
    return ", ".join([f"{done}/{len(words)} {DONE}"] * bool(done) + others)
