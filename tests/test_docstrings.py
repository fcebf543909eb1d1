"""Public names: each says what it is, with its parameters, and has an example, which pytest runs as a doctest."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

import streamlab
import streamlab.learners
import streamlab.measures
import streamlab.streams

PACKAGES = (streamlab, streamlab.streams, streamlab.learners, streamlab.measures)
NAMES = sorted(
    {
        (package.__name__, name)
        for package in PACKAGES
        for name in package.__all__
        if inspect.isclass(getattr(package, name)) or inspect.isfunction(getattr(package, name))
    }
)
API = Path(__file__).parents[1] / "docs" / "api"
LISTED = re.compile(r"^\.\. currentmodule:: (\S+)$|^   ([A-Za-z_]\w*)$", re.MULTILINE)
ELSEWHERE = "streamlab.views.kit"
"""What a picture is made of: its example is the picture of docs/contributing, which the tests run from outside."""


def listed() -> list[tuple[str, str]]:
    """The module and name of all that the reference lists, and of all that the packages give."""
    found = set(NAMES)
    for page in API.glob("*.rst"):
        module = ""
        for change, name in LISTED.findall(page.read_text(encoding="utf-8")):
            module = change or module
            if module and name and not module.startswith(ELSEWHERE):
                found.add((module, name))
    return sorted(found)


def thing(package: str, name: str) -> object:
    return getattr(next(each for each in PACKAGES if each.__name__ == package), name)


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_a_public_name_says_what_it_is(package, name):
    found = thing(package, name)
    text = inspect.getdoc(found) or ""
    assert text.split("\n")[0].endswith((".", ":")), "one sentence first"
    if inspect.isfunction(found):
        without = [each for each in inspect.signature(found).parameters if each not in text]
        assert without == []


@pytest.mark.parametrize(("module", "name"), listed())
def test_a_public_name_has_an_example(module, name):
    found = getattr(importlib.import_module(module), name)
    assert "Examples\n--------\n" in (text := inspect.getdoc(found) or ""), "how it is used, in lines that run"
    assert ">>> " in text.partition("Examples\n--------\n")[2]


def test_the_catalogue_of_measures_has_an_example():
    assert ">>> " in (inspect.getdoc(type(streamlab.MEASURES)) or "")
