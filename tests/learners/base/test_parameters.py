"""Parameters: as they are declared, in states, constructors and docstrings."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.learners import LEARNERS, EventKind, Tunable, like, parameter, tunable
from tests.lab.made import made_stream


class Wordy(sl.NoChange):
    """Takes parameters of several kinds."""

    tunables = (
        Tunable("mode", 0, 0, choices=("fast", "slow")),
        Tunable("pair", 0, 0, choices=((1, 2), (3, (4, 5)))),
    )

    def __init__(self, mode="fast", pair=(1, 2), words=("a", "b"), table=None) -> None:
        self.mode, self.pair, self.words, self.table = mode, pair, words, table
        self._start()


class Renaming(sl.NoChange):
    """Keeps its parameter under another name."""

    def __init__(self, k=1) -> None:
        self._k = k
        self._start()


class Declaring(sl.NoChange):
    """Declares its parameters."""

    rate: float | None = tunable(0.0, 1.0, default=None, limit=1.0)
    rule: str = parameter(default="first", kw_only=True, choices=("first", "last"))
    rows: int = parameter(1, 9, default=3)


class Further(Declaring):
    """Declares another one, and changes two."""

    rate: float | None = like(default=0.5, high=0.7)
    rows: int = parameter(default=4, init=False)
    other: object = parameter(kw_only=True)


@pytest.fixture(autouse=True)
def registered():
    removals = [LEARNERS.add(kind.__name__, kind) for kind in (Wordy, Renaming)]
    yield
    for remove in removals:
        remove()


def test_tuning_a_choice_that_is_a_tuple_is_told_kept_and_done_again(tmp_path):
    run = Run(made_stream(400), {"it": Wordy()})
    run.advance(100)
    assert run.tune("it", pair=(3, (4, 5))).message == "pair: (1, 2) → (3, (4, 5))"
    assert run.tune("it", mode="slow").message == "mode: fast → slow"
    run.advance(200)
    run.seek(50)
    assert run.learner_runs["it"].learner.pair == (1, 2)
    run.seek(300)
    assert run.learner_runs["it"].learner.pair == (3, (4, 5))
    run.save(tmp_path / "run.slab")
    again = Run.open(tmp_path / "run.slab", run.stream).learner_runs["it"].learner
    assert (again.pair, again.mode, again.words) == ((3, (4, 5)), "slow", ("a", "b"))


def test_what_json_can_hold_comes_back():
    given = {"pair": (3, (4, 5)), "words": ("x", ("y",)), "table": {"a": [1, np.float64(0.5)], "b": None}}
    again = Wordy.from_state(Wordy(**given).state())
    assert {name: getattr(again, name) for name in given} == given
    assert Wordy(pair=[3, [4, 5]]).pair == (3, (4, 5)), "as a file or a script writes it"
    with pytest.raises(ValueError, match=r"pair=\[3, 4\]: expected \(1, 2\) or \(3, \(4, 5\)\)"):
        Wordy(pair=[3, 4])


@pytest.mark.parametrize(
    ("value", "is_in_recipe"),
    [
        ({1: 2}, True),
        ({1, 2}, False),
        (b"x", False),
        (np.float32, False),
        (sl.NoChange(), True),
        ([{"a": {2: 3}}], True),
    ],
)
def test_what_json_cannot_hold_names_learner_and_parameter_and_is_kept_by_the_run_alone(value, is_in_recipe, tmp_path):
    said = "Wordy: the parameter table is .*, which a state cannot hold; expected numbers, texts"
    with pytest.raises(ValueError, match=said):
        Wordy(table=value).state()
    with pytest.raises(ValueError, match=said):
        Wordy(table=value).save(tmp_path / "m")
    run = Run(made_stream(400), {"it": Wordy(table=value)})
    run.advance(300)
    before = run.summary.micro_f1["it"]
    run.seek(0)
    run.advance(300)
    kept = run.learner_runs["it"].learner
    assert type(kept) is Wordy
    assert str(kept.table) == str(value)
    assert run.summary.micro_f1["it"] == before
    run.save(tmp_path / "run.slab")
    fresh = {} if is_in_recipe else {"it": Wordy(table=value)}
    again = Run.open(tmp_path / "run.slab", run.stream, learners=fresh)
    assert str(again.learner_runs["it"].learner.table) == str(value)
    again.seek(300)
    assert again.summary.micro_f1["it"] == before


def test_a_parameter_kept_under_another_name_is_said():
    with pytest.raises(ValueError, match=r"Renaming does not keep each parameter under its own name .*'k'"):
        Renaming().state()
    run = Run(made_stream(400), {"it": Renaming()})
    run.advance(100)
    run.seek(0)


def test_the_constructor_takes_what_is_declared_in_its_order():
    model = Declaring(0.1, 2)
    assert (model.rate, model.rows, model.rule) == (0.1, 2, "first")
    assert [each.name for each in Declaring.tunables] == ["rate"]
    # what may be None, or is whole, is said by the annotation
    assert Declaring().rate is None
    for given, name in (({"rows": 2.5}, "rows=2.5"), ({"rate": 1.5}, "rate=1.5"), ({"rule": 1}, "rule=1")):
        with pytest.raises(ValueError, match=name):
            Declaring(**given)
    for wrong in ((0.1, 2, "first"), (0.1, 2, 3, 4)):
        with pytest.raises(TypeError, match="Declaring: too many positional"):
            Declaring(*wrong)
    with pytest.raises(TypeError, match=r"Declaring: .*'rate'"):
        Declaring(0.1, rate=0.2)


def test_a_subclass_changes_what_its_base_declares():
    with pytest.raises(TypeError, match=r"Further: .*'other'"):
        Further()
    model = Further(other=1)
    assert (model.rate, model.rows, model.parameters["rate"].control.high) == (0.5, 4, 0.7)
    assert Declaring.tunables[0].high == 1.0
    with pytest.raises(TypeError, match=r"Further: .*'rows'"):
        Further(other=1, rows=5)
    with pytest.raises(ValueError, match="unknown is like one that is not declared"):
        type("Wrong", (Declaring,), {"unknown": like(default=1)})


# ---------------------------------------------------------------------- what no control and no card can show


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
