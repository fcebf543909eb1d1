"""The learner ISOUPT: one regression tree for all labels, with a model for each label in its leaves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.decision import Choosing
from streamlab.learners.base.parameters import as_numbers, kept, like, parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.row_learner import RowLearner
from streamlab.learners.base.rows_shown import test_in_words
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import Storage
from streamlab.learners.mlhat.events import test_of
from streamlab.learners.mlhat.introspection import NodeReader, about_labels, faded, numbers_of
from streamlab.learners.mlhat.mlhat import MLHAT
from streamlab.rivals import _isoupt as kernels
from streamlab.rivals import _isoupt_tree as t
from streamlab.rivals import isoupt_growth as growth
from streamlab.rivals._hoeffding import DEPTH, FEATURE, PARENT, POINT, RIGHT, SEEN, SINCE, SLOT
from streamlab.schema import Feature

if TYPE_CHECKING:
    import pandas as pd


MODELS = 5
"""The code of a leaf whose models answer, as the picture of trees knows it."""


class IsoupReader(NodeReader):
    """Reads an iSOUP tree."""

    tree: t.Tree
    TABLE = (
        "parent is_leaf depth feature operator threshold category weight weight_recent error label_entropy top_labels "
        "labels_by_mean best second_best merit second_merit ratio epsilon next_attempt_in active born_at last_seen_at"
    )

    def rows(self) -> np.ndarray:
        """Return the nodes, parents before their children."""
        n = int(self.tree.cursor[t.NODES])
        return np.lexsort((np.arange(n), self.tree.links[:n, DEPTH]))

    def totals(self, rows: Any) -> tuple[Any, Any, Any]:
        """Return of nodes the weight with each label, and when they were born and came last."""
        return self.tree.came[rows], self.tree.links[rows, t.BORN], self.tree.links[rows, t.LAST]

    def columns(self) -> dict[str, np.ndarray]:
        """Return what ``ISOUPT.node_columns`` says."""
        tree, order = self.tree, self.rows()
        links, values, n = tree.links[order], tree.values[order], len(order)
        is_leaf, weight, parent = links[:, FEATURE] < 0, values[:, SEEN], links[:, PARENT]
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.where(weight > 0, values[:, t.WRONG] / weight, math.nan)
        entropy, top = about_labels(tree.came[order], weight)
        nominal = np.array([feature.categories is not None for feature in self.features], bool)
        deepest = math.inf if not len(self.settings) else self.settings[t.MAX_DEPTH]
        return {
            "id": order,
            "parent": parent.copy(),
            "competes_with": np.full(n, -1),
            "is_leaf": is_leaf,
            "background": np.zeros(n, bool),
            "depth": links[:, DEPTH].copy(),
            "feature": links[:, FEATURE].copy(),
            "is_nominal": ~is_leaf & (nominal[links[:, FEATURE]] if len(nominal) else False),
            "threshold": np.where(is_leaf, math.nan, values[:, POINT]),
            "branch": np.where(parent < 0, -1, tree.links[parent, RIGHT] == order).astype(np.int64),
            "weight": weight.copy(),
            "weight_recent": faded(values[:, t.RECENT], links[:, t.LAST], int(tree.cursor[t.POSITION])),
            "error": error,
            "entropy": entropy,
            # it does not count label sets
            "n_labelsets": np.zeros(n, np.int64),
            "regime": np.where(is_leaf & (self._totals(links) > 0), MODELS, 0),
            "top": top,
            "active": is_leaf & (links[:, DEPTH] < deepest),
        }

    def _totals(self, links: np.ndarray) -> np.ndarray:
        """Return the weight behind each leaf's answer, with the weight from the split; 0 for a branch."""
        return np.where(links[:, SLOT] >= 0, self.tree.totals[links[:, SLOT], 0], 0.0)

    def further(self, rows: np.ndarray, columns: dict[str, np.ndarray]) -> dict[str, Any]:
        """Return how many labels are answered by their mean, and the last attempts to split."""
        attempts = [self.attempt(int(s)) or {} for s in rows]
        by_mean = [self.by_mean(int(s)) if leaf else None for s, leaf in zip(rows, columns["is_leaf"], strict=True)]
        numbers = ("merit", "second_merit", "ratio", "epsilon", "next_attempt_in")
        return {
            "labels_by_mean": [math.nan if each is None else len(each) for each in by_mean],
            "best": [each.get("best") for each in attempts],
            "second_best": [each.get("second") for each in attempts],
            **{name: numbers_of(attempts, name) for name in numbers},
        }

    def further_details(self, s: int, is_leaf: bool) -> dict[str, Any]:
        """Return the last attempt to split, and the labels that are answered by their mean."""
        return {"merits": self.attempt(s), "by_mean": self.by_mean(s) if is_leaf else None}

    def by_mean(self, s: int) -> list[str] | None:
        """Return the labels that a leaf answers with their mean, as that has erred less; None: it has no choice."""
        if int(self.settings[t.KIND]) == t.LOGISTIC:
            return None
        errors = self.tree.errors[self.tree.links[s, SLOT]]
        return [self.labels[j] for j in np.flatnonzero(errors[:, t.OF_MEAN] < errors[:, t.OF_MODEL]).tolist()]

    def attempt(self, s: int) -> dict[str, Any] | None:
        """Return a leaf's last attempt to split, and the bound now; None for a branch, or where there was none."""
        links, values = self.tree.links[s], self.tree.values[s]
        if links[FEATURE] >= 0 or links[t.BEST] < 0:
            return None
        merit, second = float(values[t.BEST_MERIT]), float(values[t.SECOND_MERIT])
        return {
            "best": self.features[links[t.BEST]].name,
            "second": self.features[links[t.SECOND]].name if links[t.SECOND] >= 0 else None,
            "merit": merit,
            "second_merit": second,
            "ratio": second / merit,
            "epsilon": float(kernels.bound_of(float(self.settings[t.DELTA]), float(values[SEEN]))),
            "next_attempt_in": max(float(self.settings[t.GRACE]) - float(values[SINCE]), 0.0),
        }


