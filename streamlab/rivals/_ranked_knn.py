"""Kernels of RankedKNN: who is near, how they vote, and the rows that come and leave.

Rows are kept in a ring of places. Sparse rows, and all of the first ``WARM_UP``, are lists of their values other
than 0, and an inverted index finds the cosines; once rows are known to be dense they are whole points.

Of that index each coordinate has a queue of the places of the rows that have a value there, the oldest first, and of
these values; the queues lie in one pool. A row that leaves is the oldest of each queue that it is in, so nothing is
searched.

``model`` has the learner's arrays: ``list_columns``, ``list_values`` (list_places, width), ``list_lengths``
(list_places,): rows as lists; ``points`` (point_places, coordinates): as points, NaN missing; ``norms``, ``gaps``,
``asked``, ``right`` (places,), ``Y`` (places, labels). ``seen`` (coordinates, 4): count, mean and squared deviations of
the values other than 0, and the missing ones. ``held_after``: how many rows were held after row t, at t modulo its
length. ``columns`` float32 (coordinates, a few more, point_places): the points, less ``reference[0]``, the means at a
time, and times ``reference[1]``, 1 over the deviations. The rest is the index.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._nearest import put, square_of
from streamlab.learners.linear._kernels import COUNT, GAPS, MEAN, SCATTER, SPARSE, WARM_UP, joined, read_row
from streamlab.rivals._remembered import n_equal

# counts: rows learned; of the first of them, the values that were there and those that were 0; rows held; the place of
# the oldest
ROWS, VALUES, ZEROS, HELD, OLDEST = range(5)
HISTORY = 1024
SHRINK = 0.3
"""What is added to the sum of all votes."""
BLOCK = 64
"""Coordinates whose squares are added up before they are added to others."""
ROUNDOFF = 2.0**-24
"""A float32 is so exact, as a share of itself."""


# ---------------------------------------------------------------------- who is near


@kernel(inner=True, error_model="numpy")
def _write_scale(model, centre, scale):
    """Write each coordinate's mean, and 1 over its deviation, over the rows learned; 0 where all values were equal."""
    n_rows = model.counts[ROWS]
    for j in range(len(centre)):
        count, mean, there = model.seen[j, COUNT], model.seen[j, MEAN], n_rows - model.seen[j, GAPS]
        share = count / there if there > 0.0 else 0.0
        centre[j] = share * mean
        variance = model.seen[j, SCATTER] / there + mean * mean * share * (1.0 - share) if there > 0.0 else 0.0
        scale[j] = 1.0 / math.sqrt(variance) if variance > 0.0 else 0.0


@kernel(inner=True)
def _write_row(model, place, row):
    """Write the listed row at ``place`` as a point."""
    row[:] = 0.0
    for k in range(model.list_lengths[place]):
        row[model.list_columns[place, k]] = model.list_values[place, k]


@kernel(inner=True)
def _square(q, row, centre, scale, gap):
    """Return the squared distance of ``q``, which has no gaps, and a row."""
    total, n = 0.0, len(q)
    if gap:
        for j in range(n):
            away = (q[j] - (centre[j] if math.isnan(row[j]) else row[j])) * scale[j]
            total += away * away
    else:
        for start in range(0, n, BLOCK):
            stop = min(start + BLOCK, n)
            # of slices, whose indices are known not to be negative: that is vectorised
            total += square_of(q[start:stop], row[start:stop], scale[start:stop])
    return total


@kernel(inner=True, fastmath={"reassoc", "contract"}, apart=True)
def _rough_squares(asked, columns, n, gap, rough):
    """Write the squared distances of ``n`` rows, about, of four columns at once; ``gap``: whether any has gaps."""
    q, ratio, centre = asked[0], asked[1], asked[2]
    for i in range(n):
        rough[i] = 0.0
    for j in range(0, columns.shape[0], 4):
        a, b, c, d = q[j], q[j + 1], q[j + 2], q[j + 3]
        r, s, t, u = ratio[j], ratio[j + 1], ratio[j + 2], ratio[j + 3]
        e, f, g, h = centre[j], centre[j + 1], centre[j + 2], centre[j + 3]
        for i in range(n):
            v, w, x, y = columns[j, i] * r, columns[j + 1, i] * s, columns[j + 2, i] * t, columns[j + 3, i] * u
            if gap:
                v, w = e if math.isnan(v) else v, f if math.isnan(w) else w
                x, y = g if math.isnan(x) else x, h if math.isnan(y) else y
            v, w, x, y = a - v, b - w, c - x, d - y
            rough[i] += (v * v + w * w) + (x * x + y * y)


