"""Kernels of nearest neighbours: over a block of distances, and over an inverted index of sparse rows.

The squared distances to all training rows come from these lists, at the cost of the values that a query shares with
them. Their last digits are not those of a sum over columns; so the rows that could be among the nearest are asked once
more, by the sum of squared differences of centred values from the first column to the last, which is what a dense
learner decides by: columns in which neither row has a value add 0 to it.
"""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._nearest import nearest


@kernel
def squared_distances(X, i, P, asked, n, d):
    """Put the squared distances between row ``i`` of ``X`` and the rows ``asked[:n]`` of ``P`` into ``d``.

    Four at a time: each sum waits for its last step, and the processor can go on with the others.
    """
    for t in range(0, n, 4):
        # at the end some are asked twice
        j, k = asked[t], asked[min(t + 1, n - 1)]
        g, h = asked[min(t + 2, n - 1)], asked[min(t + 3, n - 1)]
        t1 = t2 = t3 = t4 = 0.0
        for c in range(X.shape[1]):
            a1, a2, a3, a4 = X[i, c] - P[j, c], X[i, c] - P[k, c], X[i, c] - P[g, c], X[i, c] - P[h, c]
            t1, t2, t3, t4 = t1 + a1 * a1, t2 + a2 * a2, t3 + a3 * a3, t4 + a4 * a4
        d[j], d[k], d[g], d[h] = t1, t2, t3, t4


@kernel
def in_doubt(d, best, slack, asked):
    """Return how many of the nearest are so for sure, and how many points may be the others: the first of ``asked``.

    ``d`` float64 [points] may be wrong, by less than half of ``slack``; ``best`` float64 [k] are the least of them.
    """
    k = len(best)
    low, limit = best[k - 1] - slack, best[k - 1] + slack
    sure, n = 0, 0
    while best[sure] < low:
        sure += 1
    for j in range(len(d)):
        asked[n] = j
        n += np.int64(low <= d[j] <= limit)
    return (k, 0) if sure + n == k else (sure, n)


@kernel
def best_thresholds(f, order, relevant, alpha, thresholds):
    """h_k of equation 6 for each class: one sweep from the highest score down, over every distinct score.

    ``order`` int64 [n, classes] sorts each column of ``f`` downwards; ``relevant`` uint8 [n, classes]. What is
    maximised, 1/(α/p + (1 - α)/r), is tp / (α predicted + (1 - α) positives). Of equal maxima the largest threshold;
    the last candidate lies just under the lowest score; inf for a class without a positive.
    """
    n, n_classes = f.shape
    for k in range(n_classes):
        positives = 0
        for i in range(n):
            positives += relevant[i, k]
        thresholds[k] = np.inf
        if positives == 0:
            continue
        highest, hits, predicted = 0.0, 0, 0
        while predicted < n:
            score = f[order[predicted, k], k]
            if predicted > 0:
                value = hits / (alpha * predicted + (1.0 - alpha) * positives)
                if value > highest:
                    highest = value
                    thresholds[k] = score
            while predicted < n and f[order[predicted, k], k] == score:
                hits += relevant[order[predicted, k], k]
                predicted += 1
        if hits / (alpha * predicted + (1.0 - alpha) * positives) > highest:
            thresholds[k] = np.nextafter(f[order[n - 1, k], k], -np.inf)


@kernel(inner=True, apart=True)
def add_labels(Y, j, counts, i):
    """Count the labels of point ``j`` in row ``i`` of ``counts``."""
    for label in range(Y.shape[1]):
        counts[i, label] += Y[j, label]


@kernel(arrays=True)
def label_counts(ranks, X, P, square_X, square_P, Y, own, k, counts):
    """Count the k nearest points of each query that have each label; ``counts`` int64 [n, labels] starts at zero.

    As in ``decision_scores``; here the exact distance decides, and of equals the point that came first.
    """
    n, m = ranks.shape
    best, who = np.empty(k), np.empty(k, np.int64)
    every, asked = np.arange(m), np.empty(m, np.int64)
    largest = 0.0
    for j in range(m):
        largest = max(largest, square_P[j])
    for i in range(n):
        d = ranks[i]
        if own[i] >= 0:
            d[own[i]] = np.inf
        sure, n_asked = nearest(d, every, 0, m, who, best), 0
        if sure == k:
            # the product's rounding may have put the wrong one of two into the last place
            sure, n_asked = in_doubt(d, best, 1e-15 * (X.shape[1] + 4) * (square_X[i] + largest), asked)
        for t in range(sure):
            add_labels(Y, who[t], counts, i)
        if n_asked > 0:
            squared_distances(X, i, P, asked, n_asked, d)
            for t in range(min(k - sure, nearest(d, asked, 0, n_asked, who, best))):
                add_labels(Y, who[t], counts, i)


