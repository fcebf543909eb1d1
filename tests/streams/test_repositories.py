"""Data sets by address: River's by name, OpenML's by number, from the answers that scikit-learn has recorded."""

from __future__ import annotations

import socket
from urllib.error import URLError

import numpy as np
import pytest
from sklearn.datasets import _openml
from sklearn.datasets.tests.test_openml import _monkey_patch_webbased_functions as recorded

import streamlab as sl
from streamlab.streams import from_recipe

EMOTIONS = ("amazed.suprised", "happy.pleased", "relaxing.calm", "quiet.still", "sad.lonely", "angry.aggresive")


@pytest.fixture
def no_network(monkeypatch, tmp_path):
    def refuse(*args, **kwargs):
        error = socket.gaierror(-2, "Name or service not known")
        raise URLError(error) from error

    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path))
    monkeypatch.setattr(_openml, "urlopen", refuse)


def openml(number, **options):
    with pytest.MonkeyPatch.context() as patch:
        recorded(patch, number, True)
        return sl.load(f"openml:{number}", **options)


@pytest.mark.usefixtures("no_network")
def test_a_multi_label_set_of_openml_is_fetched_once():
    stream = openml(40589)
    assert (stream.name, stream.schema.labels) == ("emotions", EMOTIONS)
    first = next(stream.chunks())
    assert first.X.shape == (13, 72)
    assert first.Y[:2].tolist() == [[0, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 1]]
    again = next(sl.load("openml:40589").chunks())
    assert (again.X.tobytes(), again.Y.tobytes()) == (first.X.tobytes(), first.Y.tobytes())
    other = sl.load("openml:40589", labels=["sad.lonely"])
    assert (other.schema.n_features, other.schema.labels) == (77, ("sad.lonely",))
    assert other.recipe == {"source": "openml:40589", "options": {"labels": ["sad.lonely"]}}


@pytest.mark.usefixtures("no_network")
def test_other_sets_of_openml():
    iris = openml(61)
    assert iris.schema.labels == ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
    assert sum(chunk.Y.sum(axis=1).tolist() == [1] * 150 for chunk in iris.chunks(150)) == 1
    sparse = openml(292, sparse=True)
    assert (sparse.is_sparse, sparse.schema.labels) == (True, ("Y",))
    for number, options, message in (
        (561, {}, "openml:561: cpu, column 'class': expected labels .*, found numbers from 15 to 1238"),
        (40589, {"labels": "happy"}, "openml:40589: Could not find target_column='happy'"),
        (40589, {"labels": 2}, "openml:40589: labels=2: expected names of columns"),
        (40589, {"separator": ";"}, "there is no option separator="),
    ):
        with pytest.raises(ValueError, match=message):
            openml(number, **options)


@pytest.mark.usefixtures("no_network")
def test_without_a_network_openml_says_so_in_one_sentence():
    with pytest.raises(ConnectionError) as caught:
        sl.load("openml:40589")
    assert str(caught.value) == "openml:40589: openml.org could not be reached (Name or service not known)"
    with pytest.raises(ValueError, match="openml:iris: 'iris' is no number of a data set"):
        sl.load("openml:iris")


def test_sets_of_river_by_name():
    assert sl.load("river:Yeast").schema.n_labels == 14
    logical = sl.load("river:Logical", n_tiles=5, seed=1, n_rows=12)
    assert (logical.n_rows, logical.schema.labels) == (12, ("OR", "XOR", "AND"))
    assert logical.recipe["options"] == {"n_tiles": 5, "seed": 1, "n_rows": 12}
    again = from_recipe(logical.recipe, fetch=True)
    assert np.array_equal(next(again.chunks(12)).X, next(logical.chunks(12)).X)
    with pytest.raises(ValueError, match="'river:Logical' is of a repository: open it"):
        from_recipe(logical.recipe)
    flares = sl.load("river:SolarFlare", above=1)
    counts = [list(y.values()) for _, y in flares.dataset]
    assert next(flares.chunks(2000)).Y.tolist() == [[n > 1 for n in row] for row in counts]
    for name, options, message in (
        ("Yeats", {}, "River has no data set 'Yeats'; did you mean 'Yeast'"),
        ("Logical", {"tiles": 5}, "there is no option tiles=; did you mean 'n_tiles'"),
        ("Logical", {"labels": ["OR"]}, r"labels=\['OR'\] does not go with a River data set"),
        ("SolarFlare", {}, "row 23, label 'c-class-flares': expected True or False, found 5; above= makes flags"),
        ("Music", {}, r"first: river\.datasets\.Music\(\)\.download\(\)"),
    ):
        with pytest.raises(ValueError, match=message):
            sl.load(f"river:{name}", **options)
