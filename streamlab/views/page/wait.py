"""The wait for learners that are compiled: before a run begins, and for those that people add to it by hand."""

from __future__ import annotations

import concurrent.futures
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import panel_material_ui as pmui

from streamlab.lab import Player, Run
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
from streamlab.lab.seeds import groups_of
from streamlab.learners import Learner
from streamlab.streams.limits import LoadCancelled
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.kit.text import shown
from streamlab.views.page.presets import Preset

PATIENCE_S = 0.25
"""How often the page says how far it is, and is asked whether it still wants what it waits for."""
OVER = """
:host{position:absolute!important;inset:0;height:auto!important;z-index:900;pointer-events:none}
"""
"""It lies over the place where the run is shown, and lets it through when it is over."""


class WaitScreen(FrameComponent):
    """What people see of a wait: who is made ready, how far that is, what will be seen; and Play, which is remembered.

    ``on_message`` gets what they do: ``"play"`` (``on``: whether to play) or ``"back"``.
    """

    takes = ("dark",)

    _bundle = bundled("wait")

    def __init__(self, on_message: Callable[[str, dict[str, Any]], None], **params: Any) -> None:
        super().__init__(**{"height": 0, "margin": 0, "stylesheets": [OVER], **params})
        self._on_message = on_message

    def show(self, frame: Mapping[str, Any]) -> None:
        """Draw a state of the wait; ``{"state": "over"}``: the run is there, and takes over when it is drawn."""
        self._show(frame)

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") in ("play", "back"):
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
        self._is_over = self._has_run = False
        self._about: dict[str, Any] = {}
        self.screen = WaitScreen(self._heard)

    # ------------------------------------------------------------------ what people see

    def begin(self, *, has_run: bool, preset: Preset | None = None) -> None:
        """Say that a run is wanted; on the document's thread.

        Where another run is on the screen the wait is seen only if it lasts, and people may go back. Of the preset
        that the page opens with it says what will be seen.
        """
        self.play, self._is_over, self._has_run = False, False, has_run
        self._about = {"back": has_run, "sees": [] if preset is None else list(preset.sees), "n_rows": None}
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

    def _heard(self, kind: str, data: dict[str, Any]) -> None:
        if kind == "play":
            self.play = data.get("on") is True
            if self._is_over:
                self._plays(self.play)
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
    ) -> None:
        """Wait until a run can begin with all its learners.

        ``stream`` is a generated stream's name in the catalogue: what makes its rows is compiled too. Raises
        ``LoadCancelled`` if it is not ``wanted`` any longer.
        """
        if not self.is_served:
            return
        self._about["n_rows"] = n_rows
        of_run = [part_of_run(nested), *([part_of_stream(stream)] if stream else [])]
        run = _under_way(of_run)
        by_name = {name: _under_way(parts_of(learner)) for name, learner in learners.items()}
        if run or any(by_name.values()):
            give_way()
            compile_ahead()
        waits = list(dict.fromkeys([*run, *(each for some in by_name.values() for each in some)]))
        while due := [each for each in waits if not each.done]:
            if not wanted():
                raise LoadCancelled("another run was asked for")
            frame = self._frame(by_name, waits, due)
            self._later(lambda frame=frame: None if self._is_over else self.screen.show(frame))  # type: ignore[misc]
            concurrent.futures.wait([due[0].future], PATIENCE_S)

    def replays(self) -> Callable[[int, int], None]:
        """Return what hears how far the replay of a saved run is: what people see says how long it still takes."""
        frame = {"state": "replaying", **self._about}
        first: tuple[float, int] | None = None
        reported = 0.0

        def hear(done: int, of: int) -> None:
            nonlocal first, reported
            now = time.monotonic()
            if first is None or not done:  # what is compiled for the first chunk takes its time once
                first = now, done
            elif done > first[1] and now >= reported + PATIENCE_S:
                reported = now
                left = (now - first[0]) * (of - done) / (done - first[1])
                rows = {"done": done, "of": of, "seconds": left, "share": done / of}
                self._later(lambda: None if self._is_over else self.screen.show(frame | rows))

        return hear

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
        }


def _under_way(parts: Sequence[Part]) -> list[Preparation]:
    return [found for part in parts if (found := prepare(part)) is not None]


AT_ONCE_S = 4.0
"""Seconds that it may take a learner that joins to pass over the rows so far."""


class Joining:
    """A button that adds the chosen learners to the run on the screen.

    They pass over the rows so far once more, or, where that takes long, begin where the run stands. ``player`` returns
    the player of the run on the screen, or None; ``chosen`` new learners by name, of which those that are in the run
    are left out.
    """

    def __init__(
        self,
        player: Callable[[], Player | None],
        chosen: Callable[[], dict[str, Learner]],
        later: Callable[[Callable[[], None]], None],
        say: Callable[..., None],
    ) -> None:
        self._player, self._chosen, self._later, self._say = player, chosen, later, say
        self._asked: dict[str, Learner] = {}
        self.button = pmui.Button(label="Add to this run", variant="outlined", sizing_mode="stretch_width", margin=0)
        self.button.on_click(lambda _: self.add())

    def add(self) -> None:
        """Add those that are chosen and not in the run; what is not compiled yet is compiled beside it."""
        player = self._player()
        if player is None:
            return
        there = {*player.run.learner_runs, *groups_of(player.run.learner_runs)}
        self._asked = {name: each for name, each in self._chosen().items() if name not in there}
        if not self._asked:
            self._say("choose a learner that is not in this run yet")
            return
        threading.Thread(target=self._prepare, args=(player,), name="streamlab learners", daemon=True).start()

    def _prepare(self, player: Player) -> None:
        asked, names = self._asked, ", ".join(map(shown, self._asked))
        under_way = _under_way([part for each in asked.values() for part in parts_of(each)])
        if under_way:
            seconds = sum(each.seconds for each in under_way)
            self._tell(f"{names}: made ready for this machine, once, about {seconds:.0f} s; the run goes on", "info")
        for each in under_way:
            each.future.result()
        try:
            seconds = sum(player.ask(partial(Run.join_seconds, learner=each)).result() for each in asked.values())
        except Exception as error:
            self._tell(str(error))
            return
        self._later(lambda: self._found(player, asked, seconds))

    def _found(self, player: Player, asked: dict[str, Learner], seconds: float) -> None:
        if player is not self._player() or asked is not self._asked:
            return
        whole = seconds <= AT_ONCE_S
        self._say("")
        for name, learner in asked.items():
            joined = player.do(partial(_joined, player.run, name, learner, whole))
            joined.add_done_callback(self._heard)

    def _heard(self, joined: Any) -> None:
        error = None if joined.cancelled() else joined.exception()
        if error is not None:
            self._tell(str(error))
        elif not joined.cancelled() and joined.result():
            self._tell(joined.result(), "info")

    def _tell(self, message: str, kind: str = "error") -> None:
        self._later(lambda: self._say(message, kind))


def _joined(run: Run, name: str, learner: Learner, whole: bool) -> str:
    """Let a learner join; return what people are to know of it, or ""; on the player's thread."""
    why = "the rows before would take it long"
    if whole:
        try:
            run.join(name, learner, from_the_beginning=True)
            return ""
        except ValueError:
            if not run.stream.is_live or name in run.learner_runs:
                raise
            # a topic does not keep its rows for ever
            why = "the stream no longer has its first rows"
    run.join(name, learner)
    return f"{shown(name)} begins at row {run.position:,}: {why}"
