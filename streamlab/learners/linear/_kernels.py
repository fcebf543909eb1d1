"""Kernels of OnlineLogistic: what a row says, its scores, and one step of all weights; row by row, in one call.

A row is its coordinates other than 0. Arrays of weights have a row for each coordinate that was seen, a place, and a
column for each label that was ever true; labels that never were share the first column, as their weights are equal.
``model`` has the learner's arrays, and ``starts`` [features], the first coordinates of the features.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel

WARM_UP = 100
"""Rows after which it is settled whether rows are sparse."""
SPARSE = 0.7
"""Rows are sparse if more of their values are 0."""
LENGTH, CLIP = 3.0, 4.0
WIDE = 16
"""A nominal feature of more indicators counts as so many where rows are scaled: at most one of them is not 0, and is
cut off at 4. Where rows are judged sparse it counts as one value."""
START = -2.0
"""A label's intercept before the first row."""
INTERCEPT_FLOOR, FLOOR = 0.001, 0.01

BLOCK = 8
"""Columns that are learned at once; behind the last block a single one would take as long as a block. In the last block
those that are not in use have errors of 0."""

# counts: rows learned; of the first of them, the values that were there and those that were 0
ROWS, VALUES, ZEROS = range(3)
# top: places and columns in use, and how many are wanted
PLACES, COLUMNS, WANTED_PLACES, WANTED_COLUMNS = range(4)
# seen, of a coordinate: the values other than 0, their mean, the sum of their squared deviations, the missing ones
COUNT, MEAN, SCATTER, GAPS = range(4)


@kernel(inner=True, error_model="numpy")
def _note(model, feature, value, found, at, values, gaps):
    """Note the coordinate of a value other than 0, or those of a missing one.

    ``found``: how many of each there are, and how many values those that are missing count as.
    """
    first, n_categories = model.starts[feature], int(model.n_categories[feature])
    if math.isnan(value):
        n_indicators = max(n_categories - 1, 1)
        for k in range(n_indicators):
            gaps[found[1]] = first + k
            found[1] += 1
        found[2] += 1 if n_indicators > WIDE else n_indicators
        return
    at[found[0]] = first + (int(value) - 1 if n_categories > 0 else 0)
    values[found[0]] = 1.0 if n_categories > 0 else value
    found[0] += 1


@kernel(inner=True, error_model="numpy")
def read_row(model, X, indptr, indices, data, row, found, at, values, gaps):
    """Note a row's coordinates; return how many values of the first rows, with it, were there, and how many were 0."""
    found[:] = 0
    if len(X) > 0:
        for feature in range(X.shape[1]):
            if X[row, feature] != 0.0:
                _note(model, feature, X[row, feature], found, at, values, gaps)
    else:
        for k in range(indptr[row], indptr[row + 1]):
            if data[k] != 0.0:
                _note(model, np.int64(indices[k]), data[k], found, at, values, gaps)
    n_values, n_zeros = model.counts[VALUES], model.counts[ZEROS]
    if model.counts[ROWS] < WARM_UP:
        n_there = len(at) - found[1]
        n_values += n_there
        n_zeros += n_there - found[0]
    return n_values, n_zeros


@kernel(inner=True, error_model="numpy")
def counted_more(model, n_counted, n_coordinates, found):
    """Return how many more values of a row count than it has coordinates, as ``read_row`` counts: below 0, fewer."""
    if model.counts[ROWS] >= WARM_UP:
        return 0
    return (n_counted - found[2]) - (n_coordinates - found[1])


@kernel(inner=True, error_model="numpy")
def joined(seen, place, value):
    """Return count, mean and squared deviations of a coordinate's values other than 0, with one more that may be 0."""
    count, mean, scatter = seen[place, COUNT], seen[place, MEAN], seen[place, SCATTER]
    if value == 0.0:
        return count, mean, scatter
    count += 1.0
    away = value - mean
    mean += away / count
    return count, mean, scatter + away * (value - mean)


@kernel(inner=True, error_model="numpy")
def _scale_sparse(model, found, at, values, places, scaled):
    """Scale a row to length 3; return how many of its coordinates have a place."""
    total = 0.0
    for k in range(found[0]):
        total += values[k] * values[k]
    factor = LENGTH / math.sqrt(total)
    n = 0
    for k in range(found[0]):
        place = model.place_of[at[k]]
        if place >= 0:
            places[n], scaled[n] = place, values[k] * factor
            n += 1
    return n


