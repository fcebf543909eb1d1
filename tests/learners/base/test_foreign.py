"""Code of other packages changes no array that somebody else has, however it is reached."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import streamlab as sl
from streamlab.learners import LEARNERS, Array, Learner, Number, Storage
from streamlab.measures import MEASURES, Count, Measure
from streamlab.schema import Feature, Schema
from tests.fuzz.learners import NAMES, holds_state, rows, trained

N = 200


class Writing(Learner):
    """Sets the array of this name to 1 where it is handed it, in the method of this name."""

    storage = Storage(Array("hits", ("labels",)), Number("n_seen", int, low=0))

    def __init__(self, where: str = "", what: str = "") -> None:
        self.where, self.what = where, what
        self._start()

    def _write(self, where: str, **arrays: Any) -> None:
        if where == self.where and self.what in arrays:
            array = arrays[self.what]
            (array if isinstance(array, np.ndarray) else array.data)[...] = 1

    def _predict(self, X, missing):
        self._write("_predict", X=X, missing=missing)
        scores = np.tile(self._hits / max(self._n_seen, 1), (len(X), 1))
        return scores, (scores > 0.5).astype(np.uint8)

    def _learn(self, X, Y, missing) -> None:
        self._write("_learn", X=X, Y=Y, missing=missing)
        self._hits = self._hits + Y.sum(axis=0)
        self._n_seen += len(Y)


class WritingByItself(Writing):
    """Takes the rows by the public methods, past the base class."""

    def test_then_train(self, X, Y):
        self._write("test_then_train", X=X, Y=Y)
        return super().test_then_train(X, Y)

    def learn_many(self, X, y) -> None:
        self._write("learn_many", X=X, Y=y)
        super().learn_many(X, y)

    def answer_many(self, X):
        self._write("answer_many", X=X)
        return super().answer_many(X)


class WritingSparse(Writing):
    takes_sparse = True


class Scaling(sl.MLHAT):
    """Made of one of the package's learners: scales its rows in place, then hands them on."""

    def _test_then_train(self, X, Y, missing):
        X *= 2.0
        return super()._test_then_train(X, Y, missing)


class Buffered(Writing):
    """Writes all its answers to the same array."""

    def _test_then_train(self, X, Y, missing):
        if not hasattr(self, "_out"):
            self._out = np.zeros((N, Y.shape[1])), np.zeros((N, Y.shape[1]), np.uint8)
        scores, labels = (out[: len(X)] for out in self._out)
        scores[...], labels[...] = super()._test_then_train(X, Y, missing)
        return scores, labels


@pytest.fixture(autouse=True)
def registered():
    kinds = (Writing, WritingByItself, WritingSparse, Scaling, Buffered)
    removals = [LEARNERS.add(kind.__name__, kind) for kind in kinds]
    yield
    for remove in removals:
        remove()


OF = Schema(tuple(Feature(f"x{i}", None, 0.0, 1.0) for i in range(4)), tuple(f"l{i}" for i in range(5)))


def data() -> tuple[np.ndarray, np.ndarray]:
    return rows(OF, N, seed=2, missing=0.0)


WAYS = {
    "alone": lambda model: model,
    "in a pipeline": lambda model: sl.Pipeline(sl.StandardScaler(), model, chunk=20),
    "oversampled": lambda model: sl.Oversampling(model, seed=1),
    "in a council": lambda model: sl.Council({"one": model, "other": sl.NoChange()}),
}
PLACES = [(Writing, "_predict", "X"), (Writing, "_predict", "missing")]
PLACES += [(Writing, "_learn", what) for what in ("X", "Y", "missing")]
PLACES += [(WritingByItself, where, what) for where in ("test_then_train", "learn_many") for what in ("X", "Y")]
PLACES += [(WritingByItself, "answer_many", "X")]


@pytest.mark.whole
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("kind", "where", "what"), PLACES)
def test_a_learner_that_writes_to_its_rows_is_refused_and_nothing_is_changed(kind, where, what, way):
    X, Y = data()
    model = WAYS[way](kind(where, what)).bind(OF)
    calls = {
        "test_then_train": lambda: model.test_then_train(X, Y),
        "learn_many": lambda: model.learn_many(X, Y),
        "answer_many": lambda: model.answer_many(X),
    }
    said = []
    for name in [*calls, "test_then_train"]:
        try:
            calls[name]()
        except Exception as error:
            said.append(str(error))
    assert said or (way != "alone" and kind is WritingByItself), "what is in another is not asked by these"
    assert all("read-only" in each for each in said)
    assert (X.tobytes(), Y.tobytes()) == tuple(each.tobytes() for each in data())


