"""Put the labels of a flat stream under new ones, so that a set of classes becomes a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from streamlab._checks import few, near
from streamlab.schema import Hierarchy, Schema
from streamlab.streams.stream import Stream
from streamlab.streams.wrapped import WrappedStream, check_told_at_once

__all__ = ["NestedLabels", "nest_labels"]


class NestedLabels(WrappedStream):
    """A stream whose labels are put under others; see ``nest_labels`` for the parameters and errors.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = nest_labels(ArrayStream([[0.0]], [[1, 0]]), {"y0": "high", "y1": "high"})
    >>> type(stream).__name__, stream.schema.labels
    ('NestedLabels', ('high', 'y0', 'y1'))
    """

    def __init__(self, stream: Stream, parents: Mapping[str, str]) -> None:
        if stream.schema.hierarchy is not None:
            raise ValueError(f"{stream.name}: its labels form a hierarchy already; expected a flat stream")
        check_told_at_once([stream], "the nesting")
        super().__init__(stream, "labels nested")
        given = stream.schema.labels
        known = {*given, *parents.values()}
        for label in parents:
            if label not in known:
                raise ValueError(
                    f"parents: {label!r} is neither a label of {stream.name} nor above one"
                    f"{near(str(label), sorted(map(str, known)))}; expected {few(given)}"
                )
        for label in parents.values():
            if label in given:
                raise ValueError(f"parents: {label!r} is a label of {stream.name}; expected a new name for one above")
        ancestors = {label: _ancestors(label, parents) for label in given}
        names: list[str] = []
        # depth first: sort each label by the first labels of its ancestors, from the top down, then by its own place
        places = {
            label: [*(_first(a, given, ancestors) for a in ancestors[label][::-1]), i] for i, label in enumerate(given)
        }
        for label in sorted(given, key=places.__getitem__):
            names.extend(a for a in (*ancestors[label][::-1], label) if a not in names)
        unused = [label for label in parents.values() if label not in names]
        if unused:
            raise ValueError(f"parents: no label of {stream.name} is below {unused[0]!r}; expected at least one")
        place = {label: j for j, label in enumerate(names)}
        self.schema = Schema(
            stream.schema.features,
            tuple(names),
            Hierarchy(tuple(place[parents[label]] if label in parents else -1 for label in names)),
        )
        self._above = np.zeros((len(given), len(names)), np.uint8)
        for i, label in enumerate(given):
            self._above[i, [place[a] for a in (label, *ancestors[label])]] = 1

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return X, (Y.astype(np.int64) @ self._above > 0).astype(np.uint8)


def nest_labels(stream: Stream, parents: Mapping[str, str]) -> NestedLabels:
    """Put the labels of a flat stream under others, which are added and set wherever one below them is.

    Parameters
    ----------
    stream
        Any stream with flat labels, all known at once.
    parents
        For a label of the stream, or one above it, the name of its parent; a label that is not named is at the top.

    Returns
    -------
    NestedLabels
        With a hierarchy in its schema. A label comes directly before those below it, which keep their order.

    Raises
    ------
    ValueError
        If the stream has a hierarchy or its labels come late, a name is not known, a label of the stream would be
        above another, or the names form a cycle.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = nest_labels(ArrayStream([[0.0]] * 2, [[1, 0], [0, 1]]), {"y0": "high", "y1": "high"})
    >>> stream.schema.labels, stream.schema.hierarchy.parents, next(stream.chunks()).Y.tolist()
    (('high', 'y0', 'y1'), (-1, 0, 0), [[1, 1, 0], [1, 0, 1]])
    """
    return NestedLabels(stream, parents)


def _ancestors(label: str, parents: Mapping[str, str]) -> list[str]:
    """Return the ancestors of a label, its parent first."""
    found: list[str] = []
    while label in parents:
        label = parents[label]
        if label in found:
            raise ValueError(f"parents: {label!r} is above itself; expected no cycle")
        found.append(label)
    return found


def _first(above: str, given: tuple[str, ...], ancestors: Mapping[str, list[str]]) -> int:
    """Return the place of the first label below ``above``, by which the labels above are ordered."""
    return next(i for i, label in enumerate(given) if above in ancestors[label])
