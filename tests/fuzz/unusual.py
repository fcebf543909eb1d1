"""What seldom happens: a clock that goes back, an event loop, other processors, altered manifests, a killed search.

``python -m tests.fuzz unusual [--what bits clock loop manifests metrics search] [--n 100] [--seed 1]``

- bits: each learner in processes of its own, with one and with two threads and other hashes of texts: its answers and
  its state must be the same to the bit; also with other kernels of OpenBLAS, but for those that are made of matrices.
- clock: it goes back by up to a day again and again, under a service over a file that grows, which learns each row, and
  under a player that plays and seeks, whose run comes to the same figures.
- loop: coroutines and threads of an event loop ask, seek, fork and interrupt a run; it must come to the same figures.
- manifests: ``n`` alterations of a study's manifest; it is verified, or refused in one line.
- metrics: each of River's metrics in a run that is saved, opened, and goes on as one that was not.
- search: ``n`` / 10 times a search is killed; its table is that of one that was not.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import streamlab as sl
from benchmarks.harness import asked, console
from streamlab.lab import Player

__all__ = ["main"]

Findings = Iterator[str]
"""For each try what is wrong with it; "" where nothing is."""

# ---------------------------------------------------------------------- bits

PLACES: dict[str, dict[str, str]] = {
    "one thread": {"OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"},
    "two threads": {"OPENBLAS_NUM_THREADS": "2", "NUMBA_NUM_THREADS": "2"},
    "other hashes": {"PYTHONHASHSEED": "7"},
    "Nehalem's OpenBLAS": {"OPENBLAS_CORETYPE": "Nehalem"},
    "Haswell's OpenBLAS": {"OPENBLAS_CORETYPE": "Haswell"},
}
OTHER_BLAS = ("Nehalem's OpenBLAS", "Haswell's OpenBLAS")
BY_BLAS = ("BalancedKNN", "BalancedLDA", "Council", "GOOWE", "Pipeline")
"""Those that multiply or decompose matrices, or are made of one that does: another BLAS rounds otherwise."""


def digests() -> dict[str, str]:
    """Return a digest of what each learner answers and is, in this process."""
    from tests.fuzz.learners import NAMES, answer, holds_state, made, rows, trained

    found = {}
    for name in NAMES:
        if name == "TargetsAsLabels":  # River's regressors take no categories
            continue
        model = trained(name, seed=1) if name != "Council" else _council(made)
        X, _ = rows(model.schema, 50, seed=9)
        digest = hashlib.sha256(b"".join(np.asarray(each).tobytes() for each in answer(model, X) if each is not None))
        if holds_state(name):
            for _, value in sorted(model.state().items()):
                digest.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
        found[name] = digest.hexdigest()
    return found


def _council(made: Callable[..., Any]) -> Any:
    from tests.fuzz.learners import rows, schema

    model = sl.Council({"one": made("MLHAT"), "two": made("SMART"), "three": made("BalancedKNN")}, seed=1)
    model.bind(schema("Council")).learn_many(*rows(schema("Council"), 600, seed=1))
    return model


def bits(n: int, seed: int) -> Findings:
    code = "import json; from tests.fuzz.unusual import digests; print('DIGESTS ' + json.dumps(digests()))"
    found: dict[str, dict[str, str]] = {}
    for place, environment in {"here": {}, **PLACES}.items():
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code], env=os.environ | environment, text=True, capture_output=True
        )
        said = [line for line in done.stdout.splitlines() if line.startswith("DIGESTS ")]
        if not said:
            yield f"{place}: {done.stderr[-200:]}"
            continue
        found[place] = json.loads(said[0].removeprefix("DIGESTS "))
    for place in PLACES:
        for name, digest in found.get(place, {}).items():
            differs = digest != found["here"][name]
            yield f"{name} with {place}" if differs and not (place in OTHER_BLAS and name in BY_BLAS) else ""


# ---------------------------------------------------------------------- clock


@contextmanager
def setting_back(draw: random.Random) -> Iterator[Callable[[], None]]:
    """Yield a function that sets this process's clock back by up to a day, forward by up to half a day, or not."""
    whole, back = time.time, 0.0

    def again() -> None:
        nonlocal back
        back += draw.uniform(0, 86_400) * draw.choice((1, -0.5, 0))

    time.time = lambda: whole() - back
    try:
        yield again
    finally:
        time.time = whole


