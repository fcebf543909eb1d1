"""The heads of pictures, without a browser: what stands there, and that a number dragged, stepped or typed is taken."""

from __future__ import annotations

import math

import pytest

import streamlab as sl
from streamlab.lab.seeds import Band
from streamlab.views.page.heads import NO_SCORE, Head


def head_of(learner, done: list) -> Head:
    return Head("it", "it", learner, 0, tune=lambda *what: done.append(what), settings=done.append)


def test_a_value_stands_there_where_the_curve_has_a_point():
    head = head_of(sl.SMART(half_life=200), [])
    head.show({"half_life": 50.0}, Band(0.64, 0.64, 0.64), "rows 801 to 900")
    assert {key: head.shown[key] for key in ("value", "before", "set", "after")} == {
        "value": ".64", "before": "half fades in ", "set": "50", "after": " rows"
    }  # fmt: skip
    head.show({}, NO_SCORE, "no rows yet")
    assert head.shown["value"] == ""


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        (sl.SMART(half_life=math.inf), ("fades ", "never", "")),
        (sl.MLHAT(grace_period=1500), ("tries a split every ", "1,500", " rows")),
        (sl.NoChange(), ("", "", "")),
    ],
)
def test_its_main_parameter_is_a_sentence(learner, words):
    packed = head_of(learner, []).shown
    assert (packed["before"], packed["set"], packed["after"]) == words
    assert not words[1] or packed["options"]


def test_what_is_typed_is_a_value_or_refused_by_its_name():
    done: list = []
    head = head_of(sl.SMART(half_life=200), done)
    for text in ("500", "1,234", "never", "∞"):
        head._handle_msg({"kind": "command", "name": "tune", "value": text})
    assert done == [("it", "half_life", each) for each in (500, 1234, math.inf, math.inf)]
    with pytest.raises(ValueError, match=r"Half-life: expected a number.*found soon"):
        head._handle_msg({"kind": "command", "name": "tune", "value": "soon"})
    head._handle_msg({"kind": "command", "name": "settings", "value": None})
    assert done[-1] == "it"
