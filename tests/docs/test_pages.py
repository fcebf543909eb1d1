"""The README and the pages of ``docs``, and of its folders start, howto and contributing: what they show is run.

The pages on ideas and learners are run by test_ideas.py, the packages that those on contributing show by tests/outside.

Python blocks of a page run one after the other in one namespace, lines of the shell that begin with ``streamlab``
between them, in a folder of the page's own. A block of text right below says what is printed. A block below
``<!-- not run: why -->`` is left out; so are servers.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
import yaml

from streamlab.learners import LEARNERS
from streamlab.measures import MEASURES
from streamlab.streams import DRIFTS, STREAMS

ROOT = Path(__file__).parents[2]
FOLDERS = ("start", "howto", "contributing", ".")
PAGES = [ROOT / "README.md", *sorted(page for folder in FOLDERS for page in (ROOT / "docs" / folder).glob("*.md"))]
BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>python|bash)\n(?P<text>.*?)^(?P=indent)```$(?:\n```text\n(?P<printed>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
NOT_RUN = re.compile(r"<!-- not run: (\S.*) -->\n+$")
SERVERS = ("monitor", "watch", "attach")
MOST_NOT_RUN = 4


@dataclass(frozen=True)
class Block:
    """A block of code of a page: its language, text, line, whether it is run, and what the page says it prints."""

    language: str
    text: str
    line: int
    is_run: bool
    printed: str | None


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            found["language"],
            dedent(found["text"]),
            text[: found.start()].count("\n") + 2,
            NOT_RUN.search(text[: found.start()]) is None,
            found["printed"],
        )
        for found in BLOCK.finditer(text)
    ]


def commands(block: Block) -> list[list[str]]:
    """The arguments of each line that begins with ``streamlab``, except for servers that are not only checked."""
    lines = [shlex.split(line, comments=True) for line in block.text.splitlines() if line.startswith("streamlab ")]
    return [line[1:] for line in lines if line[1] not in SERVERS or "--check" in line]


def test_there_are_pages_with_code():
    assert {page.parent.name for page in PAGES[1:]} == {"start", "howto", "contributing", "docs"}
    assert sum(len(blocks(page)) for page in PAGES) > 40


def test_few_blocks_are_not_run():
    assert sum(not block.is_run for page in PAGES for block in blocks(page)) <= MOST_NOT_RUN


SEARCHES = (
    "custom metric", "class imbalance", "latex table", "threshold", "grid search", "tuning", "widget", "citation",
    "binary multi-class", "polars", "openml",
)  # fmt: skip


@pytest.mark.parametrize("words", SEARCHES)
@pytest.mark.whole
def test_what_people_search_for_has_a_page(words):
    texts = [page.read_text(encoding="utf-8").lower() for page in PAGES[1:]]
    assert any(all(word in text for word in words.split()) for text in texts)


def test_the_papers_are_those_that_the_repository_cites():
    page = (ROOT / "streamlab" / "data" / "papers.bib").read_text(encoding="utf-8")
    told = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert f"version = {{{told['version']}}}" in page
    for work in (told, *told["references"]):
        assert f"{{{work['title']}}}" in page
        assert str(work.get("year", "")) in page
        assert str(work.get("doi", "")) in page


@pytest.fixture
def registered():
    """What a page registers for its session is taken away at its end."""
    registries = (DRIFTS, LEARNERS, STREAMS, MEASURES.registry)
    before = [set(registry.names()) for registry in registries]
    yield
    for registry, names in zip(registries, before, strict=True):
        for name in set(registry.names()) - names:
            del registry._loaded[name]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page)], ids=lambda page: f"{page.parent.name}/{page.name}"
)
def test_what_a_page_shows_runs(page, tmp_path, monkeypatch, registered, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if not block.is_run:
            continue
        if block.language == "python":
            code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
            capsys.readouterr()
            exec(code, names)
            if block.printed is not None:
                printed = capsys.readouterr().out.splitlines()
                assert [line.rstrip() for line in printed] == block.printed.splitlines()
        for arguments in commands(block) if block.language == "bash" else ():
            command = [sys.executable, "-c", "from streamlab.cli import main; main()", *arguments]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            assert done.returncode == 0, f"{page.name}: streamlab {shlex.join(arguments)}\n{done.stderr}"
