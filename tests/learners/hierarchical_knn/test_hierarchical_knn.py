"""HierarchicalKNN and FlatKNN: algorithm 1, windows, paths, graphs, delays, detectors, states, bad input."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import streamlab as sl
from streamlab.schema import Feature, Hierarchy, Schema
from tests.learners.hierarchical_knn.by_hand import ByHand, random_stream, random_tree
from tests.learners.states import assert_same

LEARNERS = {
    "by path": sl.HierarchicalKNN,
    "by node": lambda **given: sl.HierarchicalKNN(window_of="node", **given),
    "flat": sl.FlatKNN,
}
# with what is kept of their windows' state besides parameters


def schema_of(n_features: int, hierarchy: Hierarchy | None, n_labels: int | None = None) -> Schema:
    n = len(hierarchy) if n_labels is None else n_labels
    return Schema(tuple(Feature(f"x{i}") for i in range(n_features)), tuple(f"c{i}" for i in range(n)), hierarchy)


def stream_of(seed: int, n: int, n_classes: int = 12, n_features: int = 3):
    rng = np.random.default_rng(seed)
    hierarchy = Hierarchy(random_tree(rng, n_classes))
    return hierarchy, *random_stream(rng, hierarchy, n, n_features)


# ---------------------------------------------------------------------- algorithm 1


DELTAS = (0.0, 0.1, 0.5, 1.0)


@pytest.mark.parametrize("window_of", ["path", "node"])
@pytest.mark.parametrize(
    ("seed", "n_classes", "k", "eta"), [(1, 6, 1, 8), (2, 12, 3, 15), (3, 15, 3, 20), (4, 9, 5, 40), (5, 20, 2, 3)]
)
def test_algorithm_1_word_for_word(seed, n_classes, k, eta, window_of):
    """10,000 instances over five random trees, each for all values of delta, windows overflowing."""
    n = 2000
    hierarchy, X, Y, paths = stream_of(seed, n, n_classes)
    by_hand = ByHand(hierarchy.parents, k, eta, by_path=window_of == "path")
    expected = np.zeros((len(DELTAS), *Y.shape), np.uint8)
    for row, (x, path) in enumerate(zip(X, paths, strict=True)):
        for i, delta in enumerate(DELTAS):
            expected[i, row, by_hand.predict(x, delta)] = 1
        by_hand.learn(x, path)
    for i, delta in enumerate(DELTAS):
        model = sl.HierarchicalKNN(k, eta, reliability=delta, window_of=window_of).bind(schema_of(3, hierarchy))
        pieces = [slice(at, at + 170) for at in range(0, n, 170)]
        predicted = np.concatenate([model.test_then_train(X[piece], Y[piece])[1] for piece in pieces])
        np.testing.assert_array_equal(predicted, expected[i])
        assert max(map(len, by_hand.windows.values())) == eta, "some window must have overflowed"
        held = model.node_columns()["held"]
        for c in range(n_classes):
            dataset = by_hand.local_dataset(c)
            assert held[c] == len(dataset)
            np.testing.assert_array_equal(model.examples_of(f"c{c}"), np.array(dataset).reshape(-1, 3))
    # a larger delta stops sooner: every set lies in that of the smaller one
    assert (np.diff(expected.astype(int), axis=0) <= 0).all()
    assert expected[0].sum() > expected[1].sum() > expected[2].sum() > expected[3].sum()


# ---------------------------------------------------------------------- chunks, windows, states


@pytest.mark.parametrize("name", LEARNERS)
def test_the_store_holds_what_the_windows_hold_each_example_once(name):
    hierarchy, X, Y, _ = stream_of(13, 600)
    X = X + np.arange(600)[:, None] * 1e-6  # no two alike
    model = LEARNERS[name](window=11).bind(schema_of(3, hierarchy))

    def distinct() -> int:
        windows = [model.examples_of(label) for label in model.schema.labels]
        return len(np.unique(np.concatenate(windows), axis=0))

    for at in range(0, 600, 50):
        model.learn_many(X[at : at + 50], Y[at : at + 50])
        assert model.n_examples == distinct()
    full, bytes_before = model.n_examples, model.n_bytes
    model.tune(window=4)
    assert model.n_examples == distinct() < full
    assert model.n_bytes < bytes_before
    assert len(model._windows.X) == model.n_examples, "what is free is given back"
    newest = {label: model.examples_of(label) for label in model.schema.labels}
    ends = Y if name == "by node" else hierarchy.deepest(Y)
    for c, label in enumerate(model.schema.labels):
        windows = hierarchy.above.T[c] if name == "by path" else np.arange(12) == c
        expected = [X[ends[:, w] > 0][-4:] for w in np.flatnonzero(windows)]
        np.testing.assert_array_equal(newest[label], np.concatenate(expected))
    model.tune(window=30)
    model.learn_many(X[:200], Y[:200])
    assert model.n_examples == distinct() > 4


def test_windows_by_path_keep_rare_members_of_a_large_family():
    """A family of a common and a rare class: by node the common one pushes the rare one out of the family's window."""
    hierarchy = Hierarchy((-1, -1, 0, 0))
    X = np.concatenate([np.zeros((3, 1)), np.full((40, 1), 9.0), np.full((3, 1), 4.0)])
    ends = np.array([2] * 3 + [3] * 40 + [1] * 3)
    answers = {}
    for window_of in ("path", "node"):
        model = sl.HierarchicalKNN(window=10, window_of=window_of).bind(schema_of(1, hierarchy))
        model.learn_many(X, hierarchy.above[ends].astype(np.uint8))
        answers[window_of] = model.predict_path_one({"x0": 0.5})
        assert model.node_columns()["held"].tolist() == [13 if window_of == "path" else 10, 3, 3, 10]
        assert model.node_columns()["seen"].tolist() == [43, 3, 3, 40]
    assert answers == {"path": ("c0", "c2"), "node": ("c1",)}


