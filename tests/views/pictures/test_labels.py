"""What the label view sends, without a browser."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.views.kit.columns import UNIT
from streamlab.views.kit.picture import Drawn
from streamlab.views.pictures.labels.picture import LabelView
from tests.views.wire import received


def drawn(names: list[str], recent, whole, together) -> Drawn:
    return Drawn("", 7, {"recent": recent, "whole": whole}, {"names": names, "together": together})


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 20), st.integers(0, 2**32 - 1))
def test_shares_arrive(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    now, whole, both = rng.random(count), rng.random(count), rng.random((count, count))
    view = LabelView()
    view.show(drawn([f"l{i}" for i in range(count)], now, whole, both))
    columns = received(view)
    np.testing.assert_allclose(columns["recent"], now, atol=1e-6)
    np.testing.assert_allclose(columns["whole"], whole, atol=1e-6)
    pairs = [both[a, b] for a in range(count) for b in range(a)]
    np.testing.assert_allclose(columns["together"], pairs, atol=1 / UNIT)
    assert view._frame["names"] == [f"l{i}" for i in range(count)]


def test_shares_of_nothing_are_none() -> None:
    view = LabelView()
    view.show(drawn(["a", "b"], [np.nan, 0.5], [0, 0], np.full((2, 2), np.nan)))
    columns = received(view)
    assert columns["recent"].tolist() == [0, 0.5]
    assert columns["together"].tolist() == [0]


def test_names_are_those_of_the_labels_unless_others_are_given() -> None:
    view = LabelView(labels=["x", "y"])
    view.show(Drawn("", 1, {"recent": [0.1, 0.2], "whole": [0, 0]}, {"together": np.zeros((2, 2))}))
    assert view._frame["names"] == ["x", "y"]
