"""Which features of a multi-label stream show which labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from streamlab.streams.draws import uniform
from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.generated.concept import Relations, seed_word

__all__ = ["FeatureMap", "draw_combinations", "feature_map"]

# Keys of what is drawn for a concept from its seed, beside those of ``concept``.
_COMBINATIONS, _OCCURRING = 15, 16


class FeatureMap(NamedTuple):
    """The feature maps of all concepts by label, int64, as the kernel ``find_positive`` reads them.

    Parameters
    ----------
    bounds
        Shape (concepts, n_labels + 1): the features of label j are ``members[k, bounds[k, j]:bounds[k, j + 1]]``.
    members
        Shape (concepts, most).
    sizes
        How many labels each feature has; shape (concepts, n_features).
    """

    bounds: np.ndarray
    members: np.ndarray
    sizes: np.ndarray


def draw_combinations(seed: int, n_features: int, relations: Relations) -> np.ndarray:
    """Draw each feature's labels, int64 [n_features, 3]; one or two labels are repeated to make three."""
    n_labels = len(relations.priors)
    n_single = min(n_features, max(n_features - n_features // 4, n_labels))
    order = _permutation(seed, 0, n_features)
    labels = _permutation(seed, 1, n_labels)
    found = np.empty((n_features, 3), np.int64)
    found[order[:n_single]] = labels[np.arange(n_single) % n_labels, None]

    sets = np.empty((1000, n_labels), np.uint8)
    here = np.zeros(len(sets), np.int64)
    kernels.label_sets(
        seed_word(seed), _OCCURRING, 0, here, here, np.zeros(len(sets)),
        np.cumsum(relations.priors)[None], np.ascontiguousarray(relations.conditional.T)[None], sets,
    )  # fmt: skip
    sizes = sets.sum(1)
    for i, feature in enumerate(order[n_single:].tolist()):
        wanted = min(2 + i % 2, int(sizes.max()))  # pairs and triples in turn, as far as there are any
        candidates = np.flatnonzero(sizes >= wanted)
        pick = uniform(seed, _COMBINATIONS, np.array([1_000_000 + i]))[0]
        on = np.flatnonzero(sets[candidates[int(pick * len(candidates))]])
        chosen = on[_permutation(seed, 2 + i, len(on))][:wanted]
        found[feature] = np.resize(chosen, 3)
    return found


def feature_map(combinations: np.ndarray, n_labels: int) -> FeatureMap:
    """Return the features of each label, for combinations of shape (concepts, n_features, 3)."""
    maps = [[np.flatnonzero((features == j).any(1)) for j in range(n_labels)] for features in combinations]
    members = [np.concatenate(by_label) for by_label in maps]
    padded = np.zeros((len(maps), max(map(len, members))), np.int64)
    for row, found in zip(padded, members, strict=True):
        row[: len(found)] = found
    bounds = np.array([[0, *np.cumsum([len(features) for features in by_label])] for by_label in maps])
    sizes = np.array([[len(set(labels)) for labels in features] for features in combinations.tolist()])
    return FeatureMap(bounds, padded, sizes)


def _permutation(seed: int, which: int, n: int) -> np.ndarray:
    return np.argsort(uniform(seed, _COMBINATIONS + 1000 * (which + 1), np.arange(n)), kind="stable")
