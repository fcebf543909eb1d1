"""The films: what is missing when their package is not installed."""

from __future__ import annotations

import pytest

import streamlab as sl
from streamlab.streams import movies, sampledata


def test_without_the_extra(monkeypatch):
    monkeypatch.setattr(sampledata, "find_spec", lambda name: None)
    movies._arrays.cache_clear()
    with pytest.raises(ValueError, match=r'which is not installed: pip install "streamlab\[movies\]"'):
        sl.load("movies")


def test_without_its_database(monkeypatch, tmp_path):
    class Found:
        origin = str(tmp_path / "__init__.py")

    monkeypatch.setattr(sampledata, "find_spec", lambda name: Found)
    movies._arrays.cache_clear()
    with pytest.raises(ValueError, match=r"movies.db does not exist; expected the file of bokeh_sampledata"):
        sl.load("movies")
