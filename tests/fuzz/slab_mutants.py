"""Archives of a run gone wrong, each reproducible from its number and a seed.

The first mutants are structural: names, sizes, bombs. The others are, by turns, bytes of the file changed at random,
and what is in it changed with checksums that are right whatever it holds.
"""

from __future__ import annotations

import io
import json
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from streamlab.lab.archive import FORMAT
from tests.fuzz.changed_bytes import changed
from tests.fuzz.state_mutants import changed_json

__all__ = ["ESCAPES", "SLAB", "SOUND", "mutant", "shapes", "sound", "structural", "tree_of"]

SLAB = "slab"
"""What is mutated: an archive of a run."""
SOUND = -1
"""The number of the archive that nothing was done to."""

Tree = dict[str, bytes]
GIB = 1 << 30
ESCAPES = ("../streamlab-escaped.json", "/tmp/streamlab-escaped.json", "models/../../streamlab-escaped.safetensors")
"""Names of members that lead out of a folder."""
MANIFEST = "archive.json"
ROWS = 150


@cache
def sound() -> bytes:
    """An archive of a run with several learners, branches, tunings, a drift."""
    import streamlab as sl
    from streamlab.lab import learner_run, time_machine

    before = time_machine.SPACING_SECONDS, time_machine.COST_SHARE, learner_run.cpu_seconds
    # a snapshot of every chunk, and the same bytes every time
    time_machine.SPACING_SECONDS, time_machine.COST_SHARE = 0.0, 1e12
    learner_run.cpu_seconds = lambda: 0.0
    try:
        learners = {
            "SMART": sl.SMART(n_trees=3, height=4, seed=1, warm_up=20),
            "BKNN": sl.StandardScaler() | sl.BalancedKNN(window=20),
            "NoChange": sl.NoChange(),
        }
        run = sl.Run(sl.load("syn-tree-sudden", seed=1, n_rows=ROWS), learners, chunk=25, alarms="label")
        run.advance(75)
        run.tune("SMART", half_life=50)
        run.put_drift(sl.streams.DriftRecipe("feature_noise", strength=0.5))
        run.advance(25)
        run.fork("SMART", "fast", half_life=10)
        run.join("most", sl.MajorityLabels(), train_on=20)
        run.advance(20)
        run.seek(50)
        run.tune("SMART", half_life=9)
        run.advance(30)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.slab"
            run.save(path)
            return path.read_bytes()
    finally:
        time_machine.SPACING_SECONDS, time_machine.COST_SHARE, learner_run.cpu_seconds = before


