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

from typing import Any

import numpy as np

from streamlab.kernels import kernel


def record(kind: type, *names: str) -> np.dtype:
    """Return the dtype of a record whose fields are all of one kind, in this order."""
    fields = np.dtype([(name, kind) for each in names for name in each.split()], align=True)
    return np.dtype((np.record, fields))


RECORDS = {
    # slots of nodes where nothing else is said, -1 for none
    "links": record(
        np.int64,
        "id parent left right alternate of feature nominal depth leaf observer",
        "background off n_sets born last filled next inherited",
        "search best second last_best last_second n_history n_rows history_left",
    ),
    "values": record(
        np.float64,
        "threshold weight recent since error_sum error_weight born_error",
        "best_gain best_point second_gain last_gain last_point last_second_gain history_sum trained",
    ),
    # weight, mean and centred square sum of the values other than 0; weight of missing; range
    "stats": record(np.float64, "n mean spread missing low high"),
    # number of values that are listed, weight of what is neither missing nor zero, weight of missing
    "outlines": record(np.float64, "listed amount absent"),
    "cursor": record(
        np.int64,
        "node_top node_free leaf_top leaf_free observer_top observer_free pool_top pool_free",
        "nodes_used leaves_used observers_used pool_used sets_used pairs_used",
        "next_id root position n_events limited n_splits n_started n_promoted n_pruned",
        "want_nodes want_leaves want_observers want_pool want_pairs want_events",
    ),
    # of a branch its own answer and the answer from below, of a leaf neighbours and bags
    "expert_losses": record(np.float64, "first second"),
    "kept_cursor": record(np.int64, "kept_top kept_free kept_used want_kept"),
    # places in use, number wanted, whether the bound of memory allows no further ones
    "place_cursor": record(np.int64, "places want_places full"),
}
"""Arrays whose last axis is a record: its fields, all of one kind. A state has them as plain arrays."""


def records(name: str, plain: np.ndarray) -> Any:
    """Return a plain array of this name as the records that it holds, in the same memory; one without any has none."""
    kind = RECORDS[name]
    if not plain.shape[-1]:
        return np.zeros(0, kind)
    if plain.strides[-1] != plain.itemsize:
        # as a state may have it
        plain = np.ascontiguousarray(plain)
    found = plain.view(kind)
    return found[..., 0] if found.ndim > 1 else found


def column(name: str, *fields: str) -> Any:
    """Return the column of a field in the plain array of this name; of several fields a tuple."""
    found = tuple(RECORDS[name].names.index(field) for field in fields)  # type: ignore[union-attr]
    return found if len(found) > 1 else found[0]


# of an observer's list: the feature has had more distinct values than are kept exactly
OVERFLOWN = -2
# the value under which the pool counts the missing values of a nominal feature
GONE = -1.0
EXACT_VALUES = 16
HISTORY, HISTORY_MEANS, ROWS = 50, 64, 20
DEEPEST = 200
# number of instances after which the recent weight of a node halves
RECENT_HALF_LIFE = 1000.0


@kernel(inner=True)
def columns_used(tree):
    """Return how many columns of the linear models may be other than 0; those of places in reserve are the last."""
    if tree.place_of.shape[0] == 0:
        return tree.weights.shape[1]
    return tree.weights.shape[1] - (tree.column_of.shape[0] - tree.place_cursor[0].places)


@kernel(inner=True)
def clear_moments(tree, o):
    """Make the moments of observer ``o`` zeros; in a compact tree only those that are not, which are few."""
    stats = tree.plain_stats[o]
    if tree.place_of.shape[0] == 0:
        stats[:] = 0.0
        return
    for f in range(tree.place_cursor[0].places):
        place = tree.numeric[f]
        if place >= 0 and (tree.outlines[o, f].amount != 0.0 or tree.outlines[o, f].absent != 0.0):
            stats[place] = 0.0


