"""The learner MLHAT: parameters, arenas that grow with tree and schema, events in words, its nodes as tables."""

from __future__ import annotations

import math
import secrets
from collections import deque
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.detectors._adwin import LEVELS
from streamlab.learners.base.learner import Learner, State, Tunable
from streamlab.learners.mlhat import _settings as codes
from streamlab.learners.mlhat import _tree as arena
from streamlab.learners.mlhat._alternates import switch_bound
from streamlab.learners.mlhat._answer import answer, error_of, regimes
from streamlab.learners.mlhat._label_sets import place_pairs, place_sets
from streamlab.learners.mlhat._learn import RECENT_HALF_LIFE, run
from streamlab.learners.mlhat._memory import used_bytes
from streamlab.learners.mlhat._split import split_bound
from streamlab.learners.mlhat._tree import Tree

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MLHAT"]

MEASURES = {"hamming": codes.HAMMING, "subset": codes.SUBSET, "micro_f1": codes.MICRO_F1, "macro_f1": codes.MACRO_F1}
REGIMES = ("none yet", "majority", "knn", "bagging")
# room of the arenas at first, and by what they grow
FIRST_NODES, FIRST_POOL, FIRST_SETS, FIRST_EVENTS = 4, 64, 64, 256
GROWTH = 1.5
# labels x thresholds of the split search that one instance pays for: some milliseconds
SEARCH_UNITS = 20_000
MAX_BUCKETS = 5
# events kept for whoever asks
EVENTS_KEPT = 10_000

NODE_ARRAYS = ("links", "values", "counts", "born", "history", "rows")
DETECTOR_ARRAYS = ("totals", "spreads", "filled", "adwin", "changed")
LEAF_ARRAYS = (
    "window", "window_sets", "window_norms", "window_gaps", "weights", "intercepts", "leaf_next",
)  # fmt: skip
OBSERVER_ARRAYS = ("stats", "heads", "seen", "observer_next")
POOL_ARRAYS = ("pool_value", "pool_next", "pool_counts")
SCHEMA_ARRAYS = ("n_categories", "numeric", "category_first", "category_column", "wide")
TABLES = ("set_words", "set_table", "pair_keys", "pair_counts")


