"""Which drift a detection is of: the first of a learner after a drift began, if it comes soon enough."""

from __future__ import annotations

from dataclasses import dataclass, field

from streamlab.measures import DEFAULT_WITHIN

__all__ = ["Noticed", "Truth"]


@dataclass
class Truth:
    """A known drift: where it begins, over how many instances, and which learners have noticed it."""

    start: int
    width: int = 1
    seen: set[str] = field(default_factory=set)


class Noticed:
    """Drifts and detections in the order in which they were logged.

    Parameters
    ----------
    within
        Instances after a drift is complete in which a detection is of it; as in ``measures.match_alarms``.
    """

    def __init__(self, within: int = DEFAULT_WITHIN) -> None:
        self._within = within
        self.truths: list[Truth] = []

    def begin(self, start: int, width: int = 1) -> None:
        """A drift has begun."""
        self.truths.append(Truth(start, width))

    def delay(self, learner: str, position: int) -> int | None:
        """Return the instances from a drift to its detection; None without a drift, or if it was noticed before."""
        # a truth is logged when its first row has passed, so the latest that began before the event is its own
        truth = next((t for t in reversed(self.truths) if t.start <= position), None)
        if truth is None or learner in truth.seen or position >= truth.start + truth.width + self._within:
            return None
        truth.seen.add(learner)
        return position - truth.start