SPLIT = EventKind(
    "A leaf splits",
    "A leaf compares its two best features by how much of the labels' variance each takes away. It splits if the "
    "second best takes less than 1 − ε of what the best takes, ε being the Hoeffding bound: more rows would hardly "
    "change the choice. It also splits once ε is below τ.",
    {
        "merit": "variance that the best feature takes away, mean of the labels",
        "second_merit": "the same of the second best",
        "ratio": "second by best",
        "epsilon": "Hoeffding bound ε",
        "weight": "weight seen",
    },
)


def split_in_words(row: Sequence[float], features: Sequence[Feature]) -> dict[str, Any]:
    """Return a row of the kernels' log as an event."""
    node, position, f, point, merit, second, epsilon, weight = row
    feature, ratio = features[int(f)], second / merit
    is_tie = not ratio < 1.0 - epsilon
    why = f"ε {epsilon:.3f} is below τ" if is_tie else f"the second best has {ratio:.2f} of that, ε is {epsilon:.3f}"
    return {
        "kind": "split",
        "message": f"node {node:.0f} split on {test_in_words(feature, point, True)} after a weight of {weight:,.0f}: "
        f"merit {merit:.4f}, {why}",
        "node": int(node),
        "position": int(position),
        **test_of(feature, point),
        "merit": merit,
        "second_merit": second,
        "ratio": ratio,
        "epsilon": epsilon,
        "weight": weight,
        "tie": is_tie,
    }


__all__ = ["ISOUPT"]

MOST_BYTES = 4 << 30
"""What a leaf may take whose bins are all in use."""


