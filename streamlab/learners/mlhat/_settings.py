"""The parameters as the kernels take them, one record of float64, and codes for choices."""

from __future__ import annotations

from typing import cast

import numpy as np

__all__ = ["SETTINGS", "SIZES", "settings_of"]

SIZES = ("node_bytes", "leaf_bytes", "observer_bytes", "pool_bytes", "base_bytes", "kept_bytes")
"""What each of these takes; of a compact tree ``place_node_bytes`` and so on say what a place adds to each."""
SETTINGS = np.dtype(
    [
        (name, np.float64)
        for names in (
            "grace delta tau alternate_grace switch cardinality entropy rate bootstrap neighbors learning intercept",
            "on_drift combine measure warning_delta drift_delta points least_share most_share max_depth max_bytes",
            "inherit units models hedged eta fading kept_levels",
            " ".join(SIZES),
            " ".join(f"place_{name}" for name in SIZES),
        )
        for name in names.split()
    ],
    align=True,
)


def settings_of(**values: float) -> np.record:
    """Return the parameters by name as a record; what is not given is 0, and has no part in such a tree."""
    row = tuple(values.get(name, 0.0) for name in SETTINGS.names or ())
    return cast(np.record, np.array([row], SETTINGS).view(np.recarray)[0])


# of ``bootstrap``, besides 0 and 1
STRICT = 2.0
# with which classifier a leaf answers
NONE, MAJORITY, NEIGHBOURS, BAGGING, PRUNED = range(5)
# of ``measure``
HAMMING, SUBSET, MICRO_F1, MACRO_F1 = range(4)
