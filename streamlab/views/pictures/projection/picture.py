"""The picture of rows and classes in a plane that keeps still, although its axes flip, turn or change their length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param
from numpy.typing import ArrayLike, NDArray

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import bars, hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html

if TYPE_CHECKING:
    from streamlab.schema import Schema


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


CLASSES = ColumnTable(
    "class",
    Column("mean_x", "f4", "where the mean of its rows since the mark, else of all, is drawn, or NaN", made=True),
    Column("mean_y", "f4", "likewise", made=True),
    Column("rows", "u4", "its rows among those shown", made=True),
)

INSTANCES = ColumnTable(
    "instance",
    Column("row", "id", "number in the stream, oldest first"),
    Column("x", "f4", "where it is drawn", made=True),
    Column("y", "f4", "likewise", made=True),
)
GIVEN = (*INSTANCES.needed, "points", "Y")
BITS = ColumnTable("byte", Column("bits", "u1", "labels of the instances, ceil(n_labels / 8) bytes each, lowest first"))
LINKS = ColumnTable(
    "link",
    Column("link_row", "id", "number of the neighbour"),
    Column("link_x", "f4", "where the neighbour is drawn"),
    Column("link_y", "f4", "likewise"),
)


class ProjectionView(PictureView):
    """Rows that a learner keeps, in the plane of the first two directions, each class's name in the middle of its rows.

    Points are rows, filled where they came since the latest mark; those of the class chosen have its colour. The row
    under the pointer, or pinned by a click or Enter, else the latest, is linked to those that answer it.

    ``show`` takes rows as ``BalancedKNN.recent`` gives them, and in ``drawn.extra``: ``plane``, the same of the learner
    whose plane it is, by which the plane keeps still (None: these); ``neighbourhood``, of one of the rows its number,
    ``instance``, where it lies, ``point``, and of those that answer it ``row`` and ``points``; ``before``, as
    ``Subject.kept_from_before`` has it.
    """

    selected = param.Integer(default=None, allow_None=True, doc="Number of the pinned instance; set by the user.")

    pointed = param.Integer(
        default=None, allow_None=True, doc="Number of the instance under the pointer or the cursor; set by the user."
    )

    label = param.Integer(default=-1, bounds=(-1, None), doc="Index of the label in colour, -1: none; set by the user.")

    empty_text = param.String(default="No instance yet: press play", doc="Shown while there is no instance.")

    table = INSTANCES

    _bundle = bundled("projection")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._plane, self._subject = StablePlane(), ""

    @property
    def selection(self) -> int | None:
        """The instance whose neighbours are wanted: under the pointer, else pinned, else None."""
        return self.selected if self.pointed is None else self.pointed

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state; another learner's picture begins with other axes and without a trail.

        A neighbourhood of another instance than ``selection`` is not drawn: it was asked for before the pointer moved.

        Raises
        ------
        ValueError
            If a column is missing or columns differ in length.
        """
        rows: Any = drawn.columns
        INSTANCES.check(rows, GIVEN)
        plane, before = drawn.extra.get("plane") or rows, drawn.extra.get("before")
        if drawn.subject != self._subject:
            self._plane, self._subject = StablePlane(), drawn.subject
        self._plane.take(plane["row"], plane["points"], _means(plane))
        n_old = 0 if before is None else max(before["rows"] - before["of"] + len(rows["row"]), 0)
        # a class that took another's name is where its new rows are
        fresh = _means({name: rows[name][n_old:] for name in ("Y", "points")})
        centres = np.where(np.isnan(fresh), _means(rows), fresh)
        points, means, seen = (self._plane.draw(each) for each in (rows["points"], centres, plane["points"]))
        near = drawn.extra.get("neighbourhood")
        if near is None or self.selection not in (None, near["instance"]):
            near = {"instance": None, "point": [0.0, 0.0], "Y": [], "row": [], "points": np.zeros((0, 2))}
        at, links = self._plane.draw([near["point"]])[0], self._plane.draw(near["points"])
        target = None if near["instance"] is None else [int(near["instance"]), *map(float, at)]
        edges = np.percentile(seen if len(seen) else np.zeros((1, 2)), EDGES, axis=0).T.ravel().tolist()
        header = {"n_labels": rows["Y"].shape[1], "target": target, "before": before, "n_old": n_old, "bounds": edges}
        header["truth"] = np.flatnonzero(near["Y"]).tolist()
        self._show(
            {**self._header(drawn, playing), **header},
            (INSTANCES, {"row": rows["row"], "x": points[:, 0], "y": points[:, 1]}),
            (BITS, {"bits": np.packbits(rows["Y"], axis=1, bitorder="little").ravel()}),
            (CLASSES, {"rows": rows["Y"].sum(axis=0), "mean_x": means[:, 0], "mean_y": means[:, 1]}),
            (LINKS, {"link_row": near["row"], "link_x": links[:, 0], "link_y": links[:, 1]}),
        )


EDGES = (0.7, 99.3)
"""Percentiles of the rows between which all should be seen: a few lie far away."""


def _means(rows: Mapping[str, NDArray[Any]]) -> NDArray[np.float64]:
    """Return where the mean of each class's rows lies, (n_labels, 2); NaN without one."""
    labels = np.asarray(rows["Y"], np.float64)
    counts = labels.sum(axis=0)
    return labels.T @ rows["points"] / np.where(counts, counts, np.nan)[:, None]


RECENT = 500
"""Instances drawn at most: more cover each other, and cost 14 bytes each, ten times a second."""


