"""The join of rows and labels: what it gives is what its rules say, however its two sides are read."""

from __future__ import annotations

import math
import random
from dataclasses import asdict

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab_live.joiner import Joined, Joiner

TIMES = st.lists(st.integers(0, 12), max_size=24)
KEYS = "abcdefgh"


def expected(rows, labels, within_rows, within_seconds):
    """The rules, word for word, over whole lists: (key, time) and (key, time, labels); returns rows and counts.

    Nothing of it is incremental: a row is looked for among all, positions are counted at the end.
    """
    rising = lambda times: [max(times[: i + 1]) for i in range(len(times))]  # noqa: E731
    row_times, label_times = rising([r[1] for r in rows]), rising([each[1] for each in labels])
    held = [None] * len(rows)
    after = [None] * len(rows)
    early = []  # places of labels that wait for their row
    counts = {"twice": 0, "without_row": 0}
    limit = math.inf if within_seconds is None else within_seconds

    def apart(row, at_row, at_time):
        return at_row - row <= within_rows and at_time - row_times[row] <= limit

    def gone(place, at_row, at_time):  # labels that waited too long for their row
        before = sum(time <= label_times[place] for time in row_times) - 1
        return at_row - before > within_rows or at_time - label_times[place] > limit

    events = sorted(
        [(time, 0, i) for i, time in enumerate(row_times)] + [(time, 1, i) for i, time in enumerate(label_times)]
    )
    n = 0
    for time, is_label, i in events:
        last = n - 1 if is_label else n
        for place in [place for place in early if gone(place, last, time)]:
            early.remove(place)
            counts["without_row"] += 1
        if not is_label:
            n += 1
            mine = [place for place in early if labels[place][0] == rows[i][0]]
            if mine:
                early.remove(mine[0])
                held[i], after[i] = labels[mine[0]][2], sum(t <= time for t in row_times) - 1
            continue
        key = labels[i][0]
        near = [r for r in range(n) if rows[r][0] == key and apart(r, last, time)]
        free = [r for r in near if held[r] is None]
        if free:
            held[free[0]], after[free[0]] = labels[i][2], last
        elif near or any(labels[place][0] == key for place in early):
            counts["twice"] += 1
        else:
            early.append(i)
            if len(early) > within_rows:
                early.pop(0)
                counts["without_row"] += 1
    counts["without_row"] += len(early)
    kept = [r for r in range(len(rows)) if held[r] is not None]
    found = [Joined(r, held[r], sum(k <= after[r] for k in kept) - 1) for r in kept]
    counts |= {"rows": len(rows), "labels": len(labels), "labelled": len(kept), "never": len(rows) - len(kept)}
    return found, counts


def joined(joiner, rows, labels, draw, most=4):
    """What it gives when its two sides are read in pieces, in turns that ``draw`` chooses."""
    found, i, j = [], 0, 0
    while i < len(rows) or j < len(labels):
        n = draw(0, most)
        if draw(0, 1):
            part = rows[i : i + n]
            i += n
            joiner.add_rows([each[0] for each in part], [each[1] for each in part])
            if i >= len(rows) and draw(0, 1):
                joiner.end(labels=False)
        else:
            part = labels[j : j + n]
            j += n
            joiner.add_labels([each[0] for each in part], [each[1] for each in part], [each[2] for each in part])
            if j >= len(labels) and draw(0, 1):
                joiner.end(rows=False)
        if draw(0, 1):
            found += joiner.take()
    joiner.end()
    return found + list(joiner.take())


@st.composite
def topics(draw):
    keys = KEYS[: draw(st.integers(1, len(KEYS)))]
    rows = [(draw(st.sampled_from(keys)), float(time)) for time in draw(TIMES)]
    labels = [(draw(st.sampled_from(keys)), float(time), bytes([i])) for i, time in enumerate(draw(TIMES))]
    if draw(st.booleans()):
        rows, labels = sorted(rows, key=lambda r: r[1]), sorted(labels, key=lambda each: each[1])
    return rows, labels, draw(st.integers(1, 30)), draw(st.none() | st.integers(0, 12))


