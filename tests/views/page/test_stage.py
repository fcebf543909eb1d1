"""The stage: which tab is open, what is read then, and what the panel of why says of a picture."""

from __future__ import annotations

import re
import time

import pytest

import streamlab as sl
from streamlab.views.page.presets import make_learners

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


def test_the_latest_row_opens_the_panel_as_any_tab_does():
    view = view_of("SMART")
    assert view.look["tab"] == "Trees"
    assert view.open_tab("Latest row")
    assert view.why.about is view.latest
    assert view._stage.shown is view.panels[0]
    view.player.step(20).result(20)
    until = time.monotonic() + 60
    while not {"Latest row", "picture forest"} <= set(view.player._frame.readings):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert view.open_tab("Labels")
    assert view.look["tab"] == "Labels"
    assert view._stage.titles[view._stage.views.active] == "Labels"
    assert not view.open_tab("Nowhere")


def test_a_selected_part_opens_the_panel_and_the_next_click_closes_it():
    view = view_of("SMART", "SMART without fading")
    row = view.panels[0]
    view.player.step(300).result(20)
    row.panels[1].view.selected = 0
    assert view.why.about is row
    assert view.why.content.objects == row.panels[1].inspected
    view.why.close()
    assert row.panels[1].view.selected is None
    view.open_settings("SMART")
    assert view.why.about is view.settings_of.form("SMART")


def test_at_most_two_stand_beside_each_other_each_with_a_head():
    view = view_of("SMART", "SMART without fading", "no-change", "MLHAT", "MLHT")
    assert [panel.learners for panel in view.panels[:2]] == [["SMART", "SMART without fading"], ["MLHAT", "MLHT"]]
    assert set(view._heads.made) == {"SMART", "SMART without fading", "MLHAT", "MLHT"}


def test_one_tree_of_classes_is_of_two_learners_and_any_other_may_take_the_second_place():
    names = ["FlatKNN", "HierarchicalKNN", "majority labels"]
    _views.append(sl.Run("segments", make_learners(names, [], 1)).view())
    view, panel = _views[-1], _views[-1].panels[0]
    assert (panel.picture.name, panel.learners) == ("hierarchy", ["HierarchicalKNN", "FlatKNN"])
    assert [head.name_of for head in panel._head.objects[:2]] == panel.learners
    assert panel.choice.visible

    def drawn() -> list[str]:
        view.player.step(100).result(20)
        until = time.monotonic() + 60
        while panel.view._frame is None or panel.view._frame["now"] < view._run.position:
            assert time.monotonic() < until
            if (frame := view.player.poll()) is not None:
                view._draw(frame)
            time.sleep(0.01)
        return [each["name"] for each in panel.view._frame["learners"]]

    assert drawn() == ["HierarchicalKNN", "FlatKNN"]
    panel.choice.value = "majority labels"
    assert panel.learners == ["HierarchicalKNN", "majority labels"]
    assert drawn() == panel.learners
    entry = view._run.views.entries[-1]
    panel.view._frame = None
    panel.look_back(entry.readings, entry.position)
    assert [each["name"] for each in panel.view._frame["learners"]] == panel.learners


def test_of_two_trees_the_broader_one_has_more_of_the_width_and_keeps_it_while_it_is_somewhat_broader():
    row = view_of("MLHAT", "HedgedMLHAT", compared=True).panels[0]
    left, right = (panel.view for panel in row.panels)
    usual = row._layout.stylesheets

    def shares(on_the_left: float, on_the_right: float) -> list[str]:
        left.breadth, right.breadth = on_the_left, on_the_right
        more = row._layout.stylesheets[len(usual) :]
        return ["{}:{}".format(*re.search(r"minmax\(0,(\d)fr\) minmax\(0,(\d)fr\)", each).groups()) for each in more]

    # small trees have room anyway; what was given stays until the difference is small
    assert (shares(0, 5), shares(6, 8)) == ([], [])
    assert (shares(8, 12), shares(10, 13), shares(13, 14)) == (["2:3"], ["2:3"], ["1:1"])
    assert (shares(7, 15), shares(8, 13)) == (["1:2"], ["1:2"]), "twice as broad"
    assert (shares(20, 7), shares(20, 14)) == (["2:1"], ["3:2"])


def asked(view) -> set:
    return {each.asks_at(view._run.position + 100) for each in view._run.learner_runs.values()}


def test_a_run_is_asked_what_matters_while_the_picture_is_open_and_no_longer():
    view = view_of("SMART", "SMART without fading")
    view.player.step(100).result(20)
    assert asked(view) == {False}
    assert all(each.importance is None for each in view._run.learner_runs.values()), "who never looks pays nothing"
    assert view.open_tab("What matters")
    view.player.step(300).result(20)
    assert asked(view) == {True}
    assert set(view._run.learner_runs["SMART"].importance.points()[0] >= 200) == {True}
    view.open_tab("Labels")
    view.player.step(100).result(20)
    assert asked(view) == {False}
    view.open_tab("What matters")
    view.player.step(100).result(20)
    assert asked(view) == {True}
    view.close()
    assert asked(view) == {False}
    assert not [event for event in view._run.log if event.kind not in ("alarm",) and not event.learner]


def test_the_row_is_explained_while_the_run_stands_still():
    view = view_of("SMART")
    view.player.step(400).result(20)
    view.open_tab("Latest row")
    until = time.monotonic() + 60
    while "<div class='sl-row-why'><p>" not in view.latest.object:
        assert time.monotonic() < until
        frame = view.player.poll()
        if frame is not None:
            view._draw(frame)
        time.sleep(0.01)
    why = view.latest.object.partition("<div class='sl-row-why'>")[2].partition("</div>")[0]
    assert why.startswith("<p>SMART: Att")
    assert len(why.split()) <= 40
