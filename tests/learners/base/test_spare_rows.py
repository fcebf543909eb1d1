"""Arrays that are lengthened where they are."""

from __future__ import annotations

import gc

import numpy as np

from streamlab.learners.base import storage
from streamlab.learners.base.storage import LEAST, PAGE, SPARE, lengthened, zeros_with_spare_rows


def test_what_is_lengthened_shares_memory_and_goes_on_with_zeros():
    old = zeros_with_spare_rows((3, 2), np.dtype(float))
    old[:] = 7.0
    new = lengthened(old, (5, 2))
    assert new is not None
    assert np.shares_memory(old, new)
    np.testing.assert_array_equal(new, np.repeat([[7.0, 7.0], [0.0, 0.0]], [3, 2], axis=0))
    assert new.flags.c_contiguous
    assert lengthened(new, (LEAST // 16, 2)) is not None


def test_one_row_is_lengthened_along_its_columns_and_two_are_not():
    old = zeros_with_spare_rows((1, 3, 2), np.dtype(float))
    old[:] = 7.0
    new = lengthened(old, (1, 5, 2))
    assert new is not None
    assert np.shares_memory(old, new)
    np.testing.assert_array_equal(new[0], np.repeat([[7.0, 7.0], [0.0, 0.0]], [3, 2], axis=0))
    assert lengthened(new, (2, 6, 2)) is None
    two = lengthened(new, (2, 5, 2))
    assert two is not None
    np.testing.assert_array_equal(two, np.stack([new[0], np.zeros((5, 2))]))
    assert lengthened(two, (2, 6, 2)) is None


def test_a_large_array_has_room_for_several_of_its_size_and_begins_with_a_large_page():
    made = zeros_with_spare_rows((3, LEAST), np.dtype(np.uint8))
    assert made.__array_interface__["data"][0] % PAGE == 0
    assert lengthened(made, (3 * SPARE + 1, LEAST)) is None
    assert lengthened(made, (3 * SPARE, LEAST)) is not None


def test_rows_that_were_given_out_are_not_given_out_again():
    old = zeros_with_spare_rows((3, 2), np.dtype(float))
    new = lengthened(old, (5, 2))
    new[:] = 1.0
    assert lengthened(old, (5, 2)) is None
    assert lengthened(new, (LEAST // 16 + 1, 2)) is None
    assert lengthened(new, (4, 2)) is None


def test_any_other_array_has_no_spare_rows():
    made = zeros_with_spare_rows((3, 2), np.dtype(float))
    for other in (np.zeros((3, 2)), np.zeros((9, 2))[:3], made[1:], made[:, :1], made.copy(), made[:2]):
        assert lengthened(other, (4, *other.shape[1:])) is None


def test_an_array_that_is_gone_is_forgotten():
    gc.collect()
    before = len(storage._given)
    made = zeros_with_spare_rows((3, 2), np.dtype(float))
    assert len(storage._given) == before + 1
    del made
    gc.collect()
    assert len(storage._given) == before
