"""Hierarchical measures: equal to sets counted one by one, over all levels, at each, faded, merged, along a run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.measures import (
    HIERARCHICAL_MEASURES,
    LEVELS,
    Counts,
    Tracker,
    evaluate,
    hierarchical_f,
    hierarchical_scores,
    per_level,
)
from streamlab.schema import Feature, Hierarchy, Schema

TREE = Hierarchy((-1, -1, 0, 0, 2, 1))


@st.composite
def hierarchies(draw) -> Hierarchy:
    parents = []
    for label in range(draw(st.integers(1, 7))):
        several = draw(st.lists(st.integers(0, max(label - 1, 0)), unique=True, max_size=2)) if label else []
        parents.append(tuple(several))
    return Hierarchy(tuple(parents))


@st.composite
def answers(draw):
    hierarchy = draw(hierarchies())
    shape = draw(st.integers(1, 6)), len(hierarchy)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    Y, Z = ((rng.random(shape) < draw(st.sampled_from([0.1, 0.4]))).astype(np.uint8) for _ in range(2))
    return hierarchy, Y, Z


def closed(hierarchy: Hierarchy, row: np.ndarray) -> set[int]:
    own = set(np.flatnonzero(row).tolist())
    return own | {above for label in own for above in hierarchy.ancestors(label)}


@settings(deadline=None, max_examples=100)
@given(answers(), st.sampled_from([0.5, 1.0, 2.0]), st.sampled_from([1.0, 0.9]))
def test_sets_one_by_one_give_the_same(answered, beta, fading):
    hierarchy, Y, Z = answered
    counts = Counts.zeros(len(hierarchy), [LEVELS], n_levels=hierarchy.n_levels).count(
        Y, Z, fading=fading, hierarchy=hierarchy
    )
    hits = said = true = 0.0
    by_level = np.zeros((hierarchy.n_levels, 4))
    for age, (y, z) in enumerate(zip(Y[::-1], Z[::-1], strict=True)):
        y, z, weight = closed(hierarchy, y), closed(hierarchy, z), fading**age
        hits, said, true = hits + weight * len(y & z), said + weight * len(z), true + weight * len(y)
        for label in y | z:
            by_level[hierarchy.depth(label)] += weight * np.array([label in y & z, label in z, label in y, 0])
        if y != z:
            by_level[min(hierarchy.depth(label) for label in y ^ z), 3] += weight
    precision = hits / said if said else 0.0
    recall = hits / true if true else 0.0
    top = beta**2 * precision + recall
    expected = {"hierarchical_precision": precision, "hierarchical_recall": recall}
    values = evaluate(counts, HIERARCHICAL_MEASURES)
    assert {name: values[name] for name in expected} == pytest.approx(expected)
    assert hierarchical_f(counts, beta=beta) == pytest.approx((beta**2 + 1) * precision * recall / top if top else 0.0)
    assert values["hierarchical_f1"] == hierarchical_f(counts)
    np.testing.assert_allclose(counts.extra["levels"], by_level, atol=1e-12)
    table = per_level(counts)
    exact = counts.total("exact") if (hierarchy.first_gap(Y), hierarchy.first_gap(Z)) == (None, None) else None
    if exact is not None:
        assert table["first_wrong"].sum() + exact / counts.n == pytest.approx(1.0)


def test_by_hand():
    # 4 lies below 2 below 0: {0, 2, 4} answered {0, 3}; {1, 5} answered {1}; {0} answered nothing
    Y = [[1, 0, 1, 0, 1, 0], [0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0]]
    Z = [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]
    scores = hierarchical_scores(Y, Z, TREE, beta=2.0)
    assert scores == pytest.approx(
        {"hierarchical_precision": 2 / 3, "hierarchical_recall": 2 / 6, "hierarchical_f": 5 * 2 / (4 * 6 + 3)}
    )
    counts = Counts.zeros(6, [LEVELS], n_levels=3).count(Y, Z, hierarchy=TREE)
    table = per_level(counts)
    assert table["level"].tolist() == [0, 1, 2]
    assert table["support"].tolist() == [3, 2, 1]
    assert table["recall"].tolist() == pytest.approx([2 / 3, 0, 0])
    assert table["precision"].tolist() == [1, 0, 0]
    assert table["first_wrong"].tolist() == pytest.approx([1 / 3, 2 / 3, 0])


def test_what_is_predicted_without_ancestors_counts_with_them():
    bare = hierarchical_scores([[0, 0, 0, 0, 1, 0]], [[0, 0, 0, 1, 0, 0]], TREE)
    assert bare == hierarchical_scores([[1, 0, 1, 0, 1, 0]], [[1, 0, 0, 1, 0, 0]], TREE)
    assert bare["hierarchical_precision"] == 1 / 2


def test_bad_parameters_are_refused():
    counts = Counts.zeros(6, [LEVELS], n_levels=3)
    for beta in (-1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match="beta"):
            hierarchical_f(counts, beta=beta)
    flat = Counts.zeros(6)
    for call in (hierarchical_f, per_level):
        with pytest.raises(ValueError, match="no levels"):
            call(flat)
    with pytest.raises(ValueError, match="'hierarchical_f1' needs a hierarchy"):
        evaluate(flat, ["hierarchical_f1"])
    with pytest.raises(ValueError, match="'hierarchical_f1' needs a hierarchy"):
        Tracker(["a"], ["hierarchical_f1"])
    with pytest.raises(ValueError, match="hierarchy has 6 labels; expected 1"):
        Tracker(["a"], hierarchy=TREE)
    with pytest.raises(ValueError, match="expected a batch with the labels' hierarchy"):
        counts.count(np.zeros((1, 6)), np.zeros((1, 6)))
    with pytest.raises(ValueError, match="Y has 2 columns; the hierarchy is of 6 labels"):
        Counts.zeros(2, [LEVELS], n_levels=3).count([[0, 0]], [[0, 0]], hierarchy=TREE)
    with pytest.raises(ValueError, match=r"levels \(3, 4\); expected"):
        flat.add(counts)


def drawn(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return tuple(TREE.with_ancestors(rng.random((n, 6)) < 0.3) for _ in range(2))


@pytest.mark.parametrize("size", [1, 7, 40])
def test_a_tracker_in_any_chunks_keeps_its_levels_in_states_and_copies(size):
    Y, Z = drawn(40)
    whole, cut = (Tracker(list("abcdef"), hierarchy=TREE, n_rows=80) for _ in range(2))
    whole.update(Y, Z)
    for at in range(0, 40, size):
        cut.update(Y[at : at + size], Z[at : at + size])
        twin = Tracker(list("abcdef"), hierarchy=TREE, n_rows=80)
        twin.set_state(cut.state())
        cut = twin.copy()
    for over in ("cumulative", "faded"):
        assert cut.values(over) == whole.values(over)
        np.testing.assert_array_equal(cut.counts(over).extra["levels"], whole.counts(over).extra["levels"])
    assert set(HIERARCHICAL_MEASURES) < set(whole.values())
    parts = [Tracker(list("abcdef"), hierarchy=TREE).counted(Y[i::2], Z[i::2]) for i in range(2)]
    assert evaluate(parts[0].merge(parts[1])) == pytest.approx(evaluate(whole.counts()))


# ---------------------------------------------------------------------- along a run


@pytest.fixture
def run():
    rng = np.random.default_rng(1)
    ends = rng.choice(TREE.leaves, 700)
    Y = TREE.above[ends].astype(np.uint8)
    X = Y @ rng.normal(size=(6, 4)) + 0.7 * rng.normal(size=(700, 4))
    schema = Schema(tuple(Feature(f"x{i}") for i in range(4)), tuple("abcdef"), TREE)
    stream = sl.load((X, Y), schema=schema)
    return sl.Run(stream, {"tree": sl.HierarchicalKNN(), "flat": sl.FlatKNN(), "SMART": sl.SMART(seed=1)}, history=4)


def test_a_run_without_a_hierarchy_has_none_of_it():
    run = sl.Run(sl.load((np.zeros((10, 1)), np.eye(10))), {"m": sl.NoChange()})
    run.advance()
    assert not set(HIERARCHICAL_MEASURES) & set(run.curves().columns)
    with pytest.raises(ValueError, match="'hierarchical_f1' needs a hierarchy"):
        run.curves("chunk", ["hierarchical_f1"])
    with pytest.raises(ValueError, match="have no hierarchy"):
        run.level_curves()
