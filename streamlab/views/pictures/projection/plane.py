"""A plane that keeps still: where its points are drawn although its axes flip, turn or change their length."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

# fewer points in common than this do not say how the plane has turned
FEWEST = 4


def similarity(points: ArrayLike, goal: ArrayLike) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Turn, reflect, scale and shift points so that they lie as near as can be to others.

    The rotation or reflection is that of orthogonal Procrustes. The scale is the ratio of the two spreads, not the one
    of least squares: that is smaller wherever the two do not agree, and picture after picture would shrink.

    Parameters
    ----------
    points, goal
        Arrays of shape (n, 2), in the same order.

    Returns
    -------
    scale, turn, shift
        ``scale * points @ turn + shift`` is near ``goal``; ``turn`` (2, 2) is orthogonal. Where all points, or all
        goals, coincide, the scale is 1 and nothing is turned.

    Sources
    -------
    P. Schönemann: "A generalized solution of the orthogonal Procrustes problem", Psychometrika 31, 1966.
    """
    points, goal = np.asarray(points, dtype=np.float64), np.asarray(goal, dtype=np.float64)
    middle, goal_middle = points.mean(axis=0), goal.mean(axis=0)
    away, goal_away = points - middle, goal - goal_middle
    spread, goal_spread = np.linalg.norm(away), np.linalg.norm(goal_away)
    if spread == 0 or goal_spread == 0:
        return 1.0, np.eye(2), goal_middle - middle
    left, _, right = np.linalg.svd(away.T @ goal_away)
    turn, scale = left @ right, goal_spread / spread
    return float(scale), turn, goal_middle - scale * middle @ turn


class StablePlane:
    """Where to draw the points of a plane whose axes may flip, turn, swap or change their length between two pictures.

    The first picture is drawn about its middle, with a spread of 1. Each later one is brought, by :func:`similarity`,
    as near as can be to where the same instances were drawn before; where too few are the same, to where the class
    means were. Distances within a picture keep their proportions. What still moves has moved within the plane, or the
    plane itself has turned into other dimensions.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start again with the next picture."""
        self._scale, self._turn, self._shift = 1.0, np.eye(2), np.zeros(2)
        self._raw: tuple[NDArray, NDArray, NDArray] | None = None

    def take(self, rows: ArrayLike, points: ArrayLike, means: ArrayLike) -> None:
        """The next picture: numbers of the instances (n,), where they lie (n, 2), and the class means (K, 2)."""
        rows = np.asarray(rows)
        points, means = np.asarray(points, dtype=np.float64), np.asarray(means, dtype=np.float64)
        if self._raw is not None:
            self._align(*self._in_common(rows, points, means))
        elif len(points):
            middle = points.mean(axis=0)
            spread = np.sqrt(((points - middle) ** 2).sum(axis=1).mean())
            self._scale = 1.0 / spread if spread > 0 else 1.0
            self._shift = -self._scale * middle
        if len(points):
            self._raw = rows.copy(), points.copy(), means.copy()

    def draw(self, points: ArrayLike) -> NDArray[np.float64]:
        """Where points (n, 2) of the picture last taken are drawn."""
        return self._scale * np.asarray(points, dtype=np.float64) @ self._turn + self._shift

    def _in_common(self, rows: NDArray, points: NDArray, means: NDArray) -> tuple[NDArray, NDArray]:
        """What this picture shares with the last: where it lies now, and where it lay then."""
        assert self._raw is not None, "there is no last picture"
        old_rows, old_points, old_means = self._raw
        _, here, there = np.intersect1d(rows, old_rows, return_indices=True)
        if len(here) >= FEWEST:
            return points[here], old_points[there]
        k = min(len(means), len(old_means))
        known = np.isfinite(means[:k]).all(axis=1) & np.isfinite(old_means[:k]).all(axis=1)
        return means[:k][known], old_means[:k][known]

    def _align(self, now: NDArray, before: NDArray) -> None:
        # the same plane as before is drawn in the same place, to the last bit
        if len(now) < FEWEST or np.array_equal(now, before):
            return
        self._scale, self._turn, self._shift = similarity(now, self.draw(before))
