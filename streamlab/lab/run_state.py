"""A run between two chunks as one flat state, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from streamlab.lab._parts import array_part, number_part, under
from streamlab.lab._running import Running
from streamlab.lab.learner_run import LearnerRun
from streamlab.streams import csr_rows, is_csr

__all__ = ["run_state", "set_run_state"]


def run_state(run: Running) -> dict[str, Any]:
    """Return everything that a run is between two chunks, except for its stream, its events and what the user did.

    Arrays of the learners are copies; others are the run's own, to be copied before it goes on.
    """
    state: dict[str, Any] = {
        "position": run.position,
        "finished": run.finished,
        "learners": list(run.learner_runs),
    }
    for place, learner_run in enumerate(run.learner_runs.values()):
        state |= {f"learner.{place}.{name}": value for name, value in learner_run.state().items()}
    state |= {f"labels.{name}": value for name, value in run.labels.state().items()}
    state |= {f"waiting.{name}": value for name, value in run._waiting.state().items()}
    if run.last is not None:
        X, state["last.Y"] = run.last
        if is_csr(X):
            state |= {"last.indices": X.indices, "last.data": X.data}
        else:
            state["last.X"] = X
    return state


def set_run_state(run: Running, state: Mapping[str, Any], learner_runs: Mapping[str, LearnerRun]) -> None:
    """Let a run continue from a ``run_state``; its stream must be the one of then.

    Parameters
    ----------
    run
        The run.
    state
        The state, perhaps from a file; arrays are copied.
    learner_runs
        A ``LearnerRun`` for each learner that the state names.

    Raises
    ------
    ValueError
        If the state contradicts itself or is of another run.
    """
    schema = run.stream.schema
    n_rows = run.stream.n_rows
    position = number_part("the run", state, "position", 0, 10**15 if n_rows is None else n_rows)
    names = state.get("learners")
    if not isinstance(names, list) or names != list(learner_runs):
        raise ValueError("the run: its learners are others than those of its state")
    if not isinstance(state.get("finished"), bool):
        raise ValueError("the run: finished is missing; expected True or False")
    last = _last(state, schema.n_features, schema.n_labels, run.stream.is_sparse)
    for place, learner_run in enumerate(learner_runs.values()):
        learner_run.set_state(under(state, f"learner.{place}."))
    run.labels.set_state(under(state, "labels."))
    run._waiting.set_state(under(state, "waiting."), (schema.n_features, np.float64), (schema.n_labels, np.uint8))
    run.learner_runs = dict(learner_runs)
    run.position, run.finished, run.last = position, state["finished"], last
    run._chunks.close()
    run._chunks = run.stream.chunks(run.chunk, start=position)
    run._current, run._used = None, 0
    run._drifts = sorted((d for d in run.stream.drifts if d.start >= position), key=lambda drift: drift.start)
    run._broken = None


def _last(state: Mapping[str, Any], n_features: int, n_labels: int, is_sparse: bool) -> tuple[Any, np.ndarray] | None:
    if "last.Y" not in state:
        return None
    Y = array_part("the run", state, "last.Y", (n_labels,), np.uint8).copy()
    if not is_sparse:
        X = state.get("last.X")
        if not isinstance(X, np.ndarray) or X.shape != (n_features,) or X.dtype != np.float64:
            raise ValueError(f"the run: last.X is not a row of {n_features} numbers")
        return X.copy(), Y
    indices, data = state.get("last.indices"), state.get("last.data")
    if (
        not isinstance(indices, np.ndarray) or not isinstance(data, np.ndarray) or indices.dtype.kind != "i"
        or indices.ndim != 1 or data.shape != indices.shape or data.dtype != np.float64
        or (len(indices) and (indices.min() < 0 or indices.max() >= n_features))
    ):  # fmt: skip
        raise ValueError(f"the run: last.indices and last.data are not a row of {n_features} columns")
    return csr_rows([0, len(indices)], indices.copy(), data.copy(), n_features), Y
