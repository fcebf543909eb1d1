"""What a page loads and runs, and learners whose kernels are not compiled yet: it goes on with the others."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from streamlab.lab import Run
from streamlab.lab.preparing import Preparation, preparation, prepare_run, prepare_stream
from streamlab.learners import LEARNERS, Learner
from streamlab.streams import Stream
from streamlab.streams.limits import LoadCancelled
from streamlab.views.hosting.limits import LIMITS
from streamlab.views.kit.component import FrameComponent, javascript
from streamlab.views.kit.text import shown

logger = logging.getLogger("streamlab")
Came = Callable[[list[str]], None]

PATIENCE_S = 0.2
"""How often it is asked whether the page still wants what it waits for."""
SOON_S = 4.0
"""A page waits for a learner that is expected within this time, and begins without a slower one."""


def meanwhile() -> dict[str, Learner]:
    """Return the learner that is seen until the first of those that are chosen is compiled."""
    return {"no-change": LEARNERS.load("NoChange")()}


class PreparingNote(FrameComponent):
    """Says what is being prepared, with a bar and a way to go on without it.

    Parameters
    ----------
    without
        Called when people do not want to wait.
    """

    _esm = javascript("preparing")

    def __init__(self, without: Callable[[], None], **params: Any) -> None:
        super().__init__(**{"height": 0, "margin": 0, **params})
        self._without = without
        self._under_way: list[Preparation] = []
        self._optional = False
        self.param.watch(lambda _: self._draw(), "dark")

    def show(self, under_way: list[Preparation], optional: bool) -> None:
        """Say what is prepared now and after it; nothing: it goes.

        Parameters
        ----------
        under_way
            In the order in which it is done.
        optional
            Whether the page can go on without the first of it.
        """
        self._under_way, self._optional = under_way, optional
        self._draw()

    def _draw(self) -> None:
        text, expected, passed = "", 1.0, 0.0
        if self._under_way:
            now = [each for each in self._under_way if each.began is not None] or self._under_way[:1]
            # what takes longest of what is prepared side by side
            last = max(now, key=lambda each: each.seconds + (each.began or 0.0))
            expected, passed = last.seconds, 0.0 if last.began is None else time.monotonic() - last.began
            text = f"Preparing {_titles(now)}, once, {_about(expected)}."
            after = [each for each in self._under_way if each not in now]
            if after:
                text += f" {_titles(after)} {'comes' if len(after) == 1 else 'come'} after that."
        self._show(
            {"dark": self.dark, "text": text, "expected": expected, "passed": passed, "optional": self._optional}
        )

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") == "without":
            self._without()
        else:
            super()._handle_msg(data)


class Preparing:
    """What a page waits for, and what it does when that is there.

    Parameters
    ----------
    later
        Called, from any thread, with a function for the document's thread.

    beside
        Whether it goes on while others are prepared; else, as where no browser waits, all are prepared first.
    without
        Called with the names of learners when people do not want to wait for them.

    Attributes
    ----------
    note
        What people see of it.
    """

    def __init__(
        self,
        later: Callable[[Callable[[], None]], None],
        beside: bool = True,
        without: Callable[[list[str]], Any] = len,
    ) -> None:
        self._later, self.beside, self._without = later, beside, without
        self._waiting: dict[str, tuple[Preparation, Came]] = {}
        self._needed: list[Preparation] = []
        self._lock = threading.Lock()
        self.note = PreparingNote(self._go_on_without)

    def ready(
        self,
        learners: Mapping[str, Learner],
        nested: bool,
        wanted: Callable[[], bool],
        came: Came,
        *,
        every: bool = False,
        stream: str = "",
    ) -> list[str]:
        """Wait until a run can begin, and return the names of the learners that are ready for it, if any is soon.

        The run's own kernels and the first learner are compiled first, side by side.

        Parameters
        ----------
        learners
            By name, in the order in which the page shows them.
        nested
            Whether the labels have a hierarchy.
        wanted
            Whether the page still waits for this.
        came
            Called on the document's thread with the names of learners that are not among those returned, when they
            are ready.
        every
            Whether the run waits for all of them: a lesson has no use for a run without one.

        stream
            A generated stream's name in the catalogue: what makes its rows is compiled too.

        Raises
        ------
        LoadCancelled
            If it is not wanted any longer.
        """
        self.forget()
        if not self.beside:
            return list(learners)
        first = [prepare_run(nested), prepare_stream(stream) if stream else None]
        of_run = [each for each in first if each is not None]
        needed = {name: preparation(name, learner) for name, learner in learners.items()}
        waiting = {name: each for name, each in needed.items() if each is not None}
        for each in of_run:
            self._wait_for([each], wanted, beside=[*of_run, *waiting.values()])
        patience = time.monotonic() + SOON_S
        while waiting := {name: each for name, each in waiting.items() if not each.done}:
            soon = min(each.left for each in waiting.values()) < patience - time.monotonic()
            if not every and (len(waiting) < len(learners) or not soon):
                break
            # any that is ready first will do
            self._wait_for(list(dict.fromkeys(waiting.values())), wanted, math.inf if every else patience)
        self._expect(waiting, came)
        return [name for name in learners if name not in waiting]

    def add(self, learners: Mapping[str, Learner], came: Came) -> None:
        """Prepare further learners beside the run, and call ``came`` with the names of those that are ready."""

        def look() -> None:
            needed = {name: preparation(name, learner) for name, learner in learners.items()}
            at_once = [name for name, each in needed.items() if each is None]
            if at_once:
                self._later(lambda: came(at_once))
            self._expect({name: each for name, each in needed.items() if each is not None}, came)

        threading.Thread(target=look, name="streamlab learners", daemon=True).start()

    def forget(self) -> None:
        """Wait for nothing any longer: another run begins. What is being compiled is compiled on."""
        with self._lock:
            self._waiting.clear()
            self._needed = []
        self._later(self._draw)

    def _expect(self, waiting: Mapping[str, Preparation], came: Came) -> None:
        with self._lock:
            self._waiting |= {name: (each, came) for name, each in waiting.items()}
        for each in set(waiting.values()):
            each.when_begun(lambda: self._later(self._draw))
            each.when_done(lambda _: self._later(self._look))
        self._later(self._draw)
        if waiting:
            _prepare_others()

    def _wait_for(
        self,
        some: list[Preparation],
        wanted: Callable[[], bool],
        until: float = math.inf,
        beside: Sequence[Preparation] = (),
    ) -> None:
        """Wait until one of some is done, or ``time.monotonic`` says so; say what is prepared beside them too."""
        with self._lock:
            self._needed = list(dict.fromkeys((*some, *beside)))
        for each in some:
            each.when_begun(lambda: self._later(self._draw))
        self._later(self._draw)
        while not any(each.done for each in some) and time.monotonic() < until:
            if not wanted():
                raise LoadCancelled("another run was asked for")
            some[0].wait(PATIENCE_S)
        with self._lock:
            self._needed = []

    def _under_way(self) -> list[Preparation]:
        with self._lock:
            left = [each for each in (*self._needed, *(each for each, _ in self._waiting.values())) if not each.done]
        return sorted(dict.fromkeys(left), key=lambda each: each.began is None)

    def _draw(self) -> None:
        under_way = self._under_way()
        self.note.show(under_way, bool(under_way) and under_way[0] not in self._needed)

    def _look(self) -> None:
        """Report what is ready, on the document's thread."""
        with self._lock:
            there = {name: came for name, (each, came) in self._waiting.items() if each.done}
            for name in there:
                del self._waiting[name]
        self._draw()
        for came in dict.fromkeys(there.values()):
            came([name for name, its in there.items() if its is came])

    def _go_on_without(self) -> None:
        """Do not tell of the learner that is being prepared now."""
        under_way = self._under_way()
        if under_way and under_way[0] not in self._needed:
            with self._lock:
                left = [name for name, (each, _) in self._waiting.items() if each is under_way[0]]
                self._waiting = {name: pair for name, pair in self._waiting.items() if name not in left}
            self._without(left)
            self._draw()


