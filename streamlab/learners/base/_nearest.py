"""Kernels of the nearest: how far two rows are from each other, and the least of distances, in order."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel

# sums may be added up in another order, which lets them be vectorised; NaN and infinity keep their meaning
reordered = kernel(fastmath={"reassoc", "contract"})


@reordered
def square_of(q, row, scale=None):
    """Return the squared distance of two rows; differences are multiplied by ``scale`` if it is given."""
    total = 0.0
    for j in range(q.shape[0]):
        away = q[j] - row[j]
        if scale is not None:
            away *= scale[j]
        total += away * away
    return total


@kernel(inner=True)
def sum_of_both(x, y, scale, kinds, most, absolute):
    """Return the sum of squared differences where both rows have a value, as if of all; infinite if there is none.

    A feature whose number in ``kinds`` is above ``most`` is nominal and adds 0 or 1; differences of others are
    multiplied by ``scale``, unless it is None, and their sizes added if ``absolute``.
    """
    total, there, n = 0.0, 0, kinds.shape[0]
    for j in range(n):
        away = x[j] - y[j]
        if np.isnan(away):
            continue
        there += 1
        if scale is not None:
            away *= scale[j]
        if kinds[j] > most:
            total += x[j] != y[j]
        elif absolute:
            total += abs(away)
        else:
            total += away * away
    if there == n:
        return total
    return total * (n / there) if there > 0 else math.inf


@kernel(inner=True)
def put(who, away, count, place, distance, born=None):
    """Put a place that is nearer than the last of ``count`` into its order; return how many there are then.

    ``who`` int64 [k] and ``away`` float64 [k] are the nearest and their distances; where ``who`` is None only these are
    kept. Of equals the first stays first, or with ``born`` the one that was born first.
    """
    n = min(count + 1, len(away))
    at = n - 1
    while at > 0 and away[at - 1] > distance:
        away[at] = away[at - 1]
        if who is not None:
            who[at] = who[at - 1]
        at -= 1
    if born is not None:
        while at > 0 and away[at - 1] == distance and born[who[at - 1]] > born[place]:
            away[at], who[at] = away[at - 1], who[at - 1]
            at -= 1
    away[at] = distance
    if who is not None:
        who[at] = place
    return n


@kernel
def nearest(distances, rows, start, stop, who, away):
    """Find the nearest of ``rows[start:stop]`` (int64) by their finite ``distances``; return how many there are.

    They are sorted, nearest first; of equals the first in ``rows`` comes first.
    """
    count, last = 0, math.inf
    for t in range(start, stop):
        if distances[rows[t]] < last:
            count = put(who, away, count, rows[t], distances[rows[t]])
            if count == len(away):
                last = away[count - 1]
    return count
