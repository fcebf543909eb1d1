"""The stage and the note: which tab is open, what is read then, and where the details of a picture stand."""

from __future__ import annotations

import time

import pytest

import streamlab as sl
from streamlab.views.page.presets import make_learners
from streamlab.views.page.stage import NOTHING

pytestmark = pytest.mark.usefixtures("fresh_views")


@pytest.fixture
def fresh_views():
    yield
    for view in _views:
        view.close()
    _views.clear()


_views: list = []


def view_of(*names: str, **options):
    _views.append(sl.Run("yeast", make_learners(list(names), [], 1)).view(**options))
    return _views[-1]


def inspected(view) -> list:
    return list(view._stage._details)


def test_the_latest_row_is_in_the_note_and_opens_as_any_tab_does():
    view = view_of("SMART")
    assert view.look["tab"] == "Trees"
    assert view.open_tab("Latest row")
    assert view.look["tab"] == "Latest row"
    assert view._stage.shown is view.panels[0]
    assert view._stage.shows("Latest row")
    view.player.step(20).result(20)
    until = time.monotonic() + 60
    while not {"Latest row", "picture forest"} <= set(view.player._frame.readings):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert view.open_tab("Labels")
    assert view.look["tab"] == "Labels"
    assert not view.open_tab("Nowhere")


def test_what_an_open_picture_knows_is_in_the_note():
    view = view_of("SMART", "MLHAT")
    for panel in view.panels:
        assert view.open_tab(panel.picture.title)
        assert inspected(view) == panel.inspected
    view.open_tab("Drift")
    (hint,) = inspected(view)
    assert hint.object.startswith("<h3>The learners</h3><p><b>SMART</b>: Random trees")
    assert hint.object.endswith(NOTHING)


def test_side_by_side_it_is_said_once_how_to_read_the_picture():
    view = view_of("SMART", "SMART without fading", compared=True)
    row = view.panels[0]
    first, second = (panel.details for panel in row.panels)
    assert (first.visible, second.visible) == (True, False)
    view.player.step(300).result(20)
    row.panels[1].view.selected = 0
    assert second.visible
    assert not first.visible or row.panels[0].view.selected is not None


def test_of_two_trees_the_broader_one_has_more_of_the_width_and_keeps_it_while_it_is_somewhat_broader():
    row = view_of("MLHAT", "HedgedMLHAT", compared=True).panels[0]
    left, right = (panel.view for panel in row.panels)
    usual = row._layout.stylesheets

    def shares(on_the_left: float, on_the_right: float) -> list[str]:
        left.breadth, right.breadth = on_the_left, on_the_right
        more = row._layout.stylesheets[len(usual) :]
        return [share for share in ("2fr) minmax(0,3fr)", "3fr) minmax(0,2fr)") if any(share in each for each in more)]

    # small trees have room anyway; what was given stays until the difference is small
    assert (shares(0, 5), shares(6, 8)) == ([], [])
    assert (shares(6, 15), shares(10, 13), shares(13, 14)) == (["2fr) minmax(0,3fr)"], ["2fr) minmax(0,3fr)"], [])
    assert shares(20, 7) == ["3fr) minmax(0,2fr)"]


def test_the_tab_to_open_first_may_be_in_the_note():
    view = view_of("SMART", tab="Latest row")
    assert view.look["tab"] == "Latest row"
    assert view._stage.shows("Latest row")
    assert view._stage.shown is not None
    with pytest.raises(ValueError, match="Nowhere"):
        view_of("SMART", tab="Nowhere")