@pytest.mark.parametrize("entry", ["rings", "refs", "free", "head", "held", "cursor", "X"])
@pytest.mark.parametrize("window_of", ["path", "node"])
def test_a_state_that_contradicts_itself_is_refused(window_of, entry):
    hierarchy, X, Y, _ = stream_of(16, 200)
    model = sl.HierarchicalKNN(window=5, window_of=window_of).bind(schema_of(3, hierarchy))
    # of two paths each, so that places become free while other windows are filled
    model.learn_many(X, Y | np.roll(Y, 1, axis=0))
    state = model.state()
    assert len(state["free"])
    state[entry] = state[entry] + 1000 if entry != "X" else state[entry][:-1]
    with pytest.raises(ValueError, match="the state of HierarchicalKNN contradicts itself"):
        sl.HierarchicalKNN.from_state(state)


def test_a_state_that_lacks_a_parameter_is_refused():
    state = sl.HierarchicalKNN(window_of="node").state()
    parameters = {name: value for name, value in json.loads(state["parameters"]).items() if name != "window_of"}
    with pytest.raises(ValueError, match="HierarchicalKNN contradicts itself: parameters lack 'window_of'; expected"):
        sl.HierarchicalKNN.from_state(state | {"parameters": json.dumps(parameters)})


# ---------------------------------------------------------------------- distances


@pytest.mark.parametrize("distance", ["euclidean", "manhattan"])
def test_missing_and_nominal_values_in_a_distance(distance):
    features = (Feature("a"), Feature("b"), Feature("c"), Feature("colour", ("red", "green", "blue")))
    model = sl.HierarchicalKNN(n_neighbors=10, distance=distance).bind(Schema(features, ("l", "m")))
    rng = np.random.default_rng(3)
    X = np.hstack([rng.normal(size=(8, 3)), rng.integers(3, size=(8, 1))])
    X[rng.random(X.shape) < 0.3] = np.nan
    X[0] = [1.0, np.nan, np.nan, np.nan]
    x = np.array([[np.nan, 0.5, -0.5, 1.0]])
    model.learn_many(X, np.tile([[1, 0]], (8, 1)))
    model.learn_many(x, [[0, 1]])
    expected = []
    for row in X:
        parts = [
            float(v != w) if f.is_nominal else abs(v - w)
            for f, v, w in zip(features, row, x[0], strict=True)
            if v == v and w == w
        ]
        if parts:
            total = sum(p**2 if distance == "euclidean" else p for p in parts) * 4 / len(parts)
            expected.append(math.sqrt(total) if distance == "euclidean" else total)
    assert 0 < len(expected) < 8, "some example shares no feature with the query"
    assert model.node_columns()["distance"][0] == pytest.approx(np.mean(expected), rel=1e-12)


