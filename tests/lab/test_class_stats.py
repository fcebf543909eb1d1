"""Hits and misses of each class of a hierarchy, against sums by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.lab.label_stats import ClassRecords
from streamlab.schema import Hierarchy


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_scores_are_those_of_all_below_with_older_instances_fading(data):
    n_labels = data.draw(st.integers(1, 7))
    tree = Hierarchy(tuple(data.draw(st.integers(-1, label - 1)) for label in range(n_labels)))
    rng = np.random.default_rng(data.draw(st.integers(0, 9999)))
    n, fading = data.draw(st.integers(1, 30)), data.draw(st.sampled_from([0.9, 0.995, 1.0]))
    Y, Z = rng.integers(0, 2, (2, n, n_labels), dtype=np.uint8)
    records = ClassRecords(tree, fading)
    cuts = sorted(rng.integers(0, n + 1, 2).tolist())
    for start, stop in zip([0, *cuts], [*cuts, n], strict=True):
        records.add(Y[start:stop], Z[start:stop])
    scores = records.scores()
    true, predicted = (tree.with_ancestors(labels).astype(float) for labels in (Y, Z))
    weights = fading ** np.arange(n - 1, -1, -1.0)[:, None]
    assert np.allclose(records.weight, (weights * true).sum(axis=0))
    for label in range(n_labels):
        here = [label, *tree.descendants(label)]
        hits, said, asked = ((weights * each)[:, here].sum() for each in (true * predicted, predicted, true))
        for name, over in (("hp", said), ("hr", asked), ("hf", (said + asked) / 2)):
            expected = hits / over if over else np.nan
            assert scores[name][label] == pytest.approx(expected, nan_ok=True), (name, label)
