"""The learner MLSAkNN: each label chooses how many rows vote for it, and which."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.parameters import parameter
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import Array, Storage, between, index_into
from streamlab.rivals import _mlsaknn as kernels
from streamlab.rivals._mlsaknn import MOST, Votes
from streamlab.rivals.remembered_rows import SelfAdjusting

__all__ = ["MLSAkNN"]

VOTES = Storage(
    Array("errors", ("places",), np.int64),
    Array("disabled", ("places", "labels"), np.uint8),
    Array("older", ("places", "others"), np.int32, fill=-1, rules=(index_into("others", none=-1),)),
    Array("equal", ("places", "levels"), np.int64),
    Array("start", ("levels",), np.int64, fill=-1),
    Array("until", ("levels",), np.int64, fill=-1),
    Array("k", ("labels",), np.int64, fill=3, rules=(between(1, MOST),)),
    Array("outcomes", ("history", "labels"), np.uint8),
    Array("order", ("places",), np.int64, saved=False),
    Array("slots", ("places",), np.int64, saved=False),
    Array("place_of", ("places",), np.int64, fill=-1, saved=False),
    Array("sums", ("labels", 4), np.int64, saved=False),
)
"""``Votes``; see there."""


class MLSAkNN(SelfAdjusting):
    """Self-adjusting nearest neighbours: each label has its own number of votes, and rows that may vote for it.

    For each label the nearest rows that may vote for it do, 1, 3, 5 or 7 of them (k of the label, 3 at first); it is
    answered where half of them or more have it. When the truth is known, a row that voted wrong may not vote for that
    label any more and gets an error; one that was passed on the way, and would have been right, may vote again. The
    label's k becomes the number of votes that was right most often in the last ``history`` rows. With more than
    ``penalty`` errors for each label there is, a row is dropped; then the memory is cut as MLSAMPkNN's.

    Parameters
    ----------
    window
        Rows with which the oldest is dropped, 2 to 10,000: it remembers one less. Tunable: made smaller, the oldest
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
    history
        Rows by which a label chooses how many vote.
    decision
        Which labels are answered: ``"half"`` (default, the rule above), ``"cardinality"``, ``"expected_f1"`` or
        ``"expected_f1_fast"``; see ``Choosing``.

    Notes
    -----
    Distances are as MLSAMPkNN's. Of equal distances the newer row votes first; in the choice of the size the older one.
    Where fewer rows than k may vote, these do; without any the label is absent. A number of votes that is not reached
    counts as an answer that the label is absent, when k is chosen. For the choice of the size a row is asked about when
    it comes, and once more whenever the part it is in has moved on. Rows are learned one after the other, also within
    a chunk.

    For each row it keeps the list of all that were older, ``window`` by ``window``.

    Sources
    -------
    M. Roseberry, B. Krawczyk, Y. Djenouri, A. Cano: "Self-adjusting k nearest neighbors for continual learning from
    multi-label drifting data streams", Neurocomputing 442, 2021, and its program. Departures: votes are judged when a
    row is learned, not when it is answered; a label for which fewer than k rows may vote is answered by these, where
    the program leaves it open; when a row is dropped, all that is known of others stays with them, where the program
    mixes it up, and two rows may then share who may vote.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = sl.MLSAkNN(window=200)
    >>> chunk = next(sl.load("yeast").chunks(300))
    >>> scores, labels = model.test_then_train(chunk.X, chunk.Y)
    >>> model.n_rows < 200, sorted(set(model.votes().values())) <= [1, 3, 5, 7]
    (True, True)
    """

    line: ClassVar[str] = "Each label has its own number of neighbours, and rows that may vote for it. Slow."
    papers: ClassVar[tuple[str, ...]] = ("roseberry2021selfadjusting",)
    compile_seconds: ClassVar[float] = 11.0
    groups: ClassVar[tuple[Storage, ...]] = (*SelfAdjusting.groups, VOTES)
    n_neighbors: int = parameter(default=MOST, init=False)
    history: int = parameter(1, 10_000, default=100)
    _book_table: ClassVar[Storage] = VOTES
    _kernels: ClassVar[Any] = kernels

    # ------------------------------------------------------------------ arrays

    def _reset(self) -> None:
        self._book = Votes(**VOTES.allocate({"history": self.history, "levels": self._levels()}))
        super()._reset()

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"history": int(self.history)}

    def _resize(self, places: int, width: int) -> None:
        if len(self._book.slots) >= self.n_rows:
            # lists know rows by their places, before some of these go
            kernels.renumber(self._memory, self._book)
        super()._resize(places, width)
        self._resize_book()
        kernels.renumber(self._memory, self._book)

    def _forget_levels(self) -> None:
        self._resize_book()
        self._book.start[:] = -1

    # ------------------------------------------------------------------ state

    def _get_state(self) -> State:
        state = super()._get_state()
        n, sizes = self.n_rows, self._sizes()
        lasting = self._book._replace(
            older=self._book.older.copy(), slots=self._book.slots.copy(), place_of=self._book.place_of.copy()
        )
        kernels.renumber(self._memory, lasting)
        state |= VOTES.state(lasting._asdict(), sizes, self._used())
        return state | {"older": lasting.older[:n, :n].copy()}

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        owner, (sizes, used) = type(self).__name__, self._stored_sizes(state)
        n = used["places"]
        votes = Votes(**VOTES.restore(owner, state, sizes | {"others": n}, used))
        votes.place_of[:n] = np.arange(n)
        self._book = votes
        self._resize(len(self._memory.X), self._memory.columns.shape[1])

    # ------------------------------------------------------------------ rows, for people

    def votes(self) -> dict[str, int]:
        """Return how many rows vote for each label now: 1, 3, 5 or 7, by the label's name."""
        return dict(zip(self._label_names, self._book.k.tolist(), strict=True))
