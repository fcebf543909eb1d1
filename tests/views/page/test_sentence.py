"""The sentence: what happened, who coped and who did not, at each stage of a run; and what other parts use of it."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab.frame import FrameMaker
from streamlab.learners.base.registry import EventKind
from streamlab.streams import ArrayStream, Drift
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.hosting.replay_page import _levels
from streamlab.views.page.presets import RENAMED_SEGMENTS, make_learners
from streamlab.views.page.sentence import Sentence
from streamlab.views.page.sentence_bar import SentenceBar, sentence_html
from streamlab.views.page.wording import briefly
from tests.lab.made import Lagging, made_stream


class Teller:
    """A run, its frames and its sentence."""

    def __init__(self, run: sl.Run, measure: str = "micro_f1", over: str = "chunk") -> None:
        self.run, self.maker = run, FrameMaker(run)
        self.maker.choose(measures=[measure], over=over)
        learners = {name: each.learner for name, each in run.learner_runs.items()}
        self.sentence = Sentence(run.stream, learners, measure, over)

    def frame(self, state: str = "playing"):
        frame = self.maker.make(self.maker.cursor(), state, "", None, 0.0)
        self.maker.taken(frame)
        self.sentence.take(frame)
        return frame

    def told(self):
        return self.sentence.tell(self.frame())


@pytest.fixture(scope="module")
def demonstration():
    learners = {"SMART": sl.SMART(seed=1), "SMART without fading": sl.SMART(half_life=float("inf"), seed=1)}
    return sl.Run(sl.load("yeast-rotated"), {**learners, "no-change": sl.NoChange()}, alarms="label")


def test_from_the_first_row_to_the_last(demonstration):
    run = demonstration
    teller = Teller(run)
    assert teller.told().text.startswith("A change is to come")
    run.advance(300)
    # in its first chunk a learner knows nothing, and of a few nothing is known
    assert "answer equally" not in teller.told().text
    run.advance(500)
    assert teller.told().text == "SMART and without fading answer equally well, and better than no-change."
    run.advance(410)
    told = teller.told()
    assert (told.text, told.mark) == ("Every label took the next one's name.", "①"), "too early to say who fell"
    run.advance(190)
    told = teller.told()
    assert told.text.endswith("name. SMART and without fading fell."), "too early to be back"
    assert [place for _, place in told.parts if place is not None] == [0, 1]
    run.advance(910)
    told = teller.told()
    assert told.text.endswith(" name. SMART forgot and is back; without fading kept old evidence and is not.")
    run.advance()
    assert teller.sentence.tell(teller.frame("finished")) == told, "the end has the same verdict"

    latest = {name: band.middle for name, band in teller.sentence.latest(2417).items()}
    ends = {n: each.history.end_whole(("micro_f1",), 100)["micro_f1"] for n, each in run.learner_runs.items()}
    assert latest == ends, "a last point of few rows is joined with the one before"
    (smart, kept) = teller.sentence.losses(2417)
    table = run.detection().set_index("learner")
    assert smart == [1200, 0, table.loc["SMART", "level"], f"lost {table.loc['SMART', 'lost']:,.0f} answers"]
    assert kept[:3] == [1200, 1, teller.sentence.levels(2417)["SMART without fading"][1]]
    assert {name: each["errors"] for name, each in teller.sentence.delays(2417).items()} == {
        row.learner: row.mean_time_to_detection for row in run.detection().itertuples() if row.detected
    }
    run.seek(500)
    told = teller.told()
    assert (told.text, told.mark) == ("You look back. Play goes on from here.", None)


def test_level_is_one_in_line_table_and_replay_and_there_is_none_over_other_averages(demonstration):
    run = demonstration
    run.seek(run.end)
    teller, faded = Teller(run), Teller(run, over="faded")
    teller.frame()
    faded.frame()
    levels = teller.sentence.levels(2417)
    history = run.learner_runs["SMART"].history
    assert levels["SMART"] == (1200, _levels(history, "micro_f1", [1200])[0])
    assert (faded.sentence.levels(2417), faded.sentence.losses(2417)) == ({}, [])
    assert faded.sentence.verdicts(2417) == teller.sentence.verdicts(2417), "a verdict is of chunks"


def test_what_trees_did_since_the_drift_is_what_the_log_has():
    learners = {"MLHAT": sl.MLHAT(grace_period=50, seed=1), "MLHT": sl.MLHT(grace_period=50)}
    run = sl.Run(StreamSpec("syn-branches", n_rows=40_000).make(), learners)
    run.advance(3900)
    teller = Teller(run, "example_f1")
    teller.frame()
    run.advance(3900)
    frame = teller.frame()
    row = max(drift.start for drift in run.stream.drifts if drift.start <= run.position)
    log = [each for each in run.log if each.position >= row and not each.message.startswith("alternate")]
    for name in learners:
        kinds = {each.kind for each in log if each.learner == name}
        told = teller.sentence._reported(name, frame)
        assert ("grew a better branch" in told) == ("alternate_promoted" in kinds)
        assert ("split" in told) == ("split" in kinds)
    assert all("split" in teller.sentence._reported(name, frame) for name in learners)
    assert "split" not in str(teller.sentence._cause("MLHAT", ["MLHT"], frame)), "both did: that separates nobody"


def test_who_keeps_old_rows_and_who_forgot_them_sooner():
    # both remember rows: one fifty of each class, the other its latest hundred
    names = ["Balanced neighbours", "ML-KNN"]
    run = sl.Run(RENAMED_SEGMENTS.make(), make_learners(names, [], 1), alarms=None)
    teller = Teller(run, "macro_f1")

    def told_at(row: int) -> str:
        run.advance(row - run.position)
        return teller.told().text.partition("name. ")[2]

    assert told_at(1300) == "Both answered by old rows and fell; ML-KNN forgot them first."
    assert told_at(1400) == "ML-KNN forgot old rows first; Balanced neighbours kept them and fell."
    assert told_at(1500) == "ML-KNN forgot old rows first; Balanced neighbours fell, then followed."
    assert told_at(1600) == "ML-KNN forgot old rows first; Balanced neighbours followed and is coming back."
    assert told_at(1900) == "Both forgot their old rows and recovered, ML-KNN sooner."
    assert [run.learner_runs[name].renewed(run.marked, 1900) for name in names] == [300, 100]
    run.seek(1450)
    assert [run.learner_runs[name].renewed(run.marked, 1450) for name in names] == [0, 100]
    run.mark()
    assert [run.learner_runs[name].renewed(run.marked, 1450) for name in names] == [0, 0]


def test_which_group_of_classes_is_hurt_most_is_told_where_nobody_is_back():
    names = ["HierarchicalKNN", "FlatKNN"]
    run = sl.Run("instruments-microphone", make_learners(names, [], 1), alarms=None)
    run.advance(3500)
    teller = Teller(run, "hierarchical_f1")
    frame, tree = teller.frame(), run.stream.schema.hierarchy
    records = [each.classes for each in run.learner_runs.values()]
    lost = {c: np.mean([each.was[c] - each.scores()["hf"][c] for each in records]) for c in range(len(tree))}
    leaves = set(tree.leaves)
    groups = [c for c in lost if tree.children(c) and leaves.issuperset(tree.children(c))]
    most = max(groups, key=lambda c: lost[c])
    assert frame.hurt == run.stream.schema.labels[most] == "struck"
    text = teller.sentence.tell(frame).text
    told = "Both still answer mostly by old rows and are not back; “struck” suffers most."
    assert text == f"The microphone got worse. {told}"
    run.advance(1500)
    assert teller.told().text == "The microphone got worse. Both are back."


def test_a_cause_is_what_the_others_do_not_report():
    one, other = Lagging(), Lagging()
    one.events = other.events = {"it": EventKind("It", did="did <it>")}
    run = sl.Run(made_stream(400, drifts=(Drift(100),)), {"one": one, "other": other}, chunk=20, alarms=None)
    run.advance(120)
    teller = Teller(run)
    one.happened = [{"kind": "it", "message": "it"}]
    run.advance(20)
    assert teller.sentence._cause("one", ["other"], teller.frame()) == [" did <it> and"]
    other.happened = [{"kind": "it", "message": "it"}]
    run.advance(20)
    assert teller.sentence._cause("one", ["other"], teller.frame()) == []


def test_one_learner_alone_is_not_the_best():
    run = sl.Run(sl.load("yeast"), {"SMART": sl.SMART(seed=1, n_trees=2)})
    run.advance(700)
    assert Teller(run).told().text == "Each learner answers a row before it learns from it."


def test_a_fork_is_not_told_of_where_it_was_not():
    run = sl.Run(made_stream(600, drifts=(Drift(200),)), {"SMART": sl.SMART(seed=1, n_trees=2)}, chunk=20)
    run.advance(400)
    run.fork("SMART", "fork", half_life=20)
    teller = Teller(run)
    run.advance(100)
    teller.frame()
    assert set(teller.sentence.verdicts(500)) == {"SMART"}


def test_drifts_have_marks_those_at_one_row_together_and_words_of_what_they_did():
    about = "two labels changed names (what was a is b now), and more"
    stream = made_stream(600, drifts=(Drift(100), Drift(300, 1, "x", about), Drift(300, 50, "gradual")))
    run = sl.Run(stream, {"no-change": sl.NoChange()}, chunk=20)
    teller = Teller(run)
    run.advance(110)
    assert teller.told()[:] == ([("The stream changed.", None)], "①")
    run.advance(240)
    told = teller.told()
    assert told.text.startswith("Two labels changed names.")
    assert told.mark == "②③"


def test_what_comes_from_outside_is_text():
    run = sl.Run(made_stream(600), {"<img src=x onerror=alert(1)>": sl.SMART(seed=1), "b": sl.NoChange()}, chunk=20)
    teller = Teller(run)
    run.advance()
    told = teller.told()
    assert [place for _, place in told.parts if place is not None]
    html = sentence_html(told)
    assert "<img" not in html
    assert "&lt;img" in html
    assert "data-place='0'" in html


def test_a_name_that_begins_with_one_said_before_is_said_by_its_rest():
    names = [("SMART", 0), " and ", ("SMART without fading", 1), " and ", ("SMART 2", 2), "."]
    assert "".join(text for text, _ in briefly(names)) == "SMART and without fading and SMART 2."


def test_of_several_seeds_their_mean_is_told():
    learners = {"SMART": sl.SMART(seed=1, n_trees=2), "no-change": sl.NoChange()}
    run = sl.Run(made_stream(600), learners, chunk=20, seeds=3)
    teller = Teller(run)
    run.advance(400)
    told = teller.told()
    curves = [each.history.curve("micro_f1")[-1] for name, each in run.learner_runs.items() if name != "no-change"]
    band = teller.sentence.latest(400)["SMART"]
    assert (band.low, band.high, band.middle) == (min(curves), max(curves), pytest.approx(sum(curves) / 3))
    assert ("SMART", 0) in told.parts
    assert "seed" not in told.text


def test_marked_by_hand_what_is_old_is_not_of_the_drift():
    run = sl.Run(sl.load("yeast-rotated"), {"SMART": sl.SMART(seed=1, n_trees=2)})
    run.advance(1600)
    teller = Teller(run)
    assert 0 < teller.sentence.old(teller.frame())["SMART"] < 0.5
    run.mark()
    run.advance(100)
    assert teller.sentence.old(teller.frame()) == {}


def test_while_the_playhead_is_moved_the_sentence_says_that_the_picture_follows():
    bar = SentenceBar()
    bar.look_back(2000, 1907)
    assert "picture follows" in bar.__panel__().object
    bar.look_back(1907, 1907)
    assert "picture" not in bar.__panel__().object


def test_a_loss_is_judged_as_a_loss(demonstration):
    demonstration.seek(demonstration.end)
    teller = Teller(demonstration, "hamming_loss")
    teller.frame()
    found = teller.sentence.verdicts(2417)["SMART without fading"]
    curve = demonstration.learner_runs["SMART without fading"].history.concluded("hamming_loss", 100)[1]
    assert found.fell
    assert found.lowest == np.max(curve[12:])
    assert [text for *_, text in teller.sentence.losses(2417)] == [""] * len(teller.sentence.losses(2417))
    assert math.isfinite(found.regained)


def test_of_a_loop_of_ones_own_it_is_the_loop_that_ended():
    stream = made_stream(300)
    stream.ending = "your loop ended"
    run = sl.Run(stream, {"no-change": sl.NoChange()})
    teller = Teller(run)
    run.advance(300)
    assert teller.sentence.tell(teller.frame("finished")).text == "Your loop ended."


@pytest.mark.parametrize(("times", "told"), [((5, 2), " split more often and"), ((3, 2), ""), ((2, 0), " split and")])
def test_what_separates_two_that_did_the_same_is_how_often(times, told):
    names = ("HedgedMLHAT", "MLHAT")
    stream = sl.load("syn-regions", n_rows=100, seed=1)
    sentence = Sentence(stream, {"HedgedMLHAT": sl.HedgedMLHAT(), "MLHAT": sl.MLHAT()}, "example_f1")
    sentence._did = {name: [(50, "split", False)] * n for name, n in zip(names, times, strict=True)}
    frame = SimpleNamespace(position=100, learners={})
    assert sentence._cause("HedgedMLHAT", ["MLHAT"], frame) == ([told] if told else [])


@pytest.mark.parametrize(
    ("early", "told"), [(5, "A split early and answers better; B still waits to be sure."), (2, "")]
)
def test_who_splits_early_is_ahead_of_who_waits_where_it_has_split_more_often(early, told):
    stream = sl.load("syn-regions", n_rows=100, seed=1)
    names = ("A", "B")
    sentence = Sentence(stream, {"A": sl.HedgedMLHAT(), "B": sl.MLHAT()}, "example_f1")
    did = [(50, "split early", False)] * early, [(50, "split", False)] * 2
    sentence._did = dict(zip(names, did, strict=True))

    def waits(best: list[str], position: int) -> str:
        found = sentence._waits(best, SimpleNamespace(position=position))
        return "".join(text for each in found for text, _ in briefly(each))

    assert waits(["A"], 100) == told
    assert waits(["A"], 49) == "", "not yet"
    assert waits(["B"], 100) == "", "who splits early does not wait"
    assert waits(list(names), 100) == "", "they are as good"


def test_who_has_no_such_event_cannot_do_what_the_other_did():
    learners = {"MLHAT": sl.MLHAT(), "MLHT": sl.MLHT(), "SMART": sl.SMART()}
    sentence = Sentence(sl.load("syn-regions", n_rows=100, seed=1), learners, "example_f1")
    lacks = {name: sentence._lacks(name, "MLHAT", " grew a better branch and") for name in learners}
    assert lacks == {"MLHAT": "", "MLHT": "keeps its old one", "SMART": ""}, "a forest may do something else instead"
    assert not sentence._lacks("MLHT", "MLHAT", " split and")


def songs(n: int = 6000) -> ArrayStream:
    """Two features that decide two labels, from half-way on two others."""
    X = np.random.default_rng(1).random((n, 6))
    own = np.concatenate([X[: n // 2, :2], X[n // 2 :, 2:4]])
    features = tuple(map(sl.Feature, ("tempo", "pitch", "loudness", "bass", "a", "b")))
    schema = sl.Schema(features, ("calm", "happy"))
    truth = (own > [0.5, 0.35]).astype(np.uint8)
    return ArrayStream(X, truth, schema=schema, drifts=(Drift(n // 2, 1, "swap", "Other features decide."),))


def test_what_a_learner_answers_by_is_the_cause_where_it_is_asked():
    learners = {"SMART": sl.SMART(seed=1), "SMART without fading": sl.SMART(half_life=float("inf"), seed=1)}
    run = sl.Run(songs(), learners, importance={"share": None, "spans": []})
    teller = Teller(run)
    run.ask_importance()
    run.advance(3100)
    assert "answers by" not in teller.told().text
    run.advance(2900)
    told = teller.told()
    both = "SMART and without fading answer by loudness now, no longer by tempo"
    assert told.text == f"{both}; SMART is back; without fading is not."
    assert told.mark == "①"
    assert len(told.text.split()) <= 20
    run.ask_importance(False)
    assert "answers by" not in teller.told().text, "it is told while it is asked"
