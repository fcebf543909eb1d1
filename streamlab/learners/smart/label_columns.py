"""Which column of SMART's sums counts which label, where there are too many labels for a column each from the start.

A node's sums are a row of an array, with a column for each label. With up to ``MANY_LABELS`` labels column j counts
label j. With more, labels get their columns as they are first seen, in that order, with some columns in reserve:
``label_of`` (int64 [columns]) says which label a column counts, -1 where it is in reserve.
"""

from __future__ import annotations

import numpy as np

from streamlab.learners.base.state import contradiction

MANY_LABELS = 256
"""Up to this many labels all have a column from the start."""
LEAST_COLUMNS = 64
GROWTH = 1.5
IDENTITY = np.zeros(0, np.int64)
"""What kernels take where column j counts label j."""


def grown(label_of: np.ndarray | None, n_labels: int, before: int = 0) -> np.ndarray | None:
    """Return ``label_of`` for ``n_labels`` labels where there were ``before``; None if all have their own column."""
    if label_of is not None or n_labels <= MANY_LABELS:
        return label_of
    label_of = np.full(max(before, LEAST_COLUMNS), -1)
    label_of[:before] = np.arange(before)
    return label_of


def columns_of(label_of: np.ndarray | None, n_labels: int) -> np.ndarray:
    """Return the column of each label, int64 (n_labels,), -1 where it has none; ``IDENTITY`` if all have their own."""
    if label_of is None:
        return IDENTITY
    column_of = np.full(n_labels, -1)
    columns = np.flatnonzero(label_of >= 0)
    column_of[label_of[columns]] = columns
    return column_of


def extended(label_of: np.ndarray, new: np.ndarray, n_labels: int) -> np.ndarray:
    """Return ``label_of`` with columns for the labels ``new`` (int64, none of which has one), longer if need be."""
    used = int((label_of >= 0).sum())
    wanted = used + len(new)
    length = len(label_of) if wanted <= len(label_of) else min(n_labels, max(wanted, int(len(label_of) * GROWTH)))
    longer = np.full(length, -1)
    longer[:used] = label_of[:used]
    longer[used:wanted] = new
    return longer


def by_label(counts: np.ndarray, label_of: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts' columns in the order of their labels, and these labels.

    Parameters
    ----------
    counts
        float64 (n, columns).
    label_of
        As in the module; None: column j counts label j.
    """
    if label_of is None:
        return counts, np.arange(counts.shape[1])
    columns = np.flatnonzero(label_of >= 0)
    columns = columns[np.argsort(label_of[columns])]
    return counts[:, columns], label_of[columns]


def aligned(sums: np.ndarray, label_of: np.ndarray, column_of: np.ndarray, first: int) -> np.ndarray:
    """Return another learner's sums with its labels in the columns ``column_of``; the first ``first`` columns stay."""
    columns = np.flatnonzero(label_of >= 0)
    places = column_of[label_of[columns]]
    moved = np.zeros((len(sums), first + int(column_of.max(initial=-1)) + 1))
    moved[:, :first] = sums[:, :first]
    moved[:, first + places] = sums[:, first + columns]
    return moved


def restored(label_of: np.ndarray | None, n_labels: int) -> np.ndarray | None:
    """Return the ``label_of`` of a state; one without it was saved with a column for each label.

    Raises
    ------
    ValueError
        Unless the columns in use come first, and each counts a label of its own.
    """
    if label_of is None:
        return np.arange(n_labels) if n_labels > MANY_LABELS else None
    if n_labels <= MANY_LABELS:
        raise contradiction("SMART", f"it has label_of; expected none with {n_labels} labels, up to {MANY_LABELS}")
    used = int((label_of >= 0).sum())
    if (label_of[:used] < 0).any():
        row = int(np.argmin(label_of[:used]))
        raise contradiction("SMART", f"label_of row {row} is -1; expected a label before the columns in reserve")
    values, first = np.unique(label_of[:used], return_index=True)
    if len(values) < used:
        row = int(np.setdiff1d(np.arange(used), first)[0])
        raise contradiction("SMART", f"label_of row {row} is {label_of[row]}; expected each label once")
    return label_of
