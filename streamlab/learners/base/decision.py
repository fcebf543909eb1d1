"""Which labels are answered, given their scores: rules that a user chooses, also mid-stream."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from streamlab.learners.base._expected_f1 import choose_expected_f1
from streamlab.learners.base._kernels import FARTHEST, choose_above, choose_expected, follow
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.parameters import Tunable
from streamlab.learners.base.storage import Array, Storage, between

DECISION = Tunable(
    "decision", 0, 1, choices=("half", "cardinality", "balanced", "expected_f1", "expected_f1_fast"),
    title="Labels answered",
    help="half: the learner's own rule; cardinality: as many of the highest scores as they sum to, serves F1 (micro); "
    "balanced: scores above a threshold of each label, kept so that it is answered as often as it is true, serves "
    "F1 (macro); expected_f1: the labels whose expected F1 (example) is the highest, at least one; expected_f1_fast: "
    "the same, approximated.",
)  # fmt: skip
DECISION_BY_SCORES = replace(
    DECISION,
    choices=tuple(choice for choice in DECISION.choices if choice != "balanced"),
    help=DECISION.help.replace(DECISION.help[DECISION.help.index("balanced") : DECISION.help.index("expected")], ""),
)
"""Of learners that keep no thresholds."""

THRESHOLDS = Storage(Array("thresholds", ("labels",), finite=True, rules=(between(-FARTHEST, FARTHEST),)))
"""The labels' thresholds of the rule ``balanced``, in log-odds: 0 is a score of one half."""


class Choosing(StreamEstimator):
    """A learner whose users choose how labels follow from a row's scores; put before its other bases.

    It has the parameter ``decision`` and ``DECISION_BY_SCORES`` in its tunables, and hands what it answers to
    ``_decided``.

    - ``"half"``: the learner's own rule.
    - ``"cardinality"``: the ⌊Σp + ½⌋ labels of the highest scores p of a row, of equals the first column.
    - ``"expected_f1"``: the k ≥ 1 labels of the highest scores with the highest expected F1, where the scores are
      taken as probabilities of independent labels: F(k) = Σ_{i ≤ k} p_i E[2 / (k + 1 + N_i)], N_i the number of true
      labels among all others. Only scores above .001 count, and at most ⌊3 Σp⌋ + 3 labels are answered. It serves the
      example F1, and lowers the micro F1. N. Ye, K. M. Chai, W. S. Lee, H. L. Chieu: "Optimizing F-measures", ICML
      2012; K. Dembczyński and others: "Optimizing the F-measure in multi-label classification", ICML 2013.
    - ``"expected_f1_fast"``: the k ≥ 1 for which S_k / (k + Σp) is the highest, S_k the sum of the k highest scores.
    """

    came_later: ClassVar[frozenset[str]] = frozenset({"decision"})
    decision: str

    def _decided(self, scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Return the labels of the rule for scores (n, n_labels); ``labels`` are those of the learner's own rule."""
        if self.decision == "half":
            return labels
        chosen = np.zeros(scores.shape, np.uint8)
        if self.decision == "cardinality":
            choose_expected(scores, chosen)
        else:
            choose_expected_f1(scores, self.decision == "expected_f1", chosen)
        return chosen


class Deciding(Choosing):
    """A learner that may also answer each label as often as it is true.

    It keeps ``THRESHOLDS`` in its storage, has ``DECISION`` in its tunables, and hands what it learns row by row to
    ``_followed``.

    - ``"balanced"``: a score above the label's own threshold θ = 1/(1 + e^-u). After each row that is learned,
      u ← u + 0.05 (answered - true). As u is bounded, so is the sum of (answered - true): a label's faded share of
      answers follows its faded share of true ones. It goes on from where it was when the rule is chosen again.
    """

    came_later: ClassVar[frozenset[str]] = frozenset()
    _thresholds: np.ndarray

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._thresholds = np.pad(self._thresholds, (0, len(self._labels) - len(self._thresholds)))

    @property
    def follows(self) -> bool:
        """Whether the thresholds move with each row."""
        return self.decision == "balanced"

    def _decided(self, scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
        if not self.follows:
            return super()._decided(scores, labels)
        chosen = np.zeros(scores.shape, np.uint8)
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
