"""MLHAT over arrays: find an instance's leaves, combine their answers, learn it in every node on the way."""

from __future__ import annotations

import math

import numpy as np

from streamlab.detectors._adwin import insert, shrink
from streamlab.kernels import kernel
from streamlab.learners.mlhat._arena import (
    ALTERNATE,
    BACKGROUND,
    BEST,
    BEST_GAIN,
    BEST_POINT,
    BORN,
    BORN_ERROR,
    DEEPEST,
    DEPTH,
    ERROR_SUM,
    ERROR_WEIGHT,
    FEATURE,
    FILLED,
    HISTORY,
    HISTORY_LEFT,
    HISTORY_MEANS,
    HISTORY_SUM,
    ID,
    INHERITED,
    LAST,
    LAST_BEST,
    LAST_GAIN,
    LAST_POINT,
    LAST_SECOND,
    LAST_SECOND_GAIN,
    LEAF,
    LEAVES_USED,
    LEFT,
    LIMITED,
    N_EVENTS,
    N_HISTORY,
    N_PROMOTED,
    N_PRUNED,
    N_ROWS,
    N_SETS,
    N_SPLITS,
    N_STARTED,
    NEXT,
    NODE_TOP,
    NODES_USED,
    NOMINAL,
    OBSERVER,
    OBSERVERS_USED,
    OF,
    OFF,
    PAIRS_USED,
    PARENT,
    POOL_USED,
    POSITION,
    RECENT,
    RIGHT,
    ROOT,
    ROWS,
    SEARCH,
    SECOND,
    SECOND_GAIN,
    SETS_USED,
    SINCE,
    THRESHOLD,
    TRAINED,
    WANT_EVENTS,
    WANT_LEAVES,
    WANT_NODES,
    WANT_OBSERVERS,
    WANT_PAIRS,
    WANT_POOL,
    WEIGHT,
    add_pair,
    bring_forward,
    clear_detectors,
    free_classifiers,
    free_observer,
    free_subtree,
    new_leaf,
    note,
    number_of_set,
)
from streamlab.learners.mlhat._classifiers import ask_neighbours, linear_sums, mean_probabilities, remember, step
from streamlab.learners.mlhat._draws import bag_weights, instance_weight
from streamlab.learners.mlhat._statistics import binary_entropy, evaluate, observe, split_shares

__all__ = ["answer", "run"]

# entries of ``settings``
(
    GRACE, DELTA, TAU, ALTERNATE_GRACE, SWITCH, CARDINALITY, ENTROPY, RATE, BOOTSTRAP, NEIGHBORS, LEARNING, INTERCEPT,
    ON_DRIFT, COMBINE, MEASURE, WARNING_DELTA, DRIFT_DELTA, POINTS, LEAST_SHARE, MOST_SHARE, MAX_DEPTH, MAX_BYTES,
    INHERIT, UNITS, NODE_BYTES, LEAF_BYTES, OBSERVER_BYTES, POOL_BYTES, BASE_BYTES, MODELS,
) = range(30)  # fmt: skip
N_SETTINGS = 30

SPLIT, DEACTIVATED, WARNING, DRIFT, STARTED, PROMOTED, PRUNED, MEMORY = range(8)
NONE, MAJORITY, NEIGHBOURS, BAGGING = range(4)
HAMMING, SUBSET, MICRO_F1, MACRO_F1 = range(4)
STRICT = 2.0

# ADWIN as River has it
CLOCK, SHORTEST, ADWIN_GRACE = 32.0, 5.0, 10.0
ADWIN_WIDTH, ADWIN_TOTAL, ADWIN_TICKS = 0, 1, 3
# what an error of 0 counts as in a vote, squared
LEAST_ERROR = 1e-6
# instances after which the recent weight of a node halves
RECENT_HALF_LIFE = 1000.0
# rows of the events' log that one node may write for one instance
EVENTS_PER_NODE = 5


# ---------------------------------------------------------------------- one row


@kernel
def touch(tree, x, touched, columns, inputs):
    """What of a row is not zero: its features (missing ones too), and the inputs of the linear models by column.

    Returns (features, inputs, whether something is missing).
    """
    n_touched, n_inputs, missing = 0, 0, False
    for f in range(x.shape[0]):
        v = x[f]
        if v == 0.0:
            continue
        touched[n_touched] = f
        n_touched += 1
        if math.isnan(v):
            missing = True
        elif tree.numeric[f] >= 0:
            columns[n_inputs] = tree.category_first[f]
            inputs[n_inputs] = v
            n_inputs += 1
        else:
            column = tree.category_column[tree.category_first[f] + np.int64(v)]
            if column >= 0:
                columns[n_inputs] = column
                inputs[n_inputs] = 1.0
                n_inputs += 1
    for i in range(tree.wide.shape[0]):
        f = tree.wide[i]
        if x[f] == 0.0:
            columns[n_inputs] = tree.category_column[tree.category_first[f]]
            inputs[n_inputs] = 1.0
            n_inputs += 1
    return n_touched, n_inputs, missing


