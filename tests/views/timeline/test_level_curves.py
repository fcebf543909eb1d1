"""The curves of the levels of a hierarchy: they grow, and begin again after a reset."""

from __future__ import annotations

import math

import numpy as np
from bokeh.models import DataRange1d

from streamlab.lab.frame import LEVEL_MEASURES, CurveUpdate
from streamlab.views.timeline.bands import COLOURS
from streamlab.views.timeline.side_curves import LEVEL_TITLES, LevelCurves


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
