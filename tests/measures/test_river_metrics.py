"""River's metrics as measures: their values are River's own, whole, faded and by chunk."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from river import datasets, metrics, naive_bayes, tree
from river.datasets import synth
from river.metrics import multioutput

import streamlab as sl
from streamlab.measures import MEASURES, Counts, Tracker, counts_of, evaluate, measure_names

RNG = np.random.default_rng(0)
Y = (RNG.random((120, 4)) < [0.1, 0.4, 0.6, 0.9]).astype(np.uint8)
Z = np.where(RNG.random((120, 4)) < 0.3, 1 - Y, Y).astype(np.uint8)
SCORES = 0.6 * Z + 0.4 * RNG.random((120, 4))

OF_RIVER = [
    kind() for name in metrics.__all__
    if isinstance(kind := getattr(metrics, name, None), type)
    and issubclass(kind, metrics.base.ClassificationMetric)
    and name not in ("ClassificationReport", "ConfusionMatrix", "ROCAUC", "RollingROCAUC", "RollingPRAUC")
    and "FBeta" not in name
] + [
    metrics.FBeta(beta=2), multioutput.ExactMatch(), multioutput.MacroAverage(metrics.F1()),
    multioutput.MicroAverage(metrics.MCC()), multioutput.SampleAverage(metrics.Jaccard()),
    multioutput.MicroAverage(metrics.LogLoss()),
]  # fmt: skip


def by_hand(metric, rows):
    """River's own value, fed label by label, or label set by label set."""
    metric = metric.clone()
    for y, z, scores in zip(Y[rows].tolist(), Z[rows].tolist(), SCORES[rows].tolist(), strict=True):
        told = [bool(each) for each in z] if metric.requires_labels else [{True: p, False: 1 - p} for p in scores]
        if isinstance(metric, multioutput.base.MultiOutputMetric):
            metric.update({j: bool(v) for j, v in enumerate(y)}, dict(enumerate(told)))
        else:
            for true, said in zip(y, told, strict=True):
                metric.update(bool(true), said)
    return metric.get()


@pytest.mark.parametrize("metric", OF_RIVER, ids=lambda metric: type(metric).__name__)
def test_the_values_are_rivers(metric):
    (name,) = measure_names([metric])
    tracker = Tracker(list("abcd"), [name])
    for start in range(0, 120, 50):
        rows = slice(start, start + 50)
        tracker.update(Y[rows], Z[rows], SCORES[rows])
    assert tracker.value(name) == pytest.approx(by_hand(metric, slice(None)), abs=1e-12)
    assert tracker.value(name, "chunk") == pytest.approx(by_hand(metric, slice(100, None)), abs=1e-12)
    assert math.isfinite(tracker.value(name, "faded"))
    # the text alone makes it, in another process or an archive
    assert measure_names([name, metric]) == (name,)
    low, high = MEASURES[name].range
    assert low <= tracker.value(name) <= high
    assert MEASURES[name].higher_is_better == metric.bigger_is_better
    assert Tracker(list("abcd"), [name], zero_division=1.0).value(name) == float(metric.bigger_is_better)


def test_faded_it_is_what_river_has_with_weights():
    metric, name = metrics.MCC(), "river.metrics.MCC"
    tracker = Tracker(list("abcd"), [name], fading=0.9)
    tracker.update(Y, Z, SCORES)
    for row in range(120):
        for y, z in zip(Y[row].tolist(), Z[row].tolist(), strict=True):
            metric.update(bool(y), bool(z), 0.9 ** (119 - row))
    assert tracker.value(name, "faded") == pytest.approx(metric.get())


class HalfRight(metrics.base.BinaryMetric):
    """A metric of a user's own."""

    def get(self):
        return self.cm.true_positives(True) / 2 / max(self.cm.total_weight, 1)


def test_a_metric_of_ones_own_has_its_classs_name():
    assert measure_names(["micro_f1", HalfRight()]) == ("micro_f1", "HalfRight")
    counts = Counts.zeros(4, counts_of(["HalfRight"])).count(Y, Z)
    assert evaluate(counts, ["HalfRight"])["HalfRight"] == (Y & Z).sum() / 2 / 480

    class HalfRight2(HalfRight):
        def get(self):
            return 1.0

    HalfRight2.__name__ = "HalfRight"
    measure_names([HalfRight2()])
    assert evaluate(counts, ["HalfRight"])["HalfRight"] == 1.0


