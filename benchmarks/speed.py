"""How fast and how large: SMART, MLHAT, readers, generators, states and the first import, beside peers."""

from __future__ import annotations

import gc
import gzip
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import psutil

import streamlab as sl
from benchmarks.data import SHARED, WIDE, Data, missing, read, tmc2007
from benchmarks.harness import CHUNK, MISSING, ROOT, Sheet, alternated, asked, console, followed, show_rates, shown
from benchmarks.peers import DenseTrees
from streamlab.kernels import kernel
from streamlab.learners import LEARNERS, SMART, OnePerLabel
from streamlab.learners.base._decisions import choose_expected_f1
from streamlab.learners.mlhat._answer import ask, find_touched, read_row
from streamlab.learners.mlhat._bags import bag_weights
from streamlab.learners.mlhat._classifiers import linear_sums, step
from streamlab.learners.smart import _kernels
from streamlab.schema import Feature, Schema

PAPER_RATE = 14_973
"""Instances a second of SMART in its paper, on a Xeon of 2.27 GHz."""


# ---------------------------------------------------------------------- SMART


def smart(options: Sequence[str]) -> None:
    """SMART on tmc2007-500: instances a second and bytes beside its paper's literal form and River's trees."""
    given = asked("smart", options, repeats=7, rows=28_596, river_rows=1500)
    words, (schema, X, Y) = tmc2007()
    X, Y = X[: given.rows], Y[: given.rows]
    console.print(f"{words}: {len(X):,} x {X.shape[1]}, {Y.shape[1]} labels; chunks of {CHUNK}, one thread, CPU time")
    dense = DenseTrees(schema, seed=1)

    def over_all(test_then_train: Callable) -> None:
        for start in range(0, len(X), CHUNK):
            test_then_train(X[start : start + CHUNK], Y[start : start + CHUNK])

    def literally() -> None:
        dense.forget()
        over_all(dense.test_then_train)

    learned = SMART(seed=1).bind(schema)
    over_all(learned.test_then_train)
    memory_alone = reads_and_writes_of(learned)
    seconds = alternated(
        {
            "SMART": lambda: over_all(SMART(seed=1).bind(schema).test_then_train),
            "its reads and writes alone": lambda: over_all(memory_alone),
            "dense trees, fading at every visit": literally,
        },
        given.repeats,
    )
    rates = {name: len(X) / spent for name, spent in seconds.items()}
    from river.tree import HoeffdingTreeClassifier

    few = schema, X[: given.river_rows], Y[: given.river_rows]
    river = followed(OnePerLabel(HoeffdingTreeClassifier()), few)
    rates[f"River's Hoeffding trees, first {len(few[1]):,} rows"] = river.rate
    rates["the paper"] = PAPER_RATE
    show_rates("SMART, test then train", rates, "SMART")
    tracemalloc.start()
    model = SMART(seed=1).bind(schema)
    over_all(model.test_then_train)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    sheet = Sheet("SMART, memory", ("", "MB"))
    for name, n_bytes in (("held", model.n_bytes), ("peak", peak), ("label counts of dense trees", dense.c.nbytes)):
        sheet.add(name, f"{n_bytes / 1e6:,.2f}")
    sheet.show()


def reads_and_writes_of(model: SMART) -> Callable[[np.ndarray, np.ndarray], None]:
    """Return what reads and writes, for a chunk, the memory that SMART cannot do without, and works out no answer.

    The trees stay as ``model`` has them: no node is new, none fades, nothing is checked.
    """
    arrays = model._roots, model._nodes, model._nodes.view(np.float64), model._sums.copy()
    path = np.zeros((CHUNK, int(model.n_trees), int(model.height)), np.uint32)
    nominal = bool(model._n_categories.any())
    return lambda X, Y: read_and_write(X, Y, nominal, *arrays, path, np.zeros(Y.shape), np.zeros(Y.shape, np.uint8))


