"""Whether altered archives and saved learners are read or refused, and never crash, hang or eat the memory.

``python -m tests.fuzz fuzz [--archives] [--learners ...] [--n 5000] [--seed 1] [--boundscheck]``; with one of the first
two alone, it takes these, or all, and none of the other.

Mutants of archives (``slab``, ``slab_mutants.py``) are opened with ``Run.open``, looked at, taken back, advanced and
saved again; nothing may be written outside of their folder. Mutants of saved
learners (``state_mutants.py``) predict, learn 50 rows, tell their nodes and are saved again: ``NAME.file`` is what
``save`` wrote with bytes changed, opened with ``load_model``; ``NAME.state`` what ``state`` returned with entries
changed, by turns saved and opened with ``load_model``, and given to ``from_state``. All of it happens in worker
processes that are watched. A mutant ends as

- ok: read, or loaded and used;
- refused: a ValueError whose message names the file; of a state also the learner, the entry and what was expected;
- unclean: any other exception, or a message that tells less, or of more than a line or 1,000 characters;
- crash: a signal ended the process; hang: more than ``--seconds`` of a processor; memory: more than
  ``--megabytes`` above the start;
- out of bounds (with ``--boundscheck``): a kernel read or wrote beyond an array;
- nonsense: it was accepted, but its scores are no numbers in [0, 1]. This is told, but is no failure.

The exit code is 1 if a mutant was unclean, crashed, hung, took the memory or left an array.

To repeat a finding: ``python -m tests.fuzz fuzz --seed 1 --only slab:17 --keep FOLDER`` shows what was changed, and the
traceback, and leaves the file in FOLDER. A mutant depends on its subject, its number and the seed alone.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import traceback
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import console
from tests.fuzz.slab_mutants import ESCAPES, SLAB, SOUND, mutant
from tests.fuzz.state_mutants import changed_file, changed_state, without_checksum
from tests.fuzz.trials import Outcome, Watched, describe, place_of

__all__ = ["KINDS", "Finding", "bounds_checked", "fuzz", "main", "subjects", "trial", "tried", "warm_up", "watched"]

KINDS = ("ok", "refused", "unclean", "crash", "hang", "memory", "out of bounds", "nonsense")
FAILURES = KINDS[2:7]
LONGEST_MESSAGE = 1_000
UNFORESEEN = "it cannot be read ("
"""What ``refusing`` says of an error that no check has foreseen."""
EXPECTED = ("expected", "must be", "occurs twice", "form a cycle", "a parent twice", "must not be", "against")
"""What messages say that tell what a value should have been."""
OUT_OF_BOUNDS = "index is out of bounds"
"""What numba says; NumPy's own message names index, axis and size."""

# ---------------------------------------------------------------------- in the worker

_folder = Path()
_learners: dict[str, Any] = {}


def warm_up(options: dict[str, Any]) -> None:
    """Open the sound archive and train learners; what is not asked for here comes before its first trial begins."""
    global _folder
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    _folder = Path(options["folder"])
    if options["archives"]:
        sound = trial({"subject": SLAB, "number": SOUND, "seed": 0}, lambda story: None)
        if sound[0] != "ok":
            raise RuntimeError(f"the sound archive cannot be read: {sound}")
    for name in options["learners"]:
        _base(name)


def _base(name: str) -> Any:
    """The trained learner whose mutants are tried; its kernels are compiled."""
    from tests.fuzz.learners import trained

    if name not in _learners:
        _learners[name] = trained(name)
        _use(_learners[name].copy(), [""])
    return _learners[name].copy()


def trial(spec: dict[str, Any], go: Callable[[str], None]) -> tuple[str, str, dict[str, Any]]:
    """Make a mutant and use it: the outcome's kind, the exception, and what was changed."""
    subject, number, seed = spec["subject"], spec["number"], spec["seed"]
    keep = Path(spec["keep"]) if spec.get("keep") else _folder
    name, _, how = subject.partition(".")
    phase = ["load"]
    if subject == SLAB:
        path = keep / "m.slab"
        content, story = mutant(number, seed)
        path.write_bytes(content)

        def use() -> bool:
            return _open(path, phase)

    else:
        import streamlab as sl

        rng = np.random.default_rng([seed, zlib.crc32(subject.encode()), number])
        base, path = _base(name), keep / "m.safetensors"
        keys = tuple(base.state())
        if how == "file":
            base.save(path)
            content = path.read_bytes()
            # by turns as an older version wrote it, whose values no checksum protects
            content, story = changed_file(without_checksum(content) if number % 2 else content, rng)
            path.write_bytes(content)
            written = True
        else:
            state, story = changed_state(base.state(), rng)
            # by turns as a file, whose checksum is right whatever it holds, and as it is
            written = number % 2 == 0 and _written(base, state, path)
        known = (f"{path}: " if written else "", name)

        def use() -> bool:
            return _use(sl.load_model(path) if written else getattr(sl, name).from_state(state), phase)

    go(story)
    try:
        return ("ok" if use() else "nonsense"), "", {"story": story, "phase": phase[0]}
    except BaseException as error:
        detail = {"story": story, "phase": phase[0], "place": place_of(error)}
        if spec.get("keep"):
            detail["traceback"] = "".join(traceback.format_exception(error))
        if subject == SLAB:
            return *_judged(error, lambda text: path.name in text), detail
        return *_judged(error, lambda text: _tells(text, *known, keys)), detail


