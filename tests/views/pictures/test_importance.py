"""The picture of what matters: what it draws of a run, also where asking began late or rested, and what it says."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams import ArrayStream, Drift
from streamlab.views.kit.picture import Subject
from streamlab.views.pictures.importance import ImportancePicture
from streamlab.views.pictures.importance.picture import UNASKED
from streamlab.views.recording import readers_of
from tests.lab.made import made_stream
from tests.views.wire import drawn_of, sent

PICTURE = ImportancePicture()
NAMES = ("a", "tempo", "pitch", "loudness", "bass", "b")


def songs(n: int = 4000) -> ArrayStream:
    X = np.random.default_rng(1).random((n, 6))
    own = np.concatenate([X[: n // 2, 1:3], X[n // 2 :, 3:5]])
    schema = sl.Schema(tuple(map(sl.Feature, NAMES)), ("calm", "happy"))
    truth = (own > [0.5, 0.35]).astype(np.uint8)
    return ArrayStream(X, truth, schema=schema, drifts=(Drift(n // 2, 1, "other features"),))


@pytest.fixture(scope="module")
def run() -> sl.Run:
    learners = {"it": sl.SMART(seed=1), "other": sl.OnlineLogistic(), "no-change": sl.NoChange()}
    run = sl.Run(songs(), learners, importance={"share": None})
    run.advance()
    return run


def test_features_come_by_what_matters_now_in_one_order_for_all_learners(run):
    frames = [sent(PICTURE, run, drawn_of(PICTURE, run, name=name)) for name in ("it", "other")]
    (head, columns), (other, _) = frames
    assert head["names"] == other["names"]
    assert set(head["names"][:2]) == {"loudness", "bass"}
    assert set(head["names"][2:4]) == {"tempo", "pitch"}, "what mattered before comes next"
    assert columns["id"].tolist() == [NAMES.index(name) for name in head["names"]]
    assert columns["word"].tolist() == [1, 1, 2, 2, 0, 0]
    assert head["marks"] == [[2000, 1]]
    assert (head["since"], head["end"], head["more"]) == ("①", 4000, 0)
    assert (head["hue"], other["hue"]) == (0, 1), "each in its curve's colour"


def test_cells_of_a_feature_follow_each_other_and_what_does_not_matter_is_0(run):
    _, columns = sent(PICTURE, run, drawn_of(PICTURE, run))
    at = columns["at"]
    cells = columns["cell"].reshape(6, len(at))
    before = (at > 1500) & (at <= 2000)
    assert (cells[:2, before] == 0).mean() > 0.9
    assert (cells[2:4, before] > 0.2).all()
    assert (cells[:2, -3:] > 0.2).all()
    assert (cells[2:4, -3:] == 0).all(), "no longer, also where a little is left"
    assert cells.max() <= 1


def test_where_nobody_asked_is_told_and_nothing_is_known_before():
    run = sl.Run(songs(), {"it": sl.SMART(seed=1)}, importance={"share": None, "spans": [(600, 1000), (1500, None)]})
    run.advance(500)
    drawn = drawn_of(PICTURE, run)
    assert len(drawn.columns["id"]) == 0
    run.advance(1500)
    _, columns = sent(PICTURE, run, drawn_of(PICTURE, run))
    at = columns["at"].tolist()
    assert min(at) == 700
    rest = at.index(1000, at.index(1000) + 1)
    cells = columns["cell"].reshape(6, len(at))
    assert (cells[:, rest] == UNASKED).all()
    assert (np.delete(cells, rest, 1) <= 1).all()
    assert at[rest + 1] == 1600


def test_a_run_that_is_not_asked_draws_nothing_and_its_recording_leaves_the_picture_out():
    run = sl.Run(made_stream(400), {"it": sl.SMART(seed=1), "no-change": sl.NoChange()})
    run.advance(200)
    assert len(drawn_of(PICTURE, run).columns["id"]) == 0
    assert not PICTURE.fits(Subject("no-change", run["no-change"], run))
    assert not [key for key in readers_of(run) if "importance" in key]
    run.ask_importance()
    run.advance(200)
    assert [key for key in readers_of(run) if "importance" in key] == ["picture importance of it"]


def test_of_many_features_few_are_drawn():
    rng = np.random.default_rng(0)
    X = rng.random((1500, 60))
    run = sl.Run(sl.load((X, (X[:, :2] > 0.5).astype(np.uint8))), {"it": sl.MLHAT(seed=1)}, importance={"share": None})
    run.advance()
    head, columns = sent(PICTURE, run, drawn_of(PICTURE, run))
    assert len(columns["id"]) == 10, "where few matter"
    assert head["more"] == 50
    assert set(head["names"][:2]) == {"x0", "x1"}
