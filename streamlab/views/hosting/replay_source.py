"""What a replay is made of, taken out of a run in one go: the rest of the work needs the run no longer.

What the live page would tell at each of its rows comes from the page's own sentence. Curves, events and the packed
frames of each picture become compact bytes for the browser: all arrays stand in one buffer, pictures' columns byte
plane by byte plane over all frames: neighbouring values are alike, which deflate makes use of. The browser puts each
frame together again as ``PictureView`` would have sent it.
"""

from __future__ import annotations

import copy
import json
import math
import zlib
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from streamlab.lab.events import Event
from streamlab.lab.frame import NOTHING_DRAWN, CurveUpdate, Frame, FrameMaker
from streamlab.lab.history import History, with_curves
from streamlab.lab.ownership import owned
from streamlab.lab.view_log import ViewEntry, ViewLog
from streamlab.learners.base.registry import EventKind
from streamlab.measures import MEASURES
from streamlab.views.kit.picture import Picture
from streamlab.views.page.sentence import Sentence, Told
from streamlab.views.recording import ENTRIES, drawable, readings_of, recalled

if TYPE_CHECKING:
    from streamlab.lab import Run
    from streamlab.schema import Schema


MEASURES_SHOWN = (
    "accuracy", "kappa_t", "kappa_m", "balanced_accuracy", "hierarchical_f1", "micro_f1", "example_f1", "macro_f1",
    "subset_accuracy", "hamming_loss", "ranking_loss",
)  # fmt: skip
"""Measures that a replay shows unless others are asked for."""
AGAIN_SECONDS = 10.0
"""What a run may have taken, of a processor's time, to be gone through once more for pictures that were not drawn."""


@dataclass(frozen=True)
class SourceLearner:
    """What is told of a learner: the kinds of its events, and its past."""

    kinds: Mapping[str, EventKind]
    history: History


@dataclass(frozen=True)
class Source:
    """A run as a replay tells of it; nothing in it is shared with what the run goes on to change.

    Parameters
    ----------
    stream, schema
        The stream's name and columns.
    position, n_rows, chunk
        As in the run.
    learners
        By name, in the run's order.
    log
        Its events, in order.
    views
        What the pictures drew, up to the position.
    pictures
        Each picture that fits, with the learners that it fits.
    measures
        Names of the measures that are shown.
    pasts
        What is to be told, by measure.
    """

    stream: str
    schema: Schema
    position: int
    n_rows: int | None
    chunk: int
    learners: Mapping[str, SourceLearner]
    log: tuple[Event, ...]
    views: tuple[ViewEntry, ...]
    pictures: tuple[tuple[Picture, tuple[str, ...]], ...]
    measures: tuple[str, ...]
    pasts: Mapping[str, Past]


@owned
def source_of(run: Run, views: ViewLog | None = None, measures: Iterable[str] | None = None) -> Source:
    """Copy out of a run what a replay tells; where a player has the run, on the player's thread.

    Parameters
    ----------
    run
        The run.
    views
        What the pictures drew; None: the run's own record, and where it stands. Where there is little in that, as a
        page draws less often than it counts, the run goes through its past once more, if that takes seconds.
    measures
        The measures that are shown; None: up to seven that the run has.

    Raises
    ------
    ValueError
        For an unknown measure, or one without a curve.
    """
    named = _named_measures(run, measures)
    log = run.views if views is None else views
    if views is None and _has_gaps(run):
        log = recalled(run)
    entries = tuple(entry for entry in log.entries if entry.position <= run.position)
    if not entries or (views is None and entries[-1].position < run.position):
        # the last row is what people compare with the page
        entries += (ViewEntry(run.position, readings_of(run)),)
    return Source(
        run.stream.name,
        run.stream.schema,
        run.position,
        run.n_rows,
        run.chunk,
        {
            name: SourceLearner(each.learner.events, copy.deepcopy(each.history))
            for name, each in run.learner_runs.items()
        },
        tuple(run.log),
        entries,
        tuple(drawable(run)),
        named,
        {measure: past_of(run, measure) for measure in named},
    )


