"""Bundles: what kernels read and write through the table is what Python sees, also of copies and of changed bundles."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from streamlab.bundle import Bundle
from streamlab.kernels import kernel


class Pair(Bundle):
    counts: np.ndarray
    places: np.ndarray


@kernel
def add_at_places(pair, amount):
    """Add to the counts of the places, row by row of a table of any layout; return how many there were."""
    n = 0
    for i in range(pair.places.shape[0]):
        for j in range(pair.places.shape[1]):
            pair.counts[pair.places[i, j]] += amount
            n += 1
    return n


def pair(**changed) -> Pair:
    return Pair(**({"counts": np.zeros(4), "places": np.array([[0, 3], [3, 1]])} | changed))


def test_a_kernel_writes_to_the_arrays():
    one = pair()
    assert add_at_places(one, 2.0) == 4
    assert one.counts.tolist() == [2, 2, 0, 4]


@pytest.mark.parametrize("places", [np.arange(12).reshape(3, 4)[::2, ::3] % 4, np.asfortranarray([[0, 3], [2, 1]])])
def test_views_are_read_by_their_strides(places):
    one = pair(places=places)
    add_at_places(one, 1.0)
    assert one.counts.tolist() == np.bincount(places.ravel(), minlength=4).tolist()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_is_written_to_by_its_own_table(copied):
    one = pair()
    other = copied(one)
    add_at_places(other, 1.0)
    assert other.counts.tolist() == [1, 1, 0, 2]
    assert one.counts is other.counts or not one.counts.any()


def test_a_changed_bundle_shares_the_rest():
    one = pair()
    other = one.replaced(places=np.array([[2]]))
    add_at_places(other, 5.0)
    assert one.counts is other.counts
    assert one.counts.tolist() == [0, 0, 5, 0]
    assert one.places.tolist() == [[0, 3], [3, 1]]


def test_wrong_arrays_are_refused_by_name():
    with pytest.raises(TypeError, match="places"):
        Pair(counts=np.zeros(4))
    with pytest.raises(TypeError, match="counts"):
        pair(counts=[0.0])
    frozen = np.zeros(4)
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match="counts"):
        pair().replaced(counts=frozen)
    with pytest.raises(TypeError, match="other"):
        pair().replaced(other=np.zeros(4))
    with pytest.raises(AttributeError, match="replaced"):
        pair().counts = np.zeros(3)
