"""The hierarchy view on the Python side: what travels, what is folded, stories, and where the view appears."""

from __future__ import annotations

import inspect
import time

import numpy as np
import pytest

pytest.importorskip("panel_material_ui")

from bokeh.document import Document
from streamlab.views.page.hierarchy_show import HierarchyShow
from streamlab.views.page.node_details import HOW_TO_READ, class_story_html

import streamlab as sl
from streamlab.lab.class_stats import class_columns, class_story
from streamlab.lab.frame import LEVEL_MEASURES, CurveUpdate
from streamlab.schema import Hierarchy
from streamlab.views.kit.columns import unpack
from streamlab.views.kit.picture import Drawn
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.presets import FOR_HIERARCHIES, LEARNERS, NESTED_STREAMS, make_learners, offered
from streamlab.views.pictures.hierarchy.view import CLASSES, HierarchyView, more_parents
from streamlab.views.timeline.level_curves import LEVEL_TITLES, LevelCurves


@pytest.fixture(scope="module")
def run():
    made = sl.Run("segments", make_learners(["HierarchicalKNN", "FlatKNN", "majority labels"], [], 1))
    made.advance(250)
    return made


def shown(run, learner: str = "HierarchicalKNN", **options) -> HierarchyView:
    view = HierarchyView(labels=list(run.stream.schema.labels), **options)
    view.show(Drawn(learner, run.position, class_columns(run, learner), {}))
    return view


def received(view: HierarchyView) -> dict[str, np.ndarray]:
    """What the browser unpacks."""
    return unpack(view._frame["spec"], view._frame["buffer"])


# ---------------------------------------------------------------------- the component


def test_what_travels(run):
    view, columns = shown(run), class_columns(run, "HierarchicalKNN")
    sent = received(view)
    assert view._frame["subject"] == "HierarchicalKNN"
    assert (view._frame["now"], view._frame["n_nodes"], view._frame["playing"]) == (250, 9, False)
    order = sent["id"].tolist()
    assert [run.stream.schema.labels[i] for i in order] == [
        *("built", "brickface", "cement", "path", "window"),
        *("nature", "foliage", "grass", "sky"),
    ]
    assert sent["parent"].tolist() == [-1, 0, 0, 0, 0, -1, 5, 5, 5]
    assert sent["arrivals"].tolist() == columns["arrivals"][order].tolist()
    assert np.array_equal(sent["hf"], columns["hf"][order].astype(np.float32), equal_nan=True)
    assert sent["held"].tolist() == columns["held"][order].tolist()
    for name in ("is_leaf", "true", "predicted", "compared"):
        assert sent[name].tolist() == columns[name][order].tolist(), name
    assert len(view._frame["buffer"]) == 43 * 9


def test_of_a_learner_that_does_not_walk_no_distance_and_no_window_travels(run):
    sent = received(shown(run, "majority labels"))
    assert np.isnan(sent["distance"]).all()
    assert (sent["held"] == -1).all()
    assert sent["predicted"].any()


def test_folding_is_asked_for_by_the_browser_and_done_here(run):
    view = shown(run)
    built = run.stream.schema.labels.index("built")
    view._handle_msg({"kind": "collapse", "id": built})
    assert view.collapsed == [built]
    sent = received(view)
    assert len(sent["id"]) == 5
    assert sent["folded"].tolist() == [4, 0, 0, 0, 0]
    assert sent["collapsed"].tolist() == [True, False, False, False, False]
    view._handle_msg({"kind": "collapse", "id": built})
    assert len(received(view)["id"]) == 9
    view.max_nodes = 3
    assert len(received(view)["id"]) == 3
    assert received(view)["folded"].sum() == 6


def test_columns_are_copied_and_checked(run):
    columns = class_columns(run, "HierarchicalKNN")
    view = HierarchyView()
    view.show(Drawn("x", 1, columns, {}))
    columns["weight"][:] = -1
    view.collapsed = [0]
    assert received(view)["weight"].min() >= 0
    for name in CLASSES.needed:
        with pytest.raises(ValueError, match=f"missing {name}"):
            view.show(Drawn("x", 1, {key: values for key, values in columns.items() if key != name}, {}))
    with pytest.raises(ValueError, match="lengths differ"):
        view.show(Drawn("x", 1, {**columns, "hf": columns["hf"][1:]}, {}))


def test_labels_under_several_parents_keep_a_line_to_each():
    tree = Hierarchy((-1, -1, (0, 1), 2, (2, 1, 0)))
    assert more_parents(tree.parents) == [(2, 1), (4, 1), (4, 0)]
    assert more_parents(Hierarchy((-1, 0)).parents) == []


def test_what_concerns_the_choice_of_classes_stays_in_python(run):
    properties = shown(run, collapsed=[0]).get_root(Document()).data.properties_with_values()
    assert not {"collapsed", "max_nodes"} & set(properties)
    assert properties["shape"] == "tree"


# ---------------------------------------------------------------------- words and curves


