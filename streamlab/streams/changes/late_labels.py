"""Labels that become known late, in part, or never."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from streamlab._checks import checked_choice, checked_count, checked_number, is_count, shown
from streamlab.streams.changes.drift_entry import DriftEntry
from streamlab.streams.labelling import Delay, Hiding, Labelling
from streamlab.streams.stream import Stream, recorded
from streamlab.streams.wrapped import WrappedStream, chain_key

__all__ = ["DELAY_LABELS", "HIDE_LABELS", "Labelled", "delay_labels", "hide_labels"]

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

    def __init__(self, stream: Stream, part: Delay | Hiding, what: str) -> None:
        super().__init__(stream, what)
        below = Labelling(hierarchy=stream.schema.hierarchy) if stream.labelling is None else stream.labelling
        kind = "delays" if isinstance(part, Delay) else "hidings"
        parts: Any = {kind: (*getattr(below, kind), part)}
        self.labelling = replace(below, **parts)


@recorded
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
        delays in a chain add. Delays are not a drift: ``drifts`` stays as it was.

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
            f"delay={shown(delay)}: expected a number of rows from 0 to {MAX_DELAY:,}, or a pair of them, "
            "the smaller first"
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
    >>> weak.labelling.told(chunk.Y, [0, 1]).tolist()
    [[1, 0, 1, 0], [1, 1, 0, 0]]
    """
    checked_choice("per", per, ("instance", "label"))
    hiding = Hiding(
        checked_number("share", share, 0, 1), per, checked_count("seed", seed), chain_key("hide", stream, Labelled)
    )
    return Labelled(stream, hiding, "labels hidden" if per == "instance" else "single labels hidden")


DELAY_LABELS = DriftEntry(delay_labels)
HIDE_LABELS = DriftEntry(hide_labels)
