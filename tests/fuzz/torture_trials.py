"""The trials of the trial ``torture``, each in a worker process: threads, interrupts, a player's operations."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import numpy as np

import streamlab as sl
from tests.fuzz.learners import answer, holds_state, learn, made, rows, sane, trained
from tests.fuzz.trials import describe, place_of

ANSWER_SECONDS = 2.0
"""What an answer may take, where the specification of a trial says nothing else."""
PATIENCE_SECONDS = 60.0
"""What a command that has begun may take, a step of 500 rows by a learner that takes its time."""
KINDS = ("torn", "stuck", "unclean")
"""Kinds of findings, worst first."""
ROWS = 20_000
LOOKS = ("predict", "score", "nodes", "state", "save", "copy")
MOST_WINDOW = 200
PLAYED = ("SMART", "MLHAT", "BalancedKNN")


class Notes:
    """What happened in a trial, counted; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()
        self.found: list[tuple[str, str]] = []
        self.waits: list[float] = []

    def count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1

    def find(self, kind: str, what: str) -> None:
        with self._lock:
            self.counts[kind] += 1
            self.found.append((kind, what))

    def outcome(self) -> tuple[str, str, dict[str, Any]]:
        """The worst kind with the first words on it, and the counts."""
        found = sorted(self.found, key=lambda each: KINDS.index(each[0]))
        kind, what = found[0] if found else ("ok", "")
        waited = float(np.quantile(self.waits, 0.99)) if self.waits else 0.0
        found_texts = [f"{k}: {w}" for k, w in found[:20]]
        return kind, what, {"counts": dict(self.counts), "found": found_texts, "p99": waited}


def warm_up(options: dict[str, Any]) -> None:
    """Compile the kernels, also those of looks and of saved learners."""
    global ANSWER_SECONDS
    ANSWER_SECONDS = options.get("answer_seconds", ANSWER_SECONDS)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    # a shell that starts jobs in the background makes them deaf to it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if options["player"]:
        # also those of the stream and of the measures
        now = Playing(0)
        now.player.step(500).result()
        now.player.put_drift(lambda stream, at: sl.rotate_labels(stream, at=at)).result()
        now.player.step(500).result()
        now.close()
    with tempfile.TemporaryDirectory() as folder:
        for name in options["learners"]:
            model = trained(name)
            X, _ = rows(model.schema, 50, seed=3)
            for what in LOOKS:
                _look(model, what, X, Path(folder) / "model.safetensors")


def trial(spec: dict[str, Any], go: Callable[..., None]) -> tuple[str, str, dict[str, Any]]:
    """Carry out a trial of one of the three kinds."""
    return {"threads": threads, "interrupts": interrupts, "player": player}[spec["what"]](spec, go)


# ---------------------------------------------------------------------- threads


def threads(spec: dict[str, Any], go: Callable[..., None]) -> tuple[str, str, dict[str, Any]]:
    """One thread learns, others predict and look; then a twin learns the same chunks alone and must be equal."""
    name, seed, until = spec["learner"], spec["seed"], spec["seconds"]
    model, twin = trained(name, seed=seed), trained(name, seed=seed)
    X, Y = rows(model.schema, ROWS, seed)
    notes, ended = Notes(), threading.Event()
    learned: list[tuple[int, int]] = []
    folder = tempfile.TemporaryDirectory()

    def learning() -> None:
        rng, at = np.random.default_rng([seed, 0]), 0
        while not ended.is_set():
            n = int(rng.integers(1, 100))
            at = 0 if at + n > ROWS else at
            if _timed(notes, "learn", learn, model, X[at : at + n], Y[at : at + n]):
                learned.append((at, n))
            at += n

    def looking(number: int) -> None:
        rng, path = np.random.default_rng([seed, number]), Path(folder.name) / f"{number}.safetensors"
        while not ended.is_set():
            what = LOOKS[int(rng.integers(len(LOOKS)))]
            at = int(rng.integers(ROWS - 100))
            _timed(notes, what, _look, model, what, X[at : at + 100], path)

    workers = [threading.Thread(target=learning, daemon=True)]
    numbers = range(1, spec["askers"] + 1)
    workers += [threading.Thread(target=looking, args=(number,), daemon=True) for number in numbers]
    go()
    for worker in workers:
        worker.start()
    time.sleep(until)
    ended.set()
    for worker in workers:
        worker.join(10 * ANSWER_SECONDS)
        if worker.is_alive():
            notes.find("stuck", "a thread does not end")
    folder.cleanup()
    for at, n in learned:
        learn(twin, X[at : at + n], Y[at : at + n])
    if not _equal(model, twin):
        notes.find("torn", f"after {len(learned):,} chunks the learner is not the one that learned them alone")
    return notes.outcome()


