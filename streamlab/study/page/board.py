"""The table of a study with its choices, its ranks and its curves: what the browser draws, and what people do there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import param

from streamlab.measures import MEASURES
from streamlab.study.page.choice import OVER, Choice
from streamlab.study.page.figures import (
    COSTS,
    Entry,
    counts_sentence,
    explained,
    higher_is_better,
    titled,
    unit_of,
)
from streamlab.study.page.ranks import average_ranks, bands_of, dependence_of, diagram_of, widest_lead
from streamlab.study.page.reader import Reader, Seen
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.kit.text import all_shown, shown
from streamlab.views.timeline.bands import style_of

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
