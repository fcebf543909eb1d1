"""Runs with River's detectors, metrics and models, and with measures of one's own, as a user sees them in the browser.

A visit looks at all that it can: to open a page takes longer than any of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from river import datasets, drift, forest, metrics

import streamlab as sl
from tests.ui.screen import Screen


class Mine(drift.PageHinkley):
    """A detector of a user's own."""


def test_detectors_and_metrics_of_rivers_and_measures_added_beside_the_page_are_seen(
    serve: Callable[..., str], page: Callable[..., Any], wait_until: Callable[..., Any]
) -> None:
    run = sl.Run(
        "yeast-rotated",
        {"SMART": sl.SMART(seed=1)},
        chunk=50,
        measures=["subset_accuracy", "micro_f1", metrics.MCC()],
        detectors={"mine": (Mine(threshold=10), "example_f1")},
    )
    run.advance(1250)
    screen = Screen(page(serve(run.view)), wait_until)
    screen.until_ready()
    event = [event for event in run.log if event.kind == "detection"][-1]
    assert event.position > 1200
    told = f"{event.position:,} SMART detection: mine: 1 − F1 (examples) rose"
    screen.wait(lambda: any(each.startswith(told) for each in screen.events()))
    curve = screen.page.get_by_label("Measure", exact=True)
    curve.select_option(label="MCC (River)")
    screen.wait(lambda: screen.drawn()[0] == ["MCC (River)"])
    assert screen.curves()["v0"] == pytest.approx(run.curves("chunk")["river.metrics.MCC"].tolist(), abs=1e-6)
    screen.view("Drift")
    table = screen.page.get_by_role("region", name="How well drifts were detected")
    table.get_by_role("cell", name="mine").or_(table.get_by_text("mine")).first.wait_for()
    a_measure_is_in_the_list_of_an_open_page_at_once(run, screen, curve)


def a_measure_is_in_the_list_of_an_open_page_at_once(run: sl.Run, screen: Screen, curve: Any) -> None:
    """As from the next cell of a notebook."""
    assert "All wrong" not in curve.inner_text()

    @sl.measure(higher_is_better=False)
    def all_wrong(counts):
        """share of the rows whose label set was not answered exactly"""
        return 1.0 - counts.total("exact") / max(counts.n, 1.0)

    @sl.measure
    def first_label(Y, Z):
        """share of the rows whose first label is right"""
        return Y[:, 0] == Z[:, 0]

    try:
        curve.locator("option", has_text="All wrong").wait_for(state="attached")
        assert "First label" not in curve.inner_text(), "this run does not count it"
        curve.select_option(label="All wrong")
        screen.wait(lambda: screen.drawn()[0] == ["All wrong"])
        wanted = 1.0 - run.curves("chunk", measures=["subset_accuracy"]).subset_accuracy
        assert screen.curves()["v0"] == pytest.approx(wanted.tolist(), abs=1e-6), "from the first row on"
    finally:
        for each in (all_wrong, first_label):
            sl.MEASURES.remove(each)
    screen.wait(lambda: "All wrong" not in curve.inner_text())
    screen.wait(lambda: screen.drawn()[0] == ["Subset accuracy"])


def test_models_of_rivers_are_drawn_and_the_confusion_matrix_says_how_each_class_is_answered(
    serve: Callable[..., str], page: Callable[..., Any], wait_until: Callable[..., Any]
) -> None:
    models = {
        "ARF": forest.ARFClassifier(n_models=4, seed=1),
    }
    run = sl.Run(datasets.ImageSegments(), models)
    run.advance(400)
    run.mark()
    run.advance(200)
    screen = Screen(page(serve(run.view)), wait_until)
    screen.until_ready()
    a_forest_is_drawn(screen)
    the_confusion_matrix_leads_to_its_rows(run, screen)


def a_forest_is_drawn(screen: Screen) -> None:
    screen.view("Trees")
    screen.wait(lambda: (screen.stats("fading") or {}).get("cells", 0) > 5)
    screen.page.locator(".sl-fading .sl-stage").focus()
    for key in ("Home", "ArrowDown", "Enter"):
        screen.page.keyboard.press(key)
    screen.page.get_by_role("heading", name="ARF · tree 0, level 2").wait_for()


def the_confusion_matrix_leads_to_its_rows(run: sl.Run, screen: Screen) -> None:
    screen.view("Confusion matrix")
    screen.wait(lambda: (screen.stats("confusion") or {}).get("classes") == 7)
    part = screen.page.locator(".sl-confusion").first
    counts = run.confusion("ARF", "faded").to_numpy()
    rows = run.learner_runs["ARF"].tracker.counts("faded")
    right = f"Right for {100 * counts.trace() / (rows.tp + rows.fn).sum():.1f} % of the recent (faded) rows."
    screen.wait(lambda: right in part.locator(".sl-summary").inner_text())
    # the keyboard's first cell: brickface, answered right
    part.locator(".sl-stage").focus()
    screen.page.keyboard.press("Home")
    screen.page.keyboard.press("Enter")
    screen.page.get_by_role("heading", name="ARF · rows of brickface").wait_for()
    share = 100 * counts[0, 0] / (rows.tp + rows.fn)[0]
    screen.page.get_by_text(f"{share:.1f} %").first.wait_for()
    # its rows are listed, and one leads to itself
    answered = part.get_by_role("group", name="Rows of the cell")
    recent = run.learner_runs["ARF"].tracker.recent
    latest = 100 + 1 + np.flatnonzero((recent.own == 0) & (recent.answer == 0))[::-1]
    assert f"brickface, answered right: {len(latest)} of the latest 500 rows" in answered.inner_text()
    shown = answered.get_by_role("button")
    assert [int(text.split(" (")[0]) for text in shown.all_inner_texts()] == latest[:24].tolist()
    shown.nth(3).click()
    screen.wait(lambda: run.position == latest[3])
    screen.page.get_by_text(f"Row {latest[3]}", exact=True).first.wait_for()
