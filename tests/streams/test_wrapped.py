"""Streams that change another: drifts and titles, many layers, labels put under others."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.streams.changes.features import feature_noise, swap_features
from streamlab.streams.changes.labels import new_label, rotate_labels, swap_labels, vanish_label
from streamlab.streams.changes.rows import delay_labels, hide_labels, prior_shift, shuffle_rows
from streamlab.streams.load import from_recipe, load
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream import Drift
from tests.streams.changes.made import SCHEMA, N, X, Y, assert_same, plain, rows_of

WRAPPERS = {
    "rotate": lambda s, **o: rotate_labels(s, **o),
    "swap labels": lambda s, **o: swap_labels(s, "news", 2, **o),
    "swap features": lambda s, **o: swap_features(s, "u", "w", **o),
    "swap nominal": lambda s, **o: swap_features(s, 1, "d", **o),
    "swap a share": lambda s, **o: swap_features(s, share=1.0, **o),
    "noise": lambda s, **o: feature_noise(s, strength=0.5, **o),
    "new label": lambda s, **o: new_label(s, "sport", **o),
    "vanish": lambda s, **o: vanish_label(s, "food", **o),
    "prior": lambda s, **o: prior_shift(s, "art", 0.4, **o),
    "delay": lambda s, at, width, seed: delay_labels(s, (at % 7, 50), seed=seed),
    "hide": lambda s, at, width, seed: hide_labels(s, 0.3, per="label", seed=seed),
}


def wrapped(stream, steps):
    for kind, at, width, seed in steps:
        stream = WRAPPERS[kind](stream, at=at, width=width, seed=seed)
    return stream


STEP = st.tuples(
    st.sampled_from(sorted(WRAPPERS)), st.integers(0, 250), st.sampled_from([1, 2, 60, 300]), st.integers(0, 2**70)
)


@pytest.mark.parametrize("kind", WRAPPERS)
@pytest.mark.parametrize("width", [1, 170])
def test_each_wrapper_whatever_the_chunks_and_the_start(kind, width):
    stream = wrapped(plain(), [(kind, 200, width, 3)])
    whole = rows_of(stream, 10_000)
    for size, start in ((1, 195), (7, 0), (64, 333), (100, 371), (1000, len(whole[0]) + 5)):
        assert_same(rows_of(stream, size, start), [part[start:] for part in whole])
    if kind == "new label":
        assert not whole[1][:200, 1].any()
    else:
        assert_same([part[:200] for part in whole], (X[:200], Y[:200]))


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(STEP, min_size=3, max_size=3), size=st.integers(1, 400), start=st.integers(0, N - 1))
def test_chains_of_three_whatever_the_chunks_and_the_start(steps, size, start):
    before = X.copy(), Y.copy()
    stream = wrapped(plain(drifts=[Drift(5)]), steps)
    whole = rows_of(stream, 10_000)
    assert_same(rows_of(stream, size, start), [part[start:] for part in whole])
    assert_same((X, Y), before)
    starts = [d.start for d in stream.drifts]
    assert starts == sorted(starts)
    own = sum(kind not in ("delay", "hide") for kind, *_ in steps)
    assert len(starts) == own + 1 or "prior" in {kind for kind, *_ in steps}
    if "noise" not in {kind for kind, *_ in steps}:
        assert np.nanmax(whole[0]) <= np.nanmax(X)


def test_input_blocks_are_never_written_to():
    class Shared(ArrayStream):
        """Gives out its own arrays, frozen."""

        def blocks(self, start=0):
            yield self.X[start:], self.Y[start:]

    shared = Shared(X, Y, schema=SCHEMA)
    shared.X, shared.Y = X.copy(), Y.copy()
    shared.X.setflags(write=False)
    shared.Y.setflags(write=False)
    for kind in WRAPPERS:
        assert len(rows_of(wrapped(shared, [(kind, 10, 20, 0)]))[0])


@settings(max_examples=20, deadline=None)
@given(at=st.integers(0, N - 1), width=st.integers(1, 500), seed=st.integers(0, 99))
def test_swapping_twice_is_identity(at, width, seed):
    options = {"at": at, "width": width, "seed": seed}
    for kind in ("swap labels", "swap features", "swap nominal"):
        assert_same(rows_of(WRAPPERS[kind](WRAPPERS[kind](plain(), **options), **options)), (X, Y))
    turned = plain()
    for _ in range(4):
        turned = rotate_labels(turned, **options)
    assert_same(rows_of(turned), (X, Y))


def test_ground_truth_of_a_chain():
    stream = rotate_labels(swap_labels(plain(drifts=[Drift(50, 2, "own")]), 0, 1, at=700), at=[100, 800])
    stream = feature_noise(new_label(stream, "art", at=300, width=20), at=600, until=650)
    assert [(d.start, d.width, d.kind) for d in stream.drifts] == [
        (50, 2, "own"),
        (100, 1, "label rotation"),
        (300, 20, "new label"),
        (600, 1, "feature noise"),
        (650, 1, "feature noise"),
        (700, 1, "label swap"),
        (800, 1, "label rotation"),
    ]
    assert stream.n_rows == N
    assert stream.labelling is None
    assert stream.name == "arrays, labels swapped, labels rotated, art appears, features noisy"


@pytest.mark.parametrize("sparse", [False, True])
def test_shuffled_rows_are_the_same_rows_in_an_order_of_the_seed_alone(sparse):
    below = ArrayStream(sp.csr_matrix(np.nan_to_num(X)), Y, sparse=True) if sparse else plain(drifts=[Drift(5)])
    stream = shuffle_rows(below, seed=3)
    order = np.array([stream.row_below(row) for row in range(N)])
    assert sorted(order) == list(range(N))
    assert (order != np.arange(N)).sum() > N - 10
    assert (stream.drifts, stream.n_rows, stream.is_sparse) == ((), N, sparse)
    for start in (0, 437, N):
        chunks = list(stream.chunks(100, start=start))
        dense = [chunk.X.toarray() if sparse else chunk.X for chunk in chunks]
        expected = np.nan_to_num(X) if sparse else X
        assert_same(
            (np.concatenate([*dense, expected[:0]]), np.concatenate([*(c.Y for c in chunks), Y[:0]])),
            (expected[order[start:]], Y[order[start:]]),
        )
    assert shuffle_rows(below, seed=4).row_below(0) != stream.row_below(0) or N < 2
    with pytest.raises(ValueError, match="come late or are hidden"):
        shuffle_rows(delay_labels(below, 5))
    with pytest.raises(ValueError, match="length is not known"):
        shuffle_rows(load("syn-tree-sudden", endless=True))


def test_a_shuffled_stream_is_made_again_from_its_recipe():
    stream = shuffle_rows(load("yeast"), seed=2)
    again = from_recipe(stream.recipe)
    assert_same(rows_of(again), rows_of(stream))


FLAT = np.eye(4, dtype=np.uint8)


def flat():
    schema = sl.Schema((sl.Feature("x"),), ("a", "b", "c", "d"))
    return ArrayStream(np.arange(4.0)[:, None], FLAT, schema=schema, name="flat", drifts=[sl.Drift(2)])


def test_several_labels_at_once_share_what_is_above():
    below = ArrayStream([[0.0]] * 2, [[1, 1], [0, 0]])
    stream = sl.nest_labels(below, {"y0": "both", "y1": "both"})
    assert next(stream.chunks()).Y.tolist() == [[1, 1, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ({"e": "top"}, "'e' is neither a label of flat"),
        ({"a": "b"}, "'b' is a label of flat"),
        ({"a": "p", "p": "q", "q": "p"}, "'p' is above itself"),
        ({"p": "q", "q": "p"}, "no label of flat is below"),
    ],
)
def test_bad_parents(parents, message):
    with pytest.raises(ValueError, match=message):
        sl.nest_labels(flat(), parents)


def test_bad_streams():
    nested = sl.nest_labels(flat(), {"a": "top"})
    with pytest.raises(ValueError, match="form a hierarchy already"):
        sl.nest_labels(nested, {"b": "another"})
    with pytest.raises(ValueError, match="put in after the nesting"):
        sl.nest_labels(sl.delay_labels(flat(), 2), {"a": "top"})
    with pytest.raises(ValueError, match="hierarchy, which a rotation would break"):
        sl.rotate_labels(nested, at=1)