def _timed(notes: Notes, what: str, call: Callable[..., Any], *arguments: Any) -> bool:
    """Whether a call was answered; a ValueError of one line is a refusal."""
    start = time.perf_counter()
    try:
        call(*arguments)
    except Torn as error:
        notes.find("torn", str(error))
        return False
    except BaseException as error:
        if isinstance(error, ValueError) and "\n" not in str(error):
            notes.count(f"{what} refused")
        else:
            notes.find("unclean", f"{what}: {describe(error)} ({place_of(error)})")
        return False
    took = time.perf_counter() - start
    if took > ANSWER_SECONDS:
        notes.find("stuck", f"{what} took {took:.1f} s")
    notes.count(what)
    if what == "predict":
        notes.waits.append(took)
    return True


class Torn(Exception):
    """What was read of a learner contradicts itself."""


def _look(model: Any, what: str, X: np.ndarray, path: Path) -> None:
    """Read a learner in one of the ways of ``LOOKS``; what was saved must be usable."""
    name = type(model).__name__
    seen = None
    if what in ("predict", "score"):
        _check(model, X, *answer(model, X))
    elif what == "nodes":
        if hasattr(model, "nodes"):
            model.nodes()
    elif what == "copy":
        seen = model.copy()
    elif holds_state(name):
        state = model.state() if what == "state" else model.save(path)
        try:
            seen = type(model).from_state(state) if what == "state" else sl.load_model(path)
        except Exception as error:
            raise Torn(f"{what}: what was written cannot be read: {describe(error)}") from error
    if seen is not None:
        try:
            _check(seen, X, *answer(seen, X))
        except Exception as error:
            raise Torn(f"{what}: the copy cannot predict: {describe(error)}") from error


def _check(model: Any, X: np.ndarray, scores: np.ndarray, labels: np.ndarray | None) -> None:
    if len(scores) != len(X):
        raise Torn(f"{len(scores)} answers for {len(X)} rows")
    if labels is not None and not sane(scores, labels):
        raise Torn("scores that are not in [0, 1]")


def _equal(one: Any, other: Any) -> bool:
    """Whether two learners are the same to the bit; those without a flat state: whether they answer the same."""
    if not holds_state(type(one).__name__):
        X, _ = rows(other.schema, 100, seed=5)
        return all(np.array_equal(a, b) for a, b in zip(answer(one, X), answer(other, X), strict=True))
    try:
        a, b = one.state(), other.state()
    except Exception:
        return False
    if a.keys() != b.keys():
        return False
    for key, value in a.items():
        if isinstance(value, np.ndarray):
            if value.shape != b[key].shape or value.tobytes() != b[key].tobytes():
                return False
        elif value != b[key] and value == value:
            return False
    return True


# ---------------------------------------------------------------------- interrupts


def interrupts(spec: dict[str, Any], go: Callable[..., None]) -> tuple[str, str, dict[str, Any]]:
    """Ctrl-C at random instants of ``learn_many``: each chunk is learned as a whole or not at all."""
    name, seed = spec["learner"], spec["seed"]
    rng = np.random.default_rng(seed)
    model = trained(name, seed=seed)
    n = 200
    X, Y = rows(model.schema, ROWS, seed)
    notes, spent = Notes(), []
    go()
    for start in range(0, 3 * n, n):
        began = time.perf_counter()
        learn(model, X[start : start + n], Y[start : start + n])
        spent.append(time.perf_counter() - began)
    twin = model.copy()
    for number in range(spec["interrupts"]):
        at = int(rng.integers(ROWS - n))
        X_chunk, Y_chunk = X[at : at + n], Y[at : at + n]
        done = _interrupted(model, X_chunk, Y_chunk, float(rng.random()) * 1.1 * min(spent), notes)
        later = twin.copy()
        learn(later, X_chunk, Y_chunk)
        # a learner that finished must have learned; one that was cut off may have, or not
        whole = [later] if done == "learned" else [twin, later]
        equal = next((each for each in whole if _equal(model, each)), None)
        if equal is not None:
            notes.count("learned" if equal is later else "not learned")
            twin = equal
            continue
        notes.find("torn", f"interrupt {number}: neither before the chunk nor after it")
        # as a user would: go on with it, which may crash
        for _ in range(3):
            _timed(notes, "learn after it", learn, model, X_chunk, Y_chunk)
            _timed(notes, "predict after it", answer, model, X_chunk)
        model = twin.copy()
    return notes.outcome()


