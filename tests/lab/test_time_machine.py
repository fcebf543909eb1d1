"""A run that goes back, branches, forks and goes on is, to the bit, the run that was never disturbed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from river import multioutput, tree

import streamlab as sl
from streamlab.streams import DriftRecipe, delay_labels, hide_labels

pytestmark = pytest.mark.usefixtures("a_snapshot_of_every_chunk")

ROWS, CHUNK = 240, 20


def flat(n_rows: int = ROWS) -> sl.streams.Stream:
    return sl.load("syn-tree-sudden", seed=3, n_rows=n_rows)


STREAMS: dict[str, Callable[[], Any]] = {
    "flat": flat,
    "late": lambda: delay_labels(flat(), (0, 45), seed=1),
    "hidden": lambda: hide_labels(flat(), 0.3, seed=1),
    "classes": lambda: sl.load("segments"),
}
TUNED: dict[str, list[dict[str, Any]]] = {
    "SMART": [{"half_life": 20}, {"n_trees": 7}, {"half_life": 900.0}],
    "MLHAT": [{"tau": 0.9}, {"grace_period": 30}],
    "HedgedMLHAT": [{"tau": 0.9}, {"eta": 1.5}],
    "MLBELS": [{"max_learners": 2}, {"tau": 0.5}],
    "GOOWE": [{"n_models": 2}, {"chunk": 30}],
    "OnlineBagging": [{"n_models": 2}, {"poisson_rate": 2.0}],
    "Council": [{"SMART__half_life": 20}, {"fading": 0.95}],
    "Oversampling": [{"most": 3}, {"model__decision": "half"}, {"fading": 0.95}],
    "HoeffdingTrees": [{"tau": 0.9}, {"grace_period": 30}],
    "MLHT": [{"tau": 0.9}, {"grace_period": 30}],
    "PrunedSets": [{"support": 3}, {"reintroduce": 1}],
    "MLKNN": [{"n_neighbors": 3}, {"smoothing": 0.1}],
    "BalancedKNN": [{"n_neighbors": 3}, {"window": 12}],
    "HierarchicalKNN": [{"n_neighbors": 2}],
    "FlatKNN": [{"n_neighbors": 2}],
    "Pipeline": [{"balancedlda__half_life": 40}],
}
LEARNERS: dict[str, tuple[tuple[str, ...], Callable[[], Any]]] = {
    "SMART": (("flat", "late", "hidden"), lambda: sl.SMART(seed=1, warm_up=40)),
    "MLHAT": (("flat", "late", "hidden"), lambda: sl.MLHAT(seed=1, grace_period=40, tau=0.5)),
    "HedgedMLHAT": (("flat", "late"), lambda: sl.HedgedMLHAT(seed=1, grace_period=40, tau=0.5)),
    "MLBELS": (("flat", "late"), lambda: sl.MLBELS(seed=1, chunk=20, n_windows=4)),
    "GOOWE": (("flat", "late"), lambda: sl.GOOWE(n_models=3, chunk=20, grace_period=20, tau=0.5, seed=1)),
    "OnlineBagging": (
        ("flat", "late"),
        lambda: sl.OnlineBagging(n_models=3, detector="adwin", grace_period=20, tau=0.5, seed=1),
    ),
    "Council": (("flat", "late"), lambda: sl.Council([sl.SMART(seed=1, warm_up=40), sl.ARkNN(window=30)])),
    "Oversampling": (
        ("flat", "late"),
        lambda: sl.Oversampling(sl.SMART(seed=1, warm_up=40, decision="threshold"), seed=1),
    ),
    "HoeffdingTrees": (("flat", "late"), lambda: sl.HoeffdingTrees(grace_period=40, tau=0.5)),
    "MLHT": (("flat", "late"), lambda: sl.MLHT(grace_period=40, tau=0.5)),
    "PrunedSets": (("flat", "late"), lambda: sl.PrunedSets(buffer=30, grace_period=40, tau=0.5)),
    "MLKNN": (("flat", "late"), lambda: sl.MLKNN()),
    "BalancedKNN": (("flat", "late"), lambda: sl.BalancedKNN(window=30)),
    "Pipeline": (("flat", "late"), lambda: sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(window=30)),
    "HierarchicalKNN": (("classes",), lambda: sl.HierarchicalKNN(window=30)),
    "FlatKNN": (("classes",), lambda: sl.FlatKNN(window=30)),
    "MajorityLabels": (("flat", "hidden"), sl.MajorityLabels),
    "NoChange": (("flat", "late"), sl.NoChange),
    "River's tree": (("flat", "late"), lambda: tree.HoeffdingAdaptiveTreeClassifier(grace_period=40, seed=1)),
    "River's chain": (("flat",), lambda: multioutput.ClassifierChain(tree.HoeffdingTreeClassifier(grace_period=50))),
}


def same(first: Any, second: Any, at: str = "") -> None:
    """Assert that two states, tables or lists of them are equal to the bit."""
    if isinstance(first, dict):
        assert list(first) == list(second), at
        for name in first:
            same(first[name], second[name], f"{at}.{name}")
    elif isinstance(first, np.ndarray):
        assert first.dtype == second.dtype, at
        np.testing.assert_array_equal(first, second, err_msg=at)
    elif isinstance(first, pd.DataFrame):
        pd.testing.assert_frame_equal(first, second, check_exact=True)
    else:
        assert first == second, at


def told(run: sl.Run) -> dict[str, Any]:
    """Return all that can be seen of a run, except for clocks and memory."""
    ahead = next(flat().chunks(50)) if run.stream.schema.hierarchy is None else next(run.stream.chunks(50))
    seen: dict[str, Any] = {
        "position": run.position,
        "events": run.events,
        "curves": run.curves(),
        "faded": run.curves("faded"),
        "summary": run.summary.drop(columns=["seconds", "instances_per_second", "bytes"]),
        "tenths": run.tenths,
        "labels": {name: np.copy(value) for name, value in run.labels.state().items()},
        "waiting": {name: np.copy(value) for name, value in run._course.late.state().items()},
        "last": list(run.last) if run.last else None,
    }
    for name, learner_run in run.learner_runs.items():
        learner = learner_run.learner
        seen[f"answers of {name}"] = np.stack(learner.answer_many(ahead.X))
        seen[f"alarms of {name}"] = learner_run._watch.state() if learner_run._watch else None
        if isinstance(learner, sl.SMART):
            # where nodes stand in its arrays depends on how chunks were cut, what is in them does not
            seen[f"nodes of {name}"] = as_drawn(learner.nodes())
        elif "object" not in learner_run.state():
            # arrivals are those of the last call that learned
            kept = {key: value for key, value in learner.state().items() if not key.endswith("arrivals")}
            if "rings" in kept:
                # how much room windows have beyond what is in them depends on how chunks were cut
                used = np.flatnonzero(kept["rings"].any(axis=0))
                kept["rings"] = kept["rings"][:, : used.max(initial=-1) + 1]
            seen[f"state of {name}"] = kept
    if seen["last"] is not None:
        seen["last"] = {"X": np.asarray(seen["last"][0]), "Y": seen["last"][1]}
    return seen


def as_drawn(nodes: pd.DataFrame) -> pd.DataFrame:
    """Return nodes of a forest in the order of their places in the trees, without the places in its arrays."""
    return nodes if nodes.empty else nodes.sort_values(["tree", "node"]).drop(columns="parent").reset_index(drop=True)


noise = DriftRecipe("feature_noise", strength=1.0, seed=5)


def kept(run: sl.Run, stream: str, learner: str) -> sl.Run:
    """Save a run, and return what was opened."""
    given = {"it": LEARNERS[learner][1]()} if learner.startswith("River") else None
    with tempfile.TemporaryDirectory() as folder:
        run.save(Path(folder) / "x.slab")
        return sl.Run.open(Path(folder) / "x.slab", STREAMS[stream](), learners=given)


def test_a_run_is_as_made_until_somebody_changes_it():
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
    run.advance(250)
    run.seek(100)
    assert run.is_as_made
    run.tune("SMART", half_life=50)
    assert not run.is_as_made
