"""RankedKNN in numpy: all rows are kept, and everything is computed again for each row."""

from __future__ import annotations

import numpy as np

import streamlab as sl
from tests.learners.linear.by_hand import coordinates, is_sparse


def closeness(points: np.ndarray, row: np.ndarray, first: int, sparse: bool) -> np.ndarray:
    """How near each of the rows from ``first`` on is: larger is nearer."""
    if sparse:
        rows, row = np.nan_to_num(points[first:]), np.nan_to_num(row)
        over = np.linalg.norm(rows, axis=1) * np.linalg.norm(row)
        return np.divide(rows @ row, over, out=np.zeros(len(rows)), where=over > 0).astype(np.float32)
    total = np.zeros(len(points) - first)
    for j in range(points.shape[1]):
        there = points[~np.isnan(points[:, j]), j]
        if not len(there) or there.min() == there.max():
            continue
        away = np.where(np.isnan(points[first:, j]), there.mean(), points[first:, j])
        away = away - (there.mean() if np.isnan(row[j]) else row[j])
        total -= (away / there.std()) ** 2
    return total


def run(schema: sl.Schema, X: np.ndarray, Y: np.ndarray, k: int, window: int) -> tuple[np.ndarray, list[list[int]]]:
    """Scores of each row before it is learned, and the numbers of the rows that voted, the nearest first."""
    points = coordinates(schema, X)
    scores, voters = np.zeros(Y.shape), []
    for i, row in enumerate(points):
        first = max(i - window, 0)
        near = closeness(points[:i], row, first, is_sparse(points[: i + 1]))
        # of equals the newer is nearer; what differs by rounding is equal
        order = sorted(range(first, i), key=lambda number: (-round(near[number - first], 9), -number))[:k]
        votes = 1 / np.arange(1, len(order) + 1)
        scores[i] = votes @ Y[order] / (votes.sum() + 0.3)
        voters.append(order)
    return scores, voters
