"""The documentation in a browser: everybody can read it, words are found, the replay comes by a click."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.docs.building import built

# axe would fetch the style sheets again, those that others import from a wrong place
AXE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"], "preload": False}
SIZES = ((1400, "light"), (420, "dark"))
SEEN = ("index", "start/index", "learners/index", "api/generated/streamlab.Run", "notebooks/04_balanced_neighbours")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site's address on a server of its own."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    folder = str(built(tmp_path_factory.mktemp("site")))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("name", SEEN)
def test_a_page_can_be_read_by_everybody(served: str, page: Any, name: str) -> None:
    import axe_playwright_python.sync_playwright as axe

    for width, scheme in SIZES:
        opened = page(f"{served}/{name}.html", width=width, color_scheme=scheme)
        found = axe.Axe().run(opened, options=AXE).response["violations"]
        assert [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]] == []
        assert opened.evaluate("document.documentElement.scrollWidth") <= width, "the page scrolls sideways"


def test_a_word_is_found(served: str, page: Any) -> None:
    opened = page(f"{served}/search.html?q=hoeffding")
    opened.wait_for_selector("#search-results ul.search li a")
    assert opened.locator("#search-results ul.search li").count() >= 3


def test_the_replay_of_the_start_page_is_loaded_by_a_click(served: str, page: Any) -> None:
    opened = page(f"{served}/index.html")
    assert opened.locator("iframe").count() == 0
    opened.locator("a.replay").click()
    opened.frame_locator("iframe.replay").get_by_role("button", name="Play").wait_for()
