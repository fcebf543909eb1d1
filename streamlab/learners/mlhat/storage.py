"""What MLHAT keeps: the table of its arrays, and the rules that a saved tree must obey before a kernel sees it.

Kernels check no index. So the rules cover every value that a kernel uses as an index, every list that a kernel follows
to its end, and every count that it takes for the room that is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np

from streamlab.bundle import Bundle
from streamlab.learners.base.row_learner import category_counts, check_categories
from streamlab.learners.base.state import contradiction, stored_length
from streamlab.learners.base.storage import (
    Array,
    Number,
    Rule,
    Storage,
    between,
    consistent,
    detector_arrays,
    index_into,
)
from streamlab.learners.mlhat import _tree as t
from streamlab.learners.mlhat import rules
from streamlab.learners.mlhat._statistics import outline
from streamlab.schema import Feature, NumberedFeatures

ARENAS = ("nodes", "leaves", "observers", "pool")
"""Dimensions that grow with the tree; of each the cursor says how much is in use. ``kept`` has a cursor of its own."""
TOPS = ("node_top", "leaf_top", "observer_top", "pool_top")
# rows of the log of events at first
FIRST_EVENTS = 256


# ---------------------------------------------------------------------- the table

link, value, entry = (partial(t.column, name) for name in ("links", "values", "cursor"))
kept_entry, place_entry = (partial(t.column, name) for name in ("kept_cursor", "place_cursor"))
COUNTS = ("position", "n_splits", "n_started", "n_promoted", "n_pruned")
WANTS = ("want_nodes", "want_leaves", "want_observers", "want_pool", "want_pairs", "want_events")


def n_fields(name: str) -> int:
    return len(t.RECORDS[name].names or ())


PLAIN = Storage(
    # the schema, as kernels need it
    Array("n_categories", ("features",), np.int64),
    Array("numeric", ("features",), np.int64, rules=(index_into("numeric_features", none=-1),)),
    Array("category_column", ("categories",), np.int64, rules=(index_into("columns", none=-1),)),
    Array("category_first", ("features",), np.int64, rules=(
        index_into("columns", where=rules.numeric_features),
        consistent(rules.wrong_offset, "the place of its first category"),
    )),
    Array("wide", ("wide_features",), np.int64, rising=True, rules=(
        index_into("features"),
        consistent(rules.without_column, "a feature whose first category has a column"),
    )),
    # where everything is, before what follows it
    Array("cursor", (n_fields("cursor"),), np.int64, rules=(
        *(between(arena, arena, columns=entry(top)) for arena, top in zip(ARENAS, TOPS, strict=True)),
        index_into("nodes", columns=entry("root")),
        index_into("nodes", columns=entry("node_free"), none=-1),
        index_into("leaves", columns=entry("leaf_free"), none=-1),
        index_into("observers", columns=entry("observer_free"), none=-1),
        index_into("pool", columns=entry("pool_free"), none=-1),
        between(0, "set_rows", columns=entry("sets_used")),
        between(0, "pool", columns=entry("pool_used")),
        between(0, 0, columns=entry("n_events")),
        between(0, columns=entry(*COUNTS, *WANTS)),
        between(0, 2**31 - 1, columns=entry("next_id")),
        consistent(rules.wrong_count("nodes_used", lambda a: int(rules.alive(a).sum())), "the number of nodes"),
        consistent(rules.wrong_count("leaves_used", lambda a: int(rules.leaves(a).sum())), "the number of leaves"),
        consistent(rules.wrong_count("observers_used", rules.n_observers), "the number of leaves with an observer"),
        consistent(rules.wrong_count("pairs_used", lambda a: int((a["pair_keys"] >= 0).sum())), "the number of pairs"),
    )),
    # nodes
    Array("links", ("nodes", n_fields("links")), np.int64, rules=(
        index_into("ids", none=-1, columns=link("id")),
        index_into("leaves", columns=link("leaf"), where=rules.leaves, once=True),
        index_into("observers", none=-1, columns=link("observer"), where=rules.leaves, once=True),
        between(-1, -1, columns=link("observer"), where=lambda a: ~rules.leaves(a)),
        index_into("nodes", columns=link("left", "right"), where=rules.branches),
        index_into("nodes", none=-1, columns=link("parent", "alternate", "of"), where=rules.alive),
        index_into("nodes", none=-1, columns=link("left"), where=lambda a: ~rules.alive(a)),
        between(0, t.DEEPEST, columns=link("depth"), where=rules.alive),
        consistent(rules.wrong_child("left"), "a node one level below that names this one", link("left")),
        consistent(rules.wrong_child("right"), "another node one level below that names this one", link("right")),
        consistent(rules.wrong_alternate, "-1, or of a branch a node beside it that names this one", link("alternate")),
        consistent(rules.wrong_place, "the root's, or those of a node that names this one", link("parent")),
        consistent(rules.broken_free_nodes, "a free list of what no node is, without a loop", link("left")),
        index_into("features", columns=link("feature"), where=rules.branches),
        index_into("features", none=-1, columns=link("best", "second", "last_best", "last_second"), where=rules.leaves),
        between(-1, "searched", columns=link("search"), where=rules.leaves),
        between(0, "window", columns=link("filled"), where=rules.leaves),
        index_into("window", columns=link("next"), where=rules.leaves),
        between(0, columns=link("n_sets", "inherited", "n_history", "n_rows"), where=rules.alive),
        between(0, t.HISTORY - 1, columns=link("history_left"), where=rules.alive),
    )),
    Array("values", ("nodes", n_fields("values")), finite=True, rules=(
        *(
            consistent(rules.wrong_category(feature, point, where), "a category's index", value(point))
            for feature, point, where in (
                ("feature", "threshold", rules.branches), ("best", "best_point", rules.leaves),
            )
        ),
    )),
    Array("counts", ("nodes", "labels"), finite=True),
    Array("born", ("nodes", "labels")),
    Array("history", ("nodes", t.HISTORY_MEANS), finite=True),
    Array("rows", ("nodes", t.ROWS), np.int64),
    # their detectors
    *detector_arrays("2*nodes", "adwin"),
    # the classifiers of leaves
    # whose squares can be added
    Array("window", ("leaves", "features", "window"), rules=(between(-1e150, 1e150, missing=True),)),
    Array("window_sets", ("leaves", "window"), np.int64, rules=(index_into("sets", none=0),)),
    Array("window_norms", ("leaves", "window"), finite=True),
    Array("window_gaps", ("leaves", "window"), np.uint8),
    # which says nothing that the window does not
    Array("window_marks", ("leaves", "window", "feature_words"), np.uint64, saved=False),
    Array("weights", ("leaves", "columns", "sums"), finite=True),
    Array("intercepts", ("leaves", "sums"), finite=True),
    Array("leaf_next", ("leaves",), np.int64, rules=(
        index_into("leaves", none=-1),
        consistent(
            rules.broken_free_slots("leaf_next", "leaf", "leaf_free"), "a free list of what no leaf has, without a loop"
        ),
    )),
    # the observers of leaves
    Array("stats", ("observers", "numeric_features", "1+labels", n_fields("stats"))),
    Array("heads", ("observers", "features"), np.int64, fill=-1, rules=(Rule(low=t.OVERFLOWN, below="pool"),)),
    Array("seen", ("observers", "1+labels"), finite=True, rules=(
        consistent(rules.wrong_moments, "the weights in stats", 0),
    )),
    # which says nothing that these do not
    Array("outlines", ("observers", "features", n_fields("outlines")), saved=False),
    Array("observer_next", ("observers",), np.int64, rules=(
        index_into("observers", none=-1),
        consistent(
            rules.broken_free_slots("observer_next", "observer", "observer_free"),
            "a free list of what no leaf has, without a loop",
        ),
    )),
    # the values that observers count exactly
    Array("pool_next", ("pool",), np.int64, rules=(
        index_into("pool", none=-1),
        consistent(
            rules.broken_pool_lists,
            "every row in one list, of a feature or of what is free, without a loop, as the cursor counts them",
        ),
    )),
    Array("pool_value", ("pool",), finite=True, rules=(
        consistent(rules.wrong_pool_value, "a category's index, or -1 for missing"),
    )),
    Array("pool_counts", ("pool", "1+labels"), finite=True),
    # label sets, and what each leaf has seen of them
    Array("set_words", ("set_rows", "words"), np.uint64),
    # as there are more slots than sets, a search ends at an empty one
    Array("set_table", ("4*set_rows",), np.int64, fill=-1, rules=(index_into("sets", none=-1, once=True),)),
    Array("pair_keys", ("pair_slots",), np.int64, fill=-1, rules=(
        between(-1),
        consistent(rules.unknown_set, "a node's id and the number of a label set"),
    )),
    Array("pair_counts", ("pair_slots",), finite=True),
    Array("events", ("events", 10), saved=False),
)  # fmt: skip
"""The arrays of ``Tree`` except for those of hedging and of places."""

HEDGES = Storage(
    Array("kept_cursor", (f'{n_fields("kept_cursor")}*hedged',), np.int64, rules=(
        between("kept", "kept", columns=kept_entry("kept_top")),
        index_into("kept", none=-1, columns=kept_entry("kept_free")),
        between(0, columns=kept_entry("kept_used", "want_kept")),
        consistent(rules.wrong_count_of_kept, "the number of branches that keep regressions"),
    )),
    Array("expert_losses", ("nodes", f'{n_fields("expert_losses")}*hedged'), finite=True),
    Array("kept_slots", ("nodes", "hedged"), np.int64, fill=-1, rules=(
        index_into("kept", none=-1, once=True),
        between(-1, -1, where=lambda a: ~rules.branches(a)),
    )),
    Array("kept_weights", ("kept", "columns", "sums")),
    Array("kept_intercepts", ("kept", "sums")),
    Array("kept_next", ("kept",), np.int64, rules=(
        index_into("kept", none=-1),
        consistent(rules.broken_free_kept, "a free list of what no branch keeps, without a loop"),
    )),
)  # fmt: skip
"""What a hedged tree has besides. In a plain one all of it is empty: ``hedged`` and ``kept`` are 0."""

PLACED = Storage(
    Array("place_cursor", (f'{n_fields("place_cursor")}*compact',), np.int64, rules=(
        # a state has no places in reserve
        between("features", "features", columns=place_entry("places")),
        between(0, columns=place_entry("want_places")),
        between(0, 1, columns=place_entry("full")),
    )),
    Array("column_of", ("features*compact",), np.int64, rules=(index_into("spread", once=True),)),
    Array("place_of", ("spread",), np.int32, fill=-1, saved=False),
)  # fmt: skip
"""What a compact tree has besides, whose features are places. In any other ``compact`` and ``spread`` are 0."""


STORAGE = PLAIN + HEDGES + PLACED
"""The arrays of every ``Tree``. ``in_use`` and ``sizes_of`` say what their dimensions are."""

ATTRIBUTES = {name: f"plain_{name}" if name in t.RECORDS else name for name in STORAGE.arrays}
"""Of each array of a state the attribute of a ``Tree`` that it is."""


class Tree(Bundle, names=(*STORAGE.arrays, *(ATTRIBUTES[name] for name in t.RECORDS))):
    """The arrays; N nodes, C classifiers, O observers, P pool rows, F features, L labels, W window rows, M bags.

    Parameters
    ----------
    links, values, counts, born, history, rows
        Of nodes: two arrays of records [N], label sums [N, L], label probabilities at birth [N, L], means of the
        error over 50 instances each (ring of 64), numbers of the instances that came last (ring of 20).
    totals, spreads, filled, adwin, changed
        ADWIN windows of ``detectors._adwin``: 2s for the warnings of node s, 2s + 1 for its drifts.
    window, window_sets, window_norms, window_gaps
        Of classifiers: float64 [C, F, W] (a column is a row of the stream), label-set numbers, sums of squares,
        whether something is missing.
    window_marks
        Bits uint64 [C, W, words] of the features of each row of a window that may be other than 0.
    weights, intercepts
        float64 [C, columns, L * M] and [C, L * M]: of label l and bag m at l * M + m.
    leaf_next, observer_next
        Free lists of classifiers and observers.
    stats, heads, seen
        Of observers: records [O, numeric features, 1 + L], first pool row of each feature int64 [O, F], label sums
        [O, 1 + L].
    outlines
        Of observers: records [O, F], what ``stats`` and the lists say of all rows of a feature: the search reads it
        in one go, where those lie far apart.
    pool_value, pool_next, pool_counts
        A distinct value, the next of the same list, its counts [P, 1 + L].
    set_words, set_table, pair_keys, pair_counts
        Label sets as bits uint64 [S, words]; hash tables with -1 where they are empty.
    cursor
        One record: tops, free lists, numbers in use, the instance's number.
    events
        float64 [E, 10]: kind, node's id, position, six numbers, whether the node is in the background.
    plain_links, plain_values, plain_stats, plain_outlines, plain_cursor, ...
        The same memory as plain arrays, with a column for each field of ``RECORDS``.
    n_categories, numeric, category_first, category_column, wide
        The schema: categories (0: numeric), place among the numeric features or -1, for nominal features where their
        categories' columns of ``weights`` begin in ``category_column`` (-1: none), features of 3 categories or more.
    expert_losses, kept_slots
        Of nodes, if hedged: faded losses of the two experts, records [N], slot of the kept regressions or -1
        int64 [N, 1]. Else nothing.
    kept_weights, kept_intercepts, kept_next, kept_cursor
        The regressions of K branches, as ``weights`` and ``intercepts`` are; their free list; top, free list, number in
        use, number wanted.
    place_of, column_of, place_cursor
        If compact: the place of each column of the stream, int32 [columns of the stream], -1 where it has none; the
        column at each place, int64 [F], behind the places in use anything; places in use, number wanted, and a flag.
    """

    def __init__(self, **arrays: np.ndarray) -> None:
        super().__init__(**_with_records(arrays))

    def replaced(self, **arrays: np.ndarray) -> Tree:
        """Return a tree with other arrays under these names; it shares the rest."""
        return cast(Tree, super().replaced(**_with_records(arrays)))

    def asdict(self) -> dict[str, np.ndarray]:
        """Return the arrays by name, as a state has them: without records."""
        return {name: getattr(self, attribute) for name, attribute in ATTRIBUTES.items()}


def _with_records(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return plain arrays by name with those of records beside them."""
    found = dict(arrays)
    for name in t.RECORDS.keys() & arrays.keys():
        found[name], found[f"plain_{name}"] = t.records(name, arrays[name]), arrays[name]
    return found


