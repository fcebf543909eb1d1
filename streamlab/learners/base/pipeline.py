"""A learner behind transformers, over arrays: all learn chunk by chunk, and kept points move with the transformers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from streamlab.learners.base.composed import BY_POSITION, Composed
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import tunable
from streamlab.learners.base.row_learner import BatchFace, ChunkBuffer
from streamlab.learners.base.rows import SparseRows, gaps_of_rows
from streamlab.learners.base.state import State, contradiction
from streamlab.learners.base.transformer import Rescaling, StreamTransformer
from streamlab.schema import Schema

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Pipeline"]


class Pipeline(Composed, ChunkBuffer, BatchFace):  # type: ignore[misc]  # an object prepares its own steps
    """Transformers and a learner, one behind the other: ``StandardScaler() | BalancedLDA() | BalancedKNN()``.

    The transformers learn in chunks whose places depend on the number of instances alone. Until a chunk is full, they
    are those of the last; before the first is, they learn whenever the instances have doubled.

    The protocol is that of the last step. A learner that answers whole chunks (``predicts_whole_chunks``) learns with
    the transformers: the chunk, as they pass it on. One that answers and learns row by row does so behind them too,
    with each row as the transformers of the last chunk make it; the first row of all is transformed by what it has
    taught them.

    A last step that keeps points (``keeps_points``) keeps the raw rows. When the transformers have learned,
    all its points are transformed again, so that it answers as one trained now on the same rows would. In the same way
    the sums of a transformer behind a ``StandardScaler`` move to the new scale, as if they had been taken on it.

    Parameters
    ----------
    *steps
        Transformers, then one learner. They are the pipeline's own from now on. A pipeline among them is taken apart.
    chunk
        Instances of a chunk, 1 or more, after which the transformers learn. Tunable.

    Attributes
    ----------
    steps
        By name: the class's in lower case, numbered where it comes twice.

    Raises
    ------
    ValueError
        For a step that is neither, or out of place.

    Notes
    -----
    A step's parameter is tuned by its step's name: ``tune(balancedlda__half_life=500)``.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN()
    >>> result = sl.prequential("yeast", {"BKNN": model}, n=500)
    >>> bool(result.summary.micro_f1["BKNN"] > 0.4)
    True
    """

    is_chain: ClassVar[bool] = True

    chunk: int = tunable(
        1, 1000, default=100, logarithmic=True, unit="instances", help="All steps learn after this many rows."
    )

    def __init__(self, *steps: StreamEstimator, chunk: int = 100) -> None:
        flat = [part for step in steps for part in (step.parts if isinstance(step, Pipeline) else [step])]
        if not flat:
            raise ValueError("a pipeline without a step; expected transformers, then a learner")
        for place, step in enumerate(flat):
            if isinstance(step, type) or not isinstance(step, (StreamTransformer, Learner)):
                raise ValueError(f"step {place} is {step!r}; expected a transformer or a learner of streamlab's")
            if isinstance(step, Learner) and place < len(flat) - 1:
                raise ValueError(f"step {place} is the learner {type(step).__name__}; a learner comes last")
        if len({id(step) for step in flat}) < len(flat):
            raise ValueError("the same object is in two places; give each a copy()")
        self.steps: dict[str, StreamEstimator] = {}
        for step in flat:
            name = kind = type(step).__name__.lower()
            number = 1
            while name in self.steps:
                number += 1
                name = f"{kind}{number}"
            self.steps[name] = step
        self.chunk = chunk
        self._share_lock()
        self._start()

    # ------------------------------------------------------------------ the steps

    @property
    def _inner(self) -> dict[str, StreamEstimator]:
        return vars(self).get("steps", {})

    def _given_columns(self) -> list[StreamEstimator]:
        return self.parts[:1]

    @property
    def transformers(self) -> list[StreamTransformer]:
        """The steps before the learner."""
        return [step for step in self.parts if isinstance(step, StreamTransformer)]

    @property
    def learner(self) -> Learner:
        """The last step.

        Raises
        ------
        ValueError
            If it is a transformer: the pipeline is not complete then.
        """
        last = self.parts[-1]
        if not isinstance(last, Learner):
            raise ValueError(f"the pipeline ends in the transformer {type(last).__name__}; expected a learner there")
        return last

    @property
    def remark(self) -> str:
        return str(getattr(self.parts[-1], "remark", ""))

    @property
    def picture(self) -> str:  # type: ignore[override]  # of a pipeline it depends on the steps
        """That of the learner where it is seen through the transformers; else none."""
        return self.learner.picture if self._keeps_points else ""

    @property
    def _keeps_points(self) -> bool:
        """Whether the last step keeps raw rows, and sees them through the transformers."""
        return getattr(self.parts[-1], "keeps_points", False)

    @property
    def predicts_whole_chunks(self) -> bool:  # type: ignore[override]  # of a pipeline it depends on the steps
        """Whether the learner does."""
        last = self.parts[-1]
        return not isinstance(last, Learner) or last.predicts_whole_chunks

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]  # as above
        """Whether all steps do; one that keeps raw points sees them through the transformers, as arrays."""
        return all(step.takes_sparse for step in self.parts) and not self._keeps_points

    @classmethod
    def _unit_test_params(cls):
        # River makes a model by keywords alone; there is no pipeline without steps
        yield from ()

    def _get_params(self) -> dict[str, Any]:
        return {BY_POSITION: tuple(self.parts), "chunk": self.chunk}

    def _cloned_parts(self, own: dict[str, Any], given: dict[str, Any]) -> Any:
        news = self._given_to_parts(given).values()
        return [step.clone(new) for step, new in zip(own[BY_POSITION], news, strict=True)]

    def bind(self, schema: Schema) -> Self:
        """Declare the columns, as ``Learner.bind``; raise a ValueError if the pipeline is not complete."""
        self.learner  # noqa: B018 (raises)
        return super().bind(schema)

    # ------------------------------------------------------------------ state

    def _grown(self, n_features: int, n_labels: int) -> None:
        self._widen_chunk()

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        if (self._features or self._labels) and not isinstance(self.parts[-1], Learner):
            owner, last = type(self).__name__, type(self.parts[-1]).__name__
            raise contradiction(owner, f"steps end in {last}; expected a learner there")
        self._connect()

    def _connect(self) -> None:
        """Let a last step that keeps points see them through the transformers."""
        last: Any = self.parts[-1]
        if self._keeps_points:
            last._transform_points = self._transformed

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._connect()

    def _become(self, other: Self) -> None:
        super()._become(other)
        self._connect()

    # ------------------------------------------------------------------ learning

    @property
    def now(self) -> int | None:
        """Rows that it was given to learn, as its learner counts them; None: that has no such count."""
        learned = self.learner.now
        return None if learned is None else learned + len(self._chunk_X) * self.predicts_whole_chunks

    def _learn(self, X, Y, missing) -> None:
        learner = self.learner  # raises before anything is kept
        if not self.predicts_whole_chunks:
            self._test_then_train(X, Y, missing)
            return
        for start, stop, is_due, _ in self._pieces(len(X)):
            self._fill_chunk(X[start:stop], Y[start:stop])
            if is_due:
                began = learner.now
                self._learn_chunk(*self._take_chunk())
                self._take_over_events(learner, partial(_happened, began, learner.now))

    def _test_then_train(self, X, Y, missing):
        if self.predicts_whole_chunks:
            return super()._test_then_train(X, Y, missing)
        scores, labels, learner = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8), self.learner
        is_first = self._warming_up and not self._since
        for start, stop, is_due, _ in self._pieces(len(X)):
            part = slice(start, stop)
            self._fill_chunk(X[part], Y[part])
            if is_first:
                # a piece of one row, which is due
                self._learn_transformers(*self._take_chunk())
            learner._widen(self._output_features(), self._labels, self._label_names, self._hierarchy, True)
            rows = _laid_out(self._transformed(X[part]))
            scores[part], labels[part] = learner._test_then_train(rows, Y[part], gaps_of_rows(rows))
            if is_due and not is_first:
                self._learn_transformers(*self._take_chunk())
            is_first = False
        return scores, labels

    def _take_chunk(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of the present chunk, and begin another."""
        chunk = self._chunk_X, self._chunk_Y
        self._empty_chunk()
        return chunk

    def fit(self, X: Any, y: Any) -> Self:
        """Forget everything, then fit every step on all rows, as scikit-learn's pipeline does."""
        super().fit(X, y)
        # the steps came from a clone, and see their points through it
        self._connect()
        return self

    def _fit(self, X: np.ndarray, Y: np.ndarray) -> None:
        self._warming_up = False
        self._learn_chunk(X, Y, whole=True)

    def _learn_chunk(self, X: np.ndarray, Y: np.ndarray, whole: bool = False) -> None:
        learner: Any = self.learner
        rows, X = X, self._learn_transformers(X, Y)
        if self._keeps_points:
            self._connect()
            learner._widen(self._columns_in(), self._labels, self._label_names, self._hierarchy, self._bound)
            if len(learner._X):
                learner._moved()
            if whole:
                learner._fit(rows, Y)
            else:
                learner._learn(rows, Y, np.isnan(rows).any(axis=1))
        else:
            learner._widen(self._output_features(), self._labels, self._label_names, self._hierarchy, True)
            learner._learn(X, Y, gaps_of_rows(X))

    def _learn_transformers(self, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
        """Let each transformer learn a chunk as those before it make it; return it as the last one makes it."""
        features = self._columns_in()
        change: Rescaling | None = Rescaling.none(len(features))
        for step in self.transformers:
            step._widen(features, self._labels, self._label_names, self._hierarchy, self._bound)
            change = step._learn_rescaled(X, Y, change)
            X = step._transform(X)
            features = step._output_features()
        return X

    def _output_features(self) -> Any:
        """Return the columns that the learner sees."""
        return self.transformers[-1]._output_features() if self.transformers else self._columns_in()

    def _transformed(self, X: np.ndarray) -> np.ndarray:
        """Return raw rows as the last step sees them, with the transformers as they are now."""
        for step in self.transformers:
            # columns that came since it last learned are not yet its own
            X = step._transform(X[:, : len(step._features)])
        return X

    def _predict(self, X, missing):
        learner = self.learner
        if learner._labels and not self._keeps_points:
            X = _laid_out(self._transformed(X))
            missing = gaps_of_rows(X)
        return self._answered_by(learner, X, missing)

    # ------------------------------------------------------------------ structure

    def _projection(self) -> Any:
        """The learner, if it has classes to draw."""
        learner = self.learner
        if self.picture != "projection":
            raise ValueError(f"{type(learner).__name__} has no projection to show")
        return learner

    def node_columns(self) -> dict[str, np.ndarray]:
        """The learner's ``node_columns``."""
        return self._projection().node_columns()

    def nodes(self) -> pd.DataFrame:
        """The learner's own nodes."""
        return self.learner.nodes()

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """The learner's ``describe_node``."""
        return self._projection().describe_node(node_id)

    def neighbourhood(self, x: Any) -> dict[str, np.ndarray]:
        """The learner's ``neighbourhood`` of one raw instance, a row of shape (n_features,) or a dictionary."""
        learner = self._projection()
        if not len(learner._labels):
            raise ValueError("nothing has been learned yet: there are no neighbours")
        return learner._neighbourhood(self._one_row(x).values)

    def neighbourhood_of(self, row: int) -> dict[str, np.ndarray] | None:
        """The learner's ``neighbourhood_of`` an instance that is kept, by its number in ``recent``."""
        return self._projection().neighbourhood_of(row)

    def kept_within(self, rows: int) -> tuple[int, int] | None:
        # the latest wait until their chunk is full
        return self.learner.kept_within(max(rows - len(self._chunk_X) * self.predicts_whole_chunks, 0))

    def old_within(self, rows: int) -> float | None:
        return self.learner.old_within(max(rows - len(self._chunk_X) * self.predicts_whole_chunks, 0))

    def did_within(self, rows: int) -> str:
        return self.learner.did_within(rows)

    def placed(self, X: np.ndarray) -> np.ndarray:
        """The learner's ``placed``: where raw rows (m, n_features) lie, float64 (m, 2)."""
        return self._projection().placed(X)

    def recent(self, n: int = 500) -> dict[str, np.ndarray]:
        """The learner's ``recent``: the newest instances kept, where they lie now."""
        return self._projection().recent(n)


def _happened(began: int | None, now: int | None, position: int) -> int:
    """Return when what a learner reports of a chunk happened: the rows came before, and were learned now."""
    # a wrong position stays wrong
    return now if began is not None and now is not None and began <= position <= now else position


def _laid_out(X: Any) -> Any:
    """Return rows as kernels take them: an array in C order, sparse rows as they are."""
    return X if isinstance(X, SparseRows) else np.ascontiguousarray(X)
