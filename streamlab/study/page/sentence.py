"""The one sentence over a study: how far it is and who leads, or who is first and whether that may be chance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from streamlab.study import Comparison
from streamlab.study.comparison import listed_names
from streamlab.views.kit.text import shown

MOST_NAMED, MOST_NAME = 2, 40
FIRST = {"seconds": "fastest", "bytes": "smallest"}
"""What the first one is called, where the measure is a cost."""

Piece = tuple[str, str]
"""Text, and the learner whose name it is, or ""."""


@dataclass(frozen=True)
class Standing:
    """How the learners shown stand.

    Parameters
    ----------
    measure
        What they are ranked by.
    ranks
        The average rank of each learner; NaN: no stream has ended yet.
    counted
        Over how many streams.
    done, total
        How many runs have ended, and how many there are.
    is_running
        Whether a run is under way.
    found
        What the tests have to go by: two streams at least, two learners, all ended; None: they have not.
    shares_rows
        Whether some streams are the same rows but for changes, so that the tests claim too much.
    """

    measure: str
    ranks: Mapping[str, float]
    counted: int
    done: int
    total: int
    is_running: bool
    found: Comparison | None = None
    shares_rows: bool = False

    @property
    def leaders(self) -> list[str]:
        """Who has the best average rank; empty: nobody has a rank."""
        best = min(self.ranks.values())
        return [name for name, rank in self.ranks.items() if math.isclose(rank, best)] if self.counted else []


def alike(found: Comparison) -> list[str]:
    """Return the others whom the tests do not tell apart from who ranks best; all, where none of them differs at all.

    Pairs count only where Friedman's test sees that the learners differ.
    """
    best, *others = found.ranks.index
    if found.friedman.p >= found.alpha:
        return others
    if found.pair_test == "wilcoxon":
        pairs = found.pairs[~found.pairs.differs]
        same = {(a, b) for a, b in zip(pairs.learner, pairs.rival, strict=True)}
        return [name for name in others if {(best, name), (name, best)} & same]
    return [name for name in others if found.ranks[name] - found.ranks[best] < found.critical_distance]


def groups_of(found: Comparison) -> list[tuple[str, ...]]:
    """Return the groups of neighbours in rank whose order may be chance."""
    return [tuple(found.ranks.index)] if found.friedman.p >= found.alpha else found.groups(found.pair_test)


def surpassed(now: Standing) -> list[str]:
    """Return whom the one that is first leads by more than chance, by all that the sentence says."""
    if now.found is None or now.done < now.total or len(now.leaders) != 1:
        return []
    best, *others = now.found.ranks.index
    same = alike(now.found)
    is_certain = bool(same) or not now.shares_rows
    return [name for name in others if name not in same] if is_certain and [best] == now.leaders else []


def tell(now: Standing) -> list[Piece]:
    """Return the sentence as its pieces.

    Examples
    --------
    >>> now = Standing("micro_f1", {"A": 1.0, "B": 2.0}, counted=2, done=5, total=8, is_running=True)
    >>> "".join(text for text, _ in tell(now))
    '5 of 8 runs are done. On 2 streams A leads so far.'
    """
    first = now.leaders
    if now.done < now.total:
        count = f"{now.done:,} of {now.total:,} runs are done"
        if not first:
            return [(f"{count}: the first ranks follow." if now.is_running else f"{count}.", "")]
        if len(first) == len(now.ranks) > 1:
            return [(f"{count}: nobody leads yet.", "")]
        streams = f"On {now.counted:,} stream{'s' * (now.counted != 1)} "
        return [(f"{count}. {streams}", ""), *_named(first), (f" lead{'s' * (len(first) == 1)} so far.", "")]
    if not first:
        return [("No run ended with a figure.", "")]
    best, *others = first
    if len(now.ranks) == 1:
        return [*_named([best]), (" has no rivals here.", "")]
    if len(others) == len(now.ranks) - 1:
        return [("Nobody is ahead: all share the first place.", "")]
    if others:
        return [*_named(first), (" share the first place.", "")]
    return [*_named([best]), (f" is {FIRST.get(now.measure, 'first')}", ""), *_by_chance(now)]


def _by_chance(now: Standing) -> list[Piece]:
    """Return what the tests say of the first one's lead."""
    if now.found is None:
        return [(" on the one stream; that may be chance.", "")]
    same = alike(now.found)
    if len(same) == len(now.ranks) - 1:
        return [(", but that may be chance.", "")]
    apart = [name for name in now.found.ranks.index[1:] if name not in same]
    if same and len(apart) < len(same):
        return [("; only its lead over ", ""), *_named(apart), (" is more than chance.", "")]
    if same:
        return [(", but its lead over ", ""), *_named(same), (" may be chance.", "")]
    if now.shares_rows:
        return [(", but streams share their rows: chance is not ruled out.", "")]
    return [(", and not by chance.", "")]


def _named(names: Sequence[str]) -> list[Piece]:
    """Return a list of names, each a piece of its own; of many only how many they are."""
    if len(names) > MOST_NAMED:
        return [(f"{len(names)} learners", "")]
    pieces = [(shown(name, MOST_NAME), name) for name in names]
    return [pieces[0], *(each for piece in pieces[1:] for each in ((" and ", ""), piece))]


def shared_rows(recipes: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Return a caveat for each set of streams that are the same rows but for changes, by name and ``Source.recipe``.

    Examples
    --------
    >>> plain = {"source": "yeast", "options": {}}
    >>> changed = {"change": "rotate_labels", "parameters": {"at": 500}, "stream": plain}
    >>> shared_rows({"a": plain, "b": changed, "c": {"source": "films", "options": {}}})[0].partition(":")[0]
    '“a” and “b” have the same rows, but for changes'
    """
    groups: dict[str, list[str]] = {}
    for name, recipe in recipes.items():
        while "change" in recipe:
            recipe = recipe["stream"]  # type: ignore[assignment]
        groups.setdefault(repr(recipe), []).append(f"“{shown(name)}”")
    return [
        f"{listed_names(names)} have the same rows, but for changes: the tests take streams for independent, so that "
        f"with these {len(names)} their p is smaller than it should be."
        for names in groups.values()
        if len(names) > 1
    ]
