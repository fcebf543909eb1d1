"""The table of a study with its choices, its ranks with their diagram, and its curves: what the browser draws."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import param

from streamlab.measures import MEASURES
from streamlab.study import Comparison, compare, rank_streams
from streamlab.study.comparison import listed_names, say
from streamlab.study.page.choice import OVER, Choice
from streamlab.study.page.reader import (
    COSTS,
    Entry,
    Reader,
    Seen,
    counts_sentence,
    explained,
    higher_is_better,
    titled,
    unit_of,
)
from streamlab.study.pictures.drawing import Drawing, Theme, text_width
from streamlab.study.pictures.ranks import draw_ranks
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.kit.text import all_shown, shown
from streamlab.views.timeline.bands import style_of


def average_ranks(
    values: Mapping[str, Sequence[float]], ended: Sequence[bool], *, higher_is_better: bool
) -> tuple[dict[str, float], int]:
    """Return the average rank of each learner, 1 the best, and over how many streams.

    A stream counts once every learner has ended on it, and one at least with a figure. Who ended without a figure ranks
    last there; equals share the mean of their ranks.

    Parameters
    ----------
    values
        By learner its figures, one for each stream; NaN: none.
    ended
        For each stream whether all learners have ended.

    Examples
    --------
    >>> nan = float("nan")
    >>> average_ranks({"A": [0.9, 0.5, 0.1], "B": [0.8, nan, 0.2]}, [True, True, False], higher_is_better=True)
    ({'A': 1.0, 'B': 2.0}, 2)
    """
    table = pd.DataFrame(dict(values), dtype=float)
    table = table[np.asarray(ended, dtype=bool)].dropna(how="all")
    if table.empty:
        return dict.fromkeys(values, math.nan), 0
    ranks = rank_streams(table, higher_is_better=higher_is_better).mean()
    return {name: float(ranks[name]) for name in values}, len(table)


def widest_lead(values: Mapping[str, Sequence[float]], ranks: Mapping[str, float], *, higher_is_better: bool) -> int:
    """Return the place of the stream on which who ranks best leads all others by most.

    Examples
    --------
    >>> widest_lead({"A": [0.5, 0.9], "B": [0.6, 0.2]}, {"A": 1.4, "B": 1.6}, higher_is_better=True)
    1
    """
    table = pd.DataFrame(dict(values), dtype=float) * (1 if higher_is_better else -1)
    first = min(ranks, key=lambda who: ranks[who])
    return int((table[first] - table.drop(columns=first).max(axis=1)).fillna(-math.inf).argmax())


def bands_of(curves: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the curve of each learner: the mean over its seeds, and from the least to the greatest.

    Parameters
    ----------
    curves
        What ``Study.curves`` gives for one stream.

    Returns
    -------
    dict
        By learner ``positions``, ``values``, ``low`` and ``high`` (None with one seed), lists of equal length, and
        ``seeds``, how many. Only rows that all its seeds have come to.
    """
    found = {}
    for learner, part in curves.groupby("learner", sort=False):
        seeds = int(part.seed.nunique(dropna=False))
        by_row = part.groupby("position").value.agg(["mean", "min", "max", "size"])
        by_row = by_row[by_row["size"] == seeds]
        found[str(learner)] = {
            "positions": by_row.index.astype(int).tolist(), "values": by_row["mean"].astype(float).tolist(),
            "low": by_row["min"].astype(float).tolist() if seeds > 1 else None,
            "high": by_row["max"].astype(float).tolist() if seeds > 1 else None,
            "seeds": seeds,
        }  # fmt: skip
    return found