@runtime_checkable
class Projection(Protocol):
    """What a learner has to be drawn in a plane of its own."""

    def recent(self, n: int = 500) -> dict[str, np.ndarray]:
        """Return the newest instances kept, at most ``n``, and where they lie."""

    def neighbourhood_of(self, row: int) -> dict[str, np.ndarray] | None:
        """Return what an instance that is kept, by its number in ``recent``, is answered by; None if it has gone."""

    def neighbourhood(self, x: Any) -> dict[str, np.ndarray]:
        """Return the same of a row that is not kept."""

    def placed(self, X: np.ndarray) -> np.ndarray:
        """Return where rows lie, (m, 2)."""


@runtime_checkable
class Remembering(Protocol):
    """What a learner without a plane has to be drawn in that of another of its run."""

    def remembered(self) -> dict[str, np.ndarray]:
        """Return ``age``, ``X`` and ``Y`` of the rows that it answers by, oldest first."""

    def nearest_to(self, x: np.ndarray, but: np.ndarray) -> np.ndarray:
        """Return the places among them of those that a row (n_features,) is answered by, ``but`` these."""


class ProjectionPicture(Picture):
    """The rows that a learner keeps, in two directions.

    The learner has ``recent``, ``neighbourhood_of`` and ``placed``, as ``BalancedKNN`` has them. One that is
    ``Remembering``, as ``MLKNN``, is drawn in the plane of another of its run.
    """

    contract: ClassVar[type] = Projection
    name: ClassVar[str] = "projection"
    title: ClassVar[str] = "Projection"
    order: ClassVar[int] = 30
    help: ClassVar[str] = how_to_read(
        "How to read the projection",
        "Each point is a row that the learner keeps, in the two directions that separate the classes best. Filled ones "
        "came since the latest drift, squares are from before it: they vote for what was so then. A class's name is in "
        "the middle of its rows, the new ones where it has any.",
        "The row with a ring is the latest, with its class; lines lead to those that answer it, of Balanced neighbours "
        "the nearest <i>of the class</i> that is answered: it asks each class the same number. Distances count in all "
        "directions, of which two are drawn: a neighbour may look far.",
        act="Point at a row to see its neighbours; click it, or press Enter, to pin it. Click a class's name to see "
        "its rows in colour.",
    )

    def fits(self, subject: Subject) -> bool:
        is_other = isinstance(subject.learner, Remembering) and not subject.run.stream.is_sparse
        return super().fits(subject) or (is_other and self._plane_of(subject) is not None)

    def _plane_of(self, subject: Subject) -> Any:
        """Return the learner in whose plane another is drawn: itself, or the first of the run that has one."""
        learners = [subject.learner, *(each.learner for each in subject.run.learner_runs.values())]
        return next((each for each in learners if each.picture == self.name), None)

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        run, learner, plane = subject.run, subject.learner, self._plane_of(subject)
        rows = shown = plane.recent(budget.rows or RECENT)
        if learner.picture != self.name:
            kept = cast("Remembering", learner).remembered()
            shown = {"row": run.position - 1 - kept["age"], "points": plane.placed(kept["X"]), "Y": kept["Y"]}
        # without a choice the latest row, which may not have been learned yet
        of = run.position - 1 if selection is None else selection
        last = run.last if selection is None and len(shown["row"]) and not run.stream.is_sparse else None
        at = np.flatnonzero(shown["row"] == of)
        near = None
        if learner.picture == self.name:
            if (near := plane.neighbourhood_of(of)) is None and last is not None:
                near = plane.neighbourhood(last[0]) | {"instance": of, "Y": last[1]}
            near = _answering(near, subject)
        elif row := (kept["X"][at[0]], kept["Y"][at[0]]) if len(at) else last:
            to = cast("Remembering", learner).nearest_to(row[0], at)
            near = {"instance": of, "point": plane.placed(row[0][None])[0], "Y": row[1]}
            near |= {"row": shown["row"][to], "points": shown["points"][to]}
        extra = {"plane": rows, "neighbourhood": near, "before": subject.kept_from_before}
        return Drawn(subject.name, subject.run.position, shown, extra, None if selection is None else near)

    def view(self, schema: Schema, **options: Any) -> ProjectionView:
        return ProjectionView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return projection_details(subject, story, schema.labels)


def _answering(near: dict[str, Any] | None, subject: Subject) -> dict[str, Any] | None:
    """Return a neighbourhood with what is answered, and with the neighbours of the classes that are, alone."""
    if near is None:
        return None
    is_one = subject.run.stream.schema.classes is not None
    near["predicted"] = near["scores"] == near["scores"].max() if is_one else near["predicted"]
    asked = near["predicted"].astype(bool)[near["label"]] | (not near["predicted"].any())
    return {**near, "row": near["row"][asked], "points": near["points"][asked]}


def projection_details(subject: str, story: Mapping[str, Any] | None, labels: Sequence[str]) -> str:
    """Return as HTML what is known of a row that is kept; None: it is no longer kept."""
    if story is None:
        return hint("The pinned instance is no longer kept: newer ones took its place.")

    def named(chosen: Any) -> str:
        names = [as_html(name) for name, is_on in zip(labels, chosen, strict=True) if is_on]
        return f"<b>{', '.join(names)}</b>" if names else "none"

    true = story["Y"].astype(bool)
    title = f"<h3>{as_html(subject)}, instance {story['instance'] + 1:,}</h3>"
    if "predicted" not in story:
        return f"{title}<p>It came with {named(true)}.</p>"
    answered, votes = story["predicted"].astype(bool), (story["scores"] + 1) / len(labels)
    first = [(labels[k], float(votes[k])) for k in np.argsort(-votes, kind="stable")]
    return (
        f"{title}<p>Right: {named(answered & true)}. Wrong: {named(answered & ~true)}. "
        f"Missed: {named(true & ~answered)}.</p><p>Votes, by how near the nearest of each class are</p>{bars(first)}"
    )
