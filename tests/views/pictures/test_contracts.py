"""A picture asks of a learner what its contract says, and each learner that names it has that."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners import LEARNERS
from streamlab.streams import ArrayStream
from streamlab.views.kit.picture import Budget, Picture, Subject
from streamlab.views.pictures import pictures
from tests.fuzz.learners import NAMES, made, rows, schema

PICTURES: dict[str, Picture] = {picture.name: picture for picture in pictures() if picture.contract is not None}
DRAWN = [name for name in LEARNERS.names() if getattr(LEARNERS.load(name), "picture", "") in PICTURES]
TOLD = [name for name in NAMES if issubclass(getattr(sl, name), sl.Learner) and name != "TargetsAsLabels"]
"""Every learner but the one whose regressors take numbers alone."""
FIRST = {getattr(sl, name).picture: name for name in reversed(TOLD)}.values()
"""One for each picture; the others are for the night."""


def asked_by(picture: Picture) -> dict[str, Any]:
    """The names of a contract, with the function where it is one."""
    contract = picture.contract
    assert contract is not None
    found = {name: value for name, value in vars(contract).items() if not name.startswith("_")}
    return dict.fromkeys(contract.__annotations__) | found


class Only:
    """A learner of which a picture sees its contract and nothing else."""

    def __init__(self, learner: Any, names: set[str]) -> None:
        self._learner, self._names = learner, names

    def __getattr__(self, name: str) -> Any:
        if name not in self._names:
            raise AssertionError(f"{name} is not in the contract")
        return getattr(self._learner, name)


@pytest.mark.whole
@pytest.mark.parametrize("name", DRAWN)
def test_a_learner_has_what_its_picture_asks(name: str) -> None:
    kind = LEARNERS.load(name)
    picture = PICTURES[kind.picture]
    assert isinstance(kind(), picture.contract)
    for member, asked in asked_by(picture).items():
        if inspect.isfunction(asked):
            wanted = [(p.name, p.default) for p in inspect.signature(asked).parameters.values()]
            has = [(p.name, p.default) for p in inspect.signature(getattr(kind, member)).parameters.values()]
            assert has[: len(wanted)] == wanted, member


@pytest.mark.parametrize("learner", [sl.SMART(seed=1), sl.MLHAT(seed=1), sl.BalancedKNN()])
def test_a_picture_asks_for_nothing_else(learner: sl.Learner) -> None:
    picture = PICTURES[learner.picture]
    run = sl.Run("yeast", {"it": learner}, chunk=50)
    run.advance(150)
    may_have = {"answer_parts", "tree_words", "started_within"}
    only: Any = Only(run.learner_runs["it"].learner, asked_by(picture).keys() | may_have)
    columns = picture.columns(Subject("it", only, run), None, Budget()).columns
    assert len(next(iter(columns.values()))) > 0


@pytest.mark.whole
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in FIRST else pytest.mark.nightly) for n in TOLD])
def test_each_part_of_every_picture_is_told_without_markup_of_names(name: str) -> None:
    plain = schema(name)
    features = tuple(replace(feature, name=f"<i>{feature.name}") for feature in plain.features)
    hostile = replace(plain, features=features, labels=tuple(f"<b>{label}" for label in plain.labels))
    run = sl.Run(ArrayStream(*rows(plain, 400, 1), schema=hostile), {"<me>": made(name)}, chunk=50)
    run.advance()
    subject = Subject("<me>", run.learner_runs["<me>"].learner, run)
    for picture in [each for each in pictures() if each.of_learner and each.fits(subject)]:
        ids = picture.columns(subject, None, Budget()).columns.get("id", [])
        stories = [picture.columns(subject, part, Budget()).story for part in np.unique(ids).tolist()[:40]]
        for story in [*stories, None]:
            told = picture.note("<me>", 0, story, hostile, list(run.log))
            assert story is None or "&lt;" in told
            assert not {"<me>", "<b>l", "<i>x", "<i>c"} & set(re.findall("<me>|<b>l|<i>[xc]", told)), picture.name
            assert not re.search(r"\b(None|nan|array)\b", told), picture.name
