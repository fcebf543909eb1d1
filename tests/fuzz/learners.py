"""Every learner and transformer of the package, made small, with a stream that makes it use all of its structure."""

from __future__ import annotations

from typing import Any

import numpy as np

import streamlab as sl

__all__ = ["NAMES", "answer", "holds_state", "learn", "made", "rows", "sane", "schema", "trained"]

ROUNDING = 1e-9
LARGEST = 1e99
"""The widest range that is filled: learners take no value far beyond it."""
ABSTRACT = ("Learner",)
SMALL: dict[str, dict[str, Any]] = {
    "SMART": {"n_trees": 3, "height": 4, "seed": 1},
    # splits and grows alternates within a few hundred rows
    "MLHAT": {"grace_period": 50, "tau": 0.5, "delta": 0.05, "alternate_grace_period": 50, "max_depth": 4, "seed": 1},
    "HedgedMLHAT": {"grace_period": 50, "tau": 0.2, "delta": 0.05, "alternate_grace_period": 50, "seed": 1},
    "ARkNN": {"window": 20},
    "RankedKNN": {"window": 20},
    "MLSAMPkNN": {"window": 20, "min_window": 4},
    "MLSAkNN": {"window": 20, "min_window": 4},
    "BalancedKNN": {"window": 20, "chunk": 50},
    "BalancedLDA": {"chunk": 50, "half_life": 500},
    "HierarchicalKNN": {"window": 20, "drift_delta": 0.05},
    "FlatKNN": {"window": 20},
    "MLBELS": {"chunk": 20, "n_windows": 4, "window_nodes": 2, "seed": 1},
    "GOOWE": {"n_models": 3, "chunk": 20, "grace_period": 50, "tau": 0.5, "delta": 0.05, "seed": 1},
    "OnlineBagging": {"n_models": 3, "detector": "adwin", "grace_period": 50, "tau": 0.5, "delta": 0.05, "seed": 1},
    "HoeffdingTrees": {"grace_period": 50, "tau": 0.5, "delta": 0.05, "max_depth": 4},
    "MLHT": {"grace_period": 50, "tau": 0.5, "delta": 0.05, "max_depth": 4},
    "PrunedSets": {"buffer": 60, "reintroduce": 1, "grace_period": 50, "tau": 0.5, "delta": 0.05, "max_depth": 4},
    "MLKNN": {"chunk": 50, "n_neighbors": 3},
}
NESTED = ("HierarchicalKNN", "FlatKNN")
"""Learners for labels with a hierarchy."""


def _found() -> tuple[str, ...]:
    kinds = ((name, getattr(sl, name)) for name in sl.__all__ if name not in ABSTRACT)
    return tuple(
        name for name, kind in kinds if isinstance(kind, type) and hasattr(kind, "from_state") and hasattr(kind, "bind")
    )


NAMES = _found()
"""Names of all that can be made and saved, in alphabetical order."""


def made(name: str, *, small: bool = True, **parameters: Any) -> Any:
    """A learner or transformer that has seen nothing; ``small``: of few nodes, quick to fill."""
    if name == "Pipeline":
        return made("StandardScaler") | made("BalancedLDA", small=small) | made("BalancedKNN", small=small)
    if name == "Oversampling":
        return sl.Oversampling(made("SMART", small=small), seed=1)
    if name == "OnePerLabel":
        from river.tree import HoeffdingTreeClassifier

        return sl.OnePerLabel(HoeffdingTreeClassifier(grace_period=50))
    if name == "RiverClassifier":
        from river.tree import HoeffdingTreeClassifier

        return sl.RiverClassifier(HoeffdingTreeClassifier(grace_period=50))
    if name == "RiverMultiLabel":
        from river.multioutput import ClassifierChain
        from river.tree import HoeffdingTreeClassifier

        return sl.RiverMultiLabel(ClassifierChain(HoeffdingTreeClassifier(grace_period=50)))
    if name == "TargetsAsLabels":
        from river.tree import ISOUPTreeRegressor

        return sl.TargetsAsLabels(ISOUPTreeRegressor(grace_period=50))
    own = SMALL.get(name, {})
    if not small:
        own = {key: value for key, value in own.items() if key == "seed"}
    return getattr(sl, name)(**(own | parameters))


