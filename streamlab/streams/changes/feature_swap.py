"""Swap features of a stream, as when sensors are plugged in wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np

from streamlab._checks import checked_number, few
from streamlab.schema import Feature, Schema
from streamlab.streams._sparse import is_csr
from streamlab.streams.changes.drift_entry import WIDTH, DriftEntry
from streamlab.streams.changes.toggling import (
    Changed,
    TogglingDrift,
    drawn_places,
    moved_columns,
    moved_values,
    pair_of,
)
from streamlab.streams.stream import Stream, makes

__all__ = ["SWAP_FEATURES", "SwappedFeatures", "swap_features"]


class SwappedFeatures(TogglingDrift):
    """A stream in which features change places; see ``swap_features`` for the parameters and errors.

    ``places`` and ``sources``: the column ``places[i]`` takes the values of the column ``sources[i]``.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = swap_features(ArrayStream([[1.0, 2.0]] * 2, [[1]] * 2), "x0", "x1", at=1)
    >>> type(stream).__name__, next(stream.chunks()).X.tolist()
    ('SwappedFeatures', [[1.0, 2.0], [2.0, 1.0]])
    """

    kinds = ("feature swap",) * 2

    def __init__(
        self,
        stream: Stream,
        a: str | int | None = None,
        b: str | int | None = None,
        at: int | Sequence[int] | None = None,
        width: int = 1,
        seed: int = 0,
        until: int | None = None,
        share: float | None = None,
    ) -> None:
        if (a is None or b is None) == (share is None) or (share is not None and (a is not None or b is not None)):
            raise ValueError(f"a={a!r}, b={b!r} and share={share!r}: expected two features or a share of them")
        super().__init__(stream, at, width, seed, until, "features swapped")
        features = stream.schema.features
        wanted = 1.0 if share is None else checked_number("share", share, 0, 1, above=True)
        self.places: tuple[int, ...]
        if a is not None and b is not None:
            self.places = pair_of(stream.schema.feature_names, a, b, "feature", stream.name)
            first, second = (features[place] for place in self.places)
            if first.categories != second.categories:
                raise ValueError(
                    f"{stream.name}: the features {first.name!r} ({_kind(first)}) and {second.name!r} "
                    f"({_kind(second)}) cannot be swapped; expected two numeric ones or two with the same categories"
                )
        else:
            numeric = [place for place, feature in enumerate(features) if not feature.is_nominal]
            if len(numeric) < 2:
                raise ValueError(f"share={share!r}: {stream.name} has {len(numeric)} numeric features; expected two")
            n = max(2, round(wanted * len(numeric)))
            self.places = drawn_places(numeric, n, self.seed, self._key)
        self.sources = (*self.places[1:], self.places[0])
        names = [features[place].name for place in self.places]
        if len(names) == 2:
            told = f"two features changed places (what was {names[0]} is {names[1]} now, and the other way round)"
        else:
            told = f"{len(names)} features changed places (what was {names[1]} is {names[0]} now)"
        self._tell(told, "the features got their own places back")
        moved = {
            place: features[place].with_range_of(features[source])
            for place, source in zip(self.places, self.sources, strict=True)
        }
        self.schema = stream.schema.with_features({j: f for j, f in moved.items() if f != features[j]})

    def _change_rows(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray) -> Changed:
        move = moved_values if is_csr(X) else moved_columns
        return move(X, changed, self.places, self.sources), Y


@makes(SwappedFeatures)
def swap_features() -> None:
    """Swap features of a stream, as when sensors are connected wrongly.

    Parameters
    ----------
    stream
        Any stream.
    a, b
        Two features, by name or by position counted from 0: both numeric, or both with the same categories.
    at, width, until
        As in ``swap_labels``, in rows; ``at`` is needed.
    seed
        Which rows are changed in a gradual change, and which features with ``share``.
    share
        In place of ``a`` and ``b``: a share in (0, 1] of the numeric features, drawn by ``seed`` and at least two of
        them, changes places in a circle, so that none keeps its own.

    Returns
    -------
    SwappedFeatures
        With the ground truth in ``drifts`` (kind ``"feature swap"``). In its schema the ranges declared for the
        features are widened to hold both; where one is not declared, neither is the other's.

    Raises
    ------
    ValueError
        If there is no such feature, both are the same or of different kinds, not exactly one of ``a, b`` and ``share``
        is given, or a position or parameter is out of range.

    References
    ----------
    Features that change places in a circle to put drift into real data: Sethi and Kantardzic, "On the reliable
    detection of concept drift from streaming unlabeled data", Expert Systems with Applications 82 (2017).

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> plain = ArrayStream([[1.0, 2.0]] * 2, [[1]] * 2)
    >>> next(swap_features(plain, "x0", "x1", at=1).chunks()).X.tolist()
    [[1.0, 2.0], [2.0, 1.0]]
    """


def _kind(feature: Feature) -> str:
    return "numeric" if feature.categories is None else f"nominal: {few(feature.categories)}"


def _has_numbers(schema: Schema) -> bool:
    # two are enough: there may be 262,144
    return len(list(islice((f for f in schema.features if f.categories is None), 2))) > 1


SWAP_FEATURES = DriftEntry(
    swap_features, "Swap half the features", {"width": WIDTH}, _has_numbers, fixed={"share": 0.5},
    about="columns change places",
)  # fmt: skip
