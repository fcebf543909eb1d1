"""The trees of River's adaptive random forest, as they are read from it."""

from __future__ import annotations

import numpy as np
import pytest
from river import datasets, ensemble, forest, tree

import streamlab as sl
from streamlab.learners.river_forests import HISTORY, STRETCH, RiverForest
from streamlab.views.pictures.ensemble.picture import ensemble_details

DRIFT = 500


@pytest.fixture(scope="module")
def rows():
    stream = sl.DriftRecipe("rotate_labels", width=1)(sl.load(datasets.ImageSegments(), n_rows=1000), DRIFT)
    names = [feature.name for feature in stream.schema.features]
    classes = stream.schema.classes
    return [
        (dict(zip(names, x.tolist(), strict=True)), classes[y.argmax()])
        for chunk in stream.chunks(100)
        for x, y in zip(chunk.X, chunk.Y, strict=True)
    ]


@pytest.mark.parametrize("warns", [True, False])
def test_the_trees_are_those_of_the_forest_and_replaced_as_often_as_it_counts(rows, warns):
    from river.drift import NoDrift

    options = {} if warns else {"warning_detector": NoDrift()}
    model, reader = forest.ARFClassifier(n_models=5, seed=1, **options), RiverForest()
    alone = forest.ARFClassifier(n_models=5, seed=1, **options)
    happened: list[dict] = []
    was_right: dict[int, list[list[float]]] = {}
    for at, (x, y) in enumerate(rows, 1):
        assert model.predict_proba_one(x) == alone.predict_proba_one(x)
        ids = {seat: member.id for seat, member in reader._there.items()}
        for seat, own in enumerate(alone.data):
            was_right.setdefault(ids.get(seat, seat), [[] for _ in range(len(rows) // STRETCH)])[
                (at - 1) // STRETCH
            ].append(own.predict_one(x) == y)
        model.learn_one(x, y)
        alone.learn_one(x, y)
        happened += reader.events(model, at)
        if at % STRETCH:  # a tree answers from its first row on
            value = dict(zip(*(reader.columns(model)[name].tolist() for name in ("id", "value")), strict=True))
            for each in reader._there.values():
                asked = was_right.get(each.id, [[]] * len(rows))[at // STRETCH]
                if asked and not np.isfinite(each.values).any():
                    assert value[each.id] == pytest.approx(np.mean(asked))
        assert [reader._there[seat].own for seat in range(5)] == model.data
        assert {seat: each.own for seat, each in reader._beside.items()} == {
            seat: own for seat, own in enumerate(model._background or []) if own is not None
        }
    replaced = [event for event in happened if event["kind"] == "tree_replaced"]
    assert len(replaced) == model.n_drifts_detected() >= 5
    assert sum(DRIFT < event["position"] <= DRIFT + 150 for event in replaced) >= 4
    assert bool(model.n_warnings_detected()) == warns == any(event["kind"] == "tree_warned" for event in happened)

    columns, history = reader.columns(model), reader.node_history()
    assert len(set(columns["id"])) == len(columns["id"])
    assert history["end"] == len(rows)
    for row, member in enumerate(columns["id"].tolist()):
        left = columns["left"][row]
        for stretch, value in enumerate(history["values"][row]):
            if np.isfinite(value):  # of a tree that left, the last stretch is cut short
                assert value == pytest.approx(np.mean(was_right[member][stretch]))
                assert left < 0 or (stretch + 1) * STRETCH <= left
    assert {"answers"} <= {reader.describe_node(member)["status"][:7] for member in columns["id"].tolist()}
    assert all(ensemble_details("it", reader.describe_node(member)) for member in columns["id"].tolist())
    assert reader.describe_node(10_000) is None


def test_a_run_that_goes_back_reads_the_same_trees_again():
    stream = sl.DriftRecipe("rotate_labels", width=1)(sl.load(datasets.ImageSegments(), n_rows=1000), DRIFT)
    run = sl.Run(stream, {"forest": forest.ARFClassifier(n_models=3, seed=1)})
    run.advance(900)
    learner = run.learner_runs["forest"].learner
    assert learner.picture == "ensemble"
    run.seek(0)
    assert not len(run.learner_runs["forest"].learner.node_columns()["id"]), "it has seats, and no trees yet"
    run.advance(900)
    learner = run.learner_runs["forest"].learner
    first, events = learner.node_columns(), [(each.kind, each.position) for each in run.log]
    run.seek(350)
    run.advance(550)
    again = run.learner_runs["forest"].learner.node_columns()
    assert [(each.kind, each.position) for each in run.log] == events
    for name, values in first.items():
        np.testing.assert_array_equal(again[name], values)
    assert learner.node_history()["values"].shape[1] == min(9, HISTORY)


def test_random_patches_are_read_from_their_members(rows):
    model = ensemble.SRPClassifier(tree.HoeffdingTreeClassifier(grace_period=50), n_models=3, seed=1)
    reader = RiverForest()
    replaced = 0
    for at, (x, y) in enumerate(rows, 1):
        model.predict_one(x)
        model.learn_one(x, y)
        replaced += sum(event["kind"] == "tree_replaced" for event in reader.events(model, at))
        assert [reader._there[seat].own for seat in range(3)] == [each.model for each in model.data]
    assert replaced == sum(each.n_drifts_detected for each in model.data) >= 3
    newest = reader.columns(model)["value"][-3:]
    assert ((newest > 0.5) & (newest <= 1)).all()
