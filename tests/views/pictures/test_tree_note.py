"""What the note of a tree's node says: all that is known, and nothing else."""

from __future__ import annotations

import re

import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.events import Event
from streamlab.learners import MLHAT
from streamlab.views.kit.picture import Budget, Subject
from streamlab.views.kit.text import roughly
from streamlab.views.pictures.tree.note import split_html
from streamlab.views.pictures.tree.picture import TreePicture, tree_details


@pytest.fixture(scope="module")
def run():
    """A run in which leaves split and background trees start, are promoted and pruned."""
    made = Run(sl.load("syn-regions", seed=1), {"MLHAT": MLHAT(seed=1)}, alarms=None)
    made.advance(50_000)
    return made


def test_every_node_has_details(run):
    learner = run.learner_runs["MLHAT"].learner
    columns = learner.node_columns()
    assert columns["background"].any() or len(columns["id"]) > 5
    for node in columns["id"].tolist():
        story = learner.describe_node(node)
        html = tree_details("MLHAT", story)
        assert f"node {node}:" in html
        assert html.count("<li>") == max(1, len(story["rule"]))
        assert "None" not in html
    assert "has gone" in tree_details("MLHAT", learner.describe_node(10**9))


def told(html: str) -> str:
    """The words of a note without its markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def about(run, node: int) -> list[Event]:
    return [event for event in run.log if node in (event.detail.get("node"), event.detail.get("alternate"))]


def test_a_branch_says_at_which_row_it_split_by_which_gain_and_against_which_bound(run):
    learner = run.learner_runs["MLHAT"].learner
    columns = learner.node_columns()
    branches = columns["id"][~columns["is_leaf"]].tolist()
    assert len(branches) > 2
    for node in branches:
        split = [event for event in about(run, node) if event.kind == "split"][-1]
        html = tree_details("MLHAT", learner.describe_node(node), node, about(run, node))
        words = told(html)
        assert f"It split at row {split.position:,}" in words
        assert f"gained {split.detail['gain']:.3f} bits, the runner-up {split.detail['second_gain']:.3f}" in words
        assert f"bound ε of {split.detail['epsilon']:.3f}" in words
        assert ("as good as equal" in words) == split.detail["tie"]
        # the chart: the lead beside the bound that it passed
        assert ("bound ε</span>" in split_html(split)) == (not split.detail["tie"])
    # without the event nothing is made up
    assert "It split at row" not in tree_details("MLHAT", learner.describe_node(branches[0]), branches[0])


def test_a_leaf_says_who_leads_and_how_many_rows_it_still_needs(run):
    learner = run.learner_runs["MLHAT"].learner
    columns = learner.node_columns()
    races = {
        node: learner.describe_node(node)["race"] for node in columns["id"][columns["is_leaf"]].tolist()
    }  # fmt: skip
    node, race = next((n, r) for n, r in races.items() if r["best"] and r["epsilon"] and r["instances_until_split"])
    words = told(tree_details("MLHAT", learner.describe_node(node)))
    assert f"{race['best']} leads: a split on it gains {race['gain']:.3f} bits" in words
    rule = f"now {race['epsilon']:.3f} , is below the lead, {race['gap']:.3f}, or below its tie threshold τ = 0.050"
    assert rule in words
    assert f"if the lead stays, it splits in about {roughly(race['instances_until_split']):,} of its rows" in words


def test_a_replaced_branch_and_its_successor_say_what_decided_and_when_it_began(run):
    learner = run.learner_runs["MLHAT"].learner
    event = next(event for event in run.log if event.kind == "alternate_promoted")
    old, new = event.detail["node"], event.detail["alternate"]
    start = next(e for e in run.log if e.kind == "alternate_started" and e.detail["alternate"] == new)
    gone = told(tree_details("MLHAT", learner.describe_node(old), old, about(run, old)))
    assert f"node {old}: replaced" in gone
    assert f"Node {new}, which had grown beside it, took its place at row {event.position:,}" in gone
    assert f"more than ε = {event.detail['epsilon_alt']:.3f} decides" in gone
    assert f"begun at row {start.position:,}, when the branch's error rose" in gone
    it = tree_details("MLHAT", learner.describe_node(new), new, about(run, new))
    assert f"It took the place of node {old} at row {event.position:,}" in told(it)


def test_what_took_a_branch_s_place_since_the_drift_is_marked_in_the_tree():
    made = Run(sl.load("syn-branches"), {"MLHAT": MLHAT(seed=1), "other": MLHAT(seed=2)}, alarms=None)
    made.advance(9_900)
    drift = made.stream.drifts[0].start
    for _ in range(6):
        made.advance(700)
        log = list(made.log)
        learner = made.learner_runs["MLHAT"].learner
        extra = TreePicture().columns(Subject("MLHAT", learner, made), None, Budget()).extra
        there = set(learner.node_columns()["id"].tolist())
        promoted = [e for e in log if (e.learner, e.kind) == ("MLHAT", "alternate_promoted") and e.position > drift]
        expected = [[e.detail["alternate"], e.position] for e in promoted if e.detail["alternate"] in there]
        assert sorted(extra.get("replaced", [])) == sorted(expected)
    assert expected
