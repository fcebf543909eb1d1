"""Which labels are answered, given their scores: rules that a user chooses, also mid-stream."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import choose_highest
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.parameters import Tunable
from streamlab.learners.base.storage import Array, Storage, between

__all__ = ["DECISION", "THRESHOLDS", "Deciding"]

STEP = 0.05
"""How far an error of one label moves its threshold, in log-odds."""
FARTHEST = 20.0
"""Where a threshold stops, in log-odds: at scores of 2e-9 and 1 - 2e-9."""

DECISION = Tunable(
    "decision", 0, 1, choices=("half", "cardinality", "balanced"), title="Labels answered",
    help="half: scores above one half; cardinality: as many of the highest as the scores sum to; balanced: scores "
    "above a threshold of each label, kept so that it is answered as often as it is true.",
)  # fmt: skip

THRESHOLDS = Storage(Array("thresholds", ("labels",), finite=True, rules=(between(-FARTHEST, FARTHEST),)))
"""The labels' thresholds of the rule ``balanced``, in log-odds: 0 is a score of one half."""


class Deciding(StreamEstimator):
    """A learner whose users choose how labels follow from scores; put before its other bases.

    It keeps ``THRESHOLDS`` in its storage, has the parameter ``decision`` and ``DECISION`` in its tunables, and hands
    what it answers to ``_decided``, what it learns row by row to ``_followed``.

    - ``"half"``: the learner's own rule, a score above one half.
    - ``"cardinality"``: the ⌊Σp + ½⌋ labels of the highest scores p of a row, of equals the first column.
    - ``"balanced"``: a score above the label's own threshold θ = 1/(1 + e^-u). After each row that is learned,
      u ← u + 0.05 (answered - true). As u is bounded, so is the sum of (answered - true): a label's faded share of
      answers follows its faded share of true ones. It goes on from where it was when the rule is chosen again.
    """

    decision: str
    _thresholds: np.ndarray

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._thresholds = np.pad(self._thresholds, (0, len(self._labels) - len(self._thresholds)))

    @property
    def follows(self) -> bool:
        """Whether the thresholds move with each row."""
        return self.decision == "balanced"

    def _decided(self, scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Return the labels of the rule for scores (n, n_labels); ``labels`` are those of the learner's own rule."""
        if self.decision == "half":
            return labels
        chosen = np.zeros(scores.shape, np.uint8)
        if self.decision == "cardinality":
            choose_expected(scores, chosen)
        else:
            choose_above(scores, self._thresholds, chosen)
        return chosen

    def _followed(self, scores: np.ndarray, labels: np.ndarray, Y: np.ndarray) -> np.ndarray:
        """Return the same for rows answered one by one, each before its truth ``Y`` is known; thresholds move."""
        if not self.follows:
            return self._decided(scores, labels)
        chosen = np.zeros(scores.shape, np.uint8)
        # another array, which replaces the old one when it is complete
        thresholds = self._thresholds.copy()
        follow(scores, Y, thresholds, chosen)
        self._thresholds = thresholds
        return chosen


@kernel
def choose_expected(scores, labels):
    """Set as many labels of each row, the highest scores first, as the row's scores sum to."""
    n_labels = scores.shape[1]
    for i in range(scores.shape[0]):
        total = 0.0
        for j in range(n_labels):
            total += scores[i, j]
        choose_highest(scores[i], min(n_labels, int(np.floor(total + 0.5))), labels[i])


@kernel
def choose_above(scores, thresholds, labels):
    """Set the labels whose scores are above their thresholds (in log-odds)."""
    for j in range(scores.shape[1]):
        bound = 1.0 / (1.0 + math.exp(-thresholds[j]))
        for i in range(scores.shape[0]):
            labels[i, j] = scores[i, j] > bound


@kernel
def follow(scores, truth, thresholds, labels):
    """Answer row by row; each wrong label moves its threshold, up where it was answered, down where it was missed."""
    bounds = np.empty(thresholds.shape[0])
    for j in range(thresholds.shape[0]):
        bounds[j] = 1.0 / (1.0 + math.exp(-thresholds[j]))
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            answered = scores[i, j] > bounds[j]
            labels[i, j] = answered
            if answered != (truth[i, j] != 0):
                moved = thresholds[j] + (STEP if answered else -STEP)
                thresholds[j] = min(max(moved, -FARTHEST), FARTHEST)
                bounds[j] = 1.0 / (1.0 + math.exp(-thresholds[j]))