CLASSIFIERS = (
    "totals", "spreads", "filled", "adwin", "changed", "window", "window_sets", "window_norms", "window_gaps",
    "weights", "intercepts",
)  # fmt: skip
"""Detectors and leaf classifiers."""


@dataclass(frozen=True)
class Parts:
    """What the nodes of a tree have besides counts and statistics; a learner says it of its own.

    Parameters
    ----------
    n_models, window
        Bags of regressions per label, and rows of the window, in each leaf. Without bags a leaf has no classifiers, and
        a branch no detectors.
    hedged
        Whether branches keep their regressions, and nodes what their two experts have lost.
    """

    n_models: int = 0
    window: int = 1
    hedged: bool = False

    def table(self, compact: bool) -> Storage:
        """Return the table of such a tree: every array of ``Tree``, those that it does not use as not saved."""
        unused = set(() if self.n_models else CLASSIFIERS)
        unused |= set(() if self.hedged else HEDGES.arrays) | set(() if compact else PLACED.arrays)
        return Storage(*(replace(a, saved=False) if a.name in unused else a for a in STORAGE.arrays.values()))


FRAME = Storage(
    Number("n_columns", int, low=0),
    Array("room", (len(ARENAS),), np.int64, rules=(
        between(1), *(between(arena, columns=i) for i, arena in enumerate(ARENAS)),
    )),
    Array("cursor", (n_fields("cursor"),), np.int64),
)  # fmt: skip
"""What says how long the arrays are."""

