"""Data for the benchmarks: the published sets of the shared data folder, the package's own, and made-up ones."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import scipy.sparse

import streamlab as sl
from streamlab.schema import Feature, NumberedFeatures, Schema
from streamlab.streams.fetch import is_cached

__all__ = ["LONG", "REORDERED", "SETS", "SHARED", "WIDE", "Data", "missing", "opened", "read", "rotated", "tmc2007"]

Data = tuple[Schema, np.ndarray, np.ndarray]
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
# name: files, labels where a file does not say so itself, published F1, the program's F1 as measured
SETS: dict[str, tuple[tuple[str, ...], str | int | None, float, float | None]] = {
    "emotions": (("emotions",), None, 0.446, 0.447),
    "yeast": (("yeast",), None, 0.588, 0.594),
    "scene": (("scene-train", "scene-test"), "scene.xml", 0.948, 0.954),
    "water quality": (("Water-quality",), 14, 0.533, None),
    "flags": (("flags",), None, 0.605, None),
    "birds": (("birds-train", "birds-test"), "birds.xml", 0.482, None),
    "medical": (("medical",), None, 0.539, None),
    "enron": (("enron",), None, 0.421, None),
    "slashdot": (("SLASHDOT-F",), None, 0.361, None),
    "20ng": (("20NG-F",), None, 0.600, None),
    "tmc": (("tmc2007-500",), None, 0.628, None),
}
FURTHER = ("segments", "instruments", "movies")
"""Real and synthesised sets that the package itself has; nothing is published of them."""
SHUFFLED = ", shuffled"
REORDERED = tuple(f"{name}{SHUFFLED}" for name in ("scene", "water quality", "enron"))
"""Sets whose order in the file flatters, their rows in one random order, the same for every learner."""
LONG = tuple(f"{name} {seed}" for name in ("syn-regions", "syn-branches") for seed in (1, 2, 3))
"""Regions of the feature space with label sets of their own, a branch of which drifts; three seeds of each stream."""
LONG_ROWS = 100_000


def missing() -> bool:
    """Whether the shared data folder is absent; then says so."""
    absent = not SHARED.is_dir()
    if absent:
        from benchmarks.harness import console

        console.print(f"{SHARED} is not there: it holds the published data sets")
    return absent


def opened(name: str) -> list[sl.Stream]:
    """The files of a published set, the training rows first."""
    files, labels, *_ = SETS[name]
    return [
        sl.load(SHARED / f"{file}.arff.gz", labels=SHARED / labels if isinstance(labels, str) else labels)
        for file in files
    ]


@lru_cache(maxsize=1)
def read(name: str) -> Data:
    """A data set as a whole, its training rows first."""
    if name.endswith(SHUFFLED):
        schema, X, Y = read(name.removesuffix(SHUFFLED))
        order = np.random.default_rng(0).permutation(len(X))
        return schema, X[order], Y[order]
    if name in SETS:
        streams = opened(name)
    else:
        name, _, seed = name.partition(" ")
        streams = [sl.load(name, seed=int(seed), n_rows=LONG_ROWS) if seed else sl.load(name)]
    chunks = [chunk for stream in streams for chunk in stream.chunks(1000)]
    X, Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")
    return streams[0].schema, X, Y


def tmc2007() -> tuple[str, Data]:
    """``tmc2007-500`` in words and in full; where it is absent, rows of its shape."""
    if SHARED.is_dir():
        return "tmc2007-500, the published file", read("tmc")
    rng = np.random.default_rng(0)
    X = (rng.random((28_596, 500)) < rng.beta(0.5, 10.5, 500)).astype(np.float64)
    Y = (rng.random((28_596, 22)) < rng.beta(0.8, 7.4, 22)).astype(np.uint8)
    schema = Schema(tuple(Feature(f"w{i}", ("0", "1")) for i in range(500)), tuple(f"l{i}" for i in range(22)))
    return "GENERATED in the shape of tmc2007-500 (the shared data folder is absent)", (schema, X, Y)


def rotated(name: str) -> sl.Stream | None:
    """The stream of the SMART paper: a set by its name, whose labels rotate in 11 stages; None where it is absent."""
    path = SHARED / f"{name}.arff.gz"
    if path.exists() and name != "yeast":
        xml = SHARED / f"{name}.xml"
        stream = sl.load(path, labels=str(xml) if xml.is_file() else None)
    elif name == "yeast" or is_cached(f"{name}.arff"):
        stream = sl.load(name)
    else:
        return None
    return sl.rotate_labels(stream, stages=11, seed=0)


# ---------------------------------------------------------------------- wide rows, whose labels depend on a few columns


def nominal(n: int, n_features: int, n_categories: int, first: float, n_labels: int = 20, seed: int = 0) -> Data:
    """Return nominal features; ``first``: share of the first category, besides. About 12 % of the labels are there."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_categories, (n, n_features)).astype(np.float64)
    X[rng.random(X.shape) < first] = 0.0
    weights = rng.normal(size=(n_features, n_labels)) * (rng.random((n_features, n_labels)) < 0.05)
    categories = tuple(map(str, range(n_categories)))
    features = tuple(Feature(f"x{j}", categories) for j in range(n_features))
    Y = _labels((X != 0) @ weights, 1.0, 1.2, rng)
    return Schema(features, tuple(f"l{j}" for j in range(n_labels))), X, Y


