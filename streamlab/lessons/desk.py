"""Lessons on a page of the monitor: the one that its address asks for is opened, and brought from step to step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

import numpy as np
import panel as pn
import param

from streamlab.lab import Run
from streamlab.lab.ownership import Awaited
from streamlab.lessons.arrival import Action, Arrival, Look, perform
from streamlab.lessons.catalogue import lesson_names, lesson_of, lessons
from streamlab.lessons.session import Now, Session
from streamlab.streams.stream_spec import SOURCES, StreamSpec
from streamlab.views.kit.component import FrameComponent, bundled, is_whole
from streamlab.views.page.header import LinkMenu
from streamlab.views.page.page_part import PagePart
from streamlab.views.page.presets import PRESETS, described_learners, offered_learners
from streamlab.views.page.screen import PLAIN
from streamlab.views.page.served import Ticking

__all__ = ["LessonDesk"]

PLAIN_COMMANDS = ("next", "back", "pass", "play", "skip", "do", "again", "leave")
"""What buttons send, without a value."""
MOST_OPTIONS = 5
DOCK = """
:host{position:sticky;top:12px;align-self:start;width:376px;margin:0 16px 0 0!important;z-index:6}
@media (max-width:1000px){:host{order:-1;top:0;width:100%;margin:0!important;z-index:12}}
@container style(--streamlab-projected:1){:host{order:-1;position:static;width:100%;margin:0!important}}
"""
"""Beside the page where there is room, else above it: it stays in sight while the page scrolls."""


class LessonPanel(FrameComponent):
    """The step of a lesson: its text, what is asked, and the buttons.

    Parameters
    ----------
    on_command
        Called as ``on_command(name, value)`` on the document's thread: the names of ``PLAIN_COMMANDS``, ``"pick"`` (the
        place of an answer).
    """

    step = param.Dict(default={}, doc="What ``Session.state`` says.")

    _bundle = bundled("lesson")

    def __init__(self, on_command: Callable[[str, Any], None], **params: Any) -> None:
        super().__init__(**{"stylesheets": [DOCK], "sizing_mode": None, **params})
        self._on_command = on_command

    def _handle_msg(self, data: Any) -> None:
        name, value = data.get("name"), data.get("value")
        if data.get("kind") == "command" and _is_command(name, value):
            self._on_command(name, value)
        elif data.get("kind") == "command":
            self._refusals.report("a command of a lesson", data)
        else:
            super()._handle_msg(data)


def _is_command(name: Any, value: Any) -> bool:
    """Whether a button or a key of the panel sends this."""
    if name == "pick":
        return is_whole(value, MOST_OPTIONS - 1)
    return name in PLAIN_COMMANDS and value is None


TICK_MS = 120
HOME = "stream_monitor"
"""The page that opens lessons: the last part of its address."""
BESIDE = """
:host{display:grid!important;grid-template-columns:minmax(0,1fr) auto;gap:18px;align-items:start;
  height:max-content!important;max-height:none!important;overflow:visible!important}
:host>*{max-height:none!important}
@media (max-width:1000px){:host{grid-template-columns:minmax(0,1fr);gap:0}}
@container style(--streamlab-projected:1){
  :host{grid-template-columns:minmax(0,1fr);gap:0;--sl-lesson:132px;--sl-story-tall:0px;--sl-story-most:0px;--sl-low-curve:76px}}
