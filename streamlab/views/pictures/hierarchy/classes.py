"""The classes of a hierarchy as columns, and what there is to tell of one: for any learner of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from streamlab.schema import Hierarchy

if TYPE_CHECKING:
    from streamlab.lab import Run

OF_DESCENT = {"held": -1, "distance": np.nan, "normalised": np.nan, "stopped": False, "tied": False}
"""Columns of learners that go down the hierarchy, and their values for all others."""


@runtime_checkable
class Descent(Protocol):
    """What a learner has whose own way down the hierarchy is drawn; the picture shows any other learner without."""

    window: int

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the columns ``OF_DESCENT``, ``true`` and ``predicted``, a row per label."""

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what the details say of one of them; None if there is no such label."""


def class_columns(run: Run, name: str) -> dict[str, np.ndarray]:
    """Return the classes of a run's hierarchy as copies, one entry a class, for any learner.

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
        Of a learner whose ``picture`` is ``"hierarchy"`` also ``held`` (examples that it keeps), ``distance``
        (average to the nearest, NaN where it was not asked for), ``normalised``, ``stopped``, ``tied`` as its
        ``node_columns`` has them, and then ``true`` and ``predicted`` are of the latest instance it has learned; of
        others -1, NaN and False. ``compared``: one of the classes between which it decided last, where it stopped or
        at its last step.
    """
    learner_run, tree = run.learner_runs[name], run.stream.schema.hierarchy
    records = learner_run.classes
    assert tree is not None, "the labels have a hierarchy"
    assert records is not None, "where there is a hierarchy, its classes are counted"
    learner: Any = learner_run.learner
    n = len(tree)
    columns = {
        "id": np.arange(n, dtype=np.int64),
        "parent": np.array([(tree.parents_of(c) or (-1,))[0] for c in range(n)], np.int64),
        "depth": np.array(tree.depths, np.int64),
        "is_leaf": np.isin(np.arange(n), tree.leaves),
        "arrivals": np.rint(run.labels.whole * run.labels.n).astype(np.int64),
        "weight": records.weight,
        **records.scores(),
        "true": _with_ancestors(tree, None if run.last is None else run.last[1]),
        "predicted": _with_ancestors(tree, learner_run.last_labels),
        **{key: np.full(n, value) for key, value in OF_DESCENT.items()},
    }
    if learner.picture == "hierarchy":
        known = learner.node_columns()
        for key in (*OF_DESCENT, "true", "predicted"):
            columns[key] = known[key]
    columns["compared"] = _compared(tree, columns)
    return columns


def _with_ancestors(tree: Hierarchy, labels: np.ndarray | None) -> np.ndarray:
    if labels is None:
        return np.zeros(len(tree), bool)
    return tree.with_ancestors(labels[None])[0].astype(bool)


def _compared(tree: Hierarchy, columns: dict[str, np.ndarray]) -> np.ndarray:
    """Mark the classes before which the learner stopped; else those that it compared at its last step."""
    if columns["stopped"].any():
        return columns["stopped"].copy()
    compared = np.zeros(len(tree), bool)
    ends = np.flatnonzero(tree.deepest(columns["predicted"][None])[0])
    for end in ends.tolist():
        for parent in tree.parents_of(end) or (-1,):
            compared[list(tree.children(parent))] = True
    return compared & ~np.isnan(columns["distance"])


def class_story(
    run: Run, name: str, column: int, columns: dict[str, np.ndarray] | None = None
) -> dict[str, Any] | None:
    """Return the details of one class for a learner, or None if there is no such class.

    Parameters
    ----------
    run, name
        As in ``class_columns``.
    column
        The label's column.
    columns
        What ``class_columns`` returned, where that is known already.

    Returns
    -------
    dict
        ``label``, ``paths`` (names, from the top down), ``children`` (names), what ``class_columns`` says of it,
        ``share`` of the recent instances, ``rivals``: the classes compared with it for the latest instance, as
        (name, distance) by distance; and where the learner keeps windows: ``window``, the size of one, ``windows``,
        how many of them hold the examples of the class, and ``error``, ``watched`` of its detector (None without one).
    """
    schema = run.stream.schema
    tree, names = schema.hierarchy, schema.labels
    assert tree is not None, "the labels have a hierarchy"
    if not 0 <= column < len(tree):
        return None
    learner: Any = run.learner_runs[name].learner
    columns = class_columns(run, name) if columns is None else columns
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
        "windows": own.get("windows", 1),
        "error": own.get("error"),
        "watched": own.get("watched"),
    }
