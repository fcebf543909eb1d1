"""Features that stick: at which value, which of them, from where to where."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.streams.changes.stuck_features import stuck_features
from streamlab.streams.readers.arrays import ArrayStream
from tests.streams.changes.made import rows_of

X = np.random.default_rng(0).normal(size=(600, 4))
X[::7, 0] = np.nan
X[:250, 3] = np.nan


def plain() -> ArrayStream:
    return ArrayStream(X, np.ones((600, 1)))


@pytest.mark.parametrize("chunk", [7, 100, 1000])
def test_features_stick_at_their_last_known_value_and_follow_again(chunk: int) -> None:
    stream = stuck_features(plain(), at=[204, 300, 400], share=1.0)
    got = np.concatenate([part.X for part in stream.chunks(chunk)])
    expected = X.copy()
    # row 203 has no value of feature 0, and no row before 204 one of feature 3
    expected[204:300, :3] = [X[202, 0], *X[203, 1:3]]
    expected[400:] = [X[398, 0] if np.isnan(X[399, 0]) else X[399, 0], *X[399, 1:]]
    np.testing.assert_array_equal(got, expected)
    assert np.isnan(X[203, 0])
    assert [(each.start, each.kind) for each in stream.drifts] == [(at, "stuck features") for at in (204, 300, 400)]
    assert next(stuck_features(plain(), at=0).chunks(5)).X[1].tolist()[1:3] == X[1, 1:3].tolist()


def test_a_share_of_the_features_sticks_and_a_loose_contact_lets_rows_through() -> None:
    stream = stuck_features(plain(), at=100, until=500, share=0.5, width=200, seed=3)
    got, _ = rows_of(stream)
    stuck = np.isin(np.arange(4), stream.columns)
    assert stuck.sum() == 2
    np.testing.assert_array_equal(got[:, ~stuck], X[:, ~stuck])
    column = stream.columns[0]
    is_held = got[:, column] == stream.held[0, 0]
    np.testing.assert_array_equal(got[~is_held, column], X[~is_held, column])
    assert np.flatnonzero(is_held)[0] == 99
    assert 60 < is_held[100:300].sum() < 140
    assert is_held[300:500].all()
    # the end is gradual, too, and still holds the value of the beginning
    assert 60 < is_held[500:].sum() < 100


@pytest.mark.parametrize(("share", "who"), [(1.0, "all 4 features stick:"), (0.5, "2 of 4 features (")])
def test_what_is_told_names_a_feature_only_where_not_all_are_meant(share: float, who: str) -> None:
    assert stuck_features(plain(), at=100, share=share, seed=3).drifts[-1].about.startswith(who)
