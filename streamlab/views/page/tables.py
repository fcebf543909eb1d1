"""What a page shows in tables: a run's measures, with the choice of those drawn, and the latest row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
import panel_material_ui as pmui

from streamlab.lab import Run
from streamlab.lab.frame import ReadingFailed
from streamlab.measures import CLASS_MEASURES, MEASURES
from streamlab.streams import Stream
from streamlab.views.kit.text import MOST_MESSAGE, as_html, shown, with_minus
from streamlab.views.page.window import Explanation, LateHTML, Notice
from streamlab.views.timeline.bands import styles_of
from streamlab.views.timeline.timeline import Timeline

MOST_FIGURES = 4
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (4, 18)}


def meaning(measures: Sequence[str]) -> str:
    """Return what these measures are, in words: a line each."""
    return "\n".join(f"{MEASURES[name].title}: {MEASURES[name].formula}" for name in measures)


def drawable_measures(run: Run) -> list[str]:
    """Return the names of the measures with a curve in this run, as ``MEASURES`` has them, those of classes first."""
    nested = run.stream.schema.hierarchy is not None
    kept = {count for each in run.learner_runs.values() for count in each.tracker.kept}
    drawable = [name for name, measure in MEASURES.items() if measure.has_curve and kept.issuperset(measure.counts)]
    found = [name for name in drawable if nested or not MEASURES[name].needs_hierarchy]
    return found if run.stream.schema.classes is None else sorted(found, key=lambda name: name not in CLASS_MEASURES)


class RunSettings:
    """The widgets of a run's settings, for a sidebar or a section of the view."""

    def __init__(self, run: Run, measures: Sequence[str]) -> None:
        self._run, self._edition = run, MEASURES.registry.edition
        self.measures = pmui.MultiChoice(
            label="Measures drawn", options=_offered(run), value=list(measures), max_items=MOST_FIGURES, **WIDE
        )
        # below it, not in its label: that is the control's name
        self.explanation = Explanation(meaning(measures), variant="caption", margin=(0, 18, 12, 18))
        self.measures.param.watch(self._explain, "value")
        self.note = Notice(
            severity="warning", visible=False, closeable=True, sizing_mode="stretch_width", margin=(0, 0, 6, 0)
        )

    def offer_new(self, timeline: Timeline) -> None:
        """Offer the measures that there are now, if some were added or taken away in this process since."""
        if self._edition == MEASURES.registry.edition:
            return
        self._edition = MEASURES.registry.edition
        timeline.offered = drawable_measures(self._run)
        drawn = [name for name in self.measures.value or () if name in timeline.offered]
        self.measures.param.update(value=drawn or timeline.offered[:1], options=_offered(self._run))
        # also where the same are drawn: the timeline offers others
        self.measures.param.trigger("value")

    def _explain(self, _event: Any) -> None:
        self.explanation.object = meaning(self.measures.value or ())

    @property
    def widgets(self) -> list[Any]:
        """All of them in order."""
        return [self.measures, self.explanation]


def _offered(run: Run) -> dict[str, str]:
    return {MEASURES[name].title: name for name in drawable_measures(run)}


MOST_VALUES = 60
"""Maximum number of values of a row that are shown: the largest ones."""
MOST_LABELS = 60
MOST_TITLE = 200


@dataclass(frozen=True)
class LatestRow:
    """The last row that a run has passed; nothing in it is shared with the run.

    ``answers`` has None for a learner that did not answer; ``scores`` are those of classes, by learner and class;
    ``values`` are names of features and texts, and ``told`` says how many of them these are, and what the others
    hold; ``x`` is the row itself.
    """

    row: int
    title: str
    stream: Stream
    truth: tuple[str, ...]
    answers: Mapping[str, tuple[str, ...] | None]
    values: tuple[tuple[str, str], ...]
    summary: str
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    x: Any = None

    def answer(self, learner: str, label: str) -> str:
        """Return a label as it is displayed, a class with the score that a learner has given it."""
        score = self.scores.get(learner, {}).get(label)
        return shown(label) if score is None else f"{shown(label)} {score:.2f}"


def read_latest(run: Run) -> LatestRow | None:
    """Return the last row that a run has passed, or None before the first: a reader of ``FrameMaker.choose``.

    Call it on the thread that owns the run.
    """
    if run.last is None or run.position == 0:
        return None
    X, Y = run.last
    row, schema = run.position - 1, run.stream.schema
    values, summary = _values(run, X)
    answers = {
        name: None
        if each.last_labels is None
        else tuple(schema.labels[j] for j in np.flatnonzero(each.last_labels) if j < schema.n_labels)
        for name, each in run.learner_runs.items()
    }
    truth = tuple(schema.labels[j] for j in np.flatnonzero(Y))
    scores = {
        name: dict(zip(schema.labels, each.last_scores.tolist(), strict=False))
        for name, each in run.learner_runs.items()
        if schema.classes is not None and each.learner.has_scores and each.last_scores is not None
    }
    return LatestRow(row, run.stream.title_of(row), run.stream, truth, answers, values, summary, scores, X)


