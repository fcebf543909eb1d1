"""A study as the browser draws it: its sentence, how learners rank, the table with its choices, and curves."""

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
from streamlab.study.comparison import say
from streamlab.study.page.choice import OVER, Choice
from streamlab.study.page.reader import (
    COSTS,
    STATUS_WORDS,
    Entry,
    Reader,
    Seen,
    counts_sentence,
    explained,
    higher_is_better,
    titled,
    unit_of,
)
from streamlab.study.page.sentence import Standing, groups_of, shared_rows, surpassed, tell
from streamlab.study.pictures.evolution import bands_of
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.kit.text import all_shown, shown
from streamlab.views.timeline.bands import style_of


def ranks_by_stream(
    values: Mapping[str, Sequence[float]], ended: Sequence[bool], *, higher_is_better: bool
) -> pd.DataFrame:
    """Return the rank of each learner, 1 the best, on each stream that counts, by the stream's place.

    A stream counts once every learner has ended on it, and one at least with a figure. Who ended without a figure ranks
    last there; equals share the mean of their ranks.

    Parameters
    ----------
    values
        By learner its figures, one for each stream; NaN: none.
    ended
        For each stream whether all learners have ended.
    """
    table = pd.DataFrame(dict(values), dtype=float)
    table = table[np.asarray(ended, dtype=bool)].dropna(how="all")
    return table if table.empty else rank_streams(table, higher_is_better=higher_is_better)


def average_ranks(
    values: Mapping[str, Sequence[float]], ended: Sequence[bool], *, higher_is_better: bool
) -> tuple[dict[str, float], int]:
    """Return the average rank of each learner over the streams that count, and how many these are.

    Examples
    --------
    >>> nan = float("nan")
    >>> average_ranks({"A": [0.9, 0.5, 0.1], "B": [0.8, nan, 0.2]}, [True, True, False], higher_is_better=True)
    ({'A': 1.0, 'B': 2.0}, 2)
    """
    ranks = ranks_by_stream(values, ended, higher_is_better=higher_is_better)
    return {name: float(ranks[name].mean()) for name in values}, len(ranks)


def comparison_of(values: Mapping[str, Sequence[float]], ended: Sequence[bool], measure: str) -> Comparison | None:
    """Return what the tests go by: at least two learners on two streams, of which all have ended; None: not yet."""
    table = pd.DataFrame(dict(values), dtype=float).dropna(how="all")
    if not all(ended) or table.shape[0] < 2 or table.shape[1] < 2:
        return None
    return compare(table, measure, higher_is_better=higher_is_better(measure))


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


RANKS = (
    "On each stream the learners get ranks, 1 for the best, and equals share the mean of theirs. The large dot is a "
    "learner’s average rank, a small one its rank on one stream. A bar joins learners that the tests do not tell apart."
)
ANSWERS = (
    "A learner answers each row and only then is told its labels. Click a figure, a small dot or a curve to watch that "
    "run."
)
OPEN = "·"
"""What the table shows of a run that nobody has begun."""


OF_COSTS = (0.0, 1e300)
"""The range of time and memory."""
MOST_LINE = 300


