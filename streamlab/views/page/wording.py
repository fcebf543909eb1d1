"""How a sentence about learners is put: it names them by their places, and has at most twenty words."""

from __future__ import annotations

from collections.abc import Sequence

MOST_WORDS = 20

Piece = tuple[str, int | None]
"""Text, and the place of the learner that it names, or None."""


def fitting(*candidates: Sequence[Piece | str]) -> list[Piece]:
    """Return the first of some sentences that has at most twenty words, else the last."""
    for candidate in candidates:
        parts = briefly(candidate)
        if len("".join(text for text, _ in parts).split()) <= MOST_WORDS:
            break
    return parts


def briefly(sentence: Sequence[Piece | str]) -> list[Piece]:
    """Return the parts of a sentence; after "SMART" the name "SMART without fading" is "without fading"."""
    named: list[str] = []
    parts: list[Piece] = []
    for text, place in ((each, None) if isinstance(each, str) else each for each in sentence):
        if place is None and parts and parts[-1][1] is None:
            parts[-1] = parts[-1][0] + text, None
            continue
        rest = next((text.removeprefix(f"{known} ") for known in named if text.startswith(f"{known} ")), "")
        parts.append((rest if " " in rest else text, place))
        if place is not None:
            named.append(text)
    return parts
