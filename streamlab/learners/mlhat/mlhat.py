"""The learner MLHAT: its parameters, and what it does with them."""

from __future__ import annotations

import math
from collections import deque
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.decision import DECISION, THRESHOLDS, Deciding
from streamlab.learners.base.events import EventKind
from streamlab.learners.base.parameters import Tunable, checked_seed, random_key
from streamlab.learners.base.saving import State
from streamlab.learners.base.storage import Storage
from streamlab.learners.mlhat import _settings as codes
from streamlab.learners.mlhat import _tree as t
from streamlab.learners.mlhat import growth, places
from streamlab.learners.mlhat._learn import Room, test_then_train
from streamlab.learners.mlhat._memory import used_bytes
from streamlab.learners.mlhat.events import EVENTS, event_of, new_column_event
from streamlab.learners.mlhat.introspection import TreeReader
from streamlab.learners.mlhat.storage import NUMBERS, restored_tree, saved_tree, trimmed
from streamlab.learners.mlhat.wide_rows import WideRows

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MLHAT"]

MEASURES = {"hamming": codes.HAMMING, "subset": codes.SUBSET, "micro_f1": codes.MICRO_F1, "macro_f1": codes.MACRO_F1}
# labels x thresholds of the split search that one instance pays for: some milliseconds
SEARCH_UNITS = 20_000
# events kept until somebody takes them
EVENTS_KEPT = 10_000


