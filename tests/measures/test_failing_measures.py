"""A measure that fails is named with its package; where nobody asked for it, it takes nothing else along."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.measures import DEFAULT_MEASURES, MEASURES, Count, Counts, Measure, evaluate
from streamlab.measures.measure import TABLE_COLUMNS

HITS = Count("hits_here", lambda batch: batch.Y.sum(axis=1) > 1)


def measure(value: Any, name: str = "odd", **options: Any) -> Measure:
    return Measure(name, "Odd", "nothing", "example", value, **options)


def nothing(counts: Counts, zero_division: float) -> float:
    return counts.n * 0.0


def count(terms: Any = None, **options: Any) -> tuple[Count, ...]:
    return (Count("hits_here", terms, **options),)


FAILING_VALUES = {
    "raises": (measure(lambda counts, zero_division: 1 / 0), "it raised ZeroDivisionError: division by zero"),
    "wants a count": (
        measure(lambda counts, zero_division: counts.total("hits")), "it raised KeyError: 'hits'"
    ),
    "takes one": (measure(lambda counts: 1.0), "it raised TypeError: .* takes 1 positional argument but 2 were given"),
    "none": (measure(lambda counts, zero_division: None), "its value is None; expected a number"),
    "text": (measure(lambda counts, zero_division: "0.5"), "its value is '0.5'; expected a number"),
    "array": (measure(lambda counts, zero_division: np.ones(3)), r"its value is array\(.*; expected a number"),
    "bool": (measure(lambda counts, zero_division: True), "its value is True; expected a number"),
}  # fmt: skip
FAILING_COUNTS = {
    "terms raise": (
        measure(nothing, counts=count(lambda batch: batch.scores[:, 99])), "count 'hits_here': its terms raised Ind"
    ),
    "one number": (
        measure(nothing, counts=count(lambda batch: (batch.Y == batch.Z).mean())),
        r"count 'hits_here': its terms have the shape \(\); expected \(100,\)",
    ),
    "not finite": (
        measure(nothing, counts=count(lambda batch: batch.Y[:, 0] / 0.0)),
        "count 'hits_here': row 0 adds a value that is not a finite number",
    ),
    "add raises": (
        measure(nothing, counts=count(add=lambda batch, fading, total: total[99])),
        "count 'hits_here': its add raised IndexError",
    ),
    "add adds nothing": (
        measure(nothing, counts=count(add=lambda batch, fading, total: total + 1.0)),
        "count 'hits_here': its add returned a float64; expected it to change total in place",
    ),
}  # fmt: skip
FAILING = FAILING_VALUES | FAILING_COUNTS
of_rows = measure(nothing, counts=(HITS,), of_rows=lambda Y, scores, zero_division: Y[999, 0])


@pytest.fixture
def added(monkeypatch):
    """A function that registers a measure for the test, as one of the package ``stranger``."""
    removers = []
    package = MEASURES.registry.package
    monkeypatch.setattr(MEASURES.registry, "package", lambda name: "stranger" if name == "odd" else package(name))

    def add(one: Measure) -> Measure:
        removers.append(MEASURES.add(one))
        return one

    yield add
    for remove in removers:
        remove()


def run_of(n: int = 200, **options: Any) -> sl.Run:
    run = sl.Run("yeast", {"it": sl.NoChange()}, **options)
    run.advance(n)
    return run


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize("which", FAILING)
def test_who_did_not_ask_for_it_gets_nan_and_one_warning(which, added, caplog, tmp_path):
    expected = run_of()
    added(FAILING[which][0])
    with caplog.at_level(logging.WARNING, "streamlab"):
        run = run_of()
        usual = ["instances", *DEFAULT_MEASURES]
        pd.testing.assert_frame_equal(run.summary[usual], expected.summary[usual])
        pd.testing.assert_frame_equal(run.curves("faded").drop(columns="odd"), expected.curves("faded"))
        pd.testing.assert_frame_equal(run.tenths.drop(columns="odd"), expected.tenths)
        for table in (run.summary, run.curves(), run.tenths):
            assert table.odd.isna().all()
        assert math.isnan(run.learner_runs["it"].tracker.value("odd", "chunk"))
        run.save(tmp_path / "x.slab")
        run.seek(100)
        run.fork("it", "copy")
        run.advance(50)
        again = sl.Run.open(tmp_path / "x.slab")
        assert again.summary.odd.isna().all()
        again.advance(100)
        assert again.summary.odd.isna().all()
    told = [message for message in caplog.messages if "'odd'" in message]
    assert len(told) == 1
    assert told[0].startswith("the measure 'odd' of the package stranger: ")
    assert told[0].endswith("; its value is NaN")


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize("which", FAILING)
def test_who_asked_for_it_is_told_which_measure_and_package(which, added, caplog):
    one, message = FAILING[which]
    added(one)
    with pytest.raises(ValueError, match=f"the measure 'odd' of the package stranger: {message}"):
        _ = run_of(measures=["micro_f1", "odd"]).summary
    assert "'odd'" not in caplog.text


def test_a_value_asked_for_and_all_values():
    remove = MEASURES.add(FAILING["raises"][0])
    try:
        counts = Counts.zeros(2).count([[1, 0]], [[1, 0]])
        with pytest.raises(ValueError, match="the measure 'odd': it raised ZeroDivisionError"):
            evaluate(counts, ["odd"])
        values = evaluate(counts)
        assert math.isnan(values.pop("odd"))
        assert values["micro_f1"] == 1.0
    finally:
        remove()


def test_in_a_cross_validation_it_is_named_too(added):
    added(FAILING["terms raise"][0])
    with pytest.raises(ValueError, match="the measure 'odd' of the package stranger: count 'hits_here': its terms"):
        sl.cross_validate("yeast", sl.MajorityLabels(), folds=2, measures=["odd"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"counts": HITS}, r"measure 'odd': counts is a Count; expected a tuple of Count, as in \(count,\)"),
        ({"counts": [HITS]}, "measure 'odd': counts is a list; expected a tuple of Count"),
        ({"counts": ("hits",)}, "measure 'odd': counts is a tuple; expected a tuple of Count"),
        ({"counts": (HITS, *count(len))}, "measure 'odd': two different counts are called 'hits_here'"),
        ({"name": "seconds"}, "measure 'seconds': tables have a column of that name; expected another name"),
        ({"name": "tenth"}, "measure 'tenth': tables have a column"),
        ({"name": ""}, "measure '': name='': expected a text"),
        ({"name": 3}, "measure 3: name=3: expected a text"),
        ({"value": 0.5}, "measure 'odd': expected functions as value and of_rows"),
        ({"of_rows": 0.5}, "measure 'odd': expected functions as value and of_rows"),
    ],
)
def test_what_is_no_measure_is_refused_when_it_is_made(options, message):
    with pytest.raises(ValueError, match=message):
        measure(**{"value": nothing} | options)


def test_a_count_has_no_name_of_a_tracker_s_state():
    for name in ("Y", "scores", "sums"):
        with pytest.raises(ValueError, match="none of the built-in counts"):
            Count(name, len)


@pytest.mark.nightly
def test_the_columns_that_no_measure_may_be_called_are_those_of_the_tables(tmp_path):
    result = sl.prequential("yeast", {"it": sl.NoChange()}, n=300, measures=["micro_f1"])
    folds = sl.cross_validate("yeast", sl.MajorityLabels(), folds=2, measures=["micro_f1"])
    study = sl.Study(["yeast"], {"it": sl.NoChange()}, measures=["micro_f1"], chunk=500, results=tmp_path)
    study.run(workers=1)
    tables = [result.summary.reset_index(), result.curves, result.tenths, folds.folds, folds.repeats]
    tables += [study.results(), study.curves("micro_f1")]
    for table in tables:
        assert set(table) - {"micro_f1"} <= TABLE_COLUMNS
