"""Kernels that find an instance's leaves and combine their answers; in a hedged tree two experts answer in each node.

In a leaf the experts are its neighbours and its regressions; in a branch they are the regressions that it kept and the
answer from below. What each has lost lately says how much it counts: the exponentially weighted ("Hedge") rule over two
experts, with losses that fade.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._bags import bag_weights
from streamlab.learners.mlhat._classifiers import ask_neighbours, bounded_rate, linear_sums, mean_probabilities, step
from streamlab.learners.mlhat._label_sets import loss_of
from streamlab.learners.mlhat._settings import BAGGING, MAJORITY, MICRO_F1, NEIGHBOURS, NONE
from streamlab.learners.mlhat._statistics import binary_entropy
from streamlab.learners.mlhat._tree import free_kept

# added to a squared error, so that an error of 0 has a finite vote
LEAST_ERROR = 1e-6
# the largest exponent: beyond it an expert's share is 1e-13
STEEPEST = 30.0


class Row(NamedTuple):
    """A row of the stream, of which the room has the rest.

    Parameters
    ----------
    x, y
        Its values and its labels.
    n_touched, missing
        How many features are other than 0, and whether one is missing.
    n_inputs, square
        How many inputs of the linear models are other than 0, and the sum of their squares.
    """

    x: np.ndarray
    y: np.ndarray
    n_touched: int
    missing: bool
    n_inputs: int
    square: float


@kernel(inner=True)
def find_touched(x, touched):
    """List the features of a dense row that are not 0 (missing ones too); returns their number."""
    n = 0
    for f in range(x.shape[0]):
        # without a branch, which would be guessed wrong at every value of a row of few
        touched[n] = f
        n += np.int64(x[f] != 0.0)
    return n


@kernel(inner=True)
def read_row(tree, room, x, y, n_touched):
    """Find the inputs of the linear models that are not 0, by column; returns the ``Row``.

    A nominal feature of three categories or more has a column for its first one too.
    """
    touched, columns, inputs = room.touched, room.columns, room.inputs
    n_inputs, missing = 0, False
    for t in range(n_touched):
        f = touched[t]
        v = x[f]
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
    square = 0.0
    for i in range(n_inputs):
        square += inputs[i] * inputs[i]
    return Row(x, y, n_touched, missing, n_inputs, square)


@kernel(inner=True)
def child_of(links, values, s, x):
    """Return the child of branch ``s`` for ``x``; if the value is missing, the child that has seen more weight."""
    v = x[links[s].feature]
    if math.isnan(v):
        left, right = links[s].left, links[s].right
        return right if values[right].weight > values[left].weight else left
    if links[s].nominal:
        return links[s].left if v == values[s].threshold else links[s].right
    return links[s].left if v <= values[s].threshold else links[s].right


@kernel(inner=True)
def leaf_below(tree, s, x):
    """Return the leaf where ``x`` ends, from node ``s`` on."""
    links, values = tree.links, tree.values
    while links[s].leaf < 0:
        s = child_of(links, values, s, x)
    return s


@kernel(inner=True)
def find_path(tree, x, path, alternates):
    """Fill ``path`` with the nodes from the root to the leaf, ``alternates`` with the leaf of each one's alternate.

    Returns the number of branch nodes on the path.
    """
    links, values = tree.links, tree.values
    s, depth = tree.cursor[0].root, 0
    path[0] = s
    while links[s].leaf < 0:
        a = links[s].alternate
        alternates[depth] = leaf_below(tree, a, x) if a >= 0 else -1
        s = child_of(links, values, s, x)
        depth += 1
        path[depth] = s
    return depth


@kernel(inner=True)
def regime_of(tree, s, settings):
    """Return the code of the classifier with which leaf ``s`` answers.

    What counts is the weight that its bags have learned; a leaf that inherited them has seen less itself. While it has
    seen less than the threshold, its label entropy is that of the probabilities it started with. A hedged leaf mixes
    the answers of neighbours and bags: the code is that of the one with the larger share.
    """
    links, values = tree.links, tree.values
    if links[s].inherited == 0:
        if links[s].n_sets == 0:
            return NONE
        if links[s].n_sets == 1:
            return MAJORITY
    if settings.hedged != 0.0:
        return NEIGHBOURS if tree.expert_losses[s].first <= tree.expert_losses[s].second else BAGGING
    if values[s].trained < settings.cardinality_threshold:
        return NEIGHBOURS
    weight, counts = values[s].weight, tree.counts[s]
    # a leaf that has just been born has counted nothing, whatever the threshold
    if weight < settings.cardinality_threshold or weight <= 0.0:
        weight, counts = 1.0, tree.born[s]
    entropy = 0.0
    for label in range(counts.shape[0]):
        entropy += binary_entropy(counts[label] / weight)
        if entropy >= settings.entropy_threshold:
            return BAGGING
    return NEIGHBOURS


@kernel
def regimes(tree, slots, settings, out):
    """Fill ``out`` with the code of the classifier with which each leaf among the nodes answers; 0 for branches."""
    for i in range(slots.shape[0]):
        out[i] = regime_of(tree, slots[i], settings) if tree.links[slots[i]].leaf >= 0 else NONE


@kernel(inner=True)
def answer_leaf(tree, room, s, row, settings, learns, logits, scores):
    """Score the labels by leaf ``s``; with ``learns`` also fill ``logits`` with the sums of its bags, for the step.

    A hedged leaf then also counts what its neighbours and its bags lose.
    """
    near = room.near
    regime = regime_of(tree, s, settings)
    hedged = settings.hedged != 0.0
    mixes = hedged and regime in (NEIGHBOURS, BAGGING)
    if learns or regime == BAGGING or mixes:
        c = tree.links[s].leaf
        linear_sums(tree.weights[c], tree.intercepts[c], room.columns, room.inputs, row.n_inputs, logits)
    if hedged and (learns or mixes):
        if regime == MAJORITY:
            # all neighbours have this label set
            majority(tree, s, near)
        else:
            ask(tree, room, s, row, settings, near)
        mean_probabilities(logits[1], np.int64(settings.n_models), scores)
        share = trust(tree.expert_losses[s].first, tree.expert_losses[s].second, settings.eta)
        if learns:
            judge(tree, s, near, scores, row.y, settings.fading)
        mix(share, near, scores, scores)
    if regime == NONE:
        for label in range(scores.shape[0]):
            scores[label] = tree.born[s, label]
    elif regime == MAJORITY:
        majority(tree, s, scores)
    elif hedged:
        return
    elif regime == NEIGHBOURS:
        ask(tree, room, s, row, settings, scores)
    else:
        mean_probabilities(logits[1], np.int64(settings.n_models), scores)


@kernel(inner=True)
def ask(tree, room, s, row, settings, scores):
    """Score the labels by the neighbours in leaf ``s``."""
    n, touched, distances, nearest = np.int64(settings.n_neighbors), room.touched, room.distances, room.nearest
    ask_neighbours(tree, s, n, row.x, touched, row.n_touched, row.missing, room.bits, distances, nearest, scores)


@kernel(inner=True)
def majority(tree, s, scores):
    """Score the labels by the one label set that leaf ``s`` has seen."""
    for label in range(scores.shape[0]):
        scores[label] = 1.0 if tree.counts[s, label] > 0.0 else 0.0


@kernel
def error_of(values, s):
    """Return the running error of a node; before it has one, that of the leaf it came from."""
    if values[s].error_weight > 0.0:
        return values[s].error_sum / values[s].error_weight
    return values[s].born_error


@kernel(inner=True)
def vote_of(values, s):
    """Return the weight of a leaf's vote: 1 / (e² + 10⁻⁶)."""
    e = error_of(values, s)
    return 1.0 / (e * e + LEAST_ERROR)


