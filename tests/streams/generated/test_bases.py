"""The three binary generators: each instance is of the class asked for, drawn as MOA draws it."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.generated.bases import random_leaves
from streamlab.streams.generated.concept import Concept
from streamlab.streams.generated.generator import MultiLabelGenerator
from tests.streams.generated.read import all_positive, read


@pytest.mark.parametrize(("seed", "n_nominal", "depth"), [(1, 0, 1), (2, 4, 5), (3, 8, 3), (4, 8, 4)])
def test_tree(seed, n_nominal, depth):
    stream = MultiLabelGenerator("tree", Concept(seed=seed), n_features=8, n_nominal=n_nominal, depth=depth, n_rows=500)
    classes, volumes, low, high = random_leaves(seed, 8 - n_nominal, 8, depth)
    assert set(classes.tolist()) == {0, 1}
    assert volumes.sum() == pytest.approx(5.0**n_nominal), "the leaves fill the space"

    def classify(x):
        inside = ((low <= x) & (x < high)).all(1)
        assert inside.sum() == 1, "and do not overlap"
        return classes[np.flatnonzero(inside)[0]]

    here = np.zeros(500, np.int64)
    for wanted in (0, 1):
        Y, X = all_positive(stream, wanted)
        kernels.tree_features(np.uint64(9), 0, here, Y, *stream._base.leaves, 8 - n_nominal, *stream._features, X)
        assert {classify(x) for x in X} == {wanted}
        fraction = volumes[(classes == wanted) & (low[:, 0] == 0) & (high[:, 0] < 0.5)].sum()
        inside = volumes[classes == wanted].sum()
        seen = [i for x in X for i in np.flatnonzero(((low <= x) & (x < high)).all(1))]
        share = np.isin(seen, np.flatnonzero((low[:, 0] == 0) & (high[:, 0] < 0.5))).mean()
        assert share == pytest.approx(fraction / inside, abs=0.1), "leaves by their volume"


def test_rbf():
    stream = MultiLabelGenerator("rbf", n_features=20, n_centroids=7, n_rows=4000)
    still = np.zeros_like(stream._base.spreads)
    here = np.zeros(4000, np.int64)
    for wanted in (0, 1):
        Y, X = all_positive(stream, wanted)
        options = (here, here, np.zeros(4000), here, Y, stream._base.cumulative_weights, stream._base.centres)
        kernels.rbf_features(np.uint64(9), 0, *options, still, *stream._features, X)
        distance = np.abs(X[:, None, :] - stream._base.centres[0]).max(2)
        nearest = distance.argmin(1)
        assert distance.min(1).max() == 0, "without spread, each value is a centroid's"
        weights = np.zeros(7)
        weights[wanted::2] = np.diff(stream._base.cumulative_weights[0, wanted::2], prepend=0)
        np.testing.assert_allclose(np.bincount(nearest, minlength=7) / 4000, weights / weights.sum(), atol=0.03)
        kernels.rbf_features(np.uint64(9), 0, *options, stream._base.spreads, *stream._features, X)
        offset = np.sqrt(((X - stream._base.centres[0, nearest]) ** 2).sum(1)) / stream._base.spreads[0, nearest]
        assert np.sqrt((offset**2).mean()) == pytest.approx(1, abs=0.05), "the distance is Gaussian with its spread"


@pytest.mark.parametrize("noise", [0.0, 0.05, 1.0])
def test_hyperplane(noise):
    n = 20_000
    stream = MultiLabelGenerator("hyperplane", n_rows=n, magnitude=0.01, noise=noise)
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
    for wanted in (0, 1):
        Y, X = all_positive(stream, wanted)
        kernels.hyperplane_features(
            np.uint64(0), 0, here, here, np.zeros(n), here, Y, stream._base.weights, steps_of_rows, 0.01, noise,
            *stream._features, X,
        )  # fmt: skip
        of_class = ((w * X).sum(1) >= 0.5 * w.sum(1)) == wanted
        assert (~of_class).mean() == pytest.approx(noise, abs=0.006)
    # And the stream itself: where all labels are on, all values are the positive's.
    stream = MultiLabelGenerator("hyperplane", Concept(1.8), n_labels=2, n_rows=2000, magnitude=0, noise=0)
    X, Y = read(stream)
    w = stream._base.weights[0]
    assert (X[Y.all(1)] @ w >= 0.5 * w.sum()).all()


def test_a_hyperplane_whose_only_weight_drifts_to_0_gives_its_rows():
    def stream(**options):
        return MultiLabelGenerator(
            "hyperplane", Concept(1.2), n_features=1, n_labels=2, n_drifting=1, n_rows=20_000, **options
        )

    weight = float(stream()._base.weights[0, 0])
    found = []
    reading = threading.Thread(target=lambda: found.extend(read(stream(magnitude=weight))), daemon=True)
    reading.start()
    reading.join(120)
    assert found, "no row in two minutes"
    assert len(found[0]) == 20_000
    assert ((found[0] >= 0) & (found[0] < 1)).all()
