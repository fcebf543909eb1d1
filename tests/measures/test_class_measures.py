"""Measures of classes: River's formulas, no-change and the majority class, the same however a stream is cut."""

from __future__ import annotations

import numpy as np
import pytest
from river import drift, metrics

import streamlab as sl
from streamlab.measures import Counts, Past, Tracker, counts_of, evaluate

NAMES = ("accuracy", "kappa", "kappa_t", "kappa_m", "balanced_accuracy", "g_mean", "macro_f1", "log_loss")
THEIRS = {
    "accuracy": metrics.Accuracy,
    "kappa": metrics.CohenKappa,
    "balanced_accuracy": metrics.BalancedAccuracy,
    "g_mean": metrics.GeometricMean,
    "macro_f1": metrics.MacroF1,
}
L = 4


def rows(n=300, seed=0):
    """Classes that last for a while, answers that are often right, probabilities."""
    rng = np.random.default_rng(seed)
    own = np.repeat(rng.choice(L, n, p=[0.5, 0.3, 0.15, 0.05]), rng.integers(1, 4, n))[:n]
    answered = np.where(rng.random(n) < 0.6, own, rng.integers(0, L, n))
    scores = rng.random((n, L))
    return np.eye(L, dtype=np.uint8)[own], np.eye(L, dtype=np.uint8)[answered], scores / scores.sum(1, keepdims=True)


def counted(Y, Z, scores=None, fading=1.0):
    counts = Counts.zeros(L, counts_of(NAMES))
    return counts.count(Y, Z, scores, fading=fading, past=Past.none(L))


def test_values_are_rivers():
    Y, Z, P = rows()
    values = evaluate(counted(Y, Z, P), NAMES)
    for name, make in THEIRS.items():
        metric = make()
        for y, z in zip(Y.argmax(1).tolist(), Z.argmax(1).tolist(), strict=True):
            metric.update(y, z)
        assert values[name] == pytest.approx(metric.get(), abs=1e-12), name
    loss = metrics.CrossEntropy()
    for y, p in zip(Y.argmax(1).tolist(), P.tolist(), strict=True):
        loss.update(y, dict(enumerate(p)))
    assert values["log_loss"] == pytest.approx(loss.get(), abs=1e-12)


def test_kappa_t_and_m_are_against_the_class_before_and_the_most_frequent_so_far():
    Y, Z, _ = rows()
    own, seen = Y.argmax(1).tolist(), [0] * L
    same = often = 0
    for i, y in enumerate(own):
        same += i > 0 and own[i - 1] == y
        often += i > 0 and seen.index(max(seen)) == y
        seen[y] += 1
    values, n = evaluate(counted(Y, Z), NAMES[:4]), len(own)
    for name, expected in (("kappa_t", same / n), ("kappa_m", often / n)):
        assert values[name] == pytest.approx((values["accuracy"] - expected) / (1 - expected), abs=1e-12)


def test_no_change_has_a_kappa_temporal_of_zero_and_the_baselines_of_a_run_are_those():
    run = sl.Run(
        sl.load((np.zeros((300, 1)), rows()[0].argmax(1) + 1)), {"same": sl.NoChange(), "often": sl.MajorityLabels()}
    )
    run.advance()
    assert run.summary.kappa_t["same"] == 0.0
    right = run.learner_runs["same"].tracker.counts().extra["class_baselines"][0]
    assert right == run.learner_runs["same"].tracker.counts().total("exact")
    assert list(run.summary.columns[:7]) == [*NAMES[:-1]]


@pytest.mark.parametrize("size", [1, 7, 300])
def test_cuts_change_nothing(size):
    Y, Z, P = rows()
    whole, parts = (Tracker([*"abcd"], NAMES, n_rows=300, classes=True) for _ in range(2))
    whole.update(Y, Z, P)
    for start in range(0, 300, size):
        at = slice(start, start + size)
        parts.update(Y[at], Z[at], P[at])
    for over in ("cumulative", "faded"):
        assert parts.values(over) == whole.values(over)
    assert parts.tenths() == whole.tenths()
    again = Tracker([*"abcd"], NAMES, n_rows=300, classes=True)
    again.set_state(parts.state())
    again.n_rows = parts.n_rows = None
    for each in (again, parts):
        each.update(Y[:9], Z[:9], P[:9])
    assert again.values() == parts.values()


def test_parts_of_a_stream_add_up_and_old_rows_fade():
    Y, Z, P = rows()
    first, second = (Counts.zeros(L, counts_of(NAMES)) for _ in range(2))
    first.count(Y[:120], Z[:120], P[:120], fading=0.9, past=Past.none(L))
    second.count(Y[120:], Z[120:], P[120:], fading=0.9, past=Past.none(L).after(Y[:120]))
    merged = evaluate(first.scaled(0.9**180).merge(second), NAMES)
    for name, value in evaluate(counted(Y, Z, P, fading=0.9), NAMES).items():
        assert merged[name] == pytest.approx(value, abs=1e-12)
        assert value != pytest.approx(evaluate(counted(Y, Z, P), [name])[name])


def test_a_row_without_an_answer_is_wrong_and_one_without_a_class_is_none_of_the_baselines():
    Y, Z, _ = rows(40)
    Z[:10] = 0
    values = evaluate(counted(Y, Z), ["accuracy", "balanced_accuracy"])
    assert values["accuracy"] == (Y & Z).sum() / 40
    assert evaluate(counted(Y, Z, np.zeros((40, L))), ["log_loss"])["log_loss"] == pytest.approx(np.log(L))
    Y[20] = 0
    past = Past.none(L).after(Y)
    assert past.last == Y[39].argmax()
    assert past.counts.sum() == 39
    assert counted(Y, Z).extra["class_baselines"][0] <= 38


def test_a_stream_of_label_sets_has_none_of_them():
    with pytest.raises(ValueError, match="'kappa' needs rows of exactly one class"):
        Tracker([*"ab"], ["kappa"])
    assert not {"accuracy", "kappa"} & set(Tracker([*"ab"]).measures)
    with pytest.raises(ValueError, match=r"detectors.*'kappa_t' needs"):
        sl.Run("yeast", sl.NoChange(), detectors={"it": (drift.ADWIN(), "kappa_t")})
