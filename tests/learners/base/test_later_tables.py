"""A column of a later table that a learner does not know is refused by name, never dropped."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import streamlab as sl

X = pd.DataFrame({"a": [0.1, 0.2, 0.3]})
Y = pd.DataFrame({"p": [1, 0, 1], "new": [0, 1, 1]})


@pytest.mark.parametrize("library", [lambda frame: frame, pl.from_pandas], ids=["pandas", "polars"])
def test_a_new_column_is_named(library):
    model = sl.SMART(seed=1)
    model.learn_many(library(X), library(Y[["p"]]))
    before = model.to_bytes()
    with pytest.raises(ValueError, match="Y has the label 'new', which SMART does not know"):
        model.learn_many(library(X), library(Y))
    with pytest.raises(ValueError, match="X has the feature 'b', which SMART does not know"):
        model.learn_many(library(X.assign(b=1.0)), library(Y[["p"]]))
    assert model.to_bytes() == before
    # the answer to rows does not need what is new in them, as with dictionaries
    np.testing.assert_array_equal(model.predict_many(X.assign(b=1.0)), model.predict_many(X))
