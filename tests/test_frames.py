"""Tables of pandas, polars, pyarrow, and of whatever speaks the dataframe interchange, wherever arrays are taken."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import streamlab as sl
from streamlab._frames import pandas_of
from streamlab.measures import Counts
from tests.fuzz.strange_tables import tries, wrong

ROWS = {
    "size": [0.5, None, 1.5, 2.5, 0.25, 3.0],
    "count": [1, 2, None, 4, 5, 6],
    "colour": ["red", "blue", None, "red", "blue", "blue"],
}
FLAGS = {"warm": [True, False, True, True, False, False], "big": [0, 0, 1, 1, 0, 1]}
SCHEMA = sl.Schema((sl.Feature("size"), sl.Feature("count"), sl.Feature("colour", ("blue", "red"))), ("warm", "big"))
X = np.array([[0.5, 1, 1], [np.nan, 2, 0], [1.5, np.nan, np.nan], [2.5, 4, 1], [0.25, 5, 0], [3, 6, 0]])
Y = np.array([*FLAGS.values()], np.uint8).T


class Spoken:
    """A table of a library that nobody knows, which speaks the interchange and nothing else."""

    def __init__(self, columns):
        self._table = pa.table(columns)

    def __dataframe__(self, *args, **kwargs):
        return self._table.__dataframe__(*args, **kwargs)


KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table, "interchange": Spoken}
ANSWERS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table, "interchange": pa.Table}
each_kind = pytest.mark.parametrize("kind", [pytest.param(kind, id=kind) for kind in KINDS])


@each_kind
@pytest.mark.whole
def test_a_learner_learns_from_a_table_as_from_arrays(kind):
    by_array, by_table = (sl.MLHAT(seed=1).bind(SCHEMA) for _ in range(2))
    table, flags = KINDS[kind](ROWS), KINDS[kind](FLAGS)
    scores, labels = by_array.test_then_train(X, Y)
    for given, expected in zip(by_table.test_then_train(table, flags), (scores, labels), strict=True):
        assert given.tobytes() == expected.tobytes()
    by_array.learn_many(X, Y)
    by_table.learn_many(table, flags)
    for verb, dtype in (("predict_many", bool), ("predict_proba_many", np.float64)):
        answer = getattr(by_table, verb)(table)
        assert type(answer) is ANSWERS[kind]
        there = pandas_of(answer)
        assert list(there.columns) == ["warm", "big"]
        assert there.to_numpy().dtype == dtype
        assert there.to_numpy().tolist() == getattr(by_array, verb)(X).astype(dtype).tolist()


@each_kind
@pytest.mark.whole
def test_the_first_table_gives_names_and_categories(kind):
    if kind in ("pandas", "interchange"):
        table = {"pandas": pandas_of, "interchange": lambda each: each}[kind](pa.table(_with_categories("pyarrow")))
    else:
        table = KINDS[kind](_with_categories(kind))
    model = sl.NoChange()
    assert type(model.predict_many(table)) is ANSWERS[kind]
    model.learn_many(table, KINDS[kind](FLAGS))
    assert model.schema.features == (sl.Feature("size"), sl.Feature("colour", ("red", "blue")))
    assert model.schema.labels == ("warm", "big")


def _with_categories(kind):
    if kind == "polars":
        colours = pl.Series(ROWS["colour"], dtype=pl.Enum(["red", "blue"]))
    else:
        colours = pa.array(ROWS["colour"]).dictionary_encode()
    return {"size": ROWS["size"], "colour": colours}


@each_kind
@pytest.mark.whole
def test_a_bad_table_is_refused_by_row_and_column(kind):
    make = KINDS[kind]
    model = sl.NoChange().bind(SCHEMA)
    for table, flags, message in (
        ({"size": ROWS["size"]}, FLAGS, "X lacks the feature 'count'; it has"),
        (ROWS | {"colour": ["red", "pink"] * 3}, FLAGS, "X row 1, feature 'colour': unknown category 'pink'"),
        (ROWS | {"size": ["much"] * 6}, FLAGS, "X row 0, feature 'size': 'much'; expected a number"),
        (ROWS, FLAGS | {"warm": [1, 2] * 3}, "Y row 1, label 'warm': 2; expected 0 or 1"),
        (ROWS, FLAGS | {"warm": [True, None] * 3}, "Y row 1, label 'warm': None; expected 0 or 1"),
        (ROWS, {"big": FLAGS["big"]}, "Y lacks the label 'warm'"),
    ):
        with pytest.raises(ValueError, match=message):
            model.learn_many(make(table), make(flags))
    assert not model.predict_many(X).any()


@each_kind
@pytest.mark.whole
def test_a_table_is_a_stream(kind):
    named = ROWS | FLAGS | {"who": list("abcdef")}
    stream = sl.load(KINDS[kind](named), labels=["warm", "big"], title="who")
    chunk = next(stream.chunks())
    assert stream.schema == SCHEMA
    assert np.array_equal(chunk.X, X, equal_nan=True)
    assert np.array_equal(chunk.Y, Y)
    assert stream.title_of(2) == "c"
    pair = next(sl.load((KINDS[kind](ROWS), KINDS[kind](FLAGS))).chunks())
    assert np.array_equal(pair.X, X, equal_nan=True)
    assert sl.load(KINDS[kind](named), ignore="who").schema.labels == ("warm", "big")
    mixed = next(sl.load((KINDS[kind](ROWS), Y)).chunks())
    assert np.array_equal(mixed.X, X, equal_nan=True)
    assert np.array_equal(mixed.Y, Y)
    with pytest.raises(ValueError, match="two of the same kind"):
        sl.load((X, KINDS[kind](FLAGS)))


@each_kind
def test_a_table_with_tags_or_a_class_is_guessed_as_its_file_is(kind, tmp_path):
    n = 60
    columns = {
        "tempo": [60.0 + i % 50 for i in range(n)],
        "lists": [["rock", "pop"] if i % 3 else ["jazz"] for i in range(n)],
        "text": ["rock;pop" if i % 3 else "jazz" for i in range(n)],
        "genre": ["loud" if i % 2 else "calm" for i in range(n)],
    }
    if kind == "interchange":  # it has no lists
        del columns["lists"]
    pq.write_table(pa.table(columns), tmp_path / "songs.parquet")
    labels = {"lists": {}, "text": {"tag_separator": ";"}, "genre": {}}
    for label in columns.keys() & labels.keys():
        options = {"labels": label, "ignore": [name for name in columns.keys() & labels.keys() if name != label]}
        sources = (KINDS[kind](columns), tmp_path / "songs.parquet")
        found, filed = (sl.load(source, **options, **labels[label]) for source in sources)
        assert found.schema == filed.schema
        assert found.n_rows == n
        one, other = (next(stream.chunks(n)) for stream in (found, filed))
        assert np.array_equal(one.X, other.X)
        assert np.array_equal(one.Y, other.Y)
        assert np.array_equal(next(found.chunks(7, start=50)).Y, other.Y[50:57])


def test_what_cannot_be_guessed_of_a_table_says_what_to_do():
    mixed = pd.DataFrame({"a": [1.0, 2.0], "tags": [["x"], "y"]})
    for frame, options, message in (
        (mixed, {"classes": "tags"}, "DataFrame: the column 'tags' holds values of several kinds"),
        (mixed, {}, "the column 'tags' holds values of several kinds"),
        (pd.DataFrame({"a": [1.0, 2.0]}), {"text": "b"}, r"text= names 'b', which is not a column"),
        (pd.DataFrame({"a": [1.0, 2.0]}), {"tag_seperator": ";"}, r"did you mean 'tag_separator'"),
    ):
        with pytest.raises(ValueError, match=message):
            sl.load(frame, labels="tags", **options)


def test_columns_of_numbers_stay_where_they_are():
    values = np.arange(1000.0)
    for table in (pl.DataFrame({"a": values}), pa.table({"a": values})):
        assert np.shares_memory(pandas_of(table)["a"].to_numpy(), np.asarray(table["a"]))


def test_a_lazy_table_is_refused():
    lazy = pl.LazyFrame(ROWS)
    for take in (lambda: sl.load(lazy, labels=["colour"]), lambda: sl.NoChange().learn_many(lazy, Y)):
        with pytest.raises(ValueError, match=r"LazyFrame has no rows yet; expected a table in memory.*collect\(\)"):
            take()


def test_other_faces_take_tables_too():
    table, flags = pl.DataFrame({"a": [1.0, 3.0], "b": [0.0, 1.0]}), pl.DataFrame({"l": [0, 1]})
    values = table.to_numpy()
    scaler = sl.StandardScaler()
    scaler.learn_many(table)
    assert scaler.transform_many(table).equals(pl.DataFrame({"a": [-1.0, 1.0], "b": [-1.0, 1.0]}))
    assert scaler.fit(table).transform(table).tolist() == [[-1, -1], [1, 1]]
    for y in (flags, flags["l"]):
        by_table, by_array = (sl.BalancedKNN(n_neighbors=1) for _ in range(2))
        answer = by_array.fit(values, y.to_numpy()).predict(values)
        assert by_table.fit(table, y).predict(table).tolist() == answer.tolist()
    by_paths = sl.HierarchicalKNN()
    by_paths.learn_many(table, pl.Series(["wind/flute", "string"]))
    assert by_paths.schema.labels == ("wind", "flute", "string")
    assert sl.Hierarchy.from_table(pl.DataFrame({"child": ["flute"], "parent": ["wind"]}))[0] == ("wind", "flute")


@pytest.mark.whole
@pytest.mark.parametrize("table", ["curves", "summary", "tenths", "events", "detection"])
def test_results_as_tables_of_polars_and_pyarrow(table):
    flags = pl.DataFrame(FLAGS)
    model = sl.SMART(seed=1)
    result = sl.prequential((pl.DataFrame(ROWS), flags), {"m": model}, chunk=2, measures=["micro_f1"])
    result.run.tune("m", half_life=50)
    own = getattr(result, table)
    for other in (result.to_polars(table), result.to_arrow(table)):
        there = pandas_of(other)
        if table == "events":
            assert list(there.loc[1, ["kind", "parameter", "old", "new"]]) == ["tuned", "half_life", "200.0", "50.0"]
            continue
        pd.testing.assert_frame_equal(there, own.reset_index() if table == "summary" else own, check_dtype=False)
    assert isinstance(result.to_polars(), pl.DataFrame)
    assert result.to_arrow().column_names[:2] == ["position", "learner"]
    with pytest.raises(ValueError, match="table='curve': expected 'curves'"):
        result.to_polars("curve")


def test_what_is_masked_is_missing_and_no_label():
    masked = np.ma.masked_array(np.array([[9.0, 1], [0.5, 9], [1, 2]]), mask=[[1, 0], [0, 1], [0, 0]])
    plain = np.array([[np.nan, 1], [0.5, np.nan], [1, 2]])
    flags = np.array([[1, 0], [0, 1], [1, 1]], np.uint8)
    found = []
    for values in (plain, masked, np.ma.masked_array(masked.data.astype(np.float32), mask=masked.mask)):
        model = sl.MLHAT(seed=1)
        model.learn_many(values, flags)
        found.append((model.predict_proba_many(values).tobytes(), next(sl.load((values, flags)).chunks(3)).X.tobytes()))
    assert found[0] == found[1] == found[2]
    hidden = np.ma.masked_array(flags, mask=[[0, 0], [0, 1], [0, 0]])
    for call in (lambda: sl.MLHAT(seed=1).learn_many(plain, hidden), lambda: sl.load((plain, hidden))):
        with pytest.raises(ValueError, match=r"1.*nan; expected 0 or 1"):
            call()
    with pytest.raises(ValueError, match="Y holds nan in row 1, column 1"):
        Counts.zeros(2).count(hidden, flags)


def test_every_kind_of_table_is_read_or_refused_in_one_line():
    assert [(kind, call, said) for kind, call, hand_over in tries() if (said := wrong(hand_over))] == []


@pytest.mark.parametrize(
    ("table", "column"),
    [
        (lambda: pl.DataFrame({"a": [1.0], "b": pl.Series([1], dtype=pl.Int128)}), "b"),
        (lambda: pa.table([[1.0], pa.array([pa.MonthDayNano([1, 2, 3])])], names=["a", "b"]), "b"),
        (lambda: pa.table([[1.0], [2.0]], names=["b", "b"]), "b"),
    ],
)
def test_a_column_that_no_library_can_turn_is_named(table, column):
    with pytest.raises(ValueError, match=f"'{column}'"):
        sl.MLHAT().learn_many(table(), np.array([[1]]))


def test_a_learner_reads_the_cells_of_a_table_as_a_file_has_them():
    frame = pd.DataFrame({"a": ["1.5", "NA", " 2 "], "b": [True, None, False], "c": pd.Categorical(["x", "NA", "x"])})
    model = sl.NoChange().bind(sl.Schema((sl.Feature("a"), sl.Feature("b"), sl.Feature("c", ("x", "NA"))), ("l",)))
    X, missing, *_ = model._checked_X(frame)
    np.testing.assert_array_equal(X, [[1.5, 1, 0], [np.nan, np.nan, 1], [2, 0, 0]])
    assert missing.tolist() == [False, True, False]
    for name, cell in (("a", "12 kg"), ("c", "y")):
        wrong = pd.DataFrame({**frame, name: ["1", cell, "x"]})
        with pytest.raises(ValueError, match=rf"X row [01], feature '{name}': "):
            model.learn_many(wrong, [[0]] * 3)
    with pytest.raises(ValueError, match="feature 'a': values of type datetime64"):
        model.learn_many(frame.assign(a=pd.Timestamp("2024-01-02")), [[0]] * 3)