@kernel(inner=True)
def _reach(model, q, centre, scale, asked, rough, least, who, away):
    """Write about how far all points are, squared, into ``rough``; return a number that no neighbour's is above."""
    held, square, is_safe, count = model.counts[HELD], 0.0, True, 0
    middle, unit = model.reference[0], model.reference[1]
    for j in range(len(q)):
        ratio, v = scale[j] / unit[j], (q[j] - middle[j]) * scale[j]
        asked[0, j], asked[1, j], asked[2, j] = v, ratio, (centre[j] - middle[j]) * scale[j]
        square += v * v
        is_safe &= (ratio < 1e6) & ((ratio > 1e-6) | (ratio == 0.0))
    # else float32 might not hold what they are, or most are asked anyway
    if not (is_safe and square < 1e20) or held < 2 * len(least):
        return math.inf
    any_gap = False
    for place in range(held):
        any_gap |= model.gaps[place] != 0
    _rough_squares(asked, model.columns, held, any_gap, rough)
    # the k-th smallest of twice as many, each the smallest of some
    least[:] = math.inf
    for first in range(0, held, len(least)):
        for i in range(min(len(least), held - first)):
            least[i] = rough[first + i] if rough[first + i] < least[i] else least[i]
    for i in range(len(least)):
        if count < len(who) or least[i] < away[count - 1]:
            count = put(who, away, count, i, np.float64(least[i]))
    # and twice what both may be wrong by
    last = away[count - 1]
    return last + ROUNDOFF * (16.0 * square + (3.0 * len(q) + 32.0) * last) + 1e-30


@kernel(inner=True)
def _nearest_points(model, q, centre, scale, row, asked, rough, least, who, away):
    """Find the nearest of dense rows, of equals the newer; return how many there are."""
    held, count, is_listed, limit = model.counts[HELD], 0, len(model.points) == 0, math.inf
    if not is_listed:
        limit = _reach(model, q, centre, scale, asked, rough, least, who, away)
    place = model.counts[OLDEST]
    for _ in range(held):
        place = (place if place > 0 else held) - 1
        if rough[place] > limit:
            continue
        if is_listed:
            _write_row(model, place, row)
        distance = _square(q, row if is_listed else model.points[place], centre, scale, model.gaps[place] != 0)
        if count < len(who) or distance < away[count - 1]:
            count = put(who, away, count, place, distance)
    return count


@kernel(inner=True, error_model="numpy")
def _nearest_lists(model, at, values, n, sums, who, away):
    """Find the rows of the largest cosine, of equals the newer; return how many there are."""
    held, count, length = model.counts[HELD], 0, 0.0
    for k in range(n):
        length += values[k] * values[k]
    length = math.sqrt(length)
    products(model, at, values, n, sums)
    for age in range(held):
        place = (model.counts[OLDEST] + held - 1 - age) % held
        over = length * model.norms[place]
        cosine = sums[place] / over if sums[place] != 0.0 and over > 0.0 else 0.0
        # cosines that are equal but for their rounding are equal
        distance = -np.float64(np.float32(cosine))
        if count < len(who) or distance < away[count - 1]:
            count = put(who, away, count, place, distance)
    return count


# ---------------------------------------------------------------------- votes


@kernel(inner=True, error_model="numpy")
def _vote(model, who, count, scores):
    """Write the labels' scores, of which all are 0: a neighbour of rank r, from 0 on, has 1 / (r + 1) votes."""
    total = SHRINK
    for rank in range(count):
        total += 1.0 / (rank + 1.0)
    for rank in range(count):
        vote = 1.0 / ((rank + 1.0) * total)
        for label in range(len(scores)):
            scores[label] += vote * model.Y[who[rank], label]


@kernel(inner=True)
def _note_neighbours(model, who, count, y):
    """Note who answered, and whether its labels were right."""
    held, n_rows = model.counts[HELD], model.counts[ROWS]
    model.near[:] = -1
    for rank in range(count):
        place = who[rank]
        model.near[rank] = n_rows - held + (place - model.counts[OLDEST]) % held
        model.asked[place] += 1
        model.right[place] += n_equal(model, place, y) == len(y)


# ---------------------------------------------------------------------- rows come and leave


@kernel(inner=True)
def _has_room(model, window, at, found, n_listed, becomes_dense):
    """Whether the arrays are as the next row needs them."""
    held, places = model.counts[HELD], len(model.norms)
    if held == places and held < window:
        return False
    if becomes_dense:
        return len(model.points) == places
    return n_listed <= model.list_columns.shape[1] and has_index_room(model, at, found)


