"""What the live page would tell of a run at each of its rows, for a replay: by the page's own story."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from streamlab.lab.frame import NOTHING_DRAWN, CurveUpdate, Frame, FrameMaker
from streamlab.views.page.story import Story

if TYPE_CHECKING:
    from streamlab.lab import Run

MOST_TOLD = 400
"""Rows of a measure that are told; of a longer run, evenly spread, and those at which something happened."""


@dataclass(frozen=True)
class Past:
    """A story, and the frame of a run's end with all its points and events."""

    story: Story
    frame: Frame


def past_of(run: Run, measure: str, over: str) -> Past:
    """Copy out of a run what is to be told by a measure; on the thread that owns the run."""
    maker = FrameMaker(run)
    maker.choose(measures=[measure], over=over)
    frame = maker.make(NOTHING_DRAWN, "paused", "", None, 0.0)
    learners = {name: each.learner for name, each in run.learner_runs.items()}
    return Past(Story(run.stream, learners, measure, over), frame)


def told_along(past: Past) -> tuple[list[int], list[tuple[str, str]]]:
    """Return the rows from which on something else is told, the first of them 0, and each headline and text."""
    story, frame = past.story, past.frame
    points = frame.curves.positions.tolist()
    if len(points) > MOST_TOLD:
        points = [points[place] for place in np.linspace(0, len(points) - 1, MOST_TOLD).astype(int).tolist()]
    # a drift is known when the first row after its beginning has passed
    dated = sorted(
        ((e.position + (e.kind == "drift" and not e.learner), e) for e in frame.events if e.is_dated), key=itemgetter(0)
    )
    happened = {row for row, _ in dated if row <= frame.position}
    # what learners hold is known of the end alone
    unknown = {name: {**numbers, "changed": None} for name, numbers in frame.learners.items()}
    empty = CurveUpdate(np.zeros(0, np.int64), {}, False)
    at: list[int] = []
    texts: list[tuple[str, str]] = []
    met = 0
    for place, row in enumerate(sorted({0, *points, *happened, frame.position})):
        new = [event for known, event in dated[met:] if known <= row]
        met += len(new)
        story.take(replace(frame, events=new, fresh=not place, curves=empty if place else frame.curves))
        state = "finished" if row == frame.n_rows else "playing"
        learners = frame.learners if row == frame.position else unknown
        told = story.tell(replace(frame, position=row, end=row, live=True, state=state, learners=learners))
        said = told.headline, f"{told.text} {told.figures}".rstrip()
        if not texts or texts[-1] != said:
            at.append(row)
            texts.append(said)
    return at, texts
