"""Kernels of the hedged tree: two experts answer, and what each has lost lately says how much it counts.

In a leaf the experts are its neighbours and its regressions; in a branch they are the regressions that it kept and the
answer from below. This is the exponentially weighted ("Hedge") rule over two experts, with losses that fade.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._classifiers import bounded_rate, linear_sums, mean_probabilities, step
from streamlab.learners.mlhat._draws import bag_weights
from streamlab.learners.mlhat._losses import loss_of
from streamlab.learners.mlhat._settings import MICRO_F1
from streamlab.learners.mlhat._tree import INNER, INSIDE, LEAN, free_kept

__all__ = ["drop_far", "is_asked", "judge", "keeps", "mix", "mix_branch", "trust"]

# the largest exponent: beyond it an expert's share is 1e-13
STEEPEST = 30.0


@kernel(**LEAN)
def trust(loss, other, eta):
    """Return the share of an expert with a faded loss beside another: 1 / (1 + exp(η (loss - other)))."""
    return 1.0 / (1.0 + math.exp(min(max(eta * (loss - other), -STEEPEST), STEEPEST)))


@kernel(**INNER)
def judge(tree, s, first, second, y, fading):
    """Add the experts' losses of node ``s`` on an instance, 1 - F1 of its labels, before the node counts it.

    The losses are means of all instances until these are more than 1 / ``fading``; then they fade.
    """
    losses = tree.expert_losses
    rate = max(fading, 1.0 / (tree.links[s].n_rows + 1.0))
    losses[s].first += rate * (loss_of(np.float64(MICRO_F1), first, y) - losses[s].first)
    losses[s].second += rate * (loss_of(np.float64(MICRO_F1), second, y) - losses[s].second)


@kernel(**INNER)
def mix(share, first, second, out):
    """Fill ``out``, which may be either answer, with ``share`` of the first answer and the rest of the second."""
    for label in range(out.shape[0]):
        out[label] = share * first[label] + (1.0 - share) * second[label]


@kernel(**INNER)
def is_asked(tree, s, height, settings):
    """Return whether branch ``s`` answers beside what is below, ``height`` levels above the leaf that answers there."""
    return tree.kept_slots[s, 0] >= 0 and (height <= settings.kept_levels or tree.links[s].depth == 0)


@kernel(**INNER)
def mix_branch(tree, s, leaf, columns, inputs, n_inputs, y, learns, seed, settings, times, sums, own, answer):
    """Mix the own answer of branch ``s`` into ``answer``, the one from below.

    With ``learns`` both are judged and the branch's regressions take their steps, short ones where the row is far from
    what ``leaf``, where it ends, remembers. ``times``, ``sums`` and ``own`` are
    overwritten.
    """
    k = tree.kept_slots[s, 0]
    weights, intercepts = tree.kept_weights[k], tree.kept_intercepts[k]
    linear_sums(weights, intercepts, columns, inputs, n_inputs, sums)
    mean_probabilities(sums[1], np.int64(settings.models), own)
    share = trust(tree.expert_losses[s].first, tree.expert_losses[s].second, settings.eta)
    if learns:
        judge(tree, s, own, answer, y, settings.fading)
        bag_weights(seed, tree.cursor[0].position, tree.links[s].id, times)
        rate = bounded_rate(tree, leaf, inputs, n_inputs, settings.learning)
        step(weights, intercepts, columns, inputs, n_inputs, y, times, rate, settings.intercept, sums)
    mix(share, own, answer, answer)


# ---------------------------------------------------------------------- which branches keep their regressions


@kernel(**INNER)
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


@kernel(**INSIDE)
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
