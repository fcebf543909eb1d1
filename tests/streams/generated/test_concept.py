"""Concepts and bases: labels depend as asked, features show their labels, instances are of the class asked for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.generated.concept import Concept
from streamlab.streams.generated.generator import MultiLabelGenerator
from tests.streams.generated.read import all_positive, read


def combinations(stream):
    """For each feature the labels that must all be on for a positive value."""
    return [tuple(sorted(set(labels))) for labels in stream._combinations[0].tolist()]


@pytest.mark.parametrize(("z", "u", "n"), [(1, 0.25, 4), (1.2, 0.5, 3), (2.5, 1, 12), (7.5, 0.3, 8), (4, 0, 40)])
def test_cardinality(z, u, n):
    stream = MultiLabelGenerator("rbf", Concept(z, u, seed=5), n_features=3, n_labels=n, n_rows=20_000)
    assert read(stream)[1].sum(1).mean() == pytest.approx(z, rel=0.02)
    priors, _, conditional = vars(stream._relations[0]).values()
    assert priors.sum() == pytest.approx(z)
    assert 0 < priors.min() <= priors.max() <= 1
    assert 0 <= conditional.min() <= conditional.max() <= 1


def test_pairs_drawn_together_and_apart():
    n_seen = {1: 0, -1: 0}
    for seed in range(6):
        free, bound = (MultiLabelGenerator("rbf", Concept(2, u, seed), n_features=2) for u in (0, 0.25))
        priors, signs, P = vars(bound._relations[0]).values()
        np.testing.assert_array_equal(priors, free._relations[0].priors)
        without, given_ = (Y.T.astype(float) @ Y / len(Y) for _, Y in map(read, (free, bound)))
        for j, k in itertools.combinations(range(8), 2):
            extreme = {1: max, -1: min, 0: lambda a, _: a}[signs[j, k]]
            ratio = extreme(priors[j], priors[k]) / priors[j]
            # Bayes' rule, where nothing is clipped
            if P[j, k] < 1 and P[k, j] < 1:
                assert P[j, k] * priors[k] == pytest.approx(P[k, j] * priors[j])
            if ratio > 1.5:
                n_seen[1] += 1
                assert given_[j, k] > without[j, k]
            if ratio < 0.6:
                n_seen[-1] += 1
                assert given_[j, k] < without[j, k]
    assert min(n_seen.values()) >= 3


def test_feature_map():
    stream = MultiLabelGenerator("rbf", Concept(3, 0.25, 1), n_features=80, n_labels=25)
    found = combinations(stream)
    sizes = np.array([len(c) for c in found])
    assert (sizes == 1).sum() == 60
    assert set(sizes.tolist()) == {1, 2, 3}
    singles = np.bincount([c[0] for c in found if len(c) == 1], minlength=25)
    assert set(singles.tolist()) <= {2, 3}, "spread evenly"
    Y = read(stream, 20_000)[1]
    for labels in found:
        assert Y[:, list(labels)].all(1).any(), "it really occurs"
    few = combinations(MultiLabelGenerator("rbf", n_features=10, n_labels=9))
    assert {c[0] for c in few if len(c) == 1} == set(range(9)), "every label has a feature of its own"
    assert all(len(c) == 1 for c in combinations(MultiLabelGenerator("rbf", Concept(1), n_labels=4)))
    # The single labels are the same for another cardinality of the same seed.
    other = combinations(MultiLabelGenerator("rbf", Concept(1.5, 0.1, 1), n_features=80, n_labels=25))
    assert [c for c in found if len(c) == 1] == [c for c in other if len(c) == 1]


def test_rows_take_positive_and_negative_values_by_the_map():
    stream = MultiLabelGenerator("rbf", n_features=6, n_rows=300)
    X, Y = read(stream)
    here = np.zeros(300, np.int64)
    options = (here, here, np.zeros(300), here)
    both = []
    for value in (0, 1):
        labels, out = all_positive(stream, value)
        parts = (stream._base.cumulative_weights, stream._base.centres, stream._base.spreads, *stream._features, out)
        kernels.rbf_features(np.uint64(0), 0, *options, labels, *parts)
        both.append(out)
    for f, labels in enumerate(combinations(stream)):
        np.testing.assert_array_equal(X[:, f], np.where(Y[:, list(labels)].all(1), both[1][:, f], both[0][:, f]))


def test_hyperplane():
    n = 20_000
    stream = MultiLabelGenerator("hyperplane", n_rows=n)
    here = np.zeros(n, np.int64)
    steps, direction = stream._base.drift_to(np.uint64(0), 0)
    steps_of_rows = np.empty((n, 10), np.int64)
    kernels.drift_weights(np.uint64(0), 0, n, steps, direction, steps_of_rows)
    assert (np.abs(np.diff(steps_of_rows, axis=0)) == 1).all()
    turned = (np.diff(steps_of_rows, axis=0)[1:] != np.diff(steps_of_rows, axis=0)[:-1]).mean()
    assert turned == pytest.approx(0.1, abs=0.005)
    np.testing.assert_array_equal(stream._base.drift_to(np.uint64(0), n)[0], steps)
    w = np.tile(stream._base.weights[0], (n, 1))
    w[:, :10] += 0.01 * steps_of_rows
    for wanted, noise in itertools.product((0, 1), (0.0, 0.05, 1.0)):
        Y, X = all_positive(stream, wanted)
        kernels.hyperplane_features(
            np.uint64(0), 0, here, here, np.zeros(n), here, Y, stream._base.weights, steps_of_rows, 0.01, noise,
            *stream._features, X,
        )  # fmt: skip
        of_class = ((w * X).sum(1) >= 0.5 * w.sum(1)) == wanted
        assert (~of_class).mean() == pytest.approx(noise, abs=0.006)


def test_a_hyperplane_whose_only_weight_has_come_to_0_gives_its_rows():
    out, state = np.empty(1), np.ones(1, np.uint64)
    kernels.draw_from_side(state, 0, np.zeros(1), 0.0, out)
    assert 0 <= out[0] < 1