def test_the_story_of_a_class_in_words(run):
    schema = run.stream.schema
    story = class_story(run, "HierarchicalKNN", schema.labels.index("nature"))
    html = class_story_html("my <walk>", story)
    assert "<h3>my &lt;walk&gt;: nature</h3>" in html
    assert f"<b>{story['arrivals']}</b> came so far" in html
    assert f"Its window holds {story['held']} of 1,000 examples" in html
    assert "Below it: foliage, grass, sky" in html
    assert html.count("sl-story-bar") == 2
    assert html.count("sl-own") == 1
    told = {(True, True): "as predicted", (True, False): "missed", (False, True): "wrongly", (False, False): "nothing"}
    for (true, predicted), words in told.items():
        assert words in class_story_html("x", {**story, "true": true, "predicted": predicted})
    assert "was asked for" in class_story_html("x", {**story, "rivals": []})
    assert "error 0.250 over the last 64" in class_story_html("x", {**story, "error": 0.25, "watched": 64})
    flat = class_story_html("x", class_story(run, "FlatKNN", 0))
    assert "does not walk down" in flat
    assert "Its window" not in flat
    assert "no such class" in class_story_html("x", None)
    assert "solid line" in HOW_TO_READ["hierarchy"]


def test_level_curves_grow_and_begin_anew():
    curves = LevelCurves(2, 1000)
    curves.update(CurveUpdate(np.zeros(0, np.int64), {0: np.zeros(0), 1: np.zeros(0)}, True))
    assert curves._source.data == {"position": [], "level0": [], "level1": []}
    curves.update(CurveUpdate(np.array([100, 200]), {0: np.array([0.82, 0.9]), 1: np.array([0.55, 0.6])}, True))
    curves.update(CurveUpdate(np.array([300]), {0: np.array([0.95]), 1: np.array([0.7])}, False))
    assert list(curves._source.data["position"]) == [100, 200, 300]
    assert list(curves._source.data["level1"]) == [0.55, 0.6, 0.7]
    assert (curves.figure.y_range.start, curves.figure.y_range.end) == (0.5, 1.0)
    curves.describe("me", "first_wrong", "per chunk")
    assert curves.figure.title.text == "me: First wrong at each level, per chunk (lower is better)"
    assert set(LEVEL_TITLES) == set(LEVEL_MEASURES)


# ---------------------------------------------------------------------- where it appears


def tabs(view) -> list[str]:
    import panel_material_ui as pmui

    return list(next(iter(view._layout.select(pmui.Tabs)))._names)


def stepped(view, n: int = 1):
    """Go on by some instances; the frame of that instant, drawn."""
    view.player.step(n).result(20)
    until = time.monotonic() + 10
    while True:
        frame = view.player.poll()
        if frame is not None and frame.position == view._run.position:
            view._draw(frame)
            return frame
        assert time.monotonic() < until
        time.sleep(0.01)


def test_it_appears_for_every_learner_where_the_labels_have_a_hierarchy():
    run = sl.Run("segments", make_learners(["SMART", "MLHAT", "no-change"], [], 1))
    view = run.view()
    assert tabs(view)[0] == "Hierarchy"
    stepped(view, 100)
    for name in run.tracks:
        view.class_choice.value = name
        assert stepped(view).classes.learner == name
        assert view.hierarchy._frame["subject"] == name
    assert received(view.hierarchy)["arrivals"].sum() == 2 * run.position
    view.close()


def test_it_does_not_where_they_have_none():
    view = sl.Run("yeast", make_learners(["SMART"], [], 1)).view()
    assert view.hierarchy is None
    assert "Hierarchy" not in tabs(view)
    view.close()


def test_a_class_that_is_clicked_tells_its_story():
    view = sl.Run("segments", make_learners(["HierarchicalKNN"], [], 1)).view()
    stepped(view, 50)
    view.hierarchy.selected = 2
    stepped(view)
    assert "<h3>HierarchicalKNN: cement</h3>" in view.class_story.object
    view.hierarchy.selected = None
    assert view.class_story.object == HOW_TO_READ["hierarchy"]
    view.close()


def test_what_is_offered():
    assert set(NESTED_STREAMS.values()) == {"segments", "instruments"}
    for name in NESTED_STREAMS.values():
        assert sl.load(name).schema.hierarchy is not None
    assert offered(True) == [*FOR_HIERARCHIES, *LEARNERS]
    assert offered(False) == list(LEARNERS)


def ran(page: Monitor) -> list[str]:
    return list(page._view._run.tracks)


def test_the_monitor_opens_a_hierarchy_with_learners_that_know_it_and_leaves_it_without():
    page = Monitor("segments")
    assert ran(page) == page.learner_choice.value == ["HierarchicalKNN", "FlatKNN"]
    assert page.learner_choice.options == offered(True)
    page.stream_choice.value = "yeast"
    assert ran(page) == page.learner_choice.value == list(Monitor.learners)
    assert page.learner_choice.options == offered(False)
    page.close()


def test_a_choice_of_ones_own_stays_as_far_as_it_is_offered():
    page = Monitor("yeast")
    page.learner_choice.value = ["SMART", "no-change"]
    page.stream_choice.value = "segments"
    assert ran(page) == ["SMART", "no-change"]
    page.learner_choice.value = ["SMART", "FlatKNN"]
    page.begin()
    assert ran(page) == ["SMART", "FlatKNN"]
    page.stream_choice.value = "yeast"
    assert ran(page) == page.learner_choice.value == ["SMART"]
    page.learner_choice.value = list(Monitor.learners)
    page.stream_choice.value = "segments"
    page.learner_choice.value = list(Monitor.learners)
    page.begin()
    assert ran(page) == list(Monitor.learners), "chosen on purpose, they are not changed"
    page.close()


def test_the_hierarchy_alone_offers_both_streams():
    page = HierarchyShow()
    assert inspect.signature(HierarchyShow).parameters["stream"].default == "instruments"
    assert list(page.stream_choice.options.values()) == list(NESTED_STREAMS.values())
    assert ran(page) == ["HierarchicalKNN", "FlatKNN"]
    assert tabs(page._view)[0] == "Hierarchy"
    page.close()
