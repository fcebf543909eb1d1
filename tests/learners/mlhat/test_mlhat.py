"""MLHAT keeps the contract of a learner: chunks, dictionaries, parameters, errors."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.learners import MLHAT
from tests.learners.mlhat.streams import QUICK, learn_in_chunks


def test_seeds_matter_and_no_seed_is_kept(learned):
    schema, X, Y, *_ = learned
    a, b = MLHAT(**QUICK | {"seed": None}).bind(schema), MLHAT(**QUICK | {"seed": None}).bind(schema)
    scores, _ = learn_in_chunks(a, X[:600], Y[:600])
    assert not np.array_equal(scores, learn_in_chunks(b, X[:600], Y[:600])[0])
    twin = MLHAT.from_state(a.state())
    np.testing.assert_array_equal(a.test_then_train(X[600:], Y[600:])[0], twin.test_then_train(X[600:], Y[600:])[0])


@pytest.mark.parametrize("seed", range(3))
def test_a_leaf_that_has_counted_nothing_answers_whatever_the_threshold(seed):
    rng = np.random.default_rng(seed)
    X = rng.random((1500, 5))
    Y = (X > 0.5).astype(np.uint8)
    model = MLHAT(grace_period=50, tau=0.5, cardinality_threshold=0, seed=seed)
    scores, _ = model.test_then_train(X, Y)
    assert model.nodes().is_leaf.sum() > 1
    assert np.isfinite(scores).all()
