"""Learners by what people type: those of other packages with what they need, and errors that say what is wrong."""

from __future__ import annotations

import logging

import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.described import describe, make_described
from streamlab.learners import LEARNERS, Learner, TargetsAsLabels, Tunable
from streamlab.learners.from_text import parse_learner
from tests.lab.made import made_stream


class Needs(sl.NoChange):
    """Has one parameter without a default."""

    def __init__(self, k, rate=0.5, seed=None) -> None:
        self.k, self.rate, self.seed = k, rate, seed
        self._start()


class Forgets(sl.NoChange):
    """Forgets to start."""

    def __init__(self, k=1) -> None:
        self.k = k


class Untold(sl.NoChange):
    """Has a tunable without its parameter."""

    tunables = (Tunable("rate", 0, 1),)

    def __init__(self, rate: float = 0.5) -> None:
        self._start()


class Raising(sl.NoChange):
    """Cannot be made."""

    def __init__(self) -> None:
        raise KeyError("licence")


class iSOUPT(sl.NoChange):
    """Is called as a recipe is."""


@pytest.fixture(autouse=True)
def registered():
    removals = [LEARNERS.add(kind.__name__, kind) for kind in (Needs, Forgets, Untold, Raising, iSOUPT)]
    yield
    for remove in removals:
        remove()


def test_a_parameter_without_a_default_is_given_or_asked_for():
    model = parse_learner("Needs(k=3)", {"seed": 7})
    assert (model.k, model.rate, model.seed) == (3, 0.5, 7)
    for text in ("Needs", "Needs()", "Needs(rate=0.1)"):
        with pytest.raises(ValueError, match=r"Needs needs k=; expected Needs\(k=…\)"):
            parse_learner(text)
    with pytest.raises(ValueError, match="Needs has no parameter 'm'; it has: k, rate, seed"):
        parse_learner("Needs(m=3)")
    for name in ("Pipeline", "OnePerLabel"):
        with pytest.raises(ValueError, match=f"{name} is made of other learners, which only Python code can give it"):
            parse_learner(name)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Forgets", r"Forgets\.__init__ did not call self\._start\(\)"),
        ("Untold", "Untold cannot be made: AttributeError: "),
        ("Raising", "Raising cannot be made: KeyError: 'licence'"),
    ],
)
def test_what_is_wrong_with_a_class_is_said(text, said):
    with pytest.raises(ValueError, match=said):
        parse_learner(text)


def test_a_run_says_that_a_learner_was_not_started():
    with pytest.raises(ValueError, match=r"learner 'it': Forgets\.__init__ did not call self\._start\(\)"):
        Run(made_stream(10), {"it": Forgets()})


def test_recipes_need_no_seed():
    assert isinstance(parse_learner("NB one per label"), Learner)
    described = describe("StandardScaler | iSOUPT")
    assert isinstance(make_described(described, 1), Learner)


def test_a_class_with_the_name_of_a_recipe_is_hidden_with_a_warning(caplog):
    with caplog.at_level(logging.WARNING, "streamlab"):
        assert isinstance(parse_learner("iSOUPT", {"seed": 1}), TargetsAsLabels)
    assert "the learner 'iSOUPT' of this session is hidden by the recipe of this name: rename its class" in caplog.text
