"""Prepare what a run needs beside what is running: other processes compile its kernels, which are then only loaded."""

from __future__ import annotations

import inspect
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from streamlab._side_by_side import cores
from streamlab.compiling import Order, compile_part, give_way, order, prepare_of  # noqa: F401  # for pages, too
from streamlab.kernels import NotCompiled, kernel_files, only_cached
from streamlab.learners import LEARNERS
from streamlab.streams import load

logger = logging.getLogger("streamlab")

RUN, NESTED_RUN = (f"{__name__}:{name}" for name in ("run_kernels", "nested_run_kernels"))
"""The parts of a run itself, what counts, watches and keeps: labels side by side, or in a hierarchy."""
STREAM = f"{__name__}:stream_kernels "
"""Before a catalogue's name: what makes that stream's rows."""
GENERATED = ("syn-regions", "syn-branches", "syn-tree-sudden", "syn-rbf-gradual", "syn-hp-incremental")
"""Streams whose rows are made by kernels, one of each kind."""
ROWS = 240
SECONDS = {RUN: 4.5, NESTED_RUN: 5.0}
"""About how long these take to be compiled, s of a processor, as ``streamlab warm`` says."""
STREAM_SECONDS, OTHERS_SECONDS = 4.0, 10.0
"""The same of a stream, and of what is not a registered learner; learners give their own, ``compile_seconds``."""
LOAD_SECONDS, FOUND_SECONDS = 0.5, 3.0
"""To load a part that is compiled; and what a process takes at most that starts and finds a part in the cache."""


# ---------------------------------------------------------------------- parts that are not learners


def run_kernels(source: str = "") -> None:
    """Use all kernels of a run, its measures, alarms and marks, on some rows."""
    from streamlab.lab.run import Run
    from streamlab.learners import NoChange

    rng = np.random.default_rng(1)
    rows = (rng.random((ROWS, 2)), (rng.random((ROWS, 3)) > 0.5).astype(np.uint8))
    run = Run(load(source or rows), {"no-change": NoChange()}, alarms="label", snapshots=0)
    run.advance(ROWS)
    run.detection()


def nested_run_kernels() -> None:
    """Use all kernels of a run whose labels have a hierarchy."""
    run_kernels("segments")


def stream_kernels(name: str) -> None:
    """Use the kernels that make the rows of a stream of the catalogue."""
    for _ in load(name).chunks(ROWS, stop=ROWS):
        pass


# ---------------------------------------------------------------------- what has to be compiled


class Part(NamedTuple):
    """Something that is compiled as a whole.

    Parameters
    ----------
    title
        What it is, for people.
    name
        What ``compiling.order`` takes; "": another process does not find it.
    prepare
        Loads its kernels, or compiles them.
    seconds
        About how long it takes to be compiled, s of a processor.
    files
        Those with its kernels.
    """

    title: str
    name: str
    prepare: Callable[[], None]
    seconds: float
    files: frozenset[str] = frozenset()

    @property
    def key(self) -> Any:
        """What is the same of the same part."""
        return self.name or self.prepare

    def order(self, urgent: bool = True) -> Order | None:
        """Have another process compile it; None if it cannot."""
        return order(self.name, self.files, self.seconds, urgent) if self.name else None


def part_of(kind: type, title: str = "") -> Part:
    """Return the part of a class of learners or transformers, by its registered name unless it has a title.

    One that was typed at a prompt, or made in a function, is found by no other process.
    """
    name = kind.__qualname__
    is_found = kind.__module__ != "__main__" and "<" not in name
    files: set[str] = set()
    with suppress(TypeError, OSError):  # it was typed at a prompt
        files = set(kernel_files(inspect.getfile(kind)))
    # those of the base are in all learners: they keep nothing apart
    own = frozenset(path for path in files if Path(path).parent.name not in ("base", "detectors"))
    return Part(
        title or name, f"{kind.__module__}:{name}" if is_found else "", prepare_of(kind) or kind.prepare,  # type: ignore[attr-defined]
        float(getattr(kind, "compile_seconds", OTHERS_SECONDS)), own,
    )  # fmt: skip


def parts_of_kind(kind: type, title: str = "") -> list[Part]:
    """Return the part of a class, and those that are compiled beside it."""
    apart = getattr(kind, "compiled_apart", {})
    own = part_of(kind, title)
    return [own, *(Part(f"{own.title}, beside", name, partial(compile_part, name), apart[name]) for name in apart)]


