"""The heads of pictures: a learner's name, its value now, and the one parameter that matters, as a sentence."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import param

from streamlab.lab.frame import Frame
from streamlab.lab.seeds import Band
from streamlab.learners import Learner, Tunable
from streamlab.views.kit.component import CommandComponent, bundled, is_nothing
from streamlab.views.kit.text import score_text, shown
from streamlab.views.page.learner_settings import LearnerSettings, main_tunable, offered_values
from streamlab.views.timeline.bands import style_of

MOST_TYPED = 20
NO_SCORE = Band(*np.full((3,), np.nan))
NEVER = ("never", "inf", "∞")
"""What people may type for infinity."""


def _is_typed(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MOST_TYPED


class Head(CommandComponent):
    """One learner's head.

    Parameters
    ----------
    name, title
        What the run calls it, and what people read.
    learner
        The learner.
    place
        Its place among the run's learners, which decides its colour.
    tune
        Called as ``tune(name, parameter, value)`` when its number is set.
    settings
        Called with the name when people ask for all that can be set.
    """

    shown = param.Dict(default={}, doc="What stands there; a tab that opens again draws it again.")

    commands: ClassVar = {"settings": is_nothing, "tune": _is_typed}

    _bundle = bundled("head")

    def __init__(
        self,
        name: str,
        title: str,
        learner: Learner,
        place: int,
        *,
        tune: Callable[[str, str, Any], None],
        settings: Callable[[str], None],
        **params: Any,
    ) -> None:
        super().__init__(self._told, margin=0, **params)
        self.name_of, self._title, self._colour = name, title, style_of(place)[0]
        self._tune, self._settings = tune, settings
        main = main_tunable(learner)
        self._main = main if main is not None and main.says else None
        self._value = None if self._main is None else getattr(learner, self._main.name)
        self._score, self._of = "", ""
        self._draw()

    def show(self, parameters: Mapping[str, Any], score: Band, of: str) -> None:
        """Draw its value now, ``of`` which rows, and its parameter as it is set."""
        self._score, self._of = "" if math.isnan(score.middle) else score_text(score.middle).removeprefix("0"), of
        if self._main is not None:
            self._value = parameters.get(self._main.name, self._value)
        self._draw()

    def _draw(self) -> None:
        before = number = after = ""
        options: list[str] = []
        if self._main is not None:
            before, number, after = in_sentence(self._main, self._value)
            options = list(offered_values(self._main, self._value))
        head = {
            "name": shown(self._title, 40), "colour": self._colour, "value": self._score, "of": self._of,
            "before": before, "set": number, "number": number, "after": after, "options": options,
            "title": "" if self._main is None else self._main.title or self._main.name.replace("_", " "),
        }  # fmt: skip
        self.shown = head

    def _told(self, name: str, value: Any) -> None:
        if name == "settings":
            self._settings(self.name_of)
        elif self._main is not None:
            self._tune(self.name_of, self._main.name, typed(self._main, value, self._value))


class Heads:
    """The heads of a run's learners; ``note`` says what is refused, ``settings`` is called with a group's name.

    A group of seeds has one head.
    """

    def __init__(
        self,
        settings_of: LearnerSettings,
        learners: Mapping[str, Learner],
        note: Any,
        settings: Callable[[str], None],
        dark: Callable[[], bool],
    ) -> None:
        self._settings_of, self._learners, self._note = settings_of, learners, note
        self._settings, self._dark = settings, dark
        self.made: dict[str, list[Head]] = {}
        """The heads by group."""

    def of(self, name: str) -> Head | None:
        """Return what stands above the picture of one of the run's learners; of a member None."""
        groups = self._settings_of.groups
        place, group = next(((i, each) for i, each in enumerate(groups) if name in groups[each]), (0, ""))
        if not group:
            return None
        head = Head(
            group, self._settings_of.titles[group], self._learners[name], place, tune=self._tune,
            settings=self._settings, dark=self._dark(),
        )  # fmt: skip
        self.made.setdefault(group, []).append(head)
        return head

    def _tune(self, group: str, parameter: str, value: Any) -> None:
        with self._note.tells("warning"):
            self._settings_of.tune(group, parameter, value)

    def show(self, frame: Frame, scores: Mapping[str, Band], of: str) -> None:
        """Draw each learner's value, ``of`` which rows."""
        for group, heads in self.made.items():
            parameters = frame.learners.get(self._settings_of.groups[group][0], {}).get("parameters", {})
            for head in heads:
                head.show(parameters, scores.get(group, NO_SCORE), of)


def in_sentence(tunable: Tunable, value: Any) -> tuple[str, str, str]:
    """Return the words before a parameter's value, the value, and the words after it, as ``Tunable.says`` has them."""
    if tunable.infinite and isinstance(value, float) and math.isinf(value):
        before, _, never = tunable.says_never.rpartition(" ")
        return f"{before} " if before else "", never or "never", ""
    before, _, after = tunable.says.partition("{value}")
    return before, next(text for text, each in offered_values(tunable, value).items() if each == value), after


def typed(tunable: Tunable, text: str, now: Any) -> Any:
    """Return what a text stands for: one of the values offered, or a number; the run refuses what is not allowed.

    Raises
    ------
    ValueError
        If it is no number.
    """
    offered = offered_values(tunable, now)
    if text in offered:
        return offered[text]
    if tunable.infinite and text.lower() in NEVER:
        return math.inf
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        what = tunable.title or tunable.name
        raise ValueError(f"{what}: expected a number {tunable.allowed}, found {shown(text, MOST_TYPED)}") from None
    return int(number) if tunable.integer and number.is_integer() else number
