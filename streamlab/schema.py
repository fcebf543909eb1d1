"""What an instance looks like: its features, its labels and, where there is one, the hierarchy of the labels."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

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
        If a category stands twice, or ``low`` lies above ``high``.

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
                raise ValueError(f"feature {self.name!r}: category {twice!r} stands twice; categories must be unique")
        if self.low is not None and self.high is not None and not self.low <= self.high:
            raise ValueError(f"feature {self.name!r}: low={self.low} must not be above high={self.high}")

    @property
    def kind(self) -> str:
        """``"numeric"`` or ``"nominal"``."""
        return "numeric" if self.categories is None else "nominal"

    @property
    def is_nominal(self) -> bool:
        return self.categories is not None


@dataclass(frozen=True)
class Hierarchy:
    """A forest over the labels of a schema.

    Parameters
    ----------
    parents
        For each label, in the schema's order, the index of its parent, or -1 for a top-level label.

    Raises
    ------
    ValueError
        If a parent does not exist or the labels form a cycle.

    Examples
    --------
    >>> Hierarchy((-1, 0, 0)).children(0)
    (1, 2)
    """

    parents: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parents", tuple(int(p) for p in self.parents))
        n = len(self.parents)
        settled: set[int] = set()
        for label, parent in enumerate(self.parents):
            if not -1 <= parent < n:
                raise ValueError(f"hierarchy: label {label} has the parent {parent}; expected -1 or 0..{n - 1}")
            walked = set()
            at = label
            while at != -1 and at not in settled:
                if at in walked:
                    raise ValueError(f"hierarchy: the ancestors of label {label} form a cycle")
                walked.add(at)
                at = self.parents[at]
            settled |= walked

    def children(self, label: int) -> tuple[int, ...]:
        """The indices of the labels directly under ``label`` (-1: the top-level labels)."""
        return tuple(i for i, parent in enumerate(self.parents) if parent == label)

    def depth(self, label: int) -> int:
        """How many ancestors ``label`` has: 0 for a top-level label."""
        steps = 0
        while (label := self.parents[label]) != -1:
            steps += 1
        return steps


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
        How the labels stand under each other, or None.

    Raises
    ------
    ValueError
        If a feature's or a label's name stands twice, or the hierarchy is for another number of labels.

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
                raise ValueError(f"schema: the {what} {twice!r} stands twice; names must be unique")
        if self.hierarchy is not None and len(self.hierarchy.parents) != len(self.labels):
            raise ValueError(
                f"schema: the hierarchy has {len(self.hierarchy.parents)} labels, the schema {len(self.labels)}"
            )

    @classmethod
    def anonymous(cls, n_features: int, n_labels: int) -> Schema:
        """A schema of numeric features ``x0…`` and labels ``y0…``, for arrays that come without names."""
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
        """The schema as a JSON text, for files; ``Schema.from_json`` reads it back equal."""
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
        """Read what ``to_json`` wrote."""
        raw = json.loads(text)
        return cls(
            tuple(Feature(name, None if c is None else tuple(c), low, high) for name, c, low, high in raw["features"]),
            tuple(raw["labels"]),
            None if raw["parents"] is None else Hierarchy(tuple(raw["parents"])),
        )

    def difference(self, other: Schema, *, ranges: bool = True) -> str | None:
        """In words, the first thing in which two schemas differ, or None if they are equal.

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


def first_duplicate(names: Iterable[str] | Sequence[str]) -> str | None:
    """The first name that has already stood before it, or None."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
