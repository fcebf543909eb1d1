"""Kernels about label sets: their numbers, what each leaf has seen of them (in hash tables), the loss of an answer."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import GOLDEN, mix
from streamlab.learners.mlhat._settings import HAMMING, MICRO_F1, SUBSET


@kernel(inner=True)
def number_of_set(tree, present, n_present, words):
    """Return the number of the label set ``present[:n_present]`` (ascending); a new set gets the next number.

    ``words``, uint64 and as long as a set's bits, is overwritten.
    """
    hashed = GOLDEN
    n_words = tree.set_words.shape[1]
    words[:] = 0
    for i in range(n_present):
        hashed = mix(hashed + np.uint64(present[i] + 1) * GOLDEN)
        words[present[i] >> 6] |= np.uint64(1) << np.uint64(present[i] & 63)
    size = tree.set_table.shape[0]
    at = np.int64(hashed & np.uint64(size - 1))
    while tree.set_table[at] >= 0:
        g = tree.set_table[at]
        same = True
        for k in range(n_words):
            same &= tree.set_words[g, k] == words[k]
        if same:
            return g
        at = (at + 1) & (size - 1)
    g = tree.cursor[0].sets_used
    tree.cursor[0].sets_used += 1
    tree.set_table[at] = g
    for k in range(n_words):
        tree.set_words[g, k] = words[k]
    return g


@kernel(inner=True)
def find_present(y, present):
    """List the labels that an instance has; returns their number."""
    n = 0
    for label in range(y.shape[0]):
        if y[label]:
            present[n] = label
            n += 1
    return n


@kernel(inner=True)
def has_label(tree, g, label):
    """Return whether label set number ``g`` contains a label."""
    return (tree.set_words[g, label >> 6] >> np.uint64(label & 63)) & np.uint64(1) != 0


@kernel
def place_sets(set_words, n_sets, n_labels, table):
    """Fill an empty hash table with the label sets, after the table has grown."""
    size = table.shape[0]
    for g in range(n_sets):
        hashed = GOLDEN
        for label in range(n_labels):
            if (set_words[g, label >> 6] >> np.uint64(label & 63)) & np.uint64(1):
                hashed = mix(hashed + np.uint64(label + 1) * GOLDEN)
        at = np.int64(hashed & np.uint64(size - 1))
        while table[at] >= 0:
            at = (at + 1) & (size - 1)
        table[at] = g


@kernel(inner=True)
def add_pair(keys, counts, key, weight):
    """Add to the count of a key; return whether the key is new."""
    size = keys.shape[0]
    at = np.int64(mix(np.uint64(key)) & np.uint64(size - 1))
    while keys[at] >= 0:
        if keys[at] == key:
            counts[at] += weight
            return False
        at = (at + 1) & (size - 1)
    keys[at] = key
    counts[at] = weight
    return True


@kernel
def place_pairs(old_keys, old_counts, keep, keys, counts):
    """Move the pairs to keep into an empty table; return their number."""
    n = 0
    for i in range(old_keys.shape[0]):
        if keep[i]:
            add_pair(keys, counts, old_keys[i], old_counts[i])
            n += 1
    return n


# ---------------------------------------------------------------------- the loss of an answer


@kernel(inner=True)
def loss_of(measure, scores, y):
    """Return the loss of an answer to one instance, in [0, 1]."""
    both = either = wrong = 0
    for label in range(y.shape[0]):
        predicted, true = scores[label] > 0.5, y[label] != 0
        both += predicted & true
        either += predicted | true
        wrong += predicted != true
    if wrong == 0:
        return 0.0
    if measure == HAMMING:
        return wrong / y.shape[0]
    if measure == SUBSET:
        return 1.0
    if measure == MICRO_F1:
        return 1.0 - 2.0 * both / (both + either)
    # of one instance, each label that is true or predicted has F1 1 or 0
    return 1.0 - both / either