class MLHAT(Deciding, WideRows):
    """Multi-label Hoeffding adaptive tree: splits where labels become purer, and replaces branches that no longer fit.

    A leaf answers with one of three classifiers. While it has seen only one label set, it predicts that set. While it
    has seen little, or its labels are almost certain, it asks its nearest neighbours for their label sets. After that
    it uses bagged logistic regressions, one per label. A leaf splits by the information gain of all labels together.
    Every branch node watches its own error. When the error rises, an alternate tree starts to grow in the background;
    it replaces the branch once its error is significantly lower.

    Parameters
    ----------
    grace_period
        Weight that a leaf sees between two attempts to split (κ_spl). Tunable.
    delta
        Confidence of the Hoeffding bound (δ_spl), above 0 and below 1. Tunable.
    tau
        A leaf also splits when the bound is below ``tau`` (bits) and there is any gain. The bound grows with the
        logarithm of the number of label sets seen: with many label sets, 0.3 has the effect that 0.05 has for two
        classes. Tunable.
    alternate_grace_period
        Weight that an alternate must have seen before it votes, and that both errors must be based on before they are
        compared (κ_alt; the paper requires it of the alternate alone). Tunable.
    switch_significance
        Significance of that comparison (δ_alt). Tunable.
    cardinality_threshold
        A leaf that has seen less weight (η) answers with its neighbours. Tunable.
    entropy_threshold
        A leaf whose label entropy is lower (bits) keeps answering with its neighbours. Tunable.
    poisson_rate
        Mean (λ) of the weight of an instance under online bootstrapping. Tunable.
    bootstrap
        True: the weight of an instance is a Poisson draw, or 1 if the draw is 0. ``"strict"``: an instance whose draw
        is 0 is not learned. False: every instance has the weight 1. Tunable.
    n_neighbors, window
        Number of neighbours (k), and number of rows in a leaf's window, from which they are taken. Tunable.
    n_models
        Number of bags, each with a logistic regression per label.
    learning_rate, intercept_learning_rate
        Step sizes of their stochastic gradient descent. Tunable.
    leaf_start
        ``"fresh"``: the leaves of a split start with empty windows and zero weights, as in the paper. ``"inherit"``:
        they start with the parent's rows that belong to their side and with a copy of its weights, and the parent's
        weight counts towards ``cardinality_threshold``. On the streams where trees split, inheriting was as good or
        better.
    drift_measure
        The loss of an instance; errors are means of it. ``"hamming"``, ``"subset"`` (1 unless the label set is
        exact), ``"micro_f1"`` (1 - F1 of the instance's labels) or ``"macro_f1"`` (1 - mean F1 of the labels that are
        true or predicted).
    alternate_on
        ``"warning"``: an alternate starts on a warning or a drift; ``"drift"``: on a drift only. Tunable.
    warning_delta, drift_delta
        Confidences of the two ADWIN detectors of a branch node.
    combine_alternates
        Whether the leaves of alternates vote too. Tunable.
    n_split_points
        Number of thresholds tried per numeric feature, equally spaced within its observed range.
    min_branch_fraction
        Share of the instances that each side of a split must hold.
    max_share_to_split
        A leaf does not try to split while one label covers more than this share of it.
    max_depth
        Leaves at this depth do not split (the root has depth 0). None: no bound. Tunable.
    max_bytes
        Bytes that the tree may take. Above it, the leaves with the smallest error times weight stop growing, with an
        event for each. None: no bound, but over sparse rows of 10,000 columns or more 4 GiB (see below). A bound below
        the size of a single leaf cannot be kept. Tunable.
    seed
        Seed of the Poisson draws. None: a random one.
    decision
        Which labels are answered: ``"half"`` (default, as in the paper), ``"cardinality"`` or ``"balanced"``; see
        ``Deciding``. The tree itself learns the same. Tunable.

    Notes
    -----
    Rows are learned one by one, so the chunk size has no effect. Poisson draws depend on (seed, instance, leaf, bag).

    Split statistics, distances and linear models skip missing values. At a branch, an instance whose value is missing
    goes to the side that has received more weight. A nominal feature splits into one category and the rest. It adds 0
    or 1 to a squared distance. For the linear models each category has an indicator; two categories share one.

    The linear models take the paper's steps. For a row whose squared norm is above 1e4 times that of most rows in the
    leaf's memory, and above 1e4 (first row: 1e7), the step is as long as if its squared norm were that bound.

    The search for a split is spread over the instances that follow the attempt: each instance pays for as many
    features as amount to some 20,000 labels x thresholds.

    Over sparse rows of 10,000 columns or more the tree keeps only columns that had a value other than 0. A split leaves
    room for four times as many, within ``max_bytes``; when that is used up and no leaf grows, new columns count as 0.

    Sources
    -------
    A. Esteban, A. Cano, A. Zafra, S. Ventura: "Hoeffding adaptive trees for multi-label classification on data
    streams", section 3. Departures:

    - The gain: equation 15 is misprinted; both Gaussians of a label's mixture are used, so that no gain is negative. Up
      to 16 distinct values are counted exactly, with thresholds half-way between them.
    - When a leaf splits: every ``grace_period``, also while W ≤ η (``cardinality_threshold``), as in algorithm 2;
      section 3.3 asks for W > η. The range of the Hoeffding bound is log2 of the label sets that the leaf has seen,
      not of all that are known. The tie break ``tau`` and ``max_share_to_split`` are those of the authors' program.
    - What leaf classifiers learn: every instance of the leaf, both of them. In algorithm 2 they learn only while the
      leaf's entropy is above 0, and the neighbours only while W < η. Here the window goes on, as a leaf whose entropy
      is low returns to its neighbours, and as the leaves of a split inherit its rows. ``entropy_threshold`` and the
      defaults of both classifiers are those of the authors' program.
    - Detectors: branch nodes have them, leaves have not. In algorithm 1 each node on the way has an ADWIN, the leaves
      of alternates included; here a leaf, in front or in the background, has the mean of its losses alone, which
      restarts only when the leaf is promoted, and gets no alternate. A branch of an alternate has its detectors, which
      restart its error, but starts no alternate of its own.
    - The error e of a branch is that of the answer from below it, without its alternate, and e' that of the alternate
      alone; in algorithm 1 both follow the answer of the whole tree. e restarts at every drift that its detector finds,
      not only when the error falls, so that the comparison with an alternate is about what came after the drift.

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
    compile_seconds: ClassVar[float] = 25.0
    picture: ClassVar[str] = "tree"
    events: ClassVar[dict[str, EventKind]] = EVENTS
    storage: ClassVar[Storage] = THRESHOLDS
    _room: Room | None
    _packed: codes.Packed | None
    _event_of = staticmethod(event_of)
    _is_hedged: ClassVar[bool] = False
    _is_bare: ClassVar[bool] = False
    tunables: ClassVar[tuple[Tunable, ...]] = (
        Tunable(
            "grace_period", 1, 2000, integer=True, logarithmic=True, unit="weight", title="Grace period",
            help="Weight that a leaf sees between two attempts to split.",
            says="a leaf thinks of a split after every {value} rows",
        ),
        Tunable("delta", 1e-300, 0.5, limit=1 - 1e-9, logarithmic=True, help="Lower: a split needs more evidence."),
        Tunable("tau", 0.0, 1.0, unit="bits", help="A leaf also splits once its bound is below this."),
        Tunable(
            "alternate_grace_period", 1, 2000, integer=True, logarithmic=True, unit="weight",
            title="Alternates' grace period", help="Weight that an alternate sees before it is compared or votes.",
        ),
        Tunable(
            "switch_significance", 1e-12, 0.5, limit=1 - 1e-9, logarithmic=True, title="Significance of a switch",
            help="Higher: an alternate is promoted or pruned on less evidence.",
        ),
        Tunable(
            "cardinality_threshold", 0, 10_000, infinite=True, unit="weight", title="Neighbours until",
            help="A leaf that has seen less asks its neighbours, after that its bags.",
        ),
        Tunable(
            "entropy_threshold", 0.0, 5.0, infinite=True, unit="bits", title="Neighbours under",
            help="A leaf whose labels are more certain keeps asking its neighbours.",
        ),
        Tunable("poisson_rate", 0.0, 6.0, limit=100.0, title="Mean weight", help="Of an instance when bootstrapping."),
        Tunable("bootstrap", 0, 2, choices=(True, False, "strict"), help="Whether weights are Poisson draws."),
        Tunable("n_neighbors", 1, 20, integer=True, limit=10_000, title="Neighbours"),
        Tunable("window", 1, 1000, integer=True, limit=1_000_000, unit="rows", help="Neighbours come from these rows."),
        Tunable("learning_rate", 0.0, 1.0, limit=1e6, title="Learning rate"),
        Tunable("intercept_learning_rate", 0.0, 1.0, limit=1e6, title="Learning rate of intercepts"),
        Tunable("alternate_on", 0, 1, choices=("warning", "drift"), title="Alternates start on"),
        Tunable("combine_alternates", 0, 1, choices=(True, False), title="Alternates vote"),
        Tunable("max_depth", 0, 30, integer=True, unit="levels", title="Depth at most", optional=True),
        Tunable("max_bytes", 0, 1e9, integer=True, unit="bytes", title="Memory at most", optional=True),
        DECISION,
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
        decision: str = "half",
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
        self.decision = decision
        Tunable("n_models", 1, 100, integer=True, limit=10_000).checked(n_models)
        self._check_split_search()
        for name in ("warning_delta", "drift_delta"):
            Tunable(name, 1e-300, 1.0, limit=1 - 1e-9).checked(getattr(self, name))
        Tunable("leaf_start", 0, 1, choices=("fresh", "inherit")).checked(leaf_start)
        Tunable("drift_measure", 0, 1, choices=tuple(MEASURES)).checked(drift_measure)
        checked_seed(seed)
        self._start()

    def _check_split_search(self) -> None:
        Tunable("n_split_points", 1, 100, integer=True, limit=10_000).checked(self.n_split_points)
        Tunable("min_branch_fraction", 0.0, 0.5, limit=0.5).checked(self.min_branch_fraction)
        Tunable("max_share_to_split", 0.0, 1.0, limit=1.0).checked(self.max_share_to_split)

    @classmethod
    @cache
    def prepare(cls) -> None:
        """Load the kernels from the cache (about a second), or compile them (some twenty seconds)."""
        model = cls(seed=0, grace_period=2, min_branch_fraction=0.0, delta=0.5, tau=1.0, window=2)
        X, Y = np.array([[0.2], [0.7], [np.nan]] * 4), np.array([[1], [0], [0]] * 4, np.uint8)
        model.test_then_train(X, Y)
        model.predict_many(X)
        model.tune(max_depth=0)
        model.nodes()

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        self._key = random_key(self.seed)
        self._tree: t.Tree | None = None
        self._events: deque[dict[str, Any]] = deque(maxlen=EVENTS_KEPT)
        self._bytes_per_row, self._bytes_per_place = np.zeros(len(codes.SIZES)), np.zeros(len(codes.SIZES))
        self._search_units, self._room, self._packed = SEARCH_UNITS, None, None

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_room": None, "_packed": None}

    def _get_state(self) -> State:
        state = super()._get_state() | NUMBERS.state(
            {"key": self._key, "search_units": self._search_units, "has_tree": self._tree is not None}
        )
        return state if self._tree is None else state | saved_tree(self._tree, int(self.n_models), bare=self._is_bare)

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        owner = type(self).__name__
        numbers = NUMBERS.restore(owner, state, {})
        self._key, self._search_units = np.int64(numbers["key"]), numbers["search_units"]
        if numbers["has_tree"]:
            sizes = len(self._labels), int(self.n_models), int(self.window)
            self._keep(restored_tree(owner, state, self._features, *sizes, hedged=self._is_hedged, bare=self._is_bare))

    @property
    def now(self) -> int:
        """Number of instances learned."""
        return 0 if self._tree is None else int(self._tree.cursor[0]["position"])

    @property
    def n_bytes(self) -> int:
        """Bytes of the learner's arrays, reserve included, but not that of columns not seen: it takes no memory."""
        if self._tree is None:
            return 0
        return sum(array.nbytes for array in trimmed(self._tree, int(self.n_models)).asdict().values())

    @property
    def used_bytes(self) -> int:
        """Bytes of the nodes, leaves and statistics in use; ``max_bytes`` bounds these."""
        return 0 if self._tree is None else int(used_bytes(self._tree, self._settings()[0]))

    def _settings(self) -> np.ndarray:
        """Return the parameters as kernels take them; the next call writes to the same array."""
        values = (
            self.grace_period, self.delta, self.tau, self.alternate_grace_period, self.switch_significance,
            self.cardinality_threshold, self.entropy_threshold, self.poisson_rate,
            codes.STRICT if self.bootstrap == "strict" else float(self.bootstrap), self.n_neighbors, self.learning_rate,
            self.intercept_learning_rate, self.alternate_on == "drift", self.combine_alternates,
            MEASURES[self.drift_measure], self.warning_delta, self.drift_delta, self.n_split_points,
            self.min_branch_fraction, self.max_share_to_split, self._depth_bound(), self._memory_bound(),
            self.leaf_start == "inherit", self._search_units, self.n_models,
        )  # fmt: skip
        packed = self._packed = self._packed or codes.Packed()
        return packed.filled(values, self._bytes_now(), self._bytes_per_place)

    # ------------------------------------------------------------------ learning

    def _predict(self, X: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores, labels = np.zeros((len(X), len(self._labels))), np.zeros((len(X), len(self._labels)), np.uint8)
        if self._tree is not None and len(X):
            self._have_places(X)
            self._answer_rows(self._tree, X, scores, labels)
        return scores, self._decided(scores, labels)

    def _answer_rows(self, tree: t.Tree, X: Any, scores: Any, labels: Any) -> None:
        self._run_kernel(tree, X, labels, 0, False, scores, labels)

    def _learn_rows(self, tree: t.Tree, X: Any, Y: Any, row: int, scores: Any, labels: Any) -> int:
        """Answer and learn rows from ``row`` on; return the row before which the tree needs more room, or their end."""
        return self._run_kernel(tree, X, Y, row, True, scores, labels)

    def _run_kernel(self, tree: t.Tree, X: Any, Y: Any, row: int, learning: bool, scores: Any, labels: Any) -> int:
        x, rows = self._for_kernels(X)
        room = self._room = Room.of(tree, x.shape[1], int(self.n_models), int(self.n_split_points), self._room)
        return int(test_then_train(tree, x, rows, Y, row, learning, self._key, self._settings(), scores, labels, room))

    def _learn(self, X: np.ndarray, Y: np.ndarray, missing: np.ndarray) -> None:
        # what nodes learn from an instance includes how wrong their answer to it was
        self._test_then_train(X, Y, missing)

    def _test_then_train(self, X: np.ndarray, Y: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        if not len(X):
            return scores, labels
        n_models = int(self.n_models)
        if self._tree is None:
            self._keep(self._new_tree(X))
        row = 0
        while True:
            assert self._tree is not None, "a tree is kept before the first row"
            row = self._learn_rows(self._tree, X, Y, row, scores, labels)
            self._describe_events()
            if row == len(X):
                return scores, self._followed(scores, labels, Y)
            # it stopped before a row that could need more room than there is; a reserve would count as memory
            self._keep(places.with_room(self._tree, n_models, self.max_bytes is not None))

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        if self._tree is None:
            return
        self._keep(places.with_columns(self._tree, self._features, len(self._labels), int(self.n_models)))
        if self.now:
            root = int(self._tree.links["id"][self._tree.cursor[0]["root"]])
            added = [("feature", feature.name) for feature in self._features[n_features:]]
            added += [("label", label) for label in self._labels[n_labels:]]
            self._events.extend(new_column_event(what, name, root, self.now) for what, name in added)

    def _tune(self, values: dict[str, Any]) -> None:
        if self._tree is None:
            return
        if values.get("window", self.window) != self.window:
            self._keep(growth.with_window(self._tree, int(values["window"])))
        if "max_depth" in values or "max_bytes" in values:
            depth = values.get("max_depth", self.max_depth)
            depth = math.inf if depth is None else depth
            if self._is_compact():
                self._tree.place_cursor[0]["full"] = 0
            self._keep(growth.with_bounds(self._tree, int(self.n_models), depth, "max_bytes" in values))

    # ------------------------------------------------------------------ events

    def take_events(self) -> list[dict[str, Any]]:
        """Return what happened to the tree since the last call, oldest first.

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

    def _describe_events(self) -> None:
        """Move what the kernels noted to the events, in words."""
        assert self._tree is not None, "only a tree notes events"
        n_events = self._tree.cursor["n_events"]
        if not n_events[0]:
            return
        noted = self._tree.events[: int(n_events[0])].tolist()
        features = self._features if not self._is_compact() else places.Placed(self._tree, self._features)
        self._events.extend(self._event_of(row, features) for row in noted)
        n_events[0] = 0

    # ------------------------------------------------------------------ the tree, to look at

    def _reader(self) -> TreeReader:
        tree = self._tree
        if tree is None:
            n_labels, n_models, window = len(self._labels), int(self.n_models), int(self.window)
            tree = growth.empty_tree(self._features, n_labels, n_models, window, hedged=self._is_hedged)
        return TreeReader(tree, self._settings().copy()[0], self._features, self._labels)

    def node_columns(self, max_depth: int | None = None, min_share: float = 0.0) -> dict[str, np.ndarray]:
        """Return the nodes as arrays, one entry per node, parents before their children.

        Parameters
        ----------
        max_depth
            Leave out the nodes below this depth (the root has depth 0). Default: none.
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
        return self._reader().columns(max_depth, min_share)

    def nodes(self) -> pd.DataFrame:
        """Return a table with one row per node, with names instead of column numbers.

        Columns: ``id`` (index), ``parent`` and ``competes_with`` (ids, -1), ``is_leaf``, ``background``, ``depth``,
        ``feature``, ``operator`` (``≤`` or ``=``: what goes left), ``threshold`` (numeric) or ``category`` (nominal),
        ``weight``, ``weight_recent``, ``label_entropy`` (bits), ``n_labelsets``, ``top_labels`` (up to three),
        ``error``, ``error_of_alternate``, ``epsilon_alt``, ``regime``, ``best`` and ``second_best`` (features of the
        last attempt) with ``gain``, ``second_gain``, ``gap``, ``epsilon_spl``, ``next_attempt_in`` (weight),
        ``active``, ``born_at``, ``last_seen_at``, ``bytes``.
        """
        return self._reader().table()

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return the details of one node, or None if it no longer exists; plain numbers, texts and lists only.

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
        return self._reader().details(node_id)
