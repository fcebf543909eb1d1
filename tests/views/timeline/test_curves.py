"""The curves of a run: how wide their axis is."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("panel")

from bokeh.models import DataRange1d, Range1d

from streamlab.views.timeline.curves import Curves


def test_the_axis_is_as_wide_as_the_stream_is_long():
    (figure,) = Curves(["me"], ["micro_f1"], n_rows=1000)._figures
    assert isinstance(figure.x_range, Range1d)
    assert (figure.x_range.start, figure.x_range.end) == (0, 1000)
    assert (figure.y_range.start, figure.y_range.end) == (0, 1)


def test_the_axis_grows_where_the_length_is_unknown():
    one, two = Curves(["me"], ["micro_f1", "ranking_loss"])._figures
    assert one.x_range is two.x_range
    assert isinstance(one.x_range, DataRange1d)
    assert one.x_range.start == 0
    assert math.isnan(one.x_range.end)
