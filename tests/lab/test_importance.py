"""What matters to a learner: against scikit-learn, on what is not used, and without a trace in what the run does."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from river import datasets, tree
from sklearn.inspection import permutation_importance

import streamlab as sl
from streamlab.lab.importance_report import WORDS, changes, foremost, row_moves, row_remedy
from streamlab.lab.recipe import pickled
from streamlab.learners.base.learner import Learner
from tests.lab.made import made_arrays
from tests.test_testing import LEARNERS, NUMBERS


def swapped(n=2000, features=6, seed=0):
    """Rows whose two labels follow the first two features, from half-way on the next two."""
    X = np.random.default_rng(seed).random((n, features))
    own = X[:, :2].copy()
    own[n // 2 :] = X[n // 2 :, 2:4]
    return X, (own > 0.5).astype(np.uint8)


class Frozen(Learner):
    """Answers by the columns ``used`` alone, and learns nothing."""

    used = (0, 2)

    def _predict(self, X, missing):
        scores = np.repeat(np.nan_to_num(X[:, list(self.used)], nan=0.5).mean(axis=1)[:, None], len(self._labels), 1)
        return scores, (scores > 0.5).astype(np.uint8)

    def _learn(self, X, Y, missing):
        pass


def now(importance):
    """Value and error of each feature."""
    found = changes(importance, None)
    return pd.DataFrame({name: found[name] for name in ("value", "error")})


def words(importance, since):
    return [WORDS[word] for word in changes(importance, since)["word"]]


def asked(learner, X, Y, **options):
    importance = sl.Importance(learner.bind(sl.Schema.anonymous(X.shape[1], Y.shape[1])), share=None, **options)
    for start in range(0, len(Y), 100):
        importance.ask(X[start : start + 100], Y[start : start + 100])
    return importance


def test_it_is_the_permutation_importance_of_scikit_learn():
    X, Y = swapped()
    model = sl.MLHAT(seed=1).bind(sl.Schema.anonymous(6, 2))
    model.learn_many(X[:1000], Y[:1000])

    class Estimator:
        def fit(self):
            """Nothing: scikit-learn wants it."""

    def score(_, X, Y):
        return -((model.predict_proba_many(X) - Y) ** 2).sum(axis=1).mean()

    theirs = permutation_importance(Estimator(), X[:1000], Y[:1000], scoring=score, n_repeats=50, random_state=1)
    ours = now(asked(model, X[:1000], Y[:1000], rows=100, window=1000, alpha=1e-9))
    joint = np.hypot(ours["error"], theirs.importances_std / np.sqrt(50))
    assert (np.abs(ours["value"] - theirs.importances_mean) <= 2 * joint).all()
    assert ours["value"][:2].min() > 0.2


@given(st.integers(0, 2**32), st.floats(0, 0.5), st.sampled_from([1, 30, 100]))
def test_what_a_learner_does_not_use_is_0_exactly(seed, missing, chunk):
    X, Y = made_arrays(300, missing=missing, seed=seed)
    importance = sl.Importance(Frozen().bind(sl.Schema.anonymous(4, 3)), share=None, seed=seed)
    for start in range(0, 300, chunk):
        importance.ask(X[start : start + chunk], Y[start : start + chunk])
    told = now(importance)
    assert (told.iloc[[1, 3]].to_numpy() == 0).all()
    assert (told["value"].iloc[[0, 2]] != 0).all()


def content(learner, X):
    """What it is; of River's objects, equal ones of which pickle differently, what it answers."""
    try:
        state = learner.state()
    except ValueError:
        state = dict(zip(("scores", "labels"), learner.answer_many(X), strict=True))
    return {name: each.tobytes() if isinstance(each, np.ndarray) else each for name, each in state.items()}


def made(name):
    learner = LEARNERS[name]()
    return learner.set_params(seed=1) if "seed" in learner._get_params() else learner


