"""The picture of what matters: a line for each feature over the rows, the darker the more the learner answers by it."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import param

from streamlab.lab.asking import values_of
from streamlab.lab.importance import Importance
from streamlab.lab.importance_report import GONE, WORDS, changes
from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import all_shown, as_html, numbered, score_text, shown, signed_text
from streamlab.views.timeline.bands import hue_of

if TYPE_CHECKING:
    from streamlab.lab import Run
    from streamlab.schema import Schema

STEPS = 200
UNASKED = 255 / STEPS
"""In the place of a share: it was not asked there."""
FEATURES = ColumnTable(
    "feature",
    Column("id", "id", "its place among the stream's features"),
    Column("value", "f4", "by how much the loss grows without it, now; NaN: not asked"),
    Column("error", "f4", "its standard error"),
    Column("then", "f4", "the value when the stream changed last; NaN: not known"),
    Column("word", "u1", "0: nothing clear; 1: it matters since then; 2: no longer"),
    Column("clear", "flag", "it has changed since by more than two errors"),
)
POINTS = ColumnTable("point", Column("at", "f8", "rows passed when its value held first"))
CELLS = ColumnTable(
    "value of a feature at a point",
    Column("cell", "u1", "of the largest value, 0..1, 0: does not matter; over 1: not asked", scale=STEPS),
)
MOST, FEW = 30, 10
"""Features drawn at most, and where fewer matter or have mattered."""
LEAST_TOP = 0.05
"""Of the darkest at least: where nothing matters much, nothing is dark."""
CAVEAT = "It tells of this learner now, not of causes; features that say the same share importance, or hide it."


class ImportanceView(PictureView):
    """Lines of features over the rows that the curve shows, the darker the more a feature matters.

    ``show`` takes a row for each feature, the most important first, and in ``drawn.extra``: ``names``; ``points`` and
    ``cells``, of which a feature's follow each other; ``end`` and
    ``rows``, rows passed and, if known, in all; ``marks``, ``[row, drift]`` of each change;
    ``since``, the sign of the change with which ``then`` is compared, or ""; ``hue``, the place of the learner's
    colour; ``more``, how many features are not drawn; ``asked``, of how many rows of 100, or None.
    """

    empty_text = param.String(default="Asked from the next rows on: press play", doc="Shown while nothing is known.")

    axis = param.List(default=[], item_type=(int, float), doc="As the timeline's; empty: all rows.")

    table = FEATURES

    parts: ClassVar = {"points": POINTS, "cells": CELLS}

    _bundle = bundled("importance")


class ImportancePicture(Picture):
    """What matters to a learner, for every learner that answers by features."""

    name: ClassVar[str] = "importance"
    title: ClassVar[str] = "What matters"
    order: ClassVar[int] = 86
    asks: ClassVar[bool] = True
    help: ClassVar[str] = how_to_read(
        "How to read what matters",
        "A line for each feature, from the past on the left to now on the right: the darker, the more the learner "
        "answers by it. Where a line is empty, the feature does not matter. The number is by how much the squared "
        "error of the scores grows when the feature has the value of another recent row.",
        CAVEAT,
        act="Click a line to read to which labels it matters.",
    )

    def fits(self, subject: Subject) -> bool:
        is_own = subject.name in subject.run.learner_runs
        return is_own and not subject.learner.is_baseline and subject.run.stream.schema.n_features > 0

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        run, asked = subject.run, subject.run.learner_runs[subject.name].importance
        mark, schema = run.marked, run.stream.schema
        extra: dict[str, Any] = {
            "names": [], "points": {"at": np.zeros(0)}, "cells": {"cell": np.zeros(0)}, "more": 0, "asked": None,
            "end": run.position, "rows": run.n_rows or 0, "marks": marks_of(run),
            "since": "" if mark is None else sign_of(mark.drift),
            "hue": hue_of(run.learner_runs, subject.owner),
        }  # fmt: skip
        if asked is None or not asked.batches:
            return Drawn(subject.name, run.position, {name: np.zeros(0) for name in FEATURES.needed}, extra)
        order, n, top = order_of(run)
        shown_ones = order[: min(budget.rows or MOST, max(n, FEW))]
        known = Known.of(asked)
        own = np.isin(shown_ones, known.ids)
        values = np.full((len(shown_ones), len(known.at)), -1.0)
        values[own] = known.values[:, np.searchsorted(known.ids, shown_ones[own])].T
        figures = changes(asked, None if mark is None else mark.row)
        columns = {name: each[shown_ones] for name, each in figures.items()} | {"id": shown_ones}
        if mark is not None:
            # of what is said to matter no longer, that is seen from where it fell so far
            is_over = (columns["word"] == WORDS.index("no longer"))[:, None] & (known.at >= mark.row) & (values > 0)
            values[is_over & (values < columns["then"][:, None] / GONE)] = 0.0
        # however little it matters, it does
        cells = np.where(values > 0, np.clip(values / top, 1 / STEPS, 1.0), np.where(values < 0, UNASKED, 0.0))
        extra["names"] = all_shown(schema.features[j].name for j in shown_ones)
        extra["points"], extra["cells"] = {"at": known.at}, {"cell": cells.ravel()}
        extra["more"] = schema.n_features - len(shown_ones)
        extra["asked"] = asked.pace if asked.asking.asks_at(run.position) else None
        story = None if selection is None else story_of(asked, int(selection), figures, extra["since"])
        return Drawn(subject.name, run.position, columns, extra, story)

    def view(self, schema: Schema, **options: Any) -> ImportanceView:
        return ImportanceView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return importance_details(subject, story)


def sign_of(drift: int) -> str:
    """Return the sign of a change of the stream by its number; of a mark that people set (0) another."""
    return numbered(drift) if drift else "▲"


def marks_of(run: Run) -> list[list[int]]:
    """Return ``[row, number]`` of each change of the stream so far, and of a later mark that people set, number 0."""
    starts = sorted(drift.start for drift in run.stream.drifts if drift.start < run.position)
    marks = [[row, n] for n, row in enumerate(starts, 1)]
    last = run.marked
    return marks if last is None or last.drift else [*marks, [last.row, 0]]


@dataclass(frozen=True)
class Known:
    """What is known of a learner: rows passed, and of each feature that was asked (``ids``) its value from there on.

    ``values`` are of shape (points, ids): 0 does not matter, −1 was not asked. A feature that is asked by turns keeps
    its value until it is asked again. ``now`` is by feature, 0 where it does not matter or is not known.
    """

    at: np.ndarray
    ids: np.ndarray
    values: np.ndarray
    now: np.ndarray

    @classmethod
    def of(cls, asked: Importance) -> Known:
        """Return what is known now: from before, where nothing was asked since."""
        key = (asked.batches, asked.row, float(asked.sums.sum()))
        found = _known.get(asked)
        if found is None or found[0] != key:
            found = _known[asked] = key, cls._read(asked)
        return found[1]

    @classmethod
    def _read(cls, asked: Importance) -> Known:
        at, features, values, errors = asked.points()
        ids = np.unique(features)
        table = np.full((len(at), len(ids)), np.nan)
        clear = np.where(values > 2 * errors, values, 0.0)
        np.put_along_axis(table, np.searchsorted(ids, features), clear, axis=1)
        last = np.maximum.accumulate(np.where(np.isnan(table), -1, np.arange(len(at))[:, None]), axis=0)
        held = np.where(last < 0, -1.0, np.take_along_axis(table, np.maximum(last, 0), axis=0))
        # from where it rested on nothing is known
        ends = [stop for _, stop in asked.asking.spans or () if stop is not None and at[0] < stop <= asked.row]
        places = np.searchsorted(at, ends, "right")
        now, (value, error) = np.zeros(asked.schema.n_features), values_of(asked.sums)
        matters = (asked.held >= 0) & (value > 2 * error)
        now[asked.held[matters]] = value[matters]
        return cls(np.insert(at, places, ends), ids, np.insert(held, places, -1.0, axis=0), now)


_known: weakref.WeakKeyDictionary[Importance, tuple[tuple[float, ...], Known]] = weakref.WeakKeyDictionary()


def order_of(run: Run) -> tuple[np.ndarray, int, float]:
    """Return the features in one order for all learners, how many matter or have mattered, and what is darkest.

    First stand those that matter most now, then those that mattered before, then others that are asked, in the order of
    the stream.
    """
    (now, rank), top = np.zeros((2, run.stream.schema.n_features)), LEAST_TOP
    for each in run.learner_runs.values():
        if each.importance is not None and each.importance.batches and not each.learner.is_baseline:
            known = Known.of(each.importance)
            ever = known.values.max(axis=0, initial=0.0)
            now = np.maximum(now, known.now)
            rank[known.ids] = np.maximum(rank[known.ids], 1 + (ever > 0))
            top = max(top, float(ever.max(initial=0.0)))
    order = np.lexsort((-rank, -now))
    return order[rank[order] > 0], int((rank > 1).sum()), top


def story_of(asked: Importance, feature: int, figures: Mapping[str, np.ndarray], since: str) -> dict[str, Any]:
    """Return what the details say of a feature."""
    value, error, then = (float(figures[name][feature]) for name in ("value", "error", "then"))
    place = np.flatnonzero(asked.held == feature)
    parts: list[tuple[str, float]] = []
    if len(place) and asked.sums[0, place[0]] > 0:
        part = asked.parts[place[0]] / asked.sums[0, place[0]]
        order = np.argsort(-part, kind="stable")[:2]
        parts = [(asked.schema.labels[k], float(part[k])) for k in order if part[k] > 0]
    word = WORDS[int(figures["word"][feature])]
    name = asked.schema.features[feature].name
    return {
        "id": feature, "name": name, "value": value, "error": error, "then": then, "word": word, "since": since,
        "labels": parts,
    }  # fmt: skip


def importance_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return what is known of a feature as HTML; None: nothing is."""
    if story is None or story["value"] != story["value"]:
        return hint("This feature is not asked about.")
    name, value = as_html(story["name"]), story["value"]
    if not value > 2 * story["error"]:
        text = f"{as_html(subject)} does not answer by {name} now."
    else:
        grows = f"{as_html(subject)}'s error grows by <b>{score_text(value)}</b> without {name}"
        labels = [as_html(shown(label)) for label, part in story["labels"] if part > value / 4]
        text = f"{grows}, mostly for {' and '.join(labels)}." if labels else f"{grows}."
    if story["then"] == story["then"] and story["word"]:
        text += f" At {story['since']} it was <b>{signed_text(story['then'])}</b>."
    return f"<h3>{name}</h3><p>{text}</p><p class='sl-details-hint'>{CAVEAT}</p>"
