"""The parameters as the kernels take them, one record of float64, and codes for choices."""

from __future__ import annotations

import numpy as np

from streamlab.learners.mlhat._tree import record

__all__ = ["PLACE_SIZES", "SETTINGS", "SIZES"]

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

# of ``bootstrap``, besides 0 and 1
STRICT = 2.0
# with which classifier a leaf answers
NONE, MAJORITY, NEIGHBOURS, BAGGING, PRUNED = range(5)
# of ``measure``
HAMMING, SUBSET, MICRO_F1, MACRO_F1 = range(4)
