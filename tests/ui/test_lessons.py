"""Lessons in a browser: each from its first to its last step, one of them by keyboard alone, and one of a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from streamlab import MLHAT, MLKNN, SMART, BalancedKNN, HierarchicalKNN
from streamlab.lessons.catalogue import ORDER, lesson_of
from tests.ui.screen import PATIENCE_S
from tests.ui.test_accessibility import is_without_violation

APPS = ("stream_monitor",)


def prepare() -> None:
    """Compile the learners of all lessons here, so that the pages read them from the cache."""
    for learner in (SMART, MLHAT, HierarchicalKNN, BalancedKNN, MLKNN):
        learner.prepare()


class Lesson:
    """A lesson that is open on a page."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.until("state.total > 0")
        self.panel = page.locator(".sl-lesson")

    @property
    def state(self) -> dict[str, Any]:
        return self.page.evaluate("window.__streamlab_lesson.stats()")

    def until(self, condition: str) -> None:
        """Wait for a condition on ``state``; a page that is being loaded has none."""
        self.page.wait_for_function(
            f"(() => {{ const state = window.__streamlab_lesson?.stats() ?? {{}}; return {condition}; }})()",
            timeout=1000 * PATIENCE_S,
        )

    def until_step(self, number: int) -> None:
        self.until(f"state.number === {number} && !state.busy && !state.error")

    def button(self, name: str) -> Any:
        return self.panel.get_by_role("button", name=name, exact=True)

    def predict(self, step: Any, answer: int) -> None:
        if step.predict is None:
            return
        self.until("state.asked")
        self.panel.locator(".sl-option").nth(answer).click()
        self.until("!state.asked")

    def end(self, step: Any, view: Callable[[str], None]) -> None:
        """Do what the step wants, quickly, and wait until it is over."""
        if step.ending.row is not None:
            self.until("state.play || state.over")
            if self.state["play"]:
                self.button("Skip ahead").click()
        elif step.ending.learner:
            self.button("Set it for me").click()
        elif step.ending.tab and not self.state["over"]:
            view(step.ending.tab)
        self.until("state.over")


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in ORDER if name != "late"])
def test_a_lesson_is_gone_through_by_clicks(visit: Any, name: str) -> None:
    told = lesson_of(name)
    screen = visit(query=f"?lesson={name}")
    lesson = Lesson(screen.page)
    for number, step in enumerate(told.steps, 1):
        lesson.until_step(number)
        assert lesson.panel.get_by_role("heading").inner_text() == step.title
        assert lesson.panel.get_by_text(f"Step {number} of {len(told.steps)}", exact=True).is_visible()
        screen.wait(lambda at=number: urlsplit(screen.page.url).query == f"lesson={name}&step={at}")
        answer = getattr(step.predict, "answer", 0)
        lesson.predict(step, answer)
        lesson.end(step, screen.view)
        if step.predict is not None:
            lesson.panel.locator(".sl-verdict").wait_for()
            assert lesson.state["verdict"] == "You were right."
        if step.ending.row is not None:
            screen.wait(lambda row=step.ending.row: screen.position == row)
        if number == len(told.steps):
            # the end says what was predicted and what happened, of each step that asked
            asked = sum(each.predict is not None for each in told.steps)
            assert lesson.panel.locator(".sl-recap p").count() == asked
        lesson.button("Next" if number < len(told.steps) else "Finish").click()
    lesson.panel.wait_for(state="hidden")
    screen.wait(lambda: not urlsplit(screen.page.url).query.startswith("lesson"))


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Any, name: str) -> None:
    """Press Tab until the control of this name has the focus."""
    seen: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        here = page.evaluate(
            """() => {
                let node = document.activeElement;
                while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
                return node?.getAttribute("aria-label") ?? node?.textContent ?? "";
            }"""
        )
        if name in here:
            return
        seen.append(here[:40])
    raise AssertionError(f"no {name!r} within 60 stops: {seen}")


def test_a_lesson_is_gone_through_by_keyboard_alone(visit: Any) -> None:
    told = lesson_of("late")
    screen = visit()
    page = screen.page
    tab_to(page, "Lessons")
    press(page, "Enter")
    tab_to(page, told.title)
    press(page, "Enter")
    page.wait_for_url("**/stream_monitor?lesson=late*")
    lesson = Lesson(page)
    lesson.until_step(1)
    is_without_violation(page)
    for number, step in enumerate(told.steps, 1):
        lesson.until_step(number)
        if step.predict is not None:
            lesson.until("state.asked")
            tab_to(page, step.predict.options[step.predict.answer])
            press(page, "Enter")
            lesson.until("!state.asked")
        if step.ending.row is not None:
            lesson.until("state.play || state.over")
            if lesson.state["play"]:
                tab_to(page, "Skip ahead")
                press(page, "Enter")
        lesson.until("state.over")
        tab_to(page, "Next" if number < len(told.steps) else "Finish")
        press(page, "Enter")
    lesson.panel.wait_for(state="hidden")
