"""A lesson that is under way: which step, what was predicted, and whether the step has come to its end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from streamlab.lessons.arrival import Action, Arrival, arrive, leave
from streamlab.lessons.lesson import Lesson, Step


class LessonPage(Protocol):
    """What a lesson does to the page that shows it."""

    def begin(self, arrival: Arrival) -> None:
        """Begin a new run, advance it to the beginning of a step, and arrange the page as the step says."""

    def go_on(self, arrival: Arrival, actions: Sequence[Action]) -> None:
        """Bring the run to where a step begins by some actions, and look so."""

    def play_to(self, row: int, *, fast: bool) -> None:
        """Play to a row, at the page's speed or flat out."""

    def tune(self, learner: str, parameter: str, value: Any) -> None:
        """Set a parameter."""

    def open_tab(self, title: str) -> None:
        """Open a tab."""

    def left(self) -> None:
        """The lesson is over."""


@dataclass(frozen=True)
class Now:
    """How the page stands.

    Parameters
    ----------
    position
        Rows that the run has passed.
    playing
        Whether it plays.
    tab
        The tab that is open.
    parameters
        By learner, its tunable parameters.
    busy
        Whether the page is still being brought to where the step begins.
    error
        What prevents that, or "".
    away
        Whether people have begun a run that is not the lesson's.
    """

    position: int
    playing: bool = False
    tab: str = ""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    busy: bool = False
    error: str = ""
    away: bool = False


