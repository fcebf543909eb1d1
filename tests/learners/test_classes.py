"""Streams of classes: each row has exactly one, and that is what learners answer, and River's models learn."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from river import (
    anomaly,
    base,
    cluster,
    datasets,
    evaluate,
    forest,
    linear_model,
    metrics,
    naive_bayes,
    preprocessing,
    tree,
)  # fmt: skip
from river.datasets import synth
from sklearn.metrics import accuracy_score, cohen_kappa_score

import streamlab as sl
from streamlab.learners import LEARNERS
from streamlab.learners.base.intake import chosen
from streamlab.streams.readers.river import RiverStream
from streamlab.views.kit.picture import Budget, Subject
from streamlab.views.pictures import PICTURES
from tests.fuzz.learners import made

LOGISTIC = lambda: preprocessing.StandardScaler() | linear_model.LogisticRegression()  # noqa: E731
NAMES = [name for name in LEARNERS.names() if issubclass(LEARNERS.load(name), sl.Learner)]


def segments(n=None):
    return sl.load(datasets.ImageSegments(), n_rows=n)


@pytest.mark.parametrize(
    ("source", "options", "classes"),
    [
        (datasets.Phishing(), {}, (False, True)),
        (synth.LED(seed=1), {}, tuple(range(10))),
        (([[0.0]] * 3, ["b", "a", "b"]), {}, ("a", "b")),
        (([[0.0]] * 3, np.array([7, 3, 7])), {}, (3, 7)),
        (([[0.0]] * 2, [0, 1]), {}, None),
        (([[0.0]] * 2, [0, 1]), {"classes": True}, (0, 1)),
        (([[0.0]] * 2, np.array([True, False])), {"classes": True}, (False, True)),
        ((pd.DataFrame({"x": [1.0, 2.0, 3.0]}), ["7", "3", "7"]), {}, ("3", "7")),
        (pd.DataFrame({"x": [0.5, 1.5, 2.5], "y": ["u", "v", "w"]}), {"labels": "y"}, ("u", "v", "w")),
        (pd.DataFrame({"x": [0.5, 1.5, 2.5], "y": [1, 2, 3]}), {"labels": "y"}, (1, 2, 3)),
        (pd.DataFrame({"x": [0.5, 1.5, 2.5], "y": ["u;v", "v", "w"]}), {"labels": "y"}, None),
        ("yeast", {}, None),
        ("segments", {}, None),
    ],
    ids=range(13),
)
def test_the_source_says_whether_there_are_classes(source, options, classes):
    schema = sl.load(source, **options).schema
    assert schema.classes == classes
    assert sl.Schema.from_json(schema.to_json()).difference(schema) is None
    if classes is not None:
        assert [type(each) for each in schema.classes] == [type(each) for each in classes]


@pytest.mark.parametrize("classes", [("a",), ("a", "a"), ("a", 1.5)])
def test_classes_that_do_not_fit_the_labels_are_refused(classes):
    with pytest.raises(ValueError, match="class"):
        replace(sl.Schema.anonymous(1, 2), classes=classes)


def test_equal_scores_go_to_the_class_learned_more_often():
    scores = np.array([[0.2, 0.5, 0.5], [0.0, 0.0, 0.0], [0.1, 0.0, 0.3]])
    assert chosen(scores, np.array([1, 2, 3])).argmax(axis=1).tolist() == [2, 2, 2]
    assert chosen(scores, np.array([5, 2, 2])).argmax(axis=1).tolist() == [1, 0, 2]
    assert not chosen(scores, np.zeros(3, np.int64)).any()
    # row by row: what comes first is known to the second
    Y = np.array([[0, 0, 1], [0, 0, 1], [1, 0, 0]], np.uint8)
    assert chosen(scores, np.zeros(3, np.int64), Y).tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 1]]


@pytest.mark.parametrize("name", NAMES)
def test_every_learner_answers_exactly_one_class(name):
    stream, X, Z = segments(200), [], []
    model = made(name).bind(stream.schema)
    for chunk in stream.chunks(50):
        X.append(chunk.X)
        Z.append(model.test_then_train(chunk.X, chunk.Y)[1])
    after = model.answer_many(X[0])[1]
    assert set(np.concatenate([*Z[1:], after]).sum(axis=1).tolist()) == {1}
    assert not Z[0][0].any() or name == "OnePerLabel"
    row = dict(zip(stream.schema.feature_names, X[0][0].tolist(), strict=True))
    assert list(model.predict_one(row).values()) == after[0].astype(bool).tolist()


def test_a_decision_for_label_sets_has_no_say_and_a_state_goes_on():
    stream = segments(300)
    models = [sl.OnlineLogistic(decision=rule).bind(stream.schema) for rule in ("half", "cardinality", 0.99)]
    for chunk in stream.chunks(100):
        answers = [model.test_then_train(chunk.X, chunk.Y)[1] for model in models]
        assert all(np.array_equal(answers[0], other) for other in answers)
    again = sl.OnlineLogistic.from_state(models[0].state())
    assert again.schema.classes == stream.schema.classes
    assert np.array_equal(again.answer_many(chunk.X)[1], models[0].answer_many(chunk.X)[1])
    # twins whose scores are equal to the bit: the counts decide
    assert again.state()["class_counts"].tolist() == models[0].state()["class_counts"].tolist()
    assert sum(again.state()["class_counts"]) == 300


def test_two_classes_in_one_row_are_refused_and_nothing_is_learned():
    model = sl.NoChange().bind(segments(50).schema)
    with pytest.raises(ValueError, match=r"row 1 has 2 classes.*'brickface', 'cement'"):
        model.learn_many(np.zeros((2, 18)), np.array([[1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0]]))
    with pytest.raises(ValueError, match="several classes"):
        model.learn_one({}, {"sky": True, "path": True})
    assert not model.state()["class_counts"].any()
    with pytest.raises(ValueError, match="no class without 'sky'"):
        sl.vanish_label(segments(50), "sky", at=10)


MODELS = {
    "NB": naive_bayes.GaussianNB,
    "HAT": lambda: tree.HoeffdingAdaptiveTreeClassifier(grace_period=50, seed=1),
    "ARF": lambda: forest.ARFClassifier(n_models=3, seed=1),
}
CASES = [(datasets.ImageSegments, name) for name in MODELS] + [(datasets.Phishing, name) for name in (*MODELS, "LR")]


@pytest.mark.costly
@pytest.mark.parametrize(("data", "name"), CASES, ids=str)
def test_accuracy_and_f1_are_those_of_rivers_own_loop(data, name):
    make = LOGISTIC if name == "LR" else MODELS[name]
    theirs = evaluate.progressive_val_score(data(), make(), metrics.Accuracy() + metrics.MacroF1())
    matrix = theirs[0].cm
    run = sl.Run(data(), {"it": make()}, chunk=100)
    run.advance()
    ours = run.learner_runs["it"]
    assert type(ours.learner) is sl.RiverClassifier
    counts = ours.tracker.counts()
    answered = counts.tp.sum() + counts.fp.sum()
    # River leaves rows without an answer out; here they are wrong
    assert answered == matrix.total_weight >= counts.n - 1
    assert counts.total("exact") / answered == pytest.approx(theirs[0].get(), abs=1e-12)
    support = [matrix.sum_row[each] for each in run.stream.schema.classes]
    lost = counts.tp + counts.fn - support
    f1 = 2 * counts.tp / (2 * counts.tp + counts.fp + counts.fn - lost)
    assert lost.sum() == counts.n - answered
    assert f1.mean() == pytest.approx(theirs[1].get(), abs=1e-12)


def test_the_model_learns_classes_as_the_source_has_them():
    seen = []

    class Heard(naive_bayes.GaussianNB):
        def learn_one(self, x, y):
            seen.append(y)
            super().learn_one(x, y)

    X = np.random.default_rng(0).random((4, 2))
    for y, options in (
        (["b", "a", "b", "a"], {}), ([30, 4, 30, 4], {}), ([True, False, True, True], {"classes": True})
    ):  # fmt: skip
        run = sl.Run(sl.load((X, y), **options), {"it": Heard()})
        run.advance()
        assert seen == y
        assert [type(each) for each in seen] == [type(each) for each in y]
        seen.clear()


def test_a_model_of_two_classes_is_one_for_each_where_there_are_more():
    with pytest.raises(ValueError, match=r"of two classes, and the stream has 5.*OneVsRestClassifier"):
        sl.RiverClassifier(linear_model.LogisticRegression()).bind(segments(10).schema)
    run = sl.Run(segments(100), {"LR": LOGISTIC(), "own": sl.OnePerLabel(naive_bayes.GaussianNB())})
    assert [type(each.learner).__name__ for each in run.learner_runs.values()] == ["OnePerLabel", "OnePerLabel"]
    run.join("NB", naive_bayes.GaussianNB())
    assert type(run.learner_runs["NB"].learner) is sl.RiverClassifier


def test_the_trained_model_of_a_run_comes_out_and_goes_into_another():
    alone = tree.HoeffdingAdaptiveTreeClassifier(grace_period=50, delta=0.01, tau=0.3, seed=1)
    run = sl.Run(segments(600), {"HAT": alone})
    run.advance(500)
    model = copy.deepcopy(run["HAT"].model)
    rows = list(datasets.ImageSegments().take(500))
    for x, y in rows:
        alone.learn_one(x, y)
    assert model.n_nodes == alone.n_nodes > 1
    other = sl.Run(segments(100), {"put": sl.RiverClassifier(model).of(model)})
    assert other["put"].model.n_nodes == alone.n_nodes
    right = 0
    for x, y in rows[:100]:
        right += alone.predict_one(x) == y
        alone.learn_one(x, y)
    other.advance()
    assert other.summary.accuracy["put"] == right / 100
    with pytest.raises(ValueError, match="no learner 'NB' in this run; there are: HAT"):
        run["NB"]
    labels = sl.Run("yeast", {"NB": naive_bayes.GaussianNB()})
    labels.advance(100)
    assert list(labels["NB"].models) == list(labels.stream.schema.labels)


class Alone:
    """A classifier of a user's own that derives from nothing of River's."""

    def learn_one(self, x, y):
        pass

    def predict_one(self, x):
        return "sky"


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        (linear_model.LinearRegression(), r"taken as OnePerLabel\(LinearRegression"),
        (cluster.KMeans(), "not served"),
        (anomaly.HalfSpaceTrees(), "not served"),
        (Alone(), "derive Alone from river.base.Classifier"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_is_no_classifier_of_rivers_is_told_what_to_do(model, advice):
    with pytest.raises(ValueError, match=rf"learners\['it'\].*expected a learner or a River classifier: .*{advice}"):
        sl.Run(segments(10), {"it": model})


class Elsewhere(base.Classifier):
    """Trained elsewhere: of four rows it answers one with a class that the stream does not have, one with none."""

    def __init__(self):
        self.n = 0

    @property
    def _multiclass(self):
        return True

    def learn_one(self, x, y):
        self.n += 1
        self.latest = y

    def predict_proba_one(self, x):
        return ({"k3": 0.7, "sky": 0.3}, {"sky": 0.6, "k3": 0.4}, {}, {"path": 1.0})[self.n % 4]


def test_an_answer_that_is_no_class_of_the_stream_is_wrong_and_named():
    right, model, answered = 0, Elsewhere(), 0
    for x, y in datasets.ImageSegments().take(400):
        answer = model.predict_one(x)
        right += answer == y
        answered += answer in ("sky", "path")
        model.learn_one(x, y)
    run = sl.Run(segments(400), {"S": Elsewhere()})
    run.advance(6)
    assert run.learner_runs["S"].last_scores.max() == 0.6
    run.advance()
    assert run.summary.accuracy["S"] == right / 400
    (event,) = [event for event in run.log if event.kind == "strange_answer"]
    assert event.position == 0
    assert "'k3'" in event.message
    assert run.confusion("S").to_numpy().sum() == answered
    assert run.confusion("S").attrs["strange_answers"] == ["k3"]


def test_the_accuracy_of_answered_rows_stands_beside_that_of_all():
    run = sl.Run(sl.delay_labels(segments(600), 100), {"NB": naive_bayes.GaussianNB()})
    run.advance()
    summary, table = run.summary.loc["NB"], run.confusion("NB")
    assert summary["answered"] == table.attrs["answered"] == table.to_numpy().sum() / 600 < 0.9
    right = np.trace(table)
    assert summary["accuracy_of_answered"] == table.attrs["accuracy_of_answered"] == right / table.to_numpy().sum()
    assert summary["accuracy"] == table.attrs["accuracy"] == right / 600
    told = PICTURES.load("confusion")()
    story = told.columns(Subject("NB", run["NB"], run), 0, Budget()).story
    assert story["right"] == pytest.approx(summary["accuracy_of_answered"])
    assert "right, of answered rows" in told.details("NB", story, run.stream.schema)
    assert "answered" not in sl.prequential("yeast", sl.NoChange(), n=100).summary
    shown = sl.prequential(sl.delay_labels(segments(300), 100), sl.MajorityLabels())._repr_html_()
    assert "accuracy_of_answered" in shown


class OfVocabulary(base.Classifier):
    """Repeats the last class among those that it knows, and else the first of them."""

    def __init__(self, known):
        self.known, self.latest = known, known[0]

    @property
    def _multiclass(self):
        return True

    def learn_one(self, x, y):
        self.latest = y if y in self.known else self.known[0]

    def predict_one(self, x):
        return self.latest

    def predict_proba_one(self, x):
        return {each: 0.9 if each == self.latest else 0.1 / len(self.known) for each in self.known}


class Sequence(list):
    """A data set of River's."""