@kernel
def take_pool_row(tree, value):
    """Return a row of the pool for a value, with its counts at zero."""
    cursor = tree.cursor[0]
    p = cursor.pool_free
    if p >= 0:
        cursor.pool_free = tree.pool_next[p]
    else:
        p = cursor.pool_top
        cursor.pool_top += 1
    cursor.pool_used += 1
    tree.pool_value[p] = value
    tree.pool_next[p] = -1
    for j in range(tree.pool_counts.shape[1]):
        tree.pool_counts[p, j] = 0.0
    return p


@kernel(inner=True)
def free_list(tree, o, f):
    """Give back the pool rows of a feature's list."""
    cursor = tree.cursor[0]
    p = tree.heads[o, f]
    while p >= 0:
        following = tree.pool_next[p]
        tree.pool_next[p] = cursor.pool_free
        cursor.pool_free = p
        cursor.pool_used -= 1
        p = following
    tree.heads[o, f] = -1


@kernel
def take_observer(tree, s):
    """Give leaf ``s`` an empty observer and start a grace period."""
    cursor = tree.cursor[0]
    o = cursor.observer_free
    if o >= 0:
        cursor.observer_free = tree.observer_next[o]
        clear_moments(tree, o)
        tree.heads[o] = -1
        tree.seen[o] = 0.0
        tree.plain_outlines[o] = 0.0
    else:
        # what was never used is empty, and zeros that nobody writes take no memory
        o = cursor.observer_top
        cursor.observer_top += 1
    cursor.observers_used += 1
    tree.links[s].observer = o
    tree.links[s].search = -1
    tree.values[s].since = 0.0


@kernel
def free_observer(tree, s):
    """Take the observer from leaf ``s``, if it has one: the leaf no longer grows."""
    o = tree.links[s].observer
    if o < 0:
        return
    for f in range(tree.heads.shape[1]):
        if tree.heads[o, f] >= 0:
            free_list(tree, o, f)
    tree.observer_next[o] = tree.cursor[0].observer_free
    tree.cursor[0].observer_free = o
    tree.cursor[0].observers_used -= 1
    tree.links[s].observer = -1
    tree.links[s].search = -1


@kernel(inner=True)
def take_classifiers(tree, s):
    """Give leaf ``s`` an empty window and bags of zero weights."""
    cursor = tree.cursor[0]
    c = cursor.leaf_free
    if c >= 0:
        cursor.leaf_free = tree.leaf_next[c]
        tree.weights[c, : columns_used(tree)] = 0.0
        tree.intercepts[c] = 0.0
    else:
        c = cursor.leaf_top
        cursor.leaf_top += 1
    cursor.leaves_used += 1
    tree.links[s].leaf = c
    tree.links[s].filled = tree.links[s].next = 0


@kernel(inner=True)
def free_classifiers(tree, s):
    """Take the window and the bags from leaf ``s``."""
    c = tree.links[s].leaf
    tree.leaf_next[c] = tree.cursor[0].leaf_free
    tree.cursor[0].leaf_free = c
    tree.cursor[0].leaves_used -= 1
    tree.links[s].leaf = -1


@kernel(inner=True)
def copy_row(row, to):
    """Copy a row of numbers: an assignment of arrays compiles the message that their lengths differ, too."""
    for j in range(row.shape[0]):
        to[j] = row[j]


@kernel(inner=True)
def copy_weights(weights, to, n):
    """Copy ``n`` columns' weights (float64 [columns, .]) to zeros; what no row has had takes no memory there either."""
    for i in range(n):
        written = False
        for j in range(weights.shape[1]):
            written |= weights[i, j] != 0.0
        if written:
            for j in range(weights.shape[1]):
                to[i, j] = weights[i, j]


