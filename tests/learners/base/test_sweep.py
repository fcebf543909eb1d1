"""Every control's whole range runs: each tunable parameter at its ends and middle, from the start and mid-stream."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners.base.parameters import Tunable

ROWS = 160
CHUNK = 40
QUICK = {"grace_period": 20, "tau": 0.5, "alternate_grace_period": 20, "window": 30, "n_models": 3, "seed": 1}
LEARNERS = {
    "SMART": lambda **given: sl.SMART(**{"n_trees": 4, "height": 5, "warm_up": 30, "seed": 1} | given),
    "MLHAT": lambda **given: sl.MLHAT(**QUICK | given),
    "HedgedMLHAT": lambda **given: sl.HedgedMLHAT(**QUICK | given),
    "HoeffdingTrees": lambda **given: sl.HoeffdingTrees(**{"grace_period": 20, "tau": 0.5} | given),
    "ISOUPT": lambda **given: sl.ISOUPT(**{"grace_period": 20, "tau": 0.5} | given),
    "MLHT": lambda **given: sl.MLHT(**{"grace_period": 20, "tau": 0.5} | given),
    "MLHTPS": lambda **given: sl.MLHTPS(**{"buffer": 10, "grace_period": 20, "tau": 0.5} | given),
    "PrunedSets": lambda **given: sl.PrunedSets(**{"buffer": 20, "grace_period": 20, "tau": 0.5} | given),
    "BalancedKNN": lambda **given: sl.BalancedKNN(**{"chunk": 50, "window": 20} | given),
    "MLBELS": lambda **given: sl.MLBELS(**{"chunk": 20, "n_windows": 4, "seed": 1} | given),
    "GOOWE": lambda **given: sl.GOOWE(
        **{"chunk": 20, "n_models": 3, "grace_period": 20, "tau": 0.5, "seed": 1} | given
    ),
    "OnlineBagging": lambda **given: sl.OnlineBagging(
        **{"base": "relevance", "n_models": 3, "detector": "adwin", "seed": 1} | given
    ),
    "MLKNN": lambda **given: sl.MLKNN(**{"chunk": 50} | given),
    "OnlineLogistic": lambda **given: sl.OnlineLogistic(**given),
    "HierarchicalKNN": lambda **given: sl.HierarchicalKNN(**{"window": 20} | given),
    "FlatKNN": lambda **given: sl.FlatKNN(**{"window": 20} | given),
    "RankedKNN": lambda **given: sl.RankedKNN(**{"window": 20} | given),
    "ARkNN": lambda **given: sl.ARkNN(**{"window": 20} | given),
    "MLSAMPkNN": lambda **given: sl.MLSAMPkNN(**{"window": 20, "min_window": 4} | given),
    "MLSAkNN": lambda **given: sl.MLSAkNN(**{"window": 20, "min_window": 4} | given),
    "StandardScaler": lambda **given: sl.StandardScaler(**given) | sl.NoChange(),
    "BalancedLDA": lambda **given: sl.BalancedLDA(**given) | sl.MLKNN(chunk=40),
    "Pipeline": lambda **given: sl.Pipeline(sl.StandardScaler(), sl.MLKNN(chunk=40), **given),
}
TUNABLES = {"StandardScaler": sl.StandardScaler.tunables, "BalancedLDA": sl.BalancedLDA.tunables}


def streams() -> dict[str, tuple[sl.Schema, np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(5)
    plain = rng.random((ROWS, 5))
    kinds = tuple(sl.Feature(f"n{j}", ("a", "b", "c") if j else ("a", "b")) for j in range(2))
    mixed = np.column_stack([plain[:, :2] * 1e6, rng.integers(0, 2, ROWS), rng.integers(0, 3, ROWS)])
    mixed[rng.random(mixed.shape) < 0.1] = np.nan
    flat = np.zeros((ROWS, 2))
    sparse = np.where(rng.random((ROWS, 30)) < 0.1, 1.0, 0.0)
    turned = np.where(np.arange(ROWS)[:, None] < ROWS // 2, plain > 0.5, plain < 0.5)
    return {
        "plain": (sl.Schema.anonymous(5, 5), plain, turned),
        "mixed, with gaps": (
            sl.Schema((sl.Feature("x0"), sl.Feature("x1"), *kinds), ("l0", "l1")), mixed, plain[:, :2] > 0.5,
        ),
        "nothing varies": (sl.Schema.anonymous(2, 1), flat, np.ones((ROWS, 1))),
        "no label is true": (sl.Schema.anonymous(5, 2), plain, np.zeros((ROWS, 2))),
        "sparse": (sl.Schema.anonymous(30, 12), sparse, sparse[:, :12]),
    }  # fmt: skip


STREAMS = streams()


def values_of(tunable: Tunable) -> list[Any]:
    """Both ends, the middle, and what stands for "never" or "no bound"."""
    if tunable.choices:
        return list(tunable.choices)
    low, high = float(tunable.low), float(tunable.high)
    middle = math.sqrt(low * high) if tunable.logarithmic else (low + high) / 2.0
    ends = [round(v) if tunable.integer else v for v in (low, middle, high)]
    return ends + [math.inf] * tunable.infinite + [None] * tunable.optional


CASES = [
    (name, tunable)
    for name, made in LEARNERS.items()
    for tunable in TUNABLES.get(name, made().tunables)
    if not (name == "Pipeline" and "__" in tunable.name)
]


def run(model: Any, stream: str, at_middle: dict[str, Any]) -> None:
    schema, X, Y = STREAMS[stream]
    model.bind(schema)
    for start in range(0, ROWS, CHUNK):
        if start == ROWS // 2:
            model.tune(**at_middle)
        piece = slice(start, start + CHUNK)
        scores, labels = model.test_then_train(X[piece], Y[piece].astype(np.uint8))
        assert np.isfinite(scores).all()
        assert (scores > -1e-9).all()
        assert (scores < 1 + 1e-9).all()
        assert labels.max(initial=0) <= 1
    twin = type(model).from_state(model.state())
    np.testing.assert_array_equal(twin.predict_proba_many(X[:10]), model.predict_proba_many(X[:10]))


@pytest.mark.parametrize(("name", "tunable"), CASES, ids=[f"{name}-{tunable.name}" for name, tunable in CASES])
def test_the_whole_range_of_a_control_runs(name, tunable):
    prefix = f"{name.lower()}__" if name in TUNABLES else ""
    for value in values_of(tunable):
        for stream in STREAMS:
            run(LEARNERS[name](**{tunable.name: value}), stream, {})
            run(LEARNERS[name](), stream, {prefix + tunable.name: value})
