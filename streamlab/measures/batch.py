"""Rows ready to be counted, and what may be counted of them: the built-in terms, and counts that measures bring."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streamlab._checks import unmasked, with_type
from streamlab.measures import _kernels
from streamlab.plugins import is_foreign, read_only
from streamlab.schema import Hierarchy

__all__ = ["TERMS", "Batch", "Count", "Past"]

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

OTHER_STATE = ("per_label", "sums", "Y", "scores")
"""What stands beside the further counts in a tracker's state."""

SIZES = ("labels", "levels", "bins", "classes")
"""Names of sizes in the shape of a ``Count``."""

ROUNDING = 1e-9
"""So far outside 0 to 1 may a score lie that should not: a weighted mean of ones can be 1 + 2e-16."""

FLAGS, NUMBERS = np.dtype(np.uint8), np.dtype(np.float64)
_NO_SCORES = np.empty((0, 0))


@dataclass(frozen=True)
class Count:
    """A sum over the instances that a measure needs and that ``TERMS`` and the counts per label do not give.

    It is added up, faded, merged over parts of a stream, saved and kept along a run like the others. It is kept only
    where a measure with it is asked for.

    Parameters
    ----------
    name
        A Python identifier, unique among the counts that are kept together.
    terms
        ``terms(batch)``: what each instance adds; finite numbers or bool, of shape (n, ...) with ``shape`` after n. It
        is called once for each batch, before any of it is counted. A batch has ``Y`` and ``Z`` (uint8 (n, n_labels)),
        ``scores`` (float64 of the same shape, or None) and ``hierarchy`` (or None); they are only to be read.
    shape
        Of the sum: numbers, and the names ``"labels"``, ``"levels"`` (of the hierarchy), ``"bins"`` and ``"classes"``
        (0 where rows have label sets) for sizes that differ from stream to stream. Default (): one number.
    add
        ``add(batch, fading, total)`` in place of ``terms``, where these would take too much memory: adds the instances
        to the array ``total`` in place, in order, each weighing ``fading`` times the next, and returns nothing.
    needs_scores
        Rows without scores add nothing; ``terms`` and ``add`` are not called for them.
    unit_scores
        Scores must lie from 0 to 1; others are refused. What rounding adds, up to 1e-9, ``terms`` and ``add`` may see.
    needs_classes
        ``terms`` needs rows of classes, with those before them (``batch.past``).
    differs_of_classes
        Whether rows of classes add something else than label sets; what has it can tell by ``class_baselines``.
    needs_hierarchy
        ``terms`` needs the labels' hierarchy; also True where ``shape`` has ``"levels"``.
    has_curve
        Whether it is small enough to be kept for every point of a curve.
    lacking
        What a measure says it needs where this is not kept.

    Examples
    --------
    >>> from streamlab.measures import Counts
    >>> covered = Count("covered", terms=lambda batch: (batch.Y <= batch.Z).all(axis=1))
    >>> Counts.zeros(2, [covered]).count([[1, 0], [1, 1]], [[1, 1], [0, 1]]).total("covered")
    1.0
    """

    name: str
    terms: Callable[[Batch], ArrayLike] | None = None
    shape: tuple[int | str, ...] = ()
    add: Callable[[Batch, float, np.ndarray], None] | None = field(default=None, kw_only=True)
    needs_scores: bool = field(default=False, kw_only=True)
    unit_scores: bool = field(default=False, kw_only=True)
    needs_classes: bool = field(default=False, kw_only=True)
    differs_of_classes: bool = field(default=False, kw_only=True)
    needs_hierarchy: bool = field(default=False, kw_only=True)
    has_curve: bool = field(default=True, kw_only=True)
    lacking: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or self.name in (*TERMS, *OTHER_STATE):
            raise ValueError(f"name={self.name!r} must be a Python identifier, and none of the built-in counts")
        if (self.terms is None) == (self.add is None):
            raise ValueError(f"count {self.name!r}: expected one of terms and add")
        for size in self.shape:
            if size not in SIZES if isinstance(size, str) else size < 0:
                raise ValueError(
                    f"count {self.name!r}: {size!r} in its shape must be a number or of {', '.join(SIZES)}"
                )
        if "levels" in self.shape:
            object.__setattr__(self, "needs_hierarchy", True)
        if not self.lacking:
            object.__setattr__(self, "lacking", f"the count {self.name!r}, which was not kept")

    def sizes(self, n_labels: int, n_levels: int | None, n_bins: int, *, classes: bool = False) -> tuple[int, ...]:
        """The shape in numbers.

        Raises
        ------
        ValueError
            If it has levels, and ``n_levels`` is None.
        """
        if n_levels is None and "levels" in self.shape:
            raise ValueError(f"count {self.name!r} needs a hierarchy of the labels, and there is none")
        known = {"labels": n_labels, "levels": n_levels or 0, "bins": n_bins, "classes": n_labels * classes}
        return tuple(known[size] if isinstance(size, str) else size for size in self.shape)


