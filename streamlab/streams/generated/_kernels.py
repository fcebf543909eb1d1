"""Kernels of the synthetic streams: random numbers by row, label sets, instances of the three binary generators.

Each row has its own SplitMix64 stream (Steele, Lea and Flood, 2014), whose state is hashed from a seed, a key for what
is drawn, and the row: no row depends on another, wherever reading begins. ``state`` is that state, an array of one.
Concepts lie along the first axis of their parameters; a row is between the concepts ``left`` and ``right`` by
``share``, 0 being all left.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)

# What is drawn for a row; the same row gives other numbers for another key.
LABELS, FEATURES, WEIGHTS = 1, 2, 3

FLIP = 0.1  # chance that a drifting weight turns round at a row, MOA's sigmaPercentage
MOST_DRAWS = 100  # for one instance on a side of the hyperplane, when all fall on it within rounding


@kernel
def mixed(x):
    """SplitMix64's output for the state x."""
    x = (x ^ (x >> S30)) * FIRST
    x = (x ^ (x >> S27)) * SECOND
    return x ^ (x >> S31)


@kernel
def row_state(seed, key, row):
    """Return the state from which a row's numbers are drawn: three rounds, as in ``draws.uniform``."""
    state = mixed(np.uint64(seed) + GAMMA)
    state = mixed((state ^ np.uint64(key)) + GAMMA)
    return mixed((state ^ np.uint64(row)) + GAMMA)


@kernel
def draw(state):
    """Return the next number in [0, 1)."""
    state[0] = state[0] + GAMMA
    return np.float64(np.int64(mixed(state[0]) >> S11)) * 2.0**-53


@kernel
def draw_many(state, out):
    """Write the next ``len(out)`` numbers in [0, 1) to ``out``: those of this many calls of ``draw``, only faster."""
    at = state[0]
    for i in range(len(out)):
        # by way of a signed integer, which processors turn into a float in one step
        out[i] = np.float64(np.int64(mixed(at + np.uint64(i + 1) * GAMMA) >> S11)) * 2.0**-53
    state[0] = at + np.uint64(len(out)) * GAMMA


@kernel
def between(a, b, share, out):
    """``out`` = a + share (b - a), for flat arrays."""
    for i in range(len(out)):
        out[i] = a[i] + share * (b[i] - a[i])


@kernel
def draw_label_set(state, cumulative, given, y, room, draws):
    """Fill ``y`` with a label set and return how many labels are on.

    ``cumulative`` are the summed priors, [L], and ``given[k, j]`` is P(j|k). ``room``, int64 [2, L], and ``draws``,
    [2 L + 1], are there to work in. The number of draws is the same for every set, and each label has its own two, one
    for its turn and one for being on, so that a change of the parameters leaves the draws alone.
    """
    n_labels = len(cumulative)
    on, waiting = room[0], room[1]
    draw_many(state, draws)
    lots, order = draws[1 : n_labels + 1], draws[n_labels + 1 :]
    wanted = draws[0] * cumulative[n_labels - 1]
    first = 0
    for j in range(n_labels - 1):  # all of them: faster than a branch that the processor cannot predict
        first += cumulative[j] <= wanted
    # A label that would not follow the first alone cannot be on at its turn, when the product has more factors: only
    # the others, which are few, have to be visited.
    n_waiting = 0
    for j in range(n_labels):
        y[j] = 0
        waiting[n_waiting] = j
        n_waiting += (lots[j] < given[first, j]) & (j != first)
    y[first] = 1
    on[0] = first
    n_on = 1
    while n_waiting > 0:
        next_up = 0
        for i in range(1, n_waiting):
            if order[waiting[i]] < order[waiting[next_up]]:
                next_up = i
        j = waiting[next_up]
        n_waiting -= 1
        waiting[next_up] = waiting[n_waiting]
        chance = 1.0
        for k in range(n_on):
            chance *= given[on[k], j]
        if lots[j] < chance:
            y[j] = 1
            on[n_on] = j
            n_on += 1
    return n_on


@kernel(arrays=True)
def label_sets(seed, key, start, left, right, share, cumulative, given, Y):
    """Fill ``Y`` with the label sets of the rows from ``start`` on."""
    n_labels = cumulative.shape[1]
    room, draws = np.empty((2, n_labels), np.int64), np.empty(2 * n_labels + 1)
    mixed_cumulative = np.empty(n_labels)
    mixed_given = np.empty((n_labels, n_labels))
    state = np.empty(1, np.uint64)
    for i in range(len(Y)):
        state[0] = row_state(seed, key, start + i)
        a, b = left[i], right[i]
        if share[i] == 0.0:
            draw_label_set(state, cumulative[a], given[a], Y[i], room, draws)
            continue
        between(cumulative[a], cumulative[b], share[i], mixed_cumulative)
        for j in range(n_labels):
            between(given[a, j], given[b, j], share[i], mixed_given[j])
        draw_label_set(state, mixed_cumulative, mixed_given, Y[i], room, draws)