@kernel
def child(links, values, s, x):
    """Where ``x`` goes at branch ``s``: left if at most the threshold or of the category; missing: the heavier side."""
    v = x[links[s, FEATURE]]
    if math.isnan(v):
        left, right = links[s, LEFT], links[s, RIGHT]
        return right if values[right, WEIGHT] > values[left, WEIGHT] else left
    if links[s, NOMINAL]:
        return links[s, LEFT] if v == values[s, THRESHOLD] else links[s, RIGHT]
    return links[s, LEFT] if v <= values[s, THRESHOLD] else links[s, RIGHT]


@kernel
def regime_of(tree, s, settings):
    """By which classifier leaf ``s`` answers.

    The weight that counts is what its bags have learned, which for a leaf that inherited them is more than its own;
    while its own is less than the threshold, its label entropy is that of the probabilities it was born with.
    """
    links, values = tree.links, tree.values
    if links[s, INHERITED] == 0:
        if links[s, N_SETS] == 0:
            return NONE
        if links[s, N_SETS] == 1:
            return MAJORITY
    if values[s, TRAINED] < settings[CARDINALITY]:
        return NEIGHBOURS
    weight, counts = values[s, WEIGHT], tree.counts[s]
    if weight < settings[CARDINALITY]:
        weight, counts = 1.0, tree.born[s]
    entropy = 0.0
    for label in range(counts.shape[0]):
        entropy += binary_entropy(counts[label] / weight)
        if entropy >= settings[ENTROPY]:
            return BAGGING
    return NEIGHBOURS


@kernel
def answer_leaf(
    tree, s, x, touched, n_touched, missing, columns, inputs, n_inputs, settings, learns, distances, logits, scores
):
    """Score the labels by leaf ``s``; with ``learns`` leave the sums of its bags for the step to come."""
    regime = regime_of(tree, s, settings)
    if learns or regime == BAGGING:
        c = tree.links[s, LEAF]
        linear_sums(tree.weights[c], tree.intercepts[c], columns, inputs, n_inputs, logits)
    if regime == NONE:
        scores[:] = tree.born[s]
    elif regime == MAJORITY:
        for label in range(scores.shape[0]):
            scores[label] = 1.0 if tree.counts[s, label] > 0.0 else 0.0
    elif regime == NEIGHBOURS:
        ask_neighbours(tree, s, np.int64(settings[NEIGHBORS]), x, touched, n_touched, missing, distances, scores)
    else:
        mean_probabilities(logits[1], np.int64(settings[MODELS]), scores)


@kernel
def loss_of(measure, scores, y):
    """The loss of a leaf's or a subtree's answer to one instance, in [0, 1]."""
    both = either = wrong = 0
    for label in range(y.shape[0]):
        predicted, true = scores[label] > 0.5, y[label] != 0
        both += predicted & true
        either += predicted | true
        wrong += predicted != true
    if wrong == 0:
        return 0.0
    if measure == HAMMING:
        return wrong / y.shape[0]
    if measure == SUBSET:
        return 1.0
    if measure == MICRO_F1:
        return 1.0 - 2.0 * both / (both + either)
    # of one instance, each label that is true or predicted has F1 1 or 0
    return 1.0 - both / either


@kernel
def error_of(values, s):
    """The running error of a node; before it has one, of the leaf that it came from."""
    if values[s, ERROR_WEIGHT] > 0.0:
        return values[s, ERROR_SUM] / values[s, ERROR_WEIGHT]
    return values[s, BORN_ERROR]


@kernel
def add_vote(values, s, scores, votes):
    """Add a leaf's answer to the votes, weighted by 1 / (e² + 10⁻⁶); returns the weight."""
    e = error_of(values, s)
    weight = 1.0 / (e * e + LEAST_ERROR)
    for label in range(votes.shape[0]):
        votes[label] += weight * scores[label]
    return weight


