"""The kernels' log of events: rows of numbers that ``events`` puts into words."""

from __future__ import annotations

from streamlab.kernels import kernel
from streamlab.learners.mlhat._tree import INSIDE

__all__ = ["note"]

SPLIT, DEACTIVATED, WARNING, DRIFT, STARTED, PROMOTED, PRUNED, MEMORY = range(8)
# added to the last number of a split: the branch keeps its regressions
KEEPS = 2


@kernel(**INSIDE)
def note(tree, kind, s, a, b, c, d, e, f):
    """Append an event of node ``s`` to the log, which must have room."""
    row = tree.events[tree.cursor[0].n_events]
    tree.cursor[0].n_events += 1
    row[0], row[1], row[2] = kind, tree.links[s].id, tree.cursor[0].position + 1
    row[3], row[4], row[5], row[6], row[7], row[8] = a, b, c, d, e, f
    row[9] = tree.links[s].background
