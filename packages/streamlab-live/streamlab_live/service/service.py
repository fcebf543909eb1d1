"""The service: one loop that learns what has come, keeps the run in snapshots, and reports its status."""

from __future__ import annotations

import math
import re
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from streamlab._checks import under
from streamlab._files import remove_part
from streamlab.lab import Run
from streamlab.lab.described import describe_whole, make_described
from streamlab.lab.events import RUN_EVENTS, Event, run_events
from streamlab.lab.learner_run import learner_of
from streamlab.lab.script import code_of
from streamlab.learners.base.registry import EventKind
from streamlab.streams import Stream

from streamlab_live.reader import Status
from streamlab_live.service.definition import Definition
from streamlab_live.service.telling import Metrics, Posting, Standing, webhook_of

FOLDER = "snapshots"
_NAME = re.compile(r"(\d{15})\.slab")
_PART = re.compile(r"\.\d{15}\.slab\..*\.part")


def listed(folder: Path) -> list[tuple[int, Path]]:
    """Return the snapshots of a service's folder, the newest first: rows that had passed, and the file."""
    where = folder / FOLDER
    found = [(_NAME.fullmatch(each.name), each) for each in where.iterdir()] if where.is_dir() else []
    return sorted(((int(name[1]), each) for name, each in found if name), reverse=True)


def save_run(run: Run, folder: Path, keep: int) -> Path:
    """Save a run in a service's folder, then remove the oldest but ``keep``.

    Raises
    ------
    OSError, ValueError
        As ``Run.save``; the snapshots of before are all there then.
    """
    where = folder / FOLDER
    where.mkdir(parents=True, exist_ok=True)
    path = where / f"{run.position:015d}.slab"
    run.save(path)
    for _, old in listed(folder)[keep:]:
        old.unlink(missing_ok=True)
    return path


def remove_left_over(folder: Path) -> int:
    """Remove what services that were killed had not finished; returns how many files those were."""
    where = folder / FOLDER
    parts = [each for each in where.iterdir() if _PART.fullmatch(each.name)] if where.is_dir() else []
    return sum(map(remove_part, parts))


def newest_run(folder: Path, stream: Stream | Any, tell: Callable[[str], object] = print, **options: Any) -> Run | None:
    """Return the run of the newest snapshot that is whole; None where there is none.

    Parameters
    ----------
    folder
        The service's.
    stream
        The stream with which it goes on.
    tell
        Called with a sentence for each snapshot that cannot be opened.
    **options
        Of ``Run.open``.

    Raises
    ------
    ValueError
        If there are snapshots, and none of them can be opened.
    """
    refused = ""
    for _, path in listed(folder):
        try:
            return Run.open(path, stream, **options)
        except (OSError, ValueError) as error:
            refused = str(error)
        tell(f"a snapshot cannot be opened: {refused}")
    if refused:
        raise ValueError(f"{folder / FOLDER}: no snapshot can be opened; the newest said: {refused}")
    return None


def check_same_start(run: Run, definition: Definition) -> None:
    """Raise a ValueError if a run began with other learners, parameters, seeds or another chunk than a file says.

    What was tuned later does not count: the learners are compared as they were at the run's beginning, which every
    snapshot holds. One whose state no snapshot holds, as of River's, is not compared.

    Parameters
    ----------
    run
        Of the newest snapshot.
    definition
        What the file says now.

    Raises
    ------
    ValueError
        It names the folder, the learner and the parameter, with both values.
    """
    expected = "; expected the same, or another folder= to begin again"
    if list(run.learner_runs) != list(definition.learners):
        raise ValueError(
            f"{definition.folder}: its snapshots have the learners {', '.join(run.learner_runs)}; expected "
            f"{', '.join(definition.learners)}, or another folder"
        )
    if run.chunk != definition.chunk:
        raise ValueError(
            f"{definition.folder}: it was begun with chunk={run.chunk}, and the file says {definition.chunk}{expected}"
        )
    first = next(iter(run._machine.store), None)
    state = {"learners": []} if first is None or first.position else first.state()
    for place, name in enumerate(state["learners"]):
        # both bound, so that each has filled in what the other one has
        saved = learner_of(under(state, f"learner.{place}."))
        wanted = make_described(definition.learners[name], definition.seed).bind(run.stream.schema)
        try:
            one, other = describe_whole(saved), describe_whole(wanted)
            was, says = code_of(one, name), code_of(other, name)
        except ValueError:  # of an object nothing can be said
            continue
        if one != other and was != says:
            raise ValueError(
                f"{definition.folder}: the learner {name!r} was begun as {was}, and the file says {says}{expected}"
            )


