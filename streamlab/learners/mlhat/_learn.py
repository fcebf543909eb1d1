"""Kernels that learn the stream: each instance in every node on its way, row by row; and what a drift starts.

A branch has two detectors. They start its alternate, which is then compared with it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from streamlab.bundle import Bundle
from streamlab.detectors._adwin import CLOCK, GRACE, SHORTEST, TOTAL, WIDTH, feed_one
from streamlab.kernels import kernel
from streamlab.learners.base._kernels import share_left
from streamlab.learners.mlhat._answer import (
    answer_leaf,
    child_of,
    climb,
    combine,
    drop_far,
    error_of,
    find_path,
    find_touched,
    read_row,
)
from streamlab.learners.mlhat._bags import bag_weights, instance_weight
from streamlab.learners.mlhat._classifiers import SUMS, bounded_rate, remember, step
from streamlab.learners.mlhat._gains import new_scratch
from streamlab.learners.mlhat._label_sets import add_pair, find_present, loss_of, number_of_set
from streamlab.learners.mlhat._memory import fits, gives_places, keep_bound, lacks_room, used_bytes
from streamlab.learners.mlhat._places import fold, unfold
from streamlab.learners.mlhat._settings import DRIFT, PROMOTED, PRUNED, STARTED, STRICT, WARNING, note
from streamlab.learners.mlhat._split import grow, watch
from streamlab.learners.mlhat._statistics import prefetch_counts, prefetch_moments
from streamlab.learners.mlhat._tree import (
    DEEPEST,
    HISTORY,
    HISTORY_MEANS,
    RECENT_HALF_LIFE,
    ROWS,
    bring_forward,
    free_subtree,
    new_leaf,
)

# where the answer of an alternate stands that is born with a row
FRESH = DEEPEST + 1


@kernel(inner=True)
def count_instance(tree, s, loss, w, present, n_present):
    """Count an instance in a node on its way: weight, labels, error, history of the error, number of the instance."""
    node, amounts, position = tree.links[s], tree.values[s], tree.cursor[0].position
    amounts.weight += w
    amounts.recent = amounts.recent * share_left(position - node.last, RECENT_HALF_LIFE) + w
    node.last = position
    for i in range(n_present):
        tree.counts[s, present[i]] += w
    amounts.error_sum += w * loss
    amounts.error_weight += w
    amounts.history_sum += loss
    node.history_left += 1
    if node.history_left == HISTORY:
        tree.history[s, node.n_history % HISTORY_MEANS] = amounts.history_sum / HISTORY
        node.n_history += 1
        node.history_left = 0
        amounts.history_sum = 0.0
    tree.rows[s, node.n_rows % ROWS] = position
    node.n_rows += 1


@kernel(inner=True)
def learn_leaf(tree, room, s, row, n_present, number, w, loss, logits, seed, settings):
    """Learn an instance in leaf ``s``: counts, both classifiers, the observer; then continue the search for a split.

    ``logits`` are those of ``answer_leaf``; ``number`` is that of the instance's label set.
    """
    links, c, columns, inputs, times = tree.links, tree.links[s].leaf, room.columns, room.inputs, room.times
    # what one step asks the memory for, the next but one uses
    is_far = tree.place_of.shape[0] > 0 and links[s].observer >= 0
    if is_far:
        prefetch_moments(tree, links[s].observer, room.touched, row.n_touched, room.present, n_present)
    count_instance(tree, s, loss, w, room.present, n_present)
    if add_pair(tree.pair_keys, tree.pair_counts, (links[s].id << 32) | number, w):
        tree.cursor[0].pairs_used += 1
        links[s].n_sets += 1
    rate = bounded_rate(tree, s, row.square, settings.learning_rate)
    remember(tree, s, row.x, room.touched, row.n_touched, row.missing, number)
    if is_far:
        prefetch_counts(tree, links[s].observer, room.touched, row.n_touched, room.present, n_present)
    tree.values[s].trained += w
    bag_weights(seed, tree.cursor[0].position, links[s].id, times)
    step(
        tree.weights[c], tree.intercepts[c], columns, inputs, row.n_inputs, row.square, row.y, times, rate,
        settings.intercept_learning_rate, logits,
    )  # fmt: skip
    if watch(tree, room, s, row.x, row.n_touched, n_present, w, settings):
        grow(tree, s, links[s].n_sets, settings, room.label_sums, room.cuts)


ROOM = (
    "path alternates touched columns inputs bits distances nearest answers losses logits near "
    "own sums side side_losses present words times label_sums cuts"
)


class Room(Bundle, names=ROOM):
    """Arrays that a row's nodes write to, and the next row's write to again; D: ``DEEPEST + 2`` levels.

    Parameters
    ----------
    path, alternates
        Nodes from the root to the leaf, and the leaf of each one's alternate: int64 [D].
    touched, columns, inputs
        Features other than 0, columns of the linear models, and what stands there: as long as there are features.
    bits, distances, nearest
        Of the features other than 0, and the distances to the rows of a window, and the nearest of them.
    answers, losses, logits
        Of the path's leaf and of the leaf of each alternate, the last of one that is born with this row: scores
        [D, labels], losses [D], sums for a step.
    near, own, sums
        Answers of the neighbours and of a branch, and the sums of its regressions.
    side, side_losses
        Branches of an alternate on the way to its leaf, and the loss of each node there, by slot.
    present, words, times
        Labels that are present, their bits, and how often each bag takes the row.
    label_sums, cuts
        For the search for a split (``new_scratch``).
    """

    @classmethod
    def of(cls, tree: Any, n_features: int, n_points: int, last: Room | None = None) -> Room:
        """Return the room for rows of this many features in a tree: the ``last`` one, if that is it."""
        if last is not None and last._fits(tree, n_features):
            return last
        n_labels, n_window, n_sums = tree.counts.shape[1], tree.window_sets.shape[1], tree.intercepts.shape[1]
        levels = DEEPEST + 2
        label_sums, cuts = new_scratch(n_labels, n_points)
        return cls(
            path=np.empty(levels, np.int64), alternates=np.empty(levels, np.int64),
            touched=np.empty(n_features, np.int64), columns=np.empty(n_features, np.int64),
            inputs=np.empty(n_features), bits=np.empty(tree.window_marks.shape[2], np.uint64),
            distances=np.empty(n_window), nearest=np.empty(n_window, np.int64),
            answers=np.zeros((levels, n_labels)), losses=np.empty(levels), logits=np.empty((levels, SUMS, n_sums)),
            near=np.empty(n_labels), own=np.empty(n_labels), sums=np.empty((SUMS, n_sums)),
            side=np.empty(levels, np.int64), side_losses=np.empty(len(tree.links)),
            present=np.empty(n_labels, np.int64), words=np.empty(tree.set_words.shape[1], np.uint64),
            times=np.empty(n_sums // max(n_labels, 1), np.int64), label_sums=label_sums, cuts=cuts,
        )  # fmt: skip

    def _fits(self, tree: Any, n_features: int) -> bool:
        return (
            len(self.touched) == n_features
            and len(self.side_losses) == len(tree.links)
            and len(self.bits) == tree.window_marks.shape[2]
            and len(self.distances) == tree.window_sets.shape[1]
            and len(self.near) == tree.counts.shape[1]
        )


@kernel
def test_then_train(tree, X, rows, Y, first, learning, seed, settings, scores, labels, room):
    """Test, then train on the rows from ``first`` on, one after the other; return the row that comes next.

    ``X`` holds the rows, float64 [rows, features], and those in ``rows`` (``SparseRows.arrays``) are none; or ``rows``
    has them, and ``X`` is one row of zeros, before and after. Without ``learning`` the rows are answered alone, and the
    tree stays as it is. One kernel does all this: it is long to compile.
    It stops early if an arena lacks room for what a row could need: enlarge the arenas and continue with that row.
    Answers go to ``scores`` (float64 [rows, labels]) and ``labels`` (uint8). ``settings`` has one record.
    """
    settings = settings[0]
    is_sparse = rows[0].shape[0] > 0
    compact = tree.place_of.shape[0] > 0
    cursor, touched = tree.cursor[0], room.touched
    for i in range(first, Y.shape[0]):
        x, y = X[0] if is_sparse else X[i], Y[i]
        if learning and compact and not gives_places(tree, rows, i, settings):
            return i
        n_touched = unfold(tree, rows, i, x, touched) if is_sparse else find_touched(x, touched)
        row = read_row(tree, room, x, y, n_touched)
        depth = find_path(tree, x, room.path, room.alternates)
        w = 1.0 if learning else 0.0
        if learning and settings.bootstrap != 0.0:
            w = np.float64(instance_weight(seed, cursor.position, settings.poisson_rate))
            if w == 0.0 and settings.bootstrap != STRICT:
                w = 1.0
        if learning and lacks_room(tree, depth, room.path, x, n_touched, w, settings):
            if is_sparse:
                fold(x, touched, n_touched)
            return i
        answer_row(tree, room, depth, row, w > 0.0, seed, settings, scores[i])
        for label in range(labels.shape[1]):
            labels[i, label] = scores[i, label] > 0.5
        if w > 0.0:
            learn_row(tree, room, row, w, seed, settings)
        if is_sparse:
            fold(x, touched, n_touched)
        cursor.position += np.int64(learning)
    return Y.shape[0]


@kernel(inner=True)
def answer_row(tree, room, depth, row, learns, seed, settings, scores):
    """Answer a row by the leaf at the end of its path and by those of the alternates beside it, and combine that."""
    hedged, path, alternates = settings.hedged != 0.0, room.path, room.alternates
    for k in range(-1, depth):
        s = path[depth] if k < 0 else alternates[k]
        if s >= 0:
            logits, answer = room.logits[1 + k], room.answers[1 + k]
            answer_leaf(tree, room, s, row, settings, learns, logits, answer)
            if hedged and k >= 0:
                a = tree.links[path[k]].alternate
                climb(tree, room, a, row, learns, seed, settings, answer)
    combine(tree, room, depth, row, learns, seed, settings, scores)


@kernel(inner=True)
def learn_row(tree, room, row, w, seed, settings):
    """Learn a row that was answered, in each node on its way from the root down, and in the alternates beside it."""
    links, values, path, side_losses, present = tree.links, tree.values, room.path, room.side_losses, room.present
    answers, logits, measure, hedged = room.answers, room.logits, settings.drift_measure, settings.hedged != 0.0
    x, y = row.x, row.y
    n_present = find_present(y, present)
    number = number_of_set(tree, present, n_present, room.words)
    s, level, which = path[0], 0, 0
    promoted_loss = -1.0
    while True:
        # below an alternate that was promoted just now, all nodes have the loss of the leaf that answered for it
        loss = room.losses[level] if promoted_loss < 0.0 else side_losses[s] if hedged else promoted_loss
        if links[s].leaf >= 0:
            learn_leaf(tree, room, s, row, n_present, number, w, loss, logits[which], seed, settings)
            break
        count_instance(tree, s, loss, w, present, n_present)
        warned, warned_before, warned_after = detect(tree, 2 * s, loss, settings.warning_delta)
        drifted, before, after = detect(tree, 2 * s + 1, loss, settings.drift_delta)
        if warned != 0:
            note(tree, WARNING, s, warned_before, warned_after, np.float64(warned), 0.0, 0.0, 0.0)
        if drifted != 0:
            note(tree, DRIFT, s, before, after, np.float64(drifted), 0.0, 0.0, 0.0)
        a = links[s].alternate
        started = False
        if a < 0 and (drifted > 0 or (warned > 0 and settings.alternate_on == 0.0)):
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
            restart_error(values, s)
        if a >= 0:
            at = np.int64(FRESH) if started else 1 + level
            if started:
                answer_leaf(tree, room, a, row, settings, True, logits[at], answers[at])
            loss = loss_of(measure, answers[at], y)
            while links[a].leaf < 0:
                loss = side_losses[a] if hedged else loss
                count_instance(tree, a, loss, w, present, n_present)
                detect(tree, 2 * a, loss, settings.warning_delta)
                drifted, _, _ = detect(tree, 2 * a + 1, loss, settings.drift_delta)
                if drifted != 0:
                    restart_error(values, a)
                a = child_of(links, values, a, x)
            loss = side_losses[a] if hedged and not started else loss
            learn_leaf(tree, room, a, row, n_present, number, w, loss, logits[at], seed, settings)
        if promoted_loss < 0.0:
            level += 1
            s = path[level]
        else:
            s = child_of(links, values, s, x)
    if used_bytes(tree, settings) > settings.max_bytes:
        keep_bound(tree, settings)


# ---------------------------------------------------------------------- drift in a branch


@kernel(inner=True)
def detect(tree, d, loss, delta):
    """Feed detector ``d``; return 1 for a rise, -1 for a fall or 0, and the means of what was dropped and stays."""
    before, _ = feed_one(
        tree.totals, tree.spreads, tree.filled, tree.adwin, tree.changed, d, loss, delta, CLOCK, SHORTEST, GRACE
    )
    if math.isnan(before):
        return 0, 0.0, 0.0
    after = tree.adwin[d, TOTAL] / tree.adwin[d, WIDTH]
    return (1 if after > before else -1), before, after


@kernel(inner=True)
def restart_error(values, s):
    """Let the running error of a node start again after a drift; until it has one, it is the last one."""
    values[s].born_error = error_of(values, s)
    values[s].error_sum = values[s].error_weight = 0.0


@kernel(inner=True, arrays=True)
def start_alternate(tree, s, on_drift, before, after, settings):
    """Start an alternate of node ``s``, a new leaf in the background; return it, or -1 if there is no memory for it."""
    links = tree.links
    if not fits(tree, s, 1, 1, 0, settings):
        return -1
    a = new_leaf(tree, links[s].parent, links[s].depth, 1, settings.max_depth, False)
    links[s].alternate, links[a].of = a, s
    if tree.values[s].weight > 0.0:
        for label in range(tree.born.shape[1]):
            tree.born[a, label] = tree.counts[s, label] / tree.values[s].weight
    tree.values[a].born_error = error_of(tree.values, s)
    tree.cursor[0].n_started += 1
    note(tree, STARTED, s, np.float64(links[a].id), on_drift, before, after, error_of(tree.values, s), 0.0)
    return a


@kernel
def switch_bound(e, other, weight, other_weight, delta):
    """Return ε_alt (equation 16)."""
    both = (weight + other_weight) / (weight * other_weight)
    return math.sqrt(2.0 * e * (1.0 - other) * both * math.log(2.0 / delta))


@kernel(inner=True, arrays=True)
def duel(tree, s, settings):
    """Promote a node's alternate (return 1), prune it (-1), or leave both while it is undecided (0)."""
    links, values, cursor = tree.links, tree.values, tree.cursor[0]
    a = links[s].alternate
    weight, other_weight = values[s].error_weight, values[a].error_weight
    # right after a restart e is based on very little, and with e = 0 the bound is 0: chance would decide
    if min(weight, other_weight) <= settings.alternate_grace_period:
        return 0
    e, other = values[s].error_sum / weight, values[a].error_sum / other_weight
    epsilon = switch_bound(e, other, weight, other_weight, settings.switch_significance)
    if e - other > epsilon:
        links[s].alternate = -1
        parent = links[s].parent
        if parent < 0:
            cursor.root = a
        elif links[parent].left == s:
            links[parent].left = a
        else:
            links[parent].right = a
        links[a].of = -1
        gained = bring_forward(tree, a)
        note(tree, PROMOTED, s, np.float64(links[a].id), e, other, epsilon, 0.0, np.float64(gained))
        lost = free_subtree(tree, s)
        tree.events[cursor.n_events - 1, 7] = lost
        if settings.hedged != 0.0 and settings.kept_levels < math.inf:
            drop_far(tree, parent, settings.kept_levels)
        values[a].error_sum = values[a].error_weight = 0.0
        values[a].born_error = other
        cursor.n_promoted += 1
        return 1
    if other - e > epsilon:
        links[s].alternate = -1
        note(tree, PRUNED, s, np.float64(links[a].id), e, other, epsilon, 0.0, 0.0)
        lost = free_subtree(tree, a)
        tree.events[cursor.n_events - 1, 7] = lost
        values[s].error_sum = values[s].error_weight = 0.0
        values[s].born_error = e
        cursor.n_pruned += 1
        return -1
    return 0
