"""Parts of the page that a lesson hides: each is there, goes, and comes back."""

from __future__ import annotations

import pytest

pytest.importorskip("panel_material_ui")

import panel as pn

import streamlab as sl
from streamlab.lab import Run
from streamlab.lessons.parts import ALONE, AWAY, PARTS, show_only
from streamlab.views.page.run_view import RunView


@pytest.fixture
def view():
    made = RunView(Run(sl.load("yeast"), {"no-change": sl.NoChange()}))
    yield made
    made.close()


def sheets(view: RunView, name: str) -> list:
    """The style sheets of the first of the parts of this name; all have gone or none."""
    parts = [part if isinstance(part, pn.viewable.Viewable) else part.__panel__() for part in PARTS[name](view)]
    assert len({AWAY in part.stylesheets for part in parts}) == 1
    return list(parts[0].stylesheets)


@pytest.mark.parametrize("name", PARTS)
def test_each_goes_alone_and_comes_back(view, name):
    before = {each: sheets(view, each) for each in PARTS}
    show_only(view, [name])
    assert [each for each in PARTS if AWAY in sheets(view, each)] == [name]
    show_only(view, [name])
    assert sheets(view, name).count(AWAY) == 1
    show_only(view, [])
    assert {each: sheets(view, each) for each in PARTS} == before


def test_what_stands_beside_a_hidden_part_takes_its_room(view):
    show_only(view, ["cards"])
    assert ALONE["pictures"] in sheets(view, "pictures")
    show_only(view, ["pictures"])
    assert ALONE["cards"] in sheets(view, "cards")
    assert ALONE["pictures"] not in sheets(view, "pictures")