def parts_of(learner: Any) -> list[Part]:
    """Return the parts of a learner: its class, or of one made of others its own and theirs, the longest first."""
    inner = [part for each in getattr(learner, "parts", ()) for part in parts_of(each)]
    own = parts_of_kind(type(learner)) if not inner or hasattr(type(learner), "prepare_own") else []
    return sorted({part.key: part for part in [*own, *inner]}.values(), key=lambda each: -each.seconds)


def part_of_run(nested: bool = False) -> Part:
    """Return what any run needs; ``nested``: whether its labels have a hierarchy."""
    name, prepare = (NESTED_RUN, nested_run_kernels) if nested else (RUN, run_kernels)
    return Part("measures and alarms" if not nested else "measures of hierarchies", name, prepare, SECONDS[name])


def part_of_stream(name: str) -> Part:
    """Return what makes the rows of a stream of the catalogue."""
    return Part(f"stream {name}", STREAM + name, partial(stream_kernels, name), STREAM_SECONDS)


# ---------------------------------------------------------------------- beside what is running


class Preparation:
    """A part that is made ready for this process: compiled by another, then loaded here.

    Calls for the same part, from any page, share one (``prepare``).

    Attributes
    ----------
    part
        The part.
    future
        Done when it is ready; its result is why it cannot be, or None.
    """

    def __init__(self, part: Part, urgent: bool = True) -> None:
        self.part = part
        self.future: Future[Exception | None] = Future()
        self._order = part.order(urgent)
        threading.Thread(target=self._carry_out, name="streamlab preparing", daemon=True).start()

    @property
    def done(self) -> bool:
        """Whether it is ready, or cannot be."""
        return self.future.done()

    @property
    def began(self) -> bool:
        """Whether it is being compiled, rather than waiting for its turn."""
        return self._order is None or self._order.began is not None

    @property
    def spent(self) -> float:
        """Seconds of a processor that it has taken, at most ``seconds``."""
        return min(0.0 if self._order is None else self._order.spent, self.seconds)

    @property
    def seconds(self) -> float:
        """About how many seconds of a processor it takes in all, by those that this process has seen compiled."""
        return LOAD_SECONDS + self.part.seconds * _pace.factor

    @property
    def speed(self) -> float:
        """Seconds of a processor that it has a second by the clock: below 1 where others use the machine too."""
        passed = 0.0 if self._order is None or self._order.began is None else time.monotonic() - self._order.began
        return min(max(self.spent / passed, 0.1), 1.0) if passed > 1.0 else 1.0

    def _carry_out(self) -> None:
        if self._order is not None:
            self._order.future.result()
            logger.info("%s was compiled in %.1f s of a processor", self.part.title, self._order.spent)
            _pace.note(self._order.spent, self.part.seconds)
        error: Exception | None = None
        try:
            try:
                with only_cached():
                    self.part.prepare()
            except NotCompiled:
                # there is no folder to keep kernels in, or the part is of this process alone
                self.part.prepare()
        except Exception as reason:
            # who uses the learner hears what is wrong with it
            error = reason
            logger.exception("%s cannot be prepared", self.part.title)
        with _lock:
            _ready.add(self.part.key)
            _under_way.pop(self.part.key, None)
        self.future.set_result(error)


class _Pace:
    """How many seconds of a processor pass while one is expected: on another machine, or with another compiler."""

    def __init__(self) -> None:
        self._spent = self._expected = 0.0

    @property
    def factor(self) -> float:
        return min(max(self._spent / self._expected, 0.3), 10.0) if self._expected else 1.0

    def note(self, spent: float, expected: float) -> None:
        # the newest counts for half
        self._spent, self._expected = self._spent / 2 + spent, self._expected / 2 + expected


_pace = _Pace()
_ready: set[Any] = set()
_under_way: dict[Any, Preparation] = {}
_lock = threading.Lock()
_others_ordered = threading.Event()


