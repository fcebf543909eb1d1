"""Open any stream, and again as its recipe says."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from river import datasets

import streamlab as sl
from streamlab import streams
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


def test_yeast_is_rivers(tmp_path):
    stream = sl.load("yeast")
    assert stream.name == "yeast"
    assert (stream.n_rows, stream.schema.n_features, stream.schema.n_labels) == (2417, 103, 14)
    assert stream.drifts == ()
    for (x, y), (ours_x, ours_y), _ in zip(datasets.Yeast(), stream, range(50), strict=False):
        assert ours_x == x
        assert ours_y == y
    cardinality = sum(int(c.Y.sum()) for c in stream.chunks(500)) / 2417
    assert cardinality == pytest.approx(4.237, abs=1e-3)


def test_yeast_rotated():
    plain, rotated = (np.concatenate([c.Y for c in sl.load(n).chunks(500)]) for n in ("yeast", "yeast-rotated"))
    np.testing.assert_array_equal(rotated[:1200], plain[:1200])
    np.testing.assert_array_equal(rotated[1200:], np.roll(plain, 1, axis=1)[1200:])
    assert [d.start for d in sl.load("yeast-rotated").drifts] == [1200]
    assert sl.load("yeast-rotated").name == "yeast-rotated"


def test_movies():
    stream = sl.load("movies")
    assert (stream.n_rows, stream.schema.n_labels) == (17029, 21)
    assert stream.schema.labels[:2] == ("Action", "Adventure")
    n_set = np.zeros(21, int)
    for X, Y in stream.blocks():
        assert Y.any(1).all(), "every film has a genre"
        assert np.isin(X[:, 5:], (0, 1)).all()
        assert np.nanmax(X[:, 1]) <= 100
        n_set += Y.sum(0, dtype=int)
    most = n_set.max()
    assert stream.schema.labels[n_set.argmax()] == "Drama"
    assert 2 * most / (17029 + n_set.sum()) == pytest.approx(0.34, abs=0.001)
    assert stream.preview(5).shape == (5, 261 + 21)


def test_segments():
    stream = sl.load("segments")
    assert (stream.name, stream.n_rows, stream.schema.n_features, stream.schema.n_labels) == ("segments", 2310, 18, 9)
    assert stream.schema.labels == (
        "built", "brickface", "cement", "path", "window", "nature", "foliage", "grass", "sky",
    )  # fmt: skip
    assert stream.schema.hierarchy.parents == (-1, 0, 0, 0, 0, -1, 5, 5, 5)
    Y = np.concatenate([c.Y for c in stream.chunks()])
    assert Y.sum(axis=0).tolist() == [4 * 330, 330, 330, 330, 330, 3 * 330, 330, 330, 330]
    assert (Y[:, [1, 2, 3, 4]].sum(1) == Y[:, 0]).all()
    assert (Y[:, [6, 7, 8]].sum(1) == Y[:, 5]).all()


def test_catalogue_is_a_table():
    table = sl.catalogue().set_index("name")
    assert set(table["where"]) <= {"bundled", "cached", "fetched"}
    bundled = table[table["where"] == "bundled"]
    real = (
        "digits digits-renamed glucose image-segments instruments instruments-microphone movies routes segments songs "
        "songs-branches yeast yeast-rotated"
    )
    assert [name for name in bundled.index if not name.startswith("syn-")] == real.split()
    assert len(bundled) == len(real.split()) + 12 + 2
    assert (
        bundled.loc[["movies", "syn-regions", "yeast"], "licence"] == ["CC0-1.0", "BSD-3-Clause", "see source"]
    ).all()
    assert {"20ng", "20ng_test", "20ng_training", "yeast_test", "mediamill"} <= set(table.index)
    assert table["megabytes"].drop(bundled.index).notna().all()


TEXTS = {
    "f.arff": "@relation '-C -1'\n@attribute x numeric\n@attribute l {0,1}\n@data\n5,1\n",
    "f.csv": "x,l\n5,1\n",
    "f.svm": "1 1:5\n",
    "f.libsvm": "1 1:5\n",
    "f.txt": "1 1:5\n",
}


@pytest.mark.parametrize("name", [*TEXTS, "f.parquet", "F.ARFF", *(f"{n}.gz" for n in TEXTS)])
@pytest.mark.parametrize("as_text", [True, False])
def test_paths(tmp_path, name, as_text):
    import gzip

    path = tmp_path / name
    if name.endswith("parquet"):
        pd.DataFrame({"x": [5], "l": [1]}).to_parquet(path)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(TEXTS[name[:-3]].encode()))
    else:
        path.write_text(TEXTS[name.lower()])
    needs = any(part in name for part in ("csv", "parquet"))
    stream = sl.load(str(path) if as_text else path, labels=["l"] if needs else None)
    chunk = next(stream.chunks())
    assert chunk.X.tolist() == [[5]]
    assert chunk.Y.tolist() == [[1]]
    assert stream.name.lower() == "f"


def test_objects():
    frame = pd.DataFrame({"x": [5.0], "l": [1]})
    for stream in (
        sl.load((np.array([[5.0]]), np.array([[1]]))),
        sl.load((frame[["x"]], frame[["l"]])),
        sl.load(frame, labels=["l"]),
    ):
        assert next(stream.chunks()).X.tolist() == [[5]]
        assert sl.load(stream) is stream
    assert sl.load(datasets.Phishing(), n_rows=10).n_rows == 10


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("yest", {}, "'yest' is neither a file nor in the catalogue; did you mean 'yeast'"),
        ("qqqqqq", {}, "'qqqqqq' is neither a file nor in the catalogue; streamlab.catalogue() lists the names"),
        ("yeast", {"labels": 3}, "labels=3 does not go with a name"),
        ("emotions", {"mirror": "x"}, "emotions: there is no option mirror=; it takes none"),
        ("gone.arff", {}, "gone.arff does not exist"),
        ("gone.xlsx", {}, "the kind of file '.xlsx' is unknown"),
        ("folder/gone", {}, "the kind of file 'without suffix' is unknown"),
        ((1, 2, 3), {}, "a tuple of 3 parts"),
        (7, {}, "int is not a source of a stream"),
        ({}, {}, "dict is not a source of a stream"),
        (pd.DataFrame({"x": [1]}), {}, "DataFrame: which columns are labels?"),
        (([[1]], [[1]]), {"labels": ["x"]}, "does not go with (X, Y)"),
        (([[1]], pd.DataFrame({"x": [1]})), {}, "expected two of the same kind"),
        (([[1]], [[1]]), {"nme": "x"}, "there is no option nme=; did you mean 'name'?"),
        ("f.svm", {"labels": ["x"]}, "does not go with LibSVM"),
    ],
)
def test_wrong_sources_are_refused(source, options, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        sl.load(source, **options)
    assert "\n" not in str(caught.value)


def test_a_stream_takes_no_options():
    stream = sl.load(([[1]], [[1]]))
    with pytest.raises(ValueError, match="is a stream already; labels= does not go with it"):
        sl.load(stream, labels=1)


def test_public_names():
    for name in streams.__all__:
        assert getattr(streams, name) is not None
    assert set(streams.__all__) <= set(dir(streams))
    # A module of the same name must not take the function's place, whatever is imported first.
    importlib.import_module("streamlab.streams.load")
    assert callable(streams.load)
    with pytest.raises(AttributeError, match="attribute nothing"):
        _ = streams.nothing


def test_importing_loads_nothing_heavy():
    heavy = ("numba", "pandas", "river", "pooch", "pyarrow", "rich")
    code = f"import sys, streamlab.streams; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


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
            np.testing.assert_array_equal(
                first.labelling.labels_known(a.Y, rows), second.labelling.labels_known(b.Y, rows)
            )


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
        ({"source": "yeast", "options": {"cancel": "x"}}, "a recipe cannot have"),
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
    # the module, which is called as its function is
    monkeypatch.setattr(importlib.import_module("streamlab.streams.load"), "is_cached", lambda file: False)
    name = next(iter(recipes_of_fetched()))
    with pytest.raises(ValueError, match="has to be fetched first"):
        from_recipe({"source": name})


def recipes_of_fetched() -> list[str]:
    from streamlab.streams.catalogue import entries

    return [name for name, entry in entries().items() if entry.files]