@kernel(arrays=True)
def read_and_write(X, Y, nominal, roots, nodes, bounds, sums, path, scores, flags):
    """Read all values and labels, the tests on the rows' paths and the sums of their leaves; add to each node passed.

    Written are the paths, scores and flags of each row, and of each node its weight, label-set sizes, instances, time
    and the sums of the row's labels. Values are read in order before: at random they would come from far away.
    """
    n_trees, height = path.shape[1:]
    n, n_labels = Y.shape
    words, seen = X.view(np.int64), np.int64(0)
    for i in range(n):
        for j in range(X.shape[1]):
            seen |= words[i, j]
    present, starts = np.empty(n * n_labels, np.uint32), np.zeros(n + 1, np.int64)
    at = 0
    for i in range(n):
        for j in range(n_labels):
            if Y[i, j]:
                present[at] = _kernels.COUNTS + j
                at += 1
        starts[i + 1] = at
        for t in range(n_trees):
            path[i, t, 0] = roots[t]
        for h in range(1, height):
            for t in range(n_trees):
                s = path[i, t, h - 1]
                v = X[i, nodes[s, _kernels.FEATURE]]
                right = np.uint32(v > bounds[s, 0])
                if nominal:
                    right &= np.uint32(v <= bounds[s, 1])
                path[i, t, h] = nodes[s, np.uint32(_kernels.LEFT) + right]
    for i in range(n):
        for t in range(n_trees):
            s = path[i, t, height - 1]
            for j in range(n_labels):
                scores[i, j] += sums[s, _kernels.COUNTS + j]
        for j in range(n_labels):
            flags[i, j] = scores[i, j] > 0.0
    for t in range(n_trees):
        for i in range(n):
            for h in range(height):
                _kernels.count_in(sums, path[i, t, h], 1.0, 1.0, np.float64(n))
            for p in range(starts[i], starts[i + 1]):
                column = present[p]
                for h in range(height):
                    sums[path[i, t, h], column] += 1.0
    return seen


