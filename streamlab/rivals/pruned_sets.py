"""The learner PrunedSets: the label sets that are frequent among the first rows, as classes of one classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.decision import Deciding
from streamlab.learners.base.parameters import kept, like, parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.row_learner import RowLearner
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import Storage
from streamlab.learners.mlhat.events import EVENTS
from streamlab.learners.mlhat.mlhat import MLHAT
from streamlab.rivals import _hoeffding as base
from streamlab.rivals import _pruned_sets as kernels
from streamlab.rivals import hoeffding
from streamlab.rivals import pruned_sets_growth as growth
from streamlab.rivals.hoeffding import split_in_words
from streamlab.rivals.pruned_sets_growth import CHOSEN, chosen_in_words

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["PrunedSets"]

BASES = ("tree", "bayes")


def settings_of(own: Any, **others: Any) -> np.ndarray:
    """Return parameters as the kernels of pruned sets take them: ``others``, or those of ``own``; see ``hoeffding``."""
    buffer, support, reintroduce, kind = (
        others[name] if name in others else getattr(own, name) for name in ("buffer", "support", "reintroduce", "base")
    )
    # naive Bayes is a tree that never splits
    trees = hoeffding.settings_of(own, **others | ({"max_depth": -1} if kind == "bayes" else {}))
    return np.append(trees, [buffer, support, reintroduce, kind == "bayes"])


class PrunedSets(Deciding, RowLearner):
    """Pruned sets: the label sets that are frequent among the first rows are the classes of one classifier.

    The first ``buffer`` rows are kept, and answered with the most frequent label set so far. Then label sets that came
    seldom are pruned until at most ``support`` are left; each of those is a class, and a Hoeffding tree (or naive
    Bayes) learns the buffer's rows of these classes, and all rows of them that follow. So it answers label sets that
    it has seen, never a new combination.

    Parameters
    ----------
    buffer
        Rows that are kept before the label sets are chosen. MEKA's default is 1,000.
    support
        Label sets kept at most. p is the smallest number for which at most this many label sets came more
        than p times, but one less if fewer than two did. Tunable: counts when the buffer is full.
    reintroduce
        A row whose label set is not kept is learned as its largest subsets among the label sets kept, at most this
        many, which share its weight. 0: such a row is not learned.
    base
        ``"tree"``: a Hoeffding tree with naive Bayes in its leaves where that is better; ``"bayes"``: naive Bayes.
    grace_period, delta, tau, max_depth
        Of the Hoeffding tree, as in ``HoeffdingTrees``.
    decision
        Which labels are answered: ``"half"`` (default: the most probable label set), ``"cardinality"`` or
        ``"balanced"``, which choose by the scores; see ``Deciding``.

    Notes
    -----
    Rows are learned one after the other, within a chunk too, so the chunk size has no effect. The score of a label is
    the sum of the probabilities of the label sets that have it; while the buffer fills, their share of its rows. The
    label sets do not change any more once they are chosen: a label that appears later is never answered. A row without
    labels is a label set like any other, but no subset that others are learned as. Missing values and nominal features
    are as in ``HoeffdingTrees``; a feature that is new counts as missing in the buffer.

    Sources
    -------
    J. Read, B. Pfahringer, G. Holmes: "Multi-label classification using ensembles of pruned sets", ICDM 2008; MEKA's
    ``PSUpdateable``. Departures from MEKA: rows without labels are learned; the largest subsets are taken, not the
    smallest; what MEKA prunes for good while it chooses counts again where it then takes p - 1.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((3000, 3))
    >>> Y = (X[:, :2] > 0.5).astype("uint8")
    >>> model = PrunedSets()
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((labels[1000:] == Y[1000:]).mean()) > 0.9
    True
    >>> len(model.nodes())
    4
    """

    line: ClassVar[str] = "One classifier whose classes are frequent label sets; curve only. Fast."
    papers: ClassVar[tuple[str, ...]] = ("read2008pruned",)
    compile_seconds: ClassVar[float] = 9.0
    groups: ClassVar[tuple[Storage, ...]] = (*RowLearner.groups, growth.PRUNED_SETS)
    _quick: ClassVar = {"buffer": 2}
    events: ClassVar[dict[str, EventKind]] = {"sets_chosen": CHOSEN, "split": EVENTS["split"]}
    buffer: int = parameter(2, 1000, default=100, limit=1_000_000)
    support: int = tunable(
        2, 100, default=10, limit=1_000_000, title="Label sets kept at most",
        help="When a buffer is full, rare label sets are pruned until at most this many are left.",
        says="keeps at most {value} label sets",
    )  # fmt: skip
    reintroduce: int = tunable(
        0, 5, default=0, limit=1000, title="Subsets of a pruned set learned",
        help="A row whose label set is not kept is learned as its largest kept subsets, at most this many; 0: not "
        "learned.",
    )  # fmt: skip
    base: str = parameter(default="tree", choices=BASES)
    grace_period: int = like(MLHAT, default=200)
    delta: float = like(MLHAT, default=1e-7)
    tau: float = like(MLHAT, default=0.05)
    max_depth: int | None = like(MLHAT, default=None, kw_only=True)

    _n_seen: int = kept(low=0)

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        self._keep(growth.empty(self._features, len(self._labels), 1, int(self.buffer)))

    def _keep(self, pair: growth.Pair) -> None:
        self._sets, self._forest = pair
        self._scratch = growth.scratch_for(self._sets)

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | (growth.sizes_of(self._sets, self._forest) if hasattr(self, "_sets") else {})

    def _get_state(self) -> State:
        return super()._get_state() | growth.saved(self._sets, self._forest)

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        owner, n_labels = type(self).__name__, len(self._labels)
        self._keep(growth.restored(owner, state, self._features, n_labels, int(self.buffer), (1, 1)))
        self._forest.cursor[base.POSITION] = self._n_seen

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._keep(growth.with_columns(self._sets, self._forest, self._features, len(self._labels)))

    def _settings(self) -> np.ndarray:
        return settings_of(self)

    # ------------------------------------------------------------------ learning

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        own = self._sets, self._forest, 0
        if not len(Y):
            kernels.answer_rows(*own, X, self._settings(), self._scratch, scores, labels)
            return len(X)
        weights, settings = np.ones(len(X)), self._settings()
        row = kernels.test_then_train(*own, X, Y, weights, start, settings, self._scratch, scores, labels)
        self._describe()
        self._n_seen = int(self._forest.cursor[base.POSITION])
        return int(row)

    def _make_room(self, X: Any) -> None:
        self._keep(growth.with_room(self._sets, self._forest))

    # ------------------------------------------------------------------ events and nodes

    def _describe(self) -> None:
        noted = self._sets.noted[: int(self._sets.cursor[kernels.N_NOTED])].tolist()
        self._events.extend(chosen_in_words(row) for row in noted)
        for row in self._forest.events[: int(self._forest.cursor[base.N_EVENTS])].tolist():
            self._events.append(split_in_words(row, self._features, f"node {row[1]:.0f} of the base"))
        self._sets.cursor[kernels.N_NOTED] = self._forest.cursor[base.N_EVENTS] = 0

    def nodes(self) -> pd.DataFrame:
        """Return a table of the label sets: those in the buffer while it fills, then those that are classes.

        Columns: ``id`` (index), ``labels`` (list of names), ``weight`` (of the rows learned as this set), ``share`` (of
        all of these) and ``is_class``.
        """
        import pandas as pd

        words, weights, is_class = growth.label_sets(self._sets, 0)
        return pd.DataFrame(
            {
                "id": np.arange(len(words)),
                "labels": [growth.labels_of(each, self._labels) for each in words],
                "weight": weights,
                "share": weights / max(weights.sum(), 1e-300),
                "is_class": np.full(len(words), is_class),
            }
        ).set_index("id")
