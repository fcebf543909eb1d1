"""Kernels of ARkNN's rows by their columns, in float32: cosines with all rows, about, of the rows that ask next.

``Columns`` follows from the memory, and is kept because it is asked for often. ``lanes`` are the places and a few more,
``columns`` the features and one to four more.

``values``    float32 [columns, lanes]: (X - low) times the column's scale, what is missing as 0; of features with
              more than two categories the category; after the features zeros.
``scale``, ``ratio``  float64 [columns]: what a column is scaled by, 0 as long as all values are 0; and what it is
              to be multiplied by, as its range has grown since.
``squares``   float64 [lanes]: the squared length of a row.
``inverse``   float32 [lanes]: 1 / length of a row; 0 where it has a missing value or hardly a length, and is always
              asked exactly.
``changes``   int64 [1]: how often ranges have grown since all columns were written.

Of the rows that ask next it is written at once how alike they are to all rows, about. ``Ahead`` holds what is known of
these rows, ``GROUP`` at most. They are answered together as far as they can be: columns are read from the cache once
for all of them. What follows from a row that is learned in between, and from ranges that it widens, is written to the
others; they are asked again when ranges have grown too much. Sparse rows hardly share columns, and are asked one by
one.

``rows``      float64 [GROUP, padded]: the rows as they are scaled, what is missing as 0, then zeros.
``squares``   float64 [GROUP]: their squared lengths.
``weights``   float32 [GROUP, columns]: the rows of length 1; where they are sparse, only in the columns found.
``lengths``   float64 [GROUP]: what they were divided by, categories included; 0 if that cannot be done.
``sums``      float32 [GROUP, lanes]: their products with the rows; once a row is asked, its cosines.
``kept``      float64 [1]: how much of a row's length is left at least, as ranges have grown since they were asked.
``largest``, ``remembered``  float32 [BLOCKS + 1] and float64 [padded]: overwritten.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals._remembered import DENSE, HELD, PADDING, find_values, scale_row

LANES = 16
"""Places whose float32 are a line of the cache."""
ROUNDOFF = 2.0**-24
"""A float32 is so exact, as a share of itself."""
SMALLEST = 1e-20
"""Squared lengths below this are not held as exactly by float32."""
# columns are written again after so many changes, or when one has to be multiplied by less: no row has become shorter
# than by this ratio then, so that its square, to which each change adds a rounding of 2**-51 or less, is exact to
# ROUNDOFF
MOST_CHANGES = 4096
LEAST_RATIO = 0.125

about = kernel(fastmath={"reassoc", "contract", "nsz"}, inner=True, apart=True)
"""Sums in any order, of arrays that share no memory."""


Columns = namedtuple("Columns", "values scale ratio squares inverse changes")
"""The rows by their columns; see the module."""


@kernel(inner=True, apart=True, error_model="numpy")
def _invert(squares, gaps, n, inverse):
    """Write the inverse lengths of ``n`` rows."""
    # without a branch: several at once
    for i in range(n):
        sure = (squares[i] >= SMALLEST) & (gaps[i] == 0)
        inverse[i] = np.float32(sure) / math.sqrt(np.float32(squares[i] if sure else 1.0))


@about
def write_column(columns, memory, nominal, i):
    """Write what follows from the row at place ``i``; where rows are sparse, only what is not 0."""
    X, low, values, scale = memory.X, memory.low, columns.values, columns.scale
    square = 0.0
    if memory.cursor[DENSE]:
        for j in range(X.shape[1]):
            v = (X[i, j] - low[j]) * scale[j]
            values[j, i] = 0.0 if np.isnan(v) else v
        for j in range(X.shape[1]):
            v = (X[i, j] - low[j]) * memory.scale[j]
            square += 0.0 if np.isnan(v) else v * v
    else:
        for p in range(memory.lengths[i]):
            j = memory.columns[i, p]
            values[j, i] = X[i, j] * scale[j]
            v = X[i, j] * memory.scale[j]
            square += v * v
    for f in range(nominal.shape[0]):
        v = X[i, nominal[f]]
        values[nominal[f], i] = 0.0 if np.isnan(v) else v
        square += v != 0.0
    columns.squares[i] = square
    _invert(columns.squares[i:], memory.gaps[i:], 1, columns.inverse[i:])


@kernel
def write_columns(columns, memory, nominal):
    """Write what follows from all rows."""
    for j in range(memory.scale.shape[0]):
        columns.scale[j] = memory.scale[j]
        columns.ratio[j] = 1.0
    for i in range(memory.cursor[HELD]):
        write_column(columns, memory, nominal, i)
    columns.changes[0] = 0


@kernel(inner=True)
def widen_column(columns, memory, j, lower):
    """Write what follows from the range of feature ``j``, which has grown, at its ``lower`` end or not."""
    column, squares, low, scale = columns.values[j], columns.squares, memory.low[j], columns.scale[j]
    old, new = columns.ratio[j], memory.scale[j] / scale
    columns.ratio[j] = new
    columns.changes[0] += 1
    if lower:
        for i in range(memory.cursor[HELD]):
            v, before = (memory.X[i, j] - low) * scale, column[i] * old
            column[i] = 0.0 if np.isnan(v) else v
            after = column[i] * new
            squares[i] += after * after - before * before
    else:
        by = new * new - old * old
        for i in range(memory.cursor[HELD]):
            squares[i] += by * (np.float64(column[i]) * column[i])


@kernel(inner=True)
def end_widening(columns, memory, nominal, least):
    """Write what follows from columns that were widened, the ``least`` of whose ratios is given."""
    if columns.changes[0] > MOST_CHANGES or least < LEAST_RATIO:
        write_columns(columns, memory, nominal)
    else:
        _invert(columns.squares, memory.gaps, memory.cursor[HELD], columns.inverse)


GROUP = 8
BLOCKS = 64
"""Of each the largest cosine is looked at first; block b is every 64th place from b on: all are read abreast."""
# rows that ask are asked again when less may be left of a row's length; each growth counts as one by a sixteenth
LEAST_KEPT, GROWTH = 0.5, 15 / 16


Ahead = namedtuple("Ahead", "rows squares weights lengths sums kept largest remembered")
"""The next rows that ask; see the module."""


@kernel(arrays=True)
def make_ahead(memory, columns):
    """Return room for the next rows."""
    n_features, (n_columns, lanes) = memory.X.shape[1], columns.values.shape
    padded = (n_features + PADDING - 1) // PADDING * PADDING
    return Ahead(
        np.zeros((GROUP, padded)), np.zeros(GROUP), np.zeros((GROUP, n_columns), np.float32),
        np.zeros(GROUP), np.zeros((GROUP, lanes), np.float32), np.zeros(1), np.zeros(BLOCKS + 1, np.float32),
        np.zeros(padded),
    )  # fmt: skip


@kernel(inner=True, apart=True)
def _sum_squares(rows, squares):
    """Write the squared lengths of all rows, of four side by side."""
    for s in range(0, GROUP, 4):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for j in range(rows.shape[1]):
            a += rows[s, j] * rows[s, j]
            b += rows[s + 1, j] * rows[s + 1, j]
            c += rows[s + 2, j] * rows[s + 2, j]
            d += rows[s + 3, j] * rows[s + 3, j]
        squares[s], squares[s + 1], squares[s + 2], squares[s + 3] = a, b, c, d


@about
def _add_products(weights, values, ratio, n_rows, n, sums):
    """Add the products of ``n_rows`` rows, or up to three more, and ``n`` lines of places: four by four columns."""
    for j in range(0, values.shape[0], 4):
        r0, r1 = np.float32(ratio[j]), np.float32(ratio[j + 1])
        r2, r3 = np.float32(ratio[j + 2]), np.float32(ratio[j + 3])
        for s in range(0, n_rows, 4):
            a0, a1, a2, a3 = weights[s, j] * r0, weights[s, j + 1] * r1, weights[s, j + 2] * r2, weights[s, j + 3] * r3
            b0, b1 = weights[s + 1, j] * r0, weights[s + 1, j + 1] * r1
            b2, b3 = weights[s + 1, j + 2] * r2, weights[s + 1, j + 3] * r3
            c0, c1 = weights[s + 2, j] * r0, weights[s + 2, j + 1] * r1
            c2, c3 = weights[s + 2, j + 2] * r2, weights[s + 2, j + 3] * r3
            d0, d1 = weights[s + 3, j] * r0, weights[s + 3, j + 1] * r1
            d2, d3 = weights[s + 3, j + 2] * r2, weights[s + 3, j + 3] * r3
            for i in range(n * LANES):
                x0, x1, x2, x3 = values[j, i], values[j + 1, i], values[j + 2, i], values[j + 3, i]
                sums[s, i] += (a0 * x0 + a1 * x1) + (a2 * x2 + a3 * x3)
                sums[s + 1, i] += (b0 * x0 + b1 * x1) + (b2 * x2 + b3 * x3)
                sums[s + 2, i] += (c0 * x0 + c1 * x1) + (c2 * x2 + c3 * x3)
                sums[s + 3, i] += (d0 * x0 + d1 * x1) + (d2 * x2 + d3 * x3)


@about
def _add_sparse_products(weights, used, n_used, values, ratio, n, sums):
    """Add the products of one row and ``n`` lines of places: eight columns at once."""
    for t in range(0, n_used, 8):
        c0, c1, c2, c3 = used[t], used[t + 1], used[t + 2], used[t + 3]
        c4, c5, c6, c7 = used[t + 4], used[t + 5], used[t + 6], used[t + 7]
        w0, w1 = np.float32(weights[c0] * ratio[c0]), np.float32(weights[c1] * ratio[c1])
        w2, w3 = np.float32(weights[c2] * ratio[c2]), np.float32(weights[c3] * ratio[c3])
        w4, w5 = np.float32(weights[c4] * ratio[c4]), np.float32(weights[c5] * ratio[c5])
        w6, w7 = np.float32(weights[c6] * ratio[c6]), np.float32(weights[c7] * ratio[c7])
        for i in range(n * LANES):
            one = (w0 * values[c0, i] + w1 * values[c1, i]) + (w2 * values[c2, i] + w3 * values[c3, i])
            other = (w4 * values[c4, i] + w5 * values[c5, i]) + (w6 * values[c6, i] + w7 * values[c7, i])
            sums[i] += one + other


@kernel(inner=True)
def _write_rows(memory, nominal, X, start, stop, ahead):
    """Write what ``ahead`` knows of the rows ``X[start:stop]`` by themselves; of a sparse one return the values."""
    rows, squares, found, weights, lengths = ahead.rows, ahead.squares, memory.found, ahead.weights, ahead.lengths
    n_rows, n_features, n_values = stop - start, X.shape[1], find_values(memory, X[start])
    if memory.cursor[DENSE]:
        for s in range(n_rows):
            scale_row(memory, X[start + s], rows[s])
        _sum_squares(rows, squares)
    else:
        rows[0], squares[0] = 0.0, 0.0
        for t in range(n_values):
            v = X[start, found[t]] * memory.scale[found[t]]
            rows[0, found[t]] = v
            squares[0] += v * v
        found[n_values : n_values + 7] = n_features
    for s in range(n_rows):
        length = squares[s]
        for f in range(nominal.shape[0]):
            length += X[start + s, nominal[f]] != 0.0
        lengths[s] = math.sqrt(length) if SMALLEST < length < math.inf else 0.0
        over = 1.0 / lengths[s] if lengths[s] > 0.0 else 0.0
        if memory.cursor[DENSE]:
            for j in range(n_features):
                weights[s, j] = rows[s, j] * over if over > 0.0 else 0.0
        else:
            for t in range(n_values):
                weights[s, found[t]] = rows[s, found[t]] * over if over > 0.0 else 0.0
    ahead.kept[0] = 1.0
    return n_values


@kernel(inner=True)
def look_ahead(columns, memory, nominal, X, start, stop, ahead):
    """Write how alike the rows ``X[start:stop]`` and all places are into ``ahead``.

    Return how many values of a sparse row were found.
    """
    values, sums, lengths, held = columns.values, ahead.sums, ahead.lengths, memory.cursor[HELD]
    n_rows, n_values = stop - start, _write_rows(memory, nominal, X, start, stop, ahead)
    sums[: (n_rows + 3) // 4 * 4] = 0.0
    lines = (held + LANES - 1) // LANES
    if memory.cursor[DENSE]:
        _add_products(ahead.weights, values, columns.ratio, n_rows, lines, sums)
    else:
        _add_sparse_products(ahead.weights[0], memory.found, n_values, values, columns.ratio, lines, sums[0])
    for f in range(nominal.shape[0]):
        j = nominal[f]
        for s in range(n_rows):
            if X[start + s, j] != 0.0 and lengths[s] > 0.0:
                category, one = np.float32(X[start + s, j]), np.float32(1.0 / lengths[s])
                for i in range(held):
                    sums[s, i] += one if values[j, i] == category else np.float32(0.0)
    return n_values


@about
def answer_ahead(ahead, X, nominal, start, row, stop, i):
    """Write how alike the rows after ``row`` are to it, which has been put at place ``i``."""
    s = row - start
    for later in range(s + 1, stop - start):
        total = np.float32(0.0)
        for j in range(ahead.weights.shape[1]):
            total += ahead.weights[s, j] * ahead.weights[later, j]
        ahead.sums[later, i] = total * ahead.lengths[s]
        for f in range(nominal.shape[0]):
            j = nominal[f]
            if X[row, j] == X[start + later, j] and X[row, j] != 0.0 and ahead.lengths[later] > 0.0:
                ahead.sums[later, i] += 1.0 / ahead.lengths[later]


@kernel(inner=True, apart=True)
def _add_column(weights, j, first, last, by, column, n, sums):
    """Add the products of the rows from ``first`` to ``last`` and a column of ``n`` places, times ``by``."""
    for s in range(first, last):
        weight = np.float32(weights[s, j] * by)
        for i in range(n):
            sums[s, i] += weight * column[i]


@kernel(inner=True)
def _widen_rows(memory, X, start, first, last, j, ahead):
    """Write what follows from the range of feature ``j`` for the rows from ``first`` to ``last`` by themselves."""
    for s in range(first, last):
        v, length = (X[start + s, j] - memory.low[j]) * memory.scale[j], ahead.lengths[s]
        ahead.rows[s, j] = 0.0 if np.isnan(v) else v
        if length == 0.0 or abs(ahead.rows[s, j]) > length:
            ahead.kept[0] = 0.0
        else:
            ahead.weights[s, j] = ahead.rows[s, j] / length


@kernel(inner=True)
def widen_ahead(columns, memory, nominal, wider, n_wider, ahead, X, start, row, stop):
    """Write what follows from ``row``, which has widened the ranges of ``wider[:n_wider]``, into ``columns`` too.

    Return whether what is known of the rows after it, up to ``stop``, still holds.
    """
    sums, weights, held = ahead.sums, ahead.weights, memory.cursor[HELD]
    first, last = row + 1 - start, stop - start
    least, changed = 1.0, False
    for t in range(n_wider):
        j = wider[t]
        column, old, lower = columns.values[j], columns.ratio[j], memory.low[j] == X[row, j]
        # where there was no range all values are 0, and are that still unless 0 is not the lowest now
        several = columns.scale[j] > 0.0 or lower
        if columns.scale[j] == 0.0:
            columns.scale[j] = memory.scale[j]
        if several:
            _add_column(weights, j, first, last, -old, column, held, sums)
            widen_column(columns, memory, j, lower)
        new = columns.ratio[j]
        if first < last:
            # the row itself, too: it is about to be one that the others ask
            _widen_rows(memory, X, start, first - 1, last, j, ahead)
            ahead.kept[0] *= min(new / old, GROWTH)
        if several:
            _add_column(weights, j, first, last, new, column, held, sums)
        least, changed = min(least, new), changed | several
    if changed:
        end_widening(columns, memory, nominal, least)
    if first == last or ahead.kept[0] < LEAST_KEPT:
        return False
    _sum_squares(ahead.rows, ahead.squares)
    return True


@kernel(inner=True)
def move_column(columns, memory, ahead, i, last):
    """Write at place ``i`` what is written at ``last``, as the memory is about to; a free place is zeros if sparse."""
    values = columns.values
    if memory.cursor[DENSE]:
        for j in range(values.shape[0]):
            values[j, i] = values[j, last]
    else:
        for p in range(memory.lengths[i]):
            values[memory.columns[i, p], i] = 0.0
        for p in range(memory.lengths[last] if i < last else 0):
            j = memory.columns[last, p]
            values[j, i] = values[j, last]
            values[j, last] = 0.0
    columns.squares[i] = columns.squares[last]
    columns.inverse[i] = columns.inverse[last]
    for s in range(GROUP):
        ahead.sums[s, i] = ahead.sums[s, last]
