"""The trial ``outliers``: one cell of an irrelevant feature, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fuzz.outliers import ALLOWED, AT, EARLY, EARLY_ROWS, OUTLIERS, composed, final_f1, stream

N = 4000


@pytest.fixture(scope="module")
def clean() -> dict[str, float]:
    names = ("SMART", "BalancedKNN", "MLHAT", "HedgedMLHAT")
    return {name: final_f1(composed(name, ""), *stream(N, 1, None))[0] for name in names}


def test_the_streams_differ_in_one_cell():
    X, Y = stream(N, 1, None)
    other, labels = stream(N, 1, 1e6)
    assert np.argwhere(other != X).tolist() == [[AT, 5]]
    assert (labels == Y).all()


@pytest.mark.parametrize("outlier", list(OUTLIERS)[1:])
@pytest.mark.parametrize("name", ["SMART", "BalancedKNN", "MLHAT", "HedgedMLHAT"])
def test_one_bad_reading_costs_one_reading(name, outlier, clean):
    figure, _ = final_f1(composed(name, ""), *stream(N, 1, OUTLIERS[outlier]))
    assert figure > clean[name] - ALLOWED


@pytest.mark.parametrize("at", EARLY_ROWS)
@pytest.mark.parametrize("outlier", list(EARLY)[1:])
@pytest.mark.parametrize("name", ["BalancedKNN", "MLHAT"])
def test_one_bad_reading_before_the_range_is_known_costs_one_reading(name, outlier, at, clean):
    figure, _ = final_f1(composed(name, ""), *stream(N, 1, EARLY[outlier], at), at)
    assert figure > clean[name] - ALLOWED
