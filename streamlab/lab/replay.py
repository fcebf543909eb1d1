"""Do a run again from its beginning: that of an archive, to compare the two; or one without the drifts put in.

What a drift cost is measured against the run that would have been without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from streamlab._checks import under
from streamlab.lab.absent import AbsentLearner, AbsentStream
from streamlab.lab.archive import Archive, naming
from streamlab.lab.events import DRIFT, Event, EventLog
from streamlab.lab.ownership import owned
from streamlab.lab.recipe import comparable
from streamlab.lab.run import Run
from streamlab.lab.snapshots import Snapshot
from streamlab.learners.base.state import class_of
from streamlab.streams import Stream
from streamlab.streams.wrapped import WrappedStream

__all__ = ["without_drifts"]

CLOCKS = ("seconds", "n_bytes")
"""Entries of a learner in a run that tell of the machine."""
ANSWERS = ("scores", "labels")
ROWS = 100
"""Rows that two learners are asked, where they are compared."""


@dataclass(frozen=True)
class Difference:
    """Where a replay is not what was saved.

    Parameters
    ----------
    position
        Instances after which it is first seen.
    learner
        Whose; "" for what belongs to none.
    what
        What differs, in words.
    """

    position: int
    learner: str
    what: str

    def __str__(self) -> str:
        whose = f"{self.learner}: " if self.learner else ""
        return f"after {self.position:,} instances: {whose}{self.what}"


@dataclass(frozen=True)
class Replay:
    """What came of a replay.

    Parameters
    ----------
    position
        Instances up to which the run was done again.
    compared
        At how many instants it was compared.
    difference
        The first one; None: there is none.
    unable
        Why it could not be done again to the end, "" if it could.
    """

    position: int
    compared: int
    difference: Difference | None
    unable: str = ""

    @property
    def is_identical(self) -> bool:
        """Whether the whole of it is what was saved."""
        return self.difference is None and not self.unable


def replay(path: str | Path, stream: Any = None, *, learners: Mapping[str, Any] | None = None) -> Replay:
    """Do the present branch of an archive's run again, from the beginning, and compare it bit for bit.

    It is compared where the archive has a snapshot, and where it was saved: events, counts, curves, statistics of the
    labels, labels that are waiting, and what each learner answers on rows of the stream.

    Parameters
    ----------
    path, stream, learners
        As ``Run.open`` takes them.

    Raises
    ------
    ValueError
        As ``Run.open``, and if there are no data.
    """
    path = Path(path)
    with naming(path):
        archive = Archive(path)
        found, _ = archive.stream(stream, completes=bool(learners))
        if isinstance(found, AbsentStream):
            raise ValueError("a replay needs the data, and fresh learners for those that the archive does not hold")
        learners_at_start = archive.learners(learners, found)
        run = Run(
            found, learners_at_start, **archive.settings | {"snapshots": 0}, detectors=archive.detectors.completed()
        )
        present = archive.present
        assert present is not None, "of one's own archive"
    instants = [each for each in archive.snapshots if each.is_on(archive.current.path)]
    instants = [each for each in instants if (each.position, len(each.path)) < _place(present)]
    compared = 0
    for instant in [*sorted(instants, key=_place), present]:
        try:
            machine = run._machine
            new = instant.path[len(machine.path) :]
            machine.go_the_way_of(new, instant.position, instant.entries.get("finished") is True)
        except ValueError as error:
            return Replay(run.position, compared, None, str(error))
        difference = _difference(run, instant)
        compared += 1
        if difference is not None:
            return Replay(run.position, compared, difference)
    return Replay(run.position, compared, None)


def _place(snapshot: Snapshot) -> tuple[int, int]:
    return snapshot.position, len(snapshot.path)


def _difference(run: Run, instant: Snapshot) -> Difference | None:
    """Return the first difference between a run and the instant of the archive where it stands."""
    position, was, now = run.position, instant.state(), run._lockstep.state()
    if was["position"] != position or was["learners"] != now["learners"]:
        return Difference(position, "", f"learners are {now['learners']} at {position}; saved: {was['learners']}")
    log = EventLog()
    log.rewind(instant.mark)
    # their order at a position, and so their numbers, may depend on how the way there was cut
    for saved, again in zip_longest(sorted(log, key=_event_key), sorted(run.log, key=_event_key)):
        if saved is None or again is None or _event_key(saved) != _event_key(again):
            shown = min((each for each in (saved, again) if each is not None), key=_event_key)
            return Difference(shown.position, shown.learner, f"the event {shown.kind!r} ({shown.message})")
    for name in sorted(was.keys() | now.keys()):
        first, _, rest = name.partition(".")
        place, _, part = rest.partition(".")
        whose = was["learners"][int(place)] if first == "learner" else ""
        if whose and (part in CLOCKS or part.startswith(("model.", "tracker.chunk", "object"))):
            continue
        if not _same(was.get(name), now.get(name)):
            return Difference(position, whose, f"{part or name} is another")
    rows = _rows(run)
    for number, (name, learner_run) in enumerate(run.learner_runs.items()):
        own = under(was, f"learner.{number}.model.")
        if own and rows is not None and own["learner"] != AbsentLearner.__name__:
            saved_answers = class_of(own["learner"]).from_state(own).answer_many(rows)
            for what, one, other in zip(ANSWERS, saved_answers, learner_run.learner.answer_many(rows), strict=True):
                if not _same(one, other):
                    return Difference(position, name, f"it answers other {what}")
    return None


def _rows(run: Run) -> Any:
    """Return rows of the stream: the next ones, or at its end the last."""
    at = run.position
    for start, stop in ((at, at + ROWS), (max(0, at - ROWS), at)):
        chunk = next(run.stream.chunks(ROWS, start=start, stop=stop), None)
        if chunk is not None:
            return chunk.X
    return None


def _event_key(event: Event) -> tuple[Any, ...]:
    # texts of numbers are exact, and nan is nan
    return event.position, event.learner, event.kind, event.message, repr(event.detail)


def _same(first: Any, second: Any) -> bool:
    one, other = comparable(first), comparable(second)
    return type(first) is type(second) and (one == other or repr(one) == repr(other))


# ---------------------------------------------------------------------- without the drifts


@owned
def without_drifts(run: Run) -> Run | None:
    """Return a run of the same learners over the same rows without the drifts that were put in, as far as it has come.

    All else that was done to the run is done to it too: what was tuned, forked, removed. It takes about the time that
    the run took.

    Parameters
    ----------
    run
        The run; it stays where it is.

    Returns
    -------
    Run or None
        None where no drift was put in (into the stream with ``rotate_labels`` and its like, or by ``Run.put_drift``),
        or where the stream without them has other rows, or the run's beginning is not there to begin from.

    Examples
    --------
    >>> import streamlab as sl
    >>> run = sl.Run("yeast-rotated", {"SMART": sl.SMART(seed=1, n_trees=3)})
    >>> run.advance(1600)
    1600
    >>> twin = without_drifts(run)
    >>> twin.stream.name, twin.position, len(twin.stream.drifts)
    ('yeast', 1600, 0)
    >>> run.detection(twin=twin)["behind"].round().tolist()
    [58.0]
    """
    machine = run._machine
    first = next(iter(machine.store), None)
    if first is None or first.position or first.stream.is_live or not run.has_data:
        return None
    state, stream = first.state(), _below(first.stream)
    path = [action for action in machine.path[: machine.done] if action.kind != DRIFT]
    if stream is first.stream and len(path) == machine.done:
        return None
    known = {name: each.learner for (name, _), each in reversed(run._learners._ever.items())}
    given = asdict(run._learners.settings) | {"snapshots": 0}
    twin = Run(stream, {name: known[name].clone() for name in state["learners"]}, **given)
    twin._machine.begin()
    twin._lockstep.set_state(state, stream)
    twin._machine.go_the_way_of(path, run.position, run.finished)
    return twin


def _below(stream: Stream) -> Stream:
    """Return a stream without the drifts that were put in last, as long as its rows stay the same ones."""
    while isinstance(stream, WrappedStream):
        below = stream.stream
        has_own = set(stream.drifts) - set(below.drifts)
        same = below.n_rows == stream.n_rows and below.schema.labels == stream.schema.labels
        if not has_own or not same or below.schema.n_features != stream.schema.n_features:
            break
        stream = below
    return stream
