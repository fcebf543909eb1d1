"""The parameters as the kernels take them, one record of float64; codes for choices; and the log of events."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base.parameters import Parameter
from streamlab.learners.mlhat._tree import record

SIZES = ("node_bytes", "leaf_bytes", "observer_bytes", "pool_bytes", "base_bytes", "kept_bytes")
PLACE_SIZES = tuple(f"place_{name}" for name in SIZES)
"""What each of these takes, and what a place of a compact tree adds to it."""
SETTINGS = record(
    np.float64,
    # parameters under their own names, 0 where a learner has none of that name, and what follows from them
    "grace_period delta tau n_split_points min_branch_fraction max_share_to_split max_depth max_bytes search_units",
    "alternate_grace_period switch_significance cardinality_threshold entropy_threshold poisson_rate bootstrap",
    "n_neighbors learning_rate intercept_learning_rate alternate_on combine_alternates drift_measure",
    "warning_delta drift_delta leaf_start n_models",
    "hedged eta fading kept_levels",
    *SIZES,
    *PLACE_SIZES,
)
FIRST_PLACE_SIZE = len(SETTINGS.names or ()) - len(PLACE_SIZES)
FIRST_SIZE = FIRST_PLACE_SIZE - len(SIZES)


class Record:
    """A record that kernels read, whose fields are filled by name from a learner's parameters.

    Parameters
    ----------
    dtype
        The record's type, all of it float64. A field that is no parameter and is not given is 0.
    parameters
        The learner's.
    """

    def __init__(self, dtype: np.dtype, parameters: Mapping[str, Parameter]) -> None:
        self.values = np.zeros(len(dtype.names or ()))
        self.records = self.values.view(dtype)
        self._parameters = [parameters[name] for name in dtype.names or () if name in parameters]
        self._read = itemgetter(*(each.name for each in self._parameters))
        self._values: Any = None
        self._others: Any = None

    def fill(self, learner: Any, others: Mapping[str, float]) -> None:
        """Write a learner's parameters, and other fields by name."""
        # most often they are those of the last call, and to compare them is quicker than to write them
        values = self._read(vars(learner))
        if values != self._values or others != self._others:
            for each, value in zip(self._parameters, values, strict=True):
                self.records[each.name] = each.number(value)
            for name, value in others.items():
                self.records[name] = value
            self._values, self._others = values, others


class Packed(Record):
    """The record in an array, as kernels take it from Python: numba takes ten times as long over the record itself."""

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        super().__init__(SETTINGS, parameters)

    def filled(self, learner: Any, sizes: np.ndarray, place_sizes: np.ndarray) -> np.ndarray:
        """Return the array with a learner's parameters and its sizes, which kernels may have overwritten."""
        self.fill(learner, learner._further_settings())
        self.values[FIRST_SIZE:FIRST_PLACE_SIZE], self.values[FIRST_PLACE_SIZE:] = sizes, place_sizes
        return self.records


# of ``bootstrap``, besides 0 and 1
STRICT = 2.0
# with which classifier a leaf answers
NONE, MAJORITY, NEIGHBOURS, BAGGING, PRUNED_SETS = range(5)
# of ``drift_measure``
MEASURES = ("hamming", "subset", "micro_f1", "macro_f1")
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
