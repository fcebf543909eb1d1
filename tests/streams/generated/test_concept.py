"""Concepts: cardinality and dependence of the labels are what was asked."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from streamlab.streams.generated.concept import Concept
from streamlab.streams.generated.generator import MultiLabelGenerator
from tests.streams.generated.read import read


@pytest.mark.parametrize(("z", "u", "n"), [(1, 0.25, 4), (1.2, 0.5, 3), (2.5, 1, 12), (7.5, 0.3, 8), (4, 0, 40)])
def test_cardinality(z, u, n):
    stream = MultiLabelGenerator("rbf", Concept(z, u, seed=5), n_features=3, n_labels=n, n_rows=20_000)
    assert read(stream)[1].sum(1).mean() == pytest.approx(z, rel=0.02)
    priors = stream.priors()
    assert priors.sum() == pytest.approx(z)
    assert 0 < priors.min() <= priors.max() <= 1
    conditional = stream.conditionals()
    assert 0 <= conditional.min() <= conditional.max() <= 1


def test_pairs_drawn_together_and_apart():
    n_seen = {1: 0, -1: 0}
    for seed in range(6):
        free, bound = (MultiLabelGenerator("rbf", Concept(2, u, seed), n_features=2, n_centroids=2) for u in (0, 0.25))
        priors, signs = bound.priors(), bound.dependencies()
        np.testing.assert_array_equal(priors, free.priors())
        without, given_ = (Y.T.astype(float) @ Y / len(Y) for _, Y in map(read, (free, bound)))
        for j, k in itertools.combinations(range(8), 2):
            extreme = {1: max, -1: min, 0: lambda a, _: a}[signs[j, k]]
            ratio = extreme(priors[j], priors[k]) / priors[j]
            # Bayes' rule, where nothing is clipped
            P = bound.conditionals()
            if P[j, k] < 1 and P[k, j] < 1:
                assert P[j, k] * priors[k] == pytest.approx(P[k, j] * priors[j])
            if ratio > 1.5:
                n_seen[1] += 1
                assert given_[j, k] > without[j, k]
            if ratio < 0.6:
                n_seen[-1] += 1
                assert given_[j, k] < without[j, k]
    assert min(n_seen.values()) >= 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cardinality": 0.9}, "cardinality=0.9: expected a number, at least 1"),
        ({"cardinality": "a"}, "cardinality='a': expected a number"),
        ({"dependency": 1.1}, "dependency=1.1: expected a number from 0 to 1"),
        ({"seed": 0.5}, "seed=0.5: expected a whole number"),
    ],
)
def test_wrong_concepts(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Concept(**options)