def memory(options: Sequence[str]) -> int:
    """SMART over 1,000,000 instances of 100 features and 50 labels: within 5 % of its memory after 100,000."""
    given = asked("memory", options, rows=1_000_000)
    n_features, n_labels, size, first = 100, 50, 1000, given.rows // 10
    features = tuple(Feature(f"x{i}", None, 0.0, 1.0) for i in range(n_features))
    model = SMART(seed=1).bind(Schema(features, tuple(f"l{i}" for i in range(n_labels))))
    sheet = Sheet("SMART's memory", ("instances", "learner, MB", "process, MB", "nodes", "instances/s"))
    held: dict[int, tuple[int, int]] = {}
    seconds = 0.0
    for seen in range(size, given.rows + 1, size):
        rng = np.random.default_rng([7, seen])
        X = rng.random((size, n_features))
        Y = (X[:, np.arange(n_labels) % n_features] + rng.random((size, n_labels)) < 0.35).astype(np.uint8)
        begun = time.process_time()
        for at in range(0, size, CHUNK):
            model.test_then_train(X[at : at + CHUNK], Y[at : at + CHUNK])
        seconds += time.process_time() - begun
        if seen in (given.rows // 50, first, given.rows // 2, given.rows):
            gc.collect()
            held[seen] = model.n_bytes, psutil.Process().memory_info().rss
            nodes = int((model._sums[:, _kernels.WEIGHT] >= model._empty).sum())
            sheet.add(seen, *(f"{each / 1e6:,.1f}" for each in held[seen]), nodes, f"{seen / seconds:,.0f}")
    sheet.show()
    grown = max(after / before for before, after in zip(held[first], held[given.rows], strict=True))
    console.print(f"grown to {grown:.3f} times what it was after {first:,}; allowed: 1.05")
    return int(grown > 1.05)


# ---------------------------------------------------------------------- MLHAT

PROGRAM = {"yeast": 194, "scene": 149, "emotions": 438, "tmc": 131, "20ng": 70}
"""Instances a CPU second of the authors' program (River 0.26.1; only non-zero features for tmc and 20ng)."""
SPEED_SETS = (*PROGRAM, "slashdot", "instruments", "movies")


def mlhat(options: Sequence[str]) -> None:
    """MLHAT and HedgedMLHAT: speed beside the authors' program, wide rows, stalls, a million instances that drift."""
    given = asked(
        "mlhat", options, speed=list(SPEED_SETS), speed_rows=6000, wide_rows=3000, long="syn-branches",
        long_rows=1_000_000, repeats=5,
    )  # fmt: skip
    sl.MLHAT.prepare()
    if given.speed and not missing():
        sets = {name: read(name) for name in given.speed}
        show_trees({name: (s, X[: given.speed_rows], Y[: given.speed_rows]) for name, (s, X, Y) in sets.items()}, given)
        show_stalls(given.speed_rows)
    if given.wide_rows:
        show_trees({name: generate(given.wide_rows) for name, generate in WIDE.items()}, given)
    if given.long != "none":
        show_long(given.long, given.long_rows)


def show_trees(sets: dict[str, Data], given: Any) -> None:
    """Instances a CPU second of both trees and of their single leaves, by turns, the median of the repeats."""
    makers = {
        "MLHAT": lambda: sl.MLHAT(seed=1),
        "its single leaf": lambda: sl.MLHAT(seed=1, max_depth=0),
        "hedged": lambda: sl.HedgedMLHAT(seed=1),
        "its single leaf ": lambda: sl.HedgedMLHAT(seed=1, max_depth=0),
    }
    heads = ("", "rows", *makers, "the program", "ratio", "hedged, of MLHAT", "at best", "bytes a leaf")
    sheet = Sheet(f"instances a CPU second, chunks of {CHUNK}", heads)
    for name, data in sets.items():
        jobs = {key: lambda make=make, data=data: followed(make(), data) for key, make in makers.items()}
        rates = {key: len(data[2]) / s for key, s in alternated(jobs, given.repeats, time.thread_time).items()}
        program = PROGRAM.get(name)
        nodes = jobs["MLHAT"]().model.nodes()
        # the kernels by which it is measured take arrays alone
        is_dense = isinstance(data[1], np.ndarray)
        least = 1.0 / rates["MLHAT"] + least_of_a_split(data, given.repeats) if is_dense else math.nan
        sheet.add(
            name, len(data[2]), *(f"{rate:,.0f}" for rate in rates.values()), shown(program, 0),
            MISSING if program is None else f"{rates['MLHAT'] / program:,.0f}", rates["hedged"] / rates["MLHAT"],
            1.0 / rates["MLHAT"] / least, f"{nodes.loc[nodes.is_leaf, 'bytes'].mean():,.0f}",
        )  # fmt: skip
    sheet.show()


def least_of_a_split(data: Data, repeats: int) -> float:
    """Return the seconds that a split adds to each instance of a hedged tree, if nothing else costs any.

    They are those of one set of regressions that answer and learn beside the leaf's, and of the neighbours where MLHAT
    no longer asks them, both by the learner's own kernels, on one leaf whose memory stays in the caches.
    """
    _, X, Y = data
    model = sl.HedgedMLHAT(seed=1, max_depth=0)
    followed(model, data)
    tree = model._tree
    jobs = {
        what: lambda what=what: of_one_leaf(tree, model._room_for(tree, X.shape[1]), X, Y, model._settings(), *what)
        for what in ((False, False), (True, False), (False, True))
    }
    nothing, regressions, neighbours = alternated(jobs, repeats, time.thread_time).values()
    others = 1.0 - min(sl.MLHAT().cardinality_threshold / len(X), 1.0)
    return (regressions - nothing + others * (neighbours - nothing)) / len(X)


@kernel
def of_one_leaf(tree, room, X, Y, settings, regressions, neighbours):
    """Let the first leaf answer and learn rows by its regressions, or answer them by its neighbours, and no more."""
    settings, s = settings[0], tree.cursor[0].root
    c = tree.links[s].leaf
    weights, intercepts = tree.weights[c], tree.intercepts[c]
    for i in range(X.shape[0]):
        row = read_row(tree, room, X[i], Y[i], find_touched(X[i], room.touched))
        if neighbours:
            ask(tree, room, s, row, settings, room.near)
        if regressions:
            linear_sums(weights, intercepts, room.columns, room.inputs, row.n_inputs, room.sums)
            bag_weights(1, i, 0, room.times)
            step(
                weights, intercepts, room.columns, room.inputs, row.n_inputs, row.square, row.y, room.times,
                settings.learning, settings.intercept, room.sums,
            )  # fmt: skip


def show_stalls(n_rows: int) -> None:
    """The slowest single instance of 20NG-F: the least of three runs, row by row, as other work disturbs any."""
    schema, X, Y = read("20ng")
    data = schema, X[:n_rows], Y[:n_rows]
    tens = min(float(np.median(followed(sl.MLHAT(seed=1), data, 10).chunk_seconds)) for _ in range(3))
    slowest = np.min([followed(sl.MLHAT(seed=1), data, 1).chunk_seconds for _ in range(3)], axis=0).max()
    console.print(
        f"20ng: the slowest instance takes {slowest * 1e3:.2f} ms, {slowest / tens:.1f} times the median chunk of 10 "
        f"({tens * 1e3:.2f} ms); aimed at: under 20 times"
    )


def show_long(name: str, n_rows: int) -> None:
    """Speed, memory and what happened to the tree, in each tenth of a stream that drifts at each tenth."""
    stream = sl.load(name, n_rows=n_rows)
    model = sl.MLHAT(seed=1).bind(stream.schema)
    kinds = ("split", "alternate_started", "alternate_promoted", "alternate_pruned")
    sheet = Sheet(f"{name}, {len(stream.drifts)} drifts", ("rows", "instances/s", "MB", "nodes", *kinds))
    for tenth in range(10):
        seconds, counts = 0.0, Counter[str]()
        for chunk in stream.chunks(CHUNK, start=tenth * n_rows // 10, stop=(tenth + 1) * n_rows // 10):
            begun = time.thread_time()
            model.test_then_train(chunk.X, chunk.Y)
            seconds += time.thread_time() - begun
            counts.update(event["kind"] for event in model.take_events())
        size, nodes = f"{model.n_bytes / 1e6:.2f}", len(model.node_columns()["id"])
        rate = f"{n_rows / 10 / seconds:,.0f}"
        sheet.add((tenth + 1) * n_rows // 10, rate, size, nodes, *(counts[kind] for kind in kinds))
    sheet.show()


# ---------------------------------------------------------------------- states, readers, generators

NOT_ALONE = {"Pipeline", "OnePerLabel", "Oversampling", "TargetsAsLabels", "RiverMultiLabel", "StandardScaler"}
"""What is made of others, or transforms."""


def states(options: Sequence[str]) -> None:
    """How large the state of each learner is as bytes, and how long it takes to write and to read."""
    given = asked("states", options, rows=1000, stream="yeast")
    stream = sl.load(given.stream)
    found: list[tuple[int, str, dict[str, float]]] = []
    for name in sorted(set(LEARNERS.names()) - NOT_ALONE):
        try:
            model = LEARNERS.load(name)()
            model.bind(stream.schema)
            for chunk in stream.chunks(CHUNK, stop=given.rows):
                model.learn_many(chunk.X, chunk.Y)
            raw = model.to_bytes()
        except (ValueError, AttributeError) as error:
            console.print(f"{name}: {str(error).splitlines()[0][:120]}")
            continue
        jobs = {"written": model.to_bytes, "read": lambda raw=raw: sl.load_model(raw)}
        found.append((len(raw), name, alternated(jobs)))
    schema = stream.schema
    title = f"{stream.name}: {schema.n_features} features, {schema.n_labels} labels; after {given.rows:,} rows"
    sheet = Sheet(title, ("learner", "bytes", "written in ms", "read in ms"))
    for size, name, seconds in sorted(found, key=lambda each: each[:2]):
        sheet.add(name, size, *(f"{1000 * each:.2f}" for each in seconds.values()))
    sheet.show()


def arff(options: Sequence[str]) -> None:
    """Reading ARFF: streamlab beside liac-arff in its fastest form, on two real data sets, in CPU seconds."""
    given = asked("arff", options, sets=["tmc2007-500", "20NG-F"], repeats=5)
    if missing():
        return
    import arff as liac

    from streamlab.streams.readers.arff import ArffStream

    forms = ("DENSE", "LOD", "COO")
    sheet = Sheet("reading ARFF (.gz), CPU s", ("set", *(f"liac {form}" for form in forms), "streamlab", "ratio"))
    for name in given.sets:
        path = SHARED / f"{name}.arff.gz"

        def theirs(form: str, path: Any = path) -> object:
            with gzip.open(path, "rt", encoding="utf-8") as file:
                return liac.load(file, encode_nominal=True, return_type=getattr(liac, form))

        jobs: dict[str, Callable[[], object]] = {form: lambda form=form, read=theirs: read(form) for form in forms}
        jobs["streamlab"] = lambda path=path: drain(ArffStream(path).blocks())
        seconds = alternated(jobs, given.repeats)
        ours = seconds.pop("streamlab")
        sheet.add(name, *seconds.values(), ours, f"{min(seconds.values()) / ours:.1f}")
    sheet.show()


def tables(options: Sequence[str]) -> None:
    """Opening and reading a table of 40,000 x 52 cells in each writing, beside pyarrow alone, in CPU seconds."""
    given = asked("tables", options, rows=40_000, repeats=5)
    import pandas as pd
    import pyarrow.csv

    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"f{j}": rng.random(given.rows).round(6) for j in range(47)})
    labels = {f"l{j}": rng.integers(0, 2, given.rows) for j in range(5)}
    frame = frame.assign(**labels)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        frame.to_csv(path / "plain.csv", index=False)
        frame.to_csv(path / "quoted.csv", index=False, quoting=1)
        frame.to_csv(path / "comma.csv", index=False, sep=";", decimal=",")
        frame.to_parquet(path / "rows.parquet", index=False)
        frame.to_json(path / "rows.jsonl", orient="records", lines=True)

        def alone() -> None:
            read = pyarrow.csv.read_csv(path / "plain.csv", pyarrow.csv.ReadOptions(use_threads=False))
            drain(column.to_numpy() for column in read.columns)

        jobs: dict[str, Callable[[], object]] = {"pyarrow alone, plain.csv": alone}
        for name in ("plain.csv", "quoted.csv", "comma.csv", "rows.parquet", "rows.jsonl"):
            jobs[name] = lambda name=name: drain(sl.load(path / name, labels=list(labels)).blocks())
        jobs["DataFrame"] = lambda: drain(sl.load(frame, labels=list(labels)).blocks())
        seconds = alternated(jobs, given.repeats)
    first = next(iter(seconds.values()))
    sheet = Sheet(f"opening and reading {given.rows:,} x 52 cells, CPU s", ("table", "seconds", "of pyarrow alone"))
    for name, each in seconds.items():
        sheet.add(name, each, f"{each / first:.1f}")
    sheet.show()


def generators(options: Sequence[str]) -> None:
    """Synthetic streams: streamlab's instances of 25 labels beside River's of one label, in CPU milliseconds."""
    given = asked("generators", options, repeats=21)
    from river.datasets import synth

    from streamlab.streams import Concept, MultiLabelGenerator

    n_rows, n_features = 1000, 80
    rivers = {
        "tree": synth.RandomTree(seed_tree=1, seed_sample=1, n_num_features=n_features, n_cat_features=0),
        "rbf": synth.RandomRBF(seed_model=1, seed_sample=1, n_features=n_features, n_centroids=50),
        "hyperplane": synth.Hyperplane(
            seed=1, n_features=n_features, n_drift_features=10, mag_change=0.001, noise_percentage=0.05
        ),
    }
    sheet = Sheet(f"{n_rows:,} instances, CPU ms", ("generator", "River, 1 label", "streamlab, 25 labels", "ratio"))
    for place, (base, river) in enumerate(rivers.items()):
        own = MultiLabelGenerator(base, Concept(seed=place), n_features=n_features, n_labels=25, n_rows=None)
        # both go on where they were, and let go of what they gave, as an evaluation does
        chunks, peer = own.chunks(n_rows), iter(river)
        jobs = {
            "River": lambda peer=peer: drain(islice(peer, n_rows)),
            "streamlab": lambda chunks=chunks: drain(islice(chunks, 1)),
        }
        theirs, ours = (1000 * each for each in alternated(jobs, given.repeats).values())
        sheet.add(base, f"{theirs:.1f}", f"{ours:.2f}", f"{theirs / ours:.0f}")
    sheet.show()


def drain(rows: Iterable[object]) -> None:
    """Read all of it and keep nothing."""
    deque(rows, maxlen=0)


# ---------------------------------------------------------------------- the first import

IMPORT = """
import time
start = time.perf_counter()
import streamlab
print(time.perf_counter() - start)
"""
FIRST_CHUNK = """
import time
import numpy as np
X = np.random.default_rng(0).random((100, 50))
Y = (X[:, :10] > 0.7).astype(np.uint8)
import streamlab as sl
model = sl.SMART(seed=1)
start = time.perf_counter()
for _ in range(2):
    # the first chunk is the warm-up's, the second the first that is predicted
    model.test_then_train(X, Y)
print(time.perf_counter() - start)
"""


def startup(options: Sequence[str]) -> None:
    """Seconds until something happens: the import, and SMART's first chunks without and with compiled kernels."""
    given = asked("startup", options, repeats=5)
    sheet = Sheet("start-up, in fresh interpreters", ("", "seconds", "allowed"))
    sheet.add("import streamlab", statistics.median(fresh(IMPORT) for _ in range(given.repeats)), "1")
    with tempfile.TemporaryDirectory() as cache:
        sheet.add("SMART's first two chunks, nothing compiled", fresh(FIRST_CHUNK, NUMBA_CACHE_DIR=cache), "15")
        warm = [fresh(FIRST_CHUNK, NUMBA_CACHE_DIR=cache) for _ in range(given.repeats)]
    sheet.add("SMART's first two chunks, compiled", statistics.median(warm), "1")
    sheet.show()


def fresh(code: str, **environment: str) -> float:
    """The number that the code prints, run in an interpreter of its own."""
    environment = os.environ | environment
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True).stdout)


