"""Drifts of features: they become noisy, change places, or stick at a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

import numpy as np
from scipy.special import ndtri

from streamlab._checks import checked_count, checked_number, few
from streamlab.schema import Feature, Schema
from streamlab.streams.blocks import is_csr
from streamlab.streams.changes.drift_entry import WIDTH, Amount, Choice, DriftEntry
from streamlab.streams.changes.toggling import (
    Changed,
    TogglingDrift,
    check_arrays,
    chosen_features,
    drawn_features,
    drawn_places,
    moved_columns,
    moved_values,
    pair_of,
)
from streamlab.streams.draws import uniform
from streamlab.streams.stream import Stream, makes
from streamlab.streams.wrapped import chain_key

__all__ = ["NoisyFeatures", "StuckFeatures", "SwappedFeatures", "feature_noise", "stuck_features", "swap_features"]


class NoisyFeatures(TogglingDrift):
    """A stream whose features become noisy; see ``feature_noise`` for the parameters and errors.

    ``columns`` are the positions of the noisy features, ascending.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = feature_noise(ArrayStream([[0.0], [1.0]] * 10, [[1]] * 20), at=10)
    >>> X = next(stream.chunks()).X.ravel()
    >>> type(stream).__name__, X[:4].tolist(), bool((X[10:] == [0.0, 1.0] * 5).any())
    ('NoisyFeatures', [0.0, 1.0, 0.0, 1.0], False)
    """

    kinds = ("feature noise",) * 2

    def __init__(
        self,
        stream: Stream,
        at: int | Sequence[int],
        strength: float = 1.0,
        share: float = 1.0,
        width: int = 1,
        seed: int = 0,
        until: int | None = None,
        sample: int = 1000,
    ) -> None:
        check_arrays(stream, "with noise no value would be 0")
        super().__init__(stream, at, width, seed, until, "features noisy")
        checked_number("strength", strength, above=True)
        checked_count("sample", sample, 2)
        self.strength = float(strength)
        self.sample = int(sample)
        self._values_key = chain_key("feature noise, values", stream, NoisyFeatures)
        features = stream.schema.features
        self.columns = drawn_features(stream, share, self.seed, self._values_key)
        self._numeric = np.array([j for j in self.columns if not features[j].is_nominal], np.int64)
        kinds_of = [(j, features[j].categories) for j in self.columns]
        self._nominal = [(j, len(categories)) for j, categories in kinds_of if categories is not None]
        self._describe(
            f"{chosen_features(features, self.columns)} became noisy: their values are partly chance now",
            "the noise went",
        )
        # numbers may leave the range that their source declares
        self.schema = stream.schema.with_features(
            {int(j): replace(features[j], low=None, high=None) for j in self._numeric}
        )

    @cached_property
    def deviations(self) -> np.ndarray:
        """The standard deviation of each numeric feature of ``columns`` over the first ``sample`` rows; float64."""
        chunk = next(self.stream.chunks(self.sample, stop=self.sample), None)
        if chunk is None:
            return np.zeros(len(self._numeric))
        values = chunk.X[:, self._numeric]
        known = ~np.isnan(values)
        n = np.maximum(known.sum(0), 1)
        mean = np.where(known, values, 0.0).sum(0) / n
        return np.sqrt((np.where(known, values - mean, 0.0) ** 2).sum(0) / n)

    def _change_rows(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray) -> Changed:
        X = X.copy()
        at = rows[changed]
        if len(self._numeric):
            draws = uniform(self.seed, self._values_key + 2 * self._numeric[None, :], at[:, None])
            noise = ndtri(np.clip(draws, 2.0**-54, None))  # the normal deviate of each draw; 0 would be infinite
            X[np.ix_(changed, self._numeric)] += self.strength * self.deviations * noise
        chance = self.strength**2 / (1.0 + self.strength**2)
        for j, n in self._nominal:
            hit = changed[uniform(self.seed, self._values_key + 2 * j, at) < chance]
            hit = hit[~np.isnan(X[hit, j])]
            X[hit, j] = np.floor(n * uniform(self.seed, self._values_key + 2 * j + 1, rows[hit]))
        return X, Y


@makes(NoisyFeatures)
def feature_noise() -> None:
    """Let features of a stream become noisy.

    Parameters
    ----------
    stream
        Any stream.
    at, width, until
        As in ``swap_labels``, in rows: where the noise comes, how gradually, where it goes.
    strength
        The noise's standard deviation, in standard deviations of the feature; default 1. A numeric feature gets
        gaussian noise added. A nominal one takes a category drawn uniformly with the probability s² / (1 + s²), the
        share that noise of the strength s has in the variance of a numeric feature: 0.5 for 1.
    share
        The share in (0, 1] of the features that become noisy, drawn by ``seed`` and at least one; default 1, all.
    seed
        Which features, which rows in a gradual change, and the noise, which depends on seed, row and column alone.
        A second ``feature_noise`` in the chain draws noise of its own from the same seed.
    sample
        Over how many rows from the stream's beginning the standard deviations are measured, once, when the first noisy
        row is asked for; default 1,000. A feature that is constant there, or missing throughout, gets no noise.

    Returns
    -------
    NoisyFeatures
        With the ground truth in ``drifts`` (kind ``"feature noise"``, its end too). Missing values stay missing. In
        its schema noisy features have no declared range.

    Raises
    ------
    ValueError
        If a position or parameter is out of range.

    References
    ----------
    Zhu and Wu, "Class noise vs. attribute noise: a quantitative study", Artificial Intelligence Review 22 (2004): a
    nominal value replaced by a random one, a numeric one disturbed.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> plain = ArrayStream([[0.0], [1.0], [float("nan")]], [[1]] * 3)
    >>> next(feature_noise(plain, at=1, strength=0.1).chunks()).X.round(3).tolist()
    [[0.0], [0.997], [nan]]
    """


FEATURE_NOISE = DriftEntry(
    feature_noise,
    "Add noise to features",
    {"strength": Amount("Noise (standard deviations)", 0.25, 5.0, 0.25, default=2.0), "width": WIDTH},
    lambda schema: schema.n_features > 0,
    about="all readings become less exact",
)


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
            about = f"two features changed places (what was {names[0]} is {names[1]} now, and the other way round)"
        else:
            about = f"{len(names)} features changed places (what was {names[1]} is {names[0]} now)"
        self._describe(about, "the features got their own places back")
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
        self._describe(
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
        latest = np.searchsorted(self.at[::2], rows[changed], side="right") - 1
        held = self.held[::2][latest]
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