class Past(NamedTuple):
    """The classes before some rows, where each row has exactly one.

    Attributes
    ----------
    last
        Place of the class of the last row whose class is known, among the labels; -1: there was none.
    counts
        int64 (n_labels,): in how many rows each class came.
    classes
        The classes as the stream has them, such as True, 3 or "sky".

    Examples
    --------
    >>> Past.none(2).after(np.array([[1, 0], [0, 1], [0, 1]])).counts.tolist()
    [1, 2]
    """

    last: int
    counts: np.ndarray
    classes: tuple[Any, ...] = ()

    @classmethod
    def none(cls, n_labels: int, classes: tuple[Any, ...] = ()) -> Past:
        """Return what is before the first row."""
        return cls(-1, np.zeros(n_labels, np.int64), classes)

    def after(self, Y: np.ndarray) -> Past:
        """Return what is before the row that follows rows of these classes, uint8 (n, n_labels)."""
        known = np.flatnonzero(Y.any(axis=1))
        last = int(Y[known[-1]].argmax()) if len(known) else self.last
        return Past(last, self.counts + Y.sum(axis=0, dtype=np.int64), self.classes)


class CountFailure(ValueError):
    """Says that a count could not be added to, and why.

    Parameters
    ----------
    count
        The count.
    why
        In words.

    Examples
    --------
    >>> str(CountFailure(Count("covered", len), "its terms are too few"))
    "count 'covered': its terms are too few"
    """

    def __init__(self, count: Count, why: str) -> None:
        super().__init__(f"count {count.name!r}: {why}")
        self.count = count


