"""Kernels of iSOUPT: a row goes to its leaf, whose models answer and learn it; a leaf splits by its bins.

A leaf has a model for each label, learned by stochastic gradients. The columns of a row: the constant 1, then a number
as it is, and a nominal feature as an indicator for each category but the first. What is missing is 0; for a perceptron,
whose columns are standardised, that is the mean.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import share_left
from streamlab.learners.mlhat._bags import sigmoid
from streamlab.learners.mlhat._tree import RECENT_HALF_LIFE
from streamlab.rivals._hoeffding import (
    DEPTH,
    FEATURE,
    LEFT,
    PARENT,
    POINT,
    SEEN,
    SINCE,
    SLOT,
    leaf_of,
)
from streamlab.rivals._isoupt_tree import (
    BEST,
    BEST_MERIT,
    DELTA,
    GRACE,
    HIGH,
    KIND,
    LAST,
    LEAST,
    LINEAR,
    LOGISTIC,
    MAX_DEPTH,
    MEAN,
    N_EVENTS,
    NODES,
    OF_MEAN,
    OF_MODEL,
    PERCEPTRON,
    POOL,
    POSITION,
    RECENT,
    SECOND,
    SECOND_MERIT,
    SLOTS,
    SPREAD,
    STEP,
    TAU,
    THRESHOLD,
    WRONG,
    N,
    add_bin,
    best_category,
    best_cut,
    count_values,
    new_node,
)

LARGEST = 1e100
"""What a coefficient is at most in magnitude: sums of products with the largest features stay finite then."""
FADING = 0.95
"""What the errors of mean and model are multiplied by with each row."""
STEEPEST = 1e12
"""The largest magnitude of a gradient, as in River."""
DECAY = 0.001
"""How fast the steps of a perceptron become shorter, as in MOA."""
NARROWEST = 1e-5
"""A column that varies less than this says nothing to a perceptron, as in MOA."""


@kernel
def put_columns(tree, x, kind, z, touched):
    """Fill the columns of a row; return how many are not 0, whose numbers go to ``touched``."""
    n_categories, starts, scale = tree.n_categories, tree.starts, tree.scale
    z[0] = 1.0
    for k in range(1, z.shape[0]):
        z[k] = 0.0
    for j in range(n_categories.shape[0]):
        v, first, n = x[j], starts[j], n_categories[j]
        if math.isnan(v):
            for k in range(first, first + (n - 1 if n > 0 else 1)):
                z[k] = math.nan
        elif n == 0:
            z[first] = v
        elif v > 0.0:
            z[first + np.int64(v) - 1] = 1.0
    n_touched = 0
    for k in range(z.shape[0]):
        if kind == PERCEPTRON and k > 0:
            z[k] = standard(scale[k], z[k])
        elif math.isnan(z[k]):
            z[k] = 0.0
        if z[k] != 0.0:
            touched[n_touched] = k
            n_touched += 1
    return n_touched


@kernel
def standard(own, v):
    """Return a column's value less its mean, in standard deviations; 0 where it is missing or says nothing."""
    if own[N] <= 1.0 or math.isnan(v):
        return 0.0
    deviation = math.sqrt(own[SPREAD] / own[N])
    return (v - own[MEAN]) / deviation if deviation > NARROWEST else 0.0


@kernel
def rescale(tree, x, w):
    """Take a row into means and deviations of the columns."""
    n_categories, starts, scale = tree.n_categories, tree.starts, tree.scale
    for j in range(n_categories.shape[0]):
        v, first, n = x[j], starts[j], n_categories[j]
        if math.isnan(v):
            continue
        for k in range(first, first + (n - 1 if n > 0 else 1)):
            value = v if n == 0 else np.float64(np.int64(v) == k - first + 1)
            row = scale[k]
            row[N] += w
            away = value - row[MEAN]
            row[MEAN] += w * away / row[N]
            row[SPREAD] += w * away * (value - row[MEAN])


@kernel
def share_of(came, n):
    """Return the share of ``n`` rows with a label, and its standard deviation."""
    if n <= 0.0:
        return 0.0, 0.0
    share = came / n
    return share, math.sqrt(max(share * (1.0 - share), 0.0))


@kernel
def ask_models(tree, slot, settings, z, touched, n_touched, means, models, scores, labels):
    """Fill what mean and model of each label say, and with them scores and labels."""
    kind, totals, weights, all_errors = settings[KIND], tree.totals[slot], tree.weights[slot], tree.errors[slot]
    came, n = tree.came[tree.roots[0]], tree.values[tree.roots[0], SEEN]
    weight = totals[0]
    for label in range(scores.shape[0]):
        coefficients, total = weights[label], 0.0
        for i in range(n_touched):
            total += coefficients[touched[i]] * z[touched[i]]
        means[label] = totals[1 + label] / weight if weight > 0.0 else 0.0
        if kind == LOGISTIC:
            total = sigmoid(total)
        elif kind == PERCEPTRON:
            share, deviation = share_of(came[label], n)
            total = share + deviation * total
        models[label] = total
        errors = all_errors[label]
        answer = means[label] if kind != LOGISTIC and errors[OF_MEAN] < errors[OF_MODEL] else total
        scores[label] = min(max(answer, 0.0), 1.0)
        labels[label] = scores[label] > settings[THRESHOLD]


