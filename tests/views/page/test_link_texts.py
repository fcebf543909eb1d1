"""Drifts in links: what a page writes it reads, and what is not offered is refused with a sentence."""

from __future__ import annotations

import json

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams import DriftRecipe
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.page.address import Address, parse
from streamlab.views.page.link_texts import (
    MOST_DRIFTS,
    drifts_of,
    parse_drift,
    parse_spec,
    put_in,
    write_spec,
)
from streamlab.views.page.monitor import Monitor

SWAP = '["swap_labels",1500,{"a":"Class1","b":"Class3","width":100}]'
NOISE = '["feature_noise",700,{"strength":2.0,"width":1}]'
HALF = '["swap_features",900,{"width":1}]'


def rows(stream: sl.Stream) -> tuple[np.ndarray, np.ndarray]:
    chunks = list(stream.chunks(500))
    return np.concatenate([c.X for c in chunks]), np.concatenate([c.Y for c in chunks])


def test_what_was_put_into_a_stream_is_put_into_it_again_to_the_bit():
    run = sl.Run("yeast-rotated", sl.NoChange(), chunk=100)
    for name, at, parameters in (parse_drift(text) for text in (NOISE, HALF, SWAP)):
        run.advance(at - run.position)
        share = {"share": 0.5} if name == "swap_features" else {}
        run.put_drift(DriftRecipe(name, **share, **parameters))
    assert drifts_of(run.stream) == (NOISE, HALF, SWAP)
    again, refused = put_in(sl.load("yeast-rotated"), drifts_of(run.stream))
    assert refused == []
    for one, other in zip(rows(run.stream), rows(again), strict=True):
        assert np.array_equal(one, other)
    assert drifts_of(again) == drifts_of(run.stream)
    assert [drift.start for drift in again.drifts] == [700, 900, 1200, 1500]


def test_a_link_says_them_and_a_page_reads_them():
    known = {"streams": ["yeast"], "learners": ["SMART"], "river": []}
    address = Address(stream="yeast", drifts=(SWAP, NOISE))
    assert parse(address.query(), **known) == (address, [])
    many = Address(drifts=(SWAP,) * 60)
    assert len(parse(many.query(), **known)[0].drifts) == MOST_DRIFTS


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[" * 500, "x" * 5000, '["swap_labels"]', '["rm",1,{}]', '["rotate_labels",-1,{"width":1}]',
     '["rotate_labels",true,{"width":1}]', '["rotate_labels",1e99,{"width":1}]', '["rotate_labels",5,{}]',
     '["rotate_labels",5,{"width":7}]', '["rotate_labels",5,{"width":NaN}]', '["rotate_labels",5,{"width":true}]',
     '["rotate_labels",5,{"width":1,"seed":3}]', '["feature_noise",5,{"strength":9,"width":1}]',
     '["swap_labels",5,{"a":["x"],"b":"y","width":1}]', json.dumps(["vanish_label", 5, {"label": "x" * 300}])],
)  # fmt: skip
def test_what_no_page_offers_is_refused(text: str):
    with pytest.raises(ValueError, match=r"expected|does not offer|needs"):
        parse_drift(text)
    address, refused = parse(Address(drifts=(text,)).query(), streams=[], learners=[], river=[])
    assert address.drifts == ()
    assert len(refused) == 1
    assert len(refused[0]) < 400


def test_a_drift_that_the_stream_cannot_have_is_left_out_and_told():
    stream = sl.load("yeast")
    nobody = '["swap_labels",5,{"a":"Nobody","b":"Class3","width":1}]'
    changed, refused = put_in(stream, (nobody, SWAP))
    assert [drift.start for drift in changed.drifts] == [1500]
    assert len(refused) == 1
    assert "Nobody" in refused[0]


def test_starting_again_puts_each_drift_in_once():
    page = Monitor("yeast")
    for _ in range(3):
        page.begin()
    page._view.player.step(100).result(timeout=20)
    page._view._put_drift(DriftRecipe("rotate_labels", width=1))
    for _ in range(2):
        page.begin()
        assert page._view.drifts == ('["rotate_labels",100,{"width":1}]',)
        assert [drift.start for drift in page._view.run.stream.drifts] == [100]
    page._view._keeps_drifts = False
    page.begin()
    assert page._view.drifts == page._view.run.stream.drifts == ()
    page.close()


def test_a_stream_of_the_laboratory_is_written_and_read_again():
    for spec in (
        StreamSpec(), StreamSpec("syn-rbf", "gradual", None, 7, ((0.07, DriftRecipe("rotate_labels", width=1)),)),
        StreamSpec("movies", delay=(0, 1000), hidden=(0.5, "label")),
    ):  # fmt: skip
        assert parse_spec(write_spec(spec)) == spec
    for spec in (StreamSpec("nowhere"), StreamSpec(n_rows=7), StreamSpec(changes=((0.5, lambda stream, at: stream),))):
        with pytest.raises(ValueError, match=r"offered|offers|makes"):
            write_spec(spec)


@pytest.mark.parametrize(
    "told",
    ["", "[", "[" * 3000, "{}", [1], ["rm", "recurrent", 10_000, 1, [], 0, [0.0, "instance"]],
     ["yeast", "recurrent", True, 1, [], 0, [0.0, "instance"]],
     ["yeast", "recurrent", 10_000, -1, [], 0, [0.0, "instance"]],
     ["yeast", "recurrent", 10_000, 1, [], False, [0.0, "instance"]],
     ["yeast", "recurrent", 10_000, 1, [], 0, {"a": 1}],
     ["yeast", "recurrent", 10_000, 1, [[500, "rotate_labels", {"width": 1}]], 0, [0.0, "instance"]],
     ["yeast", "recurrent", 10_000, 1, [[50, "rm", {}]], 0, [0.0, "instance"]],
     ["yeast", "recurrent", 10_000, 1, [[50, "rotate_labels", {"width": 1}]] * 50, 0, [0.0, "instance"]]],
)  # fmt: skip
def test_a_stream_that_the_laboratory_does_not_make_is_refused(told: object):
    text = told if isinstance(told, str) else json.dumps(told)
    with pytest.raises(ValueError, match=r"expected|not offered here"):
        parse_spec(text)
    address, refused = parse(Address(spec=text).query(), streams=[], learners=[], river=[])
    assert (address.spec, len(refused)) == (None, 1)
