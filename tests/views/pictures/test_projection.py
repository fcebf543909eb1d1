"""The projection view without a browser: a plane that keeps still, neighbours of an instance, what travels."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.views.kit.picture import Subject
from streamlab.views.pictures.projection import ProjectionPicture
from streamlab.views.pictures.projection.picture import (
    RECENT,
    ProjectionView,
    StablePlane,
    similarity,
)
from tests.views import wire
from tests.views.wire import received

TOLERANCE = 1e-9


def turned(angle: float, flip: bool) -> np.ndarray:
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return turn @ np.diag([1.0, -1.0 if flip else 1.0])


def pipeline(**settings):
    return sl.Pipeline(sl.StandardScaler(), sl.BalancedLDA(), sl.BalancedKNN(**settings))


@pytest.fixture(scope="module")
def run() -> sl.Run:
    made = sl.Run("yeast", {"BKNN": pipeline(window=30), "none": sl.NoChange()}, alarms=None)
    made.advance(700)
    return made


drawn_of = partial(wire.drawn_of, ProjectionPicture(), name="BKNN")


# ---------------------------------------------------------------------- the plane


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000), angle=st.floats(0, 6.3), flip=st.booleans(), scale=st.floats(0.01, 100),
    shift=st.tuples(st.floats(-50, 50), st.floats(-50, 50)),
)  # fmt: skip
def test_similarity_finds_any_turn_flip_scale_and_shift(seed, angle, flip, scale, shift):
    points = np.random.default_rng(seed).normal(size=(12, 2))
    goal = scale * points @ turned(angle, flip) + shift
    s, turn, away = similarity(points, goal)
    assert np.abs(s * points @ turn + away - goal).max() < TOLERANCE * max(scale, 50)
    assert np.abs(turn @ turn.T - np.eye(2)).max() < TOLERANCE


@pytest.mark.parametrize("flip", [False, True])
def test_the_plane_keeps_still_when_axes_turn_flip_and_shrink(flip):
    rng = np.random.default_rng(1)
    raw, means = rng.normal(size=(300, 2)), rng.normal(size=(5, 2))
    plane = StablePlane()
    plane.take(np.arange(200), raw[:200], means)
    before, before_means = plane.draw(raw), plane.draw(means)
    assert np.abs(before[:200].mean(0)).max() < TOLERANCE
    assert (before[:200] ** 2).sum(1).mean() == pytest.approx(1.0)
    other = 0.3 * turned(2.0, flip)
    plane.take(np.arange(100, 300), raw[100:] @ other + 7, means @ other + 7)
    assert np.abs(plane.draw(raw @ other + 7) - before).max() < TOLERANCE
    assert np.abs(plane.draw(means @ other + 7) - before_means).max() < TOLERANCE


def test_where_no_instance_stays_the_means_hold_the_plane():
    rng = np.random.default_rng(2)
    raw, means = rng.normal(size=(50, 2)), np.vstack([rng.normal(size=(5, 2)), [[np.nan, np.nan]]])
    plane = StablePlane()
    plane.take(np.arange(50), raw, means)
    before = plane.draw(means[:5])
    plane.take(np.arange(50, 100), -raw, -means)
    assert np.abs(plane.draw(-means[:5]) - before).max() < TOLERANCE


# ---------------------------------------------------------------------- the neighbours


def test_neighbours_of_an_instance_are_of_each_class_the_nearest_of_the_others(run):
    learner = run.learner_runs["BKNN"].learner
    last = learner.learner
    near = drawn_of(run, 690).story
    assert near["instance"] == 690
    own = int(np.flatnonzero(last._ids == 690)[0])
    distances = np.linalg.norm(last._points - last._points[own], axis=1)
    distances[own] = np.inf
    assert 690 not in near["row"]
    for k in range(14):
        members = np.flatnonzero(last._members[:, k])
        nearest = np.sort(distances[members])[:5]
        found = near["distance"][near["label"] == k]
        assert np.abs(found - nearest[np.isfinite(nearest)]).max() < TOLERANCE
    assert (near["Y"] == last._Y[own]).all()
    assert (near["predicted"] == (near["scores"] > near["thresholds"])).all()


def test_a_frame_has_copies_and_the_newest_instances(run):
    drawn = drawn_of(run)
    assert (drawn.subject, drawn.now) == ("BKNN", 700)
    assert len(drawn.columns["row"]) == min(RECENT, len(run.learner_runs["BKNN"].learner.learner._X))
    kept = run.learner_runs["BKNN"].learner.recent(RECENT)
    for name, values in drawn.columns.items():
        values[:] = 0
        assert (run.learner_runs["BKNN"].learner.recent(RECENT)[name] == kept[name]).all()


# ---------------------------------------------------------------------- what travels


def test_what_is_shown_travels(run):
    view, drawn = ProjectionView(selected=690), drawn_of(run, 690)
    view.show(drawn)
    frame = received(view)
    n = len(drawn.columns["row"])
    assert view._frame["target"][0] == 690
    assert (frame["row"] == drawn.columns["row"]).all()
    bits = np.unpackbits(frame["bits"].reshape(n, 2), axis=1, bitorder="little")[:, :14]
    assert (bits == drawn.columns["Y"]).all()
    # the links end where their instances are drawn
    at = {row: i for i, row in enumerate(frame["row"])}
    inside = [j for j, row in enumerate(frame["link_row"]) if row in at]
    there = [at[frame["link_row"][j]] for j in inside]
    assert len(inside) > 5
    assert (frame["link_x"][inside] == frame["x"][there]).all()
    assert (frame["link_y"][inside] == frame["y"][there]).all()
    assert len(view._frame["buffer"]) < 8000
    # a class's cross is in the middle of its rows that are drawn
    for k in (0, 13):
        has = bits[:, k] == 1
        np.testing.assert_allclose(frame["mean_x"][k], frame["x"][has].mean(), atol=1e-5)


def test_neighbours_of_an_instance_that_the_pointer_has_left_are_not_drawn(run):
    view, drawn = ProjectionView(selected=690, pointed=3), drawn_of(run, 690)
    view.show(drawn)
    assert view._frame["target"] is None
    assert len(received(view)["link_row"]) == 0


def test_another_learner_is_drawn_in_the_plane_of_the_first_with_its_own_rows_and_neighbours():
    run = sl.Run("image-segments", {"BKNN": pipeline(window=50), "ML-KNN": sl.MLKNN(n_neighbors=4)}, alarms=None)
    run.advance(450)
    both = [drawn_of(run), drawn_of(run, name="ML-KNN")]
    frames = []
    for drawn in both:
        view = ProjectionView()
        view.show(drawn)
        frames.append((view._frame, received(view)))
    (first, mine), (second, other) = frames
    assert other["row"].tolist() == list(range(300, 400)), "its latest full chunk"
    assert first["bounds"] == second["bounds"]
    at = {row: i for i, row in enumerate(mine["row"].tolist())}
    for name in ("x", "y"):
        same = [mine[name][at[row]] for row in other["row"].tolist()]
        np.testing.assert_allclose(other[name], same, atol=1e-5)
    chunks = list(sl.load("image-segments").chunks(150, start=300, stop=450))
    X, Y = np.vstack([chunk.X for chunk in chunks]), np.vstack([chunk.Y for chunk in chunks])
    nearest = 300 + np.argsort(np.linalg.norm(X[:100] - X[-1], axis=1), kind="stable")[:4]
    # the latest row, which neither has learned yet
    assert (second["target"][0], other["link_row"].tolist()) == (449, nearest.tolist())
    assert (first["target"], first["truth"]) == (second["target"], [Y[-1].argmax()])
    assert second["truth"] == first["truth"]
    story = drawn_of(run, 399, name="ML-KNN").story
    nearest = 300 + np.argsort(np.linalg.norm(X[:100] - X[99], axis=1), kind="stable")[1:5]
    assert (story["row"].tolist(), story["Y"].tolist()) == (nearest.tolist(), Y[99].tolist()), "not its own neighbour"
    assert drawn_of(run, 299, name="ML-KNN").story is None
    story = drawn_of(run, 310, name="ML-KNN").story
    own = run.stream.schema.labels[story["Y"].argmax()]
    assert f"<b>{own}</b>" in ProjectionPicture().details("ML-KNN", story, run.stream.schema)
    alone = sl.Run("yeast", {"ML-KNN": sl.MLKNN()}, alarms=None)
    assert not ProjectionPicture().fits(Subject("ML-KNN", alone["ML-KNN"], alone))


def test_it_is_said_how_much_of_what_is_kept_is_from_before_the_drift():
    run = sl.Run("yeast-rotated", {"BKNN": pipeline(window=30)}, alarms=None)
    run.advance(1200)
    shares = []
    for _ in range(3):
        learner = run.learner_runs["BKNN"].learner.learner
        drawn, view = drawn_of(run), ProjectionView()
        before = drawn.extra.get("before")
        view.show(drawn)
        frame, n_old, n = received(view), view._frame["n_old"], len(drawn.columns["row"])
        has = np.flatnonzero(np.arange(n) >= n_old) if 0 < n_old < n else np.arange(n)
        has = has[drawn.columns["Y"][has, 0] == 1]
        np.testing.assert_allclose(frame["mean_x"][0], frame["x"][has].mean(), atol=1e-5)
        assert n_old == (drawn.columns["row"] < 1200).sum() * (run.position > 1200)
        if run.position > 1200:
            assert before == {
                "drift": 1, "row": 1200, "rows": int((learner._ids < 1200).sum()), "of": len(learner._ids),
                "renewed": 200 * (run.position >= 1400),
            }  # fmt: skip
            shares.append(before["rows"])
        run.advance(100 if shares else 150)
    assert shares[0] > shares[1] > 0


def test_of_classes_the_one_of_the_highest_score_is_answered_by_its_own_neighbours():
    run = sl.Run("image-segments", {"BKNN": pipeline(window=30)}, alarms=None)
    run.advance(400)
    schema, learner = run.stream.schema, run["BKNN"]
    for row in drawn_of(run).columns["row"][-40:].tolist():
        near, whole = drawn_of(run, row).story, learner.neighbourhood_of(row)
        best = whole["scores"].argmax()
        assert near["row"].tolist() == whole["row"][whole["label"] == best].tolist()
        answered, true = schema.labels[best], schema.labels[near["Y"].argmax()]
        parts = (answered, "none", "none") if answered == true else ("none", answered, true)
        said = [part if part == "none" else f"<b>{part}</b>" for part in parts]
        html = ProjectionPicture().details("BKNN", near, schema)
        assert "Right: {}. Wrong: {}. Missed: {}.".format(*said) in html
        assert html.index(f"<span>{answered}</span>") < html.index("</i>"), "the highest vote comes first"


def test_what_is_asked_is_what_is_pointed_at_else_what_is_pinned():
    view = ProjectionView()
    assert view.selection is None
    view.selected = 3
    assert view.selection == 3
    view.pointed = 0
    assert view.selection == 0
