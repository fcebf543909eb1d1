"""A stream that says how it was made is made again, row for row; what a recipe must not name is refused."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams import (
    DRIFTS,
    Stream,
    delay_labels,
    feature_noise,
    from_recipe,
    hide_labels,
    new_label,
    prior_shift,
    rotate_labels,
    shuffle_rows,
    stuck_features,
    swap_features,
    swap_labels,
    vanish_label,
)

CHANGED: dict[str, Callable[[Stream], Stream]] = {
    "delay_labels": lambda s: delay_labels(s, (0, 30), seed=2),
    "feature_noise": lambda s: feature_noise(s, at=[30, 60], strength=0.5, share=0.5),
    "hide_labels": lambda s: hide_labels(s, 0.5, per="label"),
    "new_label": lambda s: new_label(s, 1, 40),
    "prior_shift": lambda s: prior_shift(s, s.schema.labels[0], 3.0, at=20),
    "rotate_labels": lambda s: rotate_labels(s, at=np.int64(30), width=10),
    "shuffle_rows": lambda s: shuffle_rows(s, seed=7),
    "stuck_features": lambda s: stuck_features(s, at=[30, 60], share=0.5),
    "swap_features": lambda s: swap_features(s, at=30, share=0.5),
    "swap_labels": lambda s: swap_labels(s, 0, 1, 50),
    "vanish_label": lambda s: vanish_label(s, 0, at=10, until=90),
}


def same_rows(first: Stream, second: Stream) -> None:
    assert first.schema == second.schema
    assert (first.name, first.drifts) == (second.name, second.drifts)
    for a, b in zip(first.chunks(70, stop=140), second.chunks(70, stop=140), strict=True):
        np.testing.assert_array_equal(a.X, b.X)
        np.testing.assert_array_equal(a.Y, b.Y)
        if first.labelling is not None:
            rows = np.arange(a.start, a.stop)
            np.testing.assert_array_equal(first.labelling.arrives(rows), second.labelling.arrives(rows))
            np.testing.assert_array_equal(first.labelling.told(a.Y, rows), second.labelling.told(b.Y, rows))


def test_every_change_has_a_case():
    assert set(CHANGED) == set(DRIFTS.names())


@pytest.mark.parametrize("name", CHANGED)
def test_a_change_is_recorded(name):
    stream = hide_labels(CHANGED[name](sl.load("syn-tree-sudden", n_rows=150, seed=3)), 0.1)
    assert stream.recipe["stream"]["change"] == name
    same_rows(stream, from_recipe(json.loads(json.dumps(stream.recipe))))


@pytest.mark.parametrize("source", ["yeast", "segments", "syn-regions", "instruments"])
def test_names_of_the_catalogue_are_recorded(source):
    stream = sl.load(source)
    assert stream.recipe == {"source": source, "options": {}}
    same_rows(stream, from_recipe(stream.recipe))


def test_a_file_is_opened_only_where_the_caller_allows_it(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y,l\n" + "1.5,2.5,1\n" * 30)
    stream = sl.load(path, labels=["l"])
    assert stream.recipe == {"file": str(path), "options": {"labels": ["l"]}}
    with pytest.raises(ValueError, match="open it with"):
        from_recipe(stream.recipe)
    same_rows(stream, from_recipe(stream.recipe, files=True))


def test_arrays_and_what_is_made_of_them_have_none():
    stream = sl.load((np.zeros((20, 2)), np.ones((20, 2), np.uint8)))
    assert stream.recipe is None
    assert swap_labels(stream, 0, 1, at=5).recipe is None


@pytest.mark.parametrize(
    ("recipe", "why"),
    [
        (None, "expected a source or a file"),
        ({}, "expected a source or a file"),
        ({"source": "os"}, "neither a file nor in the catalogue"),
        ({"source": "../x.csv"}, "neither a file nor in the catalogue"),
        ({"source": ["yeast"]}, "expected a text"),
        ({"source": "syn-regions", "options": {"seed": {}}}, "a recipe cannot have"),
        ({"source": "syn-regions", "options": {"sid": 1}}, "no option sid"),
        ({"source": "enron", "options": {"mirror": "http://localhost"}}, "a recipe cannot have"),
        ({"change": "os.system", "parameters": {}, "stream": {"source": "yeast"}}, "names the change"),
        ({"change": "swap_labels", "parameters": {"b": 1}, "stream": {"source": "yeast"}}, "missing"),
        ({"change": "swap_labels", "parameters": {"stream": 1}, "stream": {"source": "yeast"}}, "the parameters"),
        ({"change": "swap_labels", "parameters": {"c": 1}, "stream": {"source": "yeast"}}, "no parameter 'c'"),
        ({"change": "swap_labels", "parameters": {"a": 0, "b": 99, "at": 5}, "stream": {"source": "yeast"}}, "b=99"),
    ],
)
def test_what_is_no_recipe_is_refused(recipe, why):
    with pytest.raises(ValueError, match=why):
        from_recipe(recipe)


def test_a_recipe_that_goes_on_and_on_is_refused():
    recipe = {"source": "yeast"}
    for _ in range(1500):
        recipe = {"change": "hide_labels", "parameters": {"share": 0.1}, "stream": recipe}
    with pytest.raises(ValueError, match="more than 1,000 changes"):
        from_recipe(recipe)


def test_a_set_that_is_not_there_is_not_fetched(monkeypatch):
    from streamlab.streams import recipes

    monkeypatch.setattr(recipes, "is_cached", lambda file: False)
    name = next(iter(recipes_of_fetched()))
    with pytest.raises(ValueError, match="has to be fetched first"):
        from_recipe({"source": name})


def recipes_of_fetched() -> list[str]:
    from streamlab.streams.catalogue import entries

    return [name for name, entry in entries().items() if entry.files]
