"""What the label view sends, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("panel")

from streamlab.views.pictures.forest.view import UNIT
from streamlab.views.pictures.labels.view import LabelView


def unpack(frame: dict) -> dict[str, np.ndarray]:
    """As ``unpack`` in ``js/theme.js`` does it."""
    columns, offset = {}, 0
    for name, kind, length, scale in frame["spec"]:
        item = np.dtype(f"<{kind}")
        columns[name] = np.frombuffer(frame["buffer"], item, length, offset) / scale
        offset += length * item.itemsize
    return columns


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 20), st.integers(0, 2**32 - 1))
def test_shares_arrive(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    now, whole, both = rng.random(count), rng.random(count), rng.random((count, count))
    view = LabelView()
    view.show([f"l{i}" for i in range(count)], now, whole, both)
    columns = unpack(view._frame)
    np.testing.assert_allclose(columns["now"], now, atol=1e-6)
    np.testing.assert_allclose(columns["whole"], whole, atol=1e-6)
    pairs = [both[a, b] for a in range(count) for b in range(a)]
    np.testing.assert_allclose(columns["joint"], pairs, atol=1 / UNIT)
    assert view._frame["names"] == [f"l{i}" for i in range(count)]


def test_shares_of_nothing_are_none() -> None:
    view = LabelView()
    view.show(["a", "b"], [np.nan, 0.5], [0, 0], np.full((2, 2), np.nan))
    columns = unpack(view._frame)
    assert columns["now"].tolist() == [0, 0.5]
    assert columns["joint"].tolist() == [0]


def test_a_hundred_labels_cost_little() -> None:
    view = LabelView()
    view.show([f"label {i}" for i in range(100)], np.zeros(100), np.zeros(100), np.zeros((100, 100)))
    assert len(view._frame["buffer"]) + sum(map(len, view._frame["names"])) < 13_000


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("now", ([0.1], [0, 0], np.zeros((2, 2)))),
        ("whole", ([0, 0], [0, 0, 0], np.zeros((2, 2)))),
        ("cooccurrence", ([0, 0], [0, 0], np.zeros((2, 3)))),
    ],
)
def test_wrong_shape_is_named(name: str, arguments: tuple) -> None:
    with pytest.raises(ValueError, match=f"^{name}: shape"):
        LabelView().show(["a", "b"], *arguments)
