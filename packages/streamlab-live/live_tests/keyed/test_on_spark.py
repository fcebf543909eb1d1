"""A learner for each key on Spark, two worker processes, with its real state store: equal to learners run apart."""

from __future__ import annotations

import shutil

import numpy as np
import pandas as pd
import pytest
import streamlab as sl
from tests.learners.states import assert_same

from live_tests.keyed.spark_keys import arrive, learned_apart, session, write_batches
from streamlab_live.keyed import learn_by_key, learned_by_key

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install './packages/streamlab-live[spark]'")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java, 17 or later", allow_module_level=True)

N_KEYS, N_ROWS = 12, 60


@pytest.fixture(scope="module")
def spark():
    made = session("local[2]")
    yield made
    made.stop()


def run(spark, folder, learner, schema, *, order="offset", most_files=1, **options):
    """Learn all batches that are in the folder, and stop."""
    rows = spark.readStream.schema(spark.read.parquet(f"{folder}/in").schema).option("maxFilesPerTrigger", most_files)
    answers = learn_by_key(rows.parquet(f"{folder}/in"), "user", learner, schema, order=order, **options)
    query = (
        answers.writeStream.format("parquet")
        .option("checkpointLocation", f"{folder}/checkpoint")
        .option("path", f"{folder}/out")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination(240)
    assert not query.isActive


def test_each_key_is_a_learner_run_apart_also_from_the_checkpoint(spark, tmp_path):
    stream = sl.load("syn-regions", n_rows=N_KEYS * N_ROWS, seed=1)
    learner = sl.SMART(n_trees=3, seed=1)
    batches = write_batches(stream, N_KEYS, tmp_path / "all", n_batches=4, seed=2)
    for half in (batches[:2], batches[2:]):  # the second time from the checkpoint
        arrive(half, tmp_path / "in")
        run(spark, tmp_path, learner, stream.schema)
    found = {
        row.key: (row.rows, sl.load_model(bytes(row.learner)))
        for row in learned_by_key(spark, tmp_path / "checkpoint").collect()
    }
    answers = pd.read_parquet(tmp_path / "out").sort_values(["user", "row"])
    expected = learned_apart(stream, N_KEYS, learner, n_batches=4, seed=2)
    assert found.keys() == expected.keys()
    for user, (model, scores, labels) in expected.items():
        assert found[user][0] == len(scores)
        assert_same(found[user][1].state(), model.state())
        mine = answers[answers.user == user]
        assert mine.row.tolist() == list(range(len(scores)))
        assert mine.offset.is_monotonic_increasing
        np.testing.assert_array_equal(np.vstack(mine.scores), scores)
        np.testing.assert_array_equal(np.vstack(mine.labels).astype(np.uint8), labels)


def test_a_row_that_is_wrong_ends_the_query_and_says_why(spark, tmp_path):
    stream = sl.load("syn-regions", n_rows=40, seed=1)
    (path,) = write_batches(stream, 2, tmp_path / "in", n_batches=1, seed=2)
    table = pd.read_parquet(path)
    table.loc[3, stream.schema.labels[0]] = 7
    table.to_parquet(path)
    with pytest.raises(Exception, match=rf"label '{stream.schema.labels[0]}': 7; expected 0 or 1"):
        run(spark, tmp_path, sl.MajorityLabels(), stream.schema)
    table.loc[3, stream.schema.labels[0]] = 0
    table.to_parquet(path)
    shutil.rmtree(tmp_path / "checkpoint")
    with pytest.raises(Exception, match=r"the state of SMART has .* bytes; expected at most 1,000"):
        run(spark, tmp_path, sl.SMART(n_trees=3, seed=1), stream.schema, most_bytes=1000)


def test_a_column_may_have_any_name(spark, tmp_path):
    schema = sl.Schema((sl.Feature("a.b"), sl.Feature("a `c`")), ("is, so",))
    table = pd.DataFrame({"a.b": [0.1, 0.2], "a `c`": [1.0, None], "is, so": [0, 1], "who `is`": ["x", "x"]})
    (tmp_path / "in").mkdir()
    table.to_parquet(tmp_path / "in" / "0000.parquet")
    rows = spark.readStream.schema(spark.read.parquet(f"{tmp_path}/in").schema).parquet(f"{tmp_path}/in")
    answers = learn_by_key(rows, "who `is`", sl.MajorityLabels(), schema)
    query = answers.writeStream.format("memory").queryName("any_name").trigger(availableNow=True).start()
    query.awaitTermination(240)
    assert sorted(row.row for row in spark.sql("select * from any_name").collect()) == [0, 1]


def test_columns_that_are_not_there_are_named(spark, tmp_path):
    stream = sl.load("syn-regions", n_rows=40, seed=1)
    write_batches(stream, 2, tmp_path / "in", n_batches=1, seed=2)
    rows = spark.read.parquet(f"{tmp_path}/in")
    with pytest.raises(ValueError, match="the rows have no column 'who'"):
        learn_by_key(rows, "who", sl.NoChange(), stream.schema)
    with pytest.raises(ValueError, match="the column 'row' has the name of a column that the result adds"):
        learn_by_key(rows.withColumnRenamed("offset", "row"), "user", sl.NoChange(), stream.schema, order="row")