@kernel
def find_path(tree, x, path, alternates):
    """Fill ``path`` with the nodes from the root to the leaf, ``alternates`` with the leaf of each one's alternate.

    Returns the number of branch nodes on the path and the number of alternates.
    """
    links, values = tree.links, tree.values
    s = tree.cursor[ROOT]
    depth, n_alternates = 0, 0
    path[0] = s
    while links[s, LEAF] < 0:
        a = links[s, ALTERNATE]
        alternates[depth] = -1
        if a >= 0:
            while links[a, LEAF] < 0:
                a = child(links, values, a, x)
            alternates[depth] = a
            n_alternates += 1
        s = child(links, values, s, x)
        depth += 1
        path[depth] = s
    return depth, n_alternates


@kernel
def combine(tree, depth, path, alternates, answers, settings, y, learns, losses, votes):
    """Combine the answers of the leaves, from the deepest up; in ``losses`` what each node's own subtree gets wrong.

    ``answers[0]`` is of the path's leaf, ``answers[1 + i]`` of the leaf of node i's alternate. ``votes`` becomes the
    answer of the whole tree.
    """
    links, values = tree.links, tree.values
    votes[:] = 0.0
    total = add_vote(values, path[depth], answers[0], votes)
    measure = settings[MEASURE]
    loss = loss_of(measure, answers[0], y) if learns else 0.0
    losses[depth] = loss
    mixed = False
    for i in range(depth - 1, -1, -1):
        losses[i] = loss
        a = alternates[i]
        if a >= 0 and settings[COMBINE] != 0.0 and values[a, WEIGHT] > settings[ALTERNATE_GRACE]:
            total += add_vote(values, a, answers[1 + i], votes)
            mixed = True
            if learns and i > 0:
                loss = loss_of(measure, votes / total, y)
    for label in range(votes.shape[0]):
        votes[label] = votes[label] / total if mixed else answers[0, label]
    return links[path[depth], ID]


@kernel
def answer(tree, X, settings, scores, labels):
    """Score every row (float64 [rows, labels]) and choose its labels (uint8); changes nothing."""
    n, n_features = X.shape
    n_labels = scores.shape[1]
    path, alternates = np.empty(DEEPEST + 2, np.int64), np.empty(DEEPEST + 2, np.int64)
    touched, columns = np.empty(n_features, np.int64), np.empty(n_features, np.int64)
    inputs, distances = np.empty(n_features), np.empty(tree.window_sets.shape[1])
    logits = np.empty((2, tree.intercepts.shape[1]))
    answers, losses = np.zeros((DEEPEST + 2, n_labels)), np.empty(DEEPEST + 2)
    nothing = np.zeros(0, np.uint8)
    for i in range(n):
        x = X[i]
        n_touched, n_inputs, missing = touch(tree, x, touched, columns, inputs)
        depth, _ = find_path(tree, x, path, alternates)
        for k in range(-1, depth):
            s = path[depth] if k < 0 else alternates[k]
            if s >= 0:
                answer_leaf(
                    tree, s, x, touched, n_touched, missing, columns, inputs, n_inputs, settings, False, distances,
                    logits, answers[1 + k],
                )  # fmt: skip
        combine(tree, depth, path, alternates, answers, settings, nothing, False, losses, scores[i])
        for label in range(n_labels):
            labels[i, label] = scores[i, label] > 0.5


# ---------------------------------------------------------------------- learning in a node


@kernel
def touch_node(tree, s, loss, w, present, n_present):
    """What every node on the way notes of an instance: weight, labels, error, the error's history, its number."""
    links, values, position = tree.links, tree.values, tree.cursor[POSITION]
    values[s, WEIGHT] += w
    values[s, RECENT] = values[s, RECENT] * 2.0 ** ((links[s, LAST] - position) / RECENT_HALF_LIFE) + w
    links[s, LAST] = position
    for i in range(n_present):
        tree.counts[s, present[i]] += w
    values[s, ERROR_SUM] += w * loss
    values[s, ERROR_WEIGHT] += w
    values[s, HISTORY_SUM] += loss
    links[s, HISTORY_LEFT] += 1
    if links[s, HISTORY_LEFT] == HISTORY:
        tree.history[s, links[s, N_HISTORY] % HISTORY_MEANS] = values[s, HISTORY_SUM] / HISTORY
        links[s, N_HISTORY] += 1
        links[s, HISTORY_LEFT] = 0
        values[s, HISTORY_SUM] = 0.0
    tree.rows[s, links[s, N_ROWS] % ROWS] = position
    links[s, N_ROWS] += 1


