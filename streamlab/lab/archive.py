"""An archive of a run: its recipe with what was done, its events and the curves as they were seen; opened by replay.

The file is a zip of JSON and safetensors, whose checksums are those of the zip. It holds no state but that of a learner
that had learned before the run began, as a model. Everything that is read is checked, for anyone can have written it.
"""

from __future__ import annotations

import json
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from msgspec import convert, to_builtins
from msgspec.structs import asdict, replace

from streamlab._checks import checked_count, one_line, open_regular, with_type
from streamlab._files import replacing
from streamlab._packed import packed, plain_text, unpacked
from streamlab.lab.events import JOIN, event_to_json
from streamlab.lab.fingerprint import Fingerprint
from streamlab.lab.history import History, curves_bytes
from streamlab.lab.learners import Learners, named_learners
from streamlab.lab.recipe import (
    STATE,
    BranchLog,
    LostLearner,
    RunRecipe,
    StreamRecipe,
    action_to_json,
    check_registered,
    describe_detectors,
    first_recipes,
    made_action,
    make_learner,
    versions,
)
from streamlab.lab.time_machine import Branch, TimeMachine
from streamlab.learners.base.state import load_model, state_bytes
from streamlab.measures import MEASURES
from streamlab.schema import Schema
from streamlab.streams import Stream, from_recipe, load
from streamlab.streams.limits import MOST_DEPTH, too_deep

FORMAT = 4
"""Version of the archive format."""
MOST_BYTES = 512 * 2**20
"""Bytes that an archive may have, unpacked."""
MOST_JSON = 128 * 2**20
MOST_VALUES = 4_000_000
"""Most values that the JSON of an archive may have, as each takes memory."""
MOST_MEMBERS = 200
MANIFEST = "archive.json"
NAMES = re.compile(r"(archive|run|events)\.json|models/[0-9]{1,3}\.safetensors|curves\.safetensors")
# the end of a zip without a comment, and what stands before it in one of over 4 GB
END, END_BYTES, END_64, END_64_BYTES = b"PK\5\6", 22, b"PK\6\7", 20
MOST_DIRECTORY = 64 * 1024

Progress = Callable[[int, int], object]
"""Called between two chunks with the rows so far and those in all; what it raises ends the replay."""

# ---------------------------------------------------------------------- the file


def write_archive(path: Path, members: Mapping[str, bytes]) -> None:
    """Write members to a file that takes the place of ``path``, as ``replacing`` does.

    Raises
    ------
    ValueError
        If there are more bytes, members or values than are read.
    OSError
        If the file cannot be written.
    """
    every = {**members, MANIFEST: plain_text({"format": FORMAT})}
    texts = [content for name, content in every.items() if name.endswith(".json")]
    if sum(map(len, every.values())) > MOST_BYTES or len(every) > MOST_MEMBERS:
        raise ValueError(f"the run takes more than {MOST_BYTES:,} bytes, which no archive may have")
    if sum(map(len, texts)) > MOST_JSON or sum(map(_values, texts)) > MOST_VALUES:
        raise ValueError(
            f"the run takes more than {MOST_JSON:,} bytes or {MOST_VALUES:,} values of JSON, which no archive may "
            "have: it has too many actions or events"
        )
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in every.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same run makes the same bytes
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            archive.writestr(info, content)


def _values(content: bytes) -> int:
    """Return how many values a JSON text has, about: what it takes in memory; a ValueError if it is too deep."""
    n = content.count(b"[") + content.count(b"{") + content.count(b",")
    if n <= MOST_VALUES and too_deep(content) is not None:
        raise ValueError(f"its JSON is nested more than {MOST_DEPTH} deep, which that of no archive may be")
    return n


