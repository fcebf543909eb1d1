"""Kernels of ARkNN's rows by their columns, in float32: what cosines with all rows, about, are computed from.

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
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals._remembered import DENSE, HELD

LANES = 16
"""Places whose float32 are a line of the cache."""
UNIT = 2.0**-24
"""A float32 is so exact, as a share of itself."""
SMALLEST = 1e-20
"""Squared lengths below this are not held as exactly by float32."""
# columns are written again after so many changes, or when one has to be multiplied by less: no row has become shorter
# than by this ratio then, so that its square, to which each change adds a rounding of 2**-51 or less, is exact to UNIT
MOST_CHANGES = 4096
LEAST_RATIO = 0.125

about = kernel(fastmath={"reassoc", "contract", "nsz"}, inner=True, apart=True)
"""Sums in any order, of arrays that share no memory."""


class Columns(NamedTuple):
    """The rows by their columns; see the module."""

    values: np.ndarray
    scale: np.ndarray
    ratio: np.ndarray
    squares: np.ndarray
    inverse: np.ndarray
    changes: np.ndarray


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
