"""The parameters as the kernels take them, one record of float64, and codes for choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.learners.mlhat._tree import record

__all__ = ["PLACE_SIZES", "SETTINGS", "SIZES", "Packed"]

SIZES = ("node_bytes", "leaf_bytes", "observer_bytes", "pool_bytes", "base_bytes", "kept_bytes")
PLACE_SIZES = tuple(f"place_{name}" for name in SIZES)
"""What each of these takes, and what a place of a compact tree adds to it."""
SETTINGS = record(
    np.float64,
    "grace delta tau alternate_grace switch cardinality entropy rate bootstrap neighbors learning intercept",
    "on_drift combine measure warning_delta drift_delta points least_share most_share max_depth max_bytes",
    "inherit units models hedged eta fading kept_levels",
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
NONE, MAJORITY, NEIGHBOURS, BAGGING, PRUNED = range(5)
# of ``measure``
HAMMING, SUBSET, MICRO_F1, MACRO_F1 = range(4)
