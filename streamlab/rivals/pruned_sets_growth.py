"""How the arrays of pruned sets grow, are saved and restored; every function returns new tuples and changes no old one.

Components that began again leave gaps in the arenas. Where one has no more room, and where a state is written, the
gaps are closed in the order that things came in, so that a state does not depend on when that was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.row_learner import category_counts
from streamlab.learners.base.state import contradiction, stored_length
from streamlab.learners.base.storage import Array, Storage, between, consistent, index_into, moved_places
from streamlab.learners.base.storage_rules import repeated
from streamlab.learners.mlhat.storage import words_of
from streamlab.rivals import _hoeffding as base
from streamlab.rivals import _pruned_sets as kernels
from streamlab.rivals._pruned_sets import Scratch, Sets
from streamlab.rivals.hoeffding import check_points, forest_arrays, forest_of, longer
from streamlab.schema import Feature

CHOSEN = EventKind(
    "Label sets are chosen",
    "The buffer is full. Label sets that came at most p times are pruned, p as small as leaves no more of them than "
    "the support; the others become classes, and a classifier is trained on the buffer's rows that have one of them.",
    {
        "kept": "label sets kept",
        "seen": "label sets in the buffer",
        "level": "pruned if they came at most so often (p)",
        "share": "share of the buffer's rows that is learned",
    },
)


def chosen_in_words(row: Sequence[float]) -> dict[str, Any]:
    """Return a row of the kernels' log as an event."""
    _, position, level, seen, kept, weight, total = row
    share = weight / total if total > 0 else 0.0
    often = "once" if level == 1 else f"at most {level:.0f} times"
    pruned = f"; {seen - kept:.0f} that came {often} are pruned" if seen > kept else ""
    return {
        "kind": "sets_chosen",
        "message": f"{kept:.0f} of {seen:.0f} label sets become classes, with {share:.0%} of the rows{pruned}",
        "position": int(position),
        "kept": int(kept),
        "seen": int(seen),
        "level": level,
        "share": share,
    }


# rows of the logs of events
FIRST_NOTES = 64

Arrays = Mapping[str, np.ndarray]
Pair = tuple[Sets, base.Forest]


def collects(arrays: Arrays) -> np.ndarray:
    return arrays["marks"][:, kernels.BUFFER] > 0


def wrong_buffers(arrays: Arrays) -> np.ndarray:
    """Flag components whose buffer an earlier one has, or that have both a buffer and classes."""
    buffers, has_one = arrays["marks"][:, kernels.BUFFER], collects(arrays)
    return repeated(buffers, has_one) | (has_one & (arrays["marks"][:, kernels.N_CLASSES] > 0))


def wrong_numbers_of_sets(arrays: Arrays) -> np.ndarray:
    """Flag components whose buffer has more label sets than rows, or none of a row."""
    marks = arrays["marks"]
    filled, n_sets = marks[:, kernels.FILLED], marks[:, kernels.N_SETS]
    return (n_sets > filled) | ((filled > 0) & (n_sets == 0))


def wrong_roots(arrays: Arrays) -> np.ndarray:
    """Flag components with classes whose root is not a root of theirs, and those without that have one."""
    roots, links = arrays["roots"], arrays["links"]
    has_base = arrays["marks"][:, kernels.N_CLASSES] > 0
    inside = (roots >= 0) & (roots < len(links))
    own = np.zeros(len(roots), bool)
    at = roots[inside]
    own[inside] = (links[at, base.PARENT] < 0) & (links[at, base.TREE] == np.flatnonzero(inside))
    return np.where(has_base, ~own, roots != -1)


PRUNED_SETS = Storage(
    Array("marks", ("components", kernels.N_MARKS), np.int64, rules=(
        between(0, "buffers", columns=kernels.BUFFER),
        index_into("buffer", columns=kernels.FILLED),
        between(0, "classes", columns=kernels.N_CLASSES),
        between(0, columns=kernels.N_SETS),
        consistent(wrong_buffers, "a buffer that no other component has, or classes", kernels.BUFFER),
        consistent(wrong_numbers_of_sets, "at least one label set, and no more than rows", kernels.N_SETS),
    )),
    Array("amounts", ("components", 2), finite=True),
    Array("buffer_X", ("buffers", "buffer", "features"), fill=np.nan),
    Array("buffer_weight", ("buffers", "buffer"), finite=True),
    Array("buffer_set", ("buffers", "buffer"), np.int64, rules=(index_into("buffer"),)),
    Array("seen_words", ("buffers", "buffer", "words"), np.uint64),
    Array("seen_weight", ("buffers", "buffer"), finite=True),
    Array("classes", ("components", "classes", "words"), np.uint64),
    Array("class_weight", ("components", "classes"), finite=True),
    # the bases
    *forest_arrays("components", consistent(wrong_roots, "its own root, or -1 without classes"), "classes"),
)  # fmt: skip
"""The arrays of ``Sets`` and ``Forest`` that are kept."""


