"""Which labels are answered, given their scores: rules that a user chooses, also mid-stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from streamlab._checks import checked_number, shown
from streamlab.learners.base._decisions import (
    choose_above,
    choose_expected,
    choose_expected_f1,
    follow,
    follow_f1,
)
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.parameters import Tunable, kept, like, tunable

Decision: TypeAlias = str | float | Mapping[str, float]
"""A rule by its name, or thresholds: one for all labels, or by label."""


@dataclass(frozen=True)
class _Decision(Tunable):
    """The name of a rule, or thresholds that the user gives."""

    def checked(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            for label, threshold in value.items():
                if not isinstance(label, str):
                    raise ValueError(f"{self.name}: {label!r} is not the name of a label; expected label: threshold")
                checked_number(f"{self.name}[{label!r}]", threshold, 0, 1)
            return {label: float(threshold) for label, threshold in value.items()}
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return checked_number(self.name, value, 0, 1)
        try:
            return super().checked(value)
        except ValueError as error:
            raise ValueError(f"{error} or a threshold from 0 to 1, for all labels or by label") from None


RULES = {
    "half": "the learner's own rule",
    "cardinality": "as many of the highest scores as they sum to, serves F1 (micro)",
    "balanced": "scores above a threshold of each label, kept so that it is answered as often as it is true, serves F1 "
    "(macro)",
    "threshold": "scores above half of the F1 that the label has had so far, serves F1 (macro)",
    "expected_f1": "the labels whose expected F1 (example) is the highest, at least one",
    "expected_f1_fast": "the same, approximated",
}
"""The rules by name, with what each answers."""
BY_RANK = ("cardinality", "expected_f1", "expected_f1_fast")
"""The rules that answer the labels of a row's highest scores."""


def _control(*without: str) -> _Decision:
    """Return the control of the rules, without some."""
    rules = {name: words for name, words in RULES.items() if name not in without}
    words = "; ".join(f"{name}: {words}" for name, words in rules.items())
    return _Decision("decision", 0, 1, choices=tuple(rules), title="Labels answered", help=f"{words}.")


DECISION, DECISION_BY_SCORES = _control(), _control("balanced")
"""Of all learners, and of those that do not keep the thresholds of ``balanced``."""


def check_labels(name: str, given: Any, labels: Sequence[str]) -> None:
    """Raise a ValueError if the parameter ``name`` gives something by label for one that is not there."""
    for label in given if isinstance(given, Mapping) else ():
        if label not in labels:
            raise ValueError(f"{name}[{label!r}]: there is no such label; the labels are {shown(list(labels))}")


