"""The benchmark ``soak``: its figures, and the page that it opens."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamlab as sl
from tests.fuzz.soak import COLUMNS, LINES, draw, slope, summarise

BEFORE = {"megabytes": 300.0, "threads": 10.0, "handles": 30.0, "sessions": 0.0, "players": 0.0}


def samples(megabytes_an_hour: float) -> list[dict[str, float]]:
    hours = np.linspace(0.0, 2.0, 100)
    return [
        dict.fromkeys(COLUMNS, 1.0) | {"seconds": 3600 * h, "megabytes": 300 + megabytes_an_hour * h} for h in hours
    ]


def test_a_slope_is_an_hours_and_leaves_out_the_begin():
    seconds = np.linspace(0.0, 7200.0, 50)
    values = np.where(seconds < 1000, 0.0, 5.0 + 3.0 * seconds / 3600)
    assert slope(seconds, values) == pytest.approx(3.0)
    assert math.isnan(slope(np.zeros(0), np.zeros(0)))


@pytest.mark.parametrize(
    ("hourly", "after", "failed"),
    [(1.0, {}, False), (50.0, {}, True), (1.0, {"players": 1.0}, True), (1.0, {"handles": 40.0}, True)],
)
def test_what_grows_or_is_left_makes_it_fail(hourly, after, failed, capsys):
    assert summarise(samples(hourly), BEFORE, BEFORE | after) is failed
    assert ("GROWS" in capsys.readouterr().out) is (hourly > 10)


def test_a_run_on_an_endless_stream_can_be_viewed():
    run = sl.Run(sl.load("syn-branches", endless=True), sl.NoChange())
    view = run.view()
    view.player.close()


def test_the_curves_are_drawn_with_gaps_where_no_click_was_answered(tmp_path):
    samples = [
        {"seconds": 2.0 * k, "rows": 1e6 * k, "megabytes": 300 + k, "threads": 9, "handles": 20, "click_ms": ms}
        for k, ms in enumerate([50.0, float("nan"), 80.0, 60.0])
    ]
    draw(samples, tmp_path / "soak.svg", "three million rows")
    drawn = (tmp_path / "soak.svg").read_text()
    assert drawn.count('id="axes_') == len(LINES)
    draw(samples, tmp_path / "again.svg", "three million rows")
    assert len((tmp_path / "again.svg").read_text()) == len(drawn)
