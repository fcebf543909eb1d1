"""What the page tells about an instance that is pinned in the projection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from streamlab.views.kit.details import hint
from streamlab.views.kit.text import as_html

__all__ = ["projection_details"]


def projection_details(subject: str, story: Mapping[str, Any] | None, labels: Sequence[str]) -> str:
    """Return what ``BalancedKNN.neighbourhood_of`` says as HTML; None: the instance is no longer kept."""
    if story is None:
        return hint("The pinned instance is no longer kept: newer ones took its place.")
    true, answered = story["Y"].astype(bool), story["predicted"].astype(bool)

    def named(chosen: Any) -> str:
        names = [as_html(name) for name, is_on in zip(labels, chosen, strict=True) if is_on]
        return f"<b>{', '.join(names)}</b>" if names else "none"

    rows = story["row"].tolist()
    return (
        f"<h3>{as_html(subject)}, instance {story['instance'] + 1:,}</h3>"
        f"<p>Right: {named(answered & true)}. Wrong: {named(answered & ~true)}. Missed: {named(true & ~answered)}.</p>"
        f"<p>The classes ask <b>{len(rows)}</b> neighbours, which are <b>{len(set(rows))}</b> instances: one with "
        "several labels is asked by each of its classes. The instance itself is not asked.</p>"
    )
