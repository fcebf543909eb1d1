"""What an archive holds, and a run of it: bit for bit the one that was saved."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from streamlab._checks import checked_flag, checked_number, one_line, shown
from streamlab.lab.absent import AbsentLearner, AbsentStream, LostDrift
from streamlab.lab.actions import COMPLETE, DRIFT, FORK, JOIN, MARK, REMOVE, STEP, TUNE, Action, Done
from streamlab.lab.archive_file import MOST_BYTES, MOST_VALUES, Members
from streamlab.lab.archive_values import Unpacker
from streamlab.lab.archive_writer import is_object
from streamlab.lab.checks import dictionary, items, number, text, under
from streamlab.lab.described_detectors import DescribedDetectors
from streamlab.lab.events import Event, EventMark
from streamlab.lab.fingerprint import Fingerprint
from streamlab.lab.learners import named_learners
from streamlab.lab.snapshots import Snapshot, SnapshotStore
from streamlab.lab.time_machine import Branch, TimeMachine
from streamlab.lab.view_log import ViewEntry, ViewLog
from streamlab.learners.base.state import class_of
from streamlab.measures import MEASURES
from streamlab.schema import Schema
from streamlab.streams import Drift, DriftRecipe, Stream, from_recipe, load

SETTINGS = ("chunk", "measures", "fading", "zero_division", "history", "alarms", "alarm_delta", "snapshots")
MOST_CHUNK = 10**7
MOST_HISTORY = 10**6


class Archive:
    """What an archive holds, read whole and checked.

    Parameters
    ----------
    path
        The file.
    most_bytes
        Bytes that it may have unpacked.

    Raises
    ------
    ValueError
        If it is not an archive, was damaged or altered, or contradicts itself; the message does not name the file.

    Attributes
    ----------
    settings
        What the run was made with, as ``Run`` takes it.
    branches, current, actions
        Of the time machine.
    snapshots
        In the order in which they were taken; the first is the run's beginning.
    present
        The run when it was saved; ``is_whole`` says whether it can go on from there.
    lost
        By the place of a snapshot (-1: the present), the names of learners that it does not hold, with their kinds.
    detectors
        River's drift detectors of the run.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self.path = path
        with Members(path, most_bytes) as members:
            told = members.json("run.json")
            events, snapshots, views = (members.json(f"{name}.json") for name in ("events", "snapshots", "views"))
            self._unpacker = Unpacker(members.json("arrays.json"), members.blocks())
            members.read("curves.parquet")  # for other programs; here the counts tell more
        dictionary("run.json", told, "versions", "settings", "stream", "streams", "actions", "branches", "current",
                   "present", "is_whole")  # fmt: skip
        self.versions = dictionary("versions", told["versions"])
        self.settings = _read_settings(told["settings"])
        self.detectors = DescribedDetectors(told["settings"].get("detectors", {}))
        self._read_stream(told["stream"])
        self._drifts = [_read_drifts(each) for each in items("streams", told["streams"])]
        self.actions = [self._action(each) for each in items("actions", told["actions"])]
        branches = items("branches", told["branches"])
        self._paths: list[list[Action]] = []
        self._n_done = 0
        for each in branches:
            self._paths.append(self._path(dictionary("a branch", each, "path")["path"]))
        self._marks = self._read_marks(events)
        self.lost: dict[int, dict[str, str]] = {}
        names = dictionary("snapshots.json", snapshots, "names", "snapshots")
        self._names = [
            [text("an entry's name", each, 300) for each in items("names", some)]
            for some in items("names", names["names"])
        ]
        taken = items("snapshots", names["snapshots"])
        if not taken:
            raise ValueError("it has no snapshot of the run's beginning")
        self.snapshots = [self._snapshot(place, each) for place, each in enumerate(taken)]
        self.present = self._snapshot(-1, told["present"])
        if self.settings["measures"] is None:
            # a file of before that named none: those that were the default where it was written
            counted = self.snapshots[0].entries.get("learner.0.tracker.measures")
            self.settings["measures"] = _read_measures(counted)
        _check_registered(self.settings["measures"])
        self.is_whole = checked_flag("is_whole", told["is_whole"])
        if self.snapshots[0].position or self.snapshots[0].path:
            raise ValueError("its first snapshot is not of the run's beginning")
        self._entries = [self._view(each) for each in items("views", views)]
        self.ends: dict[int, int] = {}
        self.branches = [self._branch(place, each) for place, each in enumerate(branches)]
        self.current = self.branches[number("the current branch", told["current"], 0, len(branches) - 1)]
        if self.present.position > self.current.end or not self.present.path.begins(self.current.path):
            raise ValueError("the run's position is outside its branch")

    # ------------------------------------------------------------------ parts

    def _read_stream(self, told: Any) -> None:
        dictionary("the stream", told, "name", "n_rows", "is_sparse", "schema", "recipe", "fingerprint")
        self.stream_name = text("the stream's name", told["name"])
        self.n_rows = None if told["n_rows"] is None else number("the stream's length", told["n_rows"])
        self.is_sparse = told["is_sparse"] is True
        self.schema = Schema.from_json(text("the schema", told["schema"], 2**26))
        self.recipe = (
            None if told["recipe"] is None else dictionary("the recipe", self._unpacker.unpack(told["recipe"]))
        )
        self.fingerprint = dictionary("the fingerprint", told["fingerprint"], "schema", "rows")
        number("the rows of the fingerprint", self.fingerprint["rows"])

    def _action(self, told: Any) -> Action:
        dictionary("an action", told, "position", "kind", "detail")
        kind, given = told["kind"], dictionary("an action", told["detail"])
        position = number("an action's position", told["position"])
        detail: dict[str, Any] = {}
        for key in {TUNE: ("learner", "parameters"), FORK: ("learner", "name", "train_on", "parameters"),
                    JOIN: ("name", "learner", "train_on"), REMOVE: ("name",), DRIFT: ("change", "at"),
                    COMPLETE: (), MARK: (), STEP: ("rows",),
                    }.get(text("an action's kind", kind, 20), (None,)):  # fmt: skip
            if key is None or key not in given:
                raise ValueError(f"an action {shown(kind)} lacks {key!r}")
            value = given[key]
            if key == "change":
                detail[key] = self._change(value, position)
            elif key == "learner" and kind == JOIN:
                detail[key] = self._learner(value)
            elif key == "parameters":
                detail[key] = dictionary("parameters", self._unpacker.unpack(value))
            elif key == "rows":
                detail[key] = number(key, value, 1, self.settings["chunk"])
            elif key == "at" or (key == "train_on" and value is not None):
                detail[key] = number(key, value)
            elif key == "train_on" and kind == FORK:
                detail[key] = None
            else:
                detail[key] = text(key, value)
        is_after_end = told.get("after_end", False)
        if not isinstance(is_after_end, bool) or (is_after_end and self.n_rows not in (None, position)):
            raise ValueError(f"an action at {position:,} is after the stream's end")
        return Action(position, kind, detail, is_after_end)

    def _change(self, told: Any, position: int) -> Any:
        if "lost" in dictionary("a drift", told):
            return LostDrift(text("a function's name", told["lost"], 200), position)
        parameters = dictionary("a drift's parameters", self._unpacker.unpack(told.get("parameters")))
        return DriftRecipe(text("a drift's name", told.get("drift"), 100), **parameters)

    def _learner(self, told: Any) -> Any:
        if "lost" in dictionary("a learner", told):
            return AbsentLearner(text("a learner's class", told["lost"], 200))
        state = dictionary("a learner's state", self._unpacker.unpack(told.get("state")), "learner")
        return class_of(state["learner"]).from_state(state)

    def _read_marks(self, told: Any) -> list[EventMark]:
        marks: list[EventMark] = []
        for each in items("events.json", told):
            dictionary("a part of the log", each, "before", "next", "events")
            place = each["before"]
            before = None if place is None else marks[number("a part of the log", place, 0, len(marks) - 1)]
            events = tuple(self._event(one) for one in items("events", each["events"]))
            marks.append(EventMark(before, events, number("the next event", each["next"])))
        return marks

    def _event(self, told: Any) -> Event:
        position, learner, kind, message, detail, place = items("an event", told, 6)
        return Event(
            number("an event's position", position),
            text("an event's learner", learner),
            text("an event's kind", kind),
            text("an event's message", message),
            dictionary("an event's detail", self._unpacker.unpack(detail)),
            number("an event's number", place),
        )

    def _snapshot(self, place: int, told: Any) -> Snapshot:
        dictionary("a snapshot", told, "position", "path", "stream", "mark", "seconds", "names", "values", "lost")
        names = self._names[number("a snapshot's names", told["names"], 0, len(self._names) - 1)]
        if any(map(is_object, names)):
            raise ValueError("a snapshot has an object of Python's, which no archive holds")
        entries = self._unpacker.entries(names, told["values"])
        position = number("a snapshot's position", told["position"])
        learners = items("a snapshot's learners", entries.get("learners"))
        if not learners or len(set(map(str, learners))) < len(learners):
            raise ValueError("a snapshot has no learners, or one learner twice")
        if entries.get("position") != position:
            raise ValueError("a snapshot's position is not that of its values")
        lost = {}
        for key, kind in dictionary("lost", told["lost"]).items():
            learner = number("a lost learner", int(key) if key.isascii() and key.isdigit() and len(key) < 5 else -1, 0,
                             len(learners) - 1)  # fmt: skip
            lost[text("a learner's name", learners[learner])] = text("a learner's class", kind, 200)
            # of this process, and of nothing but a name
            entries[f"learner.{learner}.object"] = pickle.dumps(AbsentLearner(kind).bind(self.schema))
        if lost:
            self.lost[place] = lost
        seconds = checked_number("a snapshot's seconds", told["seconds"])
        path = self._done(told["path"])
        drifts = self._drifts[number("a snapshot's stream", told["stream"], 0, len(self._drifts) - 1)]
        mark = self._marks[number("a snapshot's events", told["mark"], 0, len(self._marks) - 1)]
        return Snapshot(position, path, self._absent(drifts), entries, mark, seconds, str(self.path))

    def _done(self, told: Any) -> Done:
        """Return what had been done by an instant: the beginning of a branch's path."""
        begun, n, then = self._begun(told)
        if not then:
            return Done(begun, n)
        path = self._path(told)
        return Done(path, len(path))

    def _path(self, told: Any) -> list[Action]:
        begun, n, then = self._begun(told)
        self._n_done += n + len(then)
        if self._n_done > MOST_VALUES:
            raise ValueError(f"its paths have more than {MOST_VALUES:,} actions")
        last = len(self.actions) - 1
        path = begun[:n] + [self.actions[number("an action", each, 0, last)] for each in then]
        if any(a.position > b.position for a, b in pairwise(path)):
            raise ValueError("what was done is not in the order of its positions")
        return path

    def _begun(self, told: Any) -> tuple[list[Action], int, list[Any]]:
        """Return the path of a branch that a path begins with, up to where, and what comes then."""
        dictionary("a path", told, "branch", "n", "then")
        # the first branch has none before it
        last = max(len(self._paths) - 1, 0)
        place = number("the branch of a path", told["branch"], 0, last)
        begun = self._paths[place] if self._paths else []
        return begun, number("the beginning of a path", told["n"], 0, len(begun)), items("a path", told["then"])

    def _absent(self, drifts: tuple[Drift, ...]) -> AbsentStream:
        return AbsentStream(
            self.stream_name,
            self.schema,
            self.n_rows,
            self.is_sparse,
            drifts,
            self.recipe,
            f"{self.path} was opened to look back, without the rows of {self.stream_name!r}: give Run.open(stream=)",
            self.fingerprint,
        )

    def _view(self, told: Any) -> ViewEntry:
        position, n_bytes, readings = items("a view", told, 3)
        readings = dictionary("a view", self._unpacker.unpack(readings))
        return ViewEntry(number("a view's position", position), readings, number("a view's bytes", n_bytes))

    def _branch(self, place: int, told: Any) -> Branch:
        dictionary("a branch", told, "parent", "left_at", "path", "end", "finished", "views", "spacing", "end_snapshot")
        parent = None if told["parent"] is None else number("a branch's parent", told["parent"], 0, place - 1)
        checked_flag("finished", told["finished"])
        views = ViewLog()
        views.spacing = number("the spacing of views", told["spacing"], 1)
        last = len(self._entries) - 1
        views.entries = [self._entries[number("a view", each, 0, last)] for each in items("views", told["views"])]
        if any(a.position >= b.position for a, b in pairwise(views.entries)):
            raise ValueError("views are not in the order of their positions")
        views.n_bytes = sum(entry.n_bytes for entry in views.entries)
        if told["end_snapshot"] is not None:
            self.ends[place] = number("the end of a branch", told["end_snapshot"], 0, len(self.snapshots) - 1)
        path, end = self._paths[place], number("the end of a branch", told["end"])
        if end > self.fingerprint["rows"] or any(action.position > end for action in path):
            raise ValueError("a branch goes on behind the rows that it has passed")
        return Branch(place, parent, number("left_at", told["left_at"]), path, end, told["finished"], views)

    # ------------------------------------------------------------------ a run of it

    @property
    def holds_all(self) -> bool:
        """Whether it holds every learner with which the run began, and that joined it, and every detector."""
        joined = [action.detail["learner"] for action in self.actions if action.kind == JOIN]
        is_lost = any(isinstance(learner, AbsentLearner) for learner in joined)
        return 0 not in self.lost and not is_lost and self.detectors.are_all_made

    def learners(self, given: Mapping[str, Any] | None, stream: Stream) -> dict[str, Any]:
        """Return the learners with which the run began, and put those given into the actions with which others joined.

        Parameters
        ----------
        given
            Fresh learners by name, for those that the archive does not hold.
        stream
            The run's stream; where it is absent, what is not given stays absent.

        Raises
        ------
        ValueError
            If one is neither held nor given, though the run is to go on; or is given that is held.
        """
        given = dict(given or {})
        first, lost = self.snapshots[0], self.lost.get(0, {})
        found: dict[str, Any] = {}
        missing: list[str] = []
        state = first.state()
        for place, name in enumerate(state["learners"]):
            if name in lost:
                found[name] = given[name] if name in given else AbsentLearner(lost[name])
                missing += [name] if name not in given else []
                continue
            own = under(state, f"learner.{place}.model.")
            found[name] = class_of(own.get("learner")).from_state(own)
        joined = {a.detail["name"]: a for a in self.actions if a.kind == JOIN}
        absent = {name: a for name, a in joined.items() if isinstance(a.detail["learner"], AbsentLearner)}
        missing += [name for name in absent if name not in given]
        for name in given:
            if name not in lost and name not in absent:
                raise ValueError(f"learners={name!r}: the archive holds this learner, or the run had no such learner")
        if missing and not isinstance(stream, AbsentStream):
            kinds = lost | {name: a.detail["learner"].kind for name, a in absent.items()}
            said = ", ".join(f"{name!r} ({kinds[name]})" for name in missing)
            raise ValueError(f"the archive does not hold {said}: give fresh ones, learners={{name: ...}}")
        for name, action in absent.items():
            if name in given:
                action.detail["learner"] = named_learners({name: given[name]})[name]  # type: ignore[index]
        return found

    def fill(self, machine: TimeMachine, stream: Stream) -> None:
        """Let a run that was made with ``settings`` and ``learners``, whose time machine this is, be the one saved.

        Raises
        ------
        ValueError
            If its state cannot be had.
        """
        is_there = not isinstance(stream, AbsentStream)
        if is_there:
            machine.begin()
        store, kept = machine.store, self.snapshots
        usable = {place for place in range(len(kept)) if not (is_there and place in self.lost)}
        if is_there:
            streams = _Streams(stream)
            kept = [self._with_stream(each, streams) for each in kept]
        if 0 in usable:
            store = machine.store = SnapshotStore(store.budget)
            machine._began = True
        ends = {snapshot: branch for branch, snapshot in self.ends.items()}
        machine.branches, machine.current = self.branches, self.current
        for place, snapshot in enumerate(kept):
            if place in usable:
                store.add(snapshot, self.current.path, end_of=ends.get(place))
        if not is_there or (self.is_whole and -1 not in self.lost):
            present = self._with_stream(self.present, streams) if is_there else self.present
            machine.stand_at(present)
        else:
            machine.seek(self.present.position)
            if machine.done != len(self.present.path):
                raise ValueError("the run cannot be had as it stood")

    def _with_stream(self, snapshot: Snapshot, streams: _Streams) -> Snapshot:
        stream = streams.after(snapshot.path)
        if stream is None:
            stream = snapshot.stream
            drift = next(a.detail["change"] for a in snapshot.path if _is_lost(a))
            stream.why = drift.why  # type: ignore[attr-defined]
        return replace(snapshot, stream=stream)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn whatever an archive leads to into a ValueError of one line that names the file."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        said = one_line(error).removeprefix(f"{path}: ").removeprefix(f"{path} ")
        if not isinstance(error, ValueError):
            # what no check has foreseen, as in a learner of another package
            said = f"it cannot be read ({type(error).__name__}: {said})"
        raise ValueError(f"{path}: {said}") from None


