"""SMART over arrays: find the path of an instance through every tree, read the last node, add to all of them.

An arena of slots holds the nodes that some instance has reached; slot 0 is the null node, whose children are itself,
so that a path needs no branch: it ends in zeros. One row of each of these arrays is one slot:

``nodes``  uint32 [capacity, 8]: the bytes of lower and upper bound of the test (two float64), then feature,
           left child, right child, parent. An instance goes right if ``lower < x <= upper``: (threshold, inf] for a
           numeric feature, (c - ½, c + ½] for category c of a nominal one. 32 bytes: two nodes to a cache line.
``bounds`` the same memory as float64: columns 0 and 1 are the bounds.
``sums``   float64 [capacity, 4 + columns]: weight, label-set sizes, instances ever seen, time of the last update, then
           one sum for each label. Weight, sizes and label sums are relative to the landmark (forward fading). Of many
           labels only those seen have a column (``label_columns``).
``place``  int64 [capacity, 3]: tree, heap index in the tree (root 0, children of i are 2i+1 and 2i+2), id.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from streamlab.kernels import kernel
from streamlab.learners.base._decisions import choose_highest
from streamlab.learners.base._kernels import GOLDEN, mix, share_left, unit
from streamlab.learners.base._sparse_kernels import row_at, value_at

# columns of ``nodes``; the bounds are columns 0 and 1 of its view as float64
FEATURE, LEFT, RIGHT, PARENT = 4, 5, 6, 7
# columns of ``sums``
WEIGHT, SIZES, SEEN, LAST, COUNTS = 0, 1, 2, 3, 4
# columns of ``place``
TREE, HEAP, ID = 0, 1, 2
# entries of ``cursor``
TOP, FREE, NEXT_ID, N_FREE = 0, 1, 2, 3

EMPTY_WEIGHT = 1e-12
MAX_WEIGHT = 2.0**256


@intrinsic
def count_in(typingctx, sums, s, weight, sizes, timestamp):
    """Add an instance to the first four columns of ``sums[s]``, in one register: numba would store each by itself."""

    def generate(context, builder, signature, arguments):
        kind, number = signature.args[0], ir.DoubleType()
        array = context.make_array(kind)(context, builder, arguments[0])
        row = context.cast(builder, arguments[1], signature.args[1], types.intp)
        first = cgutils.get_item_pointer(context, builder, kind, array, [row, context.get_constant(types.intp, WEIGHT)])
        four = ir.VectorType(number, COUNTS)
        place, added = builder.bitcast(first, four.as_pointer()), ir.Constant(four, ir.Undefined)
        for column, value in enumerate((*arguments[2:4], number(1.0), number(0.0))):
            added = builder.insert_element(added, value, ir.IntType(32)(column))
        total = builder.fadd(builder.load(place, align=8), added)
        builder.store(builder.insert_element(total, arguments[4], ir.IntType(32)(LAST)), place, align=8)
        return context.get_dummy_value()

    return types.void(sums, s, types.float64, types.float64, types.float64), generate


@kernel(inner=True)
def _draw_test(seed, tree, heap, low, high, n_categories):
    """Return the test of (tree, heap index) as (feature, lower, upper): a pure function of its arguments."""
    z = mix(np.uint64(seed) + GOLDEN)
    z = mix(z + np.uint64(tree + 1) * GOLDEN)
    z = mix(z + np.uint64(heap + 1) * GOLDEN)
    n_features = low.shape[0]
    feature = min(np.int64(unit(z) * n_features), n_features - 1)
    u = unit(mix(z + GOLDEN))
    if n_categories[feature] > 0:
        category = min(np.int64(u * n_categories[feature]), n_categories[feature] - 1)
        return feature, category - 0.5, category + 0.5
    return feature, low[feature] + u * (high[feature] - low[feature]), np.inf


@kernel(inner=True)
def _goes_right(x, s, nodes, bounds, sums, empty):
    """Return which way ``x`` goes at slot ``s``, 0 or 1; a missing value goes to the heavier child, or left."""
    v = value_at(x, nodes[s, FEATURE])
    if np.isnan(v):
        left, right = sums[nodes[s, LEFT], WEIGHT], sums[nodes[s, RIGHT], WEIGHT]
        if right < empty:
            return 0
        return 1 if left < empty or right > left else 0
    return 1 if (v > bounds[s, 0]) & (v <= bounds[s, 1]) else 0


@kernel
def find_paths(X, missing, n_categories, roots, height, nodes, bounds, sums, empty, path):
    """Fill ``path`` (uint32 [rows, trees, height]) with the slots that each row passes, 0 from where there is none."""
    n, n_trees = X.shape[0], roots.shape[0]
    any_nominal = False
    for j in range(n_categories.shape[0]):
        any_nominal |= n_categories[j] > 0
    for i in range(n):
        x = X[i]
        for t in range(n_trees):
            path[i, t, 0] = roots[t]
        if missing[i]:
            for h in range(1, height):
                for t in range(n_trees):
                    s = path[i, t, h - 1]
                    path[i, t, h] = nodes[s, LEFT + _goes_right(x, s, nodes, bounds, sums, empty)]
            continue
        # level by level over all trees: twenty independent loads are under way at once instead of one
        for h in range(1, height):
            for t in range(n_trees):
                s = path[i, t, h - 1]
                v = x[nodes[s, FEATURE]]
                right = np.uint32(v > bounds[s, 0])
                # the upper bound of a number is infinite: a read less, of six
                if any_nominal:
                    right &= np.uint32(v <= bounds[s, 1])
                path[i, t, h] = nodes[s, np.uint32(LEFT) + right]


@kernel
def find_paths_of_rows(X, missing, scratch, roots, height, nodes, bounds, sums, empty, path):
    """Fill ``path`` as ``find_paths`` does, for sparse rows (``SparseRows.arrays``).

    ``scratch`` float64 [features] holds zeros, before and after: a row is unfolded into it.
    """
    indptr, indices, data = X
    n, n_trees = indptr.shape[0] - 1, roots.shape[0]
    for i in range(n):
        for t in range(n_trees):
            path[i, t, 0] = roots[t]
        if missing[i]:
            x = row_at(X, i)
            for h in range(1, height):
                for t in range(n_trees):
                    s = path[i, t, h - 1]
                    path[i, t, h] = nodes[s, LEFT + _goes_right(x, s, nodes, bounds, sums, empty)]
            continue
        for p in range(indptr[i], indptr[i + 1]):
            scratch[indices[p]] = data[p]
        for h in range(1, height):
            for t in range(n_trees):
                s = path[i, t, h - 1]
                v = scratch[nodes[s, FEATURE]]
                right = np.uint32((v > bounds[s, 0]) & (v <= bounds[s, 1]))
                path[i, t, h] = nodes[s, np.uint32(LEFT) + right]
        for p in range(indptr[i], indptr[i + 1]):
            scratch[indices[p]] = 0.0


@kernel(arrays=True, error_model="numpy")
def predict(path, sums, label_of, empty, scores, labels):
    """Write scores (float64) and labels (uint8), both [rows, labels], from the last non-empty nodes: figures 3, 4.

    ``label_of`` (int64) is the label that each column of the sums counts, or -1; empty: column j counts label j.
    """
    n, n_trees, height = path.shape
    n_labels = scores.shape[1]
    n_columns = sums.shape[1] - COUNTS
    moved = label_of.shape[0] > 0
    counted = np.empty(n_columns if moved else 0)
    # of whole fours: what is not a tree, and a tree that abstains, adds nothing of the null node
    leaves, parts = np.zeros(-(-n_trees // 4) * 4, np.uint32), np.zeros(-(-n_trees // 4) * 4)
    for i in range(n):
        size = 0.0
        answered = 0
        for t in range(n_trees):
            h = height - 1
            while h >= 0 and (path[i, t, h] == 0 or sums[path[i, t, h], WEIGHT] < empty):
                h -= 1
            s = path[i, t, h] if h >= 0 else np.uint32(0)
            leaves[t], parts[t] = s, 0.0
            if h >= 0:
                parts[t] = 1.0 / sums[s, WEIGHT]
                size += sums[s, SIZES] * parts[t]
                answered += 1
        shares = counted if moved else scores[i]
        for j in range(n_labels):
            scores[i, j] = 0.0
            labels[i, j] = 0
        for j in range(counted.shape[0]):
            counted[j] = 0.0
        if answered == 0:
            continue
        for t in range(0, n_trees, 4):
            _add_shares(
                sums[leaves[t], COUNTS:], sums[leaves[t + 1], COUNTS:], sums[leaves[t + 2], COUNTS:],
                sums[leaves[t + 3], COUNTS:], parts[t : t + 4], shares,
            )  # fmt: skip
        share = 1.0 / answered
        for j in range(n_columns):
            if not moved:
                shares[j] *= share
            elif label_of[j] >= 0:
                scores[i, label_of[j]] = shares[j] * share
        choose_highest(scores[i], min(n_labels, int(np.floor(size * share + 0.5))), labels[i])


@kernel(inner=True, apart=True)
def _add_shares(a, b, c, d, parts, shares):
    """Add to ``shares`` those of four nodes, one after the other."""
    for j in range(shares.shape[0]):
        shares[j] = shares[j] + a[j] * parts[0] + b[j] * parts[1] + c[j] * parts[2] + d[j] * parts[3]


@kernel(inner=True)
def _new_slot(cursor, nodes, bounds, sums, place, parent, tree, heap, seed, low, high, n_categories):
    """Take a slot from the free list or the top, with its test drawn and its sums at zero."""
    s = cursor[FREE]
    if s != 0:
        cursor[FREE] = nodes[s, LEFT]
        cursor[N_FREE] -= 1
    else:
        s = cursor[TOP]
        cursor[TOP] += 1
    feature, lower, upper = _draw_test(seed, tree, heap, low, high, n_categories)
    bounds[s, 0], bounds[s, 1] = lower, upper
    nodes[s, FEATURE] = feature
    nodes[s, LEFT] = nodes[s, RIGHT] = 0
    nodes[s, PARENT] = parent
    for j in range(sums.shape[1]):
        sums[s, j] = 0.0
    place[s, TREE], place[s, HEAP], place[s, ID] = tree, heap, cursor[NEXT_ID]
    cursor[NEXT_ID] += 1
    return s


@kernel
def rescale(sums, top, factor):
    """Multiply every faded sum by ``factor``; instances seen and the time of the last update stay."""
    for s in range(1, top):
        sums[s, WEIGHT] *= factor
        sums[s, SIZES] *= factor
        for j in range(COUNTS, sums.shape[1]):
            sums[s, j] *= factor


@kernel(arrays=True)
def add(
    X, Y, missing, timestamps, first, path, roots, height, nodes, bounds, sums, column_of, place, cursor, clock,
    half_life, seed, low, high, n_categories,
):  # fmt: skip
    """Learn the rows from ``first`` on, by figures 1 and 2 with forward fading; return the row that comes next.

    ``X`` is an array or sparse rows (``SparseRows.arrays``); ``path`` as ``find_paths`` left it for these rows;
    ``timestamps`` int64 [rows], their times; ``column_of`` (int64) the column of each label, empty: its own number.
    ``clock`` (float64 [2]) is the landmark and the time now. Costs trees x height x (2 + labels present) additions a
    row. It stops early where the landmark has to move, and where the free slots may not suffice for the nodes that the
    paths lack. If it returns ``first`` itself, make room, and find the paths again if that freed any node.
    """
    n, n_labels = Y.shape
    n_trees = roots.shape[0]
    if share_left(clock[0] - timestamps[first], half_life) > MAX_WEIGHT:
        rescale(sums, cursor[TOP], share_left(timestamps[first] - clock[0], half_life))
        clock[0] = timestamps[first]

    free = nodes.shape[0] - cursor[TOP] + cursor[N_FREE]
    weights = np.empty(n - first)
    starts = np.empty(n - first + 1, np.int64)
    moved = column_of.shape[0] > 0
    n_present = (n - first) * n_labels
    if moved:
        n_present = 0
        for i in range(first, n):
            for j in range(n_labels):
                n_present += Y[i, j] != 0
    present = np.empty(n_present, np.uint32)
    starts[0] = 0
    stop = first
    while stop < n:
        lacking = 0
        if missing[stop]:
            lacking = n_trees * height
        else:
            for t in range(n_trees):
                h = height
                while h > 0 and path[stop, t, h - 1] == 0:
                    h -= 1
                if first > 0:
                    # some of what it lacked may have been made for the rows before
                    h = _go_on(row_at(X, stop), h, path[stop, t], roots[t], nodes, bounds, sums)
                lacking += height - h
        r = stop - first
        weights[r] = share_left(clock[0] - timestamps[stop], half_life)
        if lacking > free or weights[r] > MAX_WEIGHT:
            break
        free -= lacking
        at = starts[r]
        for j in range(n_labels):
            if Y[stop, j]:
                present[at] = COUNTS + (column_of[j] if moved else j)
                at += 1
        starts[r + 1] = at
        stop += 1

    # tree by tree over all rows: the nodes that most rows pass stay in the nearest cache
    for t in range(n_trees):
        for i in range(first, stop):
            weight = weights[i - first]
            empty = EMPTY_WEIGHT * weight
            begin, end = starts[i - first], starts[i - first + 1]
            sizes = weight * (end - begin)
            timestamp = np.float64(timestamps[i])
            if missing[i] or path[i, t, height - 1] == 0:
                _follow(
                    row_at(X, i), i, t, missing[i], path, roots, nodes, bounds, sums, place, cursor, empty, seed, low,
                    high, n_categories,
                )  # fmt: skip
            # a node weighs at least as much as its children: where the last is not empty, none is
            if sums[path[i, t, height - 1], WEIGHT] < empty:
                for h in range(height):
                    s = path[i, t, h]
                    if sums[s, WEIGHT] < empty and sums[s, SEEN] > 0.0:
                        # it had faded away and comes back as a new node
                        for j in range(sums.shape[1]):
                            sums[s, j] = 0.0
                        place[s, ID] = cursor[NEXT_ID]
                        cursor[NEXT_ID] += 1
            for h in range(height):
                count_in(sums, path[i, t, h], weight, sizes, timestamp)
            # label by label: a loop over few labels in the one above would end at another place with each row
            for j in range(begin, end):
                column = present[j]
                for h in range(height):
                    sums[path[i, t, h], column] += weight
    if stop > first:
        clock[1] = timestamps[stop - 1]
    return stop


@kernel(arrays=True)
def answer_row_by_row(
    X, Y, missing, timestamps, empties, first, path, label_of, scores, labels, roots, height, nodes, bounds, sums,
    column_of, place, cursor, clock, half_life, seed, low, high, n_categories,
):  # fmt: skip
    """Answer each row from ``first`` on, then learn it: ``find_paths``, ``predict``, ``add``; return what is next.

    ``empties`` (float64 [rows]) says under which weight nodes are empty for each row; ``path`` is of one row. It stops
    where the landmark has moved, as the empty weight is another then; where there is no room to learn row i, which
    has its answer, it returns -1 - i.
    """
    landmark = clock[0]
    for i in range(first, X.shape[0]):
        x, y, gap, time = X[i : i + 1], Y[i : i + 1], missing[i : i + 1], timestamps[i : i + 1]
        find_paths(x, gap, n_categories, roots, height, nodes, bounds, sums, empties[i], path)
        predict(path, sums, label_of, empties[i], scores[i : i + 1], labels[i : i + 1])
        if not add(
            x, y, gap, time, 0, path, roots, height, nodes, bounds, sums, column_of, place, cursor, clock, half_life,
            seed, low, high, n_categories,
        ):  # fmt: skip
            return -1 - i
        if clock[0] != landmark:
            return i + 1
    return X.shape[0]


@kernel(inner=True)
def _go_on(x, h, slots, root, nodes, bounds, sums):
    """Complete the path of a row without gaps from level ``h`` on, as far as there are nodes; return where it ends."""
    while h < slots.shape[0]:
        s = root
        if h > 0:
            parent = slots[h - 1]
            s = nodes[parent, LEFT + _goes_right(x, parent, nodes, bounds, sums, 0.0)]
        if s == 0:
            break
        slots[h] = s
        h += 1
    return h


@kernel(inner=True)
def _follow(
    x, i, t, rerouted, path, roots, nodes, bounds, sums, place, cursor, empty, seed, low, high, n_categories
):  # fmt: skip
    """Complete the path of row ``i`` in tree ``t`` as it is now, making the nodes that it lacks.

    ``rerouted``: the row has missing values, whose way depends on weights; find it again from the root.
    """
    height = path.shape[2]
    if roots[t] == 0:
        roots[t] = _new_slot(cursor, nodes, bounds, sums, place, np.uint32(0), t, 0, seed, low, high, n_categories)
    path[i, t, 0] = roots[t]
    for h in range(1, height):
        if path[i, t, h] != 0 and not rerouted:
            continue
        parent = path[i, t, h - 1]
        right = _goes_right(x, parent, nodes, bounds, sums, empty)
        if nodes[parent, LEFT + right] == 0:
            heap = 2 * place[parent, HEAP] + 1 + right
            nodes[parent, LEFT + right] = _new_slot(
                cursor, nodes, bounds, sums, place, parent, t, heap, seed, low, high, n_categories
            )
        path[i, t, h] = nodes[parent, LEFT + right]


@kernel
def free_dead(nodes, sums, place, roots, cursor, empty):
    """Give the slots of empty nodes back to the free list; return how many are in use.

    A node weighs at least as much as its children, so no living node is cut off.
    """
    in_use = 0
    cursor[FREE] = cursor[N_FREE] = 0
    for t in range(roots.shape[0]):
        if sums[roots[t], WEIGHT] < empty:
            roots[t] = 0
    for s in range(cursor[TOP] - 1, 0, -1):
        if sums[s, WEIGHT] < empty or place[s, TREE] < 0:
            parent = nodes[s, PARENT]
            for side in (LEFT, RIGHT):
                if nodes[parent, side] == s:
                    nodes[parent, side] = 0
            sums[s, :] = 0.0
            place[s, :] = -1
            nodes[s, LEFT] = cursor[FREE]
            nodes[s, RIGHT] = 0
            cursor[FREE] = s
            cursor[N_FREE] += 1
        else:
            in_use += 1
    return in_use


@kernel
def list_nodes(nodes, sums, roots, height, empty, min_share, slots):
    """Fill ``slots`` (int64) with the nodes that are not empty, by tree, level and place; return how many there are.

    Left out: the levels from ``height`` on, and nodes with less than ``min_share`` of their tree's weight. A node
    weighs at least as much as its children, so that what is left out is never entered: a picture of the widest few of
    half a million nodes reads those few. ``slots`` has a place for every slot in use.
    """
    count = 0
    for t in range(roots.shape[0]):
        root = np.int64(roots[t])
        least = max(empty, min_share * sums[root, WEIGHT])
        if root == 0 or sums[root, WEIGHT] < least:
            continue
        begin, slots[count] = count, root
        count += 1
        for _ in range(1, height):
            end = count
            for at in range(begin, end):
                for side in (LEFT, RIGHT):
                    child = np.int64(nodes[slots[at], side])
                    if child != 0 and sums[child, WEIGHT] >= least:
                        slots[count] = child
                        count += 1
            begin = end
    return count


@kernel
def wipe(nodes, sums, place, cursor, n_trees, height):
    """Empty the nodes of the trees from ``n_trees`` on and of the levels from ``height`` on, for ``free_dead``."""
    first_below = (np.int64(1) << height) - 1
    for s in range(1, cursor[TOP]):
        if place[s, TREE] >= n_trees or place[s, HEAP] >= first_below:
            sums[s, :] = 0.0


@kernel(arrays=True)
def merge_into(
    nodes, bounds, sums, place, roots, cursor, factor, other_nodes, other_sums, other_roots, other_factor, seed, low,
    high, n_categories,
):  # fmt: skip
    """Scale both learners' sums by their factors and add the other's to these, making the nodes that are missing.

    The arena must have room for all nodes of the other. Two trees of the same seed have the same tests, so only
    children pointers are followed.
    """
    rescale(sums, cursor[TOP], factor)
    n_columns = other_sums.shape[1]
    stack = np.empty((other_nodes.shape[0] + 1, 2), np.int64)
    for t in range(other_roots.shape[0]):
        if other_roots[t] == 0:
            continue
        if roots[t] == 0:
            roots[t] = _new_slot(cursor, nodes, bounds, sums, place, np.uint32(0), t, 0, seed, low, high, n_categories)
        stack[0, 0], stack[0, 1] = roots[t], other_roots[t]
        depth = 1
        while depth > 0:
            depth -= 1
            mine, theirs = stack[depth, 0], stack[depth, 1]
            for j in range(n_columns):
                if j == SEEN:
                    sums[mine, j] += other_sums[theirs, j]
                elif j == LAST:
                    sums[mine, j] = max(sums[mine, j], other_sums[theirs, j])
                else:
                    sums[mine, j] += other_sums[theirs, j] * other_factor
            for side in range(2):
                theirs_child = other_nodes[theirs, LEFT + side]
                if theirs_child == 0:
                    continue
                if nodes[mine, LEFT + side] == 0:
                    heap = 2 * place[mine, HEAP] + 1 + side
                    nodes[mine, LEFT + side] = _new_slot(
                        cursor, nodes, bounds, sums, place, np.uint32(mine), t, heap, seed, low, high, n_categories
                    )
                stack[depth, 0], stack[depth, 1] = nodes[mine, LEFT + side], theirs_child
                depth += 1