# ---------------------------------------------------------------------- several paths, graphs

DIAMOND = Hierarchy((-1, -1, (0, 1), 0, 1, 2))


def naive_walk(schema: Schema, X, Y, x, k: int, follow: float | None) -> set[int]:
    """Labels predicted in a graph, over all examples."""
    tree = schema.tree

    def away(c: int) -> float:
        own = np.sort(np.linalg.norm(X[Y[:, c] > 0] - x, axis=1))[:k]
        return own.mean() if len(own) else math.inf

    walked, waiting = set(), [-1]
    while waiting:
        d = {c: away(c) for c in tree.children(waiting.pop()) if away(c) < math.inf}
        if not d:
            continue
        scaled = {c: (v - min(d.values())) / max(d.values()) for c, v in d.items()}
        if follow is None:
            chosen = [c for c in d if scaled[c] <= 0]
            chosen = chosen if len(chosen) == 1 else []
        else:
            chosen = [c for c in d if scaled[c] <= follow]
        walked |= set(chosen)
        waiting += chosen
    return walked | {a for c in walked for a in tree.ancestors(c)}


@pytest.mark.parametrize("follow", [None, 0.0, 0.2, 1.0])
@pytest.mark.parametrize("hierarchy", [DIAMOND, Hierarchy((-1, -1, 0, 0, 2, 1))], ids=["graph", "tree"])
def test_several_paths_and_graphs(follow, hierarchy):
    rng = np.random.default_rng(7)
    schema = schema_of(4, hierarchy)
    ends = (rng.random((300, 6)) < 0.25).astype(np.uint8)
    ends[np.arange(300), rng.integers(6, size=300)] = 1
    Y = hierarchy.with_ancestors(ends)
    X = Y @ rng.normal(size=(6, 4)) + 0.5 * rng.normal(size=(300, 4))
    model = sl.HierarchicalKNN(n_neighbors=3, multi_path=follow).bind(schema)
    model.learn_many(X[:200], Y[:200])
    # an example of several paths is in several windows, and counts once in the classes above them
    assert model._windows.refs[:200].max() > 1
    assert (
        model.node_columns()["held"].tolist() == model.node_columns()["seen"].tolist() == Y[:200].sum(axis=0).tolist()
    )
    for c, label in enumerate(schema.labels):
        assert sorted(model.examples_of(label).tolist()) == sorted(X[:200][Y[:200, c] > 0].tolist())
    scores, labels = model.answer_many(X[200:])
    for x, z in zip(X[200:], labels, strict=True):
        assert set(np.flatnonzero(z).tolist()) == naive_walk(schema, X[:200], Y[:200], x, 3, follow)
    assert hierarchy.first_gap(labels) is None
    assert (scores >= 0).all()
    assert (scores <= 1).all()
    if follow == 1.0:
        assert (labels == 1).all(), "every child is within 1 of the nearest"


def test_scores_are_shares_of_inverse_distances_down_the_walk():
    model = sl.HierarchicalKNN(n_neighbors=1)
    for x, path in ((0.0, "a/b"), (4.0, "a/c"), (9.0, "d")):
        model.learn_one({"x": x}, path)
    p = {label: round(v[True], 12) for label, v in model.predict_proba_one({"x": 1.0}).items()}
    # a and d are 1 and 8 away, b and c 1 and 3
    assert p == {"a": round(8 / 9, 12), "b": round(8 / 9 * 3 / 4, 12), "c": round(8 / 9 / 4, 12), "d": round(1 / 9, 12)}
    exact = model.predict_proba_one({"x": 4.0})
    assert (exact["a"][True], exact["c"][True], exact["b"][True]) == (1.0, 1.0, 0.0)


# ---------------------------------------------------------------------- the flat one