@kernel(inner=True, error_model="numpy")
def _scale_dense(model, n_scaled, found, at, values, gaps, learns, raw, places, scaled):
    """Standardise the coordinates that have a place, the row itself among those before it; return how many are not 0.

    ``raw`` [coordinates] is 0, and is so again. ``learns``: the row's values are counted.
    """
    n_coordinates, n_rows = len(model.place_of), model.counts[ROWS] + 1.0
    factor, share_of_row = LENGTH / math.sqrt(n_scaled), 1.0 / n_rows
    for k in range(found[0]):
        raw[at[k]] = values[k]
    for k in range(found[1]):
        raw[gaps[k]] = math.nan
    n = 0
    for coordinate in range(n_coordinates):
        value, place = raw[coordinate], model.place_of[coordinate]
        raw[coordinate] = 0.0
        if place < 0 or math.isnan(value):
            continue
        count, mean, scatter = joined(model.seen, place, value)
        if learns:
            model.seen[place, COUNT], model.seen[place, MEAN], model.seen[place, SCATTER] = count, mean, scatter
        # the mean and the variance of these values and of zeros
        n_gaps = model.seen[place, GAPS]
        part = share_of_row if n_gaps == 0.0 else 1.0 / (n_rows - n_gaps)
        share = 1.0 if count == n_rows - n_gaps else count * part
        variance = scatter * part + mean * mean * share * (1.0 - share)
        away = value - share * mean
        if variance > 0.0 and away != 0.0:
            places[n], scaled[n] = place, min(max(away / math.sqrt(variance), -CLIP), CLIP) * factor
            n += 1
    return n


@kernel(inner=True, error_model="numpy")
def _has_room(model, row, Y, found, at, gaps, keeps_moments):
    """Give the row's coordinates places; False if there are too few of them, or too few columns for its labels."""
    new = 0
    for k in range(found[0]):
        new += model.place_of[at[k]] < 0
    if keeps_moments:
        for k in range(found[1]):
            new += model.place_of[gaps[k]] < 0
    columns = model.top[COLUMNS]
    for label in range(Y.shape[1]):
        columns += Y[row, label] != 0 and model.column_of[label] == 0
    if model.top[PLACES] + new > len(model.weights) or columns > model.weights.shape[1]:
        model.top[WANTED_PLACES], model.top[WANTED_COLUMNS] = model.top[PLACES] + new, columns
        return False
    for k in range(found[0]):
        _give_place(model, at[k])
    if keeps_moments:
        for k in range(found[1]):
            _give_place(model, gaps[k])
    return True


@kernel(inner=True, error_model="numpy")
def _give_place(model, coordinate):
    if model.place_of[coordinate] < 0:
        model.place_of[coordinate] = model.top[PLACES]
        model.top[PLACES] += 1


@kernel(inner=True, error_model="numpy")
def _count(model, found, at, values):
    """Add a row's values to what is known of their coordinates."""
    for k in range(found[0]):
        place = model.place_of[at[k]]
        count, mean, scatter = joined(model.seen, place, values[k])
        model.seen[place, COUNT], model.seen[place, MEAN], model.seen[place, SCATTER] = count, mean, scatter


@kernel(inner=True)
def _whole_blocks(n):
    return (n + BLOCK - 1) // BLOCK * BLOCK


@kernel(inner=True, apart=True, error_model="numpy")
def _add(weights, value, n, sums):
    for column in range(n):
        sums[column] += weights[column] * value


@kernel(inner=True, apart=True, error_model="numpy")
def _step(weights, squares, errors, value, n, step, fading):
    for column in range(n):
        slope = errors[column] * value
        total = fading * squares[column] + slope * slope
        squares[column] = total
        weights[column] -= step * slope / math.sqrt(total + FLOOR)


@kernel(inner=True, error_model="numpy")
def _give_columns(model, row, Y, scores):
    """Give each label that is true for the first time a column, a copy of the one that it shared so far."""
    for label in range(Y.shape[1]):
        if Y[row, label] == 0 or model.column_of[label] != 0:
            continue
        column = model.top[COLUMNS]
        model.top[COLUMNS] += 1
        model.column_of[label] = column
        model.intercepts[column], model.intercept_squares[column] = model.intercepts[0], model.intercept_squares[0]
        for place in range(model.top[PLACES]):
            model.weights[place, column] = model.weights[place, 0]
            model.squares[place, column] = model.squares[place, 0]
        scores[column] = scores[0]


