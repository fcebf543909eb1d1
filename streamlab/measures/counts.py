"""The additive counts from which every measure follows: kept per instance, merged over shards, faded, saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from streamlab.measures import _kernels
from streamlab.schema import Hierarchy

__all__ = ["LEVEL_TERMS", "TERMS", "Batch", "Counts"]

TERMS = (
    "n",
    "scored",
    "exact",
    "wrong",
    "precision",
    "no_precision",
    "recall",
    "no_recall",
    "f1",
    "no_f1",
    "ranking_loss",
    "average_precision",
    "ranked",
)
"""What is summed over the instances, in the order of ``Counts.sums``.

``n`` instances; ``scored`` those that came with scores; ``exact`` those with Y = Z; ``wrong`` labels with y ≠ z;
``precision``, ``recall``, ``f1`` of the instances where they are defined, and ``no_...`` the number of instances where
they are 0/0; ``ranking_loss`` and ``average_precision`` of the ``ranked`` instances, those with scores and 0 < |Y| < L.
"""

LEVEL_TERMS = ("hits", "predicted", "true", "first_wrong")
"""What is summed at each level of a hierarchy, in the order of the columns of ``Counts.levels``.

All label sets with their ancestors: labels of the level that are ``true``, ``predicted``, both (``hits``), and
``first_wrong`` instances whose sets are equal above the level and differ at it.
"""

_INDEX = {name: index for index, name in enumerate(TERMS)}
_NO_SCORES = np.empty((0, 0))


class Batch:
    """Rows ready to be counted: checked, in the kernels' types, with each instance's terms.

    Parameters
    ----------
    Y, Z
        Arrays of shape (n, n_labels), of 0 and 1 or bool: true and predicted labels.
    scores
        Array of shape (n, n_labels), higher is more likely, or None. Infinite scores are allowed, NaN is not.
    unit_scores
        Whether scores must lie in 0 to 1, as the score histograms need.
    hierarchy
        That of the labels, for counts that have levels; None otherwise.

    Raises
    ------
    ValueError
        If the shapes differ, a label is neither 0 nor 1, or a score is NaN or outside the range; names the array, row
        and column. Nothing has been counted then.
    """

    __slots__ = ("Y", "Z", "levels", "scores", "terms")

    def __init__(
        self,
        Y: Any,
        Z: Any,
        scores: Any = None,
        *,
        unit_scores: bool = False,
        hierarchy: Hierarchy | None = None,
    ) -> None:
        self.Y = _as_labels(Y, "Y")
        self.Z = _as_labels(Z, "Z")
        if self.Z.shape != self.Y.shape:
            raise ValueError(f"Z has the shape {self.Z.shape}, Y {self.Y.shape}; they must be the same")
        if scores is None:
            self.scores = None
        else:
            self.scores = _own(np.ascontiguousarray(scores, dtype=np.float64))
            if self.scores.shape != self.Y.shape:
                raise ValueError(f"scores has the shape {self.scores.shape}, Y {self.Y.shape}; they must be the same")
        self.terms = np.empty((len(self.Y), len(TERMS)))
        low, high = (0.0, 1.0) if unit_scores else (-np.inf, np.inf)
        given = _NO_SCORES if self.scores is None else self.scores
        bad = _kernels.instance_terms(self.Y, self.Z, given, low, high, self.terms)
        if bad >= 0:
            self._refuse(*divmod(bad, 3), low, high)
        self.levels = None if hierarchy is None else self._by_level(hierarchy)

    def _by_level(self, hierarchy: Hierarchy) -> np.ndarray:
        if len(hierarchy) != self.n_labels:
            raise ValueError(f"Y has {self.n_labels} columns; the hierarchy is of {len(hierarchy)} labels")
        first, above, depth = hierarchy.lines
        terms = np.empty((len(self.Y), hierarchy.n_levels, len(LEVEL_TERMS)))
        _kernels.level_terms(self.Y, self.Z, first, above, depth, terms)
        return terms

    def _refuse(self, row: int, kind: int, low: float, high: float) -> None:
        name = ("Y", "Z", "scores")[kind]
        values = (self.Y, self.Z, self.scores)[kind][row]
        column = int(np.argmin((values >= low) & (values <= high) if name == "scores" else values <= 1))
        allowed = "0 or 1" if name != "scores" else "from 0 to 1" if high == 1.0 else "a number"
        raise ValueError(f"{name} holds {values[column]} in row {row}, column {column}; it must be {allowed}")

    def __len__(self) -> int:
        return len(self.Y)

    @property
    def n_labels(self) -> int:
        """Number of columns of ``Y``."""
        return self.Y.shape[1]

    def rows(self, start: int, stop: int) -> Batch:
        """The rows from ``start`` to ``stop``, sharing memory."""
        part = object.__new__(Batch)
        part.Y = self.Y[start:stop]
        part.Z = self.Z[start:stop]
        part.scores = None if self.scores is None else self.scores[start:stop]
        part.terms = self.terms[start:stop]
        part.levels = None if self.levels is None else self.levels[start:stop]
        return part


class Counts:
    """Sums over instances, from which ``evaluate`` computes every measure.

    Everything in it is a sum, so counts of two parts of a stream add up to the counts of the whole. All are float64,
    as faded counts are not whole numbers.

    Parameters
    ----------
    per_label
        Array of shape (3, n_labels): true positives, false positives, false negatives of each label.
    sums
        Array of shape (13,): the sums over the instances named by ``TERMS``.
    histograms
        Array of shape (2, n_labels, n_bins) or None: of each label's scores where it is absent, where it is present.
        Bin k holds the scores nearest to k / (n_bins - 1). Needed by ``macro_average_precision`` alone.
    levels
        Array of shape (n_levels, 4) or None: the sums named by ``LEVEL_TERMS`` at each level of a hierarchy, the top
        one first. Needed by the hierarchical measures.

    Notes
    -----
    A label that joins later (``widen``) counts as absent and not predicted in all earlier instances, so
    ``hamming_loss`` divides by all labels known at the end. The ranking measures take each instance with the labels it
    was scored on.

    Examples
    --------
    >>> counts = Counts.zeros(2).count([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    >>> counts.n, counts.tp.tolist(), counts.fn.tolist()
    (2.0, [1.0, 1.0], [1.0, 0.0])
    """

    __slots__ = ("histograms", "levels", "per_label", "sums")

    def __init__(
        self,
        per_label: np.ndarray,
        sums: np.ndarray,
        histograms: np.ndarray | None = None,
        levels: np.ndarray | None = None,
    ) -> None:
        self.per_label = np.ascontiguousarray(per_label, dtype=np.float64)
        self.sums = np.ascontiguousarray(sums, dtype=np.float64)
        self.histograms = None if histograms is None else np.ascontiguousarray(histograms, dtype=np.float64)
        self.levels = None if levels is None else np.ascontiguousarray(levels, dtype=np.float64)
        if self.per_label.ndim != 2 or len(self.per_label) != 3:
            raise ValueError(f"per_label has the shape {self.per_label.shape}; it must be (3, n_labels)")
        if self.sums.shape != (len(TERMS),):
            raise ValueError(f"sums has the shape {self.sums.shape}; it must be ({len(TERMS)},)")
        if self.histograms is not None:
            shape = self.histograms.shape
            if len(shape) != 3 or shape[:2] != (2, self.n_labels) or shape[2] < 2:
                raise ValueError(f"histograms has the shape {shape}; it must be (2, {self.n_labels}, n_bins >= 2)")
        if self.levels is not None and (self.levels.ndim != 2 or self.levels.shape[1] != len(LEVEL_TERMS)):
            raise ValueError(f"levels has the shape {self.levels.shape}; it must be (n_levels, {len(LEVEL_TERMS)})")

    @classmethod
    def zeros(cls, n_labels: int, n_bins: int = 0, n_levels: int | None = None) -> Counts:
        """Counts of no instance.

        Parameters
        ----------
        n_labels
            Number of labels, from 0.
        n_bins
            Bins of each score histogram; 0, the default, keeps none, since they take 16 * n_labels * n_bins bytes.
            Scores on the grid k / (n_bins - 1) are kept exactly; others that share a bin count as equal. 1025 bins
            resolve 1/1024.
        n_levels
            Levels of the labels' hierarchy (``Hierarchy.n_levels``); None, the default, where there is none.

        Raises
        ------
        ValueError
            If ``n_labels`` is below 0, or ``n_bins`` below 0 or 1.
        """
        if n_labels < 0:
            raise ValueError(f"n_labels={n_labels} must not be negative")
        if n_bins < 0 or n_bins == 1:
            raise ValueError(f"n_bins={n_bins} must be 0 (no histograms) or at least 2")
        histograms = np.zeros((2, n_labels, n_bins)) if n_bins else None
        levels = None if n_levels is None else np.zeros((n_levels, len(LEVEL_TERMS)))
        return cls(np.zeros((3, n_labels)), np.zeros(len(TERMS)), histograms, levels)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.per_label.shape[1]

    @property
    def n_bins(self) -> int:
        """Bins of each score histogram, 0 if none are kept."""
        return 0 if self.histograms is None else self.histograms.shape[2]

    @property
    def n_levels(self) -> int | None:
        """Levels of the hierarchy, None where there is none."""
        return None if self.levels is None else len(self.levels)

    @property
    def n(self) -> float:
        """Number of instances; of faded counts, the sum of their weights."""
        return float(self.sums[0])

    @property
    def tp(self) -> np.ndarray:
        """True positives of each label, shape (n_labels,)."""
        return self.per_label[0]

    @property
    def fp(self) -> np.ndarray:
        """False positives of each label, shape (n_labels,)."""
        return self.per_label[1]

    @property
    def fn(self) -> np.ndarray:
        """False negatives of each label, shape (n_labels,)."""
        return self.per_label[2]

    @property
    def tn(self) -> np.ndarray:
        """True negatives of each label, shape (n_labels,)."""
        return self.n - self.per_label.sum(axis=0)

    def total(self, term: str) -> float:
        """The sum over the instances of one of ``TERMS``.

        Raises
        ------
        KeyError
            If there is no such term.
        """
        return float(self.sums[_INDEX[term]])

    def count(
        self, Y: Any, Z: Any, scores: Any = None, *, fading: float = 1.0, hierarchy: Hierarchy | None = None
    ) -> Counts:
        """Add instances, in place, and return these counts.

        Parameters
        ----------
        Y, Z
            Arrays of shape (n, n_labels), of 0 and 1 or bool: true and predicted labels. A row predicted empty is a row
            of zeros.
        scores
            Array of shape (n, n_labels), or None where there are none: the ranking measures then leave these rows out.
        fading
            Each older instance, those counted before included, weighs this times the next: 0 < fading <= 1.
        hierarchy
            That of the labels, where these counts have levels.

        Raises
        ------
        ValueError
            If ``fading`` is out of range, or as ``Batch`` says; nothing is counted then.
        """
        check_fading(fading)
        unit = self.histograms is not None
        self.add_batch(Batch(Y, Z, scores, unit_scores=unit, hierarchy=hierarchy), fading)
        return self

    def add_batch(self, batch: Batch, fading: float = 1.0) -> None:
        """Add a checked batch, in place: what ``count`` does, for a batch that goes into several counts.

        Raises
        ------
        ValueError
            If the batch is for another number of labels.
        """
        if batch.n_labels != self.n_labels:
            raise ValueError(f"Y has {batch.n_labels} columns; these counts are of {self.n_labels} labels")
        if self.levels is not None:
            if batch.levels is None or batch.levels.shape[1] != len(self.levels):
                raise ValueError(f"these counts have {len(self.levels)} levels; expected a batch with their hierarchy")
            _kernels.accumulate_levels(batch.levels, fading, self.levels)
        _kernels.accumulate(batch.Y, batch.Z, batch.terms, fading, self.per_label, self.sums)
        if self.histograms is not None:
            if batch.scores is not None:
                _kernels.bin_scores(batch.Y, batch.scores, fading, self.histograms)
            elif fading != 1.0:
                self.histograms *= fading ** len(batch)

    def add(self, other: Counts) -> None:
        """Add other counts, in place.

        Raises
        ------
        ValueError
            If they are of another number of labels or bins.
        """
        if (other.n_labels, other.n_bins) != (self.n_labels, self.n_bins):
            raise ValueError(
                f"counts of {other.n_labels} labels and {other.n_bins} bins do not add to counts of "
                f"{self.n_labels} labels and {self.n_bins} bins"
            )
        if other.n_levels != self.n_levels:
            raise ValueError(f"counts of {other.n_levels} levels do not add to counts of {self.n_levels}")
        self.per_label += other.per_label
        self.sums += other.sums
        if self.histograms is not None:
            self.histograms += other.histograms
        if self.levels is not None:
            self.levels += other.levels

    def merge(self, other: Counts) -> Counts:
        """The counts of both parts, as new counts.

        Faded counts of a stream in two pieces are ``first.scaled(fading ** rows_of_second).merge(second)``.

        Raises
        ------
        ValueError
            If they are of different numbers of labels or bins.
        """
        merged = self.copy()
        merged.add(other)
        return merged

    def scaled(self, factor: float) -> Counts:
        """New counts, each ``factor`` times as large.

        Raises
        ------
        ValueError
            If ``factor`` is negative or not finite.
        """
        if not 0.0 <= factor < np.inf:
            raise ValueError(f"factor={factor} must be a finite number, 0 or more")
        histograms = None if self.histograms is None else self.histograms * factor
        levels = None if self.levels is None else self.levels * factor
        return Counts(self.per_label * factor, self.sums * factor, histograms, levels)

    def widen(self, n_labels: int) -> None:
        """Make room, in place, for labels that join the stream: absent and not predicted until now.

        Raises
        ------
        ValueError
            If ``n_labels`` is below the present number: labels do not leave.
        """
        more = n_labels - self.n_labels
        if more < 0:
            raise ValueError(f"n_labels={n_labels} is below the present {self.n_labels}; counts only widen")
        self.per_label = np.pad(self.per_label, ((0, 0), (0, more)))
        if self.histograms is not None:
            self.histograms = np.pad(self.histograms, ((0, 0), (0, more), (0, 0)))

    def clear(self) -> None:
        """Forget every instance, in place."""
        self.per_label[:] = 0.0
        self.sums[:] = 0.0
        if self.histograms is not None:
            self.histograms[:] = 0.0
        if self.levels is not None:
            self.levels[:] = 0.0

    def copy(self) -> Counts:
        """Counts of their own with the same values."""
        twin = object.__new__(Counts)  # a snapshot is taken often: no second look at shapes
        twin.per_label = self.per_label.copy()
        twin.sums = self.sums.copy()
        twin.histograms = None if self.histograms is None else self.histograms.copy()
        twin.levels = None if self.levels is None else self.levels.copy()
        return twin

    def state(self) -> dict[str, np.ndarray]:
        """A flat dictionary of copies: ``per_label``, ``sums`` and, where kept, ``histograms`` and ``levels``."""
        twin = self.copy()
        state = {"per_label": twin.per_label, "sums": twin.sums}
        if twin.histograms is not None:
            state["histograms"] = twin.histograms
        if twin.levels is not None:
            state["levels"] = twin.levels
        return state

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Counts:
        """Counts with the values of a ``state()``, which is copied.

        Raises
        ------
        ValueError
            If an array is missing or of the wrong shape.
        """
        for name in ("per_label", "sums"):
            if name not in state:
                raise ValueError(f"state lacks {name!r}; it has {sorted(state)}")
        return cls(state["per_label"], state["sums"], state.get("histograms"), state.get("levels")).copy()

    def __repr__(self) -> str:
        return f"Counts(n={self.n:g}, n_labels={self.n_labels}, n_bins={self.n_bins})"


def check_fading(fading: float) -> float:
    """Return ``fading``, or raise ``ValueError`` unless 0 < fading <= 1."""
    if not 0.0 < fading <= 1.0:
        raise ValueError(f"fading={fading} must be above 0 and at most 1")
    return float(fading)


def _as_labels(values: Any, name: str) -> np.ndarray:
    values = np.asarray(values)
    if values.ndim != 2:
        raise ValueError(f"{name} has the shape {values.shape}; it must be (n, n_labels)")
    if values.dtype == np.bool_:
        values = values.view(np.uint8) if values.flags.c_contiguous else values.astype(np.uint8)
    elif values.dtype != np.uint8:
        with np.errstate(invalid="ignore"):
            allowed = (values == 0) | (values == 1)
        if not allowed.all():  # a cast would turn 0.5 or 256 into 0
            row, column = np.argwhere(~allowed)[0]
            raise ValueError(f"{name} holds {values[row, column]} in row {row}, column {column}; it must be 0 or 1")
        values = values.astype(np.uint8)
    return _own(np.ascontiguousarray(values))


def _own(values: np.ndarray) -> np.ndarray:
    # Numba compiles a kernel anew for every mix of read-only arguments, a pause in mid-stream; a copy costs nothing.
    return values if values.flags.writeable else values.copy()