def _written(model: Any, state: dict[str, Any], path: Path) -> bool:
    """Have a learner save a state that is not its own; False where that cannot be written."""
    model.save(path)
    sound = path.read_bytes()
    model.state = lambda: state
    with suppress(Exception):
        model.save(path)
        return path.read_bytes() != sound
    return False


def _judged(error: BaseException, tells: Callable[[str], bool]) -> tuple[str, str]:
    """The outcome of an exception: whether it is a refusal whose message tells what it has to."""
    if isinstance(error, MemoryError):
        return "memory", describe(error)
    with suppress(Exception):
        text = str(error)
        if isinstance(error, IndexError) and text.startswith(OUT_OF_BOUNDS):
            return "out of bounds", describe(error)
        if type(error) is ValueError and tells(text):
            if len(text) > LONGEST_MESSAGE or len(text.splitlines()) > 1:
                lines = len(text.splitlines())
                return "unclean", f"a message of {len(text):,} characters, {lines:,} lines: {describe(error)}"
            return "refused", describe(error)
    return "unclean", describe(error)


def _tells(text: str, start: str, name: str, keys: tuple[str, ...]) -> bool:
    """Whether a refusal of a learner's file or state names the file, the learner, the entry and what was expected."""
    from tests.fuzz.learners import NAMES

    if not text.startswith(start) or UNFORESEEN in text:
        return False
    text = text.removeprefix(start)
    if text.startswith(("not a model", "a safetensors file, but", "damaged: ")):
        return bool(start)
    if text.startswith("the state of the file contradicts itself"):
        return bool(start) and "expected" in text
    if "unknown learner " in text:
        return True
    # the entry that names the learner may have been changed to another's name
    named = any(f"the state of {each} " in text for each in NAMES) or f"expected that of {name}" in text
    if named and "it lacks " in text:
        return True
    elsewhere = not text.startswith(f"the state of {name} ")
    if elsewhere and re.search(r"contradicts itself: \w+ is missing; expected", text):
        return named
    entries = ("format", "learner", "parameters", *keys, *(key.partition(".")[2] or key for key in keys))
    return named and any(key in text for key in entries) and any(word in text for word in EXPECTED)


def _open(path: Path, phase: list[str]) -> bool:
    """Open an archive as anyone's and as one's own, go back, go on, save it; whether nothing is outside.

    What is refused is refused before or while it is opened, and never later.
    """
    import streamlab as sl

    outside, refused = [path.parent / name for name in ESCAPES], None
    for each in outside:
        each.unlink(missing_ok=True)
    try:
        for is_foreign in (True, False):
            phase[0] = "open"
            try:
                run = sl.Run.open(path, models=not is_foreign)
            except ValueError as error:
                refused = ValueError(str(error))  # the error itself would keep what was read
                continue
            phase[0] = f"look, {is_foreign=}"
            run.curves(), run.events, run.summary, run.branches
            phase[0] = f"go back, {is_foreign=}"
            for snapshot in list(run._machine.store)[:3]:
                if snapshot.is_on(run._machine.path):
                    run.seek(snapshot.position)
            phase[0] = f"go on, {is_foreign=}"
            run.advance(60)
            phase[0] = f"save, {is_foreign=}"
            run.save(_folder / "again.slab")
        if refused is not None:
            raise refused
    finally:
        if any(each.exists() for each in outside):
            raise RuntimeError("a file was written outside of its folder")
    return True


def _use(model: Any, phase: list[str]) -> bool:
    """Predict, learn, predict, look and save; whether all scores are numbers in [0, 1]."""
    from tests.fuzz.learners import answer, holds_state, learn, rows, sane

    phase[0] = "rows"
    X, Y = rows(model.schema, 50, seed=2)
    fine = True
    for phase[0] in ("predict", "learn", "predict again"):
        if phase[0] == "learn":
            learn(model, X, Y)
            continue
        scores, labels = answer(model, X)
        if labels is not None:
            fine &= sane(scores, labels)
    phase[0] = "nodes"
    if hasattr(model, "nodes"):
        model.nodes()
    phase[0] = "save"
    if holds_state(type(model).__name__):
        model.save(_folder / "again.safetensors")
    return fine


# ---------------------------------------------------------------------- in the parent


