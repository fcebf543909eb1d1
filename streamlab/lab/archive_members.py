"""A run as the members of an archive."""

from __future__ import annotations

import pickle
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from typing import Any

from streamlab.lab.absent import AbsentLearner, AbsentStream, LostDrift
from streamlab.lab.actions import Action
from streamlab.lab.events import EventMark
from streamlab.lab.fingerprint import Fingerprint
from streamlab.lab.packing import Packer, plain_text
from streamlab.lab.run_state import run_state
from streamlab.lab.snapshots import Snapshot
from streamlab.lab.time_machine import Branch
from streamlab.lab.view_log import ViewEntry
from streamlab.streams import DriftRecipe, Stream

__all__ = ["is_object", "members_of"]


def members_of(run: Any, fingerprint: Fingerprint | None) -> Iterator[tuple[str, bytes]]:
    """Yield the members of a run's archive by name.

    Parameters
    ----------
    run
        The run, which stands still meanwhile.
    fingerprint
        Of the stream that it began with; None for one that is absent.

    Raises
    ------
    ValueError
        If its beginning could not be kept, so that it cannot go back.
    """
    machine = run._machine
    machine.begin()
    machine.keep_end()
    kept = list(machine.store)
    if not kept:
        raise ValueError(f"the run cannot be saved: {machine._unable or 'its beginning was not kept'}")
    first = kept[0].stream
    writer = _Writer(run)
    end = max(run.position, *(branch.end for branch in machine.branches))
    snapshots = [writer.snapshot(each) for each in kept]
    present = writer.snapshot(
        Snapshot(
            run.position,
            tuple(machine.path[: machine.done]),
            run.stream,
            machine.store.packed(run_state(run)),
            run.log.mark(),
            machine.seconds,
        )
    )
    branches = [writer.branch(each, machine.store._ends) for each in machine.branches]
    views = writer.views()
    told = {
        "versions": _versions(),
        "settings": _settings(run),
        "stream": {
            "name": first.name,
            "n_rows": run._n_rows,
            "is_sparse": first.is_sparse,
            "schema": first.schema.to_json(),
            "recipe": None if first.recipe is None else writer.packer.pack(first.recipe),
            "fingerprint": dict(first.fingerprint) if isinstance(first, AbsentStream) else _of(fingerprint, end),
        },
        "streams": writer.streams,
        "actions": writer.actions,
        "branches": branches,
        "current": machine.current.number,
        "present": present,
        "is_whole": bool(machine._between_chunks and run._broken is None),
    }
    curves = BytesIO()
    _curves(run).to_parquet(curves, index=False)
    yield "run.json", plain_text(told)
    yield "events.json", plain_text(writer.marks)
    yield "snapshots.json", plain_text({"names": writer.names, "snapshots": snapshots})
    yield "views.json", plain_text(views)
    yield "arrays.json", plain_text(writer.packer.arrays())
    for place, part in enumerate(writer.packer.parts()):
        yield f"blocks/{place}.safetensors", part
    yield "curves.parquet", curves.getvalue()


def _of(fingerprint: Fingerprint | None, rows: int) -> dict[str, Any]:
    assert fingerprint is not None, "a stream that is there has one"
    return fingerprint.of(rows)


def _settings(run: Any) -> dict[str, Any]:
    return {
        "chunk": run.chunk,
        "measures": None if run._measures is None else list(run._measures),
        "fading": run._fading,
        "zero_division": run.zero_division,
        "history": run._history_limit,
        "alarms": run._alarms,
        "alarm_delta": run._alarm_delta,
        "snapshots": run._machine.store.budget,
    }


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in ("streamlab", "numpy", "numba", "river"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a source tree that was never installed
            found[name] = "unknown"
    return found


def _curves(run: Any) -> Any:
    import pandas as pd

    return pd.concat([run.curves(over).assign(over=over) for over in ("chunk", "cumulative", "faded")])


class _Writer:
    """Writes what branches and snapshots share once."""

    def __init__(self, run: Any) -> None:
        self.run = run
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
        for branch in run._machine.branches:
            for action in branch.path:
                self.action(action)

    def action(self, action: Action) -> int:
        if id(action) not in self._actions:
            self._actions[id(action)] = len(self.actions)
            detail = {key: self._detail(key, value) for key, value in action.detail.items()}
            self.actions.append({"position": action.position, "kind": action.kind, "detail": detail})
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
        new = []
        at: EventMark | None = mark
        while at is not None and id(at) not in self._marks:
            new.append(at)
            at = at.before
        for each in reversed(new):
            events = [
                [e.position, e.learner, e.kind, e.message, self.packer.pack(e.detail), e.number] for e in each.events
            ]
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
            "path": [self._actions[id(action)] for action in snapshot.path],
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
        kept = list(self.run._machine.store)
        return {
            "parent": branch.parent,
            "left_at": branch.left_at,
            "path": [self._actions[id(action)] for action in branch.path],
            "end": branch.end,
            "finished": branch.finished,
            "end_snapshot": None if end is None else kept.index(end),
            "views": [self._views[id(entry)] for entry in branch.views.entries],
            "spacing": branch.views.spacing,
        }

    def views(self) -> list[Any]:
        return [[entry.position, entry.n_bytes, self.packer.pack(entry.readings)] for entry in self._entries]


def is_object(name: str) -> bool:
    """Return whether an entry of a snapshot is a Python object, pickled: no archive has one."""
    return name == "object" or name.endswith(".object")


def _kind_of(learner: Any) -> str:
    """Return what a learner that cannot be held is called."""
    if isinstance(learner, AbsentLearner):
        return learner.kind
    inner = getattr(learner, "classifier", None)
    return f"{type(learner).__name__} of {type(inner).__name__}" if inner is not None else type(learner).__name__
