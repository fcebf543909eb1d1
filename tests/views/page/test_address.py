"""Addresses of pages: what is written is read again, and nothing in a link is trusted."""

from __future__ import annotations

import base64
import json
import math
import zlib
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import streamlab as sl
from streamlab.lab.events import Action
from streamlab.measures import MEASURES
from streamlab.streams import DriftRecipe
from streamlab.views.page.address import CHUNKS, LARGEST_SEED, SEEDS, Address, parse, tuned
from streamlab.views.page.link_texts import MOST_ENTRIES, MOST_NEWCOMERS, actions_of, parse_log, write_log
from streamlab.views.page.presets import make_learner
from streamlab.views.page.transport import RATES
from tests.lab.made import made_stream

STREAMS = ["yeast", "a name, with a comma & more", "münze"]
LEARNERS = ["SMART", "SMART without fading", "a+b", "x.y=z", "✓"]
KNOWN = {"streams": STREAMS, "learners": LEARNERS, "river": ["Hoeffding tree"], "lessons": ["forgetting"]}
FRESH = partial(make_learner, seed=1, schema=sl.load("yeast").schema)
DONE = (
    Action(0, "tune", {"learner": "SMART", "parameters": {"half_life": math.inf, "n_trees": 5}}),
    Action(1429, "fork", {"learner": "SMART", "name": "a copy, ½", "train_on": None, "parameters": {"half_life": 0.1}}),
    Action(1429, "drift", {"change": DriftRecipe("swap_features", share=0.5, width=1), "at": 1500}),
    Action(1429, "drift", {"change": DriftRecipe("rotate_labels", width=1), "at": 2222}),
    Action(1500, "join", {"name": "no-change", "learner": sl.NoChange(), "train_on": 0}),
    Action(1500, "join", {"name": "SMART", "learner": sl.SMART(seed=1, half_life=50), "train_on": 0}),
    Action(1501, "step", {"rows": 1}),
    Action(1502, "mark", {}),
    Action(1503, "remove", {"name": "no-change"}),
    Action(2417, "complete", {}),
    Action(2417, "tune", {"learner": "SMART", "parameters": {"half_life": 3}}, True),
)
SPEEDS = [math.inf if rate is None else rate for _, rate in RATES]


@given(
    st.builds(
        Address,
        stream=st.none() | st.sampled_from(STREAMS),
        learners=st.lists(st.sampled_from(LEARNERS), unique=True).map(tuple),
        river=st.lists(st.just("Hoeffding tree"), max_size=1).map(tuple),
        seed=st.none() | st.integers(0, LARGEST_SEED),
        seeds=st.none() | st.sampled_from(SEEDS),
        chunk=st.none() | st.sampled_from(CHUNKS),
        speed=st.none() | st.sampled_from(SPEEDS),
        # not when the module is collected: a measure that another test registers comes and goes
        measures=st.lists(
            st.deferred(lambda: st.sampled_from([m for m in MEASURES if MEASURES[m].has_curve])), unique=True
        ).map(tuple),
        over=st.none() | st.sampled_from(["chunk", "faded", "cumulative"]),
        tab=st.none() | st.text(min_size=1, max_size=20),
        did=st.none() | st.integers(1, len(DONE)).map(lambda n: write_log(DONE[:n], FRESH)),
        at=st.integers(2_500, 10_000_000),
        lesson=st.none() | st.just("forgetting"),
        step=st.none() | st.integers(1, 99),
        parameters=st.dictionaries(
            st.sampled_from(LEARNERS), st.dictionaries(st.sampled_from(["half_life", "n_trees"]), st.integers(1, 99))
        ),
    )
)
def test_what_is_written_is_read_again(address):
    again, refused = parse(address.query(), **KNOWN)
    assert refused == []
    texts = {name: {p: str(v) for p, v in values.items()} for name, values in address.parameters.items() if values}
    assert again == Address(**{**vars(address), "parameters": texts})


