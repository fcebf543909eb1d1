"""Chunks that are cut into parts: what that changes, what it does not, and that all of it can be had again."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import convert

import streamlab as sl
from streamlab.lab.recipe import ActionRecords
from tests.lab.test_time_machine import same, told

CHUNK = 20


def fresh(chunk: int = CHUNK, **options) -> sl.Run:
    stream = options.pop("stream", None) or sl.load("syn-tree-sudden", seed=3, n_rows=400)
    return sl.Run(stream, {"it": sl.MLKNN(), "no-change": sl.NoChange()}, chunk=chunk, **options)


def test_parts_of_a_length_are_chunks_of_that_length():
    cut, short = fresh(), fresh(chunk=5)
    cut.set_step(5)
    cut.advance(200)
    short.advance(200)
    for name in ("it", "no-change"):
        mine, theirs = cut.learner_runs[name], short.learner_runs[name]
        assert mine.tracker.values("cumulative") == theirs.tracker.values("cumulative")
        ahead = next(cut.stream.chunks(50, start=200)).X
        np.testing.assert_array_equal(mine.learner.answer_many(ahead), theirs.learner.answer_many(ahead))
    whole = fresh()
    whole.advance(200)
    assert whole.summary.loc["it", "micro_f1"] != cut.summary.loc["it", "micro_f1"], "it learns sooner"
    assert whole.summary.loc["no-change", "micro_f1"] == cut.summary.loc["no-change", "micro_f1"]
    assert list(cut.curves()["position"]) == list(whole.curves()["position"]), "points of the curves stay"


def test_it_begins_amid_a_chunk_and_does_not_depend_on_calls():
    def script(run: sl.Run, by: int | None) -> sl.Run:
        for at, rows in ((7, 3), (31, 1), (33, None), (58, 7)):
            while run.position < at:
                run.advance(at - run.position if by is None else min(by, at - run.position))
            run.set_step(rows)
        run.advance(130 - run.position)
        return run

    same(told(script(fresh(), None)), told(script(fresh(), 1)))
    once = script(fresh(), None)
    assert once.step == 7
    assert list(once.events[once.events["kind"] == "step"]["position"]) == [7, 31, 33, 58]
    assert list(once.events[once.events["kind"] == "step"]["message"])[1] == "rows are answered and learned row by row"


@pytest.mark.parametrize("rows", [0, 21, -1, True, 2.5, "3"])
def test_another_number_is_refused(rows):
    run = fresh()
    with pytest.raises(ValueError, match="expected a whole number from 1 to 20, or None"):
        run.set_step(rows)
    assert run.step == CHUNK
    assert len(run.events) == 0


def test_what_is_so_already_is_no_action():
    run = fresh()
    assert run.set_step(None) is None
    assert run.set_step(5) is not None
    assert run.set_step(5) is None
    assert len(run.events) == 1


@pytest.mark.parametrize("detail", [{"rows": 0}, {"rows": "5"}, {}])
def test_a_step_that_no_run_takes_is_refused(detail):
    with pytest.raises(ValueError, match="rows"):
        convert({"kind": "step", "position": 0, "after_end": False, **detail}, ActionRecords)
