"""Drift put into any stream, row by row: labels and features change places, noise comes, labels appear and vanish."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from streamlab.schema import Feature, Schema
from streamlab.streams._columns import few, is_count, near
from streamlab.streams.changes.drift import (
    Changed,
    checked_seed,
    checked_width,
    key_base,
    passed,
    positions,
    ramp,
    uniform,
)
from streamlab.streams.stream import Drift, Stream

__all__ = [
    "MaskedLabel",
    "NoisyFeatures",
    "SwappedFeatures",
    "SwappedLabels",
    "feature_noise",
    "new_label",
    "swap_features",
    "swap_labels",
    "vanish_label",
]


class Switched(Changed):
    """A stream with a change that comes at the first of some positions, goes at the second, comes again at the third …

    Parameters
    ----------
    stream, at, width, seed, until
        As the functions of this module say.
    kinds
        What the ground truth calls the change's coming and its going.
    what
        What was done to the stream, added to its name.
    """

    def __init__(
        self,
        stream: Stream,
        at: int | Sequence[int] | None,
        width: int,
        seed: int,
        until: int | None,
        *,
        kinds: tuple[str, str],
        what: str,
    ) -> None:
        super().__init__(stream, what)
        self.seed = checked_seed(seed)
        self.width = checked_width(width)
        self.at = positions(at, stream, apart=self.width)
        if until is not None:
            if len(self.at) > 1:
                raise ValueError(f"until={until!r} goes with one position, not with at={list(self.at)}")
            (end,) = positions(until if is_count(until) else (until,), stream, what="until")
            if end < self.at[0] + self.width:
                raise ValueError(
                    f"until={end}: expected a position from at + width = {self.at[0] + self.width} on, "
                    "when the change is complete"
                )
            self.at = (*self.at, end)
        self._key = key_base(kinds[0])
        self._own = tuple(Drift(position, self.width, kinds[i % 2]) for i, position in enumerate(self.at))

    def share(self, rows: np.ndarray) -> np.ndarray:
        """For each position, the chance that its row is changed; float64."""
        signs = (1 - 2 * (i % 2) for i in range(len(self.at)))
        return sum(sign * ramp(rows, position, self.width) for sign, position in zip(signs, self.at, strict=True))

    def is_changed(self, rows: np.ndarray) -> np.ndarray:
        """For each position, whether its row is changed: the ground truth row by row; bool."""
        return passed(rows, self.at, self.width, self.seed, self._key) % 2 == 1

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        changed = np.flatnonzero(self.is_changed(rows))
        return self._change_rows(X, Y, rows, changed) if len(changed) else (X, Y)

    @abstractmethod
    def _change_rows(
        self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The rows with those at the indices ``changed`` changed; X and Y are not written to."""