@settings(max_examples=150, deadline=None)
# a seed alone: numbers that hypothesis drew one by one would have no bound, and a case could be too large for it
@given(topics(), st.randoms(use_true_random=True))
def test_any_way_of_reading_gives_what_the_rules_say(case, draws):
    rows, labels, within_rows, within_seconds = case
    joiner = Joiner(within_rows=within_rows, within_seconds=within_seconds)
    found = joined(joiner, rows, labels, draws.randint)
    assert (found, asdict(joiner.counts)) == expected(rows, labels, within_rows, within_seconds)


TURNS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), max_size=20)


@settings(max_examples=100, deadline=None)
@given(topics(), TURNS)
def test_it_goes_on_from_its_state(case, turns):
    rows, labels, within_rows, within_seconds = case
    joiner = Joiner(within_rows=within_rows, within_seconds=within_seconds)
    found, i, j = [], 0, 0
    for n, m, is_kept in [*turns, (len(rows), len(labels), False)]:
        joiner.add_rows([each[0] for each in rows[i : i + n]], [each[1] for each in rows[i : i + n]])
        part = labels[j : j + m]
        joiner.add_labels([each[0] for each in part], [each[1] for each in part], [each[2] for each in part])
        i, j = i + n, j + m
        found += joiner.take()
        if is_kept:
            joiner = Joiner.from_state(joiner.state(), 1)
            assert len(found) == joiner.given
            i, j = joiner.counts.rows, joiner.counts.labels
    joiner.end()
    found += joiner.take()
    assert (found, asdict(joiner.counts)) == expected(rows, labels, within_rows, within_seconds)


@settings(max_examples=100, deadline=None)
@given(topics(), st.lists(st.tuples(st.floats(-1, 40), st.booleans()), max_size=8))
def test_time_that_passes_in_quiet_changes_only_when_rows_are_given(case, pauses):
    rows, labels, within_rows, within_seconds = case
    rows, labels = sorted(rows, key=lambda r: r[1]), sorted(labels, key=lambda each: each[1])
    joiner = Joiner(within_rows=within_rows, within_seconds=within_seconds)
    found = []
    for clock, is_kept in [*sorted(pauses), (math.inf, False)]:
        i, j = joiner.read
        new = [each for each in rows[i:] if each[1] < clock]
        joiner.add_rows([each[0] for each in new], [each[1] for each in new])
        new = [each for each in labels[j:] if each[1] < clock]
        joiner.add_labels([each[0] for each in new], [each[1] for each in new], [each[2] for each in new])
        if clock < math.inf:
            joiner.pass_time(clock)
        found += joiner.take()
        if within_seconds is not None and 12 + within_seconds < clock < math.inf:
            assert joiner.waiting == 0
        if is_kept:
            joiner = Joiner.from_state(joiner.state(), 1)
    joiner.end()
    found += joiner.take()
    assert (found, asdict(joiner.counts)) == expected(rows, labels, within_rows, within_seconds)


def test_what_comes_too_late_for_time_that_passed_comes_to_the_same_after_a_restart():
    joiner = Joiner(within_seconds=10)
    joiner.add_rows(["a", "b", "c"], [0.0, 1.0, 2.0])
    joiner.add_labels(["b"], [5.0], [b"\1"])
    joiner.pass_time(12.5)
    assert list(joiner.take()) == [Joined(1, b"\1", 0)]  # c has no labels in time
    again = Joiner.from_state(joiner.state(), 1)
    for each in (joiner, again):
        each.add_rows(["d"], [3.0])  # counts as of 12.5
        each.add_labels(["c", "d"], [4.0, 22.0], [b"\1", b"\0"])
        each.end()
    assert list(joiner.take()) == list(again.take()) == [Joined(3, b"\0", 1)]
    assert joiner.counts == again.counts
    assert (joiner.counts.never, joiner.counts.without_row) == (2, 1)


def test_a_state_that_was_altered_is_refused():
    joiner = Joiner(within_seconds=3)
    joiner.add_rows(["a", "b"], [1.0, 2.0])
    joiner.add_labels(["a", "c"], [1.5, 1.6], [b"\1\0", b"\0\0"])
    state = joiner.state()
    assert Joiner.from_state(state, 2).state() == state
    told = msgspec.msgpack.decode(state)
    for place in range(len(told)):
        with pytest.raises(ValueError, match="not whole"):
            Joiner.from_state(msgspec.msgpack.encode([*told[:place], "?", *told[place + 1 :]]), 2)
    for wrong, n_labels in ((state[:-1], 2), (state, 3), (b"", 2)):
        with pytest.raises(ValueError, match="not whole"):
            Joiner.from_state(wrong, n_labels)