@kernel
def detect(tree, d, loss, delta):
    """Feed ADWIN ``d``: (1 for a rise, -1 for a fall, 0; mean of what was dropped, of what remains)."""
    own = tree.adwin[d]
    if tree.changed[d]:
        tree.changed[d] = 0
        tree.filled[d] = 0
        own[:] = 0.0
    insert(tree.totals, tree.spreads, tree.filled, tree.adwin, d, loss)
    own[ADWIN_TICKS] += 1.0
    if own[ADWIN_TICKS] % CLOCK != 0.0 or own[ADWIN_WIDTH] <= ADWIN_GRACE:
        return 0, 0.0, 0.0
    width, total = own[ADWIN_WIDTH], own[ADWIN_TOTAL]
    if not shrink(tree.totals, tree.spreads, tree.filled, tree.adwin, d, delta, SHORTEST):
        return 0, 0.0, 0.0
    tree.changed[d] = 1
    before = (total - own[ADWIN_TOTAL]) / (width - own[ADWIN_WIDTH])
    after = own[ADWIN_TOTAL] / own[ADWIN_WIDTH]
    return (1 if after > before else -1), before, after


@kernel
def used_bytes(tree, settings):
    """What the tree takes now: slots in use, not the reserve."""
    cursor = tree.cursor
    return (
        settings[BASE_BYTES]
        + cursor[NODES_USED] * settings[NODE_BYTES]
        + cursor[LEAVES_USED] * settings[LEAF_BYTES]
        + cursor[OBSERVERS_USED] * settings[OBSERVER_BYTES]
        + cursor[POOL_USED] * settings[POOL_BYTES]
    )


@kernel
def fits(tree, s, nodes, leaves, settings):
    """Whether so many more nodes and leaves keep the memory bound; that they do not is told once."""
    wanted = (
        used_bytes(tree, settings)
        + nodes * settings[NODE_BYTES]
        + leaves * (settings[LEAF_BYTES] + settings[OBSERVER_BYTES])
    )
    if wanted <= settings[MAX_BYTES]:
        return True
    limit_reached(tree, s, wanted, settings)
    return False


@kernel
def limit_reached(tree, s, wanted, settings):
    if tree.cursor[LIMITED] == 0:
        tree.cursor[LIMITED] = 1
        note(tree, MEMORY, s, wanted, settings[MAX_BYTES], 0.0, 0.0, 0.0, 0.0)


@kernel
def keep_bound(tree, settings):
    """Stop the growth of the least promising leaves, those with the least error in all, until the bound is kept."""
    while used_bytes(tree, settings) > settings[MAX_BYTES]:
        least = least_promising(tree)
        if least < 0:
            return
        limit_reached(tree, least, used_bytes(tree, settings), settings)
        deactivate(tree, least)


@kernel
def promise_of(values, s):
    """What the growth of a leaf could save: its errors in all."""
    return error_of(values, s) * values[s, WEIGHT]


@kernel
def least_promising(tree):
    """The leaf of the least promise among those that still grow, -1 if none does; of equals the first."""
    links, values = tree.links, tree.values
    least, least_promise = -1, math.inf
    for s in range(tree.cursor[NODE_TOP]):
        if links[s, ID] >= 0 and links[s, OBSERVER] >= 0 and promise_of(values, s) < least_promise:
            least, least_promise = s, promise_of(values, s)
    return least


@kernel
def deactivate(tree, s):
    """Leaf ``s`` stops growing and gives back its observer."""
    free_observer(tree, s)
    tree.links[s, OFF] = 1
    note(tree, DEACTIVATED, s, tree.values[s, WEIGHT], error_of(tree.values, s), 0.0, 0.0, 0.0, 0.0)


@kernel
def learn_leaf(
    tree, s, x, y, touched, n_touched, missing, columns, inputs, n_inputs, present, n_present, number, w, loss,
    logits, times, seed, settings,
):  # fmt: skip
    """Learn an instance in leaf ``s``: counts, both classifiers, the observer; then go on with the search, or split."""
    links, values = tree.links, tree.values
    touch_node(tree, s, loss, w, present, n_present)
    if add_pair(tree.pair_keys, tree.pair_counts, (links[s, ID] << 32) | number, w):
        tree.cursor[PAIRS_USED] += 1
        links[s, N_SETS] += 1
    remember(tree, s, x, touched, n_touched, missing, number)
    values[s, TRAINED] += w
    bag_weights(seed, tree.cursor[POSITION], links[s, ID], times)
    c = links[s, LEAF]
    step(
        tree.weights[c], tree.intercepts[c], columns, inputs, n_inputs, y, times, settings[LEARNING],
        settings[INTERCEPT], logits,
    )  # fmt: skip
    o = links[s, OBSERVER]
    if o < 0:
        return
    observe(tree, o, x, touched, n_touched, present, n_present, w)
    values[s, SINCE] += w
    if links[s, SEARCH] < 0 and values[s, SINCE] >= settings[GRACE] and links[s, N_SETS] > 1:
        begins = True
        for label in range(y.shape[0]):
            begins &= tree.seen[o, 1 + label] <= settings[MOST_SHARE] * tree.seen[o, 0]
        if begins:
            values[s, SINCE] = 0.0
            links[s, SEARCH] = 0
            links[s, BEST] = links[s, SECOND] = -1
            values[s, BEST_GAIN] = values[s, SECOND_GAIN] = 0.0
    if links[s, SEARCH] >= 0:
        search(tree, s, settings)


