"""The start page: what streamlab is, in a sentence, and a link to each page. Plain HTML, which needs no session."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from tornado.web import RequestHandler

__all__ = ["START_HTML", "StartPage"]

START_HTML = Path(__file__).with_name("html") / "start.html"
"""The file: ``panel serve apps/*.py --index`` takes it too."""


def policy_of(html: str) -> str:
    """Return what a browser may do with a page: run the page's own script, and fetch nothing."""
    (script,) = re.findall("<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"


class StartPage(RequestHandler):
    """Answers ``/`` of a server that serves the pages of ``PRESETS`` beside it."""

    def get(self) -> None:
        """Send the page."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        html = START_HTML.read_text(encoding="utf-8")
        self.set_header("Content-Security-Policy", policy_of(html))
        self.finish(html)
