"""Snapshots: what did not change is shared, the budget holds, and old ones are given up first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamlab as sl
from streamlab.lab import time_machine
from streamlab.lab.events import EVENT_BYTES
from streamlab.lab.snapshots import BLOCK, Blocks
from tests.lab.made import made_stream


@given(
    n=st.integers(0, 3 * BLOCK // 8 + 5),
    more=st.integers(0, 100),
    changed=st.integers(0, 10**6),
    dtype=st.sampled_from([np.float64, np.uint8, np.int32]),
)
def test_blocks_give_back_the_array_and_share_what_is_equal(n, more, changed, dtype):
    first = np.arange(n).astype(dtype)
    before = Blocks(first)
    second = np.concatenate([first, np.ones(more, dtype)])
    if n:
        second[changed % n] += 1
    after = Blocks(second, before)
    np.testing.assert_array_equal(after.array(), second)
    np.testing.assert_array_equal(before.array(), first)
    assert after.array().flags.writeable
    unequal = sum(a is not b for a, b in zip(before.blocks, after.blocks, strict=False))
    assert unequal <= 1 + (more > 0)


def test_shapes_are_kept():
    for array in (np.zeros((3, 0)), np.zeros(()), np.arange(6).reshape(2, 3), np.asfortranarray(np.eye(3))):
        kept = Blocks(array).array()
        assert kept.shape == array.shape
        np.testing.assert_array_equal(kept, array)


def test_the_budget_holds_and_the_beginning_stays(a_snapshot_of_every_chunk):
    run = sl.Run(made_stream(3000), {"SMART": sl.SMART(seed=1)}, chunk=20, snapshots=12_000_000)
    run.advance()
    store = run._machine.store
    kept = list(store)
    assert store.n_bytes <= 12_000_000
    assert len(kept) > 3
    assert kept[0].position == 0
    assert store.n_bytes < sum(snapshot.n_bytes for snapshot in kept), "equal parts are shared"
    counted: dict[int, int] = {}
    for snapshot in kept:
        # of the end, which is kept or not as time goes, there is an event
        counted |= {id(mark): EVENT_BYTES * len(mark.events) for mark in snapshot.mark.chain()}
        for value in snapshot.entries.values():
            for block in value.blocks if isinstance(value, Blocks) else [value]:
                if isinstance(block, (bytes, str)):
                    counted[id(block)] = len(block)
    assert store.n_bytes == sum(counted.values())
    run.seek(1500)
    assert run.position == 1500


def test_where_a_seek_took_long_the_next_one_begins(monkeypatch):
    run = sl.Run(made_stream(600), {"SMART": sl.SMART(seed=1)}, chunk=20)
    # as if none took long, however busy the machine is
    monkeypatch.setattr(time_machine, "SPACING_SECONDS", 1e9)
    monkeypatch.setattr(time_machine, "SOON_SECONDS", 1e9)
    run.advance(600)
    run.seek(330)
    assert [snapshot.position for snapshot in run._machine.store] == [0, 600]
    run.seek(600)
    monkeypatch.setattr(time_machine, "SOON_SECONDS", 0.0)
    run.seek(330)
    assert 320 in [snapshot.position for snapshot in run._machine.store]


def test_without_a_budget_only_the_beginning_is_kept(a_snapshot_of_every_chunk):
    run = sl.Run(made_stream(200), {"SMART": sl.SMART(seed=1)}, chunk=20, snapshots=0)
    run.advance()
    assert len(run._machine.store) == 1
    events = run.events
    run.seek(70)
    run.seek(200)
    assert run.events.equals(events)


def test_a_budget_that_is_none():
    for budget in (-1, 0.5, True, "1 GB"):
        with pytest.raises(ValueError, match="snapshots="):
            sl.Run(made_stream(20), sl.NoChange(), snapshots=budget)


def test_what_pictures_showed_on_old_branches_is_given_up_first():
    run = sl.Run(made_stream(400), {"SMART": sl.SMART(seed=1)}, chunk=20, snapshots=2**24)
    budget = run.views.budget
    assert budget == 2**22
    for branch in range(4):
        while run.position < 60:
            run.advance(20)
            run.views.add(run.position, {"picture": np.zeros(budget // 8 // 4)})
        run.seek(0)
        run.tune("SMART", half_life=10 + branch)
    kept = [len(branch.views) for branch in run._machine.branches]
    assert kept[0] == 0
    assert kept[-2] == 3
    others = run._machine.branches[:-1]
    assert sum(branch.views.n_bytes for branch in others) <= budget