@kernel
def search(tree, s, settings):
    """Evaluate some more features; after the last one decide."""
    links, values = tree.links, tree.values
    o = links[s, OBSERVER]
    f = links[s, SEARCH]
    n_features = tree.heads.shape[1]
    units = 0
    while f < n_features and units < settings[UNITS]:
        gain, point, work = evaluate(tree, o, f, np.int64(settings[POINTS]), settings[LEAST_SHARE])
        units += work
        if gain > values[s, BEST_GAIN]:
            links[s, SECOND], values[s, SECOND_GAIN] = links[s, BEST], values[s, BEST_GAIN]
            links[s, BEST], values[s, BEST_GAIN], values[s, BEST_POINT] = f, gain, point
        elif gain > values[s, SECOND_GAIN]:
            links[s, SECOND], values[s, SECOND_GAIN] = f, gain
        f += 1
    links[s, SEARCH] = f
    if f < n_features:
        return
    links[s, SEARCH] = -1
    links[s, LAST_BEST], links[s, LAST_SECOND] = links[s, BEST], links[s, SECOND]
    values[s, LAST_GAIN], values[s, LAST_SECOND_GAIN] = values[s, BEST_GAIN], values[s, SECOND_GAIN]
    values[s, LAST_POINT] = values[s, BEST_POINT]
    if links[s, BEST] < 0:
        return
    epsilon = split_bound(links[s, N_SETS], tree.seen[o, 0], settings[DELTA])
    if values[s, BEST_GAIN] - values[s, SECOND_GAIN] > epsilon or epsilon < settings[TAU]:
        split(tree, s, epsilon, settings)


@kernel
def split_bound(n_sets, weight, delta):
    """ε_spl (equation 9) for a leaf that has seen ``n_sets`` label sets."""
    reach = max(math.log2(n_sets), 1.0)
    return math.sqrt(reach * reach * math.log(1.0 / delta) / (2.0 * weight))


@kernel
def switch_bound(e, other, weight, other_weight, delta):
    """ε_alt (equation 16)."""
    both = (weight + other_weight) / (weight * other_weight)
    return math.sqrt(2.0 * e * (1.0 - other) * both * math.log(2.0 / delta))


@kernel
def split(tree, s, epsilon, settings):
    """Make leaf ``s`` a branch with two new leaves, unless memory forbids it."""
    links, values = tree.links, tree.values
    # the leaf's own classifiers and observer become free, the observers of leaves that promise less can be
    while not fits(tree, s, 2, 1, settings):
        least = least_promising(tree)
        if least == s or promise_of(values, least) >= promise_of(values, s):
            return
        deactivate(tree, least)
    o, f, point = links[s, OBSERVER], links[s, BEST], values[s, BEST_POINT]
    depth = links[s, DEPTH] + 1
    nominal = tree.numeric[f] < 0
    left = new_leaf(tree, s, depth, links[s, BACKGROUND], settings[MAX_DEPTH], False)
    right = new_leaf(tree, s, depth, links[s, BACKGROUND], settings[MAX_DEPTH], False)
    for leaf in (left, right):
        links[leaf, BORN] = links[leaf, LAST] = tree.cursor[POSITION] + 1
        values[leaf, BORN_ERROR] = error_of(values, s)
    split_shares(tree, o, f, point, tree.born[left], tree.born[right])
    weight = tree.seen[o, 0]
    links[s, LEFT], links[s, RIGHT] = left, right
    links[s, FEATURE], links[s, NOMINAL] = f, nominal
    values[s, THRESHOLD] = point
    if settings[INHERIT] != 0.0:
        inherit(tree, s, left, right, f, point, nominal)
    free_observer(tree, s)
    free_classifiers(tree, s)
    clear_detectors(tree, s)
    tree.cursor[N_SPLITS] += 1
    note(tree, SPLIT, s, f, point, values[s, LAST_GAIN], values[s, LAST_SECOND_GAIN], epsilon, weight)


