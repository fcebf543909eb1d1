"""Where MLHAT keeps everything: arenas of nodes, leaf classifiers, observers and exact counts, with free lists.

A **node** is a branch or a leaf. A leaf owns a slot of the *classifiers* (its window and its bags) and, while it may
grow, one of the *observers* (its split statistics). An observer keeps, besides the moments of each numeric feature, a
linked list of the feature's distinct values in the *pool*, each with its count by label. A slot that was given back is
reused; a node's id never is. Label sets are numbered once for the whole tree; what a leaf has seen of each is counted
under the key (node's id, number of the set) in one hash table.

Counts by label, in observers and pool, have all instances in column 0 and those with label l in column ``1 + l``.

In a hedged tree a branch owns a slot of the *kept* regressions: those that it had as a leaf. In a plain tree the arrays
for hedging have no entries.

A *compact* tree, of sparse rows with very many columns, knows only the columns in which a row was ever other than 0:
each gets a *place* when it is first seen, and what is called a feature here is then such a place. In any other tree the
arrays for this have no entries.
"""

from __future__ import annotations

import numpy as np

from streamlab.bundle import Bundle
from streamlab.kernels import kernel

__all__ = ["COUNTED", "INNER", "INSIDE", "LEAN", "Tree"]

LEAN = {"_nrt": False}
"""Options of a kernel that makes no array and returns none. Numba then counts no references: else each call with a
``Tree`` counts those of all its arrays, up and down, which took more time than the arithmetic of a small kernel.
A kernel that says nothing is as the one that calls it, so that one that makes arrays must say so: ``COUNTED``."""
COUNTED = {"_nrt": True}
INSIDE = {"inner": True}
"""Of a kernel that only kernels call: numba makes no way in from Python, which takes long to compile for a ``Tree``."""
INNER = LEAN | INSIDE
"""Both."""

# columns of ``links``; slots of nodes where nothing else is said, -1 for none
ID, PARENT, LEFT, RIGHT, ALTERNATE, OF, FEATURE, NOMINAL, DEPTH, LEAF, OBSERVER = range(11)
BACKGROUND, OFF, N_SETS, BORN, LAST, FILLED, NEXT, INHERITED = range(11, 19)
SEARCH, BEST, SECOND, LAST_BEST, LAST_SECOND, N_HISTORY, N_ROWS, HISTORY_LEFT = range(19, 27)
N_LINKS = 27
# columns of ``values``
THRESHOLD, WEIGHT, RECENT, SINCE, ERROR_SUM, ERROR_WEIGHT, BORN_ERROR = range(7)
BEST_GAIN, BEST_POINT, SECOND_GAIN, LAST_GAIN, LAST_POINT, LAST_SECOND_GAIN, HISTORY_SUM, TRAINED = range(7, 15)
N_VALUES = 15
# columns of ``stats``: weight, mean and centred square sum of the values other than 0; weight of missing; range
N, MEAN, SPREAD, MISSING, LOW, HIGH = range(6)
# columns of ``outlines``: values that are listed, weight of what is neither missing nor zero, weight of missing
LISTED, AMOUNT, ABSENT = range(3)
# entries of ``cursor``
NODE_TOP, NODE_FREE, LEAF_TOP, LEAF_FREE, OBSERVER_TOP, OBSERVER_FREE, POOL_TOP, POOL_FREE = range(8)
NODES_USED, LEAVES_USED, OBSERVERS_USED, POOL_USED, SETS_USED, PAIRS_USED = range(8, 14)
NEXT_ID, ROOT, POSITION, N_EVENTS, LIMITED = range(14, 19)
N_SPLITS, N_STARTED, N_PROMOTED, N_PRUNED = range(19, 23)
WANT_NODES, WANT_LEAVES, WANT_OBSERVERS, WANT_POOL, WANT_PAIRS, WANT_EVENTS = range(23, 29)
N_CURSOR = 29
# entries of ``kept_cursor``
KEPT_TOP, KEPT_FREE, KEPT_USED, WANT_KEPT = range(4)
N_KEPT_CURSOR = 4
# entries of ``place_cursor``: places in use, number wanted, whether the bound of memory allows no further ones
PLACES, WANT_PLACES, FULL = range(3)
N_PLACE_CURSOR = 3
# columns of ``expert_losses``: of a branch its own answer and the answer from below, of a leaf neighbours and bags
FIRST, SECOND_EXPERT = range(2)
N_EXPERTS = 2

