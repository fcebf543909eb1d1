"""Files of one's own, by clicks, in one page: thirty habits brought to a learner, or refused in a sentence."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.streams.tables.habits import N
from tests.ui.screen import Screen

APPS = ("stream_monitor",)
PICTURES = os.environ.get("STREAMLAB_PICTURES")
"""A folder for screenshots, for people to look at."""


class Talk:
    """The conversation about a file, in the words of what a user does and sees there."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.page = screen, screen.page
        self.dialog = screen.page.locator("dialog.sl-own")
        self.files = screen.page.get_by_label("Upload a stream")

    def drop(self, path: Path) -> None:
        """Choose a file and wait until its rows are shown."""
        self.files.set_input_files(path)
        self.dialog.get_by_role("heading", name=path.name).wait_for()
        self.screen.wait(lambda: "Looking" not in self.dialog.inner_text())

    def choose(self, column: str, role: str) -> None:
        self.dialog.get_by_label(f"Role of {column}", exact=True).select_option(role)

    @property
    def asked(self) -> list[str]:
        return self.dialog.get_by_label("What is unclear").locator("li").all_inner_texts()

    @property
    def python(self) -> str:
        return self.dialog.get_by_label("The same in Python").inner_text()

    def can_start(self) -> bool:
        return self.dialog.get_by_role("button", name="Start").is_enabled()

    def start(self) -> None:
        self.dialog.get_by_role("button", name="Start").click()

    def close(self) -> None:
        self.dialog.get_by_role("button", name="Close").click()
        self.dialog.wait_for(state="hidden")


def picture(page: Any, name: str) -> None:
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png")


@pytest.mark.nightly
def test_a_file_whose_labels_are_not_clear_is_rescued_by_keys(visit: Any, tmp_path: Path) -> None:
    screen = visit()
    talk = Talk(screen)
    path = tmp_path / "sales.csv"
    rows = [f"{i},{i * 1.5:.1f},{i % 7 * 0.5},{'yes' if i % 2 else 'no'},{i % 3 + 0.5}" for i in range(N)]
    path.write_text("id;price;weight;sold;size\n".replace(";", ",") + "\n".join(rows) + "\n")
    talk.drop(path)
    picture(screen.page, "own-data-light-1400")
    assert "“id” is left out: it holds the numbers of the rows." in talk.asked
    talk.choose("sold", "feature")
    screen.wait(lambda: talk.asked[0].startswith("Which columns are the labels?"))
    assert not talk.can_start()
    assert "“sold” could be" in talk.asked[0]
    picture(screen.page, "own-data-asks")
    box = talk.dialog.get_by_label("Role of sold")
    box.focus()
    # the first letter of an option chooses it
    screen.page.keyboard.press("l")
    screen.wait(talk.can_start)
    assert talk.python == "sl.load('sales.csv', labels='sold', ignore=['id'])"
    screen.page.keyboard.press("Escape")
    talk.dialog.wait_for(state="hidden")
    screen.unfold("A stream of your own")
    screen.button("Choose the columns again").click()
    talk.dialog.wait_for()
    assert talk.python == "sl.load('sales.csv', labels='sold', ignore=['id'])"
    talk.choose("size", "ignore")
    screen.wait(lambda: "'size'" in talk.python)
    screen.renewed(talk.start)
    # and once more while it is on the screen
    screen.unfold("A stream of your own")
    screen.button("Choose the columns again").click()
    talk.choose("weight", "ignore")
    screen.wait(lambda: "'weight'" in talk.python)
    screen.renewed(talk.start)
