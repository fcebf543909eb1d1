"""Measures of other packages: with new counts, which are counted, faded, merged, saved and drawn like the others."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import streamlab as sl
from streamlab import plugins
from streamlab.measures import (
    DEFAULT_MEASURES,
    MEASURES,
    Batch,
    Count,
    Counts,
    Measure,
    Tracker,
    default_measures,
)
from streamlab.measures import catalogue as measure_catalogue
from streamlab.measures.catalogue import MeasureCatalogue
from streamlab.schema import Hierarchy

LABELS = ["a", "b", "c"]
TREE = Hierarchy((-1, 0, 0))

COVERED = Count("covered", lambda batch: (batch.Y <= batch.Z).all(axis=1))
SCORES_OF_TRUE = Count("scores_of_true", lambda batch: batch.Y * batch.scores, ("labels",), needs_scores=True)
PAIRS = Count("pairs", lambda batch: batch.Y[:, :, None] * batch.Z[:, None, :], ("labels", "labels"))
BIAS = Count("bias", lambda batch: batch.Z.sum(axis=1).astype(float) - batch.Y.sum(axis=1))
ROOTS = Count(
    "roots", lambda batch: batch.Y[:, np.array(batch.hierarchy.depths) == 0].any(axis=1), needs_hierarchy=True
)


def measure(name: str, *counts: Count, **options) -> Measure:
    """The mean over the instances of a count's sum."""

    def value(of: Counts, zero_division: float) -> float:
        return float(of.extra[counts[0].name].sum() / of.n) if of.n else zero_division

    return Measure(name, name.title(), "a mean", "example", value, counts=counts, **options)


OWN = {
    "coverage": measure("coverage", COVERED),
    "mean_score": measure("mean_score", SCORES_OF_TRUE, needs_scores=True),
    "mean_pairs": measure("mean_pairs", PAIRS, by_default=False),
    "mean_bias": measure("mean_bias", BIAS, range=(-3.0, 3.0)),
    "mean_roots": measure("mean_roots", ROOTS),
}


@pytest.fixture
def registered():
    removers = [MEASURES.add(one) for one in OWN.values()]
    yield
    for remove in removers:
        remove()


