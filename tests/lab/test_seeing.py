"""A loop of one's own is drawn: its answers, its models as they were, its rows; and it is not disturbed."""

from __future__ import annotations

import itertools
import re
import threading
import time

import numpy as np
import pandas as pd
import pytest
from river import compose, datasets, feature_extraction, forest, linear_model, metrics, naive_bayes, tree
from river.datasets import synth

import streamlab as sl
from streamlab.lab import seeing
from streamlab.learners import RiverClassifier
from streamlab.views.page.tables import read_latest


@pytest.fixture(autouse=True)
def shown(monkeypatch):
    """What is shown, in place of a page."""
    found = []
    monkeypatch.setattr("streamlab.views.page.pages.see_run", lambda run, **options: found.append((run, options)))
    monkeypatch.setattr(seeing, "SPACING_SECONDS", 0.0)
    monkeypatch.setattr(seeing, "SHARE", 1e9)
    return found


def rows(n):
    return synth.Agrawal(seed=42).take(n)


def looped(model, n=2030, name=None, **options):
    """A loop as River's users write it; returns what sees it and the loop's own accuracy."""
    seen, score = sl.see(model if name is None else {name: model}, **options), metrics.Accuracy()
    for x, y in rows(n):
        answer = model.predict_one(x)
        score.update(y, answer)
        model.learn_one(x, y)
        seen.row(x, y, answer)
    return seen, score.get()


def finish(run):
    while run.advance():
        pass


def test_curves_events_and_nodes_are_those_of_the_loop(shown):
    model = tree.HoeffdingAdaptiveTreeClassifier(grace_period=50, seed=1)
    alone = model.clone()
    seen, accuracy = looped(model, name="it", chunk=50)
    ((run, options),) = shown
    assert seen.run is run
    assert options["aside"]
    assert list(run.learner_runs) == ["it", "no change", "majority"]
    seen.close()
    finish(run)
    assert run.position == 2030
    # the same model in a run of ours answers, splits and stands as in the loop
    ours = sl.Run(sl.load(synth.Agrawal(seed=42), n_rows=2030), {"it": alone}, chunk=50)
    finish(ours)
    right = np.trace(run.confusion("it").to_numpy()[:, :2])
    # a row without an answer is wrong here, as River's metric counts None
    assert right / 2030 == pytest.approx(accuracy)
    its, same = (each.learner_runs["it"].learner for each in (run, ours))
    for name, column in same.node_columns().items():
        np.testing.assert_array_equal(its.node_columns()[name], column, err_msg=name)
    splits = [[(e.position, e.message) for e in each.log if e.kind == "split"] for each in (run, ours)]
    assert len(splits[0]) > 2
    assert splits[0] == splits[1]


def test_a_drift_that_the_loop_knows_is_met_at_its_row():
    model = naive_bayes.GaussianNB()
    seen = sl.see({"nb": model}, chunk=50)
    met = 120, 777, 1000
    for i, (x, y) in enumerate(rows(1000)):
        if i in met:
            seen.drift(f"change {i}")
            seen.drift("said twice")
        seen.row(x, y, model.predict_one(x))
        model.learn_one(x, y)
        if i == 500:
            seen.run.advance()
    seen.drift("after all rows")
    seen.close()
    run = seen.run
    finish(run)
    noted = [(at, f"change {at}") for at in met[:2]]
    assert [(e.position, e.detail["about"]) for e in run.log if e.kind == "drift" and not e.learner] == noted
    run.seek(700)
    finish(run)
    assert [(e.position, e.detail["about"]) for e in run.log if e.kind == "drift" and not e.learner] == noted
    with pytest.raises(ValueError, match="about=3: expected a text"):
        seen.drift(3)


