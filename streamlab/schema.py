"""What an instance looks like: its features, its labels and, where there is one, the hierarchy of the labels."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any, TypeAlias, overload

import numpy as np
from msgspec import Meta, Struct

from streamlab._checks import check_unique, checked_count, shown
from streamlab.hierarchy import Hierarchy
from streamlab.hierarchy import HierarchyBuilder as HierarchyBuilder
from streamlab.hierarchy import split_paths as split_paths
from streamlab.validation import validated

__all__ = ["Feature", "Hierarchy", "Schema"]

MOST_NUMBERED = 1 << 22
"""Columns that a schema of numbered features may have."""
ClassValue: TypeAlias = bool | int | str
"""A class as its source has it."""
MANY = 4096
"""From this many on, the features of arrays without names are kept as a prefix and a number."""


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
            check_unique(f"feature {self.name!r}: category", self.categories)
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
class NumberedNames(Sequence[str]):
    """The names ``x0``, ``x1``, …, made when they are asked for: 262,144 strings would take 16 MB.

    Parameters
    ----------
    n
        How many there are, at most ``MOST_NUMBERED``.
    prefix
        What stands before each number.
    first
        The number of the first.

    Raises
    ------
    ValueError
        If ``n`` or ``first`` is out of range.

    Examples
    --------
    >>> names = NumberedNames(1000, "h")
    >>> names[17], names.index("h999"), "h01" in names
    ('h17', 999, False)
    """

    n: int
    prefix: str = "x"
    first: int = 0

    def __post_init__(self) -> None:
        for what, value, most in (("n", self.n, MOST_NUMBERED), ("first", self.first, 10**9)):
            checked_count(f"numbered columns: {what}", value, 0, most)
        if not isinstance(self.prefix, str):
            raise ValueError(f"numbered columns: prefix={self.prefix!r}: expected a text")

    def __len__(self) -> int:
        return int(self.n)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        places = range(self.first, self.first + len(self))[place]
        if isinstance(places, range):
            return tuple(f"{self.prefix}{i}" for i in places)
        return f"{self.prefix}{places}"

    def __iter__(self) -> Iterator[str]:
        return (f"{self.prefix}{i}" for i in range(self.first, self.first + len(self)))

    def place(self, name: object) -> int | None:
        """Return the position of a name, or None if there is no such name."""
        if not isinstance(name, str) or not name.startswith(self.prefix):
            return None
        digits = name[len(self.prefix) :]
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 10 or (digits[0] == "0" and len(digits) > 1):
            return None
        place = int(digits) - self.first
        return place if 0 <= place < len(self) else None

    def __contains__(self, name: object) -> bool:
        return self.place(name) is not None

    def index(self, name: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the position of a name, as ``tuple.index`` does; raise a ValueError if there is no such name."""
        place = self.place(name)
        if place is None or place not in range(*slice(start, stop).indices(len(self))):
            raise ValueError(f"{name!r} is not among the {len(self):,} names from {self.prefix}{self.first} on")
        return place


class NumberedPlaces(Mapping[Any, int]):
    """The place of each column that is known by its number, as a dictionary of their names would tell it."""

    def __init__(self, names: NumberedNames) -> None:
        self._names = names

    def __getitem__(self, name: Any) -> int:
        place = self._names.place(name)
        if place is None:
            raise KeyError(name)
        return place

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class NumberedFeatures(Sequence[Feature]):
    """Numeric features known by their numbers alone, as those of hashed text; takes the place of a tuple of them.

    A tuple of 262,144 features takes 50 MB and a second to make; this takes nothing.

    Parameters
    ----------
    n, prefix, first
        As in ``NumberedNames``.

    Examples
    --------
    >>> NumberedFeatures(1 << 18, "h")[3]
    Feature(name='h3', categories=None, low=None, high=None)
    """

    __slots__ = ("names",)

    def __init__(self, n: int, prefix: str = "x", first: int = 0) -> None:
        self.names = NumberedNames(n, prefix, first)

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, place: int) -> Feature: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Feature, ...]: ...
    def __getitem__(self, place: int | slice) -> Feature | tuple[Feature, ...]:
        named = self.names[place]
        return Feature(named) if isinstance(named, str) else tuple(map(Feature, named))

    def __iter__(self) -> Iterator[Feature]:
        return map(Feature, self.names)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberedFeatures):
            return self.names == other.names
        if isinstance(other, tuple):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    def __hash__(self) -> int:
        # that of the tuple that it equals
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"NumberedFeatures({self.names.n}, {self.names.prefix!r}, {self.names.first})"