def _named_measures(run: Run, measures: Iterable[str] | None) -> tuple[str, ...]:
    schema = run.stream.schema
    if measures is not None:
        chosen = with_curves(measures, schema)
        if not chosen:
            raise ValueError("measures is empty: expected at least one name")
        return chosen
    kept = tuple(next(iter(run.learner_runs.values())).tracker.measures)
    usual = [name for name in MEASURES_SHOWN if name in kept]
    return with_curves(usual or [name for name in kept if MEASURES[name].has_curve], schema)


def _has_gaps(run: Run) -> bool:
    """Whether the run's own record has fewer entries than a recording would have, and may be made again in time."""
    if not len(run.views):
        return True
    wanted = min(ENTRIES, run.position // run.chunk)
    return len(run.views) < wanted and sum(each.seconds for each in run.learner_runs.values()) < AGAIN_SECONDS


MOST_TOLD = 400
"""Rows of a measure that are told; of a longer run, evenly spread, and those at which something happened."""


@dataclass(frozen=True)
class Past:
    """The sentence of a run, and the frame of its end with all its points and events."""

    sentence: Sentence
    frame: Frame


def past_of(run: Run, measure: str) -> Past:
    """Copy out of a run what is to be told by a measure; on the thread that owns the run."""
    maker = FrameMaker(run)
    maker.choose(measures=[measure])
    frame = maker.make(NOTHING_DRAWN, "paused", "", None, 0.0)
    learners = {name: each.learner for name, each in run.learner_runs.items()}
    return Past(Sentence(run.stream, learners, measure, "chunk"), frame)


def told_along(past: Past) -> tuple[list[int], list[Told]]:
    """Return the rows from which on something else is told, the first of them 0, and what."""
    sentence, frame = past.sentence, past.frame
    points = frame.curves.positions.tolist()
    if len(points) > MOST_TOLD:
        points = [points[place] for place in np.linspace(0, len(points) - 1, MOST_TOLD).astype(int).tolist()]
    # a drift is known when the first row after its beginning has passed
    dated = sorted(
        ((e.position + (e.kind == "drift" and not e.learner), e) for e in frame.events if e.is_dated), key=itemgetter(0)
    )
    happened = {row for row, _ in dated if row <= frame.position}
    # what learners hold is known of the end alone
    unknown = {name: {**numbers, "did": "", "renewed": None} for name, numbers in frame.learners.items()}
    empty = CurveUpdate(np.zeros(0, np.int64), {}, False)
    at: list[int] = []
    told: list[Told] = []
    met = 0
    for place, row in enumerate(sorted({0, *points, *happened, frame.position})):
        new = [event for known, event in dated[met:] if known <= row]
        met += len(new)
        sentence.take(replace(frame, events=new, fresh=not place, curves=empty if place else frame.curves))
        learners = frame.learners if row == frame.position else unknown
        hurt = frame.hurt if row == frame.position else None
        now = sentence.tell(replace(frame, position=row, end=row, live=True, learners=learners, hurt=hurt))
        if not told or told[-1] != now:
            at.append(row)
            told.append(now)
    return at, told


ALIGNMENT = 8
LEVEL = 9
"""Of deflate: files are written once and read often."""
OWN_OF_FRAME = ("kind", "number", "spec", "buffer", "playing")
"""What a frame says that is not its header, or that the replay knows itself."""


class Buffers:
    """Arrays one after another, each at a multiple of eight bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, data: bytes) -> int:
        """Append bytes; returns where they begin."""
        start = self._length
        padding = -len(data) % ALIGNMENT
        self._parts += [data, bytes(padding)]
        self._length += len(data) + padding
        return start

    def array(self, values: Any, kind: str = "f4") -> list[Any]:
        """Append an array; return ``[kind, offset, length]``, with which the browser reads it."""
        array = np.asarray(values).astype(f"<{kind}")
        return [kind, self.add(array.tobytes()), int(array.size)]

    def copy(self) -> Buffers:
        """Return buffers that begin with these."""
        other = Buffers()
        other._parts, other._length = list(self._parts), self._length
        return other

    def join(self) -> bytes:
        """Return all of them."""
        return b"".join(self._parts)


@dataclass
class Recorded:
    """What one picture drew of one learner, at each of its positions.

    Parameters
    ----------
    learner
        The learner's place in the run, -1 where the picture is the same for all.
    """

    learner: int
    _at: list[int] = field(default_factory=list)
    _frames: list[Mapping[str, Any]] = field(default_factory=list)
    _parameters: list[dict[str, Any]] = field(default_factory=list)
    _given: dict[str, Any] = field(default_factory=dict)

    def add(self, position: int, frame: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
        """Append a packed frame and the parameters of the component that goes with it."""
        before = self._parameters[-1] if self._parameters else {}
        # names of a quarter of a million features are kept once, not once an entry
        kept = {
            name: before[name] if name in before and _same(self._given[name], value) else plain(value)
            for name, value in parameters.items()
        }
        self._at.append(position)
        self._frames.append(frame)
        self._parameters.append(kept)
        self._given = dict(parameters)

    def __len__(self) -> int:
        return len(self._at)

    @property
    def positions(self) -> list[int]:
        """Where there is a frame, ascending."""
        return list(self._at)

    @property
    def names(self) -> set[str]:
        """The names of the parameters that the browser knows."""
        return {name for parameters in self._parameters[-1:] for name in parameters}

    def write(self, kept: set[int], buffers: Buffers) -> dict[str, Any]:
        """Put the frames at the positions ``kept`` into buffers; returns what the browser needs to read them.

        ``columns`` has ``[name, item type, scale, offset, rows]`` of each column over all frames; a frame of
        ``frames`` has its position, its header, the parameters that differ from those of the frame before (``["set",
        value]``, or ``["append", values]`` for a list that grew), and pairs of a column and its rows, in the order of
        the frame's buffer.
        """
        places: dict[tuple[str, str, str], int] = {}
        columns: list[tuple[str, str, Any]] = []
        parts: list[list[NDArray[np.uint8]]] = []
        frames: list[list[Any]] = []
        before: dict[str, Any] = {}
        for at, frame, parameters in zip(self._at, self._frames, self._parameters, strict=True):
            if at not in kept:
                continue
            offset, used = 0, []
            for name, kind, length, scale in frame["spec"]:
                key = (name, kind, json.dumps(scale))
                if key not in places:
                    places[key] = len(columns)
                    columns.append((name, kind, scale))
                    parts.append([])
                width = int(kind[1:])
                size = length * width
                rows = np.frombuffer(frame["buffer"], np.uint8, size, offset).reshape(length, width)
                parts[places[key]].append(rows)
                offset += size
                used.append([places[key], length])
            header = plain({name: value for name, value in frame.items() if name not in OWN_OF_FRAME})
            changed = {
                name: _change(before, name, value)
                for name, value in parameters.items()
                if name not in before or not _same(before[name], value)
            }
            before = parameters
            frames.append([at, header, changed, used])
        written = []
        for (name, kind, scale), part in zip(columns, parts, strict=True):
            whole = np.concatenate(part)
            written.append([name, kind, scale, buffers.add(whole.T.tobytes()), len(whole)])
        return {"learner": self.learner, "columns": written, "frames": frames}


def _same(one: Any, other: Any) -> bool:
    return one is other or bool(one == other)


def _change(before: Mapping[str, Any], name: str, value: Any) -> list[Any]:
    old = before.get(name)
    if isinstance(old, list) and isinstance(value, list) and 0 < len(old) < len(value) and value[: len(old)] == old:
        return ["append", value[len(old) :]]
    return ["set", value]


def encoded(head: Mapping[str, Any], buffers: Buffers) -> bytes:
    """Return head and buffers as base64 of a deflated stream: the length of the head, the head as JSON, the buffers."""
    text = json.dumps(head, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    text += b" " * (-(4 + len(text)) % ALIGNMENT)
    return b64encode(zlib.compress(len(text).to_bytes(4, "little") + text + buffers.join(), LEVEL))


def plain(value: Any) -> Any:
    """Return a value as JSON has it: NumPy's numbers as Python's, infinite ones and NaN as None."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)