@pytest.mark.parametrize(
    "metric",
    [
        metrics.ROCAUC(), metrics.MAE(), metrics.ConfusionMatrix(), metrics.ClassificationReport(),
        multioutput.PerOutput(metrics.F1()), metrics.F1() + metrics.Accuracy(),
    ],
    ids=lambda metric: type(metric).__name__,
)  # fmt: skip
def test_what_no_sums_give_is_refused(metric):
    with pytest.raises(ValueError, match=r"does not follow from sums|mean of label sets|no value that is a number"):
        measure_names([metric])


@pytest.mark.parametrize(
    "text",
    [
        "river.metrics.Nope", "river.metrics.FBeta(gamma=2)", "river.metrics.MCC().get()", "river.metrics.base.Metric",
        "river.metrics.MCC(cm=__import__('os'))", "river.metrics.multioutput.MacroAverage(river.tree.HoeffdingTree)",
        "river.metrics.(" + "(" * 400,
    ],
)  # fmt: skip
def test_a_text_names_rivers_metrics_and_executes_nothing(text):
    with pytest.raises(ValueError, match="no metric of River's"):
        measure_names([text])
    assert text not in MEASURES


@pytest.mark.nightly
def test_runs_count_them_and_archives_know_them_again(tmp_path):
    metric = multioutput.MacroAverage(metrics.F1())
    name = "river.metrics.multioutput.MacroAverage(river.metrics.F1)"
    run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)}, measures=["macro_f1", metric, metrics.MCC()])
    run.advance(600)
    summary = run.summary.loc["SMART"]
    assert summary[name] == pytest.approx(summary["macro_f1"])
    assert run.curves()[name].notna().all()
    run.save(tmp_path / "run.slab")
    code = f"import streamlab as sl; print(sl.Run.open({str(tmp_path / 'run.slab')!r}).summary[{name!r}].iloc[0])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) == summary[name]
    result = sl.prequential("yeast", sl.NoChange(), n=200, measures=metrics.LogLoss())
    assert list(result.summary.columns[:1]) == ["river.metrics.LogLoss"]


CLASSES = {
    "words": (datasets.ImageSegments, lambda: tree.HoeffdingTreeClassifier(grace_period=50, tau=0.3)),
    "bools": (datasets.Phishing, naive_bayes.GaussianNB),
    "numbers": (lambda: synth.LED(seed=1), naive_bayes.BernoulliNB),
}


@pytest.mark.parametrize("classes", CLASSES)
def test_of_classes_the_values_are_those_of_rivers_own_loop(classes):
    source, make = CLASSES[classes]
    plain = [metric.clone() for metric in OF_RIVER if not isinstance(metric, multioutput.base.MultiOutputMetric)]
    own = {measure_names([metric])[0]: metric for metric in plain}
    # River's own with another positive class than True finds none of its rows
    chosen = {7: metrics.F1(), "sky": metrics.F1()}
    model = make()
    for x, y in source().take(600):
        scores, answer = model.predict_proba_one(x), model.predict_one(x)
        for metric in own.values():
            given = answer if metric.requires_labels else scores
            if given not in (None, {}):
                metric.update(y, given)
        for positive, metric in chosen.items():
            if answer is not None:
                metric.update(y == positive, answer == positive)
        model.learn_one(x, y)
    own |= {f"river.metrics.F1(pos_val={each!r})": metric for each, metric in chosen.items()}
    run = sl.Run(sl.load(source(), n_rows=600), {"it": make()}, measures=list(own), chunk=100)
    run.advance(450)
    run.seek(200)
    run.advance()
    summary = run.summary.loc["it"]
    expected = {name: metric.get() for name, metric in own.items()}
    assert dict(summary[list(own)]) == pytest.approx(expected, abs=1e-9)
    assert run.curves()[list(own)].notna().all(axis=None)


def test_a_matrix_of_too_many_classes_is_refused():
    stream = sl.load(([[0.0]] * 202, [f"c{n % 101}" for n in range(202)]))
    with pytest.raises(ValueError, match="there are 101 classes; expected up to 100"):
        sl.Run(stream, sl.NoChange(), measures=[metrics.Accuracy()])
    assert sl.Run(stream, sl.NoChange(), measures=[metrics.F1(), "accuracy"]).advance() == 202
