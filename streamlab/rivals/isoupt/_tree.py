"""Where an iSOUP tree keeps everything: its nodes, and for each leaf a *slot* of models and split statistics.

When a leaf splits, its left child takes the slot and the right one a new slot, so that slots are never free; nodes are
never removed, and a child's index is larger than its parent's. The first columns of ``links`` and ``values`` are those
of Hoeffding trees, whose routing this tree shares.

N nodes, S slots, L labels, F features of which M are numeric, K categories of all nominal features, one behind the
other, D columns of the models, P rows of the pool of bins. Targets are 0 and 1, so that the sum of their squares is
their sum: what a bin, a category or a leaf keeps is its weight and that of its rows with each label; of a category or a
leaf the weight is column 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals.hoeffding._forest import DEPTH, PARENT, SLOT

BINS = 64
"""Bins of a numeric feature in a leaf, at most."""
# further columns of ``links``: rows learned when it began, and at its latest row; the two best features of the last
# attempt to split, -1: none
BORN, LAST, BEST, SECOND = range(6, 10)
N_LINKS = 10
# further columns of ``values``: weight that came lately, weight times the share of labels answered wrong, and the
# merits of the last attempt to split
RECENT, WRONG, BEST_MERIT, SECOND_MERIT = range(3, 7)
N_VALUES = 7
# columns of ``errors``
OF_MEAN, OF_MODEL = range(2)
# columns of ``bins``
LOW, HIGH, WEIGHT = range(3)
# columns of ``scale``
N, MEAN, SPREAD = range(3)
# entries of ``cursor``
NODES, SLOTS, POOL, POSITION, N_EVENTS = range(5)
N_CURSOR = 5
# columns of ``events``: node, rows learned, feature, point, merit, second merit, bound, weight
N_EVENT = 8
# entries of ``settings``: these parameters
SETTINGS = (
    "grace_period", "delta", "tau", "min_samples_split", "max_depth", "learning_rate", "threshold", "leaf",
)  # fmt: skip
GRACE, DELTA, TAU, LEAST, MAX_DEPTH, STEP, THRESHOLD, KIND = range(8)
# values of ``leaf``: logistic regressions; the mean or a linear regression; the mean or a perceptron
LEAVES = ("model", "adaptive", "perceptron")
LOGISTIC, LINEAR, PERCEPTRON = range(3)


class Tree(NamedTuple):
    """The arrays.

    Parameters
    ----------
    links, values
        Of nodes: int64 [N, .] and float64 [N, .].
    came
        Of nodes: weight of the rows with each label that came, float64 [N, L].
    totals
        Of slots: weight and weight with each label, [S, 1 + L]; a new leaf starts with what the split gives its side.
    weights
        Of slots: the models' coefficients, [S, L, D]; column 0 is the constant.
    errors
        Of slots: faded squared errors of mean and model, [S, L, 2].
    n_bins, place
        Of slots: bins of each numeric feature, int64 [S, M], and their rows in the pool by rising value, int32
        [S, M, BINS].
    tallies
        Of slots: weight and weight with each label by category, [S, K, 1 + L].
    bins, bin_labels
        The pool: the least and the largest value of each bin and its weight, [P, 3], and its weight with each label,
        [P, L]. Bins of leaves that have split stay until the pool is packed.
    scale
        Of columns: weight, mean and centred square sum, [D, 3]; without perceptrons [0, 3].
    roots
        The root, int64 [1].
    n_categories, first_category, numeric, starts
        The schema, int64 [F]: categories of each feature (0: numeric), where they begin, its place among the numeric
        features (-1: nominal), and its first column.
    cursor
        int64: nodes, slots and rows of the pool in use, rows learned, events in the log.
    events
        float64 [E, 8].
    """

    links: np.ndarray
    values: np.ndarray
    came: np.ndarray
    totals: np.ndarray
    weights: np.ndarray
    errors: np.ndarray
    n_bins: np.ndarray
    place: np.ndarray
    tallies: np.ndarray
    bins: np.ndarray
    bin_labels: np.ndarray
    scale: np.ndarray
    roots: np.ndarray
    n_categories: np.ndarray
    first_category: np.ndarray
    numeric: np.ndarray
    starts: np.ndarray
    cursor: np.ndarray
    events: np.ndarray


@kernel
def new_node(tree, parent, depth, slot):
    """Return a new leaf; its slot is already as it is to be."""
    s = tree.cursor[NODES]
    tree.cursor[NODES] += 1
    tree.links[s] = -1
    tree.values[s] = 0.0
    tree.came[s] = 0.0
    tree.links[s, PARENT], tree.links[s, DEPTH], tree.links[s, SLOT] = parent, depth, slot
    tree.links[s, BORN] = tree.links[s, LAST] = tree.cursor[POSITION]
    return s
