"""Rows of many keys as files for Spark, a session for them, and the same learners run apart."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from streamlab.learners import Learner
from streamlab.streams import Stream

__all__ = ["arrive", "learned_apart", "session", "write_batches"]

BEGAN = 1_700_000_000
"""When the first file came, in seconds since 1970."""


def session(master: str = "local[2]", memory: str = "2g") -> Any:
    """Return a Spark session that keeps states as ``learn_by_key`` needs, on this machine alone."""
    from pyspark.sql import SparkSession

    from streamlab_live.keyed import STATE_STORE

    # the workers are this Python, and a processor each
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("NUMBA", "OPENBLAS", "OMP", "MKL")}
    builder = SparkSession.builder.master(master).appName("streamlab")
    settings = STATE_STORE | {
        "spark.driver.memory": memory,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.log.level": "ERROR",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _keys(stream: Stream, n_keys: int, seed: int) -> np.ndarray:
    """Each key has as many rows as any other, in an order that is drawn."""
    assert stream.n_rows is not None, "a stream of known length"
    return np.random.default_rng(seed).permutation(np.arange(stream.n_rows) % n_keys)


def write_batches(stream: Stream, n_keys: int, folder: Path, *, n_batches: int, seed: int) -> list[Path]:
    """Write the rows with a drawn ``user`` and their ``offset``, shuffled within each file; return the files."""
    folder.mkdir(parents=True)
    chunk = next(stream.chunks(stream.n_rows or 0))
    table = pd.DataFrame(np.asarray(chunk.X), columns=list(stream.schema.feature_names))
    table[list(stream.schema.labels)] = chunk.Y
    table["user"] = [f"u{key:04d}" for key in _keys(stream, n_keys, seed)]
    table["offset"] = np.arange(len(table))
    paths = []
    for place, part in enumerate(np.array_split(np.arange(len(table)), n_batches)):
        path = folder / f"{place:04d}.parquet"
        # Spark promises no order
        table.iloc[np.random.default_rng(place).permutation(part)].reset_index(drop=True).to_parquet(path)
        paths.append(path)
    return paths


def arrive(files: Sequence[Path], folder: Path) -> None:
    """Copy files to where Spark looks for them: it takes them by the time of their last change, so each has its own."""
    folder.mkdir(exist_ok=True)
    for file in files:
        arrived = folder / f".{file.name}"
        shutil.copy(file, arrived)
        os.utime(arrived, (BEGAN + int(file.stem),) * 2)
        arrived.rename(folder / file.name)


def learned_apart(
    stream: Stream, n_keys: int, learner: Learner, *, n_batches: int, seed: int
) -> dict[str, tuple[Learner, np.ndarray, np.ndarray]]:
    """Return the learner, scores and labels of each key, learned in this process and never written anywhere.

    Rows are cut as in the batches: answers do not depend on that, the places of SMART's nodes in memory do.
    """
    chunk = next(stream.chunks(stream.n_rows or 0))
    keys = _keys(stream, n_keys, seed)
    parts = np.array_split(np.arange(len(keys)), n_batches)
    found = {}
    for key in range(n_keys):
        model = learner.clone().bind(stream.schema)
        cuts = [part[keys[part] == key] for part in parts]
        answers = [model.test_then_train(chunk.X[mine], chunk.Y[mine]) for mine in cuts if len(mine)]
        scores, labels = (np.vstack(each) for each in zip(*answers, strict=True))
        found[f"u{key:04d}"] = (model, scores, labels)
    return found
