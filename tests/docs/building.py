"""The site, built as CI builds it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

__all__ = ["DOCS", "built"]

DOCS = Path(__file__).parents[2] / "docs"
NEEDED = ("sphinx", "pydata_sphinx_theme", "myst_nb", "sphinx_design", "sphinx_copybutton", "latex2mathml")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]


def built(out: Path) -> Path:
    """Build the site into a folder, where a warning is an error; skips the test without the extra docs."""
    if MISSING:
        pytest.skip(f"the extra docs is not installed: {', '.join(MISSING)} missing")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", str(out / "trees")]
    done = subprocess.run([*command, str(DOCS), str(out / "html")], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return out / "html"
