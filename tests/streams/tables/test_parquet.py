"""Parquet: kinds and categories, exact errors."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamlab as sl
from tests.streams.read import read


def test_parquet_types(tmp_path):
    frame = pd.DataFrame(
        {
            "i": pd.array([1, None, 3], "Int64"),
            "b": [True, False, True],
            "c": pd.Categorical(["u", None, "t"]),
            "z": [10, 9, 10],
            "f": np.array([1, 2, 3], np.float32),
            "when": pd.to_datetime(["2020-01-01"] * 3),
            "l": np.array([1, 0, 1], np.int8),
        }
    )
    path = tmp_path / "f.parquet"
    frame.to_parquet(path)
    stream = sl.load(path, labels=["l"], ignore=["when"], nominal=["z"])
    assert [f.categories for f in stream.schema.features] == [None, None, ("t", "u"), ("10", "9"), None]
    X, Y = read(stream)
    np.testing.assert_array_equal(X, [[1, 1, 1, 0, 1], [np.nan, 0, np.nan, 1, 2], [3, 1, 0, 0, 3]])
    assert Y.tolist() == [[1], [0], [1]]
    assert stream.n_rows == 3
    assert len(stream.preview(5)) == 3
    with pytest.warns(UserWarning, match=r"left out: 'when' \(dates"):
        assert sl.load(path, labels=["l"]).schema.feature_names == ("i", "b", "c", "z", "f")


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("x", [1.0, math.inf], "row 2, column 'x': expected a finite number"),
        ("l", [0.5, 0.7], "column 'l': expected labels"),
    ],
)
def test_wrong_parquet(tmp_path, column, values, message):
    frame = pd.DataFrame({"x": [1.0, 2.0], "l": [0, 1]}).astype(object)
    frame[column] = pd.Series(values)
    frame = frame.infer_objects()
    frame.to_parquet(tmp_path / "f.parquet")
    with pytest.raises(ValueError, match=re.escape(message)):
        read(sl.load(tmp_path / "f.parquet", labels=["l"]))


def test_no_parquet(tmp_path):
    path = tmp_path / "f.parquet"
    path.write_text("no parquet")
    with pytest.raises(ValueError, match="no Parquet file"):
        sl.load(path, labels=["l"])
    pd.DataFrame({"x": [], "l": []}).to_parquet(path)
    with pytest.raises(ValueError, match="no rows"):
        sl.load(path, labels=["l"])
    pd.DataFrame({"x": [f"w{i}" for i in range(1001)], "l": [1] * 1001}).to_parquet(path)
    with pytest.raises(ValueError, match="row 1001, column 'x': more than 1,000 different"):
        sl.load(path, labels=["l"], features=["x"])
    pq.write_table(pa.Table.from_arrays([pa.array([1.0])] * 2 + [pa.array([1])], names=["x", "x", "l"]), path)
    with pytest.raises(ValueError, match="the column 'x' occurs twice"):
        sl.load(path, labels=["l"])