@kernel
def find_positive(y, bounds, members, sizes, seen, found):
    """Write to ``found`` the features all of whose labels are on, and return how many.

    The features of label j are ``members[bounds[j]]`` to ``members[bounds[j + 1] - 1]``; feature f has ``sizes[f]``
    labels. Few labels are on: going by them is faster than by the features. ``seen`` is room to count in, [F].
    """
    for f in range(len(seen)):
        seen[f] = 0
    n_found = 0
    for j in range(len(y)):
        if y[j]:
            for i in range(bounds[j], bounds[j + 1]):
                f = members[i]
                seen[f] += 1
                if seen[f] == sizes[f]:
                    found[n_found] = f
                    n_found += 1
    return n_found


@kernel
def product(a, b):
    """Return the scalar product; eight sums side by side do not wait for each other."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    whole = len(a) - len(a) % 8
    for i in range(0, whole, 8):
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
        s4 += a[i + 4] * b[i + 4]
        s5 += a[i + 5] * b[i + 5]
        s6 += a[i + 6] * b[i + 6]
        s7 += a[i + 7] * b[i + 7]
    for i in range(whole, len(a)):
        s0 += a[i] * b[i]
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))


@kernel
def draw_leaf(state, volumes, begin, end):
    """One of the leaves from ``begin`` to ``end``, by its volume; ``volumes`` are cumulative within them."""
    wanted = draw(state) * volumes[end - 1]
    n = end - begin
    while n > 1:
        half = n // 2
        begin += half * (volumes[begin + half - 1] <= wanted)
        n -= half
    return begin


@kernel
def place_in_leaf(u, low, extent, f, n_numeric):
    """Return the value of feature f at the share ``u`` of a leaf's box."""
    value = low[f] + u * extent[f]
    # a category c is the interval [c, c + 1), whose end rounding could reach
    return value if f < n_numeric else min(math.floor(value), low[f] + extent[f] - 1.0)


@kernel(arrays=True)
def tree_features(seed, start, concept, Y, leaves, volumes, low, extent, n_numeric, bounds, members, sizes, X):
    """Fill ``X`` from random trees: concept k's leaves of class c are ``leaves[k, c]`` to ``leaves[k, c + 1]``.

    Within a leaf's box the features are independent: of the two instances only the values that are taken are drawn.
    """
    n_features = X.shape[1]
    draws, seen, found = np.empty(n_features), np.empty(n_features, np.int64), np.empty(n_features, np.int64)
    state = np.empty(1, np.uint64)
    for i in range(len(X)):
        state[0] = row_state(seed, FEATURES, start + i)
        k, x = concept[i], X[i]
        positive = draw_leaf(state, volumes, leaves[k, 1], leaves[k, 2])
        negative = draw_leaf(state, volumes, leaves[k, 0], leaves[k, 1])
        draw_many(state, draws)
        low_here, extent_here = low[negative], extent[negative]
        for f in range(n_numeric):
            x[f] = low_here[f] + draws[f] * extent_here[f]
        for f in range(n_numeric, n_features):
            x[f] = place_in_leaf(draws[f], low_here, extent_here, f, n_numeric)
        for i_found in range(find_positive(Y[i], bounds[k], members[k], sizes[k], seen, found)):
            f = found[i_found]
            x[f] = place_in_leaf(draws[f], low[positive], extent[positive], f, n_numeric)


@kernel
def draw_centroid(state, wanted, cumulative, cumulative_to, share):
    """Return a centroid of class ``wanted``, drawn by weight.

    Centroid i is of class i mod 2; ``cumulative`` are weights summed within a class.
    """
    last = len(cumulative) - 1
    last -= (last - wanted) % 2
    left = draw(state) * (cumulative[last] + share * (cumulative_to[last] - cumulative[last]))
    chosen = wanted
    while chosen < last and cumulative[chosen] + share * (cumulative_to[chosen] - cumulative[chosen]) <= left:
        chosen += 2
    return chosen


