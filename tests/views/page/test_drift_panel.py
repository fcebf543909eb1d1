"""The drift panel without a browser: every drift it offers can be put in, and its table says what the run knows."""

from __future__ import annotations

import math

import pandas as pd
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams import DriftRecipe
from streamlab.streams.stream_spec import HOW, SOURCES, StreamSpec
from streamlab.views.page.drift_panel import (
    ChangeControls,
    DriftPanel,
    detection_html,
    offered_drifts,
    put_in_at,
    usable_drifts,
)
from tests.lab.made import made_stream


@pytest.mark.parametrize("name", offered_drifts())
def test_each_drift_can_be_put_into_a_running_stream(name):
    run = Run(made_stream(600), {"no-change": sl.NoChange()})
    controls = ChangeControls(run.stream.schema)
    entry = offered_drifts()[name]
    controls.kind.value = entry.title
    shown = [widget.label for widget in controls.__panel__() if widget.visible]
    assert shown == ["Drift", *(control.title for control in entry.controls.values())]
    run.advance(150)
    run.put_drift(controls.change())
    run.advance()
    assert [event.position for event in run.log if event.kind == "drift"] == [200]


def test_what_is_chosen_later_does_not_alter_a_change():
    controls = ChangeControls(made_stream(10).schema)
    controls.kind.value = "Let a label vanish"
    assert controls.title == "Let a label vanish: y0"
    change = controls.change()
    controls.asked["label"].value = "y2"
    controls.kind.value = "Rename the labels"
    changed = change(made_stream(100), 50)
    assert [drift.kind for drift in changed.drifts] == ["label vanishing"]
    assert sum(chunk.Y[:, 0].sum() for chunk in changed.chunks(start=50)) == 0


def test_only_what_fits_the_stream_is_offered():
    nominal = Schema((Feature("a", ("x", "y")),), ("l", "m"))
    assert "Swap half the features" not in {entry.title for entry in usable_drifts(nominal)}
    tree = Schema((Feature("a"), Feature("b")), ("l", "m"), Hierarchy((-1, 0)))
    assert {"Rename the labels", "Swap two labels"}.isdisjoint(entry.title for entry in usable_drifts(tree))
    assert len(usable_drifts(tree)) >= 3


def test_the_button_says_what_came_of_it():
    said = []

    def put(change):
        said.append(change)
        if len(said) == 2:
            raise ValueError("the stream has no rows left")
        return "Label rotation, from 200 on."

    panel = DriftPanel(made_stream(10).schema, put)
    panel.button.param.trigger("clicks")
    assert (panel.note.object, panel.note.severity, panel.note.visible) == (
        "Label rotation, from 200 on.",
        "info",
        True,
    )
    panel.button.param.trigger("clicks")
    assert (panel.note.object, panel.note.severity) == ("the stream has no rows left", "error")


def test_a_button_chooses_its_drift_puts_it_in_and_says_so_until_it_has_begun():
    said = []

    def put(change):
        said.append(change.name)
        if len(said) == 2:
            raise ValueError("the stream has no rows left")
        return "Label swap, from 200 on."

    panel = DriftPanel(made_stream(10).schema, put, has_buttons=True)
    buttons = panel.above[0].buttons
    assert set(buttons) == {entry.title for entry in usable_drifts(made_stream(10).schema)}
    assert all(button.description.startswith(title) for title, button in buttons.items())
    buttons["Swap two labels"].param.trigger("clicks")
    assert said == ["swap_labels"]
    table = Run(made_stream(60), {"no-change": sl.NoChange()}).detection()
    panel.show(table)
    assert (panel.note.object, panel.note.visible) == ("Label swap, from 200 on.", True)
    panel.show(table, started=1)
    assert not panel.note.visible
    buttons["Swap two labels"].param.trigger("clicks")
    assert (panel.note.object, panel.note.visible) == ("the stream has no rows left", True)


@pytest.mark.parametrize("row", [281, 200, 345, 400])
def test_a_drift_that_is_put_in_at_a_row_begins_exactly_there(row):
    run = Run(made_stream(600), {"no-change": sl.NoChange()})
    run.advance(290)
    put_in_at(run, DriftRecipe("rotate_labels"), row)
    run.advance()
    assert [event.position for event in run.log if event.kind == "drift"] == [row]
    assert run.branch == int(row < 300), "a row of the chunk under way takes going back"


def test_the_table_in_words():
    row = {
        "learner": "a <b>",
        "source": "errors",
        "drifts": 3,
        "detected": 2,
        "missed": 1,
        "mean_time_to_detection": 1234.4,
        "by_chance": 0.123,
        "false_alarms": 4,
        "mean_time_between_false_alarms": 100.0,
        "affected": 2,
        "judged": 3,
        "unjudged": 0,
        "level": 0.6,
        "plateau": 0.5,
        "lost": 132.4,
        "recovered": 1,
        "recovery_time": 820.0,
    }
    html = detection_html(pd.DataFrame([row]))
    assert "a &lt;b&gt;" in html
    assert "<td>2 of 3</td><td>1,234</td><td>12 %</td><td>4</td><td>1 of 2</td><td>132</td>" in html
    spared = {**row, "learner": "no-change", "affected": 0, "lost": 0.0, "recovered": 0, "recovery_time": math.nan}
    no_drift = detection_html(pd.DataFrame([{**row, "drifts": 0, "detected": 0, "affected": 0, "recovered": 0}]))
    assert ">False alarms<" in html
    assert ">Alarms<" in no_drift
    both = detection_html(pd.DataFrame([spared, row]))
    assert "<td>no clear fall</td><td>–</td>" in both
    assert "<td>too early to say</td>" in detection_html(pd.DataFrame([row, {**spared, "judged": 2, "unjudged": 1}]))
    assert "No drift has begun" in detection_html(pd.DataFrame([{**row, "drifts": 0, "false_alarms": 0}]))
    assert "Nothing watches" in detection_html(pd.DataFrame())
    table_of_labels = ("learner", "drifts", "detected", "missed", "mean_time_to_detection", "by_chance", "false_alarms")
    by_label = {key: value for key, value in row.items() if key in table_of_labels}
    assert "<th scope='col'>Label</th>" in detection_html(pd.DataFrame([{**by_label, "label": "l1"}]))


# ---------------------------------------------------------------------- stream specs


@pytest.mark.parametrize("source", [source for source in SOURCES.values() if StreamSpec(source).has_kinds])
@pytest.mark.parametrize("how", HOW.values())
def test_every_generated_stream_can_be_made(source, how):
    stream = StreamSpec(source, how, 5000, seed=2).make()
    assert stream.n_rows == 5000
    assert [drift.start for drift in stream.drifts] == [1250, 2500, 3750]
