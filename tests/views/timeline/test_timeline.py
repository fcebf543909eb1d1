"""What the timeline sends: all that the browser has not confirmed, and nothing twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab.events import Event
from streamlab.lab.frame import CurveUpdate, FrameMaker
from streamlab.views.timeline import event_rows
from streamlab.views.timeline.timeline import Timeline
from tests.lab.made import made_stream
from tests.views.wire import unpack


class Browser:
    """A timeline on a run, and what a browser would know of it."""

    def __init__(self, run: sl.Run | None = None) -> None:
        self.run = run or sl.Run(made_stream(2_000), {"a": sl.NoChange(), "b": sl.MajorityLabels()}, chunk=50)
        self.commands: list[tuple[str, Any]] = []
        self.kinds = {name: each.learner.events for name, each in self.run.learner_runs.items()}
        self.timeline = Timeline(
            self.kinds, ["micro_f1"], on_command=lambda name, value: self.commands.append((name, value))
        )
        self.maker = FrameMaker(self.run)
        self.sent: list[dict[str, Any]] = []
        self.timeline._models = {"page": None}
        self.timeline._send_msg = self.sent.append

    def show(self, rows: int = 0) -> None:
        self.run.advance(rows)
        frame = self.maker.make(self.maker.cursor(), "paused", "", None, 0.0)
        self.maker.taken(frame)
        self.timeline.show(frame)

    def confirm(self) -> None:
        self.timeline._handle_msg({"kind": "received", "number": self.sent[-1]["number"]})

    def points(self, frame: dict[str, Any]) -> list[int]:
        return [int(at) for at in unpack(frame["spec"], frame["buffer"]).get("position", [])]


def test_points_are_sent_until_they_are_confirmed_and_not_again():
    browser = Browser()
    browser.show(100)
    (first,) = browser.sent
    assert (first["start"], browser.points(first)) == (0, [50, 100])
    assert [each["name"] for each in first["head"]["learners"]] == ["a", "b"]
    # not confirmed: what comes meanwhile waits, and is sent at once with what came after it
    browser.show(50)
    browser.show(50)
    assert len(browser.sent) == 1
    browser.confirm()
    second = browser.sent[1]
    assert (second["start"], browser.points(second)) == (2, [150, 200])
    assert "head" not in second
    assert second["run"]["position"] == 200
    browser.confirm()
    browser.show()
    assert browser.points(browser.sent[2]) == []


def test_a_page_that_comes_again_is_sent_everything():
    browser = Browser()
    browser.show(100)
    browser.confirm()
    browser.show(50)
    browser.confirm()
    browser.timeline._handle_msg({"kind": "ready"})
    again = browser.sent[-1]
    assert (again["start"], browser.points(again)) == (0, [50, 100, 150])
    assert again["head"]["measures"][0]["title"] == "F1 (micro)"
    assert again["happened"]["start"] == 0


def test_events_travel_once_and_again_when_old_ones_have_gone(monkeypatch):
    browser = Browser()
    browser.show(50)
    browser.confirm()
    browser.run.log.add(50, "a", "alarm", "errors rose", {})
    browser.show()
    assert [row[3] for row in browser.sent[-1]["happened"]["events"]] == ["errors rose"]
    browser.confirm()
    browser.show(50)
    assert "happened" not in browser.sent[-1]
    browser.confirm()
    browser.timeline.events.prune()
    monkeypatch.setattr(event_rows, "MOST_EVENTS", 1)
    browser.run.log.add(100, "b", "alarm", "here too", {})
    browser.run.log.add(100, "b", "alarm", "and again", {})
    browser.show()
    happened = browser.sent[-1]["happened"]
    assert (happened["start"], happened["left"]) == (0, 2)
    assert [row[3] for row in happened["events"]] == ["and again"]


def test_another_measure_begins_with_empty_curves():
    browser = Browser()
    browser.show(100)
    browser.confirm()
    browser.timeline.choose(["hamming_loss", "micro_f1"], "faded")
    browser.maker.choose(measures=["hamming_loss", "micro_f1"], over="faded")
    browser.show()
    frame = browser.sent[-1]
    assert (frame["start"], frame["head"]["over"], len(frame["head"]["columns"])) == (0, "faded", 4)
    columns = unpack(frame["spec"], frame["buffer"])
    expected = browser.run.learner_runs["b"].history.curve("hamming_loss", "faded")
    np.testing.assert_allclose(columns["v1"], expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "value", "is_heard"),
    [
        ("seek", 12, True),
        ("drag", 0, True),
        ("curves", ["micro_f1", "faded"], True),
        ("seek", -1, False),
        ("seek", True, False),
        ("seek", 2**60, False),
        ("fork", 12, True),
        ("drift", 2_000_000, True),
        ("fork", "12", False),
        ("name", 1, True),
        ("name", None, False),
        ("add", None, True),
        ("add", 1, False),
        ("mark", [0, 12], False),
        ("mark", [-2, 1, 1], False),
        ("curves", ["nonsense", "faded"], False),
        ("curves", ["micro_f1", {}], False),
        ("curves", "micro_f1", False),
        ("restart", None, False),
    ],
)
def test_only_its_own_commands_are_heard(name: str, value: Any, is_heard: bool):
    browser = Browser()
    browser.timeline._handle_msg({"kind": "command", "name": name, "value": value})
    assert browser.commands == ([(name, value)] if is_heard else [])


def test_what_a_head_says_and_what_was_lost_travel_by_place():
    browser = Browser()
    browser.run.advance(100)
    frame = browser.maker.make(browser.maker.cursor(), "paused", "", None, 0.0)
    losses = [(50, 1, 0.6, "lost 253 answers")]
    browser.timeline.show(frame, True, {"a": (50, 0.5)}, headed=["b", "nobody"], losses=losses)
    run = browser.sent[-1]["run"]
    assert (run["levels"], run["headed"], run["losses"]) == ([[50, 0, 0.5]], [1], [[50, 1, 0.6, "lost 253 answers"]])
    assert [line.group for line in browser.timeline.lines] == ["a", "b"]


def test_a_mark_that_is_clicked_is_told_in_the_note_until_the_run_goes_on():
    browser = Browser()
    browser.run.log.add(40, "a", "alarm", "errors rose", {})
    browser.show(100)
    browser.timeline._handle_msg({"kind": "command", "name": "mark", "value": [0, 30, 40]})
    assert browser.timeline.note.visible
    assert "Row 40: errors rose." in browser.timeline.note.object
    browser.timeline._handle_msg({"kind": "command", "name": "mark", "value": [1, 30, 40]})
    assert not browser.timeline.note.visible
    browser.timeline._handle_msg({"kind": "command", "name": "mark", "value": [0, 30, 40]})
    frame = browser.maker.make(browser.maker.cursor(), "playing", "", None, 0.0)
    browser.timeline.show(frame)
    assert not browser.timeline.note.visible
    assert browser.commands == []


def test_seeds_of_one_learner_are_one_line_with_a_band():
    names = ["A · seed 1", "A · seed 2", "B"]
    timeline = Timeline({name: {} for name in names}, ["micro_f1"])
    sent: list[dict[str, Any]] = []
    timeline._models, timeline._send_msg = {"page": None}, sent.append
    values = {("micro_f1", name): np.array([0.2, 0.4]) + 0.1 * i for i, name in enumerate(names)}
    timeline._take(CurveUpdate(np.array([10, 20]), values, True))
    timeline.mark([Event(12, "A · seed 2", "alarm", "errors rose", {}), Event(15, "B", "alarm", "errors rose", {})])
    timeline.send()
    (frame,) = sent
    assert [line["name"] for line in frame["head"]["learners"]] == ["A (2 seeds)", "B"]
    assert frame["head"]["parts"] == [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0]]
    columns = unpack(frame["spec"], frame["buffer"])
    found = [columns[name].tolist() for name in frame["head"]["columns"]]
    np.testing.assert_allclose(found, [[0.25, 0.45], [0.2, 0.4], [0.3, 0.5], [0.4, 0.6]], rtol=1e-6)
    assert [who for _, who, *_ in frame["happened"]["events"]] == [0, 1], "a group is one"
    timeline._take(CurveUpdate(np.array([30]), {key: value[:1] for key, value in values.items()}, False))
    assert timeline._values.shape == (4, 3)