@kernel
def draw_around(state, centre, centre_to, spread, share, out):
    """Write an instance around a centroid to ``out``.

    The direction is uniform in [-1, 1] for each feature, the distance Gaussian by the spread.
    """
    draw_many(state, out)
    for f in range(len(out)):
        out[f] = 2.0 * out[f] - 1.0
    square = product(out, out)
    # Box and Muller's Gaussian; 1 - u keeps the logarithm finite.
    gaussian = math.sqrt(-2.0 * math.log(1.0 - draw(state))) * math.cos(2.0 * math.pi * draw(state))
    scale = gaussian * spread / math.sqrt(square) if square > 0.0 else 0.0
    for f in range(len(out)):
        out[f] = centre[f] + share * (centre_to[f] - centre[f]) + out[f] * scale


@kernel(arrays=True)
def rbf_features(seed, start, left, right, share, concept, Y, cumulative, centres, spreads, bounds, members, sizes, X):
    """Fill ``X`` from radial basis functions."""
    n_features = X.shape[1]
    positive, seen, found = np.empty(n_features), np.empty(n_features, np.int64), np.empty(n_features, np.int64)
    state = np.empty(1, np.uint64)
    for i in range(len(X)):
        state[0] = row_state(seed, FEATURES, start + i)
        a, b, k, x = left[i], right[i], concept[i], X[i]
        c = draw_centroid(state, 1, cumulative[a], cumulative[b], share[i])
        spread = spreads[a, c] + share[i] * (spreads[b, c] - spreads[a, c])
        draw_around(state, centres[a, c], centres[b, c], spread, share[i], positive)
        c = draw_centroid(state, 0, cumulative[a], cumulative[b], share[i])
        spread = spreads[a, c] + share[i] * (spreads[b, c] - spreads[a, c])
        draw_around(state, centres[a, c], centres[b, c], spread, share[i], x)
        for i_found in range(find_positive(Y[i], bounds[k], members[k], sizes[k], seen, found)):
            x[found[i_found]] = positive[found[i_found]]


@kernel
def draw_from_side(state, wanted, weights, half, out):
    """Write an instance to ``out``, uniform over the part of [0, 1]^F on one side of the hyperplane.

    Side 1 is where w·x >= ``half``, side 0 the other; ``half`` is w·1/2. The mirror image 1 - x of a uniform x is
    uniform too and on the other side, so that only draws within rounding of the hyperplane are lost. Weights that have
    all come to 0 make no sides: then the last draw stays.
    """
    for _ in range(MOST_DRAWS):
        draw_many(state, out)
        above = product(weights, out) - half
        if (above >= 0.0) == (wanted == 1):
            return
        if abs(above) > 1e-9:
            for f in range(len(out)):
                out[f] = 1.0 - out[f]
            return


@kernel(arrays=True)
def drift_weights(seed, start, n, steps, direction, out):
    """Let the drifting weights take a step at each of ``n`` rows from ``start`` on, and perhaps turn round after it.

    ``steps`` and ``direction``, both int64 [drifting], are those of row ``start`` and become those of ``start + n``.
    ``out`` receives the steps of the first ``len(out)`` rows.
    """
    state = np.empty(1, np.uint64)
    for i in range(n):
        if i < len(out):
            for f in range(len(steps)):  # an assignment of the row takes two seconds to compile
                out[i, f] = steps[f]
        state[0] = row_state(seed, WEIGHTS, start + i)
        for f in range(len(steps)):
            steps[f] += direction[f]
            if draw(state) < FLIP:
                direction[f] = -direction[f]


@kernel(arrays=True)
def hyperplane_features(
    seed, start, left, right, share, concept, Y, weights, steps, magnitude, noise, bounds, members, sizes, X
):
    """Fill ``X`` from a rotating hyperplane; with probability ``noise`` an instance is of the class not asked for."""
    n_features = X.shape[1]
    positive, seen, found = np.empty(n_features), np.empty(n_features, np.int64), np.empty(n_features, np.int64)
    w, ones = np.empty(n_features), np.ones(n_features)
    state = np.empty(1, np.uint64)
    for i in range(len(X)):
        state[0] = row_state(seed, FEATURES, start + i)
        k, x = concept[i], X[i]
        between(weights[left[i]], weights[right[i]], share[i], w)
        for f in range(steps.shape[1]):
            w[f] += magnitude * steps[i, f]
        half = 0.5 * product(w, ones)
        draw_from_side(state, 0 if draw(state) < noise else 1, w, half, positive)
        draw_from_side(state, 1 if draw(state) < noise else 0, w, half, x)
        for i_found in range(find_positive(Y[i], bounds[k], members[k], sizes[k], seen, found)):
            x[found[i_found]] = positive[found[i_found]]
