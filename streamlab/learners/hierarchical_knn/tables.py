"""What the learners over windows keep: the store and the classes' windows, the last query, records and detectors."""

from __future__ import annotations

import math

import numpy as np

from streamlab.detectors._adwin import LEVELS
from streamlab.learners.base.storage import Array, Storage, between, index_into
from streamlab.learners.hierarchical_knn._windows import N_CURSOR

__all__ = ["MAX_BUCKETS", "RECORDS", "SIGHT", "WINDOWS"]

MAX_BUCKETS = 5

# a place is a row of the store; ``slots`` and ``starts`` count places in use and ring entries, at least 1
WINDOWS = Storage(
    Array("X", ("places", "padded")),
    Array("gaps", ("places",), np.uint8, rules=(between(0, 1),)),
    Array("refs", ("places",), np.int64, rules=(between(0, "labels"),)),
    Array("rings", ("labels", "ring"), np.int64, rules=(index_into("slots"),)),
    Array("head", ("labels",), np.int64, rules=(index_into("starts"),)),
    Array("held", ("labels",), np.int64, rules=(between(0, "ring"),)),
    Array("seen", ("labels",), np.int64, rules=(between(0),)),
    Array("free", ("places",), np.int64, used="free_places", rules=(index_into("places"),)),
    Array("cursor", (N_CURSOR,), np.int64, rules=(between(0),)),
    Array("known", ("places", 3), fill=-1.0, saved=False),
    reserve="room",
)
"""``Windows``; see there."""

SIGHT = Storage(
    Array("distance", ("labels",), fill=math.nan),
    Array("normalised", ("labels",), fill=math.nan),
    Array("flags", ("labels", 4), np.uint8, rules=(between(0, 1),)),
    Array("path", ("labels",), np.int64, fill=-1, rules=(index_into("labels", none=-1),)),
    prefix="sight.",
)
"""``Sight``; see there."""

RECORDS = Storage(
    Array("counts", ("labels", 4), finite=True),
    Array("arrivals", ("labels",), np.int64, rules=(between(0),)),
    Array("totals", ("watched", LEVELS, MAX_BUCKETS + 1)),
    Array("spreads", ("watched", LEVELS, MAX_BUCKETS + 1)),
    # the kernel appends at ``filled``, and merges into the level above
    Array("filled", ("watched", LEVELS), np.int32, rules=(between(0, MAX_BUCKETS), between(0, 0, columns=LEVELS - 1))),
    Array("window", ("watched", 4), finite=True),
    Array("changed", ("watched",), np.uint8, rules=(between(0, 1),)),
    prefix="records.",
)
"""``Records``; see there. ``watched`` classes have detectors: all, or none."""
