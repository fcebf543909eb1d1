"""The start page: what streamlab is, in a sentence, and a door to each page. Plain HTML, which needs no session."""

from __future__ import annotations

from pathlib import Path

from tornado.web import RequestHandler

__all__ = ["START_HTML", "StartPage"]

START_HTML = Path(__file__).with_name("html") / "start.html"
"""The file: ``panel serve apps/*.py --index`` takes it too."""


class StartPage(RequestHandler):
    """Answers ``/`` of a server that serves the pages of ``PRESETS`` beside it."""

    def get(self) -> None:
        """Send the page."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
        self.finish(START_HTML.read_bytes())
