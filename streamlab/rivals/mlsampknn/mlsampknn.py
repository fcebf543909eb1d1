"""The learner MLSAMPkNN: rows that vote wrong are dropped, and the memory is as long as it is of use."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from streamlab._checks import counted
from streamlab.learners.base.parameters import kept, like, parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import Array, Storage, between
from streamlab.rivals.mlsampknn import _kernels as kernels
from streamlab.rivals.mlsampknn._kernels import Suffixes
from streamlab.rivals.remembered_rows import RememberedRows

__all__ = ["MLSAMPkNN"]

MEASURES = ("subset_accuracy", "hamming")

SUFFIXES = Storage(
    Array("errors", ("places",), np.int64, rules=(between(0),)),
    Array("distances", ("places", "others"), rules=(between(0),)),
    Array("order", ("places",), np.int64, saved=False),
    Array("near_of", ("levels", "places", "neighbours"), np.int64, fill=-1, saved=False),
    Array("oldest", ("levels", "places"), np.int64, saved=False),
    Array("far", ("levels", "places"), saved=False),
    Array("equal", ("levels", "places"), np.int64, saved=False),
    Array("start", ("levels",), np.int64, fill=-1, saved=False),
)
"""``Suffixes``; see there."""


class MLSAMPkNN(RememberedRows):
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

    papers: ClassVar[tuple[str, ...]] = ("roseberry2019punitive",)
    compile_seconds: ClassVar[float] = 13.0
    groups: ClassVar[tuple[Storage, ...]] = (*RememberedRows.groups, SUFFIXES)
    _quick: ClassVar = {"window": 4, "min_window": 1}
    window: int = like(
        default=1000, low=2, limit=10_000, says="remembers fewer than {value} rows",
        help="With this many rows the oldest is dropped, if nothing was dropped before.",
    )  # fmt: skip
    min_window: int = tunable(
        1, 500, default=50, limit=10_000, logarithmic=True, unit="rows", title="Shortest memory",
        help="A memory of fewer than twice this many rows is not cut.",
    )  # fmt: skip
    penalty: float = tunable(
        0.0, 5.0, default=1.0, infinite=True, title="Patience",
        help="Errors for each label there is, above which a row is dropped; infinite never drops one.",
    )  # fmt: skip
    reduction: float = tunable(
        0.1, 0.9, default=0.5, limit=0.9, title="Reduction",
        help="How much of the memory is left after the smallest cut; cuts after each other are tried too.",
    )  # fmt: skip
    measure: str = parameter(default="subset_accuracy", choices=MEASURES)
    _near: np.ndarray = kept("neighbours", dtype=np.int64, fill=-1, rules=(between(-1),))
    events: ClassVar[dict[str, EventKind]] = {
        "cut": EventKind(
            "Memory cut",
            "Nearest neighbours are right more often within the newest part of the memory than within all of it: the "
            "older rows are dropped.",
            numbers={"before": "rows before", "after": "rows kept", "whole": "right, all rows", "kept": "right, kept"},
            colour="#D55E00",
            shape="inverted_triangle",
        ),
    }

    _suffixes: Suffixes = kept()

    def _try_further(self, X: np.ndarray) -> None:
        self.tune(window=2)

    # ------------------------------------------------------------------ arrays

    def _reset(self) -> None:
        self._suffixes = Suffixes(**SUFFIXES.allocate({"places": 0, "others": 0, "levels": 0, "neighbours": 0}))
        super()._reset()

    def _levels(self) -> int:
        """Return how many sizes there may be to choose from."""
        size, n = int(self.window), 1
        while size >= 2 * self.min_window:
            size, n = max(int(size * self.reduction), 1), n + 1
        return n

    def _sizes(self) -> dict[str, int]:
        sizes = super()._sizes()
        return sizes | {"others": sizes["places"], "levels": self._levels()}

    def _resize(self, places: int, width: int) -> None:
        super()._resize(places, width)
        self._suffixes = self._suffixes._replace(**SUFFIXES.resize(self._suffixes._asdict(), self._sizes()))

    def _forget_levels(self) -> None:
        """Forget what follows from the distances; it is found again."""
        kept = {name: getattr(self._suffixes, name) for name in ("errors", "distances", "order")}
        self._suffixes = Suffixes(**SUFFIXES.allocate(self._sizes()) | kept)
        kernels.write_order(self._memory, self._suffixes)

    # ------------------------------------------------------------------ learning

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        cuts = np.zeros(5)
        while True:
            start = kernels.run(
                self._memory, self._suffixes, self._near, X, Y, start, len(Y) > 0, int(self.n_neighbors),
                int(self.window), int(self.min_window), float(self.penalty), float(self.reduction),
                self.measure == "hamming", self._nominal, self._n_categories, scores, labels, cuts,
            )  # fmt: skip
            if not cuts[0]:
                return int(start)
            self._report_cut(*cuts[1:].tolist())
            if start == len(X):
                return start

    def _report_cut(self, before: float, after: float, whole: float, kept: float) -> None:
        message = (
            f"memory cut from {before:,.0f} to {counted(int(after), 'row')}: neighbours among the newest {after:,.0f} "
            f"answer {100 * kept:.1f} % of these right, neighbours among all {100 * whole:.1f} %"
        )
        numbers = {"before": int(before), "after": int(after), "whole": whole, "kept": kept}
        self._events.append({"kind": "cut", "message": message, "position": self.now} | numbers)

    def _set_parameter(self, name: str, value: Any) -> None:
        super()._set_parameter(name, value)
        if name in ("n_neighbors", "window", "min_window", "reduction"):
            self._forget_levels()

    def _tune(self, values) -> None:
        size = int(values.get("window", self.window))
        if self.n_rows >= size:
            kernels.drop_oldest(self._memory, self._suffixes, self.n_rows - size + 1)
        if len(self._memory.X) > size:
            self._resize(size, self._memory.columns.shape[1])
        self._change_near(values.get("n_neighbors", self.n_neighbors))

    # ------------------------------------------------------------------ state

    def _get_state(self) -> State:
        n = self.n_rows
        state = super()._get_state() | SUFFIXES.state(self._suffixes._asdict(), self._sizes(), self._used())
        # the distances to younger rows are those of the rows that had their places before
        older = self._memory.born[:n, None] > self._memory.born[None, :n]
        state["distances"] = np.where(older, self._suffixes.distances[:n, :n], 0.0)
        return state

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        sizes, used = self._stored_sizes(state)
        sizes |= {"others": used["places"]}
        self._suffixes = Suffixes(**SUFFIXES.restore(type(self).__name__, state, sizes, used))
        self._forget_levels()

    # ------------------------------------------------------------------ rows, for people

    def _standing(self) -> np.ndarray:
        return self._suffixes.errors[: self.n_rows].astype(np.float64)

    def standing_words(self) -> dict[str, Any]:
        most = self.penalty * len(self._labels)
        leaves = "never dropped for its errors" if math.isinf(most) else f"dropped with more than {most:g} errors"
        worst = float(max(self._standing().max(initial=1.0), 1.0)) if math.isinf(most) else most
        return {"measure": "errors", "leaves": leaves, "best": 0.0, "worst": worst}