@kernel(inner=True, error_model="numpy")
def _learn(model, row, Y, n, places, scaled, errors, step, intercept_step, fading):
    """Learn a row of ``n`` coordinates; ``errors`` [columns] holds the scores, then by how much they are off."""
    _give_columns(model, row, Y, errors)
    n_columns = model.top[COLUMNS]
    for label in range(Y.shape[1]):
        if Y[row, label] != 0:
            errors[model.column_of[label]] -= 1.0
    for column in range(n_columns):
        slope = errors[column]
        total = fading * model.intercept_squares[column] + slope * slope
        model.intercept_squares[column] = total
        model.intercepts[column] -= intercept_step * slope / math.sqrt(total + INTERCEPT_FLOOR)
    n_padded = _whole_blocks(n_columns)
    errors[n_columns:n_padded] = 0.0
    for k in range(n):
        place = places[k]
        _step(model.weights[place], model.squares[place], errors, scaled[k], n_padded, step, fading)


@kernel(arrays=True, error_model="numpy")
def run(model, n_counted, n_scaled, X, indptr, indices, data, Y, start, step, intercept_step, fading, scores):
    """Score rows from ``start`` on, and learn each after it was scored.

    Parameters
    ----------
    model
        ``Model``; written to.
    n_counted, n_scaled
        How many values a row has where it is judged sparse, and where it is scaled.
    X
        float64 (rows, features), or (0, 0): the rows are sparse, in ``indptr``, ``indices`` and ``data``.
    Y
        uint8 (rows, labels), or (0, labels): nothing is learned.
    step, intercept_step, fading
        Parameters of the learner.
    scores
        float64 (rows, labels), written to.

    Returns
    -------
    The row that needs more places or columns than there are, of which nothing is learned yet; or the number of rows.
    """
    learns, n_coordinates = len(Y) > 0, len(model.place_of)
    at, gaps, places = np.empty((3, n_coordinates), np.int64)
    values, scaled = np.empty(n_coordinates), np.empty(n_coordinates)
    # zeros are written, which for one wide row takes longer than all else: rows that are sparse for good need none
    stays_sparse = model.counts[ROWS] >= WARM_UP and model.counts[ZEROS] > SPARSE * model.counts[VALUES]
    raw = np.zeros(0 if stays_sparse else n_coordinates)
    found, sums = np.zeros(3, np.int64), np.empty(model.weights.shape[1])
    for row in range(start, len(scores)):
        n_values, n_zeros = read_row(model, X, indptr, indices, data, row, found, at, values, gaps)
        more = counted_more(model, n_counted, n_coordinates, found)
        n_values, n_zeros = n_values + more, n_zeros + more
        is_settled = model.counts[ROWS] >= WARM_UP
        is_sparse = n_zeros > SPARSE * n_values
        keeps_moments = not (is_settled and is_sparse)
        if learns and not _has_room(model, row, Y, found, at, gaps, keeps_moments):
            return row
        if is_sparse:
            n = _scale_sparse(model, found, at, values, places, scaled)
        else:
            n = _scale_dense(model, n_scaled, found, at, values, gaps, learns, raw, places, scaled)
        n_columns = model.top[COLUMNS]
        # in a loop: to assign an array, numba compiles the words of an error
        for column in range(len(sums)):
            sums[column] = model.intercepts[column]
        for k in range(n):
            _add(model.weights[places[k]], scaled[k], _whole_blocks(n_columns), sums)
        for column in range(n_columns):
            sums[column] = 1.0 / (1.0 + math.exp(-sums[column]))
        for label in range(scores.shape[1]):
            scores[row, label] = sums[model.column_of[label]]
        if learns:
            _learn(model, row, Y, n, places, scaled, sums, step, intercept_step, fading)
            if keeps_moments:
                if is_sparse:
                    _count(model, found, at, values)
                for k in range(found[1]):
                    model.seen[model.place_of[gaps[k]], GAPS] += 1.0
            model.counts[ROWS] += 1
            model.counts[VALUES], model.counts[ZEROS] = n_values, n_zeros
    return len(scores)


@kernel(arrays=True, error_model="numpy")
def scaled_row(model, n_counted, n_scaled, X, indptr, indices, data, out):
    """Write what a row's coordinates are multiplied by into ``out`` [places], as ``run`` scales it; nothing is learned.

    All but ``out`` are as in ``run``, of one row.
    """
    n_coordinates = len(model.place_of)
    at, gaps, places = np.empty((3, n_coordinates), np.int64)
    values, scaled, raw = np.empty(n_coordinates), np.empty(n_coordinates), np.zeros(n_coordinates)
    found = np.zeros(3, np.int64)
    n_values, n_zeros = read_row(model, X, indptr, indices, data, 0, found, at, values, gaps)
    more = counted_more(model, n_counted, n_coordinates, found)
    if n_zeros + more > SPARSE * (n_values + more):
        n = _scale_sparse(model, found, at, values, places, scaled)
    else:
        n = _scale_dense(model, n_scaled, found, at, values, gaps, False, raw, places, scaled)
    for k in range(n):
        out[places[k]] = scaled[k]