def pair_of(arrays: Arrays, sets: Sets, forest: base.Forest) -> Pair:
    """Return both with other arrays."""
    own, others = ({name: arrays[name] for name in each._fields if name in arrays} for each in (sets, forest))
    return sets._replace(**own), forest._replace(**others)


def sizes_of(sets: Sets, forest: base.Forest) -> dict[str, int]:
    """Return the dimensions of the arrays as they are."""
    return PRUNED_SETS.sizes_of(PRUNED_SETS.of(sets, forest))


def resized(sets: Sets, forest: base.Forest, lengths: dict[str, int], **moved: np.ndarray) -> Pair:
    """Return both with other lengths of their dimensions; what they hold stays, or is moved."""
    return pair_of(
        PRUNED_SETS.resize(PRUNED_SETS.of(sets, forest), sizes_of(sets, forest) | lengths, moved), sets, forest
    )


def empty(features: Sequence[Feature], n_labels: int, n_components: int, buffer: int) -> Pair:
    """Return components that have seen nothing."""
    n_categories = category_counts(features)
    sizes = {
        "components": n_components, "buffers": 0, "buffer": buffer, "features": len(features),
        "categories": int(n_categories.sum()), "words": words_of(n_labels), "classes": 0, "nodes": 0, "slots": 0,
    }  # fmt: skip
    arrays = PRUNED_SETS.allocate(sizes)
    own: dict[str, Any] = {name: arrays[name] for name in Sets._fields if name in arrays}
    sets = Sets(**own, cursor=np.zeros(kernels.N_CURSOR, np.int64), noted=np.zeros((FIRST_NOTES, kernels.N_NOTES)))
    cursor, events = np.zeros(base.N_CURSOR, np.int64), np.zeros((FIRST_NOTES, base.N_EVENT))
    return sets, forest_of(arrays | {"kinds": n_categories}, cursor, events)


def with_columns(sets: Sets, forest: base.Forest, features: Sequence[Feature], n_labels: int) -> Pair:
    """Return both with room for features, categories and labels that were added.

    In rows of a buffer a new feature is missing; label sets are without the new label.
    """
    n_categories = category_counts(features)
    lengths = {"features": len(features), "categories": int(n_categories.sum()), "words": words_of(n_labels)}
    sets, forest = resized(sets, forest, lengths, categories=moved_places(forest.n_categories, n_categories))
    return sets, forest._replace(n_categories=n_categories, first_category=np.cumsum(n_categories) - n_categories)


def with_room(sets: Sets, forest: base.Forest) -> Pair:
    """Return both with the room that a kernel stopped for; the logs of events must be empty."""
    sets, forest = compacted(sets, forest)
    wanted, sizes = sets.cursor, sizes_of(sets, forest)
    lengths = {"classes": max(sizes["classes"], int(wanted[kernels.WANT_CLASSES]))}
    needed = {
        "buffers": int(wanted[kernels.BUFFERS] + wanted[kernels.WANT_BUFFERS]),
        "nodes": int(forest.cursor[base.NODES] + wanted[kernels.WANT_NODES]),
        "slots": int(forest.cursor[base.SLOTS] + wanted[kernels.WANT_SLOTS]),
    }
    sets, forest = resized(sets, forest, lengths | longer(sizes, needed))
    n_splits = int(wanted[kernels.WANT_SPLITS])
    if n_splits > len(forest.events):
        forest = forest._replace(events=np.zeros((2 * n_splits, base.N_EVENT)))
    return sets, forest


def compacted(sets: Sets, forest: base.Forest) -> Pair:
    """Return both without what components gave back, in the order in which the rest came in."""
    if not sets.cursor[[kernels.IDLE_BUFFERS, kernels.IDLE_NODES, kernels.IDLE_SLOTS]].any():
        return sets, forest
    links = forest.links[: int(forest.cursor[base.NODES])]
    nodes = np.flatnonzero(links[:, base.TREE] >= 0)
    links = links[nodes]
    slots = np.unique(links[links[:, base.SLOT] >= 0, base.SLOT])
    for columns, live in (((base.LEFT, base.RIGHT, base.PARENT), nodes), ((base.SLOT,), slots)):
        for column in columns:
            links[:, column] = renumbered(links[:, column], live)
    marks = sets.marks.copy()
    buffers = np.unique(marks[collects({"marks": marks}), kernels.BUFFER]) - 1
    marks[:, kernels.BUFFER] = 1 + renumbered(marks[:, kernels.BUFFER] - 1, buffers)
    chosen = {"nodes": nodes, "slots": slots, "buffers": buffers}
    arrays = {
        name: gathered(array, chosen[str(PRUNED_SETS.arrays[name].shape[0])], PRUNED_SETS.arrays[name].fill)
        for name, array in PRUNED_SETS.of(sets, forest).items()
        if PRUNED_SETS.arrays[name].shape[0] in chosen
    }
    arrays["links"][: len(links)] = links
    arrays |= {"marks": marks, "roots": renumbered(forest.roots, nodes)}
    cursor, own = forest.cursor.copy(), sets.cursor.copy()
    cursor[[base.NODES, base.SLOTS]] = len(nodes), len(slots)
    own[kernels.BUFFERS] = len(buffers)
    own[[kernels.IDLE_BUFFERS, kernels.IDLE_NODES, kernels.IDLE_SLOTS]] = 0
    return pair_of(arrays, sets._replace(cursor=own), forest._replace(cursor=cursor))


