"""The learner OnlineLogistic: a logistic regression for each label, with a step size of its own for each weight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.parameters import kept, tunable
from streamlab.learners.base.row_learner import NO_ARRAY, NO_ROWS, CoordinateLearner
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.base.state import State, contradiction, stored_length
from streamlab.learners.base.storage import between, index_into, moved_places
from streamlab.learners.base.storage_rules import LARGEST_COUNT
from streamlab.learners.linear import _kernels as kernels

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["OnlineLogistic"]

GROWTH = 1.5
FEW_PLACES = 64
MARK = ("marked_weights", "marked_intercepts", "marked_column_of", "marked_at")
"""The weights at the mark, which label had which column, and rows learned then: all of them, or none."""


class OnlineLogistic(CoordinateLearner):
    """One logistic regression for each label, learned row by row; each weight has its own step size, by AdaGrad.

    The probability of label l is p_l = 1 / (1 + exp(-(b_l + Σ_f w_fl x_f))), with b_l = -2 and w_fl = 0 at first. With
    g = p_l - y_l each row moves these by

    - H_l ← fading · H_l + g², then b_l ← b_l - intercept_step · g / √(H_l + .001);
    - G_fl ← fading · G_fl + (g x_f)², then w_fl ← w_fl - step · g x_f / √(G_fl + .01), where x_f is not 0.

    The values x_f are scaled. If more than 70 % of the values of the first 100 rows are 0, rows are sparse: each is
    scaled to length 3. Else each value is standardised by the mean and the deviation of the rows so far, its own
    included, cut off at ±4, and multiplied by 3 / √(number of values). Before row 100 this is decided for each row by
    the rows so far.

    Parameters
    ----------
    step
        Length of the first step of a weight.
    fading
        What G and H are multiplied by with each row that moves their weight, .9 to 1: below 1 steps do not become
        ever shorter, so that the weights follow a drift.
    intercept_step
        Length of the first step of an intercept: longer serves dense rows and common labels, shorter rare labels.
    decision
        Which labels are answered: ``"expected_f1"`` (default), ``"half"``, probabilities of one half and more, or
        another rule of ``Deciding``.

    Attributes
    ----------
    weights_
        float64 (n_coordinates, n_labels): w.
    intercepts_
        float64 (n_labels,): b.

    Notes
    -----
    A numeric feature is one coordinate, a nominal one of k categories k - 1 indicators (at least one): the first
    category is 0 in all of them. Of more than 16 indicators 16 count as values to scale by, and one where rows are
    judged sparse: so a column in which nearly every row has a category of its own weakens no other. A missing value is
    0 after the scaling, and no part of means and deviations.

    Rows are scored and learned one after the other, also within a chunk. A row takes time for its values other than 0,
    times the labels that were ever true: labels that never were have equal weights, which are kept once. In the same
    way only coordinates that were seen have weights.

    Sources
    -------
    J. Duchi, E. Hazan, Y. Singer: "Adaptive subgradient methods for online learning and stochastic optimization",
    JMLR 12, 2011; H. B. McMahan and others: "Ad click prediction: a view from the trenches", KDD 2013, for step sizes
    by coordinate in practice. The scaling, the fading and the numbers are ours.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> Y = (X[:, :2] > 0).astype("uint8")
    >>> model = OnlineLogistic(decision="half")
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((labels[100:] == Y[100:]).mean()) > 0.9
    True
    """

    line: ClassVar[str] = (
        "A logistic regression for each label, with steps that fit each weight: see the weights. Fast."
    )
    plain_words: ClassVar[tuple[str, str]] = ("linear", "weighs each feature")
    papers: ClassVar[tuple[str, ...]] = ("duchi2011adaptive", "mcmahan2013ad")
    picture: ClassVar[str] = "weights"
    compile_seconds: ClassVar[float] = 3.5
    _quick: ClassVar = {}
    step: float = tunable(
        0.001, 10, default=0.3, logarithmic=True, limit=1000, title="Step",
        help="Length of a weight's first step: longer learns faster from few rows, and is less steady.",
    )  # fmt: skip
    fading: float = tunable(
        0.9, 1.0, default=1.0, limit=1.0, title="Fading of steps",
        help="Per row. Lower: weights follow a drift faster, and are less steady; 1: steps become ever shorter.",
    )  # fmt: skip
    intercept_step: float = tunable(
        0.001, 10, default=0.2, logarithmic=True, limit=1000, title="Step of intercepts",
        help="Length of an intercept's first step: longer follows sooner how often a label comes.",
    )  # fmt: skip

    _weights: np.ndarray = kept("places", "columns", finite=True)
    _squares: np.ndarray = kept("places", "columns", finite=True)
    _intercepts: np.ndarray = kept("columns", fill=kernels.START, finite=True)
    _intercept_squares: np.ndarray = kept("columns", finite=True)
    _seen: np.ndarray = kept("places", 4, finite=True)
    _place_of: np.ndarray = kept("coordinates", dtype=np.int32, fill=-1, rules=(
        index_into("slots", none=-1, once=True),
    ))  # fmt: skip
    # a column, or 0 for a label that has none yet
    _column_of: np.ndarray = kept("labels", dtype=np.int32, rules=(index_into("columns", none=0, once=True),))
    _counts: np.ndarray = kept(3, dtype=np.int64, rules=(between(0, LARGEST_COUNT),))
    # how many values a row has where it is judged sparse, and where it is scaled
    _n_values: tuple[int, int] = kept()
    _top: np.ndarray = kept(4, dtype=np.int64, saved=False)
    # the weights at the mark, or None
    _marked_weights: Any = kept("places", "columns", dtype=np.float32, finite=True, optional=True)
    _marked_intercepts: Any = kept("columns", dtype=np.float32, finite=True, optional=True)
    _marked_column_of: Any = kept("labels", dtype=np.int32, rules=(index_into("columns"),), optional=True)
    _marked_at: Any = kept(1, dtype=np.int64, rules=(between(0, LARGEST_COUNT),), optional=True)

    def _try_further(self, X: np.ndarray) -> None:
        self.row_terms(X[0])

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        self._lay_out()
        self._take(self.storage.allocate(self._sizes() | {"places": 0, "columns": kernels.BLOCK}))
        self._top[kernels.COLUMNS] = 1

    def _lay_out(self) -> None:
        super()._lay_out()
        wide = self._widths > kernels.WIDE
        self._n_values = int(np.where(wide, 1, self._widths).sum()), int(np.minimum(self._widths, kernels.WIDE).sum())

    def _used(self) -> dict[str, int]:
        return {"places": int(self._top[kernels.PLACES])}

    def _resize(self, places: int, columns: int) -> None:
        self._take(self.storage.resize(self._kept(), self._sizes() | {"places": places, "columns": columns}))

    def _grown(self, n_features: int, n_labels: int) -> None:
        old, place_of = self._widths, self._place_of
        self._lay_out()
        super()._grown(n_features, n_labels)
        if (old == self._widths[:n_features]).all() and not self._n_categories[n_features:].any():
            return
        self._place_of[:] = -1
        self._place_of[moved_places(old, self._widths)] = place_of
        # until now a new nominal feature was missing; a new category was where its feature was
        n_rows, before = self._counts[kernels.ROWS], np.zeros(len(self._widths), np.int64)
        before[:n_features] = old
        for feature in np.flatnonzero((self._n_categories > 0) & (before < self._widths)):
            first, known = self._starts[feature], before[feature]
            place = self._place_of[first] if known else -1
            gaps = n_rows if not known else 0 if place < 0 else self._seen[place, kernels.GAPS]
            if gaps:
                self._note_gaps(np.arange(first + known, first + self._widths[feature]), gaps)

    def _note_gaps(self, coordinates: np.ndarray, gaps: int) -> None:
        """Note for new coordinates in how many rows they were missing."""
        place = int(self._top[kernels.PLACES])
        self._resize(_places(len(self._weights), place + len(coordinates), len(self._place_of)), len(self._intercepts))
        places = place + np.arange(len(coordinates))
        self._place_of[coordinates] = places
        self._seen[places, kernels.GAPS] = gaps
        self._top[kernels.PLACES] += len(coordinates)

    def _stored_sizes(self, state: State) -> tuple[dict[str, int], dict[str, int]]:
        owner = type(self).__name__
        places, columns = (stored_length(owner, state, "weights", axis) for axis in (0, 1))
        return self._sizes() | {"places": places, "columns": columns}, {"places": places, "slots": places}

    def _set_state(self, state: State) -> None:
        self._lay_out()
        super()._set_state(state)
        owner = type(self).__name__
        n_places, n_columns = int((self._place_of >= 0).sum()), len(self._intercepts)
        self._top[kernels.PLACES], self._top[kernels.COLUMNS] = n_places, 1 + int(self._column_of.max(initial=0))
        if n_places != len(self._weights):
            raise contradiction(owner, f"place_of has {n_places} places; expected {len(self._weights)}, as weights")
        if not n_columns or n_columns % kernels.BLOCK:
            raise contradiction(owner, f"weights has {n_columns} columns; expected a multiple of {kernels.BLOCK}")
        marks = [name for name in MARK if getattr(self, f"_{name}") is not None]
        if marks and len(marks) < len(MARK):
            raise contradiction(owner, f"{marks[0]} is of a mark; expected {', '.join(MARK)}")

    @property
    def now(self) -> int:
        """Number of rows learned."""
        return int(self._counts[kernels.ROWS])

    # ------------------------------------------------------------------ learning

    def _score(self, model, X, sparse, Y, start, scores):
        steps = float(self.step), float(self.intercept_step), float(self.fading)
        return kernels.run(model, *self._n_values, X, *sparse.arrays, Y, start, *steps, scores)

    def _make_room(self, X: Any) -> None:
        # as much as the row asked for
        *_, places, columns = self._top.tolist()
        self._resize(
            _places(len(self._weights), places, len(self._place_of)), max(_columns(columns), len(self._intercepts))
        )

    # ------------------------------------------------------------------ what it has learned

    def mark(self) -> None:
        """Note the weights as they are; ``linear_terms`` tells then what they were. Replaces a mark."""
        self._marked_weights, self._marked_column_of = self._weights.astype(np.float32), self._column_of.copy()
        self._marked_intercepts, self._marked_at = self._intercepts.astype(np.float32), self._counts[[kernels.ROWS]]

    def linear_terms(self) -> dict[str, Any]:
        """Return what each label stands on.

        Returns
        -------
        dict
            ``weights`` float64 (terms, labels): w, a term for each coordinate; ``intercepts`` float64 (labels,);
            ``before``: the weights at the mark, 0 where there is none; ``intercepts_before``: the intercepts then, NaN
            where there is none; ``marked``: rows that had been learned then, or None; ``learned``: rows learned so far.
        """
        before, intercepts = np.zeros((len(self._place_of), len(self._labels))), np.full(len(self._labels), np.nan)
        if self._marked_at is not None:
            seen = np.flatnonzero(self._place_of >= 0)
            before[seen] = self._marked_weights[self._place_of[seen]][:, self._marked_column_of]
            intercepts = self._marked_intercepts[self._marked_column_of].astype(np.float64)
        marked = None if self._marked_at is None else int(self._marked_at[0])
        terms = {"weights": self.weights_, "intercepts": self.intercepts_.copy()}
        return terms | {"before": before, "intercepts_before": intercepts, "marked": marked, "learned": self.now}

    def term_name(self, term: int) -> str:
        """Return what a term is called: its feature, and of a nominal one its category."""
        feature = int(np.searchsorted(self._starts, term, side="right")) - 1
        known = self._features[feature]
        if known.categories is None:
            return str(known.name)
        category = min(term - int(self._starts[feature]) + 1, len(known.categories) - 1)
        return f"{known.name} = {known.categories[category]}"

    def row_terms(self, x: Any) -> np.ndarray:
        """Return what each weight is multiplied by for one row, float64 (terms,): its values, scaled.

        0: the row says nothing. These times a label's weights, and its intercept, add up to the log-odds of its score.

        Parameters
        ----------
        x
            The row: an array of shape (n_features,), a sparse matrix of one row, or a dictionary.
        """
        X, scaled = self._one_row(x).values, np.zeros(len(self._weights))
        array, sparse = (NO_ARRAY, X) if isinstance(X, SparseRows) else (X, NO_ROWS)
        kernels.scaled_row(self._model(), *self._n_values, array, *sparse.arrays, scaled)
        found, seen = np.zeros(len(self._place_of)), np.flatnonzero(self._place_of >= 0)
        found[seen] = scaled[self._place_of[seen]]
        return found

    @property
    def weights_(self) -> np.ndarray:
        """w, float64 (n_coordinates, n_labels)."""
        weights = np.zeros((len(self._place_of), len(self._labels)))
        seen = np.flatnonzero(self._place_of >= 0)
        weights[seen] = self._weights[self._place_of[seen]][:, self._column_of]
        return weights

    @property
    def intercepts_(self) -> np.ndarray:
        """b, float64 (n_labels,)."""
        return self._intercepts[self._column_of]

    def nodes(self) -> pd.DataFrame:
        """Return one row for each weight other than 0 of a label that was ever true, the largest of a label first.

        Columns: ``label``, ``feature``, ``category`` (of a nominal feature, else None), ``weight``: what a scaled value
        of 1 adds to the label's log-odds.
        """
        import pandas as pd

        labels, coordinates = np.flatnonzero(self._column_of), np.flatnonzero(self._place_of >= 0)
        weights = self._weights[self._place_of[coordinates]][:, self._column_of[labels]].T
        order = np.argsort(-np.abs(weights), axis=1, kind="stable")
        weights = np.take_along_axis(weights, order, axis=1)
        label, rank = np.nonzero(weights)
        feature = np.searchsorted(self._starts, coordinates, side="right") - 1
        known = [self._features[f] for f in feature.tolist()]
        category = [
            None if f.categories is None else f.categories[min(c - self._starts[j] + 1, len(f.categories) - 1)]
            for f, c, j in zip(known, coordinates.tolist(), feature.tolist(), strict=True)
        ]
        which = order[label, rank]
        return pd.DataFrame(
            {
                "label": np.array(self._labels, object)[labels[label]],
                "feature": np.array([f.name for f in known], object)[which],
                "category": np.array(category, object)[which],
                "weight": weights[label, rank],
            }
        )


def _places(now: int, wanted: int, most: int) -> int:
    """Return how many places to have, where there are ``now``."""
    return now if wanted <= now else min(max(wanted, int(GROWTH * now), FEW_PLACES), most)


def _columns(wanted: int) -> int:
    """Return how many columns to have: in steps of a quarter of the power of two below, at least of eight."""
    step = max(kernels.BLOCK, 1 << max((wanted - 1).bit_length() - 3, 0))
    return -(-wanted // step) * step