PLACES_FRAME = Storage(PLACED.arrays["column_of"])
"""What says which features have a place."""


def sizes_for(features: Sequence[Feature], n_labels: int, parts: Parts, **others: int) -> dict[str, int]:
    """Return the dimensions of the arrays of a new tree, with those that ``others`` name."""
    return {
        "features": len(features),
        "feature_words": words_of(len(features)),
        "numeric_features": sum(not feature.is_nominal for feature in features),
        "labels": n_labels,
        "sums": n_labels * parts.n_models,
        "window": parts.window,
        "words": words_of(n_labels),
        "events": FIRST_EVENTS,
        "hedged": int(parts.hedged),
        "kept": 0,
        "compact": 0,
        "spread": 0,
        "searched": len(features),
    } | others


def sizes_of(tree: Tree) -> dict[str, int]:
    """Return the dimensions of a tree's arrays as they are."""
    sizes = {name: getattr(tree, ATTRIBUTES[array]).shape[axis] for name, (array, axis) in STORAGE.place_of.items()}
    return sizes | {"compact": int(len(tree.place_cursor) > 0), "searched": sizes["spread"] or sizes["features"]}


def sizes_with_places(tree: Tree, n: int) -> dict[str, int]:
    """Return the dimensions of a compact tree's arrays for ``n`` places; those in reserve are numeric, and the last."""
    sizes = sizes_of(tree)
    more = n - sizes["features"]
    return sizes | {
        "features": n,
        "feature_words": words_of(n),
        "numeric_features": sizes["numeric_features"] + more,
        "columns": sizes["columns"] + more,
    }


