"""The kinds of members that an ensemble may have, by the names of the parameter ``base``."""

from __future__ import annotations

from typing import Any

from streamlab.rivals.ensembles.isoup import IsoupMember
from streamlab.rivals.ensembles.logistic_chain import LogisticChain
from streamlab.rivals.ensembles.member import Member
from streamlab.rivals.ensembles.pruned_sets import PrunedSetsMember
from streamlab.rivals.ensembles.tree_chain import TreeChain, TreePerLabel

__all__ = ["BASES", "base_of"]

BASES: dict[str, type[Member]] = {
    "relevance": TreePerLabel,
    "chain": TreeChain,
    "logistic": LogisticChain,
    "pruned_sets": PrunedSetsMember,
    "isoup": IsoupMember,
}
"""A further kind is a subclass of ``Member`` and a line here; ensembles, their states and their checks take it so."""


def base_of(name: Any) -> type[Member]:
    """Return the kind of members of this name.

    Raises
    ------
    ValueError
        If there is none, with those that there are.
    """
    if not isinstance(name, str) or name not in BASES:
        raise ValueError(f"base={name!r}: expected {', '.join(map(repr, BASES))}")
    return BASES[name]