@kernel
def inherit(tree, s, left, right, f, point, nominal):
    """Give the new leaves the rows of the window on their side, oldest first, and copies of the bags' weights."""
    links = tree.links
    c = links[s, LEAF]
    for leaf in (left, right):
        tree.weights[links[leaf, LEAF]] = tree.weights[c]
        tree.intercepts[links[leaf, LEAF]] = tree.intercepts[c]
        tree.values[leaf, TRAINED] = tree.values[s, TRAINED]
    size = tree.window_sets.shape[1]
    n = links[s, FILLED]
    n_left = n_right = 0
    for k in range(n):
        v = tree.window[c, f, (links[s, NEXT] - n + k) % size]
        if not math.isnan(v):
            goes_left = v == point if nominal else v <= point
            n_left += goes_left
            n_right += not goes_left
    for k in range(n):
        at = (links[s, NEXT] - n + k) % size
        v = tree.window[c, f, at]
        if math.isnan(v):
            leaf = left if n_left >= n_right else right
        elif nominal:
            leaf = left if v == point else right
        else:
            leaf = left if v <= point else right
        to, free = links[leaf, LEAF], links[leaf, FILLED]
        tree.window[to, :, free] = tree.window[c, :, at]
        tree.window_sets[to, free] = tree.window_sets[c, at]
        tree.window_norms[to, free] = tree.window_norms[c, at]
        tree.window_gaps[to, free] = tree.window_gaps[c, at]
        links[leaf, FILLED] += 1
        links[leaf, INHERITED] += 1
        links[leaf, NEXT] = links[leaf, FILLED] % size


@kernel
def start_alternate(tree, s, on_drift, before, after, settings):
    """A fresh leaf in the background, to compete with node ``s``; -1 if memory forbids it."""
    links = tree.links
    if not fits(tree, s, 1, 1, settings):
        return -1
    a = new_leaf(tree, links[s, PARENT], links[s, DEPTH], 1, settings[MAX_DEPTH], False)
    links[s, ALTERNATE], links[a, OF] = a, s
    if tree.values[s, WEIGHT] > 0.0:
        tree.born[a] = tree.counts[s] / tree.values[s, WEIGHT]
    tree.values[a, BORN_ERROR] = error_of(tree.values, s)
    tree.cursor[N_STARTED] += 1
    note(tree, STARTED, s, links[a, ID], on_drift, before, after, error_of(tree.values, s), 0.0)
    return a


@kernel
def duel(tree, s, settings):
    """Let a node's alternate take its place, or prune it; returns 1, -1, or 0 while it is undecided."""
    links, values, cursor = tree.links, tree.values, tree.cursor
    a = links[s, ALTERNATE]
    weight, other_weight = values[s, ERROR_WEIGHT], values[a, ERROR_WEIGHT]
    # right after a restart e rests on next to nothing, and the bound with e = 0 is 0: anything would be settled
    if min(weight, other_weight) <= settings[ALTERNATE_GRACE]:
        return 0
    e, other = values[s, ERROR_SUM] / weight, values[a, ERROR_SUM] / other_weight
    epsilon = switch_bound(e, other, weight, other_weight, settings[SWITCH])
    if e - other > epsilon:
        links[s, ALTERNATE] = -1
        parent = links[s, PARENT]
        if parent < 0:
            cursor[ROOT] = a
        elif links[parent, LEFT] == s:
            links[parent, LEFT] = a
        else:
            links[parent, RIGHT] = a
        links[a, OF] = -1
        gained = bring_forward(tree, a)
        note(tree, PROMOTED, s, links[a, ID], e, other, epsilon, 0.0, gained)
        lost = free_subtree(tree, s)
        tree.events[cursor[N_EVENTS] - 1, 7] = lost
        values[a, ERROR_SUM] = values[a, ERROR_WEIGHT] = 0.0
        values[a, BORN_ERROR] = other
        cursor[N_PROMOTED] += 1
        return 1
    if other - e > epsilon:
        links[s, ALTERNATE] = -1
        note(tree, PRUNED, s, links[a, ID], e, other, epsilon, 0.0, 0.0)
        lost = free_subtree(tree, a)
        tree.events[cursor[N_EVENTS] - 1, 7] = lost
        values[s, ERROR_SUM] = values[s, ERROR_WEIGHT] = 0.0
        values[s, BORN_ERROR] = e
        cursor[N_PRUNED] += 1
        return -1
    return 0


