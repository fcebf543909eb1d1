"""A page that has gone is given to the one that comes in its place, once."""

from __future__ import annotations

import gc
import threading

import pytest

from streamlab.views.page import reloading
from streamlab.views.page.reloading import Reloads


class Page:
    def __init__(self, looks: int = 0) -> None:
        self.looks = looks

    def is_watched(self) -> bool:
        self.looks -= 1
        return self.looks >= 0


def test_a_page_is_given_away_once_and_to_who_knows_its_secret():
    pages, page = Reloads(), Page()
    secret = pages.enter(page)
    assert len(secret) >= 20
    assert pages.take("another", Page.is_watched) is None
    assert pages.find(secret) is page
    assert pages.take(secret, Page.is_watched) is page
    assert pages.take(secret, Page.is_watched) is None


def test_a_page_that_is_still_looked_at_is_waited_for_and_otherwise_kept(monkeypatch: pytest.MonkeyPatch):
    pages, soon, never = Reloads(), Page(looks=3), Page(looks=10**9)
    assert pages.take(pages.enter(soon), Page.is_watched) is soon
    monkeypatch.setattr(reloading, "WAIT_SECONDS", 0.1)
    secret = pages.enter(never)
    assert pages.take(secret, Page.is_watched) is None
    assert pages.find(secret) is never


def test_of_several_who_ask_one_gets_it():
    pages, page = Reloads(), Page()
    secret = pages.enter(page)
    found: list[object] = []
    asking = [
        threading.Thread(target=lambda: found.append(pages.take(secret, Page.is_watched)), daemon=True)
        for _ in range(8)
    ]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    assert [each for each in found if each is not None] == [page]


def test_pages_that_nobody_holds_are_forgotten():
    pages = Reloads()
    secret = pages.enter(Page())
    gc.collect()
    assert pages.find(secret) is None
    assert pages.find(None) is None
