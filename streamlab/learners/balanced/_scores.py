"""Kernels of balanced scores: for many queries side by side, the nearest of each class and what they sum to;
which rows the windows of the classes have."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._nearest import nearest as nearest_of
from streamlab.learners.points._neighbours import squared_distances

# queries side by side, at most, and numbers in a register
LANES, REGISTER = 32, 8
# places of a class's list that one pass over its rows fills, four rows at a time
PLACES = 5


@kernel(inner=True)
def lanes_of(n):
    """Return how many lanes so many queries take: whole registers; one alone is as fast without."""
    return 1 if n == 1 else min(n + -n % REGISTER, LANES)


@kernel(arrays=True, inner=True)
def side_by_side(n, lanes):
    """Return room for numbers, float64 [n, lanes]; whole registers begin where lines of the cache do."""
    room = np.empty(n * lanes + REGISTER)
    begin = -(room.ctypes.data // 8) % REGISTER
    return room[begin : begin + n * lanes].reshape(n, lanes)


@kernel(inner=True, apart=True)
def turn(ranks, columns):
    """Write queries' distances to all points, row by row, side by side; NaN becomes inf, and so is the row behind."""
    n, m = ranks.shape
    for j in range(m):
        for q in range(n):
            rank = ranks[q, j]
            columns[j, q] = rank if rank < np.inf else np.inf
    for q in range(n):
        columns[m, q] = np.inf


@kernel(inner=True)
def ordered(a, b):
    """Return the lesser of two numbers and the other."""
    return (b if b < a else a), (a if b < a else b)


@kernel(inner=True)
def four_ordered(a, b, c, d):
    """Return four numbers from the least to the greatest."""
    a, b = ordered(a, b)
    c, d = ordered(c, d)
    a, c = ordered(a, c)
    b, d = ordered(b, d)
    b, c = ordered(b, c)
    return a, b, c, d


@kernel(inner=True)
def five_least(a, b, c, d, e, u, v, w, x):
    """Return the five least of five and four numbers, each in order, in order; then the other four, in any."""
    b, x = ordered(b, x)
    c, w = ordered(c, w)
    d, v = ordered(d, v)
    e, u = ordered(e, u)
    # they rise and then fall: the halves of a bitonic sequence, with three before it that are less than all
    a, e = ordered(a, e)
    b, d = ordered(b, d)
    c, e = ordered(c, e)
    b, c = ordered(b, c)
    d, e = ordered(d, e)
    return a, b, c, d, e, u, v, w, x


@kernel(inner=True, apart=True)
def fill_places(columns, rows, lanes, places, left):
    """Find the five least of ``columns[rows]`` in each lane, sorted, inf where there are fewer, into ``places``.

    The last row of ``columns`` is inf. What is not among the five goes to ``left``, if there is one.
    """
    for t in range(PLACES):
        for q in range(lanes):
            places[t, q] = np.inf
    n, none = len(rows), len(columns) - 1
    for r in range(0, n, 4):
        # unsigned: no row is counted from the end
        g = np.uint64(rows[r])
        h = np.uint64(rows[r + 1] if r + 1 < n else none)
        i = np.uint64(rows[r + 2] if r + 2 < n else none)
        j = np.uint64(rows[r + 3] if r + 3 < n else none)
        for q in range(lanes):
            u, v, w, x = four_ordered(columns[g, q], columns[h, q], columns[i, q], columns[j, q])
            a, b, c, d, e = places[0, q], places[1, q], places[2, q], places[3, q], places[4, q]
            a, b, c, d, e, u, v, w, x = five_least(a, b, c, d, e, u, v, w, x)
            places[0, q], places[1, q], places[2, q], places[3, q], places[4, q] = a, b, c, d, e
            if left is not None:
                left[r, q], left[r + 1, q], left[r + 2, q], left[r + 3, q] = u, v, w, x


@kernel(arrays=True, inner=True)
def nearest_side_by_side(columns, starts, rows, lanes, best):
    """Find the nearest of every class for the queries of ``lanes``, nearest first, inf where there are fewer.

    ``columns`` float64 [points + 1, lanes or more] are their distances, the last row inf; the members of class k are
    ``rows[starts[k]:starts[k + 1]]``; ``best`` float64 [classes, a multiple of 5, lanes or more].
    """
    n_classes, width = best.shape[:2]
    if width == PLACES:
        for k in range(n_classes):
            fill_places(columns, rows[starts[k] : starts[k + 1]], lanes, best[k], None)
        return
    n_most = 0
    for k in range(n_classes):
        n_most = max(n_most, starts[k + 1] - starts[k])
    # the last four may begin with the last member; then the row of inf
    left, others = side_by_side(n_most + 4, LANES), side_by_side(n_most + 4, LANES)
    for q in range(LANES):
        left[n_most + 3, q] = others[n_most + 3, q] = np.inf
    every = np.arange(n_most)
    for k in range(n_classes):
        members = rows[starts[k] : starts[k + 1]]
        fill_places(columns, members, lanes, best[k, :PLACES], left)
        for t in range(PLACES, width, PLACES):
            fill_places(left, every[: len(members)], lanes, best[k, t : t + PLACES], others)
            left, others = others, left


