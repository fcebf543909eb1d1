"""The event of iSOUPT: a leaf splits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamlab.learners.base.events import EventKind
from streamlab.learners.mlhat.events import test_in_words
from streamlab.schema import Feature

__all__ = ["SPLIT", "split_in_words"]

SPLIT = EventKind(
    "A leaf splits",
    "A leaf compares its two best features by how much of the labels' variance each takes away. It splits if the "
    "second best takes less than 1 − ε of what the best takes, ε being the Hoeffding bound: more rows would hardly "
    "change the choice. It also splits once ε is below τ.",
    {
        "merit": "variance that the best feature takes away, mean of the labels",
        "second_merit": "the same of the second best",
        "ratio": "second by best",
        "epsilon": "Hoeffding bound ε",
        "weight": "weight seen",
    },
    colour="#009E73",
)


def split_in_words(row: Sequence[float], features: Sequence[Feature]) -> dict[str, Any]:
    """Return a row of the kernels' log as an event."""
    node, position, f, point, merit, second, epsilon, weight = row
    feature, ratio = features[int(f)], second / merit
    is_tie = not ratio < 1.0 - epsilon
    why = f"ε {epsilon:.3f} is below τ" if is_tie else f"the second best has {ratio:.2f} of that, ε is {epsilon:.3f}"
    return {
        "kind": "split",
        "message": f"node {node:.0f} split on {test_in_words(feature, point, True)} after a weight of {weight:,.0f}: "
        f"merit {merit:.4f}, {why}",
        "node": int(node),
        "position": int(position),
        "feature": feature.name,
        "threshold": point if feature.categories is None else None,
        "category": None if feature.categories is None else feature.categories[int(point)],
        "merit": merit,
        "second_merit": second,
        "ratio": ratio,
        "epsilon": epsilon,
        "weight": weight,
        "tie": is_tie,
    }