def drawn(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    Y, Z = (rng.random((2, n, 3)) < 0.5).astype(np.uint8)
    return Y, Z, rng.random((n, 3))


def naive(Y, Z, scores, fading=1.0) -> dict[str, np.ndarray]:
    sums = {"covered": 0.0, "scores_of_true": np.zeros(3), "pairs": np.zeros((3, 3)), "bias": 0.0, "roots": 0.0}
    for y, z, f in zip(Y, Z, scores, strict=True):
        adds = (
            float(set(np.flatnonzero(y)) <= set(np.flatnonzero(z))),
            np.where(y, f, 0.0),
            np.outer(y, z),
            float(z.sum()) - y.sum(),
            float(y[0]),
        )
        sums = {name: total * fading + add for (name, total), add in zip(sums.items(), adds, strict=True)}
    return sums


@pytest.mark.parametrize("size", [1, 7, 40])
def test_new_counts_equal_a_naive_loop_in_any_chunks_and_through_states(registered, size):
    Y, Z, f = drawn(40)
    tracker = Tracker(LABELS, [*OWN, "micro_f1"], fading=0.9, n_rows=40, hierarchy=TREE)
    for at in range(0, 40, size):
        tracker.update(*(array[at : at + size] for array in (Y, Z, f)))
        twin = Tracker(LABELS, [*OWN, "micro_f1"], fading=0.9, n_rows=40, hierarchy=TREE)
        twin.set_state(tracker.state())
        tracker = twin.copy()
    for over, fading in (("cumulative", 1.0), ("faded", 0.9)):
        expected = naive(Y, Z, f, fading)
        found = tracker.counts(over).extra
        assert set(found) == {"levels", *expected}
        for name, total in expected.items():
            np.testing.assert_allclose(found[name], total, rtol=1e-12, err_msg=f"{name}, {over}")
    assert tracker.value("coverage") == pytest.approx(naive(Y, Z, f)["covered"] / 40)
    last = (len(Y) - 1) // size * size
    assert tracker.value("mean_bias", "chunk") == pytest.approx(
        (int(Z[last:].sum()) - int(Y[last:].sum())) / (40 - last)
    )
    by_tenth = [row["mean_pairs"] for row in tracker.tenths()]
    assert np.mean(by_tenth) == pytest.approx(tracker.value("mean_pairs"))


def test_parts_merge():
    Y, Z, f = drawn(30)
    kept = (COVERED, SCORES_OF_TRUE, PAIRS)
    whole = Counts.zeros(3, kept).count(Y, Z, f)
    parts = [Counts.zeros(3, kept).count(Y[s], Z[s], f[s]) for s in (slice(12), slice(12, None))]
    for name, total in parts[0].merge(parts[1]).state().items():
        np.testing.assert_allclose(total, whole.state()[name], rtol=1e-12)
    assert parts[0].scaled(2.0).total("covered") == 2 * parts[0].total("covered")
    assert whole.total("covered") == float(whole.extra["covered"])
    assert whole.extra["pairs"].sum() == (Y[:, :, None] * Z[:, None, :]).sum()
    whole.clear()
    assert not whole.extra["pairs"].any()
    assert whole.total("covered") == 0.0


def test_rows_without_scores_add_nothing_to_a_count_of_scores():
    Y, Z, f = drawn(6)
    counts = Counts.zeros(3, [SCORES_OF_TRUE]).count(Y, Z, f).count(Y, Z)
    np.testing.assert_allclose(counts.extra["scores_of_true"], (Y * f).sum(axis=0))


def test_a_count_may_add_by_itself():
    def add(batch: Batch, fading: float, total: np.ndarray) -> None:
        for y in batch.Y:
            total *= fading
            total += y

    Y, Z, _ = drawn(9)
    counts = Counts.zeros(3, [Count("seen", shape=("labels",), add=add)])
    counts.count(Y[:4], Z[:4], fading=0.5).count(Y[4:], Z[4:], fading=0.5)
    np.testing.assert_allclose(counts.extra["seen"], (0.5 ** np.arange(9)[::-1]) @ Y)


def test_what_is_registered_is_in_tables_and_curves_of_a_run(registered):
    assert {"coverage", "mean_score", "mean_bias"} < set(default_measures(False))
    assert not {"mean_roots", "mean_pairs"} & set(default_measures(False))
    assert default_measures(False)[: len(DEFAULT_MEASURES)] == DEFAULT_MEASURES
    assert "mean_roots" in default_measures(True)
    Y, _, X = drawn(300)
    run = sl.Run(sl.load((X, Y)), {"last": sl.NoChange()}, chunk=20, history=4)
    run.advance()
    tracker = next(iter(run.learner_runs.values())).tracker
    assert run.summary.coverage["last"] == tracker.value("coverage")
    for over in ("cumulative", "faded"):
        assert run.curves(over).coverage.iloc[-1] == pytest.approx(tracker.value("coverage", over))
    assert run.curves(measures="mean_bias").mean_bias.between(-3, 3).all()
    assert "mean_pairs" not in run.summary
    with pytest.raises(ValueError, match="'mean_pairs' needs the count 'pairs', which was not kept"):
        tracker.value("mean_pairs")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Count("a b", len), "name='a b' must be a Python identifier"),
        (lambda: Count("exact", len), "none of the built-in counts"),
        (lambda: Count("x"), "one of terms and add"),
        (lambda: Count("x", len, add=len), "one of terms and add"),
        (lambda: Count("x", len, ("label",)), "'label' in its shape"),
        (lambda: Count("x", len, (-1,)), "-1 in its shape"),
        (lambda: Counts.zeros(2, [COVERED, Count("covered", len)]), "two different counts are called 'covered'"),
        (lambda: Counts.zeros(3, [ROOTS]).count(*drawn(2)), "'roots': expected a batch with the labels' hierarchy"),
        (
            lambda: Counts.zeros(3, [Count("x", lambda b: b.Y)]).count(*drawn(2)),
            r"'x': its terms have the shape \(2, 3\); expected \(2,\)",
        ),
        (
            lambda: Counts.zeros(3, [Count("x", lambda b: [0.0, np.nan])]).count(*drawn(2)),
            "'x': row 1 adds a value that is not a finite number",
        ),
        (lambda: Counts.zeros(3, [COVERED]).add_batch(Batch(*drawn(2))), "these counts have 'covered'"),
        (lambda: Counts.zeros(3, [COVERED]).merge(Counts.zeros(3)), r"3 labels; expected 3 labels, covered \(\)"),
        (lambda: MEASURES.add(MEASURES["micro_f1"]), "there is a measure 'micro_f1' already"),
        (lambda: MEASURES.add(len), "is a builtin_function_or_method; expected a Measure"),
    ],
)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_nothing_is_counted_when_a_count_fails():
    counts = Counts.zeros(3, [COVERED, Count("x", lambda batch: 1 / 0)])
    with pytest.raises(ValueError, match="count 'x': its terms raised ZeroDivisionError: division by zero"):
        counts.count(*drawn(2))
    assert counts.n == 0
    assert counts.total("covered") == 0.0


