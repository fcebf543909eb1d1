"""Event cards and the details of a tree's node: what is known is said, and nothing is parsed as HTML."""

from __future__ import annotations

import re
from html import escape

import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.events import Event
from streamlab.learners import MLHAT
from streamlab.learners.base.registry import EventKind
from streamlab.views.kit.picture import Exchange
from streamlab.views.page.event_cards import cards_html
from streamlab.views.page.picture_panel import _replacement_last, look_there
from streamlab.views.pictures.tree.picture import TreePicture, tree_details


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
    assert kinds <= set(MLHAT.events)
    for kind in kinds:
        # an error that fell is no warning: the card says so
        event = next(event for event in events if event.kind == kind and event.detail.get("rising") is not False)
        html = cards_html("MLHAT", [event], MLHAT.events)
        about = MLHAT.events[kind]
        assert escape(about.title) in html
        assert escape(about.rule)[:30] in html
        assert f"at {event.position:,}" in html
        for key, words in about.numbers.items():
            assert (escape(words) in html) == (event.detail.get(key) is not None)
    split = next(event for event in events if event.kind == "split")
    assert f"{split.detail['gain']:.4g}" in cards_html("MLHAT", [split], MLHAT.events)


def test_nothing_of_an_event_is_parsed_as_html():
    kinds = {"<k>": EventKind("<t>", "<r>", {"n": "<w>"}, colour="'><i>")}
    html = cards_html("<me>", [Event(1, "<me>", "<k>", "<m>", {"n": "<v>"})], kinds)
    assert not {"<t>", "<r>", "<w>", "<m>", "<v>", "<i>"} & set(re.findall(r"<[a-z]+>", html))
    assert "&lt;v&gt;" in html
    assert "<me>" not in cards_html("<me>", [], kinds)
    assert "&lt;me&gt; has reported nothing yet" in cards_html("<me>", [Event(1, "a", "other", "x")], kinds)


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
    reported = [each for each in run.log if each.learner == "MLHAT" and each.position <= event.position + 1_000]
    exchanges = TreePicture().exchanges(reported)
    assert exchanges[0] == Exchange(event.position, old, new)
    at = reported.index(next(each for each in reported if each.position == exchanges[-1].position))
    for some in (reported[: at + 1], reported[: at + 10], [*reported[: at + 1], *reported[:1] * 20]):
        latest = _replacement_last(some, exchanges)
        assert len(latest) == min(len(some), 20)
        assert (latest[-1].position == exchanges[-1].position) == (reported[at] in some[-20:])


def test_the_run_goes_back_to_where_a_branch_was_replaced_and_looks_and_stands_where_it_stood(run):
    exchange = TreePicture().exchanges(list(run.log))[-1]
    before, after = look_there(run, TreePicture(), "MLHAT", exchange)
    assert before is not None
    assert after is not None
    assert (before.now, after.now, run.position) == (exchange.position - 1, exchange.position, 50_000)
    was = dict(zip(before.columns["id"].tolist(), before.columns["background"].tolist(), strict=True))
    assert (was[exchange.old], was[exchange.new]) == (False, True)
    is_now = dict(zip(after.columns["id"].tolist(), after.columns["background"].tolist(), strict=True))
    assert exchange.old not in is_now
    assert not is_now[exchange.new]
