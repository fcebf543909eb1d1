"""What has moved is still found by its old path, with a warning, and is the same object."""

from __future__ import annotations

import importlib
import sys

import pytest

import streamlab
from streamlab._moved import MOVED, NAMES


@pytest.mark.parametrize("old", MOVED)
def test_an_old_path_gives_the_module_of_the_new_one(old, monkeypatch):
    monkeypatch.delitem(sys.modules, old, raising=False)
    new = importlib.import_module(MOVED[old])
    with pytest.warns(DeprecationWarning, match=f"{old} has moved to {MOVED[old]}"):
        assert importlib.import_module(old) is new
    assert new.__spec__.name == new.__name__ == MOVED[old]


@pytest.mark.parametrize("package", NAMES)
def test_an_old_name_is_the_new_class(package):
    old, new = importlib.import_module(package), importlib.import_module(NAMES[package])
    with pytest.warns(DeprecationWarning, match=f"has moved to {NAMES[package]}"):
        found = [getattr(old, name) for name in new.__all__]
    assert found == [getattr(new, name) for name in new.__all__]
    with pytest.raises(AttributeError, match="NoSuchLearner"):
        _ = old.NoSuchLearner


def test_completion_shows_the_toolkit_and_its_rivals_are_there_all_the_same():
    shown = dir(streamlab)
    assert len(shown) <= 65
    assert {"SMART", "MLHAT", "load", "prequential", "Run"} <= set(shown)
    assert "GOOWE" not in shown
    assert streamlab.GOOWE is streamlab.rivals.GOOWE
