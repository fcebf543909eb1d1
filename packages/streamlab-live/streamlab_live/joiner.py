"""Rows and labels of two sources, joined by key: the same answer however the two are read."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from msgspec import Struct
from streamlab._checks import checked_count, checked_number, within

WITHIN_ROWS = 1_000_000
"""Rows after which a label is too late, unless something else is said; it bounds the memory."""
MOST_WITHIN = 100_000_000


@dataclass
class JoinCounts:
    """What has come of rows and labels so far.

    Parameters
    ----------
    rows, labels
        Taken in so far.
    labelled
        Rows that got their labels.
    never
        Rows whose limit passed without labels: they are left out of the stream.
    twice
        Labels of a row that has its labels already: the first ones hold.
    without_row
        Labels whose row never came, or whose limit had passed.
    """

    rows: int = 0
    labels: int = 0
    labelled: int = 0
    never: int = 0
    twice: int = 0
    without_row: int = 0


class Joined(NamedTuple):
    """A row of the joined stream: its number among all rows, its labels, and the position after which they came."""

    row: int
    labels: bytes
    arrives: int


class Row(Struct, array_like=True, eq=False):
    """A row within its limit, or whose position in the stream is not certain yet.

    ``after`` is the last row that came before the labels did; ``over`` says that its limit has passed.
    """

    number: int
    key: str
    when: float
    labels: bytes | None = None
    after: int = -1
    over: bool = False


class Early(Struct, array_like=True, eq=False):
    """Labels that came before their row: how many rows there were then, and when."""

    key: str
    labels: bytes
    rows: int
    when: float


class State(Struct, array_like=True):
    """What a join continues from: ``begin`` are the first rows that are undecided and uncertain."""

    within_rows: int
    within_seconds: float
    counts: JoinCounts
    given: int
    clocks: tuple[float, float]
    begin: tuple[int, int]
    kept_from: int
    n_kept: int
    kept: list[int]
    rows: list[Row]
    early: list[Early]


class Joiner:
    """The join of two readers: takes rows and labels in any order of reading, gives rows with labels in their order.

    Both are merged by the times of the messages alone, each made to rise: labels of the time T come right after the
    last row of a time up to T. So nothing can be said about a row before the labels' times have passed it, and nothing
    about labels before the rows' times have passed them. Labels are for the oldest row of their key that waits. Labels
    that come before their row wait for it as long as a row waits for labels.

    A row is given once all rows up to the arrival of its labels are decided, since those that never get labels have no
    position in the stream: at most twice the limit after it came.

    Parameters
    ----------
    within_rows
        Labels count up to this many rows after their row, 1 to 100,000,000. Default 1,000,000.
    within_seconds
        Labels count up to this many seconds after their row. Default: no such limit.

    Notes
    -----
    Memory, measured with keys of 10 letters on 64-bit Python 3.12: a row that is read takes 150 bytes, one that waits
    for its labels 250, one that has 20 labels 430, until its limit has passed and it was given; a longer key and more
    labels take as many bytes more as they are longer. At most ``2 * within_rows`` rows and as many labels are held.

    Examples
    --------
    >>> joiner = Joiner(within_seconds=30)
    >>> joiner.add_rows(["a", "b", "c"], [0.0, 1.0, 2.0])
    >>> joiner.add_labels(["b", "a"], [1.5, 40.0], [b"\\1", b"\\0"])
    >>> joiner.end()
    >>> list(joiner.take())
    [Joined(row=1, labels=b'\\x01', arrives=0)]
    >>> joiner.counts.never, joiner.counts.without_row
    (2, 1)
    """

    def __init__(self, *, within_rows: int = WITHIN_ROWS, within_seconds: float | None = None) -> None:
        self.within_rows = checked_count("within_rows", within_rows, 1, MOST_WITHIN)
        self.within_seconds = (
            math.inf if within_seconds is None else checked_number("within_seconds", within_seconds, 0.0, 1e10)
        )
        self.counts = JoinCounts()
        self.given = 0
        # read, not taken in yet
        self._rows: deque[tuple[str, float]] = deque()
        self._labels: deque[tuple[str, float, bytes]] = deque()
        self._rows_end = self._labels_end = False
        # the latest times of what was read, and of what was taken in
        self._rows_clock = self._labels_clock = self._row_clock = self._label_clock = -math.inf
        # rows within their limit, in order; of their keys, those that wait, further ones that wait, those that do not
        self._window: deque[Row] = deque()
        self._waiting: dict[str, Row] = {}
        self._further: dict[str, deque[Row]] = {}
        self._done: dict[str, int] = {}
        self._early: dict[str, Early] = {}
        self._early_order: deque[Early] = deque()
        # rows that found their labels here already
        self._due: list[Row] = []
        # rows that are not given yet, from the first on: undecided, or decided and uncertain in their place
        self._undecided: deque[Row] = deque()
        self._uncertain: deque[Row] = deque()
        # of decided rows from ``_kept_from`` on: how many rows of the stream there are up to each
        self._kept: deque[int] = deque()
        self._kept_from = self._n_kept = 0

    # ------------------------------------------------------------------ what comes in

    @property
    def wants_rows(self) -> bool:
        """Whether nothing happens before rows come, or their end."""
        return not self._rows and not self._rows_end

    @property
    def wants_labels(self) -> bool:
        """Whether nothing happens before labels come, or their end."""
        return not self._labels and not self._labels_end

    @property
    def clock(self) -> float:
        """The latest time of what was read, of both sides, in seconds."""
        return max(self._rows_clock, self._labels_clock)

    @property
    def read(self) -> tuple[int, int]:
        """Rows and labels that were read."""
        return self.counts.rows + len(self._rows), self.counts.labels + len(self._labels)

    @property
    def is_ready(self) -> bool:
        """Whether ``take`` yields a row."""
        return bool(self._uncertain) and self._uncertain[0].after < self._kept_from + len(self._kept)

    @property
    def waiting(self) -> int:
        """Rows that have been read, but not yet passed on or left out."""
        return len(self._rows) + len(self._undecided) + len(self._uncertain)

    @property
    def left_out(self) -> int:
        """Rows that got no labels and are left out for good; with those given and those that wait they are all."""
        return self.counts.rows - self.given - len(self._undecided) - len(self._uncertain)

    @property
    def is_over(self) -> bool:
        """Whether both sides have ended, and all rows were given."""
        return self._rows_end and self._labels_end and not self.waiting and not self._labels

    @property
    def first_needed(self) -> int:
        """The first row that is not given or left out yet."""
        for part in (self._uncertain, self._undecided):
            if part:
                return part[0].number
        return self.counts.rows

    def add_rows(self, keys: Sequence[str], when: Iterable[float]) -> None:
        """Take rows, in the order of their source; ``when`` in seconds."""
        for key, time in zip(keys, when, strict=True):
            self._rows_clock = max(self._rows_clock, time)
            self._rows.append((key, self._rows_clock))
        self._go_on()

    def add_labels(self, keys: Sequence[str], when: Iterable[float], labels: Iterable[bytes]) -> None:
        """Take labels, in the order of their source; those of a row as bytes of 0 and 1."""
        for key, time, each in zip(keys, when, labels, strict=True):
            self._labels_clock = max(self._labels_clock, time)
            self._labels.append((key, self._labels_clock, each))
        self._go_on()

    def end(self, *, rows: bool = True, labels: bool = True) -> None:
        """No rows, or no labels, or neither come any more."""
        self._rows_end |= rows
        self._labels_end |= labels
        self._go_on()

    def pass_time(self, clock: float) -> None:
        """Let time pass where nothing comes: what comes from now on counts as no older than this time, in seconds.

        The answer is as without it if nothing older than that comes any more. Where it does, the state says until when
        time has passed, so that who goes on from it comes to the same.
        """
        if clock <= self.clock:
            return
        self._rows_clock = self._labels_clock = clock
        self._go_on(is_quiet=True)
        self._row_clock = self._label_clock = clock
        self._settle_due()
        self._pass_limits(clock)
        self._decide()

    # ------------------------------------------------------------------ keep and go on

    def state(self) -> bytes:
        """Return all that follows from the rows and labels that were taken in.

        It does not hold what was read and not taken in yet: to continue from it, read rows from ``counts.rows`` on and
        labels from ``counts.labels`` on again.
        """
        rows = {row.number: row for part in (self._window, self._undecided, self._uncertain) for row in part}
        undecided = self._undecided[0].number if self._undecided else self.counts.rows
        return msgspec.msgpack.encode(
            State(
                self.within_rows,
                self.within_seconds,
                self.counts,
                self.given,
                (self._row_clock, self._label_clock),
                (undecided, self._uncertain[0].number if self._uncertain else undecided),
                self._kept_from,
                self._n_kept,
                list(self._kept),
                [rows[number] for number in sorted(rows)],
                [each for each in self._early_order if self._early.get(each.key) is each],
            )
        )

    @classmethod
    def from_state(cls, state: bytes, n_labels: int) -> Joiner:
        """Return the joiner that a ``state`` is of; labels have ``n_labels``.

        Raises
        ------
        ValueError
            If it is invalid.
        """
        with within("the state of a join is not whole"):
            fields = msgspec.msgpack.decode(state, type=State)
            labels = [each.labels for each in fields.rows] + [each.labels for each in fields.early]
            if any(each is not None and len(each) != n_labels for each in labels):
                raise ValueError(f"expected {n_labels} labels of a row")
        made = cls(
            within_rows=fields.within_rows,
            within_seconds=None if fields.within_seconds == math.inf else fields.within_seconds,
        )
        made.counts, made.given = fields.counts, fields.given
        made._row_clock, made._label_clock = made._rows_clock, made._labels_clock = fields.clocks
        made._kept, made._kept_from, made._n_kept = deque(fields.kept), fields.kept_from, fields.n_kept
        for row in fields.rows:
            made._put_back(row, *fields.begin)
        made._early = {each.key: each for each in fields.early}
        made._early_order.extend(fields.early)
        return made

    def _put_back(self, row: Row, undecided: int, uncertain: int) -> None:
        if row.number >= undecided:
            self._undecided.append(row)
        elif row.number >= uncertain and row.labels is not None:
            self._uncertain.append(row)
        if row.labels is not None and row.after < 0:
            self._due.append(row)
        if row.over:
            return
        self._window.append(row)
        if row.labels is not None:
            self._done[row.key] = self._done.get(row.key, 0) + 1
        else:
            self._wait(row)

    # ------------------------------------------------------------------ the merge

    def _go_on(self, is_quiet: bool = False) -> None:
        rows, labels = self._rows, self._labels
        while True:
            if rows and (labels or self._labels_end or is_quiet):
                if not labels or rows[0][1] <= labels[0][1]:
                    self._take_row(*rows.popleft())
                else:
                    self._take_labels(*labels.popleft())
            elif labels and (self._rows_end or is_quiet):
                self._take_labels(*labels.popleft())
            else:
                break
        if self._rows_end and self._labels_end and not rows and not labels:
            self._settle_due()
            self._pass_limits(math.inf)
            while self._early_order:
                self._drop_early()
        self._decide()

    def _take_row(self, key: str, when: float) -> None:
        if self._due and when > self._due[0].when:
            self._settle_due()
        row = Row(self.counts.rows, key, when)
        self.counts.rows += 1
        self._row_clock = when
        self._pass_limits(when)
        self._window.append(row)
        self._undecided.append(row)
        if key in self._early:
            row.labels = self._early.pop(key).labels
            self._due.append(row)
            self._done[key] = self._done.get(key, 0) + 1
        else:
            self._wait(row)

    def _wait(self, row: Row) -> None:
        if row.key in self._waiting:
            self._further.setdefault(row.key, deque()).append(row)
        else:
            self._waiting[row.key] = row

    def _take_labels(self, key: str, when: float, labels: bytes) -> None:
        self.counts.labels += 1
        self._label_clock = when
        self._settle_due()
        self._pass_limits(when)
        row = self._waiting.get(key)
        if row is not None:
            self._next_waits(key)
            self._done[key] = self._done.get(key, 0) + 1
            row.labels, row.after = labels, self.counts.rows - 1
            self.counts.labelled += 1
        elif key in self._done or key in self._early:
            self.counts.twice += 1
        else:
            self._early[key] = early = Early(key, labels, self.counts.rows, when)
            self._early_order.append(early)
            while len(self._early) > self.within_rows:
                self._drop_early()

    def _settle_due(self) -> None:
        """Rows that found their labels here already: these came right after the last row of the same time."""
        for row in self._due:
            row.after = self.counts.rows - 1
            self.counts.labelled += 1
        self._due.clear()

    def _next_waits(self, key: str) -> None:
        further = self._further.get(key)
        if further is None:
            del self._waiting[key]
            return
        self._waiting[key] = further.popleft()
        if not further:
            del self._further[key]

    def _pass_limits(self, clock: float) -> None:
        oldest, first = clock - self.within_seconds, self.counts.rows - 1 - self.within_rows
        window = self._window
        while window and (window[0].when < oldest or window[0].number < first or clock == math.inf):
            row = window.popleft()
            row.over = True
            if row.labels is None:
                self.counts.never += 1
                self._next_waits(row.key)
            elif self._done[row.key] == 1:
                del self._done[row.key]
            else:
                self._done[row.key] -= 1
        while self._early_order:
            early = self._early_order[0]
            if self._early.get(early.key) is early and early.when >= oldest and early.rows - 1 >= first:
                break
            self._drop_early()

    def _drop_early(self) -> None:
        early = self._early_order.popleft()
        if self._early.get(early.key) is early:  # else its row has come
            del self._early[early.key]
            self.counts.without_row += 1

    # ------------------------------------------------------------------ what comes out

    def _decide(self) -> None:
        """Find the rows, from the first undecided on, that have labels or will never have any."""
        undecided = self._undecided
        while undecided and (undecided[0].after >= 0 or (undecided[0].over and undecided[0].labels is None)):
            row = undecided.popleft()
            self._n_kept += row.labels is not None
            self._kept.append(self._n_kept)
            if row.labels is not None:
                self._uncertain.append(row)
            elif not self._uncertain:  # nobody asks for its place
                self._kept_from += len(self._kept)
                self._kept.clear()

    def take(self) -> Iterator[Joined]:
        """Yield the rows of the stream that are certain by now, in their order, each once."""
        while self.is_ready:
            row = self._uncertain.popleft()
            while self._kept_from < row.number:
                self._kept.popleft()
                self._kept_from += 1
            assert row.labels is not None, "only rows with labels are kept"
            self.given += 1
            yield Joined(row.number, row.labels, self._kept[row.after - self._kept_from] - 1)
