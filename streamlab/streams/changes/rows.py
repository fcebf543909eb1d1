"""Changes of whole rows: which are left out, in which order they come, and when their labels become known."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from streamlab._checks import checked_choice, checked_count, checked_number, is_count, is_number, shown
from streamlab.streams.blocks import stacked
from streamlab.streams.changes.drift_entry import LABEL, WIDTH, Choice, DriftEntry
from streamlab.streams.changes.toggling import place_of
from streamlab.streams.draws import count_passed, key_base, uniform
from streamlab.streams.labelling import Delay, DelayByTime, Hiding, Labelling
from streamlab.streams.moments import MOST_YEARS, rows_until, span_of
from streamlab.streams.stream import Drift, Stream, makes, recorded
from streamlab.streams.wrapped import (
    WrappedStream,
    chain_key,
    check_labels_at_once,
    check_not_live,
    in_order,
    positions,
)

__all__ = ["Labelled", "PriorShift", "ShuffledRows", "delay_labels", "hide_labels", "prior_shift", "shuffle_rows"]

SHIFT = "prior shift"


class PriorShift(WrappedStream):
    """A stream without some rows, so that a label's odds change; see ``prior_shift`` for its parameters and errors.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = prior_shift(ArrayStream([[0.0]] * 200, [[1], [0]] * 100), "y0", 9.0, at=0)
    >>> type(stream).__name__, bool(next(stream.chunks(100)).Y.mean() > 0.7)
    ('PriorShift', True)
    """

    def __init__(
        self,
        stream: Stream,
        label: str | int,
        factor: float,
        at: int | Sequence[int],
        width: int = 1,
        seed: int = 0,
    ) -> None:
        check_not_live([stream], "leaving rows out")
        self.label = place_of(stream.schema.labels, label, "label", "label", stream.name)
        if not is_number(factor) or not 0 < factor < np.inf or factor == 1:
            raise ValueError(f"factor={factor!r}: expected a positive, finite number other than 1")
        name = stream.schema.labels[self.label]
        super().__init__(stream, f"{name} {'more frequent' if factor > 1 else 'rarer'}")
        if stream.labelling is not None and any(isinstance(each, DelayByTime) for each in stream.labelling.delays):
            raise ValueError(
                f"{stream.name}: its labels come late by their rows' times; expected no rows to be left out after that"
            )
        self.moments = None
        self.factor = float(factor)
        self.seed = checked_count("seed", seed)
        self.width = checked_count("width", width, 1)
        self.at = positions(at, stream, apart=self.width)
        self._key = key_base(SHIFT)
        self._kept_key = chain_key("prior shift, kept", stream, PriorShift)
        how = "more frequent" if factor > 1 else "rarer"
        odds = f"its odds are {factor:.3g} times what they were"
        about = f"{name} became {how}: {odds} (rows are left out for that: later changes come sooner)"
        self._own = tuple(Drift(position, self.width, SHIFT, about) for position in self.at)

    @property
    def n_rows(self) -> int | None:  # type: ignore[override]
        return None

    @cached_property
    def drifts(self) -> tuple[Drift, ...]:  # type: ignore[override]
        """The ground truth; drifts of the stream below move with their rows, which takes one reading of it."""
        below = self.stream.drifts
        edges = {edge for drift in below for edge in (drift.start, drift.start + drift.width)}
        moved = self._moved(sorted(edge for edge in edges if edge > self.at[0]))
        shifted = []
        for drift in below:
            start = moved.get(drift.start, drift.start)
            if start is not None:  # else its rows were never reached
                end = moved.get(drift.start + drift.width, drift.start + drift.width)
                width = drift.width if end is None else max(end - start, 1)
                shifted.append(replace(drift, start=start, width=width))
        return in_order((*shifted, *self._own))

    def row_below(self, row: int) -> int | None:
        """Return the position in the stream below; None once rows have been left out."""
        return row if row < self.at[0] else None

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for X, Y, _, kept, at in self._sifted(min(start, self.at[0])):
            kept = kept[max(start - at, 0) :]
            if len(kept) == len(Y):
                yield X, Y
            elif len(kept):
                yield X[kept], Y[kept]

    def _sifted(self, start: int) -> Iterator[tuple[np.ndarray, np.ndarray, int, np.ndarray, int]]:
        """From row ``start``, at most ``at[0]``: blocks below, their position, the indices kept, the first's position.

        Up to ``at[0]`` every row is kept, so that both streams have the same positions there.
        """
        inner = outer = start
        for X, Y in self.stream.checked_blocks(start):
            kept = self._kept(Y[:, self.label] != 0, inner, outer)
            yield X, Y, inner, kept, outer
            inner += len(Y)
            outer += len(kept)

    def _kept(self, has_label: np.ndarray, inner: int, outer: int) -> np.ndarray:
        """Return the indices of the rows kept of a block.

        Its first row has the position ``inner`` in the stream below and ``outer`` here.

        Row ``outer`` here lies behind a number k of the positions (drawn within their widths), and is the next row
        below whose draw lies under the k-th power of its chance.
        """
        n = len(has_label)
        chance = np.where(has_label, min(1.0, self.factor), min(1.0, 1.0 / self.factor))
        draw = uniform(self.seed, self._kept_key, np.arange(inner, inner + n))
        kept = [np.empty(0, np.int64)]
        i = 0
        while i < n:
            k = int(np.searchsorted(self.at, outer, side="right"))
            end = self.at[k - 1] + self.width if k else 0
            if outer < end and self.width > 1:  # row by row: which draw is asked for depends on how many were kept
                last = min(end, outer + n - i)
                behind = count_passed(np.arange(outer, last), self.at, self.width, self.seed, self._key)
                good = np.stack([draw < chance ** (k - 1), draw < chance**k]).tolist()
                taken = []
                for power in (behind - (k - 1)).tolist():
                    while i < n and not good[power][i]:
                        i += 1
                    if i == n:
                        break
                    taken.append(i)
                    i += 1
                found = np.array(taken, np.int64)
            else:
                found = i + np.flatnonzero(draw[i:] < chance[i:] ** k)
                room = self.at[k] - outer if k < len(self.at) else n + 1
                if len(found) >= room:
                    found = found[:room]
                    i = int(found[-1]) + 1
                else:
                    i = n
            kept.append(found)
            outer += len(found)
        return np.concatenate(kept)

    def _moved(self, edges: Sequence[int]) -> dict[int, int | None]:
        """Return the positions here of the rows at these ascending positions below, all behind ``at[0]``.

        Where a row is left out, that of the next one kept; None where none follows.
        """
        found: dict[int, int | None] = dict.fromkeys(edges)
        left = list(edges)
        if left:
            for _, Y, inner, kept, outer in self._sifted(self.at[0]):
                while left and left[0] <= inner + len(Y):
                    edge = left.pop(0)
                    found[edge] = outer + int(np.searchsorted(kept, edge - inner))
                if not left:
                    break
        return found


@makes(PriorShift)
def prior_shift() -> None:
    """Let a label become more frequent or rarer, by leaving out rows without it or with it.

    Parameters
    ----------
    stream
        Any stream.
    label
        The label, by name or by position counted from 0.
    factor
        What the label's odds are multiplied by: positive, finite, not 1. A row with the label is kept with the
        probability min(1, factor), one without with min(1, 1 / factor).
    at
        Where that begins, in rows of the resulting stream counted from 0, or a list of positions at least ``width``
        apart, each of which multiplies the odds again. The rows before pass unchanged.
    width
        Over how many rows of the resulting stream it comes about. 1 (default) is sudden; else the chance that a row is
        drawn with the new odds grows over ``[at, at + width)`` as a logistic curve from 0.7 % to 99.3 %.
    seed
        Which rows are left out: drawn for each from its position in the stream below, so that neither chunks nor the
        starting row have an influence.

    Returns
    -------
    PriorShift
        With fewer rows than ``stream``: how many is not known before reading (``n_rows`` is None, ``most_rows`` is the
        bound). The ground truth in ``drifts`` (kind ``"prior shift"``) is in rows of the resulting stream. So are the
        drifts of ``stream``, which takes a reading up to the last of them when ``drifts`` is first asked for, if one
        lies behind ``at``. Reading from a row behind ``at`` reads the stream below from ``at`` on.

    Raises
    ------
    ValueError
        If there is no such label, ``factor`` is out of range, or a position or parameter is.

    References
    ----------
    Prior probability shift: Moreno-Torres et al., "A unifying view on dataset shift in classification", Pattern
    Recognition 45 (2012), section 4.2. Made by rejection sampling, which changes nothing but the prior.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> plain = ArrayStream([[float(i)] for i in range(10)], [[i % 2] for i in range(10)])
    >>> next(prior_shift(plain, "y0", 1e-9, at=4).chunks()).X.ravel().tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0]
    """


FACTOR = Choice(
    "The label becomes",
    {
        "10 times rarer": 0.1,
        "3 times rarer": 1 / 3,
        "3 times as likely (odds)": 3.0,
        "10 times as likely (odds)": 10.0,
    },
    default=10.0,
)
PRIOR_SHIFT = DriftEntry(
    prior_shift, "Change a label's share", {"label": LABEL, "factor": FACTOR, "width": WIDTH},
    about="one becomes common or rare",
)  # fmt: skip


class ShuffledRows(WrappedStream):
    """A stream in a random order; see ``shuffle_rows`` for the parameters and errors.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = shuffle_rows(ArrayStream([[0.0], [1.0], [2.0]], [[1], [0], [0]]), seed=0)
    >>> type(stream).__name__, stream.row_below(0), next(stream.chunks()).X.ravel().tolist()
    ('ShuffledRows', 2, [2.0, 0.0, 1.0])
    """

    def __init__(self, stream: Stream, seed: int = 0) -> None:
        check_not_live([stream], "shuffling")
        if stream.n_rows is None:
            raise ValueError(f"{stream.name}: its length is not known; expected a stream of known length to shuffle")
        check_labels_at_once([stream], "the shuffling")
        super().__init__(stream, "shuffled")
        self.moments = None
        self._order = np.random.default_rng(checked_count("seed", seed)).permutation(stream.n_rows)

    @property
    def drifts(self) -> tuple[Drift, ...]:  # type: ignore[override]
        return ()

    def row_below(self, row: int) -> int | None:
        return int(self._order[row])

    @cached_property
    def _rows(self) -> tuple[Any, np.ndarray]:
        X, Y = zip(*self.stream.checked_blocks(0), strict=True)
        return stacked(X), np.concatenate(Y)

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        X, Y = self._rows
        order = self._order[start:]
        if len(order):
            yield X[order], Y[order]


@makes(ShuffledRows)
def shuffle_rows() -> None:
    """Put the rows of a stream in a random order.

    Files are often sorted, or come in bursts of equal labels, which flatters learners that follow the latest rows: one
    that repeats the labels of the row before has an F1 of .95 on *scene* as it is published.

    Parameters
    ----------
    stream
        A stream of known length; its rows are held in memory once they are read.
    seed
        Of the order.

    Returns
    -------
    ShuffledRows
        The same rows, without ``drifts``: what changed along the stream is spread over all of it.

    Raises
    ------
    ValueError
        If the length is not known, rows come live, labels come late or are hidden, or ``seed`` is out of range.

    Examples
    --------
    >>> import streamlab as sl
    >>> shuffle_rows(sl.load("yeast-rotated"), seed=1).drifts
    ()
    """


SHUFFLE_ROWS = DriftEntry(shuffle_rows)


MAX_DELAY = 10**9


class Labelled(WrappedStream):
    """A stream whose labels become known late or not at all; X and Y are the truth, ``labelling`` says what is told.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = delay_labels(ArrayStream([[0.0]] * 3, [[1]] * 3), 2)
    >>> type(stream).__name__, next(stream.chunks()).Y.ravel().tolist()
    ('Labelled', [1, 1, 1])
    """

    def __init__(self, stream: Stream, part: Delay | DelayByTime | Hiding, what: str) -> None:
        super().__init__(stream, what)
        below = Labelling(hierarchy=stream.schema.hierarchy) if stream.labelling is None else stream.labelling
        kind = "hidings" if isinstance(part, Hiding) else "delays"
        parts: Any = {kind: (*getattr(below, kind), part)}
        self.labelling = replace(below, **parts)


@recorded
def delay_labels(stream: Stream, delay: int | tuple[int, int] | datetime.timedelta | str, seed: int = 0) -> Labelled:
    """Let the labels of a stream become known late: verification latency.

    Parameters
    ----------
    stream
        Any stream.
    delay
        By how many rows, an integer from 0 to 1,000,000,000: the labels of row t become known right after row
        t + delay has been predicted; 0 is the usual order, test then train. River's ``delay`` is one more: d + 1 in
        ``progressive_val_score`` tells them right before row t + d + 1 is predicted. Or a pair (low, high), both
        included, of which each row's delay is drawn uniformly; labels may then arrive in another order than their
        instances. Or a span of time, a ``timedelta`` or a text such as ``"3 days"``, where rows have times
        (``moment=`` of ``load``): the labels of a row become known right before the first later row that is made so
        much later, or later still, is predicted; a span of 0 is the usual order. That is River's ``moment`` and
        ``delay``, without a step between. What no row of the stream is late enough for is not told.
    seed
        For the draws, which depend on seed and row alone. A second ``delay_labels`` in the chain draws delays of its
        own from the same seed. Of spans of time nothing is drawn.

    Returns
    -------
    Labelled
        The same rows, with ``labelling``; it counts rows of the outermost stream, whatever is wrapped around, and
        delays in a chain add. Delays are not a drift: ``drifts`` stays as it was.

    Raises
    ------
    ValueError
        If ``delay`` or ``seed`` is out of range, or ``delay`` is a span of time and rows have none.

    References
    ----------
    Žliobaitė, "Change with delayed labeling: when is it detectable?", ICDM Workshops 2010; Gomes et al., "A survey on
    semi-supervised learning for delayed partially labelled data streams", ACM Computing Surveys 55 (2022).

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> late = delay_labels(ArrayStream([[0.0]] * 3, [[1]] * 3), 50)
    >>> late.labelling.arrives([0, 1, 2]).tolist()
    [50, 51, 52]
    """
    span = span_of(delay) if isinstance(delay, (datetime.timedelta, str)) else None
    if span is not None:
        checked_count("seed", seed)
        if stream.moments is None:
            raise ValueError(
                f"{stream.name}: delay={shown(str(delay))}, and its rows have no times; expected a number of rows, or "
                "moment= in sl.load, the column of times"
            )
        return Labelled(stream, DelayByTime(rows_until(stream.moments, span)), "labels delayed")
    pair: Any = (delay, delay) if not isinstance(delay, (tuple, list)) else tuple(delay)
    if len(pair) != 2 or not all(is_count(d) and 0 <= d <= MAX_DELAY for d in pair) or pair[0] > pair[1]:
        raise ValueError(
            f"delay={shown(delay)}: expected a number of rows from 0 to {MAX_DELAY:,}, a pair of them, "
            "the smaller first, or a span of time up to "
            f"{MOST_YEARS} years, such as datetime.timedelta(hours=2) or '3 days'"
        )
    part = Delay(int(pair[0]), int(pair[1]), checked_count("seed", seed), chain_key("delay", stream, Labelled))
    return Labelled(stream, part, "labels delayed")


@recorded
def hide_labels(stream: Stream, share: float, per: str = "instance", seed: int = 0) -> Labelled:
    """Let a share of the labels of a stream never become known.

    Parameters
    ----------
    stream
        Any stream.
    share
        The probability from 0 to 1 that an instance, or a label of an instance, is hidden; independent draws.
    per
        ``"instance"`` (default): all labels of an instance or none, a semi-supervised stream. ``"label"``: single
        labels; the learner is told 0 for them and not which, so that it sees the labels of an instance in part (weak
        labels). In a hierarchy the labels below a hidden one are hidden with it.
    seed
        For the draws, which depend on seed, row and label alone. A second ``hide_labels`` in the chain draws
        independently from the same seed.

    Returns
    -------
    Labelled
        The same rows with their true labels, which measures compare with, and ``labelling``, which says what a learner
        is told. Hidden labels are not a drift: ``drifts`` stays as it was.

    Raises
    ------
    ValueError
        If ``share``, ``per`` or ``seed`` is out of range.

    References
    ----------
    Sun, Zhang and Zhou, "Multi-label learning with weak label", AAAI 2010, for ``"label"``; Gomes et al. (2022), see
    ``delay_labels``, for ``"instance"``.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> weak = hide_labels(ArrayStream([[0.0]] * 2, [[1, 1, 1, 1]] * 2), 0.5, per="label")
    >>> chunk = next(weak.chunks())
    >>> chunk.Y.tolist()
    [[1, 1, 1, 1], [1, 1, 1, 1]]
    >>> weak.labelling.labels_known(chunk.Y, [0, 1]).tolist()
    [[1, 0, 1, 0], [1, 1, 0, 0]]
    """
    checked_choice("per", per, ("instance", "label"))
    hiding = Hiding(
        checked_number("share", share, 0, 1), per, checked_count("seed", seed), chain_key("hide", stream, Labelled)
    )
    return Labelled(stream, hiding, "labels hidden" if per == "instance" else "single labels hidden")


DELAY_LABELS = DriftEntry(delay_labels)
HIDE_LABELS = DriftEntry(hide_labels)
