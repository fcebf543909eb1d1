"""Run one cell and return its result as the bytes of a Parquet file; and how long a cell will take."""

from __future__ import annotations

import io
import math
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from streamlab._checks import with_type
from streamlab.lab.described import make_described
from streamlab.lab.events import DETECTION
from streamlab.lab.recipe import DescribedDetectors
from streamlab.lab.run import Run
from streamlab.learners import NoChange
from streamlab.measures import MEASURES
from streamlab.study.cell import Cell, canonical, versions
from streamlab.study.definition import stream_of
from streamlab.study.store import marked, psutil

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
        detectors=DescribedDetectors(settings.detectors).completed(),
        **options,
    )


def run_cell(
    cell: Cell,
    limits: Limits,
    begins: Callable[[], object] = lambda: None,
) -> bytes:
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
    begun, cpu = time.perf_counter(), time.process_time()
    points: list[dict[str, float]] = []
    status, message, run = DONE, "", None
    try:
        settings = cell.settings
        run = new_run(cell, measures=settings.measures, history=100, alarms=None, snapshots=0)
        _compile(run, cell)
        begins()
        begun, cpu = time.perf_counter(), time.process_time()
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
    times = {"cpu_seconds": time.process_time() - cpu, "wall_seconds": time.perf_counter() - begun}
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


AT_FIRST = 1e-7
"""CPU seconds for a row, feature and label, of a learner of which nothing is known."""


class Expected:
    """Estimates, which improve with each cell that ends.

    Parameters
    ----------
    known
        Cells that have ended, with what their results say.
    """

    def __init__(self, known: Iterable[tuple[Cell, Mapping[str, Any]]] = ()) -> None:
        self._rates: dict[str, list[float]] = {}
        for cell, about in known:
            self.learn(cell, about)

    def learn(self, cell: Cell, about: Mapping[str, Any]) -> None:
        """Take in how long a cell took."""
        if about["status"] == DONE and about.get("cpu_seconds"):
            self._rates.setdefault(_learner(cell), []).append(about["cpu_seconds"] / cell.work)

    def known(self, cell: Cell) -> float:
        """Return the CPU seconds that a cell should take; NaN where no cell of its learner is done."""
        rates = self._rates.get(_learner(cell))
        return math.nan if rates is None else statistics.median(rates) * cell.work

    def seconds(self, cell: Cell) -> float:
        """Return the same, with a guess where nothing is known: the slowest learner's rate, so that it begins early."""
        found = self.known(cell)
        if not math.isnan(found):
            return found
        slowest = max((statistics.median(rates) for rates in self._rates.values()), default=AT_FIRST)
        return slowest * cell.work


def _learner(cell: Cell) -> str:
    return canonical(cell.description)
