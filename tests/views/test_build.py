"""The modules that are shipped are those that the sources make."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VIEWS = ROOT / "streamlab" / "views"


def test_what_is_shipped_is_current() -> None:
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    if not (ROOT / "node_modules" / "esbuild").is_dir():
        pytest.skip("esbuild is not installed: npm ci")
    script = ["node", "streamlab/views/build.mjs", "--check"]
    done = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


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
    assert "://" not in "".join(json.dumps(each) for each in json.loads(text)["packages"].values())


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    sources = [path for path in VIEWS.parent.rglob("*.js") if "dist" not in path.parts]
    assert len(sources) > 30
    assert {path.name: n for path in sources if (n := len(path.read_text(encoding="utf-8").splitlines())) >= 500} == {}