@given(st.text(max_size=300))
@example("?theme=dark")
@example("stream=../../etc/passwd")
@example("seed=1e400&at=-1&chunk=nan&speed=0")
@example("&".join(["learners=x"] * 500))
@example("%zz=%&=&==&a.b.c=%00")
def test_any_query_is_read_or_refused_in_lines(query):
    address, refused = parse(query, **KNOWN)
    assert address.stream in (None, *STREAMS)
    assert set(address.learners) <= set(LEARNERS)
    assert all(len(line) < 300 and "\n" not in line for line in refused)
    assert tuned({"SMART": sl.SMART(seed=1)}, address.parameters) is not None


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("stream=Nobody", "stream=Nobody: not offered here"),
        ("seed=1.5", "seed=1.5: expected a whole number from 0 to 2,147,483,647"),
        ("chunk=7", "chunk=7: expected 1, 10, 50, 100, 200, 500, 1000"),
        ("speed=3", "speed=3: expected 5, 25, 100, 250, 1000, 10000, inf"),
        ("colour=red", "colour=red: a page has no such setting"),
        ("x" * 9000, "the link has 9,000 characters; expected at most 8,000"),
    ],
)
def test_what_cannot_be_had_is_told(query, line):
    assert parse(query, **KNOWN) == (Address(), [line])


def test_parameters_of_a_link_are_set_or_refused():
    made = {"SMART": sl.SMART(seed=1), "MLHAT": sl.MLHAT(seed=1)}
    address, _ = parse("SMART.half_life=inf&SMART.n_trees=5&MLHAT.bootstrap=strict&MLHAT.max_depth=None", **KNOWN)
    assert tuned(made, address.parameters) == []
    assert (made["SMART"].half_life, made["SMART"].n_trees) == (math.inf, 5)
    assert (made["MLHAT"].bootstrap, made["MLHAT"].max_depth) == ("strict", None)
    bad, _ = parse("SMART.half_life=-1&SMART.seed=4&Nobody.x=1&SMART.n_trees=<b>", **KNOWN)
    lines = tuned(made, bad.parameters)
    assert len(lines) == 4
    assert "half_life=-1.0: expected" in lines[0]
    assert "SMART.seed=4: no such parameter here" in lines
    assert made["SMART"].half_life == math.inf


def packed(told: Any) -> str:
    """Return the text of a link for anything, as ``write_log`` packs what was done."""
    text = told if isinstance(told, str) else json.dumps(told)
    deflated = zlib.compressobj(9, wbits=-15)
    return base64.urlsafe_b64encode(deflated.compress(text.encode()) + deflated.flush()).decode().rstrip("=")


def test_what_was_done_is_written_and_read_again():
    text = write_log(DONE, FRESH)
    assert len(text) < 400
    again, refused = actions_of(parse_log(text), n_rows=2417, chunk=100, fresh=FRESH)
    assert refused == []
    for one, other in zip(DONE, again, strict=True):
        assert (one.position, one.kind, one.is_after_end) == (other.position, other.kind, other.is_after_end)
        if one.kind == "join":
            made = other.detail["learner"]
            assert type(made) is type(one.detail["learner"])
            assert getattr(made, "half_life", 50) == 50
        else:
            assert one.detail == other.detail
    assert write_log((), FRESH) == ""
    address, refused = parse(Address(did=text).query(), **KNOWN)
    assert (address.at, refused) == (2418, []), "the run goes to where the last thing was done"


@pytest.mark.parametrize(
    "action",
    [Action(5, "drift", {"change": lambda stream, at: stream, "at": 100}),
     Action(5, "drift", {"change": DriftRecipe("feature_noise", strength=0.123), "at": 100}),
     Action(5, "fork", {"learner": "SMART", "name": "x", "train_on": 100, "parameters": {}}),
     Action(5, "join", {"name": "SMART", "learner": sl.NoChange(), "train_on": 0}),
     Action(5, "join", {"name": "my own", "learner": sl.NoChange(), "train_on": 0}),
     Action(5, "fork", {"learner": "SMART", "name": "x" * 500, "train_on": None, "parameters": {}})],
)  # fmt: skip
def test_what_a_link_cannot_say_is_not_written(action: Action):
    with pytest.raises(ValueError, match=r"."):
        write_log([action], FRESH)