@pytest.mark.parametrize("seed", range(60))
def test_a_vocabulary_of_its_own_has_the_accuracy_and_kappa_of_scikit_learn(seed):
    rng = np.random.default_rng([71, seed])
    n, names = int(rng.integers(2, 80)), [f"k{j}" for j in range(6)]
    of_stream = rng.choice(names, rng.integers(2, 6), replace=False).tolist()
    known = rng.choice(names, rng.integers(1, 6), replace=False).tolist()
    classes = [*of_stream, *rng.choice(of_stream, n).tolist()]
    model, answers = OfVocabulary(known), []
    for y in classes:
        answers.append(model.predict_one({}))
        model.learn_one({}, y)
    run = sl.Run(RiverStream(Sequence(({"x": 1.0}, y) for y in classes)), {"it": OfVocabulary(known)}, chunk=1)
    run.advance()
    summary = run.summary.loc["it"]
    assert summary["accuracy"] == pytest.approx(accuracy_score(classes, answers), abs=1e-12)
    assert summary["kappa"] == pytest.approx(cohen_kappa_score(classes, answers), abs=1e-12, nan_ok=True)
    events = [event for event in run.log if event.kind == "strange_answer"]
    strange = list(dict.fromkeys(each for each in answers if each not in classes))
    assert len(events) == len(strange)
    assert run.confusion("it").attrs.get("strange_answers", []) == strange
