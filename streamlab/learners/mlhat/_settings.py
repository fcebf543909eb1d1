"""The parameters as the kernels take them, one record of float64; codes for choices; and the log of events."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._tree import record

__all__ = ["PLACE_SIZES", "SETTINGS", "SIZES", "Packed", "note"]

SIZES = ("node_bytes", "leaf_bytes", "observer_bytes", "pool_bytes", "base_bytes", "kept_bytes")
PLACE_SIZES = tuple(f"place_{name}" for name in SIZES)
"""What each of these takes, and what a place of a compact tree adds to it."""
SETTINGS = record(
    np.float64,
    # of every tree; then MLHAT's own, and those of a hedged one, which are 0 where a learner hands none over
    "grace delta tau points least_share most_share max_depth max_bytes units",
    "alternate_grace switch cardinality entropy rate bootstrap neighbors learning intercept on_drift combine measure",
    "warning_delta drift_delta inherit models",
    "hedged eta fading kept_levels",
    *SIZES,
    *PLACE_SIZES,
)
FIRST_PLACE_SIZE = len(SETTINGS.names or ()) - len(PLACE_SIZES)
FIRST_SIZE = FIRST_PLACE_SIZE - len(SIZES)


class Packed:
    """The record in an array, as kernels take it from Python: numba takes ten times as long over the record itself."""

    def __init__(self) -> None:
        self._plain = np.zeros(len(SETTINGS.names or ()))
        self._records = self._plain.view(SETTINGS)
        self._values: tuple[Any, ...] = ()

    def filled(self, values: tuple[Any, ...], sizes: np.ndarray, place_sizes: np.ndarray) -> np.ndarray:
        """Return the array with the record's first values and its sizes, which kernels may have overwritten."""
        # most often they are those of the last call, and to compare them is quicker than to write them
        if values != self._values:
            self._plain[: len(values)] = self._values = values
        self._plain[FIRST_SIZE:FIRST_PLACE_SIZE], self._plain[FIRST_PLACE_SIZE:] = sizes, place_sizes
        return self._records


# of ``bootstrap``, besides 0 and 1
STRICT = 2.0
# with which classifier a leaf answers
NONE, MAJORITY, NEIGHBOURS, BAGGING, PRUNED_SETS = range(5)
# of ``measure``
HAMMING, SUBSET, MICRO_F1, MACRO_F1 = range(4)
# of events, as ``events`` puts them into words
SPLIT, DEACTIVATED, WARNING, DRIFT, STARTED, PROMOTED, PRUNED, MEMORY = range(8)
# added to the last number of a split: the branch keeps its regressions
KEEPS = 2


@kernel(inner=True)
def note(tree, kind, s, a, b, c, d, e, f):
    """Append an event of node ``s`` to the log, which must have room."""
    row = tree.events[tree.cursor[0].n_events]
    tree.cursor[0].n_events += 1
    row[0], row[1], row[2] = kind, tree.links[s].id, tree.cursor[0].position + 1
    row[3], row[4], row[5], row[6], row[7], row[8] = a, b, c, d, e, f
    row[9] = tree.links[s].background