# ---------------------------------------------------------------------- entry points


def package(monkeypatch, name: str, **entries: object) -> list[EntryPoint]:
    """Entry points of a package: each gives a thing, or raises it if it is an exception."""
    module = ModuleType(name)

    def found(attribute: str) -> object:
        if isinstance(entries[attribute], Exception):
            raise entries[attribute]
        return entries[attribute]

    module.__getattr__ = found
    monkeypatch.setitem(sys.modules, name, module)
    points = []
    for entry in entries:
        point = EntryPoint(entry, f"{name}:{entry}", "streamlab.measures")
        vars(point).update(dist=SimpleNamespace(name=name))
        points.append(point)
    return points


@pytest.fixture
def catalogue(monkeypatch):
    def made(*points: EntryPoint) -> MeasureCatalogue:
        for module in (plugins, measure_catalogue):
            monkeypatch.setattr(module, "entry_points", lambda group: points)
        return MeasureCatalogue()

    return made


def test_an_entry_point_gives_one_measure_or_several(monkeypatch, catalogue):
    several = (OWN["mean_score"], OWN["mean_bias"])
    found = catalogue(*package(monkeypatch, "stranger", coverage=OWN["coverage"], more=several))
    assert found.registry.load("mean_bias") is OWN["mean_bias"], "also when it is the first that is asked for"
    assert list(found) == ["coverage", "mean_score", "mean_bias"]
    assert found["mean_bias"] is OWN["mean_bias"]
    assert found.registry.package("mean_bias") == "stranger"
    assert "more" not in found
    with pytest.raises(KeyError):
        found["more"]


def test_a_broken_package_does_not_take_the_others_along(monkeypatch, catalogue, caplog):
    points = package(monkeypatch, "broken", a=ImportError("no such thing"), b="no measure")
    found = catalogue(*points, *package(monkeypatch, "stranger", coverage=OWN["coverage"]))
    assert list(found) == ["coverage"]
    assert "the measure 'a' of the package broken cannot be imported: ImportError: no such thing" in caplog.text
    assert "the measure 'b' is a str; expected a Measure" in caplog.text


def test_of_two_counts_with_one_name_the_second_is_left_out_with_its_measure(monkeypatch, catalogue, caplog):
    other = Count("covered", lambda batch: (batch.Z <= batch.Y).all(axis=1))
    points = (
        *package(monkeypatch, "first", coverage=OWN["coverage"], same=measure("again", COVERED)),
        *package(monkeypatch, "second", more=(measure("reverse", other), OWN["mean_bias"])),
    )
    found = catalogue(*points)
    assert list(found) == ["coverage", "again", "mean_bias"], "the same count may be shared"
    assert (
        "the measure 'reverse' of the package second brings a count 'covered', and the measure 'coverage' of the "
        "package first brings another count of that name: it is left out"
    ) in caplog.text
    with pytest.raises(ValueError, match="'reverse' brings a count 'covered', and the measure 'coverage' of the pack"):
        found.add(measure("reverse", other))


def test_a_count_of_this_package_is_not_replaced():
    levels = Count("levels", lambda batch: batch.Y.sum(axis=1))
    with pytest.raises(ValueError, match="count 'levels', and the measure 'hierarchical_precision' brings another"):
        MEASURES.add(measure("depth", levels))


def test_of_two_with_one_name_this_package_s_own_wins(monkeypatch, catalogue, caplog):
    other = measure("micro_f1", COVERED)
    found = catalogue(
        *package(monkeypatch, "another", x=other), *package(monkeypatch, "streamlab", sets=(MEASURES["micro_f1"],))
    )
    assert found["micro_f1"] is MEASURES["micro_f1"]
    assert "'micro_f1' of the package another is hidden by that of streamlab" in caplog.text
