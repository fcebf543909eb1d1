"""Kernels that find an instance's leaves and combine their answers."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._classifiers import ask_neighbours, linear_sums, mean_probabilities
from streamlab.learners.mlhat._settings import (
    ALTERNATE_GRACE,
    BAGGING,
    CARDINALITY,
    COMBINE,
    ENTROPY,
    HAMMING,
    MAJORITY,
    MEASURE,
    MICRO_F1,
    MODELS,
    NEIGHBORS,
    NEIGHBOURS,
    NONE,
    SUBSET,
)
from streamlab.learners.mlhat._statistics import binary_entropy
from streamlab.learners.mlhat._tree import (
    ALTERNATE,
    BORN_ERROR,
    DEEPEST,
    ERROR_SUM,
    ERROR_WEIGHT,
    FEATURE,
    ID,
    INHERITED,
    LEAF,
    LEFT,
    N_SETS,
    NOMINAL,
    RIGHT,
    ROOT,
    THRESHOLD,
    TRAINED,
    WEIGHT,
)

__all__ = ["answer", "regimes"]

# added to a squared error, so that an error of 0 has a finite vote
LEAST_ERROR = 1e-6


@kernel
def read_row(tree, x, touched, columns, inputs):
    """Find what of a row is not zero: its features (missing ones too), and the inputs of the linear models by column.

    Returns their numbers, and whether a value is missing.
    """
    n_touched, n_inputs, missing = 0, 0, False
    for f in range(x.shape[0]):
        v = x[f]
        if v == 0.0:
            continue
        touched[n_touched] = f
        n_touched += 1
        if math.isnan(v):
            missing = True
        elif tree.numeric[f] >= 0:
            columns[n_inputs] = tree.category_first[f]
            inputs[n_inputs] = v
            n_inputs += 1
        else:
            column = tree.category_column[tree.category_first[f] + np.int64(v)]
            if column >= 0:
                columns[n_inputs] = column
                inputs[n_inputs] = 1.0
                n_inputs += 1
    for i in range(tree.wide.shape[0]):
        f = tree.wide[i]
        if x[f] == 0.0:
            columns[n_inputs] = tree.category_column[tree.category_first[f]]
            inputs[n_inputs] = 1.0
            n_inputs += 1
    return n_touched, n_inputs, missing


@kernel
def child_of(links, values, s, x):
    """Return the child of branch ``s`` for ``x``; if the value is missing, the child that has seen more weight."""
    v = x[links[s, FEATURE]]
    if math.isnan(v):
        left, right = links[s, LEFT], links[s, RIGHT]
        return right if values[right, WEIGHT] > values[left, WEIGHT] else left
    if links[s, NOMINAL]:
        return links[s, LEFT] if v == values[s, THRESHOLD] else links[s, RIGHT]
    return links[s, LEFT] if v <= values[s, THRESHOLD] else links[s, RIGHT]


@kernel
def find_path(tree, x, path, alternates):
    """Fill ``path`` with the nodes from the root to the leaf, ``alternates`` with the leaf of each one's alternate.

    Returns the number of branch nodes on the path and the number of alternates.
    """
    links, values = tree.links, tree.values
    s = tree.cursor[ROOT]
    depth, n_alternates = 0, 0
    path[0] = s
    while links[s, LEAF] < 0:
        a = links[s, ALTERNATE]
        alternates[depth] = -1
        if a >= 0:
            while links[a, LEAF] < 0:
                a = child_of(links, values, a, x)
            alternates[depth] = a
            n_alternates += 1
        s = child_of(links, values, s, x)
        depth += 1
        path[depth] = s
    return depth, n_alternates


@kernel
def regime_of(tree, s, settings):
    """Return the code of the classifier with which leaf ``s`` answers.

    What counts is the weight that its bags have learned; a leaf that inherited them has seen less itself. While it has
    seen less than the threshold, its label entropy is that of the probabilities it started with.
    """
    links, values = tree.links, tree.values
    if links[s, INHERITED] == 0:
        if links[s, N_SETS] == 0:
            return NONE
        if links[s, N_SETS] == 1:
            return MAJORITY
    if values[s, TRAINED] < settings[CARDINALITY]:
        return NEIGHBOURS
    weight, counts = values[s, WEIGHT], tree.counts[s]
    # a leaf that has just been born has counted nothing, whatever the threshold
    if weight < settings[CARDINALITY] or weight <= 0.0:
        weight, counts = 1.0, tree.born[s]
    entropy = 0.0
    for label in range(counts.shape[0]):
        entropy += binary_entropy(counts[label] / weight)
        if entropy >= settings[ENTROPY]:
            return BAGGING
    return NEIGHBOURS


@kernel
def regimes(tree, slots, settings, out):
    """Fill ``out`` with the code of the classifier with which each leaf among the nodes answers; 0 for branches."""
    for i in range(slots.shape[0]):
        out[i] = regime_of(tree, slots[i], settings) if tree.links[slots[i], LEAF] >= 0 else NONE


@kernel
def answer_leaf(
    tree, s, x, touched, n_touched, missing, columns, inputs, n_inputs, settings, learns, distances, logits, scores
):
    """Score the labels by leaf ``s``; with ``learns`` also fill ``logits`` with the sums of its bags, for the step."""
    regime = regime_of(tree, s, settings)
    if learns or regime == BAGGING:
        c = tree.links[s, LEAF]
        linear_sums(tree.weights[c], tree.intercepts[c], columns, inputs, n_inputs, logits)
    if regime == NONE:
        scores[:] = tree.born[s]
    elif regime == MAJORITY:
        for label in range(scores.shape[0]):
            scores[label] = 1.0 if tree.counts[s, label] > 0.0 else 0.0
    elif regime == NEIGHBOURS:
        ask_neighbours(tree, s, np.int64(settings[NEIGHBORS]), x, touched, n_touched, missing, distances, scores)
    else:
        mean_probabilities(logits[1], np.int64(settings[MODELS]), scores)


@kernel
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


@kernel
def error_of(values, s):
    """Return the running error of a node; before it has one, that of the leaf it came from."""
    if values[s, ERROR_WEIGHT] > 0.0:
        return values[s, ERROR_SUM] / values[s, ERROR_WEIGHT]
    return values[s, BORN_ERROR]


@kernel
def add_vote(values, s, scores, votes):
    """Add a leaf's answer to the votes, weighted by 1 / (e² + 10⁻⁶); returns the weight."""
    e = error_of(values, s)
    weight = 1.0 / (e * e + LEAST_ERROR)
    for label in range(votes.shape[0]):
        votes[label] += weight * scores[label]
    return weight