class MLHAT(Learner):
    """Multi-label Hoeffding adaptive tree: splits where labels become purer, and replaces what has grown wrong.

    A leaf answers by one of three classifiers: the label set seen, while there is only one; nearest neighbours over
    label sets, while it has seen little or its labels are all but certain; bagged logistic regressions, one per label,
    then. A leaf splits by the information gain of all labels together. Every branch node watches its own error: when
    it rises, an alternate starts to grow in the background, and takes the node's place once it is better.

    Parameters
    ----------
    grace_period
        Weight that a leaf sees between attempts to split (κ_spl). Tunable.
    delta
        Confidence of the Hoeffding bound (δ_spl), above 0 and below 1. Tunable.
    tau
        A leaf also splits when the bound is under ``tau`` (bits) and there is any gain. The bound grows with the
        logarithm of the label sets seen: where there are many, 0.3 is what 0.05 is for two classes. Tunable.
    alternate_grace_period
        Weight that an alternate must have seen before it votes, and on which both errors must rest before they are
        compared (κ_alt; the paper asks it of the alternate alone). Tunable.
    switch_significance
        Significance of that comparison (δ_alt). Tunable.
    cardinality_threshold
        Weight (η) under which a leaf answers by its neighbours. Tunable.
    entropy_threshold
        Bits of label entropy under which it goes on doing so. Tunable.
    poisson_rate
        Mean (λ) of the weight of an instance under online bootstrapping. Tunable.
    bootstrap
        True: an instance weighs a Poisson draw, 1 where that is 0; ``"strict"``: where it is 0 the instance is not
        learned; False: every instance weighs 1. Tunable.
    n_neighbors, window
        Neighbours asked (k), and rows of a leaf's window that they come from. Tunable.
    n_models
        Bags, each with a logistic regression per label.
    learning_rate, intercept_learning_rate
        Steps of their stochastic gradient descent. Tunable.
    leaf_start
        ``"fresh"``: the leaves of a split start with empty windows and zero weights, as in the paper; ``"inherit"``:
        with the parent's rows on their side and a copy of its weights, and its weight counts towards
        ``cardinality_threshold``. Measured where trees split, inheriting is as good or better.
    drift_measure
        The loss of an instance that errors are means of: ``"hamming"``, ``"subset"`` (the label set is not exact),
        ``"micro_f1"`` (1 - F1 of the instance's labels) or ``"macro_f1"`` (1 - mean F1 of the labels that are true
        or predicted).
    alternate_on
        ``"warning"``: an alternate starts on a warning or a drift; ``"drift"``: on a drift only. Tunable.
    warning_delta, drift_delta
        Confidences of the two ADWIN detectors of a branch node.
    combine_alternates
        Whether leaves of alternates vote as well. Tunable.
    n_split_points
        Thresholds tried per numeric feature, equally spaced inside its observed range.
    min_branch_fraction
        Share of the instances that either side of a split must hold.
    max_share_to_split
        No attempt while one label covers more than this share of the leaf.
    max_depth
        Depth (root 0) from which on leaves do not split; None: no bound. Tunable.
    max_bytes
        Bytes that the tree may take: over it the leaves with the least error in all stop growing, with an event. None:
        no bound. What a single leaf takes cannot be saved. Tunable.
    seed
        Seed of the Poisson draws; None draws one.

    Notes
    -----
    Rows are learned one after the other, also within a chunk: how calls are cut has no effect. Poisson draws are
    functions of (seed, instance, leaf, bag).

    A missing value is skipped by split statistics, distances and linear models, and goes down the branch that has
    carried more weight. A nominal feature splits into one category and the rest; it adds 0 or 1 to a squared distance,
    and the linear models see an indicator for each category, of two categories one indicator.

    The search for a split is spread over the instances that follow an attempt, as many features for each as make some
    20,000 labels x thresholds.

    Sources
    -------
    A. Esteban, A. Cano, A. Zafra, S. Ventura: "Hoeffding adaptive trees for multi-label classification on data
    streams", section 3. Departures: equation 15 is misprinted; of a label's own mixture both Gaussians are kept, so
    that no gain is negative; up to 16 distinct values are counted exactly, with thresholds half-way between them;
    ``entropy_threshold`` and the defaults of the leaf classifiers are those of the authors' program; a branch's error
    e starts anew at every drift that its detector sees, not only where the error falls, so that a duel is about what
    came after.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((3000, 3))
    >>> Y = (X[:, :2] > 0.5).astype("uint8")
    >>> model = MLHAT(seed=1)
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((labels[1000:] == Y[1000:]).mean()) > 0.85
    True
    """

    predicts_whole_chunks: ClassVar[bool] = False
    structure: ClassVar[str] = "tree"
    tunables: ClassVar[tuple[Tunable, ...]] = (
        Tunable(
            "grace_period", 1, 2000, integer=True, logarithmic=True, unit="weight", title="Grace period",
            help="What a leaf sees between two attempts to split.",
        ),
        Tunable("delta", 1e-300, 0.5, limit=1 - 1e-9, logarithmic=True, help="Less: splits take more evidence."),
        Tunable("tau", 0.0, 1.0, unit="bits", help="A leaf also splits once its bound is under this."),
        Tunable(
            "alternate_grace_period", 1, 2000, integer=True, logarithmic=True, unit="weight",
            title="Alternates' grace period", help="What an alternate sees before it is compared or votes.",
        ),
        Tunable(
            "switch_significance", 1e-12, 0.5, limit=1 - 1e-9, logarithmic=True, title="Significance of a switch",
            help="More: an alternate is promoted or pruned on less evidence.",
        ),
        Tunable(
            "cardinality_threshold", 0, 10_000, infinite=True, unit="weight", title="Neighbours until",
            help="A leaf that has seen less answers by its neighbours, then by its bags.",
        ),
        Tunable(
            "entropy_threshold", 0.0, 5.0, infinite=True, unit="bits", title="Neighbours under",
            help="A leaf whose labels are more certain goes on asking its neighbours.",
        ),
        Tunable("poisson_rate", 0.0, 6.0, limit=100.0, title="Mean weight", help="Of an instance, when bootstrapping."),
        Tunable("bootstrap", 0, 2, choices=(True, False, "strict"), help="Whether instances weigh Poisson draws."),
        Tunable("n_neighbors", 1, 20, integer=True, limit=10_000, title="Neighbours"),
        Tunable("window", 1, 1000, integer=True, limit=1_000_000, unit="rows", help="What neighbours come from."),
        Tunable("learning_rate", 0.0, 1.0, limit=1e6, title="Learning rate"),
        Tunable("intercept_learning_rate", 0.0, 1.0, limit=1e6, title="Learning rate of intercepts"),
        Tunable("alternate_on", 0, 1, choices=("warning", "drift"), title="Alternates start on"),
        Tunable("combine_alternates", 0, 1, choices=(True, False), title="Alternates vote"),
        Tunable("max_depth", 0, 30, integer=True, unit="levels", title="Depth at most", optional=True),
        Tunable("max_bytes", 0, 1e9, integer=True, unit="bytes", title="Memory at most", optional=True),
    )  # fmt: skip

    def __init__(
        self,
        grace_period: int = 200,
        delta: float = 1e-7,
        tau: float = 0.05,
        alternate_grace_period: int = 200,
        switch_significance: float = 0.05,
        cardinality_threshold: float = 750,
        entropy_threshold: float = 0.3,
        poisson_rate: float = 1.0,
        bootstrap: bool | str = True,
        n_neighbors: int = 4,
        window: int = 170,
        n_models: int = 10,
        learning_rate: float = 0.3,
        intercept_learning_rate: float = 0.01,
        leaf_start: str = "inherit",
        drift_measure: str = "hamming",
        alternate_on: str = "warning",
        warning_delta: float = 0.01,
        drift_delta: float = 0.002,
        combine_alternates: bool = True,
        n_split_points: int = 10,
        min_branch_fraction: float = 0.01,
        max_share_to_split: float = 0.99,
        max_depth: int | None = None,
        max_bytes: int | None = None,
        seed: int | None = None,
    ) -> None:
        self.grace_period = grace_period
        self.delta = delta
        self.tau = tau
        self.alternate_grace_period = alternate_grace_period
        self.switch_significance = switch_significance
        self.cardinality_threshold = cardinality_threshold
        self.entropy_threshold = entropy_threshold
        self.poisson_rate = poisson_rate
        self.bootstrap = bootstrap
        self.n_neighbors = n_neighbors
        self.window = window
        self.n_models = n_models
        self.learning_rate = learning_rate
        self.intercept_learning_rate = intercept_learning_rate
        self.leaf_start = leaf_start
        self.drift_measure = drift_measure
        self.alternate_on = alternate_on
        self.warning_delta = warning_delta
        self.drift_delta = drift_delta
        self.combine_alternates = combine_alternates
        self.n_split_points = n_split_points
        self.min_branch_fraction = min_branch_fraction
        self.max_share_to_split = max_share_to_split
        self.max_depth = max_depth
        self.max_bytes = max_bytes
        self.seed = seed
        for name in ("n_models", "n_split_points"):
            Tunable(name, 1, 100, integer=True, limit=10_000).checked(getattr(self, name))
        for name in ("warning_delta", "drift_delta"):
            Tunable(name, 1e-300, 1.0, limit=1 - 1e-9).checked(getattr(self, name))
        Tunable("min_branch_fraction", 0.0, 0.5, limit=0.5).checked(min_branch_fraction)
        Tunable("max_share_to_split", 0.0, 1.0, limit=1.0).checked(max_share_to_split)
        Tunable("leaf_start", 0, 1, choices=("fresh", "inherit")).checked(leaf_start)
        Tunable("drift_measure", 0, 1, choices=tuple(MEASURES)).checked(drift_measure)
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0):
            raise ValueError(f"seed={seed!r}: expected None or a whole number, at least 0")
        self._start()

    @classmethod
    @cache
    def prepare(cls) -> None:
        """Load the kernels, or compile them: about a second from the cache, about a minute without."""
        model = cls(seed=0, grace_period=2, min_branch_fraction=0.0, delta=0.5, tau=1.0, window=2)
        X, Y = np.array([[0.2], [0.7], [np.nan]] * 4), np.array([[1], [0], [0]] * 4, np.uint8)
        model.test_then_train(X, Y)
        model.predict_many(X)
        model.tune(max_depth=0)
        model.nodes()

    # ------------------------------------------------------------------ arrays

    def _reset(self) -> None:
        self._key = np.int64((secrets.randbits(63) if self.seed is None else int(self.seed)) & (2**63 - 1))
        self._tree: Tree | None = None
        self._events: deque[dict[str, Any]] = deque(maxlen=EVENTS_KEPT)
        # bytes of a node, a leaf's classifiers, an observer, a row of the pool, and of all the rest
        self._unit_bytes = np.zeros(5)
        self._search_units = SEARCH_UNITS
        # what the windows hold now, which is not yet the parameter's number while that is being tuned
        self._window_rows = int(self.window)

    @property
    def now(self) -> int:
        """Number of instances learned."""
        return 0 if self._tree is None else int(self._tree.cursor[arena.POSITION])

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays the learner holds, reserve included."""
        return 0 if self._tree is None else sum(a.nbytes for a in self._tree)

    @property
    def used_bytes(self) -> int:
        """Bytes of the nodes, leaves and statistics that are in use: what ``max_bytes`` bounds."""
        return 0 if self._tree is None else int(used_bytes(self._tree, self._settings()))

    def _shapes(self, nodes: int, leaves: int, observers: int, pool: int) -> dict[str, tuple[tuple[int, ...], type]]:
        """Shape and type of the arrays of arenas with so much room, for the schema as it is."""
        n_features, n_labels = len(self._features), len(self._labels)
        n_numeric = sum(not f.is_nominal for f in self._features)
        n_columns, n_models, window = self._n_columns, int(self.n_models), self._window_rows
        f8, i8 = np.float64, np.int64
        return {
            "links": ((nodes, arena.N_LINKS), i8),
            "values": ((nodes, arena.N_VALUES), f8),
            "counts": ((nodes, n_labels), f8),
            "born": ((nodes, n_labels), f8),
            "history": ((nodes, arena.HISTORY_MEANS), f8),
            "rows": ((nodes, arena.ROWS), i8),
            "totals": ((2 * nodes, LEVELS, MAX_BUCKETS + 1), f8),
            "spreads": ((2 * nodes, LEVELS, MAX_BUCKETS + 1), f8),
            "filled": ((2 * nodes, LEVELS), np.int32),
            "adwin": ((2 * nodes, 4), f8),
            "changed": ((2 * nodes,), np.uint8),
            "window": ((leaves, n_features, window), f8),
            "window_sets": ((leaves, window), i8),
            "window_norms": ((leaves, window), f8),
            "window_gaps": ((leaves, window), np.uint8),
            "weights": ((leaves, n_columns, n_labels * n_models), f8),
            "intercepts": ((leaves, n_labels * n_models), f8),
            "leaf_next": ((leaves,), i8),
            "stats": ((observers, n_numeric, 1 + n_labels, 6), f8),
            "heads": ((observers, n_features), i8),
            "seen": ((observers, 1 + n_labels), f8),
            "observer_next": ((observers,), i8),
            "pool_value": ((pool,), f8),
            "pool_next": ((pool,), i8),
            "pool_counts": ((pool, 1 + n_labels), f8),
        }

    def _room(self) -> tuple[int, int, int, int]:
        tree = self._tree
        return len(tree.links), len(tree.window_sets), len(tree.heads), len(tree.pool_value)

    def _resize(self, nodes: int, leaves: int, observers: int, pool: int) -> None:
        """Give the arenas room for so much, and for the schema as it is; what they hold stays."""
        changed = {}
        for name, (shape, dtype) in self._shapes(nodes, leaves, observers, pool).items():
            old = getattr(self._tree, name)
            if old.shape == shape:
                continue
            new = np.full(shape, -1, dtype) if name == "heads" else np.zeros(shape, dtype)
            part = tuple(slice(0, min(a, b)) for a, b in zip(old.shape, shape, strict=True))
            new[part] = old[part]
            changed[name] = new
        self._tree = self._tree._replace(**changed)
        self._weigh()

    def _weigh(self) -> None:
        """Note what a slot of each arena takes."""
        tree = self._tree

        def unit(names, rows):
            return sum(getattr(tree, name).nbytes for name in names) / max(rows, 1)

        nodes, leaves, observers, pool = self._room()
        rest = (*SCHEMA_ARRAYS, *TABLES, "cursor", "events")
        self._unit_bytes = np.array(
            [
                unit((*NODE_ARRAYS, *DETECTOR_ARRAYS), nodes),
                unit(LEAF_ARRAYS, leaves),
                unit(OBSERVER_ARRAYS, observers),
                unit(POOL_ARRAYS, pool),
                unit(rest, 1),
            ]
        )

    def _schema_arrays(self, first: np.ndarray, column: np.ndarray) -> dict[str, np.ndarray]:
        """The schema for the kernels; columns of the linear models that were given out before stay what they are.

        ``first`` and ``column`` are ``category_first`` and ``category_column`` as they were. A feature of two
        categories has one column, its second category's.
        """
        n_columns = self._n_columns
        firsts, columns = np.zeros(len(self._features), np.int64), []
        for f, feature in enumerate(self._features):
            if feature.categories is None:
                if f < len(first):
                    firsts[f] = first[f]
                else:
                    firsts[f], n_columns = n_columns, n_columns + 1
                continue
            n_before = int(self._known_categories[f]) if f < len(first) else 0
            own = column[first[f] : first[f] + n_before].tolist() if n_before else []
            own += [-1] * (len(feature.categories) - len(own))
            for category in range(0 if len(own) > 2 else 1, len(own)):
                if own[category] < 0:
                    own[category], n_columns = n_columns, n_columns + 1
            firsts[f] = len(columns)
            columns += own
        self._n_columns = n_columns
        sizes = np.array([len(f.categories or ()) for f in self._features], np.int64)
        self._known_categories = sizes
        nominal = np.array([f.is_nominal for f in self._features], bool)
        return {
            "n_categories": sizes,
            "numeric": np.where(nominal, -1, np.cumsum(~nominal) - 1).astype(np.int64),
            "category_first": firsts,
            "category_column": np.array(columns, np.int64),
            "wide": np.flatnonzero(sizes > 2).astype(np.int64),
        }

    def _allocate(self) -> None:
        """A tree of one leaf."""
        self._n_columns = 0
        self._known_categories = np.zeros(0, np.int64)
        schema = self._schema_arrays(np.zeros(0, np.int64), np.zeros(0, np.int64))
        sized = {n: np.zeros(shape, dtype) for n, (shape, dtype) in self._shapes(FIRST_NODES, 1, 1, FIRST_POOL).items()}
        cursor = np.zeros(arena.N_CURSOR, np.int64)
        for entry in (arena.NODE_FREE, arena.LEAF_FREE, arena.OBSERVER_FREE, arena.POOL_FREE):
            cursor[entry] = -1
        words = max(1, -(-len(self._labels) // 64))
        self._tree = Tree(
            **sized,
            **schema,
            cursor=cursor,
            events=np.zeros((FIRST_EVENTS, 10)),
            set_words=np.zeros((FIRST_SETS, words), np.uint64),
            set_table=np.full(4 * FIRST_SETS, -1, np.int64),
            pair_keys=np.full(4 * FIRST_SETS, -1, np.int64),
            pair_counts=np.zeros(4 * FIRST_SETS),
        )
        cursor[arena.ROOT] = arena.new_leaf(self._tree, -1, 0, 0, self._depth_bound(), False)
        self._weigh()

    def _depth_bound(self) -> float:
        return math.inf if self.max_depth is None else float(self.max_depth)

    def _grown(self, n_features: int, n_labels: int) -> None:
        if self._tree is None:
            return
        tree = self._tree
        added = self._features[n_features:]
        self._tree = tree._replace(**self._schema_arrays(tree.category_first, tree.category_column))
        nominal = [f for f, feature in enumerate(self._features) if f >= n_features and feature.is_nominal]
        nodes, leaves, observers, pool = self._room()
        pool += len(nominal) * observers
        words = max(1, -(-len(self._labels) // 64))
        if tree.set_words.shape[1] < words:
            wider = np.zeros((len(tree.set_words), words), np.uint64)
            wider[:, : tree.set_words.shape[1]] = tree.set_words
            self._tree = self._tree._replace(set_words=wider)
        self._resize(nodes, leaves, observers, pool)
        if nominal:
            self._miss(nominal)
        if self.now:
            names = [("feature", feature.name) for feature in added]
            names += [("label", label) for label in self._labels[n_labels:]]
            for what, name in names:
                self._events.append(
                    {
                        "kind": f"{what}_new",
                        "message": f"the {what} {name!r} is new after {self.now:,} instances",
                        "node": int(self._tree.links[self._tree.cursor[arena.ROOT], arena.ID]),
                        "position": self.now,
                        what: name,
                    }
                )

    def _miss(self, nominal: list[int]) -> None:
        """Nominal features that are new were missing in all that was seen; numeric ones were zero."""
        tree = self._tree
        leaves = np.flatnonzero((tree.links[:, arena.ID] >= 0) & (tree.links[:, arena.LEAF] >= 0))
        for s in leaves[leaves < tree.cursor[arena.NODE_TOP]]:
            c, o, filled = (int(tree.links[s, k]) for k in (arena.LEAF, arena.OBSERVER, arena.FILLED))
            tree.window[c, nominal, :filled] = math.nan
            tree.window_gaps[c, :filled] = 1
            if o >= 0 and tree.seen[o, 0] > 0:
                for f in nominal:
                    p = arena.take_pool_row(tree, arena.GONE)
                    tree.heads[o, f] = p
                    tree.pool_counts[p] = tree.seen[o]

    def _settings(self) -> np.ndarray:
        """The parameters as the kernels take them."""
        settings = np.zeros(codes.N_SETTINGS)
        settings[: codes.NODE_BYTES] = (
            self.grace_period, self.delta, self.tau, self.alternate_grace_period, self.switch_significance,
            self.cardinality_threshold, self.entropy_threshold, self.poisson_rate,
            codes.STRICT if self.bootstrap == "strict" else float(self.bootstrap), self.n_neighbors, self.learning_rate,
            self.intercept_learning_rate, self.alternate_on == "drift", self.combine_alternates,
            MEASURES[self.drift_measure], self.warning_delta, self.drift_delta, self.n_split_points,
            self.min_branch_fraction, self.max_share_to_split, self._depth_bound(),
            math.inf if self.max_bytes is None else self.max_bytes, self.leaf_start == "inherit", self._search_units,
        )  # fmt: skip
        settings[codes.NODE_BYTES : codes.MODELS] = self._unit_bytes
        settings[codes.MODELS] = self.n_models
        return settings

    # ------------------------------------------------------------------ learning

    def _predict(self, X, missing):
        scores, labels = np.zeros((len(X), len(self._labels))), np.zeros((len(X), len(self._labels)), np.uint8)
        if self._tree is not None and len(X):
            answer(self._tree, X, self._settings(), scores, labels)
        return scores, labels

    def _learn(self, X, Y, missing) -> None:
        self._test_then_train(X, Y, missing)

    def _test_then_train(self, X, Y, missing):
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        if not len(X):
            return scores, labels
        if self._tree is None:
            self._allocate()
        settings = self._settings()
        row = run(self._tree, X, Y, 0, self._key, settings, scores, labels)
        while row < len(X):
            self._make_room()
            settings = self._settings()
            row = run(self._tree, X, Y, row, self._key, settings, scores, labels)
        self._note_events()
        return scores, labels

    def _make_room(self) -> None:
        """Grow what the kernel stopped for."""
        tree, cursor = self._tree, self._tree.cursor
        self._note_events()
        if cursor[arena.WANT_EVENTS] > len(tree.events):
            self._tree = tree = tree._replace(events=np.zeros((2 * int(cursor[arena.WANT_EVENTS]), 10)))
        if cursor[arena.SETS_USED] + 1 > len(tree.set_words):
            self._grow_sets()
        if 2 * (cursor[arena.PAIRS_USED] + cursor[arena.WANT_PAIRS]) > len(tree.pair_keys):
            self._grow_pairs()
        wanted = []
        for have, used, want in zip(
            self._room(),
            (arena.NODES_USED, arena.LEAVES_USED, arena.OBSERVERS_USED, arena.POOL_USED),
            (arena.WANT_NODES, arena.WANT_LEAVES, arena.WANT_OBSERVERS, arena.WANT_POOL),
            strict=True,
        ):
            need = int(cursor[used] + cursor[want])
            # with a bound on memory no reserve, which would count against it
            wanted.append(
                have if need <= have else need if self.max_bytes is not None else max(need, int(GROWTH * have))
            )
        self._resize(*wanted)

    def _grow_sets(self) -> None:
        tree = self._tree
        used = int(tree.cursor[arena.SETS_USED])
        words = np.zeros((2 * len(tree.set_words), tree.set_words.shape[1]), np.uint64)
        words[:used] = tree.set_words[:used]
        table = np.full(4 * len(words), -1, np.int64)
        place_sets(words, used, len(self._labels), table)
        self._tree = tree._replace(set_words=words, set_table=table)

    def _grow_pairs(self) -> None:
        """Forget what nodes saw that are no leaves any more, and double the table if it is still half full."""
        tree, cursor = self._tree, self._tree.cursor
        top = int(cursor[arena.NODE_TOP])
        alive = tree.links[:top, arena.ID][(tree.links[:top, arena.ID] >= 0) & (tree.links[:top, arena.LEAF] >= 0)]
        keep = (tree.pair_keys >= 0) & np.isin(tree.pair_keys >> 32, alive)
        size = len(tree.pair_keys)
        while 4 * (int(keep.sum()) + int(cursor[arena.WANT_PAIRS])) > size:
            size *= 2
        keys, counts = np.full(size, -1, np.int64), np.zeros(size)
        cursor[arena.PAIRS_USED] = place_pairs(tree.pair_keys, tree.pair_counts, keep, keys, counts)
        self._tree = tree._replace(pair_keys=keys, pair_counts=counts)

    # ------------------------------------------------------------------ tuning

    def _tune(self, values) -> None:
        if self._tree is None:
            self._window_rows = int(values.get("window", self.window))
            return
        if values.get("window", self._window_rows) != self._window_rows:
            self._change_window(int(values["window"]))
        if "max_depth" in values or "max_bytes" in values:
            bound = values.get("max_depth", self.max_depth)
            self._change_bounds(math.inf if bound is None else bound, "max_bytes" in values)

    def _change_window(self, size: int) -> None:
        """Keep of every window the newest rows, oldest first."""
        tree, old = self._tree, self._window_rows
        links = tree.links
        changed = {}
        for name in ("window", "window_sets", "window_norms", "window_gaps"):
            array = getattr(tree, name)
            changed[name] = np.zeros((*array.shape[:-1], size), array.dtype)
        for s in np.flatnonzero((links[:, arena.ID] >= 0) & (links[:, arena.LEAF] >= 0)):
            if s >= tree.cursor[arena.NODE_TOP]:
                continue
            c, filled, at = (int(links[s, k]) for k in (arena.LEAF, arena.FILLED, arena.NEXT))
            kept = min(filled, size)
            order = (at - kept + np.arange(kept)) % old
            for name, new in changed.items():
                new[c, ..., :kept] = getattr(tree, name)[c][..., order]
            links[s, arena.FILLED], links[s, arena.NEXT] = kept, kept % size
        self._tree = tree._replace(**changed)
        self._window_rows = size
        self._weigh()

    def _change_bounds(self, max_depth: float, memory: bool) -> None:
        """Take the observers of leaves that are too deep now, and give new ones to those that may grow again."""
        links, cursor = self._tree.links, self._tree.cursor
        if memory:
            cursor[arena.LIMITED] = 0
        top = int(cursor[arena.NODE_TOP])
        leaves = np.flatnonzero((links[:top, arena.ID] >= 0) & (links[:top, arena.LEAF] >= 0))
        deep = links[leaves, arena.DEPTH] >= min(max_depth, arena.DEEPEST)
        if memory:
            links[leaves, arena.OFF] = 0
        for s in leaves[deep]:
            arena.free_observer(self._tree, s)
        again = leaves[~deep & (links[leaves, arena.OBSERVER] < 0) & (links[leaves, arena.OFF] == 0)]
        nodes, n_leaves, observers, pool = self._room()
        self._resize(nodes, n_leaves, max(observers, int(cursor[arena.OBSERVERS_USED]) + len(again)), pool)
        for s in again:
            arena.take_observer(self._tree, s)

    # ------------------------------------------------------------------ state

    def _get_state(self) -> State:
        state: State = {"key": int(self._key), "search_units": self._search_units, "has_tree": self._tree is not None}
        if self._tree is None:
            return state
        tree, cursor = self._tree, self._tree.cursor
        tops = [int(cursor[k]) for k in (arena.NODE_TOP, arena.LEAF_TOP, arena.OBSERVER_TOP, arena.POOL_TOP)]
        state["room"] = np.array(self._room(), np.int64)
        state["n_columns"] = self._n_columns
        for names, top in (
            (NODE_ARRAYS, tops[0]),
            (DETECTOR_ARRAYS, 2 * tops[0]),
            (LEAF_ARRAYS, tops[1]),
            (OBSERVER_ARRAYS, tops[2]),
            (POOL_ARRAYS, tops[3]),
        ):
            state |= {name: getattr(tree, name)[:top].copy() for name in names}
        state |= {name: getattr(tree, name).copy() for name in (*SCHEMA_ARRAYS, *TABLES, "cursor")}
        return state

    def _set_state(self, state: State) -> None:
        self._key = np.int64(state["key"])
        self._search_units = int(state["search_units"])
        if not state["has_tree"]:
            return
        self._n_columns = int(state["n_columns"])
        room = [int(v) for v in state["room"]]
        self._check_state(state, room)
        sized = {}
        for name, (shape, dtype) in self._shapes(*room).items():
            part = state[name]
            if part.shape[1:] != shape[1:] or part.dtype != dtype or len(part) > shape[0]:
                raise ValueError("the state of MLHAT contradicts itself")
            sized[name] = np.zeros(shape, dtype)
            sized[name][: len(part)] = part
        rest = {name: state[name].copy() for name in (*SCHEMA_ARRAYS, *TABLES, "cursor")}
        self._known_categories = rest["n_categories"].copy()
        self._tree = Tree(**sized, **rest, events=np.zeros((FIRST_EVENTS, 10)))
        self._weigh()

    def _check_state(self, state: State, room: list[int]) -> None:
        """Kernels check no index: a file that was tampered with must not get that far."""
        links, cursor = state["links"], state["cursor"]
        alive = links[:, arena.ID] >= 0
        leaf, branch = alive & (links[:, arena.LEAF] >= 0), alive & (links[:, arena.LEAF] < 0)
        n = len(links)

        def within(values, low, high):
            return not values.size or (int(values.min()) >= low and int(values.max()) < high)

        n_features = len(self._features)
        sets = int(cursor[arena.SETS_USED]) if len(cursor) == arena.N_CURSOR else -1
        ok = (
            sets >= 0
            and links.shape[1:] == (arena.N_LINKS,)
            and len(state["n_categories"]) == len(state["numeric"]) == len(state["category_first"]) == n_features
            and n == int(cursor[arena.NODE_TOP])
            and len(state["window_sets"]) == int(cursor[arena.LEAF_TOP])
            and len(state["heads"]) == int(cursor[arena.OBSERVER_TOP])
            and len(state["pool_value"]) == int(cursor[arena.POOL_TOP])
            and within(cursor[arena.ROOT : arena.ROOT + 1], 0, n)
            and within(cursor[[arena.NODE_FREE]], -1, n)
            and within(cursor[[arena.LEAF_FREE]], -1, len(state["window_sets"]))
            and within(cursor[[arena.OBSERVER_FREE]], -1, len(state["heads"]))
            and within(cursor[[arena.POOL_FREE]], -1, len(state["pool_value"]))
            and within(links[branch][:, [arena.LEFT, arena.RIGHT]], 0, n)
            and within(links[:, [arena.PARENT, arena.ALTERNATE, arena.OF]], -1, n)
            and within(links[~alive][:, arena.LEFT], -1, n)
            and within(links[leaf][:, arena.LEAF], 0, len(state["window_sets"]))
            and within(links[:, arena.OBSERVER], -1, len(state["heads"]))
            and within(links[branch][:, arena.FEATURE], 0, n_features)
            and within(links[leaf][:, [arena.FILLED, arena.NEXT]], 0, int(self.window) + 1)
            and within(state["heads"], arena.OVERFLOWN, len(state["pool_value"]))
            and within(state["pool_next"], -1, len(state["pool_value"]))
            and within(state["window_sets"], 0, max(sets, 1))
            and within(state["set_table"], -1, max(sets, 1))
            and sets <= len(state["set_words"])
            and within(state["category_column"], -1, max(self._n_columns, 1))
            and min(room) >= 1
        )
        if not ok:
            raise ValueError("the state of MLHAT contradicts itself")

    # ------------------------------------------------------------------ events

    def take_events(self) -> list[dict[str, Any]]:
        """What happened to the structure since the last call, oldest first.

        Returns
        -------
        list of dict
            ``kind`` (``split``, ``deactivated``, ``warning``, ``drift``, ``alternate_started``,
            ``alternate_promoted``, ``alternate_pruned``, ``label_new``, ``feature_new``, ``memory_limit``),
            ``message``, ``node`` (id), ``position`` (instances learned when it had happened), and its numbers.
        """
        events = list(self._events)
        self._events.clear()
        return events

    def _note_events(self) -> None:
        """Take what the kernels wrote down, in words."""
        cursor = self._tree.cursor
        for row in self._tree.events[: int(cursor[arena.N_EVENTS])].tolist():
            kind, node, position, *numbers, background = row
            event = {"kind": EVENTS[int(kind)], "message": "", "node": int(node), "position": int(position)}
            event |= getattr(self, f"_{EVENTS[int(kind)]}")(int(node), numbers, bool(background))
            self._events.append(event)
        cursor[arena.N_EVENTS] = 0

    def _split(self, node, numbers, background):
        f, point, gain, second, epsilon, weight = numbers
        feature = self._features[int(f)]
        tied = gain - second <= epsilon
        why = f"a tie, ε {epsilon:.3f} is under τ" if tied else f"ahead by {gain - second:.3f} > ε {epsilon:.3f}"
        where = f"alternate node {node}" if background else f"node {node}"
        test = _test(feature, point, True)
        return {
            "message": f"{where} split on {test} after a weight of {weight:,.0f}: gain {gain:.3f} bits, {why}",
            "feature": feature.name,
            "threshold": point if feature.categories is None else None,
            "category": None if feature.categories is None else feature.categories[int(point)],
            "gain": gain,
            "second_gain": second,
            "epsilon": epsilon,
            "weight": weight,
            "tie": tied,
            "background": background,
        }

    def _deactivated(self, node, numbers, background):
        weight, error = numbers[:2]
        return {
            "message": f"leaf {node} stops growing to save memory: it promises least (error {error:.3f}, "
            f"weight {weight:,.0f})",
            "weight": weight,
            "error": error,
        }

    def _warning(self, node, numbers, background):
        return self._change("warning", node, numbers)

    def _drift(self, node, numbers, background):
        return self._change("drift", node, numbers)

    @staticmethod
    def _change(what, node, numbers):
        before, after, direction = numbers[:3]
        moved = "rose" if direction > 0 else "fell"
        return {
            "message": f"{what} at node {node}: the error {moved} from {before:.3f} to {after:.3f}",
            "before": before,
            "after": after,
            "rising": direction > 0,
        }

    def _alternate_started(self, node, numbers, background):
        alternate, on_drift, before, after, e = numbers[:5]
        why = "drift" if on_drift else "warning"
        return {
            "message": f"node {node}: alternate {alternate:.0f} starts on a {why}, as the error rose from "
            f"{before:.3f} to {after:.3f}",
            "alternate": int(alternate),
            "reason": why,
            "before": before,
            "after": after,
            "e": e,
        }

    def _alternate_promoted(self, node, numbers, background):
        alternate, e, other, epsilon, lost, gained = numbers
        return {
            "message": f"alternate {alternate:.0f} takes the place of node {node}: error {other:.3f} against {e:.3f}, "
            f"a gap over ε {epsilon:.3f}; {lost:.0f} nodes lost, {gained:.0f} gained",
            "alternate": int(alternate),
            "e": e,
            "e_alternate": other,
            "epsilon_alt": epsilon,
            "nodes_lost": int(lost),
            "nodes_gained": int(gained),
        }

    def _alternate_pruned(self, node, numbers, background):
        alternate, e, other, epsilon, lost = numbers[:5]
        return {
            "message": f"alternate {alternate:.0f} of node {node} is pruned: error {other:.3f} against {e:.3f}, a gap "
            f"over ε {epsilon:.3f}; {lost:.0f} nodes lost",
            "alternate": int(alternate),
            "e": e,
            "e_alternate": other,
            "epsilon_alt": epsilon,
            "nodes_lost": int(lost),
        }

    def _memory_limit(self, node, numbers, background):
        wanted, bound = numbers[:2]
        return {
            "message": f"the memory bound is reached at node {node}: {wanted:,.0f} bytes wanted, {bound:,.0f} allowed",
            "bytes": int(wanted),
            "max_bytes": int(bound),
        }

    # ------------------------------------------------------------------ structure

    def _slots(self) -> np.ndarray:
        """The nodes' slots, parents before their children."""
        if self._tree is None:
            return np.zeros(0, np.int64)
        links = self._tree.links[: int(self._tree.cursor[arena.NODE_TOP])]
        slots = np.flatnonzero(links[:, arena.ID] >= 0)
        return slots[np.lexsort((links[slots, arena.ID], links[slots, arena.DEPTH]))]

    def node_columns(self, max_depth: int | None = None, min_share: float = 0.0) -> dict[str, np.ndarray]:
        """The structure as arrays, one entry per node, parents before their children.

        Parameters
        ----------
        max_depth
            Leave out the levels below (root 0). Default: all.
        min_share
            Leave out nodes with less than this share of the root's recent weight. Default: none.

        Returns
        -------
        dict
            ``id`` (never used again), ``parent`` (id, -1 for a root), ``competes_with`` (id of the node whose place it
            may take, -1), ``is_leaf``, ``background``, ``depth``, ``feature`` (column, -1 for a leaf), ``is_nominal``,
            ``threshold`` (or category), ``branch`` (0 left, of the category; 1 right; -1 for a root), ``weight``,
            ``weight_recent`` (halved every 1,000 instances), ``error``, ``entropy`` (bits), ``n_labelsets`` (of a
            leaf), ``regime`` (0 none yet, 1 majority, 2 kNN, 3 bagging), ``top`` (commonest label's column, -1 if
            none), ``active`` (a leaf that may still split).
        """
        slots = self._slots()
        if self._tree is None:
            tree = None
            links, values = np.zeros((0, arena.N_LINKS), np.int64), np.zeros((0, arena.N_VALUES))
            counts, regime = np.zeros((0, len(self._labels))), np.zeros(0, np.int64)
            recent = np.zeros(0)
        else:
            tree = self._tree
            recent = tree.values[slots, arena.RECENT] * 2.0 ** (
                np.minimum(tree.links[slots, arena.LAST] + 1 - self.now, 0) / RECENT_HALF_LIFE
            )
            if max_depth is not None or min_share > 0:
                keep = np.ones(len(slots), bool) if max_depth is None else tree.links[slots, arena.DEPTH] <= max_depth
                keep &= recent >= min_share * recent[slots == tree.cursor[arena.ROOT]].sum()
                slots, recent = slots[keep], recent[keep]
            links, values, counts = tree.links[slots], tree.values[slots], tree.counts[slots]
            regime = np.zeros(len(slots), np.int64)
            regimes(tree, slots, self._settings(), regime)
        is_leaf = links[:, arena.LEAF] >= 0
        weight = values[:, arena.WEIGHT]
        share = counts / np.maximum(weight, 1e-300)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
        entropy = np.where((share > 0) & (share < 1), bits, 0.0).sum(axis=1)
        top = counts.argmax(axis=1) if counts.size else np.full(len(slots), -1)
        if counts.size:
            top = np.where(counts[np.arange(len(slots)), top] > 0, top, -1)
        error = np.where(
            values[:, arena.ERROR_WEIGHT] > 0,
            values[:, arena.ERROR_SUM] / np.maximum(values[:, arena.ERROR_WEIGHT], 1e-300),
            values[:, arena.BORN_ERROR],
        )
        return {
            "id": links[:, arena.ID].copy(),
            "parent": self._ids(links[:, arena.PARENT]),
            "competes_with": self._ids(links[:, arena.OF]),
            "is_leaf": is_leaf,
            "background": links[:, arena.BACKGROUND] > 0,
            "depth": links[:, arena.DEPTH].copy(),
            "feature": np.where(is_leaf, -1, links[:, arena.FEATURE]),
            "is_nominal": ~is_leaf & (links[:, arena.NOMINAL] > 0),
            "threshold": np.where(is_leaf, math.nan, values[:, arena.THRESHOLD]),
            "branch": self._branches(slots),
            "weight": weight.copy(),
            "weight_recent": recent,
            "error": error,
            "entropy": entropy,
            "n_labelsets": links[:, arena.N_SETS].copy(),
            "regime": regime,
            "top": top,
            "active": is_leaf & (links[:, arena.OBSERVER] >= 0),
        }

    def _ids(self, slots: np.ndarray) -> np.ndarray:
        """The ids of slots, -1 where there is none."""
        if not len(slots):
            return np.zeros(0, np.int64)
        return np.where(slots < 0, -1, self._tree.links[slots, arena.ID])

    def _branches(self, slots: np.ndarray) -> np.ndarray:
        """On which side of its parent each node stands; an alternate on that of the node whose place it may take."""
        if not len(slots):
            return np.zeros(0, np.int64)
        links = self._tree.links
        stands = np.where(links[slots, arena.OF] >= 0, links[slots, arena.OF], slots)
        parent = links[slots, arena.PARENT]
        return np.where(parent < 0, -1, (links[parent, arena.RIGHT] == stands).astype(np.int64))

    def nodes(self) -> pd.DataFrame:
        """One row per node, with names instead of columns' numbers.

        Columns: ``id`` (index), ``parent`` and ``competes_with`` (ids, -1), ``is_leaf``, ``background``, ``depth``,
        ``feature``, ``operator`` (``≤`` or ``=``: what goes left), ``threshold`` (numeric) or ``category`` (nominal),
        ``weight``, ``weight_recent``, ``label_entropy`` (bits), ``n_labelsets``, ``top_labels`` (up to three),
        ``error``, ``error_of_alternate``, ``epsilon_alt``, ``regime``, ``best`` and ``second_best`` (features of the
        last attempt) with ``gain``, ``second_gain``, ``gap``, ``epsilon_spl``, ``next_attempt_in`` (weight),
        ``active``, ``born_at``, ``last_seen_at``, ``bytes``.
        """
        import pandas as pd

        columns, slots = self.node_columns(), self._slots()
        feature, nominal, threshold = columns["feature"], columns["is_nominal"], columns["threshold"]
        names = np.array([*(f.name for f in self._features), None], dtype=object)
        stories = [self._race(int(s)) for s in slots]
        duels = [self._duel(int(s)) for s in slots]
        leaf = columns["is_leaf"]
        links = np.zeros((0, arena.N_LINKS), np.int64) if self._tree is None else self._tree.links[slots]
        counts = np.zeros((0, len(self._labels))) if self._tree is None else self._tree.counts[slots]
        best = np.argsort(-counts, axis=1, kind="stable")[:, :3]
        unit = self._unit_bytes
        return pd.DataFrame(
            {
                "id": columns["id"],
                **{n: columns[n] for n in ("parent", "competes_with", "is_leaf", "background", "depth")},
                "feature": names[feature],
                "operator": np.where(leaf, None, np.where(nominal, "=", "≤")),
                "threshold": np.where(nominal, math.nan, threshold),
                "category": np.array(
                    [
                        self._features[f].categories[int(c)] if n else None
                        for f, c, n in zip(feature, threshold, nominal, strict=True)
                    ],
                    dtype=object,
                ),
                "weight": columns["weight"],
                "weight_recent": columns["weight_recent"],
                "label_entropy": columns["entropy"],
                "n_labelsets": columns["n_labelsets"],
                "top_labels": [
                    [self._labels[j] for j in row if counts[i, j] > 0] for i, row in enumerate(best.tolist())
                ],
                "error": columns["error"],
                "error_of_alternate": [math.nan if d is None else d["e_alternate"] for d in duels],
                "epsilon_alt": [math.nan if d is None or d["epsilon"] is None else d["epsilon"] for d in duels],
                "regime": np.where(leaf, np.array(REGIMES, dtype=object)[columns["regime"]], None),
                "best": [r["best"] for r in stories],
                "second_best": [r["second"] for r in stories],
                **{
                    name: [math.nan if r[key] is None else r[key] for r in stories]
                    for name, key in (
                        ("gain", "gain"),
                        ("second_gain", "second_gain"),
                        ("gap", "gap"),
                        ("epsilon_spl", "epsilon"),
                        ("next_attempt_in", "weight_until_attempt"),
                    )
                },
                "active": columns["active"],
                "born_at": links[:, arena.BORN],
                "last_seen_at": links[:, arena.LAST],
                "bytes": (
                    unit[0] + leaf * unit[1] + (links[:, arena.OBSERVER] >= 0) * unit[2]
                ).astype(np.int64),
            }
        ).set_index("id")  # fmt: skip

    def _race(self, s: int) -> dict[str, Any]:
        """The last attempt of a leaf to split, and when the next comes; all None where there is nothing to tell."""
        links, values = self._tree.links[s], self._tree.values[s]
        race: dict[str, Any] = dict.fromkeys(
            ("best", "second", "gain", "second_gain", "gap", "epsilon", "weight_until_attempt",
             "instances_until_attempt", "instances_until_split")
        )  # fmt: skip
        if links[arena.LEAF] < 0 or links[arena.OBSERVER] < 0:
            return race
        per_instance = values[arena.WEIGHT] / max(int(links[arena.N_ROWS]), 1) or 1.0
        waits = max(float(self.grace_period) - float(values[arena.SINCE]), 0.0)
        race["weight_until_attempt"] = 0.0 if links[arena.SEARCH] >= 0 else waits
        race["instances_until_attempt"] = math.ceil(race["weight_until_attempt"] / per_instance)
        weight = float(self._tree.seen[links[arena.OBSERVER], 0])
        if weight > 0 and links[arena.N_SETS] > 1:
            race["epsilon"] = float(split_bound(int(links[arena.N_SETS]), weight, float(self.delta)))
        if links[arena.LAST_BEST] >= 0:
            gain, second = float(values[arena.LAST_GAIN]), float(values[arena.LAST_SECOND_GAIN])
            race |= {"best": self._features[links[arena.LAST_BEST]].name, "gain": gain, "second_gain": second}
            race["gap"] = gain - second
            if links[arena.LAST_SECOND] >= 0:
                race["second"] = self._features[links[arena.LAST_SECOND]].name
            target = max(race["gap"], float(self.tau))
            if race["epsilon"] is not None and target > 0:
                # ε falls as the square root of the weight grows
                needed = weight * (race["epsilon"] / target) ** 2
                race["instances_until_split"] = math.ceil(max(needed - weight, 0.0) / per_instance)
        return race

    def _duel(self, s: int) -> dict[str, Any] | None:
        """The duel of a node with its alternate, or of an alternate with its node; None if there is none."""
        links, values = self._tree.links, self._tree.values
        a = int(links[s, arena.ALTERNATE]) if links[s, arena.LEAF] < 0 else -1
        node = s if a >= 0 else int(links[s, arena.OF])
        a = a if a >= 0 else s
        if node < 0:
            return None
        weight, other_weight = float(values[node, arena.ERROR_WEIGHT]), float(values[a, arena.ERROR_WEIGHT])
        e, other = float(error_of(values, node)), float(error_of(values, a))
        epsilon = None
        if weight > 0 and other_weight > 0:
            epsilon = float(switch_bound(e, other, weight, other_weight, float(self.switch_significance)))
        return {
            "node": int(links[node, arena.ID]),
            "alternate": int(links[a, arena.ID]),
            "e": e,
            "e_alternate": other,
            "epsilon": epsilon,
            "weight": weight,
            "weight_alternate": other_weight,
            "weight_until_compared": max(float(self.alternate_grace_period) - min(weight, other_weight), 0.0),
        }

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """The story of one node, or None if it has gone. Plain numbers, texts and lists only.

        Returns
        -------
        dict
            ``id``, ``rule`` (the tests on the way, in words), ``depth``, ``is_leaf``, ``background``, ``test`` (of a
            branch), ``weight``, ``weight_recent``, ``labels`` (list of (label, share of the weight), highest first),
            ``entropy``, ``n_labelsets``, ``labelsets`` (of a leaf: the five commonest, with weights), ``error``,
            ``error_history`` (up to 64 means of 50 instances, oldest first), ``last_rows`` (numbers of the last up to
            20 instances that came, oldest first), ``race`` (the last attempt to split: best and second feature, gains,
            gap, ε_spl now, instances until the next attempt and, if the gap stays, until it splits; None where
            unknown), ``duel`` (with an alternate: e, e', ε_alt, weights; or None), ``regime``, ``active``,
            ``born_at``, ``last_seen_at``.
        """
        columns, slots = self.node_columns(), self._slots()
        at = np.flatnonzero(columns["id"] == node_id)
        if not len(at):
            return None
        i, s = int(at[0]), int(slots[at[0]])
        tree = self._tree
        links = tree.links[s]
        is_leaf = bool(columns["is_leaf"][i])
        weight = float(columns["weight"][i])
        shares = tree.counts[s] / max(weight, 1e-300)
        feature = int(columns["feature"][i])
        return {
            "id": int(node_id),
            "rule": self._rule(s),
            "depth": int(columns["depth"][i]),
            "is_leaf": is_leaf,
            "background": bool(columns["background"][i]),
            "competes_with": int(columns["competes_with"][i]),
            "test": None if is_leaf else _test(self._features[feature], float(columns["threshold"][i]), True),
            "weight": weight,
            "weight_recent": float(columns["weight_recent"][i]),
            "labels": [
                (self._labels[j], float(shares[j])) for j in np.argsort(-shares, kind="stable") if shares[j] > 0
            ],
            "entropy": float(columns["entropy"][i]),
            "n_labelsets": int(columns["n_labelsets"][i]),
            "labelsets": self._common_sets(int(node_id)) if is_leaf else [],
            "error": float(columns["error"][i]),
            "error_history": _ring(tree.history[s], int(links[arena.N_HISTORY])),
            "last_rows": _ring(tree.rows[s], int(links[arena.N_ROWS])),
            "race": self._race(s) if is_leaf else None,
            "duel": self._duel(s),
            "regime": REGIMES[int(columns["regime"][i])] if is_leaf else None,
            "active": bool(columns["active"][i]),
            "born_at": int(links[arena.BORN]),
            "last_seen_at": int(links[arena.LAST]),
        }

    def _rule(self, s: int) -> list[str]:
        links, values = self._tree.links, self._tree.values
        rule = []
        stands = int(links[s, arena.OF]) if links[s, arena.OF] >= 0 else s
        parent = int(links[s, arena.PARENT])
        while parent >= 0:
            feature = self._features[links[parent, arena.FEATURE]]
            point = float(values[parent, arena.THRESHOLD])
            rule.append(_test(feature, point, bool(links[parent, arena.LEFT] == stands)))
            stands = int(links[parent, arena.OF]) if links[parent, arena.OF] >= 0 else parent
            parent = int(links[parent, arena.PARENT])
        return rule[::-1]

    def _common_sets(self, node_id: int) -> list[tuple[list[str], float]]:
        """The five commonest label sets of a leaf, with their weights."""
        tree = self._tree
        own = np.flatnonzero((tree.pair_keys >= 0) & (tree.pair_keys >> 32 == node_id))
        own = own[np.lexsort((tree.pair_keys[own], -tree.pair_counts[own]))][:5]
        sets = []
        for at in own.tolist():
            bits = tree.set_words[int(tree.pair_keys[at]) & 0xFFFFFFFF]
            names = [label for j, label in enumerate(self._labels) if int(bits[j // 64]) >> (j % 64) & 1]
            sets.append((names, float(tree.pair_counts[at])))
        return sets

    def label_sums(self) -> np.ndarray | None:
        """Share of each label in all instances learned, shape (n_labels,)."""
        if self._tree is None or not self.now:
            return None
        root = int(self._tree.cursor[arena.ROOT])
        return self._tree.counts[root] / max(float(self._tree.values[root, arena.WEIGHT]), 1e-300)


EVENTS = (
    "split", "deactivated", "warning", "drift", "alternate_started", "alternate_promoted", "alternate_pruned",
    "memory_limit",
)  # fmt: skip


def _ring(values: np.ndarray, n: int) -> list:
    """The entries of a ring that has taken ``n`` values, oldest first."""
    size = len(values)
    return values[:n].tolist() if n <= size else np.roll(values, -(n % size)).tolist()


def _test(feature, point: float, left: bool) -> str:
    """A test in words."""
    if feature.categories is not None:
        return f"{feature.name} {'is' if left else 'is not'} {feature.categories[int(point)]}"
    return f"{feature.name} {'≤' if left else '>'} {point:.4g}"
