"""Kernels of ADWIN: exponential histograms of many rows of numbers, in shared arrays.

The window of detector ``d`` is a histogram: level ``i`` holds up to ``capacity`` buckets of 2**i numbers, oldest first.
``totals[d, i, k]`` and ``spreads[d, i, k]`` are a bucket's sum and its sum of squared deviations, ``filled[d, i]`` the
buckets of a level, and ``window[d]`` holds width, total, spread and ticks of the whole window.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel

LEVELS = 40
FINITE = 1e300
WIDTH, TOTAL, SPREAD, TICKS = 0, 1, 2, 3
# defaults of river.drift.ADWIN: numbers between two looks for a cut, the shortest part of a cut, the width from which
# on a cut is looked for, buckets of a size
CLOCK, SHORTEST, GRACE, MAX_BUCKETS = 32.0, 5.0, 10.0, 5


@kernel(inner=True, forceinline=True)
def insert(totals, spreads, filled, window, d, value):
    """Append a number to a window and merge buckets where a level overflows."""
    own, held = window[d], filled[d]
    width, total = own[WIDTH], own[TOTAL]
    if width > 0.0:
        away = value - total / width
        own[SPREAD] += width * away * away / (width + 1.0)
    own[WIDTH] = width + 1.0
    own[TOTAL] = total + value
    totals[d, 0, held[0]] = value
    spreads[d, 0, held[0]] = 0.0
    here = held[0] + 1
    capacity = totals.shape[2]
    level = 0
    size, part = 1.0, 1.0
    while here == capacity:
        merged, kept = totals[d, level], spreads[d, level]
        apart = (merged[0] - merged[1]) * part
        above = held[level + 1]
        totals[d, level + 1, above] = merged[0] + merged[1]
        spreads[d, level + 1, above] = kept[0] + kept[1] + size * apart * apart / 2.0
        for k in range(capacity - 2):
            merged[k] = merged[k + 2]
            kept[k] = kept[k + 2]
        held[level] = capacity - 2
        here = above + 1
        level += 1
        size *= 2.0
        part *= 0.5
    held[level] = here


@kernel(inner=True, forceinline=True)
def _drop_oldest(totals, spreads, filled, window, d, level):
    """Remove the oldest bucket, the first of the highest level, from the window."""
    own = window[d]
    size = 2.0**level
    total, spread = totals[d, level, 0], spreads[d, level, 0]
    own[WIDTH] -= size
    own[TOTAL] -= total
    if own[WIDTH] > 0.0:
        away = total / size - own[TOTAL] / own[WIDTH]
        own[SPREAD] -= spread + size * own[WIDTH] * away * away / (size + own[WIDTH])
    for k in range(filled[d, level] - 1):
        totals[d, level, k] = totals[d, level, k + 1]
        spreads[d, level, k] = spreads[d, level, k + 1]
    filled[d, level] -= 1


@kernel(inner=True, forceinline=True)
def _mean_after_cut(totals, filled, own, d, top, delta, shortest):
    """Return the mean of the new part at a cut into two parts whose means differ by more than epsilon.

    NaN if there is no such cut.
    """
    width = own[WIDTH]
    confidence = math.log(2.0 * math.log(width) / delta)
    variance = own[SPREAD] / width
    # the square of epsilon's first part, a little less, but for the harmonic mean
    least = 2.0 * variance * confidence * (1.0 - 1e-9)
    old, old_total = 0.0, 0.0
    for level in range(top, -1, -1):
        size = 2.0**level
        for k in range(filled[d, level]):
            old += size
            old_total += totals[d, level, k]
            new = width - old
            if old >= shortest and new >= shortest:
                new_total = own[TOTAL] - old_total
                first, second = old - shortest + 1.0, new - shortest + 1.0
                # most cuts are refused without a division or a root; what rounding could decide is not
                a, b, both = old_total * new, new_total * old, old * new
                apart = abs(a - b) + 1e-14 * (abs(a) + abs(b))
                bound = both * both * least * (first + second)
                if apart * apart * (first * second) <= bound < FINITE:
                    continue
                harmonic = 1.0 / first + 1.0 / second
                epsilon = math.sqrt(2.0 * harmonic * variance * confidence) + 2.0 / 3.0 * confidence * harmonic
                if abs(old_total / old - new_total / new) > epsilon:
                    return new_total / new
    return math.nan


@kernel(inner=True, forceinline=True)
def mean_after_shrinking(totals, spreads, filled, window, d, delta, shortest):
    """Drop the oldest buckets while old and new differ; return the mean of the new part at the last cut, or NaN."""
    after = math.nan
    top = LEVELS - 1
    while top > 0 and filled[d, top] == 0:
        top -= 1
    while window[d, WIDTH] > 1.0:
        mean = _mean_after_cut(totals, filled, window[d], d, top, delta, shortest)
        if math.isnan(mean):
            break
        after = mean
        _drop_oldest(totals, spreads, filled, window, d, top)
        while top > 0 and filled[d, top] == 0:
            top -= 1
    return after


@kernel(inner=True, forceinline=True)
def feed_one(totals, spreads, filled, window, changed, d, value, delta, clock, shortest, grace):
    """Feed one number to detector ``d``; return the mean of what was dropped and of what came behind the last cut.

    Both are NaN without a change. ``changed[d]`` tells that the last number was a change: the window starts again with
    the next.
    """
    if changed[d]:
        changed[d] = 0
        filled[d, :] = 0
        window[d, :] = 0.0
    insert(totals, spreads, filled, window, d, value)
    window[d, TICKS] += 1.0
    before, after = math.nan, math.nan
    if np.int64(window[d, TICKS]) % np.int64(clock) == 0 and window[d, WIDTH] > grace:
        width, total = window[d, WIDTH], window[d, TOTAL]
        after = mean_after_shrinking(totals, spreads, filled, window, d, delta, shortest)
        if not math.isnan(after):
            changed[d] = 1
            before = (total - window[d, TOTAL]) / (width - window[d, WIDTH])
    return before, after


@kernel
def feed(values, totals, spreads, filled, window, changed, delta, clock, shortest, grace, found, means):
    """Feed the rows of ``values`` (n, detectors), one after the other, as ``feed_one`` does.

    Returns the number of changes, of which ``found`` holds (row, detector), and in a third column, if it has one, the
    numbers that the window kept, and ``means`` the means before and after.
    """
    n_found = 0
    for row in range(values.shape[0]):
        for d in range(values.shape[1]):
            before, after = feed_one(
                totals, spreads, filled, window, changed, d, values[row, d], delta, clock, shortest, grace
            )
            if not math.isnan(after):
                if n_found < len(found):
                    found[n_found, 0], found[n_found, 1] = row, d
                    if found.shape[1] > 2:
                        found[n_found, 2] = np.int64(window[d, WIDTH])
                    means[n_found, 0], means[n_found, 1] = before, after
                n_found += 1
    return n_found


def empty(n: int, max_buckets: int) -> tuple[np.ndarray, ...]:
    """Return the arrays of ``n`` empty windows: totals, spreads, filled, window, changed."""
    shape = (n, LEVELS, max_buckets + 1)
    return (
        np.zeros(shape),
        np.zeros(shape),
        np.zeros((n, LEVELS), np.int32),
        np.zeros((n, 4)),
        np.zeros(n, np.uint8),
    )
