"""River's trees, read: the nodes are those of River's own table and path, and reading changes nothing."""

from __future__ import annotations

import copy
import re
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from river import datasets, tree
from river.datasets import synth

import streamlab as sl
from streamlab.learners.river_trees import COUNTS, RiverTree, _race

STREAMS = {
    "ImageSegments": lambda: datasets.ImageSegments(),
    "Phishing": lambda: datasets.Phishing(),
    "Agrawal, changing": lambda: synth.ConceptDriftStream(
        synth.Agrawal(0, seed=1), synth.Agrawal(4, seed=2), position=2000, width=50, seed=1
    ),
    "LED": lambda: synth.LED(seed=1),
    "SEA": lambda: synth.SEA(seed=1),
}
MODELS = {
    "HT": lambda: tree.HoeffdingTreeClassifier(grace_period=50, delta=0.01),
    "HAT": lambda: tree.HoeffdingAdaptiveTreeClassifier(grace_period=50, delta=0.01, seed=1),
    "EFDT": lambda: tree.ExtremelyFastDecisionTreeClassifier(grace_period=50, min_samples_reevaluate=100),
}


def around(model, features, classes):
    """What a reader asks of the learner around a model."""
    return SimpleNamespace(
        model=model, _feature_places=features, _class_places=classes, _category_place=lambda feature, value: None,
        _class_name=str,
    )  # fmt: skip


def rows_of(stream, n: int = 2000):
    return list(stream.take(n))