class ISOUPT(Choosing, RowLearner):
    """iSOUP-Tree: one regression tree for all labels at once; its leaves have a model for each label.

    Labels are targets of 0 and 1. A leaf splits where that reduces the variances of the labels most, their mean; the
    labels share the tests, and each has a model of its own, which the children of a split go on with.

    Parameters
    ----------
    leaf
        How a leaf answers. ``"model"`` (default): by a logistic regression for each label. ``"adaptive"``: by the mean
        of the leaf or a linear regression, for each label the one whose squared error, faded by 0.95 with each row, is
        less. ``"perceptron"``: by the mean or a perceptron over standardised features, in the same way.
    tau
        A leaf also splits when the bound is below ``tau`` and a split reduces the variance at all.
    threshold
        A label is answered where its score exceeds this.
    min_samples_split
        Rows that each side of a split must have.
    learning_rate
        Step of the regressions; twice that, and shorter with each row, of the perceptrons.
    decision
        Which labels are answered: ``"half"`` (default, the rule above), ``"cardinality"``, ``"expected_f1"`` or
        ``"expected_f1_fast"``; see ``Choosing``.

    Raises
    ------
    ValueError
        For a parameter that is not allowed, naming it, and for so many columns that a leaf could take more than 4 GB.

    Notes
    -----
    Rows are learned one after the other, within a chunk too, so the chunk size has no effect. Scores are the leaf's
    answers, at least 0 and at most 1. Features are taken as they come; a scaler before it helps regressions whose
    features are large. The perceptron's steps are those of its standardised features and labels; its coefficients add
    up to 1 in magnitude.

    A leaf keeps each numeric feature in at most 64 bins of about the same weight, with the weight of each label in
    them. Up to 64 different values are exact; then the two neighbours that weigh least together become one. Points of
    tests lie half-way between two bins. A nominal feature is counted by category, and splits into one category and the
    rest. Missing values are left out of bins and counts, and 0 (for perceptrons the mean) in models; a merit counts for
    the share of rows whose value is known. At a branch they take the side that has seen more. A label that appears
    later counts as absent in rows before it: it has no variance, no vote on splits, and models of zeros.

    Sources
    -------
    A. Osojnik, P. Panov, S. Džeroski: "Tree-based methods for online multi-target regression", Journal of Intelligent
    Information Systems 50, 2018, and "Multi-label classification via multi-target regression on data streams", Machine
    Learning 106, 2017; River's ``ISOUPTreeRegressor``, MOA's ``ISOUPTree``. Departures:

    - River keeps all values, rounded to one decimal, in search trees. Here bins, of values that are not rounded.
    - After a split River counts the rows that the parent gave a leaf on the right side of each further test. Here
      merits and bounds are of the rows that the leaf has statistics of.
    - Not to split has the merit 0, in River minus infinity.
    - Perceptrons begin with coefficients of 0, where MOA draws them; the two children of a split have their own, where
      in MOA they share them. Errors are squared, where MOA has magnitudes.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((3000, 3))
    >>> Y = (X[:, :2] > 0.5).astype("uint8")
    >>> model = ISOUPT()
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((labels[1000:] == Y[1000:]).mean()) > 0.85
    True
    >>> len(model.nodes())
    7
    """

    line: ClassVar[str] = "One regression tree for all labels: see it grow. Medium."
    papers: ClassVar[tuple[str, ...]] = ("osojnik2018tree", "osojnik2017multilabel")
    compile_seconds: ClassVar[float] = 13.0
    groups: ClassVar[tuple[Storage, ...]] = (*RowLearner.groups, growth.ISOUP)
    _quick: ClassVar = {"grace_period": 2, "min_samples_split": 1}
    picture: ClassVar[str] = "tree"
    events: ClassVar[dict[str, EventKind]] = {"split": SPLIT}
    leaf: str = parameter(default="model", choices=t.LEAVES)
    grace_period: int = like(MLHAT, default=200)
    delta: float = like(MLHAT, default=1e-5)
    tau: float = tunable(0.0, 1.0, default=0.05, limit=10.0, help="A leaf also splits once its bound is below this.")
    threshold: float = tunable(
        0.0, 1.0, default=0.5, limit=1.0, help="A label is answered where its score exceeds this.",
    )  # fmt: skip
    min_samples_split: int = parameter(1, 1000, default=5, limit=1_000_000)
    learning_rate: float = parameter(0.0, 1.0, default=0.01, limit=1e6)
    max_depth: int | None = like(MLHAT, default=None, kw_only=True)

    _n_seen: int = kept(low=0)

    def _try_further(self, X: np.ndarray) -> None:
        self.nodes()

    # ------------------------------------------------------------------ columns and state

    def _check_size(self, features: Sequence[Feature], n_labels: int) -> None:
        size = growth.bytes_of(features, n_labels)
        if size > MOST_BYTES:
            raise ValueError(
                f"{type(self).__name__} keeps {t.BINS} bins of {n_labels:,} labels for each of {len(features):,} "
                f"features in a leaf, {size / 1e9:.2g} GB; expected at most {MOST_BYTES / 1e9:.2g} GB: take fewer "
                "features or labels"
            )

    def _reset(self) -> None:
        super()._reset()
        self._tree = growth.empty(self._features, len(self._labels), self._is_scaled)

    @property
    def _is_scaled(self) -> bool:
        return self.leaf == "perceptron"

    def _sizes(self) -> dict[str, int]:
        return (growth.sizes_of(self._tree) if hasattr(self, "_tree") else {}) | super()._sizes()

    def _get_state(self) -> State:
        return super()._get_state() | growth.saved(self._tree)

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        owner, n_labels = type(self).__name__, len(self._labels)
        self._tree = growth.restored(owner, state, self._features, n_labels, self._is_scaled, self._n_seen)

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._tree = growth.with_columns(self._tree, self._features, len(self._labels))

    def _settings(self) -> np.ndarray:
        return as_numbers(self, t.SETTINGS)

    # ------------------------------------------------------------------ learning

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        if not len(Y):
            kernels.answer(self._tree, X, self._settings(), scores, labels)
            return len(X)
        weights = np.ones(len(X))
        row = int(kernels.test_then_train(self._tree, X, Y, weights, start, self._settings(), scores, labels))
        self._describe()
        self._n_seen = int(self._tree.cursor[t.POSITION])
        return row

    def _make_room(self, X: Any) -> None:
        self._tree = growth.with_room(self._tree)

    # ------------------------------------------------------------------ events and nodes

    def _describe(self) -> None:
        cursor = self._tree.cursor
        rows = self._tree.events[: int(cursor[t.N_EVENTS])].tolist()
        self._events.extend(split_in_words(row, self._features) for row in rows)
        cursor[t.N_EVENTS] = 0

    def _reader(self) -> IsoupReader:
        return IsoupReader(self._tree, self._settings(), self._features, self._labels)

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the nodes as arrays, one entry per node, parents before their children.

        Returns
        -------
        dict
            ``id`` (never used again), ``parent`` (id, -1 for the root), ``is_leaf``, ``depth``, ``feature`` (column, -1
            for a leaf), ``is_nominal``, ``threshold`` (or category), ``branch`` (0 left, of the category; 1 right; -1
            for the root), ``weight``, ``weight_recent`` (halved every 1,000 rows), ``error`` (share of the labels
            answered wrong, NaN before a row came), ``entropy`` (bits), ``regime`` (5: models answer; 0: nothing yet,
            or a branch), ``top`` (commonest label's column, -1 if none), ``active`` (a leaf that may still split); and
            ``competes_with`` (-1), ``background`` (False) and ``n_labelsets`` (0), which other trees have.
        """
        return self._reader().columns()

    def nodes(self) -> pd.DataFrame:
        """Return a table with one row per node, with names instead of column numbers.

        Columns: ``id`` (index), ``parent`` (id, -1), ``is_leaf``, ``depth``, ``feature``, ``operator`` (``≤`` or ``=``:
        what goes left), ``threshold`` (numeric) or ``category`` (nominal), ``weight``, ``weight_recent``, ``error``,
        ``label_entropy`` (bits), ``top_labels`` (up to three), ``labels_by_mean`` (how many labels a leaf answers with
        their mean; NaN where it has no such choice), ``best`` and ``second_best`` (features of the last attempt) with
        ``merit``, ``second_merit``, ``ratio``, ``epsilon`` (now), ``next_attempt_in`` (weight), ``active``,
        ``born_at``, ``last_seen_at``.
        """
        return self._reader().table()

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return the details of one node, or None if there is none; plain numbers, texts and lists only.

        Returns
        -------
        dict
            ``id``, ``rule`` (the tests on the way, in words), ``depth``, ``is_leaf``, ``test`` (of a branch),
            ``weight``, ``weight_recent``, ``labels`` (list of (label, share of the weight), highest first),
            ``entropy``, ``error``, ``merits`` (of a leaf: the last attempt to split; best and second feature, their
            merits and ratio, the bound now, weight until the next attempt; or None), ``by_mean`` (labels that a leaf
            answers with their mean; None where it has no such choice), ``regime``, ``active``, ``born_at``,
            ``last_seen_at``; and what ``MLHAT.describe_node`` says besides, empty.
        """
        return self._reader().details(node_id)

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays it keeps, reserve included."""
        return growth.ISOUP.n_bytes(growth.ISOUP.of(self._tree))
