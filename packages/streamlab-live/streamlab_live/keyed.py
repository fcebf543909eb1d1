"""A learner for each key of a stream: bytes between two batches, on any engine; and on Spark Structured Streaming."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from streamlab._checks import checked_count, within
from streamlab._frames import Frame
from streamlab.learners import LEARNERS, Learner, load_model
from streamlab.schema import Schema

__all__ = ["STATE_STORE", "KeyLearner", "learn_by_key", "learned_by_key"]

MOST_BYTES = 16 << 20
"""Bytes that the state of a key may have, unless something else is said."""


class KeyLearner:
    """Learners of the same parameters, one for each key; each key's state is bytes that somebody else keeps.

    Parameters
    ----------
    learner
        One that has learned nothing and was not bound, with a seed if it takes one, each step of a pipeline too: a
        batch that an engine repeats then gives the same.
    schema
        Features and labels; every key has all of them.
    most_bytes
        Bytes that a state may have, at least 1. Default 16 MiB. An engine writes the whole state of a key for each
        batch with rows of it.

    Raises
    ------
    ValueError
        If the learner or a step of it has no seed, is bound or has learned something, or ``most_bytes`` is not a whole
        number above 0.

    Examples
    --------
    >>> import numpy as np, streamlab as sl
    >>> each = KeyLearner(sl.MajorityLabels(), sl.Schema.anonymous(2, 1))
    >>> X, Y = np.zeros((3, 2)), np.ones((3, 1), np.uint8)
    >>> state, scores, labels = each.learn("a", None, X, Y)
    >>> state, scores, labels = each.learn("a", state, X, Y)
    >>> labels.ravel().tolist()
    [1, 1, 1]
    """

    def __init__(self, learner: Learner, schema: Schema, *, most_bytes: int = MOST_BYTES) -> None:
        name = type(learner).__name__
        if not isinstance(learner, Learner):
            raise ValueError(f"learner={name}: expected a learner of streamlab")
        for part in (learner, *getattr(learner, "parts", ())):
            called = name if part is learner else f"{name}, {type(part).__name__}"
            if getattr(part, "seed", 0) is None:
                raise ValueError(
                    f"{called}: seed=None: expected a seed; without it a repeated batch gives other answers"
                )
            if part.schema.n_features or part.schema.n_labels:
                raise ValueError(
                    f"{called} is bound to columns, or has learned; expected one that has not: its clone()"
                )
        self.learner, self.schema = learner.clone(), schema
        self.most_bytes = checked_count("most_bytes", most_bytes, 1)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # an engine's process has classes that were added in a session, but has not registered them
        for part in (self.learner, *getattr(self.learner, "parts", ())):
            if LEARNERS.name_of(type(part)) is None:
                LEARNERS.add(type(part).__name__, type(part))

    def fresh_learner(self) -> Learner:
        """Return a learner for a key that comes for the first time."""
        learner: Learner = self.learner.clone()
        return learner.bind(self.schema)

    def learn(
        self, key: Any, state: bytes | None, X: np.ndarray | Frame, Y: np.ndarray | Frame
    ) -> tuple[bytes, np.ndarray, np.ndarray]:
        """Answer rows of a key, then learn them, each row after the one before it.

        Parameters
        ----------
        key
            For messages.
        state
            What this returned for the key's rows before; None for the first.
        X, Y
            As ``Learner.learn_many``, of n rows.

        Returns
        -------
        state : bytes
            With which the key goes on; ``load_model`` makes the learner of it.
        scores : float64 of shape (n, n_labels)
        labels : uint8 of shape (n, n_labels)

        Raises
        ------
        ValueError
            Naming the key: if a value is not allowed, the state is not whole, or would have more than
            ``most_bytes`` bytes.
        """
        with within(f"key {key!r}"):
            learner = self.fresh_learner() if state is None else load_model(bytes(state))
            scores, labels = learner.test_then_train(X, Y)
        after = learner.to_bytes()
        if len(after) > self.most_bytes:
            raise ValueError(
                f"key {key!r}: the state of {type(learner).__name__} has {len(after):,} bytes; expected at most "
                f"{self.most_bytes:,} (most_bytes=): fewer trees, a smaller window or fewer features make it smaller"
            )
        return after, scores, labels


# ---------------------------------------------------------------------- Spark

STATE_STORE = {
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    )
}
"""Configuration that a session needs: only this store keeps the states of ``transformWithState``."""
VARIABLE = "learner"
KEY, ROW, SCORES, LABELS = "key", "row", "scores", "labels"


def learn_by_key(
    rows: Any,
    key: str,
    learner: Learner,
    schema: Schema,
    *,
    order: str | None = None,
    keep: Sequence[str] = (),
    most_bytes: int = MOST_BYTES,
) -> Any:
    """Let a learner for each key answer and learn the rows of a streaming DataFrame.

    A key's learner is the one that streamlab has anywhere else; between two batches its state is bytes in Spark's state
    store, which the checkpoint of the query keeps: each row is learned exactly once, whatever is killed.

    Parameters
    ----------
    rows
        A streaming ``pyspark.sql.DataFrame`` with a column for each feature and label of the schema: numbers, words of
        nominal features, 0 and 1 or booleans for labels. Null is a missing value in a feature, and an error in a label.
    key
        The column by which rows belong together.
    learner, schema, most_bytes
        As ``KeyLearner``.
    order
        The column whose order the rows of a key have within a batch, such as an offset or a time. Spark promises none:
        without it they are learned as they come.
    keep
        Further columns that go with the answers.

    Returns
    -------
    pyspark.sql.DataFrame
        Streaming, a row for each row: the key, ``row`` (which row of the key it is, from 0), ``order`` and ``keep``,
        ``scores`` (array of double) and ``labels`` (array of boolean), both as answered before the row was learned.

    Raises
    ------
    ValueError
        If a column is not there or has the name of one that is added, or as ``KeyLearner``. What is wrong in a row
        ends the query with the ValueError of ``KeyLearner.learn``; its batch is learned again when the query starts.

    Examples
    --------
    Needs ``streamlab-live[spark]``, Java and a session with ``STATE_STORE``:

    >>> rows = spark.readStream.schema(form).parquet("incoming")  # doctest: +SKIP
    >>> answers = learn_by_key(rows, "user", sl.SMART(seed=1), schema, order="offset")  # doctest: +SKIP
    >>> query = answers.writeStream.option("checkpointLocation", "kept").start()  # doctest: +SKIP
    """
    from pyspark.sql import functions, types

    columns = list(dict.fromkeys([key, *([order] if order else []), *keep]))
    needed = list(dict.fromkeys([*columns, *schema.feature_names, *schema.labels]))
    for name in needed:
        if name not in rows.columns:
            raise ValueError(f"the rows have no column {name!r}; they have {', '.join(rows.columns[:8])}")
    for name in (ROW, SCORES, LABELS):
        if name in columns:
            raise ValueError(f"the column {name!r} has the name of a column that the result adds; rename yours first")
    # Spark takes the key of a group by its bare name only; so each column has a plain one meanwhile
    plain = {name: f"c{place}" for place, name in enumerate(needed)} | {key: KEY}
    answered = types.StructType([types.StructField(plain[name], rows.schema[name].dataType) for name in columns])
    answered = answered.add(ROW, types.LongType())
    answered = answered.add(SCORES, types.ArrayType(types.DoubleType()))
    answered = answered.add(LABELS, types.ArrayType(types.BooleanType()))
    processor = _processor(KeyLearner(learner, schema, most_bytes=most_bytes), order, columns, plain)
    return (
        rows.select(*(functions.col(_quoted(name)).alias(plain[name]) for name in needed))
        .groupBy(KEY)
        .transformWithStateInPandas(
            statefulProcessor=processor, outputStructType=answered, outputMode="Append", timeMode="None"
        )
        .toDF(*columns, ROW, SCORES, LABELS)
    )


def learned_by_key(spark: Any, checkpoint: str, *, operator: int = 0) -> Any:
    """Return the learners that a query of ``learn_by_key`` has kept in its checkpoint.

    Parameters
    ----------
    spark
        A session.
    checkpoint
        The folder that the query was started with, as ``checkpointLocation``.
    operator
        Which stateful operator of the query it is, where there are several.

    Returns
    -------
    pyspark.sql.DataFrame
        A row for each key: ``key``, ``rows`` that its learner has learned, and ``learner``, bytes for ``load_model``.

    Examples
    --------
    >>> kept = learned_by_key(spark, "kept").first()  # doctest: +SKIP
    >>> model = sl.load_model(bytes(kept.learner))  # doctest: +SKIP
    """
    kept = (
        spark.read.format("statestore")
        .option("operatorId", operator)
        .option("stateVarName", VARIABLE)
        .load(str(checkpoint))
    )
    return kept.select(f"key.{KEY}", "value.rows", "value.learner")


def _quoted(name: str) -> str:
    """Return a column's name, quoted for Spark's SQL."""
    return "`" + name.replace("`", "``") + "`"


def _processor(each: KeyLearner, order: str | None, kept: list[str], plain: dict[str, str]) -> Any:
    from pyspark.sql.streaming import StatefulProcessor

    names = {short: name for name, short in plain.items()}

    class Learn(StatefulProcessor):
        """Load the learner of a key, answer and learn its rows, and save the learner."""

        def init(self, handle: Any) -> None:
            self.kept = handle.getValueState(VARIABLE, "learner binary, rows long")

        def handleInputRows(self, key: Any, rows: Iterator[pd.DataFrame], timerValues: Any) -> Iterator[pd.DataFrame]:
            batch = pd.concat(list(rows), ignore_index=True).rename(columns=names)
            if order is not None:
                batch = batch.sort_values(order, kind="stable", ignore_index=True)
            state, before = self.kept.get() if self.kept.exists() else (None, 0)
            after, scores, labels = each.learn(
                key[0], state, batch[list(each.schema.feature_names)], batch[list(each.schema.labels)]
            )
            self.kept.update((after, before + len(batch)))
            answers = batch[kept].rename(columns=plain)
            yield answers.assign(
                **{
                    ROW: before + np.arange(len(batch)),
                    SCORES: list(scores),
                    LABELS: list(labels.astype(bool)),
                }
            )

        def close(self) -> None:
            pass

    return Learn()
