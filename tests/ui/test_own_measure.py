"""A measure that is added beside an open page, as from the next cell of a notebook: the page offers and draws it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import streamlab as sl
from streamlab.views.page.tables import IN_A_NEW_RUN
from tests.ui.screen import Screen


def test_a_measure_is_in_the_list_of_an_open_page_at_once(
    serve: Callable[..., str], page: Callable[..., Any], wait_until: Callable[..., Any]
) -> None:
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=1), "no-change": sl.NoChange()})
    run.advance(600)
    screen = Screen(page(serve(run.view)), wait_until)
    screen.until_ready()
    curve = screen.page.get_by_label("Measure", exact=True)
    assert "Nothing right" not in curve.inner_text()

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
        drawn = screen.curves()["v0"]
        wanted = run.curves("chunk", measures=["subset_accuracy"])
        wanted = 1.0 - wanted.subset_accuracy[wanted.learner == "SMART"]
        assert drawn == pytest.approx(wanted.tolist(), abs=1e-6), "from the first row on"
        screen.page.get_by_text("Settings").click()
        screen.page.get_by_role("combobox", name="Measures drawn").click()
        grey = screen.page.get_by_role("menuitem", name=f"First label ({IN_A_NEW_RUN})")
        assert grey.get_attribute("aria-disabled") == "true"
        screen.close_list()
    finally:
        for each in (all_wrong, first_label):
            sl.MEASURES.remove(each)
    screen.wait(lambda: "All wrong" not in curve.inner_text())
    screen.wait(lambda: screen.drawn()[0] == ["Subset accuracy"])
