"""Let a label of a stream appear or vanish."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamlab.streams.changes.drift_entry import LABEL, WIDTH, DriftEntry
from streamlab.streams.changes.toggling import Changed, TogglingDrift, place_of
from streamlab.streams.stream import Stream, makes

__all__ = ["NEW_LABEL", "VANISH_LABEL", "MaskedLabel", "new_label", "vanish_label"]


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
        told = f"rows carry the label {name} now, which none did before", f"no row carries the label {name} any more"
        self._tell(*(told if self.appears else told[::-1]))
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
