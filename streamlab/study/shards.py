"""Learn parts of a stream apart, in processes, and add what they learned: one learner of the whole."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from streamlab._checks import checked_count, with_type
from streamlab._side_by_side import cores
from streamlab.lab.described import describe, import_added, imports_of, make_described
from streamlab.learners import load_model
from streamlab.streams import Stream, load
from streamlab.study.definition import identity_of, stream_of
from streamlab.workers import WorkerProcess, orders, reporter

__all__ = ["learn_in_shards"]

ROWS = 1000
MOST_SHARDS, MOST_WORKERS = 10_000, 1000


def learn_in_shards(stream: Stream | Any, learner: Any, shards: int = 8, *, workers: int | None = None) -> Any:
    """Let several processes learn a part of the stream each, and merge them.

    Every row keeps its position as its time stamp, so that what fades does so as in one learner. The merged learner
    equals one that learned the whole stream, to rounding, where merging is exact: ``SMART`` and ``BalancedLDA``.

    Parameters
    ----------
    stream
        A stream whose length is known and which can be made again: what ``load`` takes, and drifts put in. All its
        labels are told at once: what is told late, or not at all, depends on the rows before.
    learner
        One that has learned nothing, can ``merge``, and has a seed if it takes one.
    shards
        Parts of equal length, one after another in the stream.
    workers
        Processes of this machine at a time. Default: one for each processor.

    Returns
    -------
    The merged learner, of the class of ``learner``.

    Raises
    ------
    ValueError
        If the learner cannot merge or has no seed, the stream cannot be made again or has labels that are hidden or
        late, a number of shards or workers is invalid, or a part fails; then with what it said.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = learn_in_shards(sl.load("syn-regions", n_rows=400, seed=1), sl.SMART(n_trees=3, seed=1), shards=2)
    >>> type(model).__name__, len(model.schema.labels)
    ('SMART', 8)
    """
    stream = stream if isinstance(stream, Stream) else load(stream)
    name = type(learner).__name__
    if not hasattr(learner, "merge"):
        raise ValueError(f"{name} cannot be merged; expected SMART or BalancedLDA")
    if hasattr(learner, "seed") and learner.seed is None:
        raise ValueError(f"{name}: seed=None gives every part trees of its own; expected the same seed for all")
    if stream.recipe is None or stream.n_rows is None:
        raise ValueError(f"{stream.name}: expected a stream of known length that can be made again, as from sl.load")
    if stream.labelling is not None:
        raise ValueError(
            f"{stream.name}: labels are hidden or come late; expected a stream that tells all at once (or a Run)"
        )
    if workers is None:
        workers = cores()
    workers = checked_count("workers", workers, 1, MOST_WORKERS)
    shards = checked_count("shards", shards, 1, min(MOST_SHARDS, stream.n_rows))
    parts = _parts(stream, learner, shards)
    merged, *others = _here(parts, workers)
    for other in others:
        merged.merge(other)
    return merged


def _parts(stream: Stream, learner: Any, shards: int) -> list[dict[str, Any]]:
    ends = np.linspace(0, stream.n_rows or 0, shards + 1).astype(int).tolist()
    description = describe(learner)
    common = {
        "description": description,
        "imports": imports_of(description),
        "seed": getattr(learner, "seed", None),
        "recipe": stream.recipe,
        "identity": identity_of(stream),
        "bounds": _bounds(stream, learner),
    }
    return [{**common, "start": start, "stop": stop} for start, stop in pairwise(ends)]


def _bounds(stream: Stream, learner: Any) -> list[list[float]] | None:
    """Return the ranges that one learner of all rows would take from the first ones; None if they are declared."""
    if not hasattr(learner, "warm_up") or learner.bounds is not None:
        return None
    first = learner.copy()
    first.bind(stream.schema)
    for chunk in stream.chunks(ROWS, stop=learner.warm_up):
        first.learn_many(chunk.X, chunk.Y)
    return [first._ranges.low.tolist(), first._ranges.high.tolist()]


def _learn_part(part: Mapping[str, Any]) -> Any:
    import_added(part["imports"])
    stream = stream_of(part["recipe"], part["identity"])
    learner: Any = make_described(part["description"], part["seed"])
    if part["bounds"] is not None:
        low, high = (np.asarray(side) for side in part["bounds"])
        learner = learner.clone({"bounds": (low, high)})
    learner.bind(stream.schema)
    for chunk in stream.chunks(ROWS, start=part["start"], stop=part["stop"]):
        learner.learn_many(chunk.X, chunk.Y, timestamps=np.arange(chunk.start, chunk.stop) + 1)
    return learner


def _here(parts: list[dict[str, Any]], workers: int) -> list[Any]:
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        return list(
            pool.map(_learned_beside, parts, [Path(folder, f"{place}.safetensors") for place in range(len(parts))])
        )


def _learned_beside(part: Mapping[str, Any], path: Path) -> Any:
    """Return the learner of a part, which a process of its own has learned."""
    worker = WorkerProcess(f"{__name__}:answer", one_thread=True)
    try:
        worker.order(part=part, path=str(path))
        failure = (worker.report() or {"failure": "its process has ended"})["failure"]
    finally:
        worker.end()
    if failure is not None:
        raise ValueError(f"a part of the stream could not be learned: {failure}")
    return load_model(path)


def answer() -> None:
    """Learn the parts that are ordered, and write the learners; report why it failed, or None."""
    say = reporter()
    for asked in orders():
        failure = None
        try:
            _learn_part(asked["part"]).save(asked["path"])
        except Exception as error:  # user code may raise anything
            failure = with_type(error)
        say(failure=failure)