WIDTHS = (280, 340, 460, 580, 700, 820, 940, 1060, 1300)
"""Pixels of the diagrams that the browser chooses among: those on which the names have room."""
COLOURS = Theme(
    paper="var(--sl-surface)", ink="var(--sl-text)", muted="var(--sl-muted)", grid="var(--sl-line)",
    band="var(--sl-track)", bar="var(--sl-text)", mark="var(--sl-accent)", worse="var(--sl-down)",
    low="var(--sl-track)", high="var(--sl-bar)",
)  # fmt: skip
"""The page's own, which follow its theme."""
TOO_FEW = "When at least two learners have finished on the same two streams, their average ranks are drawn here."
HOW = "On each stream the learners get ranks, 1 for the best; a dot is the average of a learner's ranks."


def diagram_of(
    values: Mapping[str, Sequence[float]], ended: Sequence[bool], measure: str, places: Mapping[str, int]
) -> dict[str, Any]:
    """Return the diagram as the browser draws it: what it says, and drawings for several widths.

    Parameters
    ----------
    values
        By learner its figures, one for each stream; NaN: none.
    ended
        For each stream whether all learners have ended: others do not count yet.
    measure
        What the figures are of.
    places
        By learner its place in the study, from which it has its colour.
    """
    table = pd.DataFrame(dict(values), dtype=float)[list(ended)].dropna(how="all")
    if table.shape[0] < 2 or table.shape[1] < 2:
        return {"title": "Average ranks", "how": TOO_FEW, "lead": "", "words": [], "drawings": []}
    found = compare(table, measure, higher_is_better=higher_is_better(measure))
    order = [places[name] for name in found.ranks.index]
    laid_out = [draw_ranks(found, COLOURS, width, title="") for width in WIDTHS]
    drawings = [_plain(each, order) for each in laid_out if _has_room(each) or each is laid_out[-1]]
    title = f"Average ranks on {len(found.scores)} streams, by {found.title}"
    # the conclusion first; what was compared and who is first stand above
    return {"title": title, "how": HOW, "lead": lead_of(found), "words": say(found)[:1:-1], "drawings": drawings}


def lead_of(found: Comparison) -> str:
    """Return who ranks best, and which of the others the diagram tells apart from it, without a term of statistics."""
    names, best = list(found.ranks.index), found.ranks.index[0]
    alike = {name for group in found.groups(found.pair_test) if best in group for name in group} | {best}
    others, apart = [name for name in names if name in alike - {best}], [name for name in names if name not in alike]
    findings = [f"it is better than {listed_names(apart)}"] if apart else []
    findings += [f"its lead over {listed_names(others)} may be chance"] if others else []
    text = "; ".join(findings)
    return f"{best} ranks best on average: {found.ranks.iloc[0]:.2f}. {text[0].upper()}{text[1:]}."


