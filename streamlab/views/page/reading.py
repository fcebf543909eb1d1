"""What a picture draws of a learner, or of two in one, as it is read out of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from streamlab.lab import Run
from streamlab.lab.frame import ReadingFailed
from streamlab.views.kit.picture import Budget, Drawn, Picture, subject_of
from streamlab.views.pictures import PICTURES


@dataclass(frozen=True)
class Reading:
    """What the columns of a picture were made for, and what came of it; ``failed``: why words are drawn instead."""

    subjects: tuple[str, ...]
    selection: Any
    drawn: Drawn
    failed: str | None = None


def read(picture: Picture, names: tuple[str, ...], selection: Any, run: Run) -> Reading | ReadingFailed:
    """Return what a picture draws of a learner, or of two in one; called on the thread that owns the run.

    A learner that was removed, or is of a fork that has not begun, has nothing to draw. Where the picture cannot be
    made, a model that says something of itself does.
    """
    subjects = [subject for name in names if (subject := subject_of(name, run)) is not None]
    if not subjects:
        return ReadingFailed(f"{names[0]} is not in the run here")
    subject = subjects[0]
    try:
        drawn = [picture.columns(each, selection, Budget()) for each in subjects]
        return Reading(names, selection, in_one(picture, drawn))
    except Exception as error:  # a picture or a learner of another package may raise anything
        if not hasattr(subject.learner, "own_words"):
            raise
        # a version of River that its reader does not know is named among the words
        failed = "" if getattr(subject.learner, "lacks", "") else str(error) or type(error).__name__
        return Reading(names, selection, PICTURES.load("text")().columns(subject, None, Budget()), failed)


def in_one(picture: Picture, drawn: Sequence[Drawn]) -> Drawn:
    """Return what is drawn of one learner or two."""
    return picture.joined(*drawn) if len(drawn) > 1 else drawn[0]
