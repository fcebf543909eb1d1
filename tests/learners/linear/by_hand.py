"""OnlineLogistic in numpy: all rows are kept, and each row's scaling is computed from all rows so far."""

from __future__ import annotations

import numpy as np

import streamlab as sl


def coordinates(schema: sl.Schema, X: np.ndarray) -> np.ndarray:
    """Numeric features as they are, nominal ones as indicators of all categories but the first; NaN is missing."""
    columns = []
    for feature, values in zip(schema.features, X.T, strict=True):
        if feature.categories is None:
            columns.append(values)
            continue
        for k in range(1, max(len(feature.categories), 2)):
            columns.append(np.where(np.isnan(values), np.nan, values == k))
    return np.array(columns).T.reshape(len(X), -1)


def counted(schema: sl.Schema, X: np.ndarray) -> np.ndarray:
    """The values that count where rows are judged sparse: a feature of more than 17 categories is one."""
    narrow = [feature.categories is None or len(feature.categories) <= 17 for feature in schema.features]
    features = tuple(f for f, is_narrow in zip(schema.features, narrow, strict=True) if is_narrow)
    return np.hstack([coordinates(sl.Schema(features, schema.labels), X[:, narrow]), X[:, ~np.array(narrow)]])


def is_sparse(values: np.ndarray) -> bool:
    first = values[:100]
    return bool((first == 0).sum() > 0.7 * (~np.isnan(first)).sum())


def scaled(schema: sl.Schema, X: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The last row, given all rows so far."""
    row = points[-1]
    if is_sparse(counted(schema, X)):
        length = np.sqrt(np.nansum(row**2))
        return np.nan_to_num(row * (3 / length if length else 0))
    x = np.zeros(len(row))
    for j, values in enumerate(points.T):
        there = values[~np.isnan(values)]
        if np.isnan(row[j]) or there.min() == there.max():
            continue
        x[j] = np.clip((row[j] - there.mean()) / there.std(), -4, 4)
    return (
        x
        / np.sqrt(sum(1 if f.categories is None else min(max(len(f.categories) - 1, 1), 16) for f in schema.features))
        * 3
    )


def run(
    schema: sl.Schema, X: np.ndarray, Y: np.ndarray, step: float, fading: float, intercept_step: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores of each row before it is learned, and the weights and intercepts at the end."""
    points = coordinates(schema, X)
    n, n_labels = Y.shape
    w, G = np.zeros((2, points.shape[1], n_labels))
    b, H = np.full(n_labels, -2.0), np.zeros(n_labels)
    scores = np.empty((n, n_labels))
    for i in range(n):
        x = scaled(schema, X[: i + 1], points[: i + 1])
        scores[i] = 1 / (1 + np.exp(-(b + x @ w)))
        g = scores[i] - Y[i]
        H = fading * H + g**2
        b -= intercept_step * g / np.sqrt(H + 0.001)
        moved = x != 0
        slope = g * x[moved, None]
        G[moved] = fading * G[moved] + slope**2
        w[moved] -= step * slope / np.sqrt(G[moved] + 0.01)
    return scores, w, b