@kernel
def combine(tree, depth, path, alternates, answers, settings, y, learns, losses, votes):
    """Combine the answers of the leaves, from the deepest up, and fill ``losses`` with the loss of each node's subtree.

    ``answers[0]`` is of the path's leaf, ``answers[1 + i]`` of the leaf of node i's alternate. ``votes`` becomes the
    answer of the whole tree.
    """
    links, values = tree.links, tree.values
    votes[:] = 0.0
    total = add_vote(values, path[depth], answers[0], votes)
    measure = settings[MEASURE]
    loss = loss_of(measure, answers[0], y) if learns else 0.0
    losses[depth] = loss
    mixed = False
    for i in range(depth - 1, -1, -1):
        losses[i] = loss
        a = alternates[i]
        if a >= 0 and settings[COMBINE] != 0.0 and values[a, WEIGHT] > settings[ALTERNATE_GRACE]:
            total += add_vote(values, a, answers[1 + i], votes)
            mixed = True
            if learns and i > 0:
                loss = loss_of(measure, votes / total, y)
    for label in range(votes.shape[0]):
        votes[label] = votes[label] / total if mixed else answers[0, label]
    return links[path[depth], ID]


@kernel
def answer(tree, X, settings, scores, labels):
    """Score every row (float64 [rows, labels]) and choose its labels (uint8); changes nothing."""
    n, n_features = X.shape
    n_labels = scores.shape[1]
    path, alternates = np.empty(DEEPEST + 2, np.int64), np.empty(DEEPEST + 2, np.int64)
    touched, columns = np.empty(n_features, np.int64), np.empty(n_features, np.int64)
    inputs, distances = np.empty(n_features), np.empty(tree.window_sets.shape[1])
    logits = np.empty((2, tree.intercepts.shape[1]))
    answers, losses = np.zeros((DEEPEST + 2, n_labels)), np.empty(DEEPEST + 2)
    nothing = np.zeros(0, np.uint8)
    for i in range(n):
        x = X[i]
        n_touched, n_inputs, missing = read_row(tree, x, touched, columns, inputs)
        depth, _ = find_path(tree, x, path, alternates)
        for k in range(-1, depth):
            s = path[depth] if k < 0 else alternates[k]
            if s >= 0:
                answer_leaf(
                    tree, s, x, touched, n_touched, missing, columns, inputs, n_inputs, settings, False, distances,
                    logits, answers[1 + k],
                )  # fmt: skip
        combine(tree, depth, path, alternates, answers, settings, nothing, False, losses, scores[i])
        for label in range(n_labels):
            labels[i, label] = scores[i, label] > 0.5
