"""The tracker: cumulative, faded, of the last chunk and of each tenth, whatever the chunks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.measures import MEASURES, Counts, Tracker, counts_of, evaluate, macro_average_precision

LABELS = ["a", "b", "c", "d"]
ALL = [name for name, measure in MEASURES.items() if not measure.needs_hierarchy and not measure.needs_classes]


def drawn(seed, n, n_labels=4):
    rng = np.random.default_rng(seed)
    Y, Z = (rng.random((2, n, n_labels)) < 0.4).astype(np.uint8)
    return Y, Z, rng.integers(0, 9, (n, n_labels)) / 8


def fed(tracker, rows, cuts):
    edges = [0, *sorted(cuts), len(rows[0])]
    for start, stop in pairwise(edges):
        tracker.update(*(array[start:stop] for array in rows))
    return tracker


def approx(values):
    return pytest.approx(values, rel=0, abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 60), st.lists(st.integers(0, 60), max_size=5))
def test_any_chunking_gives_the_same_values(seed, n, cuts):
    rows = drawn(seed, n)
    cuts = [cut for cut in cuts if cut <= n]
    whole = fed(Tracker(LABELS, ALL, fading=0.9, n_rows=n, n_bins=9), rows, [])
    parts = fed(Tracker(LABELS, ALL, fading=0.9, n_rows=n, n_bins=9), rows, cuts)
    exact = [name for name in ALL if name != "macro_average_precision"]
    for over in ("cumulative", "faded"):
        assert parts.values(over, exact) == whole.values(over, exact)  # to the last bit
        assert parts.values(over) == approx(whole.values(over))
    for part, of_whole in zip(parts.tenths(), whole.tenths(), strict=True):
        assert part == approx(of_whole)


def test_the_chunk_is_the_last_one_and_its_average_precision_exact():
    Y, Z, _ = drawn(2, 50)
    f = np.random.default_rng(2).random(Y.shape)  # off the histograms' grid
    tracker = fed(Tracker(LABELS, ALL, n_bins=2), (Y, Z, f), [30])
    last = Counts.zeros(4, counts_of(("log_loss", "brier_loss"))).count(Y[30:], Z[30:], f[30:])
    exact = macro_average_precision(Y[30:], f[30:])
    f[:] = 0.0  # the tracker keeps its own copy
    assert tracker.values("chunk") == approx({**evaluate(last), "macro_average_precision": exact})
    assert list(tracker.values("chunk")) == ALL
    assert tracker.value("macro_average_precision", "chunk") == exact
    assert tracker.value("macro_average_precision") != exact


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 45), st.integers(1, 20))
def test_tenths_split_by_row(n, size):
    rows = drawn(3, n)
    tracker = fed(Tracker(LABELS, ["micro_f1", "ranking_loss"], n_rows=n), rows, range(size, n, size))
    tenth_of = 10 * np.arange(n) // n
    tenths = tracker.tenths()
    assert [row["tenth"] for row in tenths] == (np.unique(tenth_of) + 1).tolist()
    for row in tenths:
        here = tenth_of == row["tenth"] - 1
        assert np.flatnonzero(here).tolist() == list(range(row["start"], row["stop"]))
        expected = evaluate(Counts.zeros(4).count(*(array[here] for array in rows)), tracker.measures)
        assert {name: row[name] for name in tracker.measures} == expected


def test_more_rows_than_stated_are_refused_uncounted():
    Y, Z, f = drawn(5, 12)
    tracker = Tracker(LABELS, n_rows=20)
    tracker.update(Y, Z, f)
    before = tracker.values()
    with pytest.raises(ValueError, match="n_rows=20, but with this chunk 24 rows"):
        tracker.update(Y, Z, f)
    assert tracker.row == 12
    assert tracker.values() == before


def test_a_row_predicted_nothing_counts_as_predicted_empty():
    tracker = Tracker(["a", "b"])
    tracker.update([[1, 0], [0, 0]], [[0, 0], [0, 0]])
    assert tracker.values(names=["subset_accuracy", "hamming_loss"]) == {"subset_accuracy": 0.5, "hamming_loss": 0.25}


def test_without_scores_only_the_label_sets_are_judged():
    Y, Z, f = drawn(9, 20)
    tracker = Tracker(LABELS, ALL, n_rows=20)
    tracker.update(Y[:10], Z[:10])
    sets = [name for name in ALL if not MEASURES[name].needs_scores]
    assert list(tracker.values()) == list(tracker.values("chunk")) == sets
    with pytest.raises(ValueError, match="'ranking_loss' needs scores"):
        tracker.value("ranking_loss")
    with pytest.raises(ValueError, match="'macro_average_precision' needs scores"):
        tracker.value("macro_average_precision", "chunk")
    tracker.update(Y[10:], Z[10:], f[10:])
    assert list(tracker.values()) == list(tracker.values("chunk")) == ALL
    assert list(tracker.tenths()[0]) == ["tenth", "start", "stop", *sets]


@pytest.mark.parametrize("over", ["cumulative", "faded", "chunk"])
def test_before_the_first_row_every_measure_has_its_value(over):
    assert list(Tracker(LABELS, ALL).values(over)) == ALL


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Tracker("abc"), "must be a sequence of names"),
        (lambda: Tracker(["a", "a"]), "'a' occurs twice"),
        (lambda: Tracker(LABELS, zero_division=0.5), "zero_division=0.5"),
        (lambda: Tracker(LABELS, fading=0.0), "fading=0.0"),
        (lambda: Tracker(LABELS, n_rows=-1), "n_rows=-1"),
        (lambda: Tracker(LABELS, n_bins=1), "n_bins=1"),
        (lambda: Tracker(LABELS, ["ranking_los"]), "did you mean ranking_loss"),
        (lambda: Tracker(LABELS).values("last"), "over='last': expected 'cumulative', 'faded' or 'chunk'"),
        (lambda: Tracker(LABELS).value("micro_f"), "did you mean"),
        (lambda: Tracker(LABELS).update([[1, 0]], [[1, 0]]), "Y has 2 columns; expected 4 labels"),
    ],
)
def test_wrong_parameters_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