class StudyBoard(FrameComponent):
    """Draws what ``board_of`` returns.

    Parameters
    ----------
    on_choose
        Called as ``on_choose(what, indices)``: ``"measure"``, ``"over"`` and ``"curves"`` with one index of what is
        offered, ``"curves"`` with none for the ranks in their place, ``"learners"`` and ``"streams"`` with those shown.
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
            and (what != "curves") <= len(indices) <= (most if what in ("learners", "streams") else min(most, 1))
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
    each = ranks_by_stream(values, ended, higher_is_better=better)
    best = _best(values, better)
    marked = seen.cell(choice.cell) if choice.cell else None
    rows = [
        {
            "learner": learners.index(who),
            "rank": ranks[who],
            "cells": [
                _cell(entries[who, name], values[who][i] == best[i])
                | {"chosen": marked is not None and (marked["learner"], marked["stream"]) == (who, name)}
                | {"rank": float(each[who].get(i, math.nan))}
                for i, name in enumerate(shown_streams)
            ],
        }
        for who in shown_learners
    ]
    found = comparison_of(values, ended, measure)
    caveats = shared_rows({name: reader.study.sources[name].recipe for name in shown_streams})
    of_shown = seen.cells[seen.cells.learner.isin(shown_learners) & seen.cells.stream.isin(shown_streams)].status
    is_running, done = bool((of_shown == "running").any()), int((~of_shown.isin(["open", "running"])).sum())
    now = Standing(measure, ranks, counted, done, len(of_shown), is_running, found, bool(caveats))
    # the conclusion first; what was compared and who is first stand above
    tests = [*say(found)[:1:-1], *caveats] if found is not None else []
    some = f"{counted} of {len(ended)} streams have a rank: those on which all learners shown have ended."
    several = max(entry.seeds for entry in entries.values())
    figures = f"Figures are means of {several} seeds." if several > 1 else ""
    why = [*tests, explained(measure), RANKS, some * (counted < len(ended)), figures, ANSWERS, reader.about]
    return {
        "sentence": [[text, learners.index(who) if who else None] for text, who in tell(now)],
        "command": reader.command if done < len(of_shown) and not is_running else "",
        "is_over": all(ended),
        "why": [counts_sentence(seen.statuses), *filter(None, why)],
        "measures": [titled(name) for name in reader.measures],
        "measure": reader.measures.index(measure),
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
        "groups": [[learners.index(name) for name in group] for group in groups_of(found)] if found else [],
        "surpassed": [learners.index(name) for name in surpassed(now)],
        "joined": _joined(found) if found is not None else "",
        "widest": streams.index(shown_streams[widest_lead(values, ranks, higher_is_better=better)]),
        "curves": _curves(reader, seen, choice, shown_learners) if choice.curves else None,
    }


def _joined(found: Comparison) -> str:
    """Return by which test it is told what may be chance."""
    by = "Friedman" if found.friedman.p >= found.alpha else found.pair_test.title()
    return f"chance: {by} test, {len(found.scores)} streams, α = {found.alpha:g}"


def _best(values: Mapping[str, Sequence[float]], higher: bool) -> list[float]:
    """Return the best figure of each stream; NaN, which equals nothing, where there are not two to compare."""
    known = [[value for value in column if value == value] for column in zip(*values.values(), strict=True)]
    return [(max if higher else min)(each) if len(each) > 1 else float("nan") for each in known]


def _cell(entry: Entry, is_best: bool) -> dict[str, Any]:
    return {
        "text": OPEN if entry.text == STATUS_WORDS["open"] else entry.text, "value": entry.value, "best": is_best,
        "is_running": entry.text == STATUS_WORDS["running"], "has_ended": entry.has_ended, "key": entry.key,
        "at": entry.at, "seeds": entry.seeds, "lines": [shown(line, MOST_LINE) for line in entry.lines],
    }  # fmt: skip


def _curves(reader: Reader, seen: Seen, choice: Choice, learners: Sequence[str]) -> dict[str, Any]:
    measure, stream = choice.measure, choice.curves
    places = list(reader.study.learners)
    found = bands_of(reader.curves(measure, choice.over, stream, learners))
    most = max((band.middle.max(initial=0.0) for _, band, _ in found.values()), default=0.0)
    scale, unit = unit_of(measure, most)
    entries = seen.entries(measure)
    lines = [
        {
            "learner": places.index(who),
            "key": entries[who, stream].key,
            "seeds": seeds,
            "positions": positions.astype(int).tolist(),
            "values": (band.middle / scale).tolist(),
            "low": (band.low / scale).tolist() if seeds > 1 else None,
            "high": (band.high / scale).tolist() if seeds > 1 else None,
        }
        for who, (positions, band, seeds) in ((who, found[who]) for who in learners if who in found)
        if len(positions)
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
    return replace(
        choice,
        measure=choice.measure or offered.measures[0],
        over=choice.over or next(iter(OVER)),
        learners=choice.learners or tuple(offered.learners),
        streams=streams,
        curves=choice.curves if choice.curves in streams else "",
    )