"""
"""On a projector a step's text takes the story's place, and more than that."""


class LessonDesk(PagePart):
    """Opens the lesson of a page's address, and does to the page what its steps say.

    Parameters
    ----------
    monitor
        The page, a ``Monitor`` whose link has been read.
    """

    def __init__(self, monitor: Any) -> None:
        super().__init__(monitor)
        self._session: Session | None = None
        self._arrival: Arrival | None = None
        self._pending = self._away = False
        self._view: Any = None
        self._done: Future | None = None
        self._error = ""
        self._asked = Awaited()
        self._known: dict[str, Any] = {}
        self._ticking: Any = None
        self._beside = pn.Column()
        listed = lessons()
        links = [(_address(each.name), each.title, f"{each.minutes} minutes", each.about) for each in listed]
        self.menu = LinkMenu("Lessons", links)
        self.header = [self.menu]
        self.panel = LessonPanel(self._command, visible=False)
        self._open(listed)

    def _open(self, listed: Sequence[Any]) -> None:
        link = self._monitor.link
        name, step = link.asked.lesson, link.asked.step or 1
        if name is None:
            if link.asked.step is not None:
                link.refuse([f"step={step}: expected a lesson too"])
            return
        try:
            if self._monitor.preset is not PRESETS[HOME]:
                raise ValueError(f"lesson={name}: lessons open in {HOME}")
            lesson = lesson_of(name)
            if not 1 <= step <= len(lesson.steps):
                raise ValueError(f"step={step}: expected 1 to {len(lesson.steps)} in the lesson {name}")
        except (ValueError, OSError) as error:
            link.refuse([str(error)])
            return
        names = [each.name for each in listed]
        place = names.index(name) + 1 if name in names else len(names)
        following = (listed[place].name, listed[place].title) if place < len(names) else None
        self._session = Session(lesson, self, following)
        self._session.number = step - 1
        self.menu.current = _address(name)
        self.panel.visible = True

    @staticmethod
    def lessons() -> list[str]:
        """Return the names of all lessons."""
        return lesson_names()

    @property
    def is_open(self) -> bool:
        """Whether there is a lesson on the page."""
        return self._session is not None

    def beside(self, content: Any) -> Any:
        """Return the page's content, with the panel beside it where a lesson is open."""
        if not self.is_open:
            return content
        self._beside = pn.Column(content, self.panel, stylesheets=[BESIDE], sizing_mode="stretch_width")
        return self._beside

    def begin_page(self) -> bool:
        """Begin the lesson that the page's address asks for; returns whether there is one."""
        if self._session is None:
            return False
        self._session.go(self._session.number)
        return True

    def restart(self) -> bool:
        """Begin the lesson's step again; returns whether there is a lesson."""
        if self._session is None:
            return False
        self._session.again()
        return True

    def query(self) -> str:
        """Return what the page's address says of the lesson; "" if there is none."""
        return "" if self._session is None else f"lesson={self._session.lesson.name}&step={self._session.number + 1}"

    def about(self) -> str:
        """Return the lesson's title, as the start page lists it; "" if there is none."""
        return "" if self._session is None else f"Lesson: {self._session.lesson.title}"

    def shown(self, view: Any) -> None:
        """Take a view that the page has just made, of a run at its first row."""
        self._view, self._known = view, {}
        self._asked = Awaited()
        if self._session is None or self._arrival is None:
            return
        self._away, self._pending = not self._pending, False
        if not self._away:
            self._look(self._arrival.look, self._arrival.look.tab)
            self._do(self._arrival.actions)
        self._tick()
        self._start_ticking()

    def close(self) -> None:
        """Look at the page no longer; may be called more than once."""
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None

    # ------------------------------------------------------------------ what the session asks for

    def begin(self, arrival: Arrival) -> None:
        """Begin a new run of a step, as the page begins one."""
        monitor, page = self._monitor, arrival.page
        self._arrival, self._pending, self._away, self._error, self._done = arrival, True, False, "", None
        look = arrival.look
        asked = replace(page, speed=look.speed, measures=look.measures, over=look.over, tab=look.tab)
        monitor.link.take(asked)
        nested = not set(page.learners) <= set(offered_learners(False).values())
        monitor._nested = nested
        monitor.learner_choice.param.update(options=described_learners(nested), value=list(page.learners))
        monitor.river_choice.value = list(page.river)
        monitor.chunk.value, monitor.seed.value = page.chunk, str(page.seed)
        source = arrival.stream or page.stream
        monitor._running = monitor._source = source
        if source in monitor.stream_choice.options.values():
            monitor.stream_choice.value = source
        elif isinstance(source, StreamSpec):
            known = SOURCES | monitor.stream_choice.options
            words = next((title for title, name in known.items() if name == source.source), source.source)
            options = {**monitor.stream_choice.options, f"{words}, as the lesson has it": source}
            monitor.stream_choice.param.update(options=options, value=source)
        monitor.begin()
        self._tick()

    def go_on(self, arrival: Arrival, actions: Sequence[Action]) -> None:
        """Bring the run to where a step begins by some actions."""
        before, self._arrival = self._arrival, arrival
        tab = arrival.look.tab if before is None or before.look.tab != arrival.look.tab else None
        self._look(arrival.look, tab)
        self._do(actions)
        self._tick()
        self._monitor._changed()

    def play_to(self, row: int, *, fast: bool) -> None:
        """Play to a row."""
        assert self._view is not None, "a run is shown"
        if fast:
            self._view.player.go(row)
        else:
            self._view.player.stop_at(row)
            self._view.player.play()
        self._view._soon()

    def tune(self, learner: str, parameter: str, value: Any) -> None:
        """Set a parameter."""
        assert self._view is not None, "a run is shown"
        self._do([Action(self._view._run.position, learner, parameter, value)])

    def open_tab(self, title: str) -> None:
        """Open a tab."""
        assert self._view is not None, "a run is shown"
        self._view.open_tab(title)

    def left(self) -> None:
        """Leave the lesson: the page stays as it is, and shows all of its parts."""
        self._session = None
        self.close()
        self.panel.visible, self.menu.current = False, ""
        self._beside.stylesheets = [PLAIN]
        if self._view is not None:
            self._view.screen.show_only(())
            self._view.player.stop_at(None)
        self._monitor._changed()

    # ------------------------------------------------------------------ the run

    def _do(self, actions: Sequence[Action]) -> None:
        """Have the player do these; the step waits until they are done."""
        assert self._view is not None, "a run is shown"
        player, run = self._view.player, self._view._run
        self._error, self._done = "", None
        for action in actions:
            player.go(action.row)
            self._done = player.do(partial(perform, run, [action]))
        ending = None if self._session is None else self._session.step.ending.row
        player.stop_at(ending)
        self._view._soon()

    def _look(self, look: Look, tab: str | None) -> None:
        """Show the page so."""
        view = self._view
        assert view is not None, "a run is shown"
        view.screen.show_only(look.hidden)
        if look.speed is not None and look.speed != view.look["rate"]:
            view._command("rate", None if np.isinf(look.speed) else look.speed)
        if look.measures or look.over is not None:
            view.draw_curves(look.measures or view.look["measures"], look.over)
        if tab is not None and not view.open_tab(tab):
            self._error = f"This page has no tab “{tab}”."

    # ------------------------------------------------------------------ the panel

    def _command(self, name: str, value: Any) -> None:
        session = self._session
        if session is None:
            return
        acts: dict[str, Callable[[], None]] = {
            "next": session.next, "back": session.back, "pass": session.pass_over, "do": session.do,
            "again": session.again, "leave": session.leave, "play": session.play,
            "skip": partial(session.play, fast=True),
            "pick": partial(session.pick, value),
        }  # fmt: skip
        acts[name]()
        self._tick()

    def _start_ticking(self) -> None:
        document = pn.state.curdoc
        if document is not None and document.session_context is not None:
            # a step that is shown before the browser has all of the page would not reach it (``Polling``)
            pn.state.onload(partial(self._tick_in, document))

    def _tick_in(self, document: Any) -> None:
        if self._ticking is None:
            self._ticking = Ticking(document, self._tick, TICK_MS)

    def _tick(self) -> None:
        """See how the run stands, and show it."""
        if self._session is None:
            return
        self._session.tick(self._now())
        step = self._session.state()
        if step != self.panel.step:
            self.panel.step = step

    def _now(self) -> Now:
        view = self._view
        if view is None or self._pending:
            return Now(0, busy=True)
        if self._done is not None and self._done.done():
            error = None if self._done.cancelled() else self._done.exception()
            self._error, self._done, self._known = "" if error is None else str(error), None, {}
            self._asked = Awaited()
        self._known = self._asked.take() or self._known
        self._asked.ask(view.player.ask(_standing))
        busy = self._done is not None or not self._known
        return Now(
            position=self._known.get("position", 0),
            playing=view.player.state == "playing",
            tab=view.look["tab"] or "",
            parameters=self._known.get("parameters", {}),
            busy=busy,
            error=self._error,
            away=self._away,
        )


def _address(lesson: str) -> str:
    """Return the address that opens a lesson."""
    return f"{HOME}?lesson={quote(lesson, safe='')}"


def _standing(run: Run) -> dict[str, Any]:
    """Return how a run stands, on the thread that owns it."""
    parameters = {
        name: {each.name: getattr(learner_run.learner, each.name) for each in learner_run.learner.tunables}
        for name, learner_run in run.learner_runs.items()
    }
    return {"position": run.position, "parameters": parameters}
