"""The generator of multi-label streams, the paper's streams made by it, and their draws."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.streams.draws import key_base, uniform
from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.generated.concept import Concept
from streamlab.streams.generated.entries import paper_stream
from streamlab.streams.generated.generator import MultiLabelGenerator
from streamlab.streams.generated.regions import RegionGenerator
from streamlab.streams.stream import Drift
from tests.streams.generated.read import numbers, read


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

    left, right, share, structure = parts("tree", 1000)._row_concepts(numbers(0, 1000))
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


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (MultiLabelGenerator, {"base": "forest"}, "base='forest': expected 'tree', 'rbf' or 'hyperplane'"),
        (
            MultiLabelGenerator,
            {"how": "suden"},
            "how='suden': expected 'sudden', 'gradual' or 'incremental'; did you mean",
        ),
        (MultiLabelGenerator, {"n_features": 0}, "n_features=0: expected a whole number, at least 1"),
        (MultiLabelGenerator, {"n_labels": 1}, "n_labels=1: expected a whole number, at least 2"),
        (MultiLabelGenerator, {"n_labels": 2.5}, "n_labels=2.5: expected a whole number"),
        (MultiLabelGenerator, {"n_rows": -1}, "n_rows=-1: expected a whole number"),
        (MultiLabelGenerator, {"seed": -1}, "seed=-1: expected a whole number, at least 0"),
        (MultiLabelGenerator, {"concepts": Concept(8)}, "cardinality=8 must be below n_labels=8"),
        (MultiLabelGenerator, {"concepts": []}, "concepts=() is empty"),
        (MultiLabelGenerator, {"concepts": [3]}, "concepts: 3 is not a Concept"),
        (MultiLabelGenerator, {"at": 5}, "at=(5,): expected 0 positions for 1 concepts"),
        (MultiLabelGenerator, {"concepts": [Concept()] * 2}, "at=(): expected 1 positions for 2 concepts"),
        (MultiLabelGenerator, {"concepts": [Concept()] * 2, "at": [-1]}, "at=-1: expected a whole number"),
        (
            MultiLabelGenerator,
            {"concepts": [Concept()] * 2, "at": [50_000]},
            "at=50000: expected a position before the end of the 50,000",
        ),
        (
            MultiLabelGenerator,
            {"concepts": [Concept()] * 3, "at": [9, 8]},
            "at=8 follows 9: expected ascending positions",
        ),
        (
            MultiLabelGenerator,
            {"concepts": [Concept()] * 3, "at": [0, 8], "how": "gradual", "width": 9},
            "at=8 follows 0: expected ascending positions, at least width=9 apart",
        ),
        (MultiLabelGenerator, {"width": 0}, "width=0: expected a whole number, at least 1"),
        (MultiLabelGenerator, {"width": 5}, "width=5: a sudden drift has the width 1"),
        (MultiLabelGenerator, {"n_nominal": 31}, "n_nominal=31: expected a whole number from 0 to 30"),
        (MultiLabelGenerator, {"base": "rbf", "n_nominal": 1}, "n_nominal=1: expected"),
        (Concept, {"cardinality": 0.9}, "cardinality=0.9: expected a number, at least 1"),
        (Concept, {"cardinality": "a"}, "cardinality='a': expected a number"),
        (Concept, {"dependency": 1.1}, "dependency=1.1: expected a number from 0 to 1"),
        (Concept, {"seed": 0.5}, "seed=0.5: expected a whole number"),
        (RegionGenerator, {"n_rows": -1}, "n_rows=-1"),
        (RegionGenerator, {"at": [200_000]}, "at=200000"),
        (RegionGenerator, {"seed": -1}, "seed=-1"),
        (RegionGenerator, {"change": "tests"}, "change='tests'"),
        (paper_stream, {"base": "hyperplane", "how": "sudden"}, "base='hyperplane': expected 'tree', 'rbf' or 'hp'"),
        (paper_stream, {"base": "hp", "how": "slow"}, "how='slow': expected 'sudden'"),
    ],
)
def test_wrong_parameters(make, options, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        make(**options)
    assert "\n" not in str(caught.value)


BASES = ("tree", "rbf", "hp")
HOWS = ("sudden", "gradual", "incremental", "recurrent")


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
        np.testing.assert_array_equal(recurrent._conditionals[k], recurrent._conditionals[k + 2])
        np.testing.assert_array_equal(recurrent._combinations[k], recurrent._combinations[k + 2])
    assert (sudden._combinations[0] != sudden._combinations[3]).any(), "the fourth is like the first in z and u alone"


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


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("syn-hp-sudden", {"sed": 3}, "there is no option sed=; did you mean 'seed'?"),
        ("syn-hp-sudden", {"mirror": "x"}, "there is no option mirror="),
        ("syn-hp-sudden", {"labels": 3}, "labels=3 does not go with a name"),
        ("syn-hp-sudden", {"seed": -1}, "seed=-1: expected a whole number"),
        ("syn-hp-sudden", {"endless": "yes"}, "endless='yes': expected True or False"),
        ("syn-hp-gradual", {"n_rows": 1999}, "n_rows=1999: expected a whole number, at least 2,000"),
        ("syn-hp-suden", {}, "did you mean 'syn-hp-sudden'"),
        ("movies", {"endless": True}, "there is no option endless="),
    ],
)
def test_wrong_options_by_name(name, options, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        sl.load(name, **options)
    assert "\n" not in str(caught.value)


def test_wrappers_of_one_seed_draw_apart():
    rows = np.arange(50_000)
    keys = [key_base(kind) for kind in ("label swap", "feature swap", "feature noise", "new label", "label vanishing")]
    draws = np.array([uniform(0, key, rows) for key in [0, *keys]])
    assert (abs(np.corrcoef(draws) - np.eye(6)) < 0.02).all()
