"""Addresses of pages: what is written is read again, and nothing in a link is trusted."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import streamlab as sl
from streamlab.measures import MEASURES
from streamlab.views.page.address import CHUNKS, LARGEST_SEED, SEEDS, Address, parse, tuned
from streamlab.views.page.transport import RATES

STREAMS = ["yeast", "a name, with a comma & more", "münze"]
LEARNERS = ["SMART", "SMART without fading", "a+b", "x.y=z", "✓"]
KNOWN = {"streams": STREAMS, "learners": LEARNERS, "river": ["Hoeffding tree"], "lessons": ["forgetting"]}
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
        at=st.none() | st.integers(0, 10_000_000),
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
        ("did=q1YyNDEysgQA", "did=q1YyNDEysgQA: a page has no such setting"),
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
