"""What the package's pages show runs as it is written, as the core's pages do."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.test_pages import blocks, registered  # noqa: F401
from tests.docs.test_pages import test_what_a_page_shows_runs as run_page

PAGES = sorted((Path(__file__).parents[1] / "docs").glob("*.md"))


@pytest.mark.whole
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_what_it_shows_runs(page, tmp_path, monkeypatch, registered, capsys):  # noqa: F811
    run_page(page, tmp_path, monkeypatch, registered, capsys)
