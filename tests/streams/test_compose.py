"""Streams one after another."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams import (
    ArrayStream,
    ComposedStream,
    JoinedStream,
    compose,
    from_recipe,
)
from streamlab.streams.changes.labels import swap_labels
from streamlab.streams.changes.rows import prior_shift
from streamlab.streams.stream import Drift, Stream
from tests.streams.changes.made import rows_of


def part(which, n=1000):
    """Row i holds (which, i), so that it says where it comes from."""
    X = np.stack([np.full(n, float(which)), np.arange(float(n))], axis=1)
    return ArrayStream(X, np.full((n, 2), which % 2), name=f"part {which}")


class Endless(Stream):
    """As ``part``, without end."""

    def __init__(self, which):
        self.which = which
        self.name = "endless"
        self.schema = part(0).schema

    def blocks(self, start=0):
        while True:
            X = np.stack([np.full(77, float(self.which)), np.arange(start, start + 77.0)], axis=1)
            yield X, np.full((77, 2), self.which % 2, np.uint8)
            start += 77


def numbers_of(stream, size=100, start=0, stop=None):
    """Which stream each row comes from, and its number there."""
    return rows_of(stream, size, start, stop)[0].astype(np.int64)


def test_sudden_and_recurrent():
    a, b, c = part(0), part(1), part(2)
    stream = compose([a, b, a, c], at=[100, 250, 400], n_rows=600)
    got = numbers_of(stream)
    expected = [(0, range(100)), (1, range(150)), (0, range(100, 250)), (2, range(200))]
    assert got.tolist() == [[which, i] for which, places in expected for i in places]
    assert stream.drifts == (Drift(100, 1, "sudden"), Drift(250, 1, "recurrent"), Drift(400, 1, "sudden"))
    assert stream.streams == [a, b, c]
    np.testing.assert_array_equal(stream.concept_of(np.arange(600)), got[:, 0])
    assert stream.n_rows == 600
    assert stream.name == "part 0 → part 1 → part 0 → part 2"
    assert isinstance(stream, ComposedStream)


@settings(max_examples=200, deadline=None)
@example(order=[0, 1, 0], gaps=[0] * 4, width=2, seed=0, size=1, start=6, known=False)  # changes touch each other
@given(
    order=st.lists(st.integers(0, 2), min_size=2, max_size=5),
    gaps=st.lists(st.integers(0, 300), min_size=4, max_size=4),
    width=st.sampled_from([1, 2, 50, 200]),
    seed=st.integers(0, 2**40),
    size=st.integers(1, 700),
    start=st.integers(0, 2500),
    known=st.booleans(),
)
def test_every_stream_delivers_its_rows_in_order(order, gaps, width, seed, size, start, known):
    order = [which for i, which in enumerate(order) if i == 0 or order[i - 1] != which]
    if len(order) < 2:
        order = [0, 1]
    parts = [part(i, 2000) if known else Endless(i) for i in range(3)]
    at = np.cumsum([gap + width for gap in gaps[: len(order) - 1]]).tolist()
    stream = compose([parts[i] for i in order], at=at, width=width, seed=seed)
    whole = numbers_of(stream, 10_000, stop=3000)
    for which in set(order):
        mine = whole[whole[:, 0] == which, 1]
        np.testing.assert_array_equal(mine, np.arange(len(mine)))
    rows = np.arange(len(whole))
    segment = np.searchsorted(at, rows, side="right")
    settled = (segment == 0) | (rows >= np.array([0, *at])[segment] + width)
    np.testing.assert_array_equal(whole[settled, 0], np.array(order)[segment[settled]])
    np.testing.assert_array_equal(
        [parts.index(s) for s in np.array(stream.streams, object)[stream.concept_of(rows)]],
        whole[:, 0],
    )
    np.testing.assert_array_equal(numbers_of(stream, size, start, stop=3000), whole[start:])
    if known:
        assert stream.n_rows == len(numbers_of(stream, 10_000))
    else:
        assert stream.n_rows is None


def test_gradual_share():
    stream = compose([part(0, 20_000), part(1, 20_000)], at=2000, width=10_000, n_rows=14_000, seed=1)
    new = numbers_of(stream, 1000)[:, 0]
    assert not new[:2000].any()
    assert new[12_000:].all()
    share = 1 / (1 + np.exp(-10 * ((np.arange(10) + 0.5) / 10 - 0.5)))
    np.testing.assert_allclose(new[2000:12_000].reshape(10, 1000).mean(1), share, atol=0.06)
    assert stream.drifts == (Drift(2000, 10_000, "gradual"),)


def test_where_it_ends():
    a, b = part(0, 130), part(1, 40)
    assert compose([a, b], at=100).n_rows == 140
    assert compose([a, b, a], at=[100, 120]).n_rows == 150
    stream = compose([a, b], at=100, width=50, seed=2)
    got = numbers_of(stream, 7)
    assert stream.n_rows == len(got)
    assert (got[:, 0] == 1).sum() == 40
    endless = compose([Endless(0), b], at=100)
    assert endless.n_rows is None
    assert len(numbers_of(endless)) == 140
    assert compose([b, Endless(0)], at=30, n_rows=500).n_rows == 500


def test_parts_may_be_wrapped_and_composed():
    a = swap_labels(part(1), 0, 1, at=3)
    b = prior_shift(part(2), 0, 0.5, at=10)
    inner = compose([a, b], at=100)
    assert inner.n_rows is None
    assert inner.most_rows == 2000
    stream = compose([inner, part(3)], at=150, n_rows=200)
    assert numbers_of(stream)[[0, 99, 100, 149, 150], 0].tolist() == [1, 1, 2, 2, 3]
    assert stream.drifts == (Drift(150, 1, "sudden"),)
    short = compose([prior_shift(part(0, 100), 0, 2.0, at=10), part(1, 200)], at=90, n_rows=150)
    with pytest.raises(ValueError, match=r"n_rows=150: .* ends at row .*; expected longer streams"):
        numbers_of(short)


def test_ranges_are_joined():
    def ranged(low, high):
        schema = Schema((Feature("x", None, low, high), Feature("c", ("r", "g"))), ("y",))
        return ArrayStream([[0.5, 1.0]] * 3, [[1]] * 3, schema=schema)

    assert compose([ranged(0.0, 1.0), ranged(-1.0, 0.7)], at=1).schema.features[0] == Feature("x", None, -1.0, 1.0)
    assert compose([ranged(0.0, 1.0), ranged(None, 0.7)], at=1).schema.features[0] == Feature("x", None, None, 1.0)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (Schema((Feature("x"), Feature("z")), ("a", "b")), r"features\[1\]: .*'y'.* against .*'z'"),
        (Schema((Feature("x"), Feature("y", ("r",))), ("a", "b")), r"features\[1\]: .*None.* against .*'r'"),
        (Schema((Feature("x"), Feature("y")), ("a", "c")), r"labels\[1\]: 'b' against 'c'"),
        (Schema((Feature("x"),), ("a", "b")), "2 features against 1"),
        (Schema((Feature("x"), Feature("y")), ("a", "b"), Hierarchy((-1, 0))), "the hierarchies of the labels differ"),
    ],
)
def test_schemas_that_differ_are_refused(schema, message):
    first = ArrayStream([[0.0, 0.0]], [[1, 1]], schema=Schema((Feature("x"), Feature("y")), ("a", "b")), name="one")
    other = ArrayStream([[0.0] * schema.n_features], [[1, 1]], schema=schema, name="two")
    with pytest.raises(ValueError, match=rf"streams\[0\] \(one\) and streams\[1\] \(two\).*: {message}"):
        compose([first, other], at=0)


A, B = part(0, 100), part(1, 100)


@pytest.mark.parametrize(
    ("streams", "options", "message"),
    [
        ([A], {"at": 5}, "streams has 1 stream; expected at least two"),
        ([A, "yeast"], {"at": 5}, r"streams\[1\] is a str; expected a Stream: open it with load\(\)"),
        ([A, A], {"at": 5}, r"streams\[1\] is the same stream as the one before it; expected another"),
        ([A, B], {"at": [5, 9]}, r"at=\[5, 9\]: 2 streams change places 1 times; expected 1 positions"),
        ([A, B, A], {"at": 5}, r"at=\[5\]: 3 streams change places 2 times"),
        ([A, B, A], {"at": [5, 5]}, "at=5 follows 5: expected ascending positions, at least width=1 apart"),
        ([A, B], {"at": -5}, "at=-5: expected a whole number"),
        ([A, B], {"at": 150}, r"at=150: part 0 \(streams\[0\]\) ends after 100 rows, at row 100; expected positions"),
        ([A, B], {"at": 250}, "at=250: expected a position before the end of the 200 rows"),
        ([A, B], {"at": 60, "n_rows": 170}, r"n_rows=170: part 1 \(streams\[1\]\) ends after 100 rows, at row 160"),
        ([A, B], {"at": 60, "n_rows": 50}, "at=60: expected a position before the end of the 50 rows"),
        ([A, B], {"at": 60, "n_rows": 0}, "n_rows=0: expected"),
        ([A, B], {"at": 5, "width": 0}, "width=0: expected"),
        ([A, B], {"at": 5, "seed": -1}, "seed=-1: expected"),
    ],
)
def test_wrong_parameters(streams, options, message):
    with pytest.raises(ValueError, match=message):
        compose(streams, **options)


def made(*lengths):
    starts = np.cumsum([0, *lengths])
    return [
        ArrayStream(np.arange(a, b, dtype=float)[:, None], np.ones((b - a, 1), np.uint8)) for a, b in pairwise(starts)
    ]


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=4),
    st.integers(1, 50),
    st.integers(0, 130),
    st.none() | st.integers(1, 130),
)
def test_rows_are_those_of_the_parts_in_order_however_they_are_cut(lengths, size, start, n_rows):
    stream = sl.join(made(*lengths), n_rows)
    total = sum(lengths) if n_rows is None else min(sum(lengths), n_rows)
    assert stream.n_rows == total
    chunks = list(stream.chunks(size, start=start))
    seen = np.concatenate([chunk.X.ravel() for chunk in chunks]) if chunks else np.empty(0)
    assert seen.tolist() == list(range(min(start, total), total))
    assert [chunk.start for chunk in chunks] == list(range(start, max(total, start), size))


def test_drifts_keep_their_places_and_those_behind_the_end_are_gone():
    parts = [sl.load("syn-regions", n_rows=400, seed=1), sl.load("syn-regions", n_rows=400, seed=1)]
    changed = [sl.swap_labels(part, 0, 1, at=100) for part in parts]
    own = [drift.start for drift in changed[0].drifts]
    assert [drift.start for drift in sl.join(changed).drifts] == sorted([*own, *(400 + at for at in own)])
    assert all(drift.start < 450 for drift in sl.join(changed, 450).drifts)


def test_a_recipe_makes_it_again(tmp_path):
    stream = sl.join([sl.load("yeast"), sl.load("yeast")], 3000)
    twin = from_recipe(stream.recipe)
    assert isinstance(twin, JoinedStream)
    assert twin.n_rows == stream.n_rows == 3000
    for mine, its in zip(stream.chunks(500), twin.chunks(500), strict=True):
        assert np.array_equal(mine.X, its.X)
        assert np.array_equal(mine.Y, its.Y)
    assert sl.join(made(3)).recipe is None


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ({"parts": 3}, "its parts are 3"),
        ({"parts": []}, "its parts are"),
        ({"parts": [{"parts": []}]}, "parts of its own"),
        ({"parts": [{"source": "yeast"}], "rows": -1}, "n_rows=-1"),
    ],
)
def test_a_hostile_recipe_is_refused(recipe, said):
    with pytest.raises(ValueError, match=said):
        from_recipe(recipe)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="at least one stream"):
        sl.join([])
    with pytest.raises(ValueError, match="different schemas"):
        sl.join([sl.load("yeast"), *made(3)])
    with pytest.raises(ValueError, match="n_rows=0"):
        sl.join(made(3), 0)
    with pytest.raises(ValueError, match="labels come late"):
        sl.join([sl.delay_labels(made(3)[0], 1)])
    endless = sl.load("syn-regions", endless=True)
    with pytest.raises(ValueError, match="unknown length"):
        sl.join([endless, endless])
    assert sl.join([endless], 50).n_rows == 50
