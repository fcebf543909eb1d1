"""What no control and no card can show is refused where it is declared."""

from __future__ import annotations

import math

import pytest

import streamlab as sl
from streamlab.learners import LEARNERS, EventKind, Tunable, like, parameter, tunable


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"high": math.inf}, r"Tunable\('a'\): 0 to inf; expected finite ends"),
        ({"low": -math.inf}, r"Tunable\('a'\): -inf to 1"),
        ({"low": 2}, r"Tunable\('a'\): 2 to 1; expected finite ends, low first"),
        ({"low": -5, "high": 0, "logarithmic": True}, "high is 0; a logarithmic control needs one above 0"),
    ],
)
def test_a_parameter_that_no_control_can_show_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        Tunable(**{"name": "a", "low": 0, "high": 1} | options)


def test_a_detection_needs_a_source():
    with pytest.raises(ValueError, match="the event 't' is a detection: expected a source"):
        EventKind("t", is_detection=True)


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
