"""The stream of notes: the same rows however they are asked for, its truth, its file, its sounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.streams.generated.instruments import stream as instruments
from streamlab.streams.generated.instruments.mfcc import mean_mfcc
from streamlab.streams.generated.instruments.orchestra import ORCHESTRA, PARENTS
from streamlab.streams.generated.instruments.stream import N_BLOCK, N_NOTES, NOTES_FILE, InstrumentGenerator
from tests.streams.read import rows


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    """A cache folder of these tests' own."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAMLAB_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def default():
    return rows(InstrumentGenerator())


def test_the_default_stream(default):
    stream = sl.load("instruments")
    assert repr(stream) == "<InstrumentGenerator 'instruments': 9,419 rows, 30 features, 46 labels>"
    assert stream.schema.feature_names == tuple(f"mfcc_{i}" for i in range(1, 31))
    assert stream.drifts == ()
    X, Y = default
    assert X.shape == (9419, 30)
    assert np.isfinite(X).all()
    assert len(np.unique(X, axis=0)) == 9419
    by_name, _ = rows(stream)
    np.testing.assert_array_equal(by_name, X)
    counts = Y.sum(axis=0)[np.unique(stream.instruments_of(np.arange(9419)))]
    assert len(counts) == 31
    # 303.8 of each on average, binomial
    assert counts.min() > 303.8 - 5 * 17.2
    assert counts.max() < 303.8 + 5 * 17.2


def test_labels_are_an_instrument_and_what_stands_above_it(default):
    stream = InstrumentGenerator()
    schema, Y = stream.schema, default[1]
    assert schema.labels == tuple(PARENTS)
    names = {None: -1, **{label: j for j, label in enumerate(schema.labels)}}
    assert schema.hierarchy.parents == tuple(names[above] for above in PARENTS.values())
    paths = {"/".join(np.array(schema.labels)[row == 1]) for row in np.unique(Y, axis=0)}
    assert paths == set(ORCHESTRA)
    leaves = stream.instruments_of(np.arange(N_NOTES))
    assert all(schema.hierarchy.children(leaf) == () for leaf in set(leaves.tolist()))
    assert (Y[np.arange(N_NOTES), leaves] == 1).all()


@pytest.mark.parametrize("n", [3, pytest.param(12, marks=pytest.mark.nightly)])
def test_the_file_is_what_synthesis_gives(n):
    """The physics of each instrument; made by other code it must be made again: ``python data/make_instruments.py``."""
    assert NOTES_FILE.stat().st_size < 2e6
    made = np.load(NOTES_FILE)
    assert made.shape == (N_NOTES, 30)
    stream = InstrumentGenerator()
    played = stream.instruments_of(np.arange(N_NOTES))
    # so many notes of each instrument
    sample = np.concatenate([np.flatnonzero(played == leaf)[:n] for leaf in np.unique(played)])
    assert len(sample) == 31 * n
    np.testing.assert_allclose(made[sample], stream.synthesise(sample), rtol=0, atol=1e-3)


def test_without_the_file_it_is_made(default, monkeypatch):
    monkeypatch.setattr(instruments, "NOTES_FILE", NOTES_FILE.with_name("nowhere.npy"))
    instruments._shipped_notes.cache_clear()
    X, Y = rows(InstrumentGenerator(), 0, 100)
    instruments._shipped_notes.cache_clear()
    np.testing.assert_allclose(X, default[0][:100], atol=1e-3)
    np.testing.assert_array_equal(Y, default[1][:100])


@settings(max_examples=15, deadline=None)
@given(size=st.sampled_from([1, 7, 100, 999]), start=st.integers(0, 400), wide=st.booleans())
def test_chunks_and_start_have_no_influence(size, start, wide):
    stream = InstrumentGenerator(seed=3, n_rows=450, new_player=150, worse_microphone=220, width=100 if wide else 1)
    X, Y = rows(stream)
    again = rows(stream, start, start + 50, size)
    np.testing.assert_array_equal(again[0], X[start : start + 50])
    np.testing.assert_array_equal(again[1], Y[start : start + 50])


def test_seeds_and_lengths():
    one, same, other = (rows(InstrumentGenerator(seed=seed, n_rows=N_BLOCK)) for seed in (5, 5, 6))
    np.testing.assert_array_equal(one[0], same[0])
    assert not np.array_equal(one[1], other[1])
    short = rows(InstrumentGenerator(seed=5, n_rows=30))
    # single precision; the same rows whatever comes after
    np.testing.assert_array_equal(short[0], one[0][:30])
    assert (one[0].astype(np.float32) == one[0]).all()
    assert list(InstrumentGenerator(n_rows=0).chunks()) == []


def test_beyond_the_file_and_without_end(default):
    stream = sl.load("instruments", endless=True)
    assert stream.n_rows is None
    chunk = next(stream.chunks(40, start=N_NOTES - 20))
    np.testing.assert_array_equal(chunk.X[:20], default[0][-20:])
    np.testing.assert_allclose(chunk.X[20:], stream.synthesise(np.arange(N_NOTES, N_NOTES + 20)), atol=0)
    assert len(next(stream.chunks(5, start=1_000_000))) == 5