def in_use(tree: Tree) -> dict[str, int]:
    """Return how much of each arena is in use."""
    used = {arena: int(tree.cursor[0][top]) for arena, top in zip(ARENAS, TOPS, strict=True)}
    return used | {"kept": int(tree.kept_cursor[0].kept_top)} if len(tree.kept_cursor) else used


def saved_tree(tree: Tree, parts: Parts) -> dict[str, Any]:
    """Return the state of a tree: the used parts of its arrays, how long they were, and the linear models' columns."""
    tree = trimmed(tree)
    sizes = sizes_of(tree)
    return {
        "room": np.array([sizes[arena] for arena in ARENAS], np.int64),
        "n_columns": sizes["columns"],
        **({"kept_room": sizes["kept"]} if parts.hedged else {}),
        **parts.table(bool(sizes["compact"])).state(tree.asdict(), sizes, in_use(tree)),
    }


def restored_tree(
    owner: str, state: Mapping[str, Any], features: Sequence[Feature], n_labels: int, parts: Parts
) -> Tree:
    """Return the tree of a state that ``saved_tree`` returned, perhaps altered.

    ``owner`` is the learner's name, for messages.

    Raises
    ------
    ValueError
        If an array is missing or breaks a rule of the table, naming it.
    """
    of_leaves = "window_sets" if parts.n_models else "leaf_next"
    used: dict[str, int] = {
        arena: stored_length(owner, state, name)
        for arena, name in zip(ARENAS, ("links", of_leaves, "heads", "pool_value"), strict=True)
    }
    if parts.hedged:
        used["kept"] = stored_length(owner, state, "kept_weights")
    for name in ("set_words", "pair_keys"):
        n = stored_length(owner, state, name)
        # the bits of the length less one cut a hash to a slot
        if n < 1 or n & (n - 1):
            raise contradiction(owner, f"{name} has {n} rows; expected a power of two")
    spread, compact = 0, "column_of" in state
    if compact:
        # its features are those that have a place
        spread, used["features"] = len(features), stored_length(owner, state, "column_of")
        sizes = {"features": used["features"], "spread": spread, "compact": 1}
        columns = PLACES_FRAME.restore(owner, state, sizes)["column_of"]
        missing = np.setdiff1d(columns_with_categories(features), columns)
        if len(missing):
            raise contradiction(owner, f"column_of lacks {missing[0]}; expected every nominal feature to have a place")
        features = placed(features, columns)
    # before the rest, as rules refer to them
    first = FRAME.restore(owner, state, {}, used)
    cursor = t.records("cursor", first["cursor"])[0]
    kept = Number("kept_room", low=used["kept"]).read(owner, state) if parts.hedged else 0
    for name, field in (("sets", "sets_used"), ("ids", "next_id"), ("position", "position")):
        used[name] = max(int(cursor[field]), 0)
    sizes = sizes_for(
        features, n_labels, parts, **dict(zip(ARENAS, first["room"].tolist(), strict=True)),
        columns=first["n_columns"], kept=kept, compact=int(compact), spread=spread, searched=spread or len(features),
    )  # fmt: skip
    tree = Tree(**parts.table(compact).restore(owner, state, sizes, used))
    for name, expected in schema_arrays(features).items():
        check_categories(owner, name, getattr(tree, name), expected)
    tree.place_of[tree.column_of] = np.arange(len(tree.column_of))
    mark_windows(tree)
    outline(tree)
    return tree


