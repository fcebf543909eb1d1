"""An archive of a run: opened as it stood, from its snapshots; where it is foreign, replayed from its recipe alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, convert
from msgspec.structs import asdict

from streamlab._checks import checked_count, one_line, shown
from streamlab.lab.absent import AbsentLearner, AbsentStream, LostDrift
from streamlab.lab.archive_file import MOST_BYTES, MOST_VALUES, Members
from streamlab.lab.archive_values import Unpacker
from streamlab.lab.archive_writer import is_object
from streamlab.lab.events import DRIFT, JOIN, Action, Done, Event, EventMark
from streamlab.lab.fingerprint import Fingerprint
from streamlab.lab.learners import named_learners
from streamlab.lab.recipe import (
    STATE,
    BranchLog,
    Count,
    DescribedDetectors,
    FilePart,
    Joined,
    RunRecipe,
    Table,
    Text,
    made_action,
    make_learner,
)
from streamlab.lab.snapshots import Snapshot, SnapshotStore
from streamlab.lab.time_machine import Branch, TimeMachine
from streamlab.lab.view_log import ViewEntry, ViewLog
from streamlab.measures import MEASURES
from streamlab.schema import Schema
from streamlab.streams import Drift, Stream, from_recipe, load

Progress = Callable[[int, int], object]
"""Called between two chunks with the rows so far and those in all; what it raises ends the replay."""


# ---------------------------------------------------------------------- what stands beside the recipe

Seconds = Annotated[float, Meta(ge=0)]
EventTold = tuple[Count, Text, Text, Text, Any, Count]
"""Position, learner, kind, message, packed numbers, place in the log."""
CachedMark = tuple[Count | None, Count, list[EventTold]]
"""The number of the mark before, the number of the next event, the events between."""
CachedView = tuple[Count, Count, Table]
"""Position, about how many bytes, packed readings."""


class CachedSnapshot(FilePart):
    """A snapshot: the first ``done`` deeds of a branch were done; the other numbers are places in lists."""

    position: Count
    branch: Count
    done: Count
    stream: Count
    mark: Count
    seconds: Seconds
    names: Count
    values: list[Any]


class CachedViews(FilePart):
    """What pictures showed on a branch: places in the list of all views."""

    entries: list[Count]
    spacing: Annotated[int, Meta(ge=1)]


class Cache(FilePart):
    """``ends`` has the number of the snapshot where a branch ends, and ``views`` what was seen on it, by branch."""

    snapshots: Annotated[list[CachedSnapshot], Meta(min_length=1)]
    present: CachedSnapshot
    is_whole: bool
    ends: list[Count | None]
    views: list[CachedViews]
    streams: list[list[tuple[Count, Count, Text]]]
    names: list[list[Text]]


# ---------------------------------------------------------------------- opened


class Archive:
    """What an archive holds, checked: the run's recipe, and unless it is foreign the snapshots, events and views.

    Parameters
    ----------
    path
        The file.
    most_bytes
        Bytes that it may have unpacked.
    is_foreign
        Whether it comes from elsewhere: then nothing but the recipe is read.

    Raises
    ------
    ValueError
        If it is not an archive, was damaged or altered, or contradicts itself; the message does not name the file.

    Attributes
    ----------
    recipe
        How the run is made, and what was done.
    settings
        What the run was made with, as ``Run`` takes it, except for detectors.
    detectors
        River's drift detectors of the run.
    branches, current, actions
        Of the time machine.
    snapshots
        In the order in which they were taken; the first is the run's beginning. None of a foreign one.
    present
        The run when it was saved; ``is_whole`` says whether it can go on from there. None of a foreign one.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES, *, is_foreign: bool = False) -> None:
        self.path, self.is_foreign = path, is_foreign
        with Members(path, most_bytes) as members:
            content = members.json("run.json")
            cache = None if is_foreign else [members.json(f"{name}.json") for name in ("snapshots", "events", "views")]
            blocks = [] if is_foreign else members.json("arrays.json")
            self._unpacker = Unpacker(blocks, iter(()) if is_foreign else members.blocks())
        self.recipe = recipe = convert(content, RunRecipe)
        self.settings = {name: value for name, value in asdict(recipe.settings).items() if name != "detectors"}
        _check_registered(recipe.settings.measures or ())
        self.detectors = DescribedDetectors(self._unpacker.unpack(recipe.settings.detectors))
        self.schema = Schema.from_json(recipe.stream.schema)
        self.rows = checked_count("the rows of the fingerprint", recipe.stream.fingerprint.get("rows"), 0, 10**15)
        self.actions = [self._action(each) for each in recipe.deeds]
        self._first_learners = {name: self._learner(name, each) for name, each in recipe.learners.items()}
        self.branches: list[Branch] = []
        self._n_done = 0
        for each in recipe.branches:
            self.branches.append(self._branch(each))
        self.current = self.branches[recipe.current]
        if recipe.position > self.current.end:
            raise ValueError("the run's position is outside its branch")
        self.snapshots: list[Snapshot] = []
        self.present: Snapshot | None = None
        self.is_whole = False
        self._ends: dict[Snapshot, int] = {}
        if cache is not None:
            self._read_cache(*cache)

    # ------------------------------------------------------------------ what was done

    def _learner(self, name: str, recipe: Any) -> Any:
        # a foreign state is refused, and its arrays not looked for
        known = recipe if self.is_foreign and STATE in recipe else self._unpacker.unpack(recipe)
        return make_learner(known, name, is_foreign=self.is_foreign)

    def _action(self, deed: Any) -> Action:
        if hasattr(deed, "parameters"):
            deed.parameters = self._unpacker.unpack(deed.parameters)
        if deed.after_end and self.recipe.stream.n_rows not in (None, deed.position):
            raise ValueError(f"something was done at {deed.position:,}, after the stream's end")
        learner = self._learner(deed.name, deed.learner) if isinstance(deed, Joined) else None
        return made_action(deed, learner, is_foreign=self.is_foreign)

    def _branch(self, log: BranchLog) -> Branch:
        place = len(self.branches)
        parent = None if log.parent is None else checked_count("a branch's parent", log.parent, 0, place - 1)
        before = [] if parent is None else self.branches[parent].path[: log.begins]
        path = before + [self.actions[each] for each in log.then]
        self._n_done += len(path)
        if self._n_done > MOST_VALUES:
            raise ValueError(f"its branches have more than {MOST_VALUES:,} actions")
        if any(a.position > b.position for a, b in pairwise(path)):
            raise ValueError("what was done is not in the order of its positions")
        if log.end > self.rows or (path and path[-1].position > log.end):
            raise ValueError("a branch goes on behind the rows that it has passed")
        return Branch(place, parent, log.left_at, path, log.end, log.finished)

    # ------------------------------------------------------------------ what makes it quick to have the run again

    def _read_cache(self, cache: Any, events: Any, views: Any) -> None:
        cached = convert(cache, Cache)
        marks: list[EventMark] = []
        for each in convert(events, list[CachedMark]):
            before, number, happened = each
            made = [
                Event(at, who, kind, text, self._unpacker.unpack(more), n) for at, who, kind, text, more, n in happened
            ]
            marks.append(EventMark(None if before is None else marks[before], tuple(made), number))
        entries = [
            ViewEntry(position, self._unpacker.unpack(readings), n_bytes)
            for position, n_bytes, readings in convert(views, list[CachedView])
        ]
        for branch, seen in zip(self.branches, cached.views, strict=True):
            branch.views = ViewLog()
            branch.views.spacing, branch.views.entries = seen.spacing, [entries[each] for each in seen.entries]
            branch.views.n_bytes = sum(entry.n_bytes for entry in branch.views.entries)
        streams = [tuple(Drift(*each) for each in drifts) for drifts in cached.streams]
        read = [self._snapshot(each, cached, streams, marks) for each in [*cached.snapshots, cached.present]]
        *self.snapshots, self.present = read
        self.is_whole = cached.is_whole
        self._ends = {self.snapshots[end]: place for place, end in enumerate(cached.ends) if end is not None}
        if self.snapshots[0].position or self.snapshots[0].path:
            raise ValueError("its first snapshot is not of the run's beginning")

    def _snapshot(
        self, entry: CachedSnapshot, cache: Cache, streams: Sequence[tuple[Drift, ...]], marks: Sequence[EventMark]
    ) -> Snapshot:
        names, path = cache.names[entry.names], self.branches[entry.branch].path
        if any(map(is_object, names)):
            raise ValueError("a snapshot has an object of Python's, which no archive holds")
        entries = self._unpacker.entries(names, entry.values)
        done, stream = Done(path, min(entry.done, len(path))), self._absent(streams[entry.stream])
        return Snapshot(entry.position, done, stream, entries, marks[entry.mark], entry.seconds, str(self.path))

    def _absent(self, drifts: tuple[Drift, ...]) -> AbsentStream:
        recipe = self.recipe.stream
        why = f"{self.path} was opened to look back, without the rows of {recipe.name!r}: give Run.open(stream=)"
        return AbsentStream(recipe, self.schema, drifts, why)

    # ------------------------------------------------------------------ a run of it

    def settings_with(self, snapshots: int | None) -> dict[str, Any]:
        """Return what the run was made with, with another budget of snapshots, if one is given."""
        return self.settings if snapshots is None else self.settings | {"snapshots": snapshots}

    @property
    def holds_all(self) -> bool:
        """Whether it says of every learner and every detector how it is made."""
        learners = (*self._first_learners.values(), *(action.detail.get("learner") for action in self.actions))
        return self.detectors.are_all_made and not any(isinstance(each, AbsentLearner) for each in learners)

    def learners(self, given: Mapping[str, Any] | None, stream: Stream) -> dict[str, Any]:
        """Return the learners with which the run began, and put those given into the actions with which others joined.

        Parameters
        ----------
        given
            Fresh learners by name, for those of which the archive does not say how they are made.
        stream
            The run's stream; where it is absent, what is not given stays absent.

        Raises
        ------
        ValueError
            If one is not known and not given, though the run is to go on; or is given that is known.
        """
        given, found = dict(given or {}), dict(self._first_learners)
        joined = {a.detail["name"]: a for a in self.actions if a.kind == JOIN}
        lost = {name: each for name, each in found.items() if isinstance(each, AbsentLearner)}
        lost |= {n: a.detail["learner"] for n, a in joined.items() if isinstance(a.detail["learner"], AbsentLearner)}
        for name in given:
            if name not in lost:
                raise ValueError(f"learners={name!r}: the archive holds this learner, or the run had no such learner")
        missing = [name for name in lost if name not in given]
        if missing and not isinstance(stream, AbsentStream):
            listed = ", ".join(f"{name!r} ({lost[name].kind})" for name in missing)
            raise ValueError(f"the archive does not hold {listed}: give fresh ones, learners={{name: ...}}")
        for name, learner in given.items():
            if name in found:
                found[name] = learner
            if name in joined and isinstance(joined[name].detail["learner"], AbsentLearner):
                joined[name].detail["learner"] = named_learners({name: learner}, stream.schema)[name]  # type: ignore[index]
        return found

    def fill(self, machine: TimeMachine, stream: Stream, progress: Progress = lambda rows, of: None) -> None:
        """Let a run that was made with ``settings`` and ``learners``, whose time machine this is, be the one saved.

        Raises
        ------
        ValueError
            If its state cannot be had.
        """
        is_there = not isinstance(stream, AbsentStream)
        for branch in self.branches:
            branch.views.budget = machine.current.views.budget
        machine.branches, machine.current = self.branches, self.current
        kept = [each for each in self.snapshots if not (is_there and _has_absent(each))]
        streams: dict[tuple[int, ...], Stream | None] = {(): stream}
        if kept and kept[0] is self.snapshots[0]:
            machine.begin_with(SnapshotStore(machine.store.budget))
        elif is_there:
            machine.begin()
        for snapshot in kept:
            there = _with_stream(snapshot, streams) if is_there else snapshot
            machine.store.add(there, self.current.path, end_of=self._ends.get(snapshot))
        present = self.present
        if present is not None and (not is_there or (self.is_whole and not _has_absent(present))):
            machine.stand_at(_with_stream(present, streams) if is_there else present)
        else:
            # to the end first: what was done behind the run's position can be done, too
            position, course = self.recipe.position, machine.course
            end = self.current.end if self.is_foreign else position
            machine.seek(end, interrupted=lambda: bool(progress(course.position, end)) and False)
            machine.seek(position)
            if present is not None and machine.done != len(present.path):
                raise ValueError("the run cannot be had as it stood")

    def stream(
        self, given: Any = None, *, completes: bool = False, look_back: bool = False, progress: Progress | None = None
    ) -> tuple[Stream, Fingerprint | None]:
        """Return the run's stream, checked, with its fingerprint; one that is absent without the data.

        Parameters
        ----------
        given
            The stream, what ``load`` takes, or a function that makes it of its recipe; None: as the recipe says.
        completes
            Whether learners or detectors are given that the archive does not hold.
        look_back
            Whether the data are not wanted.
        progress
            Called as its rows are compared.

        Raises
        ------
        ValueError
            If it is not the stream of the run; of a foreign archive also if it is not there.
        """
        recipe, absent = self.recipe.stream, (self._absent(()), None)
        if look_back:
            return absent
        if given is not None:
            stream = given if isinstance(given, Stream) else given(recipe.recipe) if callable(given) else load(given)
        else:
            try:
                stream = from_recipe(recipe.recipe)
            except (ValueError, OSError) as error:
                if self.is_foreign:
                    raise ValueError(f"the rows of the run are needed, and are not here: {one_line(error)}") from None
                return absent
            if not completes and not self.holds_all:
                return absent
        if stream.schema.to_json() != recipe.schema:
            difference = self.schema.difference(stream.schema) or "their hierarchies differ"
            raise ValueError(f"the run was on another stream than {stream.name!r}: {difference}")
        rows = self.rows
        if not stream.has_rows(0, rows):
            raise ValueError(f"the run was on another stream, or {stream.name!r} has not come to its {rows:,} rows yet")
        fingerprint = Fingerprint(stream)
        heard = None if progress is None else lambda: progress(0, self.current.end)
        other = fingerprint.difference(recipe.fingerprint, heard)
        if other:
            raise ValueError(f"the run was on another stream: of its first {rows:,} rows {stream.name!r} has {other}")
        return stream, fingerprint


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Turn whatever an archive leads to into a ValueError of one line that names the file."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        message = one_line(error).removeprefix(f"{path}: ").removeprefix(f"{path} ")
        if not isinstance(error, ValueError):
            # what no check has foreseen, as in a learner of another package
            message = f"it cannot be read ({type(error).__name__}: {message})"
        raise ValueError(f"{path}: {message}") from None