@kernel(inner=True, error_model="numpy")
def _keep(model, window, y, at, values, found, gaps, n_gaps, is_point):
    """Keep a row; where there is no place it takes that of the oldest."""
    held = model.counts[HELD]
    if held == window:
        place = model.counts[OLDEST]
        model.counts[OLDEST] = (place + 1) % held
        if not is_point:
            for k in range(model.list_lengths[place]):
                if not math.isnan(model.list_values[place, k]):
                    remove_from_index(model, model.list_columns[place, k])
    else:
        place = held
        model.counts[HELD] = held + 1
    model.asked[place] = model.right[place] = 0
    for label in range(len(y)):
        model.Y[place, label] = y[label]
    model.gaps[place] = n_gaps > 0
    if is_point:
        for j in range(model.points.shape[1]):
            model.points[place, j] = 0.0
        for k in range(found):
            model.points[place, at[k]] = values[k]
        for k in range(n_gaps):
            model.points[place, gaps[k]] = math.nan
        if place > 0:
            _write_column(model, place)
        else:
            write_columns(model)
        return
    square = 0.0
    for k in range(found):
        model.list_columns[place, k], model.list_values[place, k] = at[k], values[k]
        square += values[k] * values[k]
        add_to_index(model, at[k], place, values[k])
    for k in range(n_gaps):
        model.list_columns[place, found + k], model.list_values[place, found + k] = gaps[k], math.nan
    model.list_lengths[place] = found + n_gaps
    model.norms[place] = math.sqrt(square)


@kernel(inner=True, error_model="numpy")
def _count(model, at, values, found, gaps, n_gaps):
    for k in range(found):
        count, mean, scatter = joined(model.seen, at[k], values[k])
        model.seen[at[k], COUNT], model.seen[at[k], MEAN], model.seen[at[k], SCATTER] = count, mean, scatter
    for k in range(n_gaps):
        model.seen[gaps[k], GAPS] += 1.0


@kernel(inner=True)
def _write_column(model, place):
    for j in range(model.points.shape[1]):
        model.columns[j, place] = (model.points[place, j] - model.reference[0, j]) * model.reference[1, j]


@kernel
def write_columns(model):
    """Write all points by their columns, scaled as is best now."""
    unit = model.reference[1]
    _write_scale(model, model.reference[0], unit)
    for j in range(len(unit)):
        unit[j] = unit[j] if unit[j] > 0.0 else 1.0
    for place in range(model.counts[HELD]):
        _write_column(model, place)


@kernel(arrays=True)
def write_points(model, points):
    """Write all listed rows as points."""
    for place in range(model.counts[HELD]):
        _write_row(model, place, points[place])


@kernel(arrays=True, error_model="numpy")
def run(model, X, indptr, indices, data, Y, start, window, scores):
    """Score rows from ``start`` on, and learn each after it was scored.

    Parameters
    ----------
    model
        ``Model``; written to.
    X
        float64 (rows, features), or (0, 0): the rows are sparse, in ``indptr``, ``indices`` and ``data``.
    Y
        uint8 (rows, labels), or (0, labels): nothing is learned.
    window
        Rows remembered at most.
    scores
        float64 (rows, labels), zeros: get the scores.

    Returns
    -------
    The row for which the arrays have no room, of which nothing is learned yet; or the number of rows.
    """
    learns, n_coordinates = len(Y) > 0, len(model.seen)
    at, gaps, values = np.empty(n_coordinates, np.int64), np.empty(n_coordinates, np.int64), np.empty(n_coordinates)
    found, sums = np.zeros(3, np.int64), np.empty(len(model.norms))
    who, away = np.empty(len(model.near), np.int64), np.empty(len(model.near))
    # a wide row's zeros take longer to be written than all else: rows that are sparse for good need none
    stays_sparse = model.counts[ROWS] >= WARM_UP and model.counts[ZEROS] > SPARSE * model.counts[VALUES]
    width = 0 if stays_sparse else n_coordinates
    q, row, centre, scale = np.zeros(width), np.zeros(width), np.zeros(width), np.zeros(width)
    asked, rough = np.zeros((3, len(model.columns)), np.float32), np.empty(len(model.norms), np.float32)
    least = np.empty(2 * len(who), np.float32)
    for r in range(start, len(scores)):
        n_values, n_zeros = read_row(model, X, indptr, indices, data, r, found, at, values, gaps)
        n, n_gaps = found[0], found[1]
        is_settled = model.counts[ROWS] >= WARM_UP
        is_sparse = n_zeros > SPARSE * n_values
        is_point = is_settled and not is_sparse
        n_listed = n if is_settled else n + n_gaps
        if learns and not _has_room(model, window, at, n, n_listed, is_point):
            return r
        if is_sparse:
            count = _nearest_lists(model, at, values, n, sums, who, away)
        else:
            _write_scale(model, centre, scale)
            q[:] = 0.0
            for k in range(n):
                q[at[k]] = values[k]
            for k in range(n_gaps):
                q[gaps[k]] = centre[gaps[k]]
            count = _nearest_points(model, q, centre, scale, row, asked, rough, least, who, away)
        _vote(model, who, count, scores[r])
        if learns:
            _note_neighbours(model, who, count, Y[r])
            if not is_settled or is_point:
                _count(model, at, values, n, gaps, n_gaps)
            _keep(model, window, Y[r], at, values, n, gaps, n_listed - n if not is_point else n_gaps, is_point)
            model.counts[ROWS] += 1
            model.counts[VALUES], model.counts[ZEROS] = n_values, n_zeros
            model.held_after[model.counts[ROWS] % HISTORY] = model.counts[HELD]
    return len(scores)