def numeric(n: int, n_features: int, n_labels: int = 14, seed: int = 0) -> Data:
    """Return numeric features none of which is 0; about 8 % of the labels are there."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, n_features))
    weights = rng.normal(size=(n_features, n_labels)) * (rng.random((n_features, n_labels)) < 0.05)
    features = tuple(Feature(f"x{j}") for j in range(n_features))
    return Schema(features, tuple(f"l{j}" for j in range(n_labels))), X, _labels(X @ weights, 1.0, 1.94, rng)


def sparse(n: int, n_features: int, n_values: int = 30, n_labels: int = 50, seed: int = 0) -> Data:
    """Return sparse numeric rows of some ``n_values`` words, drawn by Zipf's law; about 4 % of the labels are there."""
    rng = np.random.default_rng(seed)
    words = np.sort(rng.zipf(1.3, (n, n_values)) % n_features, axis=1)
    new = np.ones(words.shape, np.bool_)
    new[:, 1:] = words[:, 1:] != words[:, :-1]
    indptr = np.concatenate([[0], np.cumsum(new.sum(axis=1))])
    values = rng.integers(1, 1001, int(indptr[-1])) / 1000.0
    X = scipy.sparse.csr_array((values, words[new], indptr), shape=(n, n_features))
    Y = _labels(X @ rng.normal(size=(n_features, n_labels)), 0.5, 2.0, rng)
    return Schema(NumberedFeatures(n_features), tuple(f"l{j}" for j in range(n_labels))), X, Y


def _labels(sums: np.ndarray, noise: float, above: float, rng: np.random.Generator) -> np.ndarray:
    scores = (sums - sums.mean(axis=0)) / sums.std(axis=0)
    return (scores + noise * rng.normal(size=scores.shape) > above).astype(np.uint8)


WIDE = {
    "nominal: 1,186 columns of 2, 97 % the first": lambda n: nominal(n, 1186, 2, 0.95),
    "nominal: 1,186 columns of 3, 93 % the first": lambda n: nominal(n, 1186, 3, 0.9),
    "nominal: 1,836 columns of 4, evenly": lambda n: nominal(n, 1836, 4, 0.0),
    "numeric: 440 columns, 14 labels": lambda n: numeric(n, 440),
    "sparse: 20,000 columns, 30 values, 50 labels": lambda n: sparse(n, 20_000),
}
"""The wide sets by what they are; each takes a number of rows."""
