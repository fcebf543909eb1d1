"""The rows that River's nearest neighbours remember, as they are read from its engines."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from river import datasets, neighbors, preprocessing

import streamlab as sl
from streamlab.learners.river_models import last_step
from streamlab.views.kit.picture import Budget, Subject, fitting
from streamlab.views.pictures import PICTURES

N = 260
MODELS = {
    "exact": lambda: neighbors.KNNClassifier(4, engine=neighbors.LazySearch(window_size=60)),
    "graph": lambda: neighbors.KNNClassifier(engine=neighbors.SWINN(maxlen=120, warm_up=50, seed=1)),
    "graph that never begins": lambda: neighbors.KNNClassifier(engine=neighbors.SWINN(maxlen=90, seed=1)),
    "scaled": lambda: preprocessing.StandardScaler() | MODELS["exact"](),
}


@pytest.fixture(scope="module")
def stream():
    return sl.load(datasets.ImageSegments(), n_rows=N)


def in_order(engine):
    """The rows of an engine of River's, the oldest first."""
    if isinstance(engine, neighbors.LazySearch):
        return [item for (item,) in engine.window]
    rows = [vertex.item for vertex in engine._data]
    oldest = engine._uuid if engine._index and len(rows) == engine.maxlen else 0
    return rows[oldest:] + rows[:oldest]


@pytest.mark.whole
@pytest.mark.parametrize("name", MODELS)
def test_rows_are_those_of_the_engine_and_neighbours_those_that_river_asks(stream, name):
    learner, alone = sl.RiverClassifier(MODELS[name]()).bind(stream.schema), MODELS[name]()
    names, classes = [feature.name for feature in stream.schema.features], stream.schema.classes
    chunk = next(stream.chunks(N))
    asked, right = np.zeros(N, int), np.zeros(N, int)
    for at, (x, y) in enumerate(zip(chunk.X, chunk.Y, strict=True)):
        row, target = dict(zip(names, x.tolist(), strict=True)), classes[y.argmax()]
        # a copy of River's draws the same random numbers
        before = copy.deepcopy(learner.model)
        engine, held = last_step(before)._nn, {}
        for age, item in enumerate(reversed(in_order(engine))):
            held[id(item)] = at - 1 - age
        as_asked = before["StandardScaler"].transform_one(row) if name == "scaled" else row
        found = [held[id(each)] for each in engine.search((as_asked, None), last_step(before).n_neighbors)[0]]
        scores, _ = learner.test_then_train(x[None], y[None])
        own = alone.predict_proba_one(row)
        assert scores[0].tolist() == [own.get(each, 0.0) for each in classes]
        alone.learn_one(row, target)
        asked[found] += 1
        right[[each for each in found if (chunk.Y[each] == y).all()]] += 1

        columns = learner.node_columns()
        rows = in_order(last_step(learner.model)._nn)
        born = columns["id"]
        assert born.tolist() == list(range(at + 1 - len(rows), at + 1))
        assert all(mine.item is its for mine, its in zip(learner._seen._rows, rows, strict=True))
        assert [classes[flags.argmax()] for flags in learner.labels_of_rows()] == [item[1] for item in rows]
        assert columns["age"].tolist() == (at - born).tolist()
        assert columns["standing"].tolist() == (learner.window - columns["age"]).tolist()
        assert columns["asked"].tolist() == asked[born].tolist()
        assert columns["right"].tolist() == right[born].tolist()
        assert learner.n_neighbours_asked == len(found)
        told = {int(each): int(rank) for each, rank in zip(born, columns["rank"], strict=True) if rank}
        assert told == {each: rank for rank, each in enumerate(found, 1) if each in born}
        assert learner.sizes_before()[-1] == learner.n_rows == len(rows)
    assert at == N - 1 > learner.window
    assert not vars(last_step(learner.model)._nn).get("search"), "nothing is left in River's engine"


@pytest.mark.parametrize("name", ["exact", "graph"])
def test_a_run_draws_them_and_goes_back_and_copies_know_their_rows(stream, name):
    run = sl.Run(stream, {"it": MODELS[name]()}, chunk=20)
    picture = PICTURES.load("memory")()
    assert fitting(picture, run) == ["it"]

    def drawn(learner=None):
        learner = learner or run.learner_runs["it"].learner
        return picture.columns(Subject("it", learner, run), None, Budget())

    view = picture.view(stream.schema)
    view.show(drawn())
    run.advance(200)
    first = drawn()
    twin = run.learner_runs["it"].learner.copy()
    view.show(first)
    assert view.packed["most"] == run.learner_runs["it"].learner.window
    rest = next(stream.chunks(60, start=200))
    twin.test_then_train(rest.X, rest.Y)
    run.advance(60)
    last = drawn()
    run.seek(100)
    run.advance(100)
    again = drawn()
    run.advance(60)
    for one, other in ((again, first), (drawn(), last), (drawn(twin), last)):
        assert len(one.columns["id"])
        for column, values in other.columns.items():
            np.testing.assert_array_equal(one.columns[column], values)
    newest = int(last.columns["id"][-1])
    story = picture.columns(Subject("it", run.learner_runs["it"].learner, run), newest, Budget()).story
    said = picture.details("it", story, stream.schema)
    assert f"time left is <b>{run.learner_runs['it'].learner.window}</b>" in said
    assert "asked" not in said


def test_an_engine_that_keeps_its_rows_otherwise_has_no_picture():
    assert sl.RiverClassifier(neighbors.KNNClassifier()).picture == "memory"
    model = neighbors.KNNClassifier()
    del model._nn._uuid
    assert sl.RiverClassifier(model).picture == "text"
    model = neighbors.KNNClassifier(engine=neighbors.LazySearch())
    del model._nn.window
    assert sl.RiverClassifier(model).picture == "text"
