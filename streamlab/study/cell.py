"""A cell of a study: one learner with all its parameters, one stream with its checksum, one seed.

Its key, and its run, whose result is the bytes of a Parquet file.
"""

from __future__ import annotations

import hashlib
import io
import json
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct, structs

from streamlab._checks import with_type
from streamlab.lab.described import LEARNER, RECIPE, RIVER, import_added, make_described, tables_of
from streamlab.lab.events import DETECTION
from streamlab.lab.recipe import made_detectors
from streamlab.lab.run import Run
from streamlab.learners import LEARNERS, RECIPES, NoChange
from streamlab.measures import MEASURES
from streamlab.study.definition import stream_of
from streamlab.study.store import marked, psutil
from streamlab.validation import validated


def canonical(value: Any) -> str:
    """Return plain values as one text, the same for equal values: JSON with sorted names."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


Rows = Annotated[int, Meta(ge=1, description="a whole number of rows, at least 1")]


class Settings(Struct, frozen=True):
    """How every cell of a study is run.

    Parameters
    ----------
    measures
        Names of ``MEASURES``.
    chunk
        Instances predicted before any of them is learned, by learners that answer whole chunks; all others answer and
        learn row by row.
    curves_every
        Rows between two points of the curves.
    fading
        Weight of an instance relative to the next in the faded measures.
    zero_division
        What a measure says for 0/0.
    detectors
        River's drift detectors, as ``describe_detectors`` has them.
    """

    measures: tuple[str, ...]
    chunk: Rows = 1
    curves_every: Rows = 50
    fading: Annotated[float, Meta(gt=0, le=1)] = 0.995
    zero_division: Annotated[float, Meta(ge=0, le=1, multiple_of=1, description="0 or 1")] = 0.0
    detectors: dict[str, Any] = {}

    def counted(self) -> dict[str, Any]:
        """Return what figures depend on: detectors are not in it where there are none, as they came with a release."""
        fields = structs.asdict(self)
        return fields if self.detectors else {name: value for name, value in fields.items() if name != "detectors"}


@dataclass(frozen=True)
class Cell:
    """One run of a study.

    Parameters
    ----------
    learner, stream
        What the study calls them.
    seed
        None: the learner takes none, and its one row counts for every seed.
    description
        The learner as plain values (``described.describe``).
    recipe
        How to make the stream (``Stream.recipe``).
    identity
        What the stream is, wherever its files lie: checksums in place of paths, and a fingerprint of its first rows.
    size
        Rows (0 where unknown), features and labels.
    settings
        How it is run.
    imports
        What a process imports first: learners that were added in a session (``described.imports_of``), and measures,
        with checksums of their files.
    """

    learner: str
    stream: str
    seed: int | None
    description: dict[str, Any]
    recipe: Mapping[str, Any]
    identity: Mapping[str, Any]
    size: tuple[int, int, int]
    settings: Settings
    imports: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """SHA-256 of everything that its figures depend on, in hexadecimal; what things are called is not in it."""
        counted = {
            "learner": self.description,
            "stream": self.identity,
            "seed": self.seed,
            "settings": self.settings.counted(),
            "versions": dict(versions(self.description)),
        }
        if "digests" in self.imports:
            counted["measures"] = self.imports["digests"]
        return hashlib.sha256(canonical(counted).encode()).hexdigest()

    @property
    def work(self) -> int:
        """Rows times features times labels: what its time is estimated from; at least 1."""
        rows, features, labels = self.size
        return max(rows, 1) * max(features, 1) * max(labels, 1)

    def plain(self) -> dict[str, Any]:
        """Return it as JSON knows it."""
        return {**asdict(self), "settings": structs.asdict(self.settings), "size": list(self.size)}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Cell:
        """Return the cell of ``plain()``, in whatever process; learners that it needs imported are.

        Raises
        ------
        ValueError
            If one of them cannot be imported here.
        """
        import_added(plain["imports"])
        return cls(**{**plain, "size": tuple(plain["size"]), "settings": validated(plain["settings"], Settings)})


def versions(part: Any) -> Iterator[tuple[str, Any]]:
    """Yield the versions of the answers of all learners and recipes, and River's where it may take part."""
    for table in tables_of(part):
        if LEARNER in table:
            yield table[LEARNER], LEARNERS.load(table[LEARNER]).answers_version
        if RECIPE in table:
            yield table[RECIPE], RECIPES.load(table[RECIPE]).answers_version
        if RIVER in table or RECIPE in table:
            import river

            yield "river", river.__version__


DONE, FAILED, SECONDS, MEMORY = "done", "failed", "seconds", "memory"
STATUS = (DONE, FAILED, SECONDS, MEMORY)
"""How a cell may end: whole, with an error, or past a limit of the study."""
PIECE = 100
"""Rows that go at once to a learner that answers and learns row by row; the answers do not depend on it."""
PACKAGES = ("streamlab", "numpy", "numba", "scipy", "river", "scikit-learn")
LONGEST_MESSAGE = 2000


