"""The site of the documentation: no warning, no broken link, no other address asked."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

import streamlab
import streamlab.learners
import streamlab.measures
import streamlab.streams

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NEEDED = ("sphinx", "pydata_sphinx_theme", "myst_nb", "sphinx_design", "sphinx_copybutton", "latex2mathml")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]
LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "object": "data",
}
"""What a browser fetches by itself: elements and the attribute with the address."""


class Page(HTMLParser):
    """The addresses of a page: where its links lead, what it loads, and the places that links may name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload", "preconnect", "dns-prefetch"):
            self.loads.append(given.get("href", ""))
        elif tag in LOADED and LOADED[tag] in given:
            self.loads.append(given[LOADED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    if MISSING:
        pytest.skip(f"the extra docs is not installed: {', '.join(MISSING)} missing")
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", str(out / "trees")]
    done = subprocess.run([*command, str(DOCS), str(out / "html")], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return out / "html"


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    found = sorted(
        path for path in site.rglob("*.html") if path.name != "webpack-macros.html"
    )  # a template of the theme
    return {path: Page(path.read_text(encoding="utf-8")) for path in found}


def test_every_part_is_there(site):
    for name in ("index", "start/index", "howto/index", "lessons/README", "benchmarks", "api/index", "notebooks",
                 "notebooks/06_time_machine", "contributing", "changelog", "search", "genindex"):  # fmt: skip
        assert (site / f"{name}.html").is_file(), name
    assert (site / "replays" / "forgetting.html").is_file()


def test_every_link_leads_to_a_place_that_is_there(site, pages):
    broken = []
    for path, page in pages.items():
        if "replays" in path.relative_to(site).parts:
            continue
        for address in (*page.links, *page.loads):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            known = target.is_file() and (
                not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].anchors
            )
            if not known and address != "#":
                broken.append(f"{path.relative_to(site)}: {address}")
    assert broken == []


def test_no_page_asks_another_address(site, pages):
    asked = [f"{path}: {at}" for path, page in pages.items() for at in page.loads if re.match(r"(https?:)?//", at)]
    assert asked == []
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", text), style
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?:fetch|import)\(\s*[\"']https?://", text), path


def test_the_search_knows_the_pages(site):
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    assert "start/index" in index["docnames"]
    assert index["terms"]["hoeffd"], "words are found by their stem"


def test_the_reference_has_every_public_name():
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((DOCS / "api").glob("*.rst")))
    named = set(re.findall(r"^   (\w+)$", text, re.MULTILINE)) | set(re.findall(r"py:data:: ([\w.]+)", text))
    named = {name.rpartition(".")[2] for name in named}
    for package in (streamlab, streamlab.streams, streamlab.learners, streamlab.measures):
        assert set(package.__all__) - {"__version__"} - named == set(), package.__name__


# ---------------------------------------------------------------------- in a browser

AXE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}
SIZES = ((1400, "light"), (420, "dark"))
SEEN = ("index", "start/index", "learners/index", "api/generated/streamlab.Run", "notebooks/04_balanced_neighbours")


def _unavailable(reason: str) -> None:
    if os.environ.get("STREAMLAB_REQUIRE_BROWSER") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def served(site):
    """The site's address on a server of its own."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def chromium(site):
    playwright = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        _unavailable("Chromium is not on the path")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium, served):
    """Open a page of the site; what it asks of other addresses, and its errors, fail the test at its end."""
    wrong: list[str] = []
    opened: list[Any] = []

    def opener(name: str, width: int = 1400, scheme: str = "light") -> Any:
        page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        opened.append(page)
        ours = (served, "data:", "blob:", "about:")
        page.on("request", lambda asked: asked.url.startswith(ours) or wrong.append(asked.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{served}/{name}.html")
        return page

    yield opener
    for page in opened:
        page.close()
    assert wrong == []


@pytest.mark.parametrize("name", SEEN)
def test_a_page_can_be_read_by_everybody(open_page, name):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    for width, scheme in SIZES:
        page = open_page(name, width, scheme)
        found = axe.Axe().run(page, options=AXE).response["violations"]
        assert [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "the page scrolls sideways"


def test_a_word_is_found(open_page):
    page = open_page("search")
    page.goto(page.url + "?q=hoeffding")
    page.wait_for_selector("#search-results ul.search li a")
    assert page.locator("#search-results ul.search li").count() >= 3


def test_the_replay_of_the_start_page_is_loaded_by_a_click(open_page):
    page = open_page("index")
    assert page.locator("iframe").count() == 0
    page.locator("a.replay").click()
    page.frame_locator("iframe.replay").get_by_role("button", name="Play").wait_for()
