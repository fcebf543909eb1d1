"""Learners made of others, two deep, are the same to the bit when a script or a description makes them again."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from typing import Any

import pytest

import streamlab as sl
from streamlab.lab.described import describe, make_described
from streamlab.lab.script import script_of
from tests.fuzz.learners import NAMES, NESTED, holds_state, made
from tests.lab.test_time_machine import same, told

WRAPPED: dict[str, Callable[[sl.Learner], sl.Learner]] = {
    "Oversampling": lambda model: sl.Oversampling(model, most=4.0, seed=1),
    "Council": lambda model: sl.Council({"z": model, "a": sl.NoChange()}, seed=1),
    "Council of a list": lambda model: sl.Council([model, sl.MajorityLabels()], seed=1),
    "Pipeline": lambda model: sl.Pipeline(sl.StandardScaler(half_life=50), model, chunk=30),
}
NAMED = [name for name in NAMES if issubclass(getattr(sl, name), sl.Learner) and holds_state(name)]
WAYS = [(), *((one,) for one in WRAPPED), *itertools.product(WRAPPED, WRAPPED)]


def seeded(name: str) -> sl.Learner:
    """Return a learner with the seed that a description is made again with."""
    if name == "Pipeline":
        return made("StandardScaler") | made("BalancedLDA") | seeded("BalancedKNN")
    if name == "Council":
        return sl.Council(seed=1)
    has_seed = name != "Oversampling" and "seed" in inspect.signature(getattr(sl, name)).parameters
    return made(name, **{"seed": 1} if has_seed else {})


def wrapped(name: str, way: tuple[str, ...]) -> sl.Learner | None:
    """Return a learner in others; None where they do not take it: a council has no labels with a hierarchy."""
    model = seeded(name)
    for each in way:
        if name in NESTED and "Council" in each:
            return None
        model = WRAPPED[each](model)
    return model


def without_room(seen: dict[str, Any]) -> dict[str, Any]:
    """Leave out how much room there is beyond what is kept: it depends on how chunks were cut."""
    state = seen.get("state of x", {})  # SMART's is not compared, its nodes are
    return seen | {"state of x": {key: value for key, value in state.items() if not key.endswith("room")}}


def run_of(name: str, learner: Any) -> sl.Run:
    stream = sl.load("segments") if name in NESTED else sl.load("syn-tree-sudden", seed=3, n_rows=400)
    run = sl.Run(stream, {"x": learner}, chunk=50)
    run.advance(190)
    return run


def check(name: str, way: tuple[str, ...]) -> bool:
    learner = wrapped(name, way)
    if learner is None:
        return False
    description = describe(learner)
    run = run_of(name, learner)
    space: dict[str, Any] = {}
    exec(compile(script_of(run), "script.py", "exec"), space)
    same(without_room(told(space["run"])), without_room(told(run)))
    same(without_room(told(run_of(name, make_described(description, 1)))), without_room(told(run)))
    return True


def test_what_is_made_of_others_is_written_with_them():
    model = sl.Oversampling(
        sl.StandardScaler() | sl.Council({"b": sl.SMART(half_life=20, seed=1), "a": sl.NoChange()}),
        weights={"l1": 2.5},
        seed=1,
    )
    run = sl.Run(sl.load("syn-tree-sudden", seed=3, n_rows=400), {"x": model}, chunk=50)
    run.advance(100)
    run.join("late", sl.Council([sl.MajorityLabels(), sl.NoChange()]))
    run.advance(100)
    code, space = script_of(run), {}
    exec(compile(code, "script.py", "exec"), space)
    same(told(space["run"]), told(run))
    assert '{"b": sl.SMART(half_life=20, seed=1), "a": sl.NoChange()}' in code


def test_an_expert_that_was_tuned_is_written_as_it_is():
    model = sl.Council(["SMART", "NoChange"], seed=1)
    model.tune(SMART__half_life=20)
    twin = make_described(describe(model), 1)
    assert twin.experts["SMART"].half_life == 20
    assert twin.experts["SMART"].seed == 1


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMED)
def test_every_learner_two_deep_is_the_same_again(name):
    assert sum(check(name, way) for way in WAYS) >= 7
