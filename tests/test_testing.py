"""Every learner of the package keeps the promises of a learner; and ``check_learner`` finds one that does not."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from river import linear_model, multioutput, tree

import streamlab as sl
from streamlab.learners import LEARNERS as LEARNER_CLASSES
from streamlab.learners import Array, Number, Storage, Tunable
from streamlab.testing import check_learner

NUMBERS = sl.Schema.anonymous(4, 3)
HOEFFDING = {"grace_period": 20, "tau": 0.5}
LEARNERS = {
    # it is given a seed
    "SMART": lambda: sl.SMART(n_trees=3, height=5),
    "SMART warmed up": lambda: sl.SMART(n_trees=3, height=5, warm_up=10, seed=1),
    "MLHAT": lambda: sl.MLHAT(grace_period=20, cardinality_threshold=40, seed=1),
    "HedgedMLHAT": lambda: sl.HedgedMLHAT(**HOEFFDING, seed=1),
    "MLHT": lambda: sl.MLHT(**HOEFFDING),
    "PrunedSets": lambda: sl.PrunedSets(buffer=10, **HOEFFDING),
    "HoeffdingTrees": lambda: sl.HoeffdingTrees(**HOEFFDING),
    "Oversampling": lambda: sl.Oversampling(sl.SMART(warm_up=10, decision="threshold", seed=1), seed=1),
    "Council": lambda: sl.Council([sl.SMART(warm_up=10, seed=1), sl.ARkNN(window=20), sl.NoChange()]),
    "HierarchicalKNN": lambda: sl.HierarchicalKNN(window=20),
    "HierarchicalKNN with detectors": lambda: sl.HierarchicalKNN(window=7, drift_delta=0.1),
    "FlatKNN": lambda: sl.FlatKNN(window=20),
    "ARkNN": lambda: sl.ARkNN(window=20),
    "RankedKNN": lambda: sl.RankedKNN(window=20),
    "MLSAMPkNN": lambda: sl.MLSAMPkNN(window=20, min_window=4),
    "MLSAkNN": lambda: sl.MLSAkNN(window=20, min_window=4),
    "NoChange": sl.NoChange,
    "MajorityLabels": sl.MajorityLabels,
    "BalancedKNN": lambda: sl.BalancedKNN(window=20, chunk=16),
    "BalancedKNN on chunks": lambda: sl.BalancedKNN(train_on="chunk", chunk=16),
    "MLBELS": lambda: sl.MLBELS(n_windows=4, window_nodes=2, chunk=16, seed=1),
    "GOOWE": lambda: sl.GOOWE(n_models=3, chunk=20, **HOEFFDING, seed=1),
    "OnlineBagging": lambda: sl.OnlineBagging(n_models=3, detector="adwin", **HOEFFDING, seed=1),
    "MLKNN": lambda: sl.MLKNN(n_neighbors=3, chunk=16),
    "OnlineLogistic": lambda: sl.OnlineLogistic(fading=0.99),
    "Pipeline": lambda: sl.Pipeline(sl.StandardScaler(), sl.BalancedLDA(), sl.BalancedKNN(window=20), chunk=16),
    "OnePerLabel": lambda: sl.OnePerLabel(tree.HoeffdingTreeClassifier()),
    "RiverClassifier": lambda: sl.RiverClassifier(tree.HoeffdingTreeClassifier()),
    "RiverMultiLabel": lambda: sl.RiverMultiLabel(multioutput.ClassifierChain(linear_model.LogisticRegression())),
    "TargetsAsLabels": lambda: sl.TargetsAsLabels(tree.ISOUPTreeRegressor(grace_period=20)),
}
COLUMN = {"check_supervised_y_2d": "a column (n, 1) is one label, 0 or 1; classes come as (n,)"}
THRESHOLDS = COLUMN | {"check_classifier_multioutput": "a label is predicted above a threshold of its own, not above 0"}
AT_FIRST = "tuned before the first row as made so"
OBJECTS = {"states and files": "what River's models keep is no flat state"}
ABSENT = OBJECTS | {"sparse rows as arrays": "River's trees take what is absent for missing, not for 0"}
EXCEPTIONS = {
    "BalancedKNN": THRESHOLDS,
    "BalancedKNN on chunks": THRESHOLDS,
    "MLKNN": COLUMN,
    "GOOWE": {AT_FIRST: "another length of a chunk counts from the next chunk on"},
    "OnlineBagging": {AT_FIRST: "members that are too many leave, the first ones before the later"},
    "OnePerLabel": ABSENT,
    "RiverClassifier": ABSENT,
    "RiverMultiLabel": OBJECTS,
    "TargetsAsLabels": ABSENT,
}


def of_river(name):
    """Whether River's models learn, which are interpreted and take long."""
    return EXCEPTIONS.get(name, {}).get("states and files") == OBJECTS["states and files"]


@pytest.mark.whole
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.nightly] * of_river(name)) for name in LEARNERS]
)
def test_every_learner_keeps_its_promises(name):
    schema = NUMBERS if of_river(name) else None
    check_learner(LEARNERS[name], schema=schema, except_for=EXCEPTIONS.get(name))


def test_every_learner_is_checked():
    kinds = {type(make()).__name__ for make in LEARNERS.values()}
    others = {name for name in LEARNER_CLASSES.names() if name not in kinds}
    assert others == {"StandardScaler", "BalancedLDA"}, "transformers alone"


# ---------------------------------------------------------------------- learners that break a promise


