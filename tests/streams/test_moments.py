"""Times of rows, and labels that come so much time later."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest
from river import compose, evaluate, metrics, naive_bayes

import streamlab as sl
from streamlab.streams import guess_table
from streamlab.streams.moments import rows_until

START = dt.datetime(2024, 1, 1)


class Pairs(list):
    """A data set of River's: pairs that are there as often as asked for."""


def load_pairs(pairs, **options):
    from streamlab.streams.readers.river import RiverStream

    return RiverStream(Pairs(pairs), **options)


def made_pairs(n=400, seed=0):
    rng = np.random.default_rng(seed)
    seconds = np.cumsum(rng.integers(0, 4, n) * rng.integers(0, 4, n))  # with ties and gaps
    values = rng.normal(size=(n, 2)).tolist()
    return [
        ({"a": a, "when": START + dt.timedelta(seconds=s), "b": b}, "yes" if a + b > 0 else "no")
        for (a, b), s in zip(values, seconds.tolist(), strict=True)
    ]


@pytest.mark.parametrize("chunk", [1, 100])
@pytest.mark.parametrize("seconds", [0, 1, 7, 100, 10**6])
def test_a_span_of_time_is_that_of_river(seconds, chunk):
    pairs, delay = made_pairs(), dt.timedelta(seconds=seconds)
    theirs = metrics.Accuracy()
    model = compose.Discard("when") | naive_bayes.GaussianNB()
    evaluate.progressive_val_score(pairs, model, theirs, moment="when", delay=delay)
    stream = sl.delay_labels(load_pairs(pairs, moment="when"), delay)
    run = sl.Run(stream, {"bayes": naive_bayes.GaussianNB()}, chunk=chunk)
    run.advance()
    assert run.summary.loc["bayes", "accuracy_of_answered"] == theirs.get()


@pytest.mark.parametrize("microseconds", [0, 1, 5, 50])
def test_a_row_waits_for_the_first_that_is_late_enough(microseconds):
    times = np.sort(np.random.default_rng(1).integers(0, 90, 60)).astype("M8[us]")
    span = np.timedelta64(microseconds, "us")
    arrives = np.arange(60) + rows_until(times, span)
    for t in range(60):
        later = [j for j in range(t + 1, 60) if times[j] >= times[t] + span]
        at_the_end = t if not microseconds else 60
        assert arrives[t] == (later[0] - 1 if later else at_the_end)


def test_a_guess_writes_it_down(tmp_path):
    path = tmp_path / "loans.csv"
    pd.DataFrame([{**x, "kind": y} for x, y in made_pairs()]).to_csv(path, index=False)
    guess = guess_table(path, classes="kind", moment="when")
    assert "moment='when'" in guess.python()
    again = sl.load(path, **guess.options())
    assert again.schema == guess.stream().schema
    np.testing.assert_array_equal(again.moments, guess.stream().moments)


def test_texts_and_spans_say_the_same():
    stream = load_pairs(made_pairs(), moment="when")
    rows = np.arange(400)
    by_span = sl.delay_labels(stream, dt.timedelta(minutes=2)).labelling.arrives(rows)
    np.testing.assert_array_equal(sl.delay_labels(stream, "2 minutes").labelling.arrives(rows), by_span)
    both = sl.delay_labels(sl.delay_labels(stream, 10), "2 minutes").labelling
    np.testing.assert_array_equal(both.arrives(rows), by_span + 10)
    assert both.max_delay == (by_span - rows).max() + 10


def test_a_key_of_times_is_no_feature():
    stream = load_pairs(made_pairs(), moment="when")
    assert stream.schema.feature_names == ("a", "b")
    assert (stream.moments == [x["when"] for x, _ in made_pairs()]).all()
    assert sl.swap_labels(stream, 0, 1, at=9).moments is stream.moments


@pytest.mark.parametrize(
    ("options", "delay", "said"),
    [
        ({}, 0, "row 0, feature 'when': expected a number.*moment='when' says"),
        ({"moment": 3}, 0, "moment=3: expected the name"),
        ({"moment": "when"}, "soon", "delay='soon': expected .* or a span of time"),
        ({"moment": "when"}, dt.timedelta(-1), "expected .* or a span of time up to 200 years"),
        ({"moment": "when"}, dt.timedelta.max, "expected .* or a span of time up to 200 years"),
    ],
)
def test_what_cannot_be_is_said(options, delay, said):
    with pytest.raises(ValueError, match=said):
        sl.delay_labels(load_pairs(made_pairs(5), **options), delay)


@pytest.mark.parametrize("value", [5.0, None, "noon"])
def test_a_row_without_a_time_is_refused(value):
    pairs = made_pairs(9)
    pairs[3][0]["when"] = value
    with pytest.raises(ValueError, match=f"row 3, feature 'when': expected a time such as .*found '?{value}"):
        load_pairs(pairs, moment="when")


def test_times_that_fall_are_refused(tmp_path):
    pairs = made_pairs(20)
    pairs[7][0]["when"] = START - dt.timedelta(days=1)
    with pytest.raises(ValueError, match=r"row 7, feature 'when': 2023-12-31.* comes before .*sort them"):
        load_pairs(pairs, moment="when")
    path = tmp_path / "x.csv"
    path.write_text("when,x,y\n2024-01-02,1.5,1\n2024-01-01,2.5,0\n")
    with pytest.raises(ValueError, match=r"x\.csv, line 3, column 1 .*2024-01-01.* comes before 2024-01-02"):
        sl.load(path, labels="y", moment="when")
    path.write_text("when,x,y\n2024-01-02,1.5,1\n24.12.2025,2.5,0\n")
    with pytest.raises(ValueError, match=r"line 3, column 1 .*expected a time .*found '24.12.2025'"):
        sl.load(path, labels="y", moment="when")


def test_rows_without_times_say_so():
    stream = load_pairs(made_pairs(), moment="when")
    for other in (sl.load("yeast"), sl.shuffle_rows(stream), sl.prior_shift(stream, 0, 3.0, at=5)):
        with pytest.raises(ValueError, match=r"its rows have no times; expected .*moment="):
            sl.delay_labels(other, "2 minutes")
    with pytest.raises(ValueError, match="come late by their rows' times"):
        sl.prior_shift(sl.delay_labels(stream, "2 minutes"), 0, 3.0, at=5)


def test_a_column_has_one_meaning():
    table = pd.DataFrame({"when": ["2024-01-01"] * 4, "z": [1, 3, 2, 1.5], "x": [1.5, 2, 3, 4], "y": [0, 1, 0, 1]})
    with pytest.raises(ValueError, match="'when' is named in title= and in moment="):
        sl.load(table, labels="y", moment="when", title="when")
    with pytest.raises(ValueError, match="moment= names 'y', which is a label"):
        sl.load(table, labels="y", moment="y")
    with pytest.raises(ValueError, match=r"row 1, column 'x': expected a time .*found 1.5"):
        sl.load(table, labels="y", moment="x")