@kernel
def learn_models(tree, slot, settings, z, touched, n_touched, means, models, y, w, n_leaf):
    """Learn a row whose answers are in ``means`` and ``models``, with its weight; the leaf has ``n_leaf`` with it."""
    kind, step, weights, all_errors = settings[KIND], settings[STEP], tree.weights[slot], tree.errors[slot]
    came, n_before = tree.came[tree.roots[0]], tree.values[tree.roots[0], SEEN]
    for label in range(y.shape[0]):
        truth = np.float64(y[label])
        off_mean, off = means[label] - truth, models[label] - truth
        if kind != LOGISTIC:
            errors = all_errors[label]
            errors[OF_MEAN] = FADING * errors[OF_MEAN] + off_mean * off_mean
            errors[OF_MODEL] = FADING * errors[OF_MODEL] + min(off * off, LARGEST)
        move = step * w * off
        if kind == LINEAR:
            move = step * min(max(2.0 * w * off, -STEEPEST), STEEPEST)
        elif kind == PERCEPTRON:
            if n_before <= 1.0:
                continue
            _, deviation = share_of(came[label], n_before)
            # what is always so, or never, has no deviation
            off = off / deviation if deviation > 0.0 else 0.0
            move = 2.0 * step * w * off / (1.0 + DECAY * n_leaf)
        coefficients = weights[label]
        for i in range(n_touched):
            k = touched[i]
            coefficients[k] = min(max(coefficients[k] - move * z[k], -LARGEST), LARGEST)
        if kind == PERCEPTRON:
            to_unit_sum(coefficients)


@kernel
def to_unit_sum(coefficients):
    """Divide coefficients by the sum of their magnitudes."""
    total = 0.0
    for k in range(coefficients.shape[0]):
        total += abs(coefficients[k])
    if total > 0.0 and total < math.inf:
        for k in range(coefficients.shape[0]):
            coefficients[k] /= total


@kernel(arrays=True)
def answer(tree, X, settings, scores, labels):
    """Answer rows: scores float64 [n, L], labels uint8; changes nothing."""
    n_labels = scores.shape[1]
    z, touched = np.empty(tree.weights.shape[2]), np.empty(tree.weights.shape[2], np.int64)
    means, models = np.empty(n_labels), np.empty(n_labels)
    answer_rows(tree, X, settings, scores, labels, z, touched, means, models)


@kernel
def answer_rows(tree, X, settings, scores, labels, z, touched, means, models):
    """Do the work of ``answer``; the last four are overwritten."""
    for i in range(X.shape[0]):
        n_touched = put_columns(tree, X[i], settings[KIND], z, touched)
        slot = tree.links[leaf_of(tree, 0, X[i], 0.0), SLOT]
        ask_models(tree, slot, settings, z, touched, n_touched, means, models, scores[i], labels[i])


@kernel(arrays=True)
def test_then_train(tree, X, Y, weights, first, settings, scores, labels):
    """Answer, then learn the rows from ``first`` on, each with its weight; return the row that comes next.

    Rows of weight 0 are answered alone. It stops early if a row could need more room than there is. A row costs
    features other than 0 times labels for the models, and features times its own labels for the bins.
    """
    n_labels, n_columns = scores.shape[1], tree.weights.shape[2]
    z, touched = np.empty(n_columns), np.empty(n_columns, np.int64)
    means, models, present = np.empty(n_labels), np.empty(n_labels), np.empty(n_labels, np.int64)
    whole, left = np.empty(1 + n_labels), np.empty(1 + n_labels)
    return learn_rows(
        tree, X, Y, weights, first, settings, scores, labels, z, touched, means, models, present, whole, left
    )


@kernel
def learn_rows(tree, X, Y, weights, first, settings, scores, labels, z, touched, means, models, present, whole, left):
    """Do the work of ``test_then_train``; the last seven are overwritten."""
    cursor = tree.cursor
    for i in range(first, X.shape[0]):
        w = weights[i]
        if w > 0.0 and (
            cursor[NODES] + 2 > tree.links.shape[0]
            or cursor[SLOTS] + 1 > tree.totals.shape[0]
            or cursor[POOL] + tree.n_bins.shape[1] > tree.bins.shape[0]
            or cursor[N_EVENTS] + 1 > tree.events.shape[0]
        ):
            return i
        n_touched = put_columns(tree, X[i], settings[KIND], z, touched)
        s = leaf_of(tree, 0, X[i], 0.0)
        slot = tree.links[s, SLOT]
        ask_models(tree, slot, settings, z, touched, n_touched, means, models, scores[i], labels[i])
        if not w > 0.0:
            continue
        n_leaf = tree.values[s, SEEN] + w
        learn_models(tree, slot, settings, z, touched, n_touched, means, models, Y[i], w, n_leaf)
        if settings[KIND] == PERCEPTRON:
            rescale(tree, X[i], w)
        n_present = 0
        for label in range(Y.shape[1]):
            if Y[i, label]:
                present[n_present] = label
                n_present += 1
        count(tree, s, X[i], labels[i], Y[i], present, n_present, w)
        cursor[POSITION] += 1
        is_due = tree.values[s, SINCE] >= settings[GRACE] and tree.links[s, DEPTH] < settings[MAX_DEPTH]
        if is_due and Y.shape[1] > 0:
            attempt(tree, s, settings, whole, left)
    return X.shape[0]


