"""The three binary generators: each instance is of the class asked for, drawn as MOA draws it."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.generated.concept import Concept
from streamlab.streams.generated.generator import MultiLabelGenerator
from tests.streams.generated.read import all_positive, read


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
