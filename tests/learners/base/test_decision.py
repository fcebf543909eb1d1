"""The rules by which labels follow from scores."""

from __future__ import annotations

import itertools
import math
from functools import cache

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from river.naive_bayes import GaussianNB

import streamlab as sl
from streamlab.learners.base._decisions import FARTHEST, STEP
from streamlab.learners.base.decision import Deciding

MADE = {
    "MLHAT": lambda **given: sl.MLHAT(seed=1, grace_period=50, tau=0.5, **given),
    "HoeffdingTrees": lambda **given: sl.HoeffdingTrees(grace_period=50, **given),
    "MLHT": lambda **given: sl.MLHT(grace_period=50, tau=0.5, **given),
    "PrunedSets": lambda **given: sl.PrunedSets(buffer=20, grace_period=50, **given),
    "HedgedMLHAT": lambda **given: sl.HedgedMLHAT(seed=1, grace_period=50, tau=0.5, **given),
    "MLBELS": lambda **given: sl.MLBELS(seed=1, chunk=40, n_windows=4, **given),
    "MLKNN": lambda **given: sl.MLKNN(n_neighbors=3, chunk=40, **given),
    "OnePerLabel": lambda **given: sl.OnePerLabel(GaussianNB(), **given),
}
BY_SCORES = {
    "SMART": lambda **given: sl.SMART(seed=1, **given),
    "ARkNN": lambda **given: sl.ARkNN(window=50, **given),
    "MLSAMPkNN": lambda **given: sl.MLSAMPkNN(window=50, min_window=10, **given),
    "MLSAkNN": lambda **given: sl.MLSAkNN(window=50, min_window=10, **given),
    "OnlineBagging": lambda **given: sl.OnlineBagging("relevance", n_models=2, seed=1, **given),
}
"""Those that keep no thresholds."""
ROWS = 300


@cache
def instances() -> tuple[np.ndarray, np.ndarray]:
    source = sl.load("syn-rbf-sudden", n_rows=ROWS, seed=3)
    X, Y = (np.concatenate(parts) for parts in zip(*((c.X, c.Y) for c in source.chunks(100)), strict=True))
    return X[:, :8], Y[:, :6]


def alone(rule: str, n_labels: int) -> Deciding:
    """The rules without what answers."""
    model = sl.MLHAT(decision=rule)
    model._thresholds = np.zeros(n_labels)
    return model


def scores_of(rows: int = 7, labels: int = 5) -> st.SearchStrategy[np.ndarray]:
    return arrays.arrays(np.float64, (rows, labels), elements=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]))


def answers_of(model, size: int) -> tuple[np.ndarray, np.ndarray]:
    X, Y = instances()
    parts = [model.test_then_train(X[at : at + size], Y[at : at + size]) for at in range(0, ROWS, size)]
    return np.concatenate([scores for scores, _ in parts]), np.concatenate([labels for _, labels in parts])


