"""The diagram of the learners' mean ranks, and the sentence on what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamlab.views.study_page.reader import Reader, Seen

__all__ = ["diagram_of"]


def diagram_of(
    reader: Reader, seen: Seen, measure: str, learners: Sequence[str], streams: Sequence[str], ended: Sequence[bool]
) -> dict[str, Any] | None:
    """Return the diagram as the browser draws it, or None."""
    return None