@dataclass(frozen=True)
class Finding:
    """An outcome with the subject and the number that bring it again."""

    subject: str
    number: int
    outcome: Outcome


def subjects(
    archives: bool, learners: list[str] | None, parts: list[str] | tuple[str, ...] = ("file", "state")
) -> list[str]:
    """What is mutated: ``slab`` for archives, and ``NAME.file`` and ``NAME.state`` of learners, None for all of them.

    Raises
    ------
    ValueError
        For an unknown learner.
    """
    from tests.fuzz.learners import NAMES, holds_state

    known = [name for name in NAMES if holds_state(name)]
    for name in learners or ():
        if name not in known:
            raise ValueError(f"no learner {name!r}; there are: {', '.join(known)}")
    models = known if learners is None else learners
    return [SLAB] * archives + [f"{name}.{how}" for name in models for how in parts]


def bounds_checked() -> dict[str, str]:
    """The environment in which numba checks every index, with a cache of its own: code is not told apart by it."""
    beside = os.environ.get("NUMBA_CACHE_DIR") or os.path.join(tempfile.gettempdir(), "streamlab")
    return {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": f"{beside}-boundscheck"}


def watched(
    folder: str,
    archives: bool,
    learners: list[str],
    *,
    boundscheck: bool = False,
    seconds: float = 5.0,
    megabytes: float = 1000.0,
) -> Watched:
    """Return a worker that tries mutants, with what it loads before the first one; its files are in ``folder``."""
    options = {"folder": folder, "archives": archives, "learners": learners}
    return Watched(
        "tests.fuzz.fuzz",
        options,
        seconds=seconds,
        megabytes=megabytes,
        of_processor=True,
        environment=bounds_checked() if boundscheck else {},
    )


def tried(
    worker: Watched, subject: str, numbers: range | list[int], seed: int = 1, *, keep: str = ""
) -> Iterator[Finding]:
    """Try mutants of one subject in a worker that may have tried others."""
    specs = [{"subject": subject, "number": number, "seed": seed, "keep": keep} for number in numbers]
    for number, outcome in zip(numbers, worker.run_all(specs), strict=True):
        yield Finding(subject, number, outcome)


def fuzz(
    subject: str, numbers: range | list[int], seed: int = 1, *, keep: str = "", **limits: Any
) -> Iterator[Finding]:
    """Try the mutants of one subject, one after the other, in a worker of their own; ``limits`` as ``watched``'s."""
    with tempfile.TemporaryDirectory(prefix="streamlab-fuzz-") as folder:
        learners = [] if subject == SLAB else [subject.partition(".")[0]]
        with watched(folder, subject == SLAB, learners, **limits) as worker:
            yield from tried(worker, subject, numbers, seed, keep=keep)


def main(options: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("--archives", action="store_true", help="archives of a run, and no learners unless named")
    parser.add_argument("--learners", nargs="*", help="these, or all; default all")
    parser.add_argument("--n", type=int, default=5000, help="archives, and mutants of each learner's file and state")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boundscheck", action="store_true", help="check every index in the kernels (learners only)")
    parser.add_argument("--seconds", type=float, default=5.0, help="a mutant's time on a processor")
    parser.add_argument("--megabytes", type=float, default=1000.0, help="a mutant's memory, above that at its start")
    parser.add_argument("--only", help="one mutant, SUBJECT:NUMBER, with its traceback")
    parser.add_argument("--keep", default="", help="with --only: the folder for its file")
    asked = parser.parse_args(options)
    archives = asked.archives or (asked.learners is None and not asked.boundscheck)
    named = subjects(archives, [] if asked.archives and asked.learners is None else asked.learners or None)
    numbers: range | list[int] = range(asked.n)
    if asked.only:
        subject, _, number = asked.only.rpartition(":")
        named, numbers = [subject], [int(number)]
        asked.keep = asked.keep or tempfile.mkdtemp(prefix="streamlab-mutant-")
        Path(asked.keep).mkdir(parents=True, exist_ok=True)
    keep = str(Path(asked.keep).resolve()) if asked.keep else ""
    limits = {"boundscheck": asked.boundscheck, "seconds": asked.seconds, "megabytes": asked.megabytes}
    n_failed = 0
    for subject in named:
        found = list(fuzz(subject, numbers, asked.seed, keep=keep, **limits))
        counts = Counter(each.outcome.kind for each in found)
        console.print(f"| {subject} | {len(found):,} | " + " | ".join(f"{counts[kind]:,}" for kind in KINDS) + " |")
        for each in found:
            if asked.only or each.outcome.kind not in ("ok", "refused"):
                outcome = each.outcome
                console.print(f"--only {subject}:{each.number}: {outcome.kind} {outcome.what} {outcome.detail}")
        n_failed += sum(counts[kind] for kind in FAILURES)
    return int(n_failed > 0)
