"""What the picture of an ensemble sends and says, without a browser."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.views.kit.picture import Budget, Drawn, Subject
from streamlab.views.pictures.ensemble import EnsemblePicture
from streamlab.views.pictures.ensemble.picture import STEPS, EnsembleView, ensemble_details
from tests.views.wire import received

NAN = np.nan


def members(**changes) -> dict[str, np.ndarray]:
    columns = {
        "id": [4, 7, 2, 9],
        "group": [1, 0, 0, 0],
        "seat": [0, 1, 0, 1],
        "born": [0, 40, 0, 10],
        "left": [-1, -1, -1, 30],
        "value": [0.5, NAN, 1.0, NAN],
        "aside": [False, False, False, True],
    }
    return {name: np.array(values) for name, values in (columns | changes).items()}


VALUES = np.array([[0.1, 0.2, 0.5], [NAN, NAN, NAN], [NAN, 0.9, 1.0], [NAN, 0.4, NAN]])


def drawn(columns=None, values=VALUES, **extra) -> Drawn:
    told = {"values": values, "step": 10, "end": 30, "measure": "weight"} | extra
    return Drawn("it", 33, members() if columns is None else columns, told)


def test_members_come_by_label_line_and_time_each_with_its_cells():
    view = EnsembleView(labels=["a", "b"])
    view.show(drawn(mark={"row": 20, "drift": 1}))
    columns = received(view)
    assert columns["id"].tolist() == [2, 9, 7, 4]
    assert columns["first"].tolist() == [1, 1, 3, 0]
    assert columns["cells"].tolist() == [2, 1, 0, 3]
    np.testing.assert_allclose(columns["cell"], [0.9, 1.0, 0.4, 0.1, 0.2, 0.5], atol=0.5 / STEPS)
    assert columns["aside"].tolist() == [False, True, False, False]
    assert view._frame["chunks"] == 3
    assert view._frame["mark"] == {"row": 20, "drift": 1}


def test_who_left_before_what_is_drawn_is_not_drawn():
    view = EnsembleView()
    view.show(drawn(values=VALUES[:, 2:]))
    assert sorted(received(view)["id"].tolist()) == [2, 4, 7]
    view.show(drawn(values=VALUES[:, :0]))
    assert sorted(received(view)["id"].tolist()) == [2, 4, 7]
    assert received(view)["cells"].tolist() == [0, 0, 0]


@pytest.fixture(scope="module")
def run() -> sl.Run:
    run = sl.Run("yeast-rotated", {"it": sl.MLBELS(seed=1, n_windows=5)}, chunk=100)
    run.advance(1400)
    return run


def subject(run: sl.Run) -> Subject:
    return Subject("it", run.learner_runs["it"].learner, run)


def test_a_learner_is_drawn_within_the_budget(run):
    picture = EnsemblePicture()
    assert picture.fits(subject(run))
    whole = picture.columns(subject(run), None, Budget())
    view = picture.view(run.stream.schema)
    view.show(whole)
    columns = received(view)
    assert set(columns["group"].tolist()) == set(range(14))
    assert columns["cells"].max() <= 28
    assert view._frame["mark"]["row"] == 1200
    assert len(view._frame["buffer"]) < 20_000
    few = picture.columns(subject(run), None, Budget(rows=40, bytes=500))
    assert 0 < len(few.columns["id"]) <= 40
    assert few.extra["values"].shape == (len(few.columns["id"]), 8)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (lambda: sl.GOOWE(n_models=3, chunk=50, seed=1), "its weight is"),
        (lambda: sl.OnlineBagging(n_models=3, seed=1), "of the labels right"),
    ],
)
def test_ensembles_whose_members_answer_for_all_labels_are_drawn_and_told(model, words):
    run = sl.Run("yeast-rotated", {"it": model()}, chunk=100)
    run.advance(400)
    picture = EnsemblePicture()
    learner = run.learner_runs["it"].learner
    oldest = int(np.flatnonzero(~np.isnan(learner.node_columns()["value"]))[0])
    chosen = int(learner.node_columns()["id"][oldest])
    it = picture.columns(Subject("it", learner, run), chosen, Budget())
    view = picture.view(run.stream.schema)
    view.show(it)
    columns = received(view)
    assert set(columns["group"].tolist()) == {-1}
    assert words in picture.details("it", it.story, run.stream.schema)
    assert "answers with" in ensemble_details("it", it.story)
