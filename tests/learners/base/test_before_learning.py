"""What is asked before anything was learned has a clean answer, or an error of one line that says what was expected."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from tests.fuzz.learners import NAMES, made

SCHEMAS = {
    "none": None,
    "bound": sl.Schema.anonymous(2, 3),
    "no labels": sl.Schema.anonymous(2, 0),
    "no features": sl.Schema.anonymous(0, 3),
}
ASKED = [
    np.zeros((3, 2)), np.zeros((0, 2)), np.zeros((3, 0)), np.zeros(2), pd.DataFrame({"x0": [1.0], "x1": [2.0]}),
    [[1.0, 2.0]], [1.0], None, 5, "text", np.full((1, 2), np.nan), np.zeros((1, 2, 2)),
]  # fmt: skip
ROWS = [{}, {"x0": 1.0}, {"x0": None, "other": "red"}, {"x0": "red"}]
MANY = ("predict_many", "predict_proba_many", "answer_many", "predict", "predict_proba", "transform", "transform_many")
SKLEARN = ("predict", "predict_proba", "transform")
ONE = ("predict_one", "predict_proba_one", "transform_one", "predict_path_one", "neighbourhood")
NONE = ("nodes", "node_columns", "take_events", "state", "copy", "recent")


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_an_answer_or_one_line(name, schema):
    model = made(name)
    if schema is not None:
        model.bind(schema)
    calls = [(name, (X,)) for name in MANY for X in ASKED] + [(name, (x,)) for name in ONE for x in ROWS]
    calls += [(name, ()) for name in NONE] + [("describe_node", (node,)) for node in (-1, 0, 10**6)]
    unclean, answered = [], 0
    for name, arguments in calls:
        if not hasattr(type(model), name):
            continue
        try:
            getattr(model, name)(*arguments)
            answered += 1
        except ValueError as error:
            # scikit-learn's verbs speak as its own checks want them to, in several lines
            if not str(error) or ("\n" in str(error) and name not in SKLEARN):
                unclean.append((name, arguments, error))
        except Exception as error:
            unclean.append((name, arguments, error))
    assert unclean == []
    assert answered > 5
