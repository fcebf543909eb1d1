"""Layout and messages of the tree view, without a browser."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.views.kit.picture import Drawn
from streamlab.views.kit.tree_layout import tree_layout
from streamlab.views.pictures.tree.picture import TreeView
from tests.views.wire import received

TOLERANCE = 1e-9
PLACED = ("id", "parent", "competes_with", "branch", "weight")
FEATURES = ["height", "width"]


def table(rows: list[tuple[int, int, int, int, float]]) -> dict[str, np.ndarray]:
    """Columns of nodes given as (id, parent, competes_with, branch, weight); the rest follows from that."""
    values = zip(*rows, strict=True) if rows else [()] * len(PLACED)
    columns: dict[str, np.ndarray] = {name: np.array(each) for name, each in zip(PLACED, values, strict=True)}
    above = {row[0]: row[1] for row in rows}
    competes = {row[0]: row[2] for row in rows}
    parents = set(above.values())

    def is_background(node: int) -> bool:
        while above.get(node, -1) >= 0:
            node = above[node]
        return competes.get(node, -1) >= 0

    def depth(node: int) -> int:
        levels = 0
        while (node := above.get(node, -1)) >= 0:
            levels += 1
        return levels

    ids, count = columns["id"].tolist(), len(rows)
    is_leaf = np.array([each not in parents for each in ids], dtype=bool)
    return columns | {
        "is_leaf": is_leaf,
        "background": np.array([is_background(each) for each in ids], dtype=bool),
        "depth": np.array([depth(each) for each in ids], dtype=int),
        "feature": np.where(is_leaf, -1, 1),
        "is_nominal": np.zeros(count, dtype=bool),
        "threshold": np.full(count, 0.5),
        "weight_recent": columns["weight"] / 2,
        "error": np.full(count, 0.25),
        "entropy": np.full(count, 1.5),
        "n_labelsets": np.full(count, 3),
        "regime": np.where(is_leaf, 2, 0),
        "top": np.zeros(count, dtype=int),
        "active": np.ones(count, dtype=bool),
    }


def grow(rng: np.random.Generator, n_nodes: int, duels: float = 0.1) -> list[tuple[int, int, int, int, float]]:
    """A random binary tree in which some nodes compete with an alternate, which may grow and be challenged in turn."""
    rows: list[tuple[int, int, int, int, float]] = [(0, -1, -1, 0, 1000.0)]
    leaves, free = [0], [0]
    while len(rows) < n_nodes:
        if free and rng.random() < duels:
            rival = free.pop(int(rng.integers(len(free))))
            rows.append((len(rows), -1, rival, rows[rival][3], rows[rival][4] * rng.uniform(0, 1.2)))
            leaves.append(len(rows) - 1)
            free.append(len(rows) - 1)
            continue
        parent = leaves.pop(int(rng.integers(len(leaves))))
        share = rng.beta(1, 1)
        for branch, part in ((0, share), (1, 1 - share)):
            rows.append((len(rows), parent, -1, branch, rows[parent][4] * part))
            leaves.append(len(rows) - 1)
            free.append(len(rows) - 1)
    return rows


@st.composite
def tables(draw: st.DrawFn) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns = table(grow(rng, draw(st.integers(1, 90)), draw(st.sampled_from([0.0, 0.1, 0.4]))))
    order = rng.permutation(len(columns["id"]))
    # ids are given once and never reused, so those at hand have gaps and no order.
    ids = np.append(rng.choice(10 * len(order), len(order), replace=False) + draw(st.sampled_from([0, 2**40])), -1)
    columns |= {name: ids[columns[name]] for name in ("id", "parent", "competes_with")}
    return {name: values[order] for name, values in columns.items()}


def links(columns: dict[str, np.ndarray]) -> dict[int, int]:
    """What each node hangs on: its parent, or the node that it competes with; -1 for the root."""
    parent, rival = columns["parent"], columns["competes_with"]
    up = np.where(parent >= 0, parent, rival)
    return dict(zip(columns["id"].tolist(), up.tolist(), strict=True))


def heaviest_below(columns: dict[str, np.ndarray]) -> dict[int, float]:
    """The greatest weight at each node or below it."""
    up = links(columns)
    best = dict(zip(columns["id"].tolist(), columns["weight"].tolist(), strict=True))
    for each, weight in list(best.items()):
        node = each
        while node >= 0:
            best[node] = max(best[node], weight)
            node = up[node]
    return best


@settings(max_examples=80, deadline=None)
@given(tables(), st.integers(1, 100))
def test_tidy(columns: dict[str, np.ndarray], max_nodes: int) -> None:
    nodes = tree_layout(columns, max_nodes=max_nodes)
    x, y = nodes["x"], nodes["y"]
    for level in np.unique(y):
        assert np.all(np.diff(np.sort(x[y == level])) >= 1 - TOLERANCE)
    for i, row in enumerate(nodes["row"]):
        assert nodes["id"][i] == columns["id"][row]
        children = np.flatnonzero(nodes["parent"] == i)
        if len(children):
            assert np.all(y[children] == y[i] + 1)
            assert np.all(np.diff(columns["branch"][nodes["row"][children]]) > 0)
            assert np.all(np.diff(x[children]) > 0)
            assert x[children].mean() == pytest.approx(x[i], abs=TOLERANCE)
        if (above := nodes["parent"][i]) >= 0:
            assert above < i
            assert columns["parent"][row] == nodes["id"][above]
        elif (rival := nodes["rival"][i]) >= 0:
            assert rival < i
            assert columns["competes_with"][row] == nodes["id"][rival]
            assert y[i] == y[rival]
            assert not np.any((y == y[i]) & (x > x[rival]) & (x < x[i]))
        else:
            assert x[i] == y[i] == 0


def test_an_alternate_of_an_inner_node_hangs_on_that_though_the_node_above_is_its_parent() -> None:
    # as MLHAT's columns have it: the alternate is to take the place of node 2 under node 0
    columns = table([(0, -1, -1, 0, 9.0), (1, 0, -1, 0, 5.0), (2, 0, -1, 1, 4.0), (3, 0, 2, 1, 1.0)])
    nodes = tree_layout(columns)
    assert nodes["id"].tolist() == [0, 1, 2, 3]
    assert nodes["rival"].tolist() == [-1, -1, -1, 2]
    assert nodes["y"].tolist() == [0, 1, 1, 1]
    assert nodes["x"][0] == nodes["x"][1:3].mean(), "the tree stands as if the alternate were not there"
    assert tree_layout(columns, collapsed=[2])["id"].tolist() == [0, 1, 2, 3]


@settings(max_examples=80, deadline=None)
@given(tables(), st.integers(0, 100), st.data())
def test_folding(columns: dict[str, np.ndarray], max_nodes: int, data: st.DataObject) -> None:
    ids = columns["id"].tolist()
    collapsed = data.draw(st.sets(st.sampled_from(ids), max_size=4)) | {10**15}
    nodes = tree_layout(columns, max_nodes=max_nodes, collapsed=collapsed)
    up, drawn = links(columns), set(nodes["id"].tolist())
    parent = dict(zip(ids, columns["parent"].tolist(), strict=True))

    def is_folded(node: int) -> bool:
        return node >= 0 and (parent[node] in collapsed or is_folded(up[node]))

    visible = [node for node in ids if not is_folded(node)]
    assert len(drawn) == min(max_nodes, len(visible))
    assert drawn <= set(visible)
    assert all(up[node] < 0 or up[node] in drawn for node in drawn)
    expected = dict.fromkeys(drawn, 0)
    for node in set(ids) - drawn:
        while node >= 0 and node not in drawn:
            node = up[node]
        if node >= 0:
            expected[node] += 1
    assert dict(zip(nodes["id"].tolist(), nodes["folded"].tolist(), strict=True)) == expected
    if drawn:
        assert nodes["folded"].sum() == len(ids) - len(drawn)
    for node, is_collapsed in zip(nodes["id"].tolist(), nodes["collapsed"].tolist(), strict=True):
        assert is_collapsed == (node in collapsed and expected[node] > 0)


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 40))
def test_the_heaviest_are_kept(columns: dict[str, np.ndarray], max_nodes: int) -> None:
    drawn = set(tree_layout(columns, max_nodes=max_nodes)["id"].tolist())
    best = heaviest_below(columns)
    left_out = [best[node] for node in best if node not in drawn]
    if left_out:
        assert min(best[node] for node in drawn) >= max(left_out)


def test_equal_subtrees_are_drawn_equally() -> None:
    part = grow(np.random.default_rng(5), 41, duels=0.15)
    size = len(part)
    rows = [(2 * size, -1, -1, 0, 1.0)]
    for copy in (0, 1):
        for each, parent, rival, branch, weight in part:
            moved = [node + copy * size if node >= 0 else -1 for node in (each, parent, rival)]
            top = (2 * size, copy) if each == 0 else (moved[1], branch)
            rows.append((moved[0], top[0], moved[2], top[1], weight))
    nodes = tree_layout(table(rows))
    first, second = (np.flatnonzero((nodes["id"] < 2 * size) & (nodes["id"] // size == copy)) for copy in (0, 1))
    np.testing.assert_array_equal(nodes["id"][second] - size, nodes["id"][first])
    shift = nodes["x"][second] - nodes["x"][first]
    np.testing.assert_allclose(shift, shift[0])
    np.testing.assert_array_equal(nodes["y"][second], nodes["y"][first])


def test_small_pictures_by_hand() -> None:
    rows = [(0, -1, -1, 0, 9.0), (1, 0, -1, 0, 5.0), (2, 0, -1, 1, 4.0), (3, 1, -1, 0, 3.0), (4, 1, -1, 1, 2.0)]
    nodes = tree_layout(table(rows))
    assert nodes["id"].tolist() == [0, 1, 3, 4, 2]
    assert nodes["x"].tolist() == [0, -0.5, -1, 0, 0.5]
    assert nodes["y"].tolist() == [0, 1, 2, 2, 1]
    # an alternate pushes the sibling away, and the parent stays over its own two
    nodes = tree_layout(table([*rows, (7, -1, 1, 0, 1.0)]))
    place = dict(zip(nodes["id"].tolist(), zip(nodes["x"], nodes["y"], strict=True), strict=True))
    assert place[7] == (place[1][0] + 1, 1)
    assert place[2] == (place[7][0] + 1, 1)
    assert place[1][0] == -place[2][0] == -1
    # cut to three: the lightest below node 1, and the alternate, count there
    nodes = tree_layout(table([*rows, (7, -1, 1, 0, 1.0)]), max_nodes=3)
    assert nodes["id"].tolist() == [0, 1, 2]
    assert nodes["folded"].tolist() == [0, 3, 0]
    # a folded node's own alternate stays
    nodes = tree_layout(table([*rows, (7, -1, 1, 0, 1.0)]), collapsed=[1])
    assert nodes["id"].tolist() == [0, 1, 7, 2]
    assert nodes["folded"].tolist() == [0, 2, 0, 0]


# ------------------------------------------------------------------ the component


def drawn(columns: dict[str, np.ndarray], now: int, features: Any = FEATURES) -> Drawn:
    return Drawn("MLHAT", now, columns, {"features": features})


def shown(**params: Any) -> TreeView:
    view = TreeView(**params)
    rows = [(2**33, -1, -1, 0, 9.0), (1, 2**33, -1, 0, 5.0), (2, 2**33, -1, 1, 4.0), (3, 1, -1, 0, 3.0)]
    rows += [(4, 1, -1, 1, 2.0), (5, -1, 2, 1, 1.0)]
    columns = table(rows)
    columns["error"][4] = np.nan
    view.show(drawn(columns, 77))
    return view


def test_what_travels() -> None:
    view = shown()
    columns = received(view)
    assert view._frame["now"] == 77
    assert view._frame["n_nodes"] == 5, "an alternate is no part of the tree yet"
    assert columns["id"].tolist() == [2**33, 1, 3, 4, 2, 5]
    assert columns["parent"].tolist() == [-1, 0, 1, 1, 0, -1]
    assert columns["rival"].tolist() == [-1, -1, -1, -1, -1, 4]
    assert columns["error"][:3].tolist() == [0.25, 0.25, 0.25]
    assert np.isnan(columns["error"][3])
    assert columns["is_leaf"].tolist() == [False, False, True, True, True, True]
    assert columns["second"].tolist() == [False, False, False, True, True, True]
    assert columns["background"].tolist() == [False] * 5 + [True]
    assert columns["feature"].tolist() == [1, 1, -1, -1, -1, -1]


def test_folding_is_asked_for_by_the_browser_and_done_here() -> None:
    view = shown()
    first = view._frame["number"]
    view._handle_msg({"kind": "collapse", "id": 1})
    assert view.collapsed == [1]
    columns = received(view)
    assert view._frame["number"] == first + 1
    assert columns["id"].tolist() == [2**33, 1, 2, 5]
    assert columns["folded"].tolist() == [0, 2, 0, 0]
    assert columns["collapsed"].tolist() == [False, True, False, False]
    view._handle_msg({"kind": "collapse", "id": 2**33})
    assert received(view)["id"].tolist() == [2**33]
    view._handle_msg({"kind": "collapse", "id": 2**33})
    assert view.collapsed == [1]
    view.collapsed = []
    assert len(received(view)["id"]) == 6