@kernel(inner=True, apart=True)
def to_distances(best, square_X, limits, nearest, farthest):
    """Make squared distances of ranks.

    Keep the rank of each class's last in ``limits``; find the nearest's distance, and the farthest's rank, 0 or above.
    """
    for q in range(LANES):
        nearest[q], farthest[q] = np.inf, 0.0
    for k in range(best.shape[0]):
        for q in range(LANES):
            limits[k, q] = best[k, best.shape[1] - 1, q]
        for t in range(best.shape[1]):
            for q in range(LANES):
                rank = best[k, t, q]
                farthest[q] = rank if farthest[q] < rank < np.inf else farthest[q]
                square = rank + square_X[q]
                square = square if square > 0.0 else 0.0
                nearest[q] = square if square < nearest[q] else nearest[q]
                best[k, t, q] = square


@kernel(inner=True, apart=True)
def to_exponents(best, nearest, width):
    """Make exponents of squared distances; those of no neighbour are -inf or NaN."""
    for k in range(best.shape[0]):
        for t in range(best.shape[1]):
            for q in range(LANES):
                best[k, t, q] = (nearest[q] - best[k, t, q]) / width


@kernel(arrays=True)
def decision_scores(ranks, X, P, square_X, square_P, starts, rows, own, b, sigma, f):
    """f_k of equations 4 and 5 for a block of queries: finite, however far a query is.

    ``ranks`` float64 [n, m], overwritten, are the squared distances except for |x|², which ranks nothing: |p|² - 2xp;
    the members of class k are ``rows[starts[k]:starts[k + 1]]``; ``own`` int64 [n] is the point that is the query
    itself, and not its own neighbour, or -1; ``f`` float64 [n, classes].

    All exponents are taken relative to the nearest point of all, as log-sum-exp does, and f is a ratio: the largest
    term is 1, and what underflows is nothing beside it. -1 in a class without a neighbour, and everywhere where none
    has any; 0 in the others where the squared distances themselves overflow.
    """
    n, m = ranks.shape
    n_classes = len(starts) - 1
    # beyond this the product has lost digits that the exponential would show
    exact_from = 1e3 * sigma
    columns = side_by_side(m + 1, lanes_of(n))
    width = b + -b % PLACES
    best = side_by_side(n_classes * width, LANES).reshape(n_classes, width, LANES)
    squares, nearest, farthest = np.zeros(LANES), np.empty(LANES), np.empty(LANES)
    listed, who, exact = np.empty(b), np.zeros(b, np.int64), np.empty(m)
    limits, asked = np.empty((n_classes, LANES)), np.empty(m, np.int64)
    for first in range(0, n, LANES):
        n_here = min(LANES, n - first)
        for i in range(first, first + n_here):
            squares[i - first] = square_X[i]
            if own[i] >= 0:
                ranks[i, own[i]] = np.inf
        turn(ranks[first : first + n_here], columns)
        nearest_side_by_side(columns, starts, rows, lanes_of(n_here), best)
        to_distances(best[:, :b], squares, limits, nearest, farthest)
        for q in range(n_here):
            i = first + q
            # |p|² - 2xp is above |p|²/4 where |p| > 4|x|: this is more than any neighbour's |x|² + |p|²
            if not square_X[i] + max(16.0 * square_X[i], 4.0 * farthest[q]) <= exact_from:
                nearest[q] = np.inf
                for k in range(n_classes):
                    n_asked = 0
                    for t in range(starts[k], starts[k + 1]):
                        asked[n_asked] = rows[t]
                        n_asked += ranks[i, rows[t]] <= limits[k, q]
                    count = nearest_of(ranks[i], asked, 0, n_asked, who, listed)
                    squared_distances(X, i, P, who, count, exact)
                    for t in range(count):
                        if not square_X[i] + square_P[who[t]] <= exact_from:
                            best[k, t, q] = exact[who[t]]
                        nearest[q] = min(nearest[q], best[k, t, q])
        to_exponents(best[:, :b], nearest, 2.0 * sigma)
        for q in range(n_here):
            i = first + q
            total = 0.0
            for k in range(n_classes):
                f[i, k] = 0.0
                for t in range(b):
                    if best[k, t, q] > -np.inf:
                        f[i, k] += math.exp(best[k, t, q])
                total += f[i, k]
            for k in range(n_classes):
                if total > 0.0:
                    f[i, k] = n_classes * f[i, k] / total - 1.0
                else:
                    f[i, k] = 0.0 if own[i] < 0 and starts[k + 1] > starts[k] else -1.0


@kernel
def enter(members, start, stop, Y, window, counts, oldest):
    """Rows ``start`` to ``stop`` join the windows of their classes; the oldest leave where there are too many.

    ``members`` uint8 [rows, classes + 1]; the last column is for rows without a label. ``counts`` and ``oldest`` int64
    [classes + 1] are the members of each column and the row before which it has none. ``window`` 0: no limit.
    """
    n_classes = Y.shape[1]
    for i in range(start, stop):
        bare = True
        for k in range(n_classes + 1):
            if k < n_classes:
                belongs = Y[i, k] > 0
                if belongs:
                    bare = False
            else:
                belongs = bare
            if not belongs:
                continue
            members[i, k] = 1
            counts[k] += 1
            while window > 0 and counts[k] > window:
                at = oldest[k]
                while members[at, k] == 0:
                    at += 1
                members[at, k] = 0
                oldest[k] = at + 1
                counts[k] -= 1


@kernel
def listed(members, n_classes, starts, rows):
    """The members of each class in order of arrival: those of class k are ``rows[starts[k]:starts[k + 1]]``, int64."""
    n = members.shape[0]
    at = 0
    for k in range(n_classes):
        starts[k] = at
        for i in range(n):
            if members[i, k] > 0:
                rows[at] = i
                at += 1
    starts[n_classes] = at