# ---------------------------------------------------------------------- the stream


@kernel
def lacks_room(tree, depth, path, x, n_touched, w, settings):
    """Whether a row could need more room than there is, of anything; then the cursor says how much it wants."""
    links, values, cursor = tree.links, tree.values, tree.cursor
    starts, splits, leaves, visited = 0, 0, 1, depth + 1
    splits += may_split(tree, path[depth], w, settings)
    for i in range(depth):
        s = path[i]
        # the detectors look for a change at every 32nd number only
        starts += may_fire(tree, s) and links[s, ALTERNATE] < 0
        a = links[s, ALTERNATE]
        if a >= 0:
            leaves += 1
            visited += 1
            while links[a, LEAF] < 0:
                starts += may_fire(tree, a)
                visited += 1
                a = child(links, values, a, x)
            splits += may_split(tree, a, w, settings)
    leaves += starts
    cursor[WANT_NODES] = starts + 2 * splits
    cursor[WANT_LEAVES] = cursor[WANT_OBSERVERS] = starts + 2 * splits
    cursor[WANT_POOL] = n_touched * leaves
    cursor[WANT_PAIRS] = leaves
    cursor[WANT_EVENTS] = EVENTS_PER_NODE * (visited + starts) + 8
    if settings[MAX_BYTES] < math.inf:
        cursor[WANT_EVENTS] += cursor[OBSERVERS_USED] + 2
    # what is free of an arena is what is not in use
    return (
        cursor[WANT_NODES] > links.shape[0] - cursor[NODES_USED]
        or cursor[WANT_LEAVES] > tree.window_sets.shape[0] - cursor[LEAVES_USED]
        or cursor[WANT_OBSERVERS] > tree.heads.shape[0] - cursor[OBSERVERS_USED]
        or cursor[WANT_POOL] > tree.pool_value.shape[0] - cursor[POOL_USED]
        or cursor[SETS_USED] + 1 > tree.set_words.shape[0]
        or 2 * (cursor[PAIRS_USED] + leaves) > tree.pair_keys.shape[0]
        or cursor[WANT_EVENTS] > tree.events.shape[0] - cursor[N_EVENTS]
    )


@kernel
def may_split(tree, s, w, settings):
    """Whether leaf ``s`` may split with an instance of weight ``w``."""
    searches = tree.links[s, SEARCH] >= 0 or tree.values[s, SINCE] + w >= settings[GRACE]
    return tree.links[s, OBSERVER] >= 0 and searches


@kernel
def may_fire(tree, s):
    """Whether one of a node's detectors may notice a change with the next number."""
    for d in range(2 * s, 2 * s + 2):
        ticks = 0.0 if tree.changed[d] else tree.adwin[d, ADWIN_TICKS]
        if (ticks + 1.0) % CLOCK == 0.0:
            return True
    return False