# of an observer's list: the feature has had more distinct values than are kept exactly
OVERFLOWN = -2
# the value under which the pool counts the missing values of a nominal feature
GONE = -1.0
EXACT_VALUES = 16
HISTORY, HISTORY_MEANS, ROWS = 50, 64, 20
DEEPEST = 200


class Tree(Bundle):
    """The arrays; N nodes, C classifiers, O observers, P pool rows, F features, L labels, W window rows, M bags.

    Parameters
    ----------
    links, values, counts, born, history, rows
        Of nodes: int64 [N, .], float64 [N, .], label sums [N, L], label probabilities at birth [N, L], means of the
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
        Of observers: float64 [O, numeric features, 1 + L, 6], first pool row of each feature int64 [O, F], label sums
        [O, 1 + L].
    outlines
        Of observers: float64 [O, F, 3], what ``stats`` and the lists say of all rows of a feature: the search reads it
        in one go, where those lie far apart.
    pool_value, pool_next, pool_counts
        A distinct value, the next of the same list, its counts [P, 1 + L].
    set_words, set_table, pair_keys, pair_counts
        Label sets as bits uint64 [S, words]; hash tables with -1 where they are empty.
    cursor
        int64: tops, free lists, numbers in use, the instance's number.
    events
        float64 [E, 10]: kind, node's id, position, six numbers, whether the node is in the background.
    n_categories, numeric, category_first, category_column, wide
        The schema: categories (0: numeric), place among the numeric features or -1, for nominal features where their
        categories' columns of ``weights`` begin in ``category_column`` (-1: none), features of 3 categories or more.
    expert_losses, kept_slots
        Of nodes, if hedged: faded losses of the two experts float64 [N, 2], slot of the kept regressions or -1
        int64 [N, 1]. Else [N, 0].
    kept_weights, kept_intercepts, kept_next, kept_cursor
        The regressions of K branches, as ``weights`` and ``intercepts`` are; their free list; top, free list, number in
        use, number wanted.
    place_of, column_of, place_cursor
        If compact: the place of each column of the stream, int32 [columns of the stream], -1 where it has none; the
        column at each place, int64 [F], behind the places in use anything; places in use, number wanted, and a flag.
    """

    links: np.ndarray
    values: np.ndarray
    counts: np.ndarray
    born: np.ndarray
    history: np.ndarray
    rows: np.ndarray
    totals: np.ndarray
    spreads: np.ndarray
    filled: np.ndarray
    adwin: np.ndarray
    changed: np.ndarray
    window: np.ndarray
    window_sets: np.ndarray
    window_norms: np.ndarray
    window_gaps: np.ndarray
    window_marks: np.ndarray
    weights: np.ndarray
    intercepts: np.ndarray
    leaf_next: np.ndarray
    stats: np.ndarray
    heads: np.ndarray
    seen: np.ndarray
    outlines: np.ndarray
    observer_next: np.ndarray
    pool_value: np.ndarray
    pool_next: np.ndarray
    pool_counts: np.ndarray
    set_words: np.ndarray
    set_table: np.ndarray
    pair_keys: np.ndarray
    pair_counts: np.ndarray
    cursor: np.ndarray
    events: np.ndarray
    n_categories: np.ndarray
    numeric: np.ndarray
    category_first: np.ndarray
    category_column: np.ndarray
    wide: np.ndarray
    expert_losses: np.ndarray
    kept_slots: np.ndarray
    kept_weights: np.ndarray
    kept_intercepts: np.ndarray
    kept_next: np.ndarray
    kept_cursor: np.ndarray
    place_of: np.ndarray
    column_of: np.ndarray
    place_cursor: np.ndarray


@kernel(**INNER)
def columns_used(tree):
    """Return how many columns of the linear models may be other than 0; those of places in reserve are the last."""
    if tree.place_of.shape[0] == 0:
        return tree.weights.shape[1]
    return tree.weights.shape[1] - (tree.column_of.shape[0] - tree.place_cursor[PLACES])


@kernel(**INNER)
def clear_moments(tree, o):
    """Make the moments of observer ``o`` zeros; in a compact tree only those that are not, which are few."""
    stats = tree.stats[o]
    if tree.place_of.shape[0] == 0:
        stats[:] = 0.0
        return
    for f in range(tree.place_cursor[PLACES]):
        place = tree.numeric[f]
        if place >= 0 and (tree.outlines[o, f, AMOUNT] != 0.0 or tree.outlines[o, f, ABSENT] != 0.0):
            stats[place] = 0.0


