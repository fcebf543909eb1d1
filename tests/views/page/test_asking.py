"""The question that a page asks once: when it stands, and what ends it."""

from __future__ import annotations

import dataclasses
import re

import panel as pn
import pytest

from streamlab import Run, load
from streamlab.lab import Player
from streamlab.learners import NoChange
from streamlab.lessons.catalogue import lesson_of
from streamlab.streams import DriftRecipe
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.page.asking import QUESTIONS, Asking, Question
from streamlab.views.page.presets import PRESETS, make_learners
from streamlab.views.page.sentence import Sentence
from streamlab.views.page.sentence_bar import SentenceBar
from tests.lab.made import wait_until

QUESTION = Question(500, "Why?", ("so", "not so"), 1, "Because.", "drift")


@pytest.fixture
def player():
    made = Player(Run("yeast", NoChange()), rate=None)
    yield made
    made.close()


def frame_at(player, row):
    """Play until the run stands, from this row at the latest, and return the frame."""
    player.stop_at(row)
    player.play().result()
    wait_until(lambda: player.state != "playing")
    player.ask(lambda run: None).result()
    return wait_until(player.poll)


def begun(player, **options):
    asking = Asking(lambda question: ("?lesson=drift", "Lesson"))
    asking.param.update(**options)
    asking.begin(player, QUESTION)
    return asking


def stands_at(player, last=900):
    """Play, and return where the run pauses by itself."""
    player.play().result()
    wait_until(lambda: player.state != "playing" or player.run.position >= last)
    player.pause().result()
    return player.run.position


def test_the_run_pauses_there_once_and_playing_on_ends_the_question(player):
    asking = begun(player)
    assert stands_at(player) == 500
    frame = player.poll()
    assert asking.take(frame)
    assert (asking.packed["question"], asking.packed["lesson"]) == ("Why?", ["?lesson=drift", "Lesson"])
    asking._handle_msg({"kind": "play"})
    assert stands_at(player) >= 900
    assert not asking.take(dataclasses.replace(frame, state="playing", position=700))
    assert asking.packed["question"] == ""
    player.seek(0).result()
    assert stands_at(player) >= 900


def test_an_answer_on_rows_to_come_is_judged_when_they_were_played(player):
    asking = Asking(lambda question: None)
    asking.begin(player, dataclasses.replace(QUESTION, seen_at=700))
    assert stands_at(player) == 500
    assert asking.take(player.poll())
    asking._handle_msg({"kind": "answer", "answer": 7})
    asking._handle_msg({"kind": "answer", "answer": 0})
    assert asking.packed["judged"] is None
    player.play().result()
    wait_until(lambda: player.state != "playing")
    player.ask(lambda run: None).result()
    frame = wait_until(player.poll)
    asking.take(dataclasses.replace(frame, state="playing", position=600))
    assert not asking.is_open
    assert (frame.position, asking.take(frame)) == (700, True)
    assert (asking.packed["judged"], asking.packed["question"]) == (0, "Why?")
    player.play().result()
    asking.take(dataclasses.replace(frame, state="playing", position=800))
    assert (asking.is_open, asking._question) == (False, None)


@pytest.mark.parametrize("how", ["off", "held"])
def test_nobody_is_asked_who_does_not_want_it_and_no_class(player, how):
    asking = begun(player, asks=how != "off")
    if how == "held":
        asking.hold(True)
    assert stands_at(player) >= 900
    assert not asking.take(dataclasses.replace(frame_at(player, 1000), position=500))


def test_before_a_class_the_sentence_stands_again_though_no_frame_comes(player):
    asking = begun(player)
    assert stands_at(player) == 500
    bar, frame, controls = SentenceBar(asking), player.poll(), pn.Column()
    bar.above(controls)
    learners = {name: each.learner for name, each in player.run.learner_runs.items()}
    sentence = Sentence(player.run.stream, learners, "micro_f1")
    sentence.take(frame)
    bar.take(frame)
    bar.show(sentence, frame)
    assert (bar.__panel__().visible, controls.styles) == (False, {"visibility": "hidden"})
    asking.hold(True)
    assert (bar.__panel__().visible, controls.styles) == (True, {"visibility": "inherit"})


@pytest.mark.parametrize("name", PRESETS)
def test_each_page_asks_within_ten_seconds_and_a_lesson_explains_it(name):
    preset, question = PRESETS[name], QUESTIONS[name]
    assert preset.asks is question
    assert (question.row - preset.played) / preset.view.get("rate", 250.0) < 10
    assert question.row % 100 == 0, "the end of a chunk: the curves have a whole point there"
    assert 0 <= question.right < len(question.answers)
    assert question.seen_at is None or (question.seen_at % 100 == 0 and question.seen_at > question.row)
    assert 1 <= question.step <= len(lesson_of(question.lesson).steps)


@pytest.mark.parametrize("name", PRESETS)
def test_what_a_question_says_of_the_run_is_so(name):
    preset, question = PRESETS[name], QUESTIONS[name]
    stream = preset.stream.make() if isinstance(preset.stream, StreamSpec) else load(preset.stream)
    names = preset.learners if stream.schema.hierarchy is None else preset.nested_learners
    run = Run(stream, make_learners(names, preset.river, 1, stream.schema), chunk=100)
    run.advance(question.row)
    said = f"{question.words} {question.why}"
    rows = {int(each.replace(",", "")) for each in re.findall(r"(?:row|note) ([\d,]*\d)", said)}
    # what it tells of later rows is the stream's, to be seen
    assert {row for row in rows if row <= question.row} <= set(run.events.position)
    assert not re.search(r"\.\d\d", said), "figures are those of the curves and the table"
    measure = preset.view.get("measures", ("micro_f1",))[0]
    fell = {row.learner for row in run.detection(measure=measure).itertuples() if row.affected}
    told = {name for name in names if name in question.words} if " fell " in question.words else set()
    assert told <= fell, "the sentence says so, too"
    for within in map(int, re.findall(r"within (\d+) rows", said)):
        (drift,) = run.events.position[run.events.kind == "drift"]
        assert (run.events.position[run.events.kind == "alarm"] - drift).max() <= within


def test_of_a_run_that_was_changed_by_hand_nothing_is_asked(player):
    asking = begun(player)
    player.ask(lambda run: run.advance(100)).result()
    player.ask(lambda run: run.put_drift(DriftRecipe("swap_labels", a="Class1", b="Class2"))).result()
    assert not asking.take(frame_at(player, 200))
    assert stands_at(player) > 500