def _with_stream(snapshot: Snapshot, streams: dict[tuple[int, ...], Stream | None]) -> Snapshot:
    """Return a snapshot with the rows there: ``streams`` are those made by the drifts put in, None where one is lost.

    One whose stream is lost stays without, and says of which drift.
    """
    key: tuple[int, ...] = ()
    for action in (each for each in snapshot.path if each.kind == DRIFT):
        change, at = action.detail["change"], action.detail["at"]
        before, key = streams[key], (*key, id(action))
        if before is not None and isinstance(change, LostDrift):
            snapshot.stream.why = change.why  # type: ignore[attr-defined]
        if key not in streams:
            streams[key] = None if before is None or isinstance(change, LostDrift) else change(before, at)
    found = streams[key]
    return snapshot if found is None else replace(snapshot, stream=found)


def _has_absent(snapshot: Snapshot) -> bool:
    """Whether a learner of a snapshot has no state, as River's objects."""
    places = range(len(snapshot.entries["learners"]))
    return any(snapshot.entries.get(f"learner.{n}.model.learner") == AbsentLearner.__name__ for n in places)


def _check_registered(measures: Sequence[str]) -> None:
    """Raise a ValueError that says what to do unless all are registered."""
    for name in measures:
        if name not in MEASURES:
            raise ValueError(
                f"unknown measure {shown(name)}: install the package that registers it, or call "
                f"streamlab.measures.MEASURES.add(...) with the measure first"
            )