def dependence_of(recipes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a caveat for each set of streams that are the same rows but for changes, by name and ``Source.recipe``.

    Examples
    --------
    >>> plain = {"source": "yeast", "options": {}}
    >>> changed = {"change": "rotate_labels", "parameters": {"at": 500}, "stream": plain}
    >>> dependence_of({"a": plain, "b": changed, "c": {"source": "films", "options": {}}})[0].partition(":")[0]
    '“a” and “b” have the same rows, but for changes'
    """
    alike: dict[str, list[str]] = {}
    for name, recipe in recipes.items():
        while "change" in recipe:
            recipe = recipe["stream"]
        alike.setdefault(repr(recipe), []).append(name)
    groups = [[f"“{shown(name)}”" for name in names] for names in alike.values() if len(names) > 1]
    return [
        f"{listed_names(names)} have the same rows, but for changes: the tests take streams for independent, so that "
        f"with these {len(names)} their p is smaller than it should be."
        for names in groups
    ]


def _has_room(drawing: Drawing) -> bool:
    """Return whether every text lies within the picture."""
    share = {"left": 0.0, "center": 0.5, "right": 1.0}
    starts = [(each.x - share[each.align] * (wide := text_width(each.text, each.size)), wide) for each in drawing.texts]
    return all(start >= 0 and start + wide <= drawing.width for start, wide in starts)


def _plain(drawing: Drawing, order: Sequence[int]) -> dict[str, Any]:
    """Return a drawing as lists; a dot has its learner's place, as the browser knows the colours."""
    return {
        "width": drawing.width,
        "height": round(drawing.height, 1),
        "boxes": [[*map(_round, (box.x0, box.y0, box.x1, box.y1)), box.colour] for box in drawing.boxes],
        "lines": [[*map(_round, line[:4]), line.colour, line.width] for line in drawing.lines],
        "dots": [
            [_round(dot.x), _round(dot.y), place, dot.size] for dot, place in zip(drawing.dots, order, strict=True)
        ],
        "texts": [
            [_round(each.x), _round(each.y), each.text, each.colour, each.align, each.size, each.bold]
            for each in drawing.texts
        ],
    }


def _round(value: float) -> float:
    return round(float(value), 1)


OF_COSTS = (0.0, 1e300)
"""The range of time and memory."""
MOST_LINE = 300


class StudyBoard(FrameComponent):
    """Draws what ``board_of`` returns.

    Parameters
    ----------
    on_choose
        Called as ``on_choose(what, indices)``: ``"measure"``, ``"over"`` and ``"curves"`` with one index of what is
        offered, ``"learners"`` and ``"streams"`` with those that are shown.
    """

    query = param.String(default="", doc="What the page's address says.")

    takes = ("dark",)

    _bundle = bundled("study")

    def __init__(self, on_choose: Callable[[str, list[int]], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_choose = on_choose
        self._sizes: Mapping[str, int] = {}

    def show(self, board: Mapping[str, Any], query: str) -> None:
        """Draw this state, and write the query into the page's address."""
        self._sizes = {what: len(board[what]) for what in ("measures", "overs", "learners", "streams")}
        self.query = query
        self._show(board)

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") != "choose":
            super()._handle_msg(data)
            return
        what, indices = data.get("what"), data.get("indices")
        offered = {"measure": "measures", "over": "overs", "curves": "streams", "learners": "learners"}
        offered["streams"] = "streams"
        most = self._sizes.get(offered.get(what, ""), 0) if isinstance(what, str) else 0
        is_known = (
            isinstance(indices, list)
            and 1 <= len(indices) <= (most if what in ("learners", "streams") else 1)
            and all(isinstance(i, int) and not isinstance(i, bool) and 0 <= i < most for i in indices)
        )
        if not is_known:
            self._refusals.report("a choice", data)
            return
        self._on_choose(what, sorted(set(indices)))


def board_of(reader: Reader, seen: Seen, choice: Choice) -> dict[str, Any]:
    """Return what the browser draws of a study: plain values, learners and streams by their place in the study.

    Parameters
    ----------
    reader
        Of the study.
    seen
        How it stands.
    choice
        What is shown; nothing in it is empty but ``curves``, ``cell``, ``run`` and ``at``.
    """
    learners, streams = list(reader.study.learners), list(reader.study.sources)
    measure, entries = choice.measure, seen.entries(choice.measure)
    shown_streams = [name for name in streams if name in choice.streams]
    shown_learners = [name for name in learners if name in choice.learners]
    values = {who: [entries[who, name].value for name in shown_streams] for who in shown_learners}
    ended = [all(entries[who, name].has_ended for who in shown_learners) for name in shown_streams]
    better = higher_is_better(measure)
    ranks, counted = average_ranks(values, ended, higher_is_better=better)
    curves = choice.curves or shown_streams[widest_lead(values, ranks, higher_is_better=better)]
    best = _best(values, better)
    several = [entry.seeds for entry in entries.values() if entry.seeds > 1]
    means = f" {len(several)} of {len(entries)} figures are means of {max(several)} seeds." if several else ""
    marked = seen.cell(choice.cell) if choice.cell else None
    rows = [
        {
            "learner": learners.index(who),
            "rank": ranks[who],
            "cells": [
                _cell(entries[who, name], values[who][i] == best[i])
                | {"chosen": marked is not None and (marked["learner"], marked["stream"]) == (who, name)}
                for i, name in enumerate(shown_streams)
            ],
        }
        for who in shown_learners
    ]
    left = not seen.is_over
    diagram = diagram_of(values, ended, measure, {name: i for i, name in enumerate(learners) if name in values})
    if diagram["words"]:
        diagram["words"] += dependence_of({name: reader.study.sources[name].recipe for name in shown_streams})
    return {
        "about": reader.about,
        "counts": counts_sentence(seen.statuses) + means,
        "command": reader.command if left and "running" not in seen.statuses else "",
        "is_running": "running" in seen.statuses,
        "measures": [titled(name) for name in reader.measures],
        "measure": reader.measures.index(measure),
        "explained": explained(measure),
        "lower": not better,
        "overs": list(OVER.values()),
        "over": list(OVER).index(choice.over),
        "has_overs": measure not in COSTS,
        "learners": [
            {"name": name, "dash": style_of(i)[1], "shown": learner in shown_learners}
            for i, (learner, name) in enumerate(zip(learners, all_shown(learners), strict=True))
        ],
        "streams": [
            {"name": name, "shown": stream in shown_streams, "rows": reader.study.sources[stream].size[0]}
            for stream, name in zip(streams, all_shown(streams), strict=True)
        ],
        "columns": [streams.index(name) for name in shown_streams],
        "rows": rows,
        "ranked": counted,
        "curves": _curves(reader, seen, replace(choice, curves=curves), shown_learners),
        "diagram": diagram,
    }


def _best(values: Mapping[str, Sequence[float]], higher: bool) -> list[float]:
    """Return the best figure of each stream; NaN, which equals nothing, where there are not two to compare."""
    known = [[value for value in column if value == value] for column in zip(*values.values(), strict=True)]
    return [(max if higher else min)(each) if len(each) > 1 else float("nan") for each in known]


def _cell(entry: Entry, is_best: bool) -> dict[str, Any]:
    return {
        "text": entry.text, "value": entry.value, "note": entry.note, "best": is_best, "key": entry.key, "at": entry.at,
        "seeds": entry.seeds, "lines": [shown(line, MOST_LINE) for line in entry.lines],
    }  # fmt: skip


def _curves(reader: Reader, seen: Seen, choice: Choice, learners: Sequence[str]) -> dict[str, Any]:
    measure, stream = choice.measure, choice.curves
    places = list(reader.study.learners)
    found = bands_of(reader.curves(measure, choice.over, stream, learners))
    most = max((max(band["values"], default=0.0) for band in found.values()), default=0.0)
    scale, unit = unit_of(measure, most)
    entries = seen.entries(measure)
    lines = [
        {
            "learner": places.index(who),
            "key": entries[who, stream].key,
            "seeds": band["seeds"],
            "positions": band["positions"],
            **{name: band[name] and [value / scale for value in band[name]] for name in ("values", "low", "high")},
        }
        for who, band in ((who, found[who]) for who in learners if who in found)
        if band["positions"]
    ]
    return {
        "stream": list(reader.study.sources).index(stream),
        "rows": reader.study.sources[stream].size[0],
        "range": [float(end) for end in (OF_COSTS if measure in COSTS else MEASURES[measure].range)],
        "unit": unit,
        "lines": lines,
    }


def complete(choice: Choice, reader: Reader) -> Choice:
    """Return a choice with nothing left open: the first measure, all learners and streams; but maybe ``curves``."""
    offered = reader.offered
    streams = choice.streams or tuple(offered.streams)
    curves = choice.curves or (str(reader.look().cell(choice.cell)["stream"]) if choice.cell else "")
    return replace(
        choice,
        measure=choice.measure or offered.measures[0],
        over=choice.over or next(iter(OVER)),
        learners=choice.learners or tuple(offered.learners),
        streams=streams,
        curves=curves if curves in streams else "",
    )
