"""A page whose learners are not compiled yet: what it says, with whom it begins, and who comes later."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

pytest.importorskip("panel_material_ui")

from streamlab.lab import preparing as lab
from streamlab.lab.compiling import Compiler
from streamlab.lab.preparing import Preparation
from streamlab.learners import MajorityLabels, NoChange
from streamlab.streams.limits import LoadCancelled
from streamlab.views.page import preparing as module
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.preparing import Preparing

LEARNERS = {"no-change": NoChange(), "majority labels": MajorityLabels()}


@pytest.fixture
def under_way(monkeypatch) -> dict[str, Preparation]:
    """What is being prepared, by the title of its learner; the test says when it is done."""
    found: dict[str, Preparation] = {}
    monkeypatch.setattr(lab, "_pace", lab._Pace())
    monkeypatch.setattr(module, "prepare_run", lambda nested: found.get("run"))
    monkeypatch.setattr(module, "preparation", lambda title, learner: found.get(title))
    monkeypatch.setattr(module, "_prepare_others", lambda: None)
    return found


def made(title: str) -> Preparation:
    return Preparation(title, (), lambda: None)


def finish(under_way: dict[str, Preparation], title: str) -> None:
    each = under_way.pop(title)
    each.carry_out(Compiler())


def said(page: Preparing) -> tuple[str, bool]:
    return page.note.packed["text"], page.note.packed["optional"]


def now(act: Callable[[], None]) -> None:
    act()


def test_where_all_is_compiled_nothing_is_said(under_way):
    page = Preparing(now)
    assert page.ready(LEARNERS, False, lambda: True, pytest.fail) == list(LEARNERS)
    assert page.note.packed["text"] == ""


def test_the_run_goes_on_without_one_that_comes_when_it_is_ready(under_way):
    under_way["majority labels"] = made("majority labels")
    page, came = Preparing(now), []
    assert page.ready(LEARNERS, False, lambda: True, came.append) == ["no-change"]
    assert said(page) == ("Preparing majority labels, once, about 15 s.", True)
    finish(under_way, "majority labels")
    assert came == [["majority labels"]]
    assert said(page)[0] == ""


def test_one_that_people_go_on_without_does_not_come(under_way):
    under_way["majority labels"] = each = made("majority labels")
    left: list[str] = []
    page = Preparing(now, without=left.extend)
    page.ready(LEARNERS, False, lambda: True, pytest.fail)
    page.note._handle_msg({"kind": "without"})
    assert said(page)[0] == ""
    assert left == ["majority labels"]
    each.carry_out(Compiler())


def test_another_run_forgets_what_the_one_before_waited_for(under_way):
    under_way["majority labels"] = each = made("majority labels")
    page = Preparing(now)
    page.ready(LEARNERS, False, lambda: True, pytest.fail)
    page.forget()
    each.carry_out(Compiler())
    assert said(page)[0] == ""


def test_a_run_waits_for_what_it_needs_and_for_its_first_learner(under_way):
    under_way |= {name: made(name) for name in ("run", *LEARNERS)}
    page, ready, came, spoken = Preparing(now), [], [], threading.Event()
    draw = page._draw

    def drawn() -> None:
        draw()
        spoken.set()

    page._draw = drawn
    thread = threading.Thread(target=lambda: ready.extend(page.ready(LEARNERS, False, lambda: True, came.append)))
    thread.start()
    for title in ("run", "no-change"):
        assert spoken.wait(30)
        assert thread.is_alive()
        assert not page.note.packed["optional"]
        spoken.clear()
        finish(under_way, title)
    thread.join(30)
    assert ready == ["no-change"]
    assert said(page) == ("Preparing majority labels, once, about 15 s.", True)
    finish(under_way, "majority labels")
    assert came == [["majority labels"]]


def test_a_run_begins_without_learners_that_take_long(under_way):
    under_way["majority labels"] = long = Preparation("majority labels", ("module:Long",), lambda: None)
    page = Preparing(now)
    assert long.left > module.SOON_S
    assert page.ready({"majority labels": MajorityLabels()}, False, lambda: True, pytest.fail) == []
    assert said(page) == ("Preparing majority labels, once, about 15 s.", True)


def test_a_page_whose_learner_takes_long_shows_no_change_until_it_comes(under_way):
    under_way["majority labels"] = made("majority labels")
    page = Monitor()
    try:
        page.learner_choice.value = ["majority labels"]
        page._view.close()
        page._view = None
        page.preparing.beside = True
        page.begin()
        run = page._view.player.run
        assert (list(run.learner_runs), run.position) == (["no-change"], 300)
        assert page.learner_choice.value == ["majority labels"]
        finish(under_way, "majority labels")
        run = page._view.player.run
        assert (list(run.learner_runs), run.position) == (["majority labels"], 300)
        assert run.learner_runs["majority labels"].joined_at == 0
    finally:
        page.close()


def test_a_lesson_waits_for_every_learner(under_way):
    under_way |= {"majority labels": made("majority labels")}
    page, ready = Preparing(now), []
    thread = threading.Thread(
        target=lambda: ready.extend(page.ready(LEARNERS, False, lambda: True, pytest.fail, every=True))
    )
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    finish(under_way, "majority labels")
    thread.join(30)
    assert ready == list(LEARNERS)


def test_nobody_waits_for_a_run_that_is_not_wanted_any_longer(under_way):
    under_way["run"] = made("run")
    with pytest.raises(LoadCancelled):
        Preparing(now).ready(LEARNERS, False, lambda: False, pytest.fail)


def test_a_page_opens_with_rows_played_and_takes_a_late_learner_in(under_way):
    under_way["majority labels"] = made("majority labels")
    page = Monitor()
    try:
        page.learner_choice.value = ["no-change", "majority labels"]
        page._view.close()
        page._view = None
        page.preparing.beside = True
        page.begin()
        run = page._view.player.run
        assert (list(run.learner_runs), run.position) == (["no-change"], 300)
        # nobody has done anything: all begin together
        finish(under_way, "majority labels")
        run = page._view.player.run
        assert (list(run.learner_runs), run.position) == (["no-change", "majority labels"], 300)
        assert all(each.joined_at == 0 for each in run.learner_runs.values())

        under_way["majority labels"] = made("majority labels")
        page.begin()
        run = page._view.player.run
        assert (list(run.learner_runs), run.position) == (["no-change"], 0)
        run.advance(100)
        finish(under_way, "majority labels")
        page._view.player.ask(lambda run: None).result(30)
        assert page._view.player.run is run
        assert run.learner_runs["majority labels"].joined_at == 100

        page.learner_choice.value = ["no-change"]
        page.newcomers.add()
        assert "not in this run yet" in page.note.object
    finally:
        page.close()