class Members:
    """The members of an archive, read one by one, each checked; nothing is unpacked to the disk.

    It raises a ValueError if the file is none, was cut or altered, has other or larger members, or another format.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self._values = 0
        with _refusing():
            self._file = open_regular(path)  # closed by __exit__
        try:
            with _refusing():
                _check_end(self._file)
                self._zip = zipfile.ZipFile(self._file)
                self._check(most_bytes)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Members:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def _check(self, most_bytes: int) -> None:
        infos = self._zip.infolist()
        self._infos = {info.filename: info for info in infos}
        if len(self._infos) < len(infos) or MANIFEST not in self._infos:
            raise ValueError(f"its members are not the members of an archive; expected each once, and {MANIFEST}")
        for info in infos:
            if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError(f"{info.filename} is packed in a way that no archive is")
        total = sum(info.file_size for info in infos)
        if total > most_bytes:
            raise ValueError(f"it has {total:,} bytes unpacked; expected at most {most_bytes:,}")
        if sum(info.file_size for name, info in self._infos.items() if name.endswith(".json")) > MOST_JSON:
            raise ValueError(f"its JSON has more than {MOST_JSON:,} bytes")
        manifest = self._json(MANIFEST, self._content(MANIFEST))
        given = manifest.get("format") if isinstance(manifest, dict) else None
        if given != FORMAT or type(given) is not int:
            raise ValueError(
                f"it has the format {str(given)[:20]}; expected {FORMAT}: another version of streamlab wrote it"
            )
        for name in self._infos:
            if not NAMES.fullmatch(name):
                raise ValueError(f"it has a member {name[:60]!r}; expected those of an archive alone")

    def read(self, name: str) -> bytes:
        """Return a member's bytes.

        Raises
        ------
        ValueError
            If there is none, or its checksum is another than was written.
        """
        with _refusing():
            if name not in self._infos:
                raise ValueError(f"it has no {name}")
            return self._content(name)

    def json(self, name: str) -> Any:
        """Return a member that is JSON, read."""
        return self._json(name, self.read(name))

    def _content(self, name: str) -> bytes:
        info = self._infos[name]
        with self._zip.open(info) as member:
            content = member.read(info.file_size + 1)
        if len(content) != info.file_size:
            raise ValueError(f"{name} has {len(content):,} bytes; expected {info.file_size:,}")
        return content

    def _json(self, name: str, content: bytes) -> Any:
        self._values += _values(content)
        if self._values > MOST_VALUES:
            raise ValueError(f"its JSON has more than {MOST_VALUES:,} values")
        try:
            return json.loads(content.decode(), parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{name} is not readable JSON ({type(error).__name__})") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _check_end(file: Any) -> None:
    """Raise a ValueError unless the file ends as an archive does: a directory of 10 million members is not read."""
    size = os.fstat(file.fileno()).st_size
    tail = min(size, END_BYTES + END_64_BYTES)
    file.seek(size - tail)
    end = file.read(tail)
    before, end = end[:-END_BYTES], end[-END_BYTES:]
    if len(end) < END_BYTES or not end.startswith(END) or end[-2:] != b"\0\0" or before.startswith(END_64):
        raise ValueError("it is not an archive of a run, or it was cut short")
    n_here, n_all, directory, offset = struct.unpack("<HHII", end[8:20])
    if n_here != n_all or n_all > MOST_MEMBERS + 1 or directory > MOST_DIRECTORY or directory + offset > size:
        raise ValueError("its directory is not that of an archive")
    file.seek(0)


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise what a file that is none, or is damaged, makes the libraries raise as a ValueError."""
    try:
        yield
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, struct.error) as error:
        raise ValueError(f"it cannot be read as an archive ({with_type(error)})") from None


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


# ---------------------------------------------------------------------- written


@dataclass(frozen=True)
class Collected:
    """What there is to write of a run, which may go on meanwhile: nothing in it changes.

    ``first`` is the stream with which the run began, ``end`` how many instances have passed on any branch; the recipe
    lacks its fingerprint; ``histories`` are the learners' curves, with the measures that are drawn of them.
    """

    first: Stream
    end: int
    recipe: dict[str, Any]
    events: list[list[Any]]
    models: list[bytes]
    histories: dict[str, tuple[History, list[str]]]


def histories_of(learners: Learners) -> dict[str, tuple[History, list[str]]]:
    """Return the learners' curves, with the measures that are drawn of them."""
    return {
        name: (each.history, [m for m in each.tracker.measures if MEASURES[m].has_curve])
        for name, each in learners.runs.items()
    }


