"""Streams made up for the tests of learners: a schema, instances and labels that depend on them, with a drift."""

from __future__ import annotations

import numpy as np

from streamlab.schema import Feature, Schema

__all__ = ["generated", "rows", "schema_of"]


def schema_of(n_numeric: int, n_nominal: int = 0, n_labels: int = 5, *, ranges: bool = True) -> Schema:
    """Numeric features in [0, 1], declared or not, then nominal ones of four categories."""
    low, high = (0.0, 1.0) if ranges else (None, None)
    numeric = tuple(Feature(f"x{i}", None, low, high) for i in range(n_numeric))
    nominal = tuple(Feature(f"c{i}", ("red", "green", "blue", "grey")) for i in range(n_nominal))
    return Schema(numeric + nominal, tuple(f"l{i}" for i in range(n_labels)))


def generated(schema: Schema, n: int, *, missing: float = 0.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """``n`` instances of ``schema`` with the share ``missing`` of their values missing; labels flip half-way."""
    rng = np.random.default_rng(seed)
    nominal = np.array([f.is_nominal for f in schema.features])
    X = rng.random((n, schema.n_features))
    X[:, nominal] = np.floor(X[:, nominal] * 4)
    scaled = np.where(nominal, X / 4, X)
    weights = rng.normal(size=(schema.n_features, schema.n_labels))
    margin = (scaled - 0.5) @ weights + 0.1 * rng.normal(size=(n, schema.n_labels)) - 0.2
    margin[n // 2 :] = np.roll(margin[n // 2 :], 1, axis=1)
    X[rng.random(X.shape) < missing] = np.nan
    return X, (margin > 0).astype(np.uint8)


def rows(schema: Schema, X: np.ndarray, Y: np.ndarray) -> list[tuple[dict, dict]]:
    """The instances as River's dictionaries: a missing value as None, a nominal one by its category's name."""
    return [
        (
            {
                f.name: None if np.isnan(v) else f.categories[int(v)] if f.categories else float(v)
                for f, v in zip(schema.features, values, strict=True)
            },
            {label: bool(flag) for label, flag in zip(schema.labels, flags, strict=True)},
        )
        for values, flags in zip(X, Y, strict=True)
    ]