def _titles(some: list[Preparation]) -> str:
    titles = [shown(each.title) for each in some]
    return " and ".join([", ".join(titles[:-1])] * (len(titles) > 1) + titles[-1:])


def _about(seconds: float) -> str:
    if seconds >= 90:
        return f"about {round(seconds / 60)} minutes"
    return f"about {5 * max(1, round(seconds / 5))} s"


_others_asked = threading.Event()


def _prepare_others() -> None:
    """Compile the other learners too, once, after those that a page shows: this machine has not compiled them yet."""
    if _others_asked.is_set():
        return
    _others_asked.set()

    def ask() -> None:
        for name, kind in LEARNERS.items():
            try:
                preparation(name, kind(), urgent=False)
            except Exception:  # one that is made of others, or a stranger's, which may raise anything
                logger.debug("%s is not prepared", name, exc_info=True)

    threading.Thread(target=ask, name="streamlab kernels asked", daemon=True).start()


@dataclass(frozen=True)
class Job:
    """What is to be loaded, and whether people have chosen something else since, or left.

    Parameters
    ----------
    source, options
        What ``load`` takes.
    learners, river
        Names of learners, and of River's classifiers.
    chunk, seed, seeds
        Of the run, of everything random in the learners, and how many learners of each there are, with a seed each.
    parameters
        By learner, those that are not as the page makes them.
    drifts
        Those that are put into the stream before the run begins, as ``drift_links.drifts_of`` writes them.
    left
        What names a run that a page left, which goes on here; None: another begins.
    played
        Rows that have passed when the run shows.
    instead
        Called before the run shows; a true answer says that something else was done in place of that.
    """

    source: Any
    options: dict[str, Any]
    learners: tuple[str, ...]
    river: tuple[str, ...]
    chunk: int
    seed: int
    seeds: int
    parameters: Mapping[str, Mapping[str, Any]]
    drifts: tuple[str, ...] = ()
    left: str | None = None
    played: int = 0
    instead: Callable[[], bool] = bool
    cancelled: threading.Event = field(default_factory=threading.Event)

    def run(self, stream: Stream, learners: Mapping[str, Learner]) -> Run:
        """Return the run of a stream that has been loaded, with the rows passed that are to be."""
        run = Run(
            stream, learners, chunk=self.chunk, alarms="label", snapshots=LIMITS.snapshot_bytes, seeds=self.seeds
        )  # fmt: skip
        run.advance(self.played)
        return run
