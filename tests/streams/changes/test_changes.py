"""Row-wise drift: what changes where, its ground truth, and that neither chunks nor starts nor chains disturb it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams.changes.changes import feature_noise, new_label, swap_features, swap_labels, vanish_label
from streamlab.streams.changes.drift import Changed, key_base, rotate_labels, uniform
from streamlab.streams.changes.labelling import delay_labels, hide_labels
from streamlab.streams.changes.prior_shift import prior_shift
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream import Drift

N = 900
COLOURS = ("red", "green", "blue")
SCHEMA = Schema(
    (Feature("u"), Feature("c", COLOURS), Feature("v", None, 0.0, 1.0), Feature("d", COLOURS), Feature("w")),
    ("news", "sport", "art", "food"),
)
RNG = np.random.default_rng(5)
X = RNG.random((N, 5))
X[:, [1, 3]] = RNG.integers(0, 3, (N, 2))
X[RNG.random((N, 5)) < 0.05] = np.nan
X[:, 4] *= 1000.0
Y = RNG.integers(0, 2, (N, 4)).astype(np.uint8)


def plain(n=N, **options):
    return ArrayStream(X[:n], Y[:n], schema=SCHEMA, **options)


def rows_of(stream, size=100, start=0):
    chunks = list(stream.chunks(size, start=start))
    for chunk in chunks:
        assert chunk.X.dtype == np.float64
        assert chunk.Y.dtype == np.uint8
        assert chunk.X.flags.c_contiguous
        assert chunk.Y.flags.c_contiguous
        assert set(np.unique(chunk.Y)) <= {0, 1}
    assert [c.start for c in chunks] == [start + i * size for i in range(len(chunks))]
    if not chunks:
        return np.empty((0, stream.schema.n_features)), np.empty((0, stream.schema.n_labels), np.uint8)
    return np.concatenate([c.X for c in chunks]), np.concatenate([c.Y for c in chunks])


def assert_same(got, expected):
    for g, e in zip(got, expected, strict=True):
        np.testing.assert_array_equal(g, e)


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


def test_labels_change_places_and_change_back():
    stream = swap_labels(plain(), "news", "food", at=[100, 300, 500])
    _, got = rows_of(stream)
    swapped = Y[:, [3, 1, 2, 0]]
    for begin, end, expected in ((0, 100, Y), (100, 300, swapped), (300, 500, Y), (500, N, swapped)):
        np.testing.assert_array_equal(got[begin:end], expected[begin:end])
    assert stream.drifts == tuple(Drift(p, 1, "label swap") for p in (100, 300, 500))
    same = swap_labels(plain(), 0, 3, at=100, until=300)
    np.testing.assert_array_equal(rows_of(same)[1][:500], got[:500])
    assert same.drifts == stream.drifts[:2]


def test_gradual_share_and_truth_by_row():
    n = 20_000
    Y = np.zeros((n, 2), np.uint8)
    Y[:, 0] = 1
    stream = swap_labels(ArrayStream(np.zeros((n, 1)), Y), 0, 1, at=2000, width=6000, until=10_000, seed=4)
    is_swapped = rows_of(stream)[1][:, 1] == 1
    np.testing.assert_array_equal(is_swapped, stream.is_changed(np.arange(n)))
    assert not is_swapped[:2000].any()
    assert is_swapped[8000:10_000].all()
    assert not is_swapped[16_000:].any()
    share = stream.share(np.arange(n))
    np.testing.assert_allclose(is_swapped.reshape(20, 1000).mean(1), share.reshape(20, 1000).mean(1), atol=0.05)
    assert stream.drifts == (Drift(2000, 6000, "label swap"), Drift(10_000, 6000, "label swap"))


def test_wrappers_of_one_seed_draw_apart():
    rows = np.arange(50_000)
    keys = [key_base(kind) for kind in ("label swap", "feature swap", "feature noise", "new label", "label vanishing")]
    draws = np.array([uniform(0, key, rows) for key in [0, *keys]])
    assert (abs(np.corrcoef(draws) - np.eye(6)) < 0.02).all()


def test_features_change_places_and_so_do_their_ranges():
    stream = swap_features(plain(), "u", "w", at=100)
    got, _ = rows_of(stream)
    np.testing.assert_array_equal(got[100:], X[100:][:, [4, 1, 2, 3, 0]])
    schema = Schema((Feature("a", None, 0.0, 1.0), Feature("b", None, -5.0, 0.5)), ("y",))
    ranged = swap_features(ArrayStream([[0.5, -5.0]], [[1]], schema=schema), 0, 1, at=0)
    assert [(f.low, f.high) for f in ranged.schema.features] == [(-5.0, 1.0)] * 2
    assert swap_features(plain(), "v", "w", at=1).schema.features[2] == Feature("v")


@pytest.mark.parametrize(("share", "n"), [(0.01, 2), (0.5, 10), (1.0, 20)])
def test_a_share_of_the_features_moves_in_a_circle(share, n):
    values = np.tile(np.arange(20.0), (4, 1))
    stream = swap_features(ArrayStream(values, np.ones((4, 1))), share=share, at=2, seed=1)
    got, _ = rows_of(stream)
    assert (got[0] == values[0]).all()
    assert (got[2] != values[2]).sum() == n
    assert sorted(got[2]) == sorted(values[2])
    assert sorted(stream.places) == np.flatnonzero(got[2] != values[2]).tolist()
    again = swap_features(ArrayStream(values, np.ones((4, 1))), share=share, at=2, seed=2)
    assert again.places != stream.places


def test_noise_in_units_of_the_features():
    n = 20_000
    rng = np.random.default_rng(0)
    schema = Schema(
        (Feature("small"), Feature("large", None, -9e3, 9e3), Feature("flat"), Feature("k", COLOURS)), ("y",)
    )
    values = np.stack([rng.normal(0, 0.1, n), rng.normal(0, 1e3, n), np.ones(n), np.zeros(n)], axis=1)
    values[::10, :] = np.nan
    stream = feature_noise(ArrayStream(values, np.ones((n, 1)), schema=schema), at=n // 2, strength=2.0, sample=5000)
    got, _ = rows_of(stream, 1000)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(values))
    np.testing.assert_array_equal(got[: n // 2], values[: n // 2])
    added = (got - values)[n // 2 :]
    np.testing.assert_allclose(np.nanstd(added[:, :2], axis=0), [0.2, 2e3], rtol=0.05)
    np.testing.assert_allclose(np.nanmean(added[:, :2] / [0.2, 2e3], axis=0), 0, atol=0.04)
    assert abs(np.corrcoef(added[np.isfinite(added[:, 0]), :2].T)[0, 1]) < 0.03
    assert np.nanmax(abs(added[:, 2])) == 0
    kept = added[~np.isnan(added[:, 3]), 3]
    np.testing.assert_allclose([np.mean(kept == c) for c in range(3)], [0.2 + 0.8 / 3, 0.8 / 3, 0.8 / 3], atol=0.02)
    assert [f.low for f in stream.schema.features] == [None] * 4
    assert stream.drifts == (Drift(n // 2, 1, "feature noise"),)


def test_noise_ends_and_takes_a_share_of_the_features():
    stream = feature_noise(plain(), at=200, until=400, share=0.4, seed=2)
    got, _ = rows_of(stream)
    changed = ~((got == X) | np.isnan(X))
    assert not changed[:200].any()
    assert not changed[400:].any()
    assert len(stream.columns) == 2
    assert set(np.flatnonzero(changed.any(0))) == set(stream.columns)
    assert stream.drifts == (Drift(200, 1, "feature noise"), Drift(400, 1, "feature noise"))
    lone = feature_noise(ArrayStream([[3.0]], [[1]]), at=0)
    assert rows_of(lone)[0].tolist() == [[3.0]]


def test_noise_twice_is_independent():
    one = ArrayStream(np.random.default_rng(0).normal(0, 1, (5000, 1)), np.ones((5000, 1)))
    single, double = feature_noise(one, at=0), feature_noise(feature_noise(one, at=0), at=0)
    first = rows_of(single)[0] - rows_of(one)[0]
    second = rows_of(double)[0] - rows_of(single)[0]
    assert abs(np.corrcoef(first.T, second.T)[0, 1]) < 0.05


def test_labels_come_and_go():
    stream = new_label(plain(), "sport", at=[100, 300])
    _, got = rows_of(stream)
    expected = Y.copy()
    expected[:100, 1] = 0
    expected[300:, 1] = 0
    np.testing.assert_array_equal(got, expected)
    assert stream.drifts == (Drift(100, 1, "new label"), Drift(300, 1, "label vanishing"))
    stream = vanish_label(plain(), 1, at=100, width=50, until=300)
    _, got = rows_of(stream)
    expected = Y.copy()
    expected[stream.is_changed(np.arange(N)), 1] = 0
    np.testing.assert_array_equal(got, expected)
    assert not got[150:300, 1].any()
    assert got[100:150, 1].any()
    assert stream.drifts == (Drift(100, 50, "label vanishing"), Drift(300, 50, "new label"))
    assert stream.name == "arrays, sport vanishes"


def test_labels_below_vanish_too():
    schema = Schema((Feature("x"),), ("root", "a", "a1", "a11", "b"), Hierarchy((-1, 0, 1, 2, 0)))
    tree = ArrayStream(np.zeros((4, 1)), np.ones((4, 5)), schema=schema)
    assert rows_of(vanish_label(tree, "a", at=2))[1].tolist() == [[1] * 5] * 2 + [[1, 0, 0, 0, 1]] * 2
    with pytest.raises(ValueError, match="'a' and 'b' would break their hierarchy; expected two with the same parent"):
        swap_labels(tree, "a", "b", at=0)
    schema = Schema((Feature("x"),), ("root", "a", "b"), Hierarchy((-1, 0, 0)))
    twins = ArrayStream([[0.0]], [[1, 1, 0]], schema=schema)
    assert rows_of(swap_labels(twins, "a", "b", at=0))[1].tolist() == [[1, 0, 1]]


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


def test_a_wrapper_that_changes_nothing():
    assert_same(rows_of(Changed(plain(), "as it is")), (X, Y))


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (swap_labels, {"a": "new", "b": 1, "at": 5}, "a='new': arrays has no such label; did you mean 'news'"),
        (swap_labels, {"a": 0, "b": 4, "at": 5}, "b=4: arrays has no such label; expected a position from 0 to 3"),
        (swap_labels, {"a": 0, "b": "news", "at": 5}, "a=0 and b='news' are the same label of arrays; expected two"),
        (swap_labels, {"a": 0, "b": 1, "at": N}, "at=900: expected a position before the end of the 900 rows"),
        (swap_labels, {"a": 0, "b": 1, "at": -1}, "at=-1: expected positions"),
        (swap_labels, {"a": 0, "b": 1, "at": 2.5}, "at=2.5: expected positions"),
        (swap_labels, {"a": 0, "b": 1, "at": None}, "at=None: expected positions"),
        (swap_labels, {"a": 0, "b": 1, "at": "abc"}, "at='a': expected positions"),
        (swap_labels, {"a": 0, "b": 1, "at": []}, r"at=\(\) is empty"),
        (swap_labels, {"a": 0, "b": 1, "at": [5, 5]}, "at=5 follows 5: expected ascending positions, at least width=1"),
        (swap_labels, {"a": 0, "b": 1, "at": [5, 9], "width": 5}, "at=9 follows 5: expected ascending"),
        (swap_labels, {"a": 0, "b": 1, "at": 5, "width": 0}, "width=0 must be"),
        (swap_labels, {"a": 0, "b": 1, "at": 5, "seed": -1}, "seed=-1 must be"),
        (swap_labels, {"a": 0, "b": 1, "at": 5, "width": 9, "until": 13}, "until=13: expected a position from .* 14"),
        (swap_labels, {"a": 0, "b": 1, "at": 5, "until": N}, "until=900: expected a position before the end"),
        (swap_labels, {"a": 0, "b": 1, "at": 5, "until": [9]}, "until=.* expected positions"),
        (
            swap_labels,
            {"a": 0, "b": 1, "at": [5, 9], "until": 13},
            r"until=13 goes with one position, not with at=\[5,",
        ),
        (swap_features, {"a": "u", "b": "c", "at": 5}, r"'u' \(numeric\) and 'c' \(nominal: 'red', .*\) cannot be"),
        (swap_features, {"a": "x", "b": "c", "at": 5}, "a='x': arrays has no such feature"),
        (swap_features, {"a": "u", "at": 5}, "expected two features or a share of them"),
        (swap_features, {"at": 5}, "expected two features or a share of them"),
        (swap_features, {"a": 0, "b": 1, "share": 0.5, "at": 5}, "expected two features or a share of them"),
        (swap_features, {"share": 0.0, "at": 5}, "share=0.0: expected a number above 0 and up to 1"),
        (swap_features, {"share": "half", "at": 5}, "share='half': expected a number"),
        (swap_features, {"share": 0.5}, "at=None: expected positions"),
        (feature_noise, {"at": 5, "strength": 0}, "strength=0: expected a positive number"),
        (feature_noise, {"at": 5, "strength": float("nan")}, "strength=nan: expected a positive number"),
        (feature_noise, {"at": 5, "share": 1.5}, "share=1.5: expected a number"),
        (feature_noise, {"at": 5, "sample": 1}, "sample=1 must be an integer of at least 2"),
        (new_label, {"label": "arts", "at": 5}, "label='arts': arrays has no such label; did you mean 'art'"),
        (vanish_label, {"label": True, "at": 5}, "label=True: arrays has no such label"),
    ],
)
def test_wrong_parameters(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(plain(), **options)


def test_a_share_needs_two_numeric_features():
    schema = Schema((Feature("x"), Feature("c", COLOURS)), ("y",))
    with pytest.raises(ValueError, match=r"share=0.5: arrays has 1 numeric features; expected two"):
        swap_features(ArrayStream([[0.0, 1.0]], [[1]], schema=schema), share=0.5, at=0)
