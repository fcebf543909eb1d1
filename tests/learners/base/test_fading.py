"""Tests for how evidence fades: in Python, of numbers and of arrays, and in kernels."""

import math

import numpy as np
import pytest

from streamlab.learners.base import _kernels as kernels
from streamlab.learners.base.fading import most_held, share_left


@pytest.mark.whole
@pytest.mark.parametrize("half_life", [1e-3, 3.0, 200.0, 1e4, math.inf])
def test_numbers_arrays_and_kernels_agree(half_life):
    # as far back as a landmark may lie, and so far on that next to nothing is left
    some = np.linspace(-250, 1000, 501) * min(half_life, 1e5)
    for rows in (some, np.arange(int(min(5000, 1000 * half_life)))):
        numbers = np.array([share_left(row, half_life) for row in rows])
        np.testing.assert_allclose(share_left(rows, half_life), numbers, rtol=4e-16)
        np.testing.assert_allclose([kernels.share_left(row, half_life) for row in rows], numbers, rtol=4e-16)
        np.testing.assert_allclose(np.log2(numbers), -rows / half_life, rtol=1e-12, atol=1e-15)


@pytest.mark.whole
@pytest.mark.parametrize("half_life", [0.1, 20.0, 333.3])
def test_no_more_is_held_than_all_shares_together(half_life):
    assert most_held(half_life) == pytest.approx(share_left(np.arange(math.ceil(60 * half_life)), half_life).sum())
    assert most_held(math.inf) == math.inf