class SwappedLabels(Switched):
    """A stream in which two labels change places; see ``swap_labels`` for the parameters and errors."""

    def __init__(
        self,
        stream: Stream,
        a: str | int,
        b: str | int,
        at: int | Sequence[int],
        *,
        width: int = 1,
        seed: int = 0,
        until: int | None = None,
    ) -> None:
        names = stream.schema.labels
        self.pair = _pair(names, a, b, "label", stream.name)
        hierarchy = stream.schema.hierarchy
        if hierarchy is not None:
            for place in self.pair:
                if hierarchy.children(place) or hierarchy.parents[place] != hierarchy.parents[self.pair[0]]:
                    raise ValueError(
                        f"{stream.name}: swapping the labels {names[self.pair[0]]!r} and {names[self.pair[1]]!r} would "
                        "break their hierarchy; expected two with the same parent and none below them"
                    )
        super().__init__(stream, at, width, seed, until, kinds=("label swap",) * 2, what="labels swapped")

    def _change_rows(
        self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        return X, _moved(Y, changed, self.pair, self.pair[::-1])


class SwappedFeatures(Switched):
    """A stream in which features change places; see ``swap_features`` for the parameters and errors.

    ``places`` and ``sources``: the column ``places[i]`` takes the values of the column ``sources[i]``.
    """

    def __init__(
        self,
        stream: Stream,
        a: str | int | None = None,
        b: str | int | None = None,
        at: int | Sequence[int] | None = None,
        *,
        width: int = 1,
        seed: int = 0,
        until: int | None = None,
        share: float | None = None,
    ) -> None:
        if (a is None or b is None) == (share is None) or (share is not None and (a is not None or b is not None)):
            raise ValueError(f"a={a!r}, b={b!r} and share={share!r}: expected two features or a share of them")
        kinds = ("feature swap",) * 2
        super().__init__(stream, at, width, seed, until, kinds=kinds, what="features swapped")
        features = stream.schema.features
        if share is None:
            self.places = _pair(stream.schema.feature_names, a, b, "feature", stream.name)
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
            n = max(2, round(checked_share(share) * len(numeric)))
            self.places = _chosen(numeric, n, self.seed, self._key)
        self.sources = (*self.places[1:], self.places[0])
        moved = {
            place: joined_range(features[place], features[source])
            for place, source in zip(self.places, self.sources, strict=True)
        }
        self.schema = with_features(stream.schema, moved)

    def _change_rows(
        self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        return _moved(X, changed, self.places, self.sources), Y


class NoisyFeatures(Switched):
    """A stream whose features become noisy; see ``feature_noise`` for the parameters and errors.

    ``columns`` are the positions of the noisy features, ascending.
    """

    def __init__(
        self,
        stream: Stream,
        at: int | Sequence[int],
        *,
        strength: float = 1.0,
        share: float = 1.0,
        width: int = 1,
        seed: int = 0,
        until: int | None = None,
        sample: int = 1000,
    ) -> None:
        kinds = ("feature noise",) * 2
        super().__init__(stream, at, width, seed, until, kinds=kinds, what="features noisy")
        if not is_number(strength) or not 0 < strength < np.inf:
            raise ValueError(f"strength={strength!r}: expected a positive number of standard deviations")
        if not is_count(sample) or sample < 2:
            raise ValueError(f"sample={sample!r} must be an integer of at least 2")
        self.strength = float(strength)
        self.sample = int(sample)
        self._values_key = key_base("feature noise, values", stream, NoisyFeatures)
        features = stream.schema.features
        n = max(1, round(checked_share(share) * len(features)))
        self.columns = tuple(sorted(_chosen(range(len(features)), n, self.seed, self._values_key)))
        self._numeric = np.array([j for j in self.columns if not features[j].is_nominal], np.int64)
        self._nominal = [(j, len(features[j].categories)) for j in self.columns if features[j].is_nominal]
        # numbers may leave the range that their source declares
        self.schema = with_features(
            stream.schema, {j: replace(features[j], low=None, high=None) for j in self._numeric}
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

    def _change_rows(
        self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
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


class MaskedLabel(Switched):
    """A stream in which a label comes or goes; see ``new_label`` and ``vanish_label``.

    Parameters
    ----------
    appears
        Whether the label is absent before the first position (True) or from there on (False).
    """

    def __init__(
        self,
        stream: Stream,
        label: str | int,
        at: int | Sequence[int],
        *,
        appears: bool,
        width: int = 1,
        seed: int = 0,
        until: int | None = None,
    ) -> None:
        kinds = ("new label", "label vanishing")
        self.label = place_of(stream.schema.labels, label, "label", "label", stream.name)
        self.appears = bool(appears)
        name = stream.schema.labels[self.label]
        super().__init__(
            stream,
            at,
            width,
            seed,
            until,
            kinds=kinds if self.appears else kinds[::-1],
            what=f"{name} {'appears' if self.appears else 'vanishes'}",
        )
        self._columns = [self.label]
        if self.schema.hierarchy is not None:
            self._columns.extend(self.schema.hierarchy.descendants(self.label))

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        absent = np.flatnonzero(self.is_changed(rows) != self.appears)
        return self._change_rows(X, Y, rows, absent) if len(absent) else (X, Y)

    def _change_rows(
        self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        Y = Y.copy()
        Y[np.ix_(changed, self._columns)] = 0
        return X, Y


def swap_labels(
    stream: Stream,
    a: str | int,
    b: str | int,
    at: int | Sequence[int],
    width: int = 1,
    seed: int = 0,
    until: int | None = None,
) -> SwappedLabels:
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
    return SwappedLabels(stream, a, b, at, width=width, seed=seed, until=until)


def swap_features(
    stream: Stream,
    a: str | int | None = None,
    b: str | int | None = None,
    at: int | Sequence[int] | None = None,
    width: int = 1,
    seed: int = 0,
    until: int | None = None,
    share: float | None = None,
) -> SwappedFeatures:
    """Let features of a stream change places, as when sensors are plugged in wrongly.

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
    return SwappedFeatures(stream, a, b, at, width=width, seed=seed, until=until, share=share)


def feature_noise(
    stream: Stream,
    at: int | Sequence[int],
    strength: float = 1.0,
    share: float = 1.0,
    width: int = 1,
    seed: int = 0,
    until: int | None = None,
    sample: int = 1000,
) -> NoisyFeatures:
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
    return NoisyFeatures(stream, at, strength=strength, share=share, width=width, seed=seed, until=until, sample=sample)


def new_label(
    stream: Stream,
    label: str | int,
    at: int | Sequence[int],
    width: int = 1,
    seed: int = 0,
    until: int | None = None,
) -> MaskedLabel:
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
    return MaskedLabel(stream, label, at, appears=True, width=width, seed=seed, until=until)


def vanish_label(
    stream: Stream,
    label: str | int,
    at: int | Sequence[int],
    width: int = 1,
    seed: int = 0,
    until: int | None = None,
) -> MaskedLabel:
    """Let a label vanish in mid-stream: from there on no instance has it, though the schema names it.

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
    return MaskedLabel(stream, label, at, appears=False, width=width, seed=seed, until=until)


def place_of(names: Sequence[str], which: str | int, argument: str, noun: str, source: str) -> int:
    """The position of a label or feature given by its name or its position.

    Raises
    ------
    ValueError
        If there is none; it names the argument, the source and what there is.
    """
    if isinstance(which, str) and which in names:
        return list(names).index(which)
    if is_count(which) and 0 <= which < len(names):
        return int(which)
    hint = near(which, names) if isinstance(which, str) else ""
    raise ValueError(
        f"{argument}={which!r}: {source} has no such {noun}{hint}; expected a position from 0 to {len(names) - 1} "
        f"or one of {few(names)}"
    )


def checked_share(share: float, *, zero: bool = False) -> float:
    """``share``, or a ValueError if it is no number in (0, 1] (with ``zero``: [0, 1])."""
    if not is_number(share) or not (0 < share <= 1 or (zero and share == 0)):
        raise ValueError(f"share={share!r}: expected a number {'from 0 to 1' if zero else 'above 0 and up to 1'}")
    return float(share)


def joined_range(feature: Feature, *others: Feature) -> Feature:
    """``feature`` with a range that holds the others' too, or with none where one of them declares none."""
    lows, highs = zip(*((f.low, f.high) for f in (feature, *others)), strict=True)
    low = None if None in lows else min(lows)
    high = None if None in highs else max(highs)
    return replace(feature, low=low, high=high)


def with_features(schema: Schema, changed: dict[int, Feature]) -> Schema:
    """``schema`` with the features at these positions replaced."""
    return replace(schema, features=tuple(changed.get(j, f) for j, f in enumerate(schema.features)))


def _pair(names: Sequence[str], a: str | int, b: str | int, noun: str, source: str) -> tuple[int, int]:
    first, second = place_of(names, a, "a", noun, source), place_of(names, b, "b", noun, source)
    if first == second:
        raise ValueError(f"a={a!r} and b={b!r} are the same {noun} of {source}; expected two")
    return first, second


def _chosen(places: Iterable[int], n: int, seed: int, key: int) -> tuple[int, ...]:
    """``n`` of the places in random order."""
    places = np.array(list(places))
    # rows behind all that a stream has, so that no row's draw is used twice
    order = np.argsort(uniform(seed, key, np.iinfo(np.int64).max - places), kind="stable")
    return tuple(places[order[:n]].tolist())


def _moved(values: np.ndarray, rows: np.ndarray, places: Sequence[int], sources: Sequence[int]) -> np.ndarray:
    """A copy in which, in the rows given, the columns ``places`` take the values of the columns ``sources``."""
    moved = values.copy()
    moved[np.ix_(rows, places)] = values[np.ix_(rows, sources)]
    return moved


def _kind(feature: Feature) -> str:
    return "numeric" if feature.categories is None else f"nominal: {few(feature.categories)}"


def is_number(value: object) -> bool:
    """Whether ``value`` is a real number and no bool."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
