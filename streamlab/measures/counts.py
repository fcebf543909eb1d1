"""The additive counts from which every measure follows: kept per instance, merged over shards, faded, saved."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from streamlab._checks import checked_count, checked_number, with_type
from streamlab.measures import _kernels
from streamlab.measures.batch import TERMS, Batch, Count, CountFailure, Past
from streamlab.plugins import is_foreign, read_only
from streamlab.schema import Hierarchy

__all__ = ["Counts"]

DEFAULT_BINS = 1025
"""Bins of a score histogram: scores on the grid k/1024 are kept exactly."""

_INDEX = {name: index for index, name in enumerate(TERMS)}


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
    kept
        The further counts that are kept.
    extra
        By the name of each of ``kept``, its sum: an array of the count's shape.

    Notes
    -----
    The ranking measures take each instance with the labels it was scored on.

    Examples
    --------
    >>> counts = Counts.zeros(2).count([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    >>> counts.n, counts.tp.tolist(), counts.fn.tolist()
    (2.0, [1.0, 1.0], [1.0, 0.0])
    """

    __slots__ = ("extra", "kept", "per_label", "sums")

    def __init__(
        self,
        per_label: np.ndarray,
        sums: np.ndarray,
        kept: Iterable[Count] = (),
        extra: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self.per_label = np.ascontiguousarray(per_label, dtype=np.float64)
        self.sums = np.ascontiguousarray(sums, dtype=np.float64)
        if self.per_label.ndim != 2 or len(self.per_label) != 3:
            raise ValueError(f"per_label has the shape {self.per_label.shape}; it must be (3, n_labels)")
        if self.sums.shape != (len(TERMS),):
            raise ValueError(f"sums has the shape {self.sums.shape}; it must be ({len(TERMS)},)")
        self.kept = tuple(kept)
        self.extra = {count.name: _own_sum(count, (extra or {}).get(count.name)) for count in self.kept}
        if self.kept:
            self._check_sizes()

    def _check_sizes(self) -> None:
        known: dict[str, int] = {"labels": self.n_labels}
        for count in self.kept:
            found = self.extra[count.name].shape
            right = len(found) == len(count.shape)
            for size, name in zip(found, count.shape, strict=False):
                right = right and size == (known.setdefault(name, size) if isinstance(name, str) else name)
            if not right:
                shape = ", ".join(str(known.get(n, n) if isinstance(n, str) else n) for n in count.shape)
                raise ValueError(f"{count.name} has the shape {found}; it must be ({shape})")
        if known.get("bins", 2) < 2:
            raise ValueError(f"bins={known['bins']}: a histogram must have at least 2")

    @classmethod
    def zeros(
        cls, n_labels: int, kept: Iterable[Count] = (), *, n_levels: int | None = None, n_bins: int = DEFAULT_BINS
    ) -> Counts:
        """Counts of no instance.

        Parameters
        ----------
        n_labels
            Number of labels, from 0.
        kept
            Counts to be kept beside ``TERMS`` and those per label; default none.
        n_levels
            Levels of the labels' hierarchy (``Hierarchy.n_levels``), for counts that need one.
        n_bins
            Bins of each score histogram, for counts that have some: 1025 by default, which resolve 1/1024.

        Raises
        ------
        ValueError
            If ``n_labels`` is below 0, ``n_bins`` below 2, two counts have one name, or a count needs a hierarchy and
            ``n_levels`` is None.
        """
        checked_count("n_labels", n_labels)
        checked_count("n_bins", n_bins, 2)
        kept = distinct(kept)
        classes = any(count.needs_classes for count in kept)
        extra = {count.name: np.zeros(count.sizes(n_labels, n_levels, n_bins, classes=classes)) for count in kept}
        return cls(np.zeros((3, n_labels)), np.zeros(len(TERMS)), kept, extra)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return int(self.per_label.shape[1])

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
        """The sum over the instances of one of ``TERMS``, or of a further count that is one number.

        Raises
        ------
        KeyError
            If there is no such term.
        """
        return float(self.sums[_INDEX[term]] if term in _INDEX else self.extra[term])

    def count(
        self,
        Y: Any,
        Z: Any,
        scores: Any = None,
        *,
        fading: float = 1.0,
        hierarchy: Hierarchy | None = None,
        past: Past | None = None,
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
            That of the labels, where a count needs it.
        past
            The classes before these rows, where a count needs it (``Past.none(n_labels)``: there are none).

        Raises
        ------
        ValueError
            If ``fading`` is out of range, or as ``Batch`` says; nothing is counted then.
        """
        check_fading(fading)
        self.add_batch(Batch(Y, Z, scores, counts=self.kept, hierarchy=hierarchy, past=past), fading)
        return self

    def add_batch(self, batch: Batch, fading: float = 1.0) -> None:
        """Add a checked batch, in place: what ``count`` does, for a batch that goes into several counts.

        Raises
        ------
        ValueError
            If the batch is for other labels or without one of these counts; nothing is counted then.
        """
        if batch.Y.shape[1] != self.per_label.shape[1]:
            raise ValueError(f"Y has {batch.n_labels} columns; these counts are of {self.n_labels} labels")
        if self.kept:
            self._check_batch(batch)
        _kernels.accumulate(batch.Y, batch.Z, batch.terms, fading, self.per_label, self.sums)
        if self.kept:
            self._add_extra(batch, fading)

    def _check_batch(self, batch: Batch) -> None:
        for name, total in self.extra.items():
            if name not in batch.extra:
                raise ValueError(f"these counts have {name!r}; expected a batch with it")
            terms = batch.extra[name]
            if terms is not None and terms.shape[1:] != total.shape:
                raise ValueError(f"count {name!r} has the shape {total.shape}; the batch's is {terms.shape[1:]}")

    def _add_extra(self, batch: Batch, fading: float) -> None:
        for count in self.kept:
            total, terms = self.extra[count.name], batch.extra[count.name]
            if total.size and math.isnan(total.item(0)):
                continue  # its function failed once, and the sum is not known any more
            if terms is not None:
                _kernels.accumulate_terms(terms.reshape(len(batch), total.size), fading, total.reshape(total.size))
            elif count.add is not None and not (count.needs_scores and batch.scores is None):
                _add_by_itself(count, count.add, batch, fading, total)
            elif fading != 1.0:
                total *= fading ** len(batch)

    def add(self, other: Counts) -> None:
        """Add other counts, in place.

        Raises
        ------
        ValueError
            If they are of other labels, or other counts are kept.
        """
        other.require_shapes_of(self)
        self.per_label += other.per_label
        self.sums += other.sums
        for name, total in self.extra.items():
            total += other.extra[name]

    def require_shapes_of(self, other: Counts) -> None:
        """Raise ``ValueError`` unless these are counts of the same labels and of the same kinds as others."""
        if other.n_labels != self.n_labels or other._shapes() != self._shapes():
            raise ValueError(f"{self._described()}; expected {other._described()}")

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        return {name: total.shape for name, total in self.extra.items()}

    def _described(self) -> str:
        return ", ".join((f"{self.n_labels} labels", *(f"{name} {shape}" for name, shape in self._shapes().items())))

    def merge(self, other: Counts) -> Counts:
        """The counts of both parts, as new counts.

        Faded counts of a stream in two pieces are ``first.scaled(fading ** rows_of_second).merge(second)``.

        Raises
        ------
        ValueError
            If they are of other labels, or other counts are kept.
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
        checked_number("factor", factor)
        extra = {name: total * factor for name, total in self.extra.items()}
        return Counts(self.per_label * factor, self.sums * factor, self.kept, extra)

    def clear(self) -> None:
        """Forget every instance, in place."""
        self.per_label[:] = 0.0
        self.sums[:] = 0.0
        for total in self.extra.values():
            total[...] = 0.0

    def copy(self) -> Counts:
        """Counts of their own with the same values."""
        twin = object.__new__(Counts)  # a snapshot is taken often: no second look at shapes
        twin.per_label = self.per_label.copy()
        twin.sums = self.sums.copy()
        twin.kept = self.kept
        twin.extra = {name: total.copy() for name, total in self.extra.items()}
        return twin

    def for_function(self, function: Callable[..., Any]) -> Counts:
        """Return what a function is given: itself, or sums that one of another package cannot change."""
        if not is_foreign(function):
            return self
        shown = object.__new__(Counts)
        shown.per_label, shown.sums, shown.kept = read_only(self.per_label), read_only(self.sums), self.kept
        shown.extra = {name: read_only(total) for name, total in self.extra.items()}
        return shown

    def state(self) -> dict[str, np.ndarray]:
        """A flat dictionary of copies: ``per_label``, ``sums`` and, by their names, the further counts."""
        twin = self.copy()
        return {"per_label": twin.per_label, "sums": twin.sums, **twin.extra}

    def __repr__(self) -> str:
        return f"Counts(n={self.n:g}, n_labels={self.n_labels}, kept={list(self.extra)})"


def check_fading(fading: float) -> float:
    """Return ``fading``, or raise ``ValueError`` unless 0 < fading <= 1."""
    return checked_number("fading", fading, 0, 1, above=True)


def distinct(counts: Iterable[Count]) -> tuple[Count, ...]:
    """The counts, each once.

    Raises
    ------
    ValueError
        If two different ones have the same name.
    """
    by_name: dict[str, Count] = {}
    for count in counts:
        if by_name.setdefault(count.name, count) != count:
            raise ValueError(f"two different counts are called {count.name!r}")
    return tuple(by_name.values())


def _add_by_itself(count: Count, add: Callable[..., Any], batch: Batch, fading: float, total: np.ndarray) -> None:
    try:
        answer = add(batch.for_function(add), fading, total)
    except Exception as error:  # user code may raise anything
        batch.failed(CountFailure(count, f"its add raised {with_type(error)}"), error)
        total[...] = np.nan
        return
    if answer is not None and answer is not total:
        what = f"its add returned a {type(answer).__name__}; expected it to change total in place and return nothing"
        batch.failed(CountFailure(count, what))
        total[...] = np.nan


def _own_sum(count: Count, total: np.ndarray | None) -> np.ndarray:
    if total is None:
        raise ValueError(f"the sum of the count {count.name!r} is missing")
    return np.asarray(total, dtype=np.float64, order="C")
