"""The learner cards, without a browser: what they say, that every parameter has a control, and that they follow."""

from __future__ import annotations

import math

import param
import pytest

import streamlab as sl
from streamlab.lab.frame import FrameMaker
from streamlab.lab.seeds import Band
from streamlab.learners import Tunable
from streamlab.views.page.learner_cards import LearnerCard, LearnerCards, control, in_bytes, main_tunable, meant
from streamlab.views.page.presets import LEARNER_LINES, make_learners
from tests.lab.made import made_stream


def card_of(learner, **done) -> LearnerCard:
    def nothing(*_):
        return None

    return LearnerCard("it", "it", learner, 0, **{"tune": nothing, "fork": nothing, "remove": nothing, **done})


@pytest.mark.parametrize("name", LEARNER_LINES)
def test_every_tunable_parameter_has_a_control(name):
    learner = make_learners([name], [], 1)[name]
    card = card_of(learner)
    assert set(card.widgets) == {each.name for each in learner.tunables}
    first = set(card._layout.select())
    assert len(first & set(card.widgets.values())) == min(1, len(card.widgets)), "the others come when asked for"
    card.more_button.clicks += 1
    assert set(card.widgets.values()) <= set(card._layout.select())


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        (sl.SMART(half_life=200), "half of its evidence fades in 200 rows"),
        (sl.SMART(half_life=math.inf), "its evidence never fades"),
        (sl.MLHAT(grace_period=1500), "tries a split every 1,500 weighted rows"),
        (sl.NoChange(), "a baseline"),
        (sl.StandardScaler() | sl.BalancedLDA(half_life=400) | sl.BalancedKNN(window=50), "keeps the latest 50 rows"),
    ],
)
def test_a_card_says_what_its_learner_does(learner, words):
    assert words in card_of(learner).text.object


@pytest.mark.filterwarnings("ignore:HierarchicalKNN")
def test_a_card_says_that_the_labels_lack_the_hierarchy_that_a_learner_is_for():
    flat = sl.Schema.anonymous(2, 2)
    assert "a flat kNN here" in card_of(sl.HierarchicalKNN().bind(flat)).text.object
    assert "flat" not in card_of(sl.FlatKNN().bind(flat)).text.object


def test_the_parameter_that_says_something_comes_first():
    assert main_tunable(sl.HedgedMLHAT()).name == "loss_memory"
    assert main_tunable(sl.HierarchicalKNN()).name == "window"
    assert main_tunable(sl.NoChange()) is None


def test_what_is_let_go_is_tuned_and_what_the_run_says_is_not():
    tuned = []
    run = sl.Run(made_stream(300), {"it": sl.SMART(seed=1)}, chunk=20)
    cards = LearnerCards(
        {"it": run.learner_runs["it"].learner},
        tune=lambda *what: tuned.append(what), fork=lambda _: None, remove=lambda _: None,
    )  # fmt: skip
    (card,) = cards.cards
    assert not card.remove_button.visible, "a run has at least one learner"
    slider = card.widgets["half_life"]
    with param.edit_constant(slider):
        slider.value_throttled = slider.values.index(50.0)
    assert tuned == [("it", "half_life", 50.0)]

    maker = FrameMaker(run)
    run.advance(100)
    run.tune("it", half_life=33.0)
    frame = maker.make(maker.cursor(), "paused", "", None, 0.0)
    assert frame.learners["it"]["parameters"]["half_life"] == 33.0
    cards.show(frame, {}, "", 0.0)
    assert slider.value == 33.0
    assert "fades in 33 rows" in card.text.object
    assert "rows a second" in card.foot.object
    run.seek(40)
    cards.show(maker.make(maker.cursor(), "paused", "", None, 0.0), {}, "", 5.0)
    assert slider.value == 200, "back in time it had another value"
    assert len(tuned) == 1, "what is shown is not tuned again"