def collected(machine: TimeMachine) -> Collected:
    """Return what there is to write of the run of a time machine, which stands still meanwhile.

    Raises
    ------
    ValueError
        If its beginning could not be kept, or more was done than an archive may have.
    """
    course, learners = machine.course, machine.lockstep.learners
    learners.check_namesakes()
    machine.begin()
    first = next(iter(machine.store), None)
    if first is None:
        raise ValueError(f"the run cannot be saved: {machine.unable or 'its beginning was not kept'}")
    if sum(len(branch.path) for branch in machine.branches) > MOST_VALUES:
        raise ValueError(f"the run cannot be saved: its branches have more than {MOST_VALUES:,} actions")
    models: list[bytes] = []

    def without_state(recipe: dict[str, Any]) -> dict[str, Any]:
        if STATE not in recipe:
            return packed(recipe)
        models.append(state_bytes(recipe[STATE]))
        return {STATE: len(models) - 1}

    records: dict[int, Any] = {}
    logs = []
    for branch in machine.branches:
        for action in branch.path:
            if id(action) not in records:
                record = action_to_json(action)
                learner = {"learner": without_state(record.pop("learner"))} if action.kind == JOIN else {}
                records[id(action)] = packed(record) | learner
        before = [] if branch.parent is None else machine.branches[branch.parent].path
        n = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(before, branch.path, strict=False)))
        logs.append((branch, n))
    places = {key: place for place, key in enumerate(records)}
    stream = first.stream
    settings = replace(
        learners.settings,
        measures=learners.measures or (),
        detectors=packed(describe_detectors(learners.settings.detectors)),
    )
    recipe = RunRecipe(
        versions(),
        settings,
        StreamRecipe(
            stream.name, course.n_rows, stream.is_sparse, stream.schema.to_json(),
            None if stream.recipe is None else dict(stream.recipe), {},
        ),
        {name: without_state(each) for name, each in first_recipes(first.state()).items()},
        list(records.values()),
        [
            BranchLog(b.parent, b.left_at, n, [places[id(each)] for each in b.path[n:]], b.end, b.finished)
            for b, n in logs
        ],
        machine.current.number,
        course.position,
    )  # fmt: skip
    end = max(course.position, *(branch.end for branch in machine.branches))
    events = [event_to_json(each) for each in machine.lockstep.log]
    return Collected(stream, end, to_builtins(recipe), events, models, deepcopy(histories_of(learners)))


def written(path: Path, found: Collected, known: Fingerprint | None) -> Fingerprint:
    """Write an archive and return the fingerprint of its stream; that of an earlier one saves reading rows again."""
    fingerprint = known if known is not None and known.stream is found.first else Fingerprint(found.first)
    found.recipe["stream"]["fingerprint"] = fingerprint.of(found.end)
    members = {"run.json": plain_text(found.recipe), "events.json": plain_text(found.events)}
    members |= {f"models/{place}.safetensors": each for place, each in enumerate(found.models)}
    write_archive(path, members | {"curves.safetensors": curves_bytes(found.histories)})
    return fingerprint


# ---------------------------------------------------------------------- read