Limit = Annotated[float, Meta(gt=0, le=1e18, description="a number above 0")] | None


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What a cell may take; None: no limit.

    Parameters
    ----------
    seconds
        CPU seconds.
    gigabytes
        Memory of the process, in 10⁹ bytes.
    """

    seconds: Limit = None
    gigabytes: Limit = None


def new_run(cell: Cell, **options: Any) -> Run:
    """Return the run of a cell, at row 0.

    Parameters
    ----------
    cell
        What to run.
    options
        Of ``Run``, beside those that a study sets: stream, learner, chunk, fading and 0/0.

    Raises
    ------
    ValueError
        If its stream or learner cannot be made, or the stream is not the study's.
    """
    stream = stream_of(cell.recipe, cell.identity)
    learner = make_described(cell.description, cell.seed)
    settings = cell.settings
    return Run(
        stream,
        {cell.learner: learner},
        # who answers and learns row by row gives the same in pieces, and quicker
        chunk=settings.chunk if learner.predicts_whole_chunks else max(settings.chunk, PIECE),
        fading=settings.fading,
        zero_division=settings.zero_division,
        # the other cores have other cells
        jobs=1,
        detectors=made_detectors(settings.detectors),
        **options,
    )


def run_cell(cell: Cell, limits: Limits, begins: Callable[[], object] = lambda: None) -> bytes:
    """Run a cell and return its result.

    Parameters
    ----------
    cell
        What to run.
    limits
        Looked at between the points of the curve; a process that watches from outside sees what takes longer.
    begins
        Called when learning begins, once all kernels are compiled: limits of time count from then.

    Returns
    -------
    The bytes of a Parquet file: a row for each point of the curve, with ``position``, ``seconds`` and ``bytes`` of the
    learner, and each measure ``cumulative.…`` and ``faded.…``; in its metadata how the cell ended and its figures. What
    fails is a result too.
    """
    started, cpu = time.perf_counter(), time.process_time()
    points: list[dict[str, float]] = []
    status, message, run = DONE, "", None
    try:
        settings = cell.settings
        run = new_run(cell, measures=settings.measures, history=100, alarms=None, snapshots=0)
        _compile(run, cell)
        begins()
        started, cpu = time.perf_counter(), time.process_time()
        process = psutil().Process()
        while run.advance(settings.curves_every):
            points.append(_point(run, cell))
            status, message = _past(limits, time.process_time() - cpu, process.memory_info().rss)
            if status != DONE:
                break
    except MemoryError as error:
        status, message = MEMORY, str(error) or "out of memory"
    except Exception as error:
        status, message = FAILED, with_type(error)
    times = {"cpu_seconds": time.process_time() - cpu, "wall_seconds": time.perf_counter() - started}
    return _packed(cell, status, message, points, _figures(run, cell), times)


def _compile(run: Run, cell: Cell) -> None:
    """Compile what reads and counts, by rows that another run counts; the learner's kernels came with the run."""
    settings = cell.settings
    # what is wrong with the stream is for the cell's own run to say
    with suppress(Exception):
        other = Run(run.stream, {cell.learner: NoChange()}, measures=settings.measures, history=100, alarms=None,
                    snapshots=0, fading=settings.fading, zero_division=settings.zero_division)  # fmt: skip
        other.advance(PIECE)
        _point(other, cell)
        _figures(other, cell)


def failure(cell: Cell, status: str, message: str, wall_seconds: float) -> bytes:
    """Return the result of a cell whose process did not live to tell."""
    return _packed(cell, status, message, [], {"rows": 0}, {"cpu_seconds": None, "wall_seconds": wall_seconds})


def _past(limits: Limits, seconds: float, n_bytes: int) -> tuple[str, str]:
    if limits.seconds is not None and seconds > limits.seconds:
        return SECONDS, f"it took more than {limits.seconds:,g} CPU seconds"
    if limits.gigabytes is not None and n_bytes > limits.gigabytes * 1e9:
        return MEMORY, f"its process held {n_bytes / 1e9:.2f} GB; the study allows {limits.gigabytes:g}"
    return DONE, ""


def _point(run: Run, cell: Cell) -> dict[str, float]:
    learner_run = run.learner_runs[cell.learner]
    tracker, curved = learner_run.tracker, [m for m in cell.settings.measures if MEASURES[m].has_curve]
    point: dict[str, float] = {
        "position": run.position, "seconds": learner_run.seconds, "bytes": float(learner_run.n_bytes)
    }  # fmt: skip
    for over in ("cumulative", "faded"):
        point |= {f"{over}.{name}": value for name, value in tracker.values(over, curved).items()}
    return point


def _figures(run: Run | None, cell: Cell) -> dict[str, Any]:
    if run is None or cell.learner not in run.learner_runs:
        return {"rows": 0}
    learner_run = run.learner_runs[cell.learner]
    measures = learner_run.tracker.values("cumulative") if run.position else {}
    return {
        "rows": run.position,
        "seconds": learner_run.seconds,
        "bytes": int(learner_run.learner.n_bytes),
        "measures": measures,
        "tenths": learner_run.tracker.tenths() if run.finished else [],
        **({"detections": _detections(run)} if cell.settings.detectors else {}),
    }


def _detections(run: Run) -> list[dict[str, Any]]:
    return [{"position": event.position, **event.detail} for event in run.log if event.kind == DETECTION]


def _packed(
    cell: Cell, status: str, message: str, points: list[dict[str, float]], figures: Mapping[str, Any], times: Any
) -> bytes:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    about = {
        "key": cell.key,
        "learner": cell.learner,
        "stream": cell.stream,
        "seed": cell.seed,
        "status": status,
        "message": message[:LONGEST_MESSAGE],
        **figures,
        **times,
        "description": cell.description,
        "identity": cell.identity,
        "settings": cell.settings.counted(),
        "answers": dict(versions(cell.description)),
        "versions": versions_here(),
        "machine": f"{platform.node()}, {platform.machine()}, {platform.system()}",
        "ended": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    table = pa.Table.from_pandas(pd.DataFrame(points or {"position": np.empty(0, np.int64)}), preserve_index=False)
    sink = io.BytesIO()
    pq.write_table(marked(table, about), sink)
    return sink.getvalue()


def versions_here() -> dict[str, str | None]:
    """Return the versions of Python and of the packages that figures depend on; None: it is not installed."""
    return {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
