"""The hierarchy view on the Python side: what travels, what is folded, and the details of a class."""

from __future__ import annotations

import numpy as np
import pytest
from bokeh.document import Document

import streamlab as sl
from streamlab.schema import Hierarchy
from streamlab.views.kit.columns import unpack
from streamlab.views.kit.picture import Drawn, Subject
from streamlab.views.page.presets import make_learners
from streamlab.views.pictures.hierarchy import HierarchyPicture
from streamlab.views.pictures.hierarchy.classes import class_columns, class_story
from streamlab.views.pictures.hierarchy.picture import hierarchy_details
from streamlab.views.pictures.hierarchy.view import CLASSES, HierarchyView, more_parents


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


@pytest.mark.parametrize(("window", "before"), [(1000, {"drift": 0, "row": 60, "rows": 60, "of": 100}), (3, None)])
def test_it_is_said_how_much_of_all_that_is_kept_is_from_before_a_mark(window, before):
    made = sl.Run("segments", {"knn": sl.HierarchicalKNN(window=window), "none": sl.NoChange()})
    made.advance(60)

    def told(name: str) -> object:
        return Subject(name, made.learner_runs[name].learner, made).kept_from_before

    assert told("knn") is None
    made.mark()
    made.advance(40)
    assert told("knn") == before
    assert told("none") is None


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
    html = hierarchy_details("my <walk>", story)
    assert "<h3>my &lt;walk&gt;: nature</h3>" in html
    assert f"<b>{story['arrivals']}</b> instances so far" in html
    assert f"The windows of its 3 paths hold {story['held']} of 3,000 examples" in html
    leaf = class_story(run, "HierarchicalKNN", schema.labels.index("grass"))
    assert f"Its window holds {leaf['held']} of 1,000 examples" in hierarchy_details("x", leaf)
    assert "Below it: foliage, grass, sky" in html
    assert html.count("sl-details-bar") == 2
    assert html.count("sl-own") == 1
    told = {
        (True, True): "as predicted",
        (True, False): "missed",
        (False, True): "wrongly",
        (False, False): "it was not predicted",
    }
    for (true, predicted), words in told.items():
        assert words in hierarchy_details("x", {**story, "true": true, "predicted": predicted})
    assert "no distance was computed" in hierarchy_details("x", {**story, "rivals": []})
    assert "error 0.250 over the last 64" in hierarchy_details("x", {**story, "error": 0.25, "watched": 64})
    flat = hierarchy_details("x", class_story(run, "FlatKNN", 0))
    assert "does not go down" in flat
    assert "Its window" not in flat
    assert "examples" not in flat
    assert "no such class" in hierarchy_details("x", None)
    assert "solid line" in HierarchyPicture.help