# ---------------------------------------------------------------------- council


def council(options: Sequence[str]) -> int:
    """Council: rows a CPU second, of each expert asked row by row, and the share of the stack and of the answer."""
    given = asked("council", options, sets=["yeast", "enron", "tmc"], repeats=5)
    if missing():
        return 1
    rates: dict[str, list[str]] = {}
    for name in given.sets:
        n, taken = council_seconds(name, given.repeats)
        for job, seconds in taken.items():
            rates.setdefault(job, []).append(f"{n / seconds:,.0f} ({seconds / taken['Council']:.0%})")
    sheet = Sheet("rows a CPU second, medians by turns (share of the council's time)", ("", *given.sets))
    for job, told in rates.items():
        sheet.add(job, *told)
    sheet.show()
    return 0


def council_seconds(name: str, repeats: int) -> tuple[int, dict[str, float]]:
    """Rows of a set, and the seconds that the council, its experts and its own parts take for them."""
    schema, X, Y = (part[:10_000] if isinstance(part, np.ndarray) else part for part in read(name))
    gaps = np.isnan(X).any(axis=1)
    learned = sl.Council(seed=1).bind(schema)
    learned.test_then_train(X, Y)
    said, out = learned._experts_scores(X, gaps), np.zeros(Y.shape)

    def whole(model: Any) -> None:
        model.bind(schema)
        for start in range(0, len(X), CHUNK):
            cut = slice(start, start + CHUNK)
            model._scores_row_by_row(X[cut], Y[cut], gaps[cut])

    makers = {"Council": sl.Council(seed=1)} | sl.Council(seed=1).experts
    jobs: dict[str, Any] = {key: lambda model=model: whole(model.clone()) for key, model in makers.items()}
    jobs["the stack"] = lambda: learned._combine(said, Y, 0, len(Y), True, out)
    jobs["the answer"] = lambda: choose_expected_f1(out, True, np.zeros(Y.shape, np.uint8))
    return len(X), alternated(jobs, repeats)
