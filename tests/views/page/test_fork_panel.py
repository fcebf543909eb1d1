"""The fork panel: what it offers, what it asks of the run, and what it says."""

from __future__ import annotations

import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.views.page.fork_panel import ForkPanel, lineage
from tests.lab.made import made_stream


@pytest.fixture
def run() -> Run:
    run = Run(made_stream(400), {"SMART": sl.SMART(seed=1), "no-change": sl.NoChange()}, chunk=20)
    run.advance(100)
    return run


def panel_of(run: Run) -> ForkPanel:
    learners = {name: each.learner for name, each in run.learner_runs.items()}
    return ForkPanel(learners, lambda action: action(run))


def test_half_of_the_first_parameter_is_proposed_with_a_name_that_says_so(run):
    panel = panel_of(run)
    assert panel.fork_name.value == "SMART, half-life 100"
    panel.button.clicks += 1
    assert list(run.learner_runs) == ["SMART", "no-change", "SMART, half-life 100"]
    assert run.learner_runs["SMART, half-life 100"].learner.half_life == 100
    assert not panel.note.visible


def test_a_fork_at_an_earlier_row_begins_there(run):
    panel = panel_of(run)
    panel.fork_at(70)
    assert (run.position, run.learner_runs["SMART, half-life 100"].forked_at) == (70, 70)
    with pytest.raises(ValueError, match="expected one that the run has passed"):
        panel.fork_at(300)


def test_a_name_that_is_taken_is_refused_in_a_line(run):
    panel = panel_of(run)
    panel.fork_name.value = "no-change"
    panel.button.clicks += 1
    assert "there is a learner 'no-change' in this run already" in panel.note.object
    assert list(run.learner_runs) == ["SMART", "no-change"]


def test_a_learner_that_was_removed_is_put_back(run):
    panel = panel_of(run)
    panel.show(lineage(run))
    assert not panel._returning.visible
    run.remove("no-change")
    panel.show(lineage(run))
    assert panel._returning.visible
    assert panel.returner.value == "no-change"
    run.advance(40)
    panel.put_back.clicks += 1
    assert list(run.learner_runs) == ["SMART", "no-change"]
    assert run.position == 140


def test_the_ways_of_the_run_are_listed_and_lead_there(run):
    run.seek(40)
    run.tune("SMART", half_life=20)
    panel = panel_of(run)
    panel.show(lineage(run))
    texts = [part.object for part in panel._branches if hasattr(part, "object")]
    assert texts[1:] == [
        "Way 1: the first way; it came to 100 rows",
        "Way 2: left way 1 after 40 rows; it came to 40 rows (the present one)",
    ]
    (button,) = [part for part in panel._branches if hasattr(part, "clicks")]
    button.clicks += 1
    assert run.branch == 0
    assert run.position == 100
