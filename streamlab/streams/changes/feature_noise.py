"""Add noise to features of a stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from streamlab._checks import checked_count, checked_number
from streamlab.streams.changes.drift_entry import WIDTH, Amount, DriftEntry
from streamlab.streams.changes.toggling import Changed, TogglingDrift, check_arrays, chosen_features, drawn_features
from streamlab.streams.draws import uniform
from streamlab.streams.stream import Stream, makes
from streamlab.streams.wrapped import chain_key

__all__ = ["FEATURE_NOISE", "NoisyFeatures", "feature_noise"]


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
        self._tell(
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