def stream_of(
    archive: Archive, given: Any, given_learners: bool, look_back: bool = False
) -> tuple[Stream, Fingerprint | None]:
    """Return the stream of an archive, checked, with its fingerprint; one that is absent without the data."""
    absent = archive.snapshots[0].stream
    if look_back:
        return absent, None
    if given is not None:
        stream = given if isinstance(given, Stream) else load(given)
    else:
        try:
            stream = from_recipe(archive.recipe)
        except (ValueError, OSError):
            return absent, None
        if not given_learners and not archive.holds_all:
            return absent, None
    if stream.schema.to_json() != archive.schema.to_json():
        difference = archive.schema.difference(stream.schema) or "their hierarchies differ"
        raise ValueError(f"the run was on another stream than {stream.name!r}: {difference}")
    rows = archive.fingerprint["rows"]
    if not stream.has_rows(0, rows):
        raise ValueError(f"the run was on another stream, or {stream.name!r} has not come to its {rows:,} rows yet")
    fingerprint = Fingerprint(stream)
    other = fingerprint.difference(archive.fingerprint)
    if other:
        raise ValueError(f"the run was on another stream: of its first {rows:,} rows {stream.name!r} has {other}")
    return stream, fingerprint


class _Streams:
    """The streams of a run: that of its beginning, with the drifts that were put in."""

    def __init__(self, first: Stream) -> None:
        self._made: dict[tuple[int, ...], Stream | None] = {(): first}

    def after(self, path: Sequence[Action]) -> Stream | None:
        """Return the stream after what was done; None where a drift is lost."""
        drifts = [action for action in path if action.kind == DRIFT]
        key: tuple[int, ...] = ()
        for action in drifts:
            before, key = self._made[key], (*key, id(action))
            if key not in self._made:
                lost = before is None or _is_lost(action)
                self._made[key] = None if lost else action.detail["change"](before, action.detail["at"])
        return self._made[key]


