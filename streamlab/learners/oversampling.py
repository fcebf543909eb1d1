"""Oversampling: a learner around another, which learns rows with rare labels more often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from streamlab._checks import checked_number, shown
from streamlab.learners._oversampling import count_copies
from streamlab.learners.base.composed import Composed
from streamlab.learners.base.decision import check_labels
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import checked_seed, kept, parameter, random_key, tunable
from streamlab.learners.base.state import State, contradiction

__all__ = ["Oversampling"]


class Oversampling(Composed, Learner):
    """Any learner, which learns a row the more often the rarer the row's labels are: class weights for streams.

    A row is learned w times, w the greatest weight of its true labels, 1 without one, ``most`` at most. A label's
    weight is how much rarer it has been than its absence, (1 - s) / s, where s is the faded share of the rows with it;
    never below 1. A fraction of w is the chance of one more time. All labels of the row are learned with it.

    Parameters
    ----------
    model
        The learner, its own from now on. Any of streamlab's, a pipeline too.
    weights
        ``"balanced"`` (default), the rule above; or a dictionary with a weight from 1 on by label, others 1.
    most
        How often a row is learned at most.
    fading
        Weight of a row relative to the next in the labels' shares, above 0 and at most 1.
    seed
        Of the chances. None: a random one.

    Raises
    ------
    ValueError
        For what is not a learner, a weight below 1, or a label that is not there.

    Notes
    -----
    Answers are those before a row is learned for the first time. To the learner each time is a row: a half-life, a
    window or a chunk counts them all, and its ``decision="balanced"`` or ``"threshold"`` follows them.

    Sources
    -------
    Shares that decay, and a row that is learned as often as its class is rare, are those of S. Wang, L. L. Minku,
    X. Yao: "Resampling-based ensemble methods for online class imbalance learning", IEEE TKDE 27(5), 2015 (OOB).
    Departures: for several labels the greatest weight counts; around any learner, so that each row is learned at least
    once and not as often as a Poisson draw says; ``most``.

    Examples
    --------
    >>> import streamlab as sl
    >>> learners = {"alone": sl.MLHAT(seed=1), "oversampled": sl.Oversampling(sl.MLHAT(seed=1), seed=1)}
    >>> macro = sl.prequential("yeast", learners, measures=["macro_f1"]).summary.macro_f1
    >>> bool(macro["oversampled"] > macro["alone"])
    True
    """

    papers: ClassVar[tuple[str, ...]] = ("wang2015resampling",)
    made_of: ClassVar[str] = "model"
    model: Learner = parameter()
    weights: str | Mapping[str, float] = parameter(default="balanced")
    most: float = tunable(
        1.0, 30.0, default=10.0, limit=1000.0, title="Times a row is learned (most)",
        help="Rows with rare labels are learned up to so often; 1: all rows alike.",
        says="learns a row with rare labels up to {value} times",
    )  # fmt: skip
    fading: float = tunable(
        0.9, 1.0, default=0.99, title="Fading of the labels' shares",
        help="How much a row counts relative to the next in how rare a label is.",
    )  # fmt: skip
    seed: int | None = parameter(default=None, check=checked_seed)

    _key: np.int64 = kept(low=0, high=2**63 - 1)
    _n_seen: int = kept(low=0)
    _shares: np.ndarray = kept("labels", finite=True)

    def _check_parameters(self) -> None:
        if isinstance(self.model, type) or not isinstance(self.model, Learner):
            raise ValueError(f"model={shown(self.model)}: expected a learner of streamlab's")
        if isinstance(self.weights, Mapping):
            for label, weight in self.weights.items():
                checked_number(f"weights[{label!r}]", weight, 1.0)
        elif self.weights != "balanced":
            raise ValueError(f"weights={shown(self.weights)}: expected 'balanced', or weights from 1 on by label")
        self._share_lock()

    @classmethod
    def _unit_test_params(cls):
        from streamlab.learners.baselines import MajorityLabels

        yield {"model": MajorityLabels(), "seed": 1}

    # ------------------------------------------------------------------ the learner inside

    @property
    def _inner(self) -> dict[str, Any]:
        return {"model": vars(self)["model"]} if "model" in vars(self) else {}

    @property
    def members(self) -> dict[str, Learner]:
        """The learner, by the name of its class."""
        return {self._called("model"): self.model}

    @property
    def predicts_whole_chunks(self) -> bool:  # type: ignore[override]  # it depends on the learner
        """Whether the learner does."""
        return self.model.predicts_whole_chunks

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]  # as above
        """Whether the learner does."""
        return self.model.takes_sparse

    @classmethod
    def prepare_own(cls) -> None:
        """Load the kernel that counts how often rows are learned, or compile it."""
        Y, one = np.zeros((1, 1), np.uint8), np.ones(1)
        count_copies(Y, one, one, True, 0, 1.0, 1.0, np.int64(0), np.zeros(1, np.int64))

    def prepare(self) -> None:  # type: ignore[override]  # of its own learner
        """Load its kernels and the learner's, or compile them."""
        super().prepare()
        self.prepare_own()

    def _cloned_parts(self, own: dict[str, Any], given: dict[str, Any]) -> Any:
        model = own["model"]
        # anything else is refused by name
        return model.clone(self._given_to_parts(given, "part")["model"]) if isinstance(model, Learner) else model

    # ------------------------------------------------------------------ columns and state

    def _check_columns(self, features: Any, labels: Any, hierarchy: Any) -> None:
        super()._check_columns(features, labels, hierarchy)
        check_labels("weights", self.weights, labels)

    def _reset(self) -> None:
        super()._reset()
        self._key = random_key(self.seed)

    @classmethod
    def _stored_parts(cls, state: State) -> Any:
        parts = cls._parts_in(state)
        if len(parts) != 1:
            raise contradiction(cls.__name__, f"steps are {len(parts)}; expected one learner")
        return parts[0]

    # ------------------------------------------------------------------ learning

    def _copies(self, X: Any, Y: np.ndarray, missing: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray]:
        """Return the rows as often as they are learned, and the place of each one's first; the shares follow."""
        shares, copies = self._shares.copy(), np.zeros(len(Y), np.int64)
        given = self.weights if isinstance(self.weights, Mapping) else None
        weights = np.array([(given or {}).get(label, 1.0) for label in self._labels], np.float64)
        count_copies(
            Y, shares, weights, given is None, self._n_seen, float(self.fading), float(self.most), self._key, copies
        )
        self._shares, self._n_seen = shares, self._n_seen + len(Y)
        rows = np.repeat(np.arange(len(Y)), copies)
        return X[rows], Y[rows], missing[rows], np.cumsum(copies) - copies

    def _learn(self, X, Y, missing) -> None:
        self._learn_copies(self.model._learn, X, Y, missing)

    def _test_then_train(self, X, Y, missing):
        if self.predicts_whole_chunks:
            return super()._test_then_train(X, Y, missing)
        (scores, labels), first = self._learn_copies(self.model._test_then_train, X, Y, missing)
        return scores[first], labels[first]

    def _learn_copies(self, learn: Any, X: Any, Y: np.ndarray, missing: np.ndarray) -> tuple[Any, np.ndarray]:
        """Let the learner's method ``learn`` rows as often as it must; return what it returns, and each one's first."""
        self.model._widen(self._columns_in(), self._labels, self._label_names, self._hierarchy, self._bound)
        before, inner = self._n_seen, self.model.now
        X, Y, missing, first = self._copies(X, Y, missing)
        found = learn(X, Y, missing)
        self._take_over_copies(before, inner, first)
        return found, first

    def _take_over_copies(self, before: int, inner: int | None, first: np.ndarray) -> None:
        """Keep what the learner reports of rows of which each was learned several times, at the rows' own positions.

        ``before``, ``inner``: rows that this one and the learner had learned; ``first``: place of each row's first.
        """
        now = self.model.now

        def own(position: int) -> int | None:
            if inner is None or now is None:
                return None
            if not inner <= position <= now:
                return before + position - inner  # as wrong here as there
            # how many rows were begun when so many had been learned
            return before + int(np.searchsorted(first, position - inner))

        self._take_over_events(self.model, own)

    def _predict(self, X, missing):
        return self._answered_by(self.model, X, missing)
