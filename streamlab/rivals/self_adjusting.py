"""What MLSAMPkNN and MLSAkNN share: rows that vote wrong are dropped, and the memory is as long as it is of use."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from streamlab._checks import counted
from streamlab.learners.base.parameters import kept, like, parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.storage import Storage
from streamlab.rivals.remembered_rows import RememberedRows

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
            colour="#D55E00",
            shape="inverted_triangle",
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
