"""The hierarchy view on the Python side: what travels, what is folded, and the details of a class."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.schema import Hierarchy
from streamlab.views.kit.picture import Budget, Drawn, Subject
from streamlab.views.page.presets import make_learners
from streamlab.views.pictures.hierarchy import HierarchyPicture
from streamlab.views.pictures.hierarchy.picture import (
    CLASSES,
    HierarchyView,
    class_columns,
    class_story,
    more_parents,
)
from tests.lab.made import nested_stream
from tests.views.wire import received


@pytest.fixture(scope="module")
def run():
    made = sl.Run("segments", make_learners(["HierarchicalKNN", "FlatKNN", "majority labels"], [], 1))
    made.advance(250)
    return made


def shown(run, learner: str = "HierarchicalKNN", **options) -> HierarchyView:
    view = HierarchyView(labels=list(run.stream.schema.labels), **options)
    view.show(Drawn(learner, run.position, class_columns(run, learner), {}))
    return view


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
    for name in ("is_leaf", "true", "predicted"):
        assert sent[name].tolist() == columns[name][order].tolist(), name
    assert len(view._frame["buffer"]) == 36 * 9


def test_of_two_learners_both_answers_travel_and_both_are_told_of():
    run = sl.Run("segments", make_learners(["HierarchicalKNN", "FlatKNN"], [], 1))
    run.advance(250)
    run.mark()
    run.advance(50)
    picture = HierarchyPicture()
    subjects = [Subject(name, each.learner, run) for name, each in run.learner_runs.items()]
    both = picture.joined(*(picture.columns(each, 3, Budget()) for each in subjects))
    view = picture.view(run.stream.schema)
    view.show(both)
    sent, order = received(view), received(view)["id"]
    for prefix, each in zip(("", "other_"), subjects, strict=True):
        columns = class_columns(run, each.name)
        for name in ("hf", "was", "predicted"):
            expected = columns[name][order].astype(sent[f"{prefix}{name}"].dtype)
            assert np.array_equal(sent[f"{prefix}{name}"], expected, equal_nan=True), (prefix, name)
        assert not np.isnan(columns["was"]).all()
    assert [each["name"] for each in view._frame["learners"]] == ["HierarchicalKNN", "FlatKNN"]
    assert len({each["colour"] for each in view._frame["learners"]}) == 2
    assert view._frame["mark"] == 0
    html = picture.details(both.subject, both.story, run.stream.schema)
    assert f"<h3>{run.stream.schema.labels[3]}</h3>" in html
    assert "HierarchicalKNN: F1 lately" in html
    assert "FlatKNN: F1 lately" in html


def test_how_well_a_class_was_answered_is_kept_at_the_latest_mark():
    run = run_of(chunk=40)
    run.advance(130)
    assert np.isnan(class_columns(run, "walk")["was"]).all()
    before = class_columns(run, "walk")["hf"]
    run.mark()
    run.advance(100)
    assert np.array_equal(class_columns(run, "walk")["was"], before, equal_nan=True)
    run.seek(100)
    assert np.isnan(class_columns(run, "walk")["was"]).all()


@pytest.mark.parametrize(
    ("window", "before"), [(1000, {"drift": 0, "row": 60, "rows": 60, "of": 100, "renewed": 0}), (3, None)]
)
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


# ---------------------------------------------------------------------- words and curves


def run_of(**options) -> Run:
    learners = {"walk": sl.HierarchicalKNN(), "flat": sl.FlatKNN(), "none": sl.NoChange()}
    return Run(nested_stream(), learners, **options)


def test_a_walker_tells_of_its_walk():
    run = run_of()
    run.advance(450)
    walk, columns = run.learner_runs["walk"].learner, class_columns(run, "walk")
    nodes = walk.nodes()
    for name in ("predicted", "true"):
        assert columns[name].tolist() == nodes[name].tolist(), name
    above = nodes["parent"].fillna("")
    for c, held in enumerate(nodes["held"]):
        story = class_story(run, "walk", c)
        assert story["held"] == held
        beside = nodes[above == above.iloc[c]].dropna(subset="distance")
        assert dict(story["rivals"]) == dict(zip(beside["label"], beside["distance"], strict=True))
    assert np.allclose(columns["hf"], nodes["hf"], equal_nan=True), "with the same fading it counts as the learner does"
    assert columns["arrivals"].tolist() == nodes["seen"].tolist()
    assert columns["true"].tolist() == (run.last[1] > 0).tolist()


def test_answers_without_their_ancestors_get_them():
    run = run_of()
    run.advance(10)
    run.learner_runs["none"].last_labels = np.array([0, 0, 0, 0, 0, 1, 0], np.uint8)
    assert np.flatnonzero(class_columns(run, "none")["predicted"]).tolist() == [3, 4, 5]


def test_a_class_tells_its_story():
    run = run_of()
    run.advance(450)
    story = class_story(run, "walk", 5)
    assert story["label"] == "y5"
    assert story["paths"] == [("y3", "y4", "y5")]
    assert story["children"] == []
    assert (story["held"], story["window"], story["windows"]) == (story["arrivals"], 1000, 1)
    assert [distance for _, distance in story["rivals"]] == sorted(distance for _, distance in story["rivals"])
    top = class_story(run, "walk", 0)
    assert {name for name, _ in top["rivals"]} == {"y0", "y3"}
    assert top["children"] == ["y1", "y2"]
    assert (top["held"], top["windows"]) == (top["arrivals"], 2)
    other = class_story(run, "flat", 5)
    assert (other["window"], other["rivals"]) == (None, [])
    assert other["arrivals"] == story["arrivals"]
    assert class_story(run, "walk", 7) is None
    assert class_story(run, "walk", -1) is None
