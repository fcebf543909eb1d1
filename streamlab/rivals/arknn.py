"""The learner ARkNN: rows age, and are young again where they vote right."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.parameters import kept, tunable
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import between
from streamlab.rivals import _arknn as kernels
from streamlab.rivals._arknn_columns import LANES, Columns, make_ahead, write_columns
from streamlab.rivals.remembered_rows import RememberedRows

__all__ = ["ARkNN"]

FEW = 512
MEASURES = ("subset_accuracy", "hamming")


class ARkNN(RememberedRows):
    """Ageing and rejuvenating nearest neighbours: each remembered row has a fitness, which fades and is earned.

    The ``n_neighbors`` rows with the largest cosine vote for their labels, each with its fitness times 1 + cosine; a
    label is answered where the votes for it exceed those against. When the truth is known, each of these rows gains
    what its labels were worth (1 if all are right, else 0) less what the learner's own recent answers were worth, a
    faded mean. All fitness lies between 0 and 1 and fades with each row; a new row has 1. Rows under ``min_fitness``
    are dropped; beyond ``window`` rows the least fit one is.

    Parameters
    ----------
    n_neighbors
        Rows that vote (k).
    window
        Rows remembered at most. Tunable: made smaller, the least fit rows are dropped.
    min_fitness
        Fitness under which a row is dropped.
    fading
        What all fitness, and the mean of the own answers, is multiplied by with each row.
    measure
        What labels are worth: ``"subset_accuracy"``, 1 if all are right, else 0; ``"hamming"``, the share of labels
        that are right.
    decision
        Which labels are answered: ``"half"`` (default, the rule above), ``"cardinality"``, ``"expected_f1"`` or
        ``"expected_f1_fast"``; see ``Choosing``.

    Notes
    -----
    Cosines are of features scaled by their ranges over all rows learned, and 0: (x - low) / (high - low). A feature of
    two categories counts as the number 0 or 1, one of more as an indicator for each category but the first. A missing
    value is left out: product and lengths are those over the features that both rows have. The cosine with a row of
    zeros is 0. Of equal cosines the older row comes first. Rows are learned one after the other, also within a chunk.

    A score is the share of the votes that are for the label.

    Sources
    -------
    M. Roseberry, S. Džeroski, A. Bifet, A. Cano: "Aging and rejuvenating strategies for fading windows in multi-label
    classification on data streams", SAC 2023, and its program. Departures: fitness changes when a row is learned, not
    when it is answered; the cosine with a row of zeros, which is 0 / 0 there, is 0.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = sl.ARkNN(window=100)
    >>> chunk = next(sl.load("yeast").chunks(300))
    >>> scores, labels = model.test_then_train(chunk.X, chunk.Y)
    >>> model.n_rows, bool(model.nodes()["standing"].between(0, 1).all())
    (100, True)
    """

    line: ClassVar[str] = "Remembered rows that age and are made young: see the memory. Fast."
    plain_words: ClassVar[tuple[str, str]] = ("ageing rows", "similar rows vote, and age")
    papers: ClassVar[tuple[str, ...]] = ("roseberry2023aging",)
    compile_seconds: ClassVar[float] = 9.0
    _quick: ClassVar = {"window": 2}
    keeps_scaled: ClassVar[bool] = False
    min_fitness: float = tunable(
        0.0, 1.0, default=0.001, limit=1.0, title="Least fitness",
        help="A row whose fitness falls below this is dropped.",
    )  # fmt: skip
    fading: float = tunable(
        0.5, 1.0, default=0.995, limit=1.0, title="Fading",
        help="Factor for all fitness with each row: smaller ages faster; 1 never ages.",
    )  # fmt: skip
    measure: str = tunable(
        default="subset_accuracy", choices=MEASURES, title="Worth of a vote",
        help="1 if all labels are right and else 0, or the share of the labels that are right.",
    )  # fmt: skip
    _fitness: np.ndarray = kept("places", finite=True)
    # fitness is divided by the unit
    _sums: np.ndarray = kept(kernels.N_SUMS, rules=(between(1, columns=kernels.UNIT),), finite=True)
    _column_values: np.ndarray = kept("columns", "lanes", dtype=np.float32, saved=False)
    _column_scale: np.ndarray = kept("columns", saved=False)
    _column_ratio: np.ndarray = kept("columns", saved=False)
    _squares: np.ndarray = kept("lanes", saved=False)
    _inverse: np.ndarray = kept("lanes", dtype=np.float32, saved=False)
    _changes: np.ndarray = kept(1, dtype=np.int64, saved=False)

    def _try_further(self, X: np.ndarray) -> None:
        self.tune(window=1, fading=0.9)

    def _reset(self) -> None:
        super()._reset()
        self._sums[kernels.UNIT] = 1.0

    def _sizes(self) -> dict[str, int]:
        # wide from the start: columns that become longer are all copied
        places = max(len(self._memory.X), min(int(self.window), FEW))
        # an odd number of lines of the cache: by a power of two, all columns would share the same few
        lanes = (-(-places // LANES) | 1) * LANES
        # four by four, the last at least of zeros
        return super()._sizes() | {"lanes": lanes, "columns": len(self._features) // 4 * 4 + 4}

    @property
    def _columns(self) -> Columns:
        return Columns(
            self._column_values, self._column_scale, self._column_ratio, self._squares, self._inverse, self._changes
        )

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        write_columns(self._columns, self._memory, self._nominal)

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        return int(
            kernels.run(
                self._memory, self._columns, self._fitness, self._sums, self._near, X, Y, start, len(Y) > 0,
                int(self.n_neighbors), int(self.window), float(self.min_fitness), float(self.fading),
                self.measure == "hamming", self._nominal, self._n_categories, scores, labels,
            )
        )  # fmt: skip

    def _tune(self, values) -> None:
        if values.get("window", self.window) < self.window:
            columns = self._columns
            kernels.drop_least_fit(
                self._memory, columns, make_ahead(self._memory, columns), self._fitness, values["window"], 0.0
            )
            self._resize(min(len(self._memory.X), values["window"]), self._memory.columns.shape[1])
        self._change_near(values.get("n_neighbors", self.n_neighbors))

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        write_columns(self._columns, self._memory, self._nominal)

    def _standing(self) -> np.ndarray:
        return self._fitness[: self.n_rows] / self._sums[kernels.UNIT]

    def standing_words(self) -> dict[str, Any]:
        leaves = f"dropped below {self.min_fitness:g}, or as the least fit of {self.window:,}"
        return {"measure": "fitness", "leaves": leaves, "best": 1.0, "worst": 0.0}
