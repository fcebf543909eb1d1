"""A run as the members of an archive."""

from __future__ import annotations

import json
import pickle
import platform
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import to_builtins
from msgspec.structs import replace

from streamlab.lab.absent import AbsentLearner, AbsentStream
from streamlab.lab.archive_file import MOST_VALUES, write_archive
from streamlab.lab.archive_values import Packer, plain_text
from streamlab.lab.events import JOIN, Action, EventMark
from streamlab.lab.fingerprint import Fingerprint
from streamlab.lab.history import History
from streamlab.lab.learners import Learners, Settings
from streamlab.lab.recipe import (
    BranchLog,
    RunRecipe,
    StreamRecipe,
    action_to_json,
    describe_detectors,
    first_recipes,
    kind_of,
)
from streamlab.lab.snapshots import Snapshot
from streamlab.lab.time_machine import Branch, TimeMachine
from streamlab.lab.view_log import ViewEntry
from streamlab.measures import MEASURES
from streamlab.streams import Stream


@dataclass(frozen=True)
class Collected:
    """What there is to write of a run, which may go on meanwhile: nothing in it changes.

    Parameters
    ----------
    first
        The stream with which the run began.
    end
        Instances that have passed on any branch.
    parts
        The members that are JSON, except for the fingerprint.
    packer
        The arrays.
    histories
        The learners' curves, with the measures that are drawn of them.
    """

    first: Stream
    end: int
    parts: dict[str, Any]
    packer: Packer
    histories: dict[str, tuple[History, list[str]]]


def collected(machine: TimeMachine) -> Collected:
    """Return what there is to write of the run of a time machine, which stands still meanwhile.

    Raises
    ------
    ValueError
        If its beginning could not be kept, so that it cannot go back, or more was done than an archive may have.
    """
    course, learners = machine.course, machine.lockstep.learners
    learners.check_namesakes()
    machine.begin()
    machine.keep_end()
    kept = list(machine.store)
    if not kept:
        raise ValueError(f"the run cannot be saved: {machine.unable or 'its beginning was not kept'}")
    first = kept[0].stream
    if sum(len(branch.path) for branch in machine.branches) > MOST_VALUES:
        raise ValueError(f"the run cannot be saved: its branches have more than {MOST_VALUES:,} actions")
    writer = _Writer(machine)
    end = max(course.position, *(branch.end for branch in machine.branches))
    recipe = RunRecipe(
        _versions(),
        writer.settings(learners),
        StreamRecipe(
            first.name,
            course.n_rows,
            first.is_sparse,
            first.schema.to_json(),
            None if first.recipe is None else dict(first.recipe),
            dict(first.fingerprint) if isinstance(first, AbsentStream) else {},
        ),
        writer.learners(kept[0]),
        writer.deeds,
        [writer.branch(each) for each in machine.branches],
        machine.current.number,
        course.position,
    )
    cache = writer.cache(kept)
    parts = {
        "run.json": to_builtins(recipe),
        "snapshots.json": cache,
        "events.json": writer.marks,
        "views.json": writer.views,
    }
    histories = {
        name: (deepcopy(each.history), [m for m in each.tracker.measures if MEASURES[m].has_curve])
        for name, each in learners.runs.items()
    }
    return Collected(first, end, parts, writer.packer, histories)


def written(path: Path, found: Collected, known: Fingerprint | None) -> Fingerprint:
    """Write an archive and return the fingerprint of its stream; that of an earlier one saves reading rows again."""
    fingerprint = known if known is not None and known.stream is found.first else Fingerprint(found.first)
    write_archive(path, _members(found, fingerprint))
    return fingerprint


