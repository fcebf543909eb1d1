"""What no control of the page sends: one line is said, and nothing changes."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("panel_material_ui")


import panel as pn
import panel_material_ui as pmui

from streamlab.views.page.forged import guard
from streamlab.views.page.transport import Transport

CONTROLS = {
    "slider": (lambda: pmui.IntSlider(label="Depth", start=1, end=9, value=4), [5, 1, 9], [0, 10, "7", None, True]),
    "fraction": (
        lambda: pmui.FloatSlider(label="Share", start=0.0, end=1.0, value=0.5),
        [0.25, 0.0, 1.0],
        [-0.1, 1e300, math.nan, math.inf, [], "x"],
    ),
    "steps": (
        lambda: pmui.DiscreteSlider(label="Half", options={"a": 1.0, "b": 2.0}, value=1.0),
        [1],
        [2, -1, "a", 9.9],
    ),
    "list": (lambda: pmui.Select(label="Stream", options={"A": 1, "B": 2}, value=1), ["B"], ["C", 1, None, [], "<b>"]),
    "several": (
        lambda: pmui.MultiChoice(label="Drawn", options={"A": 1, "B": 2, "C": 3}, value=[1], max_items=2),
        [["A", "B"], []],
        [["A", "D"], "A", ["A", "B", "C"], [["A"]], None],
    ),
    "boxes": (lambda: pmui.CheckBoxGroup(label="On", options={"A": 1, "B": 2}, value=[1]), [["B"]], [["C"], [1], "A"]),
    "number": (lambda: pmui.IntInput(label="Seed", start=0, end=9, value=1), [3, None], [-1, 10, "x", 1e300]),
}


@pytest.fixture
def control(request):
    make, *_ = CONTROLS[request.param]
    said: list[str] = []
    widget = make()
    guard(pn.Column(widget), said.append)
    guard(pn.Column(widget), said.append)
    widget.get_root()
    return widget, said


CASES = [(name, value) for name, (_, _, forged) in CONTROLS.items() for value in forged]
OFFERED = [(name, value) for name, (_, offered, _) in CONTROLS.items() for value in offered]


@pytest.mark.parametrize(("control", "value"), CASES, indirect=["control"])
def test_a_forged_value_changes_nothing_and_is_said_in_one_line(control, value, caplog):
    widget, said = control
    before, heard = widget.value, []
    widget.param.watch(heard.append, "value", onlychanged=True)
    widget._process_events({"value": value})
    assert widget.value == before
    assert len(said) == 1
    assert said[0].startswith(widget.label)
    assert "\n" not in said[0]
    assert len(caplog.records) == 1
    assert all(event.new == event.old for event in heard)


@pytest.mark.parametrize(("control", "value"), OFFERED, indirect=["control"])
def test_an_offered_value_is_taken(control, value):
    widget, said = control
    widget._process_events({"value": value})
    assert said == []


def test_another_range_does_not_help():
    said: list[str] = []
    widget = pmui.IntSlider(label="Depth", start=1, end=9, value=4)
    guard(widget, said.append)
    widget._process_events({"end": 10_000})
    widget._process_events({"value": 5_000})
    assert (widget.value, len(said)) == (4, 1)


@pytest.mark.parametrize(
    "data",
    [{"name": "rate", "value": 99}, {"name": "rate", "value": "x"}, {"name": "step", "value": 10**9}, {"name": "close"},
     {"name": "ready"}, {}, {"name": ["play"]}],
)  # fmt: skip
def test_a_forged_command_is_not_done(data, caplog):
    done: list = []
    transport = Transport(lambda *command: done.append(command))
    transport._handle_msg({"kind": "command", **data})
    assert done == []
    assert len(caplog.records) == 1
    for name, value in (("play", None), ("step", 1), ("step", None), ("rate", 0)):
        transport._handle_msg({"kind": "command", "name": name, "value": value})
    assert [name for name, _ in done] == ["play", "step", "step", "rate"]
