"""The picture of weights without a browser: what is drawn of ours and of River's linear models, and what travels."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from river import datasets, linear_model, multiclass, naive_bayes, preprocessing
from scipy.sparse import csr_array

import streamlab as sl
from streamlab.schema import Feature, Schema
from streamlab.streams import ArrayStream
from streamlab.views.kit.picture import Budget, fitting
from streamlab.views.pictures.weights import WeightsPicture
from streamlab.views.pictures.weights.picture import MOST_BARS, MOST_STEPS
from tests.views import wire

LEARNERS = {
    "ours": sl.OnlineLogistic,
    "logistic": lambda: sl.OnePerLabel(preprocessing.StandardScaler() | linear_model.LogisticRegression()),
    "softmax": lambda: sl.OnePerLabel(linear_model.SoftmaxRegression()),
    "passive-aggressive": lambda: sl.OnePerLabel(linear_model.PAClassifier()),
}


def ran(learner: sl.Learner, rows: int = 1300) -> sl.Run:
    run = sl.Run("yeast-rotated", {"it": learner}, chunk=100, alarms=None)
    run.advance(rows)
    return run


@pytest.fixture(scope="module")
def run() -> sl.Run:
    return ran(sl.OnlineLogistic())


drawn_of = partial(wire.drawn_of, WeightsPicture())
sent = partial(wire.sent, WeightsPicture())


@pytest.mark.parametrize("model", [naive_bayes.MultinomialNB, naive_bayes.ComplementNB, naive_bayes.BernoulliNB])
def test_a_naive_bayes_that_counts_is_a_sum_of_weights_which_is_rivers_own(model):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 400)
    X = rng.poisson(0.4 + 1.5 * (np.arange(12) % 3 == y[:, None])).astype(float)
    looked, alone = (sl.Run(sl.load((X, [f"c{i}" for i in y])), {"it": model()}, alarms=None) for _ in range(2))
    for at in range(100, 401, 100):
        for run in (looked, alone):
            run.advance(100)
        learner, classes = looked.learner_runs["it"].learner, looked.stream.schema.classes
        assert learner.picture == "weights"
        terms = learner.linear_terms()
        totals = terms["intercepts"] + learner.row_terms(looked.last[0]) @ terms["weights"]
        row = dict(zip([each.name for each in looked.stream.schema.features], looked.last[0].tolist(), strict=True))
        theirs = learner.model.joint_log_likelihood(row)
        likelihoods = np.array([theirs[each] for each in classes])
        np.testing.assert_allclose(totals, likelihoods - likelihoods.mean(), rtol=0, atol=1e-9)
        np.testing.assert_allclose(drawn_of(looked).columns["total"], totals, rtol=0, atol=1e-9)
        if at == 200:
            looked.mark()
    assert (terms["before"] != terms["weights"]).any()
    chunk = next(looked.stream.chunks(400))
    seen, unseen = (run.learner_runs["it"].learner for run in (looked, alone))
    np.testing.assert_array_equal(seen.predict_proba_many(chunk.X), unseen.predict_proba_many(chunk.X))
    assert vars(seen.model) == vars(unseen.model)
    # the three groups of features speak for their classes
    assert (np.argmax(terms["weights"], axis=1) == [classes.index(f"c{i % 3}") for i in range(12)]).all()


def test_of_one_label_it_is_how_likely_it_is_against_the_rest_as_a_logarithm():
    run = sl.Run("yeast", {"it": sl.OnePerLabel(naive_bayes.MultinomialNB())}, chunk=50, alarms=None)
    X = np.abs(next(run.stream.chunks(100)).X)
    learner = sl.OnePerLabel(naive_bayes.MultinomialNB()).bind(run.stream.schema)
    learner.test_then_train(X, next(run.stream.chunks(100)).Y)
    terms = learner.linear_terms()
    totals = terms["intercepts"] + learner.row_terms(X[-1]) @ terms["weights"]
    row = dict(zip([each.name for each in run.stream.schema.features], X[-1].tolist(), strict=True))
    theirs = [model.joint_log_likelihood(row) for model in learner._models]
    both = [label for label, each in enumerate(theirs) if len(each) == 2]
    assert len(both) > 5
    np.testing.assert_allclose(totals[both], [theirs[i][True] - theirs[i][False] for i in both], rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", LEARNERS)
def test_the_steps_of_the_latest_row_add_up_to_the_learners_own_score(name):
    run = ran(LEARNERS[name](), 150)
    learner = run.learner_runs["it"].learner
    _, columns = sent(run, drawn_of(run))
    steps = columns["adds"].reshape(-1, MOST_STEPS)
    total = columns["intercept"] + steps.sum(axis=1) + columns["others"]
    np.testing.assert_allclose(total, columns["total"], atol=1e-5)
    scores = learner.predict_proba_many(run.last[0][None])[0]
    # River's softmax gives a label that was in no row 0, whatever its sum is
    said = scores > 0
    assert said.sum() >= 13
    np.testing.assert_allclose(1 / (1 + np.exp(-columns["total"][said])), scores[said], atol=1e-6)
    np.testing.assert_allclose(columns["score"], scores, atol=1e-6)
    assert set(np.flatnonzero(columns["carried"])) == set(np.flatnonzero(run.last[1]))
    assert fitting(WeightsPicture(), run) == ["it"]


CLASS_MODELS = {
    "softmax": ("image-segments", lambda: preprocessing.StandardScaler() | linear_model.SoftmaxRegression()),
    "one against the rest": (
        "image-segments",
        lambda: preprocessing.StandardScaler() | multiclass.OneVsRestClassifier(linear_model.LogisticRegression()),
    ),
    "logistic": (datasets.Phishing(), linear_model.LogisticRegression),
}


@pytest.mark.costly
@pytest.mark.parametrize("name", CLASS_MODELS)
def test_rivers_linear_models_of_classes_stand_on_their_own_weights(name):
    stream, make = CLASS_MODELS[name]
    run = sl.Run(sl.load(stream), {"it": make()}, chunk=100, alarms=None)
    run.advance(400)
    run.mark()
    run.advance(300)
    assert fitting(WeightsPicture(), run) == ["it"]
    header, columns = sent(run, drawn_of(run))
    learner, classes = run.learner_runs["it"].learner, run.stream.schema.classes
    # what River multiplies: the row behind the scaler, and the weights of the class
    row = dict(zip([f.name for f in run.stream.schema.features], run.last[0].tolist(), strict=True))
    model = learner.model
    if name != "logistic":
        scaler, model = model.steps.values()
        row = scaler.transform_one(row)
    for place, each in enumerate(classes):
        if name == "softmax":
            weights, intercept, sign = model.weights[each], 0.0, 1
        else:
            of_class = model if name == "logistic" else model.classifiers[each]
            weights, intercept, sign = of_class.weights, of_class.intercept, -1 if place == 0 == 2 - len(classes) else 1
        total = sign * (intercept + sum(weights.get(feature, 0.0) * value for feature, value in row.items()))
        assert columns["total"][place] == pytest.approx(total, abs=1e-5)
    scores = learner.predict_proba_many(run.last[0][None])[0]
    sums = columns["total"].astype(float)
    if name == "softmax":
        np.testing.assert_allclose(np.exp(sums) / np.exp(sums).sum(), scores, atol=1e-5)
    else:
        odds = 1 / (1 + np.exp(-sums))
        np.testing.assert_allclose(odds / odds.sum(), scores, atol=1e-5)
    # of classes that of the highest score is answered: no threshold decides
    assert (header["noun"], header["best"]) == ("class", "the highest score")
    assert np.isnan(columns["threshold"]).all()
    assert columns["answered"].tolist() == (sums == sums.max()).tolist()
    assert header["marked"] == {"row": 400, "number": 0}
    earlier = sl.Run(stream, {"it": make()}, chunk=100, alarms=None)
    earlier.advance(400)
    then = earlier.learner_runs["it"].learner.linear_terms()["weights"]
    term, label = header["names"][columns["moved_term"][0]], columns["moved_label"][0]
    place = [learner.term_name(j) for j in range(len(then))].index(term)
    assert columns["moved_from"][0] == pytest.approx(then[place, label], abs=1e-6)


def test_bars_and_heat_are_the_learners_weights_by_name(run):
    learner = run.learner_runs["it"].learner
    header, columns = sent(run, drawn_of(run))
    names = {learner.term_name(term): term for term in range(len(learner.weights_))}
    shown = [names[header["names"][place]] for place in header["columns"]]
    assert shown == sorted(shown)
    assert header["hidden"] == 103 - len(shown)
    np.testing.assert_allclose(columns["heat"].reshape(14, -1), learner.weights_[shown].T, atol=1e-6)
    nodes = learner.nodes()
    bars = columns["bar"].reshape(14, MOST_BARS)
    for label in range(14):
        of_label = nodes[nodes.label == run.stream.schema.labels[label]].head(MOST_BARS)
        np.testing.assert_allclose(bars[label], of_label.weight, atol=1e-6)
        places = columns["bar_term"].reshape(14, -1)[label]
        assert [header["names"][place] for place in places] == of_label.feature.tolist()


def test_what_moved_most_is_told_since_the_drift(run):
    header, columns = sent(run, drawn_of(run))
    assert header["marked"] == {"row": 1200, "number": 1}
    before = ran(sl.OnlineLogistic(), 1200).learner_runs["it"].learner.weights_
    now = run.learner_runs["it"].learner.weights_
    begun = ran(sl.OnlineLogistic(), 1200).learner_runs["it"].learner.intercepts_
    np.testing.assert_allclose(columns["intercept_before"], begun, atol=1e-6)
    assert not np.allclose(columns["intercept"], begun, atol=0.05)
    largest = np.sort(np.abs(now - before).ravel())[::-1][: len(columns["moved_to"])]
    np.testing.assert_allclose(np.abs(columns["moved_to"] - columns["moved_from"]), largest, atol=1e-5)
    learner = run.learner_runs["it"].learner
    place = columns["moved_label"][0], header["names"][columns["moved_term"][0]]
    term = next(t for t in range(len(now)) if learner.term_name(t) == place[1])
    assert columns["moved_to"][0] == pytest.approx(now[term, place[0]], abs=1e-6)
    assert columns["moved_from"][0] == pytest.approx(before[term, place[0]], abs=1e-6)
    text = WeightsPicture().details("it", drawn_of(run, int(place[0])).story, run.stream.schema)
    assert f"moved since row 1,200</dt><dd>{place[1]} (" in text


def test_a_mark_stays_in_a_state_and_with_labels_and_features_that_come_later():
    model = sl.OnlineLogistic()
    for i in range(40):
        model.learn_one({"a": i % 2, "b": 1.0 + i % 3}, {"l": bool(i % 2)})
    model.mark()
    noted = model.weights_[:, 0]
    for i in range(40):
        model.learn_one({"a": i % 2, "b": 1.0, "c": i % 5}, {"l": not i % 2, "m": bool(i % 5)})
    restored = sl.OnlineLogistic.from_state(model.state())
    for each in (model, restored):
        terms = each.linear_terms()
        np.testing.assert_allclose(terms["before"][:2, 0], noted, atol=1e-6)
        assert terms["before"][2].tolist() == [0.0, 0.0]
        assert (terms["marked"], terms["learned"]) == (40, 80)
    state = model.state()
    del state["marked_at"]
    with pytest.raises(ValueError, match="marked_weights is of a mark; expected"):
        sl.OnlineLogistic.from_state(state)


def test_many_labels_stay_within_the_budget_and_sparse_rows_and_categories_are_read():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (120, 40)) * (rng.random((120, 40)) > 0.8)
    Y = (rng.random((120, 300)) < 0.05).astype(np.uint8)
    schema = Schema(
        tuple(Feature(f"f{j}", ("no", "one", "two")) for j in range(40)), tuple(f"l{j}" for j in range(300))
    )
    for rows in (X.astype(np.float64), csr_array(X.astype(np.float64))):
        run = sl.Run(ArrayStream(rows, Y, schema=schema), {"it": sl.OnlineLogistic()}, chunk=40, alarms=None)
        run.advance(120)
        few = drawn_of(run, budget=Budget(bytes=20_000))
        header, columns = sent(run, few)
        assert len(header["buffer"]) + sum(map(len, header["names"])) < 20_000
        assert header["more"] == 300 - len(columns["id"]) > 0
        assert set(np.flatnonzero(run.last[1])) <= set(columns["id"].tolist())
        assert {name.partition(" = ")[2] for name in header["names"]} == {"one", "two"}


def test_rows_without_a_value_are_drawn():
    Y = np.tile(np.array([[1, 0]], np.uint8), (60, 1))
    run = sl.Run(
        ArrayStream(np.full((60, 2), np.nan), Y),
        {"it": sl.OnePerLabel(linear_model.LogisticRegression())}, chunk=20, alarms=None,
    )  # fmt: skip
    run.advance(40)
    assert run.learner_runs["it"].learner.linear_terms()["weights"].shape == (0, 2)
    _, columns = sent(run, drawn_of(run))
    np.testing.assert_allclose(columns["total"], columns["intercept"])
