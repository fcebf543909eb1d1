"""Streams, parameters and comparisons that the tests of MLHAT share."""

from __future__ import annotations

import numpy as np

from streamlab.learners import MLHAT
from tests.learners.generated import schema_of

__all__ = ["HEDGED_QUICK", "QUICK", "learn_in_chunks", "lists", "stump_stream"]


def lists(X: np.ndarray, Y: np.ndarray):
    """The rows as the transcription takes them."""
    for x, y in zip(X.tolist(), Y.tolist(), strict=True):
        yield [None if v != v else v for v in x], y


def learn_in_chunks(model: MLHAT, X, Y, size: int = 100):
    answers = [model.test_then_train(X[i : i + size], Y[i : i + size]) for i in range(0, len(X), size)]
    return np.concatenate([scores for scores, _ in answers]), np.concatenate([labels for _, labels in answers])


def stump_stream(n: int, *, seed: int = 0, missing: float = 0.0, flips: tuple[int, ...] = ()) -> tuple:
    """Labels that follow x0, x1 and a category in a way that a tree can split, and turn round at ``flips``."""
    rng = np.random.default_rng(seed)
    schema = schema_of(3, 1, n_labels=3)
    X = rng.random((n, 4))
    X[:, 3] = np.floor(X[:, 3] * 4)
    X[:, 2] = np.round(X[:, 2] * 5) / 5
    first = X[:, 0] > 0.4
    Y = np.column_stack([first, np.where(first, X[:, 1] > 0.6, X[:, 3] == 2), (X[:, 3] == 2) | (X[:, 2] > 0.7)])
    Y ^= rng.random(Y.shape) < 0.02
    for at in flips:
        Y[at:] = ~Y[at:]
    X[rng.random(X.shape) < missing] = np.nan
    return schema, X, Y.astype(np.uint8)


# quick to split and to switch, so that a short stream has it all
QUICK = {
    "grace_period": 60, "delta": 0.1, "tau": 0.3, "alternate_grace_period": 50, "switch_significance": 0.2,
    "cardinality_threshold": 120, "window": 40, "n_models": 3, "n_split_points": 5, "max_share_to_split": 1.0,
    "leaf_start": "fresh", "seed": 5,
}  # fmt: skip
HEDGED_QUICK = {name: value for name, value in QUICK.items() if name != "cardinality_threshold"} | {"tau": 0.15}
