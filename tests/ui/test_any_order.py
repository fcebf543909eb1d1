"""One tab goes through all pages by the links, in any order: each plays its own run, and nothing is logged."""

from __future__ import annotations

import os
import random
import re
from typing import Any
from urllib.parse import urljoin

from streamlab.views.page.presets import PRESETS, river_name
from tests.ui.screen import Screen

ORDERS = int(os.environ.get("STREAMLAB_ORDERS", "0"))
"""Random orders beside forward and backward, by night; else some of the pages in one random order."""
SOME = 4
STUDY = "study"
PAGES = [*PRESETS, STUDY]


def orders() -> list[str]:
    names = PAGES
    if not ORDERS:
        return random.Random(0).sample(names, SOME)
    found = [*names, *reversed(names)]
    for seed in range(ORDERS):
        found += random.Random(seed).sample(names, len(names))
    return found


def go(page: Any, name: str) -> None:
    """By the page's name in its header to where the server's pages begin, and by the link."""
    brand = page.get_by_role("link", name="streamlab", exact=True)
    if brand.count():
        brand.click()
    else:
        page.goto(urljoin(page.url, "./"))
    links = page.locator("a.door")
    links.first.wait_for()
    assert links.count() == len(PAGES) == 9
    page.locator(f'a.door[href^="{name}"]').click()


def test_every_page_plays_its_own_rows_in_any_order(shared_server: Any, page: Any, wait_until: Any) -> None:
    before = len(shared_server.log())
    tab = page(f"{shared_server.address}/stream_monitor")
    Screen(tab, wait_until)
    for name in orders():
        go(tab, name)
        tab.wait_for_url(re.compile(f"/{name}([?]|$)"))
        if name == STUDY:
            tab.get_by_role("table").first.wait_for()
            continue
        # the transport of the page before is gone with its document
        screen, preset = Screen(tab, wait_until), PRESETS[name]
        assert screen.position <= preset.played
        theirs = {river_name(each) for each in preset.river}
        assert set(screen.learners()) in ({*preset.learners, *theirs}, {*preset.nested_learners})
        opened = preset.view.get("tab")
        if opened is not None:
            assert screen.viewed == opened
        at = screen.position
        screen.play()
        screen.wait(lambda screen=screen, at=at: screen.position > at)
    written = shared_server.log()[before:]
    assert not re.search("Traceback|ERROR|WARNING|Warning", written), written
