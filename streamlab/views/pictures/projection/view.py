"""The projection view: a stream in its learner's first two directions, class means that move, balanced neighbours.

:class:`StablePlane` keeps the picture from jumping where the directions are computed anew, :class:`ProjectionView`
sends it to the browser, where ``js/projection.js`` draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import param
from numpy.typing import ArrayLike, NDArray

from streamlab.views.pictures.forest.view import FrameComponent, javascript

__all__ = ["ProjectionView", "StablePlane", "similarity"]

COLUMNS = ("weight", "x", "y", "threshold", "score", "window")
RECENT = ("row", "points", "Y")
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
        """Begin anew with the next picture."""
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


class ProjectionView(FrameComponent):
    """Recent instances and class means in the plane of the first two directions, and decision scores as bars.

    Points are instances, filled where they carry the label chosen; crosses are class means with their trail. The
    instance under the pointer, or pinned by a click or Enter, is linked to its balanced neighbours, and the bars show
    its decision score per class against the threshold. Without one, the bars are of the newest instance.

    Call :meth:`show` from the Bokeh document's thread.
    """

    labels = param.List(default=[], item_type=str, doc="Label names, by index.")

    selected = param.Integer(default=None, allow_None=True, doc="Number of the pinned instance; set by the user.")

    pointed = param.Integer(
        default=None, allow_None=True, doc="Number of the instance under the pointer or the cursor; set by the user."
    )

    label = param.Integer(default=0, bounds=(0, None), doc="Index of the label in colour; set by the user too.")

    empty_text = param.String(default="No instance yet: press play", doc="Shown while there is no instance.")

    picture_height = param.Integer(default=440, bounds=(200, None), doc="Height of the picture, px; less where narrow.")

    _esm = javascript("projection")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._plane = StablePlane()
        self._learner: str | None = None

    @property
    def asked(self) -> int | None:
        """The instance whose neighbours are wanted: under the pointer, else pinned, else None."""
        return self.selected if self.pointed is None else self.pointed

    def show(
        self,
        columns: Mapping[str, NDArray[Any]],
        recent: Mapping[str, NDArray[Any]],
        *,
        now: int,
        learner: str = "",
        neighbourhood: Mapping[str, Any] | None = None,
    ) -> None:
        """Draw this state.

        Parameters
        ----------
        columns
            As ``BalancedKNN.node_columns`` gives them, an entry per class.
        recent
            As ``BalancedKNN.recent`` gives them.
        now
            Instances seen.
        learner
            Its name: the picture of another begins anew, with other axes and no trail.
        neighbourhood
            As ``BalancedKNN.neighbourhood_of`` gives it for ``asked``; None: the bars are of the newest instance.

        Raises
        ------
        ValueError
            If a column is missing or columns differ in length.
        """
        n_labels = _check(columns, recent)
        if learner != self._learner:
            self._plane.forget()
            self._learner = learner
        means = np.column_stack([columns["x"], columns["y"]])
        rows = np.asarray(recent["row"])
        self._plane.take(rows, recent["points"], means)
        points, means = self._plane.draw(recent["points"]), self._plane.draw(means)
        header = {"now": int(now), "n_labels": n_labels, "learner": learner, "target": None, "truth": []}
        score, links = columns["score"], (np.zeros(0), np.zeros(0), np.zeros((0, 2)))
        if neighbourhood is not None:
            score = neighbourhood["scores"]
            links = neighbourhood["label"], neighbourhood["row"], self._plane.draw(neighbourhood["points"])
            place = self._plane.draw(np.asarray(neighbourhood["point"])[None])[0]
            header["target"] = [int(neighbourhood["instance"]), *map(float, place)]
            header["truth"] = np.flatnonzero(neighbourhood["Y"]).tolist()
        small = max((int(r.max()) for r in (rows, np.asarray(links[1])) if len(r)), default=0) < 2**32
        number = "u4" if small else "f8"
        self._show(
            header,
            [
                ("row", rows, number, 1),
                ("x", points[:, 0], "f4", 1),
                ("y", points[:, 1], "f4", 1),
                ("bits", np.packbits(recent["Y"], axis=1, bitorder="little").ravel(), "u1", 1),
                ("mean_x", means[:, 0], "f4", 1),
                ("mean_y", means[:, 1], "f4", 1),
                ("weight", columns["weight"], "f4", 1),
                ("kept", columns["window"], "u4", 1),
                ("threshold", columns["threshold"], "f4", 1),
                ("score", score, "f4", 1),
                ("link_label", links[0], "u2", 1),
                ("link_row", links[1], number, 1),
                ("link_x", links[2][:, 0], "f4", 1),
                ("link_y", links[2][:, 1], "f4", 1),
            ],
        )


def _check(columns: Mapping[str, NDArray[Any]], recent: Mapping[str, NDArray[Any]]) -> int:
    """Number of classes; ValueError if the columns do not make a picture."""
    for what, given, needed in (("columns", columns, COLUMNS), ("recent", recent, RECENT)):
        missing = [name for name in needed if name not in given]
        if missing:
            raise ValueError(f"{what}: missing {', '.join(missing)}; needed are {', '.join(needed)}")
        lengths = {name: len(given[name]) for name in needed}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"{what}: lengths differ: {lengths}")
    n_labels = len(columns["x"])
    if np.shape(recent["Y"])[1:] != (n_labels,):
        raise ValueError(f"recent: Y has the shape {np.shape(recent['Y'])}; expected {n_labels} labels")
    return n_labels