def test_functions_of_ones_own_in_a_pipeline_are_no_hindrance(shown):
    def plain():
        return compose.FuncTransformer(lambda x: x) | naive_bayes.GaussianNB()

    seen, accuracy = looped(plain(), 500, name="it", chunk=50)
    seen.close()
    finish(seen.run)
    assert np.trace(seen.run.confusion("it").to_numpy()[:, :2]) / 500 == pytest.approx(accuracy)
    assert seen.run.learner_runs["it"].learner.class_gaussians()["counts"].sum() == 500
    model = plain()
    for x, y in rows(300):
        model.learn_one(x, y)
    sl.see(sl.load(synth.Agrawal(seed=42), n_rows=100), {"it": model}, baselines=False)
    run, _ = shown[-1]
    run.advance(100)
    assert run.learner_runs["it"].learner.class_gaussians()["counts"].sum() == 400


def test_a_mark_outlives_the_copies_and_no_score_is_made_up():
    model = naive_bayes.GaussianNB()
    seen = sl.see({"nb": model}, chunk=50, baselines=False)
    for i, (x, y) in enumerate(datasets.ImageSegments().take(900)):
        if i == 500:
            seen.drift()
        seen.row(x, y, model.predict_one(x))
        model.learn_one(x, y)
        if i % 100 == 99 and seen.run is not None:
            finish(seen.run)
    seen.close()
    finish(seen.run)
    known = seen.run.learner_runs["nb"].learner.class_gaussians()
    assert known["marked"] == 500
    assert known["learned"] == 900
    assert np.isfinite(known["means_before"]).any()
    latest = read_latest(seen.run)
    assert latest.answers["nb"]
    assert latest.scores == {}


def until(is_so, seconds=20.0):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)


def test_a_quiet_loop_is_shown_to_its_last_row_and_a_script_that_ends_ends_its_run(monkeypatch):
    # copies are due seldom: those of a quiet loop are made all the same
    monkeypatch.setattr(seeing, "SPACING_SECONDS", 1000.0)
    model = naive_bayes.GaussianNB()
    seen, _ = looped(model, 1030)
    run = seen.run
    (name,) = (each for each in run.learner_runs if each == "GaussianNB")
    until(lambda: (run.advance(), run.position)[1] == 1030)
    assert (run.finished, run.is_waiting, run.why_waiting) == (False, True, "waiting for rows: your loop is quiet")
    assert run.learner_runs[name].learner.class_gaussians()["counts"].sum() == 1030
    # a chunk that comes in parts is one point of the curves, and what comes back is what was
    for x, y in rows(70):
        seen.row(x, y, model.predict_one(x))
    until(lambda: (run.advance(), run.position)[1] == 1100)
    assert run.curves()["position"].unique().tolist() == list(range(100, 1101, 100))
    before = run.curves()
    run.seek(940)
    assert run.advance(160) == 160
    pd.testing.assert_frame_equal(run.curves(), before)
    monkeypatch.setattr("threading.main_thread", lambda: threading.Thread())
    finish(run)
    assert (run.position, run.finished) == (1100, True)
    assert list(run.log)[-1].message == "your loop ended after 1,100 instances"


class Locked(naive_bayes.GaussianNB):
    """Holds what cannot be copied, from a row on."""

    def __init__(self, since, made=threading.Lock):
        super().__init__()
        self.since, self.made, self.n = since, made, 0

    def learn_one(self, x, y):
        super().learn_one(x, y)
        self.n += 1
        if self.n == self.since:
            self.held = self.made()


class Odd:
    """Raises what nobody foresees when it is copied."""

    def __reduce_ex__(self, protocol):
        raise RuntimeError("not now")


@pytest.mark.whole
@pytest.mark.parametrize("made", [threading.Lock, lambda: (i for i in range(3)), Odd])
@pytest.mark.parametrize("since", [1, 150])
def test_a_model_that_cannot_be_copied_stops_its_page_and_not_the_loop(caplog, made, since):
    seen, _ = looped(Locked(since, made), 300, name="mine", first=100, chunk=50)
    assert caplog.text.count("its page does not") == 1
    assert "models['mine'] cannot be copied: " in caplog.text
    with pytest.raises(ValueError, match=r"models\['mine'\] cannot be copied"):
        finish(seen.run)
    assert seen.run.position >= 100