@kernel(inner=True)
def add_vote(values, s, scores, votes):
    """Add a leaf's answer to the votes, weighted by its error; returns the weight."""
    weight = vote_of(values, s)
    for label in range(votes.shape[0]):
        votes[label] += weight * scores[label]
    return weight


@kernel(inner=True)
def combine(tree, room, depth, row, learns, seed, settings, votes):
    """Combine the answers of the leaves, from the deepest up, and note the loss of each node's subtree.

    The room's first answer is of the path's leaf, 1 + i is of the leaf of node i's alternate. ``votes`` becomes
    the answer of the whole tree. In a hedged tree each branch mixes its own answer into the one from below, which keeps
    the weight of its leaf's vote; ``votes`` then is an answer all the time.
    """
    values, path, alternates, answers = tree.values, room.path, room.alternates, room.answers
    losses, own = room.losses, room.own
    hedged = settings.hedged != 0.0
    for label in range(votes.shape[0]):
        votes[label] = 0.0
    total = add_vote(values, path[depth], answers[0], votes)
    if hedged:
        for label in range(votes.shape[0]):
            votes[label] = answers[0, label]
    measure = settings.drift_measure
    loss = loss_of(measure, answers[0], row.y) if learns else 0.0
    losses[depth] = loss
    mixed = False
    for i in range(depth - 1, -1, -1):
        if hedged and is_asked(tree, path[i], depth - i, settings):
            mix_branch(tree, room, path[i], path[depth], row, learns, seed, settings, votes)
            if learns:
                loss = loss_of(measure, votes, row.y)
        losses[i] = loss
        a = alternates[i]
        if a >= 0 and settings.combine_alternates != 0.0 and values[a].weight > settings.alternate_grace_period:
            if hedged:
                weight = vote_of(values, a)
                total += weight
                mix(weight / total, answers[1 + i], votes, votes)
                if learns and i > 0:
                    loss = loss_of(measure, votes, row.y)
                continue
            total += add_vote(values, a, answers[1 + i], votes)
            mixed = True
            if learns and i > 0:
                for label in range(votes.shape[0]):
                    own[label] = votes[label] / total
                loss = loss_of(measure, own, row.y)
    if not hedged:
        for label in range(votes.shape[0]):
            votes[label] = votes[label] / total if mixed else answers[0, label]