def tree_of(content: bytes) -> Tree:
    """The members of an archive by name, but for its list of them."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != MANIFEST}


def built(tree: Tree, *, told: Any = None) -> bytes:
    """An archive of these members, and what it tells of itself."""
    told = {"format": FORMAT} if told is None else told
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in [*tree.items(), (MANIFEST, json.dumps(told).encode())]:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return sink.getvalue()


def _with(name: str, content: bytes) -> bytes:
    return built(tree_of(sound()) | {name: content})


def _json(name: str, change: Callable[[Any], Any]) -> bytes:
    """An archive with the JSON of one member changed."""
    tree = tree_of(sound())
    value = json.loads(tree[name])
    found = change(value)
    tree[name] = json.dumps(value if found is None else found).encode()
    return built(tree)


def _set(name: str, *path: Any) -> bytes:
    *places, value = path

    def change(inside: Any) -> None:
        for place in places[:-1]:
            inside = inside[place]
        inside[places[-1]] = value

    return _json(name, change)


def _renamed(old: str, new: str) -> bytes:
    return built({new if name == old else name: content for name, content in tree_of(sound()).items()})


def _patched(change: Callable[[bytearray, int], None]) -> bytes:
    """The sound file with its central directory changed; ``change`` gets the bytes and where the directory begins."""
    data = bytearray(sound())
    (start,) = struct.unpack("<I", data[-6:-2])
    change(data, start)
    return bytes(data)


def _put(data: bytearray, at: int, form: str, value: int) -> None:
    data[at : at + struct.calcsize(form)] = struct.pack(form, value)


def _zeros(n: int) -> bytes:
    """An archive that has a member of n zeros more; made without having them."""
    tree = tree_of(sound())
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in tree.items():
            archive.writestr(name, content)
        with archive.open("models/7.safetensors", "w", force_zip64=True) as member:
            for _ in range(n >> 24):
                member.write(bytes(1 << 24))
        archive.writestr(MANIFEST, json.dumps({"format": FORMAT}))
    return sink.getvalue()


def _twice() -> bytes:
    sink = io.BytesIO(sound())
    with zipfile.ZipFile(sink, "a") as archive:
        archive.writestr("run.json", b"{}")
    return sink.getvalue()


def _many_branches(told: Any) -> None:
    first = told["branches"][0]
    told["branches"] = [first, *({**first, "parent": 0, "begins": 10**6, "then": [2] * 400} for _ in range(5000))]


def _nested(depth: int) -> Any:
    inside: Any = {"learner": "NoChange", "parameters": {}}
    for _ in range(depth):
        inside = {"learner": "Oversampling", "parameters": {"model": inside}}
    return inside


LEARNERS: dict[str, Any] = {
    "nobody's": {"learner": "os.system", "parameters": {}},
    "a program": {"river": "os.system", "parameters": {"command": "touch struck"}},
    "a module of River's": {"river": "river.utils.VectorDict", "parameters": {}},
    "a data set of River's": {"river": "river.datasets.Keystroke", "parameters": {}},
    "a scaler": {"river": "river.preprocessing.StandardScaler", "parameters": {}},
    "a window of 10^12": {"learner": "BalancedKNN", "parameters": {"window": 10**12}},
    "a window of 10^7": {"learner": "BalancedKNN", "parameters": {"window": 10**7}},
    "10^7 trees": {"learner": "SMART", "parameters": {"n_trees": 10**7, "seed": 1}},
    "trees of 60 levels": {"learner": "SMART", "parameters": {"height": 60, "seed": 1}},
    "of River's with 10^9 models":
        {"learner": "OnePerLabel", "parameters": {"classifier": {
            "river": "river.forest.ARFClassifier", "parameters": {"n_models": 10**9, "seed": 1}}}},
    "deep in others": _nested(60),
    "deeper in others": _nested(300),
    "a recipe that nobody knows": {"recipe": "x" * 1000},
    "a recipe": {"recipe": "HT one per label"},
    "nothing": {},
    "a list": {"steps": []},
    "lost": {"lost": "os.system"},
    "a state": {"state": {"learner": "NoChange", "parameters": "{}"}},
}  # fmt: skip
"""Learners that the recipe of a run may name."""


def shapes() -> list[tuple[str, Callable[[], bytes]]]:
    """The structural mutants, each with what it is."""
    deep = b"[" * 100_000 + b"]" * 100_000
    found: list[tuple[str, Callable[[], bytes]]] = [
        *((f"a member named {name}", lambda name=name: _with(name, b"{}")) for name in ESCAPES),
        *((f"run.json named {name}", lambda name=name: _renamed("run.json", name)) for name in ESCAPES),
        *((f"without {name}", lambda name=name: built({k: v for k, v in tree_of(sound()).items() if k != name}))
          for name in ("run.json", "events.json", "curves.safetensors")),
        *((f"{name} is {value!r:.20}", lambda name=name, value=value: _with(name, value))
          for name in ("run.json", "events.json")
          for value in (b"", b"{}", b"[]", b"null", b"1e999", b"[1]", b'{"a":1}', deep, b"\xff\xfe", b"[NaN]")),
        *((f"format {value!r}", lambda value=value: built(tree_of(sound()), told={"format": value}))
          for value in (0, FORMAT, None, "1", 1.0, True, [1], 10**30)),
        *((f"told {told!r}", lambda told=told: built(tree_of(sound()), told=told)) for told in ({}, [FORMAT], "4")),
        ("a member twice", _twice),
        ("a member of 1 GiB in 1 MB", lambda: _zeros(GIB)),
        ("a member of 256 MiB in 256 kB", lambda: _zeros(GIB // 4)),
        ("5,000 members", lambda: built(tree_of(sound()) | {f"models/{i}.safetensors": b"" for i in range(5000)})),
        ("JSON of 40 million values", lambda: _with("run.json", b"[" + b"[]," * 40_000_000 + b"[]]")),
        ("JSON of 3 million values", lambda: _with("run.json", b"[" + b"[]," * 1_500_000 + b"[]]")),
        ("a text of 64 MB", lambda: _with("run.json", b'["' + b"a" * (64 << 20) + b'"]')),
        ("a number of 5,000 digits", lambda: _with("events.json", b"[" + b"9" * 5000 + b"]")),
        ("an array of 2^60", lambda: _set("run.json", "deeds", 0, "parameters",
                                          {"half_life": {"!array": ["<f8", [2**30, 2**30], [1.0]]}})),
        ("an array of objects", lambda: _set("run.json", "deeds", 0, "parameters",
                                             {"half_life": {"!array": ["|O", [1], [1]]}})),
        ("a model that is not there", lambda: _set("run.json", "learners", "NoChange", {"state": 7})),
        ("a model below the first", lambda: _set("run.json", "learners", "NoChange", {"state": -1})),
        ("chunks of 10^15", lambda: _set("run.json", "settings", "chunk", 10**15)),
        ("chunks of none", lambda: _set("run.json", "settings", "chunk", 0)),
        ("a history of 10^12", lambda: _set("run.json", "settings", "history", 10**12)),
        ("a history of 3", lambda: _set("run.json", "settings", "history", 3)),
        ("no budget", lambda: _set("run.json", "settings", "snapshots", 0)),
        ("a budget of 10^15", lambda: _set("run.json", "settings", "snapshots", 10**15)),
        ("fading of 2", lambda: _set("run.json", "settings", "fading", 2.0)),
        ("a measure that nobody knows", lambda: _set("run.json", "settings", "measures", ["<b>"])),
        ("no measures", lambda: _set("run.json", "settings", "measures", [])),
        ("rows of 10^15", lambda: _set("run.json", "stream", "fingerprint", "rows", 10**15)),
        ("a stream of 10^12 rows", lambda: _set("run.json", "stream", "recipe", "options", "n_rows", 10**12)),
        ("a stream of a file", lambda: _set("run.json", "stream", "recipe", {"file": "/etc/passwd", "options": {}})),
        ("a stream of an address",
         lambda: _set("run.json", "stream", "recipe", {"source": "movies", "options": {"mirror": "http://localhost"}})),
        ("a stream that nobody knows", lambda: _set("run.json", "stream", "recipe", {"source": "os", "options": {}})),
        ("a schema of none", lambda: _set("run.json", "stream", "schema", '{"features": [], "labels": []}')),
        ("a branch of itself", lambda: _set("run.json", "branches", 0, "parent", 0)),
        ("a branch to 10^12", lambda: _set("run.json", "branches", 1, "end", 10**12)),
        ("a branch of very many", lambda: _set("run.json", "branches", 1, "then", [0] * 10_000)),
        ("branches that begin with each other", lambda: _json("run.json", _many_branches)),
        ("actions backwards", lambda: _set("run.json", "branches", 0, "then", [1, 0])),
        ("an action of another kind", lambda: _set("run.json", "deeds", 0, "kind", "import")),
        ("training on 10^15 rows", lambda: _set("run.json", "deeds", 3, "train_on", 10**15)),
        ("a drift that nobody knows", lambda: _set("run.json", "deeds", 1, "change", "drift", "system")),
        ("a drift in the past", lambda: _set("run.json", "deeds", 1, "at", 0)),
        ("a drift far away", lambda: _set("run.json", "deeds", 1, "at", 10**15)),
        ("a drift of a sample of 10^15",
         lambda: _set("run.json", "deeds", 1, "change", "parameters", {"sample": 10**15})),
        ("a tuning of what cannot be tuned", lambda: _set("run.json", "deeds", 0, "parameters", {"seed": 7})),
        ("a run that stands at 10^12", lambda: _set("run.json", "position", 10**12)),
        *((f"a learner that is {said}", lambda told=told: _set("run.json", "learners", "NoChange", told))
          for said, told in LEARNERS.items()),
        ("10,000 learners",
         lambda: _set("run.json", "learners", {f"{n}": {"recipe": "HT one per label"} for n in range(10**4)})),
        ("a detector that runs what it names",
         lambda: _set("run.json", "settings", "detectors",
                      {"it": {"river": "river.os.system", "parameters": {}, "measure": "hamming_loss"}})),
        ("a comment at the end", lambda: sound()[:-2] + b"\5\0abcde"),
        ("bytes before the begin", lambda: b"MZ" * 50 + sound()),
        ("bytes after the end", lambda: sound() + b"more"),
        ("sizes of 4 GB in the directory", lambda: _patched(lambda data, at: _put(data, at + 24, "<I", 2**32 - 2))),
        ("a size of none in the directory", lambda: _patched(lambda data, at: _put(data, at + 24, "<I", 0))),
        ("a packed size of 4 GB", lambda: _patched(lambda data, at: _put(data, at + 20, "<I", 2**32 - 2))),
        ("packed in another way", lambda: _patched(lambda data, at: _put(data, at + 10, "<H", 14))),
        ("packed in a way that nobody knows", lambda: _patched(lambda data, at: _put(data, at + 10, "<H", 77))),
        ("locked", lambda: _patched(lambda data, at: _put(data, at + 8, "<H", 1))),
        ("a member behind the end", lambda: _patched(lambda data, at: _put(data, at + 42, "<I", 2**31))),
        ("a member in another", lambda: _patched(lambda data, at: _put(data, at + 42, "<I", 9))),
        ("60,000 members in the end", lambda: sound()[:-12] + b"\x60\xea\x60\xea" + sound()[-8:]),
        ("a directory of 4 GB", lambda: sound()[:-10] + b"\xf0\xff\xff\xff" + sound()[-6:]),
        ("half of it", lambda: sound()[: len(sound()) // 2]),
        ("all but a byte", lambda: sound()[:-1]),
        ("its end alone", lambda: sound()[-22:]),
        ("empty", lambda: b""),
        ("a model", lambda: tree_of(sound())["curves.safetensors"]),
    ]  # fmt: skip
    return found


def rewritten(rng: np.random.Generator) -> tuple[bytes, str]:
    """The sound archive with one of its members changed, and checksums that are right."""
    tree = tree_of(sound())
    roll = rng.random()
    if roll < 0.75:
        name = str(rng.choice(["run.json", "run.json", "run.json", "events.json"]))
        text, story = tree[name].decode(), []
        for _ in range(int(rng.choice((1, 1, 2, 4)))):
            text, said = changed_json(text, rng)
            story.append(said)
        tree[name] = text.encode()
        return built(tree), f"{name} {'; '.join(story)}"
    name = "curves.safetensors"
    data = bytearray(tree[name])
    head = 8 + int.from_bytes(data[:8], "little")
    n = int(rng.choice((1, 1, 4, 64)))
    places = rng.integers(head if roll < 0.95 else 0, len(data), n)
    for at in places:
        data[at] = int(rng.choice((0, 1, 127, 128, 255, rng.integers(256))))
    tree[name] = bytes(data)
    return built(tree), f"{name}: {n} bytes from {int(places[0])} on"


@cache
def _shapes() -> list[tuple[str, Callable[[], bytes]]]:
    return shapes()


def structural() -> list[str]:
    """What the structural mutants are called; the n-th mutant is the n-th of them."""
    return [story for story, _ in _shapes()]


def mutant(number: int, seed: int) -> tuple[bytes, str]:
    """The mutant of this number, and what was done."""
    if number == SOUND:
        return sound(), "sound"
    if number < len(_shapes()):
        story, make = _shapes()[number]
        return make(), story
    rng = np.random.default_rng([seed, zlib.crc32(SLAB.encode()), number])
    if number % 2 == 0:
        return rewritten(rng)
    content, story = changed(sound(), rng)
    return content, f"bytes: {story}"