class Session:
    """Goes through a lesson on a page.

    Parameters
    ----------
    lesson
        The lesson.
    page
        The page.
    following
        Name and title of the lesson that comes after it, or None.
    """

    def __init__(self, lesson: Lesson, page: LessonPage, following: tuple[str, str] | None = None) -> None:
        self.lesson, self._page, self._following = lesson, page, following
        self.number = 0
        self._now = Now(0, busy=True)
        self._recaps: dict[int, list[str]] = {}
        self._start_step()

    def _start_step(self) -> None:
        self._picked: int | None = None
        self._passed_over = self._met = False
        self._recaps.pop(self.number, None)

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self.lesson.steps[self.number]

    # ------------------------------------------------------------------ what people do

    def go(self, number: int) -> None:
        """Go to a step, counted from 0, by way of a run of its own.

        Raises
        ------
        ValueError
            If there is none of this number.
        """
        if not 0 <= number < len(self.lesson.steps):
            raise ValueError(f"step={number + 1}: the lesson has {len(self.lesson.steps)} steps")
        self.number = number
        self._start_step()
        self._now = Now(0, busy=True)
        self._page.begin(arrive(self.lesson, number))

    def again(self) -> None:
        """Begin the step again, as if nothing had been tried in it."""
        self.go(self.number)

    def next(self) -> None:
        """Go to the next step, if this one is over; behind the last one leave."""
        if not self.is_over:
            return
        if self._is_last:
            self._page.left()
            return
        ended = leave(self.step, arrive(self.lesson, self.number))
        begins = arrive(self.lesson, self.number + 1)
        if self._now.away or not begins.same_run(ended):
            self.go(self.number + 1)
            return
        self.number += 1
        self._start_step()
        self._now = Now(self._now.position, busy=True)
        # people may have gone past the row where the step before ends; what was tuned there is tuned there again
        again = [action for action in ended.actions if action.row == ended.row and not action.drift]
        self._page.go_on(begins, [Action(ended.row), *again, *begins.actions[len(ended.actions) :]])

    def back(self) -> None:
        """Go to the step before."""
        if self.number:
            self.go(self.number - 1)

    def pick(self, option: int) -> None:
        """Predict: choose an answer, by its place from 0; once."""
        predict = self.step.predict
        if predict is not None and self._is_asked and 0 <= option < len(predict.options):
            self._picked = option
            self._see()

    def pass_over(self) -> None:
        """Predict nothing, and see what is true."""
        if self._is_asked:
            self._passed_over = True
            self._see()

    def _see(self) -> None:
        """What was predicted is seen next: play on."""
        if self.step.ending.row is not None and not self._met:
            self.play()

    def play(self, *, fast: bool = False) -> None:
        """Play to the row where the step ends."""
        if self.step.ending.row is not None and not self._is_asked:
            self._page.play_to(self.step.ending.row, fast=fast)

    def do(self) -> None:
        """Do what the step's end asks for."""
        ending = self.step.ending
        if ending.learner:
            self._page.tune(ending.learner, ending.parameter, ending.value)
        elif ending.tab:
            self._page.open_tab(ending.tab)

    def leave(self) -> None:
        """Leave the lesson; the run stays."""
        self._page.left()

    # ------------------------------------------------------------------ how it stands

    def tick(self, now: Now) -> None:
        """Take in how the page stands."""
        self._now = now
        if now.busy or now.error or now.away:
            return
        ending = self.step.ending
        if ending.row is not None:
            self._met |= now.position >= ending.row
        elif ending.tab:
            self._met |= now.tab == ending.tab
        elif ending.learner:
            value = now.parameters.get(ending.learner, {}).get(ending.parameter)
            self._met |= value == ending.value or _close(value, ending.value)
        else:
            self._met = True
        if self.is_over and self.step.predict and not self._passed_over and self.number not in self._recaps:
            said, true = self._picked or 0, self.step.predict.answer
            options = self.step.predict.options
            self._recaps[self.number] = [
                self.step.predict.question, f"You said: {options[said]}", f"It is: {options[true]}"
            ]  # fmt: skip

    @property
    def _is_asked(self) -> bool:
        """Whether a prediction is wanted and none was made."""
        return self.step.predict is not None and self._picked is None and not self._passed_over

    @property
    def is_over(self) -> bool:
        """Whether the step has come to its end."""
        return self._met and not self._is_asked and not self._now.busy

    def state(self) -> dict[str, Any]:
        """Return what the browser shows."""
        step, ending, now = self.step, self.step.ending, self._now
        is_seen = step.predict is not None and self.is_over
        wants_row = ending.row is not None and not self._met and not self._is_asked
        do = ""
        if not self._met and not self._is_asked and not now.busy:
            do = f"Open “{ending.tab}” for me" if ending.tab else "Set it for me" if ending.learner else ""
        return {
            "lesson": self.lesson.title,
            "number": self.number + 1,
            "total": len(self.lesson.steps),
            "title": step.title,
            "body": list(step.text),
            "question": "" if step.predict is None else step.predict.question,
            "options": [] if step.predict is None else list(step.predict.options),
            "picked": self._picked,
            "answer": step.predict.answer if step.predict is not None and is_seen else None,
            "asked": self._is_asked and not now.busy,
            "verdict": self._verdict() if is_seen else "",
            "reveal": list(step.reveal) if is_seen else [],
            "play": f"Play to row {ending.row:,}" if wants_row and not now.busy else "",
            "playing": now.playing,
            "do": do,
            "busy": "" if now.error or now.away else "Getting the run to where this step begins …" if now.busy else "",
            "error": "The page shows another run than the lesson’s." if now.away else now.error,
            "over": self.is_over,
            "recap": [self._recaps[number] for number in sorted(self._recaps)]
            if self._is_last and self.is_over
            else [],
            "following": list(self._following) if self._following and self._is_last else [],
        }

    @property
    def _is_last(self) -> bool:
        return self.number + 1 == len(self.lesson.steps)

    def _verdict(self) -> str:
        predict = self.step.predict
        assert predict is not None, "something was asked"
        if self._picked is None:
            return f"It is: {predict.options[predict.answer]}."
        return "You were right." if self._picked == predict.answer else "Not quite."


def _close(value: Any, wanted: Any) -> bool:
    numbers = isinstance(value, (int, float)) and isinstance(wanted, (int, float))
    return numbers and math.isclose(value, wanted, rel_tol=1e-6)
