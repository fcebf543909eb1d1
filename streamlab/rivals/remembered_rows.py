"""What learners share that remember rows one by one: the memory, its room, its state, what a picture draws of it."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from streamlab._checks import counted
from streamlab.learners.base.decision import Choosing
from streamlab.learners.base.parameters import kept, like, parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.row_learner import RowLearner
from streamlab.learners.base.rows_shown import RowsShown, ShownRows
from streamlab.learners.base.state import State, contradiction, stored_length
from streamlab.learners.base.storage import Array, Storage, between
from streamlab.rivals import _remembered as kernels
from streamlab.rivals._remembered import DENSE, HELD, HISTORY, N_CURSOR, NOW, Memory

GROWTH = 2
# memory that nothing is written to costs nothing: few rows have much of it, too
FIRST_PLACES = 512

# ``places`` are rows of the arrays
MEMORY = Storage(
    Array("X", ("places", "features")),
    Array("Y", ("places", "labels"), np.uint8, rules=(between(0, 1),)),
    Array("born", ("places",), np.int64, rules=(between(0, once=True),)),
    Array("asked", ("places",), np.int64),
    Array("right", ("places",), np.int64),
    Array("low", ("features",), finite=True),
    Array("high", ("features",), finite=True),
    Array("cursor", (N_CURSOR,), np.int64, rules=(between(0), between("places", "places", columns=HELD))),
    Array("sizes", (HISTORY,), np.int64),
)
"""What is saved of ``Memory``; see there."""
FOLLOWS = Storage(
    Array("scale", ("features",), saved=False),
    Array("gaps", ("places",), np.uint8, saved=False),
    Array("scaled", ("scaled_places", "padded"), saved=False),
    Array("columns", ("places", "width"), np.int32, saved=False),
    Array("values", ("value_places", "width"), saved=False),
    Array("lengths", ("places",), np.int32, saved=False),
    Array("found", ("8+features",), np.int64, saved=False),
)
"""What follows from it: new with every change of room, and written again."""


class RememberedRows(RowsShown, Choosing, RowLearner):
    """A learner that remembers rows one by one, each with a number of its own that is never used again.

    A subclass says what a row's standing is, from which it is kept or dropped (``_standing``), and lists its own arrays
    of ``places`` in ``storage``.
    """

    picture: ClassVar[str] = "memory"
    groups: ClassVar[tuple[Storage, ...]] = (*RowLearner.groups, MEMORY, FOLLOWS)
    keeps_scaled: ClassVar[bool] = True
    """Whether rows are kept as they are scaled, too."""

    n_neighbors: int = tunable(
        1, 20, default=3, limit=10_000, title="Neighbours", help="Rows that vote: more smooth the answer.",
    )  # fmt: skip
    window: int = tunable(
        1, 2000, default=500, limit=1_000_000, logarithmic=True, unit="rows", title="Memory",
        help="Rows remembered at most; beyond that the least fit one is dropped.",
        says="remembers at most {value} rows",
    )  # fmt: skip
    _memory: Memory = kept()
    _near: np.ndarray = kept("neighbours", dtype=np.int64, fill=-1)

    # ------------------------------------------------------------------ arrays

    def _reset(self) -> None:
        self._memory = Memory(**MEMORY.allocate({}), **FOLLOWS.allocate({}))
        super()._reset()

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"places": len(self._memory.X), "neighbours": int(self.n_neighbors)}

    @property
    def now(self) -> int:
        """Number of rows learned."""
        return int(self._memory.cursor[NOW])

    @property
    def n_rows(self) -> int:
        """Number of rows remembered."""
        return int(self._memory.cursor[HELD])

    @property
    def _nominal(self) -> np.ndarray:
        """The features of more than two categories; those of two are as good as the numbers 0 and 1."""
        return np.flatnonzero(self._n_categories > 2)

    def _resize(self, places: int, width: int) -> None:
        """Give the arrays this many places, and sparse rows so much room; all that follows is written again."""
        memory, n_features = self._memory, len(self._features)
        is_dense = bool(memory.cursor[DENSE])
        sizes = super()._sizes() | {
            "places": places,
            "width": 0 if is_dense else width,
            "scaled_places": places if self.keeps_scaled and is_dense else 0,
            "value_places": places if self.keeps_scaled and not is_dense else 0,
            "padded": -(-n_features // kernels.PADDING) * kernels.PADDING,
        }
        self._memory = memory._replace(**MEMORY.resize(memory._asdict(), sizes), **FOLLOWS.allocate(sizes))
        self._take(self.storage.resize(self._kept(), self._sizes()))
        kernels.write_all(self._memory)

    def _make_room(self, X: np.ndarray) -> None:
        """Change the arrays so that the first row of ``X`` fits in, and that the others have room for their values."""
        memory = self._memory
        places, width = memory.X.shape[0], memory.columns.shape[1]
        if self.n_rows == places and places < self.window:
            places = min(max(GROWTH * places, FIRST_PLACES), int(self.window))
        if not memory.cursor[DENSE]:
            n_values = kernels.count_values(X[0])
            if n_values < 0 or kernels.is_dense(memory, n_values):
                memory.cursor[DENSE] = 1
            elif n_values > width:
                width = min(max(int(np.count_nonzero(X, axis=1).max()), GROWTH * width), X.shape[1])
        self._resize(places, width)

    def _grown(self, n_features: int, n_labels: int) -> None:
        memory = self._memory
        # a third category ends what two were: a range of 0 to 1
        several = self._nominal[self._nominal < n_features]
        memory.low[several] = memory.high[several] = 0.0
        self._resize(len(memory.X), memory.columns.shape[1])
        new = np.arange(n_features, len(self._features))
        new = new[self._n_categories[new] > 0]
        if len(new) and self.n_rows:
            # of a schema that was not declared, a number that is absent is zero and a category is missing
            self._memory.X[: self.n_rows, new] = math.nan
            kernels.write_all(self._memory)

    def _used(self) -> dict[str, int]:
        return {"places": self.n_rows}

    # ------------------------------------------------------------------ state

    def _get_state(self) -> State:
        return super()._get_state() | MEMORY.state(self._memory._asdict(), self._sizes(), self._used())

    def _stored_sizes(self, state: State) -> tuple[dict[str, int], dict[str, int]]:
        n = stored_length(type(self).__name__, state, "X")
        return self._sizes() | {"places": n}, {"places": n}

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        owner, (sizes, used) = type(self).__name__, self._stored_sizes(state)
        self._memory = memory = Memory(**MEMORY.restore(owner, state, sizes, used), **FOLLOWS.allocate({}))
        if self.n_rows > self.window:
            raise contradiction(owner, f"X has {self.n_rows} rows; expected at most {self.window}")
        self._resize(self.n_rows, int((memory.X != 0.0).sum(axis=1).max(initial=0)))

    # ------------------------------------------------------------------ rows, for people

    @abstractmethod
    def _standing(self) -> np.ndarray:
        """Return what each row is kept or dropped by, float64 (n_rows,), in the order of the places."""

    def _shown(self) -> ShownRows:
        memory = self._memory
        order = np.argsort(memory.born[: self.n_rows])
        return ShownRows(
            memory.born[order], self._standing()[order], memory.asked[order], memory.right[order], memory.Y[order]
        )

    def _sizes_after(self) -> np.ndarray:
        return self._memory.sizes


MEASURES = ("subset_accuracy", "hamming")


class SelfAdjusting(RememberedRows):
    """Nearest neighbours that are punished for wrong votes, in a memory that is cut where a shorter one is better.

    A subclass has the kernels, and says by ``_book`` what is known of each row besides, its ``errors`` first.
    """

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
    _quick: ClassVar = {"window": 4, "min_window": 1}
    _kernels: ClassVar[Any]
    """The module with ``run`` and ``drop_oldest``."""
    _book_table: ClassVar[Storage]
    """The table of ``_book``."""
    _book: Any = kept()
    events: ClassVar[dict[str, EventKind]] = {
        "cut": EventKind(
            "Memory cut",
            "Nearest neighbours are right more often within the newest part of the memory than within all of it: the "
            "older rows are dropped.",
            numbers={"before": "rows before", "after": "rows kept", "whole": "right, all rows", "kept": "right, kept"},
        ),
    }

    # ------------------------------------------------------------------ arrays

    def _levels(self) -> int:
        """Return how many sizes there may be to choose from."""
        size, n = int(self.window), 1
        while size >= 2 * self.min_window:
            size, n = max(int(size * self.reduction), 1), n + 1
        return n

    def _sizes(self) -> dict[str, int]:
        sizes = super()._sizes()
        return sizes | {"others": sizes["places"], "levels": self._levels()}

    def _resize_book(self) -> None:
        self._book = self._book._replace(**self._book_table.resize(self._book._asdict(), self._sizes()))

    # ------------------------------------------------------------------ learning

    def _first_settings(self) -> tuple[int, ...]:
        """Return what the kernel takes before the settings that all share."""
        return ()

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        cuts = np.zeros(5)
        while True:
            done = self._kernels.run(
                self._memory, self._book, self._near, X, Y, start, len(Y) > 0, *self._first_settings(),
                int(self.window), int(self.min_window), float(self.penalty), float(self.reduction),
                self.measure == "hamming", self._nominal, self._n_categories, scores, labels, cuts,
            )  # fmt: skip
            start = int(done)
            if not cuts[0]:
                return start
            self._report_cut(*cuts[1:].tolist())
            if start == len(X):
                return start

    @abstractmethod
    def _forget_levels(self) -> None:
        """Forget what is known of the sizes to choose from: there are others."""

    def _set_parameter(self, name: str, value: Any) -> None:
        super()._set_parameter(name, value)
        if name in ("n_neighbors", "window", "min_window", "reduction"):
            self._forget_levels()

    def _tune(self, values) -> None:
        size = int(values.get("window", self.window))
        if self.n_rows >= size:
            self._kernels.drop_oldest(self._memory, self._book, self.n_rows - size + 1)
        if len(self._memory.X) > size:
            self._resize(size, self._memory.columns.shape[1])
        self._change_near(values.get("n_neighbors", self.n_neighbors))

    def _try_further(self, X: np.ndarray) -> None:
        self.tune(window=2)

    def _report_cut(self, before: float, after: float, whole: float, kept: float) -> None:
        message = (
            f"memory cut from {before:,.0f} to {counted(int(after), 'row')}: neighbours among the newest {after:,.0f} "
            f"answer {100 * kept:.1f} % of these right, neighbours among all {100 * whole:.1f} %"
        )
        self._report("cut", message, before=int(before), after=int(after), whole=whole, kept=kept)

    # ------------------------------------------------------------------ rows, for people

    def _standing(self) -> np.ndarray:
        return self._book.errors[: self.n_rows].astype(np.float64)

    def standing_words(self) -> dict[str, Any]:
        most = self.penalty * len(self._labels)
        leaves = "never dropped for its errors" if math.isinf(most) else f"dropped with more than {most:g} errors"
        worst = float(max(self._standing().max(initial=1.0), 1.0)) if math.isinf(most) else most
        return {"measure": "errors", "leaves": leaves, "best": 0.0, "worst": worst}
