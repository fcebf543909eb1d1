"""What is said of bad input and files, by the base and by a pipeline; for each learner: tests/test_testing.py."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from safetensors.numpy import save_file

from streamlab.learners import (
    MLKNN,
    SMART,
    BalancedKNN,
    BalancedLDA,
    Learner,
    NoChange,
    Pipeline,
    StandardScaler,
    Tunable,
    load_model,
)
from streamlab.learners.smart import _kernels
from streamlab.schema import Feature, Schema
from tests.learners.generated import generated, schema_of

LEARNERS = {
    "SMART": lambda: SMART(n_trees=3, height=5, seed=1),
    "Pipeline": lambda: Pipeline(StandardScaler(), BalancedLDA(), BalancedKNN(window=20), chunk=16),
}


# ---------------------------------------------------------------------- input

SCHEMA = Schema((Feature("size", None, 0.0, 1.0), Feature("colour", ("red", "green"))), ("a", "b"))
X = np.array([[0.1, 0.0], [0.2, 1.0], [np.nan, np.nan], [0.9, 1.0]])
Y = np.array([[1, 0], [0, 1], [1, 1], [0, 0]], np.uint8)


def with_value(values: np.ndarray, row: int, column: int, value) -> np.ndarray:
    values = values.astype(object if isinstance(value, (str, type(None))) else np.float64)
    values[row, column] = value
    return values


BAD = {
    "infinite": (with_value(X, 1, 0, math.inf), Y, r"X row 1, feature 'size': inf; expected a finite number or NaN"),
    "category": (
        with_value(X, 3, 1, 2),
        Y,
        r"X row 3, feature 'colour': 2.0; expected the index of a category, 0 to 1",
    ),
    "negative": (with_value(X, 3, 1, -1), Y, r"X row 3, feature 'colour': -1.0"),
    "fraction": (with_value(X, 0, 1, 0.5), Y, r"X row 0, feature 'colour': 0.5"),
    "text": (with_value(X, 0, 0, "big"), Y, "X: expected real numbers"),
    "columns": (X[:, :1], Y, r"X has the shape \(4, 1\); expected \(n, 2\)"),
    "flat": (X[0], Y, r"X has the shape \(2,\)"),
    "label": (X, with_value(Y, 2, 1, 2), r"Y row 2, label 'b': 2.0; expected 0 or 1"),
    "negative label": (X, Y.astype(int) - [[0, 0], [1, 0], [0, 0], [0, 0]], r"Y row 1, label 'a': -1"),
    "label 255": (X, Y * np.uint8(255), r"Y row 0, label 'a': 255"),
    "label 257": (X, Y.astype(int) * 257, r"Y row 0, label 'a': 257"),
    "NaN label": (X, with_value(Y, 3, 0, math.nan), r"Y row 3, label 'a': nan"),
    "no label": (X, with_value(Y, 3, 0, None), r"Y row 3, label 'a': None"),
    "text label": (X, with_value(Y, 0, 1, "yes"), r"Y row 0, label 'b': 'yes'"),
    "texts": (X, Y.astype(str), r"Y row 0, label 'a': '1'"),
    "labels": (X, Y[:, :1], r"Y has the shape \(4, 1\); expected \(4, 2\)"),
    "rows": (X, Y[:3], r"Y has the shape \(3, 2\); expected \(4, 2\)"),
    "frame without": (pd.DataFrame({"size": X[:, 0]}), Y, "X lacks the feature 'colour'"),
    "frame category": (pd.DataFrame({"size": X[:, 0], "colour": ["red", "blue", None, "red"]}), Y, "row 1.*'blue'"),
    "frame text": (pd.DataFrame({"size": [0.1, "x", 0.2, 0.3], "colour": X[:, 1]}), Y, "X row 1, feature 'size': 'x'"),
    "label frame": (X, pd.DataFrame({"a": Y[:, 0]}), "Y lacks the label 'b'"),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", LEARNERS)
def test_bad_chunks_are_refused_by_row_and_column(name, bad):
    model = LEARNERS[name]().bind(SCHEMA)
    bad_X, bad_Y, message = BAD[bad]
    for verb in (model.learn_many, model.test_then_train):
        with pytest.raises(ValueError, match=message):
            verb(bad_X, bad_Y)


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ({"size": math.inf, "new": 1.0}, {"a": True, "c": True}, "'size': inf"),
        ({"size": "huge", "new": 1.0}, {"c": True}, "'size': 'huge'"),
        ({"size": 0.5, "new": math.inf}, {"c": True}, "'new': inf"),
        ({"size": 0.5, "new": 1.0}, {"c": math.nan}, "'c': nan"),
        ({"size": 0.5, "new": 1.0}, {"a": True, "c": "yes"}, "'c': 'yes'"),
        ({"size": 0.5, "new": 1.0}, {"a": None}, "'a': None"),
        ({"size": 0.5, "new": 1.0}, {"a": 2}, "'a': 2"),
        ({"size": 0.5, "colour": 2, "new": 1.0}, {"a": True}, "'colour': 2"),
    ],
)
def test_bad_dictionaries_are_refused_by_name_and_change_nothing(name, x, y, message):
    model = LEARNERS[name]().bind(SCHEMA)
    model.learn_many(X, Y)
    schema, answer = model.schema, model.predict_proba_many(X)
    with pytest.raises(ValueError, match=message):
        model.learn_one(x, y)
    assert model.schema == schema
    np.testing.assert_array_equal(model.predict_proba_many(X), answer)


@pytest.mark.parametrize("library", [lambda frame: frame, pl.from_pandas], ids=["pandas", "polars"])
def test_a_column_of_a_later_table_that_is_not_known_is_named_never_dropped(library):
    rows, labels = pd.DataFrame({"a": [0.1, 0.2, 0.3]}), pd.DataFrame({"p": [1, 0, 1], "new": [0, 1, 1]})
    model = SMART(seed=1)
    model.learn_many(library(rows), library(labels[["p"]]))
    before = model.to_bytes()
    with pytest.raises(ValueError, match="Y has the label 'new', which SMART does not know"):
        model.learn_many(library(rows), library(labels))
    with pytest.raises(ValueError, match="X has the feature 'b', which SMART does not know"):
        model.learn_many(library(rows.assign(b=1.0)), library(labels[["p"]]))
    assert model.to_bytes() == before
    # the answer to rows does not need what is new in them, as with dictionaries
    np.testing.assert_array_equal(model.predict_many(rows.assign(b=1.0)), model.predict_many(rows))


def test_no_layout_of_the_input_compiles_a_kernel_again():
    schema = schema_of(4)
    X, Y = generated(schema, 300)
    frozen_X, frozen_Y = X[:100].copy(), Y[:100].copy()
    frozen_X.flags.writeable = frozen_Y.flags.writeable = False
    model = SMART(seed=1).bind(schema)
    model.test_then_train(X, Y)
    model.predict_many(X)
    model.tune(half_life=7)
    if not hasattr(_kernels.add, "signatures"):
        pytest.skip("compilation is switched off")
    # other tests of this process may have had sparse rows learned, which are another signature
    counts = [len(k.signatures) for k in (_kernels.find_paths, _kernels.predict, _kernels.add)]
    for other_X, other_Y in (
        (frozen_X, frozen_Y),
        (np.asfortranarray(X), np.asfortranarray(Y)),
        (X[::2], Y[::2]),
        (X.astype(np.float32), Y.astype(np.int32)),
        (X.astype(">f8"), Y == 1),
    ):
        model.test_then_train(other_X, other_Y)
        model.predict_many(other_X)
    assert counts == [len(k.signatures) for k in (_kernels.find_paths, _kernels.predict, _kernels.add)]


def test_binding_another_schema_later_is_refused():
    model = NoChange().bind(SCHEMA)
    assert model.bind(SCHEMA) is model
    with pytest.raises(ValueError, match="already has another schema: 2 labels against 1"):
        model.bind(Schema(SCHEMA.features, ("a",)))


# ---------------------------------------------------------------------- parameters and files


def test_a_tunable_names_the_value_and_what_is_allowed():
    tunable = Tunable("depth", 1, 5, integer=True, limit=9)
    assert tunable.checked(np.int64(9)) == 9
    assert type(tunable.checked(3.0)) is int
    with pytest.raises(ValueError, match=r"depth=10: expected a whole number, 1 to 9$"):
        tunable.checked(10)
    assert Tunable("rate", 0.1, 5, infinite=True).checked(math.inf) == math.inf
    with pytest.raises(ValueError, match=r"rate=nan: expected a number, at least 0.1, or inf"):
        Tunable("rate", 0.1, 5, infinite=True).checked(math.nan)


def test_a_learner_without_tunables_says_so():
    with pytest.raises(ValueError, match="NoChange has no tunable parameter 'half_life'; tunable are: none"):
        NoChange().tune(half_life=1)


def test_files_that_are_no_models_are_refused_by_name(tmp_path):
    (tmp_path / "text").write_text("hello")
    save_file({"a": np.zeros(2)}, tmp_path / "plain")
    save_file({"a": np.zeros(2)}, tmp_path / "odd", metadata={"streamlab": '{"learner": "Schema"}'})
    save_file({"a": np.zeros(2)}, tmp_path / "lacking", metadata={"streamlab": '{"learner": "SMART"}'})
    save_file({"a": np.zeros(2)}, tmp_path / "garbled", metadata={"streamlab": "{"})
    for name, what in (
        ("absent", "does not exist; expected a file"),
        ("text", "not a model"),
        ("plain", "not one that a streamlab learner wrote"),
        ("odd", "unknown learner"),
        ("lacking", "lacks 'parameters'"),
        ("garbled", ""),
    ):
        with pytest.raises(ValueError, match=f"{name}:? .*{what}"):
            load_model(tmp_path / name)


def test_a_subclass_must_be_a_learner():
    with pytest.raises(TypeError, match="abstract"):
        Learner()


def test_whole_numbers_are_bounded():
    with pytest.raises(ValueError, match=r"window=1e\+308: expected a whole number, at least 1.*at most 1e\+15"):
        BalancedKNN().tune(window=1e308)


@pytest.mark.parametrize("n", [7, 33, 60, 87])
@pytest.mark.parametrize("made", [lambda: MLKNN(3, chunk=20), lambda: BalancedKNN(window=8)])
def test_new_rows_among_those_kept_are_counted(made, n):
    rows = np.arange(n)
    model = made()
    model.learn_many(rows[:, None].astype(float), np.stack([rows % 3 == 0, rows % 5 == 0], axis=1).astype(np.uint8))
    kept = model._X[:, 0]
    for latest in (0, 5, 21, 50, 200):
        assert model.kept_within(latest) == (int((kept >= n - latest).sum()), len(kept))
