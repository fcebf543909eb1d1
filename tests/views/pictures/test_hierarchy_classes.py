"""The classes of a hierarchy as the picture gets them: of learners that go down it, and of others."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.views.pictures.hierarchy.classes import class_columns, class_story
from tests.lab.made import nested_stream


def run_of(**options) -> Run:
    learners = {"walk": sl.HierarchicalKNN(), "flat": sl.FlatKNN(), "none": sl.NoChange()}
    return Run(nested_stream(), learners, **options)


def test_a_walker_tells_of_its_walk():
    run = run_of()
    run.advance(450)
    walk, columns = run.learner_runs["walk"].learner, class_columns(run, "walk")
    nodes = walk.nodes()
    for name in ("held", "distance", "normalised", "predicted", "true", "stopped", "tied"):
        assert np.array_equal(columns[name], nodes[name].to_numpy(), equal_nan=columns[name].dtype.kind == "f"), name
    assert np.allclose(columns["hf"], nodes["hf"], equal_nan=True), "with the same fading it counts as the learner does"
    assert columns["arrivals"].tolist() == nodes["seen"].tolist()
    assert columns["true"].tolist() == (run.last[1] > 0).tolist()
    # with reliability 0 it went on to the end: its last step was between the children of one class
    assert not columns["stopped"].any()
    (end,) = (c for c in np.flatnonzero(columns["predicted"]) if columns["is_leaf"][c])
    siblings = np.flatnonzero(columns["parent"] == columns["parent"][end])
    assert np.flatnonzero(columns["compared"]).tolist() == siblings.tolist()


def test_where_a_walk_stops_its_candidates_are_what_was_compared():
    run = run_of()
    run.advance(400)
    run.tune("walk", reliability=0.9)
    for _ in range(50):
        run.advance(1)
        columns = class_columns(run, "walk")
        if columns["stopped"].any():
            break
    assert columns["stopped"].any()
    assert columns["compared"].tolist() == columns["stopped"].tolist()
    assert columns["tied"].sum() > 1
    assert not np.isnan(columns["distance"][columns["stopped"]]).any()


@pytest.mark.parametrize("name", ["flat", "none"])
def test_other_learners_have_all_but_distances(name):
    run = run_of()
    run.advance(450)
    columns = class_columns(run, name)
    assert np.isnan(columns["distance"]).all()
    assert (columns["held"] == -1).all()
    assert not columns["compared"].any()
    assert columns["predicted"].tolist() == (run.learner_runs[name].last_labels > 0).tolist()
    assert columns["arrivals"].tolist() == class_columns(run, "walk")["arrivals"].tolist()
    assert 0.0 <= np.nanmin(columns["hf"]) <= np.nanmax(columns["hf"]) <= 1.0


def test_answers_without_their_ancestors_get_them():
    run = run_of()
    run.advance(10)
    run.learner_runs["none"].last_labels = np.array([0, 0, 0, 0, 0, 1, 0], np.uint8)
    assert np.flatnonzero(class_columns(run, "none")["predicted"]).tolist() == [3, 4, 5]


def test_before_the_first_instance_nothing_is_lit():
    columns = class_columns(run_of(), "walk")
    assert not columns["true"].any()
    assert not columns["predicted"].any()
    assert np.isnan(columns["hf"]).all()
    assert columns["arrivals"].sum() == 0


def test_how_a_run_is_cut_has_no_effect():
    one, many = run_of(), run_of()
    one.advance(300)
    for n in (1, 99, 7, 93, 100):
        many.advance(n)
    for name in one.learner_runs:
        first, second = class_columns(one, name), class_columns(many, name)
        for key in first:
            assert np.allclose(first[key], second[key], equal_nan=True), (name, key)


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


def test_with_labels_that_come_late_the_walk_shown_is_the_latest_learned():
    run = Run(sl.delay_labels(nested_stream(), 50), {"walk": sl.HierarchicalKNN()})
    run.advance(300)
    columns, nodes = class_columns(run, "walk"), run.learner_runs["walk"].learner.nodes()
    assert columns["true"].tolist() == nodes["true"].tolist()
    assert columns["arrivals"][[0, 3]].sum() == 300
