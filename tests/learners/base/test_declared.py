"""What no control and no card can show is refused where it is declared."""

from __future__ import annotations

import math

import pytest

import streamlab as sl
from streamlab.learners import LEARNERS, EventKind, Tunable, like, parameter, tunable


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"high": math.inf}, r"Tunable\('a'\): high is inf; expected a finite number"),
        ({"high": math.inf, "integer": True}, r"Tunable\('a'\): high is inf; expected a finite number"),
        ({"low": -math.inf}, r"Tunable\('a'\): low is -inf"),
        ({"low": "0"}, r"Tunable\('a'\): low is '0'"),
        ({"low": 2}, r"Tunable\('a'\): low is 2, high 1; expected low first"),
        ({"low": -5, "high": 0, "logarithmic": True}, "high is 0; a logarithmic control needs one above 0"),
        ({"says": "{rate} fades"}, r"says is '\{rate\} fades'; expected a text with \{value\} in it"),
        ({"says": "{value fades"}, "says is '{value fades'; expected a text"),
        ({"says": "{value.nothing}"}, "says is .*; expected a text"),
        ({"title": None}, r"title is None; expected a text"),
        ({"choices": "fast"}, "choices is 'fast'; expected a tuple of values"),
    ],
)
def test_a_parameter_that_no_control_can_show_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        Tunable(**{"name": "a", "low": 0, "high": 1} | options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"title": None}, r"EventKind\(None\): title is None; expected a text"),
        ({"title": " "}, "the title is empty; expected what happened"),
        ({"rule": None}, r"EventKind\('t'\): rule is None; expected a text"),
        ({"numbers": ("rows",)}, r"EventKind\('t'\): numbers is \('rows',\); expected a dictionary of words"),
        ({"numbers": {"rows": 1}}, r"EventKind\('t'\): numbers is {'rows': 1}; expected a dictionary of words"),
        ({"is_detection": True}, "the event 't' is a detection: expected a source"),
    ],
)
def test_an_event_that_no_card_can_show_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        EventKind(**{"title": "t"} | options)


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"tunables": Tunable("a", 0, 1)}, r"Mine\.tunables is Tunable.*; expected a tuple of Tunable"),
        ({"tunables": ("a",)}, r"Mine\.tunables is \('a',\); expected a tuple of Tunable"),
        ({"tunables": (Tunable("a", 0, 1), Tunable("a", 0, 2))}, "expected a tuple of Tunable, each name once"),
        ({"events": {"a": "A split"}}, r"Mine\.events is {'a': 'A split'}; expected a dictionary of EventKind by kind"),
        ({"events": (EventKind("A split"),)}, r"Mine\.events is .*; expected a dictionary of EventKind"),
        ({"picture": None}, r"Mine\.picture is None; expected the name of a picture, or ''"),
    ],
)
def test_a_class_that_declares_something_else_is_refused_when_it_is_defined(declared, said):
    with pytest.raises(ValueError, match=said):
        type("Mine", (sl.NoChange,), declared)


def test_a_tunable_that_is_no_parameter_is_refused_when_the_class_is_registered():
    kind = type("Mine", (sl.NoChange,), {"tunables": (Tunable("rate", 0, 1),)})
    with pytest.raises(ValueError, match="the learner 'Mine' has the tunable 'rate', which is not a parameter of it"):
        LEARNERS.add("Mine", kind)


class Fading(sl.NoChange):
    """Fades.

    Parameters
    ----------
    half_life
        Rows after which a row weighs half.
    """

    half_life: float = tunable(1, 1000, default=50.0, infinite=True)
    n_rows: int = parameter(1, default=10, help="Rows that it keeps.")


class Slow(Fading):
    """Fades slowly.

    Notes
    -----
    None.
    """

    half_life: float = like(default=500.0)


@pytest.mark.parametrize(("kind", "default"), [(Fading, 50.0), (Slow, 500.0)])
def test_a_docstring_has_a_table_of_the_parameters_as_they_are_declared(kind, default):
    table = kind.__doc__.partition("Parameters\n----------\n")[2].partition("\n\nNotes")[0]
    assert table.splitlines() == [
        "half_life",
        f"    Rows after which a row weighs half. A number, at least 1, or inf. Default: {default}. Tunable.",
        "n_rows",
        "    Rows that it keeps. A whole number, at least 1. Default: 10.",
    ]
