"""The forest without a browser: layout algebra, message size, and what it says of a run's evidence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.views.kit.picture import Budget, Drawn, Subject
from streamlab.views.pictures.forest.picture import ForestPicture, layout

TOLERANCE = 1e-9


def grow(
    rng: np.random.Generator, n_trees: int, depths: int, split: float = 0.9, ends: float = 0.1
) -> dict[str, np.ndarray]:
    """Random trees: each node splits with some chance, and some of its weight may end in it."""
    rows = []
    for tree in range(n_trees):
        total = rng.uniform(1, 500)
        level = [(0, -1, total)]
        for depth in range(depths):
            below = []
            for node, parent, weight in level:
                rows.append((len(rows), tree, node, parent, depth, weight, weight / total))
                if rng.random() < split:
                    left = rng.beta(0.7, 0.7) * weight * (1 - rng.uniform(0, ends))
                    right = (weight - left) * (1 - rng.uniform(0, ends))
                    below += [(2 * node + 1, len(rows) - 1, left), (2 * node + 2, len(rows) - 1, right)]
            level = below
    names = ("id", "tree", "node", "parent", "depth", "weight", "share")
    columns = {name: np.array(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}
    count = len(rows)
    return columns | {
        "age": rng.integers(0, 1000, count),
        "fill": rng.random(count),
        "before": rng.random(count),
        "lit": rng.random(count) < 0.1,
        "cardinality": rng.uniform(0, 4, count),
        "top": rng.integers(-1, 6, count),
    }


@st.composite
def tables(draw: st.DrawFn) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns = grow(rng, draw(st.integers(1, 4)), draw(st.integers(1, 6)), draw(st.floats(0, 1)), draw(st.floats(0, 1)))
    order = rng.permutation(len(columns["id"]))
    # ids are given once and never reused, so those at hand have gaps and no order.
    ids = np.append(rng.choice(10 * len(order), len(order), replace=False) + draw(st.sampled_from([0, 2**40])), -1)
    columns |= {"id": ids[columns["id"]], "parent": ids[columns["parent"]]}
    return {name: values[order] for name, values in columns.items()}


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 6), st.integers(0, 60))
def test_cells_are_shares_within_their_parents(columns: dict[str, np.ndarray], max_depth: int, max_cells: int) -> None:
    cells = layout(columns, max_depth=max_depth, max_cells=max_cells)
    rows = cells["row"]
    assert len(rows) == min(max_cells, int((columns["depth"] <= max_depth).sum()))
    np.testing.assert_allclose(cells["x1"] - cells["x0"], columns["share"][rows], atol=TOLERANCE)
    place = {int(node_id): i for i, node_id in enumerate(cells["id"])}
    for i, row in enumerate(rows):
        if columns["parent"][row] < 0:
            assert cells["x0"][i] == 0
            continue
        above = place[int(columns["parent"][row])]  # a KeyError here: an ancestor is missing
        assert cells["x0"][above] - TOLERANCE <= cells["x0"][i] <= cells["x1"][i] <= cells["x1"][above] + TOLERANCE
        if columns["node"][row] % 2:
            assert cells["x0"][i] == cells["x0"][above]
        else:
            assert cells["x1"][i] == cells["x1"][above]


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 60))
def test_the_widest_are_kept_in_drawing_order(columns: dict[str, np.ndarray], max_cells: int) -> None:
    cells = layout(columns, max_depth=6, max_cells=max_cells)
    left_out = np.setdiff1d(np.arange(len(columns["id"])), cells["row"])
    if len(left_out):
        assert columns["share"][cells["row"]].min() >= columns["share"][left_out].max() - TOLERANCE
    for before, after in zip(range(len(cells["id"])), range(1, len(cells["id"])), strict=False):
        assert tuple(cells[name][before] for name in ("tree", "depth", "x0")) <= tuple(
            cells[name][after] for name in ("tree", "depth", "x0")
        )


def test_siblings_never_overlap_and_gaps_are_weight_that_ended() -> None:
    columns = grow(np.random.default_rng(4), 1, 2, split=1.0, ends=0.5)
    cells = layout(columns)
    first, second = (int(np.flatnonzero(cells["row"] == row)[0]) for row in (1, 2))
    ended = 1 - columns["share"][1] - columns["share"][2]
    assert cells["x0"][second] - cells["x1"][first] == pytest.approx(ended)
    assert ended > 0


# ---------------------------------------------------------------------- the picture of a run


def picture_of(run: sl.Run, name: str = "SMART", selection: Any = None) -> Drawn:
    return ForestPicture().columns(Subject(name, run.learner_runs[name].learner, run), selection, Budget())


@pytest.fixture(scope="module")
def run() -> sl.Run:
    """The default demonstration, 212 rows after its drift."""
    run = sl.Run("yeast-rotated", {"SMART": sl.SMART(seed=0), "without": sl.SMART(half_life=math.inf, seed=0)})
    run.advance(1412)
    return run


@pytest.mark.parametrize(("name", "said", "full"), [("SMART", 0.4757, 289.04), ("without", 0.8499, 1412.0)])
def test_the_picture_says_what_theory_says(run: sl.Run, name: str, said: float, full: float) -> None:
    picture = picture_of(run, name)
    assert picture.extra["share"] == pytest.approx(said, abs=1e-4)
    assert picture.extra["mark"] == {"row": 1200, "drift": 1, "since": 212}
    assert picture.extra["full"] == pytest.approx(full, abs=0.01)
    roots = picture.columns["depth"] == 0
    np.testing.assert_allclose(picture.columns["before"][roots], picture.extra["share"])
    assert picture.columns["fill"][roots].min() > 0.95


def test_the_filled_area_of_a_level_is_the_evidence_of_its_cells(run: sl.Run) -> None:
    picture = picture_of(run, "without")
    cells, full = picture.columns, picture.extra["full"]
    # where nothing fades, every cell keeps all that came
    np.testing.assert_allclose(cells["fill"], 1.0)
    np.testing.assert_allclose(cells["fill"] * cells["share"] * full, cells["weight"], rtol=1e-9)
    fading = picture_of(run)
    cells, full = fading.columns, fading.extra["full"]
    below = cells["fill"] < 1
    assert below.any()
    np.testing.assert_allclose((cells["fill"] * cells["share"])[below] * full, cells["weight"][below], rtol=1e-9)
    assert (cells["share"] >= 0.004).all()


def test_the_latest_row_lights_one_cell_of_each_level_in_each_tree(run: sl.Run) -> None:
    cells = picture_of(run).columns
    lit = cells["lit"]
    pairs = list(zip(cells["tree"][lit].tolist(), cells["depth"][lit].tolist(), strict=True))
    assert len(pairs) == len(set(pairs)) > 100
    assert {depth for _, depth in pairs} == set(range(8))
    assert (cells["age"][lit] == 0).all()


def test_before_any_drift_all_is_solid_and_a_mark_by_hand_counts() -> None:
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=0, n_trees=3)})
    assert picture_of(run).extra["mark"] is None
    run.advance(300)
    picture = picture_of(run)
    assert (picture.extra["mark"], picture.extra["share"]) == (None, 0.0)
    assert not picture.columns["before"].any()
    run.mark()
    run.advance(200)
    picture = picture_of(run)
    assert picture.extra["mark"] == {"row": 300, "drift": 0, "since": 200}
    assert picture.extra["share"] == pytest.approx(0.5 * (1 - 2**-1.5) / (1 - 2**-2.5), rel=1e-9)
