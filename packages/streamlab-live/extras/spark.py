"""Let a learner for each of three keys learn on Spark, and read it from the checkpoint."""

import os
import sys

import numpy as np
import pandas as pd
import pyspark
import streamlab as sl
from pyspark.sql import SparkSession

from streamlab_live.keyed import STATE_STORE, learn_by_key, learned_by_key

os.environ["PYSPARK_PYTHON"] = sys.executable
builder = SparkSession.builder.master("local[2]")
local = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.log.level": "ERROR",
}
for name, value in (STATE_STORE | local).items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
stream = sl.load("syn-regions", n_rows=60, seed=1)
chunk = next(stream.chunks(60))
table = pd.DataFrame(np.asarray(chunk.X), columns=list(stream.schema.feature_names))
table[list(stream.schema.labels)] = chunk.Y
table["user"], table["offset"] = [f"u{i % 3}" for i in range(60)], range(60)
os.mkdir("in")
table.to_parquet("in/0.parquet")
rows = spark.readStream.schema(spark.read.parquet("in").schema).parquet("in")
answers = learn_by_key(rows, "user", sl.SMART(n_trees=3, seed=1), stream.schema, order="offset")
query = (
    answers.writeStream.format("parquet")
    .option("checkpointLocation", "kept")
    .option("path", "out")
    .trigger(availableNow=True)
    .start()
)
query.awaitTermination(240)
kept = {
    row.key: (row.rows, type(sl.load_model(bytes(row.learner))).__name__)
    for row in learned_by_key(spark, "kept").collect()
}
assert kept == {f"u{i}": (20, "SMART") for i in range(3)}
spark.stop()
print(f"{len(kept)} keys have learned on Spark {pyspark.__version__}")  # noqa: T201
