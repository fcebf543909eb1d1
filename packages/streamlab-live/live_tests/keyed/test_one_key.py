"""A learner for each key by bytes alone: the same as learners that are kept, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import streamlab as sl
from tests.learners.generated import generated, schema_of
from tests.learners.states import assert_same

from streamlab_live.keyed import KeyLearner

LEARNERS = {
    "SMART": lambda: sl.SMART(n_trees=3, seed=1),
    "MLHAT": lambda: sl.MLHAT(seed=1),
    "scaled": lambda: sl.StandardScaler() | sl.MLKNN(chunk=50),
    "PrunedSets": lambda: sl.PrunedSets(),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_each_key_has_the_learner_that_it_would_have_alone(name):
    schema = schema_of(4, n_labels=3)
    X, Y = generated(schema, 400, seed=2)
    keys = np.random.default_rng(1).integers(0, 3, 400)
    each = KeyLearner(LEARNERS[name](), schema)
    states, answers = {}, {key: [] for key in range(3)}
    for start in range(0, 400, 37):
        for key in range(3):
            mine = start + np.flatnonzero(keys[start : start + 37] == key)
            if len(mine):
                states[key], *answer = each.learn(key, states.get(key), X[mine], Y[mine])
                answers[key].append(answer)
    for key in range(3):
        alone, expected = LEARNERS[name]().bind(schema), []
        for start in range(0, 400, 37):  # SMART's nodes lie in another order where rows are cut in another way
            mine = start + np.flatnonzero(keys[start : start + 37] == key)
            if len(mine):
                expected.append(alone.test_then_train(X[mine], Y[mine]))
        assert_same(sl.load_model(states[key]).state(), alone.state())
        for place in (0, 1):
            found, wanted = (np.vstack([answer[place] for answer in some]) for some in (answers[key], expected))
            np.testing.assert_array_equal(found, wanted)


def test_tables_are_taken_by_their_names():
    schema = sl.Schema((sl.Feature("heat"), sl.Feature("colour", ("red", "green"))), ("hot",))
    each = KeyLearner(sl.SMART(n_trees=2, seed=1), schema)
    X = pd.DataFrame({"colour": ["green", None, "red"], "heat": [1.0, 2.0, np.nan]})
    Y = pd.DataFrame({"hot": [True, False, True]})
    state, _, labels = each.learn("a", None, X, Y)
    same, *_ = each.learn(
        "a", None, np.array([[1.0, 1], [2, np.nan], [np.nan, 0]]), np.array([[1], [0], [1]], np.uint8)
    )
    assert labels.shape == (3, 1)
    assert_same(sl.load_model(state).state(), sl.load_model(same).state())


def test_what_is_wrong_is_said_with_the_key():
    schema = schema_of(4, n_labels=3)
    X, Y = generated(schema, 50, seed=2)
    each = KeyLearner(sl.SMART(n_trees=2, seed=1), schema)
    state, *_ = each.learn("a", None, X, Y)
    with pytest.raises(ValueError, match=r"key 'b': a model of 30 bytes: not a model that can be read"):
        each.learn("b", state[:30], X, Y)
    with pytest.raises(ValueError, match=r"key 7: Y row 2, label .*: 3; expected 0 or 1"):
        each.learn(7, state, X[:3], np.array([[0, 0, 0], [1, 0, 0], [0, 3, 0]]))
    size = len(state)
    small = KeyLearner(sl.SMART(n_trees=2, seed=1), schema, most_bytes=size - 100)
    with pytest.raises(
        ValueError, match=rf"key 'a': the state of SMART has [\d,]+ bytes; expected at most {size - 100:,}"
    ):
        small.learn("a", None, X, Y)
    for given, said in (
        ({"learner": sl.SMART(seed=None)}, "SMART: seed=None: expected a seed"),
        ({"learner": "SMART"}, "learner=str: expected a learner"),
        ({"most_bytes": 0}, "most_bytes=0: expected a whole number"),
        ({"most_bytes": True}, "most_bytes=True: expected a whole number"),
    ):
        with pytest.raises(ValueError, match=said):
            KeyLearner(**{"learner": sl.NoChange(), "schema": schema} | given)


def test_a_learner_that_has_learned_or_is_bound_is_refused():
    schema = schema_of(4, n_labels=3)
    X, Y = generated(schema, 50, seed=2)
    learned, bound = sl.MajorityLabels(), sl.StandardScaler() | sl.MLKNN()
    learned.learn_many(X, Y)
    for given in (learned, bound.bind(schema)):
        with pytest.raises(ValueError, match=f"{type(given).__name__} is bound to columns, or has learned"):
            KeyLearner(given, schema)
    _, _, labels = KeyLearner(learned.clone(), schema).learn("a", None, X[:1], Y[:1])
    assert not labels.any()


def test_each_step_of_a_pipeline_needs_its_seed():
    schema = schema_of(4, n_labels=3)
    with pytest.raises(ValueError, match=r"Pipeline, SMART: seed=None: expected a seed"):
        KeyLearner(sl.StandardScaler() | sl.SMART(seed=None), schema)
    X, Y = generated(schema, 300, seed=2)
    each = KeyLearner(sl.StandardScaler() | sl.SMART(seed=3), schema)
    np.testing.assert_array_equal(each.learn("a", None, X, Y)[1], each.learn("a", None, X, Y)[1])