@pytest.mark.parametrize(
    "told",
    [{}, 1, "[", "[" * 90_000, "[" + "9" * 5000 + "]", [1], [[]], [[1]], [["1", "mark"]], [[1, "mark", 2]],
     [[-1, "mark"]], [[True, "mark"]], [[1.0, "mark"]], [[10**9, "mark"]], [[1, "rm"]], [[1, "seek", 5]],
     [[1, ["mark"]]], [[2, "mark"], [1, "mark"]], [[1, "step", True]], [[1, "step", 1.5]], [[1, "step", 10**40]],
     [[1, "step", None]], [[1, "tune", "SMART"]], [[1, "tune", 5, {}]], [[1, "tune", "SMART", []]],
     [[1, "tune", "SMART", {"half_life": 10**40}]], '[[1,"tune","SMART",{"half_life":NaN}]]',
     [[1, "tune", "SMART", {"half_life": {"a": {"b": 1}}}]], [[1, "tune", "SMART", {str(i): 1 for i in range(50)}]],
     [[1, "tune", "x" * 300, {}]], [[1, "drift", "rm", 5, {}]], [[1, "drift", "rotate_labels", 5, {"width": 7}]],
     [[1, "drift", "rotate_labels", True, {"width": 1}]],
     [[1, "drift", "rotate_labels", -1, {"width": 1}]], [[1, "drift", "rotate_labels", 5, {"width": 1, "seed": 3}]],
     [[1, "mark"]] * (MOST_ENTRIES + 1),
     [[1, "fork", "SMART", str(i), {}] for i in range(MOST_NEWCOMERS + 1)], "[" + " " * 10_000_000 + "]"],
)  # fmt: skip
def test_a_log_that_no_page_wrote_is_refused_in_a_line(told: Any):
    with pytest.raises(ValueError, match=r"expected|does not offer"):
        parse_log(packed(told))
    address, refused = parse(f"did={packed(told)[:7000]}", **KNOWN)
    assert (address.did, address.at) == (None, None)
    assert len(refused) == 1
    assert len(refused[0]) < 300


PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(PLAIN, lambda of: st.lists(of, max_size=3) | st.dictionaries(st.text(max_size=9), of, max_size=3))
NAMES = st.sampled_from(["SMART", "a", "no-change", "Hoeffding tree", "Pipeline", "../x", ""])
PARAMETERS = st.dictionaries(st.sampled_from(["half_life", "n_trees", "self", "seed", "__class__"]), VALUES, max_size=3)
ROWS = st.integers(0, 400)
ENTRIES = st.one_of(
    st.tuples(ROWS, st.just("tune"), NAMES, PARAMETERS), st.tuples(ROWS, st.just("fork"), NAMES, NAMES, PARAMETERS),
    st.tuples(ROWS, st.just("join"), NAMES, PARAMETERS), st.tuples(ROWS, st.just("remove"), NAMES),
    st.tuples(ROWS, st.just("step"), st.integers(-1, 200)), st.tuples(ROWS, st.sampled_from(["mark", "complete"])),
    st.tuples(ROWS, st.just("drift"), st.just("rotate_labels"), ROWS, st.just({"width": 1})),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(ENTRIES, max_size=6).map(lambda entries: sorted(entries, key=lambda entry: entry[0])))
def test_a_run_goes_any_way_that_is_read_or_says_what_it_leaves_out(entries):
    try:
        found = parse_log(packed(entries))
    except ValueError:
        return
    actions, refused = actions_of(found, n_rows=300, chunk=100, fresh=FRESH)
    run = sl.Run(made_stream(300), {"SMART": sl.SMART(seed=1)})
    refused += run.retrace(actions, 400)
    assert len(refused) <= len(entries)
    assert list(run.learner_runs) == ["SMART"]
    run.advance()
    assert run.finished
    assert run.is_live
