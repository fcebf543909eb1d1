"""The settings of learners, without a browser: every parameter has a control, and all follow the run."""

from __future__ import annotations

import math

import param
import pytest

import streamlab as sl
from streamlab.lab.frame import FrameMaker
from streamlab.learners import Tunable
from streamlab.views.page.learner_settings import LearnerSettings, control, main_tunable, meant
from streamlab.views.page.presets import OFFERED, make_learners
from tests.lab.made import made_stream


def settings_of(learners, done: list) -> LearnerSettings:
    return LearnerSettings(
        learners, tune=lambda *what: done.append(what), fork=lambda name: done.append(("fork", name)),
        remove=lambda name: done.append(("remove", name)),
    )  # fmt: skip


@pytest.mark.parametrize("name", OFFERED)
def test_every_tunable_parameter_has_a_control(name):
    learner = make_learners([name], [], 1)[name]
    form = settings_of({name: learner}, []).form(name)
    assert set(form.widgets) == {each.name for each in learner.tunables}
    assert set(form.widgets.values()) <= set(form.__panel__().select())


@pytest.mark.filterwarnings("ignore:.*flat kNN")
def test_it_is_said_that_the_labels_lack_the_hierarchy_that_a_learner_is_for():
    flat = sl.Schema.anonymous(2, 2)
    for learner, is_said in ((sl.HierarchicalKNN().bind(flat), True), (sl.FlatKNN().bind(flat), False)):
        form = settings_of({"it": learner}, []).form("it")
        assert ("a flat kNN here" in form.__panel__()[0].object) == is_said


def test_the_parameter_that_says_something_comes_first():
    assert main_tunable(sl.HedgedMLHAT()).name == "loss_memory"
    assert main_tunable(sl.HierarchicalKNN()).name == "window"
    assert main_tunable(sl.Council()).name == "fading", "of its own, not of an expert"
    assert main_tunable(sl.NoChange()) is None


def test_what_is_let_go_is_tuned_and_what_the_run_says_is_not():
    tuned: list = []
    run = sl.Run(made_stream(300), {"it": sl.SMART(seed=1)}, chunk=20)
    settings = settings_of({"it": run.learner_runs["it"].learner}, tuned)
    form = settings.form("it")
    assert not form.remove_button.visible, "a run has at least one learner"
    slider = form.widgets["half_life"]
    with param.edit_constant(slider):
        slider.value_throttled = slider.values.index(50.0)
    assert tuned == [("it", "half_life", 50.0)]

    maker = FrameMaker(run)
    run.advance(100)
    run.tune("it", half_life=33.0)
    frame = maker.make(maker.cursor(), "paused", "", None, 0.0)
    assert settings.follow(frame)
    assert not settings.follow(frame), "nothing changed since"
    assert slider.value == settings.values()["it"]["half_life"] == 33.0
    assert "rows a second" in form.foot.object
    run.seek(40)
    settings.follow(maker.make(maker.cursor(), "paused", "", None, 0.0))
    assert slider.value == 200, "back in time it had another value"
    assert len(tuned) == 1, "what is shown is not tuned again"


def test_seeds_of_one_learner_share_their_settings():
    run = sl.Run(made_stream(300), {"it": sl.SMART(seed=1, n_trees=2), "no-change": sl.NoChange()}, chunk=20, seeds=3)
    done: list[tuple] = []
    settings = settings_of({name: each.learner for name, each in run.learner_runs.items()}, done)
    assert set(settings.values()) == {"it", "no-change"}
    form = settings.form("it")
    assert "it (3 seeds)" in form.__panel__()[0].object
    settings.tune("it", "half_life", 50)
    form.fork_button.clicks += 1
    form.remove_button.clicks += 1
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


def test_choices_and_bounds_are_lists():
    choice = control(Tunable("way", 0, 1, choices=(True, False, "strict")), "strict")
    assert choice.options == {"yes": True, "no": False, "strict": "strict"}
    bound = control(Tunable("depth", 0, 30, integer=True, optional=True), None)
    assert bound.value is None
    assert list(bound.options.values()) == [*range(31), None]
    memory = control(Tunable("bytes", 0, 10**9, integer=True, optional=True), 12345)
    assert 12345 in memory.options.values()
    assert len(memory.options) < 20


def test_a_bound_that_is_a_fraction_has_steps_and_its_own_word_for_none():
    tunable = next(t for t in sl.HierarchicalKNN.tunables if t.name == "multi_path")
    options = control(tunable, 0.07).options
    assert list(options)[-1] == "one path"
    assert options["one path"] is None
    assert list(options.values())[:4] == [0.0, 0.05, 0.07, 0.1]
    assert list(options.values())[-2] == 1.0
