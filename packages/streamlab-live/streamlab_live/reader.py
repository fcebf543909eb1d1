"""The thread that reads a source: polls, decodes, writes the journal, and waits for the server or the disk."""

from __future__ import annotations

import logging
import math
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from streamlab._checks import checked_count, with_type

from streamlab_live.decoding import Decoding, Refused, Row, is_header
from streamlab_live.journal import Journal
from streamlab_live.record import DeadLetters
from streamlab_live.source import Message, Offset, Source

MOST_AHEAD = 100_000
"""Rows that the journal may be ahead of its reader."""
BATCH = 1000
POLL_SECONDS = 0.2
FIRST_WAIT, LONGEST_WAIT = 0.2, 30.0
"""Seconds until the server is tried again: doubled each time, and drawn from the upper half of that."""
LAG_SECONDS = 1.0
RATE_SECONDS = 10.0
GIVE_UP_EVERY = 1000
MOST_NAMES = 100
"""Columns by which refusals are counted apart."""
RECORD_BYTES = 256 << 20
"""Bytes of the features of one record, at most: this many rows are polled at once."""
LABELS, LATER_ROWS = "labels", "later rows"
"""What rows of a joined stream wait for."""

logger = logging.getLogger("streamlab")


@dataclass(frozen=True)
class Status:
    """How a live stream stands.

    Parameters
    ----------
    source
        The name of what is read.
    rows
        Rows in the journal.
    waiting
        Rows that nobody has read yet.
    bad
        Messages that are not rows, by reason.
    lag
        Messages (bytes, of a file) that wait at the source; None where it cannot say.
    rate
        Rows a second over the last ten seconds.
    connected
        Whether the source can be reached; ``since`` says from when on it is so, or not, in seconds since 1970.
    trouble
        What is wrong now, or "".
    is_full
        Whether reading waits because too many rows have not been read.
    failed, ended
        Whether reading has stopped for good because of ``trouble``; whether nothing comes any more.
    unlabelled
        Rows that got no labels and are left out; None where labels come with their rows.
    refused
        Messages that are not rows, since this process began to read: by reason and column, how many, and why the last
        one of them is not.
    held
        Rows that wait to be joined, by what they wait for: labels, or later rows. {} where labels come with their rows.
    counts
        Of a joined stream: rows and labels so far, and what has come of them, as ``JoinCounts`` has it.
    """

    source: str
    since: float
    rows: int = 0
    waiting: int = 0
    bad: dict[str, int] = field(default_factory=dict)
    lag: int | None = None
    rate: float = 0.0
    connected: bool = False
    trouble: str = ""
    is_full: bool = False
    failed: bool = False
    ended: bool = False
    unlabelled: int | None = None
    refused: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    held: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def why_held(self) -> str:
        """What rows that are held wait for, in a sentence; "" if there are none."""
        reason, n = max(self.held.items(), key=lambda each: each[1], default=("", 0))
        if not n:
            return ""
        wait = "1 row waits" if n == 1 else f"{n:,} rows wait"
        return f"{wait} for labels" if reason == LABELS else f"{wait} for later rows, which say when labels came"


class About(NamedTuple):
    """What is known of a source that is read elsewhere, or of several."""

    name: str
    guarantee: str


class Waiting:
    """A reader whose rows others wait for: it notifies its condition when rows come, and when it stops.

    A subclass sets ``journal``, the condition ``_wakeup``, ``_closed``, ``_random`` for the waits between tries, and
    ``_failure`` when reading stops for good.
    """

    journal: Any
    _wakeup: threading.Condition
    _closed: bool
    _failure: str = ""
    _random: Random

    def wait(self, rows: int, seconds: float) -> bool:
        """Wait until the journal has more than this many rows, or reading has stopped; returns whether either is so."""
        with self._wakeup:
            return self._wakeup.wait_for(lambda: self.journal.n_rows > rows or self.has_stopped, seconds)

    @property
    def has_stopped(self) -> bool:
        """Whether no row will come any more from this reader."""
        return self.journal.ended or bool(self._failure) or self._closed

    @property
    def failure(self) -> str:
        """Why reading has stopped for good, or ""."""
        return self._failure

    def _rest(self, failures: int) -> None:
        """Wait before the next try, after so many that failed; not where it is closed."""
        longest = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(failures - 1, 20))
        with self._wakeup:
            self._wakeup.wait_for(lambda: self._closed, longest * (0.5 + 0.5 * self._random.random()))

    def _notify(self, **changed: bool | str | float) -> None:
        """Set these attributes, and wake whoever waits."""
        with self._wakeup:
            vars(self).update(changed)
            self._wakeup.notify_all()


