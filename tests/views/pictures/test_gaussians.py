"""The picture of naive Bayes without a browser: what is drawn is River's own, and what travels."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from river import datasets, naive_bayes, preprocessing

import streamlab as sl
from streamlab.views.kit.picture import Budget
from streamlab.views.pictures.gaussians import GaussiansPicture
from streamlab.views.pictures.gaussians.picture import MOST_CLASSES, MOST_STEPS, MOST_STRIPS, between_share
from tests.views import wire

MODELS = {
    "alone": naive_bayes.GaussianNB,
    "behind a scaler": lambda: preprocessing.StandardScaler() | naive_bayes.GaussianNB(),
}


def ran(model: object, *, rows: int = 700, mark: int = 400, stream: object = "image-segments") -> sl.Run:
    run = sl.Run(stream, {"it": model}, chunk=100, alarms=None)
    run.advance(mark)
    run.mark()
    run.advance(rows - mark)
    return run


@pytest.fixture(scope="module")
def run() -> sl.Run:
    return ran(naive_bayes.GaussianNB())


drawn_of = partial(wire.drawn_of, GaussiansPicture())
sent = partial(wire.sent, GaussiansPicture())


@pytest.mark.parametrize("name", MODELS)
def test_what_the_values_add_is_rivers_own_answer(name):
    run = ran(MODELS[name]())
    learner, classes = run.learner_runs["it"].learner, run.stream.schema.classes
    names = [feature.name for feature in run.stream.schema.features]
    for x, _ in datasets.ImageSegments().take(40):
        known = learner.class_gaussians(x)
        totals = known["priors"] + known["adds"].sum(axis=0)
        shares = np.exp(totals - totals.max())
        theirs = learner.model.predict_proba_one(x)
        np.testing.assert_allclose(shares / shares.sum(), [theirs[each] for each in classes], rtol=0, atol=1e-9)
        if name == "alone":
            likelihoods = learner.model.joint_log_likelihood(x)
            np.testing.assert_allclose(totals, [likelihoods[each] for each in classes], rtol=0, atol=1e-9)
            np.testing.assert_array_equal(
                learner.class_gaussians(np.array([x[each] for each in names]))["adds"], known["adds"]
            )


@pytest.mark.costly
@pytest.mark.parametrize("name", MODELS)
def test_curves_are_rivers_gaussians_now_and_at_the_mark(name):
    run, earlier = ran(MODELS[name]()), ran(MODELS[name](), rows=400)
    header, columns = sent(run, drawn_of(run))
    assert header["marked"] == {"row": 400, "number": 0}
    assert (header["noun"], header["more"], header["hidden"]) == ("class", 0, 10)
    for each, suffix in ((run, ""), (earlier, "_before")):
        model = each.learner_runs["it"].learner.model
        gaussians = model.gaussians if name == "alone" else model["GaussianNB"].gaussians
        for row, label in enumerate(run.stream.schema.classes):
            own = [gaussians[label][header["names"][place]] for place in columns["strip"]]
            at = slice(row * MOST_STRIPS, (row + 1) * MOST_STRIPS)
            np.testing.assert_allclose(columns[f"mean{suffix}"][at], [g.mu for g in own], rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(columns[f"deviation{suffix}"][at], [g.sigma for g in own], rtol=1e-6, atol=1e-6)
            assert len(set(columns["mean"][at])) == MOST_STRIPS
    assert columns["count"].sum() == 700
    np.testing.assert_allclose(columns["share"], columns["count"] / 700, rtol=1e-6)


def test_the_steps_of_the_latest_row_add_up_against_each_class(run):
    header, columns = sent(run, drawn_of(run))
    learner, classes = run.learner_runs["it"].learner, run.stream.schema.classes
    row = dict(zip([f.name for f in run.stream.schema.features], run.last[0].tolist(), strict=True))
    likelihoods = learner.model.joint_log_likelihood(row)
    best = max(likelihoods, key=likelihoods.__getitem__)
    assert [classes[i] for i in np.flatnonzero(columns["answered"])] == [best]
    np.testing.assert_array_equal(np.flatnonzero(columns["carried"]), np.flatnonzero(run.last[1]))
    steps = columns["adds"].reshape(-1, MOST_STEPS)
    above = [likelihoods[best] - likelihoods[each] for each in classes]
    np.testing.assert_allclose(columns["total"], above, rtol=1e-6, atol=1e-5)
    np.testing.assert_allclose(columns["prior"] + steps.sum(axis=1) + columns["others"], above, rtol=1e-5, atol=1e-4)
    theirs = learner.model.predict_proba_one(row)
    np.testing.assert_allclose(columns["score"], [theirs[each] for each in classes], atol=1e-6)
    assert (np.abs(steps[:, :-1]) >= np.abs(steps[:, 1:])).all()
    rival = classes.index("sky") if best != "sky" else classes.index("grass")
    for term, value, adds in zip(
        columns["step_term"].reshape(-1, MOST_STEPS)[rival],
        columns["step_value"].reshape(-1, MOST_STEPS)[rival], steps[rival], strict=True,
    ):  # fmt: skip
        name = header["names"][term]
        assert value == pytest.approx(row[name], rel=1e-6)
        one = learner.model.joint_log_likelihood({name: row[name]})
        none = learner.model.joint_log_likelihood({})
        own = (one[best] - none[best]) - (one[classes[rival]] - none[classes[rival]])
        assert adds == pytest.approx(own, abs=1e-5)


def test_features_are_drawn_by_the_share_of_their_variance_between_the_classes(run):
    header, columns = sent(run, drawn_of(run))
    chunk = next(sl.load("image-segments").chunks(700))
    X, Y = np.asarray(chunk.X), np.asarray(chunk.Y)
    whole = X.var(axis=0)
    within = sum(Y[:, label].mean() * X[Y[:, label] == 1].var(axis=0) for label in range(Y.shape[1]))
    share = 1 - within / whole
    names = [feature.name for feature in run.stream.schema.features]
    shown = [names.index(header["names"][place]) for place in columns["strip"]]
    np.testing.assert_allclose(columns["between"], share[shown], atol=1e-5)
    assert shown[0] == np.argmax(share)
    # the colours of a pixel place the classes alike: one of them is drawn
    alike = {"intensity-mean", "rawred-mean", "rawblue-mean", "rawgreen-mean", "value-mean"}
    assert len(alike & {names[j] for j in shown}) == 1
    rows, means = np.array([[5.0, 5.0], [4.0, 0.0], [3.0, 3.0]]), np.array([[0.0, 2.0], [7.0, np.nan], [1.0, 1.0]])
    deviations = np.array([[1.0, 1.0], [0.0, np.nan], [2.0, 2.0]])
    assert between_share(rows, means, deviations).tolist() == [0.5, 0.0, 0.0]


def test_many_classes_and_features_stay_within_the_budget_and_the_likeliest_are_drawn():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 40, 400)
    X = rng.normal(size=(400, 60)) + rng.normal(size=(40, 60))[y]
    run = ran(naive_bayes.GaussianNB(), rows=400, stream=sl.load((X, [f"c{i}" for i in y])))
    header, columns = sent(run, drawn_of(run))
    learner = run.learner_runs["it"].learner
    scores = learner.predict_proba_many(run.last[0][None])[0]
    assert len(columns["id"]) == MOST_CLASSES
    assert header["more"] == 30
    assert header["hidden"] == 60 - MOST_STRIPS
    likeliest = set(np.argsort(-scores)[: MOST_CLASSES - 1].tolist())
    assert likeliest <= set(columns["id"].tolist())
    assert set(np.flatnonzero(run.last[1])) <= set(columns["id"].tolist())
    left = next(i for i in range(40) if i not in set(columns["id"].tolist()))
    _, chosen = sent(run, drawn_of(run, left))
    assert left in chosen["id"]
    few, _ = sent(run, drawn_of(run, budget=Budget(bytes=4_500)))
    assert len(few["buffer"]) + sum(map(len, few["names"])) < 4_500
    assert few["more"] > 30


def test_what_is_no_gaussian_or_has_no_class_is_not_drawn_so():
    for model, stream, picture in (
        (naive_bayes.MultinomialNB(), "image-segments", "weights"),
        (sl.RiverClassifier(naive_bayes.GaussianNB()), "yeast", "text"),
    ):
        run = sl.Run(stream, {"it": model}, chunk=50, alarms=None)
        assert run.learner_runs["it"].learner.picture == picture