def test_names_and_sentences_from_outside_are_text():
    class Hostile(sl.NoChange):
        is_baseline = False
        tunables = (Tunable("x", 0, 1, says="<img src=x onerror=alert(1)> {value}"),)
        x = 1

    nothing = dict.fromkeys(("tune", "fork", "remove"), lambda *_: None)
    card = LearnerCard("<script>", "<script>", Hostile(), 0, **nothing)
    assert "<script>" not in card.head.object
    assert "<img" not in card.text.object
    assert "&lt;img" in card.text.object


def test_bytes_are_read_by_people():
    assert [in_bytes(n) for n in (999, 4_960, 5_380_000, 2.5e9)] == ["999 B", "4.96 kB", "5.38 MB", "2.5 GB"]


def test_seeds_of_one_learner_share_a_card():
    run = sl.Run(made_stream(300), {"it": sl.SMART(seed=1, n_trees=2), "no-change": sl.NoChange()}, chunk=20, seeds=3)
    run.advance(200)
    done: list[tuple] = []
    cards = LearnerCards(
        {name: each.learner for name, each in run.learner_runs.items()},
        tune=lambda *what: done.append(what), fork=lambda name: done.append(("fork", name)),
        remove=lambda name: done.append(("remove", name)),
    )  # fmt: skip
    first, second = cards.cards
    maker = FrameMaker(run)
    frame = maker.make(maker.cursor(), "paused", "", None, 0.0)
    cards.show(frame, {"it": Band(0.5, 0.4, 0.6), "no-change": Band(0.3, 0.3, 0.3)}, "F1 <b>, of 50 rows", 0.0)
    assert "it (3 seeds)" in first.head.object
    assert "<b title='F1 &lt;b&gt;, of 50 rows'>0.50</b>" in first.head.object
    assert "from 0.40 to 0.60" in first.head.object
    assert "0.30</b>" in second.head.object
    assert "seeds" not in second.head.object
    cards.show(frame, {}, "", 1.0)
    assert "0.50" not in first.head.object, "where the curve has no point there is no figure"
    assert set(cards.values()) == {"it", "no-change"}

    first._tune("it", "half_life", 50)
    first.fork_button.clicks += 1
    first.remove_button.clicks += 1
    members = ["it · seed 1", "it · seed 2", "it · seed 3"]
    assert done == [
        *((name, "half_life", 50) for name in members), ("fork", members[0]), *(("remove", name) for name in members)
    ]  # fmt: skip


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("value", [4, math.inf])
def test_infinity_has_its_place_on_a_scale_without_steps_by_factors(integer, value):
    widget = control(Tunable("rows", 1, 10, integer=integer, infinite=True), value)
    assert widget.value == value
    labels = list(widget.options)
    assert (labels[0], labels[-2], labels[-1]) == ("1", "10", "∞")
    assert meant(widget, len(labels) - 1) == math.inf
    assert meant(widget, labels.index("10")) == 10


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("value", [None, 5, math.inf])
def test_infinity_and_none_are_both_offered(integer, value):
    widget = control(Tunable("rows", 1, 100, integer=integer, optional=True, infinite=True), value)
    assert widget.value == value
    assert list(widget.options)[-2:] == ["∞", "no bound"]


@pytest.mark.parametrize(
    ("tunable", "value", "ends"),
    [
        (Tunable("rows", 1, 5, integer=True), 3, ("1", "5")),
        (Tunable("rate", 0.5, 1500.0), 1.0, ("0.5", "1,500")),
        (Tunable("delta", 1e-12, 0.5, logarithmic=True), 0.1, ("1e-12", "0.5")),
        (Tunable("rows", 1, 10_000, logarithmic=True, infinite=True), math.inf, ("1", "∞")),
        (
            Tunable("rows", 1, 9, infinite=True, says="fades in {value}", says_never="does not fade"),
            2,
            ("1", "never"),
        ),
    ],
)
def test_a_slider_has_the_ends_of_its_range_beside_it(tunable, value, ends):
    (sheet,) = control(tunable, value).stylesheets
    assert [part.split('"')[1] for part in sheet.split("content:")[1:]] == list(ends)