@kernel(**LEAN)
def take_pool_row(tree, value):
    """Return a row of the pool for a value, with its counts at zero."""
    cursor = tree.cursor
    p = cursor[POOL_FREE]
    if p >= 0:
        cursor[POOL_FREE] = tree.pool_next[p]
    else:
        p = cursor[POOL_TOP]
        cursor[POOL_TOP] += 1
    cursor[POOL_USED] += 1
    tree.pool_value[p] = value
    tree.pool_next[p] = -1
    for j in range(tree.pool_counts.shape[1]):
        tree.pool_counts[p, j] = 0.0
    return p


@kernel(**INNER)
def free_list(tree, o, f):
    """Give back the pool rows of a feature's list."""
    cursor = tree.cursor
    p = tree.heads[o, f]
    while p >= 0:
        following = tree.pool_next[p]
        tree.pool_next[p] = cursor[POOL_FREE]
        cursor[POOL_FREE] = p
        cursor[POOL_USED] -= 1
        p = following
    tree.heads[o, f] = -1


@kernel
def take_observer(tree, s):
    """Give leaf ``s`` an empty observer and start a grace period."""
    cursor = tree.cursor
    o = cursor[OBSERVER_FREE]
    if o >= 0:
        cursor[OBSERVER_FREE] = tree.observer_next[o]
        clear_moments(tree, o)
        tree.heads[o] = -1
        tree.seen[o] = 0.0
        tree.outlines[o] = 0.0
    else:
        # what was never used is empty, and zeros that nobody writes take no memory
        o = cursor[OBSERVER_TOP]
        cursor[OBSERVER_TOP] += 1
    cursor[OBSERVERS_USED] += 1
    tree.links[s, OBSERVER] = o
    tree.links[s, SEARCH] = -1
    tree.values[s, SINCE] = 0.0


@kernel
def free_observer(tree, s):
    """Take the observer from leaf ``s``, if it has one: the leaf no longer grows."""
    o = tree.links[s, OBSERVER]
    if o < 0:
        return
    for f in range(tree.heads.shape[1]):
        if tree.heads[o, f] >= 0:
            free_list(tree, o, f)
    tree.observer_next[o] = tree.cursor[OBSERVER_FREE]
    tree.cursor[OBSERVER_FREE] = o
    tree.cursor[OBSERVERS_USED] -= 1
    tree.links[s, OBSERVER] = -1
    tree.links[s, SEARCH] = -1


@kernel(**INSIDE)
def take_classifiers(tree, s):
    """Give leaf ``s`` an empty window and bags of zero weights."""
    cursor = tree.cursor
    c = cursor[LEAF_FREE]
    if c >= 0:
        cursor[LEAF_FREE] = tree.leaf_next[c]
        tree.weights[c, : columns_used(tree)] = 0.0
        tree.intercepts[c] = 0.0
    else:
        c = cursor[LEAF_TOP]
        cursor[LEAF_TOP] += 1
    cursor[LEAVES_USED] += 1
    tree.links[s, LEAF] = c
    tree.links[s, FILLED] = tree.links[s, NEXT] = 0


@kernel(**INSIDE)
def free_classifiers(tree, s):
    """Take the window and the bags from leaf ``s``."""
    c = tree.links[s, LEAF]
    tree.leaf_next[c] = tree.cursor[LEAF_FREE]
    tree.cursor[LEAF_FREE] = c
    tree.cursor[LEAVES_USED] -= 1
    tree.links[s, LEAF] = -1


@kernel(**INNER)
def copy_row(row, to):
    """Copy a row of numbers: an assignment of arrays compiles the message that their lengths differ, too."""
    for j in range(row.shape[0]):
        to[j] = row[j]


@kernel(**INNER)
def copy_weights(weights, to, n):
    """Copy ``n`` columns' weights (float64 [columns, .]) to zeros; what no row has had takes no memory there either."""
    for i in range(n):
        written = False
        for j in range(weights.shape[1]):
            written |= weights[i, j] != 0.0
        if written:
            for j in range(weights.shape[1]):
                to[i, j] = weights[i, j]


