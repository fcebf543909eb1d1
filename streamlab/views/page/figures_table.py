"""The figures of a run: a row for each learner, and the settings side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from streamlab._checks import percent
from streamlab.lab.frame import Frame
from streamlab.lab.verdict import Verdict
from streamlab.measures import MEASURES
from streamlab.measures.recovery import ERRORS, NEAR
from streamlab.views.kit.text import MOST_MESSAGE, all_shown, as_html, in_bytes, number_text, score_text
from streamlab.views.page.sentence import Sentence
from streamlab.views.page.sentence_bar import colour_of
from streamlab.views.page.window import LateHTML, Part

NONE = "–"
HEADS = (
    "before", "lowest", "now", "regained", "back", "alarm after", "replaced after", "old evidence", "rows/s", "memory",
)  # fmt: skip
OFTEN_EMPTY = ("alarm after", "replaced after", "old evidence")
REPLACED = "promotions"
"""The source of what is no alarm: a part of the learner was replaced."""


class FiguresTable(Part):
    """Shows the figures of a frame: what the latest drift did to each learner, and the settings that they differ in."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = LateHTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 8))

    def show(self, frame: Frame, sentence: Sentence) -> None:
        """Draw a frame, which the sentence has taken in; on the document's thread."""
        html = figures_html(frame, sentence)
        if html != self._layout.object:
            self._layout.object = html


def figures_html(frame: Frame, sentence: Sentence) -> str:
    """Return the figures of a frame as HTML; names come from outside and are escaped."""
    position = frame.position
    verdicts, now, old = sentence.verdicts(position), sentence.now(position), sentence.old(frame)
    delays = sentence.delays(position)
    names = dict(zip(sentence.groups, all_shown(sentence.groups), strict=True))
    # those that are drawn, the one of the sentence first
    measures: Mapping[str, Any] = next(({sentence.measure: 0} | each["values"] for each in frame.learners.values()), {})
    whole = [f"{MEASURES[each].title}, all rows" for each in measures]
    lines: list[tuple[str, list[str]]] = []
    for place, (name, members) in enumerate(sentence.groups.items()):
        after = {source: f"{rows:,.0f}" for source, rows in delays.get(name, {}).items()}
        replaced = after.pop(REPLACED, NONE)
        cells = [
            *_judged(verdicts.get(name), now[name]),
            ", ".join(f"{n} ({source})" for source, n in after.items()) or NONE,
            replaced,
            percent(old[name]) if name in old else NONE,
            *_costs(own := [frame.learners[each] for each in members if each in frame.learners]),
            *(_mean([each["values"].get(measure) for each in own]) for measure in measures),
        ]
        lines.append((_head(names[name], place), cells))
    lowest = {"lowest": "lowest" if MEASURES[sentence.measure].higher_is_better else "highest"}
    titles = [*(lowest.get(each, each) for each in HEADS), *whole]
    kept = [i for i, h in enumerate(titles) if h not in OFTEN_EMPTY or any(cells[i] != NONE for _, cells in lines)]
    rows = [f"<tr>{head}{''.join(f'<td>{as_html(cells[i])}</td>' for i in kept)}</tr>" for head, cells in lines]
    heads = "".join(f"<th scope='col'>{as_html(each)}</th>" for each in ("", *(titles[i] for i in kept)))
    table = _table(_caption(sentence, position), heads, rows)
    return f"<div role='region' aria-label='Figures' tabindex='0'>{table}{_settings(frame, sentence, names)}</div>"


def _table(caption: str, heads: str, rows: Sequence[str]) -> str:
    body = f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f"<table><caption>{caption}</caption>{body}</table>"


def _judged(found: Verdict | None, now: float) -> list[str]:
    """Return the level before, the lowest point, the latest, the share regained and the row of the return."""
    if found is None or found.fell is None:
        before = NONE if found is None or math.isnan(found.before) else score_text(found.before)
        return [before, NONE, _score(now), NONE, NONE if found is None else "too early"]
    back = (
        f"row {found.back_at:,}"
        if found.back
        else "not yet"
        if found.fell
        else "held"
        if found.held
        else "fell briefly"
        if found.dipped
        else "no clear fall"
    )
    regained = percent(found.regained) if found.fell and not math.isnan(found.regained) else NONE
    return [score_text(found.before), _score(found.lowest), _score(now), regained, back]


def _score(value: float) -> str:
    return NONE if math.isnan(value) else score_text(value)


def _costs(members: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the mean speed and memory of the members of a group."""
    if not members:
        return [NONE, NONE]
    speed, memory = (sum(each[key] for each in members) / len(members) for key in ("instances_per_second", "bytes"))
    # one run does not time more than two digits
    return [f"{float(f'{speed:.2g}'):,.0f}", in_bytes(memory)]


def _mean(values: Sequence[float | None]) -> str:
    """Return the mean of a measure over all rows so far, with a digit more than what is of a few rows."""
    known = [each for each in values if each is not None and not math.isnan(each)]
    return score_text(sum(known) / len(known), 3) if known else NONE


def _caption(sentence: Sentence, position: int) -> str:
    title, window, mark = MEASURES[sentence.measure].title, sentence.window(position, "chunk"), sentence.mark(position)
    rule = f"stays at {percent(1 - NEAR)} of it, or within {ERRORS:g} standard errors of three chunks"
    since = f" Before: the median before {mark}; back: {rule}."
    return as_html(f"{title} by chunks; now: {window}.{since if mark is not None else ''}", MOST_MESSAGE)


def _settings(frame: Frame, sentence: Sentence, names: Mapping[str, str]) -> str:
    """Return the table of the parameters that may be set while a run plays; equal ones are grey."""
    learners = sentence.learners
    given = {name: frame.learners.get(sentence.groups[name][0], {}).get("parameters", {}) for name in learners}
    titles = {t.name: t.title or t.name.replace("_", " ") for each in learners.values() for t in each.tunables}
    rows = []
    for parameter, title in titles.items():
        values = [_value(own[parameter]) if parameter in own else NONE for own in given.values()]
        known = [each for each in values if each != NONE]
        same = " class='same'" if len(known) > 1 and len(set(known)) == 1 else ""
        cells = "".join(f"<td>{as_html(each)}</td>" for each in values)
        rows.append(f"<tr{same}><th scope='row'>{as_html(title)}</th>{cells}</tr>")
    if not rows:
        return ""
    heads = "".join(_head(names[name], place, "col") for place, name in enumerate(learners))
    return _table("Settings; equal ones are grey.", f"<th></th>{heads}", rows)


def _head(name: str, place: int, scope: str = "row") -> str:
    return f"<th scope='{scope}' style='{colour_of(place)}'>{as_html(name)}</th>"


def _value(value: Any) -> str:
    return "never" if value == math.inf else NONE if value is None else number_text(value)


STYLE = """
:host{font:14px/1.4 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif}
div{display:flex;flex-wrap:wrap;align-items:start;gap:8px 40px;overflow:auto;max-width:100%}
table{border-collapse:collapse}
caption{text-align:left;opacity:.75;padding-bottom:4px}
th,td{padding:3px 14px 3px 0;text-align:left;font-weight:400;white-space:nowrap;font-variant-numeric:tabular-nums}
thead th{opacity:.75} tbody th{font-weight:600} .same{opacity:.5}
"""
