"""Hierarchies: from paths, tables and XML, trees and graphs, closures, rows and paths both ways, growing."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamlab as sl
from streamlab.schema import Hierarchy, HierarchyBuilder, Schema
from streamlab.streams.readers.arff_header import read_label_xml


@st.composite
def hierarchies(draw, tree: bool = False) -> Hierarchy:
    """Of up to eight labels; a label comes after its parents, then all are shuffled."""
    n = draw(st.integers(0, 8))
    above = []
    for label in range(n):
        most = 1 if tree else 3
        above.append(draw(st.lists(st.integers(0, label - 1), unique=True, max_size=most)) if label else [])
    place = draw(st.permutations(range(n)))
    shuffled = [()] * n
    for label, parents in enumerate(above):
        shuffled[place[label]] = tuple(place[p] for p in parents)
    return Hierarchy(tuple(shuffled))


@given(hierarchies())
def test_what_stands_where_follows_from_the_edges(hierarchy):
    n = len(hierarchy)
    edges = {(p, c) for c in range(n) for p in hierarchy.parents_of(c)}
    reached = set(edges)
    while more := {(a, d) for a, b in reached for c, d in edges if b == c} - reached:
        reached |= more
    tops = [c for c in range(n) if not any(child == c for _, child in edges)]
    assert list(hierarchy.children(-1)) == tops
    assert hierarchy.is_tree == all(len(hierarchy.parents_of(c)) <= 1 for c in range(n))
    for label in range(n):
        assert set(hierarchy.children(label)) == {c for p, c in edges if p == label}
        assert set(hierarchy.ancestors(label)) == {a for a, d in reached if d == label}
        assert set(hierarchy.descendants(label)) == {d for a, d in reached if a == label}
        paths = hierarchy.paths_to(label)
        assert len(set(paths)) == len(paths)
        assert all(path[0] in tops and path[-1] == label for path in paths)
        assert all(step in edges for path in paths for step in itertools.pairwise(path))
        assert {path[-2] for path in paths if len(path) > 1} == set(hierarchy.parents_of(label))
        assert hierarchy.depth(label) == max(map(len, paths)) - 1
    assert set(hierarchy.leaves) == set(range(n)) - {p for p, _ in edges}
    place = {label: i for i, label in enumerate(hierarchy.order)}
    assert all(place[p] < place[c] for p, c in edges)
    assert hierarchy.n_levels == max(hierarchy.depths, default=-1) + 1


@given(hierarchies(), st.integers(0, 2**32))
def test_closures_and_ends(hierarchy, seed):
    Y = (np.random.default_rng(seed).random((5, len(hierarchy))) < 0.3).astype(np.uint8)
    closed = hierarchy.with_ancestors(Y)
    assert hierarchy.first_gap(closed) is None
    ends = hierarchy.deepest(closed)
    for row, whole, end in zip(Y, closed, ends, strict=True):
        own = set(np.flatnonzero(row).tolist())
        assert set(np.flatnonzero(whole).tolist()) == own | {a for c in own for a in hierarchy.ancestors(c)}
        said = set(np.flatnonzero(end).tolist())
        assert said == {c for c in np.flatnonzero(whole) if not any(whole[b] for b in hierarchy.children(c))}
    gap = hierarchy.first_gap(Y)
    assert (gap is None) == (closed == Y).all()
    if gap is not None:
        row, label, parent = gap
        assert Y[row, label] == 1
        assert Y[row, parent] == 0
        assert parent in hierarchy.parents_of(label)
        assert hierarchy.first_gap(Y[:row]) is None
    np.testing.assert_array_equal(hierarchy.with_ancestors(ends), closed)


@given(hierarchies(), st.integers(0, 2**32))
def test_rows_and_paths_go_round(hierarchy, seed):
    schema = Schema((), tuple(f"l{c}" for c in range(len(hierarchy))), hierarchy)
    assert Schema.from_json(schema.to_json()) == schema
    assert hash(Schema.from_json(schema.to_json())) == hash(schema)
    Y = (np.random.default_rng(seed).random((5, len(hierarchy))) < 0.3).astype(np.uint8)
    Y = hierarchy.with_ancestors(Y[Y.any(axis=1)])
    paths = schema.paths(Y)
    np.testing.assert_array_equal(schema.rows(paths), Y)
    np.testing.assert_array_equal(schema.rows([["/".join(p) for p in several] for several in paths]), Y)


@given(hierarchies(tree=True))
def test_paths_and_tables_give_the_tree_they_come_from(hierarchy):
    names = [f"l{c}" for c in range(len(hierarchy))]
    paths = [tuple(names[c] for c in hierarchy.paths_to(label)[0]) for label in range(len(names))]
    table = {names[c]: names[p[0]] if (p := hierarchy.parents_of(c)) else None for c in range(len(names))}
    frame = pd.DataFrame({"child": list(table), "parent": list(table.values())})
    for labels, found in (
        Hierarchy.from_paths(paths),
        Hierarchy.from_paths(["/".join(path) for path in paths]),
        Hierarchy.from_table(table),
        Hierarchy.from_table(list(table.items())),
        Hierarchy.from_table(frame),
    ):
        assert sorted(labels) == sorted(names)
        above = {labels[c]: [labels[p] for p in found.parents_of(c)] for c in range(len(labels))}
        assert above == {name: [] if parent is None else [parent] for name, parent in table.items()}


def test_several_paths_a_row_another_separator_and_graphs():
    labels, hierarchy = Hierarchy.from_paths(["a.b", ["a.c", ("d",)], {"d.e", "a"}], separator=".")
    assert labels == ("a", "b", "c", "d", "e")
    assert hierarchy.parents == (-1, 0, 0, -1, 3)
    labels, hierarchy = Hierarchy.from_paths(["a/c", "b/c", "b/c/d"], dag=True)
    assert (labels, hierarchy.parents) == (("a", "c", "b", "d"), (-1, (0, 2), -1, 1))
    by_table = Hierarchy.from_table([("c", "a"), ("c", "b"), ("d", "c")], dag=True)
    assert by_table == (("a", "c", "b", "d"), hierarchy)
    assert Hierarchy.from_table({"c": ("a", "b"), "d": ["c"]}, dag=True) == by_table
    assert Hierarchy(((), [0], (0, 1))) == Hierarchy((-1, 0, (0, 1)))
    assert hierarchy.grown((-1, (0, 3))).parents == (-1, (0, 2), -1, 1, -1, (0, 3))


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["a/b", "c/b"], "row 1: the label 'b' has two parents: 'a' and 'c'"),
        (["a/b", "b"], "row 1: the path skips a level: 'b' is under 'a', not at the top"),
        (["a/b/c", "a/c"], "row 1: the path skips a level: 'b' is between 'a' and 'c'"),
        (["a/b", "b/a"], "row 1: the path skips a level: 'b' is under 'a', not at the top"),
        (["a", "b/a"], "row 1: the label 'a' is at the top and cannot also be under 'b'"),
        (["a/a"], "row 0: .* 'a' twice, which would be a cycle"),
        (["a", "c/d/n/c"], "row 1: .* 'c' twice, which would be a cycle"),
        (["a/b/c", "d", "d/b/x", "x/d"], "row 2: the label 'b' has two parents"),
        (["a", ""], "row 1: the path '' is empty"),
        (["a", "b/"], "row 1: the path 'b/' is empty or has an empty label"),
        (["a", ()], r"row 1: the path \(\) is empty"),
        (["a", []], "row 1: no path; expected at least one"),
        (["a", None], "row 1: None is not a label path"),
        ([("a", 3)], r"row 0: \('a', 3\) is not a label path"),
    ],
)
def test_bad_paths_name_label_and_row(paths, message):
    with pytest.raises(ValueError, match=message):
        Hierarchy.from_paths(paths)


def test_a_cycle_in_a_graph():
    with pytest.raises(ValueError, match="row 2: 'a' cannot be under 'b', which is below it"):
        Hierarchy.from_paths(["a/b", "c/b", "c/b/a"], dag=True)
    with pytest.raises(ValueError, match="row 1: 'a' cannot be under 'n', which is below it"):
        Hierarchy.from_paths([["c/a/b", "d/b"], "d/b/n/a"], dag=True)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([("b", "a"), ("b", "c")], "table row 1: the label 'b' has two parents: 'a' and 'c'"),
        ({"b": ("a", "c")}, "table row 0: the label 'b' has two parents"),
        ([("b", "a"), ("c", "b"), ("a", "c")], "table row 2: 'a' cannot be under 'c': that would be a cycle"),
        ([("a", "a")], "table row 0: 'a' cannot be under 'a': that would be a cycle"),
        ([("a", None), ("a", "b")], "table row 1: the label 'a' cannot be both at the top and under 'b'"),
        ([(None, "b")], "table row 0: None; expected the name of a label"),
        (["ab"], r"table row 0: 'ab'; expected \(child, parent\)"),
        (pd.DataFrame({"child": ["a"]}), "expected child and parent"),
    ],
)
def test_bad_tables_name_label_and_row(table, message):
    with pytest.raises(ValueError, match=message):
        Hierarchy.from_table(table)


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ((1,), "label 0 has the parent 1"), ((-1, (0, -1)), "label 1 has the parent -1"),
        ((-1, (0, 0)), "label 1 names a parent twice"), ((1, 0), "ancestors of label 0 form a cycle"),
        ((-1, (0, 2), 1), "ancestors of label 1 form a cycle"),
    ],
)  # fmt: skip
def test_what_is_no_hierarchy_is_refused(parents, message):
    with pytest.raises(ValueError, match=message):
        Hierarchy(parents)


def test_rows_of_a_schema_refuse_what_it_does_not_know():
    schema = Schema((), ("a", "b"), Hierarchy((-1, 0)))
    with pytest.raises(ValueError, match="row 1: the label 'c' is not in the schema"):
        schema.rows(["a", "a/c"])
    with pytest.raises(ValueError, match="row 0: the path skips a level"):
        schema.rows(["b"])
    assert Schema((), ("a", "b")).rows(["b"]).tolist() == [[0, 1]], "without a hierarchy all are at the top"
    assert schema.paths(np.array([[0, 0], [1, 0]])) == [[], [("a",)]]


def test_a_builder_changes_nothing_by_what_it_refuses():
    builder = HierarchyBuilder(("a", "b"), Hierarchy((-1, 0)))
    with pytest.raises(ValueError, match="two parents"):
        builder.add_path("new/b/c/a")
    assert builder.build() == (("a", "b"), Hierarchy((-1, 0)))
    assert builder.add_path("a/b/c") == (0, 1, 2)
    assert builder.build() == (("a", "b", "c"), Hierarchy((-1, 0, 1)))


def test_labels_that_are_named_by_their_paths(shared_data):
    labels, parents = read_label_xml(shared_data / "hierarchical.xml")
    stream = sl.load(shared_data / "hierarchical-train.arff.gz", labels=shared_data / "hierarchical.xml")
    schema = stream.schema
    assert set(labels) == set(schema.labels)
    assert Hierarchy(parents).n_levels == schema.hierarchy.n_levels == 5
    [row] = schema.rows(["01/01/03/01"])
    assert [label for label, flag in zip(schema.labels, row, strict=True) if flag] == [
        "01", "01/01", "01/01/03", "01/01/03/01",
    ]  # fmt: skip
    [chunk] = stream.chunks(800)
    closed = schema.hierarchy.with_ancestors(chunk.Y)
    several = schema.paths(closed)
    assert max(map(len, several)) > 1
    np.testing.assert_array_equal(schema.rows([[p[-1] if len(p) > 1 else p for p in row] for row in several]), closed)


def test_what_is_hidden_hides_all_below_it_in_a_graph():
    graph = Hierarchy((-1, -1, (0, 1), 2))
    schema = Schema(sl.Schema.anonymous(1, 0).features, tuple("abcd"), graph)
    stream = sl.hide_labels(sl.load((np.zeros((200, 1)), np.ones((200, 4))), schema=schema), 0.3, per="label", seed=1)
    told = stream.labelling.labels_known(np.ones((200, 4), np.uint8), np.arange(200))
    assert graph.first_gap(told) is None
    assert 0 < told[:, 2].mean() < 1


def test_a_name_under_two_parents_is_told_with_the_ways_out():
    with pytest.raises(ValueError, match=r"'b' has two parents.*'c/b' as a name.*dag=True"):
        Hierarchy.from_paths(["a/b", "c/b"])
    labels, hierarchy = Hierarchy.from_paths([("a", "a/b"), ("c", "c/b")])
    assert labels == ("a", "a/b", "c", "c/b")
    assert hierarchy.parents == (-1, 0, -1, 2)