@pytest.mark.parametrize(("k", "distance"), [(1, "euclidean"), (1, "manhattan"), (3, "euclidean")])
def test_the_flat_one_votes_as_scikit_learn_does(k, distance):
    rng = np.random.default_rng(8)
    hierarchy, X, Y, paths = stream_of(17, 500)
    X = X + 1e-3 * rng.normal(size=X.shape)
    ends = np.array([path[-1] for path in paths])
    peer = KNeighborsClassifier(k, metric=distance, algorithm="brute").fit(X[:400], ends[:400])
    model = sl.FlatKNN(k, distance=distance).bind(schema_of(3, hierarchy))
    model.learn_many(X[:400], Y[:400])
    scores, labels = model.answer_many(X[400:])
    shares = np.zeros((100, 12))
    shares[:, peer.classes_] = peer.predict_proba(X[400:])
    np.testing.assert_allclose(scores, np.minimum(shares @ hierarchy.above, 1.0), atol=1e-12)
    most = np.sort(shares, axis=1)
    clear = most[:, -1] > most[:, -2]
    assert clear.sum() > 50
    np.testing.assert_array_equal(labels[clear], hierarchy.above[peer.predict(X[400:])][clear])
    # of equal votes the nearest neighbour's class
    nearest = ends[:400][peer.kneighbors(X[400:], 1)[1][:, 0]]
    if k == 3:
        torn = most[:, -1] < 0.5
        assert torn.any()
        np.testing.assert_array_equal(labels[torn], hierarchy.above[nearest[torn]])


@pytest.mark.parametrize("ties", ["nearest", "smallest", "random"])
def test_equal_votes_go_where_ties_says(ties):
    hierarchy, X, Y, paths = stream_of(21, 900, n_features=2)
    ends = np.array([path[-1] for path in paths])
    model = sl.FlatKNN(4, ties=ties, seed=3).bind(schema_of(2, hierarchy))
    model.learn_many(X[:400], Y[:400])
    labels = model.predict_many(X[400:])
    # of equal distances the first by class, then by arrival, is nearer
    order = np.lexsort((np.arange(400), ends[:400]))
    places = 0
    for x, z in zip(X[400:], labels, strict=True):
        near = order[np.argsort(((X[:400][order] - x) ** 2).sum(axis=1), kind="stable")][:4]
        votes = np.bincount(ends[near], minlength=12)
        equal = np.flatnonzero(votes == votes.max())
        chosen = int(hierarchy.deepest(z[None])[0].argmax())
        expected = {"nearest": [c for c in ends[near] if c in equal][:1], "smallest": equal[:1], "random": equal}[ties]
        assert chosen in expected
        places += (
            ties == "random" and len(equal) > 1 and chosen not in (equal[0], next(c for c in ends[near] if c in equal))
        )
    if ties == "random":
        assert places > 20, "it is neither of the two others"
        other = sl.FlatKNN(4, ties=ties, seed=4).bind(schema_of(2, hierarchy))
        other.learn_many(X[:400], Y[:400])
        assert (other.predict_many(X[400:]) != labels).any()
        # of the query alone, and of what was learned before it: not of its place among the queries
        np.testing.assert_array_equal(model.predict_many(X[:399:-1]), labels[::-1])


# ---------------------------------------------------------------------- labels as paths


def test_paths_in_every_form_and_labels_that_are_new():
    model = sl.HierarchicalKNN()
    model.learn_one({"x": 0.0}, "a/b/c")
    assert model.take_events() == [], "before the first instance all is new"
    model.learn_one({"x": 1.0}, ("a", "b", "d"))
    model.learn_one({"x": 2.0}, ["a/b", ("e",)])
    model.learn_one({"x": 3.0}, {"e", "a/b/c"})
    model.learn_one({"x": 4.0}, {"c": True, "f": True, "e": False})
    assert model.schema.labels == ("a", "b", "c", "d", "e", "f")
    assert model.schema.hierarchy == Hierarchy((-1, 0, 1, 1, -1, -1))
    events = model.take_events()
    assert [(e["kind"], e["label"], e["position"]) for e in events] == [
        ("label_new", "d", 1), ("label_new", "e", 2), ("label_new", "f", 4),
    ]  # fmt: skip
    assert events[0]["message"] == "the label 'd' under 'b' is new after 1 instances"
    assert model.nodes()["held"].tolist() == [5, 5, 3, 1, 2, 1]
    model.learn_many(np.array([[5.0], [6.0]]), ["a/b/g", ["a", "e/h"]])
    assert model.nodes().set_index("label")["held"].to_dict() == {
        "a": 7, "b": 6, "c": 3, "d": 1, "e": 3, "f": 1, "g": 1, "h": 1,
    }  # fmt: skip
    assert model.predict_path_one({"x": 5.1})[:2] == ("a", "b")
    with pytest.raises(ValueError, match="label 'z' is not known"):
        model.examples_of("z")


