"""The picture of naive Bayes: features with a Gaussian for each class, and what decided the latest row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param

from streamlab.views.kit.columns import Column, ColumnTable, Names, at_places, largest
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import facts, hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html, number_text

if TYPE_CHECKING:
    from streamlab.schema import Schema


CLASSES = ColumnTable(
    "class",
    Column("id", "id", "its place in the schema"),
    Column("count", "u4", "rows of it that were learned"),
    Column("share", "f4", "of all rows: what is known before a row is seen"),
    Column("score", "f4", "its probability for the latest row; NaN where there is none"),
    Column("answered", "flag", "the learner answers it"),
    Column("carried", "flag", "the latest row has it"),
    Column("prior", "f4", "log-likelihood that its share gives the answered class above it; NaN without a row"),
    Column("total", "f4", "the answered class's log-likelihood above its own; NaN without a row"),
    Column("others", "f4", "what the values give of it that are not listed"),
    Column("n_others", "u4", "how many these are"),
)
STRIPS = ColumnTable(
    "feature that is drawn",
    Column("strip", "u4", "its place among the names; what tells the classes apart best comes first"),
    Column("between", "f4", "the share of its variance that is between the classes, 0 to 1"),
    Column("value", "f4", "the latest row's; NaN where it has none"),
)
CURVES = ColumnTable(
    "class and feature that is drawn",
    Column("mean", "f4", "NaN where the class never had a value; those of a class together"),
    Column("deviation", "f4", "the standard deviation"),
    Column("mean_before", "f4", "the mean at the mark; NaN without one"),
    Column("deviation_before", "f4", "the standard deviation at the mark"),
    Column("likelihood", "f4", "what the latest row's value adds to the class's log-likelihood"),
)
STEPS = ColumnTable(
    "value of the latest row",
    Column("step_term", "i4", "its place among the names, -1: none; those of a class together, the largest first"),
    Column("step_value", "f4", "the value"),
    Column("adds", "f4", "log-likelihood that it gives the answered class above this one"),
)


class GaussiansView(PictureView):
    """The Gaussians of each class in the features that tell the classes apart, and why the latest row is answered so.

    A click or Enter selects a class: its Gaussians stand out, and the sum compares it with the answered one.

    ``show`` takes a row per class (columns of ``CLASSES``), and in ``drawn.extra``: ``strips``, ``curves`` and
    ``steps``, columns of the tables above; ``noun``, "class"; ``names``, what features are called; ``marked``
    (``{"row", "number"}``, number 0 for a mark that people set, or None); ``more`` and ``hidden``, classes and features
    left out.
    """

    empty_text = param.String(default="No class yet: press play", doc="Shown while no row has been learned.")

    table = CLASSES

    parts: ClassVar = {"strips": STRIPS, "curves": CURVES, "steps": STEPS}

    _bundle = bundled("gaussians")


MOST_CLASSES, MOST_STRIPS, MOST_STEPS, MOST_TOLD = 10, 8, 6, 3
"""Classes and features that are drawn, values of the latest row, and features in the details of a class."""
ALIKE = 0.97
"""Features place the classes alike whose class means correlate more than this, one way or the other."""
BYTES_OF_CLASS = 48 + 20 * MOST_STRIPS + (12 + 24) * MOST_STEPS
"""What a class takes in a frame, with the names of its features."""


@runtime_checkable
class Gaussians(Protocol):
    """What a learner has to be drawn as Gaussians: a mean and a deviation for each class and feature."""

    def class_gaussians(self, x: Any = None) -> dict[str, Any]:
        """Return what each class stands on and what a row adds, as ``RiverClassifier.class_gaussians`` does."""


class GaussiansPicture(Picture):
    """Which values each class has, what has moved since the last drift, and why the latest row is answered as it is.

    The learner has ``class_gaussians``, as ``RiverClassifier`` has around River's ``GaussianNB``.
    """

    contract: ClassVar[type] = Gaussians
    name: ClassVar[str] = "gaussians"
    title: ClassVar[str] = "Naive Bayes"
    order: ClassVar[int] = 46
    help: ClassVar[str] = how_to_read(
        "How to read naive Bayes",
        "Of each class the learner keeps one <b>bell curve</b> (a Gaussian: mean and standard deviation) for each "
        "feature. A row's class is the one whose curves are highest at the row's values, times how frequent the class "
        "is. It is naive: each feature counts as if it had nothing to do with the others.",
        "<b>The strips</b> are the features that tell the classes apart best: those with the largest share of their "
        "variance between the classes, not within them; of several that place the classes alike, one comes first and "
        "the others last. The upright line is the latest row's value. A curve that is "
        "much narrower than the others goes on above the strip, one that is much wider beside it. Below, a dot is a "
        "class's mean, the line behind it comes from where it was at the last drift; dashes are the chosen "
        "class's curve of then.",
        "<b>The latest row</b>, asked again after it was learned: what speaks for the answered class against the next "
        "one (or against the row's own, where the answer is wrong): how frequent the two are, and the values, what "
        "says most first. Each is a logarithm of how many times as likely it makes the answer: 0.69 is twice, 2.3 is "
        "ten times. They add up to the last bar.",
        act="Click a class, or focus the picture and press Enter, to see its curves, and the sum against it.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        run = subject.run
        learner = cast("Gaussians", subject.learner)
        n_labels = len(run.stream.schema.labels)
        answer = subject.asked_again(n_labels)
        known = learner.class_gaussians(None if answer is None else answer["x"])
        counts, adds = known["counts"], known["adds"]
        totals = known["priors"] + adds.sum(axis=0)
        classes = _classes_drawn(counts, totals, answer, selection, budget)
        between = between_share(known["rows"], known["means"], known["deviations"])
        strips = _strips(between, known["rows"], known["means"])
        has_answer = answer is not None and bool(answer["answered"].any()) and len(classes) > 0
        first = int(np.argmax(answer["answered"])) if answer is not None and has_answer else -1
        above = adds[:, [first]] - adds[:, classes] if has_answer else np.zeros((len(adds), len(classes)))
        steps = largest(above, MOST_STEPS)
        names = Names(known["features"].__getitem__)
        listed = at_places(above, steps, np.arange(len(classes)))
        nothing = np.full(len(classes), np.nan)
        columns = {
            "id": classes,
            "count": counts[classes],
            "share": np.exp(known["priors"][classes]),
            "score": nothing if answer is None else answer["scores"][classes],
            "answered": np.zeros(len(classes), bool) if answer is None else answer["answered"][classes],
            "carried": np.zeros(len(classes), bool) if answer is None else answer["carried"][classes],
            "prior": known["priors"][first] - known["priors"][classes] if has_answer else nothing,
            "total": totals[first] - totals[classes] if has_answer else nothing,
            "others": above.sum(axis=0) - listed.sum(axis=1),
            "n_others": np.maximum((above != 0).sum(axis=0) - MOST_STEPS, 0),
        }
        curves = {
            "mean": "means",
            "deviation": "deviations",
            "mean_before": "means_before",
            "deviation_before": "deviations_before",
            "likelihood": "adds",
        }
        extra: dict[str, Any] = {
            "strips": {
                "strip": names.places(strips),
                "between": between[strips],
                "value": known["values"][strips],
            },
            "curves": {column: known[key][np.ix_(strips, classes)].T.ravel() for column, key in curves.items()},
            "steps": {
                "step_term": names.places(steps),
                "step_value": at_places(known["values"], steps).ravel(),
                "adds": listed.ravel(),
            },
            "noun": run.stream.schema.noun,
            "names": names.found,
            "marked": subject.marked(known["marked"], known["learned"]),
            "more": int((counts > 0).sum()) - len(classes),
            "hidden": len(between) - len(strips),
        }
        story = None
        if selection is not None and 0 <= selection < n_labels and counts[selection]:
            story = _story(known, selection)
            story |= {"label": run.stream.schema.labels[selection], "marked": extra["marked"]}
        return Drawn(subject.name, run.position, columns, extra, story)

    def view(self, schema: Schema, **options: Any) -> GaussiansView:
        return GaussiansView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        if story is None:
            return hint("The selected class has not come yet.")
        entries = {"rows": f"{story['count']:,}, {100 * story['share']:.1f} % of all"}
        for name, own, others in story["apart"]:
            entries[name] = f"{_bell(*own)}; others {_bell(*others)}"
        for name, new, old in story["moved"]:
            row = f"{story['marked']['row']:,}"
            entries["moved most"] = f"{name} from {_bell(*old)} to {_bell(*new)} since row {row}"
        return f"<h3>{as_html(subject)}: {as_html(story['label'])}</h3>{facts(entries)}"


def between_share(rows: np.ndarray, means: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Return the share of each feature's variance that is between the classes, not within them.

    Parameters
    ----------
    rows, means, deviations
        Of each feature and class, (features, classes); NaN where there are no rows.

    Returns
    -------
    numpy.ndarray
        float64 (features,), 0 to 1: 0 where all classes have the same mean, 1 where none has a deviation.
    """
    middle, within = _pooled(rows, means, deviations)
    share = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1)
    across = (share * np.nan_to_num(means - middle[:, None]) ** 2).sum(axis=1)
    return np.divide(across, within, out=np.zeros(len(rows)), where=within > 0)


