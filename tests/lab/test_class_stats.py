"""The classes of a hierarchy as a screen gets them: scores by hand, walks, stories, and frames that hold them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.class_stats import ClassRecords, class_columns, class_story
from streamlab.lab.frame import FrameMaker
from streamlab.schema import Hierarchy, Schema

PARENTS = (-1, 0, 0, -1, 3, 4, 4)


def nested_stream(n: int = 600, parents=PARENTS, seed: int = 1):
    """Points around a centre for each leaf, with the leaf and what stands above it as labels."""
    tree = Hierarchy(parents)
    rng = np.random.default_rng(seed)
    leaf = rng.choice(tree.leaves, n)
    X = np.stack([leaf % 3, leaf // 3], axis=1) + rng.normal(0, 0.4, (n, 2))
    base = Schema.anonymous(2, len(parents))
    return sl.load((X, tree.above[leaf].astype(np.uint8)), schema=Schema(base.features, base.labels, tree))


def run_of(**options) -> Run:
    learners = {"walk": sl.HierarchicalKNN(), "flat": sl.FlatKNN(), "none": sl.NoChange()}
    return Run(nested_stream(), learners, **options)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_scores_are_those_of_all_below_with_older_instances_fading(data):
    n_labels = data.draw(st.integers(1, 7))
    tree = Hierarchy(tuple(data.draw(st.integers(-1, label - 1)) for label in range(n_labels)))
    rng = np.random.default_rng(data.draw(st.integers(0, 9999)))
    n, fading = data.draw(st.integers(1, 30)), data.draw(st.sampled_from([0.9, 0.995, 1.0]))
    Y, Z = rng.integers(0, 2, (2, n, n_labels), dtype=np.uint8)
    records = ClassRecords(tree, fading)
    cuts = sorted(rng.integers(0, n + 1, 2).tolist())
    for start, stop in zip([0, *cuts], [*cuts, n], strict=True):
        records.add(Y[start:stop], Z[start:stop])
    scores = records.scores()
    true, predicted = (tree.with_ancestors(labels).astype(float) for labels in (Y, Z))
    weights = fading ** np.arange(n - 1, -1, -1.0)[:, None]
    assert np.allclose(records.weight, (weights * true).sum(axis=0))
    for label in range(n_labels):
        here = [label, *tree.descendants(label)]
        hits, said, asked = ((weights * each)[:, here].sum() for each in (true * predicted, predicted, true))
        for name, over in (("hp", said), ("hr", asked), ("hf", (said + asked) / 2)):
            expected = hits / over if over else np.nan
            assert scores[name][label] == pytest.approx(expected, nan_ok=True), (name, label)


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
    assert (story["held"], story["window"]) == (story["arrivals"], 1000)
    assert [distance for _, distance in story["rivals"]] == sorted(distance for _, distance in story["rivals"])
    top = class_story(run, "walk", 0)
    assert {name for name, _ in top["rivals"]} == {"y0", "y3"}
    assert top["children"] == ["y1", "y2"]
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


# ---------------------------------------------------------------------- frames


def take(maker: FrameMaker):
    frame = maker.make(maker.cursor(), "paused", "", None, 0.0)
    maker.taken(frame)
    return frame


def test_frames_hold_the_classes_and_a_curve_for_each_level():
    run = run_of()
    maker = FrameMaker(run)
    assert take(maker).classes is None
    maker.choose(classes="walk", selected_class=4)
    run.advance(250)
    frame = take(maker)
    assert (frame.classes.learner, frame.classes.kind, frame.classes.now) == ("walk", "hierarchy", 250)
    assert frame.classes.story["label"] == "y4"
    assert frame.levels.reset
    assert frame.levels.positions.tolist() == [100, 200]
    expected = run.level_curves().query("learner == 'walk'")
    for level, values in frame.levels.values.items():
        assert values.tolist() == expected[expected.level == level].f1.tolist()
    assert len(frame.levels.values) == 3
    held = frame.classes.columns["held"].copy()
    run.advance(150)
    assert np.array_equal(held, frame.classes.columns["held"]), "a frame shares nothing with the run"
    frame = take(maker)
    assert not frame.levels.reset
    assert frame.levels.positions.tolist() == [300, 400]
    maker.choose(level_measure="first_wrong", classes="flat")
    frame = take(maker)
    assert frame.levels.reset
    expected = run.level_curves().query("learner == 'flat' and level == 2").first_wrong
    assert frame.levels.values[2].tolist() == expected.tolist()
    maker.choose(classes="", selected_class=None)
    assert take(maker).classes is None


def test_choices_of_classes_that_cannot_be():
    maker = FrameMaker(run_of())
    for choice, message in (
        ({"classes": "nobody"}, "no learner 'nobody'"),
        ({"level_measure": "hf"}, "level_measure='hf' must be one of f1, "),
        ({"structure": "flat"}, "the learner 'flat' has no nodes"),
    ):
        with pytest.raises(ValueError, match=message):
            maker.choose(**{"classes": "walk"} | choice)
    assert take(maker).classes is None
    flat = FrameMaker(Run("yeast", sl.NoChange()))
    with pytest.raises(ValueError, match="the labels of this stream have no hierarchy"):
        flat.choose(classes="NoChange")