def _values(run: Run, X: Any) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return what a row holds, as names and texts, and a sentence about what is left out."""
    features = run.stream.schema.features
    n = len(features)
    if hasattr(X, "indices"):
        places, numbers = X.indices.astype(np.int64), X.data
        rest = "the others are 0"
    else:
        numbers = np.asarray(X, np.float64).ravel()
        places = np.arange(len(numbers))
        rest = "the others are closer to 0"
        if len(numbers) > MOST_VALUES:
            kept = np.flatnonzero(numbers != 0)
            rest = "the others are 0" if len(kept) <= MOST_VALUES else rest
            places, numbers = kept, numbers[kept]
    if len(places) > MOST_VALUES:
        largest = np.sort(np.argsort(-np.abs(np.nan_to_num(numbers)), kind="stable")[:MOST_VALUES])
        places, numbers, rest = places[largest], numbers[largest], "the others are closer to 0"
    found = []
    for j, value in zip(places.tolist(), numbers.tolist(), strict=True):
        feature = features[j]
        if math.isnan(value):
            text = "missing"
        elif feature.categories is not None and 0 <= int(value) < len(feature.categories):
            text = shown(feature.categories[int(value)])
        else:
            text = with_minus(f"{value:.5g}")
        found.append((shown(feature.name), text))
    summary = f"{n:,} features" if len(found) == n else f"{len(found):,} of {n:,} features; {rest}"
    return tuple(found), summary


class LatestRowPane(LateHTML):
    """Shows the latest row; every text in it is escaped."""

    def __init__(self, **params: Any) -> None:
        super().__init__("<p>No row has come yet: press play.</p>", stylesheets=[LATEST_STYLE], **params)
        self._latest: LatestRow | None = None
        self._why: tuple[str, ...] = ()

    def show(self, latest: LatestRow | ReadingFailed | None, why: Sequence[str] = ()) -> None:
        """Draw what ``read_latest`` returned, and sentences that say why; on the document's thread."""
        if isinstance(latest, ReadingFailed):
            self._latest = None
            self.object = f"<p>The row cannot be shown: {as_html(latest.message, 300)}</p>"
        elif latest is not None and not (
            self._latest is not None and _same(latest, self._latest) and tuple(why) == self._why
        ):
            self._latest, self._why = latest, tuple(why)
            self.object = latest_html(latest, why)


def latest_html(latest: LatestRow, why: Sequence[str] = ()) -> str:
    """Return a row as HTML: what it is called, its labels and the answers, sentences that say why, its values."""
    styles, truth = styles_of(latest.answers), set(latest.truth)
    own = [_chip(shown(label)) for label in latest.truth[:MOST_LABELS]]
    own += [_chip(f"and {len(latest.truth) - MOST_LABELS:,} more")] if len(latest.truth) > MOST_LABELS else []
    lines = _line("Its class" if latest.stream.schema.classes is not None else "Its labels", own)
    for name, labels in latest.answers.items():
        line = f"<i style='border-color:{styles[name][0]}'></i>{as_html(name)}"
        if labels is None:
            lines += _line(line, [_chip("has not answered yet")])
            continue
        kinds = [(each, "right" if each in truth else "wrong") for each in labels[:MOST_LABELS]]
        kinds += [(each, "missed") for each in latest.truth if each not in labels]
        lines += _line(line, [_chip(latest.answer(name, each), kind) for each, kind in kinds])
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in latest.values)
    values = (
        "<div tabindex='0' role='region' aria-label='Values of the latest row'><table><thead><tr>"
        f"<th scope='col'>Feature</th><th scope='col'>Value</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
    title = f" · {as_html(latest.title, MOST_TITLE)}" if latest.title else ""
    told = "".join(f"<p>{as_html(each, MOST_MESSAGE)}</p>" for each in why)
    return (
        f"<section aria-label='The latest row'><h3>Row {latest.row + 1:,}{title}</h3>"
        f"<dl>{lines}</dl><div class='sl-row-why'>{told}</div><p class='muted'>{escape(latest.summary)}</p>"
        f"{values if rows else ''}</section>"
    )


def _line(name: str, chips: Sequence[str]) -> str:
    return f"<dt>{name}</dt><dd>{''.join(chips) or _chip('nothing')}</dd>"


def _chip(text: str, kind: str = "") -> str:
    return f"<span class='chip {kind}' title='{kind}'>{escape(text)}</span>"


LATEST_STYLE = """
:host{font:13px/1.45 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere;
  --right:light-dark(#00609c,#7cc4f0);--wrong:light-dark(#a84300,#ffa45c)}
h3{margin:4px 0 8px;padding-right:32px;font-size:15px;font-weight:600} p{margin:0 0 6px} .sl-row-why p{font-size:14px}
dl{display:grid;grid-template-columns:minmax(90px,max-content) minmax(0,1fr);gap:6px 14px;margin:0 0 8px}
dt,.muted{opacity:.78} dt{max-width:180px} dt i{display:inline-block;width:18px;margin-right:6px;vertical-align:middle;
  border-top:3px solid} dd{display:flex;flex-wrap:wrap;gap:4px 6px;margin:0;min-height:22px}
.chip{padding:1px 8px;border-radius:10px;border:1px solid color-mix(in srgb,currentColor 30%,transparent)}
.right{color:var(--right);border-color:currentColor} .wrong{color:var(--wrong);border:1px dashed}
.missed{opacity:.75;border-style:dotted;text-decoration:line-through}
table{border-collapse:collapse;width:100%} th,td{padding:4px 10px;text-align:left;font-weight:400;
  border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)} :is(th,td)+*{text-align:right}
"""


def _same(first: LatestRow, second: LatestRow) -> bool:
    return first.row == second.row and first.stream is second.stream and first.answers == second.answers
