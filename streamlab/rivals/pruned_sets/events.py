"""The event of pruned sets: a buffer is full, and its frequent label sets become classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamlab.learners.base.events import EventKind

__all__ = ["CHOSEN", "chosen_in_words"]

CHOSEN = EventKind(
    "Label sets are chosen",
    "The buffer is full. Label sets that came at most p times are pruned, p as small as leaves no more of them than "
    "the support; the others become classes, and a classifier is trained on the buffer's rows that have one of them.",
    {
        "kept": "label sets kept",
        "seen": "label sets in the buffer",
        "level": "pruned if they came at most so often (p)",
        "share": "share of the buffer's rows that is learned",
    },
    colour="#0072B2",
)


def chosen_in_words(row: Sequence[float], where: str = "") -> dict[str, Any]:
    """Return a row of the kernels' log as an event; ``where`` begins its message."""
    _, position, level, seen, kept, weight, total = row
    share = weight / total if total > 0 else 0.0
    often = "once" if level == 1 else f"at most {level:.0f} times"
    pruned = f"; {seen - kept:.0f} that came {often} are pruned" if seen > kept else ""
    return {
        "kind": "sets_chosen",
        "message": f"{where}{kept:.0f} of {seen:.0f} label sets become classes, with {share:.0%} of the rows{pruned}",
        "position": int(position),
        "kept": int(kept),
        "seen": int(seen),
        "level": level,
        "share": share,
    }