def trimmed(tree: Tree) -> Tree:
    """Return a compact tree without places in reserve, whose arrays are views; any other as it is."""
    if not len(tree.place_cursor):
        return tree
    sizes, plain, arrays = sizes_with_places(tree, int(tree.place_cursor[0].places)), tree.asdict(), {}
    for name, array in STORAGE.arrays.items():
        old = plain[name]
        arrays[name] = old[tuple(slice(0, n) for n in array.full_shape(sizes, old.shape))]
    return Tree(**arrays)


def placed(features: Sequence[Feature], columns: np.ndarray) -> list[Feature]:
    """Return the features of these columns."""
    return [features[column] for column in columns.tolist()]


def columns_with_categories(features: Sequence[Feature]) -> np.ndarray:
    """Return the columns of nominal features, int64."""
    if isinstance(features, NumberedFeatures):
        return np.zeros(0, np.int64)
    return np.array([f for f, feature in enumerate(features) if feature.is_nominal], np.int64)


def mark_windows(tree: Tree) -> None:
    """Note which values of the windows are other than 0."""
    n_bytes = 8 * tree.window_marks.shape[2]
    for c in range(len(tree.window)):
        packed = np.packbits(tree.window[c] != 0.0, axis=0, bitorder="little")
        marks = np.zeros((packed.shape[1], n_bytes), np.uint8)
        marks[:, : len(packed)] = packed.T
        tree.window_marks[c] = marks.view("<u8")


def words_of(n: int) -> int:
    """Return the words of 64 bits that this many bits take: a label set's, or the features' of a row."""
    return max(1, -(-n // 64))


def schema_arrays(features: Sequence[Feature]) -> dict[str, np.ndarray]:
    """Return what kernels know of the features, except for the columns of the linear models."""
    sizes = category_counts(features)
    nominal = np.array([feature.is_nominal for feature in features], bool)
    return {
        "n_categories": sizes,
        "numeric": np.where(nominal, -1, np.cumsum(~nominal) - 1).astype(np.int64),
        "wide": np.flatnonzero(sizes > 2).astype(np.int64),
    }
