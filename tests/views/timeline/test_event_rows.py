"""What is told of drifts and events of a run, and which detection is of which drift."""

from __future__ import annotations

from typing import Any

import pytest
from river import datasets

import streamlab as sl
from streamlab.lab.events import Event
from streamlab.learners import RiverClassifier
from streamlab.streams import Drift
from streamlab.views.page.run_view import RunView
from streamlab.views.timeline import event_rows
from streamlab.views.timeline.event_rows import EventRows, Noticed, drifts_of, events_html, events_of, listed
from tests.lab.made import made_stream


def made_run(*drifts: Drift) -> sl.Run:
    return sl.Run(made_stream(400, drifts=drifts), {"a": sl.NoChange(), "b": sl.SMART(seed=1, n_trees=2)}, chunk=50)


def log(run: sl.Run, position: int, learner: str, kind: str, **detail: Any) -> None:
    run.log.add(position, learner, kind, f"{kind} at {position}", detail)


def test_drifts_are_told_in_words_as_far_as_the_run_has_met_them():
    run = made_run(Drift(100, kind="label rotation"), Drift(150, 40, "a <b>new</b> moon"), Drift(390))
    run.advance(300)
    moon = "a <b>new</b> moon, over 40 instances"
    renamed = "every label took the place of another one"
    assert drifts_of(run.log) == [
        {"at": 100, "width": 1, "name": "label rotation", "what": renamed, "brief": "labels renamed"},
        {"at": 150, "width": 40, "name": moon, "what": moon, "brief": "a <b>new</b> moon"},
    ]
    assert event_rows.brief_of("labels of regions", "half of the songs have other moods now", "label") == (
        "songs have other moods"
    ), "as the sentence has it"
    renamed = "every label took the next one's name (what was a is b now)"
    assert event_rows.brief_of("label rotation", renamed, "class") == "classes renamed", "its own words are too many"
    assert [drift["brief"] for drift in drifts_of(run.log, "class")] == ["classes renamed", "a <b>new</b> moon"]


def test_what_stands_on_the_curve_has_four_words_at_most():
    assert max(len(brief.split()) for brief, _ in event_rows.WORDS.values()) <= event_rows.MOST_BRIEF


def test_a_drift_that_says_what_it_did_is_quoted():
    stream = sl.prior_shift(made_stream(400), "y1", 0.2, at=100)
    run = sl.Run(sl.rotate_labels(stream, at=200), {"a": sl.NoChange()}, chunk=50)
    run.advance(400)
    told = [drift["what"] for drift in drifts_of(run.log)]
    assert told == [event.detail["about"] for event in run.log if event.kind == "drift"]
    assert told[0].startswith("y1 became rarer")
    assert "(what was" in told[1]


def test_events_say_whose_they_are_what_they_mean_and_which_drift_they_noticed():
    run = made_run(Drift(100))
    run.advance(200)
    run.log._others = type(run.log._others)([e for e in run.log if e.kind == "drift"], maxlen=100)
    log(run, 130, "b", "alarm", before=0.1, after=0.25)
    log(run, 140, "b", "alarm", before=0.2, after=0.3)
    log(run, 150, "a", "label alarm", label="l0")
    log(run, 160, "a", "unheard_of")
    log(run, 170, "gone", "alarm")
    run.tune("b", half_life=50)
    kinds, events, left_out = events_of(run.log, {name: each.learner.events for name, each in run.learner_runs.items()})
    titles = [kinds[kind]["title"] for _, _, kind, *_ in events]
    assert titles == ["Error alarm", "Error alarm", "Error alarm of a label", "Unheard_of", "A setting was changed"]
    assert [(at, who, delay) for at, who, *_, delay in events] == [
        (130, 1, 30), (140, 1, None), (150, 0, None), (160, 0, None), (200, 1, None),
    ]  # fmt: skip
    assert events[0][4] == [["error before", "0.1"], ["error after", "0.25"]]
    assert [kinds[kind]["is_marked"] for _, _, kind, *_ in events] == [True, True, False, False, True]
    assert left_out == 0


def test_a_detector_that_saw_errors_fall_has_not_noticed_a_drift():
    run = made_run(Drift(100))
    run.advance(200)
    run.log._others = type(run.log._others)([e for e in run.log if e.kind == "drift"], maxlen=100)
    log(run, 120, "a", "detection", detector="mine", before=0.3, after=0.1, rising=False)
    log(run, 140, "a", "detection", detector="mine", before=0.1, after=0.3, rising=True)
    kinds, events, _ = events_of(run.log, {name: each.learner.events for name, each in run.learner_runs.items()})
    assert [delay for *_, delay in events] == [None, 40]
    assert [kinds[event[2]]["title"] for event in events] == ["An error fell", "Detector alarm"]
    assert [kinds[event[2]]["is_marked"] for event in events] == [False, True]
    assert ["detector", "mine"] in events[1][4]