class Batch:
    """Rows ready to be counted: checked, in the kernels' types, with each instance's terms.

    Parameters
    ----------
    Y, Z
        Arrays of shape (n, n_labels), of 0 and 1 or bool: true and predicted labels.
    scores
        Array of shape (n, n_labels), higher is more likely, or None. Infinite scores are allowed, NaN is not.
    counts
        What is to be counted beside ``TERMS``.
    hierarchy
        That of the labels, for counts that need it; None where there is none.
    past
        The classes before these rows; None where rows have label sets.
    on_failure
        Called with the ``CountFailure`` of a count whose function fails: it raises, or returns, and then the count is
        NaN. None, the default: the failure is raised.

    Raises
    ------
    ValueError
        If the shapes differ, a label is neither 0 nor 1, or a score is NaN or outside the range; names the array, row
        and column. Also if the hierarchy is of other labels or missing, or a count adds a value that is not a number.
        Nothing has been counted then.

    Examples
    --------
    >>> batch = Batch([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    >>> len(batch), dict(zip(TERMS, batch.terms.sum(axis=0).tolist()))["exact"]
    (2, 1.0)
    """

    __slots__ = ("Y", "Z", "extra", "hierarchy", "on_failure", "past", "scores", "terms")

    def __init__(
        self,
        Y: Any,
        Z: Any,
        scores: Any = None,
        *,
        counts: Iterable[Count] = (),
        hierarchy: Hierarchy | None = None,
        past: Past | None = None,
        on_failure: Callable[[CountFailure], None] | None = None,
    ) -> None:
        counts = tuple(counts)
        self.on_failure = on_failure
        are_own = _are_own(FLAGS, Y, Z)
        self.Y: np.ndarray = Y if are_own else _as_labels(Y, "Y")
        self.Z: np.ndarray = Z if are_own else _as_labels(Z, "Z")
        if self.Z.shape != self.Y.shape:
            raise ValueError(f"Z has the shape {self.Z.shape}, Y {self.Y.shape}; they must be the same")
        self.scores: np.ndarray | None = None
        if scores is not None:
            try:
                self.scores = scores if _are_own(NUMBERS, scores) else _own(real(scores))
            except TypeError:
                raise ValueError(f"scores is a {type(scores).__name__}; expected an array of numbers") from None
            if self.scores.shape != self.Y.shape:
                raise ValueError(f"scores has the shape {self.scores.shape}, Y {self.Y.shape}; they must be the same")
        self.terms = np.empty((len(self.Y), len(TERMS)))
        low, high = -np.inf, np.inf
        if counts and any(count.unit_scores for count in counts):
            low, high = -ROUNDING, 1.0 + ROUNDING
        given = _NO_SCORES if self.scores is None else self.scores
        bad = _kernels.instance_terms(self.Y, self.Z, given, low, high, self.terms)
        if bad >= 0:
            self._refuse(bad // 3, bad % 3, low, high)
        if hierarchy is not None and len(hierarchy) != self.Y.shape[1]:
            raise ValueError(f"Y has {self.n_labels} columns; the hierarchy is of {len(hierarchy)} labels")
        self.hierarchy, self.past = hierarchy, past
        self.extra = {count.name: self._terms_of(count) for count in counts} if counts else {}

    def _terms_of(self, count: Count) -> np.ndarray | None:
        """What each instance adds to a count, (n, ...), or None where the count adds by itself."""
        if count.needs_hierarchy and self.hierarchy is None:
            raise ValueError(f"count {count.name!r}: expected a batch with the labels' hierarchy")
        if count.needs_classes and self.past is None:
            raise ValueError(f"count {count.name!r}: expected a batch with the classes before it")
        if count.terms is None:
            return None
        n_levels = None if self.hierarchy is None else self.hierarchy.n_levels
        shape = (len(self), *count.sizes(self.n_labels, n_levels, 0, classes=self.past is not None))
        if count.needs_scores and self.scores is None:
            return np.zeros(shape)
        try:
            terms = _own(real(count.terms(self.for_function(count.terms))))
        except Exception as error:  # user code may raise anything
            self.failed(CountFailure(count, f"its terms raised {with_type(error)}"), error)
            return np.full(shape, np.nan)
        if terms.shape != shape:
            self.failed(CountFailure(count, f"its terms have the shape {terms.shape}; expected {shape}"))
            return np.full(shape, np.nan)
        if not math.isfinite(terms.sum()):  # one number is quicker to look at
            bad = np.argwhere(~np.isfinite(terms))
            where = "its terms add up to infinity"
            if len(bad):
                where = f"row {bad[0, 0]} adds a value that is not a finite number"
            self.failed(CountFailure(count, where))
            return np.full(shape, np.nan)
        return terms

    def for_function(self, function: Callable[..., Any]) -> Batch:
        """Return what a function is given: itself, or rows that one of another package cannot change."""
        if not is_foreign(function):
            return self
        shown = object.__new__(Batch)
        for name in self.__slots__:
            # its further terms are not there yet
            setattr(shown, name, read_only(getattr(self, name, None)))
        return shown

    def failed(self, failure: CountFailure, cause: Exception | None = None) -> None:
        """Raise the failure of a count, unless ``on_failure`` takes it."""
        if self.on_failure is None:
            raise failure from cause
        self.on_failure(failure)

    def _refuse(self, row: int, kind: int, low: float, high: float) -> None:
        name = ("Y", "Z", "scores")[kind]
        values = np.asarray((self.Y, self.Z, self.scores)[kind])[row]
        column = int(np.argmin((values >= low) & (values <= high) if name == "scores" else values <= 1))
        allowed = "0 or 1" if name != "scores" else "a number" if high == np.inf else "from 0 to 1"
        raise ValueError(f"{name} holds {values[column]} in row {row}, column {column}; it must be {allowed}")

    def __len__(self) -> int:
        return len(self.Y)

    @property
    def n_labels(self) -> int:
        """Number of columns of ``Y``."""
        return int(self.Y.shape[1])

    def rows(self, start: int, stop: int) -> Batch:
        """The rows from ``start`` to ``stop``, sharing memory."""
        part = object.__new__(Batch)
        part.Y = self.Y[start:stop]
        part.Z = self.Z[start:stop]
        part.scores = None if self.scores is None else self.scores[start:stop]
        part.terms = self.terms[start:stop]
        part.hierarchy, part.past = self.hierarchy, self.past
        part.on_failure = self.on_failure
        part.extra = self.extra
        if part.extra:
            part.extra = {name: None if terms is None else terms[start:stop] for name, terms in self.extra.items()}
        return part


def real(values: Any) -> np.ndarray:
    """Return an array as float64 in C order; raise a TypeError if it holds complex numbers, which would lose a part."""
    values = unmasked(values)
    if np.iscomplexobj(values):
        raise TypeError("it returned complex numbers; expected real ones")
    return np.array(values, dtype=np.float64, order="C", copy=None)


def _are_own(dtype: np.dtype, *arrays: Any) -> bool:
    """Whether kernels take arrays as they are: they would be compiled again for another layout, or read-only ones."""
    for values in arrays:
        if not (type(values) is np.ndarray and values.dtype is dtype and values.ndim == 2 and values.flags.carray):
            return False
    return True


def _as_labels(values: Any, name: str) -> np.ndarray:
    values = np.asarray(unmasked(values))
    if values.ndim != 2:
        raise ValueError(f"{name} has the shape {values.shape}; it must be (n, n_labels)")
    if values.dtype == np.bool_:
        values = values.view(np.uint8) if values.flags.c_contiguous else values.astype(np.uint8)
    elif values.dtype.kind == "V":
        raise ValueError(f"{name} is of type {values.dtype}; expected 0 and 1")
    elif values.dtype != np.uint8:
        with np.errstate(invalid="ignore"):
            allowed = (values == 0) | (values == 1)
        if not allowed.all():  # a cast would turn 0.5 or 256 into 0
            row, column = np.argwhere(~allowed)[0]
            raise ValueError(f"{name} holds {values[row, column]} in row {row}, column {column}; it must be 0 or 1")
        values = values.astype(np.uint8)
    return _own(np.ascontiguousarray(values))


def _own(values: np.ndarray) -> np.ndarray:
    # Numba compiles a kernel again for every mix of read-only arguments, a pause in mid-stream; a copy costs nothing.
    return values if values.flags.writeable else values.copy()
