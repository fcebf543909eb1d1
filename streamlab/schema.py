"""What an instance looks like: its features, its labels and, where there is one, the hierarchy of the labels."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from streamlab.hierarchy import Hierarchy
from streamlab.hierarchy import HierarchyBuilder as HierarchyBuilder
from streamlab.hierarchy import split_paths as split_paths

__all__ = ["Feature", "Hierarchy", "Schema"]


@dataclass(frozen=True)
class Feature:
    """One column of the instances.

    Parameters
    ----------
    name
        The column's name, unique in its schema.
    categories
        None for a numeric feature; for a nominal one its categories, in the order whose index is the value in ``X``.
    low, high
        The declared range of a numeric feature, where the source states one; else None.

    Raises
    ------
    ValueError
        If a category occurs twice, or ``low`` lies above ``high``.

    Examples
    --------
    >>> Feature("colour", ("red", "green")).kind
    'nominal'
    """

    name: str
    categories: tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if self.categories is not None:
            object.__setattr__(self, "categories", tuple(self.categories))
            twice = first_duplicate(self.categories)
            if twice is not None:
                raise ValueError(f"feature {self.name!r}: category {twice!r} occurs twice; categories must be unique")
        if self.low is not None and self.high is not None and not self.low <= self.high:
            raise ValueError(f"feature {self.name!r}: low={self.low} must not be above high={self.high}")

    @property
    def kind(self) -> str:
        """``"numeric"`` or ``"nominal"``."""
        return "numeric" if self.categories is None else "nominal"

    @property
    def is_nominal(self) -> bool:
        return self.categories is not None

    def with_range_of(self, other: Feature) -> Feature:
        """Return the feature with a range that includes the other's; no bound where one of them declares none."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return replace(self, low=low, high=high)


