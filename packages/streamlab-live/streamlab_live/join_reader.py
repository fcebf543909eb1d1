"""The thread that joins: takes rows and labels from two journals, and writes rows with labels into a third one."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from streamlab._checks import within
from streamlab._files import write_whole

from streamlab_live.joiner import Joined, Joiner
from streamlab_live.journal import Journal
from streamlab_live.reader import LABELS, LATER_ROWS, MOST_AHEAD, RECORD_BYTES, About, Reader, Status, Writing
from streamlab_live.record import Record, sealed, unsealed

BATCH = 5000
REST_SECONDS = 0.05
MOST_EARLY = 300.0
"""Seconds that a message's time may be ahead of this machine's clock."""
STATE_EVERY = 100_000
"""Rows and labels after which the state is written, at least."""

logger = logging.getLogger("streamlab")


class JoinReader(Writing):
    """Joins two journals, each written by a reader, into a third one; for ``LiveStream`` it is a reader.

    What it writes depends on the rows and labels in the two journals alone. From time to time its state is written;
    after a crash it goes on from there, and leaves out the rows that the third journal has already. What no state needs
    any more is deleted from the two.

    Parameters
    ----------
    rows, labels
        Readers with journals of their own, not begun yet.
    journal
        Where rows with labels go, and after which row these came; open to be written.
    joiner
        The join as it begins, with its limits.
    most_ahead, keep_rows
        As a ``Reader`` has them, of the third journal.
    quiet_seconds
        Seconds without any message on either side after which time passes, as by this machine's clock, from the last
        message's time on. Until when it has passed is written down before rows are given that depend on it.

    Raises
    ------
    ValueError
        If the state does not go with the journals.
    """

    def __init__(
        self,
        rows: Reader,
        labels: Reader,
        journal: Journal,
        joiner: Joiner,
        *,
        most_ahead: int = MOST_AHEAD,
        keep_rows: int | None = None,
        quiet_seconds: float = math.inf,
    ) -> None:
        super().__init__(journal, most_ahead, keep_rows, "streamlab live join")
        self.rows, self.labels = rows, labels
        self.source = About(
            f"{rows.source.name} with {labels.source.name}",
            f"Each row with labels once, at the same place however rows and labels were read. Rows: "
            f"{rows.source.guarantee} Labels: {labels.source.guarantee}",
        )
        for side in (rows, labels):  # one wrong time, far ahead, would be past all limits at once
            side.most_early = MOST_EARLY
        self.quiet_seconds = quiet_seconds
        # rows and labels that were there, since when, and the latest of their times
        self._quiet: tuple[tuple[int, int], float, float] = (-1, -1), 0.0, -math.inf
        self._must_state = False
        self.joiner = self._resumed(joiner)
        # rows that the journal has already
        self._known = journal.n_rows - self.joiner.given
        self._stated = self._taken
        self._batch = max(1, min(BATCH, RECORD_BYTES // (8 * max(1, journal.schema.n_features))))
        # the record of rows that the latest were taken from, and its first row
        self._record: tuple[int, Record | None] = 0, None

    def _resumed(self, joiner: Joiner) -> Joiner:
        """Return the join as it was when its state was written; the one that begins, if it never was."""
        found = read_joiner(self.journal.folder, self.journal.schema.n_labels)
        if found is None:
            if self.rows.journal.first_row or self.labels.journal.first_row:
                raise ValueError(f"{self.journal.folder}: the state of the join is missing, and what it began with")
            return joiner
        if (found.within_rows, found.within_seconds) != (joiner.within_rows, joiner.within_seconds):
            raise ValueError(
                f"{self.journal.folder}: the journal was begun with within_rows={found.within_rows} and "
                f"within_seconds={found.within_seconds:g}; expected the same, or another folder"
            )
        counts = found.counts
        n_rows, n_labels = self.rows.journal.n_rows, self.labels.journal.n_rows
        if counts.rows > n_rows or counts.labels > n_labels or found.given > self.journal.n_rows:
            raise ValueError(
                f"{self.journal.folder}: the state of the join is of {counts.rows:,} rows and {counts.labels:,} "
                f"labels, and the journals have {n_rows:,} and {n_labels:,}: the disk lost some"
            )
        return found

    # ------------------------------------------------------------------ from any thread

    def start(self) -> None:
        """Begin to read and to join."""
        self.rows.start()
        self.labels.start()
        super().start()

    def end(self) -> None:
        """Read no more: rows that wait for labels go without, and nothing will come ever again."""
        self._notify(_asked_end=True)
        self.rows.end()
        self.labels.end()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()
        if self._failure:  # the rows that have labels by now are all
            self.journal.end()

    def status(self) -> Status:
        """Return the status: ``rows`` have labels, ``waiting`` have not been read, ``unlabelled`` never got any."""
        sides = {"rows": self.rows.status(), "labels": self.labels.status()}
        lags = [each.lag for each in sides.values()]
        bad = sum((Counter(each.bad) for each in sides.values()), Counter[str]())
        troubles = [f"{name}: {each.trouble}" for name, each in sides.items() if each.trouble]
        n, for_labels = self._waiting, self.joiner.wants_labels
        return Status(
            source=self.source.name,
            rows=self.journal.n_rows,
            waiting=max(0, self.journal.n_rows - self._read_to),
            bad=dict(bad),
            lag=None if None in lags else sum(lag for lag in lags if lag is not None),
            rate=sides["rows"].rate,
            connected=all(each.connected for each in sides.values()),
            since=max(each.since for each in sides.values()),
            trouble=self._failure or self._disk or "; ".join(troubles),
            is_full=self._full,
            failed=bool(self._failure),
            ended=self.journal.ended,
            unlabelled=self.joiner.left_out,
            held={LABELS: n if for_labels else 0, LATER_ROWS: 0 if for_labels else n},
            counts=asdict(self.joiner.counts),
            refused={
                f"{side}: {name}": each for side, standing in sides.items() for name, each in standing.refused.items()
            },
        )

    @property
    def _waiting(self) -> int:
        """Rows that were read, and neither given nor left out."""
        return max(0, self.rows.journal.n_rows - self.joiner.given - self.joiner.left_out)

    # ------------------------------------------------------------------ on the thread

    def _last_steps(self) -> list[Callable[[], Any]]:
        kept = [] if self._failure else [self._write_state]
        return [self.rows.close, self.labels.close, *kept, self.journal.close]

    def _work(self) -> None:
        while not self._closed:
            if self._wait_if_full(REST_SECONDS):
                continue
            try:
                moved = self._pull("rows") | self._pull("labels")
                moved |= self._let_time_pass()
                moved |= self._write()
                self._disk = ""
                if self.joiner.is_over:
                    self.journal.end()
                    return
            except OSError as error:  # the disk is full, or not there
                self._disk_fails(error)
                moved = False
            if not moved and not self._has_failed():
                with self._wakeup:
                    self._wakeup.wait(REST_SECONDS)

    def _pull(self, side: str) -> bool:
        """Take the next record of a journal where the join waits for it; returns whether something has changed."""
        wants = self.joiner.wants_rows if side == "rows" else self.joiner.wants_labels
        return wants and self._take_in(side)

    def _take_in(self, side: str) -> bool:
        """Take the next record of a journal; returns whether something has changed."""
        joiner, reader = self.joiner, self.rows if side == "rows" else self.labels
        at = joiner.read[side != "rows"]
        ended = reader.journal.ended  # first: what is there then is all
        record = next(reader.journal.read(at), None)
        if record is None:
            if ended:
                joiner.end(rows=side == "rows", labels=side == "labels")
            return ended
        if record.keys is None:
            raise ValueError(f"{reader.journal.folder}: its {side} have no keys; expected those of the column key=")
        if side == "rows":
            joiner.add_rows(record.keys, record.when.tolist())
        else:
            joiner.add_labels(record.keys, record.when.tolist(), [each.tobytes() for each in record.Y])
        reader.has_read(at + len(record))
        return True

    def _let_time_pass(self) -> bool:
        """Let time pass where nothing comes for long enough; returns whether something has changed."""
        if self.quiet_seconds == math.inf:
            return False
        joiner, now = self.joiner, time.monotonic()
        there = self.rows.journal.n_rows, self.labels.journal.n_rows
        if there != self._quiet[0] or not (_all_is_read(self.rows) and _all_is_read(self.labels)):
            self._quiet = there, now, -math.inf
            return False
        _, since, clock = self._quiet
        passed = now - since - self.quiet_seconds
        if passed <= 0 or not any(there) or not self._waiting:
            return False
        if joiner.read != there:
            return self._take_in("rows" if joiner.read[0] < there[0] else "labels")
        if clock == -math.inf:
            clock = joiner.clock
            self._quiet = there, since, clock
        joiner.pass_time(clock + passed)
        self._must_state = True
        return joiner.is_ready

    def _write(self) -> bool:
        """Append the rows whose labels are certain by now; returns whether there are any."""
        if self._must_state and self.joiner.is_ready:
            self._write_state()
            self._must_state = False
        found = list(islice(self.joiner.take(), self._batch))
        new = found[min(self._known, len(found)) :]
        self._known -= len(found) - len(new)
        while new:
            try:
                self._append(new)
                break
            except OSError as error:  # they are not to be lost: the join gives them once
                if self._closed:
                    raise
                self._disk_fails(error)
                with self._wakeup:
                    self._wakeup.wait(1.0)
        # behind the loop: from here on nothing writes those rows a second time
        if new and self.keep_rows is not None:
            self.journal.give_up(self._read_to - self.keep_rows)
        if self._taken - self._stated >= max(STATE_EVERY, 2 * self.joiner.waiting) and not self._known:
            self._write_state()
        return bool(found)

    def _append(self, new: list[Joined]) -> None:
        X, when, keys = self._rows_of([each.row for each in new])
        Y = np.frombuffer(b"".join(each.labels for each in new), np.uint8).reshape(len(new), -1)
        arrives = np.array([each.arrives for each in new], np.int64)
        offsets = {"rows": new[-1].row, "labels": self.joiner.counts.labels}
        self.journal.append(X, Y, when, offsets, keys=keys, arrives=arrives)
        self._notify()

    def _rows_of(self, numbers: list[int]) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """Return the features, times and keys of rows, whose numbers rise, from the journal of rows."""
        X, when, keys = [], [], []
        at = 0
        while at < len(numbers):
            begin, record = self._record
            if record is None or not begin <= numbers[at] < begin + len(record):
                begin, record = self._record = numbers[at], next(self.rows.journal.read(numbers[at]))
            here = []
            while at < len(numbers) and numbers[at] < begin + len(record):
                here.append(numbers[at] - begin)
                at += 1
            X.append(record.X[here])
            when.append(record.when[here])
            assert record.keys is not None, "they were looked at when the record was joined"
            keys += [record.keys[place] for place in here]
        return np.concatenate(X), np.concatenate(when), keys

    @property
    def _taken(self) -> int:
        return self.joiner.counts.rows + self.joiner.counts.labels

    def _write_state(self) -> None:
        """Write the state, and delete what nobody needs any more from the journals of rows and of labels."""
        if self.joiner.given > self.journal.n_rows:  # what was given could not be written
            return
        write_joiner(self.journal.folder, self.joiner)
        self._stated = self._taken
        self.rows.journal.give_up(self.joiner.first_needed)
        self.labels.journal.give_up(self.joiner.counts.labels)

    def _has_failed(self) -> bool:
        """Whether what the join waits for will never come, which ends it."""
        for side, reader, wants in (
            ("rows", self.rows, self.joiner.wants_rows),
            ("labels", self.labels, self.joiner.wants_labels),
        ):
            if wants and reader.failure:
                self._fail(f"{side}: {reader.failure}")
                self._closed = True
                return True
        return False


def _all_is_read(reader: Reader) -> bool:
    now = reader.status()
    return now.ended or (now.connected and not now.lag and not now.is_full and not now.trouble)


FILE = "join.state"
MAGIC = b"SLJOIN2\n"


def write_joiner(folder: Path, joiner: Joiner) -> None:
    """Write the state of a join, whole or not at all.

    Raises
    ------
    OSError
        If the disk does not take it; what was written before is still there.
    """
    write_whole(folder / FILE, MAGIC + sealed(joiner.state()))


def read_joiner(folder: Path, n_labels: int) -> Joiner | None:
    """Return the join that was written last; None if there is none.

    Raises
    ------
    ValueError
        If the file is damaged, or of an earlier version.
    """
    path = folder / FILE
    if not path.exists():
        return None
    raw = path.read_bytes()
    with within(f"{path}: it is damaged, or of an earlier version"):
        return Joiner.from_state(unsealed(raw.removeprefix(MAGIC)), n_labels)