@kernel
def count_tables(counts, Y, tables):
    """Count in ``tables`` (float64 [2, labels, k + 1]) how often each count of neighbours goes with each label or not.

    ``counts`` int64 [n, labels], 0 to k, and ``Y`` uint8 [n, labels].
    """
    for i in range(counts.shape[0]):
        for label in range(counts.shape[1]):
            tables[Y[i, label], label, counts[i, label]] += 1.0


@kernel
def look_up(counts, scores, labels, their_scores, their_labels):
    """Give each query the score and the answer of its count, from tables float64 and uint8 [labels, k + 1]."""
    for i in range(counts.shape[0]):
        for label in range(counts.shape[1]):
            their_scores[i, label] = scores[label, counts[i, label]]
            their_labels[i, label] = labels[label, counts[i, label]]


# what the distances from the lists may be wrong by, for each value and relative to both squared norms
SLACK = 4e-15
# behind a row's last column
END = 2**31 - 1
ONE, TWO = np.uint64(1), np.uint64(2)


@kernel
def places_of(indptr, indices, place_of, columns, places):
    """Number the columns in the order in which they come, in ``place_of`` (int32 [features], -1) and ``columns``.

    ``places`` (int32 [values]) becomes the number of each value's column; returns how many columns there are.
    """
    n = 0
    begin = indptr[0]
    for p in range(begin, indptr[-1]):
        column = indices[p]
        if place_of[column] < 0:
            place_of[column] = n
            columns[n] = column
            n += 1
        places[p - begin] = place_of[column]
    return n


@kernel(arrays=True)
def invert(indptr, indices, data, places, fill, centre, starts, rows, values, steps, centred, norms):
    """Fill the index of rows: what a missing value counts as, the middle, the lists, centred values, squared norms.

    Sums go from row to row, as those over the first axis of an array do.

    Parameters
    ----------
    indptr, indices, data, places
        The rows, and the numbers of their columns.
    fill, centre
        float64 [columns], zeros.
    starts, rows, values
        Lists of the columns, one behind the other: int64 [columns + 1], zeros, uint32 and float64 [values].
    steps, centred
        Of each row, the first one's at 0 and each with one more at its end, for each value its column, ``END`` at the
        end, and what it adds to a squared distance where the other row has none: float64 [2 (values + rows)], the
        columns as int64 in the same memory; and the centred values, float64 [values + rows].
    norms
        Squared norms of values that are not centred, float64 [rows].
    """
    n, n_columns, begin = indptr.shape[0] - 1, fill.shape[0], indptr[0]
    there = np.full(n_columns, n)
    for p in range(places.shape[0]):
        v = data[begin + p]
        starts[places[p] + 1] += 1
        if np.isnan(v):
            there[places[p]] -= 1
        else:
            fill[places[p]] += v
    for c in range(n_columns):
        fill[c] /= max(there[c], 1)
        starts[c + 1] += starts[c]
    ends = starts[:-1].copy()
    for i in range(n):
        norm = 0.0
        for p in range(indptr[i] - begin, indptr[i + 1] - begin):
            c, v = places[p], data[begin + p]
            if np.isnan(v):
                v = fill[c]
            centre[c] += v
            norm += v * v
            rows[ends[c]], values[ends[c]] = i, v
            ends[c] += 1
        norms[i] = norm
    for c in range(n_columns):
        centre[c] /= n
    at, columns = 0, steps.view(np.int64)
    for i in range(n):
        for p in range(indptr[i] - begin, indptr[i + 1] - begin):
            v, c = data[begin + p], places[p]
            columns[2 * at] = indices[begin + p]
            centred[at] = (fill[c] if np.isnan(v) else v) - centre[c]
            away = (0.0 - centre[c]) - centred[at]
            steps[2 * at + 1] = away * away
            at += 1
        columns[2 * at] = END
        centred[at] = steps[2 * at + 1] = 0.0
        at += 1


@kernel(inner=True)
def add_next(own_columns, own_steps, mine, columns, steps, centred, p, q, total):
    """Add what the next column of two rows adds to their squared distance; return their places and the sum."""
    a, b = own_columns[p], columns[q]
    if a == b:
        away = mine[p >> ONE] - centred[q >> ONE]
        step = np.uint64(a != END) << ONE
        return p + step, q + step, total + away * away
    # without a branch, which would be guessed wrong at every other column
    first = np.uint64(a < b) << ONE
    x, y = own_steps[p + ONE], steps[q + ONE]
    return p + first, q + (TWO - first), total + (x if a < b else y)


