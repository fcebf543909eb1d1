"""Why cards and the story of a tree's node: what is known is said, in words, and nothing is parsed as HTML."""

from __future__ import annotations

from html import escape

import numpy as np
import pytest

pytest.importorskip("panel_material_ui")

from streamlab.views.page.node_details import tree_story_html

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.events import Event
from streamlab.learners import MLHAT, Tunable
from streamlab.views.page.controls import control, controls
from streamlab.views.page.event_cards import MOST_CARDS, RULES, why_html


@pytest.fixture(scope="module")
def run():
    """A run in which leaves split and background trees start, are promoted and pruned."""
    made = Run(sl.load("syn-regions", seed=1), {"MLHAT": MLHAT(seed=1)}, alarms=None)
    made.advance(50_000)
    return made


def test_every_event_of_the_tree_has_a_card_with_its_rule_and_numbers(run):
    events = [event for event in run.log if event.learner == "MLHAT"]
    kinds = {event.kind for event in events}
    assert kinds >= {"split", "warning", "drift", "alternate_started", "alternate_promoted", "alternate_pruned"}
    assert kinds <= set(RULES)
    for kind in kinds:
        event = next(event for event in events if event.kind == kind)
        html = why_html([event])
        title, rule = RULES[kind]
        assert title in html
        assert escape(rule)[:30] in html
        assert f"at {event.position:,}" in html
    split = next(event for event in events if event.kind == "split")
    html = why_html([split])
    assert f"{split.detail['gain']:.3g}" in html
    assert "Hoeffding bound" in html


def test_the_newest_cards_come_first_and_others_are_passed_over(run):
    html = why_html(run.log)
    assert html.count("<article") == MOST_CARDS
    positions = [event.position for event in run.log if event.kind in RULES]
    assert html.index(f"at {positions[-1]:,}") <= html.index(f"at {positions[-MOST_CARDS]:,}")
    assert "Nothing has happened" in why_html([Event(1, "", "drift", "x")][:0])
    assert "<b>" not in why_html([Event(1, "a", "label_new", "the label '<b>' is new")])


def test_every_node_has_a_story(run):
    learner = run.learner_runs["MLHAT"].learner
    columns = learner.node_columns()
    assert columns["background"].any() or len(columns["id"]) > 5
    for node in columns["id"].tolist():
        story = learner.describe_node(node)
        html = tree_story_html("MLHAT", story)
        assert f"node {node}:" in html
        assert html.count("<li>") == max(1, len(story["rule"]))
        assert "None" not in html
    assert "has gone" in tree_story_html("MLHAT", learner.describe_node(10**9))


def test_a_learner_that_has_seen_nothing_has_a_story_too():
    learner = MLHAT(seed=1).bind(sl.load("syn-regions").schema)
    learner.learn_many(np.zeros((1, 10)), np.zeros((1, 8), np.uint8))
    (node,) = learner.node_columns()["id"].tolist()
    assert "every instance (the root)" in tree_story_html("MLHAT", learner.describe_node(node))


# ---------------------------------------------------------------------- its controls


def test_every_tunable_parameter_has_a_control():
    learner = MLHAT(seed=1)
    changed = []
    heading, *first, rest = controls("MLHAT", learner, lambda *what: changed.append(what))
    assert len(first) + len(rest.objects[0].objects) == len(learner.tunables)
    assert heading.object == "MLHAT"


def test_choices_and_bounds_are_lists():
    choice = control(Tunable("way", 0, 1, choices=(True, False, "strict")), "strict")
    assert choice.options == {"yes": True, "no": False, "strict": "strict"}
    bound = control(Tunable("depth", 0, 30, integer=True, optional=True), None)
    assert bound.value is None
    assert list(bound.options.values()) == [*range(31), None]
    memory = control(Tunable("bytes", 0, 10**9, integer=True, optional=True), 12345)
    assert 12345 in memory.options.values()
    assert len(memory.options) < 20


def test_a_choice_tuned_in_a_run_is_told_in_words():
    run = Run(sl.load("syn-regions"), {"MLHAT": MLHAT(seed=1)})
    run.advance(100)
    assert run.tune("MLHAT", alternate_on="drift").message == "alternate_on: warning → drift"
    assert run.tune("MLHAT", max_depth=3).message == "max_depth: None → 3"
    with pytest.raises(ValueError, match="alternate_on='never': expected 'warning' or 'drift'"):
        run.tune("MLHAT", alternate_on="never")


def test_a_bound_that_is_a_fraction_has_steps_and_its_own_word_for_none():
    tunable = next(t for t in sl.HierarchicalKNN.tunables if t.name == "multi_path")
    options = control(tunable, 0.07).options
    assert list(options)[-1] == "one path"
    assert options["one path"] is None
    assert list(options.values())[:4] == [0.0, 0.05, 0.07, 0.1]
    assert list(options.values())[-2] == 1.0
