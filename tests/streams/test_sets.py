"""Sets made of what other packages bring along: digits as bars, glucose, routes; films where theirs is missing."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.streams import load, movies, sampledata


def whole(name):
    stream = load(name)
    chunks = list(stream.chunks(1000))
    return stream, np.concatenate([c.X for c in chunks]), np.concatenate([c.Y for c in chunks])


def test_each_digit_lights_its_bars():
    stream, _, Y = whole("digits")
    bars = {stream.title_of(row): "".join(map(str, Y[row])) for row in range(len(Y))}
    assert len(bars) == 10 == len(set(bars.values()))
    # top, upper left, upper right, middle, lower left, lower right, bottom
    assert (bars["1"], bars["2"], bars["7"], bars["8"]) == ("0010010", "1011101", "1010010", "1111111")


@pytest.mark.parametrize(("name", "shape"), [("glucose", (8168, 9, 5)), ("routes", (6022, 9, 12))])
def test_shapes_and_that_no_row_is_without_a_label(name, shape):
    _, X, Y = whole(name)
    assert (len(X), X.shape[1], Y.shape[1]) == shape
    assert np.isfinite(X).all()
    assert Y.sum(axis=1).min() >= 1


def test_no_label_of_glucose_is_of_readings_after_the_next_row():
    stream, X, Y = whole("glucose")
    times = np.array([stream.title_of(row) for row in range(len(X))], "datetime64[m]")
    steps = np.diff(times).astype(int)
    assert steps.min() >= 30
    # where the next row is half an hour later, its level is the last that the labels are of
    follows = np.flatnonzero(steps == 30)
    moved = X[follows + 1, 0] - X[follows, 0]
    np.testing.assert_array_equal(Y[follows, 3], moved > 20)
    np.testing.assert_array_equal(Y[follows, 4], moved < -20)


def test_distances_of_routes_are_those_of_the_globe():
    stream, X, _ = whole("routes")
    row = next(row for row in range(len(X)) if stream.title_of(row) == "LAX to JFK")
    assert X[row, -1] == pytest.approx(3974, abs=10)


def test_without_the_extra(monkeypatch):
    monkeypatch.setattr(sampledata, "find_spec", lambda name: None)
    movies._arrays.cache_clear()
    with pytest.raises(ValueError, match=r'which is not installed: pip install "streamlab\[movies\]"'):
        load("movies")


def test_without_its_database(monkeypatch, tmp_path):
    class Found:
        origin = str(tmp_path / "__init__.py")

    monkeypatch.setattr(sampledata, "find_spec", lambda name: Found)
    movies._arrays.cache_clear()
    with pytest.raises(ValueError, match=r"movies.db does not exist; expected the file of bokeh_sampledata"):
        load("movies")
