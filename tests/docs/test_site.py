"""The site of the documentation: no warning, no broken link, no other address asked."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import streamlab
import streamlab.learners
import streamlab.measures
import streamlab.streams
from tests.docs.building import DOCS, built

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
    return built(tmp_path_factory.mktemp("site"))


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