def _strips(between: np.ndarray, rows: np.ndarray, means: np.ndarray) -> np.ndarray:
    """Return the features that are drawn: by their share between the classes, those that place them as one did last."""
    order = np.argsort(-between, kind="stable")[: int((between > 0).sum())]
    apart = np.nan_to_num(means - _pooled(rows, means, np.zeros_like(means))[0][:, None]) * np.sqrt(rows)
    apart /= np.maximum(np.linalg.norm(apart, axis=1, keepdims=True), 1e-300)
    chosen: list[int] = []
    for feature in order.tolist():
        if len(chosen) < MOST_STRIPS and not (np.abs(apart[chosen] @ apart[feature]) > ALIKE).any():
            chosen.append(feature)
    chosen += [feature for feature in order.tolist() if feature not in chosen][: MOST_STRIPS - len(chosen)]
    return np.array(chosen, np.int64)


def _pooled(rows: np.ndarray, means: np.ndarray, deviations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the variance of each feature over classes, (features,), from those of each class."""
    share = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1)
    middle = (share * np.nan_to_num(means)).sum(axis=1)
    apart = np.nan_to_num(means - middle[:, None]) ** 2 + np.nan_to_num(deviations) ** 2
    return middle, (share * apart).sum(axis=1)


def _classes_drawn(
    counts: np.ndarray, totals: np.ndarray, answer: dict[str, Any] | None, selection: Any, budget: Budget
) -> np.ndarray:
    """Return the classes that there is room for, in order: the chosen, answered and true ones, then the likeliest."""
    came = np.flatnonzero(counts)
    most = max(min(budget.rows or MOST_CLASSES, MOST_CLASSES, (budget.bytes - 2_000) // BYTES_OF_CLASS), 3)
    near = np.asarray(counts, np.float64) if answer is None else totals.copy()
    if answer is not None:
        near[answer["answered"] | answer["carried"]] = np.inf
    if selection is not None and 0 <= selection < len(near):
        near[selection] = np.inf
    return np.sort(came[np.argsort(-near[came], kind="stable")[:most]])


def _bell(mean: float, deviation: float) -> str:
    return f"{number_text(mean, 3)} ± {number_text(deviation, 3)}"


def _story(known: Mapping[str, Any], chosen: int) -> dict[str, Any]:
    """Return what tells a class from the others, and what has moved, by how many deviations of the two."""
    features, means, deviations = known["features"], known["means"][:, chosen], known["deviations"][:, chosen]
    others = [each for each in np.flatnonzero(known["counts"]).tolist() if each != chosen]
    middle, variance = _pooled(*(known[name][:, others] for name in ("rows", "means", "deviations")))
    before = (known["means_before"][:, chosen], known["deviations_before"][:, chosen])

    def most(to: tuple[np.ndarray, np.ndarray], count: int) -> list[tuple[str, tuple[float, ...], tuple[float, ...]]]:
        scale = np.sqrt((deviations**2 + to[1] ** 2) / 2)
        apart = np.nan_to_num(np.abs(means - to[0]) / np.maximum(scale, 1e-12), nan=0.0)
        order = [i for i in np.argsort(-apart, kind="stable")[:count].tolist() if apart[i] > 0]
        return [(features[i], (means[i], deviations[i]), (to[0][i], to[1][i])) for i in order]

    return {
        "count": int(known["counts"][chosen]),
        "share": float(np.exp(known["priors"][chosen])),
        "apart": most((middle, np.sqrt(variance)), MOST_TOLD) if others else [],
        "moved": most(before, 1),
    }
