"""The wait for a run's learners: what the page shows until they are compiled, and what people do meanwhile."""

from __future__ import annotations

import base64
import concurrent.futures
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import param

from streamlab.lab.preparing import (
    Part,
    Preparation,
    compile_ahead,
    give_way,
    part_of_run,
    part_of_stream,
    parts_of,
    prepare,
    seconds_left,
)
from streamlab.learners import Learner
from streamlab.streams.limits import LoadCancelled
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.page.presets import PRESETS, Preset

PATIENCE_S = 0.25
"""How often the page says how far it is, and is asked whether it still wants what it waits for."""
OVER = """
:host{position:absolute!important;inset:0;height:auto!important;z-index:900;pointer-events:none}
"""
"""It lies over the place where the run is shown, and lets it through when it is over."""


@cache
def still_of(title: str, dark: bool) -> str:
    """Return the picture of a preset that the package ships, as an address of its own data; "" if there is none."""
    page = next((name for name, preset in PRESETS.items() if preset.title == title), "")
    name = f"{page}-{'dark' if dark else 'light'}.webp"
    found = resources.files("streamlab.views.page") / "stills" / name
    if not found.is_file():
        return ""
    return f"data:image/webp;base64,{base64.b64encode(found.read_bytes()).decode()}"


class WaitScreen(FrameComponent):
    """What people see of a wait: who is made ready, how far that is, what will be seen; and Play, which is remembered.

    Parameters
    ----------
    on_message
        Called with what people do: ``"play"`` (``on``: whether it is to play), ``"without"`` (``name``) or ``"back"``.
    """

    still = param.String(default="", doc="A picture behind it, as a data address.")

    _bundle = bundled("wait")

    def __init__(self, on_message: Callable[[str, dict[str, Any]], None], **params: Any) -> None:
        super().__init__(**{"height": 0, "margin": 0, "stylesheets": [OVER], **params})
        self._on_message = on_message

    def show(self, frame: Mapping[str, Any]) -> None:
        """Draw a state of the wait; ``{"state": "over"}``: the run is there, and takes over when it is drawn."""
        self._show(frame)

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") in ("play", "without", "back"):
            self._on_message(data["kind"], data)
        else:
            super()._handle_msg(data)


