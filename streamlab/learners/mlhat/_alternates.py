"""Kernels of drift in a branch: its detectors, the alternate that they start, and the comparison of the two."""

from __future__ import annotations

import math

import numpy as np

from streamlab.detectors._adwin import CLOCK, GRACE, SHORTEST, TOTAL, WIDTH, feed_one
from streamlab.kernels import kernel
from streamlab.learners.mlhat._answer import error_of
from streamlab.learners.mlhat._event_log import PROMOTED, PRUNED, STARTED, note
from streamlab.learners.mlhat._hedge import drop_far
from streamlab.learners.mlhat._memory import fits
from streamlab.learners.mlhat._tree import COUNTED, INNER, INSIDE, LEAN, bring_forward, free_subtree, new_leaf

__all__ = ["detect", "duel", "start_alternate", "switch_bound"]


@kernel(**INNER)
def detect(tree, d, loss, delta):
    """Feed detector ``d``; return 1 for a rise, -1 for a fall or 0, and the means of what was dropped and stays."""
    before, _ = feed_one(
        tree.totals, tree.spreads, tree.filled, tree.adwin, tree.changed, d, loss, delta, CLOCK, SHORTEST, GRACE
    )
    if math.isnan(before):
        return 0, 0.0, 0.0
    after = tree.adwin[d, TOTAL] / tree.adwin[d, WIDTH]
    return (1 if after > before else -1), before, after


@kernel(**COUNTED, **INSIDE)
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


@kernel(**LEAN)
def switch_bound(e, other, weight, other_weight, delta):
    """Return ε_alt (equation 16)."""
    both = (weight + other_weight) / (weight * other_weight)
    return math.sqrt(2.0 * e * (1.0 - other) * both * math.log(2.0 / delta))


@kernel(**COUNTED, **INSIDE)
def duel(tree, s, settings):
    """Promote a node's alternate (return 1), prune it (-1), or leave both while it is undecided (0)."""
    links, values, cursor = tree.links, tree.values, tree.cursor[0]
    a = links[s].alternate
    weight, other_weight = values[s].error_weight, values[a].error_weight
    # right after a restart e is based on very little, and with e = 0 the bound is 0: chance would decide
    if min(weight, other_weight) <= settings.alternate_grace:
        return 0
    e, other = values[s].error_sum / weight, values[a].error_sum / other_weight
    epsilon = switch_bound(e, other, weight, other_weight, settings.switch)
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