@kernel(inner=True)
def climb(tree, room, top, row, learns, seed, settings, answer):
    """Make the answer of an alternate's leaf that of the whole alternate, whose branches mix their own answers into it.

    The loss of the subtree of each node on the way is noted.
    """
    links, measure, side, losses = tree.links, settings.drift_measure, room.side, room.side_losses
    s, depth = top, 0
    while links[s].leaf < 0:
        side[depth] = s
        s = child_of(links, tree.values, s, row.x)
        depth += 1
    loss = loss_of(measure, answer, row.y) if learns else 0.0
    losses[s] = loss
    for i in range(depth - 1, -1, -1):
        if is_asked(tree, side[i], depth - i, settings):
            mix_branch(tree, room, side[i], s, row, learns, seed, settings, answer)
            if learns:
                loss = loss_of(measure, answer, row.y)
        losses[side[i]] = loss


# ---------------------------------------------------------------------- two experts, in a hedged tree


@kernel
def trust(loss, other, eta):
    """Return the share of an expert with a faded loss beside another: 1 / (1 + exp(η (loss - other)))."""
    return 1.0 / (1.0 + math.exp(min(max(eta * (loss - other), -STEEPEST), STEEPEST)))


@kernel(inner=True)
def judge(tree, s, first, second, y, fading):
    """Add the experts' losses of node ``s`` on an instance, 1 - F1 of its labels, before the node counts it.

    The losses are means of all instances until these are more than 1 / ``fading``; then they fade.
    """
    losses = tree.expert_losses
    rate = max(fading, 1.0 / (tree.links[s].n_rows + 1.0))
    losses[s].first += rate * (loss_of(np.float64(MICRO_F1), first, y) - losses[s].first)
    losses[s].second += rate * (loss_of(np.float64(MICRO_F1), second, y) - losses[s].second)


@kernel(inner=True)
def mix(share, first, second, out):
    """Fill ``out``, which may be either answer, with ``share`` of the first answer and the rest of the second."""
    for label in range(out.shape[0]):
        out[label] = share * first[label] + (1.0 - share) * second[label]


@kernel(inner=True)
def is_asked(tree, s, height, settings):
    """Return whether branch ``s`` answers beside what is below, ``height`` levels above the leaf that answers there."""
    return tree.kept_slots[s, 0] >= 0 and (height <= settings.kept_levels or tree.links[s].depth == 0)


@kernel(inner=True)
def mix_branch(tree, room, s, leaf, row, learns, seed, settings, answer):
    """Mix the own answer of branch ``s`` into ``answer``, the one from below.

    With ``learns`` both are judged and the branch's regressions take their steps, short ones where the row is far from
    what ``leaf``, where it ends, remembers.
    """
    columns, inputs, times, sums, own = room.columns, room.inputs, room.times, room.sums, room.own
    k = tree.kept_slots[s, 0]
    weights, intercepts = tree.kept_weights[k], tree.kept_intercepts[k]
    linear_sums(weights, intercepts, columns, inputs, row.n_inputs, sums)
    mean_probabilities(sums[1], np.int64(settings.n_models), own)
    share = trust(tree.expert_losses[s].first, tree.expert_losses[s].second, settings.eta)
    if learns:
        judge(tree, s, own, answer, row.y, settings.fading)
        bag_weights(seed, tree.cursor[0].position, tree.links[s].id, times)
        rate = bounded_rate(tree, leaf, row.square, settings.learning_rate)
        step(
            weights, intercepts, columns, inputs, row.n_inputs, row.square, row.y, times, rate,
            settings.intercept_learning_rate, sums,
        )  # fmt: skip
    mix(share, own, answer, answer)


# ---------------------------------------------------------------------- which branches keep their regressions


@kernel(inner=True)
def keeps(tree, s, settings):
    """Return whether leaf ``s`` keeps its regressions when it becomes a branch."""
    return settings.kept_levels >= 1.0 or tree.links[s].depth == 0


@kernel
def drop_far(tree, s, levels):
    """Free the regressions of branches, from ``s`` up to below the root, that have no leaf within this many levels."""
    links = tree.links
    while s >= 0:
        if tree.kept_slots[s, 0] >= 0 and links[s].depth > 0 and not has_leaf_within(tree, s, levels):
            free_kept(tree, s)
        s = links[s].parent


@kernel(inner=True, arrays=True)
def has_leaf_within(tree, s, levels):
    """Return whether a leaf lies at most this many levels below node ``s``."""
    links = tree.links
    stack = np.empty(tree.cursor[0].nodes_used + 2, np.int64)
    stack[0] = s
    size = 1
    while size > 0:
        size -= 1
        at = stack[size]
        if links[at].leaf >= 0:
            return True
        if links[at].depth - links[s].depth < levels:
            stack[size], stack[size + 1] = links[at].left, links[at].right
            size += 2
    return False
