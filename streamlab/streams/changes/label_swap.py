"""Swap two labels of a stream."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamlab.streams.changes.drift_entry import LABEL, WIDTH, DriftEntry, LabelChoice, has_flat_labels
from streamlab.streams.changes.toggling import Changed, TogglingDrift, moved_columns, pair_of
from streamlab.streams.stream import Stream, makes

__all__ = ["SWAP_LABELS", "SwappedLabels", "swap_labels"]


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
        self._tell(
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
