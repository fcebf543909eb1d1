"""The parameters as the kernels take them, one float64 array: the places of its entries, and codes for choices."""

from __future__ import annotations

# entries of ``settings``
(
    GRACE, DELTA, TAU, ALTERNATE_GRACE, SWITCH, CARDINALITY, ENTROPY, RATE, BOOTSTRAP, NEIGHBORS, LEARNING, INTERCEPT,
    ON_DRIFT, COMBINE, MEASURE, WARNING_DELTA, DRIFT_DELTA, POINTS, LEAST_SHARE, MOST_SHARE, MAX_DEPTH, MAX_BYTES,
    INHERIT, UNITS, NODE_BYTES, LEAF_BYTES, OBSERVER_BYTES, POOL_BYTES, BASE_BYTES, KEPT_BYTES, MODELS,
    HEDGED, ETA, FADING, KEPT_LEVELS, PLACE_BYTES,
) = range(36)  # fmt: skip
N_SIZES = MODELS - NODE_BYTES
"""Entries from ``NODE_BYTES`` on; of a compact tree those from ``PLACE_BYTES`` on say what a place adds to each."""
N_SETTINGS = PLACE_BYTES + N_SIZES

# of BOOTSTRAP, besides 0 and 1
STRICT = 2.0
# with which classifier a leaf answers
NONE, MAJORITY, NEIGHBOURS, BAGGING, PRUNED = range(5)
# of MEASURE
HAMMING, SUBSET, MICRO_F1, MACRO_F1 = range(4)