class Writing(Waiting, ABC):
    """A reader that writes a journal on a thread of its own, as far ahead of who reads it as it may."""

    source: Any

    def __init__(self, journal: Journal, most_ahead: int, keep_rows: int | None, name: str) -> None:
        self.journal = journal
        self.most_ahead = checked_count("most_ahead", most_ahead, 1)
        self.keep_rows = checked_count("keep_rows", keep_rows, 1, optional=True)
        self._wakeup = threading.Condition()
        self._closed = self._asked_end = self._full = False
        self._read_to = self._wanted = 0
        self._trouble = self._disk = ""
        self._thread = threading.Thread(target=self._loop, name=name, daemon=True)

    @abstractmethod
    def _work(self) -> None:
        """Write rows until there are no more, or it is closed."""

    @abstractmethod
    def _last_steps(self) -> list[Callable[[], Any]]:
        """Return what is done at the end, however that came; the others too where one fails."""

    def _fail(self, why: str) -> None:
        self._notify(_failure=why, _connected=False, _since=time.time())

    def _loop(self) -> None:
        try:
            self._work()
        except BaseException as error:  # nothing may end the thread while the page says that it reads
            self._fail(str(error) if isinstance(error, ValueError) else with_type(error))
            logger.warning("reading %s stopped", self.source.name, exc_info=True)
        finally:
            for step in self._last_steps():
                try:
                    step()
                except Exception:
                    logger.warning("%s cannot be closed properly", self.source.name, exc_info=True)
            self._notify(_closed=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def has_read(self, to: int) -> None:
        """Somebody has read the journal up to this row."""
        if to > self._read_to:
            with self._wakeup:
                self._read_to = max(self._read_to, to)
                if self._full:
                    self._wakeup.notify_all()

    def want(self, to: int) -> None:
        """Somebody waits for the rows up to this one, however far ahead the journal is."""
        if to > self._wanted:
            with self._wakeup:
                self._wanted = max(self._wanted, to)
                self._wakeup.notify_all()

    def close(self, wait: float = 10.0) -> None:
        """Stop the thread, which closes source and journal; a second time does nothing."""
        self._notify(_closed=True)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(wait)

    def _disk_fails(self, error: OSError) -> None:
        """Note that the disk takes no rows, and log it once until it does."""
        trouble = f"the journal cannot be written, so no row is accepted: {error.strerror or error}"
        if trouble != self._disk:
            logger.warning("%s: %s", self.journal.folder, trouble)
        self._disk = trouble

    def _wait_if_full(self, seconds: float) -> bool:
        """Wait a moment if the journal is too far ahead of who reads it; returns whether it was."""
        with self._wakeup:
            ahead = max(self._read_to + self.most_ahead, self._wanted)
            self._full = self.journal.n_rows >= ahead and not self._asked_end
            if self._full:
                self._wakeup.wait(seconds)
        return self._full


class Reader(Writing):
    """Reads a source into a journal, in a thread of its own.

    Parameters
    ----------
    source, journal, decoding, dead
        What is read, where rows go, how messages are read, where those go that are not rows.
    most_ahead
        Rows that the journal may be ahead of ``read_to``; then the source is asked no more until rows are read.
    keep_rows
        Rows that have been read and are kept; older ones are given up. None: all are kept.
    pending
        Messages that were polled before, to learn the columns from.
    seed
        Of the draws of the waits between two tries to reach the server.
    """

    def __init__(
        self,
        source: Source,
        journal: Journal,
        decoding: Decoding,
        dead: DeadLetters,
        *,
        most_ahead: int = MOST_AHEAD,
        keep_rows: int | None = None,
        pending: Sequence[Message] = (),
        seed: int = 0,
    ) -> None:
        super().__init__(journal, most_ahead, keep_rows, "streamlab live reader")
        self.source, self.decoding, self.dead = source, decoding, dead
        # seconds by which a message's time may be ahead of this machine's; set where times decide
        self.most_early = math.inf
        self._pending = list(pending)
        most = RECORD_BYTES // (8 * max(1, journal.schema.n_features))
        source.most_rows = max(1, min(source.most_rows, most))
        source.remember(list(journal.notes))
        self._random = Random(seed)
        self._connected, self._since = False, time.time()
        self._lag: int | None = None
        self._lag_at = 0.0
        self._points: deque[tuple[float, int]] = deque(maxlen=1000)
        self._refused: dict[str, tuple[int, str]] = {}
        self._given_up = 0

    # ------------------------------------------------------------------ from any thread

    def end(self) -> None:
        """Read no more, and write down that nothing will come ever again; also where reading has failed.

        Raises
        ------
        OSError
            If reading has stopped already, and the disk does not take it.
        """
        self._notify(_asked_end=True)
        self.close()
        if self._failure and not self._thread.is_alive():
            self.journal.end()

    def status(self) -> Status:
        """Return the status."""
        points = list(self._points)
        now = time.monotonic()
        recent = [point for point in points if now - point[0] <= RATE_SECONDS]
        return Status(
            source=self.source.name,
            rows=self.journal.n_rows,
            waiting=max(0, self.journal.n_rows - self._read_to),
            bad=dict(self.journal.bad),
            lag=self._lag,
            rate=sum(n for _, n in recent) / RATE_SECONDS,
            connected=self._connected,
            since=self._since,
            trouble=self._failure or self._trouble or self._disk,
            is_full=self._full,
            failed=bool(self._failure),
            ended=self.journal.ended,
            refused=dict(self._refused),
        )

    # ------------------------------------------------------------------ on the thread

    def _last_steps(self) -> list[Callable[[], Any]]:
        return [*([self.journal.end] if self._asked_end else []), self.source.close, self.journal.close]

    def _work(self) -> None:
        failures, is_sought = 0, False
        while not self._closed:
            try:
                if self._wait_if_full(POLL_SECONDS):
                    self.source.pause()
                    continue
                if self._pending:
                    messages, self._pending = self._pending, []
                    is_sought = True  # the source stands behind them
                else:
                    if not is_sought:
                        self.source.seek(self.journal.offsets)
                        is_sought = True
                    messages = self.source.poll(min(BATCH, self.source.most_rows), POLL_SECONDS)
                self._is_connected(True)
                self._take(messages)
                failures = 0
                if self.source.ended and not messages:
                    self.journal.end()
                    return
            except ConnectionError as error:
                is_sought, failures = False, failures + 1
                self._is_connected(False, str(error) or "the server cannot be reached")
                self._rest(failures)
            except ValueError as error:
                self._fail(str(error))
                return
            except OSError as error:  # the disk is full, or not there
                is_sought, failures = False, failures + 1
                self._disk_fails(error)
                self._rest(failures)

    def _take(self, messages: Sequence[Message]) -> None:
        """Write messages into the journal, and those that are not rows into the file of dead letters."""
        if not messages:
            self._look_at_lag()
            return
        rows: list[tuple[Row, float]] = []
        refused: dict[int, str] = {}
        dead: list[tuple[Message, str, str]] = []
        named: list[tuple[str, str]] = []
        offsets: dict[str, Offset] = {}
        for place, message in enumerate(messages):
            offsets[message.partition] = message.offset
            if is_header(message.value, self.decoding.header):
                continue
            try:
                row = self.decoding.row(message.value)
                when = message.when if row.when is None else row.when
                if when > time.time() + self.most_early:
                    raise Refused(
                        "wrong type", f"its time is {when:.0f}, which is in the future; expected seconds since 1970"
                    )
                rows.append((row, when))
            except (RecursionError, ValueError, TypeError, ArithmeticError) as error:
                # whatever is in a message, it never stops the reading
                wrong = error if isinstance(error, Refused) else Refused("not readable", with_type(error))
                refused[place] = f"{wrong.kind}: {wrong}"
                dead.append((message, wrong.kind, str(wrong)))
                named.append((f"{wrong.kind}: {wrong.column}" if wrong.column else wrong.kind, str(wrong)))
        X, Y = self.decoding.arrays([row for row, _ in rows])
        before, counts = self.dead.n_bytes, Counter(self.dead.counts)
        try:
            self.dead.add(dead)
            self.journal.append(
                X,
                Y,
                [when for _, when in rows],
                offsets,
                keys=None if not rows or rows[0][0].key is None else [str(row.key) for row, _ in rows],
                bad=self.dead.counts,
                dead_bytes=self.dead.n_bytes,
                notes=self.source.notes(),
            )
        except BaseException:
            self.dead.take_back(before, counts)
            raise
        self._note(named)
        self._points.append((time.monotonic(), len(rows)))
        self._notify()
        self.source.settled(refused)
        self._trouble = self._disk = ""
        self._look_at_lag()
        self._give_up_old()

    def _note(self, refused: Sequence[tuple[str, str]]) -> None:
        """Count refusals by their names, and log the first of each; of the names the first ones are counted apart."""
        for name, why in refused:
            if name not in self._refused and len(self._refused) >= MOST_NAMES:
                name = name.partition(":")[0]
            if name not in self._refused:
                logger.warning("%s: a message was refused, as others like it will be: %s", self.source.name, why)
            self._refused[name] = (self._refused.get(name, (0, ""))[0] + 1, why)

    def _give_up_old(self) -> None:
        if self.keep_rows is None or self._read_to - self._given_up < GIVE_UP_EVERY:
            return
        self._given_up = self._read_to
        self.journal.give_up(self._read_to - self.keep_rows)

    def _look_at_lag(self) -> None:
        if time.monotonic() - self._lag_at >= LAG_SECONDS:
            self._lag_at = time.monotonic()
            self._lag = self.source.lag()

    def _is_connected(self, connected: bool, trouble: str = "") -> None:
        if connected != self._connected:
            self._connected, self._since = connected, time.time()
        if trouble or connected:
            self._trouble = trouble
