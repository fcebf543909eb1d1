"""The start page: it asks no other address, and every door leads to a page that there is."""

from __future__ import annotations

import re

from streamlab.lessons.catalogue import lesson_names
from streamlab.views.hosting.serving import START_HTML, policy_of
from streamlab.views.page.header import PAGES
from streamlab.views.page.presets import PRESETS

FONT = "static/extensions/panel-material-ui/panel-material-ui.bundle.css"


def test_every_page_has_a_door_and_every_door_a_page():
    html = START_HTML.read_text(encoding="utf-8")
    doors = {address.partition("?")[0] for address in re.findall(r'class="door(?: first)?" href="([^"]*)"', html)}
    assert doors == {*PRESETS, "study"}


def test_nothing_is_asked_of_another_address():
    html = START_HTML.read_text(encoding="utf-8")
    lessons = {f"stream_monitor?lesson={name}" for name in lesson_names()}
    asked = set(re.findall(r'(?:href|src)="([^"]*)"', html))
    assert lessons <= asked
    assert {each.partition("?")[0] for each in asked} == {*PAGES, "data:,", FONT}
    assert "http" not in html
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert "fetch" not in script
    assert "innerHTML" not in script
    assert html.count("<script") == 1
    assert [html.count(f"<em>{each}</em>") for each in ("Start here", "First lesson")] == [1, 1]
    assert policy_of(html).startswith("default-src 'none'; script-src 'sha256-")
    # Panel renders it as a template of tornado's when it is asked to (--index)
    assert not re.search(r"\{[{%#]", html)
