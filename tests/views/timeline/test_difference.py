"""The curve of a difference: the mean and its band, and a title that says which way round."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streamlab.views.timeline.side_curves import Difference


def test_it_draws_the_mean_and_the_band():
    curve = Difference(1000)
    table = pd.DataFrame(
        {"position": [100, 200], "mean": [0.1, 0.2], "low": [np.nan, 0.05], "high": [np.nan, 0.35], "difference": 0.0}
    )
    curve.show("SMART", "fast", "F1 (micro)", table)
    data = curve._source.data
    assert curve.figure.title.text == "F1 (micro): fast less SMART, mean and 95 % band"
    assert list(data["mean"]) == [0.1, 0.2]
    assert list(data["low"]) == [0.1, 0.05], "one point alone has no band"
    assert list(data["high"]) == [0.1, 0.35]
    assert curve.figure.x_range.end == 1000


def test_nothing_to_draw_is_an_empty_list():
    curve = Difference()
    curve.show("a", "b", "F1", pd.DataFrame({name: [] for name in ("position", "mean", "low", "high")}))
    assert curve._source.data["position"] == []
