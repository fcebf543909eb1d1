"""The hierarchy of labels: a forest or a directed acyclic graph, built from paths or tables, and extended."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from streamlab._frames import pandas_of

__all__ = ["Hierarchy"]

SEPARATOR = "/"


@dataclass(frozen=True)
class Hierarchy:
    """The labels of a schema as a forest or as a directed acyclic graph; its root is not a label and is omitted.

    Parameters
    ----------
    parents
        For each label, in the schema's order, the index of its parent, -1 for a top-level label, or the indices of
        several parents as a tuple. A tuple of one is kept as the index, an empty one as -1.

    Raises
    ------
    ValueError
        If a parent does not exist or is given twice, or the labels form a cycle.

    Examples
    --------
    >>> Hierarchy((-1, 0, 0)).children(0)
    (1, 2)
    >>> Hierarchy((-1, -1, (0, 1))).is_tree
    False
    >>> Hierarchy.from_paths(["nature/sky", "built/wall"])[0]
    ('nature', 'sky', 'built', 'wall')
    """

    parents: tuple[int | tuple[int, ...], ...]
    depths: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The depth of every label."""

    def __post_init__(self) -> None:
        above = [_as_indices(parent) for parent in self.parents]
        n = len(above)
        for label, indices in enumerate(above):
            for parent in indices:
                if not 0 <= parent < n:
                    raise ValueError(f"hierarchy: label {label} has the parent {parent}; expected -1 or 0..{n - 1}")
            if len(set(indices)) != len(indices):
                raise ValueError(f"hierarchy: label {label} names a parent twice: {indices}")
        entries = tuple(-1 if not a else a[0] if len(a) == 1 else a for a in above)
        object.__setattr__(self, "parents", entries)
        depths = [0] * n
        try:
            for label in TopologicalSorter({i: parents for i, parents in enumerate(above) if parents}).static_order():
                depths[label] = 1 + max((depths[parent] for parent in above[label]), default=-1)
        except CycleError as error:
            raise ValueError(f"hierarchy: the ancestors of label {min(error.args[1])} form a cycle") from None
        object.__setattr__(self, "depths", tuple(depths))

    # ------------------------------------------------------------------ ways to make one

    @classmethod
    def from_paths(
        cls, paths: Iterable[Any], *, separator: str = SEPARATOR, dag: bool = False
    ) -> tuple[tuple[str, ...], Hierarchy]:
        """Build labels and hierarchy from label paths, in the order in which the labels first occur.

        Parameters
        ----------
        paths
            One path per row: ``'a/b/c'`` or ``('a', 'b', 'c')``, from the top down; a list or set of paths is a row
            with several.
        separator
            What separates the labels of a path that is one string.
        dag
            Whether a label may have several parents.

        Returns
        -------
        labels : tuple of str
        hierarchy : Hierarchy

        Raises
        ------
        ValueError
            For an empty path, a label with two parents, a path that skips a level, or a cycle; the message names
            the label and the row.
        """
        builder = HierarchyBuilder(separator=separator, dag=dag)
        for row, several in enumerate(paths):
            for path in split_paths(several, row, separator):
                builder.add_path(path, row)
        return builder.build()

    @classmethod
    def from_table(cls, table: Any, *, dag: bool = False) -> tuple[tuple[str, ...], Hierarchy]:
        """Build labels and hierarchy from a table of children and parents.

        Parameters
        ----------
        table
            A dictionary ``{child: parent}``, pairs ``(child, parent)``, or a DataFrame whose first two columns are
            child and parent. A parent of None, NaN or ``""`` puts the child at the top, and so does being named as a
            parent only. In a dictionary a tuple, list or set of parents is several.
        dag
            Whether a label may have several parents.

        Returns
        -------
        labels : tuple of str
            Children and parents in the order in which they first occur, a parent before its child.
        hierarchy : Hierarchy

        Raises
        ------
        ValueError
            For a label under two parents, at the top and under a parent, or in a cycle; it names the label and the row.
        """
        table = pandas_of(table)
        if hasattr(table, "columns"):
            if len(table.columns) < 2:
                raise ValueError(f"table has the columns {list(table.columns)}; expected child and parent")
            pairs = list(zip(table.iloc[:, 0].tolist(), table.iloc[:, 1].tolist(), strict=True))
        else:
            pairs = list(table.items() if isinstance(table, Mapping) else table)
        builder = HierarchyBuilder(dag=dag)
        for row, pair in enumerate(pairs):
            if isinstance(pair, str) or len(pair) != 2:
                raise ValueError(f"table row {row}: {pair!r}; expected (child, parent)")
            child, parents = pair
            child = _as_label(child, f"table row {row}")
            several = list(parents) if isinstance(parents, (tuple, list, set, frozenset)) else [parents]
            for parent in sorted(several, key=str) if isinstance(parents, (set, frozenset)) else several or [None]:
                nothing = parent is None or parent == "" or parent != parent
                builder.add_parent(child, None if nothing else _as_label(parent, f"table row {row}"), row)
        return builder.build()

    # ------------------------------------------------------------------ parents, children, levels

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    def is_tree(self) -> bool:
        """Whether no label has several parents."""
        return not any(isinstance(parent, tuple) for parent in self.parents)

    def parents_of(self, label: int) -> tuple[int, ...]:
        """Return the indices of the labels directly above ``label``; empty at the top."""
        return _as_indices(self.parents[label])

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        below: list[list[int]] = [[] for _ in range(len(self.parents) + 1)]
        for label in range(len(self.parents)):
            for parent in self.parents_of(label) or (-1,):
                below[parent].append(label)
        return tuple(map(tuple, below))

    def children(self, label: int) -> tuple[int, ...]:
        """Return the indices of the labels directly under ``label`` (-1: the top-level labels)."""
        if not -1 <= label < len(self.parents):
            raise ValueError(f"label {label}: expected -1 or 0..{len(self.parents) - 1}")
        return self._children[label]

    def depth(self, label: int) -> int:
        """Return how many levels of ancestors ``label`` has: 0 for a top-level label; with several parents the most."""
        return self.depths[label]

    @property
    def n_levels(self) -> int:
        """How many levels the labels have."""
        return max(self.depths, default=-1) + 1

    @cached_property
    def lines(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For kernels, int64: label l and its ancestors are ``above[first[l]:first[l + 1]]``; the depths.

        Returned are ``first`` (n_labels + 1,), ``above`` and ``depth`` (n_labels,).
        """
        first = np.concatenate([[0], np.cumsum(self.above.sum(axis=1))]).astype(np.int64)
        return first, np.nonzero(self.above)[1].astype(np.int64), np.array(self.depths, np.int64)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """All labels, parents before their children."""
        return tuple(sorted(range(len(self.parents)), key=self.depth))

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The labels with none under them."""
        return tuple(label for label in range(len(self.parents)) if not self._children[label])

    @cached_property
    def above(self) -> np.ndarray:
        """bool (n_labels, n_labels): ``above[a, b]`` where b is a or one of its ancestors. Do not write into it."""
        matrix = np.eye(len(self.parents), dtype=bool)
        for label in self.order:
            for parent in self.parents_of(label):
                matrix[label] |= matrix[parent]
        return matrix

    def ancestors(self, label: int) -> tuple[int, ...]:
        """Return the labels above ``label``, from the top down."""
        return tuple(other for other in self.order if self.above[label, other] and other != label)

    def descendants(self, label: int) -> tuple[int, ...]:
        """Return the labels below ``label``, from the top down."""
        return tuple(other for other in self.order if self.above[other, label] and other != label)

    def paths_to(self, label: int) -> tuple[tuple[int, ...], ...]:
        """Return every path from the top to ``label``, itself included; in a forest there is one."""
        above = self.parents_of(label)
        if not above:
            return ((label,),)
        return tuple((*path, label) for parent in above for path in self.paths_to(parent))

    # ------------------------------------------------------------------ label sets

    def with_ancestors(self, Y: np.ndarray) -> np.ndarray:
        """Return the label sets with all ancestors of their labels, uint8 (n, n_labels)."""
        closed = np.array(Y, np.uint8)
        for label in reversed(self.order):
            for parent in self.parents_of(label):
                closed[:, parent] |= closed[:, label]
        return closed

    def deepest(self, Y: np.ndarray) -> np.ndarray:
        """Return of each label set the labels without a child in it, where paths end, uint8 (n, n_labels)."""
        ends = np.array(Y, np.uint8)
        for label in self.order:
            for parent in self.parents_of(label):
                ends[:, parent] &= np.uint8(1) - np.asarray(Y, np.uint8)[:, label]
        return ends

    @cached_property
    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Every label that has a parent, and that parent: two int64 arrays, a row for each parent."""
        pairs = [(label, parent) for label in range(len(self.parents)) for parent in self.parents_of(label)]
        labels, parents = np.array(pairs, np.int64).reshape(-1, 2).T
        return labels, parents

    def first_gap(self, Y: np.ndarray) -> tuple[int, int, int] | None:
        """Return the first (row, label, parent) where a label is set without its parent, None if there is none."""
        labels, parents = self.edges
        gaps = Y[:, labels] > Y[:, parents]
        if not gaps.any():
            return None
        row, edge = np.argwhere(gaps)[0]
        return int(row), int(labels[edge]), int(parents[edge])

    def grown(self, parents: Iterable[int | tuple[int, ...]]) -> Hierarchy:
        """Return the hierarchy with more labels at the end, given by their parents."""
        return Hierarchy((*self.parents, *parents))


class HierarchyBuilder:
    """Add labels as they arrive; a path that is refused changes nothing.

    Parameters
    ----------
    labels, hierarchy
        Known labels; without a hierarchy all of them are at the top.
    separator, dag
        As in ``Hierarchy.from_paths``.
    """

    def __init__(
        self,
        labels: Sequence[str] = (),
        hierarchy: Hierarchy | None = None,
        *,
        separator: str = SEPARATOR,
        dag: bool = False,
    ) -> None:
        self.labels: list[str] = list(labels)
        self.separator, self.dag = separator, dag
        self.index = {label: i for i, label in enumerate(self.labels)}
        self._above = [() if hierarchy is None else hierarchy.parents_of(i) for i in range(len(self.labels))]
        self._at_top: set[int] = set()

    def add_path(self, path: str | tuple[str, ...], row: int | None = None) -> tuple[int, ...]:
        """Add a path, which may hold new labels, and return the indices of its labels.

        A string that holds the separator and is itself the name of a label means that label below its ancestors:
        MULAN's labels are named by their paths. Parameters and errors as in ``Hierarchy.from_paths``.
        """
        at = "" if row is None else f"row {row}: "
        if isinstance(path, str) and self.separator in path and path in self.index:
            return self._line_above(self.index[path])
        names = split_path(path, self.separator, at)
        for place, name in enumerate(names):
            if name in names[:place]:
                raise ValueError(f"{at}the path {path!r} meets the label {name!r} twice, which would be a cycle")
        indices: list[int] = []
        extra: list[tuple[int, int]] = []
        fresh: list[str] = []
        for place, name in enumerate(names):
            label = self.index.get(name, -1)
            if label < 0:
                label = len(self.labels) + len(fresh)
                fresh.append(name)
            elif (place == 0 or indices[-1] not in self._above[label]) and self._check_new_parent(
                label, names, place, indices, at
            ):
                extra.append((label, indices[-1]))
            indices.append(label)
        # everything is checked before anything changes
        for label, parent in extra:
            self._above[label] = (*self._above[label], parent)
        for name in fresh:
            place = names.index(name)
            self._above[self._known(name)] = (indices[place - 1],) if place else ()
        return tuple(indices)

    def add_parent(self, child: str, parent: str | None, row: int) -> None:
        """Add a row of a table, with labels that may be new; without a parent the child is at the top for good."""
        at = f"table row {row}: "
        if parent is None:
            label = self._known(child)
            if above := self._above[label]:
                other = self.labels[above[0]]
                raise ValueError(f"{at}the label {child!r} cannot be both at the top and under {other!r}")
            self._at_top.add(label)
            return
        over, label = self._known(parent), self._known(child)
        above = self._above[label]
        if over in above:
            return
        if label in self._at_top:
            raise ValueError(f"{at}the label {child!r} cannot be both at the top and under {parent!r}")
        if above and not self.dag:
            raise ValueError(f"{at}the label {child!r} has two parents: {self.labels[above[0]]!r} and {parent!r}")
        if label in {over, *self._all_above(over)}:
            raise ValueError(f"{at}{child!r} cannot be under {parent!r}: that would be a cycle")
        self._above[label] = (*above, over)

    def _known(self, name: str) -> int:
        """Return the index of a label, which may be new."""
        if name not in self.index:
            self.index[name] = len(self.labels)
            self.labels.append(name)
            self._above.append(())
        return self.index[name]

    def _check_new_parent(self, label: int, names: tuple[str, ...], place: int, indices: list[int], at: str) -> bool:
        """Return whether this path gives a known label one more parent; raise a ValueError where it must not."""
        name, above = names[place], self._above[label]
        here = f"under {names[place - 1]!r}" if place else "at the top"
        parents = " and ".join(repr(self.labels[parent]) for parent in above)
        if place == 0:
            if above:
                raise ValueError(f"{at}the path skips a level: {name!r} is under {parents}, not at the top")
            return False
        parent = indices[-1]
        # a new parent is added below the last known label of the path, which must not be under this label either
        known = [i for i in indices if i < len(self.labels)]
        if any(label in self._all_above(i) for i in known):
            raise ValueError(f"{at}{name!r} cannot be {here}, which is below it: that would be a cycle")
        if not above:
            raise ValueError(f"{at}the label {name!r} is at the top and cannot also be {here}")
        if self.dag:
            return True
        if parent < len(self.labels) and parent in self._all_above(label):
            raise ValueError(f"{at}the path skips a level: {parents} is between {names[place - 1]!r} and {name!r}")
        own = self.separator.join(names[: place + 1])
        raise ValueError(
            f"{at}the label {name!r} has two parents: {parents} and {names[place - 1]!r}; expected names that differ, "
            f"such as paths ({own!r} as a name), or dag=True, which lets it have both"
        )

    def _all_above(self, label: int) -> set[int]:
        found: set[int] = set()
        waiting = [label]
        while waiting:
            for parent in self._above[waiting.pop()]:
                if parent not in found:
                    found.add(parent)
                    waiting.append(parent)
        return found

    def _line_above(self, label: int) -> tuple[int, ...]:
        found = [label]
        while self._above[found[-1]]:
            found.append(self._above[found[-1]][0])
        return tuple(found[::-1])

    @property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """For each label the indices of its parents."""
        return tuple(self._above)

    def build(self) -> tuple[tuple[str, ...], Hierarchy]:
        """Return the labels and their hierarchy."""
        return tuple(self.labels), Hierarchy(tuple(self._above))


def split_path(path: Any, separator: str = SEPARATOR, at: str = "") -> tuple[str, ...]:
    """Return the labels of a path; raise a ValueError for an empty one."""
    names = tuple(path.split(separator)) if isinstance(path, str) else path
    if not isinstance(names, tuple) or any(not isinstance(name, str) for name in names):
        raise ValueError(f"{at}{path!r} is not a label path; expected 'a/b/c' or ('a', 'b', 'c')")
    if not names or not all(names):
        raise ValueError(f"{at}the path {path!r} is empty or has an empty label; expected 'a/b/c' or ('a', 'b', 'c')")
    return names


def split_paths(several: Any, row: int | None = None, separator: str = SEPARATOR) -> list[Any]:
    """Return the paths of one row, given as one path, a list or a set; a set is sorted by names."""
    if isinstance(several, (set, frozenset)):
        several = sorted(several, key=lambda path: split_path(path, separator) if path else ())
    paths = list(several) if isinstance(several, list) else [several]
    if not paths:
        raise ValueError(f"{'' if row is None else f'row {row}: '}no path; expected at least one")
    return paths


def _as_indices(parent: Any) -> tuple[int, ...]:
    if isinstance(parent, (tuple, list)):
        return tuple(int(p) for p in parent)
    return () if parent == -1 else (int(parent),)


def _as_label(name: Hashable, at: str) -> str:
    if name is None or name != name or name == "":
        raise ValueError(f"{at}: {name!r}; expected the name of a label")
    return str(name)