@kernel
def run(tree, X, Y, first, seed, settings, scores, labels):
    """Test, then train on the rows from ``first`` on, one after the other; return the row that comes next.

    It stops early where an arena lacks room for what a row could need: grow them, and go on with that row. Answers go
    to ``scores`` (float64 [rows, labels]) and ``labels`` (uint8).
    """
    n, n_features = X.shape
    n_labels = Y.shape[1]
    links, values, cursor = tree.links, tree.values, tree.cursor
    path, alternates = np.empty(DEEPEST + 2, np.int64), np.empty(DEEPEST + 2, np.int64)
    touched, columns = np.empty(n_features, np.int64), np.empty(n_features, np.int64)
    inputs, distances = np.empty(n_features), np.empty(tree.window_sets.shape[1])
    answers, losses = np.zeros((DEEPEST + 2, n_labels)), np.empty(DEEPEST + 2)
    logits = np.empty((DEEPEST + 2, 2, tree.intercepts.shape[1]))
    fresh, fresh_logits = np.zeros(n_labels), np.empty((2, tree.intercepts.shape[1]))
    present = np.empty(n_labels, np.int64)
    times = np.empty(np.int64(settings[MODELS]), np.int64)
    measure = settings[MEASURE]
    for i in range(first, n):
        x, y = X[i], Y[i]
        n_touched, n_inputs, missing = touch(tree, x, touched, columns, inputs)
        depth, _ = find_path(tree, x, path, alternates)
        w = 1.0
        if settings[BOOTSTRAP] != 0.0:
            w = np.float64(instance_weight(seed, cursor[POSITION], settings[RATE]))
            if w == 0.0 and settings[BOOTSTRAP] != STRICT:
                w = 1.0
        if lacks_room(tree, depth, path, x, n_touched, w, settings):
            return i
        learns = w > 0.0
        for k in range(-1, depth):
            s = path[depth] if k < 0 else alternates[k]
            if s >= 0:
                answer_leaf(
                    tree, s, x, touched, n_touched, missing, columns, inputs, n_inputs, settings, learns, distances,
                    logits[1 + k], answers[1 + k],
                )  # fmt: skip
        combine(tree, depth, path, alternates, answers, settings, y, learns, losses, scores[i])
        for label in range(n_labels):
            labels[i, label] = scores[i, label] > 0.5
        if not learns:
            cursor[POSITION] += 1
            continue
        n_present = 0
        for label in range(n_labels):
            if y[label]:
                present[n_present] = label
                n_present += 1
        number = number_of_set(tree, present, n_present)

        s, level, which = path[0], 0, 0
        promoted_loss = -1.0
        while True:
            # once an alternate has taken over, the rest of the way is its own, and one leaf gave its answer
            loss = losses[level] if promoted_loss < 0.0 else promoted_loss
            if links[s, LEAF] >= 0:
                learn_leaf(
                    tree, s, x, y, touched, n_touched, missing, columns, inputs, n_inputs, present, n_present, number,
                    w, loss, logits[which], times, seed, settings,
                )  # fmt: skip
                break
            touch_node(tree, s, loss, w, present, n_present)
            warned, warned_before, warned_after = detect(tree, 2 * s, loss, settings[WARNING_DELTA])
            drifted, before, after = detect(tree, 2 * s + 1, loss, settings[DRIFT_DELTA])
            if warned != 0:
                note(tree, WARNING, s, warned_before, warned_after, warned, 0.0, 0.0, 0.0)
            if drifted != 0:
                note(tree, DRIFT, s, before, after, drifted, 0.0, 0.0, 0.0)
            a = links[s, ALTERNATE]
            started = False
            if a < 0 and (drifted > 0 or (warned > 0 and settings[ON_DRIFT] == 0.0)):
                if drifted > 0:
                    a = start_alternate(tree, s, 1.0, before, after, settings)
                else:
                    a = start_alternate(tree, s, 0.0, warned_before, warned_after, settings)
                started = a >= 0
            elif a >= 0:
                outcome = duel(tree, s, settings)
                if outcome > 0:
                    which = 1 + level
                    promoted_loss = loss_of(measure, answers[which], y)
                    s = a
                    continue
                if outcome < 0:
                    a = -1
            if drifted != 0:
                values[s, BORN_ERROR] = error_of(values, s)
                values[s, ERROR_SUM] = values[s, ERROR_WEIGHT] = 0.0
            if started:
                answer_leaf(
                    tree, a, x, touched, n_touched, missing, columns, inputs, n_inputs, settings, True, distances,
                    fresh_logits, fresh,
                )  # fmt: skip
                learn_leaf(
                    tree, a, x, y, touched, n_touched, missing, columns, inputs, n_inputs, present, n_present, number,
                    w, loss_of(measure, fresh, y), fresh_logits, times, seed, settings,
                )  # fmt: skip
            elif a >= 0:
                own_loss = loss_of(measure, answers[1 + level], y)
                while links[a, LEAF] < 0:
                    touch_node(tree, a, own_loss, w, present, n_present)
                    detect(tree, 2 * a, own_loss, settings[WARNING_DELTA])
                    drifted, _, _ = detect(tree, 2 * a + 1, own_loss, settings[DRIFT_DELTA])
                    if drifted != 0:
                        values[a, BORN_ERROR] = error_of(values, a)
                        values[a, ERROR_SUM] = values[a, ERROR_WEIGHT] = 0.0
                    a = child(links, values, a, x)
                learn_leaf(
                    tree, a, x, y, touched, n_touched, missing, columns, inputs, n_inputs, present, n_present, number,
                    w, own_loss, logits[1 + level], times, seed, settings,
                )  # fmt: skip
            if promoted_loss < 0.0:
                level += 1
                s = path[level]
            else:
                s = child(links, values, s, x)
        if used_bytes(tree, settings) > settings[MAX_BYTES]:
            keep_bound(tree, settings)
        cursor[POSITION] += 1
    return n


@kernel
def regimes(tree, slots, settings, out):
    """By which classifier each leaf among the nodes answers; 0 for branches."""
    for i in range(slots.shape[0]):
        out[i] = regime_of(tree, slots[i], settings) if tree.links[slots[i], LEAF] >= 0 else NONE
