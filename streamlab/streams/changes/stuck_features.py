"""Let features of a stream stick at a value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from streamlab.streams.changes.drift_entry import WIDTH, Choice, DriftEntry
from streamlab.streams.changes.toggling import Changed, TogglingDrift, check_arrays, chosen_features, drawn_features
from streamlab.streams.stream import Stream, makes
from streamlab.streams.wrapped import chain_key

__all__ = ["STUCK_FEATURES", "StuckFeatures", "stuck_features"]

LOOK_BACK = 100
"""Rows among which the latest known value of a feature is looked for."""


class StuckFeatures(TogglingDrift):
    """A stream whose features stick; see ``stuck_features`` for the parameters and errors.

    ``columns`` are the positions of the features that stick, ascending.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = stuck_features(ArrayStream([[0.0], [1.0], [2.0], [3.0]], [[1]] * 4), at=2, share=1.0)
    >>> type(stream).__name__, next(stream.chunks()).X.ravel().tolist()
    ('StuckFeatures', [0.0, 1.0, 1.0, 1.0])
    """

    kinds = ("stuck features",) * 2

    def __init__(
        self,
        stream: Stream,
        at: int | Sequence[int],
        share: float = 0.5,
        width: int = 1,
        seed: int = 0,
        until: int | None = None,
    ) -> None:
        check_arrays(stream, "a value that sticks is in every row")
        super().__init__(stream, at, width, seed, until, "features stuck")
        features = stream.schema.features
        self.columns = drawn_features(stream, share, self.seed, chain_key("stuck features", stream, StuckFeatures))
        self._tell(
            f"{chosen_features(features, self.columns)} stick: they keep the value that they had",
            "the features follow again",
        )

    @cached_property
    def held(self) -> np.ndarray:
        """The values at which ``columns`` stick from each position of ``at`` on; float64 (len(at), len(columns)).

        NaN where none of the 100 rows before has one.
        """
        held = np.full((len(self.at), len(self.columns)), np.nan)
        for values, position in zip(held, self.at, strict=True):
            for chunk in self.stream.chunks(LOOK_BACK, start=max(0, position - LOOK_BACK), stop=position):
                for row in chunk.X[:, self.columns]:
                    np.copyto(values, row, where=~np.isnan(row))
        return held

    def _change_rows(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray) -> Changed:
        X = X.copy()
        # a row of a gradual end still has the value of the beginning before it
        begun = np.searchsorted(self.at[::2], rows[changed], side="right") - 1
        held = self.held[::2][begun]
        cells = np.ix_(changed, np.array(self.columns))
        X[cells] = np.where(np.isnan(held), X[cells], held)
        return X, Y


@makes(StuckFeatures)
def stuck_features() -> None:
    """Let features of a stream stick at the value that they have, as a sensor does that is frozen or disconnected.

    Parameters
    ----------
    stream
        Any stream.
    at, width, until
        As in ``swap_labels``, in rows: where they stick, how gradually (a loose contact: some rows still have their
        own values), and where they follow again.
    share
        The share in (0, 1] of the features that stick, drawn by ``seed`` and at least one; default 0.5.
    seed
        Which features, and which rows in a gradual change. A second ``stuck_features`` in the chain draws features of
        its own from the same seed.

    Returns
    -------
    StuckFeatures
        With the ground truth in ``drifts`` (kind ``"stuck features"``, its end too). A feature sticks at the latest
        value that is not missing of the 100 rows before ``at``; where there is none, it stays as it was.

    Raises
    ------
    ValueError
        If a position or parameter is out of range, or the stream is sparse.

    References
    ----------
    "Stuck-at" faults among those of sensors: Ni et al., "Sensor network data fault types", ACM Transactions on Sensor
    Networks 5 (2009), section 5.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> plain = ArrayStream([[1.0], [2.0], [3.0], [4.0]], [[1]] * 4)
    >>> next(stuck_features(plain, at=1, until=3).chunks()).X.ravel().tolist()
    [1.0, 1.0, 1.0, 4.0]
    """


STUCK_FEATURES = DriftEntry(
    stuck_features,
    "Let sensors stick",
    {"share": Choice("How many", {"half of them": 0.5, "one in ten": 0.1, "all": 1.0}), "width": WIDTH},
    lambda schema: schema.n_features > 0,
    about="half of the features stay at one value",
)
