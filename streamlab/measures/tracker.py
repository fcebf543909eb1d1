"""Measures of one learner along a stream: cumulative, faded, of the last chunk, of each tenth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from streamlab._checks import check_unique, checked_choice, checked_count
from streamlab.measures.batch import Batch, Count, CountFailure, Past
from streamlab.measures.catalogue import (
    MEASURES,
    default_measures,
    evaluate,
    measure_names,
    unasked_measures,
    value_of,
)
from streamlab.measures.classes import ANSWERS, MOST_CLASSES, Recent, with_classes
from streamlab.measures.counts import DEFAULT_BINS, Counts, check_fading, distinct
from streamlab.measures.hierarchical import LEVELS
from streamlab.measures.measure import Measure, check_zero_division
from streamlab.plugins import read_only
from streamlab.schema import Hierarchy

__all__ = ["AVERAGES", "DEFAULT_FADING", "Tracker"]

AVERAGES = ("cumulative", "faded", "chunk")
"""Over what a value may be read: all rows, all rows with the older ones fading, the rows of the last chunk."""

DEFAULT_FADING = 0.995
"""Weight of an instance relative to the next, of the MLHAT paper's prequential evaluation (section 4.1.3)."""

_N_TENTHS = 10


class Tracker:
    """Counts a learner's predictions chunk by chunk and gives its measures on demand.

    Cutting a stream differently changes no value but those of the chunk: each row is counted by itself, in order.

    Parameters
    ----------
    labels
        Names of the labels, in the order of the columns.
    measures
        Names from ``MEASURES``, or measures, that ``values`` gives; None, the default, is ``DEFAULT_MEASURES``, with a
        hierarchy also ``HIERARCHICAL_MEASURES``, and the measures of other packages. The counts that they bring are
        kept. With ``"macro_average_precision"`` score histograms are kept, 16 * n_labels * n_bins bytes for each of the
        cumulative and faded counts and each begun tenth, and scores must lie in 0 to 1; the chunk's value is exact.
    zero_division
        The value of 0/0, 0.0 (default, as River) or 1.0; see ``evaluate``. It is applied when values are read.
    fading
        Weight of an instance relative to the next, above 0 to 1: 0.995, the MLHAT paper's, halves in 138 instances.
    n_rows
        Rows of the whole stream, if known: then tenths are counted too. Row r, from 0, belongs to tenth
        floor(10 r / n_rows) + 1; a chunk across a boundary is split.
    n_bins
        Bins of each score histogram, 1025 by default: scores on the grid k/1024 are kept exactly, others that share a
        bin count as equal. Used by ``"macro_average_precision"`` alone.
    hierarchy
        That of the labels, for the hierarchical measures; None where there is none.
    classes
        Whether each row has exactly one of the labels, its class: the default measures are those of classes then. A
        tuple: the classes as the stream has them, which River's metrics may ask for (``pos_val``); else the labels.

    Raises
    ------
    ValueError
        If a parameter is out of range, a measure unknown, or a label's name is repeated.

    Examples
    --------
    >>> tracker = Tracker(["a", "b"], measures=["subset_accuracy", "micro_f1"])
    >>> tracker.update([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    >>> tracker.values()
    {'subset_accuracy': 0.5, 'micro_f1': 0.8}
    """

    labels: tuple[str, ...]
    measures: tuple[str, ...]
    zero_division: float
    fading: float
    row: int
    unasked: frozenset[str]

    def __init__(
        self,
        labels: Iterable[str],
        measures: Iterable[str | Measure] | None = None,
        *,
        zero_division: float = 0.0,
        fading: float = DEFAULT_FADING,
        n_rows: int | None = None,
        n_bins: int = DEFAULT_BINS,
        hierarchy: Hierarchy | None = None,
        classes: bool | tuple[Any, ...] = False,
    ) -> None:
        self.labels = _as_names(labels)
        if hierarchy is not None and len(hierarchy) != len(self.labels):
            raise ValueError(f"hierarchy has {len(hierarchy)} labels; expected {len(self.labels)}")
        self.hierarchy = hierarchy
        own = classes if isinstance(classes, tuple) else self.labels
        self.past = Past.none(self.n_labels, own) if classes else None
        """The classes counted so far; None where rows have label sets."""
        given = default_measures(hierarchy is not None, bool(classes)) if measures is None else measure_names(measures)
        self.measures = given
        known = {name: MEASURES[name] for name in given}
        for measure in known.values():
            measure.refuse_without(hierarchy=hierarchy is not None, classes=bool(classes))
        self.zero_division = check_zero_division(zero_division)
        self.fading = check_fading(fading)
        checked_count("n_rows", n_rows, optional=True)
        self.n_rows = n_rows
        self.n_bins = n_bins
        self.row = 0
        """Rows counted so far."""
        checked_count("n_bins", n_bins, 2)
        asked = [count for measure in known.values() for count in measure.counts]
        if classes:
            asked = with_classes(asked, self.n_labels)
        # the levels, and what was answered as what, are shown beside the measures, whichever these are
        shown = (LEVELS,) * (hierarchy is not None) + (ANSWERS,) * (bool(classes) and len(self.labels) <= MOST_CLASSES)
        self.kept: tuple[Count, ...] = distinct((*shown, *asked))
        """Counts beside the built-in ones."""
        self.recent = Recent.of([], [], []) if ANSWERS in self.kept else None
        """What was answered to the latest rows; None where no confusion matrix is kept."""
        self.unasked = unasked_measures(self.measures, hierarchy is not None, bool(classes))
        """Measures of other packages that nobody named: NaN where they fail, with a warning."""
        named = [count for name in given if name not in self.unasked for count in known[name].counts]
        self._needed = {count.name for count in (LEVELS, ANSWERS, *named)}
        self._cumulative = self._zeros(self.kept)
        self._faded = self._zeros(self.kept)
        self._chunk = self._zeros(self.kept_along)
        self._tenths: dict[int, Counts] = {}  # by tenth from 0; with less than ten rows some never begin
        # The last chunk's Y and scores, for measures that are exact only over rows; None where not kept or unscored.
        self._chunk_rows: tuple[np.ndarray, np.ndarray] | None = None
        self._exact = frozenset([name for name in given if known[name].of_rows is not None])
        if self._exact:
            self._chunk_rows = (np.zeros((0, self.n_labels), dtype=np.uint8), np.zeros((0, self.n_labels)))

    def _zeros(self, kept: tuple[Count, ...]) -> Counts:
        return Counts.zeros(self.n_labels, kept, n_levels=self.n_levels, n_bins=self.n_bins)

    @property
    def kept_along(self) -> tuple[Count, ...]:
        """Those of ``kept`` that are kept for each chunk, and so have curves."""
        return tuple(count for count in self.kept if count.has_curve)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.labels)

    @property
    def n_levels(self) -> int | None:
        """Levels of the hierarchy, None where there is none."""
        return None if self.hierarchy is None else self.hierarchy.n_levels

    def counted(self, Y: Any, Z: Any, scores: Any = None, past: Past | None = None) -> Counts:
        """New counts of these rows alone, which this tracker does not count; parameters as ``batch``."""
        counts = self._zeros(self.kept_along)
        counts.add_batch(self.batch(Y, Z, scores, counts.kept, past))
        return counts

    def batch(self, Y: Any, Z: Any, scores: Any, counts: tuple[Count, ...], past: Past | None) -> Batch:
        """Return rows ready to be counted by some counts, which this tracker does not count; others as ``update``.

        ``past`` is what the tracker's own was before these rows.
        """
        return Batch(Y, Z, scores, counts=counts, hierarchy=self.hierarchy, past=past, on_failure=self._on_failure)

    def _on_failure(self, failure: CountFailure) -> None:
        """Say which measures need a count that failed; it becomes NaN if none of them was asked for by name."""
        if failure.count.name in self._needed:
            MEASURES.refuse(failure, self.measures)
        for name in self.measures:
            if failure.count in MEASURES[name].counts:
                MEASURES.warn(name, str(failure))

    def update(self, Y: Any, Z: Any, scores: Any = None) -> None:
        """Count a chunk of rows.

        Parameters
        ----------
        Y, Z
            Arrays of shape (n, n_labels), of 0 and 1 or bool: true labels, and those predicted before learning. A
            prediction of ``{}`` (cold start) is a row of zeros: predicted empty.
        scores
            Array of shape (n, n_labels), higher is more likely, or None: rows without scores are left out of the
            ranking measures.

        Raises
        ------
        ValueError
            If shapes differ or are not for these labels, a value is not allowed, or more rows come than ``n_rows``.
            Says which. Nothing has been counted then.
        """
        batch = self.batch(Y, Z, scores, self.kept, self.past)
        n, n_labels = batch.Y.shape
        if n_labels != len(self.labels):
            raise ValueError(f"Y has {batch.n_labels} columns; expected {self.n_labels} labels")
        if self.n_rows is not None:
            if self.row + n > self.n_rows:
                raise ValueError(f"n_rows={self.n_rows}, but with this chunk {self.row + n} rows have come")
            self._add_to_tenths(batch, self.n_rows)
        self._cumulative.add_batch(batch)
        self._faded.add_batch(batch, self.fading)
        self._chunk.clear()
        self._chunk.add_batch(batch)
        if self._exact:
            self._chunk_rows = None if batch.scores is None else (batch.Y.copy(), batch.scores.copy())
        if self.past is not None:
            self.past = self.past.after(batch.Y)
        if self.recent is not None:
            self.recent = self.recent.after(batch)
        self.row += n

    def _add_to_tenths(self, batch: Batch, n_rows: int) -> None:
        done, n = 0, len(batch.Y)
        while done < n:
            tenth = _N_TENTHS * (self.row + done) // n_rows
            left = _tenth_start(tenth + 1, n_rows) - (self.row + done)
            stop = min(n, done + left)
            if tenth not in self._tenths:
                self._tenths[tenth] = fresh = self._cumulative.copy()
                fresh.clear()
            self._tenths[tenth].add_batch(batch if stop - done == n else batch.rows(done, stop))
            done = stop

    def counts(self, over: str = "cumulative") -> Counts:
        """The counts themselves, to be read only.

        Parameters
        ----------
        over
            One of ``AVERAGES``.

        Raises
        ------
        ValueError
            If ``over`` is not one of them.
        """
        known = {"cumulative": self._cumulative, "faded": self._faded, "chunk": self._chunk}
        if not isinstance(over, str) or over not in known:
            checked_choice("over", over, AVERAGES)
        return known[over]

    def values(self, over: str = "cumulative", names: Iterable[str] | str | None = None) -> dict[str, float]:
        """The measures' values; only those asked for are computed.

        Parameters
        ----------
        over
            ``"cumulative"``, ``"faded"`` or ``"chunk"``.
        names
            Of ``MEASURES``. None, the default, is this tracker's ``measures``, without those that need scores when none
            came.

        Returns
        -------
        dict
            Name to value.

        Raises
        ------
        ValueError
            If ``over`` or a name is unknown, or a named measure needs scores that never came or histograms not kept; if
            a measure fails, unless it is one of ``unasked``.
        """
        counts = self.counts(over)
        if over == "chunk" and self._chunk_rows is not None:
            wanted = self.measures if names is None else measure_names(names)
            others = [name for name in wanted if MEASURES[name].of_rows is None]
            values = self._evaluated(counts, others)
            for name in wanted:
                of_rows = MEASURES[name].of_rows
                if of_rows is not None:
                    Y, scores = map(read_only, self._chunk_rows)
                    value = partial(of_rows, Y, scores, self.zero_division)
                    values[name] = value_of(name, value, is_unasked=name in self.unasked)
            return {name: values[name] for name in wanted}
        return self._evaluated(counts, self._available(counts) if names is None else names)

    def value(self, name: str, over: str = "cumulative") -> float:
        """One measure's value; parameters and errors as ``values``."""
        return self.values(over, (name,))[name]

    def _evaluated(self, counts: Counts, names: Iterable[str] | str) -> dict[str, float]:
        return evaluate(counts, names, zero_division=self.zero_division, unasked=self.unasked)

    def _available(self, counts: Counts) -> Sequence[str]:
        return [name for name in self.measures if MEASURES[name].available(counts)]

    def tenths(self) -> list[dict[str, float]]:
        """The measures over each tenth of the stream in which a row has been counted, in order.

        Returns
        -------
        list of dict
            For each such tenth ``tenth`` (1 to 10), ``start`` and ``stop`` (its rows counted so far: from start to just
            before stop) and the measures, without those that need scores when none came. Empty if ``n_rows`` is None.
        """
        rows = []
        for tenth, counts in self._tenths.items():
            start = _tenth_start(tenth, self.n_rows or 0)
            row: dict[str, float] = {"tenth": tenth + 1, "start": start, "stop": start + int(counts.n)}
            row.update(self._evaluated(counts, self._available(counts)))
            rows.append(row)
        return rows

    def copy(self) -> Tracker:
        """A tracker of its own with the same counts."""
        twin = object.__new__(Tracker)
        twin.__dict__.update(self.__dict__)
        twin._cumulative = self._cumulative.copy()
        twin._faded = self._faded.copy()
        twin._chunk = self._chunk.copy()
        twin._tenths = {tenth: counts.copy() for tenth, counts in self._tenths.items()}
        return twin  # the last chunk's ranks are replaced, never changed

    def state(self) -> dict[str, Any]:
        """The whole state as a flat dictionary of arrays and plain values, copied.

        Arrays are named ``cumulative.sums``, ``faded.per_label``, ``tenth_3.sums`` and so on; tenths count from 0.
        """
        state: dict[str, Any] = {
            "row": self.row,
            **({} if self.past is None else {"last_class": self.past.last, "classes": self.past.counts.copy()}),
        }
        parts = {"cumulative": self._cumulative, "faded": self._faded, "chunk": self._chunk}
        parts.update({f"tenth_{tenth}": counts for tenth, counts in self._tenths.items()})
        for part, counts in parts.items():
            state.update({f"{part}.{name}": array for name, array in counts.state().items()})
        if self.recent is not None:
            state |= {f"recent.{name}": values.copy() for name, values in self.recent._asdict().items()}
        if self._chunk_rows is not None:
            state["chunk.Y"], state["chunk.scores"] = (array.copy() for array in self._chunk_rows)
        return state

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()`` of a tracker that was made as this one; its arrays are this one's from now on."""
        self.row = state["row"]
        self._cumulative, self._faded = (self._restored(state, part, self.kept) for part in ("cumulative", "faded"))
        self._chunk = self._restored(state, "chunk", self.kept_along)
        tenths = [tenth for tenth in range(_N_TENTHS) if f"tenth_{tenth}.sums" in state]
        self._tenths = {tenth: self._restored(state, f"tenth_{tenth}", self.kept) for tenth in tenths}
        if self.past is not None:
            self.past = self.past._replace(last=state["last_class"], counts=state["classes"])
        if self.recent is not None:
            self.recent = Recent(*(state[f"recent.{name}"] for name in Recent._fields))
        self._chunk_rows = (state["chunk.Y"], state["chunk.scores"]) if "chunk.Y" in state else None

    @staticmethod
    def _restored(state: Mapping[str, Any], part: str, kept: tuple[Count, ...]) -> Counts:
        extra = {count.name: state[f"{part}.{count.name}"] for count in kept}
        return Counts(state[f"{part}.per_label"], state[f"{part}.sums"], kept, extra)

    def __repr__(self) -> str:
        return f"Tracker(n_labels={self.n_labels}, row={self.row}, measures={len(self.measures)})"


def _tenth_start(tenth: int, n_rows: int) -> int:
    return -(-tenth * n_rows // _N_TENTHS)


def _as_names(labels: Iterable[str]) -> tuple[str, ...]:
    if isinstance(labels, (str, int)):
        raise ValueError(f"labels={labels!r} must be a sequence of names")
    names = tuple(labels)
    check_unique("labels: the name", names)
    return names
