"""The learner SMART: parameters, the warm-up before the tests can be drawn, tuning, merging."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from streamlab._frames import Frame
from streamlab.learners.base.decision import Choosing
from streamlab.learners.base.fading import share_left
from streamlab.learners.base.parameters import checked_seed, kept, parameter, random_key, tunable
from streamlab.learners.base.rows import SparseRows, gaps_of_rows, widened
from streamlab.learners.base.state import State, contradiction, stored_length
from streamlab.learners.base.storage import Array, Number, Storage, between
from streamlab.learners.smart import _kernels as kernels
from streamlab.learners.smart import label_columns
from streamlab.learners.smart.consistency import check_forest, check_mergeable, check_ranges
from streamlab.learners.smart.nodes import ForestNodes, Mark
from streamlab.learners.smart.ranges import Ranges, WarmUp, check_width, checked_bounds, completed, declared_ranges
from streamlab.schema import Feature

__all__ = ["SMART"]

FIRST_CAPACITY = 1024
# share of the arena that a sweep must leave free, so that the next one does not follow at once
RESERVE = 0.1
GROWTH = 1.5
# rows whose paths are kept at once
PIECE = 2000


class SMART(Choosing, ForestNodes):
    """Streaming multi-label random trees: an ensemble of random trees whose node statistics fade.

    Each tree is a complete binary tree in principle; only the nodes that some instance has reached exist. A node keeps
    the faded number of its instances, of their labels, and each label's count; an instance is answered by the last
    node on its path that holds something, averaged over the trees, and gets as many labels as the average label-set
    size there.

    Parameters
    ----------
    n_trees
        Number of trees (n_t in the paper). Tunable: growing adds empty trees, which abstain until they have
        seen an instance; shrinking drops the last.
    height
        Levels of nodes in a tree, the root's included (d). Tunable: shallower drops the levels below, deeper
        grows new ones, empty at first.
    half_life
        Instances after which an instance weighs half (λ, "fading factor"); ``inf`` is SMART(static). Tunable: all is
        faded to the instant of the change with the old rate, then fades with the new one.
    bounds
        The range from which thresholds are drawn, as ``(low, high)``: two numbers or two arrays of shape
        (n_features,). Default: the ranges that the schema declares, else those of the first ``warm_up`` instances.
    warm_up
        Instances kept aside until the ranges are known, where they are not declared. Until then every answer comes
        from the roots, which need no test. Trees and levels added meanwhile learn these instances too.
    seed
        Seed of the trees; None draws one. Two learners of equal seed, schema and bounds have the same trees.
    decision
        Which labels are answered: ``"half"`` (default, the rule above), or another rule of ``Choosing``.

    Notes
    -----
    Sums fade *forward*: instance i enters with the weight 2^((t_i - L) / half_life) relative to a landmark L, so that
    an update touches the weight, the sizes and the labels present only. Ratios, which are all that an answer needs,
    are those of the paper's explicit fading. A node whose weight has sunk under 1e-12 counts as empty; its slot is
    used again, but its id never.

    A missing value goes to the child with the larger weight at that moment, a tie to the left one. A chunk in
    ``test_then_train`` is predicted as a whole before any of it is learned.

    A test is a pure function of (seed, tree, node), by a counter-based generator, once the schema is fixed. With
    dictionaries that bring new features, nodes made later draw from all features known by then.

    Sources
    -------
    X. Kong, P. S. Yu: "An ensemble-based approach to fast classification of multi-label data streams", 2011, sections
    III-B to III-D, figures 1 to 4. Departures: forward fading (equal to 1e-9), nodes made on demand, the warm-up, and
    missing values, which the paper does not discuss.

    Examples
    --------
    >>> import numpy as np
    >>> model = SMART(n_trees=5, height=4, bounds=(0.0, 1.0), seed=1)
    >>> X = np.random.default_rng(0).random((200, 3))
    >>> Y = (X > 0.5).astype("uint8")
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((model.predict_many(X) == Y).mean()) > 0.7
    True
    """

    line: ClassVar[str] = "Random trees whose evidence fades: see what they forget. Fast."
    plain_words: ClassVar[tuple[str, str]] = ("forest", "random trees that forget")
    papers: ClassVar[tuple[str, ...]] = ("kong2011ensemble",)
    picture: ClassVar[str] = "forest"
    compile_seconds: ClassVar[float] = 4.5
    _quick: ClassVar = {"n_trees": 2, "height": 3, "bounds": (0.0, 1.0), "seed": 0}
    takes_sparse: ClassVar[bool] = True
    n_trees: int = tunable(1, 50, default=20, limit=10_000, title="Trees", help="More trees smooth the answer.")
    height: int = tunable(
        1, 20, default=15, limit=40, unit="levels",
        help="Deeper trees tell more apart, and remember each case for less long.",
    )  # fmt: skip
    half_life: float = tunable(
        1e-3, 10_000, default=200.0, logarithmic=True, infinite=True, unit="instances", title="Half-life",
        help="After this many instances an old one weighs half as much; infinite never forgets.",
        says="half fades in {value} rows", says_never="fades never",
    )  # fmt: skip
    bounds: tuple[Any, Any] | None = parameter(default=None)
    warm_up: int = parameter(1, default=100)
    seed: int | None = parameter(default=None, check=checked_seed)

    storage: ClassVar[Storage] = Storage(
        *Choosing.storage, *ForestNodes.storage,
        Array("ranges.low", ("features",), finite=True, optional=True, key="low"),
        Array("ranges.high", ("features",), finite=True, optional=True, key="high"),
        Array("warm_up_rows.X", ("warm_up_rows", "features"), optional=True, sparse=True, key="held_X"),
        Array(
            "warm_up_rows.Y", ("warm_up_rows", "labels"), np.uint8, rules=(between(0, 1),), optional=True, key="held_Y"
        ),
        Array("warm_up_rows.times", ("warm_up_rows",), np.int64, rising=True, optional=True, key="held_ticks"),
        Array("warm_up_rows.rates", ("warm_up_rows",), optional=True, key="held_rates"),
        reserve="capacity",
    )  # fmt: skip
    _key: np.int64 = kept(low=0, high=2**63 - 1)
    _warm_up_rows: WarmUp = kept()
    _column_of: np.ndarray = kept()

    def _try_further(self, X: np.ndarray) -> None:
        type(self).from_state(self.state()).predict_many(X)
        self.tune(half_life=100.0, height=2)

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        self._ranges, self._warm_up_rows, self._mark = Ranges(), WarmUp(), Mark()
        self._label_of = label_of = label_columns.grown(None, len(self._labels))
        self._take(self.storage.allocate(self._sizes() | {"places": 0}))
        self._label_of, self._column_of = label_of, label_columns.columns_of(label_of, len(self._labels))
        self._key = random_key(self.seed)
        self._cursor[kernels.TOP] = 1
        self._path = np.zeros((0, 0, 0), np.uint32)
        self._scratch = np.zeros(0)
        # the half-life in force, which is not yet the parameter's while the warm-up's instances are learned
        self._rate = float(self.half_life)
        if self.bounds is not None:
            checked_bounds(self.bounds)

    def _set_label_of(self, label_of: np.ndarray | None) -> None:
        """Take what the columns of the sums count, and give the sums these columns."""
        self._label_of, self._column_of = label_of, label_columns.columns_of(label_of, len(self._labels))
        self._resize(len(self._nodes))

    def _make_columns(self, labels: np.ndarray) -> None:
        """Give each of these labels a column in the sums, where not all have one anyway."""
        new = labels[self._column_of[labels] < 0]
        if len(new):
            assert self._label_of is not None, "it has a column for each label"
            self._set_label_of(label_columns.extended(self._label_of, new, len(self._labels)))

    def _resize(self, places: int) -> None:
        """Give the arena this many places; what it holds stays."""
        self._take(self.storage.resize(self._kept(), self._sizes() | {"places": places}))

    @property
    def now(self) -> int:
        """Time of the last instance learned: their number, unless ``timestamps`` said otherwise."""
        return int(self._clock[1] if self._warm_up_rows.times is None else self._warm_up_rows.times[-1])

    @property
    def _empty(self) -> float:
        """The weight, relative to the landmark, under which a node counts as empty now."""
        return kernels.EMPTY_WEIGHT * share_left(self._clock[0] - self._clock[1], self._rate)

    def _used(self) -> dict[str, int]:
        return {"places": int(self._cursor[kernels.TOP])}

    def _stored_sizes(self, state: State) -> tuple[dict[str, int], dict[str, int]]:
        top = stored_length("SMART", state, "nodes")
        capacity = Number("capacity", low=top).read("SMART", state)
        columns = stored_length("SMART", state, "label_of") if "label_of" in state else len(self._labels)
        sizes = self._sizes() | {"places": capacity, "columns": columns}
        return sizes, {"places": top, "slots": max(top, 1)}

    def _get_state(self) -> State:
        return super()._get_state() | {"capacity": len(self._nodes)}

    @classmethod
    def _made(cls, parameters: dict[str, Any], *steps: Any) -> Self:
        # those that 0.2.0 wrote had no rule to choose
        return super()._made({"decision": "half"} | parameters, *steps)

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        self._label_of = label_columns.restored(self._label_of, len(self._labels))
        self._column_of = label_columns.columns_of(self._label_of, len(self._labels))
        check_forest(self._nodes, self._place, self._roots, self._cursor, len(state["nodes"]), self._n_categories)
        marked = ("mark.ids", "mark.weights"), ("mark.ids", "mark.times")
        for pair in (("ranges.low", "ranges.high"), ("warm_up_rows.X", "warm_up_rows.Y"), *marked):
            one, other = (self.storage.key_of(self.storage.arrays[name]) for name in pair)
            if (one in state or f"{one}.indptr" in state) != (other in state):
                raise contradiction("SMART", f"it has one of {one} and {other}; expected both, or none")

    # ------------------------------------------------------------------ ranges

    def _check_size(self, features: Sequence[Feature], n_labels: int) -> None:
        check_width(self.bounds, len(features))

    def _grown(self, n_features: int, n_labels: int) -> None:
        if len(self._features) > n_features:
            added = len(self._features) - n_features
            if self._warm_up_rows.X is not None:
                self._warm_up_rows.X = widened(self._warm_up_rows.X, self._features)
            if self._ranges.low is not None:
                low, high = declared_ranges(self._features, n_features, self.bounds)
                self._ranges.add(low, high, np.nan_to_num(self._intake.first_values[-added:]))
        if len(self._labels) > n_labels:
            self._set_label_of(label_columns.grown(self._label_of, len(self._labels), n_labels))

    def _fix_ranges(self, X: np.ndarray | None) -> bool:
        """Fix the ranges, from ``X`` where nothing declares them; False if that takes an ``X`` and there is none."""
        if not self._features:
            return False
        low, high = declared_ranges(self._features, 0, self.bounds)
        if np.isnan(low).any() or np.isnan(high).any():
            if X is None:
                return False
            low, high = completed(low, high, X)
        self._ranges.low, self._ranges.high = low, high
        self._resize(FIRST_CAPACITY)
        return True

    # ------------------------------------------------------------------ learning

    def learn_many(self, X: np.ndarray | Frame, y: np.ndarray | Frame, timestamps: np.ndarray | None = None) -> None:
        """Learn a chunk; the same result as row by row.

        Parameters
        ----------
        X, y
            As in ``Learner.learn_many``.
        timestamps
            Array of shape (n,), whole numbers that rise and lie after ``now``: the time of each instance. For a
            learner that sees a part of a stream and is to be merged. Default: each instance comes one later.

        Raises
        ------
        ValueError
            As in ``Learner.learn_many``; and if ``timestamps`` do not rise.
        """
        self._learn_chunk_of(X, y, timestamps)

    def _learn(self, X, Y, missing, timestamps=None) -> None:
        if not len(X) or self._learned_row_by_row(X, Y, missing, timestamps):
            return
        if timestamps is None:
            timestamps = self.now + np.arange(1, 1 + len(X), dtype=np.int64)
        timestamps = np.ascontiguousarray(timestamps, np.int64)
        if self._ranges.low is None and not self._fix_ranges(None):
            rows = self._warm_up_rows
            rows.keep(X, Y, timestamps, np.full(len(X), self._rate))
            if len(rows.X) < self.warm_up:
                return
            if not self._features:
                # nothing to test yet: only the roots can answer, from the latest instances
                rows.keep_last(self.warm_up)
                return
            self._fix_ranges(rows.X[: self.warm_up])
            self._learn_warm_up()
            return
        self._learn_run(X, Y, missing, timestamps)

    def _learn_warm_up(self) -> None:
        """Learn what the warm-up kept, each instance with the half-life of its time."""
        rows, self._warm_up_rows = self._warm_up_rows, WarmUp()
        X, Y, timestamps, rates = rows.X, rows.Y, rows.times, rows.rates
        missing = gaps_of_rows(X)
        marked = -1 if self._mark.ids is None else int(np.searchsorted(timestamps, self._mark.times[0], "right"))
        starts = {0, *(np.flatnonzero(rates[1:] != rates[:-1]) + 1), *([marked] if marked > 0 else []), len(X)}
        for start, stop in itertools.pairwise(sorted(starts)):
            self._change_rate(float(rates[start]))
            self._learn_run(X[start:stop], Y[start:stop], missing[start:stop], timestamps[start:stop])
            if stop == marked:
                self._note_weights()
        self._change_rate(float(self.half_life))

    def _learn_run(self, X, Y, missing, timestamps) -> None:
        # a long run in pieces: the array of paths must not grow with it
        for start in range(0, len(X), PIECE):
            piece = slice(start, start + PIECE)
            path = self._find_paths(X[piece], missing[piece], self._empty)
            self._add(X[piece], Y[piece], missing[piece], timestamps[piece], path)

    def _find_paths(self, X, missing, empty: float, path: np.ndarray | None = None) -> np.ndarray:
        """Write the nodes that rows pass into ``path``, by default the array that the last call wrote; return it."""
        if path is None:
            n, n_trees, height = len(X), len(self._roots), int(self.height)
            if self._path.shape[0] < n or self._path.shape[1:] != (n_trees, height):
                self._path = np.zeros((n, n_trees, height), np.uint32)
            path = self._path[:n]
        arena = self._roots, int(self.height), self._nodes, self._nodes.view(np.float64), self._sums, empty, path
        if not isinstance(X, SparseRows):
            kernels.find_paths(X, missing, self._n_categories, *arena)
            return path
        if len(self._scratch) != X.n_features:
            # zeros, into which a row is unfolded
            self._scratch = np.zeros(X.n_features)
        kernels.find_paths_of_rows(X.arrays, missing, self._scratch, *arena)
        return path

    def _add(self, X, Y, missing, timestamps, path) -> None:
        n, done, values = len(X), 0, X.arrays if isinstance(X, SparseRows) else X
        if self._label_of is not None:
            self._make_columns(np.flatnonzero(Y.any(axis=0)))
        while True:
            before = done
            done = kernels.add(
                values, Y, missing, timestamps, done, path, self._roots, int(self.height), self._nodes,
                self._nodes.view(np.float64), self._sums, self._column_of, self._place, self._cursor, self._clock,
                self._rate, self._key, self._ranges.low, self._ranges.high, self._n_categories,
            )  # fmt: skip
            if done == n:
                return
            if done == before and self._make_room(len(self._roots) * int(self.height)):
                self._find_paths(X[done:], missing[done:], self._empty, path[done:])

    def _make_room(self, wanted: int) -> bool:
        """Free the empty nodes; where that is not enough, enlarge the arena; return whether any place is free again."""
        in_use = self._sweep()
        capacity = len(self._nodes)
        if capacity - 1 - in_use < max(wanted, RESERVE * capacity):
            self._resize(max(int(capacity * GROWTH), in_use + 1 + wanted))
        return bool(self._cursor[kernels.N_FREE])

    def _sweep(self, empty: float | None = None) -> int:
        """Free the nodes with less weight than ``empty`` (default: the empty ones); return how many remain."""
        empty = float(self._empty if empty is None else empty)
        return kernels.free_dead(self._nodes, self._sums, self._place, self._roots, self._cursor, empty)

    # ------------------------------------------------------------------ prediction

    def _predict(self, X, missing):
        n, n_labels = len(X), len(self._labels)
        scores, labels = np.zeros((n, n_labels)), np.zeros((n, n_labels), np.uint8)
        if self._ranges.low is not None:
            label_of, empty = label_columns.IDENTITY if self._label_of is None else self._label_of, self._empty
            for start in range(0, n, PIECE):
                piece = slice(start, start + PIECE)
                path = self._find_paths(X[piece], missing[piece], empty)
                kernels.predict(path, self._sums, label_of, empty, scores[piece], labels[piece])
        elif self._warm_up_rows.Y is not None and n:
            # the tests cannot be drawn yet, and all roots hold the same
            root = self._warm_up_rows.root_sums()
            kernels.predict(np.ones((n, 1, 1), np.uint32), root, label_columns.IDENTITY, 0.0, scores, labels)
        return scores, self._decided(scores, labels)

    def _test_then_train(self, X, Y, missing):
        if self._ranges.low is None or len(X) > PIECE or not len(X) or self._follows:
            return super()._test_then_train(X, Y, missing)
        answer = self._predict(X, missing)
        # there is no warm-up, and so no row that the clock has not counted
        first = int(self._clock[1]) + 1
        # the path of an instance never changes: found once, used for both
        self._add(X, Y, missing, np.arange(first, first + len(X)), self._path[: len(X)])
        return answer

    def _scores_row_by_row(self, X, Y, missing) -> np.ndarray:
        if self._ranges.low is None or isinstance(X, SparseRows) or self._label_of is not None or self._follows:
            return super()._scores_row_by_row(X, Y, missing)
        n, scores, done = len(X), np.zeros(Y.shape), 0
        path = np.zeros((1, len(self._roots), int(self.height)), np.uint32)
        timestamps = int(self._clock[1]) + 1 + np.arange(n)
        while done < n:
            # each as ``_empty`` has it: the power of an array may differ in the last bit
            empties = [kernels.EMPTY_WEIGHT * share_left(self._clock[0] - (t - 1), self._rate) for t in timestamps]
            done = kernels.answer_row_by_row(
                X, Y, missing, timestamps, np.array(empties), done, path, label_columns.IDENTITY, scores,
                np.zeros(Y.shape, np.uint8), self._roots, int(self.height), self._nodes, self._nodes.view(np.float64),
                self._sums, self._column_of, self._place, self._cursor, self._clock, self._rate, self._key,
                self._ranges.low, self._ranges.high, self._n_categories,
            )  # fmt: skip
            if done < 0:
                row = slice(-1 - done, -done)
                self._add(
                    X[row], Y[row], missing[row], timestamps[row], self._find_paths(X[row], missing[row], self._empty)
                )
                done = row.stop
        return scores

    # ------------------------------------------------------------------ tuning and merging

    def _tune(self, values) -> None:
        self._change_rate(float(values.get("half_life", self.half_life)))
        n_trees, height = (int(values.get(name, getattr(self, name))) for name in ("n_trees", "height"))
        if n_trees < len(self._roots) or height < self.height:
            if len(self._nodes):
                kernels.wipe(self._nodes, self._sums, self._place, self._cursor, n_trees, height)
                self._sweep()
            self._roots = self._roots[:n_trees].copy()
        if n_trees > len(self._roots):
            self._roots = np.append(self._roots, np.zeros(n_trees - len(self._roots), np.uint32))

    def _change_rate(self, half_life: float) -> None:
        """Fade all to the present instant with the old half-life, then go on with the new one."""
        if half_life != self._rate:
            self._mark.fade(self._clock[1], self._rate)
            if self._scale != 1.0:
                kernels.rescale(self._sums, self._cursor[kernels.TOP], self._scale)
            self._clock[0] = self._clock[1]
            self._rate = half_life

    def merge(self, other: SMART) -> SMART:
        """Add what ``other`` has learned, and return this: it equals one learner that saw both parts, to 1e-9 relative.

        Exact for parts of one stream whose instances kept their time stamps (``learn_many(..., timestamps=...)``); with
        missing values the way of a row depends on what was seen before, and the merged learner is a little different.

        Parameters
        ----------
        other
            A learner of equal seed, schema, bounds, half-life, height and number of trees; it is left unchanged.

        Raises
        ------
        ValueError
            Naming what differs.
        """
        if not isinstance(other, SMART) or other is self:
            raise ValueError(f"cannot merge SMART with {'itself' if other is self else type(other).__name__}")
        if other._ranges.low is None and other._warm_up_rows.X is None:
            return self
        check_mergeable(self, other)
        if not self._features and not self._labels:
            self.bind(other.schema)
        if self._ranges.low is None:
            self._fix_ranges(None)
        is_known = self._ranges.low is not None
        ranges = self._ranges if is_known else copy.deepcopy(other._ranges)
        check_ranges(other, ranges.low, ranges.high)
        if not is_known:
            self._ranges = ranges
            self._resize(FIRST_CAPACITY)
        now = max(self._clock[1], other._clock[1])
        # only what weighs nothing: two parts of a node may each be too light to count, and together not
        other_sums = other._sums
        if other._label_of is not None:
            self._make_columns(np.sort(other._label_of[other._label_of >= 0]))
            other_sums = label_columns.aligned(other._sums, other._label_of, self._column_of, kernels.COUNTS)
        in_use = self._sweep(np.finfo(np.float64).tiny)
        wanted = in_use + 1 + int(other._cursor[kernels.TOP])
        if wanted > len(self._nodes):
            self._resize(wanted)
        kernels.merge_into(
            self._nodes, self._nodes.view(np.float64), self._sums, self._place, self._roots, self._cursor,
            share_left(now - self._clock[0], self._rate), other._nodes, other_sums, other._roots,
            share_left(now - other._clock[0], self._rate), self._key, self._ranges.low, self._ranges.high,
            self._n_categories,
        )  # fmt: skip
        self._clock[:] = now
        self._mark = Mark()
        self._intake.merge(other._intake)
        self._join_f1_counts(other)
        return self
