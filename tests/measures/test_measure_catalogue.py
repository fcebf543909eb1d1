"""Each measure by hand and against scikit-learn."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from streamlab.measures import (
    MEASURES,
    Counts,
    Tracker,
    counts_of,
    evaluate,
    label_average_precision,
    macro_average_precision,
    per_label,
)
from streamlab.measures.probabilities import SMALLEST

# those of label sets without a hierarchy, and what they need
FLAT = {name: each for name, each in MEASURES.items() if not each.needs_hierarchy and not each.needs_classes}
KEPT = counts_of(FLAT)
N_BINS = 9  # the drawn scores are multiples of 1/8


@st.composite
def batches(draw, min_labels=1):
    """Y, Z, scores with ties, empty and full label sets."""
    shape = (draw(st.integers(1, 10)), draw(st.integers(min_labels, 5)))
    Y = draw(hnp.arrays(np.uint8, shape, elements=st.integers(0, 1)))
    Z = draw(hnp.arrays(np.uint8, shape, elements=st.integers(0, 1)))
    scores = draw(hnp.arrays(np.float64, shape, elements=st.integers(0, 8).map(lambda k: k / 8)))
    return Y, Z, scores


def by_sklearn(Y, Z, scores, zero_division, weights):
    """Every measure from scikit-learn, instance i weighing ``weights[i]``; needs two labels or more."""
    from sklearn import metrics

    values = {
        "subset_accuracy": metrics.accuracy_score(Y, Z, sample_weight=weights),
        "hamming_loss": metrics.hamming_loss(Y, Z, sample_weight=weights),
    }
    scorers = {"precision": metrics.precision_score, "recall": metrics.recall_score, "f1": metrics.f1_score}
    for prefix, average in (("example", "samples"), ("micro", "micro"), ("macro", "macro")):
        for name, scorer in scorers.items():
            values[f"{prefix}_{name}"] = scorer(
                Y, Z, average=average, zero_division=zero_division, sample_weight=weights
            )
    precision, recall = values["macro_precision"], values["macro_recall"]
    values["macro_f1_of_means"] = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    ranked = (Y.sum(axis=1) > 0) & (Y.sum(axis=1) < Y.shape[1])
    if ranked.any():
        loss = metrics.label_ranking_loss(Y[ranked], scores[ranked], sample_weight=weights[ranked])
    values["ranking_loss"] = loss if ranked.any() else 0.0
    values["label_ranking_loss"] = metrics.label_ranking_loss(Y, scores, sample_weight=weights)
    of_all = {"sample_weight": np.repeat(weights, Y.shape[1]), "labels": [0, 1]}
    values["log_loss"] = metrics.log_loss(Y.ravel(), scores.ravel(), **of_all)
    values["brier_loss"] = metrics.brier_score_loss(Y.ravel(), scores.ravel(), **of_all)
    values["average_precision"] = metrics.label_ranking_average_precision_score(Y, scores, sample_weight=weights)
    values["macro_average_precision"] = np.mean(sklearn_areas(Y, scores, zero_division, weights))
    return values


def sklearn_areas(Y, scores, zero_division, weights=None):
    from sklearn.metrics import average_precision_score

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "No positive class found", where it gives 0.0
        areas = [average_precision_score(y, f, sample_weight=weights) for y, f in zip(Y.T, scores.T, strict=True)]
    assert all(area == 0.0 for area, y in zip(areas, Y.T, strict=True) if not y.any())
    return [area if y.any() else zero_division for area, y in zip(areas, Y.T, strict=True)]


@settings(deadline=None, max_examples=80)
@given(batches(min_labels=2), st.sampled_from([0.0, 1.0]), st.sampled_from([1.0, 0.995, 0.5]))
def test_every_measure_equals_scikit_learn_also_faded(batch, zero_division, fading):
    Y, Z, scores = batch
    counts = Counts.zeros(Y.shape[1], KEPT, n_bins=N_BINS).count(Y, Z, scores, fading=fading)
    weights = fading ** np.arange(len(Y))[::-1]
    expected = by_sklearn(Y, Z, scores, zero_division, weights)
    values = evaluate(counts, zero_division=zero_division)
    assert list(values) == list(FLAT)
    assert values == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.nightly
@settings(deadline=None, max_examples=60)
@given(batches(), st.sampled_from([0.0, 1.0]))
def test_each_label_equals_scikit_learn(batch, zero_division):
    from sklearn.metrics import precision_recall_fscore_support as of_labels

    Y, Z, scores = batch
    table = per_label(Counts.zeros(Y.shape[1]).count(Y, Z), zero_division=zero_division)
    areas = label_average_precision(Y, scores, zero_division=zero_division)
    np.testing.assert_allclose(areas, sklearn_areas(Y, scores, zero_division), rtol=0, atol=1e-12)
    assert macro_average_precision(Y, scores, zero_division=zero_division) == pytest.approx(np.mean(areas), abs=1e-12)
    for label in range(Y.shape[1]):
        y, z = Y[:, label], Z[:, label]
        precision, recall, f1, _ = of_labels(y, z, average="binary", pos_label=1, zero_division=zero_division)
        expected = {"precision": precision, "recall": recall, "f1": f1, "support": y.sum(), "predicted": z.sum()}
        assert {name: column[label] for name, column in table.items()} == pytest.approx(expected, rel=0, abs=1e-12)


# Four instances over the labels a, b, c: {a, b} as {a}; {c} as {b, c}; {} as {}; {a, b, c} as {a, b}.
Y = np.array([[1, 1, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1]], np.uint8)
Z = np.array([[1, 0, 0], [0, 1, 1], [0, 0, 0], [1, 1, 0]], np.uint8)
SCORES = np.array([[0.9, 0.4, 0.5], [0.2, 0.6, 0.6], [0.1, 0.2, 0.3], [0.8, 0.7, 0.3]])
BY_HAND = {
    "subset_accuracy": 1 / 4,
    "hamming_loss": 3 / 12,
    "example_precision": (1 + 1 / 2 + 0 + 1) / 4,
    "example_recall": (1 / 2 + 1 + 0 + 2 / 3) / 4,
    "example_f1": (2 / 3 + 2 / 3 + 0 + 4 / 5) / 4,
    "micro_precision": 4 / 5,
    "micro_recall": 4 / 6,
    "micro_f1": 8 / 11,
    "macro_precision": (1 + 1 / 2 + 1) / 3,
    "macro_recall": (1 + 1 / 2 + 1 / 2) / 3,
    "macro_f1": (1 + 1 / 2 + 2 / 3) / 3,
    "macro_f1_of_means": 20 / 27,
    "ranking_loss": (1 / 2 + 1 / 2) / 2,  # b below c; c level with b; the other two rows have no pair
    "label_ranking_loss": (1 / 2 + 1 / 2 + 0 + 0) / 4,
    "log_loss": -np.log([0.9, 0.4, 0.5, 0.8, 0.4, 0.6, 0.9, 0.8, 0.7, 0.8, 0.7, 0.3]).mean(),
    "brier_loss": (0.01 + 0.36 + 0.25 + 0.04 + 0.36 + 0.16 + 0.01 + 0.04 + 0.09 + 0.04 + 0.09 + 0.49) / 12,
    "average_precision": ((1 + 2 / 3) / 2 + 1 / 2 + 1 + 1) / 4,
    "macro_average_precision": (1 + (1 + 2 / 3) / 2 + (1 + 2 / 4) / 2) / 3,
}


@pytest.mark.parametrize("name", FLAT)
def test_by_hand(name):
    counts = Counts.zeros(3, KEPT, n_bins=1_001).count(Y, Z, SCORES)
    assert evaluate(counts, [name])[name] == pytest.approx(BY_HAND[name], abs=1e-15)


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
def test_one_empty_row_predicted_empty(zero_division):
    empty = np.zeros((1, 2), np.uint8)
    values = evaluate(
        Counts.zeros(2, KEPT, n_bins=9).count(empty, empty, np.zeros((1, 2))), zero_division=zero_division
    )
    known = {"subset_accuracy": 1.0, "average_precision": 1.0, "log_loss": SMALLEST}
    known |= dict.fromkeys(("hamming_loss", "ranking_loss", "label_ranking_loss", "brier_loss"), 0.0)
    assert values == pytest.approx({name: known.get(name, zero_division) for name in FLAT}, rel=1e-12, abs=0)


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
@pytest.mark.parametrize("n_labels", [0, 2])
def test_nothing_counted_yet(zero_division, n_labels):
    values = evaluate(Counts.zeros(n_labels, KEPT, n_bins=9), zero_division=zero_division)
    assert values == {name: zero_division if measure.higher_is_better else 0.0 for name, measure in FLAT.items()}


@settings(deadline=None, max_examples=30)
@given(batches(), st.sampled_from([0.0, 1.0]))
def test_values_lie_in_the_stated_range(batch, zero_division):
    values = evaluate(
        Counts.zeros(batch[0].shape[1], KEPT, n_bins=N_BINS).count(*batch, fading=0.9),
        zero_division=zero_division,
    )
    for name, value in values.items():
        low, high = MEASURES[name].range
        assert low <= value <= high + 1e-12


def test_the_registry_describes_each_measure():
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.title
        assert measure.formula
        assert measure.averaging in {"example", "micro", "macro"}
        assert measure.higher_is_better != name.endswith("_loss")
    assert len({measure.title for measure in MEASURES.values()}) == len(MEASURES)
    scored = {name for name, measure in MEASURES.items() if measure.needs_scores}
    ranked = {"ranking_loss", "label_ranking_loss", "average_precision", "macro_average_precision"}
    assert scored == {*ranked, "log_loss", "brier_loss"}
    assert {name for name, measure in MEASURES.items() if not measure.by_default} == {
        "label_ranking_loss", "macro_average_precision", "log_loss", "brier_loss"
    }  # fmt: skip


def test_binned_average_precision_is_near_the_exact_one_off_the_grid():
    rng = np.random.default_rng(0)
    Y = (rng.random((2_000, 5)) < 0.3).astype(np.uint8)
    scores = np.clip(0.3 * Y + 0.7 * rng.random(Y.shape), 0, 1)
    counts = Counts.zeros(5, KEPT, n_bins=1_025).count(Y, Y, scores)
    binned = evaluate(counts, ["macro_average_precision"])["macro_average_precision"]
    assert binned == pytest.approx(macro_average_precision(Y, scores), abs=2e-3)


def test_per_label_makes_a_table():
    import pandas as pd

    table = pd.DataFrame(per_label(Counts.zeros(3).count(Y, Z), ["a", "b", "c"]))
    assert table.label.tolist() == ["a", "b", "c"]
    assert table.f1.tolist() == pytest.approx([1, 1 / 2, 2 / 3])
    assert table.support.tolist() == [2, 2, 2]
    with pytest.raises(ValueError, match="labels has 2 names"):
        per_label(Counts.zeros(3), ["a", "b"])


def test_an_unknown_measure_is_named_with_its_neighbours():
    with pytest.raises(ValueError, match=r"'micro_f'; did you mean .*micro_f1"):
        evaluate(Counts.zeros(2), ["micro_f"])
    with pytest.raises(ValueError, match=r"'zzz'; there are: subset_accuracy"):
        Tracker(["a"], measures=["zzz"])


@pytest.mark.parametrize("zero_division", [0.5, -1.0, math.nan])
def test_zero_division_is_checked(zero_division):
    with pytest.raises(ValueError, match="zero_division"):
        evaluate(Counts.zeros(2), zero_division=zero_division)
    with pytest.raises(ValueError, match="zero_division"):
        label_average_precision([[1]], [[0.5]], zero_division=zero_division)


def test_without_scores_the_ranking_measures_are_left_out_or_refused():
    counts = Counts.zeros(3, KEPT, n_bins=9).count(Y, Z)
    assert list(evaluate(counts)) == [name for name, measure in FLAT.items() if not measure.needs_scores]
    with pytest.raises(ValueError, match="'ranking_loss' needs scores"):
        evaluate(counts, ["ranking_loss"])
    with pytest.raises(ValueError, match="'macro_average_precision' needs score histograms"):
        evaluate(Counts.zeros(3).count(Y, Z, SCORES), ["macro_average_precision"])
    with pytest.raises(ValueError, match="scores is None"):
        label_average_precision(Y, None)


def test_rows_without_scores_do_not_count_in_the_ranking_measures():
    counts = Counts.zeros(3).count(Y, Z, SCORES).count(Y, Z)
    values = evaluate(counts, ["ranking_loss", "average_precision", "micro_f1"])
    assert values == pytest.approx({name: BY_HAND[name] for name in values}, abs=1e-15)


@pytest.mark.parametrize("name", ["log_loss", "brier_loss"])
def test_scores_that_are_no_probabilities_are_refused_by_row_and_column(name):
    tracker = Tracker(["a", "b"], measures=[name])
    with pytest.raises(ValueError, match=r"scores holds 1\.5 in row 1, column 0; it must be from 0 to 1"):
        tracker.update([[1, 0], [1, 1]], [[1, 0], [0, 1]], [[0.2, 0.3], [1.5, 0.0]])
    assert tracker.row == 0
    with pytest.raises(ValueError, match=f"'{name}' needs sums over scores from 0 to 1"):
        evaluate(Counts.zeros(3).count(Y, Z, SCORES), [name])


def test_a_score_of_zero_for_a_true_label_costs_a_finite_log_loss():
    value = evaluate(Counts.zeros(1, KEPT).count([[1]], [[0]], [[0.0]]), ["log_loss"])["log_loss"]
    assert value == pytest.approx(-math.log(SMALLEST), rel=1e-12)
    assert value == pytest.approx(MEASURES["log_loss"].range[1], rel=1e-12)


def test_a_score_may_be_off_by_rounding():
    just_outside = [[np.nextafter(1.0, 2.0), -1e-17]]
    counts = Counts.zeros(2, KEPT, n_bins=9).count([[1, 0]], [[1, 0]], just_outside)
    exact = Counts.zeros(2, KEPT, n_bins=9).count([[1, 0]], [[1, 0]], [[1.0, 0.0]])
    assert evaluate(counts) == evaluate(exact)
    with pytest.raises(ValueError, match="must be from 0 to 1"):
        counts.count([[1, 0]], [[1, 0]], [[1.00001, 0.0]])