def transcribed(scores: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """The rule ``balanced``, as its docstring says it."""
    u, answered = np.zeros(truth.shape[1]), np.zeros_like(truth)
    for i, row in enumerate(scores):
        answered[i] = row > 1 / (1 + np.exp(-u))
        u = np.clip(u + STEP * (answered[i].astype(float) - truth[i]), -FARTHEST, FARTHEST)
    return answered


@settings(deadline=None)  # the first compiles
@given(scores_of())
def test_cardinality_takes_as_many_of_the_highest_as_the_scores_sum_to(scores):
    chosen = alone("cardinality", 5)._decided(scores, np.zeros(scores.shape, np.uint8))
    for row, labels in zip(scores, chosen, strict=True):
        assert labels.sum() == math.floor(row.sum() + 0.5)
        order = sorted(range(len(row)), key=lambda j: (-row[j], j))
        assert set(np.flatnonzero(labels)) == set(order[: labels.sum()])


@settings(deadline=None)  # the first compiles
@given(scores_of(), arrays.arrays(np.uint8, (7, 5), elements=st.integers(0, 1)))
def test_balanced_is_its_transcription_and_moves_nothing_when_it_only_predicts(scores, truth):
    rule = alone("balanced", 5)
    own = np.zeros(truth.shape, np.uint8)
    np.testing.assert_array_equal(rule._followed(scores, own, truth), transcribed(scores, truth))
    before = rule._thresholds.copy()
    np.testing.assert_array_equal(rule._decided(scores, own), scores > 1 / (1 + np.exp(-before)))
    np.testing.assert_array_equal(rule._thresholds, before)


@settings(max_examples=20, deadline=None)
@given(st.floats(0.02, 0.98), st.integers(0, 10_000))
def test_balanced_answers_a_label_as_often_as_it_is_true(share, seed):
    rng = np.random.default_rng(seed)
    truth = (rng.random((4000, 1)) < share).astype(np.uint8)
    scores = np.clip(0.3 * rng.random((4000, 1)) + 0.1 * truth, 0, 1)
    answered = alone("balanced", 1)._followed(scores, truth, truth)
    # what the thresholds' range bounds: they start in its middle
    assert abs(int(answered.sum()) - int(truth.sum())) <= FARTHEST / STEP + 1


def test_a_threshold_stops_at_the_end_of_its_range():
    rule = alone("balanced", 2)
    scores, truth = np.tile([1.0, 0.0], (1000, 1)), np.tile([0, 1], (1000, 1)).astype(np.uint8)
    rule._followed(scores, truth, truth)
    np.testing.assert_array_equal(rule._thresholds, [FARTHEST, -FARTHEST])


def expected_f1(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All answers, and the mean F1 of each over all label sets, labels independent."""
    every = np.array(list(itertools.product([0, 1], repeat=len(p))))
    chances = np.where(every, p, 1 - p).prod(axis=1)
    f1 = 2 * (every @ every.T) / np.maximum(every.sum(axis=1)[:, None] + every.sum(axis=1), 1)
    return every, f1 @ chances


@settings(deadline=None, max_examples=60)  # the first compiles
@given(arrays.arrays(np.float64, st.integers(1, 10), elements=st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0.01, 1)))
def test_expected_f1_is_the_best_of_all_answers_that_are_not_empty(p):
    (chosen,) = alone("expected_f1", len(p))._decided(p[None], np.zeros((1, len(p)), np.uint8))
    every, means = expected_f1(p)
    tried = (every.sum(axis=1) > 0) & (every.sum(axis=1) <= math.floor(3 * p.sum()) + 3)
    assert means[tried & (every == chosen).all(axis=1)][0] >= means[tried].max() - 1e-12
    # the approximation: the same labels first, its own number of them
    (fast,) = alone("expected_f1_fast", len(p))._decided(p[None], np.zeros((1, len(p)), np.uint8))
    order = sorted(range(len(p)), key=lambda j: (-p[j], j))
    shares = np.cumsum(p[order]) / (np.arange(1, len(p) + 1) + p.sum())
    assert set(np.flatnonzero(fast)) == set(order[: fast.sum()])
    assert shares[fast.sum() - 1] >= shares[: math.floor(3 * p.sum()) + 3].max() - 1e-12


def test_expected_f1_of_twelve_labels_and_of_five_hundred():
    rng = np.random.default_rng(0)
    for p in rng.random((3, 12)) ** 2:
        (chosen,) = alone("expected_f1", 12)._decided(p[None], np.zeros((1, 12), np.uint8))
        every, means = expected_f1(p)
        assert means[(every == chosen).all(axis=1)][0] >= means[1:].max() - 1e-12
    p = rng.random((1, 500)) * 0.2
    exact, fast = (alone(rule, 500)._decided(p, np.zeros((1, 500), np.uint8))[0] for rule in RULES[-2:])
    truth = rng.random((5000, 500)) < p
    means = [float((2 * truth[:, on == 1].sum(1) / (truth.sum(1) + on.sum())).mean()) for on in (exact, fast)]
    assert 0 < exact.sum() <= 3 * p.sum() + 3
    assert means[0] == pytest.approx(means[1], abs=0.002)


RULES = ("cardinality", "balanced", "expected_f1", "expected_f1_fast")


@pytest.mark.parametrize("name", [*MADE, *BY_SCORES])
def test_half_is_the_learners_own_rule_and_the_scores_stay(name):
    made = (MADE | BY_SCORES)[name]
    scores, labels = answers_of(made(), 20)
    np.testing.assert_array_equal(answers_of(made(decision="half"), 20)[1], labels)
    for rule in RULES:
        if rule == "balanced" and name in BY_SCORES:
            continue
        others, chosen = answers_of(made(decision=rule), 20)
        np.testing.assert_array_equal(others, scores)
        assert (chosen != labels).any() or (name, rule) == ("SMART", "cardinality"), "SMART's own rule is nearly that"
        if rule != "balanced":
            # of the row's scores alone, however it is asked
            np.testing.assert_array_equal(chosen, alone(rule, 6)._decided(scores, labels))


@pytest.mark.parametrize("name", ["MLHAT", "HedgedMLHAT", "OnePerLabel"])
def test_balanced_of_a_learner_that_answers_row_by_row_is_the_transcription_however_it_is_cut(name):
    _, Y = instances()
    scores, labels = answers_of(MADE[name](decision="balanced"), 100)
    np.testing.assert_array_equal(labels, transcribed(scores, Y))
    for size in (1, 37):
        np.testing.assert_array_equal(answers_of(MADE[name](decision="balanced"), size)[1], labels)


@pytest.mark.parametrize("name", MADE)
def test_learning_moves_the_thresholds_however_it_is_cut_also_without_an_answer(name):
    X, Y = instances()
    models = {size: MADE[name](decision="balanced") for size in (1, 30, ROWS)}
    for size, model in models.items():
        for at in range(0, ROWS, size):
            model.learn_many(X[at : at + size], Y[at : at + size])
    asked = MADE[name](decision="balanced")
    answers_of(asked, 50)
    for model in [*models.values(), asked]:
        np.testing.assert_allclose(model._thresholds, models[1]._thresholds, atol=1e-12)
    assert models[1]._thresholds.any()


@pytest.mark.parametrize("name", MADE)
def test_the_rule_is_tuned_mid_stream_and_goes_on_from_where_its_thresholds_were(name):
    X, Y = instances()
    model = MADE[name](decision="balanced")
    model.learn_many(X[:200], Y[:200])
    before = model._thresholds.copy()
    model.tune(decision="half")
    model.learn_many(X[200:], Y[200:])
    np.testing.assert_array_equal(model._thresholds, before)
    model.tune(decision="cardinality")
    scores, labels = model.answer_many(X[:20])
    np.testing.assert_array_equal(labels.sum(axis=1), np.floor(scores.sum(axis=1) + 0.5))
    with pytest.raises(ValueError, match="decision='most': expected 'half' or 'cardinality' or 'balanced'"):
        model.tune(decision="most")
    with pytest.raises(ValueError, match="decision=None"):
        MADE[name](decision=None)


@pytest.mark.parametrize("name", ["MLHAT", "HedgedMLHAT", "MLKNN"])
def test_a_saved_learner_goes_on_with_its_thresholds(name, tmp_path):
    X, Y = instances()
    model = MADE[name](decision="balanced")
    model.learn_many(X[:150], Y[:150])
    model.save(tmp_path / "model")
    twin = sl.load_model(tmp_path / "model")
    for each in (model, twin):
        each.learn_many(X[150:], Y[150:])
    np.testing.assert_array_equal(twin._thresholds, model._thresholds)
    np.testing.assert_array_equal(twin.predict_many(X), model.predict_many(X))


@pytest.mark.parametrize("name", MADE)
def test_a_label_that_comes_later_starts_at_one_half(name):
    X, Y = instances()
    model = MADE[name](decision="balanced")
    for x, y in zip(X[:60], Y[:60], strict=True):
        model.learn_one(dict(enumerate(x.tolist())), dict(enumerate(map(bool, y))))
    before = model._thresholds.copy()
    model.learn_one(dict(enumerate(X[60].tolist())), {"new": False})
    assert len(model._thresholds) == 7
    assert model._thresholds[6] == 0.0
    assert np.abs(model._thresholds[:6] - before).max() <= STEP


def ofo(scores: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """The rule ``threshold``, as Busa-Fekete and others (2015) write it, one label after the other."""
    answered = np.zeros_like(truth)
    for j in range(truth.shape[1]):
        a = b = tau = 0.0
        for i in range(len(truth)):
            answered[i, j] = scores[i, j] > tau
            a += truth[i, j] * answered[i, j]
            b += float(truth[i, j]) + float(answered[i, j])
            tau = a / b if b else 0.0
    return answered


ROW_BY_ROW = ("MLHAT", "HedgedMLHAT", "OnePerLabel", "ARkNN", "MLSAMPkNN", "OnlineBagging")


@pytest.mark.parametrize("name", ROW_BY_ROW)
def test_threshold_is_the_transcription_of_the_paper_however_it_is_cut(name):
    _, Y = instances()
    scores, labels = answers_of((MADE | BY_SCORES)[name](decision="threshold"), 100)
    np.testing.assert_array_equal(labels, ofo(scores, Y))
    for size in (1, 37):
        np.testing.assert_array_equal(answers_of((MADE | BY_SCORES)[name](decision="threshold"), size)[1], labels)


@pytest.mark.costly
@pytest.mark.parametrize("name", [*MADE, *BY_SCORES])
def test_threshold_counts_the_same_however_it_is_cut_and_is_saved_and_copied_with_the_learner(name, tmp_path):
    X, Y = instances()
    make = (MADE | BY_SCORES)[name]
    models = {size: make(decision="threshold") for size in (1, 30, ROWS)}
    for size, model in models.items():
        for at in range(0, ROWS, size):
            model.learn_many(X[at : at + size], Y[at : at + size])
    asked = make(decision="threshold")
    answers_of(asked, 50)
    for model in [*models.values(), asked]:
        np.testing.assert_array_equal(model._f1_counts, models[1]._f1_counts)
    hits, total = models[1]._f1_counts.T
    assert (total >= hits + 1).all()
    assert hits.any()
    model, half = make(decision="threshold"), make()
    for each in (model, half):
        each.learn_many(X[:150], Y[:150])
    assert half._f1_counts is None, "it costs nothing where it is not chosen"
    if name != "OnePerLabel":
        assert "f1_counts" not in half.state(), "states that were written before are read"
        model.save(tmp_path / "model")
        twin = sl.load_model(tmp_path / "model")
    else:
        twin = model.copy()
    for each in (model, twin):
        each.learn_many(X[150:], Y[150:])
    np.testing.assert_array_equal(twin._f1_counts, model._f1_counts)
    np.testing.assert_array_equal(twin.predict_many(X), model.predict_many(X))
    assert not np.array_equal(half.predict_many(X), model.predict_many(X))


def test_threshold_of_a_learner_of_whole_chunks_comes_from_the_rows_before_the_chunk():
    X, Y = instances()
    model = sl.SMART(seed=1, decision="threshold")
    model.learn_many(X[:200], Y[:200])
    hits, total = model._f1_counts.T.copy()
    scores, labels = model.test_then_train(X[200:], Y[200:])
    np.testing.assert_array_equal(labels, scores > hits / total)


@pytest.mark.parametrize("name", [*MADE, *BY_SCORES])
def test_threshold_knows_a_label_that_comes_later(name):
    X, Y = instances()
    model = {**MADE, **BY_SCORES}[name](decision="threshold")
    for x, y in zip(X[:60], Y[:60], strict=True):
        model.learn_one(dict(enumerate(x.tolist())), dict(enumerate(map(bool, y))))
    model.learn_one(dict(enumerate(X[60].tolist())), {"new": True})
    assert model._f1_counts.shape == (7, 2)
    hits, total = model._f1_counts[6].tolist()
    assert (hits, total) in ((0, 1), (1, 2)), "it was true, and answered or not"


def test_threshold_adds_up_what_two_learners_counted():
    X, Y = instances()
    parts = [sl.SMART(seed=1, bounds=(X.min(0), X.max(0)), decision="threshold") for _ in range(2)]
    for part, rows in zip(parts, (slice(0, 150), slice(150, 300)), strict=True):
        part.learn_many(X[rows], Y[rows], timestamps=np.arange(300)[rows] + 1)
    wanted = parts[0]._f1_counts + parts[1]._f1_counts
    np.testing.assert_array_equal(parts[0].merge(parts[1])._f1_counts, wanted)


@pytest.mark.parametrize("name", ["MLHAT", "MLKNN", "SMART", "ARkNN"])
def test_thresholds_of_ones_own_for_all_labels_or_by_label(name, tmp_path):
    stream = sl.load("yeast")
    rare = stream.schema.labels[-1]
    model = (MADE | BY_SCORES)[name](decision={rare: 0.05}).bind(stream.schema)
    chunk = next(stream.chunks(300))
    scores, labels = model.test_then_train(chunk.X, chunk.Y)
    np.testing.assert_array_equal(labels, scores > [0.5] * 13 + [0.05])
    model.save(tmp_path / "model")
    twin = sl.load_model(tmp_path / "model")
    assert twin.decision == {rare: 0.05}
    np.testing.assert_array_equal(twin.predict_many(chunk.X), model.predict_many(chunk.X))
    model.tune(decision=0.2)
    np.testing.assert_array_equal(model.predict_many(chunk.X), model.predict_proba_many(chunk.X) > 0.2)
    for wrong, said in {
        "decision=1.5": 1.5,
        r"decision\['no such'\]: there is no such label; the labels are \['Class1'": {"no such": 0.1},
        rf"decision\['{rare}'\]=2": {rare: 2},
    }.items():
        with pytest.raises(ValueError, match=wrong):
            model.tune(decision=said)
        assert model.decision == 0.2
    with pytest.raises(ValueError, match="decision: 3 is not the name of a label"):
        (MADE | BY_SCORES)[name](decision={3: 0.5})
    wrong = (MADE | BY_SCORES)[name](decision={"no such": 0.1})
    with pytest.raises(ValueError, match="there is no such label"):
        sl.prequential(stream, wrong, n=100)
    assert not wrong.schema.labels


def test_a_pipeline_chooses_by_its_last_steps_rule():
    X, Y = instances()
    model = sl.StandardScaler() | sl.MLHAT(seed=1)
    model.tune(mlhat__decision="cardinality")
    for at in range(0, ROWS, 100):
        scores, labels = model.test_then_train(X[at : at + 100], Y[at : at + 100])
    np.testing.assert_array_equal(labels.sum(axis=1), np.floor(scores.sum(axis=1) + 0.5))
