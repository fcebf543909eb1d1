"""Tables and arrays of every kind that their libraries have: each is read as it is meant, or refused in one line."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse

import streamlab as sl
from streamlab.measures import Counts

N = 6
HALF = [0, 1] * (N // 2)
SHARE = np.arange(N) / N
Y = np.array([[0], [1]] * (N // 2), np.uint8)
DAY = datetime.datetime(2020, 1, 1)


def arrow() -> Iterator[tuple[str, Any]]:
    """Yield tables of pyarrow with columns a, x and l."""
    kinds = pa.array(HALF, pa.int8())
    dense = pa.UnionArray.from_dense(
        kinds, pa.array([0, 0, 1, 1, 2, 2], pa.int32()), [pa.array([1.0, 2.0, 3.0]), pa.array([1, 2, 3])]
    )
    columns = {
        "dense union": dense,
        "sparse union": pa.UnionArray.from_sparse(kinds, [pa.array(SHARE), pa.array(range(N))]),
        "struct": pa.array([{"q": 1}] * N),
        "map": pa.array([[("k", 1)]] * N, pa.map_(pa.string(), pa.int64())),
        "list": pa.array([[1, 2]] * N),
        "list of two": pa.array([[1.0, 2.0]] * N, pa.list_(pa.float64(), 2)),
        "bytes": pa.array([b"\xff"] * N),
        "decimal": pa.array([Decimal("1.5")] * N),
        "long decimal": pa.array([Decimal("1.5")] * N, pa.decimal256(50, 3)),
        "date": pa.array([DAY.date()] * N),
        "time": pa.array([DAY] * N),
        "a time in 3 billion years": pa.array([10**17] * N, pa.timestamp("s")),
        "time of day": pa.array([DAY.time()] * N),
        "duration": pa.array([datetime.timedelta(1)] * N),
        "nothing": pa.nulls(N),
        "half": pa.array(np.arange(N, dtype=np.float16)),
        "uint64": pa.array([2**63 + 1] * N, pa.uint64()),
        "dictionary": pa.array(["r", "g"] * 3).dictionary_encode(),
        "runs": pa.RunEndEncodedArray.from_arrays([3, N], [1.0, 2.0]),
        "large text": pa.array(["r", "g"] * 3, pa.large_string()),
        "views": pa.array(["r", "g"] * 3, pa.string_view()),
        "interval": pa.array([pa.MonthDayNano([1, 2, 3])] * N),
    }
    a, flags = pa.array(SHARE), pa.array(HALF)
    for name, column in columns.items():
        yield name, pa.table([a, column, flags], names=["a", "x", "l"])
    yield "two of a name", pa.table([a, a, flags], names=["a", "a", "l"])
    yield "two labels of a name", pa.table([a, flags, flags], names=["a", "l", "l"])
    yield "no name", pa.table([a, a, flags], names=["a", "", "l"])
    yield "no column", pa.table({})
    yield "no row", pa.table([a, a, flags], names=["a", "x", "l"]).slice(0, 0)
    yield "two parts", pa.concat_tables([pa.table([a, a, flags], names=["a", "x", "l"])] * 2)


def polars() -> Iterator[tuple[str, Any]]:
    """Yield tables of polars, if it is there."""
    try:
        import polars as pl
    except ImportError:
        return
    columns = {
        "int128": pl.Series([1] * N, dtype=pl.Int128),
        "large int128": pl.Series([2**100] * N, dtype=pl.Int128),
        "object": pl.Series([object()] * N, dtype=pl.Object),
        "enumeration": pl.Series(["a", "b"] * 3, dtype=pl.Enum(["a", "b"])),
        "categories": pl.Series(["a", "b"] * 3, dtype=pl.Categorical),
        "array": pl.Series([[1, 2]] * N, dtype=pl.Array(pl.Int64, 2)),
        "struct": pl.Series([{"q": 1}] * N),
        "decimal": pl.Series([Decimal("1.5")] * N),
        "bytes": pl.Series([b"x"] * N),
        "nothing": pl.Series([None] * N),
        "duration": pl.Series([datetime.timedelta(1)] * N),
        "time of day": pl.Series([DAY.time()] * N),
    }
    for name, column in columns.items():
        yield name, pl.DataFrame({"a": SHARE, "x": column, "l": HALF})
    yield "label of int128", pl.DataFrame({"a": SHARE, "x": SHARE, "l": pl.Series(HALF, dtype=pl.Int128)})


def pandas() -> Iterator[tuple[str, Any]]:
    """Yield tables of pandas."""
    union = dict(arrow())["dense union"].column("x").combine_chunks()
    columns = {
        "interval": pd.interval_range(0, N),
        "period": pd.period_range("2020", periods=N, freq="M"),
        "time": pd.date_range("2020", periods=N, tz="UTC"),
        "sparse": pd.arrays.SparseArray([0.0, 1.0] * 3),
        "Int64": pd.array([1, None] * 3, dtype="Int64"),
        "boolean": pd.array([True, None] * 3, dtype="boolean"),
        "complex": np.ones(N) * 1j,
        "mixed": [1, "a", None] * 2,
        "objects": [object()] * N,
        "decimal": [Decimal(1)] * N,
        "large": [2**100] * N,
        "union": pd.arrays.ArrowExtensionArray(union),
        "bytes": [b"x"] * N,
        "tuples": [(1, 2)] * N,
        "sets": [{1}] * N,
        "infinite": [np.inf] * N,
    }
    for name, column in columns.items():
        yield name, pd.DataFrame({"a": SHARE, "x": column, "l": HALF})
    yield "two of a name", pd.DataFrame(np.ones((N, 3)), columns=["a", "a", "l"])
    yield "names of two levels", pd.DataFrame(np.ones((N, 3)), columns=pd.MultiIndex.from_tuples(
        [("a", 1), ("a", 2), ("l", 1)]))  # fmt: skip
    yield "numbers as names", pd.DataFrame(np.ones((N, 3)))


def arrays() -> Iterator[tuple[str, Any]]:
    """Yield arrays and sparse matrices."""
    ones = np.ones((N, 2))
    yield "masked", np.ma.masked_array(ones, mask=[[1, 0]] * N)
    yield "masked integers", np.ma.masked_array(ones.astype(int), mask=[[1, 0]] * N)
    yield "masked texts", np.ma.masked_array(np.full((N, 2), "a"), mask=[[1, 0]] * N)
    yield "nothing masked", np.ma.masked_array(ones)
    yield "times", np.full((N, 2), np.datetime64("2020-01-01"))
    yield "no times", np.full((N, 2), np.datetime64("NaT"))
    yield "durations", np.full((N, 2), np.timedelta64(1, "s"))
    yield "records", np.zeros(N, dtype=[("a", float)])
    yield "bytes", np.full((N, 2), b"1")
    yield "objects", np.full((N, 2), Decimal(1), dtype=object)
    yield "long doubles", np.full((N, 2), np.longdouble("1e400"))
    yield "void", np.zeros((N, 2), dtype="V4")
    yield "half", np.ones((N, 2), np.float16)
    yield "big endian", np.ones((N, 2), ">f8")
    yield "memory map", ones.view(np.memmap)
    for shape in ((), (N,), (N, 2, 1), (0, 2), (N, 0)):
        yield f"shape {shape}", np.ones(shape)
    yield "coo of one dimension", scipy.sparse.coo_array(np.array(HALF))
    yield "csr of one dimension", scipy.sparse.csr_array(np.array(HALF, float))
    yield "dok of one dimension", scipy.sparse.dok_array(np.ones(N))
    yield "twice stored", scipy.sparse.coo_matrix((np.ones(3), ([0, 0, 1], [0, 0, 1])), shape=(N, 2))


def answer(X: Any, like: Any) -> None:
    model = sl.MajorityLabels()
    model.learn_many(like, Y)
    model.predict_many(X)
    model.predict_proba_many(X)
    model.test_then_train(X, Y)


LIKE = pd.DataFrame(np.ones((N, 3)), columns=["a", "x", "l"])
CALLS: dict[str, Callable[[Any], Any]] = {
    "load, labels by name": lambda X: sl.load(X, labels="l"),
    "load, the last one": lambda X: sl.load(X, labels=-1),
    "load, X": lambda X: sl.load((X, Y)),
    "load, Y": lambda X: sl.load((np.ones((N, 2)), X)),
    "learn, X": lambda X: sl.MajorityLabels().learn_many(X, Y),
    "learn, Y": lambda X: sl.MajorityLabels().learn_many(np.ones((N, 2)), X),
    "answer": lambda X: answer(X, LIKE if hasattr(X, "columns") else np.ones((N, 2))),
    "measures, Y": lambda X: Counts.zeros(2).count(X, np.ones((N, 2))),
    "measures, scores": lambda X: Counts.zeros(2).count(np.ones((N, 2)), np.ones((N, 2)), X),
}
OF_ARRAYS = ("measures, Y", "measures, scores")
OF_TABLES = ("load, labels by name", "load, the last one")


def tries() -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """Yield the kind, the call, and what hands over."""
    for library, made in (("arrow", arrow()), ("polars", polars()), ("pandas", pandas()), ("array", arrays())):
        for name, value in made:
            for call, opened in CALLS.items():
                if call not in (OF_TABLES if library == "array" else OF_ARRAYS):
                    yield f"{library}, {name}", call, lambda opened=opened, value=value: opened(value)


def wrong(hand_over: Callable[[], Any]) -> str:
    """Return what is neither an answer nor a refusal of one line; "" if there is nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            hand_over()
    except ValueError as error:
        return "" if type(error) is ValueError and "\n" not in str(error) else f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