def holds_state(name: str) -> bool:
    """Whether the learner has a flat state at all: River's objects have none."""
    return name not in ("OnePerLabel", "RiverClassifier", "RiverMultiLabel", "TargetsAsLabels")


def schema(name: str) -> sl.Schema:
    """Three numeric features, two nominal ones and five labels, in a hierarchy for those who take one."""
    numeric = tuple(sl.Feature(f"x{i}", None, 0.0, 1.0) for i in range(3))
    nominal = tuple(sl.Feature(f"c{i}", ("red", "green", "blue")) for i in range(2))
    nested = sl.Hierarchy((-1, -1, 0, 0, 1)) if name in NESTED else None
    return sl.Schema(numeric + nominal, tuple(f"l{i}" for i in range(5)), nested)


def rows(of: sl.Schema, n: int, seed: int, missing: float = 0.02) -> tuple[np.ndarray, np.ndarray]:
    """``n`` instances of any schema; each label hangs on one feature, from the middle on on the next one."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, of.n_features))
    margin = np.zeros((n, of.n_labels))
    if of.n_features:
        place = np.add.outer(np.arange(n) >= n // 2, np.arange(of.n_labels)) % of.n_features
        margin = np.take_along_axis(X, place, axis=1)
    Y = (margin + 0.1 * rng.normal(size=margin.shape) > 0.5).astype(np.uint8)
    for j, feature in enumerate(of.features):
        if feature.categories is not None:
            X[:, j] = np.floor(X[:, j] * len(feature.categories))
        elif feature.low is not None and feature.high is not None and feature.high - feature.low <= LARGEST:
            X[:, j] = feature.low + X[:, j] * (feature.high - feature.low)
    if of.hierarchy is not None:
        # one path from the top to a leaf for each instance
        parents = [p if isinstance(p, int) else p[0] for p in of.hierarchy.parents]
        leaves = [label for label in range(of.n_labels) if label not in parents]
        Y[:] = 0
        for i in range(n):
            label = leaves[int(margin[i].argmax()) % len(leaves)]
            while label >= 0:
                Y[i, label] = 1
                label = parents[label]
    X[rng.random(X.shape) < missing] = np.nan
    return X, Y


def learn(model: Any, X: np.ndarray, Y: np.ndarray) -> None:
    """``learn_many``, also for a transformer, which takes no labels or needs some."""
    if isinstance(model, sl.Learner):
        model.learn_many(X, Y)
    elif hasattr(model, "partial_fit"):
        model.partial_fit(X, Y)


def answer(model: Any, X: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Scores and labels; of a transformer, what it makes of the rows."""
    if isinstance(model, sl.Learner):
        return model.answer_many(X)
    # a transformer that has learned nothing refuses, as scikit-learn's do
    return np.asarray(model.transform(X) if model.__sklearn_is_fitted__() else X), None


def sane(scores: np.ndarray, labels: np.ndarray) -> bool:
    """Whether scores are numbers in [0, 1], but for the last bits, and labels 0 or 1."""
    return bool(((scores >= -ROUNDING) & (scores <= 1.0 + ROUNDING)).all() and (labels <= 1).all())


def trained(name: str, n: int = 600, seed: int = 1, **parameters: Any) -> Any:
    """A small one that has learned ``n`` rows."""
    model = made(name, **parameters)
    of = schema(name)
    model.bind(of)
    X, Y = rows(of, n, seed)
    for start in range(0, n, 50):
        learn(model, X[start : start + 50], Y[start : start + 50])
    return model