@kernel
def count(tree, s, x, answered, y, present, n_present, w):
    """Count a row in its leaf ``s`` and in all nodes above it."""
    links, values, slot = tree.links, tree.values, tree.links[s, SLOT]
    tree.totals[slot, 0] += w
    for j in range(n_present):
        tree.totals[slot, 1 + present[j]] += w
    count_values(tree, slot, x, present, n_present, w)
    values[s, SINCE] += w
    wrong = 0
    for label in range(y.shape[0]):
        wrong += answered[label] != y[label]
    loss = wrong / y.shape[0] if y.shape[0] > 0 else 0.0
    now = tree.cursor[POSITION]
    while s >= 0:
        values[s, RECENT] = values[s, RECENT] * share_left(now - links[s, LAST], RECENT_HALF_LIFE) + w
        links[s, LAST] = now
        values[s, SEEN] += w
        values[s, WRONG] += w * loss
        for j in range(n_present):
            tree.came[s, present[j]] += w
        s = links[s, PARENT]


@kernel
def bound_of(delta, weight):
    """Return the Hoeffding bound of a ratio of merits, which lies from 0 to 1."""
    return math.sqrt(math.log(1.0 / delta) / (2.0 * weight))


@kernel
def attempt(tree, s, settings, whole, left):
    """Split leaf ``s`` if the second best merit is far enough below the best."""
    links, values, slot = tree.links, tree.values, tree.links[s, SLOT]
    values[s, SINCE] = 0.0
    least, weight = max(settings[LEAST], 1.0), values[s, SEEN]
    bins, bin_labels, n_bins, places = tree.bins, tree.bin_labels, tree.n_bins[slot], tree.place[slot]
    best, second, point, f, other = 0.0, 0.0, 0.0, -1, -1
    for g in range(tree.n_categories.shape[0]):
        m, first = tree.numeric[g], tree.first_category[g]
        if m >= 0:
            found, at = best_cut(bins, bin_labels, places[m], n_bins[m], least, whole, left)
        else:
            found, at = best_category(tree.tallies[slot, first : first + tree.n_categories[g]], least, whole)
        # a merit is of the rows whose value is known, and counts for their share
        found *= whole[0] / weight
        if found > best:
            best, second, point, f, other = found, best, at, g, f
        elif found > second:
            second, other = found, g
    links[s, BEST], links[s, SECOND] = f, other
    values[s, BEST_MERIT], values[s, SECOND_MERIT] = best, second
    bound = bound_of(settings[DELTA], weight)
    if f < 0 or not (second / best < 1.0 - bound or bound < settings[TAU]):
        return
    row = tree.events[tree.cursor[N_EVENTS]]
    tree.cursor[N_EVENTS] += 1
    row[0], row[1], row[2], row[3] = s, tree.cursor[POSITION], f, point
    row[4], row[5], row[6], row[7] = best, second, bound, weight
    split(tree, s, f, point, whole, left)


@kernel
def split(tree, s, f, point, whole, left):
    """Make a branch of leaf ``s``: its children copy its models, and their totals start with their sides."""
    links, slot = tree.links, tree.links[s, SLOT]
    left[:] = 0.0
    whole[:] = 0.0
    if tree.n_categories[f] == 0:
        m = tree.numeric[f]
        for k in range(tree.n_bins[slot, m]):
            row = tree.place[slot, m, k]
            add_bin(tree.bins, tree.bin_labels, row, whole)
            if tree.bins[row, HIGH] <= point:
                add_bin(tree.bins, tree.bin_labels, row, left)
    else:
        for k in range(tree.n_categories[f]):
            for j in range(whole.shape[0]):
                whole[j] += tree.tallies[slot, tree.first_category[f] + k, j]
                if k == point:
                    left[j] += tree.tallies[slot, tree.first_category[f] + k, j]
    other = tree.cursor[SLOTS]
    tree.cursor[SLOTS] += 1
    links[s, SLOT], links[s, FEATURE] = -1, f
    tree.values[s, POINT] = point
    for label in range(tree.weights.shape[1]):
        for k in range(tree.weights.shape[2]):
            tree.weights[other, label, k] = tree.weights[slot, label, k]
        for k in range(2):
            tree.errors[other, label, k] = tree.errors[slot, label, k]
    for side in range(2):
        own = slot if side == 0 else other
        links[s, LEFT + side] = new_node(tree, s, links[s, DEPTH] + 1, own)
        tree.n_bins[own] = 0
        tree.tallies[own] = 0.0
        for j in range(whole.shape[0]):
            tree.totals[own, j] = left[j] if side == 0 else whole[j] - left[j]
