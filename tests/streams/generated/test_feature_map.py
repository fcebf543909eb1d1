"""Which labels a feature shows, and that the rows follow it."""

from __future__ import annotations

import numpy as np

from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.generated.concept import Concept
from streamlab.streams.generated.generator import MultiLabelGenerator
from tests.streams.generated.read import all_positive, read


def test_feature_map():
    stream = MultiLabelGenerator("rbf", Concept(3, 0.25, 1), n_features=80, n_labels=25)
    found = stream.combinations()
    sizes = np.array([len(c) for c in found])
    assert (sizes == 1).sum() == 60
    assert set(sizes.tolist()) == {1, 2, 3}
    singles = np.bincount([c[0] for c in found if len(c) == 1], minlength=25)
    assert set(singles.tolist()) <= {2, 3}, "spread evenly"
    Y = read(stream, 20_000)[1]
    for labels in found:
        assert Y[:, list(labels)].all(1).any(), "it really occurs"
    few = MultiLabelGenerator("rbf", n_features=10, n_labels=9).combinations()
    assert {c[0] for c in few if len(c) == 1} == set(range(9)), "every label has a feature of its own"
    assert all(len(c) == 1 for c in MultiLabelGenerator("rbf", Concept(1), n_labels=4).combinations())
    # The single labels are the same for another cardinality of the same seed.
    other = MultiLabelGenerator("rbf", Concept(1.5, 0.1, 1), n_features=80, n_labels=25).combinations()
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
    for f, labels in enumerate(stream.combinations()):
        np.testing.assert_array_equal(X[:, f], np.where(Y[:, list(labels)].all(1), both[1][:, f], both[0][:, f]))
