"""A learner for each of 1,000 keys on Spark: equal to learners run apart, from the checkpoint too, and how fast.

``python -m live_benchmarks.spark [--keys 1000] [--rows 1000] [--batches 8] [--learner SMART] [--master "local[2]"]``

Rows of ``syn-regions`` are dealt to the keys, written as Parquet files, and read as a stream, a file a batch. The query
ends after half of the files, and a second one goes on from its checkpoint. Every answer and every state is compared
with learners of this process that no engine has seen, then rows a second with those. Needs
``streamlab-live[spark]`` and Java, 17 or later.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlab as sl
from benchmarks.harness import asked, console

from live_tests.keyed.spark_keys import arrive, learned_apart, session, write_batches
from streamlab_live.keyed import KeyLearner, learn_by_key, learned_by_key

__all__ = ["main"]

SEED = 1
LEARNERS = {
    "SMART": lambda: sl.SMART(seed=SEED),
    "SMART, 3 trees": lambda: sl.SMART(n_trees=3, seed=SEED),
    "MLHAT": lambda: sl.MLHAT(seed=SEED),
    "MajorityLabels": sl.MajorityLabels,
}


def main(options: list[str] | None = None) -> int:
    given = asked(
        "spark", options, keys=1000, rows=1000, batches=8, learner="SMART", master="local[2]"
    )  # fmt: skip
    stream = sl.load("syn-regions", n_rows=given.keys * given.rows, seed=SEED)
    learner = LEARNERS[given.learner]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = write_batches(stream, given.keys, folder / "all", n_batches=given.batches, seed=SEED)
        began = time.monotonic()
        spark = session(given.master)
        console.print(f"Spark {spark.version}, {given.master}, began in {time.monotonic() - began:.1f} s")
        seconds = []
        half = len(files) // 2
        for part in (files[:half], files[half:]):
            arrive(part, folder / "in")
            seconds.append(_query(spark, folder, learner, stream.schema))
        rows = given.keys * given.rows
        console.print(
            f"{rows:,} rows of {given.keys:,} keys in {given.batches} batches: {sum(seconds):.1f} s, "
            f"{rows / sum(seconds):,.0f} rows a second "
            f"(before the checkpoint {seconds[0]:.1f} s, then {seconds[1]:.1f} s)"
        )
        began = time.monotonic()
        # by files: Spark hands over at most 1 GB
        learned_by_key(spark, f"{folder}/checkpoint").write.parquet(f"{folder}/states")
        kept = pd.read_parquet(folder / "states")
        states = dict(zip(kept.key, kept.learner, strict=True))
        console.print(f"the learners of all keys were read back in {time.monotonic() - began:.1f} s")
        answers = pd.read_parquet(folder / "out").sort_values(["user", "row"])
        spark.stop()
    return _compared(stream, given.keys, learner, files, states, answers, sum(seconds), given.batches)


def _query(spark: Any, folder: Path, learner: Any, schema: sl.Schema) -> float:
    began = time.monotonic()
    form = spark.read.parquet(f"{folder}/in").schema
    rows = spark.readStream.schema(form).option("maxFilesPerTrigger", 1).parquet(f"{folder}/in")
    query = (
        learn_by_key(rows, "user", learner, schema, order="offset")
        .writeStream.format("parquet")
        .option("checkpointLocation", f"{folder}/checkpoint")
        .option("path", f"{folder}/out")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return time.monotonic() - began


def _compared(
    stream: Any, n_keys: int, learner: Any, files: Any, states: dict[str, bytes], answers: Any, spark: float, n: int
) -> int:
    began = time.monotonic()
    apart = learned_apart(stream, n_keys, learner, n_batches=n, seed=SEED)
    kept = time.monotonic() - began
    by_user = dict(tuple(answers.groupby("user")))
    different = 0
    for user, (model, scores, labels) in apart.items():
        own, mine = sl.load_model(states[user]).state(), by_user[user]
        same = own.keys() == model.state().keys() and all(np.array_equal(own[k], v) for k, v in model.state().items())
        same &= np.array_equal(np.vstack(mine.scores), scores) and np.array_equal(np.vstack(mine.labels), labels == 1)
        different += not same
    console.print(f"of {len(apart):,} keys {different} differ from a learner run apart, in its state or in an answer")
    sizes = sorted(map(len, states.values()))
    console.print(f"state of a key: median {sizes[len(sizes) // 2]:,} bytes, most {sizes[-1]:,}")
    with_bytes = _with_bytes(stream, n_keys, learner, n)
    rows = stream.n_rows
    console.print(
        f"one process: {rows / kept:,.0f} rows a second with all learners in memory ({spark / kept:.1f} x Spark's), "
        f"{rows / with_bytes:,.0f} with states as bytes between {n} batches ({spark / with_bytes:.1f} x)"
    )
    return int(different > 0)


def _with_bytes(stream: Any, n_keys: int, learner: Any, n_batches: int) -> float:
    """Return the seconds of the same work in this process, states written and read for each batch."""
    chunk = next(stream.chunks(stream.n_rows))
    each, states = KeyLearner(learner, stream.schema), dict[int, bytes]()
    began = time.monotonic()
    for part in np.array_split(np.arange(stream.n_rows), n_batches):
        for key in range(n_keys):
            mine = part[key::n_keys]
            states[key], *_ = each.learn(key, states.get(key), chunk.X[mine], chunk.Y[mine])
    return time.monotonic() - began