def test_sparse_rows_are_read_only_too():
    X, Y = data()
    X[:, 2:] = 0.0
    sparse = scipy.sparse.csr_array(X)
    model = WritingSparse("_learn", "X").bind(OF)
    with pytest.raises(ValueError, match="read-only"):
        model.learn_many(sparse, Y)
    assert (sparse.toarray() == X).all()


def test_a_learner_made_of_the_package_s_gets_rows_of_its_own():
    X, Y = data()
    doubled = sl.MLHAT(seed=1).bind(OF).test_then_train(X * 2.0, Y)
    before = X.copy()
    scores, labels = Scaling(seed=1).bind(OF).test_then_train(X, Y)
    assert (before == X).all()
    assert (scores == doubled[0]).all()
    assert (labels == doubled[1]).all()


# ---------------------------------------------------------------------- measures


def written(array: np.ndarray) -> np.ndarray:
    array[...] = 1
    return np.zeros(len(array))


def of_labels(which: str):
    def of_two(Y, Z):
        return written({"Y": Y, "Z": Z}[which])

    return of_two


def of_scores(Y, Z, scores):
    return written(scores)


def of_counts(counts):
    return float(written(counts.per_label)[0])


def by_terms(batch):
    return written(batch.Z)


def by_add(batch, fading, total) -> None:
    total += written(batch.Y)[0]


def of_extra(counts, zero_division):
    counts.extra["seen"][...] = 5
    return 0.0


def of_rows(Y, scores, zero_division):
    return float(written(scores)[0])


SEEN = Count("seen", terms=lambda batch: np.ones(len(batch)))
ZERO = {"title": "t", "formula": "f", "averaging": "example", "value": lambda counts, zero_division: 0.0}
MADE = {
    "Y": lambda: sl.measure(name="writing")(of_labels("Y")),
    "Z": lambda: sl.measure(name="writing")(of_labels("Z")),
    "scores": lambda: sl.measure(name="writing")(of_scores),
    "counts": lambda: sl.measure(name="writing")(of_counts),
    "terms": lambda: Measure("writing", **ZERO, counts=(Count("own", terms=by_terms),)),
    "add": lambda: Measure("writing", **ZERO, counts=(Count("own", add=by_add),)),
    "extra": lambda: Measure("writing", **ZERO | {"value": of_extra}, counts=(SEEN,)),
    "of_rows": lambda: Measure("writing", **ZERO, needs_scores=True, of_rows=of_rows),
}


def figures(X: np.ndarray, Y: np.ndarray, made: Measure) -> dict[str, float]:
    result = sl.prequential((X, Y), sl.SMART(seed=1), chunk=50, measures=[made, "micro_f1"])
    return result.run.learner_runs["SMART"].tracker.values("chunk")


@pytest.mark.whole
@pytest.mark.parametrize("which", MADE)
def test_a_measure_that_writes_is_refused_and_changes_no_figure(which):
    made = MADE[which]()
    try:
        X, Y = data()
        with pytest.raises(ValueError, match=r"writing.*read-only"):
            figures(X, Y, made)
    finally:
        MEASURES.remove(made)
    assert (X.tobytes(), Y.tobytes()) == tuple(each.tobytes() for each in data())


# ---------------------------------------------------------------------- pictures and detectors

SHOWN = {
    "node_columns": (), "nodes": (), "recent": (), "trust_history": (), "own_trust": (),
    "standing_words": (), "evidence": (),
}  # fmt: skip
"""What pictures ask a learner for, without arguments."""


def scribble(value: Any) -> int:
    """Write to every array that is found in a value and lets it be done; return how many there were."""
    if isinstance(value, np.ndarray):
        if value.flags.writeable and value.dtype.kind in "iufb":
            value[...] = 1
        return 1
    if hasattr(value, "to_numpy"):
        return sum(scribble(value[column].to_numpy()) for column in value)
    each = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ()
    return sum(map(scribble, each))


def everything_of(model: Any) -> list[bytes]:
    return [each.tobytes() if isinstance(each, np.ndarray) else repr(each).encode() for each in model.state().values()]


@pytest.mark.whole
@pytest.mark.parametrize(
    "name", [name for name in NAMES if holds_state(name) and issubclass(getattr(sl, name), Learner)]
)
def test_a_picture_that_writes_to_what_it_is_shown_changes_no_learner(name):
    model = trained(name, 300)
    before, seen = everything_of(model), 0
    for method, given in SHOWN.items():
        if hasattr(model, method):
            seen += scribble(getattr(model, method)(*given))
    if hasattr(model, "describe_node"):
        for node in model.node_columns()["id"].tolist()[:20]:
            scribble(model.describe_node(node))
    assert everything_of(model) == before, seen