FEWEST = 4
"""Room of a queue at least."""


@kernel(inner=True)
def _roomier(n):
    """Return the room of a queue that is to hold more than ``n``."""
    return max(2 * n, FEWEST)


@kernel(inner=True)
def has_index_room(model, at, n):
    """Whether the pool has room for one more row in the queues of the coordinates ``at[:n]``."""
    wanted = 0
    for k in range(n):
        if model.queue_filled[at[k]] == model.queue_room[at[k]]:
            wanted += _roomier(model.queue_room[at[k]])
    return model.top[0] + wanted <= len(model.pool_places)


@kernel(inner=True)
def add_to_index(model, coordinate, place, value):
    """Add a value to the end of a coordinate's queue; a queue that is full moves to the end of the pool."""
    room, filled, start = model.queue_room[coordinate], model.queue_filled[coordinate], model.queue[coordinate]
    if filled == room:
        first, new = model.queue_first[coordinate], model.top[0]
        for k in range(filled):
            old = start + (first + k) % room
            model.pool_places[new + k] = model.pool_places[old]
            model.pool_values[new + k] = model.pool_values[old]
        room, start = _roomier(room), new
        model.queue_room[coordinate], model.queue[coordinate], model.queue_first[coordinate] = room, start, 0
        model.top[0] += room
    at = start + (model.queue_first[coordinate] + filled) % room
    model.pool_places[at], model.pool_values[at] = place, value
    model.queue_filled[coordinate] = filled + 1


@kernel(inner=True)
def remove_from_index(model, coordinate):
    """Take the oldest value out of a coordinate's queue."""
    model.queue_first[coordinate] = (model.queue_first[coordinate] + 1) % model.queue_room[coordinate]
    model.queue_filled[coordinate] -= 1


@kernel(inner=True)
def products(model, at, values, n, sums):
    """Write the product of a row, ``values[:n]`` in the coordinates ``at``, and each other into ``sums`` [places]."""
    sums[:] = 0.0
    for k in range(n):
        coordinate, value = at[k], values[k]
        start, room, first = model.queue[coordinate], model.queue_room[coordinate], model.queue_first[coordinate]
        filled = model.queue_filled[coordinate]
        before_end = min(filled, room - first)
        for p in range(start + first, start + first + before_end):
            sums[model.pool_places[p]] += value * model.pool_values[p]
        for p in range(start, start + filled - before_end):
            sums[model.pool_places[p]] += value * model.pool_values[p]


@kernel(arrays=True)
def count_index(columns, values, lengths, filled):
    """Count in ``filled`` int32 [coordinates] the values of rows that are there and not missing."""
    for place in range(len(lengths)):
        for k in range(lengths[place]):
            filled[columns[place, k]] += not math.isnan(values[place, k])


@kernel(arrays=True)
def rebuild_index(model, held, oldest):
    """Fill the queues of the first ``held`` places, from the ``oldest`` on; ``queue_room`` is what each is to have."""
    top = 0
    for coordinate in range(len(model.queue_room)):
        model.queue[coordinate] = top
        model.queue_filled[coordinate] = 0
        model.queue_first[coordinate] = 0
        top += model.queue_room[coordinate]
    model.top[0] = top
    for k in range(held):
        place = (oldest + k) % held
        for p in range(model.list_lengths[place]):
            if not math.isnan(model.list_values[place, p]):
                add_to_index(model, np.int64(model.list_columns[place, p]), place, model.list_values[place, p])
