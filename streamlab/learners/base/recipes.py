"""Recipes: learners that are made of others with parameters that somebody published, by the name people know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from streamlab.learners.base.learner import Learner
from streamlab.plugins import Registry

__all__ = ["RECIPES", "Recipe", "make_learner"]


@dataclass(frozen=True)
class Recipe:
    """A learner by a name, with the parameters of a study.

    Parameters
    ----------
    name
        What people type and read, such as ``"HT one per label"``.
    about
        What it is, in one sentence.
    group
        What it is offered with, such as ``"River's learners, with the study's parameters"``.
    make
        Returns a new learner for a seed; None: a random one.
    answers_version
        Raised whenever the recipe gives other answers than before, by which a study knows results that are out of date.
        Default 1.
    papers
        What is cited for it: keys of ``papers.bib``, or BibTeX entries.

    Examples
    --------
    >>> from streamlab.learners import SMART, Recipe
    >>> slow = lambda seed: SMART(half_life=5000, seed=seed)
    >>> Recipe("slow SMART", "It forgets half in 5,000 rows.", "mine", slow).make(1).half_life
    5000
    """

    name: str
    about: str
    group: str
    make: Callable[[int | None], Learner]
    answers_version: int = 1
    papers: tuple[str, ...] = ()


RECIPES: Registry[Recipe] = Registry("streamlab.recipes", "recipe", of=Recipe, several=True)
"""Every recipe by its name; an entry point gives one or a tuple of them."""


def make_learner(name: str, seed: int | None = None) -> Learner:
    """Return a new learner of a recipe.

    Parameters
    ----------
    name
        A name of ``RECIPES``; ``streamlab learners`` lists them.
    seed
        Of everything random in it. None: a random one.

    Raises
    ------
    ValueError
        If there is no recipe of this name; near ones are suggested.

    Examples
    --------
    >>> model = make_learner("NB one per label")
    >>> model.learn_one({"a": 1.0}, {"l": True})
    >>> model.predict_one({"a": 1.0})
    {'l': True}
    """
    return RECIPES.load(name).make(seed)