def prepare(part: Part) -> Preparation | None:
    """Return what makes a part ready, which begins in the background; None if it is ready.

    What is in the cache on disk is loaded at once.
    """
    key = part.key
    with _lock:
        if key in _ready:
            return None
        known = _under_way.get(key)
    if known is not None:
        part.order()  # somebody waits for it now
        return known
    try:
        with only_cached():
            part.prepare()
    except NotCompiled:
        pass
    except Exception:  # what is wrong with it is heard where it is used
        logger.debug("%s cannot be prepared", part.title, exc_info=True)
        return None
    else:
        with _lock:
            _ready.add(key)
        return None
    with _lock:
        if key not in _under_way and key not in _ready:
            _under_way[key] = Preparation(part)
        return _under_way.get(key)


def seconds_left(some: Sequence[Preparation]) -> float:
    """Return about how many seconds by the clock it takes until all of these are ready."""
    left = [(each.seconds - each.spent) / each.speed for each in some if not each.done]
    return max([sum(left) / cores(), *left], default=0.0)


def all_parts(names: Sequence[str] = ()) -> list[Part]:
    """Return what can be compiled on its own, what takes longest first.

    Parameters
    ----------
    names
        Learners; empty: all of them, and what measures, watches, generates and reads. Then a learner of another
        package that cannot be imported is left out, with a warning.

    Raises
    ------
    ValueError
        If a learner is unknown; near names are suggested.
    """
    kinds = [(name, LEARNERS.load(name)) for name in names] or LEARNERS.items()
    # a pipeline prepares its own steps
    parts = [part for name, kind in kinds if prepare_of(kind) is not None for part in parts_of_kind(kind, name)]
    if not names:
        parts += [part_of_run(), part_of_run(nested=True), *map(part_of_stream, GENERATED)]
    return sorted({part.key: part for part in parts}.values(), key=lambda each: -each.seconds)


def compile_ahead(some: Iterable[Order | None] = ()) -> None:
    """Compile everything in the background, once, for pages that may be opened next; nothing is loaded here.

    Parameters
    ----------
    some
        Orders that come first: if they find their kernels in the cache, so will the others, and nothing more is done.
    """
    first = [each for each in some if each is not None]

    def others() -> None:
        spent = [each.spent for each in first if each.future.result() is None]
        if (first and max(spent, default=0.0) < FOUND_SECONDS) or _others_ordered.is_set():
            return
        _others_ordered.set()
        for part in all_parts():
            part.order(urgent=False)

    threading.Thread(target=others, name="streamlab kernels asked", daemon=True).start()


# ---------------------------------------------------------------------- ahead of time

OWN = "streamlab"


class Warmed(NamedTuple):
    """A part that is ready."""

    part: str
    processor_seconds: float
    seconds: float
    """By the clock."""


def warm(names: Sequence[str] = ()) -> Iterator[Warmed]:
    """Compile part by part, or load from the cache on disk what was compiled before.

    Parameters
    ----------
    names
        As in ``all_parts``.

    Yields
    ------
    part : str
        What is ready.
    processor_seconds, seconds : float
        How long it took, beside others: seconds of a processor, and by the clock.

    Raises
    ------
    Exception
        Whatever a learner raises that is named, or is of this package. One of another package that cannot be prepared
        is passed over, with a warning.

    Examples
    --------
    >>> [each.part for each in warm(["NoChange"])]
    ['NoChange']
    """
    parts = all_parts(names)
    orders = [(part, part.order()) for part in parts]
    for part, ordered in orders:
        if ordered is None:
            yield _here(part)
    by_future = {ordered.future: (part, ordered) for part, ordered in orders if ordered is not None}
    for done in as_completed(by_future):
        part, ordered = by_future[done]
        if done.result() is None:
            yield Warmed(part.title, ordered.spent, time.monotonic() - (ordered.began or 0.0))
            continue
        try:
            yield _here(part)
        except Exception as error:
            package = LEARNERS.package(part.title) if part.title in LEARNERS else OWN
            if names or package == OWN:
                raise
            whose = f"the package {package}" if package else "this session"
            logger.warning(
                "the learner %r of %s cannot be prepared: %s: %s", part.title, whose, type(error).__name__, error
            )
            yield Warmed(part.title, 0.0, 0.0)


def _here(part: Part) -> Warmed:
    """Compile a part in this process: no other finds it, or the other failed."""
    processor, clock = time.thread_time(), time.monotonic()
    part.prepare()
    return Warmed(part.title, time.thread_time() - processor, time.monotonic() - clock)