@pytest.mark.parametrize("name", LEARNERS)
def test_asking_leaves_no_trace(name):
    X, Y = made_arrays(400, seed=3)
    stream = sl.load((X, Y))
    asks = {"share": None}
    ways = [(asks, (1, 99, 150, 150)), (False, (1, 99, 150, 150)), (asks, (400,))]
    runs = [sl.Run(stream, {"it": made(name)}, importance=importance) for importance, _ in ways]
    for run, (_, steps) in zip(runs, ways, strict=True):
        for n in steps:
            run.advance(n)
    with_it, without, _ = (run.learner_runs["it"] for run in runs)
    assert runs[0].curves().equals(runs[1].curves())
    assert runs[0].events.equals(runs[1].events)
    assert np.array_equal(with_it.last_scores, without.last_scores)
    assert content(with_it.learner, X) == content(without.learner, X)
    assert len(runs[0].what_matters("it")) == 3 * 4
    assert runs[0].what_matters("it").equals(runs[2].what_matters("it"))


def test_a_river_model_is_asked_in_its_own_loop_and_stays_as_it_was():
    model = tree.HoeffdingAdaptiveTreeClassifier(grace_period=50, seed=1)
    importance = sl.Importance(model, sl.load(datasets.ImageSegments()).schema, rows=100, share=None)
    for row, (x, y) in enumerate(datasets.ImageSegments().take(300)):
        before = pickled(model) if row % 100 == 99 else None
        importance.ask(x, y)
        assert before is None or pickled(model) == before
        model.learn_one(x, y)
    assert len(foremost(importance)) == 3


def test_what_has_passed_is_asked_about_when_the_run_goes_over_it_again():
    plain, run = (sl.Run("yeast", {"SMART": sl.SMART(seed=1)}) for _ in range(2))
    for each in (plain, run):
        each.advance(1250)
    assert run.ask_importance(since=640)
    assert run.position == 600
    run.seek(1250)
    asked = run.what_matters("SMART").position
    assert (asked.min(), asked.max()) == (700, 1300), "the row's chunk is asked about, and those behind it"
    assert run.curves().equals(plain.curves())
    assert run.events.equals(plain.events)
    assert run.is_as_made
    run.ask_importance(False)
    run.advance(350)
    assert run.ask_importance(since=300)
    assert run._learners.settings.importance.spans == [(300, None)], (
        "one span, as the rows between are asked about, too"
    )
    run.seek(1600)
    assert run.what_matters("SMART").position.min() == 400


def test_asking_that_begins_amid_a_run_and_rests_leaves_no_trace_and_is_the_same_again(tmp_path):
    X = next(sl.load("yeast").chunks(20)).X
    plain, run = (sl.Run("yeast", {"SMART": sl.SMART(seed=1), "MLHAT": sl.MLHAT(seed=1)}) for _ in range(2))
    for n, on in ((250, True), (200, False), (300, True), (0, False), (0, True), (450, None)):
        plain.advance(n)
        run.advance(n)
        if on is not None:
            run.ask_importance(on)
    assert not run.ask_importance(True), "it is on"
    assert run.curves().equals(plain.curves())
    assert run.events.equals(plain.events)
    assert run.is_as_made
    for name in run.learner_runs:
        assert content(run[name], X) == content(plain[name], X)
    whole = {name: run.what_matters(name) for name in run.learner_runs}
    asked = set(whole["SMART"].position)
    assert asked <= {*range(400, 600, 100), *range(900, 1300, 100)}
    assert {400, 900} <= asked

    def same(other):
        return all(other.what_matters(name).equals(table) for name, table in whole.items())

    for row in (100, 430, 650, 1200):
        run.seek(row)
    assert same(run)
    run.save(tmp_path / "run.slab")
    run.to_script(tmp_path / "run.py")
    written = {}
    exec((tmp_path / "run.py").read_text(encoding="utf-8").replace("print(", "str("), written)
    assert same(written["run"])
    opened = sl.Run.open(tmp_path / "run.slab")
    assert same(opened)
    opened.seek(100), opened.seek(1200)
    assert same(opened)
    run.seek(200)
    assert run.what_matters("SMART").empty
    run.tune("SMART", half_life=20)
    run.advance(300)
    assert set(run.what_matters("SMART").position) <= {400, 500}
    run.switch_branch(0)
    assert same(run)


def test_of_rows_that_pass_slowly_more_are_asked_and_a_run_sought_again_has_the_same_values():
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)}, importance=True, chunk=50)
    run.advance(400)
    rare = run.learner_runs["SMART"].importance.pace
    run._learners.at_rate(250.0)
    run.advance(400)
    assert run.learner_runs["SMART"].importance.pace > max(2 * rare, 5)
    run._learners.at_rate(None)
    run.advance(400)
    assert run.learner_runs["SMART"].importance.pace < 5, "flat out it is the learner's time again"
    whole = run.what_matters("SMART")
    for row in (300, 700, 1200):
        run.seek(row)
    assert run.what_matters("SMART").equals(whole)