@kernel(inner=True)
def exact_distances(own_steps, mine, steps, centred, begins, asked, n, distances):
    """Find the squared distances between a query and the training rows ``asked[:n]``, each from column to column.

    Four at a time: each sum waits for its last step, and the processor can go on with the others. Columns and what they
    add lie beside each other, so that registers suffice; places are unsigned: of others each step would ask whether
    they count from the end.
    """
    own_columns, columns = own_steps.view(np.int64), steps.view(np.int64)
    for i in range(0, n, 4):
        # at the end some are asked twice
        j, k = asked[i], asked[min(i + 1, n - 1)]
        g, h = asked[min(i + 2, n - 1)], asked[min(i + 3, n - 1)]
        p1 = p2 = p3 = p4 = np.uint64(0)
        q1, q2, q3, q4 = np.uint64(begins[j]), np.uint64(begins[k]), np.uint64(begins[g]), np.uint64(begins[h])
        most = max(
            max(begins[j + 1] - begins[j], begins[k + 1] - begins[k]),
            max(begins[g + 1] - begins[g], begins[h + 1] - begins[h]),
        )
        t1 = t2 = t3 = t4 = 0.0
        for _ in range((own_steps.shape[0] + most) // 2 - 1):
            p1, q1, t1 = add_next(own_columns, own_steps, mine, columns, steps, centred, p1, q1, t1)
            p2, q2, t2 = add_next(own_columns, own_steps, mine, columns, steps, centred, p2, q2, t2)
            p3, q3, t3 = add_next(own_columns, own_steps, mine, columns, steps, centred, p3, q3, t3)
            p4, q4, t4 = add_next(own_columns, own_steps, mine, columns, steps, centred, p4, q4, t4)
        distances[j], distances[k], distances[g], distances[h] = t1, t2, t3, t4


@kernel(arrays=True)
def count_labels(
    indptr, indices, data, own, k, place_of, fill, centre, starts, rows, values, their_indptr, steps, centred, norms, Y,
    counts,
):  # fmt: skip
    """Count the k nearest training rows of each query that have each label; ``counts`` int64 [n, labels] starts at 0.

    ``own`` int64 [n] is the training row that is the query itself, and not its own neighbour, or -1. Of equal exact
    distances the row that came first is the nearer one.
    """
    n, m = indptr.shape[0] - 1, norms.shape[0]
    distances, every, asked = np.empty(m), np.arange(m), np.empty(m, np.int64)
    best, who = np.empty(k), np.empty(k, np.int64)
    begins = 2 * (their_indptr - their_indptr[0] + np.arange(m + 1))
    largest, most = 0.0, 0
    for j in range(m):
        largest = max(largest, norms[j])
        most = max(most, their_indptr[j + 1] - their_indptr[j])
    longest = 0
    for i in range(n):
        longest = max(longest, indptr[i + 1] - indptr[i])
    own_steps, mine = np.empty(2 * longest + 2), np.empty(longest + 1)
    own_columns = own_steps.view(np.int64)
    for i in range(n):
        begin, end = indptr[i], indptr[i + 1]
        for j in range(m):
            distances[j] = 0.0
        norm = 0.0
        for p in range(begin, end):
            place, v = place_of[indices[p]], data[p]
            middle = 0.0
            if np.isnan(v):
                v = fill[place] if place >= 0 else 0.0
            if place >= 0:
                middle = centre[place]
                for q in range(starts[place], starts[place + 1]):
                    distances[rows[q]] += v * values[q]
            own_columns[2 * (p - begin)], mine[p - begin] = indices[p], v - middle
            away = mine[p - begin] - (0.0 - middle)
            own_steps[2 * (p - begin) + 1] = away * away
            norm += v * v
        own_columns[2 * (end - begin)] = END
        mine[end - begin] = own_steps[2 * (end - begin) + 1] = 0.0
        for j in range(m):
            distances[j] = norm + norms[j] - 2.0 * distances[j]
        if own[i] >= 0:
            distances[own[i]] = np.inf
        sure, n_asked = nearest(distances, every, 0, m, who, best), 0
        if sure == k:
            sure, n_asked = in_doubt(distances, best, SLACK * (end - begin + most + 8) * (norm + largest), asked)
        for t in range(sure):
            add_labels(Y, who[t], counts, i)
        if n_asked > 0:
            exact_distances(own_steps[: 2 * (end - begin) + 2], mine, steps, centred, begins, asked, n_asked, distances)
            nearest(distances, asked, 0, n_asked, who, best)
            for t in range(k - sure):
                add_labels(Y, who[t], counts, i)
