"""The learner MLSAMPkNN: rows that vote wrong are dropped, and the memory is as long as it is of use."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.state import State
from streamlab.learners.base.storage import Array, Storage
from streamlab.rivals import _mlsampknn as kernels
from streamlab.rivals._mlsampknn import Suffixes
from streamlab.rivals.remembered_rows import SelfAdjusting

__all__ = ["MLSAMPkNN"]

SUFFIXES = Storage(
    Array("errors", ("places",), np.int64),
    Array("distances", ("places", "others")),
    Array("order", ("places",), np.int64, saved=False),
    Array("near_of", ("levels", "places", "neighbours"), np.int64, fill=-1, saved=False),
    Array("oldest", ("levels", "places"), np.int64, saved=False),
    Array("far", ("levels", "places"), saved=False),
    Array("equal", ("levels", "places"), np.int64, saved=False),
    Array("start", ("levels",), np.int64, fill=-1, saved=False),
)
"""``Suffixes``; see there."""


class MLSAMPkNN(SelfAdjusting):
    """Punitive nearest neighbours with self-adjusting memory: wrong votes are paid for, and the memory is cut.

    A label is answered where more than half of the ``n_neighbors`` nearest rows have it. When the truth is known, each
    of these rows gets as many errors as labels that it has otherwise; with more than ``penalty`` errors for each label
    there is, it is dropped. Then the memory's size is chosen: all n rows, the newest n ``reduction`` of these, and so
    on, as long as the last has 2 ``min_window`` rows or more. Of each part it is known how often a row's nearest
    neighbours among the older rows of that part answer it right; the best part is kept, all older rows are dropped.

    Parameters
    ----------
    n_neighbors
        Rows that vote (k).
    window
        Rows with which the oldest is dropped: it remembers one less. Tunable: made smaller, the oldest
        rows are dropped.
    min_window
        Half of the rows under which the memory is not cut.
    penalty
        Errors for each label there is, above which a row is dropped; ``inf``: none is.
    reduction
        How much of a part the next smaller one is.
    measure
        When neighbours are right, for the choice of the size: ``"subset_accuracy"``, with all labels; ``"hamming"``,
        by the share of labels.
    decision
        Which labels are answered: ``"half"`` (default, the rule above), ``"cardinality"``, ``"expected_f1"`` or
        ``"expected_f1_fast"``; see ``Choosing``.

    Notes
    -----
    Distances are Euclidean, each feature divided by its range over all rows learned, and 0. Two categories are at
    distance 1. A missing value is left out: the sum of squares over the features that both rows have is scaled by how
    many these are. Distances between remembered rows stay as they were when the newer one came. Of equal distances the
    older row comes first. With an even number of neighbours a label that half of them have is not answered. Rows are
    learned one after the other, also within a chunk.

    It keeps a matrix of distances, ``window`` by ``window``.

    Sources
    -------
    M. Roseberry, B. Krawczyk, A. Cano: "Multi-label punitive kNN with self-adjusting memory for drifting data
    streams", ACM Transactions on Knowledge Discovery from Data 13(6), 2019, and its program. Departures: errors are
    counted when a row is learned, not when it is answered; when a row is dropped, distances and what is known of the
    others stay with their rows, where the program mixes them up.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = sl.MLSAMPkNN(window=200)
    >>> chunk = next(sl.load("yeast").chunks(300))
    >>> scores, labels = model.test_then_train(chunk.X, chunk.Y)
    >>> model.n_rows < 200, bool(model.nodes()["standing"].max() <= len(model.schema.labels))
    (True, True)
    """

    line: ClassVar[str] = "A memory of rows that cuts itself after wrong votes: see it. Fast."
    papers: ClassVar[tuple[str, ...]] = ("roseberry2019punitive",)
    compile_seconds: ClassVar[float] = 10.5
    groups: ClassVar[tuple[Storage, ...]] = (*SelfAdjusting.groups, SUFFIXES)
    _book_table: ClassVar[Storage] = SUFFIXES
    _kernels: ClassVar[Any] = kernels

    # ------------------------------------------------------------------ arrays

    def _reset(self) -> None:
        self._book = Suffixes(**SUFFIXES.allocate({"places": 0, "others": 0, "levels": 0, "neighbours": 0}))
        super()._reset()

    def _resize(self, places: int, width: int) -> None:
        super()._resize(places, width)
        self._resize_book()

    def _forget_levels(self) -> None:
        # what follows from the distances is found again
        kept = {name: getattr(self._book, name) for name in ("errors", "distances", "order")}
        self._book = Suffixes(**SUFFIXES.allocate(self._sizes()) | kept)
        kernels.write_order(self._memory, self._book)

    def _first_settings(self) -> tuple[int, ...]:
        return (int(self.n_neighbors),)

    # ------------------------------------------------------------------ state

    def _get_state(self) -> State:
        n = self.n_rows
        state = super()._get_state() | SUFFIXES.state(self._book._asdict(), self._sizes(), self._used())
        # the distances to younger rows are those of the rows that had their places before
        older = self._memory.born[:n, None] > self._memory.born[None, :n]
        state["distances"] = np.where(older, self._book.distances[:n, :n], 0.0)
        return state

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        sizes, used = self._stored_sizes(state)
        sizes |= {"others": used["places"]}
        self._book = Suffixes(**SUFFIXES.restore(type(self).__name__, state, sizes, used))
        self._forget_levels()
