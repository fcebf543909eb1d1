"""Synthetic streams: cardinality, dependence, drift and the binary concepts are what was asked; rows are their own."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.streams.draws import uniform
from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.generated import generator
from streamlab.streams.generated.generator import Concept, MultiLabelGenerator, paper_stream
from streamlab.streams.stream import Drift

BASES = ("tree", "rbf", "hp")
HOWS = ("sudden", "gradual", "incremental", "recurrent")


def read(stream, n=None, size=1000, start=0):
    chunks = list(stream.chunks(size, start=start, stop=n))
    return np.concatenate([c.X for c in chunks]), np.concatenate([c.Y for c in chunks])


def numbers(low, high):
    return np.arange(low, high)


# --- the paper's streams


@pytest.mark.parametrize(("base", "how"), list(itertools.product(BASES, HOWS)))
def test_the_papers_streams(base, how):
    stream = paper_stream(base, how)
    n_features, n_labels, n_nominal = {"tree": (30, 8, 10), "rbf": (80, 25, 0), "hp": (30, 8, 0)}[base]
    assert stream.name == f"syn-{base}-{how}"
    assert (stream.n_rows, stream.schema.n_features, stream.schema.n_labels) == (50_000, n_features, n_labels)
    assert [f.is_nominal for f in stream.schema.features] == [False] * (n_features - n_nominal) + [True] * n_nominal
    width = {"gradual": 500, "incremental": 275}.get(how, 1)
    kinds = ["sudden", "recurrent", "recurrent"] if how == "recurrent" else [how] * 3
    assert stream.drifts == tuple(
        Drift(at, width, kind) for at, kind in zip((12_500, 25_000, 37_500), kinds, strict=True)
    )
    X, Y = read(stream)
    assert (X.dtype, Y.dtype, X.shape, Y.shape) == (np.float64, np.uint8, (50_000, n_features), (50_000, n_labels))
    assert X.flags.c_contiguous
    assert np.isfinite(X).all()
    assert (Y.max(1) == 1).all(), "no label set is empty, and there is nothing but 0 and 1"
    wanted = [1.5, 3.0, 1.5, 3.0] if how == "recurrent" else [1.5, 1.5, 3.0, 1.5]
    for k, begin in enumerate((0, 12_500, 25_000, 37_500)):
        settled = Y[begin + (width if k else 0) : begin + 12_500]
        assert settled.sum(1).mean() == pytest.approx(wanted[k], rel=0.02)
    if base != "rbf":
        assert X.min() >= 0
        assert X[:, : n_features - n_nominal].max() <= 1
    if n_nominal:
        np.testing.assert_array_equal(np.unique(X[:, -n_nominal:]), [0, 1, 2, 3, 4])


def test_each_drift_changes_the_concept_and_what_recurs_is_the_same():
    sudden, recurrent = paper_stream("tree", "sudden"), paper_stream("tree", "recurrent")
    assert len(set(sudden.concepts)) == 4
    assert recurrent.concepts == (sudden.concepts[0], sudden.concepts[2]) * 2
    for k in (0, 1):
        np.testing.assert_array_equal(recurrent.conditionals(k), recurrent.conditionals(k + 2))
        assert recurrent.combinations(k) == recurrent.combinations(k + 2)
    assert sudden.combinations(0) != sudden.combinations(3), "the fourth is like the first in z and u alone"


def test_endless():
    stream = paper_stream("hp", "recurrent", endless=True)
    assert stream.n_rows is None
    assert [d.start for d in stream.drifts] == [12_500, 25_000, 37_500]
    _, Y = read(stream, 80_000, start=60_000)
    assert Y.sum(1).mean() == pytest.approx(3.0, rel=0.02), "the last concept stays"
    far = 10**9
    tree = MultiLabelGenerator("tree", n_rows=None)
    np.testing.assert_array_equal(read(tree, far + 20, start=far)[0][10:], read(tree, far + 20, start=far + 10)[0])
    np.testing.assert_array_equal(
        read(stream, 50_000, start=49_000)[0], read(paper_stream("hp", "recurrent"), start=49_000)[0]
    )


def test_by_name():
    stream = sl.load("syn-hp-sudden", seed=3, n_rows=2000, endless=True)
    assert isinstance(stream, MultiLabelGenerator)
    assert (stream.n_rows, stream.seed, stream.at) == (None, 3, (500, 1000, 1500))
    np.testing.assert_array_equal(
        read(sl.load("syn-tree-gradual", n_rows=4000))[0], read(paper_stream("tree", "gradual", seed=1, n_rows=4000))[0]
    )
    table = sl.catalogue().set_index("name")
    names = [f"syn-{base}-{how}" for base, how in itertools.product(BASES, HOWS)]
    assert (table.loc[names, "where"] == "bundled").all()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("syn-hp-sudden", {"sed": 3}, "there is no option sed=; did you mean 'seed'?"),
        ("syn-hp-sudden", {"mirror": "x"}, "there is no option mirror="),
        ("syn-hp-sudden", {"labels": 3}, "labels=3 does not go with a name"),
        ("syn-hp-sudden", {"seed": -1}, "seed=-1 must be an integer"),
        ("syn-hp-sudden", {"endless": "yes"}, "endless='yes' must be True or False"),
        ("syn-hp-gradual", {"n_rows": 1999}, "n_rows=1999 must be an integer of at least 2,000"),
        ("syn-hp-suden", {}, "did you mean 'syn-hp-sudden'"),
        ("yeast", {"seed": 3}, "there is no option seed="),
        ("yeast", {"n_rows": 3}, "there is no option n_rows="),
        ("movies", {"endless": True}, "there is no option endless="),
    ],
)
def test_wrong_options_by_name(name, options, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        sl.load(name, **options)
    assert "\n" not in str(caught.value)


# --- rows are their own


@settings(max_examples=40, deadline=None)
@given(
    base=st.sampled_from(("tree", "rbf", "hyperplane")),
    how=st.sampled_from(("sudden", "gradual", "incremental")),
    size=st.sampled_from((1, 7, 100, 1000)),
    start=st.integers(0, 2999),
    seed=st.integers(0, 2**70),
)
def test_neither_chunk_size_nor_start_have_influence(base, how, size, start, seed):
    stream = MultiLabelGenerator(
        base,
        [Concept(seed=1), Concept(2.0, seed=2), Concept(seed=1)],
        at=[700, 2040],
        width=1 if how == "sudden" else 300,
        how=how,
        n_features=12,
        n_rows=3000,
        seed=seed,
    )
    stop = min(3000, start + 20 * size)
    for whole, part in zip(read(stream), read(stream, stop, size, start), strict=True):
        np.testing.assert_array_equal(part, whole[start:stop])


@pytest.mark.parametrize("base", ["tree", "rbf", "hyperplane"])
def test_seeds(base):
    one, same, other = (read(MultiLabelGenerator(base, n_rows=500, seed=s)) for s in (1, 1, 2))
    for a, b, c in zip(one, same, other, strict=True):
        np.testing.assert_array_equal(a, b)
        assert (a != c).mean() > 0.1


def test_numbers_are_those_of_drift():
    rows = np.arange(50, dtype=np.uint64)
    ours = [(int(kernels.row_state(np.uint64(7), 3, row)) >> 11) * 2.0**-53 for row in rows]
    np.testing.assert_array_equal(ours, uniform(7, 3, rows))
    state = np.array([kernels.row_state(np.uint64(7), 3, 0)])
    draws = np.array([kernels.draw(state) for _ in range(20_000)])
    np.testing.assert_allclose(np.histogram(draws, 10, (0, 1))[0] / 2e4, 0.1, atol=0.01)


# --- label sets


@pytest.mark.parametrize(("z", "u", "n"), [(1, 0.25, 4), (1.2, 0.5, 3), (2.5, 1, 12), (7.5, 0.3, 8), (4, 0, 40)])
def test_cardinality(z, u, n):
    stream = MultiLabelGenerator("rbf", Concept(z, u, seed=5), n_features=3, n_labels=n, n_rows=20_000)
    assert read(stream)[1].sum(1).mean() == pytest.approx(z, rel=0.02)
    priors = stream.priors()
    assert priors.sum() == pytest.approx(z)
    assert 0 < priors.min() <= priors.max() <= 1
    conditional = stream.conditionals()
    assert 0 <= conditional.min() <= conditional.max() <= 1


def matrix(u, n=40, seed=3):
    return MultiLabelGenerator("rbf", Concept(1.5, u, seed), n_features=2, n_labels=n).dependencies()


def test_share_of_dependent_pairs():
    pairs = np.triu_indices(40, 1)
    n = len(pairs[0])
    for u in (0.15, 0.25, 0.6):
        found = matrix(u)
        np.testing.assert_array_equal(found, found.T)
        dependent = (found[pairs] != 0).sum()
        assert abs(dependent - u * n) < 4 * np.sqrt(n * u * (1 - u))
        assert abs((found[pairs] > 0).sum() - dependent / 2) < 4 * np.sqrt(dependent / 4)
    assert not matrix(0).any()
    assert (matrix(1)[pairs] != 0).all()
    fewer, more = matrix(0.15), matrix(0.25)
    np.testing.assert_array_equal(fewer[fewer != 0], more[fewer != 0]), "the same pairs, and some more"


def test_pairs_drawn_together_and_apart():
    n_seen = {1: 0, -1: 0}
    for seed in range(6):
        free, bound = (MultiLabelGenerator("rbf", Concept(2, u, seed), n_features=2, n_centroids=2) for u in (0, 0.25))
        priors, signs = bound.priors(), bound.dependencies()
        np.testing.assert_array_equal(priors, free.priors())
        without, given_ = (Y.T.astype(float) @ Y / len(Y) for _, Y in map(read, (free, bound)))
        for j, k in itertools.combinations(range(8), 2):
            extreme = {1: max, -1: min, 0: lambda a, _: a}[signs[j, k]]
            ratio = extreme(priors[j], priors[k]) / priors[j]
            # Bayes' rule, where nothing is clipped
            P = bound.conditionals()
            if P[j, k] < 1 and P[k, j] < 1:
                assert P[j, k] * priors[k] == pytest.approx(P[k, j] * priors[j])
            if ratio > 1.5:
                n_seen[1] += 1
                assert given_[j, k] > without[j, k]
            if ratio < 0.6:
                n_seen[-1] += 1
                assert given_[j, k] < without[j, k]
    assert min(n_seen.values()) >= 3


# --- drift


def four(how, width=1, **options):
    concepts = [Concept(1.5, 0.25, 1), Concept(3, 0.25, 1), Concept(1.5, 0.25, 2)]
    return MultiLabelGenerator("rbf", concepts, at=[1000, 5000], width=width, how=how, n_rows=12_000, **options)


def test_sudden_and_recurrent():
    stream = four("sudden")
    assert stream.concept_of([0, 999, 1000, 4999, 5000, 11_999]).tolist() == [0, 0, 1, 1, 2, 2]
    assert stream.share([0, 999, 1000, 5000]).tolist() == [0, 0, 1, 2]
    back = MultiLabelGenerator(concepts=[Concept(), Concept(seed=1), Concept()], at=[10, 20])
    assert [d.kind for d in back.drifts] == ["sudden", "recurrent"]


def test_gradual():
    stream = four("gradual", 2000, seed=4)
    concept = stream.concept_of(numbers(0, 12_000))
    assert not concept[:1000].any()
    assert set(concept[1000:3000].tolist()) == {0, 1}
    assert (concept[3000:5000] == 1).all()
    assert (concept[7000:] == 2).all()
    mix = concept[1000:3000].reshape(4, 500).mean(1)
    assert (np.diff(mix) > 0).all()
    np.testing.assert_allclose(mix, stream.share(numbers(1000, 3000)).reshape(4, 500).mean(1), atol=0.06)
    # A row is wholly from its concept: the same row of a stream that has this concept alone.
    X, Y = read(stream)
    for k, concept_k in enumerate(stream.concepts):
        alone_X, alone_Y = read(MultiLabelGenerator("rbf", concept_k, n_rows=12_000, seed=4))
        np.testing.assert_array_equal(X[concept == k], alone_X[concept == k])
        np.testing.assert_array_equal(Y[concept == k], alone_Y[concept == k])


def test_incremental():
    stream = four("incremental", 2000)
    share = stream.share(numbers(0, 12_000))
    assert not share[:1000].any()
    assert (np.diff(share[999:3000]) > 0).all()
    assert (share[2999:5000] == 1).all()
    assert (share[6999:] == 2).all()
    assert share[1000:3000].mean() == pytest.approx(0.5, abs=0.001)
    concept = stream.concept_of(numbers(0, 12_000))
    assert np.flatnonzero(np.diff(concept)).tolist() == [1998, 5998]
    sizes = read(stream)[1].sum(1).astype(float)
    stretches = [sizes[a:b].mean() for a, b in ((0, 1000), (1000, 1667), (1667, 2333), (2333, 3000), (3000, 5000))]
    assert (np.diff(stretches) > 0).all()
    sudden = MultiLabelGenerator("rbf", stream.concepts, at=[1000, 5000], n_rows=12_000)
    one = MultiLabelGenerator("rbf", stream.concepts, at=[1000, 5000], n_rows=12_000, how="incremental")
    np.testing.assert_array_equal(read(sudden)[0], read(one)[0])


def test_incremental_moves_centroids_and_hyperplane_and_switches_trees():
    def parts(base, rows, **options):
        concepts = [Concept(seed=1), Concept(seed=2)]
        return MultiLabelGenerator(base, concepts, at=[0], width=1000, how="incremental", n_rows=rows, **options)

    left, right, share, structure = parts("tree", 1000)._standing(numbers(0, 1000))
    assert share[499] == 0.5
    assert (left[:999] == 0).all()
    assert (right[:999] == 1).all()
    assert structure[:300].mean() < structure[300:600].mean() < structure[600:].mean()
    # Centroids half-way: without spread every value stands half-way between the two concepts' centres.
    centres = np.array([[[0.0, 0.0], [2.0, 2.0]], [[1.0, 1.0], [5.0, 5.0]]])
    out = np.empty(2)
    state = np.ones(1, np.uint64)
    for wanted, expected in ((0, 0.5), (1, 3.5)):
        c = kernels.draw_centroid(state, wanted, np.ones(2), np.ones(2), 0.5)
        assert c == wanted
        kernels.draw_around(state, centres[0, c], centres[1, c], 0.0, 0.5, out)
        assert out.tolist() == [expected, expected]


# --- the binary generators


def all_positive(stream, value=1):
    n = stream.n_rows
    return np.full((n, stream.schema.n_labels), value, np.uint8), np.empty((n, stream.schema.n_features))


@pytest.mark.parametrize(("seed", "n_nominal", "depth"), [(1, 0, 1), (2, 4, 5), (3, 8, 3), (4, 8, 4)])
def test_tree(seed, n_nominal, depth):
    stream = MultiLabelGenerator("tree", Concept(seed=seed), n_features=8, n_nominal=n_nominal, depth=depth, n_rows=500)
    classes, volumes, low, high = generator._leaves(seed, 8 - n_nominal, 8, depth)
    assert set(classes.tolist()) == {0, 1}
    assert volumes.sum() == pytest.approx(5.0**n_nominal), "the leaves fill the space"

    def classify(x):
        inside = ((low <= x) & (x < high)).all(1)
        assert inside.sum() == 1, "and do not overlap"
        return classes[np.flatnonzero(inside)[0]]

    here = np.zeros(500, np.int64)
    for wanted in (0, 1):
        Y, X = all_positive(stream, wanted)
        kernels.tree_features(np.uint64(9), 0, here, Y, *stream._leaves, 8 - n_nominal, *stream._map, X)
        assert {classify(x) for x in X} == {wanted}
        fraction = volumes[(classes == wanted) & (low[:, 0] == 0) & (high[:, 0] < 0.5)].sum()
        inside = volumes[classes == wanted].sum()
        seen = [i for x in X for i in np.flatnonzero(((low <= x) & (x < high)).all(1))]
        share = np.isin(seen, np.flatnonzero((low[:, 0] == 0) & (high[:, 0] < 0.5))).mean()
        assert share == pytest.approx(fraction / inside, abs=0.1), "leaves by their volume"


def test_rbf():
    stream = MultiLabelGenerator("rbf", n_features=20, n_centroids=7, n_rows=4000)
    still = np.zeros_like(stream._spreads)
    here = np.zeros(4000, np.int64)
    for wanted in (0, 1):
        Y, X = all_positive(stream, wanted)
        options = (here, here, np.zeros(4000), here, Y, stream._cumulative_weights, stream._centres)
        kernels.rbf_features(np.uint64(9), 0, *options, still, *stream._map, X)
        distance = np.abs(X[:, None, :] - stream._centres[0]).max(2)
        nearest = distance.argmin(1)
        assert distance.min(1).max() == 0, "without spread, each value is a centroid's"
        weights = np.zeros(7)
        weights[wanted::2] = np.diff(stream._cumulative_weights[0, wanted::2], prepend=0)
        np.testing.assert_allclose(np.bincount(nearest, minlength=7) / 4000, weights / weights.sum(), atol=0.03)
        kernels.rbf_features(np.uint64(9), 0, *options, stream._spreads, *stream._map, X)
        offset = np.sqrt(((X - stream._centres[0, nearest]) ** 2).sum(1)) / stream._spreads[0, nearest]
        assert np.sqrt((offset**2).mean()) == pytest.approx(1, abs=0.05), "the distance is Gaussian with its spread"


@pytest.mark.parametrize("noise", [0.0, 0.05, 1.0])
def test_hyperplane(noise):
    n = 20_000
    stream = MultiLabelGenerator("hyperplane", n_rows=n, magnitude=0.01, noise=noise)
    here = np.zeros(n, np.int64)
    steps, direction = stream._walk_to(0)
    walked = np.empty((n, 10), np.int64)
    kernels.walk(np.uint64(0), 0, n, steps, direction, walked)
    assert (np.abs(np.diff(walked, axis=0)) == 1).all()
    turned = (np.diff(walked, axis=0)[1:] != np.diff(walked, axis=0)[:-1]).mean()
    assert turned == pytest.approx(0.1, abs=0.005)
    np.testing.assert_array_equal(stream._walk_to(n)[0], steps)
    w = np.tile(stream._weights[0], (n, 1))
    w[:, :10] += 0.01 * walked
    for wanted in (0, 1):
        Y, X = all_positive(stream, wanted)
        kernels.hyperplane_features(
            np.uint64(0), 0, here, here, np.zeros(n), here, Y, stream._weights, walked, 0.01, noise,
            *stream._map, X,
        )  # fmt: skip
        of_class = ((w * X).sum(1) >= 0.5 * w.sum(1)) == wanted
        assert (~of_class).mean() == pytest.approx(noise, abs=0.006)
    # And the stream itself: where all labels are on, all values are the positive's.
    stream = MultiLabelGenerator("hyperplane", Concept(1.8), n_labels=2, n_rows=2000, magnitude=0, noise=0)
    X, Y = read(stream)
    w = stream._weights[0]
    assert (X[Y.all(1)] @ w >= 0.5 * w.sum()).all()


# --- features


def test_feature_map():
    stream = MultiLabelGenerator("rbf", Concept(3, 0.25, 1), n_features=80, n_labels=25)
    found = stream.combinations()
    sizes = np.array([len(c) for c in found])
    assert (sizes == 1).sum() == 60
    assert set(sizes.tolist()) == {1, 2, 3}
    singles = np.bincount([c[0] for c in found if len(c) == 1], minlength=25)
    assert set(singles.tolist()) <= {2, 3}, "spread evenly"
    Y = read(stream, 20_000)[1]
    for labels in found:
        assert Y[:, list(labels)].all(1).any(), "it really occurs"
    few = MultiLabelGenerator("rbf", n_features=10, n_labels=9).combinations()
    assert {c[0] for c in few if len(c) == 1} == set(range(9)), "every label has a feature of its own"
    assert all(len(c) == 1 for c in MultiLabelGenerator("rbf", Concept(1), n_labels=4).combinations())
    # The single labels are the same for another cardinality of the same seed.
    other = MultiLabelGenerator("rbf", Concept(1.5, 0.1, 1), n_features=80, n_labels=25).combinations()
    assert [c for c in found if len(c) == 1] == [c for c in other if len(c) == 1]


def test_features_follow_their_labels():
    stream = MultiLabelGenerator("hyperplane", Concept(2, 0.25, 3), n_features=20, magnitude=0, noise=0)
    X, Y = read(stream)
    strong = 0
    for f, labels in enumerate(stream.combinations()):
        on = Y[:, list(labels)].all(1)
        if stream._weights[0, f] > 0.3 and on.sum() > 1000:
            strong += 1
            error = np.sqrt(1 / 12 * (1 / on.sum() + 1 / (~on).sum()))
            assert X[on, f].mean() - X[~on, f].mean() > 3 * error
    assert strong >= 8


def test_rows_take_positive_and_negative_values_by_the_map():
    stream = MultiLabelGenerator("rbf", n_features=6, n_rows=300)
    X, Y = read(stream)
    here = np.zeros(300, np.int64)
    options = (here, here, np.zeros(300), here)
    both = []
    for value in (0, 1):
        labels, out = all_positive(stream, value)
        parts = (stream._cumulative_weights, stream._centres, stream._spreads, *stream._map, out)
        kernels.rbf_features(np.uint64(0), 0, *options, labels, *parts)
        both.append(out)
    for f, labels in enumerate(stream.combinations()):
        np.testing.assert_array_equal(X[:, f], np.where(Y[:, list(labels)].all(1), both[1][:, f], both[0][:, f]))


# --- errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base": "forest"}, "base='forest' is unknown; expected 'tree', 'rbf', 'hyperplane'"),
        ({"how": "suden"}, "how='suden' is unknown; expected 'sudden', 'gradual', 'incremental'; did you mean"),
        ({"n_features": 0}, "n_features=0 must be an integer of at least 1"),
        ({"n_labels": 1}, "n_labels=1 must be an integer of at least 2"),
        ({"n_labels": 2.5}, "n_labels=2.5 must be an integer"),
        ({"n_rows": -1}, "n_rows=-1 must be an integer"),
        ({"seed": -1}, "seed=-1 must be an integer of at least 0"),
        ({"concepts": Concept(8)}, "cardinality=8 must be below n_labels=8"),
        ({"concepts": []}, "concepts=() is empty"),
        ({"concepts": [3]}, "concepts: 3 is no Concept"),
        ({"at": 5}, "at=(5,): expected 0 positions for 1 concepts"),
        ({"concepts": [Concept()] * 2}, "at=(): expected 1 positions for 2 concepts"),
        ({"concepts": [Concept()] * 2, "at": [-1]}, "at=-1: expected positions"),
        ({"concepts": [Concept()] * 2, "at": [50_000]}, "at=50000: expected a position before the end of the 50,000"),
        ({"concepts": [Concept()] * 3, "at": [9, 8]}, "at=(9, 8): expected increasing positions"),
        (
            {"concepts": [Concept()] * 3, "at": [0, 8], "how": "gradual", "width": 9},
            "at=(0, 8): expected increasing positions at least width=9 apart",
        ),
        ({"width": 0}, "width=0 must be an integer of at least 1"),
        ({"width": 5}, "width=5: a sudden drift has the width 1"),
        ({"n_nominal": 31}, "n_nominal=31 must be an integer from 0 to 30"),
        ({"depth": 9}, "depth=9 must be an integer from 1 to 8"),
        ({"noise": 0.1}, "noise=0.1 goes with base='hyperplane', not with 'tree'"),
        ({"base": "rbf", "n_centroids": 1}, "n_centroids=1 must be an integer of at least 2"),
        ({"base": "rbf", "n_nominal": 1}, "n_nominal=1 goes with base='tree'"),
        ({"base": "hyperplane", "noise": 1.5}, "noise=1.5 must be a number from 0 to 1"),
        ({"base": "hyperplane", "n_drifting": 31}, "n_drifting=31 must be an integer from 0 to 30"),
        ({"base": "hyperplane", "magnitude": float("nan")}, "magnitude=nan must be a number"),
    ],
)
def test_wrong_parameters(options, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        MultiLabelGenerator(**options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cardinality": 0.9}, "cardinality=0.9 must be a number of at least 1"),
        ({"cardinality": "a"}, "cardinality='a' must be a number"),
        ({"dependency": 1.1}, "dependency=1.1 must be a number from 0 to 1"),
        ({"seed": 0.5}, "seed=0.5 must be an integer"),
    ],
)
def test_wrong_concepts(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Concept(**options)


def test_wrong_paper_streams():
    with pytest.raises(ValueError, match="base='hyperplane' is unknown; expected 'tree', 'rbf', 'hp'"):
        paper_stream("hyperplane", "sudden")
    with pytest.raises(ValueError, match="how='slow' is unknown"):
        paper_stream("hp", "slow")


def test_schema():
    features = MultiLabelGenerator("tree", n_features=3, n_nominal=1, n_labels=2).schema.features
    assert [(f.name, f.low, f.high) for f in features] == [("f1", 0, 1), ("f2", 0, 1), ("f3", None, None)]
    assert features[2].categories == ("c1", "c2", "c3", "c4", "c5")
    rbf = MultiLabelGenerator("rbf").schema
    assert rbf.features[0].low is None
    assert rbf.labels[:2] == ("l1", "l2")
    x, y = next(iter(MultiLabelGenerator("tree", n_features=3, n_nominal=1, n_labels=2)))
    assert x["f3"].startswith("c")
    assert set(y) == {"l1", "l2"}
