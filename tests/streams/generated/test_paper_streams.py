"""The paper's twelve streams: size, drifts and cardinality as published; by name, with options."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams.generated.generator import MultiLabelGenerator
from streamlab.streams.generated.paper_streams import paper_stream
from streamlab.streams.stream import Drift
from tests.streams.generated.read import read

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
