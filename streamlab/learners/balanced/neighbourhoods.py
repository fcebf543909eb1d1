"""The classes and neighbourhoods of BalancedKNN: as columns for pictures, and as a table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base._nearest import nearest
from streamlab.learners.base.parameters import kept, tunable
from streamlab.learners.base.rows_shown import story_of, table_of
from streamlab.learners.base.storage import between
from streamlab.learners.points.point_learner import PointLearner

if TYPE_CHECKING:
    import pandas as pd


class Neighbourhoods(PointLearner):
    """Reports the points that BalancedKNN keeps; it changes nothing."""

    _ids: np.ndarray = kept("rows", dtype=np.int64, rising=True)
    # the last column is for rows without a label
    _members: np.ndarray = kept("rows", "labels+1", dtype=np.uint8, rules=(between(0, 1),))
    _thresholds: np.ndarray = kept("labels", fill=math.inf)
    # 0 would divide by nothing
    _sigma: float = kept(low=5e-324)
    _n_learned: int = kept(low=0)
    n_neighbors: int = tunable(
        1, 30, default=5, limit=10_000, title="Neighbours of each class",
        help="More smooth the scores; few follow small groups.",
    )  # fmt: skip
    # methods of BalancedKNN
    thresholds_: ClassVar[Any]
    _decide: ClassVar[Any]
    _listed: ClassVar[Any]

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the classes as arrays, one entry per label.

        Returns
        -------
        dict
            ``id`` (the label's column), ``threshold`` (h_k), ``window`` (its instances that are kept).
        """
        counts = self._members[:, :-1].sum(axis=0, dtype=np.int64)
        return {"id": np.arange(len(counts)), "threshold": self._thresholds.copy(), "window": counts}

    @staticmethod
    def _plane(points: np.ndarray) -> np.ndarray:
        """Return the first two coordinates; 0 where there is none."""
        return np.pad(points[:, :2], ((0, 0), (0, max(2 - points.shape[1], 0))))

    def nodes(self) -> pd.DataFrame:
        """``node_columns`` as a table, with the labels' names: one row per class, indexed by ``id``."""
        return table_of(self.node_columns(), label=[str(name) for name in self._labels])

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return ``node_columns`` of one class, with its ``label``; None if there is no such class."""
        story = story_of(self.node_columns(), node_id)
        return None if story is None else {"label": self._labels[node_id]} | story

    def neighbourhood(self, x: Any) -> dict[str, np.ndarray]:
        """Return the balanced neighbours of one instance and what follows from them.

        Parameters
        ----------
        x
            A row of shape (n_features,), or a dictionary as River's.

        Returns
        -------
        dict
            ``point`` (2,): where the instance lies in the first two coordinates. Per neighbour, nearest first within
            each class: ``label`` (column), ``row`` (number of the instance, counted from the first learned),
            ``points`` (m, 2), ``distance`` (Euclidean, in all coordinates). Per class: ``scores`` (f_k),
            ``thresholds`` (h_k), ``predicted`` (uint8).
        """
        return self._neighbourhood(self._one_row(x).values)

    def _neighbourhood(self, X: np.ndarray) -> dict[str, np.ndarray]:
        n_labels = len(self._labels)
        if not len(self._X):
            nothing = np.zeros(0, np.int64)
            return {
                "point": np.zeros(2), "label": nothing, "row": nothing, "points": np.zeros((0, 2)),
                "distance": np.zeros(0), "scores": np.full(n_labels, -1.0), "thresholds": self.thresholds_,
                "predicted": np.zeros(n_labels, np.uint8),
            }  # fmt: skip
        return self._around(self._located(X), np.array([-1]))

    def neighbourhood_of(self, row: int) -> dict[str, np.ndarray] | None:
        """Return the ``neighbourhood`` of an instance that is kept, which is not its own neighbour.

        Parameters
        ----------
        row
            Its number, as in ``recent``.

        Returns
        -------
        dict or None
            As ``neighbourhood``, and ``instance``, that number, and ``Y``, its labels, uint8 (n_labels,). None if it is
            not kept, or no longer.
        """
        own = np.flatnonzero(self._ids == row)[:1]
        if not len(own):
            return None
        return self._around(self._points[own], own) | {"instance": int(row), "Y": self._Y[own[0]].copy()}

    def _around(self, point: np.ndarray, own: np.ndarray) -> dict[str, np.ndarray]:
        """Return the neighbourhood of a point (1, width); ``own`` int64 (1,): which training point it is, or -1."""
        n_labels = len(self._labels)
        squares = ((self._points - point) ** 2).sum(axis=1)
        if own[0] >= 0:
            squares[own[0]] = math.inf
        starts, rows = self._listed()
        best, who = np.empty(int(self.n_neighbors)), np.zeros(int(self.n_neighbors), np.int64)
        labels: list[int] = []
        chosen: list[int] = []
        for k in range(n_labels):
            count = nearest(squares, rows, starts[k], starts[k + 1], who, best)
            labels += [k] * count
            chosen += who[:count].tolist()
        rows = np.array(chosen, np.int64)
        f = self._decide(point, own, int(self.n_neighbors))[0]
        return {
            "point": self._plane(point + self._centre)[0],
            "label": np.array(labels, np.int64),
            "row": self._ids[rows],
            "points": self._plane(self._points[rows] + self._centre),
            "distance": np.sqrt(squares[rows]),
            "scores": f,
            "thresholds": self.thresholds_,
            "predicted": (f > self._thresholds).astype(np.uint8),
        }

    def kept_within(self, rows: int) -> tuple[int, int]:
        return int(np.count_nonzero(self._ids >= self._n_learned - rows)), len(self._ids)

    def placed(self, X: np.ndarray) -> np.ndarray:
        """Return where rows (m, n_features) lie in the first two coordinates, float64 (m, 2)."""
        return self._plane(self._located(X) + self._centre)

    def recent(self, n: int = 500) -> dict[str, np.ndarray]:
        """Return the newest instances kept, oldest first.

        Parameters
        ----------
        n
            At most so many.

        Returns
        -------
        dict
            ``row`` (number of the instance, counted from the first learned), ``points`` (m, 2), the first two
            coordinates; ``Y`` uint8 (m, n_labels).
        """
        n = min(int(n), len(self._X))
        last = slice(len(self._X) - n, None)
        return {
            "row": self._ids[last].copy(),
            "points": self._plane(self._points[last] + self._centre),
            "Y": self._Y[last].copy(),
        }
