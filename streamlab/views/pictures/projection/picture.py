"""The picture of rows and classes in a plane that keeps still, although its axes flip, turn or change their length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param
from numpy.typing import ArrayLike, NDArray

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import hint, how_to_read
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


CLASSES = ColumnTable(
    "class",
    Column("mean_x", "f4", "where the mean of its rows shown is drawn, NaN without one", made=True),
    Column("mean_y", "f4", "likewise", made=True),
    Column("weight", "f4", "instances"),
    Column("window", "u4", "instances kept"),
    Column("threshold", "f4", "what the score has to pass to be answered; infinite where the class never is"),
    Column("score", "f4", "of the instance shown: -1 at least; (score + 1) / classes is its share of all scores"),
)

INSTANCES = ColumnTable(
    "instance",
    Column("row", "id", "number in the stream, oldest first"),
    Column("x", "f4", "where it is drawn", made=True),
    Column("y", "f4", "likewise", made=True),
)
BITS = ColumnTable("byte", Column("bits", "u1", "labels of the instances, ceil(n_labels / 8) bytes each, lowest first"))
LINKS = ColumnTable(
    "link",
    Column("link_label", "u2", "class whose neighbour it is"),
    Column("link_row", "id", "number of the neighbour"),
    Column("link_x", "f4", "where the neighbour is drawn"),
    Column("link_y", "f4", "likewise"),
)
OF_RECENT = (*INSTANCES.needed, "points", "Y")


class ProjectionView(PictureView):
    """Recent instances and class means in the plane of the first two directions, and decision scores as bars.

    Points are instances, filled where they carry the label chosen; crosses are the means of those of a class. The
    instance under the pointer, or pinned by a click or Enter, is linked to its balanced neighbours, and the bars show
    its score per class. Without one, the bars are of the newest instance.

    ``show`` takes a row per class, as ``BalancedKNN.node_columns`` gives them, and in ``drawn.extra``: ``recent``, as
    ``BalancedKNN.recent`` gives it; ``neighbourhood``, as ``BalancedKNN.neighbourhood_of`` gives it for ``selection``
    (None: the bars are of the newest instance); ``scored``, of the run's latest row the labels that were ``answered``
    before it was learned, the ``true`` ones, and each class's share of the ``scores`` (None: none was answered);
    ``before``, how many ``rows`` ``of`` those kept are from before the latest mark, at a ``row``, and which ``drift``
    that was (None: there was none).
    """

    selected = param.Integer(default=None, allow_None=True, doc="Number of the pinned instance; set by the user.")

    pointed = param.Integer(
        default=None, allow_None=True, doc="Number of the instance under the pointer or the cursor; set by the user."
    )

    label = param.Integer(default=0, bounds=(0, None), doc="Index of the label in colour; set by the user.")

    classes = param.Boolean(default=False, doc="Whether each row has exactly one class.")

    empty_text = param.String(default="No instance yet: press play", doc="Shown while there is no instance.")

    table = CLASSES

    _bundle = bundled("projection")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._plane = StablePlane()
        self._subject: str | None = None

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
        columns, recent = drawn.columns, drawn.extra["recent"]
        n_labels = _check(columns, recent)
        if drawn.subject != self._subject:
            self._plane.forget()
            self._subject = drawn.subject
        rows, counts = np.asarray(recent["row"]), np.asarray(recent["Y"]).sum(axis=0, dtype=np.float64)
        means = np.asarray(recent["Y"]).T @ recent["points"] / np.where(counts, counts, np.nan)[:, None]
        self._plane.take(rows, recent["points"], means)
        points, means = self._plane.draw(recent["points"]), self._plane.draw(means)
        header = {**self._header(drawn, playing), "n_labels": n_labels, "target": None, "truth": []}
        header["classes"] = self.classes
        scored, header["before"] = drawn.extra.get("scored") or {}, drawn.extra.get("before")
        header["scored"] = {name: scored[name] for name in ("answered", "true")} if scored else None
        near = drawn.extra.get("neighbourhood")
        if near is not None and near["instance"] != self.selection:
            near = None
        if near is not None:
            place = self._plane.draw(np.asarray(near["point"])[None])[0]
            header["target"] = [int(near["instance"]), *map(float, place)]
            header["truth"] = np.flatnonzero(near["Y"]).tolist()
        bars = dict(columns) if near is None else {**columns, "score": near["scores"]}
        # where the highest score is answered, the bars can be those that were counted: thresholds have moved since
        header["counted"] = bool(self.classes and near is None and len(rows) and rows[-1] + 1 == drawn.now and scored)
        if header["counted"]:
            bars["score"] = np.asarray(scored["scores"]) * n_labels - 1
        if self.classes:
            bars["threshold"] = _best_other(bars["score"])
        self._show(
            header,
            (INSTANCES, {"row": rows, "x": points[:, 0], "y": points[:, 1]}),
            (BITS, {"bits": np.packbits(recent["Y"], axis=1, bitorder="little").ravel()}),
            (CLASSES, {**bars, "mean_x": means[:, 0], "mean_y": means[:, 1]}),
            (LINKS, self._lines_to(near)),
        )

    def _lines_to(self, near: Mapping[str, Any] | None) -> dict[str, NDArray[Any]]:
        if near is None:
            return {name: np.zeros(0) for name in LINKS.columns}
        places = self._plane.draw(near["points"])
        return {
            "link_label": near["label"], "link_row": np.asarray(near["row"]),
            "link_x": places[:, 0], "link_y": places[:, 1],
        }  # fmt: skip


def _best_other(scores: NDArray[Any]) -> NDArray[Any]:
    """Return the highest score of the other classes, for each: what its own has to pass where one class is answered."""
    if len(scores) < 2:
        return np.full(len(scores), -np.inf)
    others = np.full(len(scores), scores.max())
    others[scores.argmax()] = np.partition(scores, -2)[-2]
    return others


def _check(columns: Mapping[str, NDArray[Any]], recent: Mapping[str, NDArray[Any]]) -> int:
    """Number of classes; ValueError if the columns do not make a picture."""
    n_labels = CLASSES.check(columns)
    INSTANCES.check(recent, OF_RECENT, what="recent")
    if np.shape(recent["Y"])[1:] != (n_labels,):
        raise ValueError(f"recent: Y has the shape {np.shape(recent['Y'])}; expected {n_labels} labels")
    return n_labels


RECENT = 500
"""Instances drawn at most: more cover each other, and cost 14 bytes each, ten times a second."""


@runtime_checkable
class Projection(Protocol):
    """What a learner has to be drawn as classes in a plane."""

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return what is drawn, a row per class: the columns that the picture's table declares."""

    def recent(self, n: int = 500) -> dict[str, np.ndarray]:
        """Return the newest instances kept, at most ``n``, and where they lie."""

    def neighbourhood_of(self, row: int) -> dict[str, np.ndarray] | None:
        """Return what an instance that is kept, by its number in ``recent``, is answered by; None if it has gone."""


