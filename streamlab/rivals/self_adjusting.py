"""What MLSAMPkNN and MLSAkNN share: rows that vote wrong are dropped, and the memory is as long as it is of use."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from streamlab._checks import counted
from streamlab.learners.base.parameters import kept, like, parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.storage import between
from streamlab.rivals.remembered_rows import RememberedRows

MEASURES = ("subset_accuracy", "hamming")


class SelfAdjusting(RememberedRows):
    """Nearest neighbours that are punished for wrong votes, in a memory that is cut where a shorter one is better.

    A subclass has the kernels, and the rows' errors (``_errors``).
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

    # ------------------------------------------------------------------ learning

    @abstractmethod
    def _run_from(self, start: int, X: np.ndarray, Y: np.ndarray, *arrays: np.ndarray) -> int:
        """Call the kernel from a row on, with arrays for scores, labels and a cut; return how many are done."""

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        cuts = np.zeros(5)
        while True:
            start = int(self._run_from(start, X, Y, scores, labels, cuts))
            if not cuts[0]:
                return start
            self._report_cut(*cuts[1:].tolist())
            if start == len(X):
                return start

    def _try_further(self, X: np.ndarray) -> None:
        self.tune(window=2)

    def _report_cut(self, before: float, after: float, whole: float, kept: float) -> None:
        message = (
            f"memory cut from {before:,.0f} to {counted(int(after), 'row')}: neighbours among the newest {after:,.0f} "
            f"answer {100 * kept:.1f} % of these right, neighbours among all {100 * whole:.1f} %"
        )
        numbers = {"before": int(before), "after": int(after), "whole": whole, "kept": kept}
        self._events.append({"kind": "cut", "message": message, "position": self.now} | numbers)

    # ------------------------------------------------------------------ rows, for people

    @property
    @abstractmethod
    def _errors(self) -> np.ndarray:
        """The errors of each row, int64 (places,)."""

    def _standing(self) -> np.ndarray:
        return self._errors[: self.n_rows].astype(np.float64)

    def standing_words(self) -> dict[str, Any]:
        most = self.penalty * len(self._labels)
        leaves = "never dropped for its errors" if math.isinf(most) else f"dropped with more than {most:g} errors"
        worst = float(max(self._standing().max(initial=1.0), 1.0)) if math.isinf(most) else most
        return {"measure": "errors", "leaves": leaves, "best": 0.0, "worst": worst}
