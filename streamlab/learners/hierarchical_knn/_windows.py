"""Kernels of windows over one store: each example is kept once, and every class has a ring of places in the store.

``Windows`` holds it all. One row of the store is one example:

``X``       float64 [capacity, width]: its features, then zeros up to ``width`` (see ``PADDING``).
``gaps``    uint8 [capacity]: whether a feature is missing.
``refs``    int64 [capacity]: how many windows hold it; 0 where the place is free.
``free``    int64 [capacity]: the first ``cursor[N_FREE]`` are the free places below ``cursor[TOP]``.
``known``   float64 [capacity, 3]: the query for which a distance was found, that distance (squared if euclidean), and
            the class that last asked for it.

and one row of the others is one class:

``rings``   int64 [classes, ring size]: places in the store, a ring.
``head``    int64 [classes]: where the oldest is in the ring.
``held``    int64 [classes]: how many there are.
``seen``    int64 [classes]: how many instances of the class have ever come.
``cursor``  int64 [4]: ``TOP`` places ever used, ``N_FREE``, ``QUERY`` number of the last query, ``POSITION`` learned.

The examples of a class are those in the windows ``holders[first_holder[c]:first_holder[c + 1]]``, two int64 arrays of a
tree: its own window alone, or where windows belong to paths those of all paths through the class.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._nearest import put, reordered, square_of, sum_of_both

EUCLIDEAN, MANHATTAN = 0, 1
TOP, N_FREE, QUERY, POSITION = 0, 1, 2, 3
N_CURSOR = 4
# a row's values are read in blocks of so many, with no rest to be read one by one
PADDING = 8


@reordered
def _absolutes(x, X, s, width):
    total = 0.0
    for j in range(width):
        total += abs(x[j] - X[s, j])
    return total


@kernel(inner=True)
def average_distance(windows, tree, c, x, gap, nominal, any_nominal, distance, k, nearest):
    """Return the mean distance from ``x`` to the ``k`` nearest examples of class ``c``; infinite without one.

    ``x`` float64 [width] padded as the store's rows; ``gap`` whether something in it is missing; ``nearest``
    float64 [k] is overwritten. What was found for this query before is not computed again, and an example that several
    windows of the class hold counts once. A class is asked once a query.
    """
    X, gaps, known, size = windows.X, windows.gaps, windows.known, windows.rings.shape[1]
    query, asking = np.float64(windows.cursor[QUERY]), np.float64(c)
    n_found = 0
    for m in range(tree.first_holder[c], tree.first_holder[c + 1]):
        w = tree.holders[m]
        ring, at = windows.rings[w], windows.head[w]
        for _ in range(windows.held[w]):
            s = ring[at]
            at += 1
            if at == size:
                at = 0
            if known[s, 0] == query:
                if known[s, 2] == asking:
                    continue
                d = known[s, 1]
            else:
                if gap or any_nominal or gaps[s]:
                    d = sum_of_both(x, X[s], None, nominal, 0, distance != EUCLIDEAN)
                elif distance == EUCLIDEAN:
                    d = square_of(x, X[s])
                else:
                    d = _absolutes(x, X, s, X.shape[1])
                known[s, 0] = query
                known[s, 1] = d
            known[s, 2] = asking
            if d < math.inf and (n_found < k or d < nearest[k - 1]):
                n_found = put(None, nearest, n_found, s, d)
    if n_found == 0:
        return math.inf
    total = 0.0
    for i in range(n_found):
        total += math.sqrt(nearest[i]) if distance == EUCLIDEAN else nearest[i]
    return total / n_found


@kernel
def drop_oldest(windows, c, n):
    """Take the ``n`` oldest examples out of the window of class ``c``; free the places that no window holds."""
    size = windows.rings.shape[1]
    for _ in range(n):
        s = windows.rings[c, windows.head[c]]
        windows.head[c] = (windows.head[c] + 1) % size
        windows.held[c] -= 1
        windows.refs[s] -= 1
        if windows.refs[s] == 0:
            windows.free[windows.cursor[N_FREE]] = s
            windows.cursor[N_FREE] += 1


@kernel(inner=True)
def count_examples(windows, tree, c, met):
    """Return how many examples class ``c`` has; ``met`` int64 [capacity] holds no ``c``, and is overwritten."""
    size = windows.rings.shape[1]
    n = 0
    for m in range(tree.first_holder[c], tree.first_holder[c + 1]):
        w = tree.holders[m]
        for j in range(windows.held[w]):
            s = windows.rings[w, (windows.head[w] + j) % size]
            n += met[s] != c
            met[s] = c
    return n


@kernel(inner=True, arrays=True)
def drop_halves(windows, tree, c):
    """Drop the oldest half of each window of class ``c``; return how many examples it has lost, and still has."""
    met = np.full(windows.refs.shape[0], -1)
    before = count_examples(windows, tree, c, met)
    for m in range(tree.first_holder[c], tree.first_holder[c + 1]):
        w = tree.holders[m]
        drop_oldest(windows, w, windows.held[w] // 2)
    met[:] = -1
    kept = count_examples(windows, tree, c, met)
    return before - kept, kept


@kernel(arrays=True)
def numbers_of_examples(windows, tree):
    """Return how many examples each class has, int64 [classes]."""
    met = np.full(windows.refs.shape[0], -1)
    numbers = np.empty_like(windows.held)
    for c in range(numbers.shape[0]):
        numbers[c] = count_examples(windows, tree, c, met)
    return numbers


@kernel(inner=True, arrays=True)
def insert(windows, x, gap, y, window):
    """Put ``x`` into the windows flagged in ``y`` (uint8 [classes]); return its place, or -1.

    The oldest give way first, so that the store never holds more than the windows do. There must be a free place, and
    rings of ``window`` entries, or as many as will be needed.
    """
    n_classes = windows.held.shape[0]
    size = windows.rings.shape[1]
    n_holders = 0
    for c in range(n_classes):
        if y[c]:
            n_holders += 1
            if windows.held[c] >= window:
                drop_oldest(windows, c, windows.held[c] - window + 1)
    if n_holders == 0:
        return -1
    cursor = windows.cursor
    if cursor[N_FREE] > 0:
        cursor[N_FREE] -= 1
        s = windows.free[cursor[N_FREE]]
    else:
        s = cursor[TOP]
        cursor[TOP] += 1
    for j in range(x.shape[0]):
        windows.X[s, j] = x[j]
    windows.gaps[s] = gap
    windows.refs[s] = n_holders
    windows.known[s, 0] = -1.0
    for c in range(n_classes):
        if y[c]:
            windows.rings[c, (windows.head[c] + windows.held[c]) % size] = s
            windows.held[c] += 1
    return s
