"""Kernels of a Hoeffding tree for each label, each by itself or in a chain: rows with weights, in one forest.

A row is put into a *test row* ``x``: the numeric features, then the nominal ones, then, in a chain, a column for each
label: 0 or 1 for the labels before it in the chain, NaN (which trees leave out) for the others.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals._hoeffding import (
    N_EVENTS,
    NODES,
    POSITION,
    SINCE,
    SLOT,
    SLOTS,
    attempt,
    consult,
    count,
    leaf_of,
    note_right,
)


@kernel
def place(X, i, places, x):
    """Put row ``i`` into the test row; nothing is known of the labels."""
    for j in range(places.shape[0]):
        x[places[j]] = X[i, j]
    for k in range(places.shape[0], x.shape[0]):
        x[k] = math.nan


@kernel
def answer_row(forest, order, n_features, x, shares, bayes, scores, labels):
    """Answer the row in ``x``, tree by tree; in a chain a vote is 0 or 1, else the probability."""
    is_chain = x.shape[0] > n_features
    for p in range(order.shape[0]):
        tree = order[p]
        s = leaf_of(forest, tree, x, 0.0)
        _, by_bayes = consult(forest, s, x, shares, bayes)
        chosen = bayes if by_bayes else shares
        is_in = chosen[1] > chosen[0]
        labels[tree] = is_in
        scores[tree] = chosen[1]
        if is_chain:
            scores[tree] = 1.0 if is_in else 0.0
            x[n_features + tree] = scores[tree]


@kernel
def learn_row(forest, order, n_features, x, flags, w, settings, answers, shares, bayes, sides, scores, labels):
    """Learn the row in ``x`` with its weight; without a chain it is answered on the way where that is asked for."""
    is_chain = x.shape[0] > n_features
    for p in range(order.shape[0]):
        tree = order[p]
        s = leaf_of(forest, tree, x, w)
        _, by_bayes = consult(forest, s, x, shares, bayes)
        if answers:
            chosen = bayes if by_bayes else shares
            scores[tree], labels[tree] = chosen[1], chosen[1] > chosen[0]
        slot, c = forest.links[s, SLOT], np.int64(flags[tree])
        note_right(forest, slot, c, w, shares, bayes)
        count(forest, slot, x, c, w)
        forest.values[s, SINCE] += w
        attempt(forest, s, settings, sides)
        if is_chain:
            x[n_features + tree] = np.float64(c)
    forest.cursor[POSITION] += 1


@kernel(arrays=True)
def answer(forest, order, places, X, scores, labels):
    """Answer rows; changes nothing."""
    n_columns, n_features = forest.n_categories.shape[0], places.shape[0]
    shares, bayes, x = np.empty(2), np.empty(2), np.empty(n_columns)
    for i in range(X.shape[0]):
        place(X, i, places, x)
        answer_row(forest, order, n_features, x, shares, bayes, scores[i], labels[i])


@kernel(arrays=True)
def run(forest, order, places, X, Y, weights, first, answers, settings, scores, labels):
    """Answer, if that is asked for, and learn the rows from ``first`` on; return the row that comes next.

    Rows of weight 0 are not learned. It stops early if a row could need more room than there is. A row costs trees x
    features x classes.
    """
    n_columns, n_features, n_trees = forest.n_categories.shape[0], places.shape[0], order.shape[0]
    shares, bayes, sides, x = np.empty(2), np.empty(2), np.empty((2, 2)), np.empty(n_columns)
    is_chain = n_columns > n_features
    cursor = forest.cursor
    for i in range(first, X.shape[0]):
        learns = weights[i] > 0.0
        if learns and (
            cursor[NODES] + 2 * n_trees > forest.links.shape[0]
            or cursor[SLOTS] + n_trees > forest.weights.shape[0]
            or cursor[N_EVENTS] + n_trees > forest.events.shape[0]
        ):
            return i
        place(X, i, places, x)
        if answers and (is_chain or not learns):
            answer_row(forest, order, n_features, x, shares, bayes, scores[i], labels[i])
            if learns:
                for k in range(n_features, n_columns):
                    x[k] = math.nan
        if learns:
            learn_row(
                forest, order, n_features, x, Y[i], weights[i], settings, answers and not is_chain, shares, bayes,
                sides, scores[i], labels[i],
            )  # fmt: skip
    return X.shape[0]