def test_a_model_that_cannot_be_cloned_has_no_page_and_its_loop_goes_on(caplog):
    class Unlike(naive_bayes.GaussianNB):
        def clone(self, *_, **__):
            raise RuntimeError("there is one of me")

    seen, accuracy = looped(Unlike(), 300)
    assert accuracy > 0.5
    assert "models['Unlike'] cannot be copied: RuntimeError: there is one of me" in caplog.text
    assert seen.run is None
    seen.wait()


def test_categories_and_features_that_are_new_later_do_not_stop_the_page():
    seen = sl.see(naive_bayes.GaussianNB(), first=50, chunk=50)
    for i in range(150):
        x = {"a": float(i), "word": f"w{i if i > 60 else i % 3}"} | ({"b": 1.0} if i > 70 else {})
        seen.row(x, i % 2, None)
        if i == 55:
            finish(seen.run)
    run = seen.run
    seen.close()
    finish(run)
    assert run.position == 150
    _, word = run.stream.schema.features
    assert word.categories == ("(new later)", "w0", "w1", "w2")
    X = next(run.stream.chunks(150)).X
    assert X[:, 1].tolist() == [1.0 + i % 3 if i <= 60 else 0.0 for i in range(150)]


def test_a_text_is_told_how_it_is_read_and_stops_no_loop(caplog):
    model = feature_extraction.BagOfWords() | naive_bayes.MultinomialNB()
    seen = sl.see(model)
    for i in range(300):
        model.learn_one(text := f"word{i % 7} other", i % 2)
        seen.row(text, i % 2, model.predict_one(text))
    assert caplog.text.count("its page does not") == 1
    assert "on='body' for ({'body': text}, y)" in caplog.text
    model = feature_extraction.BagOfWords(on="body") | naive_bayes.MultinomialNB()
    seen = sl.see(model, chunk=50)
    for i in range(300):
        x = {"body": f"word{i} other"}
        answer = model.predict_one(x)
        model.learn_one(x, i % 2)
        seen.row(x, i % 2, answer)
    finish(seen.run)
    assert seen.run.position == 300


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"detectors": 3}, "detectors=3: expected a dictionary of River's drift detectors"),
        ({"over": "chunks"}, "over='chunks': expected 'chunk', 'faded' or 'cumulative'; did you mean 'chunk'"),
        ({"rate": 0}, "rate=0: expected a number above 0"),
        ({"measures": ["acuracy"]}, "unknown measure 'acuracy'"),
        ({"tab": 3}, "tab=3: expected a text"),
        ({"port": -1}, "port=-1: expected a whole number"),
        ({"show": 2}, "show=2: expected True or False"),
        ({"compared": "tree"}, "compared='tree': expected"),
        ({"chunk": 0}, "chunk=0: expected"),
        ({"importance": {"rows": 0}}, "importance: rows"),
        ({"baselines": None}, "baselines=None: expected"),
        ({"mesures": []}, "see: there is no option mesures=; did you mean 'measures'"),
    ],
)
@pytest.mark.parametrize("on", [(), (datasets.Phishing(),)], ids=["loop", "stream"])
def test_what_see_is_told_is_checked_at_once(on, given, says, shown):
    with pytest.raises(ValueError, match=re.escape(says)):
        sl.see(*on, naive_bayes.GaussianNB(), **given)
    assert not shown


def test_what_matters_is_asked_on_a_stream_and_of_a_loop_of_ones_own(shown):
    asks = {"share": None}
    seen, _ = looped(naive_bayes.GaussianNB(), 600, chunk=50, importance=asks)
    seen.close()
    finish(seen.run)
    assert len(seen.run.what_matters("GaussianNB").feature.unique()) == 9
    sl.see(datasets.Phishing(), naive_bayes.GaussianNB(), importance=asks, baselines=False)
    run, _ = shown[-1]
    run.advance()
    table = run.what_matters("GaussianNB")
    assert table.position.max() == 1200
    assert (table.value > 2 * table.error).any()


