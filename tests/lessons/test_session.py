"""A lesson under way, on a page that is not there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from streamlab.lessons.arrival import Action
from streamlab.lessons.catalogue import read_lesson
from streamlab.lessons.session import Now, Session
from tests.lessons.made import SMALL


class Page:
    """Writes down what a session asks for; its curve rises by .1 each 100 rows."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []

    def begin(self, arrival: Any) -> None:
        self.asked.append(("begin", arrival.row))

    def go_on(self, arrival: Any, actions: Any) -> None:
        self.asked.append(("go on", list(actions)))

    def play_to(self, row: int, *, fast: bool) -> None:
        self.asked.append(("play", (row, fast)))

    def tune(self, learner: str, parameter: str, value: Any) -> None:
        self.asked.append(("tune", (learner, parameter, value)))

    def open_tab(self, title: str) -> None:
        self.asked.append(("tab", title))

    def curve(self, learner: str, measure: str) -> tuple[np.ndarray, np.ndarray]:
        rows = np.arange(100, 600, 100)
        return rows, rows / 1000

    def left(self) -> None:
        self.asked.append(("left", None))


@pytest.fixture
def page() -> Page:
    return Page()


@pytest.fixture
def session(tmp_path, page) -> Session:
    path = tmp_path / "small.md"
    path.write_text(SMALL, encoding="utf-8")
    made = Session(read_lesson(path), page, ("other", "Another lesson"))
    made.go(0)
    made.tick(Now(0))
    page.asked.clear()
    return made


def test_a_step_without_an_end_ends_at_once(session, page):
    assert session.state()["title"] == "The beginning"
    assert session.state()["over"]
    session.back()
    assert page.asked == []
    session.next()
    assert session.state()["number"] == 2
    assert not session.state()["over"]


def test_nothing_can_be_done_while_the_run_is_brought_to_the_step(session, page):
    session.next()
    assert session.state()["busy"]
    assert not session.state()["asked"]
    session.next()
    assert session.number == 1


def test_a_choice_is_made_first_then_played_then_revealed(session, page):
    session.next()
    session.tick(Now(0))
    assert session.state()["asked"]
    assert session.state()["play"] == ""
    assert session.state()["answer"] is None
    session.play()
    page.asked.clear()
    session.pick(5)
    assert session.state()["asked"]
    session.pick(0)
    assert page.asked == [("play", (200, False))]
    assert session.state()["answer"] is None
    assert session.state()["play"] == "Play to row 200"
    session.pick(1)
    assert session.state()["picked"] == 0
    session.play(fast=True)
    assert page.asked[-1] == ("play", (200, True))
    session.tick(Now(200))
    state = session.state()
    assert (state["answer"], state["verdict"], state["over"]) == (1, "Not quite.", True)
    assert state["reveal"] == [["p", {}, "It is 0.46."]]


def test_who_does_not_guess_sees_it_too(session):
    session.next()
    session.tick(Now(0))
    session.pass_over()
    session.tick(Now(200))
    assert session.state()["verdict"] == "It is: that."


def to_the_third(session: Session) -> None:
    session.next()
    session.tick(Now(0))
    session.pick(1)
    session.tick(Now(230))
    session.next()
    session.tick(Now(250))


def test_what_people_did_beyond_the_end_is_undone_on_the_way(session, page):
    to_the_third(session)
    assert page.asked[-1] == ("go on", [Action(200), Action(200), Action(250), Action(250, "SMART", "half_life", "50")])


def test_a_parameter_ends_a_step_when_it_has_its_value(session, page):
    to_the_third(session)
    session.pass_over()
    session.tick(Now(500))
    session.next()
    assert page.asked[-1][1][-1] == Action(500, drift="swap_labels", options=(("a", "Class1"), ("b", "Class2")))
    session.tick(Now(500, parameters={"SMART": {"half_life": 50.0}}))
    assert session.state()["do"] == "Set it for me"
    session.do()
    assert page.asked[-1] == ("tune", ("SMART", "half_life", 20))
    session.tick(Now(500, parameters={"SMART": {"half_life": 20.0}}))
    assert session.state()["over"]
    session.next()
    session.tick(Now(500, tab="Tree"))
    assert session.state()["do"] == "Open “Labels” for me"
    session.do()
    session.tick(Now(500, tab="Labels"))
    assert session.state()["following"] == ["other", "Another lesson"]
    ((_, said, was),) = session.state()["recap"]  # the other was passed over
    assert (said.partition(": ")[0], was.partition(": ")[0]) == ("You said", "It is")
    assert said.partition(": ")[2] == was.partition(": ")[2], "it was right"
    session.next()
    assert page.asked[-1] == ("left", None)


def test_a_step_is_gone_to_by_its_number_and_back_by_a_run_of_its_own(session, page):
    session.go(3)
    assert page.asked == [("begin", 500)]
    session.back()
    assert page.asked[-1] == ("begin", 250)
    with pytest.raises(ValueError, match="step=9: the lesson has 5 steps"):
        session.go(8)


def test_another_run_than_the_lessons_is_said(session):
    session.tick(Now(0, away=True))
    assert session.state()["error"] == "The page shows another run than the lesson’s."
