"""What a measure is: a function of counts, with its name, its meaning, and the counts that it brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from streamlab._checks import checked_text, is_number, shown, within
from streamlab.measures.batch import Count
from streamlab.measures.counts import Counts, distinct
from streamlab.papers import EXPECTED, are_papers
from streamlab.schema import Schema

__all__ = ["Measure"]


def check_zero_division(zero_division: float) -> float:
    """Return ``zero_division``, or raise ``ValueError`` unless it is 0.0 or 1.0."""
    # once for each measure of each point of a curve, so without more ado
    if zero_division not in (0.0, 1.0):
        raise ValueError(f"zero_division={zero_division!r}: expected 0.0 or 1.0")
    return float(zero_division)


def ratio(part: float, whole: float, zero_division: float) -> float:
    """``part / whole``, or ``zero_division`` where ``whole`` is 0."""
    return float(part / whole) if whole > 0.0 else zero_division


def ratios(part: np.ndarray, whole: np.ndarray, zero_division: float) -> np.ndarray:
    """``ratio`` element by element, for float64 arrays of one shape."""
    return np.divide(part, whole, out=np.full(whole.shape, zero_division), where=whole > 0.0)


def mean(values: np.ndarray, zero_division: float) -> float:
    """The mean, or ``zero_division`` of nothing."""
    return float(values.sum() / len(values)) if len(values) else zero_division


_OF_A_RUN = (
    "learner", "answered", "accuracy_of_answered",
    "instances", "seconds", "instances_per_second", "bytes", "position", "over", "tenth", "start", "stop",
)  # fmt: skip
_OF_A_CROSS_VALIDATION = ("repeat", "fold", "fit_seconds", "predict_seconds")
_OF_A_STUDY = ("stream", "seed", "status", "message", "rows", "cpu_seconds", "wall_seconds", "ended", "key", "value")
TABLE_COLUMNS = frozenset((*_OF_A_RUN, *_OF_A_CROSS_VALIDATION, *_OF_A_STUDY))
"""Columns of tables beside the measures: no measure may have these names."""


@dataclass(frozen=True)
class Measure:
    """One way to say how good the predictions are.

    Parameters
    ----------
    name
        As in tables and parameters; none of the other columns that tables have, such as ``"seconds"``.
    title
        As people read it, on an axis or in a menu.
    formula
        In words: Y true, Z predicted labels of an instance, L the number of labels.
    averaging
        Over what the mean is taken: ``"example"``, ``"micro"`` (all decisions pooled) or ``"macro"`` (the labels).
    value
        ``value(counts, zero_division)``: the value, a number; ``evaluate`` is for users. It is also called for counts
        of no instance.
    higher_is_better
        False for a loss.
    needs_scores
        Whether it judges scores rather than label sets.
    range
        Lowest and highest value.
    counts
        What it needs beside ``TERMS`` and the counts per label; kept where the measure is asked for.
    by_default
        Whether it is among the measures that are given where none is named; False for one whose counts are large, or
        that asks more of scores than that they rank.
    of_rows
        ``of_rows(Y, scores, zero_division)``: the exact value over some rows, where ``counts`` give it only nearly;
        used for the last chunk alone.
    papers
        What is cited for it: keys of ``papers.bib``, or BibTeX entries.

    Raises
    ------
    ValueError
        If a parameter is of another type, the name is that of a column of the tables, or two counts have one name.

    Examples
    --------
    A measure with a count of its own, which a package makes known by one line in its ``pyproject.toml``, under
    ``[project.entry-points."streamlab.measures"]``: ``coverage = "my_package:coverage"``.

    >>> from streamlab.measures import Count, Counts
    >>> from streamlab.measures.measure import ratio
    >>> covered = Count("covered", terms=lambda batch: (batch.Y <= batch.Z).all(axis=1))
    >>> coverage = Measure(
    ...     "coverage", "Coverage", "share of the instances whose labels are all predicted", "example",
    ...     lambda counts, zero_division: ratio(counts.total("covered"), counts.n, zero_division), counts=(covered,),
    ... )
    >>> coverage.value(Counts.zeros(2, coverage.counts).count([[1, 0], [1, 1]], [[1, 1], [0, 1]]), 0.0)
    0.5
    """

    name: str
    title: str
    formula: str
    averaging: str
    value: Callable[[Counts, float], float] = field(repr=False, compare=False)
    higher_is_better: bool = True
    needs_scores: bool = False
    range: tuple[float, float] = (0.0, 1.0)
    counts: tuple[Count, ...] = field(default=(), repr=False)
    by_default: bool = True
    of_rows: Callable[[np.ndarray, np.ndarray, float], float] | None = field(default=None, repr=False, compare=False)
    papers: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        for key in ("name", "title", "formula", "averaging"):
            checked_text(f"measure {self.name!r}: {key}", getattr(self, key))
        if self.name in TABLE_COLUMNS:
            raise ValueError(f"measure {self.name!r}: tables have a column of that name; expected another name")
        if not callable(self.value) or not (self.of_rows is None or callable(self.of_rows)):
            raise ValueError(f"measure {self.name!r}: expected functions as value and of_rows")
        ends = self.range if isinstance(self.range, (tuple, list)) else ()
        if len(ends) != 2 or not all(map(is_number, ends)) or not ends[0] < ends[1]:
            found = shown(self.range)
            raise ValueError(f"measure {self.name!r}: range={found}: expected its lowest and its highest value")
        if not isinstance(self.counts, tuple) or not all(isinstance(count, Count) for count in self.counts):
            kind = type(self.counts).__name__
            raise ValueError(f"measure {self.name!r}: counts is a {kind}; expected a tuple of Count, as in (count,)")
        if not are_papers(self.papers):
            raise ValueError(f"measure {self.name!r}: papers={shown(self.papers)}: expected {EXPECTED}")
        with within(f"measure {self.name!r}"):
            distinct(self.counts)

    def of(self, counts: Counts, zero_division: float) -> float:
        """Return ``value`` of counts, which a function of another package cannot change."""
        return self.value(counts.for_function(self.value), zero_division)

    @property
    def needs_hierarchy(self) -> bool:
        """Whether it takes a hierarchy of the labels."""
        return any(count.needs_hierarchy for count in self.counts)

    @property
    def needs_classes(self) -> bool:
        """Whether each row must have exactly one class."""
        return any(count.needs_classes for count in self.counts)

    def refuse(self, schema: Schema) -> None:
        """Raise a ValueError if it needs a hierarchy, or classes, and the labels of the schema are otherwise."""
        self.refuse_without(hierarchy=schema.hierarchy is not None, classes=schema.classes is not None)

    def refuse_without(self, *, hierarchy: bool, classes: bool) -> None:
        """Raise a ValueError if it needs a hierarchy of the labels, or classes, and there is none."""
        if self.needs_hierarchy and not hierarchy:
            raise ValueError(f"measure {self.name!r} needs a hierarchy of the labels, and there is none")
        if self.needs_classes and not classes:
            raise ValueError(f"measure {self.name!r} needs rows of exactly one class, and these have label sets")

    @property
    def has_curve(self) -> bool:
        """Whether its counts are kept for every point of a curve."""
        return all(count.has_curve for count in self.counts)

    def available(self, counts: Counts) -> bool:
        """Whether ``counts`` hold what it takes: scores, and the counts it brings."""
        return self.lacks(counts) is None

    def lacks(self, counts: Counts) -> str | None:
        """What it needs and ``counts`` lack, in words; None if nothing is missing."""
        lacking = [count for count in self.counts if count.name not in counts.extra]
        if any(count.needs_hierarchy for count in lacking):
            return next(count.lacking for count in lacking if count.needs_hierarchy)
        # Nothing counted yet is not an error: scores may come with the first rows.
        if self.needs_scores and counts.n > 0.0 and counts.total("scored") == 0.0:
            return "scores, and none came with the rows"
        return lacking[0].lacking if lacking else None
