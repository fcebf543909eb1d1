"""The curves of a run: how wide their axis is, and what is dated on them."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("panel")

from bokeh.models import DataRange1d, Range1d

from streamlab.lab.events import Event
from streamlab.lab.frame import CurveUpdate
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


def grown(curves: Curves, *positions: int) -> tuple[float, float]:
    values = {("micro_f1", "it"): np.full(len(positions), 0.5)}
    curves.update(CurveUpdate(np.array(positions), values, False))
    figure = curves._figures[0]
    return figure.x_range.start, figure.x_range.end


def test_the_axis_of_a_long_stream_grows_with_the_run_until_people_move_it():
    curves = Curves(["it"], ["micro_f1"], n_rows=100_000)
    assert grown(curves, 100) == (0, 2_500)
    assert grown(curves, 2_300) == (0, 2_500)
    assert grown(curves, 2_400) == (0, 5_000)
    assert grown(curves, 30_000) == (0, 40_000)
    figure = curves._figures[0]
    assert figure.x_range.reset_end == 100_000, "the reset tool shows the whole stream"
    figure.x_range.update(start=10_000, end=12_000)
    assert grown(curves, 60_000) == (10_000, 12_000), "it is theirs now"
    assert grown(Curves(["it"], ["micro_f1"], n_rows=100_000), 99_000) == (0, 100_000)
    assert grown(Curves(["it"], ["micro_f1"], n_rows=1_000), 100) == (0, 1_000), "a short one is seen whole"


def test_drifts_are_numbered_and_tunings_told():
    curves = Curves(["it"], ["micro_f1"], n_rows=1000)
    events = [Event(100, "", "drift", "label rotation", {"width": 1})]
    events += [Event(150, "it", "tuned", "half_life: 200 → 100", {}), Event(300, "", "drift", "sudden", {})]
    curves.mark(events)
    assert list(curves._marks.data["drawn"]) == ["①", "it half_life: 200 → 100", "②"]
    assert list(curves._marks.data["text"])[::2] == ["label rotation", "sudden"], "what a number means is kept"


def test_seeds_of_one_learner_are_one_line_with_a_band():
    names = ["A · seed 1", "A · seed 2", "B"]
    curves = Curves(names, ["micro_f1"], n_rows=100)
    values = {("micro_f1", name): np.array([0.2, 0.4]) + 0.1 * i for i, name in enumerate(names)}
    curves.update(CurveUpdate(np.array([10, 20]), values, True))
    data = curves._source.data
    np.testing.assert_allclose(data["m0_0"], [0.25, 0.45])
    np.testing.assert_allclose(data["m0_0_low"], [0.2, 0.4])
    np.testing.assert_allclose(data["m0_0_high"], [0.3, 0.5])
    np.testing.assert_allclose(data["m0_1"], [0.4, 0.6])
    assert "m0_1_low" not in data
    curves.update(CurveUpdate(np.array([30]), {key: value[:1] for key, value in values.items()}, False))
    assert len(curves._source.data["m0_0_high"]) == 3
