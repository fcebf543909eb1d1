"""Where events are said to have happened does not depend on how the run was cut, whoever is inside of whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from river.base import Classifier

import streamlab as sl
from streamlab.streams.readers.arrays import ArrayStream
from tests.fuzz.learners import NAMES, NESTED, made, rows, schema

N, CHUNK, JOINS_AT = 900, 60, 210
CUTS = (7, 60, 143)
# River's regressors of many targets take no categories
LEARNERS = [
    name
    for name in NAMES
    if issubclass(getattr(sl, name), sl.Learner) and name not in ("Pipeline", "Oversampling", "TargetsAsLabels")
]


class Switching(Classifier):
    """Says that a background tree took over, as River's adaptive trees do, after every 37 rows."""

    def __init__(self) -> None:
        self.n_rows = 0

    @property
    def n_switch_alternate_trees(self) -> int:
        return self.n_rows // 37

    def learn_one(self, x, y) -> None:
        self.n_rows += 1

    def predict_proba_one(self, x):
        return {False: 1.0}


def new(name: str) -> sl.Learner:
    if name == "Council":
        return sl.Council(seed=1)
    return sl.OnePerLabel(Switching()) if name == "OnePerLabel" else made(name)


def trained(model: sl.Learner, of: sl.Schema) -> sl.Learner:
    model.bind(of)
    model.learn_many(*rows(of, 250, seed=7))
    return model


WRAPPED: dict[str, Callable[[sl.Learner, sl.Schema], sl.Learner]] = {
    "alone": lambda model, of: model,
    "oversampled": lambda model, of: sl.Oversampling(model, seed=1),
    "in a council": lambda model, of: sl.Council({"one": model, "other": sl.NoChange()}),
    "in a pipeline": lambda model, of: sl.Pipeline(sl.StandardScaler(), model, chunk=40),
    "twice": lambda model, of: sl.Oversampling(sl.Pipeline(sl.StandardScaler(), model, chunk=40), seed=1),
    "trained before": trained,
    "trained, in a council": lambda model, of: sl.Council({"one": trained(model, of), "other": sl.NoChange()}),
}


def log_of(name: str, how: str, cut: int, late: int, joins: bool) -> list[tuple[Any, ...]]:
    """Return what a learner reports in a run that goes on by ``cut`` rows."""
    of = schema(name)
    stream = ArrayStream(*rows(of, N, seed=3), schema=of)
    learner = WRAPPED[how](new(name), of)
    first = {"no-change": sl.NoChange()} if joins else {name: learner}
    run = sl.Run(sl.delay_labels(stream, late) if late else stream, first, chunk=CHUNK)
    if joins:
        run.advance(JOINS_AT)
        run.join(name, learner, train_on=100)
    while not run.finished:
        run.advance(cut)
    return [(e.position, e.kind, e.message, sorted(map(str, e.detail.items()))) for e in run.log if e.learner == name]


def check(name: str, how: str) -> int:
    n = 0
    for late in (0, 70):
        for joins in (False, True):
            logs = [log_of(name, how, cut, late, joins) for cut in CUTS]
            assert logs[0] == logs[1] == logs[2], (name, how, late, joins)
            n += len(logs[0])
    return n


@pytest.mark.costly
@pytest.mark.parametrize("how", WRAPPED)
def test_the_log_of_a_tree_does_not_depend_on_the_cut(how):
    assert check("MLHAT", how) > 20


def test_an_adaptive_tree_of_rivers_takes_over_at_the_same_row_however_the_run_is_cut():
    assert check("OnePerLabel", "alone") > 100


@pytest.mark.nightly
@pytest.mark.parametrize("how", WRAPPED)
@pytest.mark.parametrize("name", LEARNERS)
def test_no_log_depends_on_the_cut(name, how):
    if name in NESTED and "council" in how:
        pytest.skip("a council takes no labels with a hierarchy")
    check(name, how)