@kernel(**INSIDE)
def keep_regressions(tree, s):
    """Give node ``s``, a leaf that becomes a branch of a hedged tree, a copy of its bags to keep."""
    cursor = tree.kept_cursor
    k = cursor[KEPT_FREE]
    if k >= 0:
        cursor[KEPT_FREE] = tree.kept_next[k]
        tree.kept_weights[k, : columns_used(tree)] = 0.0
    else:
        k = cursor[KEPT_TOP]
        cursor[KEPT_TOP] += 1
    cursor[KEPT_USED] += 1
    copy_weights(tree.weights[tree.links[s, LEAF]], tree.kept_weights[k], columns_used(tree))
    copy_row(tree.intercepts[tree.links[s, LEAF]], tree.kept_intercepts[k])
    tree.kept_slots[s, 0] = k


@kernel(**INSIDE)
def free_kept(tree, s):
    """Take the kept regressions from branch ``s``, if it has any."""
    if tree.kept_slots.shape[1] == 0 or tree.kept_slots[s, 0] < 0:
        return
    k, cursor = tree.kept_slots[s, 0], tree.kept_cursor
    tree.kept_next[k] = cursor[KEPT_FREE]
    cursor[KEPT_FREE] = k
    cursor[KEPT_USED] -= 1
    tree.kept_slots[s, 0] = -1


@kernel
def new_leaf(tree, parent, depth, background, max_depth, off):
    """Return a new leaf that has seen nothing; its probabilities at birth are zero."""
    cursor, links = tree.cursor, tree.links
    s = cursor[NODE_FREE]
    if s >= 0:
        cursor[NODE_FREE] = links[s, LEFT]
    else:
        s = cursor[NODE_TOP]
        cursor[NODE_TOP] += 1
    cursor[NODES_USED] += 1
    links[s] = -1
    tree.values[s] = 0.0
    tree.counts[s] = 0.0
    tree.born[s] = 0.0
    tree.expert_losses[s] = 0.0
    tree.kept_slots[s] = -1
    links[s, ID] = cursor[NEXT_ID]
    cursor[NEXT_ID] += 1
    links[s, PARENT] = parent
    links[s, DEPTH] = depth
    links[s, BACKGROUND] = background
    links[s, NOMINAL] = links[s, OFF] = links[s, N_SETS] = links[s, INHERITED] = 0
    links[s, N_HISTORY] = links[s, N_ROWS] = links[s, HISTORY_LEFT] = 0
    links[s, BORN] = links[s, LAST] = cursor[POSITION]
    clear_detectors(tree, s)
    take_classifiers(tree, s)
    if off:
        links[s, OFF] = 1
    elif depth < max_depth and depth < DEEPEST:
        take_observer(tree, s)
    return s


@kernel(**INSIDE)
def clear_detectors(tree, s):
    """Empty the two detectors of node ``s``."""
    for d in range(2 * s, 2 * s + 2):
        tree.filled[d] = 0
        tree.adwin[d] = 0.0
        tree.changed[d] = 0


@kernel(**INSIDE)
def free_subtree(tree, s):
    """Give back a node and all below it, alternates too; return the number of nodes without those of alternates."""
    links, cursor = tree.links, tree.cursor
    stack = np.empty(cursor[NODES_USED] + 2, np.int64)
    stack[0] = s
    depth = 1
    lost = 0
    while depth > 0:
        depth -= 1
        at = stack[depth]
        lost += links[at, BACKGROUND] == links[s, BACKGROUND]
        if links[at, LEAF] >= 0:
            free_observer(tree, at)
            free_classifiers(tree, at)
        else:
            free_kept(tree, at)
            stack[depth], stack[depth + 1] = links[at, LEFT], links[at, RIGHT]
            depth += 2
            if links[at, ALTERNATE] >= 0:
                stack[depth] = links[at, ALTERNATE]
                depth += 1
        links[at, ID] = links[at, LEAF] = -1
        links[at, LEFT] = cursor[NODE_FREE]
        cursor[NODE_FREE] = at
        cursor[NODES_USED] -= 1
    return lost


@kernel(**INSIDE)
def bring_forward(tree, s):
    """Move a background subtree to the foreground; return the number of its nodes."""
    links = tree.links
    stack = np.empty(tree.cursor[NODES_USED] + 2, np.int64)
    stack[0] = s
    depth, gained = 1, 0
    while depth > 0:
        depth -= 1
        at = stack[depth]
        links[at, BACKGROUND] = 0
        gained += 1
        if links[at, LEAF] < 0:
            stack[depth], stack[depth + 1] = links[at, LEFT], links[at, RIGHT]
            depth += 2
    return gained
