"""The models of a leaf, one for each label, learned by stochastic gradients.

The columns of a row: the constant 1, then a number as it is, and a nominal feature as an indicator for each category
but the first. What is missing is 0; for a perceptron, whose columns are standardised, that is the mean.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals.ensembles._logistic_chain import LARGEST
from streamlab.rivals.hoeffding._forest import SEEN
from streamlab.rivals.isoupt._tree import (
    KIND,
    LINEAR,
    LOGISTIC,
    MEAN,
    OF_MEAN,
    OF_MODEL,
    PERCEPTRON,
    SPREAD,
    STEP,
    THRESHOLD,
    N,
)

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
            power = math.exp(-abs(total))
            total = 1.0 / (1.0 + power) if total >= 0.0 else power / (1.0 + power)
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
