"""Describe a stream by its source, its drifts and its labelling, and make it; with the choices that a page offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from streamlab.streams.changes.rows import delay_labels, hide_labels
from streamlab.streams.load import load
from streamlab.streams.stream import Stream

SOURCES = {
    "Rotating hyperplane, 8 labels": "syn-hp",
    "Random trees, 8 labels": "syn-tree",
    "Random RBF, 25 labels": "syn-rbf",
    "Invented songs and their moods": "songs",
    "Invented songs; whole kinds of songs change": "songs-branches",
    "Regions, 8 labels": "syn-regions",
    "Regions, 8 labels; whole branches change": "syn-branches",
    "Yeast genes": "yeast",
    "Films and their genres, 1940–2014": "movies",
    "Image segments": "segments",
    "Image segments, seven classes": "image-segments",
    "Notes of 31 instruments": "instruments",
}
"""Sources by the words that people read: names in the catalogue, and of the paper's streams the first part of one."""
OF_REGIONS = ("syn-regions", "syn-branches", "songs", "songs-branches")
HOW = {
    "suddenly": "sudden",
    "gradually": "gradual",
    "incrementally": "incremental",
    "suddenly, and old concepts return": "recurrent",
}
"""How the concept of one of the paper's streams changes."""
LENGTHS = {"5,000": 5_000, "10,000": 10_000, "50,000, as in the paper": 50_000, "endless": None}
"""Numbers of instances of a generated stream."""
DELAYS = {
    "at once": 0,
    "10 instances later": 10,
    "1,000 instances later": 1000,
    "up to 1,000 instances later, at random": (0, 1000),
}
"""Delays of labels, in instances; a pair is a range."""
HIDDEN = {
    "none": (0.0, "instance"),
    "those of a quarter of the instances": (0.25, "instance"),
    "those of half of the instances": (0.5, "instance"),
    "half of the single labels": (0.5, "label"),
}
"""Labels that never become known: their share, and whether it is of instances or of single labels."""

PAPER_LENGTH = 50_000
"""Instances of one of the paper's streams; drifts of an endless stream are placed as if it had so many."""


@dataclass(frozen=True)
class StreamSpec:
    """What a stream is made of; ``make`` makes it.

    Parameters
    ----------
    source
        A value of ``SOURCES``.
    how, n_rows, seed
        Of a generated stream: a value of ``HOW``, the number of instances (None: endless) and the seed.
    changes
        Drifts to put in, in this order: the position as a share of the stream, 0 to 1, and a function that takes the
        stream and the position in rows and returns the stream with its drift.
    delay
        Instances until the labels become known, or the ends of a range.
    hidden
        Share of labels that never become known, and whether it is of ``"instance"`` or of ``"label"``.

    Examples
    --------
    >>> StreamSpec("syn-regions", n_rows=1000).make().name
    'syn-regions'
    """

    source: str = "syn-hp"
    how: str = "recurrent"
    n_rows: int | None = 10_000
    seed: int = 1
    changes: tuple[tuple[float, Callable[[Stream, int], Stream]], ...] = ()
    delay: int | tuple[int, int] = 0
    hidden: tuple[float, str] = (0.0, "instance")

    @property
    def generated(self) -> bool:
        """Whether the source is generated: then it has a length and a seed."""
        return self.source.startswith("syn-") or self.source in OF_REGIONS

    @property
    def has_kinds(self) -> bool:
        """Whether the source's concept can change in several ways, the values of ``HOW``."""
        return self.generated and self.source not in OF_REGIONS

    @property
    def in_catalogue(self) -> str:
        """The name of its source in the catalogue."""
        return f"{self.source}-{self.how}" if self.has_kinds else self.source

    def make(self) -> Stream:
        """Return the stream.

        Raises
        ------
        ValueError
            As ``load`` and the drifts' functions do.
        """
        if not self.generated:
            stream = load(self.source)
        else:
            length = {"endless": True} if self.n_rows is None else {"n_rows": self.n_rows}
            stream = load(self.in_catalogue, seed=self.seed, **length)
        n_rows = stream.n_rows or PAPER_LENGTH
        for share, change in self.changes:
            stream = change(stream, min(int(share * n_rows), n_rows - 1))
        if self.delay:
            stream = delay_labels(stream, self.delay, seed=self.seed)
        share, per = self.hidden
        if share:
            stream = hide_labels(stream, share, per=per, seed=self.seed)
        return stream