class ProjectionPicture(Picture):
    """Recent instances and class means in two directions.

    The learner has ``node_columns``, ``recent`` and ``neighbourhood_of``, as ``BalancedKNN`` has them.
    """

    contract: ClassVar[type] = Projection
    name: ClassVar[str] = "projection"
    title: ClassVar[str] = "Projection"
    order: ClassVar[int] = 30
    help: ClassVar[str] = how_to_read(
        "How to read the projection",
        "Points are the newest of the rows kept, in the two directions that separate the classes best. Filled ones "
        "have the class in colour; squares are from before a drift; a cross is the middle of a class's points.",
        "The bars are of one row. The learner asks, for every class, the same number of nearest rows <i>of that "
        "class</i>: the nearer they are, the longer its bar, so that a rare class has as many voices as a common one. "
        "Where each row has one class, that of the longest bar is answered; else each whose bar passes its mark. "
        "Distances count in all directions, of which two are drawn: a neighbour may look far.",
        act="Point at an instance to see its neighbours, thick those of the class in colour; click it, or press Enter, "
        "to pin it.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner = cast("Projection", subject.learner)
        story = None if selection is None else learner.neighbourhood_of(selection)
        extra: dict[str, Any] = {
            "recent": learner.recent(budget.rows or RECENT),
            "neighbourhood": story,
            "scored": _scored(subject),
            "before": subject.kept_from_before,
        }
        return Drawn(subject.name, subject.run.position, learner.node_columns(), extra, story)

    def view(self, schema: Schema, **options: Any) -> ProjectionView:
        return ProjectionView(labels=list(schema.labels), classes=schema.classes is not None, **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return projection_details(subject, story, schema.labels, one_class=schema.classes is not None)


def _scored(subject: Subject) -> dict[str, Any] | None:
    """Return the answer to the run's latest row that was counted: by now the learner may have learned that row."""
    each, last = subject.run.learner_runs[subject.name], subject.run.last
    if each.last_labels is None or each.last_scores is None or last is None:
        return None
    answered, true = (np.flatnonzero(labels).tolist() for labels in (each.last_labels, last[1]))
    return {"answered": answered, "true": true, "scores": np.array(each.last_scores)}


def projection_details(
    subject: str, story: Mapping[str, Any] | None, labels: Sequence[str], one_class: bool = False
) -> str:
    """Return what ``BalancedKNN.neighbourhood_of`` says as HTML; None: the instance is no longer kept."""
    if story is None:
        return hint("The pinned instance is no longer kept: newer ones took its place.")
    true, answered = story["Y"].astype(bool), story["predicted"].astype(bool)
    if one_class:
        answered = story["scores"] > _best_other(story["scores"])

    def named(chosen: Any) -> str:
        names = [as_html(name) for name, is_on in zip(labels, chosen, strict=True) if is_on]
        return f"<b>{', '.join(names)}</b>" if names else "none"

    rows = story["row"].tolist()
    return (
        f"<h3>{as_html(subject)}, instance {story['instance'] + 1:,}</h3>"
        f"<p>Right: {named(answered & true)}. Wrong: {named(answered & ~true)}. Missed: {named(true & ~answered)}.</p>"
        f"<p>The classes ask <b>{len(rows)}</b> neighbours, which are <b>{len(set(rows))}</b> instances: one with "
        "several labels is asked by each of its classes. The instance itself is not asked.</p>"
    )
