"""A page's run begins when all its learners are there: how the page waits, and what it says."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

import streamlab as sl
from streamlab.cli import FIRST_PAGE
from streamlab.lab import Player
from streamlab.lab.preparing import Part, part_of_run, parts_of
from streamlab.learners import MajorityLabels, NoChange
from streamlab.streams.limits import LoadCancelled
from streamlab.views.page import wait as module
from streamlab.views.page.presets import PRESETS, make_learners
from streamlab.views.page.wait import Joining, Wait

LEARNERS = {"no-change": NoChange(), "majority labels": MajorityLabels()}


class Coming:
    """What is compiled until the test says that it is ready: as ``Preparation``."""

    def __init__(self, seconds: float = 10.0, spent: float = 0.0) -> None:
        self.seconds, self.spent, self.began, self.speed = seconds, spent, spent > 0.0, 1.0
        self.future: Future[None] = Future()

    @property
    def done(self) -> bool:
        return self.future.done()


@pytest.fixture
def coming(monkeypatch: pytest.MonkeyPatch) -> dict[str, Coming]:
    """What is being compiled, by the name of its class; "run" for what every run needs."""
    found: dict[str, Coming] = {}

    def prepare(part: Part) -> Coming | None:
        each = found.get("run" if part.name == part_of_run().name else part.title)
        return None if each is None or each.done else each

    monkeypatch.setattr(module, "prepare", prepare)
    monkeypatch.setattr(module, "compile_ahead", lambda: None)
    monkeypatch.setattr(module, "PATIENCE_S", 0.01)
    return found


class Waits:
    """A page that waits, on a thread of its own."""

    def __init__(self) -> None:
        self.wait = Wait(lambda act: act(), is_served=True)
        self.wait.begin(has_run=False)
        self._thread = threading.Thread(target=self._go)
        self._thread.start()

    def _go(self) -> None:
        self.wait.ready(LEARNERS, False, lambda: True, n_rows=2417)

    def frame(self, until: Any = lambda frame: frame["state"] == "waiting") -> dict[str, Any]:
        """Return what it shows, once that is so."""
        for _ in range(3000):
            if until(self.wait.screen.packed):
                return self.wait.screen.packed
            threading.Event().wait(0.01)
        raise AssertionError(self.wait.screen.packed)

    @property
    def is_waiting(self) -> bool:
        self._thread.join(0.1)
        return self._thread.is_alive()


def test_a_run_waits_for_what_it_needs_and_for_every_learner(coming):
    coming |= {"run": Coming(4.0, spent=1.0), "NoChange": Coming(2.0, spent=2.0), "MajorityLabels": Coming(10.0)}
    page = Waits()
    frame = page.frame()
    assert frame["share"] == pytest.approx(3.0 / 16.0)
    assert frame["seconds"] == pytest.approx(10.0)
    assert frame["names"] == ["no-change", "majority labels"]
    for name in ("run", "NoChange"):
        coming[name].future.set_result(None)
    assert page.is_waiting
    frame = page.frame(lambda frame: frame["names"] == ["majority labels"])
    assert frame["n_rows"] == 2417
    coming["MajorityLabels"].future.set_result(None)
    page._thread.join(30)
    assert not page.is_waiting


def test_what_is_pressed_meanwhile_is_remembered_and_reaches_the_run_when_it_is_there():
    told: list[bool] = []
    wait = Wait(lambda act: act(), is_served=True, plays=told.append)
    wait.begin(has_run=False)
    wait.screen._handle_msg({"kind": "play", "on": True})
    assert (wait.play, told) == (True, [])
    wait.over()
    wait.screen._handle_msg({"kind": "play", "on": False})
    assert (wait.play, told) == (False, [False])
    wait.begin(has_run=True)
    assert not wait.play


def test_nobody_waits_for_a_run_that_is_not_wanted_any_longer(coming):
    coming["run"] = Coming()
    with pytest.raises(LoadCancelled):
        Wait(lambda act: act(), is_served=True).ready(LEARNERS, False, lambda: False)


def test_what_is_compiled_first_is_what_the_first_page_needs():
    learners = make_learners(list(PRESETS["stream_monitor"].learners), [], 1)
    needed = {part.name for each in learners.values() for part in parts_of(each)} | {part_of_run().name}
    # the baseline's kernels are those of every learner
    assert needed - {part.name for part in parts_of(NoChange())} == set(FIRST_PAGE)


def test_the_parts_of_a_learner_made_of_others_are_compiled_apart():
    titles = [part.title for part in parts_of(sl.Council())]
    assert (titles[0], "Council" in titles) == ("HedgedMLHAT", True)
    assert {"HedgedMLHAT", "SMART", "MLBELS", "ARkNN", "OnlineLogistic", "RankedKNN"} < set(titles)
    assert [part.title for part in parts_of(sl.StandardScaler() | sl.BalancedKNN(seed=1))] == [
        "StandardScaler", "BalancedKNN",
    ]  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_every_page_says_what_will_be_seen(name):
    assert len(PRESETS[name].sees) == 3


@pytest.fixture
def player() -> Iterator[Player]:
    run = sl.Run("yeast", {"no-change": sl.NoChange()})
    run.advance(250)
    with_run = Player(run)
    yield with_run
    with_run.close()


@pytest.fixture
def said() -> list[Any]:
    return []


@pytest.fixture
def joining(player: Player, said: list[Any]) -> Joining:
    chosen = lambda: {"no-change": sl.NoChange(), "it": sl.MajorityLabels()}  # noqa: E731
    return Joining(lambda: player, chosen, lambda act: act(), lambda *words: said.append(words))


def until(condition: Any) -> None:
    deadline = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_learner_passes_over_the_rows_so_far_and_has_a_whole_curve(player, joining, said):
    joining.add()
    until(lambda: "it" in player.run.learner_runs)
    curves = player.run.curves()
    assert player.run.position == 250
    assert curves.groupby("learner").position.min().to_dict() == {"no-change": 100, "it": 100}
    joining.add()
    assert said[-1] == ("choose a learner that is not in this run yet",)


def test_what_would_take_long_begins_where_the_run_stands_and_says_so(player, joining, said, monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE_S", -1.0)
    joining.add()
    until(lambda: "it" in player.run.learner_runs and len(said) > 1)
    assert player.run.learner_runs["it"].joined_at == 250
    assert "row 250" in said[-1][0]


def test_a_stream_whose_first_rows_are_gone_lets_it_begin_where_the_run_stands(player, joining, said, monkeypatch):
    stream = player.run.stream
    monkeypatch.setattr(type(stream), "is_live", True)
    chunks = type(stream).chunks
    monkeypatch.setattr(
        type(stream), "chunks",
        lambda self, size, start=0, stop=None: iter(()) if stop == 1 else chunks(self, size, start=start, stop=stop),
    )  # fmt: skip
    joining.add()
    until(lambda: "it" in player.run.learner_runs and len(said) > 1)
    assert player.run.learner_runs["it"].joined_at == 250
    assert "row 250" in said[-1][0]
