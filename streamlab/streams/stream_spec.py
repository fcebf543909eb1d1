"""A stream made to order: where it comes from, what drifts in it, and when its labels become known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from streamlab.streams.changes.late_labels import delay_labels, hide_labels
from streamlab.streams.load import load
from streamlab.streams.stream import Stream

__all__ = ["DELAYS", "HIDDEN", "HOW", "LENGTHS", "SOURCES", "Recipe"]

SOURCES = {
    "Rotating hyperplane, 8 labels": "syn-hp",
    "Random trees, 8 labels": "syn-tree",
    "Random RBF, 25 labels": "syn-rbf",
    "Regions, a branch of which grows anew": "syn-branches",
    "Regions, a branch of which drifts": "syn-regions",
    "Yeast genes": "yeast",
    "Films and their genres, 1940–2014": "movies",
    "Image segments": "segments",
    "Notes of 31 instruments": "instruments",
}
"""What people read, and the name in the catalogue; of the generated ones its first part."""
HOW = {"suddenly": "sudden", "gradually": "gradual", "incrementally": "incremental", "and comes back": "recurrent"}
LENGTHS = {"5,000": 5_000, "10,000": 10_000, "50,000, as in the paper": 50_000, "without end": None}
DELAYS = {
    "at once": 0,
    "10 instances later": 10,
    "1,000 instances later": 1000,
    "up to 1,000 instances later, at random": (0, 1000),
}
HIDDEN = {
    "none": (0.0, "instance"),
    "those of a quarter of the instances": (0.25, "instance"),
    "those of half of the instances": (0.5, "instance"),
    "half of the single labels": (0.5, "label"),
}
# a share of a stream without end is one of the paper's length
PAPER_LENGTH = 50_000


@dataclass(frozen=True)
class Recipe:
    """How a stream is made.

    Parameters
    ----------
    source
        A value of ``SOURCES``.
    how, n_rows, seed
        Of a generated stream: a value of ``HOW``, its length (None: without end) and its seed.
    changes
        Drifts put in beforehand, in order: the place as a share of the stream, 0 to 1, and what
        ``Run.put_drift`` takes.
    delay
        Instances until labels become known, or the ends of a range.
    hidden
        Share of labels that never do, and whether it is of instances or of single labels.
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
        return self.source.startswith("syn-")

    @property
    def has_kinds(self) -> bool:
        """Whether its concept can change in several ways."""
        return self.generated and self.source not in ("syn-regions", "syn-branches")

    def make(self) -> Stream:
        """The stream.

        Raises
        ------
        ValueError
            As the drifts' functions do.
        """
        if not self.generated:
            stream = load(self.source)
        else:
            name = f"{self.source}-{self.how}" if self.has_kinds else self.source
            length = {"endless": True} if self.n_rows is None else {"n_rows": self.n_rows}
            stream = load(name, seed=self.seed, **length)
        length = stream.n_rows or PAPER_LENGTH
        for share, change in self.changes:
            stream = change(stream, min(int(share * length), length - 1))
        if self.delay:
            stream = delay_labels(stream, self.delay, seed=self.seed)
        share, per = self.hidden
        if share:
            stream = hide_labels(stream, share, per=per, seed=self.seed)
        return stream
