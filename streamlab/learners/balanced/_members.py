"""Kernels of the window: which rows are among the newest of each class."""

from __future__ import annotations

from streamlab.kernels import kernel

__all__ = ["enter", "listed"]


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