def _interrupted(model: Any, X: np.ndarray, Y: np.ndarray, after: float, notes: Notes) -> str:
    """Learn a chunk while SIGINT comes; "learned" if the call returned."""
    done = ""

    def kill() -> None:
        time.sleep(after)
        os.kill(os.getpid(), signal.SIGINT)

    killer = threading.Thread(target=kill, daemon=True)
    try:
        killer.start()
        learn(model, X, Y)
        done = "learned"
        killer.join()
        time.sleep(ANSWER_SECONDS)
        notes.find("unclean", "the interrupt was swallowed")
    except KeyboardInterrupt:
        killer.join()
    except Exception as error:
        killer.join()
        notes.find("unclean", f"learn, interrupted: {describe(error)} ({place_of(error)})")
    return done


# ---------------------------------------------------------------------- a player's operations


class Playing:
    """A player with its run and learners, made again whenever it was closed or its run broke."""

    def __init__(self, seed: int) -> None:
        self._seed, self._number = seed, 0
        self._lock = threading.Lock()
        self.renew(None)

    def renew(self, old: Any) -> None:
        """Close ``old``, if it is still the one in use, and start another."""
        with self._lock:
            if old is not None:
                if old is not self.player:
                    return
                old.close()
            self._number += 1
            stream = sl.load("syn-branches", endless=True, seed=self._seed + self._number)
            self.models = {name: made(name) for name in PLAYED}
            self.run = sl.Run(stream, dict(self.models), chunk=100)
            self.player = sl.Player(self.run)

    def close(self) -> None:
        self.player.close()