class Archive:
    """What an archive says of its run, checked: recipe, settings and detectors, branches and actions.

    ``models`` says whether a learner that had learned before the run began is read. It raises a ValueError if the file
    is no archive, was damaged or altered, or contradicts itself; the message does not name the file.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES, *, models: bool = True) -> None:
        with Members(path, most_bytes) as members:
            self.recipe = recipe = convert(members.json("run.json"), RunRecipe)
            self.settings = {name: value for name, value in asdict(recipe.settings).items() if name != "detectors"}
            check_registered(recipe.settings.measures or ())
            self.detectors = unpacked(recipe.settings.detectors)
            self.schema = Schema.from_json(recipe.stream.schema)
            self.rows = checked_count("the rows of the fingerprint", recipe.stream.fingerprint.get("rows"), 0, 10**15)
            learner = partial(_learner, members=members, models=models)
            self.actions = [made_action(each, recipe.stream.n_rows, learner) for each in recipe.actions]
            self._first_learners = {name: learner(name, each) for name, each in recipe.learners.items()}
        self.branches: list[Branch] = []
        self._n_done = 0
        for each in recipe.branches:
            self.branches.append(self._branch(each))
        self.current = self.branches[recipe.current]
        if recipe.position > self.current.end:
            raise ValueError("the run's position is outside its branch")

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

    def learners(self, given: Mapping[str, Any] | None, stream: Stream) -> dict[str, Any]:
        """Return the learners with which the run began, and put those given into the actions with which others joined.

        Raises
        ------
        ValueError
            If one that the archive cannot describe is not given, or one is given that it can.
        """
        given, found = dict(given or {}), dict(self._first_learners)
        joined: dict[str, Any] = {a.detail["name"]: a.detail for a in self.actions if a.kind == JOIN}
        every = [*found.items(), *((name, detail["learner"]) for name, detail in joined.items())]
        lost = {name: each.kind for name, each in every if isinstance(each, LostLearner)}
        for name in given:
            if name not in lost:
                raise ValueError(f"learners={name!r}: the archive holds this learner, or the run had no such learner")
        if missing := [f"{name!r} ({kind})" for name, kind in lost.items() if name not in given]:
            raise ValueError(f"the archive does not hold {', '.join(missing)}: give fresh ones, learners={{name: ...}}")
        for name, learner in given.items():
            if name in found:
                found[name] = learner
            if name in joined and isinstance(joined[name]["learner"], LostLearner):
                joined[name]["learner"] = named_learners({name: learner}, stream.schema)[name]
        return found

    def stream(self, given: Any, progress: Progress) -> tuple[Stream, Fingerprint]:
        """Return the run's stream, checked, with its fingerprint; ``given`` is that of ``Run.open``.

        Raises
        ------
        ValueError
            If it is not the stream of the run, or its rows are not there; it says what can be seen without them.
        """
        recipe = self.recipe.stream
        if given is not None:
            stream = given if isinstance(given, Stream) else given(recipe.recipe) if callable(given) else load(given)
        else:
            try:
                stream = from_recipe(recipe.recipe)
            except (ValueError, OSError) as error:
                raise ValueError(
                    f"the rows of the run are needed, and are not here: {one_line(error)}; give "
                    "Run.open(path, stream), or see streamlab.lab.earlier.earlier_run, which shows curves and events, "
                    "no learner and no picture"
                ) from None
        if stream.schema.to_json() != recipe.schema:
            difference = self.schema.difference(stream.schema) or "their hierarchies differ"
            raise ValueError(f"the run was on another stream than {stream.name!r}: {difference}")
        rows = self.rows
        if not stream.has_rows(0, rows):
            raise ValueError(f"the run was on another stream, or {stream.name!r} has not come to its {rows:,} rows yet")
        fingerprint = Fingerprint(stream)
        if other := fingerprint.difference(recipe.fingerprint, lambda: progress(0, self.current.end)):
            raise ValueError(f"the run was on another stream: of its first {rows:,} rows {stream.name!r} has {other}")
        return stream, fingerprint

    def replay(self, machine: TimeMachine, progress: Progress) -> None:
        """Let a new run of ``settings`` and ``learners``, whose time machine this is, go the way of the one saved."""
        for branch in self.branches:
            branch.views.budget = machine.current.views.budget
        machine.branches, machine.current = self.branches, self.current
        machine.begin()
        course, end = machine.course, self.current.end
        # to the end first: what was done behind the run's position can be done, too
        machine.seek(end, interrupted=lambda: bool(progress(course.position, end)) and False)
        machine.seek(self.recipe.position)


def _learner(name: str, recipe: Any, members: Members, models: bool) -> Any:
    if STATE not in recipe:
        return make_learner(unpacked(recipe), name)
    if not models:
        raise ValueError(
            f"the learner {name!r} had learned before the run began, or has no seed: it cannot be made again from "
            "nothing; expected learners with a seed that had learned nothing"
        )
    place = checked_count("a model's number", recipe[STATE], 0, MOST_MEMBERS)
    return load_model(members.read(f"models/{place}.safetensors"))
