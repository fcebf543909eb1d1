"""Values that a learner keeps: in copies, in bytes, and after they came from another process."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.bundle import owned
from streamlab.learners.base.rows import SparseRows


def own_arrays(value: Any) -> Any:
    """Return a value whose arrays can be written to, those in its dictionaries, lists and tuples too.

    A learner could not learn into arrays that are read-only, and kernels would be compiled again for them. Arrays that
    can be written to are not copied.
    """
    if isinstance(value, np.ndarray):
        return owned(value)
    if isinstance(value, SparseRows):
        indptr, indices, data = map(own_arrays, value.arrays)
        return SparseRows(indptr, indices, data, value.n_features)
    if type(value) is dict:
        return {name: own_arrays(part) for name, part in value.items()}
    if type(value) is list:
        return [own_arrays(part) for part in value]
    if isinstance(value, tuple):
        parts = [own_arrays(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value