def player(spec: dict[str, Any], go: Callable[..., None]) -> tuple[str, str, dict[str, Any]]:
    """Random operations from four threads on a player, its run and its learners."""
    seed, total, n_threads = spec["seed"], spec["operations"], 4
    notes, now, folder = Notes(), Playing(seed), tempfile.TemporaryDirectory()
    X = now.run.stream.chunks(100).__next__().X
    go()

    def operating(number: int) -> None:
        rng, path = np.random.default_rng([seed, number]), Path(folder.name) / f"{number}.safetensors"
        for _ in range(total // n_threads):
            if notes.counts["stuck"] > 10:
                return
            player, run, models = now.player, now.run, now.models
            _operate(player, run, models, now, rng, X, path, notes)
            if player.state == "failed" and not player.closed:
                notes.find("unclean", f"the run failed: {_why(run)}")
                now.renew(player)

    workers = [threading.Thread(target=operating, args=(k,), daemon=True) for k in range(n_threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(spec["seconds"])
        if worker.is_alive():
            notes.find("stuck", "a thread does not end")
            return notes.outcome()
    now.close()
    for name, model in now.models.items():
        for what in LOOKS:
            _timed(notes, f"{name} at the end, {what}", _look, model, what, X, Path(folder.name) / "m")
    folder.cleanup()
    return notes.outcome()


def _why(run: Any) -> str:
    failed = run.events
    return str(failed[failed["kind"] == "failed"]["message"].iloc[-1]) if len(failed) else "?"


def _operate(
    player: Any, run: Any, models: dict, now: Playing, rng: Any, X: np.ndarray, path: Path, notes: Notes
) -> None:
    """One random operation; an answer in time, or a ValueError."""
    name = PLAYED[int(rng.integers(len(PLAYED)))]
    model = models[name]
    tuned = _setting(model, rng)
    rotate = sl.rotate_labels
    often: dict[str, Callable[[], Any]] = {
        "play": lambda: player.play([None, 50.0, 5000.0][int(rng.integers(3))]),
        "pause": player.pause,
        "step": lambda: player.step(int(rng.integers(1, 500))),
        "set_rate": lambda: player.set_rate([None, 0.5, 1e6][int(rng.integers(3))]),
        "tune": lambda: player.tune(name, **tuned),
        "poll": player.poll,
        "run.tune": lambda: run.tune(name, **tuned),
        "run.advance": lambda: run.advance(int(rng.integers(1, 200))),
        "run.curves": run.curves,
        "run.summary": lambda: run.summary,
        "run.events": lambda: run.events,
        "learner.tune": lambda: model.tune(**tuned),
        "predict_many": lambda: model.predict_many(X),
        "nodes": model.nodes,
        "state": model.state,
        "save": lambda: _look(model, "save", X, path),
        "copy": model.copy,
    }
    seldom: dict[str, Callable[[], Any]] = {
        # each puts one more stream around the last
        "put_drift": lambda: player.put_drift(lambda stream, at: rotate(stream, at=at)),
        "run.put_drift": lambda: run.put_drift(lambda stream, at: rotate(stream, at=at)),
        "close": lambda: now.renew(player),
        "player.seek": lambda: player.seek(int(rng.integers(run.end + 1))),
        "run.seek": lambda: run.seek(int(rng.integers(run.end + 1))),
        "run.switch_branch": lambda: run.switch_branch(int(rng.integers(len(run.branches)))),
        "run.fork": lambda: run.fork(name, f"fork {int(rng.integers(4))}", **tuned),
        "run.remove": lambda: run.remove(f"fork {int(rng.integers(4))}"),
    }
    if hasattr(run, "save"):
        often["run.save"] = lambda: run.save(path.with_suffix(".slab"))
    chosen = seldom if rng.random() < 0.05 else often
    what = list(chosen)[int(rng.integers(len(chosen)))]
    start = time.perf_counter()
    try:
        answer = chosen[what]()
        if isinstance(answer, Future):
            what = _waited(answer, what)
            start = time.perf_counter()
    except TimeoutError:
        notes.find("stuck", f"{what} began, and did not end in {PATIENCE_SECONDS:g} s")
    except Torn as error:
        notes.find("torn", f"{what}: {error}")
    except BaseException as error:
        if isinstance(error, ValueError):
            notes.count(f"{what} refused")
        elif player.closed and isinstance(error, (CancelledError, RuntimeError)):
            # another thread has closed the player meanwhile
            notes.count("closed")
        else:
            notes.find("unclean", f"{what}: {describe(error)} ({place_of(error)})")
    else:
        notes.count(what)
        # a run whose player was closed is the caller's own, who waits for what he asked; rows take what learning takes
        allowed = (
            PATIENCE_SECONDS if what in ("run.advance", "run.seek", "run.save", "run.switch_branch") else ANSWER_SECONDS
        )
        if not player.closed and (spent := time.perf_counter() - start) > allowed:
            notes.find("stuck", f"{what} took {spent:.1f} s")


def _waited(command: Future, what: str) -> str:
    """Wait for a command as long as an answer may take; then take it back, or let it end if it has begun."""
    try:
        command.result(ANSWER_SECONDS)
    except TimeoutError:
        if command.cancel():
            return f"{what} taken back, refused"
        command.result(PATIENCE_SECONDS)
        return f"{what} begun, late"
    return what


def _setting(model: Any, rng: np.random.Generator) -> dict[str, Any]:
    """A tunable parameter with a value from its control: an end or between."""
    tunable = model.tunables[int(rng.integers(len(model.tunables)))]
    if tunable.choices:
        return {tunable.name: tunable.choices[int(rng.integers(len(tunable.choices)))]}
    high = tunable.high
    if isinstance(model, sl.BalancedKNN) and tunable.name == "window":
        # more, with a chunk of one row, takes seconds a chunk: the threads would wait instead of operating
        high = MOST_WINDOW
    value = [tunable.low, high, tunable.low + float(rng.random()) * (high - tunable.low)][int(rng.integers(3))]
    return {tunable.name: round(value) if tunable.integer else value}


if __name__ == "__main__":
    raise SystemExit("these are the trials of: python -m tests.fuzz torture")