@dataclass(frozen=True)
class Schema:
    """The features and labels of a stream, in the order of the columns of ``X`` and ``Y``.

    Parameters
    ----------
    features
        The columns of ``X``.
    labels
        The names of the columns of ``Y``.
    hierarchy
        The hierarchy of the labels, or None.

    Raises
    ------
    ValueError
        If a feature's or a label's name occurs twice, or the hierarchy is for another number of labels.

    Examples
    --------
    >>> Schema.anonymous(2, 1).feature_names
    ('x0', 'x1')
    """

    features: tuple[Feature, ...]
    labels: tuple[str, ...]
    hierarchy: Hierarchy | None = field(default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", tuple(self.features))
        object.__setattr__(self, "labels", tuple(self.labels))
        for what, names in (("feature", self.feature_names), ("label", self.labels)):
            twice = first_duplicate(names)
            if twice is not None:
                raise ValueError(f"schema: the {what} {twice!r} occurs twice; names must be unique")
        if self.hierarchy is not None and len(self.hierarchy.parents) != len(self.labels):
            raise ValueError(
                f"schema: the hierarchy has {len(self.hierarchy.parents)} labels, the schema {len(self.labels)}; "
                "expected as many"
            )

    @classmethod
    def anonymous(cls, n_features: int, n_labels: int) -> Schema:
        """Return a schema of numeric features ``x0…`` and labels ``y0…``, for arrays that come without names."""
        return cls(
            tuple(Feature(f"x{i}") for i in range(n_features)),
            tuple(f"y{i}" for i in range(n_labels)),
        )

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(feature.name for feature in self.features)

    @property
    def n_features(self) -> int:
        return len(self.features)

    @property
    def n_labels(self) -> int:
        return len(self.labels)

    def to_json(self) -> str:
        """Return the schema as a JSON text, for files; ``Schema.from_json`` reads it back equal."""
        return json.dumps(
            {
                "features": [
                    [f.name, None if f.categories is None else list(f.categories), f.low, f.high] for f in self.features
                ],
                "labels": list(self.labels),
                "parents": None if self.hierarchy is None else list(self.hierarchy.parents),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """Read what ``to_json`` wrote.

        Raises
        ------
        ValueError
            If it is something else, naming the entry and what was expected.
        """
        if not isinstance(text, str):
            raise ValueError(f"expected a JSON text, found a {type(text).__name__}")
        try:
            raw = json.loads(text)
        except (RecursionError, ValueError) as error:
            raise ValueError(f"expected a JSON text ({error})") from None
        if not isinstance(raw, dict) or not raw.keys() >= {"features", "labels", "parents"}:
            raise ValueError("expected a JSON dictionary of features, labels and parents")
        features, labels, parents = raw["features"], raw["labels"], raw["parents"]
        for what, values, fits, expected in (
            ("features", features, _is_feature, "[name, categories or null, low or null, high or null]"),
            ("labels", labels, lambda label: isinstance(label, str), "a name"),
            ("parents", [] if parents is None else parents, _is_parent, "an index, or a list of indices"),
        ):
            if not isinstance(values, list):
                raise ValueError(f"{what} is a {type(values).__name__}; expected a list")
            for i, value in enumerate(values):
                if not fits(value):
                    raise ValueError(f"{what}[{i}] is {repr(value)[:60]}; expected {expected}")
        return cls(
            tuple(Feature(name, None if c is None else tuple(c), low, high) for name, c, low, high in features),
            tuple(labels),
            None if parents is None else Hierarchy(tuple(tuple(p) if isinstance(p, list) else p for p in parents)),
        )

    # ------------------------------------------------------------------ label paths

    @property
    def tree(self) -> Hierarchy:
        """The hierarchy; where there is none, one with all labels at the top."""
        return Hierarchy((-1,) * self.n_labels) if self.hierarchy is None else self.hierarchy

    def rows(self, paths: Iterable[Any], *, separator: str = "/") -> np.ndarray:
        """Return label paths as rows over all labels, with every label of a path set.

        Parameters
        ----------
        paths
            As ``Hierarchy.from_paths`` takes them, of labels of this schema; an empty list for no label. In a hierarchy
            that is no tree, the ancestors beside the path are set too.

        Returns
        -------
        numpy.ndarray
            uint8 of shape (n, n_labels).

        Raises
        ------
        ValueError
            For an unknown label, an empty path or one that the hierarchy does not have; names the label and the row.
        """
        builder = HierarchyBuilder(self.labels, self.tree, separator=separator)
        paths = list(paths)
        Y = np.zeros((len(paths), self.n_labels), np.uint8)
        for row, several in enumerate(paths):
            # a row without a path has no labels, as in what ``paths`` returns
            for path in () if isinstance(several, list) and not several else split_paths(several, row, separator):
                indices = builder.add_path(path, row)
                if len(builder.labels) > self.n_labels:
                    raise ValueError(f"row {row}: the label {builder.labels[self.n_labels]!r} is not in the schema")
                Y[row, list(indices)] = 1
        return self.tree.with_ancestors(Y)

    def paths(self, Y: np.ndarray) -> list[list[tuple[str, ...]]]:
        """Return the label paths of rows over all labels: for each row those that end in its deepest labels.

        In a tree a row has as many paths as deepest labels, often one; a row without labels has none. Where a label has
        several parents, each way to it is a path.
        """
        tree = self.tree
        ends = tree.deepest(np.asarray(Y))
        return [
            [tuple(self.labels[i] for i in path) for label in np.flatnonzero(row) for path in tree.paths_to(int(label))]
            for row in ends
        ]

    def with_features(self, changed: Mapping[int, Feature]) -> Schema:
        """Return the schema with the features at these positions replaced."""
        return replace(self, features=tuple(changed.get(j, f) for j, f in enumerate(self.features)))

    def difference(self, other: Schema, *, ranges: bool = True) -> str | None:
        """Say in words where two schemas differ first; None if they are equal.

        Parameters
        ----------
        other
            The other schema.
        ranges
            Whether declared ranges of numeric features count. Default True.
        """
        if not ranges:
            return self._without_ranges().difference(other._without_ranges())
        for what, mine, theirs in (
            ("features", self.features, other.features),
            ("labels", self.labels, other.labels),
        ):
            if len(mine) != len(theirs):
                return f"{len(mine)} {what} against {len(theirs)}"
            for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
                if a != b:
                    return f"{what}[{i}]: {a!r} against {b!r}"
        return None if self.hierarchy == other.hierarchy else "the hierarchies of the labels differ"

    def _without_ranges(self) -> Schema:
        features = tuple(replace(feature, low=None, high=None) for feature in self.features)
        return Schema(features, self.labels, self.hierarchy)


def _is_feature(value: Any) -> bool:
    """Whether it is a feature as ``to_json`` writes one."""
    if not isinstance(value, list) or len(value) != 4:
        return False
    name, categories, *bounds = value
    named = isinstance(categories, list) and all(isinstance(category, str) for category in categories)
    return (
        isinstance(name, str)
        and (categories is None or named)
        and all(b is None or (isinstance(b, (int, float)) and not isinstance(b, bool)) for b in bounds)
    )


def _is_parent(value: Any) -> bool:
    """Whether it is an entry of ``parents`` as ``to_json`` writes it."""
    whole = value if isinstance(value, list) else [value]
    return all(isinstance(parent, int) and not isinstance(parent, bool) for parent in whole)


def first_duplicate(names: Iterable[str] | Sequence[str]) -> str | None:
    """Return the first name that occurs a second time, or None."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
