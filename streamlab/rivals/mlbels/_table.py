"""Kernels of ML-BELS: the table of learners, how good each was, and which of them stay."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals.mlbels._kernels import add_rows, padded

IN_ENSEMBLE, SET_ASIDE, LEFT = 0, 1, 2
"""What a learner may be: one of those that answer, one that may come back, one that is gone."""
NEVER = -1
MOST_ASIDE, OLDEST = 100, 20
"""Where more learners of a label are set aside than the first number, the oldest are forgotten, so many."""
STARTED, REMOVED, WAITS, CAME_BACK = range(4)


@kernel(arrays=True, inner=True)
def next_of_label(labels, status, highest, n_labels):
    """Return the first member of each label, and after each member the next of its label; -1 where there is none.

    Members whose status is above ``highest`` are left out.
    """
    first, following = np.full(n_labels, -1), np.full(len(labels), -1)
    for m in range(len(labels) - 1, -1, -1):
        if status[m] <= highest:
            following[m], first[labels[m]] = first[labels[m]], m
    return first, following


@kernel(arrays=True)
def evaluate(Z, Y, labels, status, learned, slots, weights, answering, accuracies, wrong):
    """Write how good each learner was on a chunk, by the features with which it was answered.

    ``accuracies`` float64 (members,): NaN of those that did not answer; ``wrong`` bool (n, labels): where most learners
    of an ensemble were wrong; by the sum of their answers where as many said yes as no.
    """
    n, width = Z.shape
    across, places = padded(width, n), np.arange(width)
    across[:, :n] = Z.T
    n_labels, wide = Y.shape[1], across.shape[1]
    without, present = np.empty(wide), np.empty(wide)
    votes, sums = np.zeros((n_labels, n), np.int64), np.zeros((2, n_labels, n))
    for m in range(len(labels)):
        accuracies[m] = np.nan
        if slots[m] < 0 or learned[m] == 0:
            continue
        weight, label, right = weights[slots[m]], labels[m], 0
        without[:] = 0.0
        present[:] = 0.0
        add_rows(without, weight[:, 0], places, across)
        add_rows(present, weight[:, 1], places, across)
        counts = status[m] == IN_ENSEMBLE
        for i in range(n):
            says = present[i] > without[i]
            right += says == (Y[i, label] != 0)
            if counts:
                votes[label, i] += 1 if says else -1
                sums[0, label, i] += without[i]
                sums[1, label, i] += present[i]
        accuracies[m] = right / n
    for i in range(n):
        for label in range(n_labels):
            vote = votes[label, i]
            says = sums[1, label, i] > sums[0, label, i] if vote == 0 else vote > 0
            wrong[i, label] = says != (Y[i, label] != 0) and answering[label] > 0


@kernel
def totals(labels, status, learned, slots, weights, without, present, answering):
    """Write the sums of the weights of each ensemble, (width, labels) each, and how many learners answer, int64."""
    without[:] = 0.0
    present[:] = 0.0
    answering[:] = 0
    for m in range(len(labels)):
        if status[m] == IN_ENSEMBLE and learned[m] > 0:
            label, weight = labels[m], weights[slots[m]]
            answering[label] += 1
            for k in range(weight.shape[0]):
                without[k, label] += weight[k, 0]
                present[k, label] += weight[k, 1]


@kernel(arrays=True)
def rearrange(labels, status, slots, left, accuracies, right, counted, most, now, changes):
    """Remove and set aside learners by how good they were on a chunk, and return those that come back.

    ``changes`` int64 (4, labels) counts the learners of each label that are to start, those that were removed and set
    aside, and those that come back.
    """
    n_labels = len(right)
    first, following = next_of_label(labels, status, SET_ASIDE, n_labels)
    aside, returning, n_returning = np.empty(len(labels), np.int64), np.empty(len(labels), np.int64), 0
    for label in range(n_labels):
        usual = right[label] / counted[label] if counted[label] > 0 else 0.5
        n, n_poor, eldest, last, n_aside = 0, 0, -1, -1, 0
        m = first[label]
        while m >= 0:
            if status[m] == IN_ENSEMBLE:
                n += 1
                eldest = m if eldest < 0 else eldest
                if accuracies[m] < usual:
                    n_poor, last = n_poor + 1, m
            else:
                # those that have been aside the longest come first
                at = n_aside
                while at > 0 and left[aside[at - 1]] > left[m]:
                    aside[at] = aside[at - 1]
                    at -= 1
                aside[at] = m
                n_aside += 1
            m = following[m]
        if n < most:
            changes[STARTED, label] = 1
            n += 1
        are_many = n_poor > n / 2
        if n_poor == 0 or (n < most and not are_many):
            continue
        n_waiting, n_old = 0, n_aside
        m = first[label]
        while m >= 0:
            if status[m] == IN_ENSEMBLE and accuracies[m] < usual and m != eldest and m != last:
                n -= 1
                left[m] = now
                if are_many:
                    status[m] = SET_ASIDE
                    changes[WAITS, label] += 1
                    aside[n_aside] = m
                    n_aside += 1
                else:
                    status[m], slots[m] = LEFT, NEVER
                    changes[REMOVED, label] += 1
            m = following[m]
        for k in range(n_aside):
            m = aside[k]
            if k < n_old and n < most and accuracies[m] > 0.5:
                n += 1
                changes[CAME_BACK, label] += 1
                returning[n_returning] = m
                n_returning += 1
            else:
                aside[n_waiting] = m
                n_waiting += 1
        if n_waiting > MOST_ASIDE:
            for m in aside[:OLDEST]:
                status[m], slots[m] = LEFT, NEVER
    return returning[:n_returning]


@kernel(arrays=True)
def free_seats(labels, status, seats, n_labels, newcomers):
    """Return, for newcomers of these labels, the first seats that nobody in the ensemble of their label has."""
    n_seats = np.zeros(n_labels, np.int64)
    for label in newcomers:
        n_seats[label] += 1
    for m in range(len(labels)):
        n_seats[labels[m]] += status[m] == IN_ENSEMBLE
    is_busy = np.zeros((n_labels, n_seats.max()), np.bool_)
    for m in range(len(labels)):
        if status[m] == IN_ENSEMBLE and seats[m] < is_busy.shape[1]:
            is_busy[labels[m], seats[m]] = True
    found = np.zeros(len(newcomers), np.int64)
    for k in range(len(newcomers)):
        busy = is_busy[newcomers[k]]
        while busy[found[k]]:
            found[k] += 1
        busy[found[k]] = True
    return found
