"""The one screen: its areas have names that tests and stylesheets know, and each can be hidden and comes back."""

from __future__ import annotations

import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.views.page.run_view import RunView
from streamlab.views.page.screen import AWAY, PARTS, WITHOUT_STAGE


@pytest.fixture
def view():
    made = RunView(Run(sl.load("yeast"), {"no-change": sl.NoChange()}))
    yield made
    made.close()


def away(view: RunView) -> set:
    """The areas that are hidden."""
    return {area for area in PARTS.values() if AWAY in getattr(view.screen, area).stylesheets}


@pytest.mark.parametrize("name", PARTS)
def test_each_goes_alone_and_comes_back(view, name):
    for _ in range(2):
        view.screen.show_only([name])
        assert away(view) == {PARTS[name]}
    view.screen.show_only([])
    assert away(view) == set()


def test_the_timeline_takes_the_room_of_a_hidden_stage(view):
    before = list(view.screen.stylesheets)
    view.screen.show_only(["pictures"])
    assert WITHOUT_STAGE in view.screen.stylesheets
    view.screen.show_only(["curves"])
    assert view.screen.stylesheets == before


def test_the_browser_knows_each_area_by_its_name(view):
    models = view.screen.get_root().references()
    attributes = [each.html_attributes for each in models if getattr(each, "html_attributes", None)]
    areas = {"story", "stage", "figures", "transport", "timeline"}
    assert {each["data-area"] for each in attributes if "data-area" in each} == areas
    assert {each["data-part"] for each in attributes if "data-part" in each} == {"picture"}
