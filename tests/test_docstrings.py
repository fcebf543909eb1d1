"""Public names: each says what it is, with its parameters, and has an example, which pytest runs as a doctest."""

from __future__ import annotations

import inspect
import re

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
MADE_BY_A_FUNCTION = re.compile(r"\bsee ``|``\w+`` (and ``\w+`` )?makes? it")
"""A class that a public function makes refers to it, where the example stands."""


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


@pytest.mark.parametrize("name", [name for package, name in NAMES if package == "streamlab" and name != "Player"])
def test_a_name_of_the_package_has_an_example(name):
    text = inspect.getdoc(getattr(streamlab, name)) or ""
    assert ">>> " in text or MADE_BY_A_FUNCTION.search(text)