def _is_lost(action: Action) -> bool:
    return action.kind == DRIFT and isinstance(action.detail["change"], LostDrift)


def _read_settings(told: Any) -> dict[str, Any]:
    dictionary("settings", told, *SETTINGS)
    settings = {name: told[name] for name in SETTINGS}
    number("chunk", settings["chunk"], 1, MOST_CHUNK)
    number("history", settings["history"], 2, MOST_HISTORY)
    number("snapshots", settings["snapshots"])
    for name in ("fading", "zero_division", "alarm_delta"):
        checked_number(name, settings[name], 0, 1)
    if settings["measures"] is not None:
        settings["measures"] = _read_measures(settings["measures"])
    return settings


def _read_measures(told: Any) -> list[str]:
    return [text("a measure", each, 200) for each in items("measures", told)]


def _check_registered(measures: Sequence[str]) -> None:
    """Raise a ValueError that says what to do unless all are registered."""
    for name in measures:
        if name not in MEASURES:
            raise ValueError(
                f"unknown measure {shown(name)}: install the package that registers it, or call "
                f"streamlab.measures.MEASURES.add(...) with the measure first"
            )


def _read_drifts(told: Any) -> tuple[Drift, ...]:
    dictionary("a stream", told, "drifts")
    found = []
    for each in items("drifts", told["drifts"]):
        start, width, kind = items("a drift", each, 3)
        found.append(Drift(number("a drift's start", start), number("a width", width), text("a drift's kind", kind)))
    return tuple(found)