def test_models_by_name_pictures_and_what_is_not_tunable(caplog):
    models = {"forest": forest.ARFClassifier(n_models=3, seed=1), "linear": linear_model.SoftmaxRegression()}
    seen = sl.see(models, baselines=False)
    for x, y in datasets.ImageSegments().take(400):
        answers = {name: each.predict_one(x) for name, each in models.items()}
        for each in models.values():
            each.learn_one(x, y)
        seen.row(x, y, answers)
    run = seen.run
    finish(run)
    learners = {name: each.learner for name, each in run.learner_runs.items()}
    assert {name: each.picture for name, each in learners.items()} == {"forest": "ensemble", "linear": "weights"}
    assert not any(each.tunables for each in learners.values())
    weights = learners["linear"].linear_terms()["weights"]
    (sky,) = (j for j, each in enumerate(run.stream.schema.classes) if each == "sky")
    theirs = models["linear"].weights["sky"]
    assert {learners["linear"].term_name(i): w for i, w in enumerate(weights[:, sky])} == pytest.approx(dict(theirs))
    seen.row(x, y, {"forest": "sky"})
    assert "row 400: y_pred is of ['forest']; expected answers by name, of" in caplog.text


def test_what_comes_late_stops_the_page_and_not_the_loop(caplog):
    known = [({"a": float(i)}, "yes" if i % 2 else "no") for i in range(300)]
    for classes, fails in (((), True), (("perhaps",), False)):
        seen = sl.see(naive_bayes.GaussianNB(), first=100, classes=classes)
        for x, y in itertools.chain(known, [({"a": 1.0}, "perhaps")] * 100):
            seen.row(x, y, None)
        assert seen.run.advance(300) == 300
        if fails:
            assert "row 300: the label 'perhaps' is new; expected" in caplog.text
            assert "classes= of see" in caplog.text
            with pytest.raises(ValueError, match="the label 'perhaps' is new"):
                seen.run.advance()
        else:
            assert seen.run.advance(100) == 100


def test_what_is_equal_to_river_is_one_class_here():
    model, score = linear_model.LogisticRegression(), metrics.Accuracy()
    seen = sl.see(model)
    for x, y in rows(400):
        answer = model.predict_one(x)
        score.update(int(y), answer)
        model.learn_one(x, int(y))
        seen.row(x, int(y), answer)
    finish(seen.run)
    assert isinstance(answer, bool)
    assert np.trace(seen.run.confusion("LogisticRegression").to_numpy()[:, :2]) / 400 == pytest.approx(score.get())
    with pytest.raises(ValueError, match="answers to its rows were given elsewhere; nothing can be put into it"):
        seen.run.put_drift(lambda stream, at: sl.rotate_labels(stream, at=at))


def test_an_answer_that_is_none_stops_the_page_at_the_row_before(caplog):
    seen = sl.see(naive_bayes.GaussianNB(), first=50, chunk=50)
    for i, (x, y) in enumerate(rows(300)):
        seen.row(x, y, y if i < 170 else {y: 0.5})
    with pytest.raises(ValueError, match="expected a class, as of predict_one"):
        finish(seen.run)
    assert seen.run.position == 170
    assert "row 170: the answer is {" in caplog.text


def test_the_loops_model_is_not_touched():
    plain, watched = (tree.HoeffdingTreeClassifier(grace_period=50) for _ in range(2))
    for x, y in rows(600):
        plain.learn_one(x, y)
    seen, _ = looped(watched, 600)
    finish(seen.run)
    assert watched.summary == plain.summary
    assert [watched.predict_proba_one(x) for x, _ in rows(100)] == [plain.predict_proba_one(x) for x, _ in rows(100)]


@pytest.mark.parametrize("model", [linear_model.LinearRegression(), object()])
def test_what_is_no_classifier_is_refused(model):
    with pytest.raises(ValueError, match="expected one of River's classifiers"):
        sl.see(model)


def test_a_model_that_is_trained_begins_with_what_it_has():
    model = tree.HoeffdingTreeClassifier(grace_period=50)
    for x, y in rows(1500):
        model.learn_one(x, y)
    grown = model.n_nodes
    seen, _ = looped(model, 300)
    finish(seen.run)
    learner = seen.run.learner_runs["HoeffdingTreeClassifier"].learner
    assert isinstance(learner, RiverClassifier)
    assert len(learner.node_columns()["id"]) == model.n_nodes >= grown > 1
