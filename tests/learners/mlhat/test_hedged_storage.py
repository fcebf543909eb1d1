"""An altered state of HedgedMLHAT is refused by name: what branches keep, and where."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamlab.learners import MLHAT, HedgedMLHAT
from tests.learners.mlhat.columns import arena
from tests.learners.mlhat.streams import HEDGED_QUICK, QUICK, stump_stream
from tests.learners.mlhat.test_storage import branches, leaves
from tests.learners.states import assert_altered_is_refused, assert_same, set_entry


@pytest.fixture(scope="module")
def state():
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


ALTERED = [
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


@pytest.mark.parametrize(("named", "alter"), ALTERED, ids=[f"{i} {name}" for i, (name, _) in enumerate(ALTERED)])
def test_an_altered_state_is_refused_by_name(state, named, alter):
    assert_altered_is_refused(HedgedMLHAT, state, alter, rf"\b{named}\b")


def test_the_state_before_it_is_altered_is_taken(state):
    assert_same(HedgedMLHAT.from_state(state).state(), state)


@pytest.mark.parametrize(
    "name", ["kept_cursor", "expert_losses", "kept_slots", "kept_weights", "kept_intercepts", "kept_next", "kept_room"]
)
def test_a_state_that_lacks_an_entry_is_refused_by_name(state, name):
    with pytest.raises(ValueError, match=name):
        HedgedMLHAT.from_state({key: value for key, value in state.items() if key != name})


def test_a_plain_tree_keeps_nothing_of_it(state):
    schema, X, Y = stump_stream(300)
    model = MLHAT(**QUICK).bind(schema)
    model.learn_many(X, Y)
    own = {"kept_cursor", "expert_losses", "kept_slots", "kept_weights", "kept_intercepts", "kept_next", "kept_room"}
    assert own <= set(state)
    assert not own & set(model.state())
    assert set(state) - own == set(model.state())
    with pytest.raises(ValueError, match="HedgedMLHAT"):
        MLHAT.from_state(state)
