"""The state of MLHAT, plain and hedged: it restores the learner to the bit, and an altered one is refused by name."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamlab.learners import MLHAT, HedgedMLHAT
from tests.learners.mlhat.columns import arena
from tests.learners.mlhat.streams import HEDGED_QUICK, QUICK, stump_stream
from tests.learners.states import assert_altered_is_refused, assert_same, set_entry

# ---------------------------------------------------------------------- altered states


@pytest.fixture(scope="module")
def state():
    """The state of a tree with branches, an alternate, free rows in every arena and lists of values of each kind."""
    schema, X, Y = stump_stream(3000, missing=0.05, flips=(700, 1400, 2100), seed=8)
    model = MLHAT(**QUICK | {"max_depth": 4}).bind(schema)
    for i in range(0, 3000, 10):
        model.learn_many(X[i : i + 10], Y[i : i + 10])
        state = model.state()
        links, cursor = state["links"], state["cursor"]
        free = [cursor[head] >= 0 for head in (arena.NODE_FREE, arena.LEAF_FREE, arena.OBSERVER_FREE, arena.POOL_FREE)]
        if i > 1000 and all(free) and (links[:, arena.OF] >= 0).any() and len(nominal_branches(state)):
            return state
    raise AssertionError("the stream never has it all")


def alive(state):
    return state["links"][:, arena.ID] >= 0


def leaves(state):
    return np.flatnonzero(alive(state) & (state["links"][:, arena.LEAF] >= 0))


def branches(state):
    return np.flatnonzero(alive(state) & (state["links"][:, arena.LEAF] < 0))


def nominal_branches(state):
    return branches(state)[state["links"][branches(state), arena.NOMINAL] == 1]


def dead(state):
    return np.flatnonzero(~alive(state))


def nominal_heads(state):
    """Pool rows that are the first in the list of the nominal feature, the last of the stream."""
    heads = state["heads"][:, 3]
    return heads[heads >= 0]


def swap_table(state):
    table = state["set_table"]
    table[:] = 0


def fill_pairs(state):
    state["pair_keys"][state["pair_keys"] < 0] = state["pair_keys"].max()


def set_link(which, column, value):
    def alter(state):
        row = which(state)[0]
        state["links"][row, column] = value(state, row) if callable(value) else value

    return alter


def free_loop(name, head):
    """Alter the state so that the first free row follows itself."""

    def alter(state):
        first = state["cursor"][head]
        if name == "links":
            state["links"][first, arena.LEFT] = first
        else:
            state[name][first] = first

    return alter


def resize(name, change):
    def alter(state):
        state[name] = change(state[name])

    return alter


ALTERED = [
    # the schema
    ("wide", set_entry("wide", 0, 4)),
    ("wide", set_entry("wide", 0, 1)),
    ("wide", resize("wide", lambda a: a[:0])),
    ("category_first", set_entry("category_first", 0, 4_000)),
    ("category_first", set_entry("category_first", 3, 1)),
    ("category_column", set_entry("category_column", 0, 4_000)),
    ("wide", set_entry("category_column", 0, -1)),
    ("numeric", set_entry("numeric", 0, 3)),
    # the exact counts of one are not the other's
    ("(numeric|pool_counts)", set_entry("numeric", slice(0, 2), [1, 0])),
    ("category_first", set_entry("n_categories", 3, -1)),
    ("n_categories", resize("n_categories", lambda a: a[:-1])),
    # the cursor
    *(("cursor", set_entry("cursor", entry, 4_000_000)) for entry in (
        arena.NODE_TOP, arena.NODE_FREE, arena.LEAF_TOP, arena.LEAF_FREE, arena.OBSERVER_TOP, arena.OBSERVER_FREE,
        arena.POOL_TOP, arena.POOL_FREE, arena.NODES_USED, arena.LEAVES_USED, arena.OBSERVERS_USED, arena.POOL_USED,
        arena.SETS_USED, arena.PAIRS_USED, arena.ROOT, arena.N_EVENTS,
    )),
    *(("cursor", set_entry("cursor", entry, -2)) for entry in (
        arena.NODE_FREE, arena.POOL_FREE, arena.SETS_USED, arena.POSITION, arena.NEXT_ID, arena.ROOT, arena.WANT_PAIRS,
    )),
    ("cursor", resize("cursor", lambda a: a[:-1])),
    ("cursor", resize("cursor", lambda a: a.astype(np.float64))),
    ("links", set_entry("cursor", arena.NEXT_ID, 1)),
    ("links", set_entry("cursor", arena.NODE_FREE, -1)),
    ("leaf_next", set_entry("cursor", arena.LEAF_FREE, -1)),
    ("observer_next", set_entry("cursor", arena.OBSERVER_FREE, -1)),
    ("pool_next", set_entry("cursor", arena.POOL_FREE, -1)),
    ("pool_next", set_entry("cursor", arena.POOL_USED, 0)),
    # nodes
    *(("links", set_link(leaves, column, 4_000_000)) for column in (
        arena.ID, arena.PARENT, arena.OF, arena.ALTERNATE, arena.LEAF, arena.OBSERVER, arena.FILLED, arena.NEXT,
        arena.SEARCH, arena.BEST, arena.SECOND, arena.LAST_BEST, arena.LAST_SECOND, arena.DEPTH, arena.HISTORY_LEFT,
        arena.BACKGROUND,
    )),
    *(("links", set_link(leaves, column, -2)) for column in (arena.N_SETS, arena.N_ROWS, arena.N_HISTORY, arena.NEXT)),
    *(("links", set_link(branches, column, 4_000_000)) for column in (
        arena.LEFT, arena.RIGHT, arena.FEATURE, arena.ALTERNATE, arena.OBSERVER,
    )),
    ("links", set_link(branches, arena.LEFT, lambda state, row: row)),
    ("links", set_link(branches, arena.LEFT, lambda state, row: state["links"][row, arena.RIGHT])),
    ("links", set_link(branches, arena.RIGHT, lambda state, row: state["links"][row, arena.LEFT])),
    ("links", set_link(branches, arena.ALTERNATE, lambda state, row: row)),
    ("links", set_link(branches, arena.RIGHT, lambda state, row: dead(state)[0])),
    ("links", set_link(leaves, arena.LEAF, lambda state, row: state["links"][leaves(state)[1], arena.LEAF])),
    ("links", set_link(leaves, arena.PARENT, lambda state, row: row)),
    ("links", set_link(leaves, arena.DEPTH, lambda state, row: state["links"][row, arena.DEPTH] + 1)),
    ("links", set_link(dead, arena.LEFT, 4_000_000)),
    ("links", set_link(dead, arena.LEFT, lambda state, row: leaves(state)[0])),
    ("links", free_loop("links", arena.NODE_FREE)),
    ("values", lambda state: set_entry(
        "values", (nominal_branches(state)[0], arena.THRESHOLD), 4_000.0)(state)),
    ("values", lambda state: set_entry("values", (nominal_branches(state)[0], arena.THRESHOLD), 0.5)(state)),
    ("values", set_entry("values", (0, arena.WEIGHT), math.nan)),
    # detectors
    ("filled", set_entry("filled", (0, 0), 7)),
    ("filled", set_entry("filled", (0, -1), 1)),
    ("adwin", set_entry("filled", (0, 3), lambda state: 5 - state["filled"][0, 3])),
    ("adwin", set_entry("adwin", (0, 0), 1e9)),
    ("changed", set_entry("changed", 0, 2)),
    # classifiers and observers
    ("window_sets", set_entry("window_sets", (0, 0), 4_000_000)),
    ("window_sets", set_entry("window_sets", (0, 0), -1)),
    ("leaf_next", set_entry("leaf_next", 0, 4_000_000)),
    ("leaf_next", free_loop("leaf_next", arena.LEAF_FREE)),
    ("heads", set_entry("heads", (0, 0), 4_000_000)),
    ("heads", set_entry("heads", (0, 0), -3)),
    ("observer_next", set_entry("observer_next", 0, -5)),
    ("observer_next", free_loop("observer_next", arena.OBSERVER_FREE)),
    # lists of values
    ("pool_next", set_entry("pool_next", 0, 4_000_000)),
    ("pool_next", lambda state: set_entry("pool_next", nominal_heads(state)[0], nominal_heads(state)[0])(state)),
    ("pool_next", lambda state: set_entry("pool_next", nominal_heads(state)[0], nominal_heads(state)[1])(state)),
    ("pool_next", free_loop("pool_next", arena.POOL_FREE)),
    ("pool_value", lambda state: set_entry("pool_value", nominal_heads(state)[0], 4_000.0)(state)),
    ("pool_value", lambda state: set_entry("pool_value", nominal_heads(state)[0], 0.5)(state)),
    ("pool_next", resize("pool_next", lambda a: a[:-1])),
    # label sets
    ("set_table", set_entry("set_table", 0, 4_000_000)),
    ("set_table", swap_table),
    ("set_words", resize("set_words", lambda a: a[:-1])),
    ("set_words", resize("set_words", lambda a: a[:0])),
    ("pair_keys", set_entry("pair_keys", lambda state: state["pair_keys"].argmin(), -2)),
    ("pair_keys", lambda state: set_entry("pair_keys", state["pair_keys"].argmax(), 4_000_000)(state)),
    ("pair_keys", lambda state: set_entry("pair_keys", state["pair_keys"].argmax(), 2**60)(state)),
    ("cursor", fill_pairs),
    ("pair_keys", resize("pair_keys", lambda a: a[:0])),
    ("pair_counts", resize("pair_counts", lambda a: a[:-1])),
    # how long everything is
    ("room", set_entry("room", 0, 0)),
    ("room", set_entry("room", 1, 1)),
    ("take", set_entry("room", 3, 2**40)),
    ("room", resize("room", lambda a: a[:3])),
    ("weights", lambda state: state.update(n_columns=state["n_columns"] - 1)),
    ("n_columns", lambda state: state.update(n_columns=-1)),
    ("has_tree", lambda state: state.update(has_tree="yes")),
    ("key", lambda state: state.update(key=-1)),
    ("search_units", lambda state: state.update(search_units=0)),
]  # fmt: skip


HEDGED_ALTERED = [
    *(("kept_cursor", set_entry("kept_cursor", place, value)) for place, value in (
        (arena.KEPT_TOP, 4_000), (arena.KEPT_TOP, 0), (arena.KEPT_FREE, 4_000), (arena.KEPT_FREE, -2),
        (arena.KEPT_USED, 0), (arena.KEPT_USED, 4_000), (arena.WANT_KEPT, -1),
    )),
    ("kept_cursor", lambda state: state.update(kept_cursor=state["kept_cursor"][:-1])),
    ("kept_cursor", set_entry("kept_slots", lambda s: (branches(s)[0], 0), -1)),
    ("kept_slots", set_entry("kept_slots", lambda s: (branches(s)[0], 0), 4_000)),
    ("kept_cursor", set_entry("kept_slots", lambda s: (branches(s)[0], 0), -2)),
    ("kept_slots", set_entry("kept_slots", lambda s: (leaves(s)[0], 0), 0)),
    ("kept_slots", set_entry(
        "kept_slots", lambda s: (branches(s)[0], 0), lambda s: s["kept_slots"][branches(s)[1], 0]
    )),
    ("kept_slots", lambda state: state.update(kept_slots=state["kept_slots"][:, :0])),
    ("kept_next", set_entry("kept_cursor", arena.KEPT_FREE, -1)),
    ("kept_next", set_entry("kept_next", 0, 4_000)),
    ("kept_next", set_entry(
        "kept_next", lambda s: s["kept_cursor"][arena.KEPT_FREE], lambda s: s["kept_cursor"][arena.KEPT_FREE]
    )),
    ("expert_losses", set_entry("expert_losses", (0, 0), math.nan)),
    ("expert_losses", lambda state: state.update(expert_losses=state["expert_losses"][:-1])),
    ("kept_weights", lambda state: state.update(kept_weights=state["kept_weights"][:, :-1])),
    ("kept_weights", lambda state: state.update(kept_weights=state["kept_weights"].astype(np.float32))),
    ("kept_intercepts", lambda state: state.update(kept_intercepts=state["kept_intercepts"][:-1])),
    ("kept_room", lambda state: state.update(kept_room=0)),
    ("take", lambda state: state.update(kept_room=2**40)),
    ("kept_room", lambda state: state.update(kept_room=-1)),
    ("key", lambda state: state.update(key=-1)),
    ("cursor", set_entry("cursor", arena.ROOT, 4_000)),
]  # fmt: skip


@pytest.fixture(scope="module")
def hedged_state():
    """The state of a tree with branches, an alternate, and a free row among the kept regressions."""
    schema, X, Y = stump_stream(3000, missing=0.05, flips=(700, 1400, 2100), seed=8)
    model = HedgedMLHAT(**HEDGED_QUICK | {"max_depth": 4}).bind(schema)
    for i in range(0, 3000, 10):
        model.learn_many(X[i : i + 10], Y[i : i + 10])
        state = model.state()
        free = state["kept_cursor"][arena.KEPT_FREE] >= 0
        if i > 1000 and free and (state["links"][:, arena.OF] >= 0).any() and len(branches(state)) > 1:
            return state
    raise AssertionError("the stream never has it all")


KINDS = {"MLHAT": (MLHAT, ALTERED, "state"), "HedgedMLHAT": (HedgedMLHAT, HEDGED_ALTERED, "hedged_state")}
CASES = [
    pytest.param(kind, which, named, alter, id=f"{name} {i} {named}")
    for name, (kind, altered, which) in KINDS.items()
    for i, (named, alter) in enumerate(altered)
]


@pytest.mark.parametrize(("kind", "which", "named", "alter"), CASES)
def test_an_altered_state_is_refused_by_name(kind, which, named, alter, request):
    assert_altered_is_refused(kind, request.getfixturevalue(which), alter, rf"\b{named}\b")


@pytest.mark.parametrize(("kind", "_", "which"), KINDS.values(), ids=KINDS)
def test_the_state_before_it_is_altered_is_taken(kind, _, which, request):
    state = request.getfixturevalue(which)
    assert_same(kind.from_state(state).state(), state)


KEPT = ["kept_cursor", "expert_losses", "kept_slots", "kept_weights", "kept_intercepts", "kept_next", "kept_room"]


@pytest.mark.parametrize("name", ["links", "cursor", "set_table", "room", "wide", "key", "n_columns", *KEPT])
def test_a_state_that_lacks_an_entry_is_refused_by_name(hedged_state, name):
    with pytest.raises(ValueError, match=name):
        HedgedMLHAT.from_state({key: value for key, value in hedged_state.items() if key != name})


def test_a_plain_tree_keeps_nothing_of_it(hedged_state):
    schema, X, Y = stump_stream(300)
    model = MLHAT(**QUICK).bind(schema)
    model.learn_many(X, Y)
    own = set(KEPT)
    assert own <= set(hedged_state)
    assert not own & set(model.state())
    assert set(hedged_state) - own == set(model.state())
    with pytest.raises(ValueError, match="HedgedMLHAT"):
        MLHAT.from_state(hedged_state)