@kernel(inner=True)
def keep_regressions(tree, s):
    """Give node ``s``, a leaf that becomes a branch of a hedged tree, a copy of its bags to keep."""
    cursor = tree.kept_cursor[0]
    k = cursor.kept_free
    if k >= 0:
        cursor.kept_free = tree.kept_next[k]
        tree.kept_weights[k, : columns_used(tree)] = 0.0
    else:
        k = cursor.kept_top
        cursor.kept_top += 1
    cursor.kept_used += 1
    copy_weights(tree.weights[tree.links[s].leaf], tree.kept_weights[k], columns_used(tree))
    copy_row(tree.intercepts[tree.links[s].leaf], tree.kept_intercepts[k])
    tree.kept_slots[s, 0] = k


@kernel(inner=True)
def free_kept(tree, s):
    """Take the kept regressions from branch ``s``, if it has any."""
    if tree.kept_slots.shape[1] == 0 or tree.kept_slots[s, 0] < 0:
        return
    k, cursor = tree.kept_slots[s, 0], tree.kept_cursor[0]
    tree.kept_next[k] = cursor.kept_free
    cursor.kept_free = k
    cursor.kept_used -= 1
    tree.kept_slots[s, 0] = -1


@kernel
def new_leaf(tree, parent, depth, background, max_depth, off):
    """Return a new leaf that has seen nothing; its probabilities at birth are zero."""
    cursor, links = tree.cursor[0], tree.links
    s = cursor.node_free
    if s >= 0:
        cursor.node_free = links[s].left
    else:
        s = cursor.node_top
        cursor.node_top += 1
    cursor.nodes_used += 1
    tree.plain_links[s] = -1
    tree.plain_values[s] = 0.0
    tree.counts[s] = 0.0
    tree.born[s] = 0.0
    tree.plain_expert_losses[s] = 0.0
    tree.kept_slots[s] = -1
    links[s].id = cursor.next_id
    cursor.next_id += 1
    links[s].parent = parent
    links[s].depth = depth
    links[s].background = background
    links[s].nominal = links[s].off = links[s].n_sets = links[s].inherited = 0
    links[s].n_history = links[s].n_rows = links[s].history_left = 0
    links[s].born = links[s].last = cursor.position
    clear_detectors(tree, s)
    take_classifiers(tree, s)
    if off:
        links[s].off = 1
    elif depth < max_depth and depth < DEEPEST:
        take_observer(tree, s)
    return s


@kernel(inner=True)
def clear_detectors(tree, s):
    """Empty the two detectors of node ``s``."""
    for d in range(2 * s, 2 * s + 2):
        tree.filled[d] = 0
        tree.adwin[d] = 0.0
        tree.changed[d] = 0


@kernel(inner=True, arrays=True)
def free_subtree(tree, s):
    """Give back a node and all below it, alternates too; return the number of nodes without those of alternates."""
    links, cursor = tree.links, tree.cursor[0]
    stack = np.empty(cursor.nodes_used + 2, np.int64)
    stack[0] = s
    depth = 1
    lost = 0
    while depth > 0:
        depth -= 1
        at = stack[depth]
        lost += links[at].background == links[s].background
        if links[at].leaf >= 0:
            free_observer(tree, at)
            free_classifiers(tree, at)
        else:
            free_kept(tree, at)
            stack[depth], stack[depth + 1] = links[at].left, links[at].right
            depth += 2
            if links[at].alternate >= 0:
                stack[depth] = links[at].alternate
                depth += 1
        links[at].id = links[at].leaf = -1
        links[at].left = cursor.node_free
        cursor.node_free = at
        cursor.nodes_used -= 1
    return lost


@kernel(inner=True, arrays=True)
def bring_forward(tree, s):
    """Move a background subtree to the foreground; return the number of its nodes."""
    links = tree.links
    stack = np.empty(tree.cursor[0].nodes_used + 2, np.int64)
    stack[0] = s
    depth, gained = 1, 0
    while depth > 0:
        depth -= 1
        at = stack[depth]
        links[at].background = 0
        gained += 1
        if links[at].leaf < 0:
            stack[depth], stack[depth + 1] = links[at].left, links[at].right
            depth += 2
    return gained
