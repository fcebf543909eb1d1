"""The packages of docs/contributing: written out of the pages, built with pip, installed outside the repository."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "contributing").glob("*.md"))
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
BLOCK = re.compile(r'^(```+)\w+ title="([^"]+)"\n(.*?)^\1$', re.MULTILINE | re.DOTALL)


def write_out(work: Path) -> None:
    """Write the files that the pages show into a folder."""
    for _, name, text in BLOCK.findall(TEXT):
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def install(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the packages installed, each from a wheel that pip built of it."""
    work = tmp_path_factory.mktemp("packages")
    write_out(work)
    folders = sorted(path.parent for path in work.glob("*/pyproject.toml"))
    assert [folder.name for folder in folders] == ["fading-centroids", "one-error", "seasons"]
    site = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    done = subprocess.run(
        [*command, "--target", str(site), *map(str, folders)], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return site