class Wait:
    """What a page does between the wish for a run and its first row: a run begins when all its learners are there.

    Parameters
    ----------
    later
        Called, from any thread, with a function for the document's thread.
    is_served
        Whether there is a browser that waits; else nothing is prepared ahead.
    back
        Called when people want the run back that was on the screen before.
    plays
        Called with whether to play, when that is said of a run that is there already.

    Attributes
    ----------
    screen
        What people see of it.
    play
        Whether the run is to play as soon as it begins.
    """

    def __init__(
        self,
        later: Callable[[Callable[[], None]], None],
        is_served: bool,
        back: Callable[[], Any] = lambda: None,
        plays: Callable[[bool], Any] = bool,
    ) -> None:
        self._later, self.is_served, self._back, self._plays = later, is_served, back, plays
        self.play = False
        self._without: set[str] = set()
        self._is_over = self._has_run = False
        self._about: dict[str, Any] = {}
        self._preset: Preset | None = None
        self.screen = WaitScreen(self._heard)
        # not before the browser has all of the page: Panel would take it for part of the page's HTML and not send it
        self.screen.param.watch(lambda _: self._later(self._draw_still), "dark")

    # ------------------------------------------------------------------ what people see

    def begin(self, *, has_run: bool, preset: Preset | None = None) -> None:
        """Say that a run is wanted; on the document's thread.

        Parameters
        ----------
        has_run
            Whether another run is on the screen: the wait is seen only if it lasts, and people may go back.
        preset
            What the page opens with, where it opens with that: its picture, and what will be seen.
        """
        self.play, self._is_over, self._has_run = False, False, has_run
        self._without.clear()
        self._preset = preset
        sees = [] if preset is None else list(preset.sees)
        row = 0 if preset is None else preset.still
        self._about = {"back": has_run, "sees": sees, "row": row, "n_rows": None}
        self._draw_still()
        if not has_run:
            self.screen.show({"state": "loading", **self._about})

    def over(self) -> None:
        """Say that the run is there; on the document's thread."""
        self._is_over = True
        self.screen.show({"state": "over"})

    def stop(self) -> None:
        """Take the wait away: there will be no run; on the document's thread."""
        self._is_over = True
        self.screen.show({"state": "hidden"})

    def _draw_still(self) -> None:
        preset = self._preset
        self.screen.still = "" if preset is None else still_of(preset.title, self.screen.dark)

    def _heard(self, kind: str, data: dict[str, Any]) -> None:
        if kind == "play":
            self.play = data.get("on") is True
            if self._is_over:
                self._plays(self.play)
        elif kind == "without" and isinstance(data.get("name"), str):
            self._without.add(data["name"])
        elif kind == "back" and self._has_run and not self._is_over:
            self._back()

    # ------------------------------------------------------------------ what it waits for

    def ready(
        self,
        learners: Mapping[str, Learner],
        nested: bool,
        wanted: Callable[[], bool],
        *,
        stream: str = "",
        n_rows: int | None = None,
    ) -> list[str]:
        """Wait until a run can begin with all its learners; return the names of those that people did not leave out.

        Parameters
        ----------
        learners
            By name, in the order in which the page shows them.
        nested
            Whether the labels have a hierarchy.
        wanted
            Whether the page still waits for this.
        stream
            A generated stream's name in the catalogue: what makes its rows is compiled too.
        n_rows
            Length of the stream, or None.

        Raises
        ------
        LoadCancelled
            If it is not wanted any longer.
        """
        if not self.is_served:
            return list(learners)
        self._about["n_rows"] = n_rows
        of_run = [part_of_run(nested), *([part_of_stream(stream)] if stream else [])]
        run = _under_way(of_run)
        by_name = {name: _under_way(parts_of(learner)) for name, learner in learners.items()}
        if run or any(by_name.values()):
            give_way()
            compile_ahead()
        while True:
            left = {name: some for name, some in by_name.items() if name not in self._without} or by_name
            waits = list(dict.fromkeys([*run, *(each for some in left.values() for each in some)]))
            due = [each for each in waits if not each.done]
            if not due:
                return list(left)
            if not wanted():
                raise LoadCancelled("another run was asked for")
            frame = self._frame(left, waits, due)
            self._later(lambda frame=frame: None if self._is_over else self.screen.show(frame))  # type: ignore[misc]
            concurrent.futures.wait([due[0].future], PATIENCE_S)

    def _frame(
        self, learners: Mapping[str, Sequence[Preparation]], waits: Sequence[Preparation], due: Sequence[Preparation]
    ) -> dict[str, Any]:
        waiting = [name for name, some in learners.items() if any(not each.done for each in some)]
        return {
            "state": "waiting",
            **self._about,
            "names": waiting,
            "seconds": seconds_left(due),
            "share": sum(each.seconds if each.done else each.spent for each in waits)
            / sum(each.seconds for each in waits),
            "learners": [_said(name, some, name in waiting and len(learners) > 1) for name, some in learners.items()],
        }


def _under_way(parts: Sequence[Part]) -> list[Preparation]:
    return [found for part in parts if (found := prepare(part)) is not None]


def _said(name: str, some: Sequence[Preparation], is_optional: bool) -> dict[str, Any]:
    """Return how far a learner is: seconds of a processor, and of how many; whether the run can begin without it."""
    spent = sum(each.seconds if each.done else each.spent for each in some)
    state = "ready" if all(each.done for each in some) else "begun" if any(each.began for each in some) else "next"
    return {
        "name": name, "state": state, "spent": spent, "of": sum(each.seconds for each in some),
        "optional": is_optional,
    }  # fmt: skip
