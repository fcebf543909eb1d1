"""The streams by name: entries, what strangers add, and the sets that other packages bring along."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import streamlab as sl
from streamlab.cli import app
from streamlab.streams import STREAMS, ArrayStream, StreamEntry, bundled, catalogue, load
from streamlab.streams.catalogue import STREAMS as SAME
from tests.streams.read import rows

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def tides(*, days: int = 2) -> ArrayStream:
    return ArrayStream([[0.0], [1.0]] * days, [[0], [1]] * days, name="tides")


TIDES = StreamEntry("tides", "water levels; flood", tides, 4, 1, 1, licence="CC0-1.0")


@pytest.fixture
def added():
    remove = STREAMS.add("tides", TIDES)
    yield
    remove()


def test_a_stream_of_this_session(added):
    assert SAME is STREAMS
    stream = sl.load("tides", days=3)
    assert (stream.name, stream.n_rows) == ("tides", 6)
    row = catalogue().set_index("name").loc["tides"]
    assert row[["rows", "features", "labels", "licence", "what", "where"]].tolist() == [
        4, 1, 1, "CC0-1.0", "water levels; flood", "this session",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="tides: there is no option weeks=; expected 'days'"):
        sl.load("tides", weeks=3)
    with pytest.raises(ValueError, match="'tide' is neither a file nor in the catalogue; did you mean 'tides'"):
        sl.load("tide")


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """A package outside this one, with a stream that works, one that cannot be imported, and no entry."""
    (tmp_path / "tidal_package.py").write_text(
        "from streamlab.streams import ArrayStream, StreamEntry\n"
        "TIDES = StreamEntry('tides', 'water levels; flood', lambda: ArrayStream([[0.0]], [[1]], name='tides'))\n"
        "WRONG = 3\n"
        "LIST = StreamEntry('list', 'no stream', lambda: [1, 2])\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = dict(STREAMS._entries())
    for name, value in (
        ("tides", "tidal_package:TIDES"),
        ("gone", "tidal_package:GONE"),
        ("wrong", "tidal_package:WRONG"),
        ("other", "tidal_package:TIDES"),
        ("list", "tidal_package:LIST"),
    ):
        found[name] = EntryPoint(name, value, "streamlab.streams")
    monkeypatch.setattr(STREAMS, "_found", found)
    monkeypatch.setattr(STREAMS, "_loaded", dict(STREAMS._loaded))
    monkeypatch.setattr(STREAMS, "_broken", {})
    yield
    sys.modules.pop("tidal_package", None)


def test_a_strangers_stream(installed, caplog):
    assert next(sl.load("tides").chunks()).Y.tolist() == [[1]]
    table = catalogue().set_index("name")
    assert table["where"]["tides"] == "?", "an entry point without a package"
    assert not {"gone", "wrong", "other"} & set(table.index), "what is wrong is left out"
    assert sum("cannot be imported" in message for message in caplog.messages) == 1
    catalogue()
    assert len(caplog.messages) == 3, "and said once"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone", r"the stream 'gone' of the package \? cannot be imported: AttributeError"),
        ("wrong", "the stream 'wrong' is a int; expected a StreamEntry"),
        ("other", "the stream 'other' has the name 'tides'; expected the same"),
        ("list", "list: its loader returned a list; expected a Stream"),
    ],
)
def test_strangers_streams_that_are_wrong(installed, name, message):
    with pytest.raises(ValueError, match=message):
        sl.load(name)


def test_names_that_are_taken():
    with pytest.raises(ValueError, match="there is a stream 'yeast' already"):
        STREAMS.add("yeast", TIDES)
    with pytest.raises(ValueError, match="'emotions' has the name of a benchmark set; expected another name"):
        STREAMS.add("emotions", StreamEntry("emotions", "", tides))


NUMBER = "expected a whole number, at least 0, or None"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": "many"}, f"rows='many': {NUMBER}"),
        ({"rows": 1.5}, f"rows=1.5: {NUMBER}"),
        ({"features": float("inf")}, f"features=inf: {NUMBER}"),
        ({"labels": -1}, f"labels=-1: {NUMBER}"),
        ({"labels": True}, f"labels=True: {NUMBER}"),
        ({"what": None}, "what=None: expected a text"),
        ({"licence": None}, "licence=None: expected a text"),
        ({"files": "tides.csv"}, "files='tides.csv': expected a tuple of the names of files"),
        ({"files": (3,)}, r"files=\(3,\): expected a tuple of the names"),
        ({"loader": "tides:load"}, "its loader is 'tides:load' .*; expected a function whose parameters are the opt"),
        ({"loader": None}, "its loader is None .*; expected a function"),
        ({"loader": dict}, "its loader is <class 'dict'> .*; expected a function"),
    ],
)
def test_one_bad_entry_is_left_out_and_takes_no_other_along(change, message, monkeypatch, caplog):
    entry = replace(TIDES, **change)
    with pytest.raises(ValueError, match=f"the stream 'tides': {message}"):
        STREAMS.add("tides", entry)
    # and as one of a package: the catalogue and the command line list the others
    module = ModuleType("tidal_entries")
    module.TIDES = entry
    monkeypatch.setitem(sys.modules, "tidal_entries", module)
    point = EntryPoint("tides", "tidal_entries:TIDES", "streamlab.streams")
    vars(point).update(dist=SimpleNamespace(name="tidal"))
    monkeypatch.setattr(STREAMS, "_found", dict(STREAMS._entries()) | {"tides": point})
    monkeypatch.setattr(STREAMS, "_loaded", dict(STREAMS._loaded))
    monkeypatch.setattr(STREAMS, "_broken", {})
    names = set(catalogue()["name"])
    assert "yeast" in names
    assert "tides" not in names
    assert re.search(f"the stream 'tides' of the package tidal: {message}", caplog.text)
    assert CliRunner().invoke(app, ["streams", "yeast"]).exit_code == 0
    with pytest.raises(ValueError, match=f"the stream 'tides' of the package tidal: {message}"):
        sl.load("tides")


def test_an_option_that_a_loader_needs_is_named():
    def load(harbour: str) -> ArrayStream:
        return ArrayStream([[0.0]], [[1]], name=harbour)

    remove = STREAMS.add("tides", replace(TIDES, loader=load))
    try:
        with pytest.raises(ValueError, match="tides: missing a required argument: 'harbour'"):
            sl.load("tides")
        assert sl.load("tides", harbour="Cuxhaven").name == "Cuxhaven"
    finally:
        remove()


def test_each_entry_point_of_this_package_is_what_it_says():
    mine = PROJECT["entry-points"]["streamlab.streams"]
    assert [name for name in STREAMS.names() if STREAMS.package(name) == "streamlab"] == sorted(mine)
    for name in mine:
        entry = STREAMS.load(name)
        assert entry.licence
        assert entry.source
        assert None not in (entry.rows, entry.features, entry.labels)
        stream = entry.load()
        assert stream.name == name
        found = (stream.n_rows, stream.schema.n_features, stream.schema.n_labels)
        assert (entry.rows, entry.features, entry.labels) == found


@pytest.mark.costly
@pytest.mark.parametrize("name", ["yeast", "syn-regions"])
def test_loading_one_imports_no_other(name):
    code = (
        f"import sys, streamlab as sl; sl.load({name!r}); "
        "print([m for m in sys.modules if m in ('numba', 'river') or m.startswith('streamlab.streams.generated.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = ["entries", "regions"] if name == "syn-regions" else []
    assert eval(done.stdout) == [f"streamlab.streams.generated.{module}" for module in expected]


def whole(name):
    stream = load(name)
    return stream, *rows(stream)


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


def test_without_the_extra(monkeypatch):
    monkeypatch.setattr(bundled, "find_spec", lambda name: None)
    bundled._arrays.cache_clear()
    with pytest.raises(ValueError, match=r'which is not installed: pip install "streamlab\[movies\]"'):
        load("movies")


def test_without_its_database(monkeypatch, tmp_path):
    class Found:
        origin = str(tmp_path / "__init__.py")

    monkeypatch.setattr(bundled, "find_spec", lambda name: Found)
    bundled._arrays.cache_clear()
    with pytest.raises(ValueError, match=r"movies.db does not exist; expected the file of bokeh_sampledata"):
        load("movies")
