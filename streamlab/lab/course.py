"""Where a run stands in its stream: the rows that come next, and the labels that are not known yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab._checks import under
from streamlab.lab.events import MARK, STEP, Action
from streamlab.streams import Chunk, Drift, Stream, is_csr, stacked
from streamlab.streams.blocks import csr_rows


class _Block:
    """Rows that were queued together; ``left`` are the places of those that wait still."""

    __slots__ = ("arrives", "columns", "least", "left")

    def __init__(self, arrives: np.ndarray, columns: tuple[Any, ...]) -> None:
        self.arrives, self.columns = arrives, columns
        self._keep(np.arange(len(arrives)))

    def _keep(self, left: np.ndarray) -> None:
        self.left = left
        self.least = int(self.arrives[left].min()) if len(left) else np.iinfo(np.int64).max

    def take(self, stop: int) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Take out the rows that arrive before ``stop``, in their order."""
        due = self.arrives[self.left] < stop
        rows = self.left[due]
        self._keep(self.left[~due])
        return self.arrives[rows], tuple(column[rows] for column in self.columns)

    def waiting(self) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Return the rows that wait."""
        return self.arrives[self.left], tuple(column[self.left] for column in self.columns)


class DelayQueue:
    """A queue of rows by the position at which their labels arrive; those that never do are not kept.

    Memory is bounded by the longest delay of the labels: rows that are queued together are let go together. The time of
    a step is bounded by the rows that it queues and takes, and by the number of steps that rows wait for.
    """

    def __init__(self) -> None:
        self._blocks: list[_Block] = []

    def __len__(self) -> int:
        return sum(len(block.left) for block in self._blocks)

    def add(self, arrives: np.ndarray, *columns: np.ndarray) -> None:
        """Queue rows.

        Parameters
        ----------
        arrives
            int64 (n,): the instance after whose prediction each row's labels are known; the largest int64 is never.
        columns
            Arrays of n rows each, or CSR; in every call the same number of them.
        """
        kept = arrives < np.iinfo(np.int64).max
        # an empty block says of which kind the columns are
        if kept.any() or not self._blocks:
            self._blocks.append(_Block(arrives[kept], tuple(column[kept] for column in columns)))

    def take(self, stop: int) -> tuple[np.ndarray, ...]:
        """Take out the rows whose labels are known once ``stop`` instances have been predicted.

        Returns
        -------
        tuple of arrays
            When each arrived, then the columns; in order of arrival, and of the stream where several arrive at once.
        """
        if not self._blocks:
            return (np.zeros(0, np.int64),)
        taken = [block.take(stop) for block in self._blocks if block.least < stop]
        if not taken:
            empty = self._blocks[-1]
            return np.zeros(0, np.int64), *(column[:0] for column in empty.columns)
        arrives = np.concatenate([each for each, _ in taken])
        order = np.argsort(arrives, kind="stable")
        columns = (stacked(parts)[order] for parts in zip(*(each for _, each in taken), strict=True))
        found = (arrives[order], *columns)
        # the last stays, for its columns
        self._blocks = [block for block in self._blocks[:-1] if len(block.left)] + self._blocks[-1:]
        return found

    def _all(self) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Return what waits, in the order of the stream."""
        parts = [block.waiting() for block in self._blocks if len(block.left)]
        if not parts:
            return np.zeros(0, np.int64), ()
        return np.concatenate([each for each, _ in parts]), tuple(
            stacked(columns) for columns in zip(*(each for _, each in parts), strict=True)
        )

    def state(self) -> dict[str, Any]:
        """Return what waits, as a flat dictionary of arrays (its own, to be copied); columns by their number."""
        arrives, columns = self._all()
        state: dict[str, Any] = {"arrives": arrives}
        for place, column in enumerate(columns):
            if is_csr(column):
                parts = {"indptr": column.indptr, "indices": column.indices, "data": column.data}
                state |= {f"{place}.{name}": array for name, array in parts.items()}
                state[f"{place}.width"] = column.shape[1]
            else:
                state[str(place)] = column
        return state

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()``, whose arrays are its own from now on."""
        columns: list[Any] = []
        while (place := str(len(columns))) in state or f"{place}.width" in state:
            own = under(state, f"{place}.")
            columns.append(
                state[place] if not own else csr_rows(own["indptr"], own["indices"], own["data"], own["width"])
            )
        self._blocks = [_Block(state["arrives"], tuple(columns))] if len(state["arrives"]) else []


@dataclass(frozen=True)
class Known:
    """What is known of labels while a step of a run with delayed or hidden labels is taken.

    Parameters
    ----------
    arrives
        For each row of the step, the instance after whose prediction its labels are known; int64 (n,).
    labels
        The labels that the learner gets then, uint8 (n, n_labels); the measures count with the truth.
    due_at, X, Y
        The rows, of this step or earlier ones, whose labels arrive during the step, in order of arrival.
    """

    arrives: np.ndarray
    labels: np.ndarray
    due_at: np.ndarray
    X: Any
    Y: np.ndarray


@dataclass(frozen=True)
class Mark:
    """An instant between old and new evidence that was marked.

    Parameters
    ----------
    row
        Instances that had passed before it.
    drift
        The number of the drift that began there, from 1; 0: people set it.
    """

    row: int
    drift: int


def step_of(path: Sequence[Action], chunk: int) -> int:
    """Return the rows that are answered together after what was done; ``chunk`` where nobody chose."""
    return next((action.detail["rows"] for action in reversed(path) if action.kind == STEP), chunk)


class Course:
    """A run's way through its stream, chunk by chunk.

    Parameters
    ----------
    stream
        The stream.
    chunk
        Instances of a chunk.

    Attributes
    ----------
    position, finished
        Instances that have passed, and whether the stream has ended.
    last
        X of the latest row, an array or CSR of one row, and its labels; None at first.
    schema, n_rows
        Those of the stream at the beginning: ranges of features that a drift put in changes are no learner's business.
    current, used
        The chunk under way, and how many of its rows have passed.
    grows
        Whether rows of this chunk may still come: those of a stream that gives chunks ``in_parts``.
    step, part
        Rows that are answered together, and where the part of the chunk that has been answered begins and ends.
    marks
        Where people marked an instant, in order.
    drifts
        Those of the stream that have not begun yet, in order.
    late
        The rows whose labels are not known yet.
    """

    def __init__(self, stream: Stream, chunk: int) -> None:
        self.stream, self.chunk = stream, chunk
        self.schema, self.n_rows = stream.schema, stream.n_rows
        self.position, self.finished = 0, False
        self.last: tuple[Any, np.ndarray] | None = None
        self.current: Chunk | None = None
        self.used, self.grows = 0, False
        self.step, self.part = chunk, (0, 0)
        self.marks: list[int] = []
        self._look_ahead(stream)
        self._chunks = stream.chunks(chunk)
        self.late = DelayQueue()

    def _look_ahead(self, stream: Stream) -> None:
        """Note the drifts that have not begun, and from where to where learners learn only rows from before each."""
        self.drifts = sorted((d for d in stream.drifts if d.start >= self.position), key=lambda drift: drift.start)
        labelling = stream.labelling
        known = [each.start if labelling is None else labelling.all_known(each.start) for each in stream.drifts]
        self._before = [(each.start, at) for each, at in zip(stream.drifts, known, strict=True) if at >= self.position]
        self._marked_at = [at for pair in self._before for at in pair]

    @property
    def is_before(self) -> bool:
        """Whether learners hold only rows from before a drift that begins here, or that has begun: labels may be late.

        Not after people have marked an instant since.
        """
        mark = self.marks[-1] if self.marks else 0
        for start, known in self._before:  # noqa: SIM110 (a generator takes longer, and this is asked at each step)
            if mark <= start <= self.position <= known:
                return True
        return False

    @property
    def is_between_chunks(self) -> bool:
        """Whether no chunk is under way."""
        return self._is_used_up and not self.grows

    @property
    def _is_used_up(self) -> bool:
        return self.current is None or self.used == len(self.current.Y)

    @property
    def next_chunk(self) -> int:
        """Where the next chunk begins."""
        return self.position if self.current is None or self.is_between_chunks else self.current.stop

    @property
    def is_waiting(self) -> bool:
        """Whether the next chunk of a live stream, or what this one lacks, is not there yet."""
        if not self.stream.is_live or self.finished or not self._is_used_up:
            return False
        return not self.stream.has_rows(self.position, self.chunk - self.used if self.grows else self.chunk)

    @property
    def why_waiting(self) -> str:
        """The text while the run waits: ``"waiting for rows"``, and the problem of their source, if any."""
        why = self.stream.why_waiting()
        return f"waiting for rows: {why}" if why else "waiting for rows"

    # ------------------------------------------------------------------ going on

    def load(self) -> bool:
        """See to it that there are rows to go on with; False at the end of the stream."""
        if self._is_used_up:
            if self.stream.is_live:
                self._look_ahead(self.stream)  # who hands over rows may tell of a drift in them
            self._next_rows()
        if self.current is not None and self.used == self.part[1]:
            self._next_part()
        return self.current is not None

    def _next_rows(self) -> None:
        """Begin the next chunk, or add to this one what has come; without any, the stream has ended in it."""
        begun = self.current if self.grows else None
        more = next(self._chunks, None)
        if begun is None or more is None:
            self.current, self.used, self.part = more, 0, (0, 0)
        else:
            X, Y = stacked([begun.X, more.X]), np.concatenate([begun.Y, more.Y])
            self.current = Chunk(begun.start, X, Y)
        self.grows = False
        if self.stream.in_parts and self.current is not None:
            lacks = self.chunk - len(self.current.Y)
            self.grows = lacks > 0
            self._chunks = self.stream.chunks(lacks or self.chunk, start=self.current.stop)

    def rows_ahead(self, n: int | None) -> int:
        """Return how many of ``n`` instances can pass at once: to the end of the part, or to where learners mark."""
        left = self.part[1] - self.used
        rows = left if n is None else min(left, n)
        for at in self._marked_at:
            if at > self.position:
                rows = min(rows, at - self.position)
        return rows

    def labels_known(self, chunk: Chunk, start: int, stop: int) -> Known | None:
        """Return what becomes known during a step, where labels are delayed or hidden; else None."""
        labelling = self.stream.labelling
        if labelling is None:
            return None
        rows = np.arange(chunk.start + start, chunk.start + stop)
        arrives, labels = labelling.arrives(rows), labelling.labels_known(chunk.Y[start:stop], rows)
        self.late.add(arrives, chunk.X[start:stop], labels)
        return Known(arrives, labels, *self.late.take(chunk.start + stop))

    def passed(self, chunk: Chunk, n: int) -> list[Drift]:
        """Note that ``n`` rows of the chunk have passed; return the drifts that began in them."""
        self.used += n
        self.position += n
        row = self.used - 1
        self.last = (chunk.X[row : row + 1] if self.stream.is_sparse else chunk.X[row]), chunk.Y[row]
        found = []
        while self.drifts and self.drifts[0].start < self.position:
            found.append(self.drifts.pop(0))
        return found

    # ------------------------------------------------------------------ what people change

    def set_step(self, rows: int) -> None:
        """Answer this many rows together from here on."""
        self.step = rows
        if not self.is_between_chunks:
            self._next_part()

    def _next_part(self) -> None:
        """Begin the next part of the current chunk."""
        assert self.current is not None, "a chunk was loaded"
        self.part = self.used, min(self.used + self.step, len(self.current.Y))

    def put_in(self, change: Callable[[Stream, int], Stream], at: int) -> None:
        """Let the stream change from a row on, where the next chunk begins or later."""
        begin = self.next_chunk
        if at < begin:
            raise ValueError(f"at={at:,}: expected a row from {begin:,} on, for those before it are answered already")
        changed = change(self.stream, at)
        if not isinstance(changed, Stream):
            raise ValueError(f"change returned {type(changed).__name__}; expected a Stream")
        difference = self.stream.schema.difference(changed.schema, ranges=False)
        if difference is not None:
            raise ValueError(f"the changed stream has another schema: {difference}")
        chunks = changed.chunks(self.chunk, start=begin)
        before, self.stream, self._chunks = self._chunks, changed, chunks
        before.close()
        self._look_ahead(changed)

    @property
    def marked(self) -> Mark | None:
        """The latest instant marked, by a drift of the stream or by people; None: there was none."""
        starts = sorted(drift.start for drift in self.stream.drifts if drift.start < self.position)
        if self.marks and (not starts or self.marks[-1] > starts[-1]):
            return Mark(self.marks[-1], 0)
        return Mark(starts[-1], len(starts)) if starts else None

    def follow(self, path: Sequence[Action]) -> None:
        """Have the step and the marks that what was done says."""
        self.step = step_of(path, self.chunk)
        self.marks = [action.position for action in path if action.kind == MARK]

    # ------------------------------------------------------------------ state, between two chunks

    def state(self) -> dict[str, Any]:
        """Return the state between two chunks, without the stream; arrays are its own, to be copied."""
        state: dict[str, Any] = {"position": self.position, "finished": self.finished}
        state |= {f"waiting.{name}": value for name, value in self.late.state().items()}
        if self.last is not None:
            X, state["last.Y"] = self.last
            if is_csr(X):
                state |= {"last.indices": X.indices, "last.data": X.data}
            else:
                state["last.X"] = X
        return state

    def set_state(self, state: Mapping[str, Any], stream: Stream) -> None:
        """Continue from a ``state()`` on the stream of then; its arrays are this one's from now on."""
        self.stream, self.position, self.finished = stream, state["position"], state["finished"]
        self.late.set_state(under(state, "waiting."))
        self.last = None
        if "last.X" in state:
            self.last = state["last.X"], state["last.Y"]
        elif "last.Y" in state:
            indices = state["last.indices"]
            X = csr_rows([0, len(indices)], indices, state["last.data"], self.schema.n_features)
            self.last = X, state["last.Y"]
        self._chunks.close()
        self._chunks = stream.chunks(self.chunk, start=self.position)
        self.current, self.used, self.grows = None, 0, False
        self._look_ahead(stream)
