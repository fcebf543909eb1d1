"""Which labels are answered, given their scores: rules that a user chooses, also mid-stream."""

from __future__ import annotations

import numpy as np

from streamlab.learners.base._kernels import FARTHEST, choose_above, choose_expected, follow
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.parameters import Tunable
from streamlab.learners.base.storage import Array, Storage, between

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
