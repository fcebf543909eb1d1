"""The bounded past: however thinned, a point is the measure over its own instances."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.lab.history import History, with_curves
from streamlab.measures import DEFAULT_MEASURES, Counts, Tracker, evaluate
from tests.learners.states import assert_same

CHUNK = 7


def answers(n: int, n_labels: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, n_labels)) < 0.4).astype(np.uint8)
    Z = np.where(rng.random(Y.shape) < 0.2, 1 - Y, Y).astype(np.uint8)
    return Y, Z, rng.random(Y.shape)


def filled(history: History, Y, Z, scores) -> History:
    tracker = Tracker([f"l{i}" for i in range(Y.shape[1])], fading=0.9)
    for start in range(0, len(Y), CHUNK):
        rows = slice(start, start + CHUNK)
        tracker.update(Y[rows], Z[rows], scores[rows])
        history.append(min(start + CHUNK, len(Y)), tracker.counts("chunk"), tracker.counts("faded"))
    return history


def directly(Y, Z, scores, rows: slice, fading: float = 1.0) -> dict[str, float]:
    counts = Counts.zeros(Y.shape[1]).count(Y[rows], Z[rows], scores[rows], fading=fading)
    return evaluate(counts, DEFAULT_MEASURES)


@settings(max_examples=25, deadline=None)
@given(n_chunks=st.integers(1, 60), limit=st.sampled_from([2, 4, 10, 64]), n_labels=st.integers(1, 4))
def test_every_point_is_the_measure_over_its_chunks_together(n_chunks, limit, n_labels):
    Y, Z, scores = answers(n_chunks * CHUNK, n_labels)
    history = filled(History(n_labels, limit), Y, Z, scores)
    stride = history.stride
    assert stride & (stride - 1) == 0
    assert len(history) == n_chunks // stride
    assert len(history) < limit
    stops = CHUNK * stride * np.arange(1, len(history) + 1)
    assert history.positions.tolist() == stops.tolist()
    for over, starts, fading in (
        ("chunk", stops - CHUNK * stride, 1.0),
        ("cumulative", 0 * stops, 1.0),
        ("faded", 0 * stops, 0.9),
    ):
        expected = [directly(Y, Z, scores, slice(*rows), fading) for rows in zip(starts, stops, strict=True)]
        for measure in DEFAULT_MEASURES:
            np.testing.assert_allclose(
                history.curve(measure, over), [e[measure] for e in expected], rtol=0, atol=1e-12, err_msg=measure
            )


def test_memory_stays_bounded():
    history = History(3, 100)
    sizes = []
    counts = Counts.zeros(3).count(*answers(CHUNK, 3))
    for i in range(1, 5001):
        history.append(i, counts, counts)
        sizes.append(history.n_bytes)
    assert max(sizes) == sizes[-1] == sizes[200] == 100 * 8 * (1 + 2 * (9 + 13))
    assert history.stride == 64


def test_the_point_that_grows_is_complete_at_the_end():
    Y, Z, scores = answers(11 * CHUNK, 2)
    history = filled(History(2, 8), Y, Z, scores)
    assert (history.stride, len(history)) == (2, 5)
    history.finish()
    assert history.positions.tolist() == [14, 28, 42, 56, 70, 77]
    assert history.curve("macro_f1")[-1] == pytest.approx(directly(Y, Z, scores, slice(70, 77))["macro_f1"])
    assert history.curve("macro_f1", "cumulative")[-1] == pytest.approx(
        directly(Y, Z, scores, slice(0, 77))["macro_f1"]
    )
    history.finish()
    assert len(history) == 6, "there is nothing more to finish"


def test_the_end_thins_too():
    Y, Z, scores = answers(15 * CHUNK, 2)
    history = filled(History(2, 8), Y, Z, scores)
    assert (history.stride, len(history)) == (2, 7)
    history.finish()
    assert (history.stride, len(history)) == (4, 4)
    assert history.positions.tolist() == [28, 56, 84, 105]
    assert history.curve("micro_f1")[-1] == pytest.approx(directly(Y, Z, scores, slice(84, 105))["micro_f1"])


def test_measures_with_curves():
    assert with_curves("micro_f1") == ("micro_f1",)
    assert with_curves(["micro_f1", "macro_f1", "micro_f1"]) == ("micro_f1", "macro_f1")
    with pytest.raises(ValueError, match="has no curve; choose among subset_accuracy"):
        with_curves(["micro_f1", "macro_average_precision"])
    with pytest.raises(ValueError, match="unknown measure 'f1'"):
        with_curves(["f1"])


@pytest.mark.parametrize("limit", [2, 4, 6, 8, 10])
def test_a_history_goes_on_from_wherever_it_was_cut(limit):
    counts = Counts.zeros(2).count(*answers(CHUNK, 2))
    n = 6 * limit + 1
    for cut in range(n + 1):
        whole, restored = History(2, limit), History(2, limit)
        for position in range(1, cut + 1):
            whole.append(position, counts, counts)
        opening = threading.Thread(target=restored.set_state, args=(whole.state(),), daemon=True)
        opening.start()
        opening.join(30)
        assert not opening.is_alive(), f"cut at {cut}, it does not open"
        for history in (whole, restored):
            for position in range(cut + 1, n + 1):
                history.append(position, counts, counts)
            history.finish()
        assert_same(whole.state(), restored.state())


def test_a_last_point_of_few_rows_is_joined_with_the_one_before():
    Y, Z, scores = answers(3 * CHUNK + 2, 3)
    assert filled(History(3), Y[: 3 * CHUNK], Z, scores).end_whole(DEFAULT_MEASURES, CHUNK) == {}
    history = filled(History(3), Y, Z, scores)
    assert history.positions[-1] == 3 * CHUNK + 2
    whole = history.end_whole(DEFAULT_MEASURES, CHUNK)
    assert whole == pytest.approx(directly(Y, Z, scores, slice(2 * CHUNK, None)), nan_ok=True)