def test_two_drifts_that_are_too_near_to_tell_are_said_to_be():
    run = made_run(Drift(100), Drift(120))
    run.advance(200)
    run.log._others = type(run.log._others)([e for e in run.log if e.kind == "drift"], maxlen=100)
    log(run, 130, "b", "alarm", before=0.1, after=0.25, since=95)
    log(run, 150, "a", "alarm", before=0.1, after=0.25, since=121)
    _, events, _ = events_of(run.log, {name: each.learner.events for name, each in run.learner_runs.items()})
    assert [delay for *_, delay in events] == [30, 30]
    near = ["changes in its evidence", "① to ②: too near to tell"]
    assert [near in numbers for _, _, _, _, numbers, _ in events] == [True, False]


def test_a_mark_is_told_in_sentences():
    run = made_run(Drift(100, kind="label rotation"))
    run.advance(200)
    events = EventRows({name: each.learner.events for name, each in run.learner_runs.items()})
    events.add(event for event in run.log if event.kind == "drift")
    events.add([Event(131, "b", "alarm", "errors <rose>", {"before": 0.1, "after": 0.25, "since": 95}, 9)])
    events.add([Event(132, "b", "split", "a leaf split", {}, 10)])
    told = events_html(events, ["a", "b"], 1, 131, 140)
    assert "<h3>b: Error alarm</h3><p>Row 131: errors &lt;rose&gt;, 31 rows after change ①.</p>" in told
    assert "An ADWIN that watches" in told
    assert "<dt>error before</dt><dd>0.1</dd>" in told
    assert "a leaf split" not in told, "it has no mark"
    assert "every label took the place of another one" in events_html(events, ["a", "b"], -1, 100, 100)
    assert events_html(events, ["a", "b"], 0, 0, 400) == ""


def test_of_too_many_events_what_says_most_is_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(event_rows, "MOST_EVENTS", 3)
    run = made_run()
    run.advance(50)
    log(run, 10, "a", "alarm")
    for position in range(20, 60, 10):
        log(run, position, "a", "split")
    _, events, left_out = events_of(run.log, {name: each.learner.events for name, each in run.learner_runs.items()})
    assert ([at for at, *_ in events], left_out) == ([10, 40, 50], 2)


def test_names_are_listed_as_in_a_sentence():
    assert [listed(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


def test_a_stream_of_classes_has_alarms_of_classes():
    events = EventRows({"a": {}}, noun="class")
    events.add([Event(10, "a", "label alarm", "errors on cat rose", {"label": "cat"})])
    (kind,) = events.kinds
    assert kind["title"] == "Error alarm of a class"
    assert "label" not in kind["rule"]
    stream = sl.load(datasets.ImageSegments())
    run = sl.Run(stream, {"a": sl.NoChange()})
    assert RunView(run).timeline.events._noun == "class"


def test_promotions_have_marks_and_the_alternate_tree_and_the_warned_one_before_them_have_none():
    events = EventRows({"a": RiverClassifier.events})
    kinds = ("alternate_started", "tree_warned", "alternate_promoted", "tree_replaced", "split")
    events.add(Event(row, "a", kind, kind) for row, kind in enumerate(kinds))
    marked = [kind["name"] for kind in events.kinds if kind["is_marked"]]
    assert marked == ["alternate_promoted", "tree_replaced"]


def test_the_first_detection_of_each_learner_counts_and_only_soon_enough():
    noticed = Noticed()
    assert noticed.delay("a", 900) is None
    noticed.begin(1000)
    assert [noticed.delay("a", 1100), noticed.delay("a", 1200), noticed.delay("b", 3000)] == [100, None, 2000]
    assert noticed.delay("c", 3001) is None
    noticed.begin(4000, 100)
    assert noticed.delay("c", 6099) == 2099


def test_a_detection_before_the_latest_drift_is_of_the_one_before():
    noticed = Noticed()
    noticed.begin(1000)
    noticed.begin(1200)
    assert noticed.delay("a", 1150) == 150
    assert noticed.delay("a", 1250) == 50


def test_a_detection_is_of_the_drift_that_its_evidence_reaches_back_to():
    noticed = Noticed()
    noticed.begin(1208)
    noticed.begin(1300)
    assert noticed.behind(1312, 1190) == (1, 2), "too near to tell"
    assert noticed.behind(1312, 1250) == noticed.behind(1312) == (2, 2)
    assert noticed.behind(1100, 1000) == (0, 0)
    assert [noticed.delay("a", 1312, 1190), noticed.delay("b", 1312, 1250)] == [104, 12]
    assert noticed.delay("a", 1400, 1301) == 100
