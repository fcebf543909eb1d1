"""The projection view without a browser: a plane that keeps still, neighbours of an instance, what travels."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.views.kit.picture import Drawn
from streamlab.views.pictures.projection import ProjectionPicture
from streamlab.views.pictures.projection.picture import (
    RECENT,
    ProjectionView,
    StablePlane,
    projection_details,
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


def columns(means: np.ndarray) -> dict[str, np.ndarray]:
    n = len(means)
    return {
        "id": np.arange(n),
        "weight": np.ones(n),
        "x": means[:, 0],
        "y": means[:, 1],
        "threshold": np.zeros(n),
        "score": np.linspace(-1, 1, n),
        "window": np.ones(n, np.int64),
    }


def picture(columns, recent, now: int, learner: str = "", neighbourhood=None) -> Drawn:
    return Drawn(learner, now, columns, {"recent": recent, "neighbourhood": neighbourhood})


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


def test_similarity_of_unlike_points_keeps_their_spread():
    rng = np.random.default_rng(0)
    points, goal = rng.normal(size=(2, 200, 2))
    s, turn, shift = similarity(points, goal)
    drawn = s * points @ turn + shift
    assert np.linalg.norm(drawn - drawn.mean(0)) == pytest.approx(np.linalg.norm(goal - goal.mean(0)))


@pytest.mark.parametrize("points", [np.zeros((5, 2)), np.ones((5, 2))])
def test_similarity_of_points_that_coincide_only_shifts(points):
    goal = np.arange(10.0).reshape(5, 2)
    for one, other in ((points, goal), (goal, points)):
        s, turn, shift = similarity(one, other)
        assert (s, turn.tolist()) == (1.0, [[1, 0], [0, 1]])
        assert (shift == other.mean(0) - one.mean(0)).all()


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


def test_the_same_points_are_drawn_in_the_same_place_to_the_last_bit():
    rng = np.random.default_rng(3)
    raw, means = rng.normal(size=(50, 2)), rng.normal(size=(5, 2))
    plane = StablePlane()
    plane.take(np.arange(50), raw, means)
    before = plane.draw(raw)
    for _ in range(20):
        plane.take(np.arange(50), raw, means)
    assert (plane.draw(raw) == before).all()


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
    newest = learner.recent(1)["row"][0]
    assert (learner.neighbourhood_of(newest)["scores"] == learner.node_columns()["score"]).all()


def test_an_instance_that_is_not_kept_has_no_neighbours(run):
    assert drawn_of(run, 10_000).story is None
    assert drawn_of(run).story is None
    rows = run.learner_runs["BKNN"].learner.recent(10_000)["row"]
    gone = next(row for row in range(700) if row not in rows)
    assert run.learner_runs["BKNN"].learner.neighbourhood_of(gone) is None


def test_a_frame_has_copies_and_the_newest_instances(run):
    drawn = drawn_of(run)
    assert (drawn.subject, drawn.now) == ("BKNN", 700)
    assert len(drawn.extra["recent"]["row"]) == min(RECENT, len(run.learner_runs["BKNN"].learner.learner._X))
    kept = run.learner_runs["BKNN"].learner.recent(RECENT)
    for name, values in drawn.extra["recent"].items():
        values[:] = 0
        assert (run.learner_runs["BKNN"].learner.recent(RECENT)[name] == kept[name]).all()


# ---------------------------------------------------------------------- what travels


def test_what_is_shown_travels(run):
    view, drawn = ProjectionView(selected=690), drawn_of(run, 690)
    view.show(picture(drawn.columns, drawn.extra["recent"], drawn.now, "BKNN", drawn.story))
    frame = received(view)
    n = len(drawn.extra["recent"]["row"])
    assert view._frame["target"][0] == 690
    assert view._frame["truth"] == np.flatnonzero(drawn.story["Y"]).tolist()
    assert (frame["row"] == drawn.extra["recent"]["row"]).all()
    bits = np.unpackbits(frame["bits"].reshape(n, 2), axis=1, bitorder="little")[:, :14]
    assert (bits == drawn.extra["recent"]["Y"]).all()
    assert (frame["score"] == drawn.story["scores"].astype("f4")).all()
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
    view.show(picture(drawn.columns, drawn.extra["recent"], drawn.now, "BKNN", drawn.story))
    assert view._frame["target"] is None
    assert len(received(view)["link_row"]) == 0


def test_before_anything_is_learned_there_is_a_frame_without_instances():
    made = sl.Run("yeast", {"BKNN": pipeline()}, alarms=None)
    view, drawn = ProjectionView(), drawn_of(made)
    view.show(picture(drawn.columns, drawn.extra["recent"], 0))
    assert len(received(view)["row"]) == 0
    made.advance(1)
    drawn = drawn_of(made)
    view.show(picture(drawn.columns, drawn.extra["recent"], 1))
    assert len(received(view)["row"]) == 1


def test_the_scored_answer_travels_beside_that_of_the_learner_that_has_learned_the_row(run):
    drawn, each = drawn_of(run), run.learner_runs["BKNN"]
    view = ProjectionView()
    view.show(drawn)
    assert view._frame["scored"]["answered"] == np.flatnonzero(each.last_labels).tolist()
    assert view._frame["scored"]["true"] == np.flatnonzero(run.last[1]).tolist()
    again = np.flatnonzero(drawn.columns["score"] > drawn.columns["threshold"]).tolist()
    assert again != view._frame["scored"]["answered"]
    assert drawn_of(sl.Run("yeast", {"BKNN": pipeline()}, alarms=None)).extra["scored"] is None


def test_it_is_said_how_much_of_what_is_kept_is_from_before_the_drift():
    run = sl.Run("yeast-rotated", {"BKNN": pipeline(window=30)}, alarms=None)
    run.advance(1200)
    shares = []
    for _ in range(3):
        learner = run.learner_runs["BKNN"].learner.learner
        before = drawn_of(run).extra.get("before")
        if run.position > 1200:
            assert before == {
                "drift": 1, "row": 1200, "rows": int((learner._ids < 1200).sum()), "of": len(learner._ids),
            }  # fmt: skip
            shares.append(before["rows"])
        run.advance(100)
    assert shares[0] > shares[1] > 0


def test_of_classes_the_one_of_the_highest_score_is_answered():
    run = sl.Run("image-segments", {"BKNN": pipeline(window=30)}, alarms=None)
    run.advance(400)
    schema = run.stream.schema
    view = ProjectionPicture().view(schema)
    for row in [None, *drawn_of(run).extra["recent"]["row"][-40:].tolist()]:
        view.selected = row
        drawn = drawn_of(run, row)
        view.show(drawn)
        seen, near = received(view), drawn.extra["neighbourhood"]
        score = drawn.columns["score"] if near is None else near["scores"]
        assert np.flatnonzero(seen["score"] > seen["threshold"]).tolist() == [score.argmax()]
        if near is not None:
            best, true = schema.labels[score.argmax()], schema.labels[near["Y"].argmax()]
            parts = (
                ("<b>" + best + "</b>", "none", "none")
                if best == true
                else ("none", f"<b>{best}</b>", f"<b>{true}</b>")
            )
            assert "Right: {}. Wrong: {}. Missed: {}.".format(*parts) in ProjectionPicture().details(
                "BKNN", near, schema
            )


def test_another_learner_begins_anew():
    rng = np.random.default_rng(0)
    raw, means = rng.normal(size=(50, 2)), rng.normal(size=(5, 2))
    recent = {"row": np.arange(50), "points": raw, "Y": np.ones((50, 5), np.uint8)}
    view = ProjectionView()
    view.show(picture(columns(means), recent, 50, "a"))
    first = received(view)["x"]
    flipped = recent | {"points": -10 * raw}
    view.show(picture(columns(-10 * means), flipped, 51, "a"))
    assert np.abs(received(view)["x"] - first).max() < 1e-6
    view.show(picture(columns(-10 * means), flipped, 51, "b"))
    assert np.abs(received(view)["x"] + first).max() < 1e-6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c, r: c.pop("threshold"), "columns: missing threshold"),
        (lambda c, r: c.update(weight=np.ones(3)), "columns: lengths differ"),
        (lambda c, r: r.pop("Y"), "recent: missing Y"),
        (lambda c, r: r.update(row=np.arange(3)), "recent: lengths differ"),
        (lambda c, r: r.update(Y=np.ones((50, 4))), "recent: Y has the shape .*expected 5 labels"),
    ],
)
def test_what_is_wrong_is_named(change, words):
    recent = {"row": np.arange(50), "points": np.zeros((50, 2)), "Y": np.ones((50, 5), np.uint8)}
    given = columns(np.zeros((5, 2)))
    change(given, recent)
    with pytest.raises(ValueError, match=words):
        ProjectionView().show(picture(given, recent, 1))


def test_what_is_asked_is_what_is_pointed_at_else_what_is_pinned():
    view = ProjectionView()
    assert view.selection is None
    view.selected = 3
    assert view.selection == 3
    view.pointed = 0
    assert view.selection == 0


# ---------------------------------------------------------------------- words


def test_the_story_of_an_instance():
    near = {
        "instance": 1499,
        "Y": np.array([1, 1, 0], np.uint8),
        "predicted": np.array([1, 0, 1], np.uint8),
        "row": np.array([4, 7, 4]),
    }
    html = projection_details("BKNN", near, ["<a>", "b", "c"])
    assert "instance 1,500" in html
    assert "Right: <b>&lt;a&gt;</b>. Wrong: <b>c</b>. Missed: <b>b</b>." in html
    assert "<b>3</b> neighbours, which are <b>2</b> instances" in html
    assert "no longer kept" in projection_details("BKNN", None, [])
    assert "How to read" in ProjectionPicture.help