@pytest.mark.costly
@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("name", MODELS)
def test_nodes_are_those_of_rivers_own_table_and_path(stream, name):
    model, rows = MODELS[name](), rows_of(STREAMS[stream]())
    features, classes = {key: place for place, key in enumerate(rows[0][0])}, {}
    reader = RiverTree(around(model, features, classes))
    seen, gone = set(), set()
    for n, (x, y) in enumerate(rows, 1):
        model.learn_one(x, y)
        classes.setdefault(y, len(classes))
        if n % (len(rows) // 20):
            continue
        columns, own = reader.node_columns(), model.to_dataframe()
        main = ~columns["background"]
        now = set(columns["id"].tolist())
        gone |= seen - now
        assert not gone & now, "no id is given twice"
        seen |= now
        if own is None:
            assert main.sum() == 1
            continue
        # River's table is in the same order, level by level
        assert main.sum() == len(own)
        places = {node: place for place, node in enumerate(columns["id"][main].tolist())}
        parents = [places.get(parent, -1) for parent in columns["parent"][main].tolist()]
        assert parents == [-1, *own["parent"].tolist()[1:]]
        assert columns["is_leaf"][main].tolist() == own["is_leaf"].tolist()
        told = [
            -1 if is_leaf else features[feature]
            for is_leaf, feature in zip(own["is_leaf"], own["feature"], strict=True)
        ]
        assert columns["feature"][main].tolist() == told
        if "threshold" in own:
            np.testing.assert_array_equal(columns["threshold"][main], own["threshold"].to_numpy(float))
        top = [classes[max(stats, key=stats.get)] if stats else -1 for stats in own["stats"]]
        assert columns["top"][main].tolist() == top
        # the path of a row, as River tells it
        on_the_way = list(model._root.walk(x))
        leaf = next(node for node in reader.nodes(model) if node.own is on_the_way[-1])
        said = reader.describe_node(leaf.id)["rule"]
        debug = [line for line in model.debug_one(x).splitlines() if re.search(" [≤>=≠] ", line)]
        assert len(said) == len(on_the_way) - 1
        assert [line.split(" ", 1)[0] for line in said] == [line.split(" ", 1)[0] for line in debug[: len(said)]]


def test_reading_changes_nothing_and_a_copy_knows_its_nodes():
    rows = rows_of(STREAMS["Agrawal, changing"]())
    seen, alone = MODELS["HAT"](), MODELS["HAT"]()
    columns = {key: place for place, key in enumerate(rows[0][0])}, {0: 0, 1: 1}
    reader = RiverTree(around(seen, *columns))
    for n, (x, y) in enumerate(rows, 1):
        assert seen.predict_proba_one(x) == alone.predict_proba_one(x)
        seen.learn_one(x, y)
        alone.learn_one(x, y)
        reader.events(seen, n)
        if n % 100 == 0:
            for node in reader.node_columns()["id"].tolist():
                reader.describe_node(node)
    twin, its_reader = copy.deepcopy((seen, reader))
    its_reader._learner = around(twin, *columns)
    assert its_reader.node_columns()["id"].tolist() == reader.node_columns()["id"].tolist()


def test_what_happened_is_told_at_its_row_with_rivers_evidence():
    model, reader = tree.HoeffdingAdaptiveTreeClassifier(grace_period=100, seed=1), RiverTree()
    told, first = [], {}
    for n, (x, y) in enumerate(STREAMS["Agrawal, changing"]().take(8000), 1):
        before = [getattr(model, count) for count in COUNTS[2:]]
        model.learn_one(x, y)
        events = reader.events(model, n)
        counted = [now - was for now, was in zip([getattr(model, c) for c in COUNTS[2:]], before, strict=True)]
        kinds = Counter(event["kind"] for event in events)
        by_split = sum("split, and so" in event["message"] for event in events)
        assert kinds["alternate_started"] == counted[0]
        assert kinds["alternate_promoted"] - by_split == counted[1]
        for event in events:
            assert event["position"] == n
            if event["kind"] == "alternate_promoted" and "split, and so" not in event["message"]:
                assert event["e"] - event["e_alternate"] > event["epsilon_alt"] > 0
            if event["kind"] == "alternate_started":
                first[event["alternate"]] = n
            elif "alternate" in event:
                assert event["alternate"] in first
        told += events
    assert {"split", "alternate_started", "alternate_promoted"} <= {event["kind"] for event in told}
    nodes = {node.id: node for node in reader.nodes(model)}
    split = next(event for event in reversed(told) if event["kind"] == "split" and event["node"] in nodes)
    assert not nodes[split["node"]].is_leaf


@pytest.mark.costly
@pytest.mark.parametrize("bootstraps", [True, False])
def test_a_leaf_compares_again_after_as_many_rows_as_it_says(bootstraps):
    model = tree.HoeffdingAdaptiveTreeClassifier(grace_period=200, bootstrap_sampling=bootstraps, seed=1)
    said, tried = [], []
    for n, (x, y) in enumerate(rows_of(datasets.ImageSegments(), 2200), 1):
        before = getattr(model._root, "last_split_attempt_at", None)
        model.learn_one(x, y)
        if model._root.last_split_attempt_at not in (before, 0):
            tried.append(n)
            said.append(_race(model._root, model)["instances_until_attempt"])
    assert model.n_nodes == 1, "else these are several leaves' tries"
    assert np.mean(said) == pytest.approx(np.diff(tried).mean(), rel=0.06)


def test_a_runs_table_of_nodes_is_rivers_own_with_alternates_in_the_columns_of_mlhat():
    run = sl.Run(sl.load(STREAMS["Agrawal, changing"](), n_rows=3000), {"HAT": MODELS["HAT"](), "MLHAT": sl.MLHAT()})
    waiting = 0
    while not waiting:
        assert run.advance(100)
        table, model = run["HAT"].nodes(), run["HAT"].model
        waiting = (table["competes_with"] >= 0).sum()
    assert list(table.columns) == list(run["MLHAT"].nodes().columns)
    assert table.index.name == "id"
    own, main = model.to_dataframe(), table[~table["background"]]
    assert main["is_leaf"].tolist() == own["is_leaf"].tolist()
    assert main["feature"].dropna().tolist() == own["feature"].dropna().tolist()
    assert main["top_labels"].str[0].tolist() == [str(max(stats, key=stats.get)) for stats in own["stats"]]
    alternates = table[table["competes_with"] >= 0]
    assert waiting == model.n_alternate_trees - model.n_switch_alternate_trees - model.n_pruned_alternate_trees
    for branch, error in zip(alternates["competes_with"], alternates["error"], strict=True):
        assert table.loc[branch, "error_of_alternate"] == pytest.approx(error, nan_ok=True)
