"""Every learner's answers, states and curves are what they were before the code was moved about."""

from __future__ import annotations

import json

import pytest

import streamlab as sl
from tests import recorded_runs

RECORD = json.loads(recorded_runs.RECORD.read_text())
BITS = recorded_runs.bits(RECORD)


def test_every_case_is_recorded():
    cases = {f"{name} on {stream}" for name, stream in recorded_runs.CASES}
    assert set(RECORD["figures"]) == cases
    for runs in RECORD["bits"].values():
        assert runs.keys() <= cases
    assert cases == set().union(*RECORD["bits"].values()), "the bits of each run are known on some machine"


@pytest.mark.whole
@pytest.mark.parametrize(("name", "stream"), recorded_runs.CASES)
def test_the_numbers_are_those_recorded(name, stream):
    run = f"{name} on {stream}"
    found = recorded_runs.measured(name, stream)
    assert recorded_runs.differences(name, stream, found["figures"], RECORD["figures"][run]) == []
    for part in recorded_runs.PARTS if run in BITS else ():
        assert found[part] == BITS[run][part], part


def slower():
    return sl.SMART(half_life=sl.SMART().half_life * (1 + 1e-6), seed=1)


def with_a_row_learned_twice():
    learner = sl.SMART(seed=1)
    own, chunks = learner.test_then_train, []

    def test_then_train(X, Y):
        answers = own(X, Y)
        chunks.append(X)
        if len(chunks) == 3:
            learner.learn_many(X[-1:], Y[-1:])
        return answers

    learner.test_then_train = test_then_train
    return learner


@pytest.mark.whole
@pytest.mark.parametrize("changed", [slower, with_a_row_learned_twice])
def test_a_small_change_is_seen_on_any_machine(changed, monkeypatch):
    name, stream = "SMART", "late"
    monkeypatch.setitem(recorded_runs.LEARNERS, name, (changed, (stream,)))
    found = recorded_runs.measured(name, stream)["figures"]
    parted = recorded_runs.differences(name, stream, found, RECORD["figures"][f"{name} on {stream}"])
    assert "scores" in parted


@pytest.mark.parametrize(("chunk", "parted"), [(2, ["labels"]), (12, [])])
def test_an_answer_may_be_another_only_where_rounding_decides(chunk, parted):
    # of this run answers change from row 688 on if the rows' last digits do
    name, stream = "MLHAT", "instruments"
    found = recorded_runs.measured(name, stream)["figures"]
    labels = found["labels"].split()
    labels[chunk] = "others"
    assert recorded_runs.differences(name, stream, found, found | {"labels": " ".join(labels)}) == parted
