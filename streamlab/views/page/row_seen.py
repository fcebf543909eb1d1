"""The row that was answered last, as people see it beside Play: what it is, and what a learner said of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.streams import Stream
from streamlab.views.kit.text import shown
from streamlab.views.page.tables import LatestRow
from streamlab.views.timeline.bands import style_of

__all__: list[str] = []

RIGHT, MISSED, FALSE = "✓", "○", "✕"
MOST_TEXT = 80
"""Characters of a text that are shown."""


def row_marks(latest: LatestRow | None, learner: str) -> list[list[str]]:
    """Return the labels of a row and what a learner answered, as ``[label, mark]``.

    Parameters
    ----------
    latest
        What ``read_latest`` returned.
    learner
        The learner's name; of one that did not answer nothing is returned.

    Returns
    -------
    ``"✓"``: answered and there, first; ``"○"``: there and missed; ``"✕"``: answered and not there.
    """
    answer = None if latest is None else latest.answers.get(learner)
    if latest is None or answer is None:
        return []
    right = [label for label in latest.truth if label in answer]
    missed = [label for label in latest.truth if label not in answer]
    false = [label for label in answer if label not in latest.truth]
    marked = [(RIGHT, right), (MISSED, missed), (FALSE, false)]
    return [[shown(label), mark] for mark, labels in marked for label in labels]


def row_seen(latest: Any, learner: str, place: int = 0) -> dict[str, Any] | None:
    """Return the latest row as it stands in the bar, with a learner's answer; None where it could not be read.

    ``place`` is the learner's among the run's, which decides its colour.
    """
    if not isinstance(latest, LatestRow):
        return None
    picture = row_picture(latest.stream, latest.x, latest.title)
    return {
        "labels": row_marks(latest, learner), "picture": picture, "who": shown(learner), "note": _renamed(latest),
        "colour": style_of(place)[0],
    }  # fmt: skip


def _renamed(latest: LatestRow) -> str:
    """Say that labels have other names than a picture's own; "" where they do not, or there is no picture."""
    renamed = any(drift.kind == "label rotation" for drift in latest.stream.drifts if drift.start <= latest.row)
    return "answers by the new names" if renamed and latest.stream.pixels is not None else ""


def row_picture(stream: Stream, x: Any, title: str = "") -> dict[str, Any] | None:
    """Return what a row is, for ``Transport.show``; None where it is nothing that can be seen.

    Parameters
    ----------
    stream
        The stream; its ``pixels`` say what picture its features are.
    x
        The row as the stream gives it: float [features], or a row of a sparse matrix.
    title
        What people call the row (``LatestRow.title``), such as the beginning of a text: it is shown where there are no
        pixels.
    """
    if stream.pixels is not None:
        height, width, white = stream.pixels
        values = np.asarray(x.toarray() if hasattr(x, "toarray") else x, np.float64).ravel()
        if values.size == height * width:
            shares = np.clip(np.nan_to_num(values) / white, 0.0, 1.0)
            return {"kind": "pixels", "shape": [height, width], "values": shares.round(3).tolist()}
    return {"kind": "text", "text": shown(title, MOST_TEXT)} if title else None
