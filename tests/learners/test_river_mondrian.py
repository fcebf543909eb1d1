"""The trees of River's Mondrian forest, read: each cell is River's own node, and what is told of it River's answer."""

from __future__ import annotations

import numpy as np
import pytest
from river import datasets, forest, preprocessing
from river.datasets import synth

import streamlab as sl
from streamlab.learners.river_mondrian import DEEPEST
from streamlab.views.kit.picture import Budget, Subject, fitting
from streamlab.views.pictures import PICTURES

STREAMS = {
    "ImageSegments": lambda: sl.load(datasets.ImageSegments(), n_rows=900),
    "Phishing": lambda: sl.load(datasets.Phishing(), n_rows=900),
    "RBF, moving": lambda: sl.load(synth.RandomRBFDrift(seed_model=1, seed_sample=1, n_classes=3), n_rows=900),
}


def begun(stream, model):
    run = sl.Run(stream, {"it": model}, chunk=50)
    return run, lambda: run.learner_runs["it"].learner


def way_down(root, row):
    """River's own path, where no value is absent."""
    way = [root]
    while not way[-1].is_leaf:
        way.append(way[-1].next(row))
    return way


@pytest.mark.costly
@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("scales", [False, True])
def test_each_cell_is_rivers_node_with_its_rows_and_those_from_before_the_mark(name, scales):
    model = forest.AMFClassifier(n_estimators=3, seed=1)
    run, learner = begun(STREAMS[name](), preprocessing.MinMaxScaler() | model if scales else model)
    names = [feature.name for feature in run.stream.schema.features]
    ids: dict[int, float] = {}
    learned = []
    for at in range(100, 901, 200):
        run.advance(at - run.position)
        if at == 300:
            learner().mark()
            marked = at
        last = list(learner().model.steps.values())[-1] if scales else learner().model
        columns = learner().node_columns()
        cells = list(learner()._seen.cells())
        assert columns["id"].tolist() == [cell.id for cell in cells]
        assert len(set(columns["id"].tolist())) == len(cells)
        for cell in cells:
            assert ids.setdefault(cell.id, cell.own.time) == cell.own.time, "no id is given twice"
            assert cell.own.depth == cell.depth
            assert cell.above is None or (cell.own.parent is cell.above.own and cell.own.time > cell.above.own.time)
        # all of River's nodes, down to that depth
        for place, tree in enumerate(last.data):
            of_tree = columns["tree"] == place
            own = tree._root.to_dataframe()
            own = own[(own["depth"] <= DEEPEST) & (own["n_samples"] > 0)]
            assert columns["depth"][of_tree].tolist() == own["depth"].tolist()
            assert columns["weight"][of_tree].tolist() == own["n_samples"].tolist()
            tops = [run.stream.schema.classes.index(tree._idx_to_class[int(np.argmax(c))]) for c in own["counts"]]
            assert columns["top"][of_tree].tolist() == tops
        assert learner().evidence()[0] == 3 * at
        assert learner().height == max(tree._root.height for tree in last.data)
        if scales:
            continue
        # the rows of a cell are those whose way leads through it, before and after the mark
        learned = [dict(zip(names, x.tolist(), strict=True)) for part in run.stream.chunks(50, stop=at) for x in part.X]
        for place, tree in enumerate(last.data):
            passed = [[id(node) for node in way_down(tree._root, row)] for row in learned]
            for cell in (cell for cell in cells if cell.tree == place and cell.depth <= 7):
                through = [id(cell.own) in way for way in passed]
                assert sum(through) == cell.own.n_samples
                assert cell.before == (sum(through[:marked]) if at >= 300 else 0)


def test_a_row_s_answer_is_what_its_ways_mix():
    run, learner = begun(STREAMS["ImageSegments"](), forest.AMFClassifier(n_estimators=4, seed=1))
    run.advance(200)
    model = learner().model
    names = [feature.name for feature in run.stream.schema.features]
    for x in next(run.stream.chunks(20, start=200)).X:
        x[5:9] = np.nan
        row = {name: value for name, value in zip(names, x.tolist(), strict=True) if value == value}
        way = learner().path_of(x[None])
        stories = [learner().describe_node(int(each)) for each in way]
        # what a leaf's story says of those above it, said by themselves
        for tree in range(4):
            mixed: dict[str, float] = {}
            above = 0.0
            of_tree = [story for story in stories if story is not None and story["tree"] == tree]
            assert [story["depth"] for story in of_tree] == list(range(len(of_tree)))
            for story in of_tree:
                parts = dict(story["answer"])
                assert sum(parts.values()) == pytest.approx(1)
                assert parts["cells above"] == pytest.approx(above)
                above += parts["this cell"]
                for label, share in story["labels"]:
                    mixed[label] = mixed.get(label, 0.0) + parts["this cell"] * share
            if above < 1 - 1e-9:
                continue  # deeper than what is read
            own = model.data[tree].predict_proba_one(row)
            for label, share in own.items():
                assert mixed[label] == pytest.approx(share, abs=1e-9)
    assert sum(story["depth"] > 3 for story in stories) > 4


def test_looking_changes_nothing_and_going_back_finds_the_same_cells():
    stream = sl.DriftRecipe("rotate_labels", width=1)(STREAMS["ImageSegments"](), 450)
    run, learner = begun(stream, forest.AMFClassifier(n_estimators=3, seed=1))
    alone, _ = begun(stream, forest.AMFClassifier(n_estimators=3, seed=1))
    picture = PICTURES.load("forest")()
    assert fitting(picture, run) == ["it"]
    assert not len(learner().node_columns()["id"])
    assert learner().evidence() == (0.0, 0.0)

    def drawn():
        return picture.columns(Subject("it", learner(), run), None, Budget())

    for _ in range(7):
        run.advance(100)
        assert drawn().columns["lit"].sum() > 3
    alone.advance(700)
    assert run.confusion("it").equals(alone.confusion("it"))
    first = drawn()
    assert first.extra["share"] == pytest.approx(450 / 700)
    twin = learner().copy()
    run.seek(300)
    run.advance(400)
    for again in (drawn(), picture.columns(Subject("it", twin, run), None, Budget())):
        assert again.extra == first.extra
        for name, values in first.columns.items():
            np.testing.assert_array_equal(again.columns[name], values)
    selected = int(first.columns["id"][-1])
    story = picture.columns(Subject("it", learner(), run), selected, Budget()).story
    said = picture.details("it", story, run.stream.schema)
    assert "began at time" in said
    assert "cells above" in said
    assert "last visited" not in said
    view = picture.view(run.stream.schema)
    view.show(first)
    assert view.packed["n_trees"] == 3
