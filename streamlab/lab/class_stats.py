"""The classes of a hierarchy as a learner answers them now: how well of late, how often they come, the latest walk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.schema import Hierarchy

if TYPE_CHECKING:
    from streamlab.lab.run import Run

__all__ = ["ClassRecords", "class_columns", "class_story"]


class ClassRecords:
    """Hits and misses of a learner at each class of a hierarchy, older instances fading.

    Parameters
    ----------
    hierarchy
        That of the labels.
    fading
        Weight of an instance relative to the next, as in the faded measures.
    """

    def __init__(self, hierarchy: Hierarchy, fading: float = 0.995) -> None:
        self.hierarchy, self.fading = hierarchy, fading
        self._counts = np.zeros((3, len(hierarchy)))

    def add(self, Y: np.ndarray, Z: np.ndarray) -> None:
        """Count true labels ``Y`` and predicted ones ``Z``, both (n, n_labels), with the ancestors of their labels."""
        n = len(Y)
        true, predicted = (self.hierarchy.with_ancestors(labels).astype(bool) for labels in (Y, Z))
        weights = self.fading ** np.arange(n - 1, -1, -1.0)
        self._counts *= self.fading**n
        self._counts[0] += weights @ (true & predicted)
        self._counts[1] += weights @ (predicted & ~true)
        self._counts[2] += weights @ (true & ~predicted)

    @property
    def weight(self) -> np.ndarray:
        """Instances of each class, faded; float64 (n_labels,)."""
        return self._counts[0] + self._counts[2]

    def scores(self) -> dict[str, np.ndarray]:
        """``hp``, ``hr``, ``hf``: hierarchical precision, recall and F of each class and all below it; NaN for 0/0."""
        hits, false, missed = self._counts @ self.hierarchy.above
        with np.errstate(invalid="ignore", divide="ignore"):
            return {
                "hp": hits / (hits + false),
                "hr": hits / (hits + missed),
                "hf": 2 * hits / (2 * hits + false + missed),
            }


WALK = {"held": -1, "distance": np.nan, "normalised": np.nan, "stopped": False, "tied": False}
"""What only a learner that walks down the hierarchy tells of a class, and what stands there for the others."""


def class_columns(run: Run, name: str) -> dict[str, np.ndarray]:
    """The classes of a run's hierarchy as copies, one entry a class, for any learner.

    Parameters
    ----------
    run
        A run on a stream whose labels have a hierarchy.
    name
        The learner.

    Returns
    -------
    dict of arrays of shape (n_labels,)
        ``id`` (the label's column), ``parent`` (-1 at the top; of several the first), ``depth``, ``is_leaf``;
        ``arrivals`` (instances so far) and ``weight`` (the same, faded); ``hp``, ``hr``, ``hf`` of the class and all
        below it, faded, NaN for 0/0; of the latest instance ``true`` and ``predicted`` (bool, ancestors included).
        Of a learner whose ``structure`` is ``"hierarchy"`` also ``held`` (examples in the window), ``distance``
        (average to the nearest, NaN where the walk did not ask), ``normalised``, ``stopped``, ``tied`` as its
        ``node_columns`` has them, and then ``true`` and ``predicted`` are of the latest instance it has learned; of
        others -1, NaN and False. ``compared``: one of the classes between which the walk decided last, where it
        stopped or at its last step.
    """
    track, tree = run.tracks[name], run.stream.schema.hierarchy
    n = len(tree)
    records = track.classes
    columns = {
        "id": np.arange(n, dtype=np.int64),
        "parent": np.array([(tree.parents_of(c) or (-1,))[0] for c in range(n)], np.int64),
        "depth": np.array(tree.depths, np.int64),
        "is_leaf": np.isin(np.arange(n), tree.leaves),
        "arrivals": np.rint(run.labels.whole * run.labels.n).astype(np.int64),
        "weight": records.weight,
        **records.scores(),
        "true": _with_ancestors(tree, None if run.last is None else run.last[1]),
        "predicted": _with_ancestors(tree, track.last_labels),
        **{key: np.full(n, value) for key, value in WALK.items()},
    }
    if track.learner.picture == "hierarchy":
        known = track.learner.node_columns()
        for key in (*WALK, "true", "predicted"):
            columns[key] = known[key]
    columns["compared"] = _compared(tree, columns)
    return columns


def _with_ancestors(tree: Hierarchy, labels: np.ndarray | None) -> np.ndarray:
    if labels is None:
        return np.zeros(len(tree), bool)
    return tree.with_ancestors(labels[None])[0].astype(bool)


def _compared(tree: Hierarchy, columns: dict[str, np.ndarray]) -> np.ndarray:
    """Where a walk stopped the classes it stopped before; else those that were asked for at its last step."""
    if columns["stopped"].any():
        return columns["stopped"].copy()
    compared = np.zeros(len(tree), bool)
    ends = np.flatnonzero(tree.deepest(columns["predicted"][None])[0])
    for end in ends.tolist():
        for parent in tree.parents_of(end) or (-1,):
            compared[list(tree.children(parent))] = True
    return compared & ~np.isnan(columns["distance"])


def class_story(run: Run, name: str, column: int) -> dict[str, Any] | None:
    """The story of one class for a learner, or None if there is none.

    Returns
    -------
    dict
        ``label``, ``paths`` (names, from the top down), ``children`` (names), what ``class_columns`` says of it,
        ``share`` of the recent instances, ``rivals``: the other classes compared with it on the latest walk, as
        (name, distance) by distance; and where the learner keeps a window for each class: ``window``, its size, and
        ``error``, ``watched`` of its detector (None without one).
    """
    schema = run.stream.schema
    tree, names = schema.hierarchy, schema.labels
    if not 0 <= column < len(tree):
        return None
    learner = run.tracks[name].learner
    columns = class_columns(run, name)
    own = learner.describe_node(column) or {} if learner.picture == "hierarchy" else {}
    beside = {c for parent in tree.parents_of(column) or (-1,) for c in tree.children(parent)}
    distances = columns["distance"]
    rivals = sorted((float(distances[c]), names[c]) for c in beside if not np.isnan(distances[c]))
    return {
        "label": names[column],
        "paths": [tuple(names[c] for c in path) for path in tree.paths_to(column)],
        "children": [names[c] for c in tree.children(column)],
        **{key: values[column].item() for key, values in columns.items()},
        "share": float(run.labels.now[column]),
        "rivals": [(rival, distance) for distance, rival in rivals],
        "window": int(learner.window) if own else None,
        "error": own.get("error"),
        "watched": own.get("watched"),
    }