BAD_PATHS = {
    "two parents": ("e/c", "the label 'c' has two parents: 'b' and 'e'"),
    "skips": ("a/c", "the path skips a level: 'b' is between 'a' and 'c'"),
    "skips the top": ("b/c", "the path skips a level: 'b' is under 'a', not at the top"),
    "alone": (("c",), "the path skips a level: 'c' is under 'b', not at the top"),
    "moves down": ("e/a", "'a' is at the top and cannot also be under 'e'"),
    "cycle": ("a/b/a", "meets the label 'a' twice, which would be a cycle"),
    "cycle below": ("e/n/e", "meets the label 'e' twice"),
    "empty": ("", "the path '' is empty"),
    "empty tuple": ((), r"the path \(\) is empty"),
    "no path": ([], "no path; expected at least one"),
    "hole": ("a//b", "the path 'a//b' is empty or has an empty label"),
    "number": (3, "3 is not a label path"),
}


@pytest.mark.parametrize("bad", BAD_PATHS)
@pytest.mark.parametrize("name", LEARNERS)
def test_bad_paths_are_refused_by_label_and_row_and_change_nothing(name, bad):
    model = LEARNERS[name]()
    model.learn_one({"x": 1.0}, "a/b/c")
    model.learn_one({"x": 2.0}, "e")
    path, message = BAD_PATHS[bad]
    before = model.state()
    with pytest.raises(ValueError, match=message):
        model.learn_one({"x": 3.0, "new": 1.0}, path)
    with pytest.raises(ValueError, match=f"row 2: .*{message}"):
        model.learn_many(np.zeros((3, 1)), ["a/b", "e/new", path])
    assert_same(before, model.state())
    assert [e["kind"] for e in model.take_events()] == ["label_new"]


@pytest.mark.parametrize(("window_of", "held"), [("path", [2, 2, 2]), ("node", [2, 2, 1])])
def test_a_second_parent_where_graphs_are_allowed(window_of, held):
    model = sl.HierarchicalKNN(dag=True, window_of=window_of)
    model.learn_one({"x": 1.0}, "a/c")
    model.learn_one({"x": 2.0}, "b/c")
    assert not model.schema.hierarchy.is_tree
    assert model.schema.labels == ("a", "c", "b")
    # the second belongs to both parents; by path the new parent has what was learned of its child before
    assert model.nodes()["held"].tolist() == held
    model.learn_one({"x": 3.0}, "b/d")
    with pytest.raises(ValueError, match="cycle"):
        model.learn_one({"x": 3.0}, ("b", "d", "b"))
    twin = sl.HierarchicalKNN.from_state(model.state())
    assert twin.schema == model.schema


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors=0"), ({"reliability": 1.5}, "reliability=1.5: expected a number, 0 to 1"),
        ({"window": 0}, "window=0"), ({"distance": "cosine"}, "distance='cosine': expected 'euclidean' or 'manhattan'"),
        ({"multi_path": -0.1}, "multi_path=-0.1"), ({"drift_delta": 0}, "drift_delta=0"), ({"dag": 1}, "dag=1"),
        ({"window_of": "leaf"}, "window_of='leaf': expected 'path' or 'node'"),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        sl.HierarchicalKNN(**parameters)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"ties": "first"}, "ties='first': expected 'nearest' or 'smallest' or 'random'"), ({"seed": -1}, "seed=-1")],
)
def test_bad_parameters_of_the_flat_one_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        sl.FlatKNN(**parameters)


# ---------------------------------------------------------------------- what a viewer needs


