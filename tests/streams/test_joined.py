"""Streams one after another as one: rows, lengths, drifts, recipes, and what is refused."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamlab as sl
from streamlab.streams import ArrayStream, JoinedStream, from_recipe


def made(*lengths):
    starts = np.cumsum([0, *lengths])
    return [
        ArrayStream(np.arange(a, b, dtype=float)[:, None], np.ones((b - a, 1), np.uint8)) for a, b in pairwise(starts)
    ]


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=4),
    st.integers(1, 50),
    st.integers(0, 130),
    st.none() | st.integers(1, 130),
)
def test_rows_are_those_of_the_parts_in_order_however_they_are_cut(lengths, size, start, n_rows):
    stream = sl.join(made(*lengths), n_rows)
    total = sum(lengths) if n_rows is None else min(sum(lengths), n_rows)
    assert stream.n_rows == total
    chunks = list(stream.chunks(size, start=start))
    seen = np.concatenate([chunk.X.ravel() for chunk in chunks]) if chunks else np.empty(0)
    assert seen.tolist() == list(range(min(start, total), total))
    assert [chunk.start for chunk in chunks] == list(range(start, max(total, start), size))


def test_drifts_keep_their_places_and_those_behind_the_end_are_gone():
    parts = [sl.load("syn-regions", n_rows=400, seed=1), sl.load("syn-regions", n_rows=400, seed=1)]
    changed = [sl.swap_labels(part, 0, 1, at=100) for part in parts]
    own = [drift.start for drift in changed[0].drifts]
    assert [drift.start for drift in sl.join(changed).drifts] == sorted([*own, *(400 + at for at in own)])
    assert all(drift.start < 450 for drift in sl.join(changed, 450).drifts)


def test_a_recipe_makes_it_again(tmp_path):
    stream = sl.join([sl.load("yeast"), sl.load("yeast")], 3000)
    twin = from_recipe(stream.recipe)
    assert isinstance(twin, JoinedStream)
    assert twin.n_rows == stream.n_rows == 3000
    for mine, its in zip(stream.chunks(500), twin.chunks(500), strict=True):
        assert np.array_equal(mine.X, its.X)
        assert np.array_equal(mine.Y, its.Y)
    assert sl.join(made(3)).recipe is None


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ({"parts": 3}, "its parts are 3"),
        ({"parts": []}, "its parts are"),
        ({"parts": [{"parts": []}]}, "parts of its own"),
        ({"parts": [{"source": "yeast"}], "rows": -1}, "n_rows=-1"),
    ],
)
def test_a_hostile_recipe_is_refused(recipe, said):
    with pytest.raises(ValueError, match=said):
        from_recipe(recipe)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="at least one stream"):
        sl.join([])
    with pytest.raises(ValueError, match="different schemas"):
        sl.join([sl.load("yeast"), *made(3)])
    with pytest.raises(ValueError, match="n_rows=0"):
        sl.join(made(3), 0)
    with pytest.raises(ValueError, match="labels come late"):
        sl.join([sl.delay_labels(made(3)[0], 1)])
    endless = sl.load("syn-regions", endless=True)
    with pytest.raises(ValueError, match="unknown length"):
        sl.join([endless, endless])
    assert sl.join([endless], 50).n_rows == 50


def test_titles_come_from_the_parts():
    films = sl.load("movies")
    joined = sl.join([films, films])
    assert joined.title_of(films.n_rows + 3) == films.title_of(3) != ""
