"""Streams for the benchmarks: the published file where the shared data folder is there, else one of its shape."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from streamlab.schema import Feature, Schema

__all__ = ["SHARED", "synthetic_chunk", "tmc2007"]

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def tmc2007() -> tuple[str, Schema, np.ndarray, np.ndarray]:
    """``tmc2007-500``: what it is in words, its schema, X float64 [28596, 500] and Y uint8 [28596, 22], dense."""
    path = SHARED / "tmc2007-500.arff.gz"
    if not path.exists():
        return _like_tmc2007()
    from streamlab.streams import load

    stream = load(path)
    chunks = list(stream.chunks(1000))
    X, Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")
    return "tmc2007-500, the published file", stream.schema, X, Y


def _like_tmc2007() -> tuple[str, Schema, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = (rng.random((28_596, 500)) < rng.beta(0.5, 10.5, 500)).astype(np.float64)
    Y = (rng.random((28_596, 22)) < rng.beta(0.8, 7.4, 22)).astype(np.uint8)
    schema = Schema(tuple(Feature(f"w{i}", ("0", "1")) for i in range(500)), tuple(f"l{i}" for i in range(22)))
    return "GENERATED in the shape of tmc2007-500 (the shared data folder is absent)", schema, X, Y


def synthetic_chunk(number: int, size: int, n_features: int, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    """Chunk ``number`` of an endless stream, in itself reproducible: numeric features in [0, 1), about 3 labels."""
    rng = np.random.default_rng([7, number])
    X = rng.random((size, n_features))
    Y = (X[:, np.arange(n_labels) % n_features] + rng.random((size, n_labels)) < 0.35).astype(np.uint8)
    return X, Y
