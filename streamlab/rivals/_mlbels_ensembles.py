"""Kernels of ML-BELS: the table of learners, how good each was, which of them stay; and the ridge regressions they are.

The loops of the regressions, that of all labels and those of the ensembles, run over whole registers of padded
matrices: what stands left of the diagonal or behind the last column is worked on with the rest, and never used.
"""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals._mlbels import LANES, add_rows, add_times, all_places, copy, padded, padded_copy

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
    across, places = padded(width, n), all_places(width)
    for i in range(n):
        for k in range(width):
            across[k, i] = Z[i, k]
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
    most = 0
    for n in n_seats:
        most = max(most, n)
    is_busy = np.zeros((n_labels, most), np.bool_)
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


AT_ONCE = 4
"""Regressions that are substituted together: in each of them one number waits for the other."""
MOST_RIDGE = 1e30


@kernel(inner=True, apart=True)
def _add(values, out):
    for j in range(len(out)):
        out[j] += values[j]


@kernel(inner=True, apart=True)
def _add_four(out, first, second, third, fourth, f1, f2, f3, f4):
    for j in range(len(out) // LANES * LANES):
        out[j] = (((out[j] + f1 * first[j]) + f2 * second[j]) + f3 * third[j]) + f4 * fourth[j]


@kernel(inner=True)
def _add_gram(Z, rows, width, gram):
    """Add the products of the columns of Z, padded, over these rows, to a padded matrix, from the diagonal on."""
    n_fours = len(rows) // 4 * 4
    for begin in range(0, width, LANES):
        end = min(begin + LANES, width)
        for r in range(0, n_fours, 4):
            first, second, third, fourth = (
                Z[rows[r]][begin:], Z[rows[r + 1]][begin:], Z[rows[r + 2]][begin:], Z[rows[r + 3]][begin:]
            )  # fmt: skip
            for a in range(end - begin):
                out = gram[begin + a][begin:]
                _add_four(out, first, second, third, fourth, first[a], second[a], third[a], fourth[a])
        for r in range(n_fours, len(rows)):
            row = Z[rows[r]][begin:]
            for a in range(end - begin):
                add_times(gram[begin + a][begin:], row[a], row)


@kernel(arrays=True)
def gram_of(Z):
    """Return the products of the columns of Z (n, width) over its rows, a padded matrix from the diagonal on."""
    n, width = Z.shape
    rows, gram = padded_copy(Z), padded(width, width)
    _add_gram(rows, all_places(n), width, gram)
    return gram


@kernel
def add_packed(gram, packed):
    """Add a padded matrix to the rows of an upper triangle, one after the other."""
    at = 0
    for a in range(gram.shape[0]):
        size = gram.shape[0] - a
        _add(gram[a][a:], packed[at : at + size])
        at += size


@kernel
def add_moments(Z, Y, moments):
    """Add to ``moments`` (width, labels) the rows of Z that have each label."""
    for i in range(Z.shape[0]):
        for label in range(Y.shape[1]):
            if Y[i, label]:
                for k in range(Z.shape[1]):
                    moments[k, label] += Z[i, k]


@kernel(arrays=True)
def solve(packed, moments, ridge, out):
    """Write (G + ridge I)⁻¹ moments to ``out`` (width, outputs); more ridge where rounding left G indefinite."""
    width, n_outputs = moments.shape
    work = padded(width + 1, width + n_outputs)
    _triangle(packed, moments, ridge, work)
    for p in range(width - 1, -1, -1):
        row, answer_of = work[p], out[p]
        for k in range(n_outputs):
            answer_of[k] = row[width + k]
        for j in range(p + 1, width):
            value, known = row[j], out[j]
            for k in range(n_outputs):
                answer_of[k] -= value * known[k]
        for k in range(n_outputs):
            answer_of[k] /= row[p]


@kernel(inner=True)
def _triangle(packed, moments, ridge, work):
    """Write the equations without what is under the diagonal, beside them the moments, to a padded matrix."""
    while not _eliminate(packed, moments, ridge, work) and ridge < MOST_RIDGE:
        ridge = 10.0 * ridge


@kernel(inner=True)
def _eliminate(packed, moments, ridge, work):
    """Eliminate what is under the diagonal; False where a pivot is not above 0."""
    width, n_outputs = moments.shape
    at = 0
    for a in range(width):
        row = work[a]
        row[a // LANES * LANES : a] = 0.0
        copy(packed[at : at + width - a], row[a:width])
        at += width - a
        row[a] += ridge
        for k in range(n_outputs):
            row[width + k] = moments[a, k]
    p = 0
    while p + 3 < width:
        # four rows at once: what is below is read and written a quarter as often
        for q in range(p, p + 4):
            if not work[q, q] > 0.0:
                return False
            _take_off(work, q, p + 4)
        first, second, third, fourth = work[p], work[p + 1], work[p + 2], work[p + 3]
        i1, i2, i3, i4 = 1.0 / first[p], 1.0 / second[p + 1], 1.0 / third[p + 2], 1.0 / fourth[p + 3]
        for at in range((p + 4) // LANES * LANES, width, LANES):
            above, second_above, third_above, fourth_above = first[at:], second[at:], third[at:], fourth[at:]
            # two at once; behind the last row there is one more, which nobody reads
            for i in range(max(at, p + 4), min(at + LANES, width), 2):
                j = i + 1
                _take_four_off_two(
                    work[i][at:], work[j][at:], above, second_above, third_above, fourth_above,
                    first[i] * i1, second[i] * i2, third[i] * i3, fourth[i] * i4,
                    first[j] * i1, second[j] * i2, third[j] * i3, fourth[j] * i4,
                )  # fmt: skip
        p += 4
    while p < width:
        if not work[p, p] > 0.0:
            return False
        _take_off(work, p, width)
        p += 1
    return True


@kernel(inner=True)
def _take_off(work, pivot, end):
    """Take a row off those behind it, before ``end``, until they are 0 under its diagonal."""
    inverse = 1.0 / work[pivot, pivot]
    for i in range(pivot + 1, end):
        at = i // LANES * LANES
        _take_one_off(work[i][at:], work[pivot][at:], work[pivot, i] * inverse)


@kernel(inner=True, apart=True)
def _take_one_off(row, above, factor):
    for j in range(len(row) // LANES * LANES):
        row[j] -= factor * above[j]


@kernel(inner=True, apart=True)
def _take_four_off_two(row, other, first, second, third, fourth, f1, f2, f3, f4, g1, g2, g3, g4):
    for j in range(len(row) // LANES * LANES):
        a, b, c, d = first[j], second[j], third[j], fourth[j]
        row[j] -= (f1 * a + f2 * b) + (f3 * c + f4 * d)
        other[j] -= (g1 * a + g2 * b) + (g3 * c + g4 * d)


@kernel(inner=True, error_model="numpy")
def _substitute_four(works, a, b, c, d):
    """Write the answers of four regressions (width, 2 outputs), from the last to the first."""
    width = len(a)
    for p in range(width - 1, -1, -1):
        row_a, row_b, row_c, row_d = works[0, p], works[1, p], works[2, p], works[3, p]
        a0, a1, b0, b1 = row_a[width], row_a[width + 1], row_b[width], row_b[width + 1]
        c0, c1, d0, d1 = row_c[width], row_c[width + 1], row_d[width], row_d[width + 1]
        for j in range(p + 1, width):
            a0 -= row_a[j] * a[j, 0]
            a1 -= row_a[j] * a[j, 1]
            b0 -= row_b[j] * b[j, 0]
            b1 -= row_b[j] * b[j, 1]
            c0 -= row_c[j] * c[j, 0]
            c1 -= row_c[j] * c[j, 1]
            d0 -= row_d[j] * d[j, 0]
            d1 -= row_d[j] * d[j, 1]
        a[p, 0], a[p, 1] = a0 / row_a[p], a1 / row_a[p]
        b[p, 0], b[p, 1] = b0 / row_b[p], b1 / row_b[p]
        c[p, 0], c[p, 1] = c0 / row_c[p], c1 / row_c[p]
        d[p, 0], d[p, 1] = d0 / row_d[p], d1 / row_d[p]


@kernel(inner=True)
def _answer(works, answers, slots, weights):
    """Write the answers of as many regressions as there are slots, up to four, to their weights."""
    _substitute_four(works, answers[0], answers[1], answers[2], answers[3])
    for k in range(len(slots)):
        for p in range(answers.shape[1]):
            weights[slots[k], p, 0], weights[slots[k], p, 1] = answers[k, p, 0], answers[k, p, 1]


@kernel(arrays=True)
def learn_members(Z, Y, wrong, gram, labels, status, slots, learned, ridge, grams, moments, weights):
    """Let all learners of the ensembles learn a chunk; rows that are ``wrong`` for a label count for two there.

    ``gram`` is that of all rows once, padded; ``grams``, packed, ``moments`` and ``weights`` hold a learner in each
    slot.
    """
    n, width = Z.shape
    rows, own, of_label = padded_copy(Z), np.empty_like(gram), padded(2, width)
    works = padded(AT_ONCE * (width + 1), width + 2).reshape(AT_ONCE, width + 1, -1)
    answers, waiting, n_waiting = np.empty((AT_ONCE, width, 2)), np.empty(AT_ONCE, np.int64), 0
    first, following = next_of_label(labels, status, IN_ENSEMBLE, Y.shape[1])
    again = np.empty(n, np.int32)
    for label in range(len(first)):
        if first[label] < 0:
            continue
        copy(gram.reshape(-1), own.reshape(-1))
        of_label[:] = 0.0
        n_again = 0
        for i in range(n):
            add_times(of_label[int(Y[i, label])], 2.0 if wrong[i, label] else 1.0, rows[i])
            if wrong[i, label]:
                again[n_again] = i
                n_again += 1
        _add_gram(rows, again[:n_again], width, own)
        m = first[label]
        while m >= 0:
            slot = slots[m]
            add_packed(own, grams[slot])
            for k in range(width):
                moments[slot, k, 0] += of_label[0, k]
                moments[slot, k, 1] += of_label[1, k]
            if n_waiting == AT_ONCE:
                _answer(works, answers, waiting, weights)
                n_waiting = 0
            _triangle(grams[slot], moments[slot], ridge, works[n_waiting])
            waiting[n_waiting] = slot
            n_waiting += 1
            learned[m] += n
            m = following[m]
    _answer(works, answers, waiting[:n_waiting], weights)
