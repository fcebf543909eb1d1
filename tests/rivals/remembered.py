"""What the tests of learners that remember rows share: sparse streams, and cuttings."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from streamlab.schema import Schema

__all__ = ["assert_any_cutting", "nominal_of", "sparse_stream"]


def nominal_of(schema: Schema) -> list[bool]:
    """For each feature whether it has more than two categories."""
    return [f.is_nominal and len(f.categories or ()) > 2 for f in schema.features]


def sparse_stream(n: int) -> tuple[Schema, np.ndarray, np.ndarray]:
    """``n`` rows of 30 counts, of which about one in ten is not 0, and three labels; some rows have none."""
    rng = np.random.default_rng(7)
    X = np.where(rng.random((n, 30)) < 0.1, rng.integers(1, 4, (n, 30)), 0).astype(np.float64)
    X[5::20] = 0.0
    return Schema.anonymous(30, 3), X, (X[:, :3] + X[:, 3:6] > 0).astype(np.uint8)


def assert_any_cutting(made, X, Y) -> None:
    """A stream cut anyhow gives the same answers and the same state, to the bit."""
    whole = made()
    scores, labels = whole.test_then_train(X, Y)
    for cuts in ((0, 1, 2, 3, 50, 51, len(X)), tuple(range(len(X) + 1)), (0, 0, 7, len(X) - 1, len(X))):
        pieces = made()
        parts = [pieces.test_then_train(X[a:b], Y[a:b]) for a, b in pairwise(cuts)]
        np.testing.assert_array_equal(np.concatenate([part[0] for part in parts]), scores)
        np.testing.assert_array_equal(np.concatenate([part[1] for part in parts]), labels)
        expected = whole.state()
        for key, value in pieces.state().items():
            np.testing.assert_array_equal(value, expected[key], err_msg=key)
