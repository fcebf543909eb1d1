"""The picture of linear models: a heat of labels and features, bars of a label, and a row's sum step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param

from streamlab.views.kit.columns import Column, ColumnTable, Names, at_places, largest
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import facts, hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html, signed_text

if TYPE_CHECKING:
    from streamlab.schema import Schema


LABELS = ColumnTable(
    "label",
    Column("id", "id", "its place in the schema"),
    Column("intercept", "f4", "what its sum begins with"),
    Column("intercept_before", "f4", "the same at the mark; NaN without one"),
    Column("total", "f4", "its sum for the latest row; NaN where there is none"),
    Column("others", "f4", "what the values add that are not listed"),
    Column("n_others", "u4", "how many these are"),
    Column("score", "f4", "its score of the latest row; NaN where there is none"),
    Column("threshold", "f4", "above this score it is answered; NaN where the best labels of a row are"),
    Column("answered", "flag", "the learner answers it"),
    Column("carried", "flag", "the latest row has it"),
)
HEAT = ColumnTable("label and feature", Column("heat", "f4", "weight: those of a label together"))
BARS = ColumnTable(
    "largest weight of a label",
    Column("bar_term", "i4", "its place among the names, -1: none; those of a label together, the largest first"),
    Column("bar", "f4", "the weight"),
    Column("bar_before", "f4", "the weight at the mark; 0 without one"),
)
STEPS = ColumnTable(
    "value of the latest row",
    Column("step_term", "i4", "its place among the names, -1: none; those of a label together, the largest first"),
    Column("scaled", "f4", "the value as the weight is multiplied by it"),
    Column("adds", "f4", "what it adds to the label's sum"),
)
MOVED = ColumnTable(
    "weight that moved",
    Column("moved_label", "u4", "the label's place in the schema; what moved most comes first"),
    Column("moved_term", "u4", "the feature's place among the names"),
    Column("moved_from", "f4", "the weight at the mark; 0 without one"),
    Column("moved_to", "f4", "the weight now"),
)


class WeightsView(PictureView):
    """What each label of linear models stands on, what has moved, and why the latest row is answered as it is.

    A click or Enter selects a label, whose bars and sum are drawn; without one the label that is said to be the first.

    ``show`` takes a row per label (columns of ``LABELS``), and in ``drawn.extra``: ``heat``, column of ``HEAT``, of the
    features named by ``columns``; ``values``, the latest row's of these features, scaled, empty without a row;
    ``bars``, columns of ``BARS``, and ``steps``, those of ``STEPS``, as many for each label; ``moved``, columns of
    ``MOVED``; ``noun``, "label" or "class"; ``names``, what features are called; ``best``, in words which labels of a
    row are answered, or "" where each has its threshold; ``marked`` (``{"row", "number"}``, number 0 for a mark that
    people set, or None) and ``first``, the label that is drawn where none is selected, or -1; ``more`` and ``hidden``,
    labels and features left out.
    """

    empty_text = param.String(default="No weights yet: press play", doc="Shown while no row has been learned.")

    table = LABELS

    parts: ClassVar = {"heat": HEAT, "bars": BARS, "steps": STEPS, "moved": MOVED}

    _bundle = bundled("weights")


MOST_LABELS, MOST_FEATURES = 60, 24
"""Labels and features of the heat."""
MOST_BARS, MOST_STEPS, MOST_MOVED = 12, 5, 6
"""Weights of a label, values of the latest row, and weights that moved most."""
BYTES_OF_LABEL = 48 + 4 * MOST_FEATURES + (12 + 24) * MOST_BARS + (12 + 24) * MOST_STEPS
"""What a label takes in a frame, with the names of its features."""

BY = {"cardinality": "by the number expected", "expected_f1": "by expected F1", "expected_f1_fast": "by expected F1"}
"""How the labels of a row are chosen that are answered, in words."""


@runtime_checkable
class Linear(Protocol):
    """What a learner has to be drawn as weights: one linear model for each label, over the same terms."""

    def linear_terms(self) -> dict[str, Any]:
        """Return what each label stands on, as ``OnlineLogistic.linear_terms`` does."""

    def term_name(self, term: int) -> str:
        """Return what a term is called."""

    def row_terms(self, x: Any) -> np.ndarray:
        """Return what each weight is multiplied by for one row, (terms,)."""


class WeightsPicture(Picture):
    """What each label stands on, what moved most since the last drift, and why the latest row is answered as it is.

    The learner has ``linear_terms``, ``term_name`` and ``row_terms``, as ``OnlineLogistic`` has, and learners around
    linear models of River's.
    """

    contract: ClassVar[type] = Linear
    name: ClassVar[str] = "weights"
    title: ClassVar[str] = "Weights"
    order: ClassVar[int] = 45
    help: ClassVar[str] = how_to_read(
        "How to read the weights",
        "The learner adds up what the values of a row say for a label, or a class. A <b>weight</b> is how loud a "
        "feature speaks: blue for it, orange against it. Values are scaled first: the tooltip has the scaled value. "
        "Of a naive Bayes that counts, a weight says how much likelier the class makes the feature than the others do, "
        "as a logarithm: 0.69 is twice.",
        "<b>All labels</b>, or classes: a row for each, a column for each of the features with the largest weights.",
        "<b>One of them</b>: its largest weights as bars; the thin line is where a weight was at the last drift.",
        "<b>The latest row</b>, asked again after it was learned, from above: where the sum begins, what its five "
        "loudest values add, each its weight times the scaled value, and the others together. The words below the sum "
        "say what decided: the label's threshold, the dashed line (a sum of 0 is a score of one half), or how good it "
        "was among the labels of the row. Of classes, the one of the highest score is answered.",
        act="Click a label, or focus the picture and press Enter, to see what it stands on.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        run = subject.run
        learner = cast("Linear", subject.learner)
        terms = learner.linear_terms()
        weights, before = terms["weights"], terms["before"]
        if not terms["learned"]:
            weights, before = weights[:, :0], before[:, :0]
        n_terms, n_labels = weights.shape
        intercepts = terms["intercepts"][:n_labels]
        answer = subject.asked_again(n_labels)
        values = np.zeros(n_terms) if answer is None else learner.row_terms(answer["x"])
        adds = weights * values[:, None]
        labels = _labels_drawn(weights, answer, budget)
        shown = np.abs(weights[:, labels]).max(axis=1, initial=0.0)
        features = np.sort(np.argsort(-shown, kind="stable")[: min(MOST_FEATURES, int((shown > 0).sum()))])
        names = Names(learner.term_name)
        bars = largest(weights[:, labels], MOST_BARS)
        steps = largest(adds[:, labels], MOST_STEPS)
        rule, best = _decided(learner, answer, run.stream.schema.classes is not None)
        moved_term, moved_label = _largest_of_all(weights - before, MOST_MOVED)
        listed = at_places(adds, steps, labels)
        total = adds.sum(axis=0)[labels]
        has_answer = answer is not None
        columns = {
            "id": labels,
            "intercept": intercepts[labels],
            "intercept_before": terms["intercepts_before"][labels],
            "total": np.where(has_answer, intercepts[labels] + total, np.nan),
            "others": total - listed.sum(axis=1),
            "n_others": np.maximum((adds[:, labels] != 0).sum(axis=0) - MOST_STEPS, 0),
            "score": np.full(len(labels), np.nan) if answer is None else answer["scores"][labels],
            "threshold": np.full(len(labels), np.nan) if rule is None else rule[labels],
            "answered": np.zeros(len(labels), bool) if answer is None else answer["answered"][labels],
            "carried": np.zeros(len(labels), bool) if answer is None else answer["carried"][labels],
        }
        extra: dict[str, Any] = {
            "heat": {"heat": weights[np.ix_(features, labels)].T.ravel()},
            "columns": names.places(features).tolist(),
            "bars": {
                "bar_term": names.places(bars),
                "bar": at_places(weights, bars, labels).ravel(),
                "bar_before": at_places(before, bars, labels).ravel(),
            },
            "steps": {
                "step_term": names.places(steps),
                "scaled": at_places(values, steps).ravel(),
                "adds": listed.ravel(),
            },
            "values": values[features].tolist() if has_answer else [],
            "best": best,
            "moved": {
                "moved_label": moved_label,
                "moved_term": names.places(moved_term),
                "moved_from": before[moved_term, moved_label],
                "moved_to": weights[moved_term, moved_label],
            },
            "noun": run.stream.schema.noun,
            "names": names.found,
            "marked": subject.marked(terms["marked"], terms["learned"]),
            "first": int(labels[np.argmax(intercepts[labels])]) if len(labels) else -1,
            "more": n_labels - len(labels),
            "hidden": int((shown > 0).sum()) - len(features),
        }
        story = None
        if selection is not None and 0 <= selection < n_labels:
            story = _story(learner, weights[:, selection], before[:, selection], float(intercepts[selection]))
            story |= {"label": run.stream.schema.labels[selection], "marked": extra["marked"]}
        return Drawn(subject.name, run.position, columns, extra, story)

    def view(self, schema: Schema, **options: Any) -> WeightsView:
        return WeightsView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        if story is None:
            return hint("The selected label is not known here.")
        entries = {"begins with": signed_text(story["intercept"])}
        for title, listed in (("speaks for it", story["for"]), ("against it", story["against"])):
            if listed:
                entries[title] = ", ".join(f"{name} ({signed_text(value)})" for name, value in listed)
        if story["moved"]:
            since = "since it began" if story["marked"] is None else f"since row {story['marked']['row']:,}"
            entries[f"moved {since}"] = ", ".join(
                f"{name} ({signed_text(old)} to {signed_text(new)})" for name, old, new in story["moved"]
            )
        return f"<h3>{as_html(subject)}: {as_html(story['label'])}</h3>{facts(entries)}"


def _decided(learner: Any, answer: Mapping[str, np.ndarray] | None, has_classes: bool) -> tuple[np.ndarray | None, str]:
    """Return the scores above which labels are answered; or None, and in words which labels of a row are."""
    if answer is None:
        return None, ""
    if has_classes:
        return None, "the highest score"
    rule = learner.answered_above() if hasattr(learner, "answered_above") else None
    how = BY.get(str(getattr(learner, "decision", "")), "")
    if rule is not None or not how:
        return rule, ""
    count = int(answer["answered"].sum())
    return None, f"among the {count} best {how}" if count > 1 else f"{'the' if count else 'among the'} best {how}"


def _labels_drawn(weights: np.ndarray, answer: dict[str, np.ndarray] | None, budget: Budget) -> np.ndarray:
    """Return the labels that there is room for, in order: those of the latest row, and of the largest weights."""
    n_labels = weights.shape[1]
    most = max(min(budget.rows or MOST_LABELS, MOST_LABELS, (budget.bytes - 4_000) // BYTES_OF_LABEL), 1)
    if n_labels <= most:
        return np.arange(n_labels)
    size = np.square(weights).sum(axis=0)
    if answer is not None:
        size = np.where(answer["answered"] | answer["carried"], np.inf, size)
    return np.sort(np.argsort(-size, kind="stable")[:most])


def _largest_of_all(values: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the terms and the labels of the largest magnitudes of all, the largest first."""
    size = np.abs(values).ravel()
    order = np.argpartition(-size, min(most, len(size)) - 1)[:most] if len(size) else np.zeros(0, np.int64)
    order = order[np.argsort(-size[order], kind="stable")]
    order = order[size[order] > 0]
    return np.divmod(order, max(values.shape[1], 1))


def _story(learner: Linear, weights: np.ndarray, before: np.ndarray, intercept: float) -> dict[str, Any]:
    order = np.argsort(weights, kind="stable")
    moved = np.argsort(-np.abs(weights - before), kind="stable")[:3]
    name = learner.term_name
    return {
        "intercept": intercept,
        "for": [(name(i), float(weights[i])) for i in order[::-1][:3].tolist() if weights[i] > 0],
        "against": [(name(i), float(weights[i])) for i in order[:3].tolist() if weights[i] < 0],
        "moved": [(name(i), float(before[i]), float(weights[i])) for i in moved.tolist() if weights[i] != before[i]],
    }