@pytest.mark.parametrize("seed", range(20))
def test_long_topics_too(seed):
    draws = random.Random(seed)
    n = 400
    rows = [(f"k{i}" if draws.random() < 0.95 else "k7", i / 10 + draws.choice([0, 0, 0.05])) for i in range(n)]
    labels = [(key, when + draws.uniform(-0.5, 8), bytes([draws.randrange(2)])) for key, when in rows]
    labels = [each for each in labels if draws.random() < 0.9] + [("nobody", draws.uniform(0, 40), b"\1")] * 5
    labels = sorted(labels + draws.sample(labels, 20), key=lambda each: each[1])
    joiner = Joiner(within_rows=60, within_seconds=7.0)
    found = joined(joiner, rows, labels, draws.randint, most=50)
    assert (found, asdict(joiner.counts)) == expected(rows, labels, 60, 7.0)
    assert joiner.counts.never > 10
    assert joiner.counts.twice > 3
    assert joiner.counts.without_row > 3


def test_a_row_waits_for_the_labels_of_those_before_it_and_for_certainty():
    joiner = Joiner(within_seconds=10)
    joiner.add_rows(["a", "b", "c"], [0.0, 1.0, 2.0])
    joiner.add_labels(["b"], [1.5], [b"\1"])
    assert list(joiner.take()) == []  # the first row is undecided
    joiner.add_labels(["a"], [1.8], [b"\0"])
    assert list(joiner.take()) == [Joined(0, b"\0", 1), Joined(1, b"\1", 1)]
    joiner.add_rows(["d", "e"], [3.0, 3.0])
    joiner.add_labels(["c", "x"], [3.0, 3.1], [b"\1", b"\1"])
    assert list(joiner.take()) == []  # where its labels came depends on whether d and e are in the stream
    joiner.add_rows(["f"], [14.0])
    joiner.add_labels(["e"], [13.0], [b"\1"])
    joiner.add_labels(["f"], [20.0], [b"\1"])
    assert list(joiner.take())[:1] == [Joined(2, b"\1", 3)]  # after e; d never got labels


def test_memory_is_bounded_by_the_limits():
    joiner = Joiner(within_rows=50, within_seconds=5.0)
    for i in range(20_000):
        joiner.add_rows([f"r{i}"], [i / 10])
        joiner.add_labels([f"nobody{i}", f"r{i}" if i % 3 else "other"], [i / 10, i / 10 + 0.01], [b"\1", b"\0"])
        for _ in joiner.take():
            pass
    held = {name: len(value) for name, value in vars(joiner).items() if hasattr(value, "__len__")}
    assert max(held.values()) <= 120, held


def test_rows_without_any_labels_take_no_memory_beyond_the_limit():
    joiner = Joiner(within_rows=50)
    joiner.end(rows=False)
    joiner.add_rows([f"r{i}" for i in range(20_000)], [0.0] * 20_000)
    assert joiner.counts.never == 20_000 - 51
    assert max(len(value) for value in vars(joiner).values() if hasattr(value, "__len__")) <= 51


def test_it_says_what_it_waits_for():
    joiner = Joiner()
    assert joiner.wants_rows
    assert joiner.wants_labels
    joiner.add_rows(["a"], [1.0])
    assert (joiner.wants_rows, joiner.wants_labels) == (False, True)
    joiner.add_labels(["a"], [2.0], [b"\1"])
    assert (joiner.wants_rows, joiner.wants_labels) == (True, False)
    joiner.end(labels=False)
    assert (joiner.wants_rows, joiner.wants_labels) == (False, True)


@pytest.mark.parametrize(
    ("options", "says"),
    [({"within_rows": 0}, "within_rows=0"), ({"within_rows": 1.5}, "within_rows=1.5"), ({"within_seconds": -1}, "=-1"),
     ({"within_seconds": math.nan}, "within_seconds=nan")],
)  # fmt: skip
def test_limits_that_are_none_are_refused(options, says):
    with pytest.raises(ValueError, match=says):
        Joiner(**options)
