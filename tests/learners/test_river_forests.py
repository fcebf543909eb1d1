"""The trees of River's adaptive random forest, as they are read from it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from river import datasets, ensemble, forest, tree
from river.datasets import synth

import streamlab as sl
from streamlab.learners.river_forests import STRETCH, RiverForest
from streamlab.views.kit.picture import Budget, Subject
from streamlab.views.pictures import PICTURES
from streamlab.views.pictures.ensemble.picture import ensemble_details

DRIFT = 400


@pytest.fixture(scope="module")
def rows():
    stream = sl.DriftRecipe("rotate_labels", width=1)(sl.load(datasets.ImageSegments(), n_rows=800), DRIFT)
    names = [feature.name for feature in stream.schema.features]
    classes = stream.schema.classes
    return [
        (dict(zip(names, x.tolist(), strict=True)), classes[y.argmax()])
        for chunk in stream.chunks(100)
        for x, y in zip(chunk.X, chunk.Y, strict=True)
    ]


@pytest.mark.costly
@pytest.mark.parametrize("warns", [True, False])
def test_the_trees_are_those_of_the_forest_and_replaced_as_often_as_it_counts(rows, warns):
    from river.drift import NoDrift

    options = {} if warns else {"warning_detector": NoDrift()}
    model = forest.ARFClassifier(n_models=5, seed=1, **options)
    reader = RiverForest(SimpleNamespace(model=model))
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
            value = dict(zip(*(reader.node_columns()[name].tolist() for name in ("id", "value")), strict=True))
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

    columns, history = reader.node_columns(), reader.node_history()
    assert len(set(columns["id"])) == len(columns["id"])
    # a tree that grew beside another is drawn from where it took its place
    drawn = dict(zip(columns["id"].tolist(), columns["born"].tolist(), strict=True))
    came = {event["by"]: event["position"] for event in replaced if event["by"] in drawn}
    assert came
    assert {each: drawn[each] for each in came} == came
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


@pytest.mark.nightly
def test_random_patches_are_read_from_their_members(rows):
    model = ensemble.SRPClassifier(tree.HoeffdingTreeClassifier(grace_period=50), n_models=3, seed=1)
    reader = RiverForest(SimpleNamespace(model=model))
    replaced = 0
    for at, (x, y) in enumerate(rows, 1):
        model.predict_one(x)
        model.learn_one(x, y)
        replaced += sum(event["kind"] == "tree_replaced" for event in reader.events(model, at))
        assert [reader._there[seat].own for seat in range(3)] == [each.model for each in model.data]
    assert replaced == sum(each.n_drifts_detected for each in model.data) >= 3
    newest = reader.node_columns()["value"][-3:]
    assert ((newest > 0.5) & (newest <= 1)).all()


# ---------------------------------------------------------------------- its trees, cell by cell


ENSEMBLES = {
    "forest": lambda: forest.ARFClassifier(n_models=4, grace_period=30, seed=1),
    "patches": lambda: ensemble.SRPClassifier(tree.HoeffdingTreeClassifier(grace_period=30), n_models=3, seed=1),
    "bagging": lambda: ensemble.ADWINBaggingClassifier(tree.HoeffdingTreeClassifier(grace_period=50), 4, seed=1),
}


def drifting(n_rows=1500, at=800):
    return sl.load(
        synth.ConceptDriftStream(
            synth.Agrawal(classification_function=0, seed=1), synth.Agrawal(classification_function=2, seed=1),
            position=at, width=20, seed=1,
        ),
        n_rows=n_rows,
    )  # fmt: skip


@pytest.mark.costly
@pytest.mark.parametrize("name", ENSEMBLES)
def test_each_tree_of_an_ensemble_can_be_drawn_in_full_and_looking_changes_nothing(name):
    looked, alone = (sl.Run(drifting(), {"it": ENSEMBLES[name]()}, chunk=100, alarms=None) for _ in range(2))
    picture, seen_beside = PICTURES.load("forest")(), 0
    for _ in range(10):
        for run in (looked, alone):
            run.advance(150)
        learner = looked.learner_runs["it"].learner
        subject = Subject("it", learner, looked)
        assert picture.fits(subject)
        drawn, trees = picture.columns(subject, None, Budget()), learner.model
        members = [getattr(each, "model", each) for each in trees.data]
        columns = drawn.columns
        assert len(set(columns["id"].tolist())) == len(columns["id"])
        for seat, own in enumerate(members):
            of = columns["tree"] == seat
            roots = of & (columns["depth"] == 0)
            assert columns["weight"][roots] == pytest.approx(own._root.total_weight)
            if hasattr(own._root, "children"):
                # River's own count of nodes and leaves
                whole = [cell for cell in learner.cells() if cell.tree == seat]
                assert len(whole) == own.n_nodes
                assert sum(not hasattr(cell.own, "children") for cell in whole) == own.n_leaves
        words = drawn.extra["trees"]
        beside = [told for called, told in words[len(members) :] if called]
        seen_beside += len(beside)
        assert all("grows beside tree" in told for told in beside)
        view = picture.view(looked.stream.schema)
        view.show(drawn)
        cells = view.packed
        assert cells["n_trees"] == len(words)
        # the latest row ends in a leaf of each tree, which is the one that River's own walk finds
        row = learner._river_row(looked.last[0])
        found = [cell for cell in learner.cells() if cell.id in set(learner.path_of(looked.last[0][None]).tolist())]
        for seat, own in enumerate(members):
            way = [cell.own for cell in found if cell.tree == seat]
            theirs = list(own._root.walk(row, until_leaf=True)) if hasattr(own._root, "walk") else [own._root]
            assert way == theirs
    if name != "bagging":
        assert seen_beside
    leaf = max(learner.cells(), key=lambda cell: len(cell.way))
    text = picture.details("it", picture.columns(subject, leaf.id, Budget()).story, looked.stream.schema)
    assert "<dt>answers by</dt>" in text
    assert f"level {len(leaf.way) + 1}" in text
    member = next(number for place, number, _ in learner._reader._trees if place == leaf.tree)
    assert f"tree {member}, level" in text
    chunk = next(drifting().chunks(400))
    np.testing.assert_array_equal(
        *(run.learner_runs["it"].learner.predict_proba_many(chunk.X) for run in (looked, alone))
    )
    assert [(e.position, e.kind) for e in looked.log] == [(e.position, e.kind) for e in alone.log]


@pytest.mark.nightly
def test_what_a_tree_learned_before_a_drift_is_told_from_what_came_after_it():
    run = sl.Run(drifting(2500, 1500), {"it": ENSEMBLES["forest"]()}, chunk=100, alarms=None)
    run.advance(1400)
    learner = run.learner_runs["it"].learner
    assert learner.evidence()[1] == 0.0
    held = {cell.id: cell.weight for cell in learner.cells()}
    run.mark()
    run.advance(10)
    assert learner.evidence()[1] == pytest.approx(sum(held.get(root.id, 0.0) for root in learner.cells(0)))
    run.advance(1090)
    own, row = {cell.tree: cell for cell in learner.cells(0)}, run.marked.row
    new = [learner._reader._there[seat].born >= row for seat in range(4)]
    assert any(new)
    for seat in range(4):
        assert (own[seat].before == 0) == new[seat]
    for cell in learner.cells():
        assert 0 <= cell.before <= cell.weight + 1e-9


@pytest.mark.nightly
def test_it_is_counted_how_many_of_its_trees_began_after_a_drift():
    stream = sl.rotate_labels(sl.load(datasets.ImageSegments()), at=1200)
    run = sl.Run(stream, {"arf": forest.ARFClassifier(n_models=5, seed=1)}, chunk=50)
    run.advance(1500)
    learner = run.learner_runs["arf"].learner
    answers = list(learner._seen._there.values())
    began = sum(each.born >= 1200 for each in answers)
    assert 0 < began < 5
    assert learner.started_within(300) == (began, 5)
    assert learner.started_within(1500) == (5, 5)
    drawn = PICTURES.load("forest")().columns(Subject("arf", learner, run), None, Budget())
    assert drawn.extra["begun"] == (began, 5)