# ---------------------------------------------------------------------- the service

LOOK_SECONDS = 0.05
"""How often it looks for rows where there are none."""
SAY_SECONDS = 1.0
RATE_SECONDS = 10.0
SLICE_SECONDS = 0.2
ALARM_SECONDS = 60.0
"""How often an alarm of refused messages comes again, for each reason and column."""
HELD_SECONDS = 60.0
"""How long no row is learned before it is told why rows are held."""
REFUSED, TROUBLE = "refused", "trouble"
MOST_SHARE = 0.1
"""Share of the time that snapshots may take; then they come more seldom than was asked."""


class Service:
    """Learners on a live stream, without a page.

    It begins where its newest snapshot ends: rows after that are read from the journal again, so that what it knows
    is what a service that was never stopped would know, to the bit. Each row is in the journal once where the source
    allows it (``stream.guarantee`` says what holds).

    Parameters
    ----------
    definition
        What it is made of.
    tell
        Called with a sentence for what happens: begun, resumed, alarms, what went wrong.

    Raises
    ------
    ValueError, ConnectionError, ImportError, OSError
        If the stream cannot be opened, a snapshot is of another stream or was begun with other learners, parameters,
        seed or chunk, or the metrics' port is taken.
    """

    def __init__(self, definition: Definition, tell: Callable[[str], object] = print) -> None:
        self.definition, self._tell = definition, tell
        self._stop = threading.Event()
        self._rates: deque[tuple[float, int]] = deque()
        self._events: Counter[tuple[str, str]] = Counter()
        # by reason and column: refusals told of, and when
        self._reported_refused: dict[str, tuple[int, float]] = {}
        self._trouble, self._trouble_at = "", -math.inf
        # position, since when it is so, and whether it was told why
        self._stood = (-1, -math.inf, False)
        self._snapshot_at, self._snapshot_seconds = -1, 0.0
        self._end_saved = False
        self._waits = False
        self._posting: Posting | None = None
        self.metrics: Metrics | None = None
        webhook = webhook_of(definition.alarms.webhook_from)
        definition.folder.mkdir(parents=True, exist_ok=True)
        self.stream = definition.open_stream()
        try:
            if gone := remove_left_over(definition.folder):
                snapshots = "snapshot" if gone == 1 else "snapshots"
                tell(f"removed {gone:,} unfinished {snapshots} of a service that was killed")
            self.run = self._open_run()
            if (metrics := definition.metrics).port is not None:
                self.metrics = Metrics(metrics.port, metrics.address, metrics.hosts)
        except BaseException:
            self._close_stream()
            raise
        if webhook is not None:
            self._posting = Posting(webhook, tell)
        else:
            tell(f"alarms are told here alone: {definition.alarms.webhook_from} is not set")
        self._next_event = self.run.log.next_number

    def _open_run(self) -> Run:
        definition = self.definition
        found = newest_run(definition.folder, self.stream, self._tell, snapshots=definition.snapshots.look_back_bytes)
        if found is not None:
            check_same_start(found, definition)
            self._snapshot_at, self._end_saved = found.position, found.finished
            self._tell(f"resumed after {found.position:,} rows")
            return found
        learners = {name: make_described(each, definition.seed) for name, each in definition.learners.items()}
        run = Run(self.stream, learners, chunk=definition.chunk, snapshots=definition.snapshots.look_back_bytes)
        for name, learner_run in run.learner_runs.items():
            try:
                learner_run.learner.state()
            except ValueError as error:
                raise ValueError(
                    f"learners: {name!r} cannot be kept in a snapshot, so the service could not go on with it after a "
                    f"stop ({error})"
                ) from None
        self._tell(f"began on {self.stream.name}")
        return run

    def stop(self) -> None:
        """Stop soon: after the chunk under way, with a last snapshot. May be called from any thread or a signal."""
        self._stop.set()

    def serve(self) -> None:
        """Learn what comes until the stream ends or somebody stops it; then save and close.

        Raises
        ------
        ValueError
            What the stream or a learner says that ends it. What was learned before is saved if it can be.
        """
        try:
            self._loop()
        finally:
            try:
                if self._is_news and self.run._broken is None:
                    self._save()
            finally:
                self._say()
                self._tell_of_refused(0.0)
                self.close()

    def _loop(self) -> None:
        run = self.run
        reported = saved = time.monotonic()
        while not self._stop.is_set() and not run.finished:
            until = time.monotonic() + SLICE_SECONDS
            passed = run.advance(interrupted=lambda until=until: self._stop.is_set() or time.monotonic() > until)  # type: ignore[misc]
            now = time.monotonic()
            if now - reported >= SAY_SECONDS:
                self._say()
                reported = now
            pause = max(self.definition.snapshots.every_seconds, self._snapshot_seconds / MOST_SHARE)
            if now - saved >= pause and self._is_news:
                self._save()
                saved = time.monotonic()
            self._waits = not passed and not run.finished
            if self._waits:
                self._stop.wait(LOOK_SECONDS)

    @property
    def _is_news(self) -> bool:
        """Whether there is what no snapshot holds."""
        return (self.run.position, self.run.finished) != (self._snapshot_at, self._end_saved)

    def _save(self) -> None:
        """Save a snapshot; a disk that is full must not end the service."""
        started = time.monotonic()
        try:
            save_run(self.run, self.definition.folder, self.definition.snapshots.keep)
        except (OSError, ValueError) as error:
            self._events["", TROUBLE] += 1
            self._tell(f"the snapshot after {self.run.position:,} rows could not be saved: {error}")
        else:
            self._snapshot_at, self._end_saved = self.run.position, self.run.finished
        self._snapshot_seconds = time.monotonic() - started

    # ------------------------------------------------------------------ how it stands

    def closing_line(self) -> str:
        """Return after how many rows it ended, and which rows that were read are not learned yet."""
        run, chunk = self.run, self.definition.chunk
        if run.finished:
            return f"the stream ended after {run.position:,} rows"
        lines = [f"stopped after {run.position:,} rows"]
        live = self._stream_standing()
        if (n := live.get("rows", 0) - run.position) > 0:
            lines.append(f"in the journal, not learned yet: {n:,}{f' (a chunk has {chunk:,})' if n < chunk else ''}")
        if live.get("held"):
            lines += filter(None, [Status(**live).why_held])
        return "; ".join(lines)

    def _say(self) -> None:
        """Tell what happened since the last time, and put together the status."""
        run, now = self.run, time.monotonic()
        own = run_events(run.stream.schema.noun)
        kinds = {name: own | type(each.learner).events for name, each in run.learner_runs.items()}
        for event in run.log.since(self._next_event):
            self._next_event = event.number + 1
            self._events[event.learner, event.kind] += 1
            kind = kinds.get(event.learner, RUN_EVENTS).get(event.kind)
            if self._is_posted(event.kind, kind is not None and kind.is_detection):
                self._alarm_of(event, kind)
        self._tell_of_refused(ALARM_SECONDS)
        self._tell_of_trouble()
        self._tell_of_held()
        self._rates.append((now, run.position))
        while now - self._rates[0][0] > RATE_SECONDS and len(self._rates) > 2:
            self._rates.popleft()
        seconds = now - self._rates[0][0]
        if self.metrics is None:
            return
        measures: dict[tuple[str, str], float] = {}
        for name, each in run.learner_runs.items():
            wanted = [name for name in self.definition.metrics.measures if name in each.tracker.measures]
            found = each.tracker.values("faded", wanted)
            measures |= {(name, measure): value for measure, value in found.items() if math.isfinite(value)}
        self.metrics.standing = Standing(
            position=run.position,
            rows_per_second=(run.position - self._rates[0][1]) / seconds if seconds else 0.0,
            is_waiting=self._waits,
            snapshot_at=max(self._snapshot_at, 0),
            snapshot_seconds=self._snapshot_seconds,
            stream=self._stream_standing(),
            measures=measures,
            n_bytes={name: each.learner.n_bytes for name, each in run.learner_runs.items()},
            events=dict(self._events),
            posts_lost=0 if self._posting is None else self._posting.lost,
        )

    def _is_posted(self, kind: str, by_default: bool) -> bool:
        chosen = self.definition.alarms.kinds
        return kind in chosen if chosen else by_default

    def _alarm_of(self, event: Event, kind: EventKind | None) -> None:
        """Alarm of an event, with its title and its numbers in words: which error, from what to what."""
        words = {} if kind is None else {words: event.detail.get(key) for key, words in kind.numbers.items()}
        numbers = {
            each: value for each, value in words.items() if isinstance(value, int | float) and math.isfinite(value)
        }
        self._alarm(
            event.learner, event.kind, event.message, event.position, title=kind.title if kind else "", numbers=numbers
        )

    def _tell_of_refused(self, pause: float) -> None:
        """Alarm of messages that are not rows, by reason and column: at once, then each ``pause`` seconds at most."""
        now = time.monotonic()
        for name, (n, why) in self._stream_standing().get("refused", {}).items():
            before, reported_at = self._reported_refused.get(name, (0, -math.inf))
            if n < before:  # counted by a reading process that was started again
                before = 0
            if n == before or now - reported_at < pause:
                continue
            self._reported_refused[name] = (n, now)
            new = n - before
            message = f"{new:,} {'message was' if new == 1 else 'messages were'} refused ({name}); the last: {why}"
            if self._is_posted(REFUSED, True):
                self._alarm("", REFUSED, message, self.run.position, name=name, count=new)

    def _tell_of_trouble(self) -> None:
        """Count and alarm when reading is in trouble, as by a disk that is full, and tell when that is over."""
        before, self._trouble = self._trouble, self._stream_standing().get("trouble", "")
        if before and not self._trouble:
            self._tell(f"{self.stream.name}: over: {before}")
        elif self._trouble and not before:
            self._events["", TROUBLE] += 1
            if time.monotonic() - self._trouble_at >= ALARM_SECONDS and self._is_posted(TROUBLE, True):
                self._trouble_at = time.monotonic()
                self._alarm("", TROUBLE, self._trouble, self.run.position)

    def _tell_of_held(self) -> None:
        """Tell once why rows wait to be joined, when none was learned for a while."""
        now, (position, since, is_reported) = time.monotonic(), self._stood
        if position != self.run.position:
            self._stood = (self.run.position, now, False)
        elif not is_reported and now - since >= HELD_SECONDS and any(self._stream_standing().get("held", {}).values()):
            self._stood = (position, since, True)
            self._tell(f"{self.stream.name}: {self.stream.why_waiting()}")

    def _alarm(self, learner: str, kind: str, message: str, row: int, **more: Any) -> None:
        self._tell(f"{learner or self.stream.name}, row {row:,}: {message}")
        if self._posting is not None:
            content = {"stream": self.stream.name, "learner": learner, "kind": kind, "message": message, "row": row}
            self._posting.post(content | more)

    def _stream_standing(self) -> dict[str, Any]:
        status: Any = getattr(self.stream, "status", None)
        return {} if status is None else asdict(status())

    def _close_stream(self) -> None:
        getattr(self.stream, "close", lambda: None)()

    def close(self) -> None:
        """Let go of the stream, the port and the webhook; a second time does nothing."""
        self._close_stream()
        if self._posting is not None:
            self._posting.close()
        if self.metrics is not None:
            self.metrics.close()