def clock(n: int, seed: int) -> Findings:
    draw = random.Random(seed)
    with setting_back(draw) as set_back:
        for number in range(max(1, n // 20)):
            yield from [_served(number, draw, set_back)] * 20
        for _ in range(max(1, n // 20)):
            yield from [_played(draw, set_back)] * 20


def _served(number: int, draw: random.Random, set_back: Callable[[], None]) -> str:
    from streamlab.live.service.definition import read_definition
    from streamlab.live.service.service import Service
    from tests.live.service.made import DEFINITION, HEAD, lines

    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows.csv")
        rows.write_text(HEAD + lines(200))
        Path(folder, "run.toml").write_text(DEFINITION)
        service = Service(read_definition(Path(folder, "run.toml")), lambda line: None)
        thread = threading.Thread(target=service.serve)
        thread.start()
        for part in range(20):
            set_back()
            with rows.open("a") as file:
                file.write(lines(20, seed=100 * number + part))
            time.sleep(0.02)
        until = time.monotonic() + 60
        while service.run.position < 600 and time.monotonic() < until and thread.is_alive():
            time.sleep(0.02)
        at = service.run.position
        service.stop()
        thread.join(60)
        return "" if at == 600 and not thread.is_alive() else f"a service learned {at} of 600 rows"


def _played(draw: random.Random, set_back: Callable[[], None]) -> str:
    def made() -> sl.Run:
        return sl.Run(sl.load("syn-branches", seed=2, n_rows=3000), sl.SMART(seed=1, n_trees=3), chunk=50)

    alone, run = made(), made()
    alone.advance()
    player = Player(run, rate=2000)
    try:
        for _ in range(20):
            player.play().result(60)
            at, until = run.position, time.monotonic() + 60
            set_back()
            while run.position == at and player.state == "playing" and time.monotonic() < until:
                time.sleep(0.005)
            if run.position == at and player.state == "playing":
                return f"a player stands at {at}"
            if draw.random() < 0.5:
                player.seek(draw.randrange(at + 1)).result(60)
        player.pause().result(60)
        frame = player.poll()
    except Exception as error:
        return f"a player: {type(error).__name__}: {error}"
    finally:
        player.close()
    run.seek(run.end)
    run.advance()
    timeless = ["seconds", "instances_per_second", "bytes"]
    same = run.summary.drop(columns=timeless).equals(alone.summary.drop(columns=timeless))
    return "" if same and frame is not None else "a player came to other figures, or made no frame"


# ---------------------------------------------------------------------- an event loop


def loop(n: int, seed: int) -> Findings:
    def made() -> sl.Run:
        stream = sl.load("syn-branches", seed=2, n_rows=3000)
        return sl.Run(stream, {"SMART": sl.SMART(seed=1, n_trees=3), "MLHAT": sl.MLHAT(seed=1)}, chunk=50)

    alone = made()
    alone.advance()
    draw = random.Random(seed)
    for _ in range(max(1, n // 10)):
        run, said = made(), []

        async def asks(run: sl.Run = run, said: list[str] = said) -> None:
            for _ in range(10):
                what = draw.choice(("advance", "seek", "fork", "summary", "predict", "here"))
                try:
                    if what == "advance":
                        await asyncio.to_thread(run.advance, draw.randrange(1, 400))
                    elif what == "seek":
                        await asyncio.to_thread(run.seek, draw.randrange(run.end + 1))
                    elif what == "fork":
                        await asyncio.to_thread(run.fork, "SMART", f"fork {draw.random()}", half_life=20)
                    elif what == "summary":
                        await asyncio.to_thread(lambda: run.summary)
                    elif what == "predict":
                        X = next(run.stream.chunks(10)).X
                        await asyncio.to_thread(run.learner_runs["MLHAT"].learner.predict_many, X)
                    else:
                        run.advance(draw.randrange(1, 50))
                except ValueError as error:
                    if "\n" in str(error):
                        said.append(f"{what}: {error}")
                except asyncio.CancelledError:
                    raise
                except BaseException as error:
                    said.append(f"{what}: {type(error).__name__}: {error}")

        async def all_of_them(asks: Callable[[], Any] = asks) -> None:
            tasks = [asyncio.create_task(asks()) for _ in range(4)]
            tasks[0].get_loop().call_later(draw.uniform(0.01, 0.3), tasks[0].cancel)
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run(all_of_them())
        run.advance()
        figures = run.summary.loc[["SMART", "MLHAT"], ["micro_f1", "hamming_loss", "instances"]]
        if not figures.equals(alone.summary.loc[["SMART", "MLHAT"], list(figures)]):
            said.append("the run came to other figures")
        for place in range(10):
            yield said[place] if place < len(said) else ""


# ---------------------------------------------------------------------- manifests


def _altered(value: Any, draw: random.Random) -> Any:
    """Return a JSON value with one place of it altered."""
    places: list[tuple[Any, Any]] = []

    def walk(part: Any) -> None:
        items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        for key, each in items:
            places.append((part, key))
            walk(each)

    walk(value)
    part, key = draw.choice(places)
    strange = [None, -1, 0, 1e308, "", "../../etc/passwd", "\ud800", [], {}, True, [[]] * 3, "x" * 10_000, 2**70]
    what = draw.randrange(4)
    if what == 0:
        del part[key]
    elif what == 1 and isinstance(part, dict):
        part[f"{key} "] = part.pop(key)
    else:
        part[key] = draw.choice(strange)
    return value


def manifests(n: int, seed: int) -> Findings:
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        study = sl.Study({"yeast": {"rows": 100}}, ["NoChange"], measures=["micro_f1"], results=folder)
        study.run(1)
        path = next(Path(folder).glob("manifest-*.json"))
        whole = path.read_bytes()
        for _ in range(n):
            if draw.random() < 0.3:
                raw = bytearray(whole)
                for _ in range(draw.randrange(1, 4)):
                    raw[draw.randrange(len(raw))] = draw.randrange(256)
                content = bytes(raw[: draw.randrange(len(raw)) if draw.random() < 0.3 else len(raw)])
            else:
                content = json.dumps(_altered(json.loads(whole), draw)).encode("utf-8", "backslashreplace")
            path.write_bytes(content)
            yield _refused(lambda: sl.study.verify(folder, sample=1))
        path.write_bytes(whole)
        yield "" if sl.study.verify(folder).same == 1 else "the manifest as it was is not verified"


def _refused(call: Callable[[], Any]) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except ValueError as error:
        return "" if type(error) is ValueError and "\n" not in str(error) else f"{type(error).__name__}: {error}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return ""


# ---------------------------------------------------------------------- River's metrics


def metrics(n: int, seed: int) -> Findings:
    import river.metrics

    kinds = [kind for _, kind in inspect.getmembers(river.metrics, inspect.isclass)]
    kinds += [kind for _, kind in inspect.getmembers(river.metrics.multioutput, inspect.isclass)]
    stream = sl.load("yeast")
    for kind in kinds:
        try:
            metric = kind()
        except TypeError:  # made around another
            try:
                metric = kind(river.metrics.F1())
            except Exception:
                continue
        except Exception:
            continue
        try:
            run = sl.Run(stream, {"SMART": sl.SMART(seed=1, n_trees=3)}, chunk=50, measures=[metric, "micro_f1"])
        except ValueError as error:
            yield "" if "\n" not in str(error) else f"{kind.__name__}: {error}"
            continue
        yield _went_on(run, kind.__name__)


def _went_on(run: sl.Run, name: str) -> str:
    try:
        run.advance(230)
        with tempfile.TemporaryDirectory() as folder:
            run.save(f"{folder}/run.slab")
            again = sl.Run.open(f"{folder}/run.slab", run.stream)
        for each in (run, again):
            each.advance(170)
        timeless = ["seconds", "instances_per_second", "bytes"]
        same = run.summary.drop(columns=timeless).equals(again.summary.drop(columns=timeless))
        return "" if same and run.curves().equals(again.curves()) else f"{name}: other figures after opening"
    except BaseException as error:
        return f"{name}: {type(error).__name__}: {error}"


# ---------------------------------------------------------------------- a search that is killed


def searched(folder: str) -> Any:
    """Return the table of the search that is killed."""
    stream = sl.load("syn-regions", n_rows=1500, seed=1)
    grid = {"half_life": [20, 50, 200, 800], "n_trees": [3, 10]}
    return sl.search(sl.SMART(), stream, grid, seeds=2, workers=2, results=folder)


def search(n: int, seed: int) -> Findings:
    draw = random.Random(seed)
    code = "import sys; from tests.fuzz.unusual import searched; searched(sys.argv[1])"
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        expected = searched(f"{folder}/whole")
        seconds = time.perf_counter() - begun
        for number in range(max(1, n // 10)):
            there = f"{folder}/{number % 3}"
            process = subprocess.Popen([sys.executable, "-c", code, there])
            time.sleep(draw.uniform(1.0, max(4.0, seconds)))
            process.send_signal(signal.SIGKILL)
            process.wait()
            if number % 3 == 2 or number == n // 10 - 1:
                found = searched(there)
                yield "" if _figures(found).equals(_figures(expected)) else "a search that was killed has another table"
            else:
                yield ""


def _figures(found: Any) -> Any:
    table = found.table
    return table[[name for name in table.columns if "seconds" not in name and "bytes" not in name]]


TRIED: dict[str, Callable[[int, int], Findings]] = {
    "bits": bits, "clock": clock, "loop": loop, "manifests": manifests, "metrics": metrics, "search": search,
}  # fmt: skip


def main(options: list[str] | None = None) -> int:
    given = asked("tests.fuzz unusual", options, what=list(TRIED), n=100, seed=1)
    n_wrong = 0
    for what in given.what:
        found = list(TRIED[what](given.n, given.seed))
        wrong = [each for each in found if each]
        n_wrong += len(wrong)
        console.print(f"{what}: {len(found)} tries, {len(wrong)} wrong")
        for each in sorted(set(wrong))[:20]:
            console.print(f"  {each[:200]}", markup=False)
    return int(n_wrong > 0)