def test_kept_blocks_are_read_again(cache, monkeypatch):
    stream = InstrumentGenerator(seed=11, n_rows=60)
    before = set(cache.iterdir())
    X, _ = rows(stream)
    (kept,) = set(cache.iterdir()) - before
    monkeypatch.setattr(InstrumentGenerator, "synthesise", None)
    np.testing.assert_array_equal(rows(InstrumentGenerator(seed=11, n_rows=60))[0], X)
    monkeypatch.undo()
    kept.write_bytes(kept.read_bytes()[:100])
    monkeypatch.setenv("STREAMLAB_CACHE", str(cache))
    np.testing.assert_array_equal(rows(InstrumentGenerator(seed=11, n_rows=60))[0], X)


# ---------------------------------------------------------------------- drift


def test_drifts_are_told():
    stream = sl.load("instruments", worse_microphone=[300, 800], new_player=500, n_rows=1000, width=50)
    kinds = {"worse microphone": (300, 800), "new players": (500,)}
    assert stream.drifts == tuple(
        sorted((sl.Drift(at, 50, kind) for kind, ats in kinds.items() for at in ats), key=lambda d: d.start)
    )
    done = stream.conditions_of(np.arange(1000))
    assert done.shape == (1000, 2)
    for column, starts in ((0, [500]), (1, [300, 800])):
        assert (done[: starts[0], column] == 0).all()
        assert (done[starts[-1] + 50 :, column] == len(starts)).all()
        inside = done[starts[0] : starts[0] + 50, column]
        assert set(inside.tolist()) == {0, 1}, "in between old and new mix"


def test_before_a_drift_nothing_changes_and_after_it_all_do(default):
    X, Y = rows(InstrumentGenerator(new_player=150, worse_microphone=350, n_rows=400))
    np.testing.assert_array_equal(Y, default[1][:400])
    np.testing.assert_array_equal(X[:150], default[0][:150])
    assert (X[150:] != default[0][150:400]).any(axis=1).all()
    stream, plain = InstrumentGenerator(new_player=150, worse_microphone=350), InstrumentGenerator()
    for row in (0, 149, 150, 349, 350):
        (path, player, note), (same_path, before, same_note) = stream.played(row), plain.played(row)
        # the same note of the same kind of instrument
        assert (path, note) == (same_path, same_note)
        assert (player == before) == (row < 150)


def test_each_instrument_has_one_player_at_a_time():
    stream = InstrumentGenerator(new_player=2000, n_rows=4000)
    before, after = ({}, {})
    for row in range(0, 4000, 4):
        path, player, _ = stream.played(row)
        (before if row < 2000 else after).setdefault(path, set()).add(player)
    for path in ORCHESTRA:
        assert len(before[path]) == len(after[path]) == 1
        assert before[path] != after[path]
    assert len(set.union(*before.values(), *after.values())) == 62, "nobody plays two instruments"


# ---------------------------------------------------------------------- what it is like


# ---------------------------------------------------------------------- sound


def test_sounds():
    stream = InstrumentGenerator(n_rows=500, worse_microphone=200)
    for row in (0, 199, 200, np.int64(499)):
        sound, rate = stream.sound(row)
        assert rate == 16_000
        assert sound.dtype == np.float64
        assert 9600 <= len(sound) <= 16_000
        assert np.abs(sound).max() <= 1.0
        np.testing.assert_array_equal(stream.sound(row)[0], sound)
        # its features are those of the row, whatever the position in a block
        X = next(stream.chunks(1, start=int(row))).X[0]
        np.testing.assert_allclose(mean_mfcc(sound), X, atol=1e-3)
    worn, good = stream.sound(300)[0], InstrumentGenerator().sound(300)[0]
    assert not np.array_equal(worn, good)


@pytest.mark.parametrize("row", [-1, 500, 1.0, True, "a", None])
def test_a_row_that_is_not_there_is_refused(row):
    with pytest.raises(ValueError, match="expected a position in the stream, an integer from 0 to 499"):
        InstrumentGenerator(n_rows=500).sound(row)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed=-1"),
        ({"seed": 1.5}, "seed=1.5"),
        ({"n_rows": -1}, "n_rows=-1"),
        ({"n_rows": 10.0}, "n_rows=10.0"),
        ({"width": 0}, "width=0"),
        ({"new_player": -1}, "new_player=-1"),
        ({"new_player": 9419}, "new_player=9419: expected a position before the end of the 9,419 rows"),
        ({"new_player": [500, 400]}, "new_player=400 follows 500"),
        ({"worse_microphone": [100, 120], "width": 50}, "worse_microphone=120 follows 100"),
        ({"worse_microphone": "5"}, "worse_microphone='5'"),
        ({"worse_microphone": None}, "worse_microphone=None"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        InstrumentGenerator(**options)


def test_an_option_it_does_not_have():
    with pytest.raises(ValueError, match="no option new_players=; did you mean 'new_player'"):
        sl.load("instruments", new_players=3)
