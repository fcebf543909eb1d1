"""Drifts of labels: they rotate, two change places, one appears or vanishes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamlab._checks import checked_count, is_count
from streamlab.streams.changes.drift_entry import LABEL, WIDTH, DriftEntry, LabelChoice, has_flat_labels
from streamlab.streams.changes.toggling import Changed, TogglingDrift, moved_columns, pair_of, place_of
from streamlab.streams.draws import count_passed, ramp, uniform
from streamlab.streams.stream import Drift, Stream, makes
from streamlab.streams.wrapped import WrappedStream, positions

__all__ = ["MaskedLabel", "RotatedLabels", "SwappedLabels", "new_label", "rotate_labels", "swap_labels", "vanish_label"]

ROTATION = "label rotation"


class RotatedLabels(WrappedStream):
    """A stream whose labels change places; see ``rotate_labels`` for the parameters and errors.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = rotate_labels(ArrayStream([[0.0]] * 2, [[1, 0, 0]] * 2), at=1)
    >>> type(stream).__name__, next(stream.chunks()).Y.tolist()
    ('RotatedLabels', [[1, 0, 0], [0, 1, 0]])
    """

    def __init__(
        self,
        stream: Stream,
        at: int | Sequence[int] | None = None,
        width: int = 1,
        stages: int | None = None,
        by: int = 1,
        seed: int = 0,
    ) -> None:
        if (at is None) == (stages is None):
            raise ValueError(f"at={at!r} and stages={stages!r}: expected exactly one of them")
        if not is_count(by) or by % stream.schema.n_labels == 0:
            raise ValueError(f"by={by!r}: expected a number of places that moves {stream.schema.n_labels} labels")
        if stream.schema.hierarchy is not None:
            raise ValueError(
                f"{stream.name}: its labels form a hierarchy, which a rotation would break; expected a flat stream"
            )
        super().__init__(stream, "labels rotated")
        self.by = int(by)
        self.seed = checked_count("seed", seed)
        self.width = checked_count("width", width, 1)
        self.stages = stages
        self.at: tuple[int, ...] = ()
        if stages is not None:
            self._own = self._stage_starts(stages)
        else:
            self.at = positions(at, stream)
            self._own = tuple(Drift(position, self.width, ROTATION, self._about()) for position in self.at)

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return X, _rotated(Y, self._rotations(rows) * self.by)

    def share(self, rows: np.ndarray) -> np.ndarray:
        """Return the expected number of rotations done at each position (with ``stages``: the share of new labels)."""
        if self.stages is not None:
            return np.minimum(rows * self.stages // self.n_rows, self.stages - 1) / (self.stages - 1)
        return np.sum([ramp(rows, position, self.width) for position in self.at], axis=0)

    def _rotations(self, rows: np.ndarray) -> np.ndarray:
        if self.stages is not None:
            return (uniform(self.seed, 0, rows) < self.share(rows)).astype(np.int64)
        return count_passed(rows, self.at, self.width, self.seed, 0)

    def _stage_starts(self, stages: int) -> tuple[Drift, ...]:
        checked_count("stages", stages, 2)
        if self.width != 1:
            raise ValueError(f"width={self.width} goes with at=, not with stages=")
        n_rows = self.stream.n_rows
        if n_rows is None:
            raise ValueError(f"stages={stages}: expected a stream of known length; {self.stream.name} has none")
        if n_rows < stages:
            raise ValueError(f"stages={stages}: expected at least as many rows, {self.stream.name} has {n_rows}")
        return tuple(Drift(-(-stage * n_rows // stages), 1, ROTATION, self._about()) for stage in range(1, stages))

    def _about(self) -> str:
        labels = self.stream.schema.labels
        places = self.by % len(labels)
        who = "the next one's name" if places == 1 else f"the name of the one {places} places on"
        part = "a further part of the rows: " if self.stages is not None else ""
        return f"{part}every {self.stream.schema.noun} took {who} (what was {labels[0]} is {labels[places]} now)"


@makes(RotatedLabels)
def rotate_labels() -> None:
    """Rename the labels of a stream: l1→l2→…→lm→l1, so that what was learned of one label holds for the next.

    Parameters
    ----------
    stream
        Any stream with flat labels.
    at
        Where a rotation begins, or a list of such positions, in rows counted from 0. Each adds to those before.
    width
        Over how many rows a rotation comes about. 1 (default) is sudden; else the chance that a row is rotated grows
        over ``[at, at + width)`` as a logistic curve from 0.7 % to 99.3 %, and is 0 before and 1 after.
    stages
        In place of ``at``: the stream is cut into this many equal stages, in which the share of rotated rows is 0, …, 1
        in equal steps. 11 is the scheme of the SMART paper: 0 %, 10 %, …, 100 %.
    by
        How many places the labels move at each rotation; default 1.
    seed
        Which rows are rotated in a gradual change: drawn for each row from its position and the seed, so that neither
        chunks nor the starting row have an influence.

    Returns
    -------
    RotatedLabels
        With the ground truth in ``drifts``, added to that of ``stream``; for stages, the beginning of each from the
        second on.

    Raises
    ------
    ValueError
        If not exactly one of ``at`` and ``stages`` is given, a position lies behind the end, a parameter is out of
        range, the labels form a hierarchy, or ``stages`` meets a stream of unknown length.

    References
    ----------
    Kong and Yu, "An Ensemble-based Approach to Fast Classification of Multi-label Data Streams" (SMART, 2011),
    section IV. The gradual change at a position is that of MOA's ConceptDriftStream except that it begins at ``at``
    and is done after ``width`` rows, where MOA's is centred there and never quite done.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> plain = ArrayStream([[0.0]] * 3, [[1, 0, 0]] * 3)
    >>> next(rotate_labels(plain, at=1).chunks()).Y.tolist()
    [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    """


def _rotated(Y: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return each row of Y moved cyclically to the right by its number of places; a new array."""
    m = Y.shape[1]
    columns = (np.arange(m)[None, :] - places[:, None]) % m
    return np.take_along_axis(Y, columns, axis=1)


ROTATE_LABELS = DriftEntry(
    rotate_labels, "Rename the labels", {"width": WIDTH}, has_flat_labels, about="each takes the next one's name"
)


class SwappedLabels(TogglingDrift):
    """A stream in which two labels change places; see ``swap_labels`` for the parameters and errors.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = swap_labels(ArrayStream([[0.0]] * 2, [[1, 0]] * 2), "y0", "y1", at=1)
    >>> type(stream).__name__, next(stream.chunks()).Y.tolist()
    ('SwappedLabels', [[1, 0], [0, 1]])
    """

    kinds = ("label swap",) * 2

    def __init__(
        self,
        stream: Stream,
        a: str | int,
        b: str | int,
        at: int | Sequence[int],
        width: int = 1,
        seed: int = 0,
        until: int | None = None,
    ) -> None:
        names = stream.schema.labels
        self.pair = pair_of(names, a, b, "label", stream.name)
        hierarchy = stream.schema.hierarchy
        if hierarchy is not None:
            for place in self.pair:
                if hierarchy.children(place) or hierarchy.parents[place] != hierarchy.parents[self.pair[0]]:
                    raise ValueError(
                        f"{stream.name}: swapping the labels {names[self.pair[0]]!r} and {names[self.pair[1]]!r} would "
                        "break their hierarchy; expected two with the same parent and none below them"
                    )
        super().__init__(stream, at, width, seed, until, "labels swapped")
        first, second = (names[place] for place in self.pair)
        two = "classes" if stream.schema.classes is not None else "labels"
        self._describe(
            f"two {two} changed names (what was {first} is {second} now, and the other way round)",
            f"{first} and {second} got their own names back",
        )

    def _change_rows(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray) -> Changed:
        return X, moved_columns(Y, changed, self.pair, self.pair[::-1])


@makes(SwappedLabels)
def swap_labels() -> None:
    """Let two labels of a stream change places, so that what was learned of one holds for the other.

    Parameters
    ----------
    stream
        Any stream.
    a, b
        The two labels, by name or by position counted from 0. In a hierarchy: two with the same parent and no label
        below them.
    at
        Where they change places, in rows counted from 0; or a list of positions, at least ``width`` apart: they change
        back at the second, again at the third …
    width
        Over how many rows the change comes about. 1 (default) is sudden; else the chance that a row is changed grows
        over ``[at, at + width)`` as a logistic curve from 0.7 % to 99.3 %, and is 0 before and 1 after.
    seed
        Which rows are changed in a gradual change: drawn for each row from its position and the seed, so that neither
        chunks nor the starting row have an influence. The same seed draws the same rows in a second swap.
    until
        Where they change back, as gradually; None (default): never. Goes with a single ``at``.

    Returns
    -------
    SwappedLabels
        With the ground truth in ``drifts`` (kind ``"label swap"``), added to that of ``stream``; ``is_changed(rows)``
        says it row by row.

    Raises
    ------
    ValueError
        If there is no such label, both are the same, the swap would break a hierarchy, or a position or parameter is
        out of range.

    References
    ----------
    The gradual change follows MOA's ConceptDriftStream as ``rotate_labels`` does.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> plain = ArrayStream([[0.0]] * 3, [[1, 0, 0]] * 3)
    >>> next(swap_labels(plain, "y0", "y2", at=1, until=2).chunks()).Y.tolist()
    [[1, 0, 0], [0, 0, 1], [1, 0, 0]]
    """


SWAP_LABELS = DriftEntry(
    swap_labels,
    "Swap two labels",
    {"a": LABEL, "b": LabelChoice("With the label", last=True), "width": WIDTH},
    has_flat_labels,
    about="each takes the other's name",
)


class MaskedLabel(TogglingDrift):
    """A stream in which a label comes or goes; see ``new_label`` and ``vanish_label``.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = vanish_label(ArrayStream([[0.0]] * 3, [[1, 1]] * 3), "y1", at=2)
    >>> type(stream).__name__, next(stream.chunks()).Y.tolist()
    ('VanishingLabel', [[1, 1], [1, 1], [1, 0]])
    """

    appears: bool
    """Whether the label is absent before the first position, or from there on."""

    def __init__(
        self,
        stream: Stream,
        label: str | int,
        at: int | Sequence[int],
        width: int = 1,
        seed: int = 0,
        until: int | None = None,
    ) -> None:
        self.label = place_of(stream.schema.labels, label, "label", "label", stream.name)
        name = stream.schema.labels[self.label]
        if stream.schema.classes is not None:
            raise ValueError(
                f"{stream.name}: a row would have no class without {name!r}; expected prior_shift, by which "
                "a class becomes rare"
            )
        super().__init__(stream, at, width, seed, until, f"{name} {'appears' if self.appears else 'vanishes'}")
        about = f"rows carry the label {name} now, which none did before", f"no row carries the label {name} any more"
        self._describe(*(about if self.appears else about[::-1]))
        hierarchy = self.schema.hierarchy
        below = () if hierarchy is None else hierarchy.descendants(self.label)
        self._columns = np.array([self.label, *below])

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        absent = np.flatnonzero(self.is_changed(rows) != self.appears)
        return self._change_rows(X, Y, rows, absent) if len(absent) else (X, Y)

    def _change_rows(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray) -> Changed:
        Y = Y.copy()
        Y[np.ix_(changed, self._columns)] = 0
        return X, Y


class NewLabel(MaskedLabel):
    """A stream in which a label appears."""

    appears, kinds = True, ("new label", "label vanishing")


class VanishingLabel(MaskedLabel):
    """A stream in which a label vanishes."""

    appears, kinds = False, ("label vanishing", "new label")


@makes(NewLabel)
def new_label() -> None:
    """Let a label appear in mid-stream: before, no instance has it, though the schema names it.

    Parameters
    ----------
    stream
        Any stream.
    label
        The label, by name or by position counted from 0. In a hierarchy the labels below it come and go with it.
    at, width, until
        As in ``swap_labels``, in rows: where the label appears, how gradually, where it vanishes again. In a list of
        positions it appears at the first, vanishes at the second, appears again at the third …
    seed
        Which rows keep the label in a gradual change.

    Returns
    -------
    MaskedLabel
        With the ground truth in ``drifts`` (kinds ``"new label"`` and ``"label vanishing"``).

    Raises
    ------
    ValueError
        If there is no such label, or a position or parameter is out of range.

    References
    ----------
    Masud et al., "Classification and novel class detection in concept-drifting data streams under time constraints",
    IEEE Transactions on Knowledge and Data Engineering 23 (2011), for novel classes in streams.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> plain = ArrayStream([[0.0]] * 3, [[1, 1]] * 3)
    >>> next(new_label(plain, "y1", at=2).chunks()).Y.tolist()
    [[1, 0], [1, 0], [1, 1]]
    """


@makes(VanishingLabel)
def vanish_label() -> None:
    """Let a label vanish in mid-stream: from then on no instance has it, but it stays in the schema.

    Parameters
    ----------
    stream, label, width, seed
        As in ``new_label``.
    at, until
        Where the label vanishes and where it appears again, in rows; in a list of positions it vanishes at the first,
        appears at the second …

    Returns
    -------
    MaskedLabel
        With the ground truth in ``drifts`` (kinds ``"label vanishing"`` and ``"new label"``).

    Raises
    ------
    ValueError
        If there is no such label, or a position or parameter is out of range.

    References
    ----------
    See ``new_label``.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> plain = ArrayStream([[0.0]] * 3, [[1, 1]] * 3)
    >>> next(vanish_label(plain, "y1", at=1, until=2).chunks()).Y.tolist()
    [[1, 1], [1, 0], [1, 1]]
    """


NEW_LABEL = DriftEntry(new_label)
VANISH_LABEL = DriftEntry(
    vanish_label, "Let a label vanish", {"label": LABEL, "width": WIDTH},
    lambda schema: schema.hierarchy is None and schema.classes is None, about="no row has it any more",
)  # fmt: skip
