"""MLHAT's nodes as tables and words agree with the tree and with the data; its events say what happened."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from streamlab.learners import MLHAT
from streamlab.learners.mlhat.events import KINDS
from tests.learners.mlhat.streams import QUICK, learn_in_chunks, stump_stream


def test_the_structure_is_consistent_and_ids_are_never_used_again():
    schema, X, Y = stump_stream(4000, flips=(1000, 2000, 3000), seed=4)
    model = MLHAT(**QUICK).bind(schema)
    gone: set[int] = set()
    last: set[int] = set()
    for i in range(0, 4000, 50):
        model.test_then_train(X[i : i + 50], Y[i : i + 50])
        columns = model.node_columns()
        ids = columns["id"].tolist()
        at = {node: k for k, node in enumerate(ids)}
        assert len(at) == len(ids)
        assert not set(ids) & gone
        gone |= last - set(ids)
        last = set(ids)
        for k in range(len(ids)):
            parent, rival = int(columns["parent"][k]), int(columns["competes_with"][k])
            if parent >= 0:
                assert at[parent] < k
                assert columns["depth"][k] == columns["depth"][at[parent]] + 1
            if rival >= 0:
                assert columns["background"][k]
                assert columns["branch"][k] == columns["branch"][at[rival]]
            elif parent >= 0:
                assert columns["background"][k] == columns["background"][at[parent]]
        inner = ~columns["is_leaf"]
        assert (columns["feature"][inner] >= 0).all()
        own = columns["competes_with"] < 0
        for k in np.flatnonzero(inner):
            below = np.flatnonzero(own & (columns["parent"] == ids[k]))
            assert sorted(columns["branch"][below]) == [0, 1]
        assert all(len(v) == len(ids) for v in columns.values())
    assert gone
    assert len(MLHAT().node_columns()["id"]) == 0
    assert not len(MLHAT().nodes())


def test_the_story_of_a_node_can_be_checked_against_the_data():
    schema, X, Y = stump_stream(800)
    model = MLHAT(**QUICK | {"bootstrap": False}).bind(schema)
    learn_in_chunks(model, X, Y)
    columns = model.node_columns()
    assert columns["depth"].max() >= 2
    for node in columns["id"].tolist():
        story = model.describe_node(node)
        json.dumps(story)
        inside = np.ones(800, bool)
        for test in story["rule"]:
            words = test.split(" ")
            column = schema.feature_names.index(words[0])
            if words[1] in ("≤", ">"):
                passed = X[:, column] <= float(words[2])
                inside &= passed if words[1] == "≤" else ~passed
            else:
                category = schema.features[column].categories.index(words[-1])
                inside &= (X[:, column] == category) != (" is not " in test)
        came = np.flatnonzero(inside & (np.arange(800) >= story["born_at"]))
        if story["depth"] and all("x2" in t or "c0" in t for t in story["rule"]):
            assert story["weight"] == len(came)
        if not any("≤" in t or ">" in t for t in story["rule"]):
            assert story["last_rows"] == came[-20:].tolist()
        assert story["labels"] == sorted(story["labels"], key=lambda pair: -pair[1])
        assert len(story["last_rows"]) == min(20, story["weight"])
        assert len(story["error_history"]) == min(64, story["weight"] // 50)
    root = model.describe_node(0)
    assert root["weight"] == 800
    assert np.mean(root["error_history"]) == pytest.approx(np.mean(root["error_history"]), abs=1)
    leaf = model.describe_node(int(columns["id"][columns["is_leaf"] & (columns["weight"] > 20)][0]))
    assert leaf["race"]["instances_until_attempt"] > 0
    assert sum(w for _, w in leaf["labelsets"]) <= leaf["weight"]
    assert model.describe_node(10**9) is None
    assert model.describe_node(-1) is None
    assert MLHAT().describe_node(0) is None


def test_a_duel_is_told_from_both_sides():
    schema, X, Y = stump_stream(3000, flips=(800,), seed=1)
    model = MLHAT(**QUICK | {"alternate_grace_period": 1500, "combine_alternates": False}).bind(schema)
    learn_in_chunks(model, X, Y)
    columns = model.node_columns()
    at = int(np.flatnonzero(columns["competes_with"] >= 0)[0])
    alternate, node = int(columns["id"][at]), int(columns["competes_with"][at])
    mine, theirs = model.describe_node(alternate)["duel"], model.describe_node(node)["duel"]
    assert mine == theirs
    assert (mine["node"], mine["alternate"]) == (node, alternate)
    e, other, w, w2 = (mine[k] for k in ("e", "e_alternate", "weight", "weight_alternate"))
    bound = math.sqrt(2 * e * (1 - other) * (w + w2) * math.log(2 / 0.2) / (w * w2))
    assert mine["epsilon"] == pytest.approx(bound)
    table = model.nodes()
    assert table.loc[node, "epsilon_alt"] == pytest.approx(bound)


# ---------------------------------------------------------------------- events


def test_every_code_of_the_kernels_has_a_kind():
    assert {name for name, *_ in KINDS.values()} == set(MLHAT.events) - {"label_new", "feature_new"}
