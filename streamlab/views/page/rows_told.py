"""What the sentence says of two learners that remember rows: who forgot old ones first, and what became of both."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from streamlab.lab.verdict import FEW, Verdict
from streamlab.views.page.wording import Piece


def rows_told(
    found: Mapping[str, Verdict], renewed: Mapping[str, int | None], named: Callable[[str], Piece]
) -> list[Piece | str]:
    """Return what follows what happened, without a full stop; nothing where rows do not tell the two apart.

    Parameters
    ----------
    found
        What the drift did to each learner that was there.
    renewed
        ``LearnerRun.renewed`` of all.
    named
        How a learner is named.
    """
    if not len(found) == len(renewed) == 2 or None in renewed.values():
        return []
    first, then = sorted(found, key=lambda name: renewed[name] or math.inf)
    one, other = found[first], found[then]
    end, last = _end(one), _end(other)
    is_early = other.recovery.points <= FEW
    if end == last == "not back" and is_early:
        both = "Both answered by old rows and fell"
        return [both, "; ", named(first), " forgot them first"] if renewed[first] else [both]
    if not renewed[first] or renewed[first] == renewed[then] or not other.fell or end == "not back":
        return []
    is_sooner = one.dipped or (one.back_at or math.inf) < (other.back_at or 0)
    if renewed[then] and is_sooner and last == "back":
        return ["Both forgot their old rows and recovered, ", named(first), " sooner"]
    lead, follows = f"first{end and f' and is {end}'}", "followed" if renewed[then] else "kept them"
    early = "fell, then followed" if renewed[then] else "kept them and fell"
    told = early if last == "not back" and is_early else f"{follows} and is {last}"
    return [named(first), f" forgot old rows {lead}; ", named(then), f" {told}"]


def _end(verdict: Verdict) -> str:
    """Return what has become of one that fell, as it stands after "is"; else nothing."""
    return "back" if verdict.back else "coming back" if verdict.returning else "not back" if verdict.fell else ""