def test_the_table_of_classes_tells_of_the_last_instance():
    model = sl.HierarchicalKNN(n_neighbors=1, reliability=0.2)
    for x, path in ((0.0, "a/b"), (4.0, "a/c"), (40.0, "d/e"), (2.2, "a/b")):
        model.learn_one({"x": x}, path)
    nodes = model.nodes().set_index("label")
    assert model.last_path == ("a",)
    assert nodes["predicted"].to_dict() == {"a": True, "b": False, "c": False, "d": False, "e": False}
    assert nodes["true"].to_dict() == {"a": True, "b": True, "c": False, "d": False, "e": False}
    assert nodes["stopped"].to_dict() == nodes["tied"].to_dict() == {
        "a": False, "b": True, "c": True, "d": False, "e": False,
    }  # fmt: skip
    np.testing.assert_allclose(nodes["distance"], [1.8, 2.2, 1.8, 37.8, np.nan])
    np.testing.assert_allclose(nodes["normalised"], [0.0, 0.4 / 2.2, 0.0, 36 / 37.8, np.nan])
    assert nodes["held"].tolist() == nodes["seen"].tolist() == [3, 2, 1, 1, 1]
    assert nodes["arrivals"].tolist() == [1, 1, 0, 0, 0]
    story = model.describe_node(1)
    assert (story["label"], story["parents"], story["paths"], story["error"]) == ("b", ["a"], [("a", "b")], None)
    assert model.describe_node(99) is model.describe_node(-1) is None


def test_the_recent_f_of_a_class_counts_all_below_it():
    hierarchy, X, Y, _ = stream_of(18, 800)
    model = sl.HierarchicalKNN().bind(schema_of(3, hierarchy))
    Z = np.concatenate([model.test_then_train(X[at : at + 100], Y[at : at + 100])[1] for at in range(0, 800, 100)])
    weights = 0.995 ** np.arange(799, -1, -1)
    hits, said, true = (weights @ side for side in (Y & Z, Z, Y))
    below = hierarchy.above.T.astype(float)
    nodes = model.node_columns()
    np.testing.assert_allclose(nodes["hf"], 2 * (below @ hits) / (below @ (said + true)), rtol=1e-9)
    np.testing.assert_allclose(nodes["hp"], (below @ hits) / (below @ said), rtol=1e-9)
    np.testing.assert_allclose(nodes["weight"], true, rtol=1e-9)
    np.testing.assert_array_equal(nodes["arrivals"], Y[700:].sum(axis=0))
    assert set(model.nodes().columns) == {"label", *nodes} - {"id"}


# ---------------------------------------------------------------------- drift, delay


def test_a_drift_empties_the_oldest_half_and_helps():
    rng = np.random.default_rng(19)
    hierarchy = Hierarchy((-1, -1, 0, 0, 1))
    ends = rng.choice([2, 3, 4], 3000)
    centres = np.array([[0, 0], [0, 0], [0.0, 0], [4, 0], [0, 8]])
    moved = centres.copy()
    moved[[2, 3]] = centres[[3, 2]]
    late = np.arange(3000) >= 1500
    X = np.where(late[:, None], moved[ends], centres[ends]) + rng.normal(size=(3000, 2))
    Y = hierarchy.above[ends].astype(np.uint8)
    exact, plain = [], None
    for delta in (None, 0.002):
        model = sl.HierarchicalKNN(window=1000, drift_delta=delta).bind(schema_of(2, hierarchy))
        Z = np.concatenate([model.test_then_train(X[at : at + 100], Y[at : at + 100])[1] for at in range(0, 3000, 100)])
        exact.append((Z[1500:] == Y[1500:]).all(axis=1).mean())
        events = model.take_events()
        if delta is None:
            plain = model
            assert events == []
    assert exact[1] > exact[0] + 0.05
    assert {e["label"] for e in events} >= {"c2", "c3"}
    assert {e["kind"] for e in events} == {"drift"}
    assert all(1500 < e["position"] <= 3000 and e["after"] > e["before"] for e in events)
    assert all(0 <= e["kept"] - e["dropped"] <= 1 for e in events), "half, and of an odd number one less than half"
    assert "c4" not in {e["label"] for e in events}, "whose error never rose"
    # what is left are the newest
    newest = plain.examples_of("c2")[-10:]
    np.testing.assert_array_equal(model.examples_of("c2")[-10:], newest)
    assert model.describe_node(2)["watched"] > 0
