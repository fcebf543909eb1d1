"""Label sets by regions of the feature space; drifts change those of some regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from streamlab._checks import checked_choice, checked_count
from streamlab.schema import Feature, Schema
from streamlab.streams.draws import uniform
from streamlab.streams.stream import Drift, Stream
from streamlab.streams.wrapped import positions, spans

__all__ = ["RegionGenerator"]

N_BLOCK = 1000
KINDS = {"labels": "labels of regions", "branch": "regions and labels"}
"""What a drift changes, in words."""
ABOUT = {
    "labels": "{share} of the regions carry other labels now; their borders stayed as they were",
    "branch": "{share} of the regions were divided in another way, with other labels",
}
SHARES = {1: "half", 2: "a quarter"}
"""Of the regions, below a node of a level."""
N_FEATURES, N_LABELS, DEPTH, CARDINALITY, NOISE = 10, 8, 4, 2.0, 0.02
"""Features, labels, tests from the root to a region, labels of a region about, chance that a label is wrong."""
# thresholds leave each side of a test at least this share of its range
MARGIN = 0.3
# keys of what is drawn; features and noise take one for each column from these on
_TESTS, _POINTS, _BRANCHES, _LEVELS, _FILL = range(1, 6)
_SETS = 100_000_000
_FEATURES, _NOISE = 10_000, 20_000


class RegionGenerator(Stream):
    """A random tree of tests cuts the unit cube into regions, each with a label set; drifts redraw those of a branch.

    The concept has the structure that tree learners look for, and its drifts are local: nothing changes outside the
    branch. Every row is drawn from the seed and its position alone. Ten numeric features are uniform in [0, 1], and
    four tests, of any of them, lead to one of 16 regions. Of eight labels a region has about two; each depends on the
    first tests alone, on one to all of them, and is on below at least one of the nodes there, and off below another.
    With a chance of 2 % a label is told wrongly.

    Parameters
    ----------
    at
        Where drifts begin, in rows counted from 0. Each redraws, below one of the root's children or grandchildren,
        what ``change`` says.
    change
        "labels": the label sets alone, so that a tree which asks the right tests may keep them; "branch": its tests
        too, that of the node itself among them. Default "labels".
    n_rows
        Length; None: endless. Default 100,000.
    seed
        Of all that is drawn.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Examples
    --------
    >>> stream = RegionGenerator(at=[500], n_rows=1000, seed=1)
    >>> stream.drifts
    (Drift(start=500, width=1, kind='labels of regions'),)
    """

    def __init__(
        self,
        *,
        at: int | Sequence[int] = (),
        change: str = "labels",
        n_rows: int | None = 100_000,
        seed: int = 0,
        name: str = "regions",
    ) -> None:
        checked_choice("change", change, KINDS)
        checked_count("n_rows", n_rows, optional=True)
        self.name, self.n_rows, self.seed = name, n_rows, checked_count("seed", seed)
        self.schema = Schema(
            tuple(Feature(f"f{i + 1}", low=0.0, high=1.0) for i in range(N_FEATURES)),
            tuple(f"l{i + 1}" for i in range(N_LABELS)),
        )
        self.at = positions(at, self, apart=1, optional=True)
        self.drifts = tuple(
            Drift(position, 1, KINDS[change], ABOUT[change].format(share=SHARES[self._level(self._branch(concept))]))
            for concept, position in enumerate(self.at, 1)
        )
        self.change = change
        self._tests, self._points = self._all_tests()
        self._sets = self._label_sets()

    def _all_tests(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the tests in each concept, [concepts, nodes]: their features, and the points that divide these."""
        n = 2**DEPTH - 1
        nodes = np.arange(n)
        features = np.empty((len(self.at) + 1, n), np.int64)
        shares = np.empty(features.shape)
        for concept in range(len(features)):
            keys = nodes + n * concept
            drawn = (uniform(self.seed, _TESTS, keys) * self.schema.n_features).astype(np.int64)
            share = MARGIN + (1 - 2 * MARGIN) * uniform(self.seed, _POINTS, keys)
            if concept:
                changes = self._is_below(self._branch(concept), nodes) & (self.change == "branch")
                drawn = np.where(changes, drawn, features[concept - 1])
                share = np.where(changes, share, shares[concept - 1])
            features[concept], shares[concept] = drawn, share
        return features, np.stack([self._points_of(features[k], shares[k]) for k in range(len(features))])

    def _points_of(self, features: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Return where the tests of a complete binary tree in heap order divide their features."""
        n = len(features)
        low, high = np.zeros((n, self.schema.n_features)), np.ones((n, self.schema.n_features))
        points = np.empty(n)
        for i, f in enumerate(features.tolist()):
            points[i] = low[i, f] + shares[i] * (high[i, f] - low[i, f])
            for child in (2 * i + 1, 2 * i + 2):
                if child < n:
                    low[child], high[child] = low[i], high[i]
                    (high if child % 2 else low)[child, f] = points[i]
        return points

    def _branch(self, concept: int) -> int:
        """Return the node below which a concept differs from the one before: on the first two levels below the root."""
        return 1 + int(uniform(self.seed, _BRANCHES, np.array([concept]))[0] * 6)

    @staticmethod
    def _level(node: int) -> int:
        """Return how many tests are above a node."""
        return (node + 1).bit_length() - 1

    @staticmethod
    def _is_below(top: int, at: np.ndarray) -> np.ndarray:
        """Return which nodes, regions behind the tests, are the node ``top`` or below it."""
        while (at > top).any():
            at = np.where(at > top, (at - 1) // 2, at)
        return at == top

    def _label_sets(self) -> np.ndarray:
        """Label sets of the regions in each concept: uint8 [concepts, regions, labels]; none is empty."""
        regions = np.arange(2**DEPTH)
        # each label depends on the first tests only, on one to all of them: so every level of the tree matters
        levels = 1 + np.argsort(uniform(self.seed, _LEVELS, np.arange(N_LABELS)), kind="stable") % DEPTH

        def drawn(concept: int) -> np.ndarray:
            sets = np.zeros((len(regions), N_LABELS), np.uint8)
            for j, level in enumerate(levels.tolist()):
                draws = uniform(self.seed, _SETS + 1000 * (concept + 1) + j, np.arange(2**level))
                on = np.argsort(draws)[: min(max(round(CARDINALITY / N_LABELS * 2**level), 1), 2**level - 1)]
                sets[:, j] = np.isin(regions >> (DEPTH - level), on)
            empty = np.flatnonzero(sets.sum(axis=1) == 0)
            sets[empty, (uniform(self.seed, _FILL, empty + len(regions) * concept) * N_LABELS).astype(np.int64)] = 1
            return sets

        sets = [drawn(0)]
        for concept in range(1, len(self.at) + 1):
            is_new = self._is_below(self._branch(concept), regions + len(regions) - 1)
            sets.append(np.where(is_new[:, None], drawn(concept), sets[-1]))
        return np.stack(sets)

    def concept_of(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return how many drifts each row has behind it; int64 of the shape of ``rows``."""
        return np.searchsorted(np.array(self.at, np.int64), np.asarray(rows), side="right")

    def regions_of(self, X: np.ndarray, concept: int | np.ndarray = 0) -> np.ndarray:
        """Return the region of each row of ``X`` in its concept, int64 (n,), from 0 on the far left of the tree."""
        node = np.zeros(len(X), np.int64)
        for _ in range(DEPTH):
            node = 2 * node + 1 + (X[np.arange(len(X)), self._tests[concept, node]] > self._points[concept, node])
        return node - (2**DEPTH - 1)

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for begin, stop in spans(start, self.n_rows, N_BLOCK):
            rows = np.arange(begin, stop)
            X = np.column_stack([uniform(self.seed, _FEATURES + f, rows) for f in range(self.schema.n_features)])
            concept = self.concept_of(rows)
            Y = self._sets[concept, self.regions_of(X, concept)]
            draws = np.column_stack([uniform(self.seed, _NOISE + j, rows) for j in range(N_LABELS)])
            Y = Y ^ (draws < NOISE).astype(np.uint8)
            yield np.ascontiguousarray(X), np.ascontiguousarray(Y)