def _members(found: Collected, fingerprint: Fingerprint) -> Iterator[tuple[str, bytes]]:
    """Yield the members of an archive by name; ``fingerprint`` belongs to the first stream."""
    stream = found.parts["run.json"]["stream"]
    if not stream["fingerprint"]:
        stream["fingerprint"] = fingerprint.of(found.end)
    for name, value in found.parts.items():
        yield name, plain_text(value)
    yield "arrays.json", plain_text(found.packer.arrays())
    for place, part in enumerate(found.packer.parts()):
        yield f"blocks/{place}.safetensors", part
    yield "curves.safetensors", _curves(found.histories)


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in ("streamlab", "numpy", "numba", "river"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a source tree that was never installed
            found[name] = "unknown"
    return found


POSITIONS = ("positions",)


def _curves(histories: Mapping[str, tuple[History, list[str]]]) -> bytes:
    """Return the curves as a safetensors file, by over, measure and learner; and the positions of their points."""
    from safetensors.numpy import save

    found = {
        (over, measure, name): values
        for over in ("chunk", "cumulative", "faded")
        for name, (history, measures) in histories.items()
        for measure, values in history.curves(measures, over).items()
    }
    history, _ = next(iter(histories.values()))
    return save(
        {json.dumps(key): np.ascontiguousarray(each) for key, each in [(POSITIONS, history.positions), *found.items()]}
    )


class _Writer:
    """Writes what branches and snapshots share once."""

    def __init__(self, machine: TimeMachine) -> None:
        self.machine = machine
        self.packer = Packer()
        self.deeds: list[Any] = []
        self.marks: list[Any] = []
        self.views: list[Any] = []
        self._streams: list[Any] = []
        self._names: list[list[str]] = []
        self._numbers: dict[Any, int] = {}
        """By identity of what is written once, or by its names: its number."""
        self._recipes: dict[str, Any] = {}

    def _once(self, thing: object, into: list[Any], describe: Callable[[], Any]) -> int:
        """Return the number of something in a list, to which it is added the first time."""
        if id(thing) not in self._numbers:
            found = describe()
            self._numbers[id(thing)] = len(into)
            into.append(found)
        return self._numbers[id(thing)]

    def settings(self, learners: Learners) -> Settings:
        detectors = self.packer.pack(describe_detectors(learners.settings.detectors))
        return replace(learners.settings, measures=learners.measures or (), detectors=detectors)

    def learners(self, first: Snapshot) -> dict[str, Any]:
        """Return how the learners are made with which the run began."""
        self._recipes |= first_recipes(self.machine.lockstep.learners, first.state())
        return {name: self.packer.pack(recipe) for name, recipe in self._recipes.items()}

    def branch(self, branch: Branch) -> BranchLog:
        numbers = [self._once(action, self.deeds, partial(self._deed, action)) for action in branch.path]
        before = [] if branch.parent is None else self.machine.branches[branch.parent].path
        n = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(before, branch.path, strict=False)))
        return BranchLog(branch.parent, branch.left_at, n, numbers[n:], branch.end, branch.finished)

    def _deed(self, action: Action) -> dict[str, Any]:
        deed = action_to_json(action)
        if action.kind == JOIN:
            self._recipes[deed["name"]] = deed["learner"]
        return self.packer.pack(deed)

    def cache(self, kept: list[Snapshot]) -> dict[str, Any]:
        """Return what makes it quick to have the run again: snapshots, events and what pictures showed."""
        machine = self.machine
        is_whole = machine.course.is_between_chunks and machine.lockstep.broken is None
        ends = [machine.store.end_of(branch.number) for branch in machine.branches]
        return {
            "snapshots": [self._snapshot(each) for each in kept],
            "present": self._snapshot(machine.taken()),
            "is_whole": is_whole,
            "ends": [None if end is None else kept.index(end) for end in ends],
            "views": [
                {"entries": [self._view(each) for each in branch.views.entries], "spacing": branch.views.spacing}
                for branch in machine.branches
            ],
            "streams": self._streams,
            "names": self._names,
        }

    def _snapshot(self, snapshot: Snapshot) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        for name, value in snapshot.entries.items():
            if is_object(name):
                owner = name.removesuffix("object")
                called = snapshot.entries["learners"][int(name.split(".")[1])]
                entries |= {f"{owner}model.{key}": each for key, each in self._absent(called, value).items()}
            else:
                entries[name] = value
        values = [self.packer.pack(each) for each in entries.values()]
        names = tuple(entries)
        if names not in self._numbers:
            self._numbers[names] = len(self._names)
            self._names.append(list(names))
        branch = next(each.number for each in self.machine.branches if each.path is snapshot.path.branch)
        drifts = [[drift.start, drift.width, drift.kind] for drift in snapshot.stream.drifts]
        return {
            "position": snapshot.position,
            "branch": branch,
            "done": snapshot.path.n,
            "stream": self._once(snapshot.stream, self._streams, lambda: drifts),
            "mark": self._mark(snapshot.mark),
            "seconds": snapshot.seconds,
            "names": self._numbers[names],
            "values": values,
        }

    def _absent(self, name: str, pickled: bytes) -> dict[str, Any]:
        """Return the state of what stands for a learner without a flat state; ``pickled`` by this process."""
        absent = AbsentLearner(kind_of(pickle.loads(pickled)), self._recipes.get(name, {}))
        return absent.bind(self.machine.course.schema).state()

    def _mark(self, mark: EventMark) -> int:
        new = list(takewhile(lambda at: id(at) not in self._numbers, mark.chain()))
        for each in reversed(new):
            events = [[e.position, e.learner, e.kind, e.message, self._detail(e.detail), e.number] for e in each.events]
            before = None if each.before is None else self._numbers[id(each.before)]
            entry = [before, each.next_number, events]
            self._numbers[id(each)] = len(self.marks)
            self.marks.append(entry)
        return self._numbers[id(mark)]

    def _detail(self, detail: Mapping[str, Any]) -> Any:
        try:
            return self.packer.pack(detail)
        except ValueError:  # a learner of another package may tell anything
            return {str(key): str(value)[:200] for key, value in detail.items()}

    def _view(self, entry: ViewEntry) -> int:
        return self._once(entry, self.views, lambda: [entry.position, entry.n_bytes, self._readings(entry.readings)])

    def _readings(self, readings: Mapping[str, Any]) -> dict[str, Any]:
        """Return what pictures showed; one of another package may show what no archive can hold."""
        packed = {}
        for name, reading in readings.items():
            with suppress(ValueError):
                packed[name] = self.packer.pack(reading)
        return packed


def is_object(name: str) -> bool:
    """Return whether an entry of a snapshot is a Python object, pickled: no archive has one."""
    return name == "object" or name.endswith(".object")