def test_sparse_rows_are_asked_as_arrays_are():
    X, Y = swapped(600, 40)
    X[X < 0.4] = 0.0
    X[5, 3] = np.nan
    tables = []
    for rows in (X, scipy.sparse.csr_array(X)):
        model = sl.OnlineLogistic()
        importance = sl.Importance(model.bind(sl.Schema.anonymous(40, 2)), share=None, most=10)
        for start in range(0, 600, 100):
            importance.ask(rows[start : start + 100], Y[start : start + 100])
            model.learn_many(rows[start : start + 100], Y[start : start + 100])
        tables.append(importance.table())
    assert len(tables[0]) == 5 * 10
    assert tables[0]["feature"].equals(tables[1]["feature"])
    assert np.allclose(tables[0]["value"], tables[1]["value"])


def test_of_many_features_one_that_begins_to_matter_is_found():
    X, Y = swapped(6000, 60)
    model = sl.MLHAT(seed=1)
    importance = sl.Importance(model.bind(sl.Schema.anonymous(60, 2)), share=None, most=8)
    names = [each.name for each in model.schema.features]
    for start in range(0, 6000, 100):
        if start == 3000:
            assert set(foremost(importance, 2)) == set(names[:2])
        importance.ask(X[start : start + 100], Y[start : start + 100])
        model.learn_many(X[start : start + 100], Y[start : start + 100])
    assert set(foremost(importance, 2)) == set(names[2:4])
    assert words(importance, 3000)[:2] == ["no longer"] * 2


def test_what_changed_and_what_moved_a_row_is_told():
    X, Y = swapped(4000)
    model = sl.SMART(seed=1)
    importance = sl.Importance(model.bind(sl.Schema.anonymous(6, 2)), share=None)
    for start in range(0, 4000, 100):
        importance.ask(X[start : start + 100], Y[start : start + 100])
        model.learn_many(X[start : start + 100], Y[start : start + 100])
    names = [each.name for each in model.schema.features]
    assert words(importance, 2000) == ["no longer"] * 2 + ["since"] * 2 + [""] * 2
    parts = importance.parts[2] / importance.sums[0, 2]
    assert parts[0] > 10 * abs(parts[1])
    assert now(importance)["value"][2] == pytest.approx(parts.sum())
    x = np.array([0.5, 0.5, 0.9, 0.1, 0.5, 0.5])
    moves = row_moves(importance, x)
    assert set(moves.index[:2]) == set(names[2:4])
    assert moves["move"][names[2]] > 0.2
    assert moves["move"][names[3]] < -0.2
    remedy = row_remedy(importance, x, model.schema.labels[0], False)
    assert remedy["feature"] == names[2]
    assert 0.3 < remedy["value"] < 0.7
    changed_row = x.copy()
    changed_row[2] = remedy["value"]
    assert model.predict_many(changed_row[None])[0, 0] == 0
    stubborn = sl.Importance(Frozen().bind(model.schema), share=None)
    stubborn.ask(X[:100], Y[:100])
    assert row_remedy(stubborn, np.zeros(6), model.schema.labels[0], True) is None


def test_past_is_bounded_and_goes_with_the_state():
    X, Y = swapped(600)
    importance = asked(Frozen(), X, Y)
    twin = sl.Importance(importance.learner, share=None)
    twin.set_state(importance.state())
    assert twin.table().equals(importance.table())
    for start in range(600, 60_000, 100):
        importance.ask(X[:100], Y[:100], at=start)
    assert 250 <= len(importance.table()) // 6 < 500


@pytest.mark.parametrize(
    ("options", "named"), [({"rows": 0}, "rows"), ({"share": 2.0}, "share"), ({"what": 1}, "what")]
)
def test_a_wrong_option_is_named(options, named):
    with pytest.raises(ValueError, match=named):
        sl.Run("yeast", {"it": sl.NoChange()}, importance=options)


def test_its_rows_fit_the_schema():
    importance = sl.Importance(sl.NoChange().bind(NUMBERS))
    with pytest.raises(ValueError, match="expected 4 features and 3 labels"):
        importance.ask(np.zeros((2, 3)), np.zeros((2, 3)))
