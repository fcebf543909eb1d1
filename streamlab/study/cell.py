"""A cell of a study: one learner with all its parameters, one stream with its checksum, one seed; and its key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from streamlab.lab.described import LEARNER, RECIPE, RIVER, import_added, tables_of
from streamlab.learners import LEARNERS, RECIPES
from streamlab.validation import validated


def canonical(value: Any) -> str:
    """Return plain values as one text, the same for equal values: JSON with sorted names."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


Rows = Annotated[int, Meta(ge=1, description="a whole number of rows, at least 1")]


class Settings(Struct, frozen=True):
    """How every cell of a study is run.

    Parameters
    ----------
    measures
        Names of ``MEASURES``.
    chunk
        Instances predicted before any of them is learned, by learners that answer whole chunks; all others answer and
        learn row by row.
    curves_every
        Rows between two points of the curves.
    fading
        Weight of an instance relative to the next in the faded measures.
    zero_division
        What a measure says for 0/0.
    detectors
        River's drift detectors, as ``describe_detectors`` has them.
    """

    measures: tuple[str, ...]
    chunk: Rows = 1
    curves_every: Rows = 50
    fading: Annotated[float, Meta(gt=0, le=1)] = 0.995
    zero_division: Annotated[float, Meta(ge=0, le=1, multiple_of=1, description="0 or 1")] = 0.0
    detectors: dict[str, Any] = {}

    def counted(self) -> dict[str, Any]:
        """Return what figures depend on: detectors are not in it where there are none, as they came with a release."""
        told = structs.asdict(self)
        return told if self.detectors else {name: value for name, value in told.items() if name != "detectors"}


@dataclass(frozen=True)
class Cell:
    """One run of a study.

    Parameters
    ----------
    learner, stream
        What the study calls them.
    seed
        None: the learner takes none, and its one row counts for every seed.
    description
        The learner as plain values (``described.describe``).
    recipe
        How to make the stream (``Stream.recipe``).
    identity
        What the stream is, wherever its files lie: checksums in place of paths, and a fingerprint of its first rows.
    size
        Rows (0 where unknown), features and labels.
    settings
        How it is run.
    imports
        What a process imports first: learners that were added in a session (``described.imports_of``), and measures,
        with checksums of their files.
    """

    learner: str
    stream: str
    seed: int | None
    description: dict[str, Any]
    recipe: Mapping[str, Any]
    identity: Mapping[str, Any]
    size: tuple[int, int, int]
    settings: Settings
    imports: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """SHA-256 of everything that its figures depend on, in hexadecimal; what things are called is not in it."""
        counted = {
            "learner": self.description,
            "stream": self.identity,
            "seed": self.seed,
            "settings": self.settings.counted(),
            "versions": dict(versions(self.description)),
        }
        if "digests" in self.imports:
            counted["measures"] = self.imports["digests"]
        return hashlib.sha256(canonical(counted).encode()).hexdigest()

    @property
    def work(self) -> int:
        """Rows times features times labels: what its time is estimated from; at least 1."""
        rows, features, labels = self.size
        return max(rows, 1) * max(features, 1) * max(labels, 1)

    def plain(self) -> dict[str, Any]:
        """Return it as JSON knows it."""
        return {**asdict(self), "settings": structs.asdict(self.settings), "size": list(self.size)}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Cell:
        """Return the cell of ``plain()``, in whatever process; learners that it needs imported are.

        Raises
        ------
        ValueError
            If one of them cannot be imported here.
        """
        import_added(plain["imports"])
        return cls(**{**plain, "size": tuple(plain["size"]), "settings": validated(plain["settings"], Settings)})


def versions(part: Any) -> Iterator[tuple[str, Any]]:
    """Yield the versions of the answers of all learners and recipes, and River's where it may take part."""
    for table in tables_of(part):
        if LEARNER in table:
            yield table[LEARNER], LEARNERS.load(table[LEARNER]).answers_version
        if RECIPE in table:
            yield table[RECIPE], RECIPES.load(table[RECIPE]).answers_version
        if RIVER in table or RECIPE in table:
            import river

            yield "river", river.__version__
