"""The player: one thread that owns a run, obeys commands at once, and hands finished frames to callers who ask."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from types import EllipsisType
from typing import Any, TypeVar

from streamlab._checks import checked_count, checked_number
from streamlab.lab.events import Event
from streamlab.lab.frame import Frame, FrameMaker, Reader
from streamlab.lab.ownership import PlayerClosed, answered, error_text
from streamlab.lab.pace import TURNS, Pace, checked_rate, short_step, speed_of
from streamlab.lab.run import Run
from streamlab.measures import main_measure
from streamlab.streams import Stream

Returned = TypeVar("Returned")

__all__ = ["Player"]

# what another thread asks of the run, or of its learners, is answered or refused in this time
ANSWER_SECONDS = 2.0
# a command waits at most about this long for the chunk under way, and for the steps bundled with it
SLICE_SECONDS = 0.02
# how often a run that waits for rows looks for them
LOOK_SECONDS = 0.05
# what pictures show is written down so often at most, and takes this share of the time at most
RECORD_SECONDS = 0.2
RECORD_SHARE = 0.03


class Player:
    """Plays a run in a thread of its own.

    The thread alone touches the run; what other threads ask of it, it carries out for them. Commands are carried out
    between chunks, in order, and pause also cuts a long step short. About ``frames_per_second`` times a second, while
    something changes, it makes a frame of copies; ``poll`` takes the newest. A frame holds the curve points since the
    last one *taken*, so none is lost if frames are dropped and none comes twice.

    Parameters
    ----------
    run
        The run. Its methods and those of its learners may be called from any thread: they answer within two seconds
        or raise a ValueError. A run has one player: an older one is closed.
    rate
        Instances a second, or None for flat out.
    frames_per_second
        How often at most a frame is made while the run plays; the answer to a command does not wait for its turn.
    short_steps
        Whether slow speeds and single steps teach: at 25 rows a second and below, and for a step of one row, few rows
        are answered together (``Run.set_step``, so that the run can be had again). In its past the run goes as it went.

    Raises
    ------
    ValueError
        If ``rate`` or ``frames_per_second`` is not above 0, or an older player does not end in time.

    Examples
    --------
    >>> import streamlab as sl
    >>> player = Player(sl.Run("yeast", sl.NoChange()))
    >>> player.step(300).result(), player.poll().position, player.close()
    (300, 300, None)
    """

    def __init__(
        self, run: Run, *, rate: float | None = None, frames_per_second: float = 10.0, short_steps: bool = False
    ) -> None:
        self._run = run
        self._pace = Pace(checked_rate(rate))
        checked_number("frames_per_second", frames_per_second, above=True)
        self._interval = 1.0 / frames_per_second
        self._state = "paused"
        self._short_steps = short_steps
        self._message = ""
        self._maker = FrameMaker(run)
        self._commands: deque[tuple[Callable[[], Any], Future[Any], bool]] = deque()
        self._wakeup = threading.Condition()
        self._closed = False
        self._frame: Frame | None = None
        self._changed = self._taken = True
        self._look_at = self._record_at = 0.0
        self._speed: deque[tuple[float, int]] = deque(maxlen=20)
        self._wanted: int | None = None
        self._seeking: int | None = None
        self._stop: int | None = None
        self._recorded: Callable[[Run], Mapping[str, Reader]] | None = None
        self._thread = threading.Thread(target=self._loop, name="streamlab player", daemon=True)
        self._own()
        self._thread.start()

    def _own(self) -> None:
        """Become the run's only player."""
        older = self._run._owner
        if isinstance(older, Player):
            older.close()
            if older._thread.is_alive():
                raise ValueError("an earlier player is still working on a chunk of this run; try again later")
        self._run._owner = self

    def _hold_learners(self) -> None:
        """Let other threads wait for a learner no longer than they wait for the run."""
        for learner_run in self._run.learner_runs.values():
            lock = learner_run.learner._lock
            lock.patience, lock.patient = ANSWER_SECONDS, self.ident or 0

    def _release(self) -> None:
        """Give the run and its learners back to the caller."""
        for learner_run in self._run.learner_runs.values():
            learner_run.learner._lock.patience = math.inf
        self._run._owner = None

    # ------------------------------------------------------------------ from any thread

    def play(self, rate: float | EllipsisType | None = ...) -> Future[None]:
        """Go on from here; ``rate`` in instances a second, None for flat out, left out for the rate as it is."""
        if rate is not ...:
            rate = checked_rate(rate)
        return self.do(lambda: self._play(rate))

    def pause(self) -> Future[None]:
        """Stop after the chunk under way, also amid a step of many chunks."""
        return self.do(self._pause)

    def step(self, n: int | None = None) -> Future[int]:
        """Pause and go on by ``n`` instances; None, the default, is to the end of the chunk."""
        checked_count("n", n, 1, optional=True)
        return self.do(lambda: self._step(n))

    def set_rate(self, rate: float | None) -> Future[None]:
        """Change the rate: instances a second, or None for flat out."""
        rate = checked_rate(rate)
        return self.do(lambda: self._pace.set_rate(rate))

    def tune(self, learner: str, **parameters: float) -> Future[Event]:
        """Change parameters of a learner between two chunks; the future holds the event or the ValueError."""
        return self.do(lambda: self._run.tune(learner, **parameters))

    def put_drift(self, change: Callable[[Stream, int], Stream], at: int | None = None) -> Future[Event]:
        """Put a drift into the stream, as ``Run.put_drift``; the future holds the event or the ValueError."""
        return self.do(lambda: self._run.put_drift(change, at=at))

    def seek(self, position: int) -> Future[int]:
        """Pause and go to a position that the run has passed (``Run.seek``); of several that wait only the newest.

        The future holds the position where the run stands then.
        """
        self._wanted = position
        return self.do(lambda: self._seek(position))

    def go(self, position: int) -> Future[int]:
        """Pause and go to a position, back as ``seek`` or on flat out; the future holds where the run stands then."""
        return self.do(lambda: self._go(position))

    def stop_at(self, position: int | None) -> Future[None]:
        """Pause when a run that plays comes to this position, once; None: nowhere. Playing goes on behind it."""
        return self.do(lambda: setattr(self, "_stop", position), changes=False)

    def record(self, readers: Callable[[Run], Mapping[str, Reader]] | None) -> Future[None]:
        """Write down what these readers say along the way, into ``Run.views``; None: no longer."""
        return self.do(lambda: setattr(self, "_recorded", readers))

    def show(self, **choices: Any) -> Future[None]:
        """Choose what the frames hold; see ``FrameMaker.choose``. After ``redraw``, wait for it before ``poll``."""
        return self.do(lambda: self._show(choices))

    def ask(self, question: Callable[[Run], Returned]) -> Future[Returned]:
        """Call ``question(run)`` on the player's thread between two chunks: to read, not to change."""
        return self.do(lambda: question(self._run), changes=False)

    def do(self, command: Callable[[], Returned], *, changes: bool = True) -> Future[Returned]:
        """Carry out a command on the player's thread, between two chunks; a frame follows if it ``changes`` a thing."""
        future: Future[Returned] = Future()
        with self._wakeup:
            if self._closed:
                future.set_exception(PlayerClosed("the player is closed"))
                return future
            self._commands.append((command, future, changes))
            self._wakeup.notify()
        return future

    def carry_out(self, command: Callable[[], Returned]) -> Returned:
        """Carry out a command on the player's thread, and return what it returns.

        Raises
        ------
        ValueError
            If that takes longer than two seconds, or the player is closed before.
        """
        until = time.monotonic() + ANSWER_SECONDS
        future = self.do(command)
        try:
            return answered(future, ANSWER_SECONDS)
        except (CancelledError, PlayerClosed):
            self._thread.join(max(0.0, until - time.monotonic()))
            if self._thread.is_alive() or not self._run._lock.acquire(True, max(0.0, until - time.monotonic())):
                raise ValueError("the player of this run is closing: nothing was done, try again later") from None
            try:
                return command()
            finally:
                self._run._lock.release()

    def poll(self) -> Frame | None:
        """The newest frame if there is one that has not been taken yet."""
        with self._wakeup:
            if self._taken:
                return None
            self._taken = True
            assert self._frame is not None, "a frame was made"
            self._maker.taken(self._frame)
            return self._frame

    @property
    def state(self) -> str:
        """``"paused"``, ``"playing"``, ``"finished"`` or ``"failed"``."""
        return self._state

    @property
    def run(self) -> Run:
        """The run that it plays."""
        return self._run

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def ident(self) -> int | None:
        """The number of its thread, as ``threading.get_ident`` gives it there."""
        return self._thread.ident

    def close(self, wait: float = 2.0) -> None:
        """End the thread; commands that still wait are given up. May be called more than once."""
        with self._wakeup:
            self._closed = True
            self._wakeup.notify()
        if self._thread is not threading.current_thread():
            self._thread.join(wait)

    # ------------------------------------------------------------------ on the player's thread

    def _loop(self) -> None:
        try:
            self._hold_learners()
            while not self._closed:
                try:
                    self._serve()
                except BaseException as error:  # nothing may end the thread while the page says that it plays
                    self._fail(f"stopped after {self._run.position:,} instances: {error_text(error)}")
                    self._changed = False
        finally:
            self._release()
            with self._wakeup:
                self._closed = True
                for _, future, _ in self._commands:
                    future.cancel()
                self._commands.clear()

    def _serve(self) -> None:
        next_frame = 0.0
        while True:
            with self._wakeup:
                while not self._closed and not self._commands and self._idle(next_frame):
                    self._wakeup.wait(self._patience(next_frame))
                if self._closed:
                    return
                command = self._commands.popleft() if self._commands else None
            if command is not None:
                self._obey(*command)
            elif self._state == "playing":
                self._advance()
            at_once = self._state != "playing" and not self._commands
            if self._changed and (at_once or time.perf_counter() >= next_frame):
                took = self._make_frame()
                # a frame that costs much leaves the run at least as much time as it took
                next_frame = time.perf_counter() + max(self._interval - took, took)

    def _idle(self, next_frame: float) -> bool:
        """Whether there is nothing to do now: no instance due and no frame."""
        if self._changed and time.perf_counter() >= next_frame:
            return False
        return self._state != "playing" or time.perf_counter() < self._look_at or not self._due()

    def _patience(self, next_frame: float) -> float | None:
        """Seconds until something may be due; None if nothing can be before a command comes."""
        waits = []
        if self._changed:
            waits.append(max(0.0, next_frame - time.perf_counter()))
        if self._state == "playing":
            left = self._look_at - time.perf_counter()
            waits.append(max(0.001, left) if self._pace.rate is None else max(left, self._pace.seconds_left))
        return min(waits, default=None)

    def _obey(self, command: Callable[[], Any], future: Future[Any], changes: bool) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            with self._run._lock:
                result = command()
        except Exception as error:
            future.set_exception(error)
        except BaseException as error:  # SystemExit and its kind end a thread, or whoever asks for the result
            future.set_exception(RuntimeError(error_text(error)))
        else:
            future.set_result(result)
        self._changed |= changes
        if changes:
            # a fork came, or a learner from the past
            self._hold_learners()

    def _play(self, rate: float | EllipsisType | None) -> None:
        if rate is not ...:
            self._pace.set_rate(rate)
        if self._state in ("paused", "playing"):
            self._state = "playing"
            self._message = ""
            self._look_at = 0.0
            self._pace.restart()
            self._speed.clear()

    def _pause(self) -> None:
        if self._state == "playing":
            self._state, self._message = "paused", ""

    def _seek(self, position: int) -> int:
        self._pause()
        if position != self._wanted and self._wanted is not None:
            return self._run.position  # another waits behind it
        self._seeking = position
        try:
            self._run.seek(position, interrupted=self._stop_asked)
        finally:
            self._seeking = None
        self._state, self._message = "paused", ""
        self._mark_end()
        return self._run.position

    def _go(self, position: int) -> int:
        self._pause()
        if position < self._run.position:
            self._wanted = position
            return self._seek(position)
        if position > self._run.position:
            self._step(position - self._run.position)
        return self._run.position

    def _step(self, n: int | None) -> int:
        self._pause()
        if self._state == "failed":
            return 0
        rate = 1.0 if n == 1 else None
        passed = self._guarded(self._rows_to_chunk_end() if n is None else n, self._stop_asked, rate)
        if passed and self._run.position == self._run.n_rows:
            # the last row of a stream whose length is known: nobody has to step once more to hear that it has ended
            self._guarded(1, self._stop_asked, rate)
        self._mark_end()
        return passed

    def _stop_asked(self) -> bool:
        """Whether a pause waits, or the player is closed."""
        with self._wakeup:
            waits = any(command == self._pause for command, *_ in self._commands)
            return self._closed or waits or (self._seeking is not None and self._wanted != self._seeking)

    def _show(self, choices: dict[str, Any]) -> None:
        with self._wakeup:
            self._maker.choose(**choices)
            if choices.get("redraw"):
                # the frame that lies ready goes on from what the old screen had
                self._taken = True

    def _rows_to_chunk_end(self) -> int:
        return self._run.chunk - self._run.position % self._run.chunk

    def _due(self) -> int:
        """How many instances the clock asks for by now."""
        return self._rows_to_chunk_end() if self._pace.rate is None else self._pace.due()

    def _advance(self) -> None:
        if self._pace.rate is not None:
            self._play_on()
        else:
            with TURNS.one():
                self._play_on()
        self._mark_end()

    def _play_on(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS

        def elsewhere() -> bool:
            return bool(self._commands) or self._closed or time.perf_counter() > until

        if self._pace.rate is not None:
            wanted = self._due()
            self._pace.pay(self._guarded(wanted, elsewhere, self._pace.rate) if wanted else 0)
        else:
            while self._state == "playing" and not self._run.finished:
                passed = self._guarded(self._rows_to_chunk_end(), elsewhere, None)
                if not passed or elsewhere():
                    break

    def _guarded(self, n: int, interrupted: Callable[[], bool], rate: float | None) -> int:
        """Go on by ``n`` instances; an error stops the player. ``rate`` decides how many are answered together."""
        try:
            if self._short_steps and self._run.is_live and not self._run.finished:
                self._run.set_step(short_step(rate, self._run.chunk))
            self._run._learners.at_rate(rate)
            ahead = 0 if self._stop is None or self._state != "playing" else self._stop - self._run.position
            passed = self._run.advance(min(n, ahead) if ahead > 0 else n, interrupted=interrupted)
            if 0 < ahead == passed:
                self._pause()
            if self._waits(passed):
                return 0
        except BaseException as error:  # whatever a reader or learner throws belongs on the screen
            self._fail(f"stopped after {self._run.position:,} instances: {error_text(error)}")
            return 0
        self._changed = True
        self._speed.append((time.perf_counter(), self._run.position))
        self._note()
        return passed

    def _waits(self, passed: int) -> bool:
        """Whether no row of a live stream is there: then it is said why, and looked for again a little later."""
        waits = passed == 0 and self._run.is_waiting
        reason = self._run.why_waiting if waits else ""
        if waits:
            self._look_at = time.perf_counter() + LOOK_SECONDS
        self._changed |= reason != self._message
        self._message = reason
        return waits

    def _note(self) -> None:
        """Write down what the pictures show, if it is time."""
        run = self._run
        if self._recorded is None or time.perf_counter() < self._record_at or not run.views.wants(run.position):
            return
        started = time.perf_counter()
        readings = {name: self._maker.read(name, reader) for name, reader in self._recorded(run).items()}
        run.views.add(run.position, readings)
        took = time.perf_counter() - started
        self._record_at = started + max(RECORD_SECONDS, took / RECORD_SHARE)

    def _fail(self, message: str) -> None:
        self._state, self._message = "failed", message
        self._run.log.add(self._run.position, "", "failed", message)
        self._changed = True

    def _mark_end(self) -> None:
        if self._run.finished and self._state != "failed":
            self._state = "finished"

    def _make_frame(self) -> float:
        """Make a frame for those who poll; return the seconds that it took."""
        started = time.perf_counter()
        while True:
            with self._wakeup:
                since = self._maker.cursor()
            frame = self._safe_frame(since)
            with self._wakeup:
                # a frame taken meanwhile holds points that this one would bring again: then once more
                if self._maker.cursor() == since:
                    self._frame, self._taken, self._changed = frame, False, False
                    return time.perf_counter() - started

    def _safe_frame(self, since: tuple) -> Frame:
        with self._run._lock:
            try:
                return self._maker.make(since, self._state, self._message, self._pace.rate, self._speed_now())
            except BaseException as error:  # a measure of another package may raise, and must not end the thread
                self._fail(f"the curves cannot be drawn: {error_text(error)}")
                self._maker.choose(measures=(main_measure(self._run.stream.schema),))
                return self._maker.make(since, self._state, self._message, self._pace.rate, self._speed_now())

    def _speed_now(self) -> float:
        return speed_of(self._speed) if self._state == "playing" else 0.0