def _check_letters(what: str, names: Sequence[str]) -> None:
    """Raise a ValueError if a name holds what no name should, in whatever way it came."""
    text = "".join(map(str, names))
    for letter, called in (("\0", "the character NUL"), ("\ufeff", "a byte-order mark")):
        if letter in text:
            wrong = next(name for name in names if letter in str(name))
            raise ValueError(f"{what} {shown(wrong)} holds {called}; expected a name without it")


@dataclass(frozen=True)
class Schema:
    """The features and labels of a stream, in the order of the columns of ``X`` and ``Y``.

    Parameters
    ----------
    features
        The columns of ``X``; a ``NumberedFeatures`` is kept as it is, anything else becomes a tuple.
    labels
        The names of the columns of ``Y``.
    hierarchy
        The hierarchy of the labels, or None.
    classes
        Where each row has exactly one of the labels, its class: for each label the class as its source has it, a bool,
        an int or a text. None, the default: a row has any number of labels.

    Raises
    ------
    ValueError
        If a feature's or a label's name occurs twice or holds NUL or a byte-order mark, or the hierarchy is for another
        number of labels; if there are more or fewer classes than labels, one of them twice or of another type, or a
        hierarchy.

    Examples
    --------
    >>> Schema.anonymous(2, 1).feature_names
    ('x0', 'x1')
    """

    features: tuple[Feature, ...] | NumberedFeatures
    labels: tuple[str, ...]
    hierarchy: Hierarchy | None = field(default=None)
    classes: tuple[ClassValue, ...] | None = field(default=None)

    def __post_init__(self) -> None:
        if not isinstance(self.features, NumberedFeatures):
            object.__setattr__(self, "features", tuple(self.features))
        object.__setattr__(self, "labels", tuple(self.labels))
        for what, names in (("feature", self.feature_names), ("label", self.labels)):
            if not isinstance(names, NumberedNames):
                check_unique(f"schema: the {what}", names)
                _check_letters(f"schema: the {what}", names)
        if self.hierarchy is not None and len(self.hierarchy.parents) != len(self.labels):
            raise ValueError(
                f"schema: the hierarchy has {len(self.hierarchy.parents)} labels, the schema {len(self.labels)}; "
                "expected as many"
            )
        if self.classes is not None:
            object.__setattr__(self, "classes", _checked_classes(self.classes, self))

    @classmethod
    def anonymous(cls, n_features: int, n_labels: int) -> Schema:
        """Return a schema of numeric features ``x0…`` and labels ``y0…``, for arrays that come without names."""
        return cls(numbered(n_features), tuple(f"y{i}" for i in range(n_labels)))

    @cached_property
    def feature_names(self) -> tuple[str, ...] | NumberedNames:
        if isinstance(self.features, NumberedFeatures):
            return self.features.names
        return tuple([feature.name for feature in self.features])

    @property
    def n_features(self) -> int:
        return len(self.features)

    @property
    def n_labels(self) -> int:
        return len(self.labels)

    @property
    def noun(self) -> str:
        """What people call one of the labels: ``"class"`` where each row has exactly one, else ``"label"``."""
        return "label" if self.classes is None else "class"

    def to_json(self) -> str:
        """Return the schema as a JSON text, for files; ``Schema.from_json`` reads it back equal."""
        features: Any
        if isinstance(self.features, NumberedFeatures):
            names = self.features.names
            features = {"numbered": len(names), "prefix": names.prefix, "first": int(names.first)}
        else:
            features = [
                [f.name, None if f.categories is None else list(f.categories), f.low, f.high] for f in self.features
            ]
        return json.dumps(
            {
                "features": features,
                "labels": list(self.labels),
                "parents": None if self.hierarchy is None else list(self.hierarchy.parents),
                **({} if self.classes is None else {"classes": list(self.classes)}),
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
        return _from_json(text)

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
            that is not a tree, the ancestors beside the path are set too.

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
        if not changed:
            return self
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
            if isinstance(mine, NumberedFeatures) and mine == theirs:
                continue
            for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
                if a != b:
                    return f"{what}[{i}]: {a!r} against {b!r}"
        if _typed(self.classes) != _typed(other.classes):
            return f"classes {shown(self.classes)} against {shown(other.classes)}"
        return None if self.hierarchy == other.hierarchy else "the hierarchies of the labels differ"

    def _without_ranges(self) -> Schema:
        if isinstance(self.features, NumberedFeatures):
            return self
        features = tuple(replace(feature, low=None, high=None) for feature in self.features)
        return replace(self, features=features)


@lru_cache(maxsize=8)
def _from_json(text: str) -> Schema:
    """Return the schema of a text; one that is read again and again, as by each step back in time, is made once."""
    try:
        raw = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise ValueError(f"expected a JSON text ({error})") from None
    read = validated(raw, _SchemaText)
    features = read.features
    return Schema(
        NumberedFeatures(features.numbered, features.prefix, features.first)
        if isinstance(features, _Numbered)
        else tuple(Feature(*each) for each in features),
        read.labels,
        None if read.parents is None else Hierarchy(read.parents),
        read.classes,
    )


def _checked_classes(classes: Any, schema: Schema) -> tuple[ClassValue, ...]:
    """Return the classes of a schema; raise a ValueError unless there is a different one for each label."""
    if not isinstance(classes, (tuple, list)) or len(classes) != schema.n_labels:
        raise ValueError(f"schema: classes={shown(classes)}; expected a class for each of {schema.n_labels} labels")
    for each in classes:
        if not isinstance(each, (bool, int, str)):
            raise ValueError(f"schema: the class {shown(each)}; expected a bool, an int or a text")
    check_unique("schema: the class", classes)
    if schema.hierarchy is not None:
        raise ValueError("schema: classes and a hierarchy, in which a row has the labels above its own, too")
    return tuple(classes)


def _typed(classes: tuple[ClassValue, ...] | None) -> list[tuple[type, ClassValue]] | None:
    """Return classes with their types: True is not 1 to the model that learns it."""
    return None if classes is None else [(type(each), each) for each in classes]


class _Numbered(Struct, forbid_unknown_fields=True):
    """Features that are written as numbers."""

    numbered: int
    prefix: str
    first: int


class _SchemaText(Struct):
    """A schema as JSON has it; a feature as its name, categories or null, low or null, high or null."""

    features: tuple[tuple[str, tuple[str, ...] | None, int | float | None, int | float | None], ...] | _Numbered
    labels: tuple[str, ...]
    parents: Annotated[tuple[int | tuple[int, ...], ...], Meta(description="a list of indices or lists of them")] | None
    classes: tuple[ClassValue, ...] | None = None


def numbered(n: int, prefix: str = "x", first: int = 0) -> tuple[Feature, ...] | NumberedFeatures:
    """Return numeric features ``x0``, ``x1``, …: as a tuple, or by their numbers alone where there are many."""
    if MANY <= n <= MOST_NUMBERED:
        return NumberedFeatures(n, prefix, first)
    return tuple(Feature(f"{prefix}{i}") for i in range(first, first + n))
