"""When labels become known: at once, after a delay, in part, or never."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from streamlab.schema import Hierarchy
from streamlab.streams._columns import is_count
from streamlab.streams.changes.changes import checked_share
from streamlab.streams.changes.drift import Changed, checked_seed, key_base, uniform
from streamlab.streams.stream import Stream

__all__ = ["NEVER", "Labelled", "Labelling", "delay_labels", "hide_labels"]

NEVER = np.iinfo(np.int64).max
MAX_DELAY = 10**9


@dataclass(frozen=True)
class Delay:
    """From ``low`` to ``high`` rows, drawn uniformly for each row."""

    low: int
    high: int
    seed: int
    key: int

    def rows(self, rows: np.ndarray) -> np.ndarray:
        """The delay of each row; int64."""
        if self.low == self.high:
            return np.full(len(rows), self.low, np.int64)
        draws = uniform(self.seed, self.key, rows)
        return self.low + np.floor(draws * (self.high - self.low + 1)).astype(np.int64)


@dataclass(frozen=True)
class Hiding:
    """A share of the instances (``per="instance"``) or of the single labels (``"label"``) that stays unknown."""

    share: float
    per: str
    seed: int
    key: int

    def instances(self, rows: np.ndarray) -> np.ndarray:
        """Whether each row's labels never arrive; bool of shape (n,)."""
        if self.per == "label":
            return np.zeros(len(rows), bool)
        return uniform(self.seed, self.key, rows) < self.share

    def labels(self, rows: np.ndarray, n_labels: int) -> np.ndarray:
        """Whether each label of each row is hidden; bool of shape (n, n_labels)."""
        if self.per == "instance":
            return np.repeat(self.instances(rows)[:, None], n_labels, axis=1)
        keys = self.key + np.arange(n_labels, dtype=np.int64)
        return uniform(self.seed, keys[None, :], rows[:, None]) < self.share


@dataclass(frozen=True)
class Labelling:
    """When a learner is told the labels of an instance, and which; a pure function of the rows' positions.

    ``Stream.labelling`` holds it, ``delay_labels`` and ``hide_labels`` make it. Delays add; hidden is what any of the
    hidings hides.

    Parameters
    ----------
    delays, hidings
        Its parts.
    hierarchy
        That of the labels, or None: the labels below a hidden one are hidden with it, so that a learner is always told
        a set of labels that the hierarchy allows.
    """

    delays: tuple[Delay, ...] = ()
    hidings: tuple[Hiding, ...] = ()
    hierarchy: Hierarchy | None = None

    @property
    def max_delay(self) -> int:
        """The longest delay that can occur, in rows: a bound for buffers."""
        return sum(delay.high for delay in self.delays)

    def arrives(self, rows: np.ndarray) -> np.ndarray:
        """When the labels of the instances at these positions become known.

        Parameters
        ----------
        rows
            Positions in the stream, integers of shape (n,).

        Returns
        -------
        numpy.ndarray
            int64 of shape (n,): the labels of row t become known right after the instance at this position has been
            predicted (t itself: before t + 1 is), or ``NEVER``.
        """
        rows = np.asarray(rows, np.int64)
        arrival = rows.copy()
        for delay in self.delays:
            arrival += delay.rows(rows)
        for hiding in self.hidings:
            arrival[hiding.instances(rows)] = NEVER
        return arrival

    def told(self, Y: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """What the learner is told of the labels.

        Parameters
        ----------
        Y
            The true labels, uint8 of shape (n, n_labels).
        rows
            The instances' positions in the stream, integers of shape (n,).

        Returns
        -------
        numpy.ndarray
            uint8 of shape (n, n_labels): Y itself where nothing is ever hidden, else a copy with 0 for hidden labels
            (all of them where they never arrive).
        """
        if not self.hidings:
            return Y
        rows = np.asarray(rows, np.int64)
        n_labels = Y.shape[1]
        hidden = np.zeros(Y.shape, bool)
        for hiding in self.hidings:
            hidden |= hiding.labels(rows, n_labels)
        if self.hierarchy is not None:
            for label in sorted(range(n_labels), key=self.hierarchy.depth):
                for parent in self.hierarchy.parents_of(label):
                    hidden[:, label] |= hidden[:, parent]
        return np.where(hidden, np.uint8(0), Y)


class Labelled(Changed):
    """A stream whose labels become known late or not at all; X and Y are the truth, ``labelling`` says what is told."""

    def __init__(self, stream: Stream, part: Delay | Hiding, what: str) -> None:
        super().__init__(stream, what)
        below = Labelling(hierarchy=stream.schema.hierarchy) if stream.labelling is None else stream.labelling
        if isinstance(part, Delay):
            self.labelling = replace(below, delays=(*below.delays, part))
        else:
            self.labelling = replace(below, hidings=(*below.hidings, part))


def delay_labels(stream: Stream, delay: int | tuple[int, int], seed: int = 0) -> Labelled:
    """Let the labels of a stream become known late: verification latency.

    Parameters
    ----------
    stream
        Any stream.
    delay
        By how many rows, an integer from 0 to 1,000,000,000: the labels of row t become known right after row
        t + delay has been predicted; 0 is the usual order, test then train. Or a pair (low, high), both included, of
        which each row's delay is drawn uniformly; labels may then arrive in another order than their instances.
    seed
        For the draws, which depend on seed and row alone. A second ``delay_labels`` in the chain draws delays of its
        own from the same seed.

    Returns
    -------
    Labelled
        The same rows, with ``labelling``; it counts rows of the outermost stream, whatever is wrapped around, and
        delays in a chain add. Delays are no drift: ``drifts`` stays as it was.

    Raises
    ------
    ValueError
        If ``delay`` or ``seed`` is out of range.

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
    pair = (delay, delay) if not isinstance(delay, (tuple, list)) else tuple(delay)
    if len(pair) != 2 or not all(is_count(d) and 0 <= d <= MAX_DELAY for d in pair) or pair[0] > pair[1]:
        raise ValueError(
            f"delay={delay!r}: expected a number of rows from 0 to {MAX_DELAY:,}, or a pair of them, the smaller first"
        )
    part = Delay(int(pair[0]), int(pair[1]), checked_seed(seed), key_base("delay", stream, Labelled))
    return Labelled(stream, part, "labels delayed")


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
        For the draws, which depend on seed, row and label alone. A second ``hide_labels`` in the chain draws anew from
        the same seed.

    Returns
    -------
    Labelled
        The same rows with their true labels, which measures compare with, and ``labelling``, which says what a learner
        is told. Hidden labels are no drift: ``drifts`` stays as it was.

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
    >>> weak.labelling.told(chunk.Y, [0, 1]).tolist()
    [[1, 0, 1, 0], [1, 1, 0, 0]]
    """
    if per not in ("instance", "label"):
        raise ValueError(f"per={per!r}: expected 'instance' or 'label'")
    hiding = Hiding(checked_share(share, zero=True), per, checked_seed(seed), key_base("hide", stream, Labelled))
    return Labelled(stream, hiding, "labels hidden" if per == "instance" else "single labels hidden")
