"""A headless Chromium, for as long as a benchmark drives it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["NoBrowser", "chromium"]


class NoBrowser(RuntimeError):
    """There is no browser to drive; the message says what is missing."""


@contextmanager
def chromium() -> Iterator[Any]:
    """Open a headless Chromium; yields Playwright's browser.

    Raises
    ------
    NoBrowser
        If Playwright or Chromium is missing.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NoBrowser("this benchmark takes playwright: the extra test has it") from None
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        raise NoBrowser("this benchmark takes a Chromium on PATH, or one that CHROMIUM names")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