class Choosing(StreamEstimator):
    """A learner whose users choose how labels follow from a row's scores; put before its other bases.

    It hands what it answers to ``_decided``, and what it learns row by row to
    ``_followed``.

    - ``"half"``: the learner's own rule.
    - ``"cardinality"``: the ⌊Σp + ½⌋ labels of the highest scores p of a row, of equals the first column.
    - ``"expected_f1"``: the k ≥ 1 labels of the highest scores with the highest expected F1, where the scores are
      taken as probabilities of independent labels: F(k) = Σ_{i ≤ k} p_i E[2 / (k + 1 + N_i)], N_i the number of true
      labels among all others. Only scores above .001 count, and at most ⌊3 Σp⌋ + 3 labels are answered. It serves the
      example F1, and lowers the micro F1. N. Ye, K. M. Chai, W. S. Lee, H. L. Chieu: "Optimizing F-measures", ICML
      2012; K. Dembczyński and others: "Optimizing the F-measure in multi-label classification", ICML 2013.
    - ``"expected_f1_fast"``: the k ≥ 1 for which S_k / (k + Σp) is the highest, S_k the sum of the k highest scores.
    - ``"threshold"``: a score above the label's own threshold, which is tuned by the rows that were learned, each
      answered before it was: with a the rows in which the label was answered and true, and b those in which it was
      answered plus those in which it was true, the threshold is a/b, half of its F1 so far, and 0 before any. Of
      probabilities the threshold with the highest F1 is half of that F1: Z. C. Lipton, C. Elkan, B. Naryanaswamy:
      "Optimal thresholding of classifiers to maximize F1 measure", ECML PKDD 2014. The rule is OFO of
      R. Busa-Fekete, B. Szörényi, K. Dembczyński, E. Hüllermeier: "Online F-measure optimization", NIPS 2015. It
      serves the macro F1. What it counts rests while another rule is chosen.
    - A number from 0 to 1, or a dictionary by label: a score above this threshold. Labels that a dictionary leaves out
      have one half.
    """

    decision: Decision = tunable(default="half", control=DECISION_BY_SCORES, kw_only=True)
    # for the rule ``threshold``, of each label: rows in which it was answered and true; in which it was answered, plus
    # those in which it was true; None before the rule was chosen
    _f1_counts: np.ndarray | None = kept("labels", 2, finite=True, optional=True)

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        if self._f1_counts is not None:
            self._f1_counts = np.pad(self._f1_counts, ((0, len(self._labels) - len(self._f1_counts)), (0, 0)))

    def _check_columns(self, features: Any, labels: Any, hierarchy: Any) -> None:
        super()._check_columns(features, labels, hierarchy)
        check_labels("decision", self.decision, labels)

    def tune(self, **parameters: Any) -> None:
        """Change tunable parameters, as ``Learner.tune``; ``decision`` may only name labels that there are."""
        if self._labels:
            check_labels("decision", parameters.get("decision"), self._labels)
        super().tune(**parameters)

    _following: ClassVar[dict[str, tuple[Any, str]]] = {"threshold": (follow_f1, "_f1_counts")}
    """By rule, whose thresholds move with each row: the kernel that moves them, and the attribute that keeps them."""

    @property
    def _follows(self) -> bool:
        """Whether what is kept for the rule changes with each row."""
        return isinstance(self.decision, str) and self.decision in self._following

    def _f1_so_far(self) -> np.ndarray:
        """Return what the rule ``threshold`` has counted."""
        return np.zeros((len(self._labels), 2)) if self._f1_counts is None else self._f1_counts

    def _thresholds_of_rule(self) -> np.ndarray:
        """Return the labels' thresholds, float64 (n_labels,), of the rule ``threshold`` or as they were given."""
        if self.decision == "threshold":
            hits, total = self._f1_so_far().T
            return np.divide(hits, total, out=np.zeros(len(hits)), where=total > 0)
        if isinstance(self.decision, Mapping):
            return np.array([self.decision.get(label, 0.5) for label in self._labels], float)
        return np.full(len(self._labels), float(self.decision))

    def answered_above(self) -> np.ndarray | None:
        """Return the scores above which labels are answered, float64 (n_labels,): for ``"half"`` one half.

        None where a rule answers the labels of a row's highest scores: there it depends on the row.
        """
        if self.decision in BY_RANK:
            return None
        return np.full(len(self._labels), 0.5) if self.decision == "half" else self._thresholds_of_rule()

    def _decided(self, scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Return the labels of the rule for scores (n, n_labels); ``labels`` are those of the learner's own rule."""
        if self.decision == "half":
            return labels
        if self.decision == "threshold" or not isinstance(self.decision, str):
            return (scores > self._thresholds_of_rule()).astype(np.uint8)
        chosen = np.zeros(scores.shape, np.uint8)
        if self.decision == "cardinality":
            choose_expected(scores, chosen)
        else:
            choose_expected_f1(scores, self.decision == "expected_f1", chosen)
        return chosen

    def _followed(self, scores: np.ndarray, labels: np.ndarray, Y: np.ndarray) -> np.ndarray:
        """Return the same for rows answered one by one, each before its truth ``Y`` is known; thresholds move."""
        if not self._follows:
            return self._decided(scores, labels)
        chosen = np.zeros(scores.shape, np.uint8)
        move, name = self._following[str(self.decision)]
        # another array, which replaces the old one when it is complete
        kept = (self._f1_so_far() if name == "_f1_counts" else getattr(self, name)).copy()
        move(scores, Y, kept, chosen)
        setattr(self, name, kept)
        return chosen

    def _learned_row_by_row(self, X: Any, Y: np.ndarray, missing: np.ndarray, timestamps: np.ndarray | None) -> bool:
        """Let what is kept for the rule follow, for a learner of whole chunks whose ``_learn`` calls this first.

        Several rows it hands to ``_learn`` one by one, and returns True; one row is answered, and not learned yet.
        """
        if not self._follows:
            return False
        learner: Any = self
        if len(X) == 1:
            scores, labels = learner._predict(X, missing)
            self._followed(scores, labels, Y)
            return False
        for i in range(len(X)):
            row = slice(i, i + 1)
            learner._learn(X[row], Y[row], missing[row], None if timestamps is None else timestamps[row])
        return True

    def _join_f1_counts(self, other: Choosing) -> None:
        """Add what another has counted for the rule ``threshold``."""
        if other._f1_counts is not None:
            self._f1_counts = self._f1_so_far() + other._f1_counts


class Deciding(Choosing):
    """A learner that may also answer each label as often as it is true.

    - ``"balanced"``: a score above the label's own threshold θ = 1/(1 + e^-u). After each row that is learned,
      u ← u + 0.05 (answered - true). As u is bounded, so is the sum of (answered - true): a label's faded share of
      answers follows its faded share of true ones. It goes on from where it was when the rule is chosen again.
    """

    decision: Decision = like(default="half", kw_only=True, choices=DECISION.choices, help=DECISION.help)
    # for the rule ``balanced``, in log-odds: 0 is a score of one half
    _thresholds: np.ndarray = kept("labels", finite=True)

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._thresholds = np.pad(self._thresholds, (0, len(self._labels) - len(self._thresholds)))

    _following: ClassVar = Choosing._following | {"balanced": (follow, "_thresholds")}

    def answered_above(self) -> np.ndarray | None:
        return 1 / (1 + np.exp(-self._thresholds)) if self.decision == "balanced" else super().answered_above()

    def _decided(self, scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
        if self.decision != "balanced":
            return super()._decided(scores, labels)
        chosen = np.zeros(scores.shape, np.uint8)
        choose_above(scores, self._thresholds, chosen)
        return chosen