class Counting(sl.Learner):
    """Scores each label by its share among the rows, half-way to what ``rate`` says."""

    tunables = (Tunable("rate", 0.0, 1.0),)
    storage = Storage(Array("counts", ("labels",)), Number("n_rows", int, low=0))

    def __init__(self, rate: float = 0.5):
        self.rate = rate
        self._start()

    def _predict(self, X, missing):
        scores = np.tile((self._counts / max(self._n_rows, 1) + self.rate) / 2, (len(X), 1))
        return scores, (scores > 0.5).astype(np.uint8)

    def _learn(self, X, Y, missing):
        self._counts += Y.sum(axis=0)
        self._n_rows += len(Y)


class TooHigh(Counting):
    def _predict(self, X, missing):
        scores, labels = super()._predict(X, missing)
        return scores + 1.0, labels


class Rounded(Counting):
    """Its mean of shares is above 1 by what rounding adds, as MLHAT's is in places."""

    def _predict(self, X, missing):
        scores, labels = super()._predict(X, missing)
        return np.where(scores > 0.5, np.nextafter(1.0, 2.0), -1e-17), labels


class Unclipped(Rounded):
    def predict_proba_many(self, X):
        return self._framed(X, self.answer_many(X)[0], np.float64)


class Asked(Counting):
    def _predict(self, X, missing):
        self._n_rows += len(X)
        return super()._predict(X, missing)


class Drawing(Counting):
    def _learn(self, X, Y, missing):
        super()._learn(X, Y, missing)
        self._counts += np.random.default_rng().random() / 1000


class ByChunk(Counting):
    def _learn(self, X, Y, missing):
        self._counts += Y.max(axis=0, initial=0)
        self._n_rows += 1


class Forgetful(Counting):
    storage = Storage(Array("counts", ("labels",), saved=False), Counting.storage.entries[1])


class Sharing(Counting):
    def __deepcopy__(self, memo):
        twin = super().__deepcopy__(memo)
        twin._counts = self._counts
        return twin


class Spoiled(Counting):
    def _learn(self, X, Y, missing):
        super()._learn(X, Y, missing)
        self._counts += X[:, 0].sum() * 1e-6


class Deaf(Counting):
    def _learn(self, X, Y, missing):
        super()._learn(X, Y, missing)
        self._counts += self.first * 1e-3

    def _reset(self):
        super()._reset()
        self.first = self.rate


class Chatty(Counting):
    """Says the same again and again."""

    def take_events(self):
        return [{"kind": "odd", "message": "something"}]


class Keeping(Counting):
    def learn_many(self, X, y):
        self._n_rows += 1
        super().learn_many(X, y)


def test_a_simple_learner_keeps_all_promises():
    check_learner(Counting)
    check_learner(Rounded)


def test_no_probability_is_outside_its_range_by_rounding():
    stream = sl.load("segments")
    model, chunks = sl.MLHAT(seed=1).bind(stream.schema), list(stream.chunks(100, stop=1500))
    raw = max(model.test_then_train(chunk.X, chunk.Y)[0].max() for chunk in chunks)
    assert raw > 1
    told = [model.predict_proba_many(chunk.X) for chunk in chunks]
    assert max(each.max() for each in told) == 1
    asked = [model.predict_proba_one(x) for x, _ in itertools.islice(iter(stream), 300)]
    assert all(0 <= p <= 1 for said in asked for pair in said.values() for p in pair.values())


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (TooHigh, r"scores in \[0, 1\] and labels of 0 and 1: a score is 1\.\d+; expected a number in \[0, 1\]"),
        (Unclipped, r"scores in \[0, 1\] and labels of 0 and 1: predict_proba_many is outside \[0, 1\]"),
        (Asked, "asking changes nothing: after it was asked, n_rows: expected the same, to the bit"),
        (Drawing, "the same seed, the same answers: made and taught alike"),
        (ByChunk, "row by row as in chunks: learned with learn_one, and in one chunk"),
        (Forgetful, "states and files: one from a state, scores: expected the same"),
        (Sharing, "copies are independent: one whose copy has learned"),
        (Spoiled, "missing values: a score is NaN or infinite"),
        (Deaf, r"tuned before the first row as made so: rate tuned to 0\.0 before the first row, and made with it"),
        (Chatty, "events: it reports 'odd', which is none of the kinds in its events"),
        (Keeping, "bad input changes nothing: the state after bad rows"),
    ],
)
def test_a_broken_promise_is_refused(kind, said):
    with pytest.raises(AssertionError, match=rf"{kind.__name__} breaks \d+ of its promises:\n(- .*\n)*- {said}"):
        check_learner(kind)


def test_what_breaks_many_promises_is_said_once_and_a_docstring_is_asked_for():
    class Wide(Counting):
        def _predict(self, X, missing):
            return tuple(np.hstack([each, each]) for each in super()._predict(X, missing))

    with pytest.raises(AssertionError, match=r"Wide breaks \d\d of its promises") as caught:
        check_learner(Wide)
    text = str(caught.value)
    assert len(text.splitlines()) < 12
    assert re.search(r"\(120, 6\); expected \(120, 3\), a column per label \(and \d\d more so: asking .*\)\n", text)
    assert "- check_doc: the class has no docstring; expected one\n" in text


def test_a_promise_may_be_broken_knowingly_but_not_in_vain():
    check_learner(Chatty, except_for={"events": "it always says the same"})
    with pytest.raises(AssertionError, match="- events: kept; expected it to be broken, as except_for says"):
        check_learner(Counting, except_for={"events": "it has none"})


def test_what_is_no_learner_is_refused():
    with pytest.raises(ValueError, match="make returned a StandardScaler; expected a streamlab Learner"):
        check_learner(sl.StandardScaler)
