"""Why a learner answered a row so: what moved its answer most, and what would have made it right."""

from __future__ import annotations

from functools import partial
from typing import Any

from streamlab.lab import Player
from streamlab.lab.frame import Frame
from streamlab.lab.importance_report import RowReasons, row_reasons
from streamlab.lab.ownership import Awaited
from streamlab.schema import Feature
from streamlab.views.kit.text import score_text, shown, with_minus


class RowWhy:
    """Asks the run, on the thread that owns it, about the row that is shown while a run stands still, once for each."""

    def __init__(self, player: Player) -> None:
        self._player, self._answer = player, Awaited()
        self._asked: Any = None
        self._reasons: tuple[Any, tuple[str, ...]] = (None, ())

    def of(self, frame: Frame, learner: str) -> tuple[str, ...]:
        """Return sentences on a frame's row, which was read because people want to see it; none while it is asked."""
        if (found := self._answer.take()) is not None:
            self._reasons = self._asked, sentences(found)
        here = (frame.position, frame.branch, learner)
        if frame.state == "playing" or learner not in frame.learners:
            return ()
        if here != self._asked:
            self._asked = here
            self._answer.ask(self._player.do(partial(row_reasons, self._player.run, learner)))
        return self._reasons[1] if self._reasons[0] == here else ()


def sentences(found: RowReasons) -> tuple[str, ...]:
    """Return what is known in at most two sentences: three moves, and of the first label that was wrong its remedy."""
    lines = []
    moves = [
        f"{shown(feature)} {'raised' if move > 0 else 'lowered'} {shown(label)} by {_brief(score_text(abs(move)))}"
        for feature, label, move in found.moves
    ]
    if moves:
        lines.append(f"{shown(found.learner)}: {', '.join(moves)}.")
    if found.wrong is not None:
        label, is_there = shown(found.wrong), found.is_there
        if found.is_right_now:
            lines.append(f"By now it answers {label} right.")
        elif found.remedy is None:
            lines.append(f"No feature alone would have made {label} right.")
        else:
            answered = f"{label} would {'' if is_there else 'not '}have been answered"
            lines.append(f"{answered} with {shown(found.remedy[0].name)} {_value(*found.remedy)}.")
    return tuple(lines)


def _value(feature: Feature, was: float, value: float) -> str:
    """Return what a feature would have had to be."""
    if feature.categories is not None and 0 <= int(value) < len(feature.categories):
        return shown(feature.categories[int(value)])
    text = _brief(with_minus(f"{value:.3g}"))
    return text if was != was else f"{'over' if value > was else 'under'} {text}"


def _brief(number: str) -> str:
    """Return a number without the 0 before its point."""
    return number.replace("0.", ".", 1) if number.lstrip("−").startswith("0.") else number
