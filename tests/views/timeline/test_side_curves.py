"""The curves beside the timeline: levels of a hierarchy, which grow and begin again, and how two learners differ."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from bokeh.models import DataRange1d

from streamlab.lab.frame import LEVEL_MEASURES, CurveUpdate
from streamlab.views.timeline.bands import COLOURS
from streamlab.views.timeline.side_curves import LEVEL_TITLES, Difference, LevelCurves


def test_the_axis_grows_where_the_length_is_unknown():
    x_range = LevelCurves(2).figure.x_range
    assert isinstance(x_range, DataRange1d)
    assert x_range.start == 0
    assert math.isnan(x_range.end)


def test_a_level_looks_like_no_learner_and_like_no_other_level():
    lines = [each.glyph for each in LevelCurves(4, 1000).figure.renderers[:4]]
    assert not {line.line_color for line in lines} & set(COLOURS)
    assert len({line.line_width for line in lines}) == 4


def test_level_curves_grow_and_begin_again():
    curves = LevelCurves(2, 1000)
    curves.update(CurveUpdate(np.zeros(0, np.int64), {0: np.zeros(0), 1: np.zeros(0)}, True))
    assert curves._source.data == {"position": [], "level0": [], "level1": []}
    curves.update(CurveUpdate(np.array([100, 200]), {0: np.array([0.82, 0.9]), 1: np.array([0.55, 0.6])}, True))
    curves.update(CurveUpdate(np.array([300]), {0: np.array([0.95]), 1: np.array([0.7])}, False))
    assert list(curves._source.data["position"]) == [100, 200, 300]
    assert list(curves._source.data["level1"]) == [0.55, 0.6, 0.7]
    assert (curves.figure.y_range.start, curves.figure.y_range.end) == (0.5, 1.0)
    curves.mark([150, 250])
    assert curves._marks.data == {"position": [150, 250], "sign": ["①", "②"]}
    curves.describe("me", "first_wrong", "per chunk")
    assert curves.figure.title.text == "me: First wrong at each level, per chunk (lower is better)"
    assert set(LEVEL_TITLES) == set(LEVEL_MEASURES)


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
