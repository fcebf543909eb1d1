"""Every learner's table is enforced: each array's dtype, shape and ranges, of every state that comes from outside."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners import LEARNERS
from streamlab.learners.base.storage import Array, Number, Rule
from streamlab.learners.base.storage_rules import length
from tests.fuzz.learners import NAMES, holds_state, made
from tests.learners.generated import generated, schema_of

OTHERS = {"MLHAT", "MLHT", "HedgedMLHAT"}
"""Learners with a test of their own."""
MAKERS = {name: partial(made, name) for name in NAMES if holds_state(name) and name not in OTHERS}
MAKERS |= {
    "Council": lambda: sl.Council([sl.SMART(n_trees=3, height=5, seed=1), sl.ARkNN(window=9), sl.NoChange()]),
    "SMART with thresholds": partial(made, "SMART", decision="threshold"),
    "SMART warming up": partial(made, "SMART", warm_up=500),
    "BalancedKNN on chunks": partial(made, "BalancedKNN", train_on="chunk"),
    "PrunedSets collecting": lambda: sl.PrunedSets(buffer=500),
}


def trained(name):
    schema = schema_of(4, n_labels=3, ranges=name != "SMART warming up")
    X, Y = generated(schema, 140)
    model = MAKERS[name]().bind(schema)
    if name == "StandardScaler":
        model.learn_many(X)
    else:
        model.learn_many(X, Y)
    return model


def entries(model, kind):
    """The entries of a kind that are in its states, each with its table and its key."""
    return [
        (table, entry, table.key_of(entry))
        for table in (model.storage, *model.groups)
        for entry in table
        if isinstance(entry, kind) and getattr(entry, "saved", True)
    ]


def refused(model, key, value, words=""):
    state = model.state() | {key: value}
    before = {k: np.copy(v) for k, v in state.items()}
    with pytest.raises(ValueError, match=f"the state of {type(model).__name__} contradicts itself.*{words}"):
        type(model).from_state(state)
    for k, v in before.items():
        np.testing.assert_array_equal(state[k], v)


def test_no_learner_is_left_out():
    own = {name for name in LEARNERS.names() if LEARNERS.package(name) == "streamlab"}
    assert MAKERS.keys() | OTHERS >= {name for name in own if holds_state(name)}


@pytest.mark.parametrize("name", MAKERS)
def test_dtype_and_shape_are_enforced(name):
    model = trained(name)
    state = model.state()
    for table, array, key in entries(model, Array):
        values = state.get(key)
        if values is None:
            assert array.optional
            continue
        other = np.float32 if values.dtype != np.float32 else np.float64
        refused(model, key, values.astype(other), f"{key} is {np.dtype(other)}; expected {values.dtype}")
        refused(model, key, values.tolist(), key)
        for axis, dimension in enumerate(array.shape):
            wider = np.concatenate([values, values.take([-1], axis)], axis) if values.shape[axis] else None
            if wider is not None and not data_filled(model, table, array, axis, dimension):
                refused(model, key, wider)
        if not array.optional:
            with pytest.raises(ValueError, match=key):
                type(model).from_state({k: v for k, v in state.items() if k != key})


def data_filled(model, table, array, axis, dimension) -> bool:
    """Whether nothing but this array says how long the dimension is."""
    if not isinstance(dimension, str) or dimension in model._sizes() or not dimension.isidentifier():
        return False
    uses = sum(dimension == d for other in table.arrays.values() for d in other.shape)
    return uses == 1


@pytest.mark.parametrize("name", MAKERS)
def test_every_range_is_enforced(name):
    model = trained(name)
    state = model.state()
    for _, array, key in entries(model, Array):
        values = state.get(key)
        if values is None or not values.size:
            continue
        if array.finite:
            bad = values.copy()
            bad.flat[-1] = np.nan
            refused(model, key, bad, f"{key} row .* is nan; expected a finite number")
        if array.rising and len(values) > 1:
            refused(model, key, values[::-1].copy(), f"{key} row 1")
        for rule in array.rules:
            for bad in beyond(model, rule, values):
                refused(model, key, bad)


def beyond(model, rule: Rule, values: np.ndarray):
    """The values with one that is outside the range, for each end of it."""
    rows = np.arange(len(values)) if rule.where is None else np.flatnonzero(rule.where(model.state()))
    if not len(rows):
        return
    column = -1 if rule.columns is None else rule.columns[0]
    place = (int(rows[-1]), *(0,) * (values.ndim - 2), column) if values.ndim > 1 else (column,)
    information = np.iinfo(values.dtype) if values.dtype.kind in "iu" else np.finfo(values.dtype)
    if rule.low is not None and values.dtype.kind != "u":
        low = rule.low if not isinstance(rule.low, str) else length(rule.low, model._sizes())
        bad = values.copy()
        # twice as low where one less is the same number
        bad[place] = low - max(1 if rule.none != low - 1 else 2, abs(low) * (abs(low) > 2**53))
        yield bad
    if rule.high is not None or rule.below is not None:
        bad = values.copy()
        bad[place] = information.max
        yield bad


@pytest.mark.parametrize("name", MAKERS)
def test_numbers_are_enforced(name):
    model = trained(name)
    for _, number, key in entries(model, Number):
        bad = ["text", None, 0.5 if number.kind is int else "nan", 7 if number.kind is bool else True]
        for value in bad + ([number.low - 1] if number.low is not None else []):
            refused(model, key, value, f"{key} is")


def test_links_of_smart_are_trees_and_its_free_list_is_one_list():
    model = trained("SMART")
    model.tune(height=3)
    state = model.state()
    nodes, place, cursor = state["nodes"], state["place"], state["cursor"]
    assert cursor[3] > 1
    inner = int(np.flatnonzero(nodes[:, 5] * (place[:, 0] >= 0))[0])
    root = nodes.copy()
    root[inner, 5] = state["roots"][0]
    refused(model, "nodes", root, "links to place")
    refused(model, "roots", np.roll(state["roots"], 1), "roots row 0 links to place")
    circle = nodes.copy()
    circle[cursor[1], 5] = cursor[1]
    refused(model, "nodes", circle, "the free list comes to")
    short = cursor.copy()
    short[3] -= 1
    refused(model, "cursor", short, "the free list goes on")


def test_a_state_cannot_ask_for_more_memory_than_it_deserves():
    refused(trained("SMART"), "capacity", 10**12, "places=1000000000000")
    refused(trained("FlatKNN"), "room", 10**12, "places=1000000000000")
    refused(trained("FlatKNN"), "room", 1, "room is 1; expected a whole number, at least")