def renumbered(indices: np.ndarray, live: np.ndarray) -> np.ndarray:
    """Return the places of indices among those that are left; -1 stays -1."""
    return np.where(indices >= 0, np.searchsorted(live, indices), -1)


def gathered(array: np.ndarray, rows: np.ndarray, fill: float) -> np.ndarray:
    """Return an array of the same length with these rows first."""
    new = np.full(array.shape, fill, array.dtype) if fill else np.zeros(array.shape, array.dtype)
    new[: len(rows)] = array[rows]
    return new


def scratch_for(sets: Sets) -> Scratch:
    """Return what kernels write to."""
    n, rows, words = sets.class_weight.shape[1], sets.buffer_weight.shape[1], sets.seen_words.shape[2]
    return Scratch(
        np.zeros(n), np.zeros(n), np.zeros((2, n)), np.zeros(n, np.uint8), np.zeros(rows), np.zeros(rows, np.int64),
        np.zeros(words, np.uint64),
    )  # fmt: skip


def label_sets(sets: Sets, p: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return bits and weights of the label sets of component ``p``, and whether they are its classes already."""
    b, n_sets, n_classes = (int(sets.marks[p, i]) for i in (kernels.BUFFER, kernels.N_SETS, kernels.N_CLASSES))
    if n_classes:
        return sets.classes[p, :n_classes], sets.class_weight[p, :n_classes], True
    # without a buffer there are no label sets either
    return (sets.seen_words[b - 1, :n_sets], sets.seen_weight[b - 1, :n_sets], False) if b else (
        np.zeros((0, sets.seen_words.shape[2]), np.uint64), np.zeros(0), False,
    )  # fmt: skip


def labels_of(words: np.ndarray, labels: Sequence[str]) -> list[str]:
    """Return the names of the labels in a set."""
    return [label for j, label in enumerate(labels) if int(words[j // 64]) >> (j % 64) & 1]


# ---------------------------------------------------------------------- state


def saved(
    sets: Sets, forest: base.Forest, n_components: int | None = None, table: Storage = PRUNED_SETS
) -> dict[str, Any]:
    """Return the state of the first components; no others are in use."""
    sets, forest = compacted(sets, forest)
    used = {
        "components": len(sets.marks) if n_components is None else n_components,
        "buffers": int(sets.cursor[kernels.BUFFERS]),
        "nodes": int(forest.cursor[base.NODES]),
        "slots": int(forest.cursor[base.SLOTS]),
    }
    return table.state(PRUNED_SETS.of(sets, forest), sizes_of(sets, forest), used)


def restored(
    owner: str,
    state: Mapping[str, Any],
    features: Sequence[Feature],
    n_labels: int,
    buffer: int,
    components: tuple[int, int],
    table: Storage = PRUNED_SETS,
) -> Pair:
    """Return what ``saved`` returned the state of, perhaps altered.

    Parameters
    ----------
    owner
        Name of the learner, for messages.
    components
        How many there are, and how many of them the state has.

    Raises
    ------
    ValueError
        If an array is missing or breaks a rule of the table, naming it.
    """
    sets, forest = empty(features, n_labels, components[0], buffer)
    sizes = sizes_of(sets, forest)
    for name, array, axis in (("buffers", "buffer_weight", 0), ("nodes", "links", 0), ("slots", "weights", 0),
                              ("classes", "class_weight", 1)):  # fmt: skip
        sizes[name] = stored_length(owner, state, table.key_of(table.arrays[array]), axis)
    arrays = table.restore(owner, state, sizes, {"components": components[1]})
    _check_categories(owner, arrays, forest.n_categories, table)
    sets, forest = pair_of(arrays, sets, forest)
    sets.cursor[kernels.BUFFERS] = sizes["buffers"]
    forest.cursor[[base.NODES, base.SLOTS]] = sizes["nodes"], sizes["slots"]
    base.set_bells(forest.moments, forest.bells)
    return sets, forest


def _check_categories(owner: str, arrays: Arrays, n_categories: np.ndarray, table: Storage) -> None:
    """Raise a ValueError where a nominal feature has a value, or a test, that is not a category."""
    for f in np.flatnonzero(n_categories).tolist():
        n, values = n_categories[f], arrays["buffer_X"][:, :, f]
        wrong = ~(np.isnan(values) | ((values >= 0) & (values < n) & (values == np.floor(values))))
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise contradiction(
                owner,
                f"{table.key_of(table.arrays['buffer_X'])} row {place[0]}, column {place[1]}, column {f} is "
                f"{values[place]}; expected the index of a category, 0 to {n - 1}, or NaN",
            )
    check_points(owner, table, arrays, n_categories)
