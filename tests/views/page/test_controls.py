"""A control for whatever a parameter may be."""

from __future__ import annotations

import math

import pytest

from streamlab.learners import Tunable
from streamlab.views.page.learner_cards import control, meant


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("value", [4, math.inf])
def test_infinity_has_its_place_on_a_scale_without_steps_by_factors(integer, value):
    widget = control(Tunable("rows", 1, 10, integer=integer, infinite=True), value)
    assert widget.value == value
    labels = list(widget.options)
    assert (labels[0], labels[-2], labels[-1]) == ("1", "10", "∞")
    assert meant(widget, len(labels) - 1) == math.inf
    assert meant(widget, labels.index("10")) == 10


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("value", [None, 5, math.inf])
def test_infinity_and_none_are_both_offered(integer, value):
    widget = control(Tunable("rows", 1, 100, integer=integer, optional=True, infinite=True), value)
    assert widget.value == value
    assert list(widget.options)[-2:] == ["∞", "no bound"]


@pytest.mark.parametrize(
    ("tunable", "value", "ends"),
    [
        (Tunable("rows", 1, 5, integer=True), 3, ("1", "5")),
        (Tunable("rate", 0.5, 1500.0), 1.0, ("0.5", "1,500")),
        (Tunable("delta", 1e-12, 0.5, logarithmic=True), 0.1, ("1e-12", "0.5")),
        (Tunable("rows", 1, 10_000, logarithmic=True, infinite=True), math.inf, ("1", "∞")),
        (
            Tunable("rows", 1, 9, infinite=True, says="fades in {value}", says_never="does not fade"),
            2,
            ("1", "never"),
        ),
    ],
)
def test_a_slider_has_the_ends_of_its_range_beside_it(tunable, value, ends):
    (sheet,) = control(tunable, value).stylesheets
    assert [part.split('"')[1] for part in sheet.split("content:")[1:]] == list(ends)
