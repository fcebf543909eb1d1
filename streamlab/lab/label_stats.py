"""Statistics of labels: how often each comes, which come together, and how a learner does at each class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log
from typing import Any

import numpy as np

from streamlab.kernels import kernel
from streamlab.schema import Hierarchy

MOST_TOGETHER = 200
"""Co-occurrence grows with the square of the labels: above this number it is neither counted nor drawn."""
MOST_APART = 1024
_ARRAYS = ("n_faded", "whole", "faded", "together")


class LabelStatistics:
    """Prevalence and co-occurrence of labels from additive sums, whole and faded.

    Parameters
    ----------
    n_labels
        Number of labels.
    fading
        Each older instance weighs so much of the next; 0.995, the measures' default, remembers some 200 instances.
    """

    def __init__(self, n_labels: int, fading: float = 0.995) -> None:
        self.fading = fading
        self.n = 0
        self._n_faded = np.zeros(1)
        self._whole = np.zeros(n_labels)
        self._faded = np.zeros(n_labels)
        self._together = np.zeros((n_labels, n_labels)) if n_labels <= MOST_TOGETHER else np.zeros((0, 0))
        self._passed = 0
        # this many rows apart, weights differ by less than 1e100
        self._most = MOST_APART if fading == 1.0 else max(1, min(MOST_APART, int(-100 * log(10) / log(fading))))

    def add(self, Y: np.ndarray) -> None:
        """Count a chunk of label rows, uint8 of shape (n, n_labels); how rows are cut into chunks changes no bit."""
        Y = np.ascontiguousarray(Y, np.uint8)
        n = len(Y)
        if n == 0:
            return
        fade_in(np.ones((n, 1), np.uint8), self.fading, self._n_faded)
        fade_in(Y, self.fading, self._faded)
        if len(self._together):
            self._passed = int(fade_in_pairs(Y, self.fading, self._most, self._passed, self._together))
        self._whole += Y.sum(axis=0, dtype=np.float64)
        self.n += n

    def state(self) -> dict[str, Any]:
        """Return the state, as a flat dictionary of arrays (not copies) and plain values."""
        return {"n": self.n, "passed": self._passed, **{name: getattr(self, f"_{name}") for name in _ARRAYS}}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()``, whose arrays are its own from now on."""
        self.n, self._passed = state["n"], state["passed"]
        vars(self).update({f"_{name}": state[name] for name in _ARRAYS})

    @property
    def now(self) -> np.ndarray:
        """Faded share of the instances that carry each label, shape (n_labels,)."""
        return self._faded / max(float(self._n_faded[0]), 1e-300)

    @property
    def whole(self) -> np.ndarray:
        """Share over the whole stream so far, shape (n_labels,)."""
        return self._whole / max(self.n, 1)

    @property
    def together(self) -> np.ndarray:
        """Faded share of the instances that carry both labels, (n_labels, n_labels); (0, 0) with over 200 labels."""
        return self._together * self.fading ** max(self._passed - 1, 0) / max(float(self._n_faded[0]), 1e-300)


class ClassRecords:
    """Hits and misses of a learner at each class of a hierarchy, older instances fading.

    ``was`` is each class's ``hf`` at the latest ``mark``, float64 (n_labels,); NaN without one, and for 0/0.

    Parameters
    ----------
    hierarchy
        That of the labels.
    fading
        Weight of an instance relative to the next, as in the faded measures.
    """

    def __init__(self, hierarchy: Hierarchy, fading: float = 0.995) -> None:
        self.hierarchy, self.fading = hierarchy, fading
        self._counts = np.zeros((3, len(hierarchy)))
        self.was = np.full(len(hierarchy), np.nan)

    def mark(self) -> None:
        """Keep how well each class is answered at this instant."""
        self.was = self.scores()["hf"]

    def add(self, Y: np.ndarray, Z: np.ndarray) -> None:
        """Count true labels ``Y`` and predicted ones ``Z``, both (n, n_labels), with the ancestors of their labels."""
        true, predicted = (self.hierarchy.with_ancestors(labels).astype(bool) for labels in (Y, Z))
        rows = np.concatenate([true & predicted, predicted & ~true, true & ~predicted], axis=1)
        fade_in(rows, self.fading, self._counts.reshape(-1))

    def state(self) -> dict[str, Any]:
        """Return the state, as a flat dictionary of arrays (not copies)."""
        return {"counts": self._counts, "was": self.was}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()``, whose arrays are its own from now on."""
        self._counts, self.was = state["counts"], state["was"]

    @property
    def weight(self) -> np.ndarray:
        """Instances of each class, faded; float64 (n_labels,)."""
        return self._counts[0] + self._counts[2]

    def scores(self) -> dict[str, np.ndarray]:
        """``hp``, ``hr``, ``hf``: hierarchical precision, recall and F of each class and all below it; NaN for 0/0."""
        hits, false, missed = self._counts @ self.hierarchy.above
        with np.errstate(invalid="ignore", divide="ignore"):
            return {
                "hp": hits / (hits + false),
                "hr": hits / (hits + missed),
                "hf": 2 * hits / (2 * hits + false + missed),
            }


LOSS = 0.1
"""How much of its F1 a class has lost at least that is called hurt."""


def hurt_most(all_records: Iterable[ClassRecords | None]) -> int | None:
    """Return the group of leaves that lost most of its ``hf`` since the mark, in the mean of some learners.

    A leaf that is in no such group is one alone. None where none lost 0.1 or more. Learners that were not there at the
    mark do not count, nor classes that one of the others has no figure of.
    """
    records = [each for each in all_records if each is not None and not np.isnan(each.was).all()]
    if not records:
        return None
    tree = records[0].hierarchy
    lost = np.mean([each.was - each.scores()["hf"] for each in records], axis=0)
    leaves, below = set(tree.leaves), [tree.children(c) for c in range(len(tree))]
    groups = {c for c, children in enumerate(below) if children and leaves.issuperset(children)}
    alone = {c for c in leaves if groups.isdisjoint(tree.parents_of(c))}
    return max((c for c in sorted(groups | alone) if lost[c] >= LOSS), key=lambda c: lost[c], default=None)


# ---------------------------------------------------------------------- faded sums, row by row, however rows are cut


@kernel
def fade_in(rows, fading, sums):
    """Let every row fade the sums, float64 [k], and add itself, bool or number [n, k]."""
    for i in range(rows.shape[0]):
        for j in range(sums.shape[0]):
            sums[j] = sums[j] * fading + rows[i, j]


@kernel
def fade_in_pairs(flags, fading, most, passed, pairs):
    """Add each pair of labels that a row carries, the newest row weighing most.

    Only the pairs of a row are touched: instead of all sums fading, a row weighs ``fading ** -passed``, and after
    ``most`` rows all sums are brought back to scale. The faded sum is ``pairs * fading ** (passed - 1)``.

    ``flags`` uint8 [n, L], ``pairs`` float64 [L, L], ``passed`` the rows since they were last in scale. Returns the new
    ``passed``.
    """
    for i in range(flags.shape[0]):
        if passed == most:
            pairs *= fading**most
            passed = 0
        weight = fading ** (-passed)
        for a in range(flags.shape[1]):
            if flags[i, a]:
                for b in range(flags.shape[1]):
                    if flags[i, b]:
                        pairs[a, b] += weight
        passed += 1
    return passed
