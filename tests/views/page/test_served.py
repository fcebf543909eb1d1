"""What no control of the page sends: one line is said, and nothing changes."""

from __future__ import annotations

import math
import weakref
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import panel as pn
import panel_material_ui as pmui
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc
from panel_material_ui.base import MaterialComponent

from streamlab.views.kit.component import FrameComponent, PictureView
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.served import Polling, Ticking, guard
from streamlab.views.page.transport import Transport
from streamlab.views.page.window import Notice
from streamlab.views.pictures.labels.picture import LabelView

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


def test_what_ticked_for_a_session_that_has_ended_is_not_kept_by_its_document():
    class Page:
        def tick(self):
            pass

    page, doc = Page(), Document()
    ticking, kept = Ticking(doc, page.tick, 1000), weakref.ref(page)
    ticking.stop()
    ticking.stop()
    assert len(doc.session_callbacks) == 1, "the session that would have removed it has ended"
    del page
    assert kept() is None


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


def test_other_options_do_not_help_to_a_file_of_the_server(caplog):
    said: list[str] = []
    widget = pmui.Select(label="Stream", options={"Yeast genes": "yeast"}, value="yeast")
    guard(widget, said.append)
    widget.get_root()
    widget._process_events({"options": {"x": "/etc/passwd"}})
    widget._process_events({"options": ["/etc/passwd"], "value": "/etc/passwd"})
    widget._process_events({"value": "/etc/passwd"})
    assert (widget.options, widget.value) == ({"Yeast genes": "yeast"}, "yeast")


@pytest.mark.nightly
def test_a_flood_is_said_once_and_does_not_fill_the_log(caplog):
    said: list[str] = []
    widget = pmui.IntSlider(label="Depth", start=1, end=9, value=4)
    guard(widget, said.append)
    for value in range(10, 5_010):
        widget._process_events({"value_throttled": value})
    assert widget.value == 4
    assert len(said) == len(caplog.records) == 4, "the 1st, 10th, 100th and 1,000th"


TABS = (0, 2), (-1, 3, "x", None, 1e300, True, [0])


def test_what_is_no_tab_is_not_opened():
    tabs = pmui.Tabs(*((str(i), pn.Column()) for i in range(3)))
    fold = pmui.Accordion(("a", pn.Column()), ("b", pn.Column()), active=[0])
    guard(pn.Column(tabs, fold), print)
    for value in TABS[0]:
        tabs._process_events({"active": value})
        assert tabs.active == value
    for value in TABS[1]:
        tabs._process_events({"active": value})
        assert tabs.active == 2
        fold._process_events({"active": value if value != [0] else [7]})
        assert fold.active == [0]
    fold._process_events({"active": [1]})
    assert fold.active == [1]


@pytest.mark.parametrize(
    ("events", "kept"),
    [
        ({"selected": 3}, 3),
        ({"selected": "3"}, None),
        ({"selected": 10**300}, None),
        ({"selected": 1e300}, None),
        ({"selected": [1]}, None),
        ({"nonsense": 1}, None),
        ({"selected": 4, "dark": "yes"}, 4),
    ],
)
def test_a_picture_takes_ids_alone(events, kept, caplog):
    view = LabelView(labels=["x", "y"])
    view._process_events(events)
    assert view.selected == kept
    assert view.dark is False
    said = [record for record in caplog.records if record.name == "streamlab"]
    assert len(said) == (events != {"selected": 3})


@pytest.mark.parametrize("data", ["x", 7, ["ready"]])
def test_a_message_that_is_no_dictionary_is_left(data, caplog):
    view = LabelView(labels=["x", "y"])
    view._process_bokeh_event(None, SimpleNamespace(data=data))
    assert len(caplog.records) == 1


def test_no_control_of_a_page_takes_what_it_does_not_offer(caplog):
    """Each control of a whole page, by each of the messages that nobody sends."""
    monitor = Monitor("yeast")
    try:
        monitor.page.sidebar_open = True
        parts = [*monitor.page.select(MaterialComponent), *monitor._view._layout.select(MaterialComponent)]
        parts += [each for widget in monitor._settings for each in widget.select(MaterialComponent)]
        before = [dict(part.param.values()) for part in parts]
        assert len(parts) > 20
        for part in parts:
            for name in ("value", "active", "options", "start", "end", "object", "label", "title", "max_file_size"):
                for value in ({"a": 1}, [["x"]], -(10**30)):
                    if not (name == "value" and isinstance(part, pmui.Button)):
                        part._process_events({name: value})
        watched = ("value", "active", "options", "start", "end", "object", "title", "max_file_size")
        for part, then in zip(parts, before, strict=True):
            if isinstance(part, Notice):
                continue  # it says what was refused
            now = part.param.values()
            assert {n: now[n] for n in watched if n in now} == {n: then[n] for n in watched if n in then}, part
        assert not any(record.exc_info for record in caplog.records)
    finally:
        monitor.close()


def test_no_component_of_a_page_but_a_picture_takes_more_than_the_theme():
    monitor = Monitor("yeast")
    try:
        parts = [each for each in monitor.page.select(FrameComponent) if not isinstance(each, PictureView)]
        before = [each.set_in_browser for each in parts]
        assert {"links", "secret"} <= {name for each in before for name in each}
        for part, names in zip(parts, before, strict=True):
            for name in names:
                for value in ("javascript:x", [["javascript:x", "x", "", ""]], {"x": 1}):
                    part._process_events({name: value})
        assert [each.set_in_browser for each in parts] == before
    finally:
        monitor.close()


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


def test_the_theme_that_each_component_tells_is_no_forgery(caplog):
    page = pn.Column(pmui.IntSlider(label="Depth", start=1, end=9, value=4), pmui.Alert("text"))
    said: list[str] = []
    guard(page, said.append)
    for part in page:
        part._process_events({"dark_theme": True})
        assert part.dark_theme is True
        part._process_events({"dark_theme": "yes"})
        assert part.dark_theme is True
    assert sum(record.name == "streamlab" for record in caplog.records) == 2
    assert not said


def test_nothing_changes_before_the_browser_has_all_of_the_page() -> None:
    doc: Any = MagicMock()
    polling = Polling(lambda: None, nullcontext())
    with set_curdoc(doc):
        for _ in range(2):
            # a part is drawn, and drawn again
            polling.start()
            polling.soon()
        assert (doc.add_periodic_callback.call_count, doc.add_timeout_callback.call_count) == (0, 0)
        pn.state._on_load(doc)
        polling.start()
        polling.soon()
    assert (doc.add_periodic_callback.call_count, doc.add_timeout_callback.call_count) == (1, 1)
