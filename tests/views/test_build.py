"""The modules that are shipped are those that the sources make, and their units pass; both need Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VIEWS = ROOT / "streamlab" / "views"


def run_node(package: str, *script: str) -> None:
    """Run a script of Node that needs a package; without either the test is skipped, or fails where they must be."""
    missing = ""
    if shutil.which("node") is None:
        missing = "Node is not installed"
    elif not (ROOT / "node_modules" / package).is_dir():
        missing = f"{package} is not installed: npm ci"
    if missing and os.environ.get("STREAMLAB_REQUIRE_NODE") == "1":
        pytest.fail(missing, pytrace=False)
    if missing:
        pytest.skip(missing)
    done = subprocess.run(["node", *script], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_shipped_is_current() -> None:
    run_node("esbuild", "streamlab/views/build.mjs", "--check")


def test_the_units_of_javascript() -> None:
    run_node("vitest", "node_modules/vitest/vitest.mjs", "run", "--dir", "tests/js")


def test_every_package_bundled_is_named_with_its_licence() -> None:
    licences = (VIEWS / "dist" / "LICENSES.txt").read_text(encoding="utf-8")
    for module in (VIEWS / "dist").glob("*.js"):
        head = module.read_text(encoding="utf-8").splitlines()[0]
        assert head.startswith("/*! streamlab ")
        for package in head.partition("; with ")[2].partition(":")[0].split(", "):
            assert not package or package in licences


def test_the_lock_file_names_no_host() -> None:
    text = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in text
    for each in json.loads(text)["packages"].values():
        each.pop("funding", None)  # whom to thank, not where to fetch from
        assert "://" not in json.dumps(each)


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    sources = [path for path in VIEWS.parent.rglob("*.js") if "dist" not in path.parts]
    assert len(sources) > 30
    assert {path.name: n for path in sources if (n := len(path.read_text(encoding="utf-8").splitlines())) >= 500} == {}


def test_javascript_and_python_mean_the_same_windows_by_at_once():
    from streamlab.views.page.screen import AT_ONCE

    room = (VIEWS / "kit" / "js" / "room.js").read_text(encoding="utf-8")
    assert f'export const AT_ONCE = "{AT_ONCE}";' in room
