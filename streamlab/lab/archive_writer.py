"""A run as the members of an archive."""

from __future__ import annotations

import pickle
import platform
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from streamlab.lab.absent import AbsentLearner, AbsentStream, LostDrift
from streamlab.lab.actions import Action, Done
from streamlab.lab.archive_file import MOST_VALUES, write_archive
from streamlab.lab.archive_values import Packer, plain_text
from streamlab.lab.described_detectors import describe_detectors
from streamlab.lab.events import EventMark
from streamlab.lab.fingerprint import Fingerprint
from streamlab.lab.history import History
from streamlab.lab.learners import Learners
from streamlab.lab.snapshots import Snapshot
from streamlab.lab.time_machine import Branch, TimeMachine
from streamlab.lab.view_log import ViewEntry
from streamlab.measures import MEASURES
from streamlab.streams import DriftRecipe, Stream


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
    snapshots = [writer.snapshot(each) for each in kept]
    present = writer.snapshot(machine.taken())
    branches = [writer.branch(each, machine.store._ends) for each in machine.branches]
    views = writer.views()
    told = {
        "versions": _versions(),
        "settings": _settings(learners),
        "stream": {
            "name": first.name,
            "n_rows": course.n_rows,
            "is_sparse": first.is_sparse,
            "schema": first.schema.to_json(),
            "recipe": None if first.recipe is None else writer.packer.pack(first.recipe),
            "fingerprint": dict(first.fingerprint) if isinstance(first, AbsentStream) else None,
        },
        "streams": writer.streams,
        "actions": writer.actions,
        "branches": branches,
        "current": machine.current.number,
        "present": present,
        "is_whole": course.is_between_chunks and machine.lockstep.broken is None,
    }
    parts = {
        "run.json": told,
        "events.json": writer.marks,
        "snapshots.json": {"names": writer.names, "snapshots": snapshots},
        "views.json": views,
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
    if stream["fingerprint"] is None:
        stream["fingerprint"] = fingerprint.of(found.end)
    for name, value in found.parts.items():
        yield name, plain_text(value)
    yield "arrays.json", plain_text(found.packer.arrays())
    for place, part in enumerate(found.packer.parts()):
        yield f"blocks/{place}.safetensors", part
    yield "curves.parquet", _curves(found.histories)


def _settings(learners: Learners) -> dict[str, Any]:
    settings = learners.settings
    told = {each.name: _plain(getattr(settings, each.name)) for each in fields(settings) if each.name != "detectors"}
    if settings.detectors:
        told["detectors"] = describe_detectors(settings.detectors)
    return told | {"measures": None if learners.measures is None else list(learners.measures)}


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in ("streamlab", "numpy", "numba", "river"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a source tree that was never installed
            found[name] = "unknown"
    return found


def _curves(histories: Mapping[str, tuple[History, list[str]]]) -> bytes:
    """Return the curves as a Parquet file: position, learner, a column for each measure, and over what."""
    import pandas as pd

    tables = [
        pd.DataFrame({"position": history.positions, "learner": name, **history.curves(measures, over), "over": over})
        for over in ("chunk", "cumulative", "faded")
        for name, (history, measures) in histories.items()
    ]
    written = BytesIO()
    pd.concat(tables, ignore_index=True).to_parquet(written, index=False)
    return written.getvalue()


class _Writer:
    """Writes what branches and snapshots share once."""

    def __init__(self, machine: TimeMachine) -> None:
        self.machine = machine
        self.packer = Packer()
        self.actions: list[dict[str, Any]] = []
        self._actions: dict[int, int] = {}
        self.streams: list[dict[str, Any]] = []
        self._streams: dict[int, int] = {}
        self.marks: list[dict[str, Any]] = []
        self._marks: dict[int, int] = {}
        self.names: list[list[str]] = []
        self._names: dict[tuple[str, ...], int] = {}
        self._entries: list[ViewEntry] = []
        self._views: dict[int, int] = {}
        for branch in machine.branches:
            for action in branch.path:
                self.action(action)

    def action(self, action: Action) -> int:
        if id(action) not in self._actions:
            self._actions[id(action)] = len(self.actions)
            detail = {key: self._detail(key, value) for key, value in action.detail.items()}
            after_end = {"after_end": True} if action.is_after_end else {}
            self.actions.append({"position": action.position, "kind": action.kind, "detail": detail, **after_end})
        return self._actions[id(action)]

    def _detail(self, key: str, value: Any) -> Any:
        if key == "change":
            if isinstance(value, DriftRecipe):
                return {"drift": value.name, "parameters": self.packer.pack(dict(value.parameters))}
            lost = value.name if isinstance(value, LostDrift) else getattr(value, "__name__", type(value).__name__)
            return {"lost": str(lost)[:200]}
        if key == "learner" and not isinstance(value, str):
            try:
                return {"state": self.packer.pack(value.state())}
            except ValueError:
                return {"lost": _kind_of(value)}
        return self.packer.pack(value)

    def stream(self, stream: Stream) -> int:
        if id(stream) not in self._streams:
            self._streams[id(stream)] = len(self.streams)
            drifts = [[drift.start, drift.width, drift.kind] for drift in stream.drifts]
            self.streams.append({"name": stream.name, "drifts": drifts})
        return self._streams[id(stream)]

    def mark(self, mark: EventMark) -> int:
        new = list(takewhile(lambda at: id(at) not in self._marks, mark.chain()))
        for each in reversed(new):
            events = [[e.position, e.learner, e.kind, e.message, self._told(e.detail), e.number] for e in each.events]
            before = None if each.before is None else self._marks[id(each.before)]
            self._marks[id(each)] = len(self.marks)
            self.marks.append({"before": before, "next": each.next_number, "events": events})
        return self._marks[id(mark)]

    def snapshot(self, snapshot: Snapshot) -> dict[str, Any]:
        lost: dict[str, str] = {}
        entries: dict[str, Any] = {}
        for name, value in snapshot.entries.items():
            if is_object(name):
                learner = pickle.loads(value)  # pickled by this process
                lost[name.split(".")[1]] = _kind_of(learner)
            else:
                entries[name] = self.packer.pack(value)
        names = tuple(entries)
        if names not in self._names:
            self._names[names] = len(self.names)
            self.names.append(list(names))
        return {
            "position": snapshot.position,
            "path": self._path_of(snapshot.path),
            "stream": self.stream(snapshot.stream),
            "mark": self.mark(snapshot.mark),
            "seconds": snapshot.seconds,
            "names": self._names[names],
            "values": list(entries.values()),
            "lost": lost,
        }

    def branch(self, branch: Branch, ends: Mapping[int, Snapshot]) -> dict[str, Any]:
        for entry in branch.views.entries:
            if id(entry) not in self._views:
                self._views[id(entry)] = len(self._entries)
                self._entries.append(entry)
        end = ends.get(branch.number)
        kept = list(self.machine.store)
        return {
            "parent": branch.parent,
            "left_at": branch.left_at,
            "path": self._path_of(Done(branch.path, len(branch.path)), branch.number),
            "end": branch.end,
            "finished": branch.finished,
            "end_snapshot": None if end is None else kept.index(end),
            "views": [self._views[id(entry)] for entry in branch.views.entries],
            "spacing": branch.views.spacing,
        }

    def _path_of(self, path: Done, branch: int | None = None) -> dict[str, Any]:
        """Return what was done as the beginning of a branch's path, and what came then.

        A list at each of many snapshots would grow with the square of what was done. ``branch``: the number of the
        branch whose path it is, which is told by that of its parent.
        """
        branches = self.machine.branches
        if branch is None:
            number = next((each.number for each in branches if each.path is path.branch), 0)
        else:
            number = branches[branch].parent or 0
        begun = [] if number == branch else branches[number].path
        n = path.n if begun is path.branch else sum(1 for _ in takewhile(_is_one, zip(begun, path, strict=False)))
        return {"branch": number, "n": n, "then": [self._actions[id(action)] for action in path[n:]]}

    def _told(self, detail: Mapping[str, Any]) -> Any:
        try:
            return self.packer.pack(detail)
        except ValueError:  # a learner of another package may tell anything
            return {str(key): str(value)[:200] for key, value in detail.items()}

    def views(self) -> list[Any]:
        return [[entry.position, entry.n_bytes, self._readings(entry.readings)] for entry in self._entries]

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


def _is_one(pair: tuple[Action, Action]) -> bool:
    return pair[0] is pair[1]


def _kind_of(learner: Any) -> str:
    """Return the name of a learner that an archive cannot hold."""
    if isinstance(learner, AbsentLearner):
        return learner.kind
    inner = getattr(learner, "classifier", None)
    return f"{type(learner).__name__} of {type(inner).__name__}" if inner is not None else type(learner).__name__
