"""The drift ruler: which drift an event detects, and what is drawn for it."""

from __future__ import annotations

import pytest

pytest.importorskip("bokeh")

from bokeh.models import Range1d
from bokeh.plotting import figure

from streamlab.lab.events import Event
from streamlab.learners.base.events import EventKind
from streamlab.views.timeline.drift_ruler import DriftRuler

OWN = EventKind("its own detector", is_detection=True, source="own detectors")
KINDS = {
    "a": {"drift": OWN, "alternate_promoted": EventKind("a promotion", is_detection=True, source="x", shape="star")}
}


def truth(position, width=1):
    return Event(position, "", "drift", "label rotation", {"width": width})


def tick(position, learner="a", kind="alarm"):
    return Event(position, learner, kind, f"{kind} at {position}")


def delays(ruler):
    return list(zip(ruler.delays.data["left"], ruler.delays.data["right"], ruler.delays.data["text"], strict=True))


def test_the_delay_stands_between_the_truth_and_the_first_tick():
    ruler = DriftRuler(["a", "b"])
    ruler.add([truth(1000)])
    ruler.add([tick(1112), tick(1300), tick(1150, "b")])
    assert delays(ruler) == [(1000, 1112, "+112"), (1000, 1150, "+150")]
    assert ruler.ticks.data["position"] == [1112, 1300, 1150]
    assert len(set(ruler.ticks.data["lane"])) == 2
    assert ruler.ticks.data["lane"][0] > ruler.ticks.data["lane"][2]  # the first learner's lane is the upper
    assert ruler.bands.data["left"] == []


def test_each_drift_is_detected_anew():
    ruler = DriftRuler(["a"], kinds=KINDS)
    ruler.add([truth(1000), truth(1500), tick(1600), tick(1700)])
    assert delays(ruler) == [(1500, 1600, "+100")]
    ruler.add([truth(5000), tick(5005, kind="alternate_promoted")])
    assert delays(ruler)[1:] == [(5000, 5005, "+5")]


def test_false_and_late_ticks_have_no_delay():
    ruler = DriftRuler(["a"], within=500)
    ruler.add([tick(900), truth(1000, width=300), tick(1900)])
    assert delays(ruler) == []
    assert (ruler.bands.data["left"], ruler.bands.data["right"]) == ([1000], [1300])
    again = DriftRuler(["a"], within=500)
    again.add([truth(1000, width=300), tick(1799)])
    assert delays(again) == [(1000, 1799, "+799")]


def test_an_alarm_that_is_logged_after_a_later_truth_belongs_to_the_drift_before_it():
    """A step of the run logs the truths that it passed, then the alarms."""
    ruler = DriftRuler(["a"])
    ruler.add([truth(1000), truth(1100), tick(1050)])
    assert delays(ruler) == [(1000, 1050, "+50")]


def test_an_alarm_of_one_label_is_a_tick_but_no_detection():
    ruler = DriftRuler(["a"], kinds=KINDS)
    ruler.add(
        [truth(10), tick(20, kind="label alarm"), tick(30, kind="drift"), tick(40, "stranger"), tick(5, kind="x")]
    )
    assert delays(ruler) == [(10, 30, "+20")]
    assert ruler.ticks.data["what"] == ["Error alarm of a label", "its own detector"]
    assert ruler.ticks.data["shape"] == ["circle", "diamond"]


@pytest.mark.parametrize("n", [1, 3, 12])
def test_lanes_leave_room_for_the_curves(n):
    names = [f"learner {i}" for i in range(n)]
    ruler = DriftRuler(names)
    ruler.add([tick(i, name) for i, name in enumerate(names)])
    lanes = ruler.ticks.data["lane"]
    assert len(set(lanes)) == n
    assert 0 < min(lanes) <= max(lanes) <= 0.5
    fig = figure()
    fig.extra_y_ranges = {"share": Range1d(0, 1)}
    ruler.draw(fig)
    assert len(fig.renderers) == 4


def test_the_page_keeps_the_newest_ticks_only():
    ruler = DriftRuler(["a"])
    ruler.add([tick(i) for i in range(2000)])
    kept = ruler.ticks.data["position"]
    assert kept[-1] == 1999
    assert len(kept) < 1000


def test_where_the_axis_ends_the_delay_is_written_before_the_drift():
    ruler = DriftRuler(["a"], n_rows=10_000)
    ruler.add([truth(5000), tick(5100), truth(9400), tick(9500)])
    assert ruler.delays.data["align"] == ["left", "right"]
    assert ruler.delays.data["at"] == [5100, 9400]
