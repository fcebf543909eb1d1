"""The core of Hoeffding trees over label sets: parameters of splits, state, memory, wide rows, events, what to read."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.decision import Deciding
from streamlab.learners.base.parameters import kept, parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.row_learner import RowLearner
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.base.rows_shown import new_column_event
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import Number
from streamlab.learners.mlhat import growth
from streamlab.learners.mlhat._learn import Room
from streamlab.learners.mlhat._memory import used_bytes
from streamlab.learners.mlhat._settings import SIZES, Packed
from streamlab.learners.mlhat._split import grow
from streamlab.learners.mlhat.events import EVENTS, event_of
from streamlab.learners.mlhat.introspection import TreeReader
from streamlab.learners.mlhat.storage import Parts, Tree, restored_tree, saved_tree, trimmed
from streamlab.schema import Feature, Schema

if TYPE_CHECKING:
    import pandas as pd


# labels x thresholds of the split search that one instance pays for: some milliseconds
SEARCH_UNITS = 20_000
NO_ROWS = (np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0))


class HoeffdingTree(Deciding, RowLearner):
    """A tree whose leaves split where labels become purer, once a Hoeffding bound says that more rows change nothing.

    A base class. A subclass says what its nodes have (``_parts``), how rows are answered and learned
    (``_answer_rows``, ``_learn_rows``), and who reads the tree (``_reader_type``). Its kernels read its parameters in
    the record ``SETTINGS``, under their names.

    It takes sparse rows. Of very many columns it keeps those that were seen, and it refuses so many that a first leaf
    has no memory for them.

    Parameters
    ----------
    grace_period
        Weight that a leaf sees between two attempts to split (κ_spl).
    delta
        Confidence of the Hoeffding bound (δ_spl).
    tau
        A leaf also splits when the bound is below ``tau`` (bits) and there is any gain. The bound grows with the
        logarithm of the number of label sets seen: with many label sets, 0.3 has the effect that 0.05 has for two
        classes.
    n_split_points
        Number of thresholds tried per numeric feature, equally spaced within its observed range.
    min_branch_fraction
        Share of the instances that each side of a split must hold.
    max_share_to_split
        A leaf does not try to split while one label covers more than this share of it.
    max_depth
        Leaves at this depth do not split (the root has depth 0). None: no bound.
    max_bytes
        Bytes that the tree may take. Above it, the leaves with the smallest error times weight stop growing, with an
        event for each. None: no bound, but over sparse rows of 10,000 columns or more 4 GiB (see below). A bound below
        the size of a single leaf cannot be kept.
    """

    takes_sparse: ClassVar[bool] = True
    picture: ClassVar[str] = "tree"
    compiled_apart: ClassVar[Mapping[str, float]] = {"streamlab.learners.mlhat.mlhat:MLHAT.prepare_growth": 5.0}
    events: ClassVar[dict[str, EventKind]] = EVENTS
    COMPACT_FROM: ClassVar[int] = 10_000
    """Columns from which on a tree that begins with sparse rows is compact."""
    _quick: ClassVar = {"grace_period": 2, "min_branch_fraction": 0.0, "delta": 0.5, "tau": 1.0}
    """Parameters with which a tree splits within a few rows, so that all kernels are used."""
    _event_of = staticmethod(event_of)
    _reader_type: ClassVar[type[TreeReader]] = TreeReader

    grace_period: int = tunable(
        1, 2000, default=200, logarithmic=True, unit="weight", title="Grace period",
        help="Weight that a leaf sees between two attempts to split.",
        says="tries a split every {value} rows",
    )  # fmt: skip
    delta: float = tunable(
        1e-300, 0.5, default=1e-7, limit=1 - 1e-9, logarithmic=True, help="Lower: a split needs more evidence."
    )
    tau: float = tunable(0.0, 1.0, default=0.05, unit="bits", help="A leaf also splits once its bound is below this.")
    n_split_points: int = parameter(1, 100, default=10, limit=10_000, kw_only=True)
    min_branch_fraction: float = parameter(0.0, 0.5, default=0.01, limit=0.5, kw_only=True)
    max_share_to_split: float = parameter(0.0, 1.0, default=0.99, limit=1.0, kw_only=True)
    max_depth: int | None = tunable(0, 30, default=None, unit="levels", title="Depth at most", kw_only=True)
    max_bytes: int | None = tunable(0, 1e9, default=None, unit="bytes", title="Memory at most", kw_only=True)
    # of draws, for those that have any
    _key: np.int64 = kept(low=0, high=2**63 - 1)
    _search_units: int = kept(low=1, start=SEARCH_UNITS)
    _features: Sequence[Feature] = kept()

    def _try_further(self, X: np.ndarray) -> None:
        self.tune(max_depth=0)
        self.nodes()

    @classmethod
    @cache
    def prepare_growth(cls) -> None:
        """Load the kernel that continues a search for a split, or compile it; it is the same of all kinds of trees."""
        model = cls(**cls._quick).bind(Schema((Feature("x"),), ("l",)))
        tree = model._new_tree(np.zeros((1, 1)))
        model._keep(tree)
        room, root = model._room_for(tree, 1), int(tree.cursor[0].root)
        # its last feature has been evaluated
        tree.links[root].search = 1
        grow(tree, root, 1, model._settings()[0], room.label_sums, room.cuts)

    # ------------------------------------------------------------------ what a subclass says

    @property
    def _parts(self) -> Parts:
        """What the nodes have besides counts and statistics."""
        return Parts()

    def _further_settings(self) -> dict[str, float]:
        """Return what the record has besides parameters, or in place of them."""
        return {"max_bytes": self._memory_bound(), "search_units": self._search_units}

    @abstractmethod
    def _answer_rows(self, tree: Tree, X: Any, scores: np.ndarray, labels: np.ndarray) -> None:
        """Answer rows; the tree stays as it is."""

    @abstractmethod
    def _learn_rows(self, tree: Tree, X: Any, Y: np.ndarray, row: int, scores: np.ndarray, labels: np.ndarray) -> int:
        """Answer and learn rows from ``row`` on; return the row before which the tree needs more room, or their end."""

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        self._tree: Tree | None = None
        # of a compact tree without places, and what each place adds
        self._bytes_per_row, self._bytes_per_place = np.zeros(len(SIZES)), np.zeros(len(SIZES))
        self._packed: Packed | None = None
        self._room: Room | None = None
        # one row of zeros, into which a sparse one is unfolded
        self._unfolded = np.zeros((1, 0))

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_packed": None, "_room": None}

    def _get_state(self) -> State:
        state = super()._get_state() | {"has_tree": self._tree is not None}
        return state if self._tree is None else state | saved_tree(self._tree, self._parts)

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        owner = type(self).__name__
        if Number("has_tree", bool).read(owner, state):
            self._keep(restored_tree(owner, state, self._features, len(self._labels), self._parts))

    @property
    def now(self) -> int:
        """Number of instances learned."""
        return 0 if self._tree is None else int(self._tree.cursor[0]["position"])

    @property
    def n_bytes(self) -> int:
        """Bytes of the learner's arrays, reserve included, but not that of columns not seen: it takes no memory."""
        return 0 if self._tree is None else sum(array.nbytes for array in trimmed(self._tree).asdict().values())

    @property
    def used_bytes(self) -> int:
        """Bytes of the nodes, leaves and statistics in use; ``max_bytes`` bounds these."""
        return 0 if self._tree is None else int(used_bytes(self._tree, self._settings()[0]))

    def _keep(self, tree: Tree) -> None:
        self._tree = tree
        self._bytes_per_row, self._bytes_per_place = growth.bytes_per_row(tree)

    def _settings(self) -> np.ndarray:
        """Return the parameters as kernels take them; the next call writes to the same array."""
        packed = self._packed = self._packed or Packed(self.parameters)
        sizes = self._bytes_per_row
        if self._tree is not None and self._is_compact():
            sizes = sizes + self._tree.place_cursor[0].places * self._bytes_per_place
        return packed.filled(self, sizes, self._bytes_per_place)

    def _depth_bound(self) -> float:
        return math.inf if self.max_depth is None else float(self.max_depth)

    def _memory_bound(self) -> float:
        if self.max_bytes is not None:
            return self.max_bytes
        return growth.MOST_AT_FIRST if self._is_compact() else math.inf

    def _room_for(self, tree: Tree, n_features: int) -> Room:
        """Return the arrays that kernels write to for rows of this many features."""
        self._room = Room.of(tree, n_features, int(self.n_split_points), self._room)
        return self._room

    # ------------------------------------------------------------------ learning

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        if len(Y):
            tree = self._tree
            if tree is None:
                tree = self._new_tree(X)
                self._keep(tree)
            row = self._learn_rows(tree, X, Y, start, scores, labels)
            self._describe_events()
            return row
        if self._tree is not None and len(X):
            if self._is_compact():
                # as many places in reserve as a row that is asked about can need
                most = int(np.diff(X.indptr).max()) if isinstance(X, SparseRows) else X.shape[1]
                if (tree := growth.with_places(self._tree, most)) is not self._tree:
                    self._keep(tree)
            self._answer_rows(self._tree, X, scores, labels)
        return len(X)

    def _make_room(self, X: Any) -> None:
        assert self._tree is not None, "a tree is kept before the first row"
        # it stopped before a row that could need more room than there is; a reserve would count as memory
        self._keep(growth.with_room(self._tree, self.max_bytes is not None))

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        if self._tree is None:
            return
        self._keep(growth.with_columns(self._tree, self._features, len(self._labels), self._parts))
        if self.now:
            root = int(self._tree.links["id"][self._tree.cursor[0]["root"]])
            added = [("feature", feature.name) for feature in self._features[n_features:]]
            added += [("label", label) for label in self._labels[n_labels:]]
            self._events.extend(new_column_event(what, name, self.now, node=root) for what, name in added)

    def _tune(self, values: dict[str, Any]) -> None:
        if self._tree is None or not values.keys() & {"max_depth", "max_bytes"}:
            return
        depth = values.get("max_depth", self.max_depth)
        if self._is_compact():
            self._tree.place_cursor[0]["full"] = 0
        self._keep(growth.with_bounds(self._tree, math.inf if depth is None else depth, "max_bytes" in values))

    # ------------------------------------------------------------------ very many columns

    def _is_compact(self) -> bool:
        return self._tree is not None and len(self._tree.place_cursor) > 0

    def _new_tree(self, X: np.ndarray | SparseRows) -> Tree:
        """Return the tree that begins with these rows."""
        n_features, n_labels, depth = len(self._features), len(self._labels), self._depth_bound()
        compact = n_features >= self.COMPACT_FROM and (
            isinstance(X, SparseRows)
            or growth.bytes_at_first(n_features, n_labels, self._parts, depth > 0) > growth.MOST_AT_FIRST
        )
        return growth.new_tree(self._features, n_labels, self._parts, depth, compact)

    def _for_kernels(self, X: np.ndarray | SparseRows) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Return rows as kernels take them: dense ones, and no sparse ones; or a row of zeros, and sparse ones."""
        compact = self._is_compact()
        if not isinstance(X, SparseRows):
            if not compact:
                return X, NO_ROWS
            X = SparseRows.of(X)
        width = len(self._tree.column_of) if self._tree is not None and compact else X.n_features
        if self._unfolded.shape[1] != width:
            self._unfolded = np.zeros((1, width))
        return self._unfolded, X.arrays

    def _check_size(self, features: Sequence[Feature], n_labels: int) -> None:
        # A compact tree splits as far as its bound of memory permits: of it, a leaf that has seen all columns must fit.
        n_features, tree = len(features), getattr(self, "_tree", None)
        compact = n_features >= self.COMPACT_FROM if tree is None else self._is_compact()
        may_split = self._depth_bound() > 0 and not compact
        growth.check_first_leaf(type(self).__name__, n_features, n_labels, self._parts, may_split)

    # ------------------------------------------------------------------ events

    def _describe_events(self) -> None:
        """Move what the kernels noted to the events, in words."""
        assert self._tree is not None, "only a tree notes events"
        n_events = self._tree.cursor["n_events"]
        if not n_events[0]:
            return
        noted = self._tree.events[: int(n_events[0])].tolist()
        features = self._features if not self._is_compact() else growth.Placed(self._tree, self._features)
        self._events.extend(self._event_of(row, features) for row in noted)
        n_events[0] = 0

    # ------------------------------------------------------------------ the tree, to look at

    def _reader(self) -> TreeReader:
        tree = self._tree
        if tree is None:
            tree = growth.empty_tree(self._features, len(self._labels), self._parts)
        return self._reader_type(tree, self._settings().copy()[0], self._features, self._labels)

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the nodes as arrays, one entry per node, parents before their children.

        Returns
        -------
        dict
            ``id`` (never used again), ``parent`` (id, -1 for a root), ``competes_with`` (id of the node whose place it
            may take, -1), ``is_leaf``, ``background``, ``depth``, ``feature`` (column, -1 for a leaf), ``is_nominal``,
            ``threshold`` (or category), ``branch`` (0 left, of the category; 1 right; -1 for a root), ``weight``,
            ``weight_recent`` (halved every 1,000 instances), ``error``, ``error_recent`` (of the latest 200 instances),
            ``entropy`` (bits), ``n_labelsets`` (of a leaf),
            ``regime`` (0 none yet, 1 majority, 2 kNN, 3 bagging), ``top`` (commonest label's column, -1 if
            none), ``active`` (a leaf that may still split), ``readiness`` (of such a leaf: the weight that it has
            compared features by, of that at which it will split if its lead stays, 0 to 1; else NaN).
        """
        return self._reader().columns()

    @property
    def n_leaves(self) -> int:
        """How many leaves it has, those of alternates not counted."""
        reader = self._reader()
        links = reader.tree.links[reader.rows()]
        return int(np.count_nonzero((links["leaf"] >= 0) & (links["background"] <= 0)))

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

    def answer_parts(self, x: Any) -> list[tuple[int, float]]:
        """Return which nodes answer for a row, each with its share of the answer; together 1.

        Parameters
        ----------
        x
            The row's values, or a sparse matrix of one row.

        Returns
        -------
        list of (id, share)
            The leaf where the row ends, alone; or with the leaves of alternates that vote, and where branches mix their
            own answers in, these.
        """
        return self._reader().parts_of(x)

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
            gap, ε_spl now, the tie bound τ or τ·R, instances until the next attempt and, if the gap stays, until the
            attempt at which it splits; None where unknown), ``duel`` (with an alternate: e, e', ε_alt, weights; or
            None), ``regime``, ``active``, ``born_at``, ``last_seen_at``.
        """
        return self._reader().details(node_id)
